//! View of an address.

use lookup::Endereco;

use crate::api::query::PageView;
use crate::api::schema::Type;
use crate::api::view::view;

const CEP: Type = Type::Form("^[0-9]{8}$");
const IBGE: Type = Type::Form("^[0-9]{7}$");

view! {
    pub(crate) struct CepAddressView = "EnderecoDaLista": "Um endereço encontrado." {
        cep: String as CEP = "8 dígitos.",
        tipo: Option<String> = "Tipo do logradouro.",
        logradouro: Option<String> = "Com o tipo.",
        complemento: Option<String> = "Faixa de números, lado.",
        unidade: Option<String> = "Grande usuário.",
        bairro: Option<String> = "Bairro.",
        cidade: Option<String> = "Cidade.",
        uf: Option<String> = "Sigla do estado.",
        estado: Option<String> = "Nome do estado.",
        regiao: Option<String> = "Região.",
        ibge: Option<String> as IBGE = "Código IBGE do município, o que os documentos pedem (`cMun`).",
        gia: Option<String> = "Código GIA (SP).",
        ddd: Option<String> = "DDD.",
        siafi: Option<String> = "Código SIAFI do município.",
        parcial: bool = "Só o que os dígitos do CEP contam é sabido.",
        fonte: String = "Quem respondeu.",
    }
}

view! {
    pub(crate) struct CepView = "EnderecoDoCep": "O endereço de um CEP." {
        #[flatten] endereco: CepAddressView,
        sucesso: bool = "Sempre `true`.",
        encontrado: bool = "Sempre `true`.",
    }
}

view! {
    pub(crate) struct CepsView = "ListaDeCeps": "Uma página de endereços." {
        sucesso: bool = "Sempre `true`.",
        ceps: Vec<CepAddressView> = "Os desta página.",
        #[flatten] page: PageView,
        fonte: String = "Quem respondeu.",
    }
}

pub(super) fn address(found: Endereco) -> CepAddressView {
    let Endereco { cep, tipo, logradouro, complemento, unidade, bairro, cidade, uf, .. } = found;
    let Endereco { estado, regiao, ibge, gia, ddd, siafi, parcial, fonte, .. } = found;
    CepAddressView {
        cep,
        tipo,
        logradouro,
        complemento,
        unidade,
        bairro,
        cidade,
        uf,
        estado,
        regiao,
        ibge,
        gia,
        ddd,
        siafi,
        parcial,
        fonte,
    }
}
