//! Roles of people, the companies that they reach, and invitations.

use crate::sessions::guard;
use crate::world::{CNPJ, NOW, OTHER_CNPJ, World, on_both};
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::json;
use store::accounts::{NewAccount, NewApiKey, Permissao};
use store::audit::{Actor, ActorKind, AuditAct, AuditFilter};
use store::emissions::{EmissionFilter, PageCursor};
use store::exports::{ExportForms, NewExport};
use store::invitations::{KNOWN_ADDRESS, NewInvitation};
use store::jobs::report::{ReportKind, ReportScope};

use store::jobs::{JobSearch, NewJob};
use store::notes::{ListWindow, NoteFilter, Period};
use store::received::{InboxFilter, ReceivedFilter};
use store::roles::{LAST_ADMINISTRATOR, ONLY_ROLE, RoleGrant};
use store::sessions::{NewSession, SessionCaller, SessionKind, SessionOpening};
use store::users::NewUser;
use store::webhooks::DeliveryFilter;
use store::{Error, Visibility};
use uuid::Uuid;

const HASH: &str = "$argon2id$a";
const ALL: ListWindow = ListWindow { limit: 100, skip: 0 };

fn company(text: &str) -> CnpjCpf {
    CnpjCpf::parse(text).unwrap()
}

fn user_of(email: &str) -> NewUser {
    NewUser { email: email.to_owned(), nome: None, senha_hash: HASH.to_owned() }
}

/// A tenant with a key, two companies, and an administrator.
async fn account(world: &World) -> (Uuid, Uuid) {
    let store = &world.store;
    let new = NewAccount { nome: "Loja".into(), email: "ana@x.com.br".into(), senha_hash: HASH.into() };
    let tenant = store.create_account(new, NOW).await.unwrap();
    let key = NewApiKey {
        nome: "k".into(),
        ambiente: TpAmb::Homologacao,
        permissao: Permissao::Completa,
        prefixo: "crb".into(),
        hash: [1; 32],
    };
    store.create_api_key(tenant, key, &Actor::operator(), NOW).await.unwrap();
    for number in [CNPJ, OTHER_CNPJ] {
        store.create_company(tenant, company(number), json!({}), &Actor::operator(), NOW).await.unwrap();
    }
    (tenant, store.user_by_email("ana@x.com.br").await.unwrap().id)
}

async fn session(world: &World, tenant: Uuid, user: Uuid) -> SessionCaller {
    let new = NewSession {
        tenant_id: tenant,
        user_id: user,
        senha_hash: HASH.to_owned(),
        ambiente: None,
        kind: SessionKind::Api,
        expira_em: NOW + 3_600,
        guard: guard(1),
        attempt_id: Uuid::now_v7(),
        factor: store::second_factor::FactorProof::Absent,
        navegador: None,
    };
    match world.store.open_session(new, &Actor::operator(), NOW).await.unwrap() {
        SessionOpening::Session(session) => session,
        other => panic!("{other:?}"),
    }
}

/// A user with one role in one company alone.
async fn limited(world: &World, tenant: Uuid, email: &str, role: Permissao) -> Uuid {
    let (store, operator) = (&world.store, Actor::operator());
    let user = store.create_user(tenant, user_of(email), &operator, NOW).await.unwrap();
    let grant = RoleGrant { company: Some(company(CNPJ)), role };
    store.put_grant(tenant, user, grant, &operator, NOW).await.unwrap();
    store.remove_grant(tenant, user, None, &operator, NOW).await.unwrap();
    user
}

on_both! {
    async fn a_role_in_one_company_bounds_every_query(world) {
        let (tenant, _) = account(&world).await;
        let store = &world.store;
        let of = async |number| {
            let job = NewJob { tenant_id: tenant, cota: None, ..world.job_of(number) };
            world.register(job).await
        };
        let (ours, theirs) = (of(CNPJ).await, of(OTHER_CNPJ).await);
        let user = limited(&world, tenant, "bia@x.com.br", Permissao::Contador).await;
        let caller = session(&world, tenant, user).await.caller;
        assert_eq!(caller.permissao, Permissao::Contador);
        let (sight, whole) = (Visibility::of(&caller), Visibility::whole(tenant));
        assert!(store.reaches(sight, company(CNPJ)).await.unwrap());
        assert!(!store.reaches(sight, company(OTHER_CNPJ)).await.unwrap());
        assert_eq!(store.job(sight, ours).await.unwrap().id, ours);
        assert!(matches!(store.job(sight, theirs).await, Err(Error::NotFound)));
        assert!(store.job(whole, theirs).await.is_ok());
        let ids = |jobs: Vec<store::jobs::Job>| jobs.into_iter().map(|job| job.id).collect::<Vec<_>>();
        assert_eq!(ids(store.jobs(sight, vec![theirs, ours]).await.unwrap()), [ours]);
        assert_eq!(ids(store.jobs(whole, vec![theirs, ours]).await.unwrap()), [theirs, ours]);
        let search = JobSearch { emitente: None, destinatario: None, valor: None, periodo: Period::default() };
        assert_eq!(ids(store.find_jobs(sight, search, ALL).await.unwrap()), [ours]);
        let filter = || EmissionFilter::of(TpAmb::Homologacao);
        let page = store.emissions(sight, filter(), PageCursor::Newest, 10).await.unwrap();
        assert_eq!(ids(page.jobs), [ours]);
        assert_eq!(store.count_emissions(sight, filter()).await.unwrap().n, 1);
        assert_eq!(store.count_emissions(whole, filter()).await.unwrap().n, 2);
        assert_eq!(store.queues(sight).await.unwrap().len(), 1);
        let (companies, total) = store.list_companies(sight, 10, 0).await.unwrap();
        assert_eq!((companies.len(), companies[0].cpf_cnpj, total), (1, company(CNPJ), 1));
        assert_eq!(store.list_certificates(sight).await.unwrap().len(), 1);
        // the others are empty here, and are asked in both dialects
        assert_eq!(store.notes(sight, NoteFilter::default(), ALL).await.unwrap().1, 0);
        let recent = Period { from: Some(NOW - 86_400 * 3), until: Some(NOW + 86_400) };
        assert_eq!(store.notes(sight, NoteFilter { periodo: recent, ..NoteFilter::default() }, ALL).await.unwrap().1, 0);
        assert_eq!(store.voided(sight, NoteFilter::default(), ALL).await.unwrap().1, 0);
        assert_eq!(store.deliveries(sight, DeliveryFilter::default(), 10, 0).await.unwrap().1, 0);
        assert_eq!(store.received_documents(sight, ReceivedFilter::default(), ALL).await.unwrap().1, 0);
        let inbox = store.received_inbox(sight, TpAmb::Homologacao, InboxFilter::default(), PageCursor::Newest, 10).await;
        assert!(inbox.unwrap().entries.is_empty());
        assert!(store.numberings(sight, None).await.unwrap().is_empty());
        assert!(store.unsettled(sight, 10).await.unwrap().is_empty());
        assert!(matches!(store.delivery(sight, Uuid::now_v7()).await, Err(Error::NotFound)));
        assert!(matches!(store.confirmation_by_id(sight, Uuid::now_v7()).await, Err(Error::NotFound)));
        for kind in [ReportKind::Failed, ReportKind::Rejected] {
            let scope = || ReportScope { visibility: sight, periodo: Period::default(), emitente: None, tipo: None, ambiente: None };
            assert_eq!(store.report(kind, scope(), ALL).await.unwrap().1, 0);
        }
    }

    async fn a_role_in_one_company_sees_its_exports_alone(world) {
        let (tenant, _) = account(&world).await;
        let store = &world.store;
        let user = limited(&world, tenant, "bia@x.com.br", Permissao::Contador).await;
        let caller = session(&world, tenant, user).await.caller;
        let (sight, whole) = (Visibility::of(&caller), Visibility::whole(tenant));
        let export = |number| NewExport {
            tenant,
            id: Uuid::now_v7(),
            ambiente: TpAmb::Homologacao,
            cpf_cnpj: company(number),
            de: "2026-11-01".to_owned(),
            ate: "2026-11-30".to_owned(),
            tipos: Vec::new(),
            forms: ExportForms::Absent,
            most: 10,
            since: 0,
            avisar: None,
        };
        let made = store.create_export(export(OTHER_CNPJ), &Actor::operator(), NOW).await.unwrap();
        assert_eq!(store.exports(sight, TpAmb::Homologacao, ALL).await.unwrap().1, 0);
        assert!(matches!(store.export(sight, TpAmb::Homologacao, made.id).await, Err(Error::NotFound)));
        assert!(store.export(whole, TpAmb::Homologacao, made.id).await.is_ok());
    }

    async fn an_account_keeps_an_administrator_and_a_person_a_role(world) {
        let (tenant, ana) = account(&world).await;
        let (store, operator) = (&world.store, Actor::operator());
        let everywhere = |role| RoleGrant { company: None, role };
        let last = |done: Result<(), Error>| matches!(done, Err(Error::Conflict(LAST_ADMINISTRATOR)));
        assert!(last(store.put_grant(tenant, ana, everywhere(Permissao::Contador), &operator, NOW).await));
        assert!(last(store.remove_grant(tenant, ana, None, &operator, NOW).await));
        let bia = limited(&world, tenant, "bia@x.com.br", Permissao::Emissor).await;
        assert!(last(store.remove_user(tenant, ana, &operator, NOW).await));
        let only = store.remove_grant(tenant, bia, Some(company(CNPJ)), &operator, NOW).await;
        assert!(matches!(only, Err(Error::Conflict(ONLY_ROLE))));
        let foreign = RoleGrant { company: Some(company("00394460005887")), role: Permissao::Emissor };
        assert!(matches!(store.put_grant(tenant, bia, foreign, &operator, NOW).await, Err(Error::NotFound)));
        let stranger = store.put_grant(Uuid::now_v7(), bia, everywhere(Permissao::Emissor), &operator, NOW).await;
        assert!(matches!(stranger, Err(Error::NotFound)));
        // nothing of it was done
        let grants = store.person(tenant, ana).await.unwrap().grants;
        assert_eq!(grants, [everywhere(Permissao::Administrador)]);
        store.put_grant(tenant, bia, everywhere(Permissao::Administrador), &operator, NOW).await.unwrap();
        store.remove_user(tenant, ana, &operator, NOW).await.unwrap();
        assert_eq!(store.people(tenant).await.unwrap().len(), 1);
    }

    async fn an_invitation_is_used_once(world) {
        let (tenant, ana) = account(&world).await;
        let store = &world.store;
        let by = Actor { kind: ActorKind::User(ana), ambiente: TpAmb::Homologacao, request_id: None, address: None };
        let new = |email: &str, hash: u8| NewInvitation {
            email: email.to_owned(),
            nome: Some("Bia".to_owned()),
            role: Permissao::Contador,
            companies: vec![company(CNPJ)],
            token_hash: [hash; 32],
            expira_em: NOW + 100,
            most: 4,
        };
        let known = store.invite(tenant, new("Ana@x.com.br", 5), &by, NOW).await;
        assert!(matches!(known, Err(Error::Conflict(KNOWN_ADDRESS))));
        store.invite(tenant, new("bia@x.com.br", 6), &by, NOW).await.unwrap();
        let second = store.invite(tenant, new("bia@x.com.br", 7), &by, NOW).await.unwrap();
        assert!(matches!(store.invitation_of([6; 32], NOW).await, Err(Error::NotFound)));
        let open = store.open_invitations(tenant, NOW).await.unwrap();
        assert_eq!((open.len(), open[0].id, open[0].convidado_por.as_deref()), (1, second, Some("ana@x.com.br")));
        assert!(matches!(store.invitation_of([7; 32], NOW + 100).await, Err(Error::NotFound)));
        assert!(matches!(store.revoke_invitation(Uuid::now_v7(), second, &by, NOW).await, Err(Error::NotFound)));
        let accepted = futures_of(&world, [7; 32]).await;
        assert_eq!(accepted.iter().filter(|done| done.is_ok()).count(), 1, "{accepted:?}");
        let bia = store.user_by_email("bia@x.com.br").await.unwrap().id;
        let grants = store.person(tenant, bia).await.unwrap().grants;
        assert_eq!(grants, [RoleGrant { company: Some(company(CNPJ)), role: Permissao::Contador }]);
        // revoked ones count until they would have expired
        store.invite(tenant, new("caio@x.com.br", 8), &by, NOW).await.unwrap();
        assert!(matches!(store.invite(tenant, new("davi@x.com.br", 9), &by, NOW).await, Err(Error::AccountFull { .. })));
        let filter = AuditFilter { by: Some(bia), act: Some(AuditAct::ConviteAceito), ..AuditFilter::default() };
        let entries = store.audit_entries(tenant, filter, None, 10).await.unwrap();
        assert_eq!((entries.len(), entries[0].ator_nome.as_deref()), (1, Some("bia@x.com.br")));
    }

    async fn an_invitation_is_open_while_its_maker_administers(world) {
        let (tenant, ana) = account(&world).await;
        let (store, operator) = (&world.store, Actor::operator());
        let bia = store.create_user(tenant, user_of("bia@x.com.br"), &operator, NOW).await.unwrap();
        let by = Actor { kind: ActorKind::User(bia), ambiente: TpAmb::Homologacao, request_id: None, address: None };
        let new = |email: &str, hash: u8| NewInvitation {
            email: email.to_owned(),
            nome: None,
            role: Permissao::Administrador,
            companies: Vec::new(),
            token_hash: [hash; 32],
            expira_em: NOW + 100,
            most: 100,
        };
        store.invite(tenant, new("caio@x.com.br", 6), &by, NOW).await.unwrap();
        store.invite(tenant, new("davi@x.com.br", 7), &operator, NOW).await.unwrap();
        assert!(store.invitation_of([6; 32], NOW).await.is_ok());
        let of_one = RoleGrant { company: Some(company(CNPJ)), role: Permissao::Administrador };
        store.put_grant(tenant, bia, of_one, &operator, NOW).await.unwrap();
        store.remove_grant(tenant, bia, None, &operator, NOW).await.unwrap();
        assert!(matches!(store.invitation_of([6; 32], NOW).await, Err(Error::NotFound)));
        let accepted = store.accept_invitation([6; 32], HASH.to_owned(), &operator, NOW).await;
        assert!(matches!(accepted, Err(Error::NotFound)));
        assert_eq!(store.open_invitations(tenant, NOW).await.unwrap().len(), 1);
        assert!(store.accept_invitation([7; 32], HASH.to_owned(), &operator, NOW).await.is_ok());
        // the administrators of now: those of before stay, the one of a company is none of the account
        let last = store.remove_user(tenant, ana, &operator, NOW).await;
        assert!(last.is_ok(), "{last:?}");
    }

    async fn of_two_administrators_who_lower_each_other_one_stays(world) {
        let (tenant, ana) = account(&world).await;
        let (store, operator) = (&world.store, Actor::operator());
        let bia = store.create_user(tenant, user_of("bia@x.com.br"), &operator, NOW).await.unwrap();
        let reads = || RoleGrant { company: None, role: Permissao::Contador };
        let (one, other) = tokio::join!(
            store.put_grant(tenant, ana, reads(), &operator, NOW),
            store.remove_user(tenant, bia, &operator, NOW)
        );
        assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
        let people = store.people(tenant).await.unwrap();
        let administers = |grant: &RoleGrant| grant.company.is_none() && grant.role == Permissao::Administrador;
        assert_eq!(people.iter().filter(|person| person.grants.iter().any(administers)).count(), 1);
    }

    async fn the_trail_is_read_by_company_from_a_place_on(world) {
        let (tenant, _) = account(&world).await;
        let of = |number| AuditFilter { company: Some(company(number)), ..AuditFilter::default() };
        let entries = world.store.audit_entries(tenant, of(CNPJ), None, 10).await.unwrap();
        assert_eq!((entries.len(), entries[0].ato.as_str()), (1, "empresa_criada"));
        let all = world.store.audit_entries(tenant, AuditFilter::default(), None, 10).await.unwrap();
        let first = &all[0];
        let rest = world.store.audit_entries(tenant, AuditFilter::default(), Some((first.em, first.id)), 10).await.unwrap();
        assert_eq!(rest, all[1..]);
        assert!(all.len() > 2);
    }
}

/// Accepts an invitation twice at once.
async fn futures_of(world: &World, hash: [u8; 32]) -> Vec<Result<Uuid, Error>> {
    let operator = Actor::operator();
    let accept = || world.store.accept_invitation(hash, HASH.to_owned(), &operator, NOW);
    let (one, other) = tokio::join!(accept(), accept());
    vec![one, other]
}

/// Entries are written and read, and nothing in the store changes or deletes one.
#[test]
fn no_statement_changes_the_trail() {
    fn sources(folder: &std::path::Path, text: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => sources(&path, text),
                false if path.extension().is_some_and(|it| it == "rs") => {
                    text.push_str(&std::fs::read_to_string(&path).unwrap());
                }
                false => {}
            }
        }
    }
    let mut text = String::new();
    sources(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut text);
    let text = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    assert!(text.contains("insert into audit_trail"));
    for statement in ["update audit_trail", "delete from audit_trail"] {
        assert!(!text.contains(statement), "{statement}");
    }
}
