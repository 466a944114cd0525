//! Removal of a company while its documents are being sent.

use crate::house::{cnpj, key, on_both};
use fiscal::lifecycle::DocumentState;
use fiscal::value::TpAmb;
use simulator::faults::{Fault, FaultType};
use store::audit::Actor;
use store::companies::CompanyRemoval;
use store::jobs::JobStatus;

on_both! {
    async fn a_document_in_doubt_is_settled_after_its_company_is_gone(house) {
        // recorded there, and the reply lost: only a query by key can decide, and that needs the certificate
        house.simulator.add_fault(Fault::new(FaultType::ResetAfter).on("NFeAutorizacao4"));
        house.simulator.add_fault(Fault::new(FaultType::HttpStatus).status(503).times(1_000).on("NFeConsultaProtocolo4"));
        let id = house.issue("Caderno").await;
        house.job_when(id, "in doubt and waiting", |job| {
            let in_doubt = job.document.as_ref().is_some_and(|document| document.state == DocumentState::InDoubt);
            in_doubt && job.status == JobStatus::Pending
        }).await;
        let tenant = house.caller.tenant_id;
        let removed = house.engine.remove_company(tenant, cnpj(), &Actor::operator()).await.unwrap();
        assert_eq!(removed, CompanyRemoval { cancelled: 0, in_flight: 1 });
        // until here it could only stay in doubt, however fast the worker queries again
        house.simulator.faults().clear();
        let job = house.ended_soon(id).await;
        let document = job.document.unwrap();
        assert_eq!((job.status, document.state), (JobStatus::Completed, DocumentState::Authorized));
        assert!(house.simulator.document(TpAmb::Homologacao, &key(&document)).is_some());
        assert_eq!(house.engine.store().erase_retired_certificates().await.unwrap(), 1);
        house.close().await;
    }

    async fn what_a_worker_takes_after_the_removal_fails_and_gives_its_number_back(house) {
        // registered by a request that had read the company just before it was removed
        let mut house = house;
        house.stop_worker(std::time::Duration::from_secs(30)).await;
        let first = house.issue("Caderno").await;
        let job = house.job(first).await;
        let tenant = house.caller.tenant_id;
        house.engine.remove_company(tenant, cnpj(), &Actor::operator()).await.unwrap();
        assert_eq!(house.job(first).await.status, JobStatus::Cancelled);
        let late = store::jobs::NewJob {
            id: uuid::Uuid::now_v7(), tenant_id: tenant, tipo: job.tipo, operacao: job.operacao, cpf_cnpj: job.cpf_cnpj,
            ambiente: job.ambiente, referencia: None, payload: job.payload, webhook_url: None,
            notices: Vec::new(), alvo: None, act: None, authority: job.authority, cota: None,
            destinatario: None, addressee: None, valor: None, request_id: None, author: None, by_hand: None,
        };
        let id = late.id;
        house.engine.store().register(late, job.criado_em).await.unwrap();
        house.start();
        let failed = house.ended(id).await;
        assert_eq!((failed.status, failed.erro.unwrap().codigo.as_str()), (JobStatus::Failed, "nao_encontrado"));
        assert!(house.ledger().await.is_empty());
        house.close().await;
    }
}
