//! Two tenants: whatever one sends, nothing of the other is seen or changed. Tried over every route, with the rows
//! of `routes::table`.

mod world;

use http::Method;

use crate::suites::every_route::routes::table::TABLE;
use crate::suites::every_route::routes::{RouteRequest, needs};
use crate::support::client::{Answer, Client};
use world::{Known, World};

#[tokio::test]
async fn nothing_of_another_tenant_is_seen_or_changed_by_any_route() {
    let world = World::new().await;
    let before = world.a.everything().await;
    let mut tried = 0;
    let requests = || TABLE.iter().flat_map(|row| row.tenant.iter().map(move |request| (row.route, request)));
    for (route, request) in requests() {
        match request {
            RouteRequest::Hidden(path, body) => {
                for client in [&world.b.key, &world.b.session] {
                    foreign(&world, client, route, path, body).await;
                    tried += 1;
                }
            }
            RouteRequest::Refused(path, _) => panic!("{route} {path}: another tenant's objects are hidden"),
            RouteRequest::Own(..) => {}
        }
    }
    for (route, request) in requests() {
        if let RouteRequest::Own(path, body, statuses) = request {
            own(&world, route, (path, body), statuses).await;
            tried += 1;
        }
    }
    assert!(tried >= 30, "{tried} requests were tried");
    // what A has is as it was, and A's credentials work
    assert_eq!(world.a.everything().await, before);
    world.finish().await;
}

/// A company in which a person has no role is for that person like one of another tenant.
#[tokio::test]
async fn nothing_of_a_company_out_of_reach_is_seen_or_changed_by_any_route() {
    let world = World::of_companies().await;
    let before = world.everything_of_company().await;
    let of_account: Vec<String> = needs()
        .into_iter()
        .filter(|(_, need)| ["Administer", "ReadAccount"].contains(&need.as_str()))
        .map(|(route, _)| route)
        .collect();
    let mut tried = 0;
    let requests = || TABLE.iter().flat_map(|row| row.tenant.iter().map(move |request| (row.route, request)));
    for (route, request) in requests() {
        if let RouteRequest::Hidden(path, body) = request {
            foreign(&world, &world.b.session, route, path, body).await;
            tried += 1;
        }
    }
    for (route, request) in requests() {
        let RouteRequest::Own(path, body, statuses) = request else { continue };
        let refused = of_account.iter().any(|it| it == route);
        own(&world, route, (path, body), if refused { &[403][..] } else { statuses }).await;
        tried += 1;
    }
    assert!(tried >= 100, "{tried} requests were tried");
    assert_eq!(world.everything_of_company().await, before);
    world.finish().await;
}

/// Checks that B gets the answer for an object of A that it gets for one that does not exist.
async fn foreign(world: &World, client: &Client, route: &str, path: &str, body: &str) {
    let of_a = asked(client, route, path, body, &world.a_known).await;
    let of_nobody = asked(client, route, path, body, &world.nobodys).await;
    let (of_a, of_nobody) = (plain(&of_a, &world.a_known), plain(&of_nobody, &world.nobodys));
    assert_eq!(of_a, of_nobody, "{route} {path}");
    world.assert_nothing_of_a(route, &of_a.1);
}

/// Checks that the route works on B's own objects, and that the answer contains nothing of A.
async fn own(world: &World, route: &str, (path, body): (&str, &str), statuses: &[u16]) {
    let client = world.fresh_session().await;
    let answer = asked(&client, route, path, body, &world.b_known).await;
    assert!(statuses.contains(&answer.status.as_u16()), "{route} {path}: {} {}", answer.status, answer.text());
    world.assert_nothing_of_a(route, &answer.text());
}

async fn asked(client: &Client, route: &str, path: &str, body: &str, known: &Known) -> Answer {
    let method: Method = route.split(' ').next().unwrap().parse().unwrap();
    let (path, body) = (known.put_into(path), known.put_into(body));
    client.send(method, &path, &[("content-type", "application/json")], body.into()).await
}

/// Status and body, with the identifiers asked for made anonymous and what differs by nature left out.
fn plain(answer: &Answer, known: &Known) -> (u16, String) {
    (answer.status.as_u16(), known.taken_out_of(&answer.lasting().to_string()))
}
