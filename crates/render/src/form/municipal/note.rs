//! A municipal note of either shape: the whole RPS inside the note (1.00), or the declaration inside the provider's
//! part.

use crate::form::dfe::{Dfe, FormError};
use crate::form::stored::StoredElement;
use crate::form::value;
use fiscal::value::amount;
use rust_decimal::Decimal;

/// A note, or an RPS without note.
#[derive(Clone, Copy)]
pub(in crate::form) struct AbrasfNote<'x> {
    pub(super) dfe: Dfe<'x>,
    /// `InfNfse`; `None` for an RPS alone.
    made: Option<StoredElement<'x>>,
    /// Declaration of the issuer: `InfDeclaracaoPrestacaoServico`, `InfRps`, or the note itself in 1.00.
    declared: StoredElement<'x>,
}

impl<'x> AbrasfNote<'x> {
    pub(in crate::form) fn of(dfe: Dfe<'x>) -> Result<AbrasfNote<'x>, FormError> {
        let inf = dfe.signed();
        if let Some(made) = inf.child("InfNfse") {
            let within = made.at("DeclaracaoPrestacaoServico/InfDeclaracaoPrestacaoServico");
            return Ok(AbrasfNote { dfe, made: Some(made), declared: within.unwrap_or(made) });
        }
        let rps = inf.at("ListaRps/Rps").or_else(|| inf.child("Rps")).unwrap_or(inf);
        let declared = rps.child("InfDeclaracaoPrestacaoServico").or_else(|| rps.child("InfRps"));
        Ok(AbrasfNote { dfe, made: None, declared: declared.ok_or(FormError::NoForm)? })
    }
    /// True for a generated note.
    pub(super) fn is_issued(&self) -> bool {
        self.made.is_some()
    }
    /// Text of the provider's part; empty when there is none.
    pub(in crate::form) fn generated_text(&self, path: &str) -> &'x str {
        self.made.and_then(|made| made.text_at(path)).unwrap_or_default()
    }
    /// Text of the declaration.
    pub(super) fn declared_text(&self, path: &str) -> &'x str {
        self.declared.text_at(path).unwrap_or_default()
    }
    /// First non-empty text of several paths: in the declaration, then in the provider's part.
    pub(in crate::form) fn any(&self, paths: &[&str]) -> &'x str {
        let of = |text: fn(&AbrasfNote<'x>, &str) -> &'x str| {
            paths.iter().map(|path| text(self, path)).find(|text| !text.is_empty())
        };
        of(AbrasfNote::declared_text).or_else(|| of(AbrasfNote::generated_text)).unwrap_or_default()
    }
    /// Group of the declaration.
    pub(super) fn group(&self, paths: &[&str]) -> Option<StoredElement<'x>> {
        paths.iter().find_map(|path| self.declared.at(path))
    }
    /// Groups of one name in the declaration.
    pub(super) fn all(&self, name: &'static str) -> impl Iterator<Item = StoredElement<'x>> {
        self.declared.children().filter(move |child| child.name() == name)
    }
    /// Prestador in the provider's part.
    pub(super) fn provider(&self) -> Option<StoredElement<'x>> {
        self.made.and_then(|made| made.child("PrestadorServico"))
    }
    /// Address of the prestador in the provider's part (2.00 has nothing else of it).
    pub(super) fn provider_address(&self) -> Option<StoredElement<'x>> {
        let alone = || self.made.and_then(|made| made.child("EnderecoPrestadorServico"));
        self.provider().and_then(|provider| provider.child("Endereco")).or_else(alone)
    }
    /// Value of the service.
    pub(in crate::form) fn value(&self, tag: &str) -> &'x str {
        self.declared_text(&format!("Servico/Valores/{tag}"))
    }
    /// Value computed by the provider, else the declared one.
    pub(super) fn computed(&self, tag: &str) -> &'x str {
        let made = self.generated_text(&format!("ValoresNfse/{tag}"));
        if made.is_empty() { self.value(tag) } else { made }
    }
    /// Moment of the cancellation inside the note.
    pub(super) fn cancelled_at(&self) -> &'x str {
        let paths = ["NfseCancelamento/Confirmacao/DataHora", "NfseCancelamento/Confirmacao/DataHoraCancelamento"];
        paths.iter().map(|path| self.dfe.supplement(path)).find(|text| !text.is_empty()).unwrap_or_default()
    }
    /// Number of the replacing note inside the note.
    pub(super) fn substituted_by(&self) -> &'x str {
        self.dfe.supplement("NfseSubstituicao/SubstituicaoNfse/NfseSubstituidora")
    }
    /// Município of the note: that of its generator, else of the service.
    pub(super) fn city(&self) -> &'x str {
        let made = self.generated_text("OrgaoGerador/CodigoMunicipio");
        if made.is_empty() { self.declared_text("Servico/CodigoMunicipio") } else { made }
    }
    /// Tax base. An RPS since 2.00 does not hold it, so it is computed from the values.
    fn base(&self) -> Option<Decimal> {
        let value = |tag: &str| amount(self.value(tag));
        let less = |tag: &str| value(tag).unwrap_or_default();
        let follows = || Some(value("ValorServicos")? - less("ValorDeducoes") - less("DescontoIncondicionado"));
        amount(self.computed("BaseCalculo")).or_else(follows)
    }
    /// Rate in per cent. Providers write fractions or per cents without stating which: base and tax decide; without
    /// them the rate is shown as written.
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

/// Tolerance for rounding.
const CENT: Decimal = Decimal::from_parts(1, 0, 0, false, 2);
