//! Notices on values that are written as given but are probably wrong.
//!
//! Law: LC 116/2003, arts. 8º and 8º-A (the ISS is between two and five per cent); NT 007 of the national NFS-e (codes
//! of `tpRetPisCofins`).

use crate::finding::Notice;
use rust_decimal::Decimal;

/// Notice on a rate above zero and below one per cent, usually a fraction.
pub(crate) fn fraction(campo: String, percent: Decimal) -> Notice {
    let meant = (percent * Decimal::ONE_HUNDRED).normalize();
    let mensagem = format!(
        "A alíquota vai em percentual, e {percent} é {percent} %: o ISS fica entre 2 % e 5 % (LC 116/2003, art. 8º e 8º-A, com exceções). Se a intenção \
         era {meant} %, informe {meant}."
    );
    Notice::of(campo, "aliquota_em_fracao", &mensagem, Some(&meant.to_string()))
}

/// Notice on a code of `tpRetPisCofins` that NT 007 replaced; `None` for the codes it kept.
pub(super) fn old_withholding(campo: String, code: &str) -> Option<Notice> {
    let (meaning, now) = match code {
        "1" => ("PIS e COFINS retidos", "4"),
        "2" => ("PIS e COFINS não retidos", "0"),
        _ => return None,
    };
    let mensagem = format!(
        "tpRetPisCofins {code} ({meaning}) é código antigo: a NT 007 o trocou, e há municípios que o recusam. Para o mesmo sentido informe {now}; 3 diz que \
         PIS, COFINS e CSLL são retidos, 5 a 9 as outras combinações."
    );
    Some(Notice::of(campo, "codigo_antigo", &mensagem, Some(now)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_is_told_with_the_percentage_that_was_meant() {
        let told = fraction("nota.servico.valores.aliquota".to_owned(), Decimal::new(2, 2));
        assert_eq!(told.sugestao.as_deref(), Some("2"));
        assert!(told.mensagem.contains("0.02 %"), "{}", told.mensagem);
    }

    #[test]
    fn the_two_old_codes_of_withholding_are_told_and_no_other() {
        for code in ["0", "3", "4", "5", "6", "7", "8", "9", ""] {
            assert_eq!(old_withholding(String::new(), code), None, "{code}");
        }
        let now = |code| old_withholding(String::new(), code).and_then(|told| told.sugestao);
        assert_eq!((now("1").as_deref(), now("2").as_deref()), (Some("4"), Some("0")));
    }
}
