//! Blocks of the form: every field of a municipal note of any version, under its label.

use super::codes::{self, with_text};
use super::note::AbrasfNote;
use crate::form::grid::{Grid, GridCell};
use crate::form::stored::StoredElement;
use crate::form::value;
use fiscal::value::municipio;

/// All blocks from the top.
pub(super) fn blocks<'x>(note: &AbrasfNote<'x>) -> Vec<Grid<'x>> {
    let mut blocks = vec![rps(note), provider(note), taker(note)];
    blocks.extend(between(note));
    blocks.extend(works(note));
    blocks.push(service(note));
    blocks.push(values(note));
    blocks
}

fn rps<'x>(note: &AbrasfNote<'x>) -> Grid<'x> {
    let at = |tag: &str| note.any(&[&format!("Rps/IdentificacaoRps/{tag}"), &format!("IdentificacaoRps/{tag}")]);
    // in a note of 1.00 the date is the provider's, and that of its RPS is separate
    let issued = if note.generated_text("DataEmissaoRps").is_empty() {
        note.any(&["Rps/DataEmissao"]).to_owned()
            + if note.is_issued() { "" } else { note.declared_text("DataEmissao") }
    } else {
        note.generated_text("DataEmissaoRps").to_owned()
    };
    let competence = note.any(&["Competencia"]);
    let before = note.any(&["RpsSubstituido/Numero", "Rps/RpsSubstituido/Numero"]);
    Grid {
        title: "RPS",
        rows: vec![vec![
            GridCell::text("NÚMERO", at("Numero")).wide(300),
            GridCell::text("SÉRIE", at("Serie")).wide(180),
            GridCell::text("TIPO", with_text(codes::KIND, at("Tipo"))).wide(320),
            GridCell::text("EMISSÃO DO RPS", value::date(&issued)).wide(280),
            GridCell::text("COMPETÊNCIA", value::date(competence)).wide(280),
            GridCell::text("RPS SUBSTITUÍDO", before),
            GridCell::text("NFS-e SUBSTITUÍDA", note.generated_text("NfseSubstituida")),
        ]],
    }
}

/// Number of a party: a person or company, in Brazil or abroad.
fn number<'x>(party: Option<StoredElement<'x>>) -> &'x str {
    let paths = ["CpfCnpj/Cnpj", "CpfCnpj/Cpf", "Cnpj", "Cpf", "NIF", "Nif"];
    paths.iter().find_map(|path| party?.text_at(path)).unwrap_or_default()
}

fn text<'x>(group: Option<StoredElement<'x>>, path: &str) -> &'x str {
    group.and_then(|group| group.text_at(path)).unwrap_or_default()
}

/// Street, number and the rest of the address line.
fn street(address: Option<StoredElement<'_>>) -> String {
    let parts = ["Endereco", "Numero", "Complemento", "Bairro", "EnderecoCompletoExterior"];
    let told = parts.iter().map(|tag| text(address, tag)).filter(|part| !part.is_empty());
    told.collect::<Vec<_>>().join(", ")
}

/// Town by its code, with its state; one abroad by its own text.
fn town(address: Option<StoredElement<'_>>) -> String {
    let abroad = ["EndExt/CidadeExterior", "EndExt/EstProvRegExterior", "EndExt/CodigoEndPost"];
    let abroad: Vec<&str> = abroad.iter().map(|path| text(address, path)).filter(|part| !part.is_empty()).collect();
    if !abroad.is_empty() {
        return abroad.join(", ");
    }
    named(text(address, "CodigoMunicipio"), text(address, "Uf"))
}

/// Name of a município by its code; the code itself when the table lacks it.
pub(in crate::form) fn named(codigo: &str, uf: &str) -> String {
    let found = codigo.parse().ok().and_then(municipio::find);
    let state = found.and_then(|found| found.uf()).map_or(uf, |uf| uf.sigla());
    match (found, state) {
        (Some(found), "") => found.nome.to_owned(),
        (Some(found), state) => format!("{} - {state}", found.nome),
        (None, _) => codigo.to_owned(),
    }
}

/// Rows of a party: names, address, contact.
fn party<'x>(
    title: &'static str,
    who: [&'x str; 4],
    address: Option<StoredElement<'x>>,
    contact: Option<StoredElement<'x>>,
) -> Grid<'x> {
    let [name, trade, number, registration] = who;
    Grid {
        title,
        rows: vec![
            vec![
                GridCell::text("NOME / RAZÃO SOCIAL", name),
                GridCell::text("CPF / CNPJ / NIF", value::taxpayer(number)).wide(400),
                GridCell::text("INSCRIÇÃO MUNICIPAL", registration).wide(350),
            ],
            vec![
                GridCell::text("ENDEREÇO", street(address)),
                GridCell::text("MUNICÍPIO", town(address)).wide(520),
                GridCell::text("CEP", value::cep(text(address, "Cep"))).wide(220),
            ],
            vec![
                GridCell::text("NOME FANTASIA", trade),
                GridCell::text("TELEFONE", value::phone(text(contact, "Telefone"))).wide(350),
                GridCell::text("E-MAIL", text(contact, "Email")).wide(750),
            ],
        ],
    }
}

fn provider<'x>(note: &AbrasfNote<'x>) -> Grid<'x> {
    let (made, declared) = (note.provider(), note.group(&["Prestador"]));
    let identity = declared.or_else(|| made.and_then(|made| made.child("IdentificacaoPrestador")));
    let who =
        [text(made, "RazaoSocial"), text(made, "NomeFantasia"), number(identity), text(identity, "InscricaoMunicipal")];
    party("PRESTADOR", who, note.provider_address(), made.and_then(|made| made.child("Contato")))
}

fn taker<'x>(note: &AbrasfNote<'x>) -> Grid<'x> {
    let taker = note.group(&["TomadorServico", "Tomador"]);
    let identity = taker.and_then(|taker| taker.child("IdentificacaoTomador"));
    let abroad = text(taker, "NifTomador");
    let number = match number(identity) {
        "" => abroad,
        number => number,
    };
    let who = [text(taker, "RazaoSocial"), "", number, text(identity, "InscricaoMunicipal")];
    let address = taker.and_then(|taker| taker.child("Endereco").or_else(|| taker.child("EnderecoExterior")));
    let mut grid = party("TOMADOR", who, address, taker.and_then(|taker| taker.child("Contato")));
    if let Some(cell) = grid.rows.last_mut().and_then(|row| row.first_mut()) {
        *cell = GridCell::text("MOTIVO DE NÃO HAVER NIF", text(identity, "CodNaoNIF"));
    }
    grid
}

fn between<'x>(note: &AbrasfNote<'x>) -> Option<Grid<'x>> {
    let party = note.group(&["IntermediarioServico", "Intermediario"])?;
    let identity = party.child("IdentificacaoIntermediario").unwrap_or(party);
    Some(Grid {
        title: "INTERMEDIÁRIO",
        rows: vec![vec![
            GridCell::text("NOME / RAZÃO SOCIAL", text(Some(party), "RazaoSocial")),
            GridCell::text("CPF / CNPJ", value::taxpayer(number(Some(identity)))).wide(400),
            GridCell::text("INSCRIÇÃO MUNICIPAL", text(Some(identity), "InscricaoMunicipal")).wide(350),
        ]],
    })
}

fn works<'x>(note: &AbrasfNote<'x>) -> Option<Grid<'x>> {
    let works = note.group(&["ConstrucaoCivil", "ContrucaoCivil"])?;
    Some(Grid {
        title: "CONSTRUÇÃO CIVIL",
        rows: vec![vec![
            GridCell::text("CÓDIGO DA OBRA", text(Some(works), "CodigoObra")),
            GridCell::text("ART", text(Some(works), "Art")),
            GridCell::text("INSCRIÇÃO IMOBILIÁRIA", text(Some(works), "InscImobFisc")),
            GridCell::text("IDENTIFICAÇÃO DA OBRA", text(Some(works), "IdObra")),
            GridCell::text("CCIB", text(Some(works), "CCIB")),
        ]],
    })
}

fn service<'x>(note: &AbrasfNote<'x>) -> Grid<'x> {
    let of = |tag: &str| note.declared_text(&format!("Servico/{tag}"));
    let due = match note.declared_text("NaturezaOperacao") {
        "" => with_text(codes::DUE, of("ExigibilidadeISS")),
        nature => with_text(codes::NATURE, nature),
    };
    let nbs = note.any(&["Servico/CodigoNbs", "Servico/CodigoNBS"]);
    let incentive = note.any(&["IncentivoFiscal", "IncentivadorCultural"]);
    let mut rows = vec![
        vec![
            GridCell::text("ITEM DA LISTA", of("ItemListaServico")).wide(220),
            GridCell::text("CNAE", of("CodigoCnae")).wide(220),
            GridCell::text("CÓDIGO DE TRIBUTAÇÃO", of("CodigoTributacaoMunicipio")).wide(420),
            GridCell::text("NBS", nbs).wide(300),
            GridCell::text(
                "PRESTADO EM",
                named(note.any(&["Servico/MunicipioPrestacao", "Servico/CodigoMunicipio"]), ""),
            ),
        ],
        vec![
            GridCell::text("TRIBUTAÇÃO", due).wide(600),
            GridCell::text("INCIDÊNCIA DO ISS", named(of("MunicipioIncidencia"), "")),
            GridCell::text("PAÍS", note.any(&["Servico/PaisPrestacao", "Servico/CodigoPais"])).wide(150),
            GridCell::text("PROCESSO", of("NumeroProcesso")).wide(350),
        ],
        vec![
            GridCell::text("REGIME ESPECIAL", with_text(codes::REGIME, note.declared_text("RegimeEspecialTributacao"))),
            GridCell::text("SIMPLES NACIONAL", with_text(codes::YES, note.declared_text("OptanteSimplesNacional")))
                .wide(300),
            GridCell::text("INCENTIVO", with_text(codes::YES, incentive)).wide(250),
            GridCell::text("EVENTO", note.declared_text("Evento/IdentificacaoEvento")).wide(450),
        ],
    ];
    let reform = ["CIndOp", "CClassTribReg", "Valores/CST", "Valores/TpRetPisCofins"];
    if reform.iter().any(|tag| !of(tag).is_empty()) {
        rows.push(vec![
            GridCell::text("INDICADOR DA OPERAÇÃO", of("CIndOp")),
            GridCell::text("CLASSIFICAÇÃO TRIBUTÁRIA", of("CClassTribReg")),
            GridCell::text("CST PIS/COFINS", of("Valores/CST")),
            GridCell::text("RETENÇÃO PIS/COFINS", of("Valores/TpRetPisCofins")),
        ]);
    }
    Grid { title: "SERVIÇO", rows }
}

fn values<'x>(note: &AbrasfNote<'x>) -> Grid<'x> {
    let money = |label: &'static str, tag: &str| GridCell::money(label, note.value(tag));
    let withheld = note.any(&["Servico/IssRetido", "Servico/Valores/IssRetido"]);
    let by = note.declared_text("Servico/ResponsavelRetencao");
    let withheld = match (with_text(codes::YES, withheld), by) {
        (word, "") => word,
        (word, by) => format!("{word} ({})", with_text(codes::WITHHOLDER, by)),
    };
    let net = match note.computed("ValorLiquidoNfse") {
        "" => note.value("ValorServicos"),
        net => net,
    };
    Grid {
        title: "VALORES EM R$",
        rows: vec![
            vec![
                money("VALOR DOS SERVIÇOS", "ValorServicos").bold(),
                money("DEDUÇÕES", "ValorDeducoes"),
                money("DESCONTO INCONDICIONADO", "DescontoIncondicionado"),
                money("DESCONTO CONDICIONADO", "DescontoCondicionado"),
                money("TRIBUTOS APROXIMADOS", "ValTotTributos"),
            ],
            vec![
                money("PIS", "ValorPis"),
                money("COFINS", "ValorCofins"),
                money("INSS", "ValorInss"),
                money("IR", "ValorIr"),
                money("CSLL", "ValorCsll"),
                money("OUTRAS RETENÇÕES", "OutrasRetencoes"),
            ],
            vec![
                GridCell::money("BASE DE CÁLCULO", note.computed("BaseCalculo")),
                GridCell::text("ALÍQUOTA", note.rate()).right(),
                GridCell::money("VALOR DO ISS", note.computed("ValorIss")),
                GridCell::text("ISS RETIDO", withheld),
                money("ISS RETIDO EM R$", "ValorIssRetido"),
                GridCell::money("VALOR LÍQUIDO", net).bold(),
            ],
        ],
    }
}
