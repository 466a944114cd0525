//! A real Apache: TLS 1.2 and 1.3, with the client certificate requested per location, hence by renegotiation, which
//! 1.3 lacks.

use crate::folder::Folder;
use crate::pki::{Authority, Pair};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running Apache. Stops on drop.
pub struct Apache {
    pub port: u16,
    process: Child,
    folder: Folder,
}

impl Apache {
    /// Starts the server. `/aberto` requests no certificate, `/mtls` renegotiates for one issued under `clients`. Both
    /// answer with a line of the server's facts: port of the connection, protocol, result of the client's verification
    /// and its common name, method and body. `/conta` requests no certificate and answers with the length of the body.
    pub fn start(server: &Pair, chain: &Authority, clients: &Authority) -> Apache {
        let folder = Folder::new();
        folder.write("server.pem", [server.certificate.to_pem().unwrap(), chain.pem()].concat());
        folder.write("server.key", server.key.private_key_to_pem_pkcs8().unwrap());
        folder.write("clients.pem", clients.pem());
        folder.write_program("echo.sh", ECHO);
        folder.write_program("count.sh", COUNT);
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let path = folder.path().to_str().unwrap();
        folder.write("apache.conf", CONFIGURATION.replace("@DIR@", path).replace("@PORT@", &port.to_string()));
        let mut command = Command::new("apache2");
        command
            .args(["-DFOREGROUND", "-f", &format!("{path}/apache.conf")])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // a process group of its own: on SIGTERM Apache signals its whole group
        command.process_group(0);
        let process = command
            .spawn()
            .unwrap_or_else(|error| panic!("este teste precisa de `apache2` ({error}); `cargo xtask test` o instala"));
        let mut apache = Apache { port, process, folder };
        apache.wait_until_it_listens();
        apache
    }

    pub fn url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.port)
    }

    fn wait_until_it_listens(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            if let Some(status) = self.process.try_wait().unwrap() {
                panic!("apache2 terminou com {status}: {}", self.log());
            }
            assert!(Instant::now() < deadline, "apache2 não abriu a porta: {}", self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("error.log")).unwrap_or_default()
    }
}

impl Drop for Apache {
    fn drop(&mut self) {
        // SIGTERM, so that its children end too
        let _ = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status();
        let _ = self.process.wait();
    }
}

const ECHO: &str = r#"#!/bin/sh
printf 'Content-Type: text/plain\r\n\r\n'
printf '%s|%s|%s|%s|%s|' "$REMOTE_PORT" "$SSL_PROTOCOL" "$SSL_CLIENT_VERIFY" "$SSL_CLIENT_S_DN_CN" "$REQUEST_METHOD"
exec cat
"#;

/// Counts the body: an echo longer than a pipe's buffer would block Apache, which writes the whole body before it
/// reads.
const COUNT: &str = r#"#!/bin/sh
printf 'Content-Type: text/plain\r\n\r\n'
exec wc -c
"#;

const CONFIGURATION: &str = r#"
ServerRoot "@DIR@"
ServerName localhost
PidFile "@DIR@/pid"
ErrorLog "@DIR@/error.log"
Listen 127.0.0.1:@PORT@
LoadModule mpm_prefork_module /usr/lib/apache2/modules/mod_mpm_prefork.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule alias_module /usr/lib/apache2/modules/mod_alias.so
LoadModule cgi_module /usr/lib/apache2/modules/mod_cgi.so
LoadModule ssl_module /usr/lib/apache2/modules/mod_ssl.so
<IfModule unixd_module>
  User www-data
  Group www-data
</IfModule>
StartServers 2
KeepAlive On
KeepAliveTimeout 30
SSLSessionCache none
SSLEngine on
SSLProtocol -all +TLSv1.2 +TLSv1.3
SSLCertificateFile "@DIR@/server.pem"
SSLCertificateKeyFile "@DIR@/server.key"
SSLCACertificateFile "@DIR@/clients.pem"
SSLVerifyClient none
SSLVerifyDepth 5
SSLOptions +StdEnvVars
ScriptAlias /aberto "@DIR@/echo.sh"
ScriptAlias /mtls "@DIR@/echo.sh"
ScriptAlias /conta "@DIR@/count.sh"
<Location /mtls>
  SSLVerifyClient require
</Location>
"#;
