//! Defaults of an RPS: data of the company, and values assumed with a notice.
//!
//! Law: `docs/contract.md`, "NFS-e"; ABRASF, manual de integração 2.0x. Never filled: item, text, value, rate,
//! deductions, retentions, NBS. Must not know the written form.

use super::names::fold;
use super::payload::{LeafValue, ReadPayload, snake_case};
use super::value::cents;
use super::{AbrasfDialect, leaves};
use crate::document::BuildContext;
use crate::finding::{Notice, Violation};
use crate::nfse::simples::{SimplesDuty, by_crt};
use crate::value::{CnpjCpf, Serie, amount, municipio};
use rust_decimal::Decimal;
use serde_json::Value;

/// Inputs of the defaults.
pub(super) struct RpsDefaultSources<'a, 'c> {
    pub(super) context: &'a BuildContext<'c>,
    pub(super) dialect: &'a AbrasfDialect,
    pub(super) prestador: CnpjCpf,
    pub(super) municipio: u32,
    /// `dhEmi` as read.
    pub(super) dhEmi: &'a str,
    pub(super) home: &'a str,
}

/// Fills a payload with defaults.
pub(super) struct PayloadFiller<'a, 'c> {
    pub(super) payload: &'a mut ReadPayload,
    pub(super) sources: RpsDefaultSources<'a, 'c>,
}

/// Sums of one RPS, to the cent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RpsAmounts {
    pub(super) services: Decimal,
    pub(super) base: Decimal,
    pub(super) tax: Option<Decimal>,
    pub(super) net: Decimal,
}

const YES: &str = "1";
const NO: &str = "2";
/// `RegimeEspecialTributacao` of a MEI.
const SPECIAL_MEI: &str = "5";
/// `RegimeEspecialTributacao` of a ME or EPP of the Simples.
const SPECIAL_SMALL: &str = "6";

impl PayloadFiller<'_, '_> {
    /// Fills every default and returns the sums.
    pub(super) fn fill(&mut self) -> RpsAmounts {
        self.identification();
        self.issuer();
        self.regime();
        self.fill_places();
        self.tax();
        self.fill_tomador();
        self.amounts()
    }

    fn identification(&mut self) {
        let context = self.sources.context;
        self.refuse_unreadable();
        self.overwrite("rps/identificacaorps/numero", &context.numero.to_string());
        self.overwrite("rps/identificacaorps/serie", context.serie.as_str());
        self.fill_absent("rps/identificacaorps/tipo", "1");
        let dhEmi = self.sources.dhEmi;
        let local = if self.is_instant("rps/dataemissao") { dhEmi.get(..19) } else { dhEmi.get(..10) };
        self.fill_absent("rps/dataemissao", local.unwrap_or(dhEmi));
        self.fill_absent("rps/status", "1");
        let issued = self.text("rps/dataemissao").unwrap_or(dhEmi).to_owned();
        let day = if self.is_instant("competencia") {
            format!("{}T00:00:00", issued.get(..10).unwrap_or_default())
        } else {
            issued.get(..10).unwrap_or_default().to_owned()
        };
        self.fill_with_notice("competencia", &day);
        if self.text("rps/rpssubstituido/numero").is_some() {
            let serie = context.serie.as_str();
            self.fill_with_notice("rps/rpssubstituido/serie", serie);
            self.fill_with_notice("rps/rpssubstituido/tipo", "1");
        }
    }

    /// Refuses a number or series of the caller that differs from the one the RPS is issued under.
    fn refuse_unreadable(&mut self) {
        let context = self.sources.context;
        let (numero, serie) = (context.numero, context.serie);
        for (path, same, mensagem) in [
            (
                "rps/identificacaorps/numero",
                &(|text: &str| text.trim().parse() == Ok(numero)) as &dyn Fn(&str) -> bool,
                "O número do RPS é um inteiro a partir de 1; sem ele, o serviço numera.",
            ),
            (
                "rps/identificacaorps/serie",
                &|text| Serie::parse(text) == Ok(serie),
                "A série do RPS tem de 1 a 5 letras ou algarismos; sem ela, vale a da configuração.",
            ),
        ] {
            let given =
                leaves::of(self.sources.dialect.version).get(path).and_then(|leaf| self.payload.leaves.get(&leaf.path));
            if let Some(given) = given.filter(|given| given.is_callers && !same(&given.text)) {
                self.payload.violations.push(Violation::of(&given.campo.clone(), "valor_invalido", mensagem));
            }
        }
    }

    fn issuer(&mut self) {
        let document = self.sources.prestador;
        let given = ["Prestador/CpfCnpj/Cnpj", "Prestador/CpfCnpj/Cpf", "Prestador/Cnpj"];
        let given = given.iter().find_map(|at| self.payload.leaves.get(*at).cloned());
        match given {
            Some(given) if given.text != document.as_str() => {
                let mensagem = format!("O prestador da nota não é a empresa {document}, informada em cpf_cnpj.");
                self.payload.violations.push(Violation::of(&given.campo, "emitente_divergente", &mensagem));
            }
            Some(_) => {}
            None => self.document("prestador/cpfcnpj", document),
        }
        let context = self.sources.context;
        let registration = context.emitente.get("IM").and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        if let Some(registration) = context.setting("inscricao_municipal").or(registration) {
            self.fill_absent("prestador/inscricaomunicipal", registration.trim());
        }
    }

    /// Regime from the configuration of the company, else from its CRT.
    fn regime(&mut self) {
        let context = self.sources.context;
        let configured = |name: &str| plain(context.configuracao?.get("regime")?.get(name)?);
        let issued = self.text("rps/dataemissao").unwrap_or(self.sources.dhEmi);
        let simples = configured("opSimpNac")
            .unwrap_or_else(|| by_crt(context.CRT_on(issued).and_then(plain).as_deref()).to_owned());
        let optante = if simples == "1" { NO } else { YES };
        self.warn_of_simples_duty(&simples);
        self.fill_with_notice("optantesimplesnacional", optante);
        let special = match (configured("regEspTrib").as_deref(), simples.as_str()) {
            (Some("1"), _) => Some("4"),
            (Some("2"), _) => Some("2"),
            (Some("3"), _) => Some("1"),
            (Some("6"), _) => Some("3"),
            (_, "2") => Some("5"),
            (_, "3") => Some("6"),
            _ => None,
        };
        if let Some(special) = special.filter(|_| self.text("optantesimplesnacional") == Some(optante)) {
            self.fill_with_notice("regimeespecialtributacao", special);
        }
        let incentive = context.configuracao.and_then(|it| it.get("incentivo_fiscal")?.as_bool());
        self.fill_with_notice("incentivofiscal", if incentive == Some(true) { YES } else { NO });
    }

    /// Adds the notice that a company of the Simples must issue by the national emitter. The payload has precedence
    /// over the company's record.
    fn warn_of_simples_duty(&mut self, simples: &str) {
        let special = self.text("regimeespecialtributacao");
        let regime = match (self.text("optantesimplesnacional"), special, simples) {
            (Some(NO), ..) | (None, _, "1") => return,
            (_, Some(SPECIAL_MEI), _) => "2",
            (_, Some(SPECIAL_SMALL), _) => "3",
            (_, _, "2") => "2",
            _ => "3",
        };
        if let Some(obliged) = SimplesDuty::of(regime, self.sources.context.dhEmi) {
            let campo = self.campo("OptanteSimplesNacional");
            self.payload.notices.push(obliged.municipal_notice(campo));
        }
    }

    fn fill_places(&mut self) {
        let municipio = self.sources.municipio.to_string();
        self.fill_with_notice("servico/codigomunicipio", &municipio);
        let here = self.text("servico/codigomunicipio") == Some(&municipio);
        self.fill_with_notice("naturezaoperacao", "1");
        self.fill_with_notice("servico/exigibilidadeiss", "1");
        // the place of taxation is assumed only when the service is rendered in the company's município
        if here && matches!(self.text("servico/exigibilidadeiss"), Some("1" | "6" | "7")) {
            self.fill_with_notice("servico/municipioincidencia", &municipio);
        }
        if self.sources.dialect.country_always {
            let abroad = self.text("servico/codigopais").is_some_and(|pais| pais != BRAZIL);
            self.fill_absent("servico/codigopais", BRAZIL);
            if !abroad {
                let rendered = self.text("servico/codigomunicipio").unwrap_or(&municipio).to_owned();
                self.fill_absent("servico/municipioprestacao", &rendered);
            }
        }
    }

    fn tax(&mut self) {
        self.fill_with_notice("servico/issretido", NO);
        if self.text("servico/issretido") == Some(YES) {
            self.fill_with_notice("servico/responsavelretencao", "1");
        }
        if self.sources.dialect.aliquota_always {
            self.fill_with_notice("servico/valores/aliquota", "0.00");
        }
    }

    /// State of the tomador's município, and its country where the dialect always writes it.
    fn fill_tomador(&mut self) {
        let code = self.text("tomador/endereco/codigomunicipio").and_then(|text| text.parse().ok());
        if let Some(uf) = code.and_then(municipio::find).and_then(|found| found.uf()) {
            self.fill_absent("tomador/endereco/uf", uf.sigla());
        }
        if self.sources.dialect.country_always && self.text("tomador/endereco/codigomunicipio").is_some() {
            self.fill_absent("tomador/endereco/codigopais", BRAZIL);
        }
    }

    fn amounts(&mut self) -> RpsAmounts {
        let read =
            |it: &Self, name: &str| it.text(&format!("servico/valores/{name}")).and_then(amount).unwrap_or_default();
        let of = |name: &str| read(self, name);
        let services = of("valorservicos");
        let discount = of("descontoincondicionado");
        let base = cents(services - of("valordeducoes") - discount);
        let taxed = match self.text("servico/exigibilidadeiss").or_else(|| self.text("naturezaoperacao")) {
            Some("1") => true,
            // in 1.00, "2" means that the tax is due to another município
            Some("2") => self.sources.dialect.version.is_first(),
            _ => false,
        };
        let rate = self.text("servico/valores/aliquota").and_then(amount).zip(self.sources.dialect.aliquota);
        let rate = rate.map(|(rate, unit)| match unit {
            super::RateUnit::Percent => rate / Decimal::ONE_HUNDRED,
            super::RateUnit::Fraction => rate,
        });
        let tax = self.text("servico/valores/valoriss").and_then(amount).or_else(|| {
            let rate = rate.filter(|_| taxed)?;
            Some(cents(crate::value::product(&[base, rate])))
        });
        let withheld =
            if self.text("servico/issretido") == Some(YES) { tax.unwrap_or_default() } else { Decimal::ZERO };
        let federal: Decimal = ["valorpis", "valorcofins", "valorinss", "valorir", "valorcsll", "outrasretencoes"]
            .iter()
            .map(|name| of(name))
            .sum();
        let net = cents(services - federal - withheld - discount - of("descontocondicionado"));
        if let Some(tax) = tax {
            self.fill_computed("servico/valores/valoriss", tax);
            if self.text("servico/issretido") == Some(YES) {
                self.fill_computed("servico/valores/valorissretido", tax);
            }
        }
        // a negative sum is reported by the rules; no layout can write it
        if base >= Decimal::ZERO {
            self.fill_computed("servico/valores/basecalculo", base);
        }
        if net >= Decimal::ZERO {
            self.fill_computed("servico/valores/valorliquidonfse", net);
        }
        RpsAmounts { services: cents(services), base, tax, net }
    }

    /// The text of a leaf by its canonical path.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        let leaf = leaves::of(self.sources.dialect.version).get(path)?;
        self.payload.leaves.get(&leaf.path).map(|given| given.text.as_str())
    }

    fn is_instant(&self, path: &str) -> bool {
        let leaf = leaves::of(self.sources.dialect.version).get(path);
        leaf.is_some_and(|leaf| leaf.simple.base == crate::layout::Base::DateTime)
    }

    /// Writes a value of the service over any value of the caller.
    fn overwrite(&mut self, path: &str, text: &str) {
        if let Some(leaf) = leaves::of(self.sources.dialect.version).get(path) {
            let campo = self.campo(&leaf.path);
            let campo = self.payload.leaves.get(&leaf.path).map_or(campo, |given| given.campo.clone());
            self.payload
                .leaves
                .insert(leaf.path.clone(), LeafValue { text: text.to_owned(), campo, is_callers: false });
        }
    }

    /// Fills an absent leaf without a notice. Returns `true` when it was absent.
    fn fill_absent(&mut self, path: &str, text: &str) -> bool {
        let Some(leaf) = leaves::of(self.sources.dialect.version).get(path) else { return false };
        if self.payload.leaves.contains_key(&leaf.path) {
            return false;
        }
        let campo = self.campo(&leaf.path);
        self.payload.leaves.insert(leaf.path.clone(), LeafValue { text: text.to_owned(), campo, is_callers: false });
        true
    }

    /// Fills an absent leaf, with a notice.
    fn fill_with_notice(&mut self, path: &str, text: &str) {
        let Some(leaf) = leaves::of(self.sources.dialect.version).get(path) else { return };
        // a value of the caller that could not be read is not absent
        let campo = self.campo(&leaf.path);
        if self.payload.violations.iter().any(|found| found.campo == campo) || !self.fill_absent(path, text) {
            return;
        }
        let name = campo.rsplit('.').next().unwrap_or_default();
        let mensagem = format!("{name} não foi informado: será usado \"{text}\".");
        self.payload.notices.push(Notice::of(campo.clone(), "assumido_padrao", &mensagem, None));
    }

    /// Fills an absent leaf with a computed sum, with a notice.
    fn fill_computed(&mut self, path: &str, value: Decimal) {
        let Some(leaf) = leaves::of(self.sources.dialect.version).get(path) else { return };
        let text = cents(value).to_string();
        if self.fill_absent(path, &text) {
            let campo = self.campo(&leaf.path);
            let name = campo.rsplit('.').next().unwrap_or_default();
            let mensagem = format!("{name} não foi informado: calculado como {text}.");
            self.payload.notices.push(Notice::of(campo.clone(), "assumido_padrao", &mensagem, None));
        }
    }

    fn document(&mut self, path: &str, document: CnpjCpf) {
        let Some(leaf) = leaves::of(self.sources.dialect.version).get(path) else { return };
        let tag = if matches!(document, CnpjCpf::Cpf(_)) { "Cpf" } else { "Cnpj" };
        if tag == "Cpf" && leaf.document == Some(leaves::DocumentWrapper::Bare) {
            let mensagem = "A versão 1.00 do leiaute leva só CNPJ: pessoa física não emite por ela.";
            self.payload.violations.push(Violation::of("nota.prestador", "valor_invalido", mensagem));
        }
        let at = format!("{}/{tag}", leaf.path);
        let campo = self.campo(&at);
        self.payload.leaves.insert(at, LeafValue { text: document.to_string(), campo, is_callers: false });
    }

    fn campo(&self, path: &str) -> String {
        campo(path, self.payload, self.sources.home)
    }
}

/// Code of Brazil in the table of BACEN and in the layouts.
const BRAZIL: &str = "1058";

/// The caller's path of a path of tags: as written in the payload, else in the payload's style.
pub(super) fn campo(path: &str, said: &ReadPayload, home: &str) -> String {
    let documents = || ["Cnpj", "Cpf"].iter().find_map(|tag| said.leaves.get(&format!("{path}/{tag}")));
    if let Some(given) = said.leaves.get(path).or_else(documents) {
        return given.campo.clone();
    }
    let (group, tag) = path.rsplit_once('/').unwrap_or(("", path));
    let group = if group.is_empty() { home.to_owned() } else { group_campo(group, said, home) };
    if tag.is_empty() { group } else { format!("{group}.{}", payload_name(tag, said)) }
}

/// The caller's path of a group: from a member written in it, else from the group above.
fn group_campo(path: &str, said: &ReadPayload, home: &str) -> String {
    let inside = said.leaves.iter().find_map(|(leaf, given)| {
        let tag = leaf.strip_prefix(path)?.strip_prefix('/').filter(|tag| !tag.contains('/'))?;
        let (group, written) = given.campo.rsplit_once('.')?;
        // a short name may stand outside of its group, and leaves filled by the service show nothing about the caller's
        // groups
        (given.is_callers && fold(written) == fold(tag)).then(|| group.to_owned())
    });
    inside.unwrap_or_else(|| campo(path, said, home))
}

/// A tag in the payload's style.
fn payload_name(tag: &str, said: &ReadPayload) -> String {
    match tag {
        _ if said.official_names => tag.to_owned(),
        "TomadorServico" => "tomador".to_owned(),
        "NIF" | "NifTomador" => "nif".to_owned(),
        _ => snake_case(tag),
    }
}

/// A text or a number as text.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
