//! Differences between providers in the message itself, as the data of a provider's row.
//!
//! Source: manuals and web services of the providers. Must not know the provider.

use super::AbrasfVersion;
use std::borrow::Cow;

/// Form in which one provider takes ABRASF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbrasfDialect {
    pub version: AbrasfVersion,
    /// Namespace of every element of the message.
    pub namespace: Cow<'static, str>,
    pub signed_parts: SignedParts,
    /// Attribute that a signature refers to.
    pub id_attribute: IdAttribute,
    /// Unit of the rate; payloads give percent. `None`: no source names the unit, and a rate cannot be written.
    pub aliquota: Option<RateUnit>,
    /// Message that carries an RPS.
    pub mode: SubmissionMode,
    /// Form of the item of the list of services.
    pub item: ItemMask,
    /// Replacement of a line break in `Discriminacao`, because the layouts collapse a real one.
    pub line_break: Cow<'static, str>,
    /// Form of a cancellation's reason.
    pub cancellation_form: CancellationForm,
    /// `IdentificacaoRps` and `Prestador` of a query stand in an element `Pedido`.
    pub query_in_pedido: bool,
    /// The rate is written even when the caller gives none: as zero, with a notice.
    pub aliquota_always: bool,
    /// `CodigoPais` and `MunicipioPrestacao` are written for services in Brazil too, where the layout has them.
    pub country_always: bool,
}

/// Elements that are signed. The signed element has the `Id`, and its Signature follows it as a sibling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SignedParts {
    /// `InfRps` or `InfDeclaracaoPrestacaoServico` of each RPS of a lot.
    pub rps: bool,
    /// `LoteRps`.
    pub lote: bool,
    /// The RPS of `GerarNfse`.
    pub gerar: bool,
    /// `InfPedidoCancelamento`.
    pub cancelamento: bool,
    /// `SubstituicaoNfse`, which holds a request of cancellation and an RPS.
    pub substituicao: bool,
    /// Root of the query for an RPS.
    pub consulta_rps: bool,
    /// Root of the queries for a lot.
    pub consulta_lote: bool,
}

/// Attribute that a signature refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IdAttribute {
    /// `Id`, as in the layouts.
    #[default]
    Capital,
    /// `id`.
    Small,
}

impl IdAttribute {
    pub const fn name(self) -> &'static str {
        match self {
            IdAttribute::Capital => "Id",
            IdAttribute::Small => "id",
        }
    }
}

/// Unit of the rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateUnit {
    /// `5.00`.
    Percent,
    /// `0.05`.
    Fraction,
}

/// Message that carries an RPS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SubmissionMode {
    /// `EnviarLoteRpsSincronoEnvio`.
    #[default]
    Sincrono,
    /// `EnviarLoteRpsEnvio`, queried by its protocol.
    Lote,
    /// `GerarNfseEnvio`.
    Gerar,
}

impl SubmissionMode {
    /// Root of the message.
    pub const fn root(self) -> &'static str {
        match self {
            SubmissionMode::Sincrono => "EnviarLoteRpsSincronoEnvio",
            SubmissionMode::Lote => "EnviarLoteRpsEnvio",
            SubmissionMode::Gerar => "GerarNfseEnvio",
        }
    }
}

/// Form of the item of the list of services (LC 116).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ItemMask {
    /// As the caller writes it; with the leading zero (`01.07`) where the layout lists only that form.
    #[default]
    AsGiven,
    /// `1.07`.
    Dotted,
    /// `01.07`.
    Padded,
    /// `107`.
    Digits,
    /// `0107`.
    PaddedDigits,
}

/// Form of a cancellation's reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CancellationForm {
    /// `CodigoCancelamento`, 1 to 5.
    #[default]
    Code,
    /// `CMotivo` (1, 2, 9) and `XMotivo`; the code only when it is given.
    Reason,
}

impl AbrasfDialect {
    /// The official layout of a version: everything signed, synchronous lots (asynchronous in 1.00, which has no
    /// others), the rate in the unit of the manual's examples.
    pub fn official(version: AbrasfVersion) -> AbrasfDialect {
        AbrasfDialect {
            version,
            namespace: Cow::Borrowed(NAMESPACE),
            signed_parts: SignedParts {
                rps: true,
                lote: true,
                gerar: true,
                cancelamento: true,
                substituicao: true,
                consulta_rps: false,
                consulta_lote: false,
            },
            id_attribute: IdAttribute::Capital,
            aliquota: Some(if version.is_first() { RateUnit::Fraction } else { RateUnit::Percent }),
            mode: if version.is_first() { SubmissionMode::Lote } else { SubmissionMode::Sincrono },
            item: ItemMask::AsGiven,
            line_break: Cow::Borrowed("\\s\\n"),
            cancellation_form: if version == AbrasfVersion::GovDigital201 {
                CancellationForm::Reason
            } else {
                CancellationForm::Code
            },
            query_in_pedido: false,
            aliquota_always: false,
            country_always: version == AbrasfVersion::GovDigital201,
        }
    }
}

/// Namespace of the official layouts.
pub(super) const NAMESPACE: &str = "http://www.abrasf.org.br/nfse.xsd";
