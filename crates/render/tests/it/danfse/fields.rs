//! Every official field follows its label, over all golden notes, in the text that another program extracts. The fields
//! are listed here by block.

use super::{notes, squeezed};
use crate::judges::Printed;
use crate::shown::{Shown, code, plain};
use render::form::value::{amount, date, moment, phone, rate, taxpayer};
use render::form::{self, ParsedDocument, PrintOptions, StoredElement};
use rust_decimal::Decimal;

/// Label, path of the value, and format.
type Fields = &'static [(&'static str, &'static str, Shown)];

fn money(text: &str) -> String {
    format!("R$ {}", amount(text))
}

fn emitter(text: &str) -> String {
    code(text, &["", "Prestador", "Tomador", "Intermediário"])
}

fn situation(text: &str) -> String {
    (if text == "107" { "NFS-e MEI" } else { "NFS-e Gerada" }).to_owned()
}

fn purpose(_: &str) -> String {
    "NFS-e regular".to_owned()
}

fn simples(text: &str) -> String {
    let long =
        ["", "Não Optante", "Optante - Microempreendedor Individua...", "Optante - Microempresa ou Empresa de ..."];
    code(text, &long)
}

fn regime(text: &str) -> String {
    let long = [
        "",
        "Regime de apuração dos tributos federais e municipal pelo Simples Nacional",
        "Regime de apuração dos tributos federais pelo SN e ISSQN por fora do SN confo...",
        "Regime de apuração dos tributos federais e municipal por fora do SN conforme ...",
    ];
    code(text, &long)
}

fn special(text: &str) -> String {
    let words =
        ["Nenhum", "Ato Cooperado (Cooperativa)", "Estimativa", "Microempresa Municipal", "Notário ou Registrador"];
    let more = ["Profissional Autônomo", "Sociedade de Profissionais", "", "", "Outros"];
    code(text, &[&words[..], &more].concat())
}

fn issqn(text: &str) -> String {
    code(text, &["", "Operação Tributável", "Imunidade", "Exportação de Serviço"])
}

fn immunity(text: &str) -> String {
    let words = [
        "",
        "Patrimônio, renda ou serviços, uns do...",
        "Templos de qualquer culto (CF88, Art ...",
        "Patrimônio, renda ou serviços dos par...",
        "Livros, jornais, periódicos e o papel...",
        "Fonogramas e videofonogramas musicais...",
    ];
    code(text, &words)
}

fn suspension(text: &str) -> String {
    code(text, &["", "Exigibilidade Suspensa por Decisão Ju...", "Exigibilidade Suspensa por Processo A..."])
}

fn benefit(text: &str) -> String {
    code(text, &["", "Isenção", "Redução da BC em percentual", "Redução da BC em valor", "Alíquota Diferenciada"])
}

fn withheld_issqn(text: &str) -> String {
    code(text, &["", "Não Retido", "Retido pelo Tomador", "Retido pelo Intermediário"])
}

fn withheld(text: &str) -> String {
    let words =
        ["PIS/COFINS/CSLL Não Retidos", "PIS/COFINS Retidos", "PIS/COFINS Não Retidos", "PIS/COFINS/CSLL Retidos"];
    let more = ["PIS/COFINS Retidos, CSLL Não Retido", "PIS Retido, COFINS/CSLL Não Retido"];
    code(text, &[&words[..], &more].concat())
}

/// Label, path below `infNFSe` and format; a dash for an absent value.
const ALWAYS: Fields = &[
    ("NÚMERO DA NFS-e", "nNFSe", plain),
    ("COMPETÊNCIA DA NFS-e", "DPS/infDPS/dCompet", date),
    ("DATA E HORA DA EMISSÃO DA NFS-e", "dhProc", moment),
    ("NÚMERO DA DPS", "DPS/infDPS/nDPS", plain),
    ("SÉRIE DA DPS", "DPS/infDPS/serie", plain),
    ("DATA E HORA DA EMISSÃO DA DPS", "DPS/infDPS/dhEmi", moment),
    ("EMITENTE DA NFS-e", "DPS/infDPS/tpEmit", emitter),
    ("SITUAÇÃO DA NFS-e", "cStat", situation),
    ("FINALIDADE", "DPS/infDPS/IBSCBS/finNFSe", purpose),
    ("Simples Nacional na Data de Competência", "DPS/infDPS/prest/regTrib/opSimpNac", simples),
    ("Regime de Apuração Tributária pelo SN", "DPS/infDPS/prest/regTrib/regApTribSN", regime),
    ("Descrição do Serviço", "DPS/infDPS/serv/cServ/xDescServ", plain),
    ("IRRF", "DPS/infDPS/valores/trib/tribFed/vRetIRRF", money),
    ("Contribuição Previdenciária - Retida", "DPS/infDPS/valores/trib/tribFed/vRetCP", money),
    ("Contribuições Sociais - Retidas", "DPS/infDPS/valores/trib/tribFed/vRetCSLL", money),
    ("PIS - Débito Apuração Própria", "DPS/infDPS/valores/trib/tribFed/piscofins/vPis", money),
    ("COFINS - Débito Apuração Própria", "DPS/infDPS/valores/trib/tribFed/piscofins/vCofins", money),
    ("Descrição Contrib. Sociais - Retidas", "DPS/infDPS/valores/trib/tribFed/piscofins/tpRetPisCofins", withheld),
    ("Base de Cálculo Após Exclusões e Reduções", "IBSCBS/valores/vBC", money),
    ("Alíq. Efetiva Municipal - IBS", "IBSCBS/valores/mun/pAliqEfetMun", rate),
    ("Valor Apurado Municipal - IBS", "IBSCBS/totCIBS/gIBS/gIBSMunTot/vIBSMun", money),
    ("Alíq. Efetiva Estadual - IBS", "IBSCBS/valores/uf/pAliqEfetUF", rate),
    ("Valor Apurado Estadual - IBS", "IBSCBS/totCIBS/gIBS/gIBSUFTot/vIBSUF", money),
    ("Valor Total Apurado - IBS", "IBSCBS/totCIBS/gIBS/vIBSTot", money),
    ("Alíquota - CBS", "IBSCBS/valores/fed/pCBS", rate),
    ("Alíquota Efetiva - CBS", "IBSCBS/valores/fed/pAliqEfetCBS", rate),
    ("Valor Total Apurado - CBS", "IBSCBS/totCIBS/gCBS/vCBS", money),
    ("Valor da Operação / Serviço", "DPS/infDPS/valores/vServPrest/vServ", money),
    ("Desconto Condicionado", "DPS/infDPS/valores/vDescCondIncond/vDescCond", money),
    ("Total das Retenções (ISSQN / Federais)", "valores/vTotalRet", money),
    ("Valor Líquido da NFS-e", "valores/vLiq", money),
    ("Valor Líquido da NFS-e + IBS/CBS", "IBSCBS/totCIBS/vTotNF", money),
];

/// Fields of a note subject to the ISSQN.
const MUNICIPAL: Fields = &[
    ("Tipo de Tributação do ISSQN", "DPS/infDPS/valores/trib/tribMun/tribISSQN", issqn),
    ("Regime Especial de Tributação do ISSQN", "DPS/infDPS/prest/regTrib/regEspTrib", special),
    ("Tipo de Imunidade do ISSQN", "DPS/infDPS/valores/trib/tribMun/tpImunidade", immunity),
    ("Suspensão da Exigibilidade do ISSQN", "DPS/infDPS/valores/trib/tribMun/exigSusp/tpSusp", suspension),
    ("Número Processo Suspensão", "DPS/infDPS/valores/trib/tribMun/exigSusp/nProcesso", plain),
    ("BC ISSQN", "valores/vBC", money),
    ("Alíquota Aplicada", "valores/pAliqAplic", rate),
    ("Retenção do ISSQN", "DPS/infDPS/valores/trib/tribMun/tpRetISSQN", withheld_issqn),
    ("ISSQN Apurado", "valores/vISSQN", money),
];

/// Fields of the row that is present when any of them is.
const REDUCTIONS: Fields = &[
    ("Benefício Municipal", "valores/tpBM", benefit),
    ("Cálculo do BM", "valores/vCalcBM", money),
    ("Desconto Incondicionado", "DPS/infDPS/valores/vDescCondIncond/vDescIncond", money),
];

/// Texts with their labels.
const WORDS: &[(&str, &str)] = &[
    ("Inf. Cont.:", "DPS/infDPS/serv/infoCompl/xInfComp"),
    ("NFS-e Subst.:", "DPS/infDPS/subst/chSubstda"),
    ("Doc. Ref.:", "DPS/infDPS/serv/infoCompl/docRef"),
    ("Cod. Obra:", "DPS/infDPS/serv/obra/cObra"),
    ("Insc. Imob.:", "DPS/infDPS/serv/obra/inscImobFisc"),
    ("Insc. Imob.:", "DPS/infDPS/IBSCBS/imovel/inscImobFisc"),
    ("Cod. Evt.:", "DPS/infDPS/serv/atvEvento/idAtvEvt"),
    ("Doc. Tec.:", "DPS/infDPS/serv/infoCompl/idDocTec"),
    ("Núm. Ped.:", "DPS/infDPS/serv/infoCompl/xPed"),
    ("Inf. A. T. Mun.:", "xOutInf"),
];

/// Titles of parties, their paths, and `true` for a municipal inscription.
const PARTIES: &[(&str, &str, bool)] = &[
    ("TOMADOR / ADQUIRENTE", "DPS/infDPS/toma", true),
    ("DESTINATÁRIO DA OPERAÇÃO", "DPS/infDPS/IBSCBS/dest", false),
    ("INTERMEDIÁRIO DA OPERAÇÃO", "DPS/infDPS/interm", true),
];

/// A note, and the texts that its form must have.
struct Expected<'x> {
    inf: StoredElement<'x>,
    all: Vec<String>,
}

impl<'x> Expected<'x> {
    fn of(inf: StoredElement<'x>) -> Vec<String> {
        let mut expected = Expected { inf, all: Vec::new() };
        expected.listed(ALWAYS);
        expected.provider();
        PARTIES.iter().for_each(|(title, path, inscribed)| expected.party(title, path, *inscribed));
        expected.service();
        expected.municipal();
        expected.reform();
        expected.words();
        expected.all
    }

    fn at(&self, path: &str) -> &'x str {
        self.inf.text_at(path).unwrap_or_default()
    }

    fn listed(&mut self, fields: Fields) {
        for (label, path, shown) in fields {
            let text = self.at(path);
            self.says(label, &if text.is_empty() { String::new() } else { shown(text) });
        }
    }

    fn says(&mut self, label: &str, value: &str) {
        self.all.push(format!("{label}{}", if value.is_empty() { "-" } else { value }));
    }

    /// Facts that the DPS omits are taken from the authority's part.
    fn provider(&mut self) {
        let chave = self.inf.attribute("Id").unwrap().strip_prefix("NFS").unwrap().to_owned();
        self.says("CHAVE DE ACESSO DA NFS-e", &chave);
        let document = [self.at("DPS/infDPS/prest/CNPJ"), self.at("DPS/infDPS/prest/CPF")].concat();
        self.says("PRESTADOR / FORNECEDORCNPJ / CPF / NIF", &taxpayer(&document));
        self.says("Indicador Municipal (Inscrição)", self.at("DPS/infDPS/prest/IM"));
        for told in [
            "Nome / Nome EmpresarialPRESTADOR EXEMPLO LTDAMunicípio / Sigla UFSão Paulo / SPCódigo IBGE / CEP3550308 / 01.310-100",
            "EndereçoAvenida Paulista, 1000, conjunto 51, Bela Vista",
            "Município: São Paulo / SP",
            "Ambiente Gerador: Sistema Nacional da NFS-e",
            "Tipo de Ambiente: Homologação",
            "DANFSe v2.0Documento Auxiliar da NFS-e",
            "NFS-e SEM VALIDADE JURÍDICA",
            "A autenticidade desta NFS-e pode ser verificada pela leitura deste código QR",
        ] {
            self.all.push(told.to_owned());
        }
    }

    fn party(&mut self, title: &str, path: &str, inscribed: bool) {
        let Some(party) = self.inf.at(path) else { return };
        let at = |path: &str| party.text_at(path).unwrap_or_default();
        let document = [at("CNPJ"), at("CPF"), at("NIF")].concat();
        self.says(
            &format!("{title}CNPJ / CPF / NIF"),
            &if at("NIF").is_empty() { taxpayer(&document) } else { document },
        );
        let dash = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
        let phone = dash(&phone(at("fone")));
        let inscription = format!("Indicador Municipal (Inscrição){}", dash(at("IM")));
        let town = match (at("end/endNac/cMun"), at("end/endExt/xCidade")) {
            ("3550308", _) => "São Paulo / SP",
            ("3304557", _) => "Rio de Janeiro / RJ",
            ("", city) => city,
            (other, _) => panic!("{other} has no name here"),
        };
        let cep = at("end/endNac/CEP");
        let cep = if cep.is_empty() { String::new() } else { format!("{}.{}-{}", &cep[..2], &cep[2..5], &cep[5..]) };
        let post = match (at("end/endNac/cMun"), at("end/endExt/cEndPost")) {
            ("", "") => "-".to_owned(),
            ("", abroad) => format!("- / {abroad}"),
            (code, _) => format!("{code} / {cep}"),
        };
        if inscribed {
            self.all.push(inscription.clone());
        }
        self.all.push(format!(
            "{}Telefone{phone}Nome / Nome Empresarial{}Município / Sigla UF{}Código IBGE / CEP{post}",
            if inscribed { &inscription } else { "" },
            at("xNome"),
            dash(town)
        ));
        let address = ["xLgr", "nro", "xCpl", "xBairro"].map(|tag| at(&format!("end/{tag}")));
        let address = address.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        if !address.is_empty() || !at("email").is_empty() {
            self.all.push(format!("Endereço{}Email{}", dash(&address), dash(at("email"))));
        }
    }

    fn service(&mut self) {
        let code = self.at("DPS/infDPS/serv/cServ/cTribNac");
        let city = self.at("DPS/infDPS/serv/cServ/cTribMun");
        let named =
            format!("{}.{}.{} / {}", &code[..2], &code[2..4], &code[4..], if city.is_empty() { "-" } else { city });
        self.says("Código de Tributação Nacional / Municipal", &named);
        let nbs = self.at("DPS/infDPS/serv/cServ/cNBS");
        let nbs = if nbs.is_empty() {
            String::new()
        } else {
            format!("{}.{}.{}.{}", &nbs[..1], &nbs[1..5], &nbs[5..7], &nbs[7..])
        };
        self.says("Código da NBS", &nbs);
        let country = self.at("DPS/infDPS/serv/locPrest/cPaisPrestacao");
        let place =
            if country.is_empty() { "São Paulo / SP / BR".to_owned() } else { format!("Exterior / - / {country}") };
        let described =
            if city.is_empty() { "Análise e desenvolvimento de sistemas." } else { "Serviço do município" };
        self.says("Local da Prestação / Sigla UF / País", &(place + described));
    }

    fn municipal(&mut self) {
        let kind = self.at("DPS/infDPS/valores/trib/tribMun/tribISSQN");
        if kind == "4" {
            self.all.push("TRIBUTAÇÃO MUNICIPAL (ISSQN) - OPERAÇÃO NÃO SUJEITA AO ISSQN".to_owned());
            return;
        }
        self.listed(MUNICIPAL);
        let result = self.at("DPS/infDPS/valores/trib/tribMun/cPaisResult");
        let town = match (kind, result) {
            ("1", _) => "São Paulo / SP / BR".to_owned(),
            (_, "") => String::new(),
            (_, country) => format!("- / - / {country}"),
        };
        self.says("Município / Sigla UF / País da Incidência do ISSQN", &town);
        let told = self.at("DPS/infDPS/valores/vDedRed/vDR");
        let deducted = if told.is_empty() { self.at("valores/vCalcDR") } else { told };
        let sum = self.sum(&[deducted, self.at("IBSCBS/valores/vCalcReeRepRes")]);
        if !sum.is_empty() || REDUCTIONS.iter().any(|(_, path, _)| !self.at(path).is_empty()) {
            self.listed(REDUCTIONS);
            self.says("Total Deduções/Reduções", &sum);
        }
    }

    fn sum(&self, parts: &[&str]) -> String {
        let told: Vec<Decimal> =
            parts.iter().filter(|part| !part.is_empty()).map(|part| part.parse().unwrap()).collect();
        if told.is_empty() { String::new() } else { money(&format!("{:.2}", told.iter().sum::<Decimal>())) }
    }

    fn reform(&mut self) {
        let class = |tag: &str| self.at(&format!("DPS/infDPS/IBSCBS/valores/trib/gIBSCBS/{tag}"));
        let class = format!("{} / {}", class("CST"), class("cClassTrib"));
        if self.inf.child("IBSCBS").is_none() {
            for label in [
                "TRIBUTAÇÃO IBS / CBSCST / cClassTrib",
                "Indicador de Operação / Código IBGE Incidência / Município Incidência / Sigla UF",
                "Exclusões e Reduções da Base de Cálculo",
                "Red. Alíquota IBS / Red. Alíquota CBS",
                "Alíquota - IBS UF / IBS Mun",
                "Total do IBS/CBS",
            ] {
                self.says(label, "");
            }
            return;
        }
        self.says("TRIBUTAÇÃO IBS / CBSCST / cClassTrib", &class);
        let place = format!("{} / 3550308 / São Paulo / SP", self.at("DPS/infDPS/IBSCBS/cIndOp"));
        self.says("Indicador de Operação / Código IBGE Incidência / Município Incidência / Sigla UF", &place);
        let excluded = [
            self.at("DPS/infDPS/valores/vDescCondIncond/vDescIncond"),
            self.at("IBSCBS/valores/vCalcReeRepRes"),
            self.at("valores/vISSQN"),
            self.at("DPS/infDPS/valores/trib/tribFed/piscofins/vPis"),
            self.at("DPS/infDPS/valores/trib/tribFed/piscofins/vCofins"),
        ];
        let excluded = self.sum(&excluded);
        self.says("Exclusões e Reduções da Base de Cálculo", &excluded);
        self.says("Red. Alíquota IBS / Red. Alíquota CBS", "60,00% / - / 30,00%");
        self.says("Alíquota - IBS UF / IBS Mun", "0,10% / 0,00%");
        self.says("Total do IBS/CBS", "R$ 91,36");
    }

    fn words(&mut self) {
        for (name, path) in WORDS {
            if !self.at(path).is_empty() {
                self.says(name, self.at(path));
            }
        }
        let items: Vec<&str> = self
            .inf
            .at("DPS/infDPS/serv/infoCompl/gItemPed")
            .map(|group| group.children().map(|item| item.text()).collect())
            .unwrap_or_default();
        if !items.is_empty() {
            self.says("Item Ped.:", &items.join(", "));
        }
        let at = |path: &str| self.at(&format!("DPS/infDPS/valores/trib/totTrib/{path}"));
        let three = |group: &str, shown: Shown| {
            let [federal, state, city] = ["Fed", "Est", "Mun"].map(|of| shown(at(&format!("{group}/{group}{of}"))));
            format!("Federais: {federal} ; Estaduais: {state} ; Municipais: {city}")
        };
        let percent: Shown = |text| format!("{} %", amount(text));
        let told = match () {
            () if !at("vTotTrib/vTotTribFed").is_empty() => three("vTotTrib", money),
            () if !at("pTotTrib/pTotTribFed").is_empty() => three("pTotTrib", percent),
            () if !at("pTotTribSN").is_empty() => percent(at("pTotTribSN")),
            () => "Federais: - ; Estaduais: - ; Municipais: -".to_owned(),
        };
        self.says("Totais Aproximados dos Tributos cfe. Lei nº 12.741/2012:", &told);
    }
}

#[test]
fn every_official_field_is_shown_behind_its_label() {
    let mut shown = 0;
    for (name, xml) in notes() {
        let printed =
            Printed::new(&format!("danfse-{name}"), &form::pdf(xml.as_bytes(), &PrintOptions::default()).unwrap());
        printed.is_sound();
        let text = printed.text();
        let document = ParsedDocument::read(xml.as_bytes()).unwrap();
        for told in Expected::of(document.root().unwrap().child("infNFSe").unwrap()) {
            assert!(text.contains(&squeezed(&told)), "{name}: {told:?} is not in {text}");
            shown += 1;
        }
    }
    assert!(shown > 2_000, "{shown}");
}
