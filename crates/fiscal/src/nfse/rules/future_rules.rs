//! Rules of technical notes that are published but not in force.
//!
//! Law: NT 009 (anexo VI 1.04), without XSD and without a day.

use super::{NfseRule, rule};

const BASE: &str = "valores/trib/tribFed/piscofins/vBCPisCofins";
const PIS: &str = "valores/trib/tribFed/piscofins/pAliqPis";
const COFINS: &str = "valores/trib/tribFed/piscofins/pAliqCofins";

pub(super) const RULES: &[NfseRule] = &[
    rule("E0684", PIS, |case| case.has(BASE) && !case.has(PIS)),
    rule("E0690", COFINS, |case| case.has(BASE) && !case.has(COFINS)),
];
