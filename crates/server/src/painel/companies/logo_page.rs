//! `/painel/empresas/{cpf_cnpj}/logotipo`: the picture on the printed forms, with a form drawn with it.

use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use engine::company::logo::LogoError;
use fiscal::tipo::Tipo;
use http::{HeaderValue, StatusCode, header};
use maud::{Markup, html};
use store::companies::Company;

use super::company_list::is_configured;
use super::line_control::{LineControl, LineKind};
use super::{TIPOS, page, path, recipe, requested, unknown};
use crate::api::empresas::logo;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::App;
use crate::painel::form::SubmittedForm;
use crate::painel::issue::draw_sample;
use crate::painel::panel_session::PanelSession;
use crate::painel::uploaded_form::UploadedForm;
use crate::painel::{frame, session_page};

/// `GET /painel/empresas/{cpf_cnpj}/logotipo`
pub(crate) async fn show_logo(
    State(app): State<App>,
    visitor: PanelSession,
    Path(number): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let shown = async {
        match requested(&app, &visitor, &number).await? {
            Some(company) => {
                let tipo = wanted(query.as_deref(), &company);
                logo_page(&app, &visitor, &company, tipo, None).await
            }
            None => Ok(unknown(&visitor)),
        }
    };
    shown.await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/empresas/{cpf_cnpj}/logotipo`
pub(crate) async fn submit_logo(State(app): State<App>, Path(number): Path<String>, sent: UploadedForm) -> Response {
    keep(&app, &number, sent).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/empresas/{cpf_cnpj}/logotipo/retirar`
pub(crate) async fn remove_logo(State(app): State<App>, Path(number): Path<String>, sent: SubmittedForm) -> Response {
    let visitor = &sent.visitor;
    let removed = async {
        let Some(company) = requested(&app, visitor, &number).await? else { return Ok(unknown(visitor)) };
        let tenant = visitor.at.caller.tenant_id;
        match app.store().remove_logo(tenant, company.cpf_cnpj, &visitor.actor, app.now()).await {
            Ok(()) | Err(store::Error::NotFound) => Ok(Redirect::to(&address(&company)).into_response()),
            Err(other) => Err(other.into()),
        }
    };
    removed.await.unwrap_or_else(|error| frame::failure(&error))
}

/// `GET /painel/empresas/{cpf_cnpj}/logotipo/imagem`
pub(crate) async fn show_picture(
    State(app): State<App>,
    visitor: PanelSession,
    Path(number): Path<String>,
) -> Response {
    let shown = async {
        let Some(company) = requested(&app, &visitor, &number).await? else { return Ok(unknown(&visitor)) };
        match app.store().logo(visitor.at.caller.tenant_id, company.cpf_cnpj).await {
            Ok(logo) => {
                let headers = [(header::CONTENT_TYPE, logo.media), (header::CACHE_CONTROL, "no-store".to_owned())];
                Ok((headers, logo.picture).into_response())
            }
            Err(store::Error::NotFound) => Ok(unknown(&visitor)),
            Err(other) => Err(ApiError::from(other)),
        }
    };
    shown.await.unwrap_or_else(|error| frame::failure(&error))
}

/// `GET /painel/empresas/{cpf_cnpj}/logotipo/previa`: a form that the page frames.
pub(crate) async fn show_sample(
    State(app): State<App>,
    visitor: PanelSession,
    Path(number): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let shown = async {
        let Some(company) = requested(&app, &visitor, &number).await? else { return Ok(unknown(&visitor)) };
        let mut drawn = sample(&app, &visitor, &company, wanted(query.as_deref(), &company)).await?;
        let headers = drawn.headers_mut();
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
        // a PDF loads nothing: only its frame is limited
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("frame-ancestors 'self'"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(drawn)
    };
    shown.await.unwrap_or_else(|error: ApiError| frame::failure(&error))
}

/// Type of the form to draw: that of `?tipo=`, or the first that the company configured.
fn wanted(query: Option<&str>, company: &Company) -> Tipo {
    let named = form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .find(|(name, _)| name == "tipo")
        .and_then(|(_, word)| Tipo::from_word(&word));
    let first = || TIPOS.into_iter().find(|tipo| is_configured(company, *tipo));
    named.or_else(first).unwrap_or(Tipo::Nfe)
}

/// The printed form of a recipe, issued by the company.
async fn sample(app: &App, visitor: &PanelSession, company: &Company, tipo: Tipo) -> Result<Response, ApiError> {
    draw_sample(app, &visitor.at.caller, recipe(tipo, company), company.cpf_cnpj).await
}

async fn keep(app: &App, number: &str, sent: UploadedForm) -> Result<Response, ApiError> {
    let (visitor, parts) = sent.into_parts(["logo"]);
    let Some(company) = requested(app, &visitor, number).await? else { return Ok(unknown(&visitor)) };
    let missing = || ApiError::new(&error_code::CAMPO_OBRIGATORIO, "Escolha a imagem: um arquivo PNG ou JPEG.");
    let read = parts.and_then(|[picture]| picture.ok_or_else(missing));
    let refused = match read {
        Ok(picture) => {
            let (tenant, by) = (visitor.at.caller.tenant_id, &visitor.actor);
            match app.engine().put_logo(tenant, company.cpf_cnpj, picture.to_vec(), by).await {
                Ok(_) => return Ok(Redirect::to(&address(&company)).into_response()),
                Err(error @ (LogoError::Store(_) | LogoError::UnknownCompany)) => return Err(logo::refusal(error)),
                Err(error) => logo::refusal(error),
            }
        }
        Err(error) => error,
    };
    // whatever the API calls its field, the form has one
    let refused = ApiError::new(refused.code(), refused.detail()).at("logo");
    logo_page(app, &visitor, &company, wanted(None, &company), Some(&refused)).await
}

fn address(company: &Company) -> String {
    format!("{}/logotipo", path(company.cpf_cnpj))
}

async fn logo_page(
    app: &App,
    visitor: &PanelSession,
    company: &Company,
    tipo: Tipo,
    refused: Option<&ApiError>,
) -> Result<Response, ApiError> {
    let here = address(company);
    let has_logo = match app.store().logo(visitor.at.caller.tenant_id, company.cpf_cnpj).await {
        Ok(_) => true,
        Err(store::Error::NotFound) => false,
        Err(other) => return Err(other.into()),
    };
    let drawn = sample(app, visitor, company, tipo).await;
    let preview = format!("{here}/previa?tipo={}", tipo.word());
    let body = html! {
        h2 { "Logotipo" }
        @if refused.is_some() { div class="recusa" role="alert" { p { strong { "Nada foi guardado." } } } }
        p { "Sai no alto do DANFE, do cupom, do DACTE e da nota da prefeitura; o impresso da NFS-e nacional não tem lugar para ele. Sem logotipo sai só o nome da empresa." }
        (stored(visitor, &here, has_logo))
        form method="post" action=(here) enctype="multipart/form-data" {
            (session_page::proof(visitor))
            (field(refused))
            p class="botoes" { button class="botao principal" { @if has_logo { "Trocar o logotipo" } @else { "Guardar o logotipo" } } }
        }
        section aria-labelledby="previa" {
            h3 id="previa" { "Como fica no impresso" }
            (type_links(company, &here, tipo))
            @match drawn {
                Ok(_) => {
                    p { a href=(preview) target="_blank" rel="noopener" { "Abrir a prévia (PDF, sem valor fiscal)" } }
                    iframe class="pdf" src=(preview) title={ "Prévia do impresso, " (tipo.name()) " (PDF)" } loading="lazy" {}
                }
                Err(error) => { p class="vazio" { "A prévia aparece quando a empresa tiver os dados que o documento pede: " (error.detail()) } }
            }
        }
    };
    let status = refused.map_or(StatusCode::OK, frame::form_status);
    Ok(page(visitor, company, status, ["/logotipo", "Logotipo"], &body))
}

/// Links to the form of each configured type, where there is a choice.
fn type_links(company: &Company, here: &str, tipo: Tipo) -> Markup {
    let configured: Vec<Tipo> = TIPOS.into_iter().filter(|tipo| is_configured(company, *tipo)).collect();
    html! {
        @if configured.len() > 1 {
            nav class="abas" aria-label="Documento da prévia" {
                ul {
                    @for other in configured {
                        li { a href={ (here) "?tipo=" (other.word()) "#previa" } aria-current=[(other == tipo).then_some("true")] { (other.name()) } }
                    }
                }
            }
        }
    }
}

fn field(refused: Option<&ApiError>) -> Markup {
    let about = ["PNG ou JPEG, até 512 KB. Fundo branco e imagem mais larga que alta saem melhor."];
    let kind = LineKind::File("image/png,image/jpeg");
    LineControl { name: "logo", label: "Imagem", about: &about, value: "", kind, is_required: true }
        .show(refused.map(ApiError::problems).unwrap_or_default())
}

/// The picture in use, with its removal.
fn stored(visitor: &PanelSession, here: &str, has_logo: bool) -> Markup {
    html! {
        @if has_logo {
            p { img class="logo" src={ (here) "/imagem" } alt="O logotipo em uso"; }
            form method="post" action={ (here) "/retirar" } {
                (session_page::proof(visitor))
                button class="nao" { "Retirar o logotipo" }
            }
        } @else { p class="vazio" { "Nenhum logotipo guardado." } }
    }
}
