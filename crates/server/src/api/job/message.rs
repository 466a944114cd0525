//! `mensagem`: a job's status in a sentence.

use engine::jobs::query::{is_given_out, was_given_out};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use store::jobs::{JobAct, JobStatus, Operacao};

use super::JobFacts;

impl JobFacts {
    pub(super) fn mensagem(&self) -> String {
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
            (JobStatus::Cancelled, _) if job.act.as_ref().and_then(JobAct::replaced_by).is_some() => {
                "A autoridade não recebeu esta nota; a venda foi emitida em outra, ver substituida_por_job_id"
                    .to_owned()
            }
            (JobStatus::Cancelled, _) => "Operação cancelada antes do envio".to_owned(),
        }
    }

    /// Message of a job between two attempts. When the document may be at the authority, it warns against issuing it
    /// again and gives the reason of the wait.
    fn waiting(&self) -> String {
        let Some(failure) = self.job.erro.as_ref() else { return "Aguardando nova tentativa".to_owned() };
        let next = failure.proxima_tentativa_em.map(|at| format!(" Próxima tentativa em {}.", self.time.at(at)));
        let next = next.unwrap_or_default();
        match self.may_be_there() {
            true => format!(
                "A autoridade pode ter recebido a nota e ainda não disse o que fez com ela: não a emita de novo. {}{next}",
                failure.mensagem
            ),
            false => format!("Aguardando nova tentativa: {}{next}", failure.mensagem),
        }
    }

    fn outcome(&self) -> String {
        let (job, Some(document)) = (&self.job, &self.document) else { return "Concluído".to_owned() };
        let motivo = document.xMotivo.as_deref().unwrap_or_default();
        match document.state {
            DocumentState::Authorized => "Nota autorizada".to_owned(),
            DocumentState::Cancelled => "Nota autorizada e depois cancelada".to_owned(),
            DocumentState::Rejected if was_given_out(document) => {
                let tag = if job.tipo == Tipo::Cte { "nCT" } else { "nNF" };
                format!("Nota entregue em contingência e rejeitada pela autoridade: {motivo}. {REJECTED_LATE} {tag}")
            }
            DocumentState::Rejected => format!("Nota rejeitada pela autoridade: {motivo}"),
            DocumentState::Denied => format!("Uso da nota denegado pela autoridade: {motivo}"),
            DocumentState::Accepted
            | DocumentState::Issued
            | DocumentState::Sending
            | DocumentState::InDoubt
            | DocumentState::Failed => "Concluído".to_owned(),
        }
    }

    fn cancellation_outcome(&self) -> String {
        let cancelled = self.document.as_ref().is_some_and(|document| document.state == DocumentState::Cancelled);
        match &self.job.event_result {
            _ if cancelled => "Nota cancelada".to_owned(),
            Some((_, xMotivo)) => format!("Cancelamento rejeitado pela autoridade: {xMotivo}"),
            None => "Cancelamento concluído".to_owned(),
        }
    }

    fn void_outcome(&self) -> String {
        let voided = self.job.act.as_ref().and_then(JobAct::void).is_some_and(|range| range.voided);
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
            Operacao::AnaliseFiscal => "Pedido de análise fiscal",
            _ => "Evento",
        };
        match &self.job.event_result {
            Some((codigo, _)) if matches!(codigo.number(), Some(134 | 135 | 136 | 155 | 573 | 631)) => {
                format!("{what}: registro confirmado pela autoridade")
            }
            Some((codigo, _)) if codigo.as_str() == REGISTERED => {
                format!("{what}: registro confirmado pela autoridade")
            }
            Some((_, xMotivo)) => format!("{what}: recusa da autoridade: {xMotivo}"),
            None => format!("{what}: concluído"),
        }
    }
}

/// Stored in place of a code for an event of an NFS-e: the Sefin returns no code, only the registered event.
const REGISTERED: &str = "registrado";
/// Message of a document issued in contingency, which its buyer may have already.
const GIVEN_OUT: &str = "Nota emitida em contingência: pode ser entregue e aguarda a transmissão à autoridade";
/// Remedy for a document rejected after it was issued in contingency.
const REJECTED_LATE: &str = "O número não vai para outra nota: corrija sem mudar valores, destinatário nem data e emita de novo com a mesma \
                             série e o mesmo";
