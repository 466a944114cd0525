//! `/painel/documentos`, `/painel` and `/painel/pendencias`: lists, search, and numbers that count the same.

use fiscal::value::TpAmb;
use serde_json::{Value, json};
use store::audit::Actor;
use store::quotas::Familia;

use super::World;
use crate::support::app::issued;
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::{Browser, proof};
use crate::support::client::Answer;

/// The addresses of the documents that a page lists.
fn rows(page: &Answer) -> Vec<String> {
    let text = page.text();
    let parts = text.split("<td class=\"nome\"><a href=\"/painel/documentos/").skip(1);
    parts.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

fn id(job: &Value) -> String {
    job["job_id"].as_str().unwrap().to_owned()
}

fn rejected(xNome: &str) -> Value {
    let mut body = body::refused_with(778);
    body["nota"]["destinatario"]["xNome"] = json!(xNome);
    body
}

async fn listed(browser: &mut Browser, path: &str) -> Vec<String> {
    let page = browser.get(path).await;
    assert_eq!(page.status, 200, "{path}: {}", page.text());
    rows(&page)
}

#[tokio::test]
async fn documents_are_listed_with_their_filters() {
    let mut world = World::new().await;
    let client = world.tenant.test.clone();
    let mut first = body::emission(NUMERIC);
    first["referencia_externa"] = json!("PED1001");
    let first = issued(&client, &first).await;
    let refused = issued(&client, &rejected("João Peçanha & Cia")).await;
    let (first_id, refused_id) = (id(&first), id(&refused));
    let list = world.person.get("/painel/documentos").await;
    let text = list.text();
    assert_eq!(rows(&list), [refused_id.clone(), first_id.clone()]);
    for shown in
        ["2 documentos.", "estado autorizada", "estado rejeitada", "R$ 100,00", "529.982.247-25", "PED1001", "NF-e"]
    {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    let (numero, chave) = (&first["nota"]["numero"], first["nota"]["chave"].as_str().unwrap());
    let today = &first["criado_em"].as_str().unwrap()[..10];
    for (query, found) in [
        ("estado=autorizada".to_owned(), vec![&first_id]),
        ("estado=rejeitada".to_owned(), vec![&refused_id]),
        ("estado=erro".to_owned(), vec![]),
        ("tipo=nfe".to_owned(), vec![&refused_id, &first_id]),
        ("tipo=cte".to_owned(), vec![]),
        (format!("empresa={NUMERIC}"), vec![&refused_id, &first_id]),
        (format!("empresa={ALPHANUMERIC}"), vec![]),
        ("destinatario=529.982.247-25".to_owned(), vec![&refused_id, &first_id]),
        ("serie=1".to_owned(), vec![&refused_id, &first_id]),
        ("serie=9".to_owned(), vec![]),
        (format!("numero={numero}&estado=autorizada"), vec![&first_id]),
        (format!("de={today}&ate={today}"), vec![&refused_id, &first_id]),
        ("ate=2020-01-01".to_owned(), vec![]),
        ("referencia=PED1001".to_owned(), vec![&first_id]),
        (format!("chave={chave}"), vec![&first_id]),
        ("nome=pecanha+JOAO".to_owned(), vec![&refused_id, &first_id]),
        ("nome=maria".to_owned(), vec![&refused_id, &first_id]),
        ("nome=ninguem".to_owned(), vec![]),
    ] {
        assert_eq!(
            listed(&mut world.person, &format!("/painel/documentos?{query}")).await.iter().collect::<Vec<_>>(),
            found,
            "{query}"
        );
    }
    world.app.finish().await;
}

#[tokio::test]
async fn what_is_wrong_is_said_beside_its_field() {
    let mut world = World::new().await;
    for (query, field) in [
        ("estado=talvez", "estado"),
        ("numero=abc", "numero"),
        ("destinatario=123", "destinatario"),
        ("chave=35", "chave"),
        ("de=ontem", "de"),
        ("de=2026-02-02&ate=2026-02-01", "ate"),
        ("serie=%3Cscript%3E", "serie"),
    ] {
        let page = world.person.get(&format!("/painel/documentos?{query}")).await;
        let text = page.text();
        assert_eq!(page.status, 422, "{query}: {text}");
        assert!(
            text.contains("aria-invalid=\"true\"") && text.contains(&format!("id=\"falha-{field}\"")),
            "{query}: {text}"
        );
        assert!(!text.contains("<script>"), "{text}");
    }
    // what was typed is kept
    let page = world.person.get("/painel/documentos?numero=abc&nome=Jo%C3%A3o").await.text();
    assert!(page.contains("value=\"abc\"") && page.contains("value=\"João\""), "{page}");
    world.app.finish().await;
}

#[tokio::test]
async fn a_search_knows_what_was_typed() {
    let mut world = World::new().await;
    let mut first = body::emission(NUMERIC);
    first["referencia_externa"] = json!("PED1001");
    let job = issued(&world.tenant.test, &first).await;
    let page = format!("/painel/documentos/{}", id(&job));
    let chave = job["nota"]["chave"].as_str().unwrap();
    let spaced: String = chave
        .chars()
        .enumerate()
        .flat_map(|(at, digit)| (at > 0 && at % 4 == 0).then_some('+').into_iter().chain([digit]))
        .collect();
    for (typed, to) in [
        ("PED1001", page.clone()),
        (chave, page.clone()),
        (&spaced, page.clone()),
        (&job["nota"]["numero"].to_string(), page.clone()),
        ("999999", "/painel/documentos?numero=999999".to_owned()),
        ("529.982.247-25", "/painel/documentos?destinatario=52998224725".to_owned()),
        ("11.222.333%2F0001-81", "/painel/documentos?empresa=11222333000181".to_owned()),
        ("12.ABC.345%2F01DE-35", "/painel/documentos?destinatario=12ABC34501DE35".to_owned()),
        ("maria+da", "/painel/documentos?nome=maria+da".to_owned()),
        ("", "/painel/documentos".to_owned()),
    ] {
        let answer = world.person.get(&format!("/painel/documentos?busca={typed}")).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, to.as_str()), "{typed}");
    }
    assert_eq!(listed(&mut world.person, "/painel/documentos?nome=maria+da").await, [id(&job)]);
    // the field is on every page
    for path in ["/painel", "/painel/confirmacoes", "/painel/documentos", "/painel/pendencias/cotas"] {
        let text = world.person.get(path).await.text();
        assert!(text.contains("role=\"search\"") && text.contains("name=\"busca\""), "{path}: {text}");
    }
    world.app.finish().await;
}

#[tokio::test]
async fn pages_lead_forth_and_back() {
    let mut world = World::new().await;
    let mut made = Vec::new();
    for _ in 0..53 {
        made.push(id(&world.tenant.test.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202)));
    }
    made.sort_unstable_by(|one, other| other.cmp(one));
    let first = world.person.get("/painel/documentos?tipo=nfe").await;
    assert_eq!(rows(&first), made[..50]);
    let link = |page: &Answer, rel: &str| -> String {
        let text = page.text();
        let (_, rest) =
            text.split_once(&format!("rel=\"{rel}\" href=\"")).unwrap_or_else(|| panic!("no {rel}: {text}"));
        rest.split('"').next().unwrap().replace("&amp;", "&")
    };
    let second = world.person.get(&link(&first, "next")).await;
    assert_eq!(rows(&second), made[50..]);
    assert!(!second.text().contains("rel=\"next\""));
    let back = world.person.get(&link(&second, "prev")).await;
    assert_eq!(rows(&back), made[..50]);
    assert!(!back.text().contains("rel=\"prev\""));
    world.app.finish().await;
}

#[tokio::test]
async fn the_overview_counts_what_its_lists_show() {
    let mut world = World::new().await;
    let client = world.tenant.test.clone();
    for _ in 0..3 {
        issued(&client, &body::emission(NUMERIC)).await;
    }
    let mut refused = rejected("Ana");
    refused["nota"]["destinatario"]["CNPJCPF"] = json!("111.444.777-35");
    issued(&client, &refused).await;
    // a company without certificate: its documents fail
    client.post("/v1/empresas", &body::company(ALPHANUMERIC)).await.ok(201);
    client.put(&format!("/v1/empresas/{ALPHANUMERIC}/nfe"), &json!({ "ambiente": 2, "serie": "1" })).await.ok(200);
    for _ in 0..2 {
        issued(&client, &body::emission(ALPHANUMERIC)).await;
    }
    world.prepared().await;
    let (store, now) = (&world.app.store, world.app.clock_s());
    store.set_quota(world.tenant.id, TpAmb::Homologacao, Familia::Nfe, Some(7), &Actor::operator(), now).await.unwrap();
    let home = world.person.get("/painel").await;
    let numbers = numbers(&home);
    let entry = |part: &str| {
        let found = numbers.iter().find(|(_, what, _)| what.contains(part));
        found.unwrap_or_else(|| panic!("no {part}: {numbers:?}")).clone()
    };
    for (part, count) in [
        ("Autorizadas", 3),
        ("Rejeitadas", 1),
        ("Em andamento", 0),
        ("rejeitadas e não emitidas", 1),
        ("pararam com erro", 2),
        ("cotas", 1),
    ] {
        let (number, _, to) = entry(part);
        assert_eq!(number, count.to_string(), "{part}: {numbers:?}");
        let page = world.person.get(&to).await;
        let shown = page.text().matches("<td class=\"nome\">").count();
        assert_eq!((page.status.as_u16(), shown), (200, count), "{part}: {to} {}", page.text());
    }
    let (number, _, to) = entry("esperam a sua decisão");
    assert!(world.person.get(&to).await.text().contains(&format!("({number})")));
    // issued again, it needs nobody
    refused["nota"]["produtos"][0]["xProd"] = json!("Caderno");
    issued(&client, &refused).await;
    let home = world.person.get("/painel").await.text();
    assert!(!home.contains("rejeitadas e não emitidas"), "{home}");
    world.app.finish().await;
}

/// Number, words and address of each entry of the overview.
fn numbers(home: &Answer) -> Vec<(String, String, String)> {
    let text = home.text();
    let main = text.split_once("<main").unwrap().1;
    let entries = main.split("<li><a href=\"").skip(1).map(|rest| {
        let (to, rest) = rest.split_once('"').unwrap();
        let rest = rest.split_once("<strong>").unwrap().1;
        let (number, rest) = rest.split_once("</strong>").unwrap();
        let what = rest.split("</a>").next().unwrap();
        (number.to_owned(), what.to_owned(), to.replace("&amp;", "&"))
    });
    entries.collect()
}

#[tokio::test]
async fn certificates_and_gaps_wait_on_pages_of_their_own() {
    let mut world = World::new().await;
    for _ in 0..2 {
        issued(&world.tenant.test, &body::emission(NUMERIC)).await;
    }
    let mut ahead = body::emission(NUMERIC);
    ahead["nota"]["identificacao"]["nNF"] = json!(9);
    issued(&world.tenant.test, &ahead).await;
    let home = numbers(&world.person.get("/painel").await);
    assert!(!home.iter().any(|(_, what, _)| what.contains("certificados")), "{home:?}");
    let gaps = home.iter().find(|(_, what, _)| what.contains("números sem documento")).unwrap();
    let page = world.person.get(&gaps.2).await.text();
    assert_eq!(gaps.0, page.matches("<td class=\"nome\">").count().to_string());
    assert!(page.contains("3 a 8"), "{page}");
    let name = "<script>alert(1)</script>";
    let mut company = body::company(NUMERIC);
    company["nome_razao_social"] = json!(name);
    world.tenant.test.put(&format!("/v1/empresas/{NUMERIC}"), &company).await.ok(200);
    let upload = json!({ "certificado": pfx(&world, 20), "senha": crate::support::app::PASSWORD });
    world.tenant.test.put(&format!("/v1/empresas/{NUMERIC}/certificado"), &upload).await.ok(200);
    let home = numbers(&world.person.get("/painel").await);
    let soon = home.iter().find(|(_, what, _)| what.contains("certificados")).unwrap_or_else(|| panic!("{home:?}"));
    let page = world.person.get(&soon.2).await.text();
    assert!(
        page.contains("vence em breve") && page.contains("&lt;script&gt;") && !page.contains("<script>alert"),
        "{page}"
    );
    assert_eq!((soon.0.as_str(), page.matches("<td class=\"nome\">").count()), ("1", 1));
    world.app.finish().await;
}

fn pfx(world: &World, days: i64) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(world.app.pfx(NUMERIC, days))
}

#[tokio::test]
async fn only_the_sessions_account_and_environment_are_shown() {
    let mut world = World::new().await;
    let mut nasty = body::emission(NUMERIC);
    nasty["nota"]["destinatario"]["xNome"] = json!("<script>x</script> Silva");
    nasty["referencia_externa"] = json!("REF7");
    let job = issued(&world.tenant.test, &nasty).await;
    let stranger = world.app.issuer(ALPHANUMERIC).await;
    let (mut other, _) = Browser::of(&world.app, &stranger, "homologacao").await;
    let (mut live, _) = Browser::of(&world.app, &world.tenant, "producao").await;
    for browser in [&mut other, &mut live] {
        for query in ["", "?nome=silva", "?referencia=REF7", "?destinatario=52998224725", "?estado=autorizada"] {
            assert!(listed(browser, &format!("/painel/documentos{query}")).await.is_empty(), "{query}");
        }
        let searched = browser.get("/painel/documentos?busca=REF7").await;
        assert_eq!(searched.header("location"), "/painel/documentos?nome=REF7");
        let home = browser.get("/painel").await;
        assert!(numbers(&home).iter().all(|(number, ..)| number == "0"), "{:?}", numbers(&home));
    }
    assert_eq!(listed(&mut world.person, "/painel/documentos?nome=silva").await, [id(&job)]);
    let page = world.person.get("/painel/documentos?nome=%3Cscript%3Ex").await.text();
    assert!(!page.contains("<script>x") && page.contains("&lt;script&gt;x"), "{page}");
    for path in ["/painel/documentos", "/painel/documentos?busca=x", "/painel/pendencias/lacunas"] {
        let led = Browser::new(&world.app).get(path).await;
        assert_eq!((led.status.as_u16(), led.header("location")), (303, "/painel/entrar"), "{path}");
    }
    assert_eq!(world.person.get("/painel/pendencias/nada").await.status, 404);
    // a list is no form that changes anything: nothing is sent to it
    let proof = proof(&world.person.get("/painel").await);
    let sent = world.person.post("/painel/documentos", &[("prova", &proof)]).await;
    assert_eq!(sent.status, 405, "{}", sent.text());
    world.app.finish().await;
}
