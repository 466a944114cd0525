//! The documentation, generated: `GET /docs/json` is the OpenAPI document, `/docs` the reference in Portuguese,
//! `/swagger` a console; all three are made from the rows of `routes`, which the router hands in, the tables in
//! `resources` (one file per resource), the layouts of the fiscal core, and the guides.
//!
//! A step of `cargo xtask test` compares every answer of the HTTP suite with the document.
//! Must not know: the work of any route.

mod account_values;
pub(crate) mod api_route;
mod calls;
mod changes;
mod codes;
pub(crate) mod cte_rules;
mod entry_page;
pub(crate) mod error_pages;
mod example_year;
pub(crate) mod families;
mod fields;
mod front_door_page;
mod front_doors;
mod generators;
mod guide_page;
pub(crate) mod guides;
mod law_changes;
pub(crate) mod leaf;
pub(crate) mod markdown;
pub(crate) mod masthead;
pub(crate) mod missing_page;
mod municipal_codes;
mod municipios;
mod nfse_rules;
pub(crate) mod nota;
mod openapi;
pub(crate) mod operation;
pub(crate) mod own_pages;
pub(crate) mod page;
mod pictures;
mod reading_order;
pub(crate) mod receitas;
mod reference;
pub(crate) mod remedies;
pub(crate) mod resources;
mod route_markup;
mod route_page;
pub(crate) mod rules;
mod rules_page;
mod sample;
mod samples;
mod search;
pub(crate) mod static_answer;
pub(crate) mod syntax;
pub(crate) mod table_pages;
mod webhooks;

use std::collections::HashMap;

use api_route::ApiRoutes;
use axum::Extension;
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use fiscal::law::Law;
use http::HeaderMap;
use missing_page::missing;
use openapi::WebhookSection;
use own_pages::PageSet;
use static_answer::{LazyValue, StaticAnswer};

pub(crate) use entry_page::show_entry;

use super::error::ApiError;
use super::query::Query;
use crate::app::App;

/// `GET /docs/json`
pub(crate) async fn json(
    State(app): State<App>,
    Extension(routes): Extension<ApiRoutes>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    static DOCUMENT: LazyValue<StaticAnswer, ApiRoutes> =
        LazyValue::of(|routes| document(routes, WebhookSection::Shown));
    static OF_CALLS: LazyValue<StaticAnswer, ApiRoutes> =
        LazyValue::of(|routes| document(routes, WebhookSection::LeftOut));
    let mut query = Query::new(query.as_deref());
    let webhooks = query.choice("webhooks", &[("sim", WebhookSection::Shown), ("nao", WebhookSection::LeftOut)]);
    query.finish()?;
    let asked = if webhooks == Some(WebhookSection::LeftOut) { &OF_CALLS } else { &DOCUMENT };
    Ok(asked.get(routes).await?.answer(&headers, app.edge()))
}

fn document(routes: ApiRoutes, webhooks: WebhookSection) -> StaticAnswer {
    StaticAnswer::of("application/json", openapi::document(routes, webhooks).to_string())
}

/// `GET /docs`
pub(crate) async fn entrance(
    State(app): State<App>,
    Extension(routes): Extension<ApiRoutes>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    static PAGE: LazyValue<StaticAnswer, ApiRoutes> =
        LazyValue::of(|routes| StaticAnswer::page(reference::entrance(routes)));
    Ok(PAGE.get(routes).await?.answer(&headers, app.edge()))
}

/// `GET /swagger`
pub(crate) async fn console(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    static PAGE: LazyValue<StaticAnswer> = LazyValue::of(|()| {
        StaticAnswer::page(page::frame("Console", "/swagger", include_str!("assets/console.html"), &[]))
    });
    Ok(PAGE.get(()).await?.answer(&headers, app.edge()))
}

/// `GET /docs/guia/{pagina}`
pub(crate) async fn guide(
    State(app): State<App>,
    Extension(routes): Extension<ApiRoutes>,
    Path(pagina): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if let Some(own) = own_page(&app, routes, &pagina).await? {
        return Ok(own.answer(&headers, app.edge()));
    }
    let found = PAGES.get(routes).await?.iter().find(|page| page.name == pagina);
    found.map_or_else(
        || missing(&headers, "Não há página com este nome."),
        |page| Ok(page.html.answer(&headers, app.edge())),
    )
}

/// `GET /docs/rotas/{operacao}`
pub(crate) async fn route(
    State(app): State<App>,
    Extension(routes): Extension<ApiRoutes>,
    Path(operacao): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    static ROUTES: LazyValue<HashMap<&'static str, StaticAnswer>, ApiRoutes> =
        LazyValue::of(|routes| route_page::all(routes).map(|(id, html)| (id, StaticAnswer::page(html))).collect());
    let found = ROUTES.get(routes).await?.get(operacao.as_str());
    found.map_or_else(|| missing(&headers, "Não há rota com este nome."), |html| Ok(html.answer(&headers, app.edge())))
}

/// `GET /docs/recursos/{arquivo}`
pub(crate) async fn asset(
    State(app): State<App>,
    Extension(routes): Extension<ApiRoutes>,
    Path(arquivo): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    static INDEX: LazyValue<StaticAnswer, ApiRoutes> =
        LazyValue::of(|routes| StaticAnswer::of("application/json", index(routes)));
    if let Some(own) = own_page(&app, routes, &arquivo).await? {
        return Ok(own.answer(&headers, app.edge()));
    }
    let found = match arquivo.as_str() {
        "busca.json" => Some(INDEX.get(routes).await?),
        name => ASSETS.get(()).await?.get(name),
    };
    let found = found.ok_or_else(|| ApiError::not_found("Não há arquivo com este nome."))?;
    Ok(found.answer(&headers, app.edge()))
}

/// The installation's own page or file of a name today, if any.
async fn own_page<'a>(app: &'a App, routes: ApiRoutes, name: &str) -> Result<Option<&'a StaticAnswer>, ApiError> {
    let law = app.engine().law();
    let Some(set) = PageSet::of(name, app.today(), law) else { return Ok(None) };
    let page = move |guide: &guides::Guide, text: &str| guide_page::page_of(guide, text, routes);
    if !app.own_pages().has(set) {
        let app = app.clone();
        let make = move || app.own_pages().made(set, app.engine().law(), &page).len();
        tokio::task::spawn_blocking(make).await.map_err(|_| ApiError::internal())?;
    }
    // a recipe that no law changes has no page of its own
    Ok(app.own_pages().made(set, law, &page).iter().find(|(own, _)| *own == name).map(|(_, page)| page))
}

/// Assets by name: files of the pages, examples and pictures of the guides.
static ASSETS: LazyValue<HashMap<&'static str, StaticAnswer>> = LazyValue::of(|()| {
    let of_pages = [
        ("estilo.css", StaticAnswer::of("text/css; charset=utf-8", include_str!("assets/estilo.css"))),
        ("paginas.css", StaticAnswer::of("text/css; charset=utf-8", include_str!("assets/paginas.css"))),
        ("marca.svg", StaticAnswer::of("image/svg+xml", include_str!("assets/marca.svg"))),
        ("pagina.js", StaticAnswer::of("text/javascript; charset=utf-8", include_str!("assets/pagina.js"))),
        ("amostras.js", StaticAnswer::of("text/javascript; charset=utf-8", include_str!("assets/amostras.js"))),
        ("busca.js", StaticAnswer::of("text/javascript; charset=utf-8", include_str!("assets/busca.js"))),
        ("console.js", StaticAnswer::of("text/javascript; charset=utf-8", include_str!("assets/console.js"))),
    ];
    let examples = [
        ("nota.json", include_str!("../../../../../docs/guides/nota.json")),
        ("empresa.json", include_str!("../../../../../docs/guides/empresa.json")),
        ("nfce.json", include_str!("../../../../../docs/guides/nfce.json")),
        ("cte.json", include_str!("../../../../../docs/guides/cte.json")),
        ("cte-os.json", include_str!("../../../../../docs/guides/cte-os.json")),
        ("nfse.json", include_str!("../../../../../docs/guides/nfse.json")),
        ("nfse-municipal.json", include_str!("../../../../../docs/guides/nfse-municipal.json")),
    ];
    let examples = examples.into_iter().chain(receitas::files());
    let pictures = pictures::PICTURES.iter().map(|(name, bytes)| (*name, StaticAnswer::of("image/png", *bytes)));
    of_pages
        .into_iter()
        .chain(examples.map(|(name, text)| (name, StaticAnswer::of("application/json", text))))
        .chain(pictures)
        .collect()
});

/// A page below `/docs/guia`.
struct GuidePage {
    name: String,
    /// Kind of its sections in the search, unless a section names its own.
    kind: &'static str,
    html: StaticAnswer,
}

/// Every page but the entrance and those of the errors; the search includes them.
static PAGES: LazyValue<Vec<GuidePage>, ApiRoutes> = LazyValue::of(|routes| {
    let page = |kind, name: &str, html| GuidePage { name: name.to_owned(), kind, html: StaticAnswer::page(html) };
    let guides = guides::GUIDES.iter().map(|guide| page("guia", guide.page, guide_page::page(guide, routes)));
    let families =
        families::FAMILIES.iter().map(|family| page("campo", &format!("campos-{}", family.page), fields::page(family)));
    let tables = [
        page("rota", "api", reference::api(routes)),
        page("regra", "regras", rules::page(Law::printed())),
        page("guia", "o-que-muda", changes::page(Law::printed())),
        page("regra", "regras-do-cte", cte_rules::page(Law::printed())),
        page("regra", "regras-da-nfse", nfse_rules::page(Law::printed())),
        page("codigo", "codigos-das-prefeituras", municipal_codes::page()),
        page("regra", "municipios-de-ensaio", municipios::page()),
        page("codigo", "codigos", codes::page()),
    ];
    guides.chain(families).chain(tables).collect()
});

/// Index of the search: every page above, every error, every route in brief.
fn index(routes: ApiRoutes) -> String {
    let errors: Vec<(String, String)> = error_pages::pages().collect();
    let errors =
        errors.iter().map(|(address, html)| search::SearchPage { address: address.clone(), kind: "erro", html });
    let pages = PAGES.now(routes).iter().map(|page| search::SearchPage {
        address: format!("/docs/guia/{}", page.name),
        kind: page.kind,
        html: page.html.text(),
    });
    let routes: Vec<(&str, String)> = route_page::briefs(routes).collect();
    let routes =
        routes.iter().map(|(id, html)| search::SearchPage { address: route_markup::address(id), kind: "rota", html });
    search::index(pages.chain(errors).chain(routes))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn the_document_names_every_page() {
        let documented: BTreeSet<&str> = super::resources::publico::PAGES.iter().copied().collect();
        assert_eq!(
            documented,
            super::PAGES.now(crate::routes::described()).iter().map(|page| page.name.as_str()).collect()
        );
    }
}
