//! Reading the imported registers of CEP and CNPJ.

use crate::row::{FromValue, Row, Value, first, params};
use crate::tx::{Operation, Step, Tx};
use crate::{Error, Store};

/// A CEP as imported.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the parts of an address")]
pub struct CepRow {
    pub cep: String,
    pub uf: String,
    /// IBGE code, when the city was found in the table.
    pub municipio: Option<String>,
    pub cidade: String,
    pub bairro: String,
    pub logradouro: String,
    pub complemento: String,
}

/// What a search of CEPs asks for; all texts folded.
#[derive(Debug, Clone, Default)]
pub struct CepSearch {
    /// Stands anywhere in the name of the street.
    pub logradouro: String,
    /// The street begins with it (`rua`).
    pub tipo: Option<String>,
    /// Stands anywhere in the name of the quarter.
    pub bairro: Option<String>,
    /// The whole name of the city.
    pub cidade: Option<String>,
    /// State.
    pub uf: Option<String>,
    /// Entries per page.
    pub limit: i64,
    /// Entries before this page.
    pub offset: i64,
}

/// What the open data of Receita Federal say of a CNPJ; each text is the fields of a row, separated by U+001F.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CnpjRecord {
    /// Of `Estabelecimentos`.
    pub establishment: String,
    /// Of `Empresas`.
    pub company: Option<String>,
    /// Of `Simples`.
    pub simples: Option<String>,
    /// Of `Socios`.
    pub partners: Vec<String>,
}

impl Store {
    /// An imported CEP.
    pub async fn cep(&self, cep: &str) -> Result<Option<CepRow>, Error> {
        self.read(FindCep(cep.to_owned())).await
    }
    /// A page of the CEPs that a search finds, by code, and how many there are.
    pub async fn search_ceps(&self, search: CepSearch) -> Result<(Vec<CepRow>, i64), Error> {
        self.read(search).await
    }
    /// An imported CNPJ.
    pub async fn cnpj(&self, cnpj: &str) -> Result<Option<CnpjRecord>, Error> {
        self.read(FindCnpj(cnpj.to_owned())).await
    }
    /// Texts of codes of the domain tables (`cnae:6201501`); unknown ones are left out.
    pub async fn cnpj_domains(&self, codes: Vec<String>) -> Result<Vec<(String, String)>, Error> {
        self.read(Domains(codes)).await
    }
}

const CEP: &str = "SELECT cep, uf, municipio, cidade, bairro, logradouro, complemento FROM ceps";

struct FindCep(String);

impl Operation for FindCep {
    type Output = Option<CepRow>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<CepRow>, Error> {
        let rows = tx.query(&format!("{CEP} WHERE cep = $1"), &params![&self.0]).await?;
        rows.into_iter().next().map(cep_row).transpose()
    }
}

fn cep_row(mut row: Row) -> Result<CepRow, Error> {
    Ok(CepRow {
        cep: row.take()?,
        uf: row.take()?,
        municipio: row.take()?,
        cidade: row.take()?,
        bairro: row.take()?,
        logradouro: row.take()?,
        complemento: row.take()?,
    })
}

impl Operation for CepSearch {
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
    /// Only what is asked for stands in the statement, so that the database can choose an index.
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

/// The signs of `LIKE` as themselves.
fn literal(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

struct FindCnpj(String);

impl Operation for FindCnpj {
    type Output = Option<CnpjRecord>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<CnpjRecord>, Error> {
        let root = self.0.get(..8).unwrap_or_default();
        let steps = [
            Step::new("SELECT fields FROM cnpj_establishments WHERE cnpj = $1", params![&self.0]),
            Step::new("SELECT fields FROM cnpj_companies WHERE root = $1", params![root]),
            Step::new("SELECT fields FROM cnpj_simples WHERE root = $1", params![root]),
            Step::new("SELECT fields FROM cnpj_partners WHERE root = $1 ORDER BY fields LIMIT 1000", params![root]),
        ];
        let mut found = tx.query_all(&steps).await?.into_iter().map(texts::<String>);
        let mut next = || found.next().unwrap_or_else(|| Ok(Vec::new()));
        let Some(establishment) = next()?.pop() else { return Ok(None) };
        Ok(Some(CnpjRecord { establishment, company: next()?.pop(), simples: next()?.pop(), partners: next()? }))
    }
}

fn texts<V: FromValue>(rows: Vec<Row>) -> Result<Vec<V>, Error> {
    rows.into_iter().map(|mut row| row.take()).collect()
}

struct Domains(Vec<String>);

impl Operation for Domains {
    type Output = Vec<(String, String)>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<(String, String)>, Error> {
        let steps: Vec<Step<'_>> = self
            .0
            .iter()
            .map(|code| Step::new("SELECT code, text FROM cnpj_domains WHERE code = $1", params![code]))
            .collect();
        let rows = tx.query_all(&steps).await?.into_iter().flatten();
        rows.map(|mut row| Ok((row.take()?, row.take()?))).collect()
    }
}

crate::erased::erasable!(FindCep, CepSearch, FindCnpj, Domains);
