//! The nota block of a job that voids numbers: the members of any nota, of which it has few, and the range.
//!
//! Law: `spec/not-shown.md` §4 (a number range becomes `inutilizada`).

use serde_json::{Value, json};
use store::jobs::{Act, Job, VoidAct};

/// The block; none when the job does something else.
pub(super) fn nota(job: &Job) -> Option<Value> {
    let range = job.act.as_ref().and_then(Act::void)?;
    let result = job.event_result.as_ref();
    let (codigo, xMotivo) = (result.map(|(codigo, _)| codigo), result.map(|(_, xMotivo)| xMotivo));
    let number = (range.nNFIni == range.nNFFin).then_some(range.nNFIni);
    Some(json!({
        "status": status(range, result.is_some()),
        "modelo": range.modelo,
        "numero": number,
        "serie": range.serie.to_string(),
        "numero_inicial": range.nNFIni,
        "numero_final": range.nNFFin,
        "ano": 2_000 + u16::from(range.ano),
        "chave": null,
        "chave_acesso": null,
        "protocolo": range.nProt,
        "data_emissao": null,
        "data_autorizacao": range.dhRecbto.as_ref().filter(|_| range.voided),
        "valor_total": null,
        "destinatario": null,
        "codigo_status": codigo,
        "motivo_status": xMotivo,
        "motivo": xMotivo,
        "campo": null,
        "tipo_emissao": null,
        "contingencia": null,
        "qrcode": null,
        "url_chave": null,
    }))
}

fn status(range: &VoidAct, decided: bool) -> Option<&'static str> {
    match (range.voided, decided) {
        (true, _) => Some("inutilizada"),
        (false, true) => Some("rejeitada"),
        (false, false) => None,
    }
}
