//! `demo.json`: addresses, keys, passwords and companies, for scripts that use the demonstration.

use std::path::Path;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

/// Content of the file.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct DemoFile {
    pub(super) base_url: String,
    /// The listener of MCP; absent in a file of an older version.
    #[serde(default, deserialize_with = "or_empty")]
    pub(super) mcp_url: String,
    /// First page of the panel; absent in a file of an older version.
    #[serde(default)]
    pub(super) painel_url: String,
    pub(super) simulador_url: String,
    pub(super) api_key_homologacao: String,
    pub(super) api_key_producao: String,
    pub(super) email: String,
    pub(super) senha: String,
    pub(super) cpf_cnpj: String,
    pub(super) cpf_cnpj_alfanumerico: String,
    /// The company with municipal NFS-e; absent in a file of an older version.
    #[serde(default)]
    pub(super) cpf_cnpj_municipal: String,
    pub(super) crt: u8,
    pub(super) uf: String,
    /// Signs the webhooks of homologação.
    pub(super) webhook_segredo: Option<String>,
    /// Path of the PFX of the company with a numeric CNPJ.
    pub(super) certificado_pfx: String,
    pub(super) certificado_senha: String,
    /// Path of the root certificate of the test authority.
    pub(super) ca_pem: String,
}

fn or_empty<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

impl DemoFile {
    /// Reads the file of an earlier run; `None` when it is missing or unreadable.
    pub(super) fn read(path: &Path) -> Option<DemoFile> {
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    /// Replaces the file in one step: a reader never sees half of it.
    pub(super) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        let partial = path.with_extension("json.parcial");
        write_private(&partial, format!("{text}\n").as_bytes()).with_context(|| partial.display().to_string())?;
        std::fs::rename(&partial, path).with_context(|| path.display().to_string())
    }
}

/// Writes a file of keys or passwords that only its owner can read.
pub(super) fn write_private(path: &Path, content: &[u8]) -> std::io::Result<()> {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(content)
}
