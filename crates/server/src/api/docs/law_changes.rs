//! An installation's changes of the printed law, as text.

use fiscal::law::{Law, RuleFamily};

/// This installation's changes of the printed law for some documents; empty without changes.
pub(super) fn list(law: &Law, of: &[RuleFamily]) -> String {
    let rates = law.cbs().map(|(ano, aliquota)| format!("- CBS de {ano}: {aliquota} %\n"));
    let rules = law.changes().iter().filter(|change| of.contains(&change.documento));
    let listed: String = rates.chain(rules.map(|change| format!("- {change}\n"))).collect();
    if listed.is_empty() {
        return listed;
    }
    format!("## Mudado nesta instalação\n\nO operador mudou a lei impressa (`lei.toml`):\n\n{listed}\n")
}
