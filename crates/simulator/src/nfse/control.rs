//! The control plane of the national NFS-e: what is stored, and what the município does by itself.

use super::events;
use super::notes::NfseEvent;
use crate::world::World;
use fiscal::value::TpAmb;

pub(crate) use super::events::Act;

/// Registers an act of the município on a note; a key says nothing of its environment, so homologação is looked in
/// first.
pub(crate) fn register(world: &World, chave: &str, act: &Act) -> Result<NfseEvent, String> {
    let is_there = |ambiente: &TpAmb| world.nfse().note(*ambiente, chave).is_some();
    let ambiente = [TpAmb::Homologacao, TpAmb::Producao].into_iter().find(is_there);
    let ambiente = ambiente.ok_or_else(|| format!("a nota {chave} não existe"))?;
    events::by_the_municipality(world, ambiente, chave, act)
}
