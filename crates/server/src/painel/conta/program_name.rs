//! A short name of the program that sent a `User-Agent`, for a person who must recognise it.

/// Longest name of a program that is shown as it is, letters.
const LONGEST: usize = 60;

// Order matters: a browser names its ancestors too.
const BROWSERS: &[(&str, &str)] = &[
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

const SYSTEMS: &[(&str, &str)] = &[
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// Browser and system, or the beginning of the text.
pub(super) fn program_name(agent: &str) -> String {
    let find =
        |names: &[(&str, &'static str)]| names.iter().find(|(part, _)| agent.contains(part)).map(|(_, name)| *name);
    match (find(BROWSERS), find(SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} em {system}"),
        (Some(browser), None) => browser.to_owned(),
        _ if agent.trim().is_empty() => "não informado".to_owned(),
        _ => agent.chars().take(LONGEST).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_named_by_what_it_is_and_not_by_its_ancestors() {
        for (agent, name) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36 Edg/131.0",
                "Edge em Windows",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0", "Firefox em Linux"),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1",
                "Safari em iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36",
                "Chrome em Android",
            ),
            ("python-requests/2.32", "python-requests/2.32"),
            ("", "não informado"),
        ] {
            assert_eq!(program_name(agent), name);
        }
        assert_eq!(program_name(&"x".repeat(500)).len(), LONGEST);
    }
}
