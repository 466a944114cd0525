//! Numbers of the sums that a document accumulates while its items are written.
//!
//! Law: MOC 7.0, anexo I, group W (totals): each is the sum of one official element over the items. Codes that decide
//! whether an item takes part are counted like values.

pub(super) use crate::nota::reform::{
    vBCIBSCBS, vCBS, vCBSEstCred, vCBSSN, vDevTribCBS, vDevTribMun, vDevTribUF, vDifCBS, vDifMun, vDifUF, vIBS,
    vIBSEstCred, vIBSMun, vIBSSN, vIBSUF,
};

pub(super) const vIPIDevol: u8 = 0;
pub(super) const vIPI: u8 = 1;
pub(super) const indTot: u8 = 2;
pub(super) const vProd: u8 = 3;
pub(super) const vFrete: u8 = 4;
pub(super) const vSeg: u8 = 5;
pub(super) const vDesc: u8 = 6;
pub(super) const vOutro: u8 = 7;
pub(super) const vTotTrib: u8 = 8;
pub(super) const vII: u8 = 9;
pub(super) const vBCST: u8 = 10;
pub(super) const vBC: u8 = 11;
pub(super) const vICMS: u8 = 12;
pub(super) const vICMSDeson: u8 = 13;
pub(super) const indDeduzDeson: u8 = 14;
pub(super) const vFCP: u8 = 15;
pub(super) const vST: u8 = 16;
pub(super) const vFCPST: u8 = 17;
pub(super) const vFCPSTRet: u8 = 18;
pub(super) const qBCMono: u8 = 19;
pub(super) const vICMSMono: u8 = 20;
pub(super) const qBCMonoReten: u8 = 21;
pub(super) const qBCMonoRet: u8 = 22;
pub(super) const vICMSMonoRet: u8 = 23;
pub(super) const vICMSMonoReten: u8 = 24;
pub(super) const vPIS: u8 = 25;
pub(super) const vPISST: u8 = 26;
pub(super) const indSomaPISST: u8 = 27;
pub(super) const vCOFINS: u8 = 28;
pub(super) const vCOFINSST: u8 = 29;
pub(super) const indSomaCOFINSST: u8 = 30;
pub(super) const vBCISS: u8 = 31;
pub(super) const vISS: u8 = 32;
pub(super) const vIS: u8 = 33;
pub(super) const vDeducao: u8 = 34;
pub(super) const vOutroISS: u8 = 35;
pub(super) const vDescIncond: u8 = 36;
pub(super) const vDescCond: u8 = 37;
pub(super) const vISSRet: u8 = 38;
pub(super) const vFCPUFDest: u8 = 39;
pub(super) const vICMSUFDest: u8 = 40;
pub(super) const vICMSUFRemet: u8 = 41;
pub(super) const vIBSMono: u8 = 53;
pub(super) const vIBSMonoItem: u8 = 54;
pub(super) const vCBSMono: u8 = 55;
pub(super) const vCBSMonoItem: u8 = 56;
pub(super) const vIBSMonoRet: u8 = 57;
pub(super) const vIBSMonoReten: u8 = 58;
pub(super) const vCBSMonoReten: u8 = 59;
pub(super) const vCBSMonoRet: u8 = 60;
pub(super) const vCredPresIBS: u8 = 63;
pub(super) const vCredPresCondSusIBS: u8 = 64;
pub(super) const vCredPresCBS: u8 = 65;
pub(super) const vCredPresCondSusCBS: u8 = 66;
pub(super) const hasISSQN: u8 = 67;
pub(super) const hasUFDest: u8 = 68;
pub(super) const hasIBSCBS: u8 = 69;
pub(super) const hasGIBSCBS: u8 = 70;
pub(super) const hasMono: u8 = 71;
pub(super) const hasICMS: u8 = 72;
pub(super) const hasIS: u8 = 73;
pub(super) const tpOp: u8 = 74;
pub(super) const hasTribSN: u8 = 77;
pub(super) const vProdLiq: u8 = 78;
pub(super) const hasII: u8 = 79;
