//! The guides, in Markdown under `docs/guides`, in reading order.

/// A guide.
pub(crate) struct Guide {
    /// Last part of its address, and its file without `.md`.
    pub(crate) page: &'static str,
    pub(crate) title: &'static str,
    /// Heading of its group.
    pub(crate) group: &'static str,
    /// Operation whose call and answer stand beside the text.
    pub(super) operation: Option<&'static str>,
    /// Body of that call, when it is not the operation's own example.
    pub(super) example: Option<&'static str>,
    pub(crate) text: &'static str,
}

macro_rules! guides {
    ($($group:literal { $($page:literal $title:literal $(@ $operation:literal $(with $example:literal)?)? $(= $text:expr)?;)* })*) => {
        /// All guides, in reading order, grouped.
        pub(crate) const GUIDES: &[Guide] = &[$($(Guide {
            page: $page,
            title: $title,
            group: $group,
            operation: first!($($operation)?),
            example: example!($($($example)?)?),
            text: text!($page $(= $text)?),
        },)*)*];
    };
}

/// The operation, if any.
macro_rules! first {
    () => {
        None
    };
    ($operation:literal) => {
        Some($operation)
    };
}

/// Text of an example's file, if any.
macro_rules! example {
    () => {
        None
    };
    ($example:literal) => {
        Some(include_str!(concat!("../../../../../docs/guides/", $example)))
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
        "primeira-nota" "Primeira nota em cinco minutos" @ "emitirNfe";
        "primeiro-mes" "Seu primeiro mês, sem programar";
        "receitas" "Receitas: notas completas" @ "emitirNfe" = super::receitas::TEXT;
        "simulador" "O simulador e seus valores mágicos";
    }
    "Por documento" {
        "documento-nfe" "NF-e" @ "emitirNfe";
        "documento-nfce" "NFC-e" @ "emitirNfce";
        "nfce" "Primeira NFC-e" @ "emitirNfce";
        "documento-cte" "CT-e" @ "emitirCte";
        "primeiro-cte" "Primeiro CT-e" @ "emitirCte";
        "documento-cte-os" "CT-e OS" @ "emitirCte" with "cte-os.json";
        "cte-os" "Primeiro CT-e OS" @ "emitirCte" with "cte-os.json";
        "documento-nfse" "NFS-e nacional" @ "emitirNfse";
        "primeira-nfse" "Primeira NFS-e" @ "emitirNfse";
        "valores-da-nfse" "Os valores da NFS-e" @ "emitirNfse";
        "nfse-rotas-sincronas" "As rotas síncronas da NFS-e" @ "emitirNfseSincrona";
        "nfse-nt-009" "O leiaute da NT 009 da NFS-e" @ "emitirNfse";
        "documento-nfse-municipal" "NFS-e municipal" @ "emitirNfseMunicipal";
        "nfse-municipal" "Primeira NFS-e municipal" @ "emitirNfseMunicipal";
        "provedores-nfse" "Provedores de NFS-e municipal" @ "explicarMunicipioDaNfse";
    }
    "Eventos e correções" {
        "correcao-e-cancelamento" "Corrigir e cancelar" @ "cancelarNfe";
        "eventos-do-cte" "Eventos do CT-e" @ "registrarEventoCte";
        "cancelar-e-substituir-nfse" "Cancelar e substituir NFS-e" @ "cancelarNfse";
        "inutilizacao" "Inutilizar numeração" @ "inutilizarNfe";
        "contingencia" "Quando a SEFAZ não responde" @ "statusServicoNfe";
    }
    "Receber" {
        "notas-recebidas" "Notas recebidas" @ "listarNfeRecebidas";
    }
    "Imprimir" {
        "impressao" "DANFE, DACTE, cupom e prévia" @ "previaNfe";
    }
    "Integrar" {
        "acompanhar" "Acompanhar e localizar jobs" @ "consultarNfe";
        "webhooks" "Webhooks" @ "listarEntregasDeWebhook";
        "idempotencia" "Idempotência" @ "emitirNfe";
        "erros-e-rejeicoes" "Erros e rejeições" @ "listarRejeitadas";
        "gerar-cliente" "Gerar um cliente, Postman";
        "consultas" "Consultas de CEP, CNPJ e NCM" @ "consultarCnpj";
        "emissao-assistida" "Emissão assistida" @ "prepararNfe";
        "mcp" "MCP: agentes de IA" @ "mensagemMcp";
    }
    "Contas e empresas" {
        "acesso" "Contas, sessões e chaves" @ "criarChave";
        "segundo-fator" "Segundo fator: senha e celular" @ "entrar";
        "entrar-com-provedor" "Entrar com o Google, a Microsoft ou o Keycloak";
        "contabilidade" "O mês para a contabilidade" @ "criarExportacao";
        "email" "Enviar por e-mail" @ "enviarEmailDaNota";
        "certificado" "Certificado digital A1" @ "enviarCertificado";
        "regime-tributario" "Regime tributário e Simples Nacional" @ "atualizarEmpresa";
        "empresa-sem-ie" "Empresa sem inscrição estadual" @ "criarEmpresa";
    }
    "Operar" {
        "homologacao" "Homologação de verdade" @ "configurarNfe";
        "operacao" "Operar: cópias, chave mestra, PostgreSQL" @ "status";
        "container" "Em container: Docker e Compose";
    }
    "Migrar" {
        "migrar-focus-nfe" "Migrar do Focus NFe" @ "emitirNfe";
        "migrar-nuvem-fiscal" "Migrar da Nuvem Fiscal" @ "emitirNfe";
        "migrar-plugnotas" "Migrar do PlugNotas" @ "emitirNfe";
        "migrar-sped-nfe" "Migrar do sped-nfe" @ "emitirNfe";
    }
}

/// The guide of a page.
pub(super) fn find(page: &str) -> Option<&'static Guide> {
    GUIDES.iter().find(|guide| guide.page == page)
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

    #[test]
    fn the_operation_beside_a_guide_exists() {
        let routes = crate::routes::described();
        for guide in GUIDES {
            let Some(id) = guide.operation else { continue };
            assert!(routes.all().any(|(_, route)| route.operation.id == id), "{}: {id}", guide.page);
        }
    }
}
