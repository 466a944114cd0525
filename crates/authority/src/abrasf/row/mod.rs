//! A provider row: the protocol of one provider and version, compiled from a table.
//!
//! Must not know: a provider by its name.

mod read;

pub(super) use read::compile;

use super::operation::AbrasfOperation;
use fiscal::abrasf::{AbrasfDialect, AbrasfVersion, IdAttribute, ItemMask, RateUnit, SignedParts, SubmissionMode};
use fiscal::value::TpAmb;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Protocol of one provider and version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderRow {
    /// Name, e.g. `GovDigital`.
    pub provider: String,
    /// Version of ABRASF, e.g. `2.01`.
    pub version: String,
    /// Other names of the provider.
    pub aliases: Vec<String>,
    pub soap: SoapVersion,
    /// Namespace of the element of a request; empty where the message stands in the Body itself. `{url}` is the
    /// address.
    pub namespace: String,
    /// Element of a request, e.g. `{Op}Request`; in `a/b` the first contains the second.
    pub request: String,
    /// Operations with a name of their own; a leading `=` marks the name of the whole element.
    pub names: BTreeMap<AbrasfOperation, String>,
    /// Element that holds the header.
    pub header_argument: Option<String>,
    /// Element that holds the message; `None` puts it into the request itself.
    pub data_argument: Option<String>,
    /// Elements after the message that hold credentials; in `a/b` the first contains the second.
    pub credential_arguments: BTreeMap<CredentialKind, String>,
    /// The arguments are in the request's namespace.
    pub qualified: bool,
    /// Encoding of the XML inside an argument.
    pub content: ArgumentEncoding,
    /// An XML declaration precedes the message.
    pub declaration: bool,
    /// SOAPAction.
    pub action: String,
    /// Operations with a SOAPAction of their own.
    pub actions: BTreeMap<AbrasfOperation, String>,
    /// Header of ABRASF (`cabecalho`).
    pub header: Option<String>,
    /// The header is in the envelope's Header, not in an argument.
    pub header_in_soap: bool,
    /// Namespace of the message.
    pub data_namespace: String,
    /// Layout, where it is not the official one of the version.
    pub layout: AbrasfVersion,
    /// Signed parts.
    pub signs: SignedParts,
    /// Signed parts in homologação, where they differ.
    pub signs_homologacao: Option<SignedParts>,
    /// Name of the attribute that signatures refer to.
    pub id_attribute: IdAttribute,
    /// Default mode of submission, unless the company chooses another.
    pub mode: SubmissionMode,
    /// Format of the item of the list of services.
    pub item: ItemMask,
    /// Replacement of a line break in the description.
    pub line_break: Option<String>,
    /// A query is wrapped in an element `Pedido`.
    pub query_in_pedido: bool,
    /// The rate is always written.
    pub aliquota_always: bool,
    /// A lot holds one RPS, whatever the layout allows.
    pub single_rps_lots: bool,
    /// Operations of the provider.
    pub operations: BTreeSet<AbrasfOperation>,
    /// Unit of the rate; `None` when no source states it.
    pub aliquota: Option<RateUnit>,
    /// Template of an operation's address, where each has its own: `{url}` is the table's address, `{base}` that
    /// address without its last segment; also `{op}` and `{lower}`.
    pub url: Option<String>,
    /// Reason for the row's being off.
    pub off: Option<String>,
    /// Source of the row, when it is not the table's own.
    pub source: Option<String>,
    /// Further facts, in Portuguese.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoapVersion {
    /// text/xml with a SOAPAction.
    V11,
    /// application/soap+xml.
    V12,
}

/// Encoding of XML inside an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentEncoding {
    /// As CDATA.
    Cdata,
    /// As text with entities.
    Escaped,
    /// As elements.
    Tree,
}

/// Kind of credential besides the certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CredentialKind {
    Login,
    Senha,
    Token,
}

/// Mode of submission by its name in a table or configuration.
pub fn mode_of(word: &str) -> Option<SubmissionMode> {
    MODES.into_iter().find(|mode| mode_word(*mode) == word)
}

/// Name of a mode in a table or configuration.
pub fn mode_word(mode: SubmissionMode) -> &'static str {
    match mode {
        SubmissionMode::Sincrono => "sincrono",
        SubmissionMode::Lote => "lote",
        SubmissionMode::Gerar => "gerar",
    }
}

/// Unit of the rate by its name in a table or configuration.
pub fn unit_of(word: &str) -> Option<RateUnit> {
    UNITS.into_iter().find(|unit| unit_word(*unit) == word)
}

/// Name of a unit in a table or configuration.
pub fn unit_word(unit: RateUnit) -> &'static str {
    match unit {
        RateUnit::Percent => "percentual",
        RateUnit::Fraction => "fracao",
    }
}

const MODES: [SubmissionMode; 3] = [SubmissionMode::Sincrono, SubmissionMode::Lote, SubmissionMode::Gerar];
const UNITS: [RateUnit; 2] = [RateUnit::Percent, RateUnit::Fraction];

impl CredentialKind {
    pub const ALL: [CredentialKind; 3] = [CredentialKind::Login, CredentialKind::Senha, CredentialKind::Token];
    /// Kind of credential by its name in a table or configuration.
    pub fn from_word(word: &str) -> Option<CredentialKind> {
        CredentialKind::ALL.into_iter().find(|credential| credential.word() == word)
    }
    /// Name in a table or configuration.
    pub fn word(self) -> &'static str {
        match self {
            CredentialKind::Login => "login",
            CredentialKind::Senha => "senha",
            CredentialKind::Token => "token",
        }
    }
}

impl ProviderRow {
    /// Provider and version, `GovDigital 2.01`.
    pub fn name(&self) -> String {
        format!("{} {}", self.provider, self.version)
    }

    /// Dialect of the messages in an environment. Without a unit of the rate (company, município or row) no rate is
    /// written.
    pub fn dialect(&self, ambiente: TpAmb, mode: SubmissionMode, aliquota: Option<RateUnit>) -> AbrasfDialect {
        let official = AbrasfDialect::official(self.layout);
        let signs = match (ambiente, self.signs_homologacao) {
            (TpAmb::Homologacao, Some(signs)) => signs,
            _ => self.signs,
        };
        AbrasfDialect {
            namespace: Cow::Owned(self.data_namespace.clone()),
            signed_parts: signs,
            id_attribute: self.id_attribute,
            aliquota,
            mode,
            item: self.item,
            line_break: self.line_break.clone().map_or(official.line_break, Cow::Owned),
            query_in_pedido: self.query_in_pedido,
            aliquota_always: self.aliquota_always,
            ..official
        }
    }

    /// Name of the operation in templates.
    fn named(&self, operation: AbrasfOperation) -> &str {
        self.names.get(&operation).map_or(operation.name(), String::as_str)
    }

    /// Elements of a request, the outer one first; empty where the message stands alone.
    pub fn elements(&self, operation: AbrasfOperation) -> Vec<String> {
        let whole = match self.named(operation).strip_prefix('=') {
            Some(whole) => whole.to_owned(),
            None => self.filled(&self.request, operation, ""),
        };
        whole.split('/').filter(|element| !element.is_empty()).map(str::to_owned).collect()
    }

    /// SOAPAction of an operation at an address.
    pub fn action_of(&self, operation: AbrasfOperation, url: &str) -> String {
        self.filled(self.actions.get(&operation).unwrap_or(&self.action), operation, url)
    }

    /// Address of an operation, derived from the table's address.
    pub fn url_of(&self, operation: AbrasfOperation, url: &str) -> String {
        match &self.url {
            None => url.to_owned(),
            Some(template) => {
                let plain = url.split(['?', '#']).next().unwrap_or(url).trim_end_matches('/');
                let base = plain.rsplit_once('/').map_or(plain, |(base, _)| base);
                self.filled(&template.replace("{base}", base), operation, url)
            }
        }
    }

    /// Fills a template with the names of an operation; a name with `=` applies to the element alone.
    pub(super) fn filled(&self, template: &str, operation: AbrasfOperation, url: &str) -> String {
        let name = match self.named(operation) {
            whole if whole.starts_with('=') => operation.name(),
            name => name,
        };
        let mut letters = name.chars();
        let first = letters.next().map(|first| first.to_ascii_lowercase()).into_iter();
        let op: String = first.chain(letters).collect();
        let lower = name.to_ascii_lowercase();
        let mut capital = lower.clone();
        if let Some(first) = capital.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        template
            .replace("{Op}", name)
            .replace("{op}", &op)
            .replace("{OP}", &name.to_ascii_uppercase())
            .replace("{Lower}", &capital)
            .replace("{lower}", &lower)
            .replace("{Mensagem}", operation.message())
            .replace("{versao}", &self.version)
            .replace("{url}", url)
    }
}
