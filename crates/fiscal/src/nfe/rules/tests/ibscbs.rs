//! Rules of the reform. `SAMPLES` are valid documents of every kind that the rules cover. Each pair changes one of
//! them, or the base, in one point: one change is refused, the nearest is accepted.

use super::{BTreeSet, Edit, Pair, case, pair, pair_65, predicted};
use crate::nfe::rules::RULES;

/// The group of the valid document.
const GROUP: &str = "<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>82.00</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF><vIBSUF>0.08</vIBSUF></gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.08</vIBS><gCBS><pCBS>0.9000</pCBS><vCBS>0.74</vCBS></gCBS></gIBSCBS></IBSCBS>";
/// Its other taxes.
const OTHERS: &str = "<ICMS><ICMS00><orig>0</orig><CST>00</CST><modBC>3</modBC><vBC>100.00</vBC><pICMS>18.0000</pICMS><vICMS>18.00</vICMS></ICMS00></ICMS>\
     <PIS><PISNT><CST>07</CST></PISNT></PIS><COFINS><COFINSNT><CST>07</CST></COFINSNT></COFINS>";
const TOTAL: &str = "<IBSCBSTot><vBCIBSCBS>82.00</vBCIBSCBS><gIBS><gIBSUF><vDif>0.00</vDif><vDevTrib>0.00</vDevTrib><vIBSUF>0.08</vIBSUF></gIBSUF><gIBSMun><vDif>0.00</vDif><vDevTrib>0.00</vDevTrib><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.08</vIBS><vCredPres>0.00</vCredPres><vCredPresCondSus>0.00</vCredPresCondSus></gIBS><gCBS><vDif>0.00</vDif><vDevTrib>0.00</vDevTrib><vCBS>0.74</vCBS><vCredPres>0.00</vCredPres><vCredPresCondSus>0.00</vCredPresCondSus></gCBS></IBSCBSTot>";
const PLAIN_TOTAL: &str = "<IBSCBSTot><vBCIBSCBS>0.00</vBCIBSCBS></IBSCBSTot>";

const COMB: Edit = ("</indTot>", "</indTot><comb><cProdANP>320102001</cProdANP><UFCons>SP</UFCons></comb>");
const NO_OTHERS: Edit = (OTHERS, "");
const NO_TOTALS: Edit = (TOTAL, PLAIN_TOTAL);
const IN_2029: Edit = ("<dhEmi>2026-", "<dhEmi>2029-");
const IN_2027: Edit = ("<dhEmi>2026-", "<dhEmi>2027-");
const RETURN: Edit = ("<finNFe>1<", "<finNFe>4<");
const CREDIT: Edit = ("<tpNF>1<", "<tpNF>0<");
const REF: &str = "<NFref><refNFe>35261111222333000181550010000000011123456784</refNFe></NFref></ide>";
const REF_65: &str = "<NFref><refNFe>35261111222333000181650010000000011123456784</refNFe></NFref></ide>";
const BY_ITEM: Edit = (
    "</imposto>",
    "</imposto><DFeReferenciado><chaveAcesso>35261111222333000181550010000000011123456784</chaveAcesso><nItem>1</nItem></DFeReferenciado>",
);

/// 200034: 60 % less.
const REDUCED: Edit = (
    GROUP,
    "<IBSCBS><CST>200</CST><cClassTrib>200034</cClassTrib><gIBSCBS><vBC>82.00</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF>\
     <gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.0400</pAliqEfet></gRed><vIBSUF>0.03</vIBSUF></gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun>\
     <gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.0000</pAliqEfet></gRed><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.03</vIBS><gCBS><pCBS>0.9000</pCBS>\
     <gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.3600</pAliqEfet></gRed><vCBS>0.30</vCBS></gCBS></gIBSCBS></IBSCBS>",
);
const REDUCED_TOTAL: Edit = (
    TOTAL,
    "<IBSCBSTot><vBCIBSCBS>82.00</vBCIBSCBS><gIBS><gIBSUF><vIBSUF>0.03</vIBSUF></gIBSUF><vIBS>0.03</vIBS></gIBS><gCBS><vCBS>0.30</vCBS></gCBS></IBSCBSTot>",
);
/// 510001: wholly deferred.
const DEFERRED: Edit = (
    GROUP,
    "<IBSCBS><CST>510</CST><cClassTrib>510001</cClassTrib><gIBSCBS><vBC>82.00</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF>\
     <gDif><pDif>100.0000</pDif><vDif>0.08</vDif></gDif><vIBSUF>0.00</vIBSUF></gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun><gDif><pDif>100.0000</pDif>\
     <vDif>0.00</vDif></gDif><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.00</vIBS><gCBS><pCBS>0.9000</pCBS><gDif><pDif>100.0000</pDif><vDif>0.74</vDif></gDif>\
     <vCBS>0.00</vCBS></gCBS></gIBSCBS></IBSCBS>",
);
const DEFERRED_TOTAL: Edit = (
    TOTAL,
    "<IBSCBSTot><vBCIBSCBS>82.00</vBCIBSCBS><gIBS><gIBSUF><vDif>0.08</vDif></gIBSUF></gIBS><gCBS><vDif>0.74</vDif></gCBS></IBSCBSTot>",
);
/// 550001: suspended, with what would be due.
const SUSPENDED: Edit = (
    GROUP,
    "<IBSCBS><CST>550</CST><cClassTrib>550001</cClassTrib><gIBSCBS><vBC>82.00</vBC><gIBSUF><pIBSUF>0.0000</pIBSUF>\
     <vIBSUF>0.00</vIBSUF></gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.00</vIBS><gCBS><pCBS>0.0000</pCBS>\
     <vCBS>0.00</vCBS></gCBS><gTribRegular><CSTReg>000</CSTReg><cClassTribReg>000001</cClassTribReg><pAliqEfetRegIBSUF>0.1000</pAliqEfetRegIBSUF>\
     <vTribRegIBSUF>0.08</vTribRegIBSUF><pAliqEfetRegIBSMun>0.0000</pAliqEfetRegIBSMun><vTribRegIBSMun>0.00</vTribRegIBSMun>\
     <pAliqEfetRegCBS>0.9000</pAliqEfetRegCBS><vTribRegCBS>0.74</vTribRegCBS></gTribRegular></gIBSCBS></IBSCBS>",
);
const ONLY_BASE: Edit = (TOTAL, "<IBSCBSTot><vBCIBSCBS>82.00</vBCIBSCBS></IBSCBSTot>");
const EXEMPT: Edit = (GROUP, "<IBSCBS><CST>410</CST><cClassTrib>410999</cClassTrib></IBSCBS>");
const REVERSED: Edit = (
    GROUP,
    "<IBSCBS><CST>410</CST><cClassTrib>410026</cClassTrib><gEstornoCred><vIBSEstCred>0.10</vIBSEstCred><vCBSEstCred>0.90</vCBSEstCred></gEstornoCred></IBSCBS>",
);
const REVERSED_TOTAL: Edit = (
    TOTAL,
    "<IBSCBSTot><vBCIBSCBS>0.00</vBCIBSCBS><gEstornoCred><vIBSEstCred>0.10</vIBSEstCred><vCBSEstCred>0.90</vCBSEstCred></gEstornoCred></IBSCBSTot>",
);
/// 000003 allows a presumptive credit; its code 5 is of the CBS.
const CREDITED: Edit = (
    GROUP,
    "<IBSCBS><CST>000</CST><cClassTrib>000003</cClassTrib><gIBSCBS><vBC>82.00</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF><vIBSUF>0.08</vIBSUF>\
     </gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.08</vIBS><gCBS><pCBS>0.9000</pCBS><vCBS>0.74</vCBS></gCBS></gIBSCBS>\
     <gCredPresOper><vBCCredPres>82.00</vBCCredPres><cCredPres>05</cCredPres><gCBSCredPres><pCredPres>10.0000</pCredPres><vCredPres>8.20</vCredPres></gCBSCredPres>\
     </gCredPresOper></IBSCBS>",
);
const CREDITED_TOTAL: Edit = ("<vCBS>0.74</vCBS><vCredPres>0.00<", "<vCBS>0.74</vCBS><vCredPres>8.20<");
const IBS_CREDIT: &str =
    "</gCBSCredPres><gIBSCredPres><pCredPres>1.0000</pCredPres><vCredPres>0.05</vCredPres></gIBSCredPres>";
/// A successor takes the credits over.
const TRANSFERRED: &[Edit] = &[
    ("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>05</tpNFDebito>"),
    NO_OTHERS,
    NO_TOTALS,
    (
        GROUP,
        "<IBSCBS><CST>800</CST><cClassTrib>800001</cClassTrib><gTransfCred><vIBS>0.10</vIBS><vCBS>0.90</vCBS></gTransfCred></IBSCBS>",
    ),
];
const ADJUSTED: &[Edit] = &[
    ("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>02</tpNFDebito>"),
    NO_OTHERS,
    NO_TOTALS,
    (
        GROUP,
        "<IBSCBS><CST>811</CST><cClassTrib>811001</cClassTrib><gAjusteCompet><competApur>2026-09</competApur><vIBS>0.10</vIBS><vCBS>0.90</vCBS></gAjusteCompet></IBSCBS>",
    ),
];
const ZFM: &[Edit] = &[
    ("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>02</tpNFCredito>"),
    CREDIT,
    NO_OTHERS,
    NO_TOTALS,
    IN_2029,
    (
        GROUP,
        "<IBSCBS><CST>810</CST><cClassTrib>810001</cClassTrib><gCredPresIBSZFM><competApur>2026-10</competApur><tpCredPresIBSZFM>1</tpCredPresIBSZFM>\
     <vCredPresIBSZFM>0.55</vCredPresIBSZFM></gCredPresIBSZFM></IBSCBS>",
    ),
];
/// A state buys with a tenth less.
const GOVERNMENT: &[Edit] = &[
    (
        "</ide>",
        "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>10.0000</pRedutor><tpOperGov>1</tpOperGov></gCompraGov></ide>",
    ),
    (
        GROUP,
        "<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>1000.00</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF>\
     <gRed><pRedAliq>0.0000</pRedAliq><pAliqEfet>0.0900</pAliqEfet></gRed><vIBSUF>0.90</vIBSUF></gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun>\
     <gRed><pRedAliq>0.0000</pRedAliq><pAliqEfet>0.0000</pAliqEfet></gRed><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.90</vIBS><gCBS><pCBS>0.9000</pCBS>\
     <gRed><pRedAliq>0.0000</pRedAliq><pAliqEfet>0.8100</pAliqEfet></gRed><vCBS>8.10</vCBS></gCBS><gTribCompraGov><pAliqIBSUF>0.9000</pAliqIBSUF>\
     <vTribIBSUF>9.00</vTribIBSUF><pAliqIBSMun>0.0000</pAliqIBSMun><vTribIBSMun>0.00</vTribIBSMun><pAliqCBS>0.0000</pAliqCBS><vTribCBS>0.00</vTribCBS>\
     </gTribCompraGov></gIBSCBS></IBSCBS>",
    ),
    (
        TOTAL,
        "<IBSCBSTot><vBCIBSCBS>1000.00</vBCIBSCBS><gIBS><gIBSUF><vIBSUF>0.90</vIBSUF></gIBSUF><vIBS>0.90</vIBS></gIBS><gCBS><vCBS>8.10</vCBS></gCBS></IBSCBSTot>",
    ),
];
/// Fuel taxed once and withheld, by value, as the IBS until 2028 and the CBS in 2026.
const BY_VALUE: &[Edit] = &[
    COMB,
    (
        GROUP,
        "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem><gMonoPadrao><vBCMono>6000.00</vBCMono>\
     <pAliqMonoUF>0.1000</pAliqMonoUF><vIBSMonoUF>6.00</vIBSMonoUF><pAliqMonoMun>0.0000</pAliqMonoMun><vIBSMonoMun>0.00</vIBSMonoMun><vIBSMono>6.00</vIBSMono>\
     </gMonoPadrao><gMonoReten><vBCMonoReten>600.00</vBCMonoReten><pAliqMonoReten>0.1000</pAliqMonoReten><vIBSMonoReten>0.60</vIBSMonoReten></gMonoReten>\
     </gIBSMonoAdValorem><gCBSMonoAdValorem><gMonoPadrao><vBCMono>6000.00</vBCMono><pAliqMonoCBS>0.9000</pAliqMonoCBS><vCBSMono>54.00</vCBSMono></gMonoPadrao>\
     <gMonoReten><vBCMonoReten>600.00</vBCMonoReten><pAliqMonoReten>0.9000</pAliqMonoReten><vCBSMonoReten>5.40</vCBSMonoReten></gMonoReten></gCBSMonoAdValorem>\
     </gIBSCBSMono></IBSCBS>",
    ),
    (
        TOTAL,
        "<IBSCBSTot><vBCIBSCBS>0.00</vBCIBSCBS><gMono><vIBSMono>6.00</vIBSMono><vCBSMono>54.00</vCBSMono><vIBSMonoReten>0.60</vIBSMonoReten>\
     <vCBSMonoReten>5.40</vCBSMonoReten><vIBSMonoRet>0.00</vIBSMonoRet><vCBSMonoRet>0.00</vCBSMonoRet></gMono></IBSCBSTot>",
    ),
];
/// Fuel taxed and withheld by quantity, as from 2029 on.
const BY_QUANTITY: &[Edit] = &[
    COMB,
    IN_2029,
    (
        GROUP,
        "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gIBSMonoAdRem><gMonoPadrao><qBCMono>1000.0000</qBCMono><adRemIBS>0.0050</adRemIBS>\
     <vIBSMono>5.00</vIBSMono></gMonoPadrao><gMonoReten><qBCMonoReten>100.0000</qBCMonoReten><adRemIBSReten>0.0050</adRemIBSReten><vIBSMonoReten>0.50</vIBSMonoReten>\
     </gMonoReten></gIBSMonoAdRem><gCBSMonoAdRem><gMonoPadrao><qBCMono>1000.0000</qBCMono><adRemCBS>0.0450</adRemCBS><vCBSMono>45.00</vCBSMono></gMonoPadrao>\
     <gMonoReten><qBCMonoReten>100.0000</qBCMonoReten><adRemCBSReten>0.0450</adRemCBSReten><vCBSMonoReten>4.50</vCBSMonoReten></gMonoReten></gCBSMonoAdRem>\
     </gIBSCBSMono></IBSCBS>",
    ),
    (
        TOTAL,
        "<IBSCBSTot><vBCIBSCBS>0.00</vBCIBSCBS><gMono><vIBSMono>5.00</vIBSMono><vCBSMono>45.00</vCBSMono><vIBSMonoReten>0.50</vIBSMonoReten>\
     <vCBSMonoReten>4.50</vCBSMonoReten></gMono></IBSCBSTot>",
    ),
];
/// Gasoline mixed with more ethanol than required, by value.
const MIXED: &[Edit] = &[
    COMB,
    ("</UFCons>", "</UFCons><pBio>34.0000</pBio>"),
    (
        GROUP,
        "<IBSCBS><CST>620</CST><cClassTrib>620004</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem><gMonoRet><vIBSMonoRet>5.00</vIBSMonoRet></gMonoRet>\
     <gpBioDiferenca><qBCBioComb>0.0588</qBCBioComb><vIBSDiferenca>0.10</vIBSDiferenca></gpBioDiferenca></gIBSMonoAdValorem><gCBSMonoAdValorem><gMonoRet>\
     <vCBSMonoRet>45.00</vCBSMonoRet></gMonoRet><gpBioDiferenca><qBCBioComb>0.0588</qBCBioComb><vCBSDiferenca>0.90</vCBSDiferenca></gpBioDiferenca>\
     </gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>",
    ),
    (
        TOTAL,
        "<IBSCBSTot><vBCIBSCBS>0.00</vBCIBSCBS><gMono><vIBSMonoRet>5.00</vIBSMonoRet><vCBSMonoRet>45.00</vCBSMonoRet></gMono></IBSCBSTot>",
    ),
];
/// Gasoline mixed with more ethanol than required, by quantity.
const MIXED_BY_QUANTITY: &[Edit] = &[
    COMB,
    ("</UFCons>", "</UFCons><pBio>34.0000</pBio>"),
    IN_2029,
    (
        GROUP,
        "<IBSCBS><CST>620</CST><cClassTrib>620004</cClassTrib><gIBSCBSMono><gIBSMonoAdRem><gMonoRet><vIBSMonoRet>5.00</vIBSMonoRet></gMonoRet>\
     <gpBioDiferenca><qBCBioComb>0.0588</qBCBioComb><vIBSDiferenca>0.10</vIBSDiferenca></gpBioDiferenca></gIBSMonoAdRem><gCBSMonoAdRem><gMonoRet>\
     <vCBSMonoRet>45.00</vCBSMonoRet></gMonoRet><gpBioDiferenca><qBCBioComb>0.0588</qBCBioComb><vCBSDiferenca>0.90</vCBSDiferenca></gpBioDiferenca></gCBSMonoAdRem></gIBSCBSMono></IBSCBS>",
    ),
    (
        TOTAL,
        "<IBSCBSTot><vBCIBSCBS>0.00</vBCIBSCBS><gMono><vIBSMonoRet>5.00</vIBSMonoRet><vCBSMonoRet>45.00</vCBSMonoRet></gMono></IBSCBSTot>",
    ),
];
/// Inside the Zona Franca, without CBS.
const INCENTIVE: &[Edit] = &[
    ("<cMun>3550308</cMun>", "<cMun>1302603</cMun>"),
    ("<cMun>3550308</cMun>", "<cMun>1303569</cMun>"),
    ("<CRT>3</CRT></emit>", "<CRT>3</CRT><ISUFEmit>200106023</ISUFEmit></emit>"),
    (
        "<pCBS>0.9000</pCBS><vCBS>0.74</vCBS>",
        "<pCBS>0.0000</pCBS><gALCZFMCBS><tpALCZFMCBS>2</tpALCZFMCBS><nProcSuframa>20260012345</nProcSuframa>\
     <pAliqEfetRegCBS>0.9000</pAliqEfetRegCBS><vTribRegCBS>0.74</vTribRegCBS></gALCZFMCBS><vCBS>0.00</vCBS>",
    ),
    ("<vCBS>0.74</vCBS>", "<vCBS>0.00</vCBS>"),
];
const REFUSED_IN_PART: &[Edit] = &[
    ("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>06</tpNFCredito>"),
    CREDIT,
    ("<CFOP>5102<", "<CFOP>1202<"),
    BY_ITEM,
];
const RETURNED: &[Edit] = &[
    RETURN,
    ("<CFOP>5102<", "<CFOP>5202<"),
    BY_ITEM,
    ("<dest><CPF>11144477735</CPF>", "<dest><CNPJ>11222333000181</CNPJ>"),
];
const GIVEN_BACK: &[Edit] = &[
    (
        "<vCBS>0.74</vCBS></gCBS></gIBSCBS>",
        "<gDevTrib><pDevTrib>10.0000</pDevTrib><vDevTrib>0.07</vDevTrib></gDevTrib><vCBS>0.67</vCBS></gCBS></gIBSCBS>",
    ),
    ("<vDevTrib>0.00</vDevTrib><vCBS>0.74</vCBS>", "<vDevTrib>0.07</vDevTrib><vCBS>0.67</vCBS>"),
];
const RECEIPT: &[Edit] = &[
    (
        "</ide>",
        "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov>\
     <refDFeAnt>35261111222333000181550010000000011123456784</refDFeAnt></gCompraGov></ide>",
    ),
    NO_OTHERS,
    EXEMPT,
    NO_TOTALS,
];

/// A second item with the same kind of credit.
const SECOND: &str = "</det><det nItem=\"2\"><imposto><IBSCBS><CST>810</CST><cClassTrib>810001</cClassTrib><gCredPresIBSZFM><tpCredPresIBSZFM>1</tpCredPresIBSZFM>\
     </gCredPresIBSZFM></IBSCBS></imposto></det>";

/// Valid documents of every kind that the reform covers.
#[rustfmt::skip]
const SAMPLES: &[&[Edit]] = &[
    &[], &[REDUCED, REDUCED_TOTAL], &[DEFERRED, DEFERRED_TOTAL], &[SUSPENDED, ONLY_BASE], &[EXEMPT, NO_TOTALS], &[REVERSED, REVERSED_TOTAL],
    &[CREDITED, CREDITED_TOTAL], TRANSFERRED, ADJUSTED, ZFM, GOVERNMENT, BY_VALUE, BY_QUANTITY, MIXED, MIXED_BY_QUANTITY, INCENTIVE, REFUSED_IN_PART,
    RETURNED, GIVEN_BACK, RECEIPT, &[("<CRT>3<", "<CRT>1<"), (GROUP, ""), (TOTAL, "")],
];

#[test]
fn documents_of_every_kind_break_no_rule_of_the_reform() {
    let reform = RULES.iter().filter(|rule| rule.cStat >= 1000 || rule.id.starts_with("VC"));
    let reform: BTreeSet<&str> = reform.map(|rule| rule.id).collect();
    for sample in SAMPLES {
        let broken: BTreeSet<&str> = predicted(55, &case(sample)).intersection(&reform).copied().collect();
        assert_eq!(broken, BTreeSet::new(), "{sample:#?}");
    }
}

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("B25-65", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>02</tpNFCredito>"), ("</ide>", REF)], ZFM),
    pair("B25-80", &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>04</tpNFDebito>")], ADJUSTED),
    pair("B25-90", &[NO_OTHERS], TRANSFERRED),
    pair("B25-100", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>01</tpNFCredito>"), ("</ide>", REF_65)], &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>03</tpNFCredito>"), ("</ide>", REF_65)]),
    pair("B25-110", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>01</tpNFCredito>")], ZFM),
    pair("B25-120", &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>04</tpNFDebito>"), CREDIT], ADJUSTED),
    pair("B25.1-10", &[("<finNFe>1</finNFe>", "<finNFe>1</finNFe><tpNFDebito>04</tpNFDebito>")], ADJUSTED),
    pair("B25.1-20", &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe>")], ADJUSTED),
    pair("B25.2-10", &[("<finNFe>1</finNFe>", "<finNFe>1</finNFe><tpNFCredito>04</tpNFCredito>")], ZFM),
    pair("B25.2-20", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe>")], ZFM),
    pair("B25.2-30", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>02</tpNFCredito>")], ZFM),
    pair("B25.2-40", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>03</tpNFCredito>")], &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>03</tpNFCredito>"), CREDIT]),
    pair_65("B25b-60", &[("</ide>", "<cMunFGIBS>3550308</cMunFGIBS></ide>")], &[("<indPres>1<", "<indPres>5<"), ("</ide>", "<cMunFGIBS>3550308</cMunFGIBS></ide>")]),
    pair_65("B25b-70", &[("<indPres>1<", "<indPres>5<")], &[("<indPres>1<", "<indPres>5<"), ("</ide>", "<cMunFGIBS>3550308</cMunFGIBS></ide>")]),
    pair_65("B25d-10", &[("</ide>", "<cIndOp>010101</cIndOp></ide>")], &[]),
    pair("B25d-20", &[("</ide>", "<cIndOp>010101</cIndOp></ide>")], &[("</ide>", "<cIndOp>010105</cIndOp></ide>")]),
    pair("B25d-30", &[("</ide>", "<cIndOp>010104</cIndOp></ide>")], &[("</ide>", "<cIndOp>010104</cIndOp></ide>"), ("<det ", "<retirada></retirada><det ")]),
    pair_65("BB01-10", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>1</tpOperGov></gCompraGov></ide>")], &[]),
    pair("BB02-10", &[IN_2027, ("</ide>", "<gCompraGov><tpEnteGov>1</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>1</tpOperGov></gCompraGov></ide>")], &[IN_2027, ("</ide>", "<gCompraGov><tpEnteGov>4</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>1</tpOperGov></gCompraGov></ide>"), ("<pIBSUF>0.1000<", "<pIBSUF>0.0000<")]),
    pair("BB05-10", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>1</tpOperGov><refDFeAnt>35261111222333000181550010000000011123456784</refDFeAnt></gCompraGov></ide>")], GOVERNMENT),
    pair("BB05-20", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov></gCompraGov></ide>")], RECEIPT),
    pair("BB05-30", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov><refDFeAnt>35261111222333000181550010000000011123456784</refDFeAnt><refDFeAnt>35261111222333000181550010000000011123456780</refDFeAnt></gCompraGov></ide>")], RECEIPT),
    pair("BB05-40", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>3</tpOperGov></gCompraGov></ide>")], &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>3</tpOperGov><refDFeAnt>35261111222333000181550010000000011123456784</refDFeAnt></gCompraGov></ide>")]),
    pair("BB05-50", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>4</tpOperGov><refDFeAnt>35261111222333000181550010000000011123456784</refDFeAnt></gCompraGov></ide>")], &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>4</tpOperGov></gCompraGov></ide>")]),
    pair("BB05-60", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov><refDFeAnt>3526111122233300018155001000000001112345678</refDFeAnt></gCompraGov></ide>")], RECEIPT),
    pair("BB05-70", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov><refDFeAnt>35261111222333000181550010000000011123456785</refDFeAnt></gCompraGov></ide>")], RECEIPT),
    pair("BB05-80", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov><refDFeAnt>99261111222333000181550010000000011123456784</refDFeAnt></gCompraGov></ide>")], RECEIPT),
    pair("BB05-90", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov><refDFeAnt>35271111222333000181550010000000011123456784</refDFeAnt></gCompraGov></ide>")], RECEIPT),
    pair("BB05-100", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov><refDFeAnt>35261311222333000181550010000000011123456784</refDFeAnt></gCompraGov></ide>")], RECEIPT),
    pair("BB05-110", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov><refDFeAnt>35261111222333000182550010000000011123456784</refDFeAnt></gCompraGov></ide>")], RECEIPT),
    pair("BB05-120", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov><refDFeAnt>35261111222333000181650010000000011123456784</refDFeAnt></gCompraGov></ide>")], RECEIPT),
    pair("BB05-130", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov><refDFeAnt>35261111222333000181550010000000001123456784</refDFeAnt></gCompraGov></ide>")], RECEIPT),
    pair("BB05-140", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>3</tpOperGov><refDFeAnt>35261111222333000181550010000000011123456784</refDFeAnt><refDFeAnt>35261111222333000181550010000000011123456784</refDFeAnt></gCompraGov></ide>")], RECEIPT),
    pair("BB05-150", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov><refDFeAnt>35261111222333000181550010000000011847362510</refDFeAnt></gCompraGov></ide>")], RECEIPT),
    pair("BB05-160", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov><refDFeAnt>35261111222333000181550010000000018123456784</refDFeAnt></gCompraGov></ide>")], RECEIPT),
    pair("BB05-180", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>2</tpOperGov><refDFeAnt>35261122222333000181550010000000011123456784</refDFeAnt></gCompraGov></ide>")], RECEIPT),
    pair("C22-10", &[("<CRT>3</CRT></emit>", "<CRT>3</CRT><ISUFEmit>200106023</ISUFEmit></emit>")], INCENTIVE),
    pair("C22-20", &[("<CRT>3</CRT></emit>", "<CRT>3</CRT><ISUFEmit>200106024</ISUFEmit></emit>")], INCENTIVE),
    pair_65("I05k-10", &[("</indTot>", "</indTot><tpCredPresIBSZFM>1</tpCredPresIBSZFM>")], &[]),
    pair("I05k-20", &[("</indTot>", "</indTot><tpCredPresIBSZFM>1</tpCredPresIBSZFM>")], &[("<UF>SP<", "<UF>AM<"), ("</indTot>", "</indTot><tpCredPresIBSZFM>1</tpCredPresIBSZFM>")]),
    pair("LA01-30", &[(GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620006</cClassTrib></IBSCBS>")], BY_VALUE),
    pair("UB12-10", &[(GROUP, ""), (TOTAL, "")], &[COMB, (GROUP, ""), (TOTAL, "")]),
    pair("UB13-10", &[("<CST>000</CST><cClassTrib>000001<", "<CST>001</CST><cClassTrib>000001<")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB13-20", &[("<CST>000</CST><cClassTrib>000001<", "<CST>410</CST><cClassTrib>410999<")], &[EXEMPT, NO_TOTALS]),
    pair("UB13-30", &[(GROUP, "<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib></IBSCBS>")], &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>07</tpNFDebito>"), (GROUP, "<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib></IBSCBS>")]),
    pair("UB13-39", &[("</gIBSCBS></IBSCBS>", "</gIBSCBS><gIBSCBSMono></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB13-44", &[("</gIBSCBS></IBSCBS>", "</gIBSCBS><gTransfCred><vIBS>1.00</vIBS></gTransfCred></IBSCBS>")], TRANSFERRED),
    pair("UB13-45", &[(GROUP, "<IBSCBS><CST>800</CST><cClassTrib>800001</cClassTrib></IBSCBS>")], TRANSFERRED),
    pair("UB14-10", &[("<CST>000</CST><cClassTrib>000001<", "<CST>000</CST><cClassTrib>000099<")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB14-20", &[("<CST>000</CST><cClassTrib>000001<", "<CST>000</CST><cClassTrib>200034<")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB14-25", &[("<CST>000</CST><cClassTrib>000001<", "<CST>000</CST><cClassTrib>000002<")], &[REDUCED, REDUCED_TOTAL]),
    pair_65("UB14-25", &[("<CST>000</CST><cClassTrib>000001<", "<CST>000</CST><cClassTrib>000003<")], &[]),
    pair("UB14-60", &[(GROUP, "<IBSCBS><CST>800</CST><cClassTrib>800001</cClassTrib></IBSCBS>")], TRANSFERRED),
    pair("UB14-70", &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>05</tpNFDebito>")], TRANSFERRED),
    pair("UB14-80", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>05</tpNFCredito>")], ZFM),
    pair("UB18-10", &[("<pIBSUF>0.1000<", "<pIBSUF>0.2000<")], &[SUSPENDED, ONLY_BASE]),
    pair("UB22-10", &[("</pIBSUF>", "</pIBSUF><gDif><pDif>0.0000</pDif><vDif>0.00</vDif></gDif>")], &[DEFERRED, DEFERRED_TOTAL]),
    pair("UB22-20", &[DEFERRED, ("<pIBSUF>0.1000</pIBSUF><gDif><pDif>100.0000</pDif><vDif>0.08</vDif></gDif>", "<pIBSUF>0.1000</pIBSUF>")], &[DEFERRED, DEFERRED_TOTAL]),
    pair("UB23-10", &[DEFERRED, ("<pIBSUF>0.1000</pIBSUF><gDif><pDif>100.0000</pDif><vDif>0.08</vDif></gDif>", "<pIBSUF>0.1000</pIBSUF><gDif><pDif>100.0000</pDif><vDif>0.50</vDif></gDif>")], &[DEFERRED, DEFERRED_TOTAL]),
    pair("UB26-10", &[("</pIBSUF>", "</pIBSUF><gRed><pRedAliq>10.0000</pRedAliq><pAliqEfet>0.0900</pAliqEfet></gRed>")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB26-20", &[REDUCED, ("<pIBSUF>0.1000</pIBSUF><gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.0400</pAliqEfet></gRed>", "<pIBSUF>0.1000</pIBSUF>")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB27-10", &[REDUCED, ("<pIBSUF>0.1000</pIBSUF><gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.0400</pAliqEfet></gRed>", "<pIBSUF>0.1000</pIBSUF><gRed><pRedAliq>40.0000</pRedAliq><pAliqEfet>0.0400</pAliqEfet></gRed>")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB28-10", &[REDUCED, ("<pIBSUF>0.1000</pIBSUF><gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.0400</pAliqEfet></gRed>", "<pIBSUF>0.1000</pIBSUF><gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.0500</pAliqEfet></gRed>")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB35-10", &[("<vIBSUF>0.08<", "<vIBSUF>0.99<")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB37-10", &[("<pIBSMun>0.0000<", "<pIBSMun>0.2000<")], &[SUSPENDED, ONLY_BASE]),
    pair("UB40-20", &[("</pIBSMun>", "</pIBSMun><gDif><pDif>0.0000</pDif><vDif>0.00</vDif></gDif>")], &[DEFERRED, DEFERRED_TOTAL]),
    pair("UB40-10", &[DEFERRED, ("<pIBSMun>0.0000</pIBSMun><gDif><pDif>100.0000</pDif><vDif>0.00</vDif></gDif>", "<pIBSMun>0.0000</pIBSMun>")], &[DEFERRED, DEFERRED_TOTAL]),
    pair("UB42-10", &[DEFERRED, ("<pIBSMun>0.0000</pIBSMun><gDif><pDif>100.0000</pDif><vDif>0.00</vDif></gDif>", "<pIBSMun>0.0000</pIBSMun><gDif><pDif>100.0000</pDif><vDif>0.50</vDif></gDif>")], &[DEFERRED, DEFERRED_TOTAL]),
    pair("UB45-10", &[("</pIBSMun>", "</pIBSMun><gRed><pRedAliq>10.0000</pRedAliq><pAliqEfet>0.0900</pAliqEfet></gRed>")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB45-20", &[REDUCED, ("<pIBSMun>0.0000</pIBSMun><gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.0000</pAliqEfet></gRed>", "<pIBSMun>0.0000</pIBSMun>")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB46-10", &[REDUCED, ("<pIBSMun>0.0000</pIBSMun><gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.0000</pAliqEfet></gRed>", "<pIBSMun>0.0000</pIBSMun><gRed><pRedAliq>40.0000</pRedAliq><pAliqEfet>0.0000</pAliqEfet></gRed>")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB47-10", &[REDUCED, ("<pIBSMun>0.0000</pIBSMun><gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.0000</pAliqEfet></gRed>", "<pIBSMun>0.0500</pIBSMun><gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.0500</pAliqEfet></gRed>")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB54-10", &[("<vIBSMun>0.00<", "<vIBSMun>0.99<")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB56-10", &[("<pCBS>0.9000<", "<pCBS>0.2000<")], &[SUSPENDED, ONLY_BASE]),
    pair("UB59-20", &[("</pCBS>", "</pCBS><gDif><pDif>0.0000</pDif><vDif>0.00</vDif></gDif>")], &[DEFERRED, DEFERRED_TOTAL]),
    pair("UB59-10", &[DEFERRED, ("<pCBS>0.9000</pCBS><gDif><pDif>100.0000</pDif><vDif>0.74</vDif></gDif>", "<pCBS>0.9000</pCBS>")], &[DEFERRED, DEFERRED_TOTAL]),
    pair("UB61-10", &[DEFERRED, ("<pCBS>0.9000</pCBS><gDif><pDif>100.0000</pDif><vDif>0.74</vDif></gDif>", "<pCBS>0.9000</pCBS><gDif><pDif>100.0000</pDif><vDif>0.50</vDif></gDif>")], &[DEFERRED, DEFERRED_TOTAL]),
    pair("UB64-10", &[("</pCBS>", "</pCBS><gRed><pRedAliq>10.0000</pRedAliq><pAliqEfet>0.0900</pAliqEfet></gRed>")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB64-20", &[REDUCED, ("<pCBS>0.9000</pCBS><gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.3600</pAliqEfet></gRed>", "<pCBS>0.9000</pCBS>")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB65-10", &[REDUCED, ("<pCBS>0.9000</pCBS><gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.3600</pAliqEfet></gRed>", "<pCBS>0.9000</pCBS><gRed><pRedAliq>40.0000</pRedAliq><pAliqEfet>0.3600</pAliqEfet></gRed>")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB66-10", &[REDUCED, ("<pCBS>0.9000</pCBS><gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.3600</pAliqEfet></gRed>", "<pCBS>0.9000</pCBS><gRed><pRedAliq>60.0000</pRedAliq><pAliqEfet>0.0500</pAliqEfet></gRed>")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB67-10", &[("<vCBS>0.74<", "<vCBS>0.99<")], &[REDUCED, REDUCED_TOTAL]),
    pair("UB24-10", &[("</pIBSUF>", "</pIBSUF><gDevTrib><vDevTrib>0.01</vDevTrib></gDevTrib>")], &[]),
    pair("UB43-10", &[("</pIBSMun>", "</pIBSMun><gDevTrib><vDevTrib>0.01</vDevTrib></gDevTrib>")], &[]),
    pair("UB54a-10", &[("<vIBS>0.08<", "<vIBS>0.09<")], &[CREDITED, ("<cCredPres>05<", "<cCredPres>04<"), ("</gCBSCredPres>", IBS_CREDIT), ("<vIBS>0.08<", "<vIBS>0.03<")]),
    pair_65("UB62-10", &[("</pCBS>", "</pCBS><gDevTrib><pDevTrib>10.0000</pDevTrib><vDevTrib>0.07</vDevTrib></gDevTrib>")], &[]),
    pair("UB62a-10", &[("</pCBS>", "</pCBS><gDevTrib><vDevTrib>0.07</vDevTrib></gDevTrib>")], GIVEN_BACK),
    pair("UB63-10", &[("</pCBS>", "</pCBS><gDevTrib><pDevTrib>10.0000</pDevTrib><vDevTrib>0.70</vDevTrib></gDevTrib>")], GIVEN_BACK),
    pair("UB66a-10", &[("</pCBS>", "</pCBS><gALCZFMCBS><tpALCZFMCBS>2</tpALCZFMCBS><nProcSuframa>2026001</nProcSuframa><pAliqEfetRegCBS>0.9000</pAliqEfetRegCBS><vTribRegCBS>0.74</vTribRegCBS></gALCZFMCBS>")], INCENTIVE),
    pair("UB66a-20", &[("</pCBS>", "</pCBS><gALCZFMCBS><tpALCZFMCBS>2</tpALCZFMCBS><nProcSuframa>2026001</nProcSuframa><pAliqEfetRegCBS>0.9000</pAliqEfetRegCBS><vTribRegCBS>0.74</vTribRegCBS></gALCZFMCBS>")], INCENTIVE),
    pair("UB66c-10", &[("</pCBS>", "</pCBS><gALCZFMCBS><tpALCZFMCBS>2</tpALCZFMCBS><nProcSuframa>0000</nProcSuframa><pAliqEfetRegCBS>0.9000</pAliqEfetRegCBS><vTribRegCBS>0.74</vTribRegCBS></gALCZFMCBS>")], INCENTIVE),
    pair("UB66e-10", &[("</pCBS>", "</pCBS><gALCZFMCBS><tpALCZFMCBS>2</tpALCZFMCBS><nProcSuframa>2026001</nProcSuframa><pAliqEfetRegCBS>0.9000</pAliqEfetRegCBS><vTribRegCBS>0.70</vTribRegCBS></gALCZFMCBS>")], INCENTIVE),
    pair("UB68-10", &[("<CST>000</CST><cClassTrib>000001<", "<CST>550</CST><cClassTrib>550001<")], &[SUSPENDED, ONLY_BASE]),
    pair("UB68-11", &[SUSPENDED, ("<CST>550</CST><cClassTrib>550001<", "<CST>000</CST><cClassTrib>000001<")], &[SUSPENDED, ONLY_BASE]),
    pair("UB69-10", &[SUSPENDED, ("<CSTReg>000<", "<CSTReg>999<")], &[SUSPENDED, ONLY_BASE]),
    pair("UB70-10", &[SUSPENDED, ("<cClassTribReg>000001<", "<cClassTribReg>000099<")], &[SUSPENDED, ONLY_BASE]),
    pair("UB72-10", &[SUSPENDED, ("<vTribRegIBSUF>0.08<", "<vTribRegIBSUF>0.80<")], &[SUSPENDED, ONLY_BASE]),
    pair("UB72b-10", &[SUSPENDED, ("<vTribRegIBSMun>0.00<", "<vTribRegIBSMun>0.80<")], &[SUSPENDED, ONLY_BASE]),
    pair("UB72d-10", &[SUSPENDED, ("<vTribRegCBS>0.74<", "<vTribRegCBS>0.80<")], &[SUSPENDED, ONLY_BASE]),
    pair("UB82a-10", &[("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>1</tpOperGov></gCompraGov></ide>")], GOVERNMENT),
    pair("UB82a-20", &[("</gCBS></gIBSCBS>", "</gCBS><gTribCompraGov><pAliqIBSUF>0.1000</pAliqIBSUF><vTribIBSUF>9.00</vTribIBSUF></gTribCompraGov></gIBSCBS>"), ("</ide>", "<gCompraGov><tpEnteGov>2</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>1</tpOperGov></gCompraGov></ide>")], GOVERNMENT),
    pair("UB82a-30", &[("</gCBS></gIBSCBS>", "</gCBS><gTribCompraGov><pAliqIBSUF>0.1000</pAliqIBSUF><vTribIBSUF>0.82</vTribIBSUF></gTribCompraGov></gIBSCBS>")], GOVERNMENT),
    pair("UB85a-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gIBSMonoAdRem></gIBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY),
    pair("UB85a-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>"), IN_2029], BY_QUANTITY),
    pair("UB90-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>"), IN_2029], BY_VALUE),
    pair("UB90-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gCBSMonoAdValorem></gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB95a-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gCBSMonoAdValorem></gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>"), IN_2027], BY_QUANTITY),
    pair("UB100-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gCBSMonoAdValorem></gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>"), IN_2027], BY_VALUE),
    pair("UB100-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB86-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gIBSMonoAdRem></gIBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY),
    pair("UB86-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620006</cClassTrib><gIBSCBSMono><gIBSMonoAdRem><gMonoPadrao></gMonoPadrao></gIBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY),
    pair("UB87-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gIBSMonoAdRem></gIBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY),
    pair("UB87-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gIBSMonoAdRem><gMonoReten></gMonoReten></gIBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY),
    pair("UB88-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620006</cClassTrib><gIBSCBSMono><gIBSMonoAdRem></gIBSMonoAdRem></gIBSCBSMono></IBSCBS>")], MIXED_BY_QUANTITY),
    pair("UB88-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gIBSMonoAdRem><gMonoRet></gMonoRet></gIBSMonoAdRem></gIBSCBSMono></IBSCBS>")], MIXED_BY_QUANTITY),
    pair("UB89-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620004</cClassTrib><gIBSCBSMono><gIBSMonoAdRem></gIBSMonoAdRem></gIBSCBSMono></IBSCBS>")], MIXED_BY_QUANTITY),
    pair("UB89-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gIBSMonoAdRem><gpBioDiferenca></gpBioDiferenca></gIBSMonoAdRem></gIBSCBSMono></IBSCBS>")], MIXED_BY_QUANTITY),
    pair("UB91-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB91-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620006</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem><gMonoPadrao></gMonoPadrao></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB92-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB92-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem><gMonoReten></gMonoReten></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB93-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620006</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], MIXED),
    pair("UB93-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem><gMonoRet></gMonoRet></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], MIXED),
    pair("UB94-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620004</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], MIXED),
    pair("UB94-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem><gpBioDiferenca></gpBioDiferenca></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], MIXED),
    pair("UB96-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gCBSMonoAdRem></gCBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY),
    pair("UB96-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620006</cClassTrib><gIBSCBSMono><gCBSMonoAdRem><gMonoPadrao></gMonoPadrao></gCBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY),
    pair("UB97-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gCBSMonoAdRem></gCBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY),
    pair("UB97-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gCBSMonoAdRem><gMonoReten></gMonoReten></gCBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY),
    pair("UB98-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620006</cClassTrib><gIBSCBSMono><gCBSMonoAdRem></gCBSMonoAdRem></gIBSCBSMono></IBSCBS>")], MIXED_BY_QUANTITY),
    pair("UB98-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gCBSMonoAdRem><gMonoRet></gMonoRet></gCBSMonoAdRem></gIBSCBSMono></IBSCBS>")], MIXED_BY_QUANTITY),
    pair("UB101-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gCBSMonoAdValorem></gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB101-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620006</cClassTrib><gIBSCBSMono><gCBSMonoAdValorem><gMonoPadrao></gMonoPadrao></gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB102-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gCBSMonoAdValorem></gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB102-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gCBSMonoAdValorem><gMonoReten></gMonoReten></gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB103-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620006</cClassTrib><gIBSCBSMono><gCBSMonoAdValorem></gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], MIXED),
    pair("UB103-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gCBSMonoAdValorem><gMonoRet></gMonoRet></gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], MIXED),
    pair("UB104-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620004</cClassTrib><gIBSCBSMono><gCBSMonoAdValorem></gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], MIXED),
    pair("UB104-20", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gCBSMonoAdValorem><gpBioDiferenca></gpBioDiferenca></gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], MIXED),
    pair("UB86c-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gIBSMonoAdRem><gMonoPadrao><qBCMono>100.0000</qBCMono><adRemIBS>0.0500</adRemIBS><vIBSMono>5.02</vIBSMono></gMonoPadrao></gIBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY),
    pair("UB87c-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gIBSMonoAdRem><gMonoReten><qBCMonoReten>100.0000</qBCMonoReten><adRemIBSReten>0.0500</adRemIBSReten><vIBSMonoReten>5.02</vIBSMonoReten></gMonoReten></gIBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY),
    pair("UB91c-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem><gMonoPadrao><vBCMono>100.00</vBCMono><pAliqMonoUF>5.0000</pAliqMonoUF><vIBSMonoUF>5.02</vIBSMonoUF></gMonoPadrao></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB91e-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem><gMonoPadrao><vBCMono>100.00</vBCMono><pAliqMonoMun>5.0000</pAliqMonoMun><vIBSMonoMun>5.02</vIBSMonoMun></gMonoPadrao></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB91f-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem><gMonoPadrao><vIBSMonoUF>5.00</vIBSMonoUF><vIBSMonoMun>1.00</vIBSMonoMun><vIBSMono>6.02</vIBSMono></gMonoPadrao></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB92c-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gIBSMonoAdValorem><gMonoReten><vBCMonoReten>100.00</vBCMonoReten><pAliqMonoReten>5.0000</pAliqMonoReten><vIBSMonoReten>5.02</vIBSMonoReten></gMonoReten></gIBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB96c-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gCBSMonoAdRem><gMonoPadrao><qBCMono>100.0000</qBCMono><adRemCBS>0.0500</adRemCBS><vCBSMono>5.02</vCBSMono></gMonoPadrao></gCBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY),
    pair("UB97c-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gCBSMonoAdRem><gMonoReten><qBCMonoReten>100.0000</qBCMonoReten><adRemCBSReten>0.0500</adRemCBSReten><vCBSMonoReten>5.02</vCBSMonoReten></gMonoReten></gCBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY),
    pair("UB101c-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gCBSMonoAdValorem><gMonoPadrao><vBCMono>100.00</vBCMono><pAliqMonoCBS>5.0000</pAliqMonoCBS><vCBSMono>5.02</vCBSMono></gMonoPadrao></gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB102c-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620002</cClassTrib><gIBSCBSMono><gCBSMonoAdValorem><gMonoReten><vBCMonoReten>100.00</vBCMonoReten><pAliqMonoReten>5.0000</pAliqMonoReten><vCBSMonoReten>5.02</vCBSMonoReten></gMonoReten></gCBSMonoAdValorem></gIBSCBSMono></IBSCBS>")], BY_VALUE),
    pair("UB106-30", &[("</gIBSCBS></IBSCBS>", "</gIBSCBS><gTransfCred><vIBS>1.00</vIBS><vCBS>0.00</vCBS></gTransfCred></IBSCBS>")], TRANSFERRED),
    pair("UB106-31", &[("</gIBSCBS></IBSCBS>", "</gIBSCBS><gTransfCred><vIBS>1.00</vIBS><vCBS>0.00</vCBS></gTransfCred></IBSCBS>")], TRANSFERRED),
    pair("UB106-40", &[("</gIBSCBS></IBSCBS>", "</gIBSCBS><gTransfCred><vIBS>0.00</vIBS><vCBS>0.00</vCBS></gTransfCred></IBSCBS>")], TRANSFERRED),
    pair("UB112-10", &[("</gIBSCBS></IBSCBS>", "</gIBSCBS><gAjusteCompet><vIBS>1.00</vIBS><vCBS>0.00</vCBS></gAjusteCompet></IBSCBS>")], ADJUSTED),
    pair("UB112-20", &[(GROUP, "<IBSCBS><CST>811</CST><cClassTrib>811001</cClassTrib></IBSCBS>")], ADJUSTED),
    pair("UB112-30", &[("</gIBSCBS></IBSCBS>", "</gIBSCBS><gAjusteCompet><vIBS>0.00</vIBS><vCBS>0.00</vCBS></gAjusteCompet></IBSCBS>")], ADJUSTED),
    pair("UB116-10", &[("</gIBSCBS></IBSCBS>", "</gIBSCBS><gEstornoCred><vIBSEstCred>1.00</vIBSEstCred><vCBSEstCred>0.00</vCBSEstCred></gEstornoCred></IBSCBS>")], &[REVERSED, REVERSED_TOTAL]),
    pair("UB116-20", &[(GROUP, "<IBSCBS><CST>410</CST><cClassTrib>410026</cClassTrib></IBSCBS>")], &[REVERSED, REVERSED_TOTAL]),
    pair("UB116-30", &[REVERSED, ("<vIBSEstCred>0.10<", "<vIBSEstCred>0.00<"), ("<vCBSEstCred>0.90<", "<vCBSEstCred>0.00<")], &[REVERSED, REVERSED_TOTAL]),
    pair_65("UB120-10", &[CREDITED], &[]),
    pair("UB120-20", &[CREDITED, ("<cClassTrib>000003<", "<cClassTrib>000001<")], &[CREDITED, CREDITED_TOTAL]),
    pair("UB122-10", &[CREDITED, ("<cCredPres>05<", "<cCredPres>14<")], &[CREDITED, CREDITED_TOTAL]),
    pair("UB123-10", &[CREDITED, ("</gCBSCredPres>", IBS_CREDIT)], &[CREDITED, CREDITED_TOTAL]),
    pair("UB123-20", &[CREDITED, ("<cCredPres>05<", "<cCredPres>01<")], &[CREDITED, CREDITED_TOTAL]),
    pair("UB127-10", &[CREDITED, ("<cCredPres>05<", "<cCredPres>08<")], &[CREDITED, CREDITED_TOTAL]),
    pair("UB127-20", &[CREDITED, ("<gCBSCredPres><pCredPres>10.0000</pCredPres><vCredPres>8.20</vCredPres></gCBSCredPres>", "")], &[CREDITED, CREDITED_TOTAL]),
    pair("UB125-10", &[CREDITED, ("<cCredPres>05<", "<cCredPres>04<"), ("</gCBSCredPres>", IBS_CREDIT), ("<vCredPres>0.05<", "<vCredPres>100.01<")], &[CREDITED, ("<cCredPres>05<", "<cCredPres>04<"), ("</gCBSCredPres>", IBS_CREDIT)]),
    pair("UB129-10", &[CREDITED, ("<cCredPres>05<", "<cCredPres>04<"), ("<vCredPres>8.20<", "<vCredPres>100.01<")], &[CREDITED, ("<cCredPres>05<", "<cCredPres>04<"), ("</gCBSCredPres>", IBS_CREDIT)]),
    pair("UB126-10", &[CREDITED, ("</gCBSCredPres>", IBS_CREDIT), ("<vCredPres>0.05</vCredPres>", "<vCredPresCondSus>0.05</vCredPresCondSus>")], &[CREDITED, ("<cCredPres>05<", "<cCredPres>04<"), ("</gCBSCredPres>", IBS_CREDIT), ("<vCredPres>0.05</vCredPres>", "<vCredPresCondSus>0.05</vCredPresCondSus>"), ("<dhEmi>2026-", "<dhEmi>2033-")]),
    pair("UB130-10", &[CREDITED, ("<vCredPres>8.20</vCredPres>", "<vCredPresCondSus>8.20</vCredPresCondSus>")], &[CREDITED, ("<cCredPres>05<", "<cCredPres>04<"), ("</gCBSCredPres>", IBS_CREDIT), ("<vCredPres>8.20</vCredPres>", "<vCredPresCondSus>8.20</vCredPresCondSus>"), IN_2027]),
    pair_65("UB131-10", &[("</gIBSCBS></IBSCBS>", "</gIBSCBS><gCredPresIBSZFM><competApur>2026-10</competApur><tpCredPresIBSZFM>1</tpCredPresIBSZFM></gCredPresIBSZFM></IBSCBS>")], &[]),
    pair("UB131-20", &[("</gIBSCBS></IBSCBS>", "</gIBSCBS><gCredPresIBSZFM><competApur>2026-10</competApur><tpCredPresIBSZFM>1</tpCredPresIBSZFM></gCredPresIBSZFM></IBSCBS>")], ZFM),
    pair("UB131-30", &[(GROUP, "<IBSCBS><CST>810</CST><cClassTrib>810001</cClassTrib></IBSCBS>")], ZFM),
    pair("UB131-40", &[("</gIBSCBS></IBSCBS>", "</gIBSCBS><gCredPresIBSZFM><competApur>2026-10</competApur><tpCredPresIBSZFM>1</tpCredPresIBSZFM></gCredPresIBSZFM></IBSCBS>")], ZFM),
    pair("UB131-50", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>02</tpNFCredito>")], ZFM),
    pair("UB132-10", &[("</gIBSCBS></IBSCBS>", "</gIBSCBS><gCredPresIBSZFM><competApur>2026-12</competApur><tpCredPresIBSZFM>1</tpCredPresIBSZFM></gCredPresIBSZFM></IBSCBS>")], ZFM),
    pair("UB133-10", &[("</gIBSCBS></IBSCBS>", "</gIBSCBS><gCredPresIBSZFM><competApur>2026-10</competApur><tpCredPresIBSZFM>1</tpCredPresIBSZFM></gCredPresIBSZFM></IBSCBS>"), ("</det>", SECOND)], ZFM),
    pair_65("VC02-04", &[BY_ITEM], &[]),
    pair("VC02-05", &[BY_ITEM, ("</ide>", REF)], &[BY_ITEM]),
    pair("VC02-07", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>01</tpNFCredito>"), BY_ITEM], REFUSED_IN_PART),
    pair("VC02-10", &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>04</tpNFDebito>")], REFUSED_IN_PART),
    pair("VC02-14", &[RETURN, ("</ide>", REF)], RETURNED),
    pair("VC02-20", &[BY_ITEM, ("</det>", "</det><det nItem=\"2\"><DFeReferenciado><chaveAcesso>35261111222333000181550010000000011123456784</chaveAcesso><nItem>1</nItem></DFeReferenciado></det>")], &[BY_ITEM, ("</det>", "</det><det nItem=\"2\"><DFeReferenciado><chaveAcesso>35261111222333000181550010000000011123456784</chaveAcesso><nItem>2</nItem></DFeReferenciado></det>")]),
    pair("VC02-30", &[BY_ITEM, ("</det>", "</det><det nItem=\"2\"><DFeReferenciado><chaveAcesso>35261122222333000181550010000000011123456784</chaveAcesso><nItem>1</nItem></DFeReferenciado></det>")], &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>03</tpNFDebito>"), BY_ITEM, ("</det>", "</det><det nItem=\"2\"><DFeReferenciado><chaveAcesso>35261122222333000181550010000000011123456784</chaveAcesso><nItem>1</nItem></DFeReferenciado></det>")]),
    pair("VC02-40", &[RETURN, BY_ITEM, ("</det>", "</det><det nItem=\"2\"><DFeReferenciado><chaveAcesso>35261122222333000181550010000000011123456784</chaveAcesso><nItem>1</nItem></DFeReferenciado></det>")], RETURNED),
    pair("VC02-50", &[RETURN, BY_ITEM], RETURNED),
    pair("VC03-10", &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>03</tpNFDebito>"), BY_ITEM], &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>03</tpNFDebito>"), ("</imposto>", "</imposto><DFeReferenciado><chaveAcesso>35261111222333000181550010000000011123456784</chaveAcesso></DFeReferenciado>")]),
    pair("VC03-20", &[("</imposto>", "</imposto><DFeReferenciado><chaveAcesso>35261111222333000181550010000000011123456784</chaveAcesso></DFeReferenciado>")], &[BY_ITEM]),
    pair("W31-10", &[("<IBSCBSTot>", "<ISTot><vIS>0.00</vIS></ISTot><IBSCBSTot>")], &[("<IBSCBS>", "<IS><CSTIS>000</CSTIS></IS><IBSCBS>"), ("<IBSCBSTot>", "<ISTot><vIS>0.00</vIS></ISTot><IBSCBSTot>")]),
    pair("W31-20", &[("<IBSCBS>", "<IS><CSTIS>000</CSTIS></IS><IBSCBS>")], &[("<IBSCBS>", "<IS><CSTIS>000</CSTIS></IS><IBSCBS>"), ("<IBSCBSTot>", "<ISTot><vIS>0.00</vIS></ISTot><IBSCBSTot>")]),
    pair("W34-10", &[(GROUP, "")], &[]),
    pair("W34-20", &[(TOTAL, "")], &[]),
    pair("W35-10", &[("<vBCIBSCBS>82.00<", "<vBCIBSCBS>82.01<")], &[REDUCED, REDUCED_TOTAL]),
    pair("W38-10", &[("<gIBS><gIBSUF><vDif>0.00<", "<gIBS><gIBSUF><vDif>0.01<")], &[DEFERRED, DEFERRED_TOTAL]),
    pair("W39-10", &[("<gIBSUF><vDif>0.00</vDif><vDevTrib>0.00<", "<gIBSUF><vDif>0.00</vDif><vDevTrib>0.01<")], &[]),
    pair("W41-10", &[("</vDevTrib><vIBSUF>0.08<", "</vDevTrib><vIBSUF>0.09<")], &[REDUCED, REDUCED_TOTAL]),
    pair("W43-10", &[("<gIBSMun><vDif>0.00<", "<gIBSMun><vDif>0.01<")], &[DEFERRED, DEFERRED_TOTAL]),
    pair("W44-10", &[("<gIBSMun><vDif>0.00</vDif><vDevTrib>0.00<", "<gIBSMun><vDif>0.00</vDif><vDevTrib>0.01<")], &[]),
    pair("W46-10", &[("</vDevTrib><vIBSMun>0.00<", "</vDevTrib><vIBSMun>0.01<")], &[REDUCED, REDUCED_TOTAL]),
    pair("W47-10", &[("<vIBS>0.08</vIBS><vCredPres>", "<vIBS>0.09</vIBS><vCredPres>")], &[REDUCED, REDUCED_TOTAL]),
    pair("W48-10", &[("<vIBS>0.08</vIBS><vCredPres>0.00<", "<vIBS>0.08</vIBS><vCredPres>0.01<")], &[CREDITED, ("<cCredPres>05<", "<cCredPres>04<"), ("</gCBSCredPres>", IBS_CREDIT), ("<vIBS>0.08</vIBS><vCredPres>0.00<", "<vIBS>0.08</vIBS><vCredPres>0.05<")]),
    pair("W53-10", &[("<gCBS><vDif>0.00<", "<gCBS><vDif>0.01<")], &[DEFERRED, DEFERRED_TOTAL]),
    pair("W54-10", &[("<gCBS><vDif>0.00</vDif><vDevTrib>0.00<", "<gCBS><vDif>0.00</vDif><vDevTrib>0.01<")], GIVEN_BACK),
    pair("W56-10", &[("</vDevTrib><vCBS>0.74<", "</vDevTrib><vCBS>0.75<")], &[REDUCED, REDUCED_TOTAL]),
    pair("W56a-10", &[("<vCBS>0.74</vCBS><vCredPres>0.00<", "<vCBS>0.74</vCBS><vCredPres>0.01<")], &[CREDITED, CREDITED_TOTAL]),
    pair("W58-10", &[("</IBSCBSTot>", "<gMono><vIBSMono>0.01</vIBSMono></gMono></IBSCBSTot>")], BY_VALUE),
    pair("W59-10", &[("</IBSCBSTot>", "<gMono><vCBSMono>0.01</vCBSMono></gMono></IBSCBSTot>")], BY_VALUE),
    pair("W59a-10", &[("</IBSCBSTot>", "<gMono><vIBSMonoReten>0.01</vIBSMonoReten></gMono></IBSCBSTot>")], BY_VALUE),
    pair("W59b-10", &[("</IBSCBSTot>", "<gMono><vCBSMonoReten>0.01</vCBSMonoReten></gMono></IBSCBSTot>")], BY_VALUE),
    pair("W59c-10", &[("</IBSCBSTot>", "<gMono><vIBSMonoRet>0.01</vIBSMonoRet></gMono></IBSCBSTot>")], MIXED),
    pair("W59d-10", &[("</IBSCBSTot>", "<gMono><vCBSMonoRet>0.01</vCBSMonoRet></gMono></IBSCBSTot>")], MIXED),
    pair("W59f-10", &[("</IBSCBSTot>", "<gEstornoCred><vIBSEstCred>0.01</vIBSEstCred></gEstornoCred></IBSCBSTot>")], &[REVERSED, REVERSED_TOTAL]),
    pair("W59g-10", &[("</IBSCBSTot>", "<gEstornoCred><vCBSEstCred>0.01</vCBSEstCred></gEstornoCred></IBSCBSTot>")], &[REVERSED, REVERSED_TOTAL]),
    pair("UB95a-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gCBSMonoAdRem></gCBSMonoAdRem></gIBSCBSMono></IBSCBS>")], BY_QUANTITY).refused_in_production(),
];

/// Further valid documents.
#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "UB12-10", &[COMB, (GROUP, ""), (TOTAL, "")]),
    (55, "UB12-10", &[RETURN, ("</ide>", REF), (GROUP, ""), (TOTAL, "")]),
    (55, "UB13-30", &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>07</tpNFDebito>"), (GROUP, "<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib></IBSCBS>")]),
    (55, "B25-80", &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>07</tpNFDebito>")]),
    (55, "B25-80", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>03</tpNFCredito>")]),
    (55, "B25-100", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>03</tpNFCredito>"), ("</ide>", REF_65)]),
    (65, "B25b-60", &[("<indPres>1<", "<indPres>5<"), ("</ide>", "<cMunFGIBS>3550308</cMunFGIBS></ide>")]),
    (65, "B25b-70", &[("<indPres>1<", "<indPres>5<"), ("</ide>", "<cMunFGIBS>3550308</cMunFGIBS></ide>")]),
    (55, "B25d-30", &[("</ide>", "<cIndOp>010104</cIndOp></ide>"), ("<det ", "<retirada></retirada><det ")]),
    (55, "UB18-10", &[RETURN, ("<pIBSUF>0.1000<", "<pIBSUF>0.2000<")]),
    (55, "UB37-10", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>04</tpNFCredito>"), ("<pIBSMun>0.0000<", "<pIBSMun>0.2000<")]),
    (55, "UB56-10", &[RETURN, ("<pCBS>0.9000<", "<pCBS>0.2000<")]),
    (55, "BB02-10", &[IN_2027, ("</ide>", "<gCompraGov><tpEnteGov>4</tpEnteGov><pRedutor>0.0000</pRedutor><tpOperGov>1</tpOperGov></gCompraGov></ide>"), ("<pIBSUF>0.1000<", "<pIBSUF>0.0000<")]),
    (55, "UB35-10", &[("<vIBSUF>0.08<", "<vIBSUF>0.09<")]),
    (55, "UB67-10", &[("<vCBS>0.74<", "<vCBS>0.75<")]),
    (55, "UB116-10", &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>07</tpNFDebito>"), ("</gIBSCBS></IBSCBS>", "</gIBSCBS><gEstornoCred><vIBSEstCred>1.00</vIBSEstCred><vCBSEstCred>0.00</vCBSEstCred></gEstornoCred></IBSCBS>")]),
    (55, "UB120-20", &[CREDITED, ("<cClassTrib>000003<", "<cClassTrib>000001<"), ("</indTot>", "</indTot><indBemMovelUsado>1</indBemMovelUsado>")]),
    (55, "VC02-07", &[("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>06</tpNFCredito>"), BY_ITEM]),
    (55, "VC03-20", &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>03</tpNFDebito>"), ("</imposto>", "</imposto><DFeReferenciado><chaveAcesso>35261111222333000181550010000000011123456784</chaveAcesso></DFeReferenciado>")]),
    (55, "VC02-30", &[("<finNFe>1</finNFe>", "<finNFe>6</finNFe><tpNFDebito>03</tpNFDebito>"), BY_ITEM, ("</det>", "</det><det nItem=\"2\"><DFeReferenciado><chaveAcesso>35261122222333000181550010000000011123456784</chaveAcesso><nItem>1</nItem></DFeReferenciado></det>")]),
    (55, "VC02-20", &[BY_ITEM, ("</det>", "</det><det nItem=\"2\"><DFeReferenciado><chaveAcesso>35261111222333000181550010000000011123456784</chaveAcesso><nItem>2</nItem></DFeReferenciado></det>")]),
    (55, "UB54a-10", &[CREDITED, ("<cCredPres>05<", "<cCredPres>04<"), ("</gCBSCredPres>", IBS_CREDIT), ("<vIBS>0.08<", "<vIBS>0.03<")]),
    (55, "UB95a-10", &[COMB, (GROUP, "<IBSCBS><CST>620</CST><cClassTrib>620001</cClassTrib><gIBSCBSMono><gCBSMonoAdRem></gCBSMonoAdRem></gIBSCBSMono></IBSCBS>")]),
];
