//! `GET /v1/nfse/municipios/{codigo}`: the NFS-e provider of a município, its protocol, the configuration that a
//! company needs for it, and the reason.
//!
//! Law: `docs/contract.md`, "NFS-e" (choice of the protocol); the route is ours. Makes no calls: reports the tables and
//! recorded agreements.

use authority::abrasf::EnvironmentStatus;
use axum::Json;
use axum::extract::{Path, State};
use engine::queries::municipality::{ExplainedMunicipality, ProviderKind};

use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::view::view;
use crate::app::App;

view! {
    pub(crate) struct MunicipioNfseView = "MunicipioDaNfse": "Quem recebe a NFS-e de um município, e o que é preciso." {
        codigo: u32 = "O código do IBGE.",
        nome: &'static str = "O nome.",
        caminho: &'static str as ["nacional", "nacional_propria", "municipal", "indefinido"] =
            "Por onde vai a nota de uma empresa que não configura `provedor`; `indefinido`: ela precisa configurar.",
        rota: Option<&'static str> = "A rota de emissão desse caminho.",
        convenio: ConvenioView = "O convênio com o padrão nacional, como foi lido nas últimas 24 horas.",
        provedor: Option<String> = "O provedor municipal da tabela.",
        versao: Option<String> = "A versão do ABRASF.",
        protocolo: Option<ProtocoloView> = "Como se fala com ele, quando há linha para isso.",
        producao: EnderecoView = "Onde, na produção.",
        homologacao: EnderecoView = "Onde, na homologação.",
        precisa: Vec<String> = "O que a empresa configura.",
        porque: Vec<String> = "De onde vem cada coisa, e o que se segue dela.",
    }
}

view! {
    pub(crate) struct ConvenioView {
        lido: bool = "Se se sabe.",
        emissor_nacional: Option<bool> = "Se o município usa o emissor nacional (`aderenteEmissorNacional`).",
        aberto_a_todos: Option<bool> =
            "Se todo CNPJ de lá emite por ele (`situacaoEmissaoPadraoContribuintesRFB`); falso: só quem a prefeitura habilitou no CNC.",
    }
}

view! {
    pub(crate) struct ProtocoloView {
        soap: &'static str = "1.1 ou 1.2.",
        modo: &'static str as ["sincrono", "lote", "gerar"] = "Como o RPS é enviado.",
        operacoes: Vec<&'static str> = "O que o provedor tem.",
        assina: Vec<&'static str> = "O que é assinado.",
        aliquota: Option<&'static str> as ["percentual", "fracao"] = "A unidade da alíquota; nulo quando ninguém sabe: configure `aliquota`.",
        credenciais: Vec<&'static str> = "O que a prefeitura pede além do certificado.",
        desligado: Option<String> = "Por que a linha está desligada.",
    }
}

view! {
    pub(crate) struct EnderecoView {
        utilizavel: bool = "Se se emite por lá sem configurar nada.",
        url: Option<String> = "O endereço.",
        motivo: Option<String> = "Por que não, e o que configurar.",
    }
}

/// `GET /v1/nfse/municipios/{codigo}`
pub(crate) async fn explicar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(codigo): Path<String>,
) -> Result<Json<MunicipioNfseView>, ApiError> {
    let digits = fiscal::map::unmasked(&codigo);
    let shaped = digits.len() == 7 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let codigo: Option<u32> = digits.parse().ok().filter(|_| shaped);
    let Some(codigo) = codigo else {
        let detail = "codigo deve ser o código do município no IBGE, 7 dígitos.";
        return Err(ApiError::new(&error_code::VALIDACAO, detail).at("codigo"));
    };
    let found = app.engine().municipality(caller.ambiente, codigo).await?;
    let found = found.ok_or_else(|| ApiError::not_found("Não há município com este código do IBGE."))?;
    Ok(Json(shown(found)))
}

fn shown(found: ExplainedMunicipality) -> MunicipioNfseView {
    let ExplainedMunicipality { explained, convention, provider: way, .. } = found;
    let (caminho, rota) = match way {
        ProviderKind::National => ("nacional", Some(NATIONAL)),
        ProviderKind::Own => ("nacional_propria", Some(NATIONAL)),
        ProviderKind::Municipal => ("municipal", Some(MUNICIPAL)),
        ProviderKind::Unknown => ("indefinido", None),
    };
    MunicipioNfseView {
        codigo: explained.codigo,
        nome: explained.nome,
        caminho,
        rota,
        convenio: ConvenioView {
            lido: convention.is_some(),
            emissor_nacional: convention.map(|convention| convention.emitter),
            aberto_a_todos: convention.and_then(|convention| convention.by_default),
        },
        provedor: explained.provider,
        versao: explained.version,
        protocolo: explained.protocol.map(|protocol| ProtocoloView {
            soap: protocol.soap,
            modo: protocol.mode,
            operacoes: protocol.operations,
            assina: protocol.signs,
            aliquota: protocol.aliquota,
            credenciais: protocol.credentials,
            desligado: protocol.off,
        }),
        producao: address(explained.producao),
        homologacao: address(explained.homologacao),
        precisa: explained.needs,
        porque: explained.why,
    }
}

const NATIONAL: &str = "/v1/nfse/emitir";
const MUNICIPAL: &str = "/v1/nfse/govdigital/emitir";

fn address(of: EnvironmentStatus) -> EnderecoView {
    match of {
        EnvironmentStatus::Usable(url) => EnderecoView { utilizavel: true, url: Some(url), motivo: None },
        EnvironmentStatus::NotUsable(why) => {
            EnderecoView { utilizavel: false, url: None, motivo: Some(why.to_string()) }
        }
    }
}
