//! The expectations of every route, a row each: the permission that a key needs, then requests of a credential of
//! homologação (`ambientes`), then requests of another tenant (`tenants`).

use super::KeyPermission::{Acts, Anybody, Assists, Reads};
use super::RouteRequest::{Hidden, Own, Refused};
use super::{RouteRow, row};

/// No request: answered alike for every caller, or used before a caller has a credential.
const ALIKE: &[super::RouteRequest] = &[];

/// A row per route of the service, run in this order. `<job>`, `<chave>`, `<event>`, `<failed>`, `<ref>`, `<delivery>`,
/// `<token>`, `<key>`, `<user>`, `<received>` are the other's: production's, or tenant A's. `<company>` is tenant A's
/// company, or of `ambientes` the company itself.
pub(crate) const TABLE: &[RouteRow] = &[
    row("GET /", Anybody, ALIKE, ALIKE),
    row("GET /health", Anybody, ALIKE, ALIKE),
    row("GET /status", Anybody, ALIKE, ALIKE),
    row("GET /docs", Anybody, ALIKE, ALIKE),
    row("GET /docs/json", Anybody, ALIKE, ALIKE),
    row("GET /docs/rotas/{operacao}", Anybody, ALIKE, ALIKE),
    row("GET /docs/guia/{pagina}", Anybody, ALIKE, ALIKE),
    row("GET /docs/recursos/{arquivo}", Anybody, ALIKE, ALIKE),
    row("GET /swagger", Anybody, ALIKE, ALIKE),
    row("GET /docs/erros", Anybody, ALIKE, ALIKE),
    row("GET /docs/erros/{codigo}", Anybody, ALIKE, ALIKE),
    row("GET /mcp", Anybody, ALIKE, ALIKE),
    row(
        "POST /mcp",
        Reads,
        &[
            Own(
                "/mcp",
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listar_notas","arguments":{}}}"#,
                &[200],
            ),
            Own(
                "/mcp",
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_nota","arguments":{"job_id":"<job>"}}}"#,
                &[200],
            ),
            Own(
                "/mcp",
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_nota","arguments":{"chave":"<chave>"}}}"#,
                &[200],
            ),
            Own(
                "/mcp",
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"localizar_job","arguments":{"ref":"<ref>"}}}"#,
                &[200],
            ),
            Own(
                "/mcp",
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_cotas","arguments":{}}}"#,
                &[200],
            ),
        ],
        &[
            Hidden(
                "/mcp",
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_nota","arguments":{"job_id":"<job>"}}}"#,
            ),
            Hidden(
                "/mcp",
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_nota","arguments":{"chave":"<chave>"}}}"#,
            ),
            Hidden(
                "/mcp",
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"localizar_job","arguments":{"ref":"<ref>"}}}"#,
            ),
            Hidden(
                "/mcp",
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"verificar_campos_nfe","arguments":{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}}}"#,
            ),
        ],
    ),
    row(
        "POST /v1/auth/login",
        Anybody,
        ALIKE,
        &[Own("/v1/auth/login", r#"{"email":"<email>","senha":"<senha>"}"#, &[200])],
    ),
    // a user may change to the other environment by contract, and then has another credential: auth::ambiente
    row("POST /v1/auth/logout", Anybody, ALIKE, &[Own("/v1/auth/logout", "", &[200])]),
    row("POST /v1/auth/ambiente", Anybody, ALIKE, &[Own("/v1/auth/ambiente", r#"{"ambiente":"producao"}"#, &[200])]),
    row(
        "PUT /v1/auth/senha",
        Anybody,
        ALIKE,
        &[Own("/v1/auth/senha", r#"{"senha_atual":"errada","senha_nova":"uma senha bem longa"}"#, &[401])],
    ),
    row("GET /v1/auth/me", Reads, &[Own("/v1/auth/me", "", &[200])], &[Own("/v1/auth/me", "", &[200])]),
    row(
        "GET /v1/auth/api-keys",
        Reads,
        &[Own("/v1/auth/api-keys?limite=100", "", &[200])],
        &[Own("/v1/auth/api-keys?limite=100", "", &[200])],
    ),
    row(
        "POST /v1/auth/api-keys",
        Acts,
        &[
            Refused("/v1/auth/api-keys", r#"{"ambiente":"producao"}"#),
            Own("/v1/auth/api-keys", r#"{"ambiente":"homologacao"}"#, &[201]),
        ],
        &[Own("/v1/auth/api-keys", "{}", &[201])],
    ),
    row(
        "DELETE /v1/auth/api-keys/{id}",
        Acts,
        &[Refused("/v1/auth/api-keys/<key>", "")],
        &[Hidden("/v1/auth/api-keys/<key>", "")],
    ),
    row(
        "GET /v1/auth/auditoria",
        Anybody,
        &[Own("/v1/auth/auditoria?limite=100", "", &[200, 403])],
        &[
            Own("/v1/auth/auditoria?limite=100", "", &[200]),
            Hidden("/v1/auth/auditoria?ator_id=<key>", ""),
            Hidden("/v1/auth/auditoria?ator_id=<user>", ""),
        ],
    ),
    row(
        "GET /v1/auth/notas",
        Anybody,
        &[Own("/v1/auth/notas?limite=100", "", &[200, 403])],
        &[Own("/v1/auth/notas?limite=100", "", &[200]), Hidden("/v1/auth/notas?emitente=<company>", "")],
    ),
    row(
        "GET /v1/notas",
        Reads,
        &[
            Own("/v1/notas?limite=100", "", &[200]),
            Own("/v1/notas?limite=100&ambiente=producao", "", &[200]),
            Own("/v1/notas?limite=100&chave=<chave>", "", &[200]),
            Own("/v1/notas?limite=100&status=inutilizada", "", &[200]),
        ],
        &[Own("/v1/notas?limite=100", "", &[200]), Hidden("/v1/notas?emitente=<company>", "")],
    ),
    row("GET /v1/notas/{chave}", Reads, &[Hidden("/v1/notas/<chave>", "")], &[Hidden("/v1/notas/<chave>", "")]),
    row(
        "GET /v1/jobs/localizar",
        Reads,
        &[
            Hidden("/v1/jobs/localizar?ref=<ref>", ""),
            Own("/v1/jobs/localizar?emitente=<company>&limite=100", "", &[200]),
            Own("/v1/jobs/localizar?valor=120.00", "", &[404]),
        ],
        &[Hidden("/v1/jobs/localizar?ref=<ref>", ""), Hidden("/v1/jobs/localizar?emitente=<company>", "")],
    ),
    row(
        "POST /v1/jobs/consultar-lote",
        Reads,
        &[Hidden("/v1/jobs/consultar-lote", r#"{"job_ids":["<job>","<event>","<failed>","<job>"]}"#)],
        &[Hidden("/v1/jobs/consultar-lote", r#"{"job_ids":["<job>"]}"#)],
    ),
    row(
        "GET /v1/jobs/erros",
        Reads,
        &[
            Own("/v1/jobs/erros?por_pagina=200", "", &[200]),
            Own("/v1/jobs/erros?formato=resumo", "", &[200]),
            Own("/v1/jobs/erros?ambiente=producao", "", &[200]),
        ],
        &[Own("/v1/jobs/erros?por_pagina=200", "", &[200]), Own("/v1/jobs/erros?formato=resumo", "", &[200])],
    ),
    row(
        "GET /v1/jobs/rejeitadas",
        Reads,
        &[
            Own("/v1/jobs/rejeitadas?por_pagina=200", "", &[200]),
            Own("/v1/jobs/rejeitadas?formato=resumo&ambiente=producao", "", &[200]),
        ],
        &[Own("/v1/jobs/rejeitadas?por_pagina=200", "", &[200]), Own("/v1/jobs/rejeitadas?formato=resumo", "", &[200])],
    ),
    row(
        "GET /v1/jobs/{job_id}/itens",
        Reads,
        &[Hidden("/v1/jobs/<job>/itens", "")],
        &[Hidden("/v1/jobs/<job>/itens", "")],
    ),
    row(
        "POST /v1/jobs/{job_id}/cancelar",
        Acts,
        &[Hidden("/v1/jobs/<job>/cancelar", "{}")],
        &[Hidden("/v1/jobs/<job>/cancelar", "{}")],
    ),
    row(
        "POST /v1/jobs/{job_id}/reprocessar",
        Acts,
        &[Hidden("/v1/jobs/<failed>/reprocessar", "{}")],
        &[Hidden("/v1/jobs/<job>/reprocessar", "{}")],
    ),
    row("GET /v1/cotas", Reads, &[Own("/v1/cotas", "", &[200])], &[Own("/v1/cotas", "", &[200])]),
    row(
        "POST /v1/exportacoes",
        Reads,
        &[Own("/v1/exportacoes", r#"{"cpf_cnpj":"<company>","de":"2026-11-01","ate":"2026-11-30"}"#, &[202])],
        &[Hidden("/v1/exportacoes", r#"{"cpf_cnpj":"<company>","de":"2026-11-01","ate":"2026-11-30"}"#)],
    ),
    row("GET /v1/exportacoes", Reads, &[Own("/v1/exportacoes", "", &[200])], &[Own("/v1/exportacoes", "", &[200])]),
    row(
        "GET /v1/exportacoes/{id}",
        Reads,
        &[Hidden("/v1/exportacoes/01998f3a-6c1d-7e4f-9b52-7a1e3f0d2c8f", "")],
        &[Hidden("/v1/exportacoes/01998f3a-6c1d-7e4f-9b52-7a1e3f0d2c8f", "")],
    ),
    row(
        "GET /v1/exportacoes/{id}/arquivo",
        Reads,
        &[Hidden("/v1/exportacoes/01998f3a-6c1d-7e4f-9b52-7a1e3f0d2c8f/arquivo", "")],
        &[Hidden("/v1/exportacoes/01998f3a-6c1d-7e4f-9b52-7a1e3f0d2c8f/arquivo", "")],
    ),
    row(
        "DELETE /v1/exportacoes/{id}",
        Acts,
        &[Hidden("/v1/exportacoes/01998f3a-6c1d-7e4f-9b52-7a1e3f0d2c8f", "")],
        &[Hidden("/v1/exportacoes/01998f3a-6c1d-7e4f-9b52-7a1e3f0d2c8f", "")],
    ),
    row(
        "GET /v1/diagnostico",
        Reads,
        &[Own("/v1/diagnostico?limite=100", "", &[200])],
        &[Own("/v1/diagnostico?limite=100", "", &[200])],
    ),
    row(
        "GET /v1/empresas",
        Reads,
        &[Own("/v1/empresas?limite=100", "", &[200])],
        &[Own("/v1/empresas?limite=100", "", &[200])],
    ),
    row(
        "POST /v1/empresas",
        Acts,
        &[Own("/v1/empresas", r#"{"cpf_cnpj":"60701190000104","nome":"Outra"}"#, &[201])],
        &[Own("/v1/empresas", r#"{"cpf_cnpj":"60701190000104","nome":"Outra"}"#, &[201])],
    ),
    row(
        "GET /v1/empresas/certificados",
        Reads,
        &[Own("/v1/empresas/certificados?limite=100", "", &[200])],
        &[Own("/v1/empresas/certificados?limite=100", "", &[200])],
    ),
    row(
        "GET /v1/empresas/numeracao",
        Reads,
        &[Own("/v1/empresas/numeracao?limite=100", "", &[200])],
        &[Own("/v1/empresas/numeracao?limite=100", "", &[200]), Hidden("/v1/empresas/numeracao?cnpj=<company>", "")],
    ),
    row(
        "GET /v1/empresas/{cpf_cnpj}",
        Reads,
        &[Own("/v1/empresas/<company>", "", &[200])],
        &[Hidden("/v1/empresas/<company>", "")],
    ),
    row(
        "PUT /v1/empresas/{cpf_cnpj}",
        Acts,
        &[Refused("/v1/empresas/<company>", r#"{"nome_fantasia":"Tomada"}"#)],
        &[Hidden("/v1/empresas/<company>", r#"{"nome_fantasia":"Tomada"}"#)],
    ),
    row(
        "DELETE /v1/empresas/{cpf_cnpj}",
        Acts,
        &[Refused("/v1/empresas/<company>", "")],
        &[Hidden("/v1/empresas/<company>", "")],
    ),
    row(
        "PUT /v1/empresas/{cpf_cnpj}/nfe",
        Acts,
        &[
            Refused("/v1/empresas/<company>/nfe", r#"{"ambiente":2}"#),
            Refused("/v1/empresas/<company>/nfe", r#"{"proximo_numero":900000000}"#),
            Refused("/v1/empresas/<company>/nfe", r#"{"ambiente":1,"serie":"9"}"#),
        ],
        &[Hidden("/v1/empresas/<company>/nfe", r#"{"ambiente":1,"serie":"9"}"#)],
    ),
    row(
        "PUT /v1/empresas/{cpf_cnpj}/nfce",
        Acts,
        &[
            // not in production yet, and stays so
            Own("/v1/empresas/<company>/nfce", r#"{"ambiente":2,"serie":"3"}"#, &[200]),
            Refused("/v1/empresas/<company>/nfce", r#"{"ambiente":1,"csc":"x"}"#),
        ],
        &[Hidden("/v1/empresas/<company>/nfce", r#"{"ambiente":1,"csc":"x"}"#)],
    ),
    row(
        "PUT /v1/empresas/{cpf_cnpj}/nfse",
        Acts,
        &[Refused("/v1/empresas/<company>/nfse", r#"{"ambiente":1}"#)],
        &[Hidden("/v1/empresas/<company>/nfse", r#"{"ambiente":1}"#)],
    ),
    row(
        "PUT /v1/empresas/{cpf_cnpj}/cte",
        Acts,
        &[Refused("/v1/empresas/<company>/cte", r#"{"ambiente":1}"#)],
        &[Hidden("/v1/empresas/<company>/cte", r#"{"ambiente":1}"#)],
    ),
    row(
        "PUT /v1/empresas/{cpf_cnpj}/certificado",
        Acts,
        &[Refused("/v1/empresas/<company>/certificado", "<certificate>")],
        &[Hidden("/v1/empresas/<company>/certificado", r#"{"certificado":"AAAA","senha":"x"}"#)],
    ),
    row(
        "PUT /v1/empresas/{cpf_cnpj}/logo",
        Acts,
        &[Refused("/v1/empresas/<company>/logo", r#"{"logo":"<logo>"}"#)],
        &[Hidden("/v1/empresas/<company>/logo", r#"{"logo":"AAAA"}"#)],
    ),
    row(
        "GET /v1/empresas/{cpf_cnpj}/logo",
        Reads,
        &[Own("/v1/empresas/<company>/logo", "", &[404])],
        &[Hidden("/v1/empresas/<company>/logo", "")],
    ),
    row(
        "DELETE /v1/empresas/{cpf_cnpj}/logo",
        Acts,
        &[Refused("/v1/empresas/<company>/logo", "")],
        &[Hidden("/v1/empresas/<company>/logo", "")],
    ),
    row(
        "GET /v1/empresas/{cpf_cnpj}/distribuicao",
        Reads,
        &[
            Own("/v1/empresas/<company>/distribuicao", "", &[200]),
            Own("/v1/empresas/<company>/distribuicao?tipo=cte", "", &[200]),
            Own("/v1/empresas/<company>/distribuicao?tipo=nfse", "", &[200]),
        ],
        &[Hidden("/v1/empresas/<company>/distribuicao", "")],
    ),
    row(
        "PUT /v1/empresas/{cpf_cnpj}/distribuicao",
        Acts,
        &[Own("/v1/empresas/<company>/distribuicao", r#"{"ativa":false}"#, &[200])],
        &[Hidden("/v1/empresas/<company>/distribuicao", r#"{"ativa":true}"#)],
    ),
    row(
        "GET /v1/webhooks/segredo",
        Acts,
        &[Own("/v1/webhooks/segredo", "", &[200])],
        &[Own("/v1/webhooks/segredo", "", &[200])],
    ),
    row(
        "POST /v1/webhooks/segredo",
        Acts,
        &[Own("/v1/webhooks/segredo", "{}", &[200, 201])],
        &[Own("/v1/webhooks/segredo", "{}", &[200, 201])],
    ),
    row(
        "GET /v1/webhooks/entregas",
        Reads,
        &[Own("/v1/webhooks/entregas?limite=100", "", &[200]), Hidden("/v1/webhooks/entregas?job_id=<job>", "")],
        &[Own("/v1/webhooks/entregas?limite=100", "", &[200]), Hidden("/v1/webhooks/entregas?job_id=<job>", "")],
    ),
    row(
        "POST /v1/webhooks/entregas/{id}/reenviar",
        Acts,
        &[Hidden("/v1/webhooks/entregas/<delivery>/reenviar", "{}")],
        &[Hidden("/v1/webhooks/entregas/<delivery>/reenviar", "{}")],
    ),
    row(
        "POST /v1/webhooks/entregas/reenviar",
        Acts,
        &[Own("/v1/webhooks/entregas/reenviar", "", &[200])],
        &[Own("/v1/webhooks/entregas/reenviar", "", &[200])],
    ),
    row(
        "GET /v1/webhooks/conta",
        Reads,
        &[Own("/v1/webhooks/conta", "", &[200])],
        &[Own("/v1/webhooks/conta", "", &[200])],
    ),
    row(
        "PUT /v1/webhooks/conta",
        Acts,
        &[Own("/v1/webhooks/conta", "{}", &[200])],
        &[Own("/v1/webhooks/conta", "{}", &[200])],
    ),
    row(
        "POST /v1/webhooks/conta/teste",
        Acts,
        &[Own("/v1/webhooks/conta/teste", "", &[409])],
        &[Own("/v1/webhooks/conta/teste", "", &[409])],
    ),
    row("GET /v1/cep", Reads, ALIKE, &[Own("/v1/cep?logradouro=Praca+da+Se", "", &[200, 404, 501])]),
    row("GET /v1/cep/{cep}", Reads, ALIKE, &[Own("/v1/cep/01001000", "", &[200, 404, 501])]),
    row("GET /v1/cnpj/{cnpj}", Reads, ALIKE, &[Hidden("/v1/cnpj/<company>", "")]),
    row("POST /v1/ncm/buscar", Reads, ALIKE, &[Own("/v1/ncm/buscar", r#"{"descricao":"cavalo"}"#, &[200])]),
    row("GET /v1/ncm/{codigo}", Reads, ALIKE, &[Own("/v1/ncm/01012100", "", &[200, 404])]),
    row("GET /v1/ncm/{codigo}/validar", Reads, ALIKE, &[Own("/v1/ncm/01012100/validar", "", &[200])]),
    row(
        "GET /v1/tributos/simples",
        Reads,
        ALIKE,
        &[Own("/v1/tributos/simples?anexo=I&rbt12=180000.00&data=2027-01-01", "", &[200])],
    ),
    row(
        "POST /v1/nfe/emitir",
        Acts,
        &[Own("/v1/nfe/emitir", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#, &[422])],
        &[Hidden("/v1/nfe/emitir", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)],
    ),
    row(
        "POST /v1/nfe/verificar-campos",
        Reads,
        &[Own("/v1/nfe/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[200])],
        &[Hidden("/v1/nfe/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{"emitente":{"UF":"SP"}}}"#)],
    ),
    row(
        "POST /v1/nfce/verificar-campos",
        Reads,
        &[Own("/v1/nfce/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[200])],
        &[Hidden("/v1/nfce/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{"emitente":{"UF":"SP"}}}"#)],
    ),
    row(
        "POST /v1/cte/emitir",
        Acts,
        &[Own("/v1/cte/emitir", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#, &[422])],
        &[Hidden("/v1/cte/emitir", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)],
    ),
    row(
        "POST /v1/cte/verificar-campos",
        Reads,
        &[Own("/v1/cte/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[200])],
        &[Hidden("/v1/cte/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{"emitente":{"UF":"SP"}}}"#)],
    ),
    row(
        "POST /v1/nfse/emitir",
        Acts,
        &[Own("/v1/nfse/emitir", r#"{"cpf_cnpj":"<company>","nota":{"serv":{}}}"#, &[422])],
        &[Hidden("/v1/nfse/emitir", r#"{"cpf_cnpj":"<company>","nota":{"serv":{}}}"#)],
    ),
    row(
        "POST /v1/nfse/verificar-campos",
        Reads,
        &[Own("/v1/nfse/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[200])],
        &[Hidden("/v1/nfse/verificar-campos", r#"{"cpf_cnpj":"<company>","nota":{"serv":{}}}"#)],
    ),
    row(
        "POST /v1/nfse/previa",
        Reads,
        &[Own("/v1/nfse/previa", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[422])],
        &[Hidden("/v1/nfse/previa", r#"{"cpf_cnpj":"<company>","nota":{"serv":{}}}"#)],
    ),
    row(
        "POST /v1/nfse/cancelar",
        Acts,
        &[Hidden(
            "/v1/nfse/cancelar",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        )],
        &[Hidden(
            "/v1/nfse/cancelar",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        )],
    ),
    row(
        "POST /v1/nfse/solicitar-analise",
        Acts,
        &[Hidden(
            "/v1/nfse/solicitar-analise",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        )],
        &[Hidden(
            "/v1/nfse/solicitar-analise",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        )],
    ),
    row(
        "GET /v1/nfse/{job_id}/eventos",
        Reads,
        &[Hidden("/v1/nfse/<job>/eventos", "")],
        &[Hidden("/v1/nfse/<job>/eventos", "")],
    ),
    row(
        "POST /v1/nfse/consultar-sefaz",
        Reads,
        &[
            Refused(
                "/v1/nfse/consultar-sefaz",
                r#"{"cpf_cnpj":"<company>","id_dps":"DPS355030821122233300018100001000000000000001","ambiente":"producao"}"#,
            ),
            Own(
                "/v1/nfse/consultar-sefaz",
                r#"{"cpf_cnpj":"<company>","id_dps":"DPS355030821122233300018100001000000000000001"}"#,
                &[200],
            ),
        ],
        &[Hidden(
            "/v1/nfse/consultar-sefaz",
            r#"{"cpf_cnpj":"<company>","id_dps":"DPS355030821122233300018100001000000000000001"}"#,
        )],
    ),
    row(
        "POST /v1/nfse/govdigital/emitir",
        Acts,
        &[Own("/v1/nfse/govdigital/emitir", r#"{"cpf_cnpj":"<company>","nota":{"servico":{}}}"#, &[422])],
        &[Hidden("/v1/nfse/govdigital/emitir", r#"{"cpf_cnpj":"<company>","nota":{"servico":{}}}"#)],
    ),
    row(
        "GET /v1/nfse/municipios/{codigo}",
        Reads,
        &[Own("/v1/nfse/municipios/3138203", "", &[200])],
        &[Own("/v1/nfse/municipios/3138203", "", &[200])],
    ),
    row(
        "POST /v1/nfse/{cpf_cnpj}/emitir",
        Acts,
        &[Own("/v1/nfse/<company>/emitir", r#"{"nota":{"serv":{}}}"#, &[422])],
        &[Hidden("/v1/nfse/<company>/emitir", r#"{"nota":{"serv":{}}}"#)],
    ),
    row(
        "POST /v1/nfse/{cpf_cnpj}/emitir/json/sync",
        Acts,
        &[Own("/v1/nfse/<company>/emitir/json/sync", r#"{"nota":{"serv":{}}}"#, &[422])],
        &[Hidden("/v1/nfse/<company>/emitir/json/sync", r#"{"nota":{"serv":{}}}"#)],
    ),
    row(
        "POST /v1/nfse/{cpf_cnpj}/cancelar",
        Acts,
        &[Hidden(
            "/v1/nfse/<company>/cancelar",
            r#"{"job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        )],
        &[Hidden(
            "/v1/nfse/<company>/cancelar",
            r#"{"job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        )],
    ),
    row(
        "POST /v1/nfse/{cpf_cnpj}/consultar",
        Reads,
        &[Own("/v1/nfse/<company>/consultar", r#"{"numero_rps":1}"#, &[200, 422])],
        &[Hidden("/v1/nfse/<company>/consultar", r#"{"numero_rps":1}"#)],
    ),
    row(
        "GET /v1/nfse/{cpf_cnpj}/consultar-rps",
        Reads,
        &[Own("/v1/nfse/<company>/consultar-rps?numero_rps=1", "", &[200, 422])],
        &[Hidden("/v1/nfse/<company>/consultar-rps?numero_rps=1", "")],
    ),
    row(
        "GET /v1/nfse/consultar/{job_id}",
        Reads,
        &[Hidden("/v1/nfse/consultar/<job>", "")],
        &[Hidden("/v1/nfse/consultar/<job>", "")],
    ),
    row(
        "GET /v1/nfse/{job_id}/file/{tipo}",
        Reads,
        &[Hidden("/v1/nfse/<job>/file/xml", "")],
        &[Hidden("/v1/nfse/<job>/file/xml", "")],
    ),
    row(
        "POST /v1/cte/previa",
        Reads,
        &[Own("/v1/cte/previa", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[422])],
        &[Hidden("/v1/cte/previa", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)],
    ),
    row(
        "POST /v1/cte/cancelar",
        Acts,
        &[Hidden(
            "/v1/cte/cancelar",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        )],
        &[Hidden(
            "/v1/cte/cancelar",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        )],
    ),
    row(
        "POST /v1/cte/carta-correcao",
        Acts,
        &[Hidden(
            "/v1/cte/carta-correcao",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","correcoes":[{"grupo":"compl","campo":"xObs","valor":"outra"}]}"#,
        )],
        &[Hidden(
            "/v1/cte/carta-correcao",
            r#"{"cpf_cnpj":"12ABC34501DE35","job_id":"<job>","correcoes":[{"grupo":"compl","campo":"xObs","valor":"outra"}]}"#,
        )],
    ),
    row(
        "POST /v1/cte/eventos",
        Acts,
        &[Hidden(
            "/v1/cte/eventos",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","tipo":"multimodal","dados":{"xRegistro":"registro bastante longo"}}"#,
        )],
        &[
            Hidden(
                "/v1/cte/eventos",
                r#"{"cpf_cnpj":"12ABC34501DE35","job_id":"<job>","tipo":"multimodal","dados":{"xRegistro":"registro bastante longo"}}"#,
            ),
            Hidden(
                "/v1/cte/eventos",
                r#"{"cpf_cnpj":"<company>","chave":"35261111222333000181570010000000011123456785","tipo":"desacordo","dados":{"xObs":"motivo bastante longo"}}"#,
            ),
        ],
    ),
    row(
        "GET /v1/cte/{id}/eventos",
        Reads,
        &[Hidden("/v1/cte/<job>/eventos", "")],
        &[Hidden("/v1/cte/<job>/eventos", "")],
    ),
    row(
        "GET /v1/cte/consultar/{id}",
        Reads,
        &[Hidden("/v1/cte/consultar/<job>", "")],
        &[Hidden("/v1/cte/consultar/<job>", "")],
    ),
    row(
        "GET /v1/cte/{id}/file/{tipo}",
        Reads,
        &[Hidden("/v1/cte/<job>/file/xml", "")],
        &[Hidden("/v1/cte/<job>/file/xml", "")],
    ),
    row(
        "POST /v1/nfe/preparar",
        Assists,
        &[Own("/v1/nfe/preparar", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[422])],
        &[Hidden("/v1/nfe/preparar", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)],
    ),
    row(
        "POST /v1/nfe/previa",
        Reads,
        &[Own("/v1/nfe/previa", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[422])],
        &[Hidden("/v1/nfe/previa", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)],
    ),
    row(
        "POST /v1/nfce/previa",
        Reads,
        &[Own("/v1/nfce/previa", r#"{"cpf_cnpj":"<company>","nota":{}}"#, &[422])],
        &[Hidden("/v1/nfce/previa", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)],
    ),
    row(
        "POST /v1/nfe/confirmar",
        Assists,
        &[Refused("/v1/nfe/confirmar", r#"{"token_confirmacao":"<token>"}"#)],
        &[Hidden("/v1/nfe/confirmar", r#"{"token_confirmacao":"<token>"}"#)],
    ),
    row(
        "POST /v1/nfe/cancelar",
        Acts,
        &[
            Hidden(
                "/v1/nfe/cancelar",
                r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
            ),
            Hidden(
                "/v1/nfe/cancelar",
                r#"{"cpf_cnpj":"<company>","chave":"<chave>","justificativa":"justificativa bastante longa"}"#,
            ),
        ],
        &[
            Hidden(
                "/v1/nfe/cancelar",
                r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
            ),
            Hidden(
                "/v1/nfe/cancelar",
                r#"{"cpf_cnpj":"12ABC34501DE35","chave":"<chave>","justificativa":"justificativa bastante longa"}"#,
            ),
        ],
    ),
    row(
        "POST /v1/nfce/cancelar",
        Acts,
        &[Hidden(
            "/v1/nfce/cancelar",
            r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
        )],
        &[
            Hidden(
                "/v1/nfce/cancelar",
                r#"{"cpf_cnpj":"<company>","job_id":"<job>","justificativa":"justificativa bastante longa"}"#,
            ),
            Hidden(
                "/v1/nfce/cancelar",
                r#"{"cpf_cnpj":"12ABC34501DE35","job_id":"<job>","job_id_substituto":"<job>","justificativa":"justificativa bastante longa"}"#,
            ),
        ],
    ),
    row(
        "POST /v1/nfe/carta-correcao",
        Acts,
        &[Hidden(
            "/v1/nfe/carta-correcao",
            r#"{"cpf_cnpj":"<company>","chave":"<chave>","correcao":"correção bastante longa"}"#,
        )],
        &[
            Hidden(
                "/v1/nfe/carta-correcao",
                r#"{"cpf_cnpj":"12ABC34501DE35","job_id":"<job>","correcao":"correção bastante longa"}"#,
            ),
            Hidden(
                "/v1/nfe/carta-correcao",
                r#"{"cpf_cnpj":"12ABC34501DE35","chave":"<chave>","correcao":"correção bastante longa"}"#,
            ),
        ],
    ),
    row(
        "POST /v1/nfe/ator-interessado",
        Acts,
        &[Hidden("/v1/nfe/ator-interessado", r#"{"cpf_cnpj":"<company>","job_id":"<job>","ator":"33000167000101"}"#)],
        &[Hidden(
            "/v1/nfe/ator-interessado",
            r#"{"cpf_cnpj":"12ABC34501DE35","job_id":"<job>","ator":"33000167000101"}"#,
        )],
    ),
    row(
        "POST /v1/nfe/inutilizar",
        Acts,
        &[Own(
            "/v1/nfe/inutilizar",
            r#"{"cpf_cnpj":"<company>","numero_inicial":70,"justificativa":"justificativa bastante longa"}"#,
            &[202],
        )],
        &[Hidden(
            "/v1/nfe/inutilizar",
            r#"{"cpf_cnpj":"<company>","numero_inicial":70,"justificativa":"justificativa bastante longa"}"#,
        )],
    ),
    row(
        "POST /v1/nfce/inutilizar",
        Acts,
        &[Own(
            "/v1/nfce/inutilizar",
            r#"{"cpf_cnpj":"<company>","numero_inicial":70,"justificativa":"justificativa bastante longa"}"#,
            &[202],
        )],
        &[Hidden(
            "/v1/nfce/inutilizar",
            r#"{"cpf_cnpj":"<company>","numero_inicial":70,"justificativa":"justificativa bastante longa"}"#,
        )],
    ),
    row(
        "GET /v1/nfe/{id}/eventos",
        Reads,
        &[Hidden("/v1/nfe/<job>/eventos", "")],
        &[Hidden("/v1/nfe/<job>/eventos", "")],
    ),
    row(
        "GET /v1/nfe/consultar/{id}",
        Reads,
        &[Hidden("/v1/nfe/consultar/<job>", ""), Hidden("/v1/nfe/consultar/<event>", "")],
        &[Hidden("/v1/nfe/consultar/<job>", "")],
    ),
    row(
        "GET /v1/nfe/{id}/file/{tipo}",
        Reads,
        &[
            Hidden("/v1/nfe/<job>/file/xml", ""),
            Hidden("/v1/nfe/<job>/file/pdf", ""),
            Hidden("/v1/nfe/<job>/file/log", ""),
            Hidden("/v1/nfe/<event>/file/xml", ""),
        ],
        &[Hidden("/v1/nfe/<job>/file/xml", ""), Hidden("/v1/nfe/<job>/file/log", "")],
    ),
    row(
        "POST /v1/nfce/emitir",
        Acts,
        &[Own("/v1/nfce/emitir", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#, &[422])],
        &[Hidden("/v1/nfce/emitir", r#"{"cpf_cnpj":"<company>","nota":{"identificacao":{}}}"#)],
    ),
    row(
        "GET /v1/nfce/consultar/{id}",
        Reads,
        &[Hidden("/v1/nfce/consultar/<job>", "")],
        &[Hidden("/v1/nfce/consultar/<job>", "")],
    ),
    row(
        "GET /v1/nfce/{id}/file/{tipo}",
        Reads,
        &[Hidden("/v1/nfce/<job>/file/xml", "")],
        &[Hidden("/v1/nfce/<job>/file/xml", "")],
    ),
    row(
        "POST /v1/nfe/manifestar",
        Acts,
        &[
            // an event goes to homologação's Ambiente Nacional, which has no such note
            Own("/v1/nfe/manifestar", r#"{"cpf_cnpj":"<company>","chave":"<nobodys>","tipo":"ciencia"}"#, &[202]),
        ],
        &[Hidden("/v1/nfe/manifestar", r#"{"cpf_cnpj":"<company>","chave":"<chave>","tipo":"ciencia"}"#)],
    ),
    row(
        "GET /v1/nfe/recebidas",
        Reads,
        &[
            Own("/v1/nfe/recebidas?limite=100", "", &[200]),
            Own("/v1/nfe/recebidas?limite=100&ambiente=producao", "", &[200]),
        ],
        &[Own("/v1/nfe/recebidas?limite=100", "", &[200]), Hidden("/v1/nfe/recebidas?cpf_cnpj=<company>", "")],
    ),
    row(
        "POST /v1/nfe/recebidas/sincronizar",
        Acts,
        &[Own("/v1/nfe/recebidas/sincronizar", r#"{"cpf_cnpj":"<company>"}"#, &[200])],
        &[Hidden("/v1/nfe/recebidas/sincronizar", r#"{"cpf_cnpj":"<company>"}"#)],
    ),
    row(
        "GET /v1/nfe/recebidas/{chave}",
        Reads,
        &[Hidden("/v1/nfe/recebidas/<received>", "")],
        &[Hidden("/v1/nfe/recebidas/<chave>", "")],
    ),
    row(
        "GET /v1/nfe/recebidas/{chave}/xml",
        Reads,
        &[Hidden("/v1/nfe/recebidas/<received>/xml", "")],
        &[Hidden("/v1/nfe/recebidas/<chave>/xml", "")],
    ),
    row(
        "GET /v1/cte/recebidos",
        Reads,
        &[
            Own("/v1/cte/recebidos?limite=100", "", &[200]),
            Own("/v1/cte/recebidos?limite=100&ambiente=producao", "", &[200]),
        ],
        &[Own("/v1/cte/recebidos?limite=100", "", &[200]), Hidden("/v1/cte/recebidos?cpf_cnpj=<company>", "")],
    ),
    row(
        "POST /v1/cte/recebidos/sincronizar",
        Acts,
        &[Own("/v1/cte/recebidos/sincronizar", r#"{"cpf_cnpj":"<company>"}"#, &[200])],
        &[Hidden("/v1/cte/recebidos/sincronizar", r#"{"cpf_cnpj":"<company>"}"#)],
    ),
    row(
        "GET /v1/cte/recebidos/{chave}",
        Reads,
        &[Hidden("/v1/cte/recebidos/<received_cte>", "")],
        &[Hidden("/v1/cte/recebidos/<chave>", "")],
    ),
    row(
        "GET /v1/cte/recebidos/{chave}/xml",
        Reads,
        &[Hidden("/v1/cte/recebidos/<received_cte>/xml", "")],
        &[Hidden("/v1/cte/recebidos/<chave>/xml", "")],
    ),
    row(
        "POST /v1/nfse/manifestar",
        Acts,
        &[
            // closed until the operator opens it
            Own(
                "/v1/nfse/manifestar",
                r#"{"cpf_cnpj":"<company>","chave":"35503082211222333000181000000000000126111234567890","tipo":"confirmacao","papel":"tomador"}"#,
                &[403],
            ),
        ],
        &[
            // closed until the operator opens it
            Own(
                "/v1/nfse/manifestar",
                r#"{"cpf_cnpj":"<company>","chave":"35503082211222333000181000000000000126111234567890","tipo":"confirmacao","papel":"tomador"}"#,
                &[403],
            ),
        ],
    ),
    row(
        "GET /v1/nfse/recebidas",
        Reads,
        &[
            Own("/v1/nfse/recebidas?limite=100", "", &[200]),
            Own("/v1/nfse/recebidas?limite=100&ambiente=producao", "", &[200]),
        ],
        &[Own("/v1/nfse/recebidas?limite=100", "", &[200]), Hidden("/v1/nfse/recebidas?cpf_cnpj=<company>", "")],
    ),
    row(
        "POST /v1/nfse/recebidas/sincronizar",
        Acts,
        &[Own("/v1/nfse/recebidas/sincronizar", r#"{"cpf_cnpj":"<company>"}"#, &[200])],
        &[Hidden("/v1/nfse/recebidas/sincronizar", r#"{"cpf_cnpj":"<company>"}"#)],
    ),
    row(
        "GET /v1/nfse/recebidas/{chave}",
        Reads,
        &[Hidden("/v1/nfse/recebidas/<received_nfse>", "")],
        &[Hidden("/v1/nfse/recebidas/<chave>", "")],
    ),
    row(
        "GET /v1/nfse/recebidas/{chave}/xml",
        Reads,
        &[Hidden("/v1/nfse/recebidas/<received_nfse>/xml", "")],
        &[Hidden("/v1/nfse/recebidas/<chave>/xml", "")],
    ),
    row(
        "GET /v1/nfe/status-servico",
        Reads,
        &[Own("/v1/nfe/status-servico?uf=SP&ambiente=homologacao", "", &[200])],
        &[Hidden("/v1/nfe/status-servico?uf=PR&cpf_cnpj=<company>", "")],
    ),
    row(
        "GET /v1/nfe/cadastro",
        Reads,
        &[Refused("/v1/nfe/cadastro?uf=SP&cnpj=60701190000104&cpf_cnpj=<company>&ambiente=producao", "")],
        &[Hidden("/v1/nfe/cadastro?uf=SP&cnpj=60701190000104&cpf_cnpj=<company>", "")],
    ),
    // users log in there, in one environment of their own tenant: painel of this suite
    row("GET /painel", Anybody, ALIKE, ALIKE),
    row("GET /painel/amostra.json", Anybody, ALIKE, ALIKE),
    row("GET /painel/documentos", Anybody, ALIKE, ALIKE),
    row("GET /painel/confirmacoes", Anybody, ALIKE, ALIKE),
    row("GET /painel/pendencias/{assunto}", Anybody, ALIKE, ALIKE),
    row("GET /painel/entrar", Anybody, ALIKE, ALIKE),
    row("POST /painel/entrar", Anybody, ALIKE, ALIKE),
    row("POST /painel/sair", Anybody, ALIKE, ALIKE),
    row("POST /painel/ambiente", Anybody, ALIKE, ALIKE),
    row("GET /painel/confirmar/{id}", Anybody, ALIKE, ALIKE),
    row("POST /painel/confirmar/{id}", Anybody, ALIKE, ALIKE),
    row("GET /painel/confirmar/{id}/pdf", Anybody, ALIKE, ALIKE),
    row("GET /painel/documentos/{id}", Anybody, ALIKE, ALIKE),
    row("GET /painel/documentos/{id}/pdf", Anybody, ALIKE, ALIKE),
    row("GET /painel/documentos/{id}/arquivo/{tipo}", Anybody, ALIKE, ALIKE),
    row("POST /painel/documentos/{id}/reenviar", Anybody, ALIKE, ALIKE),
    row("GET /painel/documentos/{id}/{ato}", Anybody, ALIKE, ALIKE),
    row("POST /painel/documentos/{id}/{ato}", Anybody, ALIKE, ALIKE),
    row("GET /painel/recursos/{arquivo}", Anybody, ALIKE, ALIKE),
    row("GET /painel/emitir", Anybody, ALIKE, ALIKE),
    row("POST /painel/emitir", Anybody, ALIKE, ALIKE),
    row("GET /painel/recebidos", Anybody, ALIKE, ALIKE),
    row("POST /painel/recebidos/vistos", Anybody, ALIKE, ALIKE),
    row("GET /painel/recebidos/buscas", Anybody, ALIKE, ALIKE),
    row("POST /painel/recebidos/buscas", Anybody, ALIKE, ALIKE),
    row("GET /painel/recebidos/{empresa}/{chave}", Anybody, ALIKE, ALIKE),
    row("GET /painel/recebidos/{empresa}/{chave}/pdf", Anybody, ALIKE, ALIKE),
    row("GET /painel/recebidos/{empresa}/{chave}/xml", Anybody, ALIKE, ALIKE),
    row("POST /painel/recebidos/{empresa}/{chave}/buscar", Anybody, ALIKE, ALIKE),
    row("GET /painel/recebidos/{empresa}/{chave}/manifestar/{ato}", Anybody, ALIKE, ALIKE),
    row("POST /painel/recebidos/{empresa}/{chave}/manifestar/{ato}", Anybody, ALIKE, ALIKE),
    row("GET /painel/exportacoes", Anybody, ALIKE, ALIKE),
    row("POST /painel/exportacoes", Anybody, ALIKE, ALIKE),
    row("GET /painel/exportacoes/{id}/arquivo", Anybody, ALIKE, ALIKE),
    row("POST /painel/exportacoes/{id}/apagar", Anybody, ALIKE, ALIKE),
    row("GET /painel/integracoes", Anybody, ALIKE, ALIKE),
    row("POST /painel/integracoes", Anybody, ALIKE, ALIKE),
    row("POST /painel/integracoes/teste", Anybody, ALIKE, ALIKE),
    row("GET /painel/integracoes/segredo", Anybody, ALIKE, ALIKE),
    row("POST /painel/integracoes/segredo", Anybody, ALIKE, ALIKE),
    row("POST /painel/integracoes/reenviar", Anybody, ALIKE, ALIKE),
    row("POST /painel/integracoes/{id}/reenviar", Anybody, ALIKE, ALIKE),
    row("GET /painel/chaves", Anybody, ALIKE, ALIKE),
    row("POST /painel/chaves", Anybody, ALIKE, ALIKE),
    row("GET /painel/chaves/{id}", Anybody, ALIKE, ALIKE),
    row("POST /painel/chaves/{id}/trocar", Anybody, ALIKE, ALIKE),
    row("POST /painel/chaves/{id}/revogar", Anybody, ALIKE, ALIKE),
];
