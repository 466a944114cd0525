//! Acceptance: a refused order leaves nothing behind; an accepted one is accepted once.

use crate::house::{CSRT, LETTERED, cnpj, key, on_both, options};
use crate::nota::nota;
use engine::acceptance::issue::IssueError;
use engine::jobs::query::FileKind;
use engine::worker::Worker;
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::json;
use std::time::Duration;
use store::audit::Actor;
use store::jobs::{JobStatus, NewJob, Operacao, RegistrationResult};
use uuid::Uuid;

on_both! {
    async fn a_note_goes_from_acceptance_to_its_authorised_file(house) {
        let id = house.issue("Caderno").await;
        let job = house.ended(id).await;
        assert_eq!(job.document.as_ref().unwrap().state, DocumentState::Authorized, "{job:#?}");
        let file = house.engine.download(store::Visibility::of(&house.caller), id, FileKind::Xml).await.unwrap();
        assert!(file.text.contains("<nfeProc"), "{}", file.text);
        assert!(file.text.contains(job.document.unwrap().nProt.unwrap().as_str()));
        assert_eq!(job.tentativas, 1);
        assert!(file.text.contains("<idCSRT>01</idCSRT><hashCSRT>") && !file.text.contains(CSRT), "{}", file.text);
        house.close().await;
    }

    async fn what_acceptance_has_read_is_read_again_by_another_process_only(house) {
        let mut house = house;
        // a company changed in the second of the order may have been changed after it: the note would be read and
        // written whole
        house.clock.forward(Duration::from_secs(2));
        let unreadable = "UPDATE payloads SET payload = '{'";
        house.stop_worker(Duration::from_secs(20)).await;
        let at_hand = house.issue("Caderno").await;
        house.damage(unreadable).await;
        house.start();
        assert_eq!(house.ended(at_hand).await.document.unwrap().state, DocumentState::Authorized);
        house.stop_worker(Duration::from_secs(20)).await;
        let elsewhere = house.issue("Caneta").await;
        house.damage(unreadable).await;
        let another = house.another_engine().await;
        let worker = Worker::start(another.clone(), options());
        let failed = house.ended(elsewhere).await;
        assert_eq!(failed.erro.unwrap().codigo, "documento_invalido");
        worker.stop(Duration::from_secs(5)).await;
        another.store().close().await;
        house.start();
        house.close().await;
    }

    async fn the_items_of_a_large_note_are_written_once_or_read_again_from_what_is_kept(house) {
        let mut house = house;
        house.clock.forward(Duration::from_secs(2));
        house.stop_worker(Duration::from_secs(20)).await;
        let at_hand = house.issue_nota(large(150)).await;
        house.damage("UPDATE payloads SET payload = '{', packed = NULL").await;
        house.start();
        let job = house.ended(at_hand).await;
        assert_eq!(job.document.unwrap().state, DocumentState::Authorized, "{:?}", job.erro);
        let file = house.engine.download(store::Visibility::of(&house.caller), at_hand, FileKind::Xml).await.unwrap();
        assert_eq!(file.text.matches("<det nItem=").count(), 150);
        house.stop_worker(Duration::from_secs(20)).await;
        let elsewhere = house.issue_nota(large(150)).await;
        let another = house.another_engine().await;
        let worker = Worker::start(another.clone(), options());
        assert_eq!(house.ended(elsewhere).await.document.unwrap().state, DocumentState::Authorized);
        worker.stop(Duration::from_secs(5)).await;
        another.store().close().await;
        house.start();
        // the cached order has no items, and the refused item is named all the same
        let mut wrong = large(150);
        wrong["produtos"][99]["vUnCom"] = json!("40.00");
        let refused = house.issue_nota(wrong).await;
        let document = house.ended(refused).await.document.unwrap();
        assert_eq!((document.state, document.campo.as_deref()), (DocumentState::Rejected, Some("nota.produtos[99].vProd")));
        house.close().await;
    }

    async fn a_cnpj_with_letters_issues_like_any_other(house) {
        house.company(LETTERED).await;
        house.certificate(LETTERED, 365).await;
        let mut request = house.request(nota("Caderno"));
        request.cpf_cnpj = CnpjCpf::parse(LETTERED).unwrap();
        let RegistrationResult::New(job) = house.try_issue(request).await.unwrap().registered else { panic!("a replay") };
        let job = house.ended(job.id).await;
        let document = job.document.as_ref().unwrap();
        assert_eq!((document.state, &key(document)[6..20]), (DocumentState::Authorized, LETTERED), "{job:#?}");
        house.close().await;
    }

    async fn one_reference_is_one_job_however_often_and_at_once_it_comes(house) {
        let requests = (0..20).map(|_| {
            let mut request = house.request(nota("Caderno"));
            request.referencia = Some("PED1001".to_owned());
            house.try_issue(request)
        });
        let mut new = 0;
        for issued in join_all(requests).await {
            match issued.unwrap().registered {
                RegistrationResult::New(_) => new += 1,
                RegistrationResult::Replay { divergent, .. } => assert!(!divergent),
            }
        }
        assert_eq!(new, 1);
        house.close().await;
    }

    async fn a_replay_is_answered_whatever_its_payload(house) {
        let mut request = house.request(nota("Caderno"));
        request.referencia = Some("PED1".to_owned());
        house.try_issue(request).await.unwrap();
        let mut broken = house.request(json!({"produtos": "nenhum"}));
        broken.referencia = Some("PED1".to_owned());
        let replay = house.try_issue(broken).await.unwrap().registered;
        assert!(matches!(replay, RegistrationResult::Replay { divergent: true, .. }));
        house.close().await;
    }

    async fn an_order_that_the_version_before_kept_is_carried_out_and_replayed(house) {
        let payload = json!({"cpf_cnpj": cnpj().as_str(), "modelo": 55, "nota": nota("Caderno"), "webhook_url": null});
        let row = NewJob {
            id: Uuid::now_v7(), tenant_id: house.caller.tenant_id, tipo: Tipo::Nfe, operacao: Operacao::Emissao, cpf_cnpj: cnpj(),
            ambiente: TpAmb::Homologacao, referencia: Some("VELHA".to_owned()), payload: payload.to_string().into(),
            webhook_url: None, notices: Vec::new(), alvo: None, act: None, authority: "SP".to_owned(), cota: None,
            destinatario: None, addressee: None, valor: None, request_id: None, author: None, by_hand: None,
        };
        let id = row.id;
        house.engine.store().register(row, house.clock_s()).await.unwrap();
        assert_eq!(house.ended(id).await.document.unwrap().state, DocumentState::Authorized);
        for (item, differs) in [("Caderno", false), ("Caneta", true)] {
            let mut request = house.request(nota(item));
            request.referencia = Some("VELHA".to_owned());
            let RegistrationResult::Replay { job, divergent } = house.try_issue(request).await.unwrap().registered else {
                panic!("a second job");
            };
            assert_eq!((job.id, divergent), (id, differs));
        }
        house.close().await;
    }

    async fn what_cannot_be_built_is_refused_with_everything_that_is_wrong(house) {
        let mut wrong = nota("Caderno");
        wrong["produtos"][0]["vProd"] = json!("cem reais");
        wrong.as_object_mut().unwrap().remove("destinatario");
        let Err(IssueError::Invalid(violations)) = house.try_issue(house.request(wrong)).await else {
            panic!("accepted");
        };
        let fields: Vec<&str> = violations.iter().map(|violation| violation.campo.as_str()).collect();
        assert!(fields.contains(&"nota.produtos[0].vProd"), "{fields:?}");
        assert!(fields.iter().any(|campo| campo.starts_with("nota.destinatario")), "{fields:?}");
        assert!(house.ledger().await.is_empty());
        house.close().await;
    }

    async fn a_misspelled_field_is_a_remark_or_with_estrito_a_refusal(house) {
        let mut misspelled = nota("Caderno");
        misspelled["produtos"][0]["xPro"] = json!("?");
        let issued = house.try_issue(house.request(misspelled.clone())).await.unwrap();
        let RegistrationResult::New(job) = issued.registered else { panic!("a replay") };
        assert!(job.notices.iter().any(|notice| notice.campo == "nota.produtos[0].xPro"), "{:?}", job.notices);
        let mut strict = house.request(misspelled);
        strict.estrito = true;
        let Err(IssueError::Invalid(violations)) = house.try_issue(strict).await else { panic!("accepted") };
        assert!(violations.iter().any(|violation| violation.codigo == "campo_desconhecido"));
        house.close().await;
    }

    async fn a_company_that_is_unknown_or_not_configured_is_said_to_be(house) {
        let mut request = house.request(nota("Caderno"));
        request.cpf_cnpj = CnpjCpf::parse(LETTERED).unwrap();
        assert!(matches!(house.try_issue(request).await, Err(IssueError::UnknownCompany)));
        let tenant = house.caller.tenant_id;
        let other = CnpjCpf::parse(LETTERED).unwrap();
        house.engine.store().create_company(tenant, other, json!({"nome_razao_social": "X"}), &Actor::operator(), 0).await.unwrap();
        let mut request = house.request(nota("Caderno"));
        request.cpf_cnpj = other;
        assert!(matches!(house.try_issue(request).await, Err(IssueError::NotConfigured)));
        house.close().await;
    }

    async fn a_test_credential_never_reaches_production(house) {
        let live = json!({"ambiente": 1, "crt": 1, "serie": "1"});
        let store = house.engine.store();
        store.configure_company(house.caller.tenant_id, crate::house::cnpj(), "nfe", live, &Actor::operator(), 0).await.unwrap();
        let issued = house.try_issue(house.request(nota("Caderno"))).await.unwrap();
        assert_eq!(issued.ambiente, TpAmb::Homologacao);
        house.close().await;
    }

    async fn the_parts_say_that_they_are_well(house) {
        let id = house.issue("Caderno").await;
        assert_eq!(house.ended(id).await.status, JobStatus::Completed);
        let status = house.engine.status().await;
        assert_eq!(status.overall, engine::queries::status::OverallStatus::Operational, "{status:?}");
        assert_eq!(status.workers, Some(true));
        assert_eq!(status.bridge[0].authority, "SP");
        house.close().await;
    }
}

/// Runs all of them at once.
async fn join_all<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut pinned: Vec<_> = futures.map(Box::pin).collect();
    let mut done: Vec<Option<F::Output>> = pinned.iter().map(|_| None).collect();
    std::future::poll_fn(|context| {
        for (future, slot) in pinned.iter_mut().zip(&mut done) {
            if slot.is_none()
                && let std::task::Poll::Ready(output) = future.as_mut().poll(context)
            {
                *slot = Some(output);
            }
        }
        if done.iter().all(Option::is_some) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}

/// A note of so many items.
fn large(items: u32) -> serde_json::Value {
    let mut large = nota("Caderno");
    let item = large["produtos"][0].clone();
    large["produtos"] = (0..items).map(|_| item.clone()).collect();
    let total = format!("{items}00.00");
    large["total"] = json!({ "vProd": total, "vNF": total });
    large["pagamentos"][0]["vPag"] = json!(total);
    large
}
