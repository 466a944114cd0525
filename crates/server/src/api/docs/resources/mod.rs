//! Descriptions of every route: one file per resource, like the handlers. A test compares these tables with the router.
//!
//! A new route is an entry in the table of its resource; a new document family is a line in `families`.

mod assistida;
mod auth;
mod consultas;
mod cotas;
mod cte;
mod diagnostico;
mod empresas;
mod errors;
mod eventos;
mod eventos_cte;
mod inutilizacao;
mod jobs;
mod mcp;
mod nfce;
mod nfe;
mod nfse;
mod nfse_municipal;
mod nfse_sincronas;
mod notas;
pub(super) mod publico;
mod recebidas;
mod recebidas_nfse;
mod recebidos_cte;
mod target;
mod webhooks;

use fiscal::map::GroupMember;

use super::nota::LeftOut;
use super::operation::ApiOperation;
use crate::api::schema::Schema;

/// Routes of a resource and their objects.
pub(super) struct Resource {
    /// Tag in the document, from which a generator makes a module or class.
    pub(super) tag: &'static str,
    /// Title on the pages.
    pub(super) title: &'static str,
    pub(super) doc: &'static str,
    pub(super) operations: &'static [ApiOperation],
    pub(super) schemas: &'static [Schema],
}

/// A document family whose `nota` is described by its layout.
pub(super) struct FamilyFields {
    /// Prefix of its components' names.
    pub(super) prefix: &'static str,
    /// Name of the document with its article, in the genitive.
    pub(super) of: &'static str,
    /// Last part of the page's address.
    pub(super) page: &'static str,
    /// Its models, as the search shows them.
    pub(super) models: &'static str,
    pub(super) members: fn() -> Vec<GroupMember>,
    /// Treatment of the groups that a payload may omit.
    pub(super) left_out: LeftOut,
}

/// All resources, in the order of the reference.
pub(super) fn all() -> impl Iterator<Item = &'static Resource> {
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
    &diagnostico::DIAGNOSTICO,
    &webhooks::WEBHOOKS,
    &mcp::MCP,
    &auth::AUTH,
    &publico::PUBLICO,
    &errors::ERRORS,
];

/// Families whose `nota` is described: in the OpenAPI document, and on a page of its fields.
pub(super) fn families() -> &'static [FamilyFields] {
    &[
        FamilyFields {
            prefix: "Nfe",
            of: "da NF-e (modelo 55)",
            page: "nfe",
            models: "55",
            members: fiscal::nfe::describe::members,
            left_out: LeftOut::Unsaid,
        },
        FamilyFields {
            prefix: "Nfce",
            of: "da NFC-e (modelo 65)",
            page: "nfce",
            models: "65",
            members: fiscal::nfe::describe::consumer_members,
            left_out: LeftOut::Unsaid,
        },
        FamilyFields {
            prefix: "Cte",
            of: "do CT-e (modelo 57)",
            page: "cte",
            models: "57",
            members: fiscal::cte::describe::members,
            left_out: LeftOut::Unsaid,
        },
        FamilyFields {
            prefix: "CteOs",
            of: "do CT-e OS (modelo 67)",
            page: "cte-os",
            models: "67",
            members: fiscal::cte::describe::services_members,
            left_out: LeftOut::Unsaid,
        },
        FamilyFields {
            prefix: "Nfse",
            of: "da NFS-e nacional (DPS)",
            page: "nfse",
            models: "NFS-e",
            members: fiscal::nfse::describe::members,
            left_out: LeftOut::Shown,
        },
        FamilyFields {
            prefix: "NfseMunicipal",
            of: "da NFS-e municipal (RPS)",
            page: "nfse-municipal",
            models: "NFS-e",
            members: fiscal::abrasf::describe::members,
            left_out: LeftOut::Unsaid,
        },
    ]
}
