//! The lot around the RPS of a message.

use super::AbrasfDialect;
use super::prestador::{Prestador, person, prestador};
use crate::document::SignedElement;
use crate::xml::CanonicalWriter;

/// A lot being written: its first byte and its `Id`.
pub(super) struct LotStart {
    begin: usize,
    id: String,
}

/// Writes `LoteRps` up to its list.
pub(super) fn open_lot(
    xml: &mut CanonicalWriter,
    dialect: &AbrasfDialect,
    who: Prestador<'_>,
    numero: u64,
    count: usize,
) -> LotStart {
    let (begin, id) = (xml.len(), format!("L{numero}"));
    let versao = dialect.version.versao();
    xml.open_with("LoteRps", &[("xmlns", &dialect.namespace), (dialect.id_attribute.name(), &id), ("versao", versao)]);
    xml.leaf("NumeroLote", &numero.to_string());
    if dialect.version.lot_has_prestador() {
        prestador(xml, dialect, who);
    } else {
        person(xml, dialect, who);
    }
    xml.leaf("QuantidadeRps", &count.to_string());
    xml.open("ListaRps");
    LotStart { begin, id }
}

/// Ends a lot. Returns its element when the provider wants lots signed.
pub(super) fn close_lot(xml: &mut CanonicalWriter, dialect: &AbrasfDialect, lot: LotStart) -> Option<SignedElement> {
    xml.close("ListaRps");
    xml.close("LoteRps");
    dialect.signed_parts.lote.then(|| SignedElement { element: lot.begin..xml.len(), id: lot.id })
}
