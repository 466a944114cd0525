//! `/painel/emitir`: documents by hand, as a browser without scripts sends them; corrections; and everything that must
//! not work.

use serde_json::{Value, json};
use store::Visibility;
use store::audit::Actor;
use uuid::Uuid;

use crate::support::app::{Tenant, TestApp, ended, issued};
use crate::support::body::{self, NUMERIC};
use crate::support::browser::{Browser, proof};
use crate::support::client::Answer;
use crate::support::{municipal_services, retail, transports};

const ADDRESS: &str = "/painel/emitir";

/// The fields of a document's form, as a page has them.
#[derive(Debug, Clone)]
struct FilledForm(Vec<(String, String)>);

impl FilledForm {
    /// Reads the inputs of the form of a page.
    #[track_caller]
    fn of(page: &Answer) -> FilledForm {
        let text = page.text();
        let form =
            text.split_once("class=\"documento\"").unwrap_or_else(|| panic!("{}: no form: {text}", page.status)).1;
        let form = form.split("</form>").next().unwrap();
        let mut fields: Vec<(String, String)> = Vec::new();
        for piece in form.split('<').skip(1) {
            let (tag, content) = piece.split_once('>').unwrap();
            let name = || attribute(tag, "name");
            match tag.split_whitespace().next().unwrap_or_default() {
                "input" => fields.extend(name().map(|name| (name, attribute(tag, "value").unwrap_or_default()))),
                "select" => fields.extend(name().map(|name| (name, String::new()))),
                "option" if tag.contains(" selected") => {
                    fields.last_mut().unwrap().1 = attribute(tag, "value").unwrap()
                }
                "textarea" => {
                    let text = unescaped(content.strip_prefix('\n').unwrap_or(content)).replace('\n', "\r\n");
                    fields.extend(name().map(|name| (name, text)));
                }
                _ => {}
            }
        }
        FilledForm(fields)
    }

    fn text(&self, name: &str) -> &str {
        self.0
            .iter()
            .find(|(found, _)| found == name)
            .map_or_else(|| panic!("{name} is not in the form"), |(_, text)| text)
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(found, _)| found == name)
    }

    #[track_caller]
    fn set(mut self, name: &str, text: &str) -> FilledForm {
        let field = self.0.iter_mut().find(|(found, _)| found == name);
        text.clone_into(&mut field.unwrap_or_else(|| panic!("{name} is not in the form")).1);
        self
    }

    /// Presses a button.
    async fn press(&self, person: &mut Browser, acao: &str) -> Answer {
        let mut fields: Vec<(&str, &str)> = self.0.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        fields.push(("acao", acao));
        person.post(ADDRESS, &fields).await
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split('"').next().map(unescaped)
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// The label around a field, with every message beside it.
fn label(page: &Answer, name: &str) -> String {
    let text = page.text();
    let at = text.find(&format!("name=\"{name}\"")).unwrap_or_else(|| panic!("{name}: {text}"));
    let begin = text[..at].rfind("<label").unwrap();
    text[begin..].split("</label>").next().unwrap().to_owned()
}

async fn begun(person: &mut Browser, query: &str) -> FilledForm {
    let page = person.get(&format!("{ADDRESS}?{query}")).await;
    assert_eq!(page.status, 200, "{query}: {}", page.text());
    FilledForm::of(&page)
}

/// Issues a form; returns the job's id.
#[track_caller]
fn accepted(answer: &Answer) -> Uuid {
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.header("location").strip_prefix("/painel/documentos/").unwrap().parse().unwrap()
}

async fn outcome(tenant: &Tenant, tipo: &str, job: Uuid) -> Value {
    ended(&tenant.test, &json!({ "consulta": format!("/v1/{tipo}/consultar/{job}") })).await
}

async fn notes(tenant: &Tenant) -> Value {
    tenant.test.get("/v1/notas").await.ok(200)["total"].clone()
}

/// A tenant whose company issues goods, retail and transport.
async fn issuer(app: &TestApp) -> Tenant {
    let tenant = retail::seller(app).await;
    transports::configured(&tenant, &transports::settings()).await;
    tenant
}

/// Services by the national protocol, of a company in the Simples Nacional.
async fn national(app: &TestApp) -> Tenant {
    let tenant = issuer(app).await;
    let settings = json!({ "ambiente": 2, "provedor": "nacional", "serie": "1", "codigo_municipio": "3550308",
        "regime": { "opSimpNac": 3, "regApTribSN": 1, "regEspTrib": 0 } });
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfse"), &settings).await.ok(200);
    tenant
}

async fn municipal(app: &TestApp) -> Tenant {
    let tenant = issuer(app).await;
    municipal_services::configure(&tenant).await;
    tenant
}

#[tokio::test]
async fn a_recipe_of_each_family_is_issued_by_hand_and_authorised() {
    let app = TestApp::start().await;
    let (tenant, of_lavras) = (national(&app).await, municipal(&app).await);
    let (mut person, _) = Browser::of(&app, &tenant, "homologacao").await;
    let (mut other, _) = Browser::of(&app, &of_lavras, "homologacao").await;
    let choice = person.get(ADDRESS).await.text();
    for (recipe, tipo, field, typed) in [
        ("venda-presencial", "nfe", "nota.produtos[0].xProd", "Agenda verde"),
        ("nota", "nfe", "nota.destinatario.xNome", "Maria & José da Silva"),
        ("nfce-pix-com-cpf", "nfce", "nota.identificacao.natOp", "Venda"),
        ("cte", "cte", "nota.carga.proPred", "Livros usados"),
        ("cte-os", "cte", "nota.servico.xDescServ", "Fretamento eventual"),
        ("nfse", "nfse", "nota.serv.cServ.xDescServ", "Conserto de sistemas"),
        ("nfse-municipal", "nfse", "nota.servico.discriminacao", "Suporte\r\nde dezembro"),
    ] {
        assert!(choice.contains(&format!("href=\"{ADDRESS}?receita={recipe}\"")), "{recipe}");
        let (person, tenant) =
            if recipe == "nfse-municipal" { (&mut other, &of_lavras) } else { (&mut person, &tenant) };
        let form = begun(person, &format!("receita={recipe}")).await.set(field, typed);
        assert_eq!(form.text("cpf_cnpj"), NUMERIC);
        let checked = form.press(person, "verificar").await;
        assert!(
            checked.status == 200 && checked.text().contains("nada impede a emissão"),
            "{recipe}: {}",
            checked.text()
        );
        let previewed = form.press(person, "previa").await;
        assert!(previewed.status == 200 && previewed.bytes.starts_with(b"%PDF-"), "{recipe}: {}", previewed.text());
        // the checked page is sent, as the person would
        let job = outcome(tenant, tipo, accepted(&FilledForm::of(&checked).press(person, "emitir").await)).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{recipe}: {job:#}");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_rejected_document_is_corrected_under_its_number_and_both_name_each_other() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let (mut person, user) = Browser::of(&app, &tenant, "homologacao").await;
    let mut body = body::refused_with(610);
    body["referencia_externa"] = json!("PED1");
    let rejected = issued(&tenant.test, &body).await;
    assert_eq!(rejected["nota"]["status"], "rejeitada", "{rejected}");
    let old = rejected["job_id"].as_str().unwrap();
    let page = person.get(&format!("{ADDRESS}?de={old}")).await;
    for shown in
        ["Corrigir e emitir de novo", "PED1", "(610)", "tinha o número 1", &format!("/painel/documentos/{old}")]
    {
        assert!(page.text().contains(shown), "{shown}: {}", page.text());
    }
    let form = FilledForm::of(&page).set("nota.produtos[0].xProd", "CADERNO 96 FOLHAS");
    assert_eq!(form.text("referencia_externa"), "PED1C1");
    let new = accepted(&form.press(&mut person, "emitir").await);
    // a second press of the button sends nothing twice
    assert_eq!(accepted(&form.press(&mut person, "emitir").await), new);
    let job = outcome(&tenant, "nfe", new).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["numero"]), (&json!("autorizada"), &json!(1)), "{job:#}");
    assert_eq!(job["referencia_externa"], "PED1C1");
    let log = |id: String| {
        let client = tenant.test.clone();
        async move { client.get(&format!("/v1/nfe/{id}/file/log")).await.text() }
    };
    let (own, others) = (log(new.to_string()).await, log(old.to_owned()).await);
    assert!(own.contains(&user.email) && own.contains(&format!("corrige o job {old} (referência PED1)")), "{own}");
    assert!(others.contains(&format!("o job {new}")), "{others}");
    let trail = app.store.audit_trail(tenant.id, store::audit::AuditFilter::default(), 100, 0).await.unwrap().0;
    let acts: Vec<_> = trail.iter().filter(|act| act.ato == "operacao_pedida").collect();
    assert_eq!(acts.len(), 1);
    assert_eq!(acts[0].detalhes["a_partir_de"], old, "{:?}", acts[0]);
    assert_eq!((acts[0].ator_nome.as_deref(), acts[0].alvo.clone()), (Some(user.email.as_str()), new.to_string()));
    // the next correction has the next reference
    assert_eq!(begun(&mut person, &format!("de={old}")).await.text("referencia_externa"), "PED1C2");
    app.finish().await;
}

#[tokio::test]
async fn an_unchanged_document_is_issued_again_with_the_payload_it_had() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let (mut person, _) = Browser::of(&app, &tenant, "homologacao").await;
    let mut body = body::emission(NUMERIC);
    body["nota"]["loja"] = json!({ "id": 7, "fila": [[1], true], "a.b": "x" });
    let mut second = body::item("50.50");
    second["vUnCom"] = body::number("2.525");
    body["nota"]["produtos"].as_array_mut().unwrap().push(second);
    body["nota"]["pagamentos"][0]["vPag"] = body::number("150.50");
    body["nota"]["informacoes_adicionais"] = json!({ "infCpl": "primeira linha\nsegunda <b>linha</b>" });
    let first = issued(&tenant.test, &body).await;
    assert_eq!(first["nota"]["status"], "autorizada", "{first}");
    let page = person.get(&format!("{ADDRESS}?de={}", first["job_id"].as_str().unwrap())).await;
    assert!(
        page.text().contains("Seguem com o documento") && page.text().contains("nota.loja.fila[0]"),
        "{}",
        page.text()
    );
    assert!(!page.text().contains("<b>linha"));
    let form = FilledForm::of(&page);
    // the unknown member is a warning that a person sees once
    let warned = form.press(&mut person, "emitir").await;
    assert!(warned.status == 422 && warned.text().contains("Emitir mesmo assim"), "{}", warned.text());
    let second = accepted(&FilledForm::of(&warned).press(&mut person, "emitir-assim").await);
    assert_eq!(outcome(&tenant, "nfe", second).await["nota"]["status"], "autorizada");
    let payload = async |id: Uuid| {
        let job = app.store.job(Visibility::whole(tenant.id), id).await.unwrap();
        serde_json::from_str::<Value>(&job.payload.text().unwrap()).unwrap()
    };
    let (before, after) = (payload(first["job_id"].as_str().unwrap().parse().unwrap()).await, payload(second).await);
    assert_eq!(before["nota"].to_string(), after["nota"].to_string());
    assert_eq!(after["nota"].to_string(), body["nota"].to_string());
    app.finish().await;
}

#[tokio::test]
async fn a_wrong_field_is_told_beside_it_and_keeps_what_was_typed() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let (mut person, _) = Browser::of(&app, &tenant, "homologacao").await;
    let script = "\"><script>alert('x')</script>";
    let form = begun(&mut person, "receita=venda-presencial").await;
    let wrong = form
        .clone()
        .set("nota.destinatario.CNPJCPF", "111.222.333-44")
        .set("nota.destinatario.xNome", script)
        .set("nota.produtos[1].vProd", "doze")
        .set("nota.identificacao.natOp", "")
        .set("referencia_externa", "com espaço");
    for (acao, status) in [("emitir", 422), ("verificar", 422)] {
        let page = wrong.press(&mut person, acao).await;
        assert_eq!(page.status.as_u16(), status, "{acao}: {}", page.text());
        assert!(label(&page, "referencia_externa").contains("class=\"falha\""), "{}", page.text());
    }
    let wrong = wrong.set("referencia_externa", "COMESPACO");
    for (acao, status) in [("verificar", 200), ("emitir", 422), ("emitir-assim", 422), ("previa", 422)] {
        let page = wrong.press(&mut person, acao).await;
        assert_eq!(page.status.as_u16(), status, "{acao}: {}", page.text());
        assert!(!page.text().contains("<script>"), "{}", page.text());
        for (name, typed) in [
            ("nota.destinatario.CNPJCPF", "111.222.333-44"),
            ("nota.produtos[1].vProd", "doze"),
            ("nota.identificacao.natOp", ""),
        ] {
            let label = label(&page, name);
            assert!(
                label.contains("aria-invalid=\"true\"") && label.contains("class=\"falha\""),
                "{acao} {name}: {label}"
            );
            let id = name.replace(['.', '['], "-").replace(']', "");
            assert!(
                page.text().contains(&format!("href=\"#{id}\"")) && label.contains(&format!("id=\"{id}\"")),
                "{name}"
            );
            assert_eq!(FilledForm::of(&page).text(name), typed);
        }
        assert_eq!(FilledForm::of(&page).text("nota.destinatario.xNome"), script);
    }
    assert_eq!(notes(&tenant).await, 0);
    // what the authority would refuse is foretold, and may be sent all the same
    let predicted = form.set("nota.produtos[0].CFOP", "6102");
    let page = predicted.press(&mut person, "emitir").await;
    assert!(page.status == 422 && label(&page, "nota.produtos[0].CFOP").contains("Rejeição: "), "{}", page.text());
    let job = accepted(&FilledForm::of(&page).press(&mut person, "emitir-assim").await);
    assert_eq!(outcome(&tenant, "nfe", job).await["nota"]["status"], "rejeitada");
    app.finish().await;
}

#[tokio::test]
async fn items_are_added_and_removed_and_groups_opened_without_a_script() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let (mut person, _) = Browser::of(&app, &tenant, "homologacao").await;
    let form = begun(&mut person, "receita=nota").await.set("nota.produtos[0].xProd", "Caderno de 200 folhas");
    let more = FilledForm::of(&form.press(&mut person, "mais:nota.produtos").await);
    assert_eq!(more.text("nota.produtos[1].xProd"), "Caderno de 200 folhas");
    let more = more
        .set("nota.produtos[1].xProd", "Lápis")
        .set("nota.produtos[1].qCom", "3")
        .set("nota.produtos[1].vUnCom", "1.10")
        .set("nota.produtos[1].vProd", "3.30");
    let three = FilledForm::of(&more.press(&mut person, "mais:nota.produtos").await);
    assert!(three.has("nota.produtos[2].xProd"));
    let two = FilledForm::of(&three.press(&mut person, "menos:nota.produtos[0]").await);
    assert!(!two.has("nota.produtos[2].xProd"));
    assert!(!two.has("nota.transportador.modFrete"));
    let opened = FilledForm::of(&two.press(&mut person, "abrir:nota.transportador").await);
    let form = opened.set("nota.transportador.modFrete", "9").set("nota.pagamentos[0].vPag", "6.60");
    let opened = FilledForm::of(&form.press(&mut person, "abrir:nota.retirada").await);
    let job = accepted(&opened.press(&mut person, "emitir").await);
    assert_eq!(outcome(&tenant, "nfe", job).await["nota"]["status"], "autorizada");
    let payload = app.store.job(Visibility::whole(tenant.id), job).await.unwrap().payload;
    let payload: Value = serde_json::from_str(&payload.text().unwrap()).unwrap();
    let nota = &payload["nota"];
    let sold: Vec<&Value> = nota["produtos"].as_array().unwrap().iter().map(|item| &item["vProd"]).collect();
    assert_eq!(sold, [&json!("3.30"), &json!("3.30")]);
    // what was not touched keeps its type, and a group that stayed empty is not there
    assert_eq!((nota["identificacao"]["tpNF"].clone(), nota.get("retirada")), (json!(1), None));
    assert_eq!(nota["transportador"], json!({ "modFrete": "9" }));
    app.finish().await;
}

#[tokio::test]
async fn production_is_named_and_nothing_goes_there_unasked() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let (mut person, _) = Browser::of(&app, &tenant, "homologacao").await;
    let (mut live, _) = Browser::of(&app, &tenant, "producao").await;
    // the form was opened while the company was in homologação
    let opened = begun(&mut live, "receita=nota").await;
    tenant.live.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 1, "serie": "1" })).await.ok(200);
    let refused = opened.press(&mut live, "emitir").await;
    assert!(refused.status == 422 && refused.text().contains("iria para a PRODUÇÃO"), "{}", refused.text());
    assert!(refused.text().contains("Emitir em PRODUÇÃO"), "{}", refused.text());
    assert_eq!(tenant.live.get("/v1/notas").await.ok(200)["total"], 0);
    assert!(!person.get(&format!("{ADDRESS}?receita=nota")).await.text().contains("Emitir em PRODUÇÃO"));
    // and then it is issued there, and is not seen from homologação
    let job = accepted(&FilledForm::of(&refused).press(&mut live, "emitir").await);
    let ended = ended(&tenant.live, &json!({ "consulta": format!("/v1/nfe/consultar/{job}") })).await;
    assert_eq!((&ended["nota"]["status"], &ended["ambiente"]), (&json!("autorizada"), &json!("producao")), "{ended:#}");
    assert_eq!(person.get(&format!("{ADDRESS}?de={job}")).await.status, 404);
    assert_eq!(live.get(&format!("{ADDRESS}?de={job}")).await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn a_production_session_begins_with_documents_of_production() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let first = issued(&tenant.test, &body::emission(NUMERIC)).await;
    let id = first["job_id"].as_str().unwrap();
    for (ambiente, is_there) in [("homologacao", true), ("producao", false)] {
        let (mut person, _) = Browser::of(&app, &tenant, ambiente).await;
        let choice = person.get(ADDRESS).await.text();
        let is_empty = choice.contains("Nenhum documento emitido ainda neste ambiente");
        assert_eq!((choice.contains(id), is_empty), (is_there, !is_there), "{ambiente}: {choice}");
    }
    app.finish().await;
}

/// Registers companies that are newer than all others of the account, without a certificate.
async fn newer_companies(app: &TestApp, tenant: &Tenant, number: u32) {
    let base = (100_u32..).map(|root| format!("{root:08}0001"));
    for twelve in base.take(number as usize) {
        let both = (0..100).map(|check| format!("{twelve}{check:02}"));
        let cnpj = both.filter_map(|text| fiscal::value::CnpjCpf::parse(&text).ok()).next().unwrap();
        let dados = body::company(cnpj.as_str());
        app.store.create_company(tenant.id, cnpj, dados, &Actor::operator(), app.clock_s() + 1).await.unwrap();
    }
}

#[tokio::test]
async fn a_company_beyond_the_list_is_typed_and_issues_in_production() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    tenant.live.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 1, "serie": "1" })).await.ok(200);
    newer_companies(&app, &tenant, 201).await;
    let (mut live, _) = Browser::of(&app, &tenant, "producao").await;
    for path in ["/painel/exportacoes", "/painel/documentos"] {
        let page = live.get(path).await.text();
        assert!(page.contains("<input id=\"empresa\" name=\"empresa\" list=\"empresa-opcoes\""), "{path}: {page}");
    }
    let form = begun(&mut live, "receita=nota").await.set("cpf_cnpj", "11.222.333/0001-81");
    let checked = form.press(&mut live, "verificar").await;
    assert!(checked.text().contains("Emitir em PRODUÇÃO"), "{}", checked.text());
    assert!(label(&checked, "cpf_cnpj").contains("<input"), "{}", checked.text());
    let job = accepted(&FilledForm::of(&checked).press(&mut live, "emitir").await);
    let ended = ended(&tenant.live, &json!({ "consulta": format!("/v1/nfe/consultar/{job}") })).await;
    assert_eq!((&ended["nota"]["status"], &ended["ambiente"]), (&json!("autorizada"), &json!("producao")), "{ended:#}");
    app.finish().await;
}

#[tokio::test]
async fn what_is_anothers_what_no_page_sent_and_what_is_no_document_is_refused() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let stranger = app.issuer(body::ALPHANUMERIC).await;
    let (mut person, _) = Browser::of(&app, &tenant, "homologacao").await;
    let (mut other, _) = Browser::of(&app, &stranger, "homologacao").await;
    let first = issued(&tenant.test, &body::emission(NUMERIC)).await;
    let id = first["job_id"].as_str().unwrap();
    let mut nobody = Browser::new(&app);
    for query in ["", "?receita=nota", &format!("?de={id}")] {
        let led = nobody.get(&format!("{ADDRESS}{query}")).await;
        assert_eq!((led.status.as_u16(), led.header("location")), (303, "/painel/entrar"));
    }
    assert_eq!(other.get(&format!("{ADDRESS}?de={id}")).await.status, 404);
    assert!(!other.get(ADDRESS).await.text().contains(id) && person.get(ADDRESS).await.text().contains(id));
    for query in ["de=x", "de=01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e", "receita=..%2Fempresa", "receita=%3Cscript%3E"] {
        let page = person.get(&format!("{ADDRESS}?{query}")).await;
        assert!(page.status == 404 && !page.text().contains("<script>"), "{query}: {}", page.text());
    }
    let form = begun(&mut person, "receita=nota").await;
    let fields: Vec<(&str, &str)> = form.0.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let sent: Vec<(&str, &str)> = fields.iter().copied().chain([("acao", "emitir")]).collect();
    let anothers = proof(&other.get("/painel").await);
    let forged: Vec<(&str, &str)> =
        sent.iter().map(|(name, text)| (*name, if *name == "prova" { anothers.as_str() } else { text })).collect();
    let base = person.client.base_url.clone();
    for (origin, fields) in [(None, &sent), (Some("https://mau.com"), &sent), (Some(base.as_str()), &forged)] {
        assert_eq!(person.clone().post_from(origin, ADDRESS, fields).await.status, 403, "{origin:?}");
    }
    // a company of another account, a reference of another document
    let page = form.clone().set("cpf_cnpj", body::ALPHANUMERIC).press(&mut person, "emitir").await;
    assert!(page.status == 422 && label(&page, "cpf_cnpj").contains("falha"), "{}", page.text());
    let mut used = body::emission(NUMERIC);
    used["referencia_externa"] = json!("USADA1");
    issued(&tenant.test, &used).await;
    let page = form.clone().set("referencia_externa", "USADA1").press(&mut person, "emitir").await;
    assert!(
        page.status == 422 && label(&page, "referencia_externa").contains("já é de outro documento"),
        "{}",
        page.text()
    );
    // forms that no browser sends
    for (name, text, status) in [
        ("rascunho", "{", 400),
        ("rascunho", "[]", 400),
        ("familia", "mdfe", 404),
        ("de", "x", 404),
        ("nota.produtos[7].xProd", "x", 400),
        ("nota.identificacao[0]", "x", 400),
    ] {
        let mut odd = form.clone();
        odd.0.retain(|(found, _)| found != name);
        odd.0.push((name.to_owned(), text.to_owned()));
        let answer = odd.press(&mut person, "emitir").await;
        assert_eq!(answer.status.as_u16(), status, "{name}={text}: {}", answer.text());
    }
    let mut many = form.clone();
    many.0.extend((0..20_000).map(|number| (format!("a{number}"), String::new())));
    assert_eq!(many.press(&mut person, "emitir").await.status, 413);
    assert_eq!(notes(&tenant).await, 2);
    app.finish().await;
}

#[tokio::test]
async fn an_account_without_a_company_is_led_to_its_registration() {
    let app = TestApp::start().await;
    let (mut empty, _) = Browser::of(&app, &app.tenant().await, "homologacao").await;
    assert!(empty.get(ADDRESS).await.text().contains("Cadastre a primeira"));
    let form = begun(&mut empty, "receita=nota").await;
    assert_eq!(form.press(&mut empty, "emitir").await.status, 422);
    app.finish().await;
}

#[tokio::test]
async fn a_long_document_is_folded_and_goes_through_whole() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let (mut person, _) = Browser::of(&app, &tenant, "homologacao").await;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"] = (0..150).map(|_| body::item("100.00")).collect();
    body["nota"]["pagamentos"][0]["vPag"] = body::number("15000.00");
    let first = issued(&tenant.test, &body).await;
    assert_eq!(first["nota"]["status"], "autorizada", "{first}");
    let form = begun(&mut person, &format!("de={}", first["job_id"].as_str().unwrap())).await;
    let changed = form.set("nota.produtos[149].xProd", "Último caderno");
    let job = accepted(&changed.press(&mut person, "emitir").await);
    let job = outcome(&tenant, "nfe", job).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    let xml = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    assert!(xml.matches("<det nItem").count() == 150 && xml.contains("ltimo caderno"), "{}", xml.len());
    app.finish().await;
}
