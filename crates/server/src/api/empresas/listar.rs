//! `GET /v1/empresas`: the companies of the account, newest first, in pages.

use axum::Json;
use axum::extract::{RawQuery, State};

use super::view::{self, CompanyView};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::query::{PageParameters, PageView};
use crate::api::view::view;
use crate::app::App;
use store::Visibility;

view! {
    pub(crate) struct CompaniesView = "ListaDeEmpresas": "Uma página de empresas." {
        empresas: Vec<CompanyView> = "As desta página, a mais nova primeiro.",
        #[flatten] page: PageView,
    }
}

/// `GET /v1/empresas`
pub(crate) async fn listar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<CompaniesView>, ApiError> {
    let (page, avisos) = PageParameters::alone(query.as_deref())?;
    let (companies, total) = app.store().list_companies(Visibility::of(&caller), page.limite, page.skip()).await?;
    let now = app.now();
    let page = page.view_of(&companies, total, avisos);
    let empresas = companies.iter().map(|company| view::shown(company, caller.ambiente, now)).collect();
    Ok(Json(CompaniesView { empresas, page }))
}
