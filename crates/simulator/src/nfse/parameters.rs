//! Parameters of a município: convênio, rates, special regimes, withholding, benefits.
//!
//! Law: OpenAPI of the parameters of municípios (2025-12). 400 and 404 have the same body with a `mensagem`.

use super::answer::{NationalAnswer, ProcessingMessage};
use super::municipality::{BenefitRow, Convenio, MunicipalConvention};
use super::{NationalRequest, certificate};
use fiscal::nfse::amounts::BenefitTerms as Kind;
use fiscal::reference::ctribnac;
use fiscal::value::amount;
use http::StatusCode;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::{Map, Number, Value, json};
use std::borrow::Cow;

/// `GET /{cMun}/convenio`.
pub(super) fn agreement(asked: &NationalRequest<'_>, codigo: &str) -> NationalAnswer {
    let municipality = match municipality(asked, codigo) {
        Ok(municipality) => municipality,
        Err(stopped) => return *stopped,
    };
    if municipality.convenio == Convenio::Ausente {
        return parameters_not_found("O município não possui convênio.");
    }
    let yes = |holds: bool| i32::from(holds);
    let is_active = municipality.convenio == Convenio::Ativo;
    found(
        "parametrosConvenio",
        json!({
            "tipoConvenioDeserializationSetter": 1,
            "aderenteAmbienteNacional": yes(is_active),
            "aderenteEmissorNacional": yes(is_active && municipality.emissor_nacional),
            "situacaoEmissaoPadraoContribuintesRFB":
                yes(is_active && municipality.emissor_nacional && !municipality.so_habilitados),
            "aderenteMAN": 0,
            "permiteAproveitametoDeCreditos": false,
        }),
    )
}

/// `GET /{cMun}/{cServ}/{competencia}/aliquota` and `…/historicoaliquotas`.
pub(super) fn rates(asked: &NationalRequest<'_>, codigo: &str, service: &str, day: Option<&str>) -> NationalAnswer {
    let read = municipality(asked, codigo).and_then(|municipality| {
        let service = service_code(service)?;
        day.map(date).transpose().map(|day| (municipality, service, day))
    });
    let (municipality, service, day) = match read {
        Ok(read) => read,
        Err(stopped) => return *stopped,
    };
    let excluded = municipality.servicos_excluidos.contains(&service.national);
    if excluded || day.is_some_and(|day| day < municipality.ativo_desde) {
        return parameters_not_found("Alíquota não encontrada.");
    }
    let rate = json!([{
        "Incidencia": "SIM",
        "Aliq": number(municipality.rate(&service.national)),
        "DtIni": midnight(municipality.ativo_desde),
        "DtFim": null,
    }]);
    found("aliquotas", Value::Object(Map::from_iter([(service.dotted, rate)])))
}

/// `GET /{cMun}/{cServ}/{competencia}/regimes_especiais`.
pub(super) fn special_regimes(asked: &NationalRequest<'_>, codigo: &str, service: &str, day: &str) -> NationalAnswer {
    let read = municipality(asked, codigo)
        .and_then(|it| service_code(service).map(|_| it))
        .and_then(|it| date(day).map(|_| it));
    let municipality = match read {
        Ok(municipality) => municipality,
        Err(stopped) => return *stopped,
    };
    let regimes = REGIMES.iter().map(|(code, name)| {
        let situation = if municipality.regimes_vedados.contains(*code) { VEDADO } else { PERMITIDO };
        let one = json!([{ "situacao": situation, "dataInicio": midnight(municipality.ativo_desde), "dataFim": null, "observacoes": null }]);
        ((*name).to_owned(), one)
    });
    found("regimesEspeciais", json!({ "regimes": Value::Object(regimes.collect()) }))
}

/// `regEspTrib` and its name in the answer.
const REGIMES: [(&str, &str); 6] = [
    ("1", "atoCooperado"),
    ("2", "estimativa"),
    ("3", "microempresaMunicipal"),
    ("4", "notarioOuRegistrador"),
    ("5", "profissionalAutonomo"),
    ("6", "sociedadeDeProfissionais"),
];
const PERMITIDO: u8 = 1;
const VEDADO: u8 = 2;

/// `GET /{cMun}/{competencia}/retencoes`.
pub(super) fn withholding(asked: &NationalRequest<'_>, codigo: &str, day: &str) -> NationalAnswer {
    let municipality = match municipality(asked, codigo).and_then(|it| date(day).map(|_| it)) {
        Ok(municipality) => municipality,
        Err(stopped) => return *stopped,
    };
    let since = json!([{ "dataInicioVigencia": midnight(municipality.ativo_desde), "dataFimVigencia": null }]);
    let history = if municipality.retencao_artigo_sexto { since.clone() } else { json!([]) };
    let own: Vec<Value> = municipality
        .retencoes
        .iter()
        .map(|(service, kinds)| {
            json!({
                "descricao": "Retenção municipal de ensaio",
                "dataInicioVigencia": midnight(municipality.ativo_desde),
                "dataFimVigencia": null,
                "tiposRetencao": kinds,
                "servicos": [{ "codigoCompleto": dotted(service), "historico": since }],
            })
        })
        .collect();
    let artigo = json!({ "habilitado": municipality.retencao_artigo_sexto, "historico": history });
    found("retencoes", json!({ "artigoSexto": artigo, "retencoesMunicipais": own }))
}

/// `GET /{cMun}/{nBM}/{competencia}/beneficio`.
pub(super) fn benefit(asked: &NationalRequest<'_>, codigo: &str, numero: &str, day: &str) -> NationalAnswer {
    let (municipality, day) = match municipality(asked, codigo).and_then(|it| date(day).map(|day| (it, day))) {
        Ok(read) => read,
        Err(stopped) => return *stopped,
    };
    match municipality.beneficios.get(numero) {
        Some(benefit) if day >= benefit.inicio => found("beneficio", shown(numero, benefit)),
        _ => parameters_not_found("Benefício municipal não encontrado."),
    }
}

fn shown(numero: &str, benefit: &BenefitRow) -> Value {
    let servicos: Vec<Value> = benefit
        .servicos
        .iter()
        .map(|service| json!({ "codigoServico": dotted(service), "dataInicioVigencia": midnight(benefit.inicio), "dataFimVigencia": null }))
        .collect();
    let mut shown = json!({
        "codigoBeneficio": numero,
        "descricao": benefit.descricao,
        "dataInicioVigencia": midnight(benefit.inicio),
        "dataFimVigencia": benefit.fim.map(midnight),
        "tipoBeneficio": benefit.tipo,
        "reducaoPercentualBC": benefit.reducao.map(number),
        "aliquotaDiferenciada": benefit.aliquota.map(number),
        "restritoAoMunicipio": benefit.restrito,
        "servicos": servicos,
        "contribuintes": [],
    });
    let reduction = match benefit.tipo {
        Kind::PERCENTAGE => Some(1),
        Kind::VALUE => Some(2),
        _ => None,
    };
    if let (Value::Object(members), Some(reduction)) = (&mut shown, reduction) {
        members.insert("tipoReducaoBC".to_owned(), json!(reduction));
    }
    shown
}

/// The município of a path, when its certificate may ask.
fn municipality(asked: &NationalRequest<'_>, codigo: &str) -> Result<MunicipalConvention, Box<NationalAnswer>> {
    if !certificate::problems(asked).is_empty() {
        let stopped =
            NationalAnswer::of(StatusCode::FORBIDDEN, json!({ "mensagem": "Certificado de cliente inválido." }));
        return Err(Box::new(stopped.with_first_code(&[ProcessingMessage::new("E1200")])));
    }
    let codigo: u32 = codigo.parse().map_err(|_| Box::new(invalid_parameters("Código de município inválido.")))?;
    let settings = asked.world.settings();
    let municipality = settings.nfse.municipality(codigo).map(Cow::into_owned);
    municipality.ok_or_else(|| Box::new(parameters_not_found("Município não encontrado.")))
}

/// Service of a path.
struct ServiceCode {
    /// `cTribNac`.
    national: String,
    /// Form in answers: `01.01.01.000`.
    dotted: String,
}

/// Reads `01.01.01.000`, `01.01.01` or `010101`.
fn service_code(text: &str) -> Result<ServiceCode, Box<NationalAnswer>> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let shaped = text.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    let national = digits.get(..6).filter(|_| shaped && matches!(digits.len(), 6 | 9));
    let national = national.filter(|code| ctribnac::name(code).is_some());
    let national = national.ok_or_else(|| Box::new(invalid_parameters("Código de serviço inválido.")))?.to_owned();
    let own = digits.get(6..).filter(|own| !own.is_empty()).unwrap_or("000");
    let dotted = dotted(&national);
    let dotted = dotted.get(..8).map(|national| format!("{national}.{own}")).unwrap_or(dotted);
    Ok(ServiceCode { national, dotted })
}

fn dotted(national: &str) -> String {
    let part = |range| national.get(range).unwrap_or_default();
    format!("{}.{}.{}.000", part(0..2), part(2..4), part(4..6))
}

/// Reads `AAAA-MM-DD`, with or without a time.
fn date(text: &str) -> Result<Date, Box<NationalAnswer>> {
    let day = text.get(..10).unwrap_or(text);
    day.parse().map_err(|_| Box::new(invalid_parameters("Competência inválida.")))
}

/// A date as the answers write it: with a time and without an offset.
fn midnight(date: Date) -> String {
    format!("{date}T00:00:00")
}

/// A number of JSON with the digits of the decimal.
fn number(percent: Decimal) -> Value {
    let text = percent.normalize().to_string();
    let exact = amount(&text).and_then(|_| serde_json::from_str::<Number>(&text).ok());
    exact.map_or(Value::Null, Value::Number)
}

fn found(member: &str, value: Value) -> NationalAnswer {
    NationalAnswer::of(StatusCode::OK, json!({ "mensagem": "Parâmetros recuperados com sucesso.", member: value }))
}

fn parameters_not_found(mensagem: &str) -> NationalAnswer {
    NationalAnswer::of(StatusCode::NOT_FOUND, json!({ "mensagem": mensagem }))
}

fn invalid_parameters(mensagem: &str) -> NationalAnswer {
    NationalAnswer::of(StatusCode::BAD_REQUEST, json!({ "mensagem": mensagem }))
}
