//! The binary as an operator runs it: in a folder of its own, on a database of its own.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use store::Location;

use crate::support::database::Database;

/// A folder with a database and a master key.
pub(crate) struct Installation {
    pub(crate) dir: PathBuf,
    database: Database,
}

/// The output of a finished command.
pub(crate) struct Ended {
    pub(crate) well: bool,
    pub(crate) out: String,
    pub(crate) told: String,
}

impl Installation {
    /// An empty folder, on SQLite whatever the suite runs on.
    pub(crate) fn on_sqlite() -> Installation {
        let dir = folder();
        let database = Database::sqlite(&dir);
        Installation { dir, database }
    }

    pub(crate) async fn new() -> Installation {
        let dir = folder();
        let database = Database::create(&dir).await;
        let installation = Installation { dir, database };
        if let Location::Postgres(_) = installation.database.location {
            // only a new file proves that nothing was sealed before: elsewhere the operator makes the key
            assert!(installation.run(&["segredo", "gerar", "--arquivo", "carimbo.chave"]).well);
        }
        installation
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carimbo"));
        command.args(arguments).current_dir(&self.dir).env("CARIMBO_HTTP_ENDERECO", "127.0.0.1:0");
        let url = match &self.database.location {
            Location::Sqlite(path) => format!("sqlite:{}", path.display()),
            Location::Postgres(url) => url.clone(),
        };
        command.env("CARIMBO_BANCO_URL", url);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ended { well: output.status.success(), out: text(&output.stdout), told: text(&output.stderr) }
    }

    /// `conta criar`; gives the homologação key.
    pub(crate) fn account(&self) -> String {
        let made = self.run(&["conta", "criar", "--nome", "Loja", "--email", "dono@exemplo.com.br"]);
        assert!(made.well, "{}", made.told);
        made.out.split_whitespace().find(|word| word.starts_with("crb_test_")).unwrap().to_owned()
    }

    /// All rows of the database as text.
    pub(crate) async fn dump(&self) -> String {
        self.database.dump().await
    }

    pub(crate) async fn finish(self) {
        self.database.drop().await;
        std::fs::remove_dir_all(&self.dir).unwrap();
    }
}

fn folder() -> PathBuf {
    let dir = std::env::temp_dir().join(format!("carimbo-serve-{}", uuid::Uuid::now_v7()));
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// A command that runs until it is stopped.
pub(crate) struct Running {
    child: Child,
    /// Its first line.
    pub(crate) first_line: String,
}

impl Running {
    pub(crate) fn start(mut command: Command, log: &Path) -> Running {
        let log = std::fs::File::create(log).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut first_line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut first_line).unwrap();
        Running { child, first_line: first_line.trim().to_owned() }
    }

    /// Returns the address of the API.
    #[track_caller]
    pub(crate) fn base_url(&self) -> &str {
        self.first_line.strip_prefix("escutando em ").unwrap_or_else(|| panic!("first line: {}", self.first_line))
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// SIGTERM, and a clean end.
    #[track_caller]
    pub(crate) fn terminate(self) {
        self.signal();
        self.ended();
    }

    /// SIGTERM.
    #[track_caller]
    pub(crate) fn signal(&self) {
        let killed = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(killed.success());
    }

    /// A clean end.
    #[track_caller]
    pub(crate) fn ended(mut self) {
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // a failed test leaves no process behind
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
