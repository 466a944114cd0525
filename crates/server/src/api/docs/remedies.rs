//! Remedies for codes of the authority that no rule of ours predicts: only the authority has the register, the
//! certificate, the other documents.
//!
//! Law: MOC 7.0 anexo I and visão geral, NT 2014.001, NT 2014.002, NT 2020.001; the service's own handling is
//! documented at its code.

/// Remedy of a code, in Markdown.
pub(crate) fn remedy(code: u16) -> Option<&'static str> {
    REMEDIES.iter().find(|(codes, _)| codes.contains(&code)).map(|(_, words)| *words)
}

#[rustfmt::skip]
const REMEDIES: &[(&[u16], &str)] = &[
    (&[108, 109], "Nada a fazer: a nota espera ou vai pela contingência da empresa. Não a emita de novo com outra referência."),
    (&[159], "Sem inscrição estadual só cabem os CFOP que a tabela de CFOP (IT 2023.002 v2.10) marca com `indExcIBSCBS`, salvo em devolução e nota de crédito 03. O serviço não tem essa coluna: confira-a no Portal Nacional da NF-e."),
    (&[163], "A empresa tem inscrição estadual no cadastro de contribuintes: informe `inscricao_estadual` em `PUT /v1/empresas/{cpf_cnpj}` e emita de novo. Veja [Empresa sem inscrição estadual](/docs/guia/empresa-sem-ie)."),
    (&[164], "A empresa está irregular no cadastro da UF: quem resolve é ela, com a SEFAZ do estado."),
    (&[165, 167, 168, 169, 170, 171], "O CNPJ, o CPF ou a inscrição do local de retirada ou de entrega não passou no cadastro de contribuintes da UF. Confira `retirada` e `entrega`."),
    (&[166, 188], "A nota da empresa sem inscrição estadual, e os eventos dela, só vão à SVRS. O serviço os leva para lá: confira se `inscricao_estadual` está vazia no cadastro, e se a tabela de autoridades do operador não muda `sem_ie`."),
    (&[178], "A Receita Federal não conhece o CNPJ da empresa. Confira-o em `PUT /v1/empresas/{cpf_cnpj}`; se ele está certo e é novo, espere o cadastro chegar à SEFAZ e emita de novo."),
    (&[179], "O CNPJ da empresa não está ativo na Receita Federal (baixado, suspenso ou inapto). Quem resolve é a empresa, na Receita; depois emita de novo."),
    (&[180], "O `CRT` da nota não é o do cadastro da Receita Federal: 1 ou 2 para quem está no Simples Nacional, 3 para quem não está, 4 para o MEI. Consulte a opção no Portal do Simples Nacional, corrija `crt` em `PUT /v1/empresas/{cpf_cnpj}` (ou agende a troca em `regimes`) e emita de novo. Veja [Regime tributário](/docs/guia/regime-tributario)."),
    (&[181], "A Receita Federal não conhece o CNPJ do destinatário: confira-o. Em homologação o CNPJ 99999999000191, que muitos usam em ensaios, recebe esta rejeição: use um CPF ou um CNPJ que exista."),
    (&[182], "O CNPJ do destinatário não está ativo na Receita Federal. É ele quem resolve; sem isso a nota não é autorizada."),
    (&[183, 185], "A Receita Federal não conhece o CNPJ do local de retirada ou de entrega: confira `retirada` e `entrega`."),
    (&[184, 186], "O CNPJ do local de retirada ou de entrega não está ativo na Receita Federal: confira `retirada` e `entrega`."),
    (&[203, 781], "A empresa não está credenciada como emissora deste documento na SEFAZ do estado, neste ambiente. Peça o credenciamento no portal dela."),
    (&[204], "Nada a fazer."),
    (&[205], "A nota foi denegada antes. Emita outra, com outra `referencia_externa`; o número não volta."),
    (&[206, 256, 563], "O número foi inutilizado: a nota leva outro. Veja [Inutilizar numeração](/docs/guia/inutilizacao)."),
    (&[213, 593], "O certificado é de outra raiz de CNPJ: envie o da empresa ou da matriz em `PUT /v1/empresas/{cpf_cnpj}/certificado`. Veja [Certificado digital A1](/docs/guia/certificado)."),
    (&[217], "A autoridade não conhece esta chave: ou a nota não chegou, ou é de outro ambiente ou de outra autoridade."),
    (&[218, 420], "A nota já está cancelada; não há o que cancelar."),
    (&[219, 221, 304, 690], "A nota já circulou (posto fiscal, CT-e, SUFRAMA, destinatário): não se cancela mais. O caminho é uma nota de devolução. Veja [Corrigir e cancelar](/docs/guia/correcao-e-cancelamento)."),
    (&[227], "O certificado é de outra pessoa: envie o do CPF da empresa em `PUT /v1/empresas/{cpf_cnpj}/certificado`. Veja [Certificado digital A1](/docs/guia/certificado)."),
    (&[226, 247, 248, 249, 250, 410], "A UF da empresa no cadastro não é a da inscrição estadual. Corrija `endereco.uf` em `PUT /v1/empresas/{cpf_cnpj}`."),
    (&[230, 231, 245], "A SEFAZ não conhece a inscrição estadual do emitente, ou a conhece com outro CNPJ. Corrija `inscricao_estadual` no cadastro da empresa."),
    (&[232, 233, 234, 306], "A inscrição estadual do destinatário falta, não existe, é de outro CNPJ ou não está ativa. Consulte-a com `GET /v1/nfe/cadastro`; sem inscrição, `indIEDest` é 9."),
    (&[239, 402, 404, 587, 588, 225, 215, 516, 517, 565, 568], "Fala da mensagem que o serviço escreve. Se vier de uma SEFAZ de verdade, é defeito nosso: guarde `/file/log` e avise."),
    (&[240, 301], "A empresa está irregular no fisco do estado: regularize-a antes de emitir."),
    (&[241], "Um número da faixa já tem nota: divida a faixa. Veja [Inutilizar numeração](/docs/guia/inutilizacao)."),
    (&[252], "O ambiente da nota não é o da chamada: confira `ambiente` na configuração da empresa."),
    (&[280, 281, 282, 283, 284, 285, 286, 290, 291, 292, 293, 294, 295, 296], "O certificado da empresa venceu, foi revogado ou não é um A1 da ICP-Brasil. Envie outro: veja [Certificado digital A1](/docs/guia/certificado)."),
    (&[297, 298], "A assinatura não confere. O serviço confere a dele antes de enviar; se vier de uma SEFAZ de verdade, guarde `/file/log` e avise."),
    (&[302, 303, 305], "O destinatário está irregular, bloqueado ou não pode operar no estado dele. É ele quem resolve, com a SEFAZ dele."),
    (&[462, 463, 464], "O CSC ou o número dele (`csc_id`) não é o que está no portal da SEFAZ, neste ambiente. Envie os certos em `PUT /v1/empresas/{cpf_cnpj}/nfce`: veja [Primeira NFC-e](/docs/guia/nfce)."),
    (&[467, 468, 661, 662, 691, 692], "Fala de uma nota anunciada por EPEC. Veja [Quando a SEFAZ não responde](/docs/guia/contingencia)."),
    (&[501], "O prazo de cancelamento passou: a nota continua autorizada. O caminho é outra nota (devolução, estorno). Veja [Corrigir e cancelar](/docs/guia/correcao-e-cancelamento)."),
    (&[539, 561, 562, 613], "Há outra nota com este número e esta série: outro sistema emite na mesma série, ou a numeração voltou atrás depois de restaurar uma cópia. Use uma série só deste serviço, ou ponha `proximo_numero` acima do último número que saiu (`PUT /v1/empresas/{cpf_cnpj}/nfe`), e emita com outra `referencia_externa`. Nada se duplicou."),
    (&[573], "Este evento já está registrado; não há o que repetir."),
    (&[574, 575], "Quem assina o evento não é quem pode: o emitente na carta de correção e no cancelamento, o destinatário na manifestação."),
    (&[580], "A nota não está autorizada lá: outro sistema a cancelou, ou ela foi denegada."),
    (&[594], "O limite de eventos deste tipo foi atingido (20 cartas de correção por nota)."),
    (&[596], "O prazo da manifestação passou. Veja [Notas recebidas](/docs/guia/notas-recebidas)."),
    (&[589, 632, 640, 641, 653, 654], "A nota não é entregue a esta empresa, ou não mais. Veja [Notas recebidas](/docs/guia/notas-recebidas)."),
    (&[650, 651, 655], "A manifestação não cabe mais. Veja [Notas recebidas](/docs/guia/notas-recebidas)."),
    (&[656], "Outro sistema da mesma empresa pode estar perguntando também. Espere uma hora; veja [Consumo indevido](/docs/guia/contingencia#consumo-indevido-656)."),
    (&[784], "Cancele a NFC-e no prazo e emita outra."),
    (&[911, 912, 913, 914, 915, 916, 917, 918, 919, 920], "A nota que fica não é a mesma venda da que se cancela. Veja [Cancelamento por substituição](/docs/guia/correcao-e-cancelamento#cancelamento-por-substituição-nfc-e)."),
    (&[931, 946], "O código de benefício fiscal (`cBenef`) não existe no estado ou não combina com o CST. Veja a tabela da SEFAZ do estado."),
    (&[890, 891, 892, 893, 894, 895, 896], "O código de barras (GTIN) não está no cadastro nacional, ou está com outro NCM ou CEST. Corrija `cEAN` e `cEANTrib`, ou o cadastro do produto no CNP; sem código de barras, `SEM GTIN`."),
    (&[978], "O CSRT configurado não é o do responsável técnico na SEFAZ do estado: confira `[responsavel_tecnico]`."),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use fiscal::cstat::motivo;

    #[test]
    fn each_code_is_an_official_one_and_has_one_remedy() {
        let mut seen = BTreeSet::new();
        for code in REMEDIES.iter().flat_map(|(codes, _)| *codes) {
            assert!(motivo(*code).is_some() && seen.insert(code), "{code}");
        }
    }
}
