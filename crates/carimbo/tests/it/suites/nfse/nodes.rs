//! Two processes on one database issue for one company at once: no number twice and none left out, each declaration
//! once at the Sefin, one quota for both.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use simulator::Simulator;

use crate::support::app::ended;
use crate::support::authorities::{company, simulator, with_simulator};
use crate::support::body::NUMERIC;
use crate::support::client::Client;
use crate::support::installation::{Installation, Running};
use crate::support::services::another;

struct Nodes {
    installation: Installation,
    simulator: Simulator,
    /// Each with its process.
    nodes: Vec<(Running, Client)>,
}

impl Nodes {
    async fn start() -> Nodes {
        let installation = Installation::new().await;
        let key = installation.account();
        let simulator = simulator(&installation.dir).await;
        let start = |number: usize| {
            let mut command = with_simulator(installation.command(&["serve"]));
            command.env("CARIMBO_LIMITES_REQUISICOES", "0").env("CARIMBO_LIMITES_SIMULTANEAS", "0");
            let process = Running::start(command, &installation.dir.join(format!("log-{number}")));
            let client = Client::new(process.base_url()).with_key(&key);
            (process, client)
        };
        let nodes: Vec<_> = (0..2).map(start).collect();
        let client = &nodes[0].1;
        company(client, &simulator).await;
        let settings = json!({ "ambiente": 2, "codigo_municipio": "3550308", "serie": "1", "provedor": "nacional",
            "regime": { "opSimpNac": 1, "regEspTrib": 0 } });
        client.put(&format!("/v1/empresas/{NUMERIC}/nfse"), &settings).await.ok(200);
        Nodes { installation, simulator, nodes }
    }

    fn client(&self, number: usize) -> Client {
        self.nodes[number % self.nodes.len()].1.clone()
    }

    async fn finish(self) {
        self.nodes.into_iter().for_each(|(process, _)| process.terminate());
        self.simulator.stop().await;
        self.installation.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_give_each_declaration_a_number_of_its_own() {
    const DECLARATIONS: usize = 24;
    let nodes = Nodes::start().await;
    // each declaration reaches both processes at once, as from a load balancer that retries
    let calls: Vec<_> = (0..2 * DECLARATIONS)
        .map(|call| {
            let (client, body) = (nodes.client(call), another(&format!("NO{}", call / 2)));
            tokio::spawn(async move { client.post("/v1/nfse/emitir", &body).await.json() })
        })
        .collect();
    let mut jobs = BTreeSet::new();
    let mut accepted: Vec<Value> = Vec::new();
    for call in calls {
        let job = call.await.unwrap();
        if jobs.insert(job["job_id"].as_str().unwrap_or_else(|| panic!("{job}")).to_owned()) {
            accepted.push(job);
        }
    }
    assert_eq!(accepted.len(), DECLARATIONS, "a reference is one job, whichever process hears of it");
    let (mut numbers, mut keys) = (BTreeSet::new(), BTreeSet::new());
    for (number, job) in accepted.iter().enumerate() {
        let ended = ended(&nodes.client(number), job).await;
        assert_eq!(ended["nota"]["status"], "autorizada", "{ended:#}");
        assert!(numbers.insert(ended["nota"]["numero_dps"].as_u64().unwrap()), "a number twice: {ended:#}");
        assert!(keys.insert(ended["nota"]["chave"].as_str().unwrap().to_owned()), "a note twice: {ended:#}");
    }
    assert_eq!(numbers, (1..=DECLARATIONS as u64).collect(), "no number is left out");
    let notes = nodes.simulator.nfse_notes();
    assert_eq!(notes.iter().map(|note| note.chave.clone()).collect::<BTreeSet<_>>(), keys);
    for note in &notes {
        let counts = nodes.simulator.nfse_counts(&note.id_dps);
        assert_eq!((counts.recebida, counts.gravada), (1, 1), "{}", note.id_dps);
    }
    nodes.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_share_one_quota() {
    let nodes = Nodes::start().await;
    let set = ["conta", "cotas", "--email", "dono@exemplo.com.br", "--ambiente", "homologacao", "--familia", "nfse"];
    let set = nodes.installation.run(&[&set[..], &["--limite", "5"]].concat());
    assert!(set.well, "{}", set.told);
    let calls: Vec<_> = (0..20)
        .map(|call| {
            let (client, body) = (nodes.client(call), another(&format!("COTA{call}")));
            tokio::spawn(async move { client.post("/v1/nfse/emitir", &body).await })
        })
        .collect();
    let mut accepted = Vec::new();
    for call in calls {
        let answer = call.await.unwrap();
        match answer.status.as_u16() {
            202 => accepted.push(answer.json()),
            _ => drop(answer.refused(429, "cota_excedida")),
        }
    }
    assert_eq!(accepted.len(), 5);
    for (number, job) in accepted.iter().enumerate() {
        assert_eq!(ended(&nodes.client(number), job).await["nota"]["status"], "autorizada");
    }
    assert_eq!(nodes.simulator.nfse_notes().len(), 5);
    nodes.finish().await;
}
