//! Magic values: texts that an integrator writes into a document to rehearse an answer, as test cards do for payments.
//!
//! `[SIM:cStat=610]` in the description of an item, or in the text of an event or of a request to void numbers, asks
//! for that code; `[SIM:falha=reset_after]` for a fault of the wire, for the first arrivals of that document (`vezes`,
//! once by default); reserved numbers of the addressee are denied, as it was until 2024. All of them are listed in
//! `docs/guides/simulador.md`.

use crate::faults::{Fault, FaultTarget, FaultType};
use fiscal::xml::Element;
use memchr::memmem;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Start of every magic value.
const OPEN: &str = "[SIM:";

/// The code that a document asks for: by an item's description, or by its addressee.
pub(crate) fn of_document(nfe: &Element, addressee: Option<&str>) -> Option<u16> {
    let items = nfe.child("infNFe")?.children().filter(|child| child.name == "det");
    let said = items.filter_map(|item| item.text_at("prod/xProd")).find_map(code);
    said.or_else(|| RESERVED.iter().find(|(number, _)| Some(*number) == addressee).map(|(_, cStat)| *cStat))
}

/// The code that a CT-e asks for: by its observations, its load or its service.
pub(crate) fn of_transport(inf: &Element) -> Option<u16> {
    let said = ["compl/xObs", "infCTeNorm/infCarga/proPred", "infCTeNorm/infServico/xDescServ"];
    said.iter().filter_map(|path| inf.text_at(path)).find_map(code)
}

/// The code that a DPS, an RPS or a request of an event of the national NFS-e asks for: `[SIM:codigo=E0625]`, unless it
/// is about a used number.
pub(crate) fn of_service(text: Option<&str>) -> Option<&str> {
    let asked = magic_members(text?).find_map(|(name, value)| (name == "codigo").then_some(value))?;
    (!USED.contains(&asked) && fiscal::value::Codigo::parse(asked).is_ok()).then_some(asked)
}

/// Codes of a DPS or RPS that exists already. They cannot be asked for: a query must then find the document.
const USED: [&str; 2] = ["E0014", "E10"];

/// The code that an event or a request to void numbers asks for in its text.
pub(crate) fn of_text(text: Option<&str>) -> Option<u16> {
    text.and_then(code)
}

/// `[SIM:cStat=NNN]`, unless the code is about a document that exists already: a query by key must then find it.
fn code(text: &str) -> Option<u16> {
    let asked = magic_members(text).find_map(|(name, value)| if name == "cStat" { value.parse().ok() } else { None });
    asked.filter(|cStat| !OF_A_STORED_DOCUMENT.contains(cStat))
}

/// Duplicate, denied before, cancelled before.
const OF_A_STORED_DOCUMENT: [u16; 3] = [204, 205, 218];

/// The members of the first magic value of a text.
fn magic_members(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let inside = text.split_once(OPEN).and_then(|(_, rest)| rest.split_once(']')).map_or("", |(inside, _)| inside);
    inside.split(',').filter_map(|member| member.split_once('=')).map(|(name, value)| (name.trim(), value.trim()))
}

/// Addressees that are always denied: a CNPJ and a CPF for each code.
const RESERVED: [(&str, u16); 6] = [
    ("99999301000138", 301),
    ("99999302000182", 302),
    ("99999303000127", 303),
    ("99999930107", 301),
    ("99999930280", 302),
    ("99999930360", 303),
];

/// Number of arrivals of each document that asks for a fault.
#[derive(Default)]
pub(crate) struct FaultArrivals(Mutex<HashMap<String, u64>>);

/// Most documents counted; the counts are cleared beyond it.
const DOCUMENT_LIMIT: usize = 10_000;

impl FaultArrivals {
    /// The fault that the document of an authorisation asks for, unless it happened often enough.
    pub(crate) fn fault(&self, target: FaultTarget, body: &[u8]) -> Option<Fault> {
        if !target.takes_documents || memmem::find(body, OPEN.as_bytes()).is_none() {
            return None;
        }
        let body = String::from_utf8_lossy(body);
        let (fault, times) = body.match_indices(OPEN).find_map(|(at, _)| fault_of(body.get(at..)?))?;
        if !fault.applies(target, &[]) {
            return None;
        }
        let id =
            body.split_once("Id=\"").map_or("", |(_, rest)| rest).trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let chave = id.get(..44).unwrap_or_default();
        let mut arrivals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if arrivals.len() >= DOCUMENT_LIMIT {
            arrivals.clear();
        }
        let before = arrivals.entry(chave.to_owned()).or_default();
        *before += 1;
        (*before <= times).then_some(fault)
    }

    /// Forgets all arrivals.
    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Faults of connections and of queries, and those that need a code.
const NOT_OF_A_DOCUMENT: [FaultType; 6] = [
    FaultType::Refuse,
    FaultType::TlsFailure,
    FaultType::Cstat,
    FaultType::Polls105,
    FaultType::OddSuccess,
    FaultType::HighNsu,
];

/// `[SIM:falha=TIPO,vezes=N,ms=N,status=N]`; a document cannot ask for faults of the connection.
fn fault_of(text: &str) -> Option<(Fault, u64)> {
    let member = |wanted: &str| magic_members(text).find(|(name, _)| *name == wanted).map(|(_, value)| value);
    if member("cStat") == Some("204") {
        return Some((Fault::new(FaultType::Duplicate204), 1));
    }
    let tipo: FaultType = serde_json::from_value(member("falha")?.into()).ok()?;
    if NOT_OF_A_DOCUMENT.contains(&tipo) {
        return None;
    }
    let mut fault = Fault::new(tipo);
    fault.ms = member("ms").and_then(|ms| ms.parse().ok());
    fault.status = member("status").and_then(|status| status.parse().ok());
    Some((fault, member("vezes").and_then(|times| times.parse().ok()).unwrap_or(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{ModelFamily, ServiceWire};
    use fiscal::value::CnpjCpf;

    fn wire(name: &str) -> &'static ServiceWire {
        ModelFamily::services().find(|wire| wire.name == name).unwrap()
    }

    #[test]
    fn a_code_is_read_wherever_it_stands() {
        assert_eq!(code("CADERNO [SIM:cStat=610] 96 FOLHAS"), Some(610));
        assert_eq!((code("[SIM:cStat=x]"), code("[SIM:cStat=610"), code("[SIM:cStat=204]")), (None, None, None));
    }

    #[test]
    fn a_fault_happens_to_the_first_arrivals_of_its_document_alone() {
        let arrivals = FaultArrivals::default();
        let body = |key: char, wish: &str| {
            format!("<infNFe Id=\"NFe{}\"><xProd>{wish}</xProd>", key.to_string().repeat(44)).into_bytes()
        };
        let drawn =
            |key, wish: &str| arrivals.fault(wire("NFeAutorizacao4").into(), &body(key, wish)).map(|fault| fault.tipo);
        assert_eq!(drawn('1', "[SIM:falha=reset_after]"), Some(FaultType::ResetAfter));
        assert_eq!(drawn('1', "[SIM:falha=reset_after]"), None);
        assert_eq!(drawn('2', "[SIM:falha=reset_before,vezes=2]"), Some(FaultType::ResetBefore));
        assert_eq!(drawn('2', "[SIM:falha=reset_before,vezes=2]"), Some(FaultType::ResetBefore));
        assert_eq!(drawn('2', "[SIM:falha=reset_before,vezes=2]"), None);
        assert_eq!((drawn('3', "[SIM:falha=refuse]"), drawn('3', "[SIM:falha=nada]")), (None, None));
        assert!(arrivals.fault(wire("NFeConsultaProtocolo4").into(), &body('4', "[SIM:falha=reset_after]")).is_none());
        assert_eq!(drawn('6', "[SIM:cStat=204]"), Some(FaultType::Duplicate204));
        let slow =
            arrivals.fault(wire("NFeAutorizacao4").into(), &body('5', "[SIM:falha=http_status,status=404]")).unwrap();
        assert_eq!(slow.status, Some(404));
    }

    #[test]
    fn the_reserved_addressees_have_right_check_digits() {
        for (number, _) in RESERVED {
            assert!(CnpjCpf::parse(number).is_ok(), "{number}");
        }
    }
}
