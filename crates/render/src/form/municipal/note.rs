//! A municipal note as its form reads it, of either shape: the RPS whole in the note (1.00), or the declaration within
//! what the city wrote.

use crate::form::dfe::{Dfe, Unreadable};
use crate::form::stored::Element;
use crate::form::value;
use fiscal::value::amount;
use rust_decimal::Decimal;

/// A note, or an RPS of which none was made.
#[derive(Clone, Copy)]
pub(in crate::form) struct Note<'x> {
    pub(super) dfe: Dfe<'x>,
    /// `InfNfse`; none of an RPS alone.
    made: Option<Element<'x>>,
    /// What the issuer declared: `InfDeclaracaoPrestacaoServico`, `InfRps`, or the note itself in 1.00.
    declared: Element<'x>,
}

impl<'x> Note<'x> {
    pub(in crate::form) fn of(dfe: Dfe<'x>) -> Result<Note<'x>, Unreadable> {
        let inf = dfe.signed();
        if let Some(made) = inf.child("InfNfse") {
            let within = made.at("DeclaracaoPrestacaoServico/InfDeclaracaoPrestacaoServico");
            return Ok(Note { dfe, made: Some(made), declared: within.unwrap_or(made) });
        }
        let rps = inf.at("ListaRps/Rps").or_else(|| inf.child("Rps")).unwrap_or(inf);
        let declared = rps.child("InfDeclaracaoPrestacaoServico").or_else(|| rps.child("InfRps"));
        Ok(Note { dfe, made: None, declared: declared.ok_or(Unreadable::NoForm)? })
    }
    /// The city has made it.
    pub(super) fn is_made(&self) -> bool {
        self.made.is_some()
    }
    /// A text that the city wrote; empty when there is none.
    pub(in crate::form) fn made(&self, path: &str) -> &'x str {
        self.made.and_then(|made| made.text_at(path)).unwrap_or_default()
    }
    /// A text of the declaration.
    pub(super) fn said(&self, path: &str) -> &'x str {
        self.declared.text_at(path).unwrap_or_default()
    }
    /// The first of several paths that says something: in the declaration, then in what the city wrote.
    pub(in crate::form) fn any(&self, paths: &[&str]) -> &'x str {
        let of = |text: fn(&Note<'x>, &str) -> &'x str| {
            paths.iter().map(|path| text(self, path)).find(|text| !text.is_empty())
        };
        of(Note::said).or_else(|| of(Note::made)).unwrap_or_default()
    }
    /// A group of the declaration.
    pub(super) fn group(&self, paths: &[&str]) -> Option<Element<'x>> {
        paths.iter().find_map(|path| self.declared.at(path))
    }
    /// Groups of one name of the declaration.
    pub(super) fn all(&self, name: &'static str) -> impl Iterator<Item = Element<'x>> {
        self.declared.children().filter(move |child| child.name() == name)
    }
    /// What the city wrote of the prestador.
    pub(super) fn provider(&self) -> Option<Element<'x>> {
        self.made.and_then(|made| made.child("PrestadorServico"))
    }
    /// What it wrote of its address (2.00 writes nothing else).
    pub(super) fn provider_address(&self) -> Option<Element<'x>> {
        let alone = || self.made.and_then(|made| made.child("EnderecoPrestadorServico"));
        self.provider().and_then(|provider| provider.child("Endereco")).or_else(alone)
    }
    /// A value of the service.
    pub(in crate::form) fn value(&self, tag: &str) -> &'x str {
        self.said(&format!("Servico/Valores/{tag}"))
    }
    /// A value that the city computed, else the declared one.
    pub(super) fn computed(&self, tag: &str) -> &'x str {
        let made = self.made(&format!("ValoresNfse/{tag}"));
        if made.is_empty() { self.value(tag) } else { made }
    }
    /// When the city cancelled it, as the note itself says.
    pub(super) fn cancelled_at(&self) -> &'x str {
        let paths = ["NfseCancelamento/Confirmacao/DataHora", "NfseCancelamento/Confirmacao/DataHoraCancelamento"];
        paths.iter().map(|path| self.dfe.supplement(path)).find(|text| !text.is_empty()).unwrap_or_default()
    }
    /// Number of the note in its place, as the note itself says.
    pub(super) fn substituted_by(&self) -> &'x str {
        self.dfe.supplement("NfseSubstituicao/SubstituicaoNfse/NfseSubstituidora")
    }
    /// Município whose note it is: of the city that made it, else of the service.
    pub(super) fn city(&self) -> &'x str {
        let made = self.made("OrgaoGerador/CodigoMunicipio");
        if made.is_empty() { self.said("Servico/CodigoMunicipio") } else { made }
    }
    /// What the tax is computed of: an RPS since 2.00 does not say it, and it follows from what it says.
    fn base(&self) -> Option<Decimal> {
        let value = |tag: &str| amount(self.value(tag));
        let less = |tag: &str| value(tag).unwrap_or_default();
        let follows = || Some(value("ValorServicos")? - less("ValorDeducoes") - less("DescontoIncondicionado"));
        amount(self.computed("BaseCalculo")).or_else(follows)
    }
    /// The rate in per cent. Cities write fractions or per cents and say nowhere which: base and tax tell; without them
    /// it stands as it is written.
    pub(super) fn rate(&self) -> String {
        let written = self.computed("Aliquota");
        let read = || {
            let (rate, base) = (amount(written)?, self.base()?);
            Some((rate, base, amount(self.computed("ValorIss"))?))
        };
        match read() {
            Some((rate, base, tax)) if (base * rate - tax).abs() <= CENT && tax > CENT => {
                let per_cent = (rate * Decimal::ONE_HUNDRED).normalize();
                value::rate(&per_cent.to_string())
            }
            Some((rate, base, tax)) if (base * rate / Decimal::ONE_HUNDRED - tax).abs() <= CENT => value::rate(written),
            _ => value::quantity(written, 2),
        }
    }
}

/// What rounding may leave.
const CENT: Decimal = Decimal::from_parts(1, 0, 0, false, 2);
