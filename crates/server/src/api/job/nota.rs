//! The nota block of a job: its document.
//!
//! Law: `docs/contract.md`, "Emission".

use engine::jobs::query::document_is_given_out;
use fiscal::cstat::abrasf::remedy;
use fiscal::lifecycle::DocumentState;
use fiscal::nfe::qr;
use fiscal::value::{Chave, TpAmb, amount};
use serde_json::Number;
use store::jobs::{Contingencia, JobDocument, RefusalReason};
use store::numbers::NumberedKind;

use super::status_code::StatusCode;
use super::view::{ContingenciaView, NotaStatus, NotaView, RejeicaoView};
use crate::api::instant::CivilTime;
use crate::api::view::Maybe;
use crate::api::words::Word;

pub(super) fn nota(document: &JobDocument, ambiente: TpAmb, time: CivilTime) -> NotaView {
    let (qrcode, url_chave) = consultation(document, ambiente).unzip();
    let services = document.counted.modelo().is_none();
    let municipal = document.counted == NumberedKind::Rps;
    let decided = document.nProt.is_some() || document.numero_nota.is_some();
    NotaView {
        status: status(document.state).map(Word),
        modelo: document.counted.modelo(),
        numero: if services { document.numero_nota } else { Some(document.numero) },
        serie: document.serie.to_string(),
        numero_inicial: Maybe(None),
        numero_final: Maybe(None),
        ano: Maybe(None),
        chave: document.chave.and_then(Chave::public),
        chave_acesso: document.chave.and_then(Chave::public),
        protocolo: document.nProt.clone(),
        data_emissao: Some(document.dhEmi.clone()),
        data_autorizacao: document.dhRecbto.clone().filter(|_| decided),
        valor_total: total(&document.valor),
        destinatario: document.destinatario.clone(),
        codigo_status: document.codigo.clone().map(|codigo| StatusCode { codigo, is_text: services }),
        motivo_status: document.xMotivo.clone(),
        motivo: document.xMotivo.clone(),
        campo: document.campo.clone(),
        tipo_emissao: Some(document.tipo_emissao),
        contingencia: document.contingencia.as_ref().map(|it| contingencia(document, it, time)),
        qrcode: qrcode.map(str::to_owned),
        url_chave,
        numero_dps: Maybe(services.then_some(document.numero)),
        id_dps: Maybe(services.then(|| document.asked_by.clone().filter(|_| !municipal))),
        numero_lote: Maybe(municipal.then_some(document.numero_lote)),
        codigo_verificacao: Maybe(services.then(|| document.codigo_verificacao.clone())),
        valor_liquido: Maybe(services.then(|| document.valor_liquido.as_deref().and_then(total))),
        substituida_por: Maybe(services.then(|| document.substituida_por.as_ref().map(known_by))),
        analise_fiscal: Maybe(services.then(|| document.analise_fiscal.clone())),
        rejeicoes: Maybe(
            services.then(|| document.rejeicoes.iter().map(|refusal| rejection(refusal, municipal)).collect()),
        ),
    }
}

fn rejection(refusal: &RefusalReason, municipal: bool) -> RejeicaoView {
    RejeicaoView {
        codigo_status: refusal.codigo.to_string(),
        motivo_status: refusal.motivo.clone(),
        complemento: refusal.complemento.clone(),
        campo: refusal.campo.clone(),
        // codes of the Sefin look like those of the municipal providers and have other meanings
        o_que_fazer: Maybe(if municipal {
            remedy(&refusal.codigo)
        } else {
            fiscal::nfse::rules::advice(refusal.codigo.as_str())
        }),
    }
}

pub(crate) fn status(state: DocumentState) -> Option<NotaStatus> {
    match state {
        DocumentState::Authorized => Some(NotaStatus::Autorizada),
        DocumentState::Rejected => Some(NotaStatus::Rejeitada),
        DocumentState::Denied => Some(NotaStatus::Denegada),
        DocumentState::Cancelled => Some(NotaStatus::Cancelada),
        DocumentState::Accepted
        | DocumentState::Issued
        | DocumentState::Sending
        | DocumentState::InDoubt
        | DocumentState::Failed => None,
    }
}

fn contingencia(document: &JobDocument, contingencia: &Contingencia, time: CivilTime) -> ContingenciaView {
    ContingenciaView {
        tipo: contingencia.tipo.clone(),
        autoridade: contingencia.autoridade.clone(),
        desde: contingencia.desde.clone(),
        justificativa: contingencia.justificativa.clone(),
        prazo_transmissao: contingencia.prazo_transmissao.map(|at| time.at(at)),
        protocolo_epec: contingencia.protocolo.clone(),
        transmitida_em: document.dhRecbto.clone(),
    }
}

/// Text of the QR code, and URL of the query by key, of an NFC-e that may be printed: authorised, or issued offline.
fn consultation(document: &JobDocument, ambiente: TpAmb) -> Option<(&str, &'static str)> {
    let printable = match document.state {
        DocumentState::Authorized | DocumentState::Cancelled => true,
        DocumentState::Issued | DocumentState::Sending | DocumentState::InDoubt => document_is_given_out(document),
        DocumentState::Accepted | DocumentState::Rejected | DocumentState::Denied | DocumentState::Failed => false,
    };
    let code = document.qrCode.as_deref().filter(|_| printable)?;
    let uf = document.acesso()?.parts().uf;
    Some((code, qr::addresses(uf, ambiente).chave))
}

/// A total as a JSON number with the two decimals of the layout (TDec_1302); `None` when there is none yet.
pub(in crate::api) fn total(decimal: &str) -> Option<Number> {
    let mut total = amount(decimal)?;
    total.rescale(2);
    total.to_string().parse().ok()
}

/// Key of a document; of a municipal NFS-e, which has none, the identity of its RPS.
fn known_by(chave: &Chave) -> String {
    chave.rps().map_or_else(|| chave.as_str().to_owned(), |rps| rps.to_string())
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn a_total_keeps_the_decimals_of_the_document() {
        let shown = |decimal: &str| total(decimal).map(|total| total.to_string());
        assert_eq!(shown("100.0000").as_deref(), Some("100.00"));
        assert_eq!(shown("9999999999999.10").as_deref(), Some("9999999999999.10"));
        assert_eq!(shown("7").as_deref(), Some("7.00"));
        assert_eq!(shown(""), None);
    }
}
