//! `GET|POST /painel/empresas/{cpf_cnpj}/certificado`: the certificate in use, and the upload of another one.
//!
//! An upload keeps nothing in use: its contents are shown first (`certificate_offer`). Neither the file nor the
//! password is ever on a page.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use engine::company::{CertificateError, CertificateInspection};
use fiscal::value::{CnpjCpf, masked};
use http::StatusCode;
use maud::{Markup, html};
use store::companies::{CertificateRecord, Company};
use zeroize::Zeroizing;

use super::company_list::certificate;
use super::line_control::{LineControl, LineKind};
use super::{certificate_path, page, requested, unknown};
use crate::api::empresas::certificado::refusal;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::panel_session::PanelSession;
use crate::painel::uploaded_form::UploadedForm;
use crate::painel::{frame, session_page, words};

/// `GET /painel/empresas/{cpf_cnpj}/certificado`
pub(crate) async fn show_certificate(
    State(app): State<App>,
    visitor: PanelSession,
    Path(number): Path<String>,
) -> Response {
    match requested(&app, &visitor, &number).await {
        Ok(Some(company)) => form_page(&app, &visitor, &company, None, None),
        Ok(None) => unknown(&visitor),
        Err(error) => frame::failure(&error),
    }
}

/// `POST /painel/empresas/{cpf_cnpj}/certificado`
pub(crate) async fn submit_certificate(
    State(app): State<App>,
    Path(number): Path<String>,
    sent: UploadedForm,
) -> Response {
    inspect(&app, &number, sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn inspect(app: &App, number: &str, sent: UploadedForm) -> Result<Response, ApiError> {
    let (visitor, parts) = sent.into_parts(["certificado", "senha"]);
    let Some(company) = requested(app, &visitor, number).await? else { return Ok(unknown(&visitor)) };
    let read = parts.map_err(at_file).and_then(complete);
    let (pfx, senha) = match read {
        Ok(read) => read,
        Err(error) => return Ok(form_page(app, &visitor, &company, Some(&error), None)),
    };
    let (tenant, user) = (visitor.at.caller.tenant_id, visitor.at.user_id);
    match app.engine().offer_certificate(tenant, company.cpf_cnpj, user, pfx, senha).await {
        Ok(CertificateInspection { offer: Ok(id), .. }) => {
            Ok(Redirect::to(&format!("{}/{id}", certificate_path(company.cpf_cnpj))).into_response())
        }
        Ok(CertificateInspection { offer: Err(refused), record, cpf_cnpj }) => {
            let holder = cpf_cnpj.as_deref().and_then(|number| CnpjCpf::parse(number).ok());
            let facts = facts(&record, holder, CivilTime::of(Some(&company)));
            Ok(form_page(app, &visitor, &company, Some(&refused_words(refused)), Some(&facts)))
        }
        Err(error @ (CertificateError::Store(_) | CertificateError::UnknownCompany)) => Err(refusal(error)),
        Err(error) => Ok(form_page(app, &visitor, &company, Some(&refusal(error)), None)),
    }
}

/// The refusal of a form that did not come whole, at its file.
fn at_file(error: ApiError) -> ApiError {
    let text = error.detail().to_owned();
    ApiError::new(error.code(), text).at("certificado")
}

/// File and password of the form.
fn complete(
    [pfx, senha]: [Option<Zeroizing<Vec<u8>>>; 2],
) -> Result<(Zeroizing<Vec<u8>>, Zeroizing<String>), ApiError> {
    let Some(pfx) = pfx else {
        let text = "Escolha o arquivo do certificado (.pfx ou .p12).";
        return Err(ApiError::from_problems(vec![FieldProblem::new(
            &error_code::CAMPO_OBRIGATORIO,
            "certificado",
            text,
        )]));
    };
    let senha = senha.unwrap_or_default();
    Ok((pfx, Zeroizing::new(String::from_utf8_lossy(&senha).into_owned())))
}

/// Refusal of a certificate that was opened, in words for the page.
fn refused_words(refused: CertificateError) -> ApiError {
    let text = match &refused {
        CertificateError::OtherCompany { .. } => {
            "Este certificado não é desta empresa, nem de outra com a mesma raiz de CNPJ (os 8 primeiros). Veja abaixo de quem ele é. Nada foi guardado."
        }
        CertificateError::Expired => "Este certificado já venceu. Envie o renovado. Nada foi guardado.",
        _ => return refusal(refused),
    };
    ApiError::new(refusal(refused).code(), text).at("certificado")
}

/// Holder, issuer and validity.
pub(super) fn facts(record: &CertificateRecord, holder: Option<CnpjCpf>, time: CivilTime) -> Markup {
    let in_name = record.titular.rsplit(':').next().and_then(|number| CnpjCpf::parse(number).ok());
    html! {
        dl class="ficha" {
            dt { "Titular" } dd { (record.titular) }
            @if let Some(number) = holder.or(in_name) { dt { "CNPJ ou CPF" } dd { (masked(number.as_str())) } }
            dt { "Emitido por" } dd { (record.emissor) }
            dt { "Número de série" } dd { code { (record.numero_serie) } }
            dt { "Vale de" } dd { (words::civil_instant(record.valido_de, time)) }
            dt { "Vale até" } dd { (words::civil_instant(record.valido_ate, time)) }
        }
    }
}

fn form_page(
    app: &App,
    visitor: &PanelSession,
    company: &Company,
    refused: Option<&ApiError>,
    opened: Option<&Markup>,
) -> Response {
    let (here, problems) = (certificate_path(company.cpf_cnpj), refused.map(ApiError::problems).unwrap_or_default());
    let status = refused.map_or(StatusCode::OK, frame::form_status);
    let body = html! {
        h2 { "Certificado digital" }
        @if let Some(error) = refused {
            div class="recusa" role="alert" {
                p { strong { "Nada foi guardado." } }
                @if error.problems().is_empty() { p { (error.detail()) } }
                @else { p { "Veja ao lado do campo o que houve. O arquivo e a senha precisam ser enviados de novo." } }
            }
        }
        @if let Some(opened) = opened { section aria-labelledby="enviado" { h3 id="enviado" { "O certificado que você enviou" } (opened) } }
        section aria-labelledby="em-uso" {
            h3 id="em-uso" { "Em uso" }
            @match &company.certificado {
                Some(record) => { p { (certificate(company, app.now())) } (facts(record, None, CivilTime::of(Some(company)))) }
                None => { p class="vazio" { "Nenhum. Sem certificado a empresa não assina nem envia documentos." } }
            }
        }
        section aria-labelledby="enviar" {
            h3 id="enviar" { "Enviar um certificado" }
            p { "É o e-CNPJ (ou e-CPF) do tipo A1: um arquivo .pfx ou .p12 com senha, vendido por uma autoridade certificadora da ICP-Brasil, válido por um ano. O do tipo A3, em cartão ou token, não serve." }
            p { "Primeiro você vê de quem ele é e até quando vale; só depois decide guardar. O arquivo e a senha ficam cifrados e nunca são mostrados." }
            form method="post" action=(here) enctype="multipart/form-data" {
                (session_page::proof(visitor))
                div class="campos-lado" { (upload_fields(problems)) }
                p class="botoes" { button class="botao principal" { "Ver o certificado" } }
            }
        }
    };
    page(visitor, company, status, ["/certificado", "Certificado"], &body)
}

fn upload_fields(problems: &[FieldProblem]) -> Markup {
    let about = ["O arquivo .pfx ou .p12, até 256 KB."];
    let file = LineControl {
        name: "certificado",
        label: "Arquivo do certificado",
        about: &about,
        value: "",
        kind: LineKind::File(".pfx,.p12,application/x-pkcs12"),
        is_required: true,
    };
    let about = ["A que foi escolhida quando o certificado foi emitido ou exportado."];
    let secret = LineControl {
        name: "senha",
        label: "Senha do certificado",
        about: &about,
        value: "",
        kind: LineKind::Secret,
        is_required: false,
    };
    html! { (file.show(problems)) (secret.show(problems)) }
}
