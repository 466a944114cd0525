//! A company by its CNPJ: the imported base of Receita Federal, then the sources.

use crate::{Error, Found, Lookup, receita};
use fiscal::value::Cnpj;
use serde_json::Value;
use store::lookups::Register;

impl Lookup {
    /// Returns the registration of a company: the JSON of a `Cadastro`, with `fonte`.
    pub async fn cnpj(&self, cnpj: &Cnpj, now: i64) -> Result<Found<Value>, Error> {
        let base = self.shared.store.active_load(Register::Cnpj).await?.map(|(_, version)| version);
        if let Some(version) = &base
            && let Some(record) = self.shared.store.cnpj(cnpj.as_str()).await?
        {
            let texts = self.shared.store.cnpj_domains(receita::codes(&record)).await?;
            let cadastro = receita::cadastro(cnpj.as_str(), &record, &texts.into_iter().collect());
            return Ok(Found::Yes(told(cadastro.into_json(), "receita_federal", Some(version))));
        }
        if !self.sources(Register::Cnpj).is_empty() {
            return Ok(match self.outside(Register::Cnpj, cnpj.as_str(), now).await? {
                Found::Yes(body) => Found::Yes(told(body, "fonte_externa", None)),
                Found::No(source) => Found::No(source),
            });
        }
        match base {
            Some(version) => Ok(Found::No(format!("a base da Receita Federal importada ({version})"))),
            None => Err(Error::NotConfigured(NOTHING)),
        }
    }
}

const NOTHING: &str = "Esta instalação não tem onde consultar CNPJ: nem a base da Receita Federal foi importada (carimbo dados importar cnpj) \
                       nem há fontes configuradas (consultas.cnpj_fontes). Peça ao operador uma das duas.";

fn told(mut body: Value, fonte: &str, version: Option<&String>) -> Value {
    if let Value::Object(members) = &mut body {
        members.insert("fonte".to_owned(), Value::from(fonte));
        members
            .insert("versao_da_base".to_owned(), version.map_or(Value::Null, |version| Value::from(version.as_str())));
    }
    body
}
