//! Companies, their configurations and certificates, and the absence of their secrets on disk.

use crate::world::{
    CNPJ, NOW, OTHER_CNPJ, Place, World, chave, claim_request, line, on_both, outcome, prepared, series,
};
use fiscal::lifecycle::DocumentState;
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::{Value, json};
use std::collections::HashSet;
use store::Visibility;
use store::audit::{Actor, ActorKind};
use store::companies::{
    CertificateOffer, CertificateRecord, Company, CompanyChange, CompanyConfiguration, CompanyRemoval, CompanySecret,
    NewCertificate, OFFER_S,
};
use store::jobs::{DocumentOutcome, JobFailure, JobStatus, NewJob, Operacao, SignedDocument};
use store::numbers::{NumberState, SequenceNumbers};
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
    world.store.create_company(world.tenant, cnpj(), dados, &by(), NOW).await.unwrap();
}

/// Holder of the certificate in use.
async fn in_use(world: &World) -> String {
    world.store.company(world.tenant, cnpj()).await.unwrap().certificado.unwrap().titular
}

fn by() -> Actor {
    Actor {
        kind: ActorKind::ApiKey(Uuid::nil()),
        ambiente: fiscal::value::TpAmb::Producao,
        request_id: Some("r1".to_owned()),
        address: None,
    }
}

async fn change_record(world: &World, tenant: Uuid, dados: Value, now: i64) -> Result<(), Error> {
    let change = move |_: &Company| Ok::<_, ()>(CompanyChange::Record(dados.clone()));
    world.store.change_company(tenant, cnpj(), &by(), now, change).await.map(|changed| drop(changed.unwrap()))
}

fn failure() -> JobFailure {
    JobFailure {
        codigo: "x".to_owned(),
        etapa: "consulta".to_owned(),
        mensagem: "x".to_owned(),
        repetivel: false,
        proxima_tentativa_em: None,
    }
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

on_both! {
    async fn an_account_has_so_many_companies_and_no_more(world) {
        let (tenant, store) = (world.tenant, &world.store);
        let create = async |number: &str, most: Option<u32>| {
            let company = CnpjCpf::parse(number).unwrap();
            store.create_company_within(tenant, most, company, json!({}), &by(), NOW).await
        };
        let before = u32::try_from(store.list_companies(Visibility::whole(tenant), 1, 0).await.unwrap().1).unwrap();
        let most = Some(before + 1);
        create("11444777000161", most).await.unwrap();
        assert!(matches!(create("12ABC34501DE35", most).await, Err(Error::AccountFull { .. })));
        // It exists already: that is the more specific reason.
        assert!(matches!(create("11444777000161", most).await, Err(Error::Conflict(_))));
        assert!(matches!(store.company(tenant, CnpjCpf::parse("12ABC34501DE35").unwrap()).await, Err(Error::NotFound)));
        create("12ABC34501DE35", None).await.unwrap();
    }

    async fn a_company_reads_back_as_it_was_given(world) {
        with_company(&world).await;
        let company = world.store.company(world.tenant, cnpj()).await.unwrap();
        assert_eq!(company.dados["nome_razao_social"], "Padaria Açaí");
        assert_eq!((company.cpf_cnpj, company.criado_em, company.atualizado_em), (cnpj(), NOW, NOW));
        assert!(company.configuracoes.is_empty() && company.certificado.is_none());
        change_record(&world, world.tenant, json!({"crt": 3}), NOW + 5).await.unwrap();
        let company = world.store.company(world.tenant, cnpj()).await.unwrap();
        assert_eq!((company.dados, company.criado_em, company.atualizado_em), (json!({"crt": 3}), NOW, NOW + 5));
    }

    async fn a_company_exists_once_per_tenant(world) {
        with_company(&world).await;
        let again = world.store.create_company(world.tenant, cnpj(), json!({}), &by(), NOW).await;
        assert!(matches!(again, Err(Error::Conflict(_))));
        let other = Uuid::now_v7();
        assert!(matches!(world.store.company(other, cnpj()).await, Err(Error::NotFound)));
        assert!(matches!(change_record(&world, other, json!({}), NOW).await, Err(Error::NotFound)));
        world.store.create_company(other, cnpj(), json!({}), &by(), NOW).await.unwrap();
    }

    async fn configurations_are_kept_per_document_type(world) {
        with_company(&world).await;
        let (tenant, store) = (world.tenant, &world.store);
        store.configure_company(tenant, cnpj(), "nfe", json!({"serie": "1"}), &by(), NOW + 1).await.unwrap();
        store.configure_company(tenant, cnpj(), "cte", json!({"serie": "9"}), &by(), NOW + 2).await.unwrap();
        store.configure_company(tenant, cnpj(), "nfe", json!({"serie": "2", "aliquota": 1.10}), &by(), NOW + 3).await.unwrap();
        let other = CnpjCpf::parse(OTHER_CNPJ).unwrap();
        let absent = store.configure_company(tenant, other, "nfe", json!({}), &by(), NOW).await;
        assert!(matches!(absent, Err(Error::NotFound)));
        store.create_company(tenant, other, json!({}), &by(), NOW).await.unwrap();
        let company = store.company(tenant, cnpj()).await.unwrap();
        assert_eq!(company.configuracoes["nfe"]["serie"], "2");
        assert_eq!(company.configuracoes["cte"]["serie"], "9");
        assert_eq!(company.atualizado_em, NOW + 3);
        let (listed, total) = store.list_companies(Visibility::whole(tenant), 20, 0).await.unwrap();
        assert_eq!(listed.iter().map(|company| company.cpf_cnpj).collect::<Vec<_>>(), [other, cnpj()]);
        assert_eq!((listed[0].configuracoes.len(), listed[1].configuracoes.len(), total), (0, 2, 2));
        let (second, total) = store.list_companies(Visibility::whole(tenant), 1, 1).await.unwrap();
        assert_eq!((second[0].cpf_cnpj, second[0].configuracoes.len(), total), (cnpj(), 2, 2));
    }

    async fn the_certificate_opens_as_it_was_given_and_a_new_one_replaces_it(world) {
        with_company(&world).await;
        let (tenant, store) = (world.tenant, &world.store);
        assert!(matches!(store.open_certificate(tenant, cnpj()).await, Err(Error::NotFound)));
        assert!(matches!(store.certificate_id(tenant, cnpj()).await, Err(Error::NotFound)));
        store.save_certificate(tenant, cnpj(), certificate("Primeiro"), &by(), NOW).await.unwrap();
        let first = store.open_certificate(tenant, cnpj()).await.unwrap();
        assert_eq!((first.pfx.as_slice(), first.senha.as_str()), (pfx().as_slice(), PASSWORD));
        let id = store.certificate_id(tenant, cnpj()).await.unwrap();
        assert_eq!(store.company(tenant, cnpj()).await.unwrap().certificate_id, Some(id));
        store.save_certificate(tenant, cnpj(), certificate("Segundo"), &by(), NOW).await.unwrap();
        assert_ne!(store.certificate_id(tenant, cnpj()).await.unwrap(), id);
        let company = store.company(tenant, cnpj()).await.unwrap();
        assert_eq!(company.certificado, Some(record("Segundo")));
        let stranger = store.save_certificate(Uuid::now_v7(), cnpj(), certificate("x"), &by(), NOW).await;
        assert!(matches!(stranger, Err(Error::NotFound)));
    }

    async fn a_change_is_made_from_what_stands_and_what_it_refuses_changes_nothing(world) {
        with_company(&world).await;
        let stores = [world.store.clone(), world.open_again().await];
        let calls: Vec<_> = (0..20).map(|call| {
            let (store, tenant) = (stores[call % 2].clone(), world.tenant);
            tokio::spawn(async move {
                let add = |company: &Company| {
                    let count = company.dados["count"].as_u64().unwrap_or(0);
                    Ok::<_, ()>(CompanyChange::Record(json!({ "count": count + 1 })))
                };
                store.change_company(tenant, cnpj(), &by(), NOW, add).await.unwrap().unwrap();
            })
        }).collect();
        for call in calls {
            call.await.unwrap();
        }
        assert_eq!(world.store.company(world.tenant, cnpj()).await.unwrap().dados["count"], 20);
        let refuse = |_: &Company| Err::<CompanyChange, _>("no");
        let refused = world.store.change_company(world.tenant, cnpj(), &by(), NOW + 9, refuse).await.unwrap();
        assert_eq!(refused.unwrap_err(), "no");
        assert_eq!(world.store.company(world.tenant, cnpj()).await.unwrap().dados["count"], 20);
    }

    async fn a_secret_opens_as_it_was_given_until_it_is_erased(world) {
        with_company(&world).await;
        let csc = |ambiente| CompanySecret { tipo: "nfce", ambiente, nome: "csc" };
        for given in [Some("primeiro"), Some("segundo"), None] {
            let given = given.map(|text| Zeroizing::new(text.to_owned()));
            let keep = given.clone();
            let change = move |_: &Company| {
                let secrets = vec![(csc(TpAmb::Homologacao), keep.clone())];
                let made = CompanyConfiguration { tipo: "nfce", configuracao: json!({}), secrets, sequences: Vec::new() };
                Ok::<_, ()>(CompanyChange::Configuration(made))
            };
            world.store.change_company(world.tenant, cnpj(), &by(), NOW, change).await.unwrap().unwrap();
            let opened = world.store.open_company_secret(world.tenant, cnpj(), csc(TpAmb::Homologacao)).await;
            assert_eq!(opened.ok(), given);
        }
        let other = world.store.open_company_secret(world.tenant, cnpj(), csc(TpAmb::Producao)).await;
        assert!(matches!(other, Err(Error::NotFound)));
    }

    async fn a_removal_cancels_what_waits_and_keeps_what_may_have_left(world) {
        with_company(&world).await;
        let (tenant, store) = (world.tenant, &world.store);
        store.save_certificate(tenant, cnpj(), certificate("x"), &by(), NOW).await.unwrap();
        // Sent, in doubt, waiting to be queried.
        let (in_doubt, sent_nNF) = world.sending().await;
        store.mark_state(in_doubt, DocumentState::InDoubt, None, NOW, Vec::new()).await.unwrap();
        store.retry_at(in_doubt, NOW + 30, None, NOW, Vec::new()).await.unwrap();
        // Its number reserved; requeued before it was sent.
        let (numbered, free_nNF) = world.numbered(None).await;
        store.retry_at(numbered, NOW + 30, None, NOW, Vec::new()).await.unwrap();
        // A cancellation whose event may have been sent.
        let cancelling = world.register(NewJob { operacao: Operacao::Cancelamento, alvo: Some(in_doubt.job_id), ..world.job() }).await;
        let lease = world.claim(1).await.pop().unwrap().lease;
        store.begin_event(lease, "<envEvento/>".to_owned(), NOW, Vec::new()).await.unwrap();
        store.retry_at(lease, NOW + 30, None, NOW, Vec::new()).await.unwrap();
        // Leased by a worker.
        let held = world.begun().await;
        let waiting = world.register(world.job()).await;
        let other = world.register(world.job_of(OTHER_CNPJ)).await;

        let removed = store.remove_company(tenant, cnpj(), &by(), NOW + 5, line("removida")).await.unwrap();
        assert_eq!(removed, CompanyRemoval { cancelled: 2, in_flight: 3 });
        for (id, status) in [
            (in_doubt.job_id, JobStatus::Pending),
            (numbered.job_id, JobStatus::Cancelled),
            (cancelling, JobStatus::Pending),
            (held.job_id, JobStatus::Processing),
            (waiting, JobStatus::Cancelled),
            (other, JobStatus::Pending),
        ] {
            assert_eq!(store.job(Visibility::whole(tenant), id).await.unwrap().status, status);
        }
        let cancelled = store.job(Visibility::whole(tenant), numbered.job_id).await.unwrap();
        assert_eq!((cancelled.concluido_em, cancelled.tentativas), (Some(NOW + 5), 1));
        assert_eq!(cancelled.document.unwrap().state, DocumentState::Failed);
        assert_eq!(store.log(tenant, waiting).await.unwrap().last().unwrap().text, "removida");
        let ledger = store.ledger(tenant, series()).await.unwrap();
        let state = |numero| ledger.iter().find(|row| row.numero == numero).unwrap().state;
        assert_eq!((state(sent_nNF), state(free_nNF)), (NumberState::Reserved, NumberState::Released));
        // Nothing can be signed any more, but documents in flight can be settled.
        assert!(matches!(store.company(tenant, cnpj()).await, Err(Error::NotFound)));
        assert!(matches!(store.open_certificate(tenant, cnpj()).await, Err(Error::NotFound)));
        assert_eq!(*store.open_retired_certificate(tenant, cnpj()).await.unwrap().senha, PASSWORD);
        assert_eq!(store.erase_retired_certificates().await.unwrap(), 0);
        let again = store.remove_company(tenant, cnpj(), &by(), NOW, Vec::new()).await;
        assert!(matches!(again, Err(Error::NotFound)));
        // After the last of them the certificate is erased.
        for claim in world.claim_at(NOW + 100, 10).await {
            if claim.job.id != other {
                store.fail_job(claim.lease, failure(), None, NOW + 100, Vec::new()).await.unwrap();
            }
        }
        assert_eq!(store.erase_retired_certificates().await.unwrap(), 1);
        assert!(matches!(store.open_retired_certificate(tenant, cnpj()).await, Err(Error::NotFound)));
        // Registered again: the numbers continue.
        with_company(&world).await;
        assert_eq!(store.numbering(tenant, series()).await.unwrap().1, Some(free_nNF));
    }

    async fn with_nothing_in_flight_the_certificate_is_erased_at_once(world) {
        with_company(&world).await;
        let (tenant, store) = (world.tenant, &world.store);
        store.save_certificate(tenant, cnpj(), certificate("x"), &by(), NOW).await.unwrap();
        let removed = store.remove_company(tenant, cnpj(), &by(), NOW, Vec::new()).await.unwrap();
        assert_eq!(removed, CompanyRemoval { cancelled: 0, in_flight: 0 });
        assert!(matches!(store.open_retired_certificate(tenant, cnpj()).await, Err(Error::NotFound)));
        assert!(matches!(store.remove_company(Uuid::now_v7(), cnpj(), &by(), NOW, Vec::new()).await, Err(Error::NotFound)));
    }

    async fn an_offered_certificate_is_of_its_user_until_it_is_kept_or_ends(world) {
        with_company(&world).await;
        let (tenant, store, user) = (world.tenant, &world.store, Uuid::now_v7());
        let offer = |id| CertificateOffer { tenant, cpf_cnpj: cnpj(), user, id };
        let unknown = store.offer_certificate(Uuid::now_v7(), cnpj(), user, certificate("x"), NOW).await;
        assert!(matches!(unknown, Err(Error::NotFound)));
        let first = offer(store.offer_certificate(tenant, cnpj(), user, certificate("x"), NOW).await.unwrap());
        let second = offer(store.offer_certificate(tenant, cnpj(), user, certificate("y"), NOW).await.unwrap());
        assert!(matches!(store.offered_certificate(first, NOW).await, Err(Error::NotFound)));
        assert_eq!(store.offered_certificate(second, NOW).await.unwrap(), certificate("y").record);
        assert!(matches!(store.open_certificate(tenant, cnpj()).await, Err(Error::NotFound)));
        for wrong in [
            CertificateOffer { user: Uuid::now_v7(), ..second },
            CertificateOffer { cpf_cnpj: CnpjCpf::parse(OTHER_CNPJ).unwrap(), ..second },
        ] {
            assert!(matches!(store.offered_certificate(wrong, NOW).await, Err(Error::NotFound)));
            assert!(matches!(store.keep_offered_certificate(wrong, &by(), NOW).await, Err(Error::NotFound)));
        }
        store.save_certificate(tenant, cnpj(), certificate("x"), &by(), NOW).await.unwrap();
        store.keep_offered_certificate(second, &by(), NOW + 599).await.unwrap();
        assert_eq!(store.open_certificate(tenant, cnpj()).await.unwrap().pfx, certificate("y").pfx);
        assert_eq!(in_use(&world).await, "y");
        assert!(matches!(store.keep_offered_certificate(second, &by(), NOW + 599).await, Err(Error::NotFound)));
        // its time ends, and the row goes
        let late = offer(store.offer_certificate(tenant, cnpj(), user, certificate("x"), NOW).await.unwrap());
        assert_eq!(store.erase_ended_offers(NOW + OFFER_S - 1).await.unwrap(), 0);
        assert!(matches!(store.keep_offered_certificate(late, &by(), NOW + OFFER_S).await, Err(Error::NotFound)));
        assert_eq!(store.erase_ended_offers(NOW + OFFER_S).await.unwrap(), 1);
        assert_eq!(in_use(&world).await, "y");
        // its user does not want it; a colleague cannot say so
        let unwanted = offer(store.offer_certificate(tenant, cnpj(), user, certificate("x"), NOW).await.unwrap());
        store.discard_offered_certificate(CertificateOffer { user: Uuid::now_v7(), ..unwanted }).await.unwrap();
        store.offered_certificate(unwanted, NOW).await.unwrap();
        store.discard_offered_certificate(unwanted).await.unwrap();
        assert!(matches!(store.keep_offered_certificate(unwanted, &by(), NOW).await, Err(Error::NotFound)));
        // the certificate ends before the offer
        let mut brief = certificate("x");
        brief.record.valido_ate = NOW + 10;
        let brief = offer(store.offer_certificate(tenant, cnpj(), user, brief, NOW).await.unwrap());
        assert!(matches!(store.keep_offered_certificate(brief, &by(), NOW + 11).await, Err(Error::NotFound)));
        assert_eq!(in_use(&world).await, "y");
        // a removal erases it
        let gone = offer(store.offer_certificate(tenant, cnpj(), user, certificate("x"), NOW).await.unwrap());
        store.remove_company(tenant, cnpj(), &by(), NOW, Vec::new()).await.unwrap();
        with_company(&world).await;
        assert!(matches!(store.offered_certificate(gone, NOW).await, Err(Error::NotFound)));
    }

    async fn of_confirmations_at_once_one_keeps_the_certificate(world) {
        with_company(&world).await;
        let (tenant, user) = (world.tenant, Uuid::now_v7());
        for _ in 0..8 {
            let id = world.store.offer_certificate(tenant, cnpj(), user, certificate("x"), NOW).await.unwrap();
            let of = CertificateOffer { tenant, cpf_cnpj: cnpj(), user, id };
            let mut confirmations = tokio::task::JoinSet::new();
            for _ in 0..4 {
                let store = world.store.clone();
                confirmations.spawn(async move { store.keep_offered_certificate(of, &by(), NOW).await });
            }
            let (kept, ended): (Vec<_>, Vec<_>) = confirmations.join_all().await.into_iter().partition(Result::is_ok);
            assert_eq!(kept.len(), 1, "{ended:?}");
            assert!(ended.iter().all(|refused| matches!(refused, Err(Error::NotFound))), "{ended:?}");
            assert_eq!(world.store.open_certificate(tenant, cnpj()).await.unwrap().pfx, certificate("x").pfx);
        }
    }

    async fn claims_and_a_removal_at_once_never_share_a_job(world) {
        with_company(&world).await;
        for _ in 0..60 {
            world.register(world.job()).await;
        }
        let claimer = world.open_again().await;
        let claiming = tokio::spawn(async move {
            let mut taken = 0;
            loop {
                match claimer.claim(claim_request(NOW, 3)).await.unwrap().len() as u64 {
                    0 => return taken,
                    claimed => taken += claimed,
                }
            }
        });
        let removed = world.store.remove_company(world.tenant, cnpj(), &by(), NOW, Vec::new()).await.unwrap();
        let taken = claiming.await.unwrap();
        // A claim may run while the removal holds all jobs; it then claims nothing.
        assert_eq!(removed.cancelled + removed.in_flight, 60);
        assert!(taken >= removed.in_flight && taken + removed.cancelled <= 60, "{taken} {removed:?}");
    }

    async fn every_sequence_is_listed_with_its_last_authorised_number(world) {
        with_company(&world).await;
        let (tenant, store) = (world.tenant, &world.store);
        assert!(store.numberings(Visibility::whole(tenant), None).await.unwrap().is_empty());
        for (state, number_is_gone) in [(DocumentState::Authorized, false), (DocumentState::Denied, false), (DocumentState::Rejected, true), (DocumentState::Rejected, false)] {
            let (lease, _) = world.sending().await;
            let outcome = DocumentOutcome { number_is_gone, ..outcome(state) };
            store.settle(lease, outcome, NOW, Vec::new()).await.unwrap();
        }
        let listed = store.numberings(Visibility::whole(tenant), Some(cnpj())).await.unwrap();
        assert_eq!(listed, [SequenceNumbers { series: series(), last: Some(1), next: Some(4) }]);
        // The fourth was released; requested numbers are skipped.
        let (lease, numero) = world.numbered(None).await;
        assert_eq!(numero, 4);
        store.begin_sending(lease, SignedDocument { numero, ..prepared(chave(44)) }, NOW, Vec::new()).await.unwrap();
        store.settle(lease, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
        for asked in [5, 6] {
            world.numbered(Some(asked)).await;
        }
        let listed = store.numberings(Visibility::whole(tenant), None).await.unwrap();
        assert_eq!(listed, [SequenceNumbers { series: series(), last: Some(4), next: Some(7) }]);
        assert_eq!(store.numbering(tenant, series()).await.unwrap().1, Some(7));
        assert!(store.numberings(Visibility::whole(tenant), Some(CnpjCpf::parse(OTHER_CNPJ).unwrap())).await.unwrap().is_empty());
        assert!(store.numberings(Visibility::whole(Uuid::now_v7()), None).await.unwrap().is_empty());
    }

    async fn another_master_key_opens_nothing(world) {
        with_company(&world).await;
        world.store.save_certificate(world.tenant, cnpj(), certificate("x"), &by(), NOW).await.unwrap();
        let other = Store::open(&world.place.location(), MasterKey::new([9; 32])).await;
        assert!(matches!(other, Err(Error::Sealed)));
    }

    async fn a_rotated_master_key_opens_everything_and_the_old_one_nothing(world) {
        with_company(&world).await;
        world.store.save_certificate(world.tenant, cnpj(), certificate("x"), &by(), NOW).await.unwrap();
        let neighbour = Uuid::now_v7();
        world.store.create_company(neighbour, cnpj(), json!({}), &by(), NOW).await.unwrap();
        world.store.save_certificate(neighbour, cnpj(), certificate("y"), &by(), NOW).await.unwrap();
        assert_eq!(world.store.rotate_master_key(MasterKey::new([9; 32]), NOW).await.unwrap(), 2);
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
    world.store.save_certificate(world.tenant, cnpj(), certificate("Titular Visível"), &by(), NOW).await.unwrap();
    let Place::Folder(folder) = &*world.place else { panic!("not a folder") };
    let mut disk = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        disk.extend(std::fs::read(file.unwrap().path()).unwrap());
    }
    // The search works: it finds a text that is not secret.
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
