//! A private PostgreSQL server in a temporary folder, removed when its owner ends.
//!
//! A small shell between us and the server waits for the end of its input, which comes however we end. It then stops
//! the server and removes the folder, so that an interrupted run leaves nothing behind.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Durability of the server's writes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Durability {
    /// As in production; for measurements and for development.
    Full,
    /// No fsync: the tests kill our process, never the machine.
    None,
}

impl Durability {
    /// Returns options of the server. With full durability it also counts statements, for measurements.
    fn options(self) -> &'static str {
        match self {
            Durability::Full => "-c shared_preload_libraries=pg_stat_statements",
            Durability::None => "-c fsync=off",
        }
    }
}

/// A running server.
pub(crate) struct PrivatePostgres {
    supervisor: Child,
    port: u16,
}

/// `cargo xtask postgres`: runs until Ctrl-C.
pub(crate) fn run(_: &[String]) -> Result<()> {
    let mut server = PrivatePostgres::start(Durability::Full, &std::env::temp_dir())?;
    println!("export TEST_DATABASE_URL={}", server.url());
    println!("# Ctrl-C stops the server and removes its data");
    // `wait` would close the child's input, and the end of its input stops the server
    let _open = server.supervisor.stdin.take();
    server.supervisor.wait()?;
    Ok(())
}

impl PrivatePostgres {
    /// Creates a cluster in a folder, starts it on a free port and returns once it answers.
    pub(crate) fn start(durability: Durability, home: &Path) -> Result<Self> {
        let binaries = binaries().context("initdb not found: install the Debian package `postgresql`")?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let keeper = as_server_user()
            .env("BIN", &binaries)
            .env("PORT", port.to_string())
            .env("EXTRA", durability.options())
            .env("TMPDIR", home)
            .current_dir(home)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .context("the keeper of PostgreSQL could not start")?;
        let mut server = Self { supervisor: keeper, port };
        server.wait_until_ready(&binaries)?;
        Ok(server)
    }

    /// Returns the URL for `TEST_DATABASE_URL`.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    fn wait_until_ready(&mut self, binaries: &Path) -> Result<()> {
        let deadline = Instant::now() + READY_WITHIN;
        let port = self.port.to_string();
        while Instant::now() < deadline {
            if let Some(status) = self.supervisor.try_wait()? {
                bail!("PostgreSQL ended before it was ready ({status}); its messages are above");
            }
            let mut probe = Command::new(binaries.join("pg_isready"));
            if shell::capture(probe.args(["-q", "-h", "127.0.0.1", "-p", &port]))?.success {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        bail!("PostgreSQL did not answer on port {port} within {READY_WITHIN:?}")
    }
}

impl Drop for PrivatePostgres {
    fn drop(&mut self) {
        // the end of its input stops the server
        drop(self.supervisor.stdin.take());
        if let Err(error) = self.supervisor.wait() {
            eprintln!("xtask: PostgreSQL was not seen to stop: {error}");
        }
    }
}

/// Returns the command of the shell, as a user that PostgreSQL accepts: it refuses to run as root.
fn as_server_user() -> Command {
    if !shell::is_root() {
        let mut command = Command::new("sh");
        command.args(["-c", SUPERVISOR_SCRIPT]);
        return command;
    }
    let user = if user_exists("postgres") { "postgres" } else { "nobody" };
    let mut command = Command::new("runuser");
    command.args(["-u", user, "--", "sh", "-c", SUPERVISOR_SCRIPT]);
    command
}

fn user_exists(name: &str) -> bool {
    Command::new("id").args(["-u", name]).output().is_ok_and(|output| output.status.success())
}

/// Returns the folder with `initdb`: Debian has one per version outside of `PATH`.
pub(crate) fn binaries() -> Option<PathBuf> {
    let mut versions: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter_map(|path| Some((path.file_name()?.to_str()?.parse().ok()?, path.join("bin"))))
        .filter(|(_, bin)| bin.join("initdb").is_file())
        .collect();
    versions.sort();
    versions.pop().map(|(_, bin)| bin).or_else(|| Some(shell::find("initdb")?.parent()?.to_path_buf()))
}

const READY_WITHIN: Duration = Duration::from_secs(60);

/// The shell's script. Ctrl-C reaches the whole group: the shell ignores it, PostgreSQL takes it as a fast shutdown,
/// and we end with it.
const SUPERVISOR_SCRIPT: &str = r#"
set -e
trap '' INT TERM HUP
exec 3<&0
DATA=$(mktemp -d "${TMPDIR:-/tmp}/carimbo-pg.XXXXXX")
"$BIN/initdb" -D "$DATA/data" -U postgres -A trust --no-sync -E UTF8 --locale=C >"$DATA/initdb.log" 2>&1 || {
    cat "$DATA/initdb.log" >&2; rm -rf "$DATA"; exit 1
}
"$BIN/postgres" -D "$DATA/data" -p "$PORT" -c listen_addresses=127.0.0.1 -c unix_socket_directories="$DATA" \
    -c max_connections=600 -c shared_buffers=128MB $EXTRA </dev/null >"$DATA/server.log" 2>&1 &
SERVER=$!
( cat <&3 >/dev/null; kill -INT $SERVER 2>/dev/null ) &
set +e
wait $SERVER
STATUS=$?
[ $STATUS -eq 0 ] || tail -n 20 "$DATA/server.log" >&2
rm -rf "$DATA"
exit $STATUS
"#;
