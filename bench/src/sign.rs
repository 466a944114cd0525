//! `bench sign`: from parsed JSON to the signed document, compared with the bare signature and, for an NF-e, with the
//! crate `fiscal` 0.8.1.

use crate::documents::BenchDocument;
use crate::measure::{Samples, ms, processor_time, ratio};
use crate::yardstick;
use anyhow::{Context as _, Result, anyhow, ensure};
use fiscal::document::BuildContext;
use fiscal::value::TpAmb;
use fiscal_peer::newtypes::{Cents, IbgeCode, Rate};
use fiscal_peer::types::{
    InvoiceItemData, InvoiceModel, IssuerData, PaymentData, RecipientData, SefazEnvironment, TaxRegime,
};
use fiscal_peer::xml_builder::InvoiceBuilder;
use serde_json::Value;
use signing::Certificate;
use std::time::Duration;

/// Items of an NF-e, rounds, and the target: the most that the whole may take, in yardsticks.
const NOTES: [(usize, usize, f64); 2] = [(1, 400, 1.2), (990, 120, 4.0)];
/// Carried notes of a CT-e, rounds, and the target.
const TRANSPORTS: [(u32, usize, f64); 2] = [(1, 400, 1.2), (30, 400, 1.2)];

/// Measures every case, or `sign ITEMS ROUNDS`, and prints them.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let (notes, transports) = match args {
        [family, rounds] if family == "cte" => (Vec::new(), vec![(1, rounds.parse()?, 1.2)]),
        [items, rounds] => (vec![(items.parse()?, rounds.parse()?, 4.0)], Vec::new()),
        _ => (NOTES.to_vec(), TRANSPORTS.to_vec()),
    };
    let certificate = certificate()?;
    let pem = PemPair::of(&certificate)?;
    println!("{:<38} {:>10} {:>16} {:>13}", "", "median", "bare signature", "× signature");
    for (items, rounds, target) in notes {
        measure_ours(&certificate, &BenchDocument::note(items), rounds, target)?;
        measure_peer(&certificate, &pem, items, rounds)?;
        println!();
    }
    for (carried, rounds, target) in transports {
        measure_ours(&certificate, &BenchDocument::transport(carried)?, rounds, target)?;
        println!();
    }
    Ok(())
}

/// Measures from parsed JSON to the signed document, and the parts of it.
fn measure_ours(certificate: &Certificate, document: &BenchDocument, rounds: usize, target: f64) -> Result<()> {
    let [mut writing, mut signing]: [Samples; 2] = Default::default();
    let mut signed = String::new();
    let whole = PairedSamples::measure(rounds, certificate, |whole| {
        let (written, signing_took);
        (signed, written, signing_took) = whole.time(|| write_and_sign(document, certificate))?;
        writing.push(written);
        signing.push(signing_took);
        Ok(())
    })?;
    let verdict = if whole.ratio(&whole.work) <= target { "met" } else { "MISSED" };
    let name = format!("ours, {} ({} KB)", document.name, signed.len() / 1000);
    whole.row(&name, &whole.work, &format!("target {target}×: {verdict}"));
    whole.row("  of which writing", &writing, "");
    whole.row("  of which signing", &signing, "");
    let digest = PairedSamples::measure(rounds, certificate, |digest| {
        digest.time(|| openssl::sha::sha1(signed.as_bytes()));
        Ok(())
    })?;
    digest.row("  bare SHA-1 over the text", &digest.work, "part of signing");
    let reading = PairedSamples::measure(rounds, certificate, |reading| {
        reading.time(|| touch(&document.nota));
        Ok(())
    })?;
    reading.row("  touching every value of the JSON", &reading.work, "part of writing");
    let check = PairedSamples::measure(rounds, certificate, |check| {
        let built = check.time(|| (document.build)(&document.nota, &context(document)));
        built.map(drop).map_err(|found| anyhow!("cannot build: {found:?}"))
    })?;
    check.row("our check at acceptance", &check.work, "write, read, layout, rules; no peer has it");
    Ok(())
}

fn measure_peer(certificate: &Certificate, pem: &PemPair, items: usize, rounds: usize) -> Result<()> {
    let mut size = 0;
    let peer_items = peer_items(items);
    let peer = PairedSamples::measure(rounds, certificate, |peer| {
        let items = peer_items.clone();
        size = peer.time(|| peer_build_and_sign(items, pem))?.len();
        Ok(())
    })?;
    peer.row(&format!("fiscal 0.8.1, {items} items ({} KB)", size / 1000), &peer.work, "");
    Ok(())
}

/// A block of rounds: the bare signature, then the work, in turn, so that a disturbance meets both. Blocks run one
/// after the other, so that no contender uses the caches and the heap of another.
struct PairedSamples {
    bare: Samples,
    work: Samples,
}

impl PairedSamples {
    fn measure(
        rounds: usize,
        certificate: &Certificate,
        mut work: impl FnMut(&mut Samples) -> Result<()>,
    ) -> Result<PairedSamples> {
        let mut block = PairedSamples { bare: Samples::default(), work: Samples::default() };
        for _ in 0..rounds {
            block.bare.time(|| yardstick::sign(certificate.key()))?;
            work(&mut block.work)?;
        }
        Ok(block)
    }

    fn ratio(&self, samples: &Samples) -> f64 {
        ratio(samples.median(), self.bare.median())
    }

    fn row(&self, name: &str, samples: &Samples, remark: &str) {
        let (median, bare) = (ms(samples.median()), ms(self.bare.median()));
        println!("{name:<38} {median:>10} {bare:>16} {:>12.2}× {remark}", self.ratio(samples));
    }
}

/// Writes and signs a document that acceptance has checked, as a worker does; returns the time of each half.
fn write_and_sign(document: &BenchDocument, certificate: &Certificate) -> Result<(String, Duration, Duration)> {
    let began = processor_time();
    let built =
        (document.write)(&document.nota, &context(document)).map_err(|found| anyhow!("cannot write: {found:?}"))?;
    let written = processor_time().saturating_sub(began);
    let place = |it: &fiscal::document::SignedElement| signing::ElementToSign {
        element: it.element.clone(),
        id: it.id.clone(),
    };
    let places: Vec<_> = built.signatures.iter().map(place).collect();
    let signed = signing::sign_elements(signing::SigningAlgorithm::Sha1, built.xml, &places, certificate)?.xml;
    Ok((signed, written, processor_time().saturating_sub(began + written)))
}

/// Reads one byte of every name and value, the minimum for any writer.
fn touch(value: &Value) -> usize {
    let first = |text: &str| usize::from(text.as_bytes().first().copied().unwrap_or(0));
    match value {
        Value::String(text) => first(text),
        Value::Number(number) => first(number.as_str()),
        Value::Array(elements) => elements.iter().map(touch).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| first(name) + touch(value)).sum(),
        Value::Null | Value::Bool(_) => 0,
    }
}

pub(crate) fn context(document: &BenchDocument) -> BuildContext<'_> {
    BuildContext {
        modelo: document.modelo,
        ambiente: TpAmb::Homologacao,
        law: fiscal::law::Law::printed(),
        emitente: &document.issuer,
        regimes: None,
        configuracao: None,
        serie: 1.into(),
        numero: 1234,
        codigo: 87_654_321,
        dhEmi: "2026-11-20T10:00:00-03:00",
        tpEmis: 1,
        contingencia: None,
        verProc: "bench",
        software_house: None,
        dialeto: None,
        leiaute: fiscal::nfse::layouts::DpsLayout::Current,
    }
}

/// Issues a certificate of the simulator's test authority.
pub(crate) fn certificate() -> Result<Certificate> {
    let folder = std::env::temp_dir().join(format!("carimbo-bench-pki-{}", std::process::id()));
    let pfx = simulator::pki::Pki::load_or_create(&folder)?.issue_pfx(
        "Papelaria Exemplo Ltda",
        "11222333000181",
        "bench",
        30,
    );
    std::fs::remove_dir_all(&folder)?;
    Ok(Certificate::from_pfx(&pfx?, "bench")?)
}

/// Key and certificate in the form that the peer takes.
struct PemPair {
    key: String,
    certificate: String,
}

impl PemPair {
    fn of(certificate: &Certificate) -> Result<Self> {
        Ok(Self {
            key: String::from_utf8(certificate.key().private_key_to_pem_pkcs8()?)?,
            certificate: String::from_utf8(certificate.leaf().to_pem()?)?,
        })
    }
}

fn peer_items(items: usize) -> Vec<InvoiceItemData> {
    (1..=items)
        .map(|item| {
            let number = u32::try_from(item).unwrap_or(u32::MAX);
            let (code, name) = (format!("CAD-{item}"), format!("Caderno universitário {item} folhas"));
            let (price, total) = (Cents(500), Cents(10_000));
            InvoiceItemData::new(
                number,
                code,
                name,
                "48202000",
                "5102",
                "UN",
                20.0,
                price,
                total,
                "102",
                Rate(0),
                Cents(0),
                "49",
                "49",
            )
        })
        .collect()
}

fn peer_build_and_sign(items: Vec<InvoiceItemData>, pem: &PemPair) -> Result<String> {
    let total = Cents(10_000 * i64::try_from(items.len())?);
    let issuer = IssuerData::new(
        "11222333000181",
        "110042490114",
        "Papelaria Exemplo Ltda",
        TaxRegime::SimplesNacional,
        "SP",
        IbgeCode("3550308".to_owned()),
        "São Paulo",
        "Praça da Sé",
        "1",
        "Sé",
        "01001000",
    );
    let recipient = RecipientData::new("52998224725", "Maria da Silva").state_code("SP").street("Rua Direita");
    let signed = InvoiceBuilder::new(issuer, SefazEnvironment::Homologation, InvoiceModel::Nfe)
        .series(1)
        .invoice_number(1234)
        .operation_nature("Venda de mercadoria")
        .items(items)
        .recipient(recipient)
        .payments(vec![PaymentData::new("17", total)])
        .build()?
        .sign_with(|xml| fiscal_peer::certificate::sign_xml(xml, &pem.key, &pem.certificate))
        .context("the peer does not sign")?;
    ensure!(signed.signed_xml().contains("<SignatureValue>"), "the peer did not sign");
    Ok(signed.signed_xml().to_owned())
}
