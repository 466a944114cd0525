//! Schemas of the configurations, made of the rows by which bodies are read: every accepted member is described, and no
//! other.

use super::rows::{CTE, CTE_OS, NFCE, NFE, NFSE, PREFEITURA, PROXIMO, REGIME};
use super::{ConfigurationMember, ConfigurationTable, MemberScope, STORED_SECRETS, ValueType};
use crate::api::schema::{SchemaField, Type, may, must, or_null};

/// Members of a request, of each type and of each group within one.
pub(in crate::api) const NFE_TAKEN: &[SchemaField] = &request_fields::<{ NFE.members.len() }>(NFE.members);
pub(in crate::api) const NFCE_TAKEN: &[SchemaField] = &request_fields::<{ NFCE.members.len() }>(NFCE.members);
pub(in crate::api) const NFSE_TAKEN: &[SchemaField] = &request_fields::<{ NFSE.members.len() }>(NFSE.members);
pub(in crate::api) const CTE_TAKEN: &[SchemaField] = &request_fields::<{ CTE.members.len() }>(CTE.members);
pub(in crate::api) const CTE_OS_TAKEN: &[SchemaField] = &request_fields::<{ CTE_OS.len() }>(CTE_OS);
pub(in crate::api) const REGIME_TAKEN: &[SchemaField] = &request_fields::<{ REGIME.len() }>(REGIME);
pub(in crate::api) const PREFEITURA_TAKEN: &[SchemaField] = &request_fields::<{ PREFEITURA.len() }>(PREFEITURA);

/// Members of an answer, of each type.
pub(in crate::api) const NFE_SHOWN: &[SchemaField] = &answer_fields::<{ answer_field_count(&NFE) }>(&NFE);
pub(in crate::api) const NFCE_SHOWN: &[SchemaField] = &answer_fields::<{ answer_field_count(&NFCE) }>(&NFCE);
pub(in crate::api) const NFSE_SHOWN: &[SchemaField] = &answer_fields::<{ answer_field_count(&NFSE) }>(&NFSE);
pub(in crate::api) const CTE_SHOWN: &[SchemaField] = &answer_fields::<{ answer_field_count(&CTE) }>(&CTE);

/// Numbering of the CT-e OS in an answer.
pub(in crate::api) const CTE_OS_SHOWN: &[SchemaField] = &[
    may("serie", Type::Text, "Série do CT-e OS; sem ela, a do CT-e."),
    or_null("proximo_numero", Type::Integer, PROXIMO),
];

/// Members that a type stores per environment.
pub(in crate::api) const OF_ENVIRONMENT: &[SchemaField] = &[
    must("serie", Type::Text, "Série."),
    must("proximo_numero", Type::Integer, "Como configurado."),
    may("cte_os", Type::Ref("NumeracaoDoCteOsGuardada"), "Numeração do CT-e OS deste ambiente."),
    may("csc_id", Type::Text, "Identificador do CSC deste ambiente."),
    may("csc_configurado", Type::Bool, "Se há CSC guardado para este ambiente."),
    may("credenciais_configuradas", Type::Bool, "Se há credencial da prefeitura para este ambiente."),
    may(STORED_SECRETS, Type::List(&Type::Text), "Nomes dos segredos guardados."),
];

const ENVIRONMENT: Type = Type::Either(&[Type::Within(1, 2), Type::Words(&["1", "2", "producao", "homologacao"])]);

/// A percentage with two decimals.
const PERCENT: Type = Type::Either(&[Type::Number, Type::Form("^(100([.]0{1,2})?|[0-9]{1,2}([.][0-9]{1,2})?)$")]);

/// Members of every answer, of any type.
const OF_ALL: [SchemaField; 3] = [
    may(
        "producao",
        Type::Ref("NumeracaoDoAmbiente"),
        "O que está guardado para a produção; só uma credencial de produção o vê.",
    ),
    may("homologacao", Type::Ref("NumeracaoDoAmbiente"), "O que está guardado para a homologação."),
    may(
        "avisos",
        Type::List(&Type::Ref("Aviso")),
        "O que foi ignorado no corpo enviado, e se o próximo número é outro que o pedido.",
    ),
];

const fn request_fields<const N: usize>(members: &[ConfigurationMember]) -> [SchemaField; N] {
    let (mut fields, mut at) = ([OF_ALL[0]; N], 0);
    while at < N {
        fields[at] = may(members[at].name, members[at].request_type(), members[at].about);
        at += 1;
    }
    fields
}

/// Number of members of an answer.
const fn answer_field_count(of: &ConfigurationTable) -> usize {
    let (mut count, mut at) = (OF_ALL.len(), 0);
    while at < of.members.len() {
        count += !matches!(of.members[at].scope, MemberScope::Secret) as usize;
        at += 1;
    }
    if of.flag.is_some() { count + 2 } else { count }
}

const fn answer_fields<const N: usize>(of: &ConfigurationTable) -> [SchemaField; N] {
    let (mut fields, mut at, mut member) = ([OF_ALL[0]; N], 0, 0);
    while member < of.members.len() {
        if !matches!(of.members[member].scope, MemberScope::Secret) {
            fields[at] = of.members[member].field();
            at += 1;
        }
        member += 1;
    }
    if let Some(flag) = &of.flag {
        fields[at] = must(flag.name, Type::Bool, flag.about);
        fields[at + 1] =
            must(STORED_SECRETS, Type::List(&Type::Text), "Nomes dos segredos guardados para o ambiente em uso.");
        at += 2;
    }
    let mut last = 0;
    while last < OF_ALL.len() {
        fields[at + last] = OF_ALL[last];
        last += 1;
    }
    fields
}

impl ConfigurationMember {
    /// Schema type in a request.
    const fn request_type(&self) -> Type {
        match self.kind {
            ValueType::Environment => ENVIRONMENT,
            ValueType::Crt => Type::Numeral(1, 4),
            ValueType::Series(first, last) => Type::ShortNumeral(first, last),
            ValueType::LetteredSeries(last) => Type::Series(last),
            ValueType::NextNumber(last) => Type::Numeral(1, last),
            ValueType::Whole(accepted) => Type::Among(accepted),
            ValueType::Percent => PERCENT,
            ValueType::Flag => Type::Bool,
            // a secret written as a number loses its leading zeros: accepted, but not documented
            ValueType::Text(most) if matches!(self.scope, MemberScope::Secret) => Type::Line(most),
            ValueType::Text(most) => Type::LineOrNumber(most),
            ValueType::Digits(count, []) => Type::Digits(count),
            ValueType::Digits(count, words) => Type::DigitsOr(count, words),
            ValueType::Rntrc(words) => Type::Rntrc(words),
            ValueType::Municipio => Type::Digits(7),
            ValueType::Word(words) => Type::Words(words),
            ValueType::Https => Type::Url,
            ValueType::Provider => Type::Name(40),
            ValueType::Group(_, [name, _]) => Type::Ref(name),
        }
    }

    /// Schema in an answer: present from the first configuration on, and null until it is set.
    const fn field(&self) -> SchemaField {
        let about = match self.shown {
            Some(shown) => shown,
            None => self.about,
        };
        match self.kind {
            ValueType::Environment => must(self.name, Type::Within(1, 2), about),
            ValueType::Series(..) | ValueType::LetteredSeries(_) => must(self.name, Type::Text, about),
            ValueType::Crt | ValueType::NextNumber(_) | ValueType::Whole(_) => or_null(self.name, Type::Integer, about),
            ValueType::Flag => or_null(self.name, Type::Bool, about),
            ValueType::Word(words) => or_null(self.name, Type::Words(words), about),
            ValueType::Group(_, [_, name]) => or_null(self.name, Type::Ref(name), about),
            ValueType::Percent
            | ValueType::Text(_)
            | ValueType::Digits(..)
            | ValueType::Rntrc(_)
            | ValueType::Municipio
            | ValueType::Provider
            | ValueType::Https => or_null(self.name, Type::Text, about),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::ALL;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_part_of_an_environment_has_whatever_a_type_keeps_of_each() {
        let described: BTreeSet<&str> = OF_ENVIRONMENT.iter().map(|field| field.name).collect();
        let kept: BTreeSet<&str> = ALL.into_iter().flat_map(ConfigurationTable::of_environment).collect();
        assert_eq!(described, kept);
    }

    #[test]
    fn a_secret_is_taken_and_never_shown() {
        let names = |fields: &[SchemaField]| fields.iter().map(|field| field.name).collect::<Vec<_>>();
        assert!(names(NFCE_TAKEN).contains(&"csc") && !names(NFCE_SHOWN).contains(&"csc"));
        assert!(names(NFSE_TAKEN).contains(&"prefeitura") && !names(NFSE_SHOWN).contains(&"prefeitura"));
        let last = ["csc_configurado", STORED_SECRETS, "producao", "homologacao", "avisos"];
        assert!(names(NFCE_SHOWN).ends_with(&last), "{:?}", names(NFCE_SHOWN));
        assert!(names(NFE_SHOWN).ends_with(&["layout_danfe", "producao", "homologacao", "avisos"]));
    }

    #[test]
    fn numbers_beside_each_other_are_a_range() {
        let json = |accepted| Type::Among(accepted).json();
        assert_eq!(json(&[2, 3]), Type::Numeral(2, 3).json());
        let ranges = [Type::Numeral(0, 2).json(), Type::Numeral(9, 9).json()];
        assert_eq!(json(&[0, 1, 2, 9])["anyOf"], serde_json::json!(ranges));
    }
}
