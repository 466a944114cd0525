//! A folder per payload: `tests/golden/abrasf/<case>/input.json` must build `<versão>.xml` for every version, which the
//! official schema accepts. `UPDATE_GOLDEN=1` rewrites the expected files; the difference is then reviewed.

use fiscal::abrasf::message;
use fiscal::abrasf::{AbrasfDialect, AbrasfVersion, SubmissionMode, UnsignedMessage};
use fiscal::document::SignedElement;
use fiscal::value::RpsId;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use testkit::cases::abrasf::{Case, cancellation};
use testkit::cases::{self, DUMMY_SIGNATURE};

/// Each version unchanged, and with its rate in the other unit where every rate of the cases can be written in it.
fn dialects(version: AbrasfVersion) -> Vec<AbrasfDialect> {
    let official = AbrasfDialect::official(version);
    let modes: &[SubmissionMode] = if version == AbrasfVersion::V100 {
        &[SubmissionMode::Lote]
    } else {
        &[SubmissionMode::Sincrono, SubmissionMode::Lote, SubmissionMode::Gerar]
    };
    modes.iter().map(|mode| AbrasfDialect { mode: *mode, ..official.clone() }).collect()
}

#[test]
fn every_case_builds_what_it_built_before() {
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for case in cases::abrasf::all() {
        for version in case.versions() {
            let name = format!("{} {version}", case.name());
            let found = match case.build(&AbrasfDialect::official(version)) {
                Ok(built) => built.xml,
                Err(violations) => {
                    wrong.push(format!("{name}: {violations:#?}"));
                    continue;
                }
            };
            let expected = case.folder.join(format!("{version}.xml"));
            if update {
                fs::write(&expected, &found).unwrap();
            } else if fs::read_to_string(&expected).unwrap_or_default() != found {
                wrong.push(format!("{name}: differs; found\n{found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The case of a substitution as one request, where the version has that operation.
#[test]
fn a_substitution_is_one_request_in_every_version_that_has_it() {
    let case = cases::abrasf::all().into_iter().find(|case| case.name() == "substituicao").unwrap();
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let mut written = Vec::new();
    for version in case.versions().into_iter().filter(|version| version.layout("SubstituirNfseEnvio").is_some()) {
        let expected = case.folder.join(format!("{version}-SubstituirNfse.xml"));
        let found = case.substitution(&AbrasfDialect::official(version)).xml;
        if update {
            fs::write(&expected, &found).unwrap();
        }
        assert_eq!(fs::read_to_string(&expected).unwrap_or_default(), found, "{version}");
        written.push(version);
    }
    assert_eq!(written, AbrasfVersion::ALL[1..], "1.00 has no such operation");
}

/// Written again without notices, as the worker does, the message is equal.
#[test]
fn what_was_accepted_is_written_again() {
    for case in cases::abrasf::all() {
        for version in case.versions() {
            let dialect = AbrasfDialect::official(version);
            let built = case.build(&dialect).unwrap_or_else(|found| panic!("{} {version}: {found:?}", case.name()));
            let again = case.in_context(&dialect, fiscal::abrasf::write).unwrap();
            assert_eq!(
                (built.xml, built.ids, built.signatures),
                (again.xml, again.ids, again.signatures),
                "{}",
                case.name()
            );
            assert_eq!(again.notices, []);
        }
    }
}

#[test]
fn every_version_has_at_least_eight_cases() {
    for version in AbrasfVersion::ALL {
        let count = cases::abrasf::all().iter().filter(|case| case.versions().contains(&version)).count();
        assert!(count >= 8, "{version}: {count}");
    }
}

/// Inserts a Signature after each signed element, the last first so that no position moves.
fn signed(xml: &str, signatures: &[SignedElement]) -> String {
    let mut signed = xml.to_owned();
    let mut ends: Vec<usize> = signatures.iter().map(|it| it.element.end).collect();
    ends.sort_unstable();
    for end in ends.into_iter().rev() {
        signed.insert_str(end, DUMMY_SIGNATURE.trim_end());
    }
    signed
}

fn messages(case: &Case, version: AbrasfVersion) -> Vec<(String, String)> {
    let built = |dialect: AbrasfDialect| {
        let built = case.build(&dialect).unwrap_or_else(|found| panic!("{} {version}: {found:#?}", case.name()));
        (format!("{}-{}", case.name(), dialect.mode.root()), signed(&built.xml, &built.signatures))
    };
    dialects(version).into_iter().map(built).collect()
}

/// Queries and the cancellation, which do not depend on a payload, and a lot of two RPS signed before.
fn others(version: AbrasfVersion) -> Vec<(String, String)> {
    let dialect = AbrasfDialect::official(version);
    let id: RpsId = "RPS3138203-11222333000181-1-1-1-12345".parse().unwrap();
    let what = cancellation(&id);
    let case = Case::with(&serde_json::json!({}));
    let built = case.build(&AbrasfDialect { mode: SubmissionMode::Lote, ..dialect.clone() }).unwrap();
    let sent = signed(&built.xml, &built.signatures);
    let rps = &sent[message::rps_of(&sent).unwrap()];
    let several = if version.most_rps_of_lot() == 1 { vec![rps] } else { vec![rps, rps] };
    let all = vec![
        ("consulta-rps", message::query_rps(&dialect, &id)),
        ("consulta-lote", message::query_lote(&dialect, id.issuer(), "P0000001")),
        ("cancelamento", message::cancel(&dialect, &what)),
        ("lote", message::lote(&dialect, id.issuer(), 9, &several)),
    ];
    let substitution = (!version.is_first()).then(|| ("substituicao", case.substitution(&dialect)));
    let text = |(name, UnsignedMessage { xml, signatures }): (&str, UnsignedMessage)| {
        (name.to_owned(), signed(&xml, &signatures))
    };
    all.into_iter().chain(substitution).map(text).collect()
}

/// The marked positions of signatures contain the signed elements.
#[test]
fn what_is_signed_has_its_namespace_and_its_id() {
    for case in cases::abrasf::all() {
        for version in case.versions() {
            for dialect in dialects(version) {
                let built = case.build(&dialect).unwrap();
                assert_eq!(built.signatures.len(), if dialect.mode == SubmissionMode::Gerar { 1 } else { 2 });
                for place in &built.signatures {
                    let text = &built.xml[place.element.clone()];
                    let name = text[1..].split(' ').next().unwrap();
                    let begin = format!("<{name} xmlns=\"{}\" Id=\"{}\"", dialect.namespace, place.id);
                    assert!(text.starts_with(&begin) && text.ends_with(&format!("</{name}>")), "{text}");
                }
            }
        }
    }
}

#[test]
fn the_official_schema_accepts_every_message() {
    let schemas = env::var_os("CARIMBO_SCHEMAS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/schemas"), PathBuf::from);
    let folder = env::temp_dir().join(format!("carimbo-abrasf-{}", std::process::id()));
    let mut refused = String::new();
    for version in AbrasfVersion::ALL {
        let schema = schemas.join("abrasf").join(version.word()).join("nfse.xsd");
        assert!(schema.exists(), "{} is missing: run `cargo xtask schemas`", schema.display());
        let own = folder.join(version.word());
        fs::create_dir_all(&own).unwrap();
        let cases = cases::abrasf::all();
        let of_cases = cases.iter().filter(|case| case.versions().contains(&version));
        let texts = of_cases.flat_map(|case| messages(case, version)).chain(others(version));
        let files: Vec<PathBuf> = texts
            .map(|(name, text)| {
                let file = own.join(name).with_extension("xml");
                fs::write(&file, text).unwrap();
                file
            })
            .collect();
        let mut command = Command::new("xmllint");
        command.args(["--nonet", "--noout", "--schema"]).arg(&schema).args(&files);
        let output = command.output().expect("xmllint (package libxml2-utils) must be installed");
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            refused.extend(said.lines().filter(|line| !line.ends_with("validates")).map(|line| format!("{line}\n")));
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    assert!(refused.is_empty(), "{refused}");
}

/// A name that nothing is written for would make a case test less than it seems to.
#[test]
fn every_name_of_every_case_is_known() {
    let mut wrong = Vec::new();
    for case in cases::abrasf::all() {
        for version in case.versions() {
            let notices = case.build(&AbrasfDialect::official(version)).map(|built| built.notices).unwrap_or_default();
            let unread = notices.iter().filter(|notice| notice.codigo == "campo_desconhecido");
            wrong.extend(unread.map(|notice| format!("{}: {} {}", case.name(), notice.campo, notice.mensagem)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
