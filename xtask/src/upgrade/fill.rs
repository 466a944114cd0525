//! An account with documents in every final state.

use crate::lab::client::LabClient;
use crate::lab::{self, CNPJ, Lab};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A job: the word of its route, its id, its state and its access key.
pub(super) struct FilledJob {
    pub(super) tipo: &'static str,
    pub(super) id: String,
    pub(super) job_state: String,
    pub(super) chave: Option<String>,
}

/// Jobs of an account.
#[derive(Default)]
pub(super) struct FilledAccount {
    pub(super) jobs: Vec<FilledJob>,
}

impl FilledAccount {
    /// Returns the number of jobs in each state.
    pub(super) fn summary(&self) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for job in &self.jobs {
            *counts.entry(job.job_state.as_str()).or_default() += 1;
        }
        counts.iter().map(|(stands, count)| format!("{count} {stands}")).collect::<Vec<_>>().join(", ")
    }

    /// Adds the job of an accepted request.
    pub(super) fn add_job(&mut self, tipo: &'static str, accepted: &Value) -> Result<()> {
        let id = accepted["job_id"].as_str().with_context(|| accepted.to_string())?.to_owned();
        self.jobs.push(FilledJob { tipo, id, job_state: String::new(), chave: None });
        Ok(())
    }

    /// Queries every job that has not ended; `true` when all have.
    pub(super) fn refresh_states(&mut self, client: &mut LabClient) -> Result<bool> {
        let mut all = true;
        for job in self.jobs.iter_mut().filter(|job| !ended(&job.job_state)) {
            let seen = client.get(&format!("/v1/{}/consultar/{}", job.tipo, job.id))?;
            let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
            job.job_state =
                format!("{}/{}/{}", word(&seen["operacao"]), word(&seen["status"]), word(&seen["nota"]["status"]));
            job.chave = seen["nota"]["chave"].as_str().map(str::to_owned);
            all &= ended(&job.job_state);
        }
        Ok(all)
    }

    /// Waits until every job has ended.
    pub(super) fn settle(&mut self, client: &mut LabClient, within: Duration) -> Result<()> {
        let began = Instant::now();
        while !self.refresh_states(client)? {
            ensure!(began.elapsed() < within, "still waiting after {within:?}: {}", self.summary());
            sleep(Duration::from_millis(300));
        }
        Ok(())
    }

    /// Returns the ids of the authorised notes of a type.
    fn authorised(&self, tipo: &str) -> Vec<String> {
        let jobs = self.jobs.iter().filter(|job| job.tipo == tipo && job.job_state.ends_with("completed/autorizada"));
        jobs.map(|job| job.id.clone()).collect()
    }
}

fn ended(stands: &str) -> bool {
    ["/completed/", "/failed/", "/cancelled/"].iter().any(|word| stands.contains(word))
}

/// Issues this many documents, and makes events on them afterwards.
pub(super) fn fill_account(lab: &Lab, jobs: usize) -> Result<FilledAccount> {
    let (mut client, mut filled) = (lab.client()?, FilledAccount::default());
    issue(&mut client, &mut filled, jobs)?;
    filled.settle(&mut client, SETTLE_TIMEOUT)?;
    events(&mut client, &mut filled)?;
    voids(&mut client, &mut filled)?;
    exhaust_series(&mut client, &mut filled)?;
    filled.settle(&mut client, SETTLE_TIMEOUT)?;
    issue_during_outage(lab, &mut client, &mut filled)?;
    Ok(filled)
}

fn issue(client: &mut LabClient, filled: &mut FilledAccount, jobs: usize) -> Result<()> {
    for number in 0..jobs {
        let (tipo, body) = document(CNPJ, number)?;
        let accepted = client.send_for_json("POST", &format!("/v1/{tipo}/emitir"), &body)?;
        filled.add_job(tipo, &accepted)?;
        if number % 500 == 499 {
            filled.settle(client, SETTLE_TIMEOUT)?;
        }
    }
    Ok(())
}

/// Returns the body of a document: mostly sales; some are rejected, some denied, some in batches, some whose answer is
/// lost.
pub(super) fn document(cnpj: &str, number: usize) -> Result<(&'static str, Value)> {
    let mut sale = lab::sale()?;
    sale["cpf_cnpj"] = json!(cnpj);
    sale["referencia_externa"] = json!(format!("VENDA{cnpj}N{number}"));
    let wish = match number % 20 {
        10 => "[SIM:cStat=610]",
        11 => "[SIM:cStat=302]",
        12 => "[SIM:cStat=103]",
        13 => "[SIM:falha=duplicate_204]",
        _ => "",
    };
    let product = sale["nota"]["produtos"][0]["xProd"].as_str().context("xProd")?.to_owned();
    sale["nota"]["produtos"][0]["xProd"] = json!(format!("{product} {wish}").trim());
    if number % 20 < 14 {
        return Ok(("nfe", sale));
    }
    let text = std::fs::read_to_string(crate::shell::root().join("docs/guides/nfce.json"))?;
    let mut counter: Value = serde_json::from_str(&text)?;
    counter["cpf_cnpj"] = json!(cnpj);
    counter["referencia_externa"] = sale["referencia_externa"].clone();
    Ok(("nfce", counter))
}

/// Makes corrections and cancellations, some of which are refused.
fn events(client: &mut LabClient, filled: &mut FilledAccount) -> Result<()> {
    for tipo in ["nfe", "nfce"] {
        for (at, id) in filled.authorised(tipo).into_iter().enumerate() {
            let (route, words) = match at % 16 {
                0 => ("cancelar", "Venda desfeita pelo cliente"),
                1 => ("cancelar", "Venda desfeita [SIM:cStat=501]"),
                2 if tipo == "nfe" => ("carta-correcao", "O peso bruto correto é 12,5 kg"),
                3 if tipo == "nfe" => ("carta-correcao", "O peso bruto [SIM:cStat=580]"),
                _ => continue,
            };
            let body = json!({ "cpf_cnpj": CNPJ, "job_id": id, "justificativa": words, "correcao": words });
            let accepted = client.send_for_json("POST", &format!("/v1/{tipo}/{route}"), &body)?;
            filled.add_job(tipo, &accepted)?;
        }
    }
    Ok(())
}

fn voids(client: &mut LabClient, filled: &mut FilledAccount) -> Result<()> {
    for number in 0..20 {
        let tipo = if number % 2 == 0 { "nfe" } else { "nfce" };
        let reason =
            if number % 5 == 4 { "Faixa recusada [SIM:cStat=256]" } else { "Numeração pulada na troca de sistema" };
        let first = 800_000 + number * 10;
        let body = json!({ "cpf_cnpj": CNPJ, "serie": 1, "numero_inicial": first, "numero_final": first + 3, "justificativa": reason });
        let accepted = client.send_for_json("POST", &format!("/v1/{tipo}/inutilizar"), &body)?;
        filled.add_job(tipo, &accepted)?;
    }
    Ok(())
}

/// Issues the last number of a series, and a note for which none is left.
fn exhaust_series(client: &mut LabClient, filled: &mut FilledAccount) -> Result<()> {
    let settings = |serie: &str, next: u32| json!({ "ambiente": 2, "crt": 1, "serie": serie, "proximo_numero": next });
    client.send_for_json("PUT", &format!("/v1/empresas/{CNPJ}/nfe"), &settings("9", 999_999_998))?;
    for number in 0..4 {
        let (_, mut sale) = document(CNPJ, number)?;
        sale["referencia_externa"] = json!(format!("ULTIMA{number}"));
        let accepted = client.send_for_json("POST", "/v1/nfe/emitir", &sale)?;
        filled.add_job("nfe", &accepted)?;
    }
    client.send_for_json(
        "PUT",
        &format!("/v1/empresas/{CNPJ}/nfe"),
        &json!({ "ambiente": 2, "crt": 1, "serie": "1" }),
    )?;
    Ok(())
}

/// Issues notes during an outage: in contingency and transmitted when it is over, or withdrawn while they wait.
fn issue_during_outage(lab: &Lab, client: &mut LabClient, filled: &mut FilledAccount) -> Result<()> {
    let mut control = lab.control()?;
    control.send_for_json(
        "PUT",
        "/_sim/servicos",
        &json!([{ "modo": "paralisado_momentaneamente", "autoridade": "sp" }]),
    )?;
    for number in 0..60 {
        let (tipo, mut body) = document(CNPJ, if number % 3 == 0 { 0 } else { 15 })?;
        body["referencia_externa"] = json!(format!("QUEDA{number}"));
        let accepted = client.send_for_json("POST", &format!("/v1/{tipo}/emitir"), &body)?;
        filled.add_job(tipo, &accepted)?;
        let id = accepted["job_id"].as_str().context("job_id")?;
        if number % 10 == 9 {
            // too late for some of them: the other authority has authorised them
            client.send("POST", &format!("/v1/jobs/{id}/cancelar"), b"{}")?;
        }
    }
    sleep(Duration::from_secs(10));
    filled.refresh_states(client)?;
    control.send_for_json("PUT", "/_sim/servicos", &json!([]))?;
    filled.settle(client, SETTLE_TIMEOUT)?;
    Ok(())
}

/// Longest wait for a job. An outage leaves retries of minutes, and an older version that used up its queries of the
/// hour leaves one of an hour.
pub(super) const SETTLE_TIMEOUT: Duration = Duration::from_secs(70 * 60);
