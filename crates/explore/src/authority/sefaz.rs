//! NF-e, NFC-e and CT-e: authorisation, receipt, query by key, status, events.

use super::answer::{self, AnswerOddity, coded_answer, root_of, status_elements};
use super::text::{between, element, whole};
use super::{AuthorityModel, HeldDocument, ModelAnswer, SentMessage};
use authority::table::AuthorityService;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use jiff::{SignedDuration, Timestamp};
use std::io::Read as _;

/// Name of the SVC of the state.
pub const SVC: &str = "SVC-AN";
/// Time that a document may be dated ahead of the authority's clock (703), and one of retail behind it (704).
const SLACK: SignedDuration = SignedDuration::from_mins(5);
/// Key of an invented document.
const OF_ANOTHER: &str = "35261199888777000166550010000000071000000076";
/// A digest of nothing.
const OTHER_DIGEST: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/// Fields of a submitted document.
struct SubmittedDocument {
    chave: String,
    sale: String,
    digest: String,
    emitted: Option<Timestamp>,
    is_of_cte: bool,
}

pub(super) fn process(all: &mut AuthorityModel, message: &SentMessage, oddity: AnswerOddity) -> ModelAnswer {
    match message.service {
        AuthorityService::Autorizacao => authorize(all, message, oddity),
        AuthorityService::RetAutorizacao => receipt(all, message),
        AuthorityService::ConsultaProtocolo => query(all, message),
        AuthorityService::StatusServico => status(all, message),
        AuthorityService::RecepcaoEvento => event(all, message, oddity),
        AuthorityService::Inutilizacao | AuthorityService::ConsultaCadastro | AuthorityService::DistribuicaoDFe => {
            answer::of_service(message, 999)
        }
    }
}

/// Mark of its sale in a document.
pub fn sale_in(text: &str) -> String {
    let marks = ["cProd", "xDescServ", "xObs", "Discriminacao"].map(|name| element(text, name));
    marks.into_iter().find(|mark| mark.starts_with("VENDA ")).unwrap_or_default().to_owned()
}

/// The document inside a message.
pub fn document_in(message: &SentMessage) -> String {
    let packed = match message.name {
        "CTeRecepcaoSincV4" | "CTeRecepcaoOSV4" => {
            let data = between(&message.body, "<cteDadosMsg", "</cteDadosMsg>");
            data.split_once('>').map_or("", |(_, packed)| packed)
        }
        "NFSe" => between(&message.body, "\"dpsXmlGZipB64\":\"", "\""),
        _ => return message.body.clone(),
    };
    let mut text = String::new();
    let bytes = STANDARD.decode(packed).unwrap_or_default();
    // A document that cannot be unpacked has no key, and is refused for that.
    let _ = GzDecoder::new(bytes.as_slice()).read_to_string(&mut text);
    text
}

fn submitted(message: &SentMessage) -> SubmittedDocument {
    let text = document_in(message);
    let is_of_cte = message.name.starts_with("CTe");
    let mark = if is_of_cte { "Id=\"CTe" } else { "Id=\"NFe" };
    SubmittedDocument {
        chave: between(&text, mark, "\"").to_owned(),
        sale: sale_in(&text),
        digest: element(&text, "DigestValue").to_owned(),
        emitted: element(&text, "dhEmi").parse().ok(),
        is_of_cte,
    }
}

/// Code of a document when nothing odd happens. Rules come before the registry, as at the authorities.
fn verdict(all: &mut AuthorityModel, message: &SentMessage, of: &SubmittedDocument) -> (u16, String) {
    let now = message.received_ms.map_or_else(|| all.time.now(), |ms| all.time.at(ms));
    let tpEmis = of.chave.get(34..35).unwrap_or_default();
    let is_retail = of.chave.get(20..22) == Some("65");
    let age = of.emitted.map(|emitted| now.duration_since(emitted)).unwrap_or_default();
    let svc_is_open = all.svc_is_open;
    let by_way = is_retail && all.retail_counts_by_way;
    let is_refused = all.refused_sales.contains(&of.sale);
    let book = all.book(&message.authority);
    let none = String::new();
    match () {
        () if of.chave.len() != 44 => (225, none),
        () if message.authority.starts_with("SVC") && !svc_is_open => (114, none),
        () if age < -SLACK => (if of.is_of_cte { 212 } else { 703 }, none),
        () if is_retail && tpEmis == "1" && age > SLACK => (704, none),
        () if is_refused => (778, none),
        () => match (book.by_key(&of.chave), book.by_number(&of.chave, by_way)) {
            (Some(held), _) if !held.is_live() => (218, none),
            (Some(_), _) => (204, none),
            (None, Some(held)) => (539, format!(" [{}:{}]", key_name(of.is_of_cte), held.chave)),
            (None, None) => (100, none),
        },
    }
}

fn key_name(is_of_cte: bool) -> &'static str {
    if is_of_cte { "chCTe" } else { "chNFe" }
}

/// `protNFe` or `protCTe`.
fn protocol(of_cte: bool, chave: &str, dh: &str, nProt: Option<&str>, digest: Option<&str>, said: &str) -> String {
    let (root, key) = if of_cte { ("protCTe", "chCTe") } else { ("protNFe", "chNFe") };
    let nProt = nProt.map(|nProt| format!("<nProt>{nProt}</nProt>")).unwrap_or_default();
    let digest = digest.map(|digest| format!("<digVal>{digest}</digVal>")).unwrap_or_default();
    format!(
        "<{root} versao=\"4.00\"><infProt><tpAmb>2</tpAmb><verAplic>E</verAplic><{key}>{chave}</{key}>\
         <dhRecbto>{dh}</dhRecbto>{nProt}{digest}{said}</infProt></{root}>"
    )
}

fn authorize(all: &mut AuthorityModel, message: &SentMessage, oddity: AnswerOddity) -> ModelAnswer {
    let of = submitted(message);
    if oddity == (AnswerOddity::OtherKey { processed: false }) {
        return other_key(message, &of);
    }
    let (code, more) = verdict(all, message, &of);
    let dh = written(all.time.now());
    if code != 100 {
        let xMotivo = status_elements(code).replace("</xMotivo>", &format!("{more}</xMotivo>"));
        // The state of the service is answered for the message, everything else for the document.
        if code == 114 || code == 225 {
            return answer::of_service(message, code);
        }
        return in_answer(message, code, &protocol(of.is_of_cte, &of.chave, &dh, None, None, &xMotivo));
    }
    let nProt = all.protocol_number();
    let protocol_xml = protocol(of.is_of_cte, &of.chave, &dh, Some(&nProt), Some(&of.digest), &status_elements(100));
    let now_ms = all.time.elapsed_ms();
    let hidden_ms = if let AnswerOddity::Hidden(ms) = oddity { ms } else { 0 };
    let (chave, sale, digest) = (of.chave.clone(), of.sale.clone(), of.digest.clone());
    let book = all.book(&message.authority);
    book.add(HeldDocument {
        chave,
        note_key: String::new(),
        sale,
        digest,
        protocol_xml: protocol_xml.clone(),
        cancellation_xml: None,
        visible_from_ms: now_ms + hidden_ms,
        registered_ms: now_ms,
    });
    match oddity {
        AnswerOddity::Gateway { .. } => answer::gateway(),
        AnswerOddity::Garbage => answer::garbage(),
        AnswerOddity::OtherKey { .. } => other_key(message, &of),
        AnswerOddity::Uncatalogued => {
            in_answer(message, 999, &protocol(of.is_of_cte, &of.chave, &dh, None, None, &status_elements(999)))
        }
        AnswerOddity::Success(odd) => {
            let said = format!("<cStat>{odd}</cStat><xMotivo>Autorizado o uso, com alerta</xMotivo>");
            let odd_xml = protocol(of.is_of_cte, &of.chave, &dh, Some(&nProt), Some(&of.digest), &said);
            in_answer(message, odd, &odd_xml)
        }
        AnswerOddity::Digest => {
            let odd_xml =
                protocol(of.is_of_cte, &of.chave, &dh, Some(&nProt), Some(OTHER_DIGEST), &status_elements(100));
            in_answer(message, 100, &odd_xml)
        }
        AnswerOddity::Receipt(ready_ms) if !of.is_of_cte => {
            let receipt = book.add_receipt(&of.chave, now_ms + ready_ms);
            let root = root_of(message);
            let rest = format!("<infRec><nRec>{receipt}</nRec><tMed>1</tMed></infRec>");
            coded_answer(
                103,
                &format!("<{root} versao=\"4.00\"><tpAmb>2</tpAmb>{}{rest}</{root}>", status_elements(103)),
            )
        }
        _ => in_answer(message, 100, &protocol_xml),
    }
}

fn other_key(message: &SentMessage, of: &SubmittedDocument) -> ModelAnswer {
    let of_another = protocol(of.is_of_cte, OF_ANOTHER, "2026-11-20T09:00:00-03:00", None, None, &status_elements(610));
    let ModelAnswer { reply, .. } = in_answer(message, 610, &of_another);
    ModelAnswer { reply, word: "otherkey".to_owned() }
}

/// The answer to an authorisation with the document's own answer in it.
fn in_answer(message: &SentMessage, code: u16, protocol_xml: &str) -> ModelAnswer {
    let (root, lote) = (root_of(message), if message.name.starts_with("CTe") { code } else { 104 });
    coded_answer(
        code,
        &format!("<{root} versao=\"4.00\"><tpAmb>2</tpAmb>{}{protocol_xml}</{root}>", status_elements(lote)),
    )
}

fn receipt(all: &mut AuthorityModel, message: &SentMessage) -> ModelAnswer {
    let (now_ms, root) = (all.time.elapsed_ms(), root_of(message));
    let nRec = element(&message.body, "nRec").to_owned();
    let book = all.book(&message.authority);
    let Some((chave, ready_ms)) = book.receipt(&nRec).cloned() else { return answer::of_service(message, 106) };
    let (code, protocol_xml) = match book.by_key(&chave) {
        Some(held) if ready_ms <= now_ms => (104, held.protocol_xml.clone()),
        _ => (105, String::new()),
    };
    let nRec = format!("<nRec>{nRec}</nRec>");
    coded_answer(
        code,
        &format!("<{root} versao=\"4.00\"><tpAmb>2</tpAmb>{nRec}{}{protocol_xml}</{root}>", status_elements(code)),
    )
}

fn query(all: &mut AuthorityModel, message: &SentMessage) -> ModelAnswer {
    let of_cte = message.name.starts_with("CTe");
    let key = key_name(of_cte);
    let chave = element(&message.body, key).to_owned();
    let (now_ms, root) = (all.time.elapsed_ms(), root_of(message));
    let by_way = chave.get(20..22) == Some("65") && all.retail_counts_by_way;
    let book = all.book(&message.authority);
    let found = book.by_key(&chave).filter(|held| held.visible_from_ms <= now_ms);
    let other = book.by_number(&chave, by_way).filter(|held| held.visible_from_ms <= now_ms);
    let (code, rest) = match (found, other) {
        (Some(held), _) => match &held.cancellation_xml {
            None => (100, held.protocol_xml.clone()),
            Some(event) => (101, format!("{}{event}", held.protocol_xml)),
        },
        (None, Some(_)) => (if of_cte { 600 } else { 613 }, String::new()),
        (None, None) => (217, String::new()),
    };
    let more = other
        .filter(|_| matches!(code, 600 | 613))
        .map(|other| format!(" [{key}:{}]", other.chave))
        .unwrap_or_default();
    let words = status_elements(code).replace("</xMotivo>", &format!("{more}</xMotivo>"));
    coded_answer(code, &format!("<{root} versao=\"4.00\"><tpAmb>2</tpAmb>{words}{rest}</{root}>"))
}

fn status(all: &AuthorityModel, message: &SentMessage) -> ModelAnswer {
    let closed = message.authority.starts_with("SVC") && !all.svc_is_open;
    answer::of_service(message, if closed { 114 } else { 107 })
}

fn event(all: &mut AuthorityModel, message: &SentMessage, oddity: AnswerOddity) -> ModelAnswer {
    let of_cte = message.name.starts_with("CTe");
    let (sent, registered, archive) =
        if of_cte { ("eventoCTe", "retEventoCTe", "procEventoCTe") } else { ("evento", "retEvento", "procEventoNFe") };
    let evento = whole(&message.body, sent).to_owned();
    let key = key_name(of_cte);
    let (chave, tpEvento) = (element(&evento, key).to_owned(), element(&evento, "tpEvento").to_owned());
    let nSeqEvento = element(&evento, "nSeqEvento").to_owned();
    let (dh, nProt) = (written(all.time.now()), all.protocol_number());
    let book = all.book(&message.authority);
    let is_announcement = tpEvento == "110140";
    let code = match (book.by_key(&chave), is_announcement) {
        (_, true) if book.announced.contains(&chave) => 573,
        (_, true) => 136,
        (None, false) => 494,
        (Some(held), false) if !held.is_live() => 573,
        (Some(_), false) => 135,
    };
    let done = matches!(code, 135 | 136);
    let nProt = if done { format!("<nProt>{nProt}</nProt>") } else { String::new() };
    let answer = format!(
        "<{registered} versao=\"1.00\"><infEvento><tpAmb>2</tpAmb><verAplic>E</verAplic><cOrgao>35</cOrgao>{}\
         <{key}>{chave}</{key}><tpEvento>{tpEvento}</tpEvento><nSeqEvento>{nSeqEvento}</nSeqEvento>\
         <dhRegEvento>{dh}</dhRegEvento>{nProt}</infEvento></{registered}>",
        status_elements(code)
    );
    if done && is_announcement {
        book.announced.push(chave);
    } else if done && let Some(held) = book.by_key_mut(&chave) {
        held.cancellation_xml = Some(format!("<{archive} versao=\"1.00\">{evento}{answer}</{archive}>"));
    }
    match oddity {
        AnswerOddity::Gateway { .. } => answer::gateway(),
        AnswerOddity::Garbage => answer::garbage(),
        _ if of_cte => coded_answer(code, &answer),
        _ => {
            let root = root_of(message);
            coded_answer(
                code,
                &format!("<{root} versao=\"1.00\"><idLote>1</idLote>{}{answer}</{root}>", status_elements(128)),
            )
        }
    }
}

/// An instant in the time of São Paulo.
pub(super) fn written(at: Timestamp) -> String {
    let offset = jiff::tz::Offset::constant(-3);
    offset.to_datetime(at).strftime("%Y-%m-%dT%H:%M:%S").to_string() + "-03:00"
}
