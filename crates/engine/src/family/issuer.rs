//! The issuing company as a document needs it: its record as the `emitente` group, its configuration, its state.
//!
//! Law: `docs/contract.md`, "Environments" and "Companies". The record's names are the API's; the group's are those of
//! the NF-e emission request.

use crate::Engine;
use crate::family::policy::ContingencyPolicy;
use crate::family::{Family, NFE};
use fiscal::regime::RegimeCalendar;
use fiscal::value::{CivilOffset, CnpjCpf, Serie, TpAmb, Uf};
use serde_json::{Map, Value};
use std::sync::Arc;
use store::Visibility;
use store::companies::Company;

/// A company ready to issue documents of one family.
pub(crate) struct FamilyIssuer {
    pub(crate) company: Arc<Company>,
    /// The record as an `emitente` group.
    pub(crate) emitente: Map<String, Value>,
    /// Its dated regimes, which win over the CRT of `emitente`; each document's `dhEmi` decides which one holds.
    pub(crate) regimes: RegimeCalendar,
    /// State whose authority answers.
    pub(crate) uf: Option<Uf>,
    /// Civil time of its município; Brasília's when the record has no state.
    pub(crate) civil: CivilOffset,
    /// Configuration for this type of document.
    pub(crate) configuration: Map<String, Value>,
}

/// Reason why a company cannot issue these documents.
pub(crate) enum NotIssuer {
    UnknownCompany,
    NotConfigured,
    Store(store::Error),
}

impl Engine {
    /// Reads a visible company for a family.
    pub(crate) async fn issuer(
        &self,
        sight: Visibility,
        cpf_cnpj: CnpjCpf,
        family: &Family,
    ) -> Result<FamilyIssuer, NotIssuer> {
        let found = match self.store().require_reach(sight, cpf_cnpj).await {
            Ok(()) => self.store().company(sight.tenant(), cpf_cnpj).await,
            Err(error) => Err(error),
        };
        match found {
            Ok(company) => FamilyIssuer::new(company, family).ok_or(NotIssuer::NotConfigured),
            Err(store::Error::NotFound) => Err(NotIssuer::UnknownCompany),
            Err(error) => Err(NotIssuer::Store(error)),
        }
    }

    /// Reads a company that is a party to such documents: if it issues none, its configuration for the NF-e decides the
    /// environment.
    pub(crate) async fn party(
        &self,
        sight: Visibility,
        cpf_cnpj: CnpjCpf,
        family: &Family,
    ) -> Result<FamilyIssuer, NotIssuer> {
        match self.issuer(sight, cpf_cnpj, family).await {
            Err(NotIssuer::NotConfigured) => self.issuer(sight, cpf_cnpj, &NFE).await,
            found => found,
        }
    }
}

impl FamilyIssuer {
    pub(crate) fn new(company: impl Into<Arc<Company>>, family: &Family) -> Option<FamilyIssuer> {
        let company = company.into();
        let configuration = company.configuracoes.get(family.tipo.word())?.as_object()?.clone();
        Some(FamilyIssuer::with(company, configuration))
    }

    /// A company with the configuration of its documents, if there is any.
    pub(crate) fn of_record(company: Company, family: &Family) -> FamilyIssuer {
        let configuration = company.configuracoes.get(family.tipo.word()).and_then(Value::as_object).cloned();
        FamilyIssuer::with(company.into(), configuration.unwrap_or_default())
    }

    /// A company by its record alone.
    pub(crate) fn unconfigured(company: Company) -> FamilyIssuer {
        FamilyIssuer::with(company.into(), Map::new())
    }

    fn with(company: Arc<Company>, configuration: Map<String, Value>) -> FamilyIssuer {
        let emitente = emitente(&company, &configuration);
        let uf = emitente.get("UF").and_then(Value::as_str).and_then(Uf::from_sigla).or_else(|| uf_of_cMun(&emitente));
        let civil = uf.map_or(CivilOffset::BRASILIA, |uf| CivilOffset::of(uf, code_of_cMun(&emitente)));
        let regimes = RegimeCalendar::of_record(&company.dados);
        FamilyIssuer { company, emitente, regimes, uf, civil, configuration }
    }

    /// Environment of a document: production only when credential and configuration both select it.
    pub(crate) fn ambiente(&self, credential: TpAmb) -> TpAmb {
        match (credential, integer(self.configuration.get("ambiente"))) {
            (TpAmb::Producao, Some(1)) => TpAmb::Producao,
            _ => TpAmb::Homologacao,
        }
    }

    /// Series configured for the environment: the document's own, or that of its type.
    pub(crate) fn serie(&self, ambiente: TpAmb, family: &Family) -> Option<Serie> {
        let own = family.numbers.configured_in.and_then(|group| self.setting(ambiente, group)?.get("serie"));
        own.and_then(series).or_else(|| self.setting(ambiente, "serie").and_then(series))
    }

    /// Contingency policy of the company.
    pub(crate) fn contingencia(&self, ambiente: TpAmb, family: &Family) -> ContingencyPolicy {
        (family.contingency.policy)(self.setting(ambiente, "contingencia").and_then(Value::as_str))
    }

    /// A number configured for both environments.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        integer(self.configuration.get(name))
    }

    /// `true` if a CSC is stored for an environment.
    pub(crate) fn has_csc(&self, ambiente: TpAmb) -> bool {
        self.own(ambiente, "csc_configurado") == Some(&Value::Bool(true))
    }

    /// Number of that CSC, as configured.
    pub(crate) fn csc_id(&self, ambiente: TpAmb) -> Option<&str> {
        self.own(ambiente, "csc_id").and_then(Value::as_str).filter(|id| !id.trim().is_empty())
    }

    /// Setting of one environment alone: the CSC of one environment never serves the other.
    fn own(&self, ambiente: TpAmb, name: &str) -> Option<&Value> {
        self.configuration.get(ambiente.word())?.get(name)
    }

    /// Setting of the environment (`configuracoes.nfe.homologacao.serie`), or the one for both.
    fn setting(&self, ambiente: TpAmb, name: &str) -> Option<&Value> {
        let own = self.configuration.get(ambiente.word()).and_then(|settings| settings.get(name));
        own.or_else(|| self.configuration.get(name)).filter(|value| !value.is_null())
    }
}

/// Reads a series, stored as text and in older records as a number.
fn series(value: &Value) -> Option<Serie> {
    match value {
        Value::Number(number) => Serie::parse(&number.to_string()).ok(),
        Value::String(text) => Serie::parse(text).ok(),
        _ => None,
    }
}

fn integer(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// Member of the record → name in the `emitente` group.
const RECORD: [(&str, &str); 6] = [
    ("nome_razao_social", "xNome"),
    ("nome_fantasia", "xFant"),
    ("inscricao_estadual", "IE"),
    ("inscricao_municipal", "IM"),
    ("crt", "CRT"),
    ("fone", "Fone"),
];
/// Member of `endereco` → name in the `emitente` group.
const ADDRESS: [(&str, &str); 10] = [
    ("logradouro", "xLgr"),
    ("numero", "nro"),
    ("complemento", "xCpl"),
    ("bairro", "xBairro"),
    ("codigo_municipio", "cMun"),
    ("cidade", "xMun"),
    ("uf", "UF"),
    ("cep", "CEP"),
    ("codigo_pais", "cPais"),
    ("pais", "xPais"),
];

/// Members of a document's configuration that replace the record's, with their names in the `emitente` group.
const CONFIGURED: [(&str, &str); 2] = [("crt", "CRT"), ("inscricao_municipal", "IM")];

fn emitente(company: &Company, configuration: &Map<String, Value>) -> Map<String, Value> {
    let mut emitente = Map::with_capacity(1 + RECORD.len() + ADDRESS.len() + CONFIGURED.len());
    emitente.insert("CNPJCPF".to_owned(), company.cpf_cnpj.as_str().into());
    copy(&RECORD, Some(&company.dados), &mut emitente);
    copy(&ADDRESS, company.dados.get("endereco"), &mut emitente);
    for (member, tag) in CONFIGURED {
        if let Some(value) = configuration.get(member).filter(|value| says_something(value)) {
            emitente.insert(tag.to_owned(), value.clone());
        }
    }
    emitente
}

fn copy(names: &[(&str, &str)], from: Option<&Value>, emitente: &mut Map<String, Value>) {
    for (member, tag) in names {
        let value = from.and_then(|record| record.get(member)).filter(|value| says_something(value));
        if let Some(value) = value {
            emitente.insert((*tag).to_owned(), value.clone());
        }
    }
}

fn says_something(value: &Value) -> bool {
    !value.is_null() && value.as_str().is_none_or(|text| !text.trim().is_empty())
}

fn uf_of_cMun(emitente: &Map<String, Value>) -> Option<Uf> {
    Uf::from_code(u8::try_from(code_of_cMun(emitente)? / 100_000).ok()?)
}

fn code_of_cMun(emitente: &Map<String, Value>) -> Option<u32> {
    u32::try_from(integer(emitente.get("cMun"))?).ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::family::NFCE;
    use serde_json::json;

    pub(crate) fn company(configuracao: Value) -> Company {
        let dados = json!({"nome_razao_social": "Papelaria Demo", "nome_fantasia": "", "crt": 3, "fone": null,
            "endereco": {"logradouro": "Praça da Sé", "codigo_municipio": "3550308", "complemento": null}});
        Company {
            cpf_cnpj: CnpjCpf::parse("11222333000181").unwrap(),
            dados,
            configuracoes: json!({"nfe": configuracao}).as_object().unwrap().clone(),
            certificado: None,
            certificate_id: None,
            criado_em: 0,
            atualizado_em: 0,
        }
    }

    #[test]
    fn goes_to_production_only_when_both_sides_say_so() {
        let live = FamilyIssuer::new(company(json!({"ambiente": 1})), &NFE).unwrap();
        let test = FamilyIssuer::new(company(json!({"ambiente": 2})), &NFE).unwrap();
        assert_eq!(live.ambiente(TpAmb::Producao), TpAmb::Producao);
        assert_eq!(live.ambiente(TpAmb::Homologacao), TpAmb::Homologacao);
        assert_eq!(test.ambiente(TpAmb::Producao), TpAmb::Homologacao);
    }

    #[test]
    fn is_no_issuer_of_a_model_it_has_no_configuration_for() {
        assert!(FamilyIssuer::new(company(json!({"ambiente": 1})), &NFCE).is_none());
    }

    #[test]
    fn fills_the_group_from_the_record_and_leaves_out_what_is_empty() {
        let issuer = FamilyIssuer::new(company(json!({"ambiente": 2, "crt": 1})), &NFE).unwrap();
        let expected = json!({"CNPJCPF": "11222333000181", "xNome": "Papelaria Demo", "CRT": 1, "xLgr": "Praça da Sé",
            "cMun": "3550308"});
        assert_eq!(Value::Object(issuer.emitente), expected);
        assert_eq!(issuer.uf, Some(Uf::SP));
    }

    #[test]
    fn a_setting_of_the_environment_wins() {
        let issuer = FamilyIssuer::new(company(json!({"serie": "1", "producao": {"serie": 7}})), &NFE).unwrap();
        assert_eq!(issuer.serie(TpAmb::Homologacao, &NFE), Some(Serie::from(1)));
        assert_eq!(issuer.serie(TpAmb::Producao, &NFE), Some(Serie::from(7)));
    }
}
