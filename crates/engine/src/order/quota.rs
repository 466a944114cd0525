//! Quota that an operation debits.
//!
//! Law: `docs/contract.md`, "Limits": an emission debits its document type; of the cancellations only that of a CT-e
//! does.

use fiscal::tipo::Tipo;
use store::jobs::Operacao;
use store::quotas::Familia;

/// Returns the document type that a job of this kind debits when it is registered.
pub(crate) fn of(tipo: Tipo, operacao: Operacao) -> Option<Familia> {
    match operacao {
        Operacao::Emissao => Familia::from_word(tipo.word()),
        Operacao::Cancelamento => (tipo == Tipo::Cte).then_some(Familia::Cte),
        Operacao::CartaCorrecao
        | Operacao::AtorInteressado
        | Operacao::Manifestacao
        | Operacao::Evento
        | Operacao::AnaliseFiscal
        | Operacao::Inutilizacao => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_cancellations_only_that_of_a_cte_debits() {
        assert_eq!(of(Tipo::Nfe, Operacao::Emissao), Some(Familia::Nfe));
        assert_eq!(of(Tipo::Nfe, Operacao::Cancelamento), None);
        assert_eq!(of(Tipo::Cte, Operacao::Cancelamento), Some(Familia::Cte));
        assert_eq!(of(Tipo::Nfe, Operacao::CartaCorrecao), None);
    }
}
