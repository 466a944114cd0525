//! Municipal notes of each shape, as full as their layout allows.

/// Content of a declaration of GovDigital 2.01, with every field.
pub(crate) const GOVDIGITAL: &str = "<Rps><IdentificacaoRps><Numero>4711</Numero><Serie>A1</Serie><Tipo>2</Tipo></IdentificacaoRps>\
<DataEmissao>2026-11-19</DataEmissao><Status>1</Status><RpsSubstituido><Numero>4700</Numero><Serie>A1</Serie><Tipo>2</Tipo></RpsSubstituido></Rps>\
<Competencia>2026-11-18</Competencia><Servico><Valores><ValorServicos>10000.00</ValorServicos><ValorDeducoes>123.45</ValorDeducoes>\
<ValorPis>65.01</ValorPis><ValorCofins>300.02</ValorCofins><ValorInss>110.03</ValorInss><ValorIr>150.04</ValorIr><ValorCsll>100.05</ValorCsll>\
<OutrasRetencoes>7.06</OutrasRetencoes><ValorIss>193.52</ValorIss><Aliquota>0.0200</Aliquota><DescontoIncondicionado>200.55</DescontoIncondicionado>\
<DescontoCondicionado>50.66</DescontoCondicionado><CST>01</CST><TpRetPisCofins>2</TpRetPisCofins></Valores><IssRetido>1</IssRetido>\
<ResponsavelRetencao>2</ResponsavelRetencao><ItemListaServico>7.02</ItemListaServico><CodigoCnae>4120400</CodigoCnae>\
<CodigoTributacaoMunicipio>412040001</CodigoTributacaoMunicipio><Discriminacao>Obra de reforma\\s\\nMedição nº 3 &amp; final</Discriminacao>\
<CodigoMunicipio>3138203</CodigoMunicipio><CodigoPais>1058</CodigoPais><ExigibilidadeISS>6</ExigibilidadeISS>\
<MunicipioIncidencia>3106200</MunicipioIncidencia><NumeroProcesso>5001234-56.2026.8.13.0024</NumeroProcesso><MunicipioPrestacao>3143302</MunicipioPrestacao>\
<PaisPrestacao>1058</PaisPrestacao><CodigoNBS>101011100</CodigoNBS><CIndOp>100301</CIndOp><CClassTribReg>000001</CClassTribReg></Servico>\
<Prestador><CpfCnpj><Cnpj>12ABC34501DE35</Cnpj></CpfCnpj><InscricaoMunicipal>12345-6</InscricaoMunicipal></Prestador><Tomador><IdentificacaoTomador>\
<CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj><InscricaoMunicipal>98765</InscricaoMunicipal></IdentificacaoTomador><RazaoSocial>CONSTRUTORA FULANO S.A.\
</RazaoSocial><Endereco><Endereco>Avenida das Árvores</Endereco><Numero>1010</Numero><Complemento>Sala 42</Complemento><Bairro>Jardim</Bairro>\
<CodigoMunicipio>3106200</CodigoMunicipio><Uf>MG</Uf><CodigoPais>1058</CodigoPais><Cep>30130010</Cep></Endereco><Contato><Telefone>31988887777</Telefone>\
<Email>fiscal@fulano.com.br</Email></Contato></Tomador><Intermediario><IdentificacaoIntermediario><CpfCnpj><Cpf>11144477735</Cpf></CpfCnpj>\
<InscricaoMunicipal>555</InscricaoMunicipal></IdentificacaoIntermediario><RazaoSocial>SICRANO DE TAL</RazaoSocial></Intermediario><ConstrucaoCivil>\
<CodigoObra>OBRA-77</CodigoObra><Art>ART-88</Art></ConstrucaoCivil><RegimeEspecialTributacao>3</RegimeEspecialTributacao>\
<OptanteSimplesNacional>2</OptanteSimplesNacional><IncentivoFiscal>1</IncentivoFiscal>";

/// The note of that declaration.
pub(crate) fn govdigital(more: &str) -> String {
    format!(
        "<CompNfse xmlns=\"http://www.abrasf.org.br/nfse.xsd\"><Nfse versao=\"2.01\"><InfNfse Id=\"N26000001\"><Numero>26000001</Numero>\
         <CodigoVerificacao>ABCD1234</CodigoVerificacao><DataEmissao>2026-11-20T10:00:05</DataEmissao><NfseSubstituida>25000009</NfseSubstituida>\
         <OutrasInformacoes>Nota sujeita à fiscalização</OutrasInformacoes><ValoresNfse><BaseCalculo>9676.00</BaseCalculo><Aliquota>0.0200</Aliquota>\
         <ValorIss>193.52</ValorIss><ValorLiquidoNfse>8823.06</ValorLiquidoNfse></ValoresNfse><ValorCredito>3.21</ValorCredito><PrestadorServico>\
         <IdentificacaoPrestador><CpfCnpj><Cnpj>12ABC34501DE35</Cnpj></CpfCnpj><InscricaoMunicipal>12345-6</InscricaoMunicipal></IdentificacaoPrestador>\
         <RazaoSocial>EMPRESA EXEMPLO LTDA</RazaoSocial><NomeFantasia>EXEMPLO</NomeFantasia><Endereco><Endereco>Rua Um</Endereco><Numero>1</Numero>\
         <Complemento>Fundos</Complemento><Bairro>Centro</Bairro><CodigoMunicipio>3138203</CodigoMunicipio><Uf>MG</Uf><Cep>37200000</Cep></Endereco>\
         <Contato><Telefone>3538221234</Telefone><Email>nota@exemplo.com.br</Email></Contato></PrestadorServico><OrgaoGerador><CodigoMunicipio>3138203\
         </CodigoMunicipio><Uf>MG</Uf></OrgaoGerador><DeclaracaoPrestacaoServico><InfDeclaracaoPrestacaoServico Id=\"R1\">{GOVDIGITAL}\
         </InfDeclaracaoPrestacaoServico></DeclaracaoPrestacaoServico></InfNfse></Nfse>{more}</CompNfse>"
    )
}

/// The RPS of that declaration, as submitted.
pub(crate) fn lot() -> String {
    format!(
        "<EnviarLoteRpsSincronoEnvio xmlns=\"http://www.abrasf.org.br/nfse.xsd\"><LoteRps Id=\"L1\" versao=\"2.01\"><NumeroLote>1</NumeroLote>\
         <ListaRps><Rps><InfDeclaracaoPrestacaoServico Id=\"R1\">{GOVDIGITAL}</InfDeclaracaoPrestacaoServico></Rps></ListaRps></LoteRps>\
         </EnviarLoteRpsSincronoEnvio>"
    )
}

/// The RPS in the place of a note; the form shows the RPS alone.
pub(crate) fn substitution() -> String {
    format!(
        "<SubstituirNfseEnvio xmlns=\"http://www.abrasf.org.br/nfse.xsd\"><SubstituicaoNfse Id=\"S25000009\"><Pedido><InfPedidoCancelamento Id=\"N25000009\">\
         <CodigoCancelamento>1</CodigoCancelamento></InfPedidoCancelamento></Pedido><Rps><InfDeclaracaoPrestacaoServico Id=\"R1\">{GOVDIGITAL}\
         </InfDeclaracaoPrestacaoServico></Rps></SubstituicaoNfse></SubstituirNfseEnvio>"
    )
}

/// A note of 2.04: a tomador abroad, an event, deductions.
pub(crate) fn newest() -> String {
    "<CompNfse xmlns=\"http://www.abrasf.org.br/nfse.xsd\"><Nfse versao=\"2.04\"><InfNfse Id=\"N7\"><Numero>7</Numero><CodigoVerificacao>ZX-9</CodigoVerificacao>\
     <DataEmissao>2026-11-20T23:59:59</DataEmissao><ValoresNfse><BaseCalculo>800.00</BaseCalculo><Aliquota>5.00</Aliquota><ValorIss>40.00</ValorIss>\
     <ValorLiquidoNfse>960.00</ValorLiquidoNfse></ValoresNfse><PrestadorServico><RazaoSocial>EVENTOS LTDA</RazaoSocial><Endereco><Endereco>Rua Dois</Endereco>\
     <Numero>2</Numero><Bairro>Norte</Bairro><CodigoMunicipio>3550308</CodigoMunicipio><Uf>SP</Uf><Cep>01001000</Cep></Endereco></PrestadorServico>\
     <OrgaoGerador><CodigoMunicipio>3550308</CodigoMunicipio><Uf>SP</Uf></OrgaoGerador><DeclaracaoPrestacaoServico><InfDeclaracaoPrestacaoServico Id=\"R1\">\
     <Rps><IdentificacaoRps><Numero>15</Numero><Serie>1</Serie><Tipo>1</Tipo></IdentificacaoRps><DataEmissao>2026-11-20</DataEmissao><Status>1</Status></Rps>\
     <Competencia>2026-11-01</Competencia><Servico><Valores><ValorServicos>1000.00</ValorServicos><ValorDeducoes>200.00</ValorDeducoes>\
     <ValTotTributos>163.30</ValTotTributos><ValorIss>40.00</ValorIss><Aliquota>5.00</Aliquota></Valores><IssRetido>1</IssRetido>\
     <ResponsavelRetencao>1</ResponsavelRetencao><ItemListaServico>12.08</ItemListaServico><CodigoNbs>125020000</CodigoNbs><Discriminacao>Feira</Discriminacao>\
     <CodigoMunicipio>3550308</CodigoMunicipio><ExigibilidadeISS>1</ExigibilidadeISS><MunicipioIncidencia>3550308</MunicipioIncidencia></Servico><Prestador>\
     <CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj></Prestador><TomadorServico><NifTomador>PT-501442600</NifTomador><RazaoSocial>LISBOA LDA</RazaoSocial>\
     <EnderecoExterior><CodigoPais>6076</CodigoPais><EnderecoCompletoExterior>Rua do Ouro 5, Lisboa</EnderecoCompletoExterior></EnderecoExterior></TomadorServico>\
     <OptanteSimplesNacional>1</OptanteSimplesNacional><IncentivoFiscal>2</IncentivoFiscal><Evento><IdentificacaoEvento>EV-2026-3</IdentificacaoEvento></Evento>\
     <InformacoesComplementares>Pedido 778</InformacoesComplementares><Deducao><TipoDeducao>1</TipoDeducao><DescricaoDeducao>Material</DescricaoDeducao>\
     <DataEmissao>2026-10-02</DataEmissao><ValorDedutivel>250.00</ValorDedutivel><ValorUtilizadoDeducao>200.00</ValorUtilizadoDeducao></Deducao>\
     </InfDeclaracaoPrestacaoServico></DeclaracaoPrestacaoServico></InfNfse></Nfse></CompNfse>"
        .to_owned()
}

/// A note of 1.00.
pub(crate) fn first() -> String {
    "<CompNfse xmlns=\"http://www.abrasf.org.br/nfse.xsd\"><Nfse versao=\"1.00\"><InfNfse Id=\"N99\"><Numero>99</Numero><CodigoVerificacao>QQ11</CodigoVerificacao>\
     <DataEmissao>2026-11-20T08:07:06</DataEmissao><IdentificacaoRps><Numero>321</Numero><Serie>NF</Serie><Tipo>1</Tipo></IdentificacaoRps>\
     <DataEmissaoRps>2026-11-17</DataEmissaoRps><NaturezaOperacao>2</NaturezaOperacao><RegimeEspecialTributacao>6</RegimeEspecialTributacao>\
     <OptanteSimplesNacional>1</OptanteSimplesNacional><IncentivadorCultural>2</IncentivadorCultural><Competencia>2026-11-16T00:00:00</Competencia><Servico>\
     <Valores><ValorServicos>500.00</ValorServicos><IssRetido>1</IssRetido><ValorIss>15.00</ValorIss><ValorIssRetido>15.01</ValorIssRetido>\
     <BaseCalculo>499.99</BaseCalculo><Aliquota>0.03</Aliquota><ValorLiquidoNfse>485.00</ValorLiquidoNfse></Valores><ItemListaServico>107</ItemListaServico>\
     <CodigoCnae>6209100</CodigoCnae><CodigoTributacaoMunicipio>0107</CodigoTributacaoMunicipio><Discriminacao>Suporte</Discriminacao>\
     <CodigoMunicipio>3106200</CodigoMunicipio></Servico><PrestadorServico><IdentificacaoPrestador><Cnpj>11222333000181</Cnpj>\
     <InscricaoMunicipal>777</InscricaoMunicipal></IdentificacaoPrestador><RazaoSocial>ANTIGA LTDA</RazaoSocial><Endereco><Endereco>Rua Velha</Endereco>\
     <Numero>3</Numero><Bairro>Sul</Bairro><CodigoMunicipio>3106200</CodigoMunicipio><Uf>MG</Uf><Cep>30130010</Cep></Endereco></PrestadorServico>\
     <TomadorServico><IdentificacaoTomador><CpfCnpj><Cpf>11144477735</Cpf></CpfCnpj></IdentificacaoTomador><RazaoSocial>FULANO DE TAL</RazaoSocial>\
     </TomadorServico><OrgaoGerador><CodigoMunicipio>3106200</CodigoMunicipio><Uf>MG</Uf></OrgaoGerador></InfNfse></Nfse></CompNfse>"
        .to_owned()
}
