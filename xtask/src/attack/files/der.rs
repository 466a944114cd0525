//! PKCS#12 files (RFC 7292) built from scratch, each with the greatest iteration count in one of the fields that have
//! one.

/// Returns name and bytes of each file.
pub(super) fn costly_files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("iterations of the MAC", pfx(&data(&sequence(&[])), MOST)),
        ("iterations of PBKDF2, key", pfx(&data(&sequence(&[&data(&shrouded(&pbes2(MOST, None)))])), 1)),
        ("iterations of PBKDF2, certificates", pfx(&data(&sequence(&[&encrypted(&pbes2(MOST, None))])), 1)),
        ("length of a key of PBKDF2", pfx(&data(&sequence(&[&encrypted(&pbes2(1, Some(MOST)))])), 1)),
        ("iterations of 3DES", pfx(&data(&sequence(&[&encrypted(&pbe(PBE_3DES, MOST))])), 1)),
        ("iterations of RC2", pfx(&data(&sequence(&[&encrypted(&pbe(PBE_RC2, MOST))])), 1)),
        (
            "a hundred bags of a million each",
            pfx(&data(&sequence(&vec![&*encrypted(&pbes2(1_000_000, None)); 100])), 1),
        ),
        ("iterations of scrypt", pfx(&data(&sequence(&[&encrypted(&scrypt())])), 1)),
    ]
}

/// `PFX ::= SEQUENCE { version, authSafe, macData }`
fn pfx(auth_safe: &[u8], mac_iterations: u32) -> Vec<u8> {
    let digest = sequence(&[&sequence(&[&oid(SHA256), &[0x05, 0x00]]), &octets(&[7; 32])]);
    let mac = sequence(&[&digest, &octets(&[9; 8]), &integer(mac_iterations)]);
    sequence(&[&integer(3), auth_safe, &mac])
}

/// `ContentInfo` of type data.
fn data(content: &[u8]) -> Vec<u8> {
    sequence(&[&oid(DATA), &tagged(0xa0, &octets(content))])
}

/// `ContentInfo` of type encryptedData.
fn encrypted(algorithm: &[u8]) -> Vec<u8> {
    let content = sequence(&[&oid(DATA), algorithm, &tagged(0x80, &[3; 64])]);
    sequence(&[&oid(ENCRYPTED_DATA), &tagged(0xa0, &sequence(&[&integer(0), &content]))])
}

/// `SafeContents` with one shrouded key.
fn shrouded(algorithm: &[u8]) -> Vec<u8> {
    let key = sequence(&[algorithm, &octets(&[3; 64])]);
    sequence(&[&sequence(&[&oid(SHROUDED_KEY), &tagged(0xa0, &key)])])
}

/// `AlgorithmIdentifier` of PBES2 with PBKDF2 and AES-256-CBC.
fn pbes2(iterations: u32, key_length: Option<u32>) -> Vec<u8> {
    let length = key_length.map(integer).unwrap_or_default();
    let hash = sequence(&[&oid(HMAC_SHA256), &[0x05, 0x00]]);
    let derivation = sequence(&[&oid(PBKDF2), &sequence(&[&octets(&[1; 8]), &integer(iterations), &length, &hash])]);
    encryption_scheme(&derivation)
}

/// `AlgorithmIdentifier` of PBES2 with scrypt of 2^20 blocks (RFC 7914).
fn scrypt() -> Vec<u8> {
    let parameters = sequence(&[&octets(&[1; 8]), &integer(1 << 20), &integer(1024), &integer(1024)]);
    encryption_scheme(&sequence(&[&oid(SCRYPT), &parameters]))
}

fn encryption_scheme(derivation: &[u8]) -> Vec<u8> {
    let cipher = sequence(&[&oid(AES_256_CBC), &octets(&[2; 16])]);
    sequence(&[&oid(PBES2), &sequence(&[derivation, &cipher])])
}

/// `AlgorithmIdentifier` of PKCS#12's own schemes.
fn pbe(scheme: &[u8], iterations: u32) -> Vec<u8> {
    sequence(&[&oid(scheme), &sequence(&[&octets(&[1; 8]), &integer(iterations)])])
}

fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    tagged(0x30, &parts.concat())
}

fn octets(content: &[u8]) -> Vec<u8> {
    tagged(0x04, content)
}

fn oid(arcs: &[u8]) -> Vec<u8> {
    tagged(0x06, arcs)
}

fn integer(value: u32) -> Vec<u8> {
    let bytes = value.to_be_bytes();
    let first = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len() - 1);
    let sign = if bytes[first] & 0x80 == 0 { &[][..] } else { &[0] };
    tagged(0x02, &[sign, &bytes[first..]].concat())
}

fn tagged(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len().to_be_bytes();
    let short = u8::try_from(content.len()).ok().filter(|length| *length < 0x80);
    let head = short.map_or_else(
        || {
            let first = length.iter().position(|byte| *byte != 0).unwrap_or(0);
            let count = u8::try_from(length.len() - first).unwrap_or(8);
            [&[tag, 0x80 | count], &length[first..]].concat()
        },
        |length| vec![tag, length],
    );
    [head, content.to_vec()].concat()
}

const MOST: u32 = i32::MAX.cast_unsigned();
const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1];
const ENCRYPTED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 6];
const SHROUDED_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 12, 10, 1, 2];
const PBE_3DES: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 12, 1, 3];
const PBE_RC2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 12, 1, 6];
const PBES2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 13];
const PBKDF2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 12];
const HMAC_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 9];
const SCRYPT: &[u8] = &[0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 4, 11];
const AES_256_CBC: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 42];
const SHA256: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1];
