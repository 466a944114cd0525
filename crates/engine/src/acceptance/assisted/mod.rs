//! Assisted emission: prepare a document and show it, issue it only when its token comes back. Acts on documents go
//! that way too (`act`).
//!
//! Law: `spec/not-shown.md` §5. Everything acceptance checks is checked at both steps; only the second uses quota. The
//! token is chance, its single use a fact of the database; it is bound to the tenant, to the environment of its
//! credential, to the environment the document would go to and to the payload. Whether a person must have approved it
//! is decided in `confirm`, by the permission of the key and by the door it comes through (`Door`); the person's side
//! stands in `approval`.

mod act;
mod approval;
mod confirm;
mod keep;
mod order;

pub use act::{ActDescription, ActError, NumberRange, PreparedAct, TargetDocument};
pub use approval::{Note, Standing, State};
pub use confirm::{ConfirmError, Door};
pub use store::confirmations::{Decided, Decisao, Decision, Which};

use crate::Engine;
use crate::acceptance::issue::{DryRun, IssueError, IssueRequest};
use crate::family::issuer::Issuer;
use fiscal::finding::Notice;
use fiscal::nfe::moved::moved_hundredths;
use fiscal::summary::{Summary, summary};
use fiscal::tipo::Tipo;
use fiscal::value::{TpAmb, Uf};
use keep::Row;
use order::PreparedOrder;
use store::accounts::Caller;
use store::jobs::Operacao;
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

/// How long a token lasts.
pub const CONFIRMATION_S: i64 = 600;

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

/// With the name of the company, where its document has none.
fn shown(issuer: &Issuer, summary: Summary) -> Summary {
    let named = || issuer.company.dados.get("nome_razao_social")?.as_str().map(str::to_owned);
    let emitente = fiscal::summary::Party { xNome: summary.emitente.xNome.or_else(named), ..summary.emitente };
    Summary { emitente, ..summary }
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
}
