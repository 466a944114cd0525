//! The software house (`infRespTec`): who answers for the program that issues, and the hash that proves it.
//!
//! Law: NT 2018.005, group ZD, and `infRespTec` of the CT-e, which is the same: `hashCSRT` is the base64 of the SHA-1 of CSRT and key. Must not know where a CSRT is kept.

use crate::document::SoftwareHouse;
use crate::layout::{Element, Particle};
use crate::map::{Place, Scope, Walker};
use crate::value::ChaveAcesso;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use sha1::{Digest, Sha1};

/// The secret of the software house at the authority, which is never written itself.
pub(crate) const CSRT: &str = "CSRT";

/// Writes the payload's house; ours when there is none, or to complete the same one. A CSRT is written as its hash only.
pub(crate) fn write<'a>(
    walker: &mut Walker,
    particle: &'static Particle,
    element: &'static Element,
    root: &'static Place,
    scope: &Scope<'a>,
    ours: Option<SoftwareHouse<'a>>,
    chave: &ChaveAcesso,
) {
    let place = root.child(element.name);
    let own = scope.below(place, element.name);
    let ours = ours.filter(|ours| own.is_empty() || is_same(&own, ours.record));
    let secret = own.text(CSRT).or(ours.and_then(|ours| ours.csrt)).filter(|_| own.text("hashCSRT").is_none());
    let hash = secret.map(|secret| Map::from_iter([("hashCSRT".to_owned(), hash(secret.trim(), chave).into())]));
    let own = match ours {
        Some(ours) => own.or(ours.record),
        None => own,
    };
    match (&hash, ours) {
        (Some(hash), _) => walker.group(element, place, &own.forced(hash)),
        (None, Some(_)) => walker.group(element, place, &own),
        (None, None) => walker.member(particle, Some(root), scope),
    }
}

fn is_same(own: &Scope<'_>, ours: &Map<String, Value>) -> bool {
    let plain = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let theirs = own.text("CNPJ").map(plain);
    theirs.is_some() && theirs == ours.get("CNPJ").and_then(Value::as_str).map(plain)
}

fn hash(csrt: &str, chave: &ChaveAcesso) -> String {
    STANDARD.encode(Sha1::new().chain_update(csrt).chain_update(chave.as_str()).finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The official example's key (`4118…0697`) has a wrong check digit; the same CSRT over a right one, by OpenSSL.
    #[test]
    fn hashes_the_secret_and_the_key() {
        let chave = ChaveAcesso::parse("35261111222333000181550010000000011847362510").unwrap();
        assert_eq!(hash("G8063VRTNDMO886SFNK5LDUDEI24XJ22YIPO", &chave), "nk33A/jg0BWZ0AOtPS8XKgQap8I=");
    }
}
