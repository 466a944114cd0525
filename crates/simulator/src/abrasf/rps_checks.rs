//! Checks of an RPS: parties, dates, amounts, withholding, the rate.
//!
//! Law: annex of ABRASF 1.00 for the codes; nfse of ABRASF 2.0x for their meaning. All errors are returned, not the
//! first alone.

use super::MunicipalRequest;
use super::book::ReturnMessage;
use super::provider::RateScale;
use super::rps::{PartyIdentity, Rps};
use super::settings::{CitySettings, MunicipalSettings, MunicipalTaxpayer};
use crate::magic;
use fiscal::value::{CnpjCpf, brasilia, municipio};
use jiff::civil::Date;
use rust_decimal::Decimal;

/// The rate of a note in the unit of its city, and the tax by it.
pub(super) struct TaxDue {
    pub(super) aliquota: Decimal,
    pub(super) iss: Decimal,
}

/// Checks an RPS; returns its tax, or all its errors.
pub(super) fn check_rps(
    visit: &MunicipalRequest<'_>,
    settings: &MunicipalSettings,
    rps: &Rps<'_>,
) -> Result<TaxDue, Vec<ReturnMessage>> {
    let city = settings.city(visit.address.city);
    let mut problems = Vec::new();
    if let Some(codigo) = magic::of_service(Some(rps.text("Servico/Discriminacao"))) {
        problems.push(ReturnMessage::new(codigo));
    }
    prestador(visit, settings, &rps.prestador(), &mut problems);
    dates(visit, settings, rps, &mut problems);
    tomador(rps, &mut problems);
    amounts(rps, &mut problems);
    withholding(settings, visit.address.city, rps, &mut problems);
    service(&city, rps, &mut problems);
    let due = due(visit, &city, rps, &mut problems);
    if problems.is_empty() { Ok(due) } else { Err(problems) }
}

/// Checks the prestador, in every message that names one.
pub(super) fn prestador(
    visit: &MunicipalRequest<'_>,
    settings: &MunicipalSettings,
    party: &PartyIdentity,
    problems: &mut Vec<ReturnMessage>,
) {
    if CnpjCpf::parse(&party.document).is_err() {
        problems.push(ReturnMessage::new("E44"));
        return;
    }
    let known = settings.contribuintes.get(&party.document);
    let here = known.filter(|known| known.municipio.is_none_or(|city| city == visit.address.city));
    if (here.is_none() && settings.cadastro_fechado) || (known.is_some() && here.is_none()) {
        problems.push(ReturnMessage::about("E45", party.document.clone()));
    }
    let Some(MunicipalTaxpayer { IM, nao_autorizado, .. }) = here else { return };
    match (IM, &party.im) {
        (Some(_), None) => problems.push(ReturnMessage::new("E141")),
        (Some(registered), Some(stated)) if registered != stated => problems.push(ReturnMessage::new("E142")),
        (None, Some(_)) => problems.push(ReturnMessage::new("E43")),
        _ => {}
    }
    if *nao_autorizado {
        problems.push(ReturnMessage::new("E156"));
    }
}

fn dates(visit: &MunicipalRequest<'_>, settings: &MunicipalSettings, rps: &Rps<'_>, problems: &mut Vec<ReturnMessage>) {
    let today = brasilia::day(visit.now);
    let Some(issued) = rps.issued_on() else { return };
    let since = settings.contribuintes.get(&rps.prestador().document).and_then(|known| known.habilitado_em);
    let month = |date: Date| (date.year(), date.month());
    if issued > today {
        problems.push(ReturnMessage::new("E16"));
    }
    if since.is_some_and(|since| issued < since) {
        problems.push(ReturnMessage::new("E17"));
    }
    if rps.competence().is_some_and(|competence| month(competence) > month(issued)) {
        problems.push(ReturnMessage::new("E2"));
    }
}

/// Elements required in the address of a tomador with a CNPJ, and the code of each.
const OF_A_COMPANY: [(&str, &str); 5] = [
    ("Endereco/Endereco", "E56"),
    ("Endereco/Numero", "E113"),
    ("Endereco/Bairro", "E114"),
    ("Endereco/CodigoMunicipio", "E59"),
    ("Endereco/Uf", "E115"),
];

fn tomador(rps: &Rps<'_>, problems: &mut Vec<ReturnMessage>) {
    let Some(tomador) = rps.tomador() else { return };
    let party = rps.tomador_party();
    if !party.document.is_empty() && CnpjCpf::parse(&party.document).is_err() {
        problems.push(ReturnMessage::about("E47", party.document.clone()));
    }
    if !party.document.is_empty() && party.document == rps.prestador().document {
        problems.push(ReturnMessage::new("E52"));
    }
    let is_absent = |path: &str| tomador.text_at(path).is_none_or(str::is_empty);
    if !party.document.is_empty() && is_absent("RazaoSocial") {
        problems.push(ReturnMessage::new("E118"));
    }
    if party.document.len() == 14
        && tomador.at("Endereco/EndExt").is_none()
        && tomador.child("EnderecoExterior").is_none()
    {
        let lacks = OF_A_COMPANY.iter().filter(|(path, _)| is_absent(path));
        problems.extend(lacks.map(|(_, codigo)| ReturnMessage::new(codigo)));
    }
}

/// Values that cannot be negative, and the code of each.
const NOT_NEGATIVE: [(&str, &str); 8] = [
    ("ValorDeducoes", "E20"),
    ("DescontoIncondicionado", "E22"),
    ("DescontoCondicionado", "E22"),
    ("ValorPis", "E23"),
    ("ValorCofins", "E24"),
    ("ValorInss", "E25"),
    ("ValorIr", "E26"),
    ("ValorCsll", "E27"),
];

fn amounts(rps: &Rps<'_>, problems: &mut Vec<ReturnMessage>) {
    let services = rps.value("ValorServicos");
    let discounts = rps.value("DescontoIncondicionado") + rps.value("DescontoCondicionado");
    let withheld: Decimal = ["ValorPis", "ValorCofins", "ValorInss", "ValorIr", "ValorCsll", "OutrasRetencoes"]
        .iter()
        .map(|name| rps.value(name))
        .sum();
    let wrong = [
        ("E18", services <= Decimal::ZERO),
        ("E19", rps.value("ValorDeducoes") > services),
        ("E21", discounts > services),
        ("E99", withheld > services),
    ];
    problems.extend(wrong.iter().filter(|(_, wrong)| *wrong).map(|(codigo, _)| ReturnMessage::new(codigo)));
    let negative = NOT_NEGATIVE.iter().filter(|(name, _)| rps.value(name) < Decimal::ZERO);
    problems.extend(negative.map(|(name, codigo)| ReturnMessage::about(codigo, *name)));
}

fn withholding(settings: &MunicipalSettings, city: u32, rps: &Rps<'_>, problems: &mut Vec<ReturnMessage>) {
    if !rps.is_withheld() {
        return;
    }
    let incentive = if rps.is_first { "IncentivadorCultural" } else { "IncentivoFiscal" };
    let is_here = |known: &MunicipalTaxpayer| known.municipio.is_none_or(|of| of == city);
    let tomador = rps.tomador_party().document;
    let wrong = [
        ("E37", !rps.is_taxed()),
        ("E38", matches!(rps.text("RegimeEspecialTributacao"), "1" | "2" | "3") || rps.text(incentive) == "1"),
        ("E39", settings.cadastro_fechado && !settings.contribuintes.get(&tomador).is_some_and(is_here)),
        ("E40", rps.is_first && rps.stated("ValorIssRetido").is_none()),
    ];
    problems.extend(wrong.iter().filter(|(_, wrong)| *wrong).map(|(codigo, _)| ReturnMessage::new(codigo)));
}

fn service(city: &CitySettings, rps: &Rps<'_>, problems: &mut Vec<ReturnMessage>) {
    let code = rps.text("Servico/CodigoTributacaoMunicipio");
    let place = rps.text("Servico/CodigoMunicipio");
    let is_a_place = |code: u32| code == 9_999_999 || municipio::find(code).is_some();
    let wrong = [
        ("E35", !city.codigos.is_empty() && !city.codigos.contains(code)),
        ("E41", rps.text("Servico/Discriminacao").is_empty()),
        ("E42", !place.parse().is_ok_and(is_a_place)),
    ];
    problems.extend(wrong.iter().filter(|(_, wrong)| *wrong).map(|(codigo, _)| ReturnMessage::new(codigo)));
}

/// The rate and the tax. A rate in the wrong unit is a hundred times off: it is refused, never corrected.
fn due(visit: &MunicipalRequest<'_>, city: &CitySettings, rps: &Rps<'_>, problems: &mut Vec<ReturnMessage>) -> TaxDue {
    let hundred = Decimal::ONE_HUNDRED;
    let stated = rps.stated("Aliquota");
    let unit = city.unidade.or(visit.address.server.aliquota).unwrap_or_else(|| guess_unit(stated));
    let per_cent = match (stated, unit) {
        (Some(rate), RateScale::Fracao) => rate * hundred,
        (Some(rate), RateScale::Percentual) => rate,
        (None, _) => city.aliquota,
    };
    let is_taxed = rps.is_taxed();
    let iss = if is_taxed { (rps.base() * per_cent / hundred).round_dp(2) } else { Decimal::ZERO };
    let tolerated = Decimal::new(1, 2);
    if is_taxed && per_cent > Decimal::new(5, 0) {
        problems.push(ReturnMessage::about("E180", format!("alíquota de {} %", per_cent.normalize())));
    } else if let Some(said) = rps.stated("ValorIss").filter(|_| is_taxed)
        && (said - iss).abs() > tolerated
    {
        problems.push(ReturnMessage::about("E180", format!("informado {said}, calculado {iss:.2}")));
    }
    let aliquota = match (stated, unit) {
        (Some(rate), _) => rate,
        (None, RateScale::Fracao) => per_cent / hundred,
        (None, RateScale::Percentual) => per_cent,
    };
    TaxDue { aliquota, iss: if is_taxed { iss } else { rps.value("ValorIss") } }
}

/// Guesses the unit of a city with an unknown one: no rate is below half a per cent.
fn guess_unit(stated: Option<Decimal>) -> RateScale {
    if stated.is_some_and(|rate| rate < Decimal::new(5, 1)) { RateScale::Fracao } else { RateScale::Percentual }
}
