//! An event as the authority has it, read from a procEventoNFe, a procEventoCTe or the event of an NFS-e.

use crate::family::event::rps::CANCELLATION;
use fiscal::abrasf::answer;
use fiscal::event::family::EventFamily;
use fiscal::value::{Chave, Codigo, dfe_number, protocol};
use fiscal::xml::Element;
use store::jobs::EventAct;

/// A registered event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::steps) struct ArchivedEvent {
    pub(in crate::steps) codigo: Codigo,
    pub(in crate::steps) xMotivo: String,
    pub(in crate::steps) act: EventAct,
    pub(in crate::steps) proc_evento: String,
}

impl ArchivedEvent {
    /// Reads a procEventoNFe, a procEventoCTe or the event of an NFS-e; `None` when it is none.
    pub(in crate::steps) fn read(proc_evento: String) -> Option<ArchivedEvent> {
        let root = fiscal::xml::read(proc_evento.as_bytes()).ok()?;
        let Some(family) = EventFamily::of_archive(&root) else { return of_national_event(&root, proc_evento) };
        let sent = root.child(family.root)?.child("infEvento")?;
        let answer = root.child(family.answer)?.child("infEvento")?;
        let text = |name: &str| answer.text_at(name).filter(|text| !text.is_empty()).map(str::to_owned);
        Some(ArchivedEvent {
            codigo: Codigo::parse(answer.text_at("cStat")?).ok()?,
            xMotivo: answer.text_at("xMotivo")?.to_owned(),
            act: EventAct {
                chave: Chave::parse(sent.text_at(family.key)?).ok()?,
                tpEvento: sent.text_at("tpEvento")?.to_owned(),
                nSeqEvento: sent.text_at("nSeqEvento")?.parse().ok()?,
                nProt: text("nProt").filter(|text| protocol(text).is_some()),
                dhRegEvento: text("dhRegEvento"),
            },
            proc_evento,
        })
    }
}

impl ArchivedEvent {
    /// Reads the cancellation of a municipal note: confirmed by its provider, or contained in the note itself.
    pub(in crate::steps) fn of_municipal_reply(xml: String, chave: Chave) -> Option<ArchivedEvent> {
        let reply = answer::read(&xml).ok()?;
        let of_note = || reply.notes.first().and_then(|note| note.cancelada.clone());
        let data_hora = match &reply.cancelamento {
            Some(cancelled) => cancelled.data_hora.clone(),
            None => Some(of_note()?),
        };
        Some(ArchivedEvent {
            codigo: Codigo::parse(CANCELLED).ok()?,
            xMotivo: "Cancelamento confirmado pela prefeitura".to_owned(),
            act: EventAct {
                chave,
                tpEvento: CANCELLATION.to_owned(),
                nSeqEvento: 1,
                nProt: None,
                dhRegEvento: data_hora.filter(|text| !text.is_empty()),
            },
            proc_evento: xml,
        })
    }
}

/// Reads the event of an NFS-e. The Sefin writes it around the request, and its existence is the only confirmation.
fn of_national_event(root: &Element, proc_evento: String) -> Option<ArchivedEvent> {
    let event = root.child("infEvento").filter(|_| root.name == "evento")?;
    let asked = event.at("pedRegEvento/infPedReg")?;
    let kind = asked.children().find_map(|child| child.name.strip_prefix('e').filter(|kind| kind.len() == 6))?;
    let text = |name: &str| event.text_at(name).filter(|text| !text.is_empty()).map(str::to_owned);
    Some(ArchivedEvent {
        codigo: Codigo::parse(REGISTERED).ok()?,
        xMotivo: "Evento registrado pela Sefin Nacional".to_owned(),
        act: EventAct {
            chave: Chave::parse(asked.text_at("chNFSe")?).ok()?,
            tpEvento: kind.to_owned(),
            nSeqEvento: event.text_at("nSeqEvento")?.parse().ok()?,
            nProt: text("nDFSe").filter(|text| dfe_number(text).is_some()),
            dhRegEvento: text("dhProc"),
        },
        proc_evento,
    })
}

/// Replaces the code, which such an event lacks.
const REGISTERED: &str = "registrado";
/// Replaces the code, which ABRASF lacks for a success.
const CANCELLED: &str = "cancelada";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_authority_says_of_a_registered_event() {
        let xml = "<procEventoNFe versao=\"1.00\"><evento><infEvento><chNFe>35261111222333000181550010000000011123456784</chNFe>\
                   <tpEvento>110110</tpEvento><nSeqEvento>2</nSeqEvento></infEvento></evento><retEvento><infEvento><cStat>135</cStat>\
                   <xMotivo>Evento registrado e vinculado a NF-e</xMotivo><dhRegEvento>2026-11-20T10:00:00-03:00</dhRegEvento>\
                   <nProt>135260000000009</nProt></infEvento></retEvento></procEventoNFe>";
        let read = ArchivedEvent::read(xml.to_owned()).unwrap();
        assert_eq!((read.codigo, read.xMotivo.as_str()), (Codigo::from(135), "Evento registrado e vinculado a NF-e"));
        assert_eq!((read.act.tpEvento.as_str(), read.act.nSeqEvento), ("110110", 2));
        assert_eq!(read.act.nProt.as_deref(), Some("135260000000009"));
        assert_eq!(ArchivedEvent::read("<procEventoNFe/>".to_owned()), None);
    }
}
