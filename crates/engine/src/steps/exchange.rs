//! One call on behalf of a job, with what was asked and what was answered in the job's history.
//!
//! Law: `spec/not-shown.md` §4 (`log`: each request and reply, without secrets). What is signed is a file of the job already and holds the
//! hash of a CSC or a CSRT: it is named, not repeated. The lines are written with the step that follows from the answer.

use super::Work;
use crate::bridge::Way;
use crate::call::{Exchange, NoAnswer};
use authority::sefaz::{Call, Unreadable};

/// From this attempt on the bodies are not kept: what an authority says all day it says in the same words.
const BODIES_UNTIL: u32 = 30;
/// Most characters of a body in one line.
const MOST: usize = 8 << 10;

impl Work {
    /// Sends, reads, and notes both.
    pub(crate) async fn call<T: Send + 'static>(
        &mut self,
        call: &Call,
        way: &Way,
        read: fn(&[u8]) -> Result<T, Unreadable>,
    ) -> Result<T, NoAnswer> {
        let bodies = self.job.tentativas <= BODIES_UNTIL;
        self.note(asked(call, bodies));
        let exchange = self.engine.exchange(call, way, read).await;
        self.note(answered(&exchange, bodies));
        exchange.answer
    }
}

/// The line of a request.
pub(crate) fn asked(call: &Call, bodies: bool) -> String {
    let body = match () {
        () if !bodies => format!("(corpo não guardado depois da {BODIES_UNTIL}ª tentativa)"),
        () if is_signed(&call.body) => "(o documento assinado, guardado com o job)".to_owned(),
        () => shortened(&call.body),
    };
    format!("Pedido: POST {}, {}, {} bytes: {body}", call.url, call.service, call.body.len())
}

/// The line of what came of it.
pub(crate) fn answered<T>(exchange: &Exchange<T>, bodies: bool) -> String {
    let took = exchange.took.as_millis();
    match (&exchange.reply, &exchange.answer) {
        (Some(reply), _) if bodies => {
            format!("Resposta em {took} ms: HTTP 200, {} bytes: {}", reply.len(), shortened(reply))
        }
        (Some(reply), _) => format!("Resposta em {took} ms: HTTP 200, {} bytes.", reply.len()),
        (None, Err(none)) => format!("Resposta em {took} ms: nenhuma ({}).", shortened(none.to_string().as_bytes())),
        (None, Ok(_)) => format!("Resposta em {took} ms."),
    }
}

fn is_signed(body: &[u8]) -> bool {
    let mark = b"<SignatureValue>";
    body.windows(mark.len()).any(|window| window == mark)
}

/// In one line, and not without end: the other side decides what it sends.
fn shortened(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(4 * MOST)]);
    let mut kept: String =
        text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(MOST).collect();
    if kept.len() < body.len() && text.chars().nth(MOST).is_some() {
        kept.push_str(&format!("… (cortado; {} bytes ao todo)", body.len()));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_is_kept_in_one_line_and_cut() {
        assert_eq!(shortened(b"<a>\r\n\0</a>"), "<a>   </a>");
        assert_eq!(shortened("ç".repeat(MOST).as_bytes()).chars().count(), MOST);
        let cut = shortened(&vec![b'x'; MOST + 1]);
        assert!(cut.ends_with("… (cortado; 8193 bytes ao todo)") && cut.starts_with("xxx"), "{cut}");
    }

    #[test]
    fn what_is_signed_is_not_repeated() {
        let call = |body: &str| Call {
            url: "https://sp/ws".to_owned(),
            content_type: String::new(),
            body: body.as_bytes().to_vec(),
            authority: "SP".to_owned(),
            service: "NFeAutorizacao4",
        };
        let signed = asked(&call("<NFe>cHashQRCode<SignatureValue>x</SignatureValue></NFe>"), true);
        assert!(!signed.contains("cHashQRCode") && signed.contains("56 bytes"), "{signed}");
        assert!(asked(&call("<consSitNFe/>"), true).ends_with("13 bytes: <consSitNFe/>"));
        assert!(!asked(&call("<consSitNFe/>"), false).contains("<consSitNFe/>"));
    }
}
