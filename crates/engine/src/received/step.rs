//! Queries of the Ambiente Nacional and their results.

use super::{Point, SyncError, law, read};
use crate::authorities::bridge::Channel;
use crate::authorities::call::NoAnswer;
use crate::family::Family;
use crate::family::issuer::Issuer;
use crate::{Engine, crash_point};
use authority::answer::{Batch, Handing};
use authority::sefaz::Wanted;
use authority::table::{Endpoint, Role, Service};
use fiscal::value::{CnpjCpf, Codigo, Uf};
use store::accounts::Caller;
use store::received::{Cursor, Kept, Outcome, Owner, WalkLease};

/// Result of a search.
pub(super) struct Walked {
    pub(super) kept: Kept,
    /// Kind of the last answer, or of the last one that brought documents.
    pub(super) handing: Handing,
    /// Code and text of that answer.
    pub(super) said: (Option<Codigo>, String),
    /// True if the authority has nothing more.
    pub(super) whole: bool,
    /// Reason why no answer came, when none did.
    pub(super) no_answer: Option<String>,
}

impl Walked {
    /// Adds the result of the next lot: of two answers the one with documents is reported.
    fn and(self, next: Walked) -> Walked {
        let mut kept = self.kept;
        kept += next.kept;
        let nothing_more = self.handing == Handing::Some && next.handing == Handing::None;
        let (handing, said) = if nothing_more { (self.handing, self.said) } else { (next.handing, next.said) };
        Walked { kept, handing, said, ..next }
    }
}

impl Engine {
    /// Owner of the distribution, in the environment of credential and configuration.
    pub(super) async fn owner(
        &self,
        caller: &Caller,
        cpf_cnpj: CnpjCpf,
        family: &'static Family,
    ) -> Result<Owner, SyncError> {
        self.receiving(caller, cpf_cnpj, family).await.map(|(owner, _)| owner)
    }

    async fn receiving(
        &self,
        caller: &Caller,
        cpf_cnpj: CnpjCpf,
        family: &'static Family,
    ) -> Result<(Owner, Issuer), SyncError> {
        let issuer = self.party(caller.tenant_id, cpf_cnpj, family).await;
        let issuer = issuer.map_err(|why| SyncError::of_issuer(why, family.tipo))?;
        let ambiente = issuer.ambiente(caller.ambiente);
        Ok((Owner { tenant: caller.tenant_id, cpf_cnpj, ambiente, tipo: family.tipo }, issuer))
    }

    /// Owner and channel of a query.
    pub(super) async fn receiver(
        &self,
        caller: &Caller,
        cpf_cnpj: CnpjCpf,
        family: &'static Family,
    ) -> Result<(Owner, Channel), SyncError> {
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
            Service::DistribuicaoDFe,
            Role::National,
        );
        found.map_err(|none| none.to_string())
    }

    async fn ask_distributor(&self, owner: &Owner, channel: &Channel, wanted: Wanted) -> Result<Batch, NoAnswer> {
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
    ) -> Result<Walked, store::Error> {
        let mut walked: Option<Walked> = None;
        for lot in 1.. {
            let (handing, mut outcome, no_answer) = self.next_lot(&lease.owner, &cursor, channel).await;
            let whole = !outcome.goes_on;
            outcome.goes_on &= lot < lots;
            let (goes_on, said) = (outcome.goes_on, outcome.said.clone());
            cursor.ult_nsu = outcome.ult_nsu.unwrap_or(cursor.ult_nsu);
            let kept = self.store().walked(lease, outcome, self.now_s()).await?;
            crash_point("received.committed");
            let now = Walked { kept, handing, said, whole, no_answer };
            let so_far = match walked {
                Some(before) => before.and(now),
                None => now,
            };
            if !goes_on {
                return Ok(so_far);
            }
            walked = Some(so_far);
            self.store().walk_on(lease, law::claim(self.now_s())).await?;
        }
        Err(store::Error::Corrupt("a distribuição não termina"))
    }

    async fn next_lot(&self, owner: &Owner, cursor: &Cursor, channel: &Channel) -> (Handing, Outcome, Option<String>) {
        crash_point("received.before");
        let answer = self.ask_distributor(owner, channel, Wanted::After(cursor.ult_nsu)).await;
        crash_point("received.reply");
        let now = self.now_s();
        match answer {
            Ok(answer) => {
                let outcome = law::answered(cursor, &answer, now);
                let documents = read::documents(owner.tipo, answer.documents).await;
                tracing::info!(tipo = %owner.tipo, codigo = %answer.codigo, ult_nsu = outcome.ult_nsu, "distribution asked");
                (answer.handing, Outcome { documents, ..outcome }, None)
            }
            Err(no_answer) => {
                let cause = no_answer.to_string();
                let left_us = matches!(no_answer, NoAnswer::NoReply(_));
                (Handing::Refused, law::unanswered(cursor, left_us, &cause, now), Some(cause))
            }
        }
    }

    /// Queries one document; the query was counted already.
    pub(super) async fn point(&self, owner: Owner, channel: &Channel, point: Point) -> Result<Walked, SyncError> {
        let wanted = match point {
            Point::Nsu(nsu) => Wanted::Nsu(nsu),
            Point::Chave(chave) => Wanted::Chave(chave.acesso().ok_or(SyncError::NotByKey(owner.tipo))?),
        };
        let answer = self.ask_distributor(&owner, channel, wanted).await;
        let now = self.now_s();
        let answer = answer.map_err(|no_answer| SyncError::NoAnswer { cause: no_answer.to_string(), next_at: now })?;
        if let Some(until) = law::silenced_until(&answer, now) {
            self.store().block_distribution(owner, until).await?;
        }
        if let (Point::Chave(chave), Some(situacao)) = (point, law::ended(&answer.codigo)) {
            self.store().end_received(owner, chave.as_str().to_owned(), situacao, now).await?;
        }
        let documents = read::documents(owner.tipo, answer.documents).await;
        let kept = self.store().keep_documents(owner, documents, now).await?;
        let said = (Some(answer.codigo), answer.xMotivo);
        Ok(Walked { kept, handing: answer.handing, said, whole: true, no_answer: None })
    }
}
