//! Summary for approval before a document is issued: seller, buyer, goods and amounts.
//!
//! Law: `docs/contract.md`, "Checking and preparing" (preparar). The addressee's name is the caller's, because
//! homologação replaces it by a fixed one.

use super::groups::INF_NFE;
use super::official_tree;
use crate::nota::root_scope;
use crate::summary::{DocumentSummary, SummaryItem, SummaryParty, party};
use crate::xml::Element;
use serde_json::{Map, Value};

/// Returns the summary of a document that `build` made from this `nota`.
pub(crate) fn summary(nota: &Value, nfe: &Element) -> DocumentSummary {
    let Some(inf) = nfe.child("infNFe") else { return DocumentSummary::default() };
    let destinatario = inf.child("dest").map(|dest| {
        let built = party(dest);
        SummaryParty { xNome: addressee_name(nota).or(built.xNome), ..built }
    });
    let itens = inf.children().filter(|child| child.name == "det").map(read_item);
    DocumentSummary {
        emitente: inf.child("emit").map(party).unwrap_or_default(),
        destinatario,
        natOp: text(inf, "ide/natOp"),
        itens: itens.collect(),
    }
}

/// Name of the addressee as the caller wrote it.
pub(crate) fn addressee_name(nota: &Value) -> Option<String> {
    let empty = Map::new();
    let root = official_tree::groups(nota).as_object().unwrap_or(&empty);
    root_scope(root).below(INF_NFE.child("dest"), "dest").text("xNome").map(|name| name.trim().to_owned())
}

/// Item of a goods document, from its `det`.
pub fn read_item(item: &Element) -> SummaryItem {
    let prod = |tag: &str| text(item, &format!("prod/{tag}"));
    SummaryItem {
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
