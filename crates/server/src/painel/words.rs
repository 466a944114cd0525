//! Numbers, dates and states in Brazilian notation.

use engine::acceptance::assisted::PreparationState;
use fiscal::tipo::Tipo;
use fiscal::value::Uf;
use maud::{Markup, html};
use store::jobs::Operacao;

use crate::api::instant::{CivilTime, Moment};

/// Cents as `R$ 1.234,56`.
pub(super) fn reais(hundredths: i64) -> String {
    format!("R$ {},{:02}", grouped(&(hundredths / 100).to_string()), hundredths % 100)
}

/// A decimal with the Portuguese comma: `1.234,5600`.
pub(super) fn decimal(text: &str) -> String {
    match text.split_once('.') {
        Some((whole, rest)) => format!("{},{rest}", grouped(whole)),
        None => grouped(text),
    }
}

/// A quantity without the trailing zeros of its layout: `10.0000` is `10`.
pub(super) fn quantity(text: &str) -> String {
    decimal(if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text })
}

fn grouped(whole: &str) -> String {
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let mut text = if digits == whole { String::new() } else { "-".to_owned() };
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('.');
        }
        text.push(digit);
    }
    text
}

/// An instant in the civil time of a state: `24/11/2026 às 21:40`.
pub(super) fn instant(seconds: i64, uf: Uf) -> Markup {
    civil_instant(seconds, CivilTime::in_state(uf))
}

/// An instant in the civil time of a company.
pub(super) fn civil_instant(seconds: i64, time: CivilTime) -> Markup {
    moment(&time.at(seconds))
}

/// An instant of an answer.
pub(super) fn moment(moment: &Moment) -> Markup {
    official_instant(&moment.to_string())
}

/// An instant with its seconds: `24/11/2026 às 21:40:07`.
pub(super) fn moment_with_seconds(moment: &Moment) -> Markup {
    let text = moment.to_string();
    html! { (official_instant(&text)) (text.get(16..19).unwrap_or_default()) }
}

/// An instant as documents and authorities write it (RFC 3339).
pub(super) fn official_instant(text: &str) -> Markup {
    html! { time datetime=(text) { (written_instant(text)) } }
}

/// An instant as plain text.
pub(super) fn spoken(moment: &Moment) -> String {
    written_instant(&moment.to_string())
}

fn written_instant(text: &str) -> String {
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    format!("{}/{}/{} às {}", part(8, 10), part(5, 7), part(0, 4), part(11, 16))
}

/// A state, with its colour.
pub(super) fn state(state: &PreparationState) -> Markup {
    let shown = match state {
        PreparationState::Preparada => "espera decisão",
        PreparationState::Aprovada => "aprovada, ainda não emitida",
        PreparationState::Recusada { .. } => "recusada",
        PreparationState::Expirada => "expirada",
        PreparationState::Usada { .. } => "emitida",
    };
    html! { span class={ "estado " (state.word()) } { (shown) } }
}

/// Question about an order that waits for a decision.
pub(crate) fn question(operacao: Operacao, tipo: Tipo) -> String {
    let (article, name) = (if tipo == Tipo::Cte { "este" } else { "esta" }, tipo.name());
    match (operacao, tipo) {
        (Operacao::Emissao, Tipo::Nfe) => "Emitir esta nota?".to_owned(),
        (Operacao::Emissao, _) => format!("Emitir {article} {name}?"),
        (Operacao::Cancelamento, _) => format!("Cancelar {article} {name}?"),
        (Operacao::Inutilizacao, _) => format!("Inutilizar estes números de {name}?"),
        _ => format!("Registrar esta correção de {name}?"),
    }
}

/// Operation as a noun: `Cancelamento de NF-e`.
pub(super) fn operation_label(operacao: Operacao, tipo: Tipo) -> String {
    let noun = match operacao {
        Operacao::Emissao => "Emissão",
        Operacao::Cancelamento => "Cancelamento",
        Operacao::Inutilizacao => "Inutilização de números",
        _ => "Carta de correção",
    };
    format!("{noun} de {}", tipo.name())
}

/// Label of the approval of an act.
pub(super) fn approval_label(operacao: Operacao) -> &'static str {
    match operacao {
        Operacao::Cancelamento => "Aprovar o cancelamento",
        Operacao::Inutilizacao => "Aprovar a inutilização",
        _ => "Aprovar a correção",
    }
}

/// Label of a member of a request.
pub(super) fn member(name: &str) -> &str {
    match name {
        "justificativa" => "Justificativa",
        "correcao" => "Correção",
        "codigo_motivo" => "Código do motivo",
        "codigo_cancelamento" => "Código do cancelamento",
        "chave_substituta" => "Chave da substituta",
        field => field,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_and_numbers_are_written_as_people_write_them() {
        assert_eq!((reais(0).as_str(), reais(5).as_str()), ("R$ 0,00", "R$ 0,05"));
        assert_eq!((reais(123_456).as_str(), reais(100_000_000).as_str()), ("R$ 1.234,56", "R$ 1.000.000,00"));
        assert_eq!((decimal("10.0000").as_str(), decimal("1234567.5").as_str()), ("10,0000", "1.234.567,5"));
        assert_eq!((decimal("-123.45").as_str(), decimal("-1234").as_str()), ("-123,45", "-1.234"));
        assert_eq!(
            (quantity("10.0000").as_str(), quantity("1000").as_str(), quantity("0.2500").as_str()),
            ("10", "1.000", "0,25")
        );
    }

    #[test]
    fn an_instant_is_that_of_the_state() {
        let shown = instant(1_763_645_000, Uf::SP).into_string();
        assert!(shown.contains("20/11/2025 às 10:23"), "{shown}");
    }
}
