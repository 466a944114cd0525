//! Reader of an RPS of either shape: `InfRps` of 1.00, `InfDeclaracaoPrestacaoServico` of 2.00 and later.

use crate::soap::escaped;
use fiscal::xml::Element;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::Serialize;

/// Identity of an RPS among those of its prestador.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct RpsIdentity {
    pub numero: String,
    pub serie: String,
    /// 1 RPS, 2 joint note, 3 coupon.
    pub tipo: String,
}

impl RpsIdentity {
    /// Reads `IdentificacaoRps`.
    pub(super) fn read(element: &Element) -> RpsIdentity {
        let text = |name| element.text_at(name).unwrap_or_default().to_owned();
        RpsIdentity { numero: text("Numero"), serie: text("Serie"), tipo: text("Tipo") }
    }
    pub(super) fn leaves(&self) -> String {
        format!(
            "<Numero>{}</Numero><Serie>{}</Serie><Tipo>{}</Tipo>",
            escaped(&self.numero),
            escaped(&self.serie),
            escaped(&self.tipo)
        )
    }
}

/// CNPJ or CPF and municipal registration of a party.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PartyIdentity {
    pub(super) document: String,
    pub(super) im: Option<String>,
}

impl PartyIdentity {
    /// Reads an element that holds `CpfCnpj`, or the number itself.
    pub(super) fn read(element: &Element) -> PartyIdentity {
        let paths = ["CpfCnpj/Cnpj", "CpfCnpj/Cpf", "Cnpj", "Cpf"];
        let document = paths.iter().find_map(|path| element.text_at(path)).unwrap_or_default().to_owned();
        let im = element.text_at("InscricaoMunicipal").filter(|im| !im.is_empty()).map(str::to_owned);
        PartyIdentity { document, im }
    }
}

pub(super) struct Rps<'e> {
    /// `Rps`, with its signature.
    pub(super) element: &'e Element,
    /// The signed element.
    pub(super) inf: &'e Element,
    pub(super) id: RpsIdentity,
    pub(super) is_first: bool,
}

impl<'e> Rps<'e> {
    /// Reads `Rps`; `None` when it holds neither shape.
    pub(super) fn read(element: &'e Element) -> Option<Rps<'e>> {
        if let Some(inf) = element.child("InfRps") {
            let id = RpsIdentity::read(inf.child("IdentificacaoRps")?);
            return Some(Rps { element, inf, id, is_first: true });
        }
        let inf = element.child("InfDeclaracaoPrestacaoServico")?;
        Some(Rps { element, inf, id: RpsIdentity::read(inf.at("Rps/IdentificacaoRps")?), is_first: false })
    }
    pub(super) fn text(&self, path: &str) -> &'e str {
        self.inf.text_at(path).unwrap_or_default()
    }
    pub(super) fn prestador(&self) -> PartyIdentity {
        self.inf.child("Prestador").map(PartyIdentity::read).unwrap_or_default()
    }
    pub(super) fn tomador(&self) -> Option<&'e Element> {
        self.inf.child("TomadorServico").or_else(|| self.inf.child("Tomador"))
    }
    pub(super) fn tomador_party(&self) -> PartyIdentity {
        self.tomador()
            .and_then(|tomador| tomador.child("IdentificacaoTomador"))
            .map(PartyIdentity::read)
            .unwrap_or_default()
    }
    /// A value of the service; zero when absent or unreadable, which the schema has refused.
    pub(super) fn value(&self, name: &str) -> Decimal {
        self.stated(name).unwrap_or_default()
    }
    pub(super) fn stated(&self, name: &str) -> Option<Decimal> {
        self.inf.text_at(&format!("Servico/Valores/{name}"))?.parse().ok()
    }
    pub(super) fn is_withheld(&self) -> bool {
        let path = if self.is_first { "Servico/Valores/IssRetido" } else { "Servico/IssRetido" };
        self.text(path) == "1"
    }
    /// True when the tax is due: `NaturezaOperacao` 1 or 2, `ExigibilidadeISS` 1.
    pub(super) fn is_taxed(&self) -> bool {
        if self.is_first {
            matches!(self.text("NaturezaOperacao"), "1" | "2")
        } else {
            self.text("Servico/ExigibilidadeISS") == "1"
        }
    }
    pub(super) fn issued_on(&self) -> Option<Date> {
        let path = if self.is_first { "DataEmissao" } else { "Rps/DataEmissao" };
        date(self.text(path))
    }
    pub(super) fn competence(&self) -> Option<Date> {
        if self.is_first { self.issued_on() } else { date(self.text("Competencia")) }
    }
    pub(super) fn substituted(&self) -> Option<RpsIdentity> {
        let path = if self.is_first { "RpsSubstituido" } else { "Rps/RpsSubstituido" };
        self.inf.at(path).map(RpsIdentity::read)
    }
    pub(super) fn base(&self) -> Decimal {
        self.value("ValorServicos") - self.value("ValorDeducoes") - self.value("DescontoIncondicionado")
    }
    /// Net amount paid to the prestador.
    pub(super) fn net(&self, iss: Decimal) -> Decimal {
        let withheld = if self.is_withheld() { iss } else { Decimal::ZERO };
        let taken: Decimal = SUBTRACTED_VALUES.iter().map(|name| self.value(name)).sum();
        self.value("ValorServicos") - taken - withheld
    }
}

/// Values subtracted from the value of a service to get its net amount.
const SUBTRACTED_VALUES: [&str; 8] = [
    "ValorPis",
    "ValorCofins",
    "ValorInss",
    "ValorIr",
    "ValorCsll",
    "OutrasRetencoes",
    "DescontoIncondicionado",
    "DescontoCondicionado",
];

/// Reads the date of a date or of a date-time.
fn date(text: &str) -> Option<Date> {
    text.get(..10)?.parse().ok()
}
