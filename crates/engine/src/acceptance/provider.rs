//! Provider of a document where each município decides it: the national system, the município's own server in the
//! national layout, or a provider with its own layout, for which there is another route.
//!
//! Law: docs/guides/provedores-nfse.md: the configuration decides; without it the convênio, then the table of
//! municípios, then the national system. A company of the Simples goes to the national system in any case (Resoluções
//! CGSN 169/2022 and 191/2026).
//! Must not know: how a município is queried.

use crate::Engine;
use crate::family::Family;
use crate::family::issuer::FamilyIssuer;
use crate::family::municipal_provider::MunicipalProvider;
use crate::family::own_host;
use crate::process::local_time;
use authority::table::{OwnHost, WireForm};
use fiscal::finding::{Notice, Violation};
use fiscal::nfse::convention::Convention;
use fiscal::nfse::due_municipality;
use fiscal::nfse::simples::{self, SimplesDuty};
use fiscal::value::TpAmb;
use serde_json::Value;
use std::sync::Arc;
use uuid::Uuid;

/// Decision about the provider.
pub(crate) enum ProviderDecision {
    /// The document goes by this route.
    Taken(ProviderTarget),
    /// The document goes by another route, or no provider is known.
    Elsewhere(Violation),
    /// The company is not configured for it; Portuguese text that names the configuration.
    NotConfigured(String),
}

/// The provider of a document, with the notices about it.
#[derive(Default)]
pub(crate) struct ProviderTarget {
    pub(crate) notices: Vec<Notice>,
    /// The município's own server; `None`: the authority of the table.
    pub(crate) host: Option<OwnHost>,
    /// The municipal provider of an RPS (ABRASF).
    pub(crate) city_hall: Option<Arc<MunicipalProvider>>,
}

impl ProviderDecision {
    fn national(told: Option<Notice>) -> ProviderDecision {
        ProviderDecision::Taken(ProviderTarget { notices: told.into_iter().collect(), host: None, city_hall: None })
    }

    fn own(host: OwnHost, told: Option<Notice>) -> ProviderDecision {
        ProviderDecision::Taken(ProviderTarget {
            notices: told.into_iter().collect(),
            host: Some(host),
            city_hall: None,
        })
    }
}

/// Company, environment and município of a declaration.
struct DeclarantQuery<'a> {
    tenant: Uuid,
    issuer: &'a FamilyIssuer,
    ambiente: TpAmb,
    municipio: u32,
    /// Duty of the company to issue by the national emitter.
    obliged: Option<SimplesDuty>,
}

impl Engine {
    /// Decides the provider. Without a configuration it queries the município, and does not wait for the answer.
    pub(crate) async fn provider(
        &self,
        tenant: Uuid,
        issuer: &FamilyIssuer,
        family: &Family,
        ambiente: TpAmb,
        nota: &Value,
    ) -> Result<ProviderDecision, store::Error> {
        if !family.municipal {
            return Ok(ProviderDecision::national(None));
        }
        if family.is_municipal() {
            return self.municipal_decision(tenant, issuer, ambiente).await;
        }
        let configured = own_host::provider(issuer);
        let groups = (family.builder.groups)(nota);
        let obliged = self.simples_duty(issuer, groups);
        if let Some(provider) = configured.filter(|provider| !own_host::is_national(provider)) {
            let why = format!("o provedor configurado na empresa é {provider}");
            return Ok(obliged.map_or_else(
                || ProviderDecision::Elsewhere(municipal_provider_violation(provider)),
                |obliged| ProviderDecision::national(Some(obliged.national_notice(&why))),
            ));
        }
        let said = groups.get("cLocEmi").and_then(own_host::code);
        let Some(municipio) = said.or_else(|| own_host::municipality(issuer)) else {
            return Ok(ProviderDecision::national(None));
        };
        let asked = DeclarantQuery { tenant, issuer, ambiente, municipio, obliged };
        match configured {
            Some(own_host::OWN) => Ok(self.configured_own(&asked)),
            Some(_) => {
                let found = self.convention(tenant, issuer.company.cpf_cnpj, ambiente, municipio).await?;
                Ok(ProviderDecision::national(found.and_then(|convention| convention.predicted_refusal(asked.obliged))))
            }
            None => self.unconfigured(&asked).await,
        }
    }

    /// Decides without a configuration: the convênio, then the row of the município, then the national system.
    async fn unconfigured(&self, asked: &DeclarantQuery<'_>) -> Result<ProviderDecision, store::Error> {
        let DeclarantQuery { ambiente, municipio, obliged, .. } = *asked;
        let found = self.convention(asked.tenant, asked.issuer.company.cpf_cnpj, ambiente, municipio).await?;
        let is_open = found.is_some_and(|convention| convention.is_open());
        let provider = self.provider_of_row(municipio, ambiente, found).filter(|_| !is_open);
        let row = self.inner.table.own_server(municipio).filter(|row| row.is_on());
        if let Some(obliged) = obliged {
            return Ok(ProviderDecision::national(duty_notice(obliged, found, provider.as_deref(), row.is_some())));
        }
        if let Some(provider) = provider {
            return Ok(ProviderDecision::Elsewhere(municipal_provider_violation(&provider)));
        }
        let own = match (found, row) {
            (Some(convention), _) if convention.is_open() => None,
            (_, Some(row)) if !row.is_national() => {
                return Ok(ProviderDecision::Elsewhere(unsupported_protocol(municipio, row.form().name())));
            }
            _ => own_host::of_row_in_use(&self.inner.table, ambiente, municipio),
        };
        Ok(match (own, found) {
            (Some(own), Some(_)) => ProviderDecision::own(own, None),
            (Some(own), None) => ProviderDecision::own(own, Some(unconfirmed(OWN_SERVER, own_host::OWN))),
            (None, Some(convention)) => ProviderDecision::national(convention.predicted_refusal(None)),
            (None, None) => ProviderDecision::national(Some(unconfirmed(SEFIN, own_host::NATIONAL))),
        })
    }

    /// Duty of a company of the Simples today, by its note, its configuration or its record.
    pub(crate) fn simples_duty(&self, issuer: &FamilyIssuer, groups: &Value) -> Option<SimplesDuty> {
        let now = local_time::written(self.now(), issuer.civil);
        let CRT = issuer.regimes.on(&now).unwrap_or(&issuer.emitente).get("CRT");
        SimplesDuty::of(&simples::regime(groups, &issuer.configuration, CRT), &now)
    }

    /// Decides for a company configured with its município's own server: the address that it gives, or that of the row.
    fn configured_own(&self, asked: &DeclarantQuery<'_>) -> ProviderDecision {
        let DeclarantQuery { tenant, issuer, ambiente, municipio, .. } = *asked;
        if let Some(given) = own_host::given(tenant, issuer, ambiente, municipio) {
            return match self.address_refusal(issuer, &given) {
                Some(why) => ProviderDecision::Elsewhere(no_address(why)),
                None => ProviderDecision::own(given, None),
            };
        }
        let (member, row) = (own_host::url_member(ambiente), self.inner.table.own_server(municipio));
        let give = format!("informe {member} em PUT /v1/empresas/{{cpf_cnpj}}/nfse");
        match (row, own_host::of_row_in_use(&self.inner.table, ambiente, municipio)) {
            (_, Some(own)) => ProviderDecision::own(own, None),
            (Some(row), None) if !row.is_national() => {
                ProviderDecision::Elsewhere(unsupported_protocol(municipio, row.form().name()))
            }
            (Some(row), None) if !row.is_on() => ProviderDecision::Elsewhere(no_address(format!(
                "O endereço conhecido do município {municipio:07} ainda não foi confirmado por ninguém: o operador liga a linha dele na tabela de \
                 autoridades ([nfse.propria.{municipio:07}] ativa = true), ou {give}."
            ))),
            _ => ProviderDecision::Elsewhere(no_address(format!(
                "Não se conhece o endereço próprio do município {municipio:07} em {}: {give}.",
                ambiente.word()
            ))),
        }
    }

    /// Reason why an address that a company gave is not called.
    fn address_refusal(&self, issuer: &FamilyIssuer, given: &OwnHost) -> Option<String> {
        let member = own_host::url_member(given.ambiente);
        if let Err(why) = self.inner.transport.strangers().check_url(&given.base) {
            return Some(format!("{member} {why}"));
        }
        let is_one = own_host::url(issuer, TpAmb::Producao) == own_host::url(issuer, TpAmb::Homologacao);
        (is_one && given.ambiente == TpAmb::Homologacao).then(|| {
            "url_homologacao e url_producao são o mesmo endereço: um ensaio lá pode ser uma nota de verdade. Informe o endereço de homologação do \
             município, ou deixe url_homologacao vazia."
                .to_owned()
        })
    }
}

impl Engine {
    /// Notices from the rules of the município that the tax is due to, as far as it was queried.
    pub(crate) async fn municipal_notices(
        &self,
        tenant: Uuid,
        issuer: &FamilyIssuer,
        family: &Family,
        ambiente: TpAmb,
        (nota, dps): (&Value, &str),
    ) -> Result<Vec<Notice>, store::Error> {
        // documents of other families skip the parsing
        let Some(due) = family.municipal.then(|| due_municipality::municipal_query(dps)).flatten() else {
            return Ok(Vec::new());
        };
        let company = issuer.company.cpf_cnpj;
        let answered = self.municipal_rules((tenant, company, ambiente), &due).await?;
        let asked = due_municipality::ReceptionContext { law: self.law(), now: self.now(), ambiente };
        Ok(answered
            .map(|answered| due_municipality::predicted_refusals(nota, dps, &asked, &answered))
            .unwrap_or_default())
    }
}

/// Notice to a company of the Simples that goes to the Sefin Nacional, where a table or convênio differs.
fn duty_notice(
    obliged: SimplesDuty,
    found: Option<Convention>,
    provider: Option<&str>,
    has_own_server: bool,
) -> Option<Notice> {
    match (provider, found) {
        (Some(provider), _) => {
            Some(obliged.national_notice(&format!("a tabela de municípios tem o provedor {provider}")))
        }
        (None, Some(convention)) if has_own_server && !convention.is_open() => {
            Some(obliged.national_notice("o município tem servidor próprio"))
        }
        (None, Some(convention)) => convention.predicted_refusal(Some(obliged)),
        (None, None) => Some(unconfirmed(SEFIN, own_host::NATIONAL)),
    }
}

fn municipal_provider_violation(provider: &str) -> Violation {
    let mensagem = format!(
        "O provedor de NFS-e da empresa é municipal ({provider}), e esta rota emite pelo padrão nacional. Emita por POST /v1/nfse/govdigital/emitir; se o \
         município já usa o emissor nacional, configure provedor \"nacional\" em PUT /v1/empresas/{{cpf_cnpj}}/nfse."
    );
    Violation::of("cpf_cnpj", "provedor_municipal", &mensagem)
}

/// Refuses a server whose protocol this version lacks.
fn unsupported_protocol(municipio: u32, form: &str) -> Violation {
    no_address(format!(
        "O servidor próprio do município {municipio:07} recebe a DPS por {form}, e esta versão fala só {}. Enquanto isso, emita pelo emissor da \
         prefeitura; se o município já usa o emissor nacional, configure provedor \"nacional\".",
        WireForm::RestNacional.name()
    ))
}

fn no_address(mensagem: String) -> Violation {
    Violation::of("cpf_cnpj", "provedor_sem_endereco", &mensagem)
}

const SEFIN: &str = "pela Sefin Nacional";
const OWN_SERVER: &str = "ao servidor próprio do município";

pub(super) fn unconfirmed(way: &str, provider: &str) -> Notice {
    let mensagem = format!(
        "O convênio do município com o padrão nacional não pôde ser consultado agora; a nota vai {way}. Se não é por lá que o município recebe, configure \
         provedor em PUT /v1/empresas/{{cpf_cnpj}}/nfse."
    );
    Notice::of("cpf_cnpj".to_owned(), "provedor_nao_confirmado", &mensagem, Some(provider))
}
