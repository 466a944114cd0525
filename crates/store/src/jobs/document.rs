//! The fiscal document of an emission.

use crate::numbers::numbered_kind::NumberedKind;
use fiscal::lifecycle::DocumentState;
use fiscal::value::{Chave, ChaveAcesso, Codigo, Serie, Uf};
use uuid::Uuid;

/// The fiscal document of an emission.
#[derive(Debug, Clone)]
pub struct JobDocument {
    pub state: DocumentState,
    /// Kind of document that its number counts.
    pub counted: NumberedKind,
    pub serie: Serie,
    pub numero: u64,
    /// Random code of its key (`cNF`, `cCT`); 0 for a document whose key has no code of ours.
    pub codigo_aleatorio: u32,
    /// Identity by which its authority is queried: the key, or the id of a DPS or an RPS. Unique among a tenant's
    /// documents.
    pub asked_by: Option<String>,
    /// `None` before it is prepared, and again when it is to be made under another key.
    pub chave: Option<Chave>,
    /// `tpEmis`: 1 normally.
    pub tipo_emissao: u8,
    pub dhEmi: String,
    /// Total (`vNF`, `vTPrest`), decimal text; empty before it is prepared.
    pub valor: String,
    /// CNPJ or CPF of the addressee.
    pub destinatario: Option<String>,
    /// base64 digest of the signed element.
    pub digest: Option<String>,
    pub nProt: Option<String>,
    pub dhRecbto: Option<String>,
    pub codigo: Option<Codigo>,
    pub xMotivo: Option<String>,
    /// Path in the caller's payload of the refused value, when known.
    pub campo: Option<String>,
    /// Contingency in which it was issued.
    pub contingencia: Option<Contingencia>,
    /// Receipt of an authority that accepted it and has not judged it.
    pub nRec: Option<String>,
    /// Text of the QR code; model 65 only.
    pub qrCode: Option<String>,
    /// Number of the note that its authority wrote (`nNFSe`); the number above is then that of our declaration.
    pub numero_nota: Option<u64>,
    /// Total after deductions and retentions (`vLiq`), decimal text.
    pub valor_liquido: Option<String>,
    /// All reasons of a refusal, where an authority gives several.
    pub rejeicoes: Vec<RefusalReason>,
    /// Note that substitutes it, where no event of ours recorded that.
    pub substituida_por: Option<Chave>,
    /// State of a request of fiscal analysis: `pendente`, `deferida`, `indeferida`.
    pub analise_fiscal: Option<String>,
    /// Code by which a municipal provider shows the note.
    pub codigo_verificacao: Option<String>,
    /// Last lot in which a municipal provider accepted it.
    pub numero_lote: Option<u64>,
    /// Seconds since 1970 after which no bytes of it were sent; `None` before any may have been.
    pub last_sent_at: Option<i64>,
    /// A refusal in an answer that proves nothing by itself, as the engine wrote it (JSON text).
    pub refusal: Option<String>,
}

impl JobDocument {
    /// State of its authority: the identity begins with the state's code, after the letters of its kind.
    pub fn uf(&self) -> Option<Uf> {
        let digits = self.asked_by.as_deref()?.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        Uf::from_code(digits.get(..2)?.parse().ok()?)
    }
    /// Key of 44 positions, once it has one and its type has such keys.
    pub fn acesso(&self) -> Option<ChaveAcesso> {
        self.chave.as_ref().and_then(Chave::acesso)
    }
}

/// A single reason of a refusal.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RefusalReason {
    pub codigo: Codigo,
    pub motivo: String,
    pub complemento: Option<String>,
    /// Path in the caller's payload, when known.
    pub campo: Option<String>,
}

/// A note that its authority wrote from our declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorityNote {
    pub chave: Chave,
    pub numero: u64,
    /// Decimal text.
    pub valor_liquido: Option<String>,
    /// Note that it substitutes.
    pub substitui: Option<Chave>,
    /// Code by which a municipal provider shows it.
    pub codigo_verificacao: Option<String>,
}

/// Contingency in which a document was issued.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Contingencia {
    /// `svc`, `epec` or `offline`.
    pub tipo: String,
    /// Authority that authorises it or registered its EPEC; `None` for `offline`.
    pub autoridade: Option<String>,
    /// `dhCont`.
    pub desde: String,
    /// `xJust`.
    pub justificativa: String,
    /// Deadline for the transmission to the authority, seconds since 1970.
    pub prazo_transmissao: Option<i64>,
    /// Protocol of the EPEC, once it is registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocolo: Option<String>,
    /// Registration instant of the EPEC (`dhRegEvento`), printed beside the protocol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registrado_em: Option<String>,
    /// Job of the rejected note whose number and key this one has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_lugar_de: Option<Uuid>,
    /// cStat of the EPEC's last refusal; it is not requested again while normal emission is possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epec_recusado: Option<u16>,
}
