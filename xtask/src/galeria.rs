//! `cargo xtask galeria`: images of the printed forms for `docs/galeria`, for visual review.
//!
//! The forms are of documents that the service issued over HTTP: the test `galeria` of the HTTP suite makes them.
//! Must not know: the content of a form.

use crate::shell;
use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Dots per inch: enough to read the smallest type of a form on a screen.
const RESOLUTION: &str = "96";
/// Shades of grey of an image; the logo is the only colour.
const SHADES: &str = "16";
/// Bound of all images together, so that a clone stays small.
const MOST_BYTES: u64 = 6_000_000;
/// Prefix of the panel's images.
const PANEL: &str = "painel";
/// Most sheets of a form that are all shown; of a longer one the first, the second and the last.
const ALL_SHOWN: usize = 3;

/// Draws all images.
pub(crate) fn run(_: &[String]) -> Result<()> {
    let drawn = std::env::temp_dir().join(format!("carimbo-galeria-{}", std::process::id()));
    std::fs::create_dir_all(&drawn)?;
    let outcome = draw(&drawn);
    std::fs::remove_dir_all(&drawn)?;
    outcome
}

fn draw(drawn: &Path) -> Result<()> {
    let suite = ["test", "--quiet", "--package", "carimbo", "--test", "it", "--", "galeria::"];
    shell::capture_success(Command::new("cargo").args(suite).env("GALERIA", drawn))?;
    let gallery = shell::root().join("docs/galeria");
    std::fs::create_dir_all(&gallery)?;
    delete_old_images(&gallery)?;
    for slip in files_with_extension(drawn, "bin")? {
        let player = ["run", "--quiet", "--package", "render", "--example", "cupom", "--"];
        shell::capture_success(Command::new("cargo").args(player).arg(&slip).arg(slip.with_extension("pdf")))?;
    }
    let forms = files_with_extension(drawn, "pdf")?;
    ensure!(!forms.is_empty(), "the test kept no form");
    let (mut bytes, mut index) = (0, INTRODUCTION.to_owned());
    for form in &forms {
        let name = form.file_stem().and_then(|name| name.to_str()).context("a name of UTF-8")?;
        let pages = shown_sheets(sheets(form)?);
        write!(index, "\n## {name}\n\n{}\n", request(form)?)?;
        for page in pages {
            bytes += picture(form, page, &gallery.join(format!("{name}-{page}")))?;
            writeln!(index, "![{name}, folha {page}]({name}-{page}.png)")?;
        }
    }
    std::fs::write(gallery.join("README.md"), index)?;
    println!("{} forms, {} KB of pictures in docs/galeria", forms.len(), bytes / 1000);
    ensure!(bytes <= MOST_BYTES, "the gallery is larger than {} KB", MOST_BYTES / 1000);
    Ok(())
}

/// Deletes the images of earlier runs except the panel's, which a browser makes (`panel` in `test/interface.rs`).
fn delete_old_images(gallery: &Path) -> Result<()> {
    for entry in std::fs::read_dir(gallery)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with(PANEL) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Returns the files with an extension, sorted by name.
fn files_with_extension(drawn: &Path, kind: &str) -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(drawn)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == kind));
    files.sort();
    Ok(files)
}

const INTRODUCTION: &str = "# Galeria dos formulários

Cada folha abaixo foi baixada do serviço (`file/pdf`), de um documento que ele emitiu por HTTP para as autoridades simuladas; acima de cada uma está o
pedido que a fez. `cargo xtask galeria` refaz tudo; de formulários longos aparecem a primeira, a segunda e a última folha. Números, chaves e protocolos são
do simulador: nenhum destes documentos existe. O teste que as faz lê com o zbar o código de barras e o QR Code de cada folha.

As folhas `escpos-…` mostram o que uma impressora de cupons imprime dos bytes de `file/escpos`: um programa do repositório faz o papel dela
(`cargo run -p render --example cupom -- cupom.bin cupom.pdf`), ponto por ponto, e o QR Code é desenhado como ela o desenharia.

As páginas do painel têm uma galeria própria: [painel.md](painel.md).
";

/// Returns the request that made a form, with its body.
fn request(form: &Path) -> Result<String> {
    let about: serde_json::Value = serde_json::from_slice(&std::fs::read(form.with_extension("json"))?)?;
    let said = |member: &str| about[member].as_str().unwrap_or_default().to_owned();
    let body = serde_json::to_string(&about["corpo"])?;
    Ok(format!(
        "`{}`, depois `{}`\n\n<details><summary>Corpo do pedido</summary>\n\n```json\n{body}\n```\n\n</details>\n",
        said("pedido"),
        said("arquivo")
    ))
}

/// Returns the shown ones of this many sheets.
fn shown_sheets(sheets: usize) -> Vec<usize> {
    if sheets <= ALL_SHOWN { (1..=sheets).collect() } else { vec![1, 2, sheets] }
}

fn sheets(form: &Path) -> Result<usize> {
    let said = shell::capture_success(Command::new("pdfinfo").arg(form))?;
    let pages = said.lines().find_map(|line| line.strip_prefix("Pages:")).context("pdfinfo tells the pages")?;
    Ok(pages.trim().parse()?)
}

/// Draws one sheet as an image; returns its size in bytes.
fn picture(form: &Path, page: usize, target: &Path) -> Result<u64> {
    let page = page.to_string();
    let pages = ["-f", &page, "-l", &page];
    shell::capture_success(
        Command::new("pdftoppm").args(["-r", RESOLUTION, "-png", "-singlefile"]).args(pages).arg(form).arg(target),
    )?;
    let file = target.with_extension("png");
    let quantised = ["--force", "--speed", "1", "--ext", ".png", SHADES];
    shell::capture_success(Command::new("pngquant").args(quantised).arg(&file))
        .context("pngquant: apt-get install pngquant")?;
    Ok(std::fs::metadata(&file)?.len())
}

#[cfg(test)]
mod tests {
    use super::{delete_old_images, shown_sheets};

    #[test]
    fn the_pictures_of_the_panel_stay() {
        let gallery = std::env::temp_dir().join(format!("carimbo-galeria-teste-{}", std::process::id()));
        std::fs::create_dir_all(&gallery).unwrap();
        for name in ["painel.md", "painel-mesa-1-entrar.png", "danfe-1.png", "README.md"] {
            std::fs::write(gallery.join(name), "").unwrap();
        }
        delete_old_images(&gallery).unwrap();
        let mut left: Vec<_> = std::fs::read_dir(&gallery).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["painel-mesa-1-entrar.png", "painel.md"]);
        std::fs::remove_dir_all(&gallery).unwrap();
    }

    #[test]
    fn of_a_long_form_the_ends_are_shown() {
        assert_eq!((shown_sheets(1), shown_sheets(3), shown_sheets(40)), (vec![1], vec![1, 2, 3], vec![1, 2, 40]));
    }
}
