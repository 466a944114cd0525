//! The location of the data and its spelling in the configuration.

use std::fmt;
use std::path::PathBuf;

/// Location of the data.
#[derive(Clone)]
pub enum Location {
    /// A file; `synchronous=FULL`, WAL, one writer that groups waiting operations into one commit.
    Sqlite(PathBuf),
    /// A connection string, e.g. `postgres://user:pass@host/db`. `Debug` does not show the password.
    Postgres(String),
}

/// The text is no known location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("o endereço do banco começa com sqlite: ou postgres://")]
pub struct InvalidLocation;

impl Location {
    /// Parses `sqlite:/path/file.db` or `postgres://…`.
    pub fn parse(text: &str) -> Result<Location, InvalidLocation> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return if path.is_empty() { Err(InvalidLocation) } else { Ok(Location::Sqlite(path.into())) };
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Location::Postgres(text.to_owned()));
        }
        Err(InvalidLocation)
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Sqlite(path) => f.debug_tuple("Sqlite").field(path).finish(),
            Location::Postgres(url) => f.debug_tuple("Postgres").field(&without_secrets(url)).finish(),
        }
    }
}

/// Returns scheme, host and database only; leaves out every part that may carry a password, in all forms that libpq
/// accepts.
fn without_secrets(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return "…".to_owned() };
    let rest = rest.split_once('?').map_or(rest, |(address, _)| address);
    // A password may contain `@`, so the last one separates the host.
    let address = rest.rsplit_once('@').map_or(rest, |(_, address)| address);
    format!("{scheme}://{address}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_never_shows_a_password() {
        for url in [
            "postgres://ana:s3nh4@host/db",
            "postgres://ana:s3n@h4@host/db",
            "postgres://host/db?user=ana&password=s3nh4",
            "host=h user=ana password=s3nh4",
        ] {
            let shown = format!("{:?}", Location::Postgres(url.to_owned()));
            assert!(!shown.contains("s3n") && !shown.contains("h4"), "{shown}");
        }
        assert_eq!(
            format!("{:?}", Location::Postgres("postgres://a:b@h:1/db".into())),
            "Postgres(\"postgres://h:1/db\")"
        );
    }

    #[test]
    fn reads_both_kinds_of_address() {
        assert!(
            matches!(Location::parse("sqlite:/a/b.db"), Ok(Location::Sqlite(path)) if path.as_os_str() == "/a/b.db")
        );
        assert!(matches!(Location::parse("sqlite:b.db"), Ok(Location::Sqlite(path)) if path.as_os_str() == "b.db"));
        assert!(matches!(Location::parse("postgres://h/db"), Ok(Location::Postgres(_))));
        assert_eq!(Location::parse("mysql://h/db").unwrap_err(), InvalidLocation);
    }
}
