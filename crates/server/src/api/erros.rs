//! `GET /docs/erros` and `GET /docs/erros/{codigo}`: the page of each error code, as HTML or as the Markdown it is written in.

use std::fmt::Write as _;

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, header};

use super::code;
use super::error::ApiError;

/// `GET /docs/erros`
pub(crate) async fn index() -> Response {
    let mut list = String::from("# Códigos de erro\n\n");
    for codigo in code::all() {
        let _ = writeln!(list, "- [`{codigo}`](/docs/erros/{codigo})");
    }
    html("Códigos de erro", &list)
}

/// `GET /docs/erros/{codigo}`
pub(crate) async fn page(Path(codigo): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    let page = code::page(&codigo).ok_or_else(|| ApiError::not_found(&format!("Não há código de erro {codigo}.")))?;
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    Ok(if accept.contains("text/markdown") { markdown(page) } else { html(&codigo, page) })
}

fn markdown(page: &'static str) -> Response {
    ([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], page).into_response()
}

fn html(title: &str, page: &str) -> Response {
    let body = to_html(page);
    let whole = format!(
        "<!doctype html><html lang=\"pt-BR\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title} · Carimbo</title><style>{STYLE}</style><main>{body}</main></html>"
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
    ];
    (headers, whole).into_response()
}

/// The few constructs our pages use: headings, paragraphs, lists, code blocks, `code`, **strong**, links.
fn to_html(page: &str) -> String {
    let mut out = String::new();
    let (mut in_code, mut in_list) = (false, false);
    for line in page.lines() {
        if line.starts_with("```") {
            out.push_str(if in_code { "</pre>" } else { "<pre>" });
            in_code = !in_code;
            continue;
        }
        if in_code {
            let _ = writeln!(out, "{}", escaped(line));
            continue;
        }
        let item = line.strip_prefix("- ");
        if item.is_some() != in_list {
            out.push_str(if in_list { "</ul>" } else { "<ul>" });
            in_list = !in_list;
        }
        block(&mut out, line, item);
    }
    out
}

fn block(out: &mut String, line: &str, item: Option<&str>) {
    let _ = if let Some(item) = item {
        write!(out, "<li>{}</li>", inline(item))
    } else if let Some(heading) = line.strip_prefix("## ") {
        write!(out, "<h2>{}</h2>", inline(heading))
    } else if let Some(heading) = line.strip_prefix("# ") {
        write!(out, "<h1>{}</h1>", inline(heading))
    } else if line.trim().is_empty() {
        Ok(())
    } else {
        write!(out, "<p>{}</p>", inline(line))
    };
}

fn inline(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in escaped(text).split('`').enumerate() {
        // odd parts stand between two back-quotes
        let piece = if index % 2 == 1 { format!("<code>{part}</code>") } else { strong(part) };
        out.push_str(&piece);
    }
    links(&out)
}

fn strong(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in text.split("**").enumerate() {
        let piece = if index % 2 == 1 { format!("<strong>{part}</strong>") } else { part.to_owned() };
        out.push_str(&piece);
    }
    out
}

/// `[text](/path)` with our own paths only.
fn links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        match after.split_once("](/").and_then(|(label, tail)| Some((label, tail.split_once(')')?))) {
            Some((label, (path, tail))) => {
                let _ = write!(out, "<a href=\"/{path}\">{label}</a>");
                rest = tail;
            }
            None => {
                out.push('[');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "body{font:17px/1.6 system-ui,sans-serif;color:#1c2430;background:#fbfbf9;margin:0}\
main{max-width:42rem;margin:3rem auto;padding:0 1.25rem}h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}\
code,pre{font:0.9em ui-monospace,monospace;background:#eef0ec;border-radius:4px}code{padding:.1em .3em}\
pre{padding:1rem;overflow-x:auto}a{color:#0b5cad}\
@media(prefers-color-scheme:dark){body{background:#14171c;color:#dfe3e8}code,pre{background:#22272f}a{color:#7db7f0}}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_that_says_what_why_and_what_to_do() {
        for codigo in code::all() {
            let page = code::page(codigo).unwrap();
            assert!(page.starts_with(&format!("# `{codigo}`")), "{codigo}: title");
            for part in ["## O que aconteceu", "## Por quê", "## O que fazer"] {
                assert!(page.contains(part), "{codigo}: {part}");
            }
        }
    }

    #[test]
    fn every_page_belongs_to_a_code() {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/erros");
        for entry in std::fs::read_dir(dir).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let codigo = name.strip_suffix(".md").unwrap();
            assert!(code::page(codigo).is_some(), "{name} has no code");
        }
    }

    #[test]
    fn markup_is_escaped_and_links_stay_ours() {
        let page = "# T\n\n- veja [`a`](/docs/erros/a) **já**\n\n<script> [x](http://fora)\n";
        let html = to_html(page);
        assert!(html.contains("<a href=\"/docs/erros/a\"><code>a</code></a> <strong>já</strong></li></ul>"), "{html}");
        assert!(html.contains("&lt;script&gt; [x](http://fora)"));
    }
}
