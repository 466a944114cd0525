//! `GET /painel/documentos/{id}`: the page, section by section.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use fiscal::contents::RoledParty;
use fiscal::value::{Chave, masked};
use http::StatusCode;
use maud::{Markup, html};
use store::jobs::{Job, JobAct, JobAuthor, JobStatus, Operacao};

use super::records::{self, DocumentRecords};
use super::standing::DocumentStanding;
use super::{acts, deliveries, events, files, items, path, rejection, timeline, unknown, visible_job};
use crate::api::empresas::view;
use crate::api::error::ApiError;
use crate::app::App;
use crate::painel::navigation::DOCUMENTS;
use crate::painel::panel_session::PanelSession;
use crate::painel::{frame, mail, session_page, words};

/// `GET /painel/documentos/{id}`
pub(crate) async fn show_document(State(app): State<App>, visitor: PanelSession, Path(id): Path<String>) -> Response {
    render_document(&app, &visitor, &id).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn render_document(app: &App, visitor: &PanelSession, id: &str) -> Result<Response, ApiError> {
    // acts before their document: one that ends in between has changed it already, one that goes on renews the page
    let acts = records::acts(app, visitor, id).await?;
    let Some(job) = visible_job(app, visitor, id).await? else { return Ok(unknown(visitor)) };
    if let Some(target) = job.alvo {
        // an act is part of its document's page
        return Ok(Redirect::to(&format!("{}#pedidos", path(target))).into_response());
    }
    let records = DocumentRecords::read(app, visitor, job, acts).await?;
    let standing = DocumentStanding::of(&records.job, records.time);
    let acting = records.acts.iter().any(|act| matches!(act.status, JobStatus::Pending | JobStatus::Processing));
    let live = (standing.is_moving || acting).then_some("3");
    let here = path(records.job.id);
    let mails = mail::document_mails(app, visitor, &records.job).await?;
    let body = html! {
        p { a href=(DOCUMENTS.path) { "Documentos" } }
        div id="documento" data-vivo=[live] {
            h1 { (title(&records.job)) " " (standing.mark()) }
            p class=(if standing.is_bad { "recusa" } else { "aviso" }) role="status" { (standing.sentence) }
            @if live.is_some() { p { a href=(here) { "atualizar" } " · esta parte se renova sozinha enquanto algo está em andamento" } }
            (rejection::explanation(&records))
            (acts::offered(&records, app.engine().now_s()))
            div class="lado" {
                section aria-labelledby="dados-titulo" { h2 id="dados-titulo" { "Dados" } (facts(&records)) }
                section aria-labelledby="valores-titulo" { h2 id="valores-titulo" { "Partes e valores" } (values(&records)) }
            }
            (events::events(&records))
        }
        @if let Some(contents) = &records.contents { (items::items(contents, &records.guilty)) }
        (files::files(&records, live))
        (timeline::timeline(&records, live))
        (deliveries::deliveries(visitor, &records))
        (mails)
    };
    Ok(session_page::page(visitor, &DOCUMENTS, StatusCode::OK, &title(&records.job), body))
}

/// `NF-e nº 12, série 1`.
pub(super) fn title(job: &Job) -> String {
    let name = document_name(job);
    match (&job.document, job.act.as_ref().and_then(JobAct::void)) {
        (Some(document), _) => match document.numero_nota {
            Some(numero) => format!("{name} nº {numero}"),
            None => format!("{name} nº {}, série {}", document.numero, document.serie),
        },
        (None, Some(range)) => format!("Inutilização de {name}: números {} a {}", range.nNFIni, range.nNFFin),
        (None, None) if job.operacao == Operacao::Emissao => format!("{name} ainda sem número"),
        (None, None) if job.operacao == Operacao::Manifestacao => format!("Manifestação de {name} recebida"),
        (None, None) => words::operation_label(job.operacao, job.tipo),
    }
}

fn document_name(job: &Job) -> &'static str {
    use store::numbers::NumberedKind;
    match job.document.as_ref().map(|document| document.counted) {
        Some(NumberedKind::CteOs) => "CT-e OS",
        Some(NumberedKind::Rps) => "NFS-e municipal",
        _ => job.tipo.name(),
    }
}

/// Number, key and protocol of a job's document.
pub(super) fn identity(job: &Job) -> Markup {
    html! {
        @if let Some(document) = &job.document {
            dt { "Número" }
            dd {
                @match document.numero_nota {
                    Some(numero) => { (numero) " (declaração " (document.numero) ", série " (document.serie.to_string()) ")" }
                    None => { (document.numero) ", série " (document.serie.to_string()) }
                }
            }
            @if let Some(chave) = document.chave.and_then(Chave::public) {
                dt { "Chave de acesso" } dd { code class="chave" { (by_fours(chave.as_str())) } }
            }
            @if let Some(codigo) = &document.codigo_verificacao { dt { "Código de verificação" } dd { code { (codigo) } } }
            @if let Some(protocol) = &document.nProt { dt { "Protocolo da autoridade" } dd { code { (protocol) } } }
        }
    }
}

/// Environment, instants, reference, author, contingency.
fn facts(records: &DocumentRecords) -> Markup {
    let job = &records.job;
    html! {
        dl class="ficha" {
            (identity(job))
            @if let Some(document) = records.document() {
                @if let Some(at) = document.dhRecbto.as_ref().filter(|_| document.nProt.is_some() || document.numero_nota.is_some()) {
                    dt { "Autorizada em" } dd { (words::official_instant(at)) }
                }
                @if !document.dhEmi.is_empty() { dt { "Emitida em" } dd { (words::official_instant(&document.dhEmi)) } }
            }
            dt { "Ambiente" } dd { strong class={ "ambiente " (job.ambiente.word()) } { (frame::name(job.ambiente)) } }
            dt { "Referência" } dd { @match &job.referencia { Some(referencia) => { code { (referencia) } } None => { "sem referência" } } }
            dt { "Pedida" }
            dd { "em " (words::moment(&records.time.at(job.criado_em))) " " (author(records.author.as_ref())) }
            @if let Some(contingency) = records.document().and_then(|document| document.contingencia.as_ref()) {
                dt { "Contingência" }
                dd {
                    (contingency_name(&contingency.tipo)) " desde " (words::official_instant(&contingency.desde)) ": " q { (contingency.justificativa) }
                    @if let Some(until) = contingency.prazo_transmissao {
                        " A autoridade deve recebê-la até " (words::moment(&records.time.at(until))) "."
                    }
                    @if let Some(protocol) = &contingency.protocolo { " Protocolo do EPEC: " code { (protocol) } }
                }
            }
            @if let Some(twin) = job.act.as_ref().and_then(JobAct::replaces) {
                dt { "No lugar de" } dd { a href=(path(twin)) { "a primeira nota desta venda, que ficou sem resposta" } }
            }
            @if let Some(twin) = job.act.as_ref().and_then(JobAct::replaced_by) {
                dt { "Substituída por" } dd { a href=(path(twin)) { "a nota que levou esta venda" } }
            }
            @if records.former > 0 {
                dt { "Envios anteriores" }
                dd { (records.former) " com esta chave, guardados para o caso de a autoridade os ter recebido" }
            }
            dt { "Identificador" } dd { code { (job.id) } }
        }
    }
}

fn author(author: Option<&JobAuthor>) -> Markup {
    html! {
        @match author {
            Some(JobAuthor::User(email)) => { "por " (email) ", no painel ou com a sessão dele" }
            Some(JobAuthor::ApiKey(name)) => { "pela chave de API “" (name) "”" }
            Some(JobAuthor::Removed) => { "por um usuário que foi removido" }
            None => {}
        }
    }
}

fn contingency_name(word: &str) -> &str {
    match word {
        "svc" => "Pela autoridade reserva do estado (SVC)",
        "epec" => "Anunciada por EPEC",
        "fs_da" => "Em formulário de segurança (FS-DA)",
        "offline" => "Off-line",
        other => other,
    }
}

fn values(records: &DocumentRecords) -> Markup {
    let total = records.document().map(|document| document.valor.as_str()).filter(|valor| !valor.is_empty());
    let issuer = RoledParty {
        role: "Emitente",
        documento: Some(records.job.cpf_cnpj.as_str().to_owned()),
        nome: records.company.as_ref().and_then(|company| view::name(&company.dados)),
        place: None,
    };
    let parties = records.contents.as_ref().map(|contents| contents.parties.as_slice()).unwrap_or_default();
    let is_named = parties.iter().any(|party| party.documento == issuer.documento);
    html! {
        dl class="ficha" {
            @if let Some(total) = total { dt { "Valor total" } dd class="valor" { "R$ " (words::decimal(total)) } }
            @if !is_named { (party(&issuer)) }
            @for one in parties { (party(one)) }
            @if let Some(contents) = &records.contents {
                @if !contents.description.is_empty() { dt { "Natureza ou serviço" } dd { (contents.description) } }
                @for (label, value) in &contents.values { dt { (label) } dd { "R$ " (words::decimal(value)) } }
            }
        }
    }
}

/// A party as a line of a `ficha`.
pub(in crate::painel) fn party(party: &RoledParty) -> Markup {
    html! {
        dt { (party.role) }
        dd {
            (party.nome.as_deref().unwrap_or("sem nome"))
            @if let Some(number) = &party.documento { br; span class="fraca" { (masked(number)) } }
            @if let Some(place) = &party.place { span class="fraca" { " · " (place) } }
        }
    }
}

/// A key in groups of four positions.
pub(in crate::painel) fn by_fours(chave: &str) -> String {
    let letters: Vec<char> = chave.chars().collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}
