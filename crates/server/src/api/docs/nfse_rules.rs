//! The page of the rules of the national NFS-e: those checked before the DPS is sent, by subject, and the others with
//! the authority that checks them.

use std::fmt::Write as _;

use fiscal::law::{Law, RuleFamily};
use fiscal::nfse::rules::book::{self, NfseOmissionReason, NfseRuleEntry};
use fiscal::nfse::rules::{self, NfseRule};

use super::law_changes;
use super::markdown::{escaped, inline};
use super::rules_page::RulesPage;
use super::table_pages::NFSE_RULES;

const LEAD: &str = "# Regras da NFS-e nacional\n\nEstas são as regras da Sefin Nacional (anexo I de 2026-02-09 e anexo II de 2026-01-22) que quem emite \
pode encontrar. As dos primeiros grupos o serviço aplica antes do envio: o que uma delas recusaria vem em `avisos` da emissão, com `codigo_status` e o \
campo, e em `rejeicoes_previstas` de `POST /v1/nfse/verificar-campos`. O simulador recusa pelas mesmas. No fim estão as demais, com quem as decide. \
A Sefin responde todas as que encontra de uma vez: a lista inteira está em `nota.rejeicoes`.";

/// Titles of `rules::subjects`, in their order.
const SUBJECTS: [&str; 12] = [
    "Identificação da DPS",
    "Prestador e regime",
    "Tomador, intermediário e destinatário",
    "Serviço e local",
    "Obras e eventos",
    "Valores e totais",
    "Deduções e reduções",
    "ISSQN: tributação, imunidade, suspensão e benefício",
    "Alíquota e retenção do ISSQN",
    "Tributos federais",
    "IBS e CBS",
    "Reembolsos e repasses",
];

/// Titles, with the reason why no function of ours checks these rules.
const OTHERS: [(&str, NfseOmissionReason); 9] = [
    ("Dependem dos cadastros (CNPJ, CPF, Simples Nacional, CNC)", NfseOmissionReason::Register),
    ("Dependem dos parâmetros do município", NfseOmissionReason::Municipal),
    ("Dependem das notas e dos eventos que a Sefin guarda", NfseOmissionReason::Stored),
    ("Conferidas só no recebimento: conexão, envelope, assinatura, pedido de evento", NfseOmissionReason::Receiver),
    ("O leiaute recusa antes", NfseOmissionReason::Layout),
    (
        "De notas emitidas pelo tomador ou pelo intermediário, que a Sefin ainda recusa (E9996)",
        NfseOmissionReason::OtherEmitter,
    ),
    ("Desligadas pela Sefin", NfseOmissionReason::Ended),
    ("De nota técnica que ainda não vigora", NfseOmissionReason::Later),
    ("Sem condição publicada que se possa seguir", NfseOmissionReason::Unverified),
];

/// The whole page.
pub(super) fn page(law: &Law) -> String {
    let lead = format!("{LEAD}\n\n{}", law_changes::list(law, &[RuleFamily::Nfse]));
    let mut page = RulesPage::begin(&lead, rules::all().len(), &["Código", "Texto e o que fazer"]);
    for ((title, rules), number) in SUBJECTS.iter().zip(rules::subjects()).zip(1..) {
        page.table(&format!("grupo-{number}"), (title, ""), rules, row);
    }
    for ((title, reason), number) in OTHERS.iter().zip(1..) {
        let entries = book::entries().iter().filter(|entry| entry.reason == Some(*reason));
        page.table(&format!("demais-{number}"), (title, ""), entries, other);
    }
    page.end(NFSE_RULES.title, NFSE_RULES.address)
}

fn row(body: &mut String, rule: &NfseRule) {
    let remedy = rule.remedy().map(|remedy| format!("<p>{}</p>", inline(remedy))).unwrap_or_default();
    let field = if rule.path.is_empty() { "infDPS" } else { rule.path };
    let _ = write!(
        body,
        "<tr id=\"{codigo}\" data-titulo=\"{codigo} {title}\" data-modelos=\"NFS-e\"><td>{codigo}</td><td>{text}<p>Campo <code>{field}</code></p>\
         {remedy}</td></tr>",
        codigo = rule.codigo,
        title = title(rule.mensagem()),
        text = text(rule.mensagem()),
        field = escaped(field),
    );
}

fn other(body: &mut String, entry: &NfseRuleEntry) {
    let _ = write!(
        body,
        "<tr id=\"{codigo}\" data-busca=\"nao\"><td>{codigo}</td><td>{text}</td></tr>",
        codigo = entry.codigo,
        text = text(entry.mensagem),
    );
}

/// Beginning of the text: the search shows the whole beside it.
fn title(mensagem: &str) -> String {
    const ENOUGH: usize = 70;
    let beginning: String = mensagem.chars().take(ENOUGH).collect();
    if beginning.len() == mensagem.len() { text(mensagem) } else { text(&format!("{}…", beginning.trim_end())) }
}

/// Official text, with dots in place of the values that the authority inserts.
fn text(mensagem: &str) -> String {
    escaped(&mensagem.replace("{}", "…"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printed_rule_stands_on_the_page_once() {
        let page = page(Law::printed());
        for entry in book::entries() {
            let row = format!("<tr id=\"{}\" ", entry.codigo);
            assert_eq!(page.matches(&row).count(), 1, "{row}");
        }
        assert_eq!(page.matches("<tr id=\"").count(), book::entries().len());
        assert!(page.contains("Campo <code>serv/cServ/cTribNac</code>"));
    }
}
