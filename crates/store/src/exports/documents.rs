//! Documents of a company in the order of their emission, with their files and events.

use super::ExportScope;
use crate::dialect::SqlDialect;
use crate::jobs::StoredFile;
use crate::jobs::files::{READ_FILE, read_file};
use crate::row::{Params, Row, first, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, Serie};
use uuid::Uuid;

use crate::numbers::numbered_kind::NumberedKind;

/// Place in the order of emission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportCursor {
    dhEmi: String,
    job: Uuid,
}

/// An authorised or cancelled document with its files.
#[derive(Debug, Clone)]
pub struct ExportDocument {
    pub job_id: Uuid,
    pub tipo: Tipo,
    pub state: DocumentState,
    pub counted: NumberedKind,
    pub serie: Serie,
    pub numero: u64,
    pub chave: Option<Chave>,
    /// Total, decimal text.
    pub valor: String,
    /// Document with its protocol; `None` when it is not stored.
    pub xml: Option<String>,
    /// Registered events.
    pub events: Vec<ExportEvent>,
    cursor: ExportCursor,
}

impl ExportDocument {
    /// Place after which the next page begins.
    pub fn cursor(&self) -> ExportCursor {
        self.cursor.clone()
    }
}

/// Event of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportEvent {
    /// Kind and sequence number; `None` for the event that cancelled the document.
    pub kind: Option<(String, u16)>,
    pub xml: String,
}

impl Store {
    /// Returns the next documents of a scope.
    pub async fn export_page(
        &self,
        scope: &ExportScope,
        after: Option<ExportCursor>,
        limit: u32,
    ) -> Result<Vec<ExportDocument>, Error> {
        self.read(ReadPage { scope: scope.clone(), after, limit }).await
    }

    /// Returns the number of documents of a scope.
    pub async fn export_total(&self, scope: &ExportScope) -> Result<u64, Error> {
        self.read(CountDocuments { scope: scope.clone() }).await
    }
}

struct CountDocuments {
    scope: ExportScope,
}

impl StoreOperation for CountDocuments {
    type Output = u64;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<u64, Error> {
        let sql = format!("SELECT COUNT(*) FROM {}", in_scope(tx.dialect(), &self.scope));
        Ok(first(tx.query(&sql, &scope_params(&self.scope)).await?)?.unwrap_or_default())
    }
}

/// Rows of a scope.
fn in_scope(dialect: SqlDialect, scope: &ExportScope) -> String {
    let (index, tipos) = (dialect.index_hint("documents_by_emission"), scope.of_tipos("d.tipo"));
    format!(
        "documents d {index} WHERE d.tenant_id = $1 AND d.cpf_cnpj = $2 AND d.ambiente = $3 AND d.dhEmi >= $4 AND d.dhEmi < $5
         AND (d.state = 'authorized' OR d.state = 'cancelled') {tipos}"
    )
}

fn scope_params(scope: &ExportScope) -> Params {
    params![scope.tenant, scope.cpf_cnpj.as_str(), words::ambiente(scope.ambiente), &scope.from, &scope.until]
}

struct ReadPage {
    scope: ExportScope,
    after: Option<ExportCursor>,
    limit: u32,
}

impl StoreOperation for ReadPage {
    type Output = Vec<ExportDocument>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<ExportDocument>, Error> {
        let mut params = scope_params(&self.scope);
        params.extend(params![self.limit]);
        let after = self.after.as_ref().map_or("", |after| {
            params.extend(params![&after.dhEmi, after.job]);
            "AND (d.dhEmi, d.job_id) > ($7, $8)"
        });
        let sql = format!(
            "SELECT d.job_id, d.tipo, d.state, d.counted, d.serie, d.numero, d.chave, d.valor, d.dhEmi FROM {} {after}
             ORDER BY d.dhEmi, d.job_id LIMIT $6",
            in_scope(tx.dialect(), &self.scope)
        );
        let rows = tx.query(&sql, &params).await?;
        let mut documents = rows.into_iter().map(read_document).collect::<Result<Vec<_>, _>>()?;
        self.read_files(tx, &mut documents).await?;
        for document in &mut documents {
            self.read_events(tx, document).await?;
        }
        Ok(documents)
    }
}

const EVENTS: &str = "SELECT tpEvento, nSeqEvento, job_id FROM events
    WHERE tenant_id = $1 AND chave = $2 AND state = 'registered' ORDER BY dhRegEvento, tpEvento, nSeqEvento";

impl ReadPage {
    async fn read_files<T: Tx>(&self, tx: &mut T, documents: &mut [ExportDocument]) -> Result<(), Error> {
        let key = |job: Uuid| self.file_key(job, StoredFile::Authorized);
        let keys = documents.iter().map(|document| key(document.job_id)).collect();
        for (rows, document) in tx.query_each(READ_FILE, keys).await?.into_iter().zip(documents.iter_mut()) {
            document.xml = rows.into_iter().next().map(read_file).transpose()?;
        }
        Ok(())
    }

    fn file_key(&self, job: Uuid, file: StoredFile) -> Params {
        params![self.scope.tenant, job, file.word()]
    }

    /// Reads the event that cancelled the document, and every other one. Of those that other systems registered the
    /// last is stored, with the document.
    async fn read_events<T: Tx>(&self, tx: &mut T, document: &mut ExportDocument) -> Result<(), Error> {
        let mut kinds: Vec<Option<(String, u16)>> = vec![None];
        let mut keys = vec![self.file_key(document.job_id, StoredFile::Cancelled)];
        let mut foreign = None;
        if let Some(chave) = &document.chave {
            for mut row in tx.query(EVENTS, &params![self.scope.tenant, chave.as_str()]).await? {
                let kind = (row.read()?, row.read()?);
                match row.read::<Option<Uuid>>()?.filter(|job| *job != document.job_id) {
                    Some(job) => {
                        kinds.push(Some(kind));
                        keys.push(self.file_key(job, StoredFile::Event));
                    }
                    None => foreign = Some(kind),
                }
            }
        }
        if foreign.is_some() {
            kinds.push(foreign);
            keys.push(self.file_key(document.job_id, StoredFile::Event));
        }
        for (rows, kind) in tx.query_each(READ_FILE, keys).await?.into_iter().zip(kinds) {
            if let Some(row) = rows.into_iter().next() {
                document.events.push(ExportEvent { kind, xml: read_file(row)? });
            }
        }
        Ok(())
    }
}

fn read_document(mut row: Row) -> Result<ExportDocument, Error> {
    let job_id = row.read()?;
    Ok(ExportDocument {
        job_id,
        tipo: words::read_tipo(&row.read::<String>()?)?,
        state: words::read_state(&row.read::<String>()?)?,
        counted: NumberedKind::read(&row.read::<String>()?)?,
        serie: words::read_serie(row.read()?)?,
        numero: row.read()?,
        chave: row.read::<Option<String>>()?.map(words::read_chave).transpose()?,
        valor: row.read()?,
        xml: None,
        events: Vec::new(),
        cursor: ExportCursor { dhEmi: row.read()?, job: job_id },
    })
}

crate::dyn_operation::erasable!(CountDocuments, ReadPage);
