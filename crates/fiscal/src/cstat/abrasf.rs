//! Codes of ABRASF and their consequence for a document. Providers reuse the numbers of 1.00 and add their own, so only
//! a listed code decides anything.
//!
//! Law: ABRASF, manual de integração 1.00, annex (E1–E161).

use super::Class;
use crate::value::Codigo;

/// Consequence of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reaction {
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
struct Row {
    codes: &'static [(u16, u16)],
    reaction: Reaction,
    advice: &'static str,
}

/// A code in no row refuses by the provider's text alone.
static ROWS: [Row; 13] = [
    Row {
        codes: &[(10, 10)],
        reaction: Reaction::Ask,
        advice: "O serviço consulta a nota por RPS e a adota, se for a mesma.",
    },
    Row {
        codes: &[(4, 4), (89, 89), (91, 91)],
        reaction: Reaction::SendAgain,
        advice: "A prefeitura não tem este RPS; ele pode ser enviado de novo.",
    },
    Row { codes: &[(92, 92)], reaction: Reaction::Wait, advice: "O lote está em processamento; aguarde." },
    Row {
        codes: &[(86, 87)],
        reaction: Reaction::NotReceived,
        advice: "A prefeitura não conhece o lote; o serviço pergunta pelo RPS antes de reenviar.",
    },
    Row { codes: &[(79, 79)], reaction: Reaction::Cancelled, advice: "A nota já estava cancelada." },
    Row { codes: &[(77, 78)], reaction: Reaction::NoSuchNote, advice: "Confira o número da NFS-e." },
    Row {
        codes: &[(6, 7)],
        reaction: Reaction::Final,
        advice: "A nota não pode mais ser cancelada por aqui; procure a prefeitura.",
    },
    Row {
        codes: &[(160, 160)],
        reaction: Reaction::Schema,
        advice: "A mensagem não está no esquema que a prefeitura espera; guarde o XML e confira a versão do provedor.",
    },
    Row {
        codes: &[(3, 3), (8, 9), (43, 46), (50, 50), (138, 138), (141, 142), (144, 147), (156, 156)],
        reaction: Reaction::Configuration,
        advice: "Confira a inscrição municipal, a autorização e o regime na configuração da empresa.",
    },
    Row {
        codes: &[(1, 1), (157, 157)],
        reaction: Reaction::Credentials,
        advice: "Confira o certificado e as credenciais da prefeitura na configuração da empresa.",
    },
    Row {
        codes: &[(47, 48), (51, 62), (113, 127)],
        reaction: Reaction::Receiver,
        advice: "Corrija os dados do tomador.",
    },
    Row {
        codes: &[(2, 2), (14, 40), (94, 95), (98, 106), (152, 153)],
        reaction: Reaction::Payload,
        advice: "Corrija datas, valores ou serviço.",
    },
    Row {
        codes: &[(49, 49), (69, 69), (71, 72), (88, 88), (151, 151), (159, 159)],
        reaction: Reaction::Batch,
        advice: "O lote não confere consigo mesmo; é um defeito deste serviço, e o XML deve ser guardado.",
    },
];

/// The consequence of a code; `None` for a code in no row.
pub fn reaction(codigo: &Codigo) -> Option<Reaction> {
    row(codigo).map(|row| row.reaction)
}

/// The remedy for a code, in one sentence.
pub fn advice(codigo: &Codigo) -> Option<&'static str> {
    row(codigo).map(|row| row.advice)
}

/// Every range of codes with its remedy, for the API reference.
pub fn advices() -> impl Iterator<Item = (&'static [(u16, u16)], &'static str)> {
    ROWS.iter().map(|row| (row.codes, row.advice))
}

/// The class of a code for its document. ABRASF has no code of success; [`GENERATED`] stands for it.
pub fn class(codigo: &Codigo) -> Class {
    if *codigo == GENERATED {
        return Class::Authorized;
    }
    match reaction(codigo) {
        Some(Reaction::Ask | Reaction::NotReceived) => Class::Duplicate,
        Some(Reaction::SendAgain) => Class::Unknown,
        Some(Reaction::Wait) => Class::Pending,
        Some(Reaction::Cancelled) => Class::Cancelled,
        Some(_) => Class::Rejected,
        None if number(codigo).is_some_and(|number| (1..=LAST).contains(&number)) => Class::Rejected,
        None => Class::Unlisted,
    }
}

/// True when the code refuses values of the document, and so cannot refuse a query for it.
pub fn is_about_the_document(codigo: &Codigo) -> bool {
    matches!(reaction(codigo), Some(Reaction::Payload | Reaction::Receiver))
}

/// Last code of the annex of ABRASF 1.00. Higher numbers and other letters are the providers' own.
const LAST: u16 = 161;

/// Code of this service for an issued NFS-e.
pub const GENERATED: u16 = 100;

fn number(codigo: &Codigo) -> Option<u16> {
    let digits = codigo.as_str().strip_prefix(['E', 'e'])?;
    digits.parse().ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()))
}

fn row(codigo: &Codigo) -> Option<&'static Row> {
    let number = number(codigo)?;
    ROWS.iter().find(|row| row.codes.iter().any(|(first, last)| (*first..=*last).contains(&number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: &str) -> Option<Reaction> {
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
            ("E10", Some(Reaction::Ask), Class::Duplicate),
            ("E4", Some(Reaction::SendAgain), Class::Unknown),
            ("E004", Some(Reaction::SendAgain), Class::Unknown),
            ("E91", Some(Reaction::SendAgain), Class::Unknown),
            ("E92", Some(Reaction::Wait), Class::Pending),
            ("E86", Some(Reaction::NotReceived), Class::Duplicate),
            ("E79", Some(Reaction::Cancelled), Class::Cancelled),
            ("E6", Some(Reaction::Final), Class::Rejected),
            ("E45", Some(Reaction::Configuration), Class::Rejected),
            ("E120", Some(Reaction::Receiver), Class::Rejected),
            ("E157", Some(Reaction::Credentials), Class::Rejected),
            ("E174", None, Class::Unlisted),
            ("E5", None, Class::Rejected),
            ("E999", None, Class::Unlisted),
            ("L10", None, Class::Unlisted),
            ("10", None, Class::Unlisted),
            ("100", None, Class::Authorized),
        ] {
            assert_eq!(of(code), reaction, "{code}");
            assert_eq!(super::class(&Codigo::parse(code).unwrap()), class, "{code}");
        }
    }
}
