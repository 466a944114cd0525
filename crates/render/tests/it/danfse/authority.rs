//! A golden DPS as the NFS-e of an authority, by the arithmetic of the layout's annotations.
#![expect(non_snake_case, reason = "official tags keep their spelling")]

use render::form::{ParsedDocument, StoredElement};
use rust_decimal::Decimal;
use std::path::Path;
use std::process::Command;

/// Number of every note made here.
const NUMBER: &str = "17";

/// A signature of the right form without a valid value.
const SIGNATURE: &str = "<Signature xmlns=\"http://www.w3.org/2000/09/xmldsig#\"><SignedInfo><CanonicalizationMethod \
    Algorithm=\"http://www.w3.org/TR/2001/REC-xml-c14n-20010315\"/><SignatureMethod Algorithm=\"http://www.w3.org/2000/09/xmldsig#rsa-sha1\"/>\
    <Reference URI=\"#X\"><Transforms><Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\"/><Transform \
    Algorithm=\"http://www.w3.org/TR/2001/REC-xml-c14n-20010315\"/></Transforms><DigestMethod \
    Algorithm=\"http://www.w3.org/2000/09/xmldsig#sha1\"/><DigestValue>AAAA</DigestValue></Reference></SignedInfo><SignatureValue>AAAA\
    </SignatureValue><KeyInfo><X509Data><X509Certificate>AAAA</X509Certificate></X509Data></KeyInfo></Signature>";

/// The NFS-e of a DPS.
pub(super) fn made(dps: &str) -> String {
    let dps = dps.split_once("?>").map_or(dps, |(_, rest)| rest);
    let document = ParsedDocument::read(dps.as_bytes()).unwrap();
    let inf = document.root().unwrap().child("infDPS").unwrap();
    let at = |path: &str| inf.text_at(path).unwrap_or_default();
    let incidence = if at("valores/trib/tribMun/tribISSQN") == "1" {
        "<cLocIncid>3550308</cLocIncid><xLocIncid>São Paulo</xLocIncid>"
    } else {
        ""
    };
    let place = if at("serv/locPrest/cPaisPrestacao").is_empty() { "São Paulo" } else { "Exterior" };
    let city = if at("serv/cServ/cTribMun").is_empty() { "" } else { "<xTribMun>Serviço do município</xTribMun>" };
    let nbs = if at("serv/cServ/cNBS").is_empty() { "" } else { "<xNBS>Serviço da NBS</xNBS>" };
    let cStat = if at("prest/regTrib/opSimpNac") == "2" { "107" } else { "100" };
    let values = Values::of(inf);
    format!(
        "<NFSe xmlns=\"http://www.sped.fazenda.gov.br/nfse\" versao=\"1.01\"><infNFSe Id=\"NFS{}\"><xLocEmi>São Paulo</xLocEmi>\
         <xLocPrestacao>{place}</xLocPrestacao><nNFSe>{NUMBER}</nNFSe>{incidence}<xTribNac>Análise e desenvolvimento de sistemas.</xTribNac>\
         {city}{nbs}<verAplic>Sefin_1.0</verAplic><ambGer>2</ambGer><tpEmis>1</tpEmis><procEmi>1</procEmi><cStat>{cStat}</cStat>\
         <dhProc>2026-11-20T10:00:05-03:00</dhProc><nDFSe>991</nDFSe>{}<valores>{}</valores><xOutInf>Aviso do município</xOutInf>{}{}</infNFSe>\
         {SIGNATURE}</NFSe>",
        key(inf),
        emitter(inf),
        values.written(),
        values.reform(inf),
        dps.replace("</DPS>", &format!("{SIGNATURE}</DPS>"))
    )
}

/// Município, generator, kind of inscription, inscription, number, month, nine digits and an unchecked check digit.
pub(super) fn key(inf: StoredElement<'_>) -> String {
    let at = |path: &str| inf.text_at(path).unwrap_or_default();
    let (kind, inscription) =
        if at("prest/CNPJ").is_empty() { ("1", at("prest/CPF")) } else { ("2", at("prest/CNPJ")) };
    let month = &at("dhEmi")[2..7].replace('-', "");
    format!("{}2{kind}{inscription:0>14}{NUMBER:0>13}{month}1234567890", at("cLocEmi"))
}

fn emitter(inf: StoredElement<'_>) -> String {
    let at = |path: &str| inf.text_at(path).unwrap_or_default();
    let tag = |tag: &str, text: &str| if text.is_empty() { String::new() } else { format!("<{tag}>{text}</{tag}>") };
    format!(
        "<emit>{}{}{}<xNome>PRESTADOR EXEMPLO LTDA</xNome><enderNac><xLgr>Avenida Paulista</xLgr><nro>1000</nro><xCpl>conjunto 51</xCpl>\
         <xBairro>Bela Vista</xBairro><cMun>3550308</cMun><UF>SP</UF><CEP>01310100</CEP></enderNac><fone>11987654321</fone>\
         <email>notas@exemplo.com.br</email></emit>",
        tag("CNPJ", at("prest/CNPJ")),
        tag("CPF", at("prest/CPF")),
        tag("IM", at("prest/IM")),
    )
}

/// Amounts that the authority calculates.
struct Values {
    deducted: Option<Decimal>,
    benefit: bool,
    /// Base, rate and tax; `None` for a note whose only amount is the rest.
    taxed: Option<[Decimal; 3]>,
    withheld: Decimal,
    net: Decimal,
}

fn number(text: &str) -> Decimal {
    if text.is_empty() { Decimal::ZERO } else { text.parse().unwrap() }
}

impl Values {
    fn of(inf: StoredElement<'_>) -> Values {
        let at = |path: &str| number(inf.text_at(path).unwrap_or_default());
        let served = at("valores/vServPrest/vServ");
        let told = inf.at("valores/vDedRed").and_then(|group| group.children().next());
        let deducted = told.map(|told| match told.name() {
            "pDR" => served * number(told.text()) / Decimal::ONE_HUNDRED,
            "vDR" => number(told.text()),
            _ => told.children().map(|each| number(each.text_at("vDeducaoReducao").unwrap())).sum(),
        });
        let (unconditional, conditional) =
            (at("valores/vDescCondIncond/vDescIncond"), at("valores/vDescCondIncond/vDescCond"));
        let municipal = inf.at("valores/trib/tribMun").unwrap();
        let code = |tag: &str| municipal.text_at(tag).unwrap_or_default();
        let benefit = municipal.child("BM").is_some();
        let base = served - unconditional - deducted.unwrap_or_default();
        let rate = if code("pAliq").is_empty() { Decimal::from(5) } else { number(code("pAliq")) };
        let is_taxed = code("tribISSQN") == "1" && municipal.child("exigSusp").is_none();
        let issqn = (base * rate / Decimal::ONE_HUNDRED).round_dp(2);
        let taxed = is_taxed.then_some([base, rate, issqn]);
        let federal = |tag: &str| at(&format!("valores/trib/tribFed/{tag}"));
        let of_issqn = if is_taxed && code("tpRetISSQN") != "1" { issqn } else { Decimal::ZERO };
        let withheld = federal("vRetCP") + federal("vRetIRRF") + federal("vRetCSLL") + of_issqn;
        Values { deducted, benefit, taxed, withheld, net: served - unconditional - conditional - withheld }
    }

    fn written(&self) -> String {
        let tag = |tag: &str, value: Decimal| format!("<{tag}>{value:.2}</{tag}>");
        let mut out = self.deducted.map(|value| tag("vCalcDR", value)).unwrap_or_default();
        if self.benefit {
            out += "<tpBM>3</tpBM><vCalcBM>12.34</vCalcBM>";
        }
        if let Some([base, rate, issqn]) = self.taxed {
            out += &[tag("vBC", base), tag("pAliqAplic", rate), tag("vISSQN", issqn)].concat();
        }
        out + &tag("vTotalRet", self.withheld) + &tag("vLiq", self.net)
    }

    /// Group of the reform, for a DPS that classifies its service.
    fn reform(&self, inf: StoredElement<'_>) -> String {
        if inf.child("IBSCBS").is_none() {
            return String::new();
        }
        let net = self.net;
        format!(
            "<IBSCBS><cLocalidadeIncid>3550308</cLocalidadeIncid><xLocalidadeIncid>São Paulo</xLocalidadeIncid><valores><vBC>{:.2}</vBC>\
             <vCalcReeRepRes>7.77</vCalcReeRepRes><uf><pIBSUF>0.10</pIBSUF><pRedAliqUF>60.00</pRedAliqUF><pAliqEfetUF>0.04</pAliqEfetUF></uf>\
             <mun><pIBSMun>0</pIBSMun><pAliqEfetMun>0.03</pAliqEfetMun></mun><fed><pCBS>0.90</pCBS><pRedAliqCBS>30.00</pRedAliqCBS>\
             <pAliqEfetCBS>0.63</pAliqEfetCBS></fed></valores><totCIBS><vTotNF>{net:.2}</vTotNF><gIBS><vIBSTot>9.14</vIBSTot><gIBSUFTot>\
             <vIBSUF>9.01</vIBSUF></gIBSUFTot><gIBSMunTot><vIBSMun>0.13</vIBSMun></gIBSMunTot></gIBS><gCBS><vCBS>82.22</vCBS></gCBS></totCIBS></IBSCBS>",
            self.net - Decimal::TEN
        )
    }
}

#[test]
fn what_is_made_here_has_the_official_layout() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("danfse-made");
    std::fs::create_dir_all(&folder).unwrap();
    let files: Vec<_> = super::notes()
        .into_iter()
        .map(|(name, xml)| {
            let file = folder.join(format!("{name}.xml"));
            std::fs::write(&file, xml).unwrap();
            file
        })
        .collect();
    let schemas = std::env::var_os("CARIMBO_SCHEMAS").map(std::path::PathBuf::from);
    let schemas = schemas.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/schemas"));
    let schema = schemas.join("nfse/NFSe_v1.01.xsd");
    let output = Command::new("xmllint").args(["--nonet", "--noout", "--schema"]).arg(&schema).args(&files).output();
    std::fs::remove_dir_all(&folder).unwrap();
    let output = output.expect("xmllint (package libxml2-utils) must be installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
