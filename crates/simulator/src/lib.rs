//! The authorities and the municipal providers, simulated: SOAP and REST over mutual TLS, official rules by their
//! numbers, scripted faults.
//!
//! `https` answers as the authorities do; `control` (`/_sim`, JSON, see the module) sets clock, rules, modes, taxpayers
//! and faults, and shows the received requests. In process, [`Simulator`] offers both directly.
//!
//! Magic values: an item whose `xProd` contains `[SIM:cStat=NNN]` (of a CT-e: `proPred`, `xDescServ`, `xObs`) is
//! answered NNN with its official text, denials included; in a DPS, `[SIM:codigo=E0625]` in `xDescServ`, in an RPS in
//! `Discriminacao`.
//!
//! Must not know: engine, store, server. The simulator is the other side of the wire.

pub mod abrasf;
mod authorizer;
mod body;
pub mod clock;
mod control;
mod credential;
mod dialect;
mod distribution_queue;
pub mod faults;
mod http_reply;
mod late;
mod late_queue;
mod ledger;
mod limits;
mod listener;
mod lost_book;
mod magic;
mod message_codes;
pub mod nfse;
pub mod pki;
mod router;
pub mod rule_switch;
mod sefaz;
mod service_address;
pub mod settings;
mod signature;
mod simulator_state;
mod soap;
mod stages;
mod taxpayer;
mod visibility;

pub use ledger::{ArrivalCounts, LedgerDocument, LedgerEvent, LedgerStatus, RequestRecord, VoidedRange};
pub use lost_book::LostBook;
pub use stages::STAGES;

use anyhow::Context as _;
use faults::script::FaultScript;
use fiscal::value::TpAmb;
use settings::SimulatorSettings;
use simulator_state::SimulatorState;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Options of a start.
#[derive(Debug, Clone)]
pub struct SimulatorOptions {
    /// HTTPS listener of the authorities; port 0 takes a free one.
    pub https: SocketAddr,
    /// HTTP listener of the control plane `/_sim`.
    pub control: SocketAddr,
    /// Folder of the test authority chain; made when absent.
    pub pki_dir: PathBuf,
    /// Folder of RSA keys that processes share, as those of a suite do; without one each certificate gets a key of its
    /// own.
    pub kept_keys: Option<PathBuf>,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// Longest wait of `stop` for requests under way.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// A running simulator.
pub struct Simulator {
    world: Arc<SimulatorState>,
    pki: pki::Pki,
    https: SocketAddr,
    control: SocketAddr,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Simulator {
    /// Makes the chain if needed, binds, serves in background tasks of the current runtime.
    ///
    /// Boxed: an `async fn` is compiled by each crate that waits for it, and the program is not optimised.
    pub fn start(options: SimulatorOptions) -> Pin<Box<dyn Future<Output = anyhow::Result<Simulator>> + Send>> {
        Box::pin(Simulator::started(options))
    }

    async fn started(options: SimulatorOptions) -> anyhow::Result<Simulator> {
        let (dir, keys) = (options.pki_dir, options.kept_keys);
        let pki = tokio::task::spawn_blocking(move || chain(&dir, keys)).await??;
        let world = Arc::new(SimulatorState::new(&pki, options.seed)?);
        let (https, control) = (listen(options.https).await?, listen(options.control).await?);
        let (https_address, control_address) = (https.local_addr()?, control.local_addr()?);
        world.set_address(format!("https://{https_address}"));
        let stop = watch::Sender::new(false);
        let acceptors = listener::TlsAcceptors::new(&pki)?;
        let tasks = vec![
            tokio::spawn(listener::serve(Arc::clone(&world), https, acceptors, stop.subscribe())),
            tokio::spawn(control::serve(Arc::clone(&world), pki.clone(), control, stop.subscribe())),
        ];
        Ok(Simulator { world, pki, https: https_address, control: control_address, stop, tasks })
    }
    /// `https://127.0.0.1:PORT`.
    pub fn https_url(&self) -> String {
        format!("https://{}", self.https)
    }
    /// `http://127.0.0.1:PORT`.
    pub fn control_url(&self) -> String {
        format!("http://{}", self.control)
    }
    /// The chain, to trust it and to issue test certificates.
    pub fn pki(&self) -> &pki::Pki {
        &self.pki
    }
    /// TOML for `authority::table::Table::with_overrides`, with every service at this simulator.
    pub fn endpoints_toml(&self) -> String {
        endpoints_toml(&self.https_url())
    }
    pub fn faults(&self) -> &FaultScript {
        &self.world.faults
    }
    /// Adds a fault; one that refuses connections also closes those that are open.
    pub fn add_fault(&self, fault: faults::Fault) -> u64 {
        add_fault(&self.world, fault)
    }
    /// Processes now every message that a `late` fault holds back; returns their number.
    pub fn process_late(&self) -> usize {
        late::flush(&self.world)
    }
    /// Forgets registered documents; returns their number.
    pub fn forget(&self, lost: &LostBook) -> usize {
        self.world.forget(lost)
    }
    /// Makes everything that an `invisible` fault hides visible to queries; returns the number of documents and notes.
    pub fn reveal(&self) -> usize {
        self.world.reveal()
    }
    pub fn clock(&self) -> &clock::SimulatedClock {
        &self.world.clock
    }
    /// A copy of the settings.
    pub fn settings(&self) -> SimulatorSettings {
        (*self.world.settings()).clone()
    }
    /// Changes the settings.
    pub fn configure(&self, change: impl FnOnce(&mut SimulatorSettings)) {
        change(&mut self.world.settings_mut());
    }
    /// Stored documents, of one issuer (CNPJ or CPF) or of all, by key.
    pub fn documents(&self, emitente: Option<&str>) -> Vec<LedgerDocument> {
        let ledger = self.world.ledger();
        let of_issuer = |document: &&LedgerDocument| emitente.is_none_or(|emitente| document.emitente == emitente);
        let mut documents: Vec<LedgerDocument> = ledger.documents().filter(of_issuer).cloned().collect();
        documents.sort_by(|one, other| one.chave.cmp(&other.chave));
        documents
    }
    /// A stored document.
    pub fn document(&self, ambiente: TpAmb, chave: &str) -> Option<LedgerDocument> {
        self.world.ledger().document(ambiente, chave).cloned()
    }
    /// Counts of a key.
    pub fn counts(&self, chave: &str) -> ArrivalCounts {
        self.world.ledger().counts.get(chave).copied().unwrap_or_default()
    }
    /// Address of the Sefin Nacional, as `authority::nfse_nacional::Sefin::at` takes it.
    pub fn sefin_url(&self, ambiente: TpAmb) -> String {
        self.nfse_url(ambiente, "SefinNacional")
    }
    /// Address of a município's own server, by its IBGE code.
    pub fn municipality_url(&self, ambiente: TpAmb, codigo: u32) -> String {
        self.nfse_url(ambiente, &format!("municipios/{codigo}"))
    }
    /// Address of the ADN for taxpayers.
    pub fn adn_url(&self, ambiente: TpAmb) -> String {
        self.nfse_url(ambiente, "contribuintes")
    }
    /// Address of the parameters of municípios.
    pub fn parameters_url(&self, ambiente: TpAmb) -> String {
        self.nfse_url(ambiente, "parametrizacao")
    }
    fn nfse_url(&self, ambiente: TpAmb, host: &str) -> String {
        let segment = if ambiente == TpAmb::Producao { "prod" } else { "hom" };
        format!("{}/nfse/{segment}/{host}", self.https_url())
    }
    /// Notes of the national standard, by key.
    pub fn nfse_notes(&self) -> Vec<nfse::StoredNfse> {
        let mut notes: Vec<nfse::StoredNfse> = self.world.nfse().all().cloned().collect();
        notes.sort_by(|one, other| one.chave.cmp(&other.chave));
        notes
    }
    /// Counts of a DPS, by its Id.
    pub fn nfse_counts(&self, id: &str) -> ArrivalCounts {
        self.world.nfse().counts(id)
    }
    /// Address of a municipal provider (`betha-1.00`).
    pub fn provider_url(&self, provider: &str, city: u32, ambiente: TpAmb) -> String {
        let segment = if ambiente == TpAmb::Producao { "prod" } else { "hom" };
        format!("{}/municipal/{provider}/{city}/{segment}", self.https_url())
    }
    /// Municipal notes, by city and number.
    pub fn municipal_notes(&self) -> Vec<abrasf::MunicipalNote> {
        let mut notes: Vec<abrasf::MunicipalNote> = self.world.municipal().all().cloned().collect();
        notes.sort_by_key(|note| (note.office.cidade, note.numero));
        notes
    }
    /// Counts of an RPS of an issuer at a municipal provider.
    pub fn municipal_counts(
        &self,
        office: abrasf::CityEnvironment,
        emitente: &str,
        rps: &abrasf::RpsIdentity,
    ) -> ArrivalCounts {
        self.world.municipal().counts(office, emitente, rps)
    }
    /// Cancels a municipal note by the city itself; `Err` is the reason of a refusal.
    pub fn cancel_municipal_note(
        &self,
        office: abrasf::CityEnvironment,
        numero: u64,
    ) -> Result<abrasf::MunicipalNote, String> {
        abrasf::cancel_ex_officio(&self.world, office, numero, self.world.clock.now())
    }
    /// Appends requests and answers of the national services to a file, a line of JSON per request.
    pub fn log_nfse(&self, file: &Path) -> std::io::Result<()> {
        self.world.traffic_log.write_to(file)
    }
    /// Voided ranges, in the order in which they were granted.
    pub fn voided(&self) -> Vec<VoidedRange> {
        self.world.ledger().voided.clone()
    }
    /// The latest requests, oldest first.
    pub fn requests(&self) -> Vec<RequestRecord> {
        self.world.ledger().received.iter().cloned().collect()
    }
    /// Forgets documents, counts, faults, settings; the clock shows the machine's time again.
    pub fn reset(&self) {
        self.world.reset();
    }
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        for mut task in self.tasks.drain(..) {
            // A client may keep an idle connection open; it does not delay the stop.
            if tokio::time::timeout(STOP_TIMEOUT, &mut task).await.is_err() {
                task.abort();
            }
        }
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
    }
}

impl std::fmt::Debug for Simulator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulator").field("https", &self.https).field("control", &self.control).finish_non_exhaustive()
    }
}

fn chain(dir: &Path, kept_keys: Option<PathBuf>) -> anyhow::Result<pki::Pki> {
    let pki = pki::Pki::load_or_create(dir)?;
    match kept_keys {
        Some(folder) => pki.with_keys_kept_in(folder),
        None => Ok(pki),
    }
}

async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("não foi possível escutar em {address}"))
}

fn endpoints_toml(https_url: &str) -> String {
    let sefaz = format!("[template]\nurl = \"{https_url}/{{modelo}}/{{authority}}/{{ambiente}}/{{service}}\"\n");
    let halls = format!("[abrasf.template]\nurl = \"{https_url}/municipal/{{provider}}/{{city}}/{{ambiente}}\"\n");
    let own = nfse::table().iter().filter(|(_, municipality)| municipality.endereco_proprio);
    let rows = own.map(|(codigo, _)| {
        let address = |ambiente| format!("{https_url}/nfse/{ambiente}/municipios/{codigo:07}");
        let (producao, homologacao) = (address("prod"), address("hom"));
        format!(
            "[nfse.propria.{codigo:07}]\nativa = true\nproducao = \"{producao}\"\nhomologacao = \"{homologacao}\"\n"
        )
    });
    [sefaz, halls].into_iter().chain(rows).collect()
}

fn add_fault(world: &SimulatorState, fault: faults::Fault) -> u64 {
    let refuses = matches!(fault.tipo, faults::FaultType::Refuse | faults::FaultType::TlsFailure);
    let id = world.faults.add(fault);
    if refuses {
        world.close_idle_connections();
    }
    id
}
