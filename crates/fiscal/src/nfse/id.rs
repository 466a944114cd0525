//! Identity of a DPS, by which the authority can be queried before an NFS-e exists.
//!
//! Law: TSIdDPS of the layout 1.01: `DPS`, município of issue (7), kind of registration (1), registration (14), series
//! (5), number (15).

use crate::finding::Violation;
use crate::value::{CnpjCpf, Serie};

/// Series of issuers with their own software (E0010).
const OWN_SERIES: std::ops::RangeInclusive<u32> = 1..=49_999;
/// `nDPS` has fifteen digits.
const MOST: u64 = 999_999_999_999_999;

/// Composes the Id of `infDPS`. Refuses a series or a number that does not fit into it.
pub(super) fn compose(
    cLocEmi: u32,
    prestador: CnpjCpf,
    serie: Serie,
    numero: u64,
    violations: &mut Vec<Violation>,
) -> Option<String> {
    let own = serie.number().filter(|number| OWN_SERIES.contains(number));
    if own.is_none() {
        let mensagem =
            format!("A série {serie} não pode ser usada: a DPS de aplicativo próprio leva de 1 a 49999 (E0010).");
        violations.push(Violation::of("nota.serie", "valor_invalido", &mensagem));
    }
    let fits = (1..=MOST).contains(&numero);
    if !fits {
        let mensagem = format!("O número {numero} não cabe em nDPS: vai de 1 a {MOST}.");
        violations.push(Violation::of("nota.nDPS", "valor_invalido", &mensagem));
    }
    let (kind, document) = match prestador {
        CnpjCpf::Cpf(cpf) => (1, cpf.to_string()),
        CnpjCpf::Cnpj(cnpj) => (2, cnpj.to_string()),
    };
    let serie = own.filter(|_| fits)?;
    Some(format!("DPS{cLocEmi:07}{kind}{document:0>14}{serie:05}{numero:015}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(document: &str, serie: u16, numero: u64) -> Result<String, Vec<Violation>> {
        let mut violations = Vec::new();
        let id = compose(3_550_308, CnpjCpf::parse(document).unwrap(), serie.into(), numero, &mut violations);
        id.ok_or(violations)
    }

    #[test]
    fn a_company_and_a_person_have_their_identity() {
        assert_eq!(id("11222333000181", 1, 1).unwrap(), "DPS355030821122233300018100001000000000000001");
        assert_eq!(id("11144477735", 49_999, MOST).unwrap(), "DPS355030810001114447773549999999999999999999");
        assert_eq!(id("12ABC34501DE35", 1, 6).unwrap(), "DPS3550308212ABC34501DE3500001000000000000006");
    }

    #[test]
    fn what_cannot_be_in_it_is_refused() {
        for (serie, numero, campo) in
            [(0, 1, "nota.serie"), (50_000, 1, "nota.serie"), (1, 0, "nota.nDPS"), (1, MOST + 1, "nota.nDPS")]
        {
            assert_eq!(id("11222333000181", serie, numero).unwrap_err()[0].campo, campo, "{serie} {numero}");
        }
    }
}
