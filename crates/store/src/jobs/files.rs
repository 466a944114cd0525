//! Files of a job. A document with its protocol is stored as the text around the signed document, which is stored
//! already: its bytes are written once. Long files are packed: a database writes every byte twice, and the items of a
//! note are much alike.

use super::packed::{LongText, packed, unpacked};
use crate::row::{Row, only, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store};
use uuid::Uuid;

/// Kind of a stored file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredFile {
    /// Signed NFe, exactly as sent.
    Signed,
    /// procNFe.
    Authorized,
    /// procEventoNFe of the cancellation, stored with the cancelled document.
    Cancelled,
    /// procEventoNFe of any other event, or ProcInutNFe, stored with its job; for a document, the last one registered
    /// by others.
    Event,
}

impl StoredFile {
    /// Kind under which it is stored.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            StoredFile::Signed => "signed",
            StoredFile::Authorized => "authorized",
            StoredFile::Cancelled => "cancelled",
            StoredFile::Event => "proc_event",
        }
    }
}

impl Store {
    /// Returns a stored file of an emission job; `NotFound` when there is none.
    pub async fn file(&self, tenant: Uuid, job: Uuid, file: StoredFile) -> Result<String, Error> {
        self.read(ReadFile { tenant, job, file }).await
    }
}

/// Kind of the signed event of a job, an internal file.
pub(super) const SIGNED_EVENT: &str = "event";

/// Bytes of the prefix by which a signed document is found.
const PREFIX_BYTES: usize = 64;

/// A document with the authority's decision, in its stored form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedDocument {
    content: String,
    /// Position of the signed file in `content`; `None` when `content` is complete.
    around: Option<usize>,
}

impl ArchivedDocument {
    /// Makes the stored form of `xml`, which contains the signed document byte for byte or was written by the
    /// authority.
    pub fn of(xml: String, signed: &str) -> ArchivedDocument {
        // Searches for a prefix and then compares all of it: a search for a long text takes long to prepare.
        let begins = &signed[..signed.floor_char_boundary(PREFIX_BYTES)];
        let parts =
            xml.split_once(begins).and_then(|(before, _)| Some((before, xml[before.len()..].strip_prefix(signed)?)));
        match parts {
            Some((before, after)) if !signed.is_empty() => {
                ArchivedDocument { content: [before, after].concat(), around: Some(before.len()) }
            }
            _ => ArchivedDocument { content: xml, around: None },
        }
    }

    /// Stores the archive in place of an older one.
    pub(super) fn save_step(&self, tenant: Uuid, job: Uuid) -> SqlStep<'static> {
        save_packed(tenant, job, StoredFile::Authorized.word(), &self.content, self.around)
    }
}

/// Stores a file of the job in place of an older one of its kind.
pub(super) fn save_file(tenant: Uuid, job: Uuid, kind: &str, content: &str) -> SqlStep<'static> {
    save_packed(tenant, job, kind, content, None)
}

/// Stores a file of the job unless there is one of its kind.
pub(super) fn save_file_once(tenant: Uuid, job: Uuid, kind: &str, content: &str) -> SqlStep<'static> {
    let (content, packed) = packed(content);
    let sql = "INSERT INTO files (tenant_id, job_id, kind, content, packed, around) VALUES ($1, $2, $3, $4, $5, NULL)
               ON CONFLICT (tenant_id, job_id, kind) DO NOTHING";
    SqlStep::new(sql, params![tenant, job, kind, content, packed])
}

/// Stores the signed document.
pub(super) fn save_signed(tenant: Uuid, job: Uuid, signed: &LongText) -> SqlStep<'static> {
    let (content, packed) = signed.columns();
    upsert_file(tenant, job, StoredFile::Signed.word(), (content, packed), None)
}

fn save_packed(tenant: Uuid, job: Uuid, kind: &str, content: &str, around: Option<usize>) -> SqlStep<'static> {
    // The signed event of a job is read with the job, and is never long.
    let columns = if kind == SIGNED_EVENT { (content, None) } else { packed(content) };
    upsert_file(tenant, job, kind, columns, around)
}

fn upsert_file(
    tenant: Uuid,
    job: Uuid,
    kind: &str,
    (content, packed): (&str, Option<Vec<u8>>),
    around: Option<usize>,
) -> SqlStep<'static> {
    let sql = "INSERT INTO files (tenant_id, job_id, kind, content, packed, around) VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (tenant_id, job_id, kind) DO UPDATE
               SET content = excluded.content, packed = excluded.packed, around = excluded.around";
    SqlStep::per_row(sql, params![tenant, job, kind, content, packed, around.map(|at| at as u64)])
}

struct ReadFile {
    tenant: Uuid,
    job: Uuid,
    file: StoredFile,
}

impl StoreOperation for ReadFile {
    type Output = String;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<String, Error> {
        let params = params![self.tenant, self.job, self.file.word()];
        read_file(only(tx.query(READ_FILE, &params).await?)?)
    }
}

/// A file by tenant, job and kind, with what is stored of it elsewhere.
pub(crate) const READ_FILE: &str = "SELECT f.content, f.packed, f.around, s.content, s.packed FROM files f
     LEFT JOIN files s ON f.around IS NOT NULL AND s.tenant_id = f.tenant_id AND s.job_id = f.job_id AND s.kind = 'signed'
     WHERE f.tenant_id = $1 AND f.job_id = $2 AND f.kind = $3";

/// Reads a row of [`READ_FILE`].
pub(crate) fn read_file(mut row: Row) -> Result<String, Error> {
    let content = unpacked(row.read()?, row.read()?)?;
    let around = row.read()?;
    let signed = match row.read::<Option<String>>()? {
        Some(signed) => Some(unpacked(signed, row.read()?)?),
        None => None,
    };
    reassembled(content, around, signed)
}

/// Inserts the signed file at its position.
fn reassembled(content: String, around: Option<u64>, signed: Option<String>) -> Result<String, Error> {
    let Some(at) = around else { return Ok(content) };
    let parts = usize::try_from(at).ok().and_then(|at| content.split_at_checked(at)).zip(signed);
    let ((before, after), signed) =
        parts.ok_or(Error::Corrupt("falta o arquivo assinado de um documento autorizado"))?;
    Ok([before, &signed, after].concat())
}

crate::dyn_operation::erasable!(ReadFile);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_around_the_signed_document_is_read_back_whole() {
        let (signed, xml) = ("<NFe>ação</NFe>", "<nfeProc><NFe>ação</NFe><protNFe>é</protNFe></nfeProc>");
        let archive = ArchivedDocument::of(xml.to_owned(), signed);
        assert_eq!(archive.content, "<nfeProc><protNFe>é</protNFe></nfeProc>");
        let around = archive.around.map(|at| at as u64);
        assert_eq!(reassembled(archive.content, around, Some(signed.to_owned())).unwrap(), xml);
    }

    #[test]
    fn what_an_authority_wrote_itself_is_kept_whole() {
        let archive = ArchivedDocument::of("<NFSe/>".to_owned(), "<DPS/>");
        assert_eq!(archive, ArchivedDocument { content: "<NFSe/>".to_owned(), around: None });
        assert_eq!(ArchivedDocument::of("<NFSe/>".to_owned(), "").around, None);
        assert_eq!(reassembled(archive.content, None, None).unwrap(), "<NFSe/>");
    }

    #[test]
    fn a_signed_file_that_is_gone_is_told_and_no_half_document_is_given() {
        let signed = || Some("<NFe/>".to_owned());
        // Absent; beyond the end; inside a character.
        for (content, around, signed) in [("<a/>", 1, None), ("<a/>", 99, signed()), ("é", 1, signed())] {
            assert!(
                matches!(reassembled(content.to_owned(), Some(around), signed), Err(Error::Corrupt(_))),
                "{content} {around}"
            );
        }
    }
}
