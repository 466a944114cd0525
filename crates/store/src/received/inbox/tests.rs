//! The plans of the inbox on SQLite, without statistics: each search goes along the index that its filter names.

use super::{InboxFilter, InboxSearch, padded};
use crate::conditions::Period;
use crate::dialect::SqlDialect;
use crate::postgres::tests::{on_a_new_database, write};
use crate::received::ReceivedFilter;
use crate::row::{Row, params};
use crate::sqlite::SqliteTx;
use crate::sqlite::plans::{database, plan};
use crate::tx::{StoreOperation, Tx, poll_once};
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use uuid::Uuid;

#[test]
fn each_search_goes_along_one_index() {
    let connection = database();
    let company = CnpjCpf::parse("11222333000181").ok();
    let of = |of_document| InboxFilter { of_document, ..InboxFilter::default() };
    let none = ReceivedFilter::default;
    let period = Period { from: Some(1), until: Some(2) };
    let searches = [
        (of(none()), "received_inbox"),
        (InboxFilter { after: Some(Uuid::nil()), recebida: period, ..of(none()) }, "received_inbox"),
        (InboxFilter { valor: (Some("1.00".to_owned()), None), ..of(none()) }, "received_inbox"),
        (of(ReceivedFilter { tipo: Some(Tipo::Cte), ..none() }), "received_notes_by_age"),
        (
            of(ReceivedFilter { cpf_cnpj: company, tipo: Some(Tipo::Nfe), periodo: period, ..none() }),
            "received_inbox_of_company",
        ),
        (of(ReceivedFilter { emitente: company, cpf_cnpj: company, ..none() }), "received_notes_by_issuer"),
        (InboxFilter { open: Some(period), ..of(none()) }, "received_open"),
    ];
    for (filter, index) in searches {
        let is_open = filter.open.is_some();
        let search = InboxSearch { tenant: Uuid::nil(), ambiente: TpAmb::Homologacao, filter };
        for (order, than) in [("DESC", "n.id <"), ("ASC", "n.id >")] {
            let made = search.spelled(SqlDialect::Sqlite, None, than, Some(Uuid::nil())).unwrap();
            let list = plan(&connection, &made.list_sql(order, 51));
            let goes_along = list.contains(&format!("INDEX {index} ("));
            assert!(goes_along && !list.contains("SCAN"), "{index}: {list}");
            // few notes are open and authorised within some days: those alone are sorted
            assert_eq!(list.contains("TEMP B-TREE"), is_open, "{index}: {list}");
            if !is_open {
                let bound = plan(&connection, &made.bound_sql(order));
                assert!(bound.contains(&format!("COVERING INDEX {index} (")), "{bound}");
            }
            let count = plan(&connection, &made.count_sql());
            assert!(count.contains(&format!("INDEX {index} (")), "{count}");
        }
    }
}

#[test]
fn amounts_compare_as_texts_of_one_width() {
    assert!(padded("9.90") < padded("10") && padded("10") == padded("10.00") && padded("1000.00") > padded("999.99"));
}

/// Documents of before the inbox; the words and the instants that the migration finds in them.
struct FindIssuers;

impl StoreOperation for FindIssuers {
    type Output = (Vec<(String, String)>, Vec<i64>);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Self::Output, crate::Error> {
        let notes = [
            ("1", "99999999000191", "MÁRIA José d'Ávila (filial)", Some("2026-11-20T10:00:00-03:00")),
            ("2", "99999999000191", "Maria & Filhos", Some("ontem")),
            ("3", "11222333000181", "Águas Ltda", None),
        ];
        for (chave, emitente, nome, dhRecbto) in notes {
            let sql = "INSERT INTO received_notes (tenant_id, cpf_cnpj, ambiente, tipo, chave, id, emitente, nome, dhEmi, emitida_em,
                           situacao, completa, recebido_em, atualizado_em, dhRecbto)
                       VALUES ($1, '1', 2, 'nfe', $2, $1, $3, $4, '', 7, 'autorizada', 0, 0, 0, $5)";
            tx.execute(sql, &params![Uuid::nil(), chave, emitente, nome, dhRecbto.map(str::to_owned)]).await?;
        }
        let dialect = tx.dialect();
        tx.script(&dialect.expand_migration("{issuer_words}")).await?;
        let instants = "UPDATE received_notes SET autorizada_em = COALESCE({dhRecbto_s}, emitida_em);";
        tx.script(&dialect.expand_migration(instants)).await?;
        let read = |mut row: Row| Ok((row.read()?, row.read()?));
        let words = tx.query("SELECT emitente, word FROM issuer_words ORDER BY emitente, word", &[]).await?;
        let words = words.into_iter().map(read).collect::<Result<_, crate::Error>>()?;
        let instants = tx.query("SELECT autorizada_em FROM received_notes ORDER BY chave", &[]).await?;
        Ok((words, instants.into_iter().map(|mut row| row.read()).collect::<Result<_, crate::Error>>()?))
    }
}

fn are_of_the_documents((words, instants): &(Vec<(String, String)>, Vec<i64>)) {
    let words: Vec<(&str, &str)> = words.iter().map(|(of, word)| (of.as_str(), word.as_str())).collect();
    let (one, other) = ("99999999000191", "11222333000181");
    let mut expected = vec![(other, "aguas"), (other, "ltda")];
    expected.extend(["avila", "d", "filhos", "filial", "jose", "maria"].map(|word| (one, word)));
    assert_eq!(words, expected);
    assert_eq!(instants, &[1_795_179_600, 7, 7]);
}

#[test]
fn the_migration_reads_older_documents_on_sqlite() {
    let mut connection = database();
    are_of_the_documents(&poll_once(FindIssuers.run(&mut SqliteTx::new(&mut connection))).unwrap().unwrap());
}

#[tokio::test]
async fn the_migration_reads_older_documents_on_postgresql() {
    on_a_new_database(|database, _| async move {
        are_of_the_documents(&write(&database, FindIssuers).await.unwrap());
    })
    .await;
}
