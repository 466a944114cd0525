//! What a provider wants of the message itself: the data of its row.
//!
//! Source: `reference/nfse.md` §8.2 and §8.4. Must not know which provider it is.

use super::Version;
use std::borrow::Cow;

/// How one provider writes ABRASF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    /// Layout.
    pub version: Version,
    /// Namespace of every element of the message.
    pub namespace: Cow<'static, str>,
    /// Which elements are signed.
    pub signs: Signs,
    /// Name of the attribute that a signature refers to.
    pub id_attribute: IdAttribute,
    /// In what the rate is written; payloads give percent. `None`: no source says it, and a rate cannot be written.
    pub aliquota: Option<Unit>,
    /// Which message an RPS goes in.
    pub mode: Mode,
    /// How the item of the list of services is written.
    pub item: ItemMask,
    /// What stands for a line break in `Discriminacao`: the layouts collapse a real one.
    pub line_break: Cow<'static, str>,
    /// What a cancellation says of its reason.
    pub cancelling: Cancelling,
    /// `IdentificacaoRps` and `Prestador` of a query stand in an element `Pedido`.
    pub query_in_pedido: bool,
    /// The rate is written even where the caller gives none: as zero, told to him.
    pub aliquota_always: bool,
    /// `CodigoPais` and `MunicipioPrestacao` are written for services in Brazil too, where the layout has them.
    pub country_always: bool,
}

/// Which elements are signed. What is signed is the element with the `Id`; its Signature stands right behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Signs {
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
    /// The root of the question for an RPS.
    pub consulta_rps: bool,
    /// The root of the questions for a lot.
    pub consulta_lote: bool,
}

/// Name of the attribute that a signature refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IdAttribute {
    /// `Id`, as the layouts have it.
    #[default]
    Capital,
    /// `id`.
    Small,
}

impl IdAttribute {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            IdAttribute::Capital => "Id",
            IdAttribute::Small => "id",
        }
    }
}

/// In what the rate is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// `5.00`.
    Percent,
    /// `0.05`.
    Fraction,
}

/// Which message an RPS goes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// `EnviarLoteRpsSincronoEnvio`.
    #[default]
    Sincrono,
    /// `EnviarLoteRpsEnvio`, asked for by its protocol.
    Lote,
    /// `GerarNfseEnvio`.
    Gerar,
}

impl Mode {
    /// Root of the message.
    pub const fn root(self) -> &'static str {
        match self {
            Mode::Sincrono => "EnviarLoteRpsSincronoEnvio",
            Mode::Lote => "EnviarLoteRpsEnvio",
            Mode::Gerar => "GerarNfseEnvio",
        }
    }
}

/// How the item of the list of services (LC 116) is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ItemMask {
    /// As the caller writes it; with the zero in front (`01.07`) where the layout lists those only.
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

/// What a cancellation says of its reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cancelling {
    /// `CodigoCancelamento`, 1 to 5.
    #[default]
    Code,
    /// `CMotivo` (1, 2, 9) and `XMotivo`, the code only when it is given.
    Reason,
}

impl Dialect {
    /// The official layout of a version as it stands, everything signed, everything by lots that are answered at once
    /// (1.00 knows none such), the rate in the unit of the manual's examples.
    pub fn official(version: Version) -> Dialect {
        Dialect {
            version,
            namespace: Cow::Borrowed(NAMESPACE),
            signs: Signs {
                rps: true,
                lote: true,
                gerar: true,
                cancelamento: true,
                substituicao: true,
                consulta_rps: false,
                consulta_lote: false,
            },
            id_attribute: IdAttribute::Capital,
            aliquota: Some(if version.is_first() { Unit::Fraction } else { Unit::Percent }),
            mode: if version.is_first() { Mode::Lote } else { Mode::Sincrono },
            item: ItemMask::AsGiven,
            line_break: Cow::Borrowed("\\s\\n"),
            cancelling: if version == Version::GovDigital201 { Cancelling::Reason } else { Cancelling::Code },
            query_in_pedido: false,
            aliquota_always: false,
            country_always: version == Version::GovDigital201,
        }
    }
}

/// Namespace of the official layouts.
pub(super) const NAMESPACE: &str = "http://www.abrasf.org.br/nfse.xsd";
