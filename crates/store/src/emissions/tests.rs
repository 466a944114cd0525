//! The plans of the lists on SQLite, without statistics: each goes along the index that its filter names. And the names
//! that the migration finds.

use super::filter::{EmissionFilter, EmissionState};
use super::ranges::most_selective;
use crate::dialect::SqlDialect;
use crate::notes::Period;
use crate::postgres::tests::{on_a_new_database, write};
use crate::row::{Row, params};
use crate::sqlite::SqliteTx;
use crate::sqlite::plans::{database, plan};
use crate::tx::{StoreOperation, Tx, poll_once};
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use uuid::Uuid;

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
                // The number that the authority gave is looked for as well.
                let is_given = index == "documents_by_number" && plan.contains("documents_by_given_number");
                let goes_along = plan.contains(index) || is_given || (index == "queue" && is_primary);
                // A key and a reference have one entry: nothing to sort.
                let is_single = ["documents_by_chave", "jobs_by_referencia"].contains(&index);
                assert!(goes_along && !plan.contains("SCAN"), "{filter:?}\n{plan}");
                assert!(is_single || !plan.contains("TEMP B-TREE"), "{filter:?}\n{plan}");
            }
            let whole = plan(&connection, &ranges.sql(order, from, limit));
            assert!(
                !whole.contains("SCAN jobs") && !whole.contains("SCAN j\n") && !whole.contains("SCAN d\n"),
                "{whole}"
            );
        }
    }
}

/// Orders of before the words were kept, and the words that the migration finds in them.
struct FindNames;

impl StoreOperation for FindNames {
    type Output = Vec<(String, String)>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Self::Output, crate::Error> {
        let orders = [
            ("52998224725", r#"{"nota":{"destinatario":{"xNome":"Outro Nome"}}}"#),
            ("52998224725", r#"{"nota":{"destinatario":{"xNome":"MÁRIA José d'Ávila (filha)"}}}"#),
            ("11222333000181", r#"{"nota":{"tomador":{"razao_social":"Águas & Cia. Ltda"}}}"#),
            ("12ABC34501DE35", r#"{"nota":{}}"#),
        ];
        for (place, (destinatario, payload)) in (1_u128..).zip(orders) {
            let (tenant, job) = (Uuid::nil(), Uuid::from_u128(place));
            let sql = "INSERT INTO jobs (tenant_id, id, tipo, operacao, cpf_cnpj, ambiente, status, tentativas, notices, authority,
                           criado_em, atualizado_em, destinatario)
                       VALUES ($1, $2, 'nfe', 'emissao', '1', 2, 'completed', 1, '[]', 'SP', 0, 0, $3)";
            tx.execute(sql, &params![tenant, job, destinatario]).await?;
            let sql = "INSERT INTO payloads (tenant_id, job_id, payload) VALUES ($1, $2, $3)";
            tx.execute(sql, &params![tenant, job, payload]).await?;
        }
        tx.script(&tx.dialect().expand_migration("{addressee_words}")).await?;
        let sql = "SELECT destinatario, word FROM addressee_words ORDER BY destinatario, word";
        let read = |mut row: Row| Ok((row.read()?, row.read()?));
        tx.query(sql, &[]).await?.into_iter().map(read).collect()
    }
}

fn are_the_words_of_the_newest(found: &[(String, String)]) {
    let found: Vec<(&str, &str)> = found.iter().map(|(to, word)| (to.as_str(), word.as_str())).collect();
    let (company, person) = ("11222333000181", "52998224725");
    let expected = [
        (company, "aguas"),
        (company, "cia"),
        (company, "ltda"),
        (person, "avila"),
        (person, "d"),
        (person, "filha"),
        (person, "jose"),
        (person, "maria"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn the_migration_finds_the_names_of_older_orders_on_sqlite() {
    let mut connection = database();
    are_the_words_of_the_newest(&poll_once(FindNames.run(&mut SqliteTx::new(&mut connection))).unwrap().unwrap());
}

#[tokio::test]
async fn the_migration_finds_the_names_of_older_orders_on_postgresql() {
    on_a_new_database(|database, _| async move {
        are_the_words_of_the_newest(&write(&database, FindNames).await.unwrap());
    })
    .await;
}

/// Documents of three addressees with one name: one has most of them, none is in doubt.
struct SearchRareState;

impl StoreOperation for SearchRareState {
    type Output = (usize, Option<Uuid>, Option<super::BoundedCount>);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Self::Output, crate::Error> {
        let tenant = Uuid::nil();
        for place in 1..=6_000_u128 {
            let destinatario = format!("{:011}", if place % 10 == 0 { place % 3 } else { 7 });
            let sql = "INSERT INTO jobs (tenant_id, id, tipo, operacao, cpf_cnpj, ambiente, status, tentativas, notices, authority,
                           criado_em, atualizado_em, destinatario)
                       VALUES ($1, $2, 'nfe', 'emissao', '1', 2, 'completed', 1, '[]', 'SP', 0, 0, $3)";
            tx.execute(sql, &params![tenant, Uuid::from_u128(place), destinatario.as_str()]).await?;
            let sql =
                "INSERT INTO addressee_words (tenant_id, ambiente, word, destinatario) VALUES ($1, 2, 'silva', $2)
                       ON CONFLICT DO NOTHING";
            tx.execute(sql, &params![tenant, destinatario.as_str()]).await?;
        }
        let filter = EmissionFilter {
            nome: Some("silva".to_owned()),
            state: Some(EmissionState::InDoubt),
            ..EmissionFilter::of(TpAmb::Homologacao)
        };
        let list = super::ListEmissions { tenant, filter, cursor: super::PageCursor::Newest, limit: 50 };
        let page = list.run(tx).await?;
        Ok((page.jobs.len(), page.stopped_at, page.count))
    }
}

/// A page tries the newest 64 + 256 + 1,024 + 4,096 documents, of however many addressees, and names the last one.
fn tried_a_bounded_number((found, stopped_at, count): (usize, Option<Uuid>, Option<super::BoundedCount>)) {
    assert_eq!((found, stopped_at), (0, Some(Uuid::from_u128(6_000 - 5_440 + 1))));
    assert_eq!(count, Some(super::BoundedCount { n: 0, or_more: true }));
}

#[test]
fn a_search_by_a_name_ends_after_a_bounded_number_on_sqlite() {
    let mut connection = database();
    tried_a_bounded_number(poll_once(SearchRareState.run(&mut SqliteTx::new(&mut connection))).unwrap().unwrap());
}

#[tokio::test]
async fn a_search_by_a_name_ends_after_a_bounded_number_on_postgresql() {
    on_a_new_database(|database, _| async move {
        tried_a_bounded_number(write(&database, SearchRareState).await.unwrap());
    })
    .await;
}
