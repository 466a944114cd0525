//! Certificates: a fault is reported at once; a job that cannot sign sends nothing and uses no number.

use crate::house::{CNPJ, LETTERED, SENHA, cnpj, on_both};
use crate::nota::nota;
use engine::acceptance::issue::IssueError;
use engine::company::CertificateError;
use engine::jobs::query::FileKind;
use fiscal::value::CnpjCpf;
use std::time::Duration;
use store::Visibility;
use store::audit::Actor;
use store::companies::{Company, CompanyChange, CompanyConfiguration};
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

    async fn a_change_by_another_process_is_in_the_next_document(house) {
        let (other, tenant, by) = (house.another_engine().await, house.caller.tenant_id, Actor::operator());
        let signed = async || {
            let id = house.issue("Caderno").await;
            house.ended(id).await;
            let xml = house.engine.download(Visibility::of(&house.caller), id, FileKind::Xml).await.unwrap().text;
            let certificate = xml.split("X509Certificate>").nth(1).unwrap().to_owned();
            (certificate, xml.contains("<xNome>Papelaria Mudada</xNome>"), xml.contains("<serie>7</serie>"))
        };
        let first = signed().await;
        assert_eq!(signed().await, first);
        assert_eq!((first.1, first.2), (false, false));
        let pfx = Zeroizing::new(house.simulator.pki().issue_pfx("PAPELARIA", CNPJ, SENHA, 365).unwrap());
        other.put_certificate(tenant, cnpj(), pfx, Zeroizing::new(SENHA.to_owned()), &by).await.unwrap();
        let second = signed().await;
        assert_eq!((second.0 == first.0, second.1, second.2), (false, false, false));
        // within one second, as seen by the record's instant
        let at = other.store().company(tenant, cnpj()).await.unwrap().atualizado_em;
        let renamed = |company: &Company| {
            let mut dados = company.dados.clone();
            dados["nome_razao_social"] = "Papelaria Mudada".into();
            Ok::<_, ()>(CompanyChange::Record(dados))
        };
        other.store().change_company(tenant, cnpj(), &by, at, renamed).await.unwrap().unwrap();
        assert_eq!(signed().await, (second.0.clone(), true, false));
        let seventh = |company: &Company| {
            let mut configuracao = company.configuracoes["nfe"].clone();
            configuracao["serie"] = "7".into();
            let (secrets, sequences) = (Vec::new(), Vec::new());
            Ok::<_, ()>(CompanyChange::Configuration(CompanyConfiguration { tipo: "nfe", configuracao, secrets, sequences }))
        };
        other.store().change_company(tenant, cnpj(), &by, at, seventh).await.unwrap().unwrap();
        assert_eq!(signed().await, (second.0, true, true));
        other.remove_company(tenant, cnpj(), &by).await.unwrap();
        let gone = house.try_issue(house.request(nota("Caderno"))).await;
        assert!(matches!(gone, Err(IssueError::UnknownCompany)));
        other.store().close().await;
        house.close().await;
    }

    async fn bad_uploads_are_refused_at_once(house) {
        let pki = house.simulator.pki();
        let own = pki.issue_pfx("PAPELARIA", CNPJ, SENHA, 10).unwrap();
        let other = pki.issue_pfx("OUTRA", "99999999000191", SENHA, 10).unwrap();
        let expired = pki.issue_pfx("PAPELARIA", CNPJ, SENHA, -1).unwrap();
        let put = async |pfx: Vec<u8>, senha: &str| {
            let senha = Zeroizing::new(senha.to_owned());
            house.engine.put_certificate(house.caller.tenant_id, cnpj(), Zeroizing::new(pfx), senha, &Actor::operator()).await
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
