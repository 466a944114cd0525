//! A company in which the person has no role: the panel shows nothing of it, and does nothing, by an id, a filter, a
//! search or a number.

use serde_json::json;
use store::accounts::Permissao;
use store::audit::Actor;
use store::exports::{ExportForms, NewExport};
use store::mail::{MailKind, NewMail};

use crate::suites::every_route::routes::needs;
use crate::support::app::{Tenant, TestApp, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::{Browser, proof};
use crate::support::received::chave;
use crate::support::users::user_with;

const REFERENCE: &str = "PEDIDOSECRETO";
const ADDRESSEE: &str = "Zulmira Secreta";

/// An account with two companies; the objects are those of the second one.
struct Scene {
    app: TestApp,
    tenant: Tenant,
    job: String,
    chave: String,
    numero: String,
    received: String,
    prepared: String,
    export: String,
    delivery: String,
    mail: String,
}

impl Scene {
    async fn start() -> Scene {
        let app = TestApp::start().await;
        let tenant = app.issuer(NUMERIC).await;
        app.company(&tenant, ALPHANUMERIC).await;
        let numbers = json!({ "ambiente": 2, "serie": "1", "proximo_numero": 774_411 });
        tenant.test.put(&format!("/v1/empresas/{ALPHANUMERIC}/nfe"), &numbers).await.ok(200);
        issued(&tenant.test, &body::emission(NUMERIC)).await;
        let mut emission = body::emission(ALPHANUMERIC);
        emission["referencia_externa"] = json!(REFERENCE);
        emission["nota"]["destinatario"]["xNome"] = json!(ADDRESSEE);
        emission["nota"]["destinatario"]["CNPJCPF"] = json!("11144477735");
        emission["webhook_url"] = json!("https://receptor.invalid/gancho");
        let job = issued(&tenant.test, &emission).await;
        let mut waiting = body::emission(ALPHANUMERIC);
        waiting["nota"]["destinatario"]["xNome"] = json!(ADDRESSEE);
        waiting["nota"]["destinatario"]["CNPJCPF"] = json!("11144477735");
        let prepared = tenant.test.post("/v1/nfe/preparar", &waiting).await.ok(200);
        let deliveries = tenant.test.get("/v1/webhooks/entregas").await.ok(200);
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_else(|| panic!("{value}")).to_owned();
        let received = received(&app, &tenant).await;
        let export = NewExport {
            tenant: tenant.id,
            id: uuid::Uuid::now_v7(),
            ambiente: fiscal::value::TpAmb::Homologacao,
            cpf_cnpj: fiscal::value::CnpjCpf::parse(ALPHANUMERIC).unwrap(),
            de: "2026-11-01".to_owned(),
            ate: "2026-11-30".to_owned(),
            tipos: Vec::new(),
            forms: ExportForms::Absent,
            most: 10,
            since: 0,
            avisar: None,
        };
        let export = app.store.create_export(export, &Actor::operator(), app.clock_s()).await.unwrap().id.to_string();
        Scene {
            job: text(&job["job_id"]),
            chave: text(&job["nota"]["chave"]),
            numero: "774411".to_owned(),
            prepared: super::address(&prepared).to_owned(),
            delivery: text(&deliveries["entregas"][0]["id"]),
            mail: mail(&app, &tenant, &text(&job["job_id"])).await,
            received,
            export,
            app,
            tenant,
        }
    }

    #[track_caller]
    fn assert_hidden(&self, path: &str, text: &str) {
        for secret in [&self.job, &self.received, &self.prepared, &self.export, &self.delivery, &self.mail] {
            assert!(!text.contains(secret.as_str()), "{path} shows {secret}: {text}");
        }
        assert!(!text.contains(ADDRESSEE) && !text.contains("12.ABC.345/01DE-35"), "{path}: {text}");
    }

    /// Path of a route with the object of the other company that it is about.
    fn path_of(&self, route: &str) -> String {
        let (_, path) = route.split_once(' ').unwrap();
        let section = path.split('/').nth(2).unwrap_or_default();
        let id = match section {
            "documentos" => self.job.as_str(),
            "confirmar" => self.prepared.rsplit('/').next().unwrap(),
            "exportacoes" => self.export.as_str(),
            "emails" => self.mail.as_str(),
            "integracoes" => self.delivery.as_str(),
            "recebidos" | "pendencias" | "empresas" => "",
            _ => panic!("say in suites/painel/alcance.rs which object of the other company {route} shows"),
        };
        let act = if section == "recebidos" { "ciencia" } else { "cancelar" };
        let tipo = if section == "empresas" { "nfe" } else { "xml" };
        [
            ("{id}", id),
            ("{ato}", act),
            ("{tipo}", tipo),
            ("{empresa}", ALPHANUMERIC),
            ("{cpf_cnpj}", ALPHANUMERIC),
            ("{chave}", self.received.as_str()),
        ]
        .iter()
        .fold(path.to_owned(), |path, (place, value)| path.replace(place, value))
        .replace("{assunto}", "lacunas")
    }

    /// Addresses of objects of the other company, by each page that is about one.
    fn addresses(&self) -> Vec<String> {
        let pages = routes_of("GET").filter(|route| route.contains('{') && !route.contains("{assunto}"));
        // no certificate waits for its confirmation, and no logo stands
        let pages = pages.filter(|route| !route.contains("/certificado/{id}") && !route.ends_with("/imagem"));
        let mut all: Vec<String> = pages.map(|route| self.path_of(&route)).collect();
        all.push(format!("/painel/documentos/{}/corrigir", self.job));
        all.push(format!("/painel/emitir?de={}", self.job));
        assert!(all.len() > 10, "{all:?}");
        all
    }
}

/// Routes of the panel that look at or act on companies.
fn routes_of(method: &'static str) -> impl Iterator<Item = String> {
    needs()
        .into_iter()
        .filter(move |(route, need)| {
            route.starts_with(&format!("{method} /painel")) && !["Free", "Administer"].contains(&need.as_str())
        })
        .map(|(route, _)| route)
}

/// Key of an NF-e that another account issued to the second company.
async fn received(app: &TestApp, tenant: &Tenant) -> String {
    let issuer = app.issuer("60701190000104").await;
    let mut emission = body::emission("60701190000104");
    emission["nota"]["destinatario"]["CNPJCPF"] = json!(ALPHANUMERIC);
    let job = issued(&issuer.test, &emission).await;
    let chave = chave(&job["nota"]);
    let point = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": chave });
    tenant.test.post("/v1/nfe/recebidas/sincronizar", &point).await.ok(200);
    chave
}

/// Id of a mail of a document of the second company.
async fn mail(app: &TestApp, tenant: &Tenant, job: &str) -> String {
    let mail = NewMail {
        ambiente: fiscal::value::TpAmb::Homologacao,
        kind: MailKind::Nota,
        job: job.parse().ok(),
        cpf_cnpj: fiscal::value::CnpjCpf::parse(ALPHANUMERIC).ok(),
        tipo: Some(fiscal::tipo::Tipo::Nfe),
        para: Some("zulmira@exemplo.com.br".to_owned()),
        copia_para: None,
        responder_para: None,
    };
    app.store.order_mail(tenant.id, mail, &Actor::operator(), app.clock_s()).await.unwrap().id.to_string()
}

#[tokio::test]
async fn nothing_of_a_company_out_of_reach_stands_in_the_panel() {
    let scene = Scene::start().await;
    for role in Permissao::ROLES {
        let user = user_with(&scene.app, &scene.tenant, role, Some(NUMERIC)).await;
        let mut browser = Browser::of_user(&scene.app, &user).await;
        for path in scene.addresses() {
            let page = browser.get(&path).await;
            assert!([403, 404].contains(&page.status.as_u16()), "{role:?} {path}: {} {}", page.status, page.text());
            if role == Permissao::Administrador {
                assert_eq!(page.status.as_u16(), 404, "{path}: {}", page.text());
            }
            scene.assert_hidden(&path, &page.text().replace(&path, ""));
        }
        let matters = ["certificados", "webhooks", "lacunas", "cotas"].map(|it| format!("/painel/pendencias/{it}"));
        let pages = routes_of("GET").filter(|route| !route.contains('{'));
        for path in pages.map(|route| route.replace("GET ", "")).chain(matters) {
            let page = browser.get(&path).await;
            assert!([200, 403].contains(&page.status.as_u16()), "{path}: {}", page.status);
            scene.assert_hidden(&path, &page.text());
        }
        lists(&scene, &mut browser).await;
        forms(&scene, &mut browser).await;
    }
    // with a role there all of it is shown
    let user = user_with(&scene.app, &scene.tenant, Permissao::Administrador, Some(ALPHANUMERIC)).await;
    let mut browser = Browser::of_user(&scene.app, &user).await;
    // an export without a file, an act of another state, and a summary, which has no form
    let absent = |path: &str| {
        path.contains("exportacoes")
            || path.contains("reprocessar")
            || path.contains("recebidos") && path.ends_with("/pdf")
    };
    for path in scene.addresses().iter().filter(|path| !absent(path)) {
        let page = browser.get(path).await;
        assert!(page.status.is_success(), "{path}: {} {}", page.status, page.text());
    }
    scene.app.finish().await;
}

/// Filters and the search find none of it, and count none.
async fn lists(scene: &Scene, browser: &mut Browser) {
    for query in [
        format!("empresa={ALPHANUMERIC}"),
        format!("chave={}", scene.chave),
        format!("referencia={REFERENCE}"),
        format!("numero={}", scene.numero),
        "nome=Zulmira".to_owned(),
    ] {
        let path = format!("/painel/documentos?{query}");
        let page = browser.get(&path).await;
        assert_eq!(page.status.as_u16(), 200, "{path}");
        let text = page.text();
        assert!(!text.contains(&format!("/painel/documentos/{}", scene.job)), "{path}: {text}");
        assert!(text.contains("class=\"vazio\""), "{path}: {text}");
    }
    for typed in [scene.chave.as_str(), REFERENCE, scene.numero.as_str(), "Zulmira", ALPHANUMERIC] {
        let found = browser.get(&format!("/painel/documentos?busca={typed}")).await;
        let to = found.header("location").to_owned();
        assert!(!to.contains(&scene.job), "{typed} leads to {to}");
        let page = if to.is_empty() { found } else { browser.get(&to).await };
        assert!(!page.text().contains(&format!("/painel/documentos/{}", scene.job)), "{typed}: {}", page.text());
        assert!(!page.text().contains(ADDRESSEE), "{typed}: {}", page.text());
    }
    for query in [format!("empresa={ALPHANUMERIC}"), format!("emitente={}", "60701190000104"), String::new()] {
        let text = browser.get(&format!("/painel/recebidos?{query}")).await.text();
        let is_empty = text.contains("class=\"vazio\"") || text.contains("Nada chegou ainda");
        assert!(!text.contains(&scene.received) && is_empty, "{query}: {text}");
    }
    let searches = browser.get(&format!("/painel/recebidos/buscas?empresa={ALPHANUMERIC}")).await.text();
    assert!(!searches.contains("12.ABC.345/01DE-35"), "{searches}");
}

/// Forms that name an object of it are refused, and nothing is done.
async fn forms(scene: &Scene, browser: &mut Browser) {
    let proof = proof(&browser.get("/painel").await);
    let searches = |act: &'static str| ("/painel/recebidos/buscas".to_owned(), act);
    // the user's own settings, and what is bounded to the companies that the user sees
    const OWN: [&str; 4] = ["/vistos", "/buscas", "/emails/avisos", "/integracoes/reenviar"];
    let forms = routes_of("POST").filter(|route| !OWN.iter().any(|end| route.ends_with(end)));
    let forms = forms.map(|route| match route.contains('{') {
        true => (scene.path_of(&route), ""),
        false => (route.replace("POST ", ""), ""),
    });
    for (path, act) in forms.chain([searches("buscar"), searches("ligar"), searches("desligar")]) {
        let fields = [
            ("prova", proof.as_str()),
            ("justificativa", "Venda desfeita a pedido do cliente"),
            ("entrega", scene.delivery.as_str()),
            ("decisao", "aprovar"),
            ("empresa", ALPHANUMERIC),
            ("cpf_cnpj", ALPHANUMERIC),
            ("tipo", "nfe"),
            ("acao", act),
            ("mes", "2026-11"),
            ("pdf", "nenhum"),
        ];
        let answer = browser.post(&path, &fields).await;
        assert!(answer.status.is_client_error(), "{path}: {} {}", answer.status, answer.text());
        assert!(!answer.text().contains(ADDRESSEE), "{path}: {}", answer.text());
    }
    let stands = scene.tenant.test.get(&format!("/v1/nfe/consultar/{}", scene.job)).await.ok(200);
    assert_eq!(stands["nota"]["status"], "autorizada", "{stands}");
    scene.tenant.test.get(&format!("/v1/exportacoes/{}", scene.export)).await.ok(200);
}

/// The decision is offered where a role of the person decides, and not where another role reads.
#[tokio::test]
async fn a_decision_is_offered_in_the_companies_of_the_approver_alone() {
    let scene = Scene::start().await;
    let user = user_with(&scene.app, &scene.tenant, Permissao::Aprovador, Some(NUMERIC)).await;
    let reads = store::roles::RoleGrant {
        company: Some(fiscal::value::CnpjCpf::parse(ALPHANUMERIC).unwrap()),
        role: Permissao::Contador,
    };
    scene.app.store.put_grant(scene.tenant.id, user.id, reads, &Actor::operator(), 0).await.unwrap();
    let mut browser = Browser::of_user(&scene.app, &user).await;
    let page = browser.get(&scene.prepared).await.text();
    assert!(page.contains("Só quem tem o papel de aprovador") && !page.contains("name=\"decisao\""), "{page}");
    assert_eq!(browser.decide(&scene.prepared, "aprovar", "").await.status.as_u16(), 404);
    let received = browser.get(&format!("/painel/recebidos/{ALPHANUMERIC}/{}", scene.received)).await.text();
    assert!(received.contains("Seu papel lê este documento"), "{received}");
    scene.app.finish().await;
}
