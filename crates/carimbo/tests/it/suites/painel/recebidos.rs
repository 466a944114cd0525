//! `/painel/recebidos`: the inbox, a received document, its manifestation, and the search at the authorities.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp, ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::{Browser, proof};
use crate::support::client::Answer;
use crate::support::received::chave;

const PATH: &str = "/painel/recebidos";
const SEARCHES: &str = "/painel/recebidos/buscas";
const SYNC: &str = "/v1/nfe/recebidas/sincronizar";

/// An issuer, a recipient in another account, and a person of the recipient.
struct Scene {
    app: TestApp,
    issuer: Tenant,
    receiver: Tenant,
    person: Browser,
}

impl Scene {
    async fn start() -> Scene {
        let app = TestApp::start().await;
        let (issuer, receiver) = (app.issuer(NUMERIC).await, app.issuer(ALPHANUMERIC).await);
        let (person, _) = Browser::of(&app, &receiver, "homologacao").await;
        Scene { app, issuer, receiver, person }
    }

    /// Issues a note to the recipient; returns its key.
    async fn issue(&self) -> String {
        let mut body = body::emission(NUMERIC);
        body["nota"]["destinatario"]["CNPJCPF"] = json!(ALPHANUMERIC);
        let job = issued(&self.issuer.test, &body).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{job}");
        chave(&job["nota"])
    }

    /// Issues a note and lets the recipient find it by its key.
    async fn receive(&self) -> String {
        let chave = self.issue().await;
        let point = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": chave });
        self.receiver.test.post(SYNC, &point).await.ok(200);
        chave
    }

    async fn submit(&mut self, page: &str, to: &str, fields: &[(&str, &str)]) -> Answer {
        let proof = proof(&self.person.get(page).await);
        let mut all = vec![("prova", proof.as_str())];
        all.extend(fields);
        self.person.post(to, &all).await
    }

    /// The page once the order that it follows has ended.
    async fn settled(&mut self, address: &str) -> String {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let page = self.person.get(address).await.text();
            if !page.contains("data-vivo") {
                return page;
            }
            assert!(Instant::now() < deadline, "{page}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

fn page_of(chave: &str) -> String {
    format!("{PATH}/{ALPHANUMERIC}/{chave}")
}

#[tokio::test]
async fn a_person_receives_reads_and_manifests() {
    let mut scene = Scene::start().await;
    let empty = scene.person.get(PATH).await.text();
    assert!(empty.contains("Nada chegou ainda") && empty.contains(SEARCHES), "{empty}");
    let chave = scene.issue().await;
    // the search says what it found, and then when it may be repeated
    let fields = [("empresa", ALPHANUMERIC), ("tipo", "nfe"), ("acao", "buscar")];
    let found = scene.submit(SEARCHES, SEARCHES, &fields).await;
    assert_eq!(found.status.as_u16(), 303, "{}", found.text());
    let told = scene.person.get(found.header("location")).await.text();
    assert!(told.contains("chegou 1 documento novo") && told.contains("Nova busca a partir de"), "{told}");
    let again = scene.submit(SEARCHES, SEARCHES, &fields).await;
    assert!(again.status == 429 && again.text().contains("só a partir de"), "{}", again.text());

    let list = scene.person.get(PATH).await.text();
    let here = page_of(&chave);
    for shown in
        [here.as_str(), "Papelaria de Teste Ltda", "R$ 100,00", "só o resumo", "restam ", "1 documento novo", ">novo<"]
    {
        assert!(list.contains(shown), "{shown}: {list}");
    }
    let page = scene.person.get(&here).await.text();
    for shown in [
        "só chegou o resumo",
        "Ciência da operação",
        "Confirmação da operação",
        "90 dias",
        "10 dias",
        "R$ 100,00",
        NUMERIC_MASKED,
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(!page.contains("<iframe") && !page.contains("Buscar o arquivo inteiro"), "{page}");
    assert_eq!(scene.person.get(&format!("{here}/pdf")).await.status, 404);
    let xml = scene.person.get(&format!("{here}/xml")).await;
    assert!(xml.header("content-disposition").contains("-resNFe.xml") && xml.text().contains("<resNFe"));

    // the "ciência" releases the whole note
    let act = format!("{here}/manifestar/ciencia");
    let sent = scene.submit(&act, &act, &[]).await;
    assert_eq!(sent.status.as_u16(), 303, "{}", sent.text());
    let order = sent.header("location").trim_end_matches("#resultado").to_owned();
    assert!(order.starts_with(&format!("{here}?pedido=")), "{order}");
    let page = scene.settled(&order).await;
    assert!(
        page.contains("registrado") && page.contains("ciência") && page.contains("Buscar o arquivo inteiro"),
        "{page}"
    );
    assert!(!page.contains("Abrir: Ciência"), "{page}");
    let fetched = scene.submit(&here, &format!("{here}/buscar"), &[]).await;
    assert_eq!((fetched.status.as_u16(), fetched.header("location")), (303, here.as_str()), "{}", fetched.text());
    let page = scene.person.get(&here).await.text();
    for shown in ["Caderno 96 folhas", "<iframe", "Baixar o XML", "Itens (1)"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let pdf = scene.person.get(&format!("{here}/pdf")).await;
    assert_eq!(
        (pdf.status.as_u16(), pdf.header("x-frame-options"), &pdf.bytes[..5]),
        (200, "SAMEORIGIN", &b"%PDF-"[..])
    );

    confirms(&mut scene, &here).await;
    scene.app.finish().await;
}

/// Confirms the purchase, which stays.
async fn confirms(scene: &mut Scene, here: &str) {
    let act = format!("{here}/manifestar/confirmacao");
    let refused = scene.submit(&act, &act, &[]).await;
    assert!(refused.status == 422 && refused.text().contains("id=\"falha-entendi\""), "{}", refused.text());
    let sent = scene.submit(&act, &act, &[("entendi", "sim")]).await;
    assert_eq!(sent.status.as_u16(), 303, "{}", sent.text());
    let order = sent.header("location").trim_end_matches("#resultado").to_owned();
    let page = scene.settled(&order).await;
    assert!(page.contains("confirmada") && !page.contains("Prazo para dizer"), "{page}");
    let list = scene.person.get(&format!("{PATH}?manifestacao=confirmacao")).await.text();
    assert!(list.contains(here) && list.contains("confirmada"), "{list}");
}

const NUMERIC_MASKED: &str = "11.222.333/0001-81";

#[tokio::test]
async fn a_wrong_manifestation_is_told_beside_its_field_and_keeps_what_was_typed() {
    let mut scene = Scene::start().await;
    let chave = scene.receive().await;
    let here = page_of(&chave);
    let act = format!("{here}/manifestar/nao_realizada");
    for (text, entendi) in [("curta & <script>alert(1)</script>", "sim"), ("", "sim")] {
        let text = if text.is_empty() { text } else { &text[..12] };
        let sent = scene.submit(&act, &act, &[("justificativa", text), ("entendi", entendi)]).await;
        let page = sent.text();
        assert_eq!(sent.status.as_u16(), 422, "{page}");
        assert!(page.contains("id=\"falha-justificativa\"") && page.contains("aria-invalid=\"true\""), "{page}");
        assert!(page.contains("checked") && !page.contains("<script>a"), "{page}");
        assert!(text.is_empty() || page.contains("curta &amp; &lt;sc"), "{page}");
    }
    let why = "Mercadoria recusada na entrega";
    let sent = scene.submit(&act, &act, &[("justificativa", why), ("entendi", "sim")]).await;
    assert_eq!(sent.status.as_u16(), 303, "{}", sent.text());
    let order = sent.header("location").trim_end_matches("#resultado").to_owned();
    assert!(scene.settled(&order).await.contains("não realizada"));
    // an act that does not exist, and one of another type
    for wrong in ["rejeicao", "x", "%3Cscript%3E"] {
        let page = scene.person.get(&format!("{here}/manifestar/{wrong}")).await;
        assert!(page.status == 404 && !page.text().contains("<script>"), "{}", page.text());
    }
    // the same manifestation again is not offered, and refused when it is sent
    let again = scene.person.get(&act).await.text();
    assert!(again.contains("não é possível no estado") && !again.contains("name=\"entendi\""), "{again}");
    let sent = scene.submit(PATH, &act, &[("justificativa", why), ("entendi", "sim")]).await;
    assert_eq!(sent.status.as_u16(), 409, "{}", sent.text());
    scene.app.finish().await;
}

#[tokio::test]
async fn filters_find_and_count_the_same_and_say_what_is_wrong() {
    let mut scene = Scene::start().await;
    let (first, second) = (scene.receive().await, scene.receive().await);
    let found = async |person: &mut Browser, query: &str| {
        let page = person.get(&format!("{PATH}?{query}")).await;
        assert_eq!(page.status.as_u16(), 200, "{query}: {}", page.text());
        let text = page.text();
        let found = [&first, &second].map(|chave| text.contains(chave.as_str()));
        let count = found.iter().filter(|found| **found).count();
        let counted = if count == 1 { "1 documento.".to_owned() } else { format!("{count} documentos.") };
        assert!(text.contains(&format!(">{counted}<")), "{query}: {text}");
        count
    };
    for (query, count) in [
        ("", 2),
        ("tipo=nfe", 2),
        ("tipo=cte", 0),
        ("nome=papel", 2),
        ("nome=aria", 0),
        ("emitente=11.222.333%2F0001-81", 2),
        ("empresa=12ABC34501DE35&valor_de=100&valor_ate=100%2C00", 2),
        ("valor_de=100%2C01", 0),
        ("manifestacao=pendente", 2),
        ("manifestacao=ciencia", 0),
        ("situacao=autorizada", 2),
        ("situacao=cancelada", 0),
        ("de=2020-01-01", 2),
        ("ate=2020-01-01", 0),
        ("prazo=acaba", 0),
        ("prazo=passou", 0),
        ("novas=sim", 2),
    ] {
        assert_eq!(found(&mut scene.person, query).await, count, "{query}");
    }
    for (query, field) in [
        ("tipo=x", "tipo"),
        ("emitente=123", "emitente"),
        ("empresa=%3Cscript%3E", "empresa"),
        ("valor_de=caro", "valor_de"),
        ("de=ontem", "de"),
        ("de=2026-02-02&ate=2026-02-01", "ate"),
        ("manifestacao=pendente&tipo=cte", "manifestacao"),
    ] {
        let page = scene.person.get(&format!("{PATH}?{query}")).await;
        let text = page.text();
        assert!(
            page.status == 422 && text.contains(&format!("id=\"falha-{field}\"")) && !text.contains("<script>\""),
            "{query}: {text}"
        );
    }
    // what was seen is not new
    let seen = scene.submit(PATH, "/painel/recebidos/vistos", &[]).await;
    assert_eq!((seen.status.as_u16(), seen.header("location")), (303, PATH));
    let page = scene.person.get(PATH).await.text();
    assert!(page.contains("Nada de novo") && !page.contains(">novo<"), "{page}");
    let third = scene.receive().await;
    let page = scene.person.get(&format!("{PATH}?novas=sim")).await.text();
    assert!(page.contains(&third) && !page.contains(&first) && page.contains("1 documento novo"), "{page}");
    scene.app.finish().await;
}

#[tokio::test]
async fn home_names_notes_whose_time_ends_and_its_list_counts_the_same() {
    let mut scene = Scene::start().await;
    let chave = scene.receive().await;
    let home = scene.person.get("/painel").await.text();
    assert!(!home.contains("prazo=acaba"), "{home}");
    scene.app.clock.forward(80 * 86_400);
    let (mut person, _) = Browser::of(&scene.app, &scene.receiver, "homologacao").await;
    let home = person.get("/painel").await.text();
    assert!(home.contains("/painel/recebidos?prazo=acaba") && home.contains("<strong>1</strong>"), "{home}");
    let list = person.get(&format!("{PATH}?prazo=acaba")).await.text();
    assert!(
        list.contains(&chave) && list.contains(">1 documento.<") && list.contains("<strong class=\"acima\">restam "),
        "{list}"
    );
    scene.app.clock.forward(11 * 86_400);
    let (mut person, _) = Browser::of(&scene.app, &scene.receiver, "homologacao").await;
    assert!(!person.get("/painel").await.text().contains("prazo=acaba"));
    assert!(person.get(&format!("{PATH}?prazo=passou")).await.text().contains(&chave));
    let page = person.get(&page_of(&chave)).await.text();
    assert!(page.contains("o prazo passou há") && page.contains("deve recusar (596)"), "{page}");
    scene.app.finish().await;
}

#[tokio::test]
async fn the_search_in_the_background_is_switched_and_its_absence_explained() {
    let mut scene = Scene::start().await;
    let page = scene.person.get(SEARCHES).await.text();
    assert!(
        page.contains("automática desligada") && page.contains("Nunca buscou") && page.contains("de hora em hora"),
        "{page}"
    );
    for (acao, shown) in [("ligar", "automática ligada"), ("desligar", "Ligar a automática")] {
        let fields = [("empresa", ALPHANUMERIC), ("tipo", "cte"), ("acao", acao)];
        let sent = scene.submit(SEARCHES, SEARCHES, &fields).await;
        assert_eq!(sent.status.as_u16(), 303, "{}", sent.text());
        let page = scene.person.get(sent.header("location")).await.text();
        assert!(page.contains(shown), "{page}");
        let path = format!("/v1/empresas/{ALPHANUMERIC}/distribuicao?tipo=cte");
        assert_eq!(scene.receiver.test.get(&path).await.ok(200)["ativa"], json!(acao == "ligar"));
    }
    for (fields, status) in [
        ([("empresa", NUMERIC), ("tipo", "nfe"), ("acao", "buscar")], 404),
        ([("empresa", "<script>"), ("tipo", "nfe"), ("acao", "ligar")], 404),
        ([("empresa", ALPHANUMERIC), ("tipo", "x"), ("acao", "ligar")], 422),
        ([("empresa", ALPHANUMERIC), ("tipo", "nfe"), ("acao", "x")], 422),
    ] {
        let sent = scene.submit(SEARCHES, SEARCHES, &fields).await;
        assert!(sent.status == status && !sent.text().contains("<script>\""), "{fields:?}: {}", sent.text());
        assert!(sent.text().contains("role=\"alert\""), "{}", sent.text());
    }
    // an account without a company is told what to do first
    let bare = scene.app.tenant().await;
    let (mut person, _) = Browser::of(&scene.app, &bare, "homologacao").await;
    assert!(person.get(PATH).await.text().contains("ainda não tem empresa"));
    assert!(person.get(SEARCHES).await.text().contains("ainda não tem empresa"));
    scene.app.finish().await;
}

#[tokio::test]
async fn what_is_anothers_or_of_the_other_environment_is_not_there() {
    let mut scene = Scene::start().await;
    let chave = scene.receive().await;
    let here = page_of(&chave);
    let (mut stranger, _) = Browser::of(&scene.app, &scene.issuer, "homologacao").await;
    let (mut production, _) = Browser::of(&scene.app, &scene.receiver, "producao").await;
    let acts = [here.clone(), format!("{here}/pdf"), format!("{here}/xml"), format!("{here}/manifestar/ciencia")];
    for path in &acts {
        let page = stranger.get(path).await;
        assert!(page.status == 404 && !page.text().contains("R$ 100,00"), "{path}: {}", page.text());
    }
    for (visitor, status) in [(&mut stranger, 404), (&mut production, 409)] {
        assert!(!visitor.get(PATH).await.text().contains(&chave));
        let proof = proof(&visitor.get(PATH).await);
        let path = format!("{here}/manifestar/ciencia");
        assert_eq!(visitor.post(&path, &[("prova", &proof)]).await.status, status);
    }
    let mut nobody = Browser::new(&scene.app);
    for path in acts.iter().map(String::as_str).chain([PATH, SEARCHES]) {
        let answer = nobody.get(path).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/painel/entrar"), "{path}");
    }
    // a form without its proof, or from elsewhere
    let proof = proof(&scene.person.get(PATH).await);
    for path in
        [format!("{here}/manifestar/ciencia"), format!("{here}/buscar"), SEARCHES.to_owned(), format!("{PATH}/vistos")]
    {
        assert_eq!(scene.person.post(&path, &[("empresa", ALPHANUMERIC)]).await.status, 403, "{path}");
        let foreign = scene.person.post_from(Some("https://outro.exemplo"), &path, &[("prova", &proof)]).await;
        assert_eq!(foreign.status, 403, "{path}");
    }
    for wrong in ["x/y", "12ABC34501DE35/123", "%3Cscript%3E/%3Cscript%3E"] {
        let page = scene.person.get(&format!("{PATH}/{wrong}")).await;
        assert!(page.status == 404 && !page.text().contains("<script>"), "{}", page.text());
    }
    let nota: Value = scene.receiver.test.get(&format!("/v1/nfe/recebidas/{chave}")).await.ok(200);
    assert_eq!(nota["manifestacao"], Value::Null, "nothing was registered");
    scene.app.finish().await;
}

#[tokio::test]
async fn stored_texts_are_shown_as_text() {
    let mut scene = Scene::start().await;
    let nasty = "<script>alert(1)</script>";
    let mut body = body::emission(NUMERIC);
    body["nota"]["destinatario"]["CNPJCPF"] = json!(ALPHANUMERIC);
    body["nota"]["produtos"][0]["xProd"] = json!(nasty);
    let job = issued(&scene.issuer.test, &body).await;
    let chave = chave(&job["nota"]);
    let client = &scene.receiver.test;
    let said = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": chave, "tipo": "ciencia" });
    let accepted = client.post("/v1/nfe/manifestar", &said).await.ok(202);
    assert_eq!(ended(client, &accepted).await["status"], "completed");
    client.post(SYNC, &json!({ "cpf_cnpj": ALPHANUMERIC, "chave": chave })).await.ok(200);
    let record = json!({ "nome_razao_social": nasty });
    client.put(&format!("/v1/empresas/{ALPHANUMERIC}"), &record).await.ok(200);
    for path in
        [PATH.to_owned(), page_of(&chave), format!("{}/manifestar/confirmacao", page_of(&chave)), SEARCHES.to_owned()]
    {
        let page = scene.person.get(&path).await.text();
        assert!(!page.contains("<script>alert"), "{path}: {page}");
    }
    let page = scene.person.get(&page_of(&chave)).await.text();
    assert!(page.contains("&lt;script&gt;alert(1)"), "{page}");
    scene.app.finish().await;
}

#[tokio::test]
async fn services_stand_in_the_inbox_too() {
    let app = TestApp::start().await;
    let (prestador, tomador) = (crate::support::services::provider(&app).await, app.issuer(ALPHANUMERIC).await);
    let body = crate::support::services::rendered(NUMERIC, ALPHANUMERIC, "A1");
    let accepted = prestador.test.post("/v1/nfse/emitir", &body).await.ok(202);
    let job = ended(&prestador.test, &accepted).await;
    let chave = chave(&job["nota"]);
    let (mut person, _) = Browser::of(&app, &tomador, "homologacao").await;
    let proof = proof(&person.get(SEARCHES).await);
    let fields = [("prova", proof.as_str()), ("empresa", ALPHANUMERIC), ("tipo", "nfse"), ("acao", "buscar")];
    let sent = person.post(SEARCHES, &fields).await;
    assert_eq!(sent.status.as_u16(), 303, "{}", sent.text());
    let list = person.get(&format!("{PATH}?tipo=nfse")).await.text();
    assert!(list.contains(&page_of(&chave)) && list.contains("NFS-e nº"), "{list}");
    let page = person.get(&page_of(&chave)).await.text();
    assert!(page.contains("tomador") && page.contains("<iframe"), "{page}");
    assert_eq!(person.get(&format!("{}/pdf", page_of(&chave))).await.status, 200);
    app.finish().await;
}
