//! Manifestation: statement of a company about a document that it received, or is a party to, as an order.

use fiscal::event::NfeEventKind;
use fiscal::value::{Chave, CnpjCpf};
use serde::{Deserialize, Serialize};
use store::received::Parte;

/// A manifestation request; and the order as its job stores it.
#[derive(Serialize, Deserialize)]
pub struct ManifestationRequest {
    /// The receiving company.
    pub cpf_cnpj: CnpjCpf,
    /// Key of the document.
    pub chave: Chave,
    pub tipo: Manifestacao,
    /// Party as which the company acts, of an NFS-e.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub papel: Option<Parte>,
    /// Code of the reason of a rejection, of an NFS-e.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codigo_motivo: Option<String>,
    /// 15–255 characters, where the event has one.
    pub justificativa: Option<String>,
    /// Address of the webhook.
    pub webhook_url: Option<String>,
    /// Caller's unique id.
    #[serde(rename = "referencia_externa")]
    pub referencia: Option<String>,
}

/// Types of manifestation, in the interface's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Manifestacao {
    Ciencia,
    Confirmacao,
    Desconhecimento,
    NaoRealizada,
    Rejeicao,
}

impl ManifestationRequest {
    /// Event of an NFS-e (anexo II), once the party is known.
    pub(crate) fn national_event(&self) -> Option<&'static str> {
        match (self.tipo, self.papel?) {
            (Manifestacao::Confirmacao, Parte::Prestador) => Some("202201"),
            (Manifestacao::Confirmacao, Parte::Tomador) => Some("203202"),
            (Manifestacao::Confirmacao, Parte::Intermediario) => Some("204203"),
            (Manifestacao::Rejeicao, Parte::Prestador) => Some("202205"),
            (Manifestacao::Rejeicao, Parte::Tomador) => Some("203206"),
            (Manifestacao::Rejeicao, Parte::Intermediario) => Some("204207"),
            _ => None,
        }
    }
}

impl Manifestacao {
    /// Event of an NF-e.
    pub(crate) fn kind(self) -> Option<NfeEventKind> {
        match self {
            Manifestacao::Ciencia => Some(NfeEventKind::Ciencia),
            Manifestacao::Confirmacao => Some(NfeEventKind::Confirmacao),
            Manifestacao::Desconhecimento => Some(NfeEventKind::Desconhecimento),
            Manifestacao::NaoRealizada => Some(NfeEventKind::NaoRealizada),
            Manifestacao::Rejeicao => None,
        }
    }
}
