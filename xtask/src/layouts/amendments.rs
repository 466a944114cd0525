//! Changes of the official schemas that the package does not have yet.
//!
//! Law: joint note NTCJ 2025.001 and NT 2026.004 (CNPJ with letters), NFS-e schemas of 2026-07-27. Must not know the
//! origin of the files.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

/// A change of an official schema that the package does not have yet.
struct SchemaChange {
    file: &'static str,
    from: &'static str,
    to: &'static str,
}

/// CNPJ with letters (joint note NTCJ 2025.001, NT 2026.004): `nfe_v4.00` of the package has it, the other schemas do
/// not yet. Each text must occur exactly once, so an updated package makes this fail and the row is removed.
const AMENDMENTS: &[SchemaChange] = &[
    SchemaChange {
        file: "nfe/leiauteConsSitNFe_v4.00.xsd",
        from: r#""ID[0-9]{52}""#,
        to: r#""ID[0-9]{12}[0-9A-Z]{12}[0-9]{28}""#,
    },
    SchemaChange {
        file: "nfe/leiauteInutNFe_v4.00.xsd",
        from: r#""ID[0-9]{41}""#,
        to: r#""ID[0-9]{4}[0-9A-Z]{12}[0-9]{25}""#,
    },
    SchemaChange {
        file: "evento/leiauteEvento_v1.00.xsd",
        from: r#""ID[0-9]{52}""#,
        to: r#""ID[0-9]{12}[0-9A-Z]{12}[0-9]{28}""#,
    },
    SchemaChange {
        file: "evento/tiposBasico_v1.03.xsd",
        from: r#""[0-9]{44}""#,
        to: r#""[0-9]{6}[0-9A-Z]{12}[0-9]{26}""#,
    },
    SchemaChange { file: "evento/tiposBasico_v1.03.xsd", from: r#""[0-9]{14}""#, to: r#""[0-9A-Z]{12}[0-9]{2}""# },
    SchemaChange {
        file: "evento/tiposBasico_v1.03.xsd",
        from: r#""[0-9]{0}|[0-9]{14}""#,
        to: r#""[0-9]{0}|[0-9A-Z]{12}[0-9]{2}""#,
    },
    SchemaChange {
        file: "evento/110140/tiposBasico_v1.03.xsd",
        from: r#""[0-9]{14}""#,
        to: r#""[0-9A-Z]{12}[0-9]{2}""#,
    },
    SchemaChange {
        file: "evento/110150/tiposBasico_v1.03.xsd",
        from: r#""[0-9]{14}""#,
        to: r#""[0-9A-Z]{12}[0-9]{2}""#,
    },
    // the distribution of the CT-e is of 2016
    SchemaChange {
        file: "cte-distribuicao/tiposDistDFe_v1.00.xsd",
        from: r#""[0-9]{14}""#,
        to: r#""[0-9A-Z]{12}[0-9]{2}""#,
    },
    // an xs:any with strict processing would accept no event at all
    SchemaChange {
        file: "cte-inteiro/consSitCTeTiposBasico_v4.00.xsd",
        from: "<xs:any>",
        to: "<xs:any processContents=\"skip\">",
    },
    SchemaChange {
        file: "evento/110112/tiposBasico_v1.03.xsd",
        from: r#""[0-9]{44}""#,
        to: r#""[0-9]{6}[0-9A-Z]{12}[0-9]{26}""#,
    },
    // Package of 2026-07-27: CNPJ with letters, offsets without a comma, descriptions that are not blank. New patterns
    // that refuse nothing more than the old ones are left out. The package's own chave has the letters three positions
    // too early; here they stand at the position of the CNPJ.
    of_nfse(r#""NFS[0-9]{50}""#, r#""NFS[0-9]{9}[0-9A-Z]{14}[0-9]{27}""#),
    of_nfse(r#""DPS[0-9]{42}""#, r#""DPS[0-9]{7}(1[0-9]{14}|2[0-9A-Z]{14})[0-9]{20}""#),
    of_nfse(r#""PRE[0-9]{56}""#, r#""PRE[0-9]{8}(1[0-9]{14}|2[0-9A-Z]{14})[0-9]{33}""#),
    of_nfse(r#""EVT[0-9]{59}""#, r#""EVT[0-9]{8}(1[0-9]{14}|2[0-9A-Z]{14})[0-9]{36}""#),
    of_nfse(r#""[0-9]{59}""#, r#""[0-9]{8}(1[0-9]{14}|2[0-9A-Z]{14})[0-9]{33}""#),
    of_nfse(r#""[0-9]{50}""#, r#""[0-9]{9}[0-9A-Z]{14}[0-9]{27}""#),
    of_nfse(r#""[0-9]{44}""#, r#""[0-9]{6}[0-9A-Z]{14}[0-9]{24}""#),
    of_nfse(
        "Tipo Número do CNPJ</xs:documentation>\r\n    </xs:annotation>\r\n    <xs:restriction base=\"xs:string\">\r\n      \
         <xs:whiteSpace value=\"preserve\"/>\r\n      <xs:maxLength value=\"14\"/>\r\n      <xs:pattern value=\"[0-9]{14}\"/>",
        "Tipo Número do CNPJ</xs:documentation>\r\n    </xs:annotation>\r\n    <xs:restriction base=\"xs:string\">\r\n      \
         <xs:whiteSpace value=\"preserve\"/>\r\n      <xs:maxLength value=\"14\"/>\r\n      <xs:pattern value=\"[0-9A-Z]{14}\"/>",
    ),
    of_nfse(r#""0{0,4}\d{1,5}""#, r#""[0-9]{1,4}|[0-8][0-9]{4}""#),
    of_nfse(r"(0[1,3-9])|(1[0-2]))-(29|30)))))T", "(0[13-9])|(1[0-2]))-(29|30)))))T"),
    of_nfse(r"([\-,\+](0[0-9]", "([-+](0[0-9]"),
    of_nfse(
        "<xs:restriction base=\"TSStringComQuebraDeLinha\">\r\n      <xs:minLength value=\"1\"/>\r\n      <xs:maxLength value=\"2000\"/>",
        "<xs:restriction base=\"TSStringComQuebraDeLinha\">\r\n      <xs:minLength value=\"1\"/>\r\n      <xs:maxLength value=\"2000\"/>\
         <xs:pattern value=\"[\\s\\S]*[^\\s][\\s\\S]*\"/>",
    ),
];

const fn of_nfse(from: &'static str, to: &'static str) -> SchemaChange {
    SchemaChange { file: "nfse/tiposSimples_v1.01.xsd", from, to }
}

/// Writes the changes into the schemas of a folder.
pub(super) fn apply(folder: &Path) -> Result<()> {
    for amendment in AMENDMENTS {
        let path = folder.join(amendment.file);
        let text = fs::read_to_string(&path)?;
        if text.matches(amendment.from).count() != 1 {
            bail!(
                "{} has not exactly one {}: the package changed, read it and settle AMENDMENTS",
                amendment.file,
                amendment.from
            );
        }
        fs::write(&path, text.replace(amendment.from, amendment.to))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amendment_the_package_has_caught_up_with_is_noticed() {
        let folder = std::env::temp_dir().join(format!("carimbo-amend-{}", std::process::id()));
        for amendment in AMENDMENTS {
            let file = folder.join(amendment.file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            let before = fs::read_to_string(&file).unwrap_or_default();
            fs::write(&file, format!("{before}{}\n", amendment.from)).unwrap();
        }
        apply(&folder).unwrap();
        let again = apply(&folder);
        fs::remove_dir_all(&folder).unwrap();
        assert!(again.unwrap_err().to_string().contains("the package changed"));
    }
}
