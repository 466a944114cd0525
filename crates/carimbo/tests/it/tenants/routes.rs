//! The routes as `router.rs` lists them, read from its source for all tests, since axum's router does not list them.

/// Every method and path, as `GET /v1/empresas/{cpf_cnpj}`.
pub(crate) fn routes() -> Vec<String> {
    let source = include_str!("../../../../server/src/router.rs");
    assert!(!source.contains(".nest(") && !source.contains(".merge("), "all routes stand in router.rs itself");
    let mut routes = Vec::new();
    for call in source.split(".route(").skip(1) {
        let call = &call[..end_of_call(call)];
        let path = call.split('"').nth(1).expect("a path");
        let call = named(source, call).unwrap_or(call);
        for method in ["get", "post", "put", "delete", "patch", "any"] {
            let as_first = format!(" {method}(");
            let as_next = format!(".{method}(");
            if call.contains(&as_first) || call.contains(&as_next) {
                routes.push(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    routes
}

/// Every route has a row in a table of what may be done by it, and every row a route.
#[track_caller]
pub(crate) fn each_has_a_row<'t>(rows: impl Iterator<Item = &'t str>, table: &str) {
    let (known, rows) = (routes(), rows.collect::<Vec<_>>());
    let missing: Vec<&String> = known.iter().filter(|route| !rows.contains(&route.as_str())).collect();
    assert!(missing.is_empty(), "say in {table} what is right by {missing:#?}");
    let stale: Vec<&&str> = rows.iter().filter(|row| !known.iter().any(|route| route == *row)).collect();
    assert!(stale.is_empty(), "{table} has rows of no route: {stale:#?}");
}

/// The methods of a route that stand before it under a name, as in `let empresa = get(…).put(…);`.
fn named<'s>(source: &'s str, call: &str) -> Option<&'s str> {
    let name = call.rsplit(',').next()?.trim();
    let (_, methods) = source.split_once(&format!("let {name} ="))?;
    methods.split(';').next()
}

/// Returns the position that closes the parenthesis open at the start.
fn end_of_call(text: &str) -> usize {
    let mut depth = 1;
    for (index, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    panic!("router.rs: a call that does not end: {text}");
}

#[test]
fn the_map_is_read_whole() {
    let (routes, source) = (routes(), include_str!("../../../../server/src/router.rs"));
    for expected in
        ["GET /", "POST /v1/auth/login", "GET /v1/empresas", "POST /v1/empresas", "DELETE /v1/auth/api-keys/{id}"]
    {
        assert!(routes.iter().any(|route| route == expected), "{expected}: {routes:#?}");
    }
    let paths: std::collections::BTreeSet<&str> = routes.iter().map(|route| route.split(' ').nth(1).unwrap()).collect();
    assert_eq!(paths.len(), source.matches(".route(").count());
}
