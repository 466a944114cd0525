//! `POST /v1/ncm/buscar`: codes whose official text contains a term.

use axum::Json;
use axum::extract::State;
use fiscal::ncm::NcmSearch;
use serde_json::{Map, Value};
use store::quotas::Familia;

use super::{EntryView, shown};
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::lookup::debit;
use crate::api::view::view;
use crate::app::App;

/// Longest term: longer than any word of the nomenclature.
const LONGEST: usize = 200;

view! {
    pub(crate) struct NcmSearchView = "ResultadoNcm": "O que foi encontrado." {
        sucesso: bool = "Sempre `true`.",
        termo: String = "O termo buscado.",
        total: usize = "Quantos códigos.",
        ncms: Vec<EntryView> = "Os códigos.",
    }
}

/// `POST /v1/ncm/buscar`
pub(crate) async fn buscar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Json<NcmSearchView>, ApiError> {
    let (termo, so_inicio, apenas_finais) = read(&body)?;
    let table = app.lookup().ncm().await?;
    let search = NcmSearch { termo: &termo, so_inicio, apenas_finais };
    let ncms: Vec<EntryView> = table.search(search, app.today()).into_iter().map(shown).collect();
    debit(&app, &caller, Familia::Ncm).await?;
    Ok(Json(NcmSearchView { sucesso: true, termo, total: ncms.len(), ncms }))
}

/// Reads the term and the two switches.
fn read(body: &Map<String, Value>) -> Result<(String, bool, bool), ApiError> {
    let mut fields = BodyFields::of(body);
    let termo =
        fields.required_text(&["descricao"], "Informe descricao, uma palavra da descrição oficial, no singular.");
    if termo.is_some_and(|termo| termo.chars().count() > LONGEST) {
        fields.refuse(
            &error_code::REQUISICAO_INVALIDA,
            "descricao",
            format!("descricao aceita até {LONGEST} caracteres."),
        );
    }
    let mut flag = |name: &'static str, default: bool| match fields.value(&[name]) {
        None => default,
        Some((_, Value::Bool(flag))) => *flag,
        Some(_) => {
            fields.refuse(&error_code::REQUISICAO_INVALIDA, name, format!("{name} deve ser true ou false."));
            default
        }
    };
    let (so_inicio, apenas_finais) = (flag("so_inicio", false), flag("apenas_codigos_finais", true));
    fields.finish()?;
    Ok((termo.unwrap_or_default().to_owned(), so_inicio, apenas_finais))
}
