//! The official tree as JSON: `nota.infNFe {ide, emit, …}` or `nota.infCte {…}` in place of the contract's `nota`.
//! Payloads made for the layout itself (the XML as JSON, the API of Nuvem Fiscal, arrays of sped-nfe) are accepted
//! unchanged and reported under their own paths.
//!
//! Law: MOC 7.0, anexo I, A01; MOC CT-e 4.00, anexo I, A01. Must not know the content of the groups.

use crate::finding::{MOST_REPORTED, Notice, Violation, excerpt};
use crate::map;
use serde_json::Value;

/// Official tree of one document.
pub(crate) struct OfficialTree {
    /// Name of the tree, e.g. `infNFe`.
    pub(crate) name: &'static str,
    /// Path of the tree, e.g. `nota.infNFe`.
    pub(crate) path: &'static str,
    /// Examples of groups for a message.
    pub(crate) groups: &'static str,
    /// True for the name of a group of this document.
    pub(crate) is_group: fn(&str) -> bool,
    /// Names that other services use.
    pub(crate) foreign: ForeignNames,
}

/// Translation of other services' names into ours.
pub(crate) struct ForeignNames {
    pub(crate) remark: fn(&mut Notice),
    pub(crate) refusal: fn(&Value, &mut Violation),
}

/// Attributes of the tree. The service writes its own.
pub(crate) const ATTRIBUTES: [&str; 2] = ["versao", "Id"];

impl OfficialTree {
    /// Returns the object that holds the groups: the tree, or `nota` itself.
    pub(crate) fn groups<'a>(&self, nota: &'a Value) -> &'a Value {
        nota.get(self.name).filter(|tree| tree.is_object()).unwrap_or(nota)
    }

    /// Returns the path of the groups.
    pub(crate) fn groups_path(&self, nota: &Value) -> &'static str {
        if nota.get(self.name).is_some_and(Value::is_object) { self.path } else { "nota" }
    }

    /// Refuses a `nota` with an unreadable tree, or with groups both inside the tree and beside it.
    pub(crate) fn refuse(&self, nota: &Value) -> Result<(), Vec<Violation>> {
        let Some(tree) = nota.get(self.name).filter(|tree| !tree.is_null()) else { return Ok(()) };
        let name = self.name;
        if !tree.is_object() {
            let mensagem = format!("{name} é um objeto com os grupos oficiais: {}…", self.groups);
            return Err(vec![Violation::of(self.path, "tipo_invalido", &mensagem)]);
        }
        let twice = self.beside(nota).filter(|beside| (self.is_group)(beside)).map(|beside| {
            let mensagem =
                format!("{beside} está ao lado de {name}. Ponha todos os grupos dentro de {name}, ou todos em nota.");
            Violation::of(&format!("nota.{beside}"), "estrutura_invalida", &mensagem)
        });
        let twice: Vec<Violation> = twice.collect();
        if twice.is_empty() { Ok(()) } else { Err(twice) }
    }

    /// Rewrites violations to the caller's paths.
    pub(crate) fn rewrite_violations(&self, nota: &Value, mut violations: Vec<Violation>) -> Vec<Violation> {
        let home = self.groups_path(nota);
        for violation in &mut violations {
            (self.foreign.refusal)(self.groups(nota), violation);
            violation.campo = at(home, &violation.campo);
        }
        violations
    }

    /// Rewrites notices to the caller's paths, and adds one for each name beside the tree.
    pub(crate) fn rewrite_notices(&self, nota: &Value, mut notices: Vec<Notice>) -> Vec<Notice> {
        let home = self.groups_path(nota);
        notices.iter_mut().for_each(self.foreign.remark);
        if home != "nota" {
            for notice in &mut notices {
                notice.campo = at(home, &notice.campo);
                if let Some(path) = notice.sugestao.as_mut().filter(|path| path.starts_with("nota.")) {
                    *path = at(home, path);
                }
            }
            let beside = self.beside(nota).take(MOST_REPORTED);
            notices.extend(beside.map(|name| map::notice(format!("nota.{}", excerpt(name)), name, &[], false)));
        }
        notices
    }

    /// Returns the names beside the tree.
    fn beside<'a>(&self, nota: &'a Value) -> impl Iterator<Item = &'a str> {
        let tree = self.name;
        let members = nota.as_object().into_iter().flatten();
        members.filter(move |(name, value)| *name != tree && !value.is_null()).map(|(name, _)| name.as_str())
    }
}

/// Moves `nota.x` below the path of the groups.
fn at(home: &str, campo: &str) -> String {
    match campo.strip_prefix("nota") {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("{home}{rest}"),
        _ => campo.to_owned(),
    }
}
