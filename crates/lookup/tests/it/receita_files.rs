//! Files in the layout of Receita Federal's open data.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// CNPJ root of the n-th company, with letters in some of them.
pub(crate) fn root(n: u32) -> String {
    if n % 7 == 3 { format!("{:02}ABC{:03}", n / 1000 % 100, n % 1000) } else { format!("{n:08}") }
}

/// Appends the check digits of the official rule.
pub(crate) fn cnpj(root: &str) -> String {
    let mut text = format!("{root}0001");
    for _ in 0..2 {
        let sum: u32 =
            text.bytes().rev().zip((2..=9).cycle()).map(|(byte, weight)| (u32::from(byte) - 48) * weight).sum();
        let digit = match sum % 11 {
            0 | 1 => 0,
            rest => 11 - rest,
        };
        write!(text, "{digit}").unwrap();
    }
    text
}

/// Establishments 1 to `count`, each with quotes, separators and accents.
pub(crate) fn establishments(count: u32) -> Vec<u8> {
    let mut text = String::new();
    for n in 1..=count {
        let cnpj = cnpj(&root(n));
        let (root, order, digits) = (&cnpj[..8], &cnpj[8..12], &cnpj[12..]);
        writeln!(
            text,
            "\"{root}\";\"{order}\";\"{digits}\";\"1\";\"LOJA \"\"{n}\"\" & FILHOS; SEÇÃO\";\"02\";\"20051103\";\"00\";\"\";\"\";\"19980331\";\"0111301\";\
             \"6201501,4711302\";\"RUA\";\"DA AÇÃO\";\"{n}\";\"\";\"CENTRO\";\"01001000\";\"SP\";\"7107\";\"11\";\"33334444\";\"\";\"\";\"\";\"\";\
             \"loja@exemplo.com.br\";\"\";\"\"\r"
        )
        .unwrap();
    }
    latin1(&text)
}

pub(crate) fn companies(count: u32) -> Vec<u8> {
    let mut text = String::new();
    for n in 1..=count {
        writeln!(text, "\"{}\";\"COMÉRCIO {n} LTDA\";\"2062\";\"49\";\"10000,00\";\"01\";\"\"\r", root(n)).unwrap();
    }
    latin1(&text)
}

pub(crate) fn simples(count: u32) -> Vec<u8> {
    let rows = (1..=count)
        .map(|n| format!("\"{}\";\"S\";\"20070701\";\"00000000\";\"N\";\"00000000\";\"00000000\"\r\n", root(n)));
    latin1(&rows.collect::<String>())
}

pub(crate) fn partners() -> Vec<u8> {
    latin1(&format!(
        "\"{}\";\"2\";\"JOÃO DA SILVA\";\"***123456**\";\"49\";\"20100101\";\"\";\"***000000**\";\"\";\"00\";\"5\"\r\n",
        root(3)
    ))
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect()
}

/// Writes a ZIP with one file.
pub(crate) fn zip(path: &Path, inner: &str, content: &[u8]) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    zip.start_file(inner, options).unwrap();
    zip.write_all(content).unwrap();
    zip.finish().unwrap();
}

/// Writes a whole edition of `count` companies into a folder, some files zipped.
pub(crate) fn edition(folder: &Path, count: u32) {
    std::fs::create_dir_all(folder).unwrap();
    zip(&folder.join("Estabelecimentos0.zip"), "K3241.K03200Y0.D61114.ESTABELE", &establishments(count));
    zip(&folder.join("Empresas0.zip"), "K3241.K03200Y0.D61114.EMPRECSV", &companies(count));
    std::fs::write(folder.join("F.K03200$W.SIMPLES.CSV.D61114"), simples(count)).unwrap();
    zip(&folder.join("Socios0.zip"), "K3241.K03200Y0.D61114.SOCIOCSV", &partners());
    for (name, inner, rows) in [
        (
            "Cnaes.zip",
            "F.K03200$Z.D61114.CNAECSV",
            "\"0111301\";\"Cultivo de arroz\"\n\"6201501\";\"Programas sob encomenda\"\n",
        ),
        ("Municipios.zip", "F.K03200$Z.D61114.MUNICCSV", "\"7107\";\"SAO PAULO\"\n"),
        ("Naturezas.zip", "F.K03200$Z.D61114.NATJUCSV", "\"2062\";\"Sociedade Empresária Limitada\"\n"),
        ("Qualificacoes.zip", "F.K03200$Z.D61114.QUALSCSV", "\"49\";\"Sócio-Administrador\"\n"),
        ("Motivos.zip", "F.K03200$Z.D61114.MOTICSV", "\"00\";\"SEM MOTIVO\"\n"),
    ] {
        zip(&folder.join(name), inner, &latin1(rows));
    }
    std::fs::write(folder.join("LEIAME.txt"), "não é um cadastro").unwrap();
}
