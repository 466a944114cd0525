//! What the `nota` of a caller has in common whatever document it becomes: the official tree in JSON, the issuer, the groups that several
//! models share, and the last look at what was written.
//!
//! Law: `spec/interface.md` and `spec/not-shown.md` §4. Must not know a model: each brings its map and its layout.

pub(crate) mod faults;
pub(crate) mod issuer;
mod items;
pub(crate) mod reform;
mod review;
pub(crate) mod roots;
mod software_house;
pub(crate) mod tree;

pub use items::Items;
pub use review::Review;
pub(crate) use software_house::{CSRT, write as write_software_house};

use crate::document::Context;
use crate::finding::Violation;
use crate::map::{Origin, Scope};
use serde_json::{Map, Value};

/// The scope of the caller's `nota`.
pub(crate) fn root_scope(root: &Map<String, Value>) -> Scope<'_> {
    Scope::at("nota").with(root, "nota", Origin::Shared)
}

/// `2611` from `2026-11-20T…`.
pub(crate) fn year_month(dhEmi: &str) -> u16 {
    let digits = [dhEmi.get(2..4), dhEmi.get(5..7)];
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<u16>().ok()).unwrap_or(0);
    number(digits[0]) * 100 + number(digits[1])
}

/// Series and number as an access key holds them; refuses what it cannot hold.
pub(crate) fn key_numbers(context: &Context<'_>, violations: &mut Vec<Violation>) -> Option<(u16, u32)> {
    let numero = u32::try_from(context.numero).ok().filter(|numero| *numero <= MOST_IN_KEY);
    let numbers = context.serie.in_key().zip(numero);
    if numbers.is_none() {
        let mensagem = format!(
            "A série {} e o número {} não cabem na chave de acesso: a série vai de 0 a 999, o número até {MOST_IN_KEY}.",
            context.serie, context.numero
        );
        violations.push(Violation::of("nota.identificacao.serie", "valor_invalido", &mensagem));
    }
    numbers
}

/// The number of an access key has nine digits.
const MOST_IN_KEY: u32 = 999_999_999;
