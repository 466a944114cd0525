//! Needs of routes, and the permissions of keys and roles of people that meet them: an extension of the requests, from
//! their row of `routes`, checked as soon as the caller is identified (`caller`, `PanelSession`).
//!
//! Law: `docs/concepts/permissions.md`. A request without a row needs every permission. A caller is narrowed to the
//! companies in which it may do what the route does; every other company does not exist for that request.

use axum::extract::{FromRequestParts as _, RawPathParams};
use fiscal::value::CnpjCpf;
use http::request::Parts;
use store::Visibility;
use store::accounts::{Caller, Permissao};
use store::roles::GrantedRoles;

use super::empresas::view;
use super::error::ApiError;
use super::error_code;
use crate::app::App;

/// Need of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequiredPermission {
    /// Nothing is checked: the route is public, or about the user itself.
    Free,
    /// Reads, or checks without effect.
    Read,
    /// Reads what belongs to no single company: keys, quotas.
    ReadAccount,
    /// Makes a file of a period's documents.
    Export,
    /// Prepares an emission, or issues an approved one.
    Assist,
    /// Decides on what a program prepared.
    Approve,
    /// Acts on documents.
    Act,
    /// Changes a company.
    Configure,
    /// Changes the account itself, or shows a secret or the acts of its people.
    Administer,
}

use RequiredPermission::{Act, Administer, Approve, Assist, Configure, Export, Free, Read, ReadAccount};

/// The needs that each permission of a key and each role meets.
const TABLE: &[(Permissao, &[RequiredPermission])] = &[
    (Permissao::Completa, &[Read, ReadAccount, Export, Assist, Approve, Act, Configure, Administer]),
    (Permissao::Assistida, &[Read, ReadAccount, Export, Assist]),
    (Permissao::Leitura, &[Read, ReadAccount, Export]),
    (Permissao::Administrador, &[Read, ReadAccount, Export, Assist, Approve, Act, Configure, Administer]),
    (Permissao::Emissor, &[Read, ReadAccount, Export, Assist, Act]),
    (Permissao::Aprovador, &[Read, ReadAccount, Approve]),
    (Permissao::Contador, &[Read, ReadAccount, Export]),
];

impl RequiredPermission {
    pub(crate) fn met_by(self, permissao: Permissao) -> bool {
        self == Free || TABLE.iter().any(|(holder, needs)| *holder == permissao && needs.contains(&self))
    }

    /// True for what concerns no single company: only a role in every company meets it.
    fn is_of_account(self) -> bool {
        matches!(self, ReadAccount | Administer)
    }

    /// True when a permission of a key, a role, or a role in some companies only is refused.
    pub(super) fn refuses_some(self) -> bool {
        self.is_of_account() || TABLE.iter().any(|(holder, _)| !self.met_by(*holder))
    }

    /// Words of the holders that meet it: of keys, or of people.
    pub(crate) fn holders(self, of_people: bool) -> String {
        let holders = TABLE.iter().filter(|(holder, _)| holder.is_role() == of_people && self.met_by(*holder));
        let mut words: Vec<&str> = holders.map(|(holder, _)| holder.word()).collect();
        if !of_people {
            // the least permission first
            words.reverse();
        }
        match words.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} ou {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

/// Need of the route of a request.
pub(crate) fn of_request(parts: &Parts) -> RequiredPermission {
    parts.extensions.get::<RequiredPermission>().copied().unwrap_or(Administer)
}

/// A caller with what meets a need: the key as it is, a user with the roles that meet it. Refuses any other.
pub(crate) fn narrow(caller: &Caller, need: RequiredPermission) -> Result<Caller, ApiError> {
    let Some(granted) = caller.granted else {
        return if need.met_by(caller.permissao) { Ok(caller.clone()) } else { Err(insufficient(caller, need)) };
    };
    if need == Free {
        return Ok(caller.clone());
    }
    // a session that brings a key is held to both
    let key = Some(caller.permissao).filter(|permissao| !permissao.is_role());
    if key.is_some_and(|key| !need.met_by(key)) {
        return Err(insufficient(caller, need));
    }
    let left = granted.narrow(need.is_of_account(), |role| need.met_by(role));
    let Some((left, role)) = left.and_then(|left| Some((left, left.strongest()?))) else {
        return Err(insufficient(
            &Caller { permissao: granted.strongest().unwrap_or(caller.permissao), ..caller.clone() },
            need,
        ));
    };
    Ok(Caller { permissao: key.unwrap_or(role), granted: Some(left), ..caller.clone() })
}

/// Refuses a caller that does not meet a need, for acts that are not routes.
pub(crate) fn require(caller: &Caller, need: RequiredPermission) -> Result<(), ApiError> {
    narrow(caller, need).map(drop)
}

/// Places of paths that name a company of the account.
pub(crate) const COMPANY_PLACES: [&str; 2] = ["cpf_cnpj", "empresa"];

/// Refuses a company in the path that is out of the caller's reach, like one that the account does not have.
pub(crate) async fn require_company_of_path(parts: &mut Parts, app: &App, caller: &Caller) -> Result<(), ApiError> {
    if caller.granted.is_none_or(GrantedRoles::is_everywhere) {
        return Ok(());
    }
    let params = RawPathParams::from_request_parts(parts, &()).await;
    let params = params.map_err(|error| ApiError::broken(&error))?;
    let named =
        params.iter().find(|(name, _)| COMPANY_PLACES.contains(name)).and_then(|(_, text)| CnpjCpf::parse(text).ok());
    let Some(company) = named else { return Ok(()) };
    app.store().require_reach(Visibility::of(caller), company).await.map_err(view::or_unknown)
}

/// 403 that names the holders that meet a need.
fn insufficient(caller: &Caller, need: RequiredPermission) -> ApiError {
    let (has, is_role) = (caller.permissao, caller.permissao.is_role());
    let holders = need.holders(is_role);
    let detail = match is_role {
        false => format!(
            "Esta chave tem a permissão {} e esta operação precisa de {holders}. Nada foi feito. Use outra chave da conta, ou peça uma a quem a administra.",
            has.word()
        ),
        true if need.met_by(has) => format!(
            "Esta operação é da conta inteira e precisa do papel {holders} em todas as empresas; o seu vale só em algumas. Nada foi feito. \
             Peça a quem administra a conta."
        ),
        true => format!(
            "Seu papel é {} e esta operação precisa de {holders}. Nada foi feito. Peça a quem tem esse papel, ou a quem administra a conta, em Pessoas.",
            has.word()
        ),
    };
    ApiError::new(&error_code::PERMISSAO_INSUFICIENTE, detail)
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    #[test]
    fn a_request_without_a_row_requires_every_permission() {
        let (mut parts, ()) = Request::new(()).into_parts();
        assert_eq!(of_request(&parts), Administer);
        parts.extensions.insert(Read);
        assert_eq!(of_request(&parts), Read);
        assert!(!Act.met_by(Permissao::Assistida) && !Assist.met_by(Permissao::Leitura));
    }

    #[test]
    fn each_permission_has_one_row_and_reads() {
        let keys = Permissao::OF_KEYS.iter().map(|(_, key)| *key);
        for permissao in keys.chain(Permissao::ROLES) {
            assert_eq!(TABLE.iter().filter(|(holder, _)| *holder == permissao).count(), 1, "{permissao:?}");
            assert!(Read.met_by(permissao), "{permissao:?}");
        }
        assert_eq!(Assist.holders(false), "assistida ou completa");
        assert_eq!(Act.holders(true), "administrador ou emissor");
    }

    /// The table of `docs/concepts/permissions.md` is this one.
    #[test]
    fn the_documentation_has_the_table() {
        let text = include_str!("../../../../docs/concepts/permissions.md");
        for role in Permissao::ROLES {
            let line = text.lines().find(|line| line.starts_with(&format!("| `{}` |", role.word()))).unwrap();
            let cells: Vec<bool> = line.split('|').skip(2).take(8).map(|cell| cell.trim() == "yes").collect();
            let needs = [Read, ReadAccount, Export, Assist, Approve, Act, Configure, Administer];
            assert_eq!(cells, needs.map(|need| need.met_by(role)), "{line}");
        }
    }
}
