//! Orders: one typed value from the handler that reads it to the steps that carry it out. Its job stores it whole as
//! JSON; that form is decided here only.
//!
//! The members are those of the first version: they distinguish a repeated reference from another order under it, so a
//! renamed or added member makes every repetition of an older order a divergent one.

pub(crate) mod act;
pub mod act_request;
pub mod emission;
pub mod event_error;
pub mod manifestation;
mod quota;
pub mod void;

use crate::process::{json, origin};
use act::{AnaliseFiscal, AtorInteressado, Cancelamento, CartaCorrecao, CteEvent};
use emission::IssueRequest;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use manifestation::ManifestationRequest;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use store::jobs::{Job, NewJob, Operacao};
use uuid::Uuid;
use void::VoidRequest;

/// An order.
pub(crate) enum Order {
    /// Shared with the preparation of the document.
    Emissao(Arc<IssueRequest>),
    Cancelamento(DocumentOrder<Cancelamento>),
    CartaCorrecao(DocumentOrder<CartaCorrecao>),
    AtorInteressado(DocumentOrder<AtorInteressado>),
    Evento(DocumentOrder<CteEvent>),
    AnaliseFiscal(DocumentOrder<AnaliseFiscal>),
    Manifestacao(ManifestationRequest),
    Inutilizacao(VoidRequest),
}

/// An act on a document of ours.
#[derive(Serialize, Deserialize)]
pub(crate) struct DocumentOrder<Act> {
    pub(crate) cpf_cnpj: CnpjCpf,
    /// The document, named by its job or by its key.
    pub(crate) job_id: Option<Uuid>,
    pub(crate) chave: Option<String>,
    pub(crate) webhook_url: Option<String>,
    #[serde(rename = "referencia_externa")]
    pub(crate) referencia: Option<String>,
    #[serde(flatten)]
    pub(crate) act: Act,
}

impl<Before> DocumentOrder<Before> {
    /// Replaces the act on the document.
    pub(crate) fn with<Act>(self, act: Act) -> DocumentOrder<Act> {
        let DocumentOrder { cpf_cnpj, job_id, chave, webhook_url, referencia, .. } = self;
        DocumentOrder { cpf_cnpj, job_id, chave, webhook_url, referencia, act }
    }
}

/// Scope of a job.
pub(crate) struct JobScope<'a> {
    pub(crate) tenant_id: Uuid,
    pub(crate) tipo: Tipo,
    pub(crate) ambiente: TpAmb,
    /// Authority among whose calls the job counts.
    pub(crate) authority: &'a str,
}

/// Serialises an order to issue: the text of `serialize_order`, produced faster.
pub(crate) fn serialize_emission(order: &IssueRequest) -> String {
    let IssueRequest { cpf_cnpj, modelo, nota, webhook_url, referencia: _, estrito: _, referencia_nova: _ } = order;
    let (cpf_cnpj, modelo, webhook_url) = (json!(cpf_cnpj), json!(modelo), json!(webhook_url));
    json::text_of([("cpf_cnpj", &cpf_cnpj), ("modelo", &modelo), ("nota", nota), ("webhook_url", &webhook_url)])
}

/// Serialises an order.
pub(crate) fn serialize_order(order: &impl Serialize) -> String {
    // orders have named members and no maps with other keys, so serialising cannot fail
    serde_json::to_string(order).unwrap_or_default()
}

impl Order {
    /// Reads the order of a job; `None` when the payload is not of its operation.
    pub(crate) fn of(job: &Job) -> Option<Order> {
        Order::read(job.operacao, &job.payload.text().ok()?)
    }

    fn read(operacao: Operacao, payload: &str) -> Option<Order> {
        match operacao {
            Operacao::Emissao => read(payload).map(Arc::new).map(Order::Emissao),
            Operacao::Cancelamento => read(payload).map(Order::Cancelamento),
            Operacao::CartaCorrecao => read(payload).map(Order::CartaCorrecao),
            Operacao::AtorInteressado => read(payload).map(Order::AtorInteressado),
            Operacao::Evento => read(payload).map(Order::Evento),
            Operacao::AnaliseFiscal => read(payload).map(Order::AnaliseFiscal),
            Operacao::Manifestacao => read(payload).map(Order::Manifestacao),
            Operacao::Inutilizacao => read(payload).map(Order::Inutilizacao),
        }
    }

    /// Reads the order of an emission.
    pub(crate) fn emission(job: &Job) -> Option<Arc<IssueRequest>> {
        match Order::of(job)? {
            Order::Emissao(request) => Some(request),
            _ => None,
        }
    }

    pub(crate) fn operacao(&self) -> Operacao {
        match self {
            Order::Emissao(_) => Operacao::Emissao,
            Order::Cancelamento(_) => Operacao::Cancelamento,
            Order::CartaCorrecao(_) => Operacao::CartaCorrecao,
            Order::AtorInteressado(_) => Operacao::AtorInteressado,
            Order::Evento(_) => Operacao::Evento,
            Order::AnaliseFiscal(_) => Operacao::AnaliseFiscal,
            Order::Manifestacao(_) => Operacao::Manifestacao,
            Order::Inutilizacao(_) => Operacao::Inutilizacao,
        }
    }

    /// Serialises the order as its job stores it.
    pub(crate) fn to_payload(&self) -> String {
        match self {
            Order::Emissao(order) => serialize_emission(order),
            Order::Cancelamento(order) => serialize_order(order),
            Order::CartaCorrecao(order) => serialize_order(order),
            Order::AtorInteressado(order) => serialize_order(order),
            Order::Evento(order) => serialize_order(order),
            Order::AnaliseFiscal(order) => serialize_order(order),
            Order::Manifestacao(order) => serialize_order(order),
            Order::Inutilizacao(order) => serialize_order(order),
        }
    }

    /// Makes the job that carries the order out, without act yet; `payload` is this order.
    pub(crate) fn job(self, payload: String, belongs: JobScope<'_>) -> NewJob {
        let operacao = self.operacao();
        let (cpf_cnpj, referencia, webhook_url) = self.common_members();
        let JobScope { tenant_id, tipo, ambiente, authority } = belongs;
        NewJob {
            id: Uuid::now_v7(),
            tenant_id,
            tipo,
            operacao,
            cpf_cnpj,
            ambiente,
            referencia,
            payload: payload.into(),
            webhook_url,
            notices: Vec::new(),
            alvo: None,
            act: None,
            authority: authority.to_owned(),
            cota: quota::of(tipo, operacao),
            destinatario: None,
            addressee: None,
            valor: None,
            request_id: origin::request_id(),
            author: origin::author(),
            by_hand: origin::hand_emission(),
        }
    }

    /// Members that every order has: company, reference, webhook.
    fn common_members(self) -> (CnpjCpf, Option<String>, Option<String>) {
        match self {
            Order::Emissao(order) => (order.cpf_cnpj, order.referencia.clone(), order.webhook_url.clone()),
            Order::Cancelamento(order) => (order.cpf_cnpj, order.referencia, order.webhook_url),
            Order::CartaCorrecao(order) => (order.cpf_cnpj, order.referencia, order.webhook_url),
            Order::AtorInteressado(order) => (order.cpf_cnpj, order.referencia, order.webhook_url),
            Order::Evento(order) => (order.cpf_cnpj, order.referencia, order.webhook_url),
            Order::AnaliseFiscal(order) => (order.cpf_cnpj, order.referencia, order.webhook_url),
            Order::Manifestacao(order) => (order.cpf_cnpj, order.referencia, order.webhook_url),
            Order::Inutilizacao(order) => (order.cpf_cnpj, order.referencia, order.webhook_url),
        }
    }
}

fn read<T: DeserializeOwned>(payload: &str) -> Option<T> {
    serde_json::from_str(payload).ok()
}

#[cfg(test)]
mod tests;
