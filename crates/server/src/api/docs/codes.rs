//! The page of the authorities' codes (cStat): official text, effect on a document, remedy.
//!
//! Law: `fiscal::cstat`. Codes that a rule of ours predicts link to their row on the page of the rules.

use std::fmt::Write as _;

use fiscal::cstat::{CodeClass, class, motivos};
use fiscal::nfe::rules::RULES;

use super::markdown::{escaped, inline, to_html};
use super::page::frame;
use super::table_pages::{NFE_RULES, STATUS_CODES};
use super::{remedies, rules};

const LEAD: &str = "# Códigos da SEFAZ (cStat)\n\nO que a autoridade responde vem em `codigo_status`, e o texto dela, palavra por palavra, em `motivo_status`. Aqui está o \
texto oficial de cada código, o que ele significa para a nota e o que fazer. Os códigos de regras que o serviço confere antes do envio levam à linha \
delas em [Regras de validação](/docs/guia/regras). Como ler um desfecho está em [Erros e rejeições](/docs/guia/erros-e-rejeicoes).";

/// The whole page.
pub(super) fn page() -> String {
    let mut body = to_html(LEAD);
    let mut contents = Vec::new();
    let all: Vec<(u16, &str)> = motivos().collect();
    for hundred in all.chunk_by(|one, other| one.0 / 100 == other.0 / 100) {
        let first = hundred.first().map_or(0, |(code, _)| code / 100 * 100);
        let (title, anchor) = (format!("{first} a {}", first + 99), format!("de-{first}"));
        let _ = write!(
            body,
            "<h2 id=\"{anchor}\"><a href=\"#{anchor}\">{title}</a></h2><div class=\"tabela\"><table class=\"codigos\"><thead><tr><th>Código</th>\
             <th>Texto oficial e o que fazer</th></tr></thead><tbody>"
        );
        hundred.iter().for_each(|(code, text)| row(&mut body, *code, text));
        body.push_str("</tbody></table></div>");
        contents.push((2, title, anchor));
    }
    frame(STATUS_CODES.title, STATUS_CODES.address, &body, &contents)
}

fn row(body: &mut String, code: u16, text: &str) {
    let text = escaped(text.trim_start_matches("Rejeição: "));
    let mut predicted = RULES.iter().filter(|rule| rule.cStat == code);
    // the search finds such a code by its rule, which has the models
    let found_here = match predicted.clone().next() {
        Some(_) => "data-busca=\"nao\"".to_owned(),
        None => format!("data-titulo=\"{code} {text}\""),
    };
    let _ = write!(body, "<tr id=\"{code}\" {found_here}><td>{code}</td><td>{text}");
    if let Some(rule) = predicted.next() {
        let _ = write!(
            body,
            "<p>Conferido antes do envio: <a href=\"{}#{}\">regra {}</a>.</p>",
            NFE_RULES.address,
            rules::anchor(rule),
            rule.id
        );
    }
    for words in [effect(code), remedies::remedy(code)].into_iter().flatten() {
        let _ = write!(body, "<p>{}</p>", inline(words));
    }
    body.push_str("</td></tr>");
}

/// Effect of a code on a document.
fn effect(code: u16) -> Option<&'static str> {
    Some(match class(code) {
        CodeClass::Authorized => "A nota está **autorizada**.",
        CodeClass::Cancelled => "A nota está **cancelada**.",
        CodeClass::Denied => {
            "Com protocolo, uso **denegado**: `nota.status` é `denegada`, o número está gasto, e a nota não pode ser corrigida nem cancelada. Sem protocolo (302 e 303 desde setembro de 2024), rejeição: `nota.status` é `rejeitada`."
        }
        CodeClass::DeniedBefore => {
            "Esta mesma nota foi denegada antes: o serviço a consulta pela chave, e `nota.status` é `denegada`."
        }
        CodeClass::Pending => "A autoridade ainda processa: o serviço pergunta de novo sozinho.",
        CodeClass::ServiceDown => {
            "Fala do serviço da autoridade, não da nota: veja [Quando a SEFAZ não responde](/docs/guia/contingencia)."
        }
        CodeClass::UndueUse => "Perguntamos demais: o serviço não chama esta autoridade por uma hora.",
        CodeClass::Duplicate => {
            "Esta mesma nota já está lá: o serviço a consulta pela chave e fica com o protocolo dela."
        }
        CodeClass::DuplicateOtherKey | CodeClass::Unknown | CodeClass::Rejected | CodeClass::Unlisted => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_stands_on_the_page_once_and_leads_to_its_rule_when_it_has_one() {
        let page = page();
        for (code, _) in motivos() {
            assert_eq!(page.matches(&format!("<tr id=\"{code}\"")).count(), 1, "{code}");
        }
        assert!(
            page.contains("<tr id=\"539\" data-titulo=\"539 Duplicidade de NF-e com diferença na Chave de Acesso\">")
        );
        assert!(page.contains(&format!("{}#W16-10\"", NFE_RULES.address)));
    }
}
