//! What a company says of a note that it received, as an order.

use fiscal::event::TpEvento;
use fiscal::value::{ChaveAcesso, CnpjCpf};
use serde::{Deserialize, Serialize};

/// What is said of which note; and the order as its job keeps it.
#[derive(Serialize, Deserialize)]
pub struct Manifestation {
    /// The receiving company.
    pub cpf_cnpj: CnpjCpf,
    /// The note.
    pub chave: ChaveAcesso,
    /// What is said.
    pub tipo: Manifestacao,
    /// 15–255 characters, where the event has one.
    pub justificativa: Option<String>,
    /// Where to notify.
    pub webhook_url: Option<String>,
    /// Caller's unique id.
    #[serde(rename = "referencia_externa")]
    pub referencia: Option<String>,
}

/// What may be said, in the interface's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of the law")]
pub enum Manifestacao {
    Ciencia,
    Confirmacao,
    Desconhecimento,
    NaoRealizada,
}

impl Manifestacao {
    /// Its event.
    pub(crate) fn kind(self) -> TpEvento {
        match self {
            Manifestacao::Ciencia => TpEvento::Ciencia,
            Manifestacao::Confirmacao => TpEvento::Confirmacao,
            Manifestacao::Desconhecimento => TpEvento::Desconhecimento,
            Manifestacao::NaoRealizada => TpEvento::NaoRealizada,
        }
    }
}
