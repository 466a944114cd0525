//! The pages of a session: user, environment, and the proof that their forms send.

use axum::response::Response;
use fiscal::value::TpAmb;
use http::StatusCode;
use maud::{Markup, html};

use super::form::PROOF;
use super::frame;
use super::navigation::{DOCUMENTS, PanelSection, navigation};
use super::panel_session::PanelSession;

/// A page of a session, in a section of the navigation.
pub(super) fn page(
    visitor: &PanelSession,
    section: &PanelSection,
    status: StatusCode,
    title: &str,
    body: Markup,
) -> Response {
    let ambiente = visitor.at.caller.ambiente;
    let top = html! {
        div class={ "faixa " (ambiente.word()) } {
            p { strong { (frame::name(ambiente)) } " · " (frame::meaning(ambiente)) }
            form method="post" action="/painel/ambiente" {
                (proof(visitor))
                input type="hidden" name="ambiente" value=(other(ambiente).word());
                button { "Ir para " (frame::name(other(ambiente))) }
            }
        }
        header {
            (frame::brand())
            form class="procura" role="search" method="get" action=(DOCUMENTS.path) {
                input type="search" name="busca" maxlength="200" aria-label="Procurar documentos"
                    placeholder="Chave, número, CNPJ, referência ou nome";
                button { "Procurar" }
            }
            p class="quem" { (visitor.user.nome) br; span { (visitor.user.tenant_nome) } }
            form method="post" action="/painel/sair" { (proof(visitor)) button { "Sair" } }
        }
    };
    let body = html! { div class="corpo" { (navigation(visitor, section)) (frame::content(body)) } };
    frame::answer(status, ambiente.word(), title, top, body)
}

/// Hidden field with the proof of a form of this session.
pub(super) fn proof(visitor: &PanelSession) -> Markup {
    html! { input type="hidden" name=(PROOF) value=(visitor.proof); }
}

fn other(ambiente: TpAmb) -> TpAmb {
    match ambiente {
        TpAmb::Producao => TpAmb::Homologacao,
        TpAmb::Homologacao => TpAmb::Producao,
    }
}
