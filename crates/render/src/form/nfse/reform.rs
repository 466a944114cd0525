//! IBS and CBS. A note without them has the block with dashes, since the NT does not allow to omit it.
//!
//! Law: NT 008, 2.1.10; the formula of `vBC` in the annotations of layout 1.01 for the exclusions.

use super::block::DanfseBlock;
use super::note::NationalNote;
use super::row::{field, row};
use super::{formats, taxes};
use crate::form::value;

pub(super) fn block<'x>(note: &NationalNote<'x>) -> DanfseBlock<'x> {
    let of = |tag: &str| note.nfse(&format!("IBSCBS/valores/{tag}"));
    let total = |tag: &str| formats::money(note.nfse(&format!("IBSCBS/totCIBS/{tag}")));
    let class = |tag: &str| note.dps(&format!("IBSCBS/valores/trib/gIBSCBS/{tag}"));
    let rows = vec![
        row([
            field("CST / cClassTrib", formats::join_with_dashes(&[class("CST"), class("cClassTrib")])),
            field("Indicador de Operação / Código IBGE Incidência / Município Incidência / Sigla UF", incidence(note))
                .spanning(2),
        ]),
        row([
            field("Exclusões e Reduções da Base de Cálculo", exclusions(note)),
            field("Base de Cálculo Após Exclusões e Reduções", formats::money(of("vBC"))),
            field(
                "Red. Alíquota IBS / Red. Alíquota CBS",
                formats::rates(&[of("uf/pRedAliqUF"), of("mun/pRedAliqMun"), of("fed/pRedAliqCBS")]),
            ),
            field("Alíquota - IBS UF / IBS Mun", formats::rates(&[of("uf/pIBSUF"), of("mun/pIBSMun")])),
        ]),
        row([
            field("Alíq. Efetiva Municipal - IBS", value::rate(of("mun/pAliqEfetMun"))),
            field("Valor Apurado Municipal - IBS", total("gIBS/gIBSMunTot/vIBSMun")),
            field("Alíq. Efetiva Estadual - IBS", value::rate(of("uf/pAliqEfetUF"))),
            field("Valor Apurado Estadual - IBS", total("gIBS/gIBSUFTot/vIBSUF")),
        ]),
        row([
            field("Valor Total Apurado - IBS", total("gIBS/vIBSTot")),
            field("Alíquota - CBS", value::rate(of("fed/pCBS"))),
            field("Alíquota Efetiva - CBS", value::rate(of("fed/pAliqEfetCBS"))),
            field("Valor Total Apurado - CBS", total("gCBS/vCBS")),
        ]),
    ];
    DanfseBlock::rows("TRIBUTAÇÃO IBS / CBS", rows)
}

fn incidence(note: &NationalNote<'_>) -> String {
    let code = note.nfse("IBSCBS/cLocalidadeIncid");
    let parts = [note.dps("IBSCBS/cIndOp"), code, note.nfse("IBSCBS/xLocalidadeIncid"), formats::state(code)];
    formats::cut(&formats::join_with_dashes(&parts), 56)
}

/// Amounts excluded from the base.
fn exclusions(note: &NationalNote<'_>) -> String {
    if note.authority_group("IBSCBS").is_none() {
        return String::new();
    }
    let is_less_contributions = note.dps("dCompet") <= taxes::LAST_DAY;
    let contribution = |tag: &str| match is_less_contributions {
        true => note.dps(&format!("valores/trib/tribFed/piscofins/{tag}")),
        false => "",
    };
    formats::sum(&[
        note.dps("valores/vDescCondIncond/vDescIncond"),
        note.nfse("IBSCBS/valores/vCalcReeRepRes"),
        note.nfse("valores/vISSQN"),
        contribution("vPis"),
        contribution("vCofins"),
    ])
}
