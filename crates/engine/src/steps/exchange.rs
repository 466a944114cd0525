//! Exchange of one call on behalf of a job, with request and reply in the job log.
//!
//! Law: `docs/contract.md`, "Documents" (`log`: each request and reply, without secrets). A signed body is a file of
//! the job already and holds the hash of a CSC or a CSRT: it is named, not repeated. The lines are written with the
//! step that follows from the answer.

use super::ClaimedWork;
use crate::authorities::call::{CallExchange, NoAnswer};
use crate::authorities::health::Channel;
use crate::family::UnreadableReply;
use authority::call::{AuthorityCall, AuthorityReply};
use authority::table::AuthorityService;

/// Last attempt whose bodies are logged: an authority repeats the same answer all day.
const BODIES_UNTIL: u32 = 30;
/// Most characters of a body in one line.
const MAX_BODY_CHARS: usize = 8 << 10;

impl ClaimedWork {
    /// Sends, reads, and logs both. Nothing leaves once the lease is lost, since another process has the job then.
    pub(crate) async fn call<T: Send + 'static>(
        &mut self,
        call: &AuthorityCall,
        channel: &Channel,
        read: impl FnOnce(&AuthorityReply) -> Result<T, UnreadableReply> + Send + 'static,
    ) -> Result<T, NoAnswer> {
        if let Err(error) = self.engine.hold(&self.lease).await {
            return Err(NoAnswer::NotSent(not_held(&error)));
        }
        let bodies = self.job.tentativas <= BODIES_UNTIL;
        self.log(request_line(call, bodies));
        let exchange = self.engine.exchange(call, channel, read).await;
        self.log(reply_line(call, &exchange, bodies));
        exchange.answer
    }
}

/// Reason text when nothing was sent because the lease could not be confirmed.
pub(super) fn not_held(error: &store::Error) -> String {
    format!("nada foi enviado, porque a posse do job não pôde ser confirmada ({error})")
}

/// Log line of a request.
pub(crate) fn request_line(call: &AuthorityCall, bodies: bool) -> String {
    let body = match () {
        () if !bodies => format!("(corpo não guardado depois da {BODIES_UNTIL}ª tentativa)"),
        () if is_signed(call.service) => "(o documento assinado, guardado com o job)".to_owned(),
        () => mask_secrets(call, one_line(&call.body)),
    };
    format!("Pedido: {} {}, {}, {} bytes: {body}", call.method.word(), call.url, call.name, call.body.len())
}

/// Log line of a reply or of its absence.
pub(crate) fn reply_line<T>(call: &AuthorityCall, exchange: &CallExchange<T>, bodies: bool) -> String {
    let took = exchange.took.as_millis();
    match (&exchange.reply, &exchange.answer) {
        (Some(AuthorityReply { status, body, .. }), _) => {
            let told = if bodies { format!(": {}", mask_secrets(call, one_line(body))) } else { ".".to_owned() };
            format!("Resposta em {took} ms: HTTP {}, {} bytes{told}", status.as_u16(), body.len())
        }
        (None, Err(none)) => {
            let why = mask_secrets(call, one_line(none.to_string().as_bytes()));
            format!("Resposta em {took} ms: nenhuma ({why}).")
        }
        (None, Ok(_)) => format!("Resposta em {took} ms."),
    }
}

/// `true` if requests to this service are signed.
fn is_signed(service: AuthorityService) -> bool {
    matches!(service, AuthorityService::Autorizacao | AuthorityService::RecepcaoEvento | AuthorityService::Inutilizacao)
}

/// Masks the secrets of a call: the whole text of an element, and elsewhere any text long enough not to match by
/// chance.
fn mask_secrets(call: &AuthorityCall, mut text: String) -> String {
    for secret in &call.secrets {
        text = text.replace(&format!(">{}<", secret.as_str()), &format!(">{HIDDEN}<"));
        if secret.chars().count() >= MIN_SECRET_CHARS {
            text = text.replace(secret.as_str(), HIDDEN);
        }
    }
    text
}

/// Replacement of a secret.
const HIDDEN: &str = "(segredo)";
/// Shorter texts match ordinary words too.
const MIN_SECRET_CHARS: usize = 6;

/// Puts a body into one line and cuts it: its length is the other side's choice.
fn one_line(body: &[u8]) -> String {
    // nearly always nothing to cut and printable ASCII only
    if body.len() <= MAX_BODY_CHARS && body.iter().all(|byte| (b' '..=b'~').contains(byte)) {
        return String::from_utf8_lossy(body).into_owned();
    }
    let text = String::from_utf8_lossy(&body[..body.len().min(4 * MAX_BODY_CHARS)]);
    let mut kept: String =
        text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(MAX_BODY_CHARS).collect();
    if kept.len() < body.len() && text.chars().nth(MAX_BODY_CHARS).is_some() {
        kept.push_str(&format!("… (cortado; {} bytes ao todo)", body.len()));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use authority::call::CallMethod;

    #[test]
    fn what_comes_is_kept_in_one_line_and_cut() {
        assert_eq!(one_line(b"<a>\r\n\0</a>"), "<a>   </a>");
        assert_eq!(one_line("ç".repeat(MAX_BODY_CHARS).as_bytes()).chars().count(), MAX_BODY_CHARS);
        let cut = one_line(&vec![b'x'; MAX_BODY_CHARS + 1]);
        assert!(cut.ends_with("… (cortado; 8193 bytes ao todo)") && cut.starts_with("xxx"), "{cut}");
    }

    #[test]
    fn secrets_of_a_call_are_left_out_as_they_are_and_as_xml_writes_them() {
        let call = AuthorityCall {
            method: CallMethod::Post,
            url: "https://cidade/ws".to_owned(),
            headers: Vec::new(),
            body: b"<a><u>1</u><n>1</n><s>s&lt;nha&amp;1</s></a>".to_vec(),
            authority: "MUNICIPIO-1".to_owned(),
            service: AuthorityService::ConsultaProtocolo,
            name: "ConsultarNfsePorRps",
            from_company: false,
            secrets: vec!["7".to_owned().into(), "s&lt;nha&amp;1".to_owned().into(), "s<nha&1".to_owned().into()],
        };
        let line = request_line(&call, true);
        assert!(line.ends_with("<a><u>1</u><n>1</n><s>(segredo)</s></a>"), "{line}");
        assert_eq!(
            mask_secrets(&call, "senha s<nha&1 inválida de 7, <b>7</b>".to_owned()),
            "senha (segredo) inválida de 7, <b>(segredo)</b>"
        );
    }

    #[test]
    fn what_is_signed_is_not_repeated() {
        let call = |service, body: &str| AuthorityCall {
            method: CallMethod::Post,
            url: "https://sp/ws".to_owned(),
            headers: Vec::new(),
            body: body.as_bytes().to_vec(),
            authority: "SP".to_owned(),
            service,
            name: "NFeAutorizacao4",
            from_company: false,
            secrets: Vec::new(),
        };
        let signed = request_line(&call(AuthorityService::Autorizacao, "<NFe>cHashQRCode</NFe>"), true);
        assert!(!signed.contains("cHashQRCode") && signed.contains("22 bytes"), "{signed}");
        let question = call(AuthorityService::ConsultaProtocolo, "<consSitNFe/>");
        assert!(request_line(&question, true).ends_with("13 bytes: <consSitNFe/>"));
        assert!(!request_line(&question, false).contains("<consSitNFe/>"));
    }
}
