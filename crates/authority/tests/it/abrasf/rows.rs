//! Every message of every row that is on: libxml2 validates it by the XSD of its version, xmlsec1 each of its
//! signatures.

use super::{company, holds, resolved, signed};
use crate::folder::Folder;
use crate::pki::Authority;
use crate::schema;
use authority::abrasf::{AbrasfOperation, ProviderRow, ProviderTable, ResolvedProvider};
use fiscal::abrasf::UnsignedMessage;
use fiscal::abrasf::message;
use fiscal::value::RpsId;
use std::collections::BTreeSet;
use testkit::cases;

const OFFICIAL: &str = "http://www.abrasf.org.br/nfse.xsd";

/// Messages that differ from the layout because the provider requires it: the query has an element of its own.
const OTHERWISE: [&str; 1] = ["ISSNet 2.04 ConsultarNfseRpsEnvio"];

/// The emission, and the other messages of the row.
fn messages(row: &ProviderRow, resolved: &ResolvedProvider) -> Vec<(&'static str, UnsignedMessage)> {
    let dialect = &resolved.dialect;
    let rps: RpsId = "RPS3138203-11222333000181-1-1-1-12345".parse().unwrap();
    let case = cases::abrasf::Case::with(&serde_json::json!({}));
    let built = case.build(dialect).unwrap_or_else(|found| panic!("{}: {found:?}", row.name()));
    let what = cases::abrasf::cancellation(&rps);
    let mut all = vec![
        (dialect.mode.root(), UnsignedMessage { xml: built.xml, signatures: built.signatures }),
        ("ConsultarNfseRpsEnvio", message::query_rps(dialect, &rps)),
    ];
    if row.operations.contains(&AbrasfOperation::ConsultarLoteRps) {
        all.push(("ConsultarLoteRpsEnvio", message::query_lote(dialect, company().prestador(), "P0000001")));
    }
    if row.operations.contains(&AbrasfOperation::CancelarNfse) {
        all.push(("CancelarNfseEnvio", message::cancel(dialect, &what)));
    }
    if row.operations.contains(&AbrasfOperation::SubstituirNfse) {
        all.push(("SubstituirNfseEnvio", case.substitution(dialect)));
    }
    all
}

/// The message in the layout's form: the official namespace, and the attribute's official name.
fn by_the_layout(row: &ProviderRow, xml: &str) -> String {
    let namespace = |uri: &str| format!("xmlns=\"{uri}\"");
    xml.replace(&namespace(&row.data_namespace), &namespace(OFFICIAL)).replace(" id=\"", " Id=\"")
}

#[test]
fn every_message_of_every_row_is_judged_from_outside() {
    let folder = Folder::new();
    let root = Authority::root("Raiz");
    folder.write("raiz.pem", root.pem());
    let certificate = root.client("EMPRESA:11222333000181");
    let (mut valid, mut signatures, mut rows) = (0, 0, 0);
    let (mut wrong, mut meant) = (Vec::new(), BTreeSet::new());
    for row in ProviderTable::builtin().rows().filter(|row| row.off.is_none()) {
        let resolved = resolved(row);
        for (name, message) in messages(row, &resolved) {
            let what = format!("{} {name}", row.name());
            let count = message.signatures.len();
            let xml = signed(message.xml, &message.signatures, &certificate);
            holds(&folder, &xml, count, &what);
            signatures += count;
            let schema = format!("abrasf/{}/nfse.xsd", row.layout.word());
            let Err(said) = schema::judged(&by_the_layout(row, &xml), &schema) else {
                valid += 1;
                continue;
            };
            if OTHERWISE.contains(&what.as_str()) {
                meant.insert(what);
            } else {
                wrong.push(format!("{what}: {}", said.lines().next().unwrap_or_default()));
            }
        }
        rows += 1;
    }
    println!(
        "{rows} rows, {valid} messages valid by libxml2, {signatures} signatures by xmlsec1; meant otherwise: {meant:#?}"
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(meant.len(), OTHERWISE.len(), "what is listed is so: {meant:?}");
    assert!(rows >= 35 && valid >= 150 && signatures >= 150, "{rows} {valid} {signatures}");
}
