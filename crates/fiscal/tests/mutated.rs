//! Payloads mutated at random. The builder must return a document that the layout accepts, or violations whose paths
//! begin in the payload; it must never panic. `MUTATED_CASES` (default 1,500) sets their number, `MUTATED_SEED` the
//! seed.
#![expect(clippy::unwrap_used, reason = "tests")]
#![expect(clippy::disallowed_methods, reason = "golden files are read, and settings come from the environment")]

use fiscal::document::BuildContext;
use fiscal::layout::{self, FaultKind};
use fiscal::nfe;
use fiscal::value::TpAmb;
use fiscal::xml;
use serde_json::{Map, Value, json};
use std::{env, thread};
use testkit::cases;

/// Xorshift: equal seeds give equal payloads.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }
}

fn setting(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn payloads() -> Vec<Value> {
    cases::nfe::all().into_iter().map(|case| case.input["nota"].clone()).collect()
}

/// Changes a random member.
fn mutate(value: &mut Value, chance: &mut Chance) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let at = chance.below(members.len());
            let name = members.keys().nth(at).unwrap().clone();
            match chance.below(6) {
                0 => drop(members.shift_remove(&name)),
                1 => drop(members.insert(name, strange(chance))),
                2 => {
                    let member = members.shift_remove(&name).unwrap();
                    members.insert(format!("{name}x"), member);
                }
                _ => mutate(&mut members[&name], chance),
            }
        }
        Value::Array(elements) if !elements.is_empty() => {
            let at = chance.below(elements.len());
            match chance.below(5) {
                0 => drop(elements.remove(at)),
                1 => elements.push(elements[at].clone()),
                _ => mutate(&mut elements[at], chance),
            }
        }
        leaf => *leaf = strange(chance),
    }
}

fn strange(chance: &mut Chance) -> Value {
    let many = [
        Value::Null,
        json!(true),
        json!(""),
        json!("  "),
        json!(0),
        json!(-1),
        json!(99_999_999_999_999_u64),
        json!("0.005"),
        json!("1e400"),
        json!("12,50"),
        json!("2026-02-30"),
        json!("2026-11-20T10:00:00Z"),
        json!("ação & <tag> \"x\" 🎂\u{0}\r\n"),
        json!("x".repeat(6_000)),
        json!([]),
        json!({}),
        json!([{}]),
        json!({"CST": "00", "valor": 1}),
        json!(["a", 1, null]),
    ];
    match chance.below(many.len() + 4) {
        at if at < many.len() => many[at].clone(),
        _ => extreme(chance),
    }
}

/// Numbers at and beyond the limits of their readers: `Decimal`, ten-thousandths in 64 bits, the layout.
fn extreme(chance: &mut Chance) -> Value {
    let many = [
        "79228162514264337593543950335",
        "-79228162514264337593543950335",
        "79228162514264337593543950336",
        "7922816251426433759354395033.5",
        "922337203685477.5807",
        "-922337203685477.5808",
        "92233720368547758.07",
        "100000000000000",
        "99999999999999.9999999999",
        "9999999999999.99",
        "-9999999999999.99",
        "0.0000000000000000000000000001",
        "1e28",
        "1e29",
        "1e999999999",
        "1e-999999999",
        "-1E+99999999999999999999",
    ];
    let text = match chance.below(many.len() + 2) {
        at if at < many.len() => many[at].to_owned(),
        at if at == many.len() => "9".repeat(10_000),
        _ => format!("0.{}", "3".repeat(10_000)),
    };
    let number = Value::Number(text.parse().unwrap());
    if chance.below(2) == 0 { number } else { Value::String(text) }
}

/// Replaces every number of a payload by one of a few extremes, so that sums and products combine them.
fn fill(value: &mut Value, with: &[Value], chance: &mut Chance) {
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| fill(member, with, chance)),
        Value::Array(elements) => elements.iter_mut().for_each(|element| fill(element, with, chance)),
        Value::Number(_) => *value = with[chance.below(with.len())].clone(),
        Value::String(text) if text.contains('.') && text.parse::<rust_decimal::Decimal>().is_ok() => {
            *value = with[chance.below(with.len())].clone();
        }
        _ => {}
    }
}

fn emitente() -> Map<String, Value> {
    let record = json!({
        "CNPJCPF": "11222333000181", "xNome": "EMPRESA DE DEMONSTRACAO LTDA", "IE": "110042490114", "CRT": 3,
        "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO", "cMun": 3550308, "xMun": "SAO PAULO", "UF": "SP", "CEP": "01001000"
    });
    record.as_object().unwrap().clone()
}

fn context<'a>(emitente: &'a Map<String, Value>, chance: &mut Chance) -> BuildContext<'a> {
    BuildContext {
        modelo: if chance.below(4) == 0 { 65 } else { 55 },
        ambiente: if chance.below(2) == 0 { TpAmb::Producao } else { TpAmb::Homologacao },
        law: fiscal::law::Law::printed(),
        emitente,
        regimes: None,
        configuracao: None,
        serie: 1.into(),
        numero: 1,
        codigo: 84_736_251,
        dhEmi: "2026-11-20T10:00:00-03:00",
        tpEmis: 1,
        contingencia: None,
        verProc: "1.0",
        software_house: None,
        dialeto: None,
        leiaute: fiscal::nfse::layouts::DpsLayout::Current,
    }
}

#[test]
fn numbers_at_the_limits_of_arithmetic_are_refused_or_written_and_nothing_falls_over() {
    let seed = setting("MUTATED_SEED", 20_261_122);
    let emitente = emitente();
    let mut chance = Chance(seed | 1);
    let mut refused = 0;
    for payload in payloads() {
        for _ in 0..2 {
            let mut nota = payload.clone();
            let with: Vec<Value> = (0..=chance.below(2)).map(|_| extreme(&mut chance)).collect();
            fill(&mut nota, &with, &mut chance);
            let context = context(&emitente, &mut chance);
            let review = nfe::review::review(&nota, &context);
            let built = nfe::build(&nota, &context);
            // review and build agree
            assert_eq!(review.violations.is_empty(), built.is_ok(), "seed {seed}: {:?}\n{nota}", review.violations);
            refused += usize::from(built.is_err());
        }
    }
    assert!(refused > 0);
}

#[test]
fn every_broken_payload_gets_a_valid_document_or_refusals_that_name_its_fields() {
    let (cases, seed) = (setting("MUTATED_CASES", 1_500), setting("MUTATED_SEED", 20_261_120));
    let emitente = emitente();
    let payloads = payloads();
    let mut chance = Chance(seed | 1);
    let (mut built, mut refused) = (0, 0);
    for case in 0..cases {
        let mut nota = payloads[chance.below(payloads.len())].clone();
        for _ in 0..=chance.below(3) {
            mutate(&mut nota, &mut chance);
        }
        let context = context(&emitente, &mut chance);
        match nfe::build(&nota, &context) {
            Ok(document) => {
                built += 1;
                // plans are cached per thread: a thread with an empty cache must write an equal document
                let fresh = thread::scope(|scope| scope.spawn(|| nfe::build(&nota, &context)).join().unwrap().unwrap());
                assert_eq!(fresh.xml, document.xml, "seed {seed} case {case}\n{nota}");
                assert_eq!(fresh.notices, document.notices, "seed {seed} case {case}\n{nota}");
                assert_eq!(nfe::write(&nota, &context).unwrap().xml, document.xml, "seed {seed} case {case}\n{nota}");
                let read = xml::read(document.xml.as_bytes()).unwrap();
                let faults: Vec<_> = layout::check(&layout::NFE, &read)
                    .into_iter()
                    .filter(|fault| !(fault.kind == FaultKind::Missing && fault.path == "Signature"))
                    .collect();
                assert!(faults.is_empty(), "seed {seed} case {case}: {faults:?}\n{nota}");
                assert!(
                    document.notices.iter().all(|notice| notice.campo.starts_with("nota")),
                    "{:?}",
                    document.notices
                );
            }
            Err(violations) => {
                refused += 1;
                assert!(!violations.is_empty(), "seed {seed} case {case}: refused without a word\n{nota}");
                for violation in violations {
                    assert!(violation.campo.starts_with("nota"), "seed {seed} case {case}: {violation:?}\n{nota}");
                    assert_ne!(
                        violation.codigo, "documento_invalido",
                        "seed {seed} case {case}: {violation:?}\n{nota}"
                    );
                }
            }
        }
    }
    println!("{cases} payloads (seed {seed}): {built} documents, {refused} refused");
    assert!(built > 0 && refused > 0);
}
