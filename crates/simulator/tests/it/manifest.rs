//! Manifestação do destinatário at the Ambiente Nacional: each rule of NT 2020.001, and the distribution that follows.

use crate::bench::{Bench, CNPJ, Note, start};
use crate::distribution::{ADDRESSEE, QueryingCompany, issued, read, to_addressee};
use authority::answer::EventAnswer;
use authority::sefaz::{self, RequestedDocuments};
use authority::table::{AuthorityRole, AuthorityService};
use fiscal::event::{EventDetail, EventEnvelope, NfeEventKind, build};
use fiscal::received::DistributedItem;
use fiscal::value::{ChaveAcesso, CnpjCpf, TpAmb, Uf};
use jiff::{SignedDuration, Timestamp};
use simulator::clock::ClockMode;

const WHY: &str = "Mercadoria recusada na entrega";
const DAY: i64 = 86_400;

fn written(at: Timestamp) -> String {
    let offset = jiff::tz::TimeZone::fixed(jiff::tz::offset(-3));
    at.to_zoned(offset).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// Author of manifestations, with its certificate and the delay of its events.
struct ManifestAuthor<'b> {
    bench: &'b Bench,
    asker: QueryingCompany,
    after: SignedDuration,
}

impl<'b> ManifestAuthor<'b> {
    fn new(bench: &'b Bench, number: &str) -> ManifestAuthor<'b> {
        ManifestAuthor { bench, asker: QueryingCompany::new(bench, number), after: SignedDuration::ZERO }
    }
    fn later(&mut self, seconds: i64) {
        self.after = SignedDuration::from_secs(seconds);
        self.bench.simulator.clock().set_mode(ClockMode::Shifted(self.after));
    }
    async fn send_manifestation(&self, chave: ChaveAcesso, kind: NfeEventKind, nSeqEvento: u8) -> u16 {
        self.send_altered_manifestation(chave, kind, nSeqEvento, ("", "")).await.0
    }
    /// Code and text of a manifestation with a change in its text before it is signed.
    async fn send_altered_manifestation(
        &self,
        chave: ChaveAcesso,
        kind: NfeEventKind,
        nSeqEvento: u8,
        bent: (&str, &str),
    ) -> (u16, String) {
        self.says_at(Timestamp::now() + self.after, chave, kind, nSeqEvento, bent).await
    }
    async fn says_at(
        &self,
        at: Timestamp,
        chave: ChaveAcesso,
        kind: NfeEventKind,
        nSeqEvento: u8,
        bent: (&str, &str),
    ) -> (u16, String) {
        let (autor, dhEvento) = (self.asker.number, written(at));
        let envelope = EventEnvelope {
            chave,
            ambiente: TpAmb::Homologacao,
            autor,
            dhEvento: &dhEvento,
            nSeqEvento: nSeqEvento.into(),
        };
        let xJust = (kind == NfeEventKind::NaoRealizada).then_some(WHY);
        let (xml, id) = build(&envelope, &EventDetail::Manifestacao { kind, xJust });
        let signed = signing::sign(xml.replace(bent.0, bent.1), &id, &self.asker.certificate).unwrap().xml;
        let (uf, ambiente, service) = (Uf::SP, TpAmb::Homologacao, AuthorityService::RecepcaoEvento);
        let endpoint = self.bench.table.endpoint(uf, 55, ambiente, service, AuthorityRole::National).unwrap();
        let reply =
            self.bench.transport.send(&sefaz::NFE.event(&endpoint, 1, &signed), &self.asker.certificate).await.unwrap();
        match sefaz::NFE.read_event(&reply).unwrap() {
            EventAnswer::Registered { codigo, xml, .. } => (codigo.number().unwrap(), xml),
            EventAnswer::Duplicate(said)
            | EventAnswer::Rejected(said)
            | EventAnswer::Undecided(said)
            | EventAnswer::Unavailable(said) => (said.codigo.number().unwrap(), said.xMotivo),
        }
    }
}

#[tokio::test]
async fn the_addressee_says_it_in_time_and_no_oftener_than_allowed() {
    let bench = start().await;
    let mut addressee = ManifestAuthor::new(&bench, ADDRESSEE);
    let chave = issued(&bench, &to_addressee(1)).await;
    assert_eq!(
        ManifestAuthor::new(&bench, CNPJ).send_manifestation(chave, NfeEventKind::Ciencia, 1).await,
        575,
        "the issuer is not the addressee"
    );
    let (code, answer) = addressee.send_altered_manifestation(chave, NfeEventKind::Ciencia, 1, ("", "")).await;
    assert_eq!(code, 135, "{answer}");
    assert!(answer.contains("<xEvento>Ciencia da Operacao registrada</xEvento>"), "{answer}");
    assert!(answer.contains(&format!("<CNPJDest>{ADDRESSEE}</CNPJDest>")), "{answer}");
    assert_eq!(addressee.send_manifestation(chave, NfeEventKind::Ciencia, 1).await, 573);
    assert_eq!(addressee.send_manifestation(chave, NfeEventKind::Ciencia, 2).await, 594);
    for kind in [NfeEventKind::Confirmacao, NfeEventKind::Desconhecimento, NfeEventKind::NaoRealizada] {
        assert_eq!(addressee.send_manifestation(chave, kind, 1).await, 135);
        assert_eq!(addressee.send_manifestation(chave, kind, 2).await, 135, "once more (NT 2020.001, 3 E)");
        assert_eq!(addressee.send_manifestation(chave, kind, 3).await, 594);
    }
    let (one, other) = (issued(&bench, &to_addressee(2)).await, issued(&bench, &to_addressee(3)).await);
    assert_eq!(addressee.send_manifestation(one, NfeEventKind::Confirmacao, 1).await, 135);
    assert_eq!(addressee.send_manifestation(one, NfeEventKind::Ciencia, 1).await, 655);
    addressee.later(10 * DAY - 3_600);
    assert_eq!(addressee.send_manifestation(other, NfeEventKind::Ciencia, 1).await, 135);
    addressee.later(10 * DAY + 60);
    let (code, motive) = addressee
        .send_altered_manifestation(issued_long_ago(&bench, 4).await, NfeEventKind::Ciencia, 1, ("", ""))
        .await;
    assert_eq!((code, motive.ends_with("[10 dias]")), (596, true), "{motive}");
    addressee.later(90 * DAY - 3_600);
    assert_eq!(addressee.send_manifestation(other, NfeEventKind::Confirmacao, 1).await, 135);
    addressee.later(90 * DAY + 60);
    let (code, motive) = addressee.send_altered_manifestation(other, NfeEventKind::Desconhecimento, 1, ("", "")).await;
    assert_eq!((code, motive.ends_with("[90 dias]")), (596, true), "{motive}");
}

/// A note that was authorised before the clock was shifted.
async fn issued_long_ago(bench: &Bench, nNF: u32) -> ChaveAcesso {
    let shifted = bench.simulator.clock().clock_mode();
    bench.simulator.clock().set_mode(ClockMode::Real);
    let chave = issued(bench, &to_addressee(nNF)).await;
    bench.simulator.clock().set_mode(shifted);
    chave
}

#[tokio::test]
async fn a_note_that_ended_is_not_known_of_nor_denied() {
    let bench = start().await;
    let addressee = ManifestAuthor::new(&bench, ADDRESSEE);
    let mut denied = to_addressee(1);
    denied.xProd = "X [SIM:cStat=302]".to_owned();
    assert_eq!(bench.issue(&denied).await.0, 302);
    let chave = denied.chave();
    assert_eq!(addressee.send_manifestation(chave, NfeEventKind::Ciencia, 1).await, 650);
    assert_eq!(addressee.send_manifestation(chave, NfeEventKind::Desconhecimento, 1).await, 651);
    assert_eq!(addressee.send_manifestation(chave, NfeEventKind::NaoRealizada, 1).await, 135);
}

#[tokio::test]
async fn the_form_of_what_is_said() {
    let bench = start().await;
    let addressee = ManifestAuthor::new(&bench, ADDRESSEE);
    let chave = issued(&bench, &to_addressee(1)).await;
    let bent = async |from: &str, to: &str| {
        addressee.send_altered_manifestation(chave, NfeEventKind::NaoRealizada, 1, (from, to)).await.0
    };
    assert_eq!(bent(&format!("<xJust>{WHY}</xJust>"), "").await, 493);
    assert_eq!(bent("<cOrgao>91", "<cOrgao>35").await, 250);
    let offline = Note { tpEmis: 9, ..to_addressee(2) };
    assert_eq!(addressee.send_manifestation(offline.chave(), NfeEventKind::Ciencia, 1).await, 496);
    let consumer = Note { modelo: 65, ..to_addressee(3) };
    assert_eq!(addressee.send_manifestation(consumer.chave(), NfeEventKind::Ciencia, 1).await, 618);
    let at = |minutes: i64| Timestamp::now() - SignedDuration::from_mins(minutes);
    let early = async |minutes| addressee.says_at(at(minutes), chave, NfeEventKind::Ciencia, 1, ("", "")).await.0;
    assert_eq!(early(10).await, 577);
    let older = Note { dhEmi: at(60), ..to_addressee(4) };
    let older = issued(&bench, &older).await;
    assert_eq!(addressee.says_at(at(30), older, NfeEventKind::Ciencia, 1, ("", "")).await.0, 579);
    assert_eq!(addressee.says_at(at(4), older, NfeEventKind::Ciencia, 1, ("", "")).await.0, 135, "clocks may differ");
}

#[tokio::test]
async fn what_is_said_of_a_note_that_has_not_come_waits_for_it() {
    let bench = start().await;
    let addressee = ManifestAuthor::new(&bench, ADDRESSEE);
    let note = to_addressee(1);
    assert_eq!(addressee.send_manifestation(note.chave(), NfeEventKind::Ciencia, 1).await, 136);
    assert_eq!(addressee.send_manifestation(note.chave(), NfeEventKind::Ciencia, 1).await, 573);
    let chave = issued(&bench, &note).await;
    let stored = bench.simulator.document(TpAmb::Homologacao, chave.as_str()).unwrap();
    assert_eq!(stored.eventos.iter().map(|event| event.tpEvento.as_str()).collect::<Vec<_>>(), ["210210"]);
    assert_eq!(addressee.send_manifestation(chave, NfeEventKind::Ciencia, 1).await, 573);
}

#[tokio::test]
async fn after_the_ciencia_the_whole_note_is_handed_out_and_a_confirmed_one_cannot_be_cancelled() {
    let bench = start().await;
    let addressee = ManifestAuthor::new(&bench, ADDRESSEE);
    let chave = issued(&bench, &to_addressee(1)).await;
    let by_key = async || {
        let answer = addressee.asker.ask(&bench, RequestedDocuments::Chave(chave)).await;
        let DistributedItem::Document(note) = read(&answer, 0) else { panic!() };
        note.whole
    };
    assert!(!by_key().await);
    assert_eq!(addressee.send_manifestation(chave, NfeEventKind::Desconhecimento, 1).await, 135);
    assert!(!by_key().await, "who knows nothing of it gets nothing of it");
    assert_eq!(addressee.send_manifestation(chave, NfeEventKind::Confirmacao, 1).await, 135);
    assert!(by_key().await);
    let issuer = QueryingCompany::new(&bench, CNPJ).ask(&bench, RequestedDocuments::After(0)).await;
    let told: Vec<String> = (0..issuer.documents.len())
        .map(|place| match read(&issuer, place) {
            DistributedItem::Event(event) => event.tpEvento,
            DistributedItem::Document(_) => panic!("the issuer's own note"),
        })
        .collect();
    assert_eq!(told, ["210220", "210200"]);
    let stored = bench.simulator.document(TpAmb::Homologacao, chave.as_str()).unwrap();
    let (nProt, xJust) = (stored.nProt.as_str(), "Venda desfeita pelo cliente");
    let dhEvento = written(Timestamp::now());
    let autor = CnpjCpf::parse(CNPJ).unwrap();
    let envelope = EventEnvelope { chave, ambiente: TpAmb::Homologacao, autor, dhEvento: &dhEvento, nSeqEvento: 1 };
    let (xml, id) = build(&envelope, &EventDetail::Cancelamento { nProt, xJust });
    let signed = signing::sign(xml, &id, &bench.certificate).unwrap().xml;
    let reply =
        bench.send(&sefaz::NFE.event(&bench.endpoint(AuthorityService::RecepcaoEvento), 1, &signed)).await.unwrap();
    assert!(matches!(sefaz::NFE.read_event(&reply).unwrap(), EventAnswer::Rejected(said) if said.codigo == 221));
}
