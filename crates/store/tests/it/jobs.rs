//! The life of a job, from its registration to its end.

use crate::world::{NOW, OTHER_CNPJ, cancelled, chave, line, not_cancelled, on_both, outcome, prepared, reserve};
use fiscal::finding::Notice;
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::Codigo;
use store::Error;
use store::Visibility;
use store::jobs::{JobFailure, JobStatus, NewJob, Operacao, QueueDepth, RegistrationResult, StoredFile};
use uuid::Uuid;

fn failure() -> JobFailure {
    JobFailure {
        codigo: "indisponivel".to_owned(),
        etapa: "transmissao".to_owned(),
        mensagem: "A SEFAZ não respondeu.".to_owned(),
        repetivel: true,
        proxima_tentativa_em: Some(NOW + 30),
    }
}

fn is_lost<T: std::fmt::Debug>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::LeaseLost))
}

on_both! {
    async fn a_registered_job_reads_back_as_it_was_given(world) {
        let notice = Notice {
            campo: "nota.produtos[0].vlProd".to_owned(),
            codigo: "campo_desconhecido".to_owned(),
            mensagem: "O campo não existe.".to_owned(),
            sugestao: Some("vProd".to_owned()),
            codigo_status: Some(225.into()),
        };
        let new = NewJob {
            referencia: Some("PED1".to_owned()),
            webhook_url: Some("https://exemplo.com.br/w".to_owned()),
            notices: vec![notice.clone()],
            alvo: Some(Uuid::now_v7()),
            ..world.job_of(OTHER_CNPJ)
        };
        let id = world.register(new.clone()).await;
        for job in [
            world.store.job(Visibility::whole(world.tenant), id).await.unwrap(),
            world.store.job_by_reference(Visibility::whole(world.tenant), "PED1").await.unwrap(),
        ] {
            assert_eq!((job.id, job.tenant_id, job.tipo), (id, world.tenant, Tipo::Nfe));
            assert_eq!((job.operacao, job.cpf_cnpj, job.ambiente), (Operacao::Emissao, new.cpf_cnpj, new.ambiente));
            assert_eq!((job.status, job.tentativas, &job.payload), (JobStatus::Pending, 0, &new.payload));
            assert_eq!((job.referencia, job.webhook_url), (new.referencia.clone(), new.webhook_url.clone()));
            assert_eq!((job.notices, job.alvo, job.authority.as_str()), (vec![notice.clone()], new.alvo, "SP"));
            assert_eq!((job.criado_em, job.atualizado_em, job.concluido_em), (NOW, NOW, None));
            assert!(job.document.is_none() && job.erro.is_none() && job.event_result.is_none());
        }
    }

    async fn a_reference_used_before_gives_the_first_job(world) {
        let first = NewJob { referencia: Some("PED1".to_owned()), ..world.job() };
        let id = world.register(first.clone()).await;
        let again = NewJob { id: Uuid::now_v7(), payload: " {\"nota\": {}}".into(), ..first.clone() };
        let RegistrationResult::Replay { job, divergent: false } = world.store.register(again, NOW + 5).await.unwrap() else {
            panic!("not an equal replay")
        };
        assert_eq!(job.id, id);
        let other = NewJob { id: Uuid::now_v7(), payload: "{\"nota\":null}".into(), ..first.clone() };
        let replay = world.store.register(other, NOW + 5).await.unwrap();
        assert!(matches!(replay, RegistrationResult::Replay { divergent: true, .. }));
        let neighbour = NewJob { id: Uuid::now_v7(), tenant_id: Uuid::now_v7(), ..first };
        assert!(matches!(world.store.register(neighbour, NOW).await.unwrap(), RegistrationResult::New(_)));
        assert_eq!(world.claim(10).await.len(), 2);
    }

    async fn another_tenants_job_is_not_found(world) {
        let (lease, numero) = world.sending().await;
        let other = Uuid::now_v7();
        assert!(matches!(world.store.job(Visibility::whole(other), lease.job_id).await, Err(Error::NotFound)));
        assert!(matches!(world.store.job_by_chave(Visibility::whole(other), chave(numero).as_str()).await, Err(Error::NotFound)));
        assert!(matches!(world.store.file(other, lease.job_id, StoredFile::Signed).await, Err(Error::NotFound)));
        assert!(matches!(world.store.log(other, lease.job_id).await, Err(Error::NotFound)));
        assert!(matches!(world.store.append_log(other, lease.job_id, line("x")).await, Err(Error::NotFound)));
        assert_eq!(world.store.job_by_chave(Visibility::whole(world.tenant), chave(numero).as_str()).await.unwrap().id, lease.job_id);
    }

    async fn an_authorised_document_has_its_protocol_files_and_history(world) {
        let lease = world.begun().await;
        let (tenant, id) = (world.tenant, lease.job_id);
        let document = world.store.reserve(lease, reserve(None), NOW + 1).await.unwrap();
        assert_eq!((document.state, document.numero, document.chave), (DocumentState::Accepted, 1, None));
        world.store.begin_sending(lease, prepared(chave(1)), NOW + 2, line("Assinada.")).await.unwrap();
        assert_eq!(world.store.file(tenant, id, StoredFile::Signed).await.unwrap(), format!("<NFe>{}</NFe>", chave(1)));
        assert!(matches!(world.store.file(tenant, id, StoredFile::Authorized).await, Err(Error::NotFound)));
        let job = world.store.job(Visibility::whole(tenant), id).await.unwrap();
        assert_eq!((job.status, job.tentativas, job.document.unwrap().state), (JobStatus::Processing, 1, DocumentState::Sending));
        world.store.settle(lease, outcome(DocumentState::Authorized), NOW + 3, line("Autorizada.")).await.unwrap();
        let job = world.store.job(Visibility::whole(tenant), id).await.unwrap();
        let document = job.document.unwrap();
        assert_eq!((job.status, job.tentativas, job.concluido_em), (JobStatus::Completed, 1, Some(NOW + 3)));
        assert_eq!((document.state, document.codigo, document.valor.as_str()), (DocumentState::Authorized, Some(Codigo::from(100)), "99.98"));
        assert_eq!(document.nProt.as_deref(), Some("135260000000001"));
        assert_eq!(document.dhEmi, "2026-11-20T10:00:01-03:00");
        assert_eq!(document.destinatario.as_deref(), Some(OTHER_CNPJ));
        assert_eq!(world.store.file(tenant, id, StoredFile::Authorized).await.unwrap(), "<nfeProc/>");
        let log: Vec<String> = world.store.log(tenant, id).await.unwrap().into_iter().map(|line| line.text).collect();
        assert_eq!(log, ["Assinada.", "Autorizada."]);
        assert!(world.claim_at(NOW + 1000, 10).await.is_empty());
    }

    async fn a_rejection_is_kept_word_for_word(world) {
        let (lease, _) = world.sending().await;
        world.store.settle(lease, outcome(DocumentState::Rejected), NOW, Vec::new()).await.unwrap();
        let job = world.store.job(Visibility::whole(world.tenant), lease.job_id).await.unwrap();
        let document = job.document.unwrap();
        assert_eq!((job.status, document.state, document.codigo), (JobStatus::Completed, DocumentState::Rejected, Some(Codigo::from(610))));
        assert_eq!(document.xMotivo.as_deref(), Some("Rejeição: Total da NF difere"));
        assert_eq!(document.campo.as_deref(), Some("nota.total.vNF"));
    }

    async fn a_document_of_a_number_that_its_job_does_not_hold_is_not_sent(world) {
        let (lease, numero) = world.numbered(None).await;
        let other = world.store.begin_sending(lease, prepared(chave(numero + 1)), NOW, Vec::new()).await;
        assert!(matches!(other, Err(Error::Conflict(_))));
        let none = world.begun().await;
        let nothing = world.store.begin_sending(none, prepared(chave(numero + 1)), NOW, Vec::new()).await;
        assert!(matches!(nothing, Err(Error::Conflict(_))), "it has no document");
        world.store.begin_sending(lease, prepared(chave(numero)), NOW, Vec::new()).await.unwrap();
    }

    async fn a_document_that_may_have_left_keeps_its_key(world) {
        let (lease, numero) = world.sending().await;
        world.store.mark_state(lease, DocumentState::InDoubt, None, NOW, line("Sem resposta.")).await.unwrap();
        let other = world.store.begin_sending(lease, prepared(chave(999)), NOW, Vec::new()).await;
        assert!(matches!(other, Err(Error::Conflict(_))));
        world.store.begin_sending(lease, prepared(chave(numero)), NOW, Vec::new()).await.unwrap();
        let job = world.store.job(Visibility::whole(world.tenant), lease.job_id).await.unwrap();
        assert_eq!(job.document.unwrap().chave, Some(chave(numero)));
    }

    async fn a_key_belongs_to_one_job(world) {
        let (_, numero) = world.sending().await;
        let (second, _) = world.numbered(None).await;
        let same = world.store.begin_sending(second, prepared(chave(numero)), NOW, Vec::new()).await;
        assert!(matches!(same, Err(Error::Conflict(_))));
    }

    async fn a_job_put_back_waits_for_its_time_and_shows_why(world) {
        let lease = world.begun().await;
        world.store.retry_at(lease, NOW + 30, Some(failure()), NOW, line("Nova tentativa em 30 s.")).await.unwrap();
        let job = world.store.job(Visibility::whole(world.tenant), lease.job_id).await.unwrap();
        assert_eq!((job.status, job.tentativas, job.erro), (JobStatus::Pending, 1, Some(failure())));
        assert!(is_lost(world.store.renew(lease, NOW + 90).await));
        assert!(world.claim_at(NOW + 29, 10).await.is_empty());
        let claimed = world.claim_at(NOW + 30, 10).await.pop().unwrap();
        assert_eq!((claimed.job.id, claimed.job.tentativas), (lease.job_id, 2));
        assert_ne!(claimed.lease.token, lease.token);
    }

    async fn a_failed_job_says_why_and_is_over(world) {
        let (lease, _) = world.numbered(None).await;
        world.store.fail_job(lease, failure(), Some(DocumentState::Failed), NOW + 9, line("Desistiu.")).await.unwrap();
        let job = world.store.job(Visibility::whole(world.tenant), lease.job_id).await.unwrap();
        assert_eq!((job.status, job.erro, job.concluido_em), (JobStatus::Failed, Some(failure()), Some(NOW + 9)));
        assert_eq!(job.document.unwrap().state, DocumentState::Failed);
        assert!(world.claim_at(NOW + 1000, 10).await.is_empty());
    }

    async fn every_write_of_a_worker_that_lost_its_lease_is_refused(world) {
        let (old, numero) = world.sending().await;
        let new = world.claim_at(NOW + 61, 1).await.pop().expect("the lease ran out").lease;
        let store = &world.store;
        assert!(is_lost(store.renew(old, NOW + 200).await));
        assert!(is_lost(store.reserve(old, reserve(None), NOW).await));
        assert!(is_lost(store.begin_sending(old, prepared(chave(numero)), NOW, Vec::new()).await));
        assert!(is_lost(store.mark_state(old, DocumentState::InDoubt, None, NOW, Vec::new()).await));
        assert!(is_lost(store.begin_event(old, String::new(), NOW, Vec::new()).await));
        assert!(is_lost(store.settle(old, outcome(DocumentState::Authorized), NOW, line("x")).await));
        assert!(is_lost(store.settle_event(old, not_cancelled(), NOW, line("x")).await));
        assert!(is_lost(store.retry_at(old, NOW, None, NOW, line("x")).await));
        assert!(is_lost(store.fail_job(old, failure(), None, NOW, line("x")).await));
        assert!(store.log(world.tenant, old.job_id).await.unwrap().is_empty());
        store.settle(new, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
        assert!(is_lost(store.settle(new, outcome(DocumentState::Rejected), NOW, Vec::new()).await));
        let job = store.job(Visibility::whole(world.tenant), old.job_id).await.unwrap();
        assert_eq!((job.document.unwrap().state, job.tentativas), (DocumentState::Authorized, 2));
    }

    async fn a_renewed_lease_is_not_taken_over(world) {
        let lease = world.begun().await;
        world.store.renew(lease, NOW + 300).await.unwrap();
        assert!(world.claim_at(NOW + 299, 10).await.is_empty());
        assert_eq!(world.claim_at(NOW + 300, 10).await.len(), 1);
    }

    async fn a_registered_cancellation_cancels_its_target(world) {
        let (emission, numero) = world.sending().await;
        world.store.settle(emission, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
        let target = emission.job_id;
        let cancellation =
            NewJob { operacao: Operacao::Cancelamento, alvo: Some(target), ..world.job() };
        let id = world.register(cancellation).await;
        let lease = world.claim(1).await.pop().unwrap().lease;
        world.store.begin_event(lease, "<evento/>".to_owned(), NOW, line("Assinado.")).await.unwrap();
        assert_eq!(world.store.job(Visibility::whole(world.tenant), id).await.unwrap().event_xml.as_deref(), Some("<evento/>"));
        world.store.settle_event(lease, cancelled(chave(numero)), NOW, Vec::new()).await.unwrap();
        let job = world.store.job(Visibility::whole(world.tenant), id).await.unwrap();
        assert_eq!((job.status, job.event_result), (JobStatus::Completed, Some((Codigo::from(135), "Evento registrado".to_owned()))));
        let emission = world.store.job_by_chave(Visibility::whole(world.tenant), chave(numero).as_str()).await.unwrap();
        assert_eq!((emission.id, emission.document.unwrap().state), (target, DocumentState::Cancelled));
        assert_eq!(world.store.file(world.tenant, target, StoredFile::Cancelled).await.unwrap(), "<procEventoNFe/>");
    }

    async fn a_refused_cancellation_leaves_its_target_as_it_is(world) {
        let (emission, _) = world.sending().await;
        world.store.settle(emission, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
        let alvo = Some(emission.job_id);
        let id = world.register(NewJob { operacao: Operacao::Cancelamento, alvo, ..world.job() }).await;
        let lease = world.claim(1).await.pop().unwrap().lease;
        world.store.settle_event(lease, not_cancelled(), NOW, Vec::new()).await.unwrap();
        let job = world.store.job(Visibility::whole(world.tenant), id).await.unwrap();
        assert_eq!(job.event_result, Some((Codigo::from(501), "Fora do prazo".to_owned())));
        let emission = world.store.job(Visibility::whole(world.tenant), emission.job_id).await.unwrap();
        assert_eq!(emission.document.unwrap().state, DocumentState::Authorized);
    }

    async fn the_depth_counts_waiting_and_working_jobs(world) {
        assert_eq!(world.store.queue_depth(NOW).await.unwrap(), QueueDepth::default());
        let lease = world.begun().await;
        world.register(world.job()).await;
        world.register(world.job()).await;
        let depth = world.store.queue_depth(NOW + 7).await.unwrap();
        assert_eq!(depth, QueueDepth { pending: 2, processing: 1, oldest_s: 7 });
        world.store.fail_job(lease, failure(), None, NOW, Vec::new()).await.unwrap();
        assert_eq!(world.store.queue_depth(NOW).await.unwrap().processing, 0);
    }

    async fn what_could_be_carried_now_is_counted_by_tenant_up_to_a_bound(world) {
        // Leased jobs are no backlog.
        world.begun().await;
        assert!(world.store.ready_jobs(NOW, 10).await.unwrap().is_empty());
        for _ in 0..3 {
            world.register(world.job()).await;
        }
        assert_eq!(world.store.ready_jobs(NOW, 10).await.unwrap(), [(world.tenant, 3)].into());
        assert_eq!(world.store.ready_jobs(NOW, 2).await.unwrap(), [(world.tenant, 2)].into());
        // Neither are jobs that wait for their instant.
        assert!(world.store.ready_jobs(NOW - 1, 10).await.unwrap().is_empty());
    }

    async fn a_closed_store_answers_that_it_is_closed(world) {
        world.store.ping().await.unwrap();
        world.store.close().await;
        assert!(matches!(world.store.ping().await, Err(Error::Unavailable(_))));
        assert!(matches!(world.store.register(world.job(), NOW).await, Err(Error::Unavailable(_))));
    }
}
