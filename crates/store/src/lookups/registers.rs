//! Queries of the imported registers of CEP and CNPJ.

use crate::row::{FromValue, Row, Value, first, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store};

/// An imported CEP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CepRow {
    pub cep: String,
    pub uf: String,
    /// IBGE code, if the import recognised the city.
    pub municipio: Option<String>,
    pub cidade: String,
    pub bairro: String,
    pub logradouro: String,
    pub complemento: String,
}

/// Criteria of a CEP search; all texts folded.
#[derive(Debug, Clone, Default)]
pub struct CepSearch {
    /// Substring of the street's name.
    pub logradouro: String,
    /// First word of the street (`rua`).
    pub tipo: Option<String>,
    /// Substring of the quarter's name.
    pub bairro: Option<String>,
    /// Whole name of the city.
    pub cidade: Option<String>,
    pub uf: Option<String>,
    /// Entries per page.
    pub limit: i64,
    /// Entries before this page.
    pub offset: i64,
}

/// Open data of the Receita Federal about a CNPJ; each text holds the fields of a row, separated by U+001F.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CnpjRecord {
    /// Row of `Estabelecimentos`.
    pub establishment: String,
    /// Row of `Empresas`.
    pub company: Option<String>,
    /// Row of `Simples`.
    pub simples: Option<String>,
    /// Rows of `Socios`.
    pub partners: Vec<String>,
}

impl Store {
    /// Returns an imported CEP.
    pub async fn cep(&self, cep: &str) -> Result<Option<CepRow>, Error> {
        self.read(FindCep(cep.to_owned())).await
    }
    /// Returns a page of matching CEPs, by code, and their number.
    pub async fn search_ceps(&self, search: CepSearch) -> Result<(Vec<CepRow>, i64), Error> {
        self.read(search).await
    }
    /// Returns an imported CNPJ.
    pub async fn cnpj(&self, cnpj: &str) -> Result<Option<CnpjRecord>, Error> {
        self.read(FindCnpj(cnpj.to_owned())).await
    }
    /// Returns the texts of codes of the domain tables (`cnae:6201501`); unknown codes are left out.
    pub async fn cnpj_domains(&self, codes: Vec<String>) -> Result<Vec<(String, String)>, Error> {
        self.read(ReadDomains(codes)).await
    }
}

const CEP: &str = "SELECT cep, uf, municipio, cidade, bairro, logradouro, complemento FROM ceps";

struct FindCep(String);

impl StoreOperation for FindCep {
    type Output = Option<CepRow>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<CepRow>, Error> {
        let rows = tx.query(&format!("{CEP} WHERE cep = $1"), &params![&self.0]).await?;
        rows.into_iter().next().map(cep_row).transpose()
    }
}

fn cep_row(mut row: Row) -> Result<CepRow, Error> {
    Ok(CepRow {
        cep: row.read()?,
        uf: row.read()?,
        municipio: row.read()?,
        cidade: row.read()?,
        bairro: row.read()?,
        logradouro: row.read()?,
        complemento: row.read()?,
    })
}

impl StoreOperation for CepSearch {
    type Output = (Vec<CepRow>, i64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Vec<CepRow>, i64), Error> {
        let (conditions, mut params) = self.conditions();
        let count = first(tx.query(&format!("SELECT COUNT(*) FROM ceps WHERE {conditions}"), &params).await?)?;
        let (limit, offset) = (params.len() + 1, params.len() + 2);
        params.extend([Value::Int(self.limit), Value::Int(self.offset)]);
        let sql = format!("{CEP} WHERE {conditions} ORDER BY cep LIMIT ${limit} OFFSET ${offset}");
        let rows = tx.query(&sql, &params).await?.into_iter().map(cep_row).collect::<Result<_, _>>()?;
        Ok((rows, count.unwrap_or_default()))
    }
}

impl CepSearch {
    /// Only given criteria stand in the statement, so that the database can choose an index.
    fn conditions(&self) -> (String, Vec<Value>) {
        let wanted = [
            Some(("logradouro_folded LIKE {} ESCAPE '\\'", format!("%{}%", literal(&self.logradouro)))),
            self.tipo.as_ref().map(|tipo| ("logradouro_folded LIKE {} ESCAPE '\\'", format!("{} %", literal(tipo)))),
            self.bairro.as_ref().map(|bairro| ("bairro_folded LIKE {} ESCAPE '\\'", format!("%{}%", literal(bairro)))),
            self.cidade.as_ref().map(|cidade| ("cidade_folded = {}", cidade.clone())),
            self.uf.as_ref().map(|uf| ("uf = {}", uf.clone())),
        ];
        let (mut conditions, mut params) = (Vec::new(), Vec::new());
        for (condition, value) in wanted.into_iter().flatten() {
            params.push(Value::Text(value));
            conditions.push(condition.replace("{}", &format!("${}", params.len())));
        }
        (conditions.join(" AND "), params)
    }
}

/// Escapes the wildcards of `LIKE`.
fn literal(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

struct FindCnpj(String);

impl StoreOperation for FindCnpj {
    type Output = Option<CnpjRecord>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<CnpjRecord>, Error> {
        let root = self.0.get(..8).unwrap_or_default();
        let steps = [
            SqlStep::new("SELECT fields FROM cnpj_establishments WHERE cnpj = $1", params![&self.0]),
            SqlStep::new("SELECT fields FROM cnpj_companies WHERE root = $1", params![root]),
            SqlStep::new("SELECT fields FROM cnpj_simples WHERE root = $1", params![root]),
            SqlStep::new("SELECT fields FROM cnpj_partners WHERE root = $1 ORDER BY fields LIMIT 1000", params![root]),
        ];
        let mut found = tx.query_all(&steps).await?.into_iter().map(texts::<String>);
        let mut next = || found.next().unwrap_or_else(|| Ok(Vec::new()));
        let Some(establishment) = next()?.pop() else { return Ok(None) };
        Ok(Some(CnpjRecord { establishment, company: next()?.pop(), simples: next()?.pop(), partners: next()? }))
    }
}

fn texts<V: FromValue>(rows: Vec<Row>) -> Result<Vec<V>, Error> {
    rows.into_iter().map(|mut row| row.read()).collect()
}

struct ReadDomains(Vec<String>);

impl StoreOperation for ReadDomains {
    type Output = Vec<(String, String)>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<(String, String)>, Error> {
        let steps: Vec<SqlStep<'_>> = self
            .0
            .iter()
            .map(|code| SqlStep::new("SELECT code, text FROM cnpj_domains WHERE code = $1", params![code]))
            .collect();
        let rows = tx.query_all(&steps).await?.into_iter().flatten();
        rows.map(|mut row| Ok((row.read()?, row.read()?))).collect()
    }
}

crate::dyn_operation::erasable!(FindCep, CepSearch, FindCnpj, ReadDomains);
