//! An account whose service is killed during its work, and its jobs under the next version.

use super::IN_FLIGHT;
use super::fill::{FilledAccount, SETTLE_TIMEOUT, document};
use crate::lab::client::LabClient;
use crate::lab::{CNPJ, Lab};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::Duration;

/// Starts notes, cancellations and voids with unknown outcomes, ready for the kill.
pub(super) fn start(lab: &Lab, key: &str) -> Result<FilledAccount> {
    let (mut client, mut control) = (LabClient::connect(&lab.api, key)?, lab.control()?);
    lab.register(&mut client, IN_FLIGHT)?;
    let mut flight = FilledAccount::default();
    post(&mut client, &mut flight, 0..40)?;
    flight.settle(&mut client, SETTLE_TIMEOUT)?;
    let ids: Vec<(&'static str, String)> = flight.jobs.iter().map(|job| (job.tipo, job.id.clone())).collect();

    sell_to_buyer(lab, &mut client)?;

    // processed but never answered: an unknown outcome for every kind of request
    let lost = json!({ "tipo": "reset_after", "vezes": 1_000_000, "contem": IN_FLIGHT });
    control.send_for_json("POST", "/_sim/falhas", &lost)?;
    post(&mut client, &mut flight, 40..80)?;
    for (tipo, id) in ids.iter().take(8) {
        let body = json!({ "cpf_cnpj": IN_FLIGHT, "job_id": id, "justificativa": "Venda desfeita pelo cliente" });
        let accepted = client.send_for_json("POST", &format!("/v1/{tipo}/cancelar"), &body)?;
        flight.add_job(tipo, &accepted)?;
    }
    for first in [700_000, 700_100] {
        let reason = "Numeração pulada na troca de sistema";
        let body = json!({ "cpf_cnpj": IN_FLIGHT, "serie": 1, "numero_inicial": first, "justificativa": reason });
        let accepted = client.send_for_json("POST", "/v1/nfe/inutilizar", &body)?;
        flight.add_job("nfe", &accepted)?;
    }
    sleep(Duration::from_secs(1));
    // the authorities stop answering: later orders wait, or go off-line
    let silent = json!({ "tipo": "reset_before", "vezes": 1_000_000, "contem": IN_FLIGHT });
    control.send_for_json("DELETE", "/_sim/falhas", &Value::Null)?;
    control.send_for_json("POST", "/_sim/falhas", &silent)?;
    post(&mut client, &mut flight, 80..120)?;
    sleep(Duration::from_secs(1));
    flight.refresh_states(&mut client)?;
    Ok(flight)
}

/// Sells to the account whose answers are compared, so that it receives notes.
fn sell_to_buyer(lab: &Lab, seller: &mut LabClient) -> Result<()> {
    for number in 0..3 {
        let (_, mut sale) = document(IN_FLIGHT, 0)?;
        sale["referencia_externa"] = json!(format!("COMPRA{number}"));
        sale["nota"]["destinatario"]["CNPJCPF"] = json!(CNPJ);
        sale["nota"]["destinatario"]["xNome"] = json!("Papelaria Exemplo Ltda");
        let mut bought = FilledAccount::default();
        bought.add_job("nfe", &seller.send_for_json("POST", "/v1/nfe/emitir", &sale)?)?;
        bought.settle(seller, SETTLE_TIMEOUT)?;
    }
    let mut buyer = lab.client()?;
    buyer.send_for_json("PUT", &format!("/v1/empresas/{CNPJ}/distribuicao"), &json!({ "ativa": true }))?;
    buyer.send("POST", "/v1/nfe/recebidas/sincronizar", json!({ "cpf_cnpj": CNPJ }).to_string().as_bytes())?;
    for _ in 0..100 {
        if buyer.get("/v1/nfe/recebidas")?["total"] == 3 {
            return Ok(());
        }
        sleep(Duration::from_millis(100));
    }
    bail!("the notes that were bought did not arrive: {}", buyer.get("/v1/nfe/recebidas")?)
}

fn post(client: &mut LabClient, flight: &mut FilledAccount, numbers: std::ops::Range<usize>) -> Result<()> {
    for number in numbers {
        let (tipo, body) = document(IN_FLIGHT, number)?;
        let accepted = client.send_for_json("POST", &format!("/v1/{tipo}/emitir"), &body)?;
        flight.add_job(tipo, &accepted)?;
    }
    Ok(())
}

/// Ends the faults of the authorities, so that every job ends. Returns the jobs that failed or did not.
pub(super) fn settle_after_upgrade(lab: &Lab, key: &str, flight: &FilledAccount) -> Result<Vec<String>> {
    lab.control()?.send_for_json("DELETE", "/_sim/falhas", &Value::Null)?;
    let mut client = LabClient::connect(&lab.api, key)?;
    let mut landed = FilledAccount::default();
    for job in &flight.jobs {
        landed.add_job(job.tipo, &json!({ "job_id": job.id }))?;
    }
    let late = landed.settle(&mut client, SETTLE_TIMEOUT).err().map(|error| error.to_string());
    println!("             {}", landed.summary());
    let failed = landed.jobs.iter().filter(|job| job.job_state.contains("/failed/"));
    Ok(failed.map(|job| format!("{} {} {}", job.tipo, job.id, job.job_state)).chain(late).collect())
}

/// Checks that every document authorised at an authority is a note of an account, and vice versa.
pub(super) fn authorities_agree(lab: &Lab, key: &str) -> Result<Vec<String>> {
    let mut control = lab.control()?;
    let mut harm = Vec::new();
    let twice = control.get("/_sim/contadores")?["gravadas_mais_de_uma_vez"].clone();
    if twice != 0 {
        harm.push(format!("{twice} documents were stored more than once"));
    }
    for (cnpj, key) in [(CNPJ, lab.test_key.as_str()), (IN_FLIGHT, key)] {
        let held = control.get(&format!("/_sim/documentos?emitente={cnpj}"))?;
        let held = keys(&held["documentos"], "situacao");
        let ours = notes(&mut LabClient::connect(&lab.api, key)?)?;
        harm.extend(held.difference(&ours).map(|key| format!("{cnpj}: the authority alone holds {key}")));
        harm.extend(ours.difference(&held).map(|key| format!("{cnpj}: the service alone holds {key}")));
        println!("             {cnpj}: {} documents authorised on both sides", held.intersection(&ours).count());
    }
    Ok(harm)
}

fn keys(list: &Value, standing: &str) -> BTreeSet<String> {
    let authorised = list
        .as_array()
        .into_iter()
        .flatten()
        .filter(|one| one[standing].as_str().is_some_and(|s| s.starts_with("autorizad")));
    authorised.filter_map(|one| Some(one["chave"].as_str()?.to_owned())).collect()
}

fn notes(client: &mut LabClient) -> Result<BTreeSet<String>> {
    let mut all = BTreeSet::new();
    for page in 1.. {
        let answer = client.get(&format!("/v1/notas?status=autorizada&limite=100&pagina={page}"))?;
        let list = answer["notas"].as_array().context("notas")?;
        if list.is_empty() {
            break;
        }
        all.extend(
            list.iter().filter_map(|one| one["chave"].as_str().or(one["nota"]["chave"].as_str()).map(str::to_owned)),
        );
    }
    Ok(all)
}
