//! Import of the open data of Receita Federal: whole, interrupted and resumed, refused.

use crate::bench::{LookupBench, NOW, on_both};
use crate::receita_files::{cnpj, companies, edition, establishments, root, zip};
use fiscal::value::Cnpj;
use lookup::import::{ImportError, ImportSummary, import_cnpj};
use lookup::{LookupAnswer, LookupError};
use serde_json::{Value, json};
use std::path::PathBuf;
use store::lookups::LoadState;

/// Rows that fill more than one chunk of each large file.
const MANY: u32 = 45_000;

async fn import(world: &LookupBench, paths: &[PathBuf]) -> Result<ImportSummary, ImportError> {
    import_cnpj(&world.store, paths, None, false, NOW, |_| ()).await
}

async fn known(world: &LookupBench, n: u32) -> Value {
    match world.lookup.cnpj(&Cnpj::parse(&cnpj(&root(n))).unwrap(), NOW).await.unwrap() {
        LookupAnswer::Yes(body) => body,
        LookupAnswer::No(source) => panic!("{n}: {source}"),
    }
}

async fn refusal(world: &LookupBench, paths: &[PathBuf]) -> String {
    import(world, paths).await.expect_err("it must be refused").to_string()
}

on_both! {
    async fn an_edition_is_imported_and_everything_in_it_is_told(world) {
        let folder = world.folder.join("2026-11");
        edition(&folder, 10);
        let summary = import(world, &[folder]).await.unwrap();
        assert_eq!((summary.version.as_str(), summary.rows, summary.left_out), ("2026-11-14", 10 + 10 + 10 + 1 + 6, 0));
        assert_eq!(summary.notes, ["sem arquivo de Paises: o que ele diz ficará ausente das respostas"]);
        let told = known(world, 3).await;
        for (name, value) in [
            ("cnpj", json!(cnpj("00ABC003"))),
            ("razao_social", json!("COMÉRCIO 3 LTDA")),
            ("nome_fantasia", json!("LOJA \"3\" & FILHOS; SEÇÃO")),
            ("descricao_situacao_cadastral", json!("ATIVA")),
            ("data_inicio_atividade", json!("1998-03-31")),
            ("cnae_fiscal", json!("0111301")),
            ("cnae_fiscal_descricao", json!("Cultivo de arroz")),
            ("logradouro", json!("DA AÇÃO")),
            ("municipio", json!("SAO PAULO")),
            ("codigo_municipio", json!("7107")),
            ("codigo_municipio_ibge", json!("3550308")),
            ("ddd_telefone_1", json!("1133334444")),
            ("natureza_juridica", json!("Sociedade Empresária Limitada")),
            ("porte", json!("MICRO EMPRESA")),
            ("opcao_pelo_simples", json!(true)),
            ("data_opcao_pelo_simples", json!("2007-07-01")),
            ("data_exclusao_do_simples", Value::Null),
            ("fonte", json!("receita_federal")),
            ("versao_da_base", json!("2026-11-14")),
        ] {
            assert_eq!(told[name], value, "{name}");
        }
        assert_eq!(told["capital_social"].to_string(), "10000.00");
        let secondary = json!([{ "descricao": "Programas sob encomenda", "codigo": "6201501" }, { "descricao": null, "codigo": "4711302" }]);
        assert_eq!(told["cnaes_secundarios"], secondary);
        let partner = &told["qsa"][0];
        assert_eq!((&partner["nome_socio"], &partner["qualificacao_socio"]), (&json!("JOÃO DA SILVA"), &json!("Sócio-Administrador")));
        assert_eq!(partner["data_entrada_sociedade"], "2010-01-01");
        let absent = world.lookup.cnpj(&Cnpj::parse(&cnpj("99999998")).unwrap(), NOW).await.unwrap();
        assert!(matches!(absent, LookupAnswer::No(source) if source.contains("2026-11-14")));
    }

    async fn an_import_that_was_broken_off_goes_on_and_every_row_is_there_once(world) {
        let folder = world.folder.join("edition");
        edition(&folder, MANY);
        for times in 1..=3 {
            // The future is dropped where it stands, as by a killed process.
            let (stop, stopped) = tokio::sync::oneshot::channel();
            let (mut stop, mut chunks) = (Some(stop), 0);
            let paths = [folder.clone()];
            let import = import_cnpj(&world.store, &paths, None, false, NOW, |_| {
                chunks += 1;
                if chunks == 2
                    && let Some(stop) = stop.take()
                {
                    stop.send(()).unwrap();
                }
            });
            tokio::select! {
                biased;
                _ = stopped => {}
                done = import => panic!("it ended: {done:?}"),
            }
            let loads = world.store.loads().await.unwrap();
            assert_eq!(loads.len(), 1);
            assert_eq!(loads[0].state, LoadState::Loading);
            assert!(loads[0].rows >= 20_000 * times, "{loads:?}");
            let nobody = world.lookup.cnpj(&Cnpj::parse(&cnpj(&root(1))).unwrap(), NOW).await;
            assert!(matches!(nobody, Err(LookupError::NotConfigured(_))), "half an import is not seen");
        }
        let summary = import(world, &[folder]).await.unwrap();
        assert!(summary.resumed);
        assert_eq!(summary.rows, i64::from(MANY) * 3 + 1 + 6);
        for n in [1, 3, 19_999, 20_000, 20_001, 40_000, MANY] {
            assert_eq!(known(world, n).await["razao_social"], format!("COMÉRCIO {n} LTDA"));
        }
    }

    async fn a_new_edition_takes_the_place_of_the_old_one(world) {
        let (old, new) = (world.folder.join("old"), world.folder.join("new"));
        edition(&old, 10);
        import(world, &[old]).await.unwrap();
        edition(&new, 5);
        let summary = import_cnpj(&world.store, &[new], Some("nova".to_owned()), false, NOW + 1, |_| ()).await.unwrap();
        assert_eq!((summary.version.as_str(), summary.resumed), ("nova", false));
        assert_eq!(known(world, 5).await["versao_da_base"], "nova");
        let gone = world.lookup.cnpj(&Cnpj::parse(&cnpj(&root(6))).unwrap(), NOW).await.unwrap();
        assert!(matches!(gone, LookupAnswer::No(_)));
    }

    async fn what_is_no_edition_is_refused_with_the_reason_and_changes_nothing(world) {
        let folder = world.folder.join("edition");
        edition(&folder, 10);
        import(world, &[folder]).await.unwrap();
        let only = world.folder.join("Estabelecimentos0.zip");
        zip(&only, "ESTABELE", &establishments(1));
        assert!(refusal(world, std::slice::from_ref(&only)).await.contains("nenhum arquivo de Empresas"));
        let other = world.folder.join("Empresas0.zip");
        zip(&other, "EMPRECSV", b"isto;nao;e\n");
        assert!(refusal(world, &[only.clone(), other.clone()]).await.contains("não é o leiaute da Receita Federal"));
        let cut = world.file("Empresas1.zip", b"PK");
        assert!(refusal(world, &[only.clone(), cut]).await.contains("não é um ZIP íntegro"));
        assert!(refusal(world, &[world.file("x.txt", b"x")]).await.contains("nenhum arquivo da Receita Federal"));
        assert!(refusal(world, &[world.folder.join("nada")]).await.contains("nada"));
        let mut damaged = companies(3);
        damaged.extend_from_slice(b"\"lixo\";\"x\"\n");
        zip(&other, "EMPRECSV", &damaged);
        assert_eq!(known(world, 10).await["razao_social"], "COMÉRCIO 10 LTDA");
        let summary = import(world, &[only, other]).await.unwrap();
        assert_eq!((summary.rows, summary.left_out), (4, 1));
    }
}
