//! Sessions, failed logins, users, and the audit trail.

use crate::world::{NOW, World, on_both};
use fiscal::value::TpAmb;
use std::num::NonZeroU32;
use store::accounts::{NewAccount, NewApiKey, Permissao};
use store::audit::{Actor, ActorKind, AuditAct, AuditFilter};
use store::logins::{
    FailureCounter, FailureTarget, LoginAttempt, LoginBound, LoginDelay, LoginFailure, LoginGuard, LoginSlots,
};
use store::second_factor::FactorProof;
use store::sessions::{NewSession, SessionCaller, SessionKind, SessionOpening, SessionState};
use store::users::{NewUser, User};
use store::vault::MasterKey;
use store::{Error, Store};
use uuid::Uuid;

const HASH: &str = "$argon2id$a";

fn counter(digest: [u8; 32], most: u32) -> FailureCounter {
    FailureCounter { digest, most: NonZeroU32::new(most).unwrap() }
}

/// An e-mail and an address of its own, with bounds that are never reached.
pub(crate) fn guard(pair: u8) -> LoginGuard {
    of(pair, pair, 1000)
}

/// An e-mail at an address; bounds: `most` failures of an e-mail, twice as many of an address and three times as many
/// of all.
fn of(email: u8, address: u8, most: u32) -> LoginGuard {
    let mut pair = [email; 32];
    pair[31] = address;
    let (mut by_email, mut by_address) = ([email; 32], [address; 32]);
    (by_email[0], by_address[0]) = (201, 202);
    LoginGuard {
        pair: counter(pair, 5),
        email: counter(by_email, most),
        address: counter(by_address, most * 2),
        all: counter([203; 32], most * 3),
        window_s: 900,
        is_proven: false,
    }
}

fn slowed(bound: LoginBound, wait_s: i64) -> LoginAttempt {
    LoginAttempt::Slowed(LoginDelay { bound, wait_s })
}

fn failure(target: Option<FailureTarget>) -> LoginFailure {
    LoginFailure { target, email_digest: "resumo".to_owned() }
}

/// A tenant with a user and a key of homologação.
async fn person(world: &World) -> (User, Uuid) {
    let store = &world.store;
    let account = NewAccount { nome: "Loja".into(), email: "ana@x.com.br".into(), senha_hash: HASH.into() };
    let tenant = store.create_account(account, NOW).await.unwrap();
    let key = api_key(store, tenant, TpAmb::Homologacao, 1).await;
    (store.user_by_email("ana@x.com.br").await.unwrap(), key)
}

async fn api_key(store: &Store, tenant: Uuid, ambiente: TpAmb, hash: u8) -> Uuid {
    let new = NewApiKey {
        nome: "k".into(),
        ambiente,
        permissao: Permissao::Completa,
        prefixo: "crb".into(),
        hash: [hash; 32],
    };
    store.create_api_key(tenant, new, &Actor::operator(), NOW).await.unwrap()
}

fn asked(user: &User, ambiente: Option<TpAmb>) -> NewSession {
    NewSession {
        tenant_id: user.tenant_id,
        user_id: user.id,
        senha_hash: user.senha_hash.clone(),
        ambiente,
        kind: SessionKind::Api,
        expira_em: NOW + 3600,
        guard: guard(1),
        attempt_id: Uuid::now_v7(),
        factor: FactorProof::Absent,
        navegador: None,
    }
}

fn actor(user: &User) -> Actor {
    Actor {
        kind: ActorKind::User(user.id),
        ambiente: TpAmb::Producao,
        request_id: Some("r".into()),
        address: Some([127, 0, 0, 1].into()),
    }
}

async fn opened(store: &Store, user: &User) -> SessionCaller {
    match store.open_session(asked(user, None), &actor(user), NOW).await.unwrap() {
        SessionOpening::Session(session) => session,
        other => panic!("{other:?}"),
    }
}

async fn taken(store: &Store, pair: u8, at: i64) -> LoginSlots {
    match store.login_attempt(guard(pair), at).await.unwrap() {
        LoginAttempt::Taken(place) => place,
        LoginAttempt::Slowed(slowdown) => panic!("{slowdown:?}"),
    }
}

async fn ended(store: &Store, session: &SessionCaller, at: i64) -> bool {
    store.session(session.caller.tenant_id, session.session_id, at).await.unwrap() == SessionState::Ended
}

async fn acts(store: &Store, tenant: Uuid) -> Vec<String> {
    let (entries, total) = store.audit_trail(tenant, AuditFilter::default(), 100, 0).await.unwrap();
    assert_eq!(entries.len() as u64, total);
    entries.into_iter().map(|entry| entry.ato).collect()
}

on_both! {
    async fn a_session_lasts_until_its_time_or_its_end(world) {
        let (user, key) = person(&world).await;
        let session = opened(&world.store, &user).await;
        assert_eq!((session.caller.api_key_id, session.caller.ambiente), (key, TpAmb::Homologacao));
        let active = world.store.session(user.tenant_id, session.session_id, NOW + 3599).await.unwrap();
        assert_eq!(active, SessionState::Active(session.clone()));
        assert!(ended(&world.store, &session, NOW + 3600).await);
        let elsewhere = world.store.session(Uuid::now_v7(), session.session_id, NOW).await.unwrap();
        assert_eq!(elsewhere, SessionState::Ended);
        let other = opened(&world.store, &user).await;
        world.store.end_session(user.tenant_id, session.session_id, &actor(&user), NOW).await.unwrap();
        world.store.end_session(user.tenant_id, session.session_id, &actor(&user), NOW).await.unwrap();
        assert!(ended(&world.store, &session, NOW).await && !ended(&world.store, &other, NOW).await);
        assert_eq!(acts(&world.store, user.tenant_id).await[..2], ["sessao_encerrada", "sessao_iniciada"]);
    }

    async fn a_session_is_bound_to_the_oldest_active_key_of_its_environment(world) {
        let (user, first) = person(&world).await;
        let store = &world.store;
        let second = api_key(store, user.tenant_id, TpAmb::Homologacao, 2).await;
        let session = opened(store, &user).await;
        assert_eq!(session.caller.api_key_id, first);
        store.revoke_api_key(user.tenant_id, first, &Actor::operator(), NOW).await.unwrap();
        let state = store.session(user.tenant_id, session.session_id, NOW).await.unwrap();
        assert_eq!(state, SessionState::KeyRevoked);
        assert_eq!(opened(store, &user).await.caller.api_key_id, second);
        let live = store.open_session(asked(&user, Some(TpAmb::Producao)), &actor(&user), NOW).await.unwrap();
        assert_eq!(live, SessionOpening::NoActiveKey);
    }

    async fn a_switch_ends_the_session_before_or_changes_nothing(world) {
        let (user, _) = person(&world).await;
        let store = &world.store;
        let before = opened(store, &user).await;
        let switch = async |from: &SessionCaller| {
            store.switch_session(from, TpAmb::Producao, NOW + 9, &actor(&user), NOW).await
        };
        assert!(matches!(switch(&before).await, Err(Error::Conflict("sem chave ativa"))));
        assert!(!ended(store, &before, NOW).await);
        let live = api_key(store, user.tenant_id, TpAmb::Producao, 3).await;
        let after = switch(&before).await.unwrap();
        assert_eq!((after.caller.api_key_id, after.caller.ambiente), (live, TpAmb::Producao));
        assert!(ended(store, &before, NOW).await && !ended(store, &after, NOW).await);
        assert!(matches!(switch(&before).await, Err(Error::Conflict("sessão encerrada"))));
    }

    async fn a_new_password_ends_all_sessions_and_opens_none_by_the_old_one(world) {
        let (user, _) = person(&world).await;
        let store = &world.store;
        let (one, two) = (opened(store, &user).await, opened(store, &user).await);
        store.change_password(user.tenant_id, user.id, "$argon2id$b".into(), &actor(&user), NOW).await.unwrap();
        assert!(ended(store, &one, NOW).await && ended(store, &two, NOW).await);
        let late = store.open_session(asked(&user, None), &actor(&user), NOW).await.unwrap();
        assert_eq!(late, SessionOpening::Stale);
        let elsewhere = store.change_password(Uuid::now_v7(), user.id, HASH.into(), &actor(&user), NOW).await;
        assert!(matches!(elsewhere, Err(Error::NotFound)));
    }

    async fn failures_slow_a_pair_down_until_the_window_has_passed(world) {
        let (user, _) = person(&world).await;
        let store = &world.store;
        let target = Some(FailureTarget { tenant_id: user.tenant_id, user_id: user.id });
        let stranger = Actor { kind: ActorKind::Anonymous, ambiente: TpAmb::Producao, request_id: None, address: None };
        for second in 0..5 {
            let place = taken(store, 1, NOW + second).await;
            store.login_failed(place, failure(target), &stranger, NOW + second).await.unwrap();
        }
        // The first failure decides; refused attempts do not extend the wait.
        for second in 5..8 {
            let slowed = store.login_attempt(guard(1), NOW + second).await.unwrap();
            assert_eq!(slowed, self::slowed(LoginBound::Pair, 900 - second));
        }
        taken(store, 2, NOW + 5).await;
        let blocked = acts(store, user.tenant_id).await.into_iter().filter(|act| act == "login_bloqueado").count();
        assert_eq!(blocked, 1);
        // Another process has the same counts.
        let elsewhere = world.open_again().await.login_attempt(guard(1), NOW + 5).await.unwrap();
        assert_eq!(elsewhere, slowed(LoginBound::Pair, 895));
        taken(store, 1, NOW + 900).await;
    }

    async fn however_many_come_at_once_no_more_are_looked_at_than_may_fail(world) {
        let (one, two) = (world.open_again().await, world.open_again().await);
        let all: Vec<_> = (0..20)
            .flat_map(|_| [one.clone(), two.clone()])
            .map(|store| tokio::spawn(async move { store.login_attempt(guard(1), NOW).await.unwrap() }))
            .collect();
        let mut places = Vec::new();
        for attempt in all {
            if let LoginAttempt::Taken(place) = attempt.await.unwrap() {
                places.push(place);
            }
        }
        assert_eq!(places.len(), 5);
        // An attempt that was not checked frees one slot.
        one.login_released(places[0]).await.unwrap();
        taken(&two, 1, NOW).await;
        assert_eq!(one.login_attempt(guard(1), NOW).await.unwrap(), slowed(LoginBound::Pair, 900));
    }

    async fn guesses_of_one_e_mail_from_many_addresses_have_a_bound_that_spares_known_places(world) {
        let (user, _) = person(&world).await;
        let store = &world.store;
        let target = Some(FailureTarget { tenant_id: user.tenant_id, user_id: user.id });
        let stranger = Actor { kind: ActorKind::Anonymous, ambiente: TpAmb::Producao, request_id: None, address: None };
        // The user has logged in from address 100.
        let home = of(1, 100, 4);
        let known = NewSession { guard: home, ..asked(&user, None) };
        store.open_session(known, &actor(&user), NOW).await.unwrap();
        let mut reached = Vec::new();
        for address in 1..=4 {
            let at = NOW + i64::from(address);
            let LoginAttempt::Taken(place) = store.login_attempt(of(1, address, 4), at).await.unwrap() else { panic!() };
            reached.extend(store.login_failed(place, failure(target), &stranger, at).await.unwrap());
        }
        assert_eq!(reached, [LoginDelay { bound: LoginBound::Email, wait_s: 897 }]);
        assert_eq!(store.login_attempt(of(1, 5, 4), NOW + 5).await.unwrap(), slowed(LoginBound::Email, 896));
        // From the usual address, and in an open session, logins continue.
        assert!(matches!(store.login_attempt(home, NOW + 1).await.unwrap(), LoginAttempt::Taken(_)));
        let proven = LoginGuard { is_proven: true, ..of(1, 6, 4) };
        assert!(matches!(store.login_attempt(proven, NOW + 1).await.unwrap(), LoginAttempt::Taken(_)));
        // But not without their own bound.
        for _ in 0..4 {
            store.login_attempt(home, NOW + 1).await.unwrap();
        }
        assert_eq!(store.login_attempt(home, NOW + 1).await.unwrap(), slowed(LoginBound::Pair, 900));
        // A single line in the trail, also when a slot becomes free and is taken again.
        let LoginAttempt::Taken(place) = store.login_attempt(of(1, 7, 4), NOW + 901).await.unwrap() else { panic!() };
        assert_eq!(store.login_failed(place, failure(target), &stranger, NOW + 901).await.unwrap(), None);
        let blocked = acts(store, user.tenant_id).await.into_iter().filter(|act| act == "login_bloqueado").count();
        assert_eq!(blocked, 1);
    }

    async fn guesses_over_many_e_mails_have_bounds_and_tell_every_account_they_met(world) {
        let (user, _) = person(&world).await;
        let store = &world.store;
        let target = Some(FailureTarget { tenant_id: user.tenant_id, user_id: user.id });
        let stranger = Actor { kind: ActorKind::Anonymous, ambiente: TpAmb::Producao, request_id: None, address: None };
        let attempt = async |guard: LoginGuard, target: Option<FailureTarget>| match store.login_attempt(guard, NOW).await.unwrap() {
            LoginAttempt::Taken(place) => store.login_failed(place, failure(target), &stranger, NOW).await.unwrap(),
            LoginAttempt::Slowed(slowdown) => Some(slowdown),
        };
        // One address, many e-mails: the first belongs to a user.
        assert_eq!(attempt(of(1, 1, 3), target).await, None);
        for email in 2..=5 {
            assert_eq!(attempt(of(email, 1, 3), None).await, None);
        }
        let at_address = Some(LoginDelay { bound: LoginBound::Address, wait_s: 900 });
        assert_eq!((attempt(of(6, 1, 3), None).await, attempt(of(7, 1, 3), None).await), (at_address, at_address));
        // Many addresses: an address with a recent login is let through.
        store.open_session(NewSession { guard: of(9, 9, 3), ..asked(&user, None) }, &actor(&user), NOW).await.unwrap();
        for address in 2..=3 {
            assert_eq!(attempt(of(20 + address, address, 3), None).await, None);
        }
        let of_all = Some(LoginDelay { bound: LoginBound::All, wait_s: 900 });
        assert_eq!((attempt(of(30, 30, 3), None).await, attempt(of(31, 31, 3), None).await), (of_all, of_all));
        assert_eq!(attempt(of(32, 9, 3), None).await, None);
        let limited = acts(store, user.tenant_id).await.into_iter().filter(|act| act == "logins_limitados").count();
        assert_eq!(limited, 2);
        // A right password releases its own slots and no others.
        assert_eq!(attempt(of(33, 33, 3), None).await, of_all);
    }

    async fn a_good_login_forgets_the_failures(world) {
        let (user, _) = person(&world).await;
        let store = &world.store;
        for _ in 0..2 {
            for _ in 0..5 {
                taken(store, 1, NOW).await;
            }
            opened(store, &user).await;
        }
    }

    async fn users_come_and_go_but_never_the_last(world) {
        let (ana, _) = person(&world).await;
        let store = &world.store;
        let bia = NewUser { email: "BIA@x.com.br".into(), nome: Some("Bia".into()), senha_hash: HASH.into() };
        assert!(!format!("{bia:?}").contains("argon2"));
        let id = store.create_user(ana.tenant_id, bia.clone(), &Actor::operator(), NOW).await.unwrap();
        let again = store.create_user(ana.tenant_id, bia.clone(), &Actor::operator(), NOW).await;
        assert!(matches!(again, Err(Error::Conflict(_))));
        let nowhere = store.create_user(Uuid::now_v7(), bia, &Actor::operator(), NOW).await;
        assert!(matches!(nowhere, Err(Error::NotFound)));
        let names: Vec<String> =
            store.list_users(ana.tenant_id).await.unwrap().into_iter().map(|user| user.nome).collect();
        assert_eq!(names, ["Loja", "Bia"]);
        let bia = store.user(ana.tenant_id, id).await.unwrap();
        assert!(matches!(store.user(Uuid::now_v7(), id).await, Err(Error::NotFound)));
        let session = opened(store, &bia).await;
        let elsewhere = store.remove_user(Uuid::now_v7(), id, &Actor::operator(), NOW).await;
        assert!(matches!(elsewhere, Err(Error::NotFound)));
        store.remove_user(ana.tenant_id, id, &Actor::operator(), NOW).await.unwrap();
        assert!(ended(store, &session, NOW).await);
        let last = store.remove_user(ana.tenant_id, ana.id, &Actor::operator(), NOW).await;
        assert!(matches!(last, Err(Error::Conflict(_))));
        let expected = ["usuario_removido", "sessao_iniciada", "usuario_criado", "chave_criada", "conta_criada"];
        assert_eq!(acts(store, ana.tenant_id).await, expected);
    }

    async fn an_act_that_did_not_happen_is_not_in_the_trail(world) {
        let (user, key) = person(&world).await;
        let store = &world.store;
        let before = acts(store, user.tenant_id).await;
        let same = NewApiKey { nome: "k".into(), ambiente: TpAmb::Producao, permissao: Permissao::Completa, prefixo: "crb".into(), hash: [1; 32] };
        assert!(store.create_api_key(user.tenant_id, same, &Actor::operator(), NOW).await.is_err());
        assert!(store.revoke_api_key(Uuid::now_v7(), key, &Actor::operator(), NOW).await.is_err());
        assert_eq!(acts(store, user.tenant_id).await, before);
        store.revoke_api_key(user.tenant_id, key, &actor(&user), NOW).await.unwrap();
        store.revoke_api_key(user.tenant_id, key, &actor(&user), NOW).await.unwrap();
        assert_eq!(acts(store, user.tenant_id).await.len(), before.len() + 1);
        let filter = AuditFilter { act: Some(AuditAct::ChaveRevogada), ..AuditFilter::default() };
        let (entries, _) = store.audit_trail(user.tenant_id, filter, 10, 0).await.unwrap();
        let entry = &entries[0];
        assert_eq!((entry.ator.as_str(), entry.ator_nome.as_deref()), ("usuario", Some("ana@x.com.br")));
        assert_eq!((entry.requisicao_id.as_deref(), entry.endereco.as_deref()), (Some("r"), Some("127.0.0.1")));
        assert_eq!((entry.alvo.as_str(), entry.em), (key.to_string().as_str(), NOW));
    }

    async fn the_key_of_tokens_is_that_of_the_master_key(world) {
        let before = world.store.token_key().unwrap();
        assert_eq!(*before, *world.open_again().await.token_key().unwrap());
        world.store.rotate_master_key(MasterKey::new([9; 32]), NOW).await.unwrap();
        assert_ne!(*before, *world.store.token_key().unwrap());
    }

    async fn a_session_opens_its_own_door_and_one_of_the_panel_ends_by_rest(world) {
        let (user, _) = person(&world).await;
        let (store, tenant) = (&world.store, user.tenant_id);
        let new = NewSession { kind: SessionKind::Painel, ..asked(&user, None) };
        let SessionOpening::Session(panel) = store.open_session(new, &actor(&user), NOW).await.unwrap() else { panic!() };
        let api = opened(store, &user).await;
        assert!(ended(store, &panel, NOW).await);
        assert_eq!(store.panel_session(tenant, api.session_id, 900, NOW).await.unwrap(), SessionState::Ended);
        let visit = async |at: i64| store.panel_session(tenant, panel.session_id, 900, at).await.unwrap();
        assert_eq!(visit(NOW + 899).await, SessionState::Active(panel.clone()));
        // Counted from the last use.
        assert_eq!(visit(NOW + 1700).await, SessionState::Active(panel.clone()));
        assert_eq!(visit(NOW + 1700 + 900).await, SessionState::Ended);
        // And however often it is used, it ends with its expiry.
        let new = NewSession { kind: SessionKind::Painel, ..asked(&user, None) };
        let SessionOpening::Session(busy) = store.open_session(new, &actor(&user), NOW).await.unwrap() else { panic!() };
        for at in (0..3600).step_by(600) {
            let state = store.panel_session(tenant, busy.session_id, 900, NOW + at).await.unwrap();
            assert_eq!(state, SessionState::Active(busy.clone()), "{at}");
        }
        assert_eq!(store.panel_session(tenant, busy.session_id, 900, NOW + 3600).await.unwrap(), SessionState::Ended);
    }
}
