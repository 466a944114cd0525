//! Voiding of a range of numbers that no document will carry: a job of its own.
//!
//! Law: `docs/contract.md`, "Documents" (a number range becomes `inutilizada`); MOC 7.0, visão geral (inutilização).
//! `steps::void` runs the job.

use crate::Engine;
use crate::acceptance::texts;
use crate::family::issuer::NotIssuer;
use crate::family::{self, Family};
use crate::order::void::VoidRequest;
use crate::order::{JobScope, Order, serialize_order};
use crate::process::crash::crash_point;
use crate::process::local_time;
use authority::table::{AuthorityRole, AuthorityService};
use fiscal::inutilizacao::{self, Inutilizacao, LAST_SERIES, MOST_NUMBERS};
use fiscal::layout::LayoutFault;
use fiscal::value::{CnpjCpf, Uf};
use store::accounts::Caller;
use store::jobs::{NewAct, NewJob, NewVoid, Operacao, RegistrationResult, VoidAct};
use store::numbers::{NumberState, SequenceRange, Series};

/// Reason why nothing was registered.
#[derive(Debug, thiserror::Error)]
pub enum VoidError {
    /// The tenant has no such company.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// No configuration for this document type, or no state, or no series.
    #[error("empresa sem configuração")]
    NotConfigured,
    /// A member of the request is outside the law; Portuguese reason.
    #[error("{campo}: {why}")]
    Invalid {
        /// Member of the request.
        campo: &'static str,
        /// Portuguese text.
        why: String,
    },
    /// The layout refuses the justification.
    #[error("o pedido não pode ser montado")]
    Layout(Vec<LayoutFault>),
    /// A number of the range is not free.
    #[error("o número {numero} não está livre")]
    Held {
        /// The lowest of them.
        numero: u64,
        /// Its state.
        state: NumberState,
    },
    #[error(transparent)]
    Store(store::Error),
}

impl From<store::Error> for VoidError {
    fn from(error: store::Error) -> VoidError {
        match error {
            store::Error::NumberHeld { numero, state } => VoidError::Held { numero, state },
            error => VoidError::Store(error),
        }
    }
}

impl From<NotIssuer> for VoidError {
    fn from(not: NotIssuer) -> VoidError {
        match not {
            NotIssuer::UnknownCompany => VoidError::UnknownCompany,
            NotIssuer::NotConfigured => VoidError::NotConfigured,
            NotIssuer::Store(error) => error.into(),
        }
    }
}

/// Result of checking an order to void numbers.
pub(crate) enum OrderedVoid {
    /// The reference was used before.
    Before(RegistrationResult),
    /// A job that carries it out, not registered yet, with the values that the configuration filled in.
    Now { job: Box<NewJob>, uf: Uf, serie: u16, ano: u8 },
}

/// A checked range with its family and series.
struct VoidScope {
    family: &'static Family,
    uf: Uf,
    series: Series,
    serie: u16,
    ano: u8,
    /// The authority accepts a CPF.
    takes_persons: bool,
}

impl Engine {
    /// Holds the numbers and registers the job, in one transaction. A reference used before returns its job.
    pub async fn void(&self, caller: &Caller, request: VoidRequest) -> Result<RegistrationResult, VoidError> {
        let job = match self.ordered_void(caller, request).await? {
            OrderedVoid::Before(registered) => return Ok(registered),
            OrderedVoid::Now { job, .. } => *job,
        };
        let registered = self.register_for(caller, job).await?;
        crash_point("void.registered");
        let (RegistrationResult::New(job) | RegistrationResult::Replay { job, .. }) = &registered;
        tracing::info!(job.id = %job.id, job.kind = job.operacao.word(), "registered");
        Ok(registered)
    }

    /// Runs every check that precedes that of the numbers, and makes the job that voids them.
    pub(crate) async fn ordered_void(
        &self,
        caller: &Caller,
        mut request: VoidRequest,
    ) -> Result<OrderedVoid, VoidError> {
        if !self.store().reaches(store::Visibility::of(caller), request.cpf_cnpj).await? {
            return Err(VoidError::UnknownCompany);
        }
        let notices = texts::clean(&mut request.justificativa, "justificativa");
        let payload = serialize_order(&request);
        if let Some(replay) =
            self.replay(caller, Operacao::Inutilizacao, request.referencia.as_deref(), &payload).await?
        {
            return Ok(OrderedVoid::Before(replay));
        }
        let asked = self.void_scope(caller, &request).await?;
        check_limits(&request, &asked)?;
        let job = NewJob { notices, ..self.void_job(caller, request, &asked, payload) };
        let VoidScope { uf, serie, ano, .. } = asked;
        Ok(OrderedVoid::Now { job: Box::new(job), uf, serie, ano })
    }

    async fn void_scope(&self, caller: &Caller, request: &VoidRequest) -> Result<VoidScope, VoidError> {
        let family = family::of_modelo(request.modelo)
            .filter(|family| family.wire.sefaz().is_some_and(|dialect| dialect.void.is_some()));
        let family = family.ok_or(VoidError::NotConfigured)?;
        let issuer = self.issuer(store::Visibility::of(caller), request.cpf_cnpj, family).await?;
        let ambiente = issuer.ambiente(caller.ambiente);
        let uf = issuer.uf.ok_or(VoidError::NotConfigured)?;
        let serie =
            request.serie.or_else(|| issuer.serie(ambiente, family)?.in_key()).ok_or(VoidError::NotConfigured)?;
        let series = Series { cpf_cnpj: request.cpf_cnpj, counted: family.counted, serie: serie.into(), ambiente };
        let today = local_time::written(self.now(), issuer.civil);
        let this_year: u8 = today.get(2..4).and_then(|year| year.parse().ok()).unwrap_or_default();
        let ano = request.ano.unwrap_or(this_year);
        if !(FIRST_YEAR..=this_year).contains(&ano) {
            let why = format!("ano vai de 20{FIRST_YEAR:02} a 20{this_year:02} (a autoridade responderia 453 ou 454)");
            return Err(VoidError::Invalid { campo: "ano", why });
        }
        let endpoint = self.inner.table.endpoint(
            uf,
            family.modelo,
            ambiente,
            AuthorityService::Inutilizacao,
            AuthorityRole::Normal,
        );
        let takes_persons = endpoint.is_ok_and(|endpoint| endpoint.has_quirk("voids_numbers_of_cpf"));
        Ok(VoidScope { family, uf, series, serie, ano, takes_persons })
    }

    fn void_job(&self, caller: &Caller, request: VoidRequest, asked: &VoidScope, payload: String) -> NewJob {
        let authority = self.inner.table.authority(asked.uf, request.modelo, AuthorityRole::Normal).unwrap_or_default();
        let VoidScope { uf, series, serie, ano, .. } = *asked;
        let (modelo, nNFIni, nNFFin) = (request.modelo, request.nNFIni, request.nNFFin);
        let range = SequenceRange { from: nNFIni.into(), until: nNFFin.into() };
        let (cUF, voided) = (uf.code(), false);
        let act = VoidAct { cUF, ano, modelo, serie, nNFIni, nNFFin, voided, nProt: None, dhRecbto: None };
        let (tipo, ambiente) = (asked.family.tipo, series.ambiente);
        let belongs = JobScope { tenant_id: caller.tenant_id, tipo, ambiente, authority };
        let act = Some(NewAct::Void(NewVoid { series, range, act }));
        NewJob { act, ..Order::Inutilizacao(request).job(payload, belongs) }
    }
}

/// First year of the NF-e, 2006 (cStat 454).
const FIRST_YEAR: u8 = 6;

/// Checks 266, 224, 201, and the layout.
fn check_limits(request: &VoidRequest, asked: &VoidScope) -> Result<(), VoidError> {
    let invalid = |campo, why: &str| Err(VoidError::Invalid { campo, why: why.to_owned() });
    let is_of_person = matches!(request.cpf_cnpj, CnpjCpf::Cpf(_));
    if is_of_person && !asked.takes_persons {
        let why = "neste estado só empresas com CNPJ inutilizam numeração (a autoridade responderia 266)";
        return invalid("cpf_cnpj", why);
    }
    if asked.serie > LAST_SERIES && !is_of_person {
        return invalid("serie", "as séries 910 a 969 não podem ser inutilizadas (a autoridade responderia 266)");
    }
    let (from, until) = (request.nNFIni, request.nNFFin);
    if from > until {
        return invalid("numero_final", "numero_final deve ser maior ou igual a numero_inicial (224)");
    }
    if until - from >= MOST_NUMBERS {
        return invalid("numero_final", "um pedido inutiliza no máximo 10.000 números (201); divida a faixa");
    }
    let faults = inutilizacao::check(&Inutilizacao {
        uf: asked.uf,
        ambiente: asked.series.ambiente,
        ano: asked.ano,
        emitente: request.cpf_cnpj,
        modelo: request.modelo,
        serie: asked.serie,
        nNFIni: from,
        nNFFin: until,
        xJust: &request.justificativa,
    });
    if faults.is_empty() { Ok(()) } else { Err(VoidError::Layout(faults)) }
}
