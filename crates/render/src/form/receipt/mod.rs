//! Receipts: DANFE NFC-e, and the DANFE Simplificado Tipo 2 of a model 55 with tpImp 6. One sheet as long as it must be.
//!
//! Law: DANFE NFC-e manual (divisions I to IX); NT 2026.003 (model 55); MOC 7.0, Anexo IV (two copies in contingency).

mod roll;
mod words;

use super::note::{Note, Unreadable};
use super::value;
use crate::paper::{Length, Sheet};
use crate::pdf;
use roll::Roll;

/// How to print.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Width of the paper.
    pub paper: Paper,
    /// Leaves out the items, at the wish of the consumer (division II).
    pub summary: bool,
    /// The note was cancelled after it was authorised.
    pub cancelled: bool,
}

/// Widths of receipt paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paper {
    /// 80 mm.
    #[default]
    Wide,
    /// 58 mm.
    Narrow,
}

impl Paper {
    /// Width of the paper.
    pub fn width(self) -> Length {
        match self {
            Paper::Wide => Length::mm(80),
            Paper::Narrow => Length::mm(58),
        }
    }
}

/// The receipt of a stored document as a PDF; two copies of one that was issued offline and is not authorised yet.
pub fn pdf(xml: &[u8], options: Options) -> Result<Vec<u8>, Unreadable> {
    let root = fiscal::xml::read(xml)?;
    let note = Note::of(&root)?;
    let sheets = sheets(note, options)?;
    Ok(pdf::write(&format!("DANFE NFC-e {}", note.chave()), &sheets, &[]))
}

/// The copies of a receipt.
pub fn sheets<'x>(note: Note<'x>, options: Options) -> Result<Vec<Sheet<'x>>, Unreadable> {
    let pending = is_pending(note);
    let mut sheets = receipt(note, options, None)?;
    if pending {
        sheets.extend(receipt(note, options, Some("Via do Estabelecimento"))?);
    }
    Ok(sheets)
}

/// Issued offline, and not yet authorised.
fn is_pending(note: Note<'_>) -> bool {
    note.text("ide/tpEmis") == "9" && !note.is_authorised()
}

fn receipt<'x>(note: Note<'x>, options: Options, copy: Option<&'static str>) -> Result<Vec<Sheet<'x>>, Unreadable> {
    let mut roll = Roll::new(options.paper.width());
    head(&mut roll, note);
    contingency(&mut roll, note);
    if options.cancelled {
        roll.loud("NOTA CANCELADA");
    }
    if !options.summary {
        items(&mut roll, note);
    }
    totals(&mut roll, note);
    consultation(&mut roll, note);
    roll.qr(note.supplement("qrCode"))?;
    consumer(&mut roll, note);
    identification(&mut roll, note, copy);
    contingency(&mut roll, note);
    messages(&mut roll, note);
    Ok(roll.cut())
}

/// Division I.
fn head(roll: &mut Roll<'_>, note: Note<'_>) {
    let at = |tag: &str| note.text(&format!("emit/enderEmit/{tag}"));
    roll.bold(&format!(
        "CNPJ: {} {}",
        value::taxpayer(note.first(&["emit/CNPJ", "emit/CPF"])),
        note.text("emit/xNome")
    ));
    let street = [at("xLgr"), at("nro"), at("xCpl"), at("xBairro"), at("xMun"), at("UF")];
    roll.centred(&street.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "));
    let title = if note.text("ide/mod") == "55" {
        "DANFE Simplificado Tipo 2"
    } else {
        "Documento Auxiliar da Nota Fiscal de Consumidor Eletrônica"
    };
    roll.bold(title);
    roll.rule();
}

fn contingency(roll: &mut Roll<'_>, note: Note<'_>) {
    if is_pending(note) {
        roll.loud("EMITIDA EM CONTINGÊNCIA");
        roll.loud("Pendente de autorização");
        roll.rule();
    }
}

/// Division II: the six members that must be told of every item.
fn items(roll: &mut Roll<'_>, note: Note<'_>) {
    roll.pair("Código Descrição", "Qtde Un x Valor unit. = Total");
    roll.rule();
    for det in note.all("", "det") {
        let at = |path: &str| det.text_at(path).unwrap_or_default();
        roll.left(&format!("{} {}", at("prod/cProd"), at("prod/xProd")));
        roll.pair(
            &format!(
                "{} {} x {}",
                value::quantity(at("prod/qCom"), 0),
                at("prod/uCom"),
                value::quantity(at("prod/vUnCom"), 2)
            ),
            &value::amount(at("prod/vProd")),
        );
        if !at("prod/vDesc").is_empty() {
            roll.pair("  Desconto", &format!("-{}", value::amount(at("prod/vDesc"))));
        }
    }
    roll.rule();
}

/// Division III, and III-A of NT 2026.003.
fn totals(roll: &mut Roll<'_>, note: Note<'_>) {
    let total = |tag: &str| note.text(&format!("total/ICMSTot/{tag}"));
    roll.pair("Qtde. total de itens", &note.all("", "det").count().to_string());
    roll.pair("Valor total R$", &value::amount(total("vProd")));
    for (label, tag) in
        [("Desconto R$", "vDesc"), ("Frete R$", "vFrete"), ("Seguro R$", "vSeg"), ("Outros R$", "vOutro")]
    {
        if words::says_something(total(tag)) {
            roll.pair(label, &value::amount(total(tag)));
        }
    }
    roll.strong_pair("Valor a pagar R$", &value::amount(total("vNF")));
    for (label, path) in
        [("(+) CBS R$", "IBSCBSTot/gCBS/vCBS"), ("(+) IBS R$", "IBSCBSTot/gIBS/vIBS"), ("(+) IS R$", "ISTot/vIS")]
    {
        let told = note.text(&format!("total/{path}"));
        if words::says_something(told) {
            roll.pair(label, &value::amount(told));
        }
    }
    roll.pair("FORMA DE PAGAMENTO", "VALOR PAGO R$");
    for paid in note.all("pag", "detPag") {
        let told = paid.text_at("xPag").unwrap_or_else(|| words::payment(paid.text_at("tPag").unwrap_or_default()));
        roll.pair(told, &value::amount(paid.text_at("vPag").unwrap_or_default()));
    }
    let change = note.text("pag/vTroco");
    roll.pair("Troco R$", &value::amount(if change.is_empty() { "0.00" } else { change }));
    roll.rule();
}

/// Division IV.
fn consultation(roll: &mut Roll<'_>, note: Note<'_>) {
    roll.bold("Consulte pela Chave de Acesso em");
    roll.centred(note.supplement("urlChave"));
    roll.centred(&value::key(note.chave()));
}

/// Division VI.
fn consumer(roll: &mut Roll<'_>, note: Note<'_>) {
    let known = [("CNPJ", "dest/CNPJ"), ("CPF", "dest/CPF"), ("Id. Estrangeiro", "dest/idEstrangeiro")];
    let known = known.into_iter().find(|(_, path)| !note.text(path).is_empty());
    let Some((kind, path)) = known else { return roll.bold("CONSUMIDOR NÃO IDENTIFICADO") };
    roll.bold(&format!("CONSUMIDOR {kind}: {}", value::taxpayer(note.text(path))));
    roll.centred(note.text("dest/xNome"));
    let at = |tag: &str| note.text(&format!("dest/enderDest/{tag}"));
    let street = [at("xLgr"), at("nro"), at("xCpl"), at("xBairro"), at("xMun"), at("UF")];
    roll.centred(&street.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "));
}

/// Division VII.
fn identification(roll: &mut Roll<'_>, note: Note<'_>, copy: Option<&'static str>) {
    let kind = if note.text("ide/mod") == "55" { "NF-e" } else { "NFC-e" };
    roll.bold(&format!(
        "{kind} nº {} Série {:0>3} {}",
        value::nine(note.text("ide/nNF")),
        note.text("ide/serie"),
        value::moment(note.text("ide/dhEmi"))
    ));
    if let Some(copy) = copy.or(is_pending(note).then_some("Via do Consumidor")) {
        roll.bold(copy);
    }
    if !note.protocol("nProt").is_empty() {
        roll.centred(&format!("Protocolo de Autorização: {}", note.protocol("nProt")));
        roll.centred(&format!("Data de Autorização: {}", value::moment(note.protocol("dhRecbto"))));
    }
    roll.rule();
}

/// Divisions VIII and IX.
fn messages(roll: &mut Roll<'_>, note: Note<'_>) {
    if note.is_test() {
        roll.loud("EMITIDA EM AMBIENTE DE HOMOLOGAÇÃO - SEM VALOR FISCAL");
    } else if !is_pending(note) && !note.is_authorised() {
        roll.loud("SEM VALOR FISCAL");
    }
    if note.is_denied() {
        roll.loud("DENEGADA");
    }
    roll.left(note.text("infAdic/infAdFisco"));
    let taxes = note.text("total/ICMSTot/vTotTrib");
    if !taxes.is_empty() {
        roll.left(&format!("Tributos totais incidentes (Lei Federal 12.741/2012): R$ {}", value::amount(taxes)));
    }
    roll.left(note.text("infAdic/infCpl"));
}
