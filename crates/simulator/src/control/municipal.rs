//! Control of the municipal providers: notes, cancellations by the city, settings.

use super::{ControlBody, ControlError, ControlState};
use crate::abrasf::{self, CityEnvironment, CitySettings, MunicipalNote, MunicipalTaxpayer, ProviderServer};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use fiscal::value::TpAmb;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
pub(super) struct EnvironmentQuery {
    /// Homologação when absent; the list then shows both environments.
    ambiente: Option<TpAmb>,
}

impl EnvironmentQuery {
    fn office(&self, cidade: u32) -> CityEnvironment {
        CityEnvironment { cidade, ambiente: self.ambiente.unwrap_or(TpAmb::Homologacao) }
    }
}

pub(super) async fn notes(
    State(console): State<ControlState>,
    Query(environment): Query<EnvironmentQuery>,
) -> Json<Value> {
    let notes = console.world.municipal();
    let is_of = |note: &&MunicipalNote| environment.ambiente.is_none_or(|ambiente| ambiente == note.office.ambiente);
    let mut all: Vec<&MunicipalNote> = notes.all().filter(is_of).collect();
    all.sort_by_key(|note| (note.office.cidade, note.numero));
    Json(json!({ "total": all.len(), "notas": all }))
}

pub(super) async fn note_xml(
    State(console): State<ControlState>,
    Path((cidade, numero)): Path<(u32, u64)>,
    Query(environment): Query<EnvironmentQuery>,
) -> Result<impl IntoResponse, ControlError> {
    let notes = console.world.municipal();
    let note = notes.note(environment.office(cidade), numero);
    let note = note.ok_or_else(|| ControlError::not_found(format!("não há NFS-e {numero} em {cidade}")))?;
    Ok(([(CONTENT_TYPE, "application/xml; charset=utf-8")], abrasf::comp_nfse_of(note)))
}

pub(super) async fn cancel(
    State(console): State<ControlState>,
    Path((cidade, numero)): Path<(u32, u64)>,
    Query(environment): Query<EnvironmentQuery>,
) -> Result<Json<MunicipalNote>, ControlError> {
    let now = console.world.clock.now();
    abrasf::cancel_ex_officio(&console.world, environment.office(cidade), numero, now)
        .map(Json)
        .map_err(ControlError::bad_request)
}

pub(super) async fn put_city(
    State(console): State<ControlState>,
    Path(codigo): Path<u32>,
    ControlBody(city): ControlBody<CitySettings>,
) -> Json<CitySettings> {
    console.world.settings_mut().municipal.cidades.insert(codigo, city.clone());
    Json(city)
}

pub(super) async fn put_taxpayer(
    State(console): State<ControlState>,
    Path(numero): Path<String>,
    ControlBody(registered): ControlBody<MunicipalTaxpayer>,
) -> Json<MunicipalTaxpayer> {
    console.world.settings_mut().municipal.contribuintes.insert(numero, registered.clone());
    Json(registered)
}

/// Segments of the providers' addresses.
pub(super) async fn providers() -> Json<Vec<String>> {
    Json(ProviderServer::all().iter().map(ProviderServer::segment).collect())
}
