//! The frame of every page: title, navigation, style; nothing from another host.

use std::fmt::Write as _;

use axum::response::{IntoResponse, Response};
use http::header;

use super::families::FAMILIES;
use super::markdown::escaped;
use super::{guides, table_pages};

/// A page made for a single answer.
pub(crate) fn answer_once(html: String) -> Response {
    (headers("text/html; charset=utf-8"), html).into_response()
}

/// Headers of a page and of its files.
pub(super) fn headers(media: &'static str) -> [(header::HeaderName, &'static str); 3] {
    [(header::CONTENT_TYPE, media), (header::CONTENT_SECURITY_POLICY, POLICY), (header::CACHE_CONTROL, "no-cache")]
}

/// HTML document around a body.
pub(crate) fn frame(title: &str, path: &str, body: &str, contents: &[(usize, String, String)]) -> String {
    let mut html = String::with_capacity(body.len() + 8_000);
    let title = escaped(title);
    let _ = write!(
        html,
        "<!doctype html><html lang=\"pt-BR\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title} · Carimbo</title><link rel=\"stylesheet\" href=\"/docs/recursos/estilo.css\">\
         <link rel=\"icon\" type=\"image/svg+xml\" href=\"/docs/recursos/marca.svg\"><script type=\"module\" src=\"/docs/recursos/pagina.js\"></script></head><body>\
         <header><a class=\"marca\" href=\"/docs\"><img src=\"/docs/recursos/marca.svg\" alt=\"\" width=\"28\" height=\"28\">Carimbo</a><button id=\"abrir\" aria-expanded=\"false\" aria-controls=\"navegacao\">Índice</button>\
         <input id=\"busca\" type=\"search\" placeholder=\"Buscar: cancelar nota, 539, vProd…\" aria-label=\"Buscar na documentação\" autocomplete=\"off\" \
         maxlength=\"120\" role=\"combobox\" aria-expanded=\"false\" aria-controls=\"achados\" aria-autocomplete=\"list\">\
         <div id=\"achados\" role=\"listbox\" aria-label=\"Achados\" hidden></div><p id=\"quantos\" class=\"so-ouvido\" role=\"status\"></p></header><div id=\"corpo\">"
    );
    navigation(&mut html, path, contents);
    let _ = write!(html, "<main>{body}</main></div></body></html>");
    html
}

fn navigation(html: &mut String, path: &str, contents: &[(usize, String, String)]) {
    html.push_str("<nav id=\"navegacao\">");
    for group in guides::groups() {
        let _ = write!(html, "<h2>{}</h2><ul>", escaped(group[0].group));
        for guide in group {
            link(html, path, &format!("/docs/guia/{}", guide.page), guide.title, contents);
        }
        html.push_str("</ul>");
    }
    html.push_str("<h2>Referência</h2><ul>");
    link(html, path, "/docs/guia/api", "Rotas e objetos", contents);
    for family in FAMILIES {
        link(html, path, &format!("/docs/guia/campos-{}", family.page), &format!("Campos {}", family.of), contents);
    }
    for table in table_pages::ALL {
        link(html, path, table.address, table.title, contents);
    }
    link(html, path, "/docs/erros", "Códigos de erro", contents);
    html.push_str(
        "<li><a href=\"/swagger\">Console</a></li><li><a href=\"/docs/json\">OpenAPI 3.1</a></li></ul></nav>",
    );
}

/// An entry of the navigation; below that of the open page, the page's headings.
fn link(html: &mut String, path: &str, to: &str, label: &str, contents: &[(usize, String, String)]) {
    let label = escaped(label);
    if path != to {
        let _ = write!(html, "<li><a href=\"{to}\">{label}</a></li>");
        return;
    }
    let _ = write!(html, "<li><a href=\"{to}\" aria-current=\"page\">{label}</a><ul>");
    for (_, text, anchor) in contents.iter().filter(|(level, ..)| *level == 2) {
        let _ = write!(html, "<li><a href=\"#{anchor}\">{}</a></li>", escaped(text));
    }
    html.push_str("</ul></li>");
}

/// Allows our own styles and scripts, and our own API; no framing.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
