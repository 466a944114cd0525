//! A party abroad: the fixed values of the manual for its address and number fill what the caller leaves out.
//!
//! Law: MOC CT-e 4.00 anexo I: `cMun` 9999999, `xMun` EXTERIOR, `UF` EX, and zeros as the CNPJ of a party without one.

use crate::map::GroupScope;
use crate::nota::issuer::DOCUMENT;
use serde_json::{Map, Value};

const ABROAD: &str = "EX";
const BRAZIL: &str = "1058";
/// Names of the group of an address, where the address is not flat in its party.
const ADDRESSES: [&str; 6] = ["endereco", "enderReme", "enderExped", "enderReceb", "enderDest", "enderToma"];

/// State in a party's address, in capitals.
pub(super) fn state(party: &GroupScope<'_>) -> Option<String> {
    of_address(party, "UF").map(|uf| uf.trim().to_uppercase())
}

/// The fixed values that a party abroad leaves out; empty for a party in Brazil.
pub(super) fn fixed(party: &GroupScope<'_>) -> Map<String, Value> {
    let uf = state(party);
    let another_country =
        of_address(party, "cPais").is_some_and(|cPais| cPais.trim().trim_start_matches('0') != BRAZIL);
    let abroad = uf.as_deref().map_or(another_country, |uf| uf == ABROAD);
    let numbered = DOCUMENT.iter().any(|name| party.text(name).is_some());
    let members = [
        ("CNPJ", "00000000000000", numbered),
        ("cMun", "9999999", of_address(party, "cMun").is_some()),
        ("xMun", "EXTERIOR", of_address(party, "xMun").is_some()),
        ("UF", ABROAD, uf.is_some()),
    ];
    let absent = members.into_iter().filter(|(_, _, given)| abroad && !given);
    absent.map(|(name, value, _)| (name.to_owned(), Value::String(value.to_owned()))).collect()
}

fn of_address<'a>(party: &GroupScope<'a>, tag: &str) -> Option<&'a str> {
    let inside = || ADDRESSES.iter().find_map(|group| party.below(None, group).text(tag));
    party.text(tag).or_else(inside)
}
