//! Events that others registered on service notes of ours: the note follows, with one webhook event, in any order of
//! arrival.

use crate::hand::Hand;
use crate::world::{CNPJ, NOW, World, on_both, outcome, prepared, reserve, unreadable};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, CnpjCpf, Codigo, TpAmb};
use store::Visibility;
use store::audit::Actor;
use store::events::NewEvent;
use store::jobs::{
    AuthorityNote, DocumentOutcome, EventAct, EventOutcome, JobDocument, Lease, NewAct, NewJob, NumberRequest,
    Operacao, RegisteredEvent, SignedDocument, WithdrawalResult,
};
use store::numbers::{NumberedKind, Series};
use store::received::{
    DistributionKey, DocZip, DocumentContent, EventFacts, WalkClaim, WalkLease, WalkOutcome as Handed, WalkTerms,
};
use store::webhooks::{DeliveryClaim, Evento};
use uuid::Uuid;

const CHAVE: &str = "35503082211222333000181000000000000126111234567890";
const SUBSTITUTE: &str = "35503082211222333000181000000000000226111234567890";
const URL: &str = "https://erp.exemplo.com.br/notas";

fn job(world: &World) -> NewJob {
    let cota = Some(store::quotas::Familia::Nfse);
    NewJob { tipo: Tipo::Nfse, cota, webhook_url: Some(URL.to_owned()), ..world.job() }
}

/// A declaration that was sent.
async fn sent(world: &World) -> Lease {
    world.register(job(world)).await;
    let lease = world.claim(1).await.pop().unwrap().lease;
    let base = reserve(None);
    let series = Series { counted: NumberedKind::Dps, ..base.series };
    world.store.reserve(lease, NumberRequest { series, ..base }, NOW).await.unwrap();
    let base = prepared(Chave::parse(CHAVE).unwrap());
    let declaration = SignedDocument {
        numero: 1,
        asked_by: "DPS355030821122233300018100001000000000000001".to_owned(),
        chave: None,
        ..base
    };
    world.store.begin_sending(lease, declaration, NOW, Vec::new()).await.unwrap();
    lease
}

fn authorised() -> DocumentOutcome {
    let written = AuthorityNote {
        chave: Chave::parse(CHAVE).unwrap(),
        numero: 1,
        valor_liquido: Some("950.00".to_owned()),
        substitui: None,
        codigo_verificacao: Some("A1B2C3".to_owned()),
    };
    DocumentOutcome { written: Some(written), ..outcome(DocumentState::Authorized) }
}

async fn settled(world: &World) -> Uuid {
    let lease = sent(world).await;
    world.store.settle(lease, authorised(), NOW, Vec::new()).await.unwrap();
    lease.job_id
}

/// Stores the note's next event distributed by the ADN.
async fn handed(world: &World, nsu: u64, tpEvento: &str) {
    let (lease, found) = handing(world, nsu, tpEvento).await;
    world.store.record_walk(lease, found, NOW).await.unwrap();
}

/// Prepares the note's next event without storing it.
async fn handing(world: &World, nsu: u64, tpEvento: &str) -> (WalkLease, Handed) {
    let owner = DistributionKey {
        tenant: world.tenant,
        cpf_cnpj: CnpjCpf::parse(CNPJ).unwrap(),
        ambiente: TpAmb::Homologacao,
        tipo: Tipo::Nfse,
    };
    let facts = EventFacts {
        chave: CHAVE.to_owned(),
        tpEvento: tpEvento.to_owned(),
        nSeqEvento: 1,
        dhEvento: "2026-11-20T11:00:00-03:00".to_owned(),
        autor: Some("00394460000141".to_owned()),
        descricao: None,
        motivo: None,
        dhRegEvento: Some("2026-11-20T11:00:02-03:00".to_owned()),
        substituta: (tpEvento == "105102").then(|| SUBSTITUTE.to_owned()),
        nProt: Some("41".to_owned()),
        completo: true,
        cancela: false,
    };
    let content = format!("<evento n=\"{tpEvento}\"/>");
    let document =
        DocZip { nsu: Some(nsu), schema: "EVENTO".to_owned(), content, content_facts: DocumentContent::Event(facts) };
    let claim = WalkTerms { now: NOW, lease_until: NOW + 100, if_lost: NOW };
    let WalkClaim::Claimed(lease, _) = world.store.claim_walk(owner, claim).await.unwrap() else {
        panic!("nobody else walks")
    };
    (lease, Handed { documents: vec![document], ult_nsu: Some(nsu), next_at: NOW, ..Handed::default() })
}

async fn document(world: &World, job: Uuid) -> JobDocument {
    world.store.job(Visibility::whole(world.tenant), job).await.unwrap().document.unwrap()
}

/// Webhook events that were enqueued and not claimed yet.
async fn told(world: &World) -> Vec<String> {
    let claim = DeliveryClaim { now: NOW, lease_until: NOW + 25, limit: 10, ..DeliveryClaim::default() };
    let found = world.store.claim_deliveries(claim).await.unwrap();
    let mut words: Vec<String> = found.into_iter().map(|delivery| delivery.evento).collect();
    words.sort();
    words
}

fn cancellation(world: &World, alvo: Uuid) -> NewJob {
    let event = NewEvent { chave: Chave::parse(CHAVE).unwrap(), tpEvento: "101101".to_owned(), most: 1 };
    let act = Some(NewAct::Event(event));
    NewJob { operacao: Operacao::Cancelamento, alvo: Some(alvo), act, cota: None, ..job(world) }
}

async fn under_way(world: &World, alvo: Uuid) -> Lease {
    world.register(cancellation(world, alvo)).await;
    world.claim(1).await.pop().unwrap().lease
}

/// Outcome of a refused cancellation.
fn refused() -> EventOutcome {
    let evento = Evento::CancelamentoRejeitado;
    let (codigo, xMotivo) = (Codigo::parse("E0840").unwrap(), "Impedido".to_owned());
    EventOutcome { codigo, xMotivo, registered: None, evento, erro: None }
}

/// Ends an act of ours while a município's cancellation is stored and not committed yet.
async fn as_the_note_is_cancelled(
    world: &World,
    ends: impl Future<Output = Result<(), store::Error>> + Send + 'static,
) {
    let (walk, found) = handing(world, 1, "305101").await;
    // The walk writes its cursor last.
    let hand = Hand::of(world, "SELECT 1 FROM distribution FOR UPDATE").await;
    let store = world.store.clone();
    let walking = tokio::spawn(async move { store.record_walk(walk, found, NOW).await });
    hand.until_waiting(1, &walking).await;
    let ending = tokio::spawn(ends);
    hand.until_waiting(2, &ending).await;
    hand.lets_go().await;
    walking.await.unwrap().unwrap();
    ending.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_and_its_event_that_come_at_once_find_each_other() {
    let world = World::postgres().await;
    let lease = sent(&world).await;
    let store = world.store.clone();
    as_the_note_is_cancelled(&world, async move { store.settle(lease, authorised(), NOW, Vec::new()).await }).await;
    assert_eq!(document(&world, lease.job_id).await.state, DocumentState::Cancelled);
    assert_eq!(told(&world).await, ["nfse.autorizada", "nfse.cancelada"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_act_that_is_refused_as_its_note_is_cancelled_leaves_it_cancelled() {
    let world = World::postgres().await;
    let job = settled(&world).await;
    let (store, lease) = (world.store.clone(), under_way(&world, job).await);
    as_the_note_is_cancelled(&world, async move { store.settle_event(lease, refused(), NOW, Vec::new()).await }).await;
    assert_eq!(document(&world, job).await.state, DocumentState::Cancelled);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_given_up_act_at_that_moment_likewise() {
    let world = World::postgres().await;
    let job = settled(&world).await;
    let (store, lease) = (world.store.clone(), under_way(&world, job).await);
    as_the_note_is_cancelled(&world, async move { store.fail_job(lease, unreadable(), None, NOW, Vec::new()).await })
        .await;
    assert_eq!(document(&world, job).await.state, DocumentState::Cancelled);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_withdrawn_act_at_that_moment_likewise() {
    let world = World::postgres().await;
    let job = settled(&world).await;
    let act = world.register(cancellation(&world, job)).await;
    let (store, tenant) = (world.store.clone(), world.tenant);
    as_the_note_is_cancelled(&world, async move { store.withdraw(tenant, act, NOW, Vec::new(), None).await.map(drop) })
        .await;
    assert_eq!(document(&world, job).await.state, DocumentState::Cancelled);
}

async fn ledger(world: &World) -> Vec<(String, bool, Option<Uuid>)> {
    let rows = world.store.events(world.tenant, CHAVE).await.unwrap();
    rows.into_iter().map(|row| (row.tpEvento, row.registered, row.job_id)).collect()
}

on_both! {
    async fn a_note_that_its_authority_wrote_has_what_that_gave_it(world) {
        let note = document(&world, settled(&world).await).await;
        let (chave, numero) = (note.chave.map(|chave| chave.as_str().to_owned()), note.numero_nota);
        assert_eq!((chave.as_deref(), numero, note.numero), (Some(CHAVE), Some(1), 1));
        assert_eq!((note.valor_liquido.as_deref(), note.codigo_verificacao.as_deref()), (Some("950.00"), Some("A1B2C3")));
    }

    async fn a_note_that_the_municipality_cancels_is_cancelled_and_told_once(world) {
        let job = settled(&world).await;
        assert_eq!(told(&world).await, ["nfse.autorizada"]);
        handed(&world, 1, "305101").await;
        let note = document(&world, job).await;
        assert_eq!((note.state, note.substituida_por, note.analise_fiscal), (DocumentState::Cancelled, None, None));
        assert_eq!(told(&world).await, ["nfse.cancelada"]);
        assert_eq!(ledger(&world).await, [("305101".to_owned(), true, None)]);
        // Repeated, under the same number and under another.
        handed(&world, 1, "305101").await;
        handed(&world, 2, "305101").await;
        assert_eq!((told(&world).await, ledger(&world).await.len()), (Vec::new(), 1));
    }

    async fn an_event_that_comes_before_its_note_waits_for_it(world) {
        let lease = sent(&world).await;
        handed(&world, 1, "305101").await;
        assert_eq!(document(&world, lease.job_id).await.state, DocumentState::Sending);
        world.store.settle(lease, authorised(), NOW, Vec::new()).await.unwrap();
        assert_eq!(document(&world, lease.job_id).await.state, DocumentState::Cancelled);
        assert_eq!(told(&world).await, ["nfse.autorizada", "nfse.cancelada"]);
    }

    async fn what_ends_no_note_is_on_record_and_an_analysis_shows_its_answer(world) {
        let job = settled(&world).await;
        told(&world).await;
        for (nsu, tpEvento, analysis) in [
            (1, "203206", None),
            (2, "305102", None),
            (3, "101103", Some("pendente")),
            (4, "105105", Some("indeferida")),
        ] {
            handed(&world, nsu, tpEvento).await;
            let note = document(&world, job).await;
            assert_eq!((note.state, note.analise_fiscal.as_deref()), (DocumentState::Authorized, analysis), "{tpEvento}");
        }
        assert_eq!(told(&world).await, ["nfse.evento_registrado"; 2], "the analysis alone");
        assert_eq!(ledger(&world).await.len(), 4);
        handed(&world, 5, "105104").await;
        assert_eq!(document(&world, job).await.state, DocumentState::Cancelled);
        assert_eq!(told(&world).await, ["nfse.cancelada"]);
    }

    async fn a_substitute_that_another_program_issued_is_named(world) {
        let job = settled(&world).await;
        handed(&world, 1, "105102").await;
        let note = document(&world, job).await;
        assert_eq!((note.state, note.substituida_por), (DocumentState::Cancelled, Chave::parse(SUBSTITUTE).ok()));
    }

    async fn while_we_cancel_it_ourselves_our_own_end_decides(world) {
        let job = settled(&world).await;
        told(&world).await;
        let lease = under_way(&world, job).await;
        handed(&world, 1, "101101").await;
        assert_eq!((document(&world, job).await.state, told(&world).await), (DocumentState::Authorized, Vec::new()));
        let act = EventAct { chave: Chave::parse(CHAVE).unwrap(), tpEvento: "101101".to_owned(), nSeqEvento: 1, nProt: Some("41".to_owned()), dhRegEvento: None };
        let registered = RegisteredEvent { act, proc_evento: Some("<evento/>".to_owned()), cancels: true, analysis: None };
        let ended = EventOutcome { codigo: Codigo::parse("registrado").unwrap(), xMotivo: String::new(), registered: Some(registered), evento: Evento::Cancelada, erro: None };
        world.store.settle_event(lease, ended, NOW, Vec::new()).await.unwrap();
        assert_eq!((document(&world, job).await.state, told(&world).await), (DocumentState::Cancelled, vec!["nfse.cancelada".to_owned()]));
        assert_eq!(ledger(&world).await, [("101101".to_owned(), true, Some(lease.job_id))], "it is ours");
    }

    async fn an_act_of_ours_that_is_refused_or_given_up_leaves_the_note_to_what_was_handed_out(world) {
        let job = settled(&world).await;
        told(&world).await;
        let lease = under_way(&world, job).await;
        handed(&world, 1, "305101").await;
        world.store.settle_event(lease, refused(), NOW, Vec::new()).await.unwrap();
        assert_eq!(document(&world, job).await.state, DocumentState::Cancelled);
        assert_eq!(told(&world).await, ["nfse.cancelada", "nfse.cancelamento_rejeitado"]);
    }

    async fn a_given_up_act_likewise(world) {
        let job = settled(&world).await;
        told(&world).await;
        let lease = under_way(&world, job).await;
        handed(&world, 1, "305101").await;
        world.store.fail_job(lease, unreadable(), None, NOW, Vec::new()).await.unwrap();
        assert_eq!(document(&world, job).await.state, DocumentState::Cancelled);
        assert_eq!(told(&world).await, ["nfse.cancelada", "nfse.falhou"]);
    }

    async fn a_withdrawn_act_likewise(world) {
        let job = settled(&world).await;
        told(&world).await;
        let act = world.register(cancellation(&world, job)).await;
        handed(&world, 1, "305101").await;
        assert_eq!(document(&world, job).await.state, DocumentState::Authorized, "the act may still end it");
        assert_eq!(world.store.withdraw(world.tenant, act, NOW, Vec::new(), None).await.unwrap(), WithdrawalResult::Cancelled);
        assert_eq!(document(&world, job).await.state, DocumentState::Cancelled);
        assert_eq!(told(&world).await, ["nfse.cancelada"]);
    }

    async fn an_act_that_its_company_took_along_likewise(world) {
        let (company, by) = (CnpjCpf::parse(CNPJ).unwrap(), Actor::operator());
        world.store.create_company(world.tenant, company, serde_json::json!({}), &by, NOW).await.unwrap();
        let job = settled(&world).await;
        told(&world).await;
        world.register(cancellation(&world, job)).await;
        handed(&world, 1, "305101").await;
        let removed = world.store.remove_company(world.tenant, company, &by, NOW, Vec::new()).await.unwrap();
        assert_eq!((removed.cancelled, removed.in_flight), (1, 0));
        assert_eq!(document(&world, job).await.state, DocumentState::Cancelled);
        assert_eq!(told(&world).await, ["nfse.cancelada"]);
    }
}
