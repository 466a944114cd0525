//! Texts of the form: the observations, and the boxes of the emitter and of the tax office.
//!
//! Law: MOC CT-e 4.00, Anexo II (observações; uso exclusivo do emissor; reservado ao fisco); MOC Visão Geral 11.3.2
//! (the phrase of contingency).

use super::{DacteContext, flow, insurance, modal};
use crate::form::dfe::Dfe;
use crate::form::grid::{PADDING, STROKE, TITLE, title};
use crate::form::stored::StoredElement;
use crate::form::value;
use crate::paper::{Frame, Length, Sheet, text};

/// Height of the two boxes with their titles.
pub(super) const EXCLUSIVE: Length = Length::tenths(140);

const CONTINGENCY: &str = "DACTE em Contingência - impresso em decorrência de problemas técnicos";
const TYPE: crate::paper::TextStyle = flow::TYPE;

/// Lines of the boxes of the emitter and of the tax office.
pub(super) struct ReservedBoxes {
    own: Vec<String>,
    fisco: Vec<String>,
}

/// Cuts the texts for their boxes; returns the rest for the observations.
pub(super) fn exclusive(context: &DacteContext<'_>) -> (ReservedBoxes, Vec<String>) {
    let cte = context.cte;
    let all = |name: &'static str| cte.all("compl", name).map(named).collect::<Vec<_>>();
    let mut fisco = all("ObsFisco");
    fisco.push(cte.protocol("xMsg").to_owned());
    fisco.retain(|line| !line.is_empty());
    let [own_box, fisco_box] = boxes(Frame { height: EXCLUSIVE, ..context.whole() });
    let cut = |words: &[String], frame: Frame| {
        let room = frame.inside(PADDING);
        text::cut(&words.join("\n"), TYPE, room.width, room.height.fits(TYPE.leading()))
    };
    let (own, own_rest) = cut(&all("ObsCont"), own_box);
    let (fisco, fisco_rest) = cut(&fisco, fisco_box);
    (ReservedBoxes { own, fisco }, vec![own_rest, fisco_rest])
}

/// Frames of the boxes below their titles.
fn boxes(frame: Frame) -> [Frame; 2] {
    let (_, below) = frame.split_top(TITLE);
    let (own, fisco) = below.split_left(below.width - below.width / 3);
    [own, fisco]
}

impl ReservedBoxes {
    pub(super) fn draw(self, sheet: &mut Sheet<'_>, frame: Frame) {
        let labels = ["USO EXCLUSIVO DO EMISSOR DO CT-E", "RESERVADO AO FISCO"];
        for ((part, label), lines) in boxes(frame).into_iter().zip(labels).zip([self.own, self.fisco]) {
            title(sheet, Frame { y: frame.y, height: frame.height, ..part }, label);
            sheet.outline(part, STROKE);
            sheet.lines(part.inside(PADDING), TYPE, lines);
        }
    }
}

/// Text of the observations; `more` is the rest of the boxes.
pub(super) fn observations(context: &DacteContext<'_>, more: &[String]) -> flow::FlowText {
    let cte = context.cte;
    let mut parts = situation(cte);
    parts.push(cte.text("compl/xObs").to_owned());
    parts.push(cte.text("imp/infAdFisco").to_owned());
    parts.extend_from_slice(more);
    parts.extend(links(cte));
    parts.extend(route_and_delivery(cte));
    parts.extend(modal::in_words(cte));
    parts.extend(taxes(cte));
    parts.extend(further_insurers(cte));
    parts.retain(|part| !part.is_empty());
    let (title, continued) = match context.is_service() {
        true => ("OBSERVAÇÕES GERAIS", "OBSERVAÇÕES GERAIS (CONTINUAÇÃO)"),
        false => ("OBSERVAÇÕES", "OBSERVAÇÕES (CONTINUAÇÃO)"),
    };
    let least = Length::mm(if context.landscape { 11 } else { 18 });
    flow::FlowText { title, continued, text: parts.join("\n"), least }
}

/// Texts about the emission: contingency and the like.
fn situation(cte: Dfe<'_>) -> Vec<String> {
    let mut said = Vec::new();
    if cte.text("ide/tpEmis") == "2" {
        said.push(CONTINGENCY.to_owned());
    }
    if !cte.text("ide/dhCont").is_empty() {
        let since = value::moment(cte.text("ide/dhCont"));
        said.push(format!("Contingência desde {since}: {}", cte.text("ide/xJust")));
    }
    said
}

fn named(own: StoredElement<'_>) -> String {
    let name = own.attribute("xCampo").unwrap_or_default();
    format!("{name}: {}", own.text_at("xTexto").unwrap_or_default())
}

/// Documents that it replaces or refers to.
fn links(cte: Dfe<'_>) -> Vec<String> {
    let links = [
        ("CT-E SUBSTITUÍDO", "infCTeNorm/infCteSub/chCte"),
        ("CT-E CANCELADO REFERENCIADO", "infCTeNorm/refCTeCanc"),
        ("DOCUMENTO DO PAGAMENTO ANTECIPADO", "ide/gPagAntecipado/chDFePagAnt"),
    ];
    let told = links.into_iter().map(|(name, path)| (name, cte.text(path))).filter(|(_, key)| !key.is_empty());
    told.map(|(name, chave)| format!("{name}: {}", value::key(chave))).collect()
}

/// Further facts of the route and the delivery.
fn route_and_delivery(cte: Dfe<'_>) -> Vec<String> {
    let told = [
        ("CT-E GLOBALIZADO", super::header::GLOBALISED),
        ("CARACTERÍSTICA ADICIONAL DO TRANSPORTE", "compl/xCaracAd"),
        ("CARACTERÍSTICA ADICIONAL DO SERVIÇO", "compl/xCaracSer"),
        ("ORIGEM PARA CÁLCULO DO FRETE", "compl/origCalc"),
        ("DESTINO PARA CÁLCULO DO FRETE", "compl/destCalc"),
    ];
    let told = told.into_iter().map(|(name, path)| (name, cte.text(path))).filter(|(_, text)| !text.is_empty());
    let mut told: Vec<String> = told.map(|(name, text)| format!("{name}: {text}")).collect();
    told.extend(delivery(cte));
    told
}

/// Time of delivery: a day or two, an hour or two.
fn delivery(cte: Dfe<'_>) -> Option<String> {
    let entrega = cte.group("compl/Entrega")?;
    let mut said = Vec::new();
    for when in entrega.children() {
        let at = |tag: &str| when.text_at(tag).unwrap_or_default();
        match when.name() {
            "comData" => said.push(format!("{} {}", period(at("tpPer"), "a data"), value::date(at("dProg")))),
            "noPeriodo" => said.push(format!("de {} a {}", value::date(at("dIni")), value::date(at("dFim")))),
            "comHora" => said.push(format!("{} {}", period(at("tpHor"), "o horário"), at("hProg"))),
            "noInter" => said.push(format!("das {} às {}", at("hIni"), at("hFim"))),
            _ => {}
        }
    }
    (!said.is_empty()).then(|| format!("ENTREGA PREVISTA: {}", said.join(", ")))
}

fn period(code: &str, what: &str) -> String {
    match code {
        "2" => format!("até {what}"),
        "3" => format!("a partir d{what}"),
        _ => format!("n{what}"),
    }
}

/// Taxes without a cell.
fn taxes(cte: Dfe<'_>) -> Vec<String> {
    let at = |tag: &str| cte.text(&format!("imp/ICMSUFFim/{tag}"));
    let mut said = Vec::new();
    if cte.group("imp/ICMSUFFim").is_some() {
        said.push(format!(
            "ICMS NA UF DE TÉRMINO: base {} alíquota interna {} interestadual {} valor {} FCP {} na UF de início {}",
            value::amount(at("vBCUFFim")),
            value::rate(at("pICMSUFFim")),
            value::rate(at("pICMSInter")),
            value::amount(at("vICMSUFFim")),
            value::amount(at("vFCPUFFim")),
            value::amount(at("vICMSUFIni"))
        ));
    }
    let group = cte.group("imp/ICMS").and_then(|icms| icms.children().next());
    let icms = |tag: &str| group.and_then(|group| group.text_at(tag)).unwrap_or_default();
    for (name, tag) in [("CRÉDITO OUTORGADO / PRESUMIDO", "vCred"), ("ICMS DESONERADO", "vICMSDeson")] {
        said.extend((!icms(tag).is_empty()).then(|| format!("{name}: {}", value::amount(icms(tag)))));
    }
    let total = cte.text("imp/vTotTrib");
    if !total.is_empty() {
        said.push(format!("Valor aproximado dos tributos (Lei Federal 12.741/2012): R$ {}", value::amount(total)));
    }
    said
}

/// Insurers without a row.
fn further_insurers(cte: Dfe<'_>) -> Vec<String> {
    let words = |seg: StoredElement<'_>| {
        let at = |tag: &str| seg.text_at(tag).unwrap_or_default();
        format!("SEGURO: {} {} APÓLICE {}", insurance::liable(at("respSeg")), at("xSeg"), at("nApol"))
    };
    cte.all("infCTeNorm", "seg").skip(insurance::INSURERS).map(words).collect()
}
