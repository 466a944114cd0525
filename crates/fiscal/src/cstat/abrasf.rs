//! Codes of ABRASF and their consequence for a document. Providers reuse the numbers of 1.00 and add their own, so only
//! a listed code decides anything.
//!
//! Law: ABRASF, manual de integração 1.00, annex (E1–E161).

use super::CodeClass;
use crate::value::Codigo;

/// Consequence of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CodeReaction {
    /// The RPS is registered already: query by it, and adopt the NFS-e if it is the same.
    Ask,
    /// The RPS is not registered and may be sent again.
    SendAgain,
    /// In process: query later.
    Wait,
    /// Lot or protocol unknown: not received, once the quiet time is over.
    NotReceived,
    /// The NFS-e is cancelled already.
    Cancelled,
    /// The NFS-e does not exist, or its number is missing.
    NoSuchNote,
    /// The NFS-e can no longer be cancelled.
    Final,
    /// Outside of the schema: a defect of ours, or a change of the provider.
    Schema,
    /// Registration, authorisation or regime, from the company's configuration.
    Configuration,
    /// User, password, certificate.
    Credentials,
    /// Data of the tomador.
    Receiver,
    /// Dates, amounts, service.
    Payload,
    /// A lot that contradicts itself, a defect of this service.
    Batch,
}

/// Codes with one consequence, as ranges from first to last.
struct ReactionRow {
    codes: &'static [(u16, u16)],
    reaction: CodeReaction,
    remedy: &'static str,
}

/// A code in no row refuses by the provider's text alone.
static ROWS: [ReactionRow; 13] = [
    ReactionRow {
        codes: &[(10, 10)],
        reaction: CodeReaction::Ask,
        remedy: "O serviço consulta a nota por RPS e a adota, se for a mesma.",
    },
    ReactionRow {
        codes: &[(4, 4), (89, 89), (91, 91)],
        reaction: CodeReaction::SendAgain,
        remedy: "A prefeitura não tem este RPS; ele pode ser enviado de novo.",
    },
    ReactionRow { codes: &[(92, 92)], reaction: CodeReaction::Wait, remedy: "O lote está em processamento; aguarde." },
    ReactionRow {
        codes: &[(86, 87)],
        reaction: CodeReaction::NotReceived,
        remedy: "A prefeitura não conhece o lote; o serviço pergunta pelo RPS antes de reenviar.",
    },
    ReactionRow { codes: &[(79, 79)], reaction: CodeReaction::Cancelled, remedy: "A nota já estava cancelada." },
    ReactionRow { codes: &[(77, 78)], reaction: CodeReaction::NoSuchNote, remedy: "Confira o número da NFS-e." },
    ReactionRow {
        codes: &[(6, 7)],
        reaction: CodeReaction::Final,
        remedy: "A nota não pode mais ser cancelada por aqui; procure a prefeitura.",
    },
    ReactionRow {
        codes: &[(160, 160)],
        reaction: CodeReaction::Schema,
        remedy: "A mensagem não está no esquema que a prefeitura espera; guarde o XML e confira a versão do provedor.",
    },
    ReactionRow {
        codes: &[(3, 3), (8, 9), (43, 46), (50, 50), (138, 138), (141, 142), (144, 147), (156, 156)],
        reaction: CodeReaction::Configuration,
        remedy: "Confira a inscrição municipal, a autorização e o regime na configuração da empresa.",
    },
    ReactionRow {
        codes: &[(1, 1), (157, 157)],
        reaction: CodeReaction::Credentials,
        remedy: "Confira o certificado e as credenciais da prefeitura na configuração da empresa.",
    },
    ReactionRow {
        codes: &[(47, 48), (51, 62), (113, 127)],
        reaction: CodeReaction::Receiver,
        remedy: "Corrija os dados do tomador.",
    },
    ReactionRow {
        codes: &[(2, 2), (14, 40), (94, 95), (98, 106), (152, 153)],
        reaction: CodeReaction::Payload,
        remedy: "Corrija datas, valores ou serviço.",
    },
    ReactionRow {
        codes: &[(49, 49), (69, 69), (71, 72), (88, 88), (151, 151), (159, 159)],
        reaction: CodeReaction::Batch,
        remedy: "O lote não confere consigo mesmo; é um defeito deste serviço, e o XML deve ser guardado.",
    },
];

/// The consequence of a code; `None` for a code in no row.
pub fn reaction(codigo: &Codigo) -> Option<CodeReaction> {
    row(codigo).map(|row| row.reaction)
}

/// The remedy for a code, in one sentence.
pub fn remedy(codigo: &Codigo) -> Option<&'static str> {
    row(codigo).map(|row| row.remedy)
}

/// Every range of codes with its remedy, for the API reference.
pub fn remedies() -> impl Iterator<Item = (&'static [(u16, u16)], &'static str)> {
    ROWS.iter().map(|row| (row.codes, row.remedy))
}

/// The class of a code for its document. ABRASF has no code of success; [`GENERATED`] stands for it.
pub fn class(codigo: &Codigo) -> CodeClass {
    if *codigo == GENERATED {
        return CodeClass::Authorized;
    }
    match reaction(codigo) {
        Some(CodeReaction::Ask | CodeReaction::NotReceived) => CodeClass::Duplicate,
        Some(CodeReaction::SendAgain) => CodeClass::Unknown,
        Some(CodeReaction::Wait) => CodeClass::Pending,
        Some(CodeReaction::Cancelled) => CodeClass::Cancelled,
        Some(_) => CodeClass::Rejected,
        None if number(codigo).is_some_and(|number| (1..=LAST).contains(&number)) => CodeClass::Rejected,
        None => CodeClass::Unlisted,
    }
}

/// True when the code refuses values of the document, and so cannot refuse a query for it.
pub fn refuses_document_values(codigo: &Codigo) -> bool {
    matches!(reaction(codigo), Some(CodeReaction::Payload | CodeReaction::Receiver))
}

/// Last code of the annex of ABRASF 1.00. Higher numbers and other letters are the providers' own.
const LAST: u16 = 161;

/// Code of this service for an issued NFS-e.
pub const GENERATED: u16 = 100;

fn number(codigo: &Codigo) -> Option<u16> {
    let digits = codigo.as_str().strip_prefix(['E', 'e'])?;
    digits.parse().ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()))
}

fn row(codigo: &Codigo) -> Option<&'static ReactionRow> {
    let number = number(codigo)?;
    ROWS.iter().find(|row| row.codes.iter().any(|(first, last)| (*first..=*last).contains(&number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: &str) -> Option<CodeReaction> {
        reaction(&Codigo::parse(code).unwrap())
    }

    #[test]
    fn no_code_stands_in_two_rows() {
        let ranges: Vec<(u16, u16)> = ROWS.iter().flat_map(|row| row.codes).copied().collect();
        for (at, (first, last)) in ranges.iter().enumerate() {
            assert!(first <= last);
            for (other, (from, to)) in ranges.iter().enumerate().filter(|(other, _)| *other != at) {
                assert!(last < from || to < first, "{at} {other}");
            }
        }
    }

    #[test]
    fn codes_that_decide_are_told_from_those_that_tell() {
        for (code, reaction, class) in [
            ("E10", Some(CodeReaction::Ask), CodeClass::Duplicate),
            ("E4", Some(CodeReaction::SendAgain), CodeClass::Unknown),
            ("E004", Some(CodeReaction::SendAgain), CodeClass::Unknown),
            ("E91", Some(CodeReaction::SendAgain), CodeClass::Unknown),
            ("E92", Some(CodeReaction::Wait), CodeClass::Pending),
            ("E86", Some(CodeReaction::NotReceived), CodeClass::Duplicate),
            ("E79", Some(CodeReaction::Cancelled), CodeClass::Cancelled),
            ("E6", Some(CodeReaction::Final), CodeClass::Rejected),
            ("E45", Some(CodeReaction::Configuration), CodeClass::Rejected),
            ("E120", Some(CodeReaction::Receiver), CodeClass::Rejected),
            ("E157", Some(CodeReaction::Credentials), CodeClass::Rejected),
            ("E174", None, CodeClass::Unlisted),
            ("E5", None, CodeClass::Rejected),
            ("E999", None, CodeClass::Unlisted),
            ("L10", None, CodeClass::Unlisted),
            ("10", None, CodeClass::Unlisted),
            ("100", None, CodeClass::Authorized),
        ] {
            assert_eq!(of(code), reaction, "{code}");
            assert_eq!(super::class(&Codigo::parse(code).unwrap()), class, "{code}");
        }
    }
}
