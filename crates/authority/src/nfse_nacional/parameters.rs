//! Parameters of a município in the national system: its convênio, its rate of a service.
//!
//! Law: OpenAPI of the parameters of municípios (2025-12). A 404 with a body of the success's shape means that there is
//! no convênio; a gateway's page proves nothing.

use super::json::{member, status, value};
use crate::call::{AuthorityCall, AuthorityReply, CallMethod};
use crate::sefaz::UnreadableReply;
use crate::table::endpoint::Endpoint;
use crate::table::service::AuthorityService;
use fiscal::nfse::convention::Convention;
use http::StatusCode;
use serde_json::Value;

/// Query of a município's convênio, by IBGE code.
pub fn convention(endpoint: &Endpoint, municipio: u32) -> AuthorityCall {
    ask(endpoint, &format!("{municipio:07}/convenio"))
}

/// Query of the rate of a service on a day (`AAAA-MM-DD`; the system reads other formats month first). The service is
/// sent dotted, with the municipal complement.
pub fn rate(endpoint: &Endpoint, municipio: u32, cTribNac: &str, dCompet: &str) -> AuthorityCall {
    ask(endpoint, &format!("{municipio:07}/{}/{dCompet}/aliquota", dotted(cTribNac)))
}

/// A service as `01.01.01.000`, the form that answers repeat.
pub(super) fn dotted(cTribNac: &str) -> String {
    let part = |range: std::ops::Range<usize>| cTribNac.get(range).unwrap_or_default();
    format!("{}.{}.{}.000", part(0..2), part(2..4), part(4..6))
}

/// Reads the answer to [`rate`]: per cent, as received. `None` when the município does not administer the service on
/// that day.
pub fn read_rate(reply: &AuthorityReply) -> Result<Option<String>, UnreadableReply> {
    let answer = value(reply)?;
    match reply.status {
        StatusCode::OK => {
            let rate =
                member(&answer, "aliquotas").and_then(Value::as_object).and_then(|all| all.values().find_map(in_force));
            rate.map(Some).ok_or_else(|| UnreadableReply::Content("a resposta não traz a alíquota".to_owned()))
        }
        StatusCode::NOT_FOUND if member(&answer, "mensagem").is_some() => Ok(None),
        _ => Err(status(reply)),
    }
}

/// Rate without an end, else the last of the list.
fn in_force(rates: &Value) -> Option<String> {
    let rates = rates.as_array()?;
    let open = rates.iter().find(|rate| member(rate, "DtFim").is_none_or(Value::is_null));
    member(open.or(rates.last())?, "Aliq")?.as_number().map(ToString::to_string)
}

pub(super) fn ask(endpoint: &Endpoint, path: &str) -> AuthorityCall {
    AuthorityCall {
        method: CallMethod::Get,
        url: format!("{}/{path}", endpoint.url.trim_end_matches('/')),
        headers: vec![("accept", "application/json".to_owned())],
        body: Vec::new(),
        authority: endpoint.authority.clone(),
        service: AuthorityService::ConsultaCadastro,
        name: "parametrizacao",
        from_company: false,
        secrets: Vec::new(),
    }
}

/// Reads the answer to [`convention`].
pub fn read_convention(reply: &AuthorityReply) -> Result<Convention, UnreadableReply> {
    let answer = value(reply)?;
    match reply.status {
        StatusCode::OK => {
            read(&answer).ok_or_else(|| UnreadableReply::Content("a resposta não traz o convênio".to_owned()))
        }
        StatusCode::NOT_FOUND if member(&answer, "mensagem").is_some() => Ok(Convention::NONE),
        _ => Err(status(reply)),
    }
}

fn read(answer: &Value) -> Option<Convention> {
    let parameters = member(answer, "parametrosConvenio").filter(|it| it.is_object())?;
    // 1 yes, 0 no, -1 not stated
    let said = |name: &str| match member(parameters, name).and_then(Value::as_i64) {
        Some(1) => Some(true),
        Some(0) => Some(false),
        _ => None,
    };
    member(parameters, "aderenteEmissorNacional")?;
    Some(Convention {
        exists: true,
        active: said("aderenteAmbienteNacional") == Some(true),
        emitter: said("aderenteEmissorNacional") == Some(true),
        by_default: said("situacaoEmissaoPadraoContribuintesRFB"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_of(status: u16, body: &str) -> Result<Convention, UnreadableReply> {
        let status = StatusCode::from_u16(status).unwrap();
        read_convention(&AuthorityReply::new(status, body))
    }

    #[test]
    fn a_rate_is_read_as_it_is_written_and_one_that_is_not_there_is_none() {
        let of = |status: u16, body: &str| {
            let status = StatusCode::from_u16(status).unwrap();
            read_rate(&AuthorityReply::new(status, body))
        };
        let list = r#"{"mensagem":"ok","aliquotas":{"01.01.01.000":[{"Incidencia":"SIM","Aliq":2.50,"DtIni":"2020-01-01T00:00:00","DtFim":"2023-12-31T00:00:00"},
            {"Incidencia":"SIM","Aliq":3.10,"DtIni":"2024-01-01T00:00:00","DtFim":null}]}}"#;
        assert_eq!(of(200, list).unwrap().as_deref(), Some("3.10"));
        assert_eq!(of(404, r#"{"mensagem":"Alíquota não encontrada."}"#).unwrap(), None);
        for (status, body) in [(200, "{}"), (200, r#"{"aliquotas":{}}"#), (404, "<html>"), (503, "{}")] {
            assert!(of(status, body).is_err(), "{status} {body}");
        }
    }

    #[test]
    fn a_convention_is_read_whatever_the_case_of_its_members_and_a_page_is_none() {
        let body = |active: i8, emitter: i8, by_default: i8| {
            format!(
                r#"{{"mensagem":"ok","parametrosConvenio":{{"tipoConvenioDeserializationSetter":1,"AderenteAmbienteNacional":{active},
                    "aderenteEmissorNacional":{emitter},"situacaoEmissaoPadraoContribuintesRFB":{by_default}}}}}"#
            )
        };
        let convention = |active, emitter, by_default| Convention { exists: true, active, emitter, by_default };
        assert_eq!(read_of(200, &body(1, 1, 1)).unwrap(), convention(true, true, Some(true)));
        assert_eq!(read_of(200, &body(1, 1, 0)).unwrap(), convention(true, true, Some(false)));
        assert_eq!(read_of(200, &body(1, 0, -1)).unwrap(), convention(true, false, None));
        assert_eq!(read_of(200, &body(0, -1, -1)).unwrap(), convention(false, false, None));
        assert_eq!(read_of(404, r#"{"mensagem":"O município não possui convênio."}"#).unwrap(), Convention::NONE);
        for (status, body) in [
            (404, "<html>"),
            (404, "{}"),
            (200, "{}"),
            (200, r#"{"parametrosConvenio":null}"#),
            (500, r#"{"mensagem":"falha"}"#),
            (200, ""),
        ] {
            assert!(read_of(status, body).is_err(), "{status} {body}");
        }
    }
}
