//! `[email]`: the SMTP server and the sender. The keys depend on each other, so they are checked after all are read.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use engine::mail::{MailSettings, SmtpPassword, SmtpTls, single_address};
use zeroize::Zeroizing;

use super::values::{one_of, read_bundle, whole};

/// Values of the keys.
#[derive(Clone)]
pub(crate) struct MailKeys {
    pub(super) servidor: Option<String>,
    pub(super) porta: u16,
    pub(super) tls: SmtpTls,
    pub(super) remetente: Option<String>,
    pub(super) nome: Option<String>,
    pub(super) usuario: Option<String>,
    pub(super) senha: Option<Zeroizing<String>>,
    pub(super) senha_arquivo: Option<PathBuf>,
    pub(super) ca_bundle: Option<PathBuf>,
    pub(super) tempo_limite_s: u64,
    pub(super) por_minuto: usize,
    pub(super) por_minuto_conta: usize,
}

impl Default for MailKeys {
    fn default() -> MailKeys {
        MailKeys {
            servidor: None,
            porta: 587,
            tls: SmtpTls::StartTls,
            remetente: None,
            nome: None,
            usuario: None,
            senha: None,
            senha_arquivo: None,
            ca_bundle: None,
            tempo_limite_s: 30,
            por_minuto: 60,
            por_minuto_conta: 30,
        }
    }
}

impl fmt::Debug for MailKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailKeys").field("servidor", &self.servidor).field("porta", &self.porta).finish_non_exhaustive()
    }
}

/// Returns the settings of the mailer with the operator's trust anchors; `None` without a server.
pub(crate) fn configured(keys: &MailKeys, panel_url: Option<&str>) -> anyhow::Result<Option<MailSettings>> {
    let Some(settings) = keys.settings(panel_url)? else { return Ok(None) };
    let extra_anchors_pem = read_bundle("email.ca_bundle", keys.ca_bundle.as_deref())?;
    Ok(Some(MailSettings { extra_anchors_pem, ..settings }))
}

impl MailKeys {
    /// Returns what is wrong about the keys together.
    pub(super) fn fault(&self) -> Option<String> {
        let Some(servidor) = &self.servidor else {
            let alone = self.remetente.is_some() || self.usuario.is_some() || self.has_password();
            return alone.then(|| "email: falta servidor".to_owned());
        };
        if self.remetente.is_none() {
            return Some("email: falta remetente".to_owned());
        }
        if self.usuario.is_some() != self.has_password() {
            return Some("email: usuario e senha (ou senha_arquivo) só valem juntos".to_owned());
        }
        let is_here = matches!(servidor.as_str(), "localhost" | "127.0.0.1" | "::1");
        (self.tls == SmtpTls::Absent && !is_here).then(|| {
            "email.tls: nenhum só vale para um servidor nesta máquina (localhost, 127.0.0.1 ou ::1)".to_owned()
        })
    }

    fn has_password(&self) -> bool {
        self.senha.is_some() || self.senha_arquivo.is_some()
    }

    /// Returns the settings without further trust anchors; `None` without a server.
    fn settings(&self, panel_url: Option<&str>) -> anyhow::Result<Option<MailSettings>> {
        let (Some(host), Some(from)) = (&self.servidor, &self.remetente) else { return Ok(None) };
        let login = match &self.usuario {
            Some(user) => Some((user.clone(), SmtpPassword::new(self.password()?))),
            None => None,
        };
        Ok(Some(MailSettings {
            host: host.clone(),
            port: self.porta,
            tls: self.tls,
            login,
            from: from.clone(),
            from_name: self.nome.clone(),
            timeout: Duration::from_secs(self.tempo_limite_s),
            per_minute: u32::try_from(self.por_minuto).unwrap_or(u32::MAX),
            per_minute_of_account: u32::try_from(self.por_minuto_conta).unwrap_or(u32::MAX),
            extra_anchors_pem: None,
            panel_url: panel_url.map(str::to_owned),
        }))
    }

    fn password(&self) -> anyhow::Result<Zeroizing<String>> {
        let (None, Some(file)) = (&self.senha, &self.senha_arquivo) else {
            return Ok(self.senha.clone().unwrap_or_default());
        };
        let text = std::fs::read_to_string(file).map(Zeroizing::new);
        let text = text.with_context(|| format!("email.senha_arquivo: {}", file.display()))?;
        password(text.trim_end_matches(['\r', '\n'])).map_err(|fault| anyhow::anyhow!("email.senha_arquivo: {fault}"))
    }
}

pub(super) fn host(text: &str) -> Result<String, String> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || ".-:".contains(letter);
    let named = !text.is_empty() && text.len() <= 253 && text.chars().all(fits);
    if named { Ok(text.to_owned()) } else { Err(format!("\"{text}\" não é um nome como smtp.exemplo.com.br")) }
}

pub(super) fn port(text: &str) -> Result<u16, String> {
    whole(text, 1, 65_535).and_then(|port| u16::try_from(port).map_err(|_| "grande demais".to_owned()))
}

pub(super) fn tls(text: &str) -> Result<SmtpTls, String> {
    Ok(match one_of(text, &["starttls", "implicito", "nenhum"])? {
        "implicito" => SmtpTls::Implicit,
        "nenhum" => SmtpTls::Absent,
        _ => SmtpTls::StartTls,
    })
}

pub(super) fn from(text: &str) -> Result<String, String> {
    single_address(text).map_err(|fault| format!("\"{text}\" {fault}"))
}

/// Reads a text of one line.
pub(super) fn name(text: &str) -> Result<String, String> {
    let fits = (1..=120).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits { Ok(text.to_owned()) } else { Err("o texto deve ter uma linha de 1 a 120 caracteres".to_owned()) }
}

/// Reads the password. No message repeats it.
pub(super) fn password(text: &str) -> Result<Zeroizing<String>, String> {
    let fits = (1..=256).contains(&text.len()) && !text.chars().any(char::is_control);
    if fits {
        Ok(Zeroizing::new(text.to_owned()))
    } else {
        Err("a senha deve ter uma linha de 1 a 256 bytes".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> MailKeys {
        let (servidor, remetente) = (Some("smtp.exemplo.com.br".to_owned()), Some("a@exemplo.com.br".to_owned()));
        MailKeys { servidor, remetente, ..MailKeys::default() }
    }

    #[test]
    fn the_keys_are_checked_together() {
        assert_eq!(MailKeys::default().fault(), None);
        assert!(MailKeys::default().settings(None).unwrap().is_none());
        assert_eq!(keys().fault(), None);
        let user = Some("a".to_owned());
        assert!(MailKeys { usuario: user.clone(), ..keys() }.fault().unwrap().contains("só valem juntos"));
        assert!(MailKeys { remetente: None, ..keys() }.fault().unwrap().contains("falta remetente"));
        assert!(MailKeys { usuario: user, ..MailKeys::default() }.fault().unwrap().contains("falta servidor"));
        assert!(MailKeys { tls: SmtpTls::Absent, ..keys() }.fault().unwrap().contains("nesta máquina"));
        let here = Some("127.0.0.1".to_owned());
        assert_eq!(MailKeys { tls: SmtpTls::Absent, servidor: here, ..keys() }.fault(), None);
    }

    #[test]
    fn the_password_is_printed_nowhere() {
        let senha = Some(Zeroizing::new("s3gredo".to_owned()));
        let keys = MailKeys { usuario: Some("a".to_owned()), senha, ..keys() };
        let settings = keys.settings(None).unwrap().unwrap();
        assert!(!format!("{keys:?} {settings:?}").contains("s3gredo"));
        assert!(!password(&"s3gredo\n".repeat(2)).unwrap_err().contains("s3gredo"));
    }
}
