//! Cancellation of a municipal NFS-e as confirmed by the provider (`NfseCancelamento`, `Cancelamento` of 1.00), alone
//! or within its note.
//!
//! Law: ABRASF, manual de integração (texts of `CodigoCancelamento`); GovDigital 2.01 adds `CMotivo` and `XMotivo`.

use super::{Code, Told};
use crate::form::dfe::Dfe;
use crate::form::grid::{Cell, Grid};
use crate::form::municipal::{Note, named};
use crate::form::options::Standing;
use crate::form::stored::{Document, Element};
use crate::form::value;
use std::borrow::Cow;

/// Request and confirmation of a cancellation.
pub(super) struct Event<'x> {
    /// `Confirmacao`.
    confirmed: Element<'x>,
    /// `InfPedidoCancelamento`.
    asked: Element<'x>,
    note: Option<Note<'x>>,
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

impl<'x> Event<'x> {
    pub(super) fn of(root: Element<'x>, note: Option<&'x Document<'_>>) -> Option<Event<'x>> {
        let around = ["NfseCancelamento/Confirmacao", "Cancelamento/Confirmacao", "Confirmacao"];
        let confirmed = around.iter().find_map(|path| root.at(path))?;
        let asked = confirmed.at("Pedido/InfPedidoCancelamento")?;
        let note = note.and_then(|note| Note::of(Dfe::of(note).ok()?).ok());
        Some(Event { confirmed, asked, note })
    }
    fn asked(&self, path: &str) -> &'x str {
        self.asked.text_at(path).unwrap_or_default()
    }
    fn number(&self) -> &'x str {
        self.asked("IdentificacaoNfse/Numero")
    }
    fn moment(&self) -> String {
        let paths = ["DataHora", "DataHoraCancelamento", "InfConfirmacaoCancelamento/DataHora"];
        let found = paths.iter().find_map(|path| self.confirmed.text_at(path));
        value::moment(found.unwrap_or_default())
    }
    fn noted(&self, text: impl Fn(&Note<'x>) -> &'x str) -> &'x str {
        self.note.as_ref().map(text).unwrap_or_default()
    }
}

/// A code with its text.
fn told(table: &[(&str, &str)], code: &str) -> String {
    let words = table.iter().find(|(known, _)| *known == code).map_or("", |(_, words)| words);
    [code, words].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" - ")
}

impl<'x> Told<'x> for Event<'x> {
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
            ("Código do cancelamento", told(&CODES, self.asked("CodigoCancelamento"))),
            ("Motivo", told(&REASONS, self.asked("CMotivo"))),
            ("Justificativa", self.asked("XMotivo").to_owned()),
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
        let issuer = paths.iter().map(|path| self.asked(path)).find(|text| !text.is_empty()).unwrap_or_default();
        vec![
            Grid {
                title: "NFS-e CANCELADA",
                rows: vec![vec![
                    Cell::text("NÚMERO", self.number()).bold(),
                    Cell::text("MUNICÍPIO", named(self.asked("IdentificacaoNfse/CodigoMunicipio"), "")).wide(700),
                    Cell::text("CONFIRMADO EM", self.moment()).wide(450),
                ]],
            },
            Grid {
                title: "PARTES DA NFS-e",
                rows: vec![
                    vec![
                        Cell::text("PRESTADOR", self.noted(|note| note.made("PrestadorServico/RazaoSocial"))),
                        Cell::text("CPF / CNPJ", value::taxpayer(issuer)).wide(400),
                        Cell::text("INSCRIÇÃO MUNICIPAL", self.asked("IdentificacaoNfse/InscricaoMunicipal")).wide(350),
                    ],
                    vec![
                        Cell::text(
                            "TOMADOR",
                            self.noted(|note| note.any(&["TomadorServico/RazaoSocial", "Tomador/RazaoSocial"])),
                        ),
                        Cell::money("VALOR DOS SERVIÇOS EM R$", self.noted(|note| note.value("ValorServicos")))
                            .wide(400),
                        Cell::text("CÓDIGO DE VERIFICAÇÃO", self.noted(|note| note.made("CodigoVerificacao")))
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
    fn standing(&self) -> Standing {
        Standing::Cancelled { protocol: String::new() }
    }
    fn code(&self) -> Code {
        Code::None
    }
}
