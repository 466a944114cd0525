//! Everyday words for fields, and the layout names that mean the same. `quantidade` is a common guess, but too far from
//! `qCom` for a match by letters.
//!
//! A name counts only where it is valid; of a row the first valid name counts. Must not know any document.

use crate::fold::fold;

/// Rows of words and the names they may mean, each list separated by blanks.
pub type SynonymTable = [(&'static str, &'static str)];

/// Returns the valid name that means `name`, by the built-in words.
pub(super) fn builtin_synonym(name: &str, valid: &[&'static str]) -> Option<&'static str> {
    synonym_in(MEANINGS, name, valid)
}

/// Returns the valid name that means `name`, by the given rows.
pub fn synonym_in(meanings: &SynonymTable, name: &str, valid: &[&'static str]) -> Option<&'static str> {
    if name.len() > LONGEST {
        return None;
    }
    let word: String = fold(name).chars().filter(char::is_ascii_alphanumeric).collect();
    let rows = meanings.iter().filter(|(words, _)| words.split(' ').any(|own| own == word));
    let mut rights = rows.flat_map(|(_, rights)| rights.split(' '));
    rights.find_map(|right| valid.iter().find(|name| **name == right).copied())
}

/// Length in bytes of the longest word that is looked up.
const LONGEST: usize = 60;

/// Words, folded and without signs, and the names they may mean.
#[rustfmt::skip]
const MEANINGS: &SynonymTable = &[
    // of items
    ("itens items item produtos produto products mercadorias mercadoria linhas", "produtos det prod"),
    ("quantidade quantidades qtd qtde quant quantity qty quantidadecomercial", "qCom qCarga Quantidade qVol"),
    ("preco precos precounitario valorunitario valorunit vlunitario vlrunitario vunitario vunit unitprice price punit", "vUnCom ValorUnitario"),
    ("valortotalproduto totalproduto totalitem totaldoitem valordoitem valorbruto valorproduto valorprodutos valorprod vlproduto", "vProd"),
    ("valor valortotal total valores vltotal vlrtotal vtotal amount totalamount subtotal preco price valorliquido", "vProd vPag vTPrest vServ ValorServicos vDup vNF valores"),
    ("descricao nomeproduto nomedoproduto descricaoproduto descricaodoproduto productname description nome name titulo", "xProd xServ xDescServ Discriminacao xNome"),
    ("codigo codigoproduto codigodoproduto codigoitem sku code productcode productid idproduto id", "cProd cServ cTribNac"),
    ("unidade unidademedida unidadedemedida unidadecomercial un und unit uom", "uCom cUnid"),
    ("unidadetributavel", "uTrib"),
    ("quantidadetributavel", "qTrib"),
    ("valorunitariotributavel", "vUnTrib"),
    ("ean gtin codigobarras codigodebarras codigobarra barcode codigoean", "cEAN"),
    ("classificacaofiscal codigoncm ncmproduto ncmcodigo ncmsh", "NCM"),
    ("codigocfop naturezafiscal", "CFOP"),
    ("desconto descontos valordesconto discount", "vDesc DescontoIncondicionado"),
    ("frete valorfrete valordofrete freight shipping", "vFrete vTPrest vPrest"),
    ("seguro valorseguro", "vSeg"),
    ("outrasdespesas despesas acrescimo valoroutrasdespesas", "vOutro"),
    ("informacoesadicionaisitem observacaoitem obsitem", "infAdProd"),
    // of taxes
    ("aliquota aliquotaicms percentualicms aliquotapercentual taxrate rate", "pICMS pIPI pPIS pCOFINS pAliq Aliquota"),
    ("basecalculo basedecalculo valorbasecalculo base baseicms", "vBC BaseCalculo"),
    ("valoricms valordoicms", "vICMS"), ("valorpis", "vPIS"), ("valorcofins", "vCOFINS"), ("valoripi", "vIPI"),
    ("origem origemmercadoria origemproduto", "orig"),
    ("situacaotributaria csticms cstipi cstpis cstcofins codigosituacaotributaria", "CST CSOSN"),
    ("situacaotributariasimples csosnicms", "CSOSN"),
    ("impostos tributos taxes tributacao", "imposto icms trib"),
    // of parties
    ("cliente clientes comprador customer buyer destinatarios consumidor recebedor", "destinatario dest toma tomador Tomador receb"),
    ("emissor vendedor empresa seller issuer loja", "emitente emit prest Prestador"),
    ("prestador prestadorservico", "prest Prestador"),
    ("tomadorservico contratante", "toma tomador Tomador"),
    ("remetentes", "remetente rem"), ("expedidores", "expedidor exped"),
    ("nomecliente razaosocial nomerazaosocial razao nomecompleto fullname companyname", "xNome RazaoSocial"),
    ("nomefantasia fantasia", "xFant"),
    ("documento cpfcnpj cnpjcpf documentonumero numerodocumento document taxid", "CNPJCPF CNPJ CPF CpfCnpj"),
    ("cnpjcliente numerocnpj", "CNPJ CNPJCPF Cnpj"), ("cpfcliente numerocpf", "CPF CNPJCPF Cpf"),
    ("inscricaoestadual inscestadual inscricao", "IE"), ("inscricaomunicipal inscmunicipal", "IM InscricaoMunicipal"),
    ("indicadorie indicadorinscricaoestadual contribuinte", "indIEDest"),
    ("regimetributario codigoregimetributario", "CRT regTrib"),
    ("endereco enderecocliente address enderecodestinatario", "endereco enderDest enderEmit enderToma end Endereco xLgr"),
    ("logradouro rua avenida street streetname", "xLgr Endereco"),
    ("numero numeroendereco number num", "nro nNF nCT nDPS Numero"),
    ("complemento complementoendereco", "xCpl Complemento"),
    ("bairro district neighborhood", "xBairro Bairro"),
    ("cidade municipio nomemunicipio nomecidade city", "xMun"),
    ("codigomunicipio codigoibge ibge codigocidade codmunicipio citycode", "cMun CodigoMunicipio cLocPrestacao"),
    ("estado state siglauf siglaestado", "UF Uf"),
    ("codigopostal postalcode zip zipcode", "CEP Cep"),
    ("pais country nomepais", "xPais"), ("codigopais", "cPais"),
    ("telefone celular phone fonecliente tel", "fone Telefone"),
    ("mail emailcliente correioeletronico", "email Email"),
    // of the document
    ("ide dadosnota cabecalho dadosgerais header", "identificacao ide"),
    ("naturezaoperacao naturezadaoperacao natureza operacao", "natOp NaturezaOperacao"),
    ("dataemissao datahoraemissao data emissao date issuedate", "dhEmi DataEmissao"),
    ("datasaida datahorasaida", "dhSaiEnt"), ("competencia datacompetencia", "dCompet Competencia"),
    ("numeronota numerodanota numeronfe", "nNF nCT nDPS"), ("serienota seriedanota", "serie Serie"),
    ("tiponota tipooperacao entradasaida", "tpNF"), ("finalidade finalidadeemissao", "finNFe tpCTe"),
    ("consumidorfinal indicadorconsumidorfinal", "indFinal"), ("presenca presencacomprador indicadorpresenca", "indPres"),
    ("destinooperacao localdestino", "idDest"),
    ("observacao observacoes obs informacoescomplementares informacoesadicionais infoadicional notes comments", "infCpl xObs xInfComp OutrasInformacoes infAdic compl"),
    ("notareferenciada chavereferenciada notasreferenciadas", "refNFe NFref"),
    // of payment
    ("pagamento payment payments formapagamento formaspagamento formadepagamento meiopagamento meiosdepagamento condicaopagamento", "pagamentos pag detPag tPag"),
    ("tipopagamento tipo metodo method paymentmethod", "tPag tpNF"),
    ("valorpago valorpagamento valordopagamento paidamount", "vPag"), ("troco change", "vTroco"),
    ("fatura duplicatas parcelas cobrancas boletos installments", "cobranca cobr dup fat"),
    ("vencimento datavencimento duedate", "dVenc"),
    // of transport
    ("transportadora transportador carrier transporte frete", "transporte transp transporta"),
    ("modalidadefrete tipofrete", "modFrete"),
    ("veiculo placa", "veicTransp placa"), ("volumes volume embalagens", "vol"), ("pesobruto", "pesoB"), ("pesoliquido", "pesoL"),
    ("valorprestacao valordaprestacao valorservicotransporte", "vTPrest vPrest"), ("valorreceber valorareceber", "vRec"),
    ("carga mercadoriatransportada cargo", "carga infCarga"), ("valorcarga valordacarga", "vCarga"),
    ("produtopredominante produtoprincipal", "proPred"),
    ("municipioorigem cidadeorigem origemprestacao", "xMunIni cMunIni"), ("municipiodestino cidadedestino destino", "xMunFim cMunFim"),
    ("uforigem ufinicio", "UFIni"), ("ufdestino uffim", "UFFim"),
    ("notasfiscais nfes documentosoriginarios", "documentos infDoc"),
    // of services
    ("servico servicos service services", "serv Servico servico"),
    ("descricaoservico descricaodoservico discriminacao discriminacaoservico", "xDescServ Discriminacao"),
    ("valorservico valorservicos valordoservico", "vServ ValorServicos"),
    ("codigoservico codigotributacaonacional itemlistaservico codigodoservico", "cTribNac ItemListaServico"),
    ("codigotributacaomunicipal", "cTribMun CodigoTributacaoMunicipio"),
    ("issretido retencaoiss", "tpRetISSQN IssRetido"), ("localprestacao", "locPrest"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_word_means_the_first_of_its_names_that_is_valid() {
        let item = ["cProd", "xProd", "uCom", "qCom", "vUnCom", "vProd", "NCM"];
        for (word, right) in [
            ("quantidade", "qCom"),
            ("Qtde", "qCom"),
            ("preco", "vUnCom"),
            ("preço_unitário", "vUnCom"),
            ("valorUnitario", "vUnCom"),
            ("descrição", "xProd"),
            ("unit-price", "vUnCom"),
            ("valor_total", "vProd"),
            ("sku", "cProd"),
        ] {
            assert_eq!(builtin_synonym(word, &item), Some(right), "{word}");
        }
        assert_eq!(builtin_synonym("cliente", &["dest", "ide"]), Some("dest"));
        assert_eq!(builtin_synonym("cliente", &["dest", "destinatario"]), Some("destinatario"));
        assert_eq!(builtin_synonym("quantidade", &["CNPJ"]), None, "not where it is not valid");
        assert_eq!(builtin_synonym("qualquer", &item), None);
        assert_eq!(builtin_synonym("", &item), None);
    }

    #[test]
    fn every_word_can_be_met() {
        for (words, rights) in MEANINGS {
            let mut own = BTreeSet::new();
            for word in words.split(' ') {
                assert!(own.insert(word), "{word} twice");
                assert!(!word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase()), "{word}");
            }
            assert!(!rights.split(' ').any(str::is_empty), "{words}");
        }
    }
}
