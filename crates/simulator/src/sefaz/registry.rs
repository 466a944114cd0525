//! Stage 10 beyond duplicates: the authority's registries of referenced documents, addressees, products, benefits and
//! software houses. Every registry is the operator's (`/_sim/configuracao`), and open by default: an unlisted entry is
//! not refused.
//!
//! Law: MOC 7.0 anexo I, 3BA02, 5E17, 5AF15, 5BG15, N12-88 to N12-98, 7ZD09, 9I03 and 9I12; NT 2021.003 (GTIN).

use super::{Refusal, federal_register, stored};
use crate::ledger::{Ledger, LedgerStatus};
use crate::service_address::ServiceAddress;
use crate::settings::{GtinRecord, SimulatorSettings, TaxpayerRecord};
use fiscal::nfe::rules::{NfeRuleContext, NfeView, book};
use openssl::sha::sha1;
use std::collections::BTreeSet;

/// Facts of a document for the registries.
#[derive(Debug, Default)]
pub(super) struct RegistryFacts {
    chave: String,
    uf: String,
    complement: bool,
    contingency: bool,
    references: Vec<String>,
    references_to_stored: stored::StoredReferences,
    addressee: Option<RegistryAddressee>,
    /// State of a final consumer without IE, when the goods leave the issuer's state.
    consumer_in: Option<String>,
    places: Vec<LocationHolder>,
    items: Vec<RegistryItem>,
    csrt: Option<SentCsrt>,
    federal: federal_register::FederalQuery,
    /// Codes in force of the rules that only an authority checks.
    in_force: BTreeSet<u16>,
}

#[derive(Debug)]
struct RegistryAddressee {
    number: String,
    ie: String,
    company: bool,
}

/// Holder of a place of pickup or delivery, with its registration; the codes for one that is unknown, another
/// company's, another person's.
#[derive(Debug)]
struct LocationHolder {
    number: String,
    ie: String,
    codes: [u16; 3],
}

#[derive(Debug)]
struct RegistryItem {
    cEAN: String,
    cEANTrib: String,
    NCM: String,
    CEST: String,
    cst: String,
    cBenef: String,
    abroad: bool,
}

#[derive(Debug)]
struct SentCsrt {
    CNPJ: String,
    id: String,
    hash: String,
}

impl RegistryFacts {
    pub(super) fn of(note: &NfeView<'_>, facts: &NfeRuleContext<'_>) -> RegistryFacts {
        let in_force = book::OF_THE_AUTHORITY.iter().filter(|(id, cStat)| facts.enforces(note, id, *cStat));
        let text = |path: &str| note.text(path).to_owned();
        let references = note.each("ide", "NFref").into_iter();
        let number = [note.text("dest/CNPJ"), note.text("dest/CPF")].into_iter().find(|text| !text.is_empty());
        let abroad = note.ide.idDest == "3";
        let of_consumer = [note.ide.tpNF, note.ide.idDest, note.ide.indFinal] == ["1", "2", "1"];
        let consumer = of_consumer && note.text("dest/indIEDest") == "9";
        let item = |item: &fiscal::nfe::rules::NfeItem<'_>| RegistryItem {
            cEAN: item.text("prod/cEAN").to_owned(),
            cEANTrib: item.text("prod/cEANTrib").to_owned(),
            NCM: item.text("prod/NCM").to_owned(),
            CEST: item.text("prod/CEST").to_owned(),
            cst: item.cst().to_owned(),
            cBenef: item.text("prod/cBenef").to_owned(),
            abroad,
        };
        RegistryFacts {
            chave: note.inf().attribute("Id").and_then(|id| id.strip_prefix("NFe")).unwrap_or_default().to_owned(),
            uf: text("emit/enderEmit/UF"),
            complement: note.ide.finNFe == "2",
            contingency: matches!(note.ide.tpEmis, "2" | "4" | "5"),
            references: references.filter_map(|(_, one)| one.text_at("refNFe").map(str::to_owned)).collect(),
            references_to_stored: stored::StoredReferences::of(note),
            places: PLACES.into_iter().filter_map(|(group, codes)| LocationHolder::of(note, group, codes)).collect(),
            addressee: number.map(|number| RegistryAddressee {
                number: number.to_owned(),
                ie: text("dest/IE"),
                company: note.has("dest/CNPJ"),
            }),
            consumer_in: consumer.then(|| text("dest/enderDest/UF")),
            items: note.items.iter().map(item).collect(),
            csrt: note.has("infRespTec/hashCSRT").then(|| SentCsrt {
                CNPJ: text("infRespTec/CNPJ"),
                id: text("infRespTec/idCSRT"),
                hash: text("infRespTec/hashCSRT"),
            }),
            federal: federal_register::FederalQuery::of(note),
            in_force: in_force.map(|(_, cStat)| *cStat).collect(),
        }
    }
    /// True when a rule that only an authority checks is in force.
    pub(super) fn enforces(&self, cStat: u16) -> bool {
        self.in_force.contains(&cStat)
    }
    /// Codes of the issuer in the register of the Receita Federal.
    pub(super) fn federal_codes(&self, settings: &SimulatorSettings, emitente: &str) -> Vec<u16> {
        self.federal.issuer(settings, emitente).into_iter().filter(|cStat| self.enforces(*cStat)).collect()
    }
    /// 1C17-50 (NT 2024.001): the issuer is blocked by the state of its consumer.
    pub(super) fn goes_where_blocked(&self, issuer: &TaxpayerRecord) -> bool {
        self.consumer_in.as_ref().is_some_and(|uf| issuer.bloqueado_nas_ufs.contains(uf))
    }
}

impl LocationHolder {
    fn of(note: &NfeView<'_>, group: &str, codes: [u16; 3]) -> Option<LocationHolder> {
        let text = |tag: &str| note.text(&format!("{group}/{tag}")).to_owned();
        let number = ["CNPJ", "CPF"].into_iter().map(text).find(|number| !number.is_empty())?;
        Some(LocationHolder { number, ie: text("IE"), codes }).filter(|holder| !holder.ie.is_empty())
    }
}

/// 5AF15 and 5BG15.
const PLACES: [(&str, [u16; 3]); 2] = [("retirada", [942, 943, 944]), ("entrega", [945, 947, 948])];

/// The first refusal of a registry, in the order of the manual.
pub(super) fn refusal(
    ledger: &Ledger,
    settings: &SimulatorSettings,
    place: ServiceAddress,
    asked: &RegistryFacts,
) -> Option<Refusal> {
    let mut found = Vec::new();
    if place.modelo == 55 {
        references(ledger, settings, place, asked, &mut found);
        asked.references_to_stored.refusals(ledger, place, settings.referencias_fechadas, &mut found);
        let federal = asked.federal.others(settings).into_iter().filter(|cStat| asked.enforces(*cStat));
        found.extend(federal.map(Refusal::new));
        addressee(settings, asked, &mut found);
        places(settings, asked, &mut found);
    }
    software_house(settings, asked, &mut found);
    for (item, number) in asked.items.iter().zip(1..) {
        benefit(settings, asked, item, number, &mut found);
        products(settings, item, number, &mut found);
    }
    found.into_iter().find(|refusal| settings.first_on(&[refusal.cStat]).is_some())
}

/// 267, 268, 686, 687: keys of the issuer's own state. A complement in contingency must find the completed note.
fn references(
    ledger: &Ledger,
    settings: &SimulatorSettings,
    place: ServiceAddress,
    asked: &RegistryFacts,
    found: &mut Vec<Refusal>,
) {
    let own =
        asked.references.iter().filter(|key| key.get(..2) == asked.chave.get(..2) && key.get(20..22) == Some("55"));
    for (key, number) in own.zip(1..) {
        let Some(stored) = ledger.document(place.ambiente, key) else {
            let excused = !settings.referencias_fechadas || (asked.contingency && !asked.complement);
            found.extend((!excused).then(|| Refusal::with(267, format!("[nRef:{number}]"))));
            continue;
        };
        if !asked.complement {
            continue;
        }
        let complement = stored.xml.as_deref().is_some_and(|xml| xml.contains("<finNFe>2</finNFe>"));
        found.extend(complement.then(|| Refusal::new(268)));
        match stored.situacao {
            LedgerStatus::Cancelada => found.push(Refusal::new(686)),
            LedgerStatus::Denegada => found.push(Refusal::new(687)),
            LedgerStatus::Autorizada => {}
        }
    }
}

/// 942 to 948: of places whose holder is listed.
fn places(settings: &SimulatorSettings, asked: &RegistryFacts, found: &mut Vec<Refusal>) {
    for LocationHolder { number, ie, codes: [unknown, of_company, of_person] } in &asked.places {
        let Some(taxpayer) = settings.contribuintes.get(number) else { continue };
        if taxpayer.ie_destinatario.is_empty() || taxpayer.ie_destinatario.contains(ie) {
            continue;
        }
        let elsewhere = settings.contribuintes.values().any(|other| other.ie_destinatario.contains(ie));
        found.push(Refusal::new(match (elsewhere, number.len()) {
            (false, _) => *unknown,
            (true, 11) => *of_person,
            (true, _) => *of_company,
        }));
    }
}

/// 233, 234, 624, 302, 305, 306, 232, 303: of a listed addressee. 302 and 303 refuse since NT 2024.001. 246, 181 and
/// 623: of an unlisted one.
fn addressee(settings: &SimulatorSettings, asked: &RegistryFacts, found: &mut Vec<Refusal>) {
    let Some(addressee) = &asked.addressee else { return };
    let Some(taxpayer) = settings.contribuintes.get(&addressee.number) else {
        // 5E17-70 ended where the list of the Receita Federal began.
        let unknown = match addressee.company {
            true if asked.enforces(181) => 181,
            true => 246,
            false => 623,
        };
        found.extend(settings.destinatarios_fechados.then(|| Refusal::new(unknown)));
        return;
    };
    let registered = |taxpayer: &TaxpayerRecord| taxpayer.ie_destinatario.contains(&addressee.ie);
    let told = !addressee.ie.is_empty();
    let unknown = told && !taxpayer.ie_destinatario.is_empty() && !registered(taxpayer);
    let elsewhere = settings.contribuintes.values().any(registered);
    let codes = [
        (233, unknown && !elsewhere),
        (234, unknown && elsewhere && addressee.company),
        (624, unknown && elsewhere && !addressee.company),
        (302, taxpayer.destinatario_irregular && !settings.denegacao),
        (305, taxpayer.destinatario_bloqueado),
        (306, told && taxpayer.ie_inativa),
        (232, !told && addressee.company && !taxpayer.ie_destinatario.is_empty() && !taxpayer.ie_inativa),
        (303, taxpayer.destinatario_nao_habilitado && !settings.denegacao),
    ];
    found.extend(codes.into_iter().filter(|(_, broken)| *broken).map(|(cStat, _)| Refusal::new(cStat)));
}

/// 978: base64 of the SHA-1 of the secret and the key.
fn software_house(settings: &SimulatorSettings, asked: &RegistryFacts, found: &mut Vec<Refusal>) {
    let Some(csrt) = &asked.csrt else { return };
    let Some(secret) = settings.csrt.get(&csrt.CNPJ).and_then(|secrets| secrets.get(&csrt.id)) else { return };
    let hash = crate::soap::base64(&sha1(format!("{secret}{}", asked.chave).as_bytes()));
    found.extend((hash != csrt.hash).then(|| Refusal::new(978)));
}

/// 946 and 931: of a state whose table of benefits is listed.
fn benefit(
    settings: &SimulatorSettings,
    asked: &RegistryFacts,
    item: &RegistryItem,
    number: u32,
    found: &mut Vec<Refusal>,
) {
    let Some(table) = settings.beneficios.get(&asked.uf) else { return };
    if item.cst.is_empty() || matches!(item.cBenef.as_str(), "" | "SEM CBENEF") {
        return;
    }
    match table.get(&item.cBenef) {
        None => found.push(Refusal::with(946, format!("[nItem:{number}]"))),
        Some(csts) if !csts.contains(&item.cst) => found.push(Refusal::with(931, format!("[nItem:{number}]"))),
        Some(_) => {}
    }
}

/// 890 to 896: GTINs of Brazil.
fn products(settings: &SimulatorSettings, item: &RegistryItem, number: u32, found: &mut Vec<Refusal>) {
    for (gtin, unknown, ncm, cest) in [(&item.cEAN, 890, 891, 892), (&item.cEANTrib, 894, 895, 896)] {
        if !is_brazilian(gtin) {
            continue;
        }
        let Some(GtinRecord { ncm: own_ncm, cest: own_cest, contido }) = settings.produtos.get(gtin) else {
            found.extend(settings.produtos_fechados.then(|| Refusal::with(unknown, format!("[nItem:{number}]"))));
            continue;
        };
        let differs = |own: &str, told: &str| !own.is_empty() && own != told;
        if differs(own_ncm, &item.NCM) {
            found.push(Refusal::with(ncm, format!("[nItem:{number}; NCM esperada:{own_ncm}]")));
        }
        if !item.CEST.is_empty() && differs(own_cest, &item.CEST) {
            found.push(Refusal::with(cest, format!("[nItem:{number}; CEST esperado:{own_cest}]")));
        }
        if unknown == 890 && gtin.len() == 14 && !item.abroad && differs(contido, &item.cEANTrib) {
            found.push(Refusal::with(893, format!("[nItem:{number}; GTIN Contido esperado:{contido}]")));
        }
    }
}

/// Prefixes 789 and 790, in a code of 13 positions or of 14.
fn is_brazilian(gtin: &str) -> bool {
    let prefix = match gtin.len() {
        8 | 13 => gtin.get(..3),
        14 => gtin.get(1..4),
        _ => None,
    };
    matches!(prefix, Some("789" | "790"))
}
