//! End to end: server and simulator in process on loopback, only HTTP in and out. Files are laid out like the routes.
//!
//! The database is chosen by `TEST_STORE=sqlite|postgres` (default sqlite); postgres needs `TEST_DATABASE_URL`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail the test where they stand"
)]

mod alertas;
mod ambientes;
mod app;
mod body;
mod client;
mod comandos;
mod connections;
mod contract;
#[path = "../databases/copy.rs"]
mod copy;
mod corpos;
mod cotas;
mod database;
mod fila;
mod installation;
mod judge;
mod limites;
mod logs;
mod magicos;
mod mcp;
mod source;
mod tamanhos;

mod auth;
mod cep;
mod cnpj;
mod cte;
mod dados;
mod demo;
mod diagnostico;
mod docs;
mod edges;
mod empresas;
mod ensaio;
mod entrada;
mod envelope;
mod full_disk;
mod galeria;
mod guias;
mod home;
mod jobs;
mod migracao;
mod ncm;
mod nfce;
mod nfe;
mod nfse;
mod notas;
mod outage;
mod painel;
mod permissoes;
mod pesados;
mod provas;
mod receitas;
mod received;
mod relogio;
mod remedios;
mod restaurado;
mod routes;
mod secrets;
mod serve;
mod status;
mod tenants;
mod tributos;
mod webhooks;
mod zonas;
