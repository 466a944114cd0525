//! Every provider's row of the product against the hall of that provider, which was read apart from it: questions and a signed cancellation, over TLS.

use super::bench::LAVRAS;
use crate::bench::{Bench, CNPJ, start};
use authority::abrasf::{self, Company, Configured, Credentials, Operation, Providers, Resolved, Row};
use authority::answer::{Answer, EventAnswer, Situation};
use authority::call::Call;
use authority::table::{Service, Table};
use authority::wire::Wire;
use fiscal::abrasf::message::{self, Cancellation};
use fiscal::value::{Chave, ChaveAcesso, CnpjCpf, TpAmb};
use std::sync::Arc;

fn company() -> Arc<Company> {
    Arc::new(Company {
        document: CnpjCpf::parse(CNPJ).unwrap(),
        inscricao_municipal: Some("12345".to_owned()),
        credentials: Credentials {
            login: "usuario".to_owned().into(),
            senha: "senha".to_owned().into(),
            token: "token".to_owned().into(),
        },
    })
}

/// The row as that of Lavras, by an operator's table: what it says of the city, then where the simulator stands. An address that a company gives is
/// judged before it is called, and loopback is refused.
fn resolved(bench: &Bench, row: &Row) -> Resolved {
    let city =
        format!("[abrasf.municipality.{LAVRAS}]\nprovider = \"{}\"\nversion = \"{}\"\n", row.provider, row.version);
    let table = Table::with_overrides(&(city + &bench.simulator.endpoints_toml())).unwrap();
    // what the row does not know of the rate's unit is the company's to say
    let unknown = row.aliquota.or_else(|| row.usual_unit()).is_none();
    let said = Configured { aliquota: unknown.then_some("percentual"), ..Configured::default() };
    table.providers().resolve(LAVRAS, TpAmb::Producao, &said).unwrap()
}

/// What a hall says to a call, or why it is no answer.
async fn heard<T>(
    bench: &Bench,
    call: &Call,
    read: impl FnOnce(&authority::call::Reply) -> Result<T, authority::sefaz::Unreadable>,
) -> Result<T, String> {
    let reply = bench.send(call).await.map_err(|error| error.cause)?;
    read(&reply).map_err(|error| error.to_string())
}

async fn questions(bench: &Bench, resolved: &Resolved) -> Vec<String> {
    let company = company();
    let mut wrong = Vec::new();
    let query = resolved.endpoint(Service::ConsultaProtocolo, &company).unwrap();
    let asked = Wire::Abrasf.query(&query, TpAmb::Producao, &format!("RPS{LAVRAS}-{CNPJ}-1-1-77-12345"));
    match heard(bench, &asked.unwrap(), |reply| Wire::Abrasf.read_query(reply)).await {
        Ok(Situation::NeverSeen(said)) if said.codigo.as_str() == "E4" => {}
        other => wrong.push(format!("consulta por RPS: {other:?}")),
    }
    if let Some(receipt) = resolved.endpoint(Service::RetAutorizacao, &company) {
        let asked = abrasf::receipt(&receipt, TpAmb::Producao, "P1");
        match heard(bench, &asked, abrasf::read_receipt).await {
            Ok(Answer::Duplicate(said)) if said.codigo.as_str() == "E86" => {}
            other => wrong.push(format!("consulta de lote: {other:?}")),
        }
    }
    wrong
}

async fn cancellation(bench: &Bench, resolved: &Resolved) -> Option<String> {
    let company = company();
    let endpoint = resolved.endpoint_of(Operation::CancelarNfse, &company)?;
    let what = Cancellation {
        numero: "26000001",
        municipio: LAVRAS,
        prestador: company.prestador(),
        codigo: Some("1"),
        motivo: "1",
        justificativa: "Valor informado errado na nota",
    };
    let asked = message::cancel(&resolved.dialect, &what);
    let signed = super::bench::signed(asked, &bench.certificate);
    // a municipal note has no key; the wire does not look at it
    let key = Chave::Acesso(ChaveAcesso::parse("35261111222333000181550010000000011123456784").unwrap());
    let call = Wire::Abrasf.event(&endpoint, 1, &key, &signed);
    match heard(bench, &call, |reply| Wire::Abrasf.read_event(reply)).await {
        Ok(EventAnswer::Rejected(said)) if said.codigo.as_str() == "E78" => None,
        other => Some(format!("cancelamento: {other:?}")),
    }
}

#[tokio::test]
async fn every_row_that_is_on_is_understood_by_the_hall_of_its_provider() {
    let bench = start().await;
    let mut wrong = Vec::new();
    let mut right = 0;
    // the general row is no provider: it has no hall of its own
    let on = |row: &&Arc<Row>| row.off.is_none() && row.provider != "abrasf";
    for row in Providers::builtin().rows().filter(on) {
        let resolved = resolved(&bench, row);
        let mut said = questions(&bench, &resolved).await;
        said.extend(cancellation(&bench, &resolved).await);
        right += usize::from(said.is_empty());
        wrong.extend(said.iter().map(|said| format!("{}: {said}", row.name())));
    }
    assert!(wrong.is_empty(), "{right} certas;\n{}", wrong.join("\n"));
    assert!(right >= 28, "{right}");
}
