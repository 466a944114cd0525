//! Random requests: the operation, the caller, the parameters and the fault are drawn.

use super::description::FuzzOperation;
use super::mutate;
use crate::lab::client::LabAnswer;
use crate::lab::random::Random;
use crate::lab::{CNPJ, Lab, sale};
use anyhow::Result;
use serde_json::Value;
use std::collections::VecDeque;

/// A request.
pub(super) struct FuzzRequest {
    pub(super) method: String,
    /// Path and query.
    pub(super) target: String,
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl FuzzRequest {
    /// Returns everything before the body.
    pub(super) fn head(&self, host: &str) -> String {
        let headers: String = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!(
            "{} {} HTTP/1.1\r\nHost: {host}\r\n{headers}Content-Length: {}\r\n\r\n",
            self.method,
            self.target,
            self.body.len()
        )
    }
}

/// Keys, ids and access keys that later requests may use.
pub(super) struct KnownValues {
    keys: [String; 3],
    sale: Value,
    /// The latest ids and access keys that the service returned.
    known: VecDeque<String>,
}

impl KnownValues {
    /// Contains the two keys, and an invalid one.
    pub(super) fn new(lab: &Lab) -> Result<KnownValues> {
        let nobodys = format!("{}x", &lab.test_key[..lab.test_key.len() - 1]);
        Ok(KnownValues {
            keys: [lab.test_key.clone(), lab.live_key.clone(), nobodys],
            sale: sale()?,
            known: VecDeque::new(),
        })
    }

    /// Stores the ids and access keys of an answer.
    pub(super) fn add_from_answer(&mut self, answer: &LabAnswer) {
        if answer.body.len() > 64 << 10 {
            return;
        }
        let Ok(value) = serde_json::from_slice::<Value>(&answer.body) else { return };
        for pointer in ["/job_id", "/nota/chave", "/token_confirmacao", "/id", "/notas/0/chave", "/jobs/0/job_id"] {
            if let Some(text) = value.pointer(pointer).and_then(Value::as_str) {
                self.known.push_back(text.to_owned());
            }
        }
        while self.known.len() > MOST_KNOWN {
            self.known.pop_front();
        }
    }

    fn random_id(&self, random: &mut Random) -> String {
        self.known.get(random.below(self.known.len())).cloned().unwrap_or_else(|| "0".to_owned())
    }
}

/// Returns request `number` of a seed.
pub(super) fn request(seed: u64, number: u64, operations: &[FuzzOperation], pool: &mut KnownValues) -> FuzzRequest {
    let mut random = Random::new(seed.wrapping_mul(0x0001_0000_0001).wrapping_add(number));
    random.next();
    let nothing =
        FuzzOperation { method: "GET".to_owned(), path: "/".to_owned(), query: Vec::new(), examples: Vec::new() };
    let operation = random.one_of(operations).unwrap_or(&nothing);
    let odd = random.once_in(50);
    let method = if odd { mutate::word(&mut random, &METHODS) } else { operation.method.clone() };
    let target = target(operation, pool, &mut random);
    let body = body(operation, pool, &mut random);
    FuzzRequest { method, target, headers: headers(operation, pool, &mut random), body }
}

fn headers(operation: &FuzzOperation, pool: &KnownValues, random: &mut Random) -> Vec<(String, String)> {
    let mut headers = Vec::new();
    // nine in ten with the key that has the permission
    let who = if random.once_in(10) { random.below(4) } else { 0 };
    if let Some(key) = pool.keys.get(who) {
        headers.push(("X-API-Key".to_owned(), key.clone()));
    }
    if !operation.examples.is_empty() || random.once_in(20) {
        let media = if random.once_in(30) { mutate::word(random, &MEDIA) } else { "application/json".to_owned() };
        headers.push(("Content-Type".to_owned(), media));
    }
    if random.once_in(20) {
        let name = mutate::word(random, &HEADERS);
        headers.push((name, mutate::header_value(random)));
    }
    headers
}

fn target(operation: &FuzzOperation, pool: &KnownValues, random: &mut Random) -> String {
    let mut path = String::new();
    for (index, part) in operation.path.split('/').enumerate() {
        if index > 0 {
            path.push('/');
        }
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(name) => path.push_str(&segment(name, pool, random)),
            None => path.push_str(part),
        }
    }
    let words: Vec<String> = operation
        .query
        .iter()
        .filter(|_| random.next() & 1 == 0)
        .cloned()
        .collect::<Vec<_>>()
        .into_iter()
        .map(|name| format!("{name}={}", mutate::encoded(&query_value(&name, pool, random))))
        .collect();
    if words.is_empty() { path } else { format!("{path}?{}", words.join("&")) }
}

fn segment(name: &str, pool: &KnownValues, random: &mut Random) -> String {
    if random.once_in(8) {
        return mutate::encoded(&mutate::text(random));
    }
    match name {
        "cpf_cnpj" | "cnpj" => CNPJ.to_owned(),
        "tipo" => mutate::word(random, &["xml", "pdf", "log", "xml_cancelamento", "escpos"]),
        "cep" => mutate::word(random, &["01001000", "20040002", "99999999"]),
        "codigo" => mutate::word(random, &["48202000", "22030000", "campo_obrigatorio"]),
        "pagina" => mutate::word(random, &["primeira-nota", "webhooks", "regras"]),
        _ => pool.random_id(random),
    }
}

fn query_value(name: &str, pool: &KnownValues, random: &mut Random) -> String {
    if random.once_in(4) {
        return mutate::text(random);
    }
    match name {
        "limite" | "por_pagina" | "pagina" => {
            mutate::word(random, &["1", "20", "100", "101", "0", "-1", "99999999999999999999"])
        }
        "de" | "ate" => mutate::word(random, &["2026-11-01", "2026-11-22", "0001-01-01", "9999-12-31", "hoje"]),
        "tipo" => mutate::word(random, &["nfe", "nfce", "nfse", "mdfe"]),
        "status" => mutate::word(random, &["autorizada", "cancelada", "rejeitada", "denegada", "inutilizada"]),
        "emitente" | "cnpj" | "cpf_cnpj" | "destinatario" => CNPJ.to_owned(),
        "estrito" | "lacunas" => "true".to_owned(),
        _ => pool.random_id(random),
    }
}

/// Returns a body: every third unchanged, the others with one to four faults.
fn body(operation: &FuzzOperation, pool: &KnownValues, random: &mut Random) -> Vec<u8> {
    let Some(example) = random.one_of(&operation.examples) else { return Vec::new() };
    let mut body = example.clone();
    if let Some(nota) = body.get_mut("nota")
        && random.once_in(2)
    {
        *nota = pool.sale["nota"].clone();
    }
    for (name, value) in
        [("cpf_cnpj", CNPJ.to_owned()), ("job_id", pool.random_id(random)), ("chave", pool.random_id(random))]
    {
        if let Some(member) = body.get_mut(name) {
            *member = Value::String(value);
        }
    }
    if let Some(members) = body.as_object_mut() {
        // an example's reference would make every later request a replay
        members.remove("referencia_externa");
        members.remove("webhook_url");
    }
    if random.once_in(3) {
        return body.to_string().into_bytes();
    }
    for _ in 0..=random.below(4) {
        mutate::value(&mut body, random);
    }
    let text = body.to_string().into_bytes();
    if random.once_in(10) { mutate::bytes(text, random) } else { text }
}

const MOST_KNOWN: usize = 500;
const METHODS: [&str; 9] = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "QUALQUER"];
const MEDIA: [&str; 7] = [
    "",
    "text/plain",
    "application/xml",
    "application/json; charset=latin1",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
];
const HEADERS: [&str; 9] = [
    "X-Request-Id",
    "Authorization",
    "Accept",
    "Accept-Encoding",
    "Content-Encoding",
    "Expect",
    "X-Forwarded-For",
    "Origin",
    "Range",
];
