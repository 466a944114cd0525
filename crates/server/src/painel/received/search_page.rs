//! `GET|POST /painel/recebidos/buscas`: the search for received documents at the authorities, per company and type: at
//! once, and in the background.

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use engine::received::{DISTRIBUTED, SyncError};
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb, masked};
use http::StatusCode;
use maud::{Markup, html};
use store::Visibility;
use store::companies::Company;
use store::received::Cursor;

use super::SEARCHES;
use crate::api::empresas::distribuicao::refused;
use crate::api::empresas::{self, view};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::instant::CivilTime;
use crate::api::permission::{self, RequiredPermission};
use crate::api::recebidos::sincronizar::fetch_new;
use crate::app::App;
use crate::painel::company_choices::{CompanyChoices, CompanyField};
use crate::painel::filters::address::value;
use crate::painel::form::SubmittedForm;
use crate::painel::navigation::RECEIVED;
use crate::painel::panel_session::PanelSession;
use crate::painel::{frame, session_page, words};

/// `GET /painel/recebidos/buscas?empresa`
pub(crate) async fn show_searches(
    State(app): State<App>,
    visitor: PanelSession,
    RawQuery(query): RawQuery,
) -> Response {
    let query = query.unwrap_or_default();
    let told = found_sentence(&query);
    let told = told.as_deref().map(SearchMessage::Done);
    let empresa = value(&query, "empresa").unwrap_or_default();
    let shown = page(&app, &visitor, StatusCode::OK, &empresa, told).await;
    shown.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/recebidos/buscas`
pub(crate) async fn submit_search(State(app): State<App>, sent: SubmittedForm) -> Response {
    let empresa = sent.fields.text("empresa");
    match act(&app, &sent).await {
        Ok(address) => Redirect::to(&address).into_response(),
        Err(error) => {
            let status = frame::status_of(&error);
            let told = Some(SearchMessage::Refused(error.detail()));
            page(&app, &sent.visitor, status, empresa, told).await.unwrap_or_else(|error| frame::failure(&error))
        }
    }
}

/// Result of the last form.
#[derive(Clone, Copy)]
enum SearchMessage<'a> {
    Done(&'a str),
    Refused(&'a str),
}

/// Searches at once, or switches the search in the background; returns the address that shows it.
async fn act(app: &App, sent: &SubmittedForm) -> Result<String, ApiError> {
    let (caller, fields) = (&sent.visitor.at.caller, &sent.fields);
    let company = CnpjCpf::parse(fields.text("empresa")).map_err(|_| empresas::unknown())?;
    let tipo = DISTRIBUTED.into_iter().find(|tipo| tipo.word() == fields.text("tipo"));
    let tipo = tipo.ok_or_else(|| ApiError::new(&error_code::VALIDACAO, "Escolha NF-e, CT-e ou NFS-e."))?;
    let here = format!("{SEARCHES}?empresa={}", company.as_str());
    let ativa = match fields.text("acao") {
        "buscar" => {
            let found = fetch_new(app, caller, company, tipo).await?;
            return Ok(format!("{here}&tipo={}&novos={found}", tipo.word()));
        }
        "ligar" => true,
        "desligar" => false,
        _ => return Err(ApiError::new(&error_code::VALIDACAO, "Use um dos botões da página.")),
    };
    // the background search is a setting of the company
    let caller = &permission::narrow(caller, RequiredPermission::Configure)?;
    let switched = app.engine().switch_distribution(caller, company, tipo, ativa, &sent.visitor.actor).await;
    if let Err(error) = switched {
        let time = CivilTime::of_issuer(app.store(), caller.tenant_id, Some(company)).await?;
        return Err(refused(tipo, error, app.engine().now_s(), time));
    }
    Ok(here)
}

/// Result of a search, from the address it leads to.
fn found_sentence(query: &str) -> Option<String> {
    let tipo = DISTRIBUTED.into_iter().find(|tipo| value(query, "tipo").as_deref() == Some(tipo.word()))?;
    let found: u32 = value(query, "novos")?.parse().ok()?;
    Some(match found {
        0 => format!("A busca de {} terminou: nenhum documento novo.", tipo.name()),
        1 => format!("A busca de {} terminou: chegou 1 documento novo.", tipo.name()),
        _ => format!("A busca de {} terminou: chegaram {found} documentos novos.", tipo.name()),
    })
}

async fn page(
    app: &App,
    visitor: &PanelSession,
    status: StatusCode,
    empresa: &str,
    told: Option<SearchMessage<'_>>,
) -> Result<Response, ApiError> {
    let sight = Visibility::of(&visitor.at.caller);
    let choices = CompanyChoices::read(app, sight).await?;
    let chosen = match CnpjCpf::parse(empresa) {
        Ok(number) => match visible_company(app, sight, number).await {
            Ok(company) => Some(company),
            Err(store::Error::NotFound) => None,
            Err(error) => return Err(error.into()),
        },
        Err(_) => None,
    };
    let is_wrong = !empresa.is_empty() && chosen.is_none();
    let shown: Vec<&Company> = match &chosen {
        Some(company) => vec![company],
        None => choices.companies.iter().take(MOST_SHOWN).collect(),
    };
    let mut cards = Vec::new();
    for company in &shown {
        cards.push(card(app, visitor, company).await?);
    }
    let body = html! {
        p { a href=(RECEIVED.path) { "Recebidos" } }
        h1 { "Busca nas autoridades" }
        p {
            "As autoridades guardam o que outros emitem para a empresa, e o Carimbo pergunta por elas com o certificado dela. Com a busca automática \
             ligada, ele pergunta sozinho, de hora em hora, que é o intervalo que elas permitem."
        }
        @match told {
            Some(SearchMessage::Done(text)) => p class="aviso" role="status" { (text) " " a href=(RECEIVED.path) { "Ver os recebidos" } },
            Some(SearchMessage::Refused(text)) => p class="recusa" role="alert" { (text) },
            None => {}
        }
        @if choices.companies.len() > 1 || is_wrong { (company_form(&choices, empresa, is_wrong)) }
        @if choices.companies.is_empty() { p class="vazio" { "Esta conta ainda não tem empresa. Cadastre uma para buscar os documentos dela." } }
        @for card in &cards { (card) }
        @if chosen.is_none() && choices.companies.len() > MOST_SHOWN {
            p class="fraca" { "Só as " (MOST_SHOWN) " empresas mais novas estão aqui. Escolha outra acima." }
        }
    };
    Ok(session_page::page(visitor, &RECEIVED, status, "Busca nas autoridades", body))
}

async fn visible_company(app: &App, sight: Visibility, number: CnpjCpf) -> Result<Company, store::Error> {
    app.store().require_reach(sight, number).await?;
    app.store().company(sight.tenant(), number).await
}

/// Companies on the page when none is chosen.
const MOST_SHOWN: usize = 10;

fn company_form(choices: &CompanyChoices, empresa: &str, is_wrong: bool) -> Markup {
    let control = choices.control(&CompanyField {
        name: "empresa",
        chosen: empresa,
        none: Some("Todas"),
        is_wrong,
        told: is_wrong.then_some("falha-empresa"),
    });
    html! {
        form method="get" action=(SEARCHES) class="filtros" {
            label {
                "Empresa" (control)
                @if is_wrong { span class="falha" id="falha-empresa" { "Esta conta não tem essa empresa." } }
            }
            p class="botoes" { button { "Mostrar" } }
        }
    }
}

/// A company with its search per type.
async fn card(app: &App, visitor: &PanelSession, company: &Company) -> Result<Markup, ApiError> {
    let (time, now) = (CivilTime::of(Some(company)), app.engine().now_s());
    let mut rows = Vec::new();
    for tipo in DISTRIBUTED {
        let found = app.engine().distribution(&visitor.at.caller, company.cpf_cnpj, tipo).await;
        rows.push(match found {
            Ok((ambiente, cursor)) => SearchRow { visitor, company, tipo, ambiente, cursor: &cursor }.row(time, now),
            Err(SyncError::Store(error)) => return Err(error.into()),
            Err(_) => unconfigured(tipo),
        });
    }
    let name = view::name(&company.dados).unwrap_or_default();
    Ok(html! {
        section class="cartao" {
            h2 { (name) " " span class="fraca" { (masked(company.cpf_cnpj.as_str())) } }
            @for row in &rows { (row) }
        }
    })
}

fn unconfigured(tipo: Tipo) -> Markup {
    html! {
        div class="linha" {
            p { strong { (tipo.name()) } " " span class="estado" { "sem configuração" } }
            p class="fraca" { "Configure a empresa para este documento, ou para NF-e: a configuração diz o ambiente." }
        }
    }
}

struct SearchRow<'a> {
    visitor: &'a PanelSession,
    company: &'a Company,
    tipo: Tipo,
    ambiente: TpAmb,
    cursor: &'a Cursor,
}

impl SearchRow<'_> {
    fn row(&self, time: CivilTime, now: i64) -> Markup {
        let SearchRow { tipo, cursor, ambiente, .. } = *self;
        let next = cursor.next_at.max(cursor.blocked_until);
        let (state, word) =
            if cursor.ativa { ("autorizada", "automática ligada") } else { ("pendente", "automática desligada") };
        html! {
            div class="linha" {
                p {
                    strong { (tipo.name()) } " " span class={ "estado " (state) } { (word) }
                    @if ambiente != self.visitor.at.caller.ambiente { " " span class="fraca" { "em " (frame::name(ambiente)) } }
                    br;
                    span class="fraca" {
                        @match cursor.asked_at {
                            Some(at) => {
                                "Última busca em " (words::moment(&time.at(at))) ". "
                                @if let Some((codigo, xMotivo)) = &cursor.said {
                                    "Resposta: " @if let Some(codigo) = codigo { (codigo) " " } (xMotivo.trim_end_matches('.')) ". "
                                }
                            }
                            None => "Nunca buscou. ",
                        }
                        @if next > now { "Nova busca a partir de " (words::moment(&time.at(next))) "." }
                    }
                }
                div class="botoes" {
                    @if self.visitor.may(RequiredPermission::Act) { (self.button("buscar", "Buscar agora")) }
                    @if self.visitor.may(RequiredPermission::Configure) {
                        @if cursor.ativa { (self.button("desligar", "Desligar a automática")) }
                        @else { (self.button("ligar", "Ligar a automática")) }
                    }
                }
            }
        }
    }

    fn button(&self, acao: &str, label: &str) -> Markup {
        let name = view::name(&self.company.dados).unwrap_or_default();
        html! {
            form method="post" action=(SEARCHES) {
                (session_page::proof(self.visitor))
                input type="hidden" name="empresa" value=(self.company.cpf_cnpj.as_str());
                input type="hidden" name="tipo" value=(self.tipo.word());
                button name="acao" value=(acao) aria-label={ (label) ": " (self.tipo.name()) " de " (name) } { (label) }
            }
        }
    }
}
