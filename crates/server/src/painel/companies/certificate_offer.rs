//! `GET|POST /painel/empresas/{cpf_cnpj}/certificado/{id}`: an uploaded certificate, and its confirmation.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use maud::html;
use store::companies::{CertificateOffer, CertificateRecord, Company, OFFER_S};
use uuid::Uuid;

use super::certificate_page::facts;
use super::{certificate_path, page, requested, unknown};
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::form::SubmittedForm;
use crate::painel::panel_session::PanelSession;
use crate::painel::{frame, session_page};

/// `GET /painel/empresas/{cpf_cnpj}/certificado/{id}`
pub(crate) async fn show_offer(
    State(app): State<App>,
    visitor: PanelSession,
    Path((number, id)): Path<(String, String)>,
) -> Response {
    offered(&app, &visitor, &number, &id).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/empresas/{cpf_cnpj}/certificado/{id}`
pub(crate) async fn keep_offer(
    State(app): State<App>,
    Path((number, id)): Path<(String, String)>,
    sent: SubmittedForm,
) -> Response {
    decide(&app, &number, &id, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn offered(app: &App, visitor: &PanelSession, number: &str, id: &str) -> Result<Response, ApiError> {
    let Some(company) = requested(app, visitor, number).await? else { return Ok(unknown(visitor)) };
    let Some(offer) = offer(visitor, &company, id) else { return Ok(ended(visitor, &company)) };
    match app.store().offered_certificate(offer, app.now()).await {
        Ok(record) => Ok(offer_page(app, visitor, &company, offer.id, &record)),
        Err(store::Error::NotFound) => Ok(ended(visitor, &company)),
        Err(other) => Err(other.into()),
    }
}

async fn decide(app: &App, number: &str, id: &str, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let visitor = &sent.visitor;
    let Some(company) = requested(app, visitor, number).await? else { return Ok(unknown(visitor)) };
    let Some(offer) = offer(visitor, &company, id) else { return Ok(ended(visitor, &company)) };
    let decided = match sent.fields.text("acao") {
        FORGET => app.store().discard_offered_certificate(offer).await,
        _ => app.store().keep_offered_certificate(offer, &visitor.actor, app.now()).await.map(drop),
    };
    match decided {
        Ok(()) => Ok(Redirect::to(&certificate_path(company.cpf_cnpj)).into_response()),
        Err(store::Error::NotFound) => Ok(ended(visitor, &company)),
        Err(other) => Err(other.into()),
    }
}

/// Value of the button that erases the offer.
const FORGET: &str = "esquecer";

fn offer(visitor: &PanelSession, company: &Company, id: &str) -> Option<CertificateOffer> {
    let (tenant, user) = (visitor.at.caller.tenant_id, visitor.at.user_id);
    Uuid::parse_str(id).ok().map(|id| CertificateOffer { tenant, cpf_cnpj: company.cpf_cnpj, user, id })
}

fn offer_page(app: &App, visitor: &PanelSession, company: &Company, id: Uuid, record: &CertificateRecord) -> Response {
    let (here, time) = (certificate_path(company.cpf_cnpj), CivilTime::of(Some(company)));
    let days = (record.valido_ate - app.now()).div_euclid(86_400);
    let body = html! {
        h2 { "Guardar este certificado?" }
        p class="aviso" role="status" { "O arquivo abriu com a senha, e o certificado serve a esta empresa. Ele ainda não está em uso." }
        (facts(record, None, time))
        @if record.valido_de > app.now() { p class="recusa" { "Ele ainda não começou a valer: até lá as autoridades o recusam." } }
        @if days <= 30 { p class="recusa" { "Ele vence em " (days) " dias: peça já o seguinte." } }
        @if company.certificado.is_some() { p { "O que está em uso hoje será trocado por este, nos dois ambientes." } }
        form method="post" action={ (here) "/" (id) } {
            (session_page::proof(visitor))
            p class="botoes" {
                button class="botao principal" name="acao" value="guardar" { "Guardar o certificado" }
                button class="botao" name="acao" value=(FORGET) { "Não guardar" }
            }
        }
        p class="fraca" { "Sem resposta em " (OFFER_S / 60) " minutos, o arquivo é esquecido e precisa ser enviado de novo." }
    };
    page(visitor, company, StatusCode::OK, ["/certificado", "Guardar o certificado"], &body)
}

/// 404 for an offer that ended, was replaced, or belongs to another user.
fn ended(visitor: &PanelSession, company: &Company) -> Response {
    let body = html! {
        h2 { "O certificado enviado não está mais aqui" }
        p { "Ele já foi guardado ou descartado, outro foi enviado depois dele, ou o tempo para confirmar passou. Veja o que está em uso, ou envie de novo." }
        p { a href=(certificate_path(company.cpf_cnpj)) { "Voltar ao certificado" } }
    };
    page(visitor, company, StatusCode::NOT_FOUND, ["/certificado", "Certificado"], &body)
}
