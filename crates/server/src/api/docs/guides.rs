//! The guides, in Markdown under `docs/guides`, in reading order.

/// A guide.
pub(crate) struct Guide {
    /// Last part of its address, and its file without `.md`.
    pub(crate) page: &'static str,
    pub(crate) title: &'static str,
    /// Heading of its group.
    pub(crate) group: &'static str,
    pub(crate) text: &'static str,
}

macro_rules! guides {
    ($($group:literal { $($page:literal $title:literal $(= $text:expr)?;)* })*) => {
        /// All guides, in reading order, grouped.
        pub(crate) const GUIDES: &[Guide] = &[$($(Guide {
            page: $page,
            title: $title,
            group: $group,
            text: text!($page $(= $text)?),
        },)*)*];
    };
}

/// Text of a guide: its file, or a text that other code composes.
macro_rules! text {
    ($page:literal) => {
        include_str!(concat!("../../../../../docs/guides/", $page, ".md"))
    };
    ($page:literal = $text:expr) => {
        $text
    };
}

guides! {
    "Começar" {
        "primeira-nota" "Primeira nota em cinco minutos";
        "nfce" "Primeira NFC-e";
        "primeiro-cte" "Primeiro CT-e";
        "cte-os" "CT-e OS";
        "primeira-nfse" "Primeira NFS-e";
        "nfse-municipal" "Primeira NFS-e municipal";
        "receitas" "Receitas: notas completas" = super::receitas::TEXT;
        "simulador" "O simulador e seus valores mágicos";
    }
    "Integrar" {
        "acompanhar" "Acompanhar e localizar jobs";
        "webhooks" "Webhooks";
        "idempotencia" "Idempotência";
        "erros-e-rejeicoes" "Erros e rejeições";
        "gerar-cliente" "Gerar um cliente, Postman";
        "consultas" "Consultas de CEP, CNPJ e NCM";
        "emissao-assistida" "Emissão assistida";
        "mcp" "MCP: agentes de IA";
    }
    "Depois da autorização" {
        "correcao-e-cancelamento" "Corrigir e cancelar";
        "eventos-do-cte" "Eventos do CT-e";
        "cancelar-e-substituir-nfse" "Cancelar e substituir NFS-e";
        "inutilizacao" "Inutilizar numeração";
        "contabilidade" "O mês para a contabilidade";
        "impressao" "DANFE, DACTE, cupom e prévia";
        "notas-recebidas" "Notas recebidas";
        "contingencia" "Quando a SEFAZ não responde";
    }
    "Contas e empresas" {
        "acesso" "Contas, sessões e chaves";
        "certificado" "Certificado digital A1";
        "regime-tributario" "Regime tributário e Simples Nacional";
        "empresa-sem-ie" "Empresa sem inscrição estadual";
    }
    "NFS-e a fundo" {
        "valores-da-nfse" "Os valores da NFS-e";
        "provedores-nfse" "Provedores de NFS-e municipal";
        "nfse-rotas-sincronas" "As rotas síncronas da NFS-e";
        "nfse-nt-009" "O leiaute da NT 009 da NFS-e";
    }
    "Migrar" {
        "migrar-focus-nfe" "Migrar do Focus NFe";
        "migrar-nuvem-fiscal" "Migrar da Nuvem Fiscal";
        "migrar-plugnotas" "Migrar do PlugNotas";
        "migrar-sped-nfe" "Migrar do sped-nfe";
    }
    "Operar" {
        "homologacao" "Homologação de verdade";
        "operacao" "Operar: cópias, chave mestra, PostgreSQL";
        "container" "Em container: Docker e Compose";
    }
}

/// The guides by their groups.
pub(crate) fn groups() -> impl Iterator<Item = &'static [Guide]> {
    GUIDES.chunk_by(|one, next| one.group == next.group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_group_is_broken_in_two() {
        let mut names: Vec<&str> = groups().map(|group| group[0].group).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
