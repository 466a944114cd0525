//! `nota` of the CT-e and CT-e OS for the API reference.
//!
//! Law: the layout, the maps of `groups`, and the values that `defaults` and `write` force and fill. The lists below
//! repeat the latter by name; a test checks every name against the layout.

use super::model::{self, CteModel};
use crate::layout::Simple;
use crate::map::{GroupMember, MemberBody, MemberRequirement, describe};
use crate::nota::CSRT;

/// The members of `nota` of model 57.
pub fn members() -> Vec<GroupMember> {
    of(&model::CTE)
}

/// The members of `nota` of model 67.
pub fn services_members() -> Vec<GroupMember> {
    of(&model::CTE_OS)
}

fn of(model: &'static CteModel) -> Vec<GroupMember> {
    let Some(complex) = model.inf_cte() else { return Vec::new() };
    let mut members = describe(complex, Some(model.map));
    // attributes are written by the service; other modals are not issued
    members.retain(|member| !EXCLUDED_MEMBERS.contains(&member.name));
    move_tomador_out(&mut members);
    for member in &mut members {
        match member.name {
            "identificacao" => fill(member, IDE_SERVICE, MemberRequirement::Service),
            "emitente" => company(member),
            "valores" => fill(member, &["vRec"], MemberRequirement::SameAs("vTPrest")),
            "responsavel_tecnico" => software_house(member),
            "rodoviario" => {
                member.need = MemberRequirement::Company;
                fill(member, &["rntrc", "taf"], MemberRequirement::Company);
            }
            // required in a normal document, absent from a complement
            "carga" | "servico" => member.need = MemberRequirement::Optional,
            _ => {}
        }
    }
    members
}

/// Attributes of the tree, and groups that are refused.
const EXCLUDED_MEMBERS: &[&str] =
    &["Id", "versao", "versaoModal", "aereo", "aquaviario", "ferroviario", "dutoviario", "multimodal"];

/// Members of `ide` that the service writes, always or when the caller does not.
const IDE_SERVICE: &[&str] = &[
    "cUF",
    "cCT",
    "natOp",
    "modelo",
    "serie",
    "nCT",
    "dhEmi",
    "tpImp",
    "tpEmis",
    "cDV",
    "tpAmb",
    "tpCTe",
    "procEmi",
    "verProc",
    "cMunEnv",
    "xMunEnv",
    "UFEnv",
    "cMunIni",
    "xMunIni",
    "UFIni",
    "cMunFim",
    "xMunFim",
    "UFFim",
    "indIEToma",
];

/// Moves `tomador` out of `identificacao`: the contract has it beside, as an index or as the data of another party.
fn move_tomador_out(members: &mut Vec<GroupMember>) {
    let Some(ide) = members.iter_mut().find(|member| member.name == "identificacao") else { return };
    let MemberBody::Group(list) = &mut ide.body else { return };
    let Some(at) = list.iter().position(|member| member.name == "tomador") else { return };
    let mut tomador = list.remove(at);
    tomador.need = MemberRequirement::Required;
    if let MemberBody::Group(list) = &mut tomador.body {
        list.iter_mut().for_each(|member| member.need = MemberRequirement::Optional);
    }
    members.push(tomador);
}

/// `emitente` comes from the company's record, whole or in part.
fn company(member: &mut GroupMember) {
    member.need = MemberRequirement::Company;
    let MemberBody::Group(list) = &mut member.body else { return };
    list.iter_mut()
        .filter(|own| own.need == MemberRequirement::Required)
        .for_each(|own| own.need = MemberRequirement::Company);
}

/// Adds `CSRT`, of which the service computes the hash.
fn software_house(member: &mut GroupMember) {
    let MemberBody::Group(list) = &mut member.body else { return };
    if let Some(hash) = list.iter().find(|own| own.name == "hashCSRT").cloned() {
        let doc = "Código de segurança do responsável técnico: vira hashCSRT e não é escrito no XML.";
        let body = MemberBody::Value(Vec::<&'static Simple>::new());
        list.push(GroupMember { name: CSRT, aliases: Vec::new(), doc, body, ..hash });
    }
}

fn fill(member: &mut GroupMember, names: &[&str], need: MemberRequirement) {
    let MemberBody::Group(list) = &mut member.body else { return };
    list.iter_mut().filter(|own| names.contains(&own.name)).for_each(|own| own.need = need);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find<'m>(members: &'m [GroupMember], path: &str) -> &'m GroupMember {
        let (name, rest) = path.split_once('.').unwrap_or((path, ""));
        let member = members.iter().find(|member| member.name == name);
        let member = member.unwrap_or_else(|| panic!("{name} of {path}"));
        match &member.body {
            MemberBody::Group(list) if !rest.is_empty() => find(list, rest),
            _ => member,
        }
    }

    #[test]
    fn the_names_of_the_contract_lead_to_official_elements() {
        let nota = members();
        for (path, tag) in [
            ("identificacao.CFOP", "ide/CFOP"),
            ("identificacao.nCT", "ide/nCT"),
            ("remetente.xLgr", "rem/enderReme/xLgr"),
            ("tomador.indice", "ide/toma3/toma"),
            ("tomador.CNPJCPF", "ide/toma4/CNPJ"),
            ("complemento.xObs", "compl/xObs"),
            ("valores.componentes.vComp", "vPrest/Comp/vComp"),
            ("imposto.icms.CST", "imp/ICMS/ICMS00/CST"),
            ("imposto.ibscbs.ibs_uf.valor_bc", "imp/IBSCBS/gIBSCBS/vBC"),
            ("carga.quantidades.qCarga", "infCTeNorm/infCarga/infQ/qCarga"),
            ("documentos.nfe.chave", "infCTeNorm/infDoc/infNFe/chave"),
            ("documentos_anteriores.cte.chCTe", "infCTeNorm/docAnt/emiDocAnt/idDocAnt/idDocAntEle/chCTe"),
            ("rodoviario.rntrc", "infCTeNorm/infModal/rodo/RNTRC"),
            ("complementado.chCTe", "infCteComp/chCTe"),
            ("autXML.CNPJCPF", "autXML/CNPJ"),
            ("pagamentos_vinculados.nPag", "pgtoVinc/pgto/nPag"),
            ("responsavel_tecnico.CSRT", "infRespTec/hashCSRT"),
        ] {
            assert_eq!(find(&nota, path).tag, tag, "{path}");
        }
        let nota = services_members();
        for (path, tag) in [
            ("tomador.xLgr", "toma/enderToma/xLgr"),
            ("servico.quantidade", "infCTeNorm/infServico/infQ/qCarga"),
            ("rodoviario.taf", "infCTeNorm/infModal/rodoOS/TAF"),
            ("rodoviario.veiculo.proprietario.CNPJCPF", "infCTeNorm/infModal/rodoOS/veic/prop/CPF"),
            ("imposto.federais.vINSS", "imp/infTribFed/vINSS"),
            ("identificacao.percurso.UFPer", "ide/infPercurso/UFPer"),
        ] {
            assert_eq!(find(&nota, path).tag, tag, "{path}");
        }
    }

    #[test]
    fn what_is_needed_is_what_the_writer_refuses_to_do_without() {
        let nota = members();
        for path in ["tomador", "valores.vTPrest", "identificacao.CFOP", "carga.proPred"] {
            assert_eq!(find(&nota, path).need, MemberRequirement::Required, "{path}");
        }
        // Simples Nacional and advance payments have no code
        assert_eq!(find(&nota, "imposto.icms.CST").need, MemberRequirement::Optional);
        assert_eq!(find(&nota, "identificacao.tpServ").need, MemberRequirement::Assumed("0"));
        assert_eq!(find(&nota, "valores.vRec").need, MemberRequirement::SameAs("vTPrest"));
        assert_eq!(find(&nota, "rodoviario.rntrc").need, MemberRequirement::Company);
        assert_eq!(find(&nota, "emitente.xNome").need, MemberRequirement::Company);
        assert_eq!(find(&services_members(), "identificacao.tpServ").need, MemberRequirement::Required);
        let MemberBody::Group(ide) = &find(&nota, "identificacao").body else { panic!("a group") };
        for name in IDE_SERVICE {
            assert!(ide.iter().any(|member| member.name == *name), "{name}");
        }
        assert!(nota.iter().all(|member| !EXCLUDED_MEMBERS.contains(&member.name)));
    }
}
