//! A folder per case: `tests/golden/nfe/<case>/input.json` must build `expected.xml`, which the official schema and the
//! rules of the authority accept. `UPDATE_GOLDEN=1` rewrites the expected files; the difference is then reviewed.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
#![expect(clippy::disallowed_methods, reason = "golden files are read and written, and xmllint is started")]

mod foreseen;

use fiscal::document::{BuildContext, SoftwareHouse};
use fiscal::law::RuleBreach;
use fiscal::layout;
use fiscal::nfe;
use fiscal::nfe::rules::{self, AuthorizerKind, NfeRuleContext};
use fiscal::xml;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use testkit::cases::nfe::Case;
use testkit::cases::{self, DUMMY_SIGNATURE};

fn name(case: &Case) -> String {
    case.folder.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn every_case_builds_what_it_built_before() {
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for case in cases::nfe::all() {
        let found = match case.build() {
            Ok(built) => built.xml,
            Err(violations) => {
                wrong.push(format!("{}: {violations:#?}", name(&case)));
                continue;
            }
        };
        let expected = case.folder.join("expected.xml");
        if update {
            fs::write(&expected, &found).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(format!("{}: differs; found\n{found}", name(&case)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_official_schema_accepts_every_case() {
    let schemas = env::var_os("CARIMBO_SCHEMAS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/schemas"), PathBuf::from);
    // the official package, and the package with the fields that technical notes added since
    let [official, added] = ["nfe", "nfe-acrescido"].map(|folder| schemas.join(folder).join("nfe_v4.00.xsd"));
    assert!(added.exists(), "{} is missing: run `cargo xtask schemas`", added.display());
    let folder = env::temp_dir().join(format!("carimbo-golden-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (mut plain, mut with_additions) = (Vec::new(), Vec::new());
    for case in cases::nfe::all() {
        let signature = DUMMY_SIGNATURE.trim_end();
        let signed = case.build().unwrap().xml.replace("</NFe>", &format!("{signature}</NFe>"));
        let file = folder.join(name(&case)).with_extension("xml");
        fs::write(&file, &signed).unwrap();
        let has = |addition: &layout::LayoutAddition| signed.contains(&format!("<{}>", addition.element));
        if layout::additions().iter().any(has) { with_additions.push(file) } else { plain.push(file) }
    }
    assert!(plain.len() >= 120 && with_additions.len() >= 3, "{} and {}", plain.len(), with_additions.len());
    let judged =
        [(&official, &plain), (&added, &with_additions), (&official, &with_additions)].map(|(schema, files)| {
            let output = Command::new("xmllint").arg("--noout").arg("--schema").arg(schema).args(files).output();
            output.expect("xmllint (package libxml2-utils) must be installed")
        });
    fs::remove_dir_all(&folder).unwrap();
    let told = judged.map(|output| (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()));
    assert!(told[0].0 && told[1].0, "{} {}", told[0].1, told[1].1);
    // a field that the package accepts is no addition
    assert!(with_additions.iter().all(|file| told[2].1.contains(&format!("{} fails to validate", file.display()))));
}

/// The simulator refuses by this table, so it accepts a case that passes here.
#[test]
fn the_rules_of_the_authority_accept_every_case() {
    let mut wrong = Vec::new();
    for case in cases::nfe::all() {
        let built = case.build().unwrap_or_else(|violations| panic!("{}: {violations:?}", name(&case)));
        let emission = built.dhEmi.parse().unwrap();
        let asked = AuthorizerKind::by(built.ids.chave.unwrap().parts().tpEmis);
        let facts = NfeRuleContext::new(emission, case.ambiente()).at(asked).of_a_draft();
        let nfe = xml::read(built.xml.as_bytes()).unwrap();
        for RuleBreach { rule, breach: broken, .. } in rules::predict(xml::FlatDocument::of(&nfe).root(), &facts) {
            wrong.push(format!("{}: {} {} {} {}", name(&case), rule.id, rule.cStat, broken.path, rule.xMotivo()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The body written at acceptance is inserted at preparation: with another number, code and instant, another way of
/// issuing, and without the items.
#[test]
fn a_case_written_around_its_body_is_the_one_written_whole() {
    for case in cases::nfe::all() {
        let nota = &case.input["nota"];
        let before = case.with_context(|context| nfe::build(nota, context)).unwrap();
        let body = before.body.unwrap();
        let xml = &before.xml[body.at.clone()];
        assert!(xml.starts_with("<emit>") && before.xml[..body.at.start].ends_with("</ide>"), "{}", name(&case));
        let mut rest = nota.clone();
        nfe::items::remove_items(&mut rest);
        assert!(nfe::items::items(&rest).items.is_empty(), "{}", name(&case));
        case.with_context(|context| {
            let late = format!("{}T23:59:58-03:00", &context.dhEmi[..10]);
            let again = BuildContext { numero: 4_711, codigo: 31_415_926, dhEmi: &late, ..*context };
            let contingency = BuildContext { tpEmis: 6, contingencia: Some((cases::MOMENT, "A SEFAZ parou")), ..again };
            let house = serde_json::json!({ "CNPJ": "11222333000181", "xContato": "Ana", "email": "a@b.co", "fone": "1133334444", "idCSRT": "01" });
            let house = house.as_object().map(|record| SoftwareHouse { record, csrt: Some("G8063VRTNDMO886SFNK5LDUDEI24XJ22YIPO") });
            let by_a_house = BuildContext { software_house: house, ..again };
            for context in [again, contingency, by_a_house] {
                let before = body.reuse_in(xml, &context).unwrap();
                match (nfe::write(nota, &context), nfe::write_around(&rest, &context, before)) {
                    (Ok(whole), Ok(around)) => {
                        assert_eq!(whole.xml, around.xml, "{}", name(&case));
                        assert_eq!(whole.signatures, around.signatures);
                        assert_eq!((whole.ids, whole.dhEmi, whole.valor), (around.ids, around.dhEmi, around.valor));
                        assert_eq!(whole.destinatario, around.destinatario);
                        assert_eq!((whole.estrangeiro, whole.body), (around.estrangeiro, around.body));
                    }
                    (whole, around) => assert_eq!(whole.err(), around.err(), "{}", name(&case)),
                }
            }
            let tomorrow = BuildContext { dhEmi: "2027-02-03T00:10:11-03:00", ..*context };
            assert!(body.reuse_in(xml, &tomorrow).is_none(), "some totals tell the day");
        });
    }
}

/// A name that nothing is written for would make a case test less than it seems to.
#[test]
fn every_name_of_every_case_is_known() {
    let mut wrong = Vec::new();
    for case in cases::nfe::all() {
        let notices = case.build().map(|built| built.notices).unwrap_or_default();
        let unread =
            notices.iter().filter(|notice| matches!(notice.codigo.as_str(), "campo_desconhecido" | "campo_ignorado"));
        wrong.extend(unread.map(|notice| format!("{}: {} {}", name(&case), notice.campo, notice.mensagem)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
