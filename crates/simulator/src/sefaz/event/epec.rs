//! 110140: a note to come, announced at the Ambiente Nacional.
//!
//! Law: NT 2014.001 v1.30, 3.8 and 3.9. The note itself is checked by `settle` against the announcement stored here.
//! Left out: the addressee's register (233, 234, 302…), which the authorisation checks.

use super::super::{Refusal, ServiceRequest};
use super::{NfeEventCase, RegistrationReply, broken, event, first, general};
use crate::clock::seconds_between;
use crate::ledger::{Ledger, PendingEpec};
use fiscal::event::NfeEventKind;
use fiscal::value::{ChaveAcesso, Cnpj, Cpf, Uf, amount, ie};
use jiff::Timestamp;
use rust_decimal::Decimal;

/// 450, 495, 266, 484, 455, 466, 212, 228, 577, 659, 229, 209, 208, 237, 720, 721, 792, 210, 628, 417, 418.
pub(super) fn fields(case: &NfeEventCase<'_>) -> Vec<Refusal> {
    let asked = case.asked;
    let series: u16 = asked.key(22..25).parse().unwrap_or(0);
    let of_person = (920..=969).contains(&series);
    let mut all = broken([
        (450, asked.key(20..22) != "55"),
        (495, asked.author.len() == 11 && !of_person),
        (266, !(series <= 889 || of_person)),
        (484, asked.key(34..35) != "4"),
        (455, case.detail("cOrgaoAutor") != Some(asked.key(0..2))),
        (466, case.detail("tpAutor") != Some("1")),
    ]);
    all.extend(dates(case));
    all.extend(parties(case));
    all.extend(broken([
        (628, above(case.detail("dest/vNF"))),
        (417, above(case.detail("dest/vICMS"))),
        (418, above(case.detail("dest/vST"))),
    ]));
    all
}

fn dates(case: &NfeEventCase<'_>) -> Vec<Refusal> {
    let text = case.detail("dhEmi").unwrap_or("");
    let Ok(issued) = text.parse::<Timestamp>() else { return Vec::new() };
    let aamm = format!("{}{}", text.get(2..4).unwrap_or(""), text.get(5..7).unwrap_or(""));
    let now = case.request.now;
    broken([
        (212, seconds_between(now, issued) > 5 * 60),
        (228, seconds_between(issued, now) > 86_400),
        (577, case.dhEvento().is_some_and(|event| event.as_second() < issued.as_second())),
        (659, aamm != case.asked.key(2..6)),
    ])
}

fn parties(case: &NfeEventCase<'_>) -> Vec<Refusal> {
    let state = case.asked.key(0..2).parse().ok().and_then(Uf::from_code);
    let zeros = |text: &str| text.bytes().all(|digit| digit == b'0');
    let (IE, dest_uf) = (case.detail("IE").unwrap_or(""), case.detail("dest/UF").unwrap_or(""));
    let abroad = dest_uf == "EX";
    let foreign = case.detail("dest/idEstrangeiro").is_some();
    let IEDest = case.detail("dest/IE");
    let wrong = |uf: Option<Uf>, number: &str| uf.is_some_and(|uf| ie::check(uf, number).is_err());
    let elsewhere = !abroad && state.is_some_and(|uf| uf.sigla() != dest_uf);
    broken([
        (229, zeros(IE)),
        (209, !zeros(IE) && wrong(state, IE)),
        (208, case.detail("dest/CNPJ").is_some_and(|cnpj| Cnpj::parse(cnpj).is_err())),
        (237, case.detail("dest/CPF").is_some_and(|cpf| Cpf::parse(cpf).is_err())),
        (720, abroad && !foreign),
        (721, foreign && elsewhere),
        (792, abroad && IEDest.is_some()),
        (210, IEDest.is_some_and(|ie| zeros(ie) || wrong(Uf::from_sigla(dest_uf), ie))),
    ])
}

/// The limit of NT 2014.001, note 3: 500 million.
fn above(value: Option<&str>) -> bool {
    value.and_then(amount).is_some_and(|value| value > Decimal::from(500_000_000_u32))
}

/// 573, 203, 240, 142, 485, 661, 662; 136 when there is none of them.
pub(super) fn register(
    case: &NfeEventCase<'_>,
    ledger: &mut Ledger,
    source: &str,
) -> Result<RegistrationReply, Refusal> {
    let (request, asked) = (case.request, case.asked);
    let ambiente = request.place.ambiente;
    let known = ledger.epec_of_number(ambiente, &asked.chNFe);
    if let Some(epec) = known.filter(|epec| epec.chave == asked.chNFe) {
        first(case.settings, vec![Refusal::with(573, format!("[nProt:{}]", epec.event.nProt))])?;
    }
    first(case.settings, general::taxpayer(case))?;
    first(case.settings, databases(case, ledger))?;
    let cUF = asked.key(0..2).parse().unwrap_or(0);
    let nProt = ledger.next_event_protocol(&request.place, cUF, request.now);
    let outcome = Refusal::new(136);
    let xml = asked.registered(request, NfeEventKind::Epec, &outcome, &nProt, None);
    let event = event(asked, outcome.cStat, nProt, source, &xml);
    ledger.store_epec(PendingEpec {
        ambiente,
        chave: asked.chNFe.clone(),
        repeated_values: announced_values(case),
        at: request.now,
        settled: false,
        event,
    });
    Ok(RegistrationReply { cStat: outcome.cStat, xml })
}

fn databases(case: &NfeEventCase<'_>, ledger: &Ledger) -> Vec<Refusal> {
    let (asked, ambiente) = (case.asked, case.request.place.ambiente);
    let listed = case.settings.contribuintes.get(&asked.author).is_some_and(|one| one.epec_bloqueado);
    let voided = ChaveAcesso::parse(&asked.chNFe).is_ok_and(|chave| ledger.voided_range(ambiente, &chave).is_some());
    broken([
        (142, listed || is_overdue(case.request, ledger, &asked.author)),
        (485, ledger.epec_of_number(ambiente, &asked.chNFe).is_some_and(|epec| epec.chave != asked.chNFe)),
        (661, ledger.same_number(ambiente, &asked.chNFe).is_some()),
        (662, voided),
    ])
}

/// True when a note announced more than 168 hours ago has not come (NT 2014.001, 4).
fn is_overdue(request: &ServiceRequest<'_>, ledger: &Ledger, author: &str) -> bool {
    let of_author = format!("{author:0>14}");
    ledger.epecs().any(|epec| {
        epec.ambiente == request.place.ambiente
            && !epec.settled
            && epec.chave.get(6..20) == Some(of_author.as_str())
            && seconds_between(epec.at, request.now) > 7 * 86_400
    })
}

/// Values that the note must repeat: see `PendingEpec`.
fn announced_values(case: &NfeEventCase<'_>) -> Vec<String> {
    let dest = ["dest/CNPJ", "dest/CPF", "dest/idEstrangeiro"].into_iter().find_map(|path| case.detail(path));
    let paths = ["dhEmi", "tpNF", "IE", "dest/vNF", "dest/vICMS", "dest/vST"];
    let mut said: Vec<String> = paths.into_iter().map(|path| case.detail(path).unwrap_or("").to_owned()).collect();
    said.push(dest.unwrap_or("").to_owned());
    said
}
