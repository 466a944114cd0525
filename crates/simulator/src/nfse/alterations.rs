//! Answers altered by a fault: scripted refusals, another note, a DPS of another digest or without its signature. The
//! memory stays as it is.

use super::address::NationalRoute;
use super::answer::{self, NationalAnswer, ProcessingMessage};
use super::notes::StoredNfse;
use super::{NationalRequest, seal};
use crate::faults::FaultType;
use crate::soap::base64;
use http::StatusCode;
use openssl::sha::sha256;

/// The scripted refusal that replaces an answer: under `erros` of a DPS, under `erro` elsewhere.
pub(super) fn refusal(asked: &NationalRequest<'_>, ask: &NationalRoute<'_>) -> Option<NationalAnswer> {
    let problem = scripted(asked, FaultType::Cstat)?;
    let status = asked.drawn.status(StatusCode::BAD_REQUEST);
    Some(match ask {
        NationalRoute::Issue => answer::refused_dps(asked, status, None, &[problem]),
        NationalRoute::DpsExists(id) => {
            NationalAnswer { status, body: None, codigo: None, chaves: vec![(*id).to_owned()] }
        }
        _ => answer::refused(asked, status, &[problem]),
    })
}

/// The scripted entry of a fault of this kind.
pub(super) fn scripted(asked: &NationalRequest<'_>, tipo: FaultType) -> Option<ProcessingMessage> {
    let (codigo, mensagem) = asked.drawn.codigo_of(tipo)?;
    let problem = ProcessingMessage::of_magic_value(codigo);
    Some(match mensagem {
        Some(mensagem) => ProcessingMessage { descricao: mensagem.to_owned().into(), ..problem },
        None => problem,
    })
}

/// The Id of a DPS in an answer, altered where the fault asks for it.
pub(super) fn id(asked: &NationalRequest<'_>, id: &str) -> String {
    if asked.drawn.kind() == Some(FaultType::OtherDocument) { next_id(id) } else { id.to_owned() }
}

/// Another note than the one that fits `own`, where the fault asks for it.
pub(super) fn substituted_note(asked: &NationalRequest<'_>, own: impl Fn(&StoredNfse) -> bool) -> Option<StoredNfse> {
    let is_another = |note: &&StoredNfse| {
        (note.ambiente, note.ambGer) == (asked.ambiente, asked.host.ambGer())
            && note.names(asked.holder())
            && !own(note)
    };
    let is_mixed_up = asked.drawn.kind() == Some(FaultType::OtherDocument);
    let first = || {
        let notes = asked.world.nfse();
        notes.all().filter(is_another).min_by(|one, other| one.chave.cmp(&other.chave)).cloned()
    };
    is_mixed_up.then(first).flatten()
}

/// A note in an answer, altered where the fault asks for it.
pub(super) fn altered_note(asked: &NationalRequest<'_>, note: StoredNfse) -> StoredNfse {
    match asked.drawn.kind() {
        Some(FaultType::WrongDigval) => resealed(asked, note, with_another_digest),
        Some(FaultType::NoDigval) => resealed(asked, note, without_signature),
        Some(FaultType::OtherDocument) => StoredNfse { id_dps: next_id(&note.id_dps), ..note },
        _ => note,
    }
}

/// Digits of the number at the end of an Id.
const NUMBER: usize = 15;

/// The Id of the DPS with the next number.
fn next_id(id: &str) -> String {
    let (series, number) = id.split_at(id.len().saturating_sub(NUMBER));
    let next = number.parse::<u64>().map_or(0, |number| number + 1);
    format!("{series}{next:0NUMBER$}")
}

/// The note around an altered element, sealed anew.
fn resealed(asked: &NationalRequest<'_>, note: StoredNfse, bend: fn(&str) -> Option<String>) -> StoredNfse {
    let bent = element_of(note.xml()).and_then(bend);
    let sealed = bent
        .zip(asked.world.pki.sefin().ok())
        .and_then(|(element, sefin)| seal::sealed("NFSe", &element, &format!("NFS{}", note.chave), sefin).ok());
    match sealed {
        Some(xml) => StoredNfse { xml: xml.into(), ..note },
        None => note,
    }
}

/// `infNFSe`, as it was sealed.
fn element_of(xml: &str) -> Option<&str> {
    const END: &str = "</infNFSe>";
    xml.get(xml.find("<infNFSe")?..xml.rfind(END)? + END.len())
}

/// Replaces the digest in the signature of the DPS by one of the same length.
fn with_another_digest(element: &str) -> Option<String> {
    let (before, rest) = element.split_once("<DigestValue>")?;
    let (digest, after) = rest.split_once("</DigestValue>")?;
    let other = sha256(digest.as_bytes());
    let length = if digest.len() == SHA1_LETTERS { 20 } else { other.len() };
    Some(format!("{before}<DigestValue>{}</DigestValue>{after}", base64(other.get(..length)?)))
}

/// Letters of a SHA-1 in base64.
const SHA1_LETTERS: usize = 28;

fn without_signature(element: &str) -> Option<String> {
    let (before, rest) = element.split_once("<Signature")?;
    let (_, after) = rest.split_once("</Signature>")?;
    Some(format!("{before}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_id_has_the_next_number() {
        let id = "DPS355030821122233300018100001000000000000009";
        assert_eq!(next_id(id), "DPS355030821122233300018100001000000000000010");
    }

    #[test]
    fn the_signature_of_the_dps_is_bent_and_nothing_else() {
        let digest = base64(&[7; 20]);
        let element =
            format!("<infNFSe><a/><DPS><Signature><DigestValue>{digest}</DigestValue></Signature></DPS></infNFSe>");
        let bent = with_another_digest(&element).unwrap();
        assert!(bent.len() == element.len() && bent != element, "{bent}");
        assert_eq!(without_signature(&element).unwrap(), "<infNFSe><a/><DPS></DPS></infNFSe>");
        assert_eq!(element_of(&format!("<NFSe>{element}<Signature/></NFSe>")), Some(element.as_str()));
    }
}
