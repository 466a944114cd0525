//! 412140, "Tributação do Simples Nacional": an authority registers it by itself, and the parties get it by the
//! distribution.
//!
//! Law: NT 2026.005 v1.00. The author, the form of `detEvento` beyond its name, and the receivers were not seen.

use super::super::{NFE, VER_APLIC};
use crate::authorizer::NATIONAL;
use crate::clock;
use crate::ledger::{Ledger, LedgerEvent};
use fiscal::value::TpAmb;
use jiff::Timestamp;

pub(crate) const SIMPLES: &str = "412140";
/// CNPJ of the Receita Federal.
const RECEITA_FEDERAL: &str = "00394460005887";

/// Registers the event of a stored document; `false` when there is none.
pub(crate) fn register(ledger: &mut Ledger, ambiente: TpAmb, chave: &str, now: Timestamp) -> bool {
    let Some(stored) = ledger.document(ambiente, chave) else { return false };
    let count = stored.eventos.iter().filter(|event| event.tpEvento == SIMPLES).count();
    let nSeqEvento = u16::try_from(count + 1).unwrap_or(u16::MAX);
    let nProt = ledger.next_national_protocol(ambiente, now);
    let (tpAmb, dh) = (ambiente.code(), clock::format_instant(now, -3));
    let head = format!("<cOrgao>{NATIONAL}</cOrgao><tpAmb>{tpAmb}</tpAmb>");
    let evento = format!(
        "<evento xmlns=\"{NFE}\" versao=\"1.00\"><infEvento Id=\"ID{SIMPLES}{chave}{nSeqEvento:02}\">{head}<CNPJ>{RECEITA_FEDERAL}</CNPJ>\
         <chNFe>{chave}</chNFe><dhEvento>{dh}</dhEvento><tpEvento>{SIMPLES}</tpEvento><nSeqEvento>{nSeqEvento}</nSeqEvento>\
         <verEvento>1.00</verEvento><detEvento versao=\"1.00\"><descEvento>Tributação do Simples Nacional</descEvento></detEvento>\
         </infEvento></evento>"
    );
    let ret_evento = format!(
        "<retEvento versao=\"1.00\"><infEvento Id=\"ID{nProt}\"><tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic><cOrgao>{NATIONAL}</cOrgao>\
         <cStat>135</cStat><xMotivo>Evento registrado e vinculado a NF-e</xMotivo><chNFe>{chave}</chNFe><tpEvento>{SIMPLES}</tpEvento>\
         <xEvento>Tributação do Simples Nacional</xEvento><nSeqEvento>{nSeqEvento}</nSeqEvento><dhRegEvento>{dh}</dhRegEvento>\
         <nProt>{nProt}</nProt></infEvento></retEvento>"
    );
    let event =
        LedgerEvent { tpEvento: SIMPLES.to_owned(), nSeqEvento, cStat: 135, nProt, evento: evento.into(), ret_evento };
    ledger.document_mut(ambiente, chave).map(|stored| stored.eventos.push(event)).is_some()
}
