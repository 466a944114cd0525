//! Predicted rejections of an RPS, as far as the RPS itself decides them.
//!
//! Law: ABRASF 1.00, annex of errors (E1 to E161, A1 to A8), whose numbers the later versions and most providers reuse.
//! The texts are our own. Rules that need the municipality's records (E17, E28 to E35, E39, E43, E45, E54 to E62 …) are
//! not predicted.

use super::defaults::{RpsAmounts, campo};
use super::payload::ReadPayload;
use super::{AbrasfDialect, leaves};
use crate::document::BuildContext;
use crate::finding::Notice;
use crate::value::{Codigo, amount, municipio};
use rust_decimal::Decimal;

/// Inputs of the rules.
pub(super) struct RpsCase<'a, 'c> {
    pub(super) payload: &'a ReadPayload,
    pub(super) amounts: &'a RpsAmounts,
    pub(super) context: &'a BuildContext<'c>,
    pub(super) dialect: &'a AbrasfDialect,
    pub(super) home: &'a str,
}

struct AbrasfRule {
    codigo: &'static str,
    /// Canonical path of its field.
    field: &'static str,
    mensagem: &'static str,
    breaks: fn(&RpsCase<'_, '_>) -> bool,
}

/// A notice for every rule that the RPS breaks, with the caller's path.
pub(super) fn predict(case: &RpsCase<'_, '_>) -> Vec<Notice> {
    RULES.iter().filter(|rule| (rule.breaks)(case)).map(|rule| case.notice_for(rule)).collect()
}

/// The reason of a rule by its code, without the remedy.
pub fn motivo(codigo: &Codigo) -> Option<&'static str> {
    let rule = RULES.iter().find(|rule| rule.codigo == codigo.as_str())?;
    Some(rule.mensagem.split_once(". ").map_or(rule.mensagem, |(what, _)| what).trim_end_matches('.'))
}

impl RpsCase<'_, '_> {
    fn text(&self, path: &str) -> Option<&str> {
        let leaf = leaves::of(self.dialect.version).get(path)?;
        self.payload.leaves.get(&leaf.path).map(|given| given.text.as_str())
    }

    fn amount(&self, name: &str) -> Decimal {
        self.text(&format!("servico/valores/{name}")).and_then(amount).unwrap_or_default()
    }

    /// Document of a party; `true` for a CNPJ.
    fn document(&self, path: &str) -> Option<(&str, bool)> {
        let leaf = leaves::of(self.dialect.version).get(path)?;
        let of = |tag: &str| self.payload.leaves.get(&format!("{}/{tag}", leaf.path)).map(|given| given.text.as_str());
        of("Cnpj").map(|text| (text, true)).or_else(|| of("Cpf").map(|text| (text, false)))
    }

    fn is_withheld(&self) -> bool {
        self.text("servico/issretido") == Some("1")
    }

    /// True when the tax is due, here or elsewhere. 1.00 decides it by the nature of the operation.
    fn is_taxed(&self) -> bool {
        match self.text("naturezaoperacao") {
            Some(nature) => matches!(nature, "1" | "2"),
            None => self.text("servico/exigibilidadeiss") == Some("1"),
        }
    }

    fn is_taxed_elsewhere(&self) -> bool {
        self.text("naturezaoperacao") == Some("2")
    }

    fn retained(&self) -> Decimal {
        let federal = ["valorpis", "valorcofins", "valorinss", "valorir", "valorcsll", "outrasretencoes"];
        federal.iter().map(|name| self.amount(name)).sum()
    }

    /// True when the tomador is a company in Brazil that lacks this field of its address.
    fn company_lacks(&self, field: &str) -> bool {
        let company = self.document("tomador/identificacaotomador/cpfcnpj").is_some_and(|(_, company)| company);
        company && self.text("tomador/niftomador").is_none() && self.text(field).is_none()
    }

    fn issued_on(&self) -> Option<&str> {
        self.text("rps/dataemissao")?.get(..10)
    }

    fn notice_for(&self, rule: &AbrasfRule) -> Notice {
        let path = leaves::of(self.dialect.version).get(rule.field).map_or("", |leaf| leaf.path.as_str());
        let mensagem = format!("A prefeitura deve rejeitar com {}: {}", rule.codigo, rule.mensagem);
        Notice {
            codigo_status: Codigo::parse(rule.codigo).ok(),
            ..Notice::of(campo(path, self.payload, self.home), "rejeicao_prevista", &mensagem, None)
        }
    }
}

const fn rule(
    codigo: &'static str,
    field: &'static str,
    mensagem: &'static str,
    breaks: fn(&RpsCase<'_, '_>) -> bool,
) -> AbrasfRule {
    AbrasfRule { codigo, field, mensagem, breaks }
}

static RULES: &[AbrasfRule] = &[
    rule(
        "E2",
        "competencia",
        "a competência é de um mês posterior ao da emissão. Informe o mês da emissão ou um anterior.",
        |it| {
            let months =
                (it.text("competencia").and_then(|text| text.get(..7)), it.issued_on().and_then(|text| text.get(..7)));
            matches!(months, (Some(competence), Some(issued)) if competence > issued)
        },
    ),
    rule(
        "E16",
        "rps/dataemissao",
        "a data de emissão do RPS é posterior a hoje. Informe a data de hoje ou uma anterior.",
        |it| it.issued_on().zip(it.context.dhEmi.get(..10)).is_some_and(|(issued, today)| issued > today),
    ),
    rule("E18", "servico/valores/valorservicos", "o valor dos serviços deve ser maior que zero.", |it| {
        it.text("servico/valores/valorservicos").is_some() && it.amounts.services <= Decimal::ZERO
    }),
    rule(
        "E19",
        "servico/valores/valordeducoes",
        "as deduções passam do valor dos serviços. Corrija um dos dois.",
        |it| it.amount("valordeducoes") > it.amounts.services,
    ),
    rule(
        "E21",
        "servico/valores/descontoincondicionado",
        "os descontos passam do valor dos serviços. Corrija um dos dois.",
        |it| it.amount("descontoincondicionado") + it.amount("descontocondicionado") > it.amounts.services,
    ),
    rule(
        "E37",
        "servico/issretido",
        "só serviço tributado, no município ou fora dele, pode ter o ISS retido. Informe 2 em iss_retido ou corrija a exigibilidade.",
        |it| it.is_withheld() && !it.is_taxed(),
    ),
    rule(
        "E38",
        "servico/issretido",
        "microempresa municipal, empresa por estimativa, sociedade de profissionais e quem tem incentivo fiscal não sofrem retenção de ISS. Informe 2 em iss_retido.",
        |it| {
            let special = matches!(it.text("regimeespecialtributacao"), Some("1" | "2" | "3"));
            it.is_withheld() && (special || it.text("incentivofiscal") == Some("1"))
        },
    ),
    rule(
        "E40",
        "servico/valores/aliquota",
        "o ISS é retido e não há valor dele. Informe a alíquota ou o valor do ISS.",
        |it| it.is_withheld() && it.amounts.tax.is_none(),
    ),
    rule("E42", "servico/codigomunicipio", "o município da prestação não existe na tabela do IBGE.", |it| {
        let code = it.text("servico/codigomunicipio").and_then(|text| text.parse::<u32>().ok());
        // 9999999 stands for abroad in some layouts
        code.is_some_and(|code| code != ABROAD && municipio::find(code).is_none())
    }),
    rule("E52", "tomador/identificacaotomador/cpfcnpj", "o tomador é o próprio prestador.", |it| {
        let tomador = it.document("tomador/identificacaotomador/cpfcnpj");
        tomador.is_some() && tomador == it.document("prestador/cpfcnpj")
    }),
    rule(
        "E53",
        "tomador/identificacaotomador/inscricaomunicipal",
        "a inscrição municipal do tomador só é informada quando ele é do município do prestador. Retire-a.",
        |it| {
            let town = it.text("tomador/endereco/codigomunicipio");
            let own = it
                .context
                .configuracao
                .and_then(|of| of.get("codigo_municipio"))
                .or_else(|| it.context.emitente.get("cMun"));
            let own = own.map(|code| code.as_str().map_or_else(|| code.to_string(), str::to_owned));
            it.text("tomador/identificacaotomador/inscricaomunicipal").is_some()
                && town.is_some()
                && own.as_deref() != town
        },
    ),
    rule("E56", "tomador/endereco/endereco", "tomador com CNPJ precisa de endereço.", |it| {
        it.company_lacks("tomador/endereco/endereco")
    }),
    rule("E59", "tomador/endereco/codigomunicipio", "tomador com CNPJ precisa do município.", |it| {
        it.company_lacks("tomador/endereco/codigomunicipio")
    }),
    rule("E99", "servico/valores/valorservicos", "as retenções passam do valor dos serviços. Corrija-as.", |it| {
        it.retained() > it.amounts.services
    }),
    rule(
        "E110",
        "servico/codigomunicipio",
        "a natureza é de tributação fora do município, e o serviço foi prestado no município do prestador. Corrija um dos dois.",
        |it| {
            let own = it
                .context
                .configuracao
                .and_then(|of| of.get("codigo_municipio"))
                .or_else(|| it.context.emitente.get("cMun"));
            let own = own.map(|code| code.as_str().map_or_else(|| code.to_string(), str::to_owned));
            it.is_taxed_elsewhere() && it.text("servico/codigomunicipio") == own.as_deref()
        },
    ),
    rule("E113", "tomador/endereco/numero", "tomador com CNPJ precisa do número do endereço.", |it| {
        it.company_lacks("tomador/endereco/numero")
    }),
    rule("E114", "tomador/endereco/bairro", "tomador com CNPJ precisa do bairro.", |it| {
        it.company_lacks("tomador/endereco/bairro")
    }),
    rule("E115", "tomador/endereco/uf", "tomador com CNPJ precisa da UF.", |it| {
        it.company_lacks("tomador/endereco/uf")
    }),
    rule("E118", "tomador/razaosocial", "tomador com CPF ou CNPJ precisa de nome ou razão social.", |it| {
        it.document("tomador/identificacaotomador/cpfcnpj").is_some() && it.text("tomador/razaosocial").is_none()
    }),
    rule("E123", "servico/valores/aliquota", "tributação fora do município pede a alíquota do ISS.", |it| {
        it.is_taxed_elsewhere() && it.text("servico/valores/aliquota").is_none()
    }),
    rule(
        "E141",
        "prestador/inscricaomunicipal",
        "falta a inscrição municipal do prestador. Cadastre-a na empresa (inscricao_municipal).",
        |it| it.text("prestador/inscricaomunicipal").is_none(),
    ),
    rule("E161", "servico/valores/valoriss", "tributação fora do município pede o valor do ISS.", |it| {
        it.is_taxed_elsewhere() && it.amounts.tax.is_none()
    }),
];

/// Code of some layouts for a place outside of Brazil.
const ABROAD: u32 = 9_999_999;

/// Code and text of every rule, for the API reference.
pub fn codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    RULES.iter().map(|rule| (rule.codigo, rule.mensagem))
}
