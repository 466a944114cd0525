//! The software house (`infRespTec`), which answers for the issuing program, and the hash that proves it.
//!
//! Law: NT 2018.005, group ZD, and `infRespTec` of the CT-e, which is equal: `hashCSRT` is the base64 of the SHA-1 of
//! CSRT and key. Must not know where a CSRT is stored.

use crate::document::SoftwareHouse;
use crate::layout::{Element, Particle};
use crate::map::{ElementMapping, GroupScope, LayoutWalker};
use crate::value::ChaveAcesso;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use sha1::{Digest, Sha1};

/// Secret that the authority gave the software house. Never written itself.
pub(crate) const CSRT: &str = "CSRT";

/// Writes the software house of the payload. The service's own is written when the payload has none, and completes an
/// entry of its own CNPJ. A CSRT is written only as its hash.
pub(crate) fn write<'a>(
    walker: &mut LayoutWalker,
    particle: &'static Particle,
    element: &'static Element,
    root: &'static ElementMapping,
    scope: &GroupScope<'a>,
    ours: Option<SoftwareHouse<'a>>,
    chave: &ChaveAcesso,
) {
    let place = root.child(element.name);
    let own = scope.below(place, element.name);
    let ours = ours.filter(|ours| own.is_empty() || is_same(&own, ours.record));
    let secret = own.text(CSRT).or(ours.and_then(|ours| ours.csrt)).filter(|_| own.text("hashCSRT").is_none());
    let hash = secret.map(|secret| hash(secret.trim(), chave));
    let own = match ours {
        Some(ours) => own.or(ours.record),
        None => own,
    };
    let id = own.text("idCSRT").and_then(|id| in_digits(element, id));
    let members = [("idCSRT", id), ("hashCSRT", hash)];
    let forced: Map<String, Value> =
        members.into_iter().filter_map(|(tag, text)| Some((tag.to_owned(), text?.into()))).collect();
    match (forced.is_empty(), ours) {
        (false, _) => walker.group(element, place, &own.forced(&forced)),
        (true, Some(_)) => walker.group(element, place, &own),
        (true, None) => walker.member(particle, Some(root), scope),
    }
}

fn is_same(own: &GroupScope<'_>, ours: &Map<String, Value>) -> bool {
    let plain = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let theirs = own.text("CNPJ").map(plain);
    theirs.is_some() && theirs == ours.get("CNPJ").and_then(Value::as_str).map(plain)
}

/// Formats an identifier in the number of digits of the layout: two in an NF-e, three in a CT-e.
fn in_digits(element: &Element, id: &str) -> Option<String> {
    let number: u16 = id.trim().parse().ok()?;
    let digits = element.child("idCSRT")?.text()?.patterns.first()?;
    (1..=3).map(|width| format!("{number:0width$}")).find(|text| digits.is_match(text))
}

fn hash(csrt: &str, chave: &ChaveAcesso) -> String {
    STANDARD.encode(Sha1::new().chain_update(csrt).chain_update(chave.as_str()).finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identifier_has_the_digits_of_its_layout() {
        let house =
            |layout: &crate::layout::Layout, inf: &str| in_digits(layout.root.child(inf)?.child("infRespTec")?, "1");
        assert_eq!(house(&crate::layout::NFE, "infNFe").as_deref(), Some("01"));
        assert_eq!(house(&crate::layout::CTE, "infCte").as_deref(), Some("001"));
        assert_eq!(house(&crate::layout::CTE_OS, "infCte").as_deref(), Some("001"));
    }

    /// The key of the official example (`4118…0697`) has a wrong check digit. This vector hashes the same CSRT with a
    /// valid key, by OpenSSL.
    #[test]
    fn hashes_the_secret_and_the_key() {
        let chave = ChaveAcesso::parse("35261111222333000181550010000000011847362510").unwrap();
        assert_eq!(hash("G8063VRTNDMO886SFNK5LDUDEI24XJ22YIPO", &chave), "nk33A/jg0BWZ0AOtPS8XKgQap8I=");
    }
}
