//! All sequences of a tenant with their last authorised and next automatic numbers, in one query.

use super::numbered_kind::NumberedKind;
use super::sequence::Series;
use crate::conditions::Conditions;
use crate::row::Row;
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, Visibility, words};
use fiscal::value::CnpjCpf;

/// State of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SequenceNumbers {
    pub series: Series,
    /// Number of the last note that was authorised, whatever its later state.
    pub last: Option<u64>,
    /// Next automatic number; `None` when the series is used up.
    pub next: Option<u64>,
}

impl Store {
    /// Lists the sequences of a tenant's companies, or of one of them; by company, model, series and environment.
    pub async fn numberings(
        &self,
        sight: Visibility,
        cpf_cnpj: Option<CnpjCpf>,
    ) -> Result<Vec<SequenceNumbers>, Error> {
        let mut found = self.read(ReadNumberings { sight, cpf_cnpj }).await?;
        found.retain(|sequence| sight.is_visible(sequence.series.ambiente));
        found.sort_by(|one, other| one.series.sort_key().cmp(&other.series.sort_key()));
        Ok(found)
    }
}

struct ReadNumberings {
    sight: Visibility,
    cpf_cnpj: Option<CnpjCpf>,
}

impl StoreOperation for ReadNumberings {
    type Output = Vec<SequenceNumbers>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<SequenceNumbers>, Error> {
        let mut conditions = Conditions::of_tenant("s.tenant_id", self.sight.tenant());
        conditions.and_optional("s.cpf_cnpj =", self.cpf_cnpj.as_ref().map(CnpjCpf::as_str));
        conditions.and_within("s.cpf_cnpj", self.sight.reach());
        let sql = format!(
            "SELECT s.cpf_cnpj, s.counted, s.serie, s.ambiente, {LAST}, {NEXT}
             FROM sequences s JOIN companies c ON c.tenant_id = s.tenant_id AND c.cpf_cnpj = s.cpf_cnpj
             WHERE {}",
            conditions.text()
        );
        tx.query(&sql, conditions.params()).await?.into_iter().map(read).collect()
    }
}

fn read(mut row: Row) -> Result<SequenceNumbers, Error> {
    let cpf_cnpj = words::read_cpf_cnpj(row.read()?)?;
    let counted = NumberedKind::read(&row.read::<String>()?)?;
    let serie = words::read_serie(row.read()?)?;
    let ambiente = words::read_ambiente(row.read()?)?;
    let (last, next): (Option<u64>, u64) = (row.read()?, row.read()?);
    let series = Series { cpf_cnpj, counted, serie, ambiente };
    Ok(SequenceNumbers { series, last, next: Some(next).filter(|next| *next <= counted.highest_number()) })
}

/// The rows `n` of a sequence `s`.
macro_rules! numbers_of {
    ($n:literal) => {
        concat!(
            "numbers ",
            $n,
            " WHERE ",
            $n,
            ".tenant_id = s.tenant_id AND ",
            $n,
            ".cpf_cnpj = s.cpf_cnpj AND ",
            $n,
            ".counted = s.counted AND ",
            $n,
            ".serie = s.serie AND ",
            $n,
            ".ambiente = s.ambiente"
        )
    };
}

/// A used number may also be a denied note's, or one that the authority has under another key: neither is an authorised
/// note.
const LAST: &str = concat!(
    "(SELECT n.numero FROM ",
    numbers_of!("n"),
    " AND n.state = 'used'
          AND EXISTS (SELECT 1 FROM documents d WHERE d.tenant_id = n.tenant_id AND d.job_id = n.job_id
              AND d.numero = n.numero AND d.state IN ('authorized', 'cancelled'))
      ORDER BY n.numero DESC LIMIT 1)"
);

/// The rule of `ledger::choose`: the lowest released number, or the first free one from `next` on.
const NEXT: &str = concat!(
    "COALESCE(
        (SELECT MIN(n.numero) FROM ",
    numbers_of!("n"),
    " AND n.state = 'released' AND n.numero < s.next),
        CASE WHEN NOT EXISTS (SELECT 1 FROM ",
    numbers_of!("n"),
    " AND n.numero = s.next AND n.state <> 'released')
            THEN s.next END,
        (SELECT MIN(n.numero) + 1 FROM ",
    numbers_of!("n"),
    " AND n.numero >= s.next AND n.state <> 'released'
            AND NOT EXISTS (SELECT 1 FROM ",
    numbers_of!("m"),
    " AND m.numero = n.numero + 1 AND m.state <> 'released')))"
);

crate::dyn_operation::erasable!(ReadNumberings);
