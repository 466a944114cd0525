//! `/painel/empresas`: registration, record, configuration, logo, and the way to production.

use serde_json::{Value, json};

use super::World;
use crate::support::app::{TestApp, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::{Browser, proof};
use crate::support::client::Answer;
use crate::support::source::{Says, Source, sources};

const PATH: &str = "/painel/empresas";
const NEW: &str = "/painel/empresas/nova";
const NASTY: &str = "<script>alert(1)</script>";

fn at(rest: &str) -> String {
    format!("{PATH}/{NUMERIC}{rest}")
}

/// Submits a form of the panel with the proof of the session.
async fn submit(person: &mut Browser, path: &str, fields: &[(&str, &str)]) -> Answer {
    let proof = proof(&person.get("/painel").await);
    let mut all = vec![("prova", proof.as_str())];
    all.extend(fields);
    person.post(path, &all).await
}

async fn record(world: &World, company: &str) -> Value {
    world.tenant.test.get(&format!("/v1/empresas/{company}")).await.ok(200)
}

#[tokio::test]
async fn a_company_is_registered_by_its_cnpj_with_what_the_lookup_knows() {
    let source = Source::start().await;
    let found = json!({ "cnpj": NUMERIC, "razao_social": format!("LOJA {NASTY}"), "situacao_cadastral": 2, "descricao_situacao_cadastral": "ATIVA",
        "descricao_tipo_de_logradouro": "PRACA", "logradouro": "DA SE", "numero": "1", "bairro": "SE", "cep": "01001000", "municipio": "SAO PAULO",
        "codigo_municipio": 7107, "uf": "SP", "opcao_pelo_simples": true });
    source.says(&format!("/brasilapi/{NUMERIC}"), Says::Json(200, found));
    let app = TestApp::with_lookups(sources(&[], &[("brasilapi", &source.url)])).await;
    let tenant = app.tenant().await;
    let (mut person, _) = Browser::of(&app, &tenant, "homologacao").await;
    assert!(person.get(PATH).await.text().contains("Nenhuma empresa ainda"));
    let page = submit(&mut person, NEW, &[("cpf_cnpj", "11.222.333/0001-81"), ("acao", "consultar")]).await;
    let text = page.text();
    assert_eq!(page.status.as_u16(), 200, "{text}");
    for value in ["value=\"PRACA DA SE\"", "value=\"3550308\"", "value=\"01001000\"", "value=\"1\" selected"] {
        assert!(text.contains(value), "{value}: {text}");
    }
    assert!(!text.contains(NASTY) && text.contains("LOJA &lt;script&gt;"), "{text}");
    let fields = [
        ("acao", "cadastrar"),
        ("cpf_cnpj", NUMERIC),
        ("nome_razao_social", "LOJA LTDA"),
        ("crt", "1"),
        ("endereco.logradouro", "PRACA DA SE"),
        ("endereco.numero", "1"),
        ("endereco.cidade", "São Paulo"),
        ("endereco.uf", "SP"),
    ];
    let made = submit(&mut person, NEW, &fields).await;
    assert_eq!((made.status.as_u16(), made.header("location")), (303, at("").as_str()), "{}", made.text());
    let kept = tenant.test.get(&format!("/v1/empresas/{NUMERIC}")).await.ok(200);
    assert_eq!((&kept["crt"], &kept["endereco"]["codigo_municipio"]), (&json!(1), &json!("3550308")), "{kept}");
    // registered already
    let again = submit(&mut person, NEW, &[("cpf_cnpj", NUMERIC), ("acao", "consultar")]).await;
    assert_eq!((again.status.as_u16(), again.header("location")), (303, at("").as_str()));
    let twice = submit(&mut person, NEW, &fields).await;
    assert!(twice.status.as_u16() == 409 && twice.text().contains("id=\"falha-cpf_cnpj\""), "{}", twice.text());
    // a source that fails leaves the form
    source.says("/brasilapi/12345678000195", Says::Json(500, json!({})));
    let down = submit(&mut person, NEW, &[("cpf_cnpj", "12345678000195"), ("acao", "consultar")]).await;
    assert!(down.status.as_u16() == 200 && down.text().contains("não respondeu agora"), "{}", down.text());
    assert!(down.text().contains("name=\"nome_razao_social\""));
    app.finish().await;
}

#[tokio::test]
async fn without_lookups_the_form_is_filled_by_hand_and_keeps_what_was_typed() {
    let mut world = World::new().await;
    let off = submit(&mut world.person, NEW, &[("cpf_cnpj", ALPHANUMERIC), ("acao", "consultar")]).await;
    assert!(off.status.as_u16() == 200 && off.text().contains("não está ligada"), "{}", off.text());
    let wrong = submit(&mut world.person, NEW, &[("cpf_cnpj", "11222333000182"), ("acao", "consultar")]).await;
    assert_eq!(wrong.status.as_u16(), 422);
    assert!(wrong.text().contains("id=\"falha-cpf_cnpj\"") && wrong.text().contains("value=\"11222333000182\""));
    let refused = submit(
        &mut world.person,
        NEW,
        &[
            ("acao", "cadastrar"),
            ("cpf_cnpj", ALPHANUMERIC),
            ("nome_razao_social", NASTY),
            ("endereco.cep", "123"),
            ("endereco.uf", "XX"),
        ],
    )
    .await;
    let text = refused.text();
    assert_eq!(refused.status.as_u16(), 422, "{text}");
    assert!(text.contains("id=\"falha-endereco.cep\"") && text.contains("id=\"falha-endereco.uf\""), "{text}");
    assert!(text.contains("value=\"123\"") && !text.contains(NASTY) && text.contains("&lt;script&gt;"), "{text}");
    assert_eq!(world.tenant.test.get("/v1/empresas").await.ok(200)["total"], 1);
    world.app.finish().await;
}

#[tokio::test]
async fn the_record_is_changed_and_shown_as_text() {
    let mut world = World::new().await;
    let fields = [
        ("nome_razao_social", NASTY),
        ("nome_fantasia", NASTY),
        ("endereco.bairro", NASTY),
        ("endereco.cidade", "Campinas"),
        ("endereco.uf", "SP"),
        ("crt", "3"),
    ];
    let changed = submit(&mut world.person, &at("/dados"), &fields).await;
    assert_eq!((changed.status.as_u16(), changed.header("location")), (303, at("").as_str()), "{}", changed.text());
    let kept = record(&world, NUMERIC).await;
    assert_eq!((&kept["crt"], &kept["endereco"]["codigo_municipio"]), (&json!(3), &json!("3509502")));
    assert_eq!(kept["inscricao_estadual"], Value::Null, "an empty field clears");
    for page in ["", "/dados", "/certificado", "/logotipo", "/producao", "/tipos/nfe"] {
        let text = world.person.get(&at(page)).await.text();
        assert!(!text.contains(NASTY) && text.contains("&lt;script&gt;"), "{page}: {text}");
    }
    assert!(!world.person.get(PATH).await.text().contains(NASTY));
    // only the city is changed, and the code is still that of the other one
    let stale = [&fields[..], &[("endereco.codigo_municipio", "3550308")]].concat();
    let refused = submit(&mut world.person, &at("/dados"), &stale).await;
    let text = refused.text();
    assert!(refused.status.as_u16() == 422 && text.contains("id=\"falha-endereco.codigo_municipio\""), "{text}");
    let wrong = submit(&mut world.person, &at("/dados"), &[("nome_razao_social", ""), ("email", "a@b.c")]).await;
    assert!(wrong.status.as_u16() == 422 && wrong.text().contains("value=\"a@b.c\""), "{}", wrong.text());
    world.app.finish().await;
}

#[tokio::test]
async fn a_type_is_configured_and_its_secret_is_never_shown() {
    let mut world = World::new().await;
    let nfce = at("/tipos/nfce");
    let page = world.person.get(&nfce).await.text();
    assert!(page.contains("Código de Segurança do Contribuinte") && page.contains("Ainda não configurada"), "{page}");
    let fields = [("ambiente", "homologacao"), ("serie", "3"), ("csc_id", "1"), ("csc", "C0digo-Secreto-9")];
    let wrong = [&fields[..], &[("proximo_numero", "zero")]].concat();
    let refused = submit(&mut world.person, &nfce, &wrong).await;
    let text = refused.text();
    assert!(refused.status.as_u16() == 422 && text.contains("id=\"falha-proximo_numero\""), "{text}");
    assert!(text.contains("value=\"3\"") && text.contains("value=\"zero\"") && !text.contains("C0digo"), "{text}");
    let made = submit(&mut world.person, &nfce, &fields).await;
    assert_eq!(made.status.as_u16(), 303, "{}", made.text());
    let kept = record(&world, NUMERIC).await;
    let stored = &kept["configuracoes"]["nfce"];
    assert_eq!(
        (&stored["serie"], &stored["csc_configurado"], &stored["csc_id"]),
        (&json!("3"), &json!(true), &json!("1"))
    );
    let page = world.person.get(&nfce).await.text();
    assert!(page.contains("Guardado, e nunca mostrado") && !page.contains("C0digo"), "{page}");
    assert!(page.contains("da série 3") && page.contains("<strong>1</strong>"), "{page}");
    // left empty it stays, and is removed when asked for
    let kept_fields = [("ambiente", "homologacao"), ("serie", "3"), ("csc_id", "1"), ("csc", "")];
    submit(&mut world.person, &nfce, &kept_fields).await;
    assert_eq!(record(&world, NUMERIC).await["configuracoes"]["nfce"]["csc_configurado"], true);
    submit(&mut world.person, &nfce, &[("ambiente", "homologacao"), ("apagar:csc", "sim")]).await;
    assert_eq!(record(&world, NUMERIC).await["configuracoes"]["nfce"]["csc_configurado"], false);
    // every type has its form
    for (tipo, words) in [("nfe", "Desenho do DANFE"), ("cte", "ANTT"), ("nfse", "Inscrição municipal")] {
        let page = world.person.get(&at(&format!("/tipos/{tipo}"))).await;
        assert!(page.status.as_u16() == 200 && page.text().contains(words), "{tipo}: {}", page.text());
    }
    assert_eq!(world.person.get(&at("/tipos/mdfe")).await.status.as_u16(), 404);
    world.app.finish().await;
}

#[tokio::test]
async fn only_a_session_of_production_reaches_production() {
    let mut world = World::new().await;
    let nfe = at("/tipos/nfe");
    let from_test = submit(&mut world.person, &nfe, &[("ambiente", "producao"), ("serie", "2")]).await;
    assert_eq!(from_test.status.as_u16(), 403, "{}", from_test.text());
    assert_eq!(world.person.get(&format!("{nfe}?para=producao")).await.status.as_u16(), 403);
    assert_eq!(record(&world, NUMERIC).await["configuracoes"]["nfe"]["ambiente"], 2);
    let (mut live, _) = Browser::of(&world.app, &world.tenant, "producao").await;
    let form = live.get(&format!("{nfe}?para=producao")).await.text();
    assert!(form.contains("Guardar e passar para PRODUÇÃO"), "{form}");
    let made = submit(&mut live, &nfe, &[("ambiente", "producao"), ("serie", "2"), ("proximo_numero", "40")]).await;
    assert_eq!(made.status.as_u16(), 303, "{}", made.text());
    let kept = world.tenant.live.get(&format!("/v1/empresas/{NUMERIC}")).await.ok(200);
    assert_eq!(kept["configuracoes"]["nfe"]["ambiente"], 1);
    assert!(live.get(&nfe).await.text().contains("<strong>40</strong>"));
    // a session of homologação sees none of it
    let hidden = world.person.get(&nfe).await;
    assert!(hidden.status.as_u16() == 403 && !hidden.text().contains("40"), "{}", hidden.text());
    world.app.finish().await;
}

#[tokio::test]
async fn the_checklist_knows_what_is_missing() {
    let mut world = World::new().await;
    let before = world.person.get(&at("/producao")).await.text();
    assert!(before.contains("Certificado válido e da empresa") && before.contains("confira"), "{before}");
    let link = format!("/painel/emitir?receita=nota&amp;empresa={NUMERIC}");
    assert!(before.contains(&link), "{before}");
    let form = world.person.get(&link.replace("&amp;", "&")).await.text();
    assert!(form.contains(&format!("<option value=\"{NUMERIC}\" selected>")), "{form}");
    issued(&world.tenant.test, &body::emission(NUMERIC)).await;
    let after = world.person.get(&at("/producao")).await.text();
    assert!(after.contains("já autorizou um documento deste tipo") && !after.contains(&link), "{after}");
    let (mut live, _) = Browser::of(&world.app, &world.tenant, "producao").await;
    let page = live.get(&at("/producao")).await.text();
    assert!(page.contains("falta 2") && page.contains(&format!("{}?para=producao", at("/tipos/nfe"))), "{page}");
    submit(&mut live, &at("/tipos/nfe"), &[("ambiente", "producao"), ("serie", "2")]).await;
    let page = live.get(&at("/producao")).await.text();
    assert!(page.contains("em produção") && !page.contains("falta "), "{page}");
    // what one type asks for
    submit(&mut live, &at("/tipos/nfce"), &[("ambiente", "homologacao"), ("serie", "1")]).await;
    submit(&mut live, &at("/tipos/cte"), &[("ambiente", "homologacao"), ("serie", "1")]).await;
    let city = [("ambiente", "homologacao"), ("provedor", "abrasf"), ("versao", "2.04")];
    let tests = [&city[..], &[("url_homologacao", "https://notas.exemplo.com.br/ws")]].concat();
    let made = submit(&mut live, &at("/tipos/nfse"), &tests).await;
    assert!(made.status.as_u16() < 400, "{}", made.text());
    let page = live.get(&at("/producao")).await.text();
    for item in ["CSC de produção", "Registro na ANTT", "Inscrição municipal", "Endereço de produção da prefeitura"]
    {
        assert!(page.contains(item), "{item}: {page}");
    }
    submit(&mut live, &at("/tipos/nfce"), &[("ambiente", "homologacao"), ("qr_versao", "3")]).await;
    submit(&mut live, &at("/tipos/cte"), &[("ambiente", "homologacao"), ("rntrc", "12345678")]).await;
    let page = live.get(&at("/producao")).await.text();
    assert!(!page.contains("CSC de produção") && page.contains("RNTRC 12345678."), "{page}");
    world.app.finish().await;
}

#[tokio::test]
async fn a_logo_is_shown_on_a_form_that_is_drawn_with_it() {
    const PNG: &[u8] = include_bytes!("../empresas/logo.png");
    let mut world = World::new().await;
    let page = world.person.get(&at("/logotipo")).await;
    assert!(page.text().contains("Nenhum logotipo guardado") && page.text().contains("<iframe"), "{}", page.text());
    let proof = proof(&page);
    let before = world.person.get(&at("/logotipo/previa")).await;
    assert_eq!((before.status.as_u16(), before.header("content-type")), (200, "application/pdf"));
    assert_eq!(before.header("x-frame-options"), "SAMEORIGIN");
    let parts = |file: &'static [u8]| [("prova", "", proof.as_bytes()), ("logo", "l.png", file)];
    let kept = world.person.upload(&at("/logotipo"), &parts(PNG)).await;
    assert_eq!((kept.status.as_u16(), kept.header("location")), (303, at("/logotipo").as_str()), "{}", kept.text());
    let picture = world.person.get(&at("/logotipo/imagem")).await;
    assert_eq!((picture.header("content-type"), picture.bytes.as_ref()), ("image/png", PNG));
    let after = world.person.get(&at("/logotipo/previa")).await;
    assert!(after.bytes.starts_with(b"%PDF-") && after.bytes.len() > before.bytes.len());
    for (file, words) in [(&b"GIF89a"[..], "não pôde ser usado"), (b"", "Escolha a imagem")] {
        let refused = world.person.upload(&at("/logotipo"), &parts(file)).await;
        assert!(refused.status.as_u16() == 422 && refused.text().contains(words), "{}", refused.text());
        assert!(refused.text().contains("id=\"falha-logo\""));
    }
    // the form of each type that is configured
    let page = world.person.get(&at("/logotipo?tipo=nfce")).await.text();
    assert!(
        !page.contains("<iframe") && !page.contains("Documento da prévia") && page.contains("A prévia aparece quando"),
        "{page}"
    );
    let csc = [("ambiente", "homologacao"), ("serie", "3"), ("csc_id", "1"), ("csc", "C0digo-Secreto-9")];
    assert_eq!(submit(&mut world.person, &at("/tipos/nfce"), &csc).await.status.as_u16(), 303);
    for tipo in ["nfe", "nfce"] {
        let path = at(&format!("/logotipo/previa?tipo={tipo}"));
        let drawn = world.person.get(&path).await;
        assert_eq!((drawn.status.as_u16(), drawn.header("content-type")), (200, "application/pdf"), "{tipo}");
        let page = world.person.get(&at(&format!("/logotipo?tipo={tipo}"))).await.text();
        assert!(page.contains(&path) && page.contains("Documento da prévia"), "{tipo}");
    }
    let large: &'static [u8] = vec![b'x'; 1 << 20].leak();
    assert_eq!(world.person.upload(&at("/logotipo"), &parts(large)).await.status.as_u16(), 413);
    let removed = submit(&mut world.person, &at("/logotipo/retirar"), &[]).await;
    assert_eq!(removed.status.as_u16(), 303);
    assert_eq!(world.person.get(&at("/logotipo/imagem")).await.status.as_u16(), 404);
    world.app.finish().await;
}

#[tokio::test]
async fn another_accounts_companies_are_not_there() {
    let mut world = World::new().await;
    let other = world.app.issuer(ALPHANUMERIC).await;
    let (mut stranger, _) = Browser::of(&world.app, &other, "homologacao").await;
    let mut nobody = Browser::new(&world.app);
    let pages =
        ["", "/dados", "/certificado", "/logotipo", "/logotipo/previa", "/logotipo/imagem", "/producao", "/tipos/nfe"];
    for page in pages {
        assert_eq!(stranger.get(&at(page)).await.status.as_u16(), 404, "{page}");
        assert_eq!(nobody.get(&at(page)).await.header("location"), "/painel/entrar", "{page}");
    }
    for wrong in ["/painel/empresas/x", "/painel/empresas/%3Cscript%3E/dados"] {
        let page = world.person.get(wrong).await;
        assert!(page.status.as_u16() == 404 && !page.text().contains("<script>"), "{}", page.text());
    }
    for path in [PATH, NEW] {
        assert_eq!(nobody.get(path).await.header("location"), "/painel/entrar");
    }
    assert!(!stranger.get(PATH).await.text().contains(NUMERIC));
    let fields = [("nome_razao_social", "Tomada"), ("ambiente", "homologacao"), ("serie", "9"), ("acao", "cadastrar")];
    for path in [at("/dados"), at("/tipos/nfe"), at("/logotipo/retirar")] {
        assert_eq!(submit(&mut stranger, &path, &fields).await.status.as_u16(), 404, "{path}");
    }
    for path in [NEW.to_owned(), at("/dados"), at("/tipos/nfe"), at("/logotipo/retirar")] {
        assert_eq!(world.person.post(&path, &fields).await.status.as_u16(), 403, "without proof: {path}");
        let proof = proof(&world.person.get("/painel").await);
        let all = [&[("prova", proof.as_str())][..], &fields].concat();
        let foreign = world.person.post_from(Some("https://outro.exemplo"), &path, &all).await;
        assert_eq!(foreign.status.as_u16(), 403, "{path}");
    }
    assert_eq!(record(&world, NUMERIC).await["nome_razao_social"], "Papelaria de Teste Ltda");
    world.app.finish().await;
}
