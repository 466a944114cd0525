//! Rules about fields that technical notes added (`layout::additions`).

use super::{Edit, Pair, pair};

/// NT 2026.005: an activity behind the last field of the base's `prod`.
const UNTAXED: Edit = ("</indTot>", "</indTot><cAtivSN>90</cAtivSN>");
const RESALE: Edit = ("</indTot>", "</indTot><cAtivSN>01</cAtivSN>");
/// The base's taxes of the reform, told within the Simples alone.
const WITHIN_THE_SIMPLES: Edit = (
    "<gIBSCBS><vBC>82.00</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF><vIBSUF>0.08</vIBSUF></gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun>\
     <vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.08</vIBS><gCBS><pCBS>0.9000</pCBS><vCBS>0.74</vCBS></gCBS></gIBSCBS>",
    TRIB_SN,
);
const TRIB_SN: &str = "<gTribSN><gIBSSN><pIBSSN>0.0068</pIBSSN><vIBSSN>0.01</vIBSSN></gIBSSN><gCBSSN><pCBSSN>0.6132</pCBSSN>\
     <vCBSSN>0.61</vCBSSN></gCBSSN></gTribSN>";
const ABOVE_THE_SUBLIMIT: Edit = ("<CRT>3<", "<CRT>2<");
const BESIDE_THE_GROUP: Edit =
    ("</gIBSCBS>", "</gIBSCBS><gTribSN><gCBSSN><pCBSSN>0.6132</pCBSSN><vCBSSN>0.61</vCBSSN></gCBSSN></gTribSN>");
const NO_RATE: Edit = ("<pIBSUF>0.1000<", "<pIBSUF>0.0000<");
const NO_CBS_RATE: Edit = ("<pCBS>0.9000<", "<pCBS>0.0000<");

pub(super) const PAIRS: &[Pair] = &[pair("UB14-90", &[UNTAXED], &[RESALE])];

/// Model, rule, replacements.
#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "UB13-30", &[WITHIN_THE_SIMPLES]),
    (55, "UB18-10", &[ABOVE_THE_SUBLIMIT, BESIDE_THE_GROUP, NO_RATE]),
    (55, "UB56-10", &[ABOVE_THE_SUBLIMIT, BESIDE_THE_GROUP, NO_CBS_RATE]),
    (55, "UB14-90", &[UNTAXED, ("<CST>000</CST><cClassTrib>000001<", "<CST>410</CST><cClassTrib>410999<")]),
];
