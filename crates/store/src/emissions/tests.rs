//! The plans of the lists on SQLite, without statistics: each goes along the index that its filter names.

use super::filter::{EmissionFilter, EmissionState};
use super::ranges::most_selective;
use crate::dialect::SqlDialect;
use crate::migrate::MigrateDatabase;
use crate::notes::Period;
use crate::sqlite::SqliteTx;
use crate::tx::{StoreOperation, poll_once};
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use rusqlite::Connection;
use uuid::Uuid;

fn database() -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    poll_once(MigrateDatabase.run(&mut SqliteTx::new(&mut connection))).unwrap().unwrap();
    connection
}

fn plan(connection: &Connection, sql: &str) -> String {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", sql.replace('$', "?"))).unwrap();
    let rows = statement.raw_query().mapped(|row| row.get::<_, String>(3));
    rows.collect::<Result<Vec<_>, _>>().unwrap().join("\n")
}

fn every_filter() -> Vec<(EmissionFilter, &'static str)> {
    let all = || EmissionFilter::of(TpAmb::Producao);
    let state = |state| EmissionFilter { state: Some(state), ..all() };
    let company = CnpjCpf::parse("11222333000181").ok();
    let periodo = Period { from: Some(1), until: Some(2) };
    vec![
        (all(), "emissions_by_tipo"),
        (EmissionFilter { periodo, ..all() }, "emissions_by_tipo"),
        (EmissionFilter { tipo: Some(Tipo::Cte), periodo, ..all() }, "emissions_by_tipo"),
        (EmissionFilter { emitente: company, ..all() }, "emissions_by_company"),
        (EmissionFilter { emitente: company, tipo: Some(Tipo::Nfe), ..all() }, "emissions_by_company"),
        (EmissionFilter { destinatario: company, emitente: company, ..all() }, "jobs_by_addressee"),
        (EmissionFilter { numero: Some(7), destinatario: company, ..all() }, "documents_by_number"),
        (EmissionFilter { referencia: Some("P1".to_owned()), ..all() }, "jobs_by_referencia"),
        (EmissionFilter { chave: Some("35".to_owned()), numero: Some(7), ..all() }, "documents_by_chave"),
        (EmissionFilter { not_reissued: true, periodo, ..all() }, "notes_by_state"),
        (EmissionFilter { emitente: company, ..state(EmissionState::Rejected) }, "notes_by_state"),
        (state(EmissionState::Authorized), "emissions_by_tipo"),
        (state(EmissionState::Withdrawn), "emissions_by_tipo"),
        (state(EmissionState::Pending), "queue"),
        (state(EmissionState::InDoubt), "documents_in_doubt"),
        (state(EmissionState::Contingency), "documents_in_contingency"),
        (EmissionFilter { periodo, ..state(EmissionState::Failed) }, "jobs_failed"),
    ]
}

#[test]
fn candidates_are_read_along_one_index_from_any_page() {
    let connection = database();
    for (filter, index) in every_filter() {
        let ranges = most_selective(SqlDialect::Sqlite, Uuid::nil(), &filter);
        for order in ["DESC", "ASC"] {
            let before = ranges.params.len();
            let (from, limit) = (Some(before + 1), before + 2);
            for range in ranges.each_range(order, from, limit) {
                let plan = plan(&connection, &range);
                let is_primary = plan.contains("PRIMARY KEY (tenant_id=? AND job_id");
                let goes_along = plan.contains(index) || (index == "queue" && is_primary);
                // A key and a reference have one entry: nothing to sort.
                let is_single = ["documents_by_chave", "jobs_by_referencia"].contains(&index);
                assert!(goes_along && !plan.contains("SCAN"), "{filter:?}\n{plan}");
                assert!(is_single || !plan.contains("TEMP B-TREE"), "{filter:?}\n{plan}");
            }
            let whole = plan(&connection, &ranges.sql(order, from, limit));
            assert!(!whole.contains("SCAN jobs") && !whole.contains("SCAN j\n") && !whole.contains("SCAN d\n"), "{whole}");
        }
    }
}
