//! The DANFE Simplificado (`tpImp` 3): a label 100 mm wide, with the items of a sale outside of the establishment,
//! without them for a sale at a distance (the *Etiqueta* of electronic commerce).
//!
//! Law: MOC 7.0, Anexo II, 3.11 and 3.12 (contents; at least 55 mm wide); NTCJ 2025.001 (bars of a key with letters:
//! 11.5 cm).

use super::danfe::situation;
use super::sum;
use crate::barcode::Code128;
use crate::form::dfe::Dfe;
use crate::form::key::NO_KEY;
use crate::form::options::PrintOptions;
use crate::form::roll::ReceiptRoll;
use crate::form::status_mark::StatusMark;
use crate::form::value;
use crate::paper::{Length, Sheet};

/// Width and least height of the label; swapped when the bars need 11.5 cm.
const LABEL: (Length, Length) = (Length::mm(100), Length::mm(150));

/// The label, as long as its items need.
pub(super) fn sheets<'x>(note: Dfe<'x>, options: &PrintOptions) -> Vec<Sheet<'x>> {
    let digits = note.chave().bytes().all(|byte| byte.is_ascii_digit());
    let (width, least) = if digits { LABEL } else { (LABEL.1, LABEL.0) };
    let remote = is_remote(note);
    let mut roll = ReceiptRoll::new(width);
    if let Some(logo) = &options.logo {
        roll.picture((logo.width, logo.height));
    }
    roll.large_text(if remote { "DANFE Simplificado - Etiqueta" } else { "DANFE Simplificado" });
    roll.rule();
    key(&mut roll, note, options);
    marks(&mut roll, note, options);
    parties(&mut roll, note);
    if !remote && !options.summary {
        items(&mut roll, note);
    }
    for part in sum::parts(note) {
        roll.pair(&format!("{} R$", part.label), &value::amount(&part.amount.to_string()));
    }
    roll.strong_pair("VALOR TOTAL DA NOTA R$", &value::amount(note.text("total/ICMSTot/vNF")));
    for said in situation(note) {
        roll.bold(&said);
    }
    roll.left(note.text("infAdic/infCpl"));
    roll.cut(least)
}

/// True for a sale by internet, telephone or another way at a distance: the label goes on the parcel (3.12).
fn is_remote(note: Dfe<'_>) -> bool {
    matches!(note.text("ide/indPres"), "2" | "3" | "9")
}

fn key(roll: &mut ReceiptRoll<'_>, note: Dfe<'_>, options: &PrintOptions) {
    if let Some(code) = Code128::of_text(note.chave()).ok().filter(|_| note.may_be_scanned()) {
        roll.bars(&code);
    }
    roll.bold(if note.is_preview() { NO_KEY } else { "CHAVE DE ACESSO" });
    roll.centred(&value::key(note.chave()));
    let number = note.protocol("nProt");
    if let Some(epec) = options.epec.as_ref().filter(|_| number.is_empty()) {
        roll.bold("PROTOCOLO DE AUTORIZAÇÃO DO EPEC");
        roll.centred(&note.registered_as(epec));
    } else if !number.is_empty() {
        roll.bold("PROTOCOLO DE AUTORIZAÇÃO DE USO");
        roll.centred(&format!("{number} {}", note.answered_at()));
    }
    roll.rule();
}

fn marks(roll: &mut ReceiptRoll<'_>, note: Dfe<'_>, options: &PrintOptions) {
    if let Some(mark) = StatusMark::of(note, options) {
        roll.large_text(&mark.words);
        roll.bold(&mark.reason);
        roll.rule();
    }
}

fn parties(roll: &mut ReceiptRoll<'_>, note: Dfe<'_>) {
    let document = |paths: &[&str]| value::taxpayer(note.first(paths));
    roll.bold("EMITENTE");
    roll.left(note.text("emit/xNome"));
    roll.strong_pair(
        &format!("CNPJ/CPF {}", document(&["emit/CNPJ", "emit/CPF"])),
        &format!("IE {}  UF {}", note.text("emit/IE"), note.text("emit/enderEmit/UF")),
    );
    roll.rule();
    let kind = if note.text("ide/tpNF") == "0" { "0 - ENTRADA" } else { "1 - SAÍDA" };
    roll.strong_pair("TIPO DE OPERAÇÃO", kind);
    roll.strong_pair(&format!("NF-e Nº {}", note.number()), &format!("SÉRIE {}", note.series()));
    roll.strong_pair("DATA DE EMISSÃO", &value::date(note.text("ide/dhEmi")));
    roll.rule();
    roll.bold("DESTINATÁRIO / REMETENTE");
    roll.left(note.text("dest/xNome"));
    let ie = match note.text("dest/IE") {
        "" => String::new(),
        ie => format!("IE {ie}  "),
    };
    roll.strong_pair(
        &format!("CNPJ/CPF {}", document(&["dest/CNPJ", "dest/CPF", "dest/idEstrangeiro"])),
        &format!("{ie}UF {}", note.text("dest/enderDest/UF")),
    );
    let place = note.address("dest/enderDest", &["xLgr", "nro", "xCpl", "xBairro"]);
    let town = note.town("dest/enderDest");
    let cep = match note.text("dest/enderDest/CEP") {
        "" => String::new(),
        cep => format!("CEP {}", value::cep(cep)),
    };
    let whole = [place.as_str(), &town, &cep].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    roll.left(&whole.join(", "));
    roll.rule();
}

fn items(roll: &mut ReceiptRoll<'_>, note: Dfe<'_>) {
    roll.bold("PRODUTOS / SERVIÇOS");
    for det in note.all("", "det") {
        let at = |path: &str| det.text_at(path).unwrap_or_default();
        roll.left(&format!("{} {}", at("prod/cProd"), at("prod/xProd")));
        let (quantity, price) = (value::quantity(at("prod/qCom"), 0), value::quantity(at("prod/vUnCom"), 2));
        roll.pair(&format!("{quantity} {} x {price}", at("prod/uCom")), &value::amount(at("prod/vProd")));
    }
    roll.rule();
}
