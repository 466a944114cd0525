//! Every golden message of ABRASF, signed in the engine's way and verified by xmlsec1.

use super::{holds, signed};
use crate::folder::Folder;
use crate::pki::Authority;
use fiscal::abrasf::{AbrasfDialect, SubmissionMode};
use testkit::cases;

#[test]
fn the_signatures_of_every_golden_message_hold() {
    let folder = Folder::new();
    let root = Authority::root("Raiz");
    folder.write("raiz.pem", root.pem());
    let certificate = root.client("EMPRESA:11222333000181");
    let mut judged = 0;
    for case in cases::abrasf::all() {
        for version in case.versions() {
            let official = AbrasfDialect::official(version);
            // as the golden file has it; and alone, where the version supports it
            let alone =
                (!version.is_first()).then(|| AbrasfDialect { mode: SubmissionMode::Gerar, ..official.clone() });
            for dialect in [Some(official), alone].into_iter().flatten() {
                let what = format!("{} {version} {}", case.name(), dialect.mode.root());
                let built = case.build(&dialect).unwrap_or_else(|found| panic!("{what}: {found:?}"));
                assert!(!built.signatures.is_empty(), "{what} is not signed");
                let message = signed(built.xml, &built.signatures, &certificate);
                holds(&folder, &message, built.signatures.len(), &what);
                judged += built.signatures.len();
            }
            if !version.is_first() {
                let request = case.substitution(&AbrasfDialect::official(version));
                let message = signed(request.xml, &request.signatures, &certificate);
                holds(&folder, &message, 3, &format!("{} {version} SubstituirNfse", case.name()));
                judged += 3;
            }
        }
    }
    println!("{judged} signatures");
    assert!(judged > 150, "{judged}");
}

/// A message that was changed after signing does not verify.
#[test]
fn a_golden_message_that_was_changed_does_not_verify() {
    let folder = Folder::new();
    let root = Authority::root("Raiz");
    folder.write("raiz.pem", root.pem());
    let certificate = root.client("EMPRESA:11222333000181");
    let case = cases::abrasf::all().remove(0);
    let built = case.build(&AbrasfDialect::official(case.versions()[0])).unwrap();
    let count = built.signatures.len();
    let message = signed(built.xml, &built.signatures, &certificate);
    let changed = message.replacen("<Discriminacao>", "<Discriminacao>X", 1);
    assert_ne!(changed, message);
    for number in 1..=count {
        assert!(super::verdict(&folder, &message, number).status.success());
        assert!(!super::verdict(&folder, &changed, number).status.success(), "{number}");
    }
}
