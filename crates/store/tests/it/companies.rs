//! Companies, their configurations and certificates; what of it can be found on the disk.

use crate::world::{CNPJ, NOW, OTHER_CNPJ, Place, World, on_both};
use fiscal::value::CnpjCpf;
use serde_json::json;
use std::collections::HashSet;
use store::companies::{CertificateRecord, NewCertificate};
use store::vault::MasterKey;
use store::{Error, Store};
use uuid::Uuid;
use zeroize::Zeroizing;

const PASSWORD: &str = "s3nhaÇã-do-certificado";

fn cnpj() -> CnpjCpf {
    CnpjCpf::parse(CNPJ).unwrap()
}

fn record(titular: &str) -> CertificateRecord {
    CertificateRecord {
        titular: titular.to_owned(),
        emissor: "AC Teste".to_owned(),
        numero_serie: "0a1b".to_owned(),
        valido_de: NOW,
        valido_ate: NOW + 365 * 86_400,
    }
}

/// 4 KB in which no 16 bytes repeat, so that any run found in the file is a leak.
fn pfx() -> Vec<u8> {
    (0_u32..1024).flat_map(|n| (n.wrapping_mul(2_654_435_761) ^ 0x5bd1_e995).to_be_bytes()).collect()
}

fn certificate(titular: &str) -> NewCertificate {
    let (pfx, senha) = (Zeroizing::new(pfx()), Zeroizing::new(PASSWORD.to_owned()));
    NewCertificate { pfx, senha, record: record(titular) }
}

async fn with_company(world: &World) {
    let dados = json!({"nome_razao_social": "Padaria Açaí", "crt": 1});
    world.store.create_company(world.tenant, cnpj(), dados, NOW).await.unwrap();
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

on_both! {
    async fn a_company_reads_back_as_it_was_given(world) {
        with_company(&world).await;
        let company = world.store.company(world.tenant, cnpj()).await.unwrap();
        assert_eq!(company.dados["nome_razao_social"], "Padaria Açaí");
        assert_eq!((company.cpf_cnpj, company.criado_em, company.atualizado_em), (cnpj(), NOW, NOW));
        assert!(company.configuracoes.is_empty() && company.certificado.is_none());
        world.store.update_company(world.tenant, cnpj(), json!({"crt": 3}), NOW + 5).await.unwrap();
        let company = world.store.company(world.tenant, cnpj()).await.unwrap();
        assert_eq!((company.dados, company.criado_em, company.atualizado_em), (json!({"crt": 3}), NOW, NOW + 5));
    }

    async fn a_company_exists_once_per_tenant(world) {
        with_company(&world).await;
        let again = world.store.create_company(world.tenant, cnpj(), json!({}), NOW).await;
        assert!(matches!(again, Err(Error::Conflict(_))));
        let other = Uuid::now_v7();
        assert!(matches!(world.store.company(other, cnpj()).await, Err(Error::NotFound)));
        assert!(matches!(world.store.update_company(other, cnpj(), json!({}), NOW).await, Err(Error::NotFound)));
        world.store.create_company(other, cnpj(), json!({}), NOW).await.unwrap();
    }

    async fn configurations_are_kept_per_document_type(world) {
        with_company(&world).await;
        let (tenant, store) = (world.tenant, &world.store);
        store.configure_company(tenant, cnpj(), "nfe", json!({"serie": "1"}), NOW + 1).await.unwrap();
        store.configure_company(tenant, cnpj(), "cte", json!({"serie": "9"}), NOW + 2).await.unwrap();
        store.configure_company(tenant, cnpj(), "nfe", json!({"serie": "2", "aliquota": 1.10}), NOW + 3).await.unwrap();
        let other = CnpjCpf::parse(OTHER_CNPJ).unwrap();
        let absent = store.configure_company(tenant, other, "nfe", json!({}), NOW).await;
        assert!(matches!(absent, Err(Error::NotFound)));
        store.create_company(tenant, other, json!({}), NOW).await.unwrap();
        let company = store.company(tenant, cnpj()).await.unwrap();
        assert_eq!(company.configuracoes["nfe"]["serie"], "2");
        assert_eq!(company.configuracoes["cte"]["serie"], "9");
        assert_eq!(company.atualizado_em, NOW + 3);
        let listed = store.list_companies(tenant).await.unwrap();
        assert_eq!(listed.iter().map(|company| company.cpf_cnpj).collect::<Vec<_>>(), [cnpj(), other]);
        assert_eq!((listed[0].configuracoes.len(), listed[1].configuracoes.len()), (2, 0));
    }

    async fn the_certificate_opens_as_it_was_given_and_a_new_one_replaces_it(world) {
        with_company(&world).await;
        let (tenant, store) = (world.tenant, &world.store);
        assert!(matches!(store.open_certificate(tenant, cnpj()).await, Err(Error::NotFound)));
        assert!(matches!(store.certificate_id(tenant, cnpj()).await, Err(Error::NotFound)));
        store.put_certificate(tenant, cnpj(), certificate("Primeiro"), NOW).await.unwrap();
        let first = store.open_certificate(tenant, cnpj()).await.unwrap();
        assert_eq!((first.pfx.as_slice(), first.senha.as_str()), (pfx().as_slice(), PASSWORD));
        assert_eq!(store.certificate_id(tenant, cnpj()).await.unwrap(), first.id);
        store.put_certificate(tenant, cnpj(), certificate("Segundo"), NOW).await.unwrap();
        assert_ne!(store.certificate_id(tenant, cnpj()).await.unwrap(), first.id);
        let company = store.company(tenant, cnpj()).await.unwrap();
        assert_eq!(company.certificado, Some(record("Segundo")));
        let stranger = store.put_certificate(Uuid::now_v7(), cnpj(), certificate("x"), NOW).await;
        assert!(matches!(stranger, Err(Error::NotFound)));
    }

    async fn another_master_key_opens_nothing(world) {
        with_company(&world).await;
        world.store.put_certificate(world.tenant, cnpj(), certificate("x"), NOW).await.unwrap();
        let other = Store::open(&world.place.location(), MasterKey::new([9; 32])).await;
        assert!(matches!(other, Err(Error::Sealed)));
    }

    async fn a_rotated_master_key_opens_everything_and_the_old_one_nothing(world) {
        with_company(&world).await;
        world.store.put_certificate(world.tenant, cnpj(), certificate("x"), NOW).await.unwrap();
        let neighbour = Uuid::now_v7();
        world.store.create_company(neighbour, cnpj(), json!({}), NOW).await.unwrap();
        world.store.put_certificate(neighbour, cnpj(), certificate("y"), NOW).await.unwrap();
        assert_eq!(world.store.rotate_master_key(MasterKey::new([9; 32])).await.unwrap(), 2);
        let new = Store::open(&world.place.location(), MasterKey::new([9; 32])).await.unwrap();
        for store in [&world.store, &new] {
            assert_eq!(*store.open_certificate(world.tenant, cnpj()).await.unwrap().senha, PASSWORD);
            assert_eq!(*store.open_certificate(neighbour, cnpj()).await.unwrap().pfx, pfx());
        }
        let old = Store::open(&world.place.location(), crate::world::master_key()).await;
        assert!(matches!(old, Err(Error::Sealed)));
    }
}

#[tokio::test]
async fn no_byte_run_of_a_certificate_and_no_password_is_on_the_disk() {
    let world = World::sqlite().await;
    with_company(&world).await;
    world.store.put_certificate(world.tenant, cnpj(), certificate("Titular Visível"), NOW).await.unwrap();
    let Place::Folder(folder) = &*world.place else { panic!("not a folder") };
    let mut disk = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        disk.extend(std::fs::read(file.unwrap().path()).unwrap());
    }
    // the search works: what may be seen is there
    assert!(contains(&disk, "Titular Visível".as_bytes()));
    assert!(!contains(&disk, PASSWORD.as_bytes()));
    assert!(!contains(&disk, &[42; 32]), "the master key");
    let runs: HashSet<Vec<u8>> = pfx().chunks(16).map(<[u8]>::to_vec).collect();
    assert!(disk.windows(16).all(|window| !runs.contains(window)));
}

#[cfg(unix)]
#[tokio::test]
async fn the_database_file_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::sqlite().await;
    with_company(&world).await;
    let Place::Folder(folder) = &*world.place else { panic!("not a folder") };
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o077, 0, "{:?}", file.path());
    }
}
