//! Companies: the acts that need more than the store, which are the upload of a certificate and the removal.
//!
//! Law: `docs/contract.md`, "Companies": refused at once are a wrong password, no private key, an expired certificate,
//! another company's.

pub mod logo;
pub mod software_house;

use crate::Engine;
use crate::process::work_pool::NotDone;
use fiscal::value::CnpjCpf;
use signing::{Certificate, CertificateHolder};
use store::audit::Actor;
use store::companies::{CertificateRecord, CompanyRemoval, NewCertificate};
use store::jobs::LogLine;
use uuid::Uuid;
use zeroize::Zeroizing;

/// Reason why a certificate was refused.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The tenant has no such company.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// The file cannot be opened.
    #[error(transparent)]
    Invalid(#[from] signing::InvalidPfx),
    /// Its validity is over.
    #[error("o certificado expirou")]
    Expired,
    /// The certificate belongs to another company.
    #[error("o certificado é de outra empresa")]
    OtherCompany {
        /// CNPJ or CPF in the certificate.
        titular: Option<String>,
    },
    /// Not opened: the account has too many waiting, or opening failed on our side.
    #[error(transparent)]
    NotOpened(#[from] NotDone),
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// Contents of an uploaded certificate, shown before it is used.
#[derive(Debug)]
pub struct CertificateInspection {
    /// CNPJ or CPF of the holder.
    pub cpf_cnpj: Option<String>,
    pub record: CertificateRecord,
    /// Id of the sealed offer, or the reason why the company cannot use the certificate.
    pub offer: Result<Uuid, CertificateError>,
}

impl Engine {
    /// Checks and stores the A1 certificate.
    pub async fn put_certificate(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        pfx: Zeroizing<Vec<u8>>,
        senha: Zeroizing<String>,
        by: &Actor,
    ) -> Result<CertificateRecord, CertificateError> {
        let (holder, certificate) = self.open_upload(tenant, cpf_cnpj, pfx, senha).await?;
        let now = self.now_s();
        admit(&holder, cpf_cnpj, now)?;
        let record = certificate.record.clone();
        self.store().save_certificate(tenant, cpf_cnpj, certificate, by, now).await?;
        Ok(record)
    }

    /// Opens an A1 certificate and, if the company may use it, seals it for ten minutes until its user confirms it.
    pub async fn offer_certificate(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        user: Uuid,
        pfx: Zeroizing<Vec<u8>>,
        senha: Zeroizing<String>,
    ) -> Result<CertificateInspection, CertificateError> {
        let (holder, certificate) = self.open_upload(tenant, cpf_cnpj, pfx, senha).await?;
        let now = self.now_s();
        let record = certificate.record.clone();
        let offer = match admit(&holder, cpf_cnpj, now) {
            Ok(()) => Ok(self.store().offer_certificate(tenant, cpf_cnpj, user, certificate, now).await?),
            Err(refused) => Err(refused),
        };
        Ok(CertificateInspection { cpf_cnpj: holder.cnpj.or(holder.cpf), record, offer })
    }

    /// Opens an uploaded file for a company of the tenant.
    async fn open_upload(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        pfx: Zeroizing<Vec<u8>>,
        senha: Zeroizing<String>,
    ) -> Result<(CertificateHolder, NewCertificate), CertificateError> {
        match self.store().company(tenant, cpf_cnpj).await {
            Ok(_) => {}
            Err(store::Error::NotFound) => return Err(CertificateError::UnknownCompany),
            Err(error) => return Err(error.into()),
        }
        let open = move || (Certificate::from_pfx(&pfx, &senha).map(|opened| opened.holder().clone()), pfx, senha);
        let (holder, pfx, senha) = self.inner.opening.run(tenant, open).await?;
        let holder = holder?;
        let record = record(holder.clone());
        Ok((holder, NewCertificate { pfx, senha, record }))
    }

    /// Removes a company. Waiting jobs are cancelled; the worker still settles documents that may have left us.
    pub async fn remove_company(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        by: &Actor,
    ) -> Result<CompanyRemoval, store::Error> {
        let now = self.now();
        let text = "Cancelado antes do envio: a empresa foi removida da conta.".to_owned();
        let log = vec![LogLine { at_ms: now.as_millisecond(), text }];
        let removed = self.store().remove_company(tenant, cpf_cnpj, by, now.as_second(), log).await?;
        tracing::info!(cancelled = removed.cancelled, in_flight = removed.in_flight, "company removed");
        Ok(removed)
    }
}

fn admit(holder: &CertificateHolder, cpf_cnpj: CnpjCpf, now: i64) -> Result<(), CertificateError> {
    if holder.valido_ate < now {
        return Err(CertificateError::Expired);
    }
    if !belongs(holder, cpf_cnpj) {
        return Err(CertificateError::OtherCompany { titular: holder.cnpj.clone().or_else(|| holder.cpf.clone()) });
    }
    Ok(())
}

/// `true` if the certificate serves the company or one of its branches: the first eight positions decide (cStat 213).
fn belongs(holder: &CertificateHolder, cpf_cnpj: CnpjCpf) -> bool {
    match cpf_cnpj {
        CnpjCpf::Cnpj(cnpj) => holder.cnpj.as_deref().is_some_and(|held| held.starts_with(cnpj.root())),
        CnpjCpf::Cpf(cpf) => holder.cpf.as_deref() == Some(cpf.as_str()),
    }
}

fn record(holder: CertificateHolder) -> CertificateRecord {
    CertificateRecord {
        titular: holder.titular,
        emissor: holder.emissor,
        numero_serie: holder.numero_serie,
        valido_de: holder.valido_de,
        valido_ate: holder.valido_ate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder(cnpj: Option<&str>, cpf: Option<&str>) -> CertificateHolder {
        CertificateHolder {
            cnpj: cnpj.map(str::to_owned),
            cpf: cpf.map(str::to_owned),
            titular: "PAPELARIA DEMO".to_owned(),
            emissor: "AC".to_owned(),
            numero_serie: "01".to_owned(),
            valido_de: 0,
            valido_ate: 1_000,
        }
    }

    #[test]
    fn a_certificate_serves_the_branches_of_its_company_and_nobody_else() {
        let company = CnpjCpf::parse("11222333000181").unwrap();
        assert!(admit(&holder(Some("11222333000262"), None), company, 0).is_ok());
        let other = admit(&holder(Some("99999999000191"), None), company, 0);
        assert!(
            matches!(other, Err(CertificateError::OtherCompany { titular: Some(held) }) if held == "99999999000191")
        );
    }

    #[test]
    fn an_expired_certificate_is_refused() {
        let company = CnpjCpf::parse("11222333000181").unwrap();
        let refused = admit(&holder(Some("11222333000181"), None), company, 1_001);
        assert!(matches!(refused, Err(CertificateError::Expired)));
    }
}
