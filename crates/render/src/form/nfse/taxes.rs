//! What the município and the federation take of a service, but for the CBS.
//!
//! Law: NT 008, 2.1.8 and 2.1.9, notes 4 to 6. Its table gives title and kind of taxation of the ISSQN one place; their
//! widths fill the row only side by side. Contributions withheld in the old way (`tpRetPisCofins` 1) are told apart by
//! version 1.02.

use super::block::Block;
use super::note::Note;
use super::row::{Row, field, row};
use super::{codes, shown};
use crate::form::value;

const OUTSIDE: &str = "TRIBUTAÇÃO MUNICIPAL (ISSQN) - OPERAÇÃO NÃO SUJEITA AO ISSQN";
/// `tribISSQN` of what the ISSQN does not touch.
const NO_INCIDENCE: &str = "4";
/// The contributions have a row, and are not in the base of IBS and CBS, up to this day of competence.
pub(super) const LAST_DAY: &str = "2026-12-31";

/// ISSQN.
pub(super) fn municipal<'x>(note: &Note<'x>) -> Block<'x> {
    let at = |tag: &str| note.dps(&format!("valores/trib/tribMun/{tag}"));
    if at("tribISSQN") == NO_INCIDENCE {
        return Block::instead(OUTSIDE);
    }
    let first = row([
        field("Tipo de Tributação do ISSQN", codes::words(codes::ISSQN, at("tribISSQN"))),
        field("Município / Sigla UF / País da Incidência do ISSQN", incidence(note)).over(2),
    ]);
    let special = row([
        field(
            "Regime Especial de Tributação do ISSQN",
            codes::words(codes::SPECIAL, note.dps("prest/regTrib/regEspTrib")),
        ),
        field("Tipo de Imunidade do ISSQN", shown::cut(codes::words(codes::IMMUNITY, at("tpImunidade")), 40)),
        field(
            "Suspensão da Exigibilidade do ISSQN",
            shown::cut(codes::words(codes::SUSPENSION, at("exigSusp/tpSusp")), 40),
        ),
        field("Número Processo Suspensão", at("exigSusp/nProcesso")),
    ]);
    let base = row([
        field("BC ISSQN", shown::money(note.nfse("valores/vBC"))),
        field("Alíquota Aplicada", value::rate(note.nfse("valores/pAliqAplic"))),
        field("Retenção do ISSQN", codes::words(codes::ISSQN_WITHHELD, at("tpRetISSQN"))),
        field("ISSQN Apurado", shown::money(note.nfse("valores/vISSQN"))),
    ]);
    let mut rows = vec![first];
    rows.extend([special, reductions(note)].into_iter().filter(Row::says_something));
    rows.push(base);
    Block::rows("TRIBUTAÇÃO MUNICIPAL (ISSQN)", rows)
}

/// What makes the base smaller.
fn reductions<'x>(note: &Note<'x>) -> Row<'x> {
    let calculated = note.nfse("valores/vCalcBM");
    let benefit = if calculated.is_empty() { note.dps("valores/trib/tribMun/BM/vRedBCBM") } else { calculated };
    let told = note.dps("valores/vDedRed/vDR");
    let deducted = if told.is_empty() { note.nfse("valores/vCalcDR") } else { told };
    row([
        field("Benefício Municipal", codes::words(codes::BENEFIT, note.nfse("valores/tpBM"))),
        field("Cálculo do BM", shown::money(benefit)),
        field("Total Deduções/Reduções", shown::sum(&[deducted, note.nfse("IBSCBS/valores/vCalcReeRepRes")])),
        field("Desconto Incondicionado", shown::money(note.dps("valores/vDescCondIncond/vDescIncond"))),
    ])
}

/// To whom the ISSQN is due, or where the service has its result.
fn incidence(note: &Note<'_>) -> String {
    let (code, name) = (note.nfse("cLocIncid"), note.nfse("xLocIncid"));
    let name = if name.is_empty() { shown::town(code) } else { name };
    let abroad = note.dps("valores/trib/tribMun/cPaisResult");
    let country = if abroad.is_empty() && !code.is_empty() { "BR" } else { abroad };
    shown::cut(&shown::together(&[name, shown::state(code), country]), 42)
}

/// IRRF and contributions.
pub(super) fn federal<'x>(note: &Note<'x>) -> Block<'x> {
    let at = |tag: &str| note.dps(&format!("valores/trib/tribFed/{tag}"));
    let (pis, cofins) = (at("piscofins/vPis"), at("piscofins/vCofins"));
    let withheld = at("piscofins/tpRetPisCofins");
    let (retained, [pis, cofins]) = match withheld {
        "1" => (shown::sum(&[at("vRetCSLL"), pis, cofins]), ["0.00", "0.00"]),
        _ => (shown::money(at("vRetCSLL")), [pis, cofins]),
    };
    let mut rows = vec![row([
        field("IRRF", shown::money(at("vRetIRRF"))),
        field("Contribuição Previdenciária - Retida", shown::money(at("vRetCP"))),
        field("Contribuições Sociais - Retidas", retained),
    ])];
    if note.dps("dCompet") <= LAST_DAY {
        rows.push(row([
            field("PIS - Débito Apuração Própria", shown::money(pis)),
            field("COFINS - Débito Apuração Própria", shown::money(cofins)),
            field("Descrição Contrib. Sociais - Retidas", shown::cut(codes::words(codes::WITHHELD, withheld), 35))
                .over(2),
        ]));
    }
    Block::rows("TRIBUTAÇÃO FEDERAL (EXCETO CBS)", rows)
}
