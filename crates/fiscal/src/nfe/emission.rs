//! The kind of issue that a `nota` requests: `identificacao.tpEmis` with its reasons, and the DANFE Simplificado Tipo
//! 2, which makes an NF-e a retail document.
//!
//! Law: MOC 7.0, anexo III (FS-DA, SVC, EPEC) and anexo IV (offline); rules 556, 557, 570, 711, 714; NT 2026.002 and NT
//! 2026.003 (`tpImp` 6). The engine decides which request is granted; a refused request becomes a notice.

use super::groups::INF_NFE;
use super::official_tree;
use crate::document::BuildContext;
use crate::finding::{Notice, excerpt};
use crate::map::{GroupScope, LayoutWalker};
use crate::nota::root_scope;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Kind of issue that a payload requests. The reasons may be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NfeEmissionRequest<'a> {
    tpEmis: Option<u8>,
    /// `dhEmi` of the payload.
    pub dhEmi: Option<&'a str>,
    pub dhCont: Option<&'a str>,
    pub xJust: Option<&'a str>,
    /// `tpImp` 6: printed as a DANFE Simplificado Tipo 2.
    pub tipo_2: bool,
}

impl<'a> NfeEmissionRequest<'a> {
    /// Reads `nota` leniently: unreadable values request nothing.
    pub fn of(nota: &'a Value) -> NfeEmissionRequest<'a> {
        official_tree::groups(nota).as_object().map_or_else(NfeEmissionRequest::default, NfeEmissionRequest::at)
    }

    fn at(root: &'a Map<String, Value>) -> NfeEmissionRequest<'a> {
        let ide = ide(root);
        NfeEmissionRequest {
            tpEmis: ide.text("tpEmis").and_then(|tpEmis| tpEmis.trim().parse().ok()),
            dhEmi: ide.text("dhEmi"),
            dhCont: ide.text("dhCont"),
            xJust: ide.text("xJust"),
            tipo_2: ide.text("tpImp").is_some_and(|tpImp| tpImp.trim() == "6"),
        }
    }

    /// Returns the requested `tpEmis` if the issuer may choose it: 4 and 5 for an NF-e, 9 for an NFC-e and for an NF-e
    /// with `tpImp` 6.
    pub fn chosen(&self, modelo: u8) -> Option<u8> {
        self.tpEmis.filter(|tpEmis| match (modelo, tpEmis) {
            (55, 4 | 5) | (65, 9) => true,
            (55, 9) => self.tipo_2,
            _ => false,
        })
    }

    /// Returns the contingency authority that an NF-e requests: 6 (SVC-AN) or 7 (SVC-RS). Only the issuer's state can
    /// open it.
    pub fn svc(&self, modelo: u8) -> Option<u8> {
        self.tpEmis.filter(|tpEmis| modelo == 55 && matches!(tpEmis, 6 | 7))
    }
}

/// True for a retail document: an NFC-e, or an NF-e printed like one.
pub(super) fn is_retail(root: &Map<String, Value>, modelo: u8) -> bool {
    modelo == 65 || NfeEmissionRequest::at(root).tipo_2
}

/// Members of `ide` that the document cannot contain. An NFC-e has no time of exit. A document whose contingency was
/// not granted has no reasons for it; with reasons the authority would reject it (556).
pub(super) fn absent_members(root: &Map<String, Value>, context: &BuildContext<'_>) -> Vec<&'static str> {
    let mut unsaid = Vec::new();
    if context.modelo == 65 {
        unsaid.push("dhSaiEnt");
    }
    if overruled(&ide(root), context).is_some() && context.tpEmis == 1 {
        unsaid.extend(REASONS);
    }
    unsaid
}

/// Adds a notice with the reason for a `tpEmis` that an NF-e does not get. `consumer` reports it for an NFC-e.
pub(super) fn report(root: &Map<String, Value>, context: &BuildContext<'_>, walker: &mut LayoutWalker) {
    let ide = ide(root);
    let Some(given) = overruled(&ide, context) else { return };
    let right = context.tpEmis.to_string();
    if context.modelo == 55 {
        let given = excerpt(&given);
        let mensagem =
            format!("tpEmis {given} não foi usado: {} A nota sai com tpEmis {right}.", refusal_reason(&given));
        walker.add_notice(|| {
            Notice::of(format!("{}.tpEmis", ide.base_path()), "campo_ignorado", &mensagem, Some(&right))
        });
    }
    if context.tpEmis != 1 {
        return;
    }
    for name in REASONS.into_iter().filter(|name| ide.text(name).is_some()) {
        let mensagem = format!("{name} só existe em contingência e foi ignorado com ela: a nota sai com tpEmis 1.");
        walker.add_notice(|| Notice::of(format!("{}.{name}", ide.base_path()), "campo_ignorado", &mensagem, None));
    }
}

/// Returns the requested `tpEmis` if it differs from the document's.
fn overruled<'a>(ide: &GroupScope<'a>, context: &BuildContext<'_>) -> Option<Cow<'a, str>> {
    let (_, given) = ide.differing_value("tpEmis", &context.tpEmis.to_string())?;
    Some(given).filter(|given| given.parse() != Ok(context.tpEmis))
}

fn refusal_reason(given: &str) -> &'static str {
    match given {
        "1" => "a autoridade está fora de operação.",
        "2" => {
            "o formulário FS-IA não é mais fabricado; para imprimir em formulário de segurança informe 5 (FS-DA), com dhCont e xJust."
        }
        "3" => "a Nota Fiscal Fácil é emitida só pelo aplicativo do Fisco.",
        "6" | "7" => {
            "a SVC recebe notas só enquanto a SEFAZ do estado a mantém aberta. O serviço a consulta e a usa por conta própria quando a \
             SEFAZ para (contingencia da empresa)."
        }
        "9" => "a emissão off-line do modelo 55 existe só com tpImp 6 (DANFE Simplificado Tipo 2).",
        _ => "os tipos de emissão que se podem pedir são 1, 4 (EPEC), 5 (FS-DA) e, com tpImp 6, 9 (off-line).",
    }
}

fn ide(root: &Map<String, Value>) -> GroupScope<'_> {
    root_scope(root).below(INF_NFE.child("ide"), "ide")
}

const REASONS: [&str; 2] = ["dhCont", "xJust"];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(ide: Value) -> (Option<u8>, Option<u8>, Option<u8>) {
        let nota = json!({ "identificacao": ide });
        let asked = NfeEmissionRequest::of(&nota);
        (asked.chosen(55), asked.chosen(65), asked.svc(55))
    }

    #[test]
    fn an_issuer_chooses_epec_and_security_paper_and_only_retail_goes_offline() {
        assert_eq!(asked(json!({})), (None, None, None));
        assert_eq!(asked(json!({ "tpEmis": 4 })), (Some(4), None, None));
        assert_eq!(asked(json!({ "tpEmis": "5 " })), (Some(5), None, None));
        assert_eq!(asked(json!({ "tpEmis": 9 })), (None, Some(9), None));
        assert_eq!(asked(json!({ "tpEmis": 9, "tpImp": "6" })), (Some(9), Some(9), None));
        assert_eq!(asked(json!({ "tpEmis": 7 })), (None, None, Some(7)));
        assert_eq!(asked(json!({ "tpEmis": "off" })), (None, None, None));
    }

    #[test]
    fn a_nota_that_is_no_object_asks_for_nothing() {
        assert_eq!(NfeEmissionRequest::of(&json!([])), NfeEmissionRequest::default());
    }
}
