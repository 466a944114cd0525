//! Views of an authority's service status and of a taxpayer in a state's register.

use authority::answer::{TaxpayerAddress, TaxpayerRegistration};
use fiscal::finding::Notice;
use fiscal::value::TpAmb;

use crate::api::instant::Moment;
use crate::api::view::view;
use crate::api::words::Word;

view! {
    pub(crate) struct ServiceView = "StatusDoServico": "O que uma autoridade disse do seu serviço." {
        sucesso: bool = "`true`: a autoridade respondeu.",
        uf: &'static str = "O estado.",
        modelo: u8 = "55.",
        autoridade: String = "Quem responde pelo estado: `SP`, `SVRS`…",
        ambiente: Word<TpAmb> = "O ambiente.",
        em_operacao: bool = "`true` com 107.",
        codigo_status: u16 = "107 em operação, 108 e 109 parado.",
        motivo_status: String = "As palavras da autoridade.",
        tempo_medio_s: Option<u32> = "Tempo médio de resposta.",
        retorno_previsto_em: Option<String> = "Quando um serviço parado espera voltar.",
        observacao: Option<String> = "O que a autoridade quer que se saiba.",
        consultado_em: Moment = "De quando é a resposta.",
        avisos: Vec<Notice> = "Parâmetros da consulta sem efeito: desconhecidos ou repetidos.",
    }
}

view! {
    pub(crate) struct RegisterView =
        "CadastroDeContribuinte": "O que o cadastro de um estado sabe de um contribuinte."
    {
        sucesso: bool = "`true`.",
        encontrado: bool = "`true`.",
        uf: &'static str = "O estado consultado.",
        codigo_status: u16 = "111, ou 112 quando há mais de uma inscrição.",
        motivo_status: String = "As palavras da autoridade.",
        consultado_em: Option<String> = "Como a autoridade escreveu.",
        contribuintes: Vec<TaxpayerView> = "As inscrições, com as tags oficiais e duas delas em palavras.",
        total: usize = "Quantas inscrições.",
        avisos: Vec<Notice> = "Parâmetros da consulta sem efeito: desconhecidos ou repetidos.",
    }
}

view! {
    /// Official tags of the register, and two of its codes as booleans.
    pub(crate) struct TaxpayerView {
        IE: String = "Inscrição estadual.",
        CNPJ: Option<String> = "CNPJ.",
        CPF: Option<String> = "CPF.",
        UF: String = "O estado da inscrição.",
        cSit: String = "0 não habilitado, 1 habilitado.",
        indCredNFe: Option<String> = "Credenciamento para a NF-e: 0 não, 1 a 3 sim, 4 o estado não diz.",
        indCredCTe: Option<String> = "O mesmo para o CT-e.",
        xNome: Option<String> = "Razão social ou nome.",
        xFant: Option<String> = "Nome fantasia.",
        xRegApur: Option<String> = "Regime de apuração do ICMS.",
        CNAE: Option<String> = "Atividade principal.",
        dIniAtiv: Option<String> = "Início da atividade.",
        dUltSit: Option<String> = "Última mudança de situação.",
        dBaixa: Option<String> = "Baixa.",
        IEUnica: Option<String> = "Inscrição única.",
        IEAtual: Option<String> = "Inscrição atual.",
        ender: Option<TaxpayerAddressView> = "Endereço.",
        habilitado: bool = "Se `cSit` é 1.",
        credenciado_nfe: Option<bool> = "Se pode emitir NF-e; nulo quando o estado não diz.",
    }
}

view! {
    pub(crate) struct TaxpayerAddressView {
        xLgr: Option<String> = "Logradouro.",
        nro: Option<String> = "Número.",
        xCpl: Option<String> = "Complemento.",
        xBairro: Option<String> = "Bairro.",
        cMun: Option<String> = "Código do IBGE.",
        xMun: Option<String> = "Município.",
        CEP: Option<String> = "CEP.",
    }
}

pub(super) fn taxpayer(taxpayer: TaxpayerRegistration) -> TaxpayerView {
    let habilitado = taxpayer.cSit == "1";
    let credenciado_nfe = match taxpayer.indCredNFe.as_deref() {
        Some("0") => Some(false),
        Some("1" | "2" | "3") => Some(true),
        _ => None,
    };
    TaxpayerView {
        IE: taxpayer.IE,
        CNPJ: taxpayer.CNPJ,
        CPF: taxpayer.CPF,
        UF: taxpayer.UF,
        cSit: taxpayer.cSit,
        indCredNFe: taxpayer.indCredNFe,
        indCredCTe: taxpayer.indCredCTe,
        xNome: taxpayer.xNome,
        xFant: taxpayer.xFant,
        xRegApur: taxpayer.xRegApur,
        CNAE: taxpayer.CNAE,
        dIniAtiv: taxpayer.dIniAtiv,
        dUltSit: taxpayer.dUltSit,
        dBaixa: taxpayer.dBaixa,
        IEUnica: taxpayer.IEUnica,
        IEAtual: taxpayer.IEAtual,
        ender: taxpayer.ender.map(address),
        habilitado,
        credenciado_nfe,
    }
}

fn address(address: TaxpayerAddress) -> TaxpayerAddressView {
    let TaxpayerAddress { xLgr, nro, xCpl, xBairro, cMun, xMun, CEP } = address;
    TaxpayerAddressView { xLgr, nro, xCpl, xBairro, cMun, xMun, CEP }
}
