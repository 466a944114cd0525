//! Service: codes, place and description.
//!
//! Law: NT 008, 2.1.7.

use super::block::{BlockPart, DanfseBlock, FreeText};
use super::formats;
use super::note::NationalNote;
use super::row::{field, row};

pub(super) fn block<'x>(note: &NationalNote<'x>) -> DanfseBlock<'x> {
    let national = formats::masked(note.dps("serv/cServ/cTribNac"), "nn.nn.nn");
    let first = row([
        field(
            "Código de Tributação Nacional / Municipal",
            formats::join_with_dashes(&[&national, note.dps("serv/cServ/cTribMun")]),
        ),
        field("Código da NBS", formats::masked(note.dps("serv/cServ/cNBS"), "n.nnnn.nn.nn")),
        field("Local da Prestação / Sigla UF / País", place(note)),
    ]);
    let named = if note.nfse("xTribMun").is_empty() { note.nfse("xTribNac") } else { note.nfse("xTribMun") };
    let named = if named.is_empty() { "-" } else { named };
    let words = formats::cut(note.dps("serv/cServ/xDescServ"), 1300);
    let words = FreeText::new("Descrição do Serviço", if words.is_empty() { "-" } else { &words });
    DanfseBlock::rows("SERVIÇO PRESTADO", vec![first])
        .with_parts([BlockPart::Plain(formats::cut(named, 170).into()), BlockPart::Words(words)])
}

/// A município of Brazil, or another country.
fn place(note: &NationalNote<'_>) -> String {
    let code = note.dps("serv/locPrest/cLocPrestacao");
    let told = note.nfse("xLocPrestacao");
    let name = if told.is_empty() { formats::town(code) } else { told };
    let abroad = note.dps("serv/locPrest/cPaisPrestacao");
    let country = if abroad.is_empty() { "BR" } else { abroad };
    formats::cut(&formats::join_with_dashes(&[name, formats::state(code), country]), 42)
}
