//! What a person reads before a document is issued: who sells what to whom, for how much.
//!
//! Law: `spec/not-shown.md` §5 (preparar). Read from what was built, so that it shows what would be issued; only the addressee's name is
//! the caller's, since homologação puts a fixed one in its place.

use super::groups::INF_NFE;
use super::official;
use crate::nota::root_scope;
use crate::xml::{self, Element};
use serde_json::{Map, Value};

/// A document in short. Values are decimal texts as in the document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// CNPJ or CPF and name of the issuer.
    pub emitente: Party,
    /// The same of the addressee, when there is one.
    pub destinatario: Option<Party>,
    /// `natOp`.
    pub natOp: String,
    /// In order.
    pub itens: Vec<Line>,
}

/// One side of the sale.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "official tags")]
pub struct Party {
    /// CNPJ, CPF or foreign id.
    pub documento: Option<String>,
    pub xNome: Option<String>,
}

/// One item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "official tags")]
pub struct Line {
    pub cProd: String,
    pub xProd: String,
    pub CFOP: String,
    pub uCom: String,
    pub qCom: String,
    pub vUnCom: String,
    pub vProd: String,
}

/// Of a document as `build` made it from this `nota`.
pub fn summary(nota: &Value, built_xml: &str) -> Summary {
    let Ok(nfe) = xml::read(built_xml.as_bytes()) else { return Summary::default() };
    let Some(inf) = nfe.child("infNFe") else { return Summary::default() };
    let destinatario = inf.child("dest").map(|dest| {
        let built = party(dest);
        Party { xNome: addressee_name(nota).or(built.xNome), ..built }
    });
    let itens = inf.children().filter(|child| child.name == "det").map(line);
    Summary {
        emitente: inf.child("emit").map(party).unwrap_or_default(),
        destinatario,
        natOp: text(inf, "ide/natOp"),
        itens: itens.collect(),
    }
}

fn party(group: &Element) -> Party {
    let documento = ["CNPJ", "CPF", "idEstrangeiro"].iter().find_map(|tag| group.text_at(tag));
    let owned = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    Party { documento: documento.and_then(owned), xNome: group.text_at("xNome").and_then(owned) }
}

fn addressee_name(nota: &Value) -> Option<String> {
    let empty = Map::new();
    let root = official::groups(nota).as_object().unwrap_or(&empty);
    root_scope(root).below(INF_NFE.child("dest"), "dest").text("xNome").map(|name| name.trim().to_owned())
}

fn line(item: &Element) -> Line {
    let prod = |tag: &str| text(item, &format!("prod/{tag}"));
    Line {
        cProd: prod("cProd"),
        xProd: prod("xProd"),
        CFOP: prod("CFOP"),
        uCom: prod("uCom"),
        qCom: prod("qCom"),
        vUnCom: prod("vUnCom"),
        vProd: prod("vProd"),
    }
}

fn text(element: &Element, path: &str) -> String {
    element.text_at(path).unwrap_or_default().to_owned()
}
