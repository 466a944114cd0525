//! The permission that a route requires of a key: an extension of its requests, from its row of `routes`, checked as
//! soon as the caller is identified (`caller`).
//!
//! Law: `docs/concepts/permissions.md`. A request without a row requires `completa`. A user in a session has every
//! permission.

use http::request::Parts;
use store::accounts::{Caller, Permissao};

use super::error::ApiError;
use super::error_code;

/// Permission that a route requires of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequiredPermission {
    /// No key is checked: the route is public, or for users only.
    Free,
    /// Reads, or checks without effect.
    Read,
    /// Prepares an emission, or issues an approved one.
    Assist,
    /// Acts, or shows a secret.
    Act,
    /// Changes the account itself, or shows a secret of it.
    Administer,
}

impl RequiredPermission {
    fn met_by(self, permissao: Permissao) -> bool {
        match permissao {
            Permissao::Completa => true,
            Permissao::Leitura => matches!(self, RequiredPermission::Free | RequiredPermission::Read),
            Permissao::Assistida => !matches!(self, RequiredPermission::Act | RequiredPermission::Administer),
        }
    }

    /// True when a key of permission `leitura` is refused.
    pub(super) fn refuses_readers(self) -> bool {
        !self.met_by(Permissao::Leitura)
    }

    /// The required permission in Portuguese, for the refusal.
    fn permission_phrase(self) -> &'static str {
        match self {
            RequiredPermission::Free | RequiredPermission::Read => "leitura, assistida ou completa",
            RequiredPermission::Assist => "assistida ou completa",
            RequiredPermission::Act | RequiredPermission::Administer => "completa",
        }
    }
}

/// Refuses a key without the permission that the route requires.
pub(super) fn check(parts: &Parts, caller: &Caller) -> Result<(), ApiError> {
    require(caller, of_request(parts))
}

/// Permission that the route of a request requires.
fn of_request(parts: &Parts) -> RequiredPermission {
    parts.extensions.get::<RequiredPermission>().copied().unwrap_or(RequiredPermission::Act)
}

/// Refuses a key without a permission, for acts that are not routes.
pub(crate) fn require(caller: &Caller, need: RequiredPermission) -> Result<(), ApiError> {
    if need.met_by(caller.permissao) { Ok(()) } else { Err(insufficient(caller.permissao, need)) }
}

/// 403 that names the required permission.
fn insufficient(has: Permissao, need: RequiredPermission) -> ApiError {
    let detail = format!(
        "Esta chave tem a permissão {} e esta operação precisa de {}. Nada foi feito. Use outra chave da conta, ou peça uma a quem a administra.",
        has.word(),
        need.permission_phrase()
    );
    ApiError::new(&error_code::PERMISSAO_INSUFICIENTE, detail)
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    #[test]
    fn a_request_without_a_row_requires_every_permission() {
        let (mut parts, ()) = Request::new(()).into_parts();
        assert_eq!(of_request(&parts), RequiredPermission::Act);
        parts.extensions.insert(RequiredPermission::Read);
        assert_eq!(of_request(&parts), RequiredPermission::Read);
        assert!(
            !RequiredPermission::Act.met_by(Permissao::Assistida)
                && !RequiredPermission::Assist.met_by(Permissao::Leitura)
        );
    }
}
