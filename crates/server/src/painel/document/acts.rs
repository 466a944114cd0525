//! The acts that a document allows now, each with its law.

use fiscal::lifecycle::DocumentState;
use maud::{Markup, html};
use store::jobs::Operacao;
use store::numbers::NumberedKind;

use super::law::{ACTS, ActCase, PanelAct};
use super::path;
use super::records::DocumentRecords;

/// A card for each act; nothing where none is possible.
pub(super) fn offered(records: &DocumentRecords, now: i64) -> Markup {
    let case = ActCase { job: &records.job, now };
    let acts: Vec<&PanelAct> = ACTS.iter().filter(|act| act.is_offered(&case)).collect();
    let replaceable = is_replaceable(records);
    if !records.may_act {
        return html! {
            p class="fraca" { "Seu papel lê este documento e não o muda: para corrigir, cancelar ou emitir, peça a quem tem o papel de emissor." }
        };
    }
    html! {
        @if !acts.is_empty() || records.job.operacao == Operacao::Emissao {
            section id="atos" aria-labelledby="atos-titulo" {
                h2 id="atos-titulo" { "O que se pode fazer" }
                ul class="emissoes" {
                    @for act in &acts { li class="cartao" { (card(act, &case, records)) } }
                    @if replaceable { li class="cartao" { (replacement(records)) } }
                    @if records.job.operacao == Operacao::Emissao { li class="cartao" { (copy(records)) } }
                }
            }
        }
    }
}

fn card(act: &PanelAct, case: &ActCase<'_>, records: &DocumentRecords) -> Markup {
    html! {
        p class="linha" {
            strong { (act.name) }
            a class="botao" href={ (path(records.job.id)) "/" (act.word) } aria-label={ "Abrir: " (act.name) } { (act.name) "…" }
        }
        p { (act.effect) }
        (term(act, case))
    }
}

/// The law beside an act: its time, what is left of it, and its finality.
pub(super) fn term(act: &PanelAct, case: &ActCase<'_>) -> Markup {
    let term = act.term(case);
    html! {
        p class="fraca" {
            @if let Some(term) = term {
                "Prazo: " (term.text)
                @match term.left(case) {
                    Some(left) if left > 0 => { " " strong { "Restam " (duration(left)) "." } }
                    Some(left) => { " " strong class="acima" { "O prazo passou há " (duration(-left)) "." } }
                    None => {}
                }
                " "
            }
            @if act.is_irreversible { "Não tem volta." } @else { "Pode ser repetido." }
        }
    }
}

/// True for an authorised note of services, which another one may replace.
fn is_replaceable(records: &DocumentRecords) -> bool {
    records.document().is_some_and(|document| {
        document.state == DocumentState::Authorized && matches!(document.counted, NumberedKind::Dps | NumberedKind::Rps)
    })
}

fn replacement(records: &DocumentRecords) -> Markup {
    let by = match records.document().map(|document| document.counted) {
        Some(NumberedKind::Dps) => {
            "Na nova, o grupo “subst” leva a chave desta; a autoridade cancela esta quando autoriza a outra."
        }
        _ => "Na nova, o grupo de substituição leva o RPS desta; a prefeitura cancela esta quando aceita a outra.",
    };
    html! {
        p class="linha" {
            strong { "Substituir por outra nota" }
            a class="botao" href={ "/painel/emitir?de=" (records.job.id) } { "Preparar a substituta…" }
        }
        p { "Quando a nota saiu errada: emita a certa no lugar dela. " (by) }
        p class="fraca" {
            "Prazo: o do município. Não tem volta. "
            a href="/docs/guia/cancelar-e-substituir-nfse" { "Como se substitui uma NFS-e" }
        }
    }
}

fn copy(records: &DocumentRecords) -> Markup {
    html! {
        p class="linha" {
            strong { "Emitir outra parecida" }
            a class="botao" href={ "/painel/emitir?de=" (records.job.id) } { "Nova a partir desta…" }
        }
        p { "Abre o formulário de emissão com os dados desta, para mudar o que for preciso. Nada é emitido sem a sua confirmação." }
    }
}

/// `2 dias e 3 h`, `3 h e 20 min`, `12 min`.
pub(in crate::painel) fn duration(seconds: i64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes} min"),
        (0, _) => format!("{hours} h e {minutes} min"),
        (1, _) => format!("1 dia e {hours} h"),
        _ => format!("{days} dias e {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn what_is_left_is_told_in_two_units() {
        assert_eq!(
            [90, 7_260, 90_000, 604_799].map(duration),
            ["1 min", "2 h e 1 min", "1 dia e 1 h", "6 dias e 23 h"]
        );
    }
}
