//! Import of the official JSON of the nomenclature, which replaces the one inside the binary.

use crate::bench::{LookupBench, NOW, on_both};
use lookup::import::import_ncm;
use serde_json::{Value, json};

fn row(codigo: &str, descricao: &str) -> Value {
    json!({ "Codigo": codigo, "Descricao": descricao, "Data_Inicio": "01/04/2022", "Data_Fim": "31/12/9999",
            "Tipo_Ato_Ini": "Res Camex", "Numero_Ato_Ini": "272", "Ano_Ato_Ini": "2021" })
}

/// An official file of invented codes, as many as a nomenclature has.
fn official(vigencia: &str) -> Value {
    let mut rows: Vec<Value> =
        (0..9_500).map(|n| row(&format!("{:04}.{:02}.00", 100 + n / 100, n % 100), "-- Outros")).collect();
    rows.push(row("9999.1", "- <i>Carimbus</i> de teste:"));
    json!({ "Data_Ultima_Atualizacao_NCM": vigencia, "Ato": "Resolução Gecex nº 1/2027", "Nomenclaturas": rows })
}

async fn import(world: &LookupBench, json: &[u8]) -> Result<String, String> {
    let path = world.file("ncm.json", json);
    import_ncm(&world.store, &path, NOW).await.map(|done| done.version).map_err(|error| error.to_string())
}

on_both! {
    async fn an_imported_nomenclature_is_used_at_once_and_a_newer_one_after_it(world) {
        assert_eq!(world.lookup.ncm().await.unwrap().vigencia(), "Vigente em 13/08/2026");
        let version = import(world, official("Vigente em 01/01/2027").to_string().as_bytes()).await.unwrap();
        assert_eq!(version, "Vigente em 01/01/2027 (Resolução Gecex nº 1/2027)");
        let table = world.lookup.ncm().await.unwrap();
        let day = jiff::civil::date(2027, 1, 2);
        assert_eq!(&*table.find("99991", day).unwrap().descricao, "Carimbus de teste:");
        assert!(table.find("84713012", day).is_none() && table.is_valid_on("01000100", day));
        import(world, official("Vigente em 01/02/2027").to_string().as_bytes()).await.unwrap();
        assert_eq!(world.lookup.ncm().await.unwrap().vigencia(), "Vigente em 01/02/2027");
        assert_eq!(world.store.loads().await.unwrap().len(), 1);
    }

    async fn a_malformed_file_is_refused_with_the_reason_and_the_old_one_stays(world) {
        import(world, official("Vigente em 01/01/2027").to_string().as_bytes()).await.unwrap();
        let mut broken = official("x");
        broken["Nomenclaturas"][7]["Data_Inicio"] = Value::Null;
        let mut backwards = official("x");
        backwards["Nomenclaturas"][7]["Data_Fim"] = json!("01/01/2000");
        let mut cut = official("x");
        cut["Nomenclaturas"].as_array_mut().unwrap().truncate(10);
        for (file, reason) in [
            ("{".to_owned(), "não é JSON"),
            ("{}".to_owned(), "falta Data_Ultima_Atualizacao_NCM"),
            (broken.to_string(), "Nomenclaturas[7]: falta Data_Inicio"),
            (backwards.to_string(), "linha 9"),
            (cut.to_string(), "10 códigos finais"),
        ] {
            let why = import(world, file.as_bytes()).await.unwrap_err();
            assert!(why.contains(reason), "{why}");
        }
        assert_eq!(world.lookup.ncm().await.unwrap().vigencia(), "Vigente em 01/01/2027");
    }
}
