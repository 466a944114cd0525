//! A claimed job: its document, its log, and the writes that every step makes.

use super::claim_memory::SendObservation;
use super::lot::{LotLeader, LotReservation};
use super::{ClaimOutcome, Halt, NextStep};
use crate::Engine;
use crate::acceptance::cached_body::CachedBody;
use crate::authorities::budget::HourlyBudget;
use crate::authorities::certificates::CertificateUnusable;
use crate::authorities::health::Channel;
use crate::authorities::hosts::{NoHost, is_unregistered};
use crate::authorities::undue_use;
use crate::contingency::EmissionMode;
use crate::family::issuer::{FamilyIssuer, NotIssuer};
use crate::family::municipal_provider::MunicipalProvider;
use crate::family::{self, Family};
use crate::order::Order;
use crate::order::emission::IssueRequest;
use crate::process::crash::crash_point;
use crate::process::local_time;
use crate::process::{backoff, randomness};
use crate::steps::settled;
use authority::answer::Rejection;
use authority::table::{AuthorityRole, AuthorityService, Endpoint, NoEndpoint, OwnHost};
use fiscal::document::DpsLayout;
use fiscal::lifecycle::{self, DocumentState, LifecycleEvent};
use fiscal::value::{ChaveAcesso, CivilOffset, Uf};
use signing::Certificate;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use store::companies::Company;
use store::jobs::{ClaimedJob, Job, JobDocument, JobFailure, Lease, LogLine, Operacao, StoredFile};

/// Most times that a job whose stored state is unexpected is read anew before it is given up.
const MAX_REREADS: u32 = 2;

/// A claimed job with its lease and the lines not yet written to its log.
pub(crate) struct ClaimedWork {
    pub(crate) engine: Engine,
    pub(crate) job: Job,
    pub(crate) lease: Lease,
    /// The layout that the host asked for in this claim.
    pub(super) requested_layout: Option<DpsLayout>,
    /// The mode already decided for a document about to be built anew: a trial of an authority is granted once.
    pub(crate) mode: Option<EmissionMode>,
    /// The protocol of the lot that brought the answer.
    pub(crate) protocol_of_lot: Option<String>,
    /// The reservation of a document in preparation that may join a lot.
    pub(super) lot_reservation: Option<LotReservation>,
    /// The leadership of a document that was sent alone, for which others wait as for a lot.
    pub(super) lot_leader: Option<LotLeader>,
    /// The lot in which the document was sent, where lots are numbered.
    pub(super) lot: Option<u64>,
    /// True if the same bytes left before and their outcome is unknown: no later failure makes them unsent.
    pub(super) is_repeated: bool,
    /// True if the document may be at the authority though this database never sent it: it is built again alike, and
    /// queried before it is sent.
    pub(super) is_made_again: bool,
    /// The company as it stood at the claim.
    company: Option<Arc<Company>>,
    /// The certificate, once it was opened for this claim.
    certificate: OnceLock<Arc<Certificate>>,
    /// The caller's order, once it was read; without items where there is a `body`.
    order: OnceLock<Option<Arc<IssueRequest>>>,
    /// The body as acceptance wrote it.
    pub(super) body: Option<CachedBody>,
    history: Vec<LogLine>,
}

impl ClaimedWork {
    /// Returns the stored bytes of a document that was prepared before.
    pub(super) async fn signed_xml(&self) -> Result<String, Halt> {
        Ok(self.engine.store().file(self.job.tenant_id, self.job.id, StoredFile::Signed).await?)
    }

    /// Starts a claim with its first log line.
    pub(crate) fn new(engine: Engine, claimed: ClaimedJob) -> ClaimedWork {
        let (order, body) = match engine.inner.order_cache.remove_order(claimed.job.id) {
            Some(left) => (Some(left.order).into(), left.body),
            None => (OnceLock::new(), None),
        };
        let mut work = ClaimedWork {
            engine,
            job: claimed.job,
            lease: claimed.lease,
            requested_layout: None,
            mode: None,
            protocol_of_lot: None,
            lot_reservation: None,
            lot_leader: None,
            lot: None,
            is_repeated: false,
            is_made_again: false,
            company: claimed.company,
            certificate: OnceLock::new(),
            order,
            body,
            history: Vec::new(),
        };
        work.log(format!("Tentativa {}.", work.job.tentativas));
        work
    }

    /// Adds a line to the job log; it is written with the next commit.
    pub(crate) fn log(&mut self, text: impl Into<String>) {
        let at_ms = self.engine.now().as_millisecond();
        self.history.push(LogLine { at_ms, text: text.into() });
    }

    /// Takes the lines for the next commit.
    pub(crate) fn take_lines(&mut self) -> Vec<LogLine> {
        std::mem::take(&mut self.history)
    }

    /// Puts back lines that could not be written.
    pub(crate) fn restore_lines(&mut self, lines: Vec<LogLine>) {
        self.history.splice(0..0, lines);
    }

    /// The order of an emission: from the cache of acceptance, or read once from its payload.
    pub(crate) fn order(&self) -> Option<&Arc<IssueRequest>> {
        self.order.get_or_init(|| Order::emission(&self.job)).as_ref()
    }

    /// The order with all of its items.
    pub(crate) fn whole_order(&self) -> Option<Arc<IssueRequest>> {
        if self.body.is_some() { Order::emission(&self.job) } else { self.order().cloned() }
    }

    pub(crate) fn state(&self) -> DocumentState {
        self.job.document.as_ref().map_or(DocumentState::Accepted, |document| document.state)
    }

    /// `true` if nothing of this job can have left us yet.
    fn untouched(&self) -> bool {
        match self.job.operacao {
            Operacao::Emissao => matches!(self.state(), DocumentState::Accepted | DocumentState::Failed),
            _ => self.job.event_xml.is_none(),
        }
    }

    /// Returns the state after an occurrence; `Halt::Illegal` if `fiscal::lifecycle` refuses it.
    pub(crate) fn state_after(&self, happened: LifecycleEvent) -> Result<DocumentState, Halt> {
        lifecycle::next(self.state(), happened).map_err(Halt::Illegal)
    }

    /// Commits a change between two states that are not final, with the lines so far. An unchanged state needs no
    /// commit.
    pub(crate) async fn mark(&mut self, happened: LifecycleEvent) -> Result<(), Halt> {
        let state = self.state_after(happened)?;
        if state == self.state() {
            return Ok(());
        }
        let refusal = self.document()?.refusal.clone();
        self.write_mark(state, refusal).await
    }

    /// Commits a doubt with the refusal that is to be proven.
    pub(crate) async fn mark_refusal(&mut self, refusal: String) -> Result<(), Halt> {
        let state = self.state_after(LifecycleEvent::NoReply)?;
        self.write_mark(state, Some(refusal)).await
    }

    async fn write_mark(&mut self, state: DocumentState, refusal: Option<String>) -> Result<(), Halt> {
        let (lines, now) = (self.take_lines(), self.engine.now_s());
        self.engine.store().mark_state(self.lease, state, refusal.clone(), now, lines).await?;
        self.engine.inner.claim_memory.record_possible_send(&self.job, now);
        if let Some(document) = &mut self.job.document {
            (document.state, document.refusal, document.last_sent_at) = (state, refusal, Some(now));
        }
        Ok(())
    }

    /// Time left until a query that does not find the document proves that it never arrived.
    pub(crate) fn quiet_time_left(&self, family: &Family) -> Result<Duration, Halt> {
        let quiet_s = self.engine.inner.circuit_monitor.options.quiet_s(family);
        let now = self.engine.now_s();
        let last_sent_at = self.document()?.last_sent_at;
        let passed_s = now.saturating_sub(last_sent_at.unwrap_or(now));
        let seen = self.engine.inner.claim_memory.in_doubt_for(&self.job, last_sent_at);
        let passed = match u64::try_from(passed_s) {
            Ok(passed_s) => Duration::from_secs(passed_s).min(seen),
            // written by a clock that has come back since, so it proves nothing; this process saw no sending for as
            // long
            Err(_) if passed_s < -quiet_s => seen,
            Err(_) => Duration::ZERO,
        };
        Ok(Duration::from_secs(quiet_s.unsigned_abs()).saturating_sub(passed))
    }

    /// The emission's document; every step after `prepare` has one.
    pub(crate) fn document(&self) -> Result<&JobDocument, Halt> {
        let absent = || Halt::Store(store::Error::Corrupt("o documento do job não existe"));
        self.job.document.as_ref().ok_or_else(absent)
    }

    /// Key of the document.
    pub(crate) fn chave(&self) -> Result<ChaveAcesso, Halt> {
        let absent = || Halt::Store(store::Error::Corrupt("o documento não tem chave de acesso"));
        self.document()?.acesso().ok_or_else(absent)
    }

    /// Identity by which the authority is queried.
    pub(crate) fn asked_by(&self) -> Result<String, Halt> {
        let absent = || Halt::Store(store::Error::Corrupt("o documento não tem pelo que ser consultado"));
        self.document()?.asked_by.clone().ok_or_else(absent)
    }

    /// The company as an issuer of a family.
    pub(crate) fn issuer(&self, family: &Family) -> Result<FamilyIssuer, NotIssuer> {
        let company = self.company.as_ref().ok_or(NotIssuer::UnknownCompany)?;
        FamilyIssuer::new(Arc::clone(company), family).ok_or(NotIssuer::NotConfigured)
    }

    /// State whose authority judges the document.
    pub(crate) fn uf(&self) -> Result<Uf, Halt> {
        let absent = || Halt::Store(store::Error::Corrupt("o documento não diz de que estado é"));
        self.document()?.uf().ok_or_else(absent)
    }

    /// Civil time of the company by its record at the claim; else of a state.
    pub(crate) fn civil(&self, uf: Uf) -> CivilOffset {
        self.company.as_deref().map_or(uf.into(), |company| local_time::civil_of_record(&company.dados, uf))
    }

    /// Family of the emission's document.
    pub(crate) fn family(&self) -> Result<&'static Family, Halt> {
        let absent = || Halt::Store(store::Error::Corrupt("o documento do job não é de nenhuma família"));
        family::of(self.document()?.counted).ok_or_else(absent)
    }

    /// Role of the authority in charge: a contingency authority knows only its own documents.
    pub(crate) fn role(&self) -> Result<AuthorityRole, Halt> {
        Ok(self.family()?.role(self.document()?.tipo_emissao))
    }

    /// `true` if the document was given out before its authority has it.
    pub(crate) fn is_given_out(&self) -> Result<bool, Halt> {
        Ok(self.family()?.is_given_out(self.document()?.tipo_emissao))
    }

    /// Channel to the authority of a state for this company. Without a usable certificate a job that sent nothing is
    /// given up; one in doubt waits for a good certificate, since only the authority can end the doubt.
    pub(crate) async fn channel(&self, uf: Uf, family: &'static Family, etapa: &'static str) -> Result<Channel, Halt> {
        let (tenant, company) = (self.job.tenant_id, self.job.cpf_cnpj);
        let (host, city_hall) = (self.host(etapa).await?, self.city_hall(etapa).await?);
        let at_claim = || self.company.as_deref().and_then(|company| self.engine.certificate_in_use(company));
        let certificate = match (self.certificate.get().cloned().or_else(at_claim), self.untouched()) {
            (Some(opened), _) => Ok(opened),
            (None, true) => self.engine.certificate(tenant, company).await,
            (None, false) => self.engine.settling_certificate(tenant, company).await,
        };
        match certificate {
            Ok(certificate) => {
                self.certificate.get_or_init(|| Arc::clone(&certificate));
                let (ambiente, unregistered) = (self.job.ambiente, is_unregistered(&self.job.authority));
                Ok(Channel { uf, civil: self.civil(uf), family, ambiente, certificate, host, unregistered, city_hall })
            }
            Err(CertificateUnusable::Store(error)) => Err(Halt::Store(error)),
            Err(unusable) => {
                let failure = failure(unusable.codigo(), etapa, unusable.to_string());
                Err(Halt::Step(match self.untouched() {
                    true => NextStep::GiveUp { failure: JobFailure { etapa: "assinatura".to_owned(), ..failure } },
                    false => NextStep::Again { after: backoff::LONGEST, failure },
                }))
            }
        }
    }

    /// The município's own server, if the job goes there. Without its address a job that sent nothing is given up; one
    /// in doubt waits for it.
    async fn host(&self, etapa: &'static str) -> Result<Option<Arc<OwnHost>>, Halt> {
        let job = &self.job;
        match self.engine.host_named(job.tenant_id, job.cpf_cnpj, job.ambiente, &job.authority).await {
            Ok(host) => Ok(host),
            Err(none) => Err(self.no_host(none, etapa)),
        }
    }

    /// The municipal provider, under the rules of `host`.
    async fn city_hall(&self, etapa: &'static str) -> Result<Option<Arc<MunicipalProvider>>, Halt> {
        let job = &self.job;
        match self.engine.municipal_provider_named(job.tenant_id, job.cpf_cnpj, job.ambiente, &job.authority).await {
            Ok(hall) => Ok(hall),
            Err(none) => Err(self.no_host(none.into(), etapa)),
        }
    }

    fn no_host(&self, none: NoHost, etapa: &'static str) -> Halt {
        let none = match none {
            NoHost::Store(error) => return Halt::Store(error),
            none => none,
        };
        let failure = failure("autoridade_sem_endereco", etapa, none.to_string());
        Halt::Step(match self.untouched() {
            true => NextStep::GiveUp { failure },
            false => NextStep::Again { after: backoff::LONGEST, failure },
        })
    }

    /// Address of a service of the authority in a role, unless that has blocked this company (656).
    pub(crate) fn endpoint_of(
        &self,
        channel: &Channel,
        service: AuthorityService,
        role: AuthorityRole,
    ) -> Result<Endpoint, Halt> {
        self.not_blocked(self.engine.endpoint(channel, service, role))
    }

    /// Address of the service that receives a signed document, unless its authority has blocked this company.
    pub(crate) fn endpoint_for(&self, channel: &Channel, signed: &str) -> Result<Endpoint, Halt> {
        self.not_blocked(self.engine.endpoint_for(channel, signed, self.role()?))
    }

    fn not_blocked(&self, found: Result<Endpoint, NoEndpoint>) -> Result<Endpoint, Halt> {
        let endpoint = found.map_err(|none| {
            let failure = failure("autoridade_sem_endereco", "transmissao", none.to_string());
            Halt::Step(NextStep::Again { after: backoff::LONGEST, failure })
        })?;
        let now = self.engine.now_s();
        let transmitter = undue_use::transmitter_of(self.job.cpf_cnpj);
        match self.engine.inner.undue_use.wait(&transmitter, &endpoint.authority, now) {
            None => Ok(endpoint),
            Some(after) => Err(Halt::Step(NextStep::Again { after, failure: blocked() })),
        }
    }

    /// Counts a call before it is made, in the bucket of its subject; requeues the job when the authority's hourly
    /// limit is reached.
    pub(crate) async fn count_call(
        &mut self,
        budget: HourlyBudget,
        endpoint: &Endpoint,
        about: &str,
        line: &str,
    ) -> Result<(), Halt> {
        let (tenant, id) = (self.job.tenant_id, self.job.id);
        let transmitter = undue_use::transmitter_of(self.job.cpf_cnpj);
        if let Some(after) = self.engine.count_call(budget, &transmitter, endpoint, about).await? {
            let why = "As consultas de uma hora são contadas: a seguinte espera, para não gerar consumo indevido nem faltar quando a \
                       autoridade voltar.";
            return Err(Halt::Step(NextStep::Again {
                after,
                failure: failure("limite_de_consultas", "consulta", why),
            }));
        }
        self.log(line);
        let lines = self.take_lines();
        self.engine.store().append_log(tenant, id, lines).await?;
        crash_point("spend.logged");
        Ok(())
    }

    /// Records an observation for the next claim.
    pub(crate) fn remember(&self, seen: SendObservation) {
        self.engine.inner.claim_memory.remember(&self.job, seen);
    }

    /// Forgets the observation, since from here on the bytes may have left us.
    pub(crate) fn forget(&self) {
        self.engine.inner.claim_memory.forget(&self.job);
    }

    /// Takes the observation of the last claim.
    pub(crate) fn recall(&self) -> Option<SendObservation> {
        self.engine.inner.claim_memory.recall(&self.job)
    }

    /// `true` if an unexpected state may be momentary; only a few times for each job.
    pub(crate) fn may_reread(&self) -> bool {
        self.engine.inner.claim_memory.count_state_mismatch(&self.job) <= MAX_REREADS
    }

    /// Counts a failed call and returns the wait after it.
    pub(crate) fn backoff(&self) -> Duration {
        backoff::wait(self.engine.inner.claim_memory.count_failure(&self.job), randomness::draw())
    }

    /// Handles an authority that answers and does not work now, or has blocked us: nothing was decided about the
    /// document.
    pub(crate) fn after_unavailable(&mut self, channel: &Channel, authority: &str, said: &Rejection) -> NextStep {
        self.log(format!("A autoridade {authority} respondeu {} {}.", said.codigo, said.xMotivo));
        if channel.family.wire.is_undue_use(&said.codigo) {
            let now = self.engine.now_s();
            let transmitter = undue_use::transmitter_of(self.job.cpf_cnpj);
            let after = self.engine.inner.undue_use.block(&transmitter, authority, now);
            return NextStep::Again { after, failure: blocked() };
        }
        self.engine.inner.health.record_service_status(authority, channel.ambiente, &said.codigo, &said.xMotivo);
        let why = format!("A autoridade está indisponível: {} {}", said.codigo, said.xMotivo);
        NextStep::Again { after: self.backoff(), failure: failure("autoridade_indisponivel", "transmissao", why) }
    }

    /// Requeues the job.
    pub(crate) async fn requeue(&mut self, after: Duration, mut failure: JobFailure) -> Result<ClaimOutcome, Halt> {
        let now = self.engine.now_s();
        let run_at = now.saturating_add(i64::try_from(after.as_secs()).unwrap_or(i64::MAX));
        failure.proxima_tentativa_em = Some(run_at);
        self.log_wait(&failure, after);
        self.engine.store_blocks().await?;
        self.log(format!("{} Nova tentativa em {} s.", failure.mensagem, after.as_secs()));
        let lines = self.take_lines();
        self.engine.store().retry_at(self.lease, run_at, Some(failure), now, lines).await?;
        crash_point("again.committed");
        Ok(ClaimOutcome::Again)
    }

    /// Logs each reason once at info level, however often the job is requeued with it.
    fn log_wait(&self, failure: &JobFailure, after: Duration) {
        let known = self.job.erro.as_ref().is_some_and(|erro| erro.codigo == failure.codigo);
        let (codigo, retry_in_s) = (&failure.codigo, after.as_secs());
        if known {
            tracing::debug!(error.codigo = codigo, retry_in_s, "job still waits");
        } else {
            tracing::info!(error.codigo = codigo, error.cause = failure.mensagem, retry_in_s, "job waits");
        }
    }

    /// Ends the job as failed. A number that never left us is free again; a document in doubt keeps its number and its
    /// state.
    pub(crate) async fn give_up(&mut self, failure: JobFailure) -> Result<ClaimOutcome, Halt> {
        let state = match (&self.job.document, self.state()) {
            (Some(_), DocumentState::Accepted) => Some(self.state_after(LifecycleEvent::GaveUp)?),
            _ => None,
        };
        self.log(format!("Falha definitiva: {}", failure.mensagem));
        let lines = self.take_lines();
        self.engine.store().fail_job(self.lease, failure.clone(), state, self.engine.now_s(), lines).await?;
        settled::failed(self, &failure);
        crash_point("give_up.committed");
        Ok(ClaimOutcome::GivenUp)
    }
}

/// A failure that may pass; a step that knows otherwise changes it.
pub(crate) fn failure(codigo: &str, etapa: &str, mensagem: impl Into<String>) -> JobFailure {
    JobFailure {
        codigo: codigo.to_owned(),
        etapa: etapa.to_owned(),
        mensagem: mensagem.into(),
        repetivel: true,
        proxima_tentativa_em: None,
    }
}

fn blocked() -> JobFailure {
    let why = "A autoridade bloqueou a empresa por consumo indevido (656 da NF-e, 678 do CT-e); nenhuma chamada é feita durante uma hora.";
    failure("consumo_indevido", "transmissao", why)
}
