//! Outcome of a document, written in one transaction with its number and its job.

use super::{ClaimedWork, Halt, NextStep, second_issue, settled};
use crate::acceptance::items;
use crate::process::crash::crash_point;
use authority::answer::Rejection;
use fiscal::finding::Notice;
use fiscal::lifecycle::LifecycleEvent;
use fiscal::nota::NotaItems;
use store::jobs::{DocumentOutcome, RefusalReason};
use store::webhooks::Evento;

/// Use of the number of a rejected document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberUse {
    /// The next note takes it.
    Free,
    /// The authority has it under another key, or voided.
    Gone,
    /// The printed form is given out: only the note that replaces this one takes it.
    Kept,
}

/// Settles a rejection with the authority's words.
pub(super) async fn refuse(work: &mut ClaimedWork, rejection: Rejection, number: NumberUse) -> Result<NextStep, Halt> {
    let said = rejection.clone();
    let order = work.whole_order();
    let given = items::given_items(order.as_deref());
    let at = |rejection: &Rejection| campo(&work.job.notices, &given, rejection);
    let campo = at(&rejection);
    let rejeicoes = rejection.reasons.into_iter().map(|reason| {
        let campo = at(&Rejection::new(reason.codigo.clone(), reason.motivo.as_str()));
        RefusalReason { codigo: reason.codigo, motivo: reason.motivo, complemento: reason.complemento, campo }
    });
    let rejeicoes = rejeicoes.collect();
    let outcome = DocumentOutcome {
        state: work.state_after(LifecycleEvent::Rejected)?,
        nProt: None,
        dhRecbto: None,
        codigo: rejection.codigo,
        xMotivo: rejection.xMotivo,
        campo,
        rejeicoes,
        written: None,
        xml: None,
        number_is_gone: number == NumberUse::Gone,
        number_is_kept: number == NumberUse::Kept,
    };
    match second_issue::swap_documents(work, &said, &outcome).await? {
        Some(step) => Ok(step),
        None => write(work, outcome).await,
    }
}

/// Writes an outcome.
pub(super) async fn write(work: &mut ClaimedWork, outcome: DocumentOutcome) -> Result<NextStep, Halt> {
    work.log(format!("Resposta da autoridade: {} {}.", outcome.codigo, outcome.xMotivo));
    if let Some(nProt) = &outcome.nProt {
        work.log(format!("Protocolo {nProt}."));
    }
    let lines = work.take_lines();
    crash_point("settle.before");
    let (evento, codigo) = (Evento::of(outcome.state), outcome.codigo.clone());
    work.engine.store().settle(work.lease, outcome, work.engine.now_s(), lines).await?;
    settled::log_judgement(work, evento, &codigo);
    crash_point("settle.committed");
    Ok(NextStep::Done)
}

/// Path in the caller's payload at which the refusal lies, if known: we predicted this code, or the authority names the
/// item.
fn campo(notices: &[Notice], given: &NotaItems<'_>, rejection: &Rejection) -> Option<String> {
    let foreseen = notices.iter().find(|notice| notice.codigo_status.as_ref() == Some(&rejection.codigo));
    let named = || items::item_numbers(&rejection.xMotivo).first().map(|item| given.path_of(item - 1));
    foreseen.map(|notice| notice.campo.clone()).or_else(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_that_was_foreseen_lies_where_it_was_foreseen() {
        let notice = Notice {
            campo: "nota.total.vNF".to_owned(),
            codigo: "rejeicao_prevista".to_owned(),
            mensagem: String::new(),
            sugestao: None,
            codigo_status: Some(610.into()),
        };
        let refusal = |cStat: u16| Rejection::new(cStat, "Rejeição [nItem:2]");
        let nota = serde_json::json!({ "itens": [{}, {}] });
        let given = fiscal::nfe::items::items(&nota);
        assert_eq!(campo(std::slice::from_ref(&notice), &given, &refusal(610)).as_deref(), Some("nota.total.vNF"));
        assert_eq!(campo(&[notice], &given, &refusal(778)).as_deref(), Some("nota.itens[1]"));
    }
}
