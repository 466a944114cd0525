//! The configuration of each document type: a table of members per type (`rows`), the reading of a member, and its
//! schema in the API document (`schema_fields`).
//!
//! Law: `docs/contract.md`, "Environments", "Companies" and "CT-e".
//! Must not know: the merge of a change into the stored configuration.

mod rows;
pub(in crate::api) mod schema_fields;

pub(super) use rows::{CTE, NFCE, NFE, NFSE};

use fiscal::value::{Serie, TpAmb, amount, municipio};
use serde_json::{Map, Value};
use store::numbers::NumberedKind;

use super::regimes;
use crate::api::body;

/// The configuration of a document type.
pub(crate) struct ConfigurationTable {
    /// Contract word of the document type.
    pub(crate) tipo: &'static str,
    /// Sequences of its numbers; those not in `apart` are configured by members of the top.
    pub(crate) counted: &'static [NumberedKind],
    /// Groups of members that configure a sequence of their own.
    pub(super) own_sequences: &'static [(&'static str, NumberedKind)],
    pub(crate) members: &'static [ConfigurationMember],
    /// Member of an answer that is true when secrets are stored.
    flag: Option<SecretFlag>,
}

/// A member of answers only.
struct SecretFlag {
    name: &'static str,
    about: &'static str,
}

/// A member of a configuration.
pub(crate) struct ConfigurationMember {
    pub(crate) name: &'static str,
    pub(super) aliases: &'static [&'static str],
    pub(crate) kind: ValueType,
    pub(crate) scope: MemberScope,
    /// Member of the company's record (JSON pointer) used while this one is not set.
    pub(crate) from_record: Option<&'static str>,
    /// Its text in the API document for requests.
    about: &'static str,
    /// Its text in the API document for answers, where it differs.
    shown: Option<&'static str>,
}

/// Type of a member's value.
pub(crate) enum ValueType {
    /// 1 or 2, also as a word: the environment in use, to which the change applies.
    Environment,
    /// Tax regime, 1 to 4.
    Crt,
    /// A series, stored as text.
    Series(u64, u64),
    /// A series that may have letters, stored as text.
    LetteredSeries(u64),
    /// First automatic number, at most the last number of the layout.
    NextNumber(u64),
    Whole(&'static [u64]),
    /// A percentage with two decimals, stored as text.
    Percent,
    Flag,
    Text(u32),
    /// Exactly this many digits, or a word of the list; masks are removed.
    Digits(u32, &'static [&'static str]),
    /// Registration of a carrier, 8 digits or a word of the list; the zero that ANTT prints in front is removed.
    Rntrc(&'static [&'static str]),
    Municipio,
    Word(&'static [&'static str]),
    Https,
    /// NFS-e provider: a word of the contract, or the name of a provider of the table.
    Provider,
    /// Members of a group, with its schema name in requests and in answers.
    Group(&'static [ConfigurationMember], [&'static str; 2]),
}

/// Storage of a member.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemberScope {
    /// Stored once, for both environments.
    Both,
    /// Stored per environment.
    Environment,
    /// Stored per environment, encrypted, never shown.
    Secret,
}

/// Reason for which a value is refused.
pub(crate) enum ValueError {
    /// A wrong JSON type (400).
    Form(String),
    /// Well-formed, but not allowed (422).
    Meaning(String),
}

impl ConfigurationTable {
    /// Name of the member of an answer that is true when secrets are stored.
    pub(super) fn flag(&self) -> Option<&'static str> {
        self.flag.as_ref().map(|flag| flag.name)
    }

    /// Contract word of the document type that uses a kind of sequence.
    pub(super) fn tipo_of(counted: NumberedKind) -> Option<&'static str> {
        rows::ALL.iter().find(|settings| settings.counted.contains(&counted)).map(|settings| settings.tipo)
    }

    /// Configuration table of a document type, by its word.
    pub(crate) fn of(tipo: &str) -> Option<&'static ConfigurationTable> {
        rows::ALL.into_iter().find(|settings| settings.tipo == tipo)
    }

    /// Its sequences, each with the group that configures it, `None` for members of the top.
    pub(super) fn sequences(&self) -> impl Iterator<Item = (Option<&'static str>, NumberedKind)> + use<> {
        let ConfigurationTable { counted, own_sequences: apart, .. } = *self;
        let is_apart = |counted: &NumberedKind| apart.iter().any(|(_, apart)| apart == counted);
        let own = counted.iter().filter(move |counted| !is_apart(counted)).map(|counted| (None, *counted));
        own.chain(apart.iter().map(|(group, counted)| (Some(*group), *counted)))
    }

    /// Members of an answer that are stored per environment.
    pub(super) fn of_environment(&self) -> impl Iterator<Item = &'static str> {
        let own =
            self.members.iter().filter(|member| member.scope == MemberScope::Environment).map(|member| member.name);
        own.chain(self.flag()).chain(self.flag().map(|_| STORED_SECRETS))
    }

    /// URLs of a body, with the names of their members.
    pub(super) fn addresses<'b>(&self, body: &'b Map<String, Value>) -> impl Iterator<Item = (&'static str, &'b str)> {
        let addresses = self.members.iter().filter(|member| matches!(member.kind, ValueType::Https));
        let given = addresses.filter_map(|member| Some((member.name, member.given(body)?.as_str()?.trim())));
        given.filter(|(_, given)| !given.is_empty())
    }

    /// Names that a body may have: its members, and those of an answer, which may be sent back unchanged.
    pub(super) fn known(&self) -> Vec<&'static str> {
        let mut known: Vec<&'static str> = self.members.iter().flat_map(ConfigurationMember::names).collect();
        known.extend([TpAmb::Homologacao.word(), TpAmb::Producao.word(), STORED_SECRETS, "avisos", "tipo", "cpf_cnpj"]);
        known.extend(self.flag());
        known
    }
}

impl ConfigurationMember {
    /// Its name and its aliases.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Its value in a body; `None` when absent.
    pub(super) fn given<'b>(&self, body: &'b Map<String, Value>) -> Option<&'b Value> {
        self.names().find_map(|name| body.get(name))
    }

    /// Reads a value that is not null into its stored form.
    pub(crate) fn read(&self, value: &Value) -> Result<Value, ValueError> {
        let name = self.name;
        match &self.kind {
            ValueType::Environment => environment(value),
            ValueType::Crt => regimes::crt(value).map_err(|mensagem| ValueError::Meaning(mensagem.to_owned())),
            ValueType::Series(least, most) => series(name, value, *least, *most).map(Value::from),
            ValueType::LetteredSeries(most) => lettered(name, value, *most).map(Value::from),
            ValueType::NextNumber(last) => whole(name, value, 1, *last).map(Value::from),
            ValueType::Whole(accepted) => one_of(name, value, accepted),
            ValueType::Percent => percent(name, value).map(Value::from),
            ValueType::Flag => flag(name, value),
            ValueType::Text(longest) => text(name, value, *longest).map(Value::from),
            ValueType::Digits(count, words) => digits(name, value, *count, words).map(Value::from),
            ValueType::Rntrc(words) => rntrc(name, value, words).map(Value::from),
            ValueType::Municipio => municipality(name, value).map(Value::from),
            ValueType::Word(words) => word(name, value, words),
            ValueType::Https => https(name, value).map(Value::from),
            ValueType::Provider => provider(name, value).map(Value::from),
            ValueType::Group(..) => Err(ValueError::Form(format!("{name} deve ser um objeto: {{ … }}."))),
        }
    }
}

fn environment(value: &Value) -> Result<Value, ValueError> {
    let word = value.as_str().and_then(TpAmb::from_word).and_then(|ambiente| ambiente.code().parse().ok());
    let code = match word {
        Some(code) => code,
        None => integer("ambiente", value)?,
    };
    match code {
        1 | 2 => Ok(Value::from(code)),
        _ => Err(ValueError::Meaning("ambiente aceita 1 (produção) ou 2 (homologação).".to_owned())),
    }
}

/// A whole number, also as a text of digits.
fn integer(name: &str, value: &Value) -> Result<u64, ValueError> {
    let read = match value {
        Value::Number(number) => body::whole(number.as_str()),
        Value::String(text) => body::whole(text.trim()),
        _ => None,
    };
    read.ok_or_else(|| ValueError::Form(format!("{name} deve ser um número inteiro.")))
}

fn whole(name: &str, value: &Value, least: u64, most: u64) -> Result<u64, ValueError> {
    match integer(name, value)? {
        number if (least..=most).contains(&number) => Ok(number),
        _ => Err(ValueError::Meaning(format!("{name} vai de {least} a {most}."))),
    }
}

/// A number with no more characters than its upper bound has.
fn series(name: &str, value: &Value, least: u64, most: u64) -> Result<String, ValueError> {
    let longest = most.to_string().len();
    if value.as_str().is_some_and(|text| text.len() > longest) {
        return Err(ValueError::Meaning(format!("{name} tem no máximo {longest} caracteres, de {least} a {most}.")));
    }
    whole(name, value, least, most).map(|serie| serie.to_string())
}

/// A number, or a text with a letter in it.
fn lettered(name: &str, value: &Value, most: u64) -> Result<String, ValueError> {
    match value.as_str().map(str::trim).filter(|text| text.bytes().any(|letter| letter.is_ascii_alphabetic())) {
        None => whole(name, value, 1, most).map(|serie| serie.to_string()),
        Some(text) => Serie::parse(text).map(|serie| serie.to_string()).map_err(|_| {
            ValueError::Meaning(format!(
                "{name} vai de 1 a {most}, ou, no RPS municipal, tem até 5 letras e algarismos."
            ))
        }),
    }
}

fn one_of(name: &str, value: &Value, accepted: &[u64]) -> Result<Value, ValueError> {
    let number = integer(name, value)?;
    if accepted.contains(&number) {
        return Ok(Value::from(number));
    }
    let codes: Vec<String> = accepted.iter().map(u64::to_string).collect();
    Err(ValueError::Meaning(format!("{name} aceita {}.", codes.join(", "))))
}

/// Reads exactly: the layouts have two decimals.
fn percent(name: &str, value: &Value) -> Result<String, ValueError> {
    let given = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return Err(ValueError::Form(format!("{name} deve ser um número."))),
    };
    let plain = given.bytes().all(|letter| letter.is_ascii_digit() || letter == b'.');
    let number = amount(&given).filter(|number| plain && number.scale() <= 2 && Some(*number) <= amount("100"));
    let Some(mut number) = number else {
        return Err(ValueError::Meaning(format!("{name} vai de 0.00 a 100.00, com até duas casas decimais.")));
    };
    number.rescale(2);
    Ok(number.to_string())
}

fn flag(name: &str, value: &Value) -> Result<Value, ValueError> {
    match value {
        Value::Bool(_) => Ok(value.clone()),
        _ => Err(ValueError::Form(format!("{name} deve ser true ou false."))),
    }
}

fn text(name: &str, value: &Value, longest: u32) -> Result<String, ValueError> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => body::digits_of(number),
        _ => return Err(ValueError::Form(format!("{name} deve ser um texto."))),
    };
    if text.chars().count() > longest as usize {
        return Err(ValueError::Meaning(format!("{name} aceita até {longest} caracteres.")));
    }
    if text.chars().any(char::is_control) {
        return Err(ValueError::Meaning(format!("{name} não aceita caracteres de controle.")));
    }
    Ok(text)
}

fn digits(name: &str, value: &Value, count: u32, words: &[&str]) -> Result<String, ValueError> {
    let text: String = text(name, value, 30)?.chars().filter(|c| c.is_alphanumeric()).collect();
    let text = text.to_ascii_uppercase();
    if words.contains(&text.as_str())
        || (text.len() == count as usize && text.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return Ok(text);
    }
    let or = words.iter().map(|word| format!(" ou {word}")).collect::<String>();
    Err(ValueError::Meaning(format!("{name} deve ter {count} dígitos{or}.")))
}

fn rntrc(name: &str, value: &Value, words: &[&str]) -> Result<String, ValueError> {
    let bare = fiscal::cte::registration(&text(name, value, 30)?);
    digits(name, &Value::from(bare), 8, words)
}

fn municipality(name: &str, value: &Value) -> Result<String, ValueError> {
    let codigo = digits(name, value, 7, &[])?;
    match codigo.parse().ok().and_then(municipio::find) {
        Some(_) => Ok(codigo),
        None => Err(ValueError::Meaning(format!("{name} {codigo} não existe na tabela do IBGE."))),
    }
}

fn word(name: &str, value: &Value, words: &[&str]) -> Result<Value, ValueError> {
    let given = text(name, value, 60)?.to_lowercase();
    match words.contains(&given.as_str()) {
        true => Ok(Value::from(given)),
        false => Err(ValueError::Meaning(format!("{name} aceita {}.", words.join(", ")))),
    }
}

/// Reads the text; the caller looks the name up in the table of providers.
fn provider(name: &str, value: &Value) -> Result<String, ValueError> {
    let given = text(name, value, 40)?.to_lowercase();
    let shaped =
        given.len() > 1 && given.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"_-. ".contains(&letter));
    if shaped {
        Ok(given)
    } else {
        Err(ValueError::Meaning(format!(
            "{name} deve ser nacional, nacional_propria, abrasf ou o nome de um provedor."
        )))
    }
}

fn https(name: &str, value: &Value) -> Result<String, ValueError> {
    let given = text(name, value, 255)?;
    let uri = given.parse::<http::Uri>().ok();
    let is_https = uri.is_some_and(|uri| uri.scheme_str() == Some("https") && uri.host().is_some());
    if is_https { Ok(given) } else { Err(ValueError::Meaning(format!("{name} deve ser um endereço https://…"))) }
}

/// `nNF` and `nCT`.
const NINE_DIGITS: u64 = 999_999_999;
/// `nDPS` (TSNumDPS); `Numero` of an RPS.
const FIFTEEN_DIGITS: u64 = 999_999_999_999_999;

/// Member with the names of the stored secrets.
pub(crate) const STORED_SECRETS: &str = "segredos_guardados";
