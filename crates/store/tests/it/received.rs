//! Received documents: a cursor that goes back only from an unknown number, documents that are never stored twice,
//! queries that are counted.

use crate::hand::Hand;
use crate::world::{CNPJ, NOW, World, cancelled, on_both};
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, CnpjCpf, Codigo, TpAmb};
use serde_json::json;
use store::Error;
use store::Visibility;
use store::audit::Actor;
use store::events::NewEvent;
use store::jobs::{EventAct, EventOutcome, Lease, NewAct, NewJob, Operacao, RegisteredEvent};
use store::notes::{ListWindow, Period};
use store::received::{
    Cursor, DistributionKey, DocZip, DocumentContent, DocumentFacts, EventFacts, NewDocuments, Papel, Parte,
    ReceivedFilter, ServiceFacts, Situacao, TransportFacts, TypeFacts, WalkClaim, WalkLease, WalkOutcome, WalkTerms,
};
use store::webhooks::Evento;

pub(crate) const CHAVE: &str = "35261199999999000191550010000000011847362510";
pub(crate) const OTHER: &str = "35261199999999000191550010000000021847362510";
const CTE: &str = "35261199999999000191570010000000011847362510";
pub(crate) const NFSE: &str = "35503082299999999000191000000000001726111234567890";
const PAGE: ListWindow = ListWindow { limit: 20, skip: 0 };

pub(crate) fn owner(world: &World) -> DistributionKey {
    DistributionKey {
        tenant: world.tenant,
        cpf_cnpj: CnpjCpf::parse(CNPJ).unwrap(),
        ambiente: TpAmb::Homologacao,
        tipo: Tipo::Nfe,
    }
}

fn of_transport(world: &World) -> DistributionKey {
    DistributionKey { tipo: Tipo::Cte, ..owner(world) }
}

pub(crate) fn claim(now: i64) -> WalkTerms {
    WalkTerms { now, lease_until: now + 100, if_lost: now + 3_660 }
}

pub(crate) fn note(chave: &str, completa: bool) -> DocumentFacts {
    DocumentFacts {
        chave: chave.to_owned(),
        emitente: "99999999000191".to_owned(),
        nome: "FORNECEDORA".to_owned(),
        ie: None,
        destinatario: completa.then(|| CNPJ.to_owned()),
        dhEmi: "2026-11-20T10:00:00-03:00".to_owned(),
        emitida_em: NOW,
        valor: Some("100.00".to_owned()),
        dhRecbto: Some("2026-11-20T10:00:03-03:00".to_owned()),
        nProt: Some("135260000000001".to_owned()),
        situacao: Situacao::Autorizada,
        completa,
        type_facts: TypeFacts::Goods { tpNF: "1".to_owned() },
    }
}

/// A transport paid by `tomador`, in which the company has another role.
fn transport(tomador: &str, transport: TransportFacts) -> DocumentFacts {
    let own = TransportFacts {
        modal: "01".to_owned(),
        tpServ: "0".to_owned(),
        tpCTe: "0".to_owned(),
        tomador: Some(tomador.to_owned()),
        ..transport
    };
    DocumentFacts { destinatario: None, type_facts: TypeFacts::Transport(own), ..note(CTE, true) }
}

pub(crate) fn of_services(world: &World) -> DistributionKey {
    DistributionKey { tipo: Tipo::Nfse, ..owner(world) }
}

/// An NFS-e of November, unless it names another month.
pub(crate) fn services(chave: &str, services: ServiceFacts) -> DocumentFacts {
    let competencia =
        if services.competencia.is_empty() { "2026-11-20".to_owned() } else { services.competencia.clone() };
    let own = ServiceFacts {
        numero: "17".to_owned(),
        competencia,
        municipio: "3550308".to_owned(),
        servico: "010101".to_owned(),
        descricao: "Desenvolvimento".to_owned(),
        valor_liquido: Some("950.00".to_owned()),
        ..services
    };
    DocumentFacts { destinatario: None, nProt: None, type_facts: TypeFacts::Services(own), ..note(chave, true) }
}

pub(crate) fn document(nsu: u64, about: DocumentContent) -> DocZip {
    DocZip { nsu: Some(nsu), schema: "x.xsd".to_owned(), content: format!("<x n=\"{nsu}\"/>"), content_facts: about }
}

fn summary(nsu: u64, chave: &str) -> DocZip {
    document(nsu, DocumentContent::Document(note(chave, false)))
}

fn event(nsu: u64, chave: &str, tpEvento: &str) -> DocZip {
    let facts = EventFacts {
        chave: chave.to_owned(),
        tpEvento: tpEvento.to_owned(),
        nSeqEvento: 1,
        dhEvento: "2026-11-20T11:00:00-03:00".to_owned(),
        autor: Some("99999999000191".to_owned()),
        descricao: Some("Cancelamento".to_owned()),
        motivo: Some("Erro na emissão".to_owned()),
        dhRegEvento: Some("2026-11-20T11:00:02-03:00".to_owned()),
        substituta: None,
        nProt: None,
        completo: true,
        cancela: matches!(tpEvento, "110111" | "305101"),
    };
    document(nsu, DocumentContent::Event(facts))
}

pub(crate) fn outcome(documents: Vec<DocZip>, ult_nsu: u64, next_at: i64) -> WalkOutcome {
    let said = (Some(Codigo::from(138)), "Documento localizado".to_owned());
    WalkOutcome {
        documents,
        ult_nsu: Some(ult_nsu),
        max_nsu: Some(ult_nsu),
        next_at,
        answer: said,
        ..WalkOutcome::default()
    }
}

pub(crate) async fn taken(world: &World, now: i64) -> (WalkLease, Cursor) {
    match world.store.claim_walk(owner(world), claim(now)).await.unwrap() {
        WalkClaim::Claimed(lease, cursor) => (lease, cursor),
        other => panic!("{other:?}"),
    }
}

async fn listed(world: &World, filter: ReceivedFilter) -> Vec<store::received::ReceivedDocument> {
    let (found, total) = world.store.received_documents(Visibility::whole(world.tenant), filter, PAGE).await.unwrap();
    assert_eq!(found.len() as u64, total);
    found
}

/// A document fetched by its key.
fn by_key() -> DocZip {
    DocZip { nsu: None, ..document(0, DocumentContent::Document(note(CHAVE, true))) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_asked_for_by_its_key_finds_the_cancellation_that_a_walk_brings_at_once() {
    let world = World::postgres().await;
    let (lease, _) = taken(&world, NOW).await;
    // The walk writes its cursor last.
    let hand = Hand::of(&world, "SELECT 1 FROM distribution FOR UPDATE").await;
    let (store, found) = (world.store.clone(), outcome(vec![event(1, CHAVE, "110111")], 1, NOW));
    let walking = tokio::spawn(async move { store.record_walk(lease, found, NOW).await.unwrap() });
    hand.until_waiting(1, &walking).await;
    let (store, owner) = (world.store.clone(), owner(&world));
    let keeping = tokio::spawn(async move { store.save_received(owner, vec![by_key()], NOW).await.unwrap() });
    hand.until_waiting(2, &keeping).await;
    hand.lets_go().await;
    assert_eq!((walking.await.unwrap().documentos, keeping.await.unwrap().notas), (1, 1));
    assert_eq!(listed(&world, ReceivedFilter::default()).await[0].facts.situacao, Situacao::Cancelada);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_asked_for_by_its_key_twice_at_once_is_kept_once() {
    let world = World::postgres().await;
    let owner = owner(&world);
    world.store.save_received(owner, vec![summary(1, CHAVE)], NOW).await.unwrap();
    // The summary of the note is locked by another transaction, so both wait for it.
    let hand = Hand::of(&world, "SELECT 1 FROM received_notes FOR UPDATE").await;
    let keeping = [world.store.clone(), world.open_again().await].map(|store| {
        tokio::spawn(async move { store.save_received(owner, vec![by_key()], NOW).await.unwrap().documentos })
    });
    let [one, other] = keeping;
    hand.until_waiting(2, &other).await;
    hand.takes_back().await;
    assert_eq!(one.await.unwrap() + other.await.unwrap(), 1);
}

/// A job of ours that registers a manifestation of the note, and its outcome.
async fn manifesting(world: &World) -> (Lease, EventOutcome) {
    let chave = Chave::parse(CHAVE).unwrap();
    let event = NewEvent { chave, tpEvento: "210200".to_owned(), most: 1 };
    let job = NewJob { operacao: Operacao::Manifestacao, act: Some(NewAct::Event(event)), cota: None, ..world.job() };
    world.register(job).await;
    let lease = world.claim(1).await.pop().unwrap().lease;
    let outcome = cancelled(chave);
    let registered = outcome.registered.map(|event| RegisteredEvent {
        act: EventAct { tpEvento: "210200".to_owned(), ..event.act },
        cancels: false,
        ..event
    });
    (lease, EventOutcome { registered, evento: Evento::EventoRegistrado, ..outcome })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_that_arrives_as_something_is_said_of_it_shows_what_was_said() {
    let world = World::postgres().await;
    let (lease, said) = manifesting(&world).await;
    let (walk, _) = taken(&world, NOW).await;
    // The walk writes its cursor last.
    let hand = Hand::of(&world, "SELECT 1 FROM distribution FOR UPDATE").await;
    let (store, found) = (world.store.clone(), outcome(vec![summary(1, CHAVE)], 1, NOW));
    let walking = tokio::spawn(async move { store.record_walk(walk, found, NOW).await.unwrap() });
    hand.until_waiting(1, &walking).await;
    let store = world.store.clone();
    let saying = tokio::spawn(async move { store.settle_event(lease, said, NOW, Vec::new()).await.unwrap() });
    hand.until_waiting(2, &saying).await;
    hand.lets_go().await;
    assert_eq!(walking.await.unwrap().notas, 1);
    saying.await.unwrap();
    let manifestacao = listed(&world, ReceivedFilter::default()).await.remove(0).manifestacao;
    assert_eq!(manifestacao.map(|(word, _)| word).as_deref(), Some("confirmacao"));
}

on_both! {
    async fn a_walk_is_taken_once_and_not_before_its_time(world) {
        let (lease, cursor) = taken(&world, NOW).await;
        assert_eq!(cursor, Cursor::default());
        // State if this process dies now.
        assert!(matches!(world.store.claim_walk(owner(&world), claim(NOW + 101)).await.unwrap(), WalkClaim::NotBefore(at) if at == NOW + 3_660));
        assert!(matches!(world.store.claim_walk(owner(&world), claim(NOW + 1)).await.unwrap(), WalkClaim::Busy));
        world.store.record_walk(lease, outcome(vec![summary(1, CHAVE)], 1, NOW + 50), NOW).await.unwrap();
        assert!(matches!(world.store.claim_walk(owner(&world), claim(NOW + 49)).await.unwrap(), WalkClaim::NotBefore(at) if at == NOW + 50));
        let (_, cursor) = taken(&world, NOW + 50).await;
        assert_eq!((cursor.ult_nsu, cursor.max_nsu, cursor.said), (1, 1, Some((Some(Codigo::from(138)), "Documento localizado".to_owned()))));
    }

    async fn an_answer_written_twice_changes_nothing(world) {
        let (lease, _) = taken(&world, NOW).await;
        let documents = vec![summary(1, CHAVE), summary(2, OTHER), document(3, DocumentContent::Unknown)];
        let kept = world.store.record_walk(lease, outcome(documents.clone(), 3, NOW), NOW).await.unwrap();
        assert_eq!(kept, NewDocuments { documentos: 3, notas: 2 });
        let (lease, _) = taken(&world, NOW).await;
        let again = world.store.record_walk(lease, outcome(documents, 2, NOW), NOW + 1).await.unwrap();
        assert_eq!(again, NewDocuments::default());
        assert_eq!(world.store.distribution(owner(&world)).await.unwrap().ult_nsu, 3, "the cursor never goes back");
        assert_eq!(listed(&world, ReceivedFilter::default()).await.len(), 2);
    }

    async fn documents_are_kept_even_when_the_lease_was_lost(world) {
        let (slow, _) = taken(&world, NOW).await;
        let late = NOW + 4_000;
        let (quick, _) = taken(&world, late).await;
        let kept = world.store.record_walk(slow, outcome(vec![summary(1, CHAVE)], 1, NOW), late).await.unwrap();
        assert_eq!(kept.notas, 1);
        // The other process's claim stands.
        assert!(matches!(world.store.claim_walk(owner(&world), claim(late + 1)).await.unwrap(), WalkClaim::Busy));
        assert!(matches!(world.store.renew_walk(slow, claim(late)).await, Err(Error::LeaseLost)));
        world.store.renew_walk(quick, claim(late)).await.unwrap();
    }

    async fn a_whole_note_takes_the_place_of_its_summary_and_never_the_other_way(world) {
        let (lease, _) = taken(&world, NOW).await;
        let whole = document(2, DocumentContent::Document(note(CHAVE, true)));
        let documents = vec![summary(1, CHAVE), whole, summary(3, CHAVE)];
        assert_eq!(world.store.record_walk(lease, outcome(documents, 3, NOW), NOW).await.unwrap(), NewDocuments { documentos: 3, notas: 1 });
        let found = listed(&world, ReceivedFilter::default()).await;
        assert_eq!((found[0].facts.completa, found[0].facts.destinatario.as_deref()), (true, Some(CNPJ)));
        let (xml, whole) = world.store.received_xml(Visibility::whole(world.tenant), Tipo::Nfe, CHAVE.to_owned(), None).await.unwrap();
        assert_eq!((xml.as_str(), whole), ("<x n=\"2\"/>", true));
    }

    async fn a_cancellation_counts_whether_it_comes_before_its_note_or_after(world) {
        let (lease, _) = taken(&world, NOW).await;
        let documents = vec![event(1, CHAVE, "110111"), summary(2, CHAVE), summary(3, OTHER), event(4, OTHER, "110110")];
        world.store.record_walk(lease, outcome(documents, 4, NOW), NOW).await.unwrap();
        let situacao = async |chave: &str| {
            let found = world.store.received_document(Visibility::whole(world.tenant), Tipo::Nfe, chave.to_owned(), None).await.unwrap();
            (found.note.facts.situacao, found.events.len())
        };
        assert_eq!(situacao(CHAVE).await, (Situacao::Cancelada, 1));
        assert_eq!(situacao(OTHER).await, (Situacao::Autorizada, 1));
        let (lease, _) = taken(&world, NOW).await;
        world.store.record_walk(lease, outcome(vec![event(5, OTHER, "110111")], 5, NOW), NOW).await.unwrap();
        assert_eq!(situacao(OTHER).await, (Situacao::Cancelada, 2));
    }

    async fn lists_are_filtered_and_belong_to_their_tenant(world) {
        let (lease, _) = taken(&world, NOW).await;
        let whole = document(2, DocumentContent::Document(DocumentFacts { emitida_em: NOW + 86_400, ..note(OTHER, true) }));
        world.store.record_walk(lease, outcome(vec![summary(1, CHAVE), whole], 2, NOW), NOW).await.unwrap();
        let only = async |filter: ReceivedFilter| {
            let found = listed(&world, filter).await;
            found.into_iter().map(|note| note.facts.chave).collect::<Vec<_>>()
        };
        let none = ReceivedFilter::default;
        assert_eq!(only(none()).await, [OTHER, CHAVE]);
        assert_eq!(only(ReceivedFilter { completa: Some(true), ..none() }).await, [OTHER]);
        assert_eq!(only(ReceivedFilter { manifestacao: Some(None), ..none() }).await, [OTHER, CHAVE]);
        assert!(only(ReceivedFilter { manifestacao: Some(Some("ciencia".to_owned())), ..none() }).await.is_empty());
        assert!(only(ReceivedFilter { situacao: Some(Situacao::Denegada), ..none() }).await.is_empty());
        let day = Period { from: Some(NOW), until: Some(NOW + 86_400) };
        assert_eq!(only(ReceivedFilter { periodo: day, ..none() }).await, [CHAVE]);
        let issuer = CnpjCpf::parse(CNPJ).unwrap();
        assert!(only(ReceivedFilter { emitente: Some(issuer), ..none() }).await.is_empty());
        assert_eq!(only(ReceivedFilter { cpf_cnpj: Some(issuer), ..none() }).await.len(), 2);
        let stranger = uuid::Uuid::now_v7();
        let (found, total) = world.store.received_documents(Visibility::whole(stranger), none(), PAGE).await.unwrap();
        assert_eq!((found.len(), total), (0, 0));
        let absent = world.store.received_document(Visibility::whole(stranger), Tipo::Nfe, CHAVE.to_owned(), None).await;
        assert!(matches!(absent, Err(Error::NotFound)));
        assert!(matches!(world.store.received_xml(Visibility::whole(stranger), Tipo::Nfe, CHAVE.to_owned(), None).await, Err(Error::NotFound)));
    }

    async fn a_number_that_the_authority_does_not_know_leads_back_to_what_is_stored_and_then_to_the_beginning(world) {
        let refused = |asked, next_at| WalkOutcome {
            unknown_nsu: Some(asked),
            next_at,
            answer: (Some(Codigo::from(589)), "NSU superior".to_owned()),
            ..WalkOutcome::default()
        };
        let (lease, _) = taken(&world, NOW).await;
        // The authority counts far beyond the documents it distributes.
        world.store.record_walk(lease, outcome(vec![summary(7, CHAVE)], 1_000_000, NOW + 10), NOW).await.unwrap();
        let (lease, cursor) = taken(&world, NOW + 10).await;
        assert_eq!((cursor.ult_nsu, cursor.reset), (1_000_000, None));
        world.store.record_walk(lease, refused(1_000_000, NOW + 20), NOW + 10).await.unwrap();
        let (lease, cursor) = taken(&world, NOW + 20).await;
        assert_eq!((cursor.ult_nsu, cursor.max_nsu, cursor.reset), (7, 7, Some((1_000_000, NOW + 10))));
        let resets = world.store.walk_resets(world.tenant, TpAmb::Homologacao).await.unwrap();
        assert_eq!(resets.iter().map(|one| (one.tipo, one.de, one.para, one.em)).collect::<Vec<_>>(), [(Tipo::Nfe, 1_000_000, 7, NOW + 10)]);
        // A query from before another one moved the walk moves it no more.
        world.store.record_walk(lease, refused(1_000_000, NOW + 30), NOW + 20).await.unwrap();
        let (lease, cursor) = taken(&world, NOW + 30).await;
        assert_eq!(cursor.ult_nsu, 7);
        world.store.record_walk(lease, refused(7, NOW + 40), NOW + 30).await.unwrap();
        let (lease, cursor) = taken(&world, NOW + 40).await;
        assert_eq!((cursor.ult_nsu, cursor.reset), (0, Some((1_000_000, NOW + 30))), "the authority counts anew");
        // An outage is no answer.
        let silence = WalkOutcome { next_at: NOW + 50, answer: (None, "sem resposta".to_owned()), ..WalkOutcome::default() };
        world.store.record_walk(lease, silence, NOW + 40).await.unwrap();
        let (lease, cursor) = taken(&world, NOW + 50).await;
        assert!(cursor.reset.is_some());
        world.store.record_walk(lease, outcome(vec![summary(7, CHAVE)], 7, NOW + 60), NOW + 50).await.unwrap();
        let cursor = world.store.distribution(owner(&world)).await.unwrap();
        assert_eq!((cursor.ult_nsu, cursor.reset), (7, None));
        assert!(world.store.walk_resets(world.tenant, TpAmb::Homologacao).await.unwrap().is_empty());
        assert_eq!(listed(&world, ReceivedFilter::default()).await.len(), 1, "the same note, once");
    }

    async fn an_authority_that_counts_anew_loses_and_doubles_nothing(world) {
        let keep = async |documents| world.store.save_received(owner(&world), documents, NOW).await.unwrap();
        let renumbered = |nsu, document: DocZip| DocZip { nsu: Some(nsu), ..document };
        keep(vec![summary(1, CHAVE), event(2, CHAVE, "110111"), document(3, DocumentContent::Unknown)]).await;
        let known = vec![renumbered(9, summary(1, CHAVE)), renumbered(8, event(2, CHAVE, "110111"))];
        assert_eq!(keep(known).await, NewDocuments::default(), "known documents under other numbers");
        let others = vec![renumbered(2, summary(6, OTHER)), renumbered(1, event(5, CHAVE, "110110")), renumbered(3, document(4, DocumentContent::Unknown))];
        assert_eq!(keep(others.clone()).await, NewDocuments { documentos: 3, notas: 1 }, "others under known numbers");
        assert_eq!(keep(others).await, NewDocuments::default());
        let found = listed(&world, ReceivedFilter::default()).await;
        assert_eq!(found.iter().map(|one| one.facts.chave.as_str()).collect::<Vec<_>>(), [OTHER, CHAVE]);
        let found = world.store.received_document(Visibility::whole(world.tenant), Tipo::Nfe, CHAVE.to_owned(), None).await.unwrap();
        assert_eq!(found.events.len(), 2, "{:?}", found.events);
    }

    async fn twenty_questions_about_one_document_an_hour_whoever_asks(world) {
        let restarted = world.open_again().await;
        for turn in 0..20 {
            let store = if turn % 2 == 0 { &world.store } else { &restarted };
            assert_eq!(store.count_single_query(owner(&world), NOW + turn).await.unwrap(), None);
        }
        assert_eq!(restarted.count_single_query(owner(&world), NOW + 30).await.unwrap(), Some(NOW + 3_600));
        assert_eq!(world.store.count_single_query(owner(&world), NOW + 3_600).await.unwrap(), None);
        assert_eq!(world.store.count_single_query(owner(&world), NOW + 3_600).await.unwrap(), Some(NOW + 3_601));
        world.store.block_distribution(owner(&world), NOW + 9_000).await.unwrap();
        assert_eq!(world.store.count_single_query(owner(&world), NOW + 8_000).await.unwrap(), Some(NOW + 9_000));
        assert!(matches!(world.store.claim_walk(owner(&world), claim(NOW + 8_000)).await.unwrap(), WalkClaim::NotBefore(at) if at == NOW + 9_000));
    }

    async fn a_document_that_came_by_its_key_is_kept_once(world) {
        let by_key = DocZip { nsu: None, ..summary(0, CHAVE) };
        let keep = async |documents| world.store.save_received(owner(&world), documents, NOW).await.unwrap();
        assert_eq!(keep(vec![by_key.clone()]).await, NewDocuments { documentos: 1, notas: 1 });
        assert_eq!(keep(vec![by_key]).await, NewDocuments::default());
        let whole = DocZip { nsu: None, ..document(0, DocumentContent::Document(note(CHAVE, true))) };
        assert_eq!(keep(vec![whole]).await, NewDocuments { documentos: 1, notas: 0 });
    }

    async fn what_is_walked_in_the_background_is_switched_and_ends_with_the_company(world) {
        let (company, by) = (owner(&world), Actor::operator());
        let absent = world.store.switch_distribution(company, true, &by, NOW).await;
        assert!(matches!(absent, Err(Error::NotFound)));
        world.store.create_company(world.tenant, company.cpf_cnpj, json!({}), &by, NOW).await.unwrap();
        assert!(world.store.claim_due_walk(claim(NOW)).await.unwrap().is_none());
        assert!(world.store.switch_distribution(company, true, &by, NOW).await.unwrap().ativa);
        let (lease, _) = world.store.claim_due_walk(claim(NOW)).await.unwrap().unwrap();
        assert!(world.store.claim_due_walk(claim(NOW)).await.unwrap().is_none(), "one process at a time");
        world.store.record_walk(lease, outcome(Vec::new(), 0, NOW + 10), NOW).await.unwrap();
        assert!(world.store.claim_due_walk(claim(NOW + 9)).await.unwrap().is_none());
        assert!(world.store.claim_due_walk(claim(NOW + 10)).await.unwrap().is_some());
        world.store.remove_company(world.tenant, company.cpf_cnpj, &by, NOW, Vec::new()).await.unwrap();
        assert!(world.store.claim_due_walk(claim(NOW + 99_999)).await.unwrap().is_none());
    }

    async fn only_one_of_many_takes_a_due_walk(world) {
        let (company, by) = (owner(&world), Actor::operator());
        world.store.create_company(world.tenant, company.cpf_cnpj, json!({}), &by, NOW).await.unwrap();
        world.store.switch_distribution(company, true, &by, NOW).await.unwrap();
        let takers = (0..8).map(|_| {
            let store = world.store.clone();
            tokio::spawn(async move { store.claim_due_walk(claim(NOW)).await.unwrap().is_some() })
        });
        let takers: Vec<_> = takers.collect();
        let mut taken = 0;
        for taker in takers {
            taken += usize::from(taker.await.unwrap());
        }
        assert_eq!(taken, 1);
    }

    async fn each_type_has_numbers_limits_and_a_walk_of_its_own(world) {
        let (goods, transports) = (owner(&world), of_transport(&world));
        let (lease, _) = taken(&world, NOW).await;
        world.store.record_walk(lease, outcome(vec![summary(1, CHAVE)], 1, NOW + 50), NOW).await.unwrap();
        world.store.block_distribution(goods, NOW + 9_000).await.unwrap();
        // A block of one type does not block the other.
        let WalkClaim::Claimed(lease, cursor) = world.store.claim_walk(transports, claim(NOW)).await.unwrap() else { panic!() };
        assert_eq!(cursor, Cursor::default());
        let facts = transport(CNPJ, TransportFacts::default());
        let same_number = document(1, DocumentContent::Document(facts));
        let kept = world.store.record_walk(lease, outcome(vec![same_number], 1, NOW), NOW).await.unwrap();
        assert_eq!(kept, NewDocuments { documentos: 1, notas: 1 });
        for turn in 0..20 {
            assert_eq!(world.store.count_single_query(transports, NOW + turn).await.unwrap(), None);
        }
        assert_eq!(world.store.count_single_query(transports, NOW + 30).await.unwrap(), Some(NOW + 3_600));
        assert_eq!(world.store.distribution(transports).await.unwrap().blocked_until, 0);
        let by_type = async |tipo| {
            let found = listed(&world, ReceivedFilter { tipo, ..ReceivedFilter::default() }).await;
            found.into_iter().map(|one| one.facts.chave).collect::<Vec<_>>()
        };
        assert_eq!(by_type(None).await, [CTE, CHAVE]);
        assert_eq!((by_type(Some(Tipo::Nfe)).await, by_type(Some(Tipo::Cte)).await), (vec![CHAVE.to_owned()], vec![CTE.to_owned()]));
        let other = world.store.received_document(Visibility::whole(world.tenant), Tipo::Nfe, CTE.to_owned(), None).await;
        assert!(matches!(other, Err(Error::NotFound)));
        let other = world.store.received_xml(Visibility::whole(world.tenant), Tipo::Nfe, CTE.to_owned(), None).await;
        assert!(matches!(other, Err(Error::NotFound)));
        let (xml, whole) = world.store.received_xml(Visibility::whole(world.tenant), Tipo::Cte, CTE.to_owned(), None).await.unwrap();
        assert_eq!((xml.as_str(), whole), ("<x n=\"1\"/>", true));
    }

    async fn a_transport_is_found_by_the_role_of_the_company(world) {
        let other = "99999999000191";
        let WalkClaim::Claimed(lease, _) = world.store.claim_walk(of_transport(&world), claim(NOW)).await.unwrap() else { panic!() };
        let key = |last: &str| format!("{}{last}", &CTE[..43]);
        let pays = DocumentFacts { chave: key("0"), ..transport(CNPJ, TransportFacts { remetente: Some(CNPJ.to_owned()), ..TransportFacts::default() }) };
        let takes = DocumentFacts { chave: key("1"), ..transport(other, TransportFacts { recebedor: Some(CNPJ.to_owned()), ..TransportFacts::default() }) };
        let is_sent_to = DocumentFacts { chave: key("2"), destinatario: Some(CNPJ.to_owned()), ..transport(other, TransportFacts::default()) };
        let sees = DocumentFacts { chave: key("3"), valor: None, ..transport(other, TransportFacts { expedidor: Some(other.to_owned()), ..TransportFacts::default() }) };
        let all = [pays, takes, is_sent_to, sees.clone()];
        let documents = all.iter().zip(1..).map(|(facts, nsu)| document(nsu, DocumentContent::Document(facts.clone()))).collect();
        world.store.record_walk(lease, outcome(documents, 4, NOW), NOW).await.unwrap();
        let by = async |papel| {
            let found = listed(&world, ReceivedFilter { papel: Some(papel), ..ReceivedFilter::default() }).await;
            assert!(found.iter().all(|one| Papel::of(&one.cpf_cnpj, &one.facts).contains(&papel)), "{papel:?}");
            found.into_iter().map(|one| one.facts.chave[43..].to_owned()).collect::<Vec<_>>()
        };
        let mut found = Vec::new();
        for papel in Papel::ALL {
            found.push((papel.word(), by(papel).await.join("")));
        }
        let expected = [("remetente", "0"), ("expedidor", ""), ("recebedor", "1"), ("destinatario", "2"), ("tomador", "0"), ("autorizado", "3")];
        assert_eq!(found, expected.map(|(word, keys)| (word, keys.to_owned())));
        // No known fact is lost.
        let kept = world.store.received_document(Visibility::whole(world.tenant), Tipo::Cte, key("3"), None).await.unwrap();
        assert_eq!(kept.note.facts, sees);
    }

    async fn a_note_of_services_is_found_by_the_part_of_the_company_and_ends_by_its_event(world) {
        let WalkClaim::Claimed(lease, _) = world.store.claim_walk(of_services(&world), claim(NOW)).await.unwrap() else { panic!() };
        let key = |last: &str| format!("{}{last}", &NFSE[..49]);
        let other = || Some("99999999000191".to_owned());
        let own = || Some(CNPJ.to_owned());
        let renders = services(&key("0"), ServiceFacts { prestador: own(), tomador: other(), ..ServiceFacts::default() });
        let takes = services(&key("1"), ServiceFacts { prestador: other(), tomador: own(), ..ServiceFacts::default() });
        let between = services(&key("2"), ServiceFacts { prestador: other(), intermediario: own(), competencia: "2026-10-31".to_owned(), ..ServiceFacts::default() });
        let all = [renders, takes.clone(), between];
        let mut documents: Vec<_> = all.iter().zip(2..).map(|(facts, nsu)| document(nsu, DocumentContent::Document(facts.clone()))).collect();
        // The cancellation may arrive before its note.
        documents.insert(0, event(1, &key("1"), "305101"));
        let answered = WalkOutcome { answer: (Codigo::parse("E2215").ok(), "Nenhum documento".to_owned()), ..outcome(documents, 4, NOW) };
        assert_eq!(world.store.record_walk(lease, answered, NOW).await.unwrap(), NewDocuments { documentos: 4, notas: 3 });
        let cursor = world.store.distribution(of_services(&world)).await.unwrap();
        assert_eq!(cursor.said, Some((Codigo::parse("E2215").ok(), "Nenhum documento".to_owned())));
        let found = async |filter: ReceivedFilter| {
            let found = listed(&world, ReceivedFilter { tipo: Some(Tipo::Nfse), ..filter }).await;
            found.into_iter().map(|one| one.facts.chave[49..].to_owned()).collect::<String>()
        };
        for (parte, keys) in Parte::ALL.into_iter().zip(["0", "1", "2"]) {
            let by = ReceivedFilter { parte: Some(parte), ..ReceivedFilter::default() };
            assert_eq!(found(by.clone()).await, keys, "{parte:?}");
            assert!(listed(&world, by).await.iter().all(|one| Parte::of(&one.cpf_cnpj, &one.facts) == [parte]));
        }
        let prestador = CnpjCpf::parse("99999999000191").ok();
        assert_eq!(found(ReceivedFilter { prestador, ..ReceivedFilter::default() }).await, "21");
        assert_eq!(found(ReceivedFilter { competencia: Some("2026-10".to_owned()), ..ReceivedFilter::default() }).await, "2");
        assert_eq!(found(ReceivedFilter { situacao: Some(Situacao::Cancelada), ..ReceivedFilter::default() }).await, "1");
        let kept = world.store.received_document(Visibility::whole(world.tenant), Tipo::Nfse, key("1"), None).await.unwrap();
        assert_eq!(kept.note.facts, DocumentFacts { situacao: Situacao::Cancelada, ..takes });
        let told = &kept.events[0].facts;
        assert_eq!((told.cancela, told.motivo.as_deref()), (true, Some("Erro na emissão")));
    }

    async fn a_question_without_an_answer_leaves_no_code(world) {
        let (lease, _) = taken(&world, NOW).await;
        let lost = WalkOutcome { answer: (None, "sem resposta".to_owned()), next_at: NOW + 60, ..WalkOutcome::default() };
        world.store.record_walk(lease, lost, NOW).await.unwrap();
        assert_eq!(world.store.distribution(owner(&world)).await.unwrap().said, Some((None, "sem resposta".to_owned())));
    }
}
