//! Control of the municipal providers: notes, cancellations by the city, settings.

use super::{Body, Console, Refused};
use crate::abrasf::{self, City, Hall, MunicipalNote, Office, Registered};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use fiscal::value::TpAmb;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
pub(super) struct Environment {
    /// Homologação when absent; the list then shows both environments.
    ambiente: Option<TpAmb>,
}

impl Environment {
    fn office(&self, cidade: u32) -> Office {
        Office { cidade, ambiente: self.ambiente.unwrap_or(TpAmb::Homologacao) }
    }
}

pub(super) async fn notes(State(console): State<Console>, Query(environment): Query<Environment>) -> Json<Value> {
    let notes = console.world.municipal();
    let is_of = |note: &&MunicipalNote| environment.ambiente.is_none_or(|ambiente| ambiente == note.office.ambiente);
    let mut all: Vec<&MunicipalNote> = notes.all().filter(is_of).collect();
    all.sort_by_key(|note| (note.office.cidade, note.numero));
    Json(json!({ "total": all.len(), "notas": all }))
}

pub(super) async fn note_xml(
    State(console): State<Console>,
    Path((cidade, numero)): Path<(u32, u64)>,
    Query(environment): Query<Environment>,
) -> Result<impl IntoResponse, Refused> {
    let notes = console.world.municipal();
    let note = notes.note(environment.office(cidade), numero);
    let note = note.ok_or_else(|| Refused::not_found(format!("não há NFS-e {numero} em {cidade}")))?;
    Ok(([(CONTENT_TYPE, "application/xml; charset=utf-8")], abrasf::shown(note)))
}

pub(super) async fn cancel(
    State(console): State<Console>,
    Path((cidade, numero)): Path<(u32, u64)>,
    Query(environment): Query<Environment>,
) -> Result<Json<MunicipalNote>, Refused> {
    let now = console.world.clock.now();
    abrasf::by_the_city(&console.world, environment.office(cidade), numero, now).map(Json).map_err(Refused::bad_request)
}

pub(super) async fn put_city(
    State(console): State<Console>,
    Path(codigo): Path<u32>,
    Body(city): Body<City>,
) -> Json<City> {
    console.world.settings_mut().municipal.cidades.insert(codigo, city.clone());
    Json(city)
}

pub(super) async fn put_taxpayer(
    State(console): State<Console>,
    Path(numero): Path<String>,
    Body(registered): Body<Registered>,
) -> Json<Registered> {
    console.world.settings_mut().municipal.contribuintes.insert(numero, registered.clone());
    Json(registered)
}

/// Segments of the providers' addresses.
pub(super) async fn providers() -> Json<Vec<String>> {
    Json(Hall::all().iter().map(Hall::segment).collect())
}
