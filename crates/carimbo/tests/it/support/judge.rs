//! Independent validators: xmlsec1 verifies signatures, xmllint validates against the official schema.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Validates a procNFe: its signature by xmlsec1, its content by libxml2 against the package's schema, or ours when it
/// has a field that no package has yet.
#[track_caller]
pub(crate) fn accepts_proc_nfe(xml: &str, ca_pem: &Path) {
    let file = temporary(xml);
    verify(&file, "infNFe", ca_pem);
    let has = |addition: &fiscal::layout::LayoutAddition| xml.contains(&format!("<{}>", addition.element));
    let folder = if fiscal::layout::additions().iter().any(has) { "nfe-acrescido" } else { "nfe" };
    validate(&file, &format!("{folder}/procNFe_v4.00.xsd"));
    std::fs::remove_file(file).unwrap();
}

/// Validates a cteProc with its modal in place.
#[track_caller]
pub(crate) fn accepts_proc_cte(xml: &str, ca_pem: &Path) {
    let file = temporary(xml);
    verify(&file, "infCte", ca_pem);
    validate(&file, "procCTe_v4.00.xsd");
    std::fs::remove_file(file).unwrap();
}

/// Validates a signed CTe or CTeOS without protocol, by its schema.
#[track_caller]
pub(crate) fn accepts_signed_cte(xml: &str, schema: &str, ca_pem: &Path) {
    let file = temporary(xml);
    verify(&file, "infCte", ca_pem);
    validate(&file, schema);
    std::fs::remove_file(file).unwrap();
}

/// Validates a cteOSProc.
#[track_caller]
pub(crate) fn accepts_proc_cte_os(xml: &str, ca_pem: &Path) {
    let file = temporary(xml);
    verify(&file, "infCte", ca_pem);
    validate(&file, "procCTeOS_v4.00.xsd");
    std::fs::remove_file(file).unwrap();
}

/// Validates a procEventoNFe of a cancellation.
#[track_caller]
pub(crate) fn accepts_proc_evento(xml: &str, ca_pem: &Path) {
    let file = temporary(xml);
    verify(&file, "infEvento", ca_pem);
    validate(&file, "procEventoNFe_v1.00.xsd");
    std::fs::remove_file(file).unwrap();
}

/// Validates a procEventoCTe, and the content of the event by the schema of its type.
#[track_caller]
pub(crate) fn accepts_proc_evento_cte(xml: &str, ca_pem: &Path) {
    let file = temporary(xml);
    verify(&file, "infEvento", ca_pem);
    validate(&file, "procEventoCTe_v4.00.xsd");
    std::fs::remove_file(file).unwrap();
    let (_, said) = xml.split_once("<detEvento versaoEvento=\"4.00\">").unwrap();
    let (said, _) = said.split_once("</detEvento>").unwrap();
    let (root, rest) = said.split_once('>').unwrap();
    let alone = temporary(&format!("{root} xmlns=\"http://www.portalfiscal.inf.br/cte\">{rest}"));
    validate(&alone, &format!("{}_v4.00.xsd", root.trim_start_matches('<')));
    std::fs::remove_file(alone).unwrap();
}

/// Validates a ProcInutNFe.
#[track_caller]
pub(crate) fn accepts_proc_inut(xml: &str, ca_pem: &Path) {
    let file = temporary(xml);
    verify(&file, "infInut", ca_pem);
    validate(&file, "procInutNFe_v4.00.xsd");
    std::fs::remove_file(file).unwrap();
}

/// Validates a resNFe by libxml2; the Ambiente Nacional does not sign it.
#[track_caller]
pub(crate) fn accepts_res_nfe(xml: &str) {
    let file = temporary(xml);
    validate(&file, "resNFe_v1.01.xsd");
    std::fs::remove_file(file).unwrap();
}

/// Kinds of documents of the national NFS-e.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// A declaration as it was signed.
    Dps,
    /// A note: the signature of its author, and that of the declaration in it.
    Nfse,
}

impl Kind {
    /// Returns the schema of the declaration's layout.
    fn schema(self, xml: &str) -> &'static str {
        let is_of_nt009 = xml.split("<prest>").next().is_some_and(|head| head.contains("<finNFSe>"));
        match (self, is_of_nt009) {
            (Kind::Dps, false) => "nfse/DPS_v1.01.xsd",
            (Kind::Dps, true) => "nfse-nt009/DPS_v1.01.xsd",
            (Kind::Nfse, false) => "nfse/NFSe_v1.01.xsd",
            (Kind::Nfse, true) => "nfse-nt009/NFSe_v1.01.xsd",
        }
    }

    /// Signed elements, and where their signatures stand.
    fn signatures(self) -> &'static [(&'static str, &'static str)] {
        const OF_THE_DPS: (&str, &str) = ("infDPS", "//*[local-name()='DPS']/*[local-name()='Signature']");
        match self {
            Kind::Dps => &[OF_THE_DPS],
            Kind::Nfse => &[("infNFSe", "/*/*[local-name()='Signature']"), OF_THE_DPS],
        }
    }
}

/// Validates a signed DPS.
#[track_caller]
pub(crate) fn accepts_dps(xml: &str, ca_pem: &Path) {
    accepts_all(Kind::Dps, [("dps", xml)], ca_pem);
}

/// Validates an NFS-e.
#[track_caller]
pub(crate) fn accepts_nfse(xml: &str, ca_pem: &Path) {
    accepts_all(Kind::Nfse, [("nfse", xml)], ca_pem);
}

/// Validates documents by their names; the schema is read once.
#[track_caller]
pub(crate) fn accepts_all<'d>(kind: Kind, documents: impl IntoIterator<Item = (&'d str, &'d str)>, ca_pem: &Path) {
    let folder = std::env::temp_dir().join(format!("carimbo-judge-{}", uuid::Uuid::now_v7()));
    std::fs::create_dir(&folder).unwrap();
    let mut files: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
    for (name, xml) in documents {
        let file = folder.join(name).with_extension("xml");
        std::fs::write(&file, xml).unwrap();
        kind.signatures().iter().for_each(|(signed, path)| verify_at(&file, signed, path, ca_pem));
        files.entry(kind.schema(xml)).or_default().push(file);
    }
    files.iter().for_each(|(schema, files)| validate_all(files, schema));
    std::fs::remove_dir_all(folder).unwrap();
}

fn temporary(xml: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("carimbo-judge-{}.xml", uuid::Uuid::now_v7()));
    std::fs::write(&path, xml).unwrap();
    path
}

#[track_caller]
fn verify(file: &Path, signed: &str, ca_pem: &Path) {
    let mut command = Command::new("xmlsec1");
    command.args(["--verify", "--enabled-reference-uris", "same-doc", "--id-attr:Id", signed]);
    command.arg("--trusted-pem").arg(ca_pem).arg(file);
    run(command, "xmlsec1");
}

/// Verifies the signature at a path.
#[track_caller]
fn verify_at(file: &Path, signed: &str, path: &str, ca_pem: &Path) {
    let mut command = Command::new("xmlsec1");
    command.args(["--verify", "--enabled-reference-uris", "same-doc", "--id-attr:Id", signed, "--node-xpath", path]);
    command.arg("--trusted-pem").arg(ca_pem).arg(file);
    run(command, "xmlsec1");
}

#[track_caller]
fn validate(file: &Path, schema: &str) {
    validate_all(&[file.to_owned()], schema);
}

#[track_caller]
fn validate_all(files: &[PathBuf], schema: &str) {
    let schema = find(&workspace().join("target/schemas"), schema)
        .unwrap_or_else(|| panic!("target/schemas has no {schema}: run `cargo xtask schemas` first"));
    let mut command = Command::new("xmllint");
    command.args(["--noout", "--nonet", "--schema"]).arg(schema).args(files);
    run(command, "xmllint");
}

#[track_caller]
fn run(mut command: Command, tool: &str) {
    let output =
        command.output().unwrap_or_else(|error| panic!("{tool} is needed by this test and did not run: {error}"));
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The newest package's file of that name, which may begin with its folder, wherever it stands.
fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).ok()?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with(name) {
                found.push(path);
            }
        }
    }
    found.into_iter().max()
}

/// The text of a PDF, by poppler.
pub(crate) fn text_of_pdf(pdf: &[u8]) -> String {
    of_pdf(pdf, "pdftotext", &["-raw"], &["-"])
}

/// Returns the number of images in a PDF, by poppler.
pub(crate) fn pictures_of_pdf(pdf: &[u8]) -> usize {
    // a head of two lines
    of_pdf(pdf, "pdfimages", &["-list"], &[]).lines().skip(2).count()
}

/// Width and height of the first page, in whole points.
pub(crate) fn size_of_pdf(pdf: &[u8]) -> (u32, u32) {
    let said = of_pdf(pdf, "pdfinfo", &[], &[]);
    let size = said.lines().find_map(|line| line.strip_prefix("Page size:")).unwrap();
    let mut sides = size.split_whitespace().filter_map(|word| word.split('.').next().unwrap().parse().ok());
    (sides.next().unwrap(), sides.next().unwrap())
}

fn of_pdf(pdf: &[u8], program: &str, before: &[&str], after: &[&str]) -> String {
    let file = std::env::temp_dir().join(format!("carimbo-{}.pdf", uuid::Uuid::now_v7()));
    std::fs::write(&file, pdf).unwrap();
    let output = std::process::Command::new(program).args(before).arg(&file).args(after).output().unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the codes that zbar reads from every page of a PDF.
pub(crate) fn codes_of_pdf(pdf: &[u8]) -> Vec<Vec<String>> {
    let folder = std::env::temp_dir().join(format!("carimbo-{}", uuid::Uuid::now_v7()));
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("form.pdf"), pdf).unwrap();
    let mut rasterised = Command::new("pdftoppm");
    rasterised.args(["-r", "200", "-gray", "form.pdf", "page"]).current_dir(&folder);
    run(rasterised, "pdftoppm");
    let mut pages: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|file| file.extension().is_some_and(|extension| extension == "pgm"));
    pages.sort();
    let codes = pages.iter().map(|page| codes_on(page)).collect();
    std::fs::remove_dir_all(&folder).unwrap();
    codes
}

/// Returns the codes that zbar reads from an image, of the kinds that our forms have: it sometimes takes squares of a
/// QR code for other bars.
pub(crate) fn codes_on(page: &Path) -> Vec<String> {
    let kinds = ["-Sdisable", "-Scode128.enable", "-Sqrcode.enable"];
    let output = Command::new("zbarimg").args(["--quiet", "--raw"]).args(kinds).arg(page).output();
    let output = output.unwrap_or_else(|error| panic!("zbarimg is needed by this test and did not run: {error}"));
    // 4: nothing to read on this page
    assert!(matches!(output.status.code(), Some(0 | 4)), "zbarimg: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Returns the displayed title of a PDF. Checks that qpdf finds no fault in the file, that it declares Portuguese, and
/// that it embeds its fonts.
#[track_caller]
pub(crate) fn title_of_pdf(pdf: &[u8]) -> String {
    let said = of_pdf(pdf, "qpdf", &["--check"], &[]);
    assert!(!said.contains("WARNING"), "{said}");
    let catalog = of_pdf(pdf, "qpdf", &["--show-object=1"], &[]);
    assert!(catalog.contains("/Lang (pt-BR)"), "{catalog}");
    for font in of_pdf(pdf, "pdffonts", &[], &[]).lines().skip(2) {
        let words: Vec<&str> = font.split_whitespace().collect();
        // embedded, cut to what is used, with a map to letters
        assert_eq!(words[words.len() - 5..words.len() - 2], ["yes", "yes", "yes"], "{font}");
    }
    let said = of_pdf(pdf, "pdfinfo", &[], &[]);
    said.lines().find_map(|line| line.strip_prefix("Title:")).unwrap_or_default().trim().to_owned()
}
