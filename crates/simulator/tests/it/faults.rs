//! Scripted faults as seen by a client, and the documents stored afterwards.

use crate::bench::{Bench, Note, batch, payload, start, verdict};
use crate::raw;
use authority::call::AuthorityCall;
use authority::sefaz;
use authority::table::AuthorityService;
use authority::transport::SendStatus;
use simulator::faults::{Fault, FaultType};

fn issue(bench: &Bench, number: u32) -> AuthorityCall {
    sefaz::NFE.authorize(&bench.endpoint(AuthorityService::Autorizacao), 1, &bench.sign(&Note::new(number)))
}

fn stored(bench: &Bench) -> usize {
    bench.simulator.documents(None).len()
}

#[tokio::test]
async fn dropped_before_processing_leaves_nothing_behind() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::ResetBefore).times(2));
    for _ in 0..2 {
        let error = bench.send(&issue(&bench, 1)).await.unwrap_err();
        assert_eq!((error.sent, error.kind), (SendStatus::Maybe, "closed"), "{error}");
    }
    assert_eq!(stored(&bench), 0);
    let of_whom: Vec<_> = bench.simulator.requests().into_iter().map(|one| one.chaves).collect();
    let chave = vec![Note::new(1).chave().as_str().to_owned()];
    assert_eq!(of_whom, [chave.clone(), chave], "each is told with what it speaks of");
    assert_eq!(verdict(&bench.ask_call(&issue(&bench, 1)).await).0, 100);
}

#[tokio::test]
async fn dropped_after_processing_leaves_one_document_and_a_resend_is_204() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::ResetAfter).on("NFeAutorizacao4").times(3));
    let call = issue(&bench, 1);
    for _ in 0..3 {
        assert_eq!(bench.send(&call).await.unwrap_err().sent, SendStatus::Maybe);
    }
    assert_eq!(stored(&bench), 1);
    assert_eq!(verdict(&bench.ask_call(&call).await).0, 204);
    let counts = bench.simulator.counts(Note::new(1).chave().as_str());
    assert_eq!((counts.recebida, counts.gravada), (4, 1));
}

#[tokio::test]
async fn half_a_reply_is_no_reply() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::HalfReply));
    let error = bench.send(&issue(&bench, 1)).await.unwrap_err();
    assert_eq!(error.sent, SendStatus::Maybe, "{error}");
    assert_eq!(stored(&bench), 1);
}

#[tokio::test]
async fn http_errors_carry_their_status_and_process_nothing() {
    let bench = start().await;
    for status in [403, 404, 500, 503] {
        bench.simulator.add_fault(Fault::new(FaultType::HttpStatus).status(status));
        let reply = bench.send(&issue(&bench, 1)).await.unwrap();
        assert_eq!(reply.status.as_u16(), status);
        assert_eq!(sefaz::NFE.read_authorize(&reply).unwrap_err().kind(), "http_status");
    }
    bench.simulator.add_fault(Fault::new(FaultType::SoapFault));
    assert_eq!(bench.send(&issue(&bench, 1)).await.unwrap().status.as_u16(), 500);
    assert_eq!(stored(&bench), 0);
}

#[tokio::test]
async fn empty_and_senseless_replies_are_unreadable() {
    let bench = start().await;
    for kind in [FaultType::Empty200, FaultType::Garbage] {
        bench.simulator.add_fault(Fault::new(kind));
        let reply = bench.send(&issue(&bench, 1)).await.unwrap();
        assert!(sefaz::NFE.read_authorize(&reply).is_err(), "{kind:?}");
    }
}

#[tokio::test]
async fn unusual_forms_of_the_reply_hold_the_same_protocol() {
    let bench = start().await;
    for (number, kind) in (1..).zip([FaultType::Prefixed, FaultType::Whitespace]) {
        bench.simulator.add_fault(Fault::new(kind));
        let reply = bench.send(&issue(&bench, number)).await.unwrap().body;
        let text = String::from_utf8_lossy(&reply).into_owned();
        assert!(text.contains("ns2:nfeResultMsg") || text.starts_with('\u{feff}'), "{kind:?}: {text}");
        assert_eq!(verdict(&payload(&reply)).0, 100, "{kind:?}");
    }
    bench.simulator.add_fault(Fault::new(FaultType::Iso88591));
    let reply = bench.send(&issue(&bench, 3)).await.unwrap().body;
    assert!(std::str::from_utf8(&reply).is_ok() || reply.contains(&0xe7));
    bench.simulator.add_fault(Fault::new(FaultType::Cdata));
    let reply = bench.send(&issue(&bench, 4)).await.unwrap().body;
    assert!(String::from_utf8_lossy(&reply).contains("<![CDATA[<retEnviNFe"));
    assert_eq!(stored(&bench), 4);
}

#[tokio::test]
async fn a_wrong_digest_is_only_in_the_answer() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::WrongDigval));
    let note = Note::new(1);
    let signed = signing::sign(note.xml(), &note.id(), &bench.certificate).unwrap();
    let reply = bench.ask(AuthorityService::Autorizacao, &batch(&[&signed.xml], "1")).await;
    let answered = reply.text_at("protNFe/infProt/digVal").unwrap();
    assert_ne!(answered, signed.digest);
    assert_eq!(bench.simulator.documents(None)[0].digVal, signed.digest);
}

#[tokio::test]
async fn a_code_can_be_forced_without_processing() {
    let bench = start().await;
    for cStat in [108, 109, 656, 610, 217] {
        bench.simulator.add_fault(Fault::new(FaultType::Cstat).cStat(cStat));
        assert_eq!(verdict(&bench.ask_call(&issue(&bench, 1)).await).0, cStat);
    }
    assert_eq!(stored(&bench), 0);
}

#[tokio::test]
async fn a_first_send_can_be_answered_204() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::Duplicate204));
    assert_eq!(verdict(&bench.ask_call(&issue(&bench, 1)).await).0, 204);
    assert_eq!(stored(&bench), 1);
}

#[tokio::test]
async fn a_refused_connection_has_sent_nothing() {
    let bench = start().await;
    for (kind, word) in [(FaultType::Refuse, None), (FaultType::TlsFailure, Some("tls"))] {
        // The transport retries a failed handshake with TLS 1.2, until one has succeeded.
        bench.simulator.add_fault(Fault::new(kind).times(2));
        let error = bench.send(&issue(&bench, 1)).await.unwrap_err();
        assert_eq!(error.sent, SendStatus::No, "{error}");
        assert!(word.is_none_or(|word| word == error.kind), "{error}");
    }
    assert_eq!(verdict(&bench.ask_call(&issue(&bench, 1)).await).0, 100);
}

#[tokio::test]
async fn connections_already_open_are_closed_when_new_ones_are_refused() {
    let bench = start().await;
    let (_sender, connection) = raw::connect(&bench, Some(&bench.certificate), None).await.unwrap();
    bench.simulator.add_fault(Fault::new(FaultType::Refuse));
    connection.await.unwrap();
}

#[tokio::test]
async fn slow_answers_and_latency_take_their_time() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::Latency).ms(150));
    bench.simulator.add_fault(Fault::new(FaultType::SlowBody).ms(1));
    let before = std::time::Instant::now();
    assert_eq!(verdict(&bench.ask_call(&issue(&bench, 1)).await).0, 100);
    // 150 ms of latency, then several hundred bytes at a millisecond each.
    assert!(before.elapsed().as_millis() > 450, "{:?}", before.elapsed());
}

#[tokio::test]
async fn the_same_seed_drops_the_same_requests() {
    let mut runs = Vec::new();
    for _ in 0..2 {
        let bench = start().await;
        let chance = rust_decimal::Decimal::new(3, 1);
        bench.simulator.add_fault(Fault::new(FaultType::ResetBefore).with_chance(chance, 42));
        let mut answered = Vec::new();
        for number in 1..=20 {
            answered.push(bench.send(&issue(&bench, number)).await.is_ok());
        }
        assert_eq!(stored(&bench), answered.iter().filter(|ok| **ok).count());
        runs.push(answered);
    }
    assert_eq!(runs[0], runs[1]);
    assert!(runs[0].contains(&true) && runs[0].contains(&false));
}
