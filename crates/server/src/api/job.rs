//! A job as answers show it: one body for queries, replays and webhooks.
//!
//! Law: `spec/not-shown.md` §4, job query.

use engine::print::has_form;
use engine::query::{document_is_given_out, is_given_out, keeps_its_own};
use fiscal::lifecycle::State;
use fiscal::nfe::qr;
use fiscal::value::{CnpjCpf, TpAmb, amount};
use serde_json::{Number, Value, json};
use std::collections::HashSet;
use store::companies::Company;
use store::jobs::{Act, Contingencia, Document, Failure, Job, JobStatus, Operacao};
use store::{Sight, Store};
use uuid::Uuid;

use super::error::ApiError;
use super::instant::StateTime;
use super::voided;

/// What the body of a job is made of.
pub(crate) struct JobView {
    job: Job,
    /// The document: the job's own, or that of the job it cancels.
    document: Option<Document>,
    company: Option<Company>,
    time: StateTime,
}

impl JobView {
    /// Reads what stands beside the job: its company's state, the target of a cancellation.
    pub(crate) async fn read(store: &Store, job: Job) -> Result<JobView, ApiError> {
        let company = match store.company(job.tenant_id, job.cpf_cnpj).await {
            Ok(company) => Some(company),
            Err(store::Error::NotFound) => None,
            Err(other) => return Err(other.into()),
        };
        let document = match (&job.document, job.alvo) {
            (None, Some(alvo)) => store.job(Sight::whole(job.tenant_id), alvo).await?.document,
            (document, _) => document.clone(),
        };
        Ok(JobView::of(job, document, company))
    }

    /// Of what was read already.
    pub(crate) fn of(job: Job, document: Option<Document>, company: Option<Company>) -> JobView {
        JobView { job, document, time: StateTime::of(company.as_ref()), company }
    }

    /// An instant in the civil time of the company's state.
    pub(crate) fn instant(&self, seconds: i64) -> Value {
        self.time.json(seconds)
    }

    /// A job of a list, whose document came along.
    fn of_listed(job: Job, time: StateTime) -> JobView {
        JobView { document: job.document.clone(), job, company: None, time }
    }

    /// The note as a list of notes shows it: the document, and the job it came from.
    pub(crate) fn note(&self) -> Value {
        let job = &self.job;
        let mut note = self.nota().unwrap_or_else(|| json!({ "status": null }));
        note["job_id"] = json!(job.id);
        note["job_status"] = json!(status_word(self.status()));
        note["referencia_externa"] = json!(job.referencia);
        note["tipo"] = json!(job.tipo);
        note["cpf_cnpj"] = json!(job.cpf_cnpj.as_str());
        note["emitente"] = json!(job.cpf_cnpj.as_str());
        note["ambiente"] = json!(job.ambiente.word());
        note["consulta"] = json!(consulta(job));
        note["criado_em"] = self.time.json(job.criado_em);
        note["atualizado_em"] = self.time.json(job.atualizado_em);
        note["arquivos"] = self.arquivos();
        note
    }

    /// Where a new document of this company would go with a key of this environment (`spec/not-shown.md` §3).
    pub(crate) fn would_go_to(&self, key: TpAmb) -> TpAmb {
        let configuration = self.company.as_ref().and_then(|company| company.configuracoes.get(&self.job.tipo));
        let live = configuration.is_some_and(|configuration| configuration["ambiente"] == 1);
        if live { key } else { TpAmb::Homologacao }
    }

    /// The members of the job query.
    pub(crate) fn body(&self) -> Value {
        let job = &self.job;
        json!({
            "job_id": job.id,
            "referencia_externa": job.referencia,
            "tipo": job.tipo,
            "operacao": job.operacao.word(),
            "cpf_cnpj": job.cpf_cnpj.as_str(),
            "ambiente": job.ambiente.word(),
            "status": status_word(self.status()),
            "mensagem": self.mensagem(),
            "tentativas": job.tentativas,
            "idempotente": false,
            "webhook": job.webhook_url.is_some(),
            "consulta": consulta(job),
            "criado_em": self.time.json(job.criado_em),
            "atualizado_em": self.time.json(job.atualizado_em),
            "concluido_em": self.time.json_or_null(job.concluido_em),
            "nota": self.nota(),
            "substitui_job_id": job.act.as_ref().and_then(Act::replaces),
            "substituida_por_job_id": job.act.as_ref().and_then(Act::replaced_by),
            "evento_fiscal": self.evento(),
            "arquivos": self.arquivos(),
            "avisos": job.notices,
            "erro": job.erro.as_ref().map(|failure| failure.mensagem.clone()),
            "erro_detalhe": job.erro.as_ref().map_or(Value::Null, |failure| self.erro_detalhe(failure)),
        })
    }

    /// The first job of a reference that was used again (`spec/not-shown.md` §4). A job of production is shown to a credential of
    /// homologação only so far as to say that the reference is taken, and where.
    pub(crate) fn replayed(&self, credential: TpAmb, divergent: bool) -> Value {
        let mut body = if store::shows(credential, self.job.ambiente) { self.body() } else { self.taken() };
        body["idempotente"] = Value::Bool(true);
        body["payload_divergente"] = Value::Bool(divergent);
        body
    }

    /// The same members, without anything of the note.
    fn taken(&self) -> Value {
        let mut body = self.body();
        for told in ["nota", "evento_fiscal", "erro", "erro_detalhe", "substitui_job_id", "substituida_por_job_id"] {
            body[told] = Value::Null;
        }
        if let Some(files) = body["arquivos"].as_object_mut() {
            files.values_mut().for_each(|file| *file = Value::Null);
        }
        body["avisos"] = json!([]);
        body["mensagem"] =
            json!("A referência é de uma operação em produção: consulte-a com uma credencial de produção.");
        body
    }

    /// The document, or the range of numbers that none will carry.
    fn nota(&self) -> Option<Value> {
        let document = self.document.as_ref().map(|document| nota(document, self.job.ambiente, self.time));
        document.or_else(|| voided::nota(&self.job))
    }

    /// A note that was given out is under way until its authority has judged it, whether or not somebody works on it now.
    fn status(&self) -> JobStatus {
        match self.job.status {
            JobStatus::Pending if is_given_out(&self.job) || self.in_doubt() => JobStatus::Processing,
            status => status,
        }
    }

    /// The event of a job that acts on a document. `evento` alone is the member of webhooks that names what happened.
    fn evento(&self) -> Value {
        let result = self.job.event_result.as_ref();
        let event = self.job.act.as_ref().and_then(Act::event);
        let acts_on_document = self.job.alvo.is_some() || event.is_some();
        if !acts_on_document || (result.is_none() && event.is_none()) {
            return Value::Null;
        }
        json!({
            "tipo": self.job.operacao.word(),
            "chave": event.map(|event| &event.chave),
            "codigo": event.map(|event| &event.tpEvento),
            "sequencia": event.map(|event| event.nSeqEvento),
            "protocolo": event.and_then(|event| event.nProt.as_ref()),
            "data_registro": event.and_then(|event| event.dhRegEvento.as_ref()),
            "codigo_status": result.map(|(codigo, _)| codigo),
            "motivo_status": result.map(|(_, xMotivo)| xMotivo),
        })
    }

    /// Whether the authority has the event of this job, or has voided its numbers, and said so whole.
    fn has_its_file(&self) -> bool {
        match &self.job.act {
            Some(Act::Event(event)) => event.nProt.is_some() && event.dhRegEvento.is_some(),
            Some(Act::Void(range)) => range.voided && range.nProt.is_some(),
            Some(Act::Replaces(_) | Act::ReplacedBy(_)) | None => false,
        }
    }

    fn arquivos(&self) -> Value {
        let job = &self.job;
        let path = |file: &str| format!("/v1/{}/{}/file/{file}", job.tipo, job.id);
        let state = self.document.as_ref().map(|document| document.state);
        let authorised = matches!(state, Some(State::Authorized | State::Cancelled)) || is_given_out(job);
        let cancelled = state == Some(State::Cancelled);
        let made = if keeps_its_own(job) { self.has_its_file() } else { authorised };
        // a note that was refused is printed too, marked without fiscal value
        let refused = job.operacao == Operacao::Emissao && matches!(state, Some(State::Rejected | State::Denied));
        let printable = (made || refused) && job.operacao != Operacao::Inutilizacao && has_form(&job.tipo);
        json!({
            "xml": made.then(|| path("xml")),
            "pdf": printable.then(|| path("pdf")),
            "log": path("log"),
            "xml_cancelamento": cancelled.then(|| path("xml_cancelamento")),
        })
    }

    fn erro_detalhe(&self, failure: &Failure) -> Value {
        json!({
            "codigo": failure.codigo,
            "etapa": failure.etapa,
            "repetivel": failure.repetivel,
            "proxima_tentativa_em": self.time.json_or_null(failure.proxima_tentativa_em),
        })
    }

    fn mensagem(&self) -> String {
        let job = &self.job;
        if is_given_out(job) && matches!(job.status, JobStatus::Pending | JobStatus::Processing) {
            return GIVEN_OUT.to_owned();
        }
        match (job.status, job.operacao) {
            (JobStatus::Pending, _) if job.erro.is_some() => self.waiting(),
            (JobStatus::Pending, Operacao::Emissao) => "Nota aceita para processamento".to_owned(),
            (JobStatus::Pending, Operacao::Cancelamento) => "Cancelamento aceito para processamento".to_owned(),
            (JobStatus::Pending, Operacao::Inutilizacao) => "Inutilização aceita para processamento".to_owned(),
            (JobStatus::Pending, _) => "Evento aceito para processamento".to_owned(),
            (JobStatus::Processing, _) => "Em processamento".to_owned(),
            (JobStatus::Completed, Operacao::Emissao) => self.outcome(),
            (JobStatus::Completed, Operacao::Cancelamento) => self.cancellation_outcome(),
            (JobStatus::Completed, Operacao::Inutilizacao) => self.void_outcome(),
            (JobStatus::Completed, _) => self.event_outcome(),
            (JobStatus::Failed, _) => "A operação falhou antes de uma decisão da autoridade; veja erro".to_owned(),
            (JobStatus::Cancelled, _) if job.act.as_ref().and_then(Act::replaced_by).is_some() => {
                "A autoridade não recebeu esta nota; a venda foi emitida em outra, ver substituida_por_job_id"
                    .to_owned()
            }
            (JobStatus::Cancelled, _) => "Operação cancelada antes do envio".to_owned(),
        }
    }

    /// A job between two attempts: a document that may be at the authority waits for its answer, and why so long.
    fn waiting(&self) -> String {
        let Some(failure) = self.job.erro.as_ref() else { return "Aguardando nova tentativa".to_owned() };
        let next = failure.proxima_tentativa_em.map(|at| self.time.json(at));
        let next =
            next.as_ref().and_then(Value::as_str).map(|at| format!(" Próxima tentativa em {at}.")).unwrap_or_default();
        match self.in_doubt() {
            true => format!(
                "A autoridade pode ter recebido a nota e ainda não disse o que fez com ela: não a emita de novo. {}{next}",
                failure.mensagem
            ),
            false => format!("Aguardando nova tentativa: {}{next}", failure.mensagem),
        }
    }

    fn in_doubt(&self) -> bool {
        let state = self.job.document.as_ref().map(|document| document.state);
        matches!(state, Some(State::Sending | State::InDoubt))
    }

    fn outcome(&self) -> String {
        let Some(document) = &self.document else { return "Concluído".to_owned() };
        let motivo = document.xMotivo.as_deref().unwrap_or_default();
        match document.state {
            State::Authorized => "Nota autorizada".to_owned(),
            State::Cancelled => "Nota autorizada e depois cancelada".to_owned(),
            State::Rejected if matches!(document.tipo_emissao, 4 | 9) => {
                format!("Nota entregue em contingência e rejeitada pela autoridade: {motivo}. {REJECTED_LATE}")
            }
            State::Rejected => format!("Nota rejeitada pela autoridade: {motivo}"),
            State::Denied => format!("Uso da nota denegado pela autoridade: {motivo}"),
            State::Accepted | State::Issued | State::Sending | State::InDoubt | State::Failed => "Concluído".to_owned(),
        }
    }

    fn cancellation_outcome(&self) -> String {
        let cancelled = self.document.as_ref().is_some_and(|document| document.state == State::Cancelled);
        match &self.job.event_result {
            _ if cancelled => "Nota cancelada".to_owned(),
            Some((_, xMotivo)) => format!("Cancelamento rejeitado pela autoridade: {xMotivo}"),
            None => "Cancelamento concluído".to_owned(),
        }
    }

    fn void_outcome(&self) -> String {
        let voided = self.job.act.as_ref().and_then(Act::void).is_some_and(|range| range.voided);
        match &self.job.event_result {
            _ if voided => "Numeração inutilizada".to_owned(),
            Some((_, xMotivo)) => format!("Inutilização rejeitada pela autoridade: {xMotivo}"),
            None => "Inutilização concluída".to_owned(),
        }
    }

    fn event_outcome(&self) -> String {
        let what = match self.job.operacao {
            Operacao::CartaCorrecao => "Carta de correção",
            Operacao::Manifestacao => "Manifestação",
            _ => "Evento",
        };
        match &self.job.event_result {
            Some((codigo, _)) if matches!(codigo.number(), Some(135 | 136 | 155 | 573)) => {
                format!("{what}: registro confirmado pela autoridade")
            }
            Some((_, xMotivo)) => format!("{what}: recusa da autoridade: {xMotivo}"),
            None => format!("{what}: concluído"),
        }
    }
}

/// The bodies of a list of jobs.
pub(crate) async fn listed(store: &Store, tenant: Uuid, jobs: Vec<Job>) -> Result<Vec<Value>, ApiError> {
    Ok(views(store, tenant, jobs).await?.iter().map(JobView::body).collect())
}

/// The entries of a list of notes.
pub(crate) async fn listed_notes(store: &Store, tenant: Uuid, jobs: Vec<Job>) -> Result<Vec<Value>, ApiError> {
    Ok(views(store, tenant, jobs).await?.iter().map(JobView::note).collect())
}

/// Each company is asked for its state once, however many jobs of it there are.
async fn views(store: &Store, tenant: Uuid, jobs: Vec<Job>) -> Result<Vec<JobView>, ApiError> {
    let companies: HashSet<CnpjCpf> = jobs.iter().map(|job| job.cpf_cnpj).collect();
    let records = store.company_records(tenant, companies.into_iter().collect()).await?;
    let time = |job: &Job| StateTime::of_record(records.get(&job.cpf_cnpj));
    let view = |job: Job| {
        let time = time(&job);
        JobView::of_listed(job, time)
    };
    Ok(jobs.into_iter().map(view).collect())
}

/// `/v1/<type>/consultar/<job_id>`
pub(crate) fn consulta(job: &Job) -> String {
    format!("/v1/{}/consultar/{}", job.tipo, job.id)
}

/// The contract's word.
pub(crate) fn status_word(status: JobStatus) -> &'static str {
    match status {
        JobStatus::Pending => "pending",
        JobStatus::Processing => "processing",
        JobStatus::Completed => "completed",
        JobStatus::Failed => "failed",
        JobStatus::Cancelled => "cancelled",
    }
}

fn nota_status(state: State) -> Option<&'static str> {
    match state {
        State::Authorized => Some("autorizada"),
        State::Rejected => Some("rejeitada"),
        State::Denied => Some("denegada"),
        State::Cancelled => Some("cancelada"),
        State::Accepted | State::Issued | State::Sending | State::InDoubt | State::Failed => None,
    }
}

fn nota(document: &Document, ambiente: TpAmb, time: StateTime) -> Value {
    let (qrcode, url_chave) = consultation(document, ambiente).unzip();
    json!({
        "status": nota_status(document.state),
        "modelo": document.counted.modelo(),
        "numero": document.numero,
        "serie": document.serie.to_string(),
        "chave": document.chave,
        "chave_acesso": document.chave,
        "protocolo": document.nProt,
        "data_emissao": document.dhEmi,
        "data_autorizacao": document.dhRecbto.as_ref().filter(|_| document.nProt.is_some()),
        "valor_total": total(&document.valor),
        "destinatario": document.destinatario,
        "codigo_status": document.codigo,
        "motivo_status": document.xMotivo,
        "motivo": document.xMotivo,
        "campo": document.campo,
        "tipo_emissao": document.tipo_emissao,
        "contingencia": document.contingencia.as_ref().map_or(Value::Null, |it| contingencia(document, it, time)),
        "qrcode": qrcode,
        "url_chave": url_chave,
    })
}

/// Why and since when the document goes another way, and whether the authority has it.
fn contingencia(document: &Document, contingencia: &Contingencia, time: StateTime) -> Value {
    json!({
        "tipo": contingencia.tipo,
        "autoridade": contingencia.autoridade,
        "desde": contingencia.desde,
        "justificativa": contingencia.justificativa,
        "prazo_transmissao": time.json_or_null(contingencia.prazo_transmissao),
        "protocolo_epec": contingencia.protocolo,
        "transmitida_em": document.dhRecbto,
    })
}

/// Of a note whose buyer may have it already.
const GIVEN_OUT: &str = "Nota emitida em contingência: pode ser entregue e aguarda a transmissão à autoridade";
/// What people must do.
const REJECTED_LATE: &str = "O número não vai para outra nota: corrija sem mudar valores, destinatário nem data e emita de novo com a mesma \
                             série e o mesmo nNF";

/// Text of the QR code and address of the consultation by key, once an NFC-e may be printed: when it is authorised, or issued offline.
fn consultation(document: &Document, ambiente: TpAmb) -> Option<(&str, &'static str)> {
    let printable = match document.state {
        State::Authorized | State::Cancelled => true,
        State::Issued | State::Sending | State::InDoubt => document_is_given_out(document),
        State::Accepted | State::Rejected | State::Denied | State::Failed => false,
    };
    let code = document.qrCode.as_deref().filter(|_| printable)?;
    let uf = document.acesso()?.parts().uf;
    Some((code, qr::addresses(uf, ambiente).chave))
}

/// A total as a JSON number with the two decimals the layout writes (TDec_1302); null when there is none yet.
pub(crate) fn total(decimal: &str) -> Value {
    let Some(mut total) = amount(decimal) else { return Value::Null };
    total.rescale(2);
    total.to_string().parse::<Number>().map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn a_total_keeps_the_decimals_of_the_document() {
        assert_eq!(total("100.0000").to_string(), "100.00");
        assert_eq!(total("9999999999999.10").to_string(), "9999999999999.10");
        assert_eq!(total("7").to_string(), "7.00");
        assert_eq!(total("").to_string(), "null");
    }
}
