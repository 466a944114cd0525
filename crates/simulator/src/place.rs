//! Address of a request: family, authority, environment and service, read from the path.

pub(crate) use crate::dialect::Service;
use crate::dialect::{Dialect, FAMILIES, Family, Wire};
use fiscal::value::{TpAmb, Uf};

/// Kinds of authoriser, as distinguished in protocol numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Authorizer {
    State(Uf),
    Svrs,
    Svan,
    Svsp,
    SvcAn,
    SvcRs,
    SvcSp,
    National,
}

impl Authorizer {
    /// Reads the path segment: `sp`, `svrs`, `svan`, `svsp`, `svc-an`, `svc-rs`, `svc-sp`, `an`.
    pub(crate) fn from_segment(segment: &str) -> Option<Authorizer> {
        SHARED.iter().find(|(_, name)| *name == segment).map(|(kind, _)| *kind).or_else(|| {
            let lower = segment.chars().all(|letter| letter.is_ascii_lowercase());
            lower.then(|| Uf::from_sigla(&segment.to_uppercase())).flatten().map(Authorizer::State)
        })
    }
}

/// Authorities of more than one state.
const SHARED: [(Authorizer, &str); 7] = [
    (Authorizer::Svrs, "svrs"),
    (Authorizer::Svan, "svan"),
    (Authorizer::Svsp, "svsp"),
    (Authorizer::SvcAn, "svc-an"),
    (Authorizer::SvcRs, "svc-rs"),
    (Authorizer::SvcSp, "svc-sp"),
    (Authorizer::National, "an"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Authority(Authorizer);

impl Authority {
    pub(crate) fn from_segment(segment: &str) -> Option<Authority> {
        Authorizer::from_segment(segment).map(Authority)
    }
    pub(crate) fn segment(self) -> String {
        match self.0 {
            Authorizer::State(uf) => uf.sigla().to_lowercase(),
            shared => SHARED.iter().find(|(kind, _)| *kind == shared).map_or("", |(_, name)| name).to_owned(),
        }
    }
    /// Ambiente Nacional.
    pub(crate) fn is_national(self) -> bool {
        self.0 == Authorizer::National
    }
    /// SEFAZ Virtual do Rio Grande do Sul.
    pub(crate) fn is_svrs(self) -> bool {
        self.0 == Authorizer::Svrs
    }
    /// `cOrgao` of its answers to events.
    pub(crate) fn cOrgao(self) -> u8 {
        if self.is_national() { NATIONAL } else { self.cUF() }
    }
    /// Offset of its date-times: the state's own, Brasília's for the shared ones.
    pub(crate) fn offset_hours(self) -> i8 {
        match self.0 {
            Authorizer::State(uf) => uf.utc_offset_hours(),
            _ => -3,
        }
    }
    /// `cUF` when the request names none.
    pub(crate) fn cUF(self) -> u8 {
        match self.0 {
            Authorizer::State(uf) => uf.code(),
            Authorizer::Svrs | Authorizer::SvcRs => Uf::RS.code(),
            Authorizer::Svsp | Authorizer::SvcSp => Uf::SP.code(),
            Authorizer::Svan | Authorizer::SvcAn | Authorizer::National => Uf::DF.code(),
        }
    }
}

/// `cOrgao` of the Ambiente Nacional.
pub(crate) const NATIONAL: u8 = 91;

/// Address at which a request arrived.
#[derive(Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) family: &'static Family,
    pub(crate) wire: &'static Wire,
    /// 55, 65, 57 or 67; services that CT-e and CT-e OS share are those of 57.
    pub(crate) modelo: u8,
    pub(crate) authority: Authority,
    pub(crate) ambiente: TpAmb,
    pub(crate) service: Service,
}

impl Arrival {
    pub(crate) fn dialect(&self) -> &'static Dialect {
        self.family.dialect
    }
    /// True when documents of a state are answered at this address.
    pub(crate) fn serves(&self, uf: Uf) -> bool {
        self.family.serves(self.authority.0, uf)
    }
    /// `tpEmis` of the contingency authoriser.
    pub(crate) fn contingency(&self) -> Option<u8> {
        self.dialect().contingency(self.authority.0)
    }
    /// First digit of a protocol number.
    pub(crate) fn digit(&self) -> u8 {
        self.dialect().digit(self.authority.0)
    }
    /// True when events addressed to this `cOrgao` come here, of whatever model of the dialect.
    pub(crate) fn takes_events_for(&self, cOrgao: &str) -> bool {
        match cOrgao.parse::<u8>() {
            Ok(NATIONAL) => self.authority.is_national(),
            Ok(code) => {
                !self.authority.is_national() && Uf::from_code(code).is_some_and(|uf| self.serves_a_model_of(uf))
            }
            Err(_) => false,
        }
    }
    fn serves_a_model_of(&self, uf: Uf) -> bool {
        let sisters = FAMILIES.iter().filter(|family| std::ptr::eq(family.dialect, self.dialect()));
        sisters.into_iter().any(|family| family.serves(self.authority.0, uf))
    }
    /// Reads `/{nfe|nfce|cte}/{authority}/{prod|hom}/{service}`.
    pub(crate) fn from_path(path: &str) -> Option<Arrival> {
        let mut segments = path.trim_matches('/').split('/');
        let segment = segments.next()?;
        let authority = Authority::from_segment(segments.next()?)?;
        let ambiente = match segments.next()? {
            "prod" => TpAmb::Producao,
            "hom" => TpAmb::Homologacao,
            _ => return None,
        };
        let (family, wire) = Family::find(segment, segments.next()?)?;
        let place = Arrival { family, wire, modelo: family.modelo, authority, ambiente, service: wire.service };
        // Only the Ambiente Nacional distributes documents.
        let distributes = place.service != Service::DistribuicaoDFe || place.authority.is_national();
        (segments.next().is_none() && distributes).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_paths_of_the_template() {
        let place = Arrival::from_path("/nfe/svc-an/hom/NFeAutorizacao4").unwrap();
        assert_eq!((place.modelo, place.ambiente, place.service), (55, TpAmb::Homologacao, Service::Autorizacao));
        assert_eq!(place.contingency(), Some(6));
        assert_eq!(place.authority.segment(), "svc-an");
        for wrong in [
            "/",
            "/nfe/xx/hom/NFeAutorizacao4",
            "/nfe/SP/hom/NFeAutorizacao4",
            "/nfe/sp/hom/NFeAutorizacao",
            "/nfe/sp/hom/NFeAutorizacao4/x",
        ] {
            assert!(Arrival::from_path(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_service_of_the_cte_says_its_model() {
        let modelo = |path: &str| Arrival::from_path(path).map(|place| place.modelo);
        assert_eq!(modelo("/cte/svrs/hom/CTeRecepcaoSincV4"), Some(57));
        assert_eq!(modelo("/cte/svc-sp/prod/CTeRecepcaoOSV4"), Some(67));
        assert_eq!(modelo("/cte/svsp/hom/CTeConsultaV4"), Some(57));
        assert_eq!((modelo("/cte/sp/hom/NFeAutorizacao4"), modelo("/nfe/sp/hom/CTeConsultaV4")), (None, None));
        assert_eq!(Arrival::from_path("/cte/svc-rs/hom/CTeConsultaV4").unwrap().contingency(), Some(7));
    }
}
