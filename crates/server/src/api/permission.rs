//! The permission that each route requires of a key: a table, checked as soon as the caller is identified (`caller`).
//!
//! Law: `docs/concepts/permissions.md`. A route without a row requires `completa`. A user in a session has every
//! permission.

use axum::extract::MatchedPath;
use http::Method;
use http::request::Parts;
use store::accounts::{Caller, Permissao};

use super::code;
use super::error::ApiError;

/// Permission that a route requires of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequiredPermission {
    /// No key is checked: the route is public, or for users only.
    Free,
    /// Reads, or checks without effect.
    Read,
    /// Prepares an emission, or issues an approved one.
    Assist,
    /// Acts, or shows a secret.
    Act,
}

impl RequiredPermission {
    fn met_by(self, permissao: Permissao) -> bool {
        match permissao {
            Permissao::Completa => true,
            Permissao::Leitura => matches!(self, RequiredPermission::Free | RequiredPermission::Read),
            Permissao::Assistida => self != RequiredPermission::Act,
        }
    }

    /// The required permission in Portuguese, for the refusal.
    fn permission_phrase(self) -> &'static str {
        match self {
            RequiredPermission::Free | RequiredPermission::Read => "leitura, assistida ou completa",
            RequiredPermission::Assist => "assistida ou completa",
            RequiredPermission::Act => "completa",
        }
    }
}

/// Refuses a key without the permission that the route requires.
pub(super) fn check(parts: &Parts, caller: &Caller) -> Result<(), ApiError> {
    if caller.permissao == Permissao::Completa {
        return Ok(());
    }
    let path = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let need = of(&parts.method, path);
    if need.met_by(caller.permissao) {
        return Ok(());
    }
    Err(insufficient(caller.permissao, need))
}

/// Refuses a key without a permission, for acts that are not routes.
pub(crate) fn require(caller: &Caller, need: RequiredPermission) -> Result<(), ApiError> {
    if need.met_by(caller.permissao) { Ok(()) } else { Err(insufficient(caller.permissao, need)) }
}

/// 403 that names the required permission.
fn insufficient(has: Permissao, need: RequiredPermission) -> ApiError {
    let detail = format!(
        "Esta chave tem a permissão {} e esta operação precisa de {}. Nada foi feito. Use outra chave da conta, ou peça uma a quem a administra.",
        has.word(),
        need.permission_phrase()
    );
    ApiError::new(&code::PERMISSAO_INSUFICIENTE, detail)
}

/// Permission that a route requires.
fn of(method: &Method, path: &str) -> RequiredPermission {
    let method = if method == Method::HEAD { "GET" } else { method.as_str() };
    let found = TABLE.iter().find(|(route, _)| route.split_once(' ') == Some((method, path)));
    found.map_or(RequiredPermission::Act, |(_, need)| *need)
}

/// True when a route, named as in the API document, refuses a key of permission `leitura`.
pub(super) fn refuses_readers(method: &str, path: &str) -> bool {
    let named =
        |route: &str| route.split_once(' ').is_some_and(|(of, at)| of.eq_ignore_ascii_case(method) && at == path);
    TABLE
        .iter()
        .any(|(route, need)| named(route) && matches!(need, RequiredPermission::Assist | RequiredPermission::Act))
}

/// Every route.
pub(crate) const TABLE: &[(&str, RequiredPermission)] = &[
    ("GET /", RequiredPermission::Free),
    // each MCP tool states its own permission, and none acts without a person's approval
    ("GET /mcp", RequiredPermission::Free),
    ("POST /mcp", RequiredPermission::Read),
    ("GET /health", RequiredPermission::Free),
    ("GET /status", RequiredPermission::Free),
    ("GET /docs", RequiredPermission::Free),
    ("GET /docs/json", RequiredPermission::Free),
    ("GET /docs/rotas/{operacao}", RequiredPermission::Free),
    ("GET /docs/guia/{pagina}", RequiredPermission::Free),
    ("GET /docs/recursos/{arquivo}", RequiredPermission::Free),
    ("GET /swagger", RequiredPermission::Free),
    ("GET /docs/erros", RequiredPermission::Free),
    ("GET /docs/erros/{codigo}", RequiredPermission::Free),
    ("POST /v1/auth/login", RequiredPermission::Free),
    ("POST /v1/auth/logout", RequiredPermission::Free),
    ("POST /v1/auth/ambiente", RequiredPermission::Free),
    ("PUT /v1/auth/senha", RequiredPermission::Free),
    ("GET /v1/auth/me", RequiredPermission::Read),
    ("GET /v1/auth/api-keys", RequiredPermission::Read),
    ("POST /v1/auth/api-keys", RequiredPermission::Act),
    ("DELETE /v1/auth/api-keys/{id}", RequiredPermission::Act),
    ("GET /v1/auth/auditoria", RequiredPermission::Free),
    ("GET /v1/auth/notas", RequiredPermission::Free),
    ("GET /v1/notas", RequiredPermission::Read),
    ("GET /v1/notas/{chave}", RequiredPermission::Read),
    ("GET /v1/jobs/localizar", RequiredPermission::Read),
    ("POST /v1/jobs/consultar-lote", RequiredPermission::Read),
    ("GET /v1/jobs/erros", RequiredPermission::Read),
    ("GET /v1/jobs/rejeitadas", RequiredPermission::Read),
    ("GET /v1/jobs/{job_id}/itens", RequiredPermission::Read),
    ("POST /v1/jobs/{job_id}/cancelar", RequiredPermission::Act),
    ("POST /v1/jobs/{job_id}/reprocessar", RequiredPermission::Act),
    ("GET /v1/cotas", RequiredPermission::Read),
    ("GET /v1/diagnostico", RequiredPermission::Read),
    ("GET /v1/empresas", RequiredPermission::Read),
    ("POST /v1/empresas", RequiredPermission::Act),
    ("GET /v1/empresas/certificados", RequiredPermission::Read),
    ("GET /v1/empresas/numeracao", RequiredPermission::Read),
    ("GET /v1/empresas/{cpf_cnpj}", RequiredPermission::Read),
    ("PUT /v1/empresas/{cpf_cnpj}", RequiredPermission::Act),
    ("DELETE /v1/empresas/{cpf_cnpj}", RequiredPermission::Act),
    ("PUT /v1/empresas/{cpf_cnpj}/nfe", RequiredPermission::Act),
    ("PUT /v1/empresas/{cpf_cnpj}/nfce", RequiredPermission::Act),
    ("PUT /v1/empresas/{cpf_cnpj}/nfse", RequiredPermission::Act),
    ("PUT /v1/empresas/{cpf_cnpj}/cte", RequiredPermission::Act),
    ("PUT /v1/empresas/{cpf_cnpj}/certificado", RequiredPermission::Act),
    ("PUT /v1/empresas/{cpf_cnpj}/logo", RequiredPermission::Act),
    ("GET /v1/empresas/{cpf_cnpj}/logo", RequiredPermission::Read),
    ("DELETE /v1/empresas/{cpf_cnpj}/logo", RequiredPermission::Act),
    ("GET /v1/empresas/{cpf_cnpj}/distribuicao", RequiredPermission::Read),
    ("PUT /v1/empresas/{cpf_cnpj}/distribuicao", RequiredPermission::Act),
    ("GET /v1/webhooks/segredo", RequiredPermission::Act),
    ("POST /v1/webhooks/segredo", RequiredPermission::Act),
    ("GET /v1/webhooks/entregas", RequiredPermission::Read),
    ("POST /v1/webhooks/entregas/{id}/reenviar", RequiredPermission::Act),
    ("GET /v1/cep", RequiredPermission::Read),
    ("GET /v1/cep/{cep}", RequiredPermission::Read),
    ("GET /v1/cnpj/{cnpj}", RequiredPermission::Read),
    ("POST /v1/ncm/buscar", RequiredPermission::Read),
    ("GET /v1/ncm/{codigo}", RequiredPermission::Read),
    ("GET /v1/ncm/{codigo}/validar", RequiredPermission::Read),
    ("GET /v1/tributos/simples", RequiredPermission::Read),
    ("POST /v1/nfe/emitir", RequiredPermission::Act),
    ("POST /v1/nfe/verificar-campos", RequiredPermission::Read),
    ("POST /v1/nfce/verificar-campos", RequiredPermission::Read),
    ("POST /v1/cte/emitir", RequiredPermission::Act),
    ("POST /v1/cte/verificar-campos", RequiredPermission::Read),
    ("POST /v1/nfse/emitir", RequiredPermission::Act),
    ("POST /v1/nfse/verificar-campos", RequiredPermission::Read),
    ("POST /v1/nfse/previa", RequiredPermission::Read),
    ("POST /v1/nfse/cancelar", RequiredPermission::Act),
    ("POST /v1/nfse/solicitar-analise", RequiredPermission::Act),
    ("GET /v1/nfse/{job_id}/eventos", RequiredPermission::Read),
    ("POST /v1/nfse/consultar-sefaz", RequiredPermission::Read),
    ("POST /v1/nfse/govdigital/emitir", RequiredPermission::Act),
    ("GET /v1/nfse/municipios/{codigo}", RequiredPermission::Read),
    ("POST /v1/nfse/{cpf_cnpj}/emitir", RequiredPermission::Act),
    ("POST /v1/nfse/{cpf_cnpj}/emitir/json/sync", RequiredPermission::Act),
    ("POST /v1/nfse/{cpf_cnpj}/cancelar", RequiredPermission::Act),
    ("POST /v1/nfse/{cpf_cnpj}/consultar", RequiredPermission::Read),
    ("GET /v1/nfse/{cpf_cnpj}/consultar-rps", RequiredPermission::Read),
    ("GET /v1/nfse/consultar/{job_id}", RequiredPermission::Read),
    ("GET /v1/nfse/{job_id}/file/{tipo}", RequiredPermission::Read),
    ("POST /v1/cte/previa", RequiredPermission::Read),
    ("POST /v1/cte/cancelar", RequiredPermission::Act),
    ("POST /v1/cte/carta-correcao", RequiredPermission::Act),
    ("POST /v1/cte/eventos", RequiredPermission::Act),
    ("GET /v1/cte/{id}/eventos", RequiredPermission::Read),
    ("GET /v1/cte/consultar/{id}", RequiredPermission::Read),
    ("GET /v1/cte/{id}/file/{tipo}", RequiredPermission::Read),
    ("POST /v1/nfe/preparar", RequiredPermission::Assist),
    ("POST /v1/nfe/previa", RequiredPermission::Read),
    ("POST /v1/nfce/previa", RequiredPermission::Read),
    ("POST /v1/nfe/confirmar", RequiredPermission::Assist),
    ("POST /v1/nfe/cancelar", RequiredPermission::Act),
    ("POST /v1/nfce/cancelar", RequiredPermission::Act),
    ("POST /v1/nfe/carta-correcao", RequiredPermission::Act),
    ("POST /v1/nfe/ator-interessado", RequiredPermission::Act),
    ("POST /v1/nfe/inutilizar", RequiredPermission::Act),
    ("POST /v1/nfce/inutilizar", RequiredPermission::Act),
    ("GET /v1/nfe/{id}/eventos", RequiredPermission::Read),
    ("GET /v1/nfe/consultar/{id}", RequiredPermission::Read),
    ("GET /v1/nfe/{id}/file/{tipo}", RequiredPermission::Read),
    ("POST /v1/nfce/emitir", RequiredPermission::Act),
    ("GET /v1/nfce/consultar/{id}", RequiredPermission::Read),
    ("GET /v1/nfce/{id}/file/{tipo}", RequiredPermission::Read),
    ("POST /v1/nfe/manifestar", RequiredPermission::Act),
    ("GET /v1/nfe/recebidas", RequiredPermission::Read),
    ("POST /v1/nfe/recebidas/sincronizar", RequiredPermission::Act),
    ("GET /v1/nfe/recebidas/{chave}", RequiredPermission::Read),
    ("GET /v1/nfe/recebidas/{chave}/xml", RequiredPermission::Read),
    ("GET /v1/cte/recebidos", RequiredPermission::Read),
    ("POST /v1/cte/recebidos/sincronizar", RequiredPermission::Act),
    ("GET /v1/cte/recebidos/{chave}", RequiredPermission::Read),
    ("GET /v1/cte/recebidos/{chave}/xml", RequiredPermission::Read),
    ("POST /v1/nfse/manifestar", RequiredPermission::Act),
    ("GET /v1/nfse/recebidas", RequiredPermission::Read),
    ("POST /v1/nfse/recebidas/sincronizar", RequiredPermission::Act),
    ("GET /v1/nfse/recebidas/{chave}", RequiredPermission::Read),
    ("GET /v1/nfse/recebidas/{chave}/xml", RequiredPermission::Read),
    ("GET /v1/nfe/status-servico", RequiredPermission::Read),
    ("GET /v1/nfe/cadastro", RequiredPermission::Read),
    ("GET /painel", RequiredPermission::Free),
    ("GET /painel/entrar", RequiredPermission::Free),
    ("POST /painel/entrar", RequiredPermission::Free),
    ("POST /painel/sair", RequiredPermission::Free),
    ("POST /painel/ambiente", RequiredPermission::Free),
    ("GET /painel/confirmar/{id}", RequiredPermission::Free),
    ("POST /painel/confirmar/{id}", RequiredPermission::Free),
    ("GET /painel/confirmar/{id}/pdf", RequiredPermission::Free),
    ("GET /painel/recursos/painel.css", RequiredPermission::Free),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_without_a_row_is_for_whoever_may_do_everything() {
        assert_eq!(of(&Method::POST, "/v1/novidade"), RequiredPermission::Act);
        assert_eq!(of(&Method::HEAD, "/v1/notas"), RequiredPermission::Read);
        assert!(
            !RequiredPermission::Act.met_by(Permissao::Assistida)
                && !RequiredPermission::Assist.met_by(Permissao::Leitura)
        );
    }

    #[test]
    fn what_issues_cancels_or_manages_is_for_whoever_may_do_everything() {
        let harmless = [
            "preparar",
            "confirmar",
            "verificar-campos",
            "previa",
            "buscar",
            "consultar",
            "consultar-lote",
            "consultar-sefaz",
            "mcp",
        ];
        for (route, need) in TABLE.iter().filter(|(route, _)| !route.starts_with("GET ")) {
            let last = route.rsplit('/').next().unwrap_or_default();
            assert!(
                harmless.contains(&last) || matches!(need, RequiredPermission::Act | RequiredPermission::Free),
                "{route}"
            );
        }
    }
}
