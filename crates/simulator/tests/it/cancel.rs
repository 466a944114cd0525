//! NFeRecepcaoEvento4: cancellation, in the order of its rules.

use crate::bench::{Bench, CNPJ, Note, certificate, start};
use authority::answer::{AuthorizationAnswer, DocumentSituation, EventAnswer};
use authority::sefaz;
use authority::table::AuthorityService;
use fiscal::event::{EventDetail, EventEnvelope, build};
use fiscal::value::{ChaveAcesso, Cnpj, CnpjCpf, TpAmb, Uf};
use simulator::LedgerStatus;
use simulator::pki::CertificateSubject;

struct Wanted {
    chave: ChaveAcesso,
    nProt: String,
    dhEvento: jiff::Timestamp,
    ambiente: TpAmb,
    uf: Uf,
    author: &'static str,
}

impl Wanted {
    fn new(note: &Note, nProt: &str) -> Wanted {
        Wanted {
            chave: note.chave(),
            nProt: nProt.to_owned(),
            dhEvento: jiff::Timestamp::now(),
            ambiente: TpAmb::Homologacao,
            uf: Uf::SP,
            author: CNPJ,
        }
    }
    fn built(&self) -> (String, String) {
        let offset = jiff::tz::TimeZone::fixed(jiff::tz::offset(-3));
        let dhEvento = self.dhEvento.to_zoned(offset).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
        let envelope = EventEnvelope {
            chave: self.chave,
            ambiente: self.ambiente,
            autor: CnpjCpf::Cnpj(Cnpj::parse(self.author).unwrap()),
            dhEvento: &dhEvento,
            nSeqEvento: 1,
        };
        let (xml, id) =
            build(&envelope, &EventDetail::Cancelamento { nProt: &self.nProt, xJust: "Pedido cancelado pelo cliente" });
        (xml.replace("<cOrgao>35<", &format!("<cOrgao>{}<", self.uf.code())), id)
    }
}

impl Bench {
    async fn authorized(&self, note: &Note) -> String {
        let AuthorizationAnswer::Authorized(protocol) = self.authorize(&self.sign(note)).await else {
            panic!("não autorizada")
        };
        protocol.nProt.unwrap()
    }
    async fn cancel(&self, wanted: &Wanted) -> (u16, String) {
        let (xml, id) = wanted.built();
        self.cancel_signed(&signing::sign(xml, &id, &self.certificate).unwrap().xml).await
    }
    /// Cancels a note for another test.
    pub(crate) async fn cancelled(&self, note: &Note, nProt: &str) {
        assert_eq!(self.cancel(&Wanted::new(note, nProt)).await.0, 135);
    }
    async fn cancel_signed(&self, signed: &str) -> (u16, String) {
        let call = sefaz::NFE.event(&self.endpoint(AuthorityService::RecepcaoEvento), 1, signed);
        match sefaz::NFE.read_event(&self.send(&call).await.unwrap()).unwrap() {
            EventAnswer::Registered { codigo, xMotivo, .. } => (codigo.number().unwrap(), xMotivo),
            EventAnswer::Duplicate(rejection)
            | EventAnswer::Rejected(rejection)
            | EventAnswer::Undecided(rejection)
            | EventAnswer::Unavailable(rejection) => (rejection.codigo.number().unwrap(), rejection.xMotivo),
        }
    }
}

#[tokio::test]
async fn cancels_an_authorised_note_and_the_query_shows_both() {
    let bench = start().await;
    let note = Note::new(1);
    let nProt = bench.authorized(&note).await;
    let answer = bench.cancel(&Wanted::new(&note, &nProt)).await;
    assert_eq!((answer.0, answer.1.as_str()), (135, "Evento registrado e vinculado a NF-e"));
    assert_eq!(bench.simulator.documents(None)[0].situacao, LedgerStatus::Cancelada);
    let call =
        sefaz::NFE.query(&bench.endpoint(AuthorityService::ConsultaProtocolo), TpAmb::Homologacao, &note.chave());
    let situation = sefaz::NFE.read_query(&bench.send(&call).await.unwrap()).unwrap();
    let DocumentSituation::Cancelled { protocol, event_xml } = situation else { panic!("{situation:?}") };
    assert_eq!(protocol.unwrap().nProt.as_deref(), Some(nProt.as_str()));
    assert!(event_xml.unwrap().contains("<descEvento>Cancelamento</descEvento>"));
    assert_eq!(bench.issue(&note).await.0, 218);
}

#[tokio::test]
async fn the_same_cancellation_again_is_573_or_580_when_that_is_switched_off() {
    let bench = start().await;
    let note = Note::new(1);
    let wanted = Wanted::new(&note, &bench.authorized(&note).await);
    assert_eq!(bench.cancel(&wanted).await.0, 135);
    assert_eq!(bench.cancel(&wanted).await.0, 573);
    bench.simulator.configure(|settings| {
        settings.regras.insert(573, simulator::rule_switch::RuleSwitch::Off);
    });
    assert_eq!(bench.cancel(&wanted).await.0, 580);
}

#[tokio::test]
async fn an_unknown_key_is_494_and_a_wrong_protocol_222() {
    let bench = start().await;
    let note = Note::new(1);
    assert_eq!(bench.cancel(&Wanted::new(&note, "135260000000001")).await.0, 494);
    bench.authorized(&note).await;
    assert_eq!(bench.cancel(&Wanted::new(&note, "135269999999999")).await.0, 222);
}

#[tokio::test]
async fn a_late_cancellation_is_501_or_155_where_the_state_takes_it() {
    let bench = start().await;
    let note = Note::new(1);
    let mut wanted = Wanted::new(&note, &bench.authorized(&note).await);
    bench.simulator.clock().set_mode(simulator::clock::ClockMode::Shifted(jiff::SignedDuration::from_hours(25)));
    wanted.dhEvento += jiff::SignedDuration::from_hours(25);
    assert_eq!(bench.cancel(&wanted).await.0, 501);
    bench.simulator.configure(|settings| settings.cancelamento_tardio = true);
    assert_eq!(bench.cancel(&wanted).await.0, 155);
}

#[tokio::test]
async fn the_time_of_the_event_lies_between_authorisation_and_now() {
    let bench = start().await;
    let note = Note::new(1).emitted(jiff::Timestamp::now() - jiff::SignedDuration::from_hours(2));
    let nProt = bench.authorized(&note).await;
    let mut wanted = Wanted::new(&note, &nProt);
    wanted.dhEvento = jiff::Timestamp::now() + jiff::SignedDuration::from_mins(6);
    assert_eq!(bench.cancel(&wanted).await.0, 578);
    wanted.dhEvento = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(3);
    assert_eq!(bench.cancel(&wanted).await.0, 577);
    wanted.dhEvento = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(1);
    assert_eq!(bench.cancel(&wanted).await.0, 579);
}

#[tokio::test]
async fn only_the_issuer_cancels() {
    let bench = start().await;
    let note = Note::new(1);
    let mut wanted = Wanted::new(&note, &bench.authorized(&note).await);
    wanted.author = "12ABC34501DE35";
    assert_eq!(bench.cancel(&wanted).await.0, 213);
    let (xml, id) = wanted.built();
    let other = certificate(bench.simulator.pki(), &CertificateSubject::new("OUTRA", wanted.author));
    assert_eq!(bench.cancel_signed(&signing::sign(xml, &id, &other).unwrap().xml).await.0, 574);
}

#[tokio::test]
async fn environment_state_and_sequence_have_their_numbers() {
    let bench = start().await;
    let note = Note::new(1);
    let nProt = bench.authorized(&note).await;
    let mut production = Wanted::new(&note, &nProt);
    production.ambiente = TpAmb::Producao;
    assert_eq!(bench.cancel(&production).await.0, 252);
    let mut elsewhere = Wanted::new(&note, &nProt);
    elsewhere.uf = Uf::RJ;
    assert_eq!(bench.cancel(&elsewhere).await.0, 250);
    let (xml, id) = Wanted::new(&note, &nProt).built();
    let second_id = format!("{}02", &id[..52]);
    let second = xml.replace(&id, &second_id).replace("<nSeqEvento>1<", "<nSeqEvento>2<");
    assert_eq!(bench.cancel_signed(&signing::sign(second, &second_id, &bench.certificate).unwrap().xml).await.0, 594);
    let mismatched = xml.replace("<nSeqEvento>1<", "<nSeqEvento>2<");
    assert_eq!(bench.cancel_signed(&signing::sign(mismatched, &id, &bench.certificate).unwrap().xml).await.0, 572);
}

#[tokio::test]
async fn a_detail_against_the_layout_of_its_kind_is_493() {
    let bench = start().await;
    let note = Note::new(1);
    let (xml, id) = Wanted::new(&note, &bench.authorized(&note).await).built();
    let short = xml.replace("Pedido cancelado pelo cliente", "curto");
    assert_eq!(bench.cancel_signed(&signing::sign(short, &id, &bench.certificate).unwrap().xml).await.0, 493);
}

#[tokio::test]
async fn a_tampered_event_is_297() {
    let bench = start().await;
    let note = Note::new(1);
    let (xml, id) = Wanted::new(&note, &bench.authorized(&note).await).built();
    let signed = signing::sign(xml, &id, &bench.certificate).unwrap().xml;
    assert_eq!(bench.cancel_signed(&signed.replace("pelo cliente", "pela cliente")).await.0, 297);
}

#[tokio::test]
async fn a_note_that_others_have_registered_is_cancelled_once_that_is_undone() {
    let bench = start().await;
    let note = Note::new(1);
    let wanted = Wanted::new(&note, &bench.authorized(&note).await);
    let path = format!("/_sim/documentos/{}/registros", note.chave().as_str());
    let register = async |tpEvento: &str| {
        bench.json("POST", &path, Some(serde_json::json!({ "tpEvento": tpEvento }))).await;
    };
    for (done, undone, cStat) in
        [("210200", "210240", 221), ("610600", "610601", 690), ("610500", "610501", 219), ("610514", "610515", 219)]
    {
        register(done).await;
        assert_eq!(bench.cancel(&wanted).await.0, cStat, "{done}");
        register(undone).await;
    }
    assert_eq!(bench.cancel(&wanted).await.0, 135);
    // No event undoes those of SUFRAMA, of the customs or of a bank.
    for (number, (done, cStat)) in (2..).zip([("990900", 304), ("790700", 939), ("900120", 940)]) {
        let seen = Note::new(number);
        let wanted = Wanted::new(&seen, &bench.authorized(&seen).await);
        let path = format!("/_sim/documentos/{}/registros", seen.chave().as_str());
        bench.json("POST", &path, Some(serde_json::json!({ "tpEvento": done }))).await;
        assert_eq!(bench.cancel(&wanted).await.0, cStat, "{done}");
    }
}

#[tokio::test]
async fn a_code_in_the_justification_is_what_the_event_gets() {
    let bench = start().await;
    let note = Note::new(1);
    let nProt = bench.authorized(&note).await;
    let (xml, id) = Wanted::new(&note, &nProt).built();
    let magic = xml.replace("Pedido cancelado pelo cliente", "Ensaio de recusa [SIM:cStat=501]");
    assert_eq!(bench.cancel_signed(&signing::sign(magic, &id, &bench.certificate).unwrap().xml).await.0, 501);
    assert_eq!(bench.cancel(&Wanted::new(&note, &nProt)).await.0, 135);
}
