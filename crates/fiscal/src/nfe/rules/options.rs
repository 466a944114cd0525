//! Choices of the states where the manual allows them, as data: one row per choice, with its source.
//!
//! Law: the remarks "a critério da UF" of MOC 7.0, anexo I, and of the technical notes. A choice without an available
//! official text is not guessed: its row has no state, and an operator of the simulator may set it (`opcoes`).

use crate::value::Uf;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// A choice of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateChoice {
    /// NFC-e is not accepted at all (702).
    SemNfce,
    /// No offline contingency (712).
    SemOffline,
    /// NFC-e may be issued under EPEC, `tpEmis` 4 (exception of 714).
    EpecNfce,
    /// CST 90 in retail (exception of 766).
    Cst90NoVarejo,
    /// CSOSN 900 in retail (exception of 383).
    Csosn900NoVarejo,
    /// CFOP 5949 in retail (observation of 725).
    Cfop5949NoVarejo,
    /// CFOP 5405 with CST 90 or CSOSN 900 in retail (observation of 382 and 386).
    Cfop5405Com90,
    /// Contributors without an own registration are not accepted as addressees (805); decided by the addressee's state.
    SemContribuinteIsento,
    /// `cBenef` is required with a CST that means a benefit (930).
    ExigeCBenef,
    /// `cBenef` is refused with a CST that means none (928).
    ConfereCBenef,
    /// `cBenef` requires `vICMSDeson` and `motDesICMS` (934).
    ExigeDesoneracao,
    /// `infRespTec` is required (972, 973).
    ExigeRespTec,
    /// `idCSRT` and `hashCSRT` are required (975).
    ExigeCsrt,
    /// `IEST` is accepted inside the state too (exception of 347).
    IestEmOperacaoInterna,
    /// A return of another state refers to model 55 only (954).
    RecusaDevolucaoDeVarejoDeFora,
    /// Keys without `cNF` (`refNFeSig`) are refused (956).
    RecusaChaveSemCodigo,
    /// CST 51 states the deferred amounts (929 of N12-97).
    ExigeDiferimento,
    /// Exception of that for returns and adjustments.
    DiferimentoLivreEmDevolucao,
    /// Exception of that for entries.
    DiferimentoLivreEmEntrada,
    /// CST 51 states the deferred amounts in every document (929 of N07-10).
    ExigeDiferimentoSempre,
    /// The ICMS base of a document has a limit (935).
    LimitaBaseDoIcms,
    /// A buyer above the limit has a name (751).
    ExigeNomeAcimaDoLimite,
    /// A buyer above the limit has an address (752).
    ExigeEnderecoAcimaDoLimite,
    /// Items are numbered 1, 2, 3… (927).
    ExigeItensEmOrdem,
    /// The FCP under substitution is recomputed (860 of N23d).
    ConfereFcpSt,
    /// CST 10 and 02 in sales to non-contributors inside the state (exception 8 of 508).
    SubstituicaoANaoContribuinte,
    /// CST 51 in sales to a company without a registration inside the state (exception 3 of 529).
    DiferimentoAIsento,
    /// Codes of the IPI newer than the manual's table of 2020 (387).
    AceitaCEnqForaDaTabela,
    /// An NFC-e with a CFOP of fuel describes it (660).
    ExigeCombustivelNaNfce,
}

/// Row: a choice, its states, its source.
pub struct ChoiceRow {
    /// The choice.
    pub choice: StateChoice,
    /// States that made the choice.
    pub states: &'static [Uf],
    /// Official text of the choice.
    pub source: &'static str,
}

const fn row(choice: StateChoice, states: &'static [Uf], source: &'static str) -> ChoiceRow {
    ChoiceRow { choice, states, source }
}

/// All choices.
pub const ROWS: &[ChoiceRow] = {
    use StateChoice::*;
    use Uf::*;
    &[
        row(SemNfce, &[], "MOC 7.0 anexo I, B06-10; sem UF conhecida: todas aceitam NFC-e"),
        row(SemOffline, &[], "MOC 7.0 anexo I, B22-20; sem UF conhecida"),
        row(EpecNfce, &[], "MOC 7.0 anexo I, B22-34, observação; sem UF conhecida em texto oficial"),
        row(Cst90NoVarejo, &[RS, CE], "NT 2026.002, N12-40, observações 1 e 2"),
        row(Csosn900NoVarejo, &[RS, CE, SP], "NT 2026.002, N12a-40, observações 1 a 3"),
        row(Cfop5949NoVarejo, &[RS, SP], "NT 2026.002, I08-150, observações 1 e 2"),
        row(Cfop5405Com90, &[CE], "NT 2026.002, N12-40 e N12a-40, observação 2"),
        row(
            SemContribuinteIsento,
            &[AL, AM, BA, CE, DF, ES, GO, MG, MS, MT, PB, PE, RJ, RN, RS, SE, SP],
            "NT 2025.001 v1.03, E16a-30",
        ),
        row(ExigeCBenef, &[], "MOC 7.0 anexo I, N12-84 e N12-85; a tabela de cada UF não está aqui"),
        row(ConfereCBenef, &[], "MOC 7.0 anexo I, I05f-10; a tabela de cada UF não está aqui"),
        row(ExigeDesoneracao, &[], "MOC 7.0 anexo I, I05f-30 e N12-90; a tabela de cada UF não está aqui"),
        row(ExigeCombustivelNaNfce, &[], "MOC 7.0 anexo I, LA01-20, observação; sem UF conhecida em texto oficial"),
        row(ExigeRespTec, &[AM, MS, PE, PR, SC, TO], "MOC 7.0 anexo I, ZD01-10"),
        row(ExigeCsrt, &[], "MOC 7.0 anexo I, ZD07-10: implementação futura em todas as UF"),
        row(IestEmOperacaoInterna, &[], "MOC 7.0 anexo I, C18-14, exceção; sem UF conhecida em texto oficial"),
        row(
            RecusaDevolucaoDeVarejoDeFora,
            &[],
            "NT 2022.003 v1.11, BA02-70: facultativa na tabela, implementação futura em 2.3.2; sem UF conhecida",
        ),
        row(RecusaChaveSemCodigo, &[PE], "NT 2022.003 v1.11, BA02a-120, observação"),
        row(ExigeDiferimento, &[GO, PR, RJ, SP], "NT 2019.001 v1.70, 3.6.1, N12-97"),
        row(DiferimentoLivreEmDevolucao, &[GO, RJ, SP], "NT 2019.001 v1.70, 3.6.1, N12-97, exceções 2 e 3"),
        row(DiferimentoLivreEmEntrada, &[SP], "NT 2019.001 v1.70, 3.6.1, N12-97, exceção 4"),
        row(ExigeDiferimentoSempre, &[], "NT 2019.001 v1.70, N07-10: a critério da UF; sem UF conhecida"),
        row(LimitaBaseDoIcms, &[], "NT 2019.001 v1.70, W03-20: facultativa, por UF e modelo; sem UF conhecida"),
        row(ExigeNomeAcimaDoLimite, &[], "NT 2026.002, W16-50: opcional; sem UF conhecida"),
        row(ExigeEnderecoAcimaDoLimite, &[], "NT 2026.002, W16-60: opcional; sem UF conhecida"),
        row(ExigeItensEmOrdem, &[], "NT 2019.001 v1.70, H02-10: opcional; sem UF conhecida"),
        row(ConfereFcpSt, &[], "MOC 7.0 anexo I, N23d-10, observação 2; sem UF conhecida"),
        row(SubstituicaoANaoContribuinte, &[], "NT 2023.001 v1.60, N12-70, exceção 8; sem UF conhecida"),
        row(DiferimentoAIsento, &[], "NT 2020.005 v1.21, N12-80, exceção 3; sem UF conhecida"),
        row(AceitaCEnqForaDaTabela, &[], "MOC 7.0 visão geral, tabela 8-6, de 2020: nenhuma posterior publicada"),
    ]
};

/// Choices of a state, and the limits it set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateChoices {
    /// A bit per choice; see `StateChoices::has` and `StateChoices::with`.
    #[doc(hidden)]
    pub made: u64,
    /// Highest `vNF` of model 55 (628), where there is one.
    pub limit: Option<Decimal>,
    /// Highest `vNF` of retail (780).
    pub retail_limit: Decimal,
    /// Highest `vNF` for an unidentified buyer (750, 752).
    pub unidentified_limit: Decimal,
}

/// R$ 200.000,00: default of W16-30.
const RETAIL_LIMIT: Decimal = Decimal::from_parts(200_000, 0, 0, false, 0);
/// R$ 10.000,00: default of W16-40 (NT 2026.002 lets each state set its own).
const UNIDENTIFIED_LIMIT: Decimal = Decimal::from_parts(10_000, 0, 0, false, 0);

impl StateChoices {
    /// Returns the officially known choices of a state.
    pub fn of(uf: Option<Uf>) -> StateChoices {
        let chosen = ROWS.iter().filter(|row| uf.is_some_and(|uf| row.states.contains(&uf)));
        let made = chosen.fold(0, |made, row| made | bit(row.choice));
        StateChoices { made, limit: None, retail_limit: RETAIL_LIMIT, unidentified_limit: UNIDENTIFIED_LIMIT }
    }

    /// True when the choice was made.
    pub fn has(&self, choice: StateChoice) -> bool {
        self.made & bit(choice) != 0
    }

    /// Sets or clears a choice.
    #[must_use]
    pub fn with(self, choice: StateChoice, made: bool) -> StateChoices {
        let rest = self.made & !bit(choice);
        StateChoices { made: if made { rest | bit(choice) } else { rest }, ..self }
    }
}

fn bit(choice: StateChoice) -> u64 {
    1 << (choice as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_has_what_its_rows_say_and_nothing_else() {
        let rs = StateChoices::of(Some(Uf::RS));
        assert!(
            rs.has(StateChoice::Cst90NoVarejo)
                && rs.has(StateChoice::Cfop5949NoVarejo)
                && !rs.has(StateChoice::ExigeRespTec)
        );
        assert!(StateChoices::of(Some(Uf::PR)).has(StateChoice::ExigeRespTec));
        assert!(!StateChoices::of(None).has(StateChoice::SemContribuinteIsento));
    }

    #[test]
    fn an_operator_chooses_otherwise() {
        let chosen =
            StateChoices::of(Some(Uf::SP)).with(StateChoice::SemNfce, true).with(StateChoice::Csosn900NoVarejo, false);
        assert!(
            chosen.has(StateChoice::SemNfce)
                && !chosen.has(StateChoice::Csosn900NoVarejo)
                && chosen.has(StateChoice::Cfop5949NoVarejo)
        );
    }

    #[test]
    fn every_choice_has_one_row_with_its_source() {
        for (at, row) in ROWS.iter().enumerate() {
            assert!(!row.source.is_empty());
            assert!(ROWS.iter().skip(at + 1).all(|other| other.choice != row.choice), "{:?}", row.choice);
        }
        assert_eq!(
            ROWS.iter().map(|row| bit(row.choice)).fold(0, |all, one| all | one).count_ones() as usize,
            ROWS.len()
        );
    }
}
