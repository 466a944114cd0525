//! Printed forms of many documents as one PDF, so that a month is printed at once. A PDF is drawn whole in memory: each
//! holds a bounded number of documents.

use super::{ExportError, drawn, names};
use crate::Engine;
use fiscal::tipo::Tipo;
use store::exports::ExportDocument;
use uuid::Uuid;

/// Documents of a PDF.
const DOCUMENTS: usize = 200;
/// Bytes of their XML.
const BYTES: usize = 4 << 20;

/// A PDF of many documents.
pub(super) struct JoinedForm {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// Documents without a form.
    pub(super) without: u64,
}

/// Documents of a type that wait for their PDF.
#[derive(Default)]
struct WaitingForms {
    jobs: Vec<Uuid>,
    bytes: usize,
    /// Number of the last PDF.
    number: u32,
}

/// Documents that wait for their PDF, by type.
#[derive(Default)]
pub(super) struct FormBatches([WaitingForms; Tipo::ALL.len()]);

impl FormBatches {
    /// Adds documents; returns the PDFs that are full.
    pub(super) async fn add(
        &mut self,
        engine: &Engine,
        tenant: Uuid,
        page: &[ExportDocument],
    ) -> Result<Vec<JoinedForm>, ExportError> {
        let mut full = Vec::new();
        for document in page {
            let Some(waiting) = self.of(document.tipo) else { continue };
            waiting.jobs.push(document.job_id);
            waiting.bytes += document.xml.as_ref().map_or(0, String::len);
            if waiting.jobs.len() >= DOCUMENTS || waiting.bytes >= BYTES {
                full.push(waiting.draw(engine, tenant, document.tipo).await?);
            }
        }
        Ok(full)
    }

    /// Returns the PDF of a type that was not full, if any.
    pub(super) async fn rest(
        &mut self,
        engine: &Engine,
        tenant: Uuid,
        tipo: Tipo,
    ) -> Result<Option<JoinedForm>, ExportError> {
        match self.of(tipo) {
            Some(waiting) if !waiting.jobs.is_empty() => waiting.draw(engine, tenant, tipo).await.map(Some),
            _ => Ok(None),
        }
    }

    fn of(&mut self, tipo: Tipo) -> Option<&mut WaitingForms> {
        let place = Tipo::ALL.iter().position(|other| *other == tipo)?;
        self.0.get_mut(place)
    }
}

impl WaitingForms {
    async fn draw(&mut self, engine: &Engine, tenant: Uuid, tipo: Tipo) -> Result<JoinedForm, ExportError> {
        let jobs = std::mem::take(&mut self.jobs);
        self.bytes = 0;
        self.number += 1;
        let name = names::joined(tipo, self.number);
        let title = format!("{} ({} documentos)", tipo.name(), jobs.len());
        let drawn = drawn(|| engine.print_joined(tenant, &jobs, title.clone())).await?;
        let (bytes, without) = drawn.ok_or(ExportError::Broken)?;
        Ok(JoinedForm { name, bytes, without: without as u64 })
    }
}
