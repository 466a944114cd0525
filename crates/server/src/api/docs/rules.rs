//! The page of the validation rules, made from the rule table of the fiscal core: code, text, documents, place, what to do.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fiscal::nfe::rules::{Model, RULES, Rule};

use super::markdown::{escaped, inline, to_html};
use super::page::frame;

/// Address of the page.
pub(super) const ADDRESS: &str = "/docs/guia/regras";

const LEAD: &str = "# Regras de validação\n\nAntes do envio o serviço aplica estas regras oficiais ao documento: o que uma delas recusaria vem em `avisos` da \
emissão com `codigo_status` e o campo, e em `rejeicoes_previstas` de `verificar-campos`. A ordem é a da autoridade, que responde só a primeira. As regras \
que dependem do cadastro ou do banco de dados da SEFAZ (duplicidade, credenciamento, destinatário irregular) não estão aqui: só ela as conhece. \
Cada linha traz o número da regra e o documento oficial que a decide.";

/// The whole page.
pub(super) fn page() -> String {
    let mut body = to_html(LEAD);
    let _ = write!(body, "<p>{} regras.</p>", RULES.len());
    let mut contents = Vec::new();
    for (group, rules) in groups() {
        let title = title(group);
        let anchor = format!("grupo-{}", group.to_lowercase());
        let _ = write!(
            body,
            "<h2 id=\"{anchor}\"><a href=\"#{anchor}\">{title}</a></h2><div class=\"tabela\"><table class=\"regras\"><thead><tr><th>Código</th><th>Texto e o que fazer</th>\
             <th>Modelos</th><th>Regra</th></tr></thead><tbody>"
        );
        rules.iter().for_each(|rule| row(&mut body, rule));
        body.push_str("</tbody></table></div>");
        contents.push((2, title.to_owned(), anchor));
    }
    frame("Regras de validação", ADDRESS, &body, &contents)
}

fn row(body: &mut String, rule: &Rule) {
    let remedy = rule.remedy().map(|remedy| format!("<p>{}</p>", inline(remedy))).unwrap_or_default();
    let text = escaped(rule.xMotivo().trim_start_matches("Rejeição: "));
    let _ = write!(
        body,
        "<tr id=\"{id}\" data-titulo=\"{cStat} {text}\" data-modelos=\"{models}\"><td>{cStat}</td><td>{text}{remedy}</td><td>{models}</td>\
         <td><code>{id}</code><br>{source}</td></tr>",
        id = rule.id,
        cStat = rule.cStat,
        models = models(rule.on),
        source = escaped(rule.source()),
    );
}

fn models(on: Model) -> &'static str {
    match on {
        Model::Both => "55, 65",
        Model::NFe => "55",
        Model::NFCe => "65",
        Model::Retail => "65; 55 com tpImp 6",
    }
}

/// By the letter of the group of the layout, in the order of the table.
fn groups() -> Vec<(char, Vec<&'static Rule>)> {
    let mut groups: BTreeMap<char, Vec<&'static Rule>> = BTreeMap::new();
    for rule in RULES {
        groups.entry(rule.id.chars().next().unwrap_or('A')).or_default().push(rule);
    }
    groups.into_iter().collect()
}

fn title(group: char) -> &'static str {
    match group {
        'A' | 'B' => "Identificação e documentos referenciados",
        'C' => "Emitente",
        'E' => "Destinatário",
        'F' | 'G' => "Retirada, entrega e quem pode baixar o XML",
        'H' | 'I' => "Itens e produtos",
        'J' | 'K' | 'L' => "Produtos específicos",
        'N' => "ICMS",
        'O' | 'P' => "IPI e II",
        'Q' | 'R' | 'S' | 'T' => "PIS e COFINS",
        'U' => "ISSQN, IBS, CBS e IS",
        'V' => "Itens e documentos referenciados por eles",
        'W' => "Totais",
        'X' => "Transporte",
        'Y' => "Cobrança, pagamento e intermediador",
        _ => "Exportação, compras, responsável técnico, QR Code",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_stands_on_the_page_with_its_code_and_its_source() {
        let page = page();
        for rule in RULES {
            assert!(page.contains(&format!("<tr id=\"{}\" data-titulo=\"{} ", rule.id, rule.cStat)), "{}", rule.id);
        }
        assert!(page.contains("MOC 7.0, anexo I") && page.contains("NT 2026.002 v1.00"));
        assert!(page.contains("deixe o total fora para que o serviço o calcule"));
    }
}
