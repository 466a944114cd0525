//! Requests for acts on documents: what a caller orders, and of which document.

use super::act::{AnaliseFiscal, AtorInteressado, Cancelamento, CartaCorrecao, CteEvent};
use super::{DocumentOrder, Order};
use fiscal::event::cte::{CteCorrection, CteEventKind};
use fiscal::tipo::Tipo;
use fiscal::value::{ChaveAcesso, CnpjCpf};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::jobs::{Job, Operacao};
use uuid::Uuid;

/// Request for an act on a document.
#[derive(Serialize, Deserialize)]
pub struct ActRequest {
    pub cpf_cnpj: CnpjCpf,
    /// Document type of the route.
    pub tipo: Tipo,
    pub target: DocumentTarget,
    /// Other identifiers that the caller gave: the request fails unless all name the same document.
    pub also: Vec<DocumentTarget>,
    /// The substitute's key, where the caller named it by its job too: the request fails unless both name the same
    /// document.
    #[serde(default)]
    pub substitute_key: Option<String>,
    pub act: DocumentAct,
    /// Caller's unique id. Not stored in the payload of a prepared act, whose row has it.
    #[serde(skip)]
    pub referencia: Option<String>,
    /// Address of the webhook.
    pub webhook_url: Option<String>,
}

impl ActRequest {
    /// Makes the order; `substituta` is the key of the substitute that the request names.
    pub(crate) fn into_order(self, substituta: Option<ChaveAcesso>) -> Order {
        let (job_id, chave) = match self.target {
            DocumentTarget::Job(id) => (Some(id), None),
            DocumentTarget::Chave(chave) => (None, Some(chave)),
            // the document is the job's target; the number by which the caller named it is not stored
            DocumentTarget::Numero(_) => (None, None),
        };
        let (cpf_cnpj, webhook_url, referencia) = (self.cpf_cnpj, self.webhook_url, self.referencia);
        let document = DocumentOrder { cpf_cnpj, job_id, chave, webhook_url, referencia, act: () };
        match self.act {
            DocumentAct::Cancelar { justificativa, codigo_motivo, codigo_cancelamento, .. } => {
                Order::Cancelamento(document.with(Cancelamento {
                    justificativa,
                    chave_substituta: substituta,
                    sucessora: None,
                    por_substituicao: None,
                    codigo_motivo,
                    codigo_cancelamento,
                }))
            }
            DocumentAct::Corrigir { correcao } => {
                Order::CartaCorrecao(document.with(CartaCorrecao::Texto { correcao }))
            }
            DocumentAct::CorrigirCampos { correcoes } => {
                Order::CartaCorrecao(document.with(CartaCorrecao::Campos { correcoes }))
            }
            DocumentAct::Registrar { kind: tipo, dados } => Order::Evento(document.with(CteEvent { tipo, dados })),
            DocumentAct::SolicitarAnalise { justificativa, codigo_motivo } => {
                Order::AnaliseFiscal(document.with(AnaliseFiscal { justificativa, codigo_motivo }))
            }
            DocumentAct::Autorizar { ator, permite } => {
                Order::AtorInteressado(document.with(AtorInteressado { ator, permite }))
            }
        }
    }
}

/// An act on a document.
#[derive(Serialize, Deserialize)]
pub enum DocumentAct {
    /// Cancellation; by substitution when another document replaced it (NT 2018.004).
    Cancelar {
        /// 15–255 characters.
        justificativa: String,
        /// The replacing NFC-e, issued in contingency.
        substituta: Option<DocumentTarget>,
        /// Code of the reason, of an NFS-e.
        codigo_motivo: Option<String>,
        /// Code of the cancellation, of a municipal NFS-e.
        codigo_cancelamento: Option<String>,
    },
    /// Correction by a text.
    Corrigir {
        /// 15–1000 characters.
        correcao: String,
    },
    /// Request to the município for an analysis of a note of services.
    SolicitarAnalise {
        /// 15–255 characters.
        justificativa: String,
        /// Code of the reason.
        codigo_motivo: Option<String>,
    },
    /// Permission for a third party to fetch the document.
    Autorizar {
        /// The third party, a carrier.
        ator: CnpjCpf,
        /// True if that party may permit others.
        permite: bool,
    },
    /// Correction of fields of a CT-e.
    CorrigirCampos {
        /// New corrections; the service repeats earlier ones.
        correcoes: Vec<CteCorrection>,
    },
    /// Another event of a CT-e.
    Registrar {
        /// Type of the event.
        kind: CteEventKind,
        /// Members of the event, under official tags.
        dados: Map<String, Value>,
    },
}

impl DocumentAct {
    pub(crate) fn operacao(&self) -> Operacao {
        match self {
            DocumentAct::Cancelar { .. } => Operacao::Cancelamento,
            DocumentAct::Corrigir { .. } | DocumentAct::CorrigirCampos { .. } => Operacao::CartaCorrecao,
            DocumentAct::Registrar { .. } => Operacao::Evento,
            DocumentAct::SolicitarAnalise { .. } => Operacao::AnaliseFiscal,
            DocumentAct::Autorizar { .. } => Operacao::AtorInteressado,
        }
    }
}

/// Identifier of a document.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum DocumentTarget {
    /// Id of the job that emitted it.
    Job(Uuid),
    /// Key.
    Chave(String),
    /// Number that its municipal provider gave it.
    Numero(u64),
}

impl DocumentTarget {
    /// `true` if it names the document of this job.
    pub(crate) fn names(&self, job: &Job) -> bool {
        let document = job.document.as_ref();
        match self {
            DocumentTarget::Job(id) => job.id == *id,
            DocumentTarget::Chave(chave) => {
                document.and_then(|it| it.chave.as_ref()).is_some_and(|own| own.as_str() == chave)
            }
            DocumentTarget::Numero(numero) => document.and_then(|it| it.numero_nota) == Some(*numero),
        }
    }

    /// Name of the member in the interface.
    pub(crate) fn member(&self) -> &'static str {
        match self {
            DocumentTarget::Job(_) => "job_id",
            DocumentTarget::Chave(_) => "chave",
            DocumentTarget::Numero(_) => "numero",
        }
    }
}
