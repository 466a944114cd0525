//! Cache of opened certificates: a PFX costs its key derivation to open, and is opened once.

use crate::Engine;
use crate::process::work_pool::{NotDone, PoolBounds, cores};
use fiscal::document::SignedElement;
use fiscal::value::CnpjCpf;
use signing::Certificate;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::companies::{Company, OpenedCertificate};
use tokio::sync::OnceCell;
use uuid::Uuid;

/// Reason why a company cannot sign now.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CertificateUnusable {
    #[error("A empresa não tem certificado A1. Envie um em PUT /v1/empresas/{{cpf_cnpj}}/certificado.")]
    Absent,
    #[error("O certificado A1 da empresa expirou. Envie um válido em PUT /v1/empresas/{{cpf_cnpj}}/certificado.")]
    Expired,
    #[error("O certificado A1 da empresa não pode ser usado: {0}.")]
    Invalid(String),
    #[error(transparent)]
    Store(store::Error),
}

impl CertificateUnusable {
    /// `erro_detalhe.codigo`.
    pub(crate) fn codigo(&self) -> &'static str {
        match self {
            CertificateUnusable::Absent => "empresa_sem_certificado",
            CertificateUnusable::Expired => "certificado_expirado",
            CertificateUnusable::Invalid(_) => "certificado_invalido",
            CertificateUnusable::Store(_) => "erro_interno",
        }
    }
}

/// Most opened certificates; a full cache is emptied before the next one.
const MAX_OPENED: usize = 1_024;

/// Slot of a company's certificate.
#[derive(Clone, Copy)]
enum CertificateSlot {
    Active,
    Retired,
}

/// Opened certificates by id. A replacement has another id, so no entry goes stale.
#[derive(Default)]
pub(crate) struct CertificateCache(Mutex<HashMap<Uuid, Arc<OpenedOnce>>>);

/// Filled by one task while the others wait: many documents of a company come at once.
type OpenedOnce = OnceCell<Arc<Certificate>>;

impl CertificateCache {
    fn entry(&self, id: Uuid) -> Arc<OpenedOnce> {
        let mut opened = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if opened.len() >= MAX_OPENED && !opened.contains_key(&id) {
            opened.clear();
        }
        Arc::clone(opened.entry(id).or_default())
    }
}

impl Engine {
    /// Returns the company's certificate, opened and valid now.
    pub(crate) async fn certificate(
        &self,
        tenant: Uuid,
        company: CnpjCpf,
    ) -> Result<Arc<Certificate>, CertificateUnusable> {
        let certificate = self.opened_certificate(tenant, company, CertificateSlot::Active).await?;
        if certificate.holder().valido_ate < self.now_s() {
            return Err(CertificateUnusable::Expired);
        }
        Ok(certificate)
    }

    /// Returns the certificate of a company record, if it was opened before and is valid now.
    pub(crate) fn certificate_in_use(&self, company: &Company) -> Option<Arc<Certificate>> {
        let opened = self.inner.certificates.entry(company.certificate_id?).get().cloned();
        opened.filter(|it| it.holder().valido_ate >= self.now_s())
    }

    /// Returns a certificate for a document that may have left us: that of a company removed meanwhile is kept for it.
    pub(crate) async fn settling_certificate(
        &self,
        tenant: Uuid,
        company: CnpjCpf,
    ) -> Result<Arc<Certificate>, CertificateUnusable> {
        match self.certificate(tenant, company).await {
            Err(CertificateUnusable::Absent) => {
                self.opened_certificate(tenant, company, CertificateSlot::Retired).await
            }
            certificate => certificate,
        }
    }

    async fn opened_certificate(
        &self,
        tenant: Uuid,
        company: CnpjCpf,
        kept: CertificateSlot,
    ) -> Result<Arc<Certificate>, CertificateUnusable> {
        let store = self.store();
        let id = match kept {
            CertificateSlot::Active => store.certificate_id(tenant, company).await,
            CertificateSlot::Retired => store.retired_certificate_id(tenant, company).await,
        };
        let id = id.map_err(unusable)?;
        let opened = self.inner.certificates.entry(id);
        // replaced since its id was read, it is the replacement that is opened: the older one is gone
        opened.get_or_try_init(|| self.open_stored(tenant, company, kept)).await.cloned()
    }

    async fn open_stored(
        &self,
        tenant: Uuid,
        company: CnpjCpf,
        kept: CertificateSlot,
    ) -> Result<Arc<Certificate>, CertificateUnusable> {
        let store = self.store();
        let file = match kept {
            CertificateSlot::Active => store.open_certificate(tenant, company).await,
            CertificateSlot::Retired => store.open_retired_certificate(tenant, company).await,
        };
        let file = file.map_err(unusable)?;
        let opened = self.inner.opening.run(tenant, move || open(&file)).await;
        opened.map_err(|not_done| match not_done {
            // the job runs again by itself
            NotDone::Busy => CertificateUnusable::Store(store::Error::Unavailable(not_done.to_string())),
            NotDone::Broken => CertificateUnusable::Invalid(not_done.to_string()),
        })?
    }
}

/// Bounds of opening certificates: one at a time for each account. A file with the most hashing that `signing` accepts
/// takes two or three seconds.
pub(crate) fn opening_bounds() -> PoolBounds {
    PoolBounds { at_once: cores().div_ceil(2).max(2), of_one: 1, waiting: 16, max_wait: Duration::from_secs(20) }
}

fn open(file: &OpenedCertificate) -> Result<Arc<Certificate>, CertificateUnusable> {
    let certificate = Certificate::from_pfx(&file.pfx, &file.senha)
        .map_err(|invalid| CertificateUnusable::Invalid(invalid.to_string()))?;
    Ok(Arc::new(certificate))
}

fn unusable(error: store::Error) -> CertificateUnusable {
    match error {
        store::Error::NotFound => CertificateUnusable::Absent,
        store::Error::Sealed => CertificateUnusable::Invalid(error.to_string()),
        error => CertificateUnusable::Store(error),
    }
}

/// Elements to sign, as the signer names them.
pub(crate) fn signing_elements(elements: &[SignedElement]) -> Vec<signing::ElementToSign> {
    let place = |it: &SignedElement| signing::ElementToSign { element: it.element.clone(), id: it.id.clone() };
    elements.iter().map(place).collect()
}
