//! The error of the edge: every refusal becomes it and is answered as the RFC 9457 body of `docs/contract.md`,
//! "Errors".
//!
//! The body needs the request's id and path, which handlers do not have: the answer leaves the handler with the error
//! inside, and `envelope` writes the body.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use engine::process::work_pool::NotDone;
use fiscal::finding::{MOST_REPORTED, Notice};
use fiscal::tipo::Tipo;
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde_json::{Value, json};
use store::jobs::Operacao;
use store::quotas::QuotaUsedUp;
use uuid::Uuid;

use super::error_code::{self, ApiErrorCode};
use crate::rate_limiter::{POLICY, STATE};

/// A problem of one field or parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldProblem {
    /// Path in the caller's payload, or the name of the parameter.
    pub(crate) campo: String,
    /// Code of the whole answer if this is its only problem.
    pub(crate) code: &'static ApiErrorCode,
    /// A finer code than the answer's own, e.g. `campo_desconhecido`.
    pub(crate) codigo: &'static str,
    /// Portuguese: the fault and its remedy.
    pub(crate) mensagem: String,
    /// The nearest right name or value.
    pub(crate) sugestao: Option<String>,
}

impl FieldProblem {
    /// A problem without suggestion.
    pub(crate) fn new(
        code: &'static ApiErrorCode,
        campo: impl Into<String>,
        mensagem: impl Into<String>,
    ) -> FieldProblem {
        FieldProblem { campo: campo.into(), code, codigo: code.codigo, mensagem: mensagem.into(), sugestao: None }
    }

    /// A notice where notices are refusals; `codigo` is the notice's code.
    pub(crate) fn of_notice(code: &'static ApiErrorCode, codigo: &'static str, notice: &Notice) -> FieldProblem {
        let Notice { campo, mensagem, sugestao, .. } = notice;
        FieldProblem { campo: campo.clone(), code, codigo, mensagem: mensagem.clone(), sugestao: sugestao.clone() }
    }
}

/// Authentication schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AuthScheme {
    /// `X-API-Key`
    ApiKey,
    /// `Authorization: Bearer`
    Bearer,
}

const KEY_CHALLENGE: &str = "ApiKey realm=\"carimbo\", header=\"X-API-Key\"";
/// Challenge of a missing credential; a refused login answers it too.
pub(crate) const BEARER_CHALLENGE: &str = "Bearer realm=\"carimbo\"";
/// RFC 6750 §3.1.
const BEARER_ENDED: &str = "Bearer realm=\"carimbo\", error=\"invalid_token\"";

/// A refusal to be answered.
#[derive(Debug, Clone)]
pub(crate) struct ApiError {
    code: &'static ApiErrorCode,
    detail: String,
    problems: Vec<FieldProblem>,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// Members beside those of every refusal.
    members: Vec<(&'static str, Value)>,
}

impl ApiError {
    /// A refusal with a message and no field.
    pub(crate) fn new(code: &'static ApiErrorCode, detail: impl Into<String>) -> ApiError {
        ApiError { code, detail: detail.into(), problems: Vec::new(), headers: Vec::new(), members: Vec::new() }
    }

    /// A refusal of all problems together. Form (400) comes before meaning (422); a code shared by all is the answer's
    /// code.
    pub(crate) fn from_problems(problems: Vec<FieldProblem>) -> ApiError {
        let status =
            problems.iter().map(|problem| problem.code.status).min().unwrap_or(error_code::REQUISICAO_INVALIDA.status);
        let mut codes = problems.iter().map(|problem| problem.code).filter(|code| code.status == status);
        let first = codes.next().unwrap_or(&error_code::REQUISICAO_INVALIDA);
        let agreed = if codes.all(|code| code == first) { first } else { general(status) };
        let detail = match problems.as_slice() {
            [only] => only.mensagem.clone(),
            many => format!("{} problemas encontrados; o primeiro: {}", many.len(), many[0].mensagem),
        };
        ApiError { code: agreed, detail, problems, headers: Vec::new(), members: Vec::new() }
    }

    /// 404 for an absent object and for another tenant's alike.
    pub(crate) fn not_found(what: impl std::fmt::Display) -> ApiError {
        ApiError::new(&error_code::NAO_ENCONTRADO, format!("{what} Confira o identificador e a conta da chave usada."))
    }

    /// 401 without a credential, or with an unknown one.
    pub(crate) fn unauthenticated(detail: &str) -> ApiError {
        ApiError::new(&error_code::NAO_AUTENTICADO, detail).challenged(KEY_CHALLENGE).challenged(BEARER_CHALLENGE)
    }

    /// 401 for a revoked key: the one sent, or the one the session is bound to.
    pub(crate) fn revoked(scheme: AuthScheme) -> ApiError {
        let (detail, challenge) = match scheme {
            AuthScheme::ApiKey => (
                "Esta chave de API foi revogada. Use outra chave ativa da conta ou peça uma nova ao operador.",
                KEY_CHALLENGE,
            ),
            AuthScheme::Bearer => (
                "A chave de API a que esta sessão está ligada foi revogada. Entre de novo com POST /v1/auth/login.",
                BEARER_ENDED,
            ),
        };
        ApiError::new(&error_code::CHAVE_REVOGADA, detail).challenged(challenge)
    }

    /// 401 for a token that is not ours.
    pub(crate) fn bad_token(detail: &str) -> ApiError {
        ApiError::new(&error_code::NAO_AUTENTICADO, detail).challenged(BEARER_ENDED)
    }

    /// 401 for a token that was valid before.
    pub(crate) fn token_ended(detail: &str) -> ApiError {
        ApiError::new(&error_code::TOKEN_EXPIRADO, detail).challenged(BEARER_ENDED)
    }

    /// 429 with the seconds until the next attempt is accepted.
    pub(crate) fn too_many(detail: impl Into<String>, wait_s: i64) -> ApiError {
        ApiError::new(&error_code::MUITAS_REQUISICOES, detail).with_header(header::RETRY_AFTER, &wait_s.to_string())
    }

    /// 503 for too many requests in flight, with the seconds until a retry makes sense.
    pub(crate) fn busy(detail: impl Into<String>, wait_s: u64) -> ApiError {
        ApiError::new(&error_code::INDISPONIVEL, detail).with_header(header::RETRY_AFTER, &wait_s.to_string())
    }

    /// 503 for a store that cannot be reached.
    pub(crate) fn unavailable() -> ApiError {
        let detail = "O serviço não consegue acessar o banco de dados agora. Nada foi registrado por esta chamada; \
                      repita em alguns segundos com a mesma referencia_externa.";
        ApiError::new(&error_code::INDISPONIVEL, detail).with_header(header::RETRY_AFTER, "5")
    }

    /// 500 for a fault of ours, which is logged where it occurs and not shown.
    pub(crate) fn internal() -> ApiError {
        let detail = "Algo falhou do nosso lado. A falha foi registrada; informe o requisicao_id ao suporte.";
        ApiError::new(&error_code::ERRO_INTERNO, detail)
    }

    /// 500, after logging its cause.
    pub(crate) fn broken(cause: &dyn std::fmt::Display) -> ApiError {
        tracing::error!(error.cause = %cause, "a request could not be answered");
        ApiError::internal()
    }

    /// Adds a header to the answer.
    pub(crate) fn with_header(mut self, name: HeaderName, value: &str) -> ApiError {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((name, value));
        }
        self
    }

    /// Adds a member to the body, such as `encontrado`.
    pub(crate) fn with_member(mut self, name: &'static str, value: Value) -> ApiError {
        self.members.push((name, value));
        self
    }

    /// Names the field of the refusal.
    pub(crate) fn at(mut self, campo: &str) -> ApiError {
        self.problems.push(FieldProblem::new(self.code, campo, self.detail.clone()));
        self
    }

    /// Adds the job that prevents the act, and the path of its query.
    fn with_job(self, job: Uuid, tipo: Tipo) -> ApiError {
        let consulta = format!("/v1/{tipo}/consultar/{job}");
        self.with_member("job_id", json!(job)).with_member("consulta", json!(consulta))
    }

    /// Adds a challenge (RFC 9110 §11.6.1), one per scheme.
    pub(crate) fn challenged(self, challenge: &str) -> ApiError {
        self.with_header(header::WWW_AUTHENTICATE, challenge)
    }

    /// The code, for logs and metrics.
    pub(crate) fn code(&self) -> &'static ApiErrorCode {
        self.code
    }

    /// The fault and its remedy, in Portuguese.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    /// Problems of single fields.
    pub(crate) fn problems(&self) -> &[FieldProblem] {
        &self.problems
    }

    /// A header of the answer.
    pub(crate) fn header(&self, name: &HeaderName) -> Option<&HeaderValue> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value)
    }

    /// Body of the answer, in Problem Details form.
    pub(crate) fn body(&self, instance: &str, request_id: &str) -> Value {
        let erros: Vec<Value> = self
            .problems
            .iter()
            .take(MOST_REPORTED)
            .map(|problem| {
                json!({
                    "campo": problem.campo,
                    "codigo": problem.codigo,
                    "mensagem": problem.mensagem,
                    "sugestao": problem.sugestao,
                })
            })
            .collect();
        let mut body = json!({
            "type": format!("/docs/erros/{}", self.code.codigo),
            "title": self.code.title,
            "status": self.code.status,
            "detail": self.detail,
            "instance": instance,
            "sucesso": false,
            "codigo": self.code.codigo,
            "mensagem": self.detail,
            "erros": erros,
            "requisicao_id": request_id,
        });
        let omitted = self.problems.len().saturating_sub(MOST_REPORTED);
        if omitted > 0 {
            body["erros_omitidos"] = json!(omitted);
        }
        for (name, value) in &self.members {
            body[*name] = value.clone();
        }
        body
    }
}

/// General code for several different codes of a status.
fn general(status: u16) -> &'static ApiErrorCode {
    if status == error_code::VALIDACAO.status { &error_code::VALIDACAO } else { &error_code::REQUISICAO_INVALIDA }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = Response::new(axum::body::Body::empty());
        *response.status_mut() = StatusCode::from_u16(self.code.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        for (name, value) in &self.headers {
            response.headers_mut().append(name, value.clone());
        }
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

impl From<NotDone> for ApiError {
    fn from(error: NotDone) -> ApiError {
        match error {
            NotDone::Busy => {
                let detail = "Há documentos grandes desta conta em andamento, e eles são feitos poucos de cada vez. Nada foi registrado por \
                              esta chamada; espere e repita com a mesma referencia_externa.";
                ApiError::too_many(detail, 5)
            }
            NotDone::Broken => ApiError::broken(&error),
        }
    }
}

/// 409 for an act that the object's state does not allow.
fn state(detail: &str) -> ApiError {
    ApiError::new(&error_code::ESTADO_INVALIDO, detail)
}

/// 429: nothing was registered, and nothing will be before the month ends.
fn quota_exceeded(quota: &QuotaUsedUp) -> ApiError {
    let QuotaUsedUp { familia, limite, renova_em_s, janela_s } = quota;
    let word = familia.word();
    let detail = format!(
        "A cota de {limite} operações de {word} deste mês acabou; nada foi registrado. GET /v1/cotas mostra quando ela renova."
    );
    ApiError::new(&error_code::COTA_EXCEDIDA, detail)
        .with_header(header::RETRY_AFTER, &renova_em_s.to_string())
        .with_header(POLICY, &format!("\"cota-{word}\";q={limite};w={janela_s}"))
        .with_header(STATE, &format!("\"cota-{word}\";r=0;t={renova_em_s}"))
}

fn under_way(job: Uuid) -> ApiError {
    let detail = format!(
        "O job {job} já está fazendo esta operação com a nota. Acompanhe-o; depois do fim dele, se ainda for preciso, repita \
         o pedido."
    );
    ApiError::new(&error_code::ESTADO_INVALIDO, detail)
}

fn reference_taken(job: Uuid, operacao: Operacao) -> ApiError {
    let detail = format!(
        "Nada foi feito: referencia_externa já é do job {job}, que é de outra operação ({}). Repita o pedido com outra \
         referência, ou sem ela.",
        operacao.word()
    );
    ApiError::new(&error_code::ESTADO_INVALIDO, detail).at("referencia_externa")
}

impl From<store::Error> for ApiError {
    fn from(error: store::Error) -> ApiError {
        match error {
            store::Error::NotFound => ApiError::not_found("O objeto pedido não existe."),
            store::Error::Conflict(guard) => {
                ApiError::new(&error_code::ESTADO_INVALIDO, format!("O estado atual não permite a operação ({guard})."))
            }
            store::Error::LeaseLost => state("Outro processo está com este trabalho. Consulte e tente novamente."),
            store::Error::NumberTaken { numero } => {
                ApiError::new(&error_code::ESTADO_INVALIDO, format!("O número {numero} já está em uso nesta série."))
            }
            store::Error::SeriesExhausted => ApiError::new(
                &error_code::ESTADO_INVALIDO,
                "A série não tem mais números. Configure outra série na empresa.",
            ),
            store::Error::SeriesUncleared => ApiError::new(
                &error_code::REGISTRO_INCERTO,
                "O banco é uma cópia restaurada: a série não dá números antes de a autoridade dizer até onde foi usada.",
            ),
            store::Error::UnderWay { job, tipo } => under_way(job).with_job(job, tipo),
            store::Error::ReferenceTaken { job, tipo, operacao } => reference_taken(job, operacao).with_job(job, tipo),
            store::Error::ReferenceHidden => ApiError::new(
                &error_code::ESTADO_INVALIDO,
                "Nada foi feito: referencia_externa já é de outro pedido da conta, de uma empresa que o seu papel não alcança. Repita o \
                 pedido com outra referência, ou sem ela.",
            )
            .at("referencia_externa"),
            store::Error::ProductionOnly => ApiError::new(
                &error_code::AMBIENTE_INCORRETO,
                "A empresa emite em produção, e a credencial é de homologação: o que a produção usa (ambiente, série, número, CSC, \
                 certificado, cadastro, logotipo, remoção) só muda com uma credencial de produção.",
            ),
            store::Error::Corrupt(what) => {
                tracing::error!(what, "what is stored contradicts itself");
                ApiError::internal()
            }
            store::Error::Unavailable(cause) => {
                tracing::error!(error.cause = %cause, "store unavailable");
                ApiError::unavailable()
            }
            store::Error::InUse => state("Um serviço está no ar com este banco. Nada foi feito."),
            store::Error::AccountFull { most } => ApiError::new(
                &error_code::LIMITE_DA_CONTA,
                format!("A conta já tem o máximo, {most}. Nada foi registrado."),
            ),
            store::Error::QuotaExceeded(quota) => quota_exceeded(&quota),
            store::Error::EventsExhausted => state("A nota já tem o máximo de eventos deste tipo que a lei permite."),
            store::Error::NumberHeld { numero, .. } => ApiError::new(
                &error_code::ESTADO_INVALIDO,
                format!("O número {numero} não está livre. Nada foi registrado."),
            ),
            store::Error::Sealed => {
                tracing::error!("a stored secret cannot be opened with this master key");
                ApiError::internal()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_kind_of_problem_names_the_whole_answer() {
        let missing =
            |campo: &str| FieldProblem::new(&error_code::CAMPO_OBRIGATORIO, campo, format!("Informe {campo}."));
        let error = ApiError::from_problems(vec![missing("cpf_cnpj"), missing("nota")]);
        let body = error.body("/v1/nfe/emitir", "id");
        assert_eq!(body["codigo"], "campo_obrigatorio");
        assert_eq!(body["erros"].as_array().map(Vec::len), Some(2));
        assert_eq!(body["mensagem"], body["detail"]);
    }

    #[test]
    fn a_hundred_problems_are_told_and_the_others_counted() {
        let problem = |at: usize| FieldProblem::new(&error_code::VALIDACAO, format!("a{at}"), "errado");
        let body = ApiError::from_problems((0..250).map(problem).collect()).body("/", "id");
        assert_eq!(body["erros"].as_array().map(Vec::len), Some(100));
        assert_eq!(body["erros_omitidos"], 150);
        assert!(body["detail"].as_str().is_some_and(|detail| detail.starts_with("250 problemas")));
        let few = ApiError::from_problems((0..100).map(problem).collect()).body("/", "id");
        assert_eq!(few.get("erros_omitidos"), None);
    }

    #[test]
    fn form_comes_before_meaning_and_nothing_is_left_out() {
        let error = ApiError::from_problems(vec![
            FieldProblem::new(&error_code::VALIDACAO, "cpf_cnpj", "dígitos"),
            FieldProblem::new(&error_code::CAMPO_OBRIGATORIO, "nota", "Informe nota."),
            FieldProblem::new(&error_code::REFERENCIA_INVALIDA, "referencia_externa", "letras e dígitos"),
        ]);
        let body = error.body("/", "id");
        assert_eq!(body["status"], 400);
        assert_eq!(body["codigo"], "requisicao_invalida");
        assert_eq!(body["erros"].as_array().map(Vec::len), Some(3));
    }
}
