//! GovDigital 2.01: all its operations, and its refusals of a wrong message.

use super::bench::{
    LAVRAS, Rps, answer, codes, deep, fault, govdigital, govdigital_envelope, inf_cancellation, number_of, rps,
};
use crate::bench::{CNPJ, certificate};
use serde_json::json;
use simulator::abrasf::{CityEnvironment, MunicipalStanding};
use simulator::pki::CertificateSubject;

#[tokio::test]
async fn an_rps_becomes_a_note_is_found_and_is_cancelled() {
    let hall = govdigital().await;
    let answer = hall.ask("RecepcionarLoteRpsSincrono", &hall.lot(&[rps(1)])).await;
    assert_eq!(answer.name, "EnviarLoteRpsSincronoResposta");
    let names: Vec<&str> = answer.children().map(|child| child.name.as_str()).collect();
    assert_eq!(names, ["NumeroLote", "DataRecebimento", "Protocolo", "ListaNfse"]);
    let inf = answer.at("ListaNfse/CompNfse/Nfse/InfNfse").unwrap();
    assert_eq!(inf.text_at("ValoresNfse/ValorIss"), Some("20.00"));
    assert_eq!(inf.text_at("ValoresNfse/ValorLiquidoNfse"), Some("1000.00"));
    let declared = inf.at("DeclaracaoPrestacaoServico/InfDeclaracaoPrestacaoServico").unwrap();
    assert_eq!(declared.text_at("Servico/Discriminacao"), Some("Suporte técnico & manutenção"));
    let number = number_of(&answer);

    let found = hall.ask("ConsultarNfsePorRps", &hall.query(1)).await;
    assert_eq!((number_of(&found), deep(&found, "NfseCancelamento").is_none()), (number, true));
    assert_eq!(hall.codes("ConsultarNfsePorRps", &hall.query(2)).await, ["E4"]);

    let cancelled = hall.ask("CancelarNfse", &hall.cancellation(number)).await;
    assert!(cancelled.at("RetCancelamento/NfseCancelamento/Confirmacao/DataHora").is_some(), "{cancelled:?}");
    assert_eq!(hall.codes("CancelarNfse", &hall.cancellation(number)).await, ["E79"]);
    assert_eq!(hall.codes("CancelarNfse", &hall.cancellation(99)).await, ["E78"]);
    let found = hall.ask("ConsultarNfsePorRps", &hall.query(1)).await;
    assert!(found.at("CompNfse/NfseCancelamento/Confirmacao/Pedido/InfPedidoCancelamento").is_some());
    assert_eq!(hall.bench.simulator.municipal_notes()[0].situacao, MunicipalStanding::Cancelada);
}

#[tokio::test]
async fn the_same_rps_is_not_taken_twice() {
    let hall = govdigital().await;
    hall.issue(&rps(1)).await;
    assert_eq!(hall.codes("RecepcionarLoteRpsSincrono", &hall.lot(&[rps(1)])).await, ["E10"]);
    let counts = hall.counts(1);
    assert_eq!((counts.recebida, counts.gravada, counts.rejeitada), (2, 1, 1));
}

#[tokio::test]
async fn one_rps_alone_becomes_a_note() {
    let hall = govdigital().await;
    let message = |rps: &Rps| {
        format!("<GerarNfseEnvio xmlns=\"{}\">{}</GerarNfseEnvio>", super::bench::DADOS, hall.signed_rps(rps))
    };
    let answer = hall.ask("GerarNfse", &message(&rps(7))).await;
    assert!(answer.at("ListaNfse/CompNfse").is_some());
    let refused = hall.ask("GerarNfse", &message(&rps(7))).await;
    assert_eq!(codes(&refused), ["E10"]);
    // An answer to a single RPS has no list of a lot.
    assert!(refused.child("ListaMensagemRetorno").is_some());
}

#[tokio::test]
async fn a_substitute_takes_the_place_of_a_note() {
    let hall = govdigital().await;
    let before = hall.issue(&rps(1)).await;
    let pedido = hall.cancellation(before);
    let pedido = pedido.split_once("<Pedido>").unwrap().1.split_once("</Pedido>").unwrap().0;
    let message = |number| {
        let inside = format!("<Pedido>{pedido}</Pedido>{}", hall.signed_rps(&rps(number)));
        format!(
            "<SubstituirNfseEnvio xmlns=\"{}\"><SubstituicaoNfse Id=\"S1\">{inside}</SubstituicaoNfse></SubstituirNfseEnvio>",
            super::bench::DADOS,
        )
    };
    // The element around both is signed too.
    assert_eq!(hall.codes("SubstituirNfse", &message(2)).await, ["E174"]);
    let message = |number| hall.sign(&message(number), "S1");
    let answer = hall.ask("SubstituirNfse", &message(2)).await;
    let old = answer.at("RetSubstituicao/NfseSubstituida/CompNfse").unwrap();
    let new = answer.at("RetSubstituicao/NfseSubstituidora/CompNfse").unwrap();
    let after = number_of(new);
    assert_eq!(number_of(old), before);
    assert_eq!(old.text_at("NfseSubstituicao/SubstituicaoNfse/NfseSubstituidora"), Some(after.to_string().as_str()));
    assert_eq!(new.text_at("Nfse/InfNfse/NfseSubstituida"), Some(before.to_string().as_str()));
    assert_eq!(hall.codes("SubstituirNfse", &message(3)).await, ["E7"]);
}

#[tokio::test]
async fn the_city_hall_cancels_by_itself() {
    let hall = govdigital().await;
    let number = hall.issue(&rps(1)).await;
    let office = CityEnvironment { ..hall.office() };
    let note = hall.bench.simulator.cancel_municipal_note(office, number).unwrap();
    assert_eq!(note.situacao, MunicipalStanding::Cancelada);
    assert!(hall.bench.simulator.cancel_municipal_note(office, number).is_err());
    // The city's cancellation is unsigned, which the layout of this provider would not accept.
    let found = answer(&hall.post("ConsultarNfsePorRps", &hall.query(1)).await.unwrap().body);
    assert!(found.at("CompNfse/NfseCancelamento").is_some());
}

#[tokio::test]
async fn a_signature_that_lacks_or_does_not_hold_is_told() {
    let hall = govdigital().await;
    let lot = hall.lot(&[rps(1)]);
    let of_lot = lot.rfind("<Signature xmlns").unwrap();
    let without_its_own = format!("{}</EnviarLoteRpsSincronoEnvio>", &lot[..of_lot]);
    let of_rps = lot.find("<Signature").unwrap();
    let end = lot.find("</Signature>").unwrap() + "</Signature>".len();
    let without_the_first = format!("{}{}", &lot[..of_rps], &lot[end..]);
    let changed = lot.replacen("Suporte", "Suporto", 1);
    // The layout of this provider requires both.
    for (bent, expected) in [(without_its_own, "E160"), (without_the_first, "E160"), (changed, "E174")] {
        let codes = hall.codes("RecepcionarLoteRpsSincrono", &bent).await;
        assert!(codes.iter().all(|codigo| codigo == expected) && !codes.is_empty(), "{expected}: {codes:?}");
    }
    let cancellation = hall.cancellation(1);
    let at = cancellation.find("<Signature").unwrap();
    let unsigned = format!("{}</Pedido></CancelarNfseEnvio>", &cancellation[..at]);
    assert_eq!(hall.codes("CancelarNfse", &unsigned).await, ["E160"]);
    assert_eq!(hall.bench.simulator.municipal_notes().len(), 0);
}

#[tokio::test]
async fn a_certificate_of_somebody_else_is_refused() {
    let mut hall = govdigital().await;
    let lot = hall.lot(&[rps(1)]);
    hall.bench.certificate =
        certificate(hall.bench.simulator.pki(), &CertificateSubject::new("OUTRA", "99888777000161"));
    assert_eq!(hall.codes("RecepcionarLoteRpsSincrono", &lot).await, ["E138"]);
    let signed_by_another = hall.lot(&[rps(1)]);
    let codes = hall.codes("RecepcionarLoteRpsSincrono", &signed_by_another).await;
    assert_eq!(codes, ["E138", "E174", "E174"]);
    assert!(!CNPJ.starts_with("99888777"));
}

#[tokio::test]
async fn an_envelope_of_another_shape_meets_a_fault_that_says_what() {
    let hall = govdigital().await;
    let (action, body) = govdigital_envelope("ConsultarNfsePorRps", &hall.query(1));
    for (action, body, reason) in [
        ("\"http://nfse.abrasf.org.br/GerarNfse\"".to_owned(), body.clone(), "SOAPAction"),
        (action.clone(), body.replace("http://nfse.abrasf.org.br\"", "http://outro\""), "namespace"),
        (action.clone(), body.replace("<versaoDados>2.01", "<versaoDados>2.02"), "versaoDados"),
        (action.clone(), body.replace("nfseCabecMsg", "cabecalho"), "argumentos"),
        (action.clone(), body.replace("ConsultarNfsePorRpsRequest", "OutraRequest"), "operação desconhecida"),
        (action.clone(), body.replace("ConsultarNfseRpsEnvio", "ConsultarNfseEnvio"), "a mensagem é"),
        (
            action.clone(),
            body.replace("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope"),
            "Envelope",
        ),
    ] {
        let reply = hall.post_text(&action, body).await.unwrap();
        assert!(fault(&reply).contains(reason), "{reason}: {}", fault(&reply));
    }
    assert_eq!(inf_cancellation(1).matches(&LAVRAS.to_string()).count(), 1);
}

#[tokio::test]
async fn the_control_plane_steers_a_city_and_shows_its_notes() {
    let hall = govdigital().await;
    let providers = hall.bench.json("GET", "/_sim/municipal/provedores", None).await;
    assert!(providers.as_array().unwrap().contains(&"govdigital-2.01".into()));
    hall.bench.json("PUT", "/_sim/municipal/cidades/3138203", Some(json!({ "unidade": "percentual" }))).await;
    let known = json!({ "nome": "EMPRESA & FILHOS", "IM": "12345" });
    hall.bench.json("PUT", &format!("/_sim/municipal/contribuintes/{CNPJ}"), Some(known)).await;
    let number = hall.issue(&rps(1).with("<Aliquota>0.02", "<Aliquota>2.00")).await;
    let listed = hall.bench.json("GET", "/_sim/municipal/notas", None).await;
    assert_eq!((&listed["total"], &listed["notas"][0]["numero"]), (&json!(1), &json!(number)));
    assert_eq!(listed["notas"][0]["rps"]["serie"], "1");
    let path = format!("/_sim/municipal/notas/{LAVRAS}/{number}");
    let cancelled = hall.bench.json("POST", &format!("{path}/cancelamento"), None).await;
    assert_eq!(cancelled["situacao"], "cancelada");
    let (status, xml) = hall.bench.control("GET", &format!("{path}/xml"), None).await;
    let note = fiscal::xml::read(&xml).unwrap();
    assert_eq!((status, note.text_at("Nfse/InfNfse/PrestadorServico/RazaoSocial")), (200, Some("EMPRESA & FILHOS")));
    assert!(note.at("NfseCancelamento").is_some());
    assert_eq!(hall.bench.control("GET", &format!("{path}0/xml"), None).await.0, 404);
    assert_eq!(hall.bench.control("POST", &format!("{path}/cancelamento"), None).await.0, 400);
}

#[tokio::test]
async fn what_strays_from_the_layout_is_told_with_its_place() {
    let hall = govdigital().await;
    let lot = |rps: Rps| hall.lot(&[rps]);
    for (message, place) in [
        (lot(rps(1).with("<Competencia>", "<Inventado>1</Inventado><Competencia>")), "Inventado"),
        (lot(rps(2).with("<OptanteSimplesNacional>2</OptanteSimplesNacional>", "")), "OptanteSimplesNacional"),
        (lot(rps(3).with("<ValorServicos>1000.00", "<ValorServicos>mil")), "ValorServicos"),
        (lot(rps(4).with("<IssRetido>2", "<IssRetido>3")), "IssRetido"),
    ] {
        let answer = hall.ask("RecepcionarLoteRpsSincrono", &message).await;
        assert!(codes(&answer).iter().all(|codigo| codigo == "E160") && !codes(&answer).is_empty(), "{place}");
        let told = deep(&answer, "Mensagem").unwrap().text();
        assert!(told.contains(place), "{place}: {told}");
    }
    assert!(hall.bench.simulator.municipal_notes().is_empty());
    let asked = hall.query_lot("P1").replace("Protocolo>", "Protocolos>");
    let answer = hall.ask("ConsultarLoteRps", &asked).await;
    assert_eq!((codes(&answer)[0].as_str(), answer.text_at("Situacao")), ("E160", Some("1")));
}
