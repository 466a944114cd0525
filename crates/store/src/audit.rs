//! The audit trail: actor, administrative act, instant and origin.
//!
//! Law: `append` runs inside the transaction of the act: there is no act without its entry and no entry without its
//! act.
//! Must not know: the meaning of an act. Secrets never stand in `detalhes`.

use std::net::IpAddr;

use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::Value;
use uuid::Uuid;

use crate::row::{Params, Row, first, params, unexpected};
use crate::tx::{StoreOperation, Tx};
use crate::words;
use crate::{Error, Store};

/// The actor of an administrative act and the request it came with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    pub kind: ActorKind,
    /// Environment of the credential; the operator's covers both.
    pub ambiente: TpAmb,
    /// Id of the HTTP request, if any.
    pub request_id: Option<String>,
    /// Address of the client.
    pub address: Option<IpAddr>,
}

/// Kinds of actors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActorKind {
    /// A user in a session.
    User(Uuid),
    /// A program with an API key.
    ApiKey(Uuid),
    /// A person with command-line access to the host.
    Operator,
    /// An unauthenticated client.
    Anonymous,
}

impl Actor {
    /// The actor of the command line.
    pub fn operator() -> Actor {
        Actor { kind: ActorKind::Operator, ambiente: TpAmb::Producao, request_id: None, address: None }
    }
}

impl ActorKind {
    /// Returns `usuario`, `chave_api`, `operador` or `desconhecido`.
    pub fn word(self) -> &'static str {
        match self {
            ActorKind::User(_) => "usuario",
            ActorKind::ApiKey(_) => "chave_api",
            ActorKind::Operator => "operador",
            ActorKind::Anonymous => "desconhecido",
        }
    }

    /// Returns the id of the user or key.
    pub fn id(self) -> Option<Uuid> {
        match self {
            ActorKind::User(id) | ActorKind::ApiKey(id) => Some(id),
            ActorKind::Operator | ActorKind::Anonymous => None,
        }
    }
}

macro_rules! acts {
    ($($variant:ident $word:literal $meaning:literal;)*) => {
        /// The administrative acts: a closed set, one line each.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum AuditAct { $(#[doc = $meaning] $variant),* }

        impl AuditAct {
            /// Every act with its word, for filters and documentation.
            pub const ALL: &[(&'static str, AuditAct)] = &[$(($word, AuditAct::$variant)),*];

            /// Returns the word of the act in the trail.
            pub fn word(self) -> &'static str {
                match self { $(AuditAct::$variant => $word),* }
            }
        }
    };
}

acts! {
    ContaCriada "conta_criada" "A tenant was made.";
    UsuarioCriado "usuario_criado" "A user was added.";
    UsuarioRemovido "usuario_removido" "A user was removed.";
    NomeAlterado "nome_alterado" "A user changed the own name.";
    SegundoFatorLigado "segundo_fator_ligado" "A user turned the second factor on.";
    SegundoFatorDesligado "segundo_fator_desligado" "The second factor of a user was turned off.";
    CodigoRecuperacaoUsado "codigo_recuperacao_usado" "A recovery code stood in for the second factor.";
    CodigosRecuperacaoTrocados "codigos_recuperacao_trocados" "A user replaced the recovery codes.";
    IdentidadeVinculada "identidade_vinculada" "A user was linked to an identity at a provider.";
    IdentidadeDesvinculada "identidade_desvinculada" "The link of a user to an identity at a provider was removed.";
    PapelDado "papel_dado" "A user was given a role.";
    PapelRetirado "papel_retirado" "A user's role was taken away.";
    ConviteCriado "convite_criado" "A person was invited.";
    ConviteRevogado "convite_revogado" "An invitation was revoked.";
    ConviteAceito "convite_aceito" "An invited person became a user.";
    SenhaAlterada "senha_alterada" "A user's password was changed.";
    SessaoIniciada "sessao_iniciada" "A user logged in.";
    SessaoEncerrada "sessao_encerrada" "A user logged out.";
    AmbienteTrocado "ambiente_trocado" "A session went over to the other environment.";
    LoginBloqueado "login_bloqueado" "Failed logins of one user reached a limit, from one address or from many.";
    LoginsLimitados "logins_limitados" "Failed logins of many users reached a limit, from one address or from many.";
    ChaveCriada "chave_criada" "An API key was made.";
    ChaveRevogada "chave_revogada" "An API key was revoked.";
    EmpresaCriada "empresa_criada" "A company was registered.";
    EmpresaAlterada "empresa_alterada" "A company's record was changed.";
    EmpresaRemovida "empresa_removida" "A company was removed.";
    ConfiguracaoAlterada "configuracao_alterada" "A company's configuration of a document type was changed.";
    CertificadoEnviado "certificado_enviado" "A company's certificate was uploaded.";
    LogotipoEnviado "logotipo_enviado" "The picture on a company's printed forms was uploaded.";
    LogotipoRemovido "logotipo_removido" "The picture on a company's printed forms was taken away.";
    CotaAlterada "cota_alterada" "A quota was set or lifted.";
    TetoAlterado "teto_alterado" "The value an account may confirm was set or lifted.";
    FormularioMcpAlterado "formulario_mcp_alterado" "Whether a program's form counts as a person's word in production was changed.";
    EmissaoAprovada "emissao_aprovada" "A person approved a prepared emission.";
    EmissaoRecusada "emissao_recusada" "A person refused a prepared emission.";
    EmissaoPorFormulario "emissao_por_formulario" "A prepared emission went out by a yes in a form of the program's own.";
    AtoAprovado "ato_aprovado" "A person approved a prepared cancellation, correction or voiding.";
    AtoRecusado "ato_recusado" "A person refused a prepared cancellation, correction or voiding.";
    AtoPorFormulario "ato_por_formulario" "A prepared cancellation, correction or voiding went out by a yes in a form of the program's own.";
    WebhookDaContaAlterado "webhook_da_conta_alterado" "The account's webhook address or its attempts changed.";
    SegredoWebhookTrocado "segredo_webhook_trocado" "The secret that signs webhooks was rotated.";
    EntregaReenviada "entrega_reenviada" "A lost webhook delivery was sent again by hand.";
    EmailPedido "email_pedido" "An e-mail was sent, or sent again, by hand.";
    EmailConfigurado "email_configurado" "A company's choice of which documents are mailed was changed.";
    EmailBloqueado "email_bloqueado" "An address was added to the block list of e-mails.";
    EmailDesbloqueado "email_desbloqueado" "An address was removed from the block list of e-mails.";
    ExportacaoPedida "exportacao_pedida" "A file of a period's documents was ordered.";
    ExportacaoApagada "exportacao_apagada" "A file of a period's documents was removed, or stopped.";
    OperacaoPedida "operacao_pedida" "A user ordered an emission, an act on a document or a voiding of numbers.";
    OperacaoReprocessada "operacao_reprocessada" "A user put a failed operation back into the queue.";
    OperacaoRetirada "operacao_retirada" "A user took a waiting operation out of the queue.";
}

/// An entry of the trail.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    pub id: Uuid,
    /// Word of the act.
    pub ato: String,
    /// Target of the act: an id, a company's number, an e-mail.
    pub alvo: String,
    /// Further details: a JSON object.
    pub detalhes: Value,
    /// `usuario`, `chave_api`, `operador` or `desconhecido`.
    pub ator: String,
    /// Id of the user or key.
    pub ator_id: Option<Uuid>,
    /// E-mail of the user or name of the key at the time of the act.
    pub ator_nome: Option<String>,
    /// Id of the HTTP request.
    pub requisicao_id: Option<String>,
    /// Address of the client.
    pub endereco: Option<String>,
    /// Seconds since 1970.
    pub em: i64,
}

/// Filter of a trail query.
#[derive(Debug, Clone, Copy, Default)]
pub struct AuditFilter {
    pub act: Option<AuditAct>,
    /// Only entries of this user or key.
    pub by: Option<Uuid>,
    /// Only entries about this company.
    pub company: Option<CnpjCpf>,
    /// First second included.
    pub since: Option<i64>,
    /// First second excluded.
    pub before: Option<i64>,
}

/// Writes an entry; `detalhes` is an object or null, without secrets.
pub(crate) async fn append<T: Tx>(
    tx: &mut T,
    tenant: Uuid,
    actor: &Actor,
    act: AuditAct,
    alvo: &str,
    detalhes: Value,
    now: i64,
) -> Result<(), Error> {
    let name = match actor.kind {
        ActorKind::User(_) => "(SELECT email FROM users WHERE tenant_id = $1 AND id = $7)",
        ActorKind::ApiKey(_) => "(SELECT nome FROM api_keys WHERE tenant_id = $1 AND id = $7)",
        ActorKind::Operator | ActorKind::Anonymous => "NULL",
    };
    let (company, subject) = company_of(act, alvo, &detalhes);
    let sql = format!(
        "INSERT INTO audit_trail (tenant_id, id, ato, alvo, detalhes, ator, ator_id, ator_nome, requisicao_id, endereco, em,
             empresa)
         VALUES ($1, $2, $3, $4, $5, $6, $7, {name}, $8, $9, $10, {company})"
    );
    let detalhes = if detalhes.is_null() { "{}".to_owned() } else { detalhes.to_string() };
    let params = params![
        tenant,
        Uuid::now_v7(),
        act.word(),
        alvo,
        detalhes,
        actor.kind.word(),
        actor.kind.id(),
        actor.request_id.as_deref(),
        actor.address.map(|address| address.to_string()),
        now,
        subject
    ];
    tx.execute(&sql, &params).await.map(drop)
}

/// Expression of the company that an entry is about, and its parameter `$11`.
fn company_of(act: AuditAct, alvo: &str, detalhes: &Value) -> (&'static str, crate::row::Value) {
    let of_job = "(SELECT j.cpf_cnpj FROM jobs j WHERE j.tenant_id = $1 AND j.id = $11)";
    let of_delivery =
        "(SELECT j.cpf_cnpj FROM deliveries d JOIN jobs j ON j.tenant_id = d.tenant_id AND j.id = d.job_id
                        WHERE d.tenant_id = $1 AND d.id = $11)";
    let expression = match act {
        AuditAct::OperacaoPedida
        | AuditAct::OperacaoReprocessada
        | AuditAct::OperacaoRetirada
        | AuditAct::EmissaoNoPainel => of_job,
        AuditAct::EntregaReenviada => of_delivery,
        _ => {
            let named = ["emitente", "empresa"].into_iter().find_map(|member| detalhes[member].as_str());
            let company = CnpjCpf::parse(named.unwrap_or(alvo)).ok();
            return ("CAST($11 AS TEXT)", company.map(|company| company.as_str().to_owned()).into());
        }
    };
    (expression, Uuid::parse_str(alvo).ok().into())
}

/// Writes an entry of an operation on a job, if a user ordered it: a program's stands with its job.
pub(crate) async fn append_of_user<T: Tx>(
    tx: &mut T,
    tenant: Uuid,
    by: Option<&Actor>,
    act: AuditAct,
    job: Uuid,
    detalhes: Value,
    now: i64,
) -> Result<(), Error> {
    match by {
        Some(by) if matches!(by.kind, ActorKind::User(_)) => {
            append(tx, tenant, by, act, &job.to_string(), detalhes, now).await
        }
        _ => Ok(()),
    }
}

/// Place in the trail: instant and id of an entry.
pub type TrailPlace = (i64, Uuid);

impl Store {
    /// Returns entries that match a filter, newest first, from directly before a place on.
    pub async fn audit_entries(
        &self,
        tenant: Uuid,
        filter: AuditFilter,
        older_than: Option<TrailPlace>,
        limit: usize,
    ) -> Result<Vec<AuditEntry>, Error> {
        self.read(ReadEntries { tenant, filter, older_than, limit: small(limit) }).await
    }

    /// Returns a page of the trail, newest first, and the number of entries that match the filter.
    pub async fn audit_trail(
        &self,
        tenant: Uuid,
        filter: AuditFilter,
        limit: usize,
        offset: usize,
    ) -> Result<(Vec<AuditEntry>, u64), Error> {
        self.read(ReadTrail { tenant, filter, limit: small(limit), offset: small(offset) }).await
    }
}

fn small(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

struct ReadTrail {
    tenant: Uuid,
    filter: AuditFilter,
    limit: i64,
    offset: i64,
}

impl StoreOperation for ReadTrail {
    type Output = (Vec<AuditEntry>, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Vec<AuditEntry>, u64), Error> {
        let (condition, mut params) = self.condition();
        let sql = format!("SELECT COUNT(*) FROM audit_trail WHERE {condition}");
        let total: i64 = first(tx.query(&sql, &params).await?)?.unwrap_or_default();
        let (limit, offset) = (params.len() + 1, params.len() + 2);
        let sql = format!(
            "SELECT id, ato, alvo, detalhes, ator, ator_id, ator_nome, requisicao_id, endereco, em FROM audit_trail
             WHERE {condition} ORDER BY em DESC, id DESC LIMIT ${limit} OFFSET ${offset}"
        );
        params.extend(params![self.limit, self.offset]);
        let entries: Result<Vec<AuditEntry>, Error> =
            tx.query(&sql, &params).await?.into_iter().map(read_entry).collect();
        Ok((entries?, u64::try_from(total).map_err(|_| unexpected())?))
    }
}

struct ReadEntries {
    tenant: Uuid,
    filter: AuditFilter,
    older_than: Option<TrailPlace>,
    limit: i64,
}

impl StoreOperation for ReadEntries {
    type Output = Vec<AuditEntry>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<AuditEntry>, Error> {
        let ReadEntries { tenant, filter, .. } = *self;
        let (mut condition, mut params) = ReadTrail { tenant, filter, limit: 0, offset: 0 }.condition();
        if let Some((em, id)) = self.older_than {
            condition.push_str(&format!(" AND (em, id) < (${}, ${})", params.len() + 1, params.len() + 2));
            params.extend(params![em, id]);
        }
        params.extend(params![self.limit]);
        let sql = format!(
            "SELECT id, ato, alvo, detalhes, ator, ator_id, ator_nome, requisicao_id, endereco, em FROM audit_trail
             WHERE {condition} ORDER BY em DESC, id DESC LIMIT ${}",
            params.len()
        );
        tx.query(&sql, &params).await?.into_iter().map(read_entry).collect()
    }
}

impl ReadTrail {
    fn condition(&self) -> (String, Params) {
        let AuditFilter { act, by, company, since, before } = self.filter;
        let (mut text, mut params) = ("tenant_id = $1".to_owned(), params![self.tenant]);
        let mut and = |condition: &str, value: crate::row::Value| {
            params.push(value);
            text.push_str(&format!(" AND {condition} ${}", params.len()));
        };
        if let Some(act) = act {
            and("ato =", act.word().into());
        }
        if let Some(by) = by {
            and("ator_id =", by.into());
        }
        if let Some(company) = company {
            and("empresa =", company.as_str().into());
        }
        if let Some(since) = since {
            and("em >=", since.into());
        }
        if let Some(before) = before {
            and("em <", before.into());
        }
        (text, params)
    }
}

fn read_entry(mut row: Row) -> Result<AuditEntry, Error> {
    Ok(AuditEntry {
        id: row.read()?,
        ato: row.read()?,
        alvo: row.read()?,
        detalhes: words::read_json(row.read()?)?,
        ator: row.read()?,
        ator_id: row.read()?,
        ator_nome: row.read()?,
        requisicao_id: row.read()?,
        endereco: row.read()?,
        em: row.read()?,
    })
}

crate::dyn_operation::erasable!(ReadTrail, ReadEntries);
