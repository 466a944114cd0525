//! The file that `carimbo config exemplo` prints: every key, explained, with its variable.

use std::fmt::Write as _;

use super::keys::KEYS;

/// Returns the whole file. A default stands as it is; a key without default stands behind `#~ `.
pub(crate) fn example() -> String {
    let mut out = String::from(HEAD);
    let mut section = "";
    for key in KEYS {
        let (group, name) = key.name.split_once('.').unwrap_or(("", key.name));
        if group != section {
            let _ = writeln!(out, "\n[{group}]");
            section = group;
        }
        for line in key.explained.lines() {
            let _ = writeln!(out, "# {line}");
        }
        let _ = writeln!(out, "# variável: {}", key.variable());
        let mark = if key.is_default { "" } else { "#~ " };
        let _ = writeln!(out, "{mark}{name} = {}\n", key.example);
    }
    out
}

const HEAD: &str = "\
# Configuração do Carimbo.
# Use com `carimbo serve --config carimbo.toml`. Toda chave pode vir também da variável de ambiente indicada, que vale
# sobre o arquivo. O que aparece aqui é o valor padrão; as linhas com #~ são opcionais e vêm desligadas.
";
