//! One provider: how its city halls are spoken to. A value, made of a table; nothing here knows a provider by name.

mod read;

pub(super) use read::compile;

use super::operation::Operation;
use fiscal::abrasf::{Dialect, IdAttribute, ItemMask, Mode, Signs, Unit, Version};
use fiscal::value::TpAmb;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// How the city halls of one provider and version are spoken to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Name, e.g. `GovDigital`.
    pub provider: String,
    /// Version of ABRASF, e.g. `2.01`.
    pub version: String,
    /// Other names of the provider.
    pub aliases: Vec<String>,
    /// Version of SOAP.
    pub soap: Soap,
    /// Namespace of the element of a request; empty where the message stands in the Body itself. `{url}` is the
    /// address.
    pub namespace: String,
    /// The element of a request, e.g. `{Op}Request`; `a/b` stand in one another.
    pub request: String,
    /// Operations that are called otherwise; with `=` before it, the whole element.
    pub names: BTreeMap<Operation, String>,
    /// The element that holds the header.
    pub header_argument: Option<String>,
    /// The element that holds the message; without one it stands in the request itself.
    pub data_argument: Option<String>,
    /// Elements behind the message that hold credentials; `a/b` stand in one another.
    pub credential_arguments: BTreeMap<Credential, String>,
    /// Whether the arguments are in the namespace of the request.
    pub qualified: bool,
    /// How XML is put into an argument.
    pub content: Content,
    /// Whether an XML declaration stands before the message.
    pub declaration: bool,
    /// SOAPAction.
    pub action: String,
    /// Operations that have another one.
    pub actions: BTreeMap<Operation, String>,
    /// The header.
    pub header: Option<String>,
    /// Whether it stands in the Header of the envelope.
    pub header_in_soap: bool,
    /// Namespace of a message.
    pub data_namespace: String,
    /// Layout, where it is not the official one of the version.
    pub layout: Version,
    /// What is signed.
    pub signs: Signs,
    /// What is signed in homologação, where that differs.
    pub signs_homologacao: Option<Signs>,
    /// Name of the attribute that a signature refers to.
    pub id_attribute: IdAttribute,
    /// How declarations are handed in, unless the company chooses otherwise.
    pub mode: Mode,
    /// How the item of the list of services is written.
    pub item: ItemMask,
    /// What stands for a line break in the description.
    pub line_break: Option<String>,
    /// Whether a query stands in an element `Pedido`.
    pub query_in_pedido: bool,
    /// Whether the rate is always written.
    pub aliquota_always: bool,
    /// Whether a lot holds one RPS and no more, whatever the layout allows.
    pub alone: bool,
    /// Operations there are.
    pub has: BTreeSet<Operation>,
    /// How a rate is written; unknown where no source says it.
    pub aliquota: Option<Unit>,
    /// The address of an operation, where each has its own: `{url}` as the table gives it, `{base}` without its last
    /// step, `{op}`, `{lower}`.
    pub url: Option<String>,
    /// Why it is off.
    pub off: Option<String>,
    /// Where it comes from, when not from the table's own source.
    pub source: Option<String>,
    /// What else is known.
    pub notes: Vec<String>,
}

/// Version of SOAP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Soap {
    /// text/xml with a SOAPAction.
    V11,
    /// application/soap+xml.
    V12,
}

/// How XML is put into an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// As CDATA.
    Cdata,
    /// As text with entities.
    Escaped,
    /// As elements.
    Tree,
}

/// A credential besides the certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Credential {
    /// User.
    Login,
    /// Password.
    Senha,
    /// Token.
    Token,
}

/// How declarations are handed in, by its word in a table and in a configuration.
pub fn mode_of(word: &str) -> Option<Mode> {
    MODES.into_iter().find(|mode| mode_word(*mode) == word)
}

/// That word.
pub fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Sincrono => "sincrono",
        Mode::Lote => "lote",
        Mode::Gerar => "gerar",
    }
}

/// How a rate is written, by its word in a table and in a configuration.
pub fn unit_of(word: &str) -> Option<Unit> {
    UNITS.into_iter().find(|unit| unit_word(*unit) == word)
}

/// That word.
pub fn unit_word(unit: Unit) -> &'static str {
    match unit {
        Unit::Percent => "percentual",
        Unit::Fraction => "fracao",
    }
}

const MODES: [Mode; 3] = [Mode::Sincrono, Mode::Lote, Mode::Gerar];
const UNITS: [Unit; 2] = [Unit::Percent, Unit::Fraction];

impl Credential {
    /// Every one.
    pub const ALL: [Credential; 3] = [Credential::Login, Credential::Senha, Credential::Token];
    /// By its word in a table and in a configuration.
    pub fn from_word(word: &str) -> Option<Credential> {
        Credential::ALL.into_iter().find(|credential| credential.word() == word)
    }
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Credential::Login => "login",
            Credential::Senha => "senha",
            Credential::Token => "token",
        }
    }
}

impl Row {
    /// `GovDigital 2.01`.
    pub fn name(&self) -> String {
        format!("{} {}", self.provider, self.version)
    }

    /// The message itself, in an environment. The unit of the rate comes from the company, the município or the row;
    /// where none says it, no rate is written.
    pub fn dialect(&self, ambiente: TpAmb, mode: Mode, aliquota: Option<Unit>) -> Dialect {
        let official = Dialect::official(self.layout);
        let signs = match (ambiente, self.signs_homologacao) {
            (TpAmb::Homologacao, Some(signs)) => signs,
            _ => self.signs,
        };
        Dialect {
            namespace: Cow::Owned(self.data_namespace.clone()),
            signs,
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

    /// The operation's name there, as it stands in templates.
    fn named(&self, operation: Operation) -> &str {
        self.names.get(&operation).map_or(operation.name(), String::as_str)
    }

    /// The elements of a request, the outer one first; none where the message stands alone.
    pub fn elements(&self, operation: Operation) -> Vec<String> {
        let whole = match self.named(operation).strip_prefix('=') {
            Some(whole) => whole.to_owned(),
            None => self.filled(&self.request, operation, ""),
        };
        whole.split('/').filter(|element| !element.is_empty()).map(str::to_owned).collect()
    }

    /// SOAPAction of an operation at an address.
    pub fn action_of(&self, operation: Operation, url: &str) -> String {
        self.filled(self.actions.get(&operation).unwrap_or(&self.action), operation, url)
    }

    /// Address of an operation, of the one that the table gives.
    pub fn url_of(&self, operation: Operation, url: &str) -> String {
        match &self.url {
            None => url.to_owned(),
            Some(template) => {
                let plain = url.split(['?', '#']).next().unwrap_or(url).trim_end_matches('/');
                let base = plain.rsplit_once('/').map_or(plain, |(base, _)| base);
                self.filled(&template.replace("{base}", base), operation, url)
            }
        }
    }

    /// A template with the names of an operation; a name with `=` is for the element alone.
    pub(super) fn filled(&self, template: &str, operation: Operation, url: &str) -> String {
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
