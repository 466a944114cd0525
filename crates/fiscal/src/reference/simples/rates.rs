//! Rates of IBS and CBS inside the DAS, and the steps of their computation, in Portuguese.
//!
//! Law: LC 123 art. 18 §1-A (effective rate), notes of its Anexos III to V (ISS at most 5 %). Rounded once, at the end.

use super::{RevenueBand, Tributo, rounded};
use rust_decimal::Decimal;

/// Rates of a revenue in its band, per cent.
#[derive(Debug, Clone, Copy)]
pub struct SimplesRates {
    band: &'static RevenueBand,
    rbt12: Decimal,
    /// Effective rate, not rounded.
    pub effective: Decimal,
    /// Rate of the IBS, four decimals; `None` where the table has no share.
    pub pIBSSN: Option<Decimal>,
    /// Rate of the CBS, four decimals; `None` where the table has no share.
    pub pCBSSN: Option<Decimal>,
}

/// Highest effective rate of the ISS, per cent.
const MOST_ISS: Decimal = Decimal::from_parts(5, 0, 0, false, 0);

impl SimplesRates {
    /// Rates of a revenue above zero.
    pub fn of(band: &'static RevenueBand, rbt12: Decimal) -> SimplesRates {
        let effective = band.nominal() - band.deducao() / rbt12 * Decimal::ONE_HUNDRED;
        let mut rates = SimplesRates { band, rbt12, effective, pIBSSN: None, pCBSSN: None };
        if !rates.exceeds_iss() {
            (rates.pIBSSN, rates.pCBSSN) = (rates.rate(Tributo::IBS), rates.rate(Tributo::CBS));
        }
        rates
    }

    /// True when the share of the ISS would exceed 5 %. The excess goes to other taxes, in shares that the table lacks.
    fn exceeds_iss(&self) -> bool {
        self.exact(Tributo::ISS).is_some_and(|iss| iss > MOST_ISS)
    }

    fn rate(&self, of: Tributo) -> Option<Decimal> {
        self.exact(of).map(|rate| rounded(rate, 4))
    }

    fn exact(&self, of: Tributo) -> Option<Decimal> {
        Some(self.effective * self.band.share(of)? / Decimal::ONE_HUNDRED)
    }

    /// The steps of the computation, a line each.
    pub fn steps(&self) -> Vec<String> {
        let SimplesRates { band, rbt12, .. } = self;
        let (anexo, faixa, ate) = (band.anexo.numeral(), band.faixa, band.ate());
        let (nominal, deducao) = (band.nominal(), band.deducao());
        let effective = self.shown_effective();
        let mut steps = vec![
            format!(
                "RBT12 {rbt12}: faixa {faixa} do Anexo {anexo} (até {ate}), alíquota nominal {nominal}%, parcela a deduzir {deducao}."
            ),
            format!("Alíquota efetiva = ({rbt12} × {nominal}% − {deducao}) ÷ {rbt12} = {effective}%."),
        ];
        if self.exceeds_iss() {
            steps.push(
                "O ISS passaria de 5%: a lei transfere a diferença a outros tributos da faixa, e a partilha deixa de ser a da tabela. \
                 Use os percentuais que o PGDAS-D mostrar."
                    .to_owned(),
            );
            return steps;
        }
        steps.push(self.step("pIBSSN", Tributo::IBS, self.pIBSSN));
        steps.push(self.step("pCBSSN", Tributo::CBS, self.pCBSSN));
        steps
    }

    fn step(&self, name: &str, of: Tributo, rate: Option<Decimal>) -> String {
        match (self.band.share(of), rate) {
            (Some(share), Some(rate)) => format!("{name} = {}% × {share}% = {rate}%.", self.shown_effective()),
            _ => format!("Na faixa {} o {} fica fora do DAS: não há {name}.", self.band.faixa, of.name()),
        }
    }

    /// The effective rate, rounded for answers.
    pub fn shown_effective(&self) -> Decimal {
        rounded(self.effective, 6)
    }
}

/// Amount of a rate over a revenue, to the cent.
pub fn amount_of(rate: Decimal, receita: Decimal) -> Decimal {
    rounded(receita * rate / Decimal::ONE_HUNDRED, 2)
}
