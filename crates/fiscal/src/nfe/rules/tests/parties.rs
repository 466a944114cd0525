//! Groups C to GA: a document that each rule refuses, and the nearest it accepts.

use super::{ABROAD, BEFORE_IE_MAY_LACK, DEST_CPF, Edit, INTERSTATE, Pair, pair, pair_65};
use crate::nfe::rules::options::StateChoice;

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair("C02-10", &[("<CNPJ>11222333000181<", "<CNPJ>11222333000182<")], &[("<CNPJ>11222333000181<", "<CNPJ>12ABC34501DE35<")]),
    pair("C02a-20", &[("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477734</CPF>")], &[("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477735</CPF>")]),
    pair("C02a-10", &[("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477735</CPF>")], &[("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477735</CPF>"), ("<serie>1<", "<serie>920<")]),
    pair("C02-30", &[("<serie>1<", "<serie>920<")], &[("<serie>1<", "<serie>909<")]),
    pair("C10-10", &[("<cMun>3550308<", "<cMun>3599999<")], &[("<cMun>3550308<", "<cMun>3509502<")]),
    pair("C10-20", &[("<cMun>3550308<", "<cMun>4314902<")], &[("<cMun>3550308<", "<cMun>3509502<")]),
    pair("C12-10", &[("<UF>SP<", "<UF>RS<")], &[("<cUF>35<", "<cUF>43<"), ("<UF>SP<", "<UF>RS<")]),
    pair("C17-10", &[("<IE>110042490114<", "<IE>000000000000<")], &[("<IE>110042490114<", "<IE>000000000000<")]).refused_on(BEFORE_IE_MAY_LACK),
    pair("C17-10", &[("<IE>110042490114</IE>", "")], &[("<IE>110042490114</IE>", "")]).refused_on(BEFORE_IE_MAY_LACK),
    pair("C17-20", &[("<IE>110042490114<", "<IE>000000000000<")], &[("<IE>110042490114</IE>", "")]),
    pair("C17-20", &[("<IE>110042490114<", "<IE>110042490115<")], &[("<IE>110042490114<", "<IE>ISENTO<")]),
    pair("C18-30", &[("<IE>110042490114</IE>", "<IE>110042490114</IE><IEST>110042490115</IEST>")], &[("<IE>110042490114</IE>", "<IE>110042490114</IE><IEST>110042490114</IEST>")]),
    pair("E01-10", &[("<dest>", "<avulsa>"), ("</dest>", "</avulsa>")], &[]),
    pair("E02-10", &[(DEST_CPF, "<CNPJ>11222333000182</CNPJ>")], &[(DEST_CPF, "<CNPJ>11222333000181</CNPJ>")]),
    pair("E03-10", &[(DEST_CPF, "<CPF>11144477734</CPF>")], &[]),
    pair("E03a-20", &[(DEST_CPF, "<idEstrangeiro>AB123</idEstrangeiro>"), ("<indFinal>1<", "<indFinal>0<")], &[(DEST_CPF, "<idEstrangeiro>AB123</idEstrangeiro>")]),
    pair("E03a-60", &[(DEST_CPF, "<idEstrangeiro>AB_123</idEstrangeiro>")], &[(DEST_CPF, "<idEstrangeiro>AB-123</idEstrangeiro>")]),
    pair("E03a-30", &[(DEST_CPF, "<idEstrangeiro>AB123</idEstrangeiro>"), ("</indIEDest>", "</indIEDest><IE>110042490114</IE>")], &[(DEST_CPF, "<idEstrangeiro>AB123</idEstrangeiro>")]),
    pair("E04-10", &[("<xNome>NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL</xNome>", "")], &[]),
    pair("E04-20", &[("NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL", "JOSE")], &[]),
    pair("E05-10", &[("<enderDest>", "<outro>"), ("</enderDest>", "</outro>")], &[]),
    pair("E10-10", &[("<nro>2</nro><xBairro>CENTRO</xBairro><cMun>3550308", "<nro>2</nro><xBairro>CENTRO</xBairro><cMun>3599999")], &[("<nro>2</nro><xBairro>CENTRO</xBairro><cMun>3550308", "<nro>2</nro><xBairro>CENTRO</xBairro><cMun>3509502")]),
    pair("E10-20", &[("<nro>2</nro><xBairro>CENTRO</xBairro><cMun>3550308", "<nro>2</nro><xBairro>CENTRO</xBairro><cMun>4314902")], &[("<nro>2</nro><xBairro>CENTRO</xBairro><cMun>3550308", "<nro>2</nro><xBairro>CENTRO</xBairro><cMun>3509502")]),
    pair("E10-30", &[("SAO PAULO</xMun><UF>SP</UF><CEP>01001000</CEP></enderDest>", "LIMA</xMun><UF>EX</UF></enderDest>")], &[("<nro>2</nro><xBairro>CENTRO</xBairro><cMun>3550308", "<nro>2</nro><xBairro>CENTRO</xBairro><cMun>9999999"), ("SAO PAULO</xMun><UF>SP</UF><CEP>01001000</CEP></enderDest>", "LIMA</xMun><UF>EX</UF></enderDest>")]),
    pair("E16a-30", &[("<indIEDest>9<", "<indIEDest>2<")], &[("<indIEDest>9<", "<indIEDest>2<"), ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>SC</UF></enderDest>")]),
    pair("E16a-40", &[("<indFinal>1<", "<indFinal>0<")], &[("<indFinal>1<", "<indFinal>0<"), ("<indIEDest>9<", "<indIEDest>1<")]),
    pair("E17-20", &[("<indIEDest>9<", "<indIEDest>1<")], &[("<indIEDest>9</indIEDest>", "<indIEDest>1</indIEDest><IE>110042490114</IE>")]),
    pair("E17-30", &[("<indIEDest>9</indIEDest>", "<indIEDest>2</indIEDest><IE>110042490114</IE>")], &[("<indIEDest>9<", "<indIEDest>2<")]),
    pair("E17-50", &[("<indIEDest>9</indIEDest>", "<indIEDest>1</indIEDest><IE>110042490115</IE>")], &[("<indIEDest>9</indIEDest>", "<indIEDest>1</indIEDest><IE>110042490114</IE>")]),
    pair("E18-20", &[("</indIEDest>", "</indIEDest><ISUF>123456788</ISUF>")], &[("</indIEDest>", "</indIEDest><ISUF>200106023</ISUF>")]),
    pair("GA02-10", &[("<det ", "<autXML><CNPJ>11222333000182</CNPJ></autXML><det ")], &[("<det ", "<autXML><CNPJ>12ABC34501DE35</CNPJ></autXML><det ")]),
    pair("GA02-20", &[(DEST_CPF, "<CNPJ>11222333000181</CNPJ>"), ("<det ", "<autXML><CNPJ>11222333000181</CNPJ></autXML><det ")], &[(DEST_CPF, "<CNPJ>11222333000181</CNPJ>"), ("<det ", "<autXML><CNPJ>12ABC34501DE35</CNPJ></autXML><det ")]),
    pair("GA03-10", &[("<det ", "<autXML><CPF>11144477734</CPF></autXML><det ")], &[("<det ", "<autXML><CPF>11144477735</CPF></autXML><det ")]),
    pair("GA03-20", &[("<det ", "<autXML><CPF>11144477735</CPF></autXML><det ")], &[("<det ", "<autXML><CPF>52998224725</CPF></autXML><det ")]),
    pair_65("C02a-10", &[("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477735</CPF>")], &[("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477735</CPF>"), ("<serie>1<", "<serie>910<")]),
    pair("C17-30", &[("<IE>110042490114<", "<IE>ISENTO<")], &[("<IE>110042490114<", "<IE>ISENTO<"), ("<serie>1<", "<serie>890<")]),
    pair_65("C17-30", &[("<IE>110042490114<", "<IE>ISENTO<"), ("<serie>1<", "<serie>890<")], &[]),
    pair("C18-14", &[IEST], &[IEST, INTERSTATE]),
    pair("C18-14", &[IEST, ABROAD], &[IEST]).choosing(StateChoice::IestEmOperacaoInterna),
    pair("C18-20", &[DIRECT], &[DIRECT, ("<det ", "<entrega><UF>RJ</UF></entrega><det ")]),
    pair("C18-30", &[DIRECT, ("<det ", "<entrega><UF>RJ</UF></entrega><det "), IEST], &[DIRECT, ("<det ", "<entrega><UF>SP</UF></entrega><det "), IEST]),
    pair("C18-40", &[IEST, ("<IEST>110042490114<", "<IEST>110042490114<")], &[IEST, ("<IEST>110042490114<", "<IEST>388108598269<")]),
    pair("C18-40", &[IEST, ("<IEST>110042490114<", "<IEST>388108598269<"), ("</indIEDest>", "</indIEDest><IE>388108598269</IE>")], &[IEST, ("<IEST>110042490114<", "<IEST>388108598269<")]),
    pair("D01-10", &[("<dest>", "<avulsa></avulsa><dest>")], &[("<dest>", "<avulsa></avulsa><dest>"), ("<procEmi>0<", "<procEmi>1<")]),
    pair_65("D01-10", &[("<dest>", "<avulsa></avulsa><dest>")], &[]),
    pair("E17-40", &[OF_EX, ("</indIEDest>", "</indIEDest><IE>110042490114</IE>")], &[OF_EX]),
    pair("E18-30", &[ISUF], &[ISUF, ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>AM</UF></enderDest>")]),
    pair("E18-30", &[ISUF, IN_AMAPA, MACAPA, ("1600303", "1600279")], &[ISUF, IN_AMAPA, MACAPA]),
];

const IEST: Edit = ("<IE>110042490114</IE>", "<IE>110042490114</IE><IEST>110042490114</IEST>");
const DIRECT: Edit = ("</prod>", "<veicProd><tpOp>2</tpOp></veicProd></prod>");
const OF_EX: Edit = ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>EX</UF></enderDest>");
const ISUF: Edit = ("</indIEDest>", "</indIEDest><ISUF>200106023</ISUF>");
const IN_AMAPA: Edit = ("<UF>SP</UF><CEP>01001000</CEP></enderDest>", "<UF>AP</UF></enderDest>");
const MACAPA: Edit =
    ("<nro>2</nro><xBairro>CENTRO</xBairro><cMun>3550308", "<nro>2</nro><xBairro>CENTRO</xBairro><cMun>1600303");

#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "C02a-10", &[("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477735</CPF>"), ("<tpEmis>1<", "<tpEmis>3<")]),
    (55, "C17-30", &[("<IE>110042490114<", "<IE>ISENTO<"), ("<serie>1<", "<serie>919<")]),
    (55, "C18-20", &[("</prod>", "<veicProd><tpOp>1</tpOp></veicProd></prod>")]),
    (55, "D01-10", &[("<dest>", "<avulsa></avulsa><dest>"), ("<procEmi>0<", "<procEmi>2<")]),
    (55, "E18-30", &[ISUF, IN_AMAPA, MACAPA, ("1600303", "1600600")]),
];
