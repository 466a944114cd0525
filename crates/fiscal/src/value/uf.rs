//! The 27 federative units.

use serde::{Deserialize, Serialize};

/// A state, in the order of the IBGE codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Uf {
    RO,
    AC,
    AM,
    RR,
    PA,
    AP,
    TO,
    MA,
    PI,
    CE,
    RN,
    PB,
    PE,
    AL,
    SE,
    BA,
    MG,
    ES,
    RJ,
    SP,
    PR,
    SC,
    RS,
    MS,
    MT,
    GO,
    DF,
}

impl Uf {
    /// All 27.
    pub const ALL: [Uf; 27] = {
        use Uf::*;
        [RO, AC, AM, RR, PA, AP, TO, MA, PI, CE, RN, PB, PE, AL, SE, BA, MG, ES, RJ, SP, PR, SC, RS, MS, MT, GO, DF]
    };
    /// The state of an abbreviation such as `SP`.
    pub fn from_sigla(sigla: &str) -> Option<Uf> {
        Uf::ALL.into_iter().find(|uf| uf.sigla() == sigla)
    }
    /// The state of an IBGE code such as `35`.
    pub fn from_code(code: u8) -> Option<Uf> {
        Uf::ALL.into_iter().find(|uf| uf.code() == code)
    }
    /// `SP`.
    pub fn sigla(self) -> &'static str {
        self.row().1
    }
    /// `35`.
    pub fn code(self) -> u8 {
        self.row().0
    }
    /// Offset of the state's civil time from UTC, in hours (no daylight saving since 2019).
    pub fn utc_offset_hours(self) -> i8 {
        self.row().2
    }
    /// `São Paulo`.
    pub fn nome(self) -> &'static str {
        match self {
            Uf::RO => "Rondônia",
            Uf::AC => "Acre",
            Uf::AM => "Amazonas",
            Uf::RR => "Roraima",
            Uf::PA => "Pará",
            Uf::AP => "Amapá",
            Uf::TO => "Tocantins",
            Uf::MA => "Maranhão",
            Uf::PI => "Piauí",
            Uf::CE => "Ceará",
            Uf::RN => "Rio Grande do Norte",
            Uf::PB => "Paraíba",
            Uf::PE => "Pernambuco",
            Uf::AL => "Alagoas",
            Uf::SE => "Sergipe",
            Uf::BA => "Bahia",
            Uf::MG => "Minas Gerais",
            Uf::ES => "Espírito Santo",
            Uf::RJ => "Rio de Janeiro",
            Uf::SP => "São Paulo",
            Uf::PR => "Paraná",
            Uf::SC => "Santa Catarina",
            Uf::RS => "Rio Grande do Sul",
            Uf::MS => "Mato Grosso do Sul",
            Uf::MT => "Mato Grosso",
            Uf::GO => "Goiás",
            Uf::DF => "Distrito Federal",
        }
    }
    /// Region by the first digit of the IBGE code: `Sudeste`.
    pub fn regiao(self) -> &'static str {
        match self.code() / 10 {
            1 => "Norte",
            2 => "Nordeste",
            3 => "Sudeste",
            4 => "Sul",
            _ => "Centro-Oeste",
        }
    }
    /// IBGE code, abbreviation, offset.
    fn row(self) -> (u8, &'static str, i8) {
        match self {
            Uf::RO => (11, "RO", -4),
            Uf::AC => (12, "AC", -5),
            Uf::AM => (13, "AM", -4),
            Uf::RR => (14, "RR", -4),
            Uf::PA => (15, "PA", -3),
            Uf::AP => (16, "AP", -3),
            Uf::TO => (17, "TO", -3),
            Uf::MA => (21, "MA", -3),
            Uf::PI => (22, "PI", -3),
            Uf::CE => (23, "CE", -3),
            Uf::RN => (24, "RN", -3),
            Uf::PB => (25, "PB", -3),
            Uf::PE => (26, "PE", -3),
            Uf::AL => (27, "AL", -3),
            Uf::SE => (28, "SE", -3),
            Uf::BA => (29, "BA", -3),
            Uf::MG => (31, "MG", -3),
            Uf::ES => (32, "ES", -3),
            Uf::RJ => (33, "RJ", -3),
            Uf::SP => (35, "SP", -3),
            Uf::PR => (41, "PR", -3),
            Uf::SC => (42, "SC", -3),
            Uf::RS => (43, "RS", -3),
            Uf::MS => (50, "MS", -4),
            Uf::MT => (51, "MT", -4),
            Uf::GO => (52, "GO", -3),
            Uf::DF => (53, "DF", -3),
        }
    }
}

impl std::fmt::Display for Uf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.sigla())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_found_by_its_code_and_by_its_abbreviation() {
        for uf in Uf::ALL {
            assert_eq!(Uf::from_code(uf.code()), Some(uf));
            assert_eq!(Uf::from_sigla(uf.sigla()), Some(uf));
        }
        assert_eq!(Uf::from_code(91), None);
        assert_eq!(Uf::from_sigla("EX"), None);
    }
}
