//! Control of the national NFS-e: stored notes, acts of a município, settings.

use super::{Body, Console, Refused};
use crate::ledger::Counts;
use crate::nfse::settings::Provider;
use crate::nfse::{Act, Municipality, Nfse, NfseEvent, Notes};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use fiscal::value::TpAmb;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) async fn notes(State(console): State<Console>) -> Json<Value> {
    let notes = console.world.nfse();
    let mut all: Vec<&Nfse> = notes.all().collect();
    all.sort_by(|one, other| one.chave.cmp(&other.chave));
    Json(json!({ "total": all.len(), "notas": all }))
}

pub(super) async fn note(State(console): State<Console>, Path(chave): Path<String>) -> Result<Json<Nfse>, Refused> {
    either(&console.world.nfse(), &chave).cloned().map(Json).ok_or_else(|| unknown(&chave))
}

pub(super) async fn note_xml(
    State(console): State<Console>,
    Path(chave): Path<String>,
) -> Result<impl IntoResponse, Refused> {
    let xml = either(&console.world.nfse(), &chave).map(|note| note.xml().to_owned());
    let xml = xml.ok_or_else(|| unknown(&chave))?;
    Ok(([(CONTENT_TYPE, "application/xml; charset=utf-8")], xml))
}

/// The note of a key in either environment: a key does not name one.
fn either<'a>(notes: &'a Notes, chave: &str) -> Option<&'a Nfse> {
    notes.note(TpAmb::Homologacao, chave).or_else(|| notes.note(TpAmb::Producao, chave))
}

fn unknown(chave: &str) -> Refused {
    Refused::not_found(format!("não há NFS-e da chave {chave}"))
}

pub(super) async fn register(
    State(console): State<Console>,
    Path(chave): Path<String>,
    Body(act): Body<Act>,
) -> Result<Json<NfseEvent>, Refused> {
    crate::nfse::register(&console.world, &chave, &act).map(Json).map_err(Refused::bad_request)
}

pub(super) async fn counts(State(console): State<Console>, Path(id): Path<String>) -> Json<Counts> {
    Json(console.world.nfse().counts(&id))
}

/// Municípios with a convention of their own, by the table or by the settings.
pub(super) async fn municipalities(State(console): State<Console>) -> Json<BTreeMap<u32, Municipality>> {
    let mut all = crate::nfse::table().clone();
    all.extend(console.world.settings().nfse.municipios.clone());
    Json(all)
}

pub(super) async fn put_municipality(
    State(console): State<Console>,
    Path(codigo): Path<u32>,
    Body(municipality): Body<Municipality>,
) -> Json<Municipality> {
    console.world.settings_mut().nfse.municipios.insert(codigo, municipality.clone());
    Json(municipality)
}

pub(super) async fn put_provider(
    State(console): State<Console>,
    Path(numero): Path<String>,
    Body(provider): Body<Provider>,
) -> Json<Provider> {
    console.world.settings_mut().nfse.contribuintes.insert(numero, provider.clone());
    Json(provider)
}
