//! Rules about environment, dates, contingency, kind of document, CFOP.

use super::case::{CteCase, party_document};
use super::parties;
use super::{CteFinding, CteRule, both, breach_if, cte, os, seconds_between};
use crate::value::Uf;

#[rustfmt::skip]
pub(super) const RULES: &[CteRule] = &[
    both("G001", "H001", 252, "ide/tpAmb", |case| breach_if(case.ide("tpAmb") != case.facts.ambiente.code())),
    cte("G002", 646, "rem/xNome", |case| has_other_test_name(case, "rem")),
    cte("G003", 647, "exped/xNome", |case| has_other_test_name(case, "exped")),
    cte("G004", 648, "receb/xNome", |case| has_other_test_name(case, "receb")),
    cte("G005", 649, "dest/xNome", |case| has_other_test_name(case, "dest")),
    both("G006", "H002", 670, "ide/serie", |case| breach_if((890..=899).contains(&number(case, "serie")))),
    both("G007", "H003", 247, "emit/enderEmit/UF", issuer_state_differs),
    both("G008", "H004", 586, "ide/dhCont", |case| breach_if(!case.is_offline() && (case.has("ide/dhCont") || case.has("ide/xJust")))),
    both("G009", "H005", 587, "ide/dhCont", |case| breach_if(case.is_offline() && !(case.has("ide/dhCont") && case.has("ide/xJust")))),
    both("G010", "H006", 588, "ide/dhCont", |case| breach_if(case.instant("ide/dhCont") > case.instant("ide/dhEmi") && case.has("ide/dhCont"))),
    both("G010a", "H007", 515, "ide/tpEmis", |case| breach_if(case.facts.contingency.is_none() && matches!(case.ide("tpEmis"), "7" | "8"))),
    both("G011", "H008", 516, "ide/tpEmis", |case| breach_if(case.facts.contingency.is_some_and(|tpEmis| case.ide("tpEmis") != tpEmis.to_string()))),
    both("G012", "H009", 517, "ide/tpCTe", |case| breach_if(case.facts.contingency.is_some() && case.ide("tpCTe") != "0")),
    both("G016", "H013", 458, "infCTeNorm", |case| breach_if(case.is_whole() && !case.has("infCTeNorm"))),
    both("G017", "H014", 459, "infCteComp", |case| breach_if(case.ide("tpCTe") == "1" && !case.has("infCteComp"))),
    cte("G018", 460, "ide/toma3/toma", |case| absent_tomador(case, "0", "rem")),
    cte("G019", 461, "ide/toma3/toma", |case| absent_tomador(case, "1", "exped")),
    cte("G020", 462, "ide/toma3/toma", |case| absent_tomador(case, "2", "receb")),
    cte("G021", 463, "ide/toma3/toma", |case| absent_tomador(case, "3", "dest")),
    both("G022", "H091", 481, "ide/indIEToma", |case| breach_if(case.ide("indIEToma") == "1" && matches!(ie_of_tomador(case), None | Some("ISENTO" | "")))),
    both("G023", "H092", 482, "ide/indIEToma", |case| breach_if(case.ide("indIEToma") == "2" && ie_of_tomador(case) != Some("ISENTO"))),
    both("G024", "H093", 617, "ide/indIEToma", |case| breach_if(case.ide("indIEToma") == "2" && NEVER_EXEMPT.contains(&uf_of_tomador(case)))),
    both("G049", "H058", 676, "ide/CFOP", |case| breach_if(!CFOP.contains(&number(case, "CFOP")) && !CFOP_ABROAD.contains(&number(case, "CFOP")))),
    cte("G050", 519, "ide/CFOP", another_direction),
    cte("G051", 524, "ide/CFOP", |case| breach_if(starts_elsewhere(case) == Some(true) && !of_another_state(case))),
    cte("G052", 908, "ide/CFOP", |case| breach_if(starts_elsewhere(case) == Some(false) && of_another_state(case))),
    both("G102", "H076", 212, "ide/dhEmi", |case| breach_if(case.instant("ide/dhEmi").is_some_and(|at| seconds_between(case.facts.now, at) > 5 * 60))),
    both("G103", "H077", 228, "ide/dhEmi", |case| breach_if(case.instant("ide/dhEmi").is_some_and(|at| seconds_between(at, case.facts.now) > WEEK))),
    cte("G218", 902, "infSolicNFF", |case| breach_if(case.has("infSolicNFF") && case.ide("tpEmis") != "3")),
    os("H022", 757, "toma", |case| breach_if(matches!(case.ide("tpServ"), "6" | "7") && !case.has("toma"))),
];

const TEST_NAME: &str = "CTE EMITIDO EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL";
/// 168 hours, also for a document issued offline: the exception ended with FS-DA and EPEC (NT 2026.004; read in public
/// summaries only).
const WEEK: i64 = 7 * 86_400;
/// States without registrations marked `ISENTO`.
pub(in crate::cte) const NEVER_EXEMPT: [&str; 11] = ["AM", "BA", "CE", "GO", "MG", "MS", "MT", "PE", "RN", "SE", "SP"];
/// MOC CT-e 4.00 anexo I, G049.
#[rustfmt::skip]
const CFOP: [u32; 28] = [
    5351, 5352, 5353, 5354, 5355, 5356, 5357, 5359, 5360, 5601, 5602, 5603, 5605, 5606, 5932, 5949,
    6351, 6352, 6353, 6354, 6355, 6356, 6357, 6359, 6360, 6603, 6932, 6949,
];
/// CFOP of transport abroad.
const CFOP_ABROAD: [u32; 2] = [7358, 7949];

fn number(case: &CteCase<'_>, tag: &str) -> u32 {
    case.ide(tag).parse().unwrap_or(0)
}

fn has_other_test_name(case: &CteCase<'_>, role: &str) -> Option<CteFinding> {
    let party = case.inf.child(role).filter(|_| case.is_homologacao())?;
    breach_if(party.text_at("xNome") != Some(TEST_NAME))
}

fn issuer_state_differs(case: &CteCase<'_>) -> Option<CteFinding> {
    breach_if(case.key_uf().map(Uf::sigla) != Some(case.text("emit/enderEmit/UF")))
}

fn absent_tomador(case: &CteCase<'_>, index: &str, role: &str) -> Option<CteFinding> {
    breach_if(case.text("ide/toma3/toma") == index && !case.has(role))
}

fn ie_of_tomador<'c>(case: &CteCase<'c>) -> Option<&'c str> {
    case.tomador().filter(|party| !party_document(party).is_empty())?.text_at("IE")
}

fn uf_of_tomador<'c>(case: &CteCase<'c>) -> &'c str {
    case.tomador().map_or("", parties::uf)
}

/// First digit of the CFOP: 5 inside of a state, 6 between two, 7 to another country.
fn another_direction(case: &CteCase<'_>) -> Option<CteFinding> {
    let (from, to) = (case.ide("UFIni"), case.ide("UFFim"));
    let expected = match (from == to, to) {
        (_, "EX") => "7",
        (true, _) => "5",
        (false, _) => "6",
    };
    breach_if(!case.ide("CFOP").starts_with(expected))
}

fn of_another_state(case: &CteCase<'_>) -> bool {
    matches!(case.ide("CFOP"), "5932" | "6932")
}

/// True when the service starts outside of the emitter's state; `None` when one end is abroad.
fn starts_elsewhere(case: &CteCase<'_>) -> Option<bool> {
    let (own, from, to) = (case.text("emit/enderEmit/UF"), case.ide("UFIni"), case.ide("UFFim"));
    (![own, from, to].contains(&"EX")).then_some(own != from)
}
