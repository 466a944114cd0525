//! Official vectors, a golden document, and reading back.

use super::*;
use crate::document::BuildContext;
use crate::nfe::build;
use crate::value::Uf;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// CSC of the manual's examples.
const CSC: &str = "SEU-CODIGO-CSC-CONTRIBUINTE-36-CARACTERES";
const OWN_CSC: &str = "0123456789ABCDEF0123456789ABCDEF0123";
const ONLINE: &str = "35261111222333000181650010000000011123456787";
const OFFLINE: &str = "35261111222333000181650010000000029123456798";

fn chave(text: &str) -> ChaveAcesso {
    ChaveAcesso::parse(text).unwrap()
}

fn offline(vNF: &str, consumer: ConsumerId) -> OfflineInputs<'_> {
    let (dhEmi, digest) = ("2026-11-20T10:00:00-03:00", "2jmj7l5rSw0yVb/vlWAYkK/YBwk=");
    OfflineInputs { dhEmi, vNF: vNF.parse().unwrap(), digest, consumer }
}

fn facts<'a>(chave: &'a ChaveAcesso, offline: Option<OfflineInputs<'a>>) -> QrInputs<'a> {
    QrInputs { chave, ambiente: TpAmb::Homologacao, offline }
}

/// The keys of the manual's two examples have a wrong check digit, so the reader verifies the hashes.
#[test]
fn the_examples_of_the_manual_hold() {
    let online = "28170800156225000131650110000151341562040824|2|1|1|DC6AE2C2B9A992BE59679AC365E29922DE6B7511";
    assert!(read(online).unwrap().is_sealed_by(CSC));
    assert!(!read(online).unwrap().is_sealed_by(OWN_CSC));
    let offline = "28170800156225000131650110000151349562040824|2|1|02|60.90|\
                   797a4759685578312f5859597a6b7357422b6650523351633530633d|1|4615A93BB0D7C4E780F8D30EE77EDD5BA55C7D66";
    let read = read(offline).unwrap();
    assert!(read.is_sealed_by(CSC));
    assert!(read.has_digest("yzGYhUx1/XYYzksWB+fPR3Qc50c="));
    assert!(!read.has_digest("yzGYhUx1/XYYzksWB+fPR3Qc50d="));
    let told = read.offline.unwrap();
    assert_eq!((told.dia, told.vNF, told.consumer), ("02", "60.90", None));
}

#[test]
fn an_online_code_of_version_2_is_sealed_by_the_csc() {
    let chave = chave(ONLINE);
    let p = v2(&facts(&chave, None), 1, OWN_CSC);
    assert_eq!(p, format!("{ONLINE}|2|2|1|FAACCD67778493F02F2FF21CC91892D6BD3BA8D4"));
    assert!(!p.contains(OWN_CSC));
    assert!(read(&p).unwrap().is_sealed_by(OWN_CSC));
}

#[test]
fn an_offline_code_of_version_2_tells_day_total_and_digest() {
    let chave = chave(OFFLINE);
    let p = v2(&facts(&chave, Some(offline("150", ConsumerId::Unidentified))), 1, OWN_CSC);
    let digest = "326a6d6a376c35725377307956622f766c5741596b4b2f5942776b3d";
    assert_eq!(p, format!("{OFFLINE}|2|2|20|150.00|{digest}|1|126434DA424843AB7D13A7E9ECBF9B06A4D915E1"));
}

#[test]
fn a_code_of_version_3_needs_no_csc_and_is_signed_offline() {
    let chave = chave(OFFLINE);
    assert_eq!(v3_online(&facts(&chave, None)), format!("{OFFLINE}|3|2"));
    assert_eq!(v3_to_sign(&facts(&chave, None)), None);
    let document = |text: &str| ConsumerId::By(CnpjCpf::parse(text).unwrap());
    for (consumer, expected) in [
        (ConsumerId::Unidentified, "|"),
        (document("11222333000181"), "1|11222333000181"),
        (document("11144477735"), "2|11144477735"),
        (ConsumerId::Foreigner, "3|"),
    ] {
        let to_sign = v3_to_sign(&facts(&chave, Some(offline("150.00", consumer)))).unwrap();
        assert_eq!(to_sign, format!("{OFFLINE}|3|2|20|150.00|{expected}"));
        let p = v3_signed(&to_sign, "QUJD");
        let read = read(&p).unwrap();
        assert_eq!((read.sealed, read.seal), (to_sign.as_str(), QrSeal::Signature("QUJD")));
        assert_eq!(read.offline.unwrap().consumer, expected.split_once('|'));
    }
}

#[test]
fn every_shape_is_told_from_the_others() {
    let shape = |p: &'static str| read(p).map(|qr| (qr.versao, qr.offline.is_some(), qr.seal));
    assert_eq!(shape("C|3|1"), Ok((3, false, QrSeal::None)));
    assert_eq!(shape("C|3|1|S"), Ok((3, false, QrSeal::Signature("S"))));
    assert_eq!(shape("C|3|1|20|1.00||"), Ok((3, true, QrSeal::None)));
    assert_eq!(shape("C|2|1|1|H"), Ok((2, false, QrSeal::Csc { id: "1", hash: "H" })));
    for (p, wrong) in [
        ("C|1|1", QrSyntaxError::Version("1")),
        ("C|100|1|1|H", QrSyntaxError::Version("100")),
        ("", QrSyntaxError::Missing("chave")),
        ("C", QrSyntaxError::Missing("versao")),
        ("C||1", QrSyntaxError::Missing("versao")),
        ("C|2", QrSyntaxError::Missing("tpAmb")),
        ("|2|1|1|H", QrSyntaxError::Missing("chave")),
        ("C|2|1|20|1.00|aa|1", QrSyntaxError::Missing("hash")),
        ("C|3|1|20|1.00", QrSyntaxError::Missing("tp_idDest")),
    ] {
        assert_eq!(read(p), Err(wrong), "{p}");
    }
}

#[test]
fn the_number_of_a_csc_loses_its_leading_zeros() {
    assert_eq!(id_csc(" 000001 "), Some(1));
    assert_eq!(id_csc("0"), Some(0));
    for wrong in ["", "1a", "-1", "1000000", "99999999999"] {
        assert_eq!(id_csc(wrong), None, "{wrong}");
    }
}

#[test]
fn every_state_has_addresses_that_the_layout_takes() {
    let chave = chave(ONLINE);
    for uf in Uf::ALL {
        for ambiente in [TpAmb::Producao, TpAmb::Homologacao] {
            let of = addresses(uf, ambiente);
            let text = text(of.qr, &v2(&facts(&chave, None), 1, OWN_CSC));
            assert!(text.starts_with("http") && (60..=1000).contains(&text.len()), "{uf:?} {text}");
            assert!((21..=85).contains(&of.chave.len()), "{uf:?} {}", of.chave);
        }
    }
    let [production, test] = [TpAmb::Producao, TpAmb::Homologacao].map(|ambiente| addresses(Uf::SP, ambiente));
    assert_eq!(production.qr, "https://www.nfce.fazenda.sp.gov.br/qrcode");
    assert_eq!(test.chave, "https://www.homologacao.nfce.fazenda.sp.gov.br/NFCeConsultaPublica");
}

/// A document issued offline whose `infNFe` has 1982 canonical bytes: digest and parameters as published with it.
#[test]
fn the_golden_offline_note_has_its_published_digest_and_parameters() {
    let company = json!({"CNPJCPF": "11222333000181", "xNome": "EMPRESA TESTE LTDA", "xLgr": "RUA A", "nro": "1",
        "xBairro": "CENTRO", "cMun": 3550308, "xMun": "SAO PAULO", "UF": "SP", "CEP": "01001000", "IE": "110042490114", "CRT": 3});
    let nota = json!({
        "identificacao": {"natOp": "VENDA", "verProc": "1.0"},
        "produtos": [{"cProd": "1", "xProd": "CAFE", "NCM": "09012100", "CFOP": 5102, "uCom": "UN", "qCom": "2.0000",
            "vUnCom": "50.00", "vProd": "100.00",
            "icms": {"orig": 0, "CST": "00", "modBC": 3, "vBC": "100.00", "pICMS": "18.0000", "vICMS": "18.00"},
            "pis": {"CST": "07"}, "cofins": {"CST": "07"}}],
        "pagamentos": [{"indPag": 0, "tPag": "01", "vPag": "100.00"}],
    });
    let context = BuildContext {
        modelo: 65,
        ambiente: TpAmb::Homologacao,
        law: crate::law::Law::printed(),
        emitente: company.as_object().unwrap(),
        regimes: None,
        configuracao: None,
        serie: 1.into(),
        numero: 2,
        codigo: 84_736_251,
        dhEmi: "2026-11-20T10:00:00-03:00",
        tpEmis: 9,
        contingencia: Some(("2026-11-20T09:55:00-03:00", "Falha de conexao com a internet")),
        verProc: "1.0",
        software_house: None,
        dialeto: None,
        leiaute: crate::nfse::layouts::DpsLayout::Current,
    };
    let built = build(&nota, &context).unwrap();
    let inf = built.xml.split_once("<infNFe").unwrap().1.strip_suffix("</NFe>").unwrap();
    let canonical = format!("<infNFe xmlns=\"http://www.portalfiscal.inf.br/nfe\"{inf}");
    assert_eq!(canonical.len(), 1982, "{canonical}");
    let digest = STANDARD.encode(Sha1::digest(&canonical));
    assert_eq!(digest, "/465x0RMIYYrQXrziL61BGFIzCo=");
    let offline =
        OfflineInputs { dhEmi: &built.dhEmi, vNF: built.valor, digest: &digest, consumer: ConsumerId::Unidentified };
    let expected = "35261111222333000181650010000000029847362516|2|2|20|100.00|\
                    2f3436357830524d495959725158727a694c3631424746497a436f3d|1|E64A2B81ABE37954BF7A25B68476C0E63BED87AC";
    assert_eq!(v2(&facts(&built.ids.chave.unwrap(), Some(offline)), 1, OWN_CSC), expected);
}
