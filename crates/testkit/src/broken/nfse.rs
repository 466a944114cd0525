//! Documents that break each rule of a DPS, beside the nearest valid document. Read by the tests of the fiscal core
//! (prediction and its field) and of the simulator (refusal with an equal code, authorisation of the valid one).

use crate::cases::{self, nfse::Case};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Payload of a caller.
pub struct BrokenPayload {
    pub codigo: &'static str,
    /// The base or a golden case.
    pub case: &'static str,
    /// Merge patch on its `nota` that breaks the rule. In a list, members are addressed by position.
    broken: &'static str,
    /// Merge patch for the nearest valid document.
    right: &'static str,
    /// Path of the notice.
    pub campo: &'static str,
}

impl BrokenPayload {
    /// The document that the rule refuses.
    pub fn broken(&self) -> Case {
        changed(self.case, self.broken)
    }
    /// Returns the nearest valid document.
    pub fn right(&self) -> Case {
        changed(self.case, self.right)
    }
}

fn changed(name: &str, patch: &str) -> Case {
    let mut case = right(name);
    let nota = case.input["nota"].take();
    case.input["nota"] = patched(nota, &serde_json::from_str(patch).unwrap());
    case
}

/// Applies a merge patch (RFC 7396) that also reaches into lists.
fn patched(mut target: Value, patch: &Value) -> Value {
    let Value::Object(members) = patch else { return patch.clone() };
    if let Value::Array(elements) = &mut target {
        for (position, patch) in members {
            let element = &mut elements[position.parse::<usize>().unwrap()];
            *element = patched(element.take(), patch);
        }
        return target;
    }
    let mut target = if target.is_object() { target } else { json!({}) };
    let object = target.as_object_mut().unwrap();
    for (name, patch) in members {
        if patch.is_null() {
            object.shift_remove(name);
        } else {
            let member = object.get_mut(name).map(Value::take).unwrap_or_default();
            object.insert(name.clone(), patched(member, patch));
        }
    }
    target
}

/// Inputs of the golden cases, read once.
static GOLDEN: LazyLock<BTreeMap<String, Value>> =
    LazyLock::new(|| cases::nfse::all().into_iter().map(|case| (case.name(), case.input)).collect());

/// A document that no rule refuses.
fn right(name: &str) -> Case {
    if name == "nfse" {
        return cases::nfse::base(name);
    }
    let input = GOLDEN.get(name).unwrap_or_else(|| panic!("no case {name}")).clone();
    Case { folder: name.into(), input }
}

const fn of(
    codigo: &'static str,
    case: &'static str,
    broken: &'static str,
    right: &'static str,
    campo: &'static str,
) -> BrokenPayload {
    BrokenPayload { codigo, case, broken, right, campo }
}

/// Payloads by the rule they break.
#[rustfmt::skip]
pub const BROKEN_PAYLOADS: &[BrokenPayload] = &[
    of("E0008", "nfse", r#"{"dhEmi": "2026-11-20T10:00:01-03:00"}"#, r#"{"dhEmi": "2026-11-20T10:00:00-03:00"}"#, "nota.dhEmi"),
    of("E0015", "nfse", r#"{"dCompet": "2026-11-21"}"#, r#"{"dCompet": "2026-11-20"}"#, "nota.dCompet"),
    of("E0029", "nfse", r#"{"cMotivoEmisTI": 4}"#, r#"{}"#, "nota.cMotivoEmisTI"),
    of("E0042", "exemplo_substituicao", r#"{"infDPS": {"subst": {"chSubstda": "35503082211222333000181000000000000126111234567891"}}}"#, r#"{}"#, "nota.infDPS.subst.chSubstda"),
    of("E0078", "exemplo_substituicao", r#"{"infDPS": {"subst": {"xMotivo": null}}}"#, r#"{}"#, "nota.infDPS.subst.xMotivo"),
    of("E9996", "nfse", r#"{"tpEmit": 2}"#, r#"{"tpEmit": 1}"#, "nota.tpEmit"),
    of("E0148", "nfse", r#"{"prest": {"email": "empresa.com.br"}}"#, r#"{"prest": {"email": "a@empresa.com.br"}}"#, "nota.prest.email"),
    of("E0162", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 1, "regApTribSN": 1}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 3, "regApTribSN": 1}}}"#, "nota.prest.regTrib.regApTribSN"),
    of("E0172", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 1, "regEspTrib": 3}}, "valores": {"trib": {"tribMun": {"tribISSQN": 4}}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 1, "regEspTrib": 0}}, "valores": {"trib": {"tribMun": {"tribISSQN": 4}}}}"#, "nota.prest.regTrib.regEspTrib"),
    of("E0174", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 2, "regEspTrib": 6}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 2, "regEspTrib": 0}}}"#, "nota.prest.regTrib.regEspTrib"),
    of("E0175", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 3, "regApTribSN": 1, "regEspTrib": 5}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 3, "regApTribSN": 2, "regEspTrib": 5}}}"#, "nota.prest.regTrib.regEspTrib"),
    of("E0187", "ibs_cbs", r#"{"toma": null}"#, r#"{}"#, "nota.toma"),
    of("E0188", "ibs_cbs", r#"{"toma": {"CNPJ": "12ABC34501DE36"}}"#, r#"{}"#, "nota.toma.CNPJ"),
    of("E0202", "ibs_cbs", r#"{"toma": {"CNPJ": "11222333000181"}}"#, r#"{"toma": {"CNPJ": "11222333000262"}}"#, "nota.toma.CNPJ"),
    of("E0204", "lucro_presumido_retencoes", r#"{"toma": {"CNPJ": null, "NIF": "123"}}"#, r#"{}"#, "nota.toma"),
    of("E0206", "nfse", r#"{"toma": {"CPF": "11144477734"}}"#, r#"{}"#, "nota.toma.CPF"),
    of("E0223", "tomador_sem_nif", r#"{"toma": {"cNaoNIF": null, "CPF": "11144477735"}}"#, r#"{}"#, "nota.toma.NIF"),
    of("E0226", "tomador_sem_nif", r#"{"toma": {"cNaoNIF": 0}}"#, r#"{"toma": {"cNaoNIF": 1}}"#, "nota.toma.cNaoNIF"),
    of("E0234", "nfse", r#"{"serv": {"cServ": {"cTribNac": "170501"}}}"#, r#"{"serv": {"cServ": {"cTribNac": "170501"}}, "toma": {"end": {"endNac": {"cMun": 3550308, "CEP": "01001000"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}}"#, "nota.toma.end"),
    of("E0234", "ibs_cbs", r#"{"toma": {"end": null}}"#, r#"{}"#, "nota.toma.end"),
    of("E0237", "nfse", r#"{"valores": {"trib": {"tribMun": {"tpRetISSQN": 2}}}}"#, r#"{"valores": {"trib": {"tribMun": {"tpRetISSQN": 2}}}, "toma": {"end": {"endNac": {"cMun": 3550308, "CEP": "01001000"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}}"#, "nota.toma.end"),
    of("E0238", "ibs_cbs", r#"{"toma": {"end": {"endNac": {"cMun": 3599999}}}}"#, r#"{}"#, "nota.toma.end.endNac.cMun"),
    of("E0240", "ibs_cbs", r#"{"toma": {"end": {"endNac": {"CEP": "20040002"}}}}"#, r#"{"toma": {"end": {"endNac": {"CEP": "19999999"}}}}"#, "nota.toma.end.endNac.CEP"),
    of("E0242", "exportacao", r#"{"toma": {"end": null}}"#, r#"{}"#, "nota.toma.end.endExt"),
    of("E0246", "exportacao", r#"{"toma": {"end": {"endExt": {"cPais": "BR"}}}}"#, r#"{"toma": {"end": {"endExt": {"cPais": "PT"}}}}"#, "nota.toma.end.endExt.cPais"),
    of("E0247", "ibs_cbs", r#"{"toma": {"email": "fiscal@exemplo"}}"#, r#"{"toma": {"email": "fiscal@exemplo.br"}}"#, "nota.toma.email"),
    of("E0248", "retida_pelo_intermediario", r#"{"interm": {"CNPJ": "11444777000162"}}"#, r#"{}"#, "nota.interm.CNPJ"),
    of("E0262", "retida_pelo_intermediario", r#"{"interm": {"CNPJ": "11222333000262"}}"#, r#"{}"#, "nota.interm.CNPJ"),
    of("E0264", "retida_pelo_intermediario", r#"{"interm": {"CNPJ": null, "cNaoNIF": 1}}"#, r#"{}"#, "nota.interm"),
    of("E0266", "retida_pelo_intermediario", r#"{"interm": {"CNPJ": null, "CPF": "11144477734"}}"#, r#"{"interm": {"CNPJ": null, "CPF": "52998224725"}}"#, "nota.interm.CPF"),
    of("E0281", "retida_pelo_intermediario", r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}}, "valores": {"trib": {"tribMun": {"tpRetISSQN": 1}}}, "interm": {"end": {"endExt": {"cPais": "AR", "cEndPost": "C1001", "xCidade": "BUENOS AIRES", "xEstProvReg": "CABA"}, "xLgr": "FLORIDA", "nro": "10", "xBairro": "CENTRO", "endNac": null}}}"#, r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}}, "valores": {"trib": {"tribMun": {"tpRetISSQN": 1}}}, "interm": {"end": {"endExt": {"cPais": "AR", "cEndPost": "C1001", "xCidade": "BUENOS AIRES", "xEstProvReg": "CABA"}, "xLgr": "FLORIDA", "nro": "10", "xBairro": "CENTRO", "endNac": null}, "CNPJ": null, "NIF": "99"}}"#, "nota.interm.NIF"),
    of("E0286", "retida_pelo_intermediario", r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}}, "valores": {"trib": {"tribMun": {"tpRetISSQN": 1}}}, "interm": {"end": {"endExt": {"cPais": "AR", "cEndPost": "C1001", "xCidade": "BUENOS AIRES", "xEstProvReg": "CABA"}, "xLgr": "FLORIDA", "nro": "10", "xBairro": "CENTRO", "endNac": null}, "CNPJ": null, "cNaoNIF": 0}}"#, r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}}, "valores": {"trib": {"tribMun": {"tpRetISSQN": 1}}}, "interm": {"end": {"endExt": {"cPais": "AR", "cEndPost": "C1001", "xCidade": "BUENOS AIRES", "xEstProvReg": "CABA"}, "xLgr": "FLORIDA", "nro": "10", "xBairro": "CENTRO", "endNac": null}, "CNPJ": null, "cNaoNIF": 2}}"#, "nota.interm.cNaoNIF"),
    of("E0293", "retida_pelo_intermediario", r#"{"interm": {"end": null}}"#, r#"{}"#, "nota.interm.end"),
    of("E0294", "retida_pelo_intermediario", r#"{"interm": {"end": {"endNac": {"cMun": 3399999}}}}"#, r#"{}"#, "nota.interm.end.endNac.cMun"),
    of("E0296", "retida_pelo_intermediario", r#"{"interm": {"end": {"endNac": {"CEP": "01001000"}}}}"#, r#"{}"#, "nota.interm.end.endNac.CEP"),
    of("E0298", "retida_pelo_intermediario", r#"{"valores": {"trib": {"tribMun": {"tpRetISSQN": 1}}}, "interm": {"CNPJ": null, "NIF": "99", "end": null}}"#, r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}}, "valores": {"trib": {"tribMun": {"tpRetISSQN": 1}}}, "interm": {"end": {"endExt": {"cPais": "AR", "cEndPost": "C1001", "xCidade": "BUENOS AIRES", "xEstProvReg": "CABA"}, "xLgr": "FLORIDA", "nro": "10", "xBairro": "CENTRO", "endNac": null}, "CNPJ": null, "NIF": "99"}}"#, "nota.interm.end.endExt"),
    of("E0299", "retida_pelo_intermediario", r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}}, "valores": {"trib": {"tribMun": {"tpRetISSQN": 1}}}, "interm": {"end": {"endExt": {"cPais": "XX", "cEndPost": "C1001", "xCidade": "BUENOS AIRES", "xEstProvReg": "CABA"}, "xLgr": "FLORIDA", "nro": "10", "xBairro": "CENTRO", "endNac": null}, "CNPJ": null, "NIF": "99"}}"#, r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}}, "valores": {"trib": {"tribMun": {"tpRetISSQN": 1}}}, "interm": {"end": {"endExt": {"cPais": "AR", "cEndPost": "C1001", "xCidade": "BUENOS AIRES", "xEstProvReg": "CABA"}, "xLgr": "FLORIDA", "nro": "10", "xBairro": "CENTRO", "endNac": null}, "CNPJ": null, "NIF": "99"}}"#, "nota.interm.end.endExt.cPais"),
    of("E0300", "retida_pelo_intermediario", r#"{"interm": {"email": "@plataforma.com.br"}}"#, r#"{}"#, "nota.interm.email"),
    of("E0302", "nfse", r#"{"serv": {"locPrest": {"cLocPrestacao": 3599999}}}"#, r#"{"serv": {"locPrest": {"cLocPrestacao": "0000000"}}}"#, "nota.serv.locPrest.cLocPrestacao"),
    of("E0304", "prestado_no_exterior", r#"{"serv": {"locPrest": {"cPaisPrestacao": "BR"}}}"#, r#"{}"#, "nota.serv.locPrest.cPaisPrestacao"),
    of("E0310", "nfse", r#"{"serv": {"cServ": {"cTribNac": "010102"}}}"#, r#"{"serv": {"cServ": {"cTribNac": "010201"}}}"#, "nota.serv.cServ.cTribNac"),
    of("E0315", "nfse", r#"{"serv": {"cServ": {"cTribMun": "000"}}}"#, r#"{"serv": {"cServ": {"cTribMun": "001"}}}"#, "nota.serv.cServ.cTribMun"),
    of("E0316", "nfse", r#"{"serv": {"cServ": {"cNBS": "115021001"}}}"#, r#"{"serv": {"cServ": {"cNBS": "115021000"}}}"#, "nota.serv.cServ.cNBS"),
    of("E0318", "exportacao", r#"{"serv": {"cServ": {"cNBS": null}}}"#, r#"{}"#, "nota.serv.cServ.cNBS"),
    of("E0322", "ibs_cbs", r#"{"serv": {"cServ": {"cNBS": null}}}"#, r#"{}"#, "nota.serv.cServ.cNBS"),
    of("E0330", "exportacao", r#"{"serv": {"comExt": null}}"#, r#"{}"#, "nota.serv.comExt"),
    of("E0333", "exportacao", r#"{"serv": {"comExt": {"mdPrestacao": 0}}}"#, r#"{"serv": {"comExt": {"mdPrestacao": 4}}}"#, "nota.serv.comExt.mdPrestacao"),
    of("E0341", "exportacao", r#"{"serv": {"comExt": {"mecAFComexP": "00"}}}"#, r#"{}"#, "nota.serv.comExt.mecAFComexP"),
    of("E0343", "exportacao", r#"{"serv": {"comExt": {"mecAFComexT": "00"}}}"#, r#"{}"#, "nota.serv.comExt.mecAFComexT"),
    of("E0345", "exportacao", r#"{"serv": {"comExt": {"movTempBens": 0}}}"#, r#"{}"#, "nota.serv.comExt.movTempBens"),
    of("E0352", "exportacao", r#"{"serv": {"comExt": {"movTempBens": 2}}}"#, r#"{"serv": {"comExt": {"movTempBens": 2, "nDI": "261234567890"}}}"#, "nota.serv.comExt.nDI"),
    of("E0354", "exportacao", r#"{"serv": {"comExt": {"nRE": "261234567890"}}}"#, r#"{}"#, "nota.serv.comExt.nDI"),
    of("E0356", "exportacao_com_registro", r#"{"serv": {"comExt": {"nRE": null}}}"#, r#"{}"#, "nota.serv.comExt.nRE"),
    of("E0370", "obra", r#"{"serv": {"obra": null}}"#, r#"{}"#, "nota.serv.obra"),
    of("E0372", "obra", r#"{"serv": {"cServ": {"cTribNac": "070101"}}, "valores": {"vDedRed": null}}"#, r#"{}"#, "nota.serv.obra"),
    of("E0380", "obra_por_endereco", r#"{"serv": {"obra": {"end": {"CEP": "20040002"}}}}"#, r#"{}"#, "nota.serv.obra.end.CEP"),
    of("E0382", "obra_por_endereco", r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}, "locPrest": {"cPaisPrestacao": "PT"}}, "valores": {"trib": {"tribMun": {"tribISSQN": 3}}}}"#, r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}, "locPrest": {"cPaisPrestacao": "PT"}, "obra": {"end": {"CEP": null, "endExt": {"cEndPost": "1000", "xCidade": "LISBOA", "xEstProvReg": "LISBOA"}}}}, "valores": {"trib": {"tribMun": {"tribISSQN": 3}}}}"#, "nota.serv.obra.end.CEP"),
    of("E0384", "obra_por_endereco", r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}, "locPrest": {"cPaisPrestacao": "PT"}}, "valores": {"trib": {"tribMun": {"tribISSQN": 3}}}}"#, r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}, "locPrest": {"cPaisPrestacao": "PT"}, "obra": {"end": {"CEP": null, "endExt": {"cEndPost": "1000", "xCidade": "LISBOA", "xEstProvReg": "LISBOA"}}}}, "valores": {"trib": {"tribMun": {"tribISSQN": 3}}}}"#, "nota.serv.obra.end.endExt"),
    of("E0386", "obra_por_endereco", r#"{"serv": {"obra": {"end": {"CEP": null, "endExt": {"cEndPost": "1000", "xCidade": "LISBOA", "xEstProvReg": "LISBOA"}}}}}"#, r#"{}"#, "nota.serv.obra.end.endExt"),
    of("E0390", "evento_por_endereco", r#"{"serv": {"atvEvento": null}}"#, r#"{}"#, "nota.serv.atvEvento"),
    of("E0392", "evento_por_endereco", r#"{"serv": {"cServ": {"cTribNac": "010101"}}}"#, r#"{}"#, "nota.serv.atvEvento"),
    of("E0398", "evento_por_endereco", r#"{"serv": {"atvEvento": {"end": {"CEP": "20040002"}}}}"#, r#"{}"#, "nota.serv.atvEvento.end.CEP"),
    of("E0400", "evento_por_endereco", r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}, "locPrest": {"cPaisPrestacao": "PT"}}, "valores": {"trib": {"tribMun": {"tribISSQN": 3}}}}"#, r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}, "locPrest": {"cPaisPrestacao": "PT"}, "atvEvento": {"end": {"CEP": null, "endExt": {"cEndPost": "1000", "xCidade": "LISBOA", "xEstProvReg": "LISBOA"}}}}, "valores": {"trib": {"tribMun": {"tribISSQN": 3}}}}"#, "nota.serv.atvEvento.end.CEP"),
    of("E0402", "evento_por_endereco", r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}, "locPrest": {"cPaisPrestacao": "PT"}}, "valores": {"trib": {"tribMun": {"tribISSQN": 3}}}}"#, r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}, "locPrest": {"cPaisPrestacao": "PT"}, "atvEvento": {"end": {"CEP": null, "endExt": {"cEndPost": "1000", "xCidade": "LISBOA", "xEstProvReg": "LISBOA"}}}}, "valores": {"trib": {"tribMun": {"tribISSQN": 3}}}}"#, "nota.serv.atvEvento.end.endExt"),
    of("E0404", "evento_por_endereco", r#"{"serv": {"atvEvento": {"end": {"CEP": null, "endExt": {"cEndPost": "1000", "xCidade": "LISBOA", "xEstProvReg": "LISBOA"}}}}}"#, r#"{}"#, "nota.serv.atvEvento.end.endExt"),
    of("E0424", "nfse", r#"{"valores": {"vReceb": 1000}}"#, r#"{}"#, "nota.valores.vReceb"),
    of("E0427", "nfse", r#"{"valores": {"vDescIncond": "400.01", "vDedRed": {"vDR": 600}}}"#, r#"{"valores": {"vDescIncond": 400, "vDedRed": {"vDR": 600}}}"#, "nota.valores.vServ"),
    of("E0427", "nfse", r#"{"valores": {"vDescIncond": 500, "trib": {"tribMun": {"BM": {"nBM": "35503080100003", "vRedBCBM": "500.01"}}}}}"#, r#"{"valores": {"vDescIncond": 500, "trib": {"tribMun": {"BM": {"nBM": "35503080100003", "vRedBCBM": 500}}}}}"#, "nota.valores.vServ"),
    of("E0428", "nfse", r#"{"valores": {"vDescCond": 500, "trib": {"tribFed": {"vRetIRRF": "500.01"}}}}"#, r#"{"valores": {"vDescCond": 500, "trib": {"tribFed": {"vRetIRRF": 500}}}}"#, "nota.valores.vServ"),
    of("E0431", "nfse", r#"{"valores": {"vDescIncond": 1000}}"#, r#"{"valores": {"vDescIncond": "999.99"}}"#, "nota.valores.vDescIncond"),
    of("E0432", "nfse", r#"{"valores": {"vDescCond": 0}}"#, r#"{"valores": {"vDescCond": "0.01"}}"#, "nota.valores.vDescCond"),
    of("E0435", "nfse", r#"{"valores": {"vDedRed": {"vDR": 10}, "trib": {"tribMun": {"tribISSQN": 4}}}}"#, r#"{"valores": {"vDedRed": {"vDR": 10}}}"#, "nota.valores.vDedRed"),
    of("E0436", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 2}}, "valores": {"vDedRed": {"vDR": 10}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 2}}}"#, "nota.valores.vDedRed"),
    of("E0438", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 1, "regEspTrib": 3}}, "valores": {"vDedRed": {"vDR": 10}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 1, "regEspTrib": 0}}, "valores": {"vDedRed": {"vDR": 10}}}"#, "nota.valores.vDedRed"),
    of("E0441", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 3, "regApTribSN": 1}}, "valores": {"vDedRed": {"vDR": 10}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 3, "regApTribSN": 1}}, "serv": {"cServ": {"cTribNac": "170601"}}, "valores": {"vDedRed": {"vDR": 10}}}"#, "nota.valores.vDedRed"),
    of("E0453", "nfse", r#"{"serv": {"cServ": {"cTribNac": "170601"}}, "valores": {"vDedRed": {"pDR": "100.01"}}}"#, r#"{"serv": {"cServ": {"cTribNac": "170601"}}, "valores": {"vDedRed": {"pDR": 100}}}"#, "nota.valores.vDedRed.pDR"),
    of("E0455", "deducao_por_notas_de_servico", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"0": {"chNFSe": "35503082211222333000181000000000000126111234567891"}}}}}}"#, r#"{}"#, "nota.valores.vDedRed.documentos.docDedRed[0].chNFSe"),
    of("E0460", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"0": {"chNFe": "35261112ABC34501DE35550010000000011847362510"}}}}}}"#, r#"{}"#, "nota.valores.vDedRed.documentos.docDedRed[0].chNFe"),
    of("E0466", "deducao_por_notas_de_servico", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"NFSeMun": {"cMunNFSeMun": 3399999}}}}}}}"#, r#"{}"#, "nota.valores.vDedRed.documentos.docDedRed[1].NFSeMun.cMunNFSeMun"),
    of("E0468", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"xDescOutDed": null}}}}}}"#, r#"{}"#, "nota.valores.vDedRed.documentos.docDedRed[1].xDescOutDed"),
    of("E0470", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"tpDedRed": 2}}}}}}"#, r#"{}"#, "nota.valores.vDedRed.documentos.docDedRed[1].xDescOutDed"),
    of("E0472", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"0": {"dtEmiDoc": "2026-11-21"}}}}}}"#, r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"0": {"dtEmiDoc": "2026-11-20"}}}}}}"#, "nota.valores.vDedRed.documentos.docDedRed[0].dtEmiDoc"),
    of("E0474", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"0": {"vDeducaoReducao": "3000.01"}}}}}}"#, r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"0": {"vDeducaoReducao": 3000}}}}}}"#, "nota.valores.vDedRed.documentos.docDedRed[0].vDeducaoReducao"),
    of("E0476", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"0": {"vDedutivelRedutivel": "9000.01", "vDeducaoReducao": "9000.01"}}}}}}"#, r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"0": {"vDedutivelRedutivel": 8900, "vDeducaoReducao": 8900}}}}}}"#, "nota.valores.vDedRed.documentos.docDedRed[0].vDeducaoReducao"),
    of("E0477", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"fornec": null}}}}}}"#, r#"{}"#, "nota.valores.vDedRed.documentos.docDedRed[1].fornec"),
    of("E0478", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"fornec": {"CNPJ": "11222333000182"}}}}}}}"#, r#"{}"#, "nota.valores.vDedRed.documentos.docDedRed[1].fornec.CNPJ"),
    of("E0484", "deducao_por_notas_de_servico", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"2": {"fornec": {"CPF": "52998224726"}}}}}}}"#, r#"{}"#, "nota.valores.vDedRed.documentos.docDedRed[2].fornec.CPF"),
    of("E0490", "deducao_por_notas_de_servico", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"2": {"fornec": {"CPF": null, "cNaoNIF": 0}}}}}}}"#, r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"2": {"fornec": {"CPF": null, "cNaoNIF": 1}}}}}}}"#, "nota.valores.vDedRed.documentos.docDedRed[2].fornec.cNaoNIF"),
    of("E0492", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"fornec": {"end": null}}}}}}}"#, r#"{}"#, "nota.valores.vDedRed.documentos.docDedRed[1].fornec.end.endNac"),
    of("E0494", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"fornec": {"end": {"endNac": {"cMun": 3599999}}}}}}}}}"#, r#"{}"#, "nota.valores.vDedRed.documentos.docDedRed[1].fornec.end.endNac.cMun"),
    of("E0496", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"fornec": {"end": {"endNac": {"CEP": "20040002"}}}}}}}}}"#, r#"{}"#, "nota.valores.vDedRed.documentos.docDedRed[1].fornec.end.endNac.CEP"),
    of("E0498", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"fornec": {"CNPJ": null, "NIF": "99"}}}}}}}"#, r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"fornec": {"CNPJ": null, "NIF": "99", "end": {"endExt": {"cPais": "AR", "cEndPost": "C1001", "xCidade": "BUENOS AIRES", "xEstProvReg": "CABA"}, "xLgr": "FLORIDA", "nro": "10", "xBairro": "CENTRO", "endNac": null}}}}}}}}"#, "nota.valores.vDedRed.documentos.docDedRed[1].fornec.end.endExt"),
    of("E0499", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"fornec": {"CNPJ": null, "NIF": "99", "end": {"endExt": {"cPais": "BR", "cEndPost": "C1001", "xCidade": "BUENOS AIRES", "xEstProvReg": "CABA"}, "xLgr": "FLORIDA", "nro": "10", "xBairro": "CENTRO", "endNac": null}}}}}}}}"#, r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"fornec": {"CNPJ": null, "NIF": "99", "end": {"endExt": {"cPais": "AR", "cEndPost": "C1001", "xCidade": "BUENOS AIRES", "xEstProvReg": "CABA"}, "xLgr": "FLORIDA", "nro": "10", "xBairro": "CENTRO", "endNac": null}}}}}}}}"#, "nota.valores.vDedRed.documentos.docDedRed[1].fornec.end.endExt.cPais"),
    of("E1538", "deducao_por_documentos", r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"fornec": {"end": {"endExt": {"cPais": "AR", "cEndPost": "C1001", "xCidade": "BUENOS AIRES", "xEstProvReg": "CABA"}, "xLgr": "FLORIDA", "nro": "10", "xBairro": "CENTRO", "endNac": null}}}}}}}}"#, r#"{"valores": {"vDedRed": {"documentos": {"docDedRed": {"1": {"fornec": {"CNPJ": null, "NIF": "99", "end": {"endExt": {"cPais": "AR", "cEndPost": "C1001", "xCidade": "BUENOS AIRES", "xEstProvReg": "CABA"}, "xLgr": "FLORIDA", "nro": "10", "xBairro": "CENTRO", "endNac": null}}}}}}}}"#, "nota.valores.vDedRed.documentos.docDedRed[1].fornec.NIF"),
    of("E0529", "exportacao", r#"{"serv": {"cServ": {"cTribNac": "071001"}}, "valores": {"trib": {"tribMun": {"cPaisResult": null}}}}"#, r#"{"serv": {"cServ": {"cTribNac": "070101"}}}"#, "nota.valores.trib.tribMun.tribISSQN"),
    of("E0529", "exportacao", r#"{"serv": {"cServ": {"cTribNac": "170501"}}, "toma": {"end": {"endNac": {"cMun": 3550308, "CEP": "01001000"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO", "endExt": null}, "NIF": null, "CPF": "11144477735"}, "valores": {"trib": {"tribMun": {"cPaisResult": null}}}}"#, r#"{"serv": {"cServ": {"cTribNac": "170501"}}}"#, "nota.valores.trib.tribMun.tribISSQN"),
    of("E0530", "prestado_no_exterior", r#"{"serv": {"cServ": {"cTribNac": "071001"}}, "valores": {"trib": {"tribMun": {"tribISSQN": 1}}}}"#, r#"{"serv": {"cServ": {"cTribNac": "071001"}}, "valores": {"trib": {"tribMun": {"tribISSQN": 3}}}}"#, "nota.valores.trib.tribMun.tribISSQN"),
    of("E0532", "nfse", r#"{"serv": {"cServ": {"cTribNac": "990101"}}}"#, r#"{"serv": {"cServ": {"cTribNac": "990101"}}, "valores": {"trib": {"tribMun": {"tribISSQN": 4}}}}"#, "nota.valores.trib.tribMun.tribISSQN"),
    of("E0533", "nfse", r#"{"valores": {"trib": {"tribMun": {"tribISSQN": 4, "BM": {"nBM": "35503080100001", "pRedBCBM": 40}}}}}"#, r#"{"valores": {"trib": {"tribMun": {"BM": {"nBM": "35503080100001", "pRedBCBM": 40}}}}}"#, "nota.valores.trib.tribMun.BM"),
    of("E0534", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 2}}, "valores": {"trib": {"tribMun": {"BM": {"nBM": "35503080100001", "pRedBCBM": 40}}}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 1}}, "valores": {"trib": {"tribMun": {"BM": {"nBM": "35503080100001", "pRedBCBM": 40}}}}}"#, "nota.valores.trib.tribMun.BM"),
    of("E0535", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 1, "regEspTrib": 3}}, "valores": {"trib": {"tribMun": {"BM": {"nBM": "35503080100001", "pRedBCBM": 40}}}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 1, "regEspTrib": 0}}, "valores": {"trib": {"tribMun": {"BM": {"nBM": "35503080100001", "pRedBCBM": 40}}}}}"#, "nota.valores.trib.tribMun.BM"),
    of("E0580", "nfse", r#"{"valores": {"trib": {"tribMun": {"tribISSQN": 4, "tpRetISSQN": 2}}}, "toma": {"end": {"endNac": {"cMun": 3550308, "CEP": "01001000"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}}"#, r#"{"valores": {"trib": {"tribMun": {"tribISSQN": 1, "tpRetISSQN": 2}}}, "toma": {"end": {"endNac": {"cMun": 3550308, "CEP": "01001000"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}}"#, "nota.valores.trib.tribMun.tpRetISSQN"),
    of("E0583", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 2}}, "valores": {"trib": {"tribMun": {"tpRetISSQN": 2}}}, "toma": {"end": {"endNac": {"cMun": 3550308, "CEP": "01001000"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 1}}, "valores": {"trib": {"tribMun": {"tpRetISSQN": 2}}}, "toma": {"end": {"endNac": {"cMun": 3550308, "CEP": "01001000"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}}"#, "nota.valores.trib.tribMun.tpRetISSQN"),
    of("E0585", "nfse", r#"{"valores": {"trib": {"tribMun": {"tribISSQN": 4, "exigSusp": {"tpSusp": 1, "nProcesso": "000000000000000000000000000123"}}}}}"#, r#"{"valores": {"trib": {"tribMun": {"tribISSQN": 1, "exigSusp": {"tpSusp": 1, "nProcesso": "000000000000000000000000000123"}}}}}"#, "nota.valores.trib.tribMun.exigSusp"),
    of("E0588", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 1, "regEspTrib": 6}}, "valores": {"trib": {"tribMun": {"tpRetISSQN": 2}}}, "toma": {"end": {"endNac": {"cMun": 3550308, "CEP": "01001000"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 1, "regEspTrib": 0}}, "valores": {"trib": {"tribMun": {"tpRetISSQN": 2}}}, "toma": {"end": {"endNac": {"cMun": 3550308, "CEP": "01001000"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}}"#, "nota.valores.trib.tribMun.tpRetISSQN"),
    of("E0590", "exportacao", r#"{"valores": {"trib": {"tribMun": {"cPaisResult": null}}}}"#, r#"{}"#, "nota.valores.trib.tribMun.cPaisResult"),
    of("E0591", "nfse", r#"{"valores": {"trib": {"tribMun": {"cPaisResult": "US"}}}}"#, r#"{}"#, "nota.valores.trib.tribMun.cPaisResult"),
    of("E0592", "nfse", r#"{"valores": {"trib": {"tribMun": {"tribISSQN": 2}}}}"#, r#"{"valores": {"trib": {"tribMun": {"tribISSQN": 2, "tpImunidade": 1}}}}"#, "nota.valores.trib.tribMun.tpImunidade"),
    of("E0592", "nfse", r#"{"valores": {"trib": {"tribMun": {"tpImunidade": 1}}}}"#, r#"{}"#, "nota.valores.trib.tribMun.tpImunidade"),
    of("E0593", "nfse", r#"{"valores": {"trib": {"tribMun": {"tribISSQN": 2, "tpImunidade": 0}}}}"#, r#"{"valores": {"trib": {"tribMun": {"tribISSQN": 2, "tpImunidade": 5}}}}"#, "nota.valores.trib.tribMun.tpImunidade"),
    of("E0596", "nfse", r#"{"serv": {"cServ": {"cTribNac": "220101"}}, "valores": {"trib": {"tribMun": {"tpRetISSQN": 2}}}, "toma": {"end": {"endNac": {"cMun": 3550308, "CEP": "01001000"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}}"#, r#"{"serv": {"cServ": {"cTribNac": "220101"}}}"#, "nota.valores.trib.tribMun.tpRetISSQN"),
    of("E0595", "simples_retido", r#"{"valores": {"trib": {"tribMun": {"pAliq": "5.01"}}}}"#, r#"{"valores": {"trib": {"tribMun": {"pAliq": 5}}}}"#, "nota.valores.trib.tribMun.pAliq"),
    of("E0600", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 2}}, "valores": {"trib": {"tribMun": {"pAliq": 2}}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 2}}}"#, "nota.valores.trib.tribMun.pAliq"),
    of("E0602", "nfse", r#"{"valores": {"trib": {"tribMun": {"tribISSQN": 4, "pAliq": 2}}}}"#, r#"{"valores": {"trib": {"tribMun": {"tribISSQN": 4}}}}"#, "nota.valores.trib.tribMun.pAliq"),
    of("E0604", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 1, "regEspTrib": 6}}, "valores": {"trib": {"tribMun": {"pAliq": 2}}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 1, "regEspTrib": 6}}}"#, "nota.valores.trib.tribMun.pAliq"),
    of("E0617", "nfse", r#"{"valores": {"trib": {"tribMun": {"pAliq": 5}}}}"#, r#"{}"#, "nota.valores.trib.tribMun.pAliq"),
    of("E0621", "simples_retido", r#"{"valores": {"trib": {"tribMun": {"pAliq": "1.79"}}}}"#, r#"{"valores": {"trib": {"tribMun": {"pAliq": "1.80"}}}}"#, "nota.valores.trib.tribMun.pAliq"),
    of("E0621", "simples_retido", r#"{"valores": {"trib": {"tribMun": {"pAliq": null}}}}"#, r#"{}"#, "nota.valores.trib.tribMun.pAliq"),
    of("E0625", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 3, "regApTribSN": 1}}, "valores": {"trib": {"tribMun": {"pAliq": 2}}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 3, "regApTribSN": 1}}}"#, "nota.valores.trib.tribMun.pAliq"),
    of("E0635", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 3, "regApTribSN": 2}}, "valores": {"trib": {"tribMun": {"pAliq": 2}}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 3, "regApTribSN": 2}}}"#, "nota.valores.trib.tribMun.pAliq"),
    of("E0676", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 2}}, "valores": {"trib": {"tribFed": {"piscofins": {"CST": "01", "tpRetPisCofins": 0}}}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 2}}}"#, "nota.valores.trib.tribFed"),
    of("E0677", "pis_cofins_sem_retencao", r#"{"valores": {"trib": {"tribFed": {"piscofins": {"vBCPisCofins": "1000.01"}}}}}"#, r#"{"valores": {"trib": {"tribFed": {"piscofins": {"vBCPisCofins": 1000}}}}}"#, "nota.valores.trib.tribFed.piscofins.vBCPisCofins"),
    of("E0694", "pis_cofins_sem_retencao", r#"{"valores": {"trib": {"tribFed": {"piscofins": {"vPis": "6.52"}}}}}"#, r#"{"valores": {"trib": {"tribFed": {"piscofins": {"vPis": "6.51"}}}}}"#, "nota.valores.trib.tribFed.piscofins.vPis"),
    of("E0696", "pis_cofins_sem_retencao", r#"{"valores": {"trib": {"tribFed": {"piscofins": {"vCofins": "29.98"}}}}}"#, r#"{"valores": {"trib": {"tribFed": {"piscofins": {"vCofins": "29.99"}}}}}"#, "nota.valores.trib.tribFed.piscofins.vCofins"),
    of("E0699", "nfse", r#"{"valores": {"trib": {"tribFed": {"vRetCP": 1000}}}}"#, r#"{"valores": {"trib": {"tribFed": {"vRetCP": "999.99"}}}}"#, "nota.valores.trib.tribFed.vRetCP"),
    of("E0700", "nfse", r#"{"valores": {"trib": {"tribFed": {"vRetIRRF": 0}}}}"#, r#"{"valores": {"trib": {"tribFed": {"vRetIRRF": "0.01"}}}}"#, "nota.valores.trib.tribFed.vRetIRRF"),
    of("E0701", "nfse", r#"{"valores": {"trib": {"tribFed": {"vRetCSLL": 1000}}}}"#, r#"{"valores": {"trib": {"tribFed": {"vRetCSLL": "999.99"}}}}"#, "nota.valores.trib.tribFed.vRetCSLL"),
    of("E0702", "nfse", r#"{"valores": {"trib": {"totTrib": {"vTotTrib": {"vTotTribFed": "1000.01", "vTotTribEst": 0, "vTotTribMun": 0}}}}}"#, r#"{"valores": {"trib": {"totTrib": {"vTotTrib": {"vTotTribFed": 1000, "vTotTribEst": 0, "vTotTribMun": 0}}}}}"#, "nota.valores.trib.totTrib.vTotTrib.vTotTribFed"),
    of("E0703", "nfse", r#"{"valores": {"trib": {"totTrib": {"vTotTrib": {"vTotTribFed": 0, "vTotTribEst": "1000.01", "vTotTribMun": 0}}}}}"#, r#"{"valores": {"trib": {"totTrib": {"vTotTrib": {"vTotTribFed": 0, "vTotTribEst": 1000, "vTotTribMun": 0}}}}}"#, "nota.valores.trib.totTrib.vTotTrib.vTotTribEst"),
    of("E0704", "nfse", r#"{"valores": {"trib": {"totTrib": {"vTotTrib": {"vTotTribFed": 0, "vTotTribEst": 0, "vTotTribMun": "1000.01"}}}}}"#, r#"{"valores": {"trib": {"totTrib": {"vTotTrib": {"vTotTribFed": 0, "vTotTribEst": 0, "vTotTribMun": 1000}}}}}"#, "nota.valores.trib.totTrib.vTotTrib.vTotTribMun"),
    of("E0706", "nfse", r#"{"valores": {"trib": {"totTrib": {"pTotTrib": {"pTotTribFed": "100.01", "pTotTribEst": 0, "pTotTribMun": 0}}}}}"#, r#"{"valores": {"trib": {"totTrib": {"pTotTrib": {"pTotTribFed": 100, "pTotTribEst": 0, "pTotTribMun": 0}}}}}"#, "nota.valores.trib.totTrib.pTotTrib.pTotTribFed"),
    of("E0707", "nfse", r#"{"valores": {"trib": {"totTrib": {"pTotTrib": {"pTotTribFed": 0, "pTotTribEst": "100.01", "pTotTribMun": 0}}}}}"#, r#"{"valores": {"trib": {"totTrib": {"pTotTrib": {"pTotTribFed": 0, "pTotTribEst": 100, "pTotTribMun": 0}}}}}"#, "nota.valores.trib.totTrib.pTotTrib.pTotTribEst"),
    of("E0708", "nfse", r#"{"valores": {"trib": {"totTrib": {"pTotTrib": {"pTotTribFed": 0, "pTotTribEst": 0, "pTotTribMun": "100.01"}}}}}"#, r#"{"valores": {"trib": {"totTrib": {"pTotTrib": {"pTotTribFed": 0, "pTotTribEst": 0, "pTotTribMun": 100}}}}}"#, "nota.valores.trib.totTrib.pTotTrib.pTotTribMun"),
    of("E0710", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 2}}, "valores": {"trib": {"totTrib": {"pTotTribSN": 6}}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 2}}, "valores": {"trib": {"totTrib": {"indTotTrib": 0}}}}"#, "nota.valores.trib.totTrib.pTotTribSN"),
    of("E0712", "nfse", r#"{"prest": {"regTrib": {"opSimpNac": 3, "regApTribSN": 1}}, "valores": {"trib": {"totTrib": {"indTotTrib": 0}}}}"#, r#"{"prest": {"regTrib": {"opSimpNac": 3, "regApTribSN": 1}}, "valores": {"trib": {"totTrib": {"pTotTribSN": 6}}}}"#, "nota.valores.trib.totTrib.indTotTrib"),
    of("E0713", "nfse", r#"{"valores": {"trib": {"totTrib": {"indTotTrib": 0}}}}"#, r#"{"valores": {"trib": {"totTrib": {"pTotTrib": {"pTotTribFed": 0, "pTotTribEst": 0, "pTotTribMun": 0}}}}}"#, "nota.valores.trib.totTrib"),
    of("E0713", "nfse", r#"{"valores": {"trib": {"totTrib": {"pTotTribSN": 6}}}}"#, r#"{"valores": {"trib": {"totTrib": {"pTotTrib": {"pTotTribFed": 6, "pTotTribEst": 0, "pTotTribMun": 0}}}}}"#, "nota.valores.trib.totTrib"),
    of("E0720", "pis_cofins_sem_retencao", r#"{"valores": {"trib": {"tribFed": {"vRetCSLL": 10}}}}"#, r#"{}"#, "nota.valores.trib.tribFed.vRetCSLL"),
    of("E0724", "lucro_presumido_retencoes", r#"{"valores": {"trib": {"tribFed": {"vRetCSLL": null}}}}"#, r#"{}"#, "nota.valores.trib.tribFed.vRetCSLL"),
    of("E0850", "ibs_cbs", r#"{"dCompet": "2025-12-31"}"#, r#"{"dCompet": "2026-01-01"}"#, "nota.ibscbs"),
    of("E0901", "ibs_cbs", r#"{"ibscbs": {"cIndOp": "999999"}}"#, r#"{"ibscbs": {"cIndOp": "050103"}}"#, "nota.ibscbs.cIndOp"),
    of("E0903", "ibs_cbs", r#"{"ibscbs": {"tpEnteGov": 1}}"#, r#"{"ibscbs": {"tpEnteGov": 1, "tpOper": 1}}"#, "nota.ibscbs.tpOper"),
    of("E0904", "ibs_cbs", r#"{"ibscbs": {"tpOper": 1}}"#, r#"{"serv": {"cServ": {"cTribNac": "171201"}}, "ibscbs": {"tpOper": 1}}"#, "nota.ibscbs.tpOper"),
    of("E0905", "ibs_cbs", r#"{"ibscbs": {"tpEnteGov": 1, "tpOper": 2}}"#, r#"{"ibscbs": {"tpEnteGov": 1, "tpOper": 2, "gRefNFSe": {"refNFSe": ["35503082211222333000181000000000000126111234567890"]}}}"#, "nota.ibscbs.gRefNFSe"),
    of("E0906", "ibs_cbs", r#"{"ibscbs": {"tpEnteGov": 1, "tpOper": 4, "gRefNFSe": {"refNFSe": ["35503082211222333000181000000000000126111234567890"]}}}"#, r#"{"ibscbs": {"tpEnteGov": 1, "tpOper": 3, "gRefNFSe": {"refNFSe": ["35503082211222333000181000000000000126111234567890"]}}}"#, "nota.ibscbs.gRefNFSe"),
    of("E0907", "ibs_cbs", r#"{"ibscbs": {"tpEnteGov": 1, "tpOper": 2, "gRefNFSe": {"refNFSe": ["35503082211222333000181000000000000126111234567890", "35503082211222333000181000000000000126111234567891"]}}}"#, r#"{"ibscbs": {"tpEnteGov": 1, "tpOper": 2, "gRefNFSe": {"refNFSe": ["35503082211222333000181000000000000126111234567890"]}}}"#, "nota.ibscbs.gRefNFSe.refNFSe[1]"),
    of("E0910", "ibs_cbs_destinatario", r#"{"IBSCBS": {"indDest": 0}}"#, r#"{}"#, "nota.IBSCBS.dest"),
    of("E0911", "ibs_cbs_destinatario", r#"{"IBSCBS": {"dest": {"CNPJCPF": "11222333000182"}}}"#, r#"{"IBSCBS": {"dest": {"CNPJCPF": "11222333000181"}}}"#, "nota.IBSCBS.dest.CNPJCPF"),
    of("E0913", "ibs_cbs_destinatario", r#"{"IBSCBS": {"dest": {"CNPJCPF": "11144477734"}}}"#, r#"{}"#, "nota.IBSCBS.dest.CNPJCPF"),
    of("E0920", "ibs_cbs_destinatario", r#"{"IBSCBS": {"dest": {"end": {"endNac": {"cMun": 3599999, "CEP": "01001000"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}}}"#, r#"{"IBSCBS": {"dest": {"end": {"endNac": {"cMun": 3550308, "CEP": "01001000"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}}}"#, "nota.IBSCBS.dest.end.endNac.cMun"),
    of("E0930", "ibs_cbs_destinatario", r#"{"IBSCBS": {"dest": {"email": "beltrano"}}}"#, r#"{"IBSCBS": {"dest": {"email": "a@b.br"}}}"#, "nota.IBSCBS.dest.email"),
    of("E0928", "ibs_cbs", r#"{"ibscbs": {"imovel": {"cCIB": "A1B2C3D4"}}}"#, r#"{"ibscbs": {"imovel": {"cCIB": "A1B2C3D4"}, "cIndOp": "020101"}}"#, "nota.ibscbs.imovel"),
    of("E0931", "ibs_cbs", r#"{"serv": {"cServ": {"cTribNac": "070201"}, "obra": {"cObra": "123456789012"}}, "ibscbs": {"imovel": {"cCIB": "A1B2C3D4"}, "cIndOp": "020101"}}"#, r#"{"serv": {"cServ": {"cTribNac": "070201"}, "obra": {"cObra": "123456789012"}}, "ibscbs": {"cIndOp": "020101"}}"#, "nota.ibscbs.imovel"),
    of("E0932", "ibs_cbs", r#"{"ibscbs": {"cIndOp": "020101"}}"#, r#"{"ibscbs": {"imovel": {"cCIB": "A1B2C3D4"}, "cIndOp": "020101"}}"#, "nota.ibscbs.imovel"),
    of("E0934", "ibs_cbs", r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}, "locPrest": {"cPaisPrestacao": "PT"}}, "valores": {"trib": {"tribMun": {"tribISSQN": 3}}}, "ibscbs": {"imovel": {"end": {"CEP": "01001000", "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}, "cIndOp": "020101"}}"#, r#"{"serv": {"cServ": {"cNBS": "115021000"}, "comExt": {"mdPrestacao": 4, "vincPrest": 0, "tpMoeda": 220, "vServMoeda": 100, "mecAFComexP": 1, "mecAFComexT": 1, "movTempBens": 1, "mdic": 0}, "locPrest": {"cPaisPrestacao": "PT"}}, "valores": {"trib": {"tribMun": {"tribISSQN": 3}}}, "ibscbs": {"imovel": {"end": {"endExt": {"cEndPost": "1000", "xCidade": "LISBOA", "xEstProvReg": "LISBOA"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}, "cIndOp": "020101"}}"#, "nota.ibscbs.imovel.end.endExt"),
    of("E0935", "ibs_cbs", r#"{"ibscbs": {"imovel": {"end": {"endExt": {"cEndPost": "1000", "xCidade": "LISBOA", "xEstProvReg": "LISBOA"}, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}, "cIndOp": "020101"}}"#, r#"{"ibscbs": {"imovel": {"end": {"CEP": "01001000", "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO"}}, "cIndOp": "020101"}}"#, "nota.ibscbs.imovel.end.endExt"),
    of("E0958", "ibs_cbs", r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "620", "cClassTrib": "620001"}}}}}"#, r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "200", "cClassTrib": "200028"}}}}}"#, "nota.ibscbs.valores.trib.gIBSCBS.cClassTrib"),
    of("E0959", "ibs_cbs", r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "000", "cClassTrib": "200028"}}}}}"#, r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "200", "cClassTrib": "200028"}}}}}"#, "nota.ibscbs.valores.trib.gIBSCBS.cClassTrib"),
    of("E0964", "ibs_cbs", r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"gTribRegular": {"CSTReg": "000", "cClassTribReg": "000001"}}}}}}"#, r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "550", "cClassTrib": "550016", "gTribRegular": {"CSTReg": "000", "cClassTribReg": "000001"}}}}}}"#, "nota.ibscbs.valores.trib.gIBSCBS.gTribRegular"),
    of("E0965", "ibs_cbs", r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "550", "cClassTrib": "550016"}}}}}"#, r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "550", "cClassTrib": "550016", "gTribRegular": {"CSTReg": "000", "cClassTribReg": "000001"}}}}}}"#, "nota.ibscbs.valores.trib.gIBSCBS.gTribRegular"),
    of("E0969", "ibs_cbs", r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "550", "cClassTrib": "550016", "gTribRegular": {"CSTReg": "620", "cClassTribReg": "620001"}}}}}}"#, r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "550", "cClassTrib": "550016", "gTribRegular": {"CSTReg": "000", "cClassTribReg": "000001"}}}}}}"#, "nota.ibscbs.valores.trib.gIBSCBS.gTribRegular.cClassTribReg"),
    of("E0970", "ibs_cbs", r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "550", "cClassTrib": "550016", "gTribRegular": {"CSTReg": "200", "cClassTribReg": "000001"}}}}}}"#, r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "550", "cClassTrib": "550016", "gTribRegular": {"CSTReg": "000", "cClassTribReg": "000001"}}}}}}"#, "nota.ibscbs.valores.trib.gIBSCBS.gTribRegular.cClassTribReg"),
    of("E0971", "ibs_cbs", r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"gDif": {"pDifUF": 10, "pDifMun": 10, "pDifCBS": 10}}}}}}"#, r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "515", "cClassTrib": "515001", "gDif": {"pDifUF": 10, "pDifMun": 10, "pDifCBS": 10}}}}}}"#, "nota.ibscbs.valores.trib.gIBSCBS.gDif"),
    of("E0972", "ibs_cbs", r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "515", "cClassTrib": "515001"}}}}}"#, r#"{"ibscbs": {"valores": {"trib": {"gIBSCBS": {"CST": "515", "cClassTrib": "515001", "gDif": {"pDifUF": 10, "pDifMun": 10, "pDifCBS": 10}}}}}}"#, "nota.ibscbs.valores.trib.gIBSCBS.gDif"),
    of("E0940", "ibs_cbs_reembolso", r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"0": {"dFeNacional": {"tipoChaveDFe": 1}}}}}}}"#, r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"0": {"dFeNacional": {"tipoChaveDFe": 1, "chaveDFe": "35503082211222333000181000000000000126111234567890"}}}}}}}"#, "nota.IBSCBS.valores.gReeRepRes.documentos[0].dFeNacional.chaveDFe"),
    of("E0942", "ibs_cbs_reembolso", r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"1": {"docOutro": null, "docFiscalOutro": {"cMunDocFiscal": "3550308", "nDocFiscal": "12", "xDocFiscal": "NOTA AVULSA"}, "dtEmiDoc": "2026-01-01", "dtCompDoc": "2026-01-01"}}}}}}"#, r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"1": {"docOutro": null, "docFiscalOutro": {"cMunDocFiscal": "3550308", "nDocFiscal": "12", "xDocFiscal": "NOTA AVULSA"}, "dtEmiDoc": "2025-12-31", "dtCompDoc": "2025-12-31"}}}}}}"#, "nota.IBSCBS.valores.gReeRepRes.documentos[1].docFiscalOutro"),
    of("E0943", "ibs_cbs_reembolso", r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"1": {"docOutro": null, "docFiscalOutro": {"cMunDocFiscal": "3599999", "nDocFiscal": "12", "xDocFiscal": "NOTA AVULSA"}, "dtEmiDoc": "2025-12-31", "dtCompDoc": "2025-12-31"}}}}}}"#, r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"1": {"docOutro": null, "docFiscalOutro": {"cMunDocFiscal": "3550308", "nDocFiscal": "12", "xDocFiscal": "NOTA AVULSA"}, "dtEmiDoc": "2025-12-31", "dtCompDoc": "2025-12-31"}}}}}}"#, "nota.IBSCBS.valores.gReeRepRes.documentos[1].docFiscalOutro.cMunDocFiscal"),
    of("E0945", "ibs_cbs_reembolso", r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"1": {"fornec": {"CNPJ": "11444777000162"}}}}}}}"#, r#"{}"#, "nota.IBSCBS.valores.gReeRepRes.documentos[1].fornec.CNPJ"),
    of("E0947", "ibs_cbs_reembolso", r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"1": {"fornec": {"CNPJ": null, "CPF": "52998224726"}}}}}}}"#, r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"1": {"fornec": {"CNPJ": null, "CPF": "52998224725"}}}}}}}"#, "nota.IBSCBS.valores.gReeRepRes.documentos[1].fornec.CPF"),
    of("E0950", "ibs_cbs_reembolso", r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"0": {"dtCompDoc": "2026-11-13"}}}}}}"#, r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"0": {"dtCompDoc": "2026-11-11"}}}}}}"#, "nota.IBSCBS.valores.gReeRepRes.documentos[0].dtEmiDoc"),
    of("E0951", "ibs_cbs_reembolso", r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"0": {"dtCompDoc": "2026-11-13"}}}}}}"#, r#"{}"#, "nota.IBSCBS.valores.gReeRepRes.documentos[0].dtCompDoc"),
    of("E0952", "ibs_cbs_reembolso", r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"1": {"tpReeRepRes": "04"}}}}}}"#, r#"{}"#, "nota.IBSCBS.valores.gReeRepRes.documentos[1].xTpReeRepRes"),
    of("E0953", "ibs_cbs_reembolso", r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"0": {"vlrReeRepRes": "10000.01"}}}}}}"#, r#"{"IBSCBS": {"valores": {"gReeRepRes": {"documentos": {"0": {"vlrReeRepRes": "9200.00"}}}}}}"#, "nota.IBSCBS.valores.gReeRepRes.documentos[0].vlrReeRepRes"),
];

/// Edits of a written document, for rules that no payload can break because the service writes or refuses the value
/// itself.
pub struct EditedDocument {
    pub codigo: &'static str,
    /// The base or a golden case.
    case: &'static str,
    /// Replacements, at the first occurrence of each text.
    edits: &'static [(&'static str, &'static str)],
}

impl EditedDocument {
    /// Returns the document that the rule refuses, unsigned.
    pub fn xml(&self) -> String {
        let xml = right(self.case).build().unwrap_or_else(|found| panic!("{}: {found:#?}", self.case)).xml;
        self.edits.iter().fold(xml, |xml, (from, to)| {
            assert!(xml.contains(from), "{}: {from} finds nothing in {xml}", self.codigo);
            xml.replacen(from, to, 1)
        })
    }
}

const fn edited(
    codigo: &'static str,
    case: &'static str,
    edits: &'static [(&'static str, &'static str)],
) -> EditedDocument {
    EditedDocument { codigo, case, edits }
}

const ADDRESS: &str = "</IM><end><endNac><cMun>3550308</cMun><CEP>01001000</CEP></endNac><xLgr>RUA A</xLgr><nro>1</nro><xBairro>B</xBairro></end>";

/// Documents by the rule they break.
#[rustfmt::skip]
pub const EDITED_DOCUMENTS: &[EditedDocument] = &[
    edited("E0001", "nfse", &[("versao=\"1.01\"", "versao=\"1.00\"")]),
    edited("E0004", "nfse", &[("<serie>1<", "<serie>2<")]),
    edited("E0006", "nfse", &[("<tpAmb>2<", "<tpAmb>1<")]),
    edited("E0010", "nfse", &[("<serie>1<", "<serie>50000<"), ("0000100000000", "5000000000000")]),
    edited("E9996", "nfse", &[("<tpEmit>1<", "<tpEmit>2<")]),
    edited("E0080", "nfse", &[("<prest><CNPJ>11222333000181<", "<prest><CNPJ>11222333000182<"), ("8211222333000181", "8211222333000182")]),
    edited("E0096", "autonomo", &[("<prest><CPF>11144477735<", "<prest><CPF>11144477734<"), ("00011144477735", "00011144477734")]),
    edited("E0112", "nfse", &[("<prest><CNPJ>11222333000181</CNPJ>", "<prest><NIF>123</NIF>")]),
    edited("E0114", "nfse", &[("<prest><CNPJ>11222333000181</CNPJ>", "<prest><cNaoNIF>1</cNaoNIF>")]),
    edited("E0121", "nfse", &[("</IM>", "</IM><xNome>EMPRESA</xNome>")]),
    edited("E0128", "nfse", &[("</IM>", ADDRESS)]),
    edited("E0166", "simples_dentro", &[("<regApTribSN>1</regApTribSN>", "")]),
    edited("E0188", "ibs_cbs", &[("<toma><CNPJ>12ABC34501DE35<", "<toma><CNPJ>12ABC34501DE36<")]),
    edited("E0206", "nfse", &[("<CPF>11144477735<", "<CPF>11144477734<")]),
    edited("E0248", "retida_pelo_intermediario", &[("<CNPJ>11444777000161<", "<CNPJ>11444777000162<")]),
    edited("E0266", "retida_pelo_intermediario", &[("<CNPJ>11444777000161</CNPJ>", "<CPF>11144477734</CPF>")]),
    edited("E0478", "deducao_por_documentos", &[("<fornec><CNPJ>11222333000181<", "<fornec><CNPJ>11222333000182<")]),
    edited("E0484", "deducao_por_notas_de_servico", &[("<CPF>52998224725<", "<CPF>52998224726<")]),
    edited("E0854", "ibs_cbs", &[("versao=\"1.01\"", "versao=\"1.00\"")]),
    edited("E0911", "ibs_cbs_destinatario", &[("<dest><CPF>11144477735</CPF>", "<dest><CNPJ>11222333000182</CNPJ>")]),
    edited("E0913", "ibs_cbs_destinatario", &[("<dest><CPF>11144477735<", "<dest><CPF>11144477734<")]),
    edited("E0945", "ibs_cbs_reembolso", &[("<fornec><CNPJ>11444777000161<", "<fornec><CNPJ>11444777000162<")]),
    edited("E0947", "ibs_cbs_reembolso", &[("<fornec><CNPJ>11444777000161</CNPJ>", "<fornec><CPF>52998224726</CPF>")]),
];

/// Payloads whose refusal depends on decisions of the município, these decisions, and the code.
pub struct MunicipalCase {
    pub codigo: &'static str,
    case: &'static str,
    patch: &'static str,
    /// Kind of its benefit; `None` when its convênio is not active.
    pub benefit: Option<u8>,
}

impl MunicipalCase {
    /// The document that the rule refuses.
    pub fn case(&self) -> Case {
        changed(self.case, self.patch)
    }
}

const fn inactive(codigo: &'static str, case: &'static str, patch: &'static str) -> MunicipalCase {
    MunicipalCase { codigo, case, patch, benefit: None }
}

/// Performed in Fonte Boa (1301605), whose convênio is not active in the simulator's data; exempt in Porto Alegre.
#[rustfmt::skip]
pub const MUNICIPAL_CASES: &[MunicipalCase] = &[
    inactive("E0442", "simples_dentro", r#"{"serv": {"locPrest": {"cLocPrestacao": 1301605}, "cServ": {"cTribNac": "071001"}}, "valores": {"vDedRed": {"vDR": 10}}}"#),
    inactive("E0619", "nfse", r#"{"serv": {"locPrest": {"cLocPrestacao": 1301605}, "cServ": {"cTribNac": "071001"}}}"#),
    inactive("E0628", "simples_retido", r#"{"serv": {"locPrest": {"cLocPrestacao": 1301605}, "cServ": {"cTribNac": "071001"}}, "valores": {"trib": {"tribMun": {"pAliq": 1.79}}}}"#),
    inactive("E0631", "simples_dentro", r#"{"serv": {"locPrest": {"cLocPrestacao": 1301605}, "cServ": {"cTribNac": "071001"}}, "valores": {"trib": {"tribMun": {"pAliq": 2}}}}"#),
    inactive("E0640", "simples_tudo_fora", r#"{"serv": {"locPrest": {"cLocPrestacao": 1301605}, "cServ": {"cTribNac": "071001"}}}"#),
    MunicipalCase { benefit: Some(1), ..inactive("E0612", "nfse", r#"{"cLocEmi": 4314902, "valores": {"trib": {"tribMun": {"BM": {"nBM": "43149020100001"}, "pAliq": 2}}}}"#) },
];
