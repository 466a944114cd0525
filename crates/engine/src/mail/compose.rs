//! Composition of a mail: recipients, text, attachments, and the bytes of the message.

use super::address::addresses;
use super::settings::MailSettings;
use super::text::{DocumentParts, MailText};
use crate::Engine;
use crate::jobs::print::{FormChoices, FormOutput, PrintError, has_form};
use crate::jobs::query::FileError;
use fiscal::archive_name::{document_key, document_root, form_word};
use fiscal::value::CnpjCpf;
use fiscal::{contents, xml};
use lettre::Address;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Body, Mailbox, Message, MultiPart, SinglePart};
use std::time::{Duration, UNIX_EPOCH};
use store::Visibility;
use store::jobs::{Job, StoredFile};
use store::mail::{MailKind, MailRecord};
use uuid::Uuid;

/// Most bytes of the attachments, before their encoding; servers take some 25 MB after it.
const ATTACHED_BYTES: usize = 12 << 20;

/// Reason why a mail has no message.
#[derive(Debug, thiserror::Error)]
pub(super) enum ComposeError {
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The document names no usable address; Portuguese.
    #[error("{0}")]
    NoAddress(String),
    /// Its document is not complete yet, or not drawn; Portuguese.
    #[error("{0}")]
    Later(String),
    /// Nothing of it can be sent; Portuguese.
    #[error("{0}")]
    Never(String),
}

/// Attached file.
pub(super) struct AttachedFile {
    name: String,
    media: &'static str,
    bytes: Vec<u8>,
}

/// Parts of a message before its bytes are made.
pub(super) struct MailParts {
    id: Uuid,
    pub(super) to: Vec<String>,
    pub(super) copy: Vec<String>,
    reply_to: Option<String>,
    pub(super) text: MailText,
    attached: Vec<AttachedFile>,
}

impl MailParts {
    /// Reads the document, export or alert of a mail.
    pub(super) async fn read(
        engine: &Engine,
        settings: &MailSettings,
        mail: &MailRecord,
    ) -> Result<MailParts, ComposeError> {
        let panel_url = settings.panel_url.as_deref();
        let (found, text, attached) = match (mail.kind, mail.job, mail.export) {
            (MailKind::Nota | MailKind::Cancelamento, Some(job), _) => document_parts(engine, mail, job).await?,
            (MailKind::Exportacao, _, Some(export)) => {
                let export = engine.store().export(mail.tenant, mail.ambiente, export).await.map_err(gone)?;
                let company = company_name(engine, mail.tenant, export.cpf_cnpj).await?;
                (None, MailText::of_export(mail, &export, &company, panel_url), Vec::new())
            }
            (MailKind::Alerta, ..) => {
                let company = match mail.cpf_cnpj {
                    Some(cpf_cnpj) => company_name(engine, mail.tenant, cpf_cnpj).await?,
                    None => String::new(),
                };
                (None, MailText::of_alert(mail, &company, panel_url), Vec::new())
            }
            _ => (None, MailText::of_test(mail), Vec::new()),
        };
        let written = mail.para.as_deref().or(found.as_deref()).unwrap_or_default();
        if written.is_empty() {
            return Err(ComposeError::NoAddress("O documento não traz o e-mail do destinatário.".to_owned()));
        }
        let to = addresses(written).map_err(|fault| {
            let shown: String = written.chars().filter(|letter| !letter.is_control()).take(120).collect();
            ComposeError::NoAddress(format!("O endereço \"{shown}\" {fault}."))
        })?;
        let mut copy = mail.copia_para.as_deref().map(|text| addresses(text).unwrap_or_default()).unwrap_or_default();
        // each address gets the mail once
        copy.retain(|address| !to.iter().any(|other| other.eq_ignore_ascii_case(address)));
        Ok(MailParts { id: mail.id, to, copy, reply_to: mail.responder_para.clone(), text, attached })
    }

    /// Envelope: first the addressees, then the copies.
    pub(super) fn recipients(&self) -> Vec<Address> {
        self.to.iter().chain(&self.copy).filter_map(|address| address.parse().ok()).collect()
    }

    /// Makes the bytes of the message. Its id is that of the mail in every attempt, so that a receiver recognises it.
    pub(super) fn message(self, settings: &MailSettings, now: i64) -> Result<Vec<u8>, ComposeError> {
        let never =
            |error: &dyn std::fmt::Display| ComposeError::Never(format!("A mensagem não pôde ser montada: {error}."));
        let mailbox = |name: Option<&str>, address: &str| {
            let address: Address = address.parse().map_err(|error| never(&error))?;
            Ok::<_, ComposeError>(Mailbox::new(name.map(plain), address))
        };
        let date = UNIX_EPOCH + Duration::from_secs(now.max(0).unsigned_abs());
        let automatic = HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned());
        let mut builder = Message::builder()
            .message_id(Some(format!("<{}@{}>", self.id, settings.domain())))
            .date(date)
            .from(mailbox(settings.from_name.as_deref(), &settings.from)?)
            .subject(self.text.subject.clone())
            .raw_header(automatic);
        for address in &self.to {
            builder = builder.to(mailbox(None, address)?);
        }
        for address in &self.copy {
            builder = builder.cc(mailbox(None, address)?);
        }
        if let Some(address) = &self.reply_to {
            builder = builder.reply_to(mailbox(None, address)?);
        }
        let text = MultiPart::alternative()
            .singlepart(encoded(self.text.plain(), ContentType::TEXT_PLAIN))
            .singlepart(encoded(self.text.html(), ContentType::TEXT_HTML));
        let mut parts = MultiPart::mixed().multipart(text);
        for file in self.attached {
            let media = ContentType::parse(file.media).map_err(|error| never(&error))?;
            let body = Body::new_with_encoding(file.bytes, ContentTransferEncoding::Base64)
                .map_err(|_| ComposeError::Never("Um anexo não pôde ser codificado.".to_owned()))?;
            parts = parts.singlepart(Attachment::new(file.name).body(body, media));
        }
        Ok(builder.multipart(parts).map_err(|error| never(&error))?.formatted())
    }
}

fn encoded(text: String, media: ContentType) -> SinglePart {
    // base64 keeps every line short and plain, whatever the text holds
    match Body::new_with_encoding(text, ContentTransferEncoding::Base64) {
        Ok(body) => SinglePart::builder().header(media).body(body),
        Err(text) => SinglePart::builder().header(media).body(text),
    }
}

/// A name without what could end its header.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).collect()
}

fn gone(error: store::Error) -> ComposeError {
    match error {
        store::Error::NotFound => ComposeError::Never("O que este e-mail anuncia foi apagado.".to_owned()),
        error => error.into(),
    }
}

async fn company_name(engine: &Engine, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<String, store::Error> {
    let records = engine.store().company_records(tenant, vec![cpf_cnpj]).await?;
    let name = records.get(&cpf_cnpj).and_then(|dados| dados.get("nome_razao_social")?.as_str()).map(plain);
    Ok(name.filter(|name| !name.is_empty()).unwrap_or_else(|| cpf_cnpj.as_str().to_owned()))
}

type FoundParts = (Option<String>, MailText, Vec<AttachedFile>);

async fn document_parts(engine: &Engine, mail: &MailRecord, job: Uuid) -> Result<FoundParts, ComposeError> {
    let job = engine.store().job(Visibility::whole(mail.tenant), job).await.map_err(gone)?;
    let Some(document) = job.document.clone() else {
        return Err(ComposeError::Never("A operação não tem documento.".to_owned()));
    };
    let text = match engine.store().file(job.tenant_id, job.id, StoredFile::Authorized).await {
        Ok(text) => text,
        Err(store::Error::NotFound) => {
            return Err(ComposeError::Later("O XML autorizado ainda não está guardado.".to_owned()));
        }
        Err(error) => return Err(error.into()),
    };
    let company = company_name(engine, mail.tenant, job.cpf_cnpj).await?;
    let (text, email) = engine_read(text).await?;
    let mut attached = Vec::new();
    if mail.kind == MailKind::Nota {
        let key = document_key(document.chave.as_ref(), &job.id);
        let pdf = pdf(engine, &job, &key).await?;
        let name = format!("{key}-{}.xml", document_root(job.tipo));
        if text.len() > ATTACHED_BYTES {
            return Err(ComposeError::Never("O XML é grande demais para um e-mail.".to_owned()));
        }
        attached.push(AttachedFile { name, media: "application/xml", bytes: text.into_bytes() });
        attached.extend(pdf);
        if attached.iter().map(|file| file.bytes.len()).sum::<usize>() > ATTACHED_BYTES {
            attached.truncate(1);
        }
    }
    let parts = DocumentParts { mail, job: &job, document: &document, company: &company, has_pdf: attached.len() > 1 };
    Ok((email, MailText::of_document(&parts), attached))
}

/// Finds the addressee's e-mail, off the async threads.
async fn engine_read(text: String) -> Result<(String, Option<String>), ComposeError> {
    let read = tokio::task::spawn_blocking(move || {
        let root = xml::read(text.as_bytes()).ok();
        let email = root.as_ref().and_then(contents::addressee_email).map(str::to_owned);
        (text, email)
    });
    read.await.map_err(|error| ComposeError::Later(format!("O documento não pôde ser lido: {error}.")))
}

async fn pdf(engine: &Engine, job: &Job, key: &str) -> Result<Option<AttachedFile>, ComposeError> {
    if !has_form(job) {
        return Ok(None);
    }
    let sight = Visibility::whole(job.tenant_id);
    match engine.print_form(sight, job.id, FormOutput::Pdf, FormChoices::default()).await {
        Ok(printed) => {
            let name = format!("{key}-{}.pdf", form_word(job.tipo));
            Ok(Some(AttachedFile { name, media: "application/pdf", bytes: printed.bytes }))
        }
        Err(PrintError::File(FileError::Store(error))) => Err(error.into()),
        Err(PrintError::NotDone(_)) => {
            Err(ComposeError::Later("O PDF não pôde ser desenhado agora: há muitos em andamento.".to_owned()))
        }
        // the XML is the document; it leaves without a picture
        Err(error) => {
            tracing::warn!(job.id = %job.id, error.cause = %error, "a mail leaves without its form");
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::SmtpTls;

    fn settings() -> MailSettings {
        MailSettings {
            host: "localhost".to_owned(),
            port: 25,
            tls: SmtpTls::Absent,
            login: None,
            from: "notas@loja.com.br".to_owned(),
            from_name: Some("Loja \"A\"\r\nBcc: x@y.com ção".to_owned()),
            timeout: Duration::from_secs(1),
            per_minute: 60,
            per_minute_of_account: 30,
            extra_anchors_pem: None,
            panel_url: None,
        }
    }

    #[test]
    fn no_text_adds_a_header() {
        let bytes = b"<a>\n</a>".to_vec();
        let parts = MailParts {
            id: Uuid::nil(),
            to: vec!["a@b.com".to_owned()],
            copy: vec!["c@b.com".to_owned()],
            reply_to: Some("r@b.com".to_owned()),
            text: MailText::new("oi\r\nBcc: x@y.com", vec!["linha\r\n.\r\nQUIT".to_owned()]),
            attached: vec![AttachedFile { name: "a.xml".to_owned(), media: "application/xml", bytes }],
        };
        assert_eq!(parts.recipients().len(), 2);
        let message = String::from_utf8(parts.message(&settings(), 0).unwrap()).unwrap();
        let (head, body) = message.split_once("\r\n\r\n").unwrap();
        assert!(!head.lines().any(|line| line.to_ascii_lowercase().starts_with("bcc")), "{head}");
        for line in ["Message-ID: <00000000-0000-0000-0000-000000000000@loja.com.br>", "Auto-Submitted: auto-generated"]
        {
            assert!(head.contains(line), "{head}");
        }
        assert!(!body.lines().any(|line| line == "." || line == "QUIT"), "{body}");
        assert!(body.contains("PGE+CjwvYT4="), "{body}");
    }
}
