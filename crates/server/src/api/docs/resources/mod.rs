//! Descriptions of the operations and objects of every resource, one file each, like the handlers. Method and path of
//! an operation stand in its row of `crate::routes`.

pub(crate) mod assistida;
pub(crate) mod auth;
pub(crate) mod consultas;
pub(crate) mod cotas;
pub(crate) mod cte;
pub(crate) mod diagnostico;
pub(crate) mod emails;
pub(crate) mod empresas;
pub(crate) mod erros;
pub(crate) mod eventos;
pub(crate) mod eventos_cte;
pub(crate) mod exportacoes;
pub(crate) mod inutilizacao;
mod jobs;
pub(crate) mod mcp;
pub(crate) mod nfce;
pub(crate) mod nfe;
pub(crate) mod nfse;
pub(crate) mod nfse_municipal;
pub(crate) mod nfse_sincronas;
pub(crate) mod notas;
pub(crate) mod publico;
pub(crate) mod recebidas;
pub(crate) mod recebidas_nfse;
pub(crate) mod recebidos_cte;
mod target;
pub(crate) mod webhooks;

use serde_json::{Map, Value};

use super::operation::ApiOperation;
use crate::api::schema::Schema;

/// Operations of a resource and their objects.
pub(crate) struct Resource {
    /// Tag in the document, from which a generator makes a module or class.
    pub(crate) tag: &'static str,
    /// Title on the pages.
    pub(super) title: &'static str,
    pub(super) doc: &'static str,
    pub(crate) operations: &'static [&'static ApiOperation],
    pub(super) schemas: &'static [Schema],
}

/// All resources, in the order of the reference.
pub(crate) fn all() -> impl Iterator<Item = &'static Resource> {
    ALL.iter().copied()
}

const ALL: &[&Resource] = &[
    &nfe::NFE,
    &nfce::NFCE,
    &cte::CTE,
    &nfse::NFSE,
    &nfse_municipal::NFSE_MUNICIPAL,
    &nfse_sincronas::NFSE_SINCRONAS,
    &assistida::ASSISTIDA,
    &recebidas::RECEBIDAS,
    &recebidos_cte::RECEBIDOS_CTE,
    &recebidas_nfse::RECEBIDAS_NFSE,
    &eventos::EVENTOS,
    &eventos_cte::EVENTOS_CTE,
    &inutilizacao::INUTILIZACAO,
    &jobs::JOBS,
    &notas::NOTAS,
    &empresas::EMPRESAS,
    &consultas::CONSULTAS,
    &cotas::COTAS,
    &exportacoes::EXPORTACOES,
    &emails::EMAILS,
    &diagnostico::DIAGNOSTICO,
    &webhooks::WEBHOOKS,
    &mcp::MCP,
    &auth::AUTH,
    &publico::PUBLICO,
    &erros::ERROS,
];

/// Objects of all resources by name, as JSON Schema.
pub(crate) fn objects() -> Map<String, Value> {
    all().flat_map(|resource| resource.schemas).map(|schema| (schema.name.to_owned(), schema.json())).collect()
}
