//! End of a document, an event or a range of numbers, reported once: one log line and one count.
//!
//! Labels are of closed sets (`docs/guides/operacao.md` lists them): a metric must not grow with the content of
//! requests.

use crate::family::{self, Family};
use crate::steps::ClaimedWork;
use fiscal::cstat::CodeClass;
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, Codigo, TpAmb};
use store::jobs::{Job, JobAct, JobFailure};
use store::webhooks::Evento;

/// Outcome of a job, as labels.
#[derive(Debug, Clone, Copy)]
struct SettledOutcome<'e> {
    /// `autorizada`, `rejeitada`, …: the webhook's word where there is one.
    result: &'static str,
    class: &'static str,
    cStat: Option<u16>,
    codigo: Option<&'e str>,
}

/// Starts every series that an alert counts: a series that began with its first event would hide that event from
/// `increase`.
pub(crate) fn begin_at_zero() {
    for tipo in Tipo::ALL {
        for ambiente in [TpAmb::Producao, TpAmb::Homologacao] {
            for (result, class) in counted() {
                counter(tipo, ambiente, result, class).increment(0);
            }
        }
    }
}

/// Results with each of their frequent classes; other refusals count under their own class only when they occur.
fn counted() -> impl Iterator<Item = (&'static str, &'static str)> {
    let failed = FAILURES.iter().map(|class| (Evento::Falhou.word(), *class));
    let refused = REFUSALS.iter().map(|class| (Evento::Rejeitada.word(), *class));
    failed.chain(refused).chain([(Evento::Autorizada.word(), "autorizado")])
}

const FAILURES: &[&str] = &["certificado", "cadastro", "documento", "numeracao", "divergencia", "interno", "outra"];
const REFUSALS: &[&str] = &["esquema", "certificado", "cadastro", "duplicidade", "numeracao", "prazo", "regra"];

fn counter(tipo: Tipo, ambiente: TpAmb, result: &'static str, class: &'static str) -> metrics::Counter {
    metrics::counter!("carimbo_documents_total", "tipo" => tipo.word(), "ambiente" => ambiente.word(),
        "resultado" => result, "classe" => class)
}

/// Reports the authority's decision.
pub(crate) fn log_judgement(work: &ClaimedWork, evento: Option<Evento>, codigo: &Codigo) {
    let Some(evento) = evento else { return };
    let class = match evento {
        Evento::EventoRegistrado | Evento::Inutilizada => "registrado",
        // by whatever route: 135, 155, or a query that found it cancelled
        Evento::Cancelada => "cancelado",
        Evento::Denegada => "denegado",
        _ => family::of_tipo(work.job.tipo).map_or("regra", |family| class_of(family, codigo)),
    };
    log_outcome(&work.job, SettledOutcome { result: evento.word(), class, cStat: codigo.number(), codigo: None });
}

/// Reports a job that was given up.
pub(crate) fn failed(work: &ClaimedWork, failure: &JobFailure) {
    let (result, class) = (Evento::Falhou.word(), failure_class(&failure.codigo));
    log_outcome(&work.job, SettledOutcome { result, class, cStat: None, codigo: Some(&failure.codigo) });
}

/// Reports a document that is sent no more, since its sale was issued under another number.
pub(crate) fn dropped(work: &ClaimedWork) {
    log_outcome(&work.job, SettledOutcome { result: "descartada", class: "contingencia", cStat: None, codigo: None });
}

/// Reports a job that its account withdrew before anything left us.
pub(crate) fn withdrawn(job: &Job) {
    span(job).in_scope(|| {
        log_outcome(job, SettledOutcome { result: "retirada", class: "conta", cStat: None, codigo: None })
    });
}

fn log_outcome(job: &Job, end: SettledOutcome<'_>) {
    let SettledOutcome { result, class, cStat, codigo } = end;
    counter(job.tipo, job.ambiente, result, class).increment(1);
    let (tipo, ambiente) = (job.tipo.word(), job.ambiente.word());
    macro_rules! line {
        ($level:ident) => {
            tracing::$level!(
                document.tipo = tipo,
                document.ambiente = ambiente,
                authority.cStat = cStat,
                error.codigo = codigo,
                result,
                class,
                "document settled"
            )
        };
    }
    // a failure needs an operator; an authority's answer is daily business
    match codigo {
        Some(_) => line!(warn),
        None => line!(info),
    }
}

/// Span of a job: the fields of every log line that is written on its behalf.
pub(crate) fn span(job: &Job) -> tracing::Span {
    tracing::info_span!("job", tenant = %job.tenant_id, company = job.cpf_cnpj.as_str(), job.id = %job.id,
        job.kind = job.operacao.word(), authority.name = job.authority, document.chave = chave(job),
        request.id = job.request_id)
}

/// Key of the document, or of the one that an event is about.
fn chave(job: &Job) -> Option<&str> {
    let own = job.document.as_ref().and_then(|document| document.chave.as_ref());
    let acted = || job.act.as_ref().and_then(JobAct::event).map(|event| &event.chave);
    own.or_else(acted).map(Chave::as_str)
}

/// Class of an authority's code.
fn class_of(family: &Family, codigo: &Codigo) -> &'static str {
    match family.wire.class(codigo) {
        CodeClass::Authorized => "autorizado",
        CodeClass::Cancelled => "cancelado",
        // a refusal for the addressee's registration, unless it came with a protocol
        CodeClass::Denied => "cadastro",
        CodeClass::DeniedBefore => "denegado",
        CodeClass::Duplicate | CodeClass::DuplicateOtherKey => "duplicidade",
        CodeClass::UndueUse => "consumo_indevido",
        CodeClass::ServiceDown | CodeClass::Pending => "servico",
        CodeClass::Unknown | CodeClass::Unlisted => "desconhecido",
        CodeClass::Rejected => codigo.number().map_or("regra", refusal_class),
    }
}

/// Class of a refusal, by the part that must be corrected. Numbers of MOC 7.0, anexo I, as `fiscal::cstat` names them;
/// those that the CT-e shares have the same meaning there.
fn refusal_class(cStat: u16) -> &'static str {
    match cStat {
        280..=299 => "certificado",
        215 | 225 | 239 | 402 | 404 | 516 | 517 | 587 | 588 => "esquema",
        203 | 207..=212 | 230..=234 | 781 => "cadastro",
        206 | 241 | 256 | 563 => "numeracao",
        220 | 228 | 501 | 578 | 579 | 703 | 704 => "prazo",
        573 | 631 => "duplicidade",
        _ => "regra",
    }
}

/// Class of our own failure.
fn failure_class(codigo: &str) -> &'static str {
    match codigo {
        "empresa_sem_certificado" | "certificado_expirado" | "certificado_invalido" => "certificado",
        "empresa_sem_configuracao" | "nao_encontrado" => "cadastro",
        "documento_invalido" | "limite_de_eventos" | "substituta_nao_autorizada" => "documento",
        "numero_em_uso" | "numeracao_esgotada" => "numeracao",
        "protocolo_divergente" => "divergencia",
        "erro_interno" => "interno",
        _ => "outra",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nfe() -> &'static Family {
        family::of_modelo(55).unwrap()
    }

    #[test]
    fn a_code_is_told_by_what_it_is_about() {
        for (cStat, class) in [
            (100, "autorizado"),
            (302, "cadastro"),
            (205, "denegado"),
            (204, "duplicidade"),
            (539, "duplicidade"),
            (225, "esquema"),
            (280, "certificado"),
            (206, "numeracao"),
            (704, "prazo"),
            (233, "cadastro"),
            (778, "regra"),
        ] {
            assert_eq!(class_of(nfe(), &Codigo::from(cStat)), class, "{cStat}");
        }
    }

    #[test]
    fn a_code_is_told_in_the_words_of_its_family() {
        for (cStat, of_nfe, of_cte) in [(678, "regra", "consumo_indevido"), (656, "consumo_indevido", "desconhecido")] {
            let codigo = Codigo::from(cStat);
            assert_eq!((class_of(nfe(), &codigo), class_of(family::of_modelo(57).unwrap(), &codigo)), (of_nfe, of_cte));
        }
    }

    #[test]
    fn a_failure_of_every_class_begins_at_zero() {
        for codigo in [
            "certificado_expirado",
            "nao_encontrado",
            "documento_invalido",
            "numero_em_uso",
            "protocolo_divergente",
            "erro_interno",
            "sem_resposta",
        ] {
            assert!(counted().any(|pair| pair == ("falhou", failure_class(codigo))), "{codigo}");
        }
        for cStat in [225, 280, 233, 204, 206, 704, 778] {
            assert!(counted().any(|pair| pair == ("rejeitada", class_of(nfe(), &Codigo::from(cStat)))), "{cStat}");
        }
    }

    #[test]
    fn codes_nobody_knows_make_no_new_labels() {
        let told = class_of(nfe(), &Codigo::parse("X64").unwrap());
        assert_eq!((told, failure_class("inventado")), ("regra", "outra"));
    }
}
