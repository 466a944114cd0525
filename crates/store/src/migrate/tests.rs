//! Migration of a database that the version before widths filled, with documents, events, ranges and numbers in every
//! state: afterwards everything is shown as that version showed it.
//!
//! `before.json` holds the rows that its own methods wrote, `shown.json` the results of its own queries (commit
//! ef0f53c, 2026-11-23). The rows of the distribution were added by hand in that version's form.

use super::STEPS;
use crate::dialect::SqlDialect;
use crate::jobs::report::{ReportKind, ReportReason, ReportScope};
use crate::jobs::{Job, JobDocument, JobSearch};
use crate::notes::{ListWindow, NoteFilter, Period};
use crate::received::{DistributionKey, DocumentFacts, ReceivedDocument, ReceivedFilter, TypeFacts};
use crate::vault::MasterKey;
use crate::{Location, Store, Visibility};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{ChaveAcesso, ChaveParts, CnpjCpf, Serie, TpAmb, Uf};
use rusqlite::Connection;
use serde_json::{Value, json};
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

const CNPJ: &str = "11222333000181";
const OTHER_CNPJ: &str = "12ABC34501DE35";
/// Migration steps of the filled database.
const BEFORE: usize = 19;

struct Filled {
    tenant: Uuid,
    ids: Vec<Uuid>,
    tables: serde_json::Map<String, Value>,
}

fn filled() -> Filled {
    let before: Value = serde_json::from_str(include_str!("before.json")).unwrap();
    let id = |id: &Value| id.as_str().unwrap().parse().unwrap();
    let ids = before["ids"].as_array().unwrap().iter().map(id).collect();
    Filled { tenant: id(&before["tenant"]), ids, tables: before["tables"].as_object().unwrap().clone() }
}

/// Schema of that version.
fn schema(dialect: SqlDialect) -> String {
    let mut text =
        "CREATE TABLE migrations (version {int} NOT NULL PRIMARY KEY, name TEXT NOT NULL) {heap};\n".to_owned();
    for ((name, step), version) in STEPS[..BEFORE].iter().zip(1..) {
        text.push_str(&format!("{step}\nINSERT INTO migrations VALUES ({version}, '{name}');\n"));
    }
    dialect.expand_migration(&text)
}

impl Filled {
    /// Makes an `INSERT` for each row; `bytes` spells the bytes of a column.
    fn inserts(&self, bytes: impl Fn(&str, &str, &str) -> String) -> String {
        let mut text = String::new();
        for (table, content) in &self.tables {
            let columns: Vec<&str> = content["columns"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            for row in content["rows"].as_array().unwrap() {
                let values = row.as_array().unwrap().iter().zip(&columns).map(|(value, column)| match value {
                    Value::String(text) => format!("'{}'", text.replace('\'', "''")),
                    Value::Object(blob) => bytes(table, column, blob["hex"].as_str().unwrap()),
                    plain => plain.to_string(),
                });
                let values = values.collect::<Vec<_>>().join(", ");
                text.push_str(&format!("INSERT INTO {table} ({}) VALUES ({values});\n", columns.join(", ")));
            }
        }
        text
    }

    async fn is_shown_as_before(&self, location: &Location) {
        let store = Store::open(location, MasterKey::new([42; 32])).await.unwrap();
        let now = shown(&store, self.tenant, &self.ids).await;
        let before: Value = serde_json::from_str(include_str!("shown.json")).unwrap();
        for (what, before) in before.as_object().unwrap() {
            let Some(rows) = before.as_array() else {
                assert_eq!(&now[what], before, "{what}");
                continue;
            };
            assert!(!rows.is_empty(), "{what}: nothing to compare");
            for (at, row) in rows.iter().enumerate() {
                assert_eq!(&now[what][at], row, "{what}, {at}");
            }
            assert_eq!(now[what].as_array().unwrap().len(), rows.len(), "{what}");
        }
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_version_before_wrote_is_shown_as_before_on_sqlite() {
    let folder = std::env::temp_dir().join(format!("carimbo-migrate-{}", Uuid::now_v7()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("carimbo.db");
    let filled = filled();
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(&schema(SqlDialect::Sqlite)).unwrap();
    connection.execute_batch(&filled.inserts(|_, _, hex| format!("x'{hex}'"))).unwrap();
    connection.close().unwrap();
    filled.is_shown_as_before(&Location::Sqlite(path)).await;
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_version_before_wrote_is_shown_as_before_on_postgresql() {
    let server = std::env::var("TEST_DATABASE_URL").expect("TEST_DATABASE_URL is not set: a PostgreSQL for tests");
    let name = format!("carimbo_{}", Uuid::now_v7().simple());
    let admin = connected(&server).await;
    admin.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
    let url = format!("{}/{name}", server.rsplit_once('/').unwrap().0);
    let filled = filled();
    let client = connected(&url).await;
    client.batch_execute(&schema(SqlDialect::Postgres)).await.unwrap();
    let ids =
        client.query("SELECT table_name, column_name FROM information_schema.columns WHERE data_type = 'uuid'", &[]);
    let ids: Vec<(String, String)> = ids.await.unwrap().iter().map(|row| (row.get(0), row.get(1))).collect();
    let bytes = |table: &str, column: &str, hex: &str| match ids.contains(&(table.to_owned(), column.to_owned())) {
        true => format!("'{hex}'"),
        false => format!("'\\x{hex}'"),
    };
    client.batch_execute(&filled.inserts(bytes)).await.unwrap();
    drop(client);
    filled.is_shown_as_before(&Location::Postgres(url)).await;
    admin.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)")).await.unwrap();
}

async fn connected(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Key of the filled notes.
fn key(nNF: u32) -> String {
    let (uf, emitente) = (Uf::SP, CnpjCpf::parse(CNPJ).unwrap());
    let (aamm, modelo, serie, tpEmis, cNF) = (2611, 55, 1, 1, 12_345_678);
    ChaveAcesso::compose(&ChaveParts { uf, aamm, emitente, modelo, serie, nNF, tpEmis, cNF }).to_string()
}

fn job_view(job: &Job) -> Value {
    json!({
        "id": job.id, "tipo": job.tipo.word(), "operacao": job.operacao.word(), "cpf_cnpj": job.cpf_cnpj.as_str(),
        "ambiente": job.ambiente.word(), "referencia": job.referencia, "status": format!("{:?}", job.status),
        "tentativas": job.tentativas, "payload": job.payload.text().unwrap(), "webhook_url": job.webhook_url, "notices": job.notices,
        "alvo": job.alvo, "authority": job.authority, "erro": job.erro,
        "em": [job.criado_em, job.atualizado_em, job.concluido_em.unwrap_or(-1)],
        "document": job.document.as_ref().map(document_view), "act": job.act, "event_xml": job.event_xml,
        "event_result": job.event_result.as_ref().map(|(codigo, xMotivo)| json!([codigo, xMotivo])),
        "request_id": job.request_id,
    })
}

fn document_view(document: &JobDocument) -> Value {
    json!({
        "state": format!("{:?}", document.state), "modelo": document.counted.modelo(), "serie": document.serie.to_string(),
        "numero": document.numero, "codigo_aleatorio": document.codigo_aleatorio, "chave": document.chave, "tipo_emissao": document.tipo_emissao,
        "dhEmi": document.dhEmi, "valor": document.valor, "destinatario": document.destinatario, "digest": document.digest,
        "nProt": document.nProt, "dhRecbto": document.dhRecbto, "codigo": document.codigo, "xMotivo": document.xMotivo,
        "campo": document.campo, "contingencia": document.contingencia, "nRec": document.nRec, "qrCode": document.qrCode,
    })
}

fn listed((jobs, total): (Vec<Job>, u64)) -> Value {
    json!({ "total": total, "jobs": jobs.iter().map(job_view).collect::<Vec<_>>() })
}

const ALL: ListWindow = ListWindow { limit: 100, skip: 0 };

async fn shown(store: &Store, tenant: Uuid, ids: &[Uuid]) -> Value {
    let sight = Visibility::whole(tenant);
    let mut jobs = Vec::new();
    for id in ids {
        jobs.push(job_view(&store.job(sight, *id).await.unwrap()));
    }
    let (mut notes, mut voided) = (Vec::new(), Vec::new());
    for filter in filters() {
        notes.push(listed(store.notes(sight, filter.clone(), ALL).await.unwrap()));
        voided.push(listed(store.voided(sight, filter, ALL).await.unwrap()));
    }
    let valor = Some("99.98".to_owned());
    let search = JobSearch { emitente: None, destinatario: None, valor, periodo: Period::default() };
    let found = store.find_jobs(sight, search, ALL).await.unwrap();
    let mut events = Vec::new();
    for number in [1, 7, 77] {
        for row in store.events(tenant, &key(number)).await.unwrap() {
            events.push(json!([row.tpEvento, row.nSeqEvento, row.job_id, row.registered, row.nProt, row.dhRegEvento]));
        }
    }
    let received = ReceivedFilter { tipo: Some(Tipo::Nfe), ..ReceivedFilter::default() };
    let (received, total) = store.received_documents(sight, received, ALL).await.unwrap();
    let received: Vec<String> = received.iter().map(as_a_note).collect();
    let owner = DistributionKey {
        tenant,
        cpf_cnpj: CnpjCpf::parse(CNPJ).unwrap(),
        ambiente: TpAmb::Homologacao,
        tipo: Tipo::Nfe,
    };
    let cursor = store.distribution(owner).await.unwrap();
    // Its codes were numbers, without letters.
    let codigo = cursor.said.as_ref().and_then(|(codigo, _)| codigo.clone()).unwrap();
    // Walk resets belong to a later version.
    let cursor = format!("{cursor:?}").replace("reset: None, ", "");
    let mut distribution = vec![cursor.replace(&format!("Some({codigo:?})"), &codigo.to_string())];
    // Blocked at first, then by the twenty queries of the hour.
    for now in [1_795_003_000, 1_795_003_662] {
        distribution.push(format!("until {:?}", store.count_single_query(owner, now).await.unwrap()));
    }
    let unsettled = store.unsettled(sight, 100).await.unwrap();
    json!({
        "jobs": jobs, "notes": notes, "voided": voided, "found": found.iter().map(job_view).collect::<Vec<_>>(),
        "reports": reports(store, sight).await, "sequences": sequences(store, tenant).await, "events": events,
        "received": received, "received_total": total, "distribution": distribution, "unsettled": unsettled.iter().map(job_view).collect::<Vec<_>>(),
    })
}

/// Formats a received note as that version did.
fn as_a_note(one: &ReceivedDocument) -> String {
    let ReceivedDocument { cpf_cnpj, ambiente, facts, manifestacao, recebido_em, atualizado_em } = one;
    let TypeFacts::Goods { tpNF } = &facts.type_facts else { panic!("{one:?}") };
    let known = format!("{facts:?}");
    let (before, _) = known.strip_prefix("DocumentFacts").unwrap().split_once(", valor: ").unwrap();
    let DocumentFacts { valor, dhRecbto, nProt, situacao, completa, .. } = facts;
    let vNF = valor.as_deref().unwrap();
    format!(
        "ReceivedNote {{ cpf_cnpj: {cpf_cnpj:?}, ambiente: {ambiente:?}, facts: NoteFacts{before}, tpNF: {tpNF:?}, vNF: {vNF:?}, dhRecbto: {dhRecbto:?}, \
         nProt: {nProt:?}, situacao: {situacao:?}, completa: {completa:?} }}, manifestacao: {manifestacao:?}, recebido_em: {recebido_em:?}, \
         atualizado_em: {atualizado_em:?} }}"
    )
}

/// A filter along every index, and filters served by stored totals.
fn filters() -> [NoteFilter; 10] {
    let none = NoteFilter::default;
    let ever = Period { from: Some(0), until: Some(9_000_000_000) };
    [
        none(),
        NoteFilter { tipo: Some("nfce".to_owned()), ..none() },
        NoteFilter { serie: Some(Serie::from(1)), ..none() },
        NoteFilter { serie: Some(Serie::from(10)), emitente: CnpjCpf::parse(CNPJ).ok(), ..none() },
        NoteFilter { numero: Some(7), ..none() },
        NoteFilter { state: Some(DocumentState::Rejected), ambiente: Some(TpAmb::Homologacao), ..none() },
        NoteFilter { state: Some(DocumentState::Cancelled), ..none() },
        NoteFilter { chave: Some(key(7)), ..none() },
        NoteFilter { destinatario: CnpjCpf::parse(OTHER_CNPJ).ok(), ..none() },
        NoteFilter { serie: Some(Serie::from(1)), periodo: ever, ..none() },
    ]
}

async fn reports(store: &Store, sight: Visibility) -> Vec<Value> {
    let mut reports = Vec::new();
    for report in [ReportKind::Failed, ReportKind::Rejected] {
        let scope =
            ReportScope { visibility: sight, periodo: Period::default(), emitente: None, tipo: None, ambiente: None };
        reports.push(listed(store.report(report, scope.clone(), ALL).await.unwrap()));
        let reasons = store.report_reasons(report, scope).await.unwrap();
        let reasons = reasons.iter().map(|reason| match &reason.reason {
            ReportReason::Failed { codigo, mensagem } => json!([codigo, mensagem, reason.count, reason.example]),
            ReportReason::Rejected { codigo, xMotivo, .. } => json!([codigo, xMotivo, reason.count, reason.example]),
        });
        reports.push(reasons.collect());
    }
    reports
}

async fn sequences(store: &Store, tenant: Uuid) -> Vec<Value> {
    let mut sequences = Vec::new();
    for numbering in store.numberings(Visibility::whole(tenant), None).await.unwrap() {
        let series = numbering.series;
        let (mut rows, mut keepers) = (Vec::new(), Vec::new());
        for row in store.ledger(tenant, series).await.unwrap() {
            rows.push(json!([row.numero, format!("{:?}", row.state), row.job_id]));
            keepers.push(store.number_holder(tenant, series, row.numero).await.unwrap());
        }
        let gaps = store.gaps(tenant, series, 100).await.unwrap();
        let gaps: Vec<[u64; 2]> = gaps.iter().map(|gap| [gap.from, gap.until]).collect();
        sequences.push(json!({
            "modelo": series.counted.modelo(), "serie": series.serie.to_string(), "ambiente": series.ambiente.word(),
            "cpf_cnpj": series.cpf_cnpj.as_str(), "last": numbering.last, "next": numbering.next, "rows": rows,
            "gaps": gaps, "keepers": keepers, "numbering": store.numbering(tenant, series).await.unwrap(),
        }));
    }
    sequences
}
