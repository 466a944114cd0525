//! A folder per case: `tests/golden/nfse/<case>/input.json` must build `expected.xml`, which the official schema
//! accepts. `UPDATE_GOLDEN=1` rewrites the expected files; the difference is then reviewed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest as _, Sha1};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use testkit::cases::{self, DUMMY_SIGNATURE};

#[test]
fn every_case_builds_what_it_built_before() {
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for case in cases::nfse::all() {
        let found = match case.build() {
            Ok(built) => built.xml,
            Err(violations) => {
                wrong.push(format!("{}: {violations:#?}", case.name()));
                continue;
            }
        };
        let expected = case.folder.join("expected.xml");
        if update {
            fs::write(&expected, &found).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(format!("{}: differs; found\n{found}", case.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Digests of documents that other programs canonicalised and digested.
#[test]
fn the_examples_have_the_digest_that_others_found() {
    for (case, bytes, digest) in [
        ("exemplo_assinatura", 826, "5WAiZEOnj5yBo1LJmcUKcM+ZLYM="),
        ("exemplo_simples", 922, "+16fkcEdTAvGuAOBjHOw5SS7ZXo="),
        ("exemplo_retencoes_ibs_cbs", 1_614, "k2WoXyn3JJTxspX3yVG6+LKMUMY="),
        ("exemplo_simples_nacional_retido", 1_128, "7TKtSYqo7gz2tVoIxIaRWlRnbSA="),
        ("exemplo_exportacao", 1_383, "iDJBNrF5NjmohLJ1kcmMpMTiTtA="),
        ("exemplo_substituicao", 1_087, "mwHhbChkrIRoHsvAJGKNe9x2JYY="),
        ("exemplo_cnpj_alfanumerico", 922, "RygcBl0bNK0z0kMiSLnvSYQkcg8="),
    ] {
        let case =
            cases::nfse::all().into_iter().find(|found| found.name() == case).unwrap_or_else(|| panic!("{case}"));
        let built = case.build().unwrap();
        let inf = &built.xml[built.signatures[0].element.clone()];
        let canonical = inf.replacen("<infDPS", "<infDPS xmlns=\"http://www.sped.fazenda.gov.br/nfse\"", 1);
        let found = (canonical.len(), STANDARD.encode(Sha1::digest(&canonical)));
        assert_eq!(found, (bytes, digest.to_owned()), "{}: {canonical}", case.name());
    }
}

/// Written again without notices, as the worker does, the document is equal.
#[test]
fn what_was_accepted_is_written_again() {
    for case in cases::nfse::all() {
        let built = case.build().unwrap_or_else(|found| panic!("{}: {found:?}", case.name()));
        let again = case.in_context(fiscal::nfse::write).unwrap();
        assert_eq!(
            (built.xml, built.ids, built.signatures),
            (again.xml, again.ids, again.signatures),
            "{}",
            case.name()
        );
        assert_eq!(again.notices, []);
    }
}

#[test]
fn the_official_schema_accepts_every_case() {
    let made: Vec<(String, String)> =
        cases::nfse::all().iter().map(|case| (case.name(), case.build().unwrap().xml)).collect();
    assert!(made.len() >= 30, "{} cases are few", made.len());
    assert_schema_accepts("nfse/DPS_v1.01.xsd", &made);
}

/// Requires libxml2 to accept unsigned declarations, all in one run.
pub(crate) fn assert_schema_accepts(schema: &str, made: &[(String, String)]) {
    let schemas = env::var_os("CARIMBO_SCHEMAS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/schemas"), PathBuf::from);
    let schema = schemas.join(schema);
    assert!(schema.exists(), "{} is missing: run `cargo xtask schemas`", schema.display());
    let folder = env::temp_dir().join(format!("carimbo-nfse-{}-{}", std::process::id(), made.len()));
    fs::create_dir_all(&folder).unwrap();
    let files: Vec<PathBuf> = made
        .iter()
        .map(|(name, xml)| {
            let signed = xml.replace("</DPS>", &format!("{}</DPS>", DUMMY_SIGNATURE.trim_end()));
            let file = folder.join(name).with_extension("xml");
            fs::write(&file, signed).unwrap();
            file
        })
        .collect();
    let output = Command::new("xmllint").args(["--nonet", "--noout", "--schema"]).arg(&schema).args(&files).output();
    let output = output.expect("xmllint (package libxml2-utils) must be installed");
    fs::remove_dir_all(&folder).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A name that nothing is written for would make a case test less than it seems to.
#[test]
fn every_name_of_every_case_is_known() {
    let mut wrong = Vec::new();
    for case in cases::nfse::all() {
        let notices = case.build().map(|built| built.notices).unwrap_or_default();
        let unread =
            notices.iter().filter(|notice| matches!(notice.codigo.as_str(), "campo_desconhecido" | "campo_ignorado"));
        wrong.extend(unread.map(|notice| format!("{}: {} {}", case.name(), notice.campo, notice.mensagem)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
