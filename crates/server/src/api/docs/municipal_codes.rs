//! The page of municipal NFS-e codes: rules checked before an RPS is sent, and remedies for returned codes.

use std::fmt::Write as _;

use fiscal::abrasf::rules;
use fiscal::cstat::abrasf::remedies;

use super::markdown::escaped;
use super::rules_page::RulesPage;
use super::table_pages::MUNICIPAL_CODES;

const LEAD: &str = "# Códigos das prefeituras (ABRASF)\n\n\
Os códigos são os do anexo de erros do ABRASF 1.00, que as versões seguintes e a maioria dos provedores mantêm; cada provedor acrescenta os seus, e então vale o texto dele, em \
`nota.rejeicoes`. O primeiro grupo o serviço confere antes do envio: vem em `avisos` da emissão, com o código e o campo. O segundo diz o que fazer de uma recusa; o mesmo \
está em `nota.rejeicoes[].o_que_fazer`.";

/// The page.
pub(super) fn page() -> String {
    let mut page = RulesPage::begin(LEAD, rules::codes().count(), &["Código", "O que se sabe dele"]);
    page.table("previstas", ("Conferidas antes do envio", ""), rules::codes(), predicted_codes);
    page.table("recusas", ("O que fazer de uma recusa", ""), remedies(), codes_with_remedy);
    page.end(MUNICIPAL_CODES.title, MUNICIPAL_CODES.address)
}

fn predicted_codes(body: &mut String, (codigo, mensagem): (&str, &str)) {
    let text = escaped(mensagem);
    let _ = write!(
        body,
        "<tr id=\"{codigo}\" data-titulo=\"{codigo} {text}\" data-modelos=\"NFS-e\"><td>{codigo}</td><td>{text}</td></tr>"
    );
}

fn codes_with_remedy(body: &mut String, (codes, advice): (&[(u16, u16)], &str)) {
    let told =
        |(first, last): &(u16, u16)| if first == last { format!("E{first}") } else { format!("E{first} a E{last}") };
    let listed = codes.iter().map(told).collect::<Vec<_>>().join(", ");
    let anchor = codes.first().map_or(0, |(first, _)| *first);
    let text = escaped(advice);
    let _ = write!(
        body,
        "<tr id=\"recusa-E{anchor}\" data-titulo=\"{listed}\" data-modelos=\"NFS-e\"><td>{listed}</td><td>{text}</td></tr>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_and_every_advice_stands_on_the_page_once() {
        let page = page();
        for (codigo, mensagem) in rules::codes() {
            assert_eq!(page.matches(&format!("<tr id=\"{codigo}\" ")).count(), 1, "{codigo}");
            assert!(page.contains(&escaped(mensagem)), "{codigo}");
        }
        assert_eq!(page.matches("<tr id=\"recusa-").count(), remedies().count());
        for (_, advice) in remedies() {
            assert!(page.contains(&escaped(advice)), "{advice}");
        }
    }
}
