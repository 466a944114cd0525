//! The work of a claim does not grow with the backlog: counted in SQLite's own steps, and in the rows of PostgreSQL's
//! plan.

use super::{ClaimJobs, claim_jobs_sql};
use crate::dialect::SqlDialect;
use crate::jobs::company_queue::due_queues_sql;
use crate::jobs::{ClaimRequest, ClaimedJob, JobFailure};
use crate::migrate::MigrateDatabase;
use crate::postgres::tests::{on_a_new_database, write};
use crate::sqlite::SqliteTx;
use crate::tx::{StoreOperation, poll_once};
use rusqlite::{Connection, StatementStatus};
use std::collections::HashMap;
use uuid::Uuid;

const BACKLOG: &str = "11222333000181";
const LONE: &str = "12ABC34501DE35";
const TENANT: &str = "00000000000000000000000000000001";

/// Failure of a job whose row cannot be read.
fn unreadable() -> JobFailure {
    JobFailure {
        codigo: "erro_interno".to_owned(),
        etapa: "validacao".to_owned(),
        mensagem: "O registro do job é ilegível.".to_owned(),
        repetivel: false,
        proxima_tentativa_em: None,
    }
}

fn claim(limit: u32) -> ClaimJobs {
    let request = ClaimRequest {
        now: 1000,
        leases_now: 1000,
        lease_until: 1060,
        limit,
        except_authorities: vec!["MG".to_owned()],
        if_unreadable: unreadable(),
    };
    ClaimJobs { request, token: Uuid::from_u128(7) }
}

fn per_company(claimed: &[ClaimedJob]) -> HashMap<&str, usize> {
    let mut count = HashMap::new();
    for claim in claimed {
        *count.entry(claim.job.cpf_cnpj.as_str()).or_default() += 1;
    }
    count
}

/// `jobs` jobs of one company, and one of another company registered after them.
fn seed(id: &str, tenant: &str, numbers: &str) -> String {
    let company = format!("CASE WHEN i = 0 THEN '{LONE}' ELSE '{BACKLOG}' END");
    format!(
        "CREATE TEMP TABLE seeds AS SELECT {id} AS id, {company} AS cpf_cnpj, i FROM {numbers};
         INSERT INTO jobs (tenant_id, id, tipo, operacao, cpf_cnpj, ambiente, status, tentativas, notices,
             authority, criado_em, atualizado_em)
         SELECT {tenant}, id, 'nfe', 'emissao', cpf_cnpj, 2, 'pending', 0, '[]', 'SP', 1, 1 FROM seeds;
         INSERT INTO payloads (tenant_id, job_id, payload) SELECT {tenant}, id, '{{}}' FROM seeds;
         INSERT INTO queue (tenant_id, job_id, cpf_cnpj, authority, ready_at, tentativas)
         SELECT {tenant}, id, cpf_cnpj, 'SP', CASE WHEN i = 0 THEN 900 ELSE i / 1000 END, 0 FROM seeds;
         INSERT INTO lines VALUES ({tenant}, '{BACKLOG}', 'SP', 1, 0), ({tenant}, '{LONE}', 'SP', 2, 0) ON CONFLICT DO NOTHING;
         DROP TABLE seeds;"
    )
}

fn sqlite_with(jobs: u32) -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    poll_once(MigrateDatabase.run(&mut SqliteTx::new(&mut connection))).unwrap().unwrap();
    let numbers =
        format!("(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {jobs}) SELECT i FROM n)");
    connection.execute_batch(&seed("randomblob(16)", &format!("x'{TENANT}'"), &numbers)).unwrap();
    connection
}

/// Steps of SQLite's virtual machine for the claim's statements, all runs together.
fn steps(connection: &Connection) -> i32 {
    [due_queues_sql("$3"), claim_jobs_sql(SqlDialect::Sqlite)]
        .iter()
        .map(|sql| {
            let statement = connection.prepare_cached(&sql.replace('$', "?")).unwrap();
            let steps = statement.get_status(StatementStatus::VmStep);
            assert_ne!(steps, 0, "not the statement that the claim used: {sql}");
            steps
        })
        .sum()
}

#[test]
fn a_claim_takes_as_many_steps_beside_a_hundred_thousand_jobs_as_beside_a_hundred() {
    let [small, large] = [100, 100_000].map(|jobs| {
        let mut connection = sqlite_with(jobs);
        let claimed = poll_once(claim(4).run(&mut SqliteTx::new(&mut connection))).unwrap().unwrap();
        assert_eq!(per_company(&claimed), HashMap::from([(BACKLOG, 3), (LONE, 1)]), "beside {jobs}");
        steps(&connection)
    });
    assert_eq!(small, large);
}

/// Rows that each node of a plan saw, from `rows=` of `EXPLAIN ANALYZE` and from the rows removed by filters.
fn rows_seen(plan: &[String]) -> Vec<u64> {
    let after = |line: &str, word: &str| {
        let digits = line.rsplit_once(word)?.1.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse().ok()
    };
    plan.iter().flat_map(|line| [after(line, "rows="), after(line, "Rows Removed by Filter: ")]).flatten().collect()
}

async fn explain(client: &tokio_postgres::Client, sql: &str, values: &[(&str, &str)]) -> Vec<String> {
    let sql = values.iter().fold(sql.to_owned(), |sql, (place, value)| sql.replace(place, value));
    let plan = format!("BEGIN; EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, SUMMARY OFF) {sql}; ROLLBACK");
    let messages = client.simple_query(&plan).await.unwrap();
    let rows = messages.iter().filter_map(|message| match message {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    rows.map(str::to_owned).collect()
}

#[tokio::test]
async fn postgres_reads_no_more_of_a_backlog_than_it_takes() {
    on_a_new_database(|database, url| async move {
        let (client, driver) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(driver);
        let tenant = format!("UUID '{TENANT}'");
        client.batch_execute(crate::postgres::BY_KEY).await.unwrap();
        // With PostgreSQL's tables new, where other plans seem short, and after `ANALYZE`.
        let mut from = 0;
        for jobs in [300, 3_000, 100_000] {
            let numbers = format!("generate_series({from}, {jobs}) AS n(i)");
            client.batch_execute(&seed("gen_random_uuid()", &tenant, &numbers)).await.unwrap();
            plan_is_small(&client, &tenant).await;
            from = jobs + 1;
        }
        client.batch_execute("ANALYZE").await.unwrap();
        plan_is_small(&client, &tenant).await;
        let claimed = write(&database, claim(4)).await.unwrap();
        assert_eq!(per_company(&claimed), HashMap::from([(BACKLOG, 3), (LONE, 1)]));
    })
    .await;
}

async fn plan_is_small(client: &tokio_postgres::Client, tenant: &str) {
    let company = format!("'{BACKLOG}'");
    let line = [("$1", tenant), ("$2", company.as_str()), ("$3", "'SP'"), ("$4", "1000"), ("$5", "3")];
    let take = [&line[..], &[("$6", "1060"), ("$7", tenant), ("$8", "1000")]].concat();
    let mut plan = explain(client, &claim_jobs_sql(SqlDialect::Postgres), &take).await;
    plan.extend(explain(client, &due_queues_sql("$3"), &[("$1", "1000"), ("$2", "4"), ("$3", "'MG'")]).await);
    let seen = rows_seen(&plan);
    assert!(seen.len() > 5 && seen.iter().all(|rows| *rows <= 4), "{}", plan.join("\n"));
}
