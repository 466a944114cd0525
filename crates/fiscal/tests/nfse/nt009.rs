//! Declarations in the layout of NT 009: `tests/golden/nfse_nt009/<case>.xml`, accepted by the package's schema as the
//! NT changes it. `UPDATE_GOLDEN=1` rewrites them; the difference is then reviewed.

use crate::golden::assert_schema_accepts;
use fiscal::nfse::amounts::{MunicipalTerms, NfseAmounts, of};
use fiscal::nfse::layouts::DpsLayout;
use fiscal::nfse::moved_members::as_package;
use fiscal::xml;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use std::path::Path;
use std::{env, fs};
use testkit::cases;
use testkit::cases::nfse::{Case, base};

/// Golden cases of the layout in force, written in the layout of NT 009.
const OF_BOTH: [&str; 6] =
    ["minima", "ibs_cbs", "ibs_cbs_destinatario", "exemplo_retencoes_ibs_cbs", "deducao_percentual", "simples_dentro"];

/// Members that only NT 009 can express.
fn own() -> [(&'static str, Value); 3] {
    let reform = json!({ "cIndOp": "100301", "valores": { "trib": { "CST": "000", "cClassTrib": "000001" } } });
    let abroad = json!({ "mdPrestacao": 5, "vincPrest": 0, "tpMoeda": "036", "nFatura": "17", "vFatura": "1500.00", "vServMoeda": "1500.00",
        "mecAFComexP": "01", "mecAFComexT": "01", "movTempBens": 3, "nDUIMP": "26BR00000000001", "nDUE": "26BR0000000001", "mdic": 1, "nContCambio": "42" });
    [
        (
            "nota_de_debito",
            json!({ "finNFSe": 2, "tpNFSeDebito": "04", "indDest": 0, "IBSCBS": reform, "serv": { "cServ": { "cNBS": "115021000" } } }),
        ),
        ("comercio_exterior", json!({ "serv": { "cServ": { "cNBS": "115022000" }, "comExt": abroad } })),
        (
            "optante_pendente",
            json!({ "prest": { "regTrib": { "opSimpNac": 4, "regApIBSCBSSN": 1 } }, "IBSCBS": reform,
                "serv": { "cServ": { "cNBS": "115021000", "cAtvSN": "07" } },
                "valores": { "trib": { "totTrib": { "pTotTribSN": "6.00" } } } }),
        ),
    ]
}

fn by_the_note(case: Case) -> Case {
    case.with(&json!({ "leiaute": "nt009" }))
}

fn of_both() -> Vec<Case> {
    cases::nfse::all().into_iter().filter(|case| OF_BOTH.contains(&case.name().as_str())).collect()
}

fn all() -> Vec<(String, Case)> {
    let known = of_both().into_iter().map(|case| (case.name(), by_the_note(case)));
    let own = own()
        .into_iter()
        .map(|(name, nota)| (name.to_owned(), by_the_note(base("nfse").with(&json!({ "nota": nota })))));
    known.chain(own).collect()
}

#[test]
fn every_case_builds_what_it_built_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/nfse_nt009");
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let (mut wrong, mut made) = (Vec::new(), Vec::new());
    for (name, case) in all() {
        let found = case.build().unwrap_or_else(|violations| panic!("{name}: {violations:#?}")).xml;
        let expected = folder.join(format!("{name}.xml"));
        if update {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&expected, &found).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(format!("{name}: differs; found\n{found}"));
        }
        made.push((name, found));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(made.len(), OF_BOTH.len() + own().len());
    assert_schema_accepts("nfse-nt009/DPS_v1.01.xsd", &made);
}

#[test]
fn both_forms_of_a_payload_make_the_same_documents() {
    let class = json!({ "CST": "000", "cClassTrib": "000001" });
    let dest = json!({ "CPF": "11144477735", "xNome": "BELTRANO" });
    let of_the_package = json!({ "IBSCBS": { "finNFSe": 0, "indDest": 1, "dest": dest, "cIndOp": "100301", "valores": { "trib": { "gIBSCBS": class } } },
        "valores": { "vDedRed": { "vDR": 100 } }, "serv": { "cServ": { "cNBS": "115021000" } } });
    let of_the_note = json!({ "finNFSe": 0, "indDest": 1, "dest": dest, "IBSCBS": { "cIndOp": "100301", "valores": { "trib": class } },
        "valores": { "vAjusteBC": { "vAjusteBCISSQN": 100 } }, "serv": { "cServ": { "cNBS": "115021000" } } });
    for leiaute in ["atual", "nt009"] {
        let built = [&of_the_package, &of_the_note].map(|nota| {
            let case = base("nfse").with(&json!({ "leiaute": leiaute, "nota": nota }));
            case.build().unwrap_or_else(|violations| panic!("{leiaute}: {violations:#?}"))
        });
        let [package, note] = &built;
        assert_eq!(package.xml, note.xml, "{leiaute}");
        assert_eq!(package.ids, note.ids);
        for built in &built {
            let unknown = built.notices.iter().find(|notice| notice.codigo.starts_with("campo_"));
            assert_eq!(unknown, None, "{leiaute}");
            let signed = &built.xml[built.signatures[0].element.clone()];
            assert!(signed.starts_with("<infDPS ") && signed.ends_with("</infDPS>"), "{signed}");
        }
    }
}

#[test]
fn what_one_layout_cannot_say_stops_the_note_and_is_named() {
    let documents = json!({ "valores": { "vDedRed": { "documentos": { "docDedRed": [{ "nDocFisc": "1" }] } } } });
    let debit = json!({ "finNFSe": 2, "tpNFSeDebito": "04", "IBSCBS": { "cIndOp": "100301", "valores": { "trib": { "CST": "000", "cClassTrib": "000001" } } } });
    for (leiaute, nota, expected) in
        [("nt009", documents, "nota.valores.vDedRed.documentos"), ("atual", debit, "nota.tpNFSeDebito")]
    {
        let refused = base("nfse").with(&json!({ "leiaute": leiaute, "nota": nota })).build().unwrap_err();
        assert!(refused.iter().any(|violation| violation.campo == expected), "{leiaute}: {refused:#?}");
    }
}

#[test]
fn a_foreseen_refusal_lies_where_the_caller_wrote_it() {
    let class = json!({ "CST": "000", "cClassTrib": "200028" });
    for (nota, expected) in [
        (json!({ "trib": class }), "nota.IBSCBS.valores.trib.cClassTrib"),
        (json!({ "trib": { "gIBSCBS": class } }), "nota.IBSCBS.valores.trib.gIBSCBS.cClassTrib"),
    ] {
        for leiaute in ["atual", "nt009"] {
            let nota = json!({ "IBSCBS": { "cIndOp": "100301", "valores": nota }, "serv": { "cServ": { "cNBS": "115021000" } } });
            let built = base("nfse").with(&json!({ "leiaute": leiaute, "nota": nota })).build().unwrap();
            let told = built
                .notices
                .iter()
                .find(|notice| notice.codigo_status.as_ref().is_some_and(|code| code.as_str() == "E0959"));
            assert_eq!(told.map(|notice| notice.campo.as_str()), Some(expected), "{leiaute}");
        }
    }
}

/// Amounts are read equally from either layout.
#[test]
fn a_document_of_the_note_is_read_as_one_of_the_package() {
    let terms = MunicipalTerms { is_active: true, rate: Decimal::new(5, 0), benefit: None };
    for case in of_both() {
        let amounts = |xml: &str| -> (Option<Decimal>, Option<Decimal>, Decimal) {
            let read = xml::read(xml.as_bytes()).unwrap();
            let NfseAmounts { vBC, vISSQN, vLiq, .. } = of(as_package(&read).child("infDPS").unwrap(), Some(&terms));
            (vBC, vISSQN, vLiq)
        };
        let name = case.name();
        let package = case.build().unwrap().xml;
        let note = by_the_note(case).build().unwrap().xml;
        assert_eq!(DpsLayout::of(&xml::read(package.as_bytes()).unwrap()), DpsLayout::Current, "{name}");
        assert_eq!(DpsLayout::of(&xml::read(note.as_bytes()).unwrap()), DpsLayout::Nt009, "{name}");
        assert_eq!(amounts(&package), amounts(&note), "{name}");
    }
}
