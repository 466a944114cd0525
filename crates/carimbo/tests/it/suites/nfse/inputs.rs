//! Real inputs of the NFS-e, each in a row of `inputs.json` with its source and its expected outcome; below the table
//! those with more than one step.
//!
//! A row is merged into the example of its route. Clocks stand at the day of the row.

use serde_json::{Map, Value, json};

use super::{issued, path};
use crate::support::app::{Tenant, TestApp, ended, job_when};
use crate::support::body::NUMERIC;
use crate::support::municipal_services::there;
use crate::support::services::another;

const CACOAL: &str = "1100049";
const SAO_PAULO: &str = "3550308";
const RIO: &str = "3304557";
const MUNICIPAL: &str = "/v1/nfse/govdigital/emitir";
const NATIONAL: &str = "/v1/nfse/emitir";

fn configuration() -> String {
    format!("/v1/empresas/{NUMERIC}/nfse")
}

/// A company with the configuration of a row.
async fn company(app: &TestApp, settings: &Value) -> Tenant {
    let tenant = app.issuer(NUMERIC).await;
    tenant.test.put(&configuration(), settings).await.ok(200);
    tenant
}

/// Merges objects recursively; any other value replaces, and null removes.
fn lay(over: &Value, under: &mut Value) {
    match (over, under) {
        (Value::Object(over), Value::Object(under)) => {
            for (name, value) in over {
                match value {
                    Value::Object(members) if members.get("nulo") == Some(&Value::Bool(true)) => {
                        under.insert(name.clone(), Value::Null);
                    }
                    Value::Null => drop(under.remove(name)),
                    value => lay(value, under.entry(name.clone()).or_insert_with(|| Value::Object(Map::new()))),
                }
            }
        }
        (over, under) => *under = over.clone(),
    }
}

/// `true` if a finding is as the row requires.
fn matches(found: &Value, wanted: &Value) -> bool {
    let text = |value: &Value, name: &str| value[name].as_str().map(str::to_owned);
    let same = |name: &str| wanted.get(name).is_none_or(|_| text(found, name) == text(wanted, name));
    let says = wanted["diz"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mensagem = text(found, "mensagem").unwrap_or_default();
    same("campo") && same("codigo") && same("sugestao") && says.into_iter().all(|words| mensagem.contains(words))
}

/// Returns required findings that an answer lacks, and findings that are not allowed.
fn differences(answer: &Value, row: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for list in ["avisos", "erros"] {
        let found: Vec<&Value> = answer[list].as_array().into_iter().flatten().collect();
        for wanted in row[list].as_array().into_iter().flatten() {
            if !found.iter().any(|found| matches(found, wanted)) {
                wrong.push(format!("{list} without {wanted}: {answer}"));
            }
        }
        for unwanted in row[&format!("sem_{list}")].as_array().into_iter().flatten() {
            if found.iter().any(|found| matches(found, unwanted)) {
                wrong.push(format!("{list} with {unwanted}: {answer}"));
            }
        }
    }
    wrong
}

/// Returns the differences of the resulting note, where a row describes it.
async fn differences_of_end(tenant: &Tenant, job: &Value, row: &Value) -> Vec<String> {
    let Some(end) = row["fim"].as_str() else { return Vec::new() };
    if job["nota"]["status"] != end {
        return vec![format!("not {end}: {job}")];
    }
    let xml = tenant.test.get(&path(job, row["arquivo"].as_str().unwrap_or("xml"))).await.text();
    let wanted = row["xml"].as_array().into_iter().flatten().filter_map(Value::as_str);
    wanted.filter(|text| !xml.contains(text)).map(|text| format!("no {text} in {xml}")).collect()
}

/// Runs a row in an application of its own.
async fn differs(row: &Value) -> Vec<String> {
    let app = TestApp::start().await;
    let day = row["dia"].as_str().unwrap_or("2026-11-28");
    app.stand_at(format!("{day}T15:00:00Z").parse().unwrap()).await;
    let is_municipal = row["rota"] == "municipal";
    let mut settings = match is_municipal {
        true => {
            json!({ "ambiente": 2, "codigo_municipio": CACOAL, "inscricao_municipal": "12345", "provedor": "webiss",
            "versao": "2.02", "aliquota": "percentual", "regime": { "opSimpNac": 1, "regEspTrib": 0 } })
        }
        false => json!({ "ambiente": 2, "codigo_municipio": SAO_PAULO, "provedor": "nacional",
            "regime": { "opSimpNac": 1, "regEspTrib": 0 } }),
    };
    if let Some(over) = row.get("empresa") {
        lay(over, &mut settings);
    }
    let tenant = company(&app, &settings).await;
    let municipio = settings["codigo_municipio"].as_str().unwrap().to_owned();
    let mut body = if is_municipal { there(&municipio, "I1") } else { another("I1") };
    if let Some(whole) = row.get("nota_inteira") {
        body["nota"] = whole.clone();
    }
    if let Some(over) = row.get("nota") {
        lay(over, &mut body["nota"]);
    }
    let answer = tenant.test.post(if is_municipal { MUNICIPAL } else { NATIONAL }, &body).await;
    let (status, answer) = (answer.status.as_u16(), answer.json());
    let mut wrong = differences(&answer, row);
    if u64::from(status) != row["http"].as_u64().unwrap() {
        wrong.push(format!("HTTP {status}: {answer}"));
    }
    if status == 202 {
        let job = ended(&tenant.test, &answer).await;
        wrong.extend(differences_of_end(&tenant, &job, row).await);
    }
    app.finish().await;
    wrong
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_becomes_what_its_source_says() {
    let rows: Vec<Value> = serde_json::from_str(include_str!("inputs.json")).unwrap();
    let mut wrong = Vec::new();
    for row in &rows {
        assert!(row["fonte"].as_str().is_some_and(|source| source.len() > 10), "{row}");
        wrong.extend(differs(row).await.into_iter().map(|why| format!("{}: {why}", row["caso"])));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows.len() >= 20, "{} are few", rows.len());
}

/// TSSerieDPS has digits alone, TSNumDPS fifteen of them.
#[tokio::test]
async fn a_series_with_letters_is_refused_where_declarations_are_national_and_numbers_have_fifteen_digits() {
    let app = TestApp::start().await;
    let tenant = super::provider(&app).await;
    for settings in [json!({ "serie": "A" }), json!({ "provedor": null, "codigo_municipio": RIO, "serie": "NF" })] {
        let refusal = tenant.test.put(&configuration(), &settings).await.refused(422, "validacao");
        assert_eq!(refusal["erros"][0]["campo"], "serie", "{refusal}");
    }
    let municipal = json!({ "provedor": "webiss", "versao": "2.02", "codigo_municipio": CACOAL, "serie": "NF" });
    tenant.test.put(&configuration(), &municipal).await.ok(200);
    let back = json!({ "provedor": "nacional", "codigo_municipio": SAO_PAULO });
    let refusal = tenant.test.put(&configuration(), &back).await.refused(422, "validacao");
    assert_eq!(refusal["erros"][0]["campo"], "serie", "the series that is kept: {refusal}");
    let mut whole = back.clone();
    lay(&json!({ "serie": 1, "proximo_numero": 202_600_000_001_u64 }), &mut whole);
    let shown = tenant.test.put(&configuration(), &whole).await.ok(200);
    assert_eq!(shown["proximo_numero"], 202_600_000_001_u64, "{shown}");
    assert_eq!(issued(&tenant, &another("N1")).await["nota"]["numero_dps"], 202_600_000_001_u64);
    let beyond = json!({ "proximo_numero": 1_000_000_000_000_000_u64 });
    tenant.test.put(&configuration(), &beyond).await.refused(422, "validacao");
    app.finish().await;
}

/// The parameters of the município are read for the configuration of the guide too.
#[tokio::test]
async fn parameters_are_read_for_a_company_whose_provider_is_the_national_one() {
    let app = TestApp::start().await;
    let tenant = super::provider(&app).await;
    let mut body = another("B1");
    lay(
        &json!({ "valores": { "trib": { "tribMun": { "BM": { "nBM": "35503080109999", "pRedBCBM": "10.00" } } } } }),
        &mut body["nota"],
    );
    let checked = tenant.test.post("/v1/nfse/verificar-campos", &body).await.ok(200);
    assert!(checked["rejeicoes_previstas"].to_string().contains("E0541"), "{checked}");
    let job = ended(&tenant.test, &tenant.test.post(NATIONAL, &body).await.ok(202)).await;
    assert!(job["nota"]["rejeicoes"].to_string().contains("E0541"), "{job:#}");
    let asked = app.control.get("/_sim/contadores").await.ok(200)["por_servico"]["GET /parametrizacao"].clone();
    assert!(asked.as_u64().is_some_and(|asked| asked > 0), "{asked}");
    app.finish().await;
}

/// A key as the XML has it in the `Id`, and what is none.
#[tokio::test]
async fn a_key_is_taken_with_its_prefix_and_messages_speak_of_fifty_positions() {
    let app = TestApp::start().await;
    let tenant = super::provider(&app).await;
    let job = issued(&tenant, &another("C1")).await;
    let chave = job["nota"]["chave"].as_str().unwrap();
    let cancel = |chave: &str| json!({ "cpf_cnpj": NUMERIC, "chave": chave, "justificativa": "Serviço não prestado ao cliente" });
    for wrong in [&chave[..49], "NFS123", "35"] {
        let refusal = tenant.test.post("/v1/nfse/cancelar", &cancel(wrong)).await.refused(422, "validacao");
        let mensagem = refusal["mensagem"].as_str().unwrap();
        assert!(mensagem.contains("50 posições") && !mensagem.contains("44"), "{refusal}");
        let asked = json!({ "cpf_cnpj": NUMERIC, "chave": wrong });
        let refusal = tenant.test.post("/v1/nfse/consultar-sefaz", &asked).await.refused(422, "validacao");
        assert!(refusal["mensagem"].as_str().unwrap().contains("50 posições"), "{refusal}");
    }
    let found = tenant.test.get(&format!("/v1/notas/NFS{chave}")).await.ok(200);
    assert_eq!(found["job_id"], job["job_id"]);
    let mut replacing = another("C2");
    replacing["nota"]["subst"] = json!({ "chSubstda": format!("NFS{chave}"), "cMotivo": "05" });
    assert_eq!(issued(&tenant, &replacing).await["nota"]["status"], "autorizada");
    let job = issued(&tenant, &another("C3")).await;
    let prefixed = cancel(&format!("NFS{}", job["nota"]["chave"].as_str().unwrap()));
    let cancelled = ended(&tenant.test, &tenant.test.post("/v1/nfse/cancelar", &prefixed).await.ok(202)).await;
    assert_eq!(cancelled["nota"]["status"], "cancelada", "{cancelled:#}");
    app.finish().await;
}

/// The Sefin writes event 105102 and does not send it: it is fetched on demand.
#[tokio::test]
async fn the_event_of_a_substituted_note_is_fetched_and_kept() {
    let app = TestApp::start().await;
    let tenant = super::provider(&app).await;
    let first = issued(&tenant, &another("S1")).await;
    let mut replacing = another("S2");
    replacing["nota"]["subst"] = json!({ "chSubstda": first["nota"]["chave"], "cMotivo": "05" });
    issued(&tenant, &replacing).await;
    let now = tenant.test.get(&format!("/v1/nfse/consultar/{}", first["job_id"].as_str().unwrap())).await.ok(200);
    let file = now["arquivos"]["xml_cancelamento"].as_str().unwrap().to_owned();
    let fault = json!({ "tipo": "http_status", "servico": "GET /nfse/eventos", "vezes": 1 });
    app.control.post("/_sim/falhas", &fault).await;
    for _ in 0..3 {
        let xml = tenant.test.get(&file).await;
        if xml.status.as_u16() == 200 {
            assert!(xml.text().contains("<e105102>"), "{}", xml.text());
            break;
        }
        xml.refused(409, "arquivo_indisponivel");
    }
    let asked = async || app.control.get("/_sim/contadores").await.ok(200)["por_servico"].to_string();
    let before = asked().await;
    let xml = tenant.test.get(&file).await;
    assert!(xml.status.as_u16() == 200 && xml.text().contains("<e105102>"), "{}", xml.text());
    assert_eq!(asked().await, before, "kept");
    app.finish().await;
}

/// A number that another program used (here another account, of the same company): the error names the setting.
#[tokio::test]
async fn a_used_number_points_at_the_next_number_of_the_configuration() {
    assert!(fiscal::nfse::rules::advice("E0014").is_some_and(|advice| advice.contains("proximo_numero")));
    let app = TestApp::start().await;
    let other = super::provider(&app).await;
    issued(&other, &another("U0")).await;
    let tenant = super::provider(&app).await;
    let mut body = another("U1");
    // of the same words in the same second it would be the same declaration
    body["nota"]["valores"]["vServ"] = json!(900);
    let accepted = tenant.test.post(NATIONAL, &body).await.ok(202);
    let job = job_when(&tenant.test, &accepted, |job| job["status"] == "failed" || job["status"] == "completed").await;
    assert_ne!(job["nota"]["status"], "autorizada", "{job:#}");
    assert!(job.to_string().contains("proximo_numero"), "{job:#}");
    app.finish().await;
}

/// A city that changed to the national emitter is national before its convênio was read; the answer names the source.
#[tokio::test]
async fn the_map_of_cities_says_who_is_for_and_against_and_since_when() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    for (codigo, before) in
        [(RIO, "ISSRio 1.00"), ("3106200", "BHISS 1.00"), ("2611606", "ISSRecife 1.00"), ("4314902", "BHISS 1.00")]
    {
        let told = tenant.test.get(&format!("/v1/nfse/municipios/{codigo}")).await.ok(200);
        assert_eq!((&told["caminho"], &told["convenio"]["lido"]), (&json!("nacional"), &json!(false)), "{told:#}");
        assert_eq!(told["producao"]["utilizavel"], false, "{told:#}");
        let why = told["porque"].to_string();
        assert!(why.contains("planilha oficial de adesões") && why.contains(before), "{told:#}");
        assert!(why.contains("Resolução CGSN 191"), "{told:#}");
    }
    let told = tenant.test.get(&format!("/v1/nfse/municipios/{CACOAL}")).await.ok(200);
    assert_eq!(told["caminho"], "municipal", "{told:#}");
    let why = told["porque"].to_string();
    assert!(why.contains("a favor: ACBr 28/06/2026") && why.contains("28/06/2026"), "{told:#}");
    assert!(told["precisa"].to_string().contains("unidade da alíquota"), "{told:#}");
    // no query was made
    let asked = app.control.get("/_sim/contadores").await.ok(200)["por_servico"]["GET /parametrizacao"].clone();
    assert!(asked.is_null() || asked == 0, "{asked}");
    app.finish().await;
}
