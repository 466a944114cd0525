//! Every answer of every GET route, and its differences from the next version's answer.

use super::fill::FilledAccount;
use crate::lab::client::{LabAnswer, LabClient};
use crate::lab::{CNPJ, EMAIL, Lab};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Status and body by path.
pub(super) type AnswersByPath = BTreeMap<String, (u16, Value)>;

/// Returns the paths to query: each job in all its forms, and every list with each of its filters.
pub(super) fn paths_to_query(lab: &Lab, filled: &FilledAccount) -> Result<Vec<String>> {
    let mut all: Vec<String> = LISTS.iter().map(|path| path.replace("{cnpj}", CNPJ)).collect();
    for job in &filled.jobs {
        let (tipo, id) = (job.tipo, &job.id);
        all.push(format!("/v1/{tipo}/consultar/{id}"));
        all.push(format!("/v1/jobs/{id}/itens"));
        all.extend(["xml", "xml_cancelamento", "log"].map(|file| format!("/v1/{tipo}/{id}/file/{file}")));
        if tipo == "nfe" {
            all.push(format!("/v1/nfe/{id}/eventos"));
        }
        all.extend(job.chave.iter().map(|chave| format!("/v1/notas/{chave}")));
    }
    let received = lab.client()?.get("/v1/nfe/recebidas")?;
    for chave in received["notas"].as_array().into_iter().flatten().filter_map(|one| one["chave"].as_str()) {
        all.extend([format!("/v1/nfe/recebidas/{chave}"), format!("/v1/nfe/recebidas/{chave}/xml")]);
    }
    for page in 1..=filled.jobs.len() / 100 + 1 {
        all.push(format!("/v1/notas?limite=100&pagina={page}"));
    }
    check_coverage(lab, &all)?;
    Ok(all)
}

/// Fails when a GET route is neither queried nor listed in `UNCOMPARED_ROUTES`.
fn check_coverage(lab: &Lab, questions: &[String]) -> Result<()> {
    let description = lab.client()?.send("GET", "/docs/json", b"")?.json()?;
    for (path, methods) in description["paths"].as_object().context("paths")? {
        let begins = path.split('{').next().unwrap_or(path);
        let asked = questions.iter().any(|question| question.starts_with(begins));
        if methods.get("get").is_some() && !asked && !UNCOMPARED_ROUTES.iter().any(|prefix| path.starts_with(prefix)) {
            anyhow::bail!("nobody asks {path}");
        }
    }
    Ok(())
}

/// Lists and reports of the account.
const LISTS: &[&str] = &[
    "/v1/auth/me",
    "/v1/auth/api-keys",
    "/v1/auth/auditoria",
    "/v1/auth/notas",
    "/v1/webhooks/segredo",
    "/v1/webhooks/entregas",
    "/v1/cotas",
    "/v1/empresas",
    "/v1/empresas/{cnpj}",
    "/v1/empresas/{cnpj}/logo",
    "/v1/empresas/{cnpj}/distribuicao",
    "/v1/empresas/certificados",
    "/v1/empresas/numeracao?tipo=nfe&lacunas=true",
    "/v1/empresas/numeracao?tipo=nfce&lacunas=true",
    "/v1/empresas/numeracao",
    "/v1/nfe/recebidas",
    "/v1/notas?status=cancelada",
    "/v1/notas?status=denegada",
    "/v1/notas?status=rejeitada",
    "/v1/notas?tipo=nfce",
    "/v1/notas?serie=9",
    "/v1/jobs/erros",
    "/v1/jobs/erros?formato=resumo",
    "/v1/jobs/rejeitadas",
    "/v1/jobs/rejeitadas?formato=resumo",
    "/v1/jobs/localizar?referencia_externa=VENDA11222333000181N7",
];

/// Routes whose answers depend on the moment, on the version, or on no account.
const UNCOMPARED_ROUTES: &[&str] = &[
    "/docs",
    "/health",
    "/status",
    "/swagger",
    "/v1/cep",
    "/v1/cnpj",
    "/v1/ncm",
    "/v1/diagnostico",
    "/v1/nfe/status-servico",
    "/v1/nfe/cadastro",
    "/v1/cte",
];

/// Opens a session, for routes closed to keys; it outlives the older version.
pub(super) fn session(lab: &Lab) -> Result<String> {
    let mut client = lab.client()?;
    let login = json!({ "email": EMAIL, "senha": lab.senha });
    let session = client.send_for_json("POST", "/v1/auth/login", &login)?;
    Ok(session["token"].as_str().context("no token")?.to_owned())
}

/// Queries all paths.
pub(super) fn query_paths(lab: &Lab, questions: &[String], session: &str) -> Result<AnswersByPath> {
    let mut client = lab.client()?;
    let mut answers = AnswersByPath::new();
    for question in questions {
        let mut answer = client.send("GET", question, b"")?;
        if matches!(answer.status, 401 | 403) {
            answer = as_user(&mut client, question, session)?;
        }
        let value = answer.json().unwrap_or_else(|_| Value::String(answer.text()));
        answers.insert(question.clone(), (answer.status, value));
    }
    Ok(answers)
}

fn as_user(client: &mut LabClient, question: &str, session: &str) -> Result<LabAnswer> {
    let head = format!(
        "GET {question} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {session}\r\nContent-Length: 0\r\n\r\n"
    );
    client.raw(head.as_bytes(), b"")
}

/// Returns the values of the older answers that are missing or different in the newer. Additions are allowed.
pub(super) fn differences(were: &AnswersByPath, are: &AnswersByPath) -> Vec<String> {
    let mut harm = Vec::new();
    for (question, (status, was)) in were {
        match are.get(question) {
            Some((now, is)) if now == status => compare(question, was, is, &mut harm),
            now => harm.push(format!("{question}: {status} became {:?}", now.map(|(status, _)| status))),
        }
    }
    harm
}

fn compare(path: &str, was: &Value, is: &Value, harm: &mut Vec<String>) {
    match (was, is) {
        (Value::Object(were), Value::Object(are)) => {
            for (name, was) in were.iter().filter(|(name, _)| !VOLATILE_MEMBERS.contains(&name.as_str())) {
                compare(&format!("{path} {name}"), was, are.get(name).unwrap_or(&Value::Null), harm);
            }
        }
        (Value::Array(were), Value::Array(are)) if were.len() == are.len() => {
            for (at, (was, is)) in were.iter().zip(are).enumerate() {
                compare(&format!("{path} {at}"), was, is, harm);
            }
        }
        _ if was == is => {}
        _ => harm.push(format!("{path}: {was} became {is}")),
    }
}

/// Members that differ on every call.
const VOLATILE_MEMBERS: &[&str] = &["requisicao_id", "ultimo_uso", "ultimo_uso_em", "dias_restantes"];
