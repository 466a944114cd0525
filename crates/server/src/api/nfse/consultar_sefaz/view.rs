//! View of an NFS-e that an authority returned.

use engine::queries::nfse::{FoundNote, SearchAnswer};
use engine::queries::rps::RpsAnswer;
use fiscal::abrasf::answer::IssuedNfse;
use fiscal::nfse::registered::{NfseState, RegisteredNfseEvent, state_by_events};
use fiscal::value::{Chave, RpsId, TpAmb};
use fiscal::xml::Element;
use http::header;
use serde_json::Number;
use uuid::Uuid;

use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::job::total;
use crate::api::view::view;
use crate::api::words::Word;

view! {
    pub(crate) struct SefinView = "ConsultaNaSefin": "O que a Sefin Nacional tem de uma NFS-e." {
        sucesso: bool = "`true`: a Sefin respondeu.",
        situacao: &'static str as ["autorizada", "cancelada", "substituida", "nao_encontrada"] =
            "O que os eventos da nota fazem dela; `nao_encontrada` só quando a Sefin o diz.",
        ambiente: Word<TpAmb> = "O ambiente consultado.",
        chave: Option<Chave> = "A chave, 50 posições.",
        numero: Option<u64> = "nNFSe.",
        eventos: Vec<SefinEventView> = "O que foi registrado na nota, por quem for.",
        analise_fiscal: Option<&'static str> = "`pendente`, `deferida`, `indeferida`; nulo quando não foi pedida.",
        job_id: Option<Uuid> = "O job que a emitiu, quando foi este serviço.",
        codigo_verificacao: Option<String> = "Da NFS-e municipal: o código com que a prefeitura a mostra.",
        dados: Option<SefinNoteView> = "O que a nota diz.",
    }
}

view! {
    pub(crate) struct SefinEventView {
        tipo: String = "Seis dígitos: 101101 cancelamento, 101103 pedido de análise, 105102 substituição, 105104 e 105105 análise deferida e indeferida…",
        descricao: Option<String> = "xDesc.",
        data: String = "dhProc, como veio.",
        motivo: Option<String> = "O motivo em palavras.",
        sequencia: u16 = "nSeqEvento.",
        chave_substituta: Option<Chave> = "De uma substituição: a nota que ficou no lugar.",
    }
}

view! {
    pub(crate) struct SefinNoteView {
        id_dps: Option<String> = "O Id da DPS.",
        serie: Option<String> = "Série da DPS.",
        numero_dps: Option<u64> = "nDPS.",
        data_emissao: Option<String> = "dhEmi da DPS.",
        data_autorizacao: Option<String> = "dhProc da NFS-e.",
        competencia: Option<String> = "dCompet.",
        codigo_status: Option<String> = "cStat: 100 gerada, 102 decisão judicial, 103 avulsa, 107 MEI.",
        prestador: Option<String> = "CNPJ ou CPF do prestador.",
        tomador: Option<String> = "CNPJ, CPF ou NIF do tomador.",
        servico: Option<String> = "cTribNac.",
        descricao: Option<String> = "xDescServ.",
        valor_total: Option<Number> = "vServ.",
        valor_liquido: Option<Number> = "vLiq.",
        substitui: Option<String> = "chSubstda: a nota cujo lugar ela tomou.",
        xml: String = "A NFS-e, como a Sefin a gerou.",
    }
}

/// View of a national NFS-e; `job` is the one that issued it.
pub(in crate::api::nfse) fn shown(found: SearchAnswer, job: Option<Uuid>) -> Result<SefinView, ApiError> {
    let SearchAnswer { ambiente, note } = found;
    let Some(FoundNote { chave, xml, events }) = note else {
        return Ok(SefinView {
            sucesso: true,
            situacao: "nao_encontrada",
            ambiente: Word(ambiente),
            chave: None,
            numero: None,
            eventos: Vec::new(),
            analise_fiscal: None,
            job_id: None,
            codigo_verificacao: None,
            dados: None,
        });
    };
    let root = fiscal::xml::read(xml.as_bytes()).map_err(|error| unreadable(&error.to_string()))?;
    let kinds = || events.iter().map(|event| event.tpEvento.as_str());
    Ok(SefinView {
        sucesso: true,
        situacao: match state_by_events(kinds()) {
            NfseState::Authorized => "autorizada",
            NfseState::Cancelled => "cancelada",
            NfseState::Replaced => "substituida",
        },
        ambiente: Word(ambiente),
        chave: Some(chave.into()),
        numero: root.text_at("infNFSe/nNFSe").and_then(|text| text.parse().ok()),
        analise_fiscal: fiscal::nfse::registered::analysis_state(kinds()).map(|analysis| analysis.word()),
        eventos: events.into_iter().map(event).collect(),
        job_id: job,
        codigo_verificacao: None,
        dados: Some(note_of(&root, xml)),
    })
}

/// View of a municipal NFS-e, queried by its RPS.
pub(super) fn municipal(found: RpsAnswer, job: Option<Uuid>) -> SefinView {
    let RpsAnswer { ambiente, rps, note } = found;
    SefinView {
        sucesso: true,
        situacao: note.as_ref().map_or("nao_encontrada", situation),
        ambiente: Word(ambiente),
        chave: None,
        numero: note.as_ref().and_then(|note| note.numero.parse().ok()),
        eventos: note.as_ref().and_then(cancellation).into_iter().collect(),
        analise_fiscal: None,
        job_id: job,
        codigo_verificacao: note.as_ref().and_then(|note| note.codigo_verificacao.clone()),
        dados: note.map(|note| of_note(note, &rps)),
    }
}

/// State of a municipal NFS-e.
pub(in crate::api::nfse) fn situation(note: &IssuedNfse) -> &'static str {
    match (&note.substituida_por, &note.cancelada) {
        (Some(_), _) => "substituida",
        (None, Some(_)) => "cancelada",
        (None, None) => "autorizada",
    }
}

/// Its cancellation, the only event, which the NFS-e itself contains.
fn cancellation(note: &IssuedNfse) -> Option<SefinEventView> {
    Some(SefinEventView {
        tipo: "cancelamento".to_owned(),
        descricao: Some("Cancelamento pela prefeitura".to_owned()),
        data: note.cancelada.clone()?,
        motivo: None,
        sequencia: 1,
        chave_substituta: None,
    })
}

fn of_note(note: IssuedNfse, rps: &RpsId) -> SefinNoteView {
    SefinNoteView {
        id_dps: None,
        serie: Some(rps.serie.to_string()),
        numero_dps: Some(rps.numero),
        data_autorizacao: note.data_emissao.clone(),
        data_emissao: note.data_emissao,
        competencia: None,
        codigo_status: None,
        prestador: note.prestador,
        tomador: note.tomador,
        servico: None,
        descricao: note.discriminacao,
        valor_total: note.valor_servicos.and_then(|valor| total(&valor.to_string())),
        valor_liquido: note.valor_liquido.and_then(|valor| total(&valor.to_string())),
        substitui: None,
        xml: note.xml,
    }
}

fn event(event: RegisteredNfseEvent) -> SefinEventView {
    SefinEventView {
        tipo: event.tpEvento,
        descricao: event.xDesc,
        data: event.dhProc,
        motivo: event.motivo,
        sequencia: event.nSeqEvento,
        chave_substituta: event.chSubstituta.map(Chave::from),
    }
}

fn note_of(root: &Element, xml: String) -> SefinNoteView {
    let text = |path: &str| root.text_at(path).filter(|text| !text.is_empty()).map(str::to_owned);
    let dps = |path: &str| text(&format!("infNFSe/DPS/infDPS/{path}"));
    let party = |group: &str| ["CNPJ", "CPF", "NIF"].iter().find_map(|tag| dps(&format!("{group}/{tag}")));
    SefinNoteView {
        id_dps: root.at("infNFSe/DPS/infDPS").and_then(|inf| inf.attribute("Id")).map(str::to_owned),
        serie: dps("serie"),
        numero_dps: dps("nDPS").and_then(|text| text.parse().ok()),
        data_emissao: dps("dhEmi"),
        data_autorizacao: text("infNFSe/dhProc"),
        competencia: dps("dCompet"),
        codigo_status: text("infNFSe/cStat"),
        prestador: party("prest"),
        tomador: party("toma"),
        servico: dps("serv/cServ/cTribNac"),
        descricao: dps("serv/cServ/xDescServ"),
        valor_total: dps("valores/vServPrest/vServ").as_deref().and_then(total),
        valor_liquido: text("infNFSe/valores/vLiq").as_deref().and_then(total),
        substitui: dps("subst/chSubstda"),
        xml,
    }
}

/// 503 for an answer of the Sefin that is no NFS-e.
fn unreadable(why: &str) -> ApiError {
    let detail = format!("A Sefin Nacional devolveu uma nota ilegível: {why}.");
    ApiError::new(&error_code::INDISPONIVEL, detail).with_header(header::RETRY_AFTER, &super::RETRY_S.to_string())
}
