//! A call to a municipal provider, besides its address.

use super::municipal_issuer::MunicipalIssuer;
use super::operation::AbrasfOperation;
use super::row::ProviderRow;
use fiscal::abrasf::AbrasfDialect;
use std::sync::Arc;

/// Operation, row and issuer of a call: what `WireProtocol::Abrasf` needs besides the address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderCall {
    pub row: Arc<ProviderRow>,
    /// Dialect of the messages.
    pub dialect: AbrasfDialect,
    pub operation: AbrasfOperation,
    pub company: Arc<MunicipalIssuer>,
}
