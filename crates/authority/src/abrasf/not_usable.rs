//! Reasons why a provider is not usable.

/// Reasons why a provider is not usable, with the setting to configure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotUsable {
    /// The table has no row for the município.
    #[error(
        "o município {0} não está na tabela de provedores: informe provedor, versao e a URL na configuração de NFS-e da empresa"
    )]
    NoRow(u32),
    /// Two sources name different providers.
    #[error(
        "as fontes divergem sobre o provedor do município ({provider} {version} ou {other}): informe provedor e versao na configuração de NFS-e da empresa"
    )]
    Divergent {
        /// Provider in the table.
        provider: String,
        /// Version in the table.
        version: String,
        /// Provider and version of the other source.
        other: String,
    },
    /// The layout is not ABRASF.
    #[error("o provedor {provider} usa leiaute próprio ({form}), que este serviço não emite")]
    OwnLayout {
        provider: String,
        /// Description of its format.
        form: String,
    },
    /// Companies of the município issue by the Sefin Nacional.
    #[error(
        "o município usa o emissor nacional ({sources}); se a prefeitura ainda recebe pelo provedor dela, informe provedor e versao na configuração de NFS-e da empresa"
    )]
    National {
        /// Sources of that fact.
        sources: String,
    },
    /// No row has this provider name.
    #[error(
        "não há o provedor {provider} na tabela{nearest}; um provedor ABRASF sem linha pode ser usado com provedor \"abrasf\", versao e URL próprias"
    )]
    NoProvider {
        /// Name requested.
        provider: String,
        /// `; a mais próxima é X`.
        nearest: String,
    },
    /// The provider has no row of that version.
    #[error(
        "não há linha do provedor {provider} na versão {version}; há: {known}. Informe versao na configuração de NFS-e da empresa, ou provedor \"abrasf\" com versao e URL próprias"
    )]
    NoVersion {
        provider: String,
        /// Version requested.
        version: String,
        /// Versions available.
        known: String,
    },
    /// No version is configured, and several are available.
    #[error("informe versao na configuração de NFS-e da empresa: o provedor {provider} tem {known}")]
    WhichVersion {
        provider: String,
        /// Versions available.
        known: String,
    },
    /// The row is off.
    #[error(
        "a linha {row} está desligada: {why}. Quem opera o serviço pode ligá-la na tabela de autoridades (abrasf.provider.{provider}.\"{version}\", off = false)"
    )]
    Off {
        /// `GovBR 2.03`.
        row: String,
        provider: String,
        version: String,
        /// Reason, in Portuguese.
        why: String,
    },
    /// The environment has no address.
    #[error("a tabela não tem a URL de {ambiente} do município: informe {field} na configuração de NFS-e da empresa")]
    NoAddress {
        /// `produção`, `homologação`.
        ambiente: &'static str,
        /// `url_producao`, `url_homologacao`.
        field: &'static str,
    },
    /// The address would be that of the other environment, or of another município.
    #[error(
        "a URL de {ambiente} que a fonte traz não deve ser usada ({why}): informe {field} na configuração de NFS-e da empresa"
    )]
    BadAddress {
        /// `produção`, `homologação`.
        ambiente: &'static str,
        /// Reason, in Portuguese.
        why: &'static str,
        /// `url_producao`, `url_homologacao`.
        field: &'static str,
    },
    /// A configured address is not https.
    #[error("{field} deve ser um endereço https://")]
    NotHttps {
        /// `url_producao`, `url_homologacao`.
        field: &'static str,
    },
    /// Every operation has its own address, and only that of emission is known.
    #[error(
        "este provedor tem uma URL por operação e a fonte só traz a de envio: quem opera o serviço pode informar as outras na tabela de autoridades (abrasf.municipality.{codigo}.{ambiente})"
    )]
    OneAddressEach {
        /// IBGE code.
        codigo: u32,
        /// `producao`, `homologacao`.
        ambiente: &'static str,
    },
    /// A setting has an unknown value.
    #[error("{field} deve ser um destes: {known}")]
    NoSuchWord {
        /// `modo`, `aliquota`.
        field: &'static str,
        /// Values accepted.
        known: &'static str,
    },
    /// The provider does not offer the mode.
    #[error("o provedor {row} não tem o modo {mode}; tem: {known}")]
    NoMode {
        /// `BHISS 1.00`.
        row: String,
        /// Mode requested.
        mode: &'static str,
        /// Modes available.
        known: String,
    },
}
