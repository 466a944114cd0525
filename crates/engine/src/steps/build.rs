//! Building of a document from its draft, under the number and instant that the job has.

use super::claimed_work::failure;
use super::draft::{EmissionDraft, dated, invalid, unreadable};
use super::{ClaimedWork, Halt, NextStep, layout};
use crate::authorities::health::Channel;
use crate::family::DocumentBuilder;
use crate::family::emission::VER_PROC;
use crate::family::municipal_provider::MunicipalProvider;
use crate::process::{local_time, randomness};
use fiscal::document::{BuildContext, BuiltDocument, DpsLayout};
use fiscal::finding::Violation;
use jiff::Timestamp;

pub(super) fn build(
    work: &ClaimedWork,
    draft: &EmissionDraft,
    channel: &Channel,
    leiaute: DpsLayout,
) -> Result<BuiltDocument, Halt> {
    let document = work.document()?;
    if !randomness::is_allowed(document.codigo_aleatorio, Some(document.numero)) {
        return Err(invalid("o código numérico sorteado coincide com o número da nota; reprocesse o job"));
    }
    // a document that is given out keeps its instant, all the more if it has the key of another
    let given_out = draft.family.is_given_out(document.tipo_emissao);
    let at_sending = (draft.family.builder.dated_at_sending)(draft.nota()) && !given_out;
    let now = at_sending.then(|| dated(work, draft, document.contingencia.is_some()));
    let dhEmi = now.as_deref().unwrap_or(&document.dhEmi);
    let context = BuildContext {
        modelo: draft.family.modelo,
        ambiente: work.job.ambiente,
        law: work.engine.law(),
        emitente: &draft.issuer.emitente,
        regimes: Some(&draft.issuer.regimes),
        configuracao: Some(&draft.issuer.configuration),
        serie: document.serie,
        numero: document.numero,
        codigo: document.codigo_aleatorio,
        dhEmi,
        tpEmis: document.tipo_emissao,
        contingencia: document.contingencia.as_ref().map(|it| (it.desde.as_str(), it.justificativa.as_str())),
        verProc: VER_PROC,
        software_house: work.engine.software_house(),
        dialeto: channel.city_hall.as_deref().map(MunicipalProvider::dialect),
        leiaute,
    };
    // acceptance has checked the same payload against the layout; the check is repeated only after a change of the
    // company or a new regime
    let unchanged = draft.issuer.company.atualizado_em < work.job.criado_em
        && is_regime_of_order(work, draft, dhEmi)
        && layout::is_of_acceptance(work, draft, channel, leiaute)?;
    let built = write(work, draft, &context, unchanged)?;
    built.map_err(|violations| {
        let found: Vec<String> =
            violations.iter().map(|found| format!("{}: {}", found.campo, found.mensagem)).collect();
        invalid(found.join("; "))
    })
}

/// `true` if the company has the regime that it had when acceptance checked the order.
fn is_regime_of_order(work: &ClaimedWork, draft: &EmissionDraft, dhEmi: &str) -> bool {
    let ordered = Timestamp::from_second(work.job.criado_em).unwrap_or_default();
    let accepted = local_time::written(draft.family.dated(ordered), draft.issuer.civil);
    draft.issuer.regimes.is_same_on(&accepted, dhEmi)
}

/// Builds from the text that acceptance wrote, if the cache has it; otherwise from the whole order.
fn write(
    work: &ClaimedWork,
    draft: &EmissionDraft,
    context: &BuildContext<'_>,
    unchanged: bool,
) -> Result<Result<BuiltDocument, Vec<Violation>>, Halt> {
    let DocumentBuilder { build, write, around, .. } = &draft.family.builder;
    if let (Some(around), Some(body)) = (around, work.body.as_ref().filter(|_| unchanged))
        && let Some(text) = body.text()
        && let Some(before) = body.reusable(&text, context)
    {
        return Ok((around.write)(draft.nota(), context, before));
    }
    let make = if unchanged { write } else { build };
    let order = work.whole_order().ok_or_else(unreadable)?;
    Ok(make(&order.nota, context))
}

/// Gives up on a document that could not be signed.
pub(super) fn unsigned(error: signing::SignError) -> Halt {
    let why = format!("O documento não pôde ser assinado: {error}.");
    Halt::Step(NextStep::GiveUp { failure: failure("certificado_invalido", "assinatura", why) })
}
