//! The page of the validation rules, made from the rule book: code, text, field, documents, place, remedy.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fiscal::cstat::motivo;
use fiscal::law::{Law, RuleFamily, RuleStart, RuleTerms};
use fiscal::nfe::describe::field_name;
use fiscal::nfe::rules::book::{self, Enforcement, NfeRuleEntry, OmissionReason};
use fiscal::nfe::rules::{NfeRule, RULES, RuleModels};

use super::law_changes;
use super::markdown::{escaped, inline};
use super::rules_page::RulesPage;
use super::table_pages::NFE_RULES;

const LEAD: &str = "# Regras de validação\n\nEstas são as regras oficiais da NF-e e da NFC-e: as do MOC 7.0 e as das notas técnicas publicadas depois. \
As dos primeiros grupos o serviço aplica antes do envio: o que uma delas recusaria vem em `avisos` da emissão, com `codigo_status` e o campo, e em \
`rejeicoes_previstas` de `verificar-campos`. A ordem é a da autoridade, que responde só a primeira. Nenhuma vale antes do seu dia no ambiente da nota. \
No fim estão as demais, com quem as decide.";

/// The whole page.
pub(super) fn page(law: &Law) -> String {
    let lead = format!("{LEAD}\n\n{}", law_changes::list(law, &[RuleFamily::Nfe]));
    let mut page = RulesPage::begin(&lead, RULES.len(), &["Código", "Texto e o que fazer", "Modelos", "Regra"]);
    for (group, rules) in groups() {
        page.table(&format!("grupo-{}", group.to_lowercase()), (title(group), ""), rules, row);
    }
    for (index, (title, lead, belongs)) in OTHERS.iter().enumerate() {
        page.table(&format!("demais-{}", index + 1), (title, lead), others().filter(|entry| belongs(entry)), other);
    }
    page.end("Regras de validação", NFE_RULES.address)
}

fn row(body: &mut String, rule: &NfeRule) {
    let remedy = rule.remedy().map(|remedy| format!("<p>{}</p>", inline(remedy))).unwrap_or_default();
    let text = escaped(rule.xMotivo().trim_start_matches("Rejeição: "));
    let field = rule.field().map(|path| format!("<p>Campo <code>{}</code></p>", escaped(&field_name(path))));
    let entry = book::entry(rule.id, rule.cStat);
    let _ = write!(
        body,
        "<tr id=\"{anchor}\" data-titulo=\"{cStat} {text}\" data-modelos=\"{models}\"><td>{cStat}</td><td>{text}{field}{remedy}</td><td class=\"modelos\">{models}</td>\
         <td><code>{id}</code><small data-busca=\"nao\"><br>{source}{since}</small></td></tr>",
        anchor = anchor(rule),
        id = rule.id,
        cStat = rule.cStat,
        field = field.unwrap_or_default(),
        models = models(rule.on),
        source = escaped(rule.source()),
        since = entry.map(since).unwrap_or_default(),
    );
}

/// Anchor of a rule on the page. Two technical notes use one id for different rules: the later one has its code
/// appended.
pub(crate) fn anchor(rule: &NfeRule) -> String {
    let first = RULES.iter().find(|other| other.id == rule.id);
    if first.is_none_or(|first| first.cStat == rule.cStat) {
        rule.id.to_owned()
    } else {
        format!("{}-{}", rule.id, rule.cStat)
    }
}

/// Rules of the NF-e that no function of ours checks.
fn others() -> impl Iterator<Item = &'static NfeRuleEntry> {
    let predicted = |entry: &NfeRuleEntry| RULES.iter().any(|rule| (rule.id, rule.cStat) == (entry.id, entry.cStat));
    book::entries().iter().filter(move |entry| entry.is_of_the_note() && !predicted(entry))
}

/// Title, common text, and filter of a group of rules.
type RuleGroup = (&'static str, &'static str, fn(&NfeRuleEntry) -> bool);

const OTHERS: &[RuleGroup] = &[
    (
        "Decididas só pela autoridade",
        "Dependem dos cadastros, dos documentos guardados, da assinatura ou do serviço da SEFAZ: só ela as conhece antes da resposta.",
        |entry| is_in_force(entry) && !entry.needs.decidable(),
    ),
    (
        "Facultativas ou à escolha da UF",
        "Cada autoridade decide se as aplica. As que alguma aplica, segundo um texto oficial, estão nos grupos acima.",
        |entry| matches!(entry.kind, Enforcement::Optional | Enforcement::OfTheState) && entry.needs.decidable(),
    ),
    (
        "Obrigatórias que outra regra ou o leiaute já alcança",
        "O que elas recusam não pode ser enviado por este serviço, é recusado antes, ou depende de tabela que não foi publicada.",
        |entry| entry.kind == Enforcement::Mandatory && entry.needs.decidable(),
    ),
    ("Publicadas, sem data para valer", "", |entry| entry.kind == Enforcement::Future),
    ("Revogadas", "Não valem mais; aparecem em textos antigos.", |entry| entry.kind == Enforcement::Revoked),
];

fn is_in_force(entry: &NfeRuleEntry) -> bool {
    !matches!(entry.kind, Enforcement::Future | Enforcement::Revoked)
}

/// Row of such a rule; the search finds its code on the page of codes.
fn other(body: &mut String, entry: &NfeRuleEntry) {
    let text = motivo(entry.cStat).map(|text| escaped(text.trim_start_matches("Rejeição: "))).unwrap_or_default();
    let why = book::reason(entry.id, entry.cStat).map(|reason| format!("<p>{}</p>", why(reason))).unwrap_or_default();
    let models = match (entry.nfe, entry.nfce) {
        (true, true) => "55, 65",
        (true, false) => "55",
        _ => "65",
    };
    let _ = write!(
        body,
        "<tr data-busca=\"nao\"><td>{cStat}</td><td>{text}{why}</td><td class=\"modelos\">{models}</td><td><code>{id}</code><br>{source}{since}</td></tr>",
        cStat = entry.cStat,
        id = entry.id,
        source = escaped(entry.source),
        since = since(entry),
    );
}

fn why(reason: OmissionReason) -> String {
    match reason {
        OmissionReason::FoundBy(rule) => format!("Alcançada pela regra <code>{rule}</code>."),
        OmissionReason::NotIssuedHere => "De documentos que este serviço não emite (NFA-e, NFF, PAA).".to_owned(),
        OmissionReason::NoTable => "A tabela que a decide não foi publicada ou não tem data.".to_owned(),
        OmissionReason::UnseenTable => {
            "A tabela que a decide foi publicada e este serviço não a tem: a recusa só vem da autoridade.".to_owned()
        }
        OmissionReason::BySchema => "O leiaute a recusa antes.".to_owned(),
    }
}

/// First date of a rule that is newer than the manual, and its CRTs or states where it does not apply to all.
fn since(entry: &NfeRuleEntry) -> String {
    let RuleTerms { homologacao, producao } = &entry.terms;
    let day = |ambiente: &str, onset| match onset {
        RuleStart::Manual => String::new(),
        RuleStart::Day(day) => format!("<br>{ambiente} {}", day.strftime("%d/%m/%Y")),
        RuleStart::Never => format!("<br>{ambiente} sem data"),
    };
    let crts = producao.crts.as_ref().map(|crts| crts.iter().map(u8::to_string).collect::<Vec<_>>().join(", "));
    format!(
        "{}{}{}{}",
        day("homologação", homologacao.onset),
        day("produção", producao.onset),
        crts.map(|crts| format!("<br>só CRT {crts}")).unwrap_or_default(),
        producao.ufs.as_ref().map_or("", |_| "<br>só nas UF que o operador indicar em lei.toml"),
    )
}

fn models(on: RuleModels) -> &'static str {
    match on {
        RuleModels::Both => "55, 65",
        RuleModels::NFe => "55",
        RuleModels::NFCe => "65",
        RuleModels::Retail => "65; 55 com tpImp 6",
    }
}

/// Rules by the letter of their layout group, in the order of the table.
fn groups() -> Vec<(char, Vec<&'static NfeRule>)> {
    let mut groups: BTreeMap<char, Vec<&'static NfeRule>> = BTreeMap::new();
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
    fn every_rule_stands_on_the_page_with_its_code_its_field_and_its_source() {
        let page = page(Law::printed());
        for rule in RULES {
            let row = format!("<tr id=\"{}\" data-titulo=\"{} ", anchor(rule), rule.cStat);
            assert_eq!(page.matches(&row).count(), 1, "{row}");
            assert!(!rule.source().is_empty(), "{}", rule.id);
        }
        assert!(
            page.contains("MOC 7.0, anexo I")
                && page.contains("NT 2026.002 v1.00<br>homologação 01/07/2026<br>produção 03/08/2026")
        );
        assert!(page.contains("deixe o total fora para que o serviço o calcule"));
        assert!(page.contains("Campo <code>produtos[].CFOP</code>"), "fields are named as callers write them");
    }

    #[test]
    fn every_other_rule_of_the_note_stands_in_one_of_the_last_tables_with_its_text() {
        for entry in others() {
            let tables = OTHERS.iter().filter(|(_, _, belongs)| belongs(entry)).count();
            assert_eq!(tables, 1, "{entry:?}");
            assert!(motivo(entry.cStat).is_some(), "{entry:?}");
        }
    }
}
