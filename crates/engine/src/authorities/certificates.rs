//! Cache of opened certificates by id: a PFX costs its key derivation to open, and is opened once.

use crate::Engine;
use crate::process::heavy::{Bounds, NotDone, cores};
use crate::process::recent::Recent;
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
pub(crate) enum Unusable {
    #[error("A empresa não tem certificado A1. Envie um em PUT /v1/empresas/{{cpf_cnpj}}/certificado.")]
    Absent,
    #[error("O certificado A1 da empresa expirou. Envie um válido em PUT /v1/empresas/{{cpf_cnpj}}/certificado.")]
    Expired,
    #[error("O certificado A1 da empresa não pode ser usado: {0}.")]
    Invalid(String),
    #[error(transparent)]
    Store(store::Error),
}

impl Unusable {
    /// `erro_detalhe.codigo`.
    pub(crate) fn codigo(&self) -> &'static str {
        match self {
            Unusable::Absent => "empresa_sem_certificado",
            Unusable::Expired => "certificado_expirado",
            Unusable::Invalid(_) => "certificado_invalido",
            Unusable::Store(_) => "erro_interno",
        }
    }
}

/// Most opened certificates; companies beyond open theirs again.
const MOST: usize = 1_024;

/// Slot of a company's certificate.
#[derive(Clone, Copy)]
enum Kept {
    Active,
    Retired,
}

/// Opened certificates by id.
#[derive(Default)]
pub(crate) struct Cache {
    opened: Recent<Uuid, Arc<Certificate>, MOST>,
    /// Locks of certificates that are being opened.
    opening: Mutex<HashMap<Uuid, Arc<Opening>>>,
}

/// Held while a certificate is opened.
type Opening = tokio::sync::Mutex<()>;

impl Cache {
    fn find(&self, id: Uuid) -> Option<Arc<Certificate>> {
        self.opened.find(&id)
    }

    fn keep(&self, id: Uuid, certificate: &Arc<Certificate>) {
        self.opened.keep(id, Arc::clone(certificate));
    }

    /// Returns the lock for opening a certificate.
    fn place(&self, id: Uuid) -> Arc<Opening> {
        Arc::clone(self.opening.lock().unwrap_or_else(PoisonError::into_inner).entry(id).or_default())
    }

    /// Drops the lock once the certificate is opened; tasks that have it already keep it.
    fn clear(&self, id: Uuid) {
        self.opening.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
}

impl Engine {
    /// Returns the company's certificate, opened and valid now.
    pub(crate) async fn certificate(&self, tenant: Uuid, company: CnpjCpf) -> Result<Arc<Certificate>, Unusable> {
        let certificate = self.opened_certificate(tenant, company, Kept::Active).await?;
        if certificate.holder().valido_ate < self.now_s() {
            return Err(Unusable::Expired);
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
    ) -> Result<Arc<Certificate>, Unusable> {
        match self.certificate(tenant, company).await {
            Err(Unusable::Absent) => self.opened_certificate(tenant, company, Kept::Retired).await,
            certificate => certificate,
        }
    }

    async fn opened_certificate(
        &self,
        tenant: Uuid,
        company: CnpjCpf,
        kept: Kept,
    ) -> Result<Arc<Certificate>, Unusable> {
        let store = self.store();
        let id = match kept {
            Kept::Active => store.certificate_id(tenant, company).await,
            Kept::Retired => store.retired_certificate_id(tenant, company).await,
        };
        let id = id.map_err(unusable)?;
        if let Some(certificate) = self.inner.certificates.find(id) {
            return Ok(certificate);
        }
        // many documents of a company come at once, and one of them opens it for all
        let place = self.inner.certificates.place(id);
        let _turn = place.lock().await;
        let found = match self.inner.certificates.find(id) {
            Some(certificate) => Ok(certificate),
            None => self.open_kept(tenant, company, kept).await,
        };
        self.inner.certificates.clear(id);
        found
    }

    async fn open_kept(&self, tenant: Uuid, company: CnpjCpf, kept: Kept) -> Result<Arc<Certificate>, Unusable> {
        let store = self.store();
        let file = match kept {
            Kept::Active => store.open_certificate(tenant, company).await,
            Kept::Retired => store.open_retired_certificate(tenant, company).await,
        };
        let file = file.map_err(unusable)?;
        let id = file.id;
        let opened = self.inner.opening.run(tenant, move || open(&file)).await;
        let certificate = opened.map_err(|not_done| match not_done {
            // the job runs again by itself
            NotDone::Busy => Unusable::Store(store::Error::Unavailable(not_done.to_string())),
            NotDone::Broken => Unusable::Invalid(not_done.to_string()),
        })??;
        self.inner.certificates.keep(id, &certificate);
        Ok(certificate)
    }
}

/// Bounds of opening certificates: one at a time for each account. A file with the most hashing that `signing` accepts
/// takes two or three seconds.
pub(crate) fn opening() -> Bounds {
    Bounds { at_once: cores().div_ceil(2).max(2), of_one: 1, waiting: 16, patience: Duration::from_secs(20) }
}

fn open(file: &OpenedCertificate) -> Result<Arc<Certificate>, Unusable> {
    let certificate =
        Certificate::from_pfx(&file.pfx, &file.senha).map_err(|invalid| Unusable::Invalid(invalid.to_string()))?;
    Ok(Arc::new(certificate))
}

fn unusable(error: store::Error) -> Unusable {
    match error {
        store::Error::NotFound => Unusable::Absent,
        store::Error::Sealed => Unusable::Invalid(error.to_string()),
        error => Unusable::Store(error),
    }
}

/// Elements to sign, as the signer names them.
pub(crate) fn places(elements: &[SignedElement]) -> Vec<signing::SignedElement> {
    let place = |it: &SignedElement| signing::SignedElement { element: it.element.clone(), id: it.id.clone() };
    elements.iter().map(place).collect()
}
