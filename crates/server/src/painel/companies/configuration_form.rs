//! The configuration of a document type as a form, made of the table of its members: values as stored, never a secret,
//! and the body of the request that the form makes.

use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use maud::{Markup, html};
use serde_json::{Map, Value, json};
use store::companies::Company;

use super::configuration_words::words;
use super::line_control::{LineControl, LineKind};
use crate::api::empresas::settings::{ConfigurationMember, ConfigurationTable, MemberScope, STORED_SECRETS, ValueType};
use crate::api::error::FieldProblem;
use crate::painel::form::FormFields;
use crate::painel::frame;

/// The configuration of a type, for one environment.
pub(super) struct ConfigurationForm<'a> {
    pub(super) tipo: Tipo,
    pub(super) table: &'static ConfigurationTable,
    /// Environment that the form configures, which becomes the one in use.
    pub(super) target: TpAmb,
    stored: Option<&'a Value>,
}

/// A field of the form.
struct SettingField {
    path: String,
    member: &'static ConfigurationMember,
    scope: MemberScope,
}

/// Members that an empty field never clears: the ledger of numbers needs them.
const NEVER_CLEARED: [&str; 2] = ["serie", "proximo_numero"];

impl<'a> ConfigurationForm<'a> {
    /// The form of a company; without a target, for the environment in use.
    pub(super) fn new(company: &'a Company, tipo: Tipo, target: Option<TpAmb>) -> Option<ConfigurationForm<'a>> {
        let table = ConfigurationTable::of(tipo.word())?;
        let stored = company.configuracoes.get(tipo.word());
        let target = target.unwrap_or_else(|| in_use(company, tipo).unwrap_or(TpAmb::Homologacao));
        Some(ConfigurationForm { tipo, table, target, stored })
    }

    fn fields(&self) -> Vec<SettingField> {
        let members = self.table.members.iter().filter(|member| !matches!(member.kind, ValueType::Environment));
        let flat = members.flat_map(|member| {
            let parts: Vec<SettingField> = match &member.kind {
                ValueType::Group(parts, _) => parts
                    .iter()
                    .map(|part| SettingField {
                        path: format!("{}.{}", member.name, part.name),
                        member: part,
                        scope: member.scope,
                    })
                    .collect(),
                _ => vec![SettingField { path: member.name.to_owned(), member, scope: member.scope }],
            };
            parts
        });
        flat.collect()
    }

    /// Stored value of a field that is no secret.
    fn stored_value(&self, field: &SettingField) -> Option<&'a Value> {
        let stored = self.stored?;
        let home = if field.scope == MemberScope::Both { stored } else { stored.get(self.target.word())? };
        home.pointer(&format!("/{}", field.path.replace('.', "/"))).filter(|value| !value.is_null())
    }

    /// True when a secret is stored for the environment.
    pub(super) fn is_stored(&self, secret: &str) -> bool {
        let names = self.stored.and_then(|stored| stored.get(self.target.word())?.get(STORED_SECRETS)?.as_array());
        names.is_some_and(|names| names.iter().any(|name| name == secret))
    }

    /// True for the name of a field of the form.
    pub(super) fn has_field(&self, name: &str) -> bool {
        self.fields().iter().any(|field| field.path == name)
    }

    /// Members of the request. An empty field clears what is stored; an empty secret keeps it, unless its removal is
    /// asked for.
    pub(super) fn body(&self, typed: &FormFields) -> Map<String, Value> {
        let mut body = Map::from_iter([("ambiente".to_owned(), json!(self.target.word()))]);
        for field in self.fields() {
            let text = typed.text(&field.path).trim();
            let is_removed = field.scope == MemberScope::Secret && typed.text(&removal(&field)) == "sim";
            let clears = is_removed
                || (field.scope != MemberScope::Secret
                    && !NEVER_CLEARED.contains(&field.member.name)
                    && self.stored_value(&field).is_some());
            let value = match (text, &field.member.kind) {
                ("", _) if clears => Value::Null,
                ("", _) => continue,
                ("true", ValueType::Flag) => Value::Bool(true),
                ("false", ValueType::Flag) => Value::Bool(false),
                (text, ValueType::Percent) => json!(text.replace(',', ".")),
                (text, _) => json!(text),
            };
            match field.path.split_once('.') {
                Some((group, part)) => {
                    let group = body.entry(group).or_insert_with(|| Value::Object(Map::new()));
                    if let Some(group) = group.as_object_mut() {
                        group.insert(part.to_owned(), value);
                    }
                }
                None => drop(body.insert(field.path, value)),
            }
        }
        body
    }

    /// The fields: those of both environments, then those of the one that the form configures.
    pub(super) fn show(&self, typed: Option<&FormFields>, problems: &[FieldProblem]) -> Markup {
        let (both, own): (Vec<SettingField>, Vec<SettingField>) =
            self.fields().into_iter().partition(|field| field.scope == MemberScope::Both);
        html! {
            fieldset {
                legend { "Só da " (frame::name(self.target)) }
                div class="campos-lado" { @for field in &own { (self.field(field, typed, problems)) } }
            }
            fieldset {
                legend { "Nos dois ambientes" }
                div class="campos-lado" { @for field in &both { (self.field(field, typed, problems)) } }
            }
        }
    }

    fn field(&self, field: &SettingField, typed: Option<&FormFields>, problems: &[FieldProblem]) -> Markup {
        let Some(words) = words(self.tipo, &field.path) else { return html! {} };
        if field.scope == MemberScope::Secret {
            return self.secret(field, [words.label, words.meaning, words.source], problems);
        }
        let value = match typed {
            Some(typed) => typed.text(&field.path).to_owned(),
            None => self.initial(field),
        };
        let kind = if words.choices.is_empty() { LineKind::Text(255) } else { LineKind::Choice(words.choices) };
        let about = [words.meaning, words.source];
        LineControl { name: &field.path, label: words.label, about: &about, value: &value, kind, is_required: false }
            .show(problems)
    }

    /// Value of a field before anything is typed.
    fn initial(&self, field: &SettingField) -> String {
        match self.stored_value(field) {
            // the number as it was configured, not the next one
            _ if field.member.name == "proximo_numero" => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None if field.path == "serie" => "1".to_owned(),
            None => String::new(),
        }
    }

    fn secret(&self, field: &SettingField, [label, meaning, source]: [&str; 3], problems: &[FieldProblem]) -> Markup {
        let is_stored = self.is_stored(field.member.name);
        let state = if is_stored {
            "Guardado, e nunca mostrado. Em branco, fica como está; escreva para substituir."
        } else {
            ""
        };
        let about = [meaning, source, state];
        let control = LineControl {
            name: &field.path,
            label,
            about: &about,
            value: "",
            kind: LineKind::Secret,
            is_required: false,
        };
        html! {
            div {
                (control.show(problems))
                @if is_stored {
                    label class="opcao" { input type="checkbox" name=(removal(field)) value="sim"; " Apagar o que está guardado" }
                }
            }
        }
    }
}

/// Name of the box that removes a secret.
fn removal(field: &SettingField) -> String {
    format!("apagar:{}", field.path)
}

/// Environment in use of a type, where it is configured.
pub(super) fn in_use(company: &Company, tipo: Tipo) -> Option<TpAmb> {
    let code = company.configuracoes.get(tipo.word())?["ambiente"].as_u64()?;
    Some(if code == 1 { TpAmb::Producao } else { TpAmb::Homologacao })
}

#[cfg(test)]
mod tests {
    use super::super::TIPOS;
    use super::*;
    use fiscal::value::CnpjCpf;

    fn company(configuracoes: Value) -> Company {
        let Value::Object(configuracoes) = configuracoes else { panic!("no object") };
        let cpf_cnpj = CnpjCpf::parse("11222333000181").unwrap();
        let (dados, certificado, certificate_id) = (json!({}), None, None);
        Company { cpf_cnpj, dados, configuracoes, certificado, certificate_id, criado_em: 0, atualizado_em: 0 }
    }

    #[test]
    fn every_member_of_every_type_has_words() {
        let company = company(json!({}));
        for tipo in TIPOS {
            for field in ConfigurationForm::new(&company, tipo, None).unwrap().fields() {
                let found = words(tipo, &field.path).unwrap_or_else(|| panic!("{tipo:?} {}", field.path));
                assert!(!found.label.is_empty() && !found.meaning.is_empty(), "{}", field.path);
                for (code, _) in found.choices.iter().filter(|(code, _)| !code.is_empty()) {
                    let given = match field.member.kind {
                        ValueType::Flag => json!(*code == "true"),
                        _ => json!(code),
                    };
                    assert!(field.member.read(&given).is_ok(), "{} {code}", field.path);
                }
            }
        }
    }

    #[test]
    fn an_empty_field_clears_only_what_may_be_cleared() {
        let own = json!({ "serie": "7", "csc_id": "1", "segredos_guardados": ["csc"] });
        let company = company(json!({ "nfce": { "ambiente": 2, "contingencia": "nenhuma", "homologacao": own } }));
        let form = ConfigurationForm::new(&company, Tipo::Nfce, None).unwrap();
        let body = form.body(&FormFields::parse(b"serie=&csc=&csc_id=&contingencia=&qr_versao=3", 64));
        assert_eq!(
            Value::Object(body),
            json!({ "ambiente": "homologacao", "contingencia": null, "csc_id": null, "qr_versao": "3" })
        );
        let body = form.body(&FormFields::parse(b"apagar:csc=sim", 64));
        assert_eq!(body["csc"], Value::Null);
        let live = ConfigurationForm::new(&company, Tipo::Nfce, Some(TpAmb::Producao)).unwrap();
        assert!(form.is_stored("csc") && !live.is_stored("csc"));
        assert_eq!(live.body(&FormFields::parse(b"serie=2", 64))["ambiente"], "producao");
    }
}
