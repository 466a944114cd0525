//! Commands to the simulator: clock, settings, faults.

use super::{Body, Console, Refused};
use crate::clock::Running;
use crate::faults::{Fault, FaultType, Scripted};
use crate::sefaz::event::authority;
use crate::settings::{ModeAt, Outage, Settings, Switch, Taxpayer};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use fiscal::value::TpAmb;
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(super) async fn reset(State(console): State<Console>) -> StatusCode {
    console.world.reset();
    StatusCode::NO_CONTENT
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "modo", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ClockBody {
    Real {},
    Deslocado { segundos: i64 },
    Fixo { instante: Timestamp },
}

pub(super) async fn clock(State(console): State<Console>) -> Json<Value> {
    let clock = &console.world.clock;
    let running = match clock.running() {
        Running::Real => ClockBody::Real {},
        Running::Shifted(by) => ClockBody::Deslocado { segundos: by.as_secs() },
        Running::Fixed(instante) => ClockBody::Fixo { instante },
    };
    Json(json!({ "relogio": running, "agora": crate::clock::written(clock.now(), -3) }))
}

pub(super) async fn set_clock(State(console): State<Console>, Body(body): Body<ClockBody>) -> Json<Value> {
    console.world.clock.run(match body {
        ClockBody::Real {} => Running::Real,
        ClockBody::Deslocado { segundos } => Running::Shifted(SignedDuration::from_secs(segundos)),
        ClockBody::Fixo { instante } => Running::Fixed(instante),
    });
    clock(State(console)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Registration {
    tpEvento: String,
}

/// Registers an event of another party on a note: a post on the road, a transport document, SUFRAMA, the addressee.
/// 412140 is distributed as an event.
pub(super) async fn register(
    State(console): State<Console>,
    Path(chave): Path<String>,
    Body(body): Body<Registration>,
) -> Result<StatusCode, Refused> {
    let tpEvento = body.tpEvento;
    if tpEvento.len() != 6 || !tpEvento.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(Refused::bad_request("tpEvento tem seis dígitos"));
    }
    let now = console.world.clock.now();
    let mut ledger = console.world.ledger();
    for ambiente in [TpAmb::Homologacao, TpAmb::Producao] {
        if tpEvento == authority::SIMPLES {
            if authority::register(&mut ledger, ambiente, &chave, now) {
                return Ok(StatusCode::CREATED);
            }
            continue;
        }
        if let Some(document) = ledger.document_mut(ambiente, &chave) {
            document.registros.push(tpEvento);
            return Ok(StatusCode::CREATED);
        }
    }
    Err(Refused::not_found(format!("a chave {chave} não está autorizada aqui")))
}

pub(super) async fn settings(State(console): State<Console>) -> Json<Settings> {
    Json((*console.world.settings()).clone())
}

pub(super) async fn patch_settings(
    State(console): State<Console>,
    Body(changes): Body<Map<String, Value>>,
) -> Result<Json<Settings>, Refused> {
    let mut settings = console.world.settings_mut();
    let invalid = |error: serde_json::Error| Refused::bad_request(error.to_string());
    let mut all = match serde_json::to_value(&*settings).map_err(invalid)? {
        Value::Object(all) => all,
        _ => Map::new(),
    };
    all.extend(changes);
    *settings = serde_json::from_value(Value::Object(all)).map_err(invalid)?;
    Ok(Json(settings.clone()))
}

pub(super) async fn put_rules(
    State(console): State<Console>,
    Body(rules): Body<BTreeMap<String, Switch>>,
) -> Result<Json<BTreeMap<u16, Switch>>, Refused> {
    let mut parsed = BTreeMap::new();
    for (cStat, switch) in rules {
        let code = cStat.parse().map_err(|_| Refused::bad_request(format!("{cStat} não é um cStat")))?;
        parsed.insert(code, switch);
    }
    let mut settings = console.world.settings_mut();
    settings.regras.extend(parsed);
    Ok(Json(settings.regras.clone()))
}

pub(super) async fn put_modes(State(console): State<Console>, Body(modes): Body<Vec<ModeAt>>) -> Json<Vec<ModeAt>> {
    let mut settings = console.world.settings_mut();
    settings.servicos = modes;
    Json(settings.servicos.clone())
}

pub(super) async fn outages(State(console): State<Console>) -> Json<Vec<Outage>> {
    Json(console.world.settings().quedas.clone())
}

pub(super) async fn put_outages(
    State(console): State<Console>,
    Body(outages): Body<Vec<Outage>>,
) -> Result<Json<Vec<Outage>>, Refused> {
    let of_connections = |outage: &Outage| matches!(outage.falha.tipo, FaultType::Refuse | FaultType::TlsFailure);
    if outages.iter().any(of_connections) {
        return Err(Refused::bad_request(
            "uma conexão não diz de que autoridade é; use reset_before ou POST /_sim/falhas",
        ));
    }
    if let Some(member) = outages.iter().find_map(|outage| outage.falha.missing()) {
        return Err(Refused::bad_request(format!("a falha de uma queda precisa de {member}")));
    }
    console.world.settings_mut().quedas = outages.clone();
    Ok(Json(outages))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitsBody {
    ativo: bool,
}

pub(super) async fn put_limits(State(console): State<Console>, Body(body): Body<LimitsBody>) -> StatusCode {
    console.world.settings_mut().limites = body.ativo;
    console.world.limits().clear();
    StatusCode::NO_CONTENT
}

pub(super) async fn put_taxpayer(
    State(console): State<Console>,
    Path(number): Path<String>,
    Body(taxpayer): Body<Taxpayer>,
) -> Json<Taxpayer> {
    console.world.settings_mut().contribuintes.insert(number, taxpayer.clone());
    Json(taxpayer)
}

pub(super) async fn delete_taxpayer(
    State(console): State<Console>,
    Path(number): Path<String>,
) -> Result<StatusCode, Refused> {
    match console.world.settings_mut().contribuintes.remove(&number) {
        Some(_) => Ok(StatusCode::NO_CONTENT),
        None => Err(Refused::not_found(format!("{number} não está no cadastro do simulador"))),
    }
}

pub(super) async fn faults(State(console): State<Console>) -> Json<Vec<Scripted>> {
    Json(console.world.faults.list())
}

pub(super) async fn add_fault(
    State(console): State<Console>,
    Body(fault): Body<Fault>,
) -> Result<(StatusCode, Json<Value>), Refused> {
    if let Some(service) = fault.servico.as_deref()
        && crate::dialect::Family::services().all(|wire| wire.name != service)
        && !crate::nfse::SERVICES.contains(&service)
        && !crate::abrasf::SERVICES.contains(&service)
    {
        return Err(Refused::bad_request(format!("{service} não é um serviço; veja GET /_sim")));
    }
    if fault.probabilidade.is_some_and(|chance| chance < Decimal::ZERO || chance > Decimal::ONE) {
        return Err(Refused::bad_request("probabilidade vai de 0 a 1"));
    }
    if let Some(member) = fault.missing() {
        return Err(Refused::bad_request(format!("esta falha precisa de {member}")));
    }
    let id = crate::add_fault(&console.world, fault);
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))))
}

pub(super) async fn clear_faults(State(console): State<Console>) -> StatusCode {
    console.world.faults.clear();
    StatusCode::NO_CONTENT
}

pub(super) async fn remove_fault(State(console): State<Console>, Path(id): Path<u64>) -> Result<StatusCode, Refused> {
    if console.world.faults.remove(id) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Refused::not_found(format!("não há falha {id}")))
    }
}
