//! Replies of municipal providers, in every known wrapping.

use super::*;
use fiscal::value::Codigo;
use http::StatusCode;

const NOTE: &str = r#"<CompNfse><Nfse versao="2.01"><InfNfse Id="N1"><Numero>26000001</Numero><CodigoVerificacao>ABCD1234</CodigoVerificacao><DataEmissao>2026-11-20T10:00:05</DataEmissao><ValoresNfse><ValorLiquidoNfse>980.00</ValorLiquidoNfse></ValoresNfse></InfNfse></Nfse></CompNfse>"#;

fn reply(body: &str) -> AuthorityReply {
    AuthorityReply::new(StatusCode::OK, body)
}

fn soap(inner: &str) -> AuthorityReply {
    reply(&format!(
        r#"<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>{inner}</s:Body></s:Envelope>"#
    ))
}

fn root(name: &str, content: &str) -> String {
    format!(r#"<{name} xmlns="http://www.abrasf.org.br/nfse.xsd">{content}</{name}>"#)
}

fn escaped(xml: &str) -> String {
    xml.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn errors(list: &[(&str, &str)]) -> String {
    let each = list.iter().map(|(code, text)| {
        format!("<MensagemRetorno><Codigo>{code}</Codigo><Mensagem>{text}</Mensagem><Correcao>corrija</Correcao></MensagemRetorno>")
    });
    format!("<ListaMensagemRetorno>{}</ListaMensagemRetorno>", each.collect::<String>())
}

#[test]
fn a_note_is_found_in_every_wrapping() {
    let answer = root(
        "EnviarLoteRpsSincronoResposta",
        &format!("<NumeroLote>1</NumeroLote><Protocolo>P1</Protocolo><ListaNfse>{NOTE}</ListaNfse>"),
    );
    let declared = format!(r#"<?xml version="1.0" encoding="UTF-8"?>{answer}"#);
    for reply in [
        soap(&format!(
            "<RecepcionarLoteRpsSincronoResponse xmlns=\"http://nfse.abrasf.org.br\"><outputXML xmlns=\"\">{}</outputXML></RecepcionarLoteRpsSincronoResponse>",
            escaped(&answer)
        )),
        soap(&format!("<r><outputXML>{}</outputXML></r>", escaped(&declared))),
        soap(&format!("<ns2:r xmlns:ns2=\"urn:x\"><return><![CDATA[{declared}]]></return></ns2:r>")),
        soap(&format!("<r><RecepcionarLoteRpsSincronoResult>{answer}</RecepcionarLoteRpsSincronoResult></r>")),
        soap(&answer),
        soap(&format!(
            "<r><nfseCabecMsg>&lt;cabecalho/&gt;</nfseCabecMsg><nfseDadosMsg>{}</nfseDadosMsg></r>",
            escaped(&answer)
        )),
        soap(&format!("<r><outputXML>{}</outputXML></r>", escaped(&format!("<string>{}</string>", escaped(&answer))))),
        reply(&answer),
    ] {
        let AuthorizationAnswer::Authorized(protocol) = WireProtocol::Abrasf.read_authorize(&reply).unwrap() else {
            panic!("{reply:?}")
        };
        let written = protocol.written.unwrap();
        assert_eq!((written.numero, written.valor_liquido.as_deref()), (26_000_001, Some("980.00")));
        assert_eq!(written.codigo_verificacao.as_deref(), Some("ABCD1234"));
        assert_eq!((protocol.codigo, protocol.dhRecbto.as_str()), (Codigo::from(100), "2026-11-20T10:00:05"));
        let kept = xml::read(protocol.xml.as_bytes()).unwrap();
        assert_eq!((kept.name.as_str(), kept.namespace.as_str()), ("CompNfse", "http://www.abrasf.org.br/nfse.xsd"));
    }
}

#[test]
fn a_batch_is_pending_by_its_protocol_until_it_says_what_became_of_it() {
    let taken = root(
        "EnviarLoteRpsResposta",
        "<NumeroLote>1</NumeroLote><DataRecebimento>2026-11-20T10:00:00</DataRecebimento><Protocolo>A-77</Protocolo>",
    );
    let answer = WireProtocol::Abrasf.read_authorize(&soap(&taken)).unwrap();
    assert_eq!(answer, AuthorizationAnswer::Pending { nRec: "A-77".to_owned(), wait_s: 5 });
    let of = |content: &str| read_receipt(&soap(&root("ConsultarLoteRpsResposta", content))).unwrap();
    assert!(
        matches!(of("<Situacao>2</Situacao>"), AuthorizationAnswer::Pending { nRec, wait_s: 15 } if nRec.is_empty())
    );
    assert!(matches!(of(&errors(&[("E92", "em processamento")])), AuthorizationAnswer::Pending { .. }));
    assert!(matches!(
        of(&format!("<Situacao>4</Situacao><ListaNfse>{NOTE}</ListaNfse>")),
        AuthorizationAnswer::Authorized(_)
    ));
    // not received or not known: the RPS is undecided and is queried
    assert!(matches!(of("<Situacao>1</Situacao>"), AuthorizationAnswer::Undecided(_)));
    assert!(matches!(of(&errors(&[("E86", "protocolo inexistente")])), AuthorizationAnswer::Undecided(_)));
    // the query was refused, not the RPS
    for code in ["E160", "E1", "E183", "E999", "E157", "L999", "E88", "E45"] {
        assert!(matches!(of(&errors(&[(code, "Sistema indisponível")])), AuthorizationAnswer::Undecided(_)), "{code}");
    }
    assert!(matches!(of(&errors(&[("E28", "valor")])), AuthorizationAnswer::Rejected(_)), "no question has values");
    let AuthorizationAnswer::Rejected(said) =
        of(&format!("<Situacao>3</Situacao>{}", errors(&[("E45", "CNPJ"), ("L002", "outra")])))
    else {
        panic!()
    };
    assert_eq!((said.codigo.as_str(), said.reasons.len()), ("E45", 2));
    assert_eq!(said.reasons[1].complemento.as_deref(), Some("corrija"));
}

#[test]
fn refusals_are_kept_as_they_came_and_the_one_that_decides_comes_first() {
    let of = |list: &[(&str, &str)]| {
        WireProtocol::Abrasf.read_authorize(&soap(&root("GerarNfseResposta", &errors(list)))).unwrap()
    };
    let AuthorizationAnswer::Duplicate(said) = of(&[("A3", "outra"), ("E10", "RPS já informado.")]) else { panic!() };
    assert_eq!((said.codigo.as_str(), said.xMotivo.as_str(), said.reasons.len()), ("E10", "RPS já informado.", 2));
    let AuthorizationAnswer::Rejected(said) = of(&[("E160", "fora do esquema")]) else { panic!() };
    assert_eq!(said.codigo.as_str(), "E160");
    // a malformed code or none does not hide the text
    let AuthorizationAnswer::Undecided(said) = of(&[("erro: 12", "Texto")]) else { panic!() };
    assert_eq!((said.codigo.as_str(), said.xMotivo.as_str()), ("erro12", "Texto"));
    let AuthorizationAnswer::Undecided(said) = of(&[("", "Sem código")]) else { panic!() };
    assert_eq!((said.codigo.number(), said.xMotivo.as_str()), (Some(999), "Sem código"));
    let AuthorizationAnswer::Rejected(said) = of(&[("L002", "do provedor"), ("E45", "CNPJ")]) else { panic!() };
    assert_eq!((said.codigo.as_str(), said.reasons.len()), ("E45", 2), "a listed code decides beside one in no list");
    let alert = r"<ListaMensagemAlertaRetorno><MensagemRetorno><Codigo>A1</Codigo><Mensagem>m</Mensagem></MensagemRetorno></ListaMensagemAlertaRetorno>";
    let only = soap(&root("EnviarLoteRpsResposta", &format!("{alert}<Protocolo>P</Protocolo>")));
    assert!(matches!(WireProtocol::Abrasf.read_authorize(&only).unwrap(), AuthorizationAnswer::Pending { .. }));
}

#[test]
fn a_question_for_an_rps_tells_a_note_a_cancelled_one_and_none() {
    let of =
        |content: &str| WireProtocol::Abrasf.read_query(&soap(&root("ConsultarNfseRpsResposta", content))).unwrap();
    assert!(matches!(of(NOTE), DocumentSituation::Authorized(_)));
    let cancelled = NOTE.replace("</CompNfse>", "<NfseCancelamento><Confirmacao><DataHora>2026-11-20T11:00:00</DataHora></Confirmacao></NfseCancelamento></CompNfse>");
    let DocumentSituation::Cancelled { protocol: Some(_), event_xml: Some(xml) } = of(&cancelled) else { panic!() };
    assert!(xml.contains("<NfseCancelamento>"), "{xml}");
    for code in ["E4", "E89", "E91"] {
        assert!(
            matches!(of(&errors(&[(code, "não enviado")])), DocumentSituation::NeverSeen(said) if said.codigo.as_str() == code)
        );
    }
    assert!(matches!(of(""), DocumentSituation::NeverSeen(_)));
    for code in ["E92", "E45", "E157"] {
        assert!(matches!(of(&errors(&[(code, "x")])), DocumentSituation::Refused(_)), "{code}");
    }
    let (_, events) =
        WireProtocol::Abrasf.read_query_event(&soap(&root("ConsultarNfseRpsResposta", &cancelled))).unwrap();
    assert_eq!(events.len(), 1);
    let (_, events) = WireProtocol::Abrasf.read_query_event(&soap(&root("ConsultarNfseRpsResposta", NOTE))).unwrap();
    assert_eq!(events, []);
}

#[test]
fn a_cancellation_is_confirmed_refused_or_was_there_before() {
    let of = |content: &str| WireProtocol::Abrasf.read_event(&soap(&root("CancelarNfseResposta", content))).unwrap();
    let confirmed = "<RetCancelamento><NfseCancelamento><Confirmacao><Pedido><InfPedidoCancelamento><IdentificacaoNfse><Numero>26000001</Numero></IdentificacaoNfse></InfPedidoCancelamento></Pedido><DataHora>2026-11-20T11:00:00</DataHora></Confirmacao></NfseCancelamento></RetCancelamento>";
    let EventAnswer::Registered { dhRegEvento, xml, .. } = of(confirmed) else { panic!() };
    assert_eq!(dhRegEvento, "2026-11-20T11:00:00");
    assert!(xml.starts_with("<NfseCancelamento"), "{xml}");
    assert!(matches!(of(&errors(&[("E79", "já cancelada")])), EventAnswer::Duplicate(_)));
    assert!(matches!(of(&errors(&[("E6", "crédito")])), EventAnswer::Rejected(_)));
}

#[test]
fn what_is_no_answer_leaves_the_rps_in_doubt() {
    let fault = r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Server</faultcode><faultstring>fora do ar</faultstring></s:Fault></s:Body></s:Envelope>"#;
    let down = AuthorityReply::new(StatusCode::INTERNAL_SERVER_ERROR, fault.as_bytes());
    let why = WireProtocol::Abrasf.read_authorize(&down).unwrap_err();
    assert!(matches!(&why, UnreadableReply::Status { explanation, .. } if explanation.contains("fora do ar")), "{why}");
    for (body, expected) in [
        (fault, "SOAP Fault: fora do ar"),
        ("<html><head><title>Manutenção</title></head><body></body></html>", "página HTML (Manutenção)"),
        ("", "vazia"),
        (
            "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><r><outputXML>&lt;Resp",
            "talvez cortada",
        ),
        (
            "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><r><outputXML/></r></s:Body></s:Envelope>",
            "esperava-se uma resposta da prefeitura",
        ),
        ("{\"erro\":1}", "não é XML"),
    ] {
        for read in [
            |reply: &AuthorityReply| WireProtocol::Abrasf.read_authorize(reply).map(drop),
            |reply: &AuthorityReply| WireProtocol::Abrasf.read_query(reply).map(drop),
            |reply: &AuthorityReply| WireProtocol::Abrasf.read_event(reply).map(drop),
            |reply: &AuthorityReply| read_receipt(reply).map(drop),
        ] {
            let why = read(&reply(body)).unwrap_err().to_string();
            assert!(why.contains(expected), "{body}: {why}");
        }
    }
    let empty = soap(&root("EnviarLoteRpsSincronoResposta", ""));
    assert!(WireProtocol::Abrasf.read_authorize(&empty).is_err() && WireProtocol::Abrasf.read_event(&empty).is_err());
}

#[test]
fn of_a_batch_each_rps_is_told_what_is_said_of_it() {
    let id = |numero: u64| format!("RPS3138203-11222333000181-1-1-{numero}-12345");
    let note = |numero: u64| {
        let rps =
            format!("<IdentificacaoRps><Numero>{numero}</Numero><Serie>01</Serie><Tipo>1</Tipo></IdentificacaoRps>");
        NOTE.replace("<ValoresNfse>", &format!("{rps}<ValoresNfse>")).replace("26000001", &format!("2600000{numero}"))
    };
    let error = "<ListaMensagemRetornoLote><MensagemRetorno><IdentificacaoRps><Numero>2</Numero><Serie>1</Serie><Tipo>1</Tipo></IdentificacaoRps><Codigo>E45</Codigo><Mensagem>m</Mensagem></MensagemRetorno></ListaMensagemRetornoLote>";
    let mixed = soap(&root(
        "ConsultarLoteRpsResposta",
        &format!("<Situacao>4</Situacao><ListaNfse>{}{}</ListaNfse>{error}", note(1), note(3)),
    ));
    let of = |reply: &AuthorityReply, numero| read_receipt_of(reply, Some(&id(numero))).unwrap();
    let number = |answer| match answer {
        AuthorizationAnswer::Authorized(protocol) => protocol.written.map(|written| written.numero),
        _ => None,
    };
    assert_eq!((number(of(&mixed, 1)), number(of(&mixed, 3))), (Some(26_000_001), Some(26_000_003)));
    assert!(matches!(of(&mixed, 2), AuthorizationAnswer::Rejected(said) if said.codigo.as_str() == "E45"));
    assert!(matches!(of(&mixed, 4), AuthorizationAnswer::Undecided(_)), "not named: not decided");
    let whole = soap(&root("EnviarLoteRpsSincronoResposta", &errors(&[("E160", "esquema")])));
    for numero in 1..3 {
        let of = WireProtocol::Abrasf.read_authorize_of(&whole, &id(numero)).unwrap();
        assert!(matches!(of, AuthorizationAnswer::Undecided(_)), "one of several is meant, nobody says which");
    }
    assert!(
        matches!(WireProtocol::Abrasf.read_authorize(&whole).unwrap(), AuthorizationAnswer::Rejected(_)),
        "there is only one"
    );
    let waits = soap(&root("ConsultarLoteRpsResposta", &errors(&[("E92", "em processamento")])));
    assert!(matches!(of(&waits, 1), AuthorizationAnswer::Pending { .. }), "it is said of all");
    let other = soap(&root("EnviarLoteRpsSincronoResposta", error));
    assert!(matches!(
        WireProtocol::Abrasf.read_authorize_of(&other, &id(1)).unwrap(),
        AuthorizationAnswer::Undecided(_)
    ));
    let alone = soap(&root("EnviarLoteRpsSincronoResposta", &format!("<ListaNfse>{NOTE}</ListaNfse>")));
    assert!(matches!(WireProtocol::Abrasf.read_authorize(&alone).unwrap(), AuthorizationAnswer::Authorized(_)));
    assert!(
        matches!(WireProtocol::Abrasf.read_authorize_of(&alone, &id(1)).unwrap(), AuthorizationAnswer::Undecided(_)),
        "whose note is it?"
    );
}
