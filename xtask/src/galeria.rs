//! `cargo xtask galeria`: pictures of the printed forms for `docs/galeria`, to be looked at by a person.
//!
//! Must not know: what a form says. The documents stand in `crates/render/examples/galeria`.

use crate::shell;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Dots an inch: enough to read the smallest type of a form on a screen.
const RESOLUTION: &str = "96";
/// Shades of grey of a picture; the logo is the only colour.
const SHADES: &str = "16";
/// All pictures together, so that a clone stays small.
const MOST_BYTES: u64 = 6_000_000;
/// Sheets of a form that are all shown; of a longer one the first, the second and the last.
const ALL_SHOWN: usize = 3;

/// Draws all.
pub(crate) fn run(_: &[String]) -> Result<()> {
    let drawn = std::env::temp_dir().join(format!("carimbo-galeria-{}", std::process::id()));
    std::fs::create_dir_all(&drawn)?;
    let outcome = draw(&drawn);
    std::fs::remove_dir_all(&drawn)?;
    outcome
}

fn draw(drawn: &Path) -> Result<()> {
    let example = ["run", "--quiet", "--package", "render", "--example", "galeria", "--"];
    shell::expect(Command::new("cargo").args(example).arg(drawn))?;
    let gallery = shell::root().join("docs/galeria");
    if gallery.exists() {
        std::fs::remove_dir_all(&gallery)?;
    }
    std::fs::create_dir_all(&gallery)?;
    let mut forms: Vec<PathBuf> = std::fs::read_dir(drawn)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    forms.sort();
    let mut bytes = 0;
    for form in &forms {
        for page in shown(sheets(form)?) {
            bytes += picture(form, page, &gallery)?;
        }
    }
    println!("{} forms, {} KB of pictures in docs/galeria", forms.len(), bytes / 1000);
    ensure!(bytes <= MOST_BYTES, "the gallery is larger than {} KB", MOST_BYTES / 1000);
    Ok(())
}

/// Which of so many sheets are shown.
fn shown(sheets: usize) -> Vec<usize> {
    if sheets <= ALL_SHOWN { (1..=sheets).collect() } else { vec![1, 2, sheets] }
}

fn sheets(form: &Path) -> Result<usize> {
    let said = shell::expect(Command::new("pdfinfo").arg(form))?;
    let pages = said.lines().find_map(|line| line.strip_prefix("Pages:")).context("pdfinfo tells the pages")?;
    Ok(pages.trim().parse()?)
}

/// One sheet as a picture; gives its size.
fn picture(form: &Path, page: usize, gallery: &Path) -> Result<u64> {
    let name = form.file_stem().and_then(|name| name.to_str()).context("a name of UTF-8")?;
    let target = gallery.join(format!("{name}-{page}"));
    let page = page.to_string();
    let pages = ["-f", &page, "-l", &page];
    shell::expect(
        Command::new("pdftoppm").args(["-r", RESOLUTION, "-png", "-singlefile"]).args(pages).arg(form).arg(&target),
    )?;
    let file = target.with_extension("png");
    let quantised = ["--force", "--speed", "1", "--ext", ".png", SHADES];
    shell::expect(Command::new("pngquant").args(quantised).arg(&file)).context("pngquant: apt-get install pngquant")?;
    Ok(std::fs::metadata(&file)?.len())
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn of_a_long_form_the_ends_are_shown() {
        assert_eq!((shown(1), shown(3), shown(40)), (vec![1], vec![1, 2, 3], vec![1, 2, 40]));
    }
}
