//! Entries of the archive, and the sums that are made while they are written.

use super::archive::ZipStream;
use super::csv::{CsvTable, decimal};
use super::gaps::{MOST_GAPS, NumberGap, SeriesSpan, SeriesSpans, VoidedRange};
use super::joined::JoinedForm;
use super::readme::{self, WriterNotes};
use super::{ExportError, ExportRequest, names};
use fiscal::lifecycle::DocumentState;
use fiscal::totals::{DocumentTotals, TaxTotals};
use store::exports::{ExportDocument, ExportScope};
use store::numbers::Series;
use uuid::Uuid;

/// An archive being written.
pub(super) struct ExportWriter {
    scope: ExportScope,
    now_s: i64,
    zip: ZipStream,
    taxes: TaxTotals,
    documents: DocumentTotals,
    spans: SeriesSpans,
    notes: WriterNotes,
}

impl ExportWriter {
    pub(super) fn new(request: &ExportRequest, now_s: i64) -> ExportWriter {
        ExportWriter {
            scope: request.scope.clone(),
            now_s,
            zip: ZipStream::new(now_s),
            taxes: TaxTotals::default(),
            documents: DocumentTotals::default(),
            spans: SeriesSpans::new(),
            notes: WriterNotes { forms: request.forms, ..WriterNotes::default() },
        }
    }

    /// Adds documents with their events and forms.
    pub(super) fn add_page(
        &mut self,
        page: &[ExportDocument],
        forms: &[(Uuid, Option<Vec<u8>>)],
    ) -> Result<(), ExportError> {
        for document in page {
            self.add_document(document)?;
            let form = forms.iter().find(|(job, _)| *job == document.job_id);
            match form {
                Some((_, Some(bytes))) => self.zip.add(&names::form(document), bytes)?,
                Some((_, None)) => self.notes.without_form += 1,
                None => {}
            }
        }
        Ok(())
    }

    /// Adds a PDF of many documents.
    pub(super) fn add_joined(&mut self, form: &JoinedForm) -> Result<(), ExportError> {
        self.notes.without_form += form.without;
        Ok(self.zip.add(&form.name, &form.bytes)?)
    }

    fn add_document(&mut self, document: &ExportDocument) -> Result<(), ExportError> {
        self.documents.add(document.tipo, document.state, &document.valor);
        self.widen(document);
        match &document.xml {
            Some(xml) => {
                self.zip.add(&names::document(document), xml.as_bytes())?;
                let counts = document.state == DocumentState::Authorized;
                if counts && self.taxes.add(document.tipo, xml).is_err() {
                    self.notes.unread += 1;
                }
            }
            None => self.notes.without_xml += 1,
        }
        for event in &document.events {
            self.zip.add(&names::event(document, event), event.xml.as_bytes())?;
            self.notes.events += 1;
        }
        Ok(())
    }

    /// Records the document's number in the span of its series.
    fn widen(&mut self, document: &ExportDocument) {
        let key = (document.counted, document.serie.as_str().to_owned());
        let ExportScope { cpf_cnpj, ambiente, .. } = self.scope;
        let span = self.spans.entry(key).or_insert_with(|| SeriesSpan {
            tipo: document.tipo.word(),
            series: Series { cpf_cnpj, counted: document.counted, serie: document.serie, ambiente },
            lowest: document.numero,
            highest: document.numero,
        });
        span.lowest = span.lowest.min(document.numero);
        span.highest = span.highest.max(document.numero);
    }

    /// Series of the documents written so far.
    pub(super) fn series(&self) -> SeriesSpans {
        self.spans.clone()
    }

    /// Adds the tables, the voided ranges and the explanation.
    pub(super) fn add_tables(&mut self, gaps: &[NumberGap], voids: &[VoidedRange]) -> Result<(), ExportError> {
        self.notes.gaps_cut = gaps.len() >= MOST_GAPS;
        for void in voids {
            if let Some(xml) = &void.xml {
                self.zip.add(&names::voided(void.tipo, &void.range), xml.as_bytes())?;
            }
        }
        let tables = [
            ("totais.csv", tax_table(&self.taxes)),
            ("resumo.csv", document_table(&self.documents)),
            ("lacunas.csv", gap_table(gaps)),
            ("inutilizadas.csv", void_table(voids)),
        ];
        for (name, table) in tables {
            self.zip.add(name, &table.into_bytes())?;
        }
        let text = readme::text(&self.scope, &self.documents, &self.notes, self.now_s);
        Ok(self.zip.add("LEIA-ME.txt", text.as_bytes())?)
    }

    /// Bytes written since the last call.
    pub(super) fn take(&self) -> Vec<u8> {
        self.zip.take()
    }

    /// Ends the archive; returns its last bytes.
    pub(super) fn finish(self) -> Result<Vec<u8>, ExportError> {
        Ok(self.zip.finish()?)
    }
}

fn tax_table(taxes: &TaxTotals) -> CsvTable {
    let header = ["tipo", "CFOP", "CST", "imposto", "itens", "valor_itens", "base_calculo", "valor_imposto"];
    let mut table = CsvTable::new(&header);
    for (key, sum) in taxes.rows() {
        table.row(&[
            key.tipo.to_owned(),
            key.cfop.clone(),
            key.cst.clone(),
            key.imposto.to_owned(),
            sum.itens.to_string(),
            decimal(sum.valor),
            decimal(sum.base),
            decimal(sum.imposto),
        ]);
    }
    table
}

fn document_table(documents: &DocumentTotals) -> CsvTable {
    let mut table = CsvTable::new(&["tipo", "situacao", "documentos", "valor"]);
    for (tipo, cancelled, sum) in documents.rows() {
        let state = if cancelled { "cancelada" } else { "autorizada" };
        table.row(&[tipo.to_owned(), state.to_owned(), sum.documentos.to_string(), decimal(sum.valor)]);
    }
    table
}

fn gap_table(gaps: &[NumberGap]) -> CsvTable {
    let mut table = CsvTable::new(&["tipo", "serie", "de", "ate", "quantidade", "situacao"]);
    for gap in gaps {
        table.row(&[
            gap.tipo.to_owned(),
            gap.serie.clone(),
            gap.from.to_string(),
            gap.to.to_string(),
            (gap.to - gap.from + 1).to_string(),
            gap.reason.to_owned(),
        ]);
    }
    table
}

fn void_table(voids: &[VoidedRange]) -> CsvTable {
    let mut table = CsvTable::new(&["tipo", "serie", "de", "ate", "quantidade", "protocolo", "registrada_em"]);
    for VoidedRange { tipo, range, .. } in voids {
        let (first, last) = range.bounds();
        table.row(&[
            tipo.word().to_owned(),
            range.serie.to_string(),
            first.to_string(),
            last.to_string(),
            (u64::from(last) + 1).saturating_sub(u64::from(first)).to_string(),
            range.nProt.clone().unwrap_or_default(),
            range.dhRecbto.clone().unwrap_or_default(),
        ]);
    }
    table
}
