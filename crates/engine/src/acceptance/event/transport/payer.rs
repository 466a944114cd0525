//! Events of a transport's payer: a job of a company that did not issue the CT-e, which need not be stored here.
//!
//! Law: MOC CT-e 4.00, anexo I, 610110 and 610111: the author is the tomador (755), within 45 days (787). Its key is
//! enough.

use crate::Engine;
use crate::acceptance::event::ordered::OrderedEvent;
use crate::acceptance::event::{Act, EventError, EventRequest, Target, act};
use crate::acceptance::order::Belongs;
use crate::family::{self, Family};
use crate::process::local_time;
use authority::table::Role;
use fiscal::value::ChaveAcesso;
use store::accounts::Caller;
use store::events::NewEvent;
use store::jobs::{NewAct, NewJob, Registered};

impl Engine {
    /// Registers the job; a reference used before returns its job.
    pub(in crate::acceptance::event) async fn act_of_payer(
        &self,
        caller: &Caller,
        request: EventRequest,
    ) -> Result<Registered, EventError> {
        let Target::Chave(chave) = &request.target else { return Err(EventError::UnknownDocument) };
        let chave = ChaveAcesso::parse(chave).map_err(|_| EventError::UnknownDocument)?;
        let family = family::of_modelo(chave.parts().modelo).filter(|family| family.tipo == request.tipo);
        let family = family.ok_or(EventError::WrongModel)?;
        let (cpf_cnpj, referencia) = (request.cpf_cnpj, request.referencia.clone());
        let order = act::order(request, None);
        let payload = order.keep();
        if let Some(replay) = self.replay(caller.tenant_id, order.operacao(), referencia.as_deref(), &payload).await? {
            return Ok(replay);
        }
        let ambiente = self.party(caller.tenant_id, cpf_cnpj, family).await?.ambiente(caller.ambiente);
        let kind = (family.acts.kind)(&order).ok_or(EventError::WrongModel)?;
        let former = self.former(caller.tenant_id, chave.into(), kind).await?;
        let now = &local_time::written(self.now(), chave.parts().uf);
        let said =
            OrderedEvent { order: &order, chave: chave.into(), nProt: "", numero: None, dialect: None, former, now };
        let notices = (family.acts.check)(&said)?;
        let event = NewEvent { chave: chave.into(), tpEvento: kind.code.to_owned(), most: kind.most };
        let authority = self.authority(chave, family);
        let belongs = Belongs { tenant_id: caller.tenant_id, tipo: family.tipo, ambiente, authority };
        let act = Some(NewAct::Event(event));
        self.register_act(NewJob { notices, act, ..order.job(payload, belongs) }).await
    }

    fn authority(&self, chave: ChaveAcesso, family: &Family) -> &str {
        let uf = chave.parts().uf;
        self.inner.table.authority(uf, family.modelo, Role::Normal).unwrap_or(uf.sigla())
    }
}

impl Act {
    /// `true` if the author is the payer and not the issuer.
    pub(in crate::acceptance::event) fn is_of_payer(&self) -> bool {
        use fiscal::event::cte::Author;
        matches!(self, Act::Registrar { kind, .. } if kind.author() == Author::Tomador)
    }
}
