//! Who takes a document in where each município decides it: the national system, or a provider of its own, for which there is another route.
//!
//! Law: `spec/not-shown.md` 11.2 (which protocol). Must not know: how a município is asked.

use crate::Engine;
use crate::acceptance::issue::DryRun;
use crate::family::Family;
use crate::family::issuer::Issuer;
use fiscal::finding::{Notice, Violation};
use fiscal::nfse::due;
use fiscal::value::TpAmb;
use serde_json::Value;
use uuid::Uuid;

/// What is known of it.
pub(crate) enum Provider {
    /// It goes by this route; remarks.
    Taken(Vec<Notice>),
    /// It goes by another.
    Elsewhere(Violation),
}

/// `provedor` of the national system.
const NATIONAL: &str = "nacional";

impl Engine {
    /// Looks at the configuration first; without a word there the município is asked, and not waited for.
    pub(crate) async fn provider(
        &self,
        tenant: Uuid,
        issuer: &Issuer,
        family: &Family,
        ambiente: TpAmb,
        nota: &Value,
    ) -> Result<Provider, store::Error> {
        if !family.municipal {
            return Ok(Provider::Taken(Vec::new()));
        }
        let configured = issuer.configuration.get("provedor").and_then(Value::as_str);
        if let Some(provider) = configured.filter(|provider| *provider != NATIONAL) {
            return Ok(Provider::Elsewhere(elsewhere(provider)));
        }
        let groups = (family.builder.groups)(nota);
        let Some(codigo) = municipality(issuer, groups) else { return Ok(Provider::Taken(Vec::new())) };
        let found = match configured {
            Some(_) => self.known_convention(ambiente, codigo).await?,
            None => self.convention(tenant, issuer.company.cpf_cnpj, ambiente, codigo).await?,
        };
        let told = match found {
            Some(convention) => convention.foreseen(is_mei(issuer, groups)),
            None => configured.is_none().then(unconfirmed),
        };
        Ok(Provider::Taken(told.into_iter().collect()))
    }
}

impl Engine {
    /// What the município that the tax is due to decides about the document, as far as it was asked; of a company whose provider is configured only what is
    /// known already.
    pub(crate) async fn due(
        &self,
        tenant: Uuid,
        issuer: &Issuer,
        dry_run: &DryRun,
        nota: &Value,
    ) -> Result<Vec<Notice>, store::Error> {
        let Some(due) = due::due(&dry_run.xml).filter(|_| dry_run.family.municipal) else { return Ok(Vec::new()) };
        let (company, ambiente) = (issuer.company.cpf_cnpj, dry_run.ambiente);
        let is_configured = issuer.configuration.get("provedor").is_some_and(Value::is_string);
        let convention = match is_configured {
            true => self.known_convention(ambiente, due.municipio).await?,
            false => self.convention(tenant, company, ambiente, due.municipio).await?,
        };
        let Some(convention) = convention else { return Ok(Vec::new()) };
        let rate = match is_configured {
            true => self.known_rate(ambiente, &due).await?,
            false => self.rate(tenant, company, ambiente, &due).await?,
        };
        let Some(rate) = rate else { return Ok(Vec::new()) };
        let answered = due::Answered { convention, rate };
        Ok(due::foreseen(nota, &dry_run.xml, self.now(), ambiente, &answered))
    }
}

fn municipality(issuer: &Issuer, groups: &Value) -> Option<u32> {
    let said = [groups.get("cLocEmi"), issuer.configuration.get("codigo_municipio"), issuer.emitente.get("cMun")];
    said.into_iter().flatten().find_map(code)
}

fn is_mei(issuer: &Issuer, groups: &Value) -> bool {
    let said = groups.pointer("/prest/regTrib/opSimpNac");
    let regime = said.or_else(|| issuer.configuration.get("regime")?.get("opSimpNac"));
    regime.and_then(code) == Some(2)
}

fn code(value: &Value) -> Option<u32> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

fn elsewhere(provider: &str) -> Violation {
    let mensagem = format!(
        "O provedor de NFS-e da empresa é municipal ({provider}), e esta rota emite pelo padrão nacional. Emita por POST /v1/nfse/govdigital/emitir; se o \
         município já usa o emissor nacional, configure provedor \"nacional\" em PUT /v1/empresas/{{cpf_cnpj}}/nfse."
    );
    Violation::of("cpf_cnpj", "provedor_municipal", &mensagem)
}

fn unconfirmed() -> Notice {
    let mensagem = "O convênio do município com o padrão nacional não pôde ser consultado agora; a nota vai pela Sefin Nacional. Se o município tem \
                    provedor próprio, configure provedor em PUT /v1/empresas/{cpf_cnpj}/nfse.";
    Notice::of("cpf_cnpj".to_owned(), "provedor_nao_confirmado", mensagem, Some(NATIONAL))
}
