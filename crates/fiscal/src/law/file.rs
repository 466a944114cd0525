//! The operator's changes to the printed law, from JSON or TOML: rates of the CBS, and rules that are moved, ended or
//! weakened.

use super::printed_rules::rules;
use super::{Law, LawChange, RuleFamily, RuleStart};
use crate::value::amount;
use rust_decimal::Decimal;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};

/// A file as read.
#[derive(Debug)]
struct LawFile {
    changes: Vec<LawChange>,
    cbs: BTreeMap<i16, Decimal>,
}

impl Law {
    /// Reads the operator's file, or returns every error, in Portuguese.
    pub fn read(written: Value) -> Result<Law, Vec<String>> {
        let LawFile { changes, cbs } = read(&written)?;
        let mut changed = HashMap::new();
        for change in &changes {
            for (key, printed) in rules().filter(|(key, _)| change.applies_to(key)) {
                change.apply(changed.entry(key).or_insert_with(|| printed.clone()));
            }
        }
        Ok(Law { written, changes, changed, cbs })
    }
}

impl TryFrom<Value> for Law {
    type Error = String;

    fn try_from(written: Value) -> Result<Law, String> {
        Law::read(written).map_err(|wrong| wrong.join("; "))
    }
}

/// Reads a file, or returns every error.
fn read(written: &Value) -> Result<LawFile, Vec<String>> {
    let mut wrong = Vec::new();
    let empty = Map::new();
    let members = match written {
        Value::Null => &empty,
        Value::Object(members) => members,
        _ => return Err(vec!["a lei é uma tabela de chaves e valores".to_owned()]),
    };
    let mut read = LawFile { changes: Vec::new(), cbs: BTreeMap::new() };
    for (name, value) in members {
        match (name.as_str(), value) {
            ("cbs_2027", value) => read.cbs.extend(rate(name, value, &mut wrong).map(|rate| (2027, rate))),
            ("cbs_2028", value) => read.cbs.extend(rate(name, value, &mut wrong).map(|rate| (2028, rate))),
            ("regras", Value::Array(rows)) if rows.len() <= MOST_CHANGES => {
                for (index, row) in rows.iter().enumerate() {
                    read.changes.extend(change(index, row, &mut wrong));
                }
            }
            ("regras", _) => wrong.push(format!("regras: é uma lista ([[regras]]) de até {MOST_CHANGES} mudanças")),
            _ => wrong.push(format!("{name}: chave desconhecida; as chaves são cbs_2027, cbs_2028 e regras")),
        }
    }
    if wrong.is_empty() { Ok(read) } else { Err(wrong) }
}

/// Upper bound: more than all rules, each in both environments.
const MOST_CHANGES: usize = 1_000;

/// A rate in per cent, as text, because a number in TOML may have lost digits.
fn rate(name: &str, value: &Value, wrong: &mut Vec<String>) -> Option<Decimal> {
    let read = value.as_str().and_then(amount);
    let read = read.filter(|rate| *rate >= Decimal::ZERO && *rate <= Decimal::ONE_HUNDRED && rate.scale() <= 4);
    if read.is_none() {
        wrong.push(format!(
            "{name}: é a alíquota em por cento, entre aspas, de 0 a 100 com até quatro casas, por exemplo \"8.7\""
        ));
    }
    read
}

/// Reads a row.
fn change(index: usize, row: &Value, wrong: &mut Vec<String>) -> Option<LawChange> {
    let before = wrong.len();
    let empty = Map::new();
    let mut row = ChangeRow { at: format!("regras[{index}]"), members: row.as_object().unwrap_or(&empty), wrong };
    row.refuse_unknown();
    let change = LawChange {
        documento: row
            .value("documento", "é \"nfe\" (também da NFC-e), \"cte\" (também do CT-e OS) ou \"nfse\"; sem ela, nfe")
            .unwrap_or_default(),
        codigo: row.code(),
        regra: row.value("regra", "é o texto da regra, por exemplo \"UB12-10\""),
        ambiente: row.value("ambiente", "é \"homologacao\" ou \"producao\"; sem ela, ambos"),
        a_partir_de: row.onset(),
        ate: row.value("ate", "é o último dia, AAAA-MM-DD"),
        efeito: row.value("efeito", "é \"rejeicao\", \"aviso\" ou \"nada\""),
        ufs: row.value("ufs", "é uma lista de siglas, por exemplo [\"SP\", \"RS\"]; vazia, nenhuma"),
        crt: row.value("crt", "é uma lista de CRT, por exemplo [3]"),
        fonte: row.value("fonte", "é o que sustenta a mudança, em texto").unwrap_or_default(),
    };
    for required in ["codigo", "fonte"] {
        if !row.members.contains_key(required) {
            row.refuse(required, "é obrigatória");
        }
    }
    if change.documento == RuleFamily::Nfse {
        row.refuse_limits();
    }
    if !change.changes_term() {
        row.refuse("a_partir_de", "diga o que muda: a_partir_de, ate, efeito, ufs ou crt");
    }
    if change.codigo != 0 && !rules().any(|(key, _)| change.applies_to(&key)) {
        row.refuse("codigo", "nenhuma regra prevista por este serviço tem este código (veja /docs/guia/regras)");
    }
    (wrong.len() == before).then_some(change)
}

/// A row being read.
struct ChangeRow<'r> {
    at: String,
    members: &'r Map<String, Value>,
    wrong: &'r mut Vec<String>,
}

/// Allowed members.
const CHANGE_MEMBERS: [&str; 10] =
    ["documento", "codigo", "regra", "ambiente", "a_partir_de", "ate", "efeito", "ufs", "crt", "fonte"];

impl ChangeRow<'_> {
    fn refuse(&mut self, name: &str, why: &str) {
        self.wrong.push(format!("{}.{name}: {why}", self.at));
    }

    /// Refuses limits that the NFS-e has not: its rules depend on município and `opSimpNac`, not on state or CRT.
    fn refuse_limits(&mut self) {
        for limit in ["ufs", "crt"].into_iter().filter(|limit| self.members.contains_key(*limit)) {
            let why = "não se aplica à NFS-e: suas regras não se limitam por UF nem por CRT; use ambiente, a_partir_de, ate ou efeito";
            self.refuse(limit, why);
        }
    }

    fn refuse_unknown(&mut self) {
        let unknown: Vec<String> =
            self.members.keys().filter(|name| !CHANGE_MEMBERS.contains(&name.as_str())).cloned().collect();
        for name in unknown {
            self.refuse(&name, &format!("chave desconhecida; as chaves são {}", CHANGE_MEMBERS.join(", ")));
        }
    }

    /// An optional member.
    fn value<T: DeserializeOwned>(&mut self, name: &str, what: &str) -> Option<T> {
        let value = self.members.get(name)?;
        let read = serde_json::from_value(value.clone()).ok();
        if read.is_none() {
            self.refuse(name, what);
        }
        read
    }

    /// `codigo`: 1115, or E0617 of the NFS-e, with or without its letter.
    fn code(&mut self) -> u16 {
        let digits = |text: &str| text.trim_start_matches(['E', 'e']).parse().ok();
        let read = self.members.get("codigo").map(|value| match value {
            Value::String(text) => digits(text),
            other => digits(&other.to_string()),
        });
        if read == Some(None) {
            self.refuse("codigo", "é o código da rejeição, por exemplo 1115 ou \"E0617\"");
        }
        read.flatten().unwrap_or_default()
    }

    /// `a_partir_de`: a day, or `nunca`.
    fn onset(&mut self) -> Option<RuleStart> {
        if self.members.get("a_partir_de").is_some_and(|value| value == "nunca") {
            return Some(RuleStart::Never);
        }
        self.value("a_partir_de", "é o primeiro dia, AAAA-MM-DD, ou \"nunca\"").map(RuleStart::Day)
    }
}
