//! CadConsultaCadastro4: a search in the register of taxpayers, which holds those that the control plane lists and,
//! while it is open, every issuer here.
//!
//! Law: MOC 7.0, visão geral, 5.6, rules K01–K09 (265, 257, 258–264; 111 and 112).

use super::message::ServiceMessage;
use super::register_search::{ARGUMENTS, RegisterSearch};
use super::{Refusal, ServiceAnswer, ServiceRequest, VER_APLIC, root, text_between};
use crate::ledger::KnownIssuers;
use crate::settings::{SimulatorSettings, TaxpayerRecord};
use crate::simulator_state::SimulatorState;
use crate::soap::escaped;
use fiscal::value::{Cnpj, Cpf, Uf, ie};

pub(super) fn answer(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    message: &ServiceMessage,
) -> Result<ServiceAnswer, Refusal> {
    let text = |path: &str| message.payload.text_at(path);
    let by = ARGUMENTS.iter().find_map(|(name, by)| Some((*by, text(&format!("infCons/{name}"))?)));
    let (by, argument) = by.unwrap_or((RegisterSearch::Ie, ""));
    let uf = text("infCons/UF").and_then(Uf::from_sigla).filter(|uf| request.place.serves(*uf));
    let settings = world.settings();
    let issuers = world.ledger().issuers.clone();
    let found = uf.map(|uf| found(&settings, &issuers, uf, by, argument)).unwrap_or_default();
    let codes = faults(&settings, request, uf, by, argument, found.is_empty());
    if let Some(cStat) = settings.first_on(&codes) {
        return Err(Refusal::new(cStat));
    }
    let cStat = if found.len() > 1 { 112 } else { 111 };
    let status = format!("<cStat>{cStat}</cStat><xMotivo>{}</xMotivo>", Refusal::new(cStat).xMotivo());
    let content = content(request, &status, &found.concat());
    Ok(ServiceAnswer { xml: root(&request.place, &content), cStat, chaves: Vec::new() })
}

fn faults(
    settings: &SimulatorSettings,
    request: &ServiceRequest<'_>,
    uf: Option<Uf>,
    by: RegisterSearch,
    argument: &str,
    none: bool,
) -> Vec<u16> {
    let transmitter = settings.contribuintes.get(request.transmitter());
    let bad_ie = uf.is_some_and(|uf| argument != "ISENTO" && ie::check(uf, argument).is_err());
    [
        (265, uf.is_none()),
        (257, transmitter.is_some_and(|taxpayer| taxpayer.nao_credenciado)),
        (258, by == RegisterSearch::Cnpj && Cnpj::parse(argument).is_err()),
        (259, by == RegisterSearch::Cnpj && none),
        (260, by == RegisterSearch::Ie && bad_ie),
        (261, by == RegisterSearch::Ie && none),
        (262, by == RegisterSearch::Cpf && !settings.cadastro_por_cpf),
        (263, by == RegisterSearch::Cpf && Cpf::parse(argument).is_err()),
        (264, by == RegisterSearch::Cpf && none),
    ]
    .into_iter()
    .filter(|(_, broken)| *broken)
    .map(|(cStat, _)| cStat)
    .collect()
}

/// `infCad` of every registration that fits: one per state registration.
fn found(
    settings: &SimulatorSettings,
    issuers: &KnownIssuers,
    uf: Uf,
    by: RegisterSearch,
    argument: &str,
) -> Vec<String> {
    let here = |taxpayer: &TaxpayerRecord| taxpayer.uf.as_deref().is_none_or(|own| own == uf.sigla());
    let mut found = Vec::new();
    for (number, taxpayer) in settings.contribuintes.iter().filter(|(_, taxpayer)| here(taxpayer)) {
        if by != RegisterSearch::Ie && number != argument {
            continue;
        }
        let isento = "ISENTO".to_owned();
        let all = if taxpayer.ie.is_empty() { vec![&isento] } else { taxpayer.ie.iter().collect() };
        let fitting = all.into_iter().filter(|ie| by != RegisterSearch::Ie || *ie == argument);
        found.extend(fitting.map(|ie| registration(number, taxpayer, uf, ie)));
    }
    // A listed taxpayer has the listed data only.
    let unlisted = issuers.iter().filter(|((code, number, _), _)| {
        settings.cadastro_aberto && *code == uf.code() && !settings.contribuintes.contains_key(number)
    });
    let fitting = unlisted
        .filter(|((_, number, ie), _)| if by == RegisterSearch::Ie { ie == argument } else { number == argument });
    found.extend(fitting.map(|((_, number, ie), nome)| {
        let taxpayer = TaxpayerRecord { nome: Some(nome.clone()), ..TaxpayerRecord::default() };
        registration(number, &taxpayer, uf, ie)
    }));
    found
}

fn registration(number: &str, taxpayer: &TaxpayerRecord, uf: Uf, ie: &str) -> String {
    let tag = if number.len() == 11 { "CPF" } else { "CNPJ" };
    let (cSit, credited) = (u8::from(!taxpayer.nao_habilitado), u8::from(!taxpayer.nao_credenciado));
    let nome = escaped(taxpayer.nome.as_deref().unwrap_or("CONTRIBUINTE DO SIMULADOR"));
    let cnae = taxpayer.cnae.as_deref().map(|cnae| format!("<CNAE>{}</CNAE>", escaped(cnae))).unwrap_or_default();
    format!(
        "<infCad><IE>{}</IE><{tag}>{}</{tag}><UF>{}</UF><cSit>{cSit}</cSit><indCredNFe>{credited}</indCredNFe>\
         <indCredCTe>4</indCredCTe><xNome>{nome}</xNome>{cnae}</infCad>",
        escaped(ie),
        escaped(number),
        uf.sigla()
    )
}

/// `infCons` of the reply: it repeats the request.
fn content(request: &ServiceRequest<'_>, status: &str, found: &str) -> String {
    let state = text_between(request.body, "<UF>").filter(|uf| *uf == "SU" || Uf::from_sigla(uf).is_some());
    let own = Uf::from_code(request.place.authority.cUF()).map_or("DF", Uf::sigla);
    let argument = ARGUMENTS.iter().find_map(|(name, by)| {
        let text = text_between(request.body, &format!("<{name}>"))?;
        let shaped = match by {
            RegisterSearch::Ie => (2..=14).contains(&text.len()),
            RegisterSearch::Cnpj => text.len() == 14,
            RegisterSearch::Cpf => text.len() == 11,
        };
        (shaped && text.bytes().all(|byte| byte.is_ascii_alphanumeric())).then(|| format!("<{name}>{text}</{name}>"))
    });
    format!(
        "<infCons><verAplic>{VER_APLIC}</verAplic>{status}<UF>{}</UF>{}<dhCons>{}</dhCons><cUF>{}</cUF>{found}</infCons>",
        state.unwrap_or(own),
        argument.unwrap_or_else(|| "<IE>ISENTO</IE>".to_owned()),
        request.dh(),
        request.place.authority.cUF()
    )
}

/// The reply of a search without a result.
pub(super) fn refused(request: &ServiceRequest<'_>, status: &str) -> String {
    content(request, status, "")
}
