//! Values of the configuration: how a text is read as each kind, and the message for a text that is not of it.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use engine::family::layouts::LayoutChoice;
use outbound::IpNetwork;
use store::Location;

use super::nearest;

pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| format!("\"{text}\" não é um endereço IP:porta, como 127.0.0.1:8080"))
}

pub(super) fn networks(text: &str) -> Result<Vec<IpNetwork>, String> {
    split_list(text).map(str::parse).collect()
}

pub(super) fn origins(text: &str) -> Result<Vec<String>, String> {
    split_list(text)
        .map(|part| origin(part).ok_or_else(|| format!("\"{part}\" não é uma origem como https://loja.com.br")))
        .collect()
}

/// Reads a public address: http or https with a host, without query.
pub(super) fn url(text: &str) -> Result<String, String> {
    let uri: http::Uri =
        text.parse().map_err(|_| format!("\"{text}\" não é um endereço como https://api.exemplo.com.br"))?;
    let known = matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty());
    if known && uri.query().is_none() {
        return Ok(text.trim_end_matches('/').to_owned());
    }
    Err(format!("\"{text}\" não é um endereço como https://api.exemplo.com.br"))
}

pub(super) fn hosts(text: &str) -> Result<Vec<String>, String> {
    let is_host = |host: &str| host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    split_list(text)
        .map(|part| {
            is_host(part)
                .then(|| part.to_owned())
                .ok_or_else(|| format!("\"{part}\" não é um nome como api.exemplo.com.br"))
        })
        .collect()
}

/// Reads scheme, host and port as a browser writes them (RFC 6454 §6.2), or `*`.
fn origin(text: &str) -> Option<String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_host = |host: &str| {
        !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte))
    };
    (text == "*" || host.is_some_and(is_host)).then(|| text.to_ascii_lowercase())
}

/// Reads an origin without path. Plain http is accepted only for this machine.
pub(crate) fn public_url(text: &str) -> Result<String, String> {
    let wrong = || format!("\"{text}\" não é um endereço como https://notas.exemplo.com.br, sem caminho");
    let url = origin(text.trim_end_matches('/')).filter(|url| url != "*").ok_or_else(wrong)?;
    let local = ["http://127.0.0.1", "http://localhost", "http://[::1]"];
    let stays = |host: &&str| url.strip_prefix(host).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
    if url.starts_with("https://") || local.iter().any(stays) { Ok(url) } else { Err(wrong()) }
}

/// Returns the parts of a text separated by commas.
fn split_list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

pub(super) fn path(text: &str) -> Result<PathBuf, String> {
    if text.is_empty() { Err("o caminho está vazio".to_owned()) } else { Ok(PathBuf::from(text)) }
}

/// Reads a file of PEM certificates; `key` names it in the error.
pub(crate) fn read_bundle(key: &str, path: Option<&Path>) -> anyhow::Result<Option<Vec<u8>>> {
    let Some(path) = path else { return Ok(None) };
    let pem = std::fs::read(path).with_context(|| format!("{key}: {}", path.display()))?;
    // a file without certificates would be accepted here, and every call would fail later
    anyhow::ensure!(
        pem.windows(BEGIN.len()).any(|part| part == BEGIN),
        "{key}: {} não tem nenhum certificado PEM (-----BEGIN CERTIFICATE-----)",
        path.display()
    );
    Ok(Some(pem))
}

const BEGIN: &[u8] = b"-----BEGIN ";

/// Reads the address of a database. The message never repeats the text: it may hold a password.
pub(super) fn location(text: &str) -> Result<Location, String> {
    match text.split_once(':') {
        Some(("sqlite", file)) if !file.is_empty() => {
            Ok(Location::Sqlite(PathBuf::from(file.trim_start_matches("//"))))
        }
        Some(("postgres" | "postgresql", _)) => Ok(Location::Postgres(text.to_owned())),
        _ => Err("use sqlite:CAMINHO ou postgres://usuario:senha@servidor/banco".to_owned()),
    }
}

pub(super) fn whole(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("\"{text}\" não é um número inteiro de {least} a {most}"))
}

/// Reads a number of days; returns seconds.
pub(super) fn days(text: &str) -> Result<i64, String> {
    whole(text, 1, 3650).map(|days| days.cast_signed() * 24 * 3600)
}

pub(super) fn failures(text: &str) -> Result<NonZeroU32, String> {
    let number = u32::try_from(whole(text, 1, 1_000_000)?).ok().and_then(NonZeroU32::new);
    number.ok_or_else(|| "grande demais".to_owned())
}

pub(super) fn count_of_rows(text: &str) -> Result<u32, String> {
    u32::try_from(whole(text, 0, 1_000_000)?).map_err(|_| "grande demais".to_owned())
}

pub(super) fn connections(text: &str) -> Result<usize, String> {
    usize::try_from(whole(text, 1, 1_000_000)?).map_err(|_| "grande demais".to_owned())
}

pub(super) fn bytes(text: &str, least: u64, most: u64) -> Result<usize, String> {
    usize::try_from(whole(text, least, most)?).map_err(|_| "grande demais".to_owned())
}

pub(super) fn count(text: &str) -> Result<usize, String> {
    whole(text, 1, 4096).and_then(|count| usize::try_from(count).map_err(|_| "grande demais".to_owned()))
}

pub(super) fn layout(text: &str) -> Result<LayoutChoice, String> {
    let word = one_of(text, &["automatico", "atual", "nt009"])?;
    LayoutChoice::read(word).ok_or_else(|| "deve ser automatico, atual ou nt009".to_owned())
}

pub(super) fn flag(text: &str) -> Result<bool, String> {
    one_of(text, &["true", "false"]).map(|flag| flag == "true")
}

pub(super) fn one_of(text: &str, accepted: &'static [&'static str]) -> Result<&'static str, String> {
    let found = accepted.iter().copied().find(|word| *word == text);
    found.ok_or_else(|| {
        let near = nearest(text, accepted.iter().map(|word| (*word).to_owned()));
        format!("\"{text}\" não é aceito; o mais próximo é \"{near}\" (aceitos: {})", accepted.join(", "))
    })
}
