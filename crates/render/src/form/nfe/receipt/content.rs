//! Contents of a receipt by division, independent of the output.
//!
//! Law: DANFE NFC-e manual, 3.1 (divisions I to IX); NT 2026.003, 3.1 (model 55).

use super::output::ReceiptOutput;
use super::output::TextEmphasis::{Bold, Centred, Left, Loud};
use crate::form::dfe::{Dfe, FormError};
use crate::form::nfe::{payment, sum};
use crate::form::status_mark::StatusMark;
use crate::form::value;

/// Copy of a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReceiptCopy {
    /// The only copy.
    Only,
    /// A named copy of a receipt whose authorisation is pending.
    Of(&'static str),
}

/// Prints a whole copy.
pub(super) fn print(
    strip: &mut dyn ReceiptOutput,
    note: Dfe<'_>,
    summary: bool,
    copy: ReceiptCopy,
) -> Result<(), FormError> {
    head(strip, note);
    contingency(strip, note);
    print_status(strip, note);
    if !summary {
        items(strip, note);
    }
    totals(strip, note);
    consultation(strip, note);
    // a centred QR code comes after the divisions that would be at its right (3.1.5 to 3.1.7, figure 5)
    consumer(strip, note);
    identification(strip, note, copy);
    contingency(strip, note);
    strip.qr(note.qr_code())?;
    messages(strip, note);
    Ok(())
}

/// Division I.
fn head(strip: &mut dyn ReceiptOutput, note: Dfe<'_>) {
    strip.print_text(
        Bold,
        &format!("CNPJ: {} {}", value::taxpayer(note.first(&["emit/CNPJ", "emit/CPF"])), note.text("emit/xNome")),
    );
    strip.print_text(Centred, &note.address("emit/enderEmit", PLACE));
    let title = if note.text("ide/mod") == "55" {
        "DANFE Simplificado Tipo 2"
    } else {
        "Documento Auxiliar da Nota Fiscal de Consumidor Eletrônica"
    };
    strip.print_text(Bold, title);
    strip.rule();
}

fn contingency(strip: &mut dyn ReceiptOutput, note: Dfe<'_>) {
    if note.is_pending() {
        strip.print_text(Loud, "EMITIDA EM CONTINGÊNCIA");
        strip.print_text(Loud, "Pendente de autorização");
        strip.rule();
    }
}

/// Warning that the document has no validity, with the reason: at the top and at the end, so that no half of the paper
/// hides it.
fn print_status(strip: &mut dyn ReceiptOutput, note: Dfe<'_>) {
    let Some(mark) = StatusMark::of_document_status(note) else { return };
    strip.print_text(
        Loud,
        &if mark.words.ends_with("FISCAL") { mark.words.into_owned() } else { format!("NOTA {}", mark.words) },
    );
    strip.print_text(Bold, &mark.reason);
    strip.rule();
}

/// Division II: the six members that every item must show.
fn items(strip: &mut dyn ReceiptOutput, note: Dfe<'_>) {
    strip.pair("Código Descrição", "Qtde Un x Valor unit. = Total");
    strip.rule();
    for det in note.all("", "det") {
        let at = |path: &str| det.text_at(path).unwrap_or_default();
        strip.print_text(Left, &format!("{} {}", at("prod/cProd"), at("prod/xProd")));
        strip.pair(
            &format!(
                "{} {} x {}",
                value::quantity(at("prod/qCom"), 0),
                at("prod/uCom"),
                value::quantity(at("prod/vUnCom"), 2)
            ),
            &value::amount(at("prod/vProd")),
        );
        if !at("prod/vDesc").is_empty() {
            strip.pair("  Desconto", &format!("-{}", value::amount(at("prod/vDesc"))));
        }
    }
    strip.rule();
}

/// Division III, and III-A of NT 2026.003.
fn totals(strip: &mut dyn ReceiptOutput, note: Dfe<'_>) {
    let total = |tag: &str| note.text(&format!("total/ICMSTot/{tag}"));
    strip.pair("Qtde. total de itens", &note.all("", "det").count().to_string());
    for (place, part) in sum::parts(note).iter().enumerate() {
        let label = if place == 0 { "Valor total" } else { part.label };
        strip.pair(&format!("{label} R$"), &value::amount(&part.amount.to_string()));
    }
    strip.strong_pair("Valor a pagar R$", &value::amount(total("vNF")));
    for (label, path) in
        [("(+) CBS R$", "IBSCBSTot/gCBS/vCBS"), ("(+) IBS R$", "IBSCBSTot/gIBS/vIBS"), ("(+) IS R$", "ISTot/vIS")]
    {
        let told = note.text(&format!("total/{path}"));
        if told.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
            strip.pair(label, &value::amount(told));
        }
    }
    strip.pair("FORMA DE PAGAMENTO", "VALOR PAGO R$");
    for paid in payment::all(note) {
        strip.pair(paid.means, &value::amount(paid.amount));
    }
    let change = payment::change(note);
    strip.pair("Troco R$", &value::amount(if change.is_empty() { "0.00" } else { change }));
    strip.rule();
}

/// Division IV. A preview has no key for a query, and a document without validity no invitation to one.
fn consultation(strip: &mut dyn ReceiptOutput, note: Dfe<'_>) {
    if note.is_preview() {
        return;
    }
    if note.may_be_scanned() {
        strip.print_text(Bold, "Consulte pela Chave de Acesso em");
        strip.print_text(Centred, note.supplement("infNFeSupl/urlChave"));
    } else {
        strip.print_text(Bold, "CHAVE DE ACESSO");
    }
    strip.print_text(Centred, &value::key(note.chave()));
}

/// Division VI.
fn consumer(strip: &mut dyn ReceiptOutput, note: Dfe<'_>) {
    let known = [("CNPJ", "dest/CNPJ"), ("CPF", "dest/CPF"), ("Id. Estrangeiro", "dest/idEstrangeiro")];
    let known = known.into_iter().find(|(_, path)| !note.text(path).is_empty());
    let Some((kind, path)) = known else { return strip.print_text(Bold, "CONSUMIDOR NÃO IDENTIFICADO") };
    strip.print_text(Bold, &format!("CONSUMIDOR {kind}: {}", value::taxpayer(note.text(path))));
    strip.print_text(Centred, note.text("dest/xNome"));
    strip.print_text(Centred, &note.address("dest/enderDest", PLACE));
    let delivery = note.address("entrega", PLACE);
    if !delivery.is_empty() {
        strip.print_text(Centred, &format!("Entrega: {delivery}"));
    }
}

/// Division VII. The copy's name follows the moment (3.1.8), and narrow paper never separates date and time.
fn identification(strip: &mut dyn ReceiptOutput, note: Dfe<'_>, copy: ReceiptCopy) {
    let kind = if note.text("ide/mod") == "55" { "NF-e" } else { "NFC-e" };
    let (number, series, moment) = (note.number(), note.series(), value::moment(note.text("ide/dhEmi")));
    let copy = match copy {
        ReceiptCopy::Only => String::new(),
        ReceiptCopy::Of(whom) => format!(" - {whom}"),
    };
    strip.print_text(Bold, &format!("{kind} nº {number} Série {series}\n{moment}{copy}"));
    if !note.protocol("nProt").is_empty() {
        strip.print_text(Centred, &format!("Protocolo de autorização: {}", note.protocol("nProt")));
        strip.print_text(Centred, &format!("Data de autorização: {}", note.answered_at()));
    }
    strip.rule();
}

/// Divisions VIII and IX.
fn messages(strip: &mut dyn ReceiptOutput, note: Dfe<'_>) {
    if note.is_test() {
        strip.print_text(Loud, "EMITIDA EM AMBIENTE DE HOMOLOGAÇÃO - SEM VALOR FISCAL");
    } else if note.may_be_scanned() && !note.is_pending() && !note.is_authorised() {
        strip.print_text(Loud, "SEM VALOR FISCAL");
    }
    print_status(strip, note);
    strip.print_text(Left, note.text("infAdic/infAdFisco"));
    strip.print_text(Left, note.protocol("xMsg"));
    let taxes = note.text("total/ICMSTot/vTotTrib");
    if !taxes.is_empty() {
        strip.print_text(
            Left,
            &format!("Tributos totais incidentes (Lei Federal 12.741/2012): R$ {}", value::amount(taxes)),
        );
    }
    strip.print_text(Left, note.text("infAdic/infCpl"));
}

/// Parts of an address on a receipt, without the country.
const PLACE: &[&str] = &["xLgr", "nro", "xCpl", "xBairro", "xMun", "UF"];
