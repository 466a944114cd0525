//! `carimbo conta usuario`, and logins of whom it made.

use serde_json::json;

use crate::support::client::{Answer, Client};
use crate::support::installation::{Ended, Installation, Running};

async fn login(client: &Client, email: &str, senha: &str) -> Answer {
    client.post("/v1/auth/login", &json!({ "email": email, "senha": senha })).await
}

#[track_caller]
fn shown(ended: &Ended) -> String {
    assert!(ended.well, "{}", ended.told);
    ended.out.lines().find_map(|line| line.strip_prefix("senha ")).unwrap().trim().to_owned()
}

#[tokio::test]
async fn users_are_made_listed_given_a_password_and_removed() {
    let installation = Installation::new().await;
    installation.account();
    let (dono, ana) = ("dono@exemplo.com.br", "ana@exemplo.com.br");
    let run = |arguments: &[&str]| installation.run(&[&["conta", "usuario"], arguments].concat());
    let first = shown(&run(&["criar", "--conta", dono, "--email", "Ana@Exemplo.com.br", "--nome", "Ana"]));
    let again = run(&["criar", "--conta", dono, "--email", ana]);
    assert!(!again.well && again.told.contains("já existe um usuário"), "{}", again.told);
    let listed = run(&["listar", "--conta", ana]).out;
    assert!(
        listed.contains(dono) && listed.contains("ana@exemplo.com.br  Ana") && !listed.contains(&first),
        "{listed}"
    );

    let service = Running::start(installation.command(&["serve"]), &installation.dir.join("log"));
    let client = Client::new(service.base_url());
    let answer = login(&client, ana, &first).await.ok(200);
    assert_eq!(answer["usuario"]["nome"], "Ana");
    let session = client.with_token(answer["token"].as_str().unwrap());
    session.get("/v1/auth/me").await.ok(200);
    let second = shown(&run(&["senha", "--email", ana]));
    session.get("/v1/auth/me").await.refused(401, "token_expirado");
    login(&client, ana, &first).await.refused(401, "credenciais_invalidas");
    let answer = login(&client, ana, &second).await.ok(200);
    let session = client.with_token(answer["token"].as_str().unwrap());
    let removed = run(&["remover", "--email", ana]);
    assert!(removed.well, "{}", removed.told);
    session.get("/v1/auth/me").await.refused(401, "token_expirado");
    login(&client, ana, &second).await.refused(401, "credenciais_invalidas");
    let last = run(&["remover", "--email", dono]);
    assert!(!last.well && last.told.contains("único usuário"), "{}", last.told);
    service.terminate();
    installation.finish().await;
}
