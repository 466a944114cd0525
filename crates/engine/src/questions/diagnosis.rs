//! Diagnosis: everything that may keep an account's documents from their authorities, at one look. Nobody is asked for
//! it: what is told is what was heard last.
//!
//! Law: `spec/not-shown.md` §4 (`GET /v1/diagnostico`). Must not know how it is written.

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

/// An account as far as documents go.
#[derive(Debug)]
pub struct Diagnosis {
    /// A page of its companies.
    pub companies: Vec<Checkup>,
    /// How many there are.
    pub total: u64,
    /// Documents of any company in contingency or in doubt, the oldest first, at most `UNSETTLED`.
    pub unsettled: Vec<Job>,
    /// One row per authority that this process has spoken to.
    pub authorities: Vec<AuthorityHealth>,
}

/// A company.
#[derive(Debug)]
pub struct Checkup {
    /// Its record.
    pub company: Company,
    /// One row per configured model.
    pub ways: Vec<Road>,
    /// Unfinished jobs, and those that somebody works on.
    pub queue: (u64, u64),
    /// Authorities that silenced it (656).
    pub blocks: Vec<Block>,
    /// What it asked within the hour.
    pub budgets: Vec<RateBucket>,
    /// Searches for received documents that their authority sent back, and that got no answer since.
    pub resets: Vec<WalkReset>,
}

/// Where the documents of one model go.
#[derive(Debug)]
pub struct Road {
    /// Their type.
    pub tipo: Tipo,
    /// 55, 65, 57 or 67.
    pub modelo: u8,
    /// Environment in use, as the credential allows.
    pub ambiente: TpAmb,
    /// State.
    pub uf: Uf,
    /// Who judges them.
    pub authority: String,
    /// What is known of it; nothing while it never was in trouble.
    pub circuit: Option<Circuit>,
    /// Its contingency authority, and what is known of that.
    pub svc: Option<(String, Option<Circuit>)>,
    /// The company's setting.
    pub contingencia: &'static str,
}

/// Calls of one service within the hour.
#[derive(Debug)]
pub struct RateBucket {
    /// Authority and service.
    pub servico: String,
    /// Calls about the one thing asked for most.
    pub most: u32,
    /// As many as an hour takes of one thing.
    pub per_hour: u32,
    /// Things asked for.
    pub subjects: u32,
}

/// Documents that are listed at most.
pub const UNSETTLED: u32 = 200;

impl Engine {
    /// A page of the account.
    pub async fn diagnosis(&self, caller: &Caller, limit: usize, offset: usize) -> Result<Diagnosis, store::Error> {
        let store = self.store();
        let (companies, total) = store.list_companies(caller.tenant_id, limit, offset).await?;
        let (overview, queues) = (self.overview().await?, store.queues(Sight::of(caller)).await?);
        let mut resets = store.walk_resets(caller.tenant_id, caller.ambiente).await?;
        if caller.ambiente == TpAmb::Producao {
            // a company whose configuration is in homologação is walked there by any credential
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
