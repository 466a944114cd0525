//! The document types over which these handlers are generic: a row of constants each.

use fiscal::tipo::{DPS, RPS, Tipo};
use fiscal::value::Codigo;
use fiscal::{abrasf, cstat, cte, nfse};
use serde_json::Value;

/// A document type of these routes.
pub(crate) trait DocumentType: Send + Sync + 'static {
    /// Its type, with the contract's word for paths and the name for messages.
    const TIPO: Tipo;
    /// Official text of a code of its authorities.
    const MOTIVO: fn(&Codigo) -> Option<&'static str>;
    /// Model of a document, from the payload where the type has several.
    fn modelo(nota: &Value) -> u8;
}

/// A type whose numbers can be voided.
pub(crate) trait VoidableType: DocumentType {
    /// Model of the numbers.
    const MODELO: u8;
}

/// A type that an authority distributes to the parties of a document.
pub(crate) trait DistributedType: DocumentType {
    /// Name of the distributing authority, with its article.
    const BY: &'static str;
    /// Reason against an immediate second query, as a clause.
    const TOO_OFTEN: &'static str =
        "consultar antes seria consumo indevido (656), e o Ambiente Nacional bloquearia o CNPJ por uma hora";
    /// Path of the list of received documents.
    const RECEIVED: &'static str;
    /// Beginning of the sentence for an absent document.
    const NONE: &'static str;
    /// Root names for file names: a document with its protocol, and a summary where the type has one.
    const FILES: [&'static str; 2];
}

/// Model 55, `/v1/nfe`.
pub(crate) enum Nfe {}

/// Model 65, `/v1/nfce`.
pub(crate) enum Nfce {}

/// Models 57 and 67, `/v1/cte`.
pub(crate) enum Cte {}

/// The DPS of a national NFS-e, `/v1/nfse`.
pub(crate) enum NationalNfse {}

impl DocumentType for NationalNfse {
    const TIPO: Tipo = Tipo::Nfse;
    const MOTIVO: fn(&Codigo) -> Option<&'static str> = |codigo| nfse::rules::book::mensagem(codigo.as_str());
    fn modelo(_: &Value) -> u8 {
        DPS
    }
}

/// The RPS of a municipal NFS-e, `/v1/nfse/govdigital`.
pub(crate) enum MunicipalNfse {}

impl DocumentType for MunicipalNfse {
    const TIPO: Tipo = Tipo::Nfse;
    const MOTIVO: fn(&Codigo) -> Option<&'static str> = abrasf::rules::motivo;
    fn modelo(_: &Value) -> u8 {
        RPS
    }
}

impl DistributedType for NationalNfse {
    const BY: &'static str = "o Ambiente de Dados Nacional (ADN)";
    const TOO_OFTEN: &'static str =
        "os limites do ADN não são publicados, e o serviço guarda uma hora entre uma busca sem novidade e a seguinte";
    const RECEIVED: &'static str = "/v1/nfse/recebidas";
    const NONE: &'static str = "Não há NFS-e recebida";
    const FILES: [&'static str; 2] = ["NFSe", "NFSe"];
}

impl DocumentType for Nfe {
    const TIPO: Tipo = Tipo::Nfe;
    const MOTIVO: fn(&Codigo) -> Option<&'static str> = |codigo| codigo.number().and_then(cstat::motivo);
    fn modelo(_: &Value) -> u8 {
        Nfe::MODELO
    }
}

impl VoidableType for Nfe {
    const MODELO: u8 = 55;
}

impl DistributedType for Nfe {
    const BY: &'static str = "o Ambiente Nacional";
    const RECEIVED: &'static str = "/v1/nfe/recebidas";
    const NONE: &'static str = "Não há NF-e recebida";
    const FILES: [&'static str; 2] = ["procNFe", "resNFe"];
}

impl DocumentType for Nfce {
    const TIPO: Tipo = Tipo::Nfce;
    const MOTIVO: fn(&Codigo) -> Option<&'static str> = |codigo| codigo.number().and_then(cstat::motivo);
    fn modelo(_: &Value) -> u8 {
        Nfce::MODELO
    }
}

impl VoidableType for Nfce {
    const MODELO: u8 = 65;
}

impl DocumentType for Cte {
    const TIPO: Tipo = Tipo::Cte;
    const MOTIVO: fn(&Codigo) -> Option<&'static str> = |codigo| codigo.number().and_then(cstat::cte::motivo);
    fn modelo(nota: &Value) -> u8 {
        cte::modelo(nota).filter(|modelo| *modelo == 67).unwrap_or(57)
    }
}

impl DistributedType for Cte {
    const BY: &'static str = "o Ambiente Nacional";
    const RECEIVED: &'static str = "/v1/cte/recebidos";
    const NONE: &'static str = "Não há CT-e recebido";
    const FILES: [&'static str; 2] = ["procCTe", "resCTe"];
}
