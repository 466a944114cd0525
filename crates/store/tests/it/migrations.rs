//! Opening a database: concurrently in several processes, repeatedly, and not by an older binary.

use crate::world::{NOW, Place, World, master_key, on_both};
use store::Visibility;
use store::{Error, Location, Store};

/// Opens a new location four times at once.
async fn opens_together(location: Location) {
    let opening = (0..4).map(|_| {
        let location = location.clone();
        tokio::spawn(async move { Store::open(&location, master_key()).await })
    });
    for store in opening.collect::<Vec<_>>() {
        store.await.unwrap().unwrap().ping().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_new_file_may_be_opened_by_many_at_once() {
    let folder = Place::Folder(std::env::temp_dir().join(format!("carimbo-store-{}", uuid::Uuid::now_v7())));
    if let Place::Folder(folder) = &folder {
        std::fs::create_dir_all(folder).unwrap();
    }
    opens_together(folder.location()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_new_database_may_be_opened_by_many_at_once() {
    let name = format!("carimbo_{}", uuid::Uuid::now_v7().simple());
    World::administer(&format!("CREATE DATABASE {name}")).await;
    opens_together(Place::Database { name }.location()).await;
}

on_both! {
    async fn what_was_stored_is_there_after_opening_again(world) {
        let id = world.register(world.job()).await;
        world.store.close().await;
        let again = world.open_again().await;
        assert_eq!(again.job(Visibility::whole(world.tenant), id).await.unwrap().criado_em, NOW);
    }

    async fn a_database_of_a_newer_binary_is_refused(world) {
        world.store.close().await;
        let newer = "INSERT INTO migrations (version, name) VALUES (9999, 'future')";
        world.place.run(newer).await;
        let refused = Store::open(&world.place.location(), master_key()).await;
        assert!(matches!(refused, Err(Error::Conflict(_))));
    }
}

#[tokio::test]
async fn a_place_that_cannot_be_opened_is_named() {
    let Err(Error::Unavailable(why)) = Store::open(&Location::Sqlite("/nowhere/x.db".into()), master_key()).await
    else {
        panic!("it was opened")
    };
    assert!(why.contains("/nowhere/x.db"), "{why}");
    let nobody = Location::Postgres("postgres://ana:s3nh4@127.0.0.1:1/x".to_owned());
    let Err(Error::Unavailable(why)) = Store::open(&nobody, master_key()).await else { panic!("it was opened") };
    assert!(!why.contains("s3nh4"), "{why}");
}
