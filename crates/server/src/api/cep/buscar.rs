//! `GET /v1/cep?logradouro=&tipo=&bairro=&cidade=&uf=`: the CEPs of a street.

use axum::Json;
use axum::extract::{RawQuery, State};
use fiscal::value::Uf;
use lookup::StreetSearch;
use store::quotas::Familia;

use super::view::{CepsView, address};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::lookup::{debit, require_quota};
use crate::api::query::{PageParameters, Query};
use crate::app::App;

/// `GET /v1/cep`
pub(crate) async fn buscar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<CepsView>, ApiError> {
    let mut query = Query::new(query.as_deref());
    let page = PageParameters::read(&mut query);
    let street = street(&mut query, page);
    let avisos = query.finish()?;
    require_quota(&app, &caller, Familia::Cep).await?;
    let found = app.lookup().search_ceps(&street, app.now()).await?;
    debit(&app, &caller, Familia::Cep).await?;
    let total = u64::try_from(found.total).unwrap_or(u64::MAX);
    let ceps = found.page.into_iter().map(address).collect();
    Ok(Json(CepsView { sucesso: true, ceps, page: page.view(total, avisos), fonte: found.fonte }))
}

/// Shortest name: a shorter one matches half the country.
const SHORTEST: usize = 3;
/// Longest name: no street has a longer one.
const LONGEST: usize = 120;

fn street(query: &mut Query<'_>, page: PageParameters) -> StreetSearch {
    let mut text = |name: &'static str| {
        let text = query.text(name).map(str::to_owned);
        let long = text.as_ref().is_some_and(|text| text.chars().count() > LONGEST);
        if long {
            query.refuse(name, format!("{name} aceita até {LONGEST} caracteres."));
        }
        text
    };
    let [logradouro, tipo, bairro, cidade, uf] = ["logradouro", "tipo", "bairro", "cidade", "uf"].map(&mut text);
    let letters =
        logradouro.as_deref().map_or(0, |name| name.chars().filter(|letter| letter.is_alphanumeric()).count());
    if letters < SHORTEST {
        query.refuse("logradouro", format!("Informe logradouro com ao menos {SHORTEST} letras ou dígitos."));
    }
    let state = uf.as_deref().map(|uf| Uf::from_sigla(&uf.to_uppercase()));
    if state == Some(None) {
        query.refuse("uf", "uf deve ser a sigla de um estado, como SP.".to_owned());
    }
    let logradouro = logradouro.unwrap_or_default();
    StreetSearch { logradouro, tipo, bairro, cidade, uf: state.flatten(), limite: page.limite, pagina: page.pagina }
}
