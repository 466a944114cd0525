//! `carimbo segredo`: the master key.

use std::path::PathBuf;

use super::{ConfigArgs, serve};
use crate::config::master_key;

#[derive(clap::Subcommand)]
pub(crate) enum MasterKeyCommand {
    /// Gera uma chave mestra nova (64 dígitos hexadecimais), na tela ou num arquivo só seu
    Gerar {
        /// Arquivo a criar, com permissão só para o dono; um arquivo existente nunca é substituído
        #[arg(long, value_name = "ARQUIVO")]
        arquivo: Option<PathBuf>,
    },
    /// Troca a chave mestra: fecha com a nova tudo o que a atual abre (com o serviço parado)
    Trocar {
        #[command(flatten)]
        config: ConfigArgs,
        /// Arquivo com a chave nova; criado se não existir
        #[arg(long, value_name = "ARQUIVO")]
        nova: PathBuf,
    },
}

pub(crate) async fn run(command: MasterKeyCommand) -> anyhow::Result<()> {
    match command {
        MasterKeyCommand::Gerar { arquivo: None } => println!("{}", *master_key::generate()?),
        MasterKeyCommand::Gerar { arquivo: Some(path) } => {
            master_key::write_new(&path, &master_key::generate()?)?;
            eprintln!("chave mestra criada em {}; guarde uma cópia fora desta máquina", path.display());
        }
        MasterKeyCommand::Trocar { config, nova } => rotate(config, nova).await?,
    }
    Ok(())
}

async fn rotate(config: ConfigArgs, nova: PathBuf) -> anyhow::Result<()> {
    let config = config.load()?;
    if !nova.exists() {
        master_key::write_new(&nova, &master_key::generate()?)?;
    }
    let fresh = master_key::from_file(&nova)?;
    let store = serve::open_store(&config).await?;
    let rotated = store.rotate_master_key(fresh, jiff::Timestamp::now().as_second()).await;
    store.close().await;
    let count = rotated.map_err(|error| match error {
        store::Error::InUse => anyhow::anyhow!(
            "nada foi trocado: um serviço está no ar com este banco, e continuaria com a chave antiga. Pare todos (carimbo serve) \
             e repita; se um deles caiu, espere 45 segundos"
        ),
        other => other.into(),
    })?;
    eprintln!(
        "chave mestra trocada: os segredos de {count} {} agora fecham com {}; aponte segredo.chave_mestra_arquivo para ele",
        if count == 1 { "conta" } else { "contas" },
        nova.display()
    );
    Ok(())
}
