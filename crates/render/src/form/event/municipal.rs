//! Cancellation of a municipal NFS-e as confirmed by the provider (`NfseCancelamento`, `Cancelamento` of 1.00), alone
//! or within its note.
//!
//! Law: ABRASF, manual de integração (texts of `CodigoCancelamento`); GovDigital 2.01 adds `CMotivo` and `XMotivo`.

use super::{EventContents, LookupCode};
use crate::form::dfe::Dfe;
use crate::form::grid::{Grid, GridCell};
use crate::form::municipal::{AbrasfNote, named};
use crate::form::options::PrintedStatus;
use crate::form::stored::{ParsedDocument, StoredElement};
use crate::form::value;
use std::borrow::Cow;

/// Request and confirmation of a cancellation.
pub(super) struct MunicipalCancellation<'x> {
    /// `Confirmacao`.
    confirmed: StoredElement<'x>,
    /// `InfPedidoCancelamento`.
    request: StoredElement<'x>,
    note: Option<AbrasfNote<'x>>,
}

/// Texts of `CodigoCancelamento`.
const CODES: [(&str, &str); 5] = [
    ("1", "Erro na emissão"),
    ("2", "Serviço não prestado"),
    ("3", "Erro de assinatura"),
    ("4", "Duplicidade da nota"),
    ("5", "Erro de processamento"),
];

/// Texts of `CMotivo`.
const REASONS: [(&str, &str); 3] = [("1", "Erro na emissão"), ("2", "Serviço não prestado"), ("9", "Outros")];

impl<'x> MunicipalCancellation<'x> {
    pub(super) fn of(
        root: StoredElement<'x>,
        note: Option<&'x ParsedDocument<'_>>,
    ) -> Option<MunicipalCancellation<'x>> {
        let around = ["NfseCancelamento/Confirmacao", "Cancelamento/Confirmacao", "Confirmacao"];
        let confirmed = around.iter().find_map(|path| root.at(path))?;
        let asked = confirmed.at("Pedido/InfPedidoCancelamento")?;
        let note = note.and_then(|note| AbrasfNote::of(Dfe::of(note).ok()?).ok());
        Some(MunicipalCancellation { confirmed, request: asked, note })
    }
    fn request_text(&self, path: &str) -> &'x str {
        self.request.text_at(path).unwrap_or_default()
    }
    fn number(&self) -> &'x str {
        self.request_text("IdentificacaoNfse/Numero")
    }
    fn moment(&self) -> String {
        let paths = ["DataHora", "DataHoraCancelamento", "InfConfirmacaoCancelamento/DataHora"];
        let found = paths.iter().find_map(|path| self.confirmed.text_at(path));
        value::moment(found.unwrap_or_default())
    }
    fn note_text(&self, text: impl Fn(&AbrasfNote<'x>) -> &'x str) -> &'x str {
        self.note.as_ref().map(text).unwrap_or_default()
    }
}

/// A code with its text.
fn code_with_text(table: &[(&str, &str)], code: &str) -> String {
    let words = table.iter().find(|(known, _)| *known == code).map_or("", |(_, words)| words);
    [code, words].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" - ")
}

impl<'x> EventContents<'x> for MunicipalCancellation<'x> {
    fn name(&self) -> &'static str {
        "CANCELAMENTO DE NFS-e"
    }
    /// Empty: a municipal note has no key.
    fn chave(&self) -> &'x str {
        ""
    }
    fn protocol(&self) -> String {
        self.moment()
    }
    fn paragraphs(&self) -> Vec<(&'static str, Cow<'x, str>)> {
        let parts = [
            ("Código do cancelamento", code_with_text(&CODES, self.request_text("CodigoCancelamento"))),
            ("Motivo", code_with_text(&REASONS, self.request_text("CMotivo"))),
            ("Justificativa", self.request_text("XMotivo").to_owned()),
        ];
        parts.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| (name, text.into())).collect()
    }
    fn grids(&self) -> Vec<Grid<'x>> {
        let paths = [
            "IdentificacaoNfse/CpfCnpj/Cnpj",
            "IdentificacaoNfse/CpfCnpj/Cpf",
            "IdentificacaoNfse/Cnpj",
            "IdentificacaoNfse/Cpf",
        ];
        let issuer = paths.iter().map(|path| self.request_text(path)).find(|text| !text.is_empty()).unwrap_or_default();
        vec![
            Grid {
                title: "NFS-e CANCELADA",
                rows: vec![vec![
                    GridCell::text("NÚMERO", self.number()).bold(),
                    GridCell::text("MUNICÍPIO", named(self.request_text("IdentificacaoNfse/CodigoMunicipio"), ""))
                        .wide(700),
                    GridCell::text("CONFIRMADO EM", self.moment()).wide(450),
                ]],
            },
            Grid {
                title: "PARTES DA NFS-e",
                rows: vec![
                    vec![
                        GridCell::text(
                            "PRESTADOR",
                            self.note_text(|note| note.generated_text("PrestadorServico/RazaoSocial")),
                        ),
                        GridCell::text("CPF / CNPJ", value::taxpayer(issuer)).wide(400),
                        GridCell::text(
                            "INSCRIÇÃO MUNICIPAL",
                            self.request_text("IdentificacaoNfse/InscricaoMunicipal"),
                        )
                        .wide(350),
                    ],
                    vec![
                        GridCell::text(
                            "TOMADOR",
                            self.note_text(|note| note.any(&["TomadorServico/RazaoSocial", "Tomador/RazaoSocial"])),
                        ),
                        GridCell::money("VALOR DOS SERVIÇOS EM R$", self.note_text(|note| note.value("ValorServicos")))
                            .wide(400),
                        GridCell::text(
                            "CÓDIGO DE VERIFICAÇÃO",
                            self.note_text(|note| note.generated_text("CodigoVerificacao")),
                        )
                        .wide(350),
                    ],
                ],
            },
        ]
    }
    /// `false`: the document does not state it, so the caller must.
    fn is_test(&self) -> bool {
        false
    }
    fn resulting_status(&self) -> PrintedStatus {
        PrintedStatus::Cancelled { protocol: String::new() }
    }
    fn code(&self) -> LookupCode {
        LookupCode::None
    }
}
