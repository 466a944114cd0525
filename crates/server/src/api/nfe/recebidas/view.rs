//! A received note as answers show it.

use fiscal::value::{ChaveAcesso, CnpjCpf, TpAmb};
use serde_json::Number;
use store::received::{ReceivedEvent, ReceivedNote, Situacao};

use crate::api::instant::{Moment, StateTime};
use crate::api::job;
use crate::api::schema::Type;
use crate::api::view::view;
use crate::api::words::Word;

const CHAVE: Type = Type::Chave;

view! {
    pub(crate) struct ReceivedView = "NotaRecebida": "Uma NF-e que outro emitiu." {
        chave: String as CHAVE = "A chave de acesso.",
        cpf_cnpj: CnpjCpf = "A empresa da conta que a recebeu.",
        ambiente: Word<TpAmb> = "O ambiente.",
        modelo: u8 = "55.",
        numero: Option<u32> = "nNF.",
        serie: Option<String> = "Série.",
        operacao: &'static str as ["entrada", "saida"] = "Como o emitente a vê.",
        emitente: IssuerView = "Quem emitiu.",
        destinatario: Option<String> = "O CNPJ ou CPF do destinatário; o resumo não o traz.",
        data_emissao: String = "Como o emitente escreveu.",
        data_autorizacao: Option<String> = "Da autorização.",
        valor_total: Option<Number> = "vNF.",
        protocolo: Option<String> = "O da autorização.",
        situacao: Word<Situacao> = "Como está.",
        tipo: &'static str as ["resumo", "completa"] = "Se a nota inteira já foi entregue.",
        manifestacao: Option<SaidView> = "O que a sua empresa manifestou por último.",
        recebido_em: Moment = "Quando se soube dela.",
        atualizado_em: Moment = "Última mudança.",
        arquivos: FileView = "O arquivo.",
    }
}

view! {
    pub(crate) struct ReceivedWithEventsView =
        "NotaRecebidaComEventos": "Uma NF-e que outro emitiu, com seus eventos."
    {
        #[flatten] nota: ReceivedView,
        eventos: Vec<ReceivedEventView> = "Os eventos, do mais antigo ao mais novo.",
    }
}

view! {
    pub(crate) struct IssuerView {
        cpf_cnpj: String = "CNPJ ou CPF.",
        nome: String = "Razão social ou nome.",
        inscricao_estadual: Option<String> = "Inscrição estadual.",
    }
}

view! {
    pub(crate) struct SaidView {
        tipo: String as ["ciencia", "confirmacao", "desconhecimento", "nao_realizada"] = "O quê.",
        em: Moment = "Quando foi registrada.",
    }
}

view! {
    pub(crate) struct FileView {
        xml: String = "Onde baixar.",
    }
}

view! {
    pub(crate) struct ReceivedEventView = "EventoRecebido": "Um evento de uma nota recebida." {
        tipo_evento: String = "110111 cancelamento, 110110 carta de correção…",
        descricao: Option<String> = "Em palavras.",
        sequencia: u8 = "A contagem do seu tipo.",
        autor: Option<String> = "CNPJ ou CPF.",
        data_evento: String = "Como o autor escreveu.",
        protocolo: Option<String> = "O do registro.",
        tipo: &'static str as ["resumo", "completo"] = "Se o evento inteiro foi entregue.",
        nsu: Option<u64> = "Seu número.",
        recebido_em: Moment = "Quando chegou.",
    }
}

/// One note; `time` is that of its receiving company.
pub(super) fn note(note: ReceivedNote, time: StateTime) -> ReceivedView {
    let facts = note.facts;
    let parts = ChaveAcesso::parse(&facts.chave).ok().map(|chave| chave.parts());
    ReceivedView {
        cpf_cnpj: note.cpf_cnpj,
        ambiente: Word(note.ambiente),
        modelo: 55,
        numero: parts.as_ref().map(|parts| parts.nNF),
        serie: parts.as_ref().map(|parts| parts.serie.to_string()),
        operacao: if facts.tpNF == "0" { "entrada" } else { "saida" },
        emitente: IssuerView { cpf_cnpj: facts.emitente, nome: facts.nome, inscricao_estadual: facts.ie },
        destinatario: facts.destinatario,
        data_emissao: facts.dhEmi,
        data_autorizacao: facts.dhRecbto,
        valor_total: job::total(&facts.vNF),
        protocolo: facts.nProt,
        situacao: Word(facts.situacao),
        tipo: if facts.completa { "completa" } else { "resumo" },
        manifestacao: note.manifestacao.map(|(tipo, em)| SaidView { tipo, em: time.at(em) }),
        recebido_em: time.at(note.recebido_em),
        atualizado_em: time.at(note.atualizado_em),
        arquivos: FileView { xml: format!("/v1/nfe/recebidas/{}/xml", facts.chave) },
        chave: facts.chave,
    }
}

/// An event of a note.
pub(super) fn event(event: ReceivedEvent, time: StateTime) -> ReceivedEventView {
    let facts = event.facts;
    ReceivedEventView {
        tipo_evento: facts.tpEvento,
        descricao: facts.descricao,
        sequencia: facts.nSeqEvento,
        autor: facts.autor,
        data_evento: facts.dhEvento,
        protocolo: facts.nProt,
        tipo: if facts.completo { "completo" } else { "resumo" },
        nsu: event.nsu,
        recebido_em: time.at(event.recebido_em),
    }
}
