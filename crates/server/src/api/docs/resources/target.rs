//! Target of an act: `job_id` or `chave`. Two objects and not one with both optional, so that a typed client must set
//! one of them.

use crate::api::schema::{REFERENCIA, SchemaField, Type, may, must};

pub(super) const EMPRESA: SchemaField = must("cpf_cnpj", Type::CpfCnpj, "A empresa emitente, com ou sem máscara.");
/// Company of the path, which the body may repeat.
pub(super) const EMPRESA_DO_CAMINHO: SchemaField =
    may("cpf_cnpj", Type::CpfCnpj, "A empresa, que já está no caminho: aqui só a mesma.");
pub(super) const JOB: SchemaField = must("job_id", Type::Uuid, "O job da emissão.");
pub(super) const CHAVE: SchemaField = must("chave", Type::Chave, "A chave de acesso da nota. Também `chave_acesso`.");
pub(super) const WEBHOOK: SchemaField = may("webhook_url", Type::Url, "Endereço https avisado no fim.");
pub(super) const REFERENCIA_EXTERNA: SchemaField = may(
    "referencia_externa",
    REFERENCIA,
    "Sua referência, 1 a 120 letras e dígitos: a mesma referência nunca faz o mesmo duas vezes.",
);

/// Members of an act on the document of a job, with those of the act.
macro_rules! by_job {
    ($($own:expr),*) => {
        &[
            crate::api::docs::resources::target::EMPRESA,
            crate::api::docs::resources::target::JOB,
            $($own,)*
            crate::api::docs::resources::target::WEBHOOK,
            crate::api::docs::resources::target::REFERENCIA_EXTERNA,
        ]
    };
}
pub(super) use by_job;

/// Members of an act on the document of an access key, with those of the act.
macro_rules! by_key {
    ($($own:expr),*) => {
        &[
            crate::api::docs::resources::target::EMPRESA,
            crate::api::docs::resources::target::CHAVE,
            $($own,)*
            crate::api::docs::resources::target::WEBHOOK,
            crate::api::docs::resources::target::REFERENCIA_EXTERNA,
        ]
    };
}
pub(super) use by_key;
