//! `carimbo dados`: imports by the operator's command beside a running service, and their output.

use serde_json::json;

use crate::support::client::Client;
use crate::support::installation::{Installation, Running};
use crate::support::public_registers::{edition, nomenclature};

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
