//! `GET /v1/diagnostico`: what may keep the account's documents from their authorities, company by company.
//!
//! Law: `spec/not-shown.md` §4.

use authority::transport::{Handshake, Shown};
use axum::Json;
use axum::extract::{RawQuery, State};
use engine::AuthorityHealth;
use engine::contingency::word;
use engine::diagnosis::{Checkup, Diagnosis, Purse, Road};
use fiscal::lifecycle::State as Stand;
use fiscal::value::Chave;
use serde_json::{Value, json};
use store::authorities::{Block, Circuit};
use store::jobs::Job;

use super::caller::Authenticated;
use super::empresas::certificate;
use super::error::ApiError;
use super::instant::StateTime;
use super::job::consulta;
use super::query::Page;
use super::status;
use crate::app::App;

/// `GET /v1/diagnostico?pagina&limite`
pub(crate) async fn diagnostico(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, ApiError> {
    let page = Page::alone(query.as_deref())?;
    let diagnosis = app.engine().diagnosis(&caller, page.limite, page.skip()).await?;
    Ok(Json(body(&diagnosis, page, app.engine().now_s())))
}

fn body(diagnosis: &Diagnosis, page: Page, now: i64) -> Value {
    let time = StateTime::of(None);
    let empresas: Vec<Value> = diagnosis.companies.iter().map(|checkup| company(checkup, now)).collect();
    let autoridades: Vec<Value> = diagnosis.authorities.iter().map(|health| authority(health, now)).collect();
    json!({
        "sucesso": true,
        "gerado_em": time.json(now),
        "empresas": empresas,
        "total": diagnosis.total,
        "pagina": page.pagina,
        "limite": page.limite,
        "notas_pendentes": unsettled(&diagnosis.unsettled, now),
        "autoridades": autoridades,
    })
}

fn company(checkup: &Checkup, now: i64) -> Value {
    let company = &checkup.company;
    let time = StateTime::of(Some(company));
    let (jobs, at_work) = checkup.queue;
    let ways: Vec<Value> = checkup.ways.iter().map(|way| road(way, time)).collect();
    let blocks: Vec<Value> = checkup.blocks.iter().map(|one| block(one, time)).collect();
    json!({
        "cpf_cnpj": company.cpf_cnpj.as_str(),
        "nome_razao_social": company.dados["nome_razao_social"],
        "certificado": certificate(company.certificado.as_ref(), time, now),
        "jobs": { "pendentes": jobs - at_work, "em_processamento": at_work },
        "documentos": ways,
        "bloqueios_656": blocks,
        "consultas_na_ultima_hora": checkup.budgets.iter().map(purse).collect::<Vec<Value>>(),
    })
}

fn road(way: &Road, time: StateTime) -> Value {
    let svc = way.svc.as_ref().map(|(name, circuit)| {
        json!({ "autoridade": name, "disjuntor": state(circuit.as_ref(), time), "ultima_resposta": told(circuit.as_ref(), time) })
    });
    json!({
        "tipo": way.tipo.word(),
        "modelo": way.modelo,
        "ambiente": way.ambiente.word(),
        "uf": way.uf.sigla(),
        "autoridade": way.authority,
        "contingencia": way.contingencia,
        "disjuntor": state(way.circuit.as_ref(), time),
        "ultima_resposta": told(way.circuit.as_ref(), time),
        "svc": svc,
    })
}

/// Whether documents go there.
fn state(circuit: Option<&Circuit>, time: StateTime) -> Value {
    let state = circuit.map_or("fechado", |circuit| word(circuit.state));
    let open = circuit.filter(|circuit| circuit.opened_at.is_some());
    json!({
        "estado": state,
        "desde": time.json_or_null(open.and_then(|circuit| circuit.opened_at)),
        "motivo": open.and_then(|circuit| circuit.reason.as_ref()),
    })
}

/// What it said of its own service last; cStat 0 stands for no answer.
fn told(circuit: Option<&Circuit>, time: StateTime) -> Value {
    let Some(circuit) = circuit else { return Value::Null };
    let Some((cStat, xMotivo)) = &circuit.told else { return Value::Null };
    json!({
        "codigo_status": (*cStat != 0).then_some(cStat),
        "motivo_status": xMotivo,
        "em": time.json_or_null(circuit.told_at),
    })
}

fn block(block: &Block, time: StateTime) -> Value {
    json!({ "autoridade": block.authority, "ate": time.json(block.until) })
}

fn purse(purse: &Purse) -> Value {
    let (authority, service) = purse.servico.rsplit_once(' ').unwrap_or(("", &purse.servico));
    json!({
        "autoridade": authority,
        "servico": service,
        "consultas": purse.most,
        "limite": purse.per_hour,
        "assuntos": purse.subjects,
    })
}

fn unsettled(jobs: &[Job], now: i64) -> Value {
    let in_doubt = jobs.iter().filter(|job| stands(job, Stand::InDoubt)).count();
    let given_out: Vec<&Job> = jobs.iter().filter(|job| deadline(job).is_some()).collect();
    let mut by_deadline = given_out.clone();
    by_deadline.sort_by_key(|job| deadline(job));
    let entry = |job: &&Job| {
        let document = job.document.as_ref();
        let time = StateTime::of(None);
        json!({
            "job_id": job.id,
            "tipo": job.tipo,
            "cpf_cnpj": job.cpf_cnpj.as_str(),
            "numero": document.map(|document| document.numero),
            "serie": document.map(|document| document.serie.to_string()),
            "chave": document.map(|document| document.chave.as_ref().map_or("", Chave::as_str)),
            "prazo_transmissao": time.json_or_null(deadline(job)),
            "vencida": deadline(job).is_some_and(|deadline| deadline < now),
            "consulta": consulta(job),
        })
    };
    json!({
        "em_contingencia": given_out.len(),
        "em_duvida": in_doubt,
        "proximas_do_prazo": by_deadline.iter().take(LISTED).map(entry).collect::<Vec<Value>>(),
    })
}

/// Deadlines that are shown.
const LISTED: usize = 20;

fn stands(job: &Job, state: Stand) -> bool {
    job.document.as_ref().is_some_and(|document| document.state == state)
}

/// Of a document that was given out before its authority had it.
fn deadline(job: &Job) -> Option<i64> {
    job.document.as_ref()?.contingencia.as_ref()?.prazo_transmissao
}

fn authority(health: &AuthorityHealth, now: i64) -> Value {
    let mut body = status::authority(health);
    body["latencia_ms"] = json!(health.latency_ms);
    body["falha"] = json!(health.last_error);
    body["tls"] = health.tls.as_ref().map_or(Value::Null, |handshake| tls(handshake, now));
    body
}

/// How the last connection was made; why one was refused stands in `falha`.
fn tls(handshake: &Handshake, now: i64) -> Value {
    let time = StateTime::of(None);
    let certificate = |shown: &Shown| {
        json!({
            "titular": shown.subject,
            "emissor": shown.issuer,
            "valido_ate": time.json_or_null(shown.valid_until),
        })
    };
    let ends = handshake.chain.iter().filter_map(|shown| shown.valid_until).min();
    json!({
        "servidor": handshake.server,
        "protocolo": handshake.protocol,
        "cifra": handshake.cipher,
        "cadeia": handshake.chain.iter().map(certificate).collect::<Vec<Value>>(),
        "dias_para_expirar": ends.map(|ends| (ends - now).div_euclid(DAY_S)),
    })
}

const DAY_S: i64 = 86_400;
