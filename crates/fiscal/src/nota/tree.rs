//! The official tree as JSON: `nota.infNFe {ide, emit, …}` or `nota.infCte {…}` stands for `nota`, so that what was
//! written for the layout itself (the XML as JSON, the API of Nuvem Fiscal, arrays of sped-nfe) is sent as it is, and
//! is told of under its own paths.
//!
//! Law: MOC 7.0 anexo I, A01; MOC CT-e 4.00 anexo I, A01. Must not know what the groups hold.

use crate::finding::{MOST_TOLD, Notice, Violation, repeated};
use crate::map;
use serde_json::Value;

/// The tree of one document.
pub(crate) struct Tree {
    /// `infNFe`.
    pub(crate) name: &'static str,
    /// `nota.infNFe`.
    pub(crate) path: &'static str,
    /// Groups to name in a message.
    pub(crate) groups: &'static str,
    /// Whether a name is one of a group of this document.
    pub(crate) is_group: fn(&str) -> bool,
    /// What is known of names that other services have.
    pub(crate) foreign: Foreign,
}

/// Tells our names for those of other services.
pub(crate) struct Foreign {
    pub(crate) remark: fn(&mut Notice),
    pub(crate) refusal: fn(&Value, &mut Violation),
}

/// Attributes of the tree; the service writes its own.
pub(crate) const ATTRIBUTES: [&str; 2] = ["versao", "Id"];

impl Tree {
    /// The groups of a `nota`, wherever they stand.
    pub(crate) fn groups<'a>(&self, nota: &'a Value) -> &'a Value {
        nota.get(self.name).filter(|tree| tree.is_object()).unwrap_or(nota)
    }

    /// The path of the groups.
    pub(crate) fn home(&self, nota: &Value) -> &'static str {
        if nota.get(self.name).is_some_and(Value::is_object) { self.path } else { "nota" }
    }

    /// What stops a `nota` before its groups are looked at: it cannot say its groups twice.
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

    /// Refusals under the caller's paths.
    pub(crate) fn refusals(&self, nota: &Value, mut violations: Vec<Violation>) -> Vec<Violation> {
        let home = self.home(nota);
        for violation in &mut violations {
            (self.foreign.refusal)(self.groups(nota), violation);
            violation.campo = at(home, &violation.campo);
        }
        violations
    }

    /// Remarks under the caller's paths; what is no group beside the tree is told, too.
    pub(crate) fn remarks(&self, nota: &Value, mut notices: Vec<Notice>) -> Vec<Notice> {
        let home = self.home(nota);
        notices.iter_mut().for_each(self.foreign.remark);
        if home != "nota" {
            for notice in &mut notices {
                notice.campo = at(home, &notice.campo);
                if let Some(path) = notice.sugestao.as_mut().filter(|path| path.starts_with("nota.")) {
                    *path = at(home, path);
                }
            }
            let beside = self.beside(nota).take(MOST_TOLD);
            notices.extend(beside.map(|name| map::notice(format!("nota.{}", repeated(name)), name, &[], false)));
        }
        notices
    }

    /// Names beside the tree.
    fn beside<'a>(&self, nota: &'a Value) -> impl Iterator<Item = &'a str> {
        let tree = self.name;
        let members = nota.as_object().into_iter().flatten();
        members.filter(move |(name, value)| *name != tree && !value.is_null()).map(|(name, _)| name.as_str())
    }
}

/// `nota.x` below the home of the groups.
fn at(home: &str, campo: &str) -> String {
    match campo.strip_prefix("nota") {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("{home}{rest}"),
        _ => campo.to_owned(),
    }
}
