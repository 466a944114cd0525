//! Paths of the municipal providers: `/municipal/{provider}/{city}/{prod|hom}`.

use super::provider::ProviderServer;
use fiscal::value::TpAmb;

/// Address of a municipal provider: its city and environment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MunicipalAddress {
    pub(super) server: &'static ProviderServer,
    /// IBGE code.
    pub(super) city: u32,
    pub(super) ambiente: TpAmb,
}

impl MunicipalAddress {
    /// Reads a path; `None` when it is none of these. Segments behind the environment (an operation) are ignored.
    pub(crate) fn from_path(path: &str) -> Option<MunicipalAddress> {
        let mut segments = path.trim_matches('/').split('/');
        if segments.next() != Some("municipal") {
            return None;
        }
        let hall = ProviderServer::find(segments.next()?)?;
        let city = segments.next()?.parse().ok()?;
        let ambiente = match segments.next() {
            Some("prod") => TpAmb::Producao,
            Some("hom") | None => TpAmb::Homologacao,
            Some(_) => return None,
        };
        Some(MunicipalAddress { server: hall, city, ambiente })
    }
    /// Name in faults, requests and outages.
    pub(super) fn segment(&self) -> String {
        format!("{}/{}", self.server.segment(), self.city)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_provider_city_and_environment() {
        let read = |path: &str| MunicipalAddress::from_path(path).map(|address| (address.segment(), address.ambiente));
        let lavras = "govdigital-2.01/3138203".to_owned();
        assert_eq!(read("/municipal/GovDigital-2.01/3138203/hom"), Some((lavras.clone(), TpAmb::Homologacao)));
        assert_eq!(read("/municipal/govdigital/3138203/prod/servico"), Some((lavras.clone(), TpAmb::Producao)));
        assert_eq!(read("/municipal/sonner/3138203"), Some((lavras, TpAmb::Homologacao)));
        for wrong in [
            "/municipal/ninguem/3138203/hom",
            "/municipal/govdigital/lavras/hom",
            "/municipal/govdigital/3138203/x",
            "/nfse/hom",
        ] {
            assert!(read(wrong).is_none(), "{wrong}");
        }
    }
}
