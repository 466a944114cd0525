//! Sources of the master key, in this order: variable, command, file. A new SQLite installation gets a generated one.
//!
//! Law: only `carimbo segredo gerar` prints a key.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use store::Location;
use store::vault::MasterKey;
use zeroize::Zeroizing;

use super::Config;

/// The variable that holds the key itself.
pub(super) const VARIABLE: &str = "CARIMBO_SEGREDO_CHAVE_MESTRA";

/// Returns the configured key. Creates one for a new SQLite installation.
pub(crate) fn obtain(config: &Config) -> anyhow::Result<MasterKey> {
    if let Ok(text) = std::env::var(VARIABLE) {
        return parse(&Zeroizing::new(text)).context(VARIABLE);
    }
    if let Some(command) = &config.master_key_command {
        return from_command(command).context("segredo.chave_mestra_comando");
    }
    if config.master_key_file.exists() {
        return from_file(&config.master_key_file);
    }
    create_for_new_installation(config)
}

/// Returns 64 random hexadecimal digits.
pub(crate) fn generate() -> anyhow::Result<Zeroizing<String>> {
    let mut bytes = Zeroizing::new([0_u8; 32]);
    getrandom::fill(bytes.as_mut_slice()).context("não há fonte de números aleatórios")?;
    let mut text = Zeroizing::new(String::with_capacity(64));
    for byte in bytes.iter() {
        text.push_str(&format!("{byte:02x}"));
    }
    Ok(text)
}

/// Writes a key to a new file that only its owner can read. Never replaces a file.
pub(crate) fn write_new(path: &Path, key: &str) -> anyhow::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = std::fs::OpenOptions::new();
    let opened = options.write(true).create_new(true).mode(0o600).open(path);
    if opened.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::AlreadyExists) {
        bail!(
            "{} já existe e nunca é substituído: ele pode ser o único que abre os segredos guardados",
            path.display()
        );
    }
    let mut file = opened.with_context(|| format!("não foi possível criar {}", path.display()))?;
    writeln!(file, "{key}").and_then(|()| file.sync_all()).with_context(|| path.display().to_string())
}

pub(crate) fn from_file(path: &Path) -> anyhow::Result<MasterKey> {
    let text = std::fs::read_to_string(path).map(Zeroizing::new);
    let text = text.with_context(|| format!("a chave mestra em {} não pôde ser lida", path.display()))?;
    parse(&text).with_context(|| path.display().to_string())
}

fn from_command(command: &str) -> anyhow::Result<MasterKey> {
    let output = std::process::Command::new("sh").arg("-c").arg(command).output().context("o comando não rodou")?;
    if !output.status.success() {
        bail!("o comando terminou com {}", output.status);
    }
    parse(&Zeroizing::new(String::from_utf8(output.stdout).context("a saída não é texto")?))
}

/// Creates a key only for a SQLite database that does not exist yet: an existing one may hold secrets sealed with a
/// lost key.
fn create_for_new_installation(config: &Config) -> anyhow::Result<MasterKey> {
    let path = &config.master_key_file;
    match &config.database {
        Location::Sqlite(file) if !file.exists() => {
            let key = generate()?;
            write_new(path, &key)?;
            tracing::warn!(arquivo = %path.display(), "chave mestra criada; guarde uma cópia dela fora desta máquina");
            parse(&key)
        }
        _ => bail!(
            "a chave mestra não existe em {} e o banco já pode ter segredos guardados com ela. Restaure o arquivo, informe \
             segredo.chave_mestra_arquivo ou, numa instalação nova, crie uma com `carimbo segredo gerar --arquivo {}`",
            path.display(),
            path.display()
        ),
    }
}

fn parse(text: &str) -> anyhow::Result<MasterKey> {
    let text = text.trim();
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        bail!("a chave mestra deve ter 64 dígitos hexadecimais; vieram {} caracteres", text.chars().count());
    }
    let mut bytes = Zeroizing::new([0_u8; 32]);
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16)?;
    }
    Ok(MasterKey::new(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_key_is_read_back_and_a_wrong_one_is_not_repeated() {
        parse(&generate().unwrap()).unwrap();
        let error = parse("s3gredo").unwrap_err().to_string();
        assert!(error.contains("64") && !error.contains("s3gredo"));
    }

    #[test]
    fn an_existing_key_file_is_never_replaced() {
        let path = std::env::temp_dir().join(format!("carimbo-chave-{}", uuid::Uuid::now_v7()));
        write_new(&path, &generate().unwrap()).unwrap();
        from_file(&path).unwrap();
        assert!(write_new(&path, "x").is_err());
        std::fs::remove_file(path).unwrap();
    }
}
