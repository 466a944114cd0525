//! Distribution of an NF-e: the addressee gets the summary until its manifestation, carriers and third parties the
//! whole document.
//!
//! Law: NT 2014.002 v1.30, item 3 and 3.11 (resNFe).

use crate::distribution_queue::{DistributionRules, DocZip, DocumentRole, InterestedParties, number_of};
use crate::ledger::{LedgerDocument, LedgerEvent, LedgerStatus};
use crate::sefaz::NFE;
use crate::sefaz::event::authority;
use crate::soap::escaped;
use fiscal::tipo::Tipo;
use fiscal::xml;

pub(crate) static HANDING: DistributionRules = DistributionRules {
    tipo: Tipo::Nfe,
    interested,
    first: |interest| match interest {
        DocumentRole::Issuer => None,
        DocumentRole::Addressee => Some(DocZip::Summary),
        DocumentRole::Carrier | DocumentRole::Party | DocumentRole::Third => Some(DocZip::Whole),
    },
    receives,
    releases: |event| EventGroup::of(&event.tpEvento) == EventGroup::Manifestation { releases: true },
    zipped,
    offset: true,
};

/// Events by their receivers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EventGroup {
    Cancellation,
    /// Any but "desconhecimento" gives the addressee the whole document.
    Manifestation {
        releases: bool,
    },
    /// An event that the authority registers by itself: every party of the note receives it.
    Authority,
    Other,
}

impl EventGroup {
    fn of(tpEvento: &str) -> EventGroup {
        match tpEvento {
            "110111" | "110112" => EventGroup::Cancellation,
            "210200" | "210210" | "210240" => EventGroup::Manifestation { releases: true },
            authority::SIMPLES => EventGroup::Authority,
            "210220" => EventGroup::Manifestation { releases: false },
            _ => EventGroup::Other,
        }
    }
}

fn receives(event: &LedgerEvent, (_, interest): &(String, DocumentRole), released: bool) -> bool {
    match (EventGroup::of(&event.tpEvento), interest) {
        (EventGroup::Manifestation { .. }, DocumentRole::Issuer | DocumentRole::Third) => true,
        (EventGroup::Authority, _) => true,
        (EventGroup::Manifestation { .. }, _) | (_, DocumentRole::Issuer) => false,
        (EventGroup::Cancellation, _) => true,
        (EventGroup::Other, DocumentRole::Addressee) => released,
        (EventGroup::Other, _) => true,
    }
}

fn interested(document: &LedgerDocument) -> Vec<(String, DocumentRole)> {
    let mut found = InterestedParties::of(document);
    found.add(document.destinatario.as_deref(), DocumentRole::Addressee);
    let Some(root) = document.xml.as_deref().and_then(|text| xml::read(text.as_bytes()).ok()) else {
        return found.all();
    };
    found.add(root.at("infNFe/transp/transporta").and_then(number_of), DocumentRole::Carrier);
    for third in root.at("infNFe").into_iter().flat_map(|inf| inf.children()).filter(|child| child.name == "autXML") {
        found.add(number_of(third), DocumentRole::Third);
    }
    found.all()
}

fn zipped(document: &LedgerDocument, zipped: &DocZip) -> Option<(&'static str, String)> {
    match zipped {
        DocZip::Summary => summary(document).map(|xml| ("resNFe_v1.01.xsd", xml)),
        DocZip::Whole | DocZip::Masked => whole(document).map(|xml| ("procNFe_v4.00.xsd", xml)),
        DocZip::Event(place) => document.eventos.get(*place).map(|event| {
            let xml = format!(
                "<procEventoNFe xmlns=\"{NFE}\" versao=\"1.00\">{}{}</procEventoNFe>",
                event.evento, event.ret_evento
            );
            ("procEventoNFe_v1.00.xsd", xml)
        }),
    }
}

/// resNFe 1.01.
fn summary(document: &LedgerDocument) -> Option<String> {
    let note = xml::read(document.xml.as_deref()?.as_bytes()).ok()?;
    let text = |path: &str| note.text_at(path).map(escaped);
    let number = match (text("infNFe/emit/CNPJ"), text("infNFe/emit/CPF")) {
        (Some(cnpj), _) => format!("<CNPJ>{cnpj}</CNPJ>"),
        (None, cpf) => format!("<CPF>{}</CPF>", cpf?),
    };
    let cSitNFe = match document.situacao {
        LedgerStatus::Autorizada => 1,
        LedgerStatus::Denegada => 2,
        LedgerStatus::Cancelada => 3,
    };
    Some(format!(
        "<resNFe xmlns=\"{}\" versao=\"1.01\"><chNFe>{}</chNFe>{number}<xNome>{}</xNome><IE>{}</IE><dhEmi>{}</dhEmi><tpNF>{}</tpNF>\
         <vNF>{}</vNF><digVal>{}</digVal><dhRecbto>{}</dhRecbto><nProt>{}</nProt><cSitNFe>{cSitNFe}</cSitNFe></resNFe>",
        NFE,
        document.chave,
        text("infNFe/emit/xNome")?,
        text("infNFe/emit/IE").unwrap_or_else(|| "ISENTO".to_owned()),
        text("infNFe/ide/dhEmi")?,
        text("infNFe/ide/tpNF")?,
        text("infNFe/total/ICMSTot/vNF")?,
        document.digVal,
        document.dhRecbto,
        document.nProt,
    ))
}

fn whole(document: &LedgerDocument) -> Option<String> {
    let xml = document.xml.as_deref()?;
    Some(format!("<nfeProc xmlns=\"{NFE}\" versao=\"4.00\">{xml}{}</nfeProc>", document.protocol_xml))
}
