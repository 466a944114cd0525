//! Views that all received documents share: issuer, file, events.

use store::received::ReceivedEvent;

use crate::api::instant::{CivilTime, Moment};
use crate::api::view::view;

view! {
    pub(crate) struct IssuerView {
        cpf_cnpj: String = "CNPJ ou CPF.",
        nome: String = "Razão social ou nome.",
        inscricao_estadual: Option<String> = "Inscrição estadual.",
    }
}

view! {
    pub(crate) struct FileView {
        xml: String = "Onde baixar.",
    }
}

view! {
    pub(crate) struct ReceivedEventView = "EventoRecebido": "Um evento de um documento recebido." {
        tipo_evento: String = "110111 cancelamento, 110110 carta de correção; da NFS-e 101101 cancelamento, 305101 cancelamento por ofício…",
        descricao: Option<String> = "Em palavras.",
        motivo: Option<String> = "Por quê, nas palavras do autor; um resumo não o traz.",
        sequencia: u16 = "A contagem do seu tipo.",
        autor: Option<String> = "CNPJ ou CPF.",
        data_evento: String = "Como o autor escreveu.",
        data_registro: Option<String> = "Quando a autoridade o registrou.",
        substituta: Option<String> = "NFS-e: a chave da nota que tomou o lugar desta.",
        protocolo: Option<String> = "O do registro.",
        tipo: &'static str as ["resumo", "completo"] = "Se o evento inteiro foi entregue.",
        nsu: Option<u64> = "Seu número.",
        recebido_em: Moment = "Quando chegou.",
    }
}

/// View of an event; `time` is that of the receiving company.
pub(crate) fn event(event: ReceivedEvent, time: CivilTime) -> ReceivedEventView {
    let facts = event.facts;
    ReceivedEventView {
        tipo_evento: facts.tpEvento,
        descricao: facts.descricao,
        motivo: facts.motivo,
        sequencia: facts.nSeqEvento,
        autor: facts.autor,
        data_evento: facts.dhEvento,
        data_registro: facts.dhRegEvento,
        substituta: facts.substituta,
        protocolo: facts.nProt,
        tipo: if facts.completo { "completo" } else { "resumo" },
        nsu: event.nsu,
        recebido_em: time.at(event.recebido_em),
    }
}
