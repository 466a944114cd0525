//! Index of the search box: every section of every page, extracted from the pages themselves, so that a new page is
//! included.
//!
//! A section begins at a heading, or at an element with `id` and `data-titulo` (a row of a table), and ends where the
//! next begins. `data-tipo` is its kind when it differs from its page's, `data-modelos` the documents it applies to,
//! `data-busca="nao"` excludes a row, or the text under a heading, that is found elsewhere. The browser ranks the
//! results (`assets/busca.js`).

use std::collections::HashMap;
use std::mem::take;

use serde_json::{Value, json};

/// A served page, and the kind of its sections in the results.
pub(super) struct SearchPage<'a> {
    pub(super) address: String,
    pub(super) kind: &'static str,
    pub(super) html: &'a str,
}

/// `{"sinonimos": [[…]], "linhas": [[title, title of the page, address, kind, models, text], …]}`; a text that repeats
/// an earlier line's is the number of that line.
pub(super) fn index<'a>(pages: impl Iterator<Item = SearchPage<'a>>) -> String {
    let mut lines: Vec<Value> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for place in pages.flat_map(|page| sections_of(&page)) {
        let text = match known.get(&place.text) {
            Some(line) => json!(line),
            None => json!(place.text),
        };
        if text.is_string() && !place.text.is_empty() {
            known.insert(place.text, lines.len());
        }
        lines.push(json!([place.title, place.page, place.address, place.kind, place.models, text]));
    }
    json!({ "sinonimos": SYNONYMS, "linhas": lines }).to_string()
}

/// A heading or a row, with the text up to the next.
#[derive(Default)]
struct SearchSection {
    page: String,
    title: String,
    address: String,
    kind: String,
    models: String,
    text: String,
    /// Excluded, since it is found elsewhere.
    hidden: bool,
}

fn sections_of(page: &SearchPage<'_>) -> Vec<SearchSection> {
    let mut cutter = SectionExtractor {
        page,
        title: None,
        found: Vec::new(),
        place: SearchSection::default(),
        in_heading: false,
        outer_section: None,
        excluded_element: None,
    };
    let main = page.html.split_once("<main>").map_or(page.html, |(_, main)| main);
    for piece in main.split('<') {
        let (tag, text) = piece.split_once('>').unwrap_or(("", piece));
        cutter.tag(tag);
        cutter.text(&plain(text));
    }
    cutter.end();
    cutter.found
}

struct SectionExtractor<'a> {
    page: &'a SearchPage<'a>,
    /// First heading of the page.
    title: Option<String>,
    found: Vec<SearchSection>,
    place: SearchSection,
    /// True while text belongs to the title.
    in_heading: bool,
    /// Section that continues after a row.
    outer_section: Option<SearchSection>,
    /// Open element whose text is excluded: a row found elsewhere, an example whose members are described at their
    /// object, a source.
    excluded_element: Option<String>,
}

impl SectionExtractor<'_> {
    fn tag(&mut self, tag: &str) {
        let name = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap_or_default();
        let closes = tag.starts_with('/');
        let heading = matches!(name, "h1" | "h2" | "h3" | "h4" | "h5");
        if heading {
            self.in_heading = !closes;
        }
        if heading && closes && self.title.is_none() {
            self.title = Some(self.place.title.trim_end().to_owned());
        }
        if heading && !closes {
            self.end();
            self.begin(tag, String::new());
        } else if let Some(title) = attribute(tag, "data-titulo") {
            if self.outer_section.is_none() {
                self.outer_section = Some(take(&mut self.place));
            }
            self.leave();
            self.begin(tag, plain(title));
        } else if !closes && (tag.contains(EXCLUDED) || tag.contains(" data-linguagem=\"json\"")) {
            self.excluded_element.get_or_insert_with(|| name.to_owned());
        } else if closes && self.excluded_element.as_deref() == Some(name) {
            self.excluded_element = None;
        } else if closes && name == "tr" && self.outer_section.is_some() {
            self.leave();
            self.place = self.outer_section.take().unwrap_or_default();
        } else if !INLINE.contains(&name) {
            self.text(" ");
        }
    }

    fn begin(&mut self, tag: &str, title: String) {
        let given = |name: &str| attribute(tag, name).map(str::to_owned);
        let anchor = given("id").filter(|_| !tag.starts_with("h1"));
        self.place = SearchSection {
            page: String::new(),
            title,
            address: anchor.map_or(self.page.address.clone(), |anchor| format!("{}#{anchor}", self.page.address)),
            kind: given("data-tipo").unwrap_or_else(|| self.page.kind.to_owned()),
            models: given("data-modelos").unwrap_or_default(),
            text: String::new(),
            hidden: tag.contains(EXCLUDED),
        };
    }

    fn text(&mut self, text: &str) {
        if self.excluded_element.is_some() {
            return;
        }
        let to = if self.in_heading { &mut self.place.title } else { &mut self.place.text };
        for letter in text.chars() {
            let space = letter.is_whitespace();
            if !space {
                to.push(letter);
            } else if !to.is_empty() && !to.ends_with(' ') {
                to.push(' ');
            }
        }
    }

    /// Ends the section and the one around it.
    fn end(&mut self) {
        self.leave();
        if let Some(above) = self.outer_section.take() {
            self.place = above;
            self.leave();
        }
    }

    fn leave(&mut self) {
        let mut place = take(&mut self.place);
        if place.title.is_empty() {
            return;
        }
        place.title.truncate(place.title.trim_end().len());
        let text = place.text.trim();
        // the cells of a row repeat its title
        place.text = text.strip_prefix(place.title.as_str()).unwrap_or(text).trim_start().to_owned();
        place.page = self.title.clone().unwrap_or_else(|| place.title.clone());
        if !place.hidden {
            self.found.push(place);
        }
    }
}

/// Unescaped value of an attribute.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

/// Converts HTML text to plain text: the inverse of `markdown::escaped`.
fn plain(html: &str) -> String {
    html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// Attribute that excludes an element from the search.
const EXCLUDED: &str = " data-busca=\"nao\"";
/// Elements that need no space between their texts.
const INLINE: &[&str] = &["a", "code", "strong", "em", "i"];

/// Synonyms, without accents; the search accepts each for the others, at a lower rank.
const SYNONYMS: &[&[&str]] = &[
    &["backup", "copia", "copias"],
    &["docker", "container", "conteiner", "compose", "podman", "kubernetes"],
    &["nfe", "nf-e"],
    &["nfce", "nfc-e", "cupom"],
    &["danfe", "pdf", "imprimir", "impressao"],
    &["cancelar", "cancelamento", "cancelada", "anular", "estornar", "desfazer"],
    &["migrar", "migracao", "trocar de sistema", "importar de outro sistema"],
    &["remover", "apagar", "excluir", "deletar"],
    &["inutilizar", "inutilizacao", "pular numero"],
    &["duplicidade", "duplicada", "dobro", "repetida"],
    &["senha", "password"],
    &["chave de api", "api key", "apikey", "x-api-key"],
    &["certificado", "pfx", "p12", "a1"],
    &["login", "entrar", "sessao"],
    &["cce", "carta de correcao", "correcao"],
    &["rejeicao", "rejeitada", "erro"],
    &["fora do ar", "contingencia", "indisponivel", "parada"],
    &["offline", "off-line"],
    &["limite", "cota", "quota"],
    &["teste", "homologacao", "sandbox", "simulador"],
    &["subir", "instalar", "implantar", "deploy"],
    &["imposto", "tributo"],
    &["cliente", "destinatario"],
    &["fornecedor", "recebidas", "recebidos", "entrada"],
    &["usuario", "usuarios", "pessoa", "pessoas"],
    &["permissao", "permissoes", "papel", "papeis", "acesso"],
    &["retry", "repetir", "retentativa", "nova tentativa", "tentativas", "reenviar"],
    &["mdfe", "mdf-e", "manifesto"],
    &["postman", "insomnia", "bruno", "colecao", "collection"],
    &["sdk", "cliente gerado", "openapi-generator", "gerador"],
    &["polling", "intervalo", "acompanhar", "consultar"],
];

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(html: &str) -> Vec<(String, String, String)> {
        let page = SearchPage { address: "/p".to_owned(), kind: "guia", html };
        sections_of(&page).into_iter().map(|place| (place.title, place.address, place.text)).collect()
    }

    fn place(title: &str, address: &str, text: &str) -> (String, String, String) {
        (title.to_owned(), address.to_owned(), text.to_owned())
    }

    #[test]
    fn a_place_goes_from_its_heading_to_the_next() {
        let html = "<nav><h2>Guias</h2></nav><main><h1 id=\"t\"><a href=\"#t\">T</a></h1><p>um <code>a</code>, dois</p><p>três</p>\
                    <h2 id=\"b\"><a href=\"#b\">B &lt;c&gt;</a></h2><ul><li>x</li><li>y</li></ul></main>";
        assert_eq!(cut(html), [place("T", "/p", "um a, dois três"), place("B <c>", "/p#b", "x y")]);
    }

    #[test]
    fn a_row_is_a_place_and_what_follows_the_table_belongs_to_the_heading() {
        let html = "<main><h1>T</h1><p>antes</p><table><tr id=\"r1\" data-titulo=\"539 D\"><td>539</td></tr>\
                    <tr data-busca=\"nao\"><td>x</td></tr><tr id=\"r2\" data-titulo=\"540 E\"><td>540 E</td><td>f</td></tr></table><p>depois</p><h2 id=\"b\">B</h2></main>";
        let rows = [place("539 D", "/p#r1", "539"), place("540 E", "/p#r2", "f")];
        let found = cut(html);
        assert_eq!(found.iter().filter(|(title, ..)| title.starts_with('5')).cloned().collect::<Vec<_>>(), rows);
        assert!(
            found.contains(&place("T", "/p", "antes depois")) && found.contains(&place("B", "/p#b", "")),
            "{found:?}"
        );
    }

    #[test]
    fn what_is_found_elsewhere_is_left_out_and_still_gives_the_page_its_title() {
        let html = "<main><h1 data-busca=\"nao\">Página</h1><p>antes</p><h2 id=\"a\">A</h2>a<h3 id=\"x\" data-busca=\"nao\">X</h3>\
                    <table><tr data-busca=\"nao\"><td>r</td></tr><tr><td>x</td></tr></table><h2 id=\"b\">B</h2>b</main>";
        assert_eq!(cut(html), [place("A", "/p#a", "a"), place("B", "/p#b", "b")]);
        let page = SearchPage { address: "/p".to_owned(), kind: "guia", html };
        assert!(sections_of(&page).iter().all(|place| place.page == "Página"));
    }

    #[test]
    fn a_text_that_was_there_is_a_number_and_the_title_of_the_page_is_the_first() {
        let page = |address: &str, html| SearchPage { address: address.to_owned(), kind: "campo", html };
        let (one, other) = (
            "<main><h1>Um</h1><h2 id=\"x\" data-modelos=\"55\">x</h2>texto</main>",
            "<main><h1>Dois</h1><h2 id=\"x\" data-modelos=\"65\">x</h2>texto</main>",
        );
        let made: Value = serde_json::from_str(&index([page("/a", one), page("/b", other)].into_iter())).unwrap();
        assert_eq!(made["linhas"][1], json!(["x", "Um", "/a#x", "campo", "55", "texto"]));
        assert_eq!(made["linhas"][3], json!(["x", "Dois", "/b#x", "campo", "65", 1]));
    }
}
