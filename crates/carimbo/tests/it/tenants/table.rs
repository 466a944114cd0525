//! Requests of another tenant to each route, and their expected answers.

/// A request of tenant B.
pub(super) enum Act {
    /// Answered alike for every caller: the route knows no tenant.
    Public,
    /// Path and body with identifiers of A. The answer must equal that for identifiers that do not exist.
    Foreign(&'static str, &'static str),
    /// With B's own identifiers: path, body, the statuses that are right. Nothing of A may stand in the answer.
    Own(&'static str, &'static str, &'static [u16]),
}

use Act::{Foreign, Own, Public};

/// At least one row per route of `router.rs`. `<job>`, `<company>`, `<chave>`, `<key>`, `<ref>`, `<delivery>`, `<user>`
/// are replaced.
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
    // people's pages; another tenant's: painel of this suite
    ("GET /painel", Public),
    ("GET /painel/entrar", Public),
    ("POST /painel/entrar", Public),
    ("POST /painel/sair", Public),
    ("POST /painel/ambiente", Public),
    ("GET /painel/confirmar/{id}", Public),
    ("POST /painel/confirmar/{id}", Public),
    ("GET /painel/confirmar/{id}/pdf", Public),
    ("GET /painel/recursos/painel.css", Public),
    ("GET /mcp", Public),
    (
        "POST /mcp",
        Foreign(
            "/mcp",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_nota","arguments":{"job_id":"<job>"}}}"#,
        ),
    ),
    (
        "POST /mcp",
        Foreign(
            "/mcp",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_nota","arguments":{"chave":"<chave>"}}}"#,
        ),
    ),
    (
        "POST /mcp",
        Foreign(
            "/mcp",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"localizar_job","arguments":{"ref":"<ref>"}}}"#,
        ),
    ),
    (
        "POST /mcp",
        Foreign(
            "/mcp",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"verificar_campos_nfe","arguments":{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}}}"#,
        ),
    ),
    ("POST /v1/auth/login", Own("/v1/auth/login", r#"{"email":"<email>","senha":"<senha>"}"#, &[200])),
    ("POST /v1/auth/logout", Own("/v1/auth/logout", "", &[200])),
    ("POST /v1/auth/ambiente", Own("/v1/auth/ambiente", r#"{"ambiente":"producao"}"#, &[200])),
    ("GET /v1/auth/me", Own("/v1/auth/me", "", &[200])),
    (
        "PUT /v1/auth/senha",
        Own("/v1/auth/senha", r#"{"senha_atual":"errada","senha_nova":"uma senha bem longa"}"#, &[401]),
    ),
    ("GET /v1/auth/api-keys", Own("/v1/auth/api-keys?limite=100", "", &[200])),
    ("POST /v1/auth/api-keys", Own("/v1/auth/api-keys", "{}", &[201])),
    ("DELETE /v1/auth/api-keys/{id}", Foreign("/v1/auth/api-keys/<key>", "")),
    ("GET /v1/auth/auditoria", Own("/v1/auth/auditoria?limite=100", "", &[200])),
    ("GET /v1/auth/auditoria", Foreign("/v1/auth/auditoria?ator_id=<key>", "")),
    ("GET /v1/auth/auditoria", Foreign("/v1/auth/auditoria?ator_id=<user>", "")),
    ("GET /v1/auth/notas", Own("/v1/auth/notas?limite=100", "", &[200])),
    ("GET /v1/auth/notas", Foreign("/v1/auth/notas?emitente=<company>", "")),
    ("GET /v1/cotas", Own("/v1/cotas", "", &[200])),
    ("GET /v1/diagnostico", Own("/v1/diagnostico?limite=100", "", &[200])),
    ("POST /v1/nfe/emitir", Foreign("/v1/nfe/emitir", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)),
    ("POST /v1/nfe/preparar", Foreign("/v1/nfe/preparar", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)),
    ("POST /v1/nfe/previa", Foreign("/v1/nfe/previa", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)),
    ("POST /v1/nfce/previa", Foreign("/v1/nfce/previa", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)),
    ("POST /v1/cte/previa", Foreign("/v1/cte/previa", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)),
    ("POST /v1/nfe/confirmar", Foreign("/v1/nfe/confirmar", r#"{"token_confirmacao":"<token>"}"#)),
    (
        "POST /v1/nfe/verificar-campos",
        Foreign("/v1/nfe/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{"emitente":{"UF":"SP"}}}"#),
    ),
    (
        "POST /v1/nfce/verificar-campos",
        Foreign("/v1/nfce/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{"emitente":{"UF":"SP"}}}"#),
    ),
    (
        "POST /v1/nfe/cancelar",
        Foreign(
            "/v1/nfe/cancelar",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/nfe/cancelar",
        Foreign(
            "/v1/nfe/cancelar",
            r#"{"cpf_cnpj":"12ABC34501DE35","chave":"<chave>","justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/nfe/carta-correcao",
        Foreign(
            "/v1/nfe/carta-correcao",
            r#"{"cpf_cnpj":"12ABC34501DE35","job_id":"<job>","correcao":"correção bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/nfe/carta-correcao",
        Foreign(
            "/v1/nfe/carta-correcao",
            r#"{"cpf_cnpj":"12ABC34501DE35","chave":"<chave>","correcao":"correção bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/nfe/ator-interessado",
        Foreign(
            "/v1/nfe/ator-interessado",
            r#"{"cpf_cnpj":"12ABC34501DE35","job_id":"<job>","ator":"33000167000101"}"#,
        ),
    ),
    (
        "POST /v1/nfe/inutilizar",
        Foreign(
            "/v1/nfe/inutilizar",
            r#"{"cpf_cnpj":"<company>","numero_inicial":70,"justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/nfce/inutilizar",
        Foreign(
            "/v1/nfce/inutilizar",
            r#"{"cpf_cnpj":"<company>","numero_inicial":70,"justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    ("GET /v1/nfe/{id}/eventos", Foreign("/v1/nfe/<job>/eventos", "")),
    ("GET /v1/nfe/consultar/{id}", Foreign("/v1/nfe/consultar/<job>", "")),
    ("GET /v1/nfe/{id}/file/{tipo}", Foreign("/v1/nfe/<job>/file/xml", "")),
    ("GET /v1/nfe/{id}/file/{tipo}", Foreign("/v1/nfe/<job>/file/log", "")),
    ("GET /v1/nfe/status-servico", Foreign("/v1/nfe/status-servico?uf=PR&cpf_cnpj=<company>", "")),
    ("GET /v1/nfe/cadastro", Foreign("/v1/nfe/cadastro?uf=SP&cnpj=60701190000104&cpf_cnpj=<company>", "")),
    (
        "POST /v1/nfe/manifestar",
        Foreign("/v1/nfe/manifestar", r#"{"cpf_cnpj":"<company>","chave":"<chave>","tipo":"ciencia"}"#),
    ),
    ("GET /v1/nfe/recebidas", Own("/v1/nfe/recebidas?limite=100", "", &[200])),
    ("GET /v1/nfe/recebidas", Foreign("/v1/nfe/recebidas?cpf_cnpj=<company>", "")),
    ("POST /v1/nfe/recebidas/sincronizar", Foreign("/v1/nfe/recebidas/sincronizar", r#"{"cpf_cnpj":"<company>"}"#)),
    ("GET /v1/nfe/recebidas/{chave}", Foreign("/v1/nfe/recebidas/<chave>", "")),
    ("GET /v1/nfe/recebidas/{chave}/xml", Foreign("/v1/nfe/recebidas/<chave>/xml", "")),
    ("GET /v1/cte/recebidos", Own("/v1/cte/recebidos?limite=100", "", &[200])),
    ("GET /v1/cte/recebidos", Foreign("/v1/cte/recebidos?cpf_cnpj=<company>", "")),
    ("POST /v1/cte/recebidos/sincronizar", Foreign("/v1/cte/recebidos/sincronizar", r#"{"cpf_cnpj":"<company>"}"#)),
    ("GET /v1/cte/recebidos/{chave}", Foreign("/v1/cte/recebidos/<chave>", "")),
    ("GET /v1/cte/recebidos/{chave}/xml", Foreign("/v1/cte/recebidos/<chave>/xml", "")),
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
    ("GET /v1/nfse/recebidas", Foreign("/v1/nfse/recebidas?cpf_cnpj=<company>", "")),
    ("POST /v1/nfse/recebidas/sincronizar", Foreign("/v1/nfse/recebidas/sincronizar", r#"{"cpf_cnpj":"<company>"}"#)),
    ("GET /v1/nfse/recebidas/{chave}", Foreign("/v1/nfse/recebidas/<chave>", "")),
    ("GET /v1/nfse/recebidas/{chave}/xml", Foreign("/v1/nfse/recebidas/<chave>/xml", "")),
    ("GET /v1/empresas/{cpf_cnpj}/distribuicao", Foreign("/v1/empresas/<company>/distribuicao", "")),
    ("PUT /v1/empresas/{cpf_cnpj}/distribuicao", Foreign("/v1/empresas/<company>/distribuicao", r#"{"ativa":true}"#)),
    ("POST /v1/nfse/emitir", Foreign("/v1/nfse/emitir", r#"{"cpf_cnpj":"<company>","nota":{"serv":{}}}"#)),
    ("POST /v1/nfse/previa", Foreign("/v1/nfse/previa", r#"{"cpf_cnpj":"<company>","nota":{"serv":{}}}"#)),
    (
        "POST /v1/nfse/verificar-campos",
        Foreign("/v1/nfse/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{"serv":{}}}"#),
    ),
    (
        "POST /v1/nfse/cancelar",
        Foreign(
            "/v1/nfse/cancelar",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/nfse/solicitar-analise",
        Foreign(
            "/v1/nfse/solicitar-analise",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/nfse/consultar-sefaz",
        Foreign(
            "/v1/nfse/consultar-sefaz",
            r#"{"cpf_cnpj":"<company>","id_dps":"DPS355030821122233300018100001000000000000001"}"#,
        ),
    ),
    (
        "POST /v1/nfse/govdigital/emitir",
        Foreign("/v1/nfse/govdigital/emitir", r#"{"cpf_cnpj":"<company>","nota":{"servico":{}}}"#),
    ),
    ("GET /v1/nfse/municipios/{codigo}", Own("/v1/nfse/municipios/3138203", "", &[200])),
    ("POST /v1/nfse/{cpf_cnpj}/emitir", Foreign("/v1/nfse/<company>/emitir", r#"{"nota":{"serv":{}}}"#)),
    (
        "POST /v1/nfse/{cpf_cnpj}/emitir/json/sync",
        Foreign("/v1/nfse/<company>/emitir/json/sync", r#"{"nota":{"serv":{}}}"#),
    ),
    (
        "POST /v1/nfse/{cpf_cnpj}/cancelar",
        Foreign("/v1/nfse/<company>/cancelar", r#"{"job_id":"<job>","justificativa":"justificativa bastante longa"}"#),
    ),
    ("POST /v1/nfse/{cpf_cnpj}/consultar", Foreign("/v1/nfse/<company>/consultar", r#"{"numero_rps":1}"#)),
    ("GET /v1/nfse/{cpf_cnpj}/consultar-rps", Foreign("/v1/nfse/<company>/consultar-rps?numero_rps=1", "")),
    ("GET /v1/nfse/{job_id}/eventos", Foreign("/v1/nfse/<job>/eventos", "")),
    ("GET /v1/nfse/consultar/{job_id}", Foreign("/v1/nfse/consultar/<job>", "")),
    ("GET /v1/nfse/{job_id}/file/{tipo}", Foreign("/v1/nfse/<job>/file/xml", "")),
    ("POST /v1/cte/emitir", Foreign("/v1/cte/emitir", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)),
    (
        "POST /v1/cte/verificar-campos",
        Foreign("/v1/cte/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{"emitente":{"UF":"SP"}}}"#),
    ),
    (
        "POST /v1/cte/cancelar",
        Foreign(
            "/v1/cte/cancelar",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/cte/carta-correcao",
        Foreign(
            "/v1/cte/carta-correcao",
            r#"{"cpf_cnpj":"12ABC34501DE35","job_id":"<job>","correcoes":[{"grupo":"compl","campo":"xObs","valor":"outra"}]}"#,
        ),
    ),
    (
        "POST /v1/cte/eventos",
        Foreign(
            "/v1/cte/eventos",
            r#"{"cpf_cnpj":"12ABC34501DE35","job_id":"<job>","tipo":"multimodal","dados":{"xRegistro":"registro bastante longo"}}"#,
        ),
    ),
    (
        "POST /v1/cte/eventos",
        Foreign(
            "/v1/cte/eventos",
            r#"{"cpf_cnpj":"<company>","chave":"35261111222333000181570010000000011123456785","tipo":"desacordo","dados":{"xObs":"motivo bastante longo"}}"#,
        ),
    ),
    ("GET /v1/cte/{id}/eventos", Foreign("/v1/cte/<job>/eventos", "")),
    ("GET /v1/cte/consultar/{id}", Foreign("/v1/cte/consultar/<job>", "")),
    ("GET /v1/cte/{id}/file/{tipo}", Foreign("/v1/cte/<job>/file/xml", "")),
    ("POST /v1/nfce/emitir", Foreign("/v1/nfce/emitir", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)),
    (
        "POST /v1/nfce/cancelar",
        Foreign(
            "/v1/nfce/cancelar",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    (
        "POST /v1/nfce/cancelar",
        Foreign(
            "/v1/nfce/cancelar",
            r#"{"cpf_cnpj":"12ABC34501DE35","job_id":"<job>","job_id_substituto":"<job>","justificativa":"justificativa bastante longa"}"#,
        ),
    ),
    ("GET /v1/nfce/consultar/{id}", Foreign("/v1/nfce/consultar/<job>", "")),
    ("GET /v1/nfce/{id}/file/{tipo}", Foreign("/v1/nfce/<job>/file/xml", "")),
    ("GET /v1/notas", Own("/v1/notas?limite=100", "", &[200])),
    ("GET /v1/notas", Foreign("/v1/notas?emitente=<company>", "")),
    ("GET /v1/notas/{chave}", Foreign("/v1/notas/<chave>", "")),
    ("GET /v1/jobs/localizar", Foreign("/v1/jobs/localizar?ref=<ref>", "")),
    ("GET /v1/jobs/localizar", Foreign("/v1/jobs/localizar?emitente=<company>", "")),
    ("POST /v1/jobs/consultar-lote", Foreign("/v1/jobs/consultar-lote", r#"{"job_ids":["<job>"]}"#)),
    ("GET /v1/jobs/erros", Own("/v1/jobs/erros?por_pagina=200", "", &[200])),
    ("GET /v1/jobs/erros", Own("/v1/jobs/erros?formato=resumo", "", &[200])),
    ("GET /v1/jobs/rejeitadas", Own("/v1/jobs/rejeitadas?por_pagina=200", "", &[200])),
    ("GET /v1/jobs/rejeitadas", Own("/v1/jobs/rejeitadas?formato=resumo", "", &[200])),
    ("GET /v1/jobs/{job_id}/itens", Foreign("/v1/jobs/<job>/itens", "")),
    ("POST /v1/jobs/{job_id}/cancelar", Foreign("/v1/jobs/<job>/cancelar", "{}")),
    ("POST /v1/jobs/{job_id}/reprocessar", Foreign("/v1/jobs/<job>/reprocessar", "{}")),
    ("GET /v1/empresas", Own("/v1/empresas?limite=100", "", &[200])),
    ("POST /v1/empresas", Own("/v1/empresas", r#"{"cpf_cnpj":"60701190000104","nome":"Outra"}"#, &[201])),
    ("GET /v1/empresas/certificados", Own("/v1/empresas/certificados?limite=100", "", &[200])),
    ("GET /v1/empresas/numeracao", Own("/v1/empresas/numeracao?limite=100", "", &[200])),
    ("GET /v1/empresas/numeracao", Foreign("/v1/empresas/numeracao?cnpj=<company>", "")),
    ("GET /v1/empresas/{cpf_cnpj}", Foreign("/v1/empresas/<company>", "")),
    ("PUT /v1/empresas/{cpf_cnpj}", Foreign("/v1/empresas/<company>", r#"{"nome_fantasia":"Tomada"}"#)),
    ("DELETE /v1/empresas/{cpf_cnpj}", Foreign("/v1/empresas/<company>", "")),
    ("PUT /v1/empresas/{cpf_cnpj}/nfe", Foreign("/v1/empresas/<company>/nfe", r#"{"ambiente":1,"serie":"9"}"#)),
    ("PUT /v1/empresas/{cpf_cnpj}/nfce", Foreign("/v1/empresas/<company>/nfce", r#"{"ambiente":1,"csc":"x"}"#)),
    ("PUT /v1/empresas/{cpf_cnpj}/nfse", Foreign("/v1/empresas/<company>/nfse", r#"{"ambiente":1}"#)),
    ("PUT /v1/empresas/{cpf_cnpj}/cte", Foreign("/v1/empresas/<company>/cte", r#"{"ambiente":1}"#)),
    ("PUT /v1/empresas/{cpf_cnpj}/logo", Foreign("/v1/empresas/<company>/logo", r#"{"logo":"AAAA"}"#)),
    ("GET /v1/empresas/{cpf_cnpj}/logo", Foreign("/v1/empresas/<company>/logo", "")),
    ("DELETE /v1/empresas/{cpf_cnpj}/logo", Foreign("/v1/empresas/<company>/logo", "")),
    (
        "PUT /v1/empresas/{cpf_cnpj}/certificado",
        Foreign("/v1/empresas/<company>/certificado", r#"{"certificado":"AAAA","senha":"x"}"#),
    ),
    ("GET /v1/cep", Own("/v1/cep?logradouro=Praca+da+Se", "", &[200, 404, 501])),
    ("GET /v1/cep/{cep}", Own("/v1/cep/01001000", "", &[200, 404, 501])),
    ("GET /v1/cnpj/{cnpj}", Foreign("/v1/cnpj/<company>", "")),
    ("POST /v1/ncm/buscar", Own("/v1/ncm/buscar", r#"{"descricao":"cavalo"}"#, &[200])),
    ("GET /v1/ncm/{codigo}", Own("/v1/ncm/01012100", "", &[200, 404])),
    ("GET /v1/ncm/{codigo}/validar", Own("/v1/ncm/01012100/validar", "", &[200])),
    ("GET /v1/tributos/simples", Own("/v1/tributos/simples?anexo=I&rbt12=180000.00&data=2027-01-01", "", &[200])),
    ("GET /v1/webhooks/entregas", Own("/v1/webhooks/entregas?limite=100", "", &[200])),
    ("GET /v1/webhooks/entregas", Foreign("/v1/webhooks/entregas?job_id=<job>", "")),
    ("POST /v1/webhooks/entregas/{id}/reenviar", Foreign("/v1/webhooks/entregas/<delivery>/reenviar", "{}")),
    ("GET /v1/webhooks/segredo", Own("/v1/webhooks/segredo", "", &[200])),
    ("POST /v1/webhooks/segredo", Own("/v1/webhooks/segredo", "{}", &[200, 201])),
];
