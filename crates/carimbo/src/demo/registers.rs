//! Registers of the demonstration: a few CEPs and the demonstration's own companies, imported as an operator imports
//! the real ones.
//!
//! The files of the CNPJ have the layout of Receita Federal's open data. A register that was imported already, perhaps
//! a whole base of the user's, is left alone.

use std::path::Path;

use anyhow::Context as _;
use lookup::import::{import_cep, import_cnpj};
use store::Store;
use store::lookups::PublicRegister;

/// Imports the missing registers; `dir` is the demonstration's folder.
pub(super) async fn import_missing_registers(store: &Store, dir: &Path) -> anyhow::Result<()> {
    let cep = store.active_load(PublicRegister::Cep).await?.is_none();
    let cnpj = store.active_load(PublicRegister::Cnpj).await?.is_none();
    if !cep && !cnpj {
        return Ok(());
    }
    let folder = dir.join(FOLDER);
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    for (name, text) in FILES {
        let file = folder.join(name);
        std::fs::write(&file, text).with_context(|| file.display().to_string())?;
    }
    let (edition, now) = (Some(EDITION.to_owned()), jiff::Timestamp::now().as_second());
    if cep {
        import_cep(store, &folder.join(CEPS), edition.clone(), true, now, |_| {}).await?;
    }
    if cnpj {
        import_cnpj(store, &[folder], edition, true, now, |_| {}).await?;
    }
    Ok(())
}

/// Edition that lookups answer: it marks the data as examples.
const EDITION: &str = "demonstração: só os exemplos";
const FOLDER: &str = "cadastros";
const CEPS: &str = "ceps.csv";

macro_rules! files {
    ($($name:literal)*) => {
        const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!("cadastros/", $name))),)*];
    };
}

files! {
    "ceps.csv"
    "Empresas.csv"
    "Estabelecimentos.csv"
    "Simples.csv"
    "Socios.csv"
    "Cnaes.csv"
    "Municipios.csv"
    "Motivos.csv"
    "Naturezas.csv"
    "Paises.csv"
    "Qualificacoes.csv"
}
