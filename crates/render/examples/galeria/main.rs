//! The gallery: `galeria FOLDER` writes the PDF of every form that somebody should look at. `cargo xtask galeria` makes pictures of them.
#![expect(clippy::disallowed_methods, reason = "an example writes files")]
#![expect(non_snake_case, reason = "official tags keep their spelling")]

mod documents;

use documents::{Invoice, event, receipt};
use render::form::{self, Layout, Options, Paper, Standing};
use render::pdf::picture::Picture;
use std::path::{Path, PathBuf};

/// A form to look at: its name and its file.
type Form = (String, Vec<u8>);

fn main() {
    let Some(folder) = std::env::args().nth(1).map(PathBuf::from) else { return eprintln!("galeria PASTA") };
    if let Err(error) = write(&folder) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn write(folder: &Path) -> Result<(), String> {
    let mut forms = Vec::new();
    sheets(&mut forms)?;
    situations(&mut forms)?;
    small(&mut forms)?;
    events(&mut forms)?;
    for (name, pdf) in forms {
        std::fs::write(folder.join(format!("{name}.pdf")), pdf).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn drawn(forms: &mut Vec<Form>, name: &str, xml: &str, options: &Options) -> Result<(), String> {
    let pdf = form::pdf(xml.as_bytes(), options).map_err(|error| format!("{name}: {error}"))?;
    forms.push((name.to_owned(), pdf));
    Ok(())
}

fn layout(layout: Layout) -> Options {
    Options { layout: Some(layout), ..Options::default() }
}

const LAYOUTS: [(&str, Layout); 2] = [("classico", Layout::Classic), ("nt2026010", Layout::Reform)];

/// Any number of items in both layouts, standing and lying, with the longest texts.
fn sheets(forms: &mut Vec<Form>) -> Result<(), String> {
    for (word, kind) in LAYOUTS {
        for items in [1, 30, 500, 990] {
            drawn(forms, &format!("danfe-{word}-{items:03}-itens"), &Invoice::of(items).xml(), &layout(kind))?;
        }
        let lying = Options { landscape: Some(true), ..layout(kind) };
        drawn(forms, &format!("danfe-{word}-paisagem"), &Invoice::of(30).xml(), &lying)?;
        let long = Invoice { instalments: 40, words: legal_words(), ..Invoice::of(18) };
        drawn(forms, &format!("danfe-{word}-textos-longos"), &longest(&long.xml()), &layout(kind))?;
    }
    let letters = Invoice { letters: true, ..Invoice::of(6) };
    drawn(forms, "danfe-chave-com-letras", &letters.xml(), &Options::default())?;
    let logo = Picture::read(&logo()).map_err(|error| error.to_string())?;
    drawn(forms, "danfe-logotipo", &Invoice::of(8).xml(), &Options { logo: Some(logo), ..Options::default() })
}

/// What a note can be besides authorised.
fn situations(forms: &mut Vec<Form>) -> Result<(), String> {
    let with = |change: &dyn Fn(&mut Invoice)| {
        let mut invoice = Invoice::of(5);
        change(&mut invoice);
        invoice.xml()
    };
    let plain = Options::default();
    drawn(forms, "situacao-homologacao", &with(&|note| note.tpAmb = 2), &plain)?;
    drawn(forms, "situacao-denegada", &with(&|note| note.cStat = Some(302)), &plain)?;
    drawn(forms, "situacao-fs-da", &with(&|note| (note.tpEmis, note.cStat) = (5, None)), &plain)?;
    drawn(forms, "situacao-svc", &with(&|note| note.tpEmis = 6), &plain)?;
    let epec = Options { epec: Some("891260000012345 20/11/2026 09:52:10".to_owned()), ..Options::default() };
    drawn(forms, "situacao-epec", &with(&|note| (note.tpEmis, note.cStat) = (4, None)), &epec)?;
    let cancelled = Options { standing: Standing::Cancelled, ..Options::default() };
    drawn(forms, "situacao-cancelada", &Invoice::of(5).xml(), &cancelled)?;
    let preview = Options { standing: Standing::Preview { numbered: false }, ..Options::default() };
    drawn(forms, "situacao-previa", &with(&|note| note.cStat = None), &preview)
}

/// Labels and receipts.
fn small(forms: &mut Vec<Form>) -> Result<(), String> {
    let plain = Options::default();
    let label = |indPres| Invoice { tpImp: 3, indPres, ..Invoice::of(4) }.xml();
    drawn(forms, "simplificado", &label(1), &plain)?;
    drawn(forms, "simplificado-etiqueta", &label(2), &plain)?;
    drawn(forms, "simplificado-tipo-2", &receipt(5, false, true, 55), &plain)?;
    drawn(forms, "nfce-80-mm", &receipt(8, false, false, 65), &plain)?;
    let narrow = Options { paper: Paper::Narrow, ..Options::default() };
    drawn(forms, "nfce-58-mm", &receipt(8, false, true, 65), &narrow)?;
    drawn(forms, "nfce-sem-itens", &receipt(8, false, true, 65), &Options { summary: true, ..Options::default() })?;
    drawn(forms, "nfce-contingencia-duas-vias", &receipt(3, true, false, 65), &plain)?;
    let cancelled = Options { standing: Standing::Cancelled, ..Options::default() };
    drawn(forms, "nfce-cancelada", &receipt(3, false, false, 65), &cancelled)
}

fn events(forms: &mut Vec<Form>) -> Result<(), String> {
    let correction = "Onde se lê no endereço do destinatário RUA DO ROSÁRIO 415, leia-se RUA DO ROSÁRIO 451. O peso bruto correto é 1.301,250 kg.";
    for (name, xml) in [
        ("evento-carta-de-correcao", event("110110", "xCorrecao", correction)),
        ("evento-cancelamento", event("110111", "xJust", "Pedido desfeito pelo cliente antes da saída da mercadoria")),
    ] {
        let pdf = form::event::pdf(xml.as_bytes()).map_err(|error| format!("{name}: {error}"))?;
        forms.push((name.to_owned(), pdf));
    }
    Ok(())
}

/// 5,000 letters as an accountant would write them.
fn legal_words() -> String {
    let sentence = "Mercadoria sujeita ao regime de substituição tributária conforme artigo 313-W do RICMS/SP, Decreto 45.490/2000; imposto recolhido na \
                    forma do Protocolo ICMS 41/2008. ";
    sentence.repeat(40).chars().take(5_000).collect()
}

/// Names as long as the layout allows.
fn longest(xml: &str) -> String {
    let name = "INDÚSTRIA, COMÉRCIO, IMPORTAÇÃO E EXPORTAÇÃO DE ALIMENTOS SA";
    let street = "AVENIDA PRESIDENTE JUSCELINO KUBITSCHEK DE OLIVEIRA ESQUINA B";
    let product = "CONJUNTO DE FERRAMENTAS PROFISSIONAIS PARA MANUTENÇÃO INDUSTRIAL COM MALETA E CHAVES COMBINADAS DE 6 A 32 MM CROMO VAN";
    let code = "REF-0123456789-ABCDEFGHIJ-0123456789-ABCDEFGHIJ-0123456789-X";
    let take = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let mut xml = xml.to_owned();
    for (tag, content) in [
        ("xNome", take(name, 60)),
        ("xLgr", take(street, 60)),
        ("xProd", take(product, 120)),
        ("cProd", take(code, 60)),
    ] {
        xml = replaced(&xml, tag, &content);
    }
    xml
}

fn replaced(xml: &str, tag: &str, content: &str) -> String {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut out = String::new();
    let mut rest = xml;
    while let Some((before, after)) = rest.split_once(&open) {
        let behind = after.split_once(&close).map_or("", |(_, behind)| behind);
        out.push_str(&format!("{before}{open}{content}{close}"));
        rest = behind;
    }
    out + rest
}

/// A sun over a field: 240 by 160 pixels, drawn here so that the gallery needs no file.
fn logo() -> Vec<u8> {
    let (width, height) = (240_i32, 160_i32);
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let from_sun = (x - 120) * (x - 120) + (y - 80) * (y - 80);
            let colour: [u8; 3] = match () {
                () if y > 104 => [34, 120, 60],
                () if from_sun < 45 * 45 => [240, 160, 20],
                () if from_sun < 60 * 60 => [252, 222, 150],
                () => [255, 255, 255],
            };
            pixels.extend(colour);
        }
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 240, 160);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    if let Ok(mut writer) = encoder.write_header() {
        let _ = writer.write_image_data(&pixels);
    }
    file
}
