//! Names that other services have for the fields of a note: who comes from them is told ours. Nothing is taken for what it might mean.
//!
//! Sources, seen in November 2026: Focus NFe, public documentation of its API v2 (focusnfe.com.br/doc, campos.focusnfe.com.br); PlugNotas, public
//! examples of TecnoSpeed (docs.plugnotas.com.br) and of its users. Nuvem Fiscal and sped-nfe have the official names.

use crate::finding::{Notice, Violation};
use serde_json::Value;

/// Where a name stands in a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the top.
    Top,
    Item,
    /// `icms` of an item.
    Icms,
    /// Issuer or addressee.
    Party,
    Payment,
}

/// Tells our name for an unknown one.
pub(super) fn remark(notice: &mut Notice) {
    if notice.codigo != "campo_desconhecido" {
        return;
    }
    let Some((service, right)) = ours(&notice.campo) else { return };
    let name = notice.campo.rsplit('.').next().unwrap_or_default();
    notice.mensagem = format!("{name} é nome do {service}; aqui é {right}. Foi ignorado.");
    notice.sugestao = Some(right);
}

/// Tells the list of items another service has, where ours is missing.
pub(super) fn refusal(groups: &Value, violation: &mut Violation) {
    if violation.campo == "nota.produtos" && groups.get("items").is_some_and(Value::is_array) {
        violation.mensagem.push_str(" A nota tem items, que é nome do Focus NFe; aqui a lista é produtos.");
        violation.sugestao = Some("produtos".to_owned());
    }
}

/// Remarks on what stands inside of lists that nobody here reads: of the first element, since the others have the same names.
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

/// The service that has the last name of a path, and the path here.
fn ours(campo: &str) -> Option<(&'static str, String)> {
    let (group, name) = campo.strip_prefix("nota")?.rsplit_once('.')?;
    let place = place(group)?;
    let (service, .., right) = NAMES.iter().find(|(_, at, theirs, _)| *at == place && *theirs == name)?;
    let group = group.replace(".items[", ".produtos[").replace(".formas_pagamento[", ".pagamentos[");
    Some((*service, if right.starts_with(OUTSIDE) { right[1..].to_owned() } else { format!("nota{group}.{right}") }))
}

fn place(group: &str) -> Option<Place> {
    let last = group.rsplit('.').next().unwrap_or_default();
    let begins = |names: &[&str]| names.iter().any(|name| last.starts_with(name));
    Some(match last {
        "" => Place::Top,
        "icms" | "ICMS" => Place::Icms,
        "emitente" | "emit" | "destinatario" | "dest" | "endereco" => Place::Party,
        _ if last == "prod" || begins(&["produtos[", "itens[", "det[", "items["]) => Place::Item,
        _ if begins(&["pagamentos[", "detPag[", "formas_pagamento["]) => Place::Payment,
        _ => return None,
    })
}

const FOCUS: &str = "Focus NFe";
const PLUG: &str = "PlugNotas";

/// Begins a name that stands beside `nota`.
const OUTSIDE: char = '/';

/// Service, place, its name, ours.
#[rustfmt::skip]
const NAMES: &[(&str, Place, &str, &str)] = &[
    (FOCUS, Place::Top, "natureza_operacao", "identificacao.natOp"),
    (FOCUS, Place::Top, "data_emissao", "identificacao.dhEmi"),
    (FOCUS, Place::Top, "data_entrada_saida", "identificacao.dhSaiEnt"),
    (FOCUS, Place::Top, "tipo_documento", "identificacao.tpNF"),
    (FOCUS, Place::Top, "local_destino", "identificacao.idDest"),
    (FOCUS, Place::Top, "finalidade_emissao", "identificacao.finNFe"),
    (FOCUS, Place::Top, "consumidor_final", "identificacao.indFinal"),
    (FOCUS, Place::Top, "presenca_comprador", "identificacao.indPres"),
    (FOCUS, Place::Top, "cnpj_emitente", "/cpf_cnpj"),
    (FOCUS, Place::Top, "cpf_emitente", "/cpf_cnpj"),
    (FOCUS, Place::Top, "nome_emitente", "emitente.xNome"),
    (FOCUS, Place::Top, "inscricao_estadual_emitente", "emitente.IE"),
    (FOCUS, Place::Top, "nome_destinatario", "destinatario.xNome"),
    (FOCUS, Place::Top, "cnpj_destinatario", "destinatario.CNPJCPF"),
    (FOCUS, Place::Top, "cpf_destinatario", "destinatario.CNPJCPF"),
    (FOCUS, Place::Top, "inscricao_estadual_destinatario", "destinatario.IE"),
    (FOCUS, Place::Top, "indicador_inscricao_estadual_destinatario", "destinatario.indIEDest"),
    (FOCUS, Place::Top, "logradouro_destinatario", "destinatario.xLgr"),
    (FOCUS, Place::Top, "numero_destinatario", "destinatario.nro"),
    (FOCUS, Place::Top, "complemento_destinatario", "destinatario.xCpl"),
    (FOCUS, Place::Top, "bairro_destinatario", "destinatario.xBairro"),
    (FOCUS, Place::Top, "municipio_destinatario", "destinatario.xMun"),
    (FOCUS, Place::Top, "uf_destinatario", "destinatario.UF"),
    (FOCUS, Place::Top, "cep_destinatario", "destinatario.CEP"),
    (FOCUS, Place::Top, "telefone_destinatario", "destinatario.Fone"),
    (FOCUS, Place::Top, "email_destinatario", "destinatario.email"),
    (FOCUS, Place::Top, "modalidade_frete", "transportador.modFrete"),
    (FOCUS, Place::Top, "valor_produtos", "total.vProd"),
    (FOCUS, Place::Top, "valor_frete", "total.vFrete"),
    (FOCUS, Place::Top, "valor_desconto", "total.vDesc"),
    (FOCUS, Place::Top, "valor_total", "total.vNF"),
    (FOCUS, Place::Top, "items", "produtos"),
    (FOCUS, Place::Top, "formas_pagamento", "pagamentos"),
    (FOCUS, Place::Top, "informacoes_adicionais_contribuinte", "informacoes_adicionais.infCpl"),
    (FOCUS, Place::Item, "codigo_produto", "cProd"),
    (FOCUS, Place::Item, "descricao", "xProd"),
    (FOCUS, Place::Item, "codigo_ncm", "NCM"),
    (FOCUS, Place::Item, "cfop", "CFOP"),
    (FOCUS, Place::Item, "cest", "CEST"),
    (FOCUS, Place::Item, "codigo_barras_comercial", "cEAN"),
    (FOCUS, Place::Item, "unidade_comercial", "uCom"),
    (FOCUS, Place::Item, "quantidade_comercial", "qCom"),
    (FOCUS, Place::Item, "valor_unitario_comercial", "vUnCom"),
    (FOCUS, Place::Item, "valor_bruto", "vProd"),
    (FOCUS, Place::Item, "unidade_tributavel", "uTrib"),
    (FOCUS, Place::Item, "quantidade_tributavel", "qTrib"),
    (FOCUS, Place::Item, "valor_unitario_tributavel", "vUnTrib"),
    (FOCUS, Place::Item, "valor_desconto", "vDesc"),
    (FOCUS, Place::Item, "valor_frete", "vFrete"),
    (FOCUS, Place::Item, "icms_origem", "icms.orig"),
    (FOCUS, Place::Item, "icms_situacao_tributaria", "icms.CST"),
    (FOCUS, Place::Item, "icms_modalidade_base_calculo", "icms.modBC"),
    (FOCUS, Place::Item, "icms_base_calculo", "icms.vBC"),
    (FOCUS, Place::Item, "icms_aliquota", "icms.pICMS"),
    (FOCUS, Place::Item, "icms_valor", "icms.vICMS"),
    (FOCUS, Place::Item, "ipi_situacao_tributaria", "ipi.CST"),
    (FOCUS, Place::Item, "pis_situacao_tributaria", "pis.CST"),
    (FOCUS, Place::Item, "pis_aliquota_porcentual", "pis.pPIS"),
    (FOCUS, Place::Item, "cofins_situacao_tributaria", "cofins.CST"),
    (FOCUS, Place::Item, "cofins_aliquota_porcentual", "cofins.pCOFINS"),
    (FOCUS, Place::Payment, "forma_pagamento", "tPag"),
    (FOCUS, Place::Payment, "valor_pagamento", "vPag"),
    (PLUG, Place::Top, "natureza", "identificacao.natOp"),
    (PLUG, Place::Top, "dataEmissao", "identificacao.dhEmi"),
    (PLUG, Place::Top, "finalidade", "identificacao.finNFe"),
    (PLUG, Place::Top, "consumidorFinal", "identificacao.indFinal"),
    (PLUG, Place::Top, "presencial", "identificacao.indPres"),
    (PLUG, Place::Top, "idIntegracao", "/referencia_externa"),
    (PLUG, Place::Top, "informacoesComplementares", "informacoes_adicionais.infCpl"),
    (PLUG, Place::Party, "cpfCnpj", "CNPJCPF"),
    (PLUG, Place::Party, "razaoSocial", "xNome"),
    (PLUG, Place::Party, "inscricaoEstadual", "IE"),
    (PLUG, Place::Party, "logradouro", "xLgr"),
    (PLUG, Place::Party, "numero", "nro"),
    (PLUG, Place::Party, "complemento", "xCpl"),
    (PLUG, Place::Party, "bairro", "xBairro"),
    (PLUG, Place::Party, "codigoCidade", "cMun"),
    (PLUG, Place::Party, "descricaoCidade", "xMun"),
    (PLUG, Place::Party, "estado", "UF"),
    (PLUG, Place::Item, "codigo", "cProd"),
    (PLUG, Place::Item, "unidade", "uCom"),
    (PLUG, Place::Item, "quantidade", "qCom"),
    (PLUG, Place::Item, "valorUnitario", "vUnCom"),
    (PLUG, Place::Item, "valor", "vProd"),
    (PLUG, Place::Item, "valorDesconto", "vDesc"),
    (PLUG, Place::Icms, "origem", "orig"),
    (PLUG, Place::Icms, "baseCalculo", "vBC"),
    (PLUG, Place::Icms, "aliquota", "pICMS"),
    (PLUG, Place::Payment, "tipo", "tPag"),
    (PLUG, Place::Payment, "meio", "tPag"),
    (PLUG, Place::Payment, "valor", "vPag"),
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
    fn the_same_word_elsewhere_means_nothing() {
        for campo in ["nota.codigo", "nota.produtos[0].natureza", "nota.transportador.valor", "nota", "cpf_cnpj"] {
            assert_eq!(ours(campo), None, "{campo}");
        }
    }
}
