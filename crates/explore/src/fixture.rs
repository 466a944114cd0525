//! The fixture of every run, made once: an account, a company with its certificate and its configuration for each
//! family.

use crate::authority::municipal;
use anyhow::Context as _;
use authority::table::EndpointTable;
use fiscal::value::{CnpjCpf, TpAmb};
use openssl::asn1::Asn1Time;
use openssl::bn::BigNum;
use openssl::hash::MessageDigest;
use openssl::pkcs12::Pkcs12;
use openssl::pkey::PKey;
use openssl::rsa::Rsa;
use openssl::x509::{X509Builder, X509NameBuilder};
use serde_json::{Value, json};
use std::sync::Arc;
use store::accounts::{Caller, NewAccount, Permissao};
use store::audit::Actor;
use store::companies::{CertificateRecord, NewCertificate};
use store::vault::MasterKey;
use store::{MemoryDatabase, Store};
use uuid::Uuid;
use zeroize::Zeroizing;

/// CNPJ of the company.
pub const CNPJ: &str = "11222333000181";
/// Every authority is part of the model; an address only has to name it.
const ADDRESSES: &str = r#"[template]
url = "https://explore/{modelo}/{authority}/{ambiente}/{service}"
[abrasf.template]
url = "https://explore/municipal/{provider}/{city}/{ambiente}"
"#;
const PASSWORD: &str = "segredo";

/// Initial state of every run.
pub struct RunFixture {
    /// Image of the database.
    pub image: Vec<u8>,
    /// Caller of every order.
    pub caller: Caller,
    /// The table of authorities.
    pub table: EndpointTable,
}

/// The key that seals every database.
pub fn master_key() -> MasterKey {
    MasterKey::new([7; 32])
}

impl RunFixture {
    /// Builds the fixture.
    pub async fn build_fixture() -> anyhow::Result<RunFixture> {
        let database = MemoryDatabase::new()?;
        let store = Store::simulated(&database, master_key(), Arc::new(|_| true)).await?;
        let account = NewAccount { nome: "T".into(), email: "t@exemplo.com".into(), senha_hash: "x".into() };
        let tenant_id = store.create_account(account, 0).await?;
        let cnpj = CnpjCpf::parse(CNPJ).context("the company's number")?;
        let by = Actor::operator();
        store.create_company(tenant_id, cnpj, company(), &by, 0).await?;
        for tipo in ["nfe", "nfce", "cte", "nfse"] {
            store.configure_company(tenant_id, cnpj, tipo, configuration(tipo), &by, 0).await?;
        }
        store.save_certificate(tenant_id, cnpj, certificate()?, &by, 0).await?;
        let served = CnpjCpf::parse(municipal::CNPJ).context("the number of the company of services")?;
        store.create_company(tenant_id, served, company(), &by, 0).await?;
        store.configure_company(tenant_id, served, "nfse", of_city_hall(), &by, 0).await?;
        store.save_certificate(tenant_id, served, certificate()?, &by, 0).await?;
        let caller = Caller {
            tenant_id,
            api_key_id: Uuid::nil(),
            ambiente: TpAmb::Homologacao,
            permissao: Permissao::Completa,
            granted: None,
        };
        Ok(RunFixture { image: database.image()?, caller, table: EndpointTable::with_overrides(ADDRESSES)? })
    }
}

fn company() -> Value {
    json!({"nome_razao_social": "Papelaria Demonstração Ltda", "inscricao_estadual": "110042490114", "crt": 1,
        "endereco": {"logradouro": "Praça da Sé", "numero": "1", "bairro": "Sé", "codigo_municipio": "3550308",
            "cidade": "São Paulo", "uf": "SP", "cep": "01001000"}})
}

/// The company that issues RPS in lots, at a municipal provider.
fn of_city_hall() -> Value {
    json!({"ambiente": 2, "codigo_municipio": municipal::CITY, "inscricao_municipal": municipal::REGISTRATION, "serie": "1",
        "provedor": "WebISS", "aliquota": "percentual"})
}

fn configuration(tipo: &str) -> Value {
    let mut all = json!({"ambiente": 2, "crt": 1, "serie": "1", "rntrc": "12345678", "taf": "123456789012"});
    if tipo == "nfce" {
        all["qr_versao"] = json!(3);
    }
    all
}

/// A certificate that opens at once: one round of hashing.
fn certificate() -> anyhow::Result<NewCertificate> {
    let key = PKey::from_rsa(Rsa::generate(2048)?)?;
    let mut name = X509NameBuilder::new()?;
    name.append_entry_by_text("CN", "PAPELARIA DEMONSTRACAO LTDA:11222333000181")?;
    let name = name.build();
    let mut builder = X509Builder::new()?;
    builder.set_version(2)?;
    let serial = BigNum::from_u32(7)?.to_asn1_integer()?;
    builder.set_serial_number(&serial)?;
    builder.set_subject_name(&name)?;
    builder.set_issuer_name(&name)?;
    builder.set_pubkey(&key)?;
    let (from, until) = (Asn1Time::from_unix(1_700_000_000)?, Asn1Time::from_unix(2_000_000_000)?);
    builder.set_not_before(&from)?;
    builder.set_not_after(&until)?;
    builder.sign(&key, MessageDigest::sha256())?;
    let certificate = builder.build();
    let mut pfx = Pkcs12::builder();
    pfx.name("A").pkey(&key).cert(&certificate).key_iter(1).mac_iter(1);
    let pfx = Zeroizing::new(pfx.build2(PASSWORD)?.to_der()?);
    let record = CertificateRecord {
        titular: "PAPELARIA DEMONSTRACAO LTDA".to_owned(),
        emissor: "AC".to_owned(),
        numero_serie: "07".to_owned(),
        valido_de: 1_700_000_000,
        valido_ate: 2_000_000_000,
    };
    Ok(NewCertificate { pfx, senha: Zeroizing::new(PASSWORD.to_owned()), record })
}
