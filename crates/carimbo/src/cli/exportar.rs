//! `carimbo exportar`: writes the documents of a company and a period into a ZIP, for accounting.
//!
//! The file appears under its name when it is complete. The service may run meanwhile.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use engine::export::{ExportCount, ExportError, ExportRequest, ExportSink};
use fiscal::tipo::Tipo;
use fiscal::value::CnpjCpf;
use jiff::civil::Date;
use store::Store;
use store::exports::{ExportForms, ExportScope};
use uuid::Uuid;

use super::account::{self, EnvironmentArg};
use super::{ConfigArgs, serve};

#[derive(clap::Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// E-mail de um usuário da conta
    #[arg(long)]
    email: String,
    /// CNPJ ou CPF da empresa
    #[arg(long, value_name = "CPF_CNPJ")]
    empresa: String,
    /// Primeiro dia de emissão, como 2026-11-01
    #[arg(long, value_name = "DIA")]
    de: Date,
    /// Último dia de emissão, como 2026-11-30
    #[arg(long, value_name = "DIA")]
    ate: Date,
    /// Ambiente dos documentos: producao ou homologacao
    #[arg(long, value_enum, default_value = "producao", hide_possible_values = true, hide_default_value = true)]
    ambiente: EnvironmentArg,
    /// Só este tipo: nfe, nfce, cte ou nfse; pode ser repetido
    #[arg(long, value_name = "TIPO", value_parser = tipo)]
    tipo: Vec<Tipo>,
    /// Leva também os formulários impressos
    #[arg(long)]
    pdf: bool,
    /// Leva-os juntos, até 200 documentos em cada PDF
    #[arg(long, conflicts_with = "pdf")]
    pdf_unico: bool,
    /// Arquivo a escrever
    #[arg(value_name = "ARQUIVO.zip")]
    arquivo: PathBuf,
}

fn tipo(word: &str) -> Result<Tipo, String> {
    Tipo::from_word(word).ok_or_else(|| "use nfe, nfce, cte ou nfse".to_owned())
}

pub(super) async fn run(args: ExportArgs) -> anyhow::Result<()> {
    account::with_account(&args.config, &args.email, async |store, tenant| export(store, tenant, &args).await).await
}

async fn export(store: &Store, tenant: Uuid, args: &ExportArgs) -> anyhow::Result<()> {
    let cpf_cnpj = CnpjCpf::parse(&args.empresa).map_err(|wrong| anyhow::anyhow!("--empresa: {wrong}"))?;
    anyhow::ensure!(args.de <= args.ate, "--ate deve ser o mesmo dia de --de ou um dia depois");
    anyhow::ensure!(!args.arquivo.exists(), "{} já existe; escolha outro nome", args.arquivo.display());
    store.company(tenant, cpf_cnpj).await.map_err(|error| match error {
        store::Error::NotFound => anyhow::anyhow!("a conta não tem a empresa {}", args.empresa),
        other => other.into(),
    })?;
    let until = args.ate.tomorrow().context("--ate: fora do calendário")?;
    let scope = ExportScope {
        tenant,
        ambiente: args.ambiente.tpAmb(),
        cpf_cnpj,
        from: args.de.to_string(),
        until: until.to_string(),
        tipos: args.tipo.clone(),
    };
    let engine = serve::engine(&args.config.load()?, store.clone())?;
    let forms = match (args.pdf, args.pdf_unico) {
        (_, true) => ExportForms::Joined,
        (true, false) => ExportForms::Separate,
        (false, false) => ExportForms::Absent,
    };
    let mut sink = FileSink::create(&args.arquivo)?;
    let request = ExportRequest { scope, forms };
    let count = match engine.export(&request, &mut sink).await {
        Ok(count) => count,
        Err(error) => {
            sink.discard();
            return Err(error.into());
        }
    };
    let bytes = sink.finish(&args.arquivo)?;
    eprintln!("{} documentos, {bytes} bytes em {}", count.feitas, args.arquivo.display());
    Ok(())
}

/// A file beside the named one, which takes its name when it is whole.
struct FileSink {
    path: PathBuf,
    file: std::fs::File,
    bytes: u64,
    shown: u64,
}

impl FileSink {
    fn create(target: &Path) -> anyhow::Result<FileSink> {
        let mut name = target.as_os_str().to_owned();
        name.push(".parcial");
        let path = PathBuf::from(name);
        let file = std::fs::File::create(&path).with_context(|| format!("{} não pôde ser criado", path.display()))?;
        Ok(FileSink { path, file, bytes: 0, shown: 0 })
    }

    fn finish(self, target: &Path) -> io::Result<u64> {
        self.file.sync_all()?;
        std::fs::rename(&self.path, target)?;
        Ok(self.bytes)
    }

    fn discard(self) {
        if let Err(error) = std::fs::remove_file(&self.path) {
            eprintln!("{} não pôde ser apagado: {error}", self.path.display());
        }
    }
}

impl ExportSink for FileSink {
    async fn append(&mut self, bytes: Vec<u8>, count: ExportCount) -> Result<(), ExportError> {
        self.file.write_all(&bytes)?;
        self.bytes += bytes.len() as u64;
        if count.feitas >= self.shown + 10_000 {
            self.shown = count.feitas;
            eprintln!("{} de {} documentos", count.feitas, count.total);
        }
        Ok(())
    }
}
