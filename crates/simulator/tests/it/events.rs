//! NFeRecepcaoEvento4: corrections, substitutions, EPEC and interested parties, each rule of them.

use crate::bench::{Bench, CNPJ, Note, start};
use authority::answer::{AuthorizationAnswer, EventAnswer};
use authority::sefaz;
use authority::table::{AuthorityRole, AuthorityService};
use fiscal::event::{EpecSummary, EventDetail, EventEnvelope, EventReceiver, build};
use fiscal::value::{ChaveAcesso, Cnpj, CnpjCpf, TpAmb, Uf};
use jiff::{SignedDuration, Timestamp};
use simulator::clock::ClockMode;
use simulator::settings::TaxpayerRecord;

const OTHER: &str = "11444777000161";
const WHY: &str = "Emitida em duplicidade no caixa";

/// A correct event, and the changes to its text before it is signed.
struct Wanted<'w> {
    chave: ChaveAcesso,
    detail: EventDetail<'w>,
    sequence: u8,
    at: Timestamp,
    bent: Vec<(&'w str, String)>,
}

impl<'w> Wanted<'w> {
    fn new(chave: ChaveAcesso, detail: EventDetail<'w>) -> Wanted<'w> {
        Wanted { chave, detail, sequence: 1, at: Timestamp::now(), bent: Vec::new() }
    }
    fn sequence(self, sequence: u8) -> Wanted<'w> {
        Wanted { sequence, ..self }
    }
    fn bent(mut self, from: &'w str, to: impl Into<String>) -> Wanted<'w> {
        self.bent.push((from, to.into()));
        self
    }
}

fn written(at: Timestamp) -> String {
    let offset = jiff::tz::TimeZone::fixed(jiff::tz::offset(-3));
    at.to_zoned(offset).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

impl Bench {
    async fn event(&self, wanted: Wanted<'_>) -> u16 {
        let role = match wanted.detail.kind().receiver() {
            EventReceiver::Authorizer => AuthorityRole::Normal,
            EventReceiver::National => AuthorityRole::National,
        };
        self.event_at(role, wanted).await
    }
    async fn event_at(&self, role: AuthorityRole, wanted: Wanted<'_>) -> u16 {
        let dhEvento = written(wanted.at);
        let envelope = EventEnvelope {
            chave: wanted.chave,
            ambiente: TpAmb::Homologacao,
            autor: CnpjCpf::Cnpj(Cnpj::parse(CNPJ).unwrap()),
            dhEvento: &dhEvento,
            nSeqEvento: wanted.sequence.into(),
        };
        let (mut xml, id) = build(&envelope, &wanted.detail);
        for (from, to) in &wanted.bent {
            assert!(xml.contains(from), "{from} is not in {xml}");
            xml = xml.replace(from, to);
        }
        let signed = signing::sign(xml, &id, &self.certificate).unwrap().xml;
        let endpoint =
            self.table.endpoint(Uf::SP, 55, TpAmb::Homologacao, AuthorityService::RecepcaoEvento, role).unwrap();
        let reply = self.send(&sefaz::NFE.event(&endpoint, 1, &signed)).await.unwrap();
        match sefaz::NFE.read_event(&reply).unwrap() {
            EventAnswer::Registered { codigo, .. } => codigo.number().unwrap(),
            EventAnswer::Duplicate(said)
            | EventAnswer::Rejected(said)
            | EventAnswer::Undecided(said)
            | EventAnswer::Unavailable(said) => said.codigo.number().unwrap(),
        }
    }
    async fn stored(&self, note: &Note) -> String {
        let AuthorizationAnswer::Authorized(protocol) = self.authorize(&self.sign(note)).await else {
            panic!("não autorizada")
        };
        protocol.nProt.unwrap()
    }
    fn later(&self, hours: i64) {
        self.simulator.clock().set_mode(ClockMode::Shifted(SignedDuration::from_hours(hours)));
    }
}

fn correction() -> EventDetail<'static> {
    EventDetail::CartaCorrecao { xCorrecao: "O peso bruto correto é 12,5 kg" }
}

#[tokio::test]
async fn a_note_takes_twenty_corrections_and_the_query_shows_them() {
    let bench = start().await;
    let note = Note::new(1);
    bench.stored(&note).await;
    let chave = note.chave();
    for sequence in 1..=20 {
        assert_eq!(bench.event(Wanted::new(chave, correction()).sequence(sequence)).await, 135, "{sequence}");
    }
    assert_eq!(bench.event(Wanted::new(chave, correction()).sequence(3)).await, 573);
    assert_eq!(bench.event(Wanted::new(chave, correction()).sequence(21)).await, 594);
    let call = sefaz::NFE.query(&bench.endpoint(AuthorityService::ConsultaProtocolo), TpAmb::Homologacao, &chave);
    let (_, events) = sefaz::NFE.read_query_with_events(&bench.send(&call).await.unwrap()).unwrap();
    assert_eq!(events.len(), 20);
    assert!(events.iter().all(|event| event.tpEvento == "110110" && event.digest.is_some()));
}

#[tokio::test]
async fn the_rules_of_a_correction() {
    let bench = start().await;
    let (note, absent) = (Note::new(1), Note::new(2));
    bench.stored(&note).await;
    let (chave, wrong) = (note.chave(), correction);
    assert_eq!(bench.event(Wanted::new(absent.chave(), wrong())).await, 494);
    let consumer = Note { modelo: 65, ..Note::new(3) };
    assert_eq!(bench.event(Wanted::new(consumer.chave(), wrong())).await, 784);
    assert_eq!(bench.event(Wanted::new(chave, wrong()).bent("<verEvento>1.00", "<verEvento>2.00")).await, 492);
    assert_eq!(bench.event(Wanted::new(chave, wrong()).bent("O peso bruto correto é 12,5 kg", "curta")).await, 493);
    assert_eq!(bench.event(Wanted::new(chave, wrong()).bent("<cOrgao>35", "<cOrgao>91")).await, 250);
    assert_eq!(bench.event_at(AuthorityRole::National, Wanted::new(chave, wrong())).await, 250);
    let national = Wanted::new(chave, wrong()).bent("<cOrgao>35", "<cOrgao>91");
    assert_eq!(bench.event_at(AuthorityRole::National, national).await, 491, "not an event of the Ambiente Nacional");
    let register = |taxpayer: TaxpayerRecord| {
        bench.simulator.configure(|settings| drop(settings.contribuintes.insert(CNPJ.to_owned(), taxpayer)));
    };
    register(TaxpayerRecord { nao_credenciado: true, ..TaxpayerRecord::default() });
    assert_eq!(bench.event(Wanted::new(chave, wrong())).await, 203);
    register(TaxpayerRecord { emitente_irregular: true, ..TaxpayerRecord::default() });
    assert_eq!(bench.event(Wanted::new(chave, wrong())).await, 240);
    register(TaxpayerRecord::default());
    let before = Wanted { at: note.dhEmi - SignedDuration::from_hours(1), ..Wanted::new(chave, wrong()) };
    assert_eq!(bench.event(before).await, 577);
    bench.later(721);
    let after = Wanted { at: Timestamp::now() + SignedDuration::from_hours(721), ..Wanted::new(chave, wrong()) };
    assert_eq!(bench.event(after).await, 501);
}

#[tokio::test]
async fn the_rules_of_an_interested_party() {
    let bench = start().await;
    let note = Note::new(1);
    bench.stored(&note).await;
    let chave = note.chave();
    let carrier = CnpjCpf::parse(OTHER).unwrap();
    let party =
        |autXML, permite| EventDetail::AtorInteressado { uf: Uf::SP, tpAutor: 1, verAplic: "teste", autXML, permite };
    let wanted = |permite| Wanted::new(chave, party(carrier, permite));
    assert_eq!(bench.event(wanted(None)).await, 827);
    assert_eq!(bench.event(wanted(Some(true)).bent("<tpAutor>1", "<tpAutor>3")).await, 828);
    assert_eq!(bench.event(wanted(Some(true)).bent("<tpAutorizacao>1", "<tpAutorizacao>0")).await, 830);
    assert_eq!(bench.event(wanted(Some(false)).bent("<tpAutorizacao>0", "<tpAutorizacao>1")).await, 829);
    assert_eq!(bench.event(wanted(Some(true)).bent("<cOrgaoAutor>35", "<cOrgaoAutor>33")).await, 455);
    assert_eq!(bench.event(wanted(Some(true)).bent(OTHER, "11444777000162")).await, 323);
    assert_eq!(bench.event(wanted(Some(true)).bent("<tpAutor>1", "<tpAutor>2")).await, 575);
    assert_eq!(bench.event(Wanted::new(chave, party(CnpjCpf::parse(CNPJ).unwrap(), Some(true)))).await, 421);
    assert_eq!(bench.event(Wanted::new(chave, party(CnpjCpf::parse("11144477735").unwrap(), Some(true)))).await, 422);
    assert_eq!(bench.event(wanted(Some(true)).sequence(21)).await, 594);
    assert_eq!(bench.event(wanted(Some(false))).await, 135);
    assert_eq!(bench.event(wanted(Some(false))).await, 573);
    assert_eq!(bench.event(wanted(Some(false)).sequence(2)).await, 423);
    let third = Wanted::new(chave, party(CnpjCpf::parse("33000167000101").unwrap(), None)).sequence(2);
    assert_eq!(bench.event(third.bent("<tpAutor>1", "<tpAutor>3")).await, 831, "the carrier may not name others");
    let permitted = Wanted::new(chave, party(CnpjCpf::parse("60701190000104").unwrap(), Some(true))).sequence(2);
    assert_eq!(bench.event(permitted).await, 135);
    let stranger = Wanted::new(chave, party(CnpjCpf::parse("33000167000101").unwrap(), None)).sequence(3);
    assert_eq!(bench.event(stranger.bent("<tpAutor>1", "<tpAutor>3")).await, 585, "who was not named names nobody");
    bench.later(184 * 24);
    let late = Timestamp::now() + SignedDuration::from_hours(184 * 24);
    let late = Wanted { at: late, ..Wanted::new(chave, party(CnpjCpf::parse("33000167000101").unwrap(), Some(true))) };
    assert_eq!(bench.event(late.sequence(3)).await, 596);
    assert_eq!(bench.event_at(AuthorityRole::Normal, wanted(Some(true)).bent("<cOrgao>91", "<cOrgao>35")).await, 491);
}

fn announced(note: &Note) -> EpecSummary {
    EpecSummary::of(&fiscal::xml::read(note.xml().as_bytes()).unwrap(), "teste").unwrap()
}

fn contingency(nNF: u32) -> Note {
    Note { tpEmis: 4, ..Note::new(nNF) }
}

#[tokio::test]
async fn a_note_that_was_announced_may_follow_and_no_other() {
    let bench = start().await;
    let note = contingency(1);
    let signed = signing::sign(with_reason(&note), &note.id(), &bench.certificate).unwrap().xml;
    assert_eq!(bench.verdict(&signed).await.0, 468, "not announced");
    let epec = announced(&note);
    assert_eq!(bench.event(Wanted::new(note.chave(), EventDetail::Epec(&epec))).await, 136);
    assert_eq!(bench.event(Wanted::new(note.chave(), EventDetail::Epec(&epec))).await, 573);
    let same_number = contingency(1).cNF(23_571_113);
    assert_eq!(bench.event(Wanted::new(same_number.chave(), EventDetail::Epec(&announced(&same_number)))).await, 485);
    assert_eq!(bench.issue(&Note::new(1)).await.0, 692);
    let other = signing::sign(with_reason(&same_number), &same_number.id(), &bench.certificate).unwrap().xml;
    assert_eq!(bench.verdict(&other).await.0, 691);
    let moved = format!("<dhEmi>{}", written(note.dhEmi - SignedDuration::from_secs(1)));
    let moved = with_reason(&note).replace(&format!("<dhEmi>{}", note.dhEmi()), &moved);
    let moved = signing::sign(moved, &note.id(), &bench.certificate).unwrap().xml;
    assert_eq!(bench.verdict(&moved).await.0, 467);
    assert_eq!(bench.verdict(&signed).await.0, 100);
    let stored = bench.simulator.document(TpAmb::Homologacao, note.chave().as_str()).unwrap();
    assert_eq!(stored.eventos.iter().map(|event| event.tpEvento.as_str()).collect::<Vec<_>>(), ["110140"]);
    assert!(stored.eventos[0].nProt.starts_with("891"));
    let late = contingency(1).cNF(31_415_926);
    assert_eq!(bench.event(Wanted::new(late.chave(), EventDetail::Epec(&announced(&late)))).await, 485);
}

/// `dhCont` and `xJust`, which contingency requires.
fn with_reason(note: &Note) -> String {
    let reason = format!(
        "<verProc>1.0</verProc><dhCont>{}</dhCont><xJust>Falha de conexao com a internet</xJust>",
        note.dhEmi()
    );
    note.xml().replace("<verProc>1.0</verProc>", &reason)
}

#[tokio::test]
async fn the_rules_of_an_epec() {
    let bench = start().await;
    let note = contingency(5);
    let epec = announced(&note);
    let wanted = || Wanted::new(note.chave(), EventDetail::Epec(&epec));
    let normal = Note::new(5);
    assert_eq!(bench.event(Wanted::new(normal.chave(), EventDetail::Epec(&announced(&normal)))).await, 484);
    assert_eq!(bench.event(wanted().sequence(2)).await, 594);
    assert_eq!(bench.event(wanted().bent("<cOrgaoAutor>35", "<cOrgaoAutor>33")).await, 455);
    assert_eq!(bench.event(wanted().bent("<tpAutor>1", "<tpAutor>2")).await, 493, "the schema takes only 1");
    let dhEmi = |hours: i64| {
        let changed = EpecSummary { dhEmi: written(note.dhEmi + SignedDuration::from_hours(hours)), ..epec.clone() };
        (changed, note.chave())
    };
    for (hours, cStat) in [(1, 212), (-25, 228)] {
        let (epec, chave) = dhEmi(hours);
        let answered = bench.event(Wanted::new(chave, EventDetail::Epec(&epec))).await;
        // On the first day of a month the key's month differs too, which is checked later.
        assert_eq!(answered, cStat);
    }
    let early = Wanted { at: note.dhEmi - SignedDuration::from_mins(1), ..wanted() };
    assert_eq!(bench.event(early).await, 577);
    assert_eq!(bench.event(wanted().bent("<IE>110042490114", "<IE>110042490115")).await, 209);
    assert_eq!(bench.event(wanted().bent("<CPF>11144477735", "<CPF>11144477736")).await, 237);
    assert_eq!(bench.event(wanted().bent("<UF>SP</UF>", "<UF>EX</UF>")).await, 720);
    assert_eq!(bench.event(wanted().bent("<vNF>100.00", "<vNF>500000000.01")).await, 628);
    assert_eq!(bench.event(wanted().bent("<vICMS>0.00", "<vICMS>500000000.01")).await, 417);
    assert_eq!(bench.event(wanted().bent("<vST>0.00", "<vST>500000000.01")).await, 418);
    let blocked = TaxpayerRecord { epec_bloqueado: true, ..TaxpayerRecord::default() };
    bench.simulator.configure(|settings| drop(settings.contribuintes.insert(CNPJ.to_owned(), blocked)));
    assert_eq!(bench.event(wanted()).await, 142);
    bench.simulator.configure(|settings| settings.contribuintes.clear());
    bench.stored(&Note::new(5)).await;
    assert_eq!(bench.event(wanted()).await, 661);
}

#[tokio::test]
async fn an_announced_note_that_does_not_come_blocks_further_ones() {
    let bench = start().await;
    let note = contingency(1);
    assert_eq!(bench.event(Wanted::new(note.chave(), EventDetail::Epec(&announced(&note)))).await, 136);
    bench.later(169);
    let next = contingency(2).emitted(Timestamp::now() + SignedDuration::from_hours(169));
    let wanted = EpecSummary { ..announced(&next) };
    let wanted = Wanted { at: next.dhEmi, ..Wanted::new(next.chave(), EventDetail::Epec(&wanted)) };
    assert_eq!(bench.event(wanted).await, 142);
}

fn substitution<'s>(nProt: &'s str, chNFeRef: ChaveAcesso) -> EventDetail<'s> {
    EventDetail::CancelamentoPorSubstituicao { uf: Uf::SP, verAplic: "teste", nProt, xJust: WHY, chNFeRef }
}

#[tokio::test]
async fn the_form_of_a_substitution_is_judged_before_its_documents() {
    let bench = start().await;
    let (sold, offline) = (Note { modelo: 65, ..Note::new(1) }, Note { modelo: 65, tpEmis: 9, ..Note::new(2) });
    let wanted = |chave, reference| Wanted::new(chave, substitution("135260000000001", reference));
    assert_eq!(bench.event(wanted(sold.chave(), offline.chave())).await, 494);
    assert_eq!(bench.event(wanted(offline.chave(), offline.chave())).await, 920);
    assert_eq!(bench.event(wanted(sold.chave(), sold.chave())).await, 920);
    assert_eq!(bench.event(wanted(Note::new(1).chave(), offline.chave())).await, 618);
    let other = offline.clone().of(OTHER);
    assert_eq!(bench.event(wanted(sold.chave(), other.chave())).await, 911);
    let broken = wanted(sold.chave(), offline.chave());
    let digit = offline.chave().as_str()[43..].parse::<u8>().unwrap();
    let reference = format!("<chNFeRef>{}{}", &offline.chave().as_str()[..43], (digit + 1) % 10);
    let right = format!("<chNFeRef>{}", offline.chave().as_str());
    assert_eq!(bench.event(Wanted { bent: vec![(&right, reference)], ..broken }).await, 910);
    assert_eq!(
        bench.event(wanted(sold.chave(), offline.chave()).bent("<cOrgaoAutor>35", "<cOrgaoAutor>33")).await,
        455
    );
    assert_eq!(bench.event(wanted(sold.chave(), offline.chave()).sequence(2)).await, 594);
}
