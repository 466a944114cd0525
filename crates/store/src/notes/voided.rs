//! Lists of voided ranges, which a list of notes shows for a status that no document has.
//!
//! Few rows: one per range of numbers that a company gave up for good.

use super::{ListWindow, NoteFilter};
use crate::conditions::Conditions;
use crate::jobs::job::Job;
use crate::jobs::record;
use crate::row::first;
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, Visibility, words};
use fiscal::value::{CnpjCpf, Serie};
use uuid::Uuid;

impl Store {
    /// Returns a page of the voided ranges, newest first, as the jobs that voided them, and their total. A filter by
    /// state is ignored; a range has neither key nor addressee.
    pub async fn voided(
        &self,
        sight: Visibility,
        filter: NoteFilter,
        window: ListWindow,
    ) -> Result<(Vec<Job>, u64), Error> {
        match filter.narrowed_filter(sight) {
            Some(filter) => self.read(ListVoided { tenant: sight.tenant(), filter, window }).await,
            None => Ok((Vec::new(), 0)),
        }
    }
}

struct ListVoided {
    tenant: Uuid,
    filter: NoteFilter,
    window: ListWindow,
}

impl StoreOperation for ListVoided {
    type Output = (Vec<Job>, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Vec<Job>, u64), Error> {
        if self.filter.chave.is_some() || self.filter.destinatario.is_some() {
            return Ok((Vec::new(), 0));
        }
        let conditions = self.conditions();
        let count = format!("SELECT COUNT(*) FROM voids v WHERE {}", conditions.text());
        let total: i64 = first(tx.query(&count, conditions.params()).await?)?.unwrap_or_default();
        let (limit, params) = conditions.with_params(self.window.params());
        let page = format!(
            "SELECT v.job_id FROM voids v WHERE {} ORDER BY v.job_id DESC LIMIT ${limit} OFFSET ${}",
            conditions.text(),
            limit + 1
        );
        let rows = tx.query(&record::listed(&page), &params).await?;
        Ok((rows.into_iter().map(record::read_job).collect::<Result<_, _>>()?, total.unsigned_abs()))
    }
}

impl ListVoided {
    fn conditions(&self) -> Conditions {
        let NoteFilter { tipo, emitente, ambiente, serie, numero, periodo, reach, .. } = &self.filter;
        let mut conditions = Conditions::of_tenant("v.tenant_id", self.tenant);
        conditions.and_optional("v.cpf_cnpj =", emitente.as_ref().map(CnpjCpf::as_str));
        conditions.and_optional("v.tipo =", tipo.as_ref());
        conditions.and_optional("v.serie =", serie.as_ref().map(Serie::as_str));
        conditions.and_optional("v.ambiente =", ambiente.map(words::ambiente));
        conditions.and_optional("v.nNFIni <=", *numero);
        conditions.and_optional("v.nNFFin >=", *numero);
        conditions.and_made_within("v.job_id", periodo);
        conditions.and_within("v.cpf_cnpj", *reach);
        conditions
    }
}

crate::dyn_operation::erasable!(ListVoided);
