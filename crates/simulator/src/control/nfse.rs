//! Control of the national NFS-e: stored notes, acts of a município, settings.

use super::{ControlBody, ControlError, ControlState};
use crate::ledger::ArrivalCounts;
use crate::nfse::notes::NationalNotes;
use crate::nfse::settings::NationalTaxpayer;
use crate::nfse::{MunicipalAct, MunicipalConvention, NfseEvent, StoredNfse};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use fiscal::value::TpAmb;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) async fn notes(State(console): State<ControlState>) -> Json<Value> {
    let notes = console.world.nfse();
    let mut all: Vec<&StoredNfse> = notes.all().collect();
    all.sort_by(|one, other| one.chave.cmp(&other.chave));
    Json(json!({ "total": all.len(), "notas": all }))
}

pub(super) async fn note(
    State(console): State<ControlState>,
    Path(chave): Path<String>,
) -> Result<Json<StoredNfse>, ControlError> {
    note_in_either(&console.world.nfse(), &chave).cloned().map(Json).ok_or_else(|| unknown(&chave))
}

pub(super) async fn note_xml(
    State(console): State<ControlState>,
    Path(chave): Path<String>,
) -> Result<impl IntoResponse, ControlError> {
    let xml = note_in_either(&console.world.nfse(), &chave).map(|note| note.xml().to_owned());
    let xml = xml.ok_or_else(|| unknown(&chave))?;
    Ok(([(CONTENT_TYPE, "application/xml; charset=utf-8")], xml))
}

/// The note of a key in either environment: a key does not name one.
fn note_in_either<'a>(notes: &'a NationalNotes, chave: &str) -> Option<&'a StoredNfse> {
    notes.note(TpAmb::Homologacao, chave).or_else(|| notes.note(TpAmb::Producao, chave))
}

fn unknown(chave: &str) -> ControlError {
    ControlError::not_found(format!("não há NFS-e da chave {chave}"))
}

pub(super) async fn register(
    State(console): State<ControlState>,
    Path(chave): Path<String>,
    ControlBody(act): ControlBody<MunicipalAct>,
) -> Result<Json<NfseEvent>, ControlError> {
    crate::nfse::register(&console.world, &chave, &act).map(Json).map_err(ControlError::bad_request)
}

pub(super) async fn counts(State(console): State<ControlState>, Path(id): Path<String>) -> Json<ArrivalCounts> {
    Json(console.world.nfse().counts(&id))
}

/// Municípios with a convention of their own, by the table or by the settings.
pub(super) async fn municipalities(State(console): State<ControlState>) -> Json<BTreeMap<u32, MunicipalConvention>> {
    let mut all = crate::nfse::table().clone();
    all.extend(console.world.settings().nfse.municipios.clone());
    Json(all)
}

pub(super) async fn put_municipality(
    State(console): State<ControlState>,
    Path(codigo): Path<u32>,
    ControlBody(municipality): ControlBody<MunicipalConvention>,
) -> Json<MunicipalConvention> {
    console.world.settings_mut().nfse.municipios.insert(codigo, municipality.clone());
    Json(municipality)
}

pub(super) async fn put_provider(
    State(console): State<ControlState>,
    Path(numero): Path<String>,
    ControlBody(provider): ControlBody<NationalTaxpayer>,
) -> Json<NationalTaxpayer> {
    console.world.settings_mut().nfse.contribuintes.insert(numero, provider.clone());
    Json(provider)
}
