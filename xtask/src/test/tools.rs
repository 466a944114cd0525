//! External programs of the tests: found, installed when we may, or named when we may not.

use super::count::TestCounts;
use crate::{postgres, shell};
use anyhow::{Result, bail, ensure};
use std::process::Command;

/// A program of the tests, and its Debian package.
struct RequiredTool {
    /// Name of the program; or a whole command that succeeds when it is installed, where the name is not enough.
    program: &'static str,
    package: &'static str,
    why: &'static str,
}

const TOOLS: &[RequiredTool] = &[
    RequiredTool { program: "xmlsec1", package: "xmlsec1", why: "verifies our signatures" },
    RequiredTool {
        program: "xmllint",
        package: "libxml2-utils",
        why: "validates our XML against the official schemas",
    },
    RequiredTool { program: "openssl", package: "openssl", why: "makes certificate files of every kind" },
    RequiredTool {
        program: "apache2",
        package: "apache2-bin",
        why: "a server that asks for the certificate by renegotiation",
    },
    RequiredTool { program: "qpdf", package: "qpdf", why: "checks the structure of our PDFs" },
    RequiredTool {
        program: "pdftotext",
        package: "poppler-utils",
        why: "reads text and fonts of our PDFs, and makes pictures of them",
    },
    RequiredTool {
        program: "zbarimg",
        package: "zbar-tools",
        why: "reads bar codes and QR codes from pictures of our forms",
    },
    RequiredTool { program: "qrencode", package: "qrencode", why: "draws the QR code of an issued NFC-e" },
    RequiredTool { program: "chromium", package: "chromium", why: "reads the documentation as users do" },
    RequiredTool { program: "sqlite3", package: "sqlite3", why: "copies the database as the guide for operators does" },
    RequiredTool {
        program: "createdb",
        package: "postgresql-client",
        why: "prepares PostgreSQL as the guide for operators does",
    },
    RequiredTool { program: "curl", package: "curl", why: "runs the commands that the guides show" },
    RequiredTool { program: "initdb", package: "postgresql", why: "the second database" },
    RequiredTool {
        program: "python3 -m pip --version",
        package: "python3-pip",
        why: "fetches the official schemas (PyPI nfelib) and the public verifier of webhooks (PyPI standardwebhooks)",
    },
    RequiredTool { program: "node", package: "nodejs", why: "runs the clients that generators of TypeScript make" },
    RequiredTool { program: "php", package: "php-cli", why: "runs what the pages show in PHP" },
    RequiredTool {
        program: "php --ri curl",
        package: "php-curl",
        why: "calls the service as the pages show it in PHP",
    },
    RequiredTool { program: "mcs", package: "mono-mcs", why: "compiles what the pages show in C#" },
    RequiredTool {
        program: "test -e /usr/lib/mono/4.5/System.Net.Http.dll",
        package: "libmono-system-net-http4.0-cil",
        why: "calls the service as the pages show it in C#",
    },
    RequiredTool { program: "javac", package: "default-jdk-headless", why: "runs the guide of webhooks in Java" },
    RequiredTool {
        program: "test -e /usr/share/java/jsr305.jar",
        package: "libjsr305-java",
        why: "compiles the client that openapi-generator makes for Java",
    },
    RequiredTool {
        program: "test -e /usr/share/java/geronimo-annotation-1.3-spec.jar",
        package: "libgeronimo-annotation-1.3-spec-java",
        why: "compiles the client that openapi-generator makes for Java",
    },
    RequiredTool {
        program: "test -e /usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll",
        package: "libnewtonsoft-json5.0-cil",
        why: "reads JSON in the client that openapi-generator makes for C#",
    },
    RequiredTool {
        program: "test -e /usr/lib/mono/4.5/System.Web.dll",
        package: "libmono-system-web4.0-cil",
        why: "compiles that client",
    },
    RequiredTool {
        program: "test -e /usr/lib/mono/4.5/System.ComponentModel.DataAnnotations.dll",
        package: "libmono-system-componentmodel-dataannotations4.0-cil",
        why: "compiles that client",
    },
    RequiredTool {
        program: "test -e /usr/lib/mono/4.5/System.Runtime.Serialization.dll",
        package: "libmono-system-runtime-serialization4.0-cil",
        why: "compiles that client",
    },
    RequiredTool {
        program: "test -e /usr/share/php/GuzzleHttp/autoload.php",
        package: "php-guzzlehttp-guzzle",
        why: "calls the service in the client that openapi-generator makes for PHP",
    },
    RequiredTool { program: "go", package: "golang-go", why: "runs the guide of webhooks in Go" },
    RequiredTool { program: "npm", package: "npm", why: "fetches those generators, as package-lock.json has them" },
    RequiredTool {
        program: "promtool",
        package: "prometheus",
        why: "reads our metrics and the alerts of the guide for operators",
    },
    RequiredTool {
        program: "faketime",
        package: "faketime",
        why: "sets the clock of a test to the days on which the law turns",
    },
    RequiredTool { program: "perl", package: "perl", why: "builds OpenSSL" },
    RequiredTool { program: "make", package: "make", why: "builds OpenSSL" },
    RequiredTool { program: "cc", package: "gcc", why: "builds OpenSSL and SQLite" },
];

/// Finds every tool, installs the missing ones, and searches again.
pub(super) fn step() -> Result<TestCounts> {
    components()?;
    let missing = missing();
    for tool in &missing {
        println!("missing: {} (Debian package {}): {}", tool.program, tool.package, tool.why);
    }
    if !missing.is_empty() {
        install(&missing)?;
    }
    let still: Vec<&str> = self::missing().iter().map(|tool| tool.program).collect();
    ensure!(still.is_empty(), "still missing after the installation: {}", still.join(", "));
    install_verifier()?;
    Ok(TestCounts::PASSED)
}

/// Installs the public verifier of webhooks, a pure Python package without dependencies, into its own folder; the
/// system is not changed.
fn install_verifier() -> Result<()> {
    let folder = shell::root().join("target/standardwebhooks");
    if folder.join(format!("standardwebhooks-{STANDARDWEBHOOKS}.dist-info")).exists() {
        return Ok(());
    }
    println!("installing the Python package standardwebhooks {STANDARDWEBHOOKS}");
    std::fs::create_dir_all(&folder)?;
    let requirements = folder.join("requirements.txt");
    std::fs::write(&requirements, format!("standardwebhooks=={STANDARDWEBHOOKS} --hash=sha256:{SHA256}\n"))?;
    let mut command = Command::new("python3");
    command.args(["-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--upgrade", "--target"]);
    shell::capture_success(command.arg(&folder).arg("--requirement").arg(&requirements)).map(|_| ())
}

/// Version on PyPI; used by `carimbo/tests/it/suites/webhooks/assinatura.rs`.
const STANDARDWEBHOOKS: &str = "1.1.0";
/// Digest of its wheel; pip refuses any other.
const SHA256: &str = "9a88d48a1f198be61517fc7ad328cf58ba02b73f0fbd8941d4213e9c0b6c2a61";

fn missing() -> Vec<&'static RequiredTool> {
    TOOLS.iter().filter(|tool| !is_there(tool.program)).collect()
}

fn is_there(program: &str) -> bool {
    match program.split_once(' ') {
        Some((program, arguments)) => {
            let mut command = Command::new(program);
            shell::capture(command.args(arguments.split(' '))).is_ok_and(|output| output.success)
        }
        None => shell::find(program).is_some() || (program == "initdb" && postgres::binaries().is_some()),
    }
}

fn install(missing: &[&RequiredTool]) -> Result<()> {
    let packages: Vec<&str> = missing.iter().map(|tool| tool.package).collect();
    if !shell::is_root() || shell::find("apt-get").is_none() {
        bail!("install these first (Debian: `sudo apt-get install {}`)", packages.join(" "));
    }
    println!("installing {}", packages.join(" "));
    apt(&["update"])?;
    let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
    arguments.extend(packages);
    apt(&arguments)
}

fn apt(arguments: &[&str]) -> Result<()> {
    let mut command = Command::new("apt-get");
    command.arg("--quiet").args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    shell::capture_success(&mut command).map(|_| ())
}

/// Installs rustfmt and clippy, which rustup's minimal profile lacks.
fn components() -> Result<()> {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let found = shell::capture(Command::new("cargo").args([subcommand, "--version"]))?.success;
        if !found {
            println!("installing the component {component}");
            shell::capture_success(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    Ok(())
}
