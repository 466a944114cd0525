//! A described route, and all of them: the facts of a row of `routes`, with its operation.
//!
//! Must not know: any route. The router hands the rows to the handlers of the documentation.

use super::operation::{Access, ApiOperation, Parameter, ParameterLocation};
use super::resources::{self, Resource};
use crate::api::error_code::{self, ApiErrorCode};
use crate::api::permission::RequiredPermission;
use crate::api::schema::Type;
use crate::api::size::Size;

/// A described route.
pub(crate) struct ApiRoute {
    /// In capitals.
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) permission: RequiredPermission,
    /// Largest body; `None` without a body.
    pub(crate) size: Option<Size>,
    pub(crate) operation: &'static ApiOperation,
}

/// Every described route.
#[derive(Clone, Copy)]
pub(crate) struct ApiRoutes(pub(crate) &'static [ApiRoute]);

impl ApiRoutes {
    /// Routes of a resource, in the order of its operations.
    pub(super) fn of(self, resource: &'static Resource) -> impl Iterator<Item = &'static ApiRoute> {
        let route = move |operation: &&'static ApiOperation| {
            self.0.iter().find(|route| std::ptr::eq(route.operation, *operation))
        };
        resource.operations.iter().filter_map(route)
    }

    /// Routes of all resources, in the order of the reference.
    pub(super) fn all(self) -> impl Iterator<Item = (&'static Resource, &'static ApiRoute)> {
        resources::all().flat_map(move |resource| self.of(resource).map(move |route| (resource, route)))
    }
}

impl ApiRoute {
    /// Parameters of its operation; those of a list, search or report end with `estrito`.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &'static Parameter> {
        let queried = self.operation.parameters.iter().any(|parameter| parameter.place == ParameterLocation::Query);
        let has_strict_query = self.method == "GET" && self.operation.access != Access::Public && queried;
        self.operation.parameters.iter().chain(Some(&STRICT_QUERY).filter(|_| has_strict_query))
    }

    /// Every code of this route's refusals, by status.
    pub(super) fn codes(&self) -> Vec<&'static ApiErrorCode> {
        let mut names = self.operation.errors.to_vec();
        if self.operation.access != Access::Public {
            names.extend(OF_CALLERS);
        }
        if self.operation.access == Access::Session {
            names.push("permissao_negada");
        }
        if self.operation.access != Access::Public && self.permission.refuses_some() {
            names.push("permissao_insuficiente");
        }
        if self.operation.body.is_some() {
            names.extend(OF_BODIES);
        }
        if self.operation.parameters.iter().any(|parameter| parameter.place == ParameterLocation::Query) {
            names.push("requisicao_invalida");
        }
        names.extend(OF_ALL);
        let mut codes: Vec<&'static ApiErrorCode> = names.into_iter().filter_map(error_code::find).collect();
        codes.sort_by_key(|code| (code.status, code.codigo));
        codes.dedup_by_key(|code| code.codigo);
        codes
    }
}

const STRICT_QUERY: Parameter = Parameter::query(
    "estrito",
    Type::Words(&["true", "false", "1", "0"]),
    "Com `true`, um parâmetro desconhecido ou repetido é recusado com 400; sem ele, é ignorado e, em listas e buscas, dito em `avisos`.",
    "false",
);

const OF_CALLERS: &[&str] =
    &["nao_autenticado", "chave_revogada", "token_expirado", "ambiente_incorreto", "muitas_requisicoes"];
const OF_BODIES: &[&str] =
    &["json_invalido", "requisicao_invalida", "campo_obrigatorio", "tempo_esgotado", "corpo_grande", "midia_invalida"];
const OF_ALL: &[&str] = &["erro_interno", "indisponivel"];
