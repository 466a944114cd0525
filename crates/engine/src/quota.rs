//! Which quota an operation debits.
//!
//! Law: `spec/interface.md`, Limits: an emission debits its document type; of the cancellations only that of a CT-e does.

use store::jobs::Operacao;
use store::quotas::Familia;

/// The family that a job of this kind debits when it is registered.
pub(crate) fn of(tipo: &str, operacao: Operacao) -> Option<Familia> {
    match operacao {
        Operacao::Emissao => Familia::from_word(tipo),
        Operacao::Cancelamento => (tipo == "cte").then_some(Familia::Cte),
        Operacao::CartaCorrecao | Operacao::AtorInteressado | Operacao::Manifestacao | Operacao::Inutilizacao => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_cancellations_only_that_of_a_cte_debits() {
        assert_eq!(of("nfe", Operacao::Emissao), Some(Familia::Nfe));
        assert_eq!(of("nfe", Operacao::Cancelamento), None);
        assert_eq!(of("cte", Operacao::Cancelamento), Some(Familia::Cte));
        assert_eq!(of("nfe", Operacao::CartaCorrecao), None);
    }
}
