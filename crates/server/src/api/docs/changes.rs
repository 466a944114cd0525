//! The page of dated changes, made from the calendar of the law, the rule book and this installation's changes of both.

use std::fmt::Write as _;

use fiscal::law::{Law, RuleFamily, RuleStart, calendar};
use fiscal::nfe::rules::{RULES, book};
use fiscal::value::TpAmb;
use jiff::civil::Date;

use super::markdown::to_html;
use super::page::frame;
use super::table_pages::{CHANGES, NFE_RULES};
use super::{law_changes, rules};

const LEAD: &str = "# O que muda, e quando\n\nO que muda na NF-e, NFC-e, CT-e e NFS-e até o fim de 2027: o que enviar antes e depois de cada dia, e o que o \
serviço faz sozinho. Os dias são dados, não código: uma regra vale pelo dia em que a autoridade recebe o documento, ou pelo de `dhEmi` quando o texto \
assim diz, sempre no fuso do próprio `dhEmi`. O que não tem dia publicado não é previsto por este serviço.";

const MOVE: &str = "## Mover um dia sem esperar uma versão\n\nOs dias das notas técnicas mudam muitas vezes. O operador os move em um arquivo \
`lei.toml`, ao lado do arquivo de configuração (ou onde `lei.arquivo` disser), e reinicia o serviço:\n\n\
```toml\n# a CBS de 2027, quando o Senado a publicar; entre aspas\ncbs_2027 = \"8.7\"\n\n[[regras]]\ndocumento = \"nfe\"           # sem ela, nfe (também a NFC-e); ou \"cte\" (também o CT-e OS), \"nfse\"\ncodigo = 1115                # na NFS-e, \"E0617\"\nregra = \"UB12-10\"            # opcional: uma só das regras com este código\n\
ambiente = \"producao\"        # sem ela, ambos\na_partir_de = 2027-03-01     # ou \"nunca\"\nate = 2027-12-31             # último dia\nefeito = \"rejeicao\"          # ou \"aviso\", \"nada\"\n\
ufs = [\"SP\", \"RS\"]           # só emitentes destas UF; não na NFS-e\ncrt = [3]                    # só destes regimes; não na NFS-e\nfonte = \"NT 2025.002 v1.54\"\n```\n\n\
As regras que se movem são as que este serviço prevê: as das páginas da [NF-e](/docs/guia/regras), do [CT-e](/docs/guia/regras-do-cte) e da \
[NFS-e](/docs/guia/regras-da-nfse), e mais as da NT 009 da NFS-e que ainda não têm dia (E0684 e E0690: valem quando `a_partir_de` lhes der um). As que só a \
autoridade decide não estão aqui para mover. O primeiro dia de 2027 também não: é da Constituição e da LC 214/2025, e nenhuma nota técnica o muda.\n\n\
O que foi mudado aparece nesta página, nas páginas das regras de cada documento, em `GET /v1/diagnostico` e no log do início. `carimbo simulador --lei lei.toml` \
faz as autoridades simuladas aplicarem o mesmo arquivo, ou outro: `lei`, nos ajustes do simulador, as deixa mais ou menos severas do que este serviço prevê.";

/// The whole page.
pub(super) fn page(law: &Law) -> String {
    let mut text = format!("{LEAD}\n\n");
    text.push_str(&law_changes::list(law, &EVERY));
    let mut day = None;
    for entry in calendar() {
        if day != Some(entry.producao) {
            day = Some(entry.producao);
            let _ = write!(text, "## {}\n\n", entry.producao.strftime("%d/%m/%Y"));
        }
        let tested = entry
            .homologacao
            .map(|day| format!(" Em homologação desde {}.", day.strftime("%d/%m/%Y")))
            .unwrap_or_default();
        let _ = write!(
            text,
            "### {}\n\n**{}**. Em produção neste dia.{tested} Fonte: {}.\n\n- **Antes**: {}\n- **Depois**: {}\n- **O serviço**: {}\n\n",
            entry.titulo, entry.documentos, entry.fonte, entry.antes, entry.depois, entry.servico
        );
    }
    text.push_str(&rules_by_day());
    text.push_str(MOVE);
    frame(CHANGES.title, CHANGES.address, &to_html(&text), &[])
}

/// Documents whose rules an installation may change.
const EVERY: [RuleFamily; 3] = [RuleFamily::Nfe, RuleFamily::Cte, RuleFamily::Nfse];

/// Rules of NF-e and NFC-e that begin from the middle of 2026 on, by their date in production.
fn rules_by_day() -> String {
    let mut begun: Vec<(Date, String)> = RULES.iter().filter_map(begins).collect();
    begun.sort_by_key(|(day, _)| *day);
    let mut text =
        "## Regras da NF-e e da NFC-e por dia\n\nO começo em produção das regras que este serviço prevê:\n\n"
            .to_owned();
    for rules in begun.chunk_by(|one, other| one.0 == other.0) {
        let Some((day, _)) = rules.first() else { continue };
        let links: Vec<&str> = rules.iter().map(|(_, link)| link.as_str()).collect();
        let _ = writeln!(text, "- **{}**: {}", day.strftime("%d/%m/%Y"), links.join(", "));
    }
    text.push('\n');
    text
}

fn begins(rule: &fiscal::nfe::rules::NfeRule) -> Option<(Date, String)> {
    const FROM: Date = jiff::civil::date(2026, 6, 1);
    let terms = &book::entry(rule.id, rule.cStat)?.terms;
    match terms.of(TpAmb::Producao).onset {
        RuleStart::Day(day) if day >= FROM => {
            Some((day, format!("[{}]({}#{})", rule.cStat, NFE_RULES.address, rules::anchor(rule))))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_change_stands_on_the_page_with_its_day() {
        let page = page(Law::printed());
        for entry in calendar() {
            assert!(page.contains(&entry.producao.strftime("%d/%m/%Y").to_string()), "{}", entry.titulo);
        }
        assert!(
            page.contains("<a href=\"/docs/guia/regras#I08-180\">375</a>") && !page.contains("Mudado nesta instalação")
        );
    }

    #[test]
    fn what_an_operator_changed_is_told() {
        let written =
            json!({ "cbs_2027": "8.7", "regras": [{ "codigo": 375, "a_partir_de": "nunca", "fonte": "NT <nova>" }] });
        let page = page(&Law::read(written).unwrap());
        assert!(
            page.contains("CBS de 2027: 8.7 %") && page.contains("375: sem dia para valer (NT &lt;nova&gt;)"),
            "{page}"
        );
    }
}
