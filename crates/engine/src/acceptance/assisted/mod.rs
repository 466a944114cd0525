//! Assisted emission: prepare a document and show it, issue it only when its token comes back. Acts on documents go
//! that way too (`act`).
//!
//! Law: `spec/not-shown.md` §5. Everything acceptance checks is checked at both steps; only the second uses quota. The token is chance, its
//! single use a fact of the database; it is bound to the tenant, to the environment of its credential, to the environment the document would go
//! to and to the payload. Whether a person must have approved it is decided here, by the permission of the key and by the door it comes
//! through (`Door`); the person's side stands in `approval`.

mod act;
mod approval;
mod order;

pub use act::{ActDescription, ActError, NumberRange, PreparedAct, TargetDocument};
pub use approval::{Note, Standing, State};
pub use store::confirmations::{Decided, Decisao, Decision, Which};

use crate::Engine;
use crate::acceptance::event::EventError;
use crate::acceptance::issue::{DryRun, IssueError, IssueRequest, Issued};
use crate::acceptance::void::VoidError;
use crate::family::issuer::Issuer;
use crate::process::chance;
use fiscal::finding::Notice;
use fiscal::nfe::moved::moved_hundredths;
use fiscal::summary::{Summary, summary};
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb, Uf};
use order::PreparedOrder;
use std::sync::Arc;
use store::accounts::{Caller, Permissao};
use store::audit::Actor;
use store::confirmations::{Confirmation, Confirmed, NewConfirmation, Preparation, Word};
use store::jobs::{NewJob, Operacao};
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
    /// The token stands for another order than the expected one.
    #[error("token de outra operação")]
    OtherOrder(Operacao, Tipo),
    /// As of an act on documents of this type.
    #[error("o ato não pode ser feito")]
    Act {
        /// The type.
        tipo: Tipo,
        /// Why.
        #[source]
        error: ActError,
    },
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
        let issuer = self.issuer(caller.tenant_id, request.cpf_cnpj, request.family()?).await?;
        let dry_run = self.checked(caller, &request, &issuer).await?;
        let teto = self.store().ceiling(caller.tenant_id).await?;
        let (valor, resumo) = (counted(&dry_run), shown(&issuer, summary(&request.nota, &dry_run.xml)));
        let row = Row {
            operacao: Operacao::Emissao,
            tipo: dry_run.family.tipo,
            destino: dry_run.ambiente,
            referencia: request.referencia.clone(),
            emitente: request.cpf_cnpj,
            destinatario: resumo.destinatario.as_ref().and_then(|party| party.xNome.clone()),
            valor,
            payload: PreparedOrder::Issue(request).keep(),
        };
        let (id, token, expira_em) = self.keep_row(caller, row, most_open).await?;
        let dentro_do_teto = teto.is_none_or(|teto| valor <= teto);
        let (vNF, ambiente, uf, notices) = (dry_run.vNF, dry_run.ambiente, dry_run.uf, dry_run.notices);
        let valor_contado = valor;
        Ok(Prepared { id, token, expira_em, resumo, vNF, ambiente, uf, notices, teto, valor_contado, dentro_do_teto })
    }

    /// Keeps what was prepared; gives its public name, its token and its end.
    async fn keep_row(
        &self,
        caller: &Caller,
        row: Row,
        most_open: Option<u32>,
    ) -> Result<(Uuid, Zeroizing<String>, i64), NotKept> {
        let (token, token_hash) = token()?;
        let now = self.now_s();
        let (id, expira_em) = (Uuid::now_v7(), now + CONFIRMATION_S);
        let Row { operacao, tipo, destino, referencia, payload, emitente, destinatario, valor } = row;
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
            Preparation::TooManyOpen { most, wait_s } => Err(NotKept::TooMany { most, wait_s }),
            _ => Ok((id, token, expira_em)),
        }
    }

    /// Issues the NF-e that the token stands for: once, and before it expires.
    pub async fn confirm_issue(&self, caller: &Caller, token: &str, door: Door) -> Result<Issued, ConfirmError> {
        self.confirmed(caller, token, door, Some((Operacao::Emissao, Tipo::Nfe))).await
    }

    /// Does what the token stands for, whatever it is: once, and before it expires.
    pub async fn confirm_order(&self, caller: &Caller, token: &str, door: Door) -> Result<Issued, ConfirmError> {
        self.confirmed(caller, token, door, None).await
    }

    /// Does what the token stands for; refuses the token of another order than the expected one.
    async fn confirmed(
        &self,
        caller: &Caller,
        token: &str,
        door: Door,
        expected: Option<(Operacao, Tipo)>,
    ) -> Result<Issued, ConfirmError> {
        let token_hash = openssl::sha::sha256(token.as_bytes());
        let kept = match self.store().confirmation(caller.tenant_id, token_hash).await {
            Err(store::Error::NotFound) => return Err(ConfirmError::Unknown),
            kept => kept?,
        };
        if kept.ambiente != caller.ambiente {
            return Err(ConfirmError::OtherEnvironment(kept.ambiente));
        }
        if expected.is_some_and(|expected| expected != (kept.operacao, kept.tipo)) {
            return Err(ConfirmError::OtherOrder(kept.operacao, kept.tipo));
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
        let (job, valor) = self.as_shown(caller, &kept).await?;
        let registered = self.store().confirm(token_hash, job, valor, word, self.now_s()).await;
        match registered.map_err(|error| refused_by_store(&kept, error))? {
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
    /// The job of what was prepared, as long as it is what was shown, and the value that the ceiling counts.
    async fn as_shown(&self, caller: &Caller, kept: &Confirmation) -> Result<(NewJob, i64), ConfirmError> {
        let request = match PreparedOrder::of(kept).ok_or(ConfirmError::Changed)? {
            PreparedOrder::Issue(request) => request,
            act => return self.act_as_shown(caller, kept, act).await,
        };
        self.room(caller.tenant_id, request.family()?).await?;
        let issuer =
            self.issuer(caller.tenant_id, request.cpf_cnpj, request.family()?).await.map_err(IssueError::from)?;
        let dry_run = self.checked(caller, &request, &issuer).await?;
        if dry_run.ambiente != kept.destino {
            return Err(ConfirmError::Changed);
        }
        let valor = counted(&dry_run);
        Ok((self.new_job(caller, Arc::new(request), kept.payload.clone(), dry_run), valor))
    }

    async fn act_as_shown(
        &self,
        caller: &Caller,
        kept: &Confirmation,
        act: PreparedOrder,
    ) -> Result<(NewJob, i64), ConfirmError> {
        match self.ready(caller, act).await {
            Ok((job, _)) if job.ambiente == kept.destino => Ok((job, kept.valor)),
            Ok(_) => Err(ConfirmError::Changed),
            Err(ActError::Repeated(job)) => Err(ConfirmError::Used(job)),
            Err(error) => Err(ConfirmError::Act { tipo: kept.tipo, error }),
        }
    }

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

/// Why nothing was kept.
#[derive(Debug)]
enum NotKept {
    TooMany { most: u32, wait_s: i64 },
    Store(store::Error),
}

impl From<store::Error> for NotKept {
    fn from(error: store::Error) -> NotKept {
        NotKept::Store(error)
    }
}

impl From<NotKept> for IssueError {
    fn from(why: NotKept) -> IssueError {
        match why {
            NotKept::TooMany { most, wait_s } => IssueError::TooManyPrepared { most, wait_s },
            NotKept::Store(error) => IssueError::Store(error),
        }
    }
}

/// The value that the ceiling counts, in hundredths: of goods what they move, of a service its price.
fn counted(dry_run: &DryRun) -> i64 {
    match dry_run.family.tipo {
        Tipo::Nfe | Tipo::Nfce => moved_hundredths(&dry_run.xml),
        Tipo::Cte | Tipo::Nfse => hundredths(&dry_run.vNF),
    }
}

/// A total of two decimals as a whole number; one that no layout could say counts as the greatest.
fn hundredths(total: &str) -> i64 {
    let (whole, cents) = total.split_once('.').unwrap_or((total, "00"));
    format!("{whole}{cents:0<2.2}").parse().unwrap_or(i64::MAX)
}

/// Columns of a prepared order that differ by its kind.
struct Row {
    operacao: Operacao,
    tipo: Tipo,
    destino: TpAmb,
    referencia: Option<String>,
    payload: String,
    emitente: CnpjCpf,
    destinatario: Option<String>,
    valor: i64,
}

/// Refusals of the store, in the words of the order that meets them.
fn refused_by_store(kept: &Confirmation, error: store::Error) -> ConfirmError {
    let error = match kept.operacao {
        Operacao::Emissao => return error.into(),
        Operacao::Inutilizacao => ActError::Void(VoidError::from(error)),
        _ => ActError::Event(EventError::from(error)),
    };
    ConfirmError::Act { tipo: kept.tipo, error }
}

/// With the name of the company, where its document has none.
fn shown(issuer: &Issuer, summary: Summary) -> Summary {
    let named = || issuer.company.dados.get("nome_razao_social")?.as_str().map(str::to_owned);
    let emitente = fiscal::summary::Party { xNome: summary.emitente.xNome.or_else(named), ..summary.emitente };
    Summary { emitente, ..summary }
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
    fn a_total_is_counted_in_hundredths() {
        assert_eq!(hundredths("100.00"), 10_000);
        assert_eq!(hundredths("9999999999999.99"), 999_999_999_999_999);
        assert_eq!((hundredths("0.01"), hundredths("7"), hundredths("7.5")), (1, 700, 750));
        assert_eq!(hundredths("?"), i64::MAX);
    }

    #[test]
    fn a_token_is_chance() {
        let (one, hash) = token().unwrap();
        let (other, _) = token().unwrap();
        assert_eq!((one.len(), one.starts_with(PREFIX)), (PREFIX.len() + 64, true));
        assert!(*one != *other && hash == openssl::sha::sha256(one.as_bytes()));
    }
}
