//! Replies: both levels of every answer, in every wrapping of the authorities.

use crate::samples::*;
use crate::schema::assert_valid;
use authority::answer::{AuthorizationAnswer, DocumentSituation, EventAnswer, Protocol, Rejection, RejectionSubject};
use authority::call::AuthorityReply;
use authority::sefaz::{NFE, UnreadableReply, read_receipt};

fn rejection(cStat: u16, xMotivo: &str) -> Rejection {
    Rejection::new(cStat, xMotivo)
}

/// A rejection in the record of a document.
fn of_document(cStat: u16, xMotivo: &str, has_protocol: bool) -> Rejection {
    let subject = RejectionSubject { is_a_document: true, chave: Some(CHAVE.to_owned()), has_protocol };
    Rejection { subject, ..rejection(cStat, xMotivo) }
}

fn authorize(answer: &str) -> Result<AuthorizationAnswer, UnreadableReply> {
    NFE.read_authorize(&ok(envelope("NFeAutorizacao4", answer)))
}

fn authorised_protocol() -> Protocol {
    let declared = prot(100, "Autorizado o uso da NF-e", true)
        .replace("<protNFe ", "<protNFe xmlns=\"http://www.portalfiscal.inf.br/nfe\" ");
    Protocol {
        chave: CHAVE.to_owned(),
        nProt: Some("135260000000001".to_owned()),
        dhRecbto: "2026-11-20T10:00:05-03:00".to_owned(),
        digVal: Some(DIGEST.to_owned()),
        codigo: 100.into(),
        xMotivo: "Autorizado o uso da NF-e".to_owned(),
        xml: declared,
        written: None,
    }
}

#[test]
fn the_samples_are_valid() {
    assert_valid(&authorised(), "nfe/retEnviNFe_v4.00.xsd");
    let received =
        ret_envi(103, "Lote recebido com sucesso", "<infRec><nRec>351000012345678</nRec><tMed>2</tMed></infRec>");
    assert_valid(&received, "nfe/retEnviNFe_v4.00.xsd");
    assert_valid(&ret_envi(215, "Rejeicao: Falha no schema XML", ""), "nfe/retEnviNFe_v4.00.xsd");
    assert_valid(&ret_reci(104, "Lote processado", &prot(100, "Autorizado", true)), "nfe/retConsReciNFe_v4.00.xsd");
    assert_valid(&ret_sit(100, "Autorizado", &prot(100, "Autorizado", true)), "nfe/retConsSitNFe_v4.00.xsd");
    assert_valid(&ret_status(107, "Servico em Operacao", "<tMed>1</tMed>"), "nfe/retConsStatServ_v4.00.xsd");
    assert_valid(
        &ret_env_evento(128, "Lote processado", &ret_evento(135, "Registrado")),
        "evento/retEnvEvento_v1.00.xsd",
    );
}

#[test]
fn an_authorisation_is_read_whole_and_its_protocol_kept_verbatim() {
    assert_eq!(authorize(&authorised()).unwrap(), AuthorizationAnswer::Authorized(authorised_protocol()));
    for code in [120, 150] {
        let reply = ret_envi(104, "Lote processado", &prot(code, "Autorizado", true));
        assert!(
            matches!(authorize(&reply).unwrap(), AuthorizationAnswer::Authorized(protocol) if protocol.codigo == code)
        );
    }
}

#[test]
fn a_key_or_a_protocol_without_its_form_concludes_nothing() {
    let answer = authorised();
    let bent = |from: &str, to: &str| {
        let bent = answer.replace(from, to);
        assert_ne!(bent, answer, "{from}");
        authorize(&bent)
    };
    let key = format!("<chNFe>{CHAVE}</chNFe>");
    for text in ["../../../../../../../../../../../etc/passwd12", "&lt;script&gt;alert(1)&lt;/script&gt;", "3526"] {
        let read = bent(&key, &format!("<chNFe>{text}</chNFe>"));
        assert!(matches!(&read, Err(UnreadableReply::Content(why)) if why.contains("chNFe")), "{text}: {read:?}");
    }
    for text in ["1/../../x", "&lt;img src=x&gt;", "13526000000000x", "1"] {
        let read = bent("<nProt>135260000000001</nProt>", &format!("<nProt>{text}</nProt>"));
        assert!(matches!(&read, Err(UnreadableReply::Content(why)) if why.contains("nProt")), "{text}: {read:?}");
        let event = ret_evento(135, "x").replace("135260000000002", text);
        assert!(
            NFE.read_event(&ok(envelope("NFeRecepcaoEvento4", &ret_env_evento(128, "x", &event)))).is_err(),
            "{text}"
        );
    }
    // a refusal with a malformed key is no refusal of our document
    let refused = ret_envi(104, "Lote processado", &prot(215, "x", false)).replace(&key, "<chNFe>../..</chNFe>");
    assert!(authorize(&refused).is_err());
}

#[test]
fn a_refusal_is_read_at_both_levels() {
    let text = "Rejeicao: Falha no schema XML [xPath: ide]";
    assert_eq!(authorize(&ret_envi(215, text, "")).unwrap(), AuthorizationAnswer::Rejected(rejection(215, text)));
    let expected = AuthorizationAnswer::Rejected(of_document(215, text, false));
    assert_eq!(authorize(&ret_envi(104, "Lote processado", &prot(215, text, false))).unwrap(), expected);
}

#[test]
fn a_denial_keeps_its_protocol() {
    for code in [110, 301, 302, 303] {
        let reply = ret_envi(104, "Lote processado", &prot(code, "Uso Denegado", true));
        assert!(matches!(authorize(&reply).unwrap(), AuthorizationAnswer::Denied(protocol) if protocol.codigo == code));
    }
}

/// NT 2024.001: the register refuses with the codes that denied before.
#[test]
fn what_was_denied_until_2024_is_a_refusal_without_a_protocol() {
    for code in [302, 303] {
        let text = "Rejeicao: Irregularidade fiscal do destinatario";
        let expected = AuthorizationAnswer::Rejected(of_document(code, text, false));
        assert_eq!(authorize(&ret_envi(104, "Lote processado", &prot(code, text, false))).unwrap(), expected);
        assert_eq!(authorize(&ret_envi(code, text, "")).unwrap(), AuthorizationAnswer::Rejected(rejection(code, text)));
    }
}

#[test]
fn what_was_sent_before_leads_to_a_question_by_key() {
    for code in [204, 205, 218, 635] {
        let text = format!("Rejeicao: Duplicidade de NF-e [nRec:{code}]");
        assert_eq!(
            authorize(&ret_envi(code, &text, "")).unwrap(),
            AuthorizationAnswer::Duplicate(rejection(code, &text))
        );
        // some authorities send the first protocol's number and digest beside the 204
        for with_protocol in [false, true] {
            let answer = authorize(&ret_envi(104, "Lote processado", &prot(code, &text, with_protocol))).unwrap();
            assert_eq!(answer, AuthorizationAnswer::Duplicate(of_document(code, &text, with_protocol)));
        }
    }
}

#[test]
fn a_number_under_another_key_is_a_refusal_with_its_text() {
    let text = format!("Rejeicao: Duplicidade de NF-e, com diferenca na Chave de Acesso [chNFe:{CHAVE}]");
    let reply = ret_envi(104, "Lote processado", &prot(539, &text, false));
    assert_eq!(authorize(&reply).unwrap(), AuthorizationAnswer::Rejected(of_document(539, &text, false)));
}

#[test]
fn a_code_in_no_list_is_a_success_with_a_protocol_and_else_decides_nothing() {
    for code in [121, 199] {
        let reply = ret_envi(104, "Lote processado", &prot(code, "Autorizado", true));
        assert!(
            matches!(authorize(&reply).unwrap(), AuthorizationAnswer::Authorized(protocol) if protocol.codigo == code)
        );
        assert!(authorize(&ret_envi(104, "Lote processado", &prot(code, "Autorizado", false))).is_err());
    }
    for code in [999, 1_999] {
        let reply = ret_envi(104, "Lote processado", &prot(code, "Erro", false));
        assert_eq!(authorize(&reply).unwrap(), AuthorizationAnswer::Undecided(of_document(code, "Erro", false)));
        assert_eq!(
            authorize(&ret_envi(code, "Erro", "")).unwrap(),
            AuthorizationAnswer::Undecided(rejection(code, "Erro"))
        );
    }
}

#[test]
fn a_service_that_is_down_decides_nothing() {
    for code in [108, 109, 113, 114, 656] {
        let text = "Servico Paralisado";
        assert_eq!(
            authorize(&ret_envi(code, text, "")).unwrap(),
            AuthorizationAnswer::Unavailable(rejection(code, text))
        );
        let in_document = ret_envi(104, "Lote processado", &prot(code, text, false));
        assert_eq!(authorize(&in_document).unwrap(), AuthorizationAnswer::Unavailable(of_document(code, text, false)));
    }
}

#[test]
fn a_receipt_is_waited_for_and_then_read() {
    let received = ret_envi(103, "Lote recebido", "<infRec><nRec>351000012345678</nRec><tMed>2</tMed></infRec>");
    assert_eq!(
        authorize(&received).unwrap(),
        AuthorizationAnswer::Pending { nRec: "351000012345678".to_owned(), wait_s: 2 }
    );
    let read = |answer: &str| read_receipt(&ok(envelope("NFeRetAutorizacao4", answer)));
    let waiting = read(&ret_reci(105, "Lote em processamento", "")).unwrap();
    assert_eq!(waiting, AuthorizationAnswer::Pending { nRec: "431000012345678".to_owned(), wait_s: 15 });
    let done = read(&ret_reci(104, "Lote processado", &prot(100, "Autorizado o uso da NF-e", true))).unwrap();
    assert_eq!(done, AuthorizationAnswer::Authorized(authorised_protocol()));
    // a refused query proves nothing about the document
    let refused = read(&ret_reci(106, "Lote nao localizado", "")).unwrap();
    assert_eq!(refused, AuthorizationAnswer::Unavailable(rejection(106, "Lote nao localizado")));
    assert!(read(&ret_reci(104, "Lote processado", "")).is_err());
}

fn query(answer: &str) -> Result<DocumentSituation, UnreadableReply> {
    NFE.read_query(&ok(envelope("NFeConsultaProtocolo4", answer)))
}

#[test]
fn a_query_tells_every_situation() {
    let authorised = ret_sit(100, "Autorizado o uso da NF-e", &prot(100, "Autorizado o uso da NF-e", true));
    assert_eq!(query(&authorised).unwrap(), DocumentSituation::Authorized(authorised_protocol()));
    let denied = ret_sit(302, "Uso Denegado", &prot(302, "Uso Denegado", true));
    assert!(matches!(query(&denied).unwrap(), DocumentSituation::Denied(protocol) if protocol.codigo == 302));
    for (code, expected) in [
        (217, DocumentSituation::NeverSeen as fn(Rejection) -> DocumentSituation),
        (562, DocumentSituation::OtherKey),
        (613, DocumentSituation::OtherKey),
        (108, DocumentSituation::Unavailable),
        (656, DocumentSituation::Unavailable),
        (526, DocumentSituation::Refused),
        (215, DocumentSituation::Refused),
    ] {
        assert_eq!(query(&ret_sit(code, "texto", "")).unwrap(), expected(of_document(code, "texto", false)), "{code}");
    }
    assert!(query(&ret_sit(100, "Autorizado", "")).is_err(), "an authorisation without protocol proves nothing");
}

#[test]
fn a_cancellation_is_found_with_its_event() {
    let event = format!("<procEventoNFe versao=\"1.00\"><evento/>{}</procEventoNFe>", ret_evento(135, "Registrado"));
    let other = event.replace("110111", "110110");
    let protocol = prot(100, "Autorizado o uso da NF-e", true);
    for code in [101, 151, 155, 100] {
        let reply = ret_sit(code, "Cancelamento homologado", &format!("{protocol}{other}{event}"));
        let DocumentSituation::Cancelled { protocol: Some(protocol), event_xml: Some(xml) } = query(&reply).unwrap()
        else {
            panic!("{code}")
        };
        assert_eq!(protocol, authorised_protocol());
        assert_eq!(
            xml,
            event.replace("<procEventoNFe ", "<procEventoNFe xmlns=\"http://www.portalfiscal.inf.br/nfe\" ")
        );
    }
    let without = query(&ret_sit(101, "Cancelamento homologado", "")).unwrap();
    assert_eq!(without, DocumentSituation::Cancelled { protocol: None, event_xml: None });
    // a correction or a refused cancellation does not end the document
    let refused = event.replace("<cStat>135</cStat>", "<cStat>501</cStat>");
    let reply = ret_sit(100, "Autorizado", &format!("{protocol}{other}{refused}"));
    assert!(matches!(query(&reply).unwrap(), DocumentSituation::Authorized(_)));
}

#[test]
fn a_status_has_code_text_and_mean_time() {
    let read = |answer: &str| NFE.read_status(&ok(envelope("NFeStatusServico4", answer))).unwrap();
    let up = read(&ret_status(107, "Servico em Operacao", "<tMed>1</tMed>"));
    assert_eq!((up.cStat, up.xMotivo.as_str(), up.tMed), (107, "Servico em Operacao", Some(1)));
    let down = read(&ret_status(109, "Servico Paralisado sem Previsao", ""));
    assert_eq!((down.cStat, down.tMed), (109, None));
}

#[test]
fn an_event_is_read_at_both_levels() {
    let read = |answer: &str| NFE.read_event(&ok(envelope("NFeRecepcaoEvento4", answer)));
    for code in [135, 136, 155] {
        let event = ret_evento(code, "Evento registrado");
        let EventAnswer::Registered { codigo, xMotivo, nProt, dhRegEvento, xml } =
            read(&ret_env_evento(128, "Lote processado", &event)).unwrap()
        else {
            panic!("{code}")
        };
        assert_eq!(
            (codigo.number().unwrap(), xMotivo.as_str(), nProt.as_str()),
            (code, "Evento registrado", "135260000000002")
        );
        assert_eq!(dhRegEvento, "2026-11-20T11:00:02-03:00");
        assert_eq!(xml, event.replace("<retEvento ", "<retEvento xmlns=\"http://www.portalfiscal.inf.br/nfe\" "));
    }
    let of = |code| read(&ret_env_evento(128, "Lote processado", &ret_evento(code, "texto"))).unwrap();
    assert_eq!(of(573), EventAnswer::Duplicate(of_document(573, "texto", true)));
    assert_eq!(of(501), EventAnswer::Rejected(of_document(501, "texto", true)));
    assert_eq!(of(656), EventAnswer::Unavailable(of_document(656, "texto", true)));
    assert_eq!(of(1_999), EventAnswer::Undecided(of_document(1_999, "texto", true)), "a code in no list");
    let lote = |code| read(&ret_env_evento(code, "texto", "")).unwrap();
    assert_eq!(lote(215), EventAnswer::Rejected(rejection(215, "texto")));
    assert_eq!(lote(108), EventAnswer::Unavailable(rejection(108, "texto")));
    assert!(read(&ret_env_evento(128, "Lote processado", "")).is_err());
    let without_protocol = ret_evento(135, "x").replace("<nProt>135260000000002</nProt>", "");
    assert!(read(&ret_env_evento(128, "Lote processado", &without_protocol)).is_err());
}

#[test]
fn what_stands_around_an_answer_does_not_matter() {
    let answer = authorised();
    let escaped = answer.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let declared = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{answer}");
    let soap = |inner: &str| envelope("NFeAutorizacao4", inner);
    for (case, reply) in [
        ("bare", answer.clone()),
        ("byte order mark", format!("\u{FEFF}{}", soap(&answer))),
        ("white space", format!("\r\n  {}\r\n", soap(&format!("\n    {answer}\n  ")))),
        ("declaration inside", soap(&declared)),
        ("CDATA", soap(&format!("<![CDATA[{answer}]]>"))),
        ("CDATA with a declaration", soap(&format!("\n<![CDATA[\n{declared}]]>\n"))),
        ("escaped", soap(&escaped)),
        ("escaped with a declaration", soap(&declared.replace('<', "&lt;"))),
        ("other prefix", soap(&answer).replace("soap:", "env:").replace(":soap=", ":env=")),
        (
            "SOAP 1.1",
            soap(&answer)
                .replace("http://www.w3.org/2003/05/soap-envelope", "http://schemas.xmlsoap.org/soap/envelope/"),
        ),
        ("a header", soap(&answer).replace("<soap:Body>", "<soap:Header><x/></soap:Header><soap:Body>")),
        (
            "wrapper with a prefix",
            soap(&answer).replace("<nfeResultMsg xmlns=", "<w:nfeResultMsg xmlns:w=").replace("</nfe", "</w:nfe"),
        ),
        ("wrapper of another name", soap(&answer).replace("nfeResultMsg", "nfeAutorizacaoLoteResult")),
        ("a comment", soap(&format!("<!-- {} -->{answer}", "servidor 7"))),
        ("UTF-8 said twice", soap(&answer).replace("utf-8", "UTF-8")),
    ] {
        let read = NFE.read_authorize(&ok(reply)).unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(read, AuthorizationAnswer::Authorized(authorised_protocol()), "{case}");
    }
}

#[test]
fn a_prefix_is_declared_where_the_protocol_is_cut_out() {
    let answer =
        authorised().replace("</", "\u{1}").replace('<', "<n:").replace('\u{1}', "</n:").replace("xmlns=", "xmlns:n=");
    let AuthorizationAnswer::Authorized(protocol) = authorize(&answer).unwrap() else { panic!() };
    assert!(
        protocol
            .xml
            .starts_with("<n:protNFe xmlns:n=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\"><n:infProt>"),
        "{}",
        protocol.xml
    );
    assert_eq!(protocol.nProt.as_deref(), Some("135260000000001"));
}

#[test]
fn a_protocol_with_its_own_declaration_is_kept_to_the_byte() {
    let own = prot(100, "Autorizado o uso da NF-e", true).replace(
        "<protNFe versao=\"4.00\">",
        "<protNFe  versao='4.00'\nxmlns = 'http://www.portalfiscal.inf.br/nfe' >",
    );
    let AuthorizationAnswer::Authorized(protocol) = authorize(&ret_envi(104, "Lote processado", &own)).unwrap() else {
        panic!()
    };
    assert_eq!(protocol.xml, own);
}

#[test]
fn latin_1_is_read() {
    let answer = ret_envi(104, "Lote processado", &prot(610, "Rejeição: Total da NF difere do somatório", false));
    let reply = envelope("NFeAutorizacao4", &answer).replace("utf-8", "ISO-8859-1");
    let bytes: Vec<u8> = reply.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    assert!(std::str::from_utf8(&bytes).is_err());
    let expected = of_document(610, "Rejeição: Total da NF difere do somatório", false);
    assert_eq!(NFE.read_authorize(&ok(bytes)).unwrap(), AuthorizationAnswer::Rejected(expected.clone()));
    // UTF-8 with a wrong label
    assert_eq!(NFE.read_authorize(&ok(reply)).unwrap(), AuthorizationAnswer::Rejected(expected));
}

fn unreadable(reply: &[u8], expected: &str) {
    let UnreadableReply::Content(why) = NFE.read_authorize(&ok(reply)).unwrap_err() else { panic!("{expected}") };
    assert!(why.contains(expected), "{why}");
}

#[test]
fn what_is_no_answer_is_named() {
    let whole = envelope("NFeAutorizacao4", &authorised());
    unreadable(b"", "vazia");
    unreadable(b" \r\n ", "vazia");
    unreadable(b"Service Unavailable", "um texto que não é XML: Service Unavailable");
    unreadable(b"<html><head><title>503 Fora do ar</title></head><body/></html>", "uma página HTML (503 Fora do ar)");
    unreadable(b"<!DOCTYPE html><html><head><title>Erro</title><body><br></html>", "uma página HTML (Erro)");
    unreadable(&whole.as_bytes()[..whole.len() - 40], "talvez cortada");
    unreadable(&whole.as_bytes()[..whole.len() / 2], "talvez cortada");
    unreadable(envelope("NFeAutorizacao4", "").as_bytes(), "nfeResultMsg sem conteúdo");
    unreadable(
        envelope("NFeStatusServico4", &ret_status(107, "x", "")).as_bytes(),
        "esperava-se retEnviNFe, veio retConsStatServ",
    );
    unreadable(envelope("NFeAutorizacao4", &ret_envi(104, "Lote processado", "")).as_bytes(), "cStat 104 sem protNFe");
    unreadable(
        envelope("NFeAutorizacao4", &ret_envi(104, "x", &prot(100, "x", false))).as_bytes(),
        "cStat 100 sem nProt",
    );
    unreadable(
        envelope("NFeAutorizacao4", &authorised().replace(">100<", ">cem<")).as_bytes(),
        "cStat não é um número: cem",
    );
    unreadable(envelope("NFeAutorizacao4", &authorised().replace("infProt", "outro")).as_bytes(), "falta infProt");
}

#[test]
fn a_fault_is_told_with_its_reason() {
    let fault_12 = r#"<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body><e:Fault><e:Code><e:Value>e:Sender</e:Value></e:Code><e:Reason><e:Text xml:lang="pt">Operação desconhecida</e:Text></e:Reason><e:Detail><x>7</x></e:Detail></e:Fault></e:Body></e:Envelope>"#;
    unreadable(fault_12.as_bytes(), "SOAP Fault: Operação desconhecida (7)");
    let fault_11 = r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><e:Fault><faultcode>x</faultcode><faultstring>Servidor caiu</faultstring></e:Fault></e:Body></e:Envelope>"#;
    unreadable(fault_11.as_bytes(), "SOAP Fault: Servidor caiu");
}

#[test]
fn only_status_200_brings_an_answer() {
    let status = |status: u16, body: &str| {
        let status = http::StatusCode::from_u16(status).unwrap();
        NFE.read_authorize(&AuthorityReply::new(status, body)).unwrap_err()
    };
    let fault = r#"<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code><s:Value>s:Receiver</s:Value>
        </s:Code><s:Reason><s:Text xml:lang="pt">Banco de dados parado</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>"#;
    let why = status(500, fault);
    let text =
        "o servidor respondeu HTTP 500 Internal Server Error: o servidor respondeu SOAP Fault: Banco de dados parado";
    assert_eq!((why.kind(), why.to_string().as_str()), ("http_status", text));
    let page = "<html><head><title>Service Unavailable</title></head><body><p>x<br>y</body></html>";
    let why = status(503, page).to_string();
    assert!(why.contains("HTTP 503") && why.contains("(Service Unavailable)"), "{why}");
    // an authorisation with another status is no answer of the service
    let whole = envelope("NFeAutorizacao4", &authorised());
    for code in [201, 204, 302, 404, 500] {
        assert_eq!(status(code, &whole).kind(), "http_status", "{code}");
    }
    assert_eq!(NFE.read_authorize(&ok("")).unwrap_err().kind(), "unreadable");
}

#[test]
fn hostile_replies_are_refused_and_do_no_harm() {
    unreadable(format!("{}{}", "<a>".repeat(200_000), "</a>".repeat(200_000)).as_bytes(), "XML mal formado");
    unreadable(b"<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>", "XML mal formado");
    let nested = "<![CDATA[".to_owned() + &authorised();
    unreadable(nested.as_bytes(), "mal formado");
    for cut in 0..authorised().len() {
        // no prefix of an answer is accepted
        assert!(NFE.read_authorize(&ok(&authorised().as_bytes()[..cut])).is_err(), "{cut}");
    }
}

/// Largest reply that the transport accepts.
const LARGE: usize = 8 << 20;

#[test]
fn a_reply_costs_little_and_is_told_in_a_line_whatever_it_is_made_of() {
    let letters = "x".repeat(LARGE);
    let fault = |text: &str| {
        format!(
            "<e:Envelope xmlns:e='u'><e:Body><e:Fault><e:Reason><e:Text>{text}</e:Text></e:Reason></e:Fault></e:Body></e:Envelope>"
        )
    };
    let many = |piece: &str| format!("<a>{}</a>", piece.repeat(LARGE / piece.len()));
    let attributes = (0..LARGE / 16).map(|at| format!(" a{at:08}='{at}'")).collect::<String>();
    for reply in [
        letters.clone(),
        fault(&letters),
        fault(&"palavra ".repeat(LARGE / 8)),
        fault(&format!("{}fim", " ".repeat(LARGE))),
        format!("<html><head><title>{letters}</title></head></html>"),
        format!("<!DOCTYPE html><title>{letters}</title><br>"),
        format!("<{letters}/>"),
        format!("<a><{letters}></a>"),
        format!("<a>&{letters};</a>"),
        many("<b/>"),
        many("<b></b>"),
        many("x<!---->"),
        many("<b c=''/>"),
        many("<?xml ?>"),
        many("<![CDATA[<retEnviNFe]]>"),
        format!("<a{attributes}/>"),
        format!("<a{}/>", attributes.replace(" a", " xmlns:a")),
        envelope("NFeAutorizacao4", &authorised().replace(">100<", &format!(">{}<", "1".repeat(LARGE)))),
        envelope("NFeAutorizacao4", &authorised().replace("</infProt>", &format!("</infProt><x>{letters}</x>"))),
    ] {
        let begun = std::time::Instant::now();
        let why = NFE.read_authorize(&ok(&reply)).unwrap_err().to_string();
        assert!(why.len() < 2_500, "{} bytes: {}", why.len(), &why[..200]);
        // generous for a debug build on a busy machine: quadratic work would take hours
        assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{:?}: {}", begun.elapsed(), &reply[..60]);
    }
}

#[test]
fn the_words_of_an_authority_are_kept_up_to_a_thousand_letters() {
    let refused = ret_envi(225, &"ç".repeat(100_000), "");
    assert_eq!(
        authorize(&refused),
        Ok(AuthorizationAnswer::Rejected(rejection(225, &format!("{}…", "ç".repeat(1_000)))))
    );
}

#[test]
fn a_reply_damaged_anywhere_is_never_an_authorisation_of_something_else() {
    let whole = envelope("NFeAutorizacao4", &authorised()).into_bytes();
    let (mut refused, mut authorised) = (0, 0);
    let mut random = 1_u64;
    for _ in 0..20_000 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut damaged = whole.clone();
        let at = (random >> 33) as usize % whole.len();
        match random >> 61 {
            0 => damaged[at] = (random >> 8) as u8,
            1 => drop(damaged.drain(at..(at + 7).min(whole.len()))),
            2 => damaged.insert(at, b'<'),
            3 => damaged.truncate(at),
            4 => damaged.splice(at..at, *b"]]>").for_each(drop),
            5 => damaged.splice(at..at, *b"<?xml ?>").for_each(drop),
            6 => damaged.splice(at..at, *b"&#0;").for_each(drop),
            _ => damaged.swap(at, whole.len() / 2),
        }
        match NFE.read_authorize(&ok(damaged)) {
            Ok(AuthorizationAnswer::Authorized(protocol)) => {
                authorised += 1;
                assert_eq!(protocol.codigo.number().unwrap(), 100);
                assert!(fiscal::xml::read(protocol.xml.as_bytes()).is_ok(), "{}", protocol.xml);
            }
            _ => refused += 1,
        }
    }
    assert!(refused > 5_000 && authorised > 1_000, "{refused} refused, {authorised} untouched where it matters");
}

#[test]
fn the_words_of_the_nfe_stand_in_its_row() {
    assert!(NFE.is_undue_use(&656.into()) && !NFE.is_undue_use(&678.into()));
    assert!(NFE.is_cancellation("110111") && NFE.is_cancellation("110112") && !NFE.is_cancellation("110110"));
    assert!(NFE.receipt.is_some() && NFE.void.is_some());
}
