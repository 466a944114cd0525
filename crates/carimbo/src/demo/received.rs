//! Received documents of the demonstration: two notes that one company issues to the other, which finds them at the
//! authority; the first one whole, after a "ciência".

use anyhow::Context as _;
use http::Method;
use serde_json::{Value, json};

use super::client::DemoClient;
use super::demo_output::DemoOutput;
use super::sample::{self, ALPHANUMERIC, NUMERIC};

/// Issues, searches and reports.
pub(super) async fn receive(client: &DemoClient, screen: &DemoOutput) -> anyhow::Result<()> {
    let first = supply(client, "Papel sulfite A4, caixa").await?;
    supply(client, "Caneta esferográfica azul").await?;
    let search = json!({ "cpf_cnpj": ALPHANUMERIC.cnpj });
    let found = client.send_json(Method::POST, SYNC, &search).await?;
    if !found.status.is_success() {
        // an hour has to pass after the search of an earlier run
        return Ok(());
    }
    let chave = first["nota"]["chave"].as_str().context("a nota autorizada tem chave")?;
    let said = json!({ "cpf_cnpj": ALPHANUMERIC.cnpj, "chave": chave, "tipo": "ciencia" });
    let accepted = client.send_expecting_success(Method::POST, "/v1/nfe/manifestar", &said).await?;
    client.wait_for_job(&accepted).await?;
    let by_key = json!({ "cpf_cnpj": ALPHANUMERIC.cnpj, "chave": chave });
    client.send_expecting_success(Method::POST, SYNC, &by_key).await?;
    for tipo in ["nfe", "cte", "nfse"] {
        let path = format!("/v1/empresas/{}/distribuicao", ALPHANUMERIC.cnpj);
        client.send_expecting_success(Method::PUT, &path, &json!({ "tipo": tipo, "ativa": true })).await?;
    }
    println!();
    let remark = format!("{} as encontrou na SEFAZ; veja em Recebidos, no painel", ALPHANUMERIC.nome);
    screen.print_success(&format!("{} NF-e recebidas", found.json()?["notas_novas"]), remark);
    Ok(())
}

const SYNC: &str = "/v1/nfe/recebidas/sincronizar";

/// Issues a note to the company that receives.
async fn supply(client: &DemoClient, xProd: &str) -> anyhow::Result<Value> {
    let mut body = sample::nfe_body(&NUMERIC, xProd, Some(&sample::reference()));
    body["nota"]["destinatario"]["CNPJCPF"] = json!(ALPHANUMERIC.cnpj);
    body["nota"]["destinatario"]["xNome"] = json!(ALPHANUMERIC.nome);
    let accepted = client.send_expecting_success(Method::POST, "/v1/nfe/emitir", &body).await?;
    client.wait_for_job(&accepted).await
}
