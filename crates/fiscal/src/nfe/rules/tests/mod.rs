//! Every rule with two documents: one that it refuses, and the nearest it accepts. Both are the base of its model with
//! some replacements. A rule without its pair fails.

mod additions;
mod before_the_reform;
mod borders;
mod delivery;
mod exemption;
mod extras;
mod fuels;
mod ibscbs;
mod identification;
mod imports;
mod items;
mod official_tables;
mod papers;
mod parties;
mod payment;
mod products;
mod qr;
mod referenced_documents;
mod retail;
mod taxes;
mod totals;
mod transport;
mod unregistered;

use super::options::{StateChoice, StateChoices};
use super::{AuthorizerKind, BrokenField, NfeRule, NfeRuleContext, RULES, book, predict};
use crate::law::Law;
use crate::value::{TpAmb, Uf};
use crate::xml::{self, FlatDocument};
use rust_decimal::Decimal;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// A replacement in the base.
type Edit = (&'static str, &'static str);

/// Document that a rule refuses, and document that it accepts.
struct Pair {
    id: &'static str,
    modelo: u8,
    refused: Case,
    accepted: Case,
}

#[derive(Clone, Copy)]
struct Case {
    edits: &'static [Edit],
    chosen: Option<StateChoice>,
    asked: AuthorizerKind,
    /// The state limits the total to R$ 100,00.
    limited: bool,
    /// Production; otherwise homologação.
    producao: bool,
    received: &'static str,
}

const TODAY: &str = "2026-11-20T10:00:30-03:00";
/// A moment after the last day of any technical note.
const LATER: &str = "2027-03-20T10:00:30-03:00";
/// The last day before NT 2026.007 in homologação.
const BEFORE_IE_MAY_LACK: &str = "2026-08-31T23:59:59-03:00";

const fn case(edits: &'static [Edit]) -> Case {
    Case { edits, chosen: None, asked: AuthorizerKind::Normal, limited: false, producao: false, received: TODAY }
}

/// Creates a pair of model 55.
const fn pair(id: &'static str, refused: &'static [Edit], accepted: &'static [Edit]) -> Pair {
    Pair { id, modelo: 55, refused: case(refused), accepted: case(accepted) }
}

/// Creates a pair of model 65.
const fn pair_65(id: &'static str, refused: &'static [Edit], accepted: &'static [Edit]) -> Pair {
    Pair { modelo: 65, ..pair(id, refused, accepted) }
}

impl Pair {
    /// Applies a choice of the state to both documents.
    const fn choosing(self, choice: StateChoice) -> Pair {
        self.refused_choosing(choice).accepted_choosing(choice)
    }
    const fn refused_choosing(mut self, choice: StateChoice) -> Pair {
        self.refused.chosen = Some(choice);
        self
    }
    const fn accepted_choosing(mut self, choice: StateChoice) -> Pair {
        self.accepted.chosen = Some(choice);
        self
    }
    const fn refused_at(mut self, asked: AuthorizerKind) -> Pair {
        self.refused.asked = asked;
        self
    }
    const fn accepted_at(mut self, asked: AuthorizerKind) -> Pair {
        self.accepted.asked = asked;
        self
    }
    const fn refused_in_production(mut self) -> Pair {
        self.refused.producao = true;
        self
    }
    const fn received_later(mut self) -> Pair {
        self.refused.received = LATER;
        self.accepted.received = LATER;
        self
    }
    const fn refused_on(mut self, received: &'static str) -> Pair {
        self.refused.received = received;
        self
    }
    const fn limited(mut self) -> Pair {
        self.refused.limited = true;
        self.accepted.limited = true;
        self
    }
}

/// Returns the base of a model with its replacements.
fn document(modelo: u8, edits: &[Edit]) -> String {
    let to_65: &[Edit] = if modelo == 65 { TO_65 } else { &[] };
    to_65.iter().chain(edits).fold(VALID.to_owned(), |document, (from, to)| {
        assert!(document.contains(from), "the edit {from} → {to} finds nothing");
        document.replacen(from, to, 1)
    })
}

/// Returns the rules that an XML text breaks.
pub(super) fn predict_read(document: &str, facts: &NfeRuleContext) -> Vec<(&'static NfeRule, BrokenField)> {
    let predicted = predict(FlatDocument::of(&xml::read(document.as_bytes()).unwrap()).root(), &facts.under(&BY_ALL));
    predicted.into_iter().map(|it| (it.rule, it.breach)).collect()
}

/// Law under which SP applies every rule that the printed law leaves to each authority.
static BY_ALL: LazyLock<Law> = LazyLock::new(|| {
    let applied = [350, 362, 625].map(|codigo| json!({ "codigo": codigo, "ufs": ["SP"], "fonte": "ensaio" }));
    Law::read(json!({ "regras": applied })).unwrap()
});

/// Codes predicted for a document received today in homologação.
fn told(document: &str) -> Vec<u16> {
    let facts = NfeRuleContext::new(TODAY.parse().unwrap(), TpAmb::Homologacao);
    predict_read(document, &facts).into_iter().map(|(rule, _)| rule.cStat).collect()
}

/// Ids predicted for a case.
fn predicted(modelo: u8, case: &Case) -> BTreeSet<&'static str> {
    found(modelo, case).into_iter().map(|(rule, _)| name(rule)).collect()
}

/// Rules that a case breaks, and their places.
fn found(modelo: u8, case: &Case) -> Vec<(&'static NfeRule, BrokenField)> {
    let document = document(modelo, case.edits);
    let ambiente = if case.producao { TpAmb::Producao } else { TpAmb::Homologacao };
    let mut facts = NfeRuleContext::new(case.received.parse().unwrap(), ambiente).at(case.asked);
    if let Some(choice) = case.chosen {
        facts = facts.choosing(StateChoices::of(Some(Uf::SP)).with(choice, true));
    }
    if case.limited {
        facts = facts.choosing(StateChoices { limit: Some(Decimal::ONE_HUNDRED), ..StateChoices::of(None) });
    }
    predict_read(&document, &facts)
}

/// Returns the id of a rule, with its code when an earlier rule of the table has that id (two technical notes both
/// print VC02-40).
fn name(rule: &'static NfeRule) -> &'static str {
    static NAMES: LazyLock<BTreeMap<(&str, u16), String>> = LazyLock::new(|| {
        let mut ids = BTreeSet::new();
        let named = |rule: &NfeRule| {
            if ids.insert(rule.id) { rule.id.to_owned() } else { format!("{} {}", rule.id, rule.cStat) }
        };
        RULES.iter().map(|rule| (rule.id, rule.cStat)).zip(RULES.iter().map(named)).collect()
    });
    &NAMES[&(rule.id, rule.cStat)]
}

/// All pairs, in the order of the groups.
fn pairs() -> impl Iterator<Item = &'static Pair> {
    [
        identification::PAIRS,
        referenced_documents::PAIRS,
        papers::PAIRS,
        parties::PAIRS,
        borders::PAIRS,
        delivery::PAIRS,
        items::PAIRS,
        taxes::PAIRS,
        exemption::PAIRS,
        totals::PAIRS,
        transport::PAIRS,
        payment::PAIRS,
        extras::PAIRS,
        retail::PAIRS,
        qr::PAIRS,
        official_tables::PAIRS,
        ibscbs::PAIRS,
        products::PAIRS,
        imports::PAIRS,
        fuels::PAIRS,
        additions::PAIRS,
        unregistered::PAIRS,
    ]
    .into_iter()
    .flatten()
}

#[test]
fn the_bases_break_no_rule() {
    assert_eq!(predicted(55, &case(&[])), BTreeSet::new());
    assert_eq!(predicted(65, &case(&[])), BTreeSet::new());
}

#[test]
fn every_rule_refuses_the_first_and_accepts_the_second_of_its_pair() {
    let mut wrong = Vec::new();
    for pair in pairs() {
        let (refused, accepted) = (predicted(pair.modelo, &pair.refused), predicted(pair.modelo, &pair.accepted));
        if !refused.contains(pair.id) {
            wrong.push(format!("{} does not refuse {:?}, found {refused:?}", pair.id, pair.refused.edits));
        }
        if accepted.contains(pair.id) {
            wrong.push(format!("{} refuses {:?}", pair.id, pair.accepted.edits));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_has_its_pair() {
    let paired: BTreeSet<&str> = pairs().map(|pair| pair.id).collect();
    let alone: Vec<&str> = RULES.iter().map(name).filter(|id| !paired.contains(id)).collect();
    assert_eq!(alone, Vec::<&str>::new(), "rules without a pair of documents");
    let stray: Vec<&str> = paired.into_iter().filter(|id| RULES.iter().all(|rule| name(rule) != *id)).collect();
    assert_eq!(stray, Vec::<&str>::new(), "pairs of no rule");
}

/// `UPDATE_BOOK=1 cargo test -p fiscal fields_of_the_rules` rewrites the table.
#[test]
#[expect(clippy::disallowed_methods, reason = "the table that it compares is written by it, too")]
fn the_fields_of_the_rules_are_those_that_the_pairs_break() {
    let mut fields = BTreeSet::new();
    for pair in pairs() {
        let broken = found(pair.modelo, &pair.refused).into_iter().find(|(rule, _)| name(rule) == pair.id);
        if let Some((rule, place)) = broken {
            fields.insert(format!("{}\t{}\t{}\n", rule.id, rule.cStat, place.path));
        }
    }
    let fields: String = fields.into_iter().collect();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/nfe/rules/book/fields.tsv");
    if std::env::var_os("UPDATE_BOOK").is_some() {
        std::fs::write(file, &fields).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), fields, "write it anew with UPDATE_BOOK=1");
    for rule in RULES {
        assert!(book::field(rule.id, rule.cStat).is_some(), "{} {}", rule.id, rule.cStat);
    }
}

#[test]
fn every_rule_has_its_official_text_and_its_own_id() {
    let ids: BTreeSet<(&str, u16)> = RULES.iter().map(|rule| (rule.id, rule.cStat)).collect();
    assert_eq!(ids.len(), RULES.len());
    for rule in RULES {
        assert!(rule.xMotivo().starts_with("Rejeição: "), "{} {}", rule.id, rule.xMotivo());
    }
}

/// Exceptions beyond those that a pair has room for.
#[test]
fn exceptions_of_the_manual_are_kept() {
    let lists = [
        EXCEPTED,
        identification::EXCEPTED,
        referenced_documents::EXCEPTED,
        papers::EXCEPTED,
        parties::EXCEPTED,
        borders::EXCEPTED,
        delivery::EXCEPTED,
        transport::EXCEPTED,
        payment::EXCEPTED,
        taxes::EXCEPTED,
        exemption::EXCEPTED,
        official_tables::EXCEPTED,
        ibscbs::EXCEPTED,
        products::EXCEPTED,
        imports::EXCEPTED,
        fuels::EXCEPTED,
        additions::EXCEPTED,
        unregistered::EXCEPTED,
    ];
    for (modelo, id, edits) in lists.into_iter().flatten() {
        let found = predicted(*modelo, &case(edits));
        assert!(!found.contains(id), "{id} not expected after {edits:?}");
    }
}

#[test]
fn rules_of_model_55_leave_model_65_alone() {
    assert!(!predicted(65, &case(&[])).contains("B21-20"));
}

#[test]
fn an_item_rule_names_its_item() {
    let document = VALID.replacen("<CFOP>5102", "<CFOP>6102", 1);
    let facts = NfeRuleContext::new("2026-11-20T10:00:30-03:00".parse().unwrap(), TpAmb::Homologacao);
    let (_, place) = predict_read(&document, &facts).into_iter().find(|(rule, _)| rule.cStat == 732).unwrap();
    assert_eq!((place.path.as_str(), place.appended().as_str()), ("infNFe/det[0]/prod/CFOP", "[nItem:1]"));
}

const EXIT: &str = "</dhEmi>";
const ABROAD: Edit = ("<idDest>1<", "<idDest>3<");
const INTERSTATE: Edit = ("<idDest>1<", "<idDest>2<");
const DEST_CPF: &str = "<CPF>11144477735</CPF>";
const REF: &str = "<NFref><refNFe>35261111222333000181550010000000011123456784</refNFe></NFref></ide>";
const REF_EDIT: Edit = ("</ide>", REF);
const REF_OTHER: &str = "<NFref><refNFe>35261112ABC34501DE35550010000000011100001234</refNFe></NFref></ide>";
const FAT: &str =
    "<cobr><fat><nFat>1</nFat><vOrig>100.00</vOrig><vDesc>0.00</vDesc><vLiq>100.00</vLiq></fat></cobr><pag>";
const DUPS: &str = "<cobr><fat><nFat>1</nFat><vOrig>100.00</vOrig><vDesc>0.00</vDesc><vLiq>100.00</vLiq></fat>\
     <dup><nDup>001</nDup><dVenc>2026-12-20</dVenc><vDup>50.00</vDup></dup>\
     <dup><nDup>002</nDup><dVenc>2027-01-20</dVenc><vDup>50.00</vDup></dup></cobr><pag>";
const ICMS00: &str = "<ICMS00><orig>0</orig><CST>00</CST><modBC>3</modBC><vBC>100.00</vBC><pICMS>18.0000</pICMS><vICMS>18.00</vICMS></ICMS00>";
const SHARE: &str = "<ICMSUFDest><vBCUFDest>100.00</vBCUFDest><pICMSUFDest>18.0000</pICMSUFDest><pICMSInter>12.00</pICMSInter>\
     <pICMSInterPart>100.0000</pICMSInterPart><vICMSUFDest>6.00</vICMSUFDest><vICMSUFRemet>0.00</vICMSUFRemet></ICMSUFDest></imposto>";
const DIFERIDO: &str = "<ICMS51><orig>0</orig><CST>51</CST><vBC>100.00</vBC><pICMS>18.0000</pICMS><vICMSOp>18.00</vICMSOp>\
     <pDif>50.0000</pDif><vICMSDif>9.00</vICMSDif><vICMS>9.00</vICMS></ICMS51>";
const DIFERIDO_OP: &str =
    "<ICMS51><orig>0</orig><CST>51</CST><vBC>100.00</vBC><pICMS>18.0000</pICMS><vICMSOp>17.00</vICMSOp></ICMS51>";
const DIFERIDO_PART: &str = "<ICMS51><orig>0</orig><CST>51</CST><vBC>100.00</vBC><pICMS>18.0000</pICMS><vICMSOp>18.00</vICMSOp>\
     <pDif>50.0000</pDif><vICMSDif>8.00</vICMSDif></ICMS51>";
const DIFERIDO_REST: &str = "<ICMS51><orig>0</orig><CST>51</CST><vBC>100.00</vBC><pICMS>18.0000</pICMS><vICMSOp>18.00</vICMSOp>\
     <pDif>50.0000</pDif><vICMSDif>9.00</vICMSDif><vICMS>8.00</vICMS></ICMS51>";

/// Model, rule, replacements.
#[rustfmt::skip]
const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "B25-70", &[("<finNFe>1<", "<finNFe>4<"), ("<CFOP>5102<", "<CFOP>5921<")]),
    (55, "B25-70", &[("<finNFe>1<", "<finNFe>4<"), ("</imposto>", "</imposto><DFeReferenciado><chaveAcesso>35261111222333000181550010000000011123456784</chaveAcesso></DFeReferenciado>")]),
    (55, "W16-10", &[("<vNF>100.00<", "<vNF>500.00<"), ("<CFOP>5102<", "<CFOP>3102<")]),
    (55, "E16a-30", &[("<indIEDest>9<", "<indIEDest>2<"), (ICMS00, "<ICMS40><orig>0</orig><CST>40</CST></ICMS40>")]),
    (55, "E16a-30", &[("<indIEDest>9<", "<indIEDest>2<"), ("</vICMS></ICMS00>", "</vICMS><vICMSST>1.00</vICMSST></ICMS00>")]),
    (65, "YA03-10", &[("<tPag>01</tPag><vPag>100.00<", "<tPag>91</tPag><vPag>0.00<")]),
    (65, "I08-150", &[("<CFOP>5102<", "<CFOP>5949<"), ("<CST>00<", "<CST>40<")]),
    (65, "N12-40", &[("<CFOP>5102<", "<CFOP>5910<")]),
    (65, "X02-10", &[("<modFrete>9<", "<modFrete>0<"), ("<indPres>1<", "<indPres>4<")]),
];

/// Replacements that turn the base into one of model 65.
#[rustfmt::skip]
const TO_65: &[Edit] = &[
    ("NFe35261111222333000181550010000000011847362510", "NFe35261111222333000181650010000000011847362513"),
    ("<mod>55<", "<mod>65<"),
    ("<tpImp>1<", "<tpImp>4<"),
    ("<cDV>0<", "<cDV>3<"),
    ("<xProd>CAFE<", "<xProd>NOTA FISCAL EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL<"),
    ("</infNFe>", "</infNFe><infNFeSupl><qrCode>https://www.homologacao.nfce.fazenda.sp.gov.br/qrcode?p=35261111222333000181650010000000011847362513|3|2</qrCode><urlChave>https://www.homologacao.nfce.fazenda.sp.gov.br/NFCeConsultaPublica</urlChave></infNFeSupl>"),
];

/// A taxed sale inside São Paulo to a consumer.
const VALID: &str = concat!(
    r#"<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="NFe35261111222333000181550010000000011847362510" versao="4.00">"#,
    "<ide><cUF>35</cUF><cNF>84736251</cNF><natOp>VENDA</natOp><mod>55</mod><serie>1</serie><nNF>1</nNF>",
    "<dhEmi>2026-11-20T10:00:00-03:00</dhEmi><tpNF>1</tpNF><idDest>1</idDest><cMunFG>3550308</cMunFG><tpImp>1</tpImp>",
    "<tpEmis>1</tpEmis><cDV>0</cDV><tpAmb>2</tpAmb><finNFe>1</finNFe><indFinal>1</indFinal><indPres>1</indPres>",
    "<procEmi>0</procEmi><verProc>1.0</verProc></ide><emit><CNPJ>11222333000181</CNPJ><xNome>EMPRESA</xNome><enderEmit>",
    "<xLgr>RUA A</xLgr><nro>1</nro><xBairro>CENTRO</xBairro><cMun>3550308</cMun><xMun>SAO PAULO</xMun><UF>SP</UF>",
    "<CEP>01001000</CEP></enderEmit><IE>110042490114</IE><CRT>3</CRT></emit><dest><CPF>11144477735</CPF>",
    "<xNome>NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL</xNome><enderDest><xLgr>RUA B</xLgr><nro>2</nro>",
    "<xBairro>CENTRO</xBairro><cMun>3550308</cMun><xMun>SAO PAULO</xMun><UF>SP</UF><CEP>01001000</CEP></enderDest>",
    "<indIEDest>9</indIEDest></dest><det nItem=\"1\"><prod><cProd>1</cProd><cEAN>SEM GTIN</cEAN><xProd>CAFE</xProd>",
    "<NCM>09012100</NCM><CFOP>5102</CFOP><uCom>UN</uCom><qCom>2.0000</qCom><vUnCom>50.00</vUnCom><vProd>100.00</vProd>",
    "<cEANTrib>SEM GTIN</cEANTrib><uTrib>UN</uTrib><qTrib>2.0000</qTrib><vUnTrib>50.00</vUnTrib><indTot>1</indTot></prod>",
    "<imposto><ICMS><ICMS00><orig>0</orig><CST>00</CST><modBC>3</modBC><vBC>100.00</vBC><pICMS>18.0000</pICMS>",
    "<vICMS>18.00</vICMS></ICMS00></ICMS><PIS><PISNT><CST>07</CST></PISNT></PIS><COFINS><COFINSNT><CST>07</CST>",
    "</COFINSNT></COFINS>",
    "<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>82.00</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF><vIBSUF>0.08</vIBSUF>",
    "</gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.08</vIBS><gCBS><pCBS>0.9000</pCBS>",
    "<vCBS>0.74</vCBS></gCBS></gIBSCBS></IBSCBS>",
    "</imposto></det><total><ICMSTot><vBC>100.00</vBC><vICMS>18.00</vICMS><vICMSDeson>0.00</vICMSDeson>",
    "<vFCP>0.00</vFCP><vBCST>0.00</vBCST><vST>0.00</vST><vFCPST>0.00</vFCPST><vFCPSTRet>0.00</vFCPSTRet><vProd>100.00</vProd>",
    "<vFrete>0.00</vFrete><vSeg>0.00</vSeg><vDesc>0.00</vDesc><vII>0.00</vII><vIPI>0.00</vIPI><vIPIDevol>0.00</vIPIDevol>",
    "<vPIS>0.00</vPIS><vCOFINS>0.00</vCOFINS><vOutro>0.00</vOutro><vNF>100.00</vNF></ICMSTot>",
    "<IBSCBSTot><vBCIBSCBS>82.00</vBCIBSCBS><gIBS><gIBSUF><vDif>0.00</vDif><vDevTrib>0.00</vDevTrib><vIBSUF>0.08</vIBSUF></gIBSUF>",
    "<gIBSMun><vDif>0.00</vDif><vDevTrib>0.00</vDevTrib><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.08</vIBS><vCredPres>0.00</vCredPres>",
    "<vCredPresCondSus>0.00</vCredPresCondSus></gIBS><gCBS><vDif>0.00</vDif><vDevTrib>0.00</vDevTrib><vCBS>0.74</vCBS>",
    "<vCredPres>0.00</vCredPres><vCredPresCondSus>0.00</vCredPresCondSus></gCBS></IBSCBSTot></total><transp>",
    "<modFrete>9</modFrete></transp><pag><detPag><indPag>0</indPag><tPag>01</tPag><vPag>100.00</vPag></detPag></pag>",
    "</infNFe></NFe>"
);
