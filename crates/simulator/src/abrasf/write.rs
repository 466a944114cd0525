//! XML of a municipal provider: `CompNfse` of its version, answers around it.

use super::envelope::write_unprefixed;
use super::notes::{MunicipalNote, MunicipalStanding};
use super::provider::ProviderServer;
use super::rps::Rps;
use crate::soap::escaped;
use fiscal::value::brasilia;
use fiscal::xml::Element;
use jiff::Timestamp;
use rust_decimal::Decimal;
use std::fmt::Write as _;

/// Values of a note to be written.
pub(super) struct NoteDraft<'a> {
    pub(super) hall: &'a ProviderServer,
    pub(super) city: u32,
    pub(super) numero: u64,
    pub(super) verification: &'a str,
    pub(super) at: Timestamp,
    /// In the unit of the city.
    pub(super) aliquota: Decimal,
    pub(super) iss: Decimal,
    pub(super) nome: &'a str,
    /// Number of the note that it substitutes.
    pub(super) substitutes: Option<u64>,
}

/// `AAAA-MM-DDThh:mm:ss`, by the clock of Brasília: `xs:dateTime` without an offset, as city halls write it.
pub(super) fn moment(at: Timestamp) -> String {
    brasilia::OFFSET.to_datetime(at).strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

/// An element of a message under this name, with its children in the provider's namespace.
fn renamed_element(element: &Element, name: &str, dados: &str) -> String {
    let mut xml = format!("<{name}>");
    element.children().for_each(|child| write_unprefixed(child, dados, &mut xml));
    let _ = write!(xml, "</{name}>");
    xml
}

fn copied(element: Option<&Element>, dados: &str) -> String {
    let mut xml = String::new();
    if let Some(element) = element {
        write_unprefixed(element, dados, &mut xml);
    }
    xml
}

/// `InfNfse` of the version.
pub(super) fn inf_nfse(made: &NoteDraft<'_>, rps: &Rps<'_>) -> String {
    if rps.is_first { first(made, rps) } else { second(made, rps) }
}

fn head(made: &NoteDraft<'_>) -> String {
    format!(
        "<InfNfse Id=\"N{0}\"><Numero>{0}</Numero><CodigoVerificacao>{1}</CodigoVerificacao><DataEmissao>{2}</DataEmissao>",
        made.numero,
        made.verification,
        moment(made.at)
    )
}

fn substituted(made: &NoteDraft<'_>) -> String {
    made.substitutes.map(|numero| format!("<NfseSubstituida>{numero}</NfseSubstituida>")).unwrap_or_default()
}

fn prestador(made: &NoteDraft<'_>, rps: &Rps<'_>) -> String {
    let address = address_of(made);
    if made.hall.versao == "2.00" {
        return format!("<EnderecoPrestadorServico>{address}</EnderecoPrestadorServico>");
    }
    let identity = match rps.inf.child("Prestador") {
        Some(prestador) if made.hall.versao != "2.04" => {
            renamed_element(prestador, "IdentificacaoPrestador", &made.hall.dados)
        }
        _ => String::new(),
    };
    format!(
        "<PrestadorServico>{identity}<RazaoSocial>{}</RazaoSocial><Endereco>{address}</Endereco></PrestadorServico>",
        escaped(made.nome)
    )
}

fn address_of(made: &NoteDraft<'_>) -> String {
    let uf = state_of(made.city);
    format!(
        "<Endereco>Rua Um</Endereco><Numero>1</Numero><Bairro>Centro</Bairro><CodigoMunicipio>{}</CodigoMunicipio><Uf>{uf}</Uf><Cep>37200000</Cep>",
        made.city
    )
}

fn state_of(city: u32) -> &'static str {
    let code = u8::try_from(city / 100_000).unwrap_or_default();
    fiscal::value::Uf::from_code(code).map_or("MG", fiscal::value::Uf::sigla)
}

fn office(made: &NoteDraft<'_>) -> String {
    format!(
        "<OrgaoGerador><CodigoMunicipio>{}</CodigoMunicipio><Uf>{}</Uf></OrgaoGerador>",
        made.city,
        state_of(made.city)
    )
}

fn first(made: &NoteDraft<'_>, rps: &Rps<'_>) -> String {
    let dados = &made.hall.dados;
    let child = |name: &str| copied(rps.inf.child(name), dados);
    let issued = rps.text("DataEmissao");
    let tomador = rps.tomador().map(|tomador| renamed_element(tomador, "TomadorServico", dados)).unwrap_or_default();
    let mut xml = head(made);
    xml += &child("IdentificacaoRps");
    let _ = write!(xml, "<DataEmissaoRps>{}</DataEmissaoRps>", issued.get(..10).unwrap_or(issued));
    for name in ["NaturezaOperacao", "RegimeEspecialTributacao", "OptanteSimplesNacional", "IncentivadorCultural"] {
        xml += &child(name);
    }
    let _ = write!(xml, "<Competencia>{issued}</Competencia>");
    xml += &substituted(made);
    xml += &child("Servico");
    xml += &prestador(made, rps);
    xml += &tomador;
    xml += &child("IntermediarioServico");
    xml += &office(made);
    xml += &child("ContrucaoCivil");
    xml + "</InfNfse>"
}

fn second(made: &NoteDraft<'_>, rps: &Rps<'_>) -> String {
    let mut xml = head(made);
    xml += &substituted(made);
    let _ = write!(
        xml,
        "<ValoresNfse><BaseCalculo>{:.2}</BaseCalculo><Aliquota>{}</Aliquota><ValorIss>{:.2}</ValorIss><ValorLiquidoNfse>{:.2}</ValorLiquidoNfse>\
         </ValoresNfse>",
        rps.base(),
        made.aliquota,
        made.iss,
        rps.net(made.iss)
    );
    xml += &prestador(made, rps);
    xml += &office(made);
    xml += "<DeclaracaoPrestacaoServico>";
    rps.element.children().for_each(|child| write_unprefixed(child, &made.hall.dados, &mut xml));
    xml + "</DeclaracaoPrestacaoServico></InfNfse>"
}

/// `Confirmacao` around a request of cancellation.
pub(super) fn confirmation(hall: &ProviderServer, numero: u64, pedido: &str, at: Timestamp) -> String {
    let when = if hall.is_first() { "DataHoraCancelamento" } else { "DataHora" };
    format!("<Confirmacao Id=\"C{numero}\">{pedido}<{when}>{}</{when}></Confirmacao>", moment(at))
}

/// `NfseCancelamento` around a confirmation.
pub(super) fn cancellation(hall: &ProviderServer, confirmation: &str) -> String {
    format!("<NfseCancelamento versao=\"{}\">{confirmation}</NfseCancelamento>", hall.versao)
}

/// `CompNfse` of the note in its present status.
pub(super) fn comp_nfse(hall: &ProviderServer, note: &MunicipalNote) -> String {
    let mut xml = format!("<CompNfse><Nfse versao=\"{}\">{}</Nfse>", hall.versao, note.inf);
    if let Some(confirmation) = &note.confirmation {
        xml += &cancellation(hall, confirmation);
    }
    if let (MunicipalStanding::Substituida, Some(by)) = (note.situacao, note.substituida_por) {
        let _ = write!(
            xml,
            "<NfseSubstituicao versao=\"{}\"><SubstituicaoNfse Id=\"S{}\"><NfseSubstituidora>{by}</NfseSubstituidora></SubstituicaoNfse>\
             </NfseSubstituicao>",
            hall.versao, note.numero
        );
    }
    xml + "</CompNfse>"
}
