//! One folder, one case: `tests/golden/<model>/<case>/input.json` must build `expected.xml`, which the official schema accepts.
//! `UPDATE_GOLDEN=1` rewrites. `input.json` is `{"modelo", "ambiente", "emitente", "nota"}`; all but `nota` may be absent.
#![expect(clippy::unwrap_used, reason = "tests")]
#![expect(clippy::disallowed_methods, reason = "golden files are read and written, and xmllint is started")]

use fiscal::nfe::{self, Context};
use fiscal::value::TpAmb;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Schema-valid by shape only: the golden documents are unsigned.
const DUMMY_SIGNATURE: &str = r##"<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"></CanonicalizationMethod><SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1"></SignatureMethod><Reference URI="#NFe"><Transforms><Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"></Transform><Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"></Transform></Transforms><DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"></DigestMethod><DigestValue>zFlUxofni50KI4dhhVmIumqFZiQ=</DigestValue></Reference></SignedInfo><SignatureValue>AA==</SignatureValue><KeyInfo><X509Data><X509Certificate>AA==</X509Certificate></X509Data></KeyInfo></Signature>"##;

fn emitente() -> Map<String, Value> {
    let record = serde_json::json!({
        "CNPJCPF": "11222333000181", "xNome": "EMPRESA DE DEMONSTRACAO LTDA", "IE": "110042490114", "CRT": 3,
        "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO", "cMun": 3550308, "xMun": "SAO PAULO", "UF": "SP",
        "CEP": "01001000", "cPais": "1058", "xPais": "BRASIL", "Fone": "1133334444"
    });
    record.as_object().unwrap().clone()
}

fn build(input: &Value) -> Result<nfe::Built, Vec<fiscal::finding::Violation>> {
    let emitente = input.get("emitente").and_then(Value::as_object).cloned().unwrap_or_else(emitente);
    let ambiente = input.get("ambiente").and_then(Value::as_str).and_then(TpAmb::from_word);
    nfe::build(
        &input["nota"],
        &Context {
            modelo: input.get("modelo").and_then(Value::as_u64).map_or(55, |modelo| u8::try_from(modelo).unwrap()),
            ambiente: ambiente.unwrap_or(TpAmb::Homologacao),
            emitente: &emitente,
            serie: 1,
            nNF: 1,
            cNF: 84_736_251,
            dhEmi: "2026-11-20T10:00:00-03:00",
            tpEmis: 1,
            contingencia: None,
            verProc: "1.0",
        },
    )
}

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/nfe");
    let mut cases: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    cases
}

#[test]
fn every_case_builds_what_it_built_before() {
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for case in cases() {
        let input: Value = serde_json::from_str(&fs::read_to_string(case.join("input.json")).unwrap()).unwrap();
        let found = match build(&input) {
            Ok(built) => built.xml,
            Err(violations) => {
                wrong.push(format!("{}: {violations:#?}", case.display()));
                continue;
            }
        };
        let expected = case.join("expected.xml");
        if update {
            fs::write(&expected, &found).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(format!("{}: differs; found\n{found}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_official_schema_accepts_every_case() {
    let schemas = env::var_os("CARIMBO_SCHEMAS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/schemas"), PathBuf::from);
    let schema = schemas.join("nfe/nfe_v4.00.xsd");
    assert!(schema.exists(), "{} is missing: run `cargo xtask schemas`", schema.display());
    let folder = env::temp_dir().join(format!("carimbo-golden-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let files: Vec<PathBuf> = cases()
        .iter()
        .map(|case| {
            let input: Value = serde_json::from_str(&fs::read_to_string(case.join("input.json")).unwrap()).unwrap();
            let signed = build(&input).unwrap().xml.replace("</NFe>", &format!("{DUMMY_SIGNATURE}</NFe>"));
            let file = folder.join(case.file_name().unwrap()).with_extension("xml");
            fs::write(&file, signed).unwrap();
            file
        })
        .collect();
    let output = Command::new("xmllint").arg("--noout").arg("--schema").arg(&schema).args(&files).output();
    let output = output.expect("xmllint (package libxml2-utils) must be installed");
    fs::remove_dir_all(&folder).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
