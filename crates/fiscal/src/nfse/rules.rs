//! Rules of the Sefin Nacional that the DPS itself decides, as one table: what is told before it is sent, and what a simulator refuses by.
//!
//! Law: anexo I of 2026-02-09 (rules of DPS and NFS-e, column of the Sefin), codes and texts as published. Rules that need the parameters of a município,
//! a register or another note are not here.

use crate::value::amount;
use crate::xml::Element;
use rust_decimal::Decimal;

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// `E0015`.
    pub codigo: &'static str,
    /// The element that it speaks of, below `infDPS`.
    pub path: &'static str,
    /// The official text.
    pub mensagem: &'static str,
    is_broken: fn(&Element) -> bool,
}

const fn rule(
    codigo: &'static str,
    path: &'static str,
    mensagem: &'static str,
    is_broken: fn(&Element) -> bool,
) -> Rule {
    Rule { codigo, path, mensagem, is_broken }
}

const ISSQN: &str = "valores/trib/tribMun/tribISSQN";
const RETENTION: &str = "valores/trib/tribMun/tpRetISSQN";
const RATE: &str = "valores/trib/tribMun/pAliq";
const IMMUNITY: &str = "valores/trib/tribMun/tpImunidade";
const REGIME: &str = "prest/regTrib/opSimpNac";
const SIMPLES: &str = "prest/regTrib/regApTribSN";
const SPECIAL: &str = "prest/regTrib/regEspTrib";
const WITHHELD: &str = "valores/trib/tribFed/piscofins/tpRetPisCofins";
const CSLL: &str = "valores/trib/tribFed/vRetCSLL";
const BASE: &str = "valores/trib/tribFed/piscofins/vBCPisCofins";
const PIS: &str = "valores/trib/tribFed/piscofins/pAliqPis";
const COFINS: &str = "valores/trib/tribFed/piscofins/pAliqCofins";
const SHARE: &str = "valores/trib/totTrib/pTotTribSN";
const NO_TOTAL: &str = "valores/trib/totTrib/indTotTrib";
const NBS: &str = "serv/cServ/cNBS";
const HOME: &str = "toma/end/endNac";

/// `opSimpNac`: not in the Simples, MEI, ME/EPP.
const OUTSIDE: &str = "1";
const MEI: &str = "2";
const SMALL: &str = "3";
/// Largest rate of the ISSQN, in percent (LC 116, art. 8).
const HIGHEST_RATE: Decimal = Decimal::from_parts(5, 0, 0, false, 0);

#[rustfmt::skip]
static RULES: [Rule; 21] = [
    rule("E0015", "dCompet", "A data de competência informada na DPS não pode ser posterior à data de emissão (dhEmi) da DPS.",
        |inf| text(inf, "dCompet") > text(inf, "dhEmi").get(..10).unwrap_or_default()),
    rule("E0162", SIMPLES, "Não é permitido ao não optante do Simples Nacional e o MEI preencherem o campo de indicação do regime de apuração dos tributos apurados.",
        |inf| has(inf, SIMPLES) && !is(inf, REGIME, SMALL)),
    rule("E0166", SIMPLES, "É obrigatorio o preenchimento do campo de regime de apuração dos tributos do SN para o optante do Simples Nacional ME/EPP.",
        |inf| is(inf, REGIME, SMALL) && !has(inf, SIMPLES)),
    rule("E0237", HOME, "O endereço nacional do tomador do serviço deve ser informado na DPS quando o valor do ISSQN for retido pelo tomador, exceto se o emitente da DPS é o próprio tomador do serviço.",
        |inf| is(inf, RETENTION, "2") && !has(inf, HOME)),
    rule("E0322", NBS, "É obrigatório informar na DPS um item da NBS se for declarada qualquer informação de IBS/CBS.",
        |inf| has(inf, "IBSCBS") && !has(inf, NBS)),
    rule("E0580", RETENTION, "Não é permitido haver retenção quando o campo referente à tributação do ISSQN indicar imunidade, exportação ou não incidência.",
        |inf| is_withheld(inf) && !is(inf, ISSQN, "1")),
    rule("E0583", RETENTION, "Não é permitido retenção do ISSQN para o prestador do serviço que seja MEI na data de competência informada na DPS.",
        |inf| is_withheld(inf) && is(inf, REGIME, MEI)),
    rule("E0588", RETENTION, "Não é permitido retenção do ISSQN para o prestador do serviço que tenha algum regime especial de tributação na data de competência informada na DPS.",
        |inf| is_withheld(inf) && !is(inf, SPECIAL, "0")),
    rule("E0592", IMMUNITY, "O tipo de imunidade é obrigatório e deve ser informado somente quando o campo referente à tributação do ISSQN for igual a \"2 - Imunidade\".",
        |inf| has(inf, IMMUNITY) != is(inf, ISSQN, "2")),
    rule("E0593", IMMUNITY, "Não permitido o valor \"0 - Imunidade (tipo não informado na nota de origem)\" na DPS quando utilizado os Emissores Públicos Nacionais para emissao de NFS-e.",
        |inf| is(inf, IMMUNITY, "0")),
    rule("E0595", RATE, "Não é permitido informar alíquota superior a 5%.",
        |inf| inf.text_at(RATE).and_then(amount).is_some_and(|rate| rate > HIGHEST_RATE)),
    rule("E0596", RETENTION, "Não é permitido retenção do ISSQN quando o serviço prestado corresponder ao subitem 220101 - Serviço de exploração de rodovia da lista de serviços do Sistema Nacional NFS-e.",
        |inf| is_withheld(inf) && is(inf, "serv/cServ/cTribNac", "220101")),
    rule("E0600", RATE, "Não é permitido informar a alíquota para prestador de serviço optante do simples nacional do tipo MEI.",
        |inf| has(inf, RATE) && is(inf, REGIME, MEI)),
    rule("E0602", RATE, "Não é permitido informar alíquota quando o campo referente à tributação do ISSQN indicar imunidade, exportação ou não incidência.",
        |inf| has(inf, RATE) && !is(inf, ISSQN, "1")),
    rule("E0604", RATE, "Não é permitido informar alíquota quando o prestador de serviço possui algum regime especial de tributação.",
        |inf| has(inf, RATE) && !is(inf, SPECIAL, "0")),
    rule("E0684", PIS, "A alíquota do Pis deve ser informada quando a base de cálculo deste imposto for informada.",
        |inf| has(inf, BASE) && !has(inf, PIS)),
    rule("E0690", COFINS, "A alíquota do Cofins deve ser informada quando a base de cálculo deste imposto for informada.",
        |inf| has(inf, BASE) && !has(inf, COFINS)),
    rule("E0710", SHARE, "Para MEI pTotTribSN nunca poderá ser informado.",
        |inf| has(inf, SHARE) && is(inf, REGIME, MEI)),
    rule("E0712", NO_TOTAL, "Para ME/EPP indTotTrib nunca poderá ser informado.",
        |inf| has(inf, NO_TOTAL) && is(inf, REGIME, SMALL)),
    rule("E0713", "valores/trib/totTrib", "Para Não Optante do SN os campos, indicador de informação de valor total de tributos e percentual aproximado do total dos tributos da alíquota do Simples Nacional (%), não podem ser informado.",
        |inf| is(inf, REGIME, OUTSIDE) && (has(inf, NO_TOTAL) || has(inf, SHARE))),
    rule("E0720", CSLL, "Se o tipo de retenção do PIS/COFINS for igual a \"0 - PIS/COFINS/CSLL Não Retidos\", então não é permitido informar o campo vRetCSLL.",
        |inf| is(inf, WITHHELD, "0") && has(inf, CSLL)),
];

/// Every rule.
pub fn all() -> &'static [Rule] {
    &RULES
}

/// The rules that a DPS breaks, which the layout accepts.
pub fn broken(dps: &Element) -> Vec<&'static Rule> {
    let Some(inf) = dps.child("infDPS") else { return Vec::new() };
    RULES.iter().filter(|rule| (rule.is_broken)(inf)).collect()
}

fn text<'e>(inf: &'e Element, path: &str) -> &'e str {
    inf.text_at(path).unwrap_or_default()
}

fn has(inf: &Element, path: &str) -> bool {
    inf.at(path).is_some()
}

fn is(inf: &Element, path: &str, value: &str) -> bool {
    inf.text_at(path) == Some(value)
}

/// Whether the ISSQN is withheld by somebody.
fn is_withheld(inf: &Element) -> bool {
    matches!(text(inf, RETENTION), "2" | "3")
}
