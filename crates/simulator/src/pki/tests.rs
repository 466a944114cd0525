//! The chain read back by OpenSSL, which did not write its ICP-Brasil fields.

use super::*;
use openssl::pkcs12::Pkcs12;

fn temporary(name: &str) -> std::path::PathBuf {
    let dir = std::env::temp_dir().join(format!("carimbo-pki-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    dir
}

#[test]
fn a_second_start_loads_the_same_chain() {
    let dir = temporary("twice");
    let first = Pki::load_or_create(&dir).unwrap();
    let second = Pki::load_or_create(&dir).unwrap();
    assert_eq!(first.ca_pem(), second.ca_pem());
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(dir.join("ca.key")).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn a_client_certificate_carries_its_cnpj_and_its_chain() {
    let dir = temporary("client");
    let pki = Pki::load_or_create(&dir).unwrap();
    let pfx = pki.issue_pfx("EMPRESA", "12.ABC.345/01DE-35", "s3nhaÇã", 365).unwrap();
    let parsed = Pkcs12::from_der(&pfx).unwrap().parse2("s3nhaÇã").unwrap();
    let leaf = parsed.cert.unwrap();
    assert!(leaf.verify(&pki.root().public_key().unwrap()).unwrap());
    assert_eq!(parsed.ca.unwrap().len(), 1);
    let text = String::from_utf8_lossy(&leaf.to_text().unwrap()).into_owned();
    assert!(text.contains("CN=EMPRESA:12ABC34501DE35") || text.contains("CN = EMPRESA:12ABC34501DE35"), "{text}");
    assert!(text.contains("TLS Web Client Authentication"), "{text}");
    assert!(text.contains("Non Repudiation"), "{text}");
    // Bytes of `[0] { 2.16.76.1.3.3, [0] { OCTET STRING of 14 } }`.
    let mut field = vec![0x06, 0x05, 0x60, 0x4c, 0x01, 0x03, 0x03, 0xa0, 0x10, 0x04, 0x0e];
    field.extend(b"12ABC34501DE35");
    assert!(leaf.to_der().unwrap().windows(field.len()).any(|window| window == field));
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn an_untrusted_certificate_is_not_ours() {
    let dir = temporary("stranger");
    let pki = Pki::load_or_create(&dir).unwrap();
    let pfx = pki.issue_untrusted_pfx("EMPRESA", "11222333000181", "1234", 30).unwrap();
    let leaf = Pkcs12::from_der(&pfx).unwrap().parse2("1234").unwrap().cert.unwrap();
    assert!(!leaf.verify(&pki.root().public_key().unwrap()).unwrap());
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn keys_are_kept_for_the_next_process_and_no_two_certificates_of_one_share_a_key() {
    let dir = temporary("kept");
    let folder = dir.join("chaves");
    let key = |pki: &Pki| {
        let pfx = pki.issue_pfx("EMPRESA", "11222333000181", "1234", 30).unwrap();
        Pkcs12::from_der(&pfx).unwrap().parse2("1234").unwrap().pkey.unwrap().public_key_to_pem().unwrap()
    };
    let keeping = || Pki::load_or_create(&dir).unwrap().with_keys_kept_in(folder.clone()).unwrap();
    let own = key(&Pki::load_or_create(&dir).unwrap());
    let (one, other) = (key(&keeping()), key(&keeping()));
    assert_ne!(one, other);
    let kept: Vec<Vec<u8>> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| fs::read(entry.unwrap().path()).unwrap())
        .map(|pem| PKey::private_key_from_pem(&pem).unwrap().public_key_to_pem().unwrap())
        .collect();
    assert!(kept.contains(&one) && kept.contains(&other), "the next process finds them");
    assert!(!kept.contains(&own), "who did not ask for a folder has a key of its own");
    fs::remove_dir_all(&dir).unwrap();
}
