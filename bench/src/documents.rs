//! Documents for measurements: a sale of `items` different products, Simples Nacional, paid by PIX, and the guide's
//! transport.

use anyhow::{Context as _, Result};
use fiscal::document::{BuildContext, BuiltDocument};
use fiscal::finding::Violation;
use fiscal::value::{ChaveAcesso, ChaveParts};
use serde_json::{Map, Value, json};

/// A function that makes a document from a payload.
type BuildDocument = fn(&Value, &BuildContext<'_>) -> Result<BuiltDocument, Vec<Violation>>;

/// A payload with the functions that make our document from it.
pub(crate) struct BenchDocument {
    pub(crate) name: String,
    pub(crate) modelo: u8,
    pub(crate) nota: Value,
    pub(crate) issuer: Map<String, Value>,
    /// At acceptance: with every check.
    pub(crate) build: BuildDocument,
    /// At preparation: without the checks that acceptance has made.
    pub(crate) write: BuildDocument,
}

impl BenchDocument {
    /// An NF-e with this many items.
    pub(crate) fn note(items: usize) -> BenchDocument {
        let (build, write): (BuildDocument, BuildDocument) = (fiscal::nfe::build, fiscal::nfe::write);
        BenchDocument { name: format!("NF-e, {items} items"), modelo: 55, nota: nota(items), issuer: issuer(), build, write }
    }

    /// The CT-e of the guide, with this many carried notes.
    pub(crate) fn transport(carried: u32) -> Result<BenchDocument> {
        let guide: Value = serde_json::from_str(include_str!("../../docs/guides/cte.json"))?;
        let mut nota = guide.get("nota").cloned().context("the guide's nota")?;
        let keys = (1..=carried).map(carried_key).collect::<Result<Vec<Value>>>()?;
        nota["documentos"] = json!({ "nfe": keys });
        let (build, write): (BuildDocument, BuildDocument) = (fiscal::cte::build, fiscal::cte::write);
        Ok(BenchDocument { name: format!("CT-e, {carried} notes"), modelo: 57, nota, issuer: issuer(), build, write })
    }
}

/// Returns the key of a carried note; each number gives another.
fn carried_key(number: u32) -> Result<Value> {
    let first = ChaveAcesso::parse("35261112ABC34501DE35550010000000011847362511")?;
    Ok(ChaveAcesso::compose(&ChaveParts { nNF: number, ..first.parts() }).as_str().into())
}

/// The issuer, as the service fills it in.
fn issuer() -> Map<String, Value> {
    let issuer = json!({
        "CNPJCPF": "11222333000181", "xNome": "Papelaria Exemplo Ltda", "IE": "110042490114", "CRT": 1, "xLgr": "Praça da Sé",
        "nro": "1", "xBairro": "Sé", "cMun": 3550308, "xMun": "São Paulo", "UF": "SP", "CEP": "01001000", "cPais": 1058,
        "xPais": "Brasil"
    });
    issuer.as_object().cloned().unwrap_or_default()
}

/// The member `nota` of a request, with this many items.
pub(crate) fn nota(items: usize) -> Value {
    let total: serde_json::Number = decimal(items);
    json!({
        "identificacao": { "natOp": "Venda de mercadoria", "tpNF": 1, "indFinal": 1, "indPres": 1 },
        "destinatario": {
            "CNPJCPF": "52998224725", "xNome": "Maria da Silva", "indIEDest": 9, "xLgr": "Rua Direita", "nro": "250",
            "xBairro": "Sé", "cMun": 3550308, "xMun": "São Paulo", "UF": "SP", "CEP": "01002000"
        },
        "produtos": (1..=items).map(product).collect::<Vec<_>>(),
        "pagamentos": [{ "indPag": 0, "tPag": "17", "vPag": total }]
    })
}

fn product(item: usize) -> Value {
    json!({
        "cProd": format!("CAD-{item}"), "xProd": format!("Caderno universitário {item} folhas"), "NCM": "48202000", "CFOP": 5102,
        "uCom": "UN", "qCom": 20, "vUnCom": decimal_of("5.00"), "vProd": decimal_of("100.00"),
        "icms": { "orig": 0, "CSOSN": "102" }, "pis": { "CST": "49" }, "cofins": { "CST": "49" }
    })
}

fn decimal(items: usize) -> serde_json::Number {
    format!("{items}00.00").parse().unwrap_or_else(|_| 0.into())
}

fn decimal_of(text: &str) -> Value {
    text.parse::<serde_json::Number>().map_or(Value::Null, Value::Number)
}
