//! View of a received CT-e.

use fiscal::value::{ChaveAcesso, CnpjCpf, TpAmb};
use serde_json::Number;
use store::received::{Papel, ReceivedDocument, Situacao, TransportFacts, TypeFacts};

use crate::api::instant::{CivilTime, Moment};
use crate::api::job;
use crate::api::recebidos::view::{FileView, IssuerView, ReceivedEventView};
use crate::api::schema::Type;
use crate::api::view::view;
use crate::api::words::Word;

const CHAVE: Type = Type::Chave;

view! {
    pub(crate) struct ReceivedCteView = "CteRecebido": "Um CT-e, CT-e OS ou GTV-e que outro emitiu." {
        chave: String as CHAVE = "A chave de acesso.",
        cpf_cnpj: CnpjCpf = "A empresa da conta que o recebeu.",
        papeis: Vec<Word<Papel>> = "O que ela é no serviço; `autorizado` quando só pode ver o documento (autXML).",
        ambiente: Word<TpAmb> = "O ambiente.",
        modelo: Option<u8> = "57 (CT-e, também o simplificado), 67 (CT-e OS) ou 64 (GTV-e).",
        numero: Option<u32> = "nCT.",
        serie: Option<String> = "Série.",
        modal: String = "01 rodoviário, 02 aéreo, 03 aquaviário, 04 ferroviário, 05 dutoviário, 06 multimodal.",
        tpServ: String = "O tipo do serviço, como no XML.",
        tpCTe: String = "0 normal, 1 complemento, 3 substituição; 4 GTV-e; 5 e 6 simplificado.",
        emitente: IssuerView = "A transportadora.",
        remetente: Option<String> = "CNPJ ou CPF.",
        expedidor: Option<String> = "CNPJ ou CPF.",
        recebedor: Option<String> = "CNPJ ou CPF.",
        destinatario: Option<String> = "CNPJ ou CPF.",
        tomador: Option<String> = "CNPJ ou CPF de quem paga o serviço, qualquer que seja o seu papel.",
        data_emissao: String = "Como o emitente escreveu.",
        data_autorizacao: Option<String> = "Da autorização.",
        valor_total: Option<Number> = "vTPrest; a GTV-e não tem.",
        protocolo: Option<String> = "O da autorização.",
        situacao: Word<Situacao> = "Como está.",
        recebido_em: Moment = "Quando se soube dele.",
        atualizado_em: Moment = "Última mudança.",
        arquivos: FileView = "O arquivo.",
    }
}

view! {
    pub(crate) struct ReceivedCteWithEventsView = "CteRecebidoComEventos": "Um CT-e que outro emitiu, com seus eventos." {
        #[flatten] nota: ReceivedCteView,
        eventos: Vec<ReceivedEventView> = "Os eventos, do mais antigo ao mais novo.",
    }
}

/// View of a CT-e; `time` is that of its receiving company.
pub(super) fn cte(one: ReceivedDocument, time: CivilTime) -> ReceivedCteView {
    let papeis = Papel::of(&one.cpf_cnpj, &one.facts).into_iter().map(Word).collect();
    let facts = one.facts;
    let parts = ChaveAcesso::parse(&facts.chave).ok().map(|chave| chave.parts());
    let transport = match facts.type_facts {
        TypeFacts::Transport(transport) => transport,
        TypeFacts::Goods { .. } | TypeFacts::Services(_) => TransportFacts::default(),
    };
    ReceivedCteView {
        cpf_cnpj: one.cpf_cnpj,
        papeis,
        ambiente: Word(one.ambiente),
        modelo: parts.as_ref().map(|parts| parts.modelo),
        numero: parts.as_ref().map(|parts| parts.nNF),
        serie: parts.as_ref().map(|parts| parts.serie.to_string()),
        modal: transport.modal,
        tpServ: transport.tpServ,
        tpCTe: transport.tpCTe,
        emitente: IssuerView { cpf_cnpj: facts.emitente, nome: facts.nome, inscricao_estadual: facts.ie },
        remetente: transport.remetente,
        expedidor: transport.expedidor,
        recebedor: transport.recebedor,
        destinatario: facts.destinatario,
        tomador: transport.tomador,
        data_emissao: facts.dhEmi,
        data_autorizacao: facts.dhRecbto,
        valor_total: facts.valor.as_deref().and_then(job::total),
        protocolo: facts.nProt,
        situacao: Word(facts.situacao),
        recebido_em: time.at(one.recebido_em),
        atualizado_em: time.at(one.atualizado_em),
        arquivos: FileView { xml: format!("/v1/cte/recebidos/{}/xml", facts.chave) },
        chave: facts.chave,
    }
}
