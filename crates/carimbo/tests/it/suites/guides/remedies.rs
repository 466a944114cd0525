//! Routes and pages that a message, a guide or an error page names: each of them is called.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use http::Method;

use crate::support::app::TestApp;

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

/// Text from a marker to the first character that no path has; `None` where a list of words stands in it.
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

/// Routes that a line names, with their placeholders filled in.
fn routes(line: &str) -> impl Iterator<Item = (Method, String)> {
    METHODS.into_iter().flat_map(move |method| {
        let marker = format!("{method} ");
        let places = line.match_indices(&format!("{marker}/v1/")).map(|(at, _)| at).collect::<Vec<_>>();
        let paths = places.into_iter().filter_map(move |at| path_after(&line[at..], &marker));
        let routes = paths.filter(|path| *path != "/v1").map(move |path| (method.clone(), filled(path)));
        routes.filter(|(method, path)| [method.as_str(), path] != NOT_TAKEN).collect::<Vec<_>>()
    })
}

/// Pages that a line links to; a format's are not known before it is filled in.
fn pages(line: &str) -> impl Iterator<Item = String> {
    let links = line.match_indices("](/docs/").filter_map(|(at, _)| path_after(&line[at..], "]("));
    links.filter(|path| !path.contains('{')).map(filled)
}

#[tokio::test]
async fn every_route_and_page_that_a_text_names_exists() {
    let app = TestApp::start().await;
    let (mut named, mut linked) = (BTreeMap::new(), BTreeMap::new());
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        let product = text.split("#[cfg(test)]").next().unwrap();
        // comments are for readers of the source
        for line in product.lines().filter(|line| !line.trim_start().starts_with("//")) {
            named.extend(routes(line).map(|(method, path)| ((method.to_string(), path), file.clone())));
            linked.extend(pages(line).map(|path| (path, file.clone())));
        }
    }
    let mut absent = Vec::new();
    for ((method, path), file) in &named {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let answer = app.anonymous().send(method.clone(), path, &[], Bytes::new()).await;
        if matches!(answer.status.as_u16(), 404 | 405) {
            absent.push(format!("{method} {path}: {} ({})", answer.status, file.display()));
        }
    }
    for (path, file) in &linked {
        let status = app.anonymous().get(path).await.status;
        if status != 200 {
            absent.push(format!("{path}: {status} ({})", file.display()));
        }
    }
    println!("{} routes and {} pages of messages, guides and error pages called", named.len(), linked.len());
    assert!(absent.is_empty(), "{}", absent.join("\n"));
    assert!(named.len() > 60 && linked.len() > 40, "{} routes, {} pages", named.len(), linked.len());
    app.finish().await;
}
