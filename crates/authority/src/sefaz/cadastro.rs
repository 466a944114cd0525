//! CadConsultaCadastro4: search in a state's register of ICMS taxpayers.
//!
//! States that offer it have a row in the table; Mato Grosso requires a second `nfeDadosMsg` around the message (quirk
//! `consulta_cadastro_wrapped`).
//!
//! Law: MOC 7.0, visão geral, 5.6 (ConsCad and retConsCad 2.00).

use super::UnreadableReply;
use super::call::open_versioned;
use super::envelope::in_envelope;
use super::nfe::NFE;
use super::payload::ReplyPayload;
use super::reply::{child, read_status_code, required, words};
use crate::answer::{RegisterAnswer, TaxpayerAddress, TaxpayerRegistration};
use crate::call::{AuthorityCall, AuthorityReply};
use crate::table::endpoint::Endpoint;
use fiscal::value::{CnpjCpf, Uf};
use fiscal::xml::Element;

/// Search key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaxpayerQuery {
    /// CNPJ or CPF.
    Number(CnpjCpf),
    /// State registration: 2 to 14 digits, or `ISENTO`.
    Ie(String),
}

/// CadConsultaCadastro4.
pub fn cadastro(endpoint: &Endpoint, uf: Uf, search: &TaxpayerQuery) -> AuthorityCall {
    let mut message = open_versioned(&NFE, "ConsCad", "2.00", 256);
    message.open("infCons");
    message.leaf("xServ", "CONS-CAD");
    message.leaf("UF", uf.sigla());
    match search {
        TaxpayerQuery::Number(number) => message.leaf(number.tag(), number.as_str()),
        TaxpayerQuery::Ie(ie) => message.leaf("IE", ie),
    }
    message.close("infCons");
    message.close("ConsCad");
    let (open, close) =
        if endpoint.has_quirk("consulta_cadastro_wrapped") { ("<nfeDadosMsg>", "</nfeDadosMsg>") } else { ("", "") };
    let open = format!("<nfeDadosMsg xmlns=\"{}\">{open}", endpoint.namespace);
    in_envelope(endpoint, &open, &[&message.finish()], &format!("{close}</nfeDadosMsg>"))
}

/// Reads retConsCad.
pub fn read_cadastro(reply: &AuthorityReply) -> Result<RegisterAnswer, UnreadableReply> {
    let payload = ReplyPayload::find(reply, "retConsCad")?;
    let answer = child(payload.element(), "infCons")?;
    let (cStat, xMotivo) = read_status_code(answer)?;
    let found = answer.children().filter(|child| child.name == "infCad").take(MOST_FOUND);
    let found = found.map(taxpayer).collect::<Result<Vec<_>, _>>()?;
    if matches!(cStat, 111 | 112) && found.is_empty() {
        return Err(UnreadableReply::Content(format!("cStat {cStat} sem infCad")));
    }
    Ok(RegisterAnswer { cStat, xMotivo, dhCons: text(answer, "dhCons"), found })
}

/// Most registrations of a taxpayer in a state; the largest chains have some hundreds.
const MOST_FOUND: usize = 1_000;

fn text(element: &Element, name: &str) -> Option<String> {
    element.text_at(name).map(str::trim).filter(|text| !text.is_empty()).map(words)
}

fn taxpayer(found: &Element) -> Result<TaxpayerRegistration, UnreadableReply> {
    Ok(TaxpayerRegistration {
        IE: required(found, "IE")?,
        CNPJ: text(found, "CNPJ"),
        CPF: text(found, "CPF"),
        UF: required(found, "UF")?,
        cSit: required(found, "cSit")?,
        indCredNFe: text(found, "indCredNFe"),
        indCredCTe: text(found, "indCredCTe"),
        xNome: text(found, "xNome"),
        xFant: text(found, "xFant"),
        xRegApur: text(found, "xRegApur"),
        CNAE: text(found, "CNAE"),
        dIniAtiv: text(found, "dIniAtiv"),
        dUltSit: text(found, "dUltSit"),
        dBaixa: text(found, "dBaixa"),
        IEUnica: text(found, "IEUnica"),
        IEAtual: text(found, "IEAtual"),
        ender: found.child("ender").map(address),
    })
}

fn address(found: &Element) -> TaxpayerAddress {
    TaxpayerAddress {
        xLgr: text(found, "xLgr"),
        nro: text(found, "nro"),
        xCpl: text(found, "xCpl"),
        xBairro: text(found, "xBairro"),
        cMun: text(found, "cMun"),
        xMun: text(found, "xMun"),
        CEP: text(found, "CEP"),
    }
}
