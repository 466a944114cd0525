//! Municipal provider that receives a company's services: the row of the provider, its address, and the company's
//! credentials.
//!
//! A job stores its name (`MUNICIPIO-3138203`), so that a document in doubt is queried at the provider that received
//! it. The name of an address that a company gave belongs to that company alone.
//! Law: `docs/contract.md`, "NFS-e"; ABRASF, manual de integração.
//! Must not know: the content of a message.

use crate::Engine;
use crate::authorities::certificates::signing_elements;
use crate::authorities::health::Channel;
use crate::family::issuer::FamilyIssuer;
use crate::family::municipal_provider::{MunicipalProvider, NoMunicipalProvider, SignedRps};
use crate::family::{self, ReceiptQuery, own_host};
use authority::abrasf::{self as city_halls, CredentialKind, MunicipalIssuer, ProviderChoice, ProviderCredentials};
use authority::call::AuthorityCall;
use authority::table::Endpoint;
use fiscal::abrasf::{UnsignedMessage, message};
use fiscal::value::{Chave, CnpjCpf, TpAmb};
use serde_json::Value;
use std::sync::Arc;
use store::companies::CompanySecret;
use uuid::Uuid;
use zeroize::Zeroizing;

/// Prefix of the name of a municipal provider.
const PREFIX: &str = "MUNICIPIO-";

impl Engine {
    /// Returns the municipal provider of a município for a company, by the company's configuration and the tables.
    pub(crate) async fn municipal_provider(
        &self,
        tenant: Uuid,
        issuer: &FamilyIssuer,
        ambiente: TpAmb,
        municipio: u32,
    ) -> Result<MunicipalProvider, NoMunicipalProvider> {
        let (url, said) =
            (own_host::url(issuer, ambiente), |name| issuer.configuration.get(name).and_then(Value::as_str));
        if url.is_some() && url == own_host::url(issuer, other(ambiente)) {
            return Err(NoMunicipalProvider::NotUsable(ONE_ADDRESS.to_owned()));
        }
        let configured = ProviderChoice {
            provedor: own_host::provider(issuer).filter(|provider| !own_host::is_national(provider)),
            versao: said("versao"),
            url,
            modo: said("modo"),
            aliquota: said("aliquota"),
        };
        let resolved = self.inner.table.providers().resolve(municipio, ambiente, &configured);
        let mut resolved = resolved.map_err(|why| NoMunicipalProvider::NotUsable(sentence(&why.to_string())))?;
        if let Some(url) = url {
            let judged = self.inner.transport.strangers().check_url(url);
            judged
                .map_err(|why| NoMunicipalProvider::NotUsable(format!("{} {why}", own_host::url_member(ambiente))))?;
            resolved.authority = own_host::given_name(PREFIX, municipio, tenant, issuer.company.cpf_cnpj);
        }
        let credentials = self.credentials(tenant, issuer.company.cpf_cnpj, ambiente).await?;
        let inscricao_municipal = ["inscricao_municipal", "IM"]
            .iter()
            .find_map(|name| issuer.configuration.get(*name).or_else(|| issuer.emitente.get(*name))?.as_str())
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(str::to_owned);
        let document = issuer.company.cpf_cnpj;
        let company = Arc::new(MunicipalIssuer { document, inscricao_municipal, credentials });
        let missing = resolved.missing(&company);
        if !missing.is_empty() {
            let names: Vec<&str> = missing.into_iter().map(CredentialKind::word).collect();
            return Err(NoMunicipalProvider::NotUsable(format!(
                "O provedor {} pede credenciais da prefeitura: informe prefeitura.{} em PUT /v1/empresas/{{cpf_cnpj}}/nfse.",
                resolved.row.name(),
                names.join(" e prefeitura.")
            )));
        }
        Ok(MunicipalProvider { resolved, company })
    }

    /// Returns the municipal provider of a job, by the name of its authority; `None`: the document goes elsewhere.
    pub(crate) async fn municipal_provider_named(
        &self,
        tenant: Uuid,
        company: CnpjCpf,
        ambiente: TpAmb,
        authority: &str,
    ) -> Result<Option<Arc<MunicipalProvider>>, NoMunicipalProvider> {
        let Some(municipio) = own_host::municipality_of(PREFIX, authority) else { return Ok(None) };
        let company = match self.store().company(tenant, company).await {
            Ok(company) => company,
            Err(store::Error::NotFound) => return Err(NoMunicipalProvider::NotUsable(REMOVED.to_owned())),
            Err(error) => return Err(error.into()),
        };
        let issuer = FamilyIssuer::of_record(company, &family::RPS);
        self.municipal_provider(tenant, &issuer, ambiente, municipio).await.map(Arc::new).map(Some)
    }

    /// Builds the query of an RPS, signed where its provider wants that.
    pub(crate) fn rps_query(&self, channel: &Channel, endpoint: &Endpoint, asked_by: &str) -> Option<AuthorityCall> {
        let wire = channel.family.wire;
        if let Some(call) = wire.query(endpoint, channel.ambiente, asked_by) {
            return Some(call);
        }
        let hall = channel.city_hall.as_deref()?;
        signed_query(channel, endpoint, message::query_rps(hall.dialect(), &asked_by.parse().ok()?))
    }

    /// Builds the query of a receipt, signed where the provider wants that.
    pub(crate) fn receipt_query(
        &self,
        channel: &Channel,
        endpoint: &Endpoint,
        receipt: &ReceiptQuery,
        nRec: &str,
    ) -> Option<AuthorityCall> {
        match city_halls::batch_question(endpoint, nRec) {
            Some(question) if !question.signatures.is_empty() => signed_query(channel, endpoint, question),
            _ => Some((receipt.call)(endpoint, channel.ambiente, nRec)),
        }
    }

    /// Builds the query for the registration of an event, signed where the provider wants that.
    pub(crate) fn event_query(
        &self,
        channel: &Channel,
        endpoint: &Endpoint,
        chave: &Chave,
        (tpEvento, nSeqEvento): (&str, u16),
    ) -> Option<AuthorityCall> {
        let plain = channel.family.wire.query_event(endpoint, channel.ambiente, chave, tpEvento, nSeqEvento);
        plain.or_else(|| match chave {
            Chave::Rps(rps) => self.rps_query(channel, endpoint, rps.identity()),
            Chave::Acesso(_) | Chave::Nfse(_) => None,
        })
    }

    /// Builds a lot of several RPS, each signed before; only the lot is signed here. `None`: it cannot be built.
    pub(crate) fn lot(
        &self,
        channel: &Channel,
        endpoint: &Endpoint,
        numero: u64,
        declarations: &[&SignedRps],
    ) -> Option<AuthorityCall> {
        let hall = channel.city_hall.as_deref()?;
        let who = declarations.first()?.id.issuer();
        let rps: Vec<&str> = declarations.iter().map(|one| one.xml.as_str()).collect();
        let lot = message::lote(hall.dialect(), who, numero, &rps);
        let algorithm = (channel.family.builder.algorithm)(None);
        let signed =
            signing::sign_elements(algorithm, lot.xml, &signing_elements(&lot.signatures), &channel.certificate)
                .ok()?;
        Some(city_halls::call(endpoint, &signed.xml))
    }

    async fn credentials(
        &self,
        tenant: Uuid,
        company: CnpjCpf,
        ambiente: TpAmb,
    ) -> Result<ProviderCredentials, store::Error> {
        let mut credentials = ProviderCredentials::default();
        for which in CredentialKind::ALL {
            let secret = CompanySecret { tipo: "nfse", ambiente, nome: which.word() };
            let opened = match self.store().open_company_secret(tenant, company, secret).await {
                Ok(opened) => opened,
                Err(store::Error::NotFound) => Zeroizing::default(),
                Err(error) => return Err(error),
            };
            match which {
                CredentialKind::Login => credentials.login = opened,
                CredentialKind::Senha => credentials.senha = opened,
                CredentialKind::Token => credentials.token = opened,
            }
        }
        Ok(credentials)
    }
}

/// Signs a query as its provider wants it.
fn signed_query(channel: &Channel, endpoint: &Endpoint, question: UnsignedMessage) -> Option<AuthorityCall> {
    let places = signing_elements(&question.signatures);
    let algorithm = (channel.family.builder.algorithm)(None);
    let signed = signing::sign_elements(algorithm, question.xml, &places, &channel.certificate).ok()?;
    Some(city_halls::call(endpoint, &signed.xml))
}

fn other(ambiente: TpAmb) -> TpAmb {
    match ambiente {
        TpAmb::Producao => TpAmb::Homologacao,
        TpAmb::Homologacao => TpAmb::Producao,
    }
}

/// Makes a sentence for an answer.
fn sentence(why: &str) -> String {
    let mut letters = why.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{} (PUT /v1/empresas/{{cpf_cnpj}}/nfse).", letters.as_str().trim_end_matches('.'))
}

const REMOVED: &str = "A empresa foi removida, e com ela o que diz como falar com a prefeitura. Cadastre-a e configure-a de novo: o job continua sozinho.";
const ONE_ADDRESS: &str = "url_homologacao e url_producao são o mesmo endereço: um ensaio lá pode ser uma nota de verdade. Informe o endereço de homologação \
                           do provedor, ou deixe url_homologacao vazia.";
