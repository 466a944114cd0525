//! Operations of jobs.

use crate::words::word_table;

/// Operation of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operacao {
    /// Issues a document.
    Emissao,
    /// Cancels a document.
    Cancelamento,
    /// Registers a correction letter.
    CartaCorrecao,
    /// Allows another party to download a document.
    AtorInteressado,
    /// States the receiver's position on a received document.
    Manifestacao,
    /// Registers any other event on a transported document.
    Evento,
    /// Requests the município's analysis of a service note that its issuer cannot cancel any more.
    AnaliseFiscal,
    /// Voids numbers that no document will carry.
    Inutilizacao,
}

word_table!(pub Operacao {
    Emissao => "emissao",
    Cancelamento => "cancelamento",
    CartaCorrecao => "carta_correcao",
    AtorInteressado => "ator_interessado",
    Manifestacao => "manifestacao",
    Evento => "evento",
    AnaliseFiscal => "analise_fiscal",
    Inutilizacao => "inutilizacao",
});
