//! Contents of a job's document: of the stored XML, the authority's or the signed one; before, of the order.

use crate::Engine;
use crate::jobs::query::FileError;
use crate::order::Order;
use fiscal::contents::{self, DocumentContents};
use fiscal::tipo::Tipo;
use fiscal::value::CnpjCpf;
use fiscal::xml;
use store::Visibility;
use store::jobs::{Job, Operacao, StoredFile};

impl Engine {
    /// Returns the contents of the document that a job issues; `None` for a job that issues none.
    pub async fn document_contents(&self, job: &Job) -> Result<Option<DocumentContents>, FileError> {
        if job.operacao != Operacao::Emissao {
            return Ok(None);
        }
        for file in [StoredFile::Authorized, StoredFile::Signed] {
            match self.store().file(job.tenant_id, job.id, file).await {
                Ok(text) => return Ok(xml::read(text.as_bytes()).ok().map(|root| contents::of_document(&root))),
                Err(store::Error::NotFound) => {}
                Err(error) => return Err(FileError::Store(error)),
            }
        }
        Ok(Order::emission(job).map(|order| contents::of_order(&order.nota)))
    }

    /// Returns the contents of a received document; `None` while only its summary is stored.
    pub async fn received_contents(
        &self,
        sight: Visibility,
        tipo: Tipo,
        chave: String,
        of: CnpjCpf,
    ) -> Result<Option<DocumentContents>, store::Error> {
        let (text, whole) = self.store().received_xml(sight, tipo, chave, Some(of)).await?;
        let read = whole.then(|| xml::read(text.as_bytes()).ok()).flatten();
        Ok(read.map(|root| contents::of_document(&root)))
    }
}
