//! Documents to look at: a wholesaler's invoice and a shop's receipt, with as many items as told and totals that are their sums.

/// Names and prices, in cents.
const PRODUCTS: &[(&str, &str, &str, &str, u64)] = &[
    ("7891000100103", "CAFÉ TORRADO E MOÍDO TRADICIONAL 500 G", "09012100", "UN", 1_890),
    ("ARZ-T1-5", "ARROZ AGULHINHA TIPO 1 PACOTE 5 KG", "10063021", "PCT", 2_749),
    ("FEI-CAR-1", "FEIJÃO CARIOCA TIPO 1 PACOTE 1 KG", "07133399", "PCT", 899),
    ("OLE-SOJA-900", "ÓLEO DE SOJA REFINADO 900 ML", "15079011", "UN", 779),
    ("ACU-REF-1", "AÇÚCAR REFINADO ESPECIAL 1 KG", "17019900", "PCT", 489),
    ("LEI-UHT-INT", "LEITE UHT INTEGRAL 1 L CAIXA COM 12 UNIDADES", "04012010", "CX", 6_588),
    ("MAC-ESP-500", "MACARRÃO ESPAGUETE COM OVOS 500 G", "19021100", "PCT", 549),
    (
        "SAB-PO-16",
        "DETERGENTE EM PÓ LAVAGEM PERFEITA 1,6 KG EMBALAGEM ECONÔMICA LEVE 1,6 PAGUE 1,4",
        "34025000",
        "UN",
        2_390,
    ),
    ("PAP-HIG-12", "PAPEL HIGIÊNICO FOLHA DUPLA 30 M COM 12 ROLOS", "48181000", "FD", 1_999),
    ("BIS-CRE-400", "BISCOITO CREAM CRACKER 400 G", "19053100", "PCT", 629),
];

/// An item: its lines of XML, and what it adds to the totals.
struct Item {
    xml: String,
    cents: u64,
}

fn item(number: usize, retail: bool) -> Item {
    let (code, name, ncm, unit, price) = PRODUCTS[(number - 1) % PRODUCTS.len()];
    let round = (number - 1) / PRODUCTS.len();
    let code = if round == 0 { code.to_owned() } else { format!("{code}-{round}") };
    let quantity = if retail { 1 + number as u64 % 3 } else { 12 * (1 + number as u64 % 5) };
    let cents = price * quantity;
    let value = money(cents);
    let tax = |percent: u64| money(cents * percent / 10_000);
    let cfop = "5102";
    let ipi = if retail || !number.is_multiple_of(3) {
        String::new()
    } else {
        format!(
            "<IPI><cEnq>999</cEnq><IPITrib><CST>50</CST><vBC>{value}</vBC><pIPI>3.2500</pIPI><vIPI>{}</vIPI></IPITrib></IPI>",
            tax(325)
        )
    };
    let more = match number % 10 {
        8 => "<infAdProd>Lote promocional; validade 12/2027. Empilhar no máximo 8 volumes.</infAdProd>",
        _ => "",
    };
    let batch = match number % 10 {
        6 => {
            "<rastro><nLote>L2611A</nLote><qLote>12.000</qLote><dFab>2026-10-02</dFab><dVal>2027-02-02</dVal></rastro>"
        }
        _ => "",
    };
    let xml = format!(
        "<det nItem=\"{number}\"><prod><cProd>{code}</cProd><cEAN>SEM GTIN</cEAN><xProd>{name}</xProd><NCM>{ncm}</NCM><CFOP>{cfop}</CFOP>\
         <uCom>{unit}</uCom><qCom>{quantity}.0000</qCom><vUnCom>{}</vUnCom><vProd>{value}</vProd><cEANTrib>SEM GTIN</cEANTrib><uTrib>{unit}</uTrib>\
         <qTrib>{quantity}.0000</qTrib><vUnTrib>{}</vUnTrib><indTot>1</indTot>{batch}</prod><imposto><ICMS><ICMS00><orig>0</orig><CST>00</CST>\
         <modBC>3</modBC><vBC>{value}</vBC><pICMS>18.0000</pICMS><vICMS>{}</vICMS></ICMS00></ICMS>{ipi}<IBSCBS><CST>000</CST>\
         <cClassTrib>000001</cClassTrib><gIBSCBS><vBC>{}</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF><vIBSUF>{}</vIBSUF></gIBSUF><gIBSMun>\
         <pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>{}</vIBS><gCBS><pCBS>0.9000</pCBS><vCBS>{}</vCBS></gCBS></gIBSCBS></IBSCBS>\
         </imposto>{more}</det>",
        money(price),
        money(price),
        tax(1800),
        tax(8200),
        tax(8),
        tax(8),
        tax(74),
    );
    Item { xml, cents }
}

fn money(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn totals(cents: u64, retail: bool) -> String {
    let tax = |percent: u64| money(cents * percent / 10_000);
    let (value, approximately) = (money(cents), tax(2_365));
    let freight = if retail { 0 } else { 18_500 };
    format!(
        "<total><ICMSTot><vBC>{value}</vBC><vICMS>{}</vICMS><vICMSDeson>0.00</vICMSDeson><vFCP>0.00</vFCP><vBCST>0.00</vBCST><vST>0.00</vST>\
         <vFCPST>0.00</vFCPST><vFCPSTRet>0.00</vFCPSTRet><vProd>{value}</vProd><vFrete>{}</vFrete><vSeg>0.00</vSeg><vDesc>0.00</vDesc><vII>0.00</vII>\
         <vIPI>0.00</vIPI><vIPIDevol>0.00</vIPIDevol><vPIS>{}</vPIS><vCOFINS>{}</vCOFINS><vOutro>0.00</vOutro><vNF>{}</vNF><vTotTrib>{approximately}\
         </vTotTrib></ICMSTot><IBSCBSTot><vBCIBSCBS>{}</vBCIBSCBS><gIBS><gIBSUF><vIBSUF>{}</vIBSUF></gIBSUF><gIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun>\
         <vIBS>{}</vIBS></gIBS><gCBS><vCBS>{}</vCBS></gCBS></IBSCBSTot></total>",
        tax(1800),
        money(freight),
        tax(135),
        tax(623),
        money(cents + freight),
        tax(8200),
        tax(8),
        tax(8),
        tax(74),
    )
}

const EMITTER: &str = "<emit><CNPJ>11222333000181</CNPJ><xNome>DISTRIBUIDORA AURORA DE ALIMENTOS LTDA</xNome><xFant>AURORA</xFant><enderEmit>\
    <xLgr>AVENIDA DOS AUTONOMISTAS</xLgr><nro>1828</nro><xCpl>GALPÃO 3</xCpl><xBairro>VILA YARA</xBairro><cMun>3534401</cMun><xMun>OSASCO</xMun>\
    <UF>SP</UF><CEP>06020010</CEP><fone>1136540199</fone></enderEmit><IE>110042490114</IE><CRT>3</CRT></emit>";
const ADDRESSEE: &str = "<dest><CNPJ>12ABC34501DE35</CNPJ><xNome>SUPERMERCADO IRMÃOS MENDONÇA LTDA</xNome><enderDest><xLgr>RUA DO ROSÁRIO</xLgr>\
    <nro>415</nro><xBairro>CENTRO</xBairro><cMun>3525904</cMun><xMun>JUNDIAÍ</xMun><UF>SP</UF><CEP>13201014</CEP><fone>1145219900</fone></enderDest>\
    <indIEDest>1</indIEDest><IE>407111222333</IE></dest>";
const TRANSPORT: &str = "<transp><modFrete>0</modFrete><transporta><CNPJ>60701190000104</CNPJ><xNome>TRANSPORTES RÁPIDO BANDEIRANTE S.A.</xNome>\
    <IE>109876543110</IE><xEnder>RODOVIA ANHANGUERA KM 15</xEnder><xMun>SÃO PAULO</xMun><UF>SP</UF></transporta><veicTransp><placa>BRA2E19</placa><UF>SP</UF>\
    <RNTC>45678901</RNTC></veicTransp><vol><qVol>48</qVol><esp>CAIXAS E FARDOS</esp><marca>AURORA</marca><nVol>1 A 48</nVol><pesoL>1234.500</pesoL>\
    <pesoB>1301.250</pesoB></vol></transp>";
const WORDS: &str = "Pedido 4500-2211. Entregar das 8h às 17h, doca 2. Mercadoria conferida no ato da entrega; reclamações em até 48 horas. Trib. aprox. \
    (Lei 12.741/2012), fonte IBPT.";

/// What differs from a plain authorised invoice.
#[derive(Clone)]
pub(crate) struct Invoice {
    /// How many items.
    pub(crate) items: usize,
    /// `tpImp`.
    pub(crate) tpImp: u8,
    /// `tpEmis`.
    pub(crate) tpEmis: u8,
    /// `tpAmb`.
    pub(crate) tpAmb: u8,
    /// `indPres`.
    pub(crate) indPres: u8,
    /// What the authority answered; none while it has not.
    pub(crate) cStat: Option<u16>,
    /// Of the instalments.
    pub(crate) instalments: usize,
    /// Of the complementary information.
    pub(crate) words: String,
    /// Has letters in its key.
    pub(crate) letters: bool,
}

impl Invoice {
    pub(crate) fn of(items: usize) -> Invoice {
        let words = WORDS.to_owned();
        Invoice {
            items,
            tpImp: 1,
            tpEmis: 1,
            tpAmb: 1,
            indPres: 1,
            cStat: Some(100),
            instalments: 3,
            words,
            letters: false,
        }
    }

    /// The stored XML.
    pub(crate) fn xml(&self) -> String {
        let items: Vec<Item> = (1..=self.items).map(|number| item(number, false)).collect();
        let cents = items.iter().map(|item| item.cents).sum();
        let items: String = items.into_iter().map(|item| item.xml).collect();
        let key = if self.letters {
            "35261112ABC34501DE35550010000000011100001234"
        } else {
            "35261111222333000181550010000482151000034517"
        };
        let reasons = match self.tpEmis {
            1 => "",
            _ => {
                "<dhCont>2026-11-20T09:40:00-03:00</dhCont><xJust>SEFAZ autorizadora sem resposta desde as 9h40</xJust>"
            }
        };
        let (print, form, environment, presence) = (self.tpImp, self.tpEmis, self.tpAmb, self.indPres);
        let (charges, words, totals) = (self.charges(cents), &self.words, totals(cents, false));
        let nfe = format!(
            "<NFe xmlns=\"http://www.portalfiscal.inf.br/nfe\"><infNFe Id=\"NFe{key}\" versao=\"4.00\"><ide><cUF>35</cUF><cNF>00003451</cNF>\
             <natOp>VENDA DE MERCADORIA ADQUIRIDA DE TERCEIROS</natOp><mod>55</mod><serie>1</serie><nNF>48215</nNF>\
             <dhEmi>2026-11-20T10:12:41-03:00</dhEmi><dhSaiEnt>2026-11-20T14:30:00-03:00</dhSaiEnt><tpNF>1</tpNF><idDest>1</idDest>\
             <cMunFG>3534401</cMunFG><tpImp>{print}</tpImp><tpEmis>{form}</tpEmis><cDV>7</cDV><tpAmb>{environment}</tpAmb><finNFe>1</finNFe>\
             <indFinal>0</indFinal><indPres>{presence}</indPres><procEmi>0</procEmi><verProc>1.0</verProc>{reasons}</ide>{EMITTER}{ADDRESSEE}{items}\
             {totals}{TRANSPORT}{charges}<infAdic><infAdFisco>Regime especial 0001/2025 - SEFAZ/SP.</infAdFisco><infCpl>{words}</infCpl></infAdic>\
             </infNFe></NFe>"
        );
        answered(&nfe, self.cStat)
    }

    fn charges(&self, cents: u64) -> String {
        if self.instalments == 0 {
            return String::new();
        }
        let (all, value) = (cents + 18_500, money((cents + 18_500) / self.instalments as u64));
        let dups: String = (1..=self.instalments)
            .map(|n| {
                format!(
                    "<dup><nDup>{n:03}</nDup><dVenc>2027-{:02}-20</dVenc><vDup>{value}</vDup></dup>",
                    (n - 1) % 12 + 1
                )
            })
            .collect();
        let all = money(all);
        format!(
            "<cobr><fat><nFat>48215</nFat><vOrig>{all}</vOrig><vDesc>0.00</vDesc><vLiq>{all}</vLiq></fat>{dups}</cobr>"
        )
    }
}

fn answered(nfe: &str, cStat: Option<u16>) -> String {
    let Some(cStat) = cStat else { return nfe.to_owned() };
    format!(
        "<nfeProc versao=\"4.00\" xmlns=\"http://www.portalfiscal.inf.br/nfe\">{nfe}<protNFe versao=\"4.00\"><infProt>\
         <dhRecbto>2026-11-20T10:12:44-03:00</dhRecbto><nProt>135261184512007</nProt><cStat>{cStat}</cStat></infProt></protNFe></nfeProc>"
    )
}

const RETAIL_KEY: &str = "35261111222333000181650010000048211847362514";
const OFFLINE_KEY: &str = "35261111222333000181650010000048219847362517";

/// A receipt: items, whether it was issued offline, whether the consumer is known, model 65 or a model 55 with `tpImp` 6.
pub(crate) fn receipt(items: usize, offline: bool, consumer: bool, model: u8) -> String {
    let all: Vec<Item> = (1..=items).map(|number| item(number, true)).collect();
    let cents: u64 = all.iter().map(|item| item.cents).sum();
    let items: String = all.into_iter().map(|item| item.xml).collect();
    let key = if offline { OFFLINE_KEY } else { RETAIL_KEY };
    let dest = match consumer {
        true => "<dest><CPF>52998224725</CPF><xNome>MARIA DA CONCEIÇÃO SILVA</xNome><indIEDest>9</indIEDest></dest>",
        false => "",
    };
    let paid = cents.div_ceil(1000) * 1000;
    let (form, print) = (if offline { 9 } else { 1 }, if model == 65 { 4 } else { 6 });
    let code = match offline {
        true => format!(
            "{key}|2|1|20|{}|2f3436357830524d495959725158727a694c3631424746497a436f3d|1|E64A2B81ABE37954BF7A25B68476C0E63BED87AC",
            money(cents)
        ),
        false => format!("{key}|2|1|1|FAACCD67778493F02F2FF21CC91892D6BD3BA8D4"),
    };
    let nfe = format!(
        "<NFe xmlns=\"http://www.portalfiscal.inf.br/nfe\"><infNFe Id=\"NFe{key}\" versao=\"4.00\"><ide><cUF>35</cUF><natOp>VENDA</natOp><mod>{model}</mod>\
         <serie>1</serie><nNF>4821</nNF><dhEmi>2026-11-20T18:45:09-03:00</dhEmi><tpNF>1</tpNF><tpImp>{print}</tpImp><tpEmis>{form}</tpEmis><tpAmb>1</tpAmb>\
         </ide>{EMITTER}{dest}{items}{}<pag><detPag><tPag>17</tPag><vPag>{}</vPag></detPag><vTroco>{}</vTroco></pag>\
         <infAdic><infCpl>Obrigado pela preferência! Trocas em até 7 dias com este cupom.</infCpl></infAdic></infNFe><infNFeSupl>\
         <qrCode>https://www.nfce.fazenda.sp.gov.br/qrcode?p={code}</qrCode><urlChave>https://www.nfce.fazenda.sp.gov.br/NFCeConsultaPublica</urlChave>\
         </infNFeSupl></NFe>",
        totals(cents, true),
        money(paid),
        money(paid - cents),
    );
    answered(&nfe, (!offline).then_some(100))
}

/// A registered event of a kind, saying something.
pub(crate) fn event(kind: &str, tag: &str, said: &str) -> String {
    format!(
        "<procEventoNFe versao=\"1.00\"><evento versao=\"1.00\"><infEvento><cOrgao>35</cOrgao><tpAmb>1</tpAmb><CNPJ>11222333000181</CNPJ>\
         <chNFe>35261111222333000181550010000482151000034517</chNFe><dhEvento>2026-11-21T10:00:00-03:00</dhEvento><tpEvento>{kind}</tpEvento>\
         <nSeqEvento>1</nSeqEvento><detEvento versao=\"1.00\"><{tag}>{said}</{tag}>{}</detEvento></infEvento></evento><retEvento versao=\"1.00\"><infEvento>\
         <xMotivo>Evento registrado e vinculado a NF-e</xMotivo><dhRegEvento>2026-11-21T10:00:01-03:00</dhRegEvento><nProt>135261184519911</nProt>\
         </infEvento></retEvento></procEventoNFe>",
        if kind == "110110" { CONDITIONS } else { "" },
    )
}

const CONDITIONS: &str = "<xCondUso>A Carta de Correcao e disciplinada pelo paragrafo 1o-A do art. 7o do Convenio S/N, de 15 de dezembro de 1970 e pode ser \
    utilizada para regularizacao de erro ocorrido na emissao de documento fiscal, desde que o erro nao esteja relacionado com: I - as variaveis que \
    determinam o valor do imposto tais como: base de calculo, aliquota, diferenca de preco, quantidade, valor da operacao ou da prestacao; II - a \
    correcao de dados cadastrais que implique mudanca do remetente ou do destinatario; III - a data de emissao ou de saida.</xCondUso>";
