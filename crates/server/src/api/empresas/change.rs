//! A change of a document type's configuration: the members of a request, merged into the stored ones.
//!
//! Law: `docs/contract.md`, "Environments". Some members are stored per environment; `ambiente` selects the one in use.
//! Members absent from a request stay, null clears. An answer shows the members of the environment in use at the top
//! and both environments below.

use fiscal::value::{Serie, TpAmb};
use serde_json::{Map, Value, json};
use store::companies::{self, Company, CompanyConfiguration, CompanySecret};
use store::numbers::{NumberedKind, Series};
use zeroize::Zeroizing;

use super::settings::{ConfigurationMember, ConfigurationTable, MemberScope, STORED_SECRETS, ValueError, ValueType};
use crate::api::body::BodyFields;
use crate::api::error::ApiError;
use crate::api::error_code;

/// A request, read and checked.
pub(super) struct ConfigurationChange {
    of: &'static ConfigurationTable,
    ambiente: Option<TpAmb>,
    /// Members stored once; null clears.
    both: Map<String, Value>,
    /// Members stored per environment; null clears.
    own: Map<String, Value>,
    secrets: Vec<(&'static str, Option<Zeroizing<String>>)>,
}

/// Configuration that decides between the national layout and a municipal provider for a company's NFS-e.
pub(super) struct NfseRouting {
    /// Configured provider.
    provedor: Option<String>,
    /// Series of the environment in use.
    serie: Option<String>,
    /// IBGE code of the issuing município.
    municipio: Option<u32>,
}

impl NfseRouting {
    /// The series, when it has a letter, which the national layout does not allow.
    pub(super) fn series_with_letters(&self) -> Option<&str> {
        self.serie.as_deref().filter(|serie| serie.bytes().any(|letter| letter.is_ascii_alphabetic()))
    }

    /// True when the configured provider takes the national layout; `None` without a configured provider.
    pub(super) fn is_national(&self) -> Option<bool> {
        self.provedor.as_deref().map(|provedor| NATIONAL.contains(&provedor))
    }

    /// The município, which decides when no provider is configured.
    pub(super) fn municipio(&self) -> Option<u32> {
        self.municipio
    }
}

impl ConfigurationChange {
    /// Reads a body and reports all its problems together. `unknown` returns the reason when no table has a provider of
    /// this name.
    pub(super) fn read(
        of: &'static ConfigurationTable,
        body: &Map<String, Value>,
        unknown: impl Fn(&str) -> Option<String>,
    ) -> Result<ConfigurationChange, ApiError> {
        let mut change =
            ConfigurationChange { of, ambiente: None, both: Map::new(), own: Map::new(), secrets: Vec::new() };
        let mut fields = BodyFields::of(body);
        for member in of.members {
            if let Some(value) = member.given(body) {
                change.read_member(member, value, &mut fields);
            }
            if let (ValueType::Provider, Some(name)) = (&member.kind, change.provedor())
                && let Some(why) = unknown(name)
            {
                fields.refuse(&error_code::VALIDACAO, member.name, format!("{} inválido: {why}.", member.name));
            }
        }
        change.check_regime(&mut fields);
        fields.finish()?;
        change.ambiente = change.both.get("ambiente").and_then(Value::as_u64).map(environment);
        Ok(change)
    }

    /// Checks the regime of a body: `regApTribSN` is allowed for ME/EPP of the Simples only (E0162).
    fn check_regime(&self, fields: &mut BodyFields<'_>) {
        let Some(regime) = self.both.get("regime") else { return };
        let assessed = regime.get("regApTribSN").filter(|given| !given.is_null());
        let simples = regime.get("opSimpNac").and_then(Value::as_u64);
        if assessed.is_some() && matches!(simples, Some(1 | 2)) {
            let mensagem = "regApTribSN é só de ME/EPP (opSimpNac 3): retire-o, ou envie null.";
            fields.refuse(&error_code::VALIDACAO, "regime.regApTribSN", mensagem);
        }
    }

    fn read_member(&mut self, member: &'static ConfigurationMember, value: &Value, fields: &mut BodyFields<'_>) {
        match (member.scope, &member.kind) {
            (MemberScope::Secret, ValueType::Group(parts, _)) => self.read_secrets(member, parts, value, fields),
            (MemberScope::Secret, _) => {
                if let Some(read) = read(member, "", value, fields) {
                    self.add_secret(member.name, &read);
                }
            }
            (scope, kind) => {
                let read = match kind {
                    ValueType::Group(parts, _) => Some(read_group(member, parts, value, fields)),
                    _ => read(member, "", value, fields),
                };
                let kept = if scope == MemberScope::Both { &mut self.both } else { &mut self.own };
                kept.extend(read.map(|read| (member.name.to_owned(), read)));
            }
        }
    }

    fn read_secrets(
        &mut self,
        group: &'static ConfigurationMember,
        parts: &'static [ConfigurationMember],
        value: &Value,
        fields: &mut BodyFields<'_>,
    ) {
        for part in parts {
            let given = match value {
                Value::Null => Some(Value::Null),
                Value::Object(given) => {
                    part.given(given).and_then(|value| read(part, &format!("{}.", group.name), value, fields))
                }
                _ => None,
            };
            if let Some(given) = given {
                self.add_secret(part.name, &given);
            }
        }
        must_be_object(group, value, fields);
    }

    fn add_secret(&mut self, name: &'static str, read: &Value) {
        let given = read.as_str().filter(|text| !text.is_empty()).map(|text| Zeroizing::new(text.to_owned()));
        self.secrets.push((name, given));
    }

    /// Requested next number, of a group of members or of the top.
    pub(super) fn starting_number(&self, group: Option<&str>) -> Option<u64> {
        at(&self.own, group)?.get("proximo_numero")?.as_u64()
    }

    /// Requested mode of contingency.
    pub(super) fn contingencia(&self) -> Option<&str> {
        self.both.get("contingencia")?.as_str()
    }

    /// Requested provider of NFS-e.
    fn provedor(&self) -> Option<&str> {
        self.both.get("provedor")?.as_str()
    }

    /// Members that decide the provider of NFS-e, after this change.
    pub(super) fn nfse_routing(&self, company: &Company) -> NfseRouting {
        let stored = company.configuracoes.get(self.of.tipo).and_then(Value::as_object).cloned().unwrap_or_default();
        let own = self.environment_members(self.ambiente_of(&stored), &stored);
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        let both = |name: &str| self.both.get(name).or_else(|| stored.get(name));
        let of_record = || company.dados.pointer("/endereco/codigo_municipio");
        let municipio = text(both("codigo_municipio").or_else(of_record)).and_then(|codigo| codigo.parse().ok());
        NfseRouting { provedor: text(both("provedor")), serie: text(own.get("serie")), municipio }
    }

    fn ambiente_of(&self, stored: &Map<String, Value>) -> TpAmb {
        let ambiente = self.ambiente.or_else(|| stored.get("ambiente")?.as_u64().map(environment));
        ambiente.unwrap_or(TpAmb::Homologacao)
    }

    /// The configuration of a company after this change.
    pub(super) fn configuration_after(&self, company: &Company) -> companies::CompanyChange {
        let stored = company.configuracoes.get(self.of.tipo).and_then(Value::as_object).cloned().unwrap_or_default();
        let ambiente = self.ambiente_of(&stored);
        let own = self.environment_members(ambiente, &stored);
        let provedor = self.both.get("provedor").or_else(|| stored.get("provedor")).and_then(Value::as_str);
        let sequences = self.sequences(company, ambiente, &own, provedor);
        let configuracao = self.whole(company, ambiente, stored, own);
        let secrets = self
            .secrets
            .iter()
            .map(|(nome, given)| (CompanySecret { tipo: self.of.tipo, ambiente, nome }, given.clone()));
        let secrets = secrets.collect();
        companies::CompanyChange::Configuration(CompanyConfiguration {
            tipo: self.of.tipo,
            configuracao,
            secrets,
            sequences,
        })
    }

    /// Stored members of the environment of this change, with the change applied.
    fn environment_members(&self, ambiente: TpAmb, stored: &Map<String, Value>) -> Map<String, Value> {
        let mut own = stored.get(ambiente.word()).and_then(Value::as_object).cloned().unwrap_or_default();
        merge_members(&self.own, &mut own);
        own.entry("serie").or_insert_with(|| json!("1"));
        own.entry("proximo_numero").or_insert_with(|| json!(1));
        if let Some(flag) = self.of.flag() {
            let mut kept: Vec<String> =
                own.get(STORED_SECRETS).and_then(|kept| serde_json::from_value(kept.clone()).ok()).unwrap_or_default();
            for (name, given) in &self.secrets {
                kept.retain(|known| known != name);
                kept.extend(given.as_ref().map(|_| (*name).to_owned()));
            }
            own.insert(flag.to_owned(), json!(!kept.is_empty()));
            own.insert(STORED_SECRETS.to_owned(), json!(kept));
        }
        own
    }

    /// Number sequences of the configured series, with their first numbers.
    fn sequences(
        &self,
        company: &Company,
        ambiente: TpAmb,
        own: &Map<String, Value>,
        provedor: Option<&str>,
    ) -> Vec<(Series, u64)> {
        let sequence = |(group, counted)| {
            // without a provider or a number only the national layout gets a sequence; an RPS creates its own later
            let is_asked = self.starting_number(group).is_some() || counted != NumberedKind::Rps || provedor.is_some();
            if !is_asked || !uses_sequence(counted, provedor) {
                return None;
            }
            let serie = serie(own, group)?;
            let series = Series { cpf_cnpj: company.cpf_cnpj, counted, serie, ambiente };
            Some((series, self.starting_number(group).unwrap_or(1)))
        };
        self.of.sequences().filter_map(sequence).collect()
    }

    fn whole(
        &self,
        company: &Company,
        ambiente: TpAmb,
        mut stored: Map<String, Value>,
        own: Map<String, Value>,
    ) -> Value {
        merge_members(&self.both, &mut stored);
        stored.insert("ambiente".to_owned(), json!(if ambiente == TpAmb::Producao { 1 } else { 2 }));
        for member in self.of.members {
            let value = match member.scope {
                MemberScope::Secret => continue,
                MemberScope::Environment => own.get(member.name).cloned(),
                MemberScope::Both => stored.get(member.name).filter(|value| !value.is_null()).cloned(),
            };
            let of_record = || member.from_record.and_then(|pointer| company.dados.pointer(pointer)).cloned();
            stored.insert(member.name.to_owned(), value.or_else(of_record).unwrap_or_default());
        }
        for name in self.of.flag().into_iter().chain(self.of.flag().map(|_| STORED_SECRETS)) {
            stored.insert(name.to_owned(), own.get(name).cloned().unwrap_or_default());
        }
        stored.insert(ambiente.word().to_owned(), Value::Object(own));
        Value::Object(stored)
    }
}

/// A configuration as a credential of an environment sees it. For homologação the members of the environment in use are
/// its own, and production's part is absent (`docs/contract.md`, "Environments"); `ambiente` stays, since it explains
/// why a change is refused.
pub(super) fn shown(tipo: &str, stored: &Value, to: TpAmb) -> Value {
    let mut shown = stored.clone();
    if let (TpAmb::Homologacao, Some(of), Some(members)) = (to, ConfigurationTable::of(tipo), shown.as_object_mut())
        && members.remove(TpAmb::Producao.word()).is_some()
    {
        let own = members.get(TpAmb::Homologacao.word()).and_then(Value::as_object).cloned();
        let own = own.unwrap_or_else(|| initial_members(of, members.get("serie").cloned()));
        for name in of.of_environment() {
            members.insert(name.to_owned(), own.get(name).cloned().unwrap_or_default());
        }
    }
    shown
}

/// Members of homologação before it is configured: the series of the company, from number 1 on.
fn initial_members(of: &ConfigurationTable, serie: Option<Value>) -> Map<String, Value> {
    let flag = of.flag().map(|flag| (flag, json!(false)));
    let rest = [("serie", serie.unwrap_or_default()), ("proximo_numero", json!(1)), (STORED_SECRETS, json!([]))];
    rest.into_iter().chain(flag).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Sequences in use of a stored configuration, with the group of members that configures each.
pub(super) fn series_in_use(of: &ConfigurationTable, company: &Company) -> Vec<(Option<&'static str>, Series)> {
    let stored = company.configuracoes.get(of.tipo).and_then(Value::as_object);
    let in_use = |(group, counted)| {
        let stored = stored?;
        if !uses_sequence(counted, stored.get("provedor").and_then(Value::as_str)) {
            return None;
        }
        let ambiente = environment(stored.get("ambiente")?.as_u64()?);
        let serie = serie(stored, group)?;
        Some((group, Series { cpf_cnpj: company.cpf_cnpj, counted, serie, ambiente }))
    };
    of.sequences().filter_map(in_use).collect()
}

/// True when a company may use this kind of sequence. NFS-e use DPS or RPS by the provider; without one both are
/// possible, since the município decides.
fn uses_sequence(counted: NumberedKind, provedor: Option<&str>) -> bool {
    let is_national = provedor.is_none_or(|provedor| NATIONAL.contains(&provedor));
    match counted {
        NumberedKind::Dps => is_national,
        NumberedKind::Rps => !is_national || provedor.is_none(),
        _ => true,
    }
}

/// Providers that accept a DPS.
const NATIONAL: [&str; 2] = ["nacional", "nacional_propria"];

/// Members of the top, or of a group that is present.
fn at<'m>(members: &'m Map<String, Value>, group: Option<&str>) -> Option<&'m Map<String, Value>> {
    match group {
        None => Some(members),
        Some(group) => members.get(group)?.as_object(),
    }
}

/// Series of a group; a group without one uses the series of the top.
fn serie(members: &Map<String, Value>, group: Option<&str>) -> Option<Serie> {
    let own = at(members, group)?.get("serie").filter(|serie| !serie.is_null());
    Serie::parse(own.or_else(|| members.get("serie"))?.as_str()?).ok()
}

/// A value in its stored form; null and an empty text clear.
fn read(
    member: &'static ConfigurationMember,
    group: &str,
    value: &Value,
    fields: &mut BodyFields<'_>,
) -> Option<Value> {
    let is_empty = value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty());
    if is_empty {
        return Some(Value::Null);
    }
    let campo = format!("{group}{}", member.name);
    match member.read(value) {
        Ok(read) => return Some(read),
        Err(ValueError::Form(mensagem)) => fields.refuse(&error_code::REQUISICAO_INVALIDA, &campo, mensagem),
        Err(ValueError::Meaning(mensagem)) => fields.refuse(&error_code::VALIDACAO, &campo, mensagem),
    }
    None
}

fn read_group(
    group: &'static ConfigurationMember,
    parts: &'static [ConfigurationMember],
    value: &Value,
    fields: &mut BodyFields<'_>,
) -> Value {
    must_be_object(group, value, fields);
    let Some(given) = value.as_object() else { return Value::Null };
    let mut read_parts = Map::new();
    for part in parts {
        let value = part.given(given).and_then(|value| read(part, &format!("{}.", group.name), value, fields));
        if let Some(value) = value {
            read_parts.insert(part.name.to_owned(), value);
        }
    }
    Value::Object(read_parts)
}

fn must_be_object(group: &'static ConfigurationMember, value: &Value, fields: &mut BodyFields<'_>) {
    if !value.is_object() && !value.is_null() {
        let mensagem = format!("{} deve ser um objeto: {{ … }}.", group.name);
        fields.refuse(&error_code::REQUISICAO_INVALIDA, group.name, mensagem);
    }
}

/// Merges members: absent ones stay, null removes; also within a group.
fn merge_members(given: &Map<String, Value>, over: &mut Map<String, Value>) {
    for (name, value) in given {
        match (value, over.get_mut(name).and_then(Value::as_object_mut)) {
            (Value::Null, _) => drop(over.remove(name)),
            (Value::Object(group), Some(into)) => merge_members(group, into),
            (value, _) => drop(over.insert(name.clone(), value.clone())),
        }
    }
}

fn environment(code: u64) -> TpAmb {
    if code == 1 { TpAmb::Producao } else { TpAmb::Homologacao }
}

#[cfg(test)]
mod tests {
    use super::super::settings::{CTE, NFCE, NFE, NFSE};
    use super::*;
    use fiscal::value::CnpjCpf;

    fn company(of: &ConfigurationTable, stored: Value) -> Company {
        Company {
            cpf_cnpj: CnpjCpf::parse("11222333000181").unwrap(),
            dados: json!({ "crt": 3, "inscricao_municipal": "123", "endereco": { "codigo_municipio": "3550308" } }),
            configuracoes: if stored.is_null() { Map::new() } else { Map::from_iter([(of.tipo.to_owned(), stored)]) },
            certificado: None,
            certificate_id: None,
            criado_em: 0,
            atualizado_em: 0,
        }
    }

    fn apply(of: &'static ConfigurationTable, stored: Value, change: Value) -> CompanyConfiguration {
        let change = ConfigurationChange::read(of, change.as_object().unwrap(), |_| None).unwrap();
        match change.configuration_after(&company(of, stored)) {
            companies::CompanyChange::Configuration(made) => made,
            companies::CompanyChange::Record(_) => panic!("a record"),
        }
    }

    fn refused(of: &'static ConfigurationTable, change: Value) -> Vec<String> {
        let error = ConfigurationChange::read(of, change.as_object().unwrap(), |_| None).err().unwrap().body("/", "id");
        let campos = error["erros"].as_array().unwrap().iter().map(|erro| erro["campo"].as_str().unwrap().to_owned());
        campos.collect()
    }

    #[test]
    fn an_empty_configuration_is_homologacao_series_1_with_the_regime_of_the_company() {
        let made = apply(&NFE, Value::Null, json!({}));
        assert_eq!(
            made.configuracao,
            json!({"ambiente": 2, "crt": 3, "serie": "1", "proximo_numero": 1, "contingencia": null, "layout_danfe": null,
            "homologacao": {"serie": "1", "proximo_numero": 1}})
        );
        let (series, next) = made.sequences[0];
        assert_eq!(
            (series.counted, series.serie, series.ambiente, next),
            (NumberedKind::Nfe, Serie::from(1), TpAmb::Homologacao, 1)
        );
    }

    #[test]
    fn each_environment_keeps_its_series_and_number() {
        let test = apply(&NFE, Value::Null, json!({ "ambiente": 2, "serie": 7, "proximo_numero": 50 })).configuracao;
        let live = apply(&NFE, test, json!({ "ambiente": "producao", "serie": "2" })).configuracao;
        assert_eq!((&live["ambiente"], &live["serie"], &live["proximo_numero"]), (&json!(1), &json!("2"), &json!(1)));
        let back = apply(&NFE, live, json!({ "ambiente": 2 })).configuracao;
        assert_eq!((&back["serie"], &back["proximo_numero"]), (&json!("7"), &json!(50)));
    }

    #[test]
    fn a_cte_os_counts_in_a_series_of_its_own_once_it_is_named() {
        let made = apply(&CTE, Value::Null, json!({ "serie": 4 }));
        assert_eq!((made.sequences.len(), &made.configuracao["cte_os"]), (1, &Value::Null));
        let made = apply(&CTE, made.configuracao, json!({ "cte_os": { "proximo_numero": 30 } }));
        let (series, next) = made.sequences[1];
        assert_eq!((series.counted, series.serie, next), (NumberedKind::CteOs, Serie::from(4), 30));
        let made = apply(&CTE, made.configuracao, json!({ "cte_os": { "serie": 9 } }));
        assert_eq!(made.configuracao["cte_os"], json!({ "serie": "9", "proximo_numero": 30 }));
        assert_eq!(made.sequences[1].0.serie, Serie::from(9));
        let live = apply(&CTE, made.configuracao, json!({ "ambiente": 1 }));
        assert_eq!(live.configuracao["cte_os"], Value::Null, "of the other environment");
        assert_eq!(refused(&CTE, json!({ "cte_os": { "serie": 1000 } })), ["cte_os.serie"]);
    }

    #[test]
    fn every_wrong_member_is_named() {
        let wrong = json!({ "ambiente": 3, "crt": 0, "serie": "1000", "proximo_numero": 0 });
        assert_eq!(refused(&NFE, wrong), ["ambiente", "crt", "serie", "proximo_numero"]);
        let wrong = json!({ "csc": "x".repeat(51), "csc_id": "x".repeat(11) });
        assert_eq!(refused(&NFCE, wrong), ["csc_id", "csc"]);
        assert_eq!(refused(&CTE, json!({ "rntrc": "123", "taf": "1" })), ["rntrc", "taf"]);
        assert_eq!(refused(&CTE, json!({ "rntrc": "112345678" })), ["rntrc"]);
        for printed in [json!("012345678"), json!("01.234.567-8"), json!(12_345_678)] {
            assert_eq!(apply(&CTE, Value::Null, json!({ "rntrc": printed })).configuracao["rntrc"], "12345678");
        }
        let wrong = json!({ "codigo_municipio": "9999999", "provedor": "x", "url_producao": "http://a", "regime": { "opSimpNac": 4 },
            "incentivo_fiscal": "sim", "prefeitura": { "login": [] } });
        let named = [
            "codigo_municipio",
            "provedor",
            "url_producao",
            "regime.opSimpNac",
            "incentivo_fiscal",
            "prefeitura.login",
        ];
        assert_eq!(refused(&NFSE, wrong), named);
        let wrong = json!({ "serie": 0, "percentual_simples": 6.001, "regime": { "opSimpNac": 1, "regApTribSN": 2 } });
        assert_eq!(refused(&NFSE, wrong), ["serie", "percentual_simples", "regime.regApTribSN"]);
        for percentual in [json!("100.01"), json!("-1"), json!("1e1"), json!(true), json!("seis")] {
            assert_eq!(refused(&NFSE, json!({ "serie": 50_000, "percentual_simples": percentual })).len(), 2);
        }
    }

    #[test]
    fn the_share_of_the_simples_is_kept_with_two_decimals() {
        for (given, kept) in
            [(json!(6), "6.00"), (json!("6.5"), "6.50"), (json!(0), "0.00"), (json!("100.00"), "100.00")]
        {
            let made = apply(&NFSE, Value::Null, json!({ "percentual_simples": given })).configuracao;
            assert_eq!(made["percentual_simples"], kept);
        }
    }

    #[test]
    fn a_secret_leaves_only_its_name_and_each_environment_has_its_own() {
        let made = apply(&NFCE, Value::Null, json!({ "csc_id": 1, "csc": " s3gredo " }));
        assert!(!made.configuracao.to_string().contains("s3gredo"));
        assert_eq!(made.configuracao["csc_configurado"], true);
        assert_eq!(made.configuracao["csc_id"], "1");
        let [(secret, Some(plain))] = made.secrets.as_slice() else { panic!("one secret") };
        assert_eq!((secret.nome, secret.ambiente, plain.as_str()), ("csc", TpAmb::Homologacao, "s3gredo"));
        let live = apply(&NFCE, made.configuracao, json!({ "ambiente": 1 })).configuracao;
        assert_eq!((&live["csc_configurado"], &live["csc_id"]), (&json!(false), &Value::Null));
        assert_eq!(live["homologacao"]["csc_configurado"], true);
        let cleared = apply(&NFCE, live, json!({ "ambiente": 2, "csc": null }));
        assert_eq!(cleared.configuracao["csc_configurado"], false);
        assert!(matches!(cleared.secrets.as_slice(), [(_, None)]));
    }

    #[test]
    fn credentials_and_regime_are_changed_part_by_part() {
        let first =
            json!({ "prefeitura": { "login": "a", "senha": "b" }, "regime": { "opSimpNac": 3, "regEspTrib": 0 } });
        let made = apply(&NFSE, Value::Null, first).configuracao;
        assert_eq!((&made["codigo_municipio"], &made["inscricao_municipal"]), (&json!("3550308"), &json!("123")));
        let next = json!({ "prefeitura": { "login": null }, "regime": { "regApTribSN": "1", "regEspTrib": null } });
        let made = apply(&NFSE, made, next).configuracao;
        assert_eq!(made["regime"], json!({ "opSimpNac": 3, "regApTribSN": 1 }));
        assert_eq!((&made["credenciais_configuradas"], &made[STORED_SECRETS]), (&json!(true), &json!(["senha"])));
        let made = apply(&NFSE, made, json!({ "prefeitura": null })).configuracao;
        assert_eq!(made["credenciais_configuradas"], false);
    }
}
