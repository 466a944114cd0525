//! Acts on documents, as their jobs store them.

use super::{DocumentOrder, Order};
use fiscal::event::cte::{CteCorrection, CteEventKind};
use fiscal::value::{ChaveAcesso, CnpjCpf};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

/// A cancellation, as its job stores it.
#[derive(Serialize, Deserialize)]
pub(crate) struct Cancelamento {
    pub(crate) justificativa: String,
    /// Key of the document that replaces the cancelled one.
    pub(crate) chave_substituta: Option<ChaveAcesso>,
    /// The job whose note must be authorised before the event is sent: a cancellation made by `steps::second_issue`.
    #[serde(rename = "sucessora_job_id", skip_serializing_if = "Option::is_none")]
    pub(crate) sucessora: Option<Uuid>,
    /// True if that cancellation is one by substitution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) por_substituicao: Option<bool>,
    /// Code of the reason, of an NFS-e.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) codigo_motivo: Option<String>,
    /// Code of the cancellation, of a municipal NFS-e.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) codigo_cancelamento: Option<String>,
}

/// A correction, as its job stores it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum CartaCorrecao {
    /// Text of an NF-e.
    Texto { correcao: String },
    /// Fields of a CT-e.
    Campos { correcoes: Vec<CteCorrection> },
}

/// Another event of a CT-e, as its job stores it.
#[derive(Serialize, Deserialize)]
pub(crate) struct CteEvent {
    pub(crate) tipo: CteEventKind,
    /// Under official tags.
    pub(crate) dados: Map<String, Value>,
}

/// A request for analysis, as its job stores it.
#[derive(Serialize, Deserialize)]
pub(crate) struct AnaliseFiscal {
    pub(crate) justificativa: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) codigo_motivo: Option<String>,
}

/// The third party that may fetch the document, as the job stores it.
#[derive(Serialize, Deserialize)]
pub(crate) struct AtorInteressado {
    pub(crate) ator: CnpjCpf,
    #[serde(default, rename = "permite_subcontratacao")]
    pub(crate) permite: bool,
}

impl Order {
    /// Lists the texts of an order by the members of the interface, for the decision page.
    pub(crate) fn text_members(&self) -> Vec<(String, String)> {
        let given = |name: &str, text: Option<&str>| text.map(|text| (name.to_owned(), text.to_owned()));
        match self {
            Order::Cancelamento(DocumentOrder { act, .. }) => [
                given("justificativa", Some(&act.justificativa)),
                given("chave_substituta", act.chave_substituta.as_ref().map(ChaveAcesso::as_str)),
                given("codigo_motivo", act.codigo_motivo.as_deref()),
                given("codigo_cancelamento", act.codigo_cancelamento.as_deref()),
            ]
            .into_iter()
            .flatten()
            .collect(),
            Order::CartaCorrecao(DocumentOrder { act: CartaCorrecao::Texto { correcao }, .. }) => {
                vec![("correcao".to_owned(), correcao.clone())]
            }
            Order::CartaCorrecao(DocumentOrder { act: CartaCorrecao::Campos { correcoes }, .. }) => {
                let corrected = |one: &CteCorrection| {
                    let item = one.item.as_ref().map_or_else(String::new, |item| format!("[{item}]"));
                    (format!("{}{item}.{}", one.grupo, one.campo), one.valor.clone())
                };
                correcoes.iter().map(corrected).collect()
            }
            // no other order is prepared
            _ => Vec::new(),
        }
    }
}
