//! Diagnosis of an account: everything that may keep its documents from their authorities (`GET /v1/diagnostico`).
//! Makes no calls; reports recorded state.
//!
//! Must not know: the form of the answer.

use crate::Engine;
use crate::authorities::bridge::AuthorityHealth;
use crate::authorities::{budget, undue_use};
use crate::family::issuer::Issuer;
use crate::family::{self, Family};
use authority::table::Role;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb, Uf};
use store::Sight;
use store::accounts::Caller;
use store::authorities::{Block, Circuit, Overview};
use store::companies::Company;
use store::jobs::Job;
use store::received::WalkReset;

/// State of an account's documents.
#[derive(Debug)]
pub struct Diagnosis {
    /// A page of its companies.
    pub companies: Vec<Checkup>,
    /// Count of its companies.
    pub total: u64,
    /// Documents of any company in contingency or in doubt, the oldest first, at most `UNSETTLED`.
    pub unsettled: Vec<Job>,
    /// Health of each authority that this process has called.
    pub authorities: Vec<AuthorityHealth>,
}

/// State of a company.
#[derive(Debug)]
pub struct Checkup {
    pub company: Company,
    /// Route of each configured model.
    pub ways: Vec<Road>,
    /// Unfinished jobs, and those of them that a worker holds.
    pub queue: (u64, u64),
    /// Authorities that block it (656).
    pub blocks: Vec<Block>,
    /// Its calls within the hour.
    pub budgets: Vec<RateBucket>,
    /// Searches for received documents that their authority reset, and that got no answer since.
    pub resets: Vec<WalkReset>,
}

/// Authorities of the documents of one model.
#[derive(Debug)]
pub struct Road {
    /// Document type.
    pub tipo: Tipo,
    /// 55, 65, 57 or 67.
    pub modelo: u8,
    /// Environment in use, as the credential allows.
    pub ambiente: TpAmb,
    pub uf: Uf,
    /// Authority that judges them.
    pub authority: String,
    /// Circuit of the authority; `None` if it never failed.
    pub circuit: Option<Circuit>,
    /// Its contingency authority, and the circuit of that.
    pub svc: Option<(String, Option<Circuit>)>,
    /// Contingency setting of the company.
    pub contingencia: &'static str,
}

/// Calls of one service within the hour.
#[derive(Debug)]
pub struct RateBucket {
    /// Authority and service.
    pub servico: String,
    /// Calls about the most queried subject.
    pub most: u32,
    /// Calls that an hour allows about one subject.
    pub per_hour: u32,
    /// Queried subjects.
    pub subjects: u32,
}

/// Most documents in the list.
pub const UNSETTLED: u32 = 200;

impl Engine {
    /// Returns a page of the account.
    pub async fn diagnosis(&self, caller: &Caller, limit: usize, offset: usize) -> Result<Diagnosis, store::Error> {
        let store = self.store();
        let (companies, total) = store.list_companies(caller.tenant_id, limit, offset).await?;
        let (overview, queues) = (self.overview().await?, store.queues(Sight::of(caller)).await?);
        let mut resets = store.walk_resets(caller.tenant_id, caller.ambiente).await?;
        if caller.ambiente == TpAmb::Producao {
            // a company whose configuration is in homologação is searched there by any credential
            resets.extend(store.walk_resets(caller.tenant_id, TpAmb::Homologacao).await?);
        }
        let mut checkups = Vec::with_capacity(companies.len());
        for company in companies {
            let queue = queues.get(&company.cpf_cnpj).copied().unwrap_or_default();
            let own = resets.iter().filter(|reset| reset.cpf_cnpj == company.cpf_cnpj).cloned().collect();
            checkups.push(Checkup { resets: own, ..self.checkup(caller, company, queue, &overview).await? });
        }
        let unsettled = store.unsettled(Sight::of(caller), UNSETTLED).await?;
        Ok(Diagnosis { companies: checkups, total, unsettled, authorities: self.inner.bridge.all() })
    }

    async fn checkup(
        &self,
        caller: &Caller,
        company: Company,
        queue: (u64, u64),
        overview: &Overview,
    ) -> Result<Checkup, store::Error> {
        let ways = family::all().filter_map(|family| self.road(caller, &company, family, overview)).collect();
        let blocks = blocks_of(company.cpf_cnpj, overview, self.now_s());
        let spent = self.spendings(&undue_use::transmitter_of(company.cpf_cnpj)).await?;
        let bucket = |spent: store::authorities::Spent| {
            let per_hour = budget::per_hour(&spent.servico)?;
            Some(RateBucket { servico: spent.servico, most: spent.most, per_hour, subjects: spent.subjects })
        };
        let budgets = spent.into_iter().filter_map(bucket).collect();
        Ok(Checkup { company, ways, queue, blocks, budgets, resets: Vec::new() })
    }

    fn road(&self, caller: &Caller, company: &Company, family: &Family, overview: &Overview) -> Option<Road> {
        let (issuer, modelo) = (Issuer::new(company.clone(), family)?, family.modelo);
        let (uf, ambiente) = (issuer.uf?, issuer.ambiente(caller.ambiente));
        let circuit = |name: &str| {
            let same = |circuit: &&Circuit| {
                circuit.key.authority == name && circuit.key.modelo == modelo && circuit.key.ambiente == ambiente
            };
            overview.circuits.iter().find(same).cloned()
        };
        let authority = self.inner.table.authority(uf, modelo, Role::Normal)?.to_owned();
        let svc = self.inner.table.authority(uf, modelo, Role::Contingency).filter(|svc| family.svc(svc).is_some());
        Some(Road {
            tipo: family.tipo,
            modelo,
            ambiente,
            uf,
            circuit: circuit(&authority),
            authority,
            svc: svc.map(|svc| (svc.to_owned(), circuit(&format!("{svc}/{}", uf.sigla())))),
            contingencia: self.policy(&issuer, ambiente, family).word(),
        })
    }
}

fn blocks_of(company: CnpjCpf, overview: &Overview, now: i64) -> Vec<Block> {
    let transmissor = undue_use::transmitter_of(company);
    let own = |block: &&Block| block.transmissor == transmissor && block.until > now;
    overview.blocks.iter().filter(own).cloned().collect()
}
