//! Events that others register on a note: recorded once, one webhook event, and a due analysis is given to one process
//! at a time.

use crate::world::{NOW, World, chave, line, on_both, outcome};
use fiscal::lifecycle::DocumentState;
use store::Visibility;
use store::events::NewEvent;
use store::jobs::{EventAct, ForeignEvent, ForeignEvents, NewAct, NewJob, Operacao, StoredFile};
use store::webhooks::DeliveryFilter;
use uuid::Uuid;

const ASKED: &str = "101103";
const GRANTED: &str = "105104";
const REFUSED: &str = "105105";

/// An authorised note with a webhook URL.
async fn note(world: &World) -> Uuid {
    let job = NewJob { webhook_url: Some("https://exemplo.com.br/aviso".to_owned()), ..world.job() };
    let id = world.register(job).await;
    let lease = world.claim(1).await.pop().unwrap().lease;
    world.store.reserve(lease, crate::world::reserve(None), NOW).await.unwrap();
    world.store.begin_sending(lease, crate::world::prepared(chave(1)), NOW, Vec::new()).await.unwrap();
    world.store.settle(lease, outcome(DocumentState::Authorized), NOW, line("x")).await.unwrap();
    id
}

fn learned(kinds: &[&str], analysis: Option<&'static str>) -> ForeignEvents {
    let event = |kind: &&str| ForeignEvent {
        act: EventAct {
            chave: chave(1),
            tpEvento: (*kind).to_owned(),
            nSeqEvento: 1,
            nProt: Some("7".to_owned()),
            dhRegEvento: Some("2026-11-20T12:00:00-03:00".to_owned()),
        },
        xml: format!("<e{kind}/>"),
        cancels: *kind == GRANTED,
        substituta: None,
    };
    ForeignEvents { chave: chave(1), events: kinds.iter().map(event).collect(), analysis }
}

async fn standing(world: &World, job: Uuid) -> (DocumentState, Option<String>) {
    let document = world.store.job(Visibility::whole(world.tenant), job).await.unwrap().document.unwrap();
    (document.state, document.analise_fiscal)
}

async fn told(world: &World) -> Vec<String> {
    let filter = DeliveryFilter::default();
    let (deliveries, _) = world.store.deliveries(Visibility::whole(world.tenant), filter, 10, 0).await.unwrap();
    deliveries.into_iter().rev().map(|delivery| delivery.evento).collect()
}

on_both! {
    async fn an_analysis_that_is_granted_cancels_the_note_and_is_told_once(world) {
        let job = note(&world).await;
        let tenant = world.tenant;
        assert_eq!(world.store.claim_due_analysis(NOW, NOW + 60).await.unwrap(), None);
        let asked = learned(&[ASKED], Some("pendente"));
        assert_eq!(world.store.record_foreign_events(tenant, asked.clone(), NOW).await.unwrap(), 1);
        assert_eq!(world.store.record_foreign_events(tenant, asked, NOW).await.unwrap(), 0, "known already");
        assert_eq!(standing(&world, job).await, (DocumentState::Authorized, Some("pendente".to_owned())));
        let due = world.store.claim_due_analysis(NOW, NOW + 60).await.unwrap().unwrap();
        assert_eq!((due.tenant, due.chave), (tenant, chave(1)));
        assert_eq!(world.store.claim_due_analysis(NOW + 59, NOW + 99).await.unwrap(), None, "given to one at a time");
        assert!(world.store.claim_due_analysis(NOW + 60, NOW + 99).await.unwrap().is_some());
        let granted = learned(&[ASKED, GRANTED], Some("deferida"));
        assert_eq!(world.store.record_foreign_events(tenant, granted.clone(), NOW + 1).await.unwrap(), 1);
        assert_eq!(world.store.record_foreign_events(tenant, granted, NOW + 2).await.unwrap(), 0);
        assert_eq!(standing(&world, job).await, (DocumentState::Cancelled, Some("deferida".to_owned())));
        assert_eq!(world.store.file(tenant, job, StoredFile::Cancelled).await.unwrap(), "<e105104/>");
        assert_eq!(world.store.file(tenant, job, StoredFile::Event).await.unwrap(), "<e101103/>");
        assert_eq!(told(&world).await, ["nfe.autorizada", "nfe.evento_registrado", "nfe.cancelada"]);
        assert_eq!(world.store.claim_due_analysis(NOW + 9_999, NOW + 10_000).await.unwrap(), None);
        let rows = world.store.events(tenant, chave(1).as_str()).await.unwrap();
        let rows: Vec<_> = rows.into_iter().map(|row| (row.tpEvento, row.job_id, row.registered)).collect();
        assert_eq!(rows, [(ASKED.to_owned(), None, true), (GRANTED.to_owned(), None, true)]);
    }

    async fn a_note_that_we_are_cancelling_is_left_to_its_job(world) {
        let job = note(&world).await;
        let event = NewEvent { chave: chave(1), tpEvento: "101101".to_owned(), most: 1 };
        let cancellation = NewJob { operacao: Operacao::Cancelamento, alvo: Some(job), act: Some(NewAct::Event(event)), ..world.job() };
        world.register(cancellation).await;
        let granted = learned(&[ASKED, GRANTED], Some("deferida"));
        assert_eq!(world.store.record_foreign_events(world.tenant, granted.clone(), NOW).await.unwrap(), 0);
        assert_eq!(standing(&world, job).await, (DocumentState::Authorized, None));
        let lease = world.claim(1).await.pop().unwrap().lease;
        world.store.settle_event(lease, crate::world::not_cancelled(), NOW, line("x")).await.unwrap();
        assert_eq!(world.store.record_foreign_events(world.tenant, granted, NOW).await.unwrap(), 2);
        assert_eq!(standing(&world, job).await, (DocumentState::Cancelled, Some("deferida".to_owned())));
        assert_eq!(told(&world).await, ["nfe.autorizada", "nfe.cancelada"]);
    }

    async fn an_analysis_that_is_refused_leaves_the_note_and_what_is_not_ours_changes_nothing(world) {
        let job = note(&world).await;
        let refused = learned(&[ASKED, REFUSED], Some("indeferida"));
        assert_eq!(world.store.record_foreign_events(world.tenant, refused.clone(), NOW).await.unwrap(), 2);
        assert_eq!(standing(&world, job).await, (DocumentState::Authorized, Some("indeferida".to_owned())));
        assert_eq!(told(&world).await, ["nfe.autorizada", "nfe.evento_registrado"]);
        assert_eq!(world.store.claim_due_analysis(NOW + 9_999, NOW + 10_000).await.unwrap(), None);
        assert_eq!(world.store.record_foreign_events(Uuid::now_v7(), refused, NOW).await.unwrap(), 0, "another tenant's");
        let stranger = ForeignEvents { chave: chave(2), ..learned(&[GRANTED], None) };
        assert_eq!(world.store.record_foreign_events(world.tenant, stranger, NOW).await.unwrap(), 0);
        assert_eq!(standing(&world, job).await.0, DocumentState::Authorized);
    }
}
