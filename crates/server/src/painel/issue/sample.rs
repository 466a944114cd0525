//! The printed form of a recipe with a company of the account, for pages that show a company's forms.

use axum::response::Response;
use fiscal::value::CnpjCpf;
use store::accounts::Caller;

use super::issue_form::IssueForm;
use crate::api::error::ApiError;
use crate::app::App;

/// Draws a recipe as the company would issue it.
pub(in crate::painel) async fn draw_sample(
    app: &App,
    caller: &Caller,
    recipe: &str,
    cpf_cnpj: CnpjCpf,
) -> Result<Response, ApiError> {
    let Some(form) = IssueForm::of_recipe(app, caller, recipe, Some(cpf_cnpj)).await? else {
        return Err(ApiError::not_found("Não há receita com este nome."));
    };
    form.family.preview(app, caller, form.body()).await
}
