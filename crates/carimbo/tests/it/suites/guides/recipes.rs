//! The cookbook of `docs/guides/receitas`: every payload is taken from the documentation as a reader would take it,
//! issued strictly, authorised by the simulator and validated by libxml2.
//!
//! They are right on whatever day it is: rates of the reform change with the year, and the files with them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp, ended};
use crate::support::judge;
use crate::support::recipes::{register, served};

/// The other side of the turn of the year.
const NEXT_YEAR: &str = "2027-01-02T10:00:00-03:00";

fn guides() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides")
}

/// The recipes, by the names of their files without `.json`.
fn recipes() -> Vec<String> {
    named(&guides().join("receitas"), "")
}

/// The companies that issue them; `empresa.json` is of another guide.
fn companies() -> Vec<String> {
    named(&guides(), "empresa-")
}

fn named(folder: &Path, beginning: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let names = entries.filter(|path| path.extension().is_some_and(|end| end == "json"));
    let names = names.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    let mut names: Vec<String> = names.filter(|name| name.starts_with(beginning)).collect();
    names.sort();
    names
}

/// The companies of the demonstration, as `demo` registers them.
fn of_the_demo() -> [Value; 2] {
    let company = |cpf_cnpj: &str, nome: &str| {
        json!({
            "cpf_cnpj": cpf_cnpj, "nome_razao_social": nome, "inscricao_estadual": "110042490114", "crt": 1,
            "endereco": {
                "logradouro": "Praça da Sé", "numero": "1", "bairro": "Sé", "codigo_municipio": "3550308",
                "cidade": "São Paulo", "uf": "SP", "cep": "01001000"
            }
        })
    };
    [company("11222333000181", "Papelaria Exemplo Ltda"), company("12ABC34501DE35", "Livraria Alfa Exemplo Ltda")]
}

/// Returns the fault in the outcome of a recipe.
async fn trouble(app: &TestApp, tenant: &Tenant, name: &str) -> Option<String> {
    let tipo = if name.starts_with("nfce-") { "nfce" } else { "nfe" };
    let answer = tenant.test.post(&format!("/v1/{tipo}/emitir?estrito=true"), &served(app, name).await).await;
    if answer.status != 202 {
        return Some(format!("{}: {}", answer.status, answer.text()));
    }
    let accepted = answer.json();
    // in homologação the first item of a coupon has a text that the authority demands, whatever was sent
    let of_homologacao = |aviso: &&Value| tipo == "nfce" && aviso["codigo"] == "texto_de_homologacao";
    // the rate of 2027 is unknown until the Senate publishes it
    let unknown = |aviso: &&Value| aviso["codigo"] == "aliquota_desconhecida";
    let avisos = accepted["avisos"].as_array().unwrap().iter();
    if let Some(aviso) = avisos.into_iter().find(|aviso| !of_homologacao(aviso) && !unknown(aviso)) {
        return Some(aviso.to_string());
    }
    let job = ended(&tenant.test, &accepted).await;
    if job["nota"]["status"] != "autorizada" {
        return Some(format!("{} {} {}", job["nota"]["motivo_status"], job["nota"]["campo"], job["erro"]));
    }
    let xml = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    judge::accepts_proc_nfe(&xml, &app.ca_file());
    None
}

#[tokio::test(flavor = "multi_thread")]
async fn every_recipe_is_issued_without_a_warning_and_authorised() {
    let app = TestApp::start().await;
    every_recipe(&app).await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_recipe_turns_with_the_year() {
    let app = TestApp::start().await;
    let before = served(&app, "regime-normal-completa").await;
    app.stand_at(NEXT_YEAR.parse().unwrap()).await;
    let rate = |recipe: &Value| recipe["nota"]["produtos"][0]["ibscbs"]["ibs_mun"]["aliquota"].to_string();
    let after = served(&app, "regime-normal-completa").await;
    assert_eq!(rate(&after), "0.05");
    // once the year has come, both are the same
    assert!(rate(&before) == "0.00" || before == after);
    let page = uncoloured(&app.anonymous().get("/docs/guia/receitas").await.text());
    assert!(page.contains("&quot;aliquota&quot;: 0.05, &quot;valor&quot;"), "{page}");
    every_recipe(&app).await;
    app.finish().await;
}

/// The page without the marks in its code: colours, and values of the reader's account.
fn uncoloured(page: &str) -> String {
    ["i class", "span"].iter().fold(page.replace("</i>", "").replace("</span>", ""), |page, mark| {
        let opening = format!("<{mark}");
        let mut parts = page.split(&opening);
        let mut text = parts.next().unwrap_or_default().to_owned();
        parts.for_each(|part| text.push_str(part.split_once('>').map_or("", |(_, rest)| rest)));
        text
    })
}

/// Issues all of them, by the companies that the documentation has for them.
async fn every_recipe(app: &TestApp) {
    let tenant = app.tenant().await;
    for company in of_the_demo() {
        register(app, &tenant, &company).await;
    }
    for name in companies() {
        register(app, &tenant, &served(app, &name).await).await;
    }
    let mut wrong = Vec::new();
    for name in recipes() {
        wrong.extend(trouble(app, &tenant, &name).await.map(|why| format!("{name}: {why}")));
    }
    let of = recipes().len();
    assert!(of >= 34, "{of} recipes are few");
    assert!(wrong.is_empty(), "{} of {of} recipes:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test]
async fn the_page_shows_every_recipe_as_its_file_has_it() {
    let app = TestApp::start().await;
    // the files are those of 2026
    app.stand_at("2026-11-23T10:00:00-03:00".parse().unwrap()).await;
    let page = uncoloured(&app.anonymous().get("/docs/guia/receitas").await.text());
    let mut references: BTreeMap<String, String> = BTreeMap::new();
    for name in recipes() {
        let text = std::fs::read_to_string(guides().join("receitas").join(format!("{name}.json"))).unwrap();
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        assert!(page.contains(&escaped), "{name}.json is not on the page");
        assert!(page.contains(&format!("href=\"/docs/recursos/{name}.json\"")), "{name}.json is not linked");
        let words = std::fs::read_to_string(guides().join("receitas").join(format!("{name}.md"))).unwrap();
        let title = words.lines().next().and_then(|line| line.strip_prefix("## ")).unwrap();
        assert!(page.contains(&format!(">{title}</a></h2>")), "{name}: {title}");
        // a reference is for one note: two recipes may not share one
        let body: Value = serde_json::from_str(&text).unwrap();
        let reference = body["referencia_externa"].as_str().unwrap().to_owned();
        assert_eq!(references.insert(reference, name.clone()), None, "{name}");
    }
    for name in companies() {
        assert!(page.contains(&format!("href=\"/docs/recursos/{name}.json\"")), "{name}.json is not linked");
    }
    app.finish().await;
}
