//! Mails: rows of the transaction that changes a document, attempts by lease, bounds, the block list, alerts, removal.

use crate::notes::cancel;
use crate::world::{CNPJ, NOW, World, chave, line, on_both, outcome, prepared, reserve, series};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::{Value, json};
use store::accounts::NewAccount;
use store::alert_records::GapCheck;
use store::audit::Actor;
use store::events::NewEvent;
use store::exports::{ExportForms, NewExport};
use store::jobs::{DocumentOutcome, NewAct, NewJob, Operacao, SignedDocument};
use store::mail::{
    AttemptEnd, ClaimedMail, MailChoice, MailFilter, MailKind, MailOutcome, MailRecord, MailStatus, NewMail,
};
use store::notes::ListWindow;
use store::numbers::SequenceRange;
use store::{Error, Visibility};
use uuid::Uuid;

const TEST: TpAmb = TpAmb::Homologacao;
const ADDRESS: &str = "teste@exemplo.com.br";

fn cnpj() -> CnpjCpf {
    CnpjCpf::parse(CNPJ).unwrap()
}

async fn choose(world: &World, enviar: bool, sempre_para: Option<&str>) -> Result<(), Error> {
    let choice = MailChoice {
        tipo: Tipo::Nfe,
        enviar,
        responder_para: None,
        copia_para: Some("copia@exemplo.com.br".to_owned()),
        sempre_para: sempre_para.map(str::to_owned),
    };
    world.store.set_mail_choice(world.tenant, cnpj(), TEST, choice, &Actor::operator(), NOW).await
}

/// A company that mails its NF-e.
async fn mailing(world: &World) {
    world.store.create_company(world.tenant, cnpj(), json!({}), &Actor::operator(), NOW).await.unwrap();
    choose(world, true, Some(ADDRESS)).await.unwrap();
}

async fn authorised(world: &World) -> Uuid {
    let lease = world.sending_anew().await;
    world.store.settle(lease, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
    lease.job_id
}

async fn found(world: &World, filter: MailFilter) -> Vec<MailRecord> {
    let (mails, total) = world
        .store
        .mails(Visibility::whole(world.tenant), TEST, filter, ListWindow { limit: 100, skip: 0 })
        .await
        .unwrap();
    assert_eq!(mails.len() as u64, total);
    mails
}

async fn kinds(world: &World, job: Uuid) -> Vec<MailKind> {
    found(world, MailFilter { job: Some(job), status: None }).await.iter().map(|mail| mail.kind).collect()
}

async fn take(world: &World, now: i64) -> Option<ClaimedMail> {
    world.store.claim_mail(world.tenant, now, now + 60).await.unwrap()
}

fn end(outcome: MailOutcome, em: i64) -> AttemptEnd {
    AttemptEnd {
        em,
        etapa: "destinatário",
        codigo: Some(550),
        resposta: "5.1.1 unknown".to_owned(),
        outcome,
        para: Some(ADDRESS.to_owned()),
        assunto: Some("NF-e".to_owned()),
        block: None,
    }
}

fn by_hand(para: &str) -> NewMail {
    NewMail {
        ambiente: TEST,
        kind: MailKind::Teste,
        job: None,
        cpf_cnpj: None,
        tipo: None,
        para: Some(para.to_owned()),
        copia_para: None,
        responder_para: None,
    }
}

async fn order(world: &World) -> Result<MailRecord, Error> {
    world.store.order_mail(world.tenant, by_hand(ADDRESS), &Actor::operator(), NOW).await
}

/// World of a registered account with one user.
async fn with_user(world: World) -> (World, Uuid) {
    let account =
        NewAccount { nome: "Loja".to_owned(), email: "ana@x.com.br".to_owned(), senha_hash: "$argon2id$a".to_owned() };
    let tenant = world.store.create_account(account, NOW).await.unwrap();
    let user = world.store.user_by_email("ana@x.com.br").await.unwrap().id;
    (World { tenant, ..world }, user)
}

async fn gaps(world: &World, from: u64, count: u64, now: i64) {
    let check = GapCheck { tenant: world.tenant, series: series() };
    let gaps = (from..from + count).map(|number| SequenceRange { from: number, until: number }).collect();
    world.store.record_gaps(check, gaps, now).await.unwrap();
}

on_both! {
    async fn a_document_is_mailed_once_by_its_companys_choice(world) {
        mailing(&world).await;
        let job = authorised(&world).await;
        let mail = found(&world, MailFilter::default()).await.remove(0);
        assert_eq!((mail.kind, mail.status, mail.job, mail.tipo), (MailKind::Nota, MailStatus::Pendente, Some(job), Some(Tipo::Nfe)));
        assert_eq!((mail.para.as_deref(), mail.copia_para.as_deref(), mail.cpf_cnpj), (Some(ADDRESS), Some("copia@exemplo.com.br"), Some(cnpj())));
        cancel(&world, job).await;
        assert_eq!(kinds(&world, job).await, [MailKind::Cancelamento, MailKind::Nota]);
        // a rejected document has none, and none has one whose company chose so, or that no test address would get
        let lease = world.sending_anew().await;
        world.store.settle(lease, outcome(DocumentState::Rejected), NOW, Vec::new()).await.unwrap();
        choose(&world, true, None).await.unwrap();
        authorised(&world).await;
        choose(&world, false, Some(ADDRESS)).await.unwrap();
        authorised(&world).await;
        assert_eq!(found(&world, MailFilter::default()).await.len(), 2);
        // one that waits is not ordered again, to another address it is
        let again = |para: &str| NewMail { kind: MailKind::Nota, job: Some(job), ..by_hand(para) };
        let actor = Actor::operator();
        let twice = world.store.order_mail(world.tenant, again(ADDRESS), &actor, NOW).await;
        assert!(matches!(twice, Err(Error::Conflict(_))));
        world.store.order_mail(world.tenant, again("outro@exemplo.com.br"), &actor, NOW).await.unwrap();
        // choices are of a registered company and end with it
        assert!(matches!(choose(&World { tenant: Uuid::now_v7(), place: world.place.clone(), store: world.store.clone() }, true, None).await, Err(Error::NotFound)));
        assert_eq!(world.store.mail_choices(world.tenant, cnpj(), TEST).await.unwrap().len(), 1);
        assert!(world.store.mail_choices(world.tenant, cnpj(), TpAmb::Producao).await.unwrap().is_empty());
    }

    async fn documents_that_end_together_have_a_mail_each(world) {
        mailing(&world).await;
        let mut leases = Vec::new();
        for _ in 0..24 {
            leases.push(world.sending_anew().await);
        }
        let settled: Vec<_> = leases.iter().map(|lease| {
            let (store, lease) = (world.store.clone(), *lease);
            tokio::spawn(async move { store.settle(lease, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap() })
        }).collect();
        for one in settled {
            one.await.unwrap();
        }
        let mut mailed: Vec<Uuid> = found(&world, MailFilter::default()).await.iter().filter_map(|mail| mail.job).collect();
        let mut jobs: Vec<Uuid> = leases.iter().map(|lease| lease.job_id).collect();
        mailed.sort();
        jobs.sort();
        assert_eq!(mailed, jobs);
    }

    async fn a_document_that_moves_to_another_emission_takes_its_mail_along(world) {
        mailing(&world).await;
        let (sale, _) = world.sending().await;
        world.store.mark_state(sale, DocumentState::InDoubt, None, NOW, Vec::new()).await.unwrap();
        let twin = Uuid::now_v7();
        world.store.supersede_document(sale, twin, NOW, NOW, line("De novo.")).await.unwrap();
        let second = world.store.reserve(sale, reserve(None), NOW).await.unwrap();
        let given = SignedDocument { state: DocumentState::Issued, ..prepared(chave(second.numero)) };
        world.store.begin_sending(sale, given, NOW, Vec::new()).await.unwrap();
        let lease = world.claim(5).await.pop().unwrap().lease;
        assert_eq!(lease.job_id, twin);
        let act = NewAct::Event(NewEvent { chave: chave(1), tpEvento: "110111".to_owned(), most: 1 });
        let cancellation = NewJob { operacao: Operacao::Cancelamento, alvo: Some(twin), act: Some(act), cota: None, ..world.job() };
        world.store.settle_superseded(lease, sale.job_id, outcome(DocumentState::Authorized), cancellation, NOW, line("x")).await.unwrap();
        assert_eq!(kinds(&world, twin).await, [MailKind::Nota]);
        let refusal = DocumentOutcome { number_is_kept: true, ..outcome(DocumentState::Rejected) };
        assert!(world.store.swap_documents(sale, twin, refusal, NOW, line("x")).await.unwrap());
        assert_eq!((kinds(&world, twin).await, kinds(&world, sale.job_id).await), (Vec::new(), vec![MailKind::Nota]));
    }

    async fn a_mail_is_of_one_attempt_and_a_marked_one_is_known(world) {
        order(&world).await.unwrap();
        assert_eq!(world.store.mail_backlog(NOW + 7).await.unwrap(), (1, 7));
        let first = take(&world, NOW).await.unwrap();
        assert!(first.mail.claimed && first.mail.transmitido_em.is_none());
        assert!(take(&world, NOW + 59).await.is_none());
        assert_eq!(world.store.mail_backlog(NOW + 7).await.unwrap(), (1, 0));
        // its process is gone; a second attempt gives the content and is gone as well
        let second = take(&world, NOW + 60).await.unwrap();
        let parties = || (ADDRESS.to_owned(), "Teste".to_owned());
        assert!(matches!(world.store.mail_transmitting(first.lease, parties(), NOW, NOW + 999).await, Err(Error::LeaseLost)));
        let done = end(MailOutcome::Ended(MailStatus::Enviado), NOW);
        assert!(matches!(world.store.mail_attempted(first.lease, done.clone()).await, Err(Error::LeaseLost)));
        world.store.mail_transmitting(second.lease, parties(), NOW + 61, NOW + 200).await.unwrap();
        world.store.return_mail(second.lease, NOW).await.unwrap();
        assert!(take(&world, NOW + 199).await.is_none(), "a marked mail is not given back");
        let third = take(&world, NOW + 200).await.unwrap();
        assert_eq!(third.mail.transmitido_em, Some(NOW + 61));
        assert!(matches!(world.store.mail_transmitting(third.lease, parties(), NOW, NOW + 999).await, Err(Error::LeaseLost)), "marked once");
        world.store.mail_attempted(third.lease, end(MailOutcome::Ended(MailStatus::EmDuvida), NOW + 201)).await.unwrap();
        assert!(take(&world, NOW + 90_000).await.is_none());
        let doubted = found(&world, MailFilter { status: Some(MailStatus::EmDuvida), job: None }).await;
        assert_eq!((doubted.len(), doubted[0].concluido_em, doubted[0].tentativas), (1, Some(NOW + 201), 1));
    }

    async fn an_answered_attempt_is_repeated_and_a_dead_address_is_blocked(world) {
        let id = order(&world).await.unwrap().id;
        let claimed = take(&world, NOW).await.unwrap();
        world.store.mail_transmitting(claimed.lease, (ADDRESS.to_owned(), "Teste".to_owned()), NOW, NOW + 200).await.unwrap();
        world.store.mail_attempted(claimed.lease, end(MailOutcome::RetryAt(NOW + 300), NOW + 1)).await.unwrap();
        assert!(take(&world, NOW + 299).await.is_none());
        let again = take(&world, NOW + 300).await.unwrap();
        assert_eq!((again.mail.transmitido_em, again.mail.tentativas), (None, 1));
        let refused = AttemptEnd { block: Some("Teste@Exemplo.com.br".to_owned()), ..end(MailOutcome::Ended(MailStatus::Recusado), NOW + 301) };
        world.store.mail_attempted(again.lease, refused).await.unwrap();
        let (mail, attempts) = world.store.mail(Visibility::whole(world.tenant), TEST, id).await.unwrap();
        assert_eq!((mail.status, attempts.len(), attempts[1].tentativa, attempts[1].codigo), (MailStatus::Recusado, 2, 2, Some(550)));
        let block = world.store.blocked_address(world.tenant, "TESTE@exemplo.com.br").await.unwrap().unwrap();
        assert_eq!((block.endereco.as_str(), block.motivo.as_str()), (ADDRESS, "5.1.1 unknown"));
        assert!(world.store.blocked_address(Uuid::now_v7(), ADDRESS).await.unwrap().is_none());
        // an older entry stays; its removal is of this account
        world.store.block_address(world.tenant, ADDRESS, "outra".to_owned(), &Actor::operator(), NOW).await.unwrap();
        let (blocks, total) = world.store.mail_blocks(world.tenant, ListWindow { limit: 9, skip: 0 }).await.unwrap();
        assert_eq!((blocks, total), (vec![block], 1));
        assert!(matches!(world.store.unblock_address(Uuid::now_v7(), ADDRESS, &Actor::operator(), NOW).await, Err(Error::NotFound)));
        world.store.unblock_address(world.tenant, "Teste@exemplo.com.br", &Actor::operator(), NOW).await.unwrap();
        assert!(world.store.blocked_address(world.tenant, ADDRESS).await.unwrap().is_none());
    }

    async fn accounts_have_their_turns(world) {
        let tenants: Vec<Uuid> = (1..4).map(|n| Uuid::from_u128(n << 64)).collect();
        for tenant in &tenants {
            for _ in 0..3 {
                world.store.order_mail(*tenant, by_hand(ADDRESS), &Actor::operator(), NOW).await.unwrap();
            }
        }
        let (mut after, mut turns) = (Uuid::nil(), Vec::new());
        for _ in 0..6 {
            after = world.store.next_mail_account(NOW, after).await.unwrap().unwrap();
            assert_eq!(world.store.claim_mail(after, NOW, NOW + 60).await.unwrap().unwrap().mail.tenant, after);
            turns.push(after);
        }
        assert_eq!(turns, [tenants.clone(), tenants].concat());
        assert_eq!(world.store.next_mail_account(NOW - 1, after).await.unwrap(), None, "nothing is due");
    }

    async fn a_resend_is_asked_for_and_orders_of_an_hour_are_bounded(world) {
        let actor = Actor::operator();
        let id = order(&world).await.unwrap().id;
        let resend = |tenant, ambiente, id, now| world.store.resend_mail(tenant, ambiente, id, Some("b@c.com".to_owned()), &actor, now);
        assert!(matches!(resend(world.tenant, TEST, id, NOW).await, Err(Error::Conflict(_))), "it is in the queue");
        let claimed = take(&world, NOW).await.unwrap();
        world.store.mail_transmitting(claimed.lease, (ADDRESS.to_owned(), "Teste".to_owned()), NOW, NOW + 200).await.unwrap();
        world.store.mail_attempted(claimed.lease, end(MailOutcome::Ended(MailStatus::EmDuvida), NOW)).await.unwrap();
        assert!(matches!(resend(Uuid::now_v7(), TEST, id, NOW).await, Err(Error::NotFound)));
        assert!(matches!(resend(world.tenant, TpAmb::Producao, id, NOW).await, Err(Error::NotFound)));
        resend(world.tenant, TEST, id, NOW + 5).await.unwrap();
        let again = take(&world, NOW + 5).await.unwrap().mail;
        assert_eq!((again.id, again.serie_em, again.transmitido_em, again.para.as_deref()), (id, NOW + 5, None, Some("b@c.com")));
        // two orders so far
        for _ in 2..200 {
            order(&world).await.unwrap();
        }
        assert!(matches!(order(&world).await, Err(Error::AccountFull { most: 200 })));
        assert!(matches!(resend(world.tenant, TEST, id, NOW + 9).await, Err(Error::AccountFull { most: 200 })));
        world.store.order_mail(Uuid::now_v7(), by_hand(ADDRESS), &actor, NOW).await.unwrap();
        world.store.order_mail(world.tenant, by_hand(ADDRESS), &actor, NOW + 3_600).await.unwrap();
    }

    async fn a_user_gets_the_alerts_asked_for_and_no_flood(world) {
        let (world, ana) = with_user(world).await;
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        gaps(&world, 1, 1, NOW).await;
        world.store.set_mail_alerts(world.tenant, ana, TEST, words(&["certificado.expirado", "numeracao.lacuna"])).await.unwrap();
        world.store.set_mail_alerts(world.tenant, ana, TEST, words(&["numeracao.lacuna"])).await.unwrap();
        world.store.set_mail_alerts(world.tenant, Uuid::now_v7(), TEST, words(&["numeracao.lacuna"])).await.unwrap();
        assert_eq!(world.store.mail_alerts(world.tenant, ana, TEST).await.unwrap(), ["numeracao.lacuna"]);
        assert!(found(&world, MailFilter::default()).await.is_empty(), "older than the wish");
        gaps(&world, 1, 1, NOW).await;
        gaps(&world, 2, 30, NOW).await;
        let mails = found(&world, MailFilter::default()).await;
        assert_eq!(mails.len(), 20);
        let last: Vec<bool> = mails.iter().map(|mail| serde_json::from_str::<Value>(mail.corpo.as_deref().unwrap()).unwrap()["ultimo"] == true).collect();
        assert_eq!((last.iter().filter(|last| **last).count(), last[0]), (1, true), "the newest one is the last of its hour");
        let mail = &mails[0];
        assert_eq!((mail.kind, mail.para.as_deref(), mail.cpf_cnpj), (MailKind::Alerta, Some("ana@x.com.br"), Some(cnpj())));
        gaps(&world, 100, 1, NOW + 3_600).await;
        assert_eq!(found(&world, MailFilter::default()).await.len(), 21);
        // a user who left is asked for nothing
        let bia = store::users::NewUser { email: "bia@x.com.br".to_owned(), nome: None, senha_hash: "$argon2id$a".to_owned() };
        world.store.create_user(world.tenant, bia, &Actor::operator(), NOW).await.unwrap();
        world.store.remove_user(world.tenant, ana, &Actor::operator(), NOW).await.unwrap();
        gaps(&world, 200, 1, NOW + 3_600).await;
        assert_eq!(found(&world, MailFilter::default()).await.len(), 21);
    }

    async fn an_export_that_ends_is_announced_to_its_address(world) {
        let export = |avisar: Option<&str>| NewExport {
            tenant: world.tenant,
            id: Uuid::now_v7(),
            ambiente: TEST,
            cpf_cnpj: cnpj(),
            de: "2026-11-01".to_owned(),
            ate: "2026-11-30".to_owned(),
            tipos: Vec::new(),
            avisar: avisar.map(str::to_owned),
            forms: ExportForms::Separate,
            most: 9,
            since: NOW - 1,
        };
        for avisar in [None, Some("contador@exemplo.com.br")] {
            world.store.create_export(export(avisar), &store::audit::Actor::operator(), NOW).await.unwrap();
            let lease = world.store.claim_export(NOW, NOW + 60).await.unwrap().unwrap().lease;
            world.store.finish_export(lease, NOW, NOW + 100).await.unwrap();
        }
        world.store.create_export(export(Some("contador@exemplo.com.br")), &store::audit::Actor::operator(), NOW).await.unwrap();
        let lease = world.store.claim_export(NOW, NOW + 60).await.unwrap().unwrap().lease;
        world.store.fail_export(lease, NOW, "não deu".to_owned()).await.unwrap();
        let mails = found(&world, MailFilter::default()).await;
        assert_eq!((mails.len(), mails[0].kind, mails[0].para.as_deref()), (1, MailKind::Exportacao, Some("contador@exemplo.com.br")));
    }

    async fn old_mails_end_with_their_attempts(world) {
        let old = order(&world).await.unwrap().id;
        let claimed = take(&world, NOW).await.unwrap();
        world.store.mail_attempted(claimed.lease, end(MailOutcome::Ended(MailStatus::Enviado), NOW)).await.unwrap();
        let new = world.store.order_mail(world.tenant, by_hand(ADDRESS), &Actor::operator(), NOW + 100).await.unwrap().id;
        assert_eq!(world.store.expire_mails(NOW).await.unwrap(), (0, false));
        assert_eq!(world.store.expire_mails(NOW + 100).await.unwrap(), (1, false));
        assert!(matches!(world.store.mail(Visibility::whole(world.tenant), TEST, old).await, Err(Error::NotFound)));
        assert!(world.store.mail(Visibility::whole(world.tenant), TEST, new).await.is_ok());
        for _ in 0..201 {
            let other = Uuid::now_v7();
            world.store.order_mail(other, by_hand(ADDRESS), &Actor::operator(), NOW).await.unwrap();
        }
        assert_eq!(world.store.expire_mails(NOW + 100).await.unwrap(), (200, true));
        assert_eq!(world.store.expire_mails(NOW + 100).await.unwrap(), (1, false));
    }
}
