//! Renders an XML file: `danfe entrada.xml saida.pdf [classico|reforma] [paisagem] [58] [resumido] [cancelada] [previa]
//! [logo=arquivo]`; to a file that ends with `.bin`, the bytes for a receipt printer.
#![expect(clippy::disallowed_methods, reason = "an example reads and writes files")]

use render::form::{self, DanfeLayout, PrintOptions, PrintedStatus, ReceiptPaper};
use render::pdf::picture::Picture;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return eprintln!(
            "danfe entrada.xml saida.pdf [classico|reforma] [paisagem] [58] [resumido] [cancelada] [previa]"
        );
    };
    let rest: Vec<String> = arguments.collect();
    if let Err(error) = draw(&input, &output, &rest) {
        eprintln!("{error}");
    }
}

fn draw(input: &str, output: &str, words: &[String]) -> Result<(), String> {
    let xml = std::fs::read(input).map_err(|error| error.to_string())?;
    let options = options(words)?;
    let drawn = match output.ends_with(".bin") {
        true => form::escpos(&xml, &options).map(Option::unwrap_or_default),
        false => form::pdf(&xml, &options),
    };
    std::fs::write(output, drawn.map_err(|error| error.to_string())?).map_err(|error| error.to_string())
}

fn options(words: &[String]) -> Result<PrintOptions, String> {
    let has = |word: &str| words.iter().any(|given| given == word);
    let logo = words.iter().find_map(|word| word.strip_prefix("logo="));
    let logo = logo.map(|path| std::fs::read(path).map_err(|error| error.to_string())).transpose()?;
    Ok(PrintOptions {
        layout: match () {
            () if has("classico") => Some(DanfeLayout::Classic),
            () if has("reforma") => Some(DanfeLayout::Reform),
            () => None,
        },
        landscape: has("paisagem").then_some(true),
        status: match () {
            () if has("cancelada") => PrintedStatus::Cancelled { protocol: String::new() },
            () if has("previa") => PrintedStatus::Preview { numbered: false },
            () => PrintedStatus::Stored,
        },
        epec: None,
        homologacao: has("homologacao"),
        logo: logo.map(|file| Picture::read(&file).map_err(|error| error.to_string())).transpose()?,
        paper: if has("58") { ReceiptPaper::Narrow } else { ReceiptPaper::Wide },
        summary: has("resumido"),
    })
}
