//! View of a received NFS-e.

use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::Number;
use store::received::{Parte, ReceivedDocument, ServiceFacts, Situacao, TypeFacts};

use crate::api::instant::{CivilTime, Moment};
use crate::api::job;
use crate::api::recebidos::view::{FileView, IssuerView, ReceivedEventView};
use crate::api::view::view;
use crate::api::words::Word;

view! {
    pub(crate) struct ReceivedNfseView = "NfseRecebida": "Uma NFS-e nacional em que uma empresa da conta tem parte." {
        chave: String = "A chave da NFS-e, 50 posições.",
        cpf_cnpj: CnpjCpf = "A empresa da conta que a recebeu.",
        papeis: Vec<Word<Parte>> = "O que ela é no serviço; pode ter mais de um papel. `prestador`: a nota é dela mesma.",
        ambiente: Word<TpAmb> = "O ambiente.",
        numero: String = "nNFSe.",
        competencia: String = "dCompet.",
        codigo_municipio: String = "cLocEmi: o município emissor, IBGE.",
        codigo_servico: String = "cTribNac.",
        descricao: String = "xDescServ, até 300 caracteres.",
        emitente: IssuerView = "Quem emitiu.",
        prestador: Option<String> = "CNPJ ou CPF.",
        tomador: Option<String> = "CNPJ ou CPF; nulo quando a nota não o diz, ou ele é do exterior.",
        intermediario: Option<String> = "CNPJ ou CPF.",
        data_emissao: String = "dhEmi da DPS, como o emitente escreveu.",
        data_autorizacao: Option<String> = "dhProc.",
        valor_total: Option<Number> = "vServ.",
        valor_liquido: Option<Number> = "vLiq.",
        situacao: Word<Situacao> = "Como está; os eventos dizem por quê.",
        manifestacao: Option<SaidOfServicesView> = "O que a sua empresa manifestou por último.",
        recebido_em: Moment = "Quando se soube dela.",
        atualizado_em: Moment = "Última mudança.",
        arquivos: FileView = "O arquivo.",
    }
}

view! {
    pub(crate) struct SaidOfServicesView {
        tipo: String as ["confirmacao", "rejeicao"] = "O quê.",
        em: Moment = "Quando foi registrada.",
    }
}

view! {
    pub(crate) struct ReceivedNfseWithEventsView = "NfseRecebidaComEventos": "Uma NFS-e recebida, com seus eventos." {
        #[flatten] nota: ReceivedNfseView,
        eventos: Vec<ReceivedEventView> = "Os eventos, do mais antigo ao mais novo: do emitente, das partes e do município.",
    }
}

/// View of an NFS-e; `time` is that of its receiving company.
pub(super) fn nfse(one: ReceivedDocument, time: CivilTime) -> ReceivedNfseView {
    let papeis = Parte::of(&one.cpf_cnpj, &one.facts).into_iter().map(Word).collect();
    let facts = one.facts;
    let services = match facts.type_facts {
        TypeFacts::Services(services) => services,
        TypeFacts::Goods { .. } | TypeFacts::Transport(_) => ServiceFacts::default(),
    };
    ReceivedNfseView {
        cpf_cnpj: one.cpf_cnpj,
        papeis,
        ambiente: Word(one.ambiente),
        numero: services.numero,
        competencia: services.competencia,
        codigo_municipio: services.municipio,
        codigo_servico: services.servico,
        descricao: services.descricao,
        emitente: IssuerView { cpf_cnpj: facts.emitente, nome: facts.nome, inscricao_estadual: None },
        prestador: services.prestador,
        tomador: services.tomador,
        intermediario: services.intermediario,
        data_emissao: facts.dhEmi,
        data_autorizacao: facts.dhRecbto,
        valor_total: facts.valor.as_deref().and_then(job::total),
        valor_liquido: services.valor_liquido.as_deref().and_then(job::total),
        situacao: Word(facts.situacao),
        manifestacao: one.manifestacao.map(|(tipo, em)| SaidOfServicesView { tipo, em: time.at(em) }),
        recebido_em: time.at(one.recebido_em),
        atualizado_em: time.at(one.atualizado_em),
        arquivos: FileView { xml: format!("/v1/nfse/recebidas/{}/xml", facts.chave) },
        chave: facts.chave,
    }
}
