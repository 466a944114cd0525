//! Output of a receipt printer for a file of ESC/POS bytes, as a PDF: `cupom entrada.bin saida.pdf`.
#![expect(clippy::disallowed_methods, reason = "an example reads and writes files")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "the played printer stops at what it does not know")]

#[path = "../tests/it/printer/machine.rs"]
mod machine;
#[path = "../tests/it/printer/picture.rs"]
mod picture;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return eprintln!("cupom entrada.bin saida.pdf");
    };
    let slips = machine::Printer::print(&std::fs::read(input).unwrap());
    std::fs::write(output, picture::pdf(&slips)).unwrap();
}
