//! The guides as a new user follows them: every command of a block marked `sh` runs as it stands against a running
//! `carimbo demo`, in an empty folder, with only the placeholders (`<job_id>`, `<chave>`, `<cnpj>`) filled in; every
//! note they show is accepted without a notice.

mod magic_values;
mod migration;
mod operator;
mod recipes;
mod remedies;
mod simulated_cities;
mod words;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::body::NUMERIC;
use crate::support::client::Client;
use crate::support::installation::Running;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Order of the guides: the last ones remove what the others need. They register the company anew and reset the
/// simulator.
const FOLLOWED: &[&str] = &[
    "README.md",
    "README.pt-BR.md",
    "docs/guides/primeira-nota.md",
    "docs/guides/nfce.md",
    "docs/guides/primeiro-cte.md",
    "docs/guides/cte-os.md",
    "docs/guides/eventos-do-cte.md",
    "docs/guides/primeira-nfse.md",
    "docs/guides/cancelar-e-substituir-nfse.md",
    "docs/guides/nfse-municipal.md",
    "docs/guides/emissao-assistida.md",
    "docs/guides/certificado.md",
    "docs/guides/acompanhar.md",
    "docs/guides/idempotencia.md",
    "docs/guides/impressao.md",
    "docs/guides/correcao-e-cancelamento.md",
    "docs/guides/inutilizacao.md",
    "docs/guides/contabilidade.md",
    "docs/guides/notas-recebidas.md",
    "docs/guides/regime-tributario.md",
    "docs/guides/homologacao.md",
    "docs/guides/simulador.md",
    "docs/guides/receitas.md",
];
/// Followed by `operador`, in a folder where the program is installed.
const INSTALLED: &[&str] = &["docs/guides/acesso.md", "docs/guides/operacao.md", "docs/guides/consultas.md"];
/// Commands that no test runs, by the words they begin with, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo ", "builds what runs here"),
    ("docker ", "needs a container engine: by hand, as the guide says"),
    ("carimbo demo", "runs already"),
    ("pip install", "generates clients: `cargo xtask test interface` does, with the same options"),
    ("claude mcp add", "configures a client of somebody else, who is not here"),
];

/// Every command block of a guide belongs to a guide that a test follows, or is listed here with the reason.
#[test]
fn no_command_of_a_guide_is_left_untried() {
    let mut guides: Vec<String> = vec!["README.md".to_owned(), "README.pt-BR.md".to_owned()];
    let entries = std::fs::read_dir(Path::new(ROOT).join("docs/guides")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    guides.extend(names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/guides/{name}")));
    for guide in guides {
        let text = std::fs::read_to_string(Path::new(ROOT).join(&guide)).unwrap();
        for (language, block) in fenced(&text) {
            let is_command = ["carimbo ", "curl ", "docker ", "cargo ", "sqlite3 ", "createdb ", "base="]
                .iter()
                .any(|word| block.starts_with(word));
            assert!(!is_command || language == "sh", "{guide}: a block of commands is not marked `sh`: {block}");
            let by = if installs(block) || INSTALLED.contains(&guide.as_str()) { operator::GUIDES } else { FOLLOWED };
            let followed = by.contains(&guide.as_str());
            let excused = NOT_RUN.iter().any(|(beginning, _)| block.starts_with(beginning));
            assert!(language != "sh" || followed || excused, "{guide}: nobody tries {block}");
            if language == "json" {
                let read: Result<Value, _> = serde_json::from_str(block);
                assert!(read.is_ok(), "{guide}: {read:?} in {block}");
            }
        }
    }
}

#[tokio::test]
async fn every_command_of_the_guides_does_what_it_says() {
    let demo = Demo::start().await;
    for guide in FOLLOWED {
        let text = std::fs::read_to_string(Path::new(ROOT).join(guide)).unwrap();
        let commands = commands(&text);
        assert!(!commands.is_empty(), "{guide} shows no commands");
        if guide.ends_with("homologacao.md") {
            demo.client.delete(&format!("/v1/empresas/{NUMERIC}")).await.ok(200);
        }
        let script = if guide.ends_with("cte.md") || guide.ends_with("cte-os.md") {
            filled(&commands, &demo.issued("cte").await)
        } else if guide.ends_with("nfse-municipal.md") {
            let (job, before) = (demo.issued("nfse-municipal").await, demo.issued("nfse-municipal").await);
            let number = |job: &Value| job["nota"]["numero_dps"].to_string();
            let commands = commands.replace("<numero_dps>", &number(&job));
            filled(&commands.replace("<numero_dps da antiga>", &number(&before)), &job)
        } else if guide.ends_with("nfse.md") {
            filled(&commands, &demo.issued("nfse").await)
        } else if guide.ends_with("nfce.md") || commands.contains("/nfce/<job_id>") {
            let (nfe, nfce) = (demo.issued("nfe").await, demo.issued("nfce").await);
            let of_both = commands.replace("/nfce/<job_id>", &format!("/nfce/{}", text_of(&nfce, "job_id")));
            let rest = if guide.ends_with("nfce.md") { &nfce } else { &nfe };
            filled(&of_both, rest)
        } else if commands.contains("<job_id>") || commands.contains("<chave>") {
            filled(&commands, &demo.issued("nfe").await)
        } else {
            commands.replace("<cnpj>", NUMERIC)
        };
        demo.run(guide, &demo.substituted(script).await);
    }
    demo.finish();
}

/// Every note that a guide brings as a file, and where it goes; those of `recipes` have a test of their own,
/// `empresa*.json` are companies.
const NOTES: [(&str, &str); 6] = [
    ("nfe", "nota.json"),
    ("nfce", "nfce.json"),
    ("cte", "cte.json"),
    ("cte", "cte-os.json"),
    ("nfse", "nfse.json"),
    ("nfse/govdigital", "nfse-municipal.json"),
];
const MUNICIPAL: &str = "45723174000110";

#[test]
fn no_note_of_the_guides_is_left_out() {
    let entries = std::fs::read_dir(Path::new(ROOT).join("docs/guides")).unwrap();
    let mut files: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.retain(|name| name.ends_with(".json") && !name.starts_with("empresa"));
    files.sort();
    let mut tried = NOTES.map(|(_, file)| file.to_owned());
    tried.sort();
    assert_eq!(files, tried);
}

#[tokio::test]
async fn every_note_of_the_guides_is_taken_without_a_remark() {
    let mut app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let csc = json!({ "ambiente": 2, "serie": "1", "csc_id": "000001", "csc": "CSC-DE-TESTE-0123456789" });
    client.put(&format!("/v1/empresas/{NUMERIC}/nfce"), &csc).await.ok(200);
    client.put(&format!("/v1/empresas/{NUMERIC}/cte"), &json!({ "ambiente": 2, "crt": 1, "serie": "1" })).await.ok(200);
    let national = json!({ "ambiente": 2, "provedor": "nacional", "serie": "1", "codigo_municipio": "3550308",
        "regime": { "opSimpNac": 3, "regApTribSN": 1, "regEspTrib": 0 } });
    client.put(&format!("/v1/empresas/{NUMERIC}/nfse"), &national).await.ok(200);
    let lavras = json!({ "cpf_cnpj": MUNICIPAL, "nome_razao_social": "Oficina Ltda", "crt": 1, "endereco": { "logradouro": "Rua Santana",
        "numero": "10", "bairro": "Centro", "codigo_municipio": "3138203", "cidade": "Lavras", "uf": "MG", "cep": "37200000" } });
    client.post("/v1/empresas", &lavras).await.ok(201);
    let city_hall = json!({ "ambiente": 2, "provedor": "govdigital", "codigo_municipio": "3138203", "serie": "1",
        "inscricao_municipal": "12345", "regime": { "opSimpNac": 3, "regEspTrib": 0 } });
    client.put(&format!("/v1/empresas/{MUNICIPAL}/nfse"), &city_hall).await.ok(200);
    for (kind, file) in NOTES {
        let note = app.anonymous().get(&format!("/docs/recursos/{file}")).await.ok(200);
        let answer = client.post(&format!("/v1/{kind}/emitir?estrito=true"), &note).await;
        assert_eq!(answer.status, 202, "{file}: {}", answer.text());
        let taken = answer.ok(202);
        // notices that the law causes in homologação are no fault of the note
        let remarks: Vec<&Value> = taken["avisos"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|aviso| aviso["codigo"] != "texto_de_homologacao")
            // this company was given no certificate: that is no fault of the note either
            .filter(|aviso| aviso["codigo"] != "empresa_sem_certificado")
            // from 2027 on every DPS without the group has this, and may be refused or not
            .filter(|aviso| aviso["codigo"] != "ibscbs_ausente")
            .collect();
        assert!(remarks.is_empty(), "{file}: {remarks:?}");
    }
    app.stop().await;
}

/// An example with a future journey or due date becomes wrong on that day. This test fails a year before.
#[test]
fn no_example_ends_within_a_year() {
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let soon = today..today.saturating_add(jiff::Span::new().years(1));
    let mut folders = vec![Path::new(ROOT).join("docs/guides")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == "json") {
                let note: Value = serde_json::from_slice(&std::fs::read(&entry).unwrap()).unwrap();
                let ends: Vec<_> = days(&note).into_iter().filter(|day| soon.contains(day)).collect();
                assert!(ends.is_empty(), "{}: {ends:?}", entry.display());
            }
        }
    }
}

/// Returns the days of texts that begin like `2026-11-20`.
fn days(value: &Value) -> Vec<jiff::civil::Date> {
    match value {
        Value::String(text) => text.get(..10).and_then(|day| day.parse().ok()).into_iter().collect(),
        Value::Array(items) => items.iter().flat_map(days).collect(),
        Value::Object(members) => members.values().flat_map(days).collect(),
        _ => Vec::new(),
    }
}

/// Readers of the binary's pages have no repository.
#[test]
fn the_guides_assume_no_checkout() {
    let mut served: Vec<PathBuf> = vec![Path::new(ROOT).join("crates/server/src/api/docs/assets/entrada.md")];
    for folder in ["docs/guides", "docs/erros"] {
        let entries = std::fs::read_dir(Path::new(ROOT).join(folder)).unwrap();
        served.extend(
            entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|kind| kind == "md")),
        );
    }
    for path in served {
        let text = std::fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            let pages_aside = line.replace("/docs/", "").replace("$base/docs", "");
            for word in ["cargo ", "xtask", "docs/", "target/", "crates/", "repositório"] {
                assert!(!pages_aside.contains(word), "{}:{}: {word:?} in {line:?}", path.display(), number + 1);
            }
        }
    }
}

/// The words of the simulator's settings that its guide lists, each taken.
#[tokio::test]
async fn the_settings_that_the_guide_of_the_simulator_lists_are_those_it_takes() {
    let demo = Demo::start().await;
    let settings = [
        json!({ "cadastro_aberto": true, "denegacao": true, "referencias_fechadas": false, "produtos_fechados": false, "cadastro_por_cpf": true }),
        json!({ "produtos": {}, "beneficios": {}, "csrt": {}, "consultas_em_processamento": 0, "cancelamento_tardio": true }),
        json!({ "svc_abertas": [] }),
        json!({ "duplicidade": "rejeitar", "sem_certificado": "alerta_tls" }),
        json!({ "duplicidade": "devolver_original", "sem_certificado": "http403" }),
        json!({ "sem_certificado": "c_stat280" }),
    ];
    let guide = std::fs::read_to_string(Path::new(ROOT).join("docs/guides/simulador.md")).unwrap();
    for body in settings {
        for (name, value) in body.as_object().unwrap() {
            assert!(guide.contains(&format!("`{name}`")), "{name}");
            assert!(value.as_str().is_none_or(|word| guide.contains(&format!("`{word}`"))), "{value}");
        }
        demo.run("settings", &format!("curl -X PATCH \"$sim/_sim/configuracao\" -d '{body}'"));
    }
    let whole = demo.run("settings", "curl \"$sim/_sim/configuracao\"");
    let whole: Value = serde_json::from_str(whole.trim()).unwrap();
    let untold: Vec<&String> =
        whole.as_object().unwrap().keys().filter(|name| !guide.contains(&format!("`{name}`"))).collect();
    assert!(untold.is_empty(), "the guide does not tell of {untold:?}");
    demo.finish();
}

/// Every route of the simulator's control stands in its guide.
#[test]
fn the_guide_of_the_simulator_names_every_route_of_its_control() {
    let guide = std::fs::read_to_string(Path::new(ROOT).join("docs/guides/simulador.md")).unwrap();
    let source = std::fs::read_to_string(Path::new(ROOT).join("crates/simulator/src/control/mod.rs")).unwrap();
    for route in source.split(".route(\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        let fixed = route.trim_end_matches('/').split("/{").next().unwrap();
        assert!(guide.contains(fixed), "{route}");
        if let Some(last) = route.rsplit_once("}/").map(|(_, last)| last) {
            assert!(guide.contains(&format!("/{last}")), "{route}");
        }
    }
}

/// The blocks marked `sh`, but those of who installs the program (`operador`).
fn commands(text: &str) -> String {
    let blocks = fenced(text).filter(|(language, block)| *language == "sh" && !installs(block));
    blocks.map(|(_, block)| format!("{block}\n")).collect()
}

/// A block of who installs the program, not of who uses one that runs.
fn installs(block: &str) -> bool {
    ["carimbo ", "cargo ", "base=http://127.0.0.1"].iter().any(|word| block.starts_with(word))
}

/// Returns every fenced block with its language.
fn fenced(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let odd = text.split("\n```").skip(1).step_by(2);
    odd.map(|block| block.split_once('\n').map_or((block, ""), |(language, rest)| (language.trim(), rest)))
}

fn filled(commands: &str, job: &Value) -> String {
    // a municipal note has none, and its guide asks for none
    let chave = job["nota"]["chave"].as_str().unwrap_or("<chave>");
    commands.replace("<job_id>", text_of(job, "job_id")).replace("<chave>", chave).replace("<cnpj>", NUMERIC)
}

fn text_of<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_else(|| panic!("{member} of {value}"))
}

/// A running `carimbo demo`, its folder, and a client with its key.
struct Demo {
    folder: PathBuf,
    record: Value,
    client: Client,
    running: Running,
}

impl Demo {
    async fn start() -> Demo {
        let folder = std::env::temp_dir().join(format!("carimbo-guias-{}", uuid::Uuid::now_v7()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_carimbo"));
        command.args(["demo", "--http", "127.0.0.1:0"]).current_dir(&folder);
        let running = Running::start(command, &folder.join("log"));
        let file = folder.join("carimbo-demo/demo.json");
        let deadline = Instant::now() + Duration::from_secs(120);
        while !file.is_file() {
            assert!(Instant::now() < deadline, "{}", std::fs::read_to_string(folder.join("log")).unwrap());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let record: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        std::fs::copy(text_of(&record, "certificado_pfx"), folder.join("certificado.pfx")).unwrap();
        let here = Path::new(ROOT);
        std::fs::copy(here.join("crates/carimbo/tests/it/suites/empresas/logo.png"), folder.join("logo.png")).unwrap();
        // what the README names, whose reader has the repository
        std::os::unix::fs::symlink(here.join("docs"), folder.join("docs")).unwrap();
        let client = Client::new(text_of(&record, "base_url")).with_key(text_of(&record, "api_key_homologacao"));
        Demo { folder, record, client, running }
    }

    /// Prepares a note that another substitutes, and a sale issued twice, the second time offline, where a guide
    /// cancels the first because of the second.
    async fn substituted(&self, script: String) -> String {
        if script.contains("<chave da antiga>") {
            let before = self.issued("nfse").await;
            return script.replace("<chave da antiga>", text_of(&before["nota"], "chave"));
        }
        if !script.contains("<job_id da primeira>") {
            return script;
        }
        let (first, second) = (self.issued("nfce").await, self.issued_as("nfce", Some(9)).await);
        let script = script.replace("<job_id da primeira>", text_of(&first, "job_id"));
        script.replace("<job_id da que ficou>", text_of(&second, "job_id"))
    }

    /// An authorised note of the guide's own, under a reference of its own.
    async fn issued(&self, kind: &str) -> Value {
        self.issued_as(kind, None).await
    }

    async fn issued_as(&self, kind: &str, tpEmis: Option<u8>) -> Value {
        let file = if kind == "nfe" { "nota" } else { kind };
        let mut note = self.client.get(&format!("/docs/recursos/{file}.json")).await.ok(200);
        note["referencia_externa"] = json!(format!("GUIA{}", uuid::Uuid::now_v7().simple()));
        if let Some(tpEmis) = tpEmis {
            note["nota"]["identificacao"]["tpEmis"] = json!(tpEmis);
        }
        let route = if kind == "nfse-municipal" { "nfse/govdigital" } else { kind };
        let taken = self.client.post(&format!("/v1/{route}/emitir"), &note).await.ok(202);
        let deadline = Instant::now() + Duration::from_secs(120);
        loop {
            let job = self.client.get(text_of(&taken, "consulta")).await.ok(200);
            if job["nota"]["status"] == "autorizada" {
                return job;
            }
            assert!(Instant::now() < deadline && job["status"] != "failed", "{job}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Runs commands as a shell reads them; a call that is refused ends the test.
    fn run(&self, guide: &str, commands: &str) -> String {
        let script = format!("{PREAMBLE}{commands}");
        let mut shell = Command::new("bash");
        shell.args(["-euo", "pipefail", "-c", &script]).current_dir(&self.folder);
        for (name, member) in [
            ("base", "base_url"),
            ("key", "api_key_homologacao"),
            ("sim", "simulador_url"),
            ("senha", "certificado_senha"),
        ] {
            shell.env(name, text_of(&self.record, member));
        }
        let output = shell.output().expect("bash");
        let (told, said) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
        assert!(output.status.success(), "{guide}\n{told}\n{said}\n{commands}");
        said.into_owned()
    }

    fn finish(self) {
        self.running.terminate();
        std::fs::remove_dir_all(self.folder).unwrap();
    }
}

/// A refusal ends the script. A query to the Ambiente Nacional may be too early: the background search may have asked
/// just before (`429`, as the guide states).
const PREAMBLE: &str = r#"
curl() {
  local status file=answer
  local ask=(command curl --silent --show-error --max-time 60 --write-out '%{http_code}')
  case " $* " in *" -o "*) status=$("${ask[@]}" "$@") ;; *) status=$("${ask[@]}" --output "$file" "$@"); cat "$file"; echo ;; esac
  case "$status:$*" in 2*|429:*sincronizar*) ;; *) echo "$status from curl $*" >&2; return 22 ;; esac
}
"#;
