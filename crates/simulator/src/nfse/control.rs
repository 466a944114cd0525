//! Control of the national NFS-e: stored notes, and acts of the município.

use super::events;
use super::notes::NfseEvent;
use crate::simulator_state::SimulatorState;
use fiscal::value::TpAmb;

pub(crate) use super::events::MunicipalAct;

/// Registers an act of the município on a note. A key names no environment, so homologação is searched first.
pub(crate) fn register(world: &SimulatorState, chave: &str, act: &MunicipalAct) -> Result<NfseEvent, String> {
    let is_there = |ambiente: &TpAmb| world.nfse().note(*ambiente, chave).is_some();
    let ambiente = [TpAmb::Homologacao, TpAmb::Producao].into_iter().find(is_there);
    let ambiente = ambiente.ok_or_else(|| format!("a nota {chave} não existe"))?;
    events::register_municipal_act(world, ambiente, chave, act)
}
