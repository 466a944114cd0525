//! `GET /painel/recebidos/{empresa}/{chave}`: a received document, section by section.

use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use fiscal::contents::{DocumentContents, RoledParty};
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, masked};
use http::StatusCode;
use maud::{Markup, html};
use store::Visibility;
use store::companies::Company;
use store::jobs::{Job, JobAct, JobStatus};
use store::received::{Papel, Parte, ReceivedDocument, ReceivedWithEvents, Situacao};
use uuid::Uuid;

use super::law::ManifestAct;
use super::{deadline, events, files, law, path, standing, title, unknown, visible_document};
use crate::api::empresas::view;
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::api::permission::RequiredPermission;
use crate::api::recebidos::sincronizar::fetch_by_key;
use crate::app::App;
use crate::painel::filters::address::value;
use crate::painel::form::SubmittedForm;
use crate::painel::navigation::RECEIVED;
use crate::painel::panel_session::PanelSession;
use crate::painel::{document, frame, session_page, words};

/// `GET /painel/recebidos/{empresa}/{chave}?pedido`
pub(crate) async fn show_received(
    State(app): State<App>,
    visitor: PanelSession,
    Path((empresa, chave)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let shown = match visible_document(&app, &visitor, &empresa, &chave).await {
        Ok(Some(found)) => {
            let query = query.as_deref().unwrap_or_default();
            render(&app, &visitor, &found, query, StatusCode::OK, None).await
        }
        Ok(None) => Ok(unknown(&visitor)),
        Err(error) => Err(error),
    };
    shown.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/recebidos/{empresa}/{chave}/buscar`: asks the authority for the whole document.
pub(crate) async fn fetch_received(
    State(app): State<App>,
    Path((empresa, chave)): Path<(String, String)>,
    sent: SubmittedForm,
) -> Response {
    let visitor = &sent.visitor;
    let answer = async {
        let Some(found) = visible_document(&app, visitor, &empresa, &chave).await? else { return Ok(unknown(visitor)) };
        let key = Chave::parse(&found.note.facts.chave).map_err(|_| ApiError::internal())?;
        match fetch_by_key(&app, &visitor.at.caller, found.note.cpf_cnpj, key).await {
            Ok(()) => Ok(Redirect::to(&path(&found.note)).into_response()),
            Err(error) => {
                let status = frame::status_of(&error);
                render(&app, visitor, &found, "", status, Some(error.detail())).await
            }
        }
    };
    answer.await.unwrap_or_else(|error: ApiError| frame::failure(&error))
}

async fn render(
    app: &App,
    visitor: &PanelSession,
    found: &ReceivedWithEvents,
    query: &str,
    status: StatusCode,
    told: Option<&str>,
) -> Result<Response, ApiError> {
    let orders = orders(app, visitor, &found.note, query).await?;
    // an order may have ended after the document was read: its page must not show the one without the other
    let again = match orders.is_empty() {
        true => None,
        false => visible_document(app, visitor, found.note.cpf_cnpj.as_str(), &found.note.facts.chave).await?,
    };
    let found = again.as_ref().unwrap_or(found);
    let document = &found.note;
    let tenant = visitor.at.caller.tenant_id;
    let company = match app.store().company(tenant, document.cpf_cnpj).await {
        Ok(company) => Some(company),
        Err(store::Error::NotFound) => None,
        Err(error) => return Err(error.into()),
    };
    let time = CivilTime::of(company.as_ref());
    let contents = contents(app, visitor, document).await?;
    let moving = orders.iter().any(|job| matches!(job.status, JobStatus::Pending | JobStatus::Processing));
    let result = match orders.first() {
        Some(job) => Some(document::outcome(app, visitor, job.id, &order_path(document, job.id)).await?),
        None => None,
    };
    let live = moving.then_some("3");
    let may_act = visitor.may_in(app, RequiredPermission::Act, document.cpf_cnpj).await?;
    let body = html! {
        p { a href=(RECEIVED.path) { "Recebidos" } }
        @if let Some(told) = told { p class="recusa" role="alert" { (told) } }
        div id="recebido" data-vivo=[live] {
            h1 { (title(document)) " " (standing::mark(document)) }
            p class=(if document.facts.situacao == Situacao::Autorizada { "aviso" } else { "recusa" }) role="status" { (standing::sentence(document)) }
            @if may_act { (whole_file(visitor, document)) }
            (manifestation(app, visitor, document, may_act, time))
        }
        @if let Some(result) = &result { (result) }
        div class="lado" {
            section aria-labelledby="dados-titulo" { h2 id="dados-titulo" { "Dados" } (facts(document, company.as_ref(), time)) }
            section aria-labelledby="valores-titulo" { h2 id="valores-titulo" { "Partes e valores" } (values(document, contents.as_ref())) }
        }
        @if let Some(contents) = &contents { (document::items(contents, &[])) }
        (events::events(found, time))
        (files::files(document))
    };
    Ok(session_page::page(visitor, &RECEIVED, status, &title(document), body))
}

/// The form that asks for the whole NF-e, once a manifestation has released it.
fn whole_file(visitor: &PanelSession, document: &ReceivedDocument) -> Markup {
    let is_released = document.facts.type_facts.tipo() == Tipo::Nfe
        && document.manifestacao.as_ref().is_some_and(|(word, _)| word != "desconhecimento");
    let is_here = document.ambiente == visitor.at.caller.ambiente;
    html! {
        @if !document.facts.completa && is_released && is_here {
            form method="post" action={ (path(document)) "/buscar" } class="botoes" {
                (session_page::proof(visitor))
                button { "Buscar o arquivo inteiro agora" }
                span class="fraca" { "A autoridade permite 20 destas buscas por hora." }
            }
        }
    }
}

/// Contents of the whole document, which may be large.
async fn contents(
    app: &App,
    visitor: &PanelSession,
    document: &ReceivedDocument,
) -> Result<Option<DocumentContents>, ApiError> {
    if !document.facts.completa {
        return Ok(None);
    }
    let (engine, sight) = (app.engine().clone(), Visibility::of(&visitor.at.caller));
    let (tipo, chave, of) = (document.facts.type_facts.tipo(), document.facts.chave.clone(), document.cpf_cnpj);
    let case = async move { engine.received_contents(sight, tipo, chave, of).await };
    Ok(app.dispatch_use_case(visitor.at.caller.tenant_id, true, case).await??)
}

/// Address of the page that follows an order about the document.
pub(super) fn order_path(document: &ReceivedDocument, job: Uuid) -> String {
    format!("{}?pedido={job}", path(document))
}

/// Orders about the document, the newest first: the one that the address names, and those in the ledger of events.
async fn orders(
    app: &App,
    visitor: &PanelSession,
    document: &ReceivedDocument,
    query: &str,
) -> Result<Vec<Job>, ApiError> {
    let (sight, chave) = (Visibility::of(&visitor.at.caller), document.facts.chave.as_str());
    let named: Option<Uuid> = value(query, "pedido").and_then(|id| id.parse().ok());
    let mut ids: Vec<Uuid> = named.into_iter().collect();
    let ledger = app.store().events(visitor.at.caller.tenant_id, chave).await?;
    ids.extend(ledger.into_iter().filter_map(|row| row.job_id));
    ids.sort_unstable();
    ids.dedup();
    let mut orders = Vec::new();
    for id in ids.into_iter().rev().take(MOST_ORDERS) {
        let job = match app.store().job(sight, id).await {
            Ok(job) => job,
            Err(store::Error::NotFound) => continue,
            Err(error) => return Err(error.into()),
        };
        let about = job.act.as_ref().and_then(JobAct::event).map(|event| event.chave);
        if about.is_some_and(|about| about.as_str() == chave) && job.cpf_cnpj == document.cpf_cnpj {
            orders.push(job);
        }
    }
    Ok(orders)
}

/// Orders about a document that are read.
const MOST_ORDERS: usize = 10;

/// The registered manifestation, the time that is left, and the manifestations on offer.
fn manifestation(
    app: &App,
    visitor: &PanelSession,
    document: &ReceivedDocument,
    may_act: bool,
    time: CivilTime,
) -> Markup {
    let (tipo, now) = (document.facts.type_facts.tipo(), app.engine().now_s());
    let offered: Vec<&ManifestAct> = ManifestAct::of(tipo).filter(|act| act.is_offered(document)).collect();
    let is_closed = tipo == Tipo::Nfse && !app.manifests_services();
    html! {
        section aria-labelledby="manifestacao-titulo" {
            h2 id="manifestacao-titulo" { "Manifestação da empresa" }
            @if let Some((word, at)) = &document.manifestacao {
                p { span class={ "estado " (standing::class(word)) } { (law::name_of(word)) } " registrada em " (words::moment(&time.at(*at))) "." }
            }
            @if deadline::is_open(document) {
                p {
                    "Prazo para dizer se a operação aconteceu: "
                    (deadline::shown(deadline::left(document, engine::received::CONCLUSION, now)))
                    ", até " (words::moment(&time.at(deadline::end(document, engine::received::CONCLUSION)))) "."
                }
            }
            @if tipo == Tipo::Cte {
                p {
                    "O CT-e não tem manifestação. Quem paga o frete e não o reconhece registra o "
                    a href="/docs/guia/eventos-do-cte" { "desacordo do serviço" } " em até 45 dias da autorização."
                }
            } @else if is_closed {
                p class="fraca" { "A manifestação de NFS-e está desligada nesta instalação. Quem a opera a liga com a chave manifestacao.nfse." }
            } @else if document.ambiente != visitor.at.caller.ambiente {
                p class="aviso" { "Este documento é de " (frame::name(document.ambiente)) ". Vá para lá no alto desta página para se manifestar." }
            } @else if !may_act {
                p class="fraca" { "Seu papel lê este documento. Para se manifestar, peça a quem tem o papel de emissor." }
            } @else if offered.is_empty() {
                p class="fraca" { "Não há nada a dizer desta nota agora." }
            } @else {
                ul class="emissoes" { @for act in offered { li class="cartao" { (card(act, document, now)) } } }
            }
        }
    }
}

fn card(act: &ManifestAct, document: &ReceivedDocument, now: i64) -> Markup {
    html! {
        p class="linha" {
            strong { (act.name) }
            a class="botao" href={ (path(document)) "/manifestar/" (act.word) } aria-label={ "Abrir: " (act.name) } { (act.name) "…" }
        }
        p { (act.meaning) }
        (term(act, document, now))
    }
}

/// Time and finality of a manifestation.
pub(super) fn term(act: &ManifestAct, document: &ReceivedDocument, now: i64) -> Markup {
    html! {
        p class="fraca" {
            @if let (Some(days), Some(left)) = (act.days, act.left(document, now)) {
                "Prazo: " (days) " dias depois da autorização; " (deadline::shown(left)) ". "
                @if left <= 0 { "A autoridade deve recusar (596). " }
            }
            @if let Some(lasting) = act.lasting { (lasting) }
        }
    }
}

fn facts(document: &ReceivedDocument, company: Option<&Company>, time: CivilTime) -> Markup {
    let facts = &document.facts;
    let name = company.and_then(|company| view::name(&company.dados));
    let roles = roles(document);
    html! {
        dl class="ficha" {
            dt { "Chave de acesso" } dd { code class="chave" { (document::by_fours(&facts.chave)) } }
            dt { "Recebido por" }
            dd {
                @if let Some(name) = &name { (name) br; }
                span class="fraca" { (masked(document.cpf_cnpj.as_str())) @if !roles.is_empty() { " · " (roles) } }
            }
            dt { "Ambiente" } dd { strong class={ "ambiente " (document.ambiente.word()) } { (frame::name(document.ambiente)) } }
            dt { "Emitido em" } dd { (words::official_instant(&facts.dhEmi)) }
            @if let Some(at) = &facts.dhRecbto { dt { "Autorizado em" } dd { (words::official_instant(at)) } }
            @if let Some(protocol) = &facts.nProt { dt { "Protocolo da autoridade" } dd { code { (protocol) } } }
            dt { "Chegou aqui em" } dd { (words::moment(&time.at(document.recebido_em))) }
            @if document.atualizado_em != document.recebido_em {
                dt { "Última mudança" } dd { (words::moment(&time.at(document.atualizado_em))) }
            }
        }
    }
}

/// Parts of the company in a transport or a service.
fn roles(document: &ReceivedDocument) -> String {
    let transport = Papel::of(&document.cpf_cnpj, &document.facts).into_iter().map(Papel::word);
    let services = Parte::of(&document.cpf_cnpj, &document.facts).into_iter().map(Parte::word);
    transport
        .chain(services)
        .collect::<Vec<_>>()
        .join(", ")
        .replace("intermediario", "intermediário")
        .replace("destinatario", "destinatário")
}

fn values(document: &ReceivedDocument, contents: Option<&DocumentContents>) -> Markup {
    let facts = &document.facts;
    let issuer = RoledParty {
        role: "Emitente",
        documento: Some(facts.emitente.clone()),
        nome: Some(facts.nome.clone()),
        place: facts.ie.as_ref().map(|ie| format!("IE {ie}")),
    };
    let parties = contents.map(|contents| contents.parties.as_slice()).unwrap_or_default();
    let is_named = parties.iter().any(|party| party.documento == issuer.documento);
    html! {
        dl class="ficha" {
            @if let Some(total) = &facts.valor { dt { "Valor total" } dd class="valor" { "R$ " (words::decimal(total)) } }
            @if !is_named { (document::party(&issuer)) }
            @for one in parties { (document::party(one)) }
            @if let Some(contents) = contents {
                @if !contents.description.is_empty() { dt { "Natureza ou serviço" } dd { (contents.description) } }
                @for (label, value) in &contents.values { dt { (label) } dd { "R$ " (words::decimal(value)) } }
            } @else {
                dt { "Itens e impostos" } dd { "chegam com o arquivo inteiro" }
            }
        }
    }
}
