//! Isolation of the environments: a credential of homologação and a company that issues in production. Objects of
//! production are not found and not changed (`docs/contract.md`, "Environments"). Checked for every route of the
//! service, with the rows of `routes::table`.

mod world;

use http::Method;
use serde_json::{Value, json};

use crate::suites::every_route::routes::RouteRequest;
use crate::suites::every_route::routes::table::TABLE;
use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, NUMERIC};
use crate::support::client::{Answer, Client};
use crate::support::users::session;
use world::{Known, World};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn homologacao_neither_sees_nor_changes_production_by_any_route() {
    let world = World::new().await;
    let before = world.production().await;
    let requests = || TABLE.iter().flat_map(|row| row.environment.iter().map(move |request| (row.route, request)));
    for (route, request) in requests() {
        for client in [&world.tenant.test, &world.session] {
            match request {
                RouteRequest::Hidden(path, body) => hidden(&world, client, route, path, body).await,
                RouteRequest::Refused(path, body) => refused(&world, client, route, path, body).await,
                RouteRequest::Own(..) => {}
            }
        }
    }
    assert_eq!(world.production().await, before, "production is as it was");
    for (route, request) in requests() {
        let RouteRequest::Own(path, body, statuses) = request else { continue };
        own(&world, &world.tenant.test, route, (path, body), statuses).await;
        if route.starts_with("GET ") {
            own(&world, &world.session, route, (path, body), statuses).await;
        }
    }
    assert_eq!(world.production().await, before, "production is as it was");
    world.finish().await;
}

/// Checks that an object of production is answered exactly like one that does not exist.
async fn hidden(world: &World, client: &Client, route: &str, path: &str, body: &str) {
    let of_production = asked(client, route, path, body, &world.known).await;
    let of_nobody = asked(client, route, path, body, &world.nobodys).await;
    let (of_production, of_nobody) = (plain(&of_production, &world.known), plain(&of_nobody, &world.nobodys));
    assert_eq!(of_production, of_nobody, "{route} {path}");
    assert!(matches!(of_nobody.0, 200 | 404), "{route} {path}: {of_nobody:?}");
}

async fn refused(world: &World, client: &Client, route: &str, path: &str, body: &str) {
    let answer = asked(client, route, path, body, &world.known).await;
    assert_eq!(answer.status.as_u16(), 403, "{route} {path} {body}: {}", answer.text());
    answer.refused(403, "ambiente_incorreto");
}

/// Checks that the route works, and that the answer contains nothing of production's documents.
async fn own(world: &World, client: &Client, route: &str, (path, body): (&str, &str), statuses: &[u16]) {
    let answer = asked(client, route, path, body, &world.known).await;
    let status = answer.status.as_u16();
    assert!(statuses.contains(&status), "{route} {path}: {status} {}", answer.text());
    // the answer may repeat the requested path, in an error or a link
    world.assert_nothing_of_production(route, &answer.text());
    if status == 202 {
        ended(client, &answer.json()).await;
    }
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

#[tokio::test]
async fn before_production_one_key_of_homologacao_configures_everything() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let path = format!("/v1/empresas/{NUMERIC}");
    tenant.test.put(&format!("{path}/nfce"), &json!({ "ambiente": 2, "csc_id": "1", "csc": "segredo" })).await.ok(200);
    tenant.test.put(&path, &json!({ "nome_fantasia": "Papelaria" })).await.ok(200);
    // the step into production is still open to it; from then on production's credential decides
    let live = json!({ "ambiente": 1, "serie": "5", "proximo_numero": 10 });
    tenant.test.put(&format!("{path}/nfe"), &live).await.ok(200);
    tenant.test.put(&format!("{path}/nfe"), &json!({ "ambiente": 2 })).await.refused(403, "ambiente_incorreto");
    tenant.test.delete(&path).await.refused(403, "ambiente_incorreto");
    // another type of document that is not in production yet stays homologação's to configure
    tenant.test.put(&format!("{path}/nfce"), &json!({ "serie": "2" })).await.ok(200);
    tenant.live.put(&format!("{path}/nfe"), &json!({ "ambiente": 2 })).await.ok(200);
    tenant.test.put(&format!("{path}/nfe"), &json!({ "serie": "1" })).await.ok(200);
    tenant.live.delete(&path).await.ok(200);
    app.finish().await;
}

/// Production's series and numbers reveal the company's sales; its CSC is not visible to homologação either.
#[tokio::test]
async fn the_configuration_of_production_is_not_shown_to_homologacao() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let path = format!("/v1/empresas/{NUMERIC}");
    let own = json!({ "ambiente": 2, "serie": "7", "proximo_numero": 50 });
    tenant.test.put(&format!("{path}/nfe"), &own).await.ok(200);
    let nfe = json!({ "ambiente": 1, "serie": "431", "proximo_numero": 774_411 });
    tenant.live.put(&format!("{path}/nfe"), &nfe).await.ok(200);
    // of the NFC-e production's part is the only one
    let nfce = json!({ "ambiente": 1, "serie": "432", "proximo_numero": 774_412, "csc_id": "774413", "csc": "CSC-DE-PRODUCAO" });
    tenant.live.put(&format!("{path}/nfce"), &nfce).await.ok(200);
    // and of the CT-e production's lies beside the one in use
    tenant.live.put(&format!("{path}/cte"), &json!({ "ambiente": 1, "proximo_numero": 774_414 })).await.ok(200);
    tenant.live.put(&format!("{path}/cte"), &json!({ "ambiente": 2, "serie": "9" })).await.ok(200);
    let session = session(&app, &tenant).await;
    for client in [&tenant.test, &session] {
        let record = client.get(&path).await.ok(200);
        let listed = client.get("/v1/empresas").await.ok(200);
        assert_eq!(listed["empresas"][0], record);
        let changed = client.put(&format!("{path}/cte"), &json!({ "rntrc": "12345678" })).await.ok(200);
        let shown = format!("{record}{changed}");
        assert!(!["774411", "774412", "774413", "774414"].iter().any(|secret| shown.contains(secret)), "{shown}");
        assert!(record["configuracoes"]["nfe"]["producao"].is_null());
        let nfe = &record["configuracoes"]["nfe"];
        // that it is production's is no secret: changes of it are refused by that
        assert_eq!((&nfe["ambiente"], &nfe["serie"], &nfe["proximo_numero"]), (&json!(1), &json!("7"), &json!(50)));
        let nfce = &record["configuracoes"]["nfce"];
        assert_eq!(
            (&nfce["csc_configurado"], &nfce["csc_id"], &nfce["proximo_numero"]),
            (&json!(false), &Value::Null, &json!(1))
        );
        assert_eq!((&nfce["segredos_guardados"], &nfce["serie"]), (&json!([]), &json!("432")));
        assert_eq!(changed["serie"], "9");
    }
    let mut sale = body::emission(NUMERIC);
    sale["nota"].as_object_mut().unwrap().remove("destinatario");
    let refusal = tenant.test.post("/v1/nfce/emitir", &sale).await.refused(422, "empresa_sem_configuracao");
    assert!(refusal["mensagem"].as_str().unwrap().contains("homologação"), "{refusal}");
    let whole = tenant.live.get(&path).await.ok(200);
    assert_eq!(whole["configuracoes"]["nfe"]["producao"]["proximo_numero"], 774_411);
    assert_eq!(whole["configuracoes"]["nfce"]["csc_id"], "774413");
    app.finish().await;
}

#[tokio::test]
async fn a_reference_of_production_is_told_to_be_taken_and_nothing_more() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    tenant.live.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 1 })).await.ok(200);
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("PRODUCAO1");
    let first = issued(&tenant.live, &body).await;
    assert_eq!((&first["ambiente"], &first["nota"]["status"]), (&json!("producao"), &json!("autorizada")), "{first}");
    let replay = tenant.test.post("/v1/nfe/emitir", &body).await.ok(200);
    assert_eq!((&replay["idempotente"], &replay["job_id"]), (&json!(true), &first["job_id"]));
    assert_eq!(replay["avisos"][0]["codigo"], "referencia_em_outro_ambiente", "{replay}");
    assert_eq!(replay["ambiente"], "producao");
    let told = replay.to_string();
    for shown in [&first["nota"]["chave"], &first["nota"]["protocolo"], &json!("/file/xml"), &json!("valor_total")] {
        assert!(!told.contains(shown.as_str().unwrap()), "{shown} stands in {told}");
    }
    tenant.test.get(first["consulta"].as_str().unwrap()).await.refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn a_session_of_homologacao_makes_no_key_of_production() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let test = session(&app, &tenant).await;
    let asked = json!({ "ambiente": "producao" });
    test.post("/v1/auth/api-keys", &asked).await.refused(403, "ambiente_incorreto");
    let switched = test.post("/v1/auth/ambiente", &asked).await.ok(200);
    let live = crate::support::users::bearer(&app, &switched);
    assert_eq!(live.post("/v1/auth/api-keys", &asked).await.ok(201)["ambiente"], "producao");
    app.finish().await;
}
