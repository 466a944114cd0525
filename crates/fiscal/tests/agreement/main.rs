//! Our checker against libxml2: thousands of documents drawn from the layouts, most of them then mutated, and a verdict
//! from each side.
//!
//! `AGREEMENT_CASES` (default 4,000) sets their number, `AGREEMENT_SEED` the seed, `AGREEMENT_OF` limits them to some
//! schemas (`nfse-inteiro/DPS`). The official XSDs come from `cargo xtask schemas` (`CARIMBO_SCHEMAS` names another
//! folder). `quirk.rs` lists the differences that libxml2 causes; any other fails the test.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
#![expect(clippy::disallowed_methods, reason = "this test writes files, reads its settings and starts xmllint")]

mod draw;
mod golden;
mod libxml;
mod mutate;
mod pattern;
mod payload;
mod quirk;
mod random;
mod reach;
mod reach_cte;
mod reach_nfse;
mod tour;
mod tree;

use std::collections::BTreeMap;

use fiscal::abrasf::AbrasfVersion;
use fiscal::layout::{self, Layout, check_value};
use fiscal::xml;

use random::Random;

/// A layout and the file libxml2 reads for it.
struct Subject {
    layout: &'static Layout,
    xsd: String,
    /// Share of the cases, in per cent.
    share: usize,
}

fn subjects() -> Vec<Subject> {
    let of = |layout, xsd: &str, share| Subject { layout, xsd: xsd.to_owned(), share };
    let mut subjects = vec![
        of(&layout::NFE, "nfe-acrescido/nfe_v4.00.xsd", 68),
        of(&layout::NFE_PROC, "nfe-acrescido/procNFe_v4.00.xsd", 2),
        of(&layout::ENVI_NFE, "nfe-acrescido/enviNFe_v4.00.xsd", 2),
        of(&layout::RET_ENVI_NFE, "nfe/retEnviNFe_v4.00.xsd", 2),
        of(&layout::CONS_RECI_NFE, "nfe/consReciNFe_v4.00.xsd", 1),
        of(&layout::RET_CONS_RECI_NFE, "nfe/retConsReciNFe_v4.00.xsd", 1),
        of(&layout::CONS_SIT_NFE, "nfe/consSitNFe_v4.00.xsd", 1),
        of(&layout::RET_CONS_SIT_NFE, "nfe/retConsSitNFe_v4.00.xsd", 3),
        of(&layout::CONS_STAT_SERV, "nfe/consStatServ_v4.00.xsd", 1),
        of(&layout::RET_CONS_STAT_SERV, "nfe/retConsStatServ_v4.00.xsd", 1),
        of(&layout::INUT_NFE, "nfe/inutNFe_v4.00.xsd", 2),
        of(&layout::RET_INUT_NFE, "nfe/retInutNFe_v4.00.xsd", 1),
        of(&layout::PROC_INUT_NFE, "nfe/procInutNFe_v4.00.xsd", 1),
        of(&layout::ENV_EVENTO, "evento/envEvento_v1.00.xsd", 3),
        of(&layout::RET_ENV_EVENTO, "evento/retEnvEvento_v1.00.xsd", 1),
        of(&layout::PROC_EVENTO_NFE, "evento/procEventoNFe_v1.00.xsd", 2),
    ];
    for tp_evento in
        ["110110", "110111", "110130", "110131", "110140", "110192", "110193", "210200", "210210", "210220", "210240"]
    {
        let layout = layout::nfe_det_evento(tp_evento).expect(tp_evento);
        subjects.push(of(layout, &format!("evento/{tp_evento}/e{tp_evento}_v1.00.xsd"), 1));
    }
    subjects.extend(cte_subjects());
    // with our schema of the signature, from which the tables are generated
    for (layout, xsd, share) in [
        (&layout::DPS, "DPS", 20),
        (&layout::NFSE, "NFSe", 10),
        (&layout::PED_REG_EVENTO, "pedRegEvento", 4),
        (&layout::EVENTO_NFSE, "evento", 3),
    ] {
        subjects.push(of(layout, &format!("nfse-inteiro/{xsd}_v1.01.xsd"), share));
    }
    subjects.extend(abrasf_subjects());
    subjects
}

/// The CT-e with the modal in its position: an authority checks the two separately; here they are one document.
fn cte_subjects() -> Vec<Subject> {
    let of = |layout, xsd: &str, share| Subject { layout, xsd: format!("cte-inteiro/{xsd}_v4.00.xsd"), share };
    let mut subjects = vec![
        of(&layout::CTE, "cte", 30),
        of(&layout::CTE_OS, "cteOS", 15),
        of(&layout::CTE_PROC, "procCTe", 2),
        of(&layout::CTE_OS_PROC, "procCTeOS", 1),
        of(&layout::RET_CTE, "retCTe", 1),
        of(&layout::RET_CTE_OS, "retCTeOS", 1),
        of(&layout::CONS_SIT_CTE, "consSitCTe", 1),
        of(&layout::RET_CONS_SIT_CTE, "retConsSitCTe", 1),
        of(&layout::CONS_STAT_SERV_CTE, "consStatServCTe", 1),
        of(&layout::RET_CONS_STAT_SERV_CTE, "retConsStatServCTe", 1),
        of(&layout::EVENTO_CTE, "eventoCTe", 2),
        of(&layout::RET_EVENTO_CTE, "retEventoCTe", 1),
        of(&layout::PROC_EVENTO_CTE, "procEventoCTe", 1),
    ];
    for tp_evento in [
        "110110", "110111", "110113", "110160", "110170", "110180", "110181", "110190", "110191", "110300", "110301",
        "211110", "610110", "610111",
    ] {
        let layout = layout::cte_det_evento(tp_evento).expect(tp_evento);
        subjects.push(of(layout, layout.root.name, 1));
    }
    subjects
}

/// Every version's municipal messages and its NFS-e. The answers are read by element names in any order.
fn abrasf_subjects() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for version in AbrasfVersion::ALL {
        let xsd = format!("abrasf-inteiro/{version}/nfse.xsd");
        for (root, share) in [
            ("EnviarLoteRpsEnvio", 3),
            ("EnviarLoteRpsSincronoEnvio", 1),
            ("GerarNfseEnvio", 1),
            ("ConsultarLoteRpsEnvio", 1),
            ("ConsultarNfseRpsEnvio", 1),
            ("ConsultarNfsePorRpsEnvio", 1),
            ("CancelarNfseEnvio", 1),
            ("CompNfse", 3),
        ] {
            let layout = version.layout(root);
            subjects.extend(layout.map(|layout| Subject { layout, xsd: xsd.clone(), share }));
        }
    }
    subjects
}

/// A document and its mutation.
struct Case {
    seed: u64,
    done: Vec<String>,
    text: String,
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number")))
}

#[test]
fn says_what_libxml2_says_of_documents_drawn_from_the_layouts() {
    let (cases, seed) = (setting("AGREEMENT_CASES", 4_000), setting("AGREEMENT_SEED", 20_261_120));
    let only = std::env::var("AGREEMENT_OF").unwrap_or_default();
    let subjects: Vec<Subject> = subjects().into_iter().filter(|subject| subject.xsd.starts_with(&only)).collect();
    assert!(!subjects.is_empty(), "no schema is called {only}");
    let shares: usize = subjects.iter().map(|subject| subject.share).sum();
    let (mut valid, mut invalid, mut untouched) = (0, 0, 0);
    let mut quirks: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut disagreements = Vec::new();
    let (mut declared, mut seen) = (draw::Seen::new(), draw::Seen::new());
    for (number, subject) in subjects.iter().enumerate() {
        let count = (usize::try_from(cases).unwrap() * subject.share).div_ceil(shares);
        let cases: Vec<Case> = (0..count).map(|case| draw(subject, seed, number, case, &mut seen)).collect();
        declared.extend(draw::declarations(subject.layout.root).into_iter().map(std::ptr::from_ref));
        let texts: Vec<&str> = cases.iter().map(|case| case.text.as_str()).collect();
        let verdicts = libxml::verdicts(&subject.xsd, &texts);
        for (case, verdict) in cases.iter().zip(verdicts) {
            *if verdict { &mut valid } else { &mut invalid } += 1;
            untouched += usize::from(case.done.is_empty());
            let ours = judge(subject.layout, &case.text);
            if ours.is_empty() == verdict {
                continue;
            }
            let told = format!(
                "{} seed {:#x} {:?}: libxml2 says {verdict}, we say {ours:?}",
                subject.xsd, case.seed, case.done
            );
            let plain = || quirk::without_blanks_around_numbers(subject.layout.root, &case.text).filter(|_| !verdict);
            let blanks = || plain().filter(|plain| libxml::verdicts(&subject.xsd, &[plain]) == [true]);
            let quirk = quirk::of_libxml2(verdict, &ours).or_else(|| blanks().map(|_| quirk::BLANKS_AROUND_NUMBERS));
            match quirk {
                Some(quirk) => quirks.entry(quirk).or_default().push(told),
                None => disagreements.push((told, case.text.clone())),
            }
        }
    }
    println!("{valid} valid, {invalid} invalid according to libxml2; {untouched} as drawn");
    println!("{} of {} element declarations drawn", seen.len(), declared.len());
    for (quirk, told) in &quirks {
        println!("{}: {quirk}", told.len());
        told.iter().for_each(|told| println!("    {told}"));
    }
    for (told, text) in disagreements.iter().take(5) {
        println!("DISAGREEMENT {told}\n{text}\n");
    }
    let told: Vec<&str> = disagreements.iter().map(|(told, _)| told.as_str()).collect();
    assert!(disagreements.is_empty(), "{} disagreements:\n{}", told.len(), told.join("\n"));
    assert!(seen.len() * 100 > declared.len() * 95, "too many groups were never drawn");
    assert!(valid * 5 > invalid && invalid * 5 > valid, "a lopsided draw proves little");
}

/// Returns our faults as texts; an unreadable document is one fault.
fn judge(layout: &Layout, text: &str) -> Vec<String> {
    match xml::read(text.as_bytes()) {
        Ok(document) => {
            let faults = layout::check(layout, &document);
            faults.iter().map(|fault| format!("{:?} {}: {}", fault.kind, fault.path, fault.message)).collect()
        }
        Err(malformed) => vec![malformed.to_string()],
    }
}

fn draw(subject: &Subject, seed: u64, number: usize, case: usize, seen: &mut draw::Seen) -> Case {
    let seed = seed ^ ((number as u64) << 48) ^ ((case as u64) << 16);
    let mut random = Random::new(seed);
    let mut document = draw::document(subject.layout, &mut random, seen);
    let mut done = Vec::new();
    if random.chance(55) {
        for _ in 0..1 + random.below(2) {
            done.push(mutate::once(&mut document, &mut random));
        }
    }
    let mut text = document.text(&mut random);
    if random.chance(6) {
        done.push(mutate::bytes(&mut text, &mut random));
    }
    Case { seed, done, text }
}

#[test]
fn every_pattern_of_the_tables_compiles() {
    let mut count = 0;
    for simple in subjects().iter().flat_map(|subject| draw::declarations(subject.layout.root)).flat_map(draw::simples)
    {
        for pattern in simple.patterns {
            assert!(pattern.compiles(), "{}", pattern.source);
            count += 1;
        }
    }
    assert!(count > 500, "{count} patterns seen");
}

/// Characters of expressions that occur in no sentence.
const OF_EXPRESSIONS: [char; 8] = ['[', ']', '{', '}', '\\', '^', '|', '*'];

#[test]
fn no_refusal_of_a_value_shows_an_expression() {
    let (mut types, mut refusals) = (0, 0);
    for simple in subjects().iter().flat_map(|subject| draw::declarations(subject.layout.root)).flat_map(draw::simples)
    {
        types += 1;
        let sentences = simple.patterns.iter().map(|pattern| pattern.in_words());
        let wrong = ["", "0", "abcd", "1.005", "-", "99999999999999999999", "2026-13-01", "à vista", "  "];
        let told = wrong.iter().filter_map(|value| check_value(simple, value).err());
        for sentence in sentences.chain(told) {
            refusals += 1;
            assert!(!sentence.contains(OF_EXPRESSIONS), "{}: {sentence}", simple.name);
            assert!(!sentence.contains("esperado: .") && !sentence.ends_with(": "), "{}: {sentence}", simple.name);
        }
    }
    assert!(types > 500, "{types} types seen");
    println!("{types} types, {refusals} sentences, 0 expressions");
}
