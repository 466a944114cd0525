//! Time that the law leaves for the manifestation of the addressee.
//!
//! Law: Ajuste SINIEF 07/05, cláusula décima quinta-C; NT 2020.001 v1.60: 90 days from the authorisation for a
//! conclusive one (180 before Ajuste SINIEF 14/26).

use engine::received::CONCLUSION;
use fiscal::tipo::Tipo;
use maud::{Markup, html};
use store::notes::Period;
use store::received::{ReceivedDocument, Situacao};

use crate::painel::document::duration;

const DAY_S: i64 = 86_400;
/// Days before the end in which a deadline is near.
pub(super) const NEAR_DAYS: i64 = 15;

/// Authorisations of the notes whose deadline is near and not over.
pub(super) fn nearing(now: i64) -> Period {
    Period { from: Some(now - CONCLUSION * DAY_S + 1), until: Some(now - (CONCLUSION - NEAR_DAYS) * DAY_S + 1) }
}

/// Authorisations of the notes whose deadline is over.
pub(super) fn over(now: i64) -> Period {
    Period { from: None, until: Some(now - CONCLUSION * DAY_S + 1) }
}

/// True unless the document names another addressee.
pub(super) fn is_addressee(document: &ReceivedDocument) -> bool {
    document.facts.destinatario.as_deref().is_none_or(|number| number == document.cpf_cnpj.as_str())
}

/// True for an NF-e that the company has to manifest itself about.
pub(super) fn is_open(document: &ReceivedDocument) -> bool {
    let facts = &document.facts;
    let is_concluded = document.manifestacao.as_ref().is_some_and(|(tipo, _)| tipo != "ciencia");
    facts.type_facts.tipo() == Tipo::Nfe
        && facts.situacao == Situacao::Autorizada
        && is_addressee(document)
        && !is_concluded
}

/// Last instant for an act with so many days.
pub(super) fn end(document: &ReceivedDocument, days: i64) -> i64 {
    document.facts.authorised_at() + days * DAY_S
}

/// Seconds left for an act with so many days, negative afterwards.
pub(super) fn left(document: &ReceivedDocument, days: i64, now: i64) -> i64 {
    end(document, days) - now
}

/// Time left in words; red when little is left.
pub(super) fn shown(left: i64) -> Markup {
    let class = if left <= NEAR_DAYS * DAY_S { "acima" } else { "" };
    html! {
        strong class=(class) {
            @match left {
                left if left <= 0 => { "o prazo passou há " (duration(-left)) }
                left if left >= DAY_S => { @let days = left / DAY_S; @if days == 1 { "resta 1 dia" } @else { "restam " (days) " dias" } }
                left => { "restam " (duration(left)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_in_days_and_at_the_end_in_hours() {
        let text = |left| shown(left).into_string();
        assert!(text(20 * DAY_S + 5).contains("class=\"\"") && text(20 * DAY_S + 5).contains("restam 20 dias"));
        assert!(text(DAY_S).contains("resta 1 dia") && text(DAY_S).contains("acima"));
        assert!(text(7_260).contains("restam 2 h e 1 min") && text(-90).contains("passou há 1 min"));
    }

    #[test]
    fn a_near_deadline_is_one_that_is_not_over() {
        let now = 1_795_000_000;
        let period = nearing(now);
        let is_near = |left: i64| {
            let authorised = now + left - CONCLUSION * DAY_S;
            period.from.is_some_and(|from| authorised >= from) && period.until.is_some_and(|until| authorised < until)
        };
        assert_eq!([0, 1, NEAR_DAYS * DAY_S, NEAR_DAYS * DAY_S + 1].map(is_near), [false, true, true, false]);
        assert_eq!(over(now).until, period.from);
    }
}
