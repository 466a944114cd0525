//! `/painel/emails` and `/v1/emails`: choices, the queue of a document, resend, the block list, alerts; and everything
//! that must not work. `xtask/src/test/interface/mail.py` drives a real SMTP server.

use super::World;
use crate::support::app::{TestApp, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::{Browser, proof};
use crate::support::client::Answer;
use engine::mail::{MailSettings, SmtpTls};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const PATH: &str = "/painel/emails";
const CHOICE: &str = "/painel/emails/empresa";

/// A server at a free port, which refuses every connection.
fn unreachable() -> MailSettings {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    MailSettings {
        host: "127.0.0.1".to_owned(),
        port,
        tls: SmtpTls::Absent,
        login: None,
        from: "notas@exemplo.com.br".to_owned(),
        from_name: None,
        timeout: Duration::from_secs(2),
        per_minute: 6_000,
        per_minute_of_account: 6_000,
        extra_anchors_pem: None,
        panel_url: None,
    }
}

async fn world() -> World {
    World::with(TestApp::start_with(|parts| parts.mail = Some(unreachable())).await).await
}

async fn submit(person: &mut Browser, page: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    let proof = proof(&person.get(page).await);
    let mut all = vec![("prova", proof.as_str())];
    all.extend(fields);
    person.post(path, &all).await
}

async fn choose(person: &mut Browser, fields: &[(&str, &str)]) -> Answer {
    let mut all = vec![("empresa", NUMERIC), ("tipo", "nfe"), ("enviar", "sim")];
    all.extend(fields);
    submit(person, CHOICE, CHOICE, &all).await
}

/// The only mail of a document once it was attempted.
async fn attempted(world: &World, job: &str) -> Value {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let list = world.tenant.test.get(&format!("/v1/emails?job_id={job}")).await.ok(200);
        if let Some(mail) = list["emails"].as_array().unwrap().iter().find(|mail| mail["tentativas"] != 0) {
            return mail.clone();
        }
        assert!(Instant::now() < deadline, "{list}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn an_authorised_document_is_queued_by_its_companys_choice() {
    let mut world = world().await;
    let before = issued(&world.tenant.test, &body::emission(NUMERIC)).await;
    let chosen = choose(&mut world.person, &[("sempre_para", "teste@exemplo.com.br")]).await;
    assert_eq!(chosen.status.as_u16(), 303, "{}", chosen.text());
    let page = world.person.get(&format!("{CHOICE}?empresa={NUMERIC}")).await.text();
    assert!(page.contains("value=\"teste@exemplo.com.br\"") && page.contains("checked"), "{page}");

    let note = issued(&world.tenant.test, &body::emission(NUMERIC)).await;
    let job = note["job_id"].as_str().unwrap();
    let mail = attempted(&world, job).await;
    assert_eq!(
        (&mail["status"], &mail["tipo"], &mail["para"]),
        (&json!("pendente"), &json!("nota"), &json!("teste@exemplo.com.br"))
    );
    let id = mail["email_id"].as_str().unwrap();
    let detail = world.tenant.test.get(&format!("/v1/emails/{id}")).await.ok(200);
    assert_eq!(detail["historico"][0]["etapa"], "conexão", "{detail}");
    // what was issued before the choice has none
    let none =
        world.tenant.test.get(&format!("/v1/emails?job_id={}", before["job_id"].as_str().unwrap())).await.ok(200);
    assert_eq!(none["emails"], json!([]));

    // the log, the mail, the document's page
    let log = world.person.get(PATH).await.text();
    assert!(log.contains(id) && log.contains("teste@exemplo.com.br") && log.contains("[TESTE] NF-e nº"), "{log}");
    let shown = world.person.get(&format!("{PATH}/{id}")).await.text();
    assert!(shown.contains("conexão") && shown.contains("Próxima tentativa"), "{shown}");
    let document = world.person.get(&format!("/painel/documentos/{job}")).await.text();
    assert!(document.contains(&format!("{PATH}/{id}")) && document.contains("Enviar por e-mail"), "{document}");

    // one that waits is not sent again by hand
    assert_eq!(world.tenant.test.post(&format!("/v1/emails/{id}/reenviar"), &json!({})).await.status.as_u16(), 409);

    // others see none of it
    let other = world.app.issuer(ALPHANUMERIC).await;
    let (mut stranger, _) = Browser::of(&world.app, &other, "homologacao").await;
    let (mut production, _) = Browser::of(&world.app, &world.tenant, "producao").await;
    for visitor in [&mut stranger, &mut production] {
        assert_eq!(visitor.get(&format!("{PATH}/{id}")).await.status.as_u16(), 404);
        assert!(!visitor.get(PATH).await.text().contains(id));
        let sent = submit(visitor, CHOICE, &format!("{PATH}/{id}/reenviar"), &[]).await;
        assert_eq!(sent.status.as_u16(), 404);
    }
    // a session of production sees the documents of both environments, one of another account none
    let sent = submit(&mut stranger, CHOICE, &format!("/painel/documentos/{job}/email"), &[("para", "a@b.com")]).await;
    assert_eq!(sent.status.as_u16(), 404);
    assert_eq!(choose(&mut stranger, &[("sempre_para", "a@b.com")]).await.status.as_u16(), 404);
    assert_eq!(other.test.get(&format!("/v1/emails/{id}")).await.status.as_u16(), 404);
    world.app.finish().await;
}

#[tokio::test]
async fn a_block_stops_a_mail_and_its_removal_lets_it_out() {
    let mut world = world().await;
    let blocks = format!("{PATH}/bloqueios");
    let listed = submit(&mut world.person, &blocks, &blocks, &[("endereco", "Fora@Exemplo.com.br")]).await;
    assert_eq!(listed.status.as_u16(), 303, "{}", listed.text());
    assert!(world.person.get(&blocks).await.text().contains("fora@exemplo.com.br"));
    let note = issued(&world.tenant.test, &body::emission(NUMERIC)).await;
    let job = note["job_id"].as_str().unwrap();
    let path = format!("/v1/notas/{job}/email");
    world.tenant.test.post(&path, &json!({ "email": "fora@exemplo.com.br" })).await.ok(202);
    let mail = attempted(&world, job).await;
    assert_eq!(mail["status"], "bloqueado", "{mail}");
    let id = mail["email_id"].as_str().unwrap().to_owned();
    let freed =
        submit(&mut world.person, &blocks, &format!("{blocks}/remover"), &[("endereco", "fora@exemplo.com.br")]).await;
    assert_eq!(freed.status.as_u16(), 303);
    let one = format!("{PATH}/{id}");
    let sent = submit(&mut world.person, &one, &format!("{one}/reenviar"), &[("para", "")]).await;
    assert_eq!((sent.status.as_u16(), sent.header("location")), (303, one.as_str()), "{}", sent.text());
    let deadline = Instant::now() + Duration::from_secs(60);
    while world.tenant.test.get(&format!("/v1/emails/{id}")).await.ok(200)["tentativas"] != 2 {
        assert!(Instant::now() < deadline);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    // the account's list is no other's
    let other = world.app.issuer(ALPHANUMERIC).await;
    let (mut stranger, _) = Browser::of(&world.app, &other, "homologacao").await;
    assert!(stranger.get(&blocks).await.text().contains("Nenhum endereço bloqueado"));
    world.app.finish().await;
}

#[tokio::test]
async fn what_is_wrong_stands_beside_its_field() {
    let mut world = world().await;
    for wrong in ["a@b.com\r\nBcc: x@y.com", "sem-arroba", "<script>alert(1)</script>@b.com"] {
        for (page, path, field, fault) in [
            (CHOICE, CHOICE, "sempre_para", "falha-nfe-sempre_para"),
            (CHOICE, CHOICE, "copia_para", "falha-nfe-copia_para"),
            (CHOICE, "/painel/emails/teste", "para", "falha-teste"),
            ("/painel/emails/bloqueios", "/painel/emails/bloqueios", "endereco", "falha-endereco"),
        ] {
            let fields = [("empresa", NUMERIC), ("tipo", "nfe"), (field, wrong)];
            let sent = submit(&mut world.person, page, path, &fields).await;
            let text = sent.text();
            assert_eq!(sent.status.as_u16(), 422, "{text}");
            assert!(text.contains(&format!("id=\"{fault}\"")) && text.contains("aria-invalid=\"true\""), "{text}");
            assert!(!text.contains("<script>alert"), "{text}");
        }
    }
    // in homologation no document goes to its addressee
    let sent = choose(&mut world.person, &[]).await;
    assert!(sent.status.as_u16() == 422 && sent.text().contains("falha-nfe-sempre_para"), "{}", sent.text());
    let note = issued(&world.tenant.test, &body::emission(NUMERIC)).await;
    let path = format!("/v1/notas/{}/email", note["job_id"].as_str().unwrap());
    let refused = world.tenant.test.post(&path, &json!({})).await;
    assert!(refused.status.as_u16() == 422 && refused.text().contains("homologação"), "{}", refused.text());
    let refused = world.tenant.test.post(&path, &json!({ "email": "a@b.com\nBcc: x@y.com" })).await;
    assert_eq!(refused.status.as_u16(), 422, "{}", refused.text());
    // one that waits is not ordered again
    world.tenant.test.post(&path, &json!({ "email": "a@b.com" })).await.ok(202);
    let twice = world.tenant.test.post(&path, &json!({ "email": "a@b.com" })).await;
    assert!(twice.status.as_u16() == 409 && twice.text().contains("na fila"), "{}", twice.text());
    // from elsewhere, without a proof, without a session
    let proof = proof(&world.person.get(CHOICE).await);
    for path in [CHOICE, "/painel/emails/teste", "/painel/emails/bloqueios", "/painel/emails/avisos"] {
        let foreign = world.person.post_from(Some("https://outro.exemplo"), path, &[("prova", &proof)]).await;
        assert_eq!(foreign.status.as_u16(), 403, "{path}");
        assert_eq!(world.person.post(path, &[("para", "a@b.com")]).await.status.as_u16(), 403, "{path}");
    }
    let mut nobody = Browser::new(&world.app);
    for path in [PATH, CHOICE, "/painel/emails/bloqueios", "/painel/emails/avisos", "/painel/emails/x"] {
        let answer = nobody.get(path).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/painel/entrar"), "{path}");
    }
    world.app.finish().await;
}

#[tokio::test]
async fn stored_texts_are_shown_as_text() {
    let mut world = world().await;
    let nasty = "<script>alert(1)</script>\"'><img src=x>";
    let path = format!("/v1/empresas/{NUMERIC}");
    world.tenant.test.put(&path, &json!({ "nome_razao_social": nasty })).await.ok(200);
    choose(&mut world.person, &[("sempre_para", "teste@exemplo.com.br")]).await;
    let note = issued(&world.tenant.test, &body::emission(NUMERIC)).await;
    let job = note["job_id"].as_str().unwrap();
    let mail = attempted(&world, job).await;
    assert!(mail["assunto"].as_str().unwrap().contains("<script>"), "{mail}");
    let (by, now) = (store::audit::Actor::operator(), world.app.clock_s());
    let (store, tenant) = (&world.app.store, world.tenant.id);
    store.block_address(tenant, "fora@exemplo.com.br", nasty.to_owned(), &by, now).await.unwrap();
    let one = format!("{PATH}/{}", mail["email_id"].as_str().unwrap());
    for page in [PATH, &one, &format!("/painel/documentos/{job}"), &format!("{PATH}/bloqueios"), CHOICE] {
        let text = world.person.get(page).await.text();
        assert!(!text.contains("<script>alert") && !text.contains("<img src=x"), "{page}: {text}");
    }
    assert!(world.person.get(&one).await.text().contains("&lt;script&gt;alert(1)"), "the subject is shown");
    world.app.finish().await;
}

#[tokio::test]
async fn a_user_asks_for_alerts_of_an_environment() {
    let mut world = world().await;
    let path = format!("{PATH}/avisos");
    let sent = submit(&mut world.person, &path, &path, &[("certificado.expirado", "sim"), ("outro", "sim")]).await;
    assert_eq!(sent.status.as_u16(), 303);
    let page = world.person.get(&path).await.text();
    assert!(page.contains("name=\"certificado.expirado\" value=\"sim\" checked"), "{page}");
    assert_eq!(page.matches(" checked").count(), 1, "{page}");
    let (mut production, _) = Browser::of(&world.app, &world.tenant, "producao").await;
    assert!(!production.get(&path).await.text().contains(" checked"));
    world.app.finish().await;
}

#[tokio::test]
async fn a_service_without_a_server_queues_nothing() {
    let mut world = World::new().await;
    assert!(world.person.get(PATH).await.text().contains("desligado nesta instalação"));
    let sent = choose(&mut world.person, &[("sempre_para", "a@b.com")]).await;
    assert!(sent.status.as_u16() == 422 && sent.text().contains("falha-nfe-enviar"), "{}", sent.text());
    let note = issued(&world.tenant.test, &body::emission(NUMERIC)).await;
    let path = format!("/v1/notas/{}/email", note["job_id"].as_str().unwrap());
    assert_eq!(world.tenant.test.post(&path, &json!({ "email": "a@b.com" })).await.status.as_u16(), 409);
    assert_eq!(world.tenant.test.get("/v1/emails").await.ok(200)["emails"], json!([]));
    world.app.finish().await;
}
