//! Settings of the operator of an authority: rules switched off, modes of services, registered taxpayers.

use crate::abrasf::settings::MunicipalSettings;
use crate::faults::{Fault, FaultTarget};
use crate::ledger::LedgerDocument;
use crate::nfse::settings::NationalSettings;
use crate::rule_switch::RuleSwitch;
use crate::service_address::ServiceAddress;
use fiscal::law::{Law, ReceptionFacts, RuleEffect};
use fiscal::nfe::rules::book;
use fiscal::nfe::rules::options::{StateChoice, StateChoices};
use fiscal::value::brasilia;
use fiscal::value::{TpAmb, Uf};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Mode of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServiceMode {
    /// 107.
    Normal,
    /// 108.
    ParalisadoMomentaneamente,
    /// 109.
    ParalisadoSemPrevisao,
    /// 113: a contingency authoriser about to be switched off; it still works.
    SvcEmDesativacao,
    /// 114: a contingency authoriser that the origin has not switched on.
    SvcDesabilitada,
}

/// A mode and the services it is for; absent members fit all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModeAt {
    pub modo: ServiceMode,
    /// Path segment of the authority, e.g. `sp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autoridade: Option<String>,
    /// 55 or 65.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modelo: Option<u8>,
    /// `producao` or `homologacao`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ambiente: Option<TpAmb>,
    /// Official service name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servico: Option<String>,
    /// Seconds from the request to `dhRetorno`, for 108.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retorno_s: Option<i64>,
}

/// Answer to a document that is stored already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DuplicatePolicy {
    /// 204.
    Rejeitar,
    /// The protocol given the first time.
    DevolverOriginal,
}

/// Answer to a client without certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoCertificate {
    /// The handshake fails with an alert.
    AlertaTls,
    /// HTTP 403 with an HTML body.
    Http403,
    /// A SOAP answer with cStat 280.
    CStat280,
}

/// A registered taxpayer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaxpayerRecord {
    /// State registrations.
    pub ie: BTreeSet<String>,
    /// State whose register holds it; in every one when absent.
    pub uf: Option<String>,
    /// Name, as the register shows it.
    pub nome: Option<String>,
    /// Main activity, 6 or 7 digits.
    pub cnae: Option<String>,
    /// The register shows it as not allowed to operate (`cSit` 0).
    pub nao_habilitado: bool,
    /// Not accredited: 203 (55), 781 (65).
    pub nao_credenciado: bool,
    /// Irregular as issuer: 781; 301 where use is still denied.
    pub emitente_irregular: bool,
    /// Irregular as addressee: 302, of model 55.
    pub destinatario_irregular: bool,
    /// Not allowed to operate in the state: 303, of model 55.
    pub destinatario_nao_habilitado: bool,
    /// May not announce notes (EPEC): 142.
    pub epec_bloqueado: bool,
    /// Registrations under which it is an addressee, in whatever state; not compared when empty (233, 234, 232).
    pub ie_destinatario: BTreeSet<String>,
    /// States, by abbreviation, that have blocked it as an issuer to their final consumers: 307, of model 55.
    pub bloqueado_nas_ufs: BTreeSet<String>,
    /// Blocked as addressee: 305.
    pub destinatario_bloqueado: bool,
    /// Its registrations are not active: 306.
    pub ie_inativa: bool,
    /// Security codes of the NFC-e by their number: 462, 463, 464. They serve every establishment of the CNPJ base.
    pub csc: BTreeMap<String, Csc>,
    /// Record in the register of carriers.
    pub transporte: CarrierRecord,
    /// Record of its CNPJ in the register of the Receita Federal.
    pub receita: FederalRecord,
}

/// Record of a CNPJ at the Receita Federal (NT 2026.007). By default it is listed, active, and of the regime in the
/// document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FederalRecord {
    /// Not listed: 178; 181, 183, 185 as addressee, place of pickup or of delivery.
    pub ausente: bool,
    /// Listed and not active: 179; 182, 184, 186.
    pub inativo: bool,
    /// 1 Simples, 2 MEI, 9 others; compared with the CRT of its documents (180).
    pub regTrib: Option<u8>,
}

/// Record of a carrier at the authorities of the CT-e. By default it may issue for every modal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CarrierRecord {
    /// Not accredited for the CT-e: 203.
    pub nao_credenciado: bool,
    /// Modals (`01` to `06`) its registration allows; not compared when empty (585).
    pub modais: BTreeSet<String>,
}

/// A product in the central registry of GTINs; empty members are not compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GtinRecord {
    /// NCM of its registration: 891, 895.
    pub ncm: String,
    /// CEST: 892, 896.
    pub cest: String,
    /// GTIN of the smallest unit inside, of a GTIN of 14: 893.
    pub contido: String,
}

/// A security code of the NFC-e.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Csc {
    pub csc: String,
    /// Revoked for documents issued later: 463.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revogado_em: Option<Timestamp>,
}

impl std::fmt::Debug for Csc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Csc").field("revogado_em", &self.revogado_em).finish_non_exhaustive()
    }
}

/// A period of the simulator's clock with a fault of every request that fits.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduledOutage {
    /// First instant.
    pub de: Timestamp,
    /// First instant after it.
    pub ate: Timestamp,
    /// Path segment of the authority, e.g. `sp`; any when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autoridade: Option<String>,
    /// 55 or 65.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modelo: Option<u8>,
    /// The fault. One of connections (`refuse`, `tls_failure`) knows no authority and is not allowed.
    pub falha: Fault,
}

/// The properties of a request that outages distinguish.
pub(crate) struct OutageSubject<'a> {
    /// Path segment of the authority.
    pub(crate) authority: &'a str,
    pub(crate) modelo: u8,
    pub(crate) target: FaultTarget,
}

/// Options of a state that differ from its official ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StateOptions {
    /// Choices made (`true`) or unmade.
    pub escolhas: BTreeMap<StateChoice, bool>,
    /// Highest `vNF` of model 55 (628).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limite_nfe: Option<Decimal>,
    /// Highest `vNF` of retail (780).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limite_varejo: Option<Decimal>,
    /// Highest `vNF` for an unidentified buyer (750 to 752).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limite_sem_identificacao: Option<Decimal>,
}

/// All settings of a simulator.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SimulatorSettings {
    /// Effective dates of rules, as in an installation's file; other dates than the issuer's make this authority
    /// stricter or laxer.
    pub lei: Law,
    /// By cStat; `on` when absent.
    pub regras: BTreeMap<u16, RuleSwitch>,
    /// Options of a state, by its abbreviation; the official ones when absent.
    pub opcoes: BTreeMap<String, StateOptions>,
    /// The last mode that fits holds.
    pub servicos: Vec<ModeAt>,
    /// Outages by the simulator's clock.
    pub quedas: Vec<ScheduledOutage>,
    /// True when unlisted taxpayers may issue.
    pub cadastro_aberto: bool,
    /// True when unlisted addressees are refused (246, 623).
    pub destinatarios_fechados: bool,
    /// By CNPJ or CPF.
    pub contribuintes: BTreeMap<String, TaxpayerRecord>,
    /// True when irregular taxpayers are denied with a protocol (301, 302, 303), as until 2024, and not refused.
    pub denegacao: bool,
    /// True when a referenced note of the issuer's state must be stored here (267).
    pub referencias_fechadas: bool,
    /// Central registry of GTINs, by GTIN.
    pub produtos: BTreeMap<String, GtinRecord>,
    /// True when a Brazilian GTIN must be listed (890, 894).
    pub produtos_fechados: bool,
    /// Codes of benefits by state, each with its CSTs (946, 931).
    pub beneficios: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
    /// Secrets of software houses, by CNPJ and identifier (978).
    pub csrt: BTreeMap<String, BTreeMap<String, String>>,
    /// Revoked certificates, by serial number (hexadecimal, capitals): 284, 294.
    pub revogados: BTreeSet<String>,
    /// True when undue use is answered 656.
    pub limites: bool,
    pub duplicidade: DuplicatePolicy,
    /// True when a late cancellation of model 55 is accepted (155), false when it is refused (501).
    pub cancelamento_tardio: bool,
    pub sem_certificado: NoCertificate,
    /// States that have opened their SVC, by abbreviation: for any other it answers 114. All of them when absent, so
    /// that the rehearsal of an outage takes one step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svc_abertas: Option<BTreeSet<String>>,
    /// Gives an SVC a book of its own: neither it nor the authority it replaces knows the documents of the other.
    pub svc_livro_proprio: bool,
    /// True when the registers can be searched by CPF (262 when not).
    pub cadastro_por_cpf: bool,
    /// Polls of a receipt answered 105 before the result.
    pub consultas_em_processamento: u32,
    pub nfse: NationalSettings,
    pub municipal: MunicipalSettings,
}

impl Default for SimulatorSettings {
    fn default() -> SimulatorSettings {
        SimulatorSettings {
            lei: Law::default(),
            regras: BTreeMap::new(),
            opcoes: BTreeMap::new(),
            servicos: Vec::new(),
            quedas: Vec::new(),
            cadastro_aberto: true,
            destinatarios_fechados: false,
            contribuintes: BTreeMap::new(),
            denegacao: false,
            referencias_fechadas: false,
            produtos: BTreeMap::new(),
            produtos_fechados: false,
            beneficios: BTreeMap::new(),
            csrt: BTreeMap::new(),
            revogados: BTreeSet::new(),
            limites: true,
            duplicidade: DuplicatePolicy::Rejeitar,
            cancelamento_tardio: false,
            sem_certificado: NoCertificate::AlertaTls,
            svc_abertas: None,
            svc_livro_proprio: false,
            cadastro_por_cpf: true,
            consultas_em_processamento: 0,
            nfse: NationalSettings::default(),
            municipal: MunicipalSettings::default(),
        }
    }
}

impl SimulatorSettings {
    /// Options of the rules for a state.
    pub fn options(&self, uf: Option<Uf>) -> StateChoices {
        let official = StateChoices::of(uf);
        let Some(own) = uf.and_then(|uf| self.opcoes.get(uf.sigla())) else { return official };
        let chosen = own.escolhas.iter().fold(official, |options, (choice, made)| options.with(*choice, *made));
        StateChoices {
            limit: own.limite_nfe.or(chosen.limit),
            retail_limit: own.limite_varejo.unwrap_or(chosen.retail_limit),
            unidentified_limit: own.limite_sem_identificacao.unwrap_or(chosen.unidentified_limit),
            ..chosen
        }
    }
    /// True when the authority of this address accepts documents of issuers without inscrição estadual: the SVRS alone,
    /// since C17-10 ended.
    pub(crate) fn accepts_unregistered(&self, place: &ServiceAddress, now: Timestamp) -> bool {
        place.modelo == 55 && place.authority.is_svrs() && self.allows_missing_ie(place, now)
    }
    /// True when an issuer may be without inscrição estadual (NT 2026.007).
    pub(crate) fn allows_missing_ie(&self, place: &ServiceAddress, now: Timestamp) -> bool {
        let met = ReceptionFacts { received: brasilia::day(now), issued: None, uf: None, crt: None };
        let demands = |entry: &book::NfeRuleEntry| {
            let terms = self.lei.terms(&entry.key(), &entry.terms).of(place.ambiente);
            terms.effect_on(&met) == RuleEffect::Rejeicao
        };
        !book::entry("C17-10", 229).is_some_and(demands)
    }
    pub fn switch(&self, cStat: u16) -> RuleSwitch {
        self.regras.get(&cStat).copied().unwrap_or(RuleSwitch::On)
    }
    /// The first code that is not switched off.
    pub(crate) fn first_on(&self, codes: &[u16]) -> Option<u16> {
        codes.iter().copied().find(|code| self.switch(*code) != RuleSwitch::Off)
    }
    /// Fault of a request at an instant; `modelo` is 0 for the national NFS-e, which has none.
    pub(crate) fn outage(&self, asked: &OutageSubject<'_>, body: &[u8], now: Timestamp) -> Option<&Fault> {
        let fits = |outage: &&ScheduledOutage| {
            (outage.de..outage.ate).contains(&now)
                && outage.autoridade.as_deref().is_none_or(|name| name == asked.authority)
                && outage.modelo.is_none_or(|modelo| modelo == asked.modelo)
                && outage.falha.applies(asked.target, body)
        };
        self.quedas.iter().find(fits).map(|outage| &outage.falha)
    }
    /// The security codes of an issuer, by number.
    pub(crate) fn csc_of<'a>(&'a self, emitente: &'a str) -> impl Iterator<Item = (&'a String, &'a Csc)> {
        let same = move |number: &str| match (number.len(), emitente.len()) {
            (14, 14) => number.get(..8) == emitente.get(..8),
            _ => number == emitente,
        };
        self.contribuintes.iter().filter(move |(number, _)| same(number)).flat_map(|(_, taxpayer)| &taxpayer.csc)
    }
    /// True when documents of a state are accepted at this address: an SVC waits until the state opens it.
    pub(crate) fn is_open(&self, place: &ServiceAddress, uf: Uf) -> bool {
        let opened = || self.svc_abertas.as_ref().is_none_or(|open| open.contains(uf.sigla()));
        place.contingency().is_none() || opened()
    }
    /// True when the authority of this address has a document in its book.
    pub(crate) fn has_in_book(&self, place: &ServiceAddress, document: &LedgerDocument) -> bool {
        !self.svc_livro_proprio || place.contingency() == document.contingency
    }
    pub(crate) fn mode(&self, place: &ServiceAddress) -> Option<&ModeAt> {
        self.servicos.iter().rev().find(|at| {
            at.autoridade.as_deref().is_none_or(|name| name == place.authority.segment())
                && at.modelo.is_none_or(|modelo| modelo == place.modelo)
                && at.ambiente.is_none_or(|ambiente| ambiente == place.ambiente)
                && at.servico.as_deref().is_none_or(|name| name == place.wire.name)
        })
    }
}
