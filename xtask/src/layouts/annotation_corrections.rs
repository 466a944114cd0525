//! Corrections of the official annotations: typing errors, lost endings, remarks about old versions. Their meaning is
//! not changed.
//!
//! Found with hunspell (pt_BR) and by reading every text of the field reference. The XSDs stay as published; only the
//! displayed text is corrected.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};

/// The corrections that were applied so far.
#[derive(Default)]
pub(super) struct AnnotationCorrections {
    used: BTreeSet<&'static str>,
}

impl AnnotationCorrections {
    /// Returns an annotation for display.
    pub(super) fn corrected(&mut self, text: &str) -> String {
        let mut line = text.to_owned();
        for (wrong, right) in CORRECTIONS {
            if line.contains(wrong) {
                line = line.replace(wrong, right);
                self.used.insert(wrong);
            }
        }
        line.trim().trim_end_matches(';').to_owned()
    }

    /// Fails for a correction that no annotation needs any more: the package has corrected its text.
    pub(super) fn all_used(&self) -> Result<()> {
        let unused: Vec<_> =
            CORRECTIONS.iter().map(|(wrong, _)| *wrong).filter(|wrong| !self.used.contains(wrong)).collect();
        ensure!(
            unused.is_empty(),
            "no annotation has these any more, take them out of xtask/src/layouts/words.rs: {unused:?}"
        );
        Ok(())
    }
}

#[rustfmt::skip]
const CORRECTIONS: &[(&str, &str)] = &[
    // remarks about versions of the layout long past
    (" (v2.0)", ""), (" (v.2.0))", ""), (" (v.2.0)", ""), ("(v2.0)", ""), (" (iv2.0))", ""), (" (NT2011/004)", ""), (" (NT 2011/004)", ""), (" - NT 2011/004", ""),
    (" NT 2011/004", ""), (" NT 2012/004", ""), (" alterado para tamanho variavel 1-4.", ", de 1 a 4 algarismos."),
    (" - alterado para aceitar de 0 a 4 casas decimais e 11 inteiros", ", com até 4 casas decimais e 11 inteiros"),
    (", alterado para aceitar de 0 a 4 casas decimais e 11 inteiros", ", com até 4 casas decimais e 11 inteiros"),
    (" - alterado para aceitar 0 a 10 casas decimais e 11 inteiros", ", com até 10 casas decimais e 11 inteiros"),
    // typing errors
    ("Tributção", "Tributação"), ("anterirmente", "anteriormente"), ("MM:SSDeve", "MM:SS. Deve"), ("Aliquota", "Alíquota"), ("aliquota", "alíquota"),
    ("Base de Calculo", "Base de Cálculo"), ("Previdêncica", "Previdência"), ("Destiantário", "Destinatário"), ("Codigo", "Código"), ("especificador", "especificador"),
    ("Substuicao Tributaria", "Substituição Tributária"), ("substituicao", "substituição"), ("Substituição Tributaria", "Substituição Tributária"),
    ("Documento FiscalUtilizar", "Documento Fiscal. Utilizar"), ("òrgao", "órgão"), ("órgão de autor do Evento", "órgão autor do Evento"), ("extendida", "estendida"),
    ("Operacao", "Operação"), ("Confirmacao", "Confirmação"), ("Exibilidade", "Exigibilidade"), ("conta propria", "conta própria"), ("interestarduais", "interestaduais"),
    ("CréditoPresumido", "Crédito Presumido"), ("infromações", "informações"), ("Guias De Trânsito", "Guias de Trânsito"), ("gropecurários", "gropecuários"),
    ("Indentificador", "Identificador"), ("Contribuinte ICMSpagamento à vista", "Contribuinte do ICMS"), ("oepração", "operação"),
    ("Informa-se o veículo tem VIN (chassi) remarcado. R-Remarcado N-NormalVIN", "Informa se o veículo tem VIN (chassi) remarcado: R-Remarcado; N-Normal"),
    ("seqüencial", "sequencial"), ("Seqüencial", "Sequencial"), ("contingência contingência", "contingência"), ("Inscricao", "Inscrição"),
    ("Motocicleta AÁrea Livre", "Motocicleta Área Livre"), ("munícipio", "município"), ("Valor aduaneio", "Valor Aduaneiro"), ("suspenção", "suspensão"),
    ("códiga", "código"), ("númeração", "numeração"), ("diferemento", "diferimento"), ("sincrono", "síncrono"), ("com abse no campo", "com base no campo"),
    ("Quantidade máxima de permitida de passageiros", "Quantidade máxima permitida de passageiros"), ("Recido", "Recibo"), ("XML dp Pedido", "XML do Pedido"),
    ("inexistentesérie", "inexistente"), ("telefone , nas", "telefone; nas"), ("permtido", "permitido"), ("Lei Ordinaria", "Lei Ordinária"), ("deciaml", "decimal"),
    ("ínicio", "início"), ("Valor da do ISSQN", "Valor do ISSQN"), ("ICMS da diferido", "ICMS diferido"), ("monofásico do Municipal", "monofásico Municipal"),
    ("1-Maritima", "1-Marítima"), ("4-Aerea", "4-Aérea"), ("6-Ferroviaria", "6-Ferroviária"), ("Chave Publica", "Chave Pública"), ("Digito Verificador", "Dígito Verificador"),
    ("Numero de identificação", "Número de identificação"), ("Capacidade voluntária do motor", "Cilindrada do motor"), 
    ("BC do CIDE ( Quantidade comercializada)", "BC da CIDE (quantidade comercializada)"),
    ("COFINS ST(em", "COFINS ST (em"), ("NACIONAL,CRT", "NACIONAL, CRT"), ("do fato gerador do fato gerador", "do fato gerador"),
    ("Código de Pais", "Código do país"), ("com as Condição de uso", "com as condições de uso"), ("da registro do Evento", "do registro do Evento"),
    ("em compras governamental", "em compras governamentais"), ("evento do carta de correção", "evento da carta de correção"), ("Retorno da envio", "Retorno do envio"),
    ("fica à critério", "fica a critério"), ("Pagamento à Prazo", "Pagamento a Prazo"),
    ("AAAA-MMDDThh:mm:ssTZD", "AAAA-MM-DDThh:mm:ssTZD"), ("Alíquota do COFINS", "Alíquota da COFINS"), ("Valor do COFINS", "Valor da COFINS"), ("BC do COFINS", "BC da COFINS"),
    ("Dados do COFINS", "Dados da COFINS"), ("Valor do CIDE", "Valor da CIDE"), ("Alíquota do CIDE", "Alíquota da CIDE"), ("Total Base de Cálculo", "Total da Base de Cálculo"),
    ("Cfop", "CFOP"), ("email do", "E-mail do"), ("código da UF de", "Código da UF de"), ("grupo do detalhamento", "Grupo do detalhamento"), ("origem da mercadoria:", "Origem da mercadoria:"),
    ("pedido de compra -", "Pedido de compra -"), ("versão do aplicativo utilizado", "Versão do aplicativo utilizado"),
    ("Rodoviaria", "Rodoviária"), ("Meios Proprios", "Meios Próprios"), ("Entrada/Saida", "Entrada/Saída"), ("Em maos", "Em mãos"), ("tributda", "tributada"),
    ("ou ou a UF", "ou a UF"), ("entrega do veículos", "entrega do veículo"), (" PL_005d - 11/08/09 - alterado para aceitar 8 ou 9 dígitos", ": 8 ou 9 dígitos"),
    ("” v2.0", "”"), ("ou item que não tenham produto", "ou item que não tenha produto"), ("a órgão Público", "a Órgão Público"), ("Chave de acesso compostas", "Chave de acesso composta"),
    ("ICMS nos Simples", "ICMS no Simples"),
    // of the CT-e and of the NFS-e
    ("Vinuclação com", "Vinculação com"), ("dos cointainers da qtde da carga", "dos contêineres da quantidade da carga"), ("conteiners", "contêineres"),
    ("Containeres", "Contêineres"),
    ("pelo CT-e Opcional para Redespacho Intermediario e Serviço vinculado", "pelo CT-e. Opcional para Redespacho Intermediário e Serviço Vinculado"),
    ("pelo Intermediario", "pelo Intermediário"), ("o indice do item", "o índice do item"), ("O indice inicia", "O índice inicia"), ("múnicípio", "município"),
    ("Tipo de retencao", "Tipo de retenção"), ("verficou", "verificou"), ("vínculação", "vinculação"),
    ("tributária.Responsabilidade do recolhimento do ICMS atribuído", "tributária. Responsabilidade do recolhimento do ICMS atribuída"),
    ("(Peso,Volume)", "(peso, volume)"), ("Combate á Pobreza", "Combate à Pobreza"), ("status do do retorno", "status do retorno"),
    ("Empresarial do do", "Empresarial do"), ("Social do do", "Social do"), ("Serviço.(Tabela", "Serviço (Tabela"), ("Alugueis", "Aluguéis"),
    ("de maquinas", "de máquinas"), ("ou VCalcBM", "ou vCalcBM"), ("em tpmoeda", "em tpMoeda"), ("Digest Value da CT-e", "Digest Value do CT-e"),
    ("Email da pessoa", "E-mail da pessoa"), ("Endereço de email", "Endereço de e-mail"), ("Irin do navio sempre", "IRIN do navio: sempre"),
    ("Time):AAAA", "Time): AAAA"),
    // a lost letter; the second entry removes it where it was not lost
    ("ICMS própri", "ICMS próprio"), ("ICMS próprioo", "ICMS próprio"),
];
