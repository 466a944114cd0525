//! A company by its CNPJ: the imported base of Receita Federal, then the sources.

use crate::{Lookup, LookupAnswer, LookupError, receita};
use fiscal::value::Cnpj;
use serde_json::Value;
use store::lookups::PublicRegister;

impl Lookup {
    /// Returns the registration of a company: the JSON of a `Cadastro`, with `fonte`.
    pub async fn cnpj(&self, cnpj: &Cnpj, now: i64) -> Result<LookupAnswer<Value>, LookupError> {
        let base = self.shared.store.active_load(PublicRegister::Cnpj).await?.map(|(_, version)| version);
        if let Some(version) = &base
            && let Some(record) = self.shared.store.cnpj(cnpj.as_str()).await?
        {
            let texts = self.shared.store.cnpj_domains(receita::codes(&record)).await?;
            let cadastro = receita::cadastro(cnpj.as_str(), &record, &texts.into_iter().collect());
            return Ok(LookupAnswer::Yes(with_source(cadastro.into_json(), "receita_federal", Some(version))));
        }
        if !self.sources(PublicRegister::Cnpj).is_empty() {
            return Ok(match self.ask_sources(PublicRegister::Cnpj, cnpj.as_str(), now).await? {
                LookupAnswer::Yes(body) => LookupAnswer::Yes(with_source(body, "fonte_externa", None)),
                LookupAnswer::No(source) => LookupAnswer::No(source),
            });
        }
        match base {
            Some(version) => Ok(LookupAnswer::No(format!("a base da Receita Federal importada ({version})"))),
            None => Err(LookupError::NotConfigured(NOTHING)),
        }
    }
}

const NOTHING: &str = "Esta instalação não tem onde consultar CNPJ: nem a base da Receita Federal foi importada (carimbo dados importar cnpj) \
                       nem há fontes configuradas (consultas.cnpj_fontes). Peça ao operador uma das duas.";

fn with_source(mut body: Value, fonte: &str, version: Option<&String>) -> Value {
    if let Value::Object(members) = &mut body {
        members.insert("fonte".to_owned(), Value::from(fonte));
        members
            .insert("versao_da_base".to_owned(), version.map_or(Value::Null, |version| Value::from(version.as_str())));
    }
    body
}
