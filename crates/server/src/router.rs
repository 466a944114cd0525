//! The router, made of the rows of `routes`, and the layers around every route.

use std::net::SocketAddr;

use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::routing::get;
use axum::{Extension, Router};
use tower::util::option_layer;

use crate::api::envelope::envelope;
use crate::api::size::Size;
use crate::api::{browsers, rate, unknown};
use crate::app::App;
use crate::mcp;
use crate::route::Route;
use crate::routes::{self, described};

/// All routes with their layers.
pub(crate) fn router(app: App) -> Router {
    with_layers(routes::ALL.iter().fold(Router::new(), |router, rows| mount(router, rows)), app)
}

/// Routes of the MCP listener, with its catalogue at the root. `api` is the address of the API.
pub(crate) fn mcp_router(app: App, api: Option<SocketAddr>) -> Router {
    let routes = mount(Router::new(), routes::MCP).route("/", get(mcp::show_catalogue));
    with_layers(routes.layer(Extension(mcp::AgentListener { api })), app)
}

/// Adds rows. A request receives the facts of its row as extensions: its permission and its largest body, for the
/// extractors, and every described route, for the documentation.
fn mount(router: Router<App>, rows: &[Route]) -> Router<App> {
    rows.iter().fold(router, |router, row| {
        let size = row.size.unwrap_or(Size::Tiny);
        let facts = (Extension(row.permission), Extension(size), Extension(described()));
        router.route(row.path, (row.handler)().route_layer(facts))
    })
}

/// Layers around every route, from the inside out.
fn with_layers(routes: Router<App>, app: App) -> Router {
    routes
        .fallback(unknown::path)
        .method_not_allowed_fallback(unknown::method)
        .layer(from_fn(rate::headers))
        .layer(option_layer(browsers::cors(app.edge())))
        .layer(from_fn_with_state(app.limits(), envelope))
        .layer(browsers::compression(app.edge()))
        .layer(option_layer(app.edge().is_https().then(|| map_response(browsers::strict_transport))))
        .with_state(app)
}
