//! Compilation of a row from the keys of a table; every error names its key.

use super::{ArgumentEncoding, CredentialKind, ProviderRow, SoapVersion, mode_of, unit_of};
use crate::abrasf::file::KeyReader;
use crate::abrasf::operation::AbrasfOperation;
use crate::table::key_path::{InvalidTable, KeyPath};
use fiscal::abrasf::{AbrasfVersion, IdAttribute, ItemMask, SignedParts, SubmissionMode};
use std::collections::{BTreeMap, BTreeSet};
use toml::Value;

/// Every key of a row.
const KEYS: [&str; 32] = [
    "action",
    "actions",
    "aliases",
    "aliquota",
    "aliquota_always",
    "alone",
    "content",
    "credential_arguments",
    "data_argument",
    "data_namespace",
    "declaration",
    "has",
    "header",
    "header_argument",
    "header_in",
    "id_attribute",
    "item",
    "layout",
    "line_break",
    "mode",
    "names",
    "namespace",
    "notes",
    "off",
    "qualified",
    "query_in_pedido",
    "request",
    "signs",
    "signs_homologacao",
    "soap",
    "source",
    "url",
];

/// Parts that can be signed.
const SIGNED: [&str; 7] = ["rps", "lote", "gerar", "cancelamento", "substituicao", "consulta_rps", "consulta_lote"];

/// Compiles a row.
pub(in crate::abrasf) fn compile(
    at: &KeyPath,
    provider: &str,
    version: &str,
    keys: &toml::Table,
) -> Result<ProviderRow, InvalidTable> {
    if let Some(unknown) = keys.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(at.key(unknown).unknown(KEYS));
    }
    let keys = KeyReader { at, keys };
    let layout = match keys.text("layout")? {
        Some(word) => keys.version("layout", &word)?,
        None => AbrasfVersion::parse(version).ok_or_else(|| at.wrong("é uma versão sem leiaute; informe layout"))?,
    };
    let mode = keys.one_of("mode", mode_of, "sincrono, lote, gerar")?.ok_or_else(|| at.key("mode").wrong("falta"))?;
    Ok(ProviderRow {
        provider: provider.to_owned(),
        version: version.to_owned(),
        aliases: keys.list("aliases")?,
        soap: keys.required("soap", soap_of, "1.1, 1.2")?,
        namespace: keys.needed("namespace")?,
        request: keys.needed("request")?,
        names: keys.by_operation("names")?,
        header_argument: keys.text("header_argument")?,
        data_argument: keys.text("data_argument")?,
        credential_arguments: keys.credentials()?,
        qualified: keys.flag("qualified")?,
        content: keys.required("content", content_of, "cdata, escaped, tree")?,
        declaration: keys.flag("declaration")?,
        action: keys.needed("action")?,
        actions: keys.by_operation("actions")?,
        header: keys.text("header")?,
        header_in_soap: keys.one_of("header_in", header_in_soap, "argument, soap")?.unwrap_or(false),
        data_namespace: keys.needed("data_namespace")?,
        layout,
        signs: keys.signs("signs")?.unwrap_or_default(),
        signs_homologacao: keys.signs("signs_homologacao")?,
        id_attribute: keys.one_of("id_attribute", id_attribute_of, "Id, id")?.unwrap_or_default(),
        mode,
        item: keys.one_of("item", item_of, "1.07, 01.07, 107, 0107")?.unwrap_or_default(),
        line_break: keys.text("line_break")?,
        query_in_pedido: keys.flag("query_in_pedido")?,
        aliquota_always: keys.flag("aliquota_always")?,
        single_rps_lots: keys.flag("alone")?,
        operations: keys.has(layout, mode)?,
        aliquota: keys.one_of("aliquota", unit_of, "percentual, fracao")?,
        url: keys.text("url")?,
        off: keys.off()?,
        source: keys.text("source")?,
        notes: keys.list("notes")?,
    })
}

impl KeyReader<'_> {
    fn version(&self, key: &str, word: &str) -> Result<AbrasfVersion, InvalidTable> {
        let known = AbrasfVersion::ALL.map(AbrasfVersion::word).join(", ");
        AbrasfVersion::parse(word).ok_or_else(|| self.at.key(key).wrong(&format!("deve ser um destes: {known}")))
    }

    /// Reads `off`: `false` turns a row on, a text turns it off and is the reason.
    fn off(&self) -> Result<Option<String>, InvalidTable> {
        match self.keys.get("off") {
            None | Some(Value::Boolean(false)) => Ok(None),
            Some(Value::String(why)) if !why.trim().is_empty() => Ok(Some(why.clone())),
            Some(_) => Err(self.at.key("off").wrong("deve ser o motivo (texto) ou false")),
        }
    }
    fn by_operation(&self, key: &str) -> Result<BTreeMap<AbrasfOperation, String>, InvalidTable> {
        let entries = self.entries(key)?.into_iter().map(|(at, name, text)| {
            let operation = AbrasfOperation::from_name(name)
                .ok_or_else(|| at.unknown(AbrasfOperation::ALL.map(AbrasfOperation::name)))?;
            Ok((operation, text.to_owned()))
        });
        entries.collect()
    }
    fn credentials(&self) -> Result<BTreeMap<CredentialKind, String>, InvalidTable> {
        let entries = self.entries("credential_arguments")?.into_iter().map(|(at, name, text)| {
            let which = CredentialKind::from_word(name)
                .ok_or_else(|| at.unknown(CredentialKind::ALL.map(CredentialKind::word)))?;
            Ok((which, text.to_owned()))
        });
        entries.collect()
    }
    /// Signed parts by their keys. The values, which name the Signature's place, are documentation: that place is
    /// fixed.
    fn signs(&self, key: &str) -> Result<Option<SignedParts>, InvalidTable> {
        if !self.keys.contains_key(key) {
            return Ok(None);
        }
        let mut signs = SignedParts::default();
        for (at, name, _where) in self.entries(key)? {
            match name {
                "rps" => signs.rps = true,
                "lote" => signs.lote = true,
                "gerar" => signs.gerar = true,
                "cancelamento" => signs.cancelamento = true,
                "substituicao" => signs.substituicao = true,
                "consulta_rps" => signs.consulta_rps = true,
                "consulta_lote" => signs.consulta_lote = true,
                _ => return Err(at.unknown(SIGNED)),
            }
        }
        // a signed request of cancellation implies that its container and the new RPS are signed
        signs.substituicao |= signs.cancelamento;
        // an RPS sent alone is signed as in a batch
        signs.gerar |= signs.rps;
        Ok(Some(signs))
    }
    /// Operations of a version unless the row lists them: 1.00 has batches alone, with a separate query of their state.
    fn has(&self, layout: AbrasfVersion, mode: SubmissionMode) -> Result<BTreeSet<AbrasfOperation>, InvalidTable> {
        let at = self.at.key("has");
        if self.keys.contains_key("has") {
            let unknown = |name: &String| at.key(name).unknown(AbrasfOperation::ALL.map(AbrasfOperation::name));
            let named = self.list("has")?;
            return named.iter().map(|name| AbrasfOperation::from_name(name).ok_or_else(|| unknown(name))).collect();
        }
        let first = layout.is_first();
        let has = AbrasfOperation::ALL.into_iter().filter(|operation| match operation {
            AbrasfOperation::ConsultarSituacaoLoteRps => first,
            AbrasfOperation::RecepcionarLoteRpsSincrono
            | AbrasfOperation::GerarNfse
            | AbrasfOperation::SubstituirNfse => !first || *operation == AbrasfOperation::of_mode(mode),
            AbrasfOperation::RecepcionarLoteRps
            | AbrasfOperation::ConsultarLoteRps
            | AbrasfOperation::ConsultarNfsePorRps
            | AbrasfOperation::CancelarNfse => true,
        });
        Ok(has.collect())
    }
}

fn soap_of(word: &str) -> Option<SoapVersion> {
    match word {
        "1.1" => Some(SoapVersion::V11),
        "1.2" => Some(SoapVersion::V12),
        _ => None,
    }
}

fn content_of(word: &str) -> Option<ArgumentEncoding> {
    match word {
        "cdata" => Some(ArgumentEncoding::Cdata),
        "escaped" => Some(ArgumentEncoding::Escaped),
        "tree" => Some(ArgumentEncoding::Tree),
        _ => None,
    }
}

fn header_in_soap(word: &str) -> Option<bool> {
    match word {
        "argument" => Some(false),
        "soap" => Some(true),
        _ => None,
    }
}

fn id_attribute_of(word: &str) -> Option<IdAttribute> {
    [IdAttribute::Capital, IdAttribute::Small].into_iter().find(|attribute| attribute.name() == word)
}

fn item_of(word: &str) -> Option<ItemMask> {
    match word {
        "1.07" => Some(ItemMask::Dotted),
        "01.07" => Some(ItemMask::Padded),
        "107" => Some(ItemMask::Digits),
        "0107" => Some(ItemMask::PaddedDigits),
        _ => None,
    }
}
