//! Order to void a range of numbers.

use fiscal::value::CnpjCpf;
use serde::{Deserialize, Serialize};

/// The range and the justification; and the order as its job stores it.
#[derive(Serialize, Deserialize)]
pub struct VoidRequest {
    pub cpf_cnpj: CnpjCpf,
    /// 55 or 65.
    pub modelo: u8,
    /// Series; that of the configuration when absent.
    pub serie: Option<u16>,
    #[serde(rename = "numero_inicial")]
    pub nNFIni: u32,
    /// Last number, included.
    #[serde(rename = "numero_final")]
    pub nNFFin: u32,
    /// Two digits; this year when absent.
    pub ano: Option<u8>,
    /// 15–255 characters.
    pub justificativa: String,
    /// Address of the webhook.
    pub webhook_url: Option<String>,
    /// Caller's unique id.
    #[serde(rename = "referencia_externa")]
    pub referencia: Option<String>,
}
