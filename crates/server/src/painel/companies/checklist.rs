//! `GET /painel/empresas/{cpf_cnpj}/producao`: the way to production of each document type, as a list that knows what
//! is missing.

use axum::extract::{Path, State};
use axum::response::Response;
use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use http::StatusCode;
use maud::{Markup, html};
use store::Visibility;
use store::companies::Company;

use super::checklist_item::{ChecklistItem, ItemState};
use super::checklist_items::{ChecklistFacts, items};
use super::company_list::is_configured;
use super::configuration_form::in_use;
use super::{TIPOS, configuration_path, page, requested, unknown};
use crate::api::error::ApiError;
use crate::app::App;
use crate::painel::frame;
use crate::painel::panel_session::PanelSession;

/// `GET /painel/empresas/{cpf_cnpj}/producao`
pub(crate) async fn show_checklist(
    State(app): State<App>,
    visitor: PanelSession,
    Path(number): Path<String>,
) -> Response {
    let shown = async {
        match requested(&app, &visitor, &number).await? {
            Some(company) => checklist_page(&app, &visitor, &company).await,
            None => Ok(unknown(&visitor)),
        }
    };
    shown.await.unwrap_or_else(|error| frame::failure(&error))
}

async fn checklist_page(app: &App, visitor: &PanelSession, company: &Company) -> Result<Response, ApiError> {
    let facts = read(app, visitor, company).await?;
    let (configured, other): (Vec<Tipo>, Vec<Tipo>) = TIPOS.into_iter().partition(|tipo| is_configured(company, *tipo));
    let mut lists = Vec::new();
    for tipo in configured {
        lists.push((tipo, items(app, visitor, company, tipo, &facts).await?));
    }
    let body = html! {
        h2 { "Ir para produção" }
        p { "Em produção cada documento vale perante o fisco. Um tipo de documento passa por vez; os outros ficam onde estão." }
        @if lists.is_empty() { p class="aviso" { "Nenhum tipo de documento está configurado ainda. Configure um em homologação e emita uma nota de teste." } }
        @for (tipo, items) in &lists { (list(visitor, company, *tipo, items)) }
        @if !other.is_empty() {
            section aria-labelledby="outros" {
                h3 id="outros" { "Ainda não configurados" }
                p class="botoes" { @for tipo in other { a class="botao" href=(configuration_path(company.cpf_cnpj, tipo)) { "Configurar " (tipo.name()) } } }
            }
        }
    };
    Ok(page(visitor, company, StatusCode::OK, ["/producao", "Ir para produção"], &body))
}

async fn read(app: &App, visitor: &PanelSession, company: &Company) -> Result<ChecklistFacts, ApiError> {
    let caller = &visitor.at.caller;
    let sequences = app.store().numberings(Visibility::of(caller), Some(company.cpf_cnpj)).await?;
    let keys = app.store().list_api_keys(caller.tenant_id).await?;
    let has_live_key = keys.iter().any(|key| key.ambiente == TpAmb::Producao && key.revogado_em.is_none());
    Ok(ChecklistFacts { sequences, has_live_key })
}

fn list(visitor: &PanelSession, company: &Company, tipo: Tipo, items: &[ChecklistItem]) -> Markup {
    let id = format!("lista-{}", tipo.word());
    let missing = items.iter().filter(|item| item.state == ItemState::Missing).count();
    let is_live = in_use(company, tipo) == Some(TpAmb::Producao);
    let sees_all = visitor.at.caller.ambiente == TpAmb::Producao;
    html! {
        section aria-labelledby=(id) {
            h3 id=(id) {
                (tipo.name()) " "
                @if is_live { span class="estado autorizada" { "em produção" } }
                @else if missing == 0 { span class="estado autorizada" { @if sees_all { "pronta" } @else { "nada falta aqui" } } }
                @else { span class="estado pendente" { "falta " (missing) } }
            }
            ul class="emissoes" {
                @for item in items {
                    li class="cartao" {
                        div class="linha" {
                            div {
                                p { span class={ "estado " (item.state.class()) } { (item.state.word()) } " " strong { (item.title) } }
                                p class="fraca" { (item.text) }
                            }
                            @if let Some((address, text)) = &item.link { a class="botao" href=(address) aria-label={ (text) ": " (tipo.name()) } { (text) } }
                        }
                    }
                }
            }
            @if !is_live && sees_all {
                p class="botoes" {
                    a class={ "botao " (if missing == 0 { "principal producao" } else { "" }) } href={ (configuration_path(company.cpf_cnpj, tipo)) "?para=producao" } {
                        "Passar " (tipo.name()) " para a produção"
                    }
                }
            }
        }
    }
}
