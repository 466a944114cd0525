//! PKCS#12 files that ask for excessive work, written byte by byte: no exporter makes them.

use crate::material::CHAIN;
use openssl::hash::MessageDigest;
use openssl::symm::Cipher;
use signing::{Certificate, InvalidPfx};

const PASSWORD: &str = "senha";
/// Largest number of a C `int`.
const ABSURD: u64 = (1 << 31) - 1;

/// Encodes a value in DER.
fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    let length = body.len().to_be_bytes();
    let digits = &length[length.iter().position(|byte| *byte != 0).unwrap_or(7)..];
    let head = match body.len() {
        0..0x80 => vec![tag, digits[0]],
        _ => [&[tag, 0x80 | u8::try_from(digits.len()).unwrap()], digits].concat(),
    };
    [head, body].concat()
}

fn seq(parts: &[&[u8]]) -> Vec<u8> {
    der(0x30, parts)
}
fn octets(bytes: &[u8]) -> Vec<u8> {
    der(0x04, &[bytes])
}
fn number(value: u64) -> Vec<u8> {
    der(0x02, &[&[0], &value.to_be_bytes()])
}
fn explicit(inner: &[u8]) -> Vec<u8> {
    der(0xa0, &[inner])
}

/// An OBJECT IDENTIFIER below 1.2.840.113549.
fn rsa(rest: &[u8]) -> Vec<u8> {
    der(0x06, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d], rest])
}

fn sha1() -> Vec<u8> {
    seq(&[&der(0x06, &[&[0x2b, 0x0e, 0x03, 0x02, 0x1a]]), &[5, 0]])
}

/// A file of these contents with this MacData.
fn file(safes: &[Vec<u8>], mac: &[u8]) -> Vec<u8> {
    let safes = seq(&safes.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let data = seq(&[&rsa(&[1, 7, 1]), &explicit(&octets(&safes))]);
    seq(&[&number(3), &data, mac])
}

fn mac(rounds: u64, salt: &[u8]) -> Vec<u8> {
    seq(&[&seq(&[&sha1(), &octets(&[0; 20])]), &octets(salt), &number(rounds)])
}

/// PBES2 with AES-256; `more` may hold the length of the key.
fn pbes2(rounds: u64, salt: &[u8], more: &[&[u8]]) -> Vec<u8> {
    let parameters = seq(&[&octets(salt), &number(rounds), &more.concat()]);
    let aes = der(0x06, &[&[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2a]]);
    let cipher = seq(&[&aes, &octets(&[7; 16])]);
    seq(&[&rsa(&[1, 5, 13]), &seq(&[&seq(&[&rsa(&[1, 5, 12]), &parameters]), &cipher])])
}

/// A scheme of PKCS#12 itself: 3 is 3DES, 6 is RC2-40.
fn old(scheme: u8, rounds: u64) -> Vec<u8> {
    seq(&[&rsa(&[1, 12, 1, scheme]), &seq(&[&octets(b"saltsalt"), &number(rounds)])])
}

fn bag(kind: u8, value: &[u8]) -> Vec<u8> {
    seq(&[&rsa(&[1, 12, 10, 1, kind]), &explicit(value)])
}

/// A wrapped key that is never unwrapped.
fn key(algorithm: &[u8]) -> Vec<u8> {
    bag(2, &seq(&[algorithm, &octets(&[1; 1232])]))
}

fn clear(bags: &[Vec<u8>]) -> Vec<u8> {
    let contents = seq(&bags.iter().map(Vec::as_slice).collect::<Vec<_>>());
    seq(&[&rsa(&[1, 7, 1]), &explicit(&octets(&contents))])
}

fn encrypted(algorithm: &[u8], bytes: &[u8]) -> Vec<u8> {
    let content = seq(&[&rsa(&[1, 7, 1]), algorithm, &der(0x80, &[bytes])]);
    seq(&[&rsa(&[1, 7, 6]), &explicit(&seq(&[&number(0), &content]))])
}

/// Bags within a part that is cheap to decrypt with the password, which the sender knows.
fn hidden(bags: &[Vec<u8>]) -> Vec<u8> {
    let mut derived = [0; 32];
    openssl::pkcs5::pbkdf2_hmac(PASSWORD.as_bytes(), b"salt", 1, MessageDigest::sha1(), &mut derived).unwrap();
    let contents = seq(&bags.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let bytes = openssl::symm::encrypt(Cipher::aes_256_cbc(), &derived, Some(&[7; 16]), &contents).unwrap();
    encrypted(&pbes2(1, b"salt", &[]), &bytes)
}

#[track_caller]
fn refused(pfx: &[u8], why: InvalidPfx) {
    assert_eq!(Certificate::from_pfx(pfx, PASSWORD).unwrap_err(), why);
}

#[test]
fn a_file_that_asks_for_two_thousand_million_rounds_is_refused_before_anybody_hashes() {
    for rounds in [1_000_001, ABSURD, u64::MAX >> 1] {
        refused(&file(&[], &mac(rounds, b"salt")), InvalidPfx::TooCostly);
        refused(&file(&[clear(&[key(&pbes2(rounds, b"salt", &[]))])], &[]), InvalidPfx::TooCostly);
        refused(&file(&[clear(&[key(&old(3, rounds))])], &[]), InvalidPfx::TooCostly);
        for algorithm in [pbes2(rounds, b"salt", &[]), old(3, rounds), old(6, rounds)] {
            refused(&file(&[encrypted(&algorithm, &[0; 64])], &[]), InvalidPfx::TooCostly);
        }
    }
}

#[test]
fn a_check_sum_by_pbmac1_names_its_rounds_elsewhere() {
    let derivation = seq(&[&rsa(&[1, 5, 12]), &seq(&[&octets(b"salt"), &number(ABSURD), &number(32)])]);
    let algorithm = seq(&[&rsa(&[1, 5, 14]), &seq(&[&derivation, &seq(&[&rsa(&[2, 9])])])]);
    let mac = seq(&[&seq(&[&algorithm, &octets(&[0; 32])]), &octets(b"not used"), &number(1)]);
    refused(&file(&[], &mac), InvalidPfx::TooCostly);
}

#[test]
fn lengths_of_keys_and_salts_cost_as_well() {
    refused(&file(&[clear(&[key(&pbes2(2048, b"salt", &[&number(ABSURD)]))])], &[]), InvalidPfx::TooCostly);
    refused(&file(&[clear(&[key(&pbes2(2048, &[1; 100_000], &[]))])], &[]), InvalidPfx::TooCostly);
    refused(&file(&[], &mac(1, &[1; 100_000])), InvalidPfx::TooCostly);
}

#[test]
fn a_costly_key_within_a_cheap_part_is_found() {
    for algorithm in [pbes2(ABSURD, b"salt", &[]), old(3, ABSURD)] {
        refused(&file(&[hidden(&[key(&algorithm)])], &[]), InvalidPfx::TooCostly);
        let nested = bag(6, &seq(&[&bag(6, &seq(&[&key(&algorithm)]))]));
        refused(&file(&[hidden(&[nested])], &[]), InvalidPfx::TooCostly);
        let secret = seq(&[&rsa(&[1, 12, 10, 1, 2]), &explicit(&octets(&seq(&[&algorithm, &octets(&[1; 32])])))]);
        refused(&file(&[hidden(&[bag(5, &secret)])], &[]), InvalidPfx::TooCostly);
    }
}

#[test]
fn many_bags_count_together() {
    let bags: Vec<_> = (0..7).map(|_| key(&pbes2(900_000, b"salt", &[]))).collect();
    refused(&file(&[clear(&bags)], &[]), InvalidPfx::TooCostly);
    refused(&file(&[hidden(&bags)], &[]), InvalidPfx::TooCostly);
    let empty: Vec<_> = (0..60).map(|_| bag(4, &[5, 0])).collect();
    refused(&file(&[clear(&empty), clear(&empty)], &[]), InvalidPfx::TooCostly);
    refused(&vec![0x30; 300 * 1024], InvalidPfx::TooCostly);
}

#[test]
fn what_cannot_be_looked_into_is_opened_by_nobody() {
    // scrypt takes memory by the gigabyte
    let scrypt = der(0x06, &[&[0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 0x04, 0x0b]]);
    let scrypt = seq(&[&scrypt, &seq(&[&octets(b"salt"), &number(1 << 30), &number(8), &number(16)])]);
    let cipher = seq(&[&der(0x06, &[&[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2a]]), &octets(&[7; 16])]);
    let algorithm = seq(&[&rsa(&[1, 5, 13]), &seq(&[&scrypt, &cipher])]);
    refused(&file(&[clear(&[key(&algorithm)])], &[]), InvalidPfx::Unsupported);
    // RC4
    refused(&file(&[encrypted(&old(1, 2048), &[0; 64])], &[]), InvalidPfx::Unsupported);
    // garbage within an encrypted part
    let mut wrong = hidden(&[]);
    let last = wrong.len() - 1;
    wrong[last] ^= 1;
    refused(&file(&[wrong], &[]), InvalidPfx::WrongPassword);
}

#[test]
fn a_password_longer_than_any_tool_takes_is_only_wrong() {
    let pfx = openssl::pkcs12::Pkcs12::builder().pkey(&CHAIN.key).cert(&CHAIN.leaf).build2(PASSWORD).unwrap();
    let long = "s".repeat(1 << 20);
    assert_eq!(Certificate::from_pfx(&pfx.to_der().unwrap(), &long).unwrap_err(), InvalidPfx::WrongPassword);
}
