//! The guides and the pages of the errors, as Markdown.

use rmcp::model::{ErrorData, ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use crate::api::docs::guides::GUIDES;
use crate::api::error_code;

/// A page of the list; the cursor is the index of its first entry.
pub(super) fn list(cursor: Option<String>) -> Result<ListResourcesResult, ErrorData> {
    let begin = match cursor {
        None => 0,
        Some(text) => text
            .parse::<usize>()
            .map_err(|_| ErrorData::invalid_params("cursor não é de uma lista deste servidor.", None))?,
    };
    let all: Vec<Resource> = guides().chain(errors()).collect();
    let mut page = ListResourcesResult::with_all_items(all.iter().skip(begin).take(PAGE).cloned().collect());
    page.next_cursor = (begin.saturating_add(PAGE) < all.len()).then(|| (begin + PAGE).to_string());
    Ok(page)
}

fn guides() -> impl Iterator<Item = Resource> {
    GUIDES.iter().map(|guide| {
        let uri = format!("{GUIDE}{}", guide.page);
        Resource::new(uri, guide.page).with_title(guide.title).with_mime_type(MARKDOWN)
    })
}

fn errors() -> impl Iterator<Item = Resource> {
    error_code::all().map(|codigo| {
        let title = error_code::find(codigo).map_or_else(|| codigo.to_owned(), |code| code.title.to_owned());
        Resource::new(format!("{ERROR}{codigo}"), codigo).with_title(title).with_mime_type(MARKDOWN)
    })
}

/// URI templates of the resources.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str, title: &str| {
        ResourceTemplate::new(uri, name).with_title(title).with_mime_type(MARKDOWN)
    };
    vec![
        template("carimbo://guias/{pagina}", "guia", "Um guia"),
        template("carimbo://erros/{codigo}", "erro", "O que um código de erro quer dizer e o que fazer"),
    ]
}

/// Reads a resource by its URI.
pub(super) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let guide = |page: &str| GUIDES.iter().find(|guide| guide.page == page).map(|guide| guide.text);
    let text = uri.strip_prefix(GUIDE).and_then(guide).or_else(|| uri.strip_prefix(ERROR).and_then(error_code::page));
    let Some(text) = text else {
        let words = format!("Não há recurso {}. Liste-os com resources/list.", fiscal::finding::excerpt(uri));
        return Err(ErrorData::resource_not_found(words, Some(serde_json::json!({ "uri": uri }))));
    };
    let contents = ResourceContents::text(text, uri).with_mime_type(MARKDOWN);
    Ok(ReadResourceResult::new(vec![contents]))
}

const GUIDE: &str = "carimbo://guias/";
const ERROR: &str = "carimbo://erros/";
const MARKDOWN: &str = "text/markdown";
const PAGE: usize = 50;
