//! Parties: prestador, tomador, destinatário, intermediário, each in rows of the same fields, or a line for an absent
//! one.
//!
//! Facts that the DPS of a prestador must omit (E0121, E0128) are taken from `emit`, which the NT does not name; the
//! block would be empty otherwise.
//!
//! Law: NT 008, 2.1.3 to 2.1.6 and 2.3.

use super::block::DanfseBlock;
use super::note::NationalNote;
use super::row::{FieldRow, LabelledField, field, row};
use super::{codes, formats};
use crate::form::stored::StoredElement;
use crate::form::value;

const NO_TAKER: &str = "TOMADOR/ADQUIRENTE DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e";
const NO_ADDRESSEE: &str = "DESTINATÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e";
const TAKER_IS_ADDRESSEE: &str = "O DESTINATÁRIO É O PRÓPRIO TOMADOR/ADQUIRENTE DA OPERAÇÃO";
const NO_INTERMEDIARY: &str = "INTERMEDIÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e";

/// The four blocks.
pub(super) fn blocks<'x>(note: &NationalNote<'x>) -> [DanfseBlock<'x>; 4] {
    [provider(note), taker(note), addressee(note), intermediary(note)]
}

fn provider<'x>(note: &NationalNote<'x>) -> DanfseBlock<'x> {
    let emitter = note.authority_group("emit").filter(|_| note.dps("tpEmit") == "1");
    let party = DanfseParty { own: note.group("prest"), emitter };
    let mut rows = party.rows(true);
    rows.push(row([
        field(
            "Simples Nacional na Data de Competência",
            formats::cut(codes::words(codes::SIMPLES, note.dps("prest/regTrib/opSimpNac")), 40),
        ),
        field(
            "Regime de Apuração Tributária pelo SN",
            formats::cut(codes::words(codes::REGIME, note.dps("prest/regTrib/regApTribSN")), 80),
        )
        .spanning(3),
    ]));
    DanfseBlock::rows("PRESTADOR / FORNECEDOR", rows)
}

fn taker<'x>(note: &NationalNote<'x>) -> DanfseBlock<'x> {
    party_block("TOMADOR / ADQUIRENTE", note.group("toma"), true, NO_TAKER)
}

fn addressee<'x>(note: &NationalNote<'x>) -> DanfseBlock<'x> {
    let nobody = if note.dps("IBSCBS/indDest") == "0" { TAKER_IS_ADDRESSEE } else { NO_ADDRESSEE };
    party_block("DESTINATÁRIO DA OPERAÇÃO", note.group("IBSCBS/dest"), false, nobody)
}

fn intermediary<'x>(note: &NationalNote<'x>) -> DanfseBlock<'x> {
    party_block("INTERMEDIÁRIO DA OPERAÇÃO", note.group("interm"), true, NO_INTERMEDIARY)
}

/// Rows of a party, or a line for an absent one.
fn party_block<'x>(
    title: &'static str,
    own: Option<StoredElement<'x>>,
    inscribed: bool,
    nobody: &'static str,
) -> DanfseBlock<'x> {
    match own {
        Some(_) => DanfseBlock::rows(title, DanfseParty { own, emitter: None }.rows(inscribed)),
        None => DanfseBlock::replaced_by_line(nobody),
    }
}

/// A party of the DPS, and the authority's facts of the emitter.
#[derive(Clone, Copy)]
struct DanfseParty<'x> {
    own: Option<StoredElement<'x>>,
    emitter: Option<StoredElement<'x>>,
}

impl<'x> DanfseParty<'x> {
    /// Text by the tag that both groups use.
    fn at(&self, path: &str) -> &'x str {
        self.of(path, path)
    }

    /// Text by its tag in the DPS, else by the tag in `emit`.
    fn of(&self, own: &str, emitter: &str) -> &'x str {
        let text = |group: Option<StoredElement<'x>>, path: &str| group.and_then(|group| group.text_at(path));
        let said = text(self.own, own).filter(|text| !text.is_empty());
        said.or_else(|| text(self.emitter, emitter)).unwrap_or_default()
    }

    fn rows(&self, inscribed: bool) -> Vec<FieldRow<'x>> {
        let mut first = vec![field("CNPJ / CPF / NIF", self.document())];
        if inscribed {
            first.push(field("Indicador Municipal (Inscrição)", self.at("IM")));
        }
        // the place of an absent addressee's inscription stays empty
        let phone = field("Telefone", value::phone(self.at("fone")));
        first.push(if inscribed { phone } else { phone.after_empty(1) });
        let names = row([
            field("Nome / Nome Empresarial", formats::cut(self.at("xNome"), 80)).spanning(2),
            field("Município / Sigla UF", formats::cut(&self.town(), 37)),
            field("Código IBGE / CEP", self.post()),
        ]);
        let address: [LabelledField<'x>; 2] = [
            field("Endereço", formats::cut(&self.address(), 80)).spanning(2),
            field("Email", formats::cut(self.at("email"), 80)).spanning(2),
        ];
        let mut rows = vec![row(first), names];
        rows.extend(Some(row(address)).filter(FieldRow::has_content));
        rows
    }

    fn document(&self) -> String {
        let number = ["CNPJ", "CPF", "NIF"].map(|tag| self.at(tag)).into_iter().find(|text| !text.is_empty());
        match number {
            Some(number) if self.at("NIF").is_empty() => value::taxpayer(number),
            number => number.unwrap_or_default().to_owned(),
        }
    }

    fn town(&self) -> String {
        let code = self.code();
        match self.at("end/endExt/xCidade") {
            "" if code.is_empty() => String::new(),
            "" => formats::join_with_dashes(&[formats::town(code), formats::state(code)]),
            abroad => abroad.to_owned(),
        }
    }

    fn code(&self) -> &'x str {
        self.of("end/endNac/cMun", "enderNac/cMun")
    }

    fn post(&self) -> String {
        let cep = formats::masked(self.of("end/endNac/CEP", "enderNac/CEP"), "nn.nnn-nnn");
        let abroad = self.at("end/endExt/cEndPost");
        formats::join_with_dashes(&[self.code(), if abroad.is_empty() { &cep } else { abroad }])
    }

    fn address(&self) -> String {
        let at = |tag: &str| self.of(&format!("end/{tag}"), &format!("enderNac/{tag}"));
        let told = ["xLgr", "nro", "xCpl", "xBairro"].map(at).into_iter().filter(|part| !part.is_empty());
        told.collect::<Vec<_>>().join(", ")
    }
}
