//! Requests of events: byte for byte as other programs digested them, and libxml2's verdict on each kind.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fiscal::nfse::event::{self, NfseEventRequest};
use fiscal::value::{ChaveNfse, CnpjCpf, TpAmb};
use sha1::{Digest as _, Sha1};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Kind, code and text of the reason; size and digest of the canonical `infPedReg`, by other programs.
const EXAMPLES: [([&str; 3], usize, &str); 2] = [
    (["101101", "2", "Serviço contratado não foi prestado"], 461, "adfb1MlqU8aieC8awFQObp5JWek="),
    (["101103", "1", "Valor do serviço informado a maior"], 497, "452iVZxyLijUcUK5ssligwhK9go="),
];

fn request<'a>(chave: &'a ChaveNfse, tpEvento: &'a str) -> NfseEventRequest<'a> {
    NfseEventRequest {
        ambiente: TpAmb::Homologacao,
        verAplic: "Carimbo 1.0",
        dhEvento: "2026-11-21T09:00:00-03:00",
        autor: CnpjCpf::parse("11222333000181").unwrap(),
        chave,
        tpEvento,
        cMotivo: Some("2"),
        xMotivo: Some("Serviço contratado não foi prestado"),
    }
}

fn chave() -> ChaveNfse {
    ChaveNfse::parse("35503082211222333000181000000000000126111234567890").unwrap()
}

#[test]
fn the_examples_have_the_digest_that_others_found() {
    let chave = chave();
    for ([tpEvento, cMotivo, xMotivo], bytes, digest) in EXAMPLES {
        let reason = NfseEventRequest { cMotivo: Some(cMotivo), xMotivo: Some(xMotivo), ..request(&chave, tpEvento) };
        let built = event::build(&reason).unwrap();
        let inf = &built.xml[built.signed.clone()];
        let canonical = inf.replacen("<infPedReg", "<infPedReg xmlns=\"http://www.sped.fazenda.gov.br/nfse\"", 1);
        assert_eq!(
            (canonical.len(), STANDARD.encode(Sha1::digest(&canonical))),
            (bytes, digest.to_owned()),
            "{canonical}"
        );
        assert_eq!(built.id, format!("PRE{}{tpEvento}", chave.as_str()));
    }
}

#[test]
fn the_official_schema_accepts_every_kind_by_companies_and_persons() {
    let schemas = env::var_os("CARIMBO_SCHEMAS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/schemas"), PathBuf::from);
    let folder = env::temp_dir().join(format!("carimbo-nfse-event-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut files = Vec::new();
    let letters = ChaveNfse::parse("35503082212ABC34501DE35000000000000626113234567896").unwrap();
    for chave in [chave(), letters] {
        for kind in event::types() {
            for autor in ["11144477735", "12ABC34501DE35"] {
                let autor = CnpjCpf::parse(autor).unwrap();
                let built = event::build(&NfseEventRequest { autor, ..request(&chave, kind.tpEvento) }).unwrap();
                let file = folder.join(format!("{}.xml", files.len()));
                fs::write(&file, built.xml).unwrap();
                files.push(file);
            }
        }
    }
    let schema = schemas.join("nfse/pedRegEvento_v1.01.xsd");
    let output = Command::new("xmllint").args(["--nonet", "--noout", "--schema"]).arg(&schema).args(&files).output();
    fs::remove_dir_all(&folder).unwrap();
    let output = output.expect("xmllint (package libxml2-utils) must be installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_cannot_be_registered_is_refused_under_the_names_of_the_contract() {
    let chave = chave();
    let good = request(&chave, "101101");
    for (wrong, campo) in [
        (NfseEventRequest { cMotivo: Some("3"), ..good }, "codigo_motivo"),
        (NfseEventRequest { xMotivo: Some("curta"), ..good }, "justificativa"),
        (NfseEventRequest { xMotivo: None, ..good }, "justificativa"),
        (NfseEventRequest { tpEvento: "105102", ..good }, "tipo"),
        (NfseEventRequest { tpEvento: "203206", cMotivo: Some("9"), xMotivo: None, ..good }, "justificativa"),
    ] {
        let found = event::build(&wrong).unwrap_err();
        assert_eq!(found.iter().map(|violation| violation.campo.as_str()).collect::<Vec<_>>(), [campo], "{wrong:?}");
    }
}
