//! Need of every route, stated a second time: who may do what is decided here and in the service's own rows, and a
//! route that is new to one of them fails the tests. What a role meets is stated in `roles.rs`.

/// Routes of one need.
pub(crate) struct NeedRow {
    /// Need, as the rows of the service name it.
    pub(crate) need: &'static str,
    pub(crate) routes: &'static [&'static str],
}

const fn row(need: &'static str, routes: &'static [&'static str]) -> NeedRow {
    NeedRow { need, routes }
}

/// Every route under its need.
pub(crate) const NEEDS: &[NeedRow] = &[
    // public, or about the user itself
    row(
        "Free",
        &[
            "GET /",
            "GET /health",
            "GET /status",
            "GET /docs",
            "GET /docs/json",
            "GET /docs/guia/{pagina}",
            "GET /docs/rotas/{operacao}",
            "GET /docs/recursos/{arquivo}",
            "GET /swagger",
            "GET /docs/erros",
            "GET /docs/erros/{codigo}",
            "GET /mcp",
            "POST /v1/auth/login",
            "POST /v1/auth/logout",
            "POST /v1/auth/ambiente",
            "PUT /v1/auth/senha",
            "GET /painel/entrar",
            "POST /painel/entrar",
            "POST /painel/sair",
            "POST /painel/ambiente",
            "GET /painel/recursos/{arquivo}",
            "GET /painel/convite/{codigo}",
            "POST /painel/convite/{codigo}",
        ],
    ),
    // looks at documents and companies, or checks without effect
    row(
        "Read",
        &[
            "POST /mcp",
            "GET /v1/auth/me",
            "GET /v1/auth/notas",
            "GET /v1/notas",
            "GET /v1/notas/{chave}",
            "GET /v1/jobs/localizar",
            "POST /v1/jobs/consultar-lote",
            "GET /v1/jobs/erros",
            "GET /v1/jobs/rejeitadas",
            "GET /v1/jobs/{job_id}/itens",
            "GET /v1/diagnostico",
            "GET /v1/empresas",
            "GET /v1/empresas/certificados",
            "GET /v1/empresas/numeracao",
            "GET /v1/empresas/{cpf_cnpj}",
            "GET /v1/empresas/{cpf_cnpj}/logo",
            "GET /v1/webhooks/entregas",
            "GET /v1/cep",
            "GET /v1/cep/{cep}",
            "GET /v1/cnpj/{cnpj}",
            "POST /v1/ncm/buscar",
            "GET /v1/ncm/{codigo}",
            "GET /v1/ncm/{codigo}/validar",
            "GET /v1/tributos/simples",
            "POST /v1/nfe/verificar-campos",
            "POST /v1/nfce/verificar-campos",
            "POST /v1/nfe/previa",
            "POST /v1/nfce/previa",
            "GET /v1/nfe/{id}/eventos",
            "GET /v1/nfe/consultar/{id}",
            "GET /v1/nfe/{id}/file/{tipo}",
            "GET /v1/nfce/consultar/{id}",
            "GET /v1/nfce/{id}/file/{tipo}",
            "POST /v1/cte/verificar-campos",
            "POST /v1/cte/previa",
            "GET /v1/cte/{id}/eventos",
            "GET /v1/cte/consultar/{id}",
            "GET /v1/cte/{id}/file/{tipo}",
            "GET /v1/nfse/municipios/{codigo}",
            "POST /v1/nfse/verificar-campos",
            "POST /v1/nfse/previa",
            "GET /v1/nfse/{job_id}/eventos",
            "POST /v1/nfse/consultar-sefaz",
            "GET /v1/nfse/consultar/{job_id}",
            "GET /v1/nfse/{job_id}/file/{tipo}",
            "GET /v1/nfse/{cpf_cnpj}/consultar-rps",
            "POST /v1/nfse/{cpf_cnpj}/consultar",
            "GET /v1/nfe/recebidas",
            "GET /v1/nfe/recebidas/{chave}",
            "GET /v1/nfe/recebidas/{chave}/xml",
            "GET /v1/cte/recebidos",
            "GET /v1/cte/recebidos/{chave}",
            "GET /v1/cte/recebidos/{chave}/xml",
            "GET /v1/nfse/recebidas",
            "GET /v1/nfse/recebidas/{chave}",
            "GET /v1/nfse/recebidas/{chave}/xml",
            "GET /v1/empresas/{cpf_cnpj}/distribuicao",
            "GET /v1/nfe/status-servico",
            "GET /v1/nfe/cadastro",
            "GET /painel",
            "GET /painel/documentos",
            "GET /painel/pendencias/{assunto}",
            "GET /painel/confirmacoes",
            "GET /painel/confirmar/{id}",
            "GET /painel/confirmar/{id}/pdf",
            "GET /painel/documentos/{id}",
            "GET /painel/documentos/{id}/pdf",
            "GET /painel/documentos/{id}/arquivo/{tipo}",
            "GET /painel/recebidos",
            "POST /painel/recebidos/vistos",
            "GET /painel/recebidos/buscas",
            "GET /painel/recebidos/{empresa}/{chave}",
            "GET /painel/recebidos/{empresa}/{chave}/pdf",
            "GET /painel/recebidos/{empresa}/{chave}/xml",
            "GET /painel/amostra.json",
        ],
    ),
    // looks at what belongs to no single company
    row("ReadAccount", &["GET /v1/auth/api-keys", "GET /v1/cotas"]),
    // makes, fetches or removes a file of a period's documents
    row(
        "Export",
        &[
            "POST /v1/exportacoes",
            "GET /v1/exportacoes",
            "GET /v1/exportacoes/{id}",
            "GET /v1/exportacoes/{id}/arquivo",
            "GET /painel/exportacoes",
            "POST /painel/exportacoes",
            "GET /painel/exportacoes/{id}/arquivo",
            "POST /painel/exportacoes/{id}/apagar",
        ],
    ),
    // prepares, or confirms what a person approved
    row("Assist", &["POST /v1/nfe/preparar", "POST /v1/nfe/confirmar"]),
    // decides on what was prepared
    row("Approve", &["POST /painel/confirmar/{id}"]),
    // acts on documents
    row(
        "Act",
        &[
            "POST /v1/jobs/{job_id}/cancelar",
            "POST /v1/jobs/{job_id}/reprocessar",
            "DELETE /v1/exportacoes/{id}",
            "POST /v1/webhooks/entregas/{id}/reenviar",
            "POST /v1/nfe/emitir",
            "POST /v1/nfe/cancelar",
            "POST /v1/nfe/carta-correcao",
            "POST /v1/nfe/ator-interessado",
            "POST /v1/nfe/inutilizar",
            "POST /v1/nfce/emitir",
            "POST /v1/nfce/cancelar",
            "POST /v1/nfce/inutilizar",
            "POST /v1/cte/emitir",
            "POST /v1/cte/cancelar",
            "POST /v1/cte/carta-correcao",
            "POST /v1/cte/eventos",
            "POST /v1/nfse/emitir",
            "POST /v1/nfse/govdigital/emitir",
            "POST /v1/nfse/cancelar",
            "POST /v1/nfse/solicitar-analise",
            "POST /v1/nfse/{cpf_cnpj}/emitir",
            "POST /v1/nfse/{cpf_cnpj}/emitir/json/sync",
            "POST /v1/nfse/{cpf_cnpj}/cancelar",
            "POST /v1/nfe/manifestar",
            "POST /v1/nfe/recebidas/sincronizar",
            "POST /v1/cte/recebidos/sincronizar",
            "POST /v1/nfse/manifestar",
            "POST /v1/nfse/recebidas/sincronizar",
            "POST /painel/documentos/{id}/reenviar",
            "GET /painel/documentos/{id}/{ato}",
            "POST /painel/documentos/{id}/{ato}",
            "GET /painel/emitir",
            "POST /painel/emitir",
            "POST /painel/recebidos/buscas",
            "POST /painel/recebidos/{empresa}/{chave}/buscar",
            "GET /painel/recebidos/{empresa}/{chave}/manifestar/{ato}",
            "POST /painel/recebidos/{empresa}/{chave}/manifestar/{ato}",
        ],
    ),
    // changes a company
    row(
        "Configure",
        &[
            "PUT /v1/empresas/{cpf_cnpj}",
            "PUT /v1/empresas/{cpf_cnpj}/nfe",
            "PUT /v1/empresas/{cpf_cnpj}/nfce",
            "PUT /v1/empresas/{cpf_cnpj}/nfse",
            "PUT /v1/empresas/{cpf_cnpj}/cte",
            "PUT /v1/empresas/{cpf_cnpj}/certificado",
            "PUT /v1/empresas/{cpf_cnpj}/logo",
            "DELETE /v1/empresas/{cpf_cnpj}/logo",
            "PUT /v1/empresas/{cpf_cnpj}/distribuicao",
        ],
    ),
    // changes the account, or shows a secret or the acts of its people
    row(
        "Administer",
        &[
            "POST /v1/auth/api-keys",
            "DELETE /v1/auth/api-keys/{id}",
            "GET /v1/auth/auditoria",
            "POST /v1/empresas",
            "DELETE /v1/empresas/{cpf_cnpj}",
            "GET /v1/webhooks/segredo",
            "POST /v1/webhooks/segredo",
            "GET /painel/pessoas",
            "POST /painel/pessoas/convidar",
            "POST /painel/pessoas/convites/{id}/revogar",
            "GET /painel/pessoas/{id}",
            "POST /painel/pessoas/{id}/papel",
            "POST /painel/pessoas/{id}/retirar",
            "POST /painel/pessoas/{id}/remover",
            "GET /painel/auditoria",
            "GET /painel/auditoria.csv",
        ],
    ),
];

#[test]
fn every_route_has_the_need_that_is_stated_here() {
    let stated: Vec<(&str, &str)> =
        NEEDS.iter().flat_map(|row| row.routes.iter().map(move |route| (*route, row.need))).collect();
    let known = super::needs();
    for (route, need) in &known {
        let found: Vec<&str> = stated.iter().filter(|(named, _)| named == route).map(|(_, need)| *need).collect();
        assert_eq!(found, [need.as_str()], "say in suites/every_route/routes/needs.rs, once, who may do {route}");
    }
    let stale: Vec<&str> =
        stated.iter().map(|(route, _)| *route).filter(|route| !known.iter().any(|(it, _)| it == route)).collect();
    assert!(stale.is_empty(), "suites/every_route/routes/needs.rs names no route: {stale:#?}");
    assert_eq!(known.len(), super::routes().len());
}
