//! A municipal provider that takes lots of RPS (ABRASF 2.02) and answers by a protocol.

use super::answer::{self, AnswerOddity};
use super::text::{element, whole};
use super::{AuthorityModel, HeldDocument, ModelAnswer, SentMessage};
use crate::authority::sefaz::sale_in;
use authority::call::AuthorityReply;
use authority::table::AuthorityService;
use http::StatusCode;

/// IBGE code of the município.
pub const CITY: &str = "1100049";
/// CNPJ of its company.
pub const CNPJ: &str = "45723174000110";
/// Municipal registration of the company.
pub const REGISTRATION: &str = "12345";
/// Codes that refuse a query by protocol although the lot exists.
const REFUSALS: [&str; 7] = ["E160", "E1", "E183", "E999", "E157", "L999", "E88"];
/// There is no RPS of this number.
const UNKNOWN: &str = "E4";
/// The number of the RPS was used before.
const USED: &str = "E10";

/// True when the message goes to a municipal provider.
pub fn is_municipal(message: &SentMessage) -> bool {
    message.authority.starts_with("MUNICIPIO-")
}

/// Identity of the first RPS in a text.
pub fn identity_in(text: &str) -> Option<String> {
    let rps = whole(text, "IdentificacaoRps");
    let part = |name: &str| element(rps, name);
    let is_there = text.contains("<IdentificacaoRps>");
    is_there.then(|| format!("RPS{CITY}-{CNPJ}-{}-{}-{}-{REGISTRATION}", part("Tipo"), part("Serie"), part("Numero")))
}

pub(super) fn process(all: &mut AuthorityModel, message: &SentMessage, oddity: AnswerOddity) -> ModelAnswer {
    match (message.service, oddity) {
        (AuthorityService::Autorizacao, _) => receive_lot(all, message, oddity),
        (AuthorityService::RetAutorizacao | AuthorityService::ConsultaProtocolo, AnswerOddity::Question(code)) => {
            let place = usize::from(code) % REFUSALS.len();
            refusal(message, REFUSALS[place], "Sistema indisponível", None)
        }
        (AuthorityService::RetAutorizacao, _) => ask_by_protocol(all, message),
        (AuthorityService::ConsultaProtocolo, _) => ask_by_rps(all, message),
        _ => refusal(message, "E999", "Operação não disponível", None),
    }
}

fn receive_lot(all: &mut AuthorityModel, message: &SentMessage, oddity: AnswerOddity) -> ModelAnswer {
    let (now_ms, ready_ms) = (all.time.elapsed_ms(), if let AnswerOddity::Receipt(ms) = oddity { ms } else { 1_000 });
    let hidden_ms = if let AnswerOddity::Hidden(ms) = oddity { ms } else { 0 };
    let mut results = Vec::new();
    for rps in message.body.split("<InfDeclaracaoPrestacaoServico").skip(1) {
        let rps = rps.split("</InfDeclaracaoPrestacaoServico>").next().unwrap_or_default();
        let declaration = format!("<InfDeclaracaoPrestacaoServico{rps}</InfDeclaracaoPrestacaoServico>");
        let Some(identity) = identity_in(&declaration) else { continue };
        let (sale, numero) = (sale_in(&declaration), all.protocol_number());
        let numero = numero.trim_start_matches("135").trim_start_matches('0').to_owned();
        let is_refused = all.refused_sales.contains(&sale);
        let book = all.book(&message.authority);
        if is_refused {
            results.push(message_of("E6", "Alíquota inválida", Some(&identity)));
        } else if book.by_key(&identity).is_some() {
            results.push(message_of(USED, "RPS já informado", Some(&identity)));
        } else {
            let xml = note(&numero, &declaration);
            results.push(xml.clone());
            book.add(HeldDocument {
                chave: identity,
                note_key: numero,
                sale,
                digest: String::new(),
                protocol_xml: xml,
                cancellation_xml: None,
                visible_from_ms: now_ms + hidden_ms,
                registered_ms: now_ms,
            });
        }
    }
    let protocol = all.book(&message.authority).add_lot(results, now_ms + ready_ms);
    match oddity {
        AnswerOddity::Gateway { .. } => answer::gateway(),
        AnswerOddity::Garbage => answer::garbage(),
        _ => {
            let lot = element(&message.body, "NumeroLote");
            let rest = format!(
                "<NumeroLote>{lot}</NumeroLote><DataRecebimento>2026-11-20T09:00:00</DataRecebimento>\
                 <Protocolo>{protocol}</Protocolo>"
            );
            municipal_answer("protocol", "EnviarLoteRpsResposta", &rest)
        }
    }
}

fn ask_by_protocol(all: &mut AuthorityModel, message: &SentMessage) -> ModelAnswer {
    let now_ms = all.time.elapsed_ms();
    let protocol = element(&message.body, "Protocolo").to_owned();
    let Some((results, ready_ms)) = all.book(&message.authority).lot(&protocol) else {
        return refusal(message, "E86", "Número do protocolo de recebimento do lote inexistente", None);
    };
    if *ready_ms > now_ms {
        return municipal_answer("waiting", "ConsultarLoteRpsResposta", "<Situacao>2</Situacao>");
    }
    let (notes, messages): (Vec<&String>, Vec<&String>) = results.iter().partition(|it| it.starts_with("<CompNfse>"));
    let list = |name: &str, items: &[&String]| {
        let items: String = items.iter().map(|item| item.as_str()).collect();
        if items.is_empty() { items } else { format!("<{name}>{items}</{name}>") }
    };
    let situacao = if messages.is_empty() { 4 } else { 3 };
    let rest = format!(
        "<Situacao>{situacao}</Situacao>{}{}",
        list("ListaNfse", &notes),
        list("ListaMensagemRetornoLote", &messages)
    );
    municipal_answer(if messages.is_empty() { "notes" } else { "errors" }, "ConsultarLoteRpsResposta", &rest)
}

fn ask_by_rps(all: &mut AuthorityModel, message: &SentMessage) -> ModelAnswer {
    let now_ms = all.time.elapsed_ms();
    let identity = identity_in(&message.body).unwrap_or_default();
    let held = all.book(&message.authority).by_key(&identity).filter(|held| held.visible_from_ms <= now_ms);
    match held {
        Some(held) => municipal_answer("note", "ConsultarNfseRpsResposta", &held.protocol_xml),
        None => refusal(message, UNKNOWN, "RPS não encontrado", None),
    }
}

fn note(numero: &str, declaration: &str) -> String {
    format!(
        "<CompNfse><Nfse versao=\"2.02\"><InfNfse Id=\"N{numero}\"><Numero>{numero}</Numero>\
         <CodigoVerificacao>ABC{numero}</CodigoVerificacao><DataEmissao>2026-11-20T09:00:00</DataEmissao>\
         <ValoresNfse><ValorLiquidoNfse>1500.00</ValorLiquidoNfse></ValoresNfse>\
         <DeclaracaoPrestacaoServico>{declaration}</DeclaracaoPrestacaoServico></InfNfse></Nfse></CompNfse>"
    )
}

fn message_of(code: &str, text: &str, identity: Option<&str>) -> String {
    let rps = identity.map(|identity| {
        let mut parts = identity.split('-').skip(2);
        let mut part = || parts.next().unwrap_or_default();
        let (tipo, serie, numero) = (part(), part(), part());
        format!(
            "<IdentificacaoRps><Numero>{numero}</Numero><Serie>{serie}</Serie><Tipo>{tipo}</Tipo></IdentificacaoRps>"
        )
    });
    let rps = rps.unwrap_or_default();
    format!("<MensagemRetorno>{rps}<Codigo>{code}</Codigo><Mensagem>{text}</Mensagem></MensagemRetorno>")
}

fn refusal(message: &SentMessage, code: &str, text: &str, identity: Option<&str>) -> ModelAnswer {
    let root = match message.service {
        AuthorityService::Autorizacao => "EnviarLoteRpsResposta",
        AuthorityService::RetAutorizacao => "ConsultarLoteRpsResposta",
        _ => "ConsultarNfseRpsResposta",
    };
    let list = message_of(code, text, identity);
    municipal_answer(code, root, &format!("<ListaMensagemRetorno>{list}</ListaMensagemRetorno>"))
}

fn municipal_answer(word: &str, root: &str, rest: &str) -> ModelAnswer {
    let body = format!("<{root} xmlns=\"http://www.abrasf.org.br/nfse.xsd\">{rest}</{root}>");
    ModelAnswer { reply: Some(AuthorityReply::new(StatusCode::OK, body)), word: word.to_owned() }
}
