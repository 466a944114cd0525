//! Prepared emissions: a token is used once among concurrent calls, and a refusal uses nothing up.

use crate::world::{NOW, World, on_both};
use fiscal::tipo::Tipo;
use fiscal::value::TpAmb::{self, Homologacao, Producao};
use store::accounts::{Caller, NewAccount, Permissao};
use store::audit::{Actor, ActorKind, AuditAct, AuditFilter};
use store::confirmations::{
    ApprovalSource, ConfirmationList, ConfirmationResult, Decisao, DecisionResult, NewConfirmation, NewDecision,
    Preparation,
};
use store::jobs::{NewJob, Operacao, RegistrationResult};
use store::quotas::Familia::Nfe;
use store::{Error, Visibility};
use uuid::Uuid;

const TOKEN: [u8; 32] = [7; 32];

fn id(token_hash: [u8; 32]) -> Uuid {
    Uuid::from_u128(u128::from(token_hash[0]))
}

async fn prepared(world: &World, token_hash: [u8; 32], now: i64) {
    world.store.prepare(new_row(world, token_hash, now), None, now).await.unwrap();
}

fn new_row(world: &World, token_hash: [u8; 32], now: i64) -> NewConfirmation {
    NewConfirmation {
        id: id(token_hash),
        tenant_id: world.tenant,
        operacao: Operacao::Emissao,
        tipo: Tipo::Nfe,
        api_key_id: Uuid::nil(),
        permissao: Permissao::Assistida,
        token_hash,
        ambiente: Homologacao,
        destino: Homologacao,
        referencia: None,
        payload: "{\"nota\":{}}".to_owned(),
        payload_hash: [1; 32],
        emitente: "11222333000181".to_owned(),
        destinatario: Some("Maria".to_owned()),
        valor: 100,
        expira_em: now + 600,
    }
}

on_both! {
    async fn a_key_has_so_many_in_the_open_and_no_more(world) {
        let prepare = async |token: u8, api_key_id: Uuid, now: i64| {
            let new = NewConfirmation { api_key_id, ..new_row(&world, [token; 32], now) };
            world.store.prepare(new, Some(2), now).await.unwrap()
        };
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        assert_eq!(prepare(1, one, NOW).await, Preparation::Stored);
        assert_eq!(prepare(2, one, NOW + 10).await, Preparation::Stored);
        assert_eq!(prepare(3, one, NOW + 20).await, Preparation::TooManyOpen { most: 2, wait_s: 580 });
        assert!(matches!(world.store.confirmation(world.tenant, [3; 32]).await, Err(Error::NotFound)));
        // Another key has its own bound.
        assert_eq!(prepare(4, two, NOW + 20).await, Preparation::Stored);
        // Used, refused and expired emissions leave slots free.
        world.store.confirm([1; 32], world.job(), 100, ApprovalSource::Program, NOW + 20).await.unwrap();
        assert_eq!(prepare(5, one, NOW + 20).await, Preparation::Stored);
        let no = NewDecision { decisao: Decisao::Recusada, por: Uuid::nil(), motivo: None };
        world.store.decide(sight(&world, Homologacao), id([5; 32]), no, &Actor::operator(), NOW + 20).await.unwrap();
        assert_eq!(prepare(6, one, NOW + 21).await, Preparation::Stored);
        // An approved emission still waits for its program.
        let yes = NewDecision { decisao: Decisao::Aprovada, por: Uuid::nil(), motivo: None };
        world.store.decide(sight(&world, Homologacao), id([6; 32]), yes, &Actor::operator(), NOW + 22).await.unwrap();
        assert_eq!(prepare(7, one, NOW + 23).await, Preparation::TooManyOpen { most: 2, wait_s: 587 });
        assert_eq!(prepare(7, one, NOW + 610).await, Preparation::Stored);
    }

    async fn of_fifty_confirmations_of_one_token_exactly_one_registers(world) {
        prepared(&world, TOKEN, NOW).await;
        let stores = [world.store.clone(), world.open_again().await, world.open_again().await];
        let calls: Vec<_> = (0..50).map(|call| {
            let (store, job) = (stores[call % stores.len()].clone(), world.job());
            tokio::spawn(async move { store.confirm(TOKEN, job, 100, ApprovalSource::Program, NOW).await.unwrap() })
        }).collect();
        let (mut registered, mut used) = (Vec::new(), Vec::new());
        for call in calls {
            match call.await.unwrap() {
                ConfirmationResult::Registered(RegistrationResult::New(job)) => registered.push(job.id),
                ConfirmationResult::Used(job) => used.push(job),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!((registered.len(), used.len()), (1, 49));
        assert!(used.iter().all(|job| *job == registered[0]));
        assert_eq!(world.claim(50).await.len(), 1);
        let quotas = world.store.quotas(world.tenant, Homologacao, NOW).await.unwrap();
        assert_eq!(quotas.iter().find(|quota| quota.familia == Nfe).unwrap().consumo, 1);
        // The payload is the job's now.
        let kept = world.store.confirmation(world.tenant, TOKEN).await.unwrap();
        assert_eq!((kept.payload.as_str(), kept.job_id), ("", Some(registered[0])));
    }

    async fn a_token_is_of_its_tenant_and_ends(world) {
        prepared(&world, TOKEN, NOW).await;
        let stranger = NewJob { tenant_id: Uuid::now_v7(), ..world.job() };
        assert!(matches!(world.store.confirm(TOKEN, stranger, 100, ApprovalSource::Program, NOW).await, Err(Error::NotFound)));
        assert!(matches!(world.store.confirmation(Uuid::now_v7(), TOKEN).await, Err(Error::NotFound)));
        assert!(matches!(world.store.confirm(TOKEN, world.job(), 100, ApprovalSource::Program, NOW + 600).await.unwrap(), ConfirmationResult::Expired));
        // Deleted by a preparation a day later, and not before.
        prepared(&world, [8; 32], NOW + 86_400).await;
        assert!(world.store.confirmation(world.tenant, TOKEN).await.is_ok());
        prepared(&world, [9; 32], NOW + 600 + 86_400).await;
        assert!(matches!(world.store.confirmation(world.tenant, TOKEN).await, Err(Error::NotFound)));
        assert!(world.store.confirmation(world.tenant, [8; 32]).await.is_ok());
    }

    async fn a_refusal_by_ceiling_or_quota_uses_nothing_up(world) {
        let account = NewAccount { nome: "Conta".to_owned(), email: "a@b.c".to_owned(), senha_hash: "x".to_owned() };
        let tenant = world.store.create_account(account, NOW).await.unwrap();
        let world = World { tenant, ..world };
        prepared(&world, TOKEN, NOW).await;
        let by = Actor::operator();
        world.store.set_ceiling(tenant, Some(99), &by, NOW).await.unwrap();
        assert_eq!(world.store.ceiling(tenant).await.unwrap(), Some(99));
        let above = world.store.confirm(TOKEN, world.job(), 100, ApprovalSource::Program, NOW).await.unwrap();
        assert!(matches!(above, ConfirmationResult::AboveCeiling(99)));
        world.store.set_ceiling(tenant, Some(100), &by, NOW).await.unwrap();
        world.store.set_quota(tenant, Homologacao, Nfe, Some(0), &by, NOW).await.unwrap();
        assert!(matches!(world.store.confirm(TOKEN, world.job(), 100, ApprovalSource::Program, NOW).await, Err(Error::QuotaExceeded(_))));
        world.store.set_quota(tenant, Homologacao, Nfe, None, &by, NOW).await.unwrap();
        let at_last = world.store.confirm(TOKEN, world.job(), 100, ApprovalSource::Program, NOW).await.unwrap();
        assert!(matches!(at_last, ConfirmationResult::Registered(RegistrationResult::New(_))));
        assert!(matches!(world.store.set_ceiling(Uuid::now_v7(), None, &by, NOW).await, Err(Error::NotFound)));
    }

    async fn what_waits_for_approval_is_issued_after_it_and_never_before(world) {
        prepared(&world, TOKEN, NOW).await;
        let before = world.store.confirm(TOKEN, world.job(), 100, ApprovalSource::Person, NOW).await.unwrap();
        assert!(matches!(before, ConfirmationResult::Pending), "{before:?}");
        assert_eq!(said(&world, TOKEN, Decisao::Aprovada, NOW + 1).await, DecisionResult::Recorded);
        let kept = world.store.confirmation(world.tenant, TOKEN).await.unwrap();
        let decision = kept.decision.unwrap();
        assert_eq!((decision.decisao, decision.por, decision.em), (Decisao::Aprovada, USER, NOW + 1));
        assert_eq!((kept.payload.as_str(), kept.permissao), ("{\"nota\":{}}", Permissao::Assistida));
        let after = world.store.confirm(TOKEN, world.job(), 100, ApprovalSource::Person, NOW + 2).await.unwrap();
        assert!(matches!(after, ConfirmationResult::Registered(RegistrationResult::New(_))), "{after:?}");
        assert!(matches!(said(&world, TOKEN, Decisao::Recusada, NOW + 3).await, DecisionResult::Used(_)));
        let filter = AuditFilter { act: Some(AuditAct::EmissaoAprovada), ..AuditFilter::default() };
        let (trail, _) = world.store.audit_trail(world.tenant, filter, 10, 0).await.unwrap();
        assert_eq!((trail.len(), trail[0].ator_id, trail[0].detalhes["valor_centavos"].as_i64()), (1, Some(USER), Some(100)));
    }

    async fn an_act_knows_no_ceiling_and_stands_in_the_trail_under_a_word_of_its_own(world) {
        let account = NewAccount { nome: "Conta".to_owned(), email: "a@b.c".to_owned(), senha_hash: "x".to_owned() };
        let tenant = world.store.create_account(account, NOW).await.unwrap();
        let world = World { tenant, ..world };
        world.store.set_ceiling(tenant, Some(99), &Actor::operator(), NOW).await.unwrap();
        let row = NewConfirmation { operacao: Operacao::Cancelamento, tipo: Tipo::Cte, ..new_row(&world, TOKEN, NOW) };
        world.store.prepare(row, None, NOW).await.unwrap();
        assert_eq!(said(&world, TOKEN, Decisao::Aprovada, NOW).await, DecisionResult::Recorded);
        let kept = world.store.confirmation(tenant, TOKEN).await.unwrap();
        assert_eq!((kept.operacao, kept.tipo), (Operacao::Cancelamento, Tipo::Cte));
        let job = NewJob { operacao: Operacao::Cancelamento, ..world.job() };
        let done = world.store.confirm(TOKEN, job, 100, ApprovalSource::Person, NOW).await.unwrap();
        assert!(matches!(done, ConfirmationResult::Registered(RegistrationResult::New(_))), "{done:?}");
        let filter = AuditFilter { act: Some(AuditAct::AtoAprovado), ..AuditFilter::default() };
        let (trail, total) = world.store.audit_trail(tenant, filter, 10, 0).await.unwrap();
        assert_eq!((total, &trail[0].detalhes["operacao"], &trail[0].detalhes["documento"]), (1, &"cancelamento".into(), &"cte".into()));
    }

    async fn a_yes_in_a_programs_form_stands_in_the_trail_with_the_act(world) {
        prepared(&world, TOKEN, NOW).await;
        let by = Actor { kind: ActorKind::ApiKey(USER), request_id: Some("pedido-1".to_owned()), ..Actor::operator() };
        let late = world.store.confirm(TOKEN, world.job(), 100, ApprovalSource::Form(by.clone()), NOW + 600).await.unwrap();
        assert!(matches!(late, ConfirmationResult::Expired), "{late:?}");
        let done = world.store.confirm(TOKEN, world.job(), 100, ApprovalSource::Form(by.clone()), NOW).await.unwrap();
        assert!(matches!(done, ConfirmationResult::Registered(RegistrationResult::New(_))), "{done:?}");
        let again = world.store.confirm(TOKEN, world.job(), 100, ApprovalSource::Form(by), NOW).await.unwrap();
        assert!(matches!(again, ConfirmationResult::Used(_)), "{again:?}");
        let filter = AuditFilter { act: Some(AuditAct::EmissaoPorFormulario), ..AuditFilter::default() };
        let (trail, total) = world.store.audit_trail(world.tenant, filter, 10, 0).await.unwrap();
        assert_eq!((total, trail[0].ator_id, trail[0].alvo.as_str()), (1, Some(USER), id(TOKEN).to_string().as_str()));
        assert_eq!((trail[0].detalhes["valor_centavos"].as_i64(), trail[0].requisicao_id.as_deref()), (Some(100), Some("pedido-1")));
    }

    async fn a_refusal_is_the_end_and_of_many_words_the_first_counts(world) {
        prepared(&world, TOKEN, NOW).await;
        let stores = [world.store.clone(), world.open_again().await];
        let calls: Vec<_> = (0..20).map(|call| {
            let (store, sight) = (stores[call % 2].clone(), Visibility::whole(world.tenant));
            let decisao = if call % 2 == 0 { Decisao::Recusada } else { Decisao::Aprovada };
            let new = NewDecision { decisao, por: USER, motivo: Some("não pedi".to_owned()) };
            tokio::spawn(async move { store.decide(sight, id(TOKEN), new, &person(), NOW).await.unwrap() })
        }).collect();
        let mut written = 0;
        for call in calls {
            match call.await.unwrap() {
                DecisionResult::Recorded => written += 1,
                DecisionResult::AlreadyDecided(_) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(written, 1);
        prepared(&world, [8; 32], NOW).await;
        assert_eq!(said(&world, [8; 32], Decisao::Recusada, NOW).await, DecisionResult::Recorded);
        // Also for a key that needs no approval.
        match world.store.confirm([8; 32], world.job(), 100, ApprovalSource::Program, NOW).await.unwrap() {
            ConfirmationResult::Refused(decision) => assert_eq!(decision.motivo.as_deref(), Some("não pedi")),
            other => panic!("{other:?}"),
        }
        assert_eq!(world.store.confirmation(world.tenant, [8; 32]).await.unwrap().payload, "");
        assert!(world.claim(50).await.is_empty());
    }

    async fn a_word_comes_in_time_from_who_may_see_it(world) {
        prepared(&world, TOKEN, NOW).await;
        assert_eq!(said(&world, TOKEN, Decisao::Aprovada, NOW + 600).await, DecisionResult::Expired);
        let new = NewDecision { decisao: Decisao::Aprovada, por: USER, motivo: None };
        let stranger = Visibility::whole(Uuid::now_v7());
        let refused = world.store.decide(stranger, id(TOKEN), new.clone(), &person(), NOW).await;
        assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
        assert!(matches!(world.store.confirmation_by_id(stranger, id(TOKEN)).await, Err(Error::NotFound)));
        let live = NewConfirmation { ambiente: Producao, destino: Producao, ..new_row(&world, [9; 32], NOW) };
        world.store.prepare(live, None, NOW).await.unwrap();
        let (test, whole) = (sight(&world, Homologacao), sight(&world, Producao));
        assert!(matches!(world.store.decide(test, id([9; 32]), new.clone(), &person(), NOW).await, Err(Error::NotFound)));
        let waiting = async |sight| world.store.confirmations(sight, ConfirmationList::Waiting, NOW, 10, 0).await.unwrap();
        assert_eq!((waiting(test).await.1, waiting(whole).await.1), (1, 2));
        assert_eq!(world.store.decide(whole, id([9; 32]), new, &person(), NOW).await.unwrap(), DecisionResult::Recorded);
        let (past, total) = world.store.confirmations(whole, ConfirmationList::Past, NOW, 10, 0).await.unwrap();
        assert_eq!((past.len(), total, past[0].id, past[0].payload.as_str()), (1, 1, id([9; 32]), ""));
        assert_eq!(waiting(whole).await.1, 1);
        // Decided emissions are kept for longer.
        prepared(&world, [10; 32], NOW + 2 * 86_400).await;
        assert!(world.store.confirmation_by_id(whole, id([9; 32])).await.is_ok());
        assert!(matches!(world.store.confirmation_by_id(whole, id(TOKEN)).await, Err(Error::NotFound)));
    }

    async fn no_yes_above_the_ceiling(world) {
        let account = NewAccount { nome: "Conta".to_owned(), email: "a@b.c".to_owned(), senha_hash: "x".to_owned() };
        let tenant = world.store.create_account(account, NOW).await.unwrap();
        let world = World { tenant, ..world };
        prepared(&world, TOKEN, NOW).await;
        let by = Actor::operator();
        world.store.set_ceiling(tenant, Some(99), &by, NOW).await.unwrap();
        assert_eq!(said(&world, TOKEN, Decisao::Aprovada, NOW).await, DecisionResult::AboveCeiling(99));
        assert_eq!(said(&world, TOKEN, Decisao::Recusada, NOW).await, DecisionResult::Recorded);
        assert!(!world.store.form_approval_allowed(tenant).await.unwrap());
        world.store.allow_form_approval(tenant, true, &by, NOW).await.unwrap();
        assert!(world.store.form_approval_allowed(tenant).await.unwrap());
        assert!(matches!(world.store.allow_form_approval(Uuid::now_v7(), true, &by, NOW).await, Err(Error::NotFound)));
    }
}

const USER: Uuid = Uuid::from_u128(77);

fn person() -> Actor {
    Actor { kind: ActorKind::User(USER), ambiente: Producao, request_id: None, address: None }
}

fn sight(world: &World, ambiente: TpAmb) -> Visibility {
    Visibility::of(&Caller {
        tenant_id: world.tenant,
        api_key_id: Uuid::nil(),
        ambiente,
        permissao: Permissao::Completa,
        granted: None,
    })
}

async fn said(world: &World, token_hash: [u8; 32], decisao: Decisao, now: i64) -> DecisionResult {
    let motivo = (decisao == Decisao::Recusada).then(|| "não pedi".to_owned());
    let new = NewDecision { decisao, por: USER, motivo };
    world.store.decide(Visibility::whole(world.tenant), id(token_hash), new, &person(), now).await.unwrap()
}
