//! Cache of opened certificates by id: a PFX costs its key derivation to open, and is opened once.

use crate::Engine;
use crate::process::bounded_cache::BoundedCache;
use crate::process::work_pool::{NotDone, PoolBounds, cores};
use fiscal::document::SignedElement;
use fiscal::value::CnpjCpf;
use signing::Certificate;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::companies::{Company, OpenedCertificate};
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

/// Most opened certificates; companies beyond open theirs again.
const MAX_OPENED: usize = 1_024;

/// Slot of a company's certificate.
#[derive(Clone, Copy)]
enum CertificateSlot {
    Active,
    Retired,
}

/// Opened certificates by id.
#[derive(Default)]
pub(crate) struct CertificateCache {
    opened: BoundedCache<Uuid, Arc<Certificate>, MAX_OPENED>,
    /// Locks of certificates that are being opened.
    opening: Mutex<HashMap<Uuid, Arc<OpeningLock>>>,
}

/// Held while a certificate is opened.
type OpeningLock = tokio::sync::Mutex<()>;

impl CertificateCache {
    fn find(&self, id: Uuid) -> Option<Arc<Certificate>> {
        self.opened.find(&id)
    }

    fn insert(&self, id: Uuid, certificate: &Arc<Certificate>) {
        self.opened.insert(id, Arc::clone(certificate));
    }

    /// Returns the lock for opening a certificate.
    fn opening_lock(&self, id: Uuid) -> Arc<OpeningLock> {
        Arc::clone(self.opening.lock().unwrap_or_else(PoisonError::into_inner).entry(id).or_default())
    }

    /// Drops the lock once the certificate is opened; tasks that have it already keep it.
    fn drop_lock(&self, id: Uuid) {
        self.opening.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
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
        let opened = self.inner.certificates.find(company.certificate_id?)?;
        Some(opened).filter(|it| it.holder().valido_ate >= self.now_s())
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
        if let Some(certificate) = self.inner.certificates.find(id) {
            return Ok(certificate);
        }
        // many documents of a company come at once, and one of them opens it for all
        let place = self.inner.certificates.opening_lock(id);
        let _turn = place.lock().await;
        let found = match self.inner.certificates.find(id) {
            Some(certificate) => Ok(certificate),
            None => self.open_stored(tenant, company, kept).await,
        };
        self.inner.certificates.drop_lock(id);
        found
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
        let id = file.id;
        let opened = self.inner.opening.run(tenant, move || open(&file)).await;
        let certificate = opened.map_err(|not_done| match not_done {
            // the job runs again by itself
            NotDone::Busy => CertificateUnusable::Store(store::Error::Unavailable(not_done.to_string())),
            NotDone::Broken => CertificateUnusable::Invalid(not_done.to_string()),
        })??;
        self.inner.certificates.insert(id, &certificate);
        Ok(certificate)
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
