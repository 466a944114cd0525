//! Events of a transport's payer: a job of a company that did not issue the CT-e, which need not be stored here.
//!
//! Law: MOC CT-e 4.00, anexo I, 610110 and 610111: the author is the tomador (755), within 45 days (787). Its key is
//! enough.

use crate::Engine;
use crate::family::event::ordered_event::OrderedEvent;
use crate::family::{self, Family};
use crate::order::JobScope;
use crate::order::act_request::{ActRequest, DocumentAct, DocumentTarget};
use crate::order::event_error::EventError;
use crate::process::local_time;
use authority::table::AuthorityRole;
use fiscal::value::ChaveAcesso;
use store::accounts::Caller;
use store::events::NewEvent;
use store::jobs::{NewAct, NewJob, RegistrationResult};

impl Engine {
    /// Registers the job; a reference used before returns its job.
    pub(super) async fn act_of_payer(
        &self,
        caller: &Caller,
        request: ActRequest,
    ) -> Result<RegistrationResult, EventError> {
        let DocumentTarget::Chave(chave) = &request.target else { return Err(EventError::UnknownDocument) };
        let chave = ChaveAcesso::parse(chave).map_err(|_| EventError::UnknownDocument)?;
        let family = family::of_modelo(chave.parts().modelo).filter(|family| family.tipo == request.tipo);
        let family = family.ok_or(EventError::WrongModel)?;
        let (cpf_cnpj, referencia) = (request.cpf_cnpj, request.referencia.clone());
        let order = request.into_order(None);
        let payload = order.to_payload();
        if let Some(replay) = self.replay(caller, order.operacao(), referencia.as_deref(), &payload).await? {
            return Ok(replay);
        }
        let ambiente = self.party(store::Visibility::of(caller), cpf_cnpj, family).await?.ambiente(caller.ambiente);
        let kind = (family.acts.kind)(&order).ok_or(EventError::WrongModel)?;
        let former = self.preceding_event(caller.tenant_id, chave.into(), kind).await?;
        let now = &local_time::written(self.now(), chave.parts().uf);
        let said =
            OrderedEvent { order: &order, chave: chave.into(), nProt: "", numero: None, dialect: None, former, now };
        let notices = (family.acts.check)(&said)?;
        let event = NewEvent { chave: chave.into(), tpEvento: kind.code.to_owned(), most: kind.most };
        let authority = self.authority(chave, family);
        let belongs = JobScope { tenant_id: caller.tenant_id, tipo: family.tipo, ambiente, authority };
        let act = Some(NewAct::Event(event));
        self.register_act(caller, NewJob { notices, act, ..order.job(payload, belongs) }).await
    }

    fn authority(&self, chave: ChaveAcesso, family: &Family) -> &str {
        let uf = chave.parts().uf;
        self.inner.table.authority(uf, family.modelo, AuthorityRole::Normal).unwrap_or(uf.sigla())
    }
}

impl DocumentAct {
    /// `true` if the author is the payer and not the issuer.
    pub(super) fn is_of_payer(&self) -> bool {
        use fiscal::event::cte::EventAuthor;
        matches!(self, DocumentAct::Registrar { kind, .. } if kind.author() == EventAuthor::Tomador)
    }
}
