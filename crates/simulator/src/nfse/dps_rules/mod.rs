//! Rules of a DPS apart from the stored notes: its identity, the convention of the município, the registers, and the
//! rule table of the fiscal core.
//!
//! Law: anexo I of 2026-02-09. Rules of the DPS with the clock, the environment and the terms of its município are in
//! `fiscal::nfse::rules`; here are those that need an address, the other parameters of a município or a register.

mod benefit;
mod choices;
mod estate;
mod floor;
mod registers;

use super::address::NationalHost;
use super::answer::ProcessingMessage;
use super::municipality::{Convenio, MunicipalConvention};
use super::settings::{NationalSettings as Settings, NationalTaxpayer};
use super::{NationalRequest, document_of};
use fiscal::law::RuleEffect;
use fiscal::nfse::amounts::{BenefitTerms, MunicipalTerms};
use fiscal::nfse::simples::SimplesDuty;
use fiscal::nfse::{calendar, incidence, rules};
use fiscal::xml::Element;
use jiff::civil::Date;
use std::borrow::Cow;

/// A DPS and its context.
pub(super) struct DpsFacts<'a> {
    pub(super) asked: &'a NationalRequest<'a>,
    pub(super) dps: &'a Element,
    pub(super) inf: &'a Element,
    pub(super) settings: &'a Settings,
    /// Município of issue, when there is one of its code.
    pub(super) local: Option<Cow<'a, MunicipalConvention>>,
    /// Município that the ISSQN is due to.
    pub(super) due: Option<Cow<'a, MunicipalConvention>>,
    /// The prestador in the register.
    pub(super) provider: Option<&'a NationalTaxpayer>,
    pub(super) dCompet: Date,
}

impl<'a> DpsFacts<'a> {
    pub(super) fn of(
        asked: &'a NationalRequest<'a>,
        dps: &'a Element,
        inf: &'a Element,
        settings: &'a Settings,
    ) -> DpsFacts<'a> {
        let municipality = |code: Option<&str>| code?.parse().ok().and_then(|code| settings.municipality(code));
        let prestador = inf.child("prest").and_then(document_of).unwrap_or_default();
        DpsFacts {
            asked,
            dps,
            inf,
            settings,
            local: municipality(inf.text_at("cLocEmi")),
            due: municipality(incidence::of(inf)),
            provider: settings.contribuintes.get(prestador),
            dCompet: inf.text_at("dCompet").and_then(|text| text.parse().ok()).unwrap_or(Date::MAX),
        }
    }
    pub(super) fn text(&self, path: &str) -> &'a str {
        self.inf.text_at(path).unwrap_or_default()
    }
    pub(super) fn has(&self, path: &str) -> bool {
        self.inf.at(path).is_some()
    }
    pub(super) fn regime(&self) -> &'a str {
        self.text("prest/regTrib/opSimpNac")
    }
    fn is_mei(&self) -> bool {
        self.regime() == "2"
    }
    /// True when the município that the ISSQN is due to is active.
    pub(super) fn is_active(&self) -> bool {
        self.due.as_ref().is_some_and(|due| due.is_active(self.dCompet))
    }
    /// Terms of that município for this service.
    pub(super) fn terms(&self) -> Option<MunicipalTerms> {
        let due = self.due.as_deref()?;
        let benefit = due.beneficios.get(self.text("valores/trib/tribMun/BM/nBM"));
        Some(MunicipalTerms {
            is_active: due.is_active(self.dCompet),
            rate: due.rate(self.text("serv/cServ/cTribNac")),
            benefit: benefit.map(|benefit| BenefitTerms { tipo: benefit.tipo, rate: benefit.aliquota }),
        })
    }
}

/// A code, and whether its rule is broken.
pub(super) type RuleOutcome = (&'static str, bool);

/// All errors of a DPS.
pub(super) fn problems(facts: &DpsFacts<'_>) -> Vec<ProcessingMessage> {
    let law = facts.asked.world.settings().lei.clone();
    let known = rules::NfseRuleContext {
        law: &law,
        now: facts.asked.now,
        ambiente: facts.asked.ambiente,
        terms: facts.terms(),
    };
    let broken = rules::predict(facts.dps, &known);
    // Rules without a date in the simulator's law, where the settings switch them on.
    let switched = rules::predict_later(facts.dps, &known).into_iter().map(|(rule, _)| rule).filter(|rule| {
        facts.settings.regras.contains_key(rule.codigo) && broken.iter().all(|it| it.rule.codigo != rule.codigo)
    });
    let switched: Vec<ProcessingMessage> = switched.map(ProcessingMessage::from).collect();
    let broken = broken.into_iter();
    let broken = broken
        .map(|it| ProcessingMessage { is_warning: it.effect == RuleEffect::Aviso, ..ProcessingMessage::from(it.rule) });
    let mut all: Vec<ProcessingMessage> = broken.chain(switched).collect();
    let mut broken = |rules: &[RuleOutcome]| {
        all.extend(rules.iter().filter(|(_, is_broken)| *is_broken).map(|(codigo, _)| ProcessingMessage::new(codigo)));
    };
    broken(&convention(facts));
    broken(&prestador(facts));
    broken(&registers::rules(facts));
    broken(&service(facts));
    broken(&choices::rules(facts));
    broken(&estate::rules(facts));
    broken(&benefit::rules(facts));
    broken(&floor::rules(facts));
    all.extend(without_reform(facts));
    all
}

/// The error of a missing group `IBSCBS`, where the settings refuse it.
fn without_reform(facts: &DpsFacts<'_>) -> Option<ProcessingMessage> {
    let codigo = facts.settings.ibscbs_ausente.as_deref()?;
    let is_missing = !facts.has("IBSCBS") && calendar::may_demand_reform(facts.text("dhEmi"));
    is_missing.then(|| ProcessingMessage {
        descricao: "O grupo IBSCBS não foi informado (recusa ligada em nfse.ibscbs_ausente do simulador)".into(),
        ..ProcessingMessage::of_magic_value(codigo)
    })
}

fn convention(facts: &DpsFacts<'_>) -> [RuleOutcome; 4] {
    let local = facts.local.as_deref();
    let is_here = match facts.asked.host {
        // The own server of a município issues for itself alone.
        NationalHost::Municipality(codigo) => facts.text("cLocEmi") == format!("{codigo:07}"),
        _ => true,
    };
    let emits_here = |local: &MunicipalConvention| match facts.asked.host {
        NationalHost::Municipality(_) => local.endereco_proprio,
        _ => local.emissor_nacional,
    };
    let convenio = local.map(|local| local.convenio);
    // A MEI by the text of the rule, a ME or EPP by its duty since 2026-11-01.
    let by_duty =
        || !facts.settings.me_epp_por_convenio && SimplesDuty::of(facts.regime(), facts.text("dhEmi")).is_some();
    let is_obliged = facts.is_mei() || by_duty();
    [
        ("E0016", local.is_some_and(|local| facts.dCompet < local.ativo_desde) && !facts.is_mei()),
        ("E0037", convenio.is_none_or(|convenio| convenio == Convenio::Ausente) || !is_here),
        ("E0038", convenio == Some(Convenio::Inativo)),
        ("E0039", convenio == Some(Convenio::Ativo) && !local.is_some_and(emits_here) && !is_obliged),
    ]
}

fn prestador(facts: &DpsFacts<'_>) -> [RuleOutcome; 8] {
    let known = facts.provider;
    let said = facts.inf.text_at("prest/IM");
    let (is_company, is_person) = (facts.has("prest/CNPJ"), facts.has("prest/CPF"));
    let is_not_enabled = || {
        let by_list = facts.local.as_deref().is_some_and(|local| local.emissor_nacional && local.so_habilitados);
        by_list && known.is_none_or(|provider| provider.municipio.is_none())
    };
    let is_elsewhere = !facts.is_mei()
        && (known.is_some_and(|provider| is_established_elsewhere(facts, provider)) || is_not_enabled());
    let differs =
        |provider: &NationalTaxpayer| provider.opSimpNac.as_deref().is_some_and(|right| right != facts.regime());
    let is_of_another = known.is_some_and(|provider| is_established_elsewhere(facts, provider));
    [
        ("E0041", facts.is_mei() && is_company && is_of_another),
        ("E0084", is_company && is_elsewhere),
        ("E0099", is_person && is_elsewhere),
        ("E0116", said.is_none() && known.is_some_and(|known| known.IM.is_some()) && !facts.is_mei()),
        ("E0119", said.is_some() && known.is_some_and(|known| known.im_nao_autorizada)),
        ("E0120", said.is_some() && known.is_some_and(|known| known.IM.as_deref() != said)),
        ("E0124", said.is_some() && known.is_some_and(|known| known.im_inativa)),
        ("E0160", known.is_some_and(differs)),
    ]
}

fn is_established_elsewhere(facts: &DpsFacts<'_>, provider: &NationalTaxpayer) -> bool {
    provider.municipio.is_some_and(|codigo| format!("{codigo:07}") != facts.text("cLocEmi"))
}

fn service(facts: &DpsFacts<'_>) -> [RuleOutcome; 4] {
    let code = facts.text("serv/cServ/cTribNac");
    let due = facts.due.as_deref();
    let own = facts.inf.text_at("serv/cServ/cTribMun");
    let unknown = |due: &MunicipalConvention, own: &str| {
        !due.codigos_municipais.is_empty() && !due.codigos_municipais.contains(own)
    };
    let regime = facts.text("prest/regTrib/regEspTrib");
    [
        ("E0312", due.is_some_and(|due| due.servicos_excluidos.contains(code)) && !facts.is_mei()),
        ("E0314", due.zip(own).is_some_and(|(due, own)| unknown(due, own)) && !facts.is_mei()),
        ("E0177", due.is_some_and(|due| due.regimes_vedados.contains(regime))),
        ("E0440", facts.has("valores/vDedRed") && facts.is_active() && due.is_some_and(|due| !due.admite_deducao)),
    ]
}
