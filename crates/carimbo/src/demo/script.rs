//! Script of the demonstration: two NF-e and an NFC-e authorised, one NF-e rejected on purpose and its number used
//! again, one cancelled and reported by a webhook; then a CT-e for one of the NF-e, a CT-e OS for passengers, a
//! national and a municipal NFS-e.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use fiscal::tipo::Tipo;
use http::Method;
use serde_json::{Value, json};

use super::client::DemoClient;
use super::demo_output::{DemoOutput, grouped_key, reais, seconds};
use super::install::DemoInstallation;
use super::received;
use super::sample::{self, ALPHANUMERIC, MUNICIPAL, NUMERIC, SampleCompany};
use super::webhook_receiver::WebhookReceiver;

/// Issues the documents and prints the outcomes.
pub(super) async fn run_script(
    installation: &DemoInstallation,
    screen: &DemoOutput,
    started: Instant,
) -> anyhow::Result<()> {
    let client = &installation.client;
    screen.heading("Emitindo notas de verdade, pela API");

    let first = issue_nfe(client, &NUMERIC, "Caderno universitário 96 folhas").await?;
    let elapsed = started.elapsed();
    let time = format!("{} desde o início do processo (meta: menos de 3 s)", seconds(elapsed));
    show_authorised(installation, screen, &NUMERIC, &first, &time).await?;

    let second = issue_nfe(client, &ALPHANUMERIC, "Caderno universitário 96 folhas").await?;
    show_authorised(installation, screen, &ALPHANUMERIC, &second, "CNPJ com letras, como qualquer outro").await?;

    let counter = issue_nfce(client, &NUMERIC).await?;
    show_authorised(installation, screen, &NUMERIC, &counter, "cupom de consumidor, com QR Code").await?;

    let refused = issue_nfe(client, &NUMERIC, "Caderno [SIM:cStat=610]").await?;
    show_rejection(screen, &refused)?;
    let again = issue_nfe(client, &NUMERIC, "Caderno universitário 96 folhas").await?;
    show_authorised(installation, screen, &NUMERIC, &again, number_remark(&refused, &again)).await?;

    let secret = installation.record.webhook_segredo.as_deref().context("a demonstração tem segredo de webhook")?;
    let mut ear = WebhookReceiver::open(secret).await?;
    let cancelled = cancel(client, &again, &ear.url()).await?;
    show_cancellation(screen, &cancelled)?;
    show_webhook_event(screen, &cancelled, &ear.next().await?)?;
    println!();

    let carried =
        issue_cte(client, sample::cte_body(&NUMERIC, text(&second["nota"], "chave"), &sample::reference())?).await?;
    show_authorised(installation, screen, &NUMERIC, &carried, "a mercadoria da segunda nota, transportada").await?;
    let people = issue_cte(client, sample::cte_os_body(&NUMERIC, &sample::reference())?).await?;
    show_authorised(installation, screen, &NUMERIC, &people, "modelo 67: pessoas transportadas").await?;
    let served = issue_nfse(client, sample::nfse_body(&NUMERIC, &sample::reference())?).await?;
    show_authorised(installation, screen, &NUMERIC, &served, "padrão nacional: número e chave dados pela Sefin")
        .await?;
    let municipal = issue_municipal_nfse(client, sample::municipal_nfse_body(&sample::reference())?).await?;
    show_authorised(installation, screen, &MUNICIPAL, &municipal, "municipal (ABRASF): dada pela prefeitura de Lavras")
        .await?;
    received::receive(client, screen).await
}

/// Remark on the number of the note that follows the rejected one. A note of the user's may have taken the number in
/// between; the number is used in either case.
fn number_remark(refused: &Value, again: &Value) -> &'static str {
    if again["nota"]["numero"] == refused["nota"]["numero"] {
        "o mesmo número da rejeitada: nada se perde"
    } else {
        "o número da rejeitada ficou com uma nota sua, que chegou antes: nada se perde"
    }
}

/// Reports that the script failed. Requests of the user's may interfere with it; the service stays up.
pub(super) fn report_script_failure(screen: &DemoOutput, error: &anyhow::Error) {
    screen.print_failure("a história parou aqui", format_args!("{error:#}"));
    screen.paragraph("O serviço continua no ar: é com ele que você trabalha a partir de agora.");
}

/// Prints commands and addresses to try next.
pub(super) fn print_next_steps(installation: &DemoInstallation, screen: &DemoOutput) -> anyhow::Result<()> {
    let body = installation.dir.join("nota.json");
    let example = sample::nfe_body(&NUMERIC, "Caderno universitário 96 folhas", None);
    std::fs::write(&body, serde_json::to_string_pretty(&example)?).with_context(|| body.display().to_string())?;
    let (base_url, api_key) = (&installation.record.base_url, &installation.record.api_key_homologacao);
    screen.heading("Sua vez, no navegador");
    screen.code(&installation.record.painel_url);
    println!();
    screen.paragraph(&format!("E-mail: {}", installation.record.email));
    screen.paragraph(&format!("Senha:  {}", installation.record.senha));
    screen.heading("Ou por programa");
    screen.code(&format!("curl -s {base_url}/v1/nfe/emitir \\"));
    screen.code(&format!("  -H 'X-API-Key: {api_key}' -H 'Content-Type: application/json' \\"));
    screen.code(&format!("  -d @'{}'", body.display()));
    println!();
    screen.paragraph("O job_id da resposta leva ao resultado:");
    println!();
    screen.code(&format!("curl -s {base_url}/v1/nfe/consultar/JOB_ID -H 'X-API-Key: {api_key}'"));
    screen.code(&format!("curl -s {base_url}/v1/nfe/JOB_ID/file/pdf -H 'X-API-Key: {api_key}' -o danfe.pdf"));
    println!();
    screen.paragraph("Um agente de IA (aqui, o Claude Code) passa a usar o serviço com esta linha:");
    println!();
    let mcp_url = &installation.record.mcp_url;
    screen.code(&format!("claude mcp add --transport http carimbo {mcp_url}/mcp --header 'X-API-Key: {api_key}'"));
    println!();
    screen.paragraph(&format!("Documentação:               {base_url}/docs"));
    screen.paragraph(&format!("Console, para experimentar: {base_url}/swagger"));
    if let Some(pdf) = first_saved_pdf(&installation.dir) {
        screen.paragraph(&format!("Um DANFE em PDF:            {}", pdf.display()));
    }
    screen.paragraph(&format!("Endereços, chaves e senhas: {}", installation.dir.join("demo.json").display()));
    screen.paragraph(&format!("Autoridades simuladas:      {}/_sim", installation.record.simulador_url));
    Ok(())
}

/// Returns a printed form that the script saved.
fn first_saved_pdf(dir: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(dir.join(NOTES)).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    files.filter(|file| file.extension().is_some_and(|kind| kind == "pdf")).min()
}

/// Posts an NF-e and waits for its job.
async fn issue_nfe(client: &DemoClient, sample: &SampleCompany, xProd: &str) -> anyhow::Result<Value> {
    let body = sample::nfe_body(sample, xProd, Some(&sample::reference()));
    let accepted = client.send_expecting_success(Method::POST, "/v1/nfe/emitir", &body).await?;
    client.wait_for_job(&accepted).await
}

/// Posts an NFC-e and waits for its job.
async fn issue_nfce(client: &DemoClient, sample: &SampleCompany) -> anyhow::Result<Value> {
    let body = sample::nfce_body(sample, Some(&sample::reference()));
    let accepted = client.send_expecting_success(Method::POST, "/v1/nfce/emitir", &body).await?;
    client.wait_for_job(&accepted).await
}

/// Posts a CT-e and waits for its job.
async fn issue_cte(client: &DemoClient, body: Value) -> anyhow::Result<Value> {
    let accepted = client.send_expecting_success(Method::POST, "/v1/cte/emitir", &body).await?;
    client.wait_for_job(&accepted).await
}

/// Posts a national NFS-e and waits for its job.
async fn issue_nfse(client: &DemoClient, body: Value) -> anyhow::Result<Value> {
    let accepted = client.send_expecting_success(Method::POST, "/v1/nfse/emitir", &body).await?;
    client.wait_for_job(&accepted).await
}

/// Posts a municipal NFS-e and waits for its job.
async fn issue_municipal_nfse(client: &DemoClient, body: Value) -> anyhow::Result<Value> {
    let accepted = client.send_expecting_success(Method::POST, "/v1/nfse/govdigital/emitir", &body).await?;
    client.wait_for_job(&accepted).await
}

async fn cancel(client: &DemoClient, job: &Value, webhook_url: &str) -> anyhow::Result<Value> {
    let body = json!({
        "cpf_cnpj": job["cpf_cnpj"],
        "job_id": job["job_id"],
        "justificativa": "Venda desfeita a pedido do cliente",
        "webhook_url": webhook_url,
    });
    let accepted = client.send_expecting_success(Method::POST, "/v1/nfe/cancelar", &body).await?;
    client.wait_for_job(&accepted).await
}

async fn show_authorised(
    installation: &DemoInstallation,
    screen: &DemoOutput,
    sample: &SampleCompany,
    job: &Value,
    remark: &str,
) -> anyhow::Result<()> {
    let nota = &job["nota"];
    ensure!(nota["status"] == "autorizada", "a nota não foi autorizada: {job}");
    let file = save_document_files(installation, job).await?;
    let tipo = Tipo::from_word(text(job, "tipo")).context("o job diz de que tipo é")?;
    let authorised = if tipo == Tipo::Cte { "autorizado" } else { "autorizada" };
    screen.print_success(&format!("{tipo} nº {} {authorised}", nota["numero"], tipo = tipo.name()), remark);
    screen.detail("emitente", format_args!("{} · {}", sample.nome, sample.masked));
    show_identifiers(screen, nota);
    screen.detail("valor", reais(&nota["valor_total"].to_string()));
    if let Some(code) = nota["qrcode"].as_str() {
        screen.detail("QR Code", code);
    }
    screen.detail("arquivo", file.display());
    println!();
    Ok(())
}

/// Prints the identifiers of a document.
fn show_identifiers(screen: &DemoOutput, nota: &Value) {
    if let Some(code) = nota["codigo_verificacao"].as_str() {
        // a municipal NFS-e has neither key nor protocol: its number and this code identify it at the city hall
        screen.detail("código", code);
        screen.detail("RPS", format_args!("{} · {}", nota["numero_dps"], status_text(nota)));
        return;
    }
    screen.detail("chave", grouped_key(text(nota, "chave")));
    match nota["protocolo"].as_str() {
        Some(protocolo) => screen.detail("protocolo", format_args!("{protocolo} · {}", status_text(nota))),
        // a national NFS-e has no protocol: it is queried by the DPS it was made of
        None => screen.detail("DPS", format_args!("{} · {}", text(nota, "id_dps"), status_text(nota))),
    }
}

fn show_rejection(screen: &DemoOutput, job: &Value) -> anyhow::Result<()> {
    let nota = &job["nota"];
    ensure!(nota["status"] == "rejeitada", "a nota devia ser rejeitada: {job}");
    screen.print_failure(
        &format!("NF-e nº {} rejeitada", nota["numero"]),
        "de propósito: [SIM:cStat=610] no nome do produto",
    );
    screen.detail("motivo", status_text(nota));
    println!();
    Ok(())
}

fn show_cancellation(screen: &DemoOutput, job: &Value) -> anyhow::Result<()> {
    ensure!(job["nota"]["status"] == "cancelada", "a nota não foi cancelada: {job}");
    let (code, reason) = (&job["evento_fiscal"]["codigo_status"], text(&job["evento_fiscal"], "motivo_status"));
    screen.print_success(&format!("NF-e nº {} cancelada", job["nota"]["numero"]), format_args!("{code} {reason}"));
    Ok(())
}

fn show_webhook_event(screen: &DemoOutput, job: &Value, event: &Value) -> anyhow::Result<()> {
    ensure!(
        event["evento"] == "nfe.cancelada" && event["job_id"] == job["job_id"],
        "o webhook é de outra coisa: {event}"
    );
    screen.print_success(&format!("webhook {}", text(event, "evento")), "assinatura conferida");
    Ok(())
}

/// Downloads the authorised XML and its printed form; returns the path of the XML.
async fn save_document_files(installation: &DemoInstallation, job: &Value) -> anyhow::Result<PathBuf> {
    let folder = installation.dir.join(NOTES);
    std::fs::create_dir_all(&folder)?;
    let (nota, municipal) = (&job["nota"], job["nota"]["chave"].is_null());
    let name = match nota["chave"].as_str() {
        Some(chave) => chave.to_owned(),
        None => format!("municipal-{}", nota["numero"]),
    };
    let root = match Tipo::from_word(text(job, "tipo")) {
        Some(Tipo::Cte) => "procCTe",
        Some(Tipo::Nfse) if municipal => "CompNfse",
        Some(Tipo::Nfse) => "NFSe",
        _ => "procNFe",
    };
    let xml = folder.join(format!("{name}-{root}.xml"));
    for (kind, file) in [("xml", &xml), ("pdf", &folder.join(format!("{name}.pdf")))] {
        let path = job["arquivos"][kind].as_str().with_context(|| format!("a nota autorizada não tem {kind}"))?;
        let answer = installation.client.get(path).await?;
        ensure!(answer.status.is_success(), "{path} respondeu {}", answer.status);
        std::fs::write(file, &answer.bytes).with_context(|| file.display().to_string())?;
    }
    Ok(xml)
}

fn status_text(nota: &Value) -> String {
    let code = &nota["codigo_status"];
    let code = code.as_str().map_or_else(|| code.to_string(), str::to_owned);
    format!("{code} {}", text(nota, "motivo_status"))
}

fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_default()
}

/// Folder of the issued documents, in the demonstration's folder.
const NOTES: &str = "notas";
