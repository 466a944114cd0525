//! Bulk imports and the cache of lookups, as far as the store alone is concerned; whole imports are tested in the crate
//! `lookup`.

use crate::world::{NOW, World, on_both};
use store::Error;
use store::lookups::{BulkTable, CachedLookup, LoadProgress, LoadState, NewLoad, PublicRegister, RowBatch};

fn new(version: &str, restart: bool) -> NewLoad {
    NewLoad {
        register: PublicRegister::Cnpj,
        version: version.to_owned(),
        files: vec![("Empresas0.zip".to_owned(), 7)],
        restart,
    }
}

fn batch(load: &LoadProgress, from: i64, position: i64, done: bool, cells: &[&str]) -> RowBatch {
    let cells = cells.iter().map(|cell| (*cell).to_owned()).collect();
    RowBatch {
        load: load.id,
        file: "Empresas0.zip".to_owned(),
        from,
        position,
        done,
        table: BulkTable::Companies,
        cells,
    }
}

async fn begin(world: &World, version: &str, restart: bool) -> LoadProgress {
    world.store.begin_load(new(version, restart), NOW).await.unwrap()
}

on_both! {
    async fn two_who_import_the_same_files_do_not_write_a_row_twice(world) {
        let one = begin(&world, "1", false).await;
        let two = begin(&world, "1", false).await;
        assert_eq!((one.id, one.resumed, two.resumed), (two.id, false, true));
        world.store.write_rows(batch(&one, 0, 5, false, &["00000001", ""])).await.unwrap();
        let late = world.store.write_rows(batch(&two, 0, 5, false, &["00000001", ""])).await;
        assert!(matches!(late, Err(Error::Conflict(_))));
        let early = world.store.finish_load(PublicRegister::Cnpj, one.id, NOW).await;
        assert!(matches!(early, Err(Error::Conflict(_))), "a file is not read to its end");
        world.store.write_rows(batch(&one, 5, 9, true, &[])).await.unwrap();
        assert_eq!(world.store.finish_load(PublicRegister::Cnpj, one.id, NOW).await.unwrap(), 1);
        let again = world.store.finish_load(PublicRegister::Cnpj, one.id, NOW).await;
        assert!(matches!(again, Err(Error::Conflict(_))));
    }

    async fn an_import_of_other_files_or_from_the_start_forgets_the_one_that_was_broken_off(world) {
        let one = begin(&world, "1", false).await;
        world.store.write_rows(batch(&one, 0, 5, false, &["00000001", "a", "00000002", "b"])).await.unwrap();
        let resumed = begin(&world, "1", false).await;
        assert_eq!((resumed.files[0].position, resumed.files[0].rows), (5, 2));
        for (version, restart) in [("2", false), ("2", true)] {
            let other = begin(&world, version, restart).await;
            assert_eq!((other.resumed, other.files[0].position), (false, 0));
            let loads = world.store.loads().await.unwrap();
            assert_eq!((loads.len(), loads[0].rows, loads[0].state), (1, 0, LoadState::Loading));
            world.store.write_rows(batch(&other, 0, 1, false, &["00000003", "c"])).await.unwrap();
        }
        let gone = world.store.write_rows(batch(&one, 5, 6, true, &[])).await;
        assert!(gone.is_err());
    }

    async fn an_answer_of_a_source_is_kept_until_the_next_one(world) {
        let answer = |body: Option<&str>, fetched_at| CachedLookup { source: "viacep".to_owned(), body: body.map(str::to_owned), fetched_at };
        assert_eq!(world.store.cached_lookup(PublicRegister::Cep, "01001000").await.unwrap(), None);
        world.store.cache_lookup(PublicRegister::Cep, "01001000", answer(None, NOW)).await.unwrap();
        world.store.cache_lookup(PublicRegister::Cep, "01001000", answer(Some("{}"), NOW + 1)).await.unwrap();
        assert_eq!(world.store.cached_lookup(PublicRegister::Cep, "01001000").await.unwrap(), Some(answer(Some("{}"), NOW + 1)));
        assert_eq!(world.store.cached_lookup(PublicRegister::Cnpj, "01001000").await.unwrap(), None);
    }
}
