//! `GET /v1/exportacoes/{id}/arquivo`: the file, part by part from the store.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use http::header;
use store::exports::{ExportRow, ExportState};

use super::find;
use super::ver::is_expired;
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::App;

/// `GET /v1/exportacoes/{id}/arquivo`
pub(crate) async fn arquivo(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let export = find(&app, &caller, &id).await?;
    file_answer(&app, export)
}

/// The file as an answer. A part that is removed meanwhile breaks the connection off, so that no half file seems whole.
pub(crate) fn file_answer(app: &App, export: ExportRow) -> Result<Response, ApiError> {
    if is_expired(&export, app.engine().now_s()) {
        let detail = "O prazo do arquivo acabou e ele foi apagado. Peça outra exportação do mesmo período.";
        return Err(ApiError::new(&error_code::EXPORTACAO_EXPIRADA, detail));
    }
    if export.state != ExportState::Done {
        let detail =
            "O arquivo desta exportação ainda não está pronto, ou ela falhou; veja status em GET /v1/exportacoes/{id}.";
        return Err(ApiError::new(&error_code::ARQUIVO_INDISPONIVEL, detail));
    }
    let name = format!("attachment; filename=\"{}\"", file_name(&export));
    let headers = [
        (header::CONTENT_TYPE, "application/zip".to_owned()),
        (header::CONTENT_DISPOSITION, name),
        (header::CONTENT_LENGTH, export.bytes.to_string()),
    ];
    let store = app.store().clone();
    let parts = stream::try_unfold((store, export, 1_u32), |(store, export, part)| async move {
        if part > export.partes {
            return Ok(None);
        }
        let content = store.export_part(&export, part).await?;
        Ok::<_, store::Error>(Some((Bytes::from(content), (store, export, part + 1))))
    });
    Ok((headers, Body::from_stream(parts)).into_response())
}

/// Name of the file: digits, letters of the company's number, dates.
fn file_name(export: &ExportRow) -> String {
    format!("{}-{}-{}-{}.zip", export.cpf_cnpj.as_str(), export.de, export.ate, export.ambiente.word())
}
