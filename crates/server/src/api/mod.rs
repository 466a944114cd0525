//! The REST edge: one folder per resource, one file per verb; `routes` lists the routes.
//!
//! Law: `docs/contract.md`. No fiscal decision is made here.

pub(crate) mod accept;
pub(crate) mod auth;
pub(crate) mod authority_refusal;
pub(crate) mod body;
pub(crate) mod browsers;
pub(crate) mod caller;
pub(crate) mod cep;
pub(crate) mod cnpj;
pub(crate) mod cotas;
pub(crate) mod cte;
pub(crate) mod diagnostico;
pub(crate) mod docs;
pub(crate) mod documento;
pub(crate) mod emails;
pub(crate) mod empresas;
pub(crate) mod envelope;
pub(crate) mod error;
pub(crate) mod error_code;
pub(crate) mod exportacoes;
mod extra_time;
pub(crate) mod home;
pub(crate) mod instant;
pub(crate) mod job;
pub(crate) mod jobs;
pub(crate) mod lookup;
pub(crate) mod ncm;
pub(crate) mod nfe;
pub(crate) mod nfse;
pub(crate) mod notas;
pub(crate) mod origin;
pub(crate) mod permission;
pub(crate) mod query;
pub(crate) mod rate;
pub(crate) mod recebidos;
pub(crate) mod schema;
pub(crate) mod size;
pub(crate) mod status;
pub(crate) mod tributos;
pub(crate) mod uncertain;
pub(crate) mod unknown;
pub(crate) mod unknown_members;
pub(crate) mod upload;
pub(crate) mod view;
pub(crate) mod webhooks;
pub(crate) mod words;
