//! Lists of received documents, a document with its events, and the documents as received.

use super::{Papel, Parte, ServiceFacts, Situacao, TransportFacts, TypeFacts};
use crate::conditions::{Conditions, ListWindow, Period};
use crate::roles::CompanyReach;
use crate::row::{Row, first, params, unexpected};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, Visibility, words};
use fiscal::event::NfeEventKind;
use fiscal::nfse;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use uuid::Uuid;

/// Filter of received documents; absent members do not restrict.
#[derive(Debug, Clone, Default)]
pub struct ReceivedFilter {
    pub tipo: Option<Tipo>,
    /// Role of the receiving company in a transport.
    pub papel: Option<Papel>,
    /// Part of the receiving company in a service.
    pub parte: Option<Parte>,
    /// Provider of a service.
    pub prestador: Option<CnpjCpf>,
    /// Month of a service, `AAAA-MM`.
    pub competencia: Option<String>,
    /// Receiving company.
    pub cpf_cnpj: Option<CnpjCpf>,
    pub ambiente: Option<TpAmb>,
    /// Issuer.
    pub emitente: Option<CnpjCpf>,
    pub situacao: Option<Situacao>,
    /// `true` for documents that are stored whole.
    pub completa: Option<bool>,
    /// Manifestation of the receiver; `Some(None)` for none yet.
    pub manifestacao: Option<Option<String>>,
    pub chave: Option<String>,
    /// Period of issue.
    pub periodo: Period,
    /// Set by a query from its visibility.
    pub reach: Option<CompanyReach>,
}

/// A received document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedDocument {
    /// Receiving company.
    pub cpf_cnpj: CnpjCpf,
    pub ambiente: TpAmb,
    pub facts: super::DocumentFacts,
    /// Manifestation of the receiver, and its instant.
    pub manifestacao: Option<(String, i64)>,
    /// First receipt of the document or its summary, seconds since 1970.
    pub recebido_em: i64,
    /// Last change, seconds since 1970.
    pub atualizado_em: i64,
}

/// An event of a received document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedEvent {
    pub facts: super::EventFacts,
    /// Distribution number.
    pub nsu: Option<u64>,
    /// Receipt, seconds since 1970.
    pub recebido_em: i64,
}

/// A document with its events, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedWithEvents {
    pub note: ReceivedDocument,
    pub events: Vec<ReceivedEvent>,
}

impl Store {
    /// Returns a page of received documents, newest first, and their total.
    pub async fn received_documents(
        &self,
        visibility: Visibility,
        mut filter: ReceivedFilter,
        window: ListWindow,
    ) -> Result<(Vec<ReceivedDocument>, u64), Error> {
        let Some(ambiente) = visibility.narrow(filter.ambiente) else { return Ok((Vec::new(), 0)) };
        filter.ambiente = ambiente;
        filter.reach = visibility.reach();
        self.read(ListReceived { tenant: visibility.tenant(), filter, window }).await
    }
    /// Returns the document of a key. Of several receivers in the account, the last one to receive it counts, unless
    /// one is given.
    pub async fn received_document(
        &self,
        visibility: Visibility,
        tipo: Tipo,
        chave: String,
        of: Option<CnpjCpf>,
    ) -> Result<ReceivedWithEvents, Error> {
        self.read(ReadReceived { sight: visibility, tipo, chave, of }).await
    }
    /// Returns the document as received: the whole one if stored, else its summary. `true` for the whole one.
    pub async fn received_xml(
        &self,
        sight: Visibility,
        tipo: Tipo,
        chave: String,
        of: Option<CnpjCpf>,
    ) -> Result<(String, bool), Error> {
        self.read(ReadReceivedXml { sight, tipo, chave, of }).await
    }
}

pub(super) const COLUMNS: &str =
    "n.cpf_cnpj, n.ambiente, n.tipo, n.chave, n.emitente, n.nome, n.ie, n.destinatario, n.dhEmi, n.emitida_em, n.valor,
    n.dhRecbto, n.nProt, n.situacao, n.completa, n.tpNF, n.modal, n.tpServ, n.tpCTe, n.remetente, n.expedidor, n.recebedor, n.tomador,
    n.numero, n.competencia, n.municipio, n.servico, n.descricao, n.valor_liquido, n.prestador, n.intermediario,
    n.manifestacao, n.manifestada_em, n.recebido_em, n.atualizado_em";

pub(super) fn read_document(mut row: Row) -> Result<ReceivedDocument, Error> {
    let (cpf_cnpj, ambiente) = (words::read_cpf_cnpj(row.read()?)?, words::read_ambiente(row.read()?)?);
    let tipo = words::read_tipo(&row.read::<String>()?)?;
    let facts = super::DocumentFacts {
        chave: row.read()?,
        emitente: row.read()?,
        nome: row.read()?,
        ie: row.read()?,
        destinatario: row.read()?,
        dhEmi: row.read()?,
        emitida_em: row.read()?,
        valor: row.read()?,
        dhRecbto: row.read()?,
        nProt: row.read()?,
        situacao: Situacao::from_word(&row.read::<String>()?).ok_or_else(unexpected)?,
        completa: row.read::<i64>()? == 1,
        type_facts: read_own(tipo, &mut row)?,
    };
    let (said, at): (Option<String>, Option<i64>) = (row.read()?, row.read()?);
    let manifestacao = said.zip(at);
    let (recebido_em, atualizado_em) = (row.read()?, row.read()?);
    Ok(ReceivedDocument { cpf_cnpj, ambiente, facts, manifestacao, recebido_em, atualizado_em })
}

fn read_own(tipo: Tipo, row: &mut Row) -> Result<TypeFacts, Error> {
    let tpNF: Option<String> = row.read()?;
    let mut text = || row.read::<Option<String>>();
    let (modal, tpServ, tpCTe) = (text()?, text()?, text()?);
    let transport = TransportFacts {
        modal: modal.unwrap_or_default(),
        tpServ: tpServ.unwrap_or_default(),
        tpCTe: tpCTe.unwrap_or_default(),
        remetente: text()?,
        expedidor: text()?,
        recebedor: text()?,
        tomador: text()?,
    };
    let mut services = ServiceFacts {
        numero: text()?.unwrap_or_default(),
        competencia: text()?.unwrap_or_default(),
        municipio: text()?.unwrap_or_default(),
        servico: text()?.unwrap_or_default(),
        descricao: text()?.unwrap_or_default(),
        valor_liquido: text()?,
        prestador: text()?,
        intermediario: text()?,
        tomador: None,
    };
    match tipo {
        Tipo::Cte => Ok(TypeFacts::Transport(transport)),
        Tipo::Nfse => {
            services.tomador = transport.tomador;
            Ok(TypeFacts::Services(services))
        }
        _ => Ok(TypeFacts::Goods { tpNF: tpNF.ok_or_else(unexpected)? }),
    }
}

struct ListReceived {
    tenant: Uuid,
    filter: ReceivedFilter,
    window: ListWindow,
}

impl ReceivedFilter {
    /// The condition on `n`, a row of `received_notes`.
    pub(super) fn conditions(&self, tenant: Uuid) -> Conditions {
        let mut conditions = Conditions::of_tenant("n.tenant_id", tenant);
        conditions.and_optional("n.tipo =", self.tipo.map(Tipo::word));
        conditions.and_optional("n.chave =", self.chave.as_ref());
        conditions.and_optional("n.emitente =", self.emitente.as_ref().map(CnpjCpf::as_str));
        conditions.and_optional("n.cpf_cnpj =", self.cpf_cnpj.as_ref().map(CnpjCpf::as_str));
        conditions.and_optional("n.ambiente =", self.ambiente.map(words::ambiente));
        conditions.and_optional("n.situacao =", self.situacao.map(Situacao::word));
        conditions.and_optional("n.completa =", self.completa.map(i64::from));
        match &self.manifestacao {
            Some(Some(said)) => conditions.and_value("n.manifestacao =", said),
            Some(None) => conditions.and("n.manifestacao IS NULL"),
            None => {}
        }
        if let Some(papel) = self.papel {
            conditions.and(papel.term());
        }
        if let Some(parte) = self.parte {
            conditions.and(parte.term());
        }
        conditions.and_optional("n.prestador =", self.prestador.as_ref().map(CnpjCpf::as_str));
        conditions.and_optional("SUBSTR(n.competencia, 1, 7) =", self.competencia.as_ref());
        conditions.and_optional("n.emitida_em >=", self.periodo.from);
        conditions.and_optional("n.emitida_em <", self.periodo.until);
        conditions.and_within("n.cpf_cnpj", self.reach);
        conditions
    }
}

impl StoreOperation for ListReceived {
    type Output = (Vec<ReceivedDocument>, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Self::Output, Error> {
        let conditions = self.filter.conditions(self.tenant);
        let sql = format!("SELECT COUNT(*) FROM received_notes n WHERE {}", conditions.text());
        let total = first::<i64>(tx.query(&sql, conditions.params()).await?)?.unwrap_or_default().unsigned_abs();
        if total <= u64::try_from(self.window.skip).unwrap_or(u64::MAX) {
            return Ok((Vec::new(), total));
        }
        let (limit, params) = conditions.with_params(self.window.params());
        let sql = format!(
            "SELECT {COLUMNS} FROM received_notes n WHERE {} ORDER BY n.id DESC LIMIT ${limit} OFFSET ${}",
            conditions.text(),
            limit + 1
        );
        let rows = tx.query(&sql, &params).await?;
        Ok((rows.into_iter().map(read_document).collect::<Result<_, _>>()?, total))
    }
}

struct ReadReceived {
    sight: Visibility,
    tipo: Tipo,
    chave: String,
    of: Option<CnpjCpf>,
}

impl StoreOperation for ReadReceived {
    type Output = ReceivedWithEvents;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<ReceivedWithEvents, Error> {
        let mut conditions = Conditions::of_tenant("n.tenant_id", self.sight.tenant());
        conditions.and_value("n.chave =", &self.chave);
        conditions.and_value("n.tipo =", self.tipo.word());
        conditions.and_optional("n.ambiente =", self.sight.only_environment().map(words::ambiente));
        conditions.and_optional("n.cpf_cnpj =", self.of.as_ref().map(CnpjCpf::as_str));
        conditions.and_within("n.cpf_cnpj", self.sight.reach());
        let sql =
            format!("SELECT {COLUMNS} FROM received_notes n WHERE {} ORDER BY n.id DESC LIMIT 1", conditions.text());
        let note = read_document(crate::row::only(tx.query(&sql, conditions.params()).await?)?)?;
        let sql = "SELECT nsu, kind, tpEvento, nSeqEvento, dhEvento, autor, descricao, motivo, dhRegEvento, substituta, nProt, recebido_em FROM received_files
                   WHERE tenant_id = $1 AND chave = $2 AND cpf_cnpj = $3 AND ambiente = $4 AND tpEvento IS NOT NULL ORDER BY id";
        let of = params![self.sight.tenant(), &self.chave, note.cpf_cnpj.as_str(), words::ambiente(note.ambiente)];
        let rows = tx.query(sql, &of).await?;
        let events = rows.into_iter().map(|row| read_event(&self.chave, row)).collect::<Result<_, _>>()?;
        Ok(ReceivedWithEvents { note, events })
    }
}

fn read_event(chave: &str, mut row: Row) -> Result<ReceivedEvent, Error> {
    let nsu = row.read::<Option<i64>>()?.map(i64::unsigned_abs);
    let kind: String = row.read()?;
    let tpEvento: String = row.read()?;
    let facts = super::EventFacts {
        chave: chave.to_owned(),
        cancela: NfeEventKind::from_code(&tpEvento).is_some_and(NfeEventKind::is_cancellation)
            || nfse::registered::cancels(&tpEvento),
        tpEvento,
        nSeqEvento: row.read()?,
        dhEvento: row.read()?,
        autor: row.read()?,
        descricao: row.read()?,
        motivo: row.read()?,
        dhRegEvento: row.read()?,
        substituta: row.read()?,
        nProt: row.read()?,
        completo: kind == "evento",
    };
    Ok(ReceivedEvent { facts, nsu, recebido_em: row.read()? })
}

struct ReadReceivedXml {
    sight: Visibility,
    tipo: Tipo,
    chave: String,
    of: Option<CnpjCpf>,
}

impl StoreOperation for ReadReceivedXml {
    type Output = (String, bool);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(String, bool), Error> {
        let mut conditions = Conditions::of_tenant("f.tenant_id", self.sight.tenant());
        conditions.and_value("f.chave =", &self.chave);
        conditions.and_value("f.tipo =", self.tipo.word());
        conditions.and_optional("f.ambiente =", self.sight.only_environment().map(words::ambiente));
        conditions.and_optional("f.cpf_cnpj =", self.of.as_ref().map(CnpjCpf::as_str));
        conditions.and_within("f.cpf_cnpj", self.sight.reach());
        // 'nota' sorts before 'resumo'; of several summaries the last one has the most facts.
        let sql = format!(
            "SELECT f.content, f.kind FROM received_files f WHERE {} AND f.kind IN ('nota', 'resumo')
             ORDER BY f.kind, f.id DESC LIMIT 1",
            conditions.text()
        );
        let mut row = crate::row::only(tx.query(&sql, conditions.params()).await?)?;
        let content = row.read()?;
        Ok((content, row.read::<String>()? == "nota"))
    }
}

crate::dyn_operation::erasable!(ListReceived, ReadReceived, ReadReceivedXml);
