//! `/painel/empresas/{cpf_cnpj}/certificado`: shown before it is kept, and everything that is refused.

use std::path::Path;

use super::World;
use crate::suites::empresas::certificado::mac_only;
use crate::support::app::PASSWORD;
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::{Browser, proof};
use crate::support::client::Answer;

/// A company of the tenant without certificate: a branch.
const BRANCH: &str = "11222333000262";
const OTHER_ROOT: &str = "12345678000195";

fn path(company: &str) -> String {
    format!("/painel/empresas/{company}/certificado")
}

async fn world() -> World {
    let world = World::new().await;
    world.tenant.test.post("/v1/empresas", &body::company(BRANCH)).await.ok(201);
    world
}

async fn send(person: &mut Browser, company: &str, pfx: &[u8], senha: &str) -> Answer {
    let proof = proof(&person.get("/painel").await);
    let parts =
        [("prova", "", proof.as_bytes()), ("certificado", "<script>.pfx", pfx), ("senha", "", senha.as_bytes())];
    person.upload(&path(company), &parts).await
}

async fn status(world: &World, company: &str) -> String {
    let record = world.tenant.test.get(&format!("/v1/empresas/{company}")).await.ok(200);
    record["certificado"]["status"].as_str().unwrap().to_owned()
}

/// True when a file below a folder has these bytes.
fn is_on_disk(folder: &Path, wanted: &[u8]) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => is_on_disk(&path, wanted),
            false => std::fs::read(&path).unwrap().windows(wanted.len()).any(|window| window == wanted),
        }
    })
}

#[tokio::test]
async fn a_certificate_is_shown_then_kept_and_never_written_plainly() {
    let mut world = world().await;
    let pfx = world.app.pfx(NUMERIC, 365);
    let sent = send(&mut world.person, BRANCH, &pfx, PASSWORD).await;
    assert_eq!(sent.status.as_u16(), 303, "{}", sent.text());
    let offer = sent.header("location").to_owned();
    assert!(!offer.contains(PASSWORD));
    assert_eq!(status(&world, BRANCH).await, "sem_certificado", "nothing is in use before the confirmation");
    let page = world.person.get(&offer).await;
    let text = page.text();
    for shown in ["Papelaria de Teste Ltda", "11.222.333/0001-81", "Emitido por", "Vale até", "Guardar o certificado"]
    {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    assert!(!text.contains(PASSWORD), "{text}");
    assert!(!is_on_disk(&world.app.dir, PASSWORD.as_bytes()), "the password is on the disk");
    assert!(!is_on_disk(&world.app.dir, &pfx[200..232]), "the file is on the disk");

    // of another user of the account, of another company, another account's
    let (mut colleague, _) = Browser::of(&world.app, &world.tenant, "homologacao").await;
    let stranger = world.app.issuer(ALPHANUMERIC).await;
    let (mut stranger, _) = Browser::of(&world.app, &stranger, "homologacao").await;
    let elsewhere = offer.replace(BRANCH, NUMERIC);
    for (browser, address) in
        [(&mut colleague, &offer), (&mut stranger, &offer), (&mut world.person.clone(), &elsewhere)]
    {
        assert_eq!(browser.get(address).await.status.as_u16(), 404);
        let proof = proof(&browser.get("/painel").await);
        assert_eq!(browser.post(address, &[("prova", &proof)]).await.status.as_u16(), 404);
    }
    assert_eq!(status(&world, BRANCH).await, "sem_certificado");

    let kept = world.person.post(&offer, &[("prova", &proof(&page))]).await;
    assert_eq!((kept.status.as_u16(), kept.header("location")), (303, path(BRANCH).as_str()), "{}", kept.text());
    assert_eq!(status(&world, BRANCH).await, "valido");
    let again = world.person.post(&offer, &[("prova", &proof(&page))]).await;
    assert_eq!(again.status.as_u16(), 404, "an offer is kept once");
    let trail =
        world.app.store.audit_trail(world.tenant.id, store::audit::AuditFilter::default(), 100, 0).await.unwrap().0;
    let act = trail.iter().find(|act| act.ato == "certificado_enviado" && act.alvo == BRANCH).unwrap();
    assert_eq!(act.ator_nome.as_deref(), Some(world.email.as_str()));
    // and it signs
    let opened =
        world.app.store.open_certificate(world.tenant.id, fiscal::value::CnpjCpf::parse(BRANCH).unwrap()).await;
    assert_eq!(opened.unwrap().pfx.as_slice(), pfx);
    world.app.finish().await;
}

#[tokio::test]
async fn an_offer_ends_with_its_time_and_with_the_next_one() {
    let mut world = world().await;
    let pfx = world.app.pfx(NUMERIC, 365);
    let first = send(&mut world.person, BRANCH, &pfx, PASSWORD).await.header("location").to_owned();
    let second = send(&mut world.person, BRANCH, &pfx, PASSWORD).await.header("location").to_owned();
    assert_eq!(world.person.get(&first).await.status.as_u16(), 404);
    let page = world.person.get(&second).await;
    assert_eq!(page.status.as_u16(), 200);
    world.app.clock.forward(601);
    assert_eq!(world.person.get(&second).await.status.as_u16(), 404);
    let kept = world.person.post(&second, &[("prova", &proof(&page))]).await;
    assert_eq!(kept.status.as_u16(), 404, "{}", kept.text());
    assert_eq!(status(&world, BRANCH).await, "sem_certificado");
    world.app.finish().await;
}

#[tokio::test]
async fn an_offer_survives_a_restart_and_is_wiped_when_its_time_is_over() {
    let mut world = world().await;
    let pfx = world.app.pfx(NUMERIC, 365);
    let offer = send(&mut world.person, BRANCH, &pfx, PASSWORD).await.header("location").to_owned();
    let page = world.person.get(&offer).await.text();
    let serial = page.split_once("<code>").unwrap().1.split('<').next().unwrap().to_owned();
    assert!(serial.len() >= 8 && world.app.dump().await.contains(&serial), "{serial}");
    world.app.restart(async |_| {}, |_| {}).await;
    let page = world.person.get(&offer).await;
    assert!(page.status.as_u16() == 200 && page.text().contains(&serial), "{}", page.text());
    // nobody confirms: the worker's next round erases it
    world.app.forward(601).await;
    world.app.restart(async |_| {}, |_| {}).await;
    for round in 0.. {
        if !world.app.dump().await.contains(&serial) {
            break;
        }
        assert!(round < 300, "an offer that ended is still in the database");
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    // confirmed after a restart, it signs
    let offer = send(&mut world.person, BRANCH, &pfx, PASSWORD).await.header("location").to_owned();
    world.app.restart(async |_| {}, |_| {}).await;
    let page = world.person.get(&offer).await;
    let kept = world.person.post(&offer, &[("prova", &proof(&page)), ("acao", "guardar")]).await;
    assert_eq!(kept.status.as_u16(), 303, "{}", kept.text());
    assert_eq!(status(&world, BRANCH).await, "valido");
    let issued = crate::support::app::issued(&world.tenant.test, &body::emission(NUMERIC)).await;
    assert_eq!(issued["nota"]["status"], "autorizada", "{issued}");
    world.app.finish().await;
}

#[tokio::test]
async fn an_unwanted_offer_is_erased_by_its_user_alone() {
    let mut world = world().await;
    let pfx = world.app.pfx(NUMERIC, 365);
    let offer = send(&mut world.person, BRANCH, &pfx, PASSWORD).await.header("location").to_owned();
    let page = world.person.get(&offer).await;
    let serial = page.text().split_once("<code>").unwrap().1.split('<').next().unwrap().to_owned();
    let (mut colleague, _) = Browser::of(&world.app, &world.tenant, "homologacao").await;
    let theirs = proof(&colleague.get("/painel").await);
    colleague.post(&offer, &[("prova", &theirs), ("acao", "esquecer")]).await;
    assert_eq!(world.person.get(&offer).await.status.as_u16(), 200, "a colleague erased it");
    let gone = world.person.post(&offer, &[("prova", &proof(&page)), ("acao", "esquecer")]).await;
    assert_eq!((gone.status.as_u16(), gone.header("location")), (303, path(BRANCH).as_str()), "{}", gone.text());
    assert_eq!(world.person.get(&offer).await.status.as_u16(), 404);
    assert!(!world.app.dump().await.contains(&serial));
    assert_eq!(status(&world, BRANCH).await, "sem_certificado");
    world.app.finish().await;
}

#[tokio::test]
async fn of_two_confirmations_at_once_one_keeps_the_certificate() {
    let mut world = world().await;
    let pfx = world.app.pfx(NUMERIC, 365);
    let offer = send(&mut world.person, BRANCH, &pfx, PASSWORD).await.header("location").to_owned();
    let proof = proof(&world.person.get(&offer).await);
    let (mut one, mut other) = (world.person.clone(), world.person.clone());
    let fields = [("prova", proof.as_str()), ("acao", "guardar")];
    let (one, other) = tokio::join!(one.post(&offer, &fields), other.post(&offer, &fields));
    let mut answers = [one.status.as_u16(), other.status.as_u16()];
    answers.sort_unstable();
    assert_eq!(answers, [303, 404], "{} {}", one.text(), other.text());
    let trail =
        world.app.store.audit_trail(world.tenant.id, store::audit::AuditFilter::default(), 100, 0).await.unwrap().0;
    let acts = trail.iter().filter(|act| act.ato == "certificado_enviado" && act.alvo == BRANCH).count();
    assert_eq!((acts, status(&world, BRANCH).await.as_str()), (1, "valido"));
    world.app.finish().await;
}

#[tokio::test]
async fn a_file_that_asks_for_two_thousand_million_rounds_is_refused_at_once() {
    let mut world = world().await;
    let begun = std::time::Instant::now();
    let answer = send(&mut world.person, BRANCH, &mac_only(u32::MAX >> 1), PASSWORD).await;
    let text = answer.text();
    assert_eq!(answer.status.as_u16(), 422, "{text}");
    assert!(text.contains("id=\"falha-certificado\"") && text.contains("exporte-o de novo"), "{text}");
    // obeying the file's iteration count would take half an hour of a core
    assert!(begun.elapsed() < std::time::Duration::from_secs(30), "{:?}", begun.elapsed());
    world.app.finish().await;
}

#[tokio::test]
async fn what_cannot_be_used_is_explained_beside_its_field() {
    let mut world = world().await;
    let good = world.app.pfx(NUMERIC, 365);
    let expired = world.app.pfx(NUMERIC, -1);
    let foreign = world.app.pfx(OTHER_ROOT, 365);
    let long = vec![b'x'; 300 << 10];
    for (pfx, senha, status, field, words) in [
        (good.as_slice(), "s3nha-que-nao-e", 422, "falha-senha", "a senha do certificado não confere"),
        (b"isto nao e um pfx", PASSWORD, 422, "falha-certificado", "não é um PKCS#12"),
        (b"", PASSWORD, 422, "falha-certificado", "Escolha o arquivo"),
        (&expired, PASSWORD, 422, "falha-certificado", "já venceu"),
        (&foreign, PASSWORD, 422, "falha-certificado", "não é desta empresa"),
        (&long, PASSWORD, 413, "falha-certificado", "limite é de 256 KB"),
    ] {
        let answer = send(&mut world.person, BRANCH, pfx, senha).await;
        let text = answer.text();
        assert_eq!(answer.status.as_u16(), status, "{text}");
        assert!(text.contains(&format!("id=\"{field}\"")) && text.contains(words), "{words}: {text}");
        assert!(text.contains("aria-invalid=\"true\"") && text.contains("Nada foi guardado"), "{text}");
        assert!(!text.contains(PASSWORD) && !text.contains("s3nha-que-nao-e") && !text.contains("<script>."), "{text}");
    }
    // the holder of a foreign or expired certificate is shown, and there is nothing to confirm
    let shown = send(&mut world.person, BRANCH, &foreign, PASSWORD).await.text();
    assert!(shown.contains("12.345.678/0001-95") && !shown.contains("Guardar o certificado"), "{shown}");
    assert_eq!(self::status(&world, BRANCH).await, "sem_certificado");
    world.app.finish().await;
}

#[tokio::test]
async fn ten_megabytes_are_answered_and_not_kept() {
    let mut world = world().await;
    let answer = send(&mut world.person, BRANCH, &vec![b'x'; 10 << 20], PASSWORD).await;
    assert_eq!(answer.status.as_u16(), 413, "{}", answer.text());
    assert!(answer.text().contains("id=\"falha-certificado\""), "{}", answer.text());
    world.app.finish().await;
}

#[tokio::test]
async fn an_upload_without_its_proof_does_nothing() {
    let mut world = world().await;
    let pfx = world.app.pfx(NUMERIC, 365);
    let form = [("certificado", "a.pfx", pfx.as_slice()), ("senha", "", PASSWORD.as_bytes())];
    assert_eq!(world.person.upload(&path(BRANCH), &form).await.status.as_u16(), 403);
    let mine = proof(&world.person.get("/painel").await);
    let (mut colleague, _) = Browser::of(&world.app, &world.tenant, "homologacao").await;
    let theirs = proof(&colleague.get("/painel").await);
    let with = |proof: &'static str| [("prova", "", proof.as_bytes()), form[0], form[1]];
    let wrong = world.person.upload(&path(BRANCH), &with(theirs.leak())).await;
    assert_eq!(wrong.status.as_u16(), 403);
    let foreign = with(mine.leak());
    let elsewhere = world.person.upload_from("https://outro.exemplo", &path(BRANCH), &foreign).await;
    assert_eq!(elsewhere.status.as_u16(), 403);
    let mut nobody = Browser::new(&world.app);
    assert_eq!(nobody.upload(&path(BRANCH), &foreign).await.header("location"), "/painel/entrar");
    assert_eq!(world.person.upload(&path(OTHER_ROOT), &foreign).await.status.as_u16(), 404);
    let urlencoded = world.person.post(&path(BRANCH), &[("prova", "x")]).await;
    assert_eq!(urlencoded.status.as_u16(), 415);
    assert_eq!(status(&world, BRANCH).await, "sem_certificado");
    world.app.finish().await;
}
