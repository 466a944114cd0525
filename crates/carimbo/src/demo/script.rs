//! Script of the demonstration: two NF-e and an NFC-e authorised, one NF-e rejected on purpose and its number used
//! again, one cancelled and reported by a webhook; then a CT-e for one of the NF-e, a CT-e OS for passengers, a
//! national and a municipal NFS-e.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use fiscal::tipo::Tipo;
use http::Method;
use serde_json::{Value, json};

use super::client::Client;
use super::ear::Ear;
use super::install::Installation;
use super::sample::{self, ALPHANUMERIC, MUNICIPAL, NUMERIC, Sample};
use super::screen::{Screen, grouped, reais, seconds};

/// Issues the documents and prints the outcomes.
pub(super) async fn tell(installation: &Installation, screen: &Screen, started: Instant) -> anyhow::Result<()> {
    let client = &installation.client;
    screen.heading("Emitindo notas de verdade, pela API");

    let first = issue(client, &NUMERIC, "Caderno universitário 96 folhas").await?;
    let elapsed = started.elapsed();
    let time = format!("{} desde o início do processo (meta: menos de 3 s)", seconds(elapsed));
    show_authorised(installation, screen, &NUMERIC, &first, &time).await?;

    let second = issue(client, &ALPHANUMERIC, "Caderno universitário 96 folhas").await?;
    show_authorised(installation, screen, &ALPHANUMERIC, &second, "CNPJ com letras, como qualquer outro").await?;

    let counter = issue_at_the_counter(client, &NUMERIC).await?;
    show_authorised(installation, screen, &NUMERIC, &counter, "cupom de consumidor, com QR Code").await?;

    let refused = issue(client, &NUMERIC, "Caderno [SIM:cStat=610]").await?;
    show_refused(screen, &refused)?;
    let again = issue(client, &NUMERIC, "Caderno universitário 96 folhas").await?;
    show_authorised(installation, screen, &NUMERIC, &again, whose_number(&refused, &again)).await?;

    let secret = installation.record.webhook_segredo.as_deref().context("a demonstração tem segredo de webhook")?;
    let mut ear = Ear::open(secret).await?;
    let cancelled = cancel(client, &again, &ear.url()).await?;
    show_cancelled(screen, &cancelled)?;
    show_heard(screen, &cancelled, &ear.next().await?)?;
    println!();

    let carried = carry(client, sample::delivery(&NUMERIC, text(&second["nota"], "chave"), &reference())?).await?;
    show_authorised(installation, screen, &NUMERIC, &carried, "a mercadoria da segunda nota, transportada").await?;
    let people = carry(client, sample::journey(&NUMERIC, &reference())?).await?;
    show_authorised(installation, screen, &NUMERIC, &people, "modelo 67: pessoas transportadas").await?;
    let served = serve(client, sample::service(&NUMERIC, &reference())?).await?;
    show_authorised(installation, screen, &NUMERIC, &served, "padrão nacional: número e chave dados pela Sefin")
        .await?;
    let municipal = serve_by_the_city_hall(client, sample::municipal_service(&reference())?).await?;
    show_authorised(installation, screen, &MUNICIPAL, &municipal, "municipal (ABRASF): dada pela prefeitura de Lavras")
        .await
}

fn reference() -> String {
    format!("DEMO{}", uuid::Uuid::now_v7().simple())
}

/// Remark on the number of the note that follows the rejected one. A note of the user's may have taken the number in
/// between; the number is used in either case.
fn whose_number(refused: &Value, again: &Value) -> &'static str {
    if again["nota"]["numero"] == refused["nota"]["numero"] {
        "o mesmo número da rejeitada: nada se perde"
    } else {
        "o número da rejeitada ficou com uma nota sua, que chegou antes: nada se perde"
    }
}

/// Reports that the script failed. Requests of the user's may interfere with it; the service stays up.
pub(super) fn broken_off(screen: &Screen, error: &anyhow::Error) {
    screen.refused("a história parou aqui", format_args!("{error:#}"));
    screen.words("O serviço continua no ar: é com ele que você trabalha a partir de agora.");
}

/// Prints commands and addresses to try next.
pub(super) fn your_turn(installation: &Installation, screen: &Screen) -> anyhow::Result<()> {
    let body = installation.dir.join("nota.json");
    let example = sample::emission(&NUMERIC, "Caderno universitário 96 folhas", None);
    std::fs::write(&body, serde_json::to_string_pretty(&example)?).with_context(|| body.display().to_string())?;
    let (base_url, api_key) = (&installation.record.base_url, &installation.record.api_key_homologacao);
    screen.heading("Sua vez");
    screen.code(&format!("curl -s {base_url}/v1/nfe/emitir \\"));
    screen.code(&format!("  -H 'X-API-Key: {api_key}' -H 'Content-Type: application/json' \\"));
    screen.code(&format!("  -d @'{}'", body.display()));
    println!();
    screen.words("O job_id da resposta leva ao resultado:");
    println!();
    screen.code(&format!("curl -s {base_url}/v1/nfe/consultar/JOB_ID -H 'X-API-Key: {api_key}'"));
    screen.code(&format!("curl -s {base_url}/v1/nfe/JOB_ID/file/pdf -H 'X-API-Key: {api_key}' -o danfe.pdf"));
    println!();
    screen.words("Um agente de IA (aqui, o Claude Code) passa a usar o serviço com esta linha:");
    println!();
    let mcp_url = &installation.record.mcp_url;
    screen.code(&format!("claude mcp add --transport http carimbo {mcp_url}/mcp --header 'X-API-Key: {api_key}'"));
    println!();
    screen.words(&format!("Documentação:               {base_url}/docs"));
    screen.words(&format!("Console, para experimentar: {base_url}/swagger"));
    if let Some(pdf) = printed(&installation.dir) {
        screen.words(&format!("Um DANFE em PDF:            {}", pdf.display()));
    }
    screen.words(&format!("Endereços, chaves e senhas: {}", installation.dir.join("demo.json").display()));
    screen.words(&format!("Painel das autoridades:     {}/_sim", installation.record.simulador_url));
    Ok(())
}

/// Returns a printed form that the script saved.
fn printed(dir: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(dir.join(NOTES)).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    files.filter(|file| file.extension().is_some_and(|kind| kind == "pdf")).min()
}

/// Posts an NF-e and waits for its job.
async fn issue(client: &Client, sample: &Sample, xProd: &str) -> anyhow::Result<Value> {
    let body = sample::emission(sample, xProd, Some(&reference()));
    let accepted = client.done(Method::POST, "/v1/nfe/emitir", &body).await?;
    finished(client, &accepted).await
}

/// Posts an NFC-e and waits for its job.
async fn issue_at_the_counter(client: &Client, sample: &Sample) -> anyhow::Result<Value> {
    let body = sample::counter_sale(sample, Some(&reference()));
    let accepted = client.done(Method::POST, "/v1/nfce/emitir", &body).await?;
    finished(client, &accepted).await
}

/// Posts a CT-e and waits for its job.
async fn carry(client: &Client, body: Value) -> anyhow::Result<Value> {
    let accepted = client.done(Method::POST, "/v1/cte/emitir", &body).await?;
    finished(client, &accepted).await
}

/// Posts a national NFS-e and waits for its job.
async fn serve(client: &Client, body: Value) -> anyhow::Result<Value> {
    let accepted = client.done(Method::POST, "/v1/nfse/emitir", &body).await?;
    finished(client, &accepted).await
}

/// Posts a municipal NFS-e and waits for its job.
async fn serve_by_the_city_hall(client: &Client, body: Value) -> anyhow::Result<Value> {
    let accepted = client.done(Method::POST, "/v1/nfse/govdigital/emitir", &body).await?;
    finished(client, &accepted).await
}

async fn cancel(client: &Client, job: &Value, webhook_url: &str) -> anyhow::Result<Value> {
    let body = json!({
        "cpf_cnpj": job["cpf_cnpj"],
        "job_id": job["job_id"],
        "justificativa": "Venda desfeita a pedido do cliente",
        "webhook_url": webhook_url,
    });
    let accepted = client.done(Method::POST, "/v1/nfe/cancelar", &body).await?;
    finished(client, &accepted).await
}

/// Polls until the job ends, for up to 60 seconds.
async fn finished(client: &Client, accepted: &Value) -> anyhow::Result<Value> {
    let path = accepted["consulta"].as_str().context("a resposta não diz onde consultar")?;
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let job = client.get(path).await?.json()?;
        match job["status"].as_str() {
            Some("completed") => return Ok(job),
            Some("pending" | "processing") if Instant::now() < deadline => {}
            _ => anyhow::bail!("a operação não terminou bem: {job}"),
        }
        // webhooks aside, the API has no push, so the client polls with a short pause
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
}

async fn show_authorised(
    installation: &Installation,
    screen: &Screen,
    sample: &Sample,
    job: &Value,
    remark: &str,
) -> anyhow::Result<()> {
    let nota = &job["nota"];
    ensure!(nota["status"] == "autorizada", "a nota não foi autorizada: {job}");
    let file = save(installation, job).await?;
    let tipo = Tipo::from_word(text(job, "tipo")).context("o job diz de que tipo é")?;
    let authorised = if tipo == Tipo::Cte { "autorizado" } else { "autorizada" };
    screen.done(&format!("{tipo} nº {} {authorised}", nota["numero"], tipo = tipo.name()), remark);
    screen.detail("emitente", format_args!("{} · {}", sample.nome, sample.masked));
    show_names(screen, nota);
    screen.detail("valor", reais(&nota["valor_total"].to_string()));
    if let Some(code) = nota["qrcode"].as_str() {
        screen.detail("QR Code", code);
    }
    screen.detail("arquivo", file.display());
    println!();
    Ok(())
}

/// Prints the identifiers of a document.
fn show_names(screen: &Screen, nota: &Value) {
    if let Some(code) = nota["codigo_verificacao"].as_str() {
        // a municipal NFS-e has neither key nor protocol: its number and this code identify it at the city hall
        screen.detail("código", code);
        screen.detail("RPS", format_args!("{} · {}", nota["numero_dps"], verdict(nota)));
        return;
    }
    screen.detail("chave", grouped(text(nota, "chave")));
    match nota["protocolo"].as_str() {
        Some(protocolo) => screen.detail("protocolo", format_args!("{protocolo} · {}", verdict(nota))),
        // a national NFS-e has no protocol: it is queried by the DPS it was made of
        None => screen.detail("DPS", format_args!("{} · {}", text(nota, "id_dps"), verdict(nota))),
    }
}

fn show_refused(screen: &Screen, job: &Value) -> anyhow::Result<()> {
    let nota = &job["nota"];
    ensure!(nota["status"] == "rejeitada", "a nota devia ser rejeitada: {job}");
    screen
        .refused(&format!("NF-e nº {} rejeitada", nota["numero"]), "de propósito: [SIM:cStat=610] no nome do produto");
    screen.detail("motivo", verdict(nota));
    println!();
    Ok(())
}

fn show_cancelled(screen: &Screen, job: &Value) -> anyhow::Result<()> {
    ensure!(job["nota"]["status"] == "cancelada", "a nota não foi cancelada: {job}");
    let (code, reason) = (&job["evento_fiscal"]["codigo_status"], text(&job["evento_fiscal"], "motivo_status"));
    screen.done(&format!("NF-e nº {} cancelada", job["nota"]["numero"]), format_args!("{code} {reason}"));
    Ok(())
}

fn show_heard(screen: &Screen, job: &Value, event: &Value) -> anyhow::Result<()> {
    ensure!(
        event["evento"] == "nfe.cancelada" && event["job_id"] == job["job_id"],
        "o webhook é de outra coisa: {event}"
    );
    screen.done(&format!("webhook {}", text(event, "evento")), "assinatura conferida");
    Ok(())
}

/// Downloads the authorised XML and its printed form; returns the path of the XML.
async fn save(installation: &Installation, job: &Value) -> anyhow::Result<PathBuf> {
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

fn verdict(nota: &Value) -> String {
    let code = &nota["codigo_status"];
    let code = code.as_str().map_or_else(|| code.to_string(), str::to_owned);
    format!("{code} {}", text(nota, "motivo_status"))
}

fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_default()
}

/// Folder of the issued documents, in the demonstration's folder.
const NOTES: &str = "notas";
