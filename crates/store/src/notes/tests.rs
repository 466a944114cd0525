//! The plans of the lists: the index of each filter on SQLite, without statistics.

use super::*;
use crate::sqlite::plans::{database, plan};

fn every_filter() -> Vec<(NoteFilter, &'static str)> {
    let company = CnpjCpf::parse("11222333000181").ok();
    let all = NoteFilter::default;
    let periodo = Period { from: Some(1), until: Some(2) };
    vec![
        (all(), "notes_by_age"),
        (NoteFilter { periodo, ..all() }, "notes_by_age"),
        (NoteFilter { ambiente: Some(TpAmb::Producao), ..all() }, "notes_by_age"),
        (NoteFilter { tipo: Some("nfe".to_owned()), periodo, ..all() }, "notes_by_tipo"),
        (NoteFilter { state: Some(DocumentState::Authorized), ..all() }, "notes_by_state"),
        (NoteFilter { state: Some(DocumentState::Denied), emitente: company, periodo, ..all() }, "notes_by_state"),
        (NoteFilter { emitente: company, state: Some(DocumentState::Authorized), ..all() }, "notes_by_company"),
        (NoteFilter { emitente: company, serie: Some(Serie::from(1)), periodo, ..all() }, "notes_by_company"),
        (NoteFilter { destinatario: company, emitente: company, ..all() }, "notes_by_addressee"),
        (NoteFilter { numero: Some(7), destinatario: company, periodo, ..all() }, "documents_by_number"),
        (NoteFilter { chave: Some("35".to_owned()), numero: Some(7), ..all() }, "documents_by_chave"),
    ]
}

#[test]
fn every_page_goes_along_one_index_without_sorting() {
    let connection = database();
    for (filter, index) in every_filter() {
        let conditions = filter.conditions(Uuid::nil());
        let plan =
            plan(&connection, &page_ids_sql(SqlDialect::Sqlite, &filter, &conditions, conditions.params().len() + 1));
        assert!(plan.contains(index) && !plan.contains("SCAN"), "{filter:?}\n{plan}");
        // A key belongs to one note: nothing to sort.
        assert!(index == "documents_by_chave" || !plan.contains("TEMP B-TREE"), "{filter:?}\n{plan}");
    }
}

#[test]
fn a_total_of_many_is_counted_in_an_index_alone() {
    let connection = database();
    for (filter, index) in every_filter() {
        let conditions = filter.conditions(Uuid::nil());
        let plan = plan(&connection, &total_sql(SqlDialect::Sqlite, &filter, &conditions));
        let few = ["documents_by_number", "notes_by_addressee", "documents_by_chave"].contains(&index);
        assert!(plan.contains("SEARCH") && !plan.contains("SCAN"), "{filter:?}\n{plan}");
        assert!(few || plan.contains("COVERING INDEX"), "{filter:?}\n{plan}");
    }
}

#[test]
fn a_total_of_many_is_added_up_from_what_is_kept() {
    let parts = |filter: &NoteFilter| {
        let parts = totals(SqlDialect::Sqlite, Uuid::nil(), filter);
        let tables = ["note_counts", "note_days", "documents"];
        tables.map(|table| parts.iter().filter(|(sql, _)| sql.contains(&format!("FROM {table}"))).count())
    };
    let days = |from, until| NoteFilter { periodo: Period { from, until }, ..NoteFilter::default() };
    assert_eq!(parts(&NoteFilter::default()), [1, 0, 0]);
    assert_eq!(parts(&NoteFilter { tipo: Some("nfe".to_owned()), ..days(Some(0), Some(900_000)) }), [0, 1, 2]);
    assert_eq!(parts(&NoteFilter { serie: Some(Serie::from(1)), ..days(Some(10_800), None) }), [0, 1, 0]);
    assert_eq!(parts(&days(Some(0), Some(86_400))), [0, 0, 1]);
    // Criteria that the kinds do not include.
    assert_eq!(parts(&NoteFilter { numero: Some(1), ..days(Some(0), Some(900_000)) }), [0, 0, 1]);
}
