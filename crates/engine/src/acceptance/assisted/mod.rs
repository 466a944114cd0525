//! Assisted emission: prepare a document and show it, issue it only when its token comes back.
//!
//! Law: `spec/not-shown.md` §5. Everything acceptance checks is checked at both steps; only the second uses quota. The token is chance, its
//! single use a fact of the database; it is bound to the tenant, to the environment of its credential, to the environment the document would go
//! to and to the payload. Whether a person must have approved it is decided here, by the permission of the key and by the door it comes
//! through (`Door`); the person's side stands in `approval`.

mod approval;

pub use approval::{Note, Standing, State};
pub use store::confirmations::{Decided, Decisao, Decision, Which};

use crate::Engine;
use crate::acceptance::issue::{IssueError, IssueRequest, Issued};
use crate::acceptance::order::keep_emission;
use crate::process::chance;
use fiscal::finding::Notice;
use fiscal::nfe::moved::moved_hundredths;
use fiscal::nfe::summary::{Summary, summary};
use fiscal::value::{TpAmb, Uf};
use std::sync::Arc;
use store::accounts::{Caller, Permissao};
use store::audit::Actor;
use store::confirmations::{Confirmation, Confirmed, NewConfirmation, Preparation, Word};
use uuid::Uuid;
use zeroize::Zeroizing;

/// A document that waits for a person's word.
pub struct Prepared {
    /// Its public name, by which a person finds it; no secret.
    pub id: Uuid,
    /// To be sent back; shown once.
    pub token: Zeroizing<String>,
    /// Seconds since 1970.
    pub expira_em: i64,
    /// What would be issued.
    pub resumo: Summary,
    /// Its total, decimal text.
    pub vNF: String,
    /// Where it would go.
    pub ambiente: TpAmb,
    /// State of the issuer, for the time of day.
    pub uf: Uf,
    /// Remarks, as emission would give them.
    pub notices: Vec<Notice>,
    /// The most the account may confirm, in hundredths.
    pub teto: Option<i64>,
    /// The value that counts against the ceiling, in hundredths: at least the total.
    pub valor_contado: i64,
    /// Whether the document is within it.
    pub dentro_do_teto: bool,
}

/// Why nothing was issued.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    /// No such token of this tenant.
    #[error("token de confirmação desconhecido")]
    Unknown,
    /// It was prepared with a credential of the other environment.
    #[error("token de outro ambiente")]
    OtherEnvironment(TpAmb),
    /// It was used, for this job.
    #[error("token já usado")]
    Used(Uuid),
    /// It waits for a person, who finds it by this name.
    #[error("falta a aprovação de uma pessoa")]
    Pending(Uuid),
    /// A person said no.
    #[error("uma pessoa recusou")]
    Refused {
        /// Its public name.
        id: Uuid,
        /// Why.
        motivo: Option<String>,
    },
    /// Too late.
    #[error("token vencido")]
    Expired,
    /// The document would go somewhere else by now: what was shown is not what would be issued.
    #[error("a configuração da empresa mudou")]
    Changed,
    /// Worth more than the account may confirm; both in hundredths.
    #[error("acima do teto")]
    AboveCeiling {
        /// Of the document.
        valor: i64,
        /// Of the account.
        teto: i64,
    },
    /// As of an emission.
    #[error(transparent)]
    Issue(#[from] IssueError),
}

impl From<store::Error> for ConfirmError {
    fn from(error: store::Error) -> ConfirmError {
        ConfirmError::Issue(IssueError::Store(error))
    }
}

/// By which way a confirmation comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Door {
    /// The routes: a `completa` key may confirm for itself what it prepared.
    Rest,
    /// The MCP server: a model is at the other end, so that no key confirms for itself.
    Mcp {
        /// A person answered yes in a form of the model's client. It counts in homologação, and in production where the operator
        /// allowed it; it never counts for an `assistida` key. Who brought the answer stands in the trail where it counted.
        form: Option<Actor>,
    },
}

/// How long a token lasts.
pub const CONFIRMATION_S: i64 = 600;
/// What every token begins with.
const PREFIX: &str = "crb_conf_";

impl Engine {
    /// Checks like an emission, keeps the request, and gives the token that issues it.
    /// `most_open` bounds those of one key that wait at the same time.
    pub async fn prepare_issue(
        &self,
        caller: &Caller,
        request: IssueRequest,
        most_open: Option<u32>,
    ) -> Result<Prepared, IssueError> {
        let payload = keep_emission(&request);
        let issuer = self.issuer(caller.tenant_id, request.cpf_cnpj, request.family()?).await?;
        let dry_run = self.dry_run(caller, &request, &issuer, None)?;
        let teto = self.store().ceiling(caller.tenant_id).await?;
        let (token, token_hash) = token()?;
        let now = self.now_s();
        let expira_em = now + CONFIRMATION_S;
        let (valor, resumo) = (moved_hundredths(&dry_run.xml), summary(&request.nota, &dry_run.xml));
        let id = Uuid::now_v7();
        let new = NewConfirmation {
            id,
            tenant_id: caller.tenant_id,
            api_key_id: caller.api_key_id,
            permissao: caller.permissao,
            token_hash,
            ambiente: caller.ambiente,
            destino: dry_run.ambiente,
            referencia: request.referencia,
            payload_hash: openssl::sha::sha256(payload.as_bytes()),
            payload,
            emitente: request.cpf_cnpj.to_string(),
            destinatario: resumo.destinatario.as_ref().and_then(|party| party.xNome.clone()),
            valor,
            expira_em,
        };
        if let Preparation::TooManyOpen { most, wait_s } = self.store().prepare(new, most_open, now).await? {
            return Err(IssueError::TooManyPrepared { most, wait_s });
        }
        let dentro_do_teto = teto.is_none_or(|teto| valor <= teto);
        let (vNF, ambiente, uf, notices) = (dry_run.vNF, dry_run.ambiente, dry_run.uf, dry_run.notices);
        let valor_contado = valor;
        Ok(Prepared { id, token, expira_em, resumo, vNF, ambiente, uf, notices, teto, valor_contado, dentro_do_teto })
    }

    /// Issues what the token stands for: once, and before it expires.
    pub async fn confirm_issue(&self, caller: &Caller, token: &str, door: Door) -> Result<Issued, ConfirmError> {
        let token_hash = openssl::sha::sha256(token.as_bytes());
        let kept = match self.store().confirmation(caller.tenant_id, token_hash).await {
            Err(store::Error::NotFound) => return Err(ConfirmError::Unknown),
            kept => kept?,
        };
        if kept.ambiente != caller.ambiente {
            return Err(ConfirmError::OtherEnvironment(kept.ambiente));
        }
        if let Some(job) = kept.job_id {
            return Err(ConfirmError::Used(job));
        }
        if let Some(no) = kept.decision.as_ref().filter(|decision| decision.decisao == Decisao::Recusada) {
            return Err(ConfirmError::Refused { id: kept.id, motivo: no.motivo.clone() });
        }
        if kept.expira_em <= self.now_s() {
            return Err(ConfirmError::Expired);
        }
        let word = self.whose_word(caller, &kept, door).await?;
        if word == Word::Person && kept.decision.is_none() {
            return Err(ConfirmError::Pending(kept.id));
        }
        let request = reopened(&kept).ok_or(ConfirmError::Changed)?;
        self.room(caller.tenant_id, request.family()?).await?;
        let issuer =
            self.issuer(caller.tenant_id, request.cpf_cnpj, request.family()?).await.map_err(IssueError::from)?;
        let dry_run = self.dry_run(caller, &request, &issuer, None)?;
        if dry_run.ambiente != kept.destino {
            return Err(ConfirmError::Changed);
        }
        let valor = moved_hundredths(&dry_run.xml);
        let job = self.new_job(caller, Arc::new(request), kept.payload, dry_run);
        match self.store().confirm(token_hash, job, valor, word, self.now_s()).await? {
            Confirmed::Registered(registered) => Ok(Issued::of(registered)),
            Confirmed::Used(job) => Err(ConfirmError::Used(job)),
            Confirmed::Expired => Err(ConfirmError::Expired),
            Confirmed::Pending => Err(ConfirmError::Pending(kept.id)),
            Confirmed::Refused(no) => Err(ConfirmError::Refused { id: kept.id, motivo: no.motivo }),
            Confirmed::AboveCeiling(teto) => Err(ConfirmError::AboveCeiling { valor, teto }),
        }
    }
}

impl Engine {
    /// Whose word lets this be issued. What an `assistida` key prepared stays a person's, whoever confirms it with a key.
    async fn whose_word(&self, caller: &Caller, kept: &Confirmation, door: Door) -> Result<Word, store::Error> {
        if caller.permissao != Permissao::Completa || kept.permissao == Permissao::Assistida {
            return Ok(Word::Person);
        }
        match door {
            Door::Rest => Ok(Word::Program),
            // the page's word is more than any form's
            Door::Mcp { form: None } => Ok(Word::Person),
            Door::Mcp { .. } if kept.decision.is_some() => Ok(Word::Person),
            Door::Mcp { form: Some(by) } => {
                let counts = kept.destino == TpAmb::Homologacao || self.store().form_counts(caller.tenant_id).await?;
                Ok(if counts { Word::Form(by) } else { Word::Person })
            }
        }
    }
}

/// The request as it was prepared; `None` when it is not what was hashed.
fn reopened(kept: &Confirmation) -> Option<IssueRequest> {
    let is_the_same = openssl::sha::sha256(kept.payload.as_bytes()).as_slice() == kept.payload_hash;
    let request = is_the_same.then(|| serde_json::from_str::<IssueRequest>(&kept.payload).ok())??;
    // another version may read it otherwise than the one that showed it
    let reads_as_shown = keep_emission(&request) == kept.payload;
    reads_as_shown.then(|| IssueRequest { referencia: kept.referencia.clone(), ..request })
}

/// 256 bits of chance in hexadecimal, and their hash.
fn token() -> Result<(Zeroizing<String>, [u8; 32]), store::Error> {
    let secret = chance::secret().map_err(|error| store::Error::Unavailable(error.to_string()))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_chance() {
        let (one, hash) = token().unwrap();
        let (other, _) = token().unwrap();
        assert_eq!((one.len(), one.starts_with(PREFIX)), (PREFIX.len() + 64, true));
        assert!(*one != *other && hash == openssl::sha::sha256(one.as_bytes()));
    }
}
