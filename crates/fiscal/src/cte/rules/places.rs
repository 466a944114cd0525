//! Rules about municípios: in the table of IBGE, and of the state named with them.

use super::case::CteCase;
use super::{CteFinding, CteRule, both, breach_if, cte};
use crate::value::{Uf, municipio};

#[rustfmt::skip]
pub(super) const RULES: &[CteRule] = &[
    both("G112", "H085", 712, "emit/enderEmit/cMun", |case| municipio_of_other_state(case, "emit/enderEmit/cMun", "emit/enderEmit/UF")),
    both("G113", "H086", 713, "emit/enderEmit/cMun", |case| unknown(case, "emit/enderEmit/cMun")),
    cte("G116", 418, "rem/enderReme/cMun", |case| municipio_of_other_state(case, "rem/enderReme/cMun", "rem/enderReme/UF")),
    cte("G117", 532, "rem/enderReme/cMun", |case| unknown(case, "rem/enderReme/cMun")),
    cte("G124", 424, "dest/enderDest/cMun", |case| municipio_of_other_state(case, "dest/enderDest/cMun", "dest/enderDest/UF")),
    cte("G125", 533, "dest/enderDest/cMun", |case| unknown(case, "dest/enderDest/cMun")),
    cte("G134", 431, "exped/enderExped/cMun", |case| municipio_of_other_state(case, "exped/enderExped/cMun", "exped/enderExped/UF")),
    cte("G135", 534, "exped/enderExped/cMun", |case| unknown(case, "exped/enderExped/cMun")),
    cte("G142", 439, "receb/enderReceb/cMun", |case| municipio_of_other_state(case, "receb/enderReceb/cMun", "receb/enderReceb/UF")),
    cte("G143", 535, "receb/enderReceb/cMun", |case| unknown(case, "receb/enderReceb/cMun")),
    both("G150", "H089", 447, "ide/toma4/enderToma/cMun", |case| {
        municipio_of_other_state(case, "ide/toma4/enderToma/cMun", "ide/toma4/enderToma/UF").or_else(|| municipio_of_other_state(case, "toma/enderToma/cMun", "toma/enderToma/UF"))
    }),
    both("G151", "H090", 536, "ide/toma4/enderToma/cMun", |case| unknown(case, "ide/toma4/enderToma/cMun").or_else(|| unknown(case, "toma/enderToma/cMun"))),
    both("G178", "H115", 493, "ide/cMunEnv", |case| municipio_of_other_state(case, "ide/cMunEnv", "ide/UFEnv")),
    both("G179", "H116", 537, "ide/cMunEnv", |case| unknown(case, "ide/cMunEnv")),
    both("G180", "H117", 456, "ide/cMunIni", |case| municipio_of_other_state(case, "ide/cMunIni", "ide/UFIni")),
    both("G181", "H118", 541, "ide/cMunIni", |case| unknown(case, "ide/cMunIni")),
    both("G182", "H119", 414, "ide/cMunFim", |case| municipio_of_other_state(case, "ide/cMunFim", "ide/UFFim")),
    both("G183", "H120", 542, "ide/cMunFim", |case| unknown(case, "ide/cMunFim")),
];

/// `cMun` of a place abroad.
const ABROAD: &str = "9999999";

fn municipio_of_other_state(case: &CteCase<'_>, municipio: &str, uf: &str) -> Option<CteFinding> {
    let (municipio, uf) = (case.text(municipio), case.text(uf));
    let of = municipio.get(..2).and_then(|code| code.parse().ok()).and_then(Uf::from_code).map(Uf::sigla);
    let right = if uf == "EX" { municipio == ABROAD } else { of == Some(uf) };
    breach_if(!municipio.is_empty() && !right)
}

fn unknown(case: &CteCase<'_>, path: &str) -> Option<CteFinding> {
    let code = case.text(path);
    let listed = code == ABROAD || code.parse().ok().and_then(municipio::find).is_some();
    breach_if(!code.is_empty() && !listed)
}
