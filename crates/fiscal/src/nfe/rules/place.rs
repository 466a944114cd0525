//! Where each rule is written, and what to do about it where the authority's text does not say.

/// The official document that decides a rule's condition and text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Manual de Orientação do Contribuinte 7.0, anexo I.
    Moc7,
    /// NT 2020.006 v1.31: intermediários.
    Nt2020_006,
    /// NT 2021.003 v1.40: GTIN.
    Nt2021_003,
    /// NT 2023.001 v1.60: combustíveis monofásicos.
    Nt2023_001,
    /// NT 2024.001 v1.20: MEI.
    Nt2024_001,
    /// NT 2025.001 v1.03: cobrança, pagamento, contribuinte isento.
    Nt2025_001,
    /// NT 2025.002 v1.51: IBS, CBS e IS.
    Nt2025_002,
    /// NT 2026.002 v1.00: DANFE simplificado tipo 2, alertas.
    Nt2026_002,
}

impl Source {
    /// Its name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Source::Moc7 => "MOC 7.0, anexo I",
            Source::Nt2020_006 => "NT 2020.006 v1.31",
            Source::Nt2021_003 => "NT 2021.003 v1.40",
            Source::Nt2023_001 => "NT 2023.001 v1.60",
            Source::Nt2024_001 => "NT 2024.001 v1.20",
            Source::Nt2025_001 => "NT 2025.001 v1.03",
            Source::Nt2025_002 => "NT 2025.002 v1.51",
            Source::Nt2026_002 => "NT 2026.002 v1.00",
        }
    }
}

/// By the id of the rule: what a note since the manual made or changed; the rest stands in the manual.
pub(super) fn source(id: &str) -> Source {
    let by_note = SINCE_THE_MANUAL.iter().find(|(_, ids)| ids.contains(&id)).map(|(source, _)| *source);
    by_note.unwrap_or(if id.starts_with("UB") || id.starts_with("VC") || id.starts_with("W3") {
        Source::Nt2025_002
    } else {
        Source::Moc7
    })
}

#[rustfmt::skip]
const SINCE_THE_MANUAL: &[(Source, &[&str])] = &[
    (Source::Nt2020_006, &["B25c-10", "B25c-20", "YA02a-10", "YA02a-20", "YA05-20", "YB01-10", "YB01-20", "YB02-10"]),
    (Source::Nt2021_003, &["I03-10", "I03-20", "I12-10", "I12-20", "I12-30", "I12-40", "U01-30"]),
    (Source::Nt2023_001, &["N12-20"]),
    (Source::Nt2024_001, &["I03-30", "I05-10", "I12-60", "N12a-10", "N12a-70", "N12a-80", "N12a-90", "NA01-20"]),
    (Source::Nt2025_001, &["E16a-30", "Y09-40", "Y09-50", "YA03-10", "YA03-20", "YA03-30", "YA04-10", "YA05-10", "ZX02-222"]),
    (Source::Nt2025_002, &[
        "B25-65", "B25-80", "B25-90", "B25-100", "B25-110", "B25-120", "B25.1-10", "B25.1-20", "B25.2-10", "B25.2-20", "B25.2-30",
        "B25.2-40", "B25b-60", "B25b-70", "B25d-10", "B25d-30", "BB01-10", "BB02-10", "BB05-10", "BB05-20", "BB05-30", "BB05-40",
        "BB05-50", "BB05-60", "BB05-80", "BB05-90", "BB05-100", "BB05-110", "BB05-120", "BB05-130", "BB05-160", "BB05-70",
        "BB05-140", "BB05-150", "BB05-180", "C22-10", "C22-20", "I05k-10", "I05k-20", "LA01-30", "I08-140", "I08-141", "I08-144",
        "W41-10", "W43-10", "W44-10", "W46-10", "W47-10", "W48-10", "W53-10", "W54-10", "W56-10", "W56a-10", "W58-10", "W59-10",
        "W59a-10", "W59b-10", "W59c-10", "W59d-10", "W59f-10", "W59g-10",
    ]),
    (Source::Nt2026_002, &[
        "B09-20", "B09-40", "B10-10", "B11-10", "B11a-10", "B22-10", "B25-20", "B25a-10", "B25b-10", "B25b-20", "BA01-10", "BA02-35", "C18-10",
        "E01-20", "F01-10", "I04-10", "I08-150", "I17b-10", "J01-10", "L01-10", "LB01-10", "N12-30", "N12-34", "N12-40", "N12-44",
        "N12-50", "N12-60", "N12a-20", "N12a-34", "N12a-40", "N12a-44", "N12a-81", "N12a-91", "NA01-10", "O01-10", "P01-10", "R01-10",
        "T01-10", "UA01-20", "W16-30", "W16-40", "W16-50", "W16-60", "X02-10", "X11-10", "X18-10", "X22-10", "X25a-10", "X25b-10",
        "Y01-10", "ZB01-10", "ZC01-10", "ZX01-10", "ZX02-10", "ZX02-20", "ZX02-224", "ZX02-228", "ZX02-236", "ZX02-244", "ZX02-268", "ZX02-276", "ZX02-328", "ZX02-330",
        "ZX02-334",
    ]),
];

/// By the code; sorted.
pub(super) fn remedy(cStat: u16) -> Option<&'static str> {
    let at = REMEDIES.binary_search_by_key(&cStat, |(code, _)| *code).ok()?;
    REMEDIES.get(at).map(|(_, text)| *text)
}

#[rustfmt::skip]
const REMEDIES: &[(u16, &str)] = &[
    (207, "Confira o CNPJ da empresa no cadastro (`PUT /v1/empresas/{cpf_cnpj}`)."),
    (209, "Confira a inscrição estadual do emitente: os dígitos não conferem com a regra da UF."),
    (210, "Confira a inscrição estadual do destinatário na UF dele; sem inscrição, use `indIEDest` 2 (isento) ou 9 (não contribuinte) e deixe `IE` fora."),
    (211, "`IEST` é a inscrição do emitente como substituto na UF do destinatário."),
    (220, "A NFC-e não pode ter o próprio emitente como consumidor; deixe o destinatário fora ou informe o cliente."),
    (228, "Emita outra nota com a data de hoje: acima de 30 dias só se aceita o que foi emitido em contingência."),
    (252, "O ambiente da nota é o da chave de API e da empresa; deixe `tpAmb` fora para que o serviço o preencha."),
    (254, "Informe em `NFref` a chave da nota que esta complementa."),
    (255, "Uma nota complementar refere-se a uma só nota: emita uma para cada."),
    (270, "Use o código IBGE de 7 dígitos do município."),
    (271, "O município do fato gerador fica na UF do emitente."),
    (321, "Informe em `DFeReferenciado` de cada item a chave e o item da nota devolvida; sem IBS e CBS basta `NFref`."),
    (327, "Devolução usa CFOP de devolução (1201, 1202, 5201, 5202…); de não contribuinte também 1949 e 2949."),
    (328, "CFOP de devolução pede `finNFe` 4, ou outro CFOP."),
    (337, "O MEI usa 5102 na NFC-e; na NF-e, 5102 ou 6102 com CSOSN 102, e os CFOP da NT 2024.001 com CSOSN 900."),
    (373, "Em homologação a descrição do primeiro item é fixa; em produção vai a do produto."),
    (374, "Serviço na NFC-e usa CFOP 5933."),
    (377, "Use o código do país da tabela do BACEN (Brasil: 1058)."),
    (382, "CST 60 pede 5405, 5656, 5667 ou 5910; os outros CST, 5101 a 5104, 5115 ou 5910."),
    (383, "Na NFC-e use CSOSN 102, 103, 300, 400 ou 500; 900 só onde a UF aceita."),
    (386, "CSOSN 500 pede 5405, 5656, 5667 ou 5910; os outros CSOSN, 5101 a 5104, 5115 ou 5910."),
    (391, "Informe em `pagamentos[].card` ao menos `tpIntegra`: 1 integrado, 2 não integrado."),
    (392, "Com `tpIntegra` 1 informe o `CNPJ` da credenciadora e `cAut`; sem integração com a maquininha use `tpIntegra` 2."),
    (434, "Com `indPres` 2, 3, 4 ou 9 diga `indIntermed`: 0 site próprio, 1 site de terceiros."),
    (435, "`indIntermed` só se informa com `indPres` 2, 3, 4 ou 9."),
    (438, "Com `indIntermed` 1 informe em `infIntermed` o CNPJ do site e o identificador do vendedor nele."),
    (441, "Com `tPag` 99 descreva o meio de pagamento em `xPag`."),
    (471, "NCM `00` é só de serviços e ajustes; informe os 8 dígitos do produto."),
    (502, "Deixe `cNF` e `nNF` com o serviço, ou confira se a chave foi composta dos mesmos valores."),
    (503, "Séries 0 a 909 são de CNPJ; 910 a 969, de CPF."),
    (508, "Venda a não contribuinte usa CST 00, 20, 40, 41 ou 60; se o destinatário tem inscrição, use `indIEDest` 1 e `IE`."),
    (511, "Para destinatário no Brasil `cPais` é 1058."),
    (518, "Venda (`tpNF` 1) usa CFOP que começa por 5, 6 ou 7."),
    (519, "Entrada (`tpNF` 0) usa CFOP que começa por 1, 2 ou 3."),
    (527, "Exportação (CFOP 7) usa CST 41, ou CSOSN 300."),
    (528, "Refaça `vICMS` = `vBC` × `pICMS` ÷ 100; a diferença tolerada é de R$ 0,01."),
    (531, "A soma é a dos `vBC` dos itens; deixe o total fora para que o serviço o calcule."),
    (532, "A soma é a dos `vICMS` dos itens; deixe o total fora para que o serviço o calcule."),
    (564, "A soma é a dos `vProd` dos itens com `indTot` 1; deixe o total fora para que o serviço o calcule."),
    (570, "`tpEmis` 6 e 7 são da contingência SVC: deixe a escolha com o serviço."),
    (590, "Com `CRT` 1 ou 4 o item usa CSOSN; se a empresa não é mais do Simples, mude `CRT` no cadastro."),
    (591, "Com `CRT` 2 ou 3 o item usa CST; se a empresa é do Simples, mude `CRT` no cadastro."),
    (598, "Em homologação o nome do destinatário é fixo; deixe `xNome` com o serviço."),
    (600, "Venda a não contribuinte usa CSOSN 102, 103, 300, 400 ou 500."),
    (610, "`vNF` = `vProd` − `vDesc` − `vICMSDeson` + `vST` + `vFCPST` + `vFrete` + `vSeg` + `vOutro` + `vII` + `vIPI` + `vIPIDevol` + `vServ`; deixe-o fora para que o serviço o calcule."),
    (611, "O último dígito do código de barras não confere; sem código use `SEM GTIN`."),
    (612, "O último dígito do código de barras não confere; sem código use `SEM GTIN`."),
    (629, "`vProd` = `qCom` × `vUnCom`, com até R$ 0,01 de diferença; aumente as casas decimais de `vUnCom` (até 10)."),
    (630, "`vProd` = `qTrib` × `vUnTrib`, com até R$ 0,01 de diferença; aumente as casas decimais de `vUnTrib` (até 10)."),
    (660, "Informe `comb` no item: o CFOP é de combustível ou lubrificante."),
    (679, "Venda não se refere a NFC-e nem a CF-e: só a nota complementar o faz."),
    (693, "Entre UF a alíquota é 12%, ou 7% do Sul e Sudeste (menos ES) para as outras regiões e ES; 4% para importados."),
    (694, "Informe `ICMSUFDest` no item: venda interestadual a consumidor final não contribuinte partilha o ICMS com a UF de destino."),
    (695, "Retire `ICMSUFDest`: só existe em operação interestadual com consumidor final não contribuinte."),
    (696, "Não contribuinte (`indIEDest` 9) compra para si: use `indFinal` 1."),
    (703, "Acerte o relógio e o fuso de `dhEmi`, ou deixe a data com o serviço."),
    (704, "A NFC-e se transmite na hora; deixe `dhEmi` com o serviço. O que foi entregue sem transmissão é contingência (`tpEmis` 9)."),
    (709, "Na NFC-e `tpImp` é 4, ou 5 quando o DANFE vai só por mensagem."),
    (710, "`tpImp` 4 e 5 são da NFC-e; na NF-e use 1 ou 2."),
    (713, "O documento foi escrito para outra autoridade: deixe a contingência com o serviço."),
    (715, "Devolução, ajuste e complemento se fazem por NF-e, não por NFC-e."),
    (717, "Na NFC-e `indPres` é 1 (na loja), 4 (entrega) ou 5 (fora do estabelecimento)."),
    (725, "A NFC-e aceita 5101, 5102, 5103, 5104, 5115, 5405, 5656, 5667, 5910 e 5933."),
    (728, "Informe `IE`, ou use `indIEDest` 9 se o destinatário não é contribuinte."),
    (731, "CFOP que começa por 3 ou 7 pede `idDest` 3."),
    (732, "CFOP que começa por 2 ou 6 pede `idDest` 2."),
    (733, "CFOP que começa por 1 ou 5 pede `idDest` 1."),
    (750, "Acima do limite da UF identifique o consumidor por CPF ou CNPJ."),
    (752, "Acima do limite da UF informe o endereço do consumidor."),
    (753, "Na NFC-e `modFrete` é 9, salvo entrega a domicílio (`indPres` 4)."),
    (760, "A NFC-e não tem cobrança: a venda a prazo diz só o meio de pagamento; para boleto e duplicata emita NF-e."),
    (761, "Use o código do produto da tabela da ANP, com 9 dígitos."),
    (766, "Na NFC-e use CST 00, 20, 40, 41, 60 ou 61."),
    (770, "Use um CFOP da tabela vigente; os títulos de grupo (5100, 5400…) não se usam em nota."),
    (772, "O destinatário é da mesma UF: use `idDest` 1 e CFOP que começa por 5."),
    (773, "O destinatário é de outra UF: use `idDest` 2 e CFOP que começa por 6, ou `indFinal` 1 se é venda presencial a consumidor."),
    (777, "Informe os 8 dígitos da NCM, sem pontos."),
    (778, "A NCM não existe na data de emissão: procure a vigente em `GET /v1/ncm`."),
    (780, "Acima do limite da UF emita NF-e."),
    (782, "O MEI usa CSOSN 102, 300, 400 ou 900; na NFC-e, 102 ou 300."),
    (789, "Na NFC-e `indIEDest` é 9; venda a contribuinte se faz por NF-e."),
    (805, "A UF do destinatário não tem contribuinte isento de inscrição: use `indIEDest` 1 com `IE`, ou 9."),
    (806, "Informe `CEST` no item: a NCM está sujeita a substituição tributária (Convênio ICMS 142/2018)."),
    (850, "Toda parcela tem `dVenc`, em ordem crescente."),
    (851, "A soma de `vDup` é `vLiq` da fatura."),
    (852, "Numere as parcelas 001, 002, 003…"),
    (853, "Pagamento à vista não tem `cobranca`: diga só o meio de pagamento."),
    (865, "A soma de `vPag` cobre o total da nota."),
    (866, "Informe `vTroco`: a soma dos pagamentos passa do total da nota."),
    (869, "`vTroco` = soma de `vPag` − `vNF`."),
    (871, "Ajuste e devolução usam `tPag` 90 (sem pagamento) com `vPag` 0."),
    (882, "O código de barras começa por um prefixo de uso interno ou não atribuído pela GS1; sem GTIN use `SEM GTIN`."),
    (883, "Produto sem código de barras leva `SEM GTIN`."),
    (884, "O código de barras começa por um prefixo de uso interno ou não atribuído pela GS1; sem GTIN use `SEM GTIN`."),
    (888, "Produto sem código de barras leva `SEM GTIN`."),
    (897, "Deixe `cNF` com o serviço, que o sorteia."),
    (899, "Na NFC-e diga o meio de pagamento usado: `tPag` 90 não é aceito."),
    (904, "`tPag` 90 e 91 vão com `vPag` 0."),
    (926, "Endereço no exterior pede `cPais` diferente de 1058."),
    (930, "Informe em `cBenef` o código do benefício fiscal da tabela da UF."),
    (972, "Informe `infRespTec`, ou configure o responsável técnico no serviço."),
    (975, "Cadastre o CSRT do responsável técnico na UF e configure-o no serviço."),
    (1001, "Notas de crédito e de débito levam só `ibscbs`: retire os outros tributos do item."),
    (1009, "Com `finNFe` 6 informe `tpNFDebito`."),
    (1010, "Refira-se por nota (`NFref`) ou por item (`DFeReferenciado`), não dos dois modos."),
    (1020, "Use um CST da tabela de IBS e CBS (000, 200, 410, 510, 550, 620…)."),
    (1021, "Este CST não tem tributo: envie só `cst` e `classificacao`."),
    (1022, "Este CST pede `ibs_uf`, `ibs_mun` e `cbs`."),
    (1023, "Use uma classificação da tabela vigente na data de emissão."),
    (1024, "Os três primeiros dígitos da classificação são o CST."),
    (1025, "A tabela não permite esta classificação neste modelo de nota."),
    (1026, "Em 2025 e 2026 a alíquota do IBS da UF é 0,1; em 2027 e 2028, 0,05; com tributação regular, 0."),
    (1028, "Este CST não tem redução: retire `reducao`."),
    (1030, "Este CST pede `diferimento` em `ibs_uf`, `ibs_mun` e `cbs`."),
    (1033, "Este CST, e a compra governamental, pedem `reducao` em `ibs_uf`, `ibs_mun` e `cbs`."),
    (1034, "Use o percentual de redução que a tabela dá à classificação."),
    (1035, "Alíquota efetiva = alíquota × (1 − redução ÷ 100) × (1 − `pRedutor` ÷ 100), com 4 casas."),
    (1036, "Em 2025 e 2026 a alíquota do IBS do município é 0; em 2027 e 2028, 0,05."),
    (1037, "Em 2025 e 2026 a alíquota da CBS é 0,9; com tributação regular, 0."),
    (1041, "IBS da UF = base × alíquota (a efetiva, quando há redução) − diferimento − devolução; tolera-se R$ 0,01."),
    (1046, "Use o percentual de redução que a tabela dá à classificação."),
    (1047, "Alíquota efetiva = alíquota × (1 − redução ÷ 100) × (1 − `pRedutor` ÷ 100), com 4 casas."),
    (1048, "Informe em `DFeReferenciado` também `nItem`."),
    (1052, "IBS do município = base × alíquota (a efetiva, quando há redução) − diferimento; tolera-se R$ 0,01."),
    (1063, "Use o percentual de redução que a tabela dá à classificação."),
    (1064, "Alíquota efetiva = alíquota × (1 − redução ÷ 100) × (1 − `pRedutor` ÷ 100), com 4 casas."),
    (1065, "Esta classificação pede `trib_regular`: o que seria devido sem a suspensão ou a redução."),
    (1069, "CBS = base × alíquota (a efetiva, quando há redução) − diferimento − devolução; tolera-se R$ 0,01."),
    (1106, "CST 620 e exportação de combustível pedem `comb` no item."),
    (1114, "Esta classificação não tem `trib_regular`."),
    (1115, "Informe `ibscbs` no item: `cst`, `classificacao` e, se o CST tributa, `ibs_uf`, `ibs_mun` e `cbs`."),
    (1118, "Retire `ibscbs_total`: nenhum item tem `ibscbs`."),
    (1119, "Deixe `ibscbs_total` fora para que o serviço o calcule."),
    (1132, "CST 800 pede `transferencia`."),
    (1150, "`vIBS` é a soma de UF e município; deixe-o fora para que o serviço o calcule."),
    (1151, "Só o CST 620 tem `monofasico`."),
    (1164, "Com `finNFe` 5 informe `tpNFCredito`."),
    (1173, "Esta classificação pede `estorno`."),
    (1179, "O MEI devolve com 1202, 1553, 2202, 2553, 5202 ou 6202."),
    (1219, "Até 2028 o IBS de combustíveis é por valor: use `gIBSMonoAdValorem`."),
    (1245, "Até 2026 a CBS de combustíveis é por valor: use `gCBSMonoAdValorem`."),
    (1258, "Desde 2027 a CBS de combustíveis é por quantidade: use `gCBSMonoAdRem`."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nfe::rules::RULES;

    #[test]
    fn remedies_are_sorted_and_belong_to_rules() {
        assert!(REMEDIES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (cStat, _) in REMEDIES {
            assert!(RULES.iter().any(|rule| rule.cStat == *cStat), "{cStat}");
        }
    }

    #[test]
    fn sources_name_rules_that_exist_once() {
        let named: Vec<&str> = SINCE_THE_MANUAL.iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
        for (at, id) in named.iter().enumerate() {
            assert!(RULES.iter().any(|rule| rule.id == *id), "{id}");
            assert!(!named[at + 1..].contains(id), "{id}");
        }
    }
}
