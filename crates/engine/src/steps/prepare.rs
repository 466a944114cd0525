//! Preparation: number, random code, key and signed XML are stored, so that the document can be recognised whatever
//! happens next.
//!
//! Law: MOC 7.0 (cNF is part of the key, so it is fixed before the first send).

use super::claimed_work::failure;
use super::restored::RecoveredNumber;
use super::{ClaimedWork, Halt, NextStep, layout, lot, payload_mode, restored, second_issue, substitution_request};
use crate::authorities::certificates::signing_elements;
use crate::authorities::health::Channel;
use crate::contingency::{EmissionMode, ModeRequest};
use crate::crash_point;
use crate::family::emission::VER_PROC;
use crate::family::issuer::{FamilyIssuer, NotIssuer};
use crate::family::municipal_provider::MunicipalProvider;
use crate::family::qr::{NoCode, QrSubject, QrVersion};
use crate::family::{self, DocumentBuilder, Family};
use crate::order::emission::IssueRequest;
use crate::process::{cpu_time, local_time, randomness};
use authority::table::AuthorityService;
use fiscal::document::{BuildContext, BuiltDocument, DpsLayout};
use fiscal::finding::Violation;
use fiscal::lifecycle::{DocumentState, LifecycleEvent};
use fiscal::value::Uf;
use jiff::Timestamp;
use serde_json::Value;
use signing::SignedXml;
use std::sync::Arc;
use store::installation::{CodeByNumber, KeyCode};
use store::jobs::{JobAct, JobDocument, NumberRequest, SignedDocument, StoredFile};
use store::numbers::Series;

/// Inputs from which the document is built.
pub(super) struct EmissionDraft {
    pub(super) family: &'static Family,
    pub(super) order: Arc<IssueRequest>,
    pub(super) issuer: FamilyIssuer,
    pub(super) uf: Uf,
}

impl EmissionDraft {
    /// The payload as the caller wrote it.
    pub(super) fn nota(&self) -> &Value {
        &self.order.nota
    }

    /// The document's constraints on contingency.
    pub(super) fn mode_request(&self, work: &ClaimedWork) -> ModeRequest {
        ModeRequest {
            policy: work.engine.policy(&self.issuer, work.job.ambiente, self.family),
            svc_refuses: (self.family.contingency.asked)(self.nota()).svc_refuses,
            emitted: self.emitted(),
        }
    }

    /// Instant that the payload itself gives, where the family's contingency deadline counts from it.
    pub(super) fn emitted(&self) -> Option<jiff::Timestamp> {
        self.family.emitted(&(self.family.contingency.asked)(self.nota()), self.issuer.civil)
    }
}

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
    let recovered = restored::number(work, &draft, &channel, &mode).await?;
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

pub(super) fn unsigned(error: signing::SignError) -> Halt {
    let why = format!("O documento não pôde ser assinado: {error}.");
    Halt::Step(NextStep::GiveUp { failure: failure("certificado_invalido", "assinatura", why) })
}

pub(super) async fn draft(work: &ClaimedWork) -> Result<EmissionDraft, Halt> {
    let order = work.order().ok_or_else(unreadable)?;
    let order = Arc::clone(order);
    let family = family::of_modelo(order.modelo).ok_or_else(|| invalid("nenhum documento tem o modelo do pedido"))?;
    let issuer = work.issuer(family).map_err(not_issuer)?;
    let uf = issuer.uf.ok_or_else(|| invalid("o cadastro da empresa não tem UF"))?;
    Ok(EmissionDraft { family, order, issuer, uf })
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

/// The codes for keys of this job's document.
pub(super) fn codes(work: &ClaimedWork, series: &Series) -> Result<CodeByNumber, Halt> {
    let codes = work.engine.store().key_code(work.job.id, series)?;
    let is_second = work.job.act.as_ref().and_then(JobAct::replaces).is_some();
    Ok(if is_second { codes.of_second() } else { codes })
}

/// The series that gives the number.
pub(super) fn series_of(work: &ClaimedWork, draft: &EmissionDraft) -> Result<Series, Halt> {
    let configured = || draft.issuer.serie(work.job.ambiente, draft.family);
    let asked = (draft.family.builder.numbering)(draft.nota()).serie;
    let serie = asked.or_else(configured).ok_or_else(|| not_issuer(NotIssuer::NotConfigured))?;
    let (cpf_cnpj, ambiente) = (work.job.cpf_cnpj, work.job.ambiente);
    Ok(Series { cpf_cnpj, counted: draft.family.counted, serie, ambiente })
}

/// Seconds after its order within which retail is dated by the order: its authority refuses it five minutes after its
/// instant (704).
const SOON_RETAIL_S: i64 = 120;
/// Seconds after its order within which any other document is dated by the order.
const SOON_S: i64 = 600;

/// Instant of emission of a document built now: that of its order if it is built soon after it, so that a copy of the
/// database builds the same bytes again. In contingency it is now: no such document is older than its contingency.
pub(super) fn dated(work: &ClaimedWork, draft: &EmissionDraft, in_contingency: bool) -> String {
    let now = work.engine.now();
    let ordered = Timestamp::from_second(work.job.criado_em).unwrap_or(now);
    let soon_s = if (draft.family.builder.dated_at_sending)(draft.nota()) { SOON_RETAIL_S } else { SOON_S };
    let is_soon = (0..=soon_s).contains(&now.duration_since(ordered).as_secs());
    let instant = if !in_contingency && (is_soon || work.is_made_again) { ordered } else { now };
    local_time::written(draft.family.dated(instant), draft.issuer.civil)
}

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

/// Returns the stored bytes of a document that was prepared before.
pub(super) async fn stored(work: &ClaimedWork) -> Result<String, Halt> {
    Ok(work.engine.store().file(work.job.tenant_id, work.job.id, StoredFile::Signed).await?)
}

fn unreadable() -> Halt {
    invalid("o pedido registrado com o job é ilegível")
}

/// Gives up: the payload or the company must change before a retry can help.
fn invalid(why: impl Into<String>) -> Halt {
    let why = format!("O documento não pode ser montado: {}.", why.into());
    Halt::Step(NextStep::GiveUp { failure: failure("documento_invalido", "validacao", why) })
}

fn not_issuer(not: NotIssuer) -> Halt {
    let (codigo, why) = match not {
        NotIssuer::UnknownCompany => ("nao_encontrado", "A empresa foi removida."),
        NotIssuer::NotConfigured => ("empresa_sem_configuracao", "A empresa não tem configuração para este documento."),
        NotIssuer::Store(error) => return Halt::Store(error),
    };
    Halt::Step(NextStep::GiveUp { failure: failure(codigo, "validacao", why) })
}

/// Failure when the requested number is held by another document of ours, or the series has none left.
pub(super) fn no_number(error: store::Error, asked: Option<u64>, series: &Series) -> Halt {
    let (codigo, why) = match (error, asked) {
        (store::Error::NumberTaken { numero }, Some(_)) => {
            ("numero_em_uso", format!("O número {numero} pedido pela nota já está em uso por outra nota desta série."))
        }
        (store::Error::SeriesExhausted, _) => {
            let why = format!(
                "A série {} chegou ao último número ({}). Configure outra série na empresa, ou informe serie na nota, e \
                 reprocesse o job.",
                series.serie,
                series.counted.highest_number()
            );
            ("numeracao_esgotada", why)
        }
        (error, _) => return error.into(),
    };
    Halt::Step(NextStep::GiveUp { failure: failure(codigo, "validacao", why) })
}
