//! Shared helpers of the tests of received documents: the keys of a list, the number of queries to the Ambiente
//! Nacional.

use serde_json::Value;

use crate::support::app::TestApp;
use crate::support::client::Client;

/// The keys of a page that is the whole list.
pub(crate) async fn keys(client: &Client, list: &str, query: &str) -> Vec<String> {
    let page = client.get(&format!("{list}?{query}")).await.ok(200);
    let keys: Vec<String> = page["notas"].as_array().unwrap().iter().map(chave).collect();
    assert_eq!(page["total"].as_u64().unwrap(), keys.len() as u64, "{page}");
    keys
}

/// The key of a document.
pub(crate) fn chave(nota: &Value) -> String {
    nota["chave"].as_str().unwrap().to_owned()
}

/// Returns the number of calls of a service of the simulator.
pub(crate) async fn asked(app: &TestApp, service: &str) -> u64 {
    let totals = app.control.get("/_sim/contadores").await.ok(200);
    totals["por_servico"][service].as_u64().unwrap_or_default()
}
