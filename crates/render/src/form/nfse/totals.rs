//! Totals of the note.
//!
//! Law: NT 008, 2.1.11.

use super::block::DanfseBlock;
use super::note::NationalNote;
use super::row::{field, row};
use super::shown;

pub(super) fn block<'x>(note: &NationalNote<'x>) -> DanfseBlock<'x> {
    let discount = |tag: &str| shown::money(note.dps(&format!("valores/vDescCondIncond/{tag}")));
    let of = |tag: &str| note.nfse(&format!("IBSCBS/totCIBS/{tag}"));
    let rows = vec![
        row([
            field("Valor da Operação / Serviço", shown::money(note.dps("valores/vServPrest/vServ"))),
            field("Desconto Incondicionado", discount("vDescIncond")),
            field("Desconto Condicionado", discount("vDescCond")),
        ])
        .with_high_row(),
        row([
            field("Total das Retenções (ISSQN / Federais)", shown::money(note.nfse("valores/vTotalRet"))),
            field("Valor Líquido da NFS-e", shown::money(note.nfse("valores/vLiq"))),
            field("Total do IBS/CBS", shown::sum(&[of("gIBS/vIBSTot"), of("gCBS/vCBS")])),
            field("Valor Líquido da NFS-e + IBS/CBS", shown::money(of("vTotNF"))).shaded(),
        ])
        .with_high_row(),
    ];
    DanfseBlock::rows("VALOR TOTAL DA NFS-e", rows)
}
