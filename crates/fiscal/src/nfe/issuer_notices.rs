//! Notices to the issuer about a written document that no rule of the authority covers.
//!
//! Law: LC 214/2025, arts. 343 to 349 (the groups are due, the rates of the CBS); ADCT, art. 126 (PIS, COFINS and IPI
//! from 2027 on); NT 2014.001 v1.41 (states without EPEC).

use super::payload_path::campo;
use super::rules::{NfeItem, NfeRuleContext, NfeView};
use crate::document::BuildContext;
use crate::finding::Notice;
use crate::law;
use crate::reference::ibscbs::REFORM_IN_FULL;
use crate::value::{TpAmb, Uf, brasilia};
use jiff::civil::{Date, date};
use rust_decimal::Decimal;
use serde_json::{Map, Value};

/// Returns at most one notice of each kind, at the first item concerned.
pub(super) fn of(root: &Map<String, Value>, note: &NfeView<'_>, context: &BuildContext<'_>) -> Vec<Notice> {
    let Some(day) = note.day() else { return Vec::new() };
    let remarks = [
        absent_group(note, context),
        unknown_rate(note, day, context),
        ended_tax(note, day),
        barred_epec(note, context),
        unseen_cfop(note, context),
        unlisted_addressee(note, context),
    ];
    let notice = |remark: IssuerNotice| {
        let notice = Notice::of(campo(root, &remark.path), remark.codigo, &remark.mensagem, None);
        Notice { codigo_status: remark.cStat.map(Into::into), ..notice }
    };
    remarks.into_iter().flatten().map(notice).collect()
}

/// Notice before its path is translated to the payload.
struct IssuerNotice {
    path: String,
    codigo: &'static str,
    mensagem: String,
    /// Code that the authority may answer.
    cStat: Option<u16>,
}

impl IssuerNotice {
    fn at(item: &NfeItem<'_>, path: &str, codigo: &'static str, mensagem: String) -> IssuerNotice {
        IssuerNotice { path: item.broken(path).path, codigo, mensagem, cStat: None }
    }

    /// Creates a notice about a rule that is not known well enough to predict it.
    fn possible(path: String, cStat: u16, mensagem: &str) -> IssuerNotice {
        let mensagem = format!("A SEFAZ pode rejeitar com {cStat}: {mensagem}");
        IssuerNotice { path, codigo: "rejeicao_possivel", mensagem, cStat: Some(cStat) }
    }
}

/// Reports absent groups in production. No rule demands them there (UB12-10 is printed without a day), but the law does
/// of the normal regime.
fn absent_group(note: &NfeView<'_>, context: &BuildContext<'_>) -> Option<IssuerNotice> {
    if context.ambiente != TpAmb::Producao || note.text("emit/CRT") != "3" {
        return None;
    }
    let item = note.items.iter().find(|item| !item.has("imposto/IBSCBS"))?;
    let mensagem = "O grupo ibscbs não foi informado: nenhuma regra o exige ainda em produção, mas a lei o pede do regime normal (CRT 3).";
    Some(IssuerNotice::at(item, "imposto/IBSCBS", "ibscbs_ausente", mensagem.to_owned()))
}

/// Reports a rate that the installed law does not contain: the sent rate could not be checked.
fn unknown_rate(note: &NfeView<'_>, day: Date, context: &BuildContext<'_>) -> Option<IssuerNotice> {
    const RATE: &str = "imposto/IBSCBS/gIBSCBS/gCBS/pCBS";
    let is_unknown = context.law.rates(day).is_none_or(|rates| rates.cbs.is_none());
    let item = note.items.iter().find(|item| is_unknown && item.has(RATE))?;
    Some(IssuerNotice::at(item, RATE, "aliquota_desconhecida", law::unknown_rate(day.year())))
}

/// Reports amounts of taxes that ended with 2026. Returns and complements are exempt: they repeat the amounts of the
/// referenced document.
fn ended_tax(note: &NfeView<'_>, day: Date) -> Option<IssuerNotice> {
    if day < REFORM_IN_FULL || matches!(note.text("ide/finNFe"), "2" | "4") {
        return None;
    }
    let due = |item: &NfeItem<'_>| ENDED.into_iter().find(|(_, path)| item.decimal(path) > Decimal::ZERO);
    let (item, (tax, path)) = note.items.iter().find_map(|item| Some((item, due(item)?)))?;
    let mensagem = match tax {
        "IPI" => "Em 2027 a alíquota do IPI é zero, exceto nos produtos que concorrem com os da Zona Franca de Manaus (ADCT, art. 126, III).".to_owned(),
        _ => format!("O {tax} acabou em 31/12/2026 (ADCT, art. 126, II): envie o grupo sem valores, por exemplo com CST 49 e zeros."),
    };
    Some(IssuerNotice::at(item, path, "tributo_extinto", mensagem))
}

/// Reports an EPEC of a state that no longer accepts it, by the day of reception. No available text states the
/// rejection's code, so none is predicted.
fn barred_epec(note: &NfeView<'_>, context: &BuildContext<'_>) -> Option<IssuerNotice> {
    let from = match context.ambiente {
        TpAmb::Homologacao => date(2026, 9, 9),
        TpAmb::Producao => date(2026, 10, 5),
    };
    let uf = note.text("emit/enderEmit/UF");
    let announced = note.text("ide/mod") == "55" && note.text("ide/tpEmis") == "4";
    let is_barred = announced && WITHOUT_EPEC.iter().any(|barred| barred.sigla() == uf);
    if !is_barred || brasilia::day(context.dhEmi.parse().ok()?) < from {
        return None;
    }
    let mensagem = format!(
        "A EPEC não é mais aceita de emitentes de {uf} (NT 2014.001 v1.41): o Ambiente Nacional pode recusá-la, e a nota então segue sem ela. \
         Omita tpEmis: o serviço usa a SVC do estado quando a autoridade para."
    );
    Some(IssuerNotice { path: "infNFe/ide/tpEmis".to_owned(), codigo: "epec_vedada", cStat: None, mensagem })
}

/// States whose issuers may not use EPEC.
const WITHOUT_EPEC: [Uf; 2] = [Uf::PR, Uf::PB];

/// Reports a possible rejection by I08-191: the column of the CFOP table that decides the rule is not available.
fn unseen_cfop(note: &NfeView<'_>, context: &BuildContext<'_>) -> Option<IssuerNotice> {
    let is_excepted = note.ide.finNFe == "4" || note.ide.tpNFCredito == "03";
    let item = note.items.first().filter(|_| note.is_55() && !is_excepted && note.text("emit/IE").is_empty())?;
    let mensagem = "sem inscrição estadual só cabem os CFOP que a IT 2023.002 v2.10 marca com indExcIBSCBS, e este serviço não tem essa coluna.";
    let path = item.broken("prod/CFOP").path;
    facts(context)?.enforces(note, "I08-191", 159).then(|| IssuerNotice::possible(path, 159, mensagem))
}

/// Reports a common test CNPJ that is not in the list of the Receita Federal. Observed since 2026-09-21.
fn unlisted_addressee(note: &NfeView<'_>, context: &BuildContext<'_>) -> Option<IssuerNotice> {
    const OF_TRIALS: &str = "99999999000191";
    let asked = context.ambiente == TpAmb::Homologacao && note.text("dest/CNPJ") == OF_TRIALS;
    let mensagem =
        "este CNPJ, usual em ensaios, foi visto fora do cadastro da Receita Federal em homologação; um CPF passa.";
    let path = "infNFe/dest/CNPJ".to_owned();
    (asked && facts(context)?.enforces(note, "-", 181)).then(|| IssuerNotice::possible(path, 181, mensagem))
}

fn facts<'l>(context: &BuildContext<'l>) -> Option<NfeRuleContext<'l>> {
    let now = context.dhEmi.parse().ok()?;
    Some(NfeRuleContext::new(now, context.ambiente).under(context.law))
}

const ENDED: [(&str, &str); 7] = [
    ("PIS", "imposto/PIS/PISAliq/vPIS"),
    ("PIS", "imposto/PIS/PISQtde/vPIS"),
    ("PIS", "imposto/PIS/PISOutr/vPIS"),
    ("COFINS", "imposto/COFINS/COFINSAliq/vCOFINS"),
    ("COFINS", "imposto/COFINS/COFINSQtde/vCOFINS"),
    ("COFINS", "imposto/COFINS/COFINSOutr/vCOFINS"),
    ("IPI", "imposto/IPI/IPITrib/vIPI"),
];
