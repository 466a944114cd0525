//! Real estate by its code in the Cadastro Imobiliário Brasileiro: seven positions and a check digit.
//!
//! Law: anexo I, E0373 and E0933. The computation of the digit is not published, so the shape and the list of the
//! settings decide.

use super::{DpsFacts, RuleOutcome};

const PLACES: [(&str, &str); 2] = [("serv/obra/cCIB", "E0373"), ("IBSCBS/imovel/cCIB", "E0933")];

pub(super) fn rules(facts: &DpsFacts<'_>) -> Vec<RuleOutcome> {
    let is_wrong = |cCIB: &str| !is_shaped(cCIB) || facts.settings.cib_invalidos.contains(cCIB);
    PLACES.iter().map(|(path, codigo)| (*codigo, facts.inf.text_at(path).is_some_and(is_wrong))).collect()
}

/// Seven capitals or digits, then a digit.
fn is_shaped(cCIB: &str) -> bool {
    let positions = cCIB.as_bytes();
    let is_position = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
    positions.len() == 8 && positions.iter().all(is_position) && positions[7].is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_seven_positions_and_a_digit() {
        for (cCIB, right) in
            [("A1B2C3D4", true), ("12345678", true), ("A1B2C3DE", false), ("a1b2c3d4", false), ("A1B2C34", false)]
        {
            assert_eq!(is_shaped(cCIB), right, "{cCIB}");
        }
    }
}
