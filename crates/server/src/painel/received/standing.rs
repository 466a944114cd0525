//! State of a received document and its manifestation, in plain words.

use fiscal::tipo::Tipo;
use maud::{Markup, html};
use store::received::{ReceivedDocument, Situacao};

use super::{deadline, law};

/// The state with its colour.
pub(super) fn mark(document: &ReceivedDocument) -> Markup {
    let word = document.facts.situacao.word();
    html! { span class={ "estado " (word) } { (name(document)) } }
}

fn name(document: &ReceivedDocument) -> &'static str {
    let is_cte = document.facts.type_facts.tipo() == Tipo::Cte;
    match document.facts.situacao {
        Situacao::Autorizada if is_cte => "autorizado",
        Situacao::Autorizada => "autorizada",
        Situacao::Cancelada if is_cte => "cancelado",
        Situacao::Cancelada => "cancelada",
        Situacao::Denegada if is_cte => "denegado",
        Situacao::Denegada => "denegada",
    }
}

/// State in a sentence.
pub(super) fn sentence(document: &ReceivedDocument) -> &'static str {
    match (document.facts.situacao, document.facts.completa) {
        (Situacao::Cancelada, _) => {
            "O emitente cancelou: este documento não vale mais. Não pague por ele nem lance o imposto."
        }
        (Situacao::Denegada, _) => {
            "A autoridade negou o uso deste documento por irregularidade de uma das partes: ele não vale."
        }
        (Situacao::Autorizada, true) => "Vale, e o arquivo inteiro está aqui.",
        (Situacao::Autorizada, false) => {
            "Vale, mas por ora só chegou o resumo: quem emitiu, o valor e a data. O arquivo inteiro é liberado depois da ciência ou da confirmação, e \
             vem na busca seguinte."
        }
    }
}

/// Manifestation of the company about an NF-e, or the time that is left for it.
pub(super) fn manifestation(document: &ReceivedDocument, now: i64) -> Markup {
    let said = document.manifestacao.as_ref().map(|(word, _)| word.as_str());
    html! {
        @if let Some(word) = said { span class={ "estado " (class(word)) } { (law::name_of(word)) } " " }
        @if deadline::is_open(document) {
            (deadline::shown(deadline::left(document, engine::received::CONCLUSION, now)))
        } @else if said.is_none() {
            "—"
        }
    }
}

/// Class of a manifestation's colour.
pub(super) fn class(word: &str) -> &'static str {
    match word {
        "confirmacao" => "autorizada",
        "ciencia" => "pendente",
        _ => "recusada",
    }
}
