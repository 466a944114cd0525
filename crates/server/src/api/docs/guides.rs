//! The guides, in Markdown under `docs/guides`, each served as a page.

use super::markdown;
use super::page::frame;

/// One guide.
pub(crate) struct Guide {
    /// Last part of its address, and its file without `.md`.
    pub(crate) page: &'static str,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
}

macro_rules! guides {
    ($($page:literal $title:literal $(= $text:expr)?;)*) => {
        /// All guides, in reading order.
        pub(crate) const GUIDES: &[Guide] = &[$(Guide {
            page: $page,
            title: $title,
            text: text!($page $(= $text)?),
        },)*];
    };
}

/// A guide is its file, unless it is put together elsewhere.
macro_rules! text {
    ($page:literal) => {
        include_str!(concat!("../../../../../docs/guides/", $page, ".md"))
    };
    ($page:literal = $text:expr) => {
        $text
    };
}

guides! {
    "primeira-nota" "Primeira nota em cinco minutos";
    "nfce" "Primeira NFC-e";
    "primeiro-cte" "Primeiro CT-e";
    "cte-os" "CT-e OS";
    "eventos-do-cte" "Eventos do CT-e";
    "primeira-nfse" "Primeira NFS-e";
    "cancelar-e-substituir-nfse" "Cancelar e substituir NFS-e";
    "valores-da-nfse" "Os valores da NFS-e";
    "nfse-nt-009" "O leiaute da NT 009 da NFS-e";
    "nfse-municipal" "Primeira NFS-e municipal";
    "nfse-rotas-sincronas" "As rotas síncronas da NFS-e";
    "provedores-nfse" "Provedores de NFS-e municipal";
    "receitas" "Receitas: notas completas" = super::receitas::TEXT;
    "acesso" "Contas, sessões e chaves";
    "emissao-assistida" "Emissão assistida";
    "mcp" "MCP: agentes de IA";
    "certificado" "Certificado digital A1";
    "idempotencia" "Idempotência";
    "webhooks" "Webhooks";
    "erros-e-rejeicoes" "Erros e rejeições";
    "impressao" "DANFE, DACTE, cupom e prévia";
    "consultas" "Consultas de CEP, CNPJ e NCM";
    "correcao-e-cancelamento" "Corrigir e cancelar";
    "inutilizacao" "Inutilizar numeração";
    "notas-recebidas" "Notas recebidas";
    "contingencia" "Quando a SEFAZ não responde";
    "simulador" "O simulador e seus valores mágicos";
    "regime-tributario" "Regime tributário e Simples Nacional";
    "empresa-sem-ie" "Empresa sem inscrição estadual";
    "homologacao" "Homologação de verdade";
    "migrar-focus-nfe" "Migrar do Focus NFe";
    "migrar-nuvem-fiscal" "Migrar da Nuvem Fiscal";
    "migrar-plugnotas" "Migrar do PlugNotas";
    "migrar-sped-nfe" "Migrar do sped-nfe";
    "operacao" "Operar: cópias, chave mestra, PostgreSQL";
    "container" "Em container: Docker e Compose";
}

/// The page of a guide.
pub(crate) fn page(guide: &Guide) -> String {
    page_of(guide, guide.text)
}

/// The same with another text.
pub(crate) fn page_of(guide: &Guide, text: &str) -> String {
    let path = format!("/docs/guia/{}", guide.page);
    frame(guide.title, &path, &markdown::to_html(text), &markdown::headings(text))
}
