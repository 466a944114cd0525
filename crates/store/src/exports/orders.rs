//! Orders of exports: registration, lists, removal.

use super::leftovers::leave_parts;
use crate::audit::{self, Actor, AuditAct};
use crate::conditions::Conditions;
use crate::dyn_operation::erasable;
use crate::notes::ListWindow;
use crate::row::{Row, first, only, params, unexpected};
use crate::tx::{StoreOperation, Tx};
use crate::words::{self, word_table};
use crate::{Error, Store, Visibility};
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::json;
use uuid::Uuid;

/// State of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExportState {
    /// Waits, or is being made.
    Unfinished,
    /// Its file is complete.
    Done,
    /// No attempt made the file.
    Failed,
    /// Its file is past its retention.
    Expired,
}

word_table!(pub(crate) ExportState {
    Unfinished => "unfinished",
    Done => "done",
    Failed => "failed",
    Expired => "expired",
});

/// Printed forms in an export.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ExportForms {
    #[default]
    Absent,
    /// A PDF of each document.
    Separate,
    /// Few PDFs, each of many documents.
    Joined,
}

impl ExportForms {
    fn digit(self) -> u8 {
        match self {
            ExportForms::Absent => 0,
            ExportForms::Separate => 1,
            ExportForms::Joined => 2,
        }
    }

    fn read(digit: u8) -> Result<ExportForms, Error> {
        match digit {
            0 => Ok(ExportForms::Absent),
            1 => Ok(ExportForms::Separate),
            2 => Ok(ExportForms::Joined),
            _ => Err(unexpected()),
        }
    }
}

/// An export to be registered.
#[derive(Debug, Clone)]
pub struct NewExport {
    pub tenant: Uuid,
    pub id: Uuid,
    pub ambiente: TpAmb,
    pub cpf_cnpj: CnpjCpf,
    /// First and last date, both included, as in `2026-11-01`.
    pub de: String,
    pub ate: String,
    /// Empty for all types.
    pub tipos: Vec<Tipo>,
    pub forms: ExportForms,
    /// Address that learns of its end.
    pub avisar: Option<String>,
    /// Most exports of an account from `since` on.
    pub most: u32,
    /// Seconds since 1970.
    pub since: i64,
}

/// A registered export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportRow {
    pub tenant: Uuid,
    pub id: Uuid,
    pub ambiente: TpAmb,
    pub cpf_cnpj: CnpjCpf,
    /// First date, included.
    pub de: String,
    /// Last date, included.
    pub ate: String,
    /// Empty for all types.
    pub tipos: Vec<Tipo>,
    pub forms: ExportForms,
    pub state: ExportState,
    pub criado_em: i64,
    pub concluido_em: Option<i64>,
    /// Instant at which its file is removed.
    pub expira_em: Option<i64>,
    /// Documents that are in the file.
    pub feitas: u64,
    /// Documents of the period.
    pub total: u64,
    pub bytes: u64,
    /// Parts of the file.
    pub partes: u32,
    /// Attempts that were begun; above 1 after an attempt was lost.
    pub tentativas: u32,
    /// Attempt that made the file, or makes it.
    pub token: Option<Uuid>,
    /// Cause of a failure, Portuguese.
    pub erro: Option<String>,
}

impl Store {
    /// Registers an export. `Conflict` while another of the account is unfinished, `AccountFull` above its bound.
    pub async fn create_export(&self, export: NewExport, by: &Actor, now: i64) -> Result<ExportRow, Error> {
        self.write(CreateExport { export, by: by.clone(), now }).await
    }

    /// Returns the exports of the visible companies in an environment, newest first.
    pub async fn exports(
        &self,
        sight: Visibility,
        ambiente: TpAmb,
        window: ListWindow,
    ) -> Result<(Vec<ExportRow>, u64), Error> {
        self.read(ListExports { sight, ambiente, window }).await
    }

    /// Returns an export of a visible company.
    pub async fn export(&self, sight: Visibility, ambiente: TpAmb, id: Uuid) -> Result<ExportRow, Error> {
        let found = self.read(ReadExport { tenant: sight.tenant(), ambiente, id }).await?;
        self.require_reach(sight, found.cpf_cnpj).await?;
        Ok(found)
    }

    /// Removes an export with its file; it still counts towards the bound of its account. An attempt under way loses
    /// its lease.
    pub async fn remove_export(
        &self,
        tenant: Uuid,
        ambiente: TpAmb,
        id: Uuid,
        by: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(RemoveExport { tenant, ambiente, id, by: by.clone(), now }).await
    }
}

/// Columns in the order of [`read_export`].
pub(super) const COLUMNS: &str =
    "tenant_id, id, ambiente, cpf_cnpj, de, ate, tipos, forms, state, criado_em, concluido_em, expira_em,
    feitas, total, bytes, partes, tentativas, token, erro";

pub(super) fn read_export(mut row: Row) -> Result<ExportRow, Error> {
    Ok(ExportRow {
        tenant: row.read()?,
        id: row.read()?,
        ambiente: words::read_ambiente(row.read()?)?,
        cpf_cnpj: words::read_cpf_cnpj(row.read()?)?,
        de: row.read()?,
        ate: row.read()?,
        tipos: read_tipos(&row.read::<String>()?)?,
        forms: ExportForms::read(row.read()?)?,
        state: ExportState::read(&row.read::<String>()?)?,
        criado_em: row.read()?,
        concluido_em: row.read()?,
        expira_em: row.read()?,
        feitas: row.read()?,
        total: row.read()?,
        bytes: row.read()?,
        partes: row.read()?,
        tentativas: row.read()?,
        token: row.read()?,
        erro: row.read()?,
    })
}

fn read_tipos(words: &str) -> Result<Vec<Tipo>, Error> {
    let words = words.split_ascii_whitespace();
    words.map(|word| Tipo::from_word(word).ok_or_else(unexpected)).collect()
}

struct CreateExport {
    export: NewExport,
    by: Actor,
    now: i64,
}

impl StoreOperation for CreateExport {
    type Output = ExportRow;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<ExportRow, Error> {
        let NewExport { tenant, id, ambiente, cpf_cnpj, de, ate, tipos, forms, avisar, most, since } = &self.export;
        let lately = "SELECT COUNT(*) FROM exports WHERE tenant_id = $1 AND criado_em > $2";
        let lately: i64 = first(tx.query(lately, &params![*tenant, *since]).await?)?.unwrap_or_default();
        if lately >= i64::from(*most) {
            return Err(Error::AccountFull { most: *most });
        }
        let words = tipos.iter().map(|tipo| tipo.word()).collect::<Vec<_>>().join(" ");
        let sql = format!(
            "INSERT INTO exports (tenant_id, id, ambiente, cpf_cnpj, de, ate, tipos, forms, state, criado_em, feitas, total, bytes,
                 partes, tentativas, lease_until, avisar)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $10, $9, 0, 0, 0, 0, 0, 0, $11)
             ON CONFLICT DO NOTHING RETURNING {COLUMNS}"
        );
        let params = params![
            *tenant,
            *id,
            words::ambiente(*ambiente),
            cpf_cnpj.as_str(),
            de,
            ate,
            words,
            forms.digit(),
            self.now,
            ExportState::Unfinished.word(),
            avisar.as_ref()
        ];
        let registered = tx.query(&sql, &params).await?.into_iter().next();
        let registered = registered.ok_or(Error::Conflict("outra exportação da conta ainda não terminou"))?;
        let detalhes = json!({ "empresa": cpf_cnpj, "de": de, "ate": ate });
        audit::append(tx, *tenant, &self.by, AuditAct::ExportacaoPedida, &id.to_string(), detalhes, self.now).await?;
        read_export(registered)
    }
}

struct ListExports {
    sight: Visibility,
    ambiente: TpAmb,
    window: ListWindow,
}

impl StoreOperation for ListExports {
    type Output = (Vec<ExportRow>, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Vec<ExportRow>, u64), Error> {
        let mut conditions = Conditions::of_tenant("tenant_id", self.sight.tenant());
        conditions.and("state <> 'removed'");
        conditions.and_value("ambiente =", words::ambiente(self.ambiente));
        conditions.and_within("cpf_cnpj", self.sight.reach());
        let total = format!("SELECT COUNT(*) FROM exports WHERE {}", conditions.text());
        let total = first(tx.query(&total, conditions.params()).await?)?.unwrap_or_default();
        let (limit, params) = conditions.with_params(self.window.params());
        let sql = format!(
            "SELECT {COLUMNS} FROM exports WHERE {} ORDER BY id DESC LIMIT ${limit} OFFSET ${}",
            conditions.text(),
            limit + 1
        );
        let rows = tx.query(&sql, &params).await?;
        Ok((rows.into_iter().map(read_export).collect::<Result<_, _>>()?, total))
    }
}

struct ReadExport {
    tenant: Uuid,
    ambiente: TpAmb,
    id: Uuid,
}

impl StoreOperation for ReadExport {
    type Output = ExportRow;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<ExportRow, Error> {
        let sql = format!(
            "SELECT {COLUMNS} FROM exports WHERE tenant_id = $1 AND id = $2 AND ambiente = $3 AND state <> 'removed'"
        );
        let params = params![self.tenant, self.id, words::ambiente(self.ambiente)];
        read_export(only(tx.query(&sql, &params).await?)?)
    }
}

struct RemoveExport {
    tenant: Uuid,
    ambiente: TpAmb,
    id: Uuid,
    by: Actor,
    now: i64,
}

impl StoreOperation for RemoveExport {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        // the row stays: an account that removes its exports may not order more of them
        let sql = "UPDATE exports SET state = 'removed', concluido_em = COALESCE(concluido_em, $4)
                   WHERE tenant_id = $1 AND id = $2 AND ambiente = $3 AND state <> 'removed'
                   RETURNING token, cpf_cnpj, de, ate";
        let params = params![self.tenant, self.id, words::ambiente(self.ambiente), self.now];
        let mut row = only(tx.query(sql, &params).await?)?;
        leave_parts(tx, self.id, row.read()?).await?;
        let (cpf_cnpj, de, ate): (String, String, String) = (row.read()?, row.read()?, row.read()?);
        let detalhes = json!({ "empresa": cpf_cnpj, "de": de, "ate": ate });
        let (by, id) = (&self.by, self.id.to_string());
        audit::append(tx, self.tenant, by, AuditAct::ExportacaoApagada, &id, detalhes, self.now).await
    }
}

erasable!(CreateExport, ListExports, ReadExport, RemoveExport);
