//! The município that the ISSQN is due to.
//!
//! Law: LC 116/2003, art. 3; rules E1313 (sea waters: the prestador's), E1317 (where the service is performed), E1321
//! (the tomador's), E1325 (the prestador's) of anexo I of 2026-02-09. A service without incidence has none.

use crate::xml::Element;

/// Rule by which the município of a service is determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Incidence {
    /// Município where the service is performed.
    WhereDone,
    /// Município of the tomador.
    Tomador,
    /// Município of the prestador.
    Prestador,
}

/// Returns the incidence of a service code; `None` for a service without ISSQN.
pub fn kind(cTribNac: &str) -> Option<Incidence> {
    match cTribNac {
        NOT_TAXED => None,
        OF_THE_TOMADOR => Some(Incidence::Tomador),
        code if WHERE_DONE.binary_search(&code).is_ok() => Some(Incidence::WhereDone),
        _ => Some(Incidence::Prestador),
    }
}

/// True when two official lists contradict each other about the service. Its place then leads to no refusal.
pub fn is_disputed(cTribNac: &str) -> bool {
    DISPUTED.binary_search(&cTribNac).is_ok()
}

/// Returns the IBGE code of the município, for a taxable service in an `infDPS`.
pub fn of(inf: &Element) -> Option<&str> {
    (inf.text_at("valores/trib/tribMun/tribISSQN") == Some("1")).then(|| if_taxed(inf)).flatten()
}

/// Returns the IBGE code of the município that decides whether the service is taxed, independent of the `infDPS`'s own
/// statement.
pub fn if_taxed(inf: &Element) -> Option<&str> {
    let prestador = inf.text_at("cLocEmi");
    let place = inf.text_at("serv/locPrest/cLocPrestacao").filter(|place| *place != SEA);
    match kind(inf.text_at("serv/cServ/cTribNac").unwrap_or_default())? {
        Incidence::WhereDone => place.or(prestador),
        Incidence::Tomador => inf.text_at("toma/end/endNac/cMun").or(prestador),
        Incidence::Prestador => prestador,
    }
}

/// Service without incidence of the ISSQN.
pub const NOT_TAXED: &str = "990101";
/// Place of a service performed at sea.
pub const SEA: &str = "0000000";
/// Supply of labour (due to the tomador's município).
const OF_THE_TOMADOR: &str = "170501";

/// Services that anexo VI 1.04 and E1317 treat differently.
static DISPUTED: [&str; 8] = ["110301", "141401", "141402", "141403", "141404", "200101", "200201", "200301"];

/// Services due where they are performed (E1317).
#[rustfmt::skip]
static WHERE_DONE: [&str; 52] = [
    "030401", "030402", "030403", "030501", "070201", "070202", "070401", "070501", "070502", "070901", "070902", "071001", "071002",
    "071101", "071102", "071201", "071601", "071701", "071801", "071901", "110101", "110102", "110201", "110301", "110401", "110402",
    "120101", "120201", "120301", "120401", "120501", "120601", "120701", "120801", "120901", "120902", "120903", "121001", "121101",
    "121201", "121401", "121501", "121601", "121701", "160101", "160102", "160103", "160104", "160201", "171001", "171002", "220101",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::ctribnac;

    fn place(cTribNac: &str, tribISSQN: &str, cLocPrestacao: &str) -> Option<String> {
        let xml = format!(
            "<infDPS><cLocEmi>3550308</cLocEmi><toma><end><endNac><cMun>4106902</cMun></endNac></end></toma><serv><locPrest>\
             <cLocPrestacao>{cLocPrestacao}</cLocPrestacao></locPrest><cServ><cTribNac>{cTribNac}</cTribNac></cServ></serv><valores><trib>\
             <tribMun><tribISSQN>{tribISSQN}</tribISSQN></tribMun></trib></valores></infDPS>"
        );
        of(&crate::xml::read(xml.as_bytes()).unwrap()).map(str::to_owned)
    }

    #[test]
    fn the_service_decides_whose_the_tax_is() {
        assert_eq!(place("010101", "1", "3509502").as_deref(), Some("3550308"));
        assert_eq!(place("070201", "1", "3509502").as_deref(), Some("3509502"));
        assert_eq!(place("070201", "1", SEA).as_deref(), Some("3550308"));
        assert_eq!(place("170501", "1", "3509502").as_deref(), Some("4106902"));
        assert_eq!((place("010101", "3", "3509502"), place("990101", "1", "3550308")), (None, None));
    }

    #[test]
    fn the_lists_are_sorted_and_of_known_services() {
        for list in [&WHERE_DONE[..], &DISPUTED[..]] {
            assert!(list.is_sorted());
            assert!(list.iter().all(|code| ctribnac::name(code).is_some()));
        }
    }
}
