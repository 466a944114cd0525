//! Fields of an event that its answer repeats, and the answer.

use super::super::{Refusal, ServiceRequest, VER_APLIC};
use crate::soap::escaped;
use fiscal::event::NfeEventKind;
use fiscal::xml::Element;

pub(super) struct EchoedFields {
    pub(super) cOrgao: String,
    pub(super) chNFe: String,
    pub(super) tpEvento: String,
    pub(super) nSeqEvento: String,
    pub(super) author: String,
    cOrgaoAutor: Option<String>,
}

impl EchoedFields {
    pub(super) fn of(evento: &Element) -> EchoedFields {
        let text = |path: &str| evento.text_at(path).unwrap_or("").to_owned();
        let author = evento.text_at("infEvento/CNPJ").or_else(|| evento.text_at("infEvento/CPF"));
        EchoedFields {
            cOrgao: text("infEvento/cOrgao"),
            chNFe: text("infEvento/chNFe"),
            tpEvento: text("infEvento/tpEvento"),
            nSeqEvento: text("infEvento/nSeqEvento"),
            author: author.unwrap_or("").to_owned(),
            cOrgaoAutor: evento.text_at("infEvento/detEvento/cOrgaoAutor").map(str::to_owned),
        }
    }

    /// `nSeqEvento`; 0 when it is no number of two digits.
    pub(super) fn sequence(&self) -> u8 {
        self.nSeqEvento.parse().unwrap_or(0)
    }

    /// Characters of the key.
    pub(super) fn key(&self, range: std::ops::Range<usize>) -> &str {
        self.chNFe.get(range).unwrap_or("")
    }

    pub(super) fn refused(&self, request: &ServiceRequest<'_>, outcome: &Refusal) -> String {
        self.reply(request, outcome, None, "")
    }

    /// The answer of a registered event. `dest`: CNPJ or CPF of the addressee, named in the answers to a cancellation
    /// and to a manifestation.
    pub(super) fn registered(
        &self,
        request: &ServiceRequest<'_>,
        kind: NfeEventKind,
        outcome: &Refusal,
        nProt: &str,
        dest: Option<&str>,
    ) -> String {
        let (xEvento, author, dest) = match kind {
            NfeEventKind::Cancelamento => ("Cancelamento registrado", None, dest),
            NfeEventKind::CancelamentoPorSubstituicao => {
                ("Cancelamento por substituicao registrado", self.author(), None)
            }
            NfeEventKind::CartaCorrecao => ("Carta de Correção registrada", None, None),
            NfeEventKind::Epec => ("EPEC autorizado", self.author(), None),
            NfeEventKind::Confirmacao => ("Confirmacao de Operacao registrada", None, dest),
            NfeEventKind::Ciencia => ("Ciencia da Operacao registrada", None, dest),
            NfeEventKind::Desconhecimento => ("Desconhecimento da Operacao registrada", None, dest),
            NfeEventKind::NaoRealizada => ("Operacao nao Realizada registrada", None, dest),
            NfeEventKind::AtorInteressado => ("Ator Interessado na NF-e Transportador", None, None),
        };
        let seq = escaped(&self.nSeqEvento);
        let author = author.map(|code| format!("<cOrgaoAutor>{}</cOrgaoAutor>", escaped(code))).unwrap_or_default();
        let dest = dest.map(addressee).unwrap_or_default();
        let rest = format!("<xEvento>{xEvento}</xEvento><nSeqEvento>{seq}</nSeqEvento>{author}{dest}");
        self.reply(request, outcome, Some(nProt), &rest)
    }

    fn author(&self) -> Option<&str> {
        self.cOrgaoAutor.as_deref()
    }

    fn reply(&self, request: &ServiceRequest<'_>, outcome: &Refusal, nProt: Option<&str>, rest: &str) -> String {
        let (tpAmb, dh) = (request.place.ambiente.code(), request.dh());
        let id = nProt.map(|nProt| format!(" Id=\"ID{nProt}\"")).unwrap_or_default();
        let nProt = nProt.map(|nProt| format!("<nProt>{nProt}</nProt>")).unwrap_or_default();
        let rest = match rest {
            "" => format!("<nSeqEvento>{}</nSeqEvento>", escaped(&self.nSeqEvento)),
            rest => rest.to_owned(),
        };
        format!(
            "<retEvento versao=\"1.00\"><infEvento{id}><tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic><cOrgao>{}</cOrgao>\
             <cStat>{}</cStat><xMotivo>{}</xMotivo><chNFe>{}</chNFe><tpEvento>{}</tpEvento>{rest}<dhRegEvento>{dh}</dhRegEvento>\
             {nProt}</infEvento></retEvento>",
            escaped(&self.cOrgao),
            outcome.cStat,
            outcome.xMotivo_of(request.place.service),
            escaped(&self.chNFe),
            escaped(&self.tpEvento),
        )
    }
}

fn addressee(number: &str) -> String {
    let tag = if number.len() == 11 { "CPFDest" } else { "CNPJDest" };
    format!("<{tag}>{number}</{tag}>")
}
