//! Every route of the service, and a table of the answers that it owes: to each permission of a key, to a credential of
//! the other environment, to another tenant. The routes are read from the source of `routes.rs` of the service, which
//! the crate does not export.

mod needs;
pub(crate) mod table;

const SOURCE: &str = include_str!("../../../../../../server/src/routes.rs");

/// Every method and path, as `GET /v1/empresas/{cpf_cnpj}`.
pub(crate) fn routes() -> Vec<String> {
    SOURCE.lines().filter_map(route).collect()
}

/// Method and path of a line that begins a row, as `GET    "/v1/cep"  Read -  => …`.
fn route(line: &str) -> Option<String> {
    let (method, rest) = line.trim_start().split_once(' ')?;
    let path = rest.trim_start().strip_prefix('"')?.split('"').next()?;
    (["GET", "POST", "PUT", "DELETE", "PATCH"].contains(&method) && line.contains("=>"))
        .then(|| format!("{method} {path}"))
}

/// Every route with the need of its row, as `("GET /painel", "Read")`.
pub(crate) fn needs() -> Vec<(String, String)> {
    let need = |line: &str| line.split('"').nth(2)?.split_whitespace().next().map(str::to_owned);
    SOURCE.lines().filter_map(|line| Some((route(line)?, need(line)?))).collect()
}

/// A row of the table.
pub(crate) struct RouteRow {
    /// Method and path, as `routes` names them.
    pub(crate) route: &'static str,
    /// Stated a second time: a change of the service's own table must be repeated here.
    pub(crate) permission: KeyPermission,
    /// Requests with a credential of homologação, for a company that issues in production.
    pub(crate) environment: &'static [RouteRequest],
    /// Requests of tenant B.
    pub(crate) tenant: &'static [RouteRequest],
}

const fn row(
    route: &'static str,
    permission: KeyPermission,
    environment: &'static [RouteRequest],
    tenant: &'static [RouteRequest],
) -> RouteRow {
    RouteRow { route, permission, environment, tenant }
}

/// The permission that a route requires of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyPermission {
    /// Not for keys, or without a credential.
    Anybody,
    /// Every key.
    Reads,
    /// `assistida` and `completa`.
    Assists,
    /// `completa`.
    Acts,
}

/// A request of a route.
pub(crate) enum RouteRequest {
    /// Path and body with identifiers of the other's objects. The answer must equal that for identifiers that do not
    /// exist.
    Hidden(&'static str, &'static str),
    /// Would change objects of production: 403 `ambiente_incorreto`.
    Refused(&'static str, &'static str),
    /// The caller's own objects: path, body, the expected statuses. The answer must contain nothing of the other's.
    Own(&'static str, &'static str, &'static [u16]),
}

#[test]
fn every_route_has_a_row_and_every_row_a_route() {
    let (known, mut rows) = (routes(), table::TABLE.iter().map(|row| row.route).collect::<Vec<_>>());
    let missing: Vec<&String> = known.iter().filter(|route| !rows.contains(&route.as_str())).collect();
    assert!(missing.is_empty(), "say in suites/every_route/routes/table.rs what is right by {missing:#?}");
    let stale: Vec<&&str> = rows.iter().filter(|row| !known.iter().any(|route| route == *row)).collect();
    assert!(stale.is_empty(), "suites/every_route/routes/table.rs has rows of no route: {stale:#?}");
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), table::TABLE.len(), "a route has two rows");
}

#[test]
fn the_table_is_read_whole() {
    let routes = routes();
    for expected in
        ["GET /", "POST /v1/auth/login", "GET /v1/empresas", "POST /v1/empresas", "DELETE /v1/auth/api-keys/{id}"]
    {
        assert!(routes.iter().any(|route| route == expected), "{expected}: {routes:#?}");
    }
    let rows = SOURCE.lines().filter(|line| line.contains("=>")).count();
    assert_eq!(routes.len(), rows);
}
