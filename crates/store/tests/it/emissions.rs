//! Lists of emissions in every state: each in one, page by page, by any filter; and the search by a name.

use crate::world::{CNPJ, NOW, OTHER_CNPJ, World, on_both, outcome, reserve};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, Serie, TpAmb};
use store::Visibility;
use store::emissions::addressees::NewAddressee;
use store::emissions::{BoundedCount, EmissionFilter, EmissionState, PageCursor};
use store::jobs::{Contingencia, JobFailure, NewJob, NumberRequest, SignedDocument};
use store::notes::Period;
use uuid::Uuid;

fn all() -> EmissionFilter {
    EmissionFilter::of(TpAmb::Homologacao)
}

async fn ids(world: &World, filter: EmissionFilter) -> Vec<Uuid> {
    let sight = Visibility::whole(world.tenant);
    let page = world.store.emissions(sight, filter.clone(), PageCursor::Newest, 50).await.unwrap();
    let found: Vec<Uuid> = page.jobs.iter().map(|job| job.id).collect();
    let count = world.store.count_emissions(sight, filter.clone()).await.unwrap();
    assert_eq!(count, BoundedCount { n: found.len() as u64, or_more: false }, "{filter:?}");
    assert_eq!(page.count, Some(count), "{filter:?}");
    let stranger = Visibility::whole(Uuid::now_v7());
    assert!(world.store.emissions(stranger, filter, PageCursor::Newest, 50).await.unwrap().jobs.is_empty());
    found
}

fn to(world: &World, destinatario: &str, nome: &str, valor: &str) -> NewJob {
    NewJob {
        destinatario: Some(destinatario.to_owned()),
        addressee: NewAddressee::named(nome),
        valor: Some(valor.to_owned()),
        ..world.job()
    }
}

/// Registers a job and ends its document in this state.
async fn settled(world: &World, job: NewJob, state: DocumentState) -> Uuid {
    let id = world.register(job).await;
    let lease = world.claim(1).await.pop().unwrap().lease;
    let numero = world.store.reserve(lease, reserve(None), NOW).await.unwrap().numero;
    let signed = SignedDocument { numero, ..crate::world::prepared(crate::world::chave_of(id)) };
    world.store.begin_sending(lease, signed, NOW, Vec::new()).await.unwrap();
    world.store.settle(lease, outcome(state), NOW, Vec::new()).await.unwrap();
    id
}

fn failure() -> JobFailure {
    JobFailure {
        codigo: "certificado_expirado".to_owned(),
        etapa: "assinatura".to_owned(),
        mensagem: "Expirou.".to_owned(),
        repetivel: true,
        proxima_tentativa_em: None,
    }
}

on_both! {
    async fn every_emission_is_in_one_state_and_in_its_list(world) {
        let failed = world.begun().await;
        world.store.fail_job(failed, failure(), Some(DocumentState::Failed), NOW, Vec::new()).await.unwrap();
        let (doubt, _) = world.sending().await;
        world.store.mark_state(doubt, DocumentState::InDoubt, None, NOW, Vec::new()).await.unwrap();
        let offline = Contingencia {
            tipo: "offline".to_owned(),
            autoridade: None,
            desde: "2026-11-20T09:59:00-03:00".to_owned(),
            justificativa: "Sem resposta do autorizador".to_owned(),
            prazo_transmissao: Some(NOW + 86_400),
            protocolo: None,
            registrado_em: None,
            no_lugar_de: None,
            epec_recusado: None,
        };
        let given_out = world.begun().await;
        let request = NumberRequest { tipo_emissao: 9, contingencia: Some(offline), fresh: true, ..reserve(None) };
        world.store.reserve(given_out, request, NOW).await.unwrap();
        let mut expected = vec![
            (EmissionState::Failed, failed.job_id),
            (EmissionState::InDoubt, doubt.job_id),
            (EmissionState::Contingency, given_out.job_id),
        ];
        for (state, decided) in [
            (EmissionState::Authorized, DocumentState::Authorized),
            (EmissionState::Rejected, DocumentState::Rejected),
            (EmissionState::Denied, DocumentState::Denied),
        ] {
            expected.push((state, settled(&world, world.job(), decided).await));
        }
        let withdrawn = world.register(world.job()).await;
        world.store.withdraw(world.tenant, withdrawn, NOW, Vec::new(), None).await.unwrap();
        expected.push((EmissionState::Withdrawn, withdrawn));
        expected.push((EmissionState::Pending, world.register(world.job()).await));
        for (state, id) in &expected {
            assert_eq!(ids(&world, EmissionFilter { state: Some(*state), ..all() }).await, [*id], "{state:?}");
        }
        assert!(ids(&world, EmissionFilter { state: Some(EmissionState::Cancelled), ..all() }).await.is_empty());
        let sight = Visibility::whole(world.tenant);
        let page = world.store.emissions(sight, all(), PageCursor::Newest, 50).await.unwrap();
        let shown: Vec<_> = page.jobs.iter().rev().map(|job| (EmissionState::of(job), job.id)).collect();
        assert_eq!(shown, expected);
        assert!(ids(&world, EmissionFilter::of(TpAmb::Producao)).await.is_empty());
    }

    async fn pages_lead_forth_and_back(world) {
        let mut made = Vec::new();
        for number in 0..25 {
            let tipo = Tipo::ALL[number % 4];
            let cpf_cnpj = [CNPJ, OTHER_CNPJ][number % 2];
            made.push(world.register(NewJob { tipo, ..world.job_of(cpf_cnpj) }).await);
        }
        made.reverse();
        for filter in [
            all(),
            EmissionFilter { state: Some(EmissionState::Pending), ..all() },
            EmissionFilter { emitente: CnpjCpf::parse(CNPJ).ok(), ..all() },
            EmissionFilter { tipo: Some(Tipo::Cte), ..all() },
        ] {
            let whole = ids(&world, filter.clone()).await;
            assert!(whole.len() >= 6 && whole.iter().all(|id| made.contains(id)) && whole.is_sorted_by(|one, other| one > other));
            let sight = Visibility::whole(world.tenant);
            let page = async |cursor| world.store.emissions(sight, filter.clone(), cursor, 5).await.unwrap();
            let (mut walked, mut cursor, mut pages) = (Vec::new(), PageCursor::Newest, Vec::new());
            loop {
                let read = page(cursor).await;
                assert_eq!(read.has_newer, cursor != PageCursor::Newest);
                pages.push(read.jobs.iter().map(|job| job.id).collect::<Vec<_>>());
                walked.extend(read.jobs.iter().map(|job| job.id));
                if !read.has_older {
                    break;
                }
                cursor = PageCursor::OlderThan(*walked.last().unwrap());
            }
            assert_eq!(walked, whole, "{filter:?}");
            for before in (1..pages.len()).rev() {
                let read = page(PageCursor::NewerThan(pages[before][0])).await;
                assert_eq!(read.jobs.iter().map(|job| job.id).collect::<Vec<_>>(), pages[before - 1]);
                assert_eq!((read.has_newer, read.has_older), (before > 1, true));
            }
        }
    }

    async fn each_filter_finds_its_own(world) {
        let one = settled(&world, NewJob { referencia: Some("PED1".to_owned()), ..to(&world, CNPJ, "A", "1.00") }, DocumentState::Authorized).await;
        let two = settled(&world, NewJob { cpf_cnpj: CnpjCpf::parse(CNPJ).unwrap(), ..to(&world, OTHER_CNPJ, "B", "2.00") }, DocumentState::Authorized).await;
        let chave = crate::world::chave_of(two).to_string();
        let number = |text: &str| CnpjCpf::parse(text).ok();
        let at = i64::try_from(one.get_timestamp().unwrap().to_unix().0).unwrap();
        for (filter, found) in [
            (EmissionFilter { referencia: Some("PED1".to_owned()), ..all() }, vec![one]),
            (EmissionFilter { referencia: Some("PED2".to_owned()), ..all() }, vec![]),
            (EmissionFilter { chave: Some(chave.clone()), ..all() }, vec![two]),
            (EmissionFilter { chave: Some(chave), tipo: Some(Tipo::Cte), ..all() }, vec![]),
            (EmissionFilter { numero: Some(2), ..all() }, vec![two]),
            (EmissionFilter { numero: Some(2), destinatario: number(CNPJ), ..all() }, vec![]),
            (EmissionFilter { destinatario: number(CNPJ), ..all() }, vec![one]),
            (EmissionFilter { emitente: number(OTHER_CNPJ), ..all() }, vec![]),
            (EmissionFilter { serie: Serie::parse("1").ok(), ..all() }, vec![two, one]),
            (EmissionFilter { serie: Serie::parse("2").ok(), state: Some(EmissionState::Authorized), ..all() }, vec![]),
            (EmissionFilter { periodo: Period { from: Some(at), until: None }, ..all() }, vec![two, one]),
            (EmissionFilter { periodo: Period { from: None, until: Some(at) }, ..all() }, vec![]),
        ] {
            assert_eq!(ids(&world, filter.clone()).await, found, "{filter:?}");
        }
    }

    async fn a_name_is_found_by_the_beginnings_of_its_words(world) {
        let maria = world.register(to(&world, "52998224725", "Maria José d'Ávila", "1.00")).await;
        let again = world.register(to(&world, "52998224725", "Maria José d'Ávila", "2.00")).await;
        let mario = world.register(to(&world, OTHER_CNPJ, "MÁRIO & FILHOS LTDA", "3.00")).await;
        world.register(world.job()).await;
        let production = NewJob { ambiente: TpAmb::Producao, ..to(&world, CNPJ, "Maria de outro ambiente", "1.00") };
        world.register(production).await;
        for (nome, found) in [
            ("maria", vec![again, maria]),
            ("MARI", vec![mario, again, maria]),
            ("ávila josé", vec![again, maria]),
            ("jose maria silva", vec![]),
            ("filhos", vec![mario]),
            ("aria", vec![]),
            ("%", vec![]),
        ] {
            assert_eq!(ids(&world, EmissionFilter { nome: Some(nome.to_owned()), ..all() }).await, found, "{nome}");
        }
        let narrow = EmissionFilter { nome: Some("mari".to_owned()), destinatario: CnpjCpf::parse(OTHER_CNPJ).ok(), ..all() };
        assert_eq!(ids(&world, narrow).await, [mario]);
    }

    async fn documents_to_several_of_a_name_are_one_list_in_order(world) {
        let mut found = Vec::new();
        for number in 0..45_u32 {
            // one addressee has most of them, more than are read at a time
            let to_whom = if number % 5 == 0 { number % 3 } else { 7 };
            found.push(world.register(to(&world, &format!("{to_whom:011}"), "Comum da Silva", "1.00")).await);
        }
        found.reverse();
        let sight = Visibility::whole(world.tenant);
        let filter = EmissionFilter { nome: Some("comum".to_owned()), ..all() };
        let (mut listed, mut cursor) = (Vec::new(), PageCursor::Newest);
        loop {
            let page = world.store.emissions(sight, filter.clone(), cursor, 7).await.unwrap();
            let Some(last) = page.jobs.last() else { break };
            cursor = PageCursor::OlderThan(last.id);
            assert!(page.has_older || page.jobs.len() < 7);
            listed.extend(page.jobs.iter().map(|job| job.id));
        }
        assert_eq!(listed, found);
        let page = world.store.emissions(sight, filter.clone(), PageCursor::NewerThan(found[30]), 7).await.unwrap();
        assert_eq!(page.jobs.iter().map(|job| job.id).collect::<Vec<_>>(), found[23..30]);
        let none = EmissionFilter { state: Some(EmissionState::Failed), ..filter };
        assert!(ids(&world, none).await.is_empty());
    }

    async fn a_name_that_many_have_is_said_to_be_one(world) {
        let digits = |number: u32| format!("{number:011}");
        for number in 0..205 {
            world.register(to(&world, &digits(number), "Comum da Silva", "1.00")).await;
        }
        let filter = EmissionFilter { nome: Some("comum".to_owned()), ..all() };
        let sight = Visibility::whole(world.tenant);
        let page = world.store.emissions(sight, filter.clone(), PageCursor::Newest, 50).await.unwrap();
        assert!(page.too_many_addressees && page.jobs.len() == 50 && page.has_older);
        assert_eq!(world.store.count_emissions(sight, filter).await.unwrap(), BoundedCount { n: 200, or_more: true });
    }

    async fn a_rejection_is_open_until_the_sale_is_issued_again(world) {
        let open = EmissionFilter { not_reissued: true, ..all() };
        let sale = || to(&world, OTHER_CNPJ, "B", "7.00");
        let one = settled(&world, sale(), DocumentState::Rejected).await;
        let other = settled(&world, NewJob { valor: Some("8.00".to_owned()), ..sale() }, DocumentState::Rejected).await;
        let nobody = settled(&world, NewJob { valor: Some("7.00".to_owned()), ..world.job() }, DocumentState::Rejected).await;
        assert_eq!(ids(&world, open.clone()).await, [nobody, other, one]);
        // refused again: the last one is open
        let again = settled(&world, sale(), DocumentState::Rejected).await;
        assert_eq!(ids(&world, open.clone()).await, [again, nobody, other, one]);
        settled(&world, sale(), DocumentState::Authorized).await;
        assert_eq!(ids(&world, open).await, [nobody, other]);
    }
}
