//! Focus NFe's names for the fields of a CT-e, which are flat in its documents. Unambiguous names are read, with a
//! notice that gives our name. Data of parties, whose role is a suffix there, only cause a notice.
//!
//! Source: field pages and public integrations of Focus NFe, November 2026. Nuvem Fiscal uses the official tree
//! (`nota.infCte`).

use crate::finding::Notice;
use serde_json::{Map, Value};

/// A payload under our names, and its notices.
pub(super) struct TranslatedPayload {
    pub(super) root: Map<String, Value>,
    pub(super) notices: Vec<Notice>,
}

/// The payload under our names; `None` when it has no foreign name.
pub(super) fn translate_names(given: &Map<String, Value>) -> Option<TranslatedPayload> {
    let scalar = |name: &str| given.get(name).is_some_and(|value| value.is_string() || value.is_number());
    let theirs = FIELDS.iter().any(|(name, _)| given.contains_key(*name));
    let lists = LISTS.iter().any(|(name, ..)| given.contains_key(*name));
    if !theirs && !lists && !scalar("tomador") && !given.contains_key(ROAD) {
        return None;
    }
    let mut renamed = TranslatedPayload { root: given.clone(), notices: Vec::new() };
    for (name, ours) in FIELDS {
        if let Some(value) = given.get(*name) {
            renamed.move_value(name, ours, value.clone());
        }
    }
    for (name, ours, members) in LISTS {
        if let Some(Value::Array(elements)) = given.get(*name) {
            let elements = elements.iter().map(|element| with_members(element, members)).collect();
            renamed.move_value(name, ours, Value::Array(elements));
        }
    }
    if scalar("tomador")
        && let Some(index) = renamed.root.shift_remove("tomador")
    {
        renamed.move_value("tomador", "tomador.indice", index);
    }
    if let Some(rntrc) = given.get(ROAD).and_then(|road| road.get("rntrc")) {
        renamed.move_value(ROAD, "rodoviario.rntrc", rntrc.clone());
    }
    Some(renamed)
}

impl TranslatedPayload {
    /// Moves a value to our path, unless that path has one.
    fn move_value(&mut self, name: &str, ours: &str, value: Value) {
        let mut steps: Vec<&str> = ours.split('.').collect();
        let Some(leaf) = steps.pop() else { return };
        let mut group = &mut self.root;
        for step in steps {
            let inner = group.entry(step).or_insert_with(|| Value::Object(Map::new()));
            let Value::Object(members) = inner else { return };
            group = members;
        }
        if group.contains_key(leaf) {
            return;
        }
        group.insert(leaf.to_owned(), value);
        if name != "tomador" {
            self.root.shift_remove(name);
        }
        let mensagem = format!("{name} é nome do Focus NFe; foi lido como {ours}.");
        let right = format!("nota.{ours}");
        self.notices.push(Notice::of(format!("nota.{name}"), "nome_de_outro_servico", &mensagem, Some(&right)));
    }
}

fn with_members(element: &Value, names: NamePairs) -> Value {
    let Value::Object(members) = element else { return element.clone() };
    let ours = |name: &str| {
        names.iter().find(|(theirs, _)| *theirs == name).map_or(name.to_owned(), |(_, ours)| (*ours).to_owned())
    };
    Value::Object(members.iter().map(|(name, value)| (ours(name), value.clone())).collect())
}

/// Our path of a party's field, whose role is a suffix: `cnpj_remetente`.
pub(super) fn party_path(name: &str) -> Option<String> {
    let roles = ["remetente", "expedidor", "recebedor", "destinatario", "tomador", "emitente"];
    let role = roles.into_iter().find(|role| name.strip_suffix(role).is_some_and(|rest| rest.ends_with('_')))?;
    let field = name.strip_suffix(role)?.strip_suffix('_')?;
    let (_, ours) = PARTY.iter().find(|(theirs, _)| *theirs == field)?;
    Some(format!("{role}.{ours}"))
}

const PARTY: NamePairs = &[
    ("cnpj", "CNPJCPF"),
    ("cpf", "CNPJCPF"),
    ("nome", "xNome"),
    ("nome_fantasia", "xFant"),
    ("inscricao_estadual", "IE"),
    ("logradouro", "xLgr"),
    ("numero", "nro"),
    ("complemento", "xCpl"),
    ("bairro", "xBairro"),
    ("codigo_municipio", "cMun"),
    ("municipio", "xMun"),
    ("uf", "UF"),
    ("cep", "CEP"),
    ("codigo_pais", "cPais"),
    ("pais", "xPais"),
    ("telefone", "fone"),
    ("email", "email"),
];

const ROAD: &str = "modal_rodoviario";

/// Foreign names, each with ours.
type NamePairs = &'static [(&'static str, &'static str)];

/// Lists: foreign name, our path, names of the members.
const LISTS: &[(&str, &str, NamePairs)] = &[
    (
        "quantidades",
        "carga.quantidades",
        &[("codigo_unidade_medida", "cUnid"), ("tipo_medida", "tpMed"), ("quantidade", "qCarga")],
    ),
    ("nfes", "documentos.nfe", &[("chave_nfe", "chave")]),
];

const FIELDS: NamePairs = &[
    ("cfop", "identificacao.CFOP"),
    ("natureza_operacao", "identificacao.natOp"),
    ("data_emissao", "identificacao.dhEmi"),
    ("tipo_documento", "identificacao.tpCTe"),
    ("tipo_servico", "identificacao.tpServ"),
    ("codigo_municipio_envio", "identificacao.cMunEnv"),
    ("municipio_envio", "identificacao.xMunEnv"),
    ("uf_envio", "identificacao.UFEnv"),
    ("codigo_municipio_inicio", "identificacao.cMunIni"),
    ("municipio_inicio", "identificacao.xMunIni"),
    ("uf_inicio", "identificacao.UFIni"),
    ("codigo_municipio_fim", "identificacao.cMunFim"),
    ("municipio_fim", "identificacao.xMunFim"),
    ("uf_fim", "identificacao.UFFim"),
    ("retirar_mercadoria", "identificacao.retira"),
    ("detalhes_retirar", "identificacao.xDetRetira"),
    ("indicador_inscricao_estadual_tomador", "identificacao.indIEToma"),
    ("indicador_globalizado", "identificacao.indGlobalizado"),
    ("valor_total", "valores.vTPrest"),
    ("valor_receber", "valores.vRec"),
    ("icms_situacao_tributaria", "imposto.icms.CST"),
    ("icms_base_calculo", "imposto.icms.vBC"),
    ("icms_aliquota", "imposto.icms.pICMS"),
    ("icms_valor", "imposto.icms.vICMS"),
    ("icms_reducao_base_calculo", "imposto.icms.pRedBC"),
    ("icms_valor_credito_presumido", "imposto.icms.vCred"),
    ("ibs_cbs_situacao_tributaria", "imposto.ibscbs.cst"),
    ("ibs_cbs_classificacao_tributaria", "imposto.ibscbs.classificacao"),
    ("ibs_cbs_base_calculo", "imposto.ibscbs.valor_bc"),
    ("ibs_uf_aliquota", "imposto.ibscbs.ibs_uf.aliquota"),
    ("ibs_uf_valor", "imposto.ibscbs.ibs_uf.valor"),
    ("ibs_mun_aliquota", "imposto.ibscbs.ibs_mun.aliquota"),
    ("ibs_mun_valor", "imposto.ibscbs.ibs_mun.valor"),
    ("cbs_aliquota", "imposto.ibscbs.cbs.aliquota"),
    ("cbs_valor", "imposto.ibscbs.cbs.valor"),
    ("valor_total_dfe", "imposto.vTotDFe"),
    ("produto_predominante", "carga.proPred"),
    ("valor_total_carga", "carga.vCarga"),
    ("valor_carga_averbacao", "carga.vCargaAverb"),
];
