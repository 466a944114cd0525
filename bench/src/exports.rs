//! `bench exports`: `carimbo exportar` over a month of one company, SQLite: documents per second, and the most memory that
//! the process took.

use crate::deployment::{Deployment, create_account_key};
use crate::processes::release_binary;
use crate::reports;
use crate::service::CNPJ;
use anyhow::{Context, Result, ensure};
use fiscal::value::{ChaveAcesso, ChaveParts};
use rusqlite::{Connection, params};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// A well-formed key of the issuer.
const KEY: &str = "35261112ABC34501DE35550010000000011847362511";
const ITEMS: usize = 5;

/// Measures `exports [NOTES]`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let notes: u32 = args.first().map_or(Ok(100_000), |count| count.parse())?;
    let binary = release_binary()?;
    let folder = std::env::temp_dir().join(format!("carimbo-exports-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("bench.db");
    let place = Deployment { binary: &binary, folder: folder.clone(), url: format!("sqlite:{}", path.display()) };
    create_account_key(&place, "Contador")?;
    insert(&path, reports::tenant(&path, "Contador")?, notes)?;
    // a tenth of the notes, and all of them: memory must not follow their number
    measure(&place, notes / 10, "2026-10-31")?;
    measure(&place, notes, "2026-11-30")?;
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

/// Exports what was issued from October on.
fn measure(place: &Deployment<'_>, notes: u32, last_day: &str) -> Result<()> {
    let target = place.folder.join(format!("{last_day}.zip"));
    let file = target.display().to_string();
    let arguments = ["exportar", "--email", "contador@exemplo.com.br", "--empresa", CNPJ, "--ambiente", "homologacao"];
    let all = [&arguments[..], &["--de", "2026-10-01", "--ate", last_day, &file]].concat();
    let (began, child) = (Instant::now(), place.command(&all).spawn()?);
    let memory = peak(child)?;
    let (seconds, bytes) = (began.elapsed().as_secs_f64(), std::fs::metadata(&target)?.len());
    println!(
        "{notes} notes of {ITEMS} items: {seconds:.1} s, {:.0} notes/s, {} MB of ZIP, at most {memory} MB of memory",
        f64::from(notes) / seconds,
        bytes >> 20
    );
    Ok(())
}

/// Waits for a process; returns the most memory it took, in megabytes (`VmHWM` of proc(5)).
fn peak(mut child: Child) -> Result<u64> {
    let mut most = 0;
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let size = line.and_then(|line| line.split_whitespace().next()).and_then(|size| size.parse::<u64>().ok());
        most = most.max(size.unwrap_or_default() / 1024);
        if let Some(status) = child.try_wait()? {
            ensure!(status.success(), "carimbo exportar: {status}");
            return Ok(most);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Inserts authorised notes with their XML: a tenth in October, the others in November.
fn insert(path: &Path, tenant: Uuid, notes: u32) -> Result<()> {
    let connection = Connection::open(path)?;
    connection.execute_batch("BEGIN")?;
    connection
        .prepare("INSERT INTO companies (tenant_id, cpf_cnpj, dados, criado_em, atualizado_em) VALUES (?1, ?2, '{}', 0, 0)")?
        .execute(params![tenant.as_bytes(), CNPJ])?;
    let first = ChaveAcesso::parse(KEY).ok().context("the key")?.parts();
    for number in 1..=notes {
        let (id, chave) = (Uuid::now_v7(), ChaveAcesso::compose(&ChaveParts { nNF: number, ..first }));
        let month = if number <= notes / 10 { 10 } else { 11 };
        let dhEmi = format!("2026-{month}-{:02}T10:00:00-03:00", number % 30 + 1);
        connection
            .prepare_cached(
                "INSERT INTO documents (tenant_id, job_id, cpf_cnpj, ambiente, state, counted, serie, numero, codigo_aleatorio, chave, asked_by,
                     tipo_emissao, dhEmi, valor, tipo) VALUES (?1, ?2, ?3, 2, 'authorized', '55', '1', ?4, 1, ?5, ?5, 1, ?6, '50.00', 'nfe')",
            )?
            .execute(params![tenant.as_bytes(), id.as_bytes(), CNPJ, number, chave.as_str(), dhEmi])?;
        connection
            .prepare_cached("INSERT INTO numbers (tenant_id, cpf_cnpj, counted, serie, ambiente, numero, state, job_id) VALUES (?1, ?2, '55', '1', 2, ?3, 'used', ?4)")?
            .execute(params![tenant.as_bytes(), CNPJ, number, id.as_bytes()])?;
        connection
            .prepare_cached("INSERT INTO files (tenant_id, job_id, kind, content) VALUES (?1, ?2, 'authorized', ?3)")?
            .execute(params![tenant.as_bytes(), id.as_bytes(), xml(chave.as_str(), number)])?;
    }
    connection.execute_batch("COMMIT")?;
    Ok(())
}

/// A note with its protocol, of the usual size; the signature differs in each, so that it compresses as one does.
fn xml(chave: &str, number: u32) -> String {
    let mut chance = u64::from(number) | 1 << 40;
    let signature: String = (0..2_000)
        .map(|_| {
            chance ^= chance << 13;
            chance ^= chance >> 7;
            chance ^= chance << 17;
            char::from(b'A' + (chance % 26) as u8)
        })
        .collect();
    let item = "<det nItem=\"1\"><prod><cProd>1</cProd><xProd>Caderno brochura 96 folhas</xProd><NCM>48202000</NCM><CFOP>5102</CFOP><vProd>10.00</vProd></prod>\
        <imposto><ICMS><ICMS00><orig>0</orig><CST>00</CST><vBC>10.00</vBC><pICMS>18.00</pICMS><vICMS>1.80</vICMS></ICMS00></ICMS>\
        <PIS><PISAliq><CST>01</CST><vBC>10.00</vBC><pPIS>0.65</pPIS><vPIS>0.07</vPIS></PISAliq></PIS></imposto></det>";
    format!(
        "<nfeProc xmlns=\"http://www.portalfiscal.inf.br/nfe\"><NFe><infNFe Id=\"NFe{chave}\">{}</infNFe><Signature>{signature}</Signature></NFe>\
         <protNFe><infProt><chNFe>{chave}</chNFe><cStat>100</cStat></infProt></protNFe></nfeProc>",
        item.repeat(ITEMS)
    )
}
