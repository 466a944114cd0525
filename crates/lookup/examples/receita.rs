//! Measures time and memory of importing an edition of Receita Federal's size, and the time of a search in the NCM.
//!
//! `cargo run --release -p lookup --example receita -- 2000000 sqlite:/tmp/x.db|postgres://… FOLDER` imports FOLDER. An
//! absent FOLDER is written and nothing else is done, so that the memory of an import does not include the writing of
//! its files.
#![expect(clippy::unwrap_used, reason = "a measurement that fails, fails")]

use fiscal::ncm::{NcmSearch, NcmTable};
use lookup::import::import_cnpj;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::vault::MasterKey;
use store::{Location, Store};

#[tokio::main]
async fn main() {
    let mut args = std::env::args().skip(1);
    let rows: u32 = args.next().unwrap().parse().unwrap();
    let location = args.next().unwrap();
    let folder = PathBuf::from(args.next().unwrap());
    if !folder.exists() {
        generate(&folder, rows);
        println!("{} written; run again to import it", folder.display());
        return;
    }
    let (bytes, unpacking) = unpack(&folder);
    println!("unpacking alone: {} MB in {unpacking:.1?}, the floor of any import", bytes / 1_000_000);
    let place = match location.strip_prefix("sqlite:") {
        Some(path) => Location::Sqlite(path.into()),
        None => Location::Postgres(location),
    };
    let store = Store::open(&place, MasterKey::new([1; 32])).await.unwrap();
    let started = Instant::now();
    let mut read = Duration::ZERO;
    let done = import_cnpj(&store, &[folder], None, true, 0, |_| read = started.elapsed()).await.unwrap();
    let whole = started.elapsed();
    println!("{} rows in {:.1?}, of them {:.1?} for the indexes and the change", done.rows, whole, whole - read);
    println!("{} rows a second", u128::try_from(done.rows).unwrap() * 1000 / whole.as_millis());
    println!("{}", memory());
    let mut times = Vec::new();
    for n in 0..1000_u32 {
        let key = cnpj(&format!("{:08}", (n * 997) % (rows / 2) + 1));
        let started = Instant::now();
        assert!(store.cnpj(&key).await.unwrap().is_some());
        times.push(started.elapsed());
    }
    times.sort();
    println!("one CNPJ: median {:?}, 99 % {:?}", times[500], times[990]);
    search();
    store.close().await;
}

/// Writes a folder of files. Half the rows are establishments, half companies.
fn generate(folder: &Path, rows: u32) {
    std::fs::create_dir_all(folder).unwrap();
    let (mut companies, mut establishments) = (String::new(), String::new());
    for n in 1..=rows / 2 {
        let cnpj = cnpj(&format!("{n:08}"));
        writeln!(
            companies,
            "\"{n:08}\";\"COMERCIO DE PECAS E SERVICOS NUMERO {n} LTDA\";\"2062\";\"49\";\"10000,00\";\"01\";\"\""
        )
        .unwrap();
        writeln!(
            establishments,
            "\"{}\";\"0001\";\"{}\";\"1\";\"PECAS {n}\";\"02\";\"20051103\";\"00\";\"\";\"\";\"19980331\";\"4530703\";\"4520001,4541203,4541205\";\"RUA\";\
             \"DAS LARANJEIRAS\";\"{n}\";\"SALA 2\";\"CENTRO\";\"01001000\";\"SP\";\"7107\";\"11\";\"33334444\";\"\";\"\";\"\";\"\";\
             \"contato{n}@exemplo.com.br\";\"\";\"\"",
            &cnpj[..8],
            &cnpj[12..]
        )
        .unwrap();
    }
    zip(&folder.join("Empresas0.zip"), "K3241.K03200Y0.D61114.EMPRECSV", &companies);
    zip(&folder.join("Estabelecimentos0.zip"), "K3241.K03200Y0.D61114.ESTABELE", &establishments);
}

fn zip(path: &Path, inner: &str, text: &str) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    zip.start_file(inner, zip::write::SimpleFileOptions::default().large_file(true)).unwrap();
    zip.write_all(text.as_bytes()).unwrap();
    zip.finish().unwrap();
}

/// Reads every file of the folder through its ZIP and keeps nothing.
fn unpack(folder: &Path) -> (u64, Duration) {
    let started = Instant::now();
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let mut zip = zip::ZipArchive::new(std::fs::File::open(entry.unwrap().path()).unwrap()).unwrap();
        bytes += std::io::copy(&mut zip.by_index(0).unwrap(), &mut std::io::sink()).unwrap();
    }
    (bytes, started.elapsed())
}

fn cnpj(root: &str) -> String {
    let mut text = format!("{root}0001");
    for _ in 0..2 {
        let sum: u32 =
            text.bytes().rev().zip((2..=9).cycle()).map(|(byte, weight)| (u32::from(byte) - 48) * weight).sum();
        let digit = if sum % 11 < 2 { 0 } else { 11 - sum % 11 };
        write!(text, "{digit}").unwrap();
    }
    text
}

/// Peak memory of the whole process.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap().to_owned()
}

fn search() {
    let started = Instant::now();
    let table = NcmTable::builtin();
    println!("NCM: unpacked in {:?}", started.elapsed());
    let day = jiff::civil::date(2026, 11, 21);
    for termo in ["café", "outros", "inexistente"] {
        let mut times = Vec::new();
        let mut found = 0;
        for _ in 0..1000 {
            let started = Instant::now();
            found = table.search(NcmSearch { termo, so_inicio: false, apenas_finais: true }, day).len();
            times.push(started.elapsed());
        }
        times.sort();
        println!("NCM {termo:?}: {found} codes, median {:?}, 99 % {:?}", times[500], times[990]);
    }
}
