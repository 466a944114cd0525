//! Documents of a transport, and the vehicles it carries: a row each.
//!
//! Law: MOC CT-e 4.00, Anexo II (documentos originários; a complement names the CT-e that it complements); the layout
//! defines the kinds of paper documents.

use super::DacteContext;
use super::flow::{FlowTable, TableBand, TableColumn, TableRow};
use crate::form::dfe::Dfe;
use crate::form::stored::StoredElement;
use crate::form::value;
use crate::paper::TextAlign;
use std::borrow::Cow;
use std::collections::VecDeque;

const COLUMNS: &[TableColumn] = &[
    TableColumn { head: "TIPO DOC", width: 155, align: TextAlign::Left },
    TableColumn { head: "CNPJ/CPF DO EMITENTE OU CHAVE", width: 0, align: TextAlign::Left },
    TableColumn { head: "SÉRIE/Nº", width: 215, align: TextAlign::Left },
];

/// Table of cargo.
pub(super) fn table<'x>(context: &DacteContext<'x>) -> FlowTable<'x> {
    let cte = context.cte;
    let mut table = empty(context, "DOCUMENTOS ORIGINÁRIOS", "DOCUMENTOS ORIGINÁRIOS (CONTINUAÇÃO)");
    complemented(&mut table, cte);
    let of = |name: &'static str| cte.all("infCTeNorm/infDoc", name);
    let author = cte.first(&["rem/CNPJ", "rem/CPF"]);
    let carried = of("infNF").map(|infNF| on_paper(infNF, author));
    let carried = carried.chain(of("infNFe").map(|infNFe| by_key("NF-E", at(infNFe, "chave"))));
    let carried = carried.chain(of("infOutros").map(|infOutros| other(infOutros, author)));
    table.extend(carried.chain(of("infDCe").map(|infDCe| by_key("DC-E", at(infDCe, "chave")))));
    for emitter in cte.all("infCTeNorm/docAnt", "emiDocAnt") {
        let document = [at(emitter, "CNPJ"), at(emitter, "CPF")].concat();
        let (name, place) = (at(emitter, "xNome"), at(emitter, "UF"));
        let heading = format!(
            "DOCUMENTOS ANTERIORES: {name} - {} - IE {} - {place}",
            value::taxpayer(&document),
            at(emitter, "IE")
        );
        table.bands.push_back(TableBand::Heading(heading));
        let all = emitter.children().filter(|child| child.name() == "idDocAnt").flat_map(|id| id.children());
        table.extend(all.map(|before| previous(before, value::taxpayer(&document))));
    }
    let multimodal = cte.all("infCTeNorm/infServVinc", "infCTeMultimodal");
    add_headed_rows(
        &mut table,
        "CT-E MULTIMODAL",
        multimodal.map(|linked| by_key("CT-E", at(linked, "chCTeMultimodal"))),
    );
    table
}

/// Table of a service's references; without rows when there are none.
pub(super) fn references_table<'x>(context: &DacteContext<'x>) -> FlowTable<'x> {
    let cte = context.cte;
    let mut table = empty(context, "DOCUMENTOS REFERENCIADOS", "DOCUMENTOS REFERENCIADOS (CONTINUAÇÃO)");
    complemented(&mut table, cte);
    table.extend(cte.all("infCTeNorm", "infDocRef").map(reference));
    let gtve = cte.all("infCTeNorm", "infGTVe").map(|gtve| by_key("GTV-E", at(gtve, "chCTe")));
    table.extend(gtve);
    table
}

/// New vehicles, printed on a further sheet.
pub(super) fn vehicles<'x>(context: &DacteContext<'x>) -> Option<FlowTable<'x>> {
    const VEHICLES: &[TableColumn] = &[
        TableColumn { head: "CHASSI", width: 400, align: TextAlign::Left },
        TableColumn { head: "COR", width: 0, align: TextAlign::Left },
        TableColumn { head: "MODELO", width: 200, align: TextAlign::Left },
        TableColumn { head: "VALOR UNITÁRIO", width: 350, align: TextAlign::Right },
        TableColumn { head: "VALOR DO FRETE", width: 350, align: TextAlign::Right },
    ];
    let title = "VEÍCULOS NOVOS TRANSPORTADOS";
    let mut table = FlowTable { title, continued: title, columns: VEHICLES, across: 1, bands: VecDeque::new() };
    table.extend(context.cte.all("infCTeNorm", "veicNovos").map(|car| {
        vec![
            at(car, "chassi").into(),
            format!("{} - {}", at(car, "cCor"), at(car, "xCor")).into(),
            at(car, "cMod").into(),
            value::amount(at(car, "vUnit")).into(),
            value::amount(at(car, "vFrete")).into(),
        ]
    }));
    (!table.bands.is_empty()).then_some(table)
}

fn empty<'x>(context: &DacteContext<'x>, title: &'static str, continued: &'static str) -> FlowTable<'x> {
    let across = if context.landscape { 3 } else { 2 };
    FlowTable { title, continued, columns: COLUMNS, across, bands: VecDeque::new() }
}

fn complemented<'x>(table: &mut FlowTable<'x>, cte: Dfe<'x>) {
    add_headed_rows(
        table,
        "CT-E COMPLEMENTADO",
        cte.all("", "infCteComp").map(|comp| by_key("CT-E", at(comp, "chCTe"))),
    );
}

/// Adds rows under a heading, if there are any.
fn add_headed_rows<'x>(table: &mut FlowTable<'x>, heading: &str, rows: impl Iterator<Item = TableRow<'x>>) {
    let mut rows = rows.peekable();
    if rows.peek().is_some() {
        table.bands.push_back(TableBand::Heading(heading.to_owned()));
        table.extend(rows);
    }
}

fn at<'x>(group: StoredElement<'x>, tag: &str) -> &'x str {
    group.text_at(tag).unwrap_or_default()
}

/// Row of a document with a key, which contains its series and number.
fn by_key<'x>(kind: &'static str, chave: &'x str) -> TableRow<'x> {
    let part = |from: usize, to: usize| chave.get(from..to).unwrap_or_default().trim_start_matches('0');
    let (series, number) = (part(22, 25), part(25, 34));
    let series = if series.is_empty() { "0" } else { series };
    vec![kind.into(), value::key(chave).into(), numbered(series, number)]
}

fn numbered<'x>(series: &str, number: &str) -> Cow<'x, str> {
    match (series, number) {
        ("", number) => number.to_owned().into(),
        (series, number) => format!("{series}/{number}").into(),
    }
}

/// Row of `infNF`.
fn on_paper<'x>(infNF: StoredElement<'x>, author: &str) -> TableRow<'x> {
    vec!["NF".into(), value::taxpayer(author).into(), numbered(at(infNF, "serie"), at(infNF, "nDoc"))]
}

/// Row of `infOutros`.
fn other<'x>(infOutros: StoredElement<'x>, author: &str) -> TableRow<'x> {
    let kind = match at(infOutros, "tpDoc") {
        "00" => "DECLARAÇÃO",
        "10" => "DUTOVIÁRIO",
        "59" => "CF-E SAT",
        "65" => "NFC-E",
        _ if at(infOutros, "descOutros").is_empty() => "OUTROS",
        _ => at(infOutros, "descOutros"),
    };
    vec![kind.into(), value::taxpayer(author).into(), at(infOutros, "nDoc").into()]
}

/// Row of a document of an earlier carrier.
fn previous<'x>(before: StoredElement<'x>, author: String) -> TableRow<'x> {
    if before.name() == "idDocAntEle" {
        return by_key("CT-E", at(before, "chCTe"));
    }
    let kind = match at(before, "tpDoc") {
        "07" => "ATRE",
        "08" => "DTA",
        "09" => "AWB NAC.",
        "10" => "AWB INTERN.",
        "11" => "CARTA DE PORTE",
        "12" => "CONHEC. AVULSO",
        "13" => "TIF",
        other => other,
    };
    let series = [at(before, "serie"), at(before, "subser")].into_iter().filter(|part| !part.is_empty());
    let series = series.collect::<Vec<_>>().join("-");
    vec![kind.into(), author.into(), numbered(&series, at(before, "nDoc"))]
}

/// Row of `infDocRef`: a ticket by its key, or another document by its identification.
fn reference(referred: StoredElement<'_>) -> TableRow<'_> {
    if !at(referred, "chBPe").is_empty() {
        return by_key("BP-E", at(referred, "chBPe"));
    }
    let amount = value::amount(at(referred, "vDoc"));
    let amount = if amount.is_empty() { amount } else { format!(" - R$ {amount}") };
    let series = [at(referred, "serie"), at(referred, "subserie")].into_iter().filter(|part| !part.is_empty());
    let series = series.collect::<Vec<_>>().join("-");
    vec![
        "DOCUMENTO".into(),
        format!("{}{amount}", value::date(at(referred, "dEmi"))).into(),
        numbered(&series, at(referred, "nDoc")),
    ]
}
