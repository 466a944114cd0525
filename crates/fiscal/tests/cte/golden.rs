//! A folder per case: `tests/golden/cte/<case>/input.json` must build `expected.xml`, whose generic part and modal
//! their official schemas accept. `UPDATE_GOLDEN=1` rewrites the expected files; the difference is then reviewed.

use crate::lint::{Desk, accepted};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest as _, Sha1};
use std::{env, fs};
use testkit::cases::cte::Case;
use testkit::cases::{self, DUMMY_SIGNATURE};

fn name(case: &Case) -> String {
    case.folder.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn every_case_builds_what_it_built_before() {
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for case in cases::cte::all() {
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

/// Digests of documents that other programs canonicalised and digested.
#[test]
fn the_examples_have_the_digest_that_others_found() {
    for (case, bytes, digest) in [
        ("exemplo_interestadual", 2_558, "sb8jjyEqgrK20XUr77SEX9MLD+4="),
        ("exemplo_subcontratacao", 3_035, "RHe3IbrXiHNtRvn/kMdFmhmg/Ys="),
        ("exemplo_pessoas", 1_905, "/dYPD0bJO9TnHGuNdIOm8Vt2BWU="),
        ("exemplo_sem_reforma", 2_129, "SXCKMffbVfgxWSRBisIFnu+CqJc="),
        ("exemplo_pessoas_registro_estadual", 1_705, "Z2IsrMtqB8dJc1/YShgwj/W3jQk="),
    ] {
        let case = cases::cte::all().into_iter().find(|found| name(found) == case).unwrap_or_else(|| panic!("{case}"));
        let built = case.build().unwrap();
        let inf = &built.xml[built.signatures[0].element.clone()];
        let canonical = inf.replacen("<infCte", "<infCte xmlns=\"http://www.portalfiscal.inf.br/cte\"", 1);
        let found = (canonical.len(), STANDARD.encode(Sha1::digest(&canonical)));
        assert_eq!(found, (bytes, digest.to_owned()), "{}: {canonical}", name(&case));
    }
}

/// Written again without notices, as the worker does, the document is equal.
#[test]
fn what_was_accepted_is_written_again() {
    for case in cases::cte::all() {
        let built = case.in_context(fiscal::cte::build).unwrap_or_else(|found| panic!("{}: {found:?}", name(&case)));
        let again = case.in_context(fiscal::cte::write).unwrap();
        assert_eq!(
            (built.xml, built.ids.id, built.signatures),
            (again.xml, again.ids.id, again.signatures),
            "{}",
            name(&case)
        );
        assert_eq!(again.notices, []);
    }
}

#[test]
fn the_official_schemas_accept_every_case_and_its_modal() {
    let desk = Desk::new("golden");
    let (mut cargo, mut services, mut roads, mut passengers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for case in cases::cte::all() {
        let xml = case.build().unwrap_or_else(|found| panic!("{}: {found:?}", name(&case))).xml;
        let (end, whole, modals, tag) = match case.modelo() {
            57 => ("</CTe>", &mut cargo, &mut roads, "rodo"),
            _ => ("</CTeOS>", &mut services, &mut passengers, "rodoOS"),
        };
        let signed = xml.replace(end, &format!("{}{end}", DUMMY_SIGNATURE.trim_end()));
        whole.push(desk.file(&name(&case), &signed));
        if let Some(modal) = between(&xml, &format!("<{tag}>"), &format!("</{tag}>")) {
            let root = format!("<{tag} xmlns=\"http://www.portalfiscal.inf.br/cte\">");
            let modal = modal.replacen(&format!("<{tag}>"), &root, 1);
            modals.push(desk.file(&format!("{}-modal", name(&case)), &modal));
        }
    }
    assert!(cargo.len() + services.len() >= 50, "{} and {} cases are few", cargo.len(), services.len());
    for (schema, files) in [
        ("cte_v4.00.xsd", &cargo),
        ("cteOS_v4.00.xsd", &services),
        ("cteModalRodoviario_v4.00.xsd", &roads),
        ("cteModalRodoviarioOS_v4.00.xsd", &passengers),
    ] {
        accepted(schema, files);
    }
}

fn between<'x>(xml: &'x str, from: &str, to: &str) -> Option<&'x str> {
    let begin = xml.find(from)?;
    let end = xml.find(to)? + to.len();
    Some(&xml[begin..end])
}

/// A name that nothing is written for would make a case test less than it seems to.
#[test]
fn every_name_of_every_case_is_known() {
    let mut wrong = Vec::new();
    for case in cases::cte::all() {
        let notices = case.build().map(|built| built.notices).unwrap_or_default();
        let unread =
            notices.iter().filter(|notice| matches!(notice.codigo.as_str(), "campo_desconhecido" | "campo_ignorado"));
        wrong.extend(unread.map(|notice| format!("{}: {} {}", name(&case), notice.campo, notice.mensagem)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
