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
pub(crate) enum Need {
    /// No key is checked: the route is public, or for users only.
    Free,
    /// Reads, or checks without effect.
    Read,
    /// Prepares an emission, or issues an approved one.
    Assist,
    /// Acts, or shows a secret.
    Act,
}

impl Need {
    fn met_by(self, permissao: Permissao) -> bool {
        match permissao {
            Permissao::Completa => true,
            Permissao::Leitura => matches!(self, Need::Free | Need::Read),
            Permissao::Assistida => self != Need::Act,
        }
    }

    /// The required permission in Portuguese, for the refusal.
    fn asked(self) -> &'static str {
        match self {
            Need::Free | Need::Read => "leitura, assistida ou completa",
            Need::Assist => "assistida ou completa",
            Need::Act => "completa",
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
pub(crate) fn require(caller: &Caller, need: Need) -> Result<(), ApiError> {
    if need.met_by(caller.permissao) { Ok(()) } else { Err(insufficient(caller.permissao, need)) }
}

/// 403 that names the required permission.
fn insufficient(has: Permissao, need: Need) -> ApiError {
    let detail = format!(
        "Esta chave tem a permissão {} e esta operação precisa de {}. Nada foi feito. Use outra chave da conta, ou peça uma a quem a administra.",
        has.word(),
        need.asked()
    );
    ApiError::new(&code::PERMISSAO_INSUFICIENTE, detail)
}

/// Permission that a route requires.
fn of(method: &Method, path: &str) -> Need {
    let method = if method == Method::HEAD { "GET" } else { method.as_str() };
    let found = TABLE.iter().find(|(route, _)| route.split_once(' ') == Some((method, path)));
    found.map_or(Need::Act, |(_, need)| *need)
}

/// True when a route, named as in the API document, refuses a key of permission `leitura`.
pub(super) fn refuses_readers(method: &str, path: &str) -> bool {
    let named =
        |route: &str| route.split_once(' ').is_some_and(|(of, at)| of.eq_ignore_ascii_case(method) && at == path);
    TABLE.iter().any(|(route, need)| named(route) && matches!(need, Need::Assist | Need::Act))
}

/// Every route.
pub(crate) const TABLE: &[(&str, Need)] = &[
    ("GET /", Need::Free),
    // each MCP tool states its own permission, and none acts without a person's approval
    ("GET /mcp", Need::Free),
    ("POST /mcp", Need::Read),
    ("GET /health", Need::Free),
    ("GET /status", Need::Free),
    ("GET /docs", Need::Free),
    ("GET /docs/json", Need::Free),
    ("GET /docs/rotas/{operacao}", Need::Free),
    ("GET /docs/guia/{pagina}", Need::Free),
    ("GET /docs/recursos/{arquivo}", Need::Free),
    ("GET /swagger", Need::Free),
    ("GET /docs/erros", Need::Free),
    ("GET /docs/erros/{codigo}", Need::Free),
    ("POST /v1/auth/login", Need::Free),
    ("POST /v1/auth/logout", Need::Free),
    ("POST /v1/auth/ambiente", Need::Free),
    ("PUT /v1/auth/senha", Need::Free),
    ("GET /v1/auth/me", Need::Read),
    ("GET /v1/auth/api-keys", Need::Read),
    ("POST /v1/auth/api-keys", Need::Act),
    ("DELETE /v1/auth/api-keys/{id}", Need::Act),
    ("GET /v1/auth/auditoria", Need::Free),
    ("GET /v1/auth/notas", Need::Free),
    ("GET /v1/notas", Need::Read),
    ("GET /v1/notas/{chave}", Need::Read),
    ("GET /v1/jobs/localizar", Need::Read),
    ("POST /v1/jobs/consultar-lote", Need::Read),
    ("GET /v1/jobs/erros", Need::Read),
    ("GET /v1/jobs/rejeitadas", Need::Read),
    ("GET /v1/jobs/{job_id}/itens", Need::Read),
    ("POST /v1/jobs/{job_id}/cancelar", Need::Act),
    ("POST /v1/jobs/{job_id}/reprocessar", Need::Act),
    ("GET /v1/cotas", Need::Read),
    ("GET /v1/diagnostico", Need::Read),
    ("GET /v1/empresas", Need::Read),
    ("POST /v1/empresas", Need::Act),
    ("GET /v1/empresas/certificados", Need::Read),
    ("GET /v1/empresas/numeracao", Need::Read),
    ("GET /v1/empresas/{cpf_cnpj}", Need::Read),
    ("PUT /v1/empresas/{cpf_cnpj}", Need::Act),
    ("DELETE /v1/empresas/{cpf_cnpj}", Need::Act),
    ("PUT /v1/empresas/{cpf_cnpj}/nfe", Need::Act),
    ("PUT /v1/empresas/{cpf_cnpj}/nfce", Need::Act),
    ("PUT /v1/empresas/{cpf_cnpj}/nfse", Need::Act),
    ("PUT /v1/empresas/{cpf_cnpj}/cte", Need::Act),
    ("PUT /v1/empresas/{cpf_cnpj}/certificado", Need::Act),
    ("PUT /v1/empresas/{cpf_cnpj}/logo", Need::Act),
    ("GET /v1/empresas/{cpf_cnpj}/logo", Need::Read),
    ("DELETE /v1/empresas/{cpf_cnpj}/logo", Need::Act),
    ("GET /v1/empresas/{cpf_cnpj}/distribuicao", Need::Read),
    ("PUT /v1/empresas/{cpf_cnpj}/distribuicao", Need::Act),
    ("GET /v1/webhooks/segredo", Need::Act),
    ("POST /v1/webhooks/segredo", Need::Act),
    ("GET /v1/webhooks/entregas", Need::Read),
    ("POST /v1/webhooks/entregas/{id}/reenviar", Need::Act),
    ("GET /v1/cep", Need::Read),
    ("GET /v1/cep/{cep}", Need::Read),
    ("GET /v1/cnpj/{cnpj}", Need::Read),
    ("POST /v1/ncm/buscar", Need::Read),
    ("GET /v1/ncm/{codigo}", Need::Read),
    ("GET /v1/ncm/{codigo}/validar", Need::Read),
    ("GET /v1/tributos/simples", Need::Read),
    ("POST /v1/nfe/emitir", Need::Act),
    ("POST /v1/nfe/verificar-campos", Need::Read),
    ("POST /v1/nfce/verificar-campos", Need::Read),
    ("POST /v1/cte/emitir", Need::Act),
    ("POST /v1/cte/verificar-campos", Need::Read),
    ("POST /v1/nfse/emitir", Need::Act),
    ("POST /v1/nfse/verificar-campos", Need::Read),
    ("POST /v1/nfse/previa", Need::Read),
    ("POST /v1/nfse/cancelar", Need::Act),
    ("POST /v1/nfse/solicitar-analise", Need::Act),
    ("GET /v1/nfse/{job_id}/eventos", Need::Read),
    ("POST /v1/nfse/consultar-sefaz", Need::Read),
    ("POST /v1/nfse/govdigital/emitir", Need::Act),
    ("GET /v1/nfse/municipios/{codigo}", Need::Read),
    ("POST /v1/nfse/{cpf_cnpj}/emitir", Need::Act),
    ("POST /v1/nfse/{cpf_cnpj}/emitir/json/sync", Need::Act),
    ("POST /v1/nfse/{cpf_cnpj}/cancelar", Need::Act),
    ("POST /v1/nfse/{cpf_cnpj}/consultar", Need::Read),
    ("GET /v1/nfse/{cpf_cnpj}/consultar-rps", Need::Read),
    ("GET /v1/nfse/consultar/{job_id}", Need::Read),
    ("GET /v1/nfse/{job_id}/file/{tipo}", Need::Read),
    ("POST /v1/cte/previa", Need::Read),
    ("POST /v1/cte/cancelar", Need::Act),
    ("POST /v1/cte/carta-correcao", Need::Act),
    ("POST /v1/cte/eventos", Need::Act),
    ("GET /v1/cte/{id}/eventos", Need::Read),
    ("GET /v1/cte/consultar/{id}", Need::Read),
    ("GET /v1/cte/{id}/file/{tipo}", Need::Read),
    ("POST /v1/nfe/preparar", Need::Assist),
    ("POST /v1/nfe/previa", Need::Read),
    ("POST /v1/nfce/previa", Need::Read),
    ("POST /v1/nfe/confirmar", Need::Assist),
    ("POST /v1/nfe/cancelar", Need::Act),
    ("POST /v1/nfce/cancelar", Need::Act),
    ("POST /v1/nfe/carta-correcao", Need::Act),
    ("POST /v1/nfe/ator-interessado", Need::Act),
    ("POST /v1/nfe/inutilizar", Need::Act),
    ("POST /v1/nfce/inutilizar", Need::Act),
    ("GET /v1/nfe/{id}/eventos", Need::Read),
    ("GET /v1/nfe/consultar/{id}", Need::Read),
    ("GET /v1/nfe/{id}/file/{tipo}", Need::Read),
    ("POST /v1/nfce/emitir", Need::Act),
    ("GET /v1/nfce/consultar/{id}", Need::Read),
    ("GET /v1/nfce/{id}/file/{tipo}", Need::Read),
    ("POST /v1/nfe/manifestar", Need::Act),
    ("GET /v1/nfe/recebidas", Need::Read),
    ("POST /v1/nfe/recebidas/sincronizar", Need::Act),
    ("GET /v1/nfe/recebidas/{chave}", Need::Read),
    ("GET /v1/nfe/recebidas/{chave}/xml", Need::Read),
    ("GET /v1/cte/recebidos", Need::Read),
    ("POST /v1/cte/recebidos/sincronizar", Need::Act),
    ("GET /v1/cte/recebidos/{chave}", Need::Read),
    ("GET /v1/cte/recebidos/{chave}/xml", Need::Read),
    ("POST /v1/nfse/manifestar", Need::Act),
    ("GET /v1/nfse/recebidas", Need::Read),
    ("POST /v1/nfse/recebidas/sincronizar", Need::Act),
    ("GET /v1/nfse/recebidas/{chave}", Need::Read),
    ("GET /v1/nfse/recebidas/{chave}/xml", Need::Read),
    ("GET /v1/nfe/status-servico", Need::Read),
    ("GET /v1/nfe/cadastro", Need::Read),
    ("GET /painel", Need::Free),
    ("GET /painel/entrar", Need::Free),
    ("POST /painel/entrar", Need::Free),
    ("POST /painel/sair", Need::Free),
    ("POST /painel/ambiente", Need::Free),
    ("GET /painel/confirmar/{id}", Need::Free),
    ("POST /painel/confirmar/{id}", Need::Free),
    ("GET /painel/confirmar/{id}/pdf", Need::Free),
    ("GET /painel/recursos/painel.css", Need::Free),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_without_a_row_is_for_whoever_may_do_everything() {
        assert_eq!(of(&Method::POST, "/v1/novidade"), Need::Act);
        assert_eq!(of(&Method::HEAD, "/v1/notas"), Need::Read);
        assert!(!Need::Act.met_by(Permissao::Assistida) && !Need::Assist.met_by(Permissao::Leitura));
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
            assert!(harmless.contains(&last) || matches!(need, Need::Act | Need::Free), "{route}");
        }
    }
}
