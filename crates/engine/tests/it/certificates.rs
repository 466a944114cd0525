//! Certificates: a fault is reported at once; a job that cannot sign sends nothing and uses no number.

use crate::house::{CNPJ, LETTERED, SENHA, cnpj, on_both};
use crate::nota::nota;
use engine::company::CertificateError;
use fiscal::value::CnpjCpf;
use std::time::Duration;
use store::jobs::{JobStatus, RegistrationResult};
use zeroize::Zeroizing;

on_both! {
    async fn an_expired_certificate_fails_the_job_and_uses_no_number(house) {
        house.certificate(CNPJ, 1).await;
        house.clock.forward(Duration::from_secs(3 * 86_400));
        let RegistrationResult::New(job) = house.try_issue(house.request(nota("Caderno"))).await.unwrap().registered else {
            panic!("a replay");
        };
        assert!(job.notices.iter().any(|notice| notice.codigo == "certificado_expirado"), "{:?}", job.notices);
        let failed = house.ended(job.id).await;
        let erro = failed.erro.unwrap();
        assert_eq!(failed.status, JobStatus::Failed);
        assert_eq!((erro.codigo.as_str(), erro.etapa.as_str()), ("certificado_expirado", "assinatura"));
        assert!(house.ledger().await.is_empty());
        assert!(house.simulator.requests().is_empty());
        house.close().await;
    }

    async fn without_a_certificate_the_job_fails_and_says_why(house) {
        house.company(LETTERED).await;
        let mut request = house.request(nota("Caderno"));
        request.cpf_cnpj = CnpjCpf::parse(LETTERED).unwrap();
        let RegistrationResult::New(job) = house.try_issue(request).await.unwrap().registered else { panic!("a replay") };
        assert!(job.notices.iter().any(|notice| notice.codigo == "empresa_sem_certificado"), "{:?}", job.notices);
        let failed = house.ended(job.id).await;
        let erro = failed.erro.unwrap();
        assert_eq!((erro.codigo.as_str(), erro.repetivel), ("empresa_sem_certificado", true));
        assert!(failed.document.is_none() && house.simulator.requests().is_empty());
        house.close().await;
    }

    async fn bad_uploads_are_refused_at_once(house) {
        let pki = house.simulator.pki();
        let own = pki.issue_pfx("PAPELARIA", CNPJ, SENHA, 10).unwrap();
        let other = pki.issue_pfx("OUTRA", "99999999000191", SENHA, 10).unwrap();
        let expired = pki.issue_pfx("PAPELARIA", CNPJ, SENHA, -1).unwrap();
        let put = async |pfx: Vec<u8>, senha: &str| {
            let senha = Zeroizing::new(senha.to_owned());
            house.engine.put_certificate(house.caller.tenant_id, cnpj(), Zeroizing::new(pfx), senha, &store::audit::Actor::operator()).await
        };
        let wrong = put(own, "outra senha").await;
        assert!(matches!(wrong, Err(CertificateError::Invalid(signing::InvalidPfx::WrongPassword))), "{wrong:?}");
        let unreadable = put(b"nada".to_vec(), SENHA).await;
        assert!(matches!(unreadable, Err(CertificateError::Invalid(signing::InvalidPfx::Unreadable))), "{unreadable:?}");
        assert!(matches!(put(other, SENHA).await, Err(CertificateError::OtherCompany { .. })));
        assert!(matches!(put(expired, SENHA).await, Err(CertificateError::Expired)));
        house.close().await;
    }
}
