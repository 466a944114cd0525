//! Form of a new key, and the page that shows a secret once.

use axum::response::Response;
use http::StatusCode;
use maud::{Markup, html};
use store::accounts::Permissao;

use super::super::navigation::KEYS;
use super::super::panel_session::PanelSession;
use super::super::session_page;
use crate::api::auth::api_keys::{CreatedKey, LONGEST_NAME};

/// A key to create, as it was typed.
#[derive(Default)]
pub(super) struct KeyDraft {
    pub(super) nome: String,
    pub(super) permissao: String,
}

/// Permissions that a key may have, the least one first, in words.
pub(super) const PERMISSIONS: [(Permissao, &str, &str); 3] = [
    (Permissao::Leitura, "Só consultar", "lê documentos, arquivos e cadastros; não muda nada"),
    (
        Permissao::Assistida,
        "Preparar",
        "prepara notas e atos, que só valem depois que uma pessoa os confirma aqui no painel",
    ),
    (Permissao::Completa, "Tudo", "emite, cancela e altera a conta sem perguntar"),
];

/// Short words for a permission.
pub(super) fn permission_words(permissao: Permissao) -> &'static str {
    PERMISSIONS.iter().find(|(known, ..)| *known == permissao).map_or("", |(_, short, _)| short)
}

pub(super) fn form(visitor: &PanelSession, draft: &KeyDraft, problem: Option<(&str, &str)>) -> Markup {
    let told = |field: &str| problem.filter(|(name, _)| *name == field).map(|(_, text)| text);
    let wrong = |field: &str| told(field).map(|_| "true");
    html! {
        form method="post" action=(KEYS.path) class="filtros" {
            (session_page::proof(visitor))
            @if let Some(text) = told("") { p class="recusa" role="alert" { (text) } }
            label {
                "Nome"
                input name="nome" value=(draft.nome) maxlength=(LONGEST_NAME) required aria-invalid=[wrong("nome")]
                    aria-describedby=[told("nome").map(|_| "falha-nome")];
                small { "De que programa é, para reconhecê-la depois: “ERP da matriz”, “loja virtual”." }
                @if let Some(text) = told("nome") { span class="falha" id="falha-nome" { (text) } }
            }
            fieldset aria-describedby=[told("permissao").map(|_| "falha-permissao")] {
                legend { "O que ela pode" }
                @for (permissao, short, words) in PERMISSIONS {
                    label class="opcao" {
                        input type="radio" name="permissao" value=(permissao.word()) required checked[draft.permissao == permissao.word()];
                        " " strong { (short) } ": " (words)
                    }
                }
                @if let Some(text) = told("permissao") { p class="falha" id="falha-permissao" { (text) } }
            }
            p class="fraca" { "Uma chave alcança todas as empresas da conta." }
            p class="botoes" { button class="botao principal" { "Criar a chave" } }
        }
    }
}

/// The page with the secret of a new key.
pub(super) fn secret_page(visitor: &PanelSession, made: &CreatedKey, old_until: Option<&Markup>) -> Response {
    let body = html! {
        p { a href=(KEYS.path) { (KEYS.name) } }
        h1 { "Guarde a chave agora" }
        p class="aviso" role="status" {
            "Ela aparece só desta vez: o Carimbo guarda apenas um resumo dela. Copie-a para o programa que vai usá-la. Se a perder, troque-a por outra."
        }
        dl class="ficha" {
            dt { "Nome" } dd { (made.key.nome) }
            dt { "Chave" } dd { code id="chave" { (made.secret.as_str()) } }
            @if let Some(end) = old_until { dt { "A anterior" } dd { "vale até " (end) } }
        }
        p { "O programa a envia em cada chamada, no cabeçalho " code { "X-API-Key" } "." }
        p class="botoes" { a class="botao principal" href=(KEYS.path) { "Já a guardei" } }
    };
    session_page::page(visitor, &KEYS, StatusCode::CREATED, "Guarde a chave agora", body)
}
