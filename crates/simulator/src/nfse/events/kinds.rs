//! Kinds of events: their authors, their names, the codes of their refusals.
//!
//! Law: anexo II (types of events), layout of pedRegEvento 1.01, OpenAPI of the ADN for the names of distribution.

/// Author of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventRequester {
    Issuer,
    Prestador,
    Tomador,
    Intermediario,
    /// The município or the system itself: no taxpayer's certificate may ask.
    Others,
}

/// A kind of event.
#[derive(Debug)]
pub(super) struct NationalEventKind {
    /// Six digits.
    pub(super) tipo: &'static str,
    /// `xDesc`, as the layout fixes it.
    pub(super) xDesc: &'static str,
    /// Name at the ADN.
    pub(super) name: &'static str,
    pub(super) author: EventRequester,
    /// Code of a refusal because of another event.
    pub(super) blocked: &'static str,
    /// Code of a rejection for other reasons without a text.
    pub(super) unexplained_rejection: Option<&'static str>,
}

/// Cancellation by the issuer.
pub(super) const CANCELLATION: &str = "101101";
/// Cancellation because of a substitute.
pub(super) const SUBSTITUTION: &str = "105102";

const fn kind(
    tipo: &'static str,
    xDesc: &'static str,
    name: &'static str,
    author: EventRequester,
    blocked: &'static str,
) -> NationalEventKind {
    NationalEventKind { tipo, xDesc, name, author, blocked, unexplained_rejection: None }
}

const fn rejection(kind: NationalEventKind, without_words: &'static str) -> NationalEventKind {
    NationalEventKind { unexplained_rejection: Some(without_words), ..kind }
}

#[rustfmt::skip]
static KINDS: [NationalEventKind; 16] = [
    kind("101101", "Cancelamento de NFS-e", "CANCELAMENTO", EventRequester::Issuer, "E0840"),
    kind("101103", "Solicitação de Análise Fiscal para Cancelamento de NFS-e", "SOLICITACAO_CANCELAMENTO_ANALISE_FISCAL", EventRequester::Issuer, "E0848"),
    kind("105102", "Cancelamento de NFS-e por Substituição", "CANCELAMENTO_POR_SUBSTITUICAO", EventRequester::Others, "E0845"),
    kind("105104", "Cancelamento de NFS-e Deferido por Análise Fiscal", "CANCELAMENTO_DEFERIDO_ANALISE_FISCAL", EventRequester::Others, "E0852"),
    kind("105105", "Cancelamento de NFS-e Indeferido por Análise Fiscal", "CANCELAMENTO_INDEFERIDO_ANALISE_FISCAL", EventRequester::Others, "E0855"),
    kind("202201", "Manifestação de NFS-e - Confirmação do Prestador", "CONFIRMACAO_PRESTADOR", EventRequester::Prestador, "E0860"),
    rejection(kind("202205", "Manifestação de NFS-e - Rejeição do Prestador", "REJEICAO_PRESTADOR", EventRequester::Prestador, "E0864"), "E1944"),
    kind("203202", "Manifestação de NFS-e - Confirmação do Tomador", "CONFIRMACAO_TOMADOR", EventRequester::Tomador, "E0861"),
    rejection(kind("203206", "Manifestação de NFS-e - Rejeição do Tomador", "REJEICAO_TOMADOR", EventRequester::Tomador, "E0866"), "E1949"),
    kind("204203", "Manifestação de NFS-e - Confirmação do Intermediário", "CONFIRMACAO_INTERMEDIARIO", EventRequester::Intermediario, "E0862"),
    rejection(kind("204207", "Manifestação de NFS-e - Rejeição do Intermediário", "REJEICAO_INTERMEDIARIO", EventRequester::Intermediario, "E0868"), "E1954"),
    kind("205204", "Manifestação de NFS-e - Confirmação Tácita", "CONFIRMACAO_TACITA", EventRequester::Others, "E0863"),
    kind("205208", "Manifestação de NFS-e - Anulação da Rejeição", "ANULACAO_REJEICAO", EventRequester::Others, "E0870"),
    kind("305101", "Cancelamento de NFS-e por Ofício", "CANCELAMENTO_POR_OFICIO", EventRequester::Others, "E0840"),
    kind("305102", "Bloqueio de NFS-e por Ofício", "BLOQUEIO_POR_OFICIO", EventRequester::Others, "E0840"),
    kind("305103", "Desbloqueio de NFS-e por Ofício", "DESBLOQUEIO_POR_OFICIO", EventRequester::Others, "E0840"),
];

/// The kind of six digits.
pub(super) fn of(tipo: &str) -> Option<&'static NationalEventKind> {
    KINDS.iter().find(|kind| kind.tipo == tipo)
}

/// Confirmation and rejection by a party, which may register one of both.
pub(super) fn manifestations_of(author: EventRequester) -> Vec<&'static str> {
    let of_author = KINDS.iter().filter(|kind| kind.author == author && kind.is_manifestation());
    of_author.map(|kind| kind.tipo).collect()
}

impl NationalEventKind {
    /// True for a confirmation or rejection by a party.
    pub(super) fn is_manifestation(&self) -> bool {
        matches!(self.author, EventRequester::Prestador | EventRequester::Tomador | EventRequester::Intermediario)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_service_asks_for_is_known_under_the_same_text() {
        for asked in fiscal::nfse::event::types() {
            let kind = of(asked.tpEvento).unwrap();
            let described = fiscal::nfse::registered::description(asked.tpEvento);
            assert_eq!(
                (Some(kind.xDesc), kind.author != EventRequester::Others),
                (described, true),
                "{}",
                asked.tpEvento
            );
        }
    }
}
