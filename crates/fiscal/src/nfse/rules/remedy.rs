//! Remedies for refusals whose official text states none.

/// Returns the remedy of a code, in Portuguese.
pub(super) fn of(codigo: &str) -> Option<&'static str> {
    let at = REMEDIES.binary_search_by_key(&codigo, |(code, _)| *code).ok()?;
    REMEDIES.get(at).map(|(_, remedy)| *remedy)
}

/// Returns the remedy of a code that depends on the authority's records and that no rule of the table predicts.
pub(super) fn after(codigo: &str) -> Option<&'static str> {
    AFTERWARDS.iter().find(|(code, _)| *code == codigo).map(|(_, remedy)| *remedy)
}

const AFTERWARDS: [(&str, &str); 3] = [
    (
        "E0014",
        "Série e nDPS já geraram uma NFS-e. Se outro programa emitiu nesta série, ponha proximo_numero acima do último nDPS em PUT \
         /v1/empresas/{cpf_cnpj}/nfse, ou use outra série, e emita com outra referencia_externa.",
    ),
    (
        "E0039",
        "Confirme com a prefeitura por onde a empresa emite, e configure provedor em PUT /v1/empresas/{cpf_cnpj}/nfse.",
    ),
    ("E0084", "Peça à prefeitura a habilitação da empresa no cadastro nacional (CNC), ou emita pelo sistema dela."),
];

/// Returns the codes with a remedy, in order.
#[cfg(test)]
pub(super) fn codes() -> impl Iterator<Item = &'static str> {
    REMEDIES.iter().map(|(codigo, _)| *codigo)
}

const DIGITS: &str = "Confira os dígitos do documento.";
const IBGE: &str = "Use o código de sete dígitos da tabela de municípios do IBGE.";
const CEP: &str = "Confira o CEP: ele não é da UF do município informado.";
const COUNTRY: &str = "Use as duas letras do país na tabela ISO 3166-1, diferente de BR.";
const EMAIL: &str = "Corrija o e-mail, ou omita-o.";
const KEY: &str = "Confira as posições da chave, que termina no dígito verificador.";
const PARTY: &str = "Informe o documento, ou mude tpRetISSQN.";
const FOREIGN: &str = "Identifique quem está no exterior por NIF, ou por cNaoNIF 1 ou 2.";
const PART: &str = "Informe um valor maior que zero e menor que vServ, ou omita o campo.";
const NOT_TAXABLE: &str = "Omita o grupo, ou informe tribISSQN 1.";
const OMIT: &str = "Omita o campo.";
const OMIT_RATE: &str = "Omita pAliq: a alíquota é a que o município parametrizou.";
const SAY_RATE: &str = "Informe pAliq, de 2.00 a 5.00: o município não parametrizou alíquota.";
const RATE_OF_SIMPLES: &str = "Informe em pAliq a alíquota efetiva do Simples, de 1.80 a 5.00.";
const PRODUCT: &str = "O valor é vBCPisCofins vezes a alíquota, com tolerância de um centavo.";
const SCENARIO: &str = "Confira tribISSQN, o local da prestação e onde incide o ISSQN do serviço.";
const WITHIN_PRICE: &str = "Informe no máximo vServ.";
const WITHIN_WHOLE: &str = "Informe no máximo 100.00.";
const CLASS: &str = "Use um código que a tabela de cClassTrib admite em NFS-e.";
const CST: &str = "Os três primeiros dígitos do cClassTrib são o CST.";
const ESTATE: &str = "O grupo imovel acompanha cIndOp 020101, 020201 ou 020301, fora da construção civil.";

#[rustfmt::skip]
const REMEDIES: &[(&str, &str)] = &[
    ("E0004", "O Id é DPS, cLocEmi, tipo e inscrição do prestador, série com 5 e número com 15 posições."),
    ("E0006", "O ambiente é o da configuração da empresa e da chave de API."),
    ("E0008", "Confira a data e o fuso de dhEmi."),
    ("E0010", "Use série de 1 a 49999."),
    ("E0015", "Informe em dCompet o dia da emissão, ou um anterior."),
    ("E0029", OMIT),
    ("E0042", "A chave é de uma NFS-e do mesmo prestador no mesmo município, com o dígito verificador certo."),
    ("E0078", "Descreva o motivo em subst.xMotivo."),
    ("E0080", DIGITS),
    ("E0096", DIGITS),
    ("E0112", OMIT),
    ("E0114", OMIT),
    ("E0148", EMAIL),
    ("E0162", OMIT),
    ("E0166", "Informe regApTribSN 1, 2 ou 3."),
    ("E0172", "Informe regEspTrib 0."),
    ("E0174", "Informe regEspTrib 0."),
    ("E0175", "Informe regEspTrib 0, ou o regApTribSN que a empresa usa."),
    ("E0187", "Informe o grupo toma, com endereço."),
    ("E0188", DIGITS),
    ("E0204", PARTY),
    ("E0206", DIGITS),
    ("E0223", FOREIGN),
    ("E0226", FOREIGN),
    ("E0234", "Informe toma.end."),
    ("E0238", IBGE),
    ("E0240", CEP),
    ("E0242", "Informe toma.end.endExt."),
    ("E0246", COUNTRY),
    ("E0247", EMAIL),
    ("E0248", DIGITS),
    ("E0264", PARTY),
    ("E0266", DIGITS),
    ("E0281", FOREIGN),
    ("E0286", FOREIGN),
    ("E0294", IBGE),
    ("E0296", CEP),
    ("E0298", "Informe interm.end.endExt."),
    ("E0299", COUNTRY),
    ("E0300", EMAIL),
    ("E0302", IBGE),
    ("E0304", COUNTRY),
    ("E0310", "Use os seis dígitos da lista nacional de serviços: item, subitem e desdobro da LC 116."),
    ("E0315", "Informe o código complementar do município, ou omita cTribMun."),
    ("E0316", "Use os nove dígitos de um item da NBS, sem pontos."),
    ("E0318", "Informe serv.cServ.cNBS."),
    ("E0330", "Informe serv.comExt."),
    ("E0333", "Informe mdPrestacao de 1 a 4."),
    ("E0341", "Informe mecAFComexP de 01 a 08."),
    ("E0343", "Informe mecAFComexT de 01 a 26."),
    ("E0345", "Informe movTempBens de 1 a 3."),
    ("E0370", "Informe serv.obra: cObra, cCIB ou endereço."),
    ("E0372", "Omita serv.obra, ou confira cTribNac."),
    ("E0380", CEP),
    ("E0390", "Informe serv.atvEvento."),
    ("E0392", "Omita serv.atvEvento, ou confira cTribNac."),
    ("E0398", CEP),
    ("E0424", OMIT),
    ("E0431", PART),
    ("E0432", PART),
    ("E0441", "Omita vDedRed, ou apure o ISSQN fora do Simples (regApTribSN 2 ou 3)."),
    ("E0442", "Omita vDedRed, ou apure o ISSQN fora do Simples (regApTribSN 2 ou 3)."),
    ("E0455", KEY),
    ("E0460", KEY),
    ("E0466", IBGE),
    ("E0478", DIGITS),
    ("E0484", DIGITS),
    ("E0494", IBGE),
    ("E0496", CEP),
    ("E0499", COUNTRY),
    ("E0529", SCENARIO),
    ("E0530", SCENARIO),
    ("E0532", "Informe tribISSQN 4."),
    ("E0533", NOT_TAXABLE),
    ("E0585", NOT_TAXABLE),
    ("E0590", "Informe cPaisResult, o país em que o serviço teve resultado."),
    ("E0591", "Omita cPaisResult."),
    ("E0592", "Informe tpImunidade com tribISSQN 2, e só com ele."),
    ("E0593", "Informe tpImunidade de 1 a 5."),
    ("E0617", OMIT_RATE),
    ("E0619", SAY_RATE),
    ("E0621", RATE_OF_SIMPLES),
    ("E0625", "Omita pAliq: sem retenção, o ISSQN é pago dentro do Simples."),
    ("E0628", RATE_OF_SIMPLES),
    ("E0631", "Omita pAliq: sem retenção, o ISSQN é pago dentro do Simples."),
    ("E0635", OMIT_RATE),
    ("E0640", SAY_RATE),
    ("E0694", PRODUCT),
    ("E0696", PRODUCT),
    ("E0699", PART),
    ("E0700", PART),
    ("E0701", PART),
    ("E0702", WITHIN_PRICE),
    ("E0703", WITHIN_PRICE),
    ("E0704", WITHIN_PRICE),
    ("E0706", WITHIN_WHOLE),
    ("E0707", WITHIN_WHOLE),
    ("E0708", WITHIN_WHOLE),
    ("E0712", "Informe pTotTribSN, vTotTrib ou pTotTrib."),
    ("E0713", "Informe vTotTrib ou pTotTrib."),
    ("E0724", "Informe em vRetCSLL a soma de PIS, COFINS e CSLL retidos."),
    ("E0901", "Use um código da tabela de indicadores de operação."),
    ("E0907", KEY),
    ("E0911", DIGITS),
    ("E0913", DIGITS),
    ("E0920", IBGE),
    ("E0928", ESTATE),
    ("E0930", EMAIL),
    ("E0932", ESTATE),
    ("E0940", "A chave de NFS-e tem 50 posições; as de NF-e e de CT-e, 44."),
    ("E0943", IBGE),
    ("E0945", DIGITS),
    ("E0947", DIGITS),
    ("E0958", CLASS),
    ("E0959", CST),
    ("E0964", "Omita gTribRegular: a classificação não o pede."),
    ("E0965", "Informe gTribRegular: a classificação o exige."),
    ("E0969", CLASS),
    ("E0970", CST),
    ("E0971", "Omita gDif: o CST não admite diferimento."),
    ("E0972", "Informe gDif: o CST é de diferimento."),
    ("E1538", FOREIGN),
];
