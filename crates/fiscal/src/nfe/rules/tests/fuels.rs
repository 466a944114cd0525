//! Groups LA, N and W of fuels: a document that each rule refuses, and the nearest it accepts.

use super::{ABROAD, Edit, ICMS00, Pair, pair, pair_65};

/// Gasoline C with all its data.
const GASOLINE: Edit = (
    "</indTot>",
    "</indTot><comb><cProdANP>320102001</cProdANP><UFCons>SP</UFCons><pBio>32.0000</pBio>\
     <origComb><indImport>0</indImport><cUFOrig>35</cUFOrig><pOrig>100.0000</pOrig></origComb></comb>",
);
const NO_MIXTURE: Edit = ("<pBio>32.0000</pBio>", "");
const ORIGIN: &str = "<origComb><indImport>0</indImport><cUFOrig>35</cUFOrig><pOrig>100.0000</pOrig></origComb>";
const NO_ORIGIN: Edit = (ORIGIN, "");
const TO_SELL: Edit = ("<indFinal>1<", "<indFinal>0<");
/// Gas, of three parts.
const GLP: Edit = (
    "</indTot>",
    "</indTot><comb><cProdANP>210203001</cProdANP><pGLP>60.0000</pGLP><pGNn>30.0000</pGNn><pGNi>10.0000</pGNi><UFCons>SP</UFCons>\
     <origComb><indImport>0</indImport><cUFOrig>35</cUFOrig><pOrig>100.0000</pOrig></origComb>\
     <origComb><indImport>1</indImport><cUFOrig>35</cUFOrig><pOrig>100.0000</pOrig></origComb></comb>",
);
const GLP_ORIGINS: Edit = (
    "<origComb><indImport>0</indImport><cUFOrig>35</cUFOrig><pOrig>100.0000</pOrig></origComb>\
     <origComb><indImport>1</indImport><cUFOrig>35</cUFOrig><pOrig>100.0000</pOrig></origComb>",
    "",
);
const OIL: Edit = ("</indTot>", "</indTot><comb><cProdANP>610101001</cProdANP><UFCons>SP</UFCons></comb>");
const PUMP: &str = "</UFCons><encerrante><nBico>1</nBico><nTanque>1</nTanque><vEncIni>10.000</vEncIni><vEncFin>12.000</vEncFin></encerrante>";
const LITRE: Edit = ("<uTrib>UN<", "<uTrib>l<");
const SOLD: Edit = ("<CFOP>5102<", "<CFOP>5656<");

const ICMS02: &str = "<ICMS02><orig>0</orig><CST>02</CST><qBCMono>2.0000</qBCMono><adRemICMS>1.5700</adRemICMS><vICMSMono>3.14</vICMSMono></ICMS02>";
const ICMS15: &str = "<ICMS15><orig>0</orig><CST>15</CST><qBCMono>2.0000</qBCMono><adRemICMS>1.5700</adRemICMS><vICMSMono>3.14</vICMSMono>\
     <qBCMonoReten>10.0000</qBCMonoReten><adRemICMSReten>1.1700</adRemICMSReten><vICMSMonoReten>11.70</vICMSMonoReten></ICMS15>";
const ICMS53: &str = "<ICMS53><orig>0</orig><CST>53</CST></ICMS53>";
const ICMS60: &str = "<ICMS60><orig>0</orig><CST>60</CST></ICMS60>";
const ICMS61: &str = "<ICMS61><orig>0</orig><CST>61</CST><qBCMonoRet>2.0000</qBCMonoRet><adRemICMSRet>1.5700</adRemICMSRet><vICMSMonoRet>3.14</vICMSMonoRet></ICMS61>";
const DIESEL: Edit = ("</indTot>", "</indTot><comb><cProdANP>420105001</cProdANP><UFCons>SP</UFCons></comb>");
const A_THIRD: Edit = ("<vICMSMonoReten>11.70<", "<vICMSMonoReten>3.90<");

const CARRIED: Edit = ("<CFOP>5102<", "<CFOP>5652<");
const CARRIER: Edit = ("</modFrete>", "</modFrete><transporta><CNPJ>11222333000181</CNPJ></transporta>");

/// Gasoline with four points of ethanol more than required: of 200 litres, 200 × 4 ÷ 68 = 11.76 are due.
const MORE: Edit = ("<pBio>32.0000<", "<pBio>36.0000<");
const LESS: Edit = ("<pBio>32.0000<", "<pBio>28.0000<");
const LITRES: Edit = ("<qTrib>2.0000<", "<qTrib>200.0000<");
const TAXED: &str = "<CST>000</CST><cClassTrib>000001</cClassTrib>";
const TOO_MUCH: Edit = (TAXED, "<CST>620</CST><cClassTrib>620004</cClassTrib>");
const TOO_LITTLE: Edit = (TAXED, "<CST>620</CST><cClassTrib>620005</cClassTrib>");

macro_rules! bio {
    ($class:literal, $group:literal, $quantity:literal) => {
        (
            TAXED,
            concat!(
                "<CST>620</CST><cClassTrib>",
                $class,
                "</cClassTrib><gIBSCBSMono><",
                $group,
                "><gpBioDiferenca><qBCBioComb>",
                $quantity,
                "</qBCBioComb></gpBioDiferenca></",
                $group,
                "></gIBSCBSMono>"
            ),
        )
    };
}

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("I13-20", &[GASOLINE], &[GASOLINE, LITRE]),
    pair_65("I13-20", &[GASOLINE], &[GASOLINE, LITRE]),
    pair("LA03c-10", &[GLP, ("<cProdANP>210203001<", "<cProdANP>210203003<")], &[GLP]),
    pair("LA03c-20", &[GLP, ("<pGLP>60.0000<", "<pGLP>60.0001<")], &[GLP]),
    pair("LA03c-20", &[GLP, ("<pGLP>60.0000</pGLP><pGNn>30.0000</pGNn><pGNi>10.0000</pGNi>", "")], &[GLP]),
    pair("LA11-20", &[GASOLINE, ("</UFCons>", PUMP)], &[GASOLINE, ("</UFCons>", PUMP), SOLD]),
    pair("LA11-20", &[GASOLINE, ("</UFCons>", PUMP), ("<CFOP>5102<", "<CFOP>5655<")], &[GASOLINE, ("</UFCons>", PUMP), ("<CFOP>5102<", "<CFOP>5667<")]),
    pair("LA16-10", &[GASOLINE, ("</UFCons>", PUMP), ("<vEncFin>12.000<", "<vEncFin>10.000<")], &[GASOLINE, ("</UFCons>", PUMP)]),
    pair_65("LA16-10", &[GASOLINE, ("</UFCons>", PUMP), ("<vEncFin>12.000<", "<vEncFin>9.000<")], &[GASOLINE, ("</UFCons>", PUMP), ("<vEncFin>12.000<", "<vEncFin>10.001<")]),
    pair("LA17-10", &[GASOLINE, ("<cProdANP>320102001<", "<cProdANP>610101001<")], &[GASOLINE]),
    pair("LA17-10", &[GASOLINE, ("<cProdANP>320102001<", "<cProdANP>320201001<")], &[OIL]),
    pair("LA17-20", &[GASOLINE, TO_SELL, NO_MIXTURE], &[GASOLINE, TO_SELL]),
    pair("LA18-20", &[GLP, TO_SELL, GLP_ORIGINS], &[GLP, TO_SELL]),
    pair("LA18-30", &[GASOLINE, ("<cProdANP>320102001<", "<cProdANP>610101001<")], &[GASOLINE]),
    pair("LA21-10", &[GASOLINE, ("<pOrig>100.0000<", "<pOrig>99.8999<")], &[GASOLINE, ("<pOrig>100.0000<", "<pOrig>99.9000<")]),
    pair("LA21-10", &[GASOLINE, ("<pOrig>100.0000<", "<pOrig>100.1001<")], &[GASOLINE, ("<pOrig>100.0000<", "<pOrig>100.1000<")]),
    pair("LA21-20", &[GLP, ("<pOrig>100.0000<", "<pOrig>60.0000<"), ("<pOrig>100.0000<", "<pOrig>40.0000<")], &[GLP]),
    pair("N08-10", &[GASOLINE, (ICMS00, ICMS60)], &[GASOLINE, (ICMS00, "<ICMSST><orig>0</orig><CST>60</CST></ICMSST>")]),
    pair("N12-100", &[OIL, (ICMS00, ICMS02)], &[GASOLINE, (ICMS00, ICMS02)]),
    pair_65("N12-100", &[(ICMS00, ICMS61)], &[GASOLINE, (ICMS00, ICMS61)]),
    pair("N12-110", &[GASOLINE], &[GASOLINE, (ICMS00, ICMS61)]),
    pair("N12-110", &[GASOLINE, (ICMS00, "<ICMSSN500><orig>0</orig><CSOSN>500</CSOSN></ICMSSN500>")], &[GASOLINE, (ICMS00, ICMS53)]),
    pair("N37a-10", &[(ICMS00, ICMS53)], &[(ICMS00, ICMS02)]),
    pair("N39-10", &[(ICMS00, ICMS02), ("<vICMSMono>3.14<", "<vICMSMono>3.16<")], &[(ICMS00, ICMS02), ("<vICMSMono>3.14<", "<vICMSMono>3.15<")]),
    pair("N39-10", &[(ICMS00, ICMS15), ("<vICMSMono>3.14<", "<vICMSMono>3.12<")], &[(ICMS00, ICMS15)]),
    pair("N39a-10", &[(ICMS00, ICMS15), ("<qBCMonoReten>10.0000</qBCMonoReten>", "")], &[(ICMS00, ICMS15)]),
    pair("N41-10", &[GASOLINE, (ICMS00, ICMS15), A_THIRD], &[GASOLINE, (ICMS00, ICMS15)]),
    pair("N41-20", &[DIESEL, (ICMS00, ICMS15)], &[DIESEL, (ICMS00, ICMS15), A_THIRD]),
    pair("N43a-10", &[(ICMS00, ICMS61), ("<qBCMonoRet>2.0000</qBCMonoRet>", "")], &[(ICMS00, ICMS61)]),
    pair_65("N43a-10", &[(ICMS00, ICMS61), ("<qBCMonoRet>2.0000</qBCMonoRet>", "")], &[(ICMS00, ICMS61)]),
    pair("UB14-30", &[GASOLINE, TOO_MUCH], &[GASOLINE, MORE, TOO_MUCH]),
    pair("UB14-50", &[GASOLINE, TOO_LITTLE], &[GASOLINE, LESS, TOO_LITTLE]),
    pair("UB89a-10", &[GASOLINE, MORE, LITRES, bio!("620004", "gIBSMonoAdRem", "11.7800")], &[GASOLINE, MORE, LITRES, bio!("620004", "gIBSMonoAdRem", "11.7700")]),
    pair("UB94a-10", &[GASOLINE, LESS, LITRES, bio!("620005", "gIBSMonoAdValorem", "-11.7600")], &[GASOLINE, LESS, LITRES, bio!("620005", "gIBSMonoAdValorem", "11.7600")]),
    pair("UB99-10", &[GASOLINE, (TAXED, "<CST>620</CST><cClassTrib>620004</cClassTrib><gIBSCBSMono><gCBSMonoAdRem></gCBSMonoAdRem></gIBSCBSMono>")], &[GASOLINE, bio!("620004", "gCBSMonoAdRem", "0.1176")]),
    pair("UB99-20", &[GASOLINE, bio!("620001", "gCBSMonoAdRem", "0.1176")], &[GASOLINE, bio!("620004", "gCBSMonoAdRem", "0.1176")]),
    pair("UB99a-10", &[GASOLINE, MORE, bio!("620004", "gCBSMonoAdRem", "1.0000")], &[GASOLINE, MORE, bio!("620004", "gCBSMonoAdRem", "0.1176")]),
    pair("UB104a-10", &[GASOLINE, LESS, bio!("620004", "gCBSMonoAdValorem", "0.1176")], &[GASOLINE, LESS, bio!("620005", "gCBSMonoAdValorem", "0.1176")]),
    pair("W06b.1-10", &[(ICMS00, ICMS02), ("</vFCPST>", "</vFCPST><qBCMono>2.02</qBCMono>")], &[(ICMS00, ICMS02), ("</vFCPST>", "</vFCPST><qBCMono>2.01</qBCMono>")]),
    pair("W06c-10", &[(ICMS00, ICMS02)], &[(ICMS00, ICMS02), ("</vFCPST>", "</vFCPST><vICMSMono>3.14</vICMSMono>")]),
    pair("W06c.1-10", &[(ICMS00, ICMS15)], &[(ICMS00, ICMS15), ("</vFCPST>", "</vFCPST><qBCMonoReten>10.00</qBCMonoReten>")]),
    pair("W06d-10", &[(ICMS00, ICMS15), ("</vFCPST>", "</vFCPST><vICMSMonoReten>11.71</vICMSMonoReten>")], &[(ICMS00, ICMS15), ("</vFCPST>", "</vFCPST><vICMSMonoReten>11.70</vICMSMonoReten>")]),
    pair_65("W06d.1-10", &[(ICMS00, ICMS61)], &[(ICMS00, ICMS61), ("</vFCPST>", "</vFCPST><qBCMonoRet>2.00</qBCMonoRet>")]),
    pair_65("W06e-10", &[(ICMS00, ICMS61)], &[(ICMS00, ICMS61), ("</vFCPST>", "</vFCPST><vICMSMonoRet>3.14</vICMSMonoRet>")]),
    pair("X04-10", &[GASOLINE, CARRIED], &[GASOLINE, CARRIED, CARRIER]),
];

/// Further valid documents.
#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "I13-20", &[GASOLINE, ABROAD]),
    (55, "I13-20", &[GASOLINE, ("<CFOP>5102<", "<CFOP>5501<")]),
    (55, "I13-20", &[OIL]),
    (65, "LA11-20", &[GASOLINE, ("</UFCons>", PUMP)]),
    (55, "LA17-20", &[GASOLINE, NO_MIXTURE]),
    (55, "LA17-20", &[GASOLINE, NO_MIXTURE, TO_SELL, ("<finNFe>1<", "<finNFe>2<")]),
    (55, "LA17-20", &[GASOLINE, NO_MIXTURE, TO_SELL, ("<finNFe>1<", "<finNFe>4<")]),
    (55, "LA17-20", &[GASOLINE, NO_MIXTURE, TO_SELL, ("<CFOP>5102<", "<CFOP>5922<")]),
    (55, "LA17-20", &[GASOLINE, NO_MIXTURE, TO_SELL, ("<CFOP>5102<", "<CFOP>6922<")]),
    (55, "LA17-20", &[GASOLINE, NO_MIXTURE, TO_SELL, ("<tpImp>1<", "<tpImp>6<")]),
    (55, "LA17-20", &[OIL, TO_SELL]),
    (65, "LA17-20", &[GASOLINE, NO_MIXTURE, TO_SELL]),
    (55, "LA18-20", &[GLP, GLP_ORIGINS]),
    (55, "LA18-20", &[GLP, GLP_ORIGINS, TO_SELL, ("<finNFe>1<", "<finNFe>2<")]),
    (55, "LA18-20", &[GLP, GLP_ORIGINS, TO_SELL, ("<finNFe>1<", "<finNFe>4<")]),
    (55, "LA18-20", &[GLP, GLP_ORIGINS, TO_SELL, ("<CFOP>5102<", "<CFOP>5922<")]),
    (55, "LA18-20", &[GLP, GLP_ORIGINS, TO_SELL, ("<tpImp>1<", "<tpImp>6<")]),
    (55, "LA18-20", &[GLP, GLP_ORIGINS, TO_SELL, ("<pGNn>30.0000<", "<pGNn>0.0000<"), ("<pGNi>10.0000<", "<pGNi>0.0000<")]),
    (55, "LA18-20", &[GASOLINE, NO_ORIGIN, TO_SELL]),
    (55, "LA21-10", &[GLP, ("<pOrig>100.0000<", "<pOrig>60.0000<")]),
    (55, "LA21-10", &[GASOLINE, ("</origComb>", "</origComb><origComb><indImport>1</indImport><cUFOrig>33</cUFOrig><pOrig>40.0000</pOrig></origComb>"), ("<pOrig>100.0000<", "<pOrig>60.0000<")]),
    (55, "LA21-20", &[GLP, GLP_ORIGINS]),
    (55, "LA21-20", &[GLP, ("<indImport>1<", "<indImport>0<"), ("<pOrig>100.0000<", "<pOrig>60.0000<"), ("<pOrig>100.0000<", "<pOrig>40.0000<")]),
    (65, "N08-10", &[GASOLINE, (ICMS00, ICMS60)]),
    (55, "N08-10", &[OIL, (ICMS00, ICMS60)]),
    (55, "N12-110", &[GASOLINE, (ICMS00, "<ICMS40><orig>0</orig><CST>40</CST></ICMS40>")]),
    (55, "N12-110", &[GASOLINE, (ICMS00, "<ICMS40><orig>0</orig><CST>41</CST></ICMS40>")]),
    (55, "N12-110", &[GASOLINE, (ICMS00, "<ICMS40><orig>0</orig><CST>50</CST></ICMS40>")]),
    (55, "N12-110", &[GASOLINE, (ICMS00, "<ICMS90><orig>0</orig><CST>90</CST></ICMS90>")]),
    (55, "N12-110", &[GASOLINE, ("<finNFe>1<", "<finNFe>5<")]),
    (55, "N12-110", &[GASOLINE, ("<finNFe>1<", "<finNFe>6<")]),
    (55, "N12-110", &[GASOLINE, (ICMS00, "")]),
    (65, "N37a-10", &[(ICMS00, ICMS53)]),
    (55, "N39-10", &[(ICMS00, ICMS02), ("<vICMSMono>3.14<", "<vICMSMono>9.99<"), ("<finNFe>1<", "<finNFe>4<")]),
    (55, "N39-10", &[(ICMS00, ICMS02), ("<vICMSMono>3.14<", "<vICMSMono>9.99<"), ("<qBCMono>2.0000</qBCMono>", "")]),
    (65, "N39-10", &[(ICMS00, ICMS02), ("<vICMSMono>3.14<", "<vICMSMono>9.99<")]),
    (55, "N41-10", &[GASOLINE, (ICMS00, ICMS15), A_THIRD, ("<finNFe>1<", "<finNFe>2<")]),
    (55, "N41-10", &[GASOLINE, (ICMS00, ICMS15), A_THIRD, ("<qBCMonoReten>10.0000</qBCMonoReten>", "")]),
    (65, "N41-10", &[GASOLINE, (ICMS00, ICMS15), A_THIRD]),
    (55, "N41-20", &[DIESEL, (ICMS00, ICMS15), ("<finNFe>1<", "<finNFe>2<")]),
    (55, "UB14-30", &[OIL, TOO_MUCH]),
    (55, "UB89a-10", &[OIL, bio!("620004", "gIBSMonoAdRem", "99.0000")]),
    (55, "X04-10", &[GASOLINE, CARRIED, ("<finNFe>1<", "<finNFe>2<")]),
    (55, "X04-10", &[OIL, CARRIED]),
    (55, "X04-10", &[GASOLINE, CARRIED, ("</modFrete>", "</modFrete><transporta><UF>EX</UF></transporta>")]),
    (55, "X04-10", &[GASOLINE, CARRIED, ("</modFrete>", "</modFrete><transporta><CPF>11144477735</CPF></transporta>")]),
    (55, "X04-10", &[GASOLINE, ("<CFOP>5102<", "<CFOP>7667<")]),
    (55, "X04-10", &[GASOLINE, SOLD]),
];
