//! `bench sign`: from parsed JSON to the signed document, beside the bare signature and beside the crate `fiscal` 0.8.1.

use crate::measure::{Samples, ms, ratio};
use crate::{documents, yardstick};
use anyhow::{Context as _, Result, anyhow, ensure};
use fiscal::nfe::Context;
use fiscal::value::TpAmb;
use fiscal_peer::newtypes::{Cents, IbgeCode, Rate};
use fiscal_peer::types::{
    InvoiceItemData, InvoiceModel, IssuerData, PaymentData, RecipientData, SefazEnvironment, TaxRegime,
};
use fiscal_peer::xml_builder::InvoiceBuilder;
use serde_json::{Map, Value};
use signing::Certificate;

/// Items of a document, rounds, and how often the yardstick the whole may take.
const CASES: [(usize, usize, f64); 2] = [(1, 400, 1.2), (990, 80, 4.0)];

/// Measures both cases and prints them.
pub(crate) fn run() -> Result<()> {
    let certificate = certificate()?;
    let pem = Pem::of(&certificate)?;
    println!("{:<34} {:>12} {:>14}", "", "median", "× signature");
    for (items, rounds, target) in CASES {
        case(&certificate, &pem, items, rounds, target)?;
    }
    Ok(())
}

/// The three are measured in turn, round by round, so that a disturbance meets all of them.
fn case(certificate: &Certificate, pem: &Pem, items: usize, rounds: usize, target: f64) -> Result<()> {
    let (nota, issuer) = (documents::nota(items), documents::issuer());
    let peer_items = peer_items(items);
    let [mut bare, mut ours, mut peer, mut checked]: [Samples; 4] = Default::default();
    let mut sizes = (0, 0);
    for _ in 0..rounds {
        bare.time(|| yardstick::sign(certificate.key()))?;
        sizes.0 = ours.time(|| write_and_sign(&nota, &issuer, certificate))?.len();
        checked.time(|| {
            fiscal::nfe::build(&nota, &context(&issuer)).map_err(|found| anyhow!("cannot build: {found:?}"))
        })?;
        let items = peer_items.clone();
        sizes.1 = peer.time(|| peer_build_and_sign(items, pem))?.len();
    }
    let unit = bare.median();
    let our_ratio = ratio(ours.median(), unit);
    row("bare RSA-2048 SHA-1 signature", unit, 1.0, "");
    let verdict = if our_ratio <= target { "met" } else { "MISSED" };
    let target = format!("target {target}×: {verdict}");
    row(&format!("ours, {items} items ({} KB)", sizes.0 / 1000), ours.median(), our_ratio, &target);
    row(&format!("fiscal 0.8.1, {items} items ({} KB)", sizes.1 / 1000), peer.median(), ratio(peer.median(), unit), "");
    row(
        "our check at acceptance",
        checked.median(),
        ratio(checked.median(), unit),
        "write, read, layout, rules; the peer has none",
    );
    println!();
    Ok(())
}

fn row(name: &str, time: std::time::Duration, ratio: f64, remark: &str) {
    println!("{name:<34} {:>12} {ratio:>13.2}× {remark}", ms(time));
}

/// What a worker does with a document that was checked when it was accepted.
fn write_and_sign(nota: &Value, issuer: &Map<String, Value>, certificate: &Certificate) -> Result<String> {
    let built = fiscal::nfe::write(nota, &context(issuer)).map_err(|found| anyhow!("cannot write: {found:?}"))?;
    Ok(signing::sign(built.xml, &built.id, certificate)?.xml)
}

fn context(issuer: &Map<String, Value>) -> Context<'_> {
    Context {
        modelo: 55,
        ambiente: TpAmb::Homologacao,
        emitente: issuer,
        serie: 1,
        nNF: 1234,
        cNF: 87_654_321,
        dhEmi: "2026-11-20T10:00:00-03:00",
        tpEmis: 1,
        contingencia: None,
        verProc: "bench",
    }
}

/// A certificate of the simulator's test authority.
fn certificate() -> Result<Certificate> {
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

/// The same key and certificate as the peer takes them.
struct Pem {
    key: String,
    certificate: String,
}

impl Pem {
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

fn peer_build_and_sign(items: Vec<InvoiceItemData>, pem: &Pem) -> Result<String> {
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
