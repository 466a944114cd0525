//! The page of the rules of CT-e and CT-e OS: those checked before the document is sent, by subject, and the others
//! with the authority that checks them.

use std::fmt::Write as _;

use fiscal::cstat;
use fiscal::cte::rules::book::{self, PrintedCteRule, UndecidedReason};
use fiscal::cte::rules::{self, CteRule};
use fiscal::law::{Law, RuleFamily, RuleStart, RuleTerms};

use super::law_changes;
use super::markdown::{escaped, inline};
use super::rules_page::RulesPage;
use super::table_pages::CTE_RULES;

const LEAD: &str = "# Regras do CT-e e do CT-e OS\n\nEstas são as regras do MOC CT-e 4.00 e das notas técnicas publicadas depois. As dos primeiros \
grupos o serviço aplica antes do envio: o que uma delas recusaria vem em `avisos` da emissão, com `codigo_status` e o campo, e em `rejeicoes_previstas` \
de `POST /v1/cte/verificar-campos`. O simulador recusa pelas mesmas. Uma regra com data vale desde o dia que está sob o seu número, o da recepção em \
Brasília; sem data, vale desde o manual. No fim estão as demais, com quem as decide. As da NF-e estão em \
[outra página](/docs/guia/regras): o mesmo código pode ter outro texto.";

/// Titles of `rules::subjects`, in their order.
const SUBJECTS: [&str; 13] = [
    "Identificação",
    "Chave de acesso",
    "Municípios e UFs",
    "QR Code",
    "Participantes e tomador",
    "Carga e documentos",
    "CT-e globalizado",
    "Valores e impostos",
    "CT-e OS",
    "Percurso, veículo e fretamento",
    "Complemento, substituição e vínculos",
    "IBS e CBS",
    "Grupos de IBS e CBS",
];

/// Titles, with the reason why no function of ours checks these rules.
const OTHERS: [(&str, UndecidedReason); 6] = [
    ("Dependem dos cadastros da autoridade", UndecidedReason::Register),
    ("Dependem dos documentos que a autoridade guarda", UndecidedReason::Stored),
    ("Conferidas só no recebimento", UndecidedReason::Receiver),
    ("Encerradas com o EPEC (NT 2026.004)", UndecidedReason::Ended),
    ("Sem condição publicada que se possa seguir", UndecidedReason::Unverified),
    ("De serviços raros", UndecidedReason::Rare),
];

/// The whole page.
pub(super) fn page(law: &Law) -> String {
    let lead = format!("{LEAD}\n\n{}", law_changes::list(law, &[RuleFamily::Cte]));
    let mut page =
        RulesPage::begin(&lead, rules::all().count(), &["Código", "Texto e o que fazer", "Modelos", "Regra"]);
    for ((title, rules), number) in SUBJECTS.iter().zip(rules::subjects()).zip(1..) {
        page.table(&format!("grupo-{number}"), (title, ""), rules, row);
    }
    for ((title, reason), number) in OTHERS.iter().zip(1..) {
        let entries = book::entries().iter().filter(|entry| entry.reason == Some(*reason));
        page.table(&format!("demais-{number}"), (title, ""), entries, other);
    }
    page.end(CTE_RULES.title, CTE_RULES.address)
}

fn row(body: &mut String, rule: &CteRule) {
    let remedy = rule.remedy().map(|remedy| format!("<p>{}</p>", inline(remedy))).unwrap_or_default();
    let [cargo, services] = rule.ids();
    let models = match (cargo.is_empty(), services.is_empty()) {
        (false, false) => "57, 67",
        (false, true) => "57",
        _ => "67",
    };
    let _ = write!(
        body,
        "<tr id=\"{anchor}\" data-titulo=\"{cStat} {text}\" data-modelos=\"{models}\"><td>{cStat}</td><td>{text}<p>Campo <code>{field}</code></p>{remedy}\
         </td><td class=\"modelos\">{models}</td><td><code>{ids}</code><small data-busca=\"nao\"><br>{source}{days}</small></td></tr>",
        anchor = anchor(rule),
        cStat = rule.cStat,
        text = text(rule.cStat),
        field = escaped(rule.field()),
        ids = [cargo, services].into_iter().filter(|id| !id.is_empty()).collect::<Vec<_>>().join(", "),
        source = escaped(rule.source()),
        days = first_days(rule.terms()),
    );
}

/// Anchor of a rule on the page: its number in the table of model 57, or in that of 67.
pub(crate) fn anchor(rule: &CteRule) -> &'static str {
    let [cargo, services] = rule.ids();
    if cargo.is_empty() { services } else { cargo }
}

fn other(body: &mut String, entry: &PrintedCteRule) {
    let _ = write!(
        body,
        "<tr data-busca=\"nao\"><td>{cStat}</td><td>{text}</td><td class=\"modelos\">{models}</td><td><code>{ids}</code><br>{source}{days}</td></tr>",
        cStat = entry.cStat,
        text = text(entry.cStat),
        models = entry.models.replace('+', ", "),
        ids = entry.ids.replace('/', ", "),
        source = escaped(entry.source),
        days = first_days(&entry.terms),
    );
}

/// First date of a rule that is newer than the manual, and the states of a rule that each state may choose.
fn first_days(terms: &RuleTerms) -> String {
    let days = [("homologação", &terms.homologacao), ("produção", &terms.producao)]
        .map(|(name, term)| match term.onset {
            RuleStart::Manual => String::new(),
            RuleStart::Day(day) => format!("<br>{name} {}", day.strftime("%d/%m/%Y")),
            RuleStart::Never => format!("<br>{name} sem data"),
        })
        .concat();
    let ufs = terms.producao.ufs.as_ref().map(|ufs| ufs.iter().map(|uf| uf.sigla()).collect::<Vec<_>>().join(", "));
    let place = ufs.map(|ufs| format!("<br>facultativa: {ufs}, e as UF que o operador indicar em lei.toml"));
    days + &place.unwrap_or_default()
}

/// Official text, if known.
fn text(cStat: u16) -> String {
    let text = cstat::cte::motivo(cStat).unwrap_or("Texto oficial não publicado");
    escaped(text.trim_start_matches("Rejeição: "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_stands_on_the_page_once() {
        let page = page(Law::printed());
        for rule in rules::all() {
            let row = format!("<tr id=\"{}\" data-titulo=\"{} ", anchor(rule), rule.cStat);
            assert_eq!(page.matches(&row).count(), 1, "{row}");
        }
        assert!(page.contains("Campo <code>ide/CFOP</code>"));
    }

    #[test]
    fn a_rule_shows_its_days_and_its_source() {
        let page = page(Law::printed());
        let shown = |text: &str| assert!(page.contains(text), "{text}");
        shown("<br>NT 2026.002 v1.01<br>homologação 01/07/2026<br>produção sem data</small>");
        shown("<br>NT 2026.004 v1.00<br>homologação 13/10/2026<br>produção 16/11/2026</small>");
        shown("<td>1051</td><td>Texto oficial não publicado</td>");
        shown("<br>NT 2026.004 v1.00<br>homologação 01/02/2027<br>produção 01/03/2027</td>");
        shown("<br>MOC CT-e 4.00<br>facultativa: MG, e as UF que o operador indicar em lei.toml</small>");
    }

    #[test]
    fn every_rule_that_we_do_not_decide_stands_under_who_does() {
        let told: usize = OTHERS
            .iter()
            .map(|(_, reason)| book::entries().iter().filter(|entry| entry.reason == Some(*reason)).count())
            .sum();
        assert_eq!(told, book::entries().iter().filter(|entry| entry.reason.is_some()).count());
        assert!(told > 100, "{told}");
    }
}
