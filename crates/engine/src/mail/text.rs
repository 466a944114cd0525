//! Subjects and texts of mails, Portuguese: plain text and simple HTML of the same paragraphs.

use super::alert_words;
use fiscal::lifecycle::DocumentState;
use fiscal::value::TpAmb;
use jiff::Timestamp;
use jiff::tz::Offset;
use serde_json::Value;
use store::alerts::AlertEvent;
use store::exports::ExportRow;
use store::jobs::{Job, JobDocument};
use store::mail::{MailKind, MailRecord};

/// Most characters of a subject.
const SUBJECT_CHARS: usize = 150;
/// Most facts of an alert, and characters of each.
const MOST_FACTS: usize = 20;
const FACT_CHARS: usize = 200;
/// Expiry of files is shown in the time of Brasília.
const BRASILIA: Offset = Offset::constant(-3);

/// Subject and paragraphs of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MailText {
    pub(super) subject: String,
    pub(super) paragraphs: Vec<String>,
}

/// Parts of a document's mail.
pub(super) struct DocumentParts<'d> {
    pub(super) mail: &'d MailRecord,
    pub(super) job: &'d Job,
    pub(super) document: &'d JobDocument,
    pub(super) company: &'d str,
    /// `true` if a PDF is attached.
    pub(super) has_pdf: bool,
}

impl MailText {
    pub(super) fn new(subject: &str, paragraphs: Vec<String>) -> MailText {
        let line = subject.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
        let subject = line.take(SUBJECT_CHARS).collect::<String>().trim().to_owned();
        MailText { subject, paragraphs }
    }

    /// Text of an authorised document, or of its cancellation.
    pub(super) fn of_document(parts: &DocumentParts<'_>) -> MailText {
        let DocumentParts { mail, job, document, company, has_pdf } = parts;
        let number = document.numero_nota.unwrap_or(document.numero);
        let name = format!("{} nº {number}, série {}", job.tipo.name(), document.serie.as_str());
        let value = document.valor.replace('.', ",");
        let mut paragraphs = match mail.kind {
            MailKind::Cancelamento => vec![
                format!("{company} cancelou o documento {name}, de {}, no valor de R$ {value}.", day(&document.dhEmi)),
                "Desconsidere o documento que recebeu antes: ele não vale mais.".to_owned(),
            ],
            _ => vec![
                format!("{company} emitiu o documento {name}, de {}, no valor de R$ {value}.", day(&document.dhEmi)),
                match has_pdf {
                    true => "Vão anexos o XML, que é o documento fiscal (guarde-o), e o PDF, para ler e imprimir.",
                    false => "Vai anexo o XML, que é o documento fiscal: guarde-o.",
                }
                .to_owned(),
            ],
        };
        if mail.kind == MailKind::Nota && document.state == DocumentState::Cancelled {
            paragraphs.push("Atenção: o documento foi cancelado depois de emitido e não vale mais.".to_owned());
        }
        if let Some(chave) = &document.chave {
            paragraphs.push(format!("Chave de acesso: {}", chave.as_str()));
        }
        paragraphs.push(farewell(mail));
        let verb = if mail.kind == MailKind::Cancelamento { "Cancelamento: " } else { "" };
        MailText::new(&format!("{}{verb}{name}, de {company}", mark(mail.ambiente)), tested(mail.ambiente, paragraphs))
    }

    /// Text about a finished export; the link leads to the panel, which asks for a login.
    pub(super) fn of_export(mail: &MailRecord, export: &ExportRow, company: &str, panel_url: Option<&str>) -> MailText {
        let period = format!("{} a {}", day(&export.de), day(&export.ate));
        let place = match panel_url {
            Some(url) => format!("Baixe-o em {url}/painel/exportacoes, com o seu login do painel."),
            None => "Baixe-o no painel, em \"Exportar o mês\", com o seu login.".to_owned(),
        };
        let mut paragraphs = vec![
            format!(
                "O arquivo com os documentos de {company}, de {period}, está pronto: {} documentos.",
                export.feitas
            ),
            place,
        ];
        paragraphs.extend(export.expira_em.map(|end| format!("Ele fica guardado até {}.", moment(end))));
        paragraphs.push(farewell(mail));
        let subject = format!("{}Documentos de {period}, de {company}", mark(mail.ambiente));
        MailText::new(&subject, tested(mail.ambiente, paragraphs))
    }

    /// Text of an alert: its sentence and its facts.
    pub(super) fn of_alert(mail: &MailRecord, company: &str, panel_url: Option<&str>) -> MailText {
        let body: Value = mail.corpo.as_deref().and_then(|body| serde_json::from_str(body).ok()).unwrap_or_default();
        let word = body.get("evento").and_then(Value::as_str).unwrap_or_default();
        let evento = AlertEvent::ALL.iter().find(|(known, _)| *known == word).map(|(_, evento)| *evento);
        let words = evento.map_or("Aviso do Carimbo", alert_words);
        let facts = body.get("dados").and_then(Value::as_object).into_iter().flatten();
        let facts = facts.filter_map(|(name, value)| Some(format!("{}: {}", name.replace('_', " "), scalar(value)?)));
        let mut paragraphs = vec![format!("{words} ({company}).")];
        paragraphs.extend(facts.take(MOST_FACTS));
        if body.get("ultimo").and_then(Value::as_bool) == Some(true) {
            let more = "Foram muitos avisos como este em uma hora: os próximos não vão por e-mail até a hora passar. Veja-os no painel.";
            paragraphs.push(more.to_owned());
        }
        paragraphs.extend(panel_url.map(|url| format!("Veja no painel: {url}/painel")));
        paragraphs.push("Você recebe este aviso porque o pediu no painel, em E-mails.".to_owned());
        MailText::new(&format!("{}{words}: {company}", mark(mail.ambiente)), paragraphs)
    }

    /// Text of a test.
    pub(super) fn of_test(mail: &MailRecord) -> MailText {
        let text = "Se você lê isto, o Carimbo consegue enviar e-mails por este servidor. Nada mais precisa ser feito.";
        MailText::new("Mensagem de teste do Carimbo", vec![text.to_owned(), farewell(mail)])
    }

    pub(super) fn plain(&self) -> String {
        let mut text = self.paragraphs.join("\r\n\r\n");
        text.push_str("\r\n");
        text
    }

    pub(super) fn html(&self) -> String {
        let mut text = String::from("<!doctype html>\r\n<html lang=\"pt-BR\"><head><meta charset=\"utf-8\"><title>");
        escape(&mut text, &self.subject);
        text.push_str("</title></head><body>\r\n");
        for paragraph in &self.paragraphs {
            text.push_str("<p>");
            escape(&mut text, paragraph);
            text.push_str("</p>\r\n");
        }
        text.push_str("</body></html>\r\n");
        text
    }
}

fn escape(into: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            letter => into.push(letter),
        }
    }
}

/// Text of a fact; `None` for lists and objects.
fn scalar(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => (if *flag { "sim" } else { "não" }).to_owned(),
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    Some(text.chars().filter(|letter| !letter.is_control()).take(FACT_CHARS).collect())
}

fn mark(ambiente: TpAmb) -> &'static str {
    match ambiente {
        TpAmb::Producao => "",
        TpAmb::Homologacao => "[TESTE] ",
    }
}

fn tested(ambiente: TpAmb, mut paragraphs: Vec<String>) -> Vec<String> {
    if ambiente == TpAmb::Homologacao {
        paragraphs.insert(0, "Este é um documento de teste (homologação), sem valor fiscal.".to_owned());
    }
    paragraphs
}

fn farewell(mail: &MailRecord) -> String {
    match &mail.responder_para {
        Some(_) => "Mensagem automática. Para falar com a empresa, responda a este e-mail.".to_owned(),
        None => "Mensagem automática: ninguém lê as respostas a este e-mail.".to_owned(),
    }
}

/// Day of an official date, as Brazil writes it.
fn day(text: &str) -> String {
    match (text.get(..4), text.get(5..7), text.get(8..10)) {
        (Some(year), Some(month), Some(day)) => format!("{day}/{month}/{year}"),
        _ => text.to_owned(),
    }
}

fn moment(seconds: i64) -> String {
    let at = Timestamp::from_second(seconds).unwrap_or_default();
    BRASILIA.to_datetime(at).strftime("%d/%m/%Y às %H:%M (Brasília)").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_shown_as_text_and_a_subject_is_one_line() {
        let text = MailText::new("a\r\nBcc: x@y.com", vec!["<script>alert(\"1\")</script> & b".to_owned()]);
        assert_eq!(text.subject, "a  Bcc: x@y.com");
        assert!(text.html().contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; b"), "{}", text.html());
        assert!(!text.html().contains("<script>"));
        assert_eq!(day("2026-11-30T10:00:00-03:00"), "30/11/2026");
        assert_eq!(moment(1_795_143_600), "20/11/2026 às 00:00 (Brasília)");
    }
}
