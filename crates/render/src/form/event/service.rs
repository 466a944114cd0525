//! Events of a national NFS-e: contents of `evento`, or of the request alone.
//!
//! Law: layout of events 1.01 (tiposEventos), whose annotations are the texts of the codes.

use super::{EventContents, LookupCode};
use crate::form::dfe::Dfe;
use crate::form::grid::{Grid, GridCell};
use crate::form::nfse::{self, NationalNote};
use crate::form::options::PrintedStatus;
use crate::form::stored::{ParsedDocument, StoredElement};
use crate::form::value;
use fiscal::value::municipio;
use std::borrow::Cow;

/// Request and registration of an event.
pub(super) struct NationalEvent<'x> {
    /// `infPedReg`.
    request: StoredElement<'x>,
    /// `infEvento`; `None` for a request.
    registered: Option<StoredElement<'x>>,
    note: Option<NationalNote<'x>>,
}

/// Titles of the form by event type; `""` is any other.
const NAMES: &[(&str, &str)] = &[
    ("", "EVENTO DE NFS-e"),
    ("101101", "CANCELAMENTO DE NFS-e"),
    ("101103", "SOLICITAÇÃO DE ANÁLISE FISCAL PARA CANCELAMENTO"),
    ("105102", "CANCELAMENTO DE NFS-e POR SUBSTITUIÇÃO"),
    ("105104", "CANCELAMENTO DEFERIDO POR ANÁLISE FISCAL"),
    ("105105", "CANCELAMENTO INDEFERIDO POR ANÁLISE FISCAL"),
    ("202201", "CONFIRMAÇÃO DO PRESTADOR"),
    ("203202", "CONFIRMAÇÃO DO TOMADOR"),
    ("204203", "CONFIRMAÇÃO DO INTERMEDIÁRIO"),
    ("205204", "CONFIRMAÇÃO TÁCITA"),
    ("202205", "REJEIÇÃO DO PRESTADOR"),
    ("203206", "REJEIÇÃO DO TOMADOR"),
    ("204207", "REJEIÇÃO DO INTERMEDIÁRIO"),
    ("205208", "ANULAÇÃO DA REJEIÇÃO"),
    ("305101", "CANCELAMENTO DE NFS-e POR OFÍCIO"),
    ("305102", "BLOQUEIO DE NFS-e POR OFÍCIO"),
    ("305103", "DESBLOQUEIO DE NFS-e POR OFÍCIO"),
];

const SUBSTITUTION: &str = "105102";

/// Texts of `cMotivo`, by the event types that have the code.
const REASONS: &[(&[&str], &str, &str)] = &[
    (&["101101", "101103"], "1", "Erro na Emissão"),
    (&["101101", "101103"], "2", "Serviço não Prestado"),
    (&["101101", "101103"], "9", "Outros"),
    (&[SUBSTITUTION], "01", "Desenquadramento de NFS-e do Simples Nacional"),
    (&[SUBSTITUTION], "02", "Enquadramento de NFS-e no Simples Nacional"),
    (&[SUBSTITUTION], "03", "Inclusão Retroativa de Imunidade/Isenção para NFS-e"),
    (&[SUBSTITUTION], "04", "Exclusão Retroativa de Imunidade/Isenção para NFS-e"),
    (&[SUBSTITUTION], "05", "Rejeição de NFS-e pelo tomador ou pelo intermediário, se responsável pelo tributo"),
    (&[SUBSTITUTION], "99", "Outros"),
    (&["105104"], "1", "Cancelamento extemporâneo deferido"),
    (&["105105"], "1", "Cancelamento extemporâneo indeferido"),
    (&["105105"], "2", "Cancelamento extemporâneo indeferido sem análise de mérito"),
    (REJECTIONS, "1", "NFS-e em duplicidade"),
    (REJECTIONS, "2", "NFS-e já emitida pelo tomador"),
    (REJECTIONS, "3", "Não ocorrência do fato gerador"),
    (REJECTIONS, "4", "Erro quanto à responsabilidade tributária"),
    (REJECTIONS, "5", "Erro quanto ao valor do serviço, às deduções, ao serviço prestado ou à data do fato gerador"),
    (REJECTIONS, "9", "Outros"),
];
const REJECTIONS: &[&str] = &["202205", "203206", "204207"];

impl<'x> NationalEvent<'x> {
    /// Reads an event, with its note when that is known.
    pub(super) fn of(root: StoredElement<'x>, note: Option<&'x ParsedDocument<'_>>) -> Option<NationalEvent<'x>> {
        let registered = root.child("infEvento");
        let within = registered.and_then(|registered| registered.at("pedRegEvento/infPedReg"));
        let asked = within.or_else(|| root.child("infPedReg"))?;
        let note = note.and_then(|note| NationalNote::of(Dfe::of(note).ok()?).ok());
        Some(NationalEvent { request: asked, registered, note })
    }

    fn request_text(&self, path: &str) -> &'x str {
        self.request.text_at(path).unwrap_or_default()
    }

    fn registered(&self, path: &str) -> &'x str {
        self.registered.and_then(|registered| registered.text_at(path)).unwrap_or_default()
    }

    /// Event type and its detail element: `e101101`.
    fn detail(&self) -> Option<(&'x str, StoredElement<'x>)> {
        let kind = |child: StoredElement<'x>| {
            let kind = child.name().strip_prefix('e').filter(|kind| kind.len() == 6)?;
            kind.bytes().all(|byte| byte.is_ascii_digit()).then_some((kind, child))
        };
        self.request.children().find_map(kind)
    }

    fn kind(&self) -> &'x str {
        self.detail().map(|(kind, _)| kind).unwrap_or_default()
    }

    fn detail_text(&self, tag: &str) -> &'x str {
        self.detail().and_then(|(_, detail)| detail.text_at(tag)).unwrap_or_default()
    }

    fn reason(&self) -> String {
        let (kind, code) = (self.kind(), self.detail_text("cMotivo"));
        let words = REASONS.iter().find(|(kinds, of, _)| kinds.contains(&kind) && *of == code);
        joined(&[code, words.map_or("", |(_, _, words)| words)])
    }

    /// Author of the event, with the role in the note.
    fn author(&self) -> String {
        let author = [self.request_text("CNPJAutor"), self.request_text("CPFAutor")].concat();
        let is = |group: &str| {
            let own = |note: NationalNote<'x>| {
                [note.dps(&format!("{group}/CNPJ")), note.dps(&format!("{group}/CPF"))].concat()
            };
            !author.is_empty() && self.note.map(own).as_deref() == Some(author.as_str())
        };
        let roles = [("prest", "PRESTADOR"), ("toma", "TOMADOR"), ("interm", "INTERMEDIÁRIO")];
        let role = roles.into_iter().find(|(group, _)| is(group)).map_or("", |(_, role)| role);
        joined(&[&value::taxpayer(&author), role])
    }

    fn parties(&self) -> Option<Grid<'x>> {
        let note = self.note?;
        let row = |label: &'static str, name: &'x str, group: &str| {
            let at = |tag: &str| note.dps(&format!("{group}/{tag}"));
            let document = [at("CNPJ"), at("CPF"), at("NIF")].concat();
            vec![
                GridCell::text(label, name),
                GridCell::text("CNPJ / CPF / NIF", value::taxpayer(&document)).wide(400),
                GridCell::text("INSCRIÇÃO MUNICIPAL", at("IM")).wide(370),
            ]
        };
        let own = note.dps("prest/xNome");
        let emitter = if own.is_empty() { note.nfse("emit/xNome") } else { own };
        let mut rows = vec![row("PRESTADOR - NOME / NOME EMPRESARIAL", emitter, "prest")];
        if note.group("toma").is_some() {
            rows.push(row("TOMADOR - NOME / NOME EMPRESARIAL", note.dps("toma/xNome"), "toma"));
        }
        Some(Grid { title: "PARTES DA NOTA FISCAL DE SERVIÇO", rows })
    }

    /// Facts from the note's key: the event holds no more about its note.
    fn of_the_key(&self) -> Grid<'x> {
        let chave = self.chave();
        let part = |from: usize, to: usize| chave.get(from..to).unwrap_or_default();
        let issuer = part(9, 23);
        let issuer = if part(8, 9) == "1" { issuer.strip_prefix("000").unwrap_or(issuer) } else { issuer };
        let month = if chave.is_empty() { String::new() } else { format!("{}/20{}", part(38, 40), part(36, 38)) };
        let town = part(0, 7).parse().ok().and_then(municipio::find);
        let state = town.and_then(|town| town.uf()).map_or("", |uf| uf.sigla());
        let town = joined(&[town.map_or("", |town| town.nome), state]);
        let value = self.note.map(|note| note.dps("valores/vServPrest/vServ")).unwrap_or_default();
        Grid {
            title: "NOTA FISCAL DE SERVIÇO",
            rows: vec![
                vec![GridCell::text("CHAVE DE ACESSO", chave).bold().centred()],
                vec![
                    GridCell::text("EMITENTE", value::taxpayer(issuer)).wide(380),
                    GridCell::text("MUNICÍPIO", town),
                    GridCell::text("NÚMERO", part(23, 36).trim_start_matches('0')).wide(330),
                    GridCell::text("MÊS DA EMISSÃO", month).wide(300),
                    GridCell::money("VALOR DO SERVIÇO", value).wide(350),
                ],
            ],
        }
    }
}

impl<'x> EventContents<'x> for NationalEvent<'x> {
    fn name(&self) -> &'static str {
        let named = |code: &str| NAMES.iter().find(|(of, _)| *of == code);
        named(self.kind()).or_else(|| named("")).map_or("", |(_, name)| name)
    }

    fn chave(&self) -> &'x str {
        self.request_text("chNFSe")
    }

    fn protocol(&self) -> String {
        value::registration_text(self.registered("nDFSe"), self.registered("dhProc"), self.request_text("dhEvento"))
    }

    fn paragraphs(&self) -> Vec<(&'static str, Cow<'x, str>)> {
        let told: [(&'static str, Cow<'x, str>); 9] = [
            ("EVENTO", self.detail_text("xDesc").into()),
            ("MOTIVO", self.reason().into()),
            ("JUSTIFICATIVA", self.detail_text("xMotivo").into()),
            ("CHAVE DE ACESSO DA NFS-e SUBSTITUTA", self.detail_text("chSubstituta").into()),
            ("PROCESSO ADMINISTRATIVO", joined(&[self.detail_text("nProcAdm"), self.detail_text("xProcAdm")]).into()),
            ("AGENTE DA ADMINISTRAÇÃO TRIBUTÁRIA (CPF)", value::taxpayer(self.detail_text("CPFAgTrib")).into()),
            ("EVENTO BLOQUEADO", self.detail_text("codEvento").into()),
            ("BLOQUEIO", self.detail_text("idBloqOfic").into()),
            ("REJEIÇÃO ANULADA", self.detail_text("idEvManifRej").into()),
        ];
        told.into_iter().filter(|(_, content)| !content.is_empty()).collect()
    }

    fn grids(&self) -> Vec<Grid<'x>> {
        let registered_by = match self.registered("ambGer") {
            "1" => "Sistema próprio do município",
            "2" => "Sefin Nacional NFS-e",
            "3" => "ADN NFS-e",
            other => other,
        };
        let event = Grid {
            title: "EVENTO",
            rows: vec![
                vec![
                    GridCell::text("TIPO", self.kind()).wide(250),
                    GridCell::text("SEQUÊNCIA", self.registered("nSeqEvento")).wide(250),
                    GridCell::text("DATA E HORA", value::zoned(self.request_text("dhEvento"))),
                    GridCell::text("AUTOR DO EVENTO", self.author()),
                ],
                vec![
                    GridCell::text("REGISTRADO POR", registered_by),
                    GridCell::text("REGISTRO (nDFSe - DATA E HORA)", self.protocol()).bold().wide(900),
                ],
            ],
        };
        [event, self.of_the_key()].into_iter().chain(self.parties()).collect()
    }

    fn is_test(&self) -> bool {
        self.request_text("tpAmb") == "2"
    }

    fn resulting_status(&self) -> PrintedStatus {
        match self.kind() {
            SUBSTITUTION => PrintedStatus::Substituted,
            _ => PrintedStatus::Cancelled { protocol: self.protocol() },
        }
    }

    fn code(&self) -> LookupCode {
        LookupCode::Address(nfse::address(self.chave()))
    }
}

/// Joins the non-empty parts with a dash.
fn joined(parts: &[&str]) -> String {
    parts.iter().copied().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" - ")
}
