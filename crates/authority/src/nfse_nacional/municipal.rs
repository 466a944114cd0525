//! Benefits, special regimes and withholding laws of a município, from the national system.
//!
//! Law: OpenAPI of the parameters of municípios (2025-12). Days are instants without an offset.

use super::json::{list, member, status, text, value};
use super::parameters::{ask, dotted};
use crate::call::{AuthorityCall, AuthorityReply};
use crate::sefaz::UnreadableReply;
use crate::table::endpoint::Endpoint;
use fiscal::nfse::municipal::{MunicipalBenefit, SpecialRegime, ValidityPeriod, WithholdingLaw, regime_called};
use http::StatusCode;
use serde_json::Value;

/// Most rows kept of an answer.
const MOST: usize = 2_000;
/// `situacao` of a regime that is not allowed.
const BARRED: i64 = 2;

/// Query of a benefit by its number on a day.
pub fn benefit(endpoint: &Endpoint, municipio: u32, nBM: &str, dCompet: &str) -> AuthorityCall {
    ask(endpoint, &format!("{municipio:07}/{nBM}/{dCompet}/beneficio"))
}

/// Query of the special regimes of a service.
pub fn regimes(endpoint: &Endpoint, municipio: u32, cTribNac: &str, dCompet: &str) -> AuthorityCall {
    ask(endpoint, &format!("{municipio:07}/{}/{dCompet}/regimes_especiais", dotted(cTribNac)))
}

/// Query of the withholding laws.
pub fn withholding(endpoint: &Endpoint, municipio: u32, dCompet: &str) -> AuthorityCall {
    ask(endpoint, &format!("{municipio:07}/{dCompet}/retencoes"))
}

/// Reads the answer to [`benefit`]; `None` when the benefit does not exist.
pub fn read_benefit(reply: &AuthorityReply) -> Result<Option<MunicipalBenefit>, UnreadableReply> {
    let answer = value(reply)?;
    match reply.status {
        StatusCode::OK => {
            let told = member(&answer, "beneficio").filter(|it| it.is_object()).and_then(of_benefit);
            told.map(Some).ok_or_else(|| UnreadableReply::Content("a resposta não traz o benefício".to_owned()))
        }
        StatusCode::NOT_FOUND if member(&answer, "mensagem").is_some() => Ok(None),
        _ => Err(status(reply)),
    }
}

fn of_benefit(told: &Value) -> Option<MunicipalBenefit> {
    let number = |name: &str| member(told, name)?.as_number().map(ToString::to_string);
    let codes = |name: &str, code: &str, read: fn(&str) -> String| {
        let listed = list(told, name).iter().take(MOST);
        listed
            .filter_map(|one| Some((read(text(one, code)?), days(one, "dataInicioVigencia", "dataFimVigencia"))))
            .collect()
    };
    Some(MunicipalBenefit {
        tipo: member(told, "tipoBeneficio")?.as_u64()?.try_into().ok()?,
        aliquota: number("aliquotaDiferenciada"),
        reducao: number("reducaoPercentualBC"),
        vigencia: days(told, "dataInicioVigencia", "dataFimVigencia"),
        servicos: codes("servicos", "codigoServico", national),
        contribuintes: codes("contribuintes", "inscricao", str::to_owned),
    })
}

/// Reads the answer to [`regimes`]: only variants whose name identifies the regime.
pub fn read_regimes(reply: &AuthorityReply) -> Result<Vec<SpecialRegime>, UnreadableReply> {
    let answer = value(reply)?;
    match reply.status {
        StatusCode::OK => Ok(member(&answer, "regimesEspeciais").map(of_regimes).unwrap_or_default()),
        StatusCode::NOT_FOUND if member(&answer, "mensagem").is_some() => Ok(Vec::new()),
        _ => Err(status(reply)),
    }
}

fn of_regimes(groups: &Value) -> Vec<SpecialRegime> {
    let variants = groups.as_object().into_iter().flat_map(|groups| groups.values());
    let variants = variants.filter_map(Value::as_object).flatten();
    let told = variants.filter_map(|(name, told)| Some((regime_called(name)?, told.as_array()?)));
    let each = told.flat_map(|(codigo, told)| told.iter().map(move |one| (codigo, one)));
    let regime = |(codigo, one)| {
        let vedado = member(one, "situacao").and_then(Value::as_i64) == Some(BARRED);
        SpecialRegime { codigo, vedado, vigencia: days(one, "dataInicio", "dataFim") }
    };
    each.take(MOST).map(regime).collect()
}

/// Reads the answer to [`withholding`].
pub fn read_withholding(reply: &AuthorityReply) -> Result<Vec<WithholdingLaw>, UnreadableReply> {
    let answer = value(reply)?;
    match reply.status {
        StatusCode::OK => Ok(member(&answer, "retencoes").map(of_laws).unwrap_or_default()),
        StatusCode::NOT_FOUND if member(&answer, "mensagem").is_some() => Ok(Vec::new()),
        _ => Err(status(reply)),
    }
}

fn of_laws(told: &Value) -> Vec<WithholdingLaw> {
    let laws = list(told, "retencoesMunicipais").iter();
    let services = laws.flat_map(|law| list(law, "servicos"));
    let stretches =
        services.filter_map(|service| Some((national(text(service, "codigoCompleto")?), list(service, "historico"))));
    let each = stretches.flat_map(|(servico, stretches)| {
        stretches.iter().map(move |one| (servico.clone(), days(one, "dataInicioVigencia", "dataFimVigencia")))
    });
    each.take(MOST).map(|(servico, vigencia)| WithholdingLaw { servico, vigencia }).collect()
}

/// `cTribNac` in `01.01.01.000`.
fn national(code: &str) -> String {
    code.chars().filter(char::is_ascii_digit).take(6).collect()
}

fn days(of: &Value, first: &str, last: &str) -> ValidityPeriod {
    let day = |name: &str| text(of, name).and_then(|text| text.get(..10)).map(str::to_owned);
    ValidityPeriod { inicio: day(first), fim: day(last) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(status: u16, body: &str) -> AuthorityReply {
        AuthorityReply::new(StatusCode::from_u16(status).unwrap(), body)
    }

    #[test]
    fn a_benefit_is_read_as_the_openapi_has_it() {
        let body = r#"{"mensagem":"ok","beneficio":{"codigoBeneficio":"43149020300004","dataInicioVigencia":"2024-01-01T00:00:00","dataFimVigencia":null,
            "tipoBeneficio":4,"aliquotaDiferenciada":2.10,"reducaoPercentualBC":null,
            "servicos":[{"codigoServico":"01.01.01.000","dataInicioVigencia":"2024-01-01T00:00:00","dataFimVigencia":null}],"contribuintes":null}}"#;
        let benefit = read_benefit(&reply(200, body)).unwrap().unwrap();
        let since = || ValidityPeriod { inicio: Some("2024-01-01".to_owned()), fim: None };
        assert_eq!((benefit.tipo, benefit.aliquota.as_deref(), &benefit.vigencia), (4, Some("2.10"), &since()));
        assert_eq!((benefit.servicos, benefit.contribuintes), (vec![("010101".to_owned(), since())], Vec::new()));
        assert_eq!(read_benefit(&reply(404, r#"{"mensagem":"Não encontrado"}"#)).unwrap(), None);
        for (status, body) in [(200, "{}"), (404, "<html>"), (500, "{}"), (200, r#"{"beneficio":{}}"#)] {
            assert!(read_benefit(&reply(status, body)).is_err(), "{status} {body}");
        }
    }

    #[test]
    fn regimes_and_laws_are_read_and_unknown_variants_left_out() {
        let one = r#"[{"situacao":2,"dataInicio":"2023-01-01T00:00:00","dataFim":null,"observacoes":null}]"#;
        let body =
            format!(r#"{{"mensagem":"ok","regimesEspeciais":{{"grupo":{{"estimativa":{one},"variante":{one}}}}}}}"#);
        let regimes = read_regimes(&reply(200, &body)).unwrap();
        assert_eq!(regimes.iter().map(|one| (one.codigo, one.vedado)).collect::<Vec<_>>(), [(2, true)]);
        let body = r#"{"mensagem":"ok","retencoes":{"artigoSexto":{"habilitado":true,"historico":[]},"retencoesMunicipais":[{"descricao":"Lei","tiposRetencao":[1],
            "servicos":[{"codigoCompleto":"17.01.01.000","historico":[{"dataInicioVigencia":"2023-01-01T00:00:00","dataFimVigencia":"2025-12-31T00:00:00"}]}]}]}}"#;
        let laws = read_withholding(&reply(200, body)).unwrap();
        assert_eq!((laws[0].servico.as_str(), laws[0].vigencia.fim.as_deref()), ("170101", Some("2025-12-31")));
        assert!(read_regimes(&reply(503, "{}")).is_err() && read_withholding(&reply(200, "<html>")).is_err());
    }
}
