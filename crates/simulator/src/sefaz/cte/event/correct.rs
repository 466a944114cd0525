//! 110110: carta de correção.
//!
//! Law: MOC CT-e 4.00 anexo I, O02 to O07, and its list of fields that may not be corrected.

use super::{CteEventCase, broken, cancel};
use crate::ledger::{Ledger, LedgerDocument};
use crate::sefaz::Refusal;
use crate::sefaz::cte::document::{self, SUBSTITUTE};
use fiscal::xml::Element;

/// 681, 522, 218, 664.
pub(super) fn against(case: &CteEventCase<'_>, ledger: &Ledger, stored: &LedgerDocument) -> Vec<Refusal> {
    let corrections =
        || case.event_content().into_iter().flat_map(Element::children).filter(|child| child.name == "infCorrecao");
    let text = |one: &Element, tag: &str| one.text_at(tag).unwrap_or("").trim().to_lowercase();
    let barred = |one: &Element| is_barred(&text(one, "grupoAlterado"), &text(one, "campoAlterado"));
    let out_of_list = |one: &Element| {
        let item = one.text_at("nroItemAlterado").map(|item| item.parse::<u32>().unwrap_or(0));
        item.is_some_and(|item| !(1..=99).contains(&item))
    };
    let mut all = broken([(681, corrections().any(barred)), (522, corrections().any(out_of_list))]);
    all.extend(cancel::cancelled(stored));
    all.extend(broken([(664, document::successors(ledger, stored, SUBSTITUTE).next().is_some())]));
    all
}

fn is_barred(group: &str, field: &str) -> bool {
    BARRED.iter().any(|(barred, fields)| {
        group == barred.to_lowercase() && fields.split(' ').any(|one| field == one.to_lowercase())
    })
}

/// Group and fields; names are compared without regard to case.
const BARRED: [(&str, &str); 15] = [
    ("infCte", "versao Id"),
    ("ide", "cUF cCT mod serie nCT tpEmis cDV tpAmb dhEmi modal CFOP cMunIni"),
    ("toma3", "toma"),
    ("emit", "CNPJ IE"),
    ("vPrest", "vTPrest"),
    ("Comp", "vComp"),
    ("infNFe", "chave"),
    ("ICMS00", "CST vBC pICMS vICMS"),
    ("ICMS20", "CST pRedBC vBC pICMS vICMS"),
    ("ICMS45", "CST"),
    ("ICMS60", "CST vBCSTRet vICMSSTRet pICMSSTRet vCred"),
    ("ICMS90", "CST pRedBC vBC pICMS vICMS vCred"),
    ("ICMSOutraUF", "CST pRedBCOutraUF vBCOutraUF pICMSOutraUF vICMSOutraUF"),
    ("ICMSSN", "CST indSN"),
    ("toma", "CNPJ CPF IE"),
];
