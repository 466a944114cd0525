//! The connection URL. tokio-postgres parses it, except for TLS, where all `sslmode` words of libpq are honoured.
//!
//! Law: postgresql.org, "SSL Support": `require` encrypts, `verify-ca` also checks the chain, `verify-full` also the
//! host name. Without `sslmode` the connection is plain (one machine, or a private network).

use crate::Error;
use openssl::ssl::{SslConnector, SslConnectorBuilder, SslMethod, SslVerifyMode};
use postgres_openssl::MakeTlsConnector;
use std::path::Path;
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

/// Connection parameters.
#[derive(Clone)]
pub(crate) struct DatabaseAddress {
    pub(crate) config: Config,
    pub(crate) tls: MakeTlsConnector,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TlsMode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

/// Parses the URL. Errors never repeat it: it contains a password.
pub(crate) fn parse(url: &str) -> Result<DatabaseAddress, Error> {
    let (plain, asked) = split_tls(url);
    let mode = match asked.mode.as_deref() {
        None | Some("disable") => TlsMode::Disable,
        Some("prefer" | "allow") => TlsMode::Prefer,
        Some("require") => TlsMode::Require,
        Some("verify-ca") => TlsMode::VerifyCa,
        Some("verify-full") => TlsMode::VerifyFull,
        Some(_) => return Err(invalid("sslmode desconhecido; use disable, require, verify-ca ou verify-full")),
    };
    let mut config: Config = plain.parse().map_err(|_| invalid("a URL do PostgreSQL não pôde ser lida"))?;
    config.ssl_mode(match mode {
        TlsMode::Disable => SslMode::Disable,
        TlsMode::Prefer => SslMode::Prefer,
        TlsMode::Require | TlsMode::VerifyCa | TlsMode::VerifyFull => SslMode::Require,
    });
    config.application_name("carimbo").connect_timeout(super::CONNECT).tcp_user_timeout(super::CONNECT * 3);
    let tls = connector(mode, asked.root.as_deref()).map_err(|cause| {
        Error::Unavailable(format!("o certificado raiz do PostgreSQL (sslrootcert) não pôde ser lido: {cause}"))
    })?;
    Ok(DatabaseAddress { config, tls })
}

fn invalid(why: &str) -> Error {
    Error::Unavailable(why.to_owned())
}

#[derive(Debug, Default, PartialEq, Eq)]
struct TlsOptions {
    mode: Option<String>,
    root: Option<String>,
}

/// Extracts `sslmode` and `sslrootcert` from the query part.
fn split_tls(url: &str) -> (String, TlsOptions) {
    let Some((base, query)) = url.split_once('?') else { return (url.to_owned(), TlsOptions::default()) };
    let mut asked = TlsOptions::default();
    let mut rest = Vec::new();
    for pair in query.split('&') {
        match pair.split_once('=') {
            Some(("sslmode", mode)) => asked.mode = Some(mode.to_owned()),
            Some(("sslrootcert", path)) => asked.root = Some(path.replace("%2F", "/").replace("%2f", "/")),
            _ => rest.push(pair),
        }
    }
    let rest = rest.join("&");
    (if rest.is_empty() { base.to_owned() } else { format!("{base}?{rest}") }, asked)
}

fn connector(mode: TlsMode, root: Option<&str>) -> Result<MakeTlsConnector, openssl::error::ErrorStack> {
    let mut builder = SslConnector::builder(SslMethod::tls_client())?;
    // As in libpq, a root certificate given with `require` is checked.
    let checks =
        matches!(mode, TlsMode::VerifyCa | TlsMode::VerifyFull) || (mode == TlsMode::Require && root.is_some());
    builder.set_verify(if checks { SslVerifyMode::PEER } else { SslVerifyMode::NONE });
    if checks {
        trust_roots(&mut builder, root)?;
    }
    let mut tls = MakeTlsConnector::new(builder.build());
    tls.set_callback(move |connection, _| {
        connection.set_verify_hostname(mode == TlsMode::VerifyFull);
        Ok(())
    });
    Ok(tls)
}

/// Trusts the given root alone, or else the system's. A vendored OpenSSL does not know where the system keeps them.
fn trust_roots(builder: &mut SslConnectorBuilder, root: Option<&str>) -> Result<(), openssl::error::ErrorStack> {
    let system = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];
    match root.or_else(|| system.into_iter().find(|path| Path::new(path).exists())) {
        Some(path) => builder.set_ca_file(path),
        None => builder.set_default_verify_paths(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tls_words_are_taken_out_and_the_rest_is_kept() {
        let (plain, asked) =
            split_tls("postgres://a:b@h/db?sslmode=verify-full&application_name=x&sslrootcert=%2Fca.pem");
        assert_eq!(plain, "postgres://a:b@h/db?application_name=x");
        assert_eq!(asked, TlsOptions { mode: Some("verify-full".into()), root: Some("/ca.pem".into()) });
        assert_eq!(split_tls("postgres://h/db").0, "postgres://h/db");
    }

    #[test]
    fn an_error_never_repeats_the_password() {
        for url in ["postgres://ana:s3nh4@h/db?sslmode=talvez", "postgres://ana:s3nh4@h:porta/db"] {
            let Err(error) = parse(url) else { panic!("{url} was taken") };
            assert!(!error.to_string().contains("s3nh4"), "{error}");
        }
    }

    #[test]
    fn only_verify_modes_and_a_given_root_are_checked() {
        let mode = |query: &str| parse(&format!("postgres://h/db{query}")).map(|address| address.config.get_ssl_mode());
        assert_eq!(mode("").unwrap(), SslMode::Disable);
        assert_eq!(mode("?sslmode=require").unwrap(), SslMode::Require);
        assert_eq!(mode("?sslmode=verify-full").unwrap(), SslMode::Require);
        assert!(mode("?sslmode=verify-ca&sslrootcert=/nowhere.pem").is_err());
    }
}
