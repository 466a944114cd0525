//! The service: place, codes, foreign trade.

use super::case::{CTRIBNAC, DONE, DONE_ABROAD, ISSQN, is_unknown_city};
use super::{NfseRule, rule};
use crate::nfse::incidence::SEA;
use crate::reference::{ctribnac, iso3166, nbs};

const NBS: &str = "serv/cServ/cNBS";
const MOVED: &str = "serv/comExt/movTempBens";
const DI: &str = "serv/comExt/nDI";
const RE: &str = "serv/comExt/nRE";

pub(super) const RULES: &[NfseRule] = &[
    rule("E0302", DONE, |case| case.inf.text_at(DONE).is_some_and(|code| code != SEA && is_unknown_city(code))),
    rule("E0304", DONE_ABROAD, |case| case.inf.text_at(DONE_ABROAD).is_some_and(|code| !iso3166::is_abroad(code))),
    rule("E0310", CTRIBNAC, |case| ctribnac::name(case.cTribNac()).is_none()),
    rule("E0315", "serv/cServ/cTribMun", |case| case.is("serv/cServ/cTribMun", "000")),
    rule("E0316", NBS, |case| case.inf.text_at(NBS).is_some_and(|code| !nbs::exists(code))),
    rule("E0318", NBS, |case| case.is_own() && case.is_abroad() && !case.has(NBS)),
    rule("E0322", NBS, |case| case.has("IBSCBS") && !case.has(NBS)),
    rule("E0330", "serv/comExt", |case| {
        case.is_own() && (case.is_abroad() || case.is(ISSQN, "3")) && !case.has("serv/comExt")
    }),
    rule("E0333", "serv/comExt/mdPrestacao", |case| case.is("serv/comExt/mdPrestacao", "0")),
    rule("E0341", "serv/comExt/mecAFComexP", |case| case.is("serv/comExt/mecAFComexP", "00")),
    rule("E0343", "serv/comExt/mecAFComexT", |case| case.is("serv/comExt/mecAFComexT", "00")),
    rule("E0345", MOVED, |case| case.is(MOVED, "0")),
    rule("E0352", DI, |case| case.is(MOVED, "2") && !case.has(DI)),
    rule("E0354", DI, |case| case.is(MOVED, "1") && (case.has(DI) || case.has(RE))),
    rule("E0356", RE, |case| case.is(MOVED, "3") && !case.has(RE)),
];
