//! Description of `nota` of the NF-e and the NFC-e, for the API reference.
//!
//! Law: the layout, the map of `groups`, and the values that `write` forces and fills in. The lists below repeat the
//! latter by name; a test checks every name against the layout.

use super::groups::{INF_NFE, TOTALS_BESIDE};
use super::inf_nfe::inf_nfe;
use crate::layout::Simple;
use crate::map::{GroupMember, MemberBody, MemberRequirement, describe};
use crate::nota::CSRT;

/// Describes the members of `nota`.
pub fn members() -> Vec<GroupMember> {
    let Some(complex) = inf_nfe() else { return Vec::new() };
    let mut members = describe(complex, Some(&INF_NFE));
    // the service writes the attributes of infNFe
    members.retain(|member| !matches!(member.name, "Id" | "versao"));
    for member in &mut members {
        match member.name {
            "identificacao" => fill(&mut member.body, IDE_SERVICE, MemberRequirement::Service),
            "emitente" => issuer(member),
            "destinatario" => member.need = MemberRequirement::Required,
            "total" => member.need = MemberRequirement::Sum,
            "responsavel_tecnico" => software_house(member),
            "produtos" => situations(member),
            _ => {}
        }
    }
    totals_beside(&mut members);
    members
}

/// Returns the contract's name of an XML path, e.g. `produtos[].CFOP`.
pub fn field_name(path: &str) -> String {
    let campo = super::payload_path::campo(&serde_json::Map::new(), path).replace("[0]", "[]").replace("[1]", "[]");
    campo.strip_prefix("nota.").unwrap_or(&campo).to_owned()
}

/// Describes the members of `nota` of an NFC-e. The addressee may be absent or a number alone.
pub fn consumer_members() -> Vec<GroupMember> {
    let mut members = members();
    for member in members.iter_mut().filter(|member| member.name == "destinatario") {
        member.need = MemberRequirement::Optional;
        if let MemberBody::Group(list) = &mut member.body {
            list.iter_mut()
                .filter(|own| own.need == MemberRequirement::Required)
                .for_each(|own| own.need = MemberRequirement::Optional);
        }
    }
    members
}

/// Marks the members of `emitente` that the company's record fills.
fn issuer(member: &mut GroupMember) {
    member.need = MemberRequirement::Company;
    let MemberBody::Group(list) = &mut member.body else { return };
    for own in list.iter_mut().filter(|own| own.need == MemberRequirement::Required) {
        own.need = MemberRequirement::Company;
    }
    if let Some(uf) = list.iter().find(|own| own.name == "UF").cloned() {
        let doc = "Código IBGE da UF; lido quando UF não é informada.";
        let body = MemberBody::Value(Vec::<&'static Simple>::new());
        list.push(GroupMember {
            name: "cUF",
            tag: "ide/cUF".to_owned(),
            doc,
            need: MemberRequirement::Optional,
            body,
            ..uf
        });
    }
}

/// Adds CSRT, from which the service computes the hash.
fn software_house(member: &mut GroupMember) {
    let MemberBody::Group(list) = &mut member.body else { return };
    if let Some(hash) = list.iter().find(|own| own.name == "hashCSRT").cloned() {
        let doc = "Código de segurança do responsável técnico: vira hashCSRT e não é escrito no XML.";
        let body = MemberBody::Value(Vec::<&'static Simple>::new());
        list.push(GroupMember { name: CSRT, aliases: Vec::new(), doc, body, ..hash });
    }
}

/// Gives the code of a tax one description: it is part of several groups of the schema, each with its own annotation.
fn situations(item: &mut GroupMember) {
    let MemberBody::Group(list) = &mut item.body else { return };
    for tax in list.iter_mut().filter(|tax| SELECTED.contains(&tax.name)) {
        let MemberBody::Group(leaves) = &mut tax.body else { continue };
        for leaf in leaves.iter_mut().filter(|leaf| leaf.name == "CST") {
            leaf.doc = "Situação tributária (CST ou CSOSN): decide quais dos outros campos se aplicam; só falta onde icms traz vICMSPrevisto";
            // one group of the ICMS has no code: the tax that is only expected
            leaf.need = MemberRequirement::Required;
        }
    }
}

fn fill(body: &mut MemberBody, names: &[&str], need: MemberRequirement) {
    let MemberBody::Group(list) = body else { return };
    for member in list.iter_mut().filter(|member| names.contains(&member.name)) {
        member.need = need;
    }
}

/// Adds the members of `total` that the contract puts beside it.
fn totals_beside(members: &mut Vec<GroupMember>) {
    let Some(MemberBody::Group(total)) = members.iter().find(|member| member.name == "total").map(|total| &total.body)
    else {
        return;
    };
    let beside = |member: &&GroupMember| TOTALS_BESIDE.contains(&member.name);
    let copies: Vec<GroupMember> = total
        .iter()
        .filter(beside)
        .cloned()
        .map(|member| GroupMember { need: MemberRequirement::Sum, ..member })
        .collect();
    members.extend(copies);
}

/// Taxes whose schema group is selected by the code.
const SELECTED: &[&str] = &["icms", "ipi", "pis", "cofins"];

/// Members of `ide` that the service writes always, or when the caller does not.
const IDE_SERVICE: &[&str] = &[
    "cUF", "cNF", "modelo", "serie", "nNF", "dhEmi", "idDest", "cMunFG", "tpImp", "tpEmis", "cDV", "tpAmb", "verProc",
];

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
            ("identificacao.natOp", "ide/natOp"),
            ("emitente.CNPJCPF", "emit/CNPJ"),
            ("emitente.xLgr", "emit/enderEmit/xLgr"),
            ("emitente.Fone", "emit/enderEmit/fone"),
            ("destinatario.indIEDest", "dest/indIEDest"),
            ("produtos.vProd", "det/prod/vProd"),
            ("produtos.icms.CST", "det/imposto/ICMS/ICMS00/CST"),
            ("produtos.ibscbs.classificacao", "det/imposto/IBSCBS/cClassTrib"),
            ("produtos.ibscbs.ibs_uf.aliquota", "det/imposto/IBSCBS/gIBSCBS/gIBSUF/pIBSUF"),
            ("produtos.ibscbs.ibs_uf.valor_bc", "det/imposto/IBSCBS/gIBSCBS/vBC"),
            ("produtos.is_.cst", "det/imposto/IS/CSTIS"),
            ("total.vNF", "total/ICMSTot/vNF"),
            ("ibscbs_total.ibs.uf.vIBSUF", "total/IBSCBSTot/gIBS/gIBSUF/vIBSUF"),
            ("is_total.vIS", "total/ISTot/vIS"),
            ("transportador.modFrete", "transp/modFrete"),
            ("pagamentos.tPag", "pag/detPag/tPag"),
            ("responsavel_tecnico.CSRT", "infRespTec/hashCSRT"),
        ] {
            assert_eq!(find(&nota, path).tag, tag, "{path}");
        }
    }

    #[test]
    fn what_is_needed_is_what_the_writer_refuses_to_do_without() {
        let nota = members();
        for path in ["destinatario", "produtos", "produtos.xProd", "produtos.icms.CST", "identificacao.natOp"] {
            assert_eq!(find(&nota, path).need, MemberRequirement::Required, "{path}");
        }
        assert_eq!(find(&nota, "produtos.vProd").need, MemberRequirement::Zero);
        assert_eq!(find(&nota, "produtos.cEAN").need, MemberRequirement::Default("SEM GTIN"));
        assert_eq!(find(&nota, "produtos.uTrib").need, MemberRequirement::SameAs("uCom"));
        assert_eq!(find(&nota, "produtos.icms.vBCST").need, MemberRequirement::Optional);
        assert_eq!(find(&nota, "emitente.xNome").need, MemberRequirement::Company);
        let MemberBody::Group(ide) = &find(&nota, "identificacao").body else { panic!("a group") };
        for name in IDE_SERVICE {
            assert!(ide.iter().any(|member| member.name == *name), "{name}");
        }
        assert_eq!(find(&nota, "produtos").max, 990);
    }
}
