//! Draft of a document: the order and its issuer, and the number, code and instant that it takes.

use super::claimed_work::failure;
use super::{ClaimedWork, Halt, NextStep};
use crate::contingency::ModeRequest;
use crate::family::issuer::{FamilyIssuer, NotIssuer};
use crate::family::{self, Family};
use crate::order::emission::IssueRequest;
use crate::process::local_time;
use fiscal::value::Uf;
use jiff::Timestamp;
use serde_json::Value;
use std::sync::Arc;
use store::installation::CodeByNumber;
use store::jobs::JobAct;
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

/// Reads the inputs of the document; gives up when the payload or the company must change first.
pub(super) async fn draft(work: &ClaimedWork) -> Result<EmissionDraft, Halt> {
    let order = work.order().ok_or_else(unreadable)?;
    let order = Arc::clone(order);
    let family = family::of_modelo(order.modelo).ok_or_else(|| invalid("nenhum documento tem o modelo do pedido"))?;
    let issuer = work.issuer(family).map_err(not_issuer)?;
    let uf = issuer.uf.ok_or_else(|| invalid("o cadastro da empresa não tem UF"))?;
    Ok(EmissionDraft { family, order, issuer, uf })
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

pub(super) fn unreadable() -> Halt {
    invalid("o pedido registrado com o job é ilegível")
}

/// Gives up: the payload or the company must change before a retry can help.
pub(super) fn invalid(why: impl Into<String>) -> Halt {
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
