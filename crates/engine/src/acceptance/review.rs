//! Review of a document without issuing it: every notice of acceptance, and every refusal.
//!
//! Law: `docs/contract.md`, "Checking and preparing" (verificar-campos). Every payload of a known form gets an answer:
//! a company that is missing or not configured is one more finding and hides no other.

use crate::acceptance::issue::{TrialDocument, certificate_notice};
use crate::acceptance::provider::{ProviderDecision, ProviderTarget};
use crate::acceptance::substitution::SubstitutionCheck;
use crate::family::emission::RequestedEmission;
use crate::family::issuer::{FamilyIssuer, NotIssuer};
use crate::family::layouts::LayoutQuery;
use crate::family::qr::NoCsc;
use crate::process::local_time;
use crate::{Engine, family};
use fiscal::finding::{Notice, Violation};
use fiscal::nota::NotaReview;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, Serie, TpAmb};
use serde_json::{Map, Value};
use store::accounts::Caller;
use store::companies::Company;

/// Reason why there is no review.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// No family has documents of this model: our bug, since routes know theirs.
    #[error("nenhuma família tem o modelo {0}")]
    UnknownModel(u8),
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Engine {
    /// Returns all findings about `nota`, and the environment of the document.
    pub async fn review(
        &self,
        caller: &Caller,
        cpf_cnpj: CnpjCpf,
        modelo: u8,
        nota: &Value,
    ) -> Result<(NotaReview, TpAmb), ReviewError> {
        let family = family::of_modelo(modelo).ok_or(ReviewError::UnknownModel(modelo))?;
        let (issuer, missing) = match self.issuer(store::Visibility::of(caller), cpf_cnpj, family).await {
            Ok(issuer) => (issuer, None),
            Err(NotIssuer::Store(error)) => return Err(error.into()),
            Err(NotIssuer::UnknownCompany) => (FamilyIssuer::unconfigured(unknown(cpf_cnpj)), Some(not_registered())),
            Err(NotIssuer::NotConfigured) => {
                let company = self.store().company(caller.tenant_id, cpf_cnpj).await?;
                (FamilyIssuer::unconfigured(company), Some(not_configured(family.tipo)))
            }
        };
        let known = missing.as_ref().is_none_or(|missing| missing.codigo != NOT_REGISTERED);
        let ambiente = issuer.ambiente(caller.ambiente);
        let dhEmi = local_time::written(family.dated(self.now()), issuer.civil);
        let emission = RequestedEmission::requested(family, nota, issuer.civil, &dhEmi);
        let configured = missing.is_none();
        let provider = match configured {
            true => self.provider(caller.tenant_id, &issuer, family, ambiente, nota).await?,
            false => ProviderDecision::Taken(ProviderTarget::default()),
        };
        let (elsewhere, taken) = match provider {
            ProviderDecision::Taken(taken) => (None, taken),
            ProviderDecision::Elsewhere(why) => (Some(why), ProviderTarget::default()),
            ProviderDecision::NotConfigured(why) => {
                (Some(violation("empresa_sem_configuracao", why)), ProviderTarget::default())
            }
        };
        let (law, software_house, city_hall) = (self.law(), self.software_house(), taken.city_hall.as_deref());
        let leiaute = self.cached_layout(family, &LayoutQuery { ambiente, host: None, nota, dhEmi: &dhEmi });
        let trying = TrialDocument {
            issuer: &issuer,
            family,
            ambiente,
            law,
            dhEmi: &dhEmi,
            emission: &emission,
            software_house,
            city_hall,
            leiaute,
        };
        let (serie, numero) = trying.numbering(nota);
        let mut review = (family.builder.review)(nota, &trying.context(serie.unwrap_or(Serie::from(1)), numero));
        let no_csc = configured.then(|| (family.builder.code)(&issuer, ambiente, nota).err()).flatten();
        let refused = self.refused_offline(family, nota, ambiente);
        let refused = refused.into_iter().chain(elsewhere);
        review.violations.splice(0..0, missing.into_iter().chain(no_csc.map(without_csc)).chain(refused));
        review.notices.extend(taken.notices);
        if configured && family.municipal {
            let (told, refused) = self.municipal_findings(caller, &trying, serie, numero, nota).await?;
            review.notices.extend(told);
            review.violations.extend(refused);
        }
        review.notices.extend(emission.into_notices());
        review.notices.extend(certificate_notice(&issuer.company, self.now_s()).filter(|_| known));
        Ok((review, ambiente))
    }
}

impl Engine {
    /// Findings about a document that can be built: the rules of the município of the tax, and a refusal of the
    /// replaced note.
    async fn municipal_findings(
        &self,
        caller: &Caller,
        trying: &TrialDocument<'_>,
        serie: Option<Serie>,
        numero: u64,
        nota: &Value,
    ) -> Result<(Vec<Notice>, Option<Violation>), store::Error> {
        let context = trying.context(serie.unwrap_or(Serie::from(1)), numero);
        match (trying.family.builder.build)(nota, &context) {
            Ok(built) => {
                let TrialDocument { issuer, family, ambiente, city_hall, .. } = *trying;
                let written = (built.xml.as_str(), built.ids.asked_by.as_str());
                let place = SubstitutionCheck { family, ambiente, nota, city_hall };
                let stands = self.check_replaced(caller, &place, written).await?;
                let mut told = self
                    .municipal_notices(caller.tenant_id, issuer, family, ambiente, (nota, built.xml.as_str()))
                    .await?;
                let refused = match stands {
                    Ok(notice) => {
                        told.extend(notice);
                        None
                    }
                    Err(why) => Some(why),
                };
                Ok((told, refused))
            }
            Err(_stopped) => Ok((Vec::new(), None)),
        }
    }
}

/// A company of which only the number is known.
fn unknown(cpf_cnpj: CnpjCpf) -> Company {
    Company {
        cpf_cnpj,
        dados: Value::Object(Map::new()),
        configuracoes: Map::new(),
        certificado: None,
        certificate_id: None,
        criado_em: 0,
        atualizado_em: 0,
    }
}

const NOT_REGISTERED: &str = "nao_encontrado";

fn not_registered() -> Violation {
    let mensagem = "A empresa de cpf_cnpj não está cadastrada nesta conta; a nota foi verificada sem o cadastro. \
                    Cadastre-a com POST /v1/empresas.";
    violation(NOT_REGISTERED, mensagem.to_owned())
}

fn not_configured(tipo: Tipo) -> Violation {
    let mensagem = format!(
        "A empresa não tem configuração para {}. Configure-a com PUT /v1/empresas/{{cpf_cnpj}}/{tipo}.",
        tipo.name()
    );
    violation("empresa_sem_configuracao", mensagem)
}

fn without_csc(missing: NoCsc) -> Violation {
    violation("empresa_sem_configuracao", missing.to_string())
}

fn violation(codigo: &'static str, mensagem: String) -> Violation {
    Violation { campo: "cpf_cnpj".to_owned(), codigo, mensagem, sugestao: None }
}
