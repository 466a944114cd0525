//! `/v1/auth`.
//!
//! Law: `docs/contract.md`, "Accounts".

use serde_json::{Value, json};

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use super::jobs::AMBIENTE;
use crate::api::auth::api_keys::{CreatedKeyView, KeyView, KeysView, RevokedKeyView};
use crate::api::auth::auditoria::{AuditEntryView, TrailView};
use crate::api::auth::logout::DoneView;
use crate::api::auth::me::IdentityView;
use crate::api::auth::token::{AccountView, SessionView, UserView};
use crate::api::docs::operation::{Access, ApiOperation, Parameter, operation, shows};
use crate::api::schema::{FILLED, Schema, Type, may, must, schema};
use crate::api::view::of;

pub(super) const AUTH: Resource = Resource {
    tag: "conta",
    title: "Conta",
    doc: "Sessões, chaves de API e a trilha de auditoria. Contas e usuários são criados pelo operador (`carimbo conta criar`).",
    operations: &[&LOGIN, &LOGOUT, &SWITCH, &ME, &PASSWORD, &KEYS, &CREATE_KEY, &REVOKE_KEY, &AUDIT],
    schemas: SCHEMAS,
};

pub(crate) static LOGIN: ApiOperation = operation("entrar", "Abre uma sessão")
    .text(
        "O token vale uma hora e fica ligado a uma chave de API ativa do ambiente. Senha errada e e-mail desconhecido dão a mesma resposta; depois de 5 \
         falhas em 15 minutos, o par e-mail e endereço espera (`429`); falhas de um e-mail de vários endereços, de um endereço com vários e-mails e de todos têm limites próprios, \
         que não alcançam um e-mail de onde ele entrou nos últimos 30 dias. Quem ligou o segundo fator em `/painel/conta` manda também `codigo`; sem ele a resposta é \
         `segundo_fator_exigido`, e cada código vale uma vez.",
    )
    .access(Access::Public)
    .body("Login", login)
    .answers(&[shows::<SessionView>(200, "A sessão.")])
    .refuses(&["credenciais_invalidas", "segundo_fator_exigido", "ambiente_incorreto", "permissao_negada", "muitas_requisicoes", "validacao"]);

pub(crate) static LOGOUT: ApiOperation = operation("sair", "Encerra a sessão")
    .access(Access::Session)
    .answers(&[shows::<DoneView>(200, "Encerrada; o token não vale mais.")]);

pub(crate) static SWITCH: ApiOperation = operation("trocarAmbiente", "Troca o ambiente da sessão")
    .text("Dá um token novo, ligado à chave ativa do outro ambiente, e revoga o anterior.")
    .access(Access::Session)
    .body("TrocaDeAmbiente", switch)
    .answers(&[shows::<SessionView>(200, "A sessão nova.")]);

pub(crate) static ME: ApiOperation = operation("quemSou", "De quem é a credencial")
    .answers(&[shows::<IdentityView>(200, "A conta, o usuário e a chave.")]);

pub(crate) static PASSWORD: ApiOperation = operation("trocarSenha", "Troca a senha")
    .text("Encerra todas as sessões do usuário e abre uma nova.")
    .access(Access::Session)
    .body("TrocaDeSenha", change)
    .answers(&[shows::<SessionView>(200, "A sessão nova.")])
    .refuses(&["credenciais_invalidas", "validacao"]);

pub(crate) static KEYS: ApiOperation = operation("listarChaves", "Lista as chaves de API")
    .text("Uma credencial de homologação vê só as chaves de homologação.")
    .takes(&[LIMITE, PAGINA])
    .answers(&[shows::<KeysView>(200, "As chaves, sem o segredo.")]);

pub(crate) static CREATE_KEY: ApiOperation = operation("criarChave", "Cria uma chave de API")
    .text("A chave é mostrada uma única vez. Uma chave só cria chaves do próprio ambiente; uma sessão, de qualquer um.")
    .body("NovaChave", new_key)
    .answers(&[shows::<CreatedKeyView>(201, "A chave, esta única vez.")])
    .refuses(&["validacao", "limite_da_conta"]);

pub(crate) static REVOKE_KEY: ApiOperation = operation("revogarChave", "Revoga uma chave de API")
    .takes(&[Parameter::path("id", Type::Uuid, "O `id` da chave.", "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e")])
    .answers(&[shows::<RevokedKeyView>(200, "Revogada; ela e as sessões ligadas a ela não valem mais.")])
    .refuses(&["nao_encontrado"]);

pub(crate) static AUDIT: ApiOperation = operation("listarAuditoria", "Os atos administrativos da conta")
    .access(Access::Session)
    .takes(&[
        LIMITE,
        PAGINA,
        Parameter::query("ato", Type::Words(ACTS), "Só este ato.", ""),
        Parameter::query("ator_id", Type::Uuid, "Só os de quem tem este id.", ""),
        Parameter::query("de", Type::Date, "Do dia, AAAA-MM-DD.", ""),
        Parameter::query("ate", Type::Date, "Até o dia, inclusive.", ""),
    ])
    .answers(&[shows::<TrailView>(200, "Os atos, o mais novo primeiro.")]);

const SCHEMAS: &[Schema] = &[
    schema(
        "Login",
        "E-mail e senha. Outros membros são ignorados.",
        &[
            must("email", FILLED, "E-mail do usuário."),
            must("senha", Type::TextOf(1, 1024), "Senha, letra por letra: espaços contam."),
            may(
                "codigo",
                Type::TextOf(0, 40),
                "Só de quem ligou o segundo fator: os seis dígitos do aplicativo autenticador, ou um código de recuperação.",
            ),
            may("ambiente", AMBIENTE, "O da sessão; se ausente, o de produção quando há chave ativa nele."),
        ],
    ),
    schema(
        "TrocaDeAmbiente",
        "Para qual ambiente.",
        &[must("ambiente", AMBIENTE, "Ambiente: produção ou homologação.")],
    ),
    schema(
        "TrocaDeSenha",
        "A senha em uso e a nova.",
        &[
            must("senha_atual", Type::TextOf(1, 1024), "A senha em uso."),
            must("senha_nova", Type::TextOf(12, 256), "Outra, de 12 a 256 caracteres."),
        ],
    ),
    schema(
        "NovaChave",
        "O que a chave será.",
        &[
            may("nome", Type::TextOf(0, 100), "Para reconhecê-la na lista."),
            may("ambiente", AMBIENTE, "Se ausente, o da credencial."),
            may(
                "permissao",
                Type::Words(&["completa", "leitura", "assistida"]),
                "`completa` (se ausente) faz tudo; `leitura` consulta e confere; `assistida` consulta, prepara, e confirma o que uma pessoa aprovou em `/painel`.",
            ),
        ],
    ),
    of::<SessionView>(),
    of::<UserView>(),
    of::<AccountView>(),
    of::<DoneView>(),
    of::<IdentityView>(),
    of::<KeysView>(),
    of::<KeyView>(),
    of::<CreatedKeyView>(),
    of::<RevokedKeyView>(),
    of::<TrailView>(),
    of::<AuditEntryView>(),
];

const ACTS: &[&str] = &[
    "conta_criada",
    "usuario_criado",
    "usuario_removido",
    "nome_alterado",
    "segundo_fator_ligado",
    "segundo_fator_desligado",
    "codigo_recuperacao_usado",
    "codigos_recuperacao_trocados",
    "identidade_vinculada",
    "identidade_desvinculada",
    "papel_dado",
    "papel_retirado",
    "convite_criado",
    "convite_revogado",
    "convite_aceito",
    "senha_alterada",
    "sessao_iniciada",
    "sessao_encerrada",
    "ambiente_trocado",
    "login_bloqueado",
    "logins_limitados",
    "chave_criada",
    "chave_revogada",
    "empresa_criada",
    "empresa_alterada",
    "empresa_removida",
    "configuracao_alterada",
    "certificado_enviado",
    "logotipo_enviado",
    "logotipo_removido",
    "cota_alterada",
    "teto_alterado",
    "formulario_mcp_alterado",
    "emissao_aprovada",
    "emissao_recusada",
    "emissao_por_formulario",
    "ato_aprovado",
    "ato_recusado",
    "ato_por_formulario",
    "webhook_da_conta_alterado",
    "segredo_webhook_trocado",
    "entrega_reenviada",
    "email_pedido",
    "email_configurado",
    "email_bloqueado",
    "email_desbloqueado",
    "exportacao_pedida",
    "exportacao_apagada",
    "operacao_pedida",
    "operacao_reprocessada",
    "operacao_retirada",
];

fn login() -> Value {
    json!({ "email": "fiscal@exemplo.com.br", "senha": "uma senha longa" })
}

fn switch() -> Value {
    json!({ "ambiente": "homologacao" })
}

fn change() -> Value {
    json!({ "senha_atual": "uma senha longa", "senha_nova": "outra senha, mais longa" })
}

fn new_key() -> Value {
    json!({ "nome": "Loja 2", "ambiente": "homologacao", "permissao": "completa" })
}

#[cfg(test)]
mod tests {
    use super::ACTS;

    #[test]
    fn every_act_of_the_trail_is_named() {
        let known: Vec<&str> = store::audit::AuditAct::ALL.iter().map(|(word, _)| *word).collect();
        assert_eq!(ACTS, known);
    }
}
