//! Totals of the note.
//!
//! Law: NT 008, 2.1.11.

use super::block::DanfseBlock;
use super::formats;
use super::note::NationalNote;
use super::row::{field, row};

pub(super) fn block<'x>(note: &NationalNote<'x>) -> DanfseBlock<'x> {
    let discount = |tag: &str| formats::money(note.dps(&format!("valores/vDescCondIncond/{tag}")));
    let of = |tag: &str| note.nfse(&format!("IBSCBS/totCIBS/{tag}"));
    let rows = vec![
        row([
            field("Valor da Operação / Serviço", formats::money(note.dps("valores/vServPrest/vServ"))),
            field("Desconto Incondicionado", discount("vDescIncond")),
            field("Desconto Condicionado", discount("vDescCond")),
        ])
        .with_high_row(),
        row([
            field("Total das Retenções (ISSQN / Federais)", formats::money(note.nfse("valores/vTotalRet"))),
            field("Valor Líquido da NFS-e", formats::money(note.nfse("valores/vLiq"))),
            field("Total do IBS/CBS", formats::sum(&[of("gIBS/vIBSTot"), of("gCBS/vCBS")])),
            field("Valor Líquido da NFS-e + IBS/CBS", formats::money(of("vTotNF"))).shaded(),
        ])
        .with_high_row(),
    ];
    DanfseBlock::rows("VALOR TOTAL DA NFS-e", rows)
}
