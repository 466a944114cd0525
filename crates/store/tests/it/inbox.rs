//! The inbox of received documents: its pages, searches and counts, and what is new to a user.

use crate::received::{NFSE, claim, document, note, of_services, outcome, owner, services, taken};
use crate::world::{CNPJ, NOW, OTHER_CNPJ, World, on_both};
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use store::Visibility;
use store::emissions::PageCursor;
use store::notes::Period;
use store::received::{
    DocumentContent, DocumentFacts, InboxFilter, InboxPage, ReceivedFilter, ServiceFacts, Situacao, WalkClaim,
};
use uuid::Uuid;

const DAY: i64 = 86_400;

fn key(last: u8) -> String {
    format!("352611999999990001915500100000000118473625{last:02}")
}

/// Stores notes in this order.
async fn receive(world: &World, notes: Vec<DocumentFacts>) {
    let (lease, cursor) = taken(world, NOW).await;
    let from = cursor.ult_nsu;
    let last = from + notes.len() as u64;
    let documents =
        notes.into_iter().zip(from + 1..).map(|(facts, nsu)| document(nsu, DocumentContent::Document(facts)));
    world.store.record_walk(lease, outcome(documents.collect(), last, NOW), NOW).await.unwrap();
}

async fn page(world: &World, filter: InboxFilter, cursor: PageCursor, limit: u32) -> InboxPage {
    let sight = Visibility::whole(world.tenant);
    world.store.received_inbox(sight, TpAmb::Homologacao, filter, cursor, limit).await.unwrap()
}

fn keys(page: &InboxPage) -> Vec<String> {
    page.entries.iter().map(|entry| entry.document.facts.chave.clone()).collect()
}

/// Keys that a filter finds; the count is the same.
async fn found(world: &World, filter: InboxFilter) -> Vec<String> {
    let found = keys(&page(world, filter.clone(), PageCursor::Newest, 50).await);
    let sight = Visibility::whole(world.tenant);
    let count = world.store.count_received_inbox(sight, TpAmb::Homologacao, filter).await.unwrap();
    assert_eq!((count.n, count.or_more), (found.len() as u64, false));
    found
}

fn of(of_document: ReceivedFilter) -> InboxFilter {
    InboxFilter { of_document, ..InboxFilter::default() }
}

on_both! {
    async fn pages_follow_the_order_of_receipt_in_both_directions(world) {
        receive(&world, (0..7).map(|last| note(&key(last), false)).collect()).await;
        let newest: Vec<String> = (0..7).rev().map(key).collect();
        let all = InboxFilter::default;
        let first = page(&world, all(), PageCursor::Newest, 3).await;
        assert_eq!((keys(&first).as_slice(), first.has_newer, first.has_older), (&newest[..3], false, true));
        let older = PageCursor::OlderThan(first.entries[2].id);
        let second = page(&world, all(), older, 3).await;
        assert_eq!((keys(&second).as_slice(), second.has_newer, second.has_older), (&newest[3..6], true, true));
        let last = page(&world, all(), PageCursor::OlderThan(second.entries[2].id), 3).await;
        assert_eq!((keys(&last).as_slice(), last.has_newer, last.has_older), (&newest[6..], true, false));
        let back = page(&world, all(), PageCursor::NewerThan(last.entries[0].id), 3).await;
        assert_eq!((keys(&back).as_slice(), back.has_newer, back.has_older), (&newest[3..6], true, true));
        assert!(first.stopped_at.is_none() && last.stopped_at.is_none());
        // what is of another account, and of another environment
        let stranger = Visibility::whole(Uuid::now_v7());
        let none = world.store.received_inbox(stranger, TpAmb::Homologacao, all(), PageCursor::Newest, 3).await.unwrap();
        assert!(none.entries.is_empty());
        let sight = Visibility::whole(world.tenant);
        let none = world.store.received_inbox(sight, TpAmb::Producao, all(), PageCursor::Newest, 3).await.unwrap();
        assert!(none.entries.is_empty());
    }

    async fn searches_find_issuers_by_words_of_their_names_and_documents_by_their_values(world) {
        let other = "12345678000195";
        let named = |last, nome: &str, valor: &str| DocumentFacts { nome: nome.to_owned(), valor: Some(valor.to_owned()), ..note(&key(last), false) };
        receive(&world, vec![
            named(0, "Distribuidora São João LTDA", "99.90"),
            named(1, "DISTRIBUIDORA SAO JOAO", "100"),
            DocumentFacts { emitente: other.to_owned(), ..named(2, "Joana Bebidas", "1000.00") },
            DocumentFacts { valor: None, emitente: "11444777000161".to_owned(), ..named(3, "Padaria", "0") },
        ]).await;
        let by_name = |nome: &str| InboxFilter { nome: Some(nome.to_owned()), ..InboxFilter::default() };
        assert_eq!(found(&world, by_name("sao joao")).await, [key(1), key(0)]);
        assert_eq!(found(&world, by_name("joa")).await, [key(2), key(1), key(0)], "of two issuers");
        assert_eq!(found(&world, by_name("BEBID joana")).await, [key(2)]);
        assert!(found(&world, by_name("oao")).await.is_empty() && found(&world, by_name("!!")).await.is_empty());
        let within = |from: Option<&str>, until: Option<&str>| InboxFilter { valor: (from.map(str::to_owned), until.map(str::to_owned)), ..InboxFilter::default() };
        assert_eq!(found(&world, within(Some("99.91"), None)).await, [key(2), key(1)]);
        assert_eq!(found(&world, within(Some("99.91"), Some("100.00"))).await, [key(1)]);
        assert_eq!(found(&world, within(None, Some("100.00"))).await, [key(1), key(0)]);
        let emitente = CnpjCpf::parse(other).ok();
        assert_eq!(found(&world, of(ReceivedFilter { emitente, ..ReceivedFilter::default() })).await, [key(2)]);
        let foreign = CnpjCpf::parse(OTHER_CNPJ).ok();
        assert!(found(&world, of(ReceivedFilter { cpf_cnpj: foreign, ..ReceivedFilter::default() })).await.is_empty());
        let company = CnpjCpf::parse(CNPJ).ok();
        assert_eq!(found(&world, of(ReceivedFilter { cpf_cnpj: company, ..ReceivedFilter::default() })).await.len(), 4);
        let newest = page(&world, InboxFilter::default(), PageCursor::Newest, 50).await.entries[1].id;
        assert_eq!(found(&world, InboxFilter { after: Some(newest), ..InboxFilter::default() }).await, [key(3)]);
    }

    async fn families_stand_in_one_inbox(world) {
        receive(&world, vec![note(&key(0), true)]).await;
        let WalkClaim::Claimed(lease, _) = world.store.claim_walk(of_services(&world), claim(NOW)).await.unwrap() else { panic!() };
        let facts = services(NFSE, ServiceFacts::default());
        let documents = vec![document(1, DocumentContent::Document(facts))];
        world.store.record_walk(lease, outcome(documents, 1, NOW), NOW).await.unwrap();
        assert_eq!(found(&world, InboxFilter::default()).await, [NFSE.to_owned(), key(0)]);
        assert_eq!(found(&world, of(ReceivedFilter { tipo: Some(Tipo::Nfse), ..ReceivedFilter::default() })).await, [NFSE]);
    }

    async fn an_open_manifestation_is_found_by_its_authorisation(world) {
        let at = |last, dhRecbto: &str| DocumentFacts { dhRecbto: Some(dhRecbto.to_owned()), ..note(&key(last), false) };
        let (other, cancelled) = (at(2, "2026-11-20T10:00:00-03:00"), at(3, "2026-11-20T10:00:00-03:00"));
        receive(&world, vec![
            at(0, "2026-11-20T10:00:00-03:00"),
            at(1, "2026-11-10T10:00:00-04:00"),
            DocumentFacts { destinatario: Some("99999999000191".to_owned()), completa: true, ..other },
            DocumentFacts { situacao: Situacao::Cancelada, ..cancelled },
        ]).await;
        let ten = "2026-11-20T13:00:00Z".parse::<jiff::Timestamp>().unwrap().as_second();
        let open = |from: i64, until: i64| InboxFilter { open: Some(Period { from: Some(from), until: Some(until) }), ..InboxFilter::default() };
        assert_eq!(found(&world, open(ten, ten + 1)).await, [key(0)], "neither another's nor a cancelled one");
        assert_eq!(found(&world, open(ten - 10 * DAY + 3_600, ten)).await, [key(1)]);
        assert!(found(&world, open(ten + 1, ten + DAY)).await.is_empty());
    }

    async fn what_arrives_after_a_visit_is_new_in_the_next_one(world) {
        let (user, sight, ambiente) = (Uuid::now_v7(), Visibility::whole(world.tenant), TpAmb::Homologacao);
        let visit = async |user, now| world.store.visit_inbox(sight, user, ambiente, now).await.unwrap();
        receive(&world, vec![note(&key(0), false)]).await;
        assert_eq!(visit(user, NOW).await, None, "all is new at first");
        let first = page(&world, InboxFilter::default(), PageCursor::Newest, 1).await.entries[0].id;
        receive(&world, vec![note(&key(1), false)]).await;
        // the same visit goes on: nothing is lost by looking twice
        assert_eq!((visit(user, NOW + 60).await, visit(user, NOW + 1_800).await), (None, None));
        let second = page(&world, InboxFilter::default(), PageCursor::Newest, 1).await.entries[0].id;
        receive(&world, vec![note(&key(2), false)]).await;
        assert_eq!(visit(user, NOW + 4_000).await, Some(second), "another visit");
        assert!(first < second);
        let new = InboxFilter { after: Some(second), ..InboxFilter::default() };
        assert_eq!(found(&world, new).await, [key(2)]);
        let third = page(&world, InboxFilter::default(), PageCursor::Newest, 1).await.entries[0].id;
        world.store.mark_inbox_seen(sight, user, ambiente).await.unwrap();
        assert_eq!(visit(user, NOW + 4_001).await, Some(third));
        assert_eq!(visit(Uuid::now_v7(), NOW + 4_001).await, None, "of another user");
        let _ = owner(&world);
    }
}
