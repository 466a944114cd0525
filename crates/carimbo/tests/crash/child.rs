//! The real process, `carimbo serve`: started, observed by its output, killed with SIGKILL.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;

/// State of the child as read from its output.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    /// `http://127.0.0.1:PORT`.
    pub(crate) base_url: Option<String>,
    /// Crash point at which it is halted.
    pub(crate) point: Option<String>,
    /// Its stdout ended.
    pub(crate) ended: bool,
}

pub(crate) struct Process {
    child: Child,
    said: watch::Receiver<Said>,
}

impl Process {
    /// Starts it; `trap` is `name:count` of the crash point it shall stop at.
    pub(crate) fn start(environment: &[(String, String)], trap: Option<&str>, errors: &Path) -> Process {
        let errors = std::fs::OpenOptions::new().create(true).append(true).open(errors).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_carimbo"));
        command.arg("serve").envs(environment.iter().cloned()).env_remove("CARIMBO_PONTO_DE_QUEDA");
        if let Some(trap) = trap {
            command.env("CARIMBO_PONTO_DE_QUEDA", trap);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let stdout = child.stdout.take().unwrap();
        let (tell, said) = watch::channel(Said::default());
        tokio::spawn(async move {
            let mut lines = BufReader::new(stdout).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                tell.send_modify(|said| hear(said, &line));
            }
            tell.send_modify(|said| said.ended = true);
        });
        Process { child, said }
    }

    /// Waits until the state satisfies `is`; `None` on timeout, or when the process ended by itself.
    pub(crate) async fn when(&self, at_most: Duration, is: impl Fn(&Said) -> bool) -> Option<Said> {
        let mut said = self.said.clone();
        let heard = tokio::time::timeout(at_most, said.wait_for(|said| is(said) || said.ended)).await;
        heard.ok()?.ok().map(|said| said.clone()).filter(|said| is(said))
    }

    pub(crate) fn said(&self) -> Said {
        self.said.borrow().clone()
    }

    /// SIGKILL, and the end of the process.
    pub(crate) async fn kill(mut self) {
        self.child.start_kill().unwrap();
        self.child.wait().await.unwrap();
    }

    /// SIGTERM, and an end in order.
    pub(crate) async fn stop(mut self) {
        let terminate = format!("kill {}", self.child.id().expect("it runs"));
        assert!(Command::new("sh").args(["-c", &terminate]).status().await.unwrap().success());
        let status = tokio::time::timeout(Duration::from_secs(30), self.child.wait()).await;
        assert!(status.expect("it stops when asked").unwrap().success());
    }
}

fn hear(said: &mut Said, line: &str) {
    if let Some(url) = line.strip_prefix("escutando em ") {
        said.base_url = Some(url.trim().to_owned());
    }
    if let Some(point) = line.strip_prefix("ponto de queda: ") {
        said.point = Some(point.trim().to_owned());
    }
}
