//! Certificates that have expired, or will within 30 days.

use fiscal::value::masked;
use maud::{Markup, html};
use store::Visibility;
use store::companies::CompanyCertificate;

use super::table;
use crate::api::empresas::view::name;
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::companies::certificate_path;
use crate::painel::panel_session::PanelSession;
use crate::painel::words::civil_instant;

/// The first to expire first.
pub(super) async fn expiring(app: &App, visitor: &PanelSession) -> Result<Vec<CompanyCertificate>, ApiError> {
    let soon = app.now() + SOON_S;
    let mut holders = app.store().list_certificates(Visibility::of(&visitor.at.caller)).await?;
    holders.retain(|holder| holder.certificado.as_ref().is_some_and(|record| record.valido_ate <= soon));
    Ok(holders)
}

const SOON_S: i64 = 30 * 86_400;

pub(super) async fn show(app: &App, visitor: &PanelSession) -> Result<Markup, ApiError> {
    let (holders, now) = (expiring(app, visitor).await?, app.now());
    let rows = html! {
        @for holder in &holders {
            @if let Some(record) = &holder.certificado {
                tr {
                    td class="nome" { a href=(certificate_path(holder.cpf_cnpj)) { (name(&holder.dados).unwrap_or_default()) } }
                    td data-coluna="CNPJ ou CPF" { (masked(holder.cpf_cnpj.as_str())) }
                    td data-coluna="Titular" { (record.titular) }
                    td data-coluna="Vale até" { (civil_instant(record.valido_ate, CivilTime::of_record(Some(&holder.dados)))) }
                    td data-coluna="Situação" { @if record.valido_ate < now { "vencido" } @else { "vence em breve" } }
                }
            }
        }
    };
    Ok(html! {
        p { "Sem um certificado A1 válido a empresa não assina nem envia documentos. Compre outro, e envie o arquivo na página da empresa." }
        @if holders.is_empty() { p class="vazio" { "Nenhum certificado vence nos próximos 30 dias." } }
        @else { (table("Certificados", &["Empresa", "CNPJ ou CPF", "Titular", "Vale até", "Situação"], rows)) }
    })
}
