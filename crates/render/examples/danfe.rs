//! Renders an XML file: `danfe entrada.xml saida.pdf [classico|reforma] [paisagem] [cupom] [58]`.
#![expect(clippy::disallowed_methods, reason = "an example reads and writes files")]

use render::form::danfe::{Layout, Options, pdf};
use render::form::receipt;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return eprintln!("danfe entrada.xml saida.pdf [classico|reforma] [paisagem] [cupom] [58]");
    };
    let rest: Vec<String> = arguments.collect();
    let has = |word: &str| rest.iter().any(|given| given == word);
    let layout = match () {
        () if has("classico") => Some(Layout::Classic),
        () if has("reforma") => Some(Layout::Reform),
        () => None,
    };
    let options = Options { layout, landscape: has("paisagem").then_some(true), ..Options::default() };
    let written = std::fs::read(&input).map_err(|error| error.to_string());
    let written = written.and_then(|xml| {
        let paper = if has("58") { receipt::Paper::Narrow } else { receipt::Paper::Wide };
        let pdf = match has("cupom") {
            true => receipt::pdf(&xml, receipt::Options { paper, ..receipt::Options::default() }),
            false => pdf(&xml, &options),
        };
        pdf.map_err(|error| error.to_string())
    });
    match written.and_then(|bytes| std::fs::write(&output, bytes).map_err(|error| error.to_string())) {
        Ok(()) => {}
        Err(error) => eprintln!("{error}"),
    }
}
