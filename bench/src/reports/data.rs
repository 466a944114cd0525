//! Jobs of 200 accounts, generated from a seed: one account is large, the others share the rest by rank.
//!
//! Rows come in order of time, so that the rows of an account lie scattered among all others, as after a year.

use std::collections::HashMap;
use uuid::Uuid;

/// Number of accounts.
pub(crate) const TENANTS: usize = 200;
/// Days over which the jobs are spread, up to now.
const DAYS: u64 = 365;
/// Rank of the account that is measured besides the largest.
pub(crate) const TYPICAL: usize = 100;

/// A job with its document.
pub(crate) struct BenchJob {
    pub(crate) tenant: usize,
    pub(crate) id: Uuid,
    pub(crate) tipo: &'static str,
    pub(crate) cpf_cnpj: String,
    pub(crate) referencia: String,
    pub(crate) criado_em: u64,
    pub(crate) destinatario: String,
    pub(crate) vNF: String,
    pub(crate) end: BenchOutcome,
}

/// The outcome of a job.
pub(crate) enum BenchOutcome {
    Failed { codigo: &'static str },
    Decided(DecidedDocument),
}

/// A document as the authority decided on it.
pub(crate) struct DecidedDocument {
    pub(crate) state: &'static str,
    pub(crate) modelo: u8,
    pub(crate) nNF: u32,
    pub(crate) chave: String,
    pub(crate) cStat: u16,
    pub(crate) xMotivo: String,
}

/// Kinds of documents: type and model, each with its share of ten.
type Kinds = [(&'static str, u8); 10];

/// Two types, as the reports have them.
const GOODS: Kinds = [
    ("nfe", 55),
    ("nfe", 55),
    ("nfe", 55),
    ("nfe", 55),
    ("nfe", 55),
    ("nfe", 55),
    ("nfe", 55),
    ("nfe", 55),
    ("nfce", 65),
    ("nfce", 65),
];
/// Three types.
const GOODS_AND_CARRIAGE: Kinds = [
    ("nfe", 55),
    ("nfe", 55),
    ("nfe", 55),
    ("nfe", 55),
    ("nfe", 55),
    ("nfce", 65),
    ("nfce", 65),
    ("nfce", 65),
    ("cte", 57),
    ("cte", 57),
];

/// Iterator over the jobs.
pub(crate) struct JobGenerator {
    chance: u64,
    left: Vec<u64>,
    total: u64,
    made: u64,
    all: u64,
    now: u64,
    companies: Vec<Vec<String>>,
    numbers: HashMap<(usize, String, u8), u32>,
    kinds: &'static Kinds,
    /// One document in so many goes to the same addressee.
    regular: Option<u64>,
}

impl JobGenerator {
    /// Jobs of which the largest account has a fifth.
    pub(crate) fn new(all: u64, now: u64) -> JobGenerator {
        JobGenerator::with_largest(all / 5, all, now)
    }

    /// Jobs that the largest account has nearly all, of three types, a third of them to one addressee.
    pub(crate) fn of_one_account(all: u64, now: u64) -> JobGenerator {
        let generator = JobGenerator::with_largest(all - all / 100, all, now);
        JobGenerator { kinds: &GOODS_AND_CARRIAGE, regular: Some(3), ..generator }
    }

    fn with_largest(big: u64, all: u64, now: u64) -> JobGenerator {
        let weights: f64 = (1..TENANTS).map(|rank| 1.0 / rank as f64).sum();
        let rest = (all - big) as f64;
        let mut left: Vec<u64> = (1..TENANTS).map(|rank| (rest / rank as f64 / weights) as u64).collect();
        left.insert(0, big);
        let total = left.iter().sum();
        let companies = (0..TENANTS).map(|tenant| {
            (0..if tenant == 0 { 20 } else { 1 + tenant % 5 }).map(|branch| cnpj(tenant, branch)).collect()
        });
        JobGenerator {
            chance: 0x9e37_79b9_7f4a_7c15,
            left,
            total,
            made: 0,
            all: total,
            now,
            companies: companies.collect(),
            numbers: HashMap::new(),
            kinds: &GOODS,
            regular: None,
        }
    }

    pub(crate) fn all(&self) -> u64 {
        self.all
    }

    pub(crate) fn companies(&self, tenant: usize) -> &[String] {
        &self.companies[tenant]
    }

    fn draw(&mut self, below: u64) -> u64 {
        // xorshift64*: repeatable, and good enough to scatter rows
        self.chance ^= self.chance >> 12;
        self.chance ^= self.chance << 25;
        self.chance ^= self.chance >> 27;
        (self.chance.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) % below
    }

    /// Draws an account, weighted by the jobs it has left.
    fn tenant(&mut self) -> usize {
        let mut at = self.draw(self.total);
        let tenant = self.left.iter().position(|left| match at.checked_sub(*left) {
            Some(rest) => {
                at = rest;
                false
            }
            None => true,
        });
        let tenant = tenant.unwrap_or(0);
        self.left[tenant] -= 1;
        self.total -= 1;
        tenant
    }

    fn decided_document(&mut self, tenant: usize, cpf_cnpj: &str, modelo: u8, at: u64) -> DecidedDocument {
        let state = match self.draw(1000) {
            0 => "denied",
            1..=30 => "rejected",
            31..=50 => "cancelled",
            _ => "authorized",
        };
        let number = self.numbers.entry((tenant, cpf_cnpj.to_owned(), modelo)).or_insert(0);
        *number += 1;
        let nNF = *number;
        let code = self.draw(100_000_000);
        let (cStat, xMotivo) = match state {
            "rejected" => {
                let cStat = REJECTIONS[self.draw(REJECTIONS.len() as u64) as usize];
                (cStat, format!("Rejeicao: regra {cStat} da base de medicao [nItem:{}]", 1 + self.draw(5)))
            }
            "denied" => (302, "Uso Denegado: Irregularidade fiscal do destinatario".to_owned()),
            _ => (100, "Autorizado o uso da NF-e".to_owned()),
        };
        DecidedDocument { state, modelo, nNF, chave: chave(cpf_cnpj, modelo, nNF, code, at), cStat, xMotivo }
    }
}

impl Iterator for JobGenerator {
    type Item = BenchJob;

    fn next(&mut self) -> Option<BenchJob> {
        if self.total == 0 {
            return None;
        }
        let tenant = self.tenant();
        let at_ms = (self.now - DAYS * 86_400) * 1000 + self.made * DAYS * 86_400_000 / self.all;
        self.made += 1;
        let (high, low) = (self.draw(1 << 40), self.draw(1 << 40));
        let chance = (u128::from(high) << 40 | u128::from(low)) & ((1 << 74) - 1);
        let id =
            (u128::from(at_ms) << 80) | (7 << 76) | ((chance >> 62) << 64) | (2 << 62) | (chance & ((1 << 62) - 1));
        let company = self.draw(self.companies[tenant].len() as u64) as usize;
        let cpf_cnpj = self.companies[tenant][company].clone();
        let (tipo, modelo) = self.kinds[self.draw(10) as usize];
        let cents = 100 + self.draw(500_000);
        let end = match self.draw(1000) {
            0..=8 => BenchOutcome::Failed { codigo: FAILURES[self.draw(FAILURES.len() as u64) as usize] },
            _ => BenchOutcome::Decided(self.decided_document(tenant, &cpf_cnpj, modelo, at_ms / 1000)),
        };
        let is_regular = self.regular.is_some_and(|share| self.draw(share) == 0);
        let person = if is_regular { 0 } else { self.draw(if tenant == 0 { 50_000 } else { 2_000 }) };
        Some(BenchJob {
            tenant,
            id: Uuid::from_u128(id),
            tipo,
            cpf_cnpj,
            referencia: format!("PED{:09}", self.made),
            criado_em: at_ms / 1000,
            destinatario: cpf(person),
            vNF: format!("{}.{:02}", cents / 100, cents % 100),
            end,
        })
    }
}

/// Returns the CNPJ of a branch of the account's company.
fn cnpj(tenant: usize, branch: usize) -> String {
    with_check_digit(with_check_digit(format!("{:08}{:04}", 10_000_000 + tenant, branch + 1), 9), 9)
}

/// Returns the CPF of a person.
pub(crate) fn cpf(person: u64) -> String {
    with_check_digit(with_check_digit(format!("{:09}", 100_000_000 + person), 11), 11)
}

/// Returns an access key.
fn chave(cpf_cnpj: &str, modelo: u8, nNF: u32, code: u64, at: u64) -> String {
    // only the form of the key matters, so months of 30 days will do
    let month = 1 + (at / 2_592_000) % 12;
    with_check_digit(format!("3526{month:02}{cpf_cnpj}{modelo}001{nNF:09}1{code:08}"), 9)
}

/// Appends the check digit of modulo 11; weights run from 2 to `heaviest`, from the right.
fn with_check_digit(digits: String, heaviest: u32) -> String {
    let weights = (2..=heaviest).cycle();
    let sum: u32 = digits.bytes().rev().zip(weights).map(|(byte, weight)| u32::from(byte - b'0') * weight).sum();
    let digit = match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    };
    format!("{digits}{digit}")
}

const REJECTIONS: [u16; 20] =
    [204, 206, 208, 209, 210, 225, 226, 228, 232, 401, 531, 533, 590, 598, 610, 611, 629, 778, 806, 866];
const FAILURES: [&str; 4] = ["certificado_expirado", "empresa_sem_certificado", "documento_invalido", "numero_em_uso"];
