//! QR code beside a signed document: the version that a company issues, and the code itself.
//!
//! Law: NT 2025.001 (a CPF issuer has version 3; an issuer with a CSC may keep version 2); `docs/contract.md`,
//! "Companies" (NFC-e configuration); MOC CT-e 4.00 visão geral 9.2 for transport. The CSC is opened where it is used
//! and lives no longer than that.

use crate::Engine;
use crate::family::emission::{CTE_OFFLINE, OFFLINE};
use crate::family::issuer::FamilyIssuer;
use fiscal::cte;
use fiscal::document::BuiltDocument;
use fiscal::nfe;
use fiscal::nfe::qr::{self, OfflineInputs, QrInputs};
use fiscal::value::{ChaveAcesso, CnpjCpf, TpAmb};
use signing::{Certificate, SignedXml};
use store::companies::CompanySecret;
use uuid::Uuid;

/// Version of a company's codes in an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QrVersion {
    /// Sealed by the CSC with this number.
    Csc(u32),
    /// Without a CSC.
    Three,
    /// Code of transport: present from the beginning in an online document, with a signature of the key in an offline
    /// one.
    Transport,
}

/// Reason why a company cannot issue an NFC-e though it is configured for it; Portuguese, with the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NoCsc(String);

/// Reason why no code was made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoCode {
    /// The CSC was removed after the document was accepted.
    #[error(transparent)]
    NoCsc(#[from] NoCsc),
    /// The signature of version 3 failed.
    #[error(transparent)]
    Signature(#[from] signing::SignError),
    /// A document without an access key has no such code: our bug.
    #[error("o documento não tem chave de acesso")]
    NoKey,
    #[error(transparent)]
    Store(store::Error),
}

impl FamilyIssuer {
    /// Version that this company issues in an environment: the configured one, or the one that its CSC allows.
    pub(crate) fn qr_version(&self, ambiente: TpAmb) -> Result<QrVersion, NoCsc> {
        let person = matches!(self.company.cpf_cnpj, CnpjCpf::Cpf(_));
        if person || self.number("qr_versao") == Some(3) {
            return Ok(QrVersion::Three);
        }
        if !self.has_csc(ambiente) {
            return Err(missing(ambiente, "não tem CSC"));
        }
        let id = self.csc_id(ambiente).ok_or_else(|| missing(ambiente, "tem CSC sem csc_id"))?;
        qr::id_csc(id).map(QrVersion::Csc).ok_or_else(|| {
            missing(ambiente, "tem um csc_id que não é o número do CSC (até 6 dígitos, como 1 ou 000001)")
        })
    }
}

fn missing(ambiente: TpAmb, what: &str) -> NoCsc {
    let ambiente = match ambiente {
        TpAmb::Producao => "produção",
        TpAmb::Homologacao => "homologação",
    };
    NoCsc(format!(
        "A empresa {what} para NFC-e em {ambiente}. Informe csc e csc_id, obtidos no portal da SEFAZ do estado, em \
         PUT /v1/empresas/{{cpf_cnpj}}/nfce, ou qr_versao 3 para emitir com o QR Code sem CSC."
    ))
}

/// A signed document without its code.
pub(crate) struct QrSubject<'a> {
    pub(crate) tenant: Uuid,
    pub(crate) company: CnpjCpf,
    pub(crate) ambiente: TpAmb,
    pub(crate) built: &'a BuiltDocument,
    pub(crate) certificate: &'a Certificate,
}

impl Engine {
    /// Writes the code into a signed document, outside the signed part: the digest stays. Returns the code of a sale,
    /// which callers show.
    pub(crate) async fn add_qr(
        &self,
        of: QrSubject<'_>,
        version: QrVersion,
        signed: &mut SignedXml,
    ) -> Result<Option<String>, NoCode> {
        let Some(chave) = of.built.ids.chave else { return Err(NoCode::NoKey) };
        match version {
            QrVersion::Transport => transport_code(&of, &chave, signed).map(|()| None),
            QrVersion::Csc(id) => self.sale_code(&of, &chave, Some(id), signed).await.map(Some),
            QrVersion::Three => self.sale_code(&of, &chave, None, signed).await.map(Some),
        }
    }

    /// Code and address of a sale, sealed by the CSC with this number or without one.
    async fn sale_code(
        &self,
        of: &QrSubject<'_>,
        chave: &ChaveAcesso,
        csc: Option<u32>,
        signed: &mut SignedXml,
    ) -> Result<String, NoCode> {
        let parts = chave.parts();
        let offline = (parts.tpEmis == OFFLINE).then(|| OfflineInputs {
            dhEmi: &of.built.dhEmi,
            vNF: of.built.valor,
            digest: &signed.digest,
            consumer: qr::ConsumerId::of(of.built),
        });
        let facts = QrInputs { chave, ambiente: of.ambiente, offline };
        let p = match (csc, qr::v3_to_sign(&facts)) {
            (Some(id), _) => {
                let csc = self.csc(of.tenant, of.company, of.ambiente).await?;
                qr::v2(&facts, id, &csc)
            }
            (None, None) => qr::v3_online(&facts),
            (None, Some(to_sign)) => {
                let signature = signing::sign_text(&to_sign, of.certificate)?;
                qr::v3_signed(&to_sign, &signature)
            }
        };
        let addresses = qr::addresses(parts.uf, of.ambiente);
        let code = qr::text(addresses.qr, &p);
        nfe::supplement(&mut signed.xml, &code, addresses.chave);
        Ok(code)
    }

    async fn csc(&self, tenant: Uuid, company: CnpjCpf, ambiente: TpAmb) -> Result<zeroize::Zeroizing<String>, NoCode> {
        let secret = CompanySecret { tipo: "nfce", ambiente, nome: "csc" };
        match self.store().open_company_secret(tenant, company, secret).await {
            Ok(csc) => Ok(csc),
            Err(store::Error::NotFound) => Err(missing(ambiente, "não tem CSC").into()),
            Err(error) => Err(NoCode::Store(error)),
        }
    }
}

/// Adds the signed code of an offline transport document (853, 855); an online one has its code already.
fn transport_code(of: &QrSubject<'_>, chave: &ChaveAcesso, signed: &mut SignedXml) -> Result<(), NoCode> {
    if chave.parts().tpEmis == CTE_OFFLINE {
        let sign = signing::sign_text(cte::qr::signed_text(chave), of.certificate)?;
        cte::supplement(&mut signed.xml, &cte::qr::text(chave, of.ambiente, Some(&sign)));
    }
    Ok(())
}
