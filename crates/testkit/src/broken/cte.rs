//! Documents that break each rule of the CT-e and CT-e OS, beside a document that breaks none: the base or a golden
//! case. Read by the tests of the fiscal core (prediction and its field), of the simulator and of the service (refusal
//! with an equal code).

use crate::cases::{self, cte::Case};

/// Payload of a caller.
pub struct BrokenPayload {
    pub cStat: u16,
    /// A base (`cte`, `cte_os`) or a golden case.
    pub case: &'static str,
    /// Merge patch on its `nota`.
    pub patch: &'static str,
    /// Path of the notice.
    pub campo: &'static str,
}

impl BrokenPayload {
    /// The document that the rule refuses.
    pub fn case(&self) -> Case {
        right(self.case).with(&serde_json::from_str(self.patch).unwrap())
    }
}

/// A document that no rule refuses.
fn right(name: &str) -> Case {
    if matches!(name, "cte" | "cte_os") {
        return cases::cte::base(name);
    }
    cases::cte::all().into_iter().find(|case| case.folder.ends_with(name)).unwrap_or_else(|| panic!("no case {name}"))
}

const fn cte(cStat: u16, patch: &'static str, campo: &'static str) -> BrokenPayload {
    of("cte", cStat, patch, campo)
}

const fn os(cStat: u16, patch: &'static str, campo: &'static str) -> BrokenPayload {
    of("cte_os", cStat, patch, campo)
}

const fn of(case: &'static str, cStat: u16, patch: &'static str, campo: &'static str) -> BrokenPayload {
    BrokenPayload { cStat, case, patch, campo }
}

/// Payloads by the rule they break.
#[rustfmt::skip]
pub const BROKEN_PAYLOADS: &[BrokenPayload] = &[
    // tomador of the service
    cte(460, r#"{"remetente": null, "identificacao": {"cMunIni": 4314902, "xMunIni": "PORTO ALEGRE", "UFIni": "RS"}}"#, "nota.tomador.indice"),
    cte(461, r#"{"tomador": {"indice": 1}}"#, "nota.tomador.indice"),
    cte(462, r#"{"tomador": {"indice": 2}}"#, "nota.tomador.indice"),
    of("redespacho_intermediario", 463, r#"{"tomador": {"toma": 3}}"#, "nota.tomador.toma"),
    cte(481, r#"{"identificacao": {"indIEToma": 1}, "remetente": {"IE": null}}"#, "nota.identificacao.indIEToma"),
    cte(482, r#"{"identificacao": {"indIEToma": 2}}"#, "nota.identificacao.indIEToma"),
    of("tomador_isento", 617, r#"{"identificacao": {"indIEToma": 2}, "remetente": {"UF": "SP", "cMun": 3550308}}"#, "nota.identificacao.indIEToma"),
    os(757, r#"{"tomador": null}"#, "nota.tomador"),
    // instants
    cte(212, r#"{"identificacao": {"dhEmi": "2026-11-20T10:10:00-03:00"}}"#, "nota.identificacao.dhEmi"),
    cte(228, r#"{"identificacao": {"dhEmi": "2026-11-12T10:00:00-03:00"}}"#, "nota.identificacao.dhEmi"),
    // CFOP
    cte(676, r#"{"identificacao": {"CFOP": "6102"}}"#, "nota.identificacao.CFOP"),
    os(676, r#"{"identificacao": {"CFOP": 6102}}"#, "nota.identificacao.CFOP"),
    cte(519, r#"{"identificacao": {"CFOP": "5353"}}"#, "nota.identificacao.CFOP"),
    cte(524, r#"{"identificacao": {"cMunIni": 4205407, "cMunFim": 3304557}}"#, "nota.identificacao.CFOP"),
    cte(908, r#"{"identificacao": {"CFOP": "6932"}}"#, "nota.identificacao.CFOP"),
    // municipalities
    cte(418, r#"{"remetente": {"cMun": 3550308}}"#, "nota.remetente.cMun"),
    cte(532, r#"{"remetente": {"cMun": 4399999}}"#, "nota.remetente.cMun"),
    cte(424, r#"{"destinatario": {"cMun": 3550308}}"#, "nota.destinatario.cMun"),
    cte(533, r#"{"destinatario": {"cMun": 3399999}}"#, "nota.destinatario.cMun"),
    of("todos_os_papeis", 431, r#"{"expedidor": {"cMun": 3550308}}"#, "nota.expedidor.cMun"),
    of("todos_os_papeis", 534, r#"{"expedidor": {"cMun": 4399999}}"#, "nota.expedidor.cMun"),
    of("todos_os_papeis", 439, r#"{"recebedor": {"cMun": 3550308}}"#, "nota.recebedor.cMun"),
    of("todos_os_papeis", 535, r#"{"recebedor": {"cMun": 3399999}}"#, "nota.recebedor.cMun"),
    of("tomador_descrito", 447, r#"{"tomador": {"cMun": 3550308}}"#, "nota.tomador.cMun"),
    of("tomador_descrito", 536, r#"{"tomador": {"cMun": 4399999}}"#, "nota.tomador.cMun"),
    os(447, r#"{"tomador": {"cMun": 3550308}}"#, "nota.tomador.cMun"),
    os(536, r#"{"tomador": {"cMun": 4399999}}"#, "nota.tomador.cMun"),
    cte(493, r#"{"identificacao": {"cMunEnv": 3550308, "xMunEnv": "SAO PAULO", "UFEnv": "RS"}}"#, "nota.identificacao.cMunEnv"),
    cte(537, r#"{"identificacao": {"cMunEnv": 4399999, "xMunEnv": "NENHURES", "UFEnv": "RS"}}"#, "nota.identificacao.cMunEnv"),
    cte(456, r#"{"identificacao": {"cMunIni": 3550308, "xMunIni": "SAO PAULO", "UFIni": "RS"}}"#, "nota.identificacao.cMunIni"),
    cte(541, r#"{"identificacao": {"cMunIni": 4399999, "xMunIni": "NENHURES", "UFIni": "RS"}}"#, "nota.identificacao.cMunIni"),
    cte(414, r#"{"identificacao": {"cMunFim": 3550308, "xMunFim": "SAO PAULO", "UFFim": "RJ"}}"#, "nota.identificacao.cMunFim"),
    cte(542, r#"{"identificacao": {"cMunFim": 3399999, "xMunFim": "NENHURES", "UFFim": "RJ"}}"#, "nota.identificacao.cMunFim"),
    // parties
    cte(469, r#"{"remetente": null, "tomador": {"indice": 3}, "identificacao": {"cMunIni": 4314902, "xMunIni": "PORTO ALEGRE", "UFIni": "RS"}}"#, "nota.remetente"),
    cte(470, r#"{"destinatario": null, "identificacao": {"cMunFim": 3304557, "xMunFim": "RIO DE JANEIRO", "UFFim": "RJ"}}"#, "nota.destinatario"),
    of("redespacho_intermediario", 474, r#"{"expedidor": null, "tomador": {"toma": 2}, "identificacao": {"cMunIni": 4314902, "xMunIni": "PORTO ALEGRE", "UFIni": "RS"}}"#, "nota.expedidor"),
    of("redespacho_intermediario", 475, r#"{"recebedor": null, "identificacao": {"cMunFim": 3304557, "xMunFim": "RIO DE JANEIRO", "UFFim": "RJ"}}"#, "nota.recebedor"),
    cte(415, r#"{"remetente": {"CNPJCPF": "12ABC34501DE36"}}"#, "nota.remetente.CNPJCPF"),
    of("documentos_em_papel", 416, r#"{"remetente": {"CNPJCPF": "11144477734"}}"#, "nota.remetente.CNPJCPF"),
    cte(419, r#"{"remetente": {"IE": "0962345670"}}"#, "nota.remetente.IE"),
    cte(208, r#"{"destinatario": {"CNPJCPF": "33000167000102"}}"#, "nota.destinatario.CNPJCPF"),
    cte(237, r#"{"destinatario": {"CNPJCPF": "11144477734", "IE": null}}"#, "nota.destinatario.CNPJCPF"),
    cte(210, r#"{"destinatario": {"IE": "77040286"}}"#, "nota.destinatario.IE"),
    of("todos_os_papeis", 428, r#"{"expedidor": {"CNPJCPF": "98765432000199"}}"#, "nota.expedidor.CNPJCPF"),
    of("todos_os_papeis", 429, r#"{"expedidor": {"CNPJCPF": "11144477734"}}"#, "nota.expedidor.CNPJCPF"),
    of("todos_os_papeis", 432, r#"{"expedidor": {"IE": "0963333331"}}"#, "nota.expedidor.IE"),
    of("todos_os_papeis", 436, r#"{"recebedor": {"CNPJCPF": "33000167000102"}}"#, "nota.recebedor.CNPJCPF"),
    of("todos_os_papeis", 437, r#"{"recebedor": {"CNPJCPF": "11144477734"}}"#, "nota.recebedor.CNPJCPF"),
    of("todos_os_papeis", 440, r#"{"recebedor": {"IE": "77040286"}}"#, "nota.recebedor.IE"),
    of("tomador_descrito", 444, r#"{"tomador": {"CNPJCPF": "98765432000199"}}"#, "nota.tomador.CNPJCPF"),
    of("tomador_descrito", 445, r#"{"tomador": {"CNPJCPF": "11144477734"}}"#, "nota.tomador.CNPJCPF"),
    of("tomador_descrito", 448, r#"{"tomador": {"IE": "0963333331"}}"#, "nota.tomador.IE"),
    os(444, r#"{"tomador": {"CNPJCPF": "33000167000102"}}"#, "nota.tomador.CNPJCPF"),
    os(448, r#"{"tomador": {"IE": "0965555551"}}"#, "nota.tomador.IE"),
    of("tomador_descrito", 799, r#"{"tomador": {"CNPJCPF": "12ABC34501DE35", "IE": "0962345679"}}"#, "nota.tomador"),
    cte(699, r#"{"autXML": [{"CNPJCPF": "98765432000199"}]}"#, "nota.autXML[0].CNPJCPF"),
    cte(700, r#"{"autXML": [{"CNPJCPF": "11144477734"}]}"#, "nota.autXML[0].CNPJCPF"),
    cte(715, r#"{"autXML": [{"CNPJCPF": "98765432000198"}, {"CNPJCPF": "98765432000198"}]}"#, "nota.autXML"),
    cte(828, r#"{"autXML": [{"CNPJCPF": "98765432000198"}, {"CNPJCPF": "33000167000101"}]}"#, "nota.autXML[1]"),
    of("autorizados_e_responsavel_tecnico", 836, r#"{"responsavel_tecnico": {"CNPJ": "33000167000102"}}"#, "nota.responsavel_tecnico.CNPJ"),
    cte(614, r#"{"emitente": {"IEST": "0963333331"}}"#, "nota.emitente.IEST"),
    os(614, r#"{"emitente": {"IEST": "0965555551"}}"#, "nota.emitente.IEST"),
    cte(235, r#"{"destinatario": {"ISUF": "201234565", "cMun": 1302603, "xMun": "MANAUS", "CEP": "69005010", "UF": "AM", "IE": null}}"#, "nota.destinatario.ISUF"),
    cte(251, r#"{"destinatario": {"ISUF": "201234564"}}"#, "nota.destinatario.ISUF"),
    // cargo
    cte(581, r#"{"carga": {"vCarga": null}}"#, "nota.carga.vCarga"),
    cte(693, r#"{"documentos": null}"#, "nota.documentos"),
    of("redespacho_intermediario", 694, r#"{"documentos": {"nfe": [{"chave": "43261112ABC34501DE35550010000000011847362513"}]}}"#, "nota.documentos"),
    cte(527, r#"{"documentos": {"nfe": [{"chave": "43261112ABC34501DE35550010000000011847362513"}, {"chave": "43261112ABC34501DE35550010000000011847362513"}]}}"#, "nota.documentos.nfe[1].chave"),
    cte(843, r#"{"documentos": {"nfe": [{"chave": "43261112ABC34501DE35550010000000011847362514"}]}}"#, "nota.documentos.nfe[0].chave"),
    of("documentos_em_papel", 540, r#"{"remetente": {"CNPJCPF": "12ABC34501DE35", "IE": "0962345679"}}"#, "nota.documentos.nf"),
    of("documentos_de_outro_tipo", 813, r#"{"documentos": {"outros": [{"tpDoc": "65", "nDoc": "77", "vDocFisc": 350}]}}"#, "nota.documentos.outros"),
    cte(729, r#"{"documentos": {"nfe": [{"chave": "43261112ABC34501DE35550010000000011847362513"}, {"chave": "43261111222333000181550010000000011847362516"}]}}"#, "nota.documentos.nfe"),
    of("declaracao_de_conteudo", 375, r#"{"documentos": {"dce": ["43261112ABC34501DE35990010000000011847362519", "43261112ABC34501DE35990010000000011847362519"]}}"#, "nota.documentos.dce[1].chave"),
    of("declaracao_de_conteudo", 376, r#"{"documentos": {"dce": ["43261112ABC34501DE35990010000000011847362510"]}}"#, "nota.documentos.dce[0].chave"),
    // one CT-e for several documents
    of("globalizado_de_varios_remetentes", 743, r#"{"destinatario": {"cMun": 3304557, "xMun": "RIO DE JANEIRO", "CEP": "20031912", "UF": "RJ", "IE": "77040285"}, "identificacao": {"CFOP": "6353"}}"#, "nota.identificacao.indGlobalizado"),
    of("globalizado_de_varios_remetentes", 722, r#"{"tomador": {"indice": 2}, "recebedor": {"CNPJCPF": "98765432000198", "IE": "0621000300012", "xNome": "OUTRA LTDA", "xLgr": "RUA D", "nro": "4", "xBairro": "CENTRO", "cMun": 3106200, "xMun": "BELO HORIZONTE", "CEP": "30110000", "UF": "MG"}}"#, "nota.tomador.indice"),
    of("globalizado_de_varios_remetentes", 723, r#"{"documentos": {"nfe": null, "outros": [{"tpDoc": "00", "nDoc": "1"}]}}"#, "nota.documentos"),
    of("globalizado_de_varios_remetentes", 724, r#"{"documentos": {"nfe": ["31261133110200000156550010000005011847362512", "31261133120200000137550010000005011847362515", "31261133130200000118550010000005011847362518", "31261133140200000107550010000005011847362515"]}}"#, "nota.documentos.nfe"),
    of("globalizado_de_um_remetente", 744, r#"{"documentos": {"nfe": ["31261112ABC34501DE35550010000000011847362512", "31261112ABC34501DE35550010000000021847362510", "31261112ABC34501DE35550010000000031847362517", "31261112ABC34501DE35550010000000041847362514", "31261133110200000156550010000005011847362512"]}}"#, "nota.documentos.nfe"),
    of("globalizado_de_varios_remetentes", 725, r#"{"remetente": {"xNome": "CAFE TESTE LTDA"}}"#, "nota.remetente.xNome"),
    of("globalizado_de_um_remetente", 726, r#"{"destinatario": {"xNome": "CAFE TESTE LTDA"}}"#, "nota.destinatario.xNome"),
    of("globalizado_de_varios_remetentes", 727, r#"{"remetente": {"CNPJCPF": "98765432000198", "IE": "0621000300012"}}"#, "nota.remetente.CNPJCPF"),
    of("globalizado_de_um_remetente", 728, r#"{"destinatario": {"CNPJCPF": "98765432000198", "IE": "0621000300012"}}"#, "nota.destinatario.CNPJCPF"),
    of("globalizado_de_um_remetente", 737, r#"{"documentos": {"nfe": ["31261112ABC34501DE35550010000000011847362512", "31261112ABC34501DE35550010000000021847362510", "31261112ABC34501DE35550010000000031847362517", "31261112ABC34501DE35550010000000041847362514"]}}"#, "nota.documentos.nfe"),
    of("globalizado_de_varios_remetentes", 730, r#"{"globalizado": null}"#, "nota.identificacao.indGlobalizado"),
    // preceding and linked carriers
    of("vinculado_a_multimodal", 651, r#"{"servico_vinculado": null}"#, "nota.servico_vinculado"),
    cte(814, r#"{"servico_vinculado": [{"chCTeMultimodal": "43261198765432000198570010000000771135724688"}]}"#, "nota.servico_vinculado"),
    cte(521, r#"{"identificacao": {"tpServ": 1}}"#, "nota.documentos_anteriores"),
    cte(747, r#"{"documentos_anteriores": [{"CNPJCPF": "98765432000198", "IE": "0963333330", "UF": "RS", "xNome": "OUTRA", "cte": ["43261198765432000198570010000000771135724688"]}]}"#, "nota.documentos_anteriores"),
    of("redespacho", 543, r#"{"documentos_anteriores": [{"CNPJCPF": "98765432000198", "IE": "0963333330", "UF": "RS", "xNome": "OUTRA", "cte": ["43261198765432000198570010000000771135724688", "43261198765432000198570010000000771135724688"]}]}"#, "nota.documentos_anteriores"),
    of("redespacho", 733, r#"{"documentos_anteriores": [{"CNPJCPF": "98765432000198", "IE": "0963333330", "UF": "RS", "xNome": "OUTRA", "cte": ["43261111222333000181570010000000771135724689"]}]}"#, "nota.documentos_anteriores"),
    of("redespacho", 745, r#"{"tomador": {"indice": 0}}"#, "nota.documentos_anteriores"),
    of("redespacho", 844, r#"{"documentos_anteriores": [{"CNPJCPF": "98765432000198", "IE": "0963333330", "UF": "RS", "xNome": "OUTRA", "cte": ["43261198765432000198570010000000771135724689"]}]}"#, "nota.documentos_anteriores"),
    of("vinculado_a_multimodal", 714, r#"{"servico_vinculado": [{"chCTeMultimodal": "43261198765432000198570010000000771135724688"}, {"chCTeMultimodal": "43261198765432000198570010000000771135724688"}]}"#, "nota.servico_vinculado"),
    of("vinculado_a_multimodal", 845, r#"{"servico_vinculado": [{"chCTeMultimodal": "43261198765432000198570010000000771135724689"}]}"#, "nota.servico_vinculado"),
    of("vinculado_a_multimodal", 667, r#"{"tomador": {"indice": 2}}"#, "nota.servico_vinculado"),
    // values
    cte(531, r#"{"valores": {"vRec": 1500.01}}"#, "nota.valores.vRec"),
    cte(650, r#"{"valores": {"vTPrest": 10000000}}"#, "nota.valores.vTPrest"),
    cte(675, r#"{"imposto": {"icms": {"vICMS": 181}}}"#, "nota.imposto.icms"),
    os(760, r#"{"imposto": {"federais": null}}"#, "nota.imposto.federais.vINSS"),
    // CT-e OS
    os(798, r#"{"rodoviario": null}"#, "nota.rodoviario"),
    os(751, r#"{"identificacao": {"cMunFim": null, "xMunFim": null, "UFFim": null}}"#, "nota.identificacao.UFIni"),
    os(752, r#"{"identificacao": {"cMunFim": null, "xMunFim": null}}"#, "nota.identificacao.cMunIni"),
    of("os_valores", 380, r#"{"identificacao": {"cMunFim": null, "xMunFim": null, "UFFim": null}}"#, "nota.identificacao.UFFim"),
    of("os_fretamento_dentro_do_estado", 839, r#"{"rodoviario": {"nro_reg_estadual": null, "taf": "123456789012"}}"#, "nota.rodoviario.nro_reg_estadual"),
    os(840, r#"{"rodoviario": {"taf": null, "NroRegEstadual": "1234567890123456789012345"}}"#, "nota.rodoviario.taf"),
    os(841, r#"{"rodoviario": {"fretamento": null}}"#, "nota.rodoviario.fretamento"),
    os(837, r#"{"rodoviario": {"fretamento": {"dhViagem": null}}}"#, "nota.rodoviario.fretamento.dhViagem"),
    os(838, r#"{"rodoviario": {"fretamento": {"dhViagem": "2026-11-19T08:00:00-03:00"}}}"#, "nota.rodoviario.fretamento.dhViagem"),
    of("os_excesso_de_bagagem", 754, r#"{"documentos_referenciados": null}"#, "nota.documentos_referenciados"),
    of("os_excesso_de_bagagem", 891, r#"{"documentos_referenciados": [{"chBPe": "43261112ABC34501DE35630010000000071202611033"}]}"#, "nota.documentos_referenciados[0].chBPe"),
    of("os_excesso_de_bagagem", 897, r#"{"documentos_referenciados": [{"chBPe": "43261198765432000198630010000000071202611033"}]}"#, "nota.documentos_referenciados"),
    os(815, r#"{"cancelado_referenciado": "43261112ABC34501DE35670010000000071202611037"}"#, "nota.cancelado_referenciado"),
    of("os_valores", 856, r#"{"cancelado_referenciado": "43261112ABC34501DE35670010000000071202611038"}"#, "nota.cancelado_referenciado"),
    of("os_valores", 827, r#"{"cancelado_referenciado": "43261198765432000198670010000000071202611033"}"#, "nota.cancelado_referenciado"),
    os(881, r#"{"gtve": [{"chCTe": "43261112ABC34501DE35640010000000071202611036", "Comp": [{"tpComp": 1, "vComp": 4800}]}]}"#, "nota.gtve"),
    of("os_valores", 882, r#"{"gtve": [{"chCTe": "43261112ABC34501DE35640010000000071202611037", "Comp": [{"tpComp": 1, "vComp": 4800}]}]}"#, "nota.gtve[0].chCTe"),
    of("os_valores", 886, r#"{"gtve": [{"chCTe": "43261198765432000198640010000000071202611033", "Comp": [{"tpComp": 1, "vComp": 4800}]}]}"#, "nota.gtve"),
    of("os_valores", 887, r#"{"gtve": [{"chCTe": "43261112ABC34501DE35640010000000071202611036", "Comp": [{"tpComp": 1, "vComp": 2400}]}, {"chCTe": "43261112ABC34501DE35640010000000071202611036", "Comp": [{"tpComp": 1, "vComp": 2400}]}]}"#, "nota.gtve"),
    of("os_valores", 898, r#"{"gtve": [{"chCTe": "43261112ABC34501DE35640010000000071202611036", "Comp": [{"tpComp": 6, "vComp": 4800}]}]}"#, "nota.gtve"),
    of("os_valores", 899, r#"{"gtve": [{"chCTe": "43261112ABC34501DE35640010000000071202611036", "Comp": [{"tpComp": 1, "vComp": 4700}]}]}"#, "nota.gtve"),
    os(753, r#"{"identificacao": {"percurso": null}}"#, "nota.identificacao.percurso"),
    os(753, r#"{"identificacao": {"percurso": ["SP"]}}"#, "nota.identificacao.percurso"),
    // documents that follow another
    of("substituicao", 505, r#"{"identificacao": {"tpCTe": 3}, "substituicao": null}"#, "nota.substituicao"),
    of("substituicao", 847, r#"{"substituicao": {"chCte": "43261198765432000198570010000000771135724689"}}"#, "nota.substituicao.chCte"),
    of("os_substituicao", 858, r#"{"substituicao": {"chCte": "43261112ABC34501DE35670010000000071202611038"}}"#, "nota.substituicao.chCte"),
    of("complemento_de_valor", 269, r#"{"complementado": ["43261198765432000198570010000000771135724688"]}"#, "nota.complementado"),
    of("complemento_de_valor", 849, r#"{"complementado": ["43261111222333000181570010000000771135724680"]}"#, "nota.complementado[0].chCTe"),
    of("os_complemento", 859, r#"{"complementado": [{"chCTe": "43261112ABC34501DE35670010000000071202611038"}]}"#, "nota.complementado[0].chCTe"),
    of("complemento_de_valor", 907, r#"{"complementado": ["43261111222333000181570010000000771135724689", "43261111222333000181570010000000771135724689"]}"#, "nota.complementado"),
    of("complemento_de_valor", 933, r#"{"complementado": ["43251011222333000181570010000000771135724680"]}"#, "nota.complementado"),
    // IBS and CBS
    cte(310, r#"{"imposto": {"ibscbs": null}}"#, "nota.imposto.ibscbs"),
    cte(311, r#"{"imposto": {"ibscbs": {"cst": "999"}}}"#, "nota.imposto.ibscbs.cst"),
    cte(312, r#"{"imposto": {"ibscbs": {"classificacao": "000999"}}}"#, "nota.imposto.ibscbs.classificacao"),
    cte(313, r#"{"imposto": {"ibscbs": {"classificacao": "200001"}}}"#, "nota.imposto.ibscbs.classificacao"),
    cte(314, r#"{"imposto": {"ibscbs": {"cst": "410", "classificacao": "410001"}}}"#, "nota.imposto.ibscbs"),
    cte(315, r#"{"imposto": {"ibscbs": {"ibs_uf": null, "ibs_mun": null, "cbs": null}}}"#, "nota.imposto.ibscbs"),
    cte(316, r#"{"imposto": {"ibscbs": {"ibs_uf": {"aliquota": 0.2}}}}"#, "nota.imposto.ibscbs.ibs_uf.aliquota"),
    cte(318, r#"{"imposto": {"ibscbs": {"ibs_uf": {"valor": 1.34}}}}"#, "nota.imposto.ibscbs.ibs_uf.valor"),
    cte(321, r#"{"imposto": {"ibscbs": {"ibs_mun": {"aliquota": 0.1}}}}"#, "nota.imposto.ibscbs.ibs_mun.aliquota"),
    cte(323, r#"{"imposto": {"ibscbs": {"ibs_mun": {"valor": 1.34}}}}"#, "nota.imposto.ibscbs.ibs_mun.valor"),
    cte(317, r#"{"imposto": {"ibscbs": {"vIBS": 1.35}}}"#, "nota.imposto.ibscbs.vIBS"),
    cte(326, r#"{"imposto": {"ibscbs": {"cbs": {"aliquota": 0.8}}}}"#, "nota.imposto.ibscbs.cbs.aliquota"),
    cte(327, r#"{"imposto": {"ibscbs": {"cbs": {"valor": 11.9}}}}"#, "nota.imposto.ibscbs.cbs.valor"),
    of("ibscbs_aliquota_zero", 389, r#"{"imposto": {"ibscbs": {"ibs_uf": {"reducao": {"percentual": 60}}}}}"#, "nota.imposto.ibscbs.ibs_uf.reducao.percentual"),
    of("ibscbs_aliquota_zero", 391, r#"{"imposto": {"ibscbs": {"ibs_mun": {"reducao": {"percentual": 60}}}}}"#, "nota.imposto.ibscbs.ibs_mun.reducao.percentual"),
    of("ibscbs_aliquota_zero", 393, r#"{"imposto": {"ibscbs": {"cbs": {"reducao": {"percentual": 60}}}}}"#, "nota.imposto.ibscbs.cbs.reducao.percentual"),
    of("ibscbs_aliquota_zero", 390, r#"{"imposto": {"ibscbs": {"ibs_uf": {"reducao": {"aliquota_efetiva": 0.05}}}}}"#, "nota.imposto.ibscbs.ibs_uf.reducao.aliquota_efetiva"),
    of("ibscbs_aliquota_zero", 392, r#"{"imposto": {"ibscbs": {"ibs_mun": {"reducao": {"aliquota_efetiva": 0.05}}}}}"#, "nota.imposto.ibscbs.ibs_mun.reducao.aliquota_efetiva"),
    of("ibscbs_aliquota_zero", 394, r#"{"imposto": {"ibscbs": {"cbs": {"reducao": {"aliquota_efetiva": 0.05}}}}}"#, "nota.imposto.ibscbs.cbs.reducao.aliquota_efetiva"),
    cte(388, r#"{"imposto": {"ibscbs": {"classificacao": "000003"}}}"#, "nota.imposto.ibscbs.classificacao"),
    os(388, r#"{"imposto": {"ibscbs": {"cst": "000", "classificacao": "000003", "ibs_uf": {"valor_bc": 100, "aliquota": 0.1, "valor": 0.1}, "ibs_mun": {"valor_bc": 100, "aliquota": 0, "valor": 0}, "cbs": {"valor_bc": 100, "aliquota": 0.9, "valor": 0.9}}}}"#, "nota.imposto.ibscbs.classificacao"),
    of("ibscbs_diferimento_e_devolucao", 319, r#"{"imposto": {"ibscbs": {"ibs_uf": {"diferimento": null}}}}"#, "nota.imposto.ibscbs.ibs_uf.diferimento"),
    of("ibscbs_diferimento_e_devolucao", 320, r#"{"imposto": {"ibscbs": {"ibs_uf": {"diferimento": {"valor": "0.70"}, "valor": "0.62"}}}}"#, "nota.imposto.ibscbs.ibs_uf.diferimento.valor"),
    of("ibscbs_aliquota_zero", 366, r#"{"imposto": {"ibscbs": {"ibs_uf": {"reducao": null}}}}"#, "nota.imposto.ibscbs.ibs_uf.reducao"),
    cte(367, r#"{"imposto": {"ibscbs": {"ibs_uf": {"reducao": {"percentual": 60, "aliquota_efetiva": "0.04"}, "valor": "0.53"}}}}"#, "nota.imposto.ibscbs.ibs_uf.reducao"),
    cte(368, r#"{"imposto": {"ibscbs": {"ibs_uf": {"diferimento": {"percentual": 100, "valor": "1.32"}, "valor": 0}}}}"#, "nota.imposto.ibscbs.ibs_uf.diferimento"),
    of("ibscbs_diferimento_e_devolucao", 395, r#"{"imposto": {"ibscbs": {"ibs_uf": {"diferimento": {"valor": "2.00"}, "valor": 0}}}}"#, "nota.imposto.ibscbs.ibs_uf"),
    of("ibscbs_diferimento_e_devolucao", 324, r#"{"imposto": {"ibscbs": {"ibs_mun": {"diferimento": null}}}}"#, "nota.imposto.ibscbs.ibs_mun.diferimento"),
    of("ibscbs_diferimento_e_devolucao", 325, r#"{"imposto": {"ibscbs": {"ibs_mun": {"diferimento": {"valor": "0.50"}, "valor": "0"}}}}"#, "nota.imposto.ibscbs.ibs_mun.diferimento.valor"),
    of("ibscbs_aliquota_zero", 369, r#"{"imposto": {"ibscbs": {"ibs_mun": {"aliquota": 0.1, "valor": 1.32}}}}"#, "nota.imposto.ibscbs.ibs_mun.reducao"),
    cte(381, r#"{"imposto": {"ibscbs": {"ibs_mun": {"reducao": {"percentual": 60, "aliquota_efetiva": "0"}, "valor": "0"}}}}"#, "nota.imposto.ibscbs.ibs_mun.reducao"),
    cte(382, r#"{"imposto": {"ibscbs": {"ibs_mun": {"diferimento": {"percentual": 100, "valor": "0"}, "valor": 0}}}}"#, "nota.imposto.ibscbs.ibs_mun.diferimento"),
    of("ibscbs_diferimento_e_devolucao", 396, r#"{"imposto": {"ibscbs": {"ibs_mun": {"diferimento": {"valor": "0.50"}, "valor": 0}}}}"#, "nota.imposto.ibscbs.ibs_mun"),
    of("ibscbs_diferimento_e_devolucao", 328, r#"{"imposto": {"ibscbs": {"cbs": {"diferimento": null}}}}"#, "nota.imposto.ibscbs.cbs.diferimento"),
    of("ibscbs_diferimento_e_devolucao", 329, r#"{"imposto": {"ibscbs": {"cbs": {"diferimento": {"valor": "7.00"}, "valor": "3.88"}}}}"#, "nota.imposto.ibscbs.cbs.diferimento.valor"),
    of("ibscbs_aliquota_zero", 383, r#"{"imposto": {"ibscbs": {"cbs": {"reducao": null}}}}"#, "nota.imposto.ibscbs.cbs.reducao"),
    cte(384, r#"{"imposto": {"ibscbs": {"cbs": {"reducao": {"percentual": 60, "aliquota_efetiva": "0.36"}, "valor": "4.75"}}}}"#, "nota.imposto.ibscbs.cbs.reducao"),
    cte(385, r#"{"imposto": {"ibscbs": {"cbs": {"diferimento": {"percentual": 100, "valor": "11.88"}, "valor": 0}}}}"#, "nota.imposto.ibscbs.cbs.diferimento"),
    of("ibscbs_diferimento_e_devolucao", 397, r#"{"imposto": {"ibscbs": {"cbs": {"diferimento": {"valor": "12.00"}, "valor": 0}}}}"#, "nota.imposto.ibscbs.cbs"),
    of("ibscbs_tributacao_regular", 330, r#"{"imposto": {"ibscbs": {"trib_regular": null}}}"#, "nota.imposto.ibscbs.trib_regular"),
    of("ibscbs_tributacao_regular", 331, r#"{"imposto": {"ibscbs": {"trib_regular": {"CSTReg": "999"}}}}"#, "nota.imposto.ibscbs.trib_regular.CSTReg"),
    of("ibscbs_tributacao_regular", 332, r#"{"imposto": {"ibscbs": {"trib_regular": {"cClassTribReg": "999999"}}}}"#, "nota.imposto.ibscbs.trib_regular.cClassTribReg"),
    of("ibscbs_tributacao_regular", 333, r#"{"imposto": {"ibscbs": {"trib_regular": {"vTribRegIBSUF": 1.35}}}}"#, "nota.imposto.ibscbs.trib_regular.vTribRegIBSUF"),
    of("ibscbs_tributacao_regular", 334, r#"{"imposto": {"ibscbs": {"trib_regular": {"vTribRegIBSMun": 0.02}}}}"#, "nota.imposto.ibscbs.trib_regular.vTribRegIBSMun"),
    of("ibscbs_tributacao_regular", 335, r#"{"imposto": {"ibscbs": {"trib_regular": {"vTribRegCBS": 11.9}}}}"#, "nota.imposto.ibscbs.trib_regular.vTribRegCBS"),
    cte(303, r#"{"imposto": {"ibscbs": {"estorno": {"vIBSEstCred": 1.32, "vCBSEstCred": 11.88}}}}"#, "nota.imposto.ibscbs.estorno"),
    of("ibscbs_estorno", 304, r#"{"imposto": {"ibscbs": {"estorno": null}}}"#, "nota.imposto.ibscbs.estorno"),
    cte(365, r#"{"imposto": {"vTotDFe": 1500.01}}"#, "nota.imposto.vTotDFe"),
];

/// Edits of a written document, for rules that no payload can break because the service writes or refuses the value
/// itself.
pub struct EditedDocument {
    pub cStat: u16,
    /// A base (`cte`, `cte_os`) or a golden case.
    pub case: &'static str,
    /// Replacements, at the first occurrence of each text; `…` stands for anything between.
    pub edits: &'static [(&'static str, &'static str)],
    /// Number of copies of the replacement.
    pub times: usize,
    /// `tpEmis` of the contingency authority, if the document goes to one.
    pub asked: Option<u8>,
}

impl EditedDocument {
    /// Returns the document that the rule refuses, unsigned.
    pub fn xml(&self) -> String {
        let xml = right(self.case).build().unwrap_or_else(|found| panic!("{}: {found:#?}", self.case)).xml;
        self.edits.iter().fold(xml, |xml, (from, to)| {
            let (start, end) = from.split_once('…').unwrap_or((from, ""));
            let at = xml.find(start).unwrap_or_else(|| panic!("{}: {from} finds nothing in {xml}", self.cStat));
            let rest = &xml[at + start.len()..];
            let behind =
                rest.find(end).unwrap_or_else(|| panic!("{}: {end} finds nothing in {rest}", self.cStat)) + end.len();
            format!("{}{}{}", &xml[..at], to.repeat(self.times), &rest[behind..])
        })
    }
}

const fn edited(case: &'static str, cStat: u16, edits: &'static [(&'static str, &'static str)]) -> EditedDocument {
    EditedDocument { cStat, case, edits, times: 1, asked: None }
}

const fn at_svc(cStat: u16, edits: &'static [(&'static str, &'static str)]) -> EditedDocument {
    EditedDocument { asked: Some(8), ..edited("contingencia_svc", cStat, edits) }
}

const WHY: &str = "<dhCont>2026-11-20T09:30:00-03:00</dhCont><xJust>SEFAZ e SVC fora de operação</xJust>";
const CITY: &str = "<cMun>4314902</cMun><xMun>PORTO ALEGRE</xMun><CEP>90010000</CEP><UF>RS</UF></enderEmit>";

/// Documents by the rule they break.
#[rustfmt::skip]
pub const EDITED_DOCUMENTS: &[EditedDocument] = &[
    edited("cte", 252, &[("<tpAmb>2<", "<tpAmb>1<")]),
    edited("cte", 646, &[("<xNome>CTE EMITIDO EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL</xNome><enderReme>", "<xNome>CAFE</xNome><enderReme>")]),
    edited("cte", 670, &[("<serie>1<", "<serie>890<")]),
    edited("cte", 247, &[("<UF>RS</UF></enderEmit>", "<UF>SC</UF></enderEmit>")]),
    edited("cte", 586, &[("</ide>", "<dhCont>2026-11-20T09:30:00-03:00</dhCont><xJust>SEFAZ e SVC fora de operação</xJust></ide>")]),
    edited("contingencia_off_line", 587, &[(WHY, "")]),
    edited("contingencia_off_line", 588, &[("<dhCont>2026-11-20T09:30:00-03:00<", "<dhCont>2026-11-20T10:30:00-03:00<")]),
    edited("contingencia_svc", 515, &[]),
    EditedDocument { asked: Some(8), ..edited("cte", 516, &[]) },
    at_svc(517, &[("<tpCTe>0<", "<tpCTe>3<")]),
    edited("complemento_de_valor", 458, &[("<tpCTe>1<", "<tpCTe>0<")]),
    edited("cte", 459, &[("<tpCTe>0<", "<tpCTe>1<")]),
    edited("cte", 732, &[("0181570010000", "0181640010000")]),
    edited("cte_os", 721, &[("DE35670010000", "DE35570010000")]),
    edited("cte", 227, &[("<cCT>84736251<", "<cCT>84736252<")]),
    edited("cte", 712, &[(CITY, "<cMun>3550308</cMun><xMun>PORTO ALEGRE</xMun><CEP>90010000</CEP><UF>RS</UF></enderEmit>")]),
    edited("cte", 713, &[(CITY, "<cMun>4399999</cMun><xMun>PORTO ALEGRE</xMun><CEP>90010000</CEP><UF>RS</UF></enderEmit>")]),
    edited("cte", 851, &[("dfe-portal.svrs.rs.gov.br", "dfe-portal.svrs.sc.gov.br")]),
    edited("cte", 852, &[("qrCode?chCTe=432611", "qrCode?chCTe=432610")]),
    edited("cte", 854, &[("&amp;tpAmb=2</qrCodCTe>", "&amp;tpAmb=2&amp;sign=AAAA</qrCodCTe>")]),
    edited("cte", 207, &[("<emit><CNPJ>11222333000181<", "<emit><CNPJ>11222333000182<")]),
    edited("cte", 229, &[("<IE>2243658792</IE>", "")]),
    edited("cte", 209, &[("<IE>2243658792</IE>", "<IE>2243658793</IE>")]),
    edited("cte", 579, &[("versaoModal=\"4.00\"", "versaoModal=\"4.01\"")]),
    edited("cte", 360, &[("<vTotDFe>1500.00</vTotDFe>", "")]),
    edited("contingencia_svc", 503, &[("<tpCTe>0<", "<tpCTe>3<")]),
    edited("os_valores", 829, &[("</infServico>", "</infServico><infModal versaoModal=\"4.00\"><rodoOS><TAF>123456789012</TAF></rodoOS></infModal>")]),
    edited("todos_os_papeis", 647, &[("OR FISCAL</xNome><enderExped>", "OR NENHUM</xNome><enderExped>")]),
    edited("todos_os_papeis", 648, &[("OR FISCAL</xNome><enderReceb>", "OR NENHUM</xNome><enderReceb>")]),
    edited("cte", 649, &[("OR FISCAL</xNome><enderDest>", "OR NENHUM</xNome><enderDest>")]),
    edited("cte", 253, &[("2510\" versao", "2511\" versao"), ("<cDV>0<", "<cDV>1<")]),
    edited("cte", 850, &[("<infCTeSupl>…</infCTeSupl>", "")]),
    edited("contingencia_off_line", 853, &[("&amp;sign=…</qrCodCTe>", "</qrCodCTe>")]),
    edited("cte", 902, &[("</infCTeNorm>", "</infCTeNorm><infSolicNFF><xSolic>SOLICITACAO</xSolic></infSolicNFF>")]),
    edited("cte", 415, &[("<rem><CNPJ>12ABC34501DE35<", "<rem><CNPJ>12ABC34501DE36<")]),
    edited("documentos_em_papel", 416, &[("<CPF>11144477735<", "<CPF>11144477734<")]),
    edited("cte", 208, &[("<dest><CNPJ>33000167000101<", "<dest><CNPJ>33000167000102<")]),
    edited("cte", 237, &[("<dest><CNPJ>33000167000101</CNPJ><IE>77040285</IE>", "<dest><CPF>11144477734</CPF>")]),
    edited("todos_os_papeis", 428, &[("<exped><CNPJ>98765432000198<", "<exped><CNPJ>98765432000199<")]),
    edited("todos_os_papeis", 429, &[("<exped><CNPJ>98765432000198</CNPJ>", "<exped><CPF>11144477734</CPF>")]),
    edited("todos_os_papeis", 436, &[("<receb><CNPJ>33000167000101<", "<receb><CNPJ>33000167000102<")]),
    edited("todos_os_papeis", 437, &[("<receb><CNPJ>33000167000101</CNPJ>", "<receb><CPF>11144477734</CPF>")]),
    edited("tomador_descrito", 444, &[("<CNPJ>98765432000198<", "<CNPJ>98765432000199<")]),
    edited("tomador_descrito", 445, &[("<CNPJ>98765432000198</CNPJ>", "<CPF>11144477734</CPF>")]),
    edited("autorizados_e_responsavel_tecnico", 699, &[("<autXML><CNPJ>98765432000198<", "<autXML><CNPJ>98765432000199<")]),
    edited("autorizados_e_responsavel_tecnico", 700, &[("<CPF>11144477735<", "<CPF>11144477734<")]),
    edited("autorizados_e_responsavel_tecnico", 836, &[("<infRespTec><CNPJ>33000167000101<", "<infRespTec><CNPJ>33000167000102<")]),
    EditedDocument { times: 2_001, ..edited("cte", 601, &[("<infNFe>…</infNFe>", "<infNFe><chave>43261112ABC34501DE35550010000000011847362513</chave></infNFe>")]) },
];
