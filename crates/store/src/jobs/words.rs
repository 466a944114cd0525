//! Database words and digits of the enums.

use super::{JobStatus, Operacao, StoredFile};
use crate::Error;
use crate::accounts::Permissao;
use crate::confirmations::Decisao;
use crate::numbers::{NumberState, NumberedKind};
use crate::row::unexpected;
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, CnpjCpf, Codigo, Serie, TpAmb};

/// A two-way table between variants and words; the compiler checks that it is complete.
macro_rules! words {
    ($type:ty, $write:ident, $read:ident, { $($variant:path => $word:literal),* $(,)? }) => {
        pub(crate) const fn $write(value: $type) -> &'static str {
            match value { $($variant => $word),* }
        }
        pub(crate) fn $read(word: &str) -> Result<$type, Error> {
            match word { $($word => Ok($variant),)* _ => Err(unexpected()) }
        }
    };
}

words!(DocumentState, state, read_state, {
    DocumentState::Accepted => "accepted",
    DocumentState::Sending => "sending",
    DocumentState::InDoubt => "in_doubt",
    DocumentState::Authorized => "authorized",
    DocumentState::Rejected => "rejected",
    DocumentState::Denied => "denied",
    DocumentState::Cancelled => "cancelled",
    DocumentState::Failed => "failed",
    DocumentState::Issued => "issued",
});

/// Status words of a job's row. The queue shows whether a job is leased.
pub(crate) fn read_status(word: &str) -> Result<JobStatus, Error> {
    match word {
        "pending" => Ok(JobStatus::Pending),
        "completed" => Ok(JobStatus::Completed),
        "failed" => Ok(JobStatus::Failed),
        "cancelled" => Ok(JobStatus::Cancelled),
        _ => Err(unexpected()),
    }
}

words!(Operacao, operacao, read_operacao, {
    Operacao::Emissao => "emissao",
    Operacao::Cancelamento => "cancelamento",
    Operacao::CartaCorrecao => "carta_correcao",
    Operacao::AtorInteressado => "ator_interessado",
    Operacao::Manifestacao => "manifestacao",
    Operacao::Evento => "evento",
    Operacao::AnaliseFiscal => "analise_fiscal",
    Operacao::Inutilizacao => "inutilizacao",
});

words!(Permissao, permissao, read_permissao, {
    Permissao::Completa => "completa",
    Permissao::Leitura => "leitura",
    Permissao::Assistida => "assistida",
});

words!(Decisao, decisao, read_decisao, {
    Decisao::Aprovada => "aprovada",
    Decisao::Recusada => "recusada",
});

words!(NumberState, number_state, read_number_state, {
    NumberState::Reserved => "reserved",
    NumberState::Used => "used",
    NumberState::Released => "released",
    NumberState::Voiding => "voiding",
    NumberState::Voided => "voided",
    NumberState::Kept => "kept",
});

/// Kind under which a file is stored.
pub(crate) fn file(file: StoredFile) -> &'static str {
    match file {
        StoredFile::Signed => "signed",
        StoredFile::Authorized => "authorized",
        StoredFile::Cancelled => "cancelled",
        StoredFile::Event => "proc_event",
    }
}

/// Kind of the signed event of a job, an internal file.
pub(crate) const EVENT: &str = "event";

/// Official digit.
pub(crate) fn ambiente(ambiente: TpAmb) -> u8 {
    match ambiente {
        TpAmb::Producao => 1,
        TpAmb::Homologacao => 2,
    }
}

pub(crate) fn read_ambiente(digit: u8) -> Result<TpAmb, Error> {
    match digit {
        1 => Ok(TpAmb::Producao),
        2 => Ok(TpAmb::Homologacao),
        _ => Err(unexpected()),
    }
}

pub(crate) fn read_tipo(word: &str) -> Result<Tipo, Error> {
    Tipo::from_word(word).ok_or_else(unexpected)
}

pub(crate) fn read_cpf_cnpj(text: String) -> Result<CnpjCpf, Error> {
    CnpjCpf::parse(&text).map_err(|_| unexpected())
}

pub(crate) fn read_chave(text: String) -> Result<Chave, Error> {
    Chave::parse(&text).map_err(|_| unexpected())
}

pub(crate) fn read_codigo(text: String) -> Result<Codigo, Error> {
    Codigo::parse(&text).map_err(|_| unexpected())
}

pub(crate) fn read_serie(text: String) -> Result<Serie, Error> {
    Serie::parse(&text).map_err(|_| unexpected())
}

pub(crate) fn read_counted(word: String) -> Result<NumberedKind, Error> {
    NumberedKind::from_word(&word).ok_or_else(unexpected)
}

/// Serialises JSON of our own.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|_| unexpected())
}

pub(crate) fn read_json<T: serde::de::DeserializeOwned>(text: String) -> Result<T, Error> {
    serde_json::from_str(&text).map_err(|_| unexpected())
}
