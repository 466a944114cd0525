//! Distribution of a CT-e or CT-e OS: every party gets the whole document, a third party the whole without the keys of
//! other documents, and events go to all but their author.
//!
//! Law: NT 2015.002 v1.04 (roles; the keys of other documents are 44 nines for `autXML`; a company gets none of its own
//! documents).

use crate::distribution_queue::{DistributionRules, DocZip, DocumentRole, InterestedParties, number_of};
use crate::ledger::{LedgerDocument, LedgerEvent};
use crate::sefaz::{is_key_shaped, text_between};
use fiscal::cte::rules::tomador;
use fiscal::tipo::Tipo;
use fiscal::xml;

pub(crate) static HANDING: DistributionRules = DistributionRules {
    tipo: Tipo::Cte,
    interested,
    first: |interest| match interest {
        DocumentRole::Issuer => None,
        DocumentRole::Third => Some(DocZip::Masked),
        DocumentRole::Party | DocumentRole::Addressee | DocumentRole::Carrier => Some(DocZip::Whole),
    },
    receives: |event, (number, _), _| author(event) != Some(number.as_str()),
    releases: |_| false,
    zipped,
    offset: false,
};

const CTE: &str = "http://www.portalfiscal.inf.br/cte";

fn author(event: &LedgerEvent) -> Option<&str> {
    let text = event.evento.as_bytes();
    text_between(text, "<CNPJ>").or_else(|| text_between(text, "<CPF>"))
}

fn interested(document: &LedgerDocument) -> Vec<(String, DocumentRole)> {
    let mut found = InterestedParties::of(document);
    let root = document.xml.as_deref().and_then(|text| xml::read(text.as_bytes()).ok());
    let Some(inf) = root.as_ref().and_then(|root| root.child("infCte")) else { return found.all() };
    for group in ["rem", "exped", "receb", "dest"] {
        found.add(inf.child(group).and_then(number_of), DocumentRole::Party);
    }
    found.add(tomador(inf).and_then(number_of), DocumentRole::Party);
    for third in inf.children().filter(|child| child.name == "autXML") {
        found.add(number_of(third), DocumentRole::Third);
    }
    found.all()
}

fn zipped(document: &LedgerDocument, zipped: &DocZip) -> Option<(&'static str, String)> {
    match zipped {
        // There are no summaries.
        DocZip::Whole | DocZip::Summary => whole(document, document.xml.as_deref()?),
        DocZip::Masked => whole(document, &masked(document.xml.as_deref()?, &document.chave)),
        DocZip::Event(place) => document.eventos.get(*place).map(|event| {
            let (evento, registered) = (&event.evento, &event.ret_evento);
            let xml = format!("<procEventoCTe xmlns=\"{CTE}\" versao=\"4.00\">{evento}{registered}</procEventoCTe>");
            ("procEventoCTe_v4.00.xsd", xml)
        }),
    }
}

/// The document with its protocol, under the root of its model.
fn whole(document: &LedgerDocument, xml: &str) -> Option<(&'static str, String)> {
    let of_people = xml::read(xml.as_bytes()).ok()?.name == "CTeOS";
    let (schema, root) =
        if of_people { ("procCTeOS_v4.00.xsd", "cteOSProc") } else { ("procCTe_v4.00.xsd", "cteProc") };
    let protocol = &document.protocol_xml;
    Some((schema, format!("<{root} xmlns=\"{CTE}\" versao=\"4.00\">{xml}{protocol}</{root}>")))
}

/// Replaces the key of every other document by nines; the text is then not the signed one.
fn masked(xml: &str, own: &str) -> String {
    let mut parts = xml.split('>');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push('>');
        let (leaf, rest) = part.split_at(part.find('<').unwrap_or(part.len()));
        let secret = leaf != own && is_key_shaped(leaf);
        text.push_str(if secret { NINES } else { leaf });
        text.push_str(rest);
    }
    text
}

const NINES: &str = "99999999999999999999999999999999999999999999";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_of_other_documents_are_hidden_and_nothing_else() {
        let own = "43261111222333000181570010000000011847362510";
        let other = "43261112ABC34501DE35550010000000011847362510";
        let text = format!("<a Id=\"CTe{own}\"><x>{other}</x><y>{own}</y><q>chCTe={other}</q></a>");
        let expected = format!("<a Id=\"CTe{own}\"><x>{NINES}</x><y>{own}</y><q>chCTe={other}</q></a>");
        assert_eq!((NINES.len(), masked(&text, own)), (44, expected));
    }
}
