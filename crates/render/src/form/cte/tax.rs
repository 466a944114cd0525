//! Taxes of a transport: ICMS by its situation, federal taxes of a service, IBS and CBS.
//!
//! Law: MOC CT-e 4.00, Anexo II (a cell stays empty when the group lacks its field). It has no place for IBS and CBS:
//! their line is ours, with the effective rate where one is reduced.

use super::DacteContext;
use crate::form::dfe::Dfe;
use crate::form::grid::{Grid, GridCell};
use crate::form::stored::StoredElement;
use crate::form::value;

/// Blocks of taxes.
pub(super) fn grids<'x>(context: &DacteContext<'x>) -> Vec<Grid<'x>> {
    let cte = context.cte;
    let mut rows = vec![icms(cte)];
    rows.extend(federal(cte));
    match (new(cte), rows.last_mut()) {
        (Some(new), Some(row)) if context.landscape => row.extend(new.into_iter().map(|cell| cell.wide(230))),
        (new, _) => rows.extend(new),
    }
    vec![Grid { title: "INFORMAÇÕES RELATIVAS AO IMPOSTO", rows }]
}

/// Cells of the ICMS. The element's only group is the situation, and the fields of each group have names of their own.
fn icms<'x>(cte: Dfe<'x>) -> Vec<GridCell<'x>> {
    let group = cte.group("imp/ICMS").and_then(|icms| icms.children().next());
    let first = |tags: &[&str]| first_text(group, tags);
    vec![
        GridCell::text("CLASSIFICAÇÃO TRIBUTÁRIA DO SERVIÇO", situation(group)),
        GridCell::money("BASE DE CÁLCULO", first(&["vBC", "vBCSTRet", "vBCOutraUF"])).wide(240),
        GridCell::text("ALÍQ. ICMS", value::rate(first(&["pICMS", "pICMSSTRet", "pICMSOutraUF"]))).right().wide(160),
        GridCell::money("VALOR ICMS", first(&["vICMS", "vICMSSTRet", "vICMSOutraUF", "vICMSPrevisto"])).wide(220),
        GridCell::text("% RED. BC", value::rate(first(&["pRedBC", "pRedBCOutraUF"]))).right().wide(170),
        GridCell::money("ICMS ST", first(&["vICMSSTRet"])).wide(200),
    ]
}

fn first_text<'x>(group: Option<StoredElement<'x>>, tags: &[&str]) -> &'x str {
    let text = |tag: &&str| group.and_then(|group| group.text_at(tag)).filter(|text| !text.is_empty());
    tags.iter().find_map(text).unwrap_or_default()
}

fn situation(group: Option<StoredElement<'_>>) -> String {
    let cst = first_text(group, &["CST"]);
    let name = match (group.map(|group| group.name()), cst) {
        (Some("ICMSSN"), _) => return "Simples Nacional".to_owned(),
        (Some("gICMSPrevistoPagtoAntecip"), _) => return "ICMS previsto no pagamento antecipado".to_owned(),
        (Some("ICMSOutraUF"), _) => "ICMS devido à UF de início da prestação",
        (_, "00") => "Tributação normal do ICMS",
        (_, "20") => "Tributação com BC reduzida do ICMS",
        (_, "40") => "ICMS isento",
        (_, "41") => "ICMS não tributado",
        (_, "51") => "ICMS diferido",
        (_, "60") => "ICMS cobrado por substituição tributária",
        (_, "90") => "ICMS outros",
        _ => return cst.to_owned(),
    };
    format!("{cst} - {name}")
}

/// Federal taxes of a service.
fn federal<'x>(cte: Dfe<'x>) -> Option<Vec<GridCell<'x>>> {
    cte.group("imp/infTribFed")?;
    let taxes = [("PIS", "vPIS"), ("COFINS", "vCOFINS"), ("IR", "vIR"), ("INSS", "vINSS"), ("CSLL", "vCSLL")];
    Some(taxes.map(|(label, tag)| GridCell::money(label, cte.text(&format!("imp/infTribFed/{tag}")))).into())
}

/// Taxes of the reform, and the total of the document.
fn new<'x>(cte: Dfe<'x>) -> Option<Vec<GridCell<'x>>> {
    if cte.group("imp/IBSCBS").is_none() && cte.text("imp/vTotDFe").is_empty() {
        return None;
    }
    let at = |path: &str| cte.text(&format!("imp/IBSCBS/{path}"));
    let class = [at("CST"), at("cClassTrib")].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    let tax = |group: &str, rate: &str, amount: &str| {
        let at = |tag: &str| at(&format!("gIBSCBS/{group}/{tag}"));
        let rate = if at("gRed/pAliqEfet").is_empty() { at(rate) } else { at("gRed/pAliqEfet") };
        let rate = if rate.is_empty() { String::new() } else { format!(" ({})", value::rate(rate)) };
        format!("{}{rate}", value::amount(at(amount)))
    };
    Some(vec![
        GridCell::text("CST - cClassTrib", class.join(" - ")),
        GridCell::money("BASE IBS/CBS", at("gIBSCBS/vBC")),
        GridCell::text("IBS UF", tax("gIBSUF", "pIBSUF", "vIBSUF")).right(),
        GridCell::text("IBS MUNICÍPIO", tax("gIBSMun", "pIBSMun", "vIBSMun")).right(),
        GridCell::text("CBS", tax("gCBS", "pCBS", "vCBS")).right(),
        GridCell::money("TOTAL DO DF-e", cte.text("imp/vTotDFe")),
    ])
}
