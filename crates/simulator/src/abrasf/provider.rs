//! Wire format of each provider's server: a row per provider and version, in `halls.json`.
//!
//! Source: ACBr's table of 2025-05, OpenAC.Net.NFSe of 2026-08 and the public examples of Unimake; none was tried
//! against a live server. The rows are kept apart from those by which the product calls, so that a mistake there does
//! not pass against itself. Providers whose namespaces are not known letter by letter (Giss, Ginfes, SpeedGov, SimplISS
//! 1.00) have none.

use super::operation::AbrasfService;
use fiscal::value::TpAmb;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Unit of a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RateScale {
    /// 2 % is `0.02`.
    Fracao,
    /// 2 % is `2.00`.
    Percentual,
}

/// Operations by which callers of a provider issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IssuingOperations {
    /// RecepcionarLoteRpsSincrono, and whatever else its version has.
    Sincrono,
    /// RecepcionarLoteRps and its queries, and whatever else its version has.
    Lote,
    /// GerarNfse and ConsultarNfsePorRps alone.
    Gerar,
}

/// A signed part of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SignedPart {
    Rps,
    Lote,
    Cancelamento,
    ConsultaRps,
    ConsultaLote,
}

/// The server of a provider.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProviderServer {
    pub(crate) nome: String,
    pub(crate) versao: String,
    #[serde(default)]
    outros_nomes: Vec<String>,
    /// `1.1` or `1.2`.
    #[serde(default = "soap11")]
    soap: String,
    /// Namespace of the element in the Body; absent where the Body holds the message itself.
    namespace: Option<String>,
    /// Name of that element; `{Op}`, `{op}`, `{OP}`, `{Oprequest}`, `{Mensagem}` stand for the operation, `a/b` is b
    /// within a.
    pedido: String,
    /// Operations of another name; with `=` in front it is the whole element.
    #[serde(default)]
    operacoes: BTreeMap<String, String>,
    #[serde(default = "two")]
    pub(super) argumentos: Vec<String>,
    #[serde(default)]
    pub(super) qualificados: bool,
    /// True when messages come as elements, false when they come as text.
    #[serde(default)]
    pub(super) arvore: bool,
    /// Accepted values of SOAPAction; `*` for any.
    acao: Vec<String>,
    /// `versaoDados` of the header.
    #[serde(default)]
    pub(super) versao_dados: Option<String>,
    #[serde(default)]
    pub(super) cabecalho_soap: bool,
    #[serde(default = "abrasf")]
    pub(super) dados: String,
    assina: Vec<SignedPart>,
    /// Signed parts in homologação, where they are fewer.
    #[serde(default)]
    assina_homologacao: Option<Vec<SignedPart>>,
    modo: IssuingOperations,
    /// True when a call takes a single RPS.
    #[serde(default)]
    pub(super) um_rps: bool,
    /// Layout of the messages, where a provider extended that of the version.
    #[serde(default)]
    leiaute: Option<String>,
    /// Elements of the request that hold user and password.
    #[serde(default)]
    pub(super) credenciais: Vec<String>,
    /// True when the query by RPS wraps its content in `Pedido`.
    #[serde(default)]
    pub(super) pedido_na_consulta: bool,
    #[serde(default)]
    pub(super) aliquota: Option<RateScale>,
}

fn soap11() -> String {
    "1.1".to_owned()
}

fn two() -> Vec<String> {
    vec!["nfseCabecMsg".to_owned(), "nfseDadosMsg".to_owned()]
}

fn abrasf() -> String {
    "http://www.abrasf.org.br/nfse.xsd".to_owned()
}

/// The first letter unchanged, the others lower-case.
fn with_capital(name: &str) -> String {
    name.char_indices().map(|(at, letter)| if at == 0 { letter } else { letter.to_ascii_lowercase() }).collect()
}

static HALLS: LazyLock<Vec<ProviderServer>> =
    LazyLock::new(|| serde_json::from_str(include_str!("halls.json")).unwrap_or_default());

impl ProviderServer {
    /// Finds a provider by the segment of a path: a name, or a name and a version (`betha-1.00`); a name alone means
    /// the newest.
    pub(crate) fn find(segment: &str) -> Option<&'static ProviderServer> {
        let (name, versao) = match segment.rsplit_once('-') {
            Some((name, versao)) if versao.starts_with(|digit: char| digit.is_ascii_digit()) => (name, Some(versao)),
            _ => (segment, None),
        };
        let is_called = |hall: &&ProviderServer| {
            hall.nome.eq_ignore_ascii_case(name)
                || hall.outros_nomes.iter().any(|other| other.eq_ignore_ascii_case(name))
        };
        let of_version = |hall: &&ProviderServer| versao.is_none_or(|versao| versao == hall.versao);
        HALLS.iter().filter(is_called).filter(of_version).max_by(|one, other| one.versao.cmp(&other.versao))
    }
    pub(crate) fn all() -> &'static [ProviderServer] {
        &HALLS
    }
    /// Name in faults, requests and notes.
    pub(crate) fn segment(&self) -> String {
        format!("{}-{}", self.nome.to_lowercase(), self.versao)
    }
    /// Name of the layout of its messages.
    pub(super) fn layout(&self) -> &str {
        self.leiaute.as_deref().unwrap_or(&self.versao)
    }
    /// True for the layout of 1.00, which is centred on the RPS.
    pub(super) fn is_first(&self) -> bool {
        self.versao == "1.00"
    }
    pub(super) fn is_soap12(&self) -> bool {
        self.soap == "1.2"
    }
    pub(super) fn signs(&self, what: SignedPart, ambiente: TpAmb) -> bool {
        let of_tests = self.assina_homologacao.as_ref().filter(|_| ambiente == TpAmb::Homologacao);
        of_tests.unwrap_or(&self.assina).contains(&what)
    }
    pub(super) fn has(&self, operation: AbrasfService) -> bool {
        match (self.modo, self.is_first(), operation) {
            (IssuingOperations::Gerar, _, operation) => {
                matches!(operation, AbrasfService::Single | AbrasfService::ByRps)
            }
            (_, true, AbrasfService::BatchNow | AbrasfService::Substitute | AbrasfService::Range) => false,
            (_, true, AbrasfService::Single) => self.nome == "BHISS",
            (_, false, AbrasfService::BatchState) => false,
            _ => true,
        }
    }
    /// Names of the elements around the arguments of an operation, outermost first.
    pub(super) fn wrappers(&self, operation: AbrasfService) -> Vec<String> {
        match self.operacoes.get(operation.name()).and_then(|name| name.strip_prefix('=')) {
            Some(whole) => vec![whole.to_owned()],
            None => self.pedido.split('/').map(|part| self.filled(part, operation)).collect(),
        }
    }
    /// Fills a template of names.
    pub(super) fn filled(&self, template: &str, operation: AbrasfService) -> String {
        let own = self.operacoes.get(operation.name()).map(String::as_str).filter(|name| !name.starts_with('='));
        let name = own.unwrap_or(operation.name());
        let lower: String =
            name.char_indices().map(|(at, c)| if at == 0 { c.to_ascii_lowercase() } else { c }).collect();
        template
            .replace("{Op}", name)
            .replace("{op}", &lower)
            .replace("{OP}", &name.to_uppercase())
            .replace("{Oprequest}", &format!("{}request", with_capital(name)))
            .replace("{Mensagem}", operation.message())
    }
    /// Namespace of the wrappers at this address.
    pub(super) fn namespace(&self, address: &str, ambiente: TpAmb) -> Option<String> {
        let word = if ambiente == TpAmb::Producao { "producao" } else { "homologacao" };
        self.namespace.as_ref().map(|namespace| namespace.replace("{url}", address).replace("{ambiente}", word))
    }
    /// True when a SOAPAction is of an operation.
    pub(super) fn accepts_action(&self, action: &str, operation: AbrasfService, address: &str) -> bool {
        self.acao
            .iter()
            .any(|template| template == "*" || self.filled(&template.replace("{url}", address), operation) == action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_found_by_its_segment() {
        assert_eq!(ProviderServer::all().len(), 47);
        for hall in ProviderServer::all() {
            let found = ProviderServer::find(&hall.segment()).unwrap();
            assert_eq!((&found.nome, &found.versao), (&hall.nome, &hall.versao));
        }
        assert_eq!(ProviderServer::find("GovDigital").unwrap().versao, "2.01");
        assert_eq!(ProviderServer::find("sonner").unwrap().nome, "GovDigital");
        assert_eq!(
            (
                ProviderServer::find("betha").unwrap().versao.as_str(),
                ProviderServer::find("betha-1.00").unwrap().versao.as_str()
            ),
            ("2.02", "1.00")
        );
        assert!(ProviderServer::find("ginfes").is_none());
    }

    #[test]
    fn names_come_out_as_clients_send_them() {
        let name = |segment: &str, operation| ProviderServer::find(segment).unwrap().wrappers(operation).join("/");
        assert_eq!(name("govdigital", AbrasfService::BatchNow), "RecepcionarLoteRpsSincronoRequest");
        assert_eq!(name("smarapd", AbrasfService::Batch), "recepcionarLoteRps/RecepcionarLoteRpsRequest");
        assert_eq!(name("abaco-2.04", AbrasfService::BatchState), "ConsultarSituacaoLoteRPS.Execute");
        assert_eq!(name("abaco-2.04", AbrasfService::Batch), "A24_RecepcionarLoteRPS.Execute");
        assert_eq!(name("pronim-2.02", AbrasfService::BatchNow), "EnviarLoteRpsSincrono");
        assert_eq!(
            name("coplan", AbrasfService::Batch),
            "nfse_web_service.RECEPCIONARLOTERPS/Recepcionarloterpsrequest"
        );
        assert_eq!(name("fiorilli-2.00", AbrasfService::ByRps), "consultarNfsePorRps");
    }
}
