//! Predictions about a document that its layout accepts: the rules its authority would reject it by, and remarks of our
//! own.
//!
//! Law: MOC CT-e 4.00 anexo I, NT 2026.002 and NT 2026.004.

use super::rules::book;
use super::rules::{self, CteReception, CteRule};
use crate::document::BuildContext;
use crate::finding::Notice;
use crate::law::{RuleEffect, unknown_rate};
use crate::value::{TpAmb, amount};
use crate::xml::Element;
use rust_decimal::Decimal;

/// Path in the XML and notice.
type LocatedNotice = (String, Notice);
/// A remark that rests on no rule: path and notice.
type OwnRemark = Option<(&'static str, Notice)>;

/// Every prediction.
pub(super) fn predict_all(document: &Element, context: &BuildContext<'_>) -> Vec<LocatedNotice> {
    let Some(inf) = document.child("infCte") else { return Vec::new() };
    let looks: [fn(&Element, &BuildContext<'_>) -> OwnRemark; 6] = [
        components_differ,
        tax_of_another_state,
        reform_is_absent,
        reform_base_above_total,
        rate_is_unknown,
        advance_icms_differs,
    ];
    let remarks = looks.iter().filter_map(|look| look(inf, context)).map(|(path, notice)| (path.to_owned(), notice));
    rejections(document, context).into_iter().chain(remarks).collect()
}

/// Notices for the rules that the document breaks at its instant of issue.
fn rejections(document: &Element, context: &BuildContext<'_>) -> Vec<LocatedNotice> {
    let Ok(now) = context.dhEmi.parse() else { return Vec::new() };
    let contingency = Some(context.tpEmis).filter(|tpEmis| matches!(tpEmis, 7 | 8));
    let facts = CteReception { law: context.law, now, ambiente: context.ambiente, contingency, finished: false };
    let broken = rules::predict(document, &facts).into_iter();
    broken.map(|it| (it.breach.path, rejection(it.rule, it.effect, document))).collect()
}

/// The notice for a rule: the authority's text, and the remedy where the text has none.
fn rejection(rule: &CteRule, effect: RuleEffect, document: &Element) -> Notice {
    let (codigo, verb) = effect.predicted_notice();
    let said = format!("A SEFAZ {verb} rejeitar com {}: {}", rule.cStat, rule.xMotivo());
    let mensagem = match rule.remedy() {
        Some(remedy) => format!("{}. {remedy}", said.trim_end_matches('.')),
        None => said,
    };
    let sugestao = (rule.cStat == NAMED_TWICE).then(|| index_of_tomador(document)).flatten();
    Notice { codigo_status: Some(rule.cStat.into()), sugestao, ..remark(codigo, mensagem) }
}

/// 799: the described tomador is already a party.
const NAMED_TWICE: u16 = 799;

/// Suggestion: the index of the described tomador as that party.
fn index_of_tomador(document: &Element) -> Option<String> {
    let inf = document.child("infCte")?;
    let tomador = inf.at("ide/toma4").map(rules::party_document)?;
    let roles = ["rem", "exped", "receb", "dest"];
    let index = roles.iter().position(|role| inf.child(role).map(rules::party_document) == Some(tomador))?;
    Some(format!("{{\"indice\": \"{index}\"}}"))
}

fn decimal(inf: &Element, path: &str) -> Option<Decimal> {
    inf.text_at(path).and_then(amount)
}

fn remark(codigo: &str, mensagem: String) -> Notice {
    Notice::of(String::new(), codigo, &mensagem, None)
}

/// The components do not add up to the price. No rule compares them, but the printed form shows both.
fn components_differ(inf: &Element, _: &BuildContext<'_>) -> OwnRemark {
    let (prices, total) = (inf.child("vPrest")?, decimal(inf, "vPrest/vTPrest")?);
    let parts: Vec<Decimal> =
        prices.children().filter(|child| child.name == "Comp").filter_map(|part| decimal(part, "vComp")).collect();
    let sum: Decimal = parts.iter().sum();
    let mensagem = format!("A soma dos componentes ({sum}) não é o valor da prestação ({total}).");
    (!parts.is_empty() && sum != total).then(|| ("infCte/vPrest/Comp", remark("soma_componentes", mensagem)))
}

/// The tax belongs to the state where the service begins (CFOP 5932, 6932).
fn tax_of_another_state(inf: &Element, _: &BuildContext<'_>) -> OwnRemark {
    let (own, begin) = (inf.text_at("emit/enderEmit/UF")?, inf.text_at("ide/UFIni")?);
    let icms = inf.child("imp")?.child("ICMS")?;
    let taxed = ["ICMS00", "ICMS20", "ICMS90"].iter().any(|group| icms.child(group).is_some());
    let mensagem = format!(
        "A prestação começa em {begin} e o emitente é de {own}: se o imposto é devido a {begin}, informe o ICMS nos campos de outra UF \
         (vBCOutraUF, pICMSOutraUF, vICMSOutraUF)."
    );
    (taxed && own != begin && begin != "EX").then(|| ("infCte/imp/ICMS", remark("icms_de_outra_uf", mensagem)))
}

/// The group is required of the normal regime in homologação (310), and not yet in production (NT 2026.002 v1.01).
fn reform_is_absent(inf: &Element, context: &BuildContext<'_>) -> OwnRemark {
    let absent = inf.text_at("emit/CRT") == Some("3") && inf.child("imp")?.child("IBSCBS").is_none();
    let mensagem =
        "O grupo ibscbs não foi informado: para o regime normal (CRT 3) ele será obrigatório também em produção.";
    let told = absent && context.ambiente == TpAmb::Producao;
    told.then(|| ("infCte/imp/IBSCBS", remark("ibscbs_ausente", mensagem.to_owned())))
}

/// The base is above the whole price, which cannot be right (LC 214/2025, art. 12). No rule checks it.
fn reform_base_above_total(inf: &Element, _: &BuildContext<'_>) -> OwnRemark {
    let (base, total) = (decimal(inf, "imp/IBSCBS/gIBSCBS/vBC")?, decimal(inf, "vPrest/vTPrest")?);
    let mensagem = format!("A base do IBS e da CBS ({base}) é maior que o valor da prestação ({total}).");
    (base > total).then(|| ("infCte/imp/IBSCBS/gIBSCBS/vBC", remark("base_acima_do_total", mensagem)))
}

/// The year's rate is not in this installation's table, so the document's rate could not be checked.
fn rate_is_unknown(inf: &Element, context: &BuildContext<'_>) -> OwnRemark {
    let day = rules::day_of(inf)?;
    let is_unknown = context.law.rates(day).is_none_or(|rates| rates.cbs.is_none());
    inf.at("imp/IBSCBS/gIBSCBS/gCBS/pCBS").filter(|_| is_unknown)?;
    Some(("infCte/imp/IBSCBS/gIBSCBS/gCBS/pCBS", remark("aliquota_desconhecida", unknown_rate(day.year()))))
}

/// `vICMSPrevisto` belongs to advance payments (tpPagAnt 1, tpOperGov 4) only, by the annotation of its group in the
/// layout. Codes 1051 to 1053 of NT 2026.004 require it; their exact conditions are not published in the sources used.
fn advance_icms_differs(inf: &Element, context: &BuildContext<'_>) -> OwnRemark {
    const GROUP: &str = "infCte/imp/ICMS/gICMSPrevistoPagtoAntecip/vICMSPrevisto";
    let is = |path: &str, code: &str| inf.text_at(path) == Some(code);
    let advance = is("ide/tpPagAnt", "1") || is("ide/gCompraGov/tpOperGov", "4");
    let fault = match (advance, inf.at("imp/ICMS/gICMSPrevistoPagtoAntecip").is_some()) {
        (true, false) => "O pagamento antecipado (tpPagAnt 1 ou tpOperGov 4) leva vICMSPrevisto no lugar do ICMS",
        (false, true) => "vICMSPrevisto só cabe no pagamento antecipado (tpPagAnt 1 ou tpOperGov 4)",
        _ => return None,
    };
    let first = book::entry(REQUIRES_ADVANCE_ICMS)?.terms.of(context.ambiente).first()?;
    let ambiente = if context.ambiente == TpAmb::Producao { "produção" } else { "homologação" };
    let day = first.strftime("%d/%m/%Y");
    let mensagem = format!("{fault}: a SEFAZ o confere em {ambiente} a partir de {day} (NT 2026.004).");
    Some((GROUP, remark("icms_previsto_divergente", mensagem)))
}

/// First of the codes that require `vICMSPrevisto`.
const REQUIRES_ADVANCE_ICMS: u16 = 1051;
