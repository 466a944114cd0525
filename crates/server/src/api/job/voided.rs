//! The nota block of a job that voids numbers: a few members of a document, and the range.
//!
//! Law: `docs/contract.md`, "Emission" (a number range becomes `inutilizada`).

use store::jobs::{Job, JobAct, VoidAct};

use super::view::{NotaStatus, NotaView};
use crate::api::view::Maybe;
use crate::api::words::Word;

/// The block; `None` for other jobs.
pub(super) fn nota(job: &Job) -> Option<NotaView> {
    let range = job.act.as_ref().and_then(JobAct::void)?;
    let result = job.event_result.as_ref();
    let xMotivo = result.map(|(_, xMotivo)| xMotivo.clone());
    Some(NotaView {
        status: status(range, result.is_some()).map(Word),
        modelo: Some(range.modelo),
        numero: (range.nNFIni == range.nNFFin).then_some(range.nNFIni.into()),
        serie: range.serie.to_string(),
        numero_inicial: Maybe(Some(range.nNFIni)),
        numero_final: Maybe(Some(range.nNFFin)),
        ano: Maybe(Some(2_000 + u16::from(range.ano))),
        protocolo: range.nProt.clone(),
        data_autorizacao: range.dhRecbto.clone().filter(|_| range.voided),
        codigo_status: result.map(|(codigo, _)| codigo.clone().into()),
        motivo_status: xMotivo.clone(),
        motivo: xMotivo,
        ..NotaView::default()
    })
}

fn status(range: &VoidAct, decided: bool) -> Option<NotaStatus> {
    match (range.voided, decided) {
        (true, _) => Some(NotaStatus::Inutilizada),
        (false, true) => Some(NotaStatus::Rejeitada),
        (false, false) => None,
    }
}
