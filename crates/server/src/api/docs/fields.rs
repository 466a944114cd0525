//! The page of a family's `nota`: every group and member of the layout, under the contract's names.

use std::fmt::Write as _;

use fiscal::layout::Simple;
use fiscal::map::{GroupMember, MemberBody, ValueKind, value_kind};

use super::families::FamilyFields;
use super::markdown::{escaped, inline};
use super::nota::describe;
use super::page::frame;

/// The page.
pub(super) fn page(family: &FamilyFields) -> String {
    let members = (family.members)();
    let body = format!(
        "<h1>Campos {of}</h1><p>Tudo o que <code>nota</code> aceita, gerado do leiaute oficial. Os nomes são os do contrato; a tag oficial, em \
         cinza, também é aceita. Números valem como número ou texto e são lidos com exatidão; códigos, com ou sem zeros à esquerda; documentos, CEP e \
         telefone, com ou sem máscara. O que falta e o serviço conhece é preenchido; o que foi assumido aparece em <code>avisos</code>. Campo \
         desconhecido é ignorado e apontado.</p>",
        of = family.of
    );
    let mut contents = Vec::new();
    let (values, groups): (Vec<&GroupMember>, Vec<&GroupMember>) =
        members.iter().partition(|member| matches!(member.body, MemberBody::Value(_)));
    let mut writer = FieldsPage { body, models: family.models };
    writer.table("", &values);
    for member in groups {
        contents.push((2, member.name.to_owned(), member.name.to_owned()));
        writer.group("", member, 2);
    }
    let body = writer.body;
    frame(&format!("Campos {}", family.of), &format!("/docs/guia/campos-{}", family.page), &body, &contents)
}

/// The page so far, and the models that it applies to.
struct FieldsPage {
    body: String,
    models: &'static str,
}

impl FieldsPage {
    /// A group: its own values in one table, then its groups.
    fn group(&mut self, outer: &str, member: &GroupMember, level: usize) {
        let MemberBody::Group(members) = &member.body else { return };
        let path = path(outer, member);
        let id = path.replace("[]", "");
        let level = level.min(5);
        let _ = write!(
            self.body,
            "<h{level} id=\"{id}\" data-modelos=\"{}\"><a href=\"#{id}\">{path}</a></h{level}><p>{} <span class=\"tag\">{}</span>{}</p>",
            self.models,
            escaped(&describe(member)),
            escaped(&member.tag),
            names(member)
        );
        if member.max > 1 && member.max != u32::MAX {
            let _ = write!(self.body, "<p>Até {} ocorrências.</p>", member.max);
        }
        let (values, groups): (Vec<&GroupMember>, Vec<&GroupMember>) =
            members.iter().partition(|member| matches!(member.body, MemberBody::Value(_)));
        let outer = format!("{path}.");
        self.table(&outer, &values);
        groups.iter().for_each(|inner| self.group(&outer, inner, level + 1));
    }

    fn table(&mut self, outer: &str, members: &[&GroupMember]) {
        if members.is_empty() {
            return;
        }
        self.body.push_str(
            "<div class=\"tabela\"><table class=\"campos\"><tr><th>Campo</th><th>Tipo</th><th>Descrição</th></tr>",
        );
        for member in members {
            let MemberBody::Value(types) = &member.body else { continue };
            let path = path(outer, member);
            let _ = write!(
                self.body,
                "<tr id=\"{}\" data-titulo=\"{path}\" data-modelos=\"{}\"><td><code>{}</code><span class=\"tag\">{}</span></td><td>{}</td><td>{}{}</td></tr>",
                path.replace("[]", ""),
                self.models,
                path.rsplit('.').next().unwrap_or(&path),
                escaped(&member.tag),
                kinds(&member.tag, types),
                escaped(&describe(member)),
                names(member)
            );
        }
        self.body.push_str("</table></div>");
    }
}

/// Path of a member in `nota`, with lists marked.
fn path(outer: &str, member: &GroupMember) -> String {
    let list = if member.max > 1 { "[]" } else { "" };
    format!("{outer}{}{list}", member.name)
}

fn names(member: &GroupMember) -> String {
    let others: Vec<String> = member.aliases.iter().map(|name| format!("<code>{name}</code>")).collect();
    if others.is_empty() { String::new() } else { format!(" Também: {}.", others.join(", ")) }
}

fn kinds(tag: &str, types: &[&'static Simple]) -> String {
    let tag = tag.rsplit('/').next().unwrap_or(tag);
    let mut words: Vec<String> = Vec::new();
    let mut codes: Vec<&'static str> = Vec::new();
    for simple in types {
        let kind = value_kind(tag, simple);
        if kind == ValueKind::Code {
            simple.values.iter().for_each(|code| {
                if !codes.contains(code) {
                    codes.push(code);
                }
            });
        }
        let word = word(kind, simple);
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let mut text = words.join(" ou ");
    if !codes.is_empty() {
        let list = codes.iter().map(|code| format!("`{code}`")).collect::<Vec<_>>().join(" ");
        let list = inline(&list);
        let long = codes.len() > SHORT_LIST;
        let _ = if long {
            write!(text, "<details><summary>{} valores</summary>{list}</details>", codes.len())
        } else {
            write!(text, ": {list}")
        };
    }
    text
}

fn word(kind: ValueKind, simple: &Simple) -> String {
    let length = match (simple.min_length, simple.max_length) {
        (Some(min), Some(max)) if min == max => format!(", {max} caracteres"),
        (Some(min), Some(max)) => format!(", {min} a {max} caracteres"),
        (None, Some(max)) => format!(", até {max} caracteres"),
        _ => String::new(),
    };
    let word = match kind {
        ValueKind::Decimal { decimals } => return format!("número, até {decimals} casas"),
        ValueKind::Code => return "código".to_owned(),
        ValueKind::Cnpj => return "CNPJ".to_owned(),
        ValueKind::Cpf => return "CPF".to_owned(),
        ValueKind::StateRegistration => return "inscrição estadual".to_owned(),
        ValueKind::Date => return "data (AAAA-MM-DD)".to_owned(),
        ValueKind::Instant => return "data e hora".to_owned(),
        ValueKind::Plate => return "placa, com ou sem hífen".to_owned(),
        ValueKind::Country => return "país (ISO 3166, duas letras)".to_owned(),
        ValueKind::Digits => "dígitos",
        ValueKind::Integer => "inteiro",
        ValueKind::Text => "texto",
    };
    match simple.patterns {
        [pattern] if !matches!(kind, ValueKind::Text) => {
            format!("{word} <code>{}</code>{length}", escaped(pattern.source))
        }
        _ => format!("{word}{length}"),
    }
}

/// Largest list of codes that is not folded.
const SHORT_LIST: usize = 12;
