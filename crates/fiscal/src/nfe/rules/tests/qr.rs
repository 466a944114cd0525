//! Group ZX: a document that each rule of the QR code refuses, and the nearest it accepts. The vectors are beside the
//! rules.

use super::{Edit, Pair, pair, pair_65};

const OF_VERSION_2: Edit = (
    "</infNFe>",
    "</infNFe><infNFeSupl><qrCode>https://x?p=35261111222333000181550010000000011847362510|2|2|1|AA</qrCode></infNFeSupl>",
);
const OF_VERSION_3: Edit = (
    "</infNFe>",
    "</infNFe><infNFeSupl><qrCode>https://x?p=35261111222333000181550010000000011847362510|3|2</qrCode></infNFeSupl>",
);

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair_65("ZX02-10", &[("<qrCode>https://www.homologacao.nfce.fazenda.sp.gov.br/qrcode?p=35261111222333000181650010000000011847362513|3|2</qrCode>", "")], &[]),
    pair("ZX02-10", &[("<tpImp>1<", "<tpImp>6<")], &[("<tpImp>1<", "<tpImp>6<"), ("</infNFe>", "</infNFe><infNFeSupl><qrCode>x</qrCode></infNFeSupl>")]),
    pair_65("ZX02-20", &[("www.homologacao.nfce.fazenda.sp.gov.br/qrcode", "www.example.com/qrcode")], &[("www.homologacao.nfce.fazenda.sp.gov.br/qrcode", "WWW.homologacao.nfce.fazenda.SP.gov.br/QRcode")]),
    pair("ZX02-220", &[("<tpImp>1<", "<tpImp>6<"), OF_VERSION_2], &[("<tpImp>1<", "<tpImp>6<"), OF_VERSION_3]),
    pair("ZX02-220", &[("<tpImp>1<", "<tpImp>6<"), OF_VERSION_3, ("|3|2<", "|4|2<")], &[("<tpImp>1<", "<tpImp>6<"), OF_VERSION_3]),
    pair_65("ZX02-222", &[("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477735</CPF>"), ("|3|2<", "|2|2|1|AA<")], &[("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477735</CPF>")]),
    pair_65("ZX02-224", &[("|3|2<", "|3<")], &[("|3|2<", "|2|2|1|AA<")]),
    pair_65("ZX02-228", &[("qrcode?p=3526", "qrcode?p=3626")], &[]),
    pair_65("ZX02-236", &[("|3|2<", "|4|2<")], &[("|3|2<", "|2|2|1|AA<")]),
    pair_65("ZX02-244", &[("|3|2<", "|3|1<")], &[]),
    pair_65("ZX02-260", &[("<tpEmis>1<", "<tpEmis>9<")], &[("<tpEmis>1<", "<tpEmis>9<"), ("|3|2<", "|3|2|20|100.00|2|11144477735|QUJD<")]),
    pair_65("ZX02-268", &[("<tpEmis>1<", "<tpEmis>9<"), ("|3|2<", "|3|2|21|100.00|2|11144477735|QUJD<")], &[("<tpEmis>1<", "<tpEmis>9<"), ("|3|2<", "|3|2|20|100.00|2|11144477735|QUJD<")]),
    pair_65("ZX02-276", &[("<tpEmis>1<", "<tpEmis>9<"), ("|3|2<", "|3|2|20|100.01|2|11144477735|QUJD<")], &[("<tpEmis>1<", "<tpEmis>9<"), ("|3|2<", "|3|2|20|100.00|2|11144477735|QUJD<")]),
    pair_65("ZX02-296", &[("<tpEmis>1<", "<tpEmis>9<"), ("|3|2<", "|2|2|20|100.00|2f3436357830524d495959725158727a694c3631424746497a436f3c|1|AA<"), ("</infNFeSupl>", "</infNFeSupl><Signature><SignedInfo><Reference><DigestValue>/465x0RMIYYrQXrziL61BGFIzCo=</DigestValue></Reference></SignedInfo></Signature>")], &[("<tpEmis>1<", "<tpEmis>9<"), ("|3|2<", "|2|2|20|100.00|2f3436357830524d495959725158727a694c3631424746497a436f3d|1|AA<"), ("</infNFeSupl>", "</infNFeSupl><Signature><SignedInfo><Reference><DigestValue>/465x0RMIYYrQXrziL61BGFIzCo=</DigestValue></Reference></SignedInfo></Signature>")]),
    pair_65("ZX02-328", &[("<tpEmis>1<", "<tpEmis>9<"), ("|3|2<", "|3|2|20|100.00|2|52998224725|QUJD<")], &[("<tpEmis>1<", "<tpEmis>9<"), ("|3|2<", "|3|2|20|100.00|2|11144477735|QUJD<")]),
    pair_65("ZX02-330", &[("|3|2<", "|3|2|QUJD<")], &[]),
    pair_65("ZX02-334", &[("<tpEmis>1<", "<tpEmis>9<"), ("|3|2<", "|3|2|20|100.00||<")], &[("<tpEmis>1<", "<tpEmis>9<"), ("|3|2<", "|3|2|20|100.00|2|11144477735|QUJD<")]),
    pair_65("ZX03-20", &[("/NFCeConsultaPublica", "/consulta")], &[]),
];
