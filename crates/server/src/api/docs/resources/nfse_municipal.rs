//! The municipal NFS-e, and the NFS-e provider of a município.

use serde_json::Value;

use super::Resource;
use super::nfe::{ESTRITO, NOT_REGISTERED, REFERENCIA_NOVA, REGISTERED};
use super::target::{REFERENCIA_EXTERNA, WEBHOOK};
use crate::api::docs::operation::{ApiOperation, Parameter, operation, shows};
use crate::api::nfse::municipios::MunicipioNfseView;
use crate::api::schema::{Schema, Type, must, perhaps, schema};
use crate::api::view::of;

pub(super) const NFSE_MUNICIPAL: Resource = Resource {
    tag: "nfse_municipal",
    title: "NFS-e municipal",
    doc: "Nota fiscal de serviço das prefeituras que usam o modelo ABRASF: o RPS vai ao provedor do município, e a prefeitura faz a nota. Consulta, arquivos e \
          cancelamento são os das rotas de NFS-e.",
    operations: &[&EMITIR, &MUNICIPIO],
    schemas: &[of::<MunicipioNfseView>(), EMISSAO, ABRASF],
};

pub(crate) static EMITIR: ApiOperation = operation("emitirNfseMunicipal", "Emite uma NFS-e por um provedor municipal")
        .text(
            "`govdigital` no caminho quer dizer municipal: o provedor configurado na empresa (ou o da tabela para o município dela) decide o formato. `nota` é o RPS \
             nos nomes do ABRASF ou em snake_case; `aliquota` é sempre percentual. O que falta e o serviço sabe é preenchido e dito em `avisos`.\n\nA prefeitura faz a nota \
             do RPS: `nota.numero` e `nota.codigo_verificacao` são dela e vêm com a autorização; `nota.numero_dps` é o número do RPS, nosso. Não há `chave`. Sem resposta, o \
             serviço pergunta pelo RPS antes de qualquer reenvio: há uma nota só. O que falta configurar é dito num `422` `empresa_sem_configuracao`.",
        )
        .takes(&[ESTRITO, REFERENCIA_NOVA])
        .body("EmissaoNfseMunicipal", example)
        .answers(REGISTERED)
        .refuses(NOT_REGISTERED);

pub(crate) static MUNICIPIO: ApiOperation = operation("explicarMunicipioDaNfse", "Quem recebe a NFS-e de um município")
        .text("O que dizem as tabelas deste serviço e o convênio já lido: por onde vai a nota, o provedor, o protocolo, o que configurar, e por quê. Ninguém é consultado.")
        .takes(&[Parameter::path("codigo", Type::Digits(7), "O código do IBGE, 7 dígitos.", "3138203")])
        .answers(&[shows::<MunicipioNfseView>(200, "O que se sabe.")])
        .refuses(&["nao_encontrado", "validacao"]);

/// The contract's names, or the official tags.
const NOTA: Type = Type::Either(&[Type::Ref("NfseMunicipalNota"), Type::Ref("RpsAbrasf")]);

/// Has a member of its own, or generators make no class of it; and none of `NfseMunicipalNota` in another case, since
/// PHP ignores case.
const ABRASF: Schema = schema(
    "RpsAbrasf",
    "O RPS com as tags do ABRASF, como no XML; maiúsculas e `_` não contam.",
    &[perhaps("IdentificacaoRps", Type::Free, "Número, série e tipo do RPS; o serviço numera quando falta.")],
);

const EMISSAO: Schema = schema(
    "EmissaoNfseMunicipal",
    "O pedido de emissão de uma NFS-e municipal. Outros membros são ignorados e apontados em `avisos`.",
    &[
        must("cpf_cnpj", Type::CpfCnpj, "CNPJ ou CPF do prestador, com ou sem máscara, letras aceitas."),
        must("nota", NOTA, "O RPS, nos nomes do ABRASF ou em snake_case."),
        WEBHOOK,
        REFERENCIA_EXTERNA,
    ],
);

fn example() -> Value {
    serde_json::from_str(include_str!("../../../../../../docs/guides/nfse-municipal.json")).unwrap_or_default()
}
