//! Assisted emission: prepare a document and show it, issue it only when its token comes back. Acts on documents use
//! the same two steps (`act`).
//!
//! Law: `docs/contract.md`, "Checking and preparing". Both steps run all checks of acceptance; only the second uses
//! quota. The token is random, and its single use is enforced by the database; it is bound to the tenant, to the
//! environment of its credential, to the environment of the document and to the payload. `confirm` decides by the
//! permission of the key and by the interface (`Interface`) if a person must have approved it; `approval` holds the
//! person's side.

mod act;
mod approval;
mod confirm;
mod order;
mod storage;

pub use act::{ActDescription, ActError, NumberRange, PreparedAct, TargetDocument};
pub use approval::{PreparationRecord, PreparationState, PreparedNote};
pub use confirm::{ConfirmError, Interface};
pub use store::confirmations::{ConfirmationList, Decisao, Decision, DecisionResult};

use crate::Engine;
use crate::acceptance::issue::{DryRun, IssueError};
use crate::family::issuer::FamilyIssuer;
use crate::order::emission::IssueRequest;
use fiscal::finding::Notice;
use fiscal::nfe::moved_value::moved_hundredths;
use fiscal::summary::{DocumentSummary, summary};
use fiscal::tipo::Tipo;
use fiscal::value::{TpAmb, Uf};
use order::PreparedOrder;
use storage::PreparedRow;
use store::accounts::Caller;
use store::jobs::Operacao;
use uuid::Uuid;
use zeroize::Zeroizing;

/// A document that waits for a person's decision.
pub struct PreparedEmission {
    /// Public id, by which a person finds it; no secret.
    pub id: Uuid,
    /// Token for the confirmation; shown once.
    pub token: Zeroizing<String>,
    /// Seconds since 1970.
    pub expira_em: i64,
    /// Parties and items of the document.
    pub resumo: DocumentSummary,
    /// Total, decimal text.
    pub vNF: String,
    /// Environment of the document.
    pub ambiente: TpAmb,
    /// State of the issuer, for the time of day.
    pub uf: Uf,
    /// Notices, as emission would give them.
    pub notices: Vec<Notice>,
    /// Ceiling of the account for confirmations, in hundredths.
    pub teto: Option<i64>,
    /// Value that counts against the ceiling, in hundredths: at least the total.
    pub valor_contado: i64,
    /// True if the document is within the ceiling.
    pub dentro_do_teto: bool,
}

/// Validity of a token, in seconds.
pub const CONFIRMATION_S: i64 = 600;

impl Engine {
    /// Checks like an emission, stores the request, and returns the token that issues it. `most_open` bounds the open
    /// preparations of one key.
    pub async fn prepare_issue(
        &self,
        caller: &Caller,
        request: IssueRequest,
        most_open: Option<u32>,
    ) -> Result<PreparedEmission, IssueError> {
        let issuer = self.issuer(store::Visibility::of(caller), request.cpf_cnpj, request.family()?).await?;
        let dry_run = self.checked(caller, &request, &issuer).await?;
        let teto = self.store().ceiling(caller.tenant_id).await?;
        let (valor, resumo) =
            (ceiling_value(&dry_run), with_company_name(&issuer, summary(&request.nota, &dry_run.xml)));
        let row = PreparedRow {
            operacao: Operacao::Emissao,
            tipo: dry_run.family.tipo,
            destino: dry_run.ambiente,
            referencia: request.referencia.clone(),
            emitente: request.cpf_cnpj,
            destinatario: resumo.destinatario.as_ref().and_then(|party| party.xNome.clone()),
            valor,
            payload: PreparedOrder::Issue(request).serialize(),
        };
        let (id, token, expira_em) = self.store_prepared(caller, row, most_open).await?;
        let dentro_do_teto = teto.is_none_or(|teto| valor <= teto);
        let (vNF, ambiente, uf, notices) = (dry_run.vNF, dry_run.ambiente, dry_run.uf, dry_run.notices);
        let valor_contado = valor;
        Ok(PreparedEmission {
            id,
            token,
            expira_em,
            resumo,
            vNF,
            ambiente,
            uf,
            notices,
            teto,
            valor_contado,
            dentro_do_teto,
        })
    }
}

/// Value that the ceiling counts, in hundredths: of goods the value that they move, of a service its price.
fn ceiling_value(dry_run: &DryRun) -> i64 {
    match dry_run.family.tipo {
        Tipo::Nfe | Tipo::Nfce => moved_hundredths(&dry_run.xml),
        Tipo::Cte | Tipo::Nfse => hundredths(&dry_run.vNF),
    }
}

/// A total of two decimals as a whole number; a total outside every layout counts as the greatest.
fn hundredths(total: &str) -> i64 {
    let (whole, cents) = total.split_once('.').unwrap_or((total, "00"));
    format!("{whole}{cents:0<2.2}").parse().unwrap_or(i64::MAX)
}

/// Adds the name of the company, where its document has none.
fn with_company_name(issuer: &FamilyIssuer, summary: DocumentSummary) -> DocumentSummary {
    let named = || issuer.company.dados.get("nome_razao_social")?.as_str().map(str::to_owned);
    let emitente = fiscal::summary::SummaryParty { xNome: summary.emitente.xNome.or_else(named), ..summary.emitente };
    DocumentSummary { emitente, ..summary }
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
