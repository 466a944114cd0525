//! Groups A, B and BA: a document that each rule refuses, and the nearest it accepts.

use super::{EXIT, Edit, Pair, REF, pair};

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("A03-10", &[("NFe35261111222333000181550010000000011847362510", "NFe35261111222333000181550010000000021847362510")], &[]),
    pair("B23-10", &[("<cDV>0<", "<cDV>1<")], &[]),
    pair("B03-10", &[("<cNF>84736251<", "<cNF>11111111<")], &[]),
    pair("B09-10", &[("<dhEmi>2026-11-20T10:00:00-03:00<", "<dhEmi>2026-11-20T10:05:31-03:00<")], &[("<dhEmi>2026-11-20T10:00:00-03:00<", "<dhEmi>2026-11-20T10:05:30-03:00<")]),
    pair("B09-20", &[("<dhEmi>2026-11-20T10:00:00-03:00<", "<dhEmi>2026-10-21T10:00:29-03:00<")], &[("<dhEmi>2026-11-20T10:00:00-03:00<", "<dhEmi>2026-10-01T10:00:00-03:00<"), ("<tpEmis>1<", "<tpEmis>5<")]),
    pair("B10-20", &[(EXIT, "</dhEmi><dhSaiEnt>2027-01-20T10:00:00-03:00</dhSaiEnt>")], &[(EXIT, "</dhEmi><dhSaiEnt>2026-12-20T10:00:00-03:00</dhSaiEnt>")]),
    pair("B10-30", &[(EXIT, "</dhEmi><dhSaiEnt>2026-09-20T10:00:00-03:00</dhSaiEnt>")], &[(EXIT, "</dhEmi><dhSaiEnt>2026-10-21T10:00:30-03:00</dhSaiEnt>")]),
    pair("B10-40", &[(EXIT, "</dhEmi><dhSaiEnt>2026-11-20T09:00:00-03:00</dhSaiEnt>")], &[(EXIT, "</dhEmi><dhSaiEnt>2026-11-20T10:00:00-03:00</dhSaiEnt>")]),
    pair("B12-10", &[("<cMunFG>3550308<", "<cMunFG>3599999<")], &[("<cMunFG>3550308<", "<cMunFG>3509502<")]),
    pair("B12-20", &[("<cMunFG>3550308<", "<cMunFG>4314902<")], &[("<cMunFG>3550308<", "<cMunFG>3509502<")]),
    pair("B21-20", &[("<tpImp>1<", "<tpImp>4<")], &[("<tpImp>1<", "<tpImp>2<")]),
    pair("B22-10", &[("<tpEmis>1<", "<tpEmis>9<")], &[("<tpEmis>1<", "<tpEmis>9<"), ("<tpImp>1<", "<tpImp>6<")]),
    pair("B24-10", &[("<tpAmb>2<", "<tpAmb>1<")], &[]),
    pair("B25-70", &[("<finNFe>1<", "<finNFe>4<")], &[("<finNFe>1<", "<finNFe>4<"), ("</ide>", REF)]),
    pair("B25b-10", &[("<indPres>1<", "<indPres>4<")], &[("<indPres>1<", "<indPres>4<"), ("<tpImp>1<", "<tpImp>6<")]),
    pair("B25c-10", &[("<indPres>1<", "<indPres>2<")], &[("<indPres>1</indPres>", "<indPres>2</indPres><indIntermed>0</indIntermed>")]),
    pair("B25c-20", &[("<indPres>1</indPres>", "<indPres>0</indPres><indIntermed>1</indIntermed>")], &[("<indPres>1</indPres>", "<indPres>1</indPres><indIntermed>1</indIntermed>")]),
    pair("B25b-40", &[("<indPres>1<", "<indPres>5<")], &[("<indPres>1<", "<indPres>5<"), ("</ide>", REF)]),
    pair("B26-10", &[("<serie>1<", "<serie>900<")], &[("<serie>1<", "<serie>920<")]),
    pair("B28-10", &[("</ide>", "<dhCont>2026-11-20T09:00:00-03:00</dhCont><xJust>SEM COMUNICACAO COM A SEFAZ</xJust></ide>")], &[("<tpEmis>1<", "<tpEmis>5<"), ("</ide>", "<dhCont>2026-11-20T09:00:00-03:00</dhCont><xJust>SEM COMUNICACAO COM A SEFAZ</xJust></ide>")]),
    pair("B28-20", &[("<tpEmis>1<", "<tpEmis>5<")], &[("<tpEmis>1<", "<tpEmis>5<"), ("</ide>", "<dhCont>2026-11-20T09:00:00-03:00</dhCont><xJust>SEM COMUNICACAO COM A SEFAZ</xJust></ide>")]),
    pair("B28-30", &[("</ide>", "<dhCont>2026-11-20T10:30:00-03:00</dhCont></ide>")], &[("</ide>", "<dhCont>2026-11-20T10:05:00-03:00</dhCont></ide>")]),
    pair("B28-40", &[("</ide>", "<dhCont>2026-10-01T10:30:00-03:00</dhCont></ide>")], &[("</ide>", "<dhCont>2026-10-21T10:30:00-03:00</dhCont></ide>")]),
];

const DISTANT: Edit = ("<indPres>1<", "<indPres>2<");

#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "B25c-10", &[("<indPres>1<", "<indPres>1<")]),
    (55, "B25c-10", &[DISTANT, ("<tpNF>1<", "<tpNF>0<")]),
    (55, "B25c-10", &[DISTANT, ("<finNFe>1<", "<finNFe>4<")]),
    (55, "B25c-10", &[DISTANT, ("<CFOP>5102<", "<CFOP>5205<")]),
    (55, "B25c-10", &[DISTANT, ("<CFOP>5102<", "<CFOP>5258<")]),
    (55, "B25c-10", &[DISTANT, ("<CFOP>5102<", "<CFOP>5301<")]),
    (55, "B25c-20", &[("<indPres>1</indPres>", "<indPres>1</indPres><indIntermed>0</indIntermed>")]),
    (55, "B25c-20", &[("<indPres>1</indPres>", "<indPres>5</indPres><indIntermed>0</indIntermed>")]),
    (65, "B25c-20", &[("<indPres>1</indPres>", "<indPres>4</indPres><indIntermed>1</indIntermed>")]),
];
