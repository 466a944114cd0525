//! Explanation of the archive, a file in it.

use super::csv::decimal;
use fiscal::totals::DocumentTotals;
use fiscal::value::TpAmb;
use jiff::Timestamp;
use jiff::tz::Offset;
use store::exports::{ExportForms, ExportScope};

/// Remarks made while the archive was written.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WriterNotes {
    pub(super) forms: ExportForms,
    /// True when the table of gaps has no room for all.
    pub(super) gaps_cut: bool,
    /// Events written.
    pub(super) events: u64,
    /// Documents whose XML is not stored.
    pub(super) without_xml: u64,
    /// Documents whose XML could not be read for the sums.
    pub(super) unread: u64,
    /// Documents without a printed form.
    pub(super) without_form: u64,
}

pub(super) fn text(scope: &ExportScope, documents: &DocumentTotals, notes: &WriterNotes, now_s: i64) -> String {
    let mut lines = vec![
        "Documentos fiscais para a contabilidade".to_owned(),
        String::new(),
        format!("Empresa: {}", scope.cpf_cnpj.as_str()),
        format!("Período (data de emissão): de {} até antes de {}", scope.from, scope.until),
        format!("Ambiente: {}", environment(scope.ambiente)),
        format!("Gerado em: {}", moment(now_s)),
        String::new(),
    ];
    for (tipo, cancelled, sum) in documents.rows() {
        let state = if cancelled { "canceladas" } else { "autorizadas" };
        lines.push(format!("{tipo} {state}: {}, R$ {}", sum.documentos, decimal(sum.valor)));
    }
    lines.push(format!("Eventos: {}", notes.events));
    let warnings = [
        (notes.without_xml, "documento(s) sem XML guardado: estão no resumo e não nas pastas"),
        (notes.unread, "documento(s) com XML que não pôde ser somado: estão nas pastas e não em totais.csv"),
        (notes.without_form, "documento(s) sem formulário impresso"),
    ];
    lines.extend(
        warnings.iter().filter(|(count, _)| *count > 0).map(|(count, text)| format!("Atenção: {count} {text}")),
    );
    if notes.gaps_cut {
        lines.push("Atenção: há mais lacunas do que lacunas.csv leva".to_owned());
    }
    lines.push(String::new());
    lines.extend(CONTENTS.iter().map(|line| (*line).to_owned()));
    match notes.forms {
        ExportForms::Absent => {}
        ExportForms::Separate => lines.push("TIPO/pdf/: o formulário impresso de cada documento.".to_owned()),
        ExportForms::Joined => {
            lines.push("TIPO/pdf/: os formulários impressos, até 200 documentos em cada PDF.".to_owned());
        }
    }
    lines.join("\r\n") + "\r\n"
}

const CONTENTS: &[&str] = &[
    "TIPO/autorizadas/ e TIPO/canceladas/: o XML de cada documento com o protocolo, byte por byte como a autoridade o aceitou.",
    "TIPO/eventos/: cancelamentos, cartas de correção e os demais eventos desses documentos, mesmo registrados depois do período.",
    "TIPO/inutilizacoes/: as inutilizações registradas no período.",
    "totais.csv: somas dos documentos autorizados (sem os cancelados) por tipo, CFOP, CST e imposto, como os documentos as escrevem.",
    "    A linha \"Itens\" de cada CFOP soma os próprios itens; NFS-e e CT-e contam um item por documento.",
    "resumo.csv: quantidade e valor por tipo e situação.",
    "lacunas.csv: números da sequência que nenhum documento válido tem, do seguinte ao último antes do período até o maior do período.",
    "inutilizadas.csv: as faixas inutilizadas no período, com o protocolo.",
    "Os arquivos .csv são UTF-8, com ponto e vírgula entre os campos e vírgula decimal: abrem direto no Excel em português.",
];

fn environment(ambiente: TpAmb) -> &'static str {
    match ambiente {
        TpAmb::Producao => "produção",
        TpAmb::Homologacao => "homologação (sem valor fiscal)",
    }
}

fn moment(second: i64) -> String {
    let at = Timestamp::from_second(second).unwrap_or_default();
    format!("{}-03:00", Offset::constant(-3).to_datetime(at))
}
