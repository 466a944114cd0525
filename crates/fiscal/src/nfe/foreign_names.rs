//! Names that other services use for the fields of a document, and official groups whose position is not known yet.
//! Such names are reported with the right name; their values are never guessed.
//!
//! Sources, read in November 2026: Focus NFe, public documentation of its API v2 (focusnfe.com.br/doc,
//! campos.focusnfe.com.br); PlugNotas, public examples of TecnoSpeed (docs.plugnotas.com.br) and of its users. Nuvem
//! Fiscal and sped-nfe use the official names.

use crate::finding::{Notice, Violation};
use serde_json::Value;

/// Position of a name in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamePosition {
    /// The root of `nota`.
    Top,
    Item,
    /// `icms` of an item.
    Icms,
    /// Issuer or addressee.
    Party,
    Payment,
}

/// Adds our name to a notice about an unknown name, and the reason to a notice about an official name that is not
/// written.
pub(super) fn explain_notice(notice: &mut Notice) {
    if notice.codigo != "campo_desconhecido" {
        return;
    }
    let name = notice.campo.rsplit('.').next().unwrap_or_default();
    if let Some((_, why)) = UNPLACED.iter().find(|(tag, _)| *tag == name) {
        notice.codigo = "campo_ignorado".to_owned();
        notice.mensagem = format!("{name} {why} Foi ignorado.");
        notice.sugestao = None;
        return;
    }
    let Some((service, right)) = contract_name(&notice.campo) else { return };
    notice.mensagem = format!("{name} é nome do {service}; aqui é {right}. Foi ignorado.");
    notice.sugestao = Some(right);
}

/// Names the item list of another service in the violation about a missing one.
pub(super) fn explain_violation(groups: &Value, violation: &mut Violation) {
    if violation.campo == "nota.produtos" && groups.get("items").is_some_and(Value::is_array) {
        violation.mensagem.push_str(" A nota tem items, que é nome do Focus NFe; aqui a lista é produtos.");
        violation.sugestao = Some("produtos".to_owned());
    }
}

/// Returns notices about names inside lists that are not read. Only the first element is examined: the others have the
/// same names.
pub(super) fn list_notices(groups: &Value) -> Vec<Notice> {
    let lists = ["items", "formas_pagamento"].into_iter();
    let firsts = lists.filter_map(|list| Some((list, groups.get(list)?.get(0)?.as_object()?)));
    let names = firsts.flat_map(|(list, first)| first.keys().map(move |name| format!("nota.{list}[0].{name}")));
    let unknown = names.filter(|campo| contract_name(campo).is_some()).map(|campo| Notice {
        campo,
        codigo: "campo_desconhecido".to_owned(),
        mensagem: String::new(),
        sugestao: None,
        codigo_status: None,
    });
    unknown.collect()
}

/// Returns the service that uses the last name of a path, and the path in our contract.
fn contract_name(campo: &str) -> Option<(&'static str, String)> {
    let (group, name) = campo.strip_prefix("nota")?.rsplit_once('.')?;
    let place = place(group)?;
    let (service, .., right) = NAMES.iter().find(|(_, at, theirs, _)| *at == place && *theirs == name)?;
    let group = group.replace(".items[", ".produtos[").replace(".formas_pagamento[", ".pagamentos[");
    Some((*service, if right.starts_with(OUTSIDE) { right[1..].to_owned() } else { format!("nota{group}.{right}") }))
}

fn place(group: &str) -> Option<NamePosition> {
    let last = group.rsplit('.').next().unwrap_or_default();
    let begins = |names: &[&str]| names.iter().any(|name| last.starts_with(name));
    Some(match last {
        "" => NamePosition::Top,
        "icms" | "ICMS" => NamePosition::Icms,
        "emitente" | "emit" | "destinatario" | "dest" | "endereco" => NamePosition::Party,
        _ if last == "prod" || begins(&["produtos[", "itens[", "det[", "items["]) => NamePosition::Item,
        _ if begins(&["pagamentos[", "detPag[", "formas_pagamento["]) => NamePosition::Payment,
        _ => return None,
    })
}

/// Official groups that are not written. NT 2026.006 (group YC) and the CT-e's basic types name the group of a payment
/// differently (`gPgto`, `pgto`), and no schema is available that shows the position of `gPgtoVinc` in `infNFe`.
const UNPLACED: &[(&str, &str)] = &[(
    "gPgtoVinc",
    "(NT 2026.006) ainda não é escrito: o esquema oficial que diz o lugar e a forma do grupo não está à mão. Ele é opcional.",
)];

const FOCUS: &str = "Focus NFe";
const PLUG: &str = "PlugNotas";

/// Prefix of a name that belongs beside `nota`.
const OUTSIDE: char = '/';

/// Service, position, its name, our name.
#[rustfmt::skip]
const NAMES: &[(&str, NamePosition, &str, &str)] = &[
    (FOCUS, NamePosition::Top, "natureza_operacao", "identificacao.natOp"),
    (FOCUS, NamePosition::Top, "data_emissao", "identificacao.dhEmi"),
    (FOCUS, NamePosition::Top, "data_entrada_saida", "identificacao.dhSaiEnt"),
    (FOCUS, NamePosition::Top, "tipo_documento", "identificacao.tpNF"),
    (FOCUS, NamePosition::Top, "local_destino", "identificacao.idDest"),
    (FOCUS, NamePosition::Top, "finalidade_emissao", "identificacao.finNFe"),
    (FOCUS, NamePosition::Top, "consumidor_final", "identificacao.indFinal"),
    (FOCUS, NamePosition::Top, "presenca_comprador", "identificacao.indPres"),
    (FOCUS, NamePosition::Top, "cnpj_emitente", "/cpf_cnpj"),
    (FOCUS, NamePosition::Top, "cpf_emitente", "/cpf_cnpj"),
    (FOCUS, NamePosition::Top, "nome_emitente", "emitente.xNome"),
    (FOCUS, NamePosition::Top, "inscricao_estadual_emitente", "emitente.IE"),
    (FOCUS, NamePosition::Top, "nome_destinatario", "destinatario.xNome"),
    (FOCUS, NamePosition::Top, "cnpj_destinatario", "destinatario.CNPJCPF"),
    (FOCUS, NamePosition::Top, "cpf_destinatario", "destinatario.CNPJCPF"),
    (FOCUS, NamePosition::Top, "inscricao_estadual_destinatario", "destinatario.IE"),
    (FOCUS, NamePosition::Top, "indicador_inscricao_estadual_destinatario", "destinatario.indIEDest"),
    (FOCUS, NamePosition::Top, "logradouro_destinatario", "destinatario.xLgr"),
    (FOCUS, NamePosition::Top, "numero_destinatario", "destinatario.nro"),
    (FOCUS, NamePosition::Top, "complemento_destinatario", "destinatario.xCpl"),
    (FOCUS, NamePosition::Top, "bairro_destinatario", "destinatario.xBairro"),
    (FOCUS, NamePosition::Top, "municipio_destinatario", "destinatario.xMun"),
    (FOCUS, NamePosition::Top, "uf_destinatario", "destinatario.UF"),
    (FOCUS, NamePosition::Top, "cep_destinatario", "destinatario.CEP"),
    (FOCUS, NamePosition::Top, "telefone_destinatario", "destinatario.Fone"),
    (FOCUS, NamePosition::Top, "email_destinatario", "destinatario.email"),
    (FOCUS, NamePosition::Top, "modalidade_frete", "transportador.modFrete"),
    (FOCUS, NamePosition::Top, "valor_produtos", "total.vProd"),
    (FOCUS, NamePosition::Top, "valor_frete", "total.vFrete"),
    (FOCUS, NamePosition::Top, "valor_desconto", "total.vDesc"),
    (FOCUS, NamePosition::Top, "valor_total", "total.vNF"),
    (FOCUS, NamePosition::Top, "items", "produtos"),
    (FOCUS, NamePosition::Top, "formas_pagamento", "pagamentos"),
    (FOCUS, NamePosition::Top, "informacoes_adicionais_contribuinte", "informacoes_adicionais.infCpl"),
    (FOCUS, NamePosition::Item, "codigo_produto", "cProd"),
    (FOCUS, NamePosition::Item, "descricao", "xProd"),
    (FOCUS, NamePosition::Item, "codigo_ncm", "NCM"),
    (FOCUS, NamePosition::Item, "cfop", "CFOP"),
    (FOCUS, NamePosition::Item, "cest", "CEST"),
    (FOCUS, NamePosition::Item, "codigo_barras_comercial", "cEAN"),
    (FOCUS, NamePosition::Item, "unidade_comercial", "uCom"),
    (FOCUS, NamePosition::Item, "quantidade_comercial", "qCom"),
    (FOCUS, NamePosition::Item, "valor_unitario_comercial", "vUnCom"),
    (FOCUS, NamePosition::Item, "valor_bruto", "vProd"),
    (FOCUS, NamePosition::Item, "unidade_tributavel", "uTrib"),
    (FOCUS, NamePosition::Item, "quantidade_tributavel", "qTrib"),
    (FOCUS, NamePosition::Item, "valor_unitario_tributavel", "vUnTrib"),
    (FOCUS, NamePosition::Item, "valor_desconto", "vDesc"),
    (FOCUS, NamePosition::Item, "valor_frete", "vFrete"),
    (FOCUS, NamePosition::Item, "icms_origem", "icms.orig"),
    (FOCUS, NamePosition::Item, "icms_situacao_tributaria", "icms.CST"),
    (FOCUS, NamePosition::Item, "icms_modalidade_base_calculo", "icms.modBC"),
    (FOCUS, NamePosition::Item, "icms_base_calculo", "icms.vBC"),
    (FOCUS, NamePosition::Item, "icms_aliquota", "icms.pICMS"),
    (FOCUS, NamePosition::Item, "icms_valor", "icms.vICMS"),
    (FOCUS, NamePosition::Item, "ipi_situacao_tributaria", "ipi.CST"),
    (FOCUS, NamePosition::Item, "pis_situacao_tributaria", "pis.CST"),
    (FOCUS, NamePosition::Item, "pis_aliquota_porcentual", "pis.pPIS"),
    (FOCUS, NamePosition::Item, "cofins_situacao_tributaria", "cofins.CST"),
    (FOCUS, NamePosition::Item, "cofins_aliquota_porcentual", "cofins.pCOFINS"),
    (FOCUS, NamePosition::Payment, "forma_pagamento", "tPag"),
    (FOCUS, NamePosition::Payment, "valor_pagamento", "vPag"),
    (PLUG, NamePosition::Top, "natureza", "identificacao.natOp"),
    (PLUG, NamePosition::Top, "dataEmissao", "identificacao.dhEmi"),
    (PLUG, NamePosition::Top, "finalidade", "identificacao.finNFe"),
    (PLUG, NamePosition::Top, "consumidorFinal", "identificacao.indFinal"),
    (PLUG, NamePosition::Top, "presencial", "identificacao.indPres"),
    (PLUG, NamePosition::Top, "idIntegracao", "/referencia_externa"),
    (PLUG, NamePosition::Top, "informacoesComplementares", "informacoes_adicionais.infCpl"),
    (PLUG, NamePosition::Party, "cpfCnpj", "CNPJCPF"),
    (PLUG, NamePosition::Party, "razaoSocial", "xNome"),
    (PLUG, NamePosition::Party, "inscricaoEstadual", "IE"),
    (PLUG, NamePosition::Party, "logradouro", "xLgr"),
    (PLUG, NamePosition::Party, "numero", "nro"),
    (PLUG, NamePosition::Party, "complemento", "xCpl"),
    (PLUG, NamePosition::Party, "bairro", "xBairro"),
    (PLUG, NamePosition::Party, "codigoCidade", "cMun"),
    (PLUG, NamePosition::Party, "descricaoCidade", "xMun"),
    (PLUG, NamePosition::Party, "estado", "UF"),
    (PLUG, NamePosition::Item, "codigo", "cProd"),
    (PLUG, NamePosition::Item, "unidade", "uCom"),
    (PLUG, NamePosition::Item, "quantidade", "qCom"),
    (PLUG, NamePosition::Item, "valorUnitario", "vUnCom"),
    (PLUG, NamePosition::Item, "valor", "vProd"),
    (PLUG, NamePosition::Item, "valorDesconto", "vDesc"),
    (PLUG, NamePosition::Icms, "origem", "orig"),
    (PLUG, NamePosition::Icms, "baseCalculo", "vBC"),
    (PLUG, NamePosition::Icms, "aliquota", "pICMS"),
    (PLUG, NamePosition::Payment, "tipo", "tPag"),
    (PLUG, NamePosition::Payment, "meio", "tPag"),
    (PLUG, NamePosition::Payment, "valor", "vPag"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_another_service_leads_to_ours_where_it_stands() {
        for (campo, service, right) in [
            ("nota.natureza_operacao", FOCUS, "nota.identificacao.natOp"),
            ("nota.valor_produtos", FOCUS, "nota.total.vProd"),
            ("nota.produtos[2].codigo_produto", FOCUS, "nota.produtos[2].cProd"),
            ("nota.items[0].icms_situacao_tributaria", FOCUS, "nota.produtos[0].icms.CST"),
            ("nota.itens[1].codigo", PLUG, "nota.itens[1].cProd"),
            ("nota.det[0].prod.valorUnitario", PLUG, "nota.det[0].prod.vUnCom"),
            ("nota.destinatario.razaoSocial", PLUG, "nota.destinatario.xNome"),
            ("nota.idIntegracao", PLUG, "referencia_externa"),
            ("nota.formas_pagamento[0].forma_pagamento", FOCUS, "nota.pagamentos[0].tPag"),
        ] {
            assert_eq!(contract_name(campo), Some((service, right.to_owned())), "{campo}");
        }
    }

    #[test]
    fn a_group_whose_place_is_not_known_is_told_of() {
        let campo = "nota.gPgtoVinc".to_owned();
        let codigo = "campo_desconhecido".to_owned();
        let mut notice = Notice { campo, codigo, mensagem: String::new(), sugestao: None, codigo_status: None };
        explain_notice(&mut notice);
        assert_eq!(notice.codigo, "campo_ignorado");
        assert!(notice.mensagem.starts_with("gPgtoVinc (NT 2026.006) ainda não é escrito"), "{}", notice.mensagem);
    }

    #[test]
    fn the_same_word_elsewhere_means_nothing() {
        for campo in ["nota.codigo", "nota.produtos[0].natureza", "nota.transportador.valor", "nota", "cpf_cnpj"] {
            assert_eq!(contract_name(campo), None, "{campo}");
        }
    }
}
