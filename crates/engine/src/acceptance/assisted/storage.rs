//! Storage of a prepared order under a random token.

use super::CONFIRMATION_S;
use crate::Engine;
use crate::acceptance::issue::IssueError;
use crate::process::randomness;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use store::accounts::Caller;
use store::confirmations::{NewConfirmation, Preparation};
use store::jobs::Operacao;
use uuid::Uuid;
use zeroize::Zeroizing;

/// Columns of a prepared order that differ by its kind.
pub(super) struct PreparedRow {
    pub(super) operacao: Operacao,
    pub(super) tipo: Tipo,
    pub(super) destino: TpAmb,
    pub(super) referencia: Option<String>,
    pub(super) payload: String,
    pub(super) emitente: CnpjCpf,
    pub(super) destinatario: Option<String>,
    pub(super) valor: i64,
}

/// Reason for which nothing was stored.
#[derive(Debug)]
pub(super) enum PreparationRefusal {
    TooMany { most: u32, wait_s: i64 },
    Store(store::Error),
}

impl From<store::Error> for PreparationRefusal {
    fn from(error: store::Error) -> PreparationRefusal {
        PreparationRefusal::Store(error)
    }
}

impl From<PreparationRefusal> for IssueError {
    fn from(why: PreparationRefusal) -> IssueError {
        match why {
            PreparationRefusal::TooMany { most, wait_s } => IssueError::TooManyPrepared { most, wait_s },
            PreparationRefusal::Store(error) => IssueError::Store(error),
        }
    }
}

impl Engine {
    /// Stores a prepared order; returns its public id, its token and its end.
    pub(super) async fn store_prepared(
        &self,
        caller: &Caller,
        row: PreparedRow,
        most_open: Option<u32>,
    ) -> Result<(Uuid, Zeroizing<String>, i64), PreparationRefusal> {
        let (token, token_hash) = new_token()?;
        let now = self.now_s();
        let (id, expira_em) = (Uuid::now_v7(), now + CONFIRMATION_S);
        let PreparedRow { operacao, tipo, destino, referencia, payload, emitente, destinatario, valor } = row;
        let new = NewConfirmation {
            id,
            tenant_id: caller.tenant_id,
            operacao,
            tipo,
            api_key_id: caller.api_key_id,
            permissao: caller.permissao,
            token_hash,
            ambiente: caller.ambiente,
            destino,
            referencia,
            payload_hash: openssl::sha::sha256(payload.as_bytes()),
            payload,
            emitente: emitente.to_string(),
            destinatario,
            valor,
            expira_em,
        };
        match self.store().prepare(new, most_open, now).await? {
            Preparation::TooManyOpen { most, wait_s } => Err(PreparationRefusal::TooMany { most, wait_s }),
            _ => Ok((id, token, expira_em)),
        }
    }
}

/// Returns 256 random bits in hexadecimal, and their hash.
fn new_token() -> Result<(Zeroizing<String>, [u8; 32]), store::Error> {
    let secret = randomness::secret().map_err(|error| store::Error::Unavailable(error.to_string()))?;
    let mut token = Zeroizing::new(String::with_capacity(PREFIX.len() + 64));
    token.push_str(PREFIX);
    for byte in secret.iter() {
        for digit in [byte >> 4, byte & 15] {
            token.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
        }
    }
    let hash = openssl::sha::sha256(token.as_bytes());
    Ok((token, hash))
}

/// Prefix of every token.
const PREFIX: &str = "crb_conf_";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_chance() {
        let (one, hash) = new_token().unwrap();
        let (other, _) = new_token().unwrap();
        assert_eq!((one.len(), one.starts_with(PREFIX)), (PREFIX.len() + 64, true));
        assert!(*one != *other && hash == openssl::sha::sha256(one.as_bytes()));
    }
}
