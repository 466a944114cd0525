//! Events of a national NFS-e that prevent other events, and the code of the refusal.
//!
//! Law: anexo II of 2026-01-22, the matrix of events against events.

use super::registered::{ANALYSIS, AnalysisState, CANCELLATION, analysis_state, cancels, description};
use super::rules::book;
use crate::finding::Notice;
use crate::value::Codigo;

/// Block and release of another kind, by the município.
const BLOCK: &str = "305102";
const RELEASE: &str = "305103";
const SUBSTITUTION: &str = "105102";
const GRANTED: &str = "105104";
const REFUSED: &str = "105105";
const TACIT: &str = "205204";
const ANNULMENT: &str = "205208";
const BY_OFFICE: &str = "305101";
/// Confirmation and rejection of each party.
const PARTIES: [[&str; 2]; 3] = [["202201", "202205"], ["203202", "203206"], ["204203", "204207"]];

/// Events registered for an NFS-e.
#[derive(Debug, Clone, Copy)]
pub struct RegisteredKinds<'e> {
    /// Kinds of the events, an entry for each event.
    pub kinds: &'e [&'e str],
    /// Kind that the last block affects, if its text was read.
    pub blocked: Option<&'e str>,
}

/// Returns the kind that prevents a request.
pub fn hindrance<'e>(registered: RegisteredKinds<'e>, wanted: &str) -> Option<&'e str> {
    let times = |kind: &str| registered.kinds.iter().filter(|registered| **registered == kind).count();
    if registered.blocked == Some(wanted) && times(BLOCK) > times(RELEASE) {
        return Some(BLOCK);
    }
    let pending = analysis_state(registered.kinds.iter().copied()) == Some(AnalysisState::Pending);
    registered.kinds.iter().copied().find(|kind| blocks(kind, wanted, pending))
}

fn blocks(kind: &str, wanted: &str, pending: bool) -> bool {
    let is_of = |at: usize, kind: &str| PARTIES.iter().any(|party| party[at] == kind);
    match kind {
        kind if cancels(kind) => true,
        ANALYSIS => pending && [CANCELLATION, ANALYSIS, SUBSTITUTION, BY_OFFICE].contains(&wanted),
        REFUSED => [CANCELLATION, ANALYSIS, SUBSTITUTION, GRANTED, REFUSED].contains(&wanted),
        TACIT => [CANCELLATION, TACIT, ANNULMENT].contains(&wanted) || is_of(0, wanted) || is_of(1, wanted),
        ANNULMENT => wanted == CANCELLATION,
        kind if is_of(0, kind) => [CANCELLATION, ANALYSIS, GRANTED, REFUSED, TACIT, kind].contains(&wanted),
        kind if is_of(1, kind) => [TACIT, kind].contains(&wanted),
        _ => false,
    }
}

/// Returns the code of a request that another event prevents.
fn code(wanted: &str) -> Option<&'static str> {
    Some(match wanted {
        CANCELLATION => "E0840",
        ANALYSIS => "E0848",
        "202201" => "E0860",
        "203202" => "E0861",
        "204203" => "E0862",
        "202205" => "E0864",
        "203206" => "E0866",
        "204207" => "E0868",
        _ => return None,
    })
}

/// Returns the notice about a request that another event prevents.
pub fn hindrance_notice(registered: RegisteredKinds<'_>, wanted: &str, campo: &str) -> Option<Notice> {
    let (hindrance, codigo) = (hindrance(registered, wanted)?, code(wanted)?);
    let official = book::mensagem(codigo).unwrap_or_default().replace("{}", description(hindrance)?);
    Some(notice(codigo, campo, &official, ""))
}

/// True when a party has confirmed or rejected the NFS-e before (E1833).
pub fn has_manifested(kinds: &[&str], wanted: &str) -> bool {
    PARTIES.iter().any(|party| party.contains(&wanted) && party.iter().any(|kind| kinds.contains(kind)))
}

/// Notice about a predicted refusal of an event; `why` is our own wording.
pub fn predicted_notice(codigo: &str, campo: &str, why: &str) -> Notice {
    notice(codigo, campo, book::mensagem(codigo).unwrap_or_default(), why)
}

fn notice(codigo: &str, campo: &str, official: &str, why: &str) -> Notice {
    let mensagem = format!("A autoridade deve rejeitar com {codigo}: {}. {why}", official.trim_end_matches('.'));
    let mensagem = mensagem.trim_end();
    let notice = Notice::of(campo.to_owned(), "rejeicao_prevista", mensagem, None);
    Notice { codigo_status: Codigo::parse(codigo).ok(), ..notice }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(kinds: &[&str], blocked: Option<&str>) -> Vec<&'static str> {
        let all = [CANCELLATION, ANALYSIS, "202201", "202205", "203202", "203206", "204203", "204207"];
        all.into_iter().filter(|wanted| hindrance(RegisteredKinds { kinds, blocked }, wanted).is_some()).collect()
    }

    #[test]
    fn the_matrix_holds_back_what_the_annex_holds_back() {
        let parties = ["202201", "202205", "203202", "203206", "204203", "204207"];
        assert_eq!(refused(&[], None), [""; 0]);
        for kind in [CANCELLATION, SUBSTITUTION, GRANTED, BY_OFFICE] {
            assert_eq!(refused(&[kind], None).len(), 8, "{kind} ends everything");
        }
        assert_eq!(refused(&[ANALYSIS], None), [CANCELLATION, ANALYSIS]);
        assert_eq!(refused(&[ANALYSIS, REFUSED], None), [CANCELLATION, ANALYSIS]);
        assert_eq!(refused(&["203202"], None), [CANCELLATION, ANALYSIS, "203202"]);
        assert_eq!(refused(&["203206"], None), ["203206"]);
        assert_eq!(refused(&["203206", ANNULMENT], None), [CANCELLATION, "203206"]);
        let tacit: Vec<&str> = std::iter::once(CANCELLATION).chain(parties).collect();
        assert_eq!(refused(&[TACIT], None), tacit);
    }

    #[test]
    fn a_block_holds_back_its_kind_until_it_is_released() {
        let blocked = |kinds: &[&str]| refused(kinds, Some(CANCELLATION));
        assert_eq!(blocked(&[BLOCK]), [CANCELLATION]);
        assert_eq!(blocked(&[BLOCK, RELEASE]), [""; 0]);
        assert_eq!(blocked(&[BLOCK, RELEASE, BLOCK]), [CANCELLATION]);
        assert_eq!(refused(&[BLOCK], None), [""; 0], "of what it is nobody saw");
    }

    #[test]
    fn a_party_speaks_once_and_what_is_foreseen_names_the_event() {
        assert!(has_manifested(&["203202"], "203206") && !has_manifested(&["203202"], "204203"));
        let told =
            hindrance_notice(RegisteredKinds { kinds: &["203202"], blocked: None }, CANCELLATION, "chave").unwrap();
        assert_eq!(told.codigo_status, Codigo::parse("E0840").ok());
        assert!(told.mensagem.contains("Confirmação do Tomador"), "{}", told.mensagem);
    }
}
