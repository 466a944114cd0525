//! Permissions of a credential of homologação, by route, for a company that issues in production.

/// A request with a credential of homologação.
pub(super) enum Act {
    /// Answered alike for every caller, or used before a caller has a credential.
    Public,
    /// Path and body with identifiers of production's documents. The answer must equal that for identifiers that do not
    /// exist.
    Hidden(&'static str, &'static str),
    /// Would change objects of production: 403 `ambiente_incorreto`.
    Refused(&'static str, &'static str),
    /// Homologação's own objects: path, body, the expected statuses. The answer must contain nothing of production's
    /// documents.
    Own(&'static str, &'static str, &'static [u16]),
}

use Act::{Hidden, Own, Public, Refused};

/// At least one row per route of `router.rs`. `<job>`, `<chave>`, `<event>`, `<failed>`, `<ref>`, `<delivery>`,
/// `<token>`, `<key>`, `<received>` are production's; `<company>` is the company itself, `<own>` a job of homologação.
pub(super) const TABLE: &[(&str, Act)] = &[
    ("GET /", Public),
    ("GET /health", Public),
    ("GET /status", Public),
    ("GET /docs", Public),
    ("GET /docs/json", Public),
    ("GET /docs/rotas/{operacao}", Public),
    ("GET /docs/guia/{pagina}", Public),
    ("GET /docs/recursos/{arquivo}", Public),
    ("GET /swagger", Public),
    ("GET /docs/erros", Public),
    ("GET /docs/erros/{codigo}", Public),
    ("GET /mcp", Public),
    (
        "POST /mcp",
        Own(
            "/mcp",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listar_notas","arguments":{}}}"#,
            &[200],
        ),
    ),
    (
        "POST /mcp",
        Own(
            "/mcp",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_nota","arguments":{"job_id":"<job>"}}}"#,
            &[200],
        ),
    ),
    (
        "POST /mcp",
        Own(
            "/mcp",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_nota","arguments":{"chave":"<chave>"}}}"#,
            &[200],
        ),
    ),
    (
        "POST /mcp",
        Own(
            "/mcp",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"localizar_job","arguments":{"ref":"<ref>"}}}"#,
            &[200],
        ),
    ),
    (
        "POST /mcp",
        Own(
            "/mcp",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_cotas","arguments":{}}}"#,
            &[200],
        ),
    ),
    ("POST /v1/auth/login", Public),
    // a user may change to the other environment by contract, and then has another credential: auth::ambiente
    ("POST /v1/auth/logout", Public),
    ("POST /v1/auth/ambiente", Public),
    ("PUT /v1/auth/senha", Public),
    ("GET /v1/auth/me", Own("/v1/auth/me", "", &[200])),
    ("GET /v1/auth/api-keys", Own("/v1/auth/api-keys?limite=100", "", &[200])),
    ("POST /v1/auth/api-keys", Refused("/v1/auth/api-keys", r#"{"ambiente":"producao"}"#)),
    ("POST /v1/auth/api-keys", Own("/v1/auth/api-keys", r#"{"ambiente":"homologacao"}"#, &[201])),
    ("DELETE /v1/auth/api-keys/{id}", Refused("/v1/auth/api-keys/<key>", "")),
    ("GET /v1/auth/auditoria", Own("/v1/auth/auditoria?limite=100", "", &[200, 403])),
    ("GET /v1/auth/notas", Own("/v1/auth/notas?limite=100", "", &[200, 403])),
    ("GET /v1/notas", Own("/v1/notas?limite=100", "", &[200])),
    ("GET /v1/notas", Own("/v1/notas?limite=100&ambiente=producao", "", &[200])),
    ("GET /v1/notas", Own("/v1/notas?limite=100&chave=<chave>", "", &[200])),
    ("GET /v1/notas", Own("/v1/notas?limite=100&status=inutilizada", "", &[200])),
    ("GET /v1/notas/{chave}", Hidden("/v1/notas/<chave>", "")),
    ("GET /v1/jobs/localizar", Hidden("/v1/jobs/localizar?ref=<ref>", "")),
    ("GET /v1/jobs/localizar", Own("/v1/jobs/localizar?emitente=<company>&limite=100", "", &[200])),
    ("GET /v1/jobs/localizar", Own("/v1/jobs/localizar?valor=120.00", "", &[404])),
    (
        "POST /v1/jobs/consultar-lote",
        Hidden("/v1/jobs/consultar-lote", r#"{"job_ids":["<job>","<event>","<failed>","<job>"]}"#),
    ),
    ("GET /v1/jobs/erros", Own("/v1/jobs/erros?por_pagina=200", "", &[200])),
    ("GET /v1/jobs/erros", Own("/v1/jobs/erros?formato=resumo", "", &[200])),
    ("GET /v1/jobs/erros", Own("/v1/jobs/erros?ambiente=producao", "", &[200])),
    ("GET /v1/jobs/rejeitadas", Own("/v1/jobs/rejeitadas?por_pagina=200", "", &[200])),
    ("GET /v1/jobs/rejeitadas", Own("/v1/jobs/rejeitadas?formato=resumo&ambiente=producao", "", &[200])),
    ("GET /v1/jobs/{job_id}/itens", Hidden("/v1/jobs/<job>/itens", "")),
    ("POST /v1/jobs/{job_id}/cancelar", Hidden("/v1/jobs/<job>/cancelar", "{}")),
    ("POST /v1/jobs/{job_id}/reprocessar", Hidden("/v1/jobs/<failed>/reprocessar", "{}")),
    ("GET /v1/cotas", Own("/v1/cotas", "", &[200])),
    ("GET /v1/diagnostico", Own("/v1/diagnostico?limite=100", "", &[200])),
    ("GET /v1/empresas", Own("/v1/empresas?limite=100", "", &[200])),
    ("POST /v1/empresas", Own("/v1/empresas", r#"{"cpf_cnpj":"60701190000104","nome":"Outra"}"#, &[201])),
    ("GET /v1/empresas/certificados", Own("/v1/empresas/certificados?limite=100", "", &[200])),
    ("GET /v1/empresas/numeracao", Own("/v1/empresas/numeracao?limite=100", "", &[200])),
    ("GET /v1/empresas/{cpf_cnpj}", Own("/v1/empresas/<company>", "", &[200])),
    ("PUT /v1/empresas/{cpf_cnpj}", Refused("/v1/empresas/<company>", r#"{"nome_fantasia":"Tomada"}"#)),
    ("DELETE /v1/empresas/{cpf_cnpj}", Refused("/v1/empresas/<company>", "")),
    ("PUT /v1/empresas/{cpf_cnpj}/nfe", Refused("/v1/empresas/<company>/nfe", r#"{"ambiente":2}"#)),
    ("PUT /v1/empresas/{cpf_cnpj}/nfe", Refused("/v1/empresas/<company>/nfe", r#"{"proximo_numero":900000000}"#)),
    ("PUT /v1/empresas/{cpf_cnpj}/nfe", Refused("/v1/empresas/<company>/nfe", r#"{"ambiente":1,"serie":"9"}"#)),
    // not in production yet, and stays so
    ("PUT /v1/empresas/{cpf_cnpj}/nfce", Own("/v1/empresas/<company>/nfce", r#"{"ambiente":2,"serie":"3"}"#, &[200])),
    ("PUT /v1/empresas/{cpf_cnpj}/nfce", Refused("/v1/empresas/<company>/nfce", r#"{"ambiente":1,"csc":"x"}"#)),
    ("PUT /v1/empresas/{cpf_cnpj}/nfse", Refused("/v1/empresas/<company>/nfse", r#"{"ambiente":1}"#)),
    ("PUT /v1/empresas/{cpf_cnpj}/cte", Refused("/v1/empresas/<company>/cte", r#"{"ambiente":1}"#)),
    ("PUT /v1/empresas/{cpf_cnpj}/certificado", Refused("/v1/empresas/<company>/certificado", "<certificate>")),
    ("PUT /v1/empresas/{cpf_cnpj}/logo", Refused("/v1/empresas/<company>/logo", r#"{"logo":"<logo>"}"#)),
    ("GET /v1/empresas/{cpf_cnpj}/logo", Own("/v1/empresas/<company>/logo", "", &[404])),
    ("DELETE /v1/empresas/{cpf_cnpj}/logo", Refused("/v1/empresas/<company>/logo", "")),
    ("GET /v1/empresas/{cpf_cnpj}/distribuicao", Own("/v1/empresas/<company>/distribuicao", "", &[200])),
    ("GET /v1/empresas/{cpf_cnpj}/distribuicao", Own("/v1/empresas/<company>/distribuicao?tipo=cte", "", &[200])),
    (
        "PUT /v1/empresas/{cpf_cnpj}/distribuicao",
        Own("/v1/empresas/<company>/distribuicao", r#"{"ativa":false}"#, &[200]),
    ),
    ("GET /v1/webhooks/segredo", Own("/v1/webhooks/segredo", "", &[200])),
    ("POST /v1/webhooks/segredo", Own("/v1/webhooks/segredo", "{}", &[200, 201])),
    ("GET /v1/webhooks/entregas", Own("/v1/webhooks/entregas?limite=100", "", &[200])),
    ("GET /v1/webhooks/entregas", Hidden("/v1/webhooks/entregas?job_id=<job>", "")),
    ("POST /v1/webhooks/entregas/{id}/reenviar", Hidden("/v1/webhooks/entregas/<delivery>/reenviar", "{}")),
    ("GET /v1/cep", Public),
    ("GET /v1/cep/{cep}", Public),
    ("GET /v1/cnpj/{cnpj}", Public),
    ("POST /v1/ncm/buscar", Public),
    ("GET /v1/ncm/{codigo}", Public),
    ("GET /v1/ncm/{codigo}/validar", Public),
    ("GET /v1/tributos/simples", Public),
    ("POST /v1/nfe/emitir", Own("/v1/nfe/emitir", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#, &[422])),
    ("POST /v1/nfe/verificar-campos", Own("/v1/nfe/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[200])),
    (
        "POST /v1/nfce/verificar-campos",
        Own("/v1/nfce/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[200]),
    ),
    ("POST /v1/cte/emitir", Own("/v1/cte/emitir", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#, &[422])),
    ("POST /v1/cte/verificar-campos", Own("/v1/cte/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[200])),
    ("POST /v1/nfse/emitir", Own("/v1/nfse/emitir", r#"{"cpf_cnpj":"<company>","nota":{"serv":{}}}"#, &[422])),
    (
        "POST /v1/nfse/verificar-campos",
        Own("/v1/nfse/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[200]),
    ),
    ("POST /v1/nfse/previa", Own("/v1/nfse/previa", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[422])),
    (
        "POST /v1/nfse/cancelar",
        Hidden(
            "/v1/nfse/cancelar",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/nfse/solicitar-analise",
        Hidden(
            "/v1/nfse/solicitar-analise",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    ("GET /v1/nfse/{job_id}/eventos", Hidden("/v1/nfse/<job>/eventos", "")),
    (
        "POST /v1/nfse/consultar-sefaz",
        Refused(
            "/v1/nfse/consultar-sefaz",
            r#"{"cpf_cnpj":"<company>","id_dps":"DPS355030821122233300018100001000000000000001","ambiente":"producao"}"#,
        ),
    ),
    (
        "POST /v1/nfse/consultar-sefaz",
        Own(
            "/v1/nfse/consultar-sefaz",
            r#"{"cpf_cnpj":"<company>","id_dps":"DPS355030821122233300018100001000000000000001"}"#,
            &[200],
        ),
    ),
    (
        "POST /v1/nfse/govdigital/emitir",
        Own("/v1/nfse/govdigital/emitir", r#"{"cpf_cnpj":"<company>","nota":{"servico":{}}}"#, &[422]),
    ),
    ("GET /v1/nfse/municipios/{codigo}", Own("/v1/nfse/municipios/3138203", "", &[200])),
    ("POST /v1/nfse/{cpf_cnpj}/emitir", Own("/v1/nfse/<company>/emitir", r#"{"nota":{"serv":{}}}"#, &[422])),
    (
        "POST /v1/nfse/{cpf_cnpj}/emitir/json/sync",
        Own("/v1/nfse/<company>/emitir/json/sync", r#"{"nota":{"serv":{}}}"#, &[422]),
    ),
    (
        "POST /v1/nfse/{cpf_cnpj}/cancelar",
        Hidden("/v1/nfse/<company>/cancelar", r#"{"job_id":"<job>","justificativa":"justificativa bastante longa"}"#),
    ),
    ("POST /v1/nfse/{cpf_cnpj}/consultar", Own("/v1/nfse/<company>/consultar", r#"{"numero_rps":1}"#, &[200, 422])),
    ("GET /v1/nfse/{cpf_cnpj}/consultar-rps", Own("/v1/nfse/<company>/consultar-rps?numero_rps=1", "", &[200, 422])),
    ("GET /v1/nfse/consultar/{job_id}", Hidden("/v1/nfse/consultar/<job>", "")),
    ("GET /v1/nfse/{job_id}/file/{tipo}", Hidden("/v1/nfse/<job>/file/xml", "")),
    ("POST /v1/cte/previa", Own("/v1/cte/previa", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[422])),
    (
        "POST /v1/cte/cancelar",
        Hidden(
            "/v1/cte/cancelar",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/cte/carta-correcao",
        Hidden(
            "/v1/cte/carta-correcao",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","correcoes":[{"grupo":"compl","campo":"xObs","valor":"outra"}]}"#,
        ),
    ),
    (
        "POST /v1/cte/eventos",
        Hidden(
            "/v1/cte/eventos",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","tipo":"multimodal","dados":{"xRegistro":"registro bastante longo"}}"#,
        ),
    ),
    ("GET /v1/cte/{id}/eventos", Hidden("/v1/cte/<job>/eventos", "")),
    ("GET /v1/cte/consultar/{id}", Hidden("/v1/cte/consultar/<job>", "")),
    ("GET /v1/cte/{id}/file/{tipo}", Hidden("/v1/cte/<job>/file/xml", "")),
    ("POST /v1/nfe/preparar", Own("/v1/nfe/preparar", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[422])),
    ("POST /v1/nfe/previa", Own("/v1/nfe/previa", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[422])),
    ("POST /v1/nfce/previa", Own("/v1/nfce/previa", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[422])),
    ("POST /v1/nfe/confirmar", Refused("/v1/nfe/confirmar", r#"{"token_confirmacao":"<token>"}"#)),
    (
        "POST /v1/nfe/cancelar",
        Hidden(
            "/v1/nfe/cancelar",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/nfe/cancelar",
        Hidden(
            "/v1/nfe/cancelar",
            r#"{"cpf_cnpj":"<company>","chave":"<chave>","justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/nfce/cancelar",
        Hidden(
            "/v1/nfce/cancelar",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/nfe/carta-correcao",
        Hidden(
            "/v1/nfe/carta-correcao",
            r#"{"cpf_cnpj":"<company>","chave":"<chave>","correcao":"correção bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/nfe/ator-interessado",
        Hidden("/v1/nfe/ator-interessado", r#"{"cpf_cnpj":"<company>","job_id":"<job>","ator":"33000167000101"}"#),
    ),
    (
        "POST /v1/nfe/inutilizar",
        Own(
            "/v1/nfe/inutilizar",
            r#"{"cpf_cnpj":"<company>","numero_inicial":70,"justificativa":"justificativa bastante longa"}"#,
            &[202],
        ),
    ),
    (
        "POST /v1/nfce/inutilizar",
        Own(
            "/v1/nfce/inutilizar",
            r#"{"cpf_cnpj":"<company>","numero_inicial":70,"justificativa":"justificativa bastante longa"}"#,
            &[202],
        ),
    ),
    ("GET /v1/nfe/{id}/eventos", Hidden("/v1/nfe/<job>/eventos", "")),
    ("GET /v1/nfe/consultar/{id}", Hidden("/v1/nfe/consultar/<job>", "")),
    ("GET /v1/nfe/consultar/{id}", Hidden("/v1/nfe/consultar/<event>", "")),
    ("GET /v1/nfe/{id}/file/{tipo}", Hidden("/v1/nfe/<job>/file/xml", "")),
    ("GET /v1/nfe/{id}/file/{tipo}", Hidden("/v1/nfe/<job>/file/pdf", "")),
    ("GET /v1/nfe/{id}/file/{tipo}", Hidden("/v1/nfe/<job>/file/log", "")),
    ("GET /v1/nfe/{id}/file/{tipo}", Hidden("/v1/nfe/<event>/file/xml", "")),
    ("POST /v1/nfce/emitir", Own("/v1/nfce/emitir", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#, &[422])),
    ("GET /v1/nfce/consultar/{id}", Hidden("/v1/nfce/consultar/<job>", "")),
    ("GET /v1/nfce/{id}/file/{tipo}", Hidden("/v1/nfce/<job>/file/xml", "")),
    // an event goes to homologação's Ambiente Nacional, which has no such note
    (
        "POST /v1/nfe/manifestar",
        Own("/v1/nfe/manifestar", r#"{"cpf_cnpj":"<company>","chave":"<nobodys>","tipo":"ciencia"}"#, &[202]),
    ),
    ("GET /v1/nfe/recebidas", Own("/v1/nfe/recebidas?limite=100", "", &[200])),
    ("GET /v1/nfe/recebidas", Own("/v1/nfe/recebidas?limite=100&ambiente=producao", "", &[200])),
    ("POST /v1/nfe/recebidas/sincronizar", Own("/v1/nfe/recebidas/sincronizar", r#"{"cpf_cnpj":"<company>"}"#, &[200])),
    ("GET /v1/nfe/recebidas/{chave}", Hidden("/v1/nfe/recebidas/<received>", "")),
    ("GET /v1/nfe/recebidas/{chave}/xml", Hidden("/v1/nfe/recebidas/<received>/xml", "")),
    ("GET /v1/cte/recebidos", Own("/v1/cte/recebidos?limite=100", "", &[200])),
    ("GET /v1/cte/recebidos", Own("/v1/cte/recebidos?limite=100&ambiente=producao", "", &[200])),
    ("POST /v1/cte/recebidos/sincronizar", Own("/v1/cte/recebidos/sincronizar", r#"{"cpf_cnpj":"<company>"}"#, &[200])),
    ("GET /v1/cte/recebidos/{chave}", Hidden("/v1/cte/recebidos/<received_cte>", "")),
    ("GET /v1/cte/recebidos/{chave}/xml", Hidden("/v1/cte/recebidos/<received_cte>/xml", "")),
    ("GET /v1/empresas/{cpf_cnpj}/distribuicao", Own("/v1/empresas/<company>/distribuicao?tipo=nfse", "", &[200])),
    // closed until the operator opens it
    (
        "POST /v1/nfse/manifestar",
        Own(
            "/v1/nfse/manifestar",
            r#"{"cpf_cnpj":"<company>","chave":"35503082211222333000181000000000000126111234567890","tipo":"confirmacao","papel":"tomador"}"#,
            &[403],
        ),
    ),
    ("GET /v1/nfse/recebidas", Own("/v1/nfse/recebidas?limite=100", "", &[200])),
    ("GET /v1/nfse/recebidas", Own("/v1/nfse/recebidas?limite=100&ambiente=producao", "", &[200])),
    (
        "POST /v1/nfse/recebidas/sincronizar",
        Own("/v1/nfse/recebidas/sincronizar", r#"{"cpf_cnpj":"<company>"}"#, &[200]),
    ),
    ("GET /v1/nfse/recebidas/{chave}", Hidden("/v1/nfse/recebidas/<received_nfse>", "")),
    ("GET /v1/nfse/recebidas/{chave}/xml", Hidden("/v1/nfse/recebidas/<received_nfse>/xml", "")),
    ("GET /v1/nfe/status-servico", Own("/v1/nfe/status-servico?uf=SP&ambiente=homologacao", "", &[200])),
    (
        "GET /v1/nfe/cadastro",
        Refused("/v1/nfe/cadastro?uf=SP&cnpj=60701190000104&cpf_cnpj=<company>&ambiente=producao", ""),
    ),
    // people log in there, in one environment: painel of this suite
    ("GET /painel", Public),
    ("GET /painel/entrar", Public),
    ("POST /painel/entrar", Public),
    ("POST /painel/sair", Public),
    ("POST /painel/ambiente", Public),
    ("GET /painel/confirmar/{id}", Public),
    ("POST /painel/confirmar/{id}", Public),
    ("GET /painel/confirmar/{id}/pdf", Public),
    ("GET /painel/recursos/painel.css", Public),
];
