//! XML of the NFS-e of a DPS: key, numbers, registered data of the issuer, amounts, the DPS as received.
//!
//! Law: layout of the NFS-e 1.01; key of 50 positions (manual of the contributors): município, environment that made
//! it, registration, number, year and month, nine random digits, check digit.

use super::VER_APLIC;
use super::reform::{self, money, optional};
use super::settings::NationalTaxpayer;
use fiscal::nfse::amounts::NfseAmounts;
use fiscal::nfse::incidence;
use fiscal::reference::ctribnac;
use fiscal::value::municipio;
use fiscal::xml::{CanonicalWriter, Element};
use rust_decimal::Decimal;

/// Values of a note that the authority assigns.
pub(super) struct AuthorityFields<'a> {
    pub(super) chave: &'a str,
    pub(super) ambGer: u8,
    pub(super) nNFSe: u64,
    pub(super) nDFSe: u64,
    pub(super) cStat: u16,
    pub(super) dhProc: &'a str,
    /// The issuer in the register.
    pub(super) provider: Option<&'a NationalTaxpayer>,
    /// Name of the issuer by its certificate.
    pub(super) signer: &'a str,
    /// `pCBS` of a competence for which the law has none yet.
    pub(super) pCBS: Option<Decimal>,
}

/// Capacity for a note of usual size, in bytes.
const CAPACITY: usize = 12_000;

/// `infNFSe`, without its namespace.
pub(super) fn inf(dps: &Element, source: &str, amounts: &NfseAmounts, given: &AuthorityFields<'_>) -> Option<String> {
    let inf = dps.child("infDPS")?;
    let mut xml = CanonicalWriter::with_capacity(CAPACITY);
    xml.open_with("infNFSe", &[("Id", &format!("NFS{}", given.chave))]);
    places(&mut xml, inf, given);
    service(&mut xml, inf);
    xml.leaf("verAplic", VER_APLIC);
    xml.leaf("ambGer", &given.ambGer.to_string());
    xml.leaf("tpEmis", "1");
    if given.ambGer == 2 {
        // Reserved to notes of the Sefin itself (E1276).
        xml.leaf("procEmi", "1");
    }
    xml.leaf("cStat", &given.cStat.to_string());
    xml.leaf("dhProc", given.dhProc);
    xml.leaf("nDFSe", &given.nDFSe.to_string());
    issuer(&mut xml, inf, given);
    values(&mut xml, amounts);
    let reform = reform::of(inf, amounts, given.pCBS);
    if let Some(remark) = reform.as_ref().and_then(reform::ReformTaxes::remark) {
        xml.leaf("xOutInf", &remark);
    }
    if let Some(reform) = reform {
        reform.write(&mut xml, inf, amounts);
    }
    xml.raw(source);
    xml.close("infNFSe");
    Some(xml.finish())
}

fn places(xml: &mut CanonicalWriter, inf: &Element, given: &AuthorityFields<'_>) {
    xml.leaf("xLocEmi", name_of(inf.text_at("cLocEmi").unwrap_or_default()));
    let done = match inf.text_at("serv/locPrest/cLocPrestacao") {
        Some(incidence::SEA) => "Águas marítimas",
        Some(code) => name_of(code),
        None => inf.text_at("serv/locPrest/cPaisPrestacao").unwrap_or_default(),
    };
    xml.leaf("xLocPrestacao", done);
    xml.leaf("nNFSe", &given.nNFSe.to_string());
    if let Some(code) = incidence::of(inf) {
        xml.leaf("cLocIncid", code);
        xml.leaf("xLocIncid", name_of(code));
    }
}

fn service(xml: &mut CanonicalWriter, inf: &Element) {
    let code = inf.text_at("serv/cServ/cTribNac").unwrap_or_default();
    xml.leaf("xTribNac", ctribnac::name(code).unwrap_or(code));
    if let Some(own) = inf.text_at("serv/cServ/cTribMun") {
        xml.leaf("xTribMun", &format!("Código municipal {own}"));
    }
    if let Some(name) = inf.text_at("serv/cServ/cNBS").and_then(name_of_nbs) {
        xml.leaf("xNBS", name);
    }
}

/// Name of an item of the NBS.
fn name_of_nbs(cNBS: &str) -> Option<&'static str> {
    let mut items = include_str!("nbs.tsv").lines().filter_map(|line| line.split_once('\t'));
    items.find(|(code, _)| *code == cNBS).map(|(_, name)| name)
}

/// Name of a município; its code when the table has none.
fn name_of(code: &str) -> &str {
    code.parse().ok().and_then(municipio::find).map_or(code, |found| found.nome)
}

fn issuer(xml: &mut CanonicalWriter, inf: &Element, given: &AuthorityFields<'_>) {
    let registered = |of: fn(&NationalTaxpayer) -> Option<&str>| given.provider.and_then(of);
    let home = given.provider.and_then(|provider| provider.municipio).map(|codigo| codigo.to_string());
    let home = home.as_deref().or(inf.text_at("cLocEmi")).unwrap_or_default();
    xml.open("emit");
    for tag in ["CNPJ", "CPF"] {
        if let Some(number) = inf.text_at(&format!("prest/{tag}")) {
            xml.leaf(tag, number);
        }
    }
    if let Some(IM) = inf.text_at("prest/IM").or_else(|| registered(|provider| provider.IM.as_deref())) {
        xml.leaf("IM", IM);
    }
    let name = registered(|provider| provider.nome.as_deref()).unwrap_or(given.signer);
    xml.leaf("xNome", if name.is_empty() { "CONTRIBUINTE SEM NOME" } else { name });
    xml.open("enderNac");
    for (tag, text) in [("xLgr", "LOGRADOURO DO CADASTRO"), ("nro", "S/N"), ("xBairro", "CENTRO"), ("cMun", home)] {
        xml.leaf(tag, text);
    }
    let uf = home.parse().ok().and_then(municipio::uf);
    xml.leaf("UF", uf.map_or("DF", |uf| uf.sigla()));
    xml.leaf("CEP", "00000000");
    xml.close("enderNac");
    // The register of companies has a telephone of nearly all.
    let fone = inf.text_at("prest/fone").or_else(|| registered(|provider| provider.fone.as_deref()));
    xml.leaf("fone", fone.unwrap_or(PHONE));
    if let Some(email) = inf.text_at("prest/email").or_else(|| registered(|provider| provider.email.as_deref())) {
        xml.leaf("email", email);
    }
    xml.close("emit");
}

/// Telephone of a company that is in no register of the simulator.
const PHONE: &str = "6100000000";

fn values(xml: &mut CanonicalWriter, amounts: &NfseAmounts) {
    xml.open("valores");
    optional(xml, "vCalcDR", amounts.vCalcDR);
    if let Some(kind) = amounts.tpBM {
        xml.leaf("tpBM", &kind.to_string());
    }
    optional(xml, "vCalcBM", amounts.vCalcBM);
    optional(xml, "vBC", amounts.vBC);
    optional(xml, "pAliqAplic", amounts.pAliqAplic);
    optional(xml, "vISSQN", amounts.vISSQN);
    optional(xml, "vTotalRet", amounts.vTotalRet);
    money(xml, "vLiq", amounts.vLiq);
    xml.close("valores");
}

/// Parts of a key.
pub(super) struct KeyParts<'a> {
    pub(super) cLocEmi: &'a str,
    pub(super) ambGer: u8,
    pub(super) emitente: &'a str,
    pub(super) nNFSe: u64,
    /// `AAAA-MM…` of the emission.
    pub(super) dhEmi: &'a str,
    /// Below 10⁹.
    pub(super) chance: u64,
}

/// The 50 positions; letters count as their code less 48.
pub(super) fn key(parts: &KeyParts<'_>) -> String {
    let kind = if parts.emitente.len() == 11 { 1 } else { 2 };
    let month: String = parts.dhEmi.chars().skip(2).filter(char::is_ascii_digit).take(4).collect();
    let base = format!(
        "{}{}{kind}{:0>14}{:013}{month}{:09}",
        parts.cLocEmi, parts.ambGer, parts.emitente, parts.nNFSe, parts.chance
    );
    let digit = check_digit(&base);
    format!("{base}{digit}")
}

/// Eleven less the remainder of the weighted sum, weights 2 to 9 from the right; 10 and 11 are 0.
pub(super) fn check_digit(base: &str) -> u32 {
    let value = |position: u8| u32::from(position.saturating_sub(b'0'));
    let sum: u32 = base.bytes().rev().zip((2..=9).cycle()).map(|(position, weight)| value(position) * weight).sum();
    match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_of_the_nbs_has_its_name() {
        let name = "Serviços de construção de edificações residenciais de um e dois pavimentos";
        assert_eq!((name_of_nbs("101011100"), name_of_nbs("999999999")), (Some(name), None));
        let items = include_str!("nbs.tsv").lines().filter(|line| !line.starts_with('#'));
        let codes: Vec<&str> = items.filter_map(|line| line.split('\t').next()).collect();
        assert!(codes.len() == 920 && codes.is_sorted());
        assert!(codes.iter().all(|code| fiscal::reference::nbs::exists(code)));
    }

    #[test]
    fn keys_are_those_of_the_worked_examples() {
        let parts = |emitente, nNFSe, chance| KeyParts {
            cLocEmi: "3550308",
            ambGer: 2,
            emitente,
            nNFSe,
            dhEmi: "2026-11-20T10:00:00-03:00",
            chance,
        };
        let key = |parts: KeyParts<'_>| super::key(&parts);
        assert_eq!(key(parts("11222333000181", 1, 123_456_789)), "35503082211222333000181000000000000126111234567890");
        assert_eq!(key(parts("11222333000181", 2, 223_456_789)), "35503082211222333000181000000000000226112234567892");
        assert_eq!(key(parts("12ABC34501DE35", 6, 323_456_789)), "35503082212ABC34501DE35000000000000626113234567896");
        assert_eq!(key(parts("11144477735", 1, 0)).get(8..23), Some("100011144477735"));
    }
}
