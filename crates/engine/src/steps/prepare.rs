//! Preparation: number, random code, key and signed XML are stored, so that the document can be recognised whatever
//! happens next.
//!
//! Law: MOC 7.0 (cNF is part of the key, so it is fixed before the first send).

use super::build::{build, unsigned};
use super::claimed_work::failure;
use super::draft::{EmissionDraft, codes, dated, draft, no_number, series_of};
use super::number_recovery::RecoveredNumber;
use super::{
    ClaimedWork, Halt, NextStep, layout, lot, number_recovery, payload_mode, second_issue, substitution_request,
};
use crate::authorities::certificates::signing_elements;
use crate::authorities::health::Channel;
use crate::contingency::EmissionMode;
use crate::family::qr::{NoCode, QrSubject, QrVersion};
use crate::process::cpu_time;
use crate::process::crash::crash_point;
use authority::table::AuthorityService;
use fiscal::document::BuiltDocument;
use fiscal::lifecycle::{DocumentState, LifecycleEvent};
use signing::SignedXml;
use store::installation::KeyCode;
use store::jobs::{JobDocument, NumberRequest, SignedDocument};

/// Returns the signed document that may be sent now; `Sending` is committed.
pub(super) async fn run(work: &mut ClaimedWork) -> Result<String, Halt> {
    let draft = draft(work).await?;
    let channel = work.channel(draft.uf, draft.family, "assinatura").await?;
    second_issue::first_has_the_trial(work, &channel).await?;
    let mode = mode_of(work, &draft, &channel).await?;
    lot::expect_document(work, &channel);
    second_issue::first_is_settled(work, &mode).await?;
    if !draft.family.is_given_out_at_once(mode.tpEmis) {
        // no number is taken while the authority has blocked the company
        work.endpoint_of(&channel, AuthorityService::Autorizacao, mode.role)?;
    }
    let version = code_version(work, &draft)?;
    let recovered = number_recovery::number(work, &draft, &channel, &mode).await?;
    reserve(work, &draft, mode, recovered).await?;
    let leiaute = layout::of(work, &draft, &channel).await?;
    let mut built = build(work, &draft, &channel, leiaute)?;
    substitution_request::wrap_request(work, &channel, &mut built).await?;
    let xml = std::mem::take(&mut built.xml);
    let algorithm = (draft.family.builder.algorithm)(Some(&draft.issuer));
    let sign = || signing::sign_elements(algorithm, xml, &signing_elements(&built.signatures), &channel.certificate);
    let mut signed = cpu_time::measure_sync("signature", sign).map_err(unsigned)?;
    let code = match version {
        Some(version) => add_code(work, &built, &channel, version, &mut signed).await?,
        None => None,
    };
    begin_sending(work, built, signed, code).await
}

/// Returns the mode that is decided already, else the requested one, else the current one.
async fn mode_of(work: &mut ClaimedWork, draft: &EmissionDraft, channel: &Channel) -> Result<EmissionMode, Halt> {
    if let Some(decided) = work.mode.take() {
        return Ok(decided);
    }
    match payload_mode::requested_mode(work, draft, channel).await? {
        Some(asked) => Ok(asked),
        None => Ok(work.engine.emission_mode(channel, draft.mode_request(work)).await?),
    }
}

/// Version of the QR code that is added to the signed document. Acceptance has checked it already; the company may have
/// changed since.
fn code_version(work: &ClaimedWork, draft: &EmissionDraft) -> Result<Option<QrVersion>, Halt> {
    let code = (draft.family.builder.code)(&draft.issuer, work.job.ambiente, draft.nota());
    code.map_err(|missing| no_code(NoCode::NoCsc(missing)))
}

/// Adds the QR code. After the signature, since an offline code contains the digest.
async fn add_code(
    work: &ClaimedWork,
    built: &BuiltDocument,
    channel: &Channel,
    version: QrVersion,
    signed: &mut SignedXml,
) -> Result<Option<String>, Halt> {
    let (tenant, company, ambiente) = (work.job.tenant_id, work.job.cpf_cnpj, work.job.ambiente);
    let subject = QrSubject { tenant, company, ambiente, built, certificate: &channel.certificate };
    work.engine.add_qr(subject, version, signed).await.map_err(no_code)
}

fn no_code(no: NoCode) -> Halt {
    match no {
        NoCode::NoCsc(missing) => Halt::Step(NextStep::GiveUp {
            failure: failure("empresa_sem_configuracao", "validacao", missing.to_string()),
        }),
        NoCode::Signature(error) => unsigned(error),
        NoCode::NoKey => Halt::Store(store::Error::Corrupt("um documento com QR Code tem chave de acesso")),
        NoCode::Store(error) => Halt::Store(error),
    }
}

/// Stores number, random code and instant of this document in one transaction. A second call returns what the first one
/// fixed.
async fn reserve(
    work: &mut ClaimedWork,
    draft: &EmissionDraft,
    mode: EmissionMode,
    recovered: Option<RecoveredNumber>,
) -> Result<(), Halt> {
    let series = series_of(work, draft)?;
    let codigo_aleatorio = match &recovered {
        Some(recovered) => KeyCode::Fixed(recovered.codigo),
        None => KeyCode::ByNumber(codes(work, &series)?),
    };
    let (recovered, made_at) = recovered.map(|it| (it.numero, it.dhEmi)).unzip();
    let asked_numero = recovered.or_else(|| (draft.family.builder.numbering)(draft.nota()).numero);
    let now = work.engine.now();
    if mode.contingencia.is_some() {
        work.log(mode.log_line());
    }
    let EmissionMode { tpEmis: tipo_emissao, contingencia, .. } = mode;
    let dhEmi = made_at.flatten().unwrap_or_else(|| dated(work, draft, contingencia.is_some()));
    let own = draft.family.contingency.number_of_its_own;
    let fresh = contingencia.as_ref().is_some_and(|it| own || it.prazo_transmissao.is_some());
    let reserve = NumberRequest { series, asked_numero, codigo_aleatorio, tipo_emissao, dhEmi, contingencia, fresh };
    let reserved = work.engine.store().reserve(work.lease, reserve, now.as_second()).await;
    let document = reserved.map_err(|error| no_number(error, asked_numero, &series))?;
    crash_point("prepare.reserved");
    work.log(format!("Número {} da série {} reservado.", document.numero, document.serie));
    work.job.document = Some(document);
    Ok(())
}

/// Stores the signed bytes and `Sending` (`Issued` for a document that is given out first) in one transaction. From
/// here on it can be queried by its key.
async fn begin_sending(
    work: &mut ClaimedWork,
    built: BuiltDocument,
    signed: SignedXml,
    qrCode: Option<String>,
) -> Result<String, Halt> {
    let given_out = work.is_given_out()?;
    let asked_by = built.ids.asked_by.as_str();
    let state = work.state_after(if given_out { LifecycleEvent::Issued } else { LifecycleEvent::SendStarted })?;
    work.log(match built.ids.chave {
        Some(chave) => format!("Documento montado e assinado, chave {chave}."),
        None => format!("Documento montado e assinado, identificação {asked_by}."),
    });
    let prepared = SignedDocument {
        state,
        numero: work.document()?.numero,
        asked_by: built.ids.asked_by.clone(),
        chave: built.ids.chave.map(Into::into),
        xml: signed.xml.as_str().into(),
        digest: signed.digest.clone(),
        valor: built.valor.to_string(),
        dhEmi: built.dhEmi.clone(),
        destinatario: built.destinatario.clone(),
        qrCode,
    };
    let lines = work.take_lines();
    work.engine.store().begin_sending(work.lease, prepared, work.engine.now_s(), lines).await?;
    crash_point("prepare.sending");
    tracing::Span::current().record("document.chave", built.ids.asked_by.as_str());
    remember_prepared(work, state, built, signed.digest);
    Ok(signed.xml)
}

/// Updates the job in memory to what was committed.
fn remember_prepared(work: &mut ClaimedWork, state: DocumentState, built: BuiltDocument, digest: String) {
    if let Some(document) = &mut work.job.document {
        let chave = built.ids.chave.map(Into::into);
        let asked_by = Some(built.ids.asked_by);
        let committed =
            JobDocument { state, asked_by, chave, dhEmi: built.dhEmi, digest: Some(digest), ..document.clone() };
        *document = committed;
    }
}
