//! View of a received NF-e.

use fiscal::value::{ChaveAcesso, CnpjCpf, TpAmb};
use serde_json::Number;
use store::received::{ReceivedDocument, Situacao, TypeFacts};

use crate::api::instant::{CivilTime, Moment};
use crate::api::job;
use crate::api::recebidos::view::{FileView, IssuerView, ReceivedEventView};
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
        manifestacao: Option<ManifestationView> = "O que a sua empresa manifestou por último.",
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
    pub(crate) struct ManifestationView {
        tipo: String as ["ciencia", "confirmacao", "desconhecimento", "nao_realizada"] = "O quê.",
        em: Moment = "Quando foi registrada.",
    }
}

/// View of an NF-e; `time` is that of its receiving company.
pub(super) fn note(note: ReceivedDocument, time: CivilTime) -> ReceivedView {
    let facts = note.facts;
    let inwards = matches!(&facts.type_facts, TypeFacts::Goods { tpNF } if tpNF == "0");
    let parts = ChaveAcesso::parse(&facts.chave).ok().map(|chave| chave.parts());
    ReceivedView {
        cpf_cnpj: note.cpf_cnpj,
        ambiente: Word(note.ambiente),
        modelo: 55,
        numero: parts.as_ref().map(|parts| parts.nNF),
        serie: parts.as_ref().map(|parts| parts.serie.to_string()),
        operacao: if inwards { "entrada" } else { "saida" },
        emitente: IssuerView { cpf_cnpj: facts.emitente, nome: facts.nome, inscricao_estadual: facts.ie },
        destinatario: facts.destinatario,
        data_emissao: facts.dhEmi,
        data_autorizacao: facts.dhRecbto,
        valor_total: facts.valor.as_deref().and_then(job::total),
        protocolo: facts.nProt,
        situacao: Word(facts.situacao),
        tipo: if facts.completa { "completa" } else { "resumo" },
        manifestacao: note.manifestacao.map(|(tipo, em)| ManifestationView { tipo, em: time.at(em) }),
        recebido_em: time.at(note.recebido_em),
        atualizado_em: time.at(note.atualizado_em),
        arquivos: FileView { xml: format!("/v1/nfe/recebidas/{}/xml", facts.chave) },
        chave: facts.chave,
    }
}
