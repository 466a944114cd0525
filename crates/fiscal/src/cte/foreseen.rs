//! What the authority would refuse of a document that its layout takes: the few things that the contract has told here, until the rules of the CT-e
//! stand in a table of their own.
//!
//! Law: MOC CT-e 4.00 anexo I and NT 2026.002, by the codes given.

use crate::cstat;
use crate::document::Context;
use crate::finding::Notice;
use crate::value::{TpAmb, amount};
use crate::xml::Element;
use rust_decimal::Decimal;

/// Path in the XML and remark.
type Told = (&'static str, Notice);

/// Everything foreseen.
pub(super) fn all(document: &Element, context: &Context<'_>) -> Vec<Told> {
    let Some(inf) = document.child("infCte") else { return Vec::new() };
    let looks: [fn(&Element, &Context<'_>) -> Option<Told>; 6] = [
        received_above_total,
        components_differ,
        repeated_party,
        tax_of_another_state,
        reform_is_absent,
        reform_base_above_total,
    ];
    looks.iter().filter_map(|look| look(inf, context)).collect()
}

fn decimal(inf: &Element, path: &str) -> Option<Decimal> {
    inf.text_at(path).and_then(amount)
}

/// What the authority would say, and what to do about it.
fn rejection(cStat: u16, remedy: &str) -> Notice {
    let said = cstat::cte::motivo(cStat).unwrap_or_default();
    let mensagem = format!("A SEFAZ deve rejeitar com {cStat}: {said}. {remedy}");
    Notice { codigo_status: Some(cStat), ..remark("rejeicao_prevista", mensagem) }
}

fn remark(codigo: &str, mensagem: String) -> Notice {
    Notice::of(String::new(), codigo, &mensagem, None)
}

fn received_above_total(inf: &Element, _: &Context<'_>) -> Option<Told> {
    let (received, total) = (decimal(inf, "vPrest/vRec")?, decimal(inf, "vPrest/vTPrest")?);
    let remedy = format!("vRec é {received} e vTPrest é {total}: corrija um deles, ou omita vRec.");
    (received > total).then(|| ("infCte/vPrest/vRec", rejection(531, &remedy)))
}

/// No rule adds the components up; people who read the printed form do.
fn components_differ(inf: &Element, _: &Context<'_>) -> Option<Told> {
    let (prices, total) = (inf.child("vPrest")?, decimal(inf, "vPrest/vTPrest")?);
    let parts: Vec<Decimal> =
        prices.children().filter(|child| child.name == "Comp").filter_map(|part| decimal(part, "vComp")).collect();
    let sum: Decimal = parts.iter().sum();
    let mensagem = format!("A soma dos componentes ({sum}) não é o valor da prestação ({total}).");
    (!parts.is_empty() && sum != total).then(|| ("infCte/vPrest/Comp", remark("soma_componentes", mensagem)))
}

/// Who takes the service is described although he is a party (799).
fn repeated_party(inf: &Element, _: &Context<'_>) -> Option<Told> {
    let document = |group: &Element| group.text_at("CNPJ").or_else(|| group.text_at("CPF")).map(str::to_owned);
    let tomador = inf.child("ide")?.child("toma4").and_then(document)?;
    let roles = ["rem", "exped", "receb", "dest"];
    let index = roles.iter().position(|role| inf.child(role).and_then(document).as_ref() == Some(&tomador))?;
    let right = format!("{{\"indice\": \"{index}\"}}");
    let notice = rejection(799, &format!("Quem contrata já é parte do transporte: informe tomador: {right}."));
    Some(("infCte/ide/toma4", Notice { sugestao: Some(right), ..notice }))
}

/// The tax belongs to the state where the service begins (CFOP 5932, 6932).
fn tax_of_another_state(inf: &Element, _: &Context<'_>) -> Option<Told> {
    let (own, begin) = (inf.text_at("emit/enderEmit/UF")?, inf.text_at("ide/UFIni")?);
    let icms = inf.child("imp")?.child("ICMS")?;
    let taxed = ["ICMS00", "ICMS20", "ICMS90"].iter().any(|group| icms.child(group).is_some());
    let mensagem = format!(
        "A prestação começa em {begin} e o emitente é de {own}: se o imposto é devido a {begin}, informe o ICMS nos campos de outra UF \
         (vBCOutraUF, pICMSOutraUF, vICMSOutraUF)."
    );
    (taxed && own != begin && begin != "EX").then(|| ("infCte/imp/ICMS", remark("icms_de_outra_uf", mensagem)))
}

/// Required of the normal regime in homologação; in production nobody refuses it yet (NT 2026.002 v1.01).
fn reform_is_absent(inf: &Element, context: &Context<'_>) -> Option<Told> {
    let absent = inf.text_at("emit/CRT") == Some("3") && inf.child("imp")?.child("IBSCBS").is_none();
    let notice = match context.ambiente {
        TpAmb::Homologacao => {
            rejection(310, "Em homologação o grupo imposto.ibscbs é obrigatório para o regime normal (CRT 3).")
        }
        TpAmb::Producao => remark(
            "ibscbs_ausente",
            "O grupo ibscbs não foi informado: para o regime normal (CRT 3) ele será obrigatório também em produção."
                .to_owned(),
        ),
    };
    absent.then_some(("infCte/imp/IBSCBS", notice))
}

/// No rule checks the base; more than the whole price cannot be right (LC 214/2025, art. 12).
fn reform_base_above_total(inf: &Element, _: &Context<'_>) -> Option<Told> {
    let (base, total) = (decimal(inf, "imp/IBSCBS/gIBSCBS/vBC")?, decimal(inf, "vPrest/vTPrest")?);
    let mensagem = format!("A base do IBS e da CBS ({base}) é maior que o valor da prestação ({total}).");
    (base > total).then(|| ("infCte/imp/IBSCBS/gIBSCBS/vBC", remark("base_acima_do_total", mensagem)))
}
