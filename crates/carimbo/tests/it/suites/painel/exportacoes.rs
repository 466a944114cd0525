//! `/painel/exportacoes`: the form, the list and the file of a person.

use super::World;
use crate::support::app::issued;
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::{Browser, proof};

const PATH: &str = "/painel/exportacoes";

/// The month now, of the service's clock.
fn month(world: &World) -> String {
    let at = jiff::Timestamp::from_second(world.app.clock_s() - 3 * 3_600).unwrap();
    at.to_string()[..7].to_owned()
}

#[tokio::test]
async fn a_person_prepares_downloads_and_removes_a_month() {
    let mut world = World::new().await;
    let record = serde_json::json!({ "cpf_cnpj": ALPHANUMERIC, "nome_razao_social": "<script>alert(1)</script>" });
    world.tenant.test.post("/v1/empresas", &record).await.ok(201);
    issued(&world.tenant.test, &body::emission(NUMERIC)).await;
    let page = world.person.get(PATH).await;
    let company = "<option value=\"11222333000181\">Papelaria de Teste Ltda";
    assert!(page.text().contains(company), "{}", page.text());
    assert!(page.text().contains("Nenhum arquivo ainda") && !page.text().contains("<script>alert"), "{}", page.text());
    let month = month(&world);
    let fields =
        [("prova", proof(&page)), ("empresa", NUMERIC.to_owned()), ("mes", month), ("pdf", "separados".to_owned())];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let sent = world.person.post(PATH, &fields).await;
    assert_eq!((sent.status.as_u16(), sent.header("location")), (303, PATH), "{}", sent.text());
    let page = world.person.page_when(PATH, ">Pronto<").await;
    let (_, rest) = page.split_once(&format!("href=\"{PATH}/")).unwrap();
    let id = rest.split('/').next().unwrap().to_owned();
    let path = format!("{PATH}/{id}/arquivo");
    let file = world.person.get(&path).await;
    assert_eq!((file.status.as_u16(), file.header("content-type")), (200, "application/zip"));
    assert!(file.bytes.starts_with(b"PK"));

    // nobody else's
    let other = world.app.issuer(ALPHANUMERIC).await;
    let (mut stranger, _) = Browser::of(&world.app, &other, "homologacao").await;
    let (mut production, _) = Browser::of(&world.app, &world.tenant, "producao").await;
    for visitor in [&mut stranger, &mut production] {
        assert_eq!(visitor.get(&path).await.status.as_u16(), 404);
        let page = visitor.get(PATH).await;
        assert!(!page.text().contains(&id), "{}", page.text());
        let remove = [("prova", proof(&page))];
        let remove: Vec<(&str, &str)> = remove.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(visitor.post(&format!("{PATH}/{id}/apagar"), &remove).await.status.as_u16(), 404);
    }
    let page = world.person.get(PATH).await;
    let removed = world.person.post(&format!("{PATH}/{id}/apagar"), &[("prova", &proof(&page))]).await;
    assert_eq!(removed.status.as_u16(), 303);
    assert_eq!(world.person.get(&path).await.status.as_u16(), 404);
    world.app.finish().await;
}

#[tokio::test]
async fn a_wrong_form_says_so_beside_its_field() {
    let mut world = World::new().await;
    let page = world.person.get(PATH).await;
    let proof = proof(&page);
    for (empresa, mes, field) in [
        (NUMERIC, "2026-13", "falha-mes"),
        ("<script>", "2026-11", "falha-empresa"),
        (ALPHANUMERIC, "2026-11", "falha-empresa"),
    ] {
        let sent =
            world.person.post(PATH, &[("prova", &proof), ("empresa", empresa), ("mes", mes), ("pdf", "juntos")]).await;
        let text = sent.text();
        assert_eq!(sent.status.as_u16(), 422, "{text}");
        assert!(
            text.contains(&format!("id=\"{field}\""))
                && text.contains("aria-invalid=\"true\"")
                && text.contains("value=\"juntos\" selected"),
            "{text}"
        );
        assert!(!text.contains("<script>\""), "{text}");
    }
    // without its proof, from elsewhere, without a session
    assert_eq!(world.person.post(PATH, &[("empresa", NUMERIC), ("mes", "2026-11")]).await.status.as_u16(), 403);
    let foreign =
        world.person.post_from(Some("https://outro.exemplo"), PATH, &[("prova", &proof), ("empresa", NUMERIC)]).await;
    assert_eq!(foreign.status.as_u16(), 403);
    let mut nobody = Browser::new(&world.app);
    for path in [PATH.to_owned(), format!("{PATH}/{}/arquivo", uuid::Uuid::nil())] {
        let answer = nobody.get(&path).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/painel/entrar"), "{path}");
    }
    world.app.finish().await;
}
