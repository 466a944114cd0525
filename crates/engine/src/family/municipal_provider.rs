//! Municipal provider of a company's services, as the writers and senders of messages need it.
//!
//! Law: ABRASF, manual de integração.
//! Must not know: how the provider is found.

use authority::abrasf::{AbrasfOperation, MunicipalIssuer, ResolvedProvider};
use authority::table::Endpoint;
use fiscal::abrasf::{AbrasfDialect, SubmissionMode, message, substitution};
use fiscal::value::RpsId;
use std::sync::Arc;

/// A municipal provider, for one company.
#[derive(Debug)]
pub(crate) struct MunicipalProvider {
    pub(crate) resolved: ResolvedProvider,
    /// The company and its credentials.
    pub(crate) company: Arc<MunicipalIssuer>,
}

/// Reason why there is none.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoMunicipalProvider {
    /// Portuguese text that names the configuration.
    #[error("{0}")]
    NotUsable(String),
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// An RPS of a stored message that may join a lot.
#[derive(Debug, Clone)]
pub(crate) struct SignedRps {
    pub(crate) id: RpsId,
    /// `Rps`, signed.
    pub(crate) xml: String,
}

/// Most RPS of a lot (ABRASF, manual de integração 2.0x).
const MAX_LOT_RPS: u32 = 50;

impl MunicipalProvider {
    /// Most RPS that a message to it may carry.
    pub(crate) fn lot_most(&self) -> u32 {
        match self.dialect().mode {
            _ if self.resolved.row.single_rps_lots => 1,
            SubmissionMode::Lote => self.dialect().version.most_rps_of_lot().min(MAX_LOT_RPS),
            SubmissionMode::Sincrono | SubmissionMode::Gerar => 1,
        }
    }

    /// `true` if it accepts a note and the one that it replaces in one request.
    pub(crate) fn substitutes(&self) -> bool {
        self.resolved.has(AbrasfOperation::SubstituirNfse)
    }

    /// Endpoint of a signed message, by its root: a stored message may have been built under another configuration.
    pub(crate) fn submission_endpoint(&self, signed: &str) -> Option<Endpoint> {
        let operation = match substitution::is_request(signed) {
            true => AbrasfOperation::SubstituirNfse,
            false => AbrasfOperation::of_mode(self.dialect().mode),
        };
        self.resolved.endpoint_of(operation, &self.company)
    }

    /// Dialect of its messages.
    pub(crate) fn dialect(&self) -> &AbrasfDialect {
        &self.resolved.dialect
    }
}

impl SignedRps {
    /// Extracts the only RPS of a message.
    pub(crate) fn of(asked_by: &str, signed: &str) -> Option<SignedRps> {
        Some(SignedRps { id: asked_by.parse().ok()?, xml: signed[message::rps_of(signed)?].to_owned() })
    }

    /// `true` if one lot may hold both: a lot names one prestador, and identifies its signed RPS by number alone.
    pub(crate) fn fits_in_lot_with(&self, other: &SignedRps) -> bool {
        let of = |it: &SignedRps| (it.id.municipio, it.id.prestador, it.id.inscricao_municipal.clone());
        of(self) == of(other) && self.id.numero != other.id.numero
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use authority::abrasf::{ProviderChoice, ProviderCredentials};
    use authority::table::EndpointTable;
    use fiscal::value::{CnpjCpf, TpAmb};

    fn most(provedor: &str, versao: &str, modo: Option<&str>) -> u32 {
        let url = Some("https://nfse.prefeitura.example/ws");
        let said =
            ProviderChoice { provedor: Some(provedor), versao: Some(versao), url, modo, aliquota: Some("percentual") };
        let table = EndpointTable::builtin();
        let resolved = table.providers().resolve(3_138_203, TpAmb::Homologacao, &said).unwrap();
        let document = CnpjCpf::parse("11222333000181").unwrap();
        let company =
            MunicipalIssuer { document, inscricao_municipal: None, credentials: ProviderCredentials::default() };
        MunicipalProvider { resolved, company: Arc::new(company) }.lot_most()
    }

    #[test]
    fn a_lot_holds_what_mode_layout_and_row_allow() {
        assert_eq!((most("WebISS", "2.02", None), most("BHISS", "1.00", None)), (50, 50));
        assert_eq!(most("WebISS", "2.02", Some("sincrono")), 1, "answered at once: by one");
        assert_eq!(most("GovDigital", "2.01", Some("lote")), 1, "its row says so");
        assert_eq!(most("Fiorilli", "2.00", None), 1, "its layout says so");
    }

    #[test]
    fn two_of_one_number_or_of_two_registrations_do_not_share_a_lot() {
        let of = |text: &str| SignedRps { id: text.parse().unwrap(), xml: String::new() };
        let one = of("RPS3138203-11222333000181-1-1-7-12345");
        assert!(one.fits_in_lot_with(&of("RPS3138203-11222333000181-1-1-8-12345")));
        assert!(!one.fits_in_lot_with(&of("RPS3138203-11222333000181-1-2-7-12345")), "one Id for both");
        assert!(!one.fits_in_lot_with(&of("RPS3138203-11222333000181-1-1-8-54321")), "the lot names one");
    }
}
