//! The caller's `nota` as leaves of the version's layout, each with the path the caller wrote it under.
//!
//! Law: `docs/contract.md`, "Emission" (leniency) and "NFS-e". Must not know the defaults of absent members.

use super::AbrasfDialect;
use super::leaves::{self, DocumentWrapper, PayloadLeaf, of};
use super::names::{CodeConversion, canonical, fold, is_national_group, national};
use super::value::{self, LeafTarget, RefusedValue, ValueLoss, WrittenValue};
use crate::finding::{MOST_FOUND, Notice, Violation, excerpt};
use crate::layout;
use crate::nfse::doubtful_values::fraction;
use crate::value::{CnpjCpf, number};
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Deepest nesting that is read; the deepest leaf of a layout has five levels.
const DEPTH: usize = 8;
/// Most deductions of one RPS.
pub(super) const MOST_ROWS: usize = 1_000;

/// A payload as read.
#[derive(Default)]
pub(super) struct ReadPayload {
    /// Values by path of tags below the declaration, lists with an index: `Deducao[0]/ValorDedutivel`.
    pub(super) leaves: BTreeMap<String, LeafValue>,
    pub(super) violations: Vec<Violation>,
    pub(super) notices: Vec<Notice>,
    /// True when the caller writes names as in the XML.
    pub(super) official_names: bool,
}

/// A value of a leaf.
#[derive(Debug, Clone)]
pub(super) struct LeafValue {
    pub(super) text: String,
    /// The caller's path.
    pub(super) campo: String,
    /// True for a value of the caller, false for a default.
    pub(super) is_callers: bool,
}

/// Reads a payload for a dialect. `home` is the path of its groups.
pub(super) fn read(groups: &Map<String, Value>, home: &str, dialect: &AbrasfDialect, offset_hours: i8) -> ReadPayload {
    let mut reading = PayloadReader { dialect, offset_hours, payload: ReadPayload::default(), index: String::new() };
    reading.payload.official_names = groups.keys().any(|name| name == "Servico" || name == "Rps" || name == "InfRps");
    reading.group(groups, "", home, 0);
    reading.payload
}

/// The text of a leaf by its canonical path, under any of its names.
pub(super) fn find(groups: &Map<String, Value>, wanted: &str) -> Option<String> {
    fn below(members: &Map<String, Value>, path: &str, wanted: &str, depth: usize) -> Option<String> {
        members.iter().find_map(|(name, value)| {
            let own = if path.is_empty() { fold(name) } else { format!("{path}/{}", fold(name)) };
            match value {
                Value::Object(inner) if depth < DEPTH && is_group(&own) => below(inner, &own, wanted, depth + 1),
                Value::String(_) | Value::Number(_) => {
                    let is_wanted = canonical(&own) == wanted || national(&own).any(|(to, _)| to == wanted);
                    value::plain(value).ok().filter(|_| is_wanted)
                }
                _ => None,
            }
        })
    }
    below(groups, "", wanted, 0)
}

/// A payload being read.
struct PayloadReader<'a> {
    dialect: &'a AbrasfDialect,
    offset_hours: i8,
    payload: ReadPayload,
    /// `[0]` inside of a list, else empty.
    index: String,
}

impl PayloadReader<'_> {
    fn group(&mut self, members: &Map<String, Value>, path: &str, campo: &str, depth: usize) {
        for (name, value) in members {
            if self.payload.violations.len() >= MOST_FOUND || is_empty(value) {
                continue;
            }
            let own = if path.is_empty() { fold(name) } else { format!("{path}/{}", fold(name)) };
            let campo = format!("{campo}.{}", excerpt(name));
            match value {
                Value::Object(inner) if depth < DEPTH && is_group(&own) => self.group(inner, &own, &campo, depth + 1),
                Value::Array(rows) if canonical(&own) == LIST => self.list(rows, &campo),
                Value::Object(inner) if canonical(&own) == LIST => self.row(inner, 0, &campo),
                Value::Object(_) | Value::Array(_) if is_leaf(&own) => {
                    self.refuse(
                        &campo,
                        RefusedValue::of("tipo_invalido", "Informe um texto ou um número, não um grupo."),
                    );
                }
                Value::Object(_) | Value::Array(_) => self.warn_of_unknown_name(name, &own, campo),
                _ => self.leaf(name, value, &own, campo),
            }
        }
    }

    /// Reads the deductions, each a group.
    fn list(&mut self, rows: &[Value], campo: &str) {
        if rows.len() > MOST_ROWS {
            let mensagem = format!("Há {} deduções; o serviço leva no máximo {MOST_ROWS}.", rows.len());
            return self.payload.violations.push(Violation::of(campo, "valor_invalido", &mensagem));
        }
        for (at, row) in rows.iter().enumerate() {
            let campo = format!("{campo}[{at}]");
            match row {
                Value::Object(row) => self.row(row, at, &campo),
                _ => self.refuse(&campo, RefusedValue::of("tipo_invalido", "Cada dedução é um objeto.")),
            }
        }
    }

    fn row(&mut self, row: &Map<String, Value>, at: usize, campo: &str) {
        self.index = format!("[{at}]");
        self.group(row, LIST, campo, 1);
        self.index.clear();
    }

    fn leaf(&mut self, name: &str, value: &Value, path: &str, campo: String) {
        let given = match value::plain(value) {
            Ok(given) => given,
            Err(refused) => return self.refuse(&campo, refused),
        };
        let mut elsewhere = national(path).peekable();
        if elsewhere.peek().is_some() {
            for (to, how) in elsewhere {
                match how.read(&given) {
                    Some(text) => self.set_leaf(to, text, &campo),
                    // `tpRetISSQN` sets two fields, the second of which may have no value
                    None if how == CodeConversion::Withholder => {}
                    None => {
                        let mensagem =
                            format!("{} {} não tem correspondente na NFS-e municipal.", excerpt(name), excerpt(&given));
                        self.refuse(&campo, RefusedValue { codigo: "valor_invalido", mensagem });
                    }
                }
            }
            return;
        }
        match own_path(path) {
            Some(path) => self.set_leaf(&path, &given, &campo),
            None => self.warn_of_unknown_name(name, path, campo),
        }
    }

    /// Sets a leaf, or its counterpart when the version has another field for the same fact.
    fn set_leaf(&mut self, path: &str, given: &str, campo: &str) {
        let leaves = of(self.dialect.version);
        let twin = COUNTERPARTS.iter().find(|(from, _, _)| *from == path && !leaves.contains_key(path));
        let (path, given) = match twin {
            None => (path, given),
            Some((_, to, how)) => match how.read(given) {
                Some(text) => (*to, text),
                None => {
                    let mensagem = format!(
                        "O valor {} não tem correspondente na versão {} do leiaute: informe {}.",
                        excerpt(given),
                        self.dialect.version.versao(),
                        to.rsplit('/').next().map_or_else(String::new, snake_case)
                    );
                    return self.refuse(campo, RefusedValue { codigo: "valor_invalido", mensagem });
                }
            },
        };
        let Some(leaf) = leaves.get(path) else { return self.warn_of_absent_field(campo) };
        if path == RATE {
            self.warn_of_fraction(given, campo);
        }
        match self.format_leaf(leaf, given) {
            Ok((at, written)) => self.insert_leaf(at, written, campo),
            Err(refused) => self.refuse(campo, refused),
        }
    }

    fn format_leaf(&self, leaf: &PayloadLeaf, given: &str) -> Result<(String, WrittenValue), RefusedValue> {
        let path = match leaf.path.strip_prefix("Deducao/") {
            Some(rest) => format!("Deducao{}/{rest}", self.index),
            None => leaf.path.clone(),
        };
        let Some(holder) = leaf.document else {
            let place = LeafTarget { dialect: self.dialect, simple: leaf.simple, offset_hours: self.offset_hours };
            return Ok((path, place.write(given)?));
        };
        let document = value::document(given)?;
        let tag = match document {
            CnpjCpf::Cnpj(_) => "Cnpj",
            CnpjCpf::Cpf(_) if holder == DocumentWrapper::Choice => "Cpf",
            CnpjCpf::Cpf(_) => {
                return Err(RefusedValue::of(
                    "valor_invalido",
                    "Esta versão do leiaute leva só CNPJ aqui: pessoa física não emite por ela.",
                ));
            }
        };
        Ok((format!("{path}/{tag}"), WrittenValue { text: document.to_string(), loss: None }))
    }

    /// Warns about a rate below one per cent, which is most often a fraction.
    fn warn_of_fraction(&mut self, given: &str, campo: &str) {
        let percent = number(given).filter(|percent| *percent > Decimal::ZERO && *percent < Decimal::ONE);
        if let Some(percent) = percent {
            self.payload.notices.push(fraction(campo.to_owned(), percent));
        }
    }

    fn insert_leaf(&mut self, at: String, written: WrittenValue, campo: &str) {
        self.payload.notices.extend(written.loss.map(|lost| loss_notice(lost, &written.text, campo)));
        match self.payload.leaves.get(&at).or_else(|| self.payload.leaves.get(&other_document(&at)?)) {
            Some(known) if known.text != written.text => {
                let mensagem =
                    format!("Este campo e {} dizem o mesmo e têm valores diferentes: informe um só.", known.campo);
                self.refuse(campo, RefusedValue { codigo: "valor_divergente", mensagem });
            }
            Some(_) => {}
            None => drop(
                self.payload
                    .leaves
                    .insert(at, LeafValue { text: written.text, campo: campo.to_owned(), is_callers: true }),
            ),
        }
    }

    /// Adds the notice for a field that other versions have; the RPS is issued without it.
    fn warn_of_absent_field(&mut self, campo: &str) {
        let mensagem =
            format!("A versão {} do leiaute não tem este campo: foi ignorado.", self.dialect.version.versao());
        self.payload.notices.push(Notice::of(campo.to_owned(), "campo_ignorado", &mensagem, None));
    }

    fn warn_of_unknown_name(&mut self, name: &str, path: &str, campo: String) {
        if self.payload.notices.len() >= MOST_FOUND {
            return;
        }
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        let nearest = nearest_below(parent, &fold(name));
        let mensagem = match &nearest {
            Some(right) => format!("{} não é um campo conhecido aqui; o mais próximo é {right}.", excerpt(name)),
            None => format!("{} não é um campo conhecido aqui e foi ignorado.", excerpt(name)),
        };
        self.payload.notices.push(Notice::of(campo, "campo_desconhecido", &mensagem, nearest.as_deref()));
    }

    fn refuse(&mut self, campo: &str, refused: RefusedValue) {
        let RefusedValue { codigo, mensagem } = refused;
        self.payload.violations.push(Violation { campo: campo.to_owned(), codigo, mensagem, sugestao: None });
    }
}

/// The notice for a loss.
fn loss_notice(lost: ValueLoss, written: &str, campo: &str) -> Notice {
    let (codigo, mensagem, sugestao) = match lost {
        ValueLoss::Decimals => {
            let mensagem = "O leiaute aceita duas casas decimais: o valor foi arredondado.".to_owned();
            ("valor_arredondado", mensagem, None)
        }
        ValueLoss::Characters => {
            let mensagem = "Há caracteres de controle, que o documento não aceita: foram removidos.".to_owned();
            ("caractere_removido", mensagem, None)
        }
        ValueLoss::NationalItem => {
            let mensagem = format!(
                "O leiaute da prefeitura leva o item da lista da LC 116 sem o desdobro nacional: foi escrito \"{written}\". Se o município pede um código \
                 mais fino, informe codigo_tributacao_municipio."
            );
            ("assumido_padrao", mensagem, Some(written))
        }
    };
    Notice::of(campo.to_owned(), codigo, &mensagem, sugestao)
}

/// Path of the other document tag of a party, which has one document.
fn other_document(path: &str) -> Option<String> {
    let other = |tag: &str, other: &str| path.strip_suffix(tag).map(|party| format!("{party}{other}"));
    other("CpfCnpj/Cpf", "CpfCnpj/Cnpj").or_else(|| other("CpfCnpj/Cnpj", "CpfCnpj/Cpf"))
}

/// Codes that 1.00 and the later versions carry in different fields.
const COUNTERPARTS: [(&str, &str, CodeConversion); 2] = [
    ("naturezaoperacao", "servico/exigibilidadeiss", CodeConversion::Nature),
    ("servico/exigibilidadeiss", "naturezaoperacao", CodeConversion::Exigibility),
];

/// Canonical path of the rate.
const RATE: &str = "servico/valores/aliquota";
/// Canonical path of the only list of the layouts.
const LIST: &str = "deducao";

/// The canonical path of a leaf. Amounts are also accepted directly in `servico`.
fn own_path(path: &str) -> Option<String> {
    let own = canonical(path);
    if leaves::is_known(&own) {
        return Some(own);
    }
    let inside = own.strip_prefix("servico/").map(|rest| canonical(&format!("servico/valores/{rest}")));
    inside.filter(|path| leaves::is_known(path))
}

fn is_leaf(path: &str) -> bool {
    own_path(path).is_some() || national(path).next().is_some()
}

fn is_group(path: &str) -> bool {
    let own = canonical(path);
    own != LIST && !leaves::is_known(&own) && (leaves::is_group(&own) || is_national_group(path))
        || own.ends_with("/cpfcnpj")
}

/// The name of the group that is nearest to an unknown one.
fn nearest_below(parent: &str, name: &str) -> Option<String> {
    let parent = canonical(parent);
    let below = |path: &'static str| {
        let rest = if parent.is_empty() { Some(path) } else { path.strip_prefix(&*parent)?.strip_prefix('/') };
        rest.filter(|rest| !rest.contains('/'))
    };
    let every = super::AbrasfVersion::ALL.iter().flat_map(|version| of(*version));
    let names: Vec<(&'static str, &'static PayloadLeaf)> =
        every.filter_map(|(path, leaf)| Some((below(path)?, leaf))).collect();
    let best = layout::nearest(name, names.iter().map(|(name, _)| *name))?;
    names.iter().find(|(name, _)| *name == best).map(|(_, leaf)| snake_case(last_tag(leaf)))
}

fn last_tag(leaf: &'static PayloadLeaf) -> &'static str {
    leaf.path.rsplit('/').next().unwrap_or(&leaf.path)
}

/// `valor_servicos` of `ValorServicos`.
pub(super) fn snake_case(tag: &str) -> String {
    let mut spelled = String::with_capacity(tag.len() + 4);
    let letters: Vec<char> = tag.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let before_is_small = at > 0 && !letters[at - 1].is_uppercase() && letters[at - 1] != '_';
        let begins_word =
            at > 0 && letters.get(at + 1).is_some_and(|next| next.is_lowercase()) && letters[at - 1] != '_';
        if letter.is_uppercase() && (before_is_small || begins_word) {
            spelled.push('_');
        }
        spelled.extend(letter.to_lowercase());
    }
    spelled
}

/// Null, blank texts and empty containers count as absent.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(rows) => rows.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
