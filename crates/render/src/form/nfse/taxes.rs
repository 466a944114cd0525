//! Taxes of the município and of the federation, except the CBS. Contributions withheld in the old way
//! (`tpRetPisCofins` 1) are distinguished by version 1.02.
//!
//! Law: NT 008, 2.1.8 and 2.1.9, notes 4 to 6. Its table gives title and kind of taxation of the ISSQN the same place;
//! their widths fill the row only side by side.

use super::block::DanfseBlock;
use super::note::NationalNote;
use super::row::{FieldRow, field, row};
use super::{codes, formats};
use crate::form::value;

const OUTSIDE: &str = "TRIBUTAÇÃO MUNICIPAL (ISSQN) - OPERAÇÃO NÃO SUJEITA AO ISSQN";
/// `tribISSQN` of a service outside of the ISSQN.
const NO_INCIDENCE: &str = "4";
/// Last day of competence on which the contributions have a row and are outside the base of IBS and CBS.
pub(super) const LAST_DAY: &str = "2026-12-31";

/// Block of the ISSQN.
pub(super) fn municipal<'x>(note: &NationalNote<'x>) -> DanfseBlock<'x> {
    let at = |tag: &str| note.dps(&format!("valores/trib/tribMun/{tag}"));
    if at("tribISSQN") == NO_INCIDENCE {
        return DanfseBlock::replaced_by_line(OUTSIDE);
    }
    let first = row([
        field("Tipo de Tributação do ISSQN", codes::words(codes::ISSQN, at("tribISSQN"))),
        field("Município / Sigla UF / País da Incidência do ISSQN", incidence(note)).spanning(2),
    ]);
    let special = row([
        field(
            "Regime Especial de Tributação do ISSQN",
            codes::words(codes::SPECIAL, note.dps("prest/regTrib/regEspTrib")),
        ),
        field("Tipo de Imunidade do ISSQN", formats::cut(codes::words(codes::IMMUNITY, at("tpImunidade")), 40)),
        field(
            "Suspensão da Exigibilidade do ISSQN",
            formats::cut(codes::words(codes::SUSPENSION, at("exigSusp/tpSusp")), 40),
        ),
        field("Número Processo Suspensão", at("exigSusp/nProcesso")),
    ]);
    let base = row([
        field("BC ISSQN", formats::money(note.nfse("valores/vBC"))),
        field("Alíquota Aplicada", value::rate(note.nfse("valores/pAliqAplic"))),
        field("Retenção do ISSQN", codes::words(codes::ISSQN_WITHHELD, at("tpRetISSQN"))),
        field("ISSQN Apurado", formats::money(note.nfse("valores/vISSQN"))),
    ]);
    let mut rows = vec![first];
    rows.extend([special, reductions(note)].into_iter().filter(FieldRow::has_content));
    rows.push(base);
    DanfseBlock::rows("TRIBUTAÇÃO MUNICIPAL (ISSQN)", rows)
}

/// Reductions of the base.
fn reductions<'x>(note: &NationalNote<'x>) -> FieldRow<'x> {
    let calculated = note.nfse("valores/vCalcBM");
    let benefit = if calculated.is_empty() { note.dps("valores/trib/tribMun/BM/vRedBCBM") } else { calculated };
    let told = note.dps("valores/vDedRed/vDR");
    let deducted = if told.is_empty() { note.nfse("valores/vCalcDR") } else { told };
    row([
        field("Benefício Municipal", codes::words(codes::BENEFIT, note.nfse("valores/tpBM"))),
        field("Cálculo do BM", formats::money(benefit)),
        field("Total Deduções/Reduções", formats::sum(&[deducted, note.nfse("IBSCBS/valores/vCalcReeRepRes")])),
        field("Desconto Incondicionado", formats::money(note.dps("valores/vDescCondIncond/vDescIncond"))),
    ])
}

/// Município of incidence, or country of the service's result.
fn incidence(note: &NationalNote<'_>) -> String {
    let (code, name) = (note.nfse("cLocIncid"), note.nfse("xLocIncid"));
    let name = if name.is_empty() { formats::town(code) } else { name };
    let abroad = note.dps("valores/trib/tribMun/cPaisResult");
    let country = if abroad.is_empty() && !code.is_empty() { "BR" } else { abroad };
    formats::cut(&formats::join_with_dashes(&[name, formats::state(code), country]), 42)
}

/// Block of IRRF and contributions.
pub(super) fn federal<'x>(note: &NationalNote<'x>) -> DanfseBlock<'x> {
    let at = |tag: &str| note.dps(&format!("valores/trib/tribFed/{tag}"));
    let (pis, cofins) = (at("piscofins/vPis"), at("piscofins/vCofins"));
    let withheld = at("piscofins/tpRetPisCofins");
    let (retained, [pis, cofins]) = match withheld {
        "1" => (formats::sum(&[at("vRetCSLL"), pis, cofins]), ["0.00", "0.00"]),
        _ => (formats::money(at("vRetCSLL")), [pis, cofins]),
    };
    let mut rows = vec![row([
        field("IRRF", formats::money(at("vRetIRRF"))),
        field("Contribuição Previdenciária - Retida", formats::money(at("vRetCP"))),
        field("Contribuições Sociais - Retidas", retained),
    ])];
    if note.dps("dCompet") <= LAST_DAY {
        rows.push(row([
            field("PIS - Débito Apuração Própria", formats::money(pis)),
            field("COFINS - Débito Apuração Própria", formats::money(cofins)),
            field("Descrição Contrib. Sociais - Retidas", formats::cut(codes::words(codes::WITHHELD, withheld), 35))
                .spanning(2),
        ]));
    }
    DanfseBlock::rows("TRIBUTAÇÃO FEDERAL (EXCETO CBS)", rows)
}
