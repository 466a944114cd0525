//! subjectAltName with the ICP-Brasil otherName fields, written in DER by hand.
//!
//! Law: DOC-ICP-04: the values are OCTET STRINGs of fixed width. The openssl crate can only make IA5String otherNames.

/// 2.16.76.1.3.1: birth date, CPF, NIS, RG and its issuer of a person.
const PERSON: &[u8] = &[0x60, 0x4c, 0x01, 0x03, 0x01];
/// 2.16.76.1.3.2: name of the person responsible for a company.
const RESPONSIBLE_NAME: &[u8] = &[0x60, 0x4c, 0x01, 0x03, 0x02];
/// 2.16.76.1.3.3: CNPJ.
const CNPJ: &[u8] = &[0x60, 0x4c, 0x01, 0x03, 0x03];
/// 2.16.76.1.3.4: the data of `PERSON` of the person responsible for a company.
const RESPONSIBLE: &[u8] = &[0x60, 0x4c, 0x01, 0x03, 0x04];
/// 2.16.76.1.3.7: CEI of a company.
const CEI: &[u8] = &[0x60, 0x4c, 0x01, 0x03, 0x07];

const SEQUENCE: u8 = 0x30;
const OBJECT_IDENTIFIER: u8 = 0x06;
const OCTET_STRING: u8 = 0x04;
/// `[0]`, constructed: otherName in GeneralName, and the explicit tag of its value.
const CONTEXT_0: u8 = 0xa0;

/// Value of the extension for a company (14 positions) or a person (11 digits).
pub(super) fn alternative_names(cpf_cnpj: &str) -> Vec<u8> {
    let fields = if cpf_cnpj.len() == 11 {
        vec![other_name(PERSON, &person(cpf_cnpj))]
    } else {
        vec![
            other_name(RESPONSIBLE_NAME, b"RESPONSAVEL DE TESTE"),
            other_name(CNPJ, cpf_cnpj.as_bytes()),
            other_name(RESPONSIBLE, &person("11144477735")),
            other_name(CEI, b"000000000000"),
        ]
    };
    tagged(SEQUENCE, &fields.concat())
}

/// Birth date 8, CPF 11, NIS 11, RG 15, issuer and state 6.
fn person(cpf: &str) -> Vec<u8> {
    format!("01011980{cpf}{:0>11}{:0>15}SSPSP ", "", "").into_bytes()
}

fn other_name(oid: &[u8], value: &[u8]) -> Vec<u8> {
    let mut content = tagged(OBJECT_IDENTIFIER, oid);
    content.extend(tagged(CONTEXT_0, &tagged(OCTET_STRING, value)));
    tagged(CONTEXT_0, &content)
}

fn tagged(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut der = vec![tag];
    match u8::try_from(content.len()) {
        Ok(short @ ..=0x7f) => der.push(short),
        Ok(long) => der.extend([0x81, long]),
        Err(_) => {
            der.push(0x82);
            der.extend(u16::try_from(content.len()).unwrap_or(u16::MAX).to_be_bytes());
        }
    }
    der.extend_from_slice(content);
    der
}
