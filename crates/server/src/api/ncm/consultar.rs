//! `GET /v1/ncm/{codigo}`: a code of any level, with the levels above it.

use axum::Json;
use axum::extract::{Path, State};
use fiscal::ncm::NcmEntry;
use lookup::LookupAnswer;
use store::quotas::Familia;

use super::{EntryView, digits, shown};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::lookup::debited_result;
use crate::api::view::view;
use crate::app::App;

view! {
    pub(crate) struct CodeView = "Ncm": "Um código da NCM." {
        #[flatten] entry: EntryView,
        r#final: bool = "Tem 8 dígitos.",
        vigente: bool = "Está vigente hoje.",
        hierarquia: Vec<LevelView> = "Os códigos acima deste, do capítulo para baixo.",
        sucesso: bool = "Sempre `true`.",
        encontrado: bool = "Sempre `true`.",
    }
}

view! {
    pub(crate) struct LevelView {
        codigo: Box<str> = "O código.",
        descricao: Box<str> = "Sua descrição.",
    }
}

/// `GET /v1/ncm/{codigo}`
pub(crate) async fn consultar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(codigo): Path<String>,
) -> Result<Json<CodeView>, ApiError> {
    let table = app.lookup().ncm().await?;
    let today = app.today();
    let plain = digits(&codigo);
    let found = match plain.as_deref().and_then(|plain| table.find(plain, today)) {
        Some(entry) => {
            let above = (2..entry.codigo.len()).filter_map(|length| table.find(entry.codigo.get(..length)?, today));
            let level =
                |entry: &NcmEntry| LevelView { codigo: entry.codigo.clone(), descricao: entry.descricao.clone() };
            LookupAnswer::Yes(CodeView {
                entry: shown(entry),
                r#final: entry.is_final(),
                vigente: entry.is_valid_on(today),
                hierarquia: above.map(level).collect(),
                sucesso: true,
                encontrado: true,
            })
        }
        None => LookupAnswer::No(format!("a NCM em uso ({})", table.vigencia())),
    };
    let named = plain.unwrap_or_else(|| "informado".to_owned());
    debited_result(&app, &caller, Familia::Ncm, found, &format!("O código NCM {named}")).await.map(Json)
}
