//! What others issue to us, as the Ambiente Nacional hands it out: a summary, a whole NF-e, an event or its summary.
//!
//! Law: NT 2014.002 v1.30, 3.11 (resNFe, resEvento) and its table of who receives what. A kind that is not known is said to be
//! so: it is kept, and nothing is concluded from it. Must not know what is done with it.

use crate::event::TpEvento;
use crate::xml::{self, Element};

/// A document handed out, by what it tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// resNFe, or nfeProc.
    Note(Note),
    /// resEvento, or procEventoNFe.
    Event(Event),
}

/// What is said of an NF-e.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Key.
    pub chave: String,
    /// CNPJ or CPF of the issuer.
    pub emitente: String,
    /// Its name.
    pub xNome: String,
    /// Its state registration, when told.
    pub IE: Option<String>,
    /// CNPJ or CPF of the addressee; a summary does not name it.
    pub destinatario: Option<String>,
    /// RFC 3339.
    pub dhEmi: String,
    /// 0 in, 1 out, as the issuer sees it.
    pub tpNF: String,
    /// Total, as written.
    pub vNF: String,
    /// Authorisation, RFC 3339.
    pub dhRecbto: Option<String>,
    /// Protocol.
    pub nProt: Option<String>,
    /// Where it stands.
    pub situation: Situation,
    /// The whole document, not its summary.
    pub whole: bool,
}

/// Where a received NF-e stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Situation {
    /// Valid.
    Authorized,
    /// Refused for the situation of a party.
    Denied,
    /// Cancelled by its issuer.
    Cancelled,
}

/// What is said of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Key of the document it is about.
    pub chave: String,
    /// Kind.
    pub tpEvento: String,
    /// Count of its kind.
    pub nSeqEvento: u8,
    /// CNPJ or CPF of its author, when told.
    pub author: Option<String>,
    /// RFC 3339.
    pub dhEvento: String,
    /// What it is, in the authority's or the layout's words.
    pub description: Option<String>,
    /// Protocol.
    pub nProt: Option<String>,
    /// The whole event, not its summary.
    pub whole: bool,
}

impl Event {
    /// Whether it ends the document.
    pub fn cancels(&self) -> bool {
        TpEvento::from_code(&self.tpEvento).is_some_and(TpEvento::is_cancellation)
    }
}

/// Why nothing can be concluded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRead {
    /// No XML we take.
    #[error(transparent)]
    Malformed(#[from] xml::Malformed),
    /// A root that is none of the four.
    #[error("{0} não é um documento conhecido da distribuição")]
    Unknown(String),
    /// A member that every such document has.
    #[error("falta {0}")]
    Missing(&'static str),
}

/// Reads a document by its root.
pub fn read(document: &str) -> Result<Received, NotRead> {
    let root = xml::read(document.as_bytes())?;
    match root.name.as_str() {
        "resNFe" => summary(&root).map(Received::Note),
        "nfeProc" => whole(&root).map(Received::Note),
        "resEvento" => event_summary(&root).map(Received::Event),
        "procEventoNFe" => event(&root).map(Received::Event),
        other => Err(NotRead::Unknown(other.to_owned())),
    }
}

fn summary(root: &Element) -> Result<Note, NotRead> {
    Ok(Note {
        chave: must(root, "chNFe")?,
        emitente: number(root).ok_or(NotRead::Missing("CNPJ"))?,
        xNome: must(root, "xNome")?,
        IE: may(root, "IE"),
        destinatario: None,
        dhEmi: must(root, "dhEmi")?,
        tpNF: must(root, "tpNF")?,
        vNF: must(root, "vNF")?,
        dhRecbto: may(root, "dhRecbto"),
        nProt: may(root, "nProt"),
        situation: match root.text_at("cSitNFe") {
            Some("3") => Situation::Cancelled,
            Some("2") => Situation::Denied,
            _ => Situation::Authorized,
        },
        whole: false,
    })
}

fn whole(root: &Element) -> Result<Note, NotRead> {
    let inf = root.at("NFe/infNFe").ok_or(NotRead::Missing("infNFe"))?;
    let issuer = inf.child("emit").ok_or(NotRead::Missing("emit"))?;
    let id = inf.attribute("Id").and_then(|id| id.strip_prefix("NFe")).filter(|id| id.len() == KEY);
    let cStat = root.text_at("protNFe/infProt/cStat").unwrap_or_default();
    Ok(Note {
        chave: id.map(str::to_owned).ok_or(NotRead::Missing("Id"))?,
        emitente: number(issuer).ok_or(NotRead::Missing("emit/CNPJ"))?,
        xNome: must(issuer, "xNome")?,
        IE: may(issuer, "IE"),
        destinatario: inf.child("dest").and_then(number),
        dhEmi: must(inf, "ide/dhEmi")?,
        tpNF: must(inf, "ide/tpNF")?,
        vNF: must(inf, "total/ICMSTot/vNF")?,
        dhRecbto: may(root, "protNFe/infProt/dhRecbto"),
        nProt: may(root, "protNFe/infProt/nProt"),
        situation: if matches!(cStat, "110" | "301" | "302" | "303") {
            Situation::Denied
        } else {
            Situation::Authorized
        },
        whole: true,
    })
}

fn event_summary(root: &Element) -> Result<Event, NotRead> {
    Ok(Event {
        chave: must(root, "chNFe")?,
        tpEvento: must(root, "tpEvento")?,
        nSeqEvento: sequence(root, "nSeqEvento"),
        author: number(root),
        dhEvento: must(root, "dhEvento")?,
        description: may(root, "xEvento"),
        nProt: may(root, "nProt"),
        whole: false,
    })
}

fn event(root: &Element) -> Result<Event, NotRead> {
    let inf = root.at("evento/infEvento").ok_or(NotRead::Missing("infEvento"))?;
    Ok(Event {
        chave: must(inf, "chNFe")?,
        tpEvento: must(inf, "tpEvento")?,
        nSeqEvento: sequence(inf, "nSeqEvento"),
        author: number(inf),
        dhEvento: must(inf, "dhEvento")?,
        description: may(inf, "detEvento/descEvento"),
        nProt: may(root, "retEvento/infEvento/nProt"),
        whole: true,
    })
}

fn number(element: &Element) -> Option<String> {
    may(element, "CNPJ").or_else(|| may(element, "CPF"))
}

fn sequence(element: &Element, path: &str) -> u8 {
    element.text_at(path).and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// A text, or as much of it as a list can show: the whole stands in the document, which is kept as it came.
fn may(element: &Element, path: &str) -> Option<String> {
    let text = element.text_at(path).map(str::trim).filter(|text| !text.is_empty())?;
    Some(text.char_indices().nth(MOST).map_or(text, |(cut, _)| &text[..cut]).to_owned())
}

/// Letters of one value; no official one has more than 150 (`xCondUso` aside, which is not read here).
const MOST: usize = 300;
/// Characters of an access key.
const KEY: usize = 44;

fn must(element: &Element, path: &'static str) -> Result<String, NotRead> {
    may(element, path).ok_or(NotRead::Missing(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAVE: &str = "35261111222333000181550010000000011847362510";

    fn res_nfe(cSitNFe: &str) -> String {
        format!(
            "<resNFe xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"1.01\"><chNFe>{CHAVE}</chNFe><CNPJ>11222333000181</CNPJ>\
             <xNome>EMPRESA TESTE LTDA</xNome><IE></IE><dhEmi>2026-11-20T10:00:00-03:00</dhEmi><tpNF>1</tpNF><vNF>100.00</vNF>\
             <dhRecbto>2026-11-20T10:00:03-03:00</dhRecbto><nProt>135260000000001</nProt><cSitNFe>{cSitNFe}</cSitNFe></resNFe>"
        )
    }

    #[test]
    fn a_summary_tells_who_when_how_much_and_where_it_stands() {
        let Received::Note(note) = read(&res_nfe("1")).unwrap() else { panic!() };
        assert_eq!(
            (note.chave.as_str(), note.emitente.as_str(), note.vNF.as_str()),
            (CHAVE, "11222333000181", "100.00")
        );
        assert_eq!((note.IE, note.whole, note.situation), (None, false, Situation::Authorized));
        let situation = |code: &str| match read(&res_nfe(code)) {
            Ok(Received::Note(note)) => note.situation,
            other => panic!("{other:?}"),
        };
        assert_eq!((situation("2"), situation("3")), (Situation::Denied, Situation::Cancelled));
    }

    #[test]
    fn a_whole_note_is_read_from_its_own_fields() {
        let proc = format!(
            "<nfeProc xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\"><NFe><infNFe Id=\"NFe{CHAVE}\" versao=\"4.00\">\
             <ide><dhEmi>2026-11-20T10:00:00-03:00</dhEmi><tpNF>1</tpNF></ide><emit><CNPJ>11222333000181</CNPJ><xNome>X</xNome></emit>\
             <dest><CPF>11144477735</CPF></dest><total><ICMSTot><vNF>9.90</vNF></ICMSTot></total></infNFe></NFe>\
             <protNFe><infProt><dhRecbto>2026-11-20T10:00:03-03:00</dhRecbto><nProt>1</nProt><cStat>302</cStat></infProt></protNFe></nfeProc>"
        );
        let Received::Note(note) = read(&proc).unwrap() else { panic!() };
        assert_eq!((note.destinatario.as_deref(), note.vNF.as_str()), (Some("11144477735"), "9.90"));
        assert_eq!((note.whole, note.situation), (true, Situation::Denied));
    }

    #[test]
    fn what_is_listed_of_a_document_is_short_whatever_stands_in_it() {
        let long = "A".repeat(1 << 20);
        let Received::Note(note) = read(&res_nfe("1").replace("EMPRESA TESTE LTDA", &long)).unwrap() else { panic!() };
        assert_eq!(note.xNome, "A".repeat(300));
        let unknown = read(&format!("<{long}/>")).unwrap_err().to_string();
        assert!(unknown.len() < 700, "{} bytes", unknown.len());
    }

    #[test]
    fn an_event_and_its_summary_say_the_same() {
        let summary = format!(
            "<resEvento versao=\"1.01\"><cOrgao>35</cOrgao><CNPJ>11222333000181</CNPJ><chNFe>{CHAVE}</chNFe>\
             <dhEvento>2026-11-20T11:00:00-03:00</dhEvento><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento>\
             <xEvento>Cancelamento registrado</xEvento><dhRecbto>2026-11-20T11:00:01-03:00</dhRecbto><nProt>2</nProt></resEvento>"
        );
        let Received::Event(event) = read(&summary).unwrap() else { panic!() };
        assert!(event.cancels() && !event.whole);
        let whole = format!(
            "<procEventoNFe versao=\"1.00\"><evento><infEvento><CNPJ>11222333000181</CNPJ><chNFe>{CHAVE}</chNFe>\
             <dhEvento>2026-11-20T11:00:00-03:00</dhEvento><tpEvento>110110</tpEvento><nSeqEvento>3</nSeqEvento>\
             <detEvento><descEvento>Carta de Correcao</descEvento></detEvento></infEvento></evento></procEventoNFe>"
        );
        let Received::Event(event) = read(&whole).unwrap() else { panic!() };
        assert_eq!((event.cancels(), event.nSeqEvento, event.whole), (false, 3, true));
    }

    #[test]
    fn what_is_none_of_them_is_said_to_be_so() {
        assert_eq!(read("<resCTe/>"), Err(NotRead::Unknown("resCTe".to_owned())));
        assert_eq!(read(&res_nfe("1").replace("<vNF>100.00</vNF>", "")), Err(NotRead::Missing("vNF")));
        assert!(matches!(read("<resNFe"), Err(NotRead::Malformed(_))));
    }
}
