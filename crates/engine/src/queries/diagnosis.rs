//! Diagnosis of an account: everything that may keep its documents from their authorities (`GET /v1/diagnostico`).
//! Makes no calls; reports recorded state.
//!
//! Must not know: the form of the answer.

use crate::Engine;
use crate::authorities::health::AuthorityHealth;
use crate::authorities::{budget, undue_use};
use crate::family::issuer::FamilyIssuer;
use crate::family::{self, Family};
use authority::table::AuthorityRole;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb, Uf};
use store::Visibility;
use store::accounts::Caller;
use store::authorities::{AuthorityStates, Circuit, CompanyBlock};
use store::companies::Company;
use store::jobs::Job;
use store::received::WalkReset;

/// State of an account's documents.
#[derive(Debug)]
pub struct Diagnosis {
    /// A page of its companies.
    pub companies: Vec<CompanyCheckup>,
    /// Count of its companies.
    pub total: u64,
    /// Documents of any company in contingency or in doubt, the oldest first, at most `UNSETTLED`.
    pub unsettled: Vec<Job>,
    /// Health of each authority that this process has called.
    pub authorities: Vec<AuthorityHealth>,
}

/// State of a company.
#[derive(Debug)]
pub struct CompanyCheckup {
    pub company: Company,
    /// Route of each configured model.
    pub routes: Vec<AuthorityRoute>,
    /// Unfinished jobs, and those of them that a worker holds.
    pub queue: (u64, u64),
    /// Authorities that block it (656).
    pub blocks: Vec<CompanyBlock>,
    /// Its calls within the hour.
    pub budgets: Vec<RateBucket>,
    /// Searches for received documents that their authority reset, and that got no answer since.
    pub resets: Vec<WalkReset>,
}

/// Authorities of the documents of one model.
#[derive(Debug)]
pub struct AuthorityRoute {
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
        let (companies, total) = store.list_companies(Visibility::of(caller), limit, offset).await?;
        let (overview, queues) = (self.authority_overview().await?, store.queues(Visibility::of(caller)).await?);
        let mut resets = store.walk_resets(caller.tenant_id, caller.ambiente).await?;
        if caller.ambiente == TpAmb::Producao {
            // a company whose configuration is in homologação is searched there by any credential
            resets.extend(store.walk_resets(caller.tenant_id, TpAmb::Homologacao).await?);
        }
        let mut checkups = Vec::with_capacity(companies.len());
        for company in companies {
            let queue = queues.get(&company.cpf_cnpj).copied().unwrap_or_default();
            let own = resets.iter().filter(|reset| reset.cpf_cnpj == company.cpf_cnpj).cloned().collect();
            checkups.push(CompanyCheckup { resets: own, ..self.checkup(caller, company, queue, &overview).await? });
        }
        let unsettled = store.unsettled(Visibility::of(caller), UNSETTLED).await?;
        Ok(Diagnosis { companies: checkups, total, unsettled, authorities: self.inner.health.all() })
    }

    async fn checkup(
        &self,
        caller: &Caller,
        company: Company,
        queue: (u64, u64),
        overview: &AuthorityStates,
    ) -> Result<CompanyCheckup, store::Error> {
        let ways =
            family::all().filter_map(|family| self.authority_route(caller, &company, family, overview)).collect();
        let blocks = blocks_of(company.cpf_cnpj, overview, self.now_s());
        let spent = self.counted_calls(&undue_use::transmitter_of(company.cpf_cnpj)).await?;
        let bucket = |spent: store::authorities::BudgetUsage| {
            let per_hour = budget::per_hour(&spent.servico)?;
            Some(RateBucket { servico: spent.servico, most: spent.most, per_hour, subjects: spent.subjects })
        };
        let budgets = spent.into_iter().filter_map(bucket).collect();
        Ok(CompanyCheckup { company, routes: ways, queue, blocks, budgets, resets: Vec::new() })
    }

    fn authority_route(
        &self,
        caller: &Caller,
        company: &Company,
        family: &Family,
        overview: &AuthorityStates,
    ) -> Option<AuthorityRoute> {
        let (issuer, modelo) = (FamilyIssuer::new(company.clone(), family)?, family.modelo);
        let (uf, ambiente) = (issuer.uf?, issuer.ambiente(caller.ambiente));
        let circuit = |name: &str| {
            let same = |circuit: &&Circuit| {
                circuit.key.authority == name && circuit.key.modelo == modelo && circuit.key.ambiente == ambiente
            };
            overview.circuits.iter().find(same).cloned()
        };
        let authority = self.inner.table.authority(uf, modelo, AuthorityRole::Normal)?.to_owned();
        let svc =
            self.inner.table.authority(uf, modelo, AuthorityRole::Contingency).filter(|svc| family.svc(svc).is_some());
        Some(AuthorityRoute {
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

fn blocks_of(company: CnpjCpf, overview: &AuthorityStates, now: i64) -> Vec<CompanyBlock> {
    let transmissor = undue_use::transmitter_of(company);
    let own = |block: &&CompanyBlock| block.transmissor == transmissor && block.until > now;
    overview.blocks.iter().filter(own).cloned().collect()
}
