//! Logo of a company: decoded before it is stored, so that no form fails for it later.

use crate::Engine;
use crate::process::work_pool::NotDone;
use fiscal::value::CnpjCpf;
use render::pdf::picture::{NotPrintable, Picture};
use store::audit::Actor;
use store::companies::Logo;
use uuid::Uuid;

/// Largest file, in bytes.
pub const MOST_BYTES: usize = 512 * 1024;

/// Description of a stored logo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLogo {
    /// `image/png` or `image/jpeg`, by the content of the file and not by its declared type.
    pub media: &'static str,
    /// Width in pixels.
    pub largura: u32,
    /// Height in pixels.
    pub altura: u32,
    /// Size of the file.
    pub bytes: usize,
}

/// Reason why a logo was refused.
#[derive(Debug, thiserror::Error)]
pub enum LogoError {
    /// The tenant has no such company.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// Too many bytes.
    #[error("o arquivo tem mais de {} KB", MOST_BYTES / 1024)]
    TooLarge,
    /// Not a picture that can be printed.
    #[error(transparent)]
    NotPrintable(#[from] NotPrintable),
    /// The pool had no time for it, or the check failed.
    #[error(transparent)]
    NotDone(#[from] NotDone),
    #[error(transparent)]
    Store(store::Error),
}

/// Decodes the picture once, as every form will: a few bytes may stand for a million pixels.
fn check_picture(file: Vec<u8>) -> Result<(StoredLogo, Logo), NotPrintable> {
    let picture = Picture::read(&file)?;
    // a PDF reader decodes a JPEG itself; a receipt printer gets our decoding
    if picture.grey().is_none() {
        return Err(NotPrintable::Damaged);
    }
    let media = if file.starts_with(&[0xFF]) { "image/jpeg" } else { "image/png" };
    let kept = StoredLogo { media, largura: picture.width, altura: picture.height, bytes: file.len() };
    Ok((kept, Logo { media: media.to_owned(), picture: file }))
}

impl Engine {
    /// Checks and stores the logo.
    pub async fn put_logo(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        file: Vec<u8>,
        by: &Actor,
    ) -> Result<StoredLogo, LogoError> {
        if file.len() > MOST_BYTES {
            return Err(LogoError::TooLarge);
        }
        let (kept, logo) = self.heavy().run(tenant, || check_picture(file)).await??;
        match self.store().save_logo(tenant, cpf_cnpj, logo, by, self.now_s()).await {
            Ok(()) => Ok(kept),
            Err(store::Error::NotFound) => Err(LogoError::UnknownCompany),
            Err(error) => Err(LogoError::Store(error)),
        }
    }

    /// The picture for a form; `None` when the company has none, or is gone.
    pub(crate) async fn picture(&self, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<Option<Picture>, store::Error> {
        match self.store().logo(tenant, cpf_cnpj).await {
            // it was decoded before it was stored
            Ok(logo) => Ok(Picture::read(&logo.picture).ok()),
            Err(store::Error::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
