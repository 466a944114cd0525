//! Pages that are measured, with their addresses.

use crate::reports::data::cpf;
use crate::reports::{ExpectedCounts, SampledJob, date};
use anyhow::{Context, Result};

/// Bound of a list, and of the overview.
pub(super) const LIST_BOUND_MS: u32 = 100;
const HOME_BOUND_MS: u32 = 200;

/// A page with addresses through which calls cycle.
pub(super) struct MeasuredPage {
    pub(super) name: String,
    pub(super) paths: Vec<String>,
    /// Absent for that of a list.
    pub(super) bound_ms: Option<u32>,
}

fn page(name: &str, path: impl Into<String>) -> MeasuredPage {
    MeasuredPage { name: name.to_owned(), paths: vec![path.into()], bound_ms: None }
}

fn list(name: &str, query: impl std::fmt::Display) -> MeasuredPage {
    page(name, format!("/painel/documentos?{query}"))
}

/// Every page, on jobs that are known.
pub(super) fn pages(counts: &ExpectedCounts, now: u64) -> Result<Vec<MeasuredPage>> {
    let known = counts.known(0).context("no jobs")?;
    let (first, middle) = (known.first().context("no jobs")?, &known[known.len() / 2]);
    let each = |name: &str, path: &dyn Fn(&SampledJob) -> Option<String>| MeasuredPage {
        name: name.to_owned(),
        paths: known.iter().filter_map(path).map(|query| format!("/painel/documentos?{query}")).collect(),
        bound_ms: None,
    };
    let day = |ago: u64| date(now - ago * 86_400);
    let company = &middle.cpf_cnpj;
    let mut all = vec![
        MeasuredPage { bound_ms: Some(HOME_BOUND_MS), ..page("overview", "/painel") },
        page("documents, first page", "/painel/documentos"),
        list("from the middle", format!("antes={}", middle.id)),
        list("towards newer, from the middle", format!("depois={}", middle.id)),
        list("the last page", format!("antes={}", first.id)),
        list("a company", format!("empresa={company}")),
        list("a company, a type, from the middle", format!("empresa={company}&tipo=cte&antes={}", middle.id)),
        list("a type without documents", "tipo=nfse"),
        list("a series without documents", "serie=9"),
        list("30 days", format!("de={}&ate={}", day(30), day(0))),
        list("a month half a year ago, a company", format!("de={}&ate={}&empresa={company}", day(210), day(180))),
        list("the addressee of a third", format!("destinatario={}", cpf(0))),
        list("rejected to that addressee", format!("destinatario={}&estado=rejeitada", cpf(0))),
        list("rejected, not issued again, 30 days", format!("estado=rejeitada&reemissao=nao&de={}", day(30))),
        list("rejected, not issued again", "estado=rejeitada&reemissao=nao"),
        list("a name of one", "nome=filial000077"),
        list("two words of a name", "nome=maria+silv"),
        list("a name of a tenth", "nome=mar"),
        list("a name of a tenth, denied", "nome=mar&estado=denegada"),
        list("two words, in doubt", "nome=maria+silv&estado=em_duvida"),
        list("a name with an absent series", "nome=mar&serie=9"),
    ];
    for state in
        ["pendente", "em_duvida", "contingencia", "autorizada", "rejeitada", "denegada", "cancelada", "erro", "retirada"]
    {
        all.push(list(state, format!("estado={state}")));
    }
    all.extend([
        each("an addressee", &|job| Some(format!("destinatario={}", job.destinatario))),
        each("a number", &|job| Some(format!("numero={}", job.nNF?))),
        each("an access key", &|job| Some(format!("chave={}", job.chave.as_ref()?))),
        each("a reference", &|job| Some(format!("referencia={}", job.referencia))),
        each("search: an access key", &|job| Some(format!("busca={}", job.chave.as_ref()?))),
        each("search: a number", &|job| Some(format!("busca={}", job.nNF?))),
        each("search: a reference", &|job| Some(format!("busca={}", job.referencia))),
        each("search: a CPF", &|job| Some(format!("busca={}", job.destinatario))),
        MeasuredPage {
            paths: known.iter().map(|job| format!("/painel/documentos/{}", job.id)).collect(),
            ..page("a document", "")
        },
        page("lost webhooks", "/painel/pendencias/webhooks"),
        page("gaps", "/painel/pendencias/lacunas"),
        page("exports", "/painel/exportacoes"),
    ]);
    Ok(all)
}
