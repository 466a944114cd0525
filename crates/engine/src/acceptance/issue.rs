//! Acceptance of an emission: check everything, register in one transaction, answer.
//!
//! Law: `docs/contract.md`, "Environments" and "Emission" (leniency, notices, replay).

use crate::Engine;
use crate::acceptance::cached_body::CachedBody;
use crate::acceptance::order_cache::CachedOrder;
use crate::acceptance::provider::{ProviderDecision, ProviderTarget};
use crate::acceptance::substitution::SubstitutionCheck;
use crate::acceptance::{backlog, replay};
use crate::family::emission::{RequestedEmission, VER_PROC};
use crate::family::issuer::{FamilyIssuer, NotIssuer};
use crate::family::layouts::LayoutQuery;
use crate::family::municipal_provider::MunicipalProvider;
use crate::family::{self, Family};
use crate::order::emission::IssueRequest;
use crate::order::{JobScope, Order, serialize_emission};
use crate::process::crash::crash_point;
use crate::process::{cpu_time, local_time, randomness};
use authority::table::AuthorityRole;
use fiscal::document::{BuildContext, DpsLayout, SoftwareHouse, WrittenBody};
use fiscal::finding::{Notice, Violation, shortened};
use fiscal::law::Law;
use fiscal::summary::addressee_name;
use fiscal::value::{Serie, TpAmb, Uf};
use serde_json::Value;
use std::sync::Arc;
use store::accounts::Caller;
use store::companies::Company;
use store::emissions::addressees::NewAddressee;
use store::installation::RestoredCopy;
use store::jobs::{Job, NewJob, RegistrationResult};
use uuid::Uuid;

/// Reason why nothing was registered.
#[derive(Debug, thiserror::Error)]
pub enum IssueError {
    /// The tenant has no such company.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// No configuration for this document type.
    #[error("empresa sem configuração para este documento")]
    NotConfigured,
    /// An NFC-e without the CSC that its QR code needs; the text names the remedy.
    #[error("{0}")]
    NoCsc(String),
    /// No known provider receives it at the company's município; the text names the configuration.
    #[error("{0}")]
    NoProvider(String),
    /// The document cannot be built, or `estrito` and there were notices.
    #[error("documento inválido")]
    Invalid(Vec<Violation>),
    /// A document of services that cannot be built, with the notices that apply all the same.
    #[error("documento inválido")]
    InvalidWithNotices(Vec<Violation>, Vec<Notice>),
    /// An unknown reference, while the database is a copy that was put back: its order may have been registered after
    /// the copy.
    #[error("o registro é incerto")]
    UncertainReference(RestoredCopy),
    /// The key has its full count of open preparations.
    #[error("preparações abertas demais")]
    TooManyPrepared {
        /// The limit.
        most: u32,
        /// Seconds until the oldest of them ends.
        wait_s: i64,
    },
    /// The backlog is full.
    #[error("a fila está cheia")]
    QueueFull(backlog::BacklogFull),
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<NotIssuer> for IssueError {
    fn from(not: NotIssuer) -> IssueError {
        match not {
            NotIssuer::UnknownCompany => IssueError::UnknownCompany,
            NotIssuer::NotConfigured => IssueError::NotConfigured,
            NotIssuer::Store(error) => IssueError::Store(error),
        }
    }
}

/// Answer to the caller.
pub struct AcceptedOrder {
    /// The job, new or the first of its reference.
    pub registered: RegistrationResult,
    /// Environment of the document.
    pub ambiente: TpAmb,
}

impl AcceptedOrder {
    /// Logs a committed registration and returns the answer.
    pub(crate) fn of(registered: RegistrationResult) -> AcceptedOrder {
        crash_point("issue.registered");
        let job = job_of(&registered);
        tracing::info!(job.id = %job.id, job.kind = job.operacao.word(), "registered");
        AcceptedOrder { ambiente: ambiente(&registered), registered }
    }
}

impl Engine {
    /// Admits one more emission, or refuses it.
    pub(crate) async fn admit_emission(&self, tenant: Uuid, family: &Family) -> Result<(), IssueError> {
        let backlog = &self.inner.backlog;
        backlog.refresh(self.store(), self.now_s()).await?;
        backlog.reserve_place(tenant, family).map_err(IssueError::QueueFull)
    }

    /// Checks and registers. The replay of a reference is decided before the checks: it never fails for its payload.
    pub async fn issue(&self, caller: &Caller, request: IssueRequest) -> Result<AcceptedOrder, IssueError> {
        cpu_time::measure("accept", Box::pin(self.accept(caller, request))).await
    }

    async fn accept(&self, caller: &Caller, request: IssueRequest) -> Result<AcceptedOrder, IssueError> {
        if !self.store().reaches(store::Visibility::of(caller), request.cpf_cnpj).await? {
            return Err(IssueError::UnknownCompany);
        }
        let payload = serialize_emission(&request);
        let referencia = request.referencia.as_deref();
        let (first, company) = self.store().issue_state(caller.tenant_id, referencia, request.cpf_cnpj).await?;
        if let Some(first) = first {
            self.require_seen(caller, &first).await?;
            let replay = replay::replay_of(first, &payload);
            return Ok(AcceptedOrder { ambiente: ambiente(&replay), registered: replay });
        }
        if let Some(restored) = self.restored().filter(|_| referencia.is_some() && !request.referencia_nova) {
            return Err(IssueError::UncertainReference(restored));
        }
        let family = request.family()?;
        self.admit_emission(caller.tenant_id, family).await?;
        let company = company.ok_or(IssueError::UnknownCompany)?;
        let issuer = FamilyIssuer::new(company, family).ok_or(NotIssuer::NotConfigured)?;
        let mut dry_run = self.checked(caller, &request, &issuer).await?;
        let left = cached_order(family, request, &mut dry_run);
        let job = self.new_job(caller, Arc::clone(&left.order), payload, dry_run);
        let id = job.id;
        // before it is registered: a worker may claim it at once
        self.inner.order_cache.insert(id, job.payload.len(), left);
        let registered = self.register_for(caller, job).await;
        if !matches!(registered, Ok(RegistrationResult::New(_))) {
            self.inner.order_cache.remove_order(id);
        }
        Ok(AcceptedOrder::of(registered?))
    }

    /// Runs every check of acceptance and returns the document that would be built.
    pub(crate) async fn checked(
        &self,
        caller: &Caller,
        request: &IssueRequest,
        issuer: &FamilyIssuer,
    ) -> Result<DryRun, IssueError> {
        let family = request.family()?;
        let taken = self.provider_target(caller, issuer, family, &request.nota).await?;
        let mut dry_run = self.dry_run(caller, request, issuer, taken.city_hall.as_deref())?;
        dry_run.notices.extend(taken.notices);
        dry_run.own_authority = taken.host.map(|host| host.authority).or(dry_run.own_authority);
        if let Some(hall) = &taken.city_hall {
            dry_run.own_authority = Some(hall.resolved.authority.clone());
        }
        let written = (&request.nota, dry_run.xml.as_str());
        let told = self.municipal_notices(caller.tenant_id, issuer, family, dry_run.ambiente, written).await?;
        dry_run.notices.extend(told);
        self.check_rejected_number(caller, request, issuer, &dry_run).await?;
        let written = (dry_run.xml.as_str(), dry_run.asked_by.as_str());
        let city_hall = taken.city_hall.as_deref();
        let trying = SubstitutionCheck { family, ambiente: dry_run.ambiente, nota: &request.nota, city_hall };
        match self.check_replaced(caller, &trying, written).await? {
            Ok(told) => dry_run.notices.extend(told),
            Err(why) => return Err(IssueError::Invalid(vec![why])),
        }
        Ok(dry_run)
    }

    /// Returns the provider that receives the document, or the reason why none does.
    pub(crate) async fn provider_target(
        &self,
        caller: &Caller,
        issuer: &FamilyIssuer,
        family: &Family,
        nota: &Value,
    ) -> Result<ProviderTarget, IssueError> {
        let ambiente = issuer.ambiente(caller.ambiente);
        match self.provider(caller.tenant_id, issuer, family, ambiente, nota).await? {
            ProviderDecision::Taken(taken) => Ok(taken),
            ProviderDecision::Elsewhere(why) => Err(IssueError::Invalid(vec![why])),
            ProviderDecision::NotConfigured(why) => Err(IssueError::NoProvider(why)),
        }
    }

    /// Builds the document once with a placeholder number and code: every fault that would stop it later stops it now.
    pub(crate) fn dry_run(
        &self,
        caller: &Caller,
        request: &IssueRequest,
        issuer: &FamilyIssuer,
        city_hall: Option<&MunicipalProvider>,
    ) -> Result<DryRun, IssueError> {
        let ambiente = issuer.ambiente(caller.ambiente);
        let uf = issuer.uf.ok_or_else(|| IssueError::Invalid(vec![company_without_uf()]))?;
        let family = request.family()?;
        let dhEmi = local_time::written(family.dated(self.now()), issuer.civil);
        let emission = RequestedEmission::requested(family, &request.nota, issuer.civil, &dhEmi);
        let software_house = self.software_house();
        let law = self.law();
        let query = LayoutQuery { ambiente, host: None, nota: &request.nota, dhEmi: &dhEmi };
        let leiaute = self.cached_layout(family, &query);
        let asked = &emission;
        let trying = TrialDocument {
            issuer,
            family,
            ambiente,
            law,
            dhEmi: &dhEmi,
            emission: asked,
            software_house,
            city_hall,
            leiaute,
        };
        let (serie, numero) = trying.numbering(&request.nota);
        let serie = serie.ok_or(IssueError::NotConfigured)?;
        let code = (family.builder.code)(issuer, ambiente, &request.nota);
        code.map_err(|missing| IssueError::NoCsc(missing.to_string()))?;
        let context = trying.context(serie, numero);
        let built = (family.builder.build)(&request.nota, &context);
        let mut built = match (built, self.refused_offline(family, &request.nota, ambiente)) {
            (Ok(built), None) => built,
            (built, refused) => {
                let violations = refused.into_iter().chain(built.err().unwrap_or_default()).collect();
                if family.municipal {
                    let told = (family.builder.review)(&request.nota, &context).notices;
                    return Err(IssueError::InvalidWithNotices(violations, shortened(told)));
                }
                return Err(IssueError::Invalid(violations));
            }
        };
        built.notices.extend(emission.into_notices());
        if request.estrito {
            refuse_remarks(&built.notices)?;
        }
        let mut vNF = built.valor;
        vNF.rescale(2);
        let (destinatario, vNF) = (built.destinatario, vNF.to_string());
        let mut notices = built.notices;
        notices.extend(certificate_notice(&issuer.company, self.now_s()));
        let notices = shortened(notices);
        let uf = built.ids.chave.map_or(uf, |chave| chave.parts().uf);
        let (xml, body, asked_by) = (built.xml, built.body, built.ids.asked_by);
        let own_authority = self.unregistered_authority(uf, family, ambiente, &xml);
        let nome = destinatario.as_deref().and_then(|document| addressee_name(&request.nota, &xml, document));
        let addressee = nome.as_deref().and_then(NewAddressee::named);
        Ok(DryRun { family, ambiente, uf, own_authority, destinatario, addressee, vNF, notices, xml, body, asked_by })
    }

    pub(crate) fn new_job(
        &self,
        caller: &Caller,
        request: Arc<IssueRequest>,
        payload: String,
        dry_run: DryRun,
    ) -> NewJob {
        let table = &self.inner.table;
        let own = dry_run.own_authority.as_deref();
        let authority = own.or_else(|| table.authority(dry_run.uf, dry_run.family.modelo, AuthorityRole::Normal));
        let belongs = JobScope {
            tenant_id: caller.tenant_id,
            tipo: dry_run.family.tipo,
            ambiente: dry_run.ambiente,
            authority: authority.unwrap_or(dry_run.uf.sigla()),
        };
        NewJob {
            notices: dry_run.notices,
            destinatario: dry_run.destinatario,
            addressee: dry_run.addressee,
            valor: Some(dry_run.vNF),
            ..Order::Emissao(request).job(payload, belongs)
        }
    }
}

/// Returns the part that preparation will use: the written body and the order without its items, or the whole order.
fn cached_order(family: &Family, mut request: IssueRequest, dry_run: &mut DryRun) -> CachedOrder {
    let around = family.builder.around.as_ref().zip(dry_run.body.take());
    let body = around.map(|(around, written)| {
        (around.take)(&mut request.nota);
        CachedBody::of(std::mem::take(&mut dry_run.xml), written)
    });
    CachedOrder { order: Arc::new(request), body }
}

/// A document under check, with a placeholder number and code.
pub(crate) struct TrialDocument<'a> {
    pub(crate) issuer: &'a FamilyIssuer,
    pub(crate) family: &'static Family,
    pub(crate) ambiente: TpAmb,
    pub(crate) law: &'a Law,
    pub(crate) dhEmi: &'a str,
    pub(crate) emission: &'a RequestedEmission,
    pub(crate) software_house: Option<SoftwareHouse<'a>>,
    /// Provider of a municipal RPS (ABRASF).
    pub(crate) city_hall: Option<&'a MunicipalProvider>,
    /// Layout of a DPS.
    pub(crate) leiaute: DpsLayout,
}

impl<'a> TrialDocument<'a> {
    /// Returns the series asked for or configured, and a number.
    pub(crate) fn numbering(&self, nota: &Value) -> (Option<Serie>, u64) {
        let asked = (self.family.builder.numbering)(nota);
        let configured = || self.issuer.serie(self.ambiente, self.family);
        (asked.serie.or_else(configured), asked.numero.unwrap_or(1))
    }

    pub(crate) fn context(&self, serie: Serie, numero: u64) -> BuildContext<'a> {
        BuildContext {
            modelo: self.family.modelo,
            ambiente: self.ambiente,
            law: self.law,
            emitente: &self.issuer.emitente,
            regimes: Some(&self.issuer.regimes),
            configuracao: Some(&self.issuer.configuration),
            serie,
            numero,
            codigo: trial_code(numero),
            dhEmi: self.dhEmi,
            tpEmis: self.emission.tpEmis,
            contingencia: self.emission.reasons(),
            verProc: VER_PROC,
            software_house: self.software_house,
            dialeto: self.city_hall.map(MunicipalProvider::dialect),
            leiaute: self.leiaute,
        }
    }
}

/// Result of the dry run.
pub(crate) struct DryRun {
    pub(crate) family: &'static Family,
    pub(crate) ambiente: TpAmb,
    pub(crate) uf: Uf,
    /// Own server of the município, municipal provider, or authority of issuers without inscrição estadual that
    /// receives it.
    pub(crate) own_authority: Option<String>,
    pub(crate) destinatario: Option<String>,
    pub(crate) addressee: Option<NewAddressee>,
    pub(crate) vNF: String,
    pub(crate) notices: Vec<Notice>,
    pub(crate) xml: String,
    /// The part of the XML that preparation can reuse.
    pub(crate) body: Option<WrittenBody>,
    /// Identity of the document under a placeholder number.
    pub(crate) asked_by: String,
}

impl IssueRequest {
    /// Family of the document.
    pub(crate) fn family(&self) -> Result<&'static Family, IssueError> {
        family::of_modelo(self.modelo).ok_or(IssueError::NotConfigured)
    }
}

fn job_of(registered: &RegistrationResult) -> &Job {
    match registered {
        RegistrationResult::New(job) | RegistrationResult::Replay { job, .. } => job,
    }
}

fn ambiente(registered: &RegistrationResult) -> TpAmb {
    job_of(registered).ambiente
}

/// Any code that the number allows.
fn trial_code(numero: u64) -> u32 {
    let allowed = [10_000_019, 10_000_079].into_iter().find(|code| randomness::is_allowed(*code, Some(numero)));
    allowed.unwrap_or(10_000_103)
}

fn company_without_uf() -> Violation {
    Violation {
        campo: "nota.emitente.UF".to_owned(),
        codigo: "campo_obrigatorio",
        mensagem: "O cadastro da empresa não tem UF nem código do município. Informe endereco.uf na empresa."
            .to_owned(),
        sugestao: None,
    }
}

/// Notices that `estrito` turns into refusals; predicted rejections and the certificate stay notices.
const STRICT: [&str; 3] = ["campo_desconhecido", "assumido_zero", "assumido_padrao"];

fn refuse_remarks(notices: &[Notice]) -> Result<(), IssueError> {
    let violations: Vec<Violation> = notices.iter().filter_map(as_violation).collect();
    if violations.is_empty() { Ok(()) } else { Err(IssueError::Invalid(violations)) }
}

fn as_violation(notice: &Notice) -> Option<Violation> {
    let codigo = STRICT.into_iter().find(|code| *code == notice.codigo)?;
    let (campo, mensagem) = (notice.campo.clone(), notice.mensagem.clone());
    Some(Violation { campo, codigo, mensagem, sugestao: notice.sugestao.clone() })
}

/// Notice of a certificate for which the job will fail.
pub(crate) fn certificate_notice(company: &Company, now: i64) -> Option<Notice> {
    let (codigo, mensagem) = match &company.certificado {
        None => ("empresa_sem_certificado", "A empresa não tem certificado A1: a nota não poderá ser assinada."),
        Some(record) if record.valido_ate < now => {
            ("certificado_expirado", "O certificado A1 da empresa expirou: a nota não poderá ser assinada.")
        }
        Some(_) => return None,
    };
    Some(Notice {
        campo: "cpf_cnpj".to_owned(),
        codigo: codigo.to_owned(),
        mensagem: mensagem.to_owned(),
        sugestao: Some("PUT /v1/empresas/{cpf_cnpj}/certificado".to_owned()),
        codigo_status: None,
    })
}
