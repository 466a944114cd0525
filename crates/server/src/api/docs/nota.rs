//! `nota` as JSON Schema: the members that the fiscal core describes from layout and map, one component per group.
//!
//! Must not know: any model. Each document family has its prefix and its members.

use fiscal::map::{GroupMember, MemberBody, MemberRequirement};
use serde_json::{Map, Value, json};

use super::leaf::values;
use crate::api::schema::{nullable, reference};

/// Treatment of groups of the XML that a payload omits: it has their members without them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeftOut {
    /// Not documented.
    Unsaid,
    /// Documented as alternatives, as in the XML: then none of their members is required beside them.
    Shown,
}

/// Components of a family's `nota`; the root is named `<prefix>Nota`.
pub(super) fn components(prefix: &str, members: &[GroupMember], left_out: LeftOut) -> Map<String, Value> {
    let mut components = NotaComponents { made: Map::new(), left_out };
    let doc =
        "Conteúdo do documento. Nomes do contrato; as tags oficiais (`x-nomes`) também são aceitas, em qualquer ordem.";
    components.group(&format!("{prefix}Nota"), "", doc, members);
    components.made
}

struct NotaComponents {
    made: Map<String, Value>,
    left_out: LeftOut,
}

impl NotaComponents {
    /// Adds the component of a group under its tag, or finds an equal one; returns its name.
    fn group(&mut self, name: &str, tag: &str, doc: &str, members: &[GroupMember]) -> String {
        let mut properties = Map::new();
        for member in members {
            let mut schema = self.member(name, member);
            let (official, others): (Vec<&str>, Vec<&str>) =
                member.aliases.iter().partition(|name| OFFICIAL.contains(name));
            official.into_iter().for_each(|tag| _ = properties.insert(tag.to_owned(), same(&schema, member.name, tag)));
            if !others.is_empty() {
                schema["x-nomes"] = json!(others);
            }
            properties.insert(member.name.to_owned(), schema);
        }
        let mut required: Vec<&str> =
            members.iter().filter(|member| is_required(member)).map(|member| member.name).collect();
        if self.left_out == LeftOut::Shown {
            for (group, inside) in left_out(tag, members) {
                required.retain(|name| inside.iter().all(|member| member.name != *name));
                properties.insert(group.to_owned(), self.as_in_the_xml(name, tag, group, &inside));
            }
        }
        let schema = object(doc, &properties, &required);
        self.add_component(name, schema)
    }

    /// Schema of a group that a payload may omit.
    fn as_in_the_xml(&mut self, outer: &str, around: &str, group: &str, inside: &[&GroupMember]) -> Value {
        let members: Vec<GroupMember> = inside.iter().map(|member| (*member).clone()).collect();
        let tag = format!("{around}/{group}").trim_start_matches('/').to_owned();
        let name = format!("{}{}", outer.trim_end_matches("Nota"), capitalised(group));
        let doc = "O grupo como no XML; os membros dele também podem vir sem ele.";
        let mut schema = nullable(reference(&self.group(&name, &tag, doc, &members)));
        schema["description"] = json!(doc);
        schema["x-tag"] = json!(tag);
        schema
    }

    /// Name of a component: its own, or that of an equal one.
    fn add_component(&mut self, name: &str, schema: Value) -> String {
        let equal = self.made.iter().find(|(_, other)| other["properties"] == schema["properties"]);
        if let Some((equal, _)) = equal.filter(|(_, other)| other.get("required") == schema.get("required")) {
            return equal.clone();
        }
        self.made.insert(name.to_owned(), schema);
        name.to_owned()
    }

    fn member(&mut self, outer: &str, member: &GroupMember) -> Value {
        let mut schema = match &member.body {
            MemberBody::Value(types) => values(last(&member.tag), member.name, types),
            MemberBody::Group(members) => {
                let name = format!("{}{}", outer.trim_end_matches("Nota"), capitalised(member.name));
                let group = reference(&self.group(&name, &member.tag, member.doc, members));
                match bare(member, members) {
                    Some(value) => json!({ "anyOf": [group, value] }),
                    None => group,
                }
            }
        };
        if member.max > 1 {
            schema = json!({ "type": "array", "items": schema });
            if member.max != u32::MAX {
                schema["maxItems"] = json!(member.max);
            }
            if member.need == MemberRequirement::Required {
                schema["minItems"] = json!(1);
            }
        }
        if !is_required(member) {
            schema = nullable(schema);
        }
        schema["description"] = json!(describe(member));
        schema["x-tag"] = json!(member.tag);
        schema
    }
}

fn object(doc: &str, properties: &Map<String, Value>, required: &[&str]) -> Value {
    let mut schema =
        json!({ "type": "object", "description": doc, "properties": properties, "additionalProperties": true });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// Groups between a group's tag and its members, each with its members.
fn left_out<'m>(tag: &str, members: &'m [GroupMember]) -> Vec<(&'m str, Vec<&'m GroupMember>)> {
    let mut groups: Vec<(&str, Vec<&GroupMember>)> = Vec::new();
    for member in members {
        let behind = member.tag.strip_prefix(tag).unwrap_or(&member.tag).trim_start_matches('/');
        let Some((group, _)) = behind.split_once('/') else { continue };
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, inside)) => inside.push(member),
            None => groups.push((group, vec![member])),
        }
    }
    groups
}

/// Official tags that are members beside the contract's name: callers with XML send them, and typed clients must allow
/// them.
const OFFICIAL: &[&str] = &["CNPJ", "CPF", "CSOSN"];

/// Copy of a member under its official tag.
fn same(schema: &Value, name: &str, tag: &str) -> Value {
    let mut same = schema.clone();
    same["description"] = json!(format!("O mesmo que `{name}`, pela tag oficial."));
    if same.get("format").is_some() {
        same["format"] = json!(tag.to_lowercase());
        same["x-formato"] = json!(format!("{tag}, com ou sem máscara"));
    }
    same
}

/// A single value that may replace a group.
fn bare(member: &GroupMember, members: &[GroupMember]) -> Option<Value> {
    let alone = member.alone?;
    let inner = members.iter().find(|inner| inner.name == alone || inner.aliases.contains(&alone))?;
    match &inner.body {
        MemberBody::Value(types) => Some(values(last(&inner.tag), inner.name, types)),
        MemberBody::Group(_) => None,
    }
}

/// True when the member is required under this very name. Null counts as absent.
fn is_required(member: &GroupMember) -> bool {
    member.need == MemberRequirement::Required && !member.aliases.iter().any(|name| OFFICIAL.contains(name))
}

/// Annotation of a member, and the value assumed when it is absent.
pub(crate) fn describe(member: &GroupMember) -> String {
    let doc = member.doc.trim_end_matches('.');
    let absent = absent(member.need);
    match (doc.is_empty(), absent.is_empty()) {
        (_, true) => doc.to_owned(),
        (true, false) => absent,
        (false, false) => format!("{doc}. {absent}"),
    }
}

/// Consequence of an absent member, as a sentence.
fn absent(need: MemberRequirement) -> String {
    match need {
        MemberRequirement::Required => "Obrigatório.".to_owned(),
        MemberRequirement::Optional => String::new(),
        MemberRequirement::Zero => "Ausente: zero, com aviso.".to_owned(),
        MemberRequirement::Default(text) => format!("Ausente: \"{text}\"."),
        MemberRequirement::Assumed(text) => format!("Ausente: \"{text}\", com aviso."),
        MemberRequirement::SameAs(other) => format!("Ausente: igual a {other}."),
        MemberRequirement::Sum => "Ausente: somado pelo serviço.".to_owned(),
        MemberRequirement::Index => "Ausente: a posição na lista.".to_owned(),
        MemberRequirement::Service => "Preenchido pelo serviço.".to_owned(),
        MemberRequirement::Company => "Ausente: do cadastro da empresa.".to_owned(),
    }
}

/// `ibs_uf` → `IbsUf`.
fn capitalised(name: &str) -> String {
    name.split('_')
        .map(|word| word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect::<String>())
        .collect()
}

fn last(tag: &str) -> &str {
    tag.rsplit('/').next().unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_of_the_nfe_is_a_component_and_every_reference_leads_to_one() {
        let made = components("Nfe", &fiscal::nfe::describe::members(), LeftOut::Unsaid);
        let text = Value::Object(made.clone()).to_string();
        for target in text.split("#/components/schemas/").skip(1) {
            let name = target.split('"').next().unwrap();
            assert!(made.contains_key(name), "{name}");
        }
        let root = &made["NfeNota"];
        assert_eq!(root["required"], json!(["identificacao", "destinatario", "produtos", "pagamentos"]));
        assert_eq!(root["properties"]["produtos"]["maxItems"], 990);
        assert_eq!(made["NfeProdutos"]["properties"]["NCM"]["type"], json!(["string", "integer"]));
        assert_eq!(made["NfeIdentificacao"]["properties"]["natOp"]["maxLength"], 60);
        assert_eq!(
            made["NfeProdutosIbscbsIbsUf"]["properties"]["aliquota"]["type"],
            json!(["number", "string", "null"])
        );
    }

    #[test]
    fn a_bare_value_may_stand_where_the_service_takes_one_for_a_group() {
        let made = components("Cte", &fiscal::cte::describe::members(), LeftOut::Unsaid);
        for (group, member, format) in [
            ("CteDocumentos", "nfe", None),
            ("CteNota", "complementado", None),
            ("CteNota", "autXML", Some("cpf-cnpj")),
        ] {
            let items = &made[group]["properties"][member]["items"]["anyOf"];
            assert!(
                items[0]["$ref"].is_string() && items[1]["type"].to_string().contains("string"),
                "{member}: {items}"
            );
            assert_eq!(items[1]["format"].as_str(), format, "{member}: {items}");
        }
    }

    #[test]
    fn a_group_that_may_be_left_out_is_shown_and_none_of_its_members_must_stand_beside_it() {
        let made = components("Nfse", &fiscal::nfse::describe::members(), LeftOut::Shown);
        let serv = &made["NfseServ"];
        assert_eq!(serv.get("required"), None, "cServ may hold them");
        assert_eq!(made["NfseServCServ"]["required"], json!(["cTribNac", "xDescServ"]));
        for place in [&serv["properties"], &made["NfseServCServ"]["properties"]] {
            assert_eq!(place["cTribNac"]["x-tag"], "serv/cServ/cTribNac");
        }
        assert_eq!(made["NfseValoresVServPrest"]["required"], json!(["vServ"]));
        assert_eq!(made["NfseNota"]["required"], json!(["serv", "valores"]));
    }

    #[test]
    fn the_municipal_note_of_the_guide_is_made_of_members_that_are_told() {
        fn told(members: &[GroupMember], value: &Value, path: &str) {
            let Value::Object(given) = value else { return };
            for (name, value) in given {
                let is = |member: &&GroupMember| member.name == name || member.aliases.contains(&name.as_str());
                let member = members.iter().find(is).unwrap_or_else(|| panic!("{path}.{name}"));
                if let MemberBody::Group(inside) = &member.body {
                    told(inside, value, &format!("{path}.{name}"));
                }
            }
        }
        let members = fiscal::abrasf::describe::members();
        let guide: Value =
            serde_json::from_str(include_str!("../../../../../docs/guides/nfse-municipal.json")).unwrap();
        told(&members, &guide["nota"], "nota");
        let made = components("NfseMunicipal", &members, LeftOut::Unsaid);
        assert_eq!(made["NfseMunicipalNota"]["required"], json!(["servico"]));
        assert_eq!(made["NfseMunicipalServico"]["required"], json!(["item_lista_servico", "discriminacao", "valores"]));
        assert_eq!(made["NfseMunicipalNota"]["properties"]["deducao"]["maxItems"], 1_000);
        assert_eq!(made["NfseMunicipalTomador"]["properties"]["cpf_cnpj"]["format"], "cpf-cnpj");
        let rate = &made["NfseMunicipalServicoValores"]["properties"]["aliquota"];
        assert_eq!((&rate["x-casas-decimais"], &rate["x-tag"]), (&json!(4), &json!("Servico/Valores/Aliquota")));
        let item = &made["NfseMunicipalServico"]["properties"]["item_lista_servico"];
        assert_eq!(item.get("enum"), None, "a list of one version is not that of all");
    }

    #[test]
    fn every_bound_of_every_family_is_a_number() {
        for family in crate::api::docs::families::FAMILIES {
            let text = Value::Object(components(family.prefix, &(family.members)(), family.left_out)).to_string();
            for bound in ["minimum", "maximum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems"] {
                assert!(!text.contains(&format!("\"{bound}\":null")), "{}: {bound}", family.prefix);
            }
        }
    }

    #[test]
    fn a_situation_is_written_as_cst_or_csosn_and_a_document_by_its_own_tag() {
        let made = components("Nfe", &fiscal::nfe::describe::members(), LeftOut::Unsaid);
        let icms = &made["NfeProdutosIcms"];
        assert_eq!(icms.get("required"), None, "CSOSN may stand for CST");
        for tag in ["CST", "CSOSN"] {
            let codes = &icms["properties"][tag]["anyOf"][0]["enum"];
            assert!(codes.as_array().unwrap().contains(&json!("102")), "{tag}: {codes}");
        }
        let addressee = &made["NfeDestinatario"]["properties"];
        assert_eq!((&addressee["CNPJ"]["format"], &addressee["CPF"]["format"]), (&json!("cnpj"), &json!("cpf")));
        assert_eq!(icms["additionalProperties"], true);
    }
}
