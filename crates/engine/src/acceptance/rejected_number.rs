//! Reuse of a rejected number: a note that replaces one given out in contingency and then rejected, and the data that
//! it may not change.
//!
//! Law: MOC 7.0, anexo III, 2.3.2: same number and series, and neither values nor the parties nor the date differ. The
//! store gives it the number, the code and the instant of the rejected one, and so its key.

use crate::Engine;
use crate::acceptance::issue::{DryRun, IssueError};
use crate::family::ListedFields;
use crate::family::issuer::FamilyIssuer;
use crate::family::member_path::DH_EMI;
use crate::order::emission::IssueRequest;
use fiscal::finding::Violation;
use jiff::Timestamp;
use serde_json::Value;
use store::Visibility;
use store::accounts::Caller;
use store::jobs::JobDocument;
use store::numbers::Series;

impl Engine {
    /// Refuses a note that asks for the number of a rejected one that is given out, and differs from it.
    pub(crate) async fn check_rejected_number(
        &self,
        caller: &Caller,
        request: &IssueRequest,
        issuer: &FamilyIssuer,
        dry_run: &DryRun,
    ) -> Result<(), IssueError> {
        let asked = (dry_run.family.builder.numbering)(&request.nota);
        let configured = || issuer.serie(dry_run.ambiente, dry_run.family);
        let (Some(serie), Some(numero)) = (asked.serie.or_else(configured), asked.numero) else { return Ok(()) };
        let (cpf_cnpj, counted, ambiente) = (request.cpf_cnpj, dry_run.family.counted, dry_run.ambiente);
        let series = Series { cpf_cnpj, counted, serie, ambiente };
        let Some(keeper) = self.store().number_holder(caller.tenant_id, series, numero).await? else { return Ok(()) };
        let Some(rejected) = self.store().job(Visibility::of(caller), keeper).await?.document else { return Ok(()) };
        let violations = differences(&rejected, &request.nota, dry_run);
        if violations.is_empty() { Ok(()) } else { Err(IssueError::Invalid(violations)) }
    }
}

fn differences(rejected: &JobDocument, nota: &Value, dry_run: &DryRun) -> Vec<Violation> {
    let instant = |text: &str| text.parse::<Timestamp>().ok();
    let family = dry_run.family;
    let ListedFields { price, receiver } = family.builder.listed;
    let mut found = Vec::new();
    if trimmed_total(&rejected.valor) != trimmed_total(&dry_run.vNF) {
        found.push(violation(family.path(nota, price), &format!("O valor da nota entregue é {}.", rejected.valor)));
    }
    if rejected.destinatario != dry_run.destinatario {
        let before = rejected.destinatario.as_deref().unwrap_or("não identificado");
        found.push(violation(family.path(nota, receiver), &format!("Na nota entregue: {before}.")));
    }
    let groups = (family.builder.groups)(nota);
    let dhEmi = ["identificacao", "ide"].iter().find_map(|group| groups.get(group)?.get("dhEmi")?.as_str());
    if dhEmi.is_some_and(|dhEmi| instant(dhEmi) != instant(&rejected.dhEmi)) {
        let mensagem = format!("A emissão da nota entregue é de {}; deixe dhEmi fora ou repita-a.", rejected.dhEmi);
        found.push(violation(family.path(nota, DH_EMI), &mensagem));
    }
    found
}

/// Decimal text without trailing zeros.
fn trimmed_total(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn violation(campo: String, why: &str) -> Violation {
    Violation {
        campo,
        codigo: "valor_divergente",
        mensagem: format!(
            "{why} Este número é de uma nota entregue em contingência e rejeitada: a que fica no lugar dela não muda valor, destinatário \
             nem data."
        ),
        sugestao: None,
    }
}
