//! Fields of the modal: a row of fields per modal.
//!
//! The service issues road only; the other modals occur in documents of other issuers.
//!
//! Law: MOC CT-e 4.00, Anexo II (informações específicas do modal) and the layouts of the modals.

use super::DacteContext;
use crate::form::dfe::Dfe;
use crate::form::grid::{Grid, GridCell};
use crate::form::stored::StoredElement;
use crate::form::value;

/// A modal: its code, name, element, title and rows.
struct Modal {
    code: &'static str,
    name: &'static str,
    element: &'static str,
    title: &'static str,
    rows: &'static [&'static [ModalField]],
}

/// A labelled cell: label, path below the modal, format, and width (0 shares the rest).
type ModalField = (&'static str, &'static str, fn(&str) -> String, i32);

const MODALS: &[Modal] = &[
    Modal {
        code: "01",
        name: "Rodoviário",
        element: "rodo",
        title: "INFORMAÇÕES ESPECÍFICAS DO MODAL RODOVIÁRIO",
        rows: &[&[("RNTRC DA EMPRESA", "RNTRC", plain, 500)]],
    },
    Modal {
        code: "02",
        name: "Aéreo",
        element: "aereo",
        title: "INFORMAÇÕES ESPECÍFICAS DO MODAL AÉREO",
        rows: &[
            &[
                ("Nº OPERACIONAL DO CT-E AÉREO", "nOCA", plain, 0),
                ("NÚMERO DA MINUTA", "nMinu", plain, 0),
                ("DATA PREVISTA DA ENTREGA", "dPrevAereo", value::date, 0),
                ("CLASSE DA TARIFA", "tarifa/CL", plain, 240),
                ("CÓDIGO DA TARIFA", "tarifa/cTar", plain, 240),
                ("VALOR DA TARIFA", "tarifa/vTar", value::amount, 240),
            ],
            &[("DIMENSÃO", "natCarga/xDime", plain, 0), ("INFORMAÇÕES DE MANUSEIO", "natCarga/cInfManu", plain, 0)],
        ],
    },
    Modal {
        code: "03",
        name: "Aquaviário",
        element: "aquav",
        title: "INFORMAÇÕES ESPECÍFICAS DO MODAL AQUAVIÁRIO",
        rows: &[
            &[
                ("IDENTIFICAÇÃO DO NAVIO", "xNavio", plain, 0),
                ("BALSAS", "balsa/xBalsa", plain, 0),
                ("Nº DA VIAGEM", "nViag", plain, 220),
                ("DIREÇÃO", "direc", plain, 150),
            ],
            &[
                ("IRIN", "irin", plain, 0),
                ("VALOR DA PRESTAÇÃO BASE DE CÁLC. DO AFRMM", "vPrest", value::amount, 0),
                ("AFRMM", "vAFRMM", value::amount, 0),
            ],
        ],
    },
    Modal {
        code: "04",
        name: "Ferroviário",
        element: "ferrov",
        title: "INFORMAÇÕES ESPECÍFICAS DO MODAL FERROVIÁRIO",
        rows: &[&[
            ("TIPO DE TRÁFEGO", "tpTraf", traffic, 0),
            ("FLUXO FERROVIÁRIO", "fluxo", plain, 0),
            ("RESPONSÁVEL PELO FATURAMENTO", "trafMut/respFat", railway, 0),
            ("FERROVIA EMITENTE", "trafMut/ferrEmi", railway, 300),
            ("VALOR DO FRETE DO TRÁFEGO MÚTUO", "trafMut/vFrete", value::amount, 0),
        ]],
    },
    Modal {
        code: "05",
        name: "Dutoviário",
        element: "duto",
        title: "INFORMAÇÕES ESPECÍFICAS DO MODAL DUTOVIÁRIO",
        rows: &[&[
            ("VALOR DA TARIFA", "vTar", plain, 0),
            ("INÍCIO DA PRESTAÇÃO", "dIni", value::date, 0),
            ("FIM DA PRESTAÇÃO", "dFim", value::date, 0),
            ("PONTO DE ENTRADA", "codPontoEntrada", plain, 0),
            ("PONTO DE SAÍDA", "codPontoSaida", plain, 0),
            ("Nº DO CONTRATO", "nContrato", plain, 0),
        ]],
    },
    Modal {
        code: "06",
        name: "Multimodal",
        element: "multimodal",
        title: "INFORMAÇÕES ESPECÍFICAS DO TRANSPORTE MULTIMODAL",
        rows: &[
            &[("Nº DO CERTIFICADO DO OTM", "COTM", plain, 0), ("NEGOCIÁVEL", "indNegociavel", negotiable, 300)],
            &[
                ("SEGURADORA", "seg/infSeg/xSeg", plain, 0),
                ("CNPJ DA SEGURADORA", "seg/infSeg/CNPJ", value::taxpayer, 0),
                ("Nº DA APÓLICE", "seg/nApol", plain, 0),
                ("Nº DA AVERBAÇÃO", "seg/nAver", plain, 0),
            ],
        ],
    },
];

const IN_FORCE: &str = "ESTE CONHECIMENTO DE TRANSPORTE ATENDE À LEGISLAÇÃO DE TRANSPORTE RODOVIÁRIO EM VIGOR";
const PLACE: &str = "infCTeNorm/infModal";

/// Name of a modal.
pub(super) fn name(code: &str) -> &str {
    MODALS.iter().find(|modal| modal.code == code).map_or(code, |modal| modal.name)
}

/// Block of the modal; `None` in a complement, which has no modal.
pub(super) fn grid<'x>(context: &DacteContext<'x>) -> Option<Grid<'x>> {
    let inside = context.cte.group(PLACE)?;
    let found = MODALS.iter().find_map(|modal| Some((modal, inside.child(modal.element)?)));
    let (modal, element) = found?;
    let mut rows: Vec<Vec<GridCell<'x>>> =
        modal.rows.iter().map(|row| row.iter().map(|field| cell(element, field)).collect()).collect();
    match (modal.code, rows.last_mut()) {
        ("01", Some(row)) => row.push(GridCell::text("", IN_FORCE)),
        ("02", Some(row)) => {
            let taken = if context.cte.text("ide/retira") == "0" { "Sim" } else { "Não" };
            row.push(GridCell::text("RECEBEDOR RETIRA", taken).wide(270));
            row.push(GridCell::text("DETALHES DA RETIRADA", context.cte.text("ide/xDetRetira")));
        }
        _ => {}
    }
    Some(Grid { title: modal.title, rows })
}

fn cell<'x>(element: StoredElement<'x>, (label, path, shown, width): &ModalField) -> GridCell<'x> {
    let told: Vec<String> = all_at(element, path).into_iter().map(shown).collect();
    let cell = GridCell::text(label, told.join(", "));
    if *width > 0 { cell.wide(*width) } else { cell }
}

/// Texts at a path whose elements may repeat.
fn all_at<'x>(element: StoredElement<'x>, path: &str) -> Vec<&'x str> {
    path.split('/')
        .fold(vec![element], |found, name| {
            found
                .iter()
                .flat_map(|element| element.children().filter(|child| child.name() == name).collect::<Vec<_>>())
                .collect()
        })
        .iter()
        .map(|element| element.text())
        .collect()
}

/// Repeated elements of a modal that have no cell, as texts.
pub(super) fn in_words(cte: Dfe<'_>) -> Vec<String> {
    let all = |path: &'static str, name: &'static str| cte.all(path, name);
    let orders = all("infCTeNorm/infModal/rodo", "occ").map(|occ| {
        let at = |tag: &str| occ.text_at(tag).unwrap_or_default();
        let series = if at("serie").is_empty() { String::new() } else { format!("{}/", at("serie")) };
        format!(
            "ORDEM DE COLETA {series}{} de {}, {}",
            at("nOcc"),
            value::date(at("dEmi")),
            value::taxpayer(at("emiOcc/CNPJ"))
        )
    });
    let dangerous = all("infCTeNorm/infModal/aereo", "peri").map(|peri| {
        let at = |tag: &str| peri.text_at(tag).unwrap_or_default();
        format!(
            "ARTIGO PERIGOSO ONU {}: {} volumes, {} ({})",
            at("nONU"),
            at("qTotEmb"),
            at("infTotAP/qTotProd"),
            at("infTotAP/uniAP")
        )
    });
    let containers = all("infCTeNorm/infModal/aquav", "detCont").map(|container| {
        let seals = all_at(container, "lacre/nLacre").join(", ");
        format!("CONTÊINER {} LACRES {seals}", container.text_at("nCont").unwrap_or_default())
    });
    let railways = all("infCTeNorm/infModal/ferrov/trafMut", "ferroEnv").map(|railway| {
        let at = |tag: &str| railway.text_at(tag).unwrap_or_default();
        format!("FERROVIA ENVOLVIDA {} {} IE {}", at("xNome"), value::taxpayer(at("CNPJ")), at("IE"))
    });
    orders.chain(dangerous).chain(containers).chain(railways).collect()
}

/// Rows of a road service.
pub(super) fn service<'x>(context: &DacteContext<'x>) -> Option<Grid<'x>> {
    let cte = context.cte;
    cte.group("infCTeNorm/infModal/rodoOS")?;
    let at = |path: &str| cte.text(&format!("infCTeNorm/infModal/rodoOS/{path}"));
    let owner = if at("veic/prop/CNPJ").is_empty() { at("veic/prop/CPF") } else { at("veic/prop/CNPJ") };
    let permit = if at("veic/prop/TAF").is_empty() { at("veic/prop/NroRegEstadual") } else { at("veic/prop/TAF") };
    let charter = match at("infFretamento/tpFretamento") {
        "1" => "Eventual",
        "2" => "Contínuo",
        other => other,
    };
    let rows = vec![
        vec![
            GridCell::text("TERMO DE AUTORIZAÇÃO DE FRETAMENTO - TAF", at("TAF")).wide(620),
            GridCell::text("Nº DO REGISTRO ESTADUAL", at("NroRegEstadual")),
            GridCell::text("FRETAMENTO", charter).wide(250),
            GridCell::text("DATA E HORA DA VIAGEM", value::moment(at("infFretamento/dhViagem"))).wide(360),
        ],
        vec![
            GridCell::text("PLACA DO VEÍCULO", at("veic/placa")).wide(260),
            GridCell::text("UF", at("veic/UF")).centred().wide(100),
            GridCell::text("RENAVAM", at("veic/RENAVAM")).wide(260),
            GridCell::text("PROPRIETÁRIO", at("veic/prop/xNome")),
            GridCell::text("CNPJ/CPF", value::taxpayer(owner)).wide(360),
            GridCell::text("TAF / Nº REG. ESTADUAL", permit).wide(420),
        ],
    ];
    Some(Grid { title: "INFORMAÇÕES ESPECÍFICAS DO MODAL RODOVIÁRIO", rows })
}

fn plain(text: &str) -> String {
    text.to_owned()
}

fn traffic(tpTraf: &str) -> String {
    let name = match tpTraf {
        "0" => "Próprio",
        "1" => "Mútuo",
        "2" => "Rodoferroviário",
        "3" => "Rodoviário",
        other => other,
    };
    name.to_owned()
}

fn railway(code: &str) -> String {
    let name = match code {
        "1" => "Ferrovia de origem",
        "2" => "Ferrovia de destino",
        other => other,
    };
    name.to_owned()
}

fn negotiable(indNegociavel: &str) -> String {
    (if indNegociavel == "1" { "Sim" } else { "Não" }).to_owned()
}
