//! Civil time of a município as hours from UTC. No daylight saving since 2019 (Decreto 9.772).
//!
//! Law: Decreto 2.784/1913 with Lei 12.876/2013, whose line from Tabatinga to Porto Acre parts Amazonas.

use super::{Uf, brasilia, municipio};
use jiff::tz::Offset;

/// Whole hours from UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CivilOffset(i8);

impl CivilOffset {
    /// Brasília's, for a place that is not known.
    pub const BRASILIA: CivilOffset = CivilOffset(brasilia::HOURS);

    /// The offset of a município by its IBGE code; its state's when the code is absent or belongs to another state.
    pub fn of(uf: Uf, cMun: Option<u32>) -> CivilOffset {
        let exception = EXCEPTIONS.iter().find(|(code, state, _)| *state == uf && cMun == Some(*code));
        exception.map_or_else(|| uf.into(), |(.., hours)| CivilOffset(*hours))
    }

    /// The offset of a município by its IBGE code alone; Brasília's for an unknown state.
    pub fn of_municipio(cMun: u32) -> CivilOffset {
        municipio::uf(cMun).map_or(CivilOffset::BRASILIA, |uf| CivilOffset::of(uf, Some(cMun)))
    }

    /// Hours from UTC, negative west of Greenwich.
    pub fn hours(self) -> i8 {
        self.0
    }

    pub fn offset(self) -> Offset {
        Offset::constant(self.0)
    }
}

impl From<Uf> for CivilOffset {
    fn from(uf: Uf) -> CivilOffset {
        CivilOffset(uf.utc_offset_hours())
    }
}

/// Municípios whose civil time differs from their state's: Fernando de Noronha, and those of Amazonas with a seat west
/// of the line. Tabatinga, where the line begins, keeps the time of the state.
const EXCEPTIONS: [(u32, Uf, i8); 7] = [
    (2_605_459, Uf::PE, -2), // Fernando de Noronha
    (1_300_201, Uf::AM, -5), // Atalaia do Norte
    (1_300_607, Uf::AM, -5), // Benjamin Constant
    (1_301_407, Uf::AM, -5), // Eirunepé
    (1_301_506, Uf::AM, -5), // Envira
    (1_301_654, Uf::AM, -5), // Guajará
    (1_301_803, Uf::AM, -5), // Ipixuna
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_municipio_has_the_hour_of_its_state_but_for_seven() {
        assert_eq!(CivilOffset::of(Uf::PE, Some(2_611_606)).hours(), -3);
        assert_eq!(CivilOffset::of(Uf::PE, Some(2_605_459)).hours(), -2);
        assert_eq!(CivilOffset::of(Uf::AM, None).hours(), -4);
        assert_eq!(CivilOffset::of_municipio(1_301_407).hours(), -5);
        assert_eq!(CivilOffset::of_municipio(1_304_062).hours(), -4);
        assert_eq!(CivilOffset::of_municipio(1_200_401).hours(), -5);
        assert_eq!(CivilOffset::of_municipio(9_999_999), CivilOffset::BRASILIA);
    }

    #[test]
    fn every_exception_is_a_municipio_of_its_state() {
        for (code, uf, hours) in EXCEPTIONS {
            assert_eq!(municipio::uf(code), Some(uf), "{code}");
            assert_ne!(hours, uf.utc_offset_hours(), "{code}");
        }
    }
}
