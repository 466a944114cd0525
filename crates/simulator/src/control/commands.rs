//! Commands to the simulator: clock, settings, faults.

use super::{ControlBody, ControlError, ControlState};
use crate::clock::ClockMode;
use crate::faults::script::ScriptedFault;
use crate::faults::{Fault, FaultType};
use crate::rule_switch::RuleSwitch;
use crate::sefaz::event::authority;
use crate::settings::{ModeAt, ScheduledOutage, SimulatorSettings, TaxpayerRecord};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use fiscal::value::TpAmb;
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(super) async fn reset(State(console): State<ControlState>) -> StatusCode {
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

pub(super) async fn clock(State(console): State<ControlState>) -> Json<Value> {
    let clock = &console.world.clock;
    let running = match clock.clock_mode() {
        ClockMode::Real => ClockBody::Real {},
        ClockMode::Shifted(by) => ClockBody::Deslocado { segundos: by.as_secs() },
        ClockMode::Fixed(instante) => ClockBody::Fixo { instante },
    };
    Json(json!({ "relogio": running, "agora": crate::clock::format_instant(clock.now(), -3) }))
}

pub(super) async fn set_clock(
    State(console): State<ControlState>,
    ControlBody(body): ControlBody<ClockBody>,
) -> Json<Value> {
    console.world.clock.set_mode(match body {
        ClockBody::Real {} => ClockMode::Real,
        ClockBody::Deslocado { segundos } => ClockMode::Shifted(SignedDuration::from_secs(segundos)),
        ClockBody::Fixo { instante } => ClockMode::Fixed(instante),
    });
    clock(State(console)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RegistrationBody {
    tpEvento: String,
}

/// Registers an event of another party on a note: a post on the road, a transport document, SUFRAMA, the addressee.
/// 412140 is distributed as an event.
pub(super) async fn register(
    State(console): State<ControlState>,
    Path(chave): Path<String>,
    ControlBody(body): ControlBody<RegistrationBody>,
) -> Result<StatusCode, ControlError> {
    let tpEvento = body.tpEvento;
    if tpEvento.len() != 6 || !tpEvento.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(ControlError::bad_request("tpEvento tem seis dígitos"));
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
    Err(ControlError::not_found(format!("a chave {chave} não está autorizada aqui")))
}

pub(super) async fn settings(State(console): State<ControlState>) -> Json<SimulatorSettings> {
    Json((*console.world.settings()).clone())
}

pub(super) async fn patch_settings(
    State(console): State<ControlState>,
    ControlBody(changes): ControlBody<Map<String, Value>>,
) -> Result<Json<SimulatorSettings>, ControlError> {
    let mut settings = console.world.settings_mut();
    let invalid = |error: serde_json::Error| ControlError::bad_request(error.to_string());
    let mut all = match serde_json::to_value(&*settings).map_err(invalid)? {
        Value::Object(all) => all,
        _ => Map::new(),
    };
    all.extend(changes);
    *settings = serde_json::from_value(Value::Object(all)).map_err(invalid)?;
    Ok(Json(settings.clone()))
}

pub(super) async fn put_rules(
    State(console): State<ControlState>,
    ControlBody(rules): ControlBody<BTreeMap<String, RuleSwitch>>,
) -> Result<Json<BTreeMap<u16, RuleSwitch>>, ControlError> {
    let mut parsed = BTreeMap::new();
    for (cStat, switch) in rules {
        let code = cStat.parse().map_err(|_| ControlError::bad_request(format!("{cStat} não é um cStat")))?;
        parsed.insert(code, switch);
    }
    let mut settings = console.world.settings_mut();
    settings.regras.extend(parsed);
    Ok(Json(settings.regras.clone()))
}

pub(super) async fn put_modes(
    State(console): State<ControlState>,
    ControlBody(modes): ControlBody<Vec<ModeAt>>,
) -> Json<Vec<ModeAt>> {
    let mut settings = console.world.settings_mut();
    settings.servicos = modes;
    Json(settings.servicos.clone())
}

pub(super) async fn outages(State(console): State<ControlState>) -> Json<Vec<ScheduledOutage>> {
    Json(console.world.settings().quedas.clone())
}

pub(super) async fn put_outages(
    State(console): State<ControlState>,
    ControlBody(outages): ControlBody<Vec<ScheduledOutage>>,
) -> Result<Json<Vec<ScheduledOutage>>, ControlError> {
    let of_connections =
        |outage: &ScheduledOutage| matches!(outage.falha.tipo, FaultType::Refuse | FaultType::TlsFailure);
    if outages.iter().any(of_connections) {
        return Err(ControlError::bad_request(
            "uma conexão não diz de que autoridade é; use reset_before ou POST /_sim/falhas",
        ));
    }
    if let Some(member) = outages.iter().find_map(|outage| outage.falha.missing()) {
        return Err(ControlError::bad_request(format!("a falha de uma queda precisa de {member}")));
    }
    console.world.settings_mut().quedas = outages.clone();
    Ok(Json(outages))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitsBody {
    ativo: bool,
}

pub(super) async fn put_limits(
    State(console): State<ControlState>,
    ControlBody(body): ControlBody<LimitsBody>,
) -> StatusCode {
    console.world.settings_mut().limites = body.ativo;
    console.world.limits().clear();
    StatusCode::NO_CONTENT
}

pub(super) async fn put_taxpayer(
    State(console): State<ControlState>,
    Path(number): Path<String>,
    ControlBody(taxpayer): ControlBody<TaxpayerRecord>,
) -> Json<TaxpayerRecord> {
    console.world.settings_mut().contribuintes.insert(number, taxpayer.clone());
    Json(taxpayer)
}

pub(super) async fn delete_taxpayer(
    State(console): State<ControlState>,
    Path(number): Path<String>,
) -> Result<StatusCode, ControlError> {
    match console.world.settings_mut().contribuintes.remove(&number) {
        Some(_) => Ok(StatusCode::NO_CONTENT),
        None => Err(ControlError::not_found(format!("{number} não está no cadastro do simulador"))),
    }
}

pub(super) async fn faults(State(console): State<ControlState>) -> Json<Vec<ScriptedFault>> {
    Json(console.world.faults.list())
}

pub(super) async fn add_fault(
    State(console): State<ControlState>,
    ControlBody(fault): ControlBody<Fault>,
) -> Result<(StatusCode, Json<Value>), ControlError> {
    if let Some(service) = fault.servico.as_deref()
        && crate::dialect::ModelFamily::services().all(|wire| wire.name != service)
        && !crate::nfse::SERVICES.contains(&service)
        && !crate::abrasf::SERVICES.contains(&service)
    {
        return Err(ControlError::bad_request(format!("{service} não é um serviço; veja GET /_sim")));
    }
    if fault.probabilidade.is_some_and(|chance| chance < Decimal::ZERO || chance > Decimal::ONE) {
        return Err(ControlError::bad_request("probabilidade vai de 0 a 1"));
    }
    if let Some(member) = fault.missing() {
        return Err(ControlError::bad_request(format!("esta falha precisa de {member}")));
    }
    let id = crate::add_fault(&console.world, fault);
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))))
}

pub(super) async fn clear_faults(State(console): State<ControlState>) -> StatusCode {
    console.world.faults.clear();
    StatusCode::NO_CONTENT
}

pub(super) async fn remove_fault(
    State(console): State<ControlState>,
    Path(id): Path<u64>,
) -> Result<StatusCode, ControlError> {
    if console.world.faults.remove(id) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ControlError::not_found(format!("não há falha {id}")))
    }
}
