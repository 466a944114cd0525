//! Route of passenger transport: the states between first and last, each a neighbour of the next.
//!
//! Law: rule H021; neighbours by the map of IBGE.

use super::case::CteCase;
use super::{CteFinding, CteRule, breach_if, os};

pub(super) const RULES: &[CteRule] = &[os("H021", 753, "ide/infPercurso", route_gap)];

/// States with their neighbours, each pair once, under the earlier name.
const NEIGHBOURS: [(&str, &[&str]); 25] = [
    ("AC", &["AM", "RO"]),
    ("AL", &["BA", "PE", "SE"]),
    ("AM", &["MT", "PA", "RO", "RR"]),
    ("AP", &["PA"]),
    ("BA", &["ES", "GO", "MG", "PE", "PI", "SE", "TO"]),
    ("CE", &["PB", "PE", "PI", "RN"]),
    ("DF", &["GO", "MG"]),
    ("ES", &["MG", "RJ"]),
    ("GO", &["MG", "MS", "MT", "TO"]),
    ("MA", &["PA", "PI", "TO"]),
    ("MG", &["MS", "RJ", "SP"]),
    ("MS", &["MT", "PR", "SP"]),
    ("MT", &["PA", "RO", "TO"]),
    ("PA", &["RR", "TO"]),
    ("PB", &["PE", "RN"]),
    ("PE", &["PI"]),
    ("PI", &["TO"]),
    ("PR", &["SC", "SP"]),
    ("RJ", &["SP"]),
    ("RN", &[]),
    ("RO", &[]),
    ("RR", &[]),
    ("RS", &["SC"]),
    ("SC", &[]),
    ("SE", &[]),
];

fn are_neighbours(one: &str, other: &str) -> bool {
    let (first, second) = if one < other { (one, other) } else { (other, one) };
    NEIGHBOURS.iter().any(|(state, others)| *state == first && others.contains(&second))
}

/// Two consecutive states are no neighbours. An optional route and a border of the country are not checked.
fn route_gap(case: &CteCase<'_>) -> Option<CteFinding> {
    let between = || case.each("ide", "infPercurso").filter_map(|one| one.text_at("UFPer"));
    let (from, to) = (case.ide("UFIni"), case.ide("UFFim"));
    let due = case.ide("tpServ") == "6" || between().next().is_some();
    if !due || case.ide("modal") != "01" || [from, to].iter().any(|uf| matches!(*uf, "" | "EX")) {
        return None;
    }
    let way: Vec<&str> = std::iter::once(from).chain(between()).chain([to]).collect();
    let stays = from == to && way.len() == 2;
    let broken = way.windows(2).any(|pair| matches!(pair, [one, other] if !are_neighbours(one, other)));
    breach_if(broken && !stays)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Uf;

    #[test]
    fn every_neighbour_is_a_state_and_stands_with_the_earlier_one() {
        let known = |sigla: &str| Uf::from_sigla(sigla).is_some();
        for (state, others) in NEIGHBOURS {
            assert!(known(state) && others.iter().all(|other| known(other) && *other > state), "{state} {others:?}");
        }
        for uf in Uf::ALL {
            let neighbours = Uf::ALL.iter().filter(|other| are_neighbours(uf.sigla(), other.sigla())).count();
            assert!((1..=8).contains(&neighbours), "{} has {neighbours}", uf.sigla());
        }
    }

    #[test]
    fn states_touch_both_ways_and_none_touches_itself() {
        assert!(
            are_neighbours("RS", "SC")
                && are_neighbours("SC", "RS")
                && are_neighbours("BA", "MG")
                && are_neighbours("GO", "DF")
        );
        assert!(!are_neighbours("RS", "PR") && !are_neighbours("SP", "SP") && !are_neighbours("AP", "RR"));
    }
}
