//! `GET /v1/diagnostico`: per company, the recorded state that may keep documents from their authorities.
//!
//! Law: `docs/contract.md`, "Emission".

pub(super) mod view;

use authority::transport::{ChainCertificate, Handshake};
use axum::Json;
use axum::extract::{RawQuery, State};
use engine::authorities::health::AuthorityHealth;
use engine::queries::diagnosis::{AuthorityRoute, CompanyCheckup, Diagnosis, RateBucket};
use fiscal::law::{Law, LawChange};
use fiscal::lifecycle::DocumentState as Stand;
use store::authorities::{Circuit, CircuitState, CompanyBlock};
use store::jobs::Job;
use store::received::WalkReset;

use super::caller::AuthenticatedCaller;
use super::empresas::view::{certificate, name};
use super::error::ApiError;
use super::instant::CivilTime;
use super::job::consulta;
use super::query::{PageParameters, PageView};
use super::status;
use super::words::Word;
use crate::app::App;
use view::{
    AuthorityConnectionView, AuthorityRouteView, BlockView, BudgetView, ChainView, CircuitView, CompanyDiagnosisView,
    CompanyJobsView, DeadlineView, DiagnosisView, LawChangeView, LawRateView, LawView, ServiceStatusView, SvcView,
    TlsView, UnsettledView, WalkResetView,
};

/// `GET /v1/diagnostico?pagina&limite`
pub(crate) async fn diagnostico(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<DiagnosisView>, ApiError> {
    let (page, avisos) = PageParameters::alone(query.as_deref())?;
    let diagnosis = app.engine().diagnosis(&caller, page.limite, page.skip()).await?;
    let page = page.view(diagnosis.total, avisos);
    Ok(Json(view(&diagnosis, page, app.engine().law(), app.engine().now_s())))
}

fn view(diagnosis: &Diagnosis, page: PageView, own: &Law, now: i64) -> DiagnosisView {
    DiagnosisView {
        sucesso: true,
        gerado_em: CivilTime::of(None).at(now),
        empresas: diagnosis.companies.iter().map(|checkup| company(checkup, now)).collect(),
        page,
        notas_pendentes: unsettled(&diagnosis.unsettled, now),
        autoridades: diagnosis.authorities.iter().map(|health| authority_view(health, now)).collect(),
        lei: law(own),
    }
}

fn law(own: &Law) -> LawView {
    let change = |change: &LawChange| LawChangeView {
        documento: change.documento.word().to_owned(),
        codigo_status: change.status(),
        regra: change.regra.clone(),
        ambiente: change.ambiente.map(Word),
        mudanca: change.effect_in_words(),
        fonte: change.fonte.clone(),
    };
    LawView {
        cbs: own.cbs().map(|(ano, rate)| LawRateView { ano: ano.into(), aliquota: rate.to_string() }).collect(),
        regras: own.changes().iter().map(change).collect(),
    }
}

fn company(checkup: &CompanyCheckup, now: i64) -> CompanyDiagnosisView {
    let company = &checkup.company;
    let time = CivilTime::of(Some(company));
    let (jobs, at_work) = checkup.queue;
    CompanyDiagnosisView {
        cpf_cnpj: company.cpf_cnpj,
        nome_razao_social: name(&company.dados),
        certificado: certificate(company.certificado.as_ref(), time, now),
        jobs: CompanyJobsView { pendentes: jobs - at_work, em_processamento: at_work },
        documentos: checkup.routes.iter().map(|way| route_view(way, time)).collect(),
        bloqueios_656: checkup.blocks.iter().map(|one| block(one, time)).collect(),
        consultas_na_ultima_hora: checkup.budgets.iter().map(budget).collect(),
        buscas_que_voltaram: checkup.resets.iter().map(|one| reset(one, time)).collect(),
    }
}

fn route_view(way: &AuthorityRoute, time: CivilTime) -> AuthorityRouteView {
    let svc = |(name, circuit): &(String, Option<Circuit>)| SvcView {
        autoridade: name.clone(),
        disjuntor: state(circuit.as_ref(), time),
        ultima_resposta: last_answer(circuit.as_ref(), time),
    };
    AuthorityRouteView {
        tipo: Word(way.tipo),
        modelo: way.modelo,
        ambiente: Word(way.ambiente),
        uf: way.uf.sigla(),
        autoridade: way.authority.clone(),
        contingencia: way.contingencia,
        disjuntor: state(way.circuit.as_ref(), time),
        ultima_resposta: last_answer(way.circuit.as_ref(), time),
        svc: way.svc.as_ref().map(svc),
    }
}

/// State of a circuit; an absent one is closed.
fn state(circuit: Option<&Circuit>, time: CivilTime) -> CircuitView {
    let open = circuit.filter(|circuit| circuit.opened_at.is_some());
    CircuitView {
        estado: Word(circuit.map_or(CircuitState::Closed, |circuit| circuit.state)),
        desde: open.and_then(|circuit| circuit.opened_at).map(|at| time.at(at)),
        motivo: open.and_then(|circuit| circuit.reason.clone()),
    }
}

/// Last answer of the authority about its own service; a recorded cStat of 0 stands for no answer.
fn last_answer(circuit: Option<&Circuit>, time: CivilTime) -> Option<ServiceStatusView> {
    let (cStat, xMotivo) = circuit?.status_answer.as_ref()?;
    Some(ServiceStatusView {
        codigo_status: Some(*cStat).filter(|cStat| *cStat != 0),
        motivo_status: xMotivo.clone(),
        em: circuit?.status_answered_at.map(|at| time.at(at)),
    })
}

fn block(block: &CompanyBlock, time: CivilTime) -> BlockView {
    BlockView { autoridade: block.authority.clone(), ate: time.at(block.until) }
}

fn reset(one: &WalkReset, time: CivilTime) -> WalkResetView {
    WalkResetView { tipo: Word(one.tipo), de: one.de, para: one.para, em: time.at(one.em) }
}

fn budget(bucket: &RateBucket) -> BudgetView {
    let (authority, service) = bucket.servico.rsplit_once(' ').unwrap_or(("", &bucket.servico));
    BudgetView {
        autoridade: authority.to_owned(),
        servico: service.to_owned(),
        consultas: bucket.most,
        limite: bucket.per_hour,
        assuntos: bucket.subjects,
    }
}

fn unsettled(jobs: &[Job], now: i64) -> UnsettledView {
    let in_doubt = jobs.iter().filter(|job| stands(job, Stand::InDoubt)).count();
    let mut given_out: Vec<&Job> = jobs.iter().filter(|job| deadline(job).is_some()).collect();
    given_out.sort_by_key(|job| deadline(job));
    UnsettledView {
        em_contingencia: given_out.len(),
        em_duvida: in_doubt,
        proximas_do_prazo: given_out.iter().take(LISTED).map(|job| waiting(job, now)).collect(),
    }
}

fn waiting(job: &Job, now: i64) -> DeadlineView {
    let (document, time) = (job.document.as_ref(), CivilTime::of(None));
    DeadlineView {
        job_id: job.id,
        tipo: Word(job.tipo),
        cpf_cnpj: job.cpf_cnpj,
        numero: document.map(|document| document.numero),
        serie: document.map(|document| document.serie.to_string()),
        chave: document.and_then(|document| document.chave),
        prazo_transmissao: deadline(job).map(|at| time.at(at)),
        vencida: deadline(job).is_some_and(|deadline| deadline < now),
        consulta: consulta(job),
    }
}

/// Deadlines listed at most.
const LISTED: usize = 20;

fn stands(job: &Job, state: Stand) -> bool {
    job.document.as_ref().is_some_and(|document| document.state == state)
}

/// Transmission deadline of a document issued in contingency.
fn deadline(job: &Job) -> Option<i64> {
    job.document.as_ref()?.contingencia.as_ref()?.prazo_transmissao
}

fn authority_view(health: &AuthorityHealth, now: i64) -> AuthorityConnectionView {
    AuthorityConnectionView {
        authority: status::authority(health),
        latencia_ms: health.latency_ms,
        falha: health.last_error.clone(),
        tls: health.tls.as_ref().map(|handshake| tls(handshake, now)),
    }
}

/// TLS parameters of the last connection; the reason of a failed one is in `falha`.
fn tls(handshake: &Handshake, now: i64) -> TlsView {
    let time = CivilTime::of(None);
    let certificate = |shown: &ChainCertificate| ChainView {
        titular: shown.subject.clone(),
        emissor: shown.issuer.clone(),
        valido_ate: shown.valid_until.map(|at| time.at(at)),
    };
    let ends = handshake.chain.iter().filter_map(|shown| shown.valid_until).min();
    TlsView {
        servidor: handshake.server.clone(),
        protocolo: handshake.protocol,
        cifra: handshake.cipher.clone(),
        cadeia: handshake.chain.iter().map(certificate).collect(),
        dias_para_expirar: ends.map(|ends| (ends - now).div_euclid(DAY_S)),
    }
}

const DAY_S: i64 = 86_400;
