//! Routes and pages that a message, a guide or an error page names: each of them is called.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use http::Method;

use crate::app::TestApp;

const METHODS: [Method; 4] = [Method::GET, Method::POST, Method::PUT, Method::DELETE];

/// Values of the placeholders that are a word of the route and no identifier.
const WORDS: [(&str, &str); 7] = [
    ("", "nfe"),
    ("tipo", "nfe"),
    ("arquivo", "xml"),
    ("pagina", "primeira-nota"),
    ("codigo", "validacao"),
    ("uf", "SP"),
    ("ref", "A1"),
];

/// The example of a method that a route does not take.
const NOT_TAKEN: [&str; 2] = ["GET", "/v1/nfe/emitir"];

/// Every file that holds texts for callers: the product's sources and the pages.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for room in ["fiscal", "engine", "server", "authority", "outbound", "lookup", "carimbo"] {
        collect(&root.join("crates").join(room).join("src"), "rs", &mut files);
    }
    for room in ["erros", "guides"] {
        collect(&root.join("docs").join(room), "md", &mut files);
    }
    files
}

fn collect(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, extension, files);
        } else if path.extension().is_some_and(|own| own == extension) {
            files.push(path);
        }
    }
}

/// What stands between a marker and the first character that no path has; `None` where a list of words stands in it.
fn path_after<'t>(text: &'t str, marker: &str) -> Option<&'t str> {
    let is_of_path = |c: char| c.is_ascii_alphanumeric() || "/_-{}<>$.".contains(c);
    let rest = &text[marker.len()..];
    let end = rest.find(|c| !is_of_path(c)).unwrap_or(rest.len());
    let is_whole = !rest[end..].starts_with(['|', '…', '*']);
    is_whole.then(|| rest[..end].trim_end_matches(['.', '/']))
}

/// Placeholders filled in: doubled braces are those of a format.
fn filled(path: &str) -> String {
    let segments = path.split('/').map(|segment| {
        let name = segment.trim_matches(['{', '}', '<', '>', '$']);
        match segment.starts_with(['{', '<', '$']) {
            true => WORDS.iter().find(|(word, _)| *word == name).map_or("x", |(_, value)| value),
            false => segment,
        }
    });
    segments.collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn every_route_and_page_that_a_text_names_exists() {
    let app = TestApp::start().await;
    let (mut routes, mut pages) = (BTreeMap::new(), BTreeMap::new());
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        // what stands in a comment is for readers of the source
        let product = text.split("#[cfg(test)]").next().unwrap();
        for line in product.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for method in METHODS {
                let marker = format!("{method} ");
                for (at, _) in line.match_indices(&format!("{marker}/v1/")) {
                    let Some(path) = path_after(&line[at..], &marker) else { continue };
                    let route = (method.to_string(), filled(path));
                    if path == "/v1" || route == NOT_TAKEN.map(str::to_owned).into() {
                        continue;
                    }
                    routes.entry(route).or_insert_with(|| file.clone());
                }
            }
            for (at, _) in line.match_indices("](/docs/") {
                let Some(path) = path_after(&line[at..], "](") else { continue };
                if path.contains('{') {
                    continue;
                }
                pages.entry(filled(path)).or_insert_with(|| file.clone());
            }
        }
    }
    let mut absent = Vec::new();
    for ((method, path), file) in &routes {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let answer = app.anonymous().send(method.clone(), path, &[], Bytes::new()).await;
        if matches!(answer.status.as_u16(), 404 | 405) {
            absent.push(format!("{method} {path}: {} ({})", answer.status, file.display()));
        }
    }
    for (path, file) in &pages {
        let status = app.anonymous().get(path).await.status;
        if status != 200 {
            absent.push(format!("{path}: {status} ({})", file.display()));
        }
    }
    println!("{} routes and {} pages of messages, guides and error pages called", routes.len(), pages.len());
    assert!(absent.is_empty(), "{}", absent.join("\n"));
    assert!(routes.len() > 60 && pages.len() > 40, "{} routes, {} pages", routes.len(), pages.len());
    app.finish().await;
}
