//! Each rule of the code with a document that meets it and one that breaks it.

use crate::nfe::rules::{NfeRuleContext, predict};
use crate::value::TpAmb;
use crate::xml::{self, FlatDocument};

const ONLINE: &str = "35261111222333000181650010000000011847362519";
const OFFLINE: &str = "35261111222333000181650010000000029847362516";
const DIGEST: &str = "/465x0RMIYYrQXrziL61BGFIzCo=";
const DIGEST_HEX: &str = "2f3436357830524d495959725158727a694c3631424746497a436f3d";
const SITE: &str = "https://www.homologacao.nfce.fazenda.sp.gov.br/qrcode";
const BY_KEY: &str = "https://www.homologacao.nfce.fazenda.sp.gov.br/NFCeConsultaPublica";

/// The parts of a signed document that these rules read.
#[derive(Clone)]
struct Signed {
    chave: &'static str,
    tpEmis: u8,
    emit: &'static str,
    dest: &'static str,
    site: &'static str,
    p: String,
    by_key: &'static str,
}

impl Signed {
    fn online(p: &str) -> Signed {
        let emit = "<CNPJ>11222333000181</CNPJ>";
        Signed { chave: ONLINE, tpEmis: 1, emit, dest: "", site: SITE, p: p.to_owned(), by_key: BY_KEY }
    }
    fn offline(p: &str) -> Signed {
        Signed { chave: OFFLINE, tpEmis: 9, ..Signed::online(p) }
    }
    fn dest(self, dest: &'static str) -> Signed {
        Signed { dest, ..self }
    }
    fn xml(&self) -> String {
        let Signed { chave, tpEmis, emit, dest, site, p, by_key } = self;
        format!(
            "<NFe xmlns=\"http://www.portalfiscal.inf.br/nfe\"><infNFe Id=\"NFe{chave}\" versao=\"4.00\"><ide><cUF>35</cUF>\
             <mod>65</mod><dhEmi>2026-11-20T10:00:00-03:00</dhEmi><tpImp>4</tpImp><tpEmis>{tpEmis}</tpEmis><tpAmb>2</tpAmb></ide>\
             <emit>{emit}</emit>{dest}<total><ICMSTot><vNF>100.00</vNF></ICMSTot></total></infNFe>\
             <infNFeSupl><qrCode>{site}?p={p}</qrCode><urlChave>{by_key}</urlChave></infNFeSupl>\
             <Signature><SignedInfo><Reference><DigestValue>{DIGEST}</DigestValue></Reference></SignedInfo></Signature></NFe>"
        )
    }
    /// Codes and paths of group ZX, without other groups.
    fn broken(&self) -> Vec<(u16, String)> {
        broken(&self.xml(), facts())
    }
}

fn facts() -> NfeRuleContext<'static> {
    NfeRuleContext::new("2026-11-20T10:00:30-03:00".parse().unwrap(), TpAmb::Homologacao)
}

fn broken(xml: &str, facts: NfeRuleContext) -> Vec<(u16, String)> {
    let nfe = xml::read(xml.as_bytes()).unwrap();
    let all = predict(FlatDocument::of(&nfe).root(), &facts).into_iter().filter(|it| it.rule.id.starts_with("ZX"));
    all.map(|it| (it.rule.cStat, it.breach.path)).collect()
}

fn v2_online() -> String {
    format!("{ONLINE}|2|2|1|FAACCD67778493F02F2FF21CC91892D6BD3BA8D4")
}

fn v2_offline() -> String {
    format!("{OFFLINE}|2|2|20|100.00|{DIGEST_HEX}|1|E64A2B81ABE37954BF7A25B68476C0E63BED87AC")
}

fn v3_offline(consumer: &str) -> String {
    format!("{OFFLINE}|3|2|20|100.00|{consumer}|QUJD")
}

#[test]
fn right_codes_of_both_versions_break_nothing() {
    let cpf = "<dest><CPF>11144477735</CPF></dest>";
    for note in [
        Signed::online(&v2_online()),
        Signed::online(&format!("{ONLINE}|3|2")),
        Signed { emit: "<CPF>11144477735</CPF>", ..Signed::online(&format!("{ONLINE}|3|2")) },
        Signed { site: "HTTPS://WWW.homologacao.nfce.fazenda.SP.gov.br/QRcode", ..Signed::online(&v2_online()) },
        Signed::offline(&v2_offline()),
        Signed::offline(&v3_offline("|")),
        Signed::offline(&v3_offline("2|11144477735")).dest(cpf),
        Signed::offline(&v3_offline("1|11222333000181")).dest("<dest><CNPJ>11222333000181</CNPJ></dest>"),
        Signed::offline(&v3_offline("3|")).dest("<dest><idEstrangeiro>AB123</idEstrangeiro></dest>"),
    ] {
        assert_eq!(note.broken(), [], "{}", note.xml());
    }
}

#[test]
fn each_wrong_parameter_is_named() {
    let other_key = v2_online().replacen(ONLINE, OFFLINE, 1);
    let other_digest = v2_offline().replacen("|2f34", "|2f35", 1);
    for (note, cStat, parameter) in [
        (Signed::online(&other_key), 397, "chave"),
        (Signed::online(&v2_online().replacen("|2|2|", "|2|1|", 1)), 397, "tpAmb"),
        (Signed::online(&v2_online().replacen("|2|2|", "|1|2|", 1)), 398, "versao"),
        (Signed::online(&format!("{ONLINE}|2|2")), 396, "dia"),
        (Signed::online(&format!("{ONLINE}|3|2|QUJD")), 445, "assinatura"),
        (Signed { emit: "<CPF>11144477735</CPF>", ..Signed::online(&v2_online()) }, 444, "versao"),
        (Signed::offline(&v2_offline().replacen("|20|", "|21|", 1)), 397, "dia"),
        (Signed::offline(&v2_offline().replacen("|100.00|", "|100.01|", 1)), 397, "vNF"),
        (Signed::offline(&other_digest), 397, "digVal"),
        (Signed::offline(&format!("{OFFLINE}|3|2|20|100.00||")), 474, "assinatura"),
        (Signed::offline(&v3_offline("2|11144477735")), 397, "idDest"),
        (Signed::offline(&v3_offline("|")).dest("<dest><CPF>11144477735</CPF></dest>"), 397, "idDest"),
    ] {
        assert_eq!(note.broken(), [(cStat, format!("infNFeSupl/qrCode?{parameter}"))], "{}", note.xml());
    }
    let online_code = Signed::offline(&v2_online().replacen(ONLINE, OFFLINE, 1));
    assert_eq!(online_code.broken(), [(396, "infNFeSupl/qrCode?dia".to_owned())]);
}

#[test]
fn other_addresses_than_the_states_are_refused() {
    let site = Signed { site: "https://www.example.com/qrcode", ..Signed::online(&v2_online()) };
    assert_eq!(site.broken(), [(395, "infNFeSupl/qrCode".to_owned())]);
    let by_key = Signed { by_key: "https://www.example.com/consulta", ..Signed::online(&v2_online()) };
    assert_eq!(by_key.broken(), [(878, "infNFeSupl/urlChave".to_owned())]);
}

#[test]
fn a_note_without_its_code_is_refused_once_it_is_finished() {
    let xml = Signed::online(&v2_online()).xml();
    let (before, rest) = xml.split_once("<infNFeSupl>").unwrap();
    let bare = format!("{before}{}", rest.split_once("</infNFeSupl>").unwrap().1);
    assert_eq!(broken(&bare, facts()), [(394, "infNFeSupl/qrCode".to_owned())]);
    assert_eq!(broken(&bare, facts().of_a_draft()), []);
}
