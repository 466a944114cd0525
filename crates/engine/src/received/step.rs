//! Queries of the Ambiente Nacional and their results.

use super::{DocumentQuery, SyncError, query_policy, read};
use crate::Engine;
use crate::authorities::call::NoAnswer;
use crate::authorities::health::Channel;
use crate::family::Family;
use crate::family::issuer::FamilyIssuer;
use crate::process::crash::crash_point;
use authority::answer::{DistributionBatch, DistributionOutcome};
use authority::sefaz::RequestedDocuments;
use authority::table::{AuthorityRole, AuthorityService, Endpoint};
use fiscal::value::{CnpjCpf, Codigo, Uf};
use store::accounts::Caller;
use store::received::{Cursor, DistributionKey, NewDocuments, WalkLease, WalkOutcome};

/// Result of a search.
pub(super) struct WalkStepOutcome {
    pub(super) kept: NewDocuments,
    /// Kind of the last answer, or of the last one that brought documents.
    pub(super) handing: DistributionOutcome,
    /// Code and text of that answer.
    pub(super) said: (Option<Codigo>, String),
    /// True if the authority has nothing more.
    pub(super) whole: bool,
    /// Reason why no answer came, when none did.
    pub(super) no_answer: Option<String>,
}

impl WalkStepOutcome {
    /// Adds the result of the next lot: of two answers the one with documents is reported.
    fn merge(self, next: WalkStepOutcome) -> WalkStepOutcome {
        let mut kept = self.kept;
        kept += next.kept;
        let nothing_more = self.handing == DistributionOutcome::Some && next.handing == DistributionOutcome::None;
        let (handing, said) = if nothing_more { (self.handing, self.said) } else { (next.handing, next.said) };
        WalkStepOutcome { kept, handing, said, ..next }
    }
}

impl Engine {
    /// Owner of the distribution, in the environment of credential and configuration.
    pub(super) async fn owner(
        &self,
        caller: &Caller,
        cpf_cnpj: CnpjCpf,
        family: &'static Family,
    ) -> Result<DistributionKey, SyncError> {
        self.receiving(caller, cpf_cnpj, family).await.map(|(owner, _)| owner)
    }

    async fn receiving(
        &self,
        caller: &Caller,
        cpf_cnpj: CnpjCpf,
        family: &'static Family,
    ) -> Result<(DistributionKey, FamilyIssuer), SyncError> {
        let issuer = self.party(store::Visibility::of(caller), cpf_cnpj, family).await;
        let issuer = issuer.map_err(|why| SyncError::of_issuer(why, family.tipo))?;
        let ambiente = issuer.ambiente(caller.ambiente);
        Ok((DistributionKey { tenant: caller.tenant_id, cpf_cnpj, ambiente, tipo: family.tipo }, issuer))
    }

    /// Owner and channel of a query.
    pub(super) async fn owner_and_channel(
        &self,
        caller: &Caller,
        cpf_cnpj: CnpjCpf,
        family: &'static Family,
    ) -> Result<(DistributionKey, Channel), SyncError> {
        let (owner, issuer) = self.receiving(caller, cpf_cnpj, family).await?;
        let certificate = self.certificate(caller.tenant_id, cpf_cnpj).await?;
        // the state is a hint that the message of the NF-e may leave out; any state's row leads to the Ambiente
        // Nacional
        let (uf, ambiente) = (issuer.uf.unwrap_or(Uf::DF), owner.ambiente);
        let channel = Channel::to_state(uf, family, ambiente, certificate);
        Ok((owner, channel))
    }

    fn distributor(&self, channel: &Channel) -> Result<Endpoint, String> {
        let table = &self.inner.table;
        let found = table.endpoint(
            channel.uf,
            channel.family.modelo,
            channel.ambiente,
            AuthorityService::DistribuicaoDFe,
            AuthorityRole::National,
        );
        found.map_err(|none| none.to_string())
    }

    async fn ask_distributor(
        &self,
        owner: &DistributionKey,
        channel: &Channel,
        wanted: RequestedDocuments,
    ) -> Result<DistributionBatch, NoAnswer> {
        let endpoint = self.distributor(channel).map_err(NoAnswer::NotSent)?;
        let wire = channel.family.wire;
        let call = wire.distribution(&endpoint, channel.ambiente, channel.uf, owner.cpf_cnpj, wanted);
        let call = call.ok_or_else(|| NoAnswer::NotSent("estes documentos não se pedem pela chave".to_owned()))?;
        self.call(&call, channel, move |reply| wire.read_distribution(reply)).await
    }

    /// Reads lot after lot, each committed with its cursor before the next is queried.
    pub(super) async fn walk(
        &self,
        lease: WalkLease,
        mut cursor: Cursor,
        channel: &Channel,
        lots: usize,
    ) -> Result<WalkStepOutcome, store::Error> {
        let mut walked: Option<WalkStepOutcome> = None;
        for lot in 1.. {
            let (handing, mut outcome, no_answer) = self.next_lot(&lease.owner, &cursor, channel).await;
            let whole = !outcome.goes_on;
            outcome.goes_on &= lot < lots;
            let (goes_on, said) = (outcome.goes_on, outcome.answer.clone());
            cursor.ult_nsu = outcome.ult_nsu.unwrap_or(cursor.ult_nsu);
            let kept = self.store().record_walk(lease, outcome, self.now_s()).await?;
            crash_point("received.committed");
            let now = WalkStepOutcome { kept, handing, said, whole, no_answer };
            let so_far = match walked {
                Some(before) => before.merge(now),
                None => now,
            };
            if !goes_on {
                return Ok(so_far);
            }
            walked = Some(so_far);
            self.store().renew_walk(lease, query_policy::claim(self.now_s())).await?;
        }
        Err(store::Error::Corrupt("a distribuição não termina"))
    }

    async fn next_lot(
        &self,
        owner: &DistributionKey,
        cursor: &Cursor,
        channel: &Channel,
    ) -> (DistributionOutcome, WalkOutcome, Option<String>) {
        crash_point("received.before");
        let answer = self.ask_distributor(owner, channel, RequestedDocuments::After(cursor.ult_nsu)).await;
        crash_point("received.reply");
        let now = self.now_s();
        match answer {
            Ok(answer) => {
                let outcome = query_policy::after_answer(cursor, &answer, now);
                let documents = read::documents(owner.tipo, answer.documents).await;
                tracing::info!(tipo = %owner.tipo, codigo = %answer.codigo, ult_nsu = outcome.ult_nsu, "distribution asked");
                (answer.outcome, WalkOutcome { documents, ..outcome }, None)
            }
            Err(no_answer) => {
                let cause = no_answer.to_string();
                let left_us = matches!(no_answer, NoAnswer::NoReply(_));
                (DistributionOutcome::Refused, query_policy::after_no_answer(cursor, left_us, &cause, now), Some(cause))
            }
        }
    }

    /// Queries one document; the query was counted already.
    pub(super) async fn query_document(
        &self,
        owner: DistributionKey,
        channel: &Channel,
        point: DocumentQuery,
    ) -> Result<WalkStepOutcome, SyncError> {
        let wanted = match point {
            DocumentQuery::Nsu(nsu) => RequestedDocuments::Nsu(nsu),
            DocumentQuery::Chave(chave) => {
                RequestedDocuments::Chave(chave.acesso().ok_or(SyncError::NotByKey(owner.tipo))?)
            }
        };
        let answer = self.ask_distributor(&owner, channel, wanted).await;
        let now = self.now_s();
        let answer = answer.map_err(|no_answer| SyncError::NoAnswer { cause: no_answer.to_string(), next_at: now })?;
        if let Some(until) = query_policy::blocked_until(&answer, now) {
            self.store().block_distribution(owner, until).await?;
        }
        if let (DocumentQuery::Chave(chave), Some(situacao)) = (point, query_policy::document_state(&answer.codigo)) {
            self.store().end_received(owner, chave.as_str().to_owned(), situacao, now).await?;
        }
        let documents = read::documents(owner.tipo, answer.documents).await;
        let kept = self.store().save_received(owner, documents, now).await?;
        let said = (Some(answer.codigo), answer.xMotivo);
        Ok(WalkStepOutcome { kept, handing: answer.outcome, said, whole: true, no_answer: None })
    }
}
