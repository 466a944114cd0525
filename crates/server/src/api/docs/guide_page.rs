//! The page of a guide, with samples of its operation.

use super::api_route::ApiRoutes;
use super::guides::Guide;
use super::page::{frame, frame_with_samples};
use super::{front_door_page, front_doors, markdown, samples};

/// Page of a guide.
pub(crate) fn page(guide: &Guide, routes: ApiRoutes) -> String {
    match front_doors::find(guide.page) {
        Some(door) => front_door_page::page(guide, door, routes),
        None => page_of(guide, guide.text, routes),
    }
}

/// Page of a guide with another text.
pub(crate) fn page_of(guide: &Guide, text: &str, routes: ApiRoutes) -> String {
    let path = format!("/docs/guia/{}", guide.page);
    let (body, contents) = (markdown::to_html(text), markdown::headings(text));
    match samples::beside(guide, routes) {
        Some(samples) => frame_with_samples(guide.title, &path, ("", &samples, &body), &contents),
        None => frame(guide.title, &path, &body, &contents),
    }
}
