//! The second factor, identities at a provider, and the sessions of a user.

use crate::sessions::guard;
use crate::world::{NOW, World, on_both};
use fiscal::value::TpAmb;
use store::accounts::{NewAccount, NewApiKey, Permissao};
use store::audit::{Actor, AuditFilter};
use store::identities::{ExternalIdentity, ExternalOpening, NewExternalSession};
use store::second_factor::{CONFIRM_WITHIN_S, ConfirmedFactor, FactorProof, SecondFactor};
use store::session_list::OpenUserSession;
use store::sessions::{NewSession, SessionKind, SessionOpening};
use store::users::{NewUser, User};
use store::{Error, Store};
use uuid::Uuid;
use zeroize::Zeroizing;

const HASH: &str = "$argon2id$a";
const SECRET: &[u8] = b"12345678901234567890";

/// A tenant with a user and a key of homologação.
async fn person(world: &World, email: &str) -> User {
    let store = &world.store;
    let account = NewAccount { nome: "Loja".into(), email: email.into(), senha_hash: HASH.into() };
    let tenant = store.create_account(account, NOW).await.unwrap();
    let mut hash = [0; 32];
    hash[..16].copy_from_slice(tenant.as_bytes());
    let key = NewApiKey {
        nome: "k".into(),
        ambiente: TpAmb::Homologacao,
        permissao: Permissao::Completa,
        prefixo: "crb".into(),
        hash,
    };
    store.create_api_key(tenant, key, &Actor::operator(), NOW).await.unwrap();
    store.user_by_email(email).await.unwrap()
}

async fn open(store: &Store, user: &User, factor: FactorProof) -> SessionOpening {
    let new = NewSession {
        tenant_id: user.tenant_id,
        user_id: user.id,
        senha_hash: user.senha_hash.clone(),
        ambiente: None,
        kind: SessionKind::Painel,
        expira_em: NOW + 3600,
        guard: guard(1),
        attempt_id: Uuid::now_v7(),
        factor,
        navegador: Some("Firefox".into()),
    };
    store.open_session(new, &Actor::operator(), NOW).await.unwrap()
}

async fn is_open(store: &Store, user: &User, factor: FactorProof) -> bool {
    match open(store, user, factor).await {
        SessionOpening::Session(_) => true,
        SessionOpening::FactorRefused => false,
        other => panic!("{other:?}"),
    }
}

async fn begin(store: &Store, user: &User, at: i64) -> Result<(), Error> {
    store.begin_second_factor(user.tenant_id, user.id, Zeroizing::new(SECRET.to_vec()), at).await
}

async fn read(store: &Store, user: &User, at: i64) -> Option<SecondFactor> {
    store.second_factor(user.tenant_id, user.id, at).await.unwrap()
}

/// Turns it on with the recovery digests 1, 2 and 3; gives its id.
async fn turn_on(store: &Store, user: &User) -> Uuid {
    begin(store, user, NOW).await.unwrap();
    let factor = read(store, user, NOW).await.unwrap();
    let confirmed = confirmed(user, factor.id);
    store.confirm_second_factor(confirmed, &Actor::operator(), NOW).await.unwrap();
    factor.id
}

fn confirmed(user: &User, factor_id: Uuid) -> ConfirmedFactor {
    let recovery = vec![[1; 32], [2; 32], [3; 32]];
    ConfirmedFactor { tenant_id: user.tenant_id, user_id: user.id, factor_id, step: 100, recovery }
}

fn identity(subject: &str) -> ExternalIdentity {
    ExternalIdentity { issuer: "https://p.example".into(), subject: subject.into(), email: None }
}

async fn enter(store: &Store, subject: &str, email: Option<&str>) -> ExternalOpening {
    let matched_email = email.map(str::to_owned);
    let new = NewExternalSession { identity: identity(subject), matched_email, expira_em: NOW + 9, navegador: None };
    store.open_external_session(new, &Actor::operator(), NOW).await.unwrap()
}

async fn acts(store: &Store, tenant: Uuid, act: &str) -> usize {
    let (entries, _) = store.audit_trail(tenant, AuditFilter::default(), 100, 0).await.unwrap();
    entries.into_iter().filter(|entry| entry.ato == act).count()
}

on_both! {
    async fn a_secret_waits_a_quarter_of_an_hour_for_its_first_code(world) {
        let (store, user) = (&world.store, person(&world, "ana@x.com.br").await);
        begin(store, &user, NOW).await.unwrap();
        let waiting = read(store, &user, NOW + CONFIRM_WITHIN_S - 1).await.unwrap();
        assert_eq!((waiting.secret.as_slice(), waiting.confirmado_em), (SECRET, None));
        assert!(matches!(open(store, &user, FactorProof::Absent).await, SessionOpening::Session(_)));
        assert!(read(store, &user, NOW + CONFIRM_WITHIN_S).await.is_none());
        let confirm = async |id, at| store.confirm_second_factor(confirmed(&user, id), &Actor::operator(), at).await;
        assert!(matches!(confirm(waiting.id, NOW + CONFIRM_WITHIN_S).await, Err(Error::Conflict(_))));
        assert!(matches!(confirm(Uuid::now_v7(), NOW).await, Err(Error::Conflict(_))));
        confirm(waiting.id, NOW + CONFIRM_WITHIN_S - 1).await.unwrap();
        assert!(matches!(confirm(waiting.id, NOW).await, Err(Error::Conflict(_))));
        // confirmed, it stays, and no other is begun over it
        assert!(read(store, &user, NOW + CONFIRM_WITHIN_S * 9).await.is_some());
        assert!(matches!(begin(store, &user, NOW).await, Err(Error::Conflict(_))));
        assert_eq!(open(store, &user, FactorProof::Absent).await, SessionOpening::FactorMissing);
    }

    async fn a_step_is_accepted_once_and_no_earlier_one_after_it(world) {
        let (store, user) = (&world.store, person(&world, "ana@x.com.br").await);
        let factor = turn_on(store, &user).await;
        let step = |step| FactorProof::Step { factor, step };
        assert!(!is_open(store, &user, step(100)).await, "the code that confirmed it is used");
        assert!(is_open(store, &user, step(102)).await);
        for used in [102, 101, 99] {
            assert!(!is_open(store, &user, step(used)).await, "{used}");
        }
        let other = FactorProof::Step { factor: Uuid::now_v7(), step: 200 };
        assert!(!is_open(store, &user, other).await, "a code of another secret");
        let mut calls = Vec::new();
        for _ in 0..8 {
            let (store, user) = (world.open_again().await, user.clone());
            let proof = FactorProof::Step { factor, step: 103 };
            calls.push(tokio::spawn(async move { is_open(&store, &user, proof).await }));
        }
        let mut entered = 0;
        for call in calls {
            entered += u32::from(call.await.unwrap());
        }
        assert_eq!(entered, 1);
    }

    async fn a_recovery_code_is_accepted_once_until_it_is_replaced(world) {
        let (store, user) = (&world.store, person(&world, "ana@x.com.br").await);
        let neighbour = person(&world, "bia@x.com.br").await;
        let factor = turn_on(store, &user).await;
        turn_on(store, &neighbour).await;
        let mut calls = Vec::new();
        for _ in 0..8 {
            let (store, user) = (world.open_again().await, user.clone());
            calls.push(tokio::spawn(async move { is_open(&store, &user, FactorProof::Recovery([1; 32])).await }));
        }
        let mut entered = 0;
        for call in calls {
            entered += u32::from(call.await.unwrap());
        }
        assert_eq!((entered, acts(store, user.tenant_id, "codigo_recuperacao_usado").await), (1, 1));
        assert_eq!(read(store, &user, NOW).await.unwrap().recovery_left, 2);
        assert_eq!(read(store, &neighbour, NOW).await.unwrap().recovery_left, 3);
        assert!(!is_open(store, &user, FactorProof::Recovery([9; 32])).await);
        let replace = async |proof| {
            let recovery = vec![[7; 32], [8; 32]];
            let (tenant, operator) = (user.tenant_id, Actor::operator());
            store.replace_recovery_codes(tenant, user.id, proof, recovery, &operator, NOW).await.unwrap()
        };
        assert!(!replace(FactorProof::Absent).await && !replace(FactorProof::Recovery([1; 32])).await);
        assert_eq!(read(store, &user, NOW).await.unwrap().recovery_left, 2, "a refused proof replaces nothing");
        assert!(replace(FactorProof::Step { factor, step: 101 }).await);
        assert!(!is_open(store, &user, FactorProof::Recovery([2; 32])).await);
        assert!(is_open(store, &user, FactorProof::Recovery([7; 32])).await);
        assert!(is_open(store, &neighbour, FactorProof::Recovery([2; 32])).await);
        assert_eq!(acts(store, user.tenant_id, "codigos_recuperacao_trocados").await, 1);
    }

    async fn wrong_codes_are_counted_until_a_right_one(world) {
        let (store, user) = (&world.store, person(&world, "ana@x.com.br").await);
        store.record_wrong_code(user.tenant_id, user.id, NOW).await.unwrap();
        let factor = turn_on(store, &user).await;
        let counted = async || {
            let found = read(store, &user, NOW).await.unwrap();
            (found.wrong_codes, found.wrong_at)
        };
        assert_eq!(counted().await, (0, 0));
        for second in 1..=3 {
            store.record_wrong_code(user.tenant_id, user.id, NOW + second).await.unwrap();
            store.record_wrong_code(Uuid::now_v7(), user.id, NOW + 9).await.unwrap();
        }
        assert_eq!(counted().await, (3, NOW + 3));
        assert!(!is_open(store, &user, FactorProof::Step { factor, step: 1 }).await);
        assert_eq!(counted().await.0, 3);
        assert!(is_open(store, &user, FactorProof::Step { factor, step: 101 }).await);
        assert_eq!(counted().await.0, 0);
        store.record_wrong_code(user.tenant_id, user.id, NOW).await.unwrap();
        assert!(is_open(store, &user, FactorProof::Recovery([1; 32])).await);
        assert_eq!(counted().await.0, 0);
    }

    async fn turned_off_it_leaves_nothing(world) {
        let (store, user) = (&world.store, person(&world, "ana@x.com.br").await);
        let factor = turn_on(store, &user).await;
        let remove = async |proof| {
            store.remove_second_factor(user.tenant_id, user.id, proof, &Actor::operator(), NOW).await.unwrap()
        };
        let used = FactorProof::Step { factor, step: 100 };
        assert!(!remove(Some(used)).await && !remove(Some(FactorProof::Absent)).await);
        assert!(read(store, &user, NOW).await.is_some());
        assert!(remove(Some(FactorProof::Step { factor, step: 101 })).await);
        assert!(read(store, &user, NOW).await.is_none());
        // another secret takes no code and no recovery code of the old one
        begin(store, &user, NOW).await.unwrap();
        let fresh = read(store, &user, NOW).await.unwrap();
        let bare = ConfirmedFactor { recovery: vec![[5; 32]], ..confirmed(&user, fresh.id) };
        store.confirm_second_factor(bare, &Actor::operator(), NOW).await.unwrap();
        assert!(!is_open(store, &user, FactorProof::Step { factor, step: 102 }).await);
        assert!(!is_open(store, &user, FactorProof::Recovery([1; 32])).await);
        // the operator needs no proof
        assert!(remove(None).await);
        assert!(matches!(open(store, &user, FactorProof::Absent).await, SessionOpening::Session(_)));
    }

    async fn an_identity_is_of_one_user_and_never_goes_past_a_second_factor_by_its_e_mail(world) {
        let (store, user) = (&world.store, person(&world, "ana@x.com.br").await);
        let neighbour = person(&world, "bia@x.com.br").await;
        let operator = Actor::operator();
        assert_eq!(enter(store, "s1", None).await, ExternalOpening::Unknown);
        assert_eq!(enter(store, "s1", Some("caio@x.com.br")).await, ExternalOpening::Unknown);
        let is_in = async |user: &User, subject, email| match enter(store, subject, email).await {
            ExternalOpening::Session(at) => at.user_id == user.id,
            other => panic!("{other:?}"),
        };
        assert!(is_in(&user, "s1", Some("ANA@x.com.br")).await);
        // afterwards the subject counts: with another e-mail it is ana, and ana's e-mail with another subject is not
        assert!(is_in(&user, "s1", Some("bia@x.com.br")).await);
        assert_eq!(enter(store, "s2", Some("ana@x.com.br")).await, ExternalOpening::Unlinked);
        let link = async |user: &User, subject| {
            store.link_identity(user.tenant_id, user.id, identity(subject), &operator, NOW).await
        };
        assert!(matches!(link(&neighbour, "s1").await, Err(Error::Conflict(_))));
        assert!(matches!(link(&user, "s3").await, Err(Error::Conflict(_))));
        turn_on(store, &neighbour).await;
        assert_eq!(enter(store, "s4", Some("bia@x.com.br")).await, ExternalOpening::Unlinked);
        link(&neighbour, "s4").await.unwrap();
        assert!(is_in(&neighbour, "s4", None).await);
        store.unlink_identity(neighbour.tenant_id, neighbour.id, &operator, NOW).await.unwrap();
        assert_eq!(enter(store, "s4", Some("bia@x.com.br")).await, ExternalOpening::Unlinked);
        // a removed user leaves no identity
        let second = NewUser { email: "caio@x.com.br".into(), nome: None, senha_hash: HASH.into() };
        store.create_user(user.tenant_id, second, &operator, NOW).await.unwrap();
        store.remove_user(user.tenant_id, user.id, &operator, NOW).await.unwrap();
        assert_eq!(enter(store, "s1", None).await, ExternalOpening::Unknown);
        assert!(matches!(link(&user, "s1").await, Err(Error::NotFound)));
    }

    async fn sessions_are_listed_and_ended_by_their_own_user_only(world) {
        let (store, user) = (&world.store, person(&world, "ana@x.com.br").await);
        let neighbour = person(&world, "bia@x.com.br").await;
        let mut ids = Vec::new();
        for _ in 0..3 {
            let SessionOpening::Session(session) = open(store, &user, FactorProof::Absent).await else { panic!() };
            ids.push(session.session_id);
        }
        let list = async |at: i64| -> Vec<Uuid> {
            let found = store.user_sessions(user.tenant_id, user.id, 900, at).await.unwrap();
            let is_ours = |one: &OpenUserSession| one.is_panel && !one.is_external;
            assert!(found.iter().all(|one| is_ours(one) && one.navegador.as_deref() == Some("Firefox")));
            found.into_iter().map(|one| one.id).collect()
        };
        let operator = Actor::operator();
        assert_eq!(list(NOW).await.len(), 3);
        assert!(list(NOW + 900).await.is_empty(), "idle ones have ended");
        for (tenant, other) in [(neighbour.tenant_id, neighbour.id), (user.tenant_id, neighbour.id)] {
            let refused = store.end_user_session(tenant, other, ids[0], &operator, NOW).await;
            assert!(matches!(refused, Err(Error::NotFound)));
        }
        store.end_user_session(user.tenant_id, user.id, ids[0], &operator, NOW).await.unwrap();
        let again = store.end_user_session(user.tenant_id, user.id, ids[0], &operator, NOW).await;
        assert!(matches!(again, Err(Error::NotFound)));
        assert_eq!(store.end_other_sessions(user.tenant_id, user.id, ids[2], &operator, NOW).await.unwrap(), 1);
        assert_eq!(list(NOW).await, [ids[2]]);
    }
}
