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
enum Group {
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
pub(super) fn remark(notice: &mut Notice) {
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
    let Some((service, right)) = ours(&notice.campo) else { return };
    notice.mensagem = format!("{name} é nome do {service}; aqui é {right}. Foi ignorado.");
    notice.sugestao = Some(right);
}

/// Names the item list of another service in the violation about a missing one.
pub(super) fn refusal(groups: &Value, violation: &mut Violation) {
    if violation.campo == "nota.produtos" && groups.get("items").is_some_and(Value::is_array) {
        violation.mensagem.push_str(" A nota tem items, que é nome do Focus NFe; aqui a lista é produtos.");
        violation.sugestao = Some("produtos".to_owned());
    }
}

/// Returns notices about names inside lists that are not read. Only the first element is examined: the others have the
/// same names.
pub(super) fn inside(groups: &Value) -> Vec<Notice> {
    let lists = ["items", "formas_pagamento"].into_iter();
    let firsts = lists.filter_map(|list| Some((list, groups.get(list)?.get(0)?.as_object()?)));
    let names = firsts.flat_map(|(list, first)| first.keys().map(move |name| format!("nota.{list}[0].{name}")));
    let unknown = names.filter(|campo| ours(campo).is_some()).map(|campo| Notice {
        campo,
        codigo: "campo_desconhecido".to_owned(),
        mensagem: String::new(),
        sugestao: None,
        codigo_status: None,
    });
    unknown.collect()
}

/// Returns the service that uses the last name of a path, and the path in our contract.
fn ours(campo: &str) -> Option<(&'static str, String)> {
    let (group, name) = campo.strip_prefix("nota")?.rsplit_once('.')?;
    let place = place(group)?;
    let (service, .., right) = NAMES.iter().find(|(_, at, theirs, _)| *at == place && *theirs == name)?;
    let group = group.replace(".items[", ".produtos[").replace(".formas_pagamento[", ".pagamentos[");
    Some((*service, if right.starts_with(OUTSIDE) { right[1..].to_owned() } else { format!("nota{group}.{right}") }))
}

fn place(group: &str) -> Option<Group> {
    let last = group.rsplit('.').next().unwrap_or_default();
    let begins = |names: &[&str]| names.iter().any(|name| last.starts_with(name));
    Some(match last {
        "" => Group::Top,
        "icms" | "ICMS" => Group::Icms,
        "emitente" | "emit" | "destinatario" | "dest" | "endereco" => Group::Party,
        _ if last == "prod" || begins(&["produtos[", "itens[", "det[", "items["]) => Group::Item,
        _ if begins(&["pagamentos[", "detPag[", "formas_pagamento["]) => Group::Payment,
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
const NAMES: &[(&str, Group, &str, &str)] = &[
    (FOCUS, Group::Top, "natureza_operacao", "identificacao.natOp"),
    (FOCUS, Group::Top, "data_emissao", "identificacao.dhEmi"),
    (FOCUS, Group::Top, "data_entrada_saida", "identificacao.dhSaiEnt"),
    (FOCUS, Group::Top, "tipo_documento", "identificacao.tpNF"),
    (FOCUS, Group::Top, "local_destino", "identificacao.idDest"),
    (FOCUS, Group::Top, "finalidade_emissao", "identificacao.finNFe"),
    (FOCUS, Group::Top, "consumidor_final", "identificacao.indFinal"),
    (FOCUS, Group::Top, "presenca_comprador", "identificacao.indPres"),
    (FOCUS, Group::Top, "cnpj_emitente", "/cpf_cnpj"),
    (FOCUS, Group::Top, "cpf_emitente", "/cpf_cnpj"),
    (FOCUS, Group::Top, "nome_emitente", "emitente.xNome"),
    (FOCUS, Group::Top, "inscricao_estadual_emitente", "emitente.IE"),
    (FOCUS, Group::Top, "nome_destinatario", "destinatario.xNome"),
    (FOCUS, Group::Top, "cnpj_destinatario", "destinatario.CNPJCPF"),
    (FOCUS, Group::Top, "cpf_destinatario", "destinatario.CNPJCPF"),
    (FOCUS, Group::Top, "inscricao_estadual_destinatario", "destinatario.IE"),
    (FOCUS, Group::Top, "indicador_inscricao_estadual_destinatario", "destinatario.indIEDest"),
    (FOCUS, Group::Top, "logradouro_destinatario", "destinatario.xLgr"),
    (FOCUS, Group::Top, "numero_destinatario", "destinatario.nro"),
    (FOCUS, Group::Top, "complemento_destinatario", "destinatario.xCpl"),
    (FOCUS, Group::Top, "bairro_destinatario", "destinatario.xBairro"),
    (FOCUS, Group::Top, "municipio_destinatario", "destinatario.xMun"),
    (FOCUS, Group::Top, "uf_destinatario", "destinatario.UF"),
    (FOCUS, Group::Top, "cep_destinatario", "destinatario.CEP"),
    (FOCUS, Group::Top, "telefone_destinatario", "destinatario.Fone"),
    (FOCUS, Group::Top, "email_destinatario", "destinatario.email"),
    (FOCUS, Group::Top, "modalidade_frete", "transportador.modFrete"),
    (FOCUS, Group::Top, "valor_produtos", "total.vProd"),
    (FOCUS, Group::Top, "valor_frete", "total.vFrete"),
    (FOCUS, Group::Top, "valor_desconto", "total.vDesc"),
    (FOCUS, Group::Top, "valor_total", "total.vNF"),
    (FOCUS, Group::Top, "items", "produtos"),
    (FOCUS, Group::Top, "formas_pagamento", "pagamentos"),
    (FOCUS, Group::Top, "informacoes_adicionais_contribuinte", "informacoes_adicionais.infCpl"),
    (FOCUS, Group::Item, "codigo_produto", "cProd"),
    (FOCUS, Group::Item, "descricao", "xProd"),
    (FOCUS, Group::Item, "codigo_ncm", "NCM"),
    (FOCUS, Group::Item, "cfop", "CFOP"),
    (FOCUS, Group::Item, "cest", "CEST"),
    (FOCUS, Group::Item, "codigo_barras_comercial", "cEAN"),
    (FOCUS, Group::Item, "unidade_comercial", "uCom"),
    (FOCUS, Group::Item, "quantidade_comercial", "qCom"),
    (FOCUS, Group::Item, "valor_unitario_comercial", "vUnCom"),
    (FOCUS, Group::Item, "valor_bruto", "vProd"),
    (FOCUS, Group::Item, "unidade_tributavel", "uTrib"),
    (FOCUS, Group::Item, "quantidade_tributavel", "qTrib"),
    (FOCUS, Group::Item, "valor_unitario_tributavel", "vUnTrib"),
    (FOCUS, Group::Item, "valor_desconto", "vDesc"),
    (FOCUS, Group::Item, "valor_frete", "vFrete"),
    (FOCUS, Group::Item, "icms_origem", "icms.orig"),
    (FOCUS, Group::Item, "icms_situacao_tributaria", "icms.CST"),
    (FOCUS, Group::Item, "icms_modalidade_base_calculo", "icms.modBC"),
    (FOCUS, Group::Item, "icms_base_calculo", "icms.vBC"),
    (FOCUS, Group::Item, "icms_aliquota", "icms.pICMS"),
    (FOCUS, Group::Item, "icms_valor", "icms.vICMS"),
    (FOCUS, Group::Item, "ipi_situacao_tributaria", "ipi.CST"),
    (FOCUS, Group::Item, "pis_situacao_tributaria", "pis.CST"),
    (FOCUS, Group::Item, "pis_aliquota_porcentual", "pis.pPIS"),
    (FOCUS, Group::Item, "cofins_situacao_tributaria", "cofins.CST"),
    (FOCUS, Group::Item, "cofins_aliquota_porcentual", "cofins.pCOFINS"),
    (FOCUS, Group::Payment, "forma_pagamento", "tPag"),
    (FOCUS, Group::Payment, "valor_pagamento", "vPag"),
    (PLUG, Group::Top, "natureza", "identificacao.natOp"),
    (PLUG, Group::Top, "dataEmissao", "identificacao.dhEmi"),
    (PLUG, Group::Top, "finalidade", "identificacao.finNFe"),
    (PLUG, Group::Top, "consumidorFinal", "identificacao.indFinal"),
    (PLUG, Group::Top, "presencial", "identificacao.indPres"),
    (PLUG, Group::Top, "idIntegracao", "/referencia_externa"),
    (PLUG, Group::Top, "informacoesComplementares", "informacoes_adicionais.infCpl"),
    (PLUG, Group::Party, "cpfCnpj", "CNPJCPF"),
    (PLUG, Group::Party, "razaoSocial", "xNome"),
    (PLUG, Group::Party, "inscricaoEstadual", "IE"),
    (PLUG, Group::Party, "logradouro", "xLgr"),
    (PLUG, Group::Party, "numero", "nro"),
    (PLUG, Group::Party, "complemento", "xCpl"),
    (PLUG, Group::Party, "bairro", "xBairro"),
    (PLUG, Group::Party, "codigoCidade", "cMun"),
    (PLUG, Group::Party, "descricaoCidade", "xMun"),
    (PLUG, Group::Party, "estado", "UF"),
    (PLUG, Group::Item, "codigo", "cProd"),
    (PLUG, Group::Item, "unidade", "uCom"),
    (PLUG, Group::Item, "quantidade", "qCom"),
    (PLUG, Group::Item, "valorUnitario", "vUnCom"),
    (PLUG, Group::Item, "valor", "vProd"),
    (PLUG, Group::Item, "valorDesconto", "vDesc"),
    (PLUG, Group::Icms, "origem", "orig"),
    (PLUG, Group::Icms, "baseCalculo", "vBC"),
    (PLUG, Group::Icms, "aliquota", "pICMS"),
    (PLUG, Group::Payment, "tipo", "tPag"),
    (PLUG, Group::Payment, "meio", "tPag"),
    (PLUG, Group::Payment, "valor", "vPag"),
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
            assert_eq!(ours(campo), Some((service, right.to_owned())), "{campo}");
        }
    }

    #[test]
    fn a_group_whose_place_is_not_known_is_told_of() {
        let campo = "nota.gPgtoVinc".to_owned();
        let codigo = "campo_desconhecido".to_owned();
        let mut notice = Notice { campo, codigo, mensagem: String::new(), sugestao: None, codigo_status: None };
        remark(&mut notice);
        assert_eq!(notice.codigo, "campo_ignorado");
        assert!(notice.mensagem.starts_with("gPgtoVinc (NT 2026.006) ainda não é escrito"), "{}", notice.mensagem);
    }

    #[test]
    fn the_same_word_elsewhere_means_nothing() {
        for campo in ["nota.codigo", "nota.produtos[0].natureza", "nota.transportador.valor", "nota", "cpf_cnpj"] {
            assert_eq!(ours(campo), None, "{campo}");
        }
    }
}
