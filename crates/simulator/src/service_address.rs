//! Address of a request: family, authority, environment and service, read from the path.

use crate::authorizer::{AuthorityAddress, NATIONAL};
use crate::dialect::{FAMILIES, ModelFamily, ServiceKind, ServiceWire, SoapDialect};
use fiscal::value::{TpAmb, Uf};

/// Address at which a request arrived.
#[derive(Clone, Copy)]
pub(crate) struct ServiceAddress {
    pub(crate) family: &'static ModelFamily,
    pub(crate) wire: &'static ServiceWire,
    /// 55, 65, 57 or 67; services that CT-e and CT-e OS share are those of 57.
    pub(crate) modelo: u8,
    pub(crate) authority: AuthorityAddress,
    pub(crate) ambiente: TpAmb,
    pub(crate) service: ServiceKind,
}

impl ServiceAddress {
    pub(crate) fn dialect(&self) -> &'static SoapDialect {
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
    pub(crate) fn accepts_events_for(&self, cOrgao: &str) -> bool {
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
    pub(crate) fn from_path(path: &str) -> Option<ServiceAddress> {
        let mut segments = path.trim_matches('/').split('/');
        let segment = segments.next()?;
        let authority = AuthorityAddress::from_segment(segments.next()?)?;
        let ambiente = match segments.next()? {
            "prod" => TpAmb::Producao,
            "hom" => TpAmb::Homologacao,
            _ => return None,
        };
        let (family, wire) = ModelFamily::find(segment, segments.next()?)?;
        let place = ServiceAddress { family, wire, modelo: family.modelo, authority, ambiente, service: wire.service };
        // Only the Ambiente Nacional distributes documents.
        let distributes = place.service != ServiceKind::DistribuicaoDFe || place.authority.is_national();
        (segments.next().is_none() && distributes).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_paths_of_the_template() {
        let place = ServiceAddress::from_path("/nfe/svc-an/hom/NFeAutorizacao4").unwrap();
        assert_eq!((place.modelo, place.ambiente, place.service), (55, TpAmb::Homologacao, ServiceKind::Autorizacao));
        assert_eq!(place.contingency(), Some(6));
        assert_eq!(place.authority.segment(), "svc-an");
        for wrong in [
            "/",
            "/nfe/xx/hom/NFeAutorizacao4",
            "/nfe/SP/hom/NFeAutorizacao4",
            "/nfe/sp/hom/NFeAutorizacao",
            "/nfe/sp/hom/NFeAutorizacao4/x",
        ] {
            assert!(ServiceAddress::from_path(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_service_of_the_cte_says_its_model() {
        let modelo = |path: &str| ServiceAddress::from_path(path).map(|place| place.modelo);
        assert_eq!(modelo("/cte/svrs/hom/CTeRecepcaoSincV4"), Some(57));
        assert_eq!(modelo("/cte/svc-sp/prod/CTeRecepcaoOSV4"), Some(67));
        assert_eq!(modelo("/cte/svsp/hom/CTeConsultaV4"), Some(57));
        assert_eq!((modelo("/cte/sp/hom/NFeAutorizacao4"), modelo("/nfe/sp/hom/CTeConsultaV4")), (None, None));
        assert_eq!(ServiceAddress::from_path("/cte/svc-rs/hom/CTeConsultaV4").unwrap().contingency(), Some(7));
    }
}
