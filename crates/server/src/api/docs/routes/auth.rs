//! `/v1/auth`.
//!
//! Law: `spec/interface.md`, Authentication and account; `spec/not-shown.md` §6.

use serde_json::{Value, json};

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use super::jobs::AMBIENTE;
use crate::api::docs::operation::{Access, Operation, Parameter, delete, get, json, post, put};
use crate::api::schema::{FILLED, Field, Schema, Type, may, must, or_null, schema};

pub(super) const AUTH: Resource = Resource {
    tag: "conta",
    title: "Conta",
    doc: "Sessões, chaves de API e a trilha de auditoria. Contas e usuários são criados pelo operador (`carimbo conta criar`).",
    operations: &[LOGIN, LOGOUT, SWITCH, ME, PASSWORD, KEYS, CREATE_KEY, REVOKE_KEY, AUDIT],
    schemas: SCHEMAS,
};

const LOGIN: Operation = post("/v1/auth/login", "entrar", "Abre uma sessão")
    .text(
        "O token vale uma hora e fica ligado a uma chave de API ativa do ambiente. Senha errada e e-mail desconhecido dão a mesma resposta; depois de 5 \
         falhas em 15 minutos, o par e-mail e endereço espera (`429`).",
    )
    .access(Access::Public)
    .body("Login", login)
    .answers(&[json(200, "A sessão.", "Sessao")])
    .refuses(&["credenciais_invalidas", "ambiente_incorreto", "permissao_negada", "muitas_requisicoes", "validacao"]);

const LOGOUT: Operation = post("/v1/auth/logout", "sair", "Encerra a sessão").access(Access::Session).answers(&[json(
    200,
    "Encerrada; o token não vale mais.",
    "Feito",
)]);

const SWITCH: Operation = post("/v1/auth/ambiente", "trocarAmbiente", "Troca o ambiente da sessão")
    .text("Dá um token novo, ligado à chave ativa do outro ambiente, e revoga o anterior.")
    .access(Access::Session)
    .body("TrocaDeAmbiente", switch)
    .answers(&[json(200, "A sessão nova.", "Sessao")]);

const ME: Operation = get("/v1/auth/me", "quemSou", "De quem é a credencial").answers(&[json(
    200,
    "A conta, o usuário e a chave.",
    "Identidade",
)]);

const PASSWORD: Operation = put("/v1/auth/senha", "trocarSenha", "Troca a senha")
    .text("Encerra todas as sessões do usuário e abre uma nova.")
    .access(Access::Session)
    .body("TrocaDeSenha", change)
    .answers(&[json(200, "A sessão nova.", "Sessao")])
    .refuses(&["credenciais_invalidas", "validacao"]);

const KEYS: Operation = get("/v1/auth/api-keys", "listarChaves", "Lista as chaves de API")
    .takes(&[LIMITE, PAGINA])
    .answers(&[json(200, "As chaves, sem o segredo.", "ListaDeChaves")]);

const CREATE_KEY: Operation = post("/v1/auth/api-keys", "criarChave", "Cria uma chave de API")
    .text("A chave é mostrada uma única vez. Uma chave só cria chaves do próprio ambiente; uma sessão, de qualquer um.")
    .body("NovaChave", new_key)
    .answers(&[json(201, "A chave, esta única vez.", "ChaveCriada")])
    .refuses(&["validacao"]);

const REVOKE_KEY: Operation = delete("/v1/auth/api-keys/{id}", "revogarChave", "Revoga uma chave de API")
    .takes(&[Parameter::path("id", Type::Uuid, "O `id` da chave.", "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e")])
    .answers(&[json(200, "Revogada; ela e as sessões ligadas a ela não valem mais.", "ChaveRevogada")])
    .refuses(&["nao_encontrado"]);

const AUDIT: Operation = get("/v1/auth/auditoria", "listarAuditoria", "Os atos administrativos da conta")
    .access(Access::Session)
    .takes(&[
        LIMITE,
        PAGINA,
        Parameter::query("ato", Type::Words(ACTS), "Só este ato.", ""),
        Parameter::query("ator_id", Type::Uuid, "Só os de quem tem este id.", ""),
        Parameter::query("de", Type::Date, "Do dia, AAAA-MM-DD.", ""),
        Parameter::query("ate", Type::Date, "Até o dia, inclusive.", ""),
    ])
    .answers(&[json(200, "Os atos, o mais novo primeiro.", "ListaDeAuditoria")]);

const SCHEMAS: &[Schema] = &[
    schema(
        "Login",
        "E-mail e senha. Outros membros são ignorados.",
        &[
            must("email", FILLED, "E-mail do usuário."),
            must("senha", Type::TextOf(1, 1024), "Senha, letra por letra: espaços contam."),
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
        ],
    ),
    schema("Sessao", "Uma sessão.", SESSION),
    schema(
        "Usuario",
        "Um usuário.",
        &[
            must("id", Type::Uuid, "Identificador (UUID)."),
            must("nome", Type::Text, "Nome."),
            must("email", Type::Text, "E-mail do usuário."),
        ],
    ),
    schema(
        "Conta",
        "Uma conta.",
        &[must("id", Type::Uuid, "Identificador (UUID)."), must("nome", Type::Text, "Nome.")],
    ),
    schema(
        "Feito",
        "O ato foi feito.",
        &[must("sucesso", Type::Bool, "`true`."), must("mensagem", Type::Text, "O que foi feito, em palavras.")],
    ),
    schema(
        "Identidade",
        "De quem é a credencial.",
        &[
            must("sucesso", Type::Bool, "`true`."),
            or_null("usuario", Type::Ref("Usuario"), "Nulo com uma chave de API."),
            must("tenant", Type::Ref("Conta"), "A conta."),
            must("ambiente", AMBIENTE, "Ambiente: produção ou homologação."),
            must("autenticacao", Type::Text, "Por qual esquema."),
            or_null("chave", Type::Group(KEY_NAME), "A chave usada, ou a que a sessão usa."),
        ],
    ),
    schema(
        "ListaDeChaves",
        "Uma página de chaves.",
        &[
            must("api_keys", Type::List(&Type::Ref("Chave")), "As chaves, a mais nova primeiro."),
            must("total", Type::Integer, "Quantos há ao todo."),
            must("pagina", Type::Integer, "Esta página, a partir de 1."),
            must("limite", Type::Integer, "Quantos por página."),
        ],
    ),
    schema("Chave", "Uma chave de API, sem o segredo.", KEY),
    schema("ChaveCriada", "Uma chave de API com o segredo, mostrado esta única vez.", CREATED_KEY),
    schema(
        "ChaveRevogada",
        "A chave revogada.",
        &[
            must("sucesso", Type::Bool, "`true`."),
            must("id", Type::Uuid, "Identificador (UUID)."),
            must("mensagem", Type::Text, "O que foi feito, em palavras."),
        ],
    ),
    schema(
        "ListaDeAuditoria",
        "Uma página da trilha.",
        &[
            must("auditoria", Type::List(&Type::Ref("Ato")), "Os atos, o mais novo primeiro."),
            must("total", Type::Integer, "Quantos há ao todo."),
            must("pagina", Type::Integer, "Esta página, a partir de 1."),
            must("limite", Type::Integer, "Quantos por página."),
        ],
    ),
    schema("Ato", "Um ato administrativo.", ACT),
];

const SESSION: &[Field] = &[
    must("sucesso", Type::Bool, "`true`."),
    must("token", Type::Text, "Igual a `access_token`."),
    must("access_token", Type::Text, "O JWT para `Authorization: Bearer`."),
    must("token_type", Type::Words(&["Bearer"]), "Sempre `Bearer`."),
    must("expires_in", Type::Integer, "Segundos."),
    must("expira_em", Type::Instant, "Até quando o token vale."),
    must("ambiente", AMBIENTE, "O da sessão."),
    must("usuario", Type::Ref("Usuario"), "Quem entrou."),
    must("tenant", Type::Ref("Conta"), "A conta."),
];

const KEY_NAME: &[Field] = &[
    must("id", Type::Uuid, "Identificador (UUID)."),
    must("nome", Type::Text, "Nome."),
    must("prefixo", Type::Text, "Começo da chave."),
];

const KEY: &[Field] = &[
    must("id", Type::Uuid, "Identificador (UUID)."),
    must("nome", Type::Text, "Nome."),
    must("ambiente", AMBIENTE, "Ambiente: produção ou homologação."),
    must("prefixo", Type::Text, "Começo da chave."),
    must("ativa", Type::Bool, "Se ainda vale."),
    must("criado_em", Type::Instant, "Quando foi criado."),
    or_null("ultimo_uso_em", Type::Instant, "Com um minuto de folga."),
    or_null("revogado_em", Type::Instant, "Quando foi revogada; nulo enquanto vale."),
];

const CREATED_KEY: &[Field] = &[
    must("sucesso", Type::Bool, "`true`."),
    must("id", Type::Uuid, "Identificador (UUID)."),
    must("nome", Type::Text, "Nome."),
    must("ambiente", AMBIENTE, "Ambiente: produção ou homologação."),
    must("prefixo", Type::Text, "Começo da chave."),
    must("chave", Type::Text, "Guarde-a agora."),
    must("criado_em", Type::Instant, "Quando foi criado."),
    must("mensagem", Type::Text, "O que foi feito, em palavras."),
];

const ACT: &[Field] = &[
    must("id", Type::Uuid, "Identificador (UUID)."),
    must("ato", Type::Text, "O que foi feito."),
    or_null("alvo", Type::Text, "Em quê."),
    or_null("detalhes", Type::Any, "O que mudou, por ato; nunca um segredo."),
    must(
        "ator",
        Type::Group(&[
            must("tipo", Type::Text, "Usuário, chave, operador ou anônimo."),
            or_null("id", Type::Uuid, "Identificador (UUID)."),
            or_null("nome", Type::Text, "Nome."),
        ]),
        "Quem.",
    ),
    or_null("requisicao_id", Type::Text, "O `X-Request-Id` da chamada."),
    or_null("endereco", Type::Text, "De onde."),
    must("em", Type::Instant, "Quando."),
];

const ACTS: &[&str] = &[
    "conta_criada",
    "usuario_criado",
    "usuario_removido",
    "senha_alterada",
    "sessao_iniciada",
    "sessao_encerrada",
    "ambiente_trocado",
    "login_bloqueado",
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
    "segredo_webhook_trocado",
    "entrega_reenviada",
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
    json!({ "nome": "Loja 2", "ambiente": "homologacao" })
}

#[cfg(test)]
mod tests {
    use super::ACTS;

    #[test]
    fn every_act_of_the_trail_is_named() {
        let known: Vec<&str> = store::audit::Act::ALL.iter().map(|(word, _)| *word).collect();
        assert_eq!(ACTS, known);
    }
}
