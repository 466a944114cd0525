//! Acts of the trail in words.

use serde_json::Value;
use store::audit::AuditEntry;
use uuid::Uuid;

const NAMES: &[(&str, &str)] = &[
    ("conta_criada", "Conta criada"),
    ("usuario_criado", "Pessoa acrescentada"),
    ("usuario_removido", "Pessoa removida"),
    ("nome_alterado", "Nome trocado"),
    ("segundo_fator_ligado", "Segundo fator ligado"),
    ("segundo_fator_desligado", "Segundo fator desligado"),
    ("codigo_recuperacao_usado", "Código de recuperação usado"),
    ("codigos_recuperacao_trocados", "Códigos de recuperação trocados"),
    ("identidade_vinculada", "Entrada por um provedor vinculada"),
    ("identidade_desvinculada", "Entrada por um provedor desvinculada"),
    ("papel_dado", "Papel dado"),
    ("papel_retirado", "Papel retirado"),
    ("convite_criado", "Convite criado"),
    ("convite_revogado", "Convite cancelado"),
    ("convite_aceito", "Convite aceito"),
    ("senha_alterada", "Senha trocada"),
    ("sessao_iniciada", "Entrou"),
    ("sessao_encerrada", "Saiu"),
    ("ambiente_trocado", "Mudou de ambiente"),
    ("login_bloqueado", "Tentativas de entrar com senha errada"),
    ("logins_limitados", "Tentativas demais de entrar"),
    ("chave_criada", "Chave de API criada"),
    ("chave_revogada", "Chave de API revogada"),
    ("empresa_criada", "Empresa cadastrada"),
    ("empresa_alterada", "Empresa alterada"),
    ("empresa_removida", "Empresa removida"),
    ("configuracao_alterada", "Configuração alterada"),
    ("certificado_enviado", "Certificado enviado"),
    ("logotipo_enviado", "Logotipo enviado"),
    ("logotipo_removido", "Logotipo retirado"),
    ("cota_alterada", "Cota alterada"),
    ("teto_alterado", "Teto de valor alterado"),
    ("formulario_mcp_alterado", "Formulário de programas alterado"),
    ("emissao_aprovada", "Emissão aprovada"),
    ("emissao_recusada", "Emissão recusada"),
    ("emissao_por_formulario", "Emissão aprovada em um programa"),
    ("ato_aprovado", "Ato aprovado"),
    ("ato_recusado", "Ato recusado"),
    ("ato_por_formulario", "Ato aprovado em um programa"),
    ("webhook_da_conta_alterado", "Endereço dos avisos alterado"),
    ("segredo_webhook_trocado", "Segredo dos webhooks trocado"),
    ("entrega_reenviada", "Aviso a um sistema reenviado"),
    ("email_pedido", "E-mail pedido"),
    ("email_configurado", "Envio por e-mail configurado"),
    ("email_bloqueado", "Endereço de e-mail bloqueado"),
    ("email_desbloqueado", "Endereço de e-mail desbloqueado"),
    ("exportacao_pedida", "Exportação pedida"),
    ("exportacao_apagada", "Exportação apagada"),
    ("operacao_pedida", "Emissão ou ato pedido"),
    ("operacao_reprocessada", "Operação posta de volta na fila"),
    ("operacao_retirada", "Operação retirada da fila"),
];

/// Name of an act; its word where it has none.
pub(super) fn name(word: &str) -> &str {
    NAMES.iter().find(|(known, _)| *known == word).map_or(word, |(_, name)| name)
}

/// The person or program of an entry.
pub(super) fn actor(entry: &AuditEntry) -> String {
    let name = entry.ator_nome.as_deref();
    match entry.ator.as_str() {
        "usuario" => name.unwrap_or("pessoa removida").to_owned(),
        "chave_api" => format!("programa, pela chave “{}”", name.unwrap_or("removida")),
        "operador" => "quem opera o servidor".to_owned(),
        _ => "alguém sem entrar".to_owned(),
    }
}

/// Details as `nome: valor`, one after the other; ids among them only with `ids`.
pub(super) fn details(detalhes: &Value, ids: bool) -> String {
    let Some(members) = detalhes.as_object() else { return String::new() };
    let is_id = |value: &Value| value.as_str().is_some_and(|text| Uuid::parse_str(text).is_ok());
    let known = members.iter().filter(|(_, value)| !value.is_null() && (ids || !is_id(value)));
    let shown = known.map(|(name, value)| match value.as_str() {
        Some(text) => format!("{}: {text}", name.replace('_', " ")),
        None => format!("{}: {value}", name.replace('_', " ")),
    });
    shown.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use store::audit::AuditAct;

    use super::*;

    #[test]
    fn every_act_has_a_name() {
        for (word, _) in AuditAct::ALL {
            assert_ne!(name(word), *word);
        }
        assert_eq!(NAMES.len(), AuditAct::ALL.len());
    }
}
