//! Facts shared by all blocks of a form.

use crate::barcode::Code128;
use crate::form::dfe::Dfe;
use crate::form::options::EpecRegistration;
use crate::form::value;

/// Facts of printing a note.
#[derive(Clone, Copy)]
pub(super) struct DanfeContext<'x> {
    pub(super) note: Dfe<'x>,
    /// Layout of NT 2026.010.
    pub(super) reform: bool,
    /// Landscape: wide rows, few of them.
    pub(super) landscape: bool,
    /// Pixels of the logo, if there is one.
    pub(super) logo: Option<(u32, u32)>,
    /// EPEC under which the note was issued.
    pub(super) epec: Option<&'x EpecRegistration>,
    /// Limits of the blocks with repeated contents.
    pub(super) bounds: BlockLimits,
}

/// Most contents of the first sheet's blocks. The rest is printed in the complementary information, so that items find
/// room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockLimits {
    /// Rows of instalments, or of payments.
    pub(super) rows: usize,
    /// Rows of volumes.
    pub(super) volumes: usize,
    /// The places of pick-up and delivery have blocks.
    pub(super) sites: bool,
    /// The invoice, or the payment, has a block.
    pub(super) invoice: bool,
}

impl BlockLimits {
    /// Limits from the most generous to the tightest.
    pub(super) const LADDER: [BlockLimits; 5] = [
        BlockLimits { rows: 3, volumes: 3, sites: true, invoice: true },
        BlockLimits { rows: 2, volumes: 2, sites: true, invoice: true },
        BlockLimits { rows: 1, volumes: 1, sites: true, invoice: true },
        BlockLimits { rows: 1, volumes: 1, sites: false, invoice: true },
        BlockLimits { rows: 0, volumes: 1, sites: false, invoice: false },
    ];
}

impl DanfeContext<'_> {
    /// Width of the key's column: its bars are at least 6 cm wide, 11.5 cm when the key has letters (NTCJ 2025.001).
    pub(super) fn key_column(&self) -> i32 {
        if self.note.chave().bytes().all(|byte| byte.is_ascii_digit()) { 880 } else { 1180 }
    }

    /// Field 2: the evidence that the note may circulate (MOC 7.0, Anexo II, 3.9).
    pub(super) fn protocol(&self) -> (&'static str, String) {
        if let Some((_, digits)) = self.contingency_code() {
            return ("DADOS DA NF-e", value::key(&digits));
        }
        if let Some(epec) = self.epec.filter(|_| self.note.protocol("nProt").is_empty()) {
            return ("PROTOCOLO DE AUTORIZAÇÃO DO EPEC", self.note.registered_as(epec));
        }
        let number = self.note.protocol("nProt");
        let text = match number {
            "" => String::new(),
            number => format!("{number} - {}", self.note.answered_at()),
        };
        ("PROTOCOLO DE AUTORIZAÇÃO DE USO", text)
    }

    /// Second bar code of a note on security paper, and its 36 characters (MOC 7.0, Anexo II, 3.9.2).
    pub(super) fn contingency_code(&self) -> Option<(Code128, String)> {
        let note = self.note;
        let tpEmis = note.text("ide/tpEmis");
        if !matches!(tpEmis, "2" | "5") {
            return None;
        }
        let abroad = note.text("ide/idDest") == "3";
        let state = fiscal::value::Uf::from_sigla(note.text("dest/enderDest/UF")).map(|uf| uf.code());
        let cUF = if abroad { 99 } else { state.unwrap_or(99) };
        let party = if abroad { "" } else { note.first(&["dest/CNPJ", "dest/CPF"]) };
        let total = note.text("total/ICMSTot/vNF").replace('.', "");
        let told = |tag: &str| {
            let has = note.text(tag).bytes().any(|byte| (b'1'..=b'9').contains(&byte));
            if has { '1' } else { '2' }
        };
        let own = told("total/ICMSTot/vICMS");
        let substituted = told("total/ICMSTot/vST");
        let day = note.text("ide/dhEmi").get(8..10).unwrap_or("00");
        let signs = format!("{cUF:02}{tpEmis}{party:0>14}{total:0>14}{own}{substituted}{day}");
        let digits = format!("{signs}{}", check_digit(&signs));
        Some((Code128::of_text(&digits).ok()?, digits))
    }
}

/// Check digit, computed as the access key's: weights 2 to 9 from the right, modulo 11; a letter counts as its ASCII
/// code less 48.
fn check_digit(signs: &str) -> u32 {
    let weighted = signs.bytes().rev().zip((2..=9).cycle());
    let sum: u32 = weighted.map(|(sign, weight)| u32::from(sign.saturating_sub(b'0')) * weight).sum();
    match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    }
}
