//! State of a document in plain words.

use engine::jobs::query::{is_given_out, was_given_out};
use fiscal::lifecycle::DocumentState;
use maud::{Markup, html};
use store::jobs::{Job, JobStatus, Operacao};
use store::numbers::NumberedKind;

use crate::api::instant::CivilTime;
use crate::painel::words;

/// State of a job, for people.
pub(super) struct DocumentStanding {
    /// Class of the style.
    class: &'static str,
    label: &'static str,
    /// Consequences and remedies.
    pub(super) sentence: String,
    /// True while the state may change by itself.
    pub(super) is_moving: bool,
    /// True for a state that asks for a person.
    pub(super) is_bad: bool,
}

impl DocumentStanding {
    pub(super) fn of(job: &Job, time: CivilTime) -> DocumentStanding {
        match job.status {
            JobStatus::Pending | JobStatus::Processing => moving(job, time),
            JobStatus::Completed if job.operacao == Operacao::Emissao => decided(job),
            JobStatus::Completed => of_act(job),
            JobStatus::Failed => failed(job),
            JobStatus::Cancelled => {
                let sentence = "Saiu da fila antes de ser enviado: a autoridade não recebeu nada.";
                DocumentStanding::still("cancelada", "retirado antes do envio", sentence.to_owned(), false)
            }
        }
    }

    /// State of an act on a document, which has no document of its own.
    pub(super) fn of_order(act: &Job, time: CivilTime) -> DocumentStanding {
        DocumentStanding::of(&Job { document: None, ..act.clone() }, time)
    }

    /// The state with its colour.
    pub(super) fn mark(&self) -> Markup {
        html! { span class={ "estado " (self.class) } { (self.label) } }
    }

    fn still(class: &'static str, label: &'static str, sentence: String, is_bad: bool) -> DocumentStanding {
        DocumentStanding { class, label, sentence, is_moving: false, is_bad }
    }
}

fn moving(job: &Job, time: CivilTime) -> DocumentStanding {
    let state = job.document.as_ref().map(|document| document.state);
    let failure = job.erro.as_ref();
    let next = failure.and_then(|failure| failure.proxima_tentativa_em);
    let next = next.map(|at| format!(" Próxima tentativa em {}.", words::spoken(&time.at(at)))).unwrap_or_default();
    let why = failure.map(|failure| format!(" {}", failure.mensagem)).unwrap_or_default();
    let (class, label, sentence) = match (job.status, state) {
        _ if is_given_out(job) => (
            "pendente",
            "em contingência",
            format!("Já pode ser entregue ao comprador. O serviço ainda a transmite à autoridade.{why}{next}"),
        ),
        (_, Some(DocumentState::InDoubt)) => (
            "em_duvida",
            "em dúvida",
            format!(
                "A autoridade pode ter recebido e ainda não disse o que fez. Não emita de novo: o serviço pergunta sozinho até saber.{why}{next}"
            ),
        ),
        (JobStatus::Pending, _) if failure.is_some() => (
            "pendente",
            "espera nova tentativa",
            format!("Ainda não deu certo, e o serviço tenta de novo sozinho.{why}{next}"),
        ),
        (JobStatus::Pending, _) => ("pendente", "na fila", "Aceito; espera a vez de ser enviado.".to_owned()),
        _ => ("processando", "em processamento", "Está sendo enviado à autoridade agora.".to_owned()),
    };
    DocumentStanding { class, label, sentence, is_moving: true, is_bad: class == "em_duvida" }
}

fn decided(job: &Job) -> DocumentStanding {
    let still = DocumentStanding::still;
    let Some(document) = &job.document else {
        return still("usada", "concluído", "A operação terminou.".to_owned(), false);
    };
    match document.state {
        DocumentState::Authorized => {
            still("autorizada", "autorizada", "A autoridade autorizou: o documento vale.".to_owned(), false)
        }
        DocumentState::Cancelled if document.substituida_por.is_some() => {
            let sentence = "Outra nota tomou o lugar desta, que não vale mais.";
            still("cancelada", "substituída", sentence.to_owned(), false)
        }
        DocumentState::Cancelled => {
            still("cancelada", "cancelada", "Foi autorizada e depois cancelada: não vale mais.".to_owned(), false)
        }
        DocumentState::Rejected if was_given_out(document) => {
            let sentence = "Foi entregue em contingência e depois a autoridade a recusou. O número continua sendo dela: corrija sem mudar \
                            valores, destinatário nem data, e emita de novo com a mesma série e o mesmo número.";
            still("rejeitada", "rejeitada", sentence.to_owned(), true)
        }
        DocumentState::Rejected => {
            let number = match document.counted {
                NumberedKind::Dps | NumberedKind::Rps => "",
                _ => " O número volta a ficar livre para o próximo documento.",
            };
            let sentence =
                format!("A autoridade recusou e nada foi emitido. Corrija o que ela aponta e emita de novo.{number}");
            still("rejeitada", "rejeitada", sentence, true)
        }
        DocumentState::Denied => {
            let sentence =
                "A autoridade negou o uso do documento por irregularidade de uma das partes. O número está gasto.";
            still("denegada", "denegada", sentence.to_owned(), true)
        }
        _ => still("usada", "concluído", "A operação terminou.".to_owned(), false),
    }
}

/// State of a finished job without a document of its own.
fn of_act(job: &Job) -> DocumentStanding {
    let is_voided = job.act.as_ref().and_then(|act| act.void()).is_some_and(|range| range.voided);
    let is_registered = job.act.as_ref().and_then(|act| act.event()).is_some_and(|event| event.dhRegEvento.is_some());
    let answer =
        job.event_result.as_ref().map(|(codigo, xMotivo)| format!("Resposta da autoridade: {codigo} {xMotivo}"));
    match is_voided || is_registered {
        true => DocumentStanding::still("autorizada", "registrado", answer.unwrap_or_default(), false),
        false => DocumentStanding::still("rejeitada", "recusado", answer.unwrap_or_default(), true),
    }
}

fn failed(job: &Job) -> DocumentStanding {
    let why = job.erro.as_ref().map(|failure| failure.mensagem.as_str()).unwrap_or_default();
    let repeats = job.erro.as_ref().is_some_and(|failure| failure.repetivel);
    let advice = if repeats { " Resolva a causa e reprocesse." } else { "" };
    let sentence = format!("Parou antes de uma decisão da autoridade. {why}{advice}");
    DocumentStanding::still("erro", "falhou", sentence, true)
}
