//! Tenants, users and their keys.

use crate::world::{NOW, on_both};
use fiscal::value::TpAmb;
use store::Error;
use store::accounts::{Account, Caller, KeyReplacement, NewAccount, NewApiKey, Permissao};
use store::audit::Actor;
use uuid::Uuid;

fn account(email: &str) -> NewAccount {
    NewAccount { nome: "Padaria".to_owned(), email: email.to_owned(), senha_hash: "$argon2id$x".to_owned() }
}

fn key(hash: u8, ambiente: TpAmb) -> NewApiKey {
    NewApiKey {
        nome: "loja".to_owned(),
        ambiente,
        permissao: Permissao::Assistida,
        prefixo: "crb_test_abc".to_owned(),
        hash: [hash; 32],
    }
}

on_both! {
    async fn an_account_is_found_by_its_e_mail_in_any_case(world) {
        let tenant = world.store.create_account(account("Ana@Exemplo.com.br"), NOW).await.unwrap();
        let user = world.store.user_by_email("ANA@exemplo.com.br").await.unwrap();
        assert_eq!((user.tenant_id, user.senha_hash.as_str()), (tenant, "$argon2id$x"));
        assert!(!format!("{user:?}{:?}", account("x")).contains("argon2"));
        assert!(!format!("{:?}", key(213, TpAmb::Producao)).contains("213"));
        assert_eq!(world.store.account_by_email("ana@exemplo.com.br").await.unwrap(), tenant);
        assert!(matches!(world.store.account_by_email("bia@exemplo.com.br").await, Err(Error::NotFound)));
        let emails = vec!["ana@exemplo.com.br".to_owned()];
        let listed = world.store.list_accounts().await.unwrap();
        assert_eq!(listed, [Account { id: tenant, nome: "Padaria".to_owned(), emails }]);
    }

    async fn an_e_mail_belongs_to_one_account(world) {
        world.store.create_account(account("ana@exemplo.com.br"), NOW).await.unwrap();
        let second = world.store.create_account(account("ANA@exemplo.com.br"), NOW).await;
        assert!(matches!(second, Err(Error::Conflict(_))));
        assert_eq!(world.store.list_accounts().await.unwrap().len(), 1);
    }

    async fn a_key_names_its_caller_until_it_is_revoked(world) {
        let tenant = world.store.create_account(account("ana@exemplo.com.br"), NOW).await.unwrap();
        let id = world.store.create_api_key(tenant, key(7, TpAmb::Producao), &Actor::operator(), NOW).await.unwrap();
        let caller = world.store.caller(&[7; 32], NOW + 5).await.unwrap();
        assert_eq!(caller, Caller { tenant_id: tenant, api_key_id: id, ambiente: TpAmb::Producao, permissao: Permissao::Assistida, granted: None });
        assert!(matches!(world.store.caller(&[8; 32], NOW).await, Err(Error::NotFound)));
        assert!(matches!(world.store.revoke_api_key(Uuid::now_v7(), id, &Actor::operator(), NOW).await, Err(Error::NotFound)));
        world.store.revoke_api_key(tenant, id, &Actor::operator(), NOW + 1).await.unwrap();
        world.store.revoke_api_key(tenant, id, &Actor::operator(), NOW + 9).await.unwrap();
        assert!(matches!(world.store.caller(&[7; 32], NOW + 5).await, Err(Error::Conflict("revogada"))));
        assert_eq!(world.store.list_api_keys(tenant).await.unwrap()[0].revogado_em, Some(NOW + 1));
    }

    async fn a_replaced_key_is_valid_until_the_chosen_instant(world) {
        let tenant = world.store.create_account(account("ana@exemplo.com.br"), NOW).await.unwrap();
        let old = world.store.create_api_key(tenant, key(7, TpAmb::Producao), &Actor::operator(), NOW).await.unwrap();
        let replacement = |most| KeyReplacement { old, old_until: NOW + 100, most, key: key(8, TpAmb::Producao) };
        let full = world.store.replace_api_key(tenant, replacement(Some(1)), &Actor::operator(), NOW).await;
        assert!(matches!(full, Err(Error::AccountFull { most: 1 })));
        let id = world.store.replace_api_key(tenant, replacement(Some(2)), &Actor::operator(), NOW).await.unwrap();
        assert_eq!(world.store.caller(&[8; 32], NOW).await.unwrap().api_key_id, id);
        assert_eq!(world.store.caller(&[7; 32], NOW + 99).await.unwrap().api_key_id, old);
        assert!(matches!(world.store.caller(&[7; 32], NOW + 100).await, Err(Error::Conflict("revogada"))));
        let twice = KeyReplacement { key: key(9, TpAmb::Producao), ..replacement(None) };
        let twice = world.store.replace_api_key(tenant, twice, &Actor::operator(), NOW).await;
        assert!(matches!(twice, Err(Error::Conflict("revogada"))));
        assert_eq!(world.store.list_api_keys(tenant).await.unwrap().len(), 2, "the refused one left no key");
        let stranger = world.store.replace_api_key(Uuid::now_v7(), replacement(None), &Actor::operator(), NOW).await;
        assert!(matches!(stranger, Err(Error::NotFound)));
        // at once instead, after all
        world.store.revoke_api_key(tenant, old, &Actor::operator(), NOW + 10).await.unwrap();
        assert!(matches!(world.store.caller(&[7; 32], NOW + 11).await, Err(Error::Conflict("revogada"))));
    }

    async fn a_key_is_of_a_tenant_that_exists_and_of_one_only(world) {
        let stranger = world.store.create_api_key(Uuid::now_v7(), key(7, TpAmb::Homologacao), &Actor::operator(), NOW).await;
        assert!(matches!(stranger, Err(Error::NotFound)));
        let tenant = world.store.create_account(account("ana@exemplo.com.br"), NOW).await.unwrap();
        world.store.create_api_key(tenant, key(7, TpAmb::Homologacao), &Actor::operator(), NOW).await.unwrap();
        let same = world.store.create_api_key(tenant, key(7, TpAmb::Homologacao), &Actor::operator(), NOW).await;
        assert!(matches!(same, Err(Error::Conflict(_))));
    }

    async fn an_account_makes_so_many_keys_and_no_more(world) {
        let tenant = world.store.create_account(account("ana@exemplo.com.br"), NOW).await.unwrap();
        let operator = Actor::operator();
        let make = async |hash: u8, most: Option<u32>, now: i64| {
            world.store.create_api_key_within(tenant, most, key(hash, TpAmb::Homologacao), &operator, now).await
        };
        let first = make(1, Some(2), NOW).await.unwrap();
        make(2, Some(2), NOW).await.unwrap();
        assert!(matches!(make(3, Some(2), NOW).await, Err(Error::AccountFull { most: 2 })));
        // A revoked key leaves a slot free a day later, and the operator's commands pass the bound.
        world.store.revoke_api_key(tenant, first, &operator, NOW).await.unwrap();
        assert!(matches!(make(3, Some(2), NOW + 86_399).await, Err(Error::AccountFull { most: 2 })));
        make(3, Some(2), NOW + 86_400).await.unwrap();
        make(4, None, NOW + 86_400).await.unwrap();
        assert_eq!(world.store.list_api_keys(tenant).await.unwrap().len(), 4);
    }

    async fn the_last_use_of_a_key_is_noted_once_a_minute(world) {
        let tenant = world.store.create_account(account("ana@exemplo.com.br"), NOW).await.unwrap();
        world.store.create_api_key(tenant, key(7, TpAmb::Homologacao), &Actor::operator(), NOW).await.unwrap();
        let caller = world.store.caller(&[7; 32], NOW + 5).await.unwrap();
        assert!(world.store.touch_api_key(&caller, NOW).await.unwrap());
        assert!(!world.store.touch_api_key(&caller, NOW + 59).await.unwrap());
        assert_eq!(world.store.list_api_keys(tenant).await.unwrap()[0].ultimo_uso_em, Some(NOW));
        assert!(world.store.touch_api_key(&caller, NOW + 60).await.unwrap());
        assert_eq!(world.store.list_api_keys(tenant).await.unwrap()[0].ultimo_uso_em, Some(NOW + 60));
    }
}
