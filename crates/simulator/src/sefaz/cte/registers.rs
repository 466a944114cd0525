//! Rules of the registers of the parties, and of the databases of the carried notes. The registers are empty at first,
//! and an unlisted party is not checked.
//!
//! Law: MOC CT-e 4.00 anexo I, rules G041 to G043, G064, G119 to G121, G127 to G129, G153 to G155 (H095 to H097).

use crate::ledger::{Ledger, LedgerDocument, LedgerStatus};
use crate::sefaz::{Refusal, ServiceRequest, document_checks};
use crate::settings::SimulatorSettings;
use fiscal::cte::rules::{party_document, tomador};
use fiscal::xml::Element;

/// 661, 662, 652 of each note, 746, then the registrations of the parties.
pub(super) fn faults(
    settings: &SimulatorSettings,
    ledger: &Ledger,
    request: &ServiceRequest<'_>,
    document: &Element,
) -> Vec<Refusal> {
    let Some(inf) = document.child("infCte") else { return Vec::new() };
    let mut all: Vec<Refusal> =
        notes(inf).filter_map(|chave| fault_of_note(settings, ledger, request, chave)).map(Refusal::new).collect();
    if inf.text_at("ide/tpCTe") == Some("0") {
        all.extend(is_another_service(ledger, request, inf).then(|| Refusal::new(746)));
        all.extend(parties(inf).into_iter().filter_map(|(party, codes)| registration(settings, party?, codes)));
    }
    all
}

fn notes(inf: &Element) -> impl Iterator<Item = &str> {
    let carried = inf.at("infCTeNorm/infDoc").into_iter().flat_map(Element::children);
    carried.filter(|child| child.name == "infNFe").filter_map(|one| one.text_at("chave"))
}

/// Code of a carried note. One in contingency may be unknown yet.
fn fault_of_note(
    settings: &SimulatorSettings,
    ledger: &Ledger,
    request: &ServiceRequest<'_>,
    chave: &str,
) -> Option<u16> {
    let normal = chave.get(34..35) == Some("1");
    let closed = normal && settings.referencias_fechadas;
    let Some(stored) = ledger.same_number(request.place.ambiente, chave) else {
        return closed.then_some(661);
    };
    match stored.situacao {
        // An invented key of the documentation may have the number of a note that the sandbox has issued.
        _ if stored.chave != chave => closed.then_some(662),
        LedgerStatus::Cancelada | LedgerStatus::Denegada => Some(652),
        LedgerStatus::Autorizada => None,
    }
}

/// True for a carrier that pays for goods neither from nor to it: its service is another one, such as subcontracting.
fn is_another_service(ledger: &Ledger, request: &ServiceRequest<'_>, inf: &Element) -> bool {
    let pays = tomador(inf).map_or("", party_document);
    let is = |path: &str, value: &str| inf.text_at(path) == Some(value);
    let party =
        |role: &str| inf.child(role).is_some_and(|party| document_checks::same_base(party_document(party), pays));
    let carries = |one: &LedgerDocument| {
        (one.modelo, one.ambiente) == (57, request.place.ambiente) && document_checks::same_base(&one.emitente, pays)
    };
    is("ide/tpServ", "0")
        && is("ide/indIEToma", "1")
        && !party("rem")
        && !party("dest")
        && ledger.documents().any(carries)
}

/// Each party with its codes: its registration is unknown, another party's, or missing.
fn parties(inf: &Element) -> [(Option<&Element>, [u16; 3]); 3] {
    [
        (inf.child("rem"), [421, 422, 716]),
        (inf.child("dest"), [426, 427, 232]),
        (inf.at("ide/toma4").or_else(|| inf.child("toma")), [489, 490, 719]),
    ]
}

fn registration(
    settings: &SimulatorSettings,
    party: &Element,
    [unknown, of_another, untold]: [u16; 3],
) -> Option<Refusal> {
    let listed =
        settings.contribuintes.get(party_document(party)).filter(|listed| !listed.ie_destinatario.is_empty())?;
    let cStat = match party.text_at("IE").filter(|ie| *ie != "ISENTO") {
        None => untold,
        Some(ie) if listed.ie_destinatario.contains(ie) => return None,
        Some(ie) if settings.contribuintes.values().any(|other| other.ie_destinatario.contains(ie)) => of_another,
        Some(_) => unknown,
    };
    Some(Refusal::new(cStat))
}
