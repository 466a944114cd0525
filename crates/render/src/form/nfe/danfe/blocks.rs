//! Blocks of the first sheet with labelled cells: parties, invoice, totals, transport.
//!
//! Law: MOC 7.0, Anexo II, 3.1 and its models (before 2026-12-01); NT 2026.010, 4.1 to 4.4 (from then on). An absent
//! tag is an empty cell (NT 2026.010, 4.4).

use super::{DanfeContext, charges};
use crate::form::dfe::Dfe;
use crate::form::grid::{Grid, GridCell};
use crate::form::stored::StoredElement;
use crate::form::value;

const TOTALS: &str = "total/ICMSTot/";

/// Nature of the operation and protocol, registrations, and since NT 2026.010 the regime. Printed on every sheet.
pub(super) fn identification<'x>(context: &DanfeContext<'x>) -> Grid<'x> {
    let note = context.note;
    let key = context.key_column();
    let (label, protocol) = context.protocol();
    // registrations and regimes side by side
    let beside = context.landscape && context.reform;
    let mut rows = vec![
        vec![
            GridCell::text("NATUREZA DA OPERAÇÃO", note.text("ide/natOp")),
            GridCell::text(label, protocol).bold().centred().wide(key),
        ],
        vec![
            GridCell::text("INSCRIÇÃO ESTADUAL", note.text("emit/IE")),
            GridCell::text("INSCRIÇÃO ESTADUAL DO SUBST. TRIB.", note.text("emit/IEST")).wide(480),
            GridCell::text("CNPJ / CPF", value::taxpayer(note.first(&["emit/CNPJ", "emit/CPF"]))).wide(if beside {
                400
            } else {
                key
            }),
        ],
    ];
    if context.reform {
        let (code, kind) = if beside { (800, 560) } else { (1000, 1000) };
        let regimes = [
            GridCell::text("CÓDIGO DO REGIME TRIBUTÁRIO", regime(note.text("emit/CRT"))).wide(code),
            GridCell::text("TIPO DE REGIME DE APURAÇÃO DO IBS E DA CBS", "").wide(kind),
        ];
        match rows.last_mut().filter(|_| beside) {
            Some(row) => row.extend(regimes),
            None => rows.push(regimes.into()),
        }
    }
    Grid { title: "", rows }
}

fn regime(crt: &str) -> String {
    let name = match crt {
        "1" => "SIMPLES NACIONAL",
        "2" => "SIMPLES NACIONAL - EXCESSO DE SUBLIMITE DE RECEITA BRUTA",
        "3" => "REGIME NORMAL",
        "4" => "SIMPLES NACIONAL - MEI",
        _ => return crt.to_owned(),
    };
    format!("{crt} - {name}")
}

/// Blocks between the header and the items, in order.
pub(super) fn first_sheet<'x>(context: &DanfeContext<'x>) -> Vec<Grid<'x>> {
    let note = context.note;
    let mut grids = vec![addressee(note)];
    if context.bounds.sites {
        grids.extend(site(note, "INFORMAÇÕES DO LOCAL DE RETIRADA", "retirada"));
        grids.extend(site(note, "INFORMAÇÕES DO LOCAL DE ENTREGA", "entrega"));
    }
    grids.extend(charges::block(context));
    if context.reform {
        grids.extend([products_and_note(context), icms_and_ipi(note), ibs_cbs_is(note)]);
        grids.extend(issqn(note));
        grids.push(transport(context));
    } else {
        grids.extend([taxes(note), transport(context)]);
        grids.extend(issqn(note));
    }
    grids
}

fn addressee<'x>(note: Dfe<'x>) -> Grid<'x> {
    let at = |tag: &str| note.text(&format!("dest/enderDest/{tag}"));
    let document = note.first(&["dest/CNPJ", "dest/CPF", "dest/idEstrangeiro"]);
    let (issued, left) = (note.text("ide/dhEmi"), note.text("ide/dhSaiEnt"));
    let rows = vec![
        vec![
            GridCell::text("NOME / RAZÃO SOCIAL", note.text("dest/xNome")),
            GridCell::text("CNPJ / CPF", value::taxpayer(document)).wide(370),
            GridCell::text("DATA DA EMISSÃO", value::date(issued)).centred().wide(300),
        ],
        vec![
            GridCell::text("ENDEREÇO", note.address("dest/enderDest", STREET)),
            GridCell::text("BAIRRO / DISTRITO", at("xBairro")).wide(500),
            GridCell::text("CEP", value::cep(at("CEP"))).wide(250),
            GridCell::text("DATA DA SAÍDA / ENTRADA", value::date(left)).centred().wide(300),
        ],
        vec![
            GridCell::text("MUNICÍPIO", note.town("dest/enderDest")),
            GridCell::text("FONE / FAX", value::phone(at("fone"))).wide(370),
            GridCell::text("UF", at("UF")).centred().wide(100),
            GridCell::text("INSCRIÇÃO ESTADUAL", note.text("dest/IE")).wide(420),
            GridCell::text("HORA DA SAÍDA / ENTRADA", value::time(left)).centred().wide(300),
        ],
    ];
    Grid { title: "DESTINATÁRIO / REMETENTE", rows }
}

/// Street, number and complement.
const STREET: &[&str] = &["xLgr", "nro", "xCpl"];

fn site<'x>(note: Dfe<'x>, title: &'static str, group: &str) -> Option<Grid<'x>> {
    let place = note.group(group)?;
    let at = |tag: &str| place.text_at(tag).unwrap_or_default();
    let document = if at("CNPJ").is_empty() { at("CPF") } else { at("CNPJ") };
    let rows = vec![
        vec![
            GridCell::text("NOME / RAZÃO SOCIAL", at("xNome")),
            GridCell::text("CNPJ / CPF", value::taxpayer(document)).wide(370),
            GridCell::text("INSCRIÇÃO ESTADUAL", at("IE")).wide(300),
        ],
        vec![
            GridCell::text("ENDEREÇO", note.address(group, STREET)),
            GridCell::text("BAIRRO / DISTRITO", at("xBairro")).wide(500),
            GridCell::text("CEP", value::cep(at("CEP"))).wide(300),
        ],
        vec![
            GridCell::text("MUNICÍPIO", note.town(group)),
            GridCell::text("UF", at("UF")).centred().wide(100),
            GridCell::text("FONE / FAX", value::phone(at("fone"))).wide(370),
        ],
    ];
    Some(Grid { title, rows })
}

/// Place of pick-up or delivery as a text, for a form whose first sheet has no room for the block.
pub(super) fn site_in_words(note: Dfe<'_>, title: &str, group: &str) -> Option<String> {
    let place = note.group(group)?;
    let at = |tag: &str| place.text_at(tag).unwrap_or_default();
    let document = if at("CNPJ").is_empty() { at("CPF") } else { at("CNPJ") };
    let ie = if at("IE").is_empty() { String::new() } else { format!("IE {}", at("IE")) };
    let fone = if at("fone").is_empty() { String::new() } else { format!("Fone {}", value::phone(at("fone"))) };
    let told = [
        at("xNome").to_owned(),
        value::taxpayer(document),
        ie,
        note.address(group, &["xLgr", "nro", "xCpl", "xBairro"]),
        note.town(group).into_owned(),
        at("UF").to_owned(),
        value::cep(at("CEP")),
        fone,
    ];
    let told: Vec<String> = told.into_iter().filter(|part| !part.is_empty()).collect();
    Some(format!("{title}: {}", told.join(", ")))
}

/// Totals in the layout of MOC 7.0.
fn taxes<'x>(note: Dfe<'x>) -> Grid<'x> {
    let total = |label: &'static str, tag: &str| GridCell::money(label, note.text(&format!("{TOTALS}{tag}")));
    let mut rows = vec![
        vec![
            total("BASE DE CÁLCULO DO ICMS", "vBC").wide(310),
            total("VALOR DO ICMS", "vICMS"),
            total("BASE DE CÁLC. ICMS ST", "vBCST"),
            total("VALOR DO ICMS ST", "vST"),
            total("V. IMP. IMPORTAÇÃO", "vII"),
            total("V. APROX. TRIBUTOS", "vTotTrib"),
            total("VALOR TOTAL DOS PRODUTOS", "vProd").wide(340),
        ],
        vec![
            total("VALOR DO FRETE", "vFrete").wide(310),
            total("VALOR DO SEGURO", "vSeg"),
            total("DESCONTO", "vDesc"),
            total("OUTRAS DESPESAS", "vOutro"),
            total("VALOR DO IPI", "vIPI"),
            GridCell::text("V. PIS / V. COFINS", both(note)).right(),
            total("VALOR TOTAL DA NOTA", "vNF").bold().wide(340),
        ],
    ];
    rows.extend(shares(note));
    Grid { title: "CÁLCULO DO IMPOSTO", rows }
}

fn both(note: Dfe<'_>) -> String {
    let at = |tag: &str| value::amount(note.text(&format!("{TOTALS}{tag}")));
    format!("{} / {}", at("vPIS"), at("vCOFINS"))
}

/// FCP and the share of the destination, if there is any.
fn shares<'x>(note: Dfe<'x>) -> Option<Vec<GridCell<'x>>> {
    let tags = ["vFCP", "vFCPST", "vICMSUFDest", "vFCPUFDest"];
    some_of(note, &tags).then(|| {
        let labels = [
            "VALOR DO FCP",
            "VALOR DO FCP RETIDO POR ST",
            "VALOR DO DIFAL NA UF DE DESTINO",
            "VALOR DO FCP NA UF DE DESTINO",
        ];
        cells(note, &labels, &tags)
    })
}

/// ICMS of fuels that are taxed once.
fn single_phase<'x>(note: Dfe<'x>) -> Option<Vec<GridCell<'x>>> {
    let tags = ["qBCMono", "vICMSMono", "qBCMonoReten", "vICMSMonoReten"];
    some_of(note, &tags).then(|| {
        let labels = [
            "BC DO ICMS MONOFÁSICO",
            "VALOR DO ICMS MONOFÁSICO",
            "BC DO ICMS MONOF. POR RETENÇÃO",
            "VALOR DO ICMS MONOF. POR RETENÇÃO",
        ];
        cells(note, &labels, &tags)
    })
}

fn some_of(note: Dfe<'_>, tags: &[&str]) -> bool {
    tags.iter().any(|tag| note.text(&format!("{TOTALS}{tag}")).bytes().any(|byte| (b'1'..=b'9').contains(&byte)))
}

fn cells<'x>(note: Dfe<'x>, labels: &[&'static str; 4], tags: &[&str; 4]) -> Vec<GridCell<'x>> {
    labels.iter().zip(tags).map(|(label, tag)| GridCell::money(label, note.text(&format!("{TOTALS}{tag}")))).collect()
}

/// Totals of products and note: two rows, or one with shorter labels on the wide and low sheet, to leave room for
/// items.
fn products_and_note<'x>(context: &DanfeContext<'x>) -> Grid<'x> {
    let note = context.note;
    let total = |label: &'static str, tag: &str| GridCell::money(label, note.text(&format!("{TOTALS}{tag}")));
    let (products, others) = match context.landscape {
        true => ("TOTAL DOS PRODUTOS", "OUTRAS DESPESAS"),
        false => ("VALOR TOTAL DOS PRODUTOS", "OUTRAS DESPESAS ACESSÓRIAS"),
    };
    let mut first = vec![
        total(products, "vProd"),
        total("VALOR DO FRETE", "vFrete"),
        total("VALOR DO SEGURO", "vSeg"),
        total("DESCONTO", "vDesc"),
        total(others, "vOutro"),
    ];
    let second = vec![
        total("V. APROX. TRIBUTOS", "vTotTrib"),
        total("VALOR DO II", "vII"),
        total("VALOR DO PIS", "vPIS"),
        total("VALOR DA COFINS", "vCOFINS"),
        total("VALOR TOTAL DA NOTA", "vNF").bold(),
    ];
    let rows = if context.landscape {
        first.extend(second);
        vec![first]
    } else {
        vec![first, second]
    };
    Grid { title: "TOTAL DOS PRODUTOS E TOTAL DA NOTA", rows }
}

fn icms_and_ipi<'x>(note: Dfe<'x>) -> Grid<'x> {
    let total = |label: &'static str, tag: &str| GridCell::money(label, note.text(&format!("{TOTALS}{tag}")));
    let mut rows = vec![vec![
        total("BASE DE CÁLCULO DO ICMS", "vBC"),
        total("VALOR DO ICMS", "vICMS"),
        total("BASE DE CÁLCULO DO ICMS ST", "vBCST"),
        total("VALOR DO ICMS ST", "vST"),
        total("VALOR DO IPI", "vIPI"),
    ]];
    rows.extend(shares(note));
    rows.extend(single_phase(note));
    Grid { title: "TOTAL DO ICMS / IPI", rows }
}

fn ibs_cbs_is<'x>(note: Dfe<'x>) -> Grid<'x> {
    let total = |label: &'static str, path: &str| GridCell::money(label, note.text(&format!("total/{path}")));
    let mut rows = vec![vec![
        total("VALOR DA CBS", "IBSCBSTot/gCBS/vCBS"),
        total("VALOR DO IBS UF", "IBSCBSTot/gIBS/gIBSUF/vIBSUF"),
        total("VALOR DO IBS MUNICÍPIO", "IBSCBSTot/gIBS/gIBSMun/vIBSMun"),
        total("VALOR DO IMPOSTO SELETIVO", "ISTot/vIS"),
    ]];
    if note.group("total/IBSCBSTot/gMono").is_some() {
        let mut row = vec![
            total("VALOR DO IBS MONOFÁSICO", "IBSCBSTot/gMono/vIBSMono"),
            total("VALOR DA CBS MONOFÁSICA", "IBSCBSTot/gMono/vCBSMono"),
        ];
        if !note.text("total/IBSCBSTot/gMono/vIBSMonoReten").is_empty() {
            row.push(total("VALOR DO IBS MONOF. POR RETENÇÃO", "IBSCBSTot/gMono/vIBSMonoReten"));
            row.push(total("VALOR DA CBS MONOF. POR RETENÇÃO", "IBSCBSTot/gMono/vCBSMonoReten"));
        }
        rows.push(row);
    }
    Grid { title: "TOTAL DO IBS / CBS / IS", rows }
}

/// Block of services, if there are any.
fn issqn<'x>(note: Dfe<'x>) -> Option<Grid<'x>> {
    note.group("total/ISSQNtot")?;
    let rows = vec![vec![
        GridCell::text("INSCRIÇÃO MUNICIPAL", note.text("emit/IM")),
        GridCell::money("VALOR TOTAL DOS SERVIÇOS", note.text("total/ISSQNtot/vServ")),
        GridCell::money("BASE DE CÁLCULO DO ISSQN", note.text("total/ISSQNtot/vBC")),
        GridCell::money("VALOR DO ISSQN", note.text("total/ISSQNtot/vISS")),
    ]];
    Some(Grid { title: "CÁLCULO DO ISSQN", rows })
}

fn transport<'x>(context: &DanfeContext<'x>) -> Grid<'x> {
    let note = context.note;
    let at = |tag: &str| note.text(&format!("transp/{tag}"));
    let document = note.first(&["transp/transporta/CNPJ", "transp/transporta/CPF"]);
    let mut rows = vec![
        vec![
            GridCell::text("NOME / RAZÃO SOCIAL", at("transporta/xNome")),
            GridCell::text("FRETE POR CONTA", freight(at("modFrete"))).wide(330),
            GridCell::text("CÓDIGO ANTT", at("veicTransp/RNTC")).wide(230),
            GridCell::text("PLACA DO VEÍCULO", at("veicTransp/placa")).centred().wide(230),
            GridCell::text("UF", at("veicTransp/UF")).centred().wide(90),
            GridCell::text("CNPJ / CPF", value::taxpayer(document)).wide(360),
        ],
        vec![
            GridCell::text("ENDEREÇO", at("transporta/xEnder")),
            GridCell::text("MUNICÍPIO", at("transporta/xMun")).wide(600),
            GridCell::text("UF", at("transporta/UF")).centred().wide(90),
            GridCell::text("INSCRIÇÃO ESTADUAL", at("transporta/IE")).wide(360),
        ],
    ];
    rows.extend(note.all("transp", "vol").take(context.bounds.volumes).map(volume));
    if note.group("transp/vol").is_none() {
        rows.push(volume_cells(&|_| ""));
    }
    Grid { title: "TRANSPORTADOR / VOLUMES TRANSPORTADOS", rows }
}

fn volume<'x>(vol: StoredElement<'x>) -> Vec<GridCell<'x>> {
    volume_cells(&|tag| vol.text_at(tag).unwrap_or_default())
}

fn volume_cells<'x>(at: &dyn Fn(&str) -> &'x str) -> Vec<GridCell<'x>> {
    vec![
        GridCell::text("QUANTIDADE", at("qVol")).wide(280),
        GridCell::text("ESPÉCIE", at("esp")),
        GridCell::text("MARCA", at("marca")),
        GridCell::text("NUMERAÇÃO", at("nVol")),
        GridCell::text("PESO BRUTO", value::quantity(at("pesoB"), 3)).right().wide(330),
        GridCell::text("PESO LÍQUIDO", value::quantity(at("pesoL"), 3)).right().wide(330),
    ]
}

/// Volumes without a row.
pub(super) fn further_volumes(context: &DanfeContext<'_>) -> Option<String> {
    let words = |vol: StoredElement<'_>| {
        let at = |tag: &str| vol.text_at(tag).unwrap_or_default();
        let mut told: Vec<String> = ["qVol", "esp", "marca", "nVol"].iter().map(|tag| at(tag).to_owned()).collect();
        for (name, tag) in [("bruto", "pesoB"), ("líquido", "pesoL")] {
            told.extend((!at(tag).is_empty()).then(|| format!("{name} {} kg", value::quantity(at(tag), 3))));
        }
        told.retain(|part| !part.is_empty());
        told.join(" ")
    };
    let rest: Vec<String> = context.note.all("transp", "vol").skip(context.bounds.volumes).map(words).collect();
    (!rest.is_empty()).then(|| format!("DEMAIS VOLUMES: {}", rest.join("; ")))
}

fn freight(code: &str) -> String {
    let name = match code {
        "0" => "Remetente (CIF)",
        "1" => "Destinatário (FOB)",
        "2" => "Terceiros",
        "3" => "Próprio Rem.",
        "4" => "Próprio Dest.",
        "9" => "Sem Frete",
        _ => return code.to_owned(),
    };
    format!("{code} - {name}")
}
