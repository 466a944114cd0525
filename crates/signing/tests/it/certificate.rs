//! PKCS#12 files of every kind, made by the openssl command, and the fields of ICP-Brasil.

use crate::material::{CHAIN, Chain, E_CNPJ, Inner, certificate, ec, name};
use crate::tool::{Folder, run};
use signing::{Certificate, InvalidPfx};
use testkit::test_keys::rsa;

/// A PFX of the common chain with these extra arguments.
fn pfx(password: &str, arguments: &[&str]) -> Vec<u8> {
    pfx_of(&CHAIN, password, arguments)
}

fn pfx_of(chain: &Chain, password: &str, arguments: &[&str]) -> Vec<u8> {
    let folder = Folder::new();
    folder.write("key.pem", &chain.key.private_key_to_pem_pkcs8().unwrap());
    folder.write("leaf.pem", &chain.leaf.to_pem().unwrap());
    let above = [chain.intermediate.to_pem().unwrap(), chain.root.to_pem().unwrap()].concat();
    folder.write("above.pem", &above);
    let files = ["-inkey", "key.pem", "-in", "leaf.pem", "-certfile", "above.pem"];
    export(&folder, password, &[&files, arguments].concat())
}

fn export(folder: &Folder, password: &str, arguments: &[&str]) -> Vec<u8> {
    let password = format!("pass:{password}");
    let fixed = ["pkcs12", "-export", "-out", "out.pfx", "-passout", &password];
    run(folder, "openssl", &[&fixed, arguments].concat()).unwrap();
    std::fs::read(folder.path().join("out.pfx")).unwrap()
}

fn check_opens(pfx: &[u8], password: &str) {
    let opened = Certificate::from_pfx(pfx, password).unwrap();
    assert_eq!(opened.leaf().to_der().unwrap(), CHAIN.leaf.to_der().unwrap());
    assert!(opened.key().public_eq(&CHAIN.key));
    let chain: Vec<Vec<u8>> = opened.chain().iter().map(|link| link.to_der().unwrap()).collect();
    assert_eq!(chain, [CHAIN.intermediate.to_der().unwrap()], "the intermediate, without the root");
    assert_eq!(opened.holder().cnpj.as_deref(), Some("11222333000181"));
}

/// Checks that the file opens with the right password only.
fn check(password: &str, arguments: &[&str]) {
    let pfx = pfx(password, arguments);
    check_opens(&pfx, password);
    assert_eq!(Certificate::from_pfx(&pfx, "outra senha").unwrap_err(), InvalidPfx::WrongPassword, "{arguments:?}");
}

#[test]
fn opens_aes_256() {
    check("senha", &["-keypbe", "AES-256-CBC", "-certpbe", "AES-256-CBC", "-macalg", "SHA256"]);
}

#[test]
fn opens_as_many_rounds_as_firefox_writes() {
    check_opens(&pfx("senha", &["-iter", "600000", "-macalg", "SHA256"]), "senha");
}

#[test]
fn opens_two_key_3des_and_3des_by_pbes2() {
    check("senha", &["-certpbe", "PBE-SHA1-2DES", "-keypbe", "PBE-SHA1-2DES"]);
    check("senha", &["-certpbe", "DES-EDE3-CBC", "-keypbe", "DES-EDE3-CBC"]);
}

#[test]
fn opens_rc2_40_with_a_3des_key() {
    check("senha", &["-legacy", "-certpbe", "PBE-SHA1-RC2-40", "-keypbe", "PBE-SHA1-3DES", "-macalg", "SHA1"]);
}

#[test]
fn opens_3des() {
    check("senha", &["-legacy", "-certpbe", "PBE-SHA1-3DES", "-keypbe", "PBE-SHA1-3DES", "-macalg", "SHA1"]);
}

#[test]
fn opens_rc2_40_with_an_accented_password() {
    check("s3nhaÇã", &["-legacy", "-certpbe", "PBE-SHA1-RC2-40", "-keypbe", "PBE-SHA1-3DES", "-macalg", "SHA1"]);
}

#[test]
fn opens_aes_256_with_an_accented_password() {
    check("s3nhaÇã", &["-keypbe", "AES-256-CBC", "-certpbe", "AES-256-CBC"]);
}

#[test]
fn opens_an_accented_password_as_openssl_before_1_1_encoded_it() {
    // each UTF-8 byte a character of its own, as an old tool encoded the password below
    let pfx = pfx(
        "s3nhaÃ\u{87}Ã£",
        &["-legacy", "-certpbe", "PBE-SHA1-RC2-40", "-keypbe", "PBE-SHA1-3DES", "-macalg", "SHA1"],
    );
    check_opens(&pfx, "s3nhaÇã");
}

#[test]
fn opens_aes_128_with_a_sha1_mac() {
    check("senha", &["-keypbe", "AES-128-CBC", "-certpbe", "AES-128-CBC", "-macalg", "SHA1"]);
}

#[test]
fn opens_a_file_without_mac_with_the_right_password_only() {
    for algorithm in ["AES-256-CBC", "PBE-SHA1-3DES"] {
        check("senha", &["-nomac", "-keypbe", algorithm, "-certpbe", algorithm]);
    }
    check("senha", &["-nomac", "-legacy", "-certpbe", "PBE-SHA1-RC2-40", "-keypbe", "PBE-SHA1-3DES"]);
}

#[test]
fn a_wrong_password_that_decrypts_to_good_padding_by_chance_is_wrong_all_the_same() {
    // without a MAC one in 256 does
    for algorithm in ["AES-128-CBC", "PBE-SHA1-3DES"] {
        let pfx = pfx("senha", &["-nomac", "-keypbe", algorithm, "-certpbe", algorithm, "-iter", "1"]);
        for attempt in 0..2_000 {
            let error = Certificate::from_pfx(&pfx, &format!("errada {attempt}")).unwrap_err();
            assert_eq!(error, InvalidPfx::WrongPassword, "{algorithm} {attempt}");
        }
    }
}

#[test]
fn opens_an_empty_password() {
    check("", &["-legacy", "-certpbe", "PBE-SHA1-RC2-40", "-keypbe", "PBE-SHA1-3DES", "-macalg", "SHA1"]);
    check("", &["-keypbe", "AES-256-CBC", "-certpbe", "AES-256-CBC"]);
}

#[test]
fn opens_a_file_with_the_authorities_before_the_leaf() {
    let folder = Folder::new();
    folder.write("key.pem", &CHAIN.key.private_key_to_pem_pkcs8().unwrap());
    let certificates = [&CHAIN.root, &CHAIN.intermediate, &CHAIN.leaf].map(|link| link.to_pem().unwrap()).concat();
    folder.write("all.pem", &certificates);
    let legacy = ["-legacy", "-certpbe", "PBE-SHA1-RC2-40", "-keypbe", "PBE-SHA1-3DES", "-macalg", "SHA1"];
    for kind in [&legacy[..], &[]] {
        let files = ["-inkey", "key.pem", "-in", "all.pem"];
        check_opens(&export(&folder, "senha", &[&files, kind].concat()), "senha");
    }
}

#[test]
fn opens_a_ber_file() {
    // Java tools write the outer sequence with an indefinite length
    let der = pfx("senha", &[]);
    assert_eq!(der[..2], [0x30, 0x82]);
    check_opens(&[&[0x30, 0x80], &der[4..], &[0, 0]].concat(), "senha");
}

#[test]
fn takes_the_certificate_that_belongs_to_the_key_when_there_is_no_local_key_id() {
    // OpenSSL's command always writes one; its library does not when key and certificate are given apart
    let mut builder = openssl::pkcs12::Pkcs12::builder();
    let mut others = openssl::stack::Stack::new().unwrap();
    for link in [&CHAIN.root, &CHAIN.leaf, &CHAIN.intermediate] {
        others.push(link.clone()).unwrap();
    }
    builder.pkey(&CHAIN.key).ca(others);
    check_opens(&builder.build2("senha").unwrap().to_der().unwrap(), "senha");
    // without MAC, so that the second reader opens it
    builder.mac_iter(u32::MAX);
    check_opens(&builder.build2("senha").unwrap().to_der().unwrap(), "senha");
}

#[test]
fn tells_what_is_missing() {
    let folder = Folder::new();
    folder.write("key.pem", &CHAIN.key.private_key_to_pem_pkcs8().unwrap());
    folder.write("leaf.pem", &CHAIN.leaf.to_pem().unwrap());
    let other = Chain::new(&E_CNPJ, Inner::Octets);
    folder.write("other.pem", &other.leaf.to_pem().unwrap());
    let without_key = export(&folder, "senha", &["-nokeys", "-in", "leaf.pem"]);
    assert_eq!(Certificate::from_pfx(&without_key, "senha").unwrap_err(), InvalidPfx::NoPrivateKey);

    let mut builder = openssl::pkcs12::Pkcs12::builder();
    let mut others = openssl::stack::Stack::new().unwrap();
    others.push(other.leaf.clone()).unwrap();
    builder.pkey(&CHAIN.key).ca(others);
    let without_leaf = builder.build2("senha").unwrap().to_der().unwrap();
    assert_eq!(Certificate::from_pfx(&without_leaf, "senha").unwrap_err(), InvalidPfx::NoCertificate);
}

#[test]
fn refuses_what_is_no_pkcs12() {
    let whole = pfx("senha", &[]);
    for bytes in [&b""[..], b"PK\x03\x04 um zip", &whole[..whole.len() / 2], &CHAIN.leaf.to_der().unwrap()] {
        assert_eq!(Certificate::from_pfx(bytes, "senha").unwrap_err(), InvalidPfx::Unreadable);
    }
}

#[test]
fn a_damaged_file_is_refused_and_does_no_harm() {
    let legacy = ["-nomac", "-legacy", "-certpbe", "PBE-SHA1-RC2-40", "-keypbe", "PBE-SHA1-3DES", "-iter", "1"];
    let mut opened = 0;
    for whole in [pfx("senha", &["-iter", "1"]), pfx("senha", &legacy)] {
        let mut random = 1_u64;
        for _ in 0..3_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut damaged = whole.clone();
            // the structure is in the first bytes of each part; the rest is cipher text
            let at = (random >> 33) as usize % if random & 1 == 0 { 120 } else { whole.len() };
            damaged[at] ^= 1 << (random >> 61);
            match Certificate::from_pfx(&damaged, "senha") {
                Ok(certificate) => {
                    opened += 1;
                    assert!(
                        certificate.key().public_eq(&CHAIN.key),
                        "a key that opens is the one that belongs to its certificate"
                    );
                }
                Err(_) => continue,
            }
        }
    }
    assert!(opened < 3_000, "{opened} of 6000");
}

#[test]
fn a_password_with_a_zero_byte_is_only_wrong() {
    assert_eq!(Certificate::from_pfx(&pfx("senha", &[]), "senha\0").unwrap_err(), InvalidPfx::WrongPassword);
}

#[test]
fn refuses_a_key_that_cannot_make_the_fiscal_signature() {
    let key = ec();
    let own = name("EC");
    let leaf = certificate(&own, &own, &key, &key, &[], Inner::Octets, false);
    let pfx = openssl::pkcs12::Pkcs12::builder().pkey(&key).cert(&leaf).build2("senha").unwrap().to_der().unwrap();
    assert_eq!(Certificate::from_pfx(&pfx, "senha").unwrap_err(), InvalidPfx::NotRsa);
}

#[test]
fn of_two_certificates_of_one_key_the_longer_valid_is_taken() {
    let key = rsa(env!("CARGO_TARGET_TMPDIR"));
    let own = name("RENOVADO");
    let [old, new] = [1_800_000_000, 1_900_000_000]
        .map(|until| crate::material::certificate_until(until, &own, &own, &key, &key, &E_CNPJ, Inner::Octets, false));
    let mut others = openssl::stack::Stack::new().unwrap();
    others.push(new.clone()).unwrap();
    let mut builder = openssl::pkcs12::Pkcs12::builder();
    builder.pkey(&key).cert(&old).ca(others);
    let pfx = builder.build2("senha").unwrap().to_der().unwrap();
    let opened = Certificate::from_pfx(&pfx, "senha").unwrap();
    assert_eq!(opened.holder().valido_ate, 1_900_000_000);
}

fn holder(other_names: &[(&str, &str)], inner: Inner) -> signing::CertificateHolder {
    Chain::new(other_names, inner).certificate().holder().clone()
}

#[test]
fn reads_the_fields_of_icp_brasil_in_every_encoding() {
    for inner in [Inner::Octets, Inner::Utf8, Inner::Printable] {
        let holder = holder(&E_CNPJ, inner);
        assert_eq!(holder.cnpj.as_deref(), Some("11222333000181"));
        assert_eq!(holder.cpf.as_deref(), Some("11144477735"), "of the responsible person");
        assert_eq!(holder.titular, "EMPRESA TESTE LTDA:11222333000181");
        assert_eq!(holder.emissor, "AC Teste Emissora");
        assert_eq!((holder.valido_de, holder.valido_ate), (1_760_000_000, 2_000_000_000));
        assert!(!holder.numero_serie.is_empty() && holder.numero_serie.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
}

#[test]
fn reads_a_cnpj_with_letters() {
    let names = [("2.16.76.1.3.3", "12ABC34501DE35")];
    assert_eq!(holder(&names, Inner::Octets).cnpj.as_deref(), Some("12ABC34501DE35"));
}

#[test]
fn reads_a_natural_person() {
    let names =
        [("2.16.76.1.3.1", "0101198012345678909000000000000000000000000SSPSP"), ("2.16.76.1.3.6", "000000000000")];
    let holder = holder(&names, Inner::Octets);
    assert_eq!((holder.cnpj, holder.cpf.as_deref()), (None, Some("12345678909")));
}

#[test]
fn fields_that_say_nothing_are_absent() {
    let zeros =
        [("2.16.76.1.3.3", "00000000000000"), ("2.16.76.1.3.4", "0000000000000000000"), ("2.16.76.1.3.1", "curto")];
    let holder = holder(&zeros, Inner::Octets);
    assert_eq!((holder.cnpj, holder.cpf), (None, None));
}

#[test]
fn debug_shows_the_holder_and_nothing_of_the_key() {
    let shown = format!("{:?}", CHAIN.certificate());
    assert!(shown.starts_with("Certificate { holder: CertificateHolder { cnpj: Some(\"11222333000181\")"), "{shown}");
    assert!(!shown.contains("key"), "{shown}");
}
