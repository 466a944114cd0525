//! Authors of jobs, their entries in the audit trail, and the acts on a document.

use crate::world::{NOW, World, line, on_both};
use fiscal::value::TpAmb;
use store::Visibility;
use store::accounts::{NewAccount, NewApiKey, Permissao};
use store::audit::{Actor, ActorKind, AuditFilter};
use store::jobs::{JobAuthor, NewJob, Operacao};
use uuid::Uuid;

fn actor(kind: ActorKind) -> Option<Actor> {
    Some(Actor { kind, ambiente: TpAmb::Homologacao, request_id: Some("r1".to_owned()), address: None })
}

/// A tenant with a user and a key.
async fn account(world: &World) -> (Uuid, Uuid, Uuid) {
    let account =
        NewAccount { nome: "Conta".to_owned(), email: "ana@exemplo.com.br".to_owned(), senha_hash: "$".to_owned() };
    let tenant = world.store.create_account(account, NOW).await.unwrap();
    let key = NewApiKey {
        nome: "do ERP".to_owned(),
        ambiente: TpAmb::Homologacao,
        permissao: Permissao::Completa,
        prefixo: "crb_test_abc".to_owned(),
        hash: [7; 32],
    };
    let key = world.store.create_api_key(tenant, key, &Actor::operator(), NOW).await.unwrap();
    let user = world.store.user_by_email("ana@exemplo.com.br").await.unwrap().id;
    (tenant, user, key)
}

on_both! {
    async fn a_job_names_its_author_and_a_users_order_is_in_the_trail(world) {
        let (tenant, user, key) = account(&world).await;
        let ordered = async |author| {
            let id = world.register(NewJob { tenant_id: tenant, cota: None, author, ..world.job() }).await;
            (id, world.store.job_author(tenant, id).await.unwrap())
        };
        let before = world.store.audit_trail(tenant, AuditFilter::default(), 100, 0).await.unwrap().1;
        assert_eq!(ordered(None).await.1, None);
        assert_eq!(ordered(actor(ActorKind::ApiKey(key))).await.1, Some(JobAuthor::ApiKey("do ERP".to_owned())));
        let stranger = ordered(actor(ActorKind::User(Uuid::now_v7()))).await;
        assert_eq!(stranger.1, Some(JobAuthor::Removed));
        let (id, author) = ordered(actor(ActorKind::User(user))).await;
        assert_eq!(author, Some(JobAuthor::User("ana@exemplo.com.br".to_owned())));
        world.store.withdraw(tenant, id, NOW, line("x"), actor(ActorKind::User(user))).await.unwrap();
        // nothing was withdrawn, so nothing is told
        world.store.withdraw(tenant, id, NOW, line("x"), actor(ActorKind::User(user))).await.unwrap();
        world.store.withdraw(tenant, stranger.0, NOW, line("x"), actor(ActorKind::ApiKey(key))).await.unwrap();
        let (trail, total) = world.store.audit_trail(tenant, AuditFilter::default(), 100, 0).await.unwrap();
        let told: Vec<(&str, &str)> =
            trail.iter().take(3).map(|entry| (entry.ato.as_str(), entry.alvo.as_str())).collect();
        let (id, other) = (id.to_string(), stranger.0.to_string());
        let expected = [("operacao_retirada", id.as_str()), ("operacao_pedida", &id), ("operacao_pedida", &other)];
        assert_eq!((told.as_slice(), total - before), (expected.as_slice(), 3));
        assert_eq!(trail[1].ator_nome.as_deref(), Some("ana@exemplo.com.br"));
        assert_eq!(trail[1].detalhes["operacao"], "emissao");
    }

    async fn the_acts_on_a_document_are_found_by_it_newest_first(world) {
        let (target, other) = (world.register(world.job()).await, world.register(world.job()).await);
        let act = |alvo| NewJob { operacao: Operacao::CartaCorrecao, alvo: Some(alvo), cota: None, ..world.job() };
        let (first, second) = (world.register(act(target)).await, world.register(act(target)).await);
        world.register(act(other)).await;
        let ids = async |most| {
            let found = world.store.acts_on(Visibility::whole(world.tenant), target, most).await.unwrap();
            found.iter().map(|job| job.id).collect::<Vec<_>>()
        };
        assert_eq!(ids(50).await, [second, first]);
        assert_eq!(ids(1).await, [second]);
        assert!(world.store.acts_on(Visibility::whole(Uuid::now_v7()), target, 50).await.unwrap().is_empty());
    }
}
