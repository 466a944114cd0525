//! Acts on a document, a row each: the law beside them and the case in which each is offered.
//!
//! Law: Ajuste SINIEF 07/05, cláusulas 12ª to 14ª-A (NF-e); Ajuste SINIEF 19/16, cláusula 15ª, and NT 2018.004 (NFC-e);
//! Ajuste SINIEF 9/07, cláusulas 14ª and 16ª (CT-e); LC 214/2025 and the convention of each município (NFS-e).

use engine::jobs::query::was_given_out;
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use jiff::Timestamp;
use store::jobs::{Job, JobDocument, JobStatus, Operacao};
use store::numbers::NumberedKind;

/// A document, or an act on one, and the time.
pub(super) struct ActCase<'j> {
    pub(super) job: &'j Job,
    /// Seconds since 1970.
    pub(super) now: i64,
}

/// An act of the panel.
pub(super) struct PanelAct {
    /// Last part of its address.
    pub(super) word: &'static str,
    pub(super) name: &'static str,
    /// Label of the button that does it.
    pub(super) button: &'static str,
    pub(super) effect: &'static str,
    pub(super) is_irreversible: bool,
    is_offered: fn(&ActCase<'_>) -> bool,
}

/// The time that the law gives for an act.
pub(super) struct ActTerm {
    /// Seconds from the authorisation; `None` where no fixed time is known.
    seconds: Option<i64>,
    pub(super) text: &'static str,
    /// True when nothing is sent after it.
    is_hard: bool,
}

impl PanelAct {
    /// The act at an address.
    pub(super) fn at(word: &str) -> Option<&'static PanelAct> {
        ACTS.iter().find(|act| act.word == word)
    }

    /// True when state, family and time allow the act.
    pub(super) fn is_offered(&self, case: &ActCase<'_>) -> bool {
        let in_time = self.term(case).is_none_or(|term| !term.is_hard || term.left(case).is_none_or(|left| left > 0));
        (self.is_offered)(case) && in_time
    }

    /// The law's time for this family.
    pub(super) fn term(&self, case: &ActCase<'_>) -> Option<&'static ActTerm> {
        let counted = case.document()?.counted;
        TERMS.iter().find(|(word, kinds, _)| *word == self.word && kinds.contains(&counted)).map(|(.., term)| term)
    }
}

impl ActTerm {
    /// Seconds left, negative afterwards; `None` where no fixed time is known.
    pub(super) fn left(&self, case: &ActCase<'_>) -> Option<i64> {
        let authorised: Timestamp = case.document()?.dhRecbto.as_deref()?.parse().ok()?;
        Some(authorised.as_second().saturating_add(self.seconds?) - case.now)
    }
}

impl ActCase<'_> {
    fn document(&self) -> Option<&JobDocument> {
        self.job.document.as_ref().filter(|_| self.job.operacao == Operacao::Emissao)
    }

    fn is_authorised(&self, kinds: &[NumberedKind]) -> bool {
        self.document()
            .is_some_and(|document| document.state == DocumentState::Authorized && kinds.contains(&document.counted))
    }
}

const SERVICES: [NumberedKind; 2] = [NumberedKind::Dps, NumberedKind::Rps];
const TRANSPORT: [NumberedKind; 2] = [NumberedKind::Cte, NumberedKind::CteOs];
const EVERY: [NumberedKind; 6] = [
    NumberedKind::Nfe,
    NumberedKind::Nfce,
    NumberedKind::Cte,
    NumberedKind::CteOs,
    NumberedKind::Dps,
    NumberedKind::Rps,
];

/// All acts, in the order of the page.
pub(super) const ACTS: &[PanelAct] = &[
    PanelAct {
        word: "reprocessar",
        name: "Reprocessar",
        button: "Reprocessar agora",
        effect: "Põe a operação de volta na fila, com o mesmo conteúdo. Se ela já pode ter chegado à autoridade, o serviço pergunta antes: nada é \
                 emitido duas vezes.",
        is_irreversible: false,
        is_offered: |case| case.job.status == JobStatus::Failed,
    },
    PanelAct {
        word: "retirar",
        name: "Retirar da fila",
        button: "Retirar da fila",
        effect: "Desiste do que ainda espera, se nada foi enviado à autoridade. O número reservado volta a ficar livre.",
        is_irreversible: true,
        is_offered: |case| case.job.status == JobStatus::Pending,
    },
    PanelAct {
        word: "corrigir",
        name: "Carta de correção",
        button: "Registrar a correção",
        effect: "Registra ao lado do documento a correção de um dado que não seja valor, imposto, quantidade, data nem quem compra ou vende.",
        is_irreversible: true,
        is_offered: |case| case.is_authorised(&[NumberedKind::Nfe, NumberedKind::Cte, NumberedKind::CteOs]),
    },
    PanelAct {
        word: "cancelar",
        name: "Cancelar",
        button: "Cancelar o documento",
        effect: "Registra na autoridade que o documento não vale. Só quando a mercadoria não saiu, ou o serviço não foi prestado.",
        is_irreversible: true,
        is_offered: |case| case.is_authorised(&EVERY),
    },
    PanelAct {
        word: "substituir",
        name: "Cancelar por substituição",
        button: "Cancelar por substituição",
        effect: "Cancela esta NFC-e porque a mesma venda saiu em outra, emitida em contingência off-line. A que fica tem de ter o mesmo valor, \
                 os mesmos itens e o mesmo comprador.",
        is_irreversible: true,
        is_offered: |case| {
            case.is_authorised(&[NumberedKind::Nfce])
                && case.document().is_some_and(|document| document.tipo_emissao == 1)
        },
    },
    PanelAct {
        word: "analise",
        name: "Pedir análise fiscal ao município",
        button: "Enviar o pedido",
        effect: "Pede ao município que cancele a nota quando o prazo do prestador já passou. Ele decide; até lá a nota continua valendo.",
        is_irreversible: true,
        is_offered: |case| {
            let is_pending =
                case.document().is_some_and(|document| document.analise_fiscal.as_deref() == Some("pendente"));
            case.is_authorised(&[NumberedKind::Dps]) && !is_pending
        },
    },
    PanelAct {
        word: "inutilizar",
        name: "Inutilizar o número",
        button: "Inutilizar o número",
        effect: "Declara à autoridade que nenhum documento vai usar este número. Quase nunca é preciso: o número de uma nota recusada fica livre e a \
                 próxima nota o usa.",
        is_irreversible: true,
        is_offered: |case| {
            case.document().is_some_and(|document| {
                document.state == DocumentState::Rejected
                    && matches!(case.job.tipo, Tipo::Nfe | Tipo::Nfce)
                    && !was_given_out(document)
            })
        },
    },
];

const HOUR_S: i64 = 3_600;

/// Times by act and kind of document.
const TERMS: &[(&str, &[NumberedKind], ActTerm)] = &[
    (
        "cancelar",
        &[NumberedKind::Nfe],
        ActTerm {
            seconds: Some(24 * HOUR_S),
            text: "24 horas depois da autorização. Passado o prazo, alguns estados ainda aceitam, fora de prazo; outros recusam (501).",
            is_hard: false,
        },
    ),
    (
        "cancelar",
        &[NumberedKind::Nfce],
        ActTerm {
            seconds: Some(HOUR_S / 2),
            text: "30 minutos depois da autorização. Depois, a autoridade costuma recusar (501).",
            is_hard: false,
        },
    ),
    (
        "cancelar",
        &TRANSPORT,
        ActTerm { seconds: Some(168 * HOUR_S), text: "7 dias (168 horas) depois da autorização.", is_hard: true },
    ),
    (
        "cancelar",
        &SERVICES,
        ActTerm {
            seconds: None,
            text: "O prazo é de cada município. Passado ele, resta substituir a nota ou pedir a análise fiscal.",
            is_hard: false,
        },
    ),
    (
        "substituir",
        &[NumberedKind::Nfce],
        ActTerm { seconds: Some(168 * HOUR_S), text: "168 horas (7 dias) depois da autorização.", is_hard: false },
    ),
    (
        "corrigir",
        &[NumberedKind::Nfe],
        ActTerm {
            seconds: Some(720 * HOUR_S),
            text: "30 dias (720 horas) depois da autorização. Até 20 cartas; cada uma substitui as anteriores.",
            is_hard: false,
        },
    ),
    (
        "corrigir",
        &TRANSPORT,
        ActTerm {
            seconds: None,
            text: "Sem prazo fixo na lei. O serviço repete em cada carta as correções anteriores. Depois de uma carta o CT-e não pode mais ser cancelado.",
            is_hard: false,
        },
    ),
    (
        "analise",
        &[NumberedKind::Dps],
        ActTerm { seconds: None, text: "Depois do prazo de cancelamento do município.", is_hard: false },
    ),
    (
        "inutilizar",
        &[NumberedKind::Nfe, NumberedKind::Nfce],
        ActTerm { seconds: None, text: "Até o dia 10 do mês seguinte ao da lacuna.", is_hard: false },
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_is_of_an_act_and_no_act_has_two_for_a_kind() {
        for (word, kinds, _) in TERMS {
            assert!(PanelAct::at(word).is_some(), "{word}");
            for kind in *kinds {
                let of_kind = TERMS.iter().filter(|(other, others, _)| other == word && others.contains(kind));
                assert_eq!(of_kind.count(), 1, "{word} {kind:?}");
            }
        }
    }
}
