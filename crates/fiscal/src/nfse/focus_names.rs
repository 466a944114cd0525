//! Names of Focus NFe for the national NFS-e, which are flat: each is read as the corresponding member of the DPS.
//!
//! Source: field pages and public integrations of Focus NFe, read in November 2026. Nuvem Fiscal uses the official tree
//! (`infDPS`).

use crate::finding::Notice;
use serde_json::{Map, Value};

/// A payload under our names, and notices about the renamed members.
pub(super) struct RenamedPayload {
    pub(super) root: Map<String, Value>,
    pub(super) notices: Vec<Notice>,
}

/// Renames the members of a payload; `None` when it has none of these names.
pub(super) fn rename_members(given: &Map<String, Value>) -> Option<RenamedPayload> {
    if !FIELDS.iter().any(|(name, _)| given.contains_key(*name)) {
        return None;
    }
    let mut renamed = RenamedPayload { root: given.clone(), notices: Vec::new() };
    for (name, ours) in FIELDS {
        if let Some(value) = given.get(*name).filter(|value| value.is_string() || value.is_number()) {
            renamed.move_member(name, ours, value);
        }
    }
    Some(renamed)
}

impl RenamedPayload {
    /// Moves a value to our name, unless that is taken.
    fn move_member(&mut self, name: &str, ours: &str, value: &Value) {
        if !insert_at(&mut self.root, ours, value.clone()) {
            return;
        }
        self.root.shift_remove(name);
        let mensagem = format!("{name} é nome do Focus NFe; foi lido como {ours}.");
        let right = format!("nota.{ours}");
        self.notices.push(Notice::of(format!("nota.{name}"), "nome_de_outro_servico", &mensagem, Some(&right)));
    }
}

/// Inserts a value at a path. False when the path has a value already.
pub(super) fn insert_at(root: &mut Map<String, Value>, path: &str, value: Value) -> bool {
    let mut group = root;
    let mut steps = path.split('.').peekable();
    while let Some(step) = steps.next() {
        if steps.peek().is_none() {
            let free = !group.contains_key(step);
            if free {
                group.insert(step.to_owned(), value);
            }
            return free;
        }
        let inner = group.entry(step).or_insert_with(|| Value::Object(Map::new()));
        let Value::Object(members) = inner else { return false };
        group = members;
    }
    false
}

#[rustfmt::skip]
const FIELDS: &[(&str, &str)] = &[
    ("data_emissao", "dhEmi"), ("serie_dps", "serie"), ("numero_dps", "nDPS"), ("data_competencia", "dCompet"), ("emitente_dps", "tpEmit"),
    ("codigo_municipio_emissora", "cLocEmi"),
    ("cnpj_prestador", "prest.CNPJ"), ("cpf_prestador", "prest.CPF"), ("inscricao_municipal_prestador", "prest.IM"),
    ("codigo_opcao_simples_nacional", "prest.regTrib.opSimpNac"), ("regime_tributario_simples_nacional", "prest.regTrib.regApTribSN"),
    ("regime_apuracao_tributos_sn", "prest.regTrib.regApTribSN"), ("regime_especial_tributacao", "prest.regTrib.regEspTrib"),
    ("cnpj_tomador", "toma.CNPJ"), ("cpf_tomador", "toma.CPF"), ("caepf_tomador", "toma.CAEPF"), ("razao_social_tomador", "toma.xNome"),
    ("inscricao_municipal_tomador", "toma.IM"), ("email_tomador", "toma.email"), ("telefone_tomador", "toma.fone"),
    ("codigo_municipio_tomador", "toma.end.endNac.cMun"), ("cep_tomador", "toma.end.endNac.CEP"), ("logradouro_tomador", "toma.end.xLgr"),
    ("numero_tomador", "toma.end.nro"), ("complemento_tomador", "toma.end.xCpl"), ("bairro_tomador", "toma.end.xBairro"),
    ("codigo_municipio_prestacao", "serv.locPrest.cLocPrestacao"), ("codigo_tributacao_nacional_iss", "serv.cServ.cTribNac"),
    ("codigo_tributacao_municipal_iss", "serv.cServ.cTribMun"), ("codigo_nbs", "serv.cServ.cNBS"), ("descricao_servico", "serv.cServ.xDescServ"),
    ("codigo_obra", "serv.obra.cObra"), ("informacoes_complementares", "serv.infoCompl.xInfComp"),
    ("valor_servico", "valores.vServPrest.vServ"), ("tributacao_iss", "valores.trib.tribMun.tribISSQN"),
    ("tipo_retencao_iss", "valores.trib.tribMun.tpRetISSQN"), ("percentual_aliquota_relativa_municipio", "valores.trib.tribMun.pAliq"),
    ("situacao_tributaria_pis_cofins", "valores.trib.tribFed.piscofins.CST"),
    ("percentual_total_tributos_federais", "valores.trib.totTrib.pTotTrib.pTotTribFed"),
    ("percentual_total_tributos_estaduais", "valores.trib.totTrib.pTotTrib.pTotTribEst"),
    ("percentual_total_tributos_municipais", "valores.trib.totTrib.pTotTrib.pTotTribMun"),
    ("valor_total_tributos_federais", "valores.trib.totTrib.vTotTrib.vTotTribFed"),
    ("valor_total_tributos_estaduais", "valores.trib.totTrib.vTotTrib.vTotTribEst"),
    ("valor_total_tributos_municipais", "valores.trib.totTrib.vTotTrib.vTotTribMun"),
    ("percentual_total_tributos_simples_nacional", "valores.trib.totTrib.pTotTribSN"), ("indicador_total_tributacao", "valores.trib.totTrib.indTotTrib"),
    ("finalidade_emissao", "IBSCBS.finNFSe"), ("consumidor_final", "IBSCBS.indFinal"), ("codigo_indicador_operacao", "IBSCBS.cIndOp"),
    ("indicador_destinatario", "IBSCBS.indDest"), ("ibs_cbs_situacao_tributaria", "IBSCBS.valores.trib.gIBSCBS.CST"),
    ("ibs_cbs_classificacao_tributaria", "IBSCBS.valores.trib.gIBSCBS.cClassTrib"),
];
