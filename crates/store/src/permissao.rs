//! Permissions of API keys, and roles of people, as one enumeration.
//!
//! Law: docs/concepts/permissions.md. Must not know: the needs that one meets.

use crate::words::word_table;

/// Permission of an API key, or role of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Permissao {
    /// Every operation.
    #[default]
    Completa,
    /// Reading only.
    Leitura,
    /// Reading and preparing; issuing only after a person's approval.
    Assistida,
    /// Role with every operation.
    Administrador,
    /// Role that issues, corrects and cancels.
    Emissor,
    /// Role that decides on prepared orders.
    Aprovador,
    /// Role that reads and exports.
    Contador,
}

impl Permissao {
    /// Permissions that a key may have, with their words.
    pub const OF_KEYS: &[(&'static str, Permissao)] =
        &[("completa", Permissao::Completa), ("leitura", Permissao::Leitura), ("assistida", Permissao::Assistida)];

    /// Roles of people, the most powerful one first.
    pub const ROLES: [Permissao; 4] =
        [Permissao::Administrador, Permissao::Emissor, Permissao::Aprovador, Permissao::Contador];

    /// `true` for a role of people.
    pub fn is_role(self) -> bool {
        Permissao::ROLES.contains(&self)
    }

    /// `true` if its holder may issue without another person's approval.
    pub fn issues_alone(self) -> bool {
        matches!(self, Permissao::Completa | Permissao::Administrador | Permissao::Emissor)
    }
}

word_table!(pub Permissao {
    Completa => "completa",
    Leitura => "leitura",
    Assistida => "assistida",
    Administrador => "administrador",
    Emissor => "emissor",
    Aprovador => "aprovador",
    Contador => "contador",
});
