//! Layout of the DPS that NT 009 of the NFS-e announces, as changes to the current package: no registry has its own
//! XSDs.
//!
//! Law: NT 009 v1.01 of 2026-09-11, Anexo VI v1.04.01 (worksheet of the layout of DPS and NFS-e). Each change names its
//! rows, taken from a public transcription of the annex (the annex itself was not read). Positions and types are the
//! annex's; where it leaves a type open, the package's type of a similar field is used. Uncertain fields are left out
//! and listed in `docs/guides/nfse-nt-009.md`: the order of `xDescServ` in `cServ` (the annex differs from every
//! package so far), the documents of `vAjusteBC` (two editions spell `vAjusteAplic` in two ways), `gIBSCBSAjuste` (note
//! and annex give it two parents), `imovel`, `bensMoveis`, `condominios`. The official package, once published,
//! replaces this file. Must not know: the layout of each environment, and its first day.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

/// A change of a schema.
enum TextChange {
    /// Removes an element with its content; given by the text of its start tag.
    Without(&'static str),
    /// Replaces a text by another.
    Instead(&'static str, &'static str),
    /// Inserts declarations before a text.
    Before(&'static str, &'static str),
    /// Inserts declarations after the element that begins with a text.
    After(&'static str, &'static str),
}

use TextChange::{After, Before, Instead, Without};

const COMPLEX: &str = "tiposComplexos_v1.01.xsd";
const SIMPLE: &str = "tiposSimples_v1.01.xsd";

/// File, source, change. Removals come before insertions, since some elements only move.
const CHANGES: &[(&str, &str, TextChange)] = &[
    (COMPLEX, "row 119: finNFSe leaves IBSCBS", Without(r#"<xs:element name="finNFSe" type="TSRTCFinNFSe">"#)),
    (COMPLEX, "row 179: indDest leaves IBSCBS", Without(r#"<xs:element name="indDest" type="TSRTCIndDest">"#)),
    (COMPLEX, "row 180: dest leaves IBSCBS", Without(r#"<xs:element name="dest" type="TCRTCInfoDest" minOccurs="0">"#)),
    (
        COMPLEX,
        "rows 383 to 403: imovel is another",
        Without(r#"<xs:element name="imovel" type="TCRTCInfoImovel" minOccurs="0">"#),
    ),
    (
        COMPLEX,
        "rows 293 to 336: vDedRed becomes vAjusteBC",
        Without(r#"<xs:element name="vDedRed" type="TCInfoDedRed" minOccurs="0">"#),
    ),
    (
        COMPLEX,
        "rows 293 to 336: gReeRepRes becomes vAjusteBC",
        Without(r#"<xs:element name="gReeRepRes" type="TCRTCInfoReeRepRes" minOccurs="0">"#),
    ),
    (COMPLEX, "row 424: CST leaves gIBSCBS", Without(r#"<xs:element name="CST" type="TSRTCCodSitTrib">"#)),
    (
        COMPLEX,
        "row 425: cClassTrib leaves gIBSCBS",
        Without(r#"<xs:element name="cClassTrib" type="TSRTCCodClassTrib">"#),
    ),
    (COMPLEX, "row 245: nDI becomes nDUIMP", Without(r#"<xs:element name="nDI" type="TSNumDocImport" minOccurs="0">"#)),
    (COMPLEX, "row 246: nRE becomes nDUE", Without(r#"<xs:element name="nRE" type="TSNumRegExport" minOccurs="0">"#)),
    (
        COMPLEX,
        "rows 119 to 121",
        Before(
            r#"<xs:element minOccurs="0" name="chNFSeRej""#,
            r#"<xs:element name="finNFSe" type="TSFinNFSe009"/>
               <xs:element name="tpNFSeDebito" type="TSTipoNFSeDebito" minOccurs="0"/>
               <xs:element name="tpNFSeCredito" type="TSTipoNFSeCredito" minOccurs="0"/>"#,
        ),
    ),
    (
        COMPLEX,
        "rows 179 to 200",
        Before(
            r#"<xs:element name="interm" type="TCInfoPessoa" minOccurs="0">"#,
            r#"<xs:element name="indDest" type="TSRTCIndDest"/>
               <xs:element name="dest" type="TCRTCInfoDest" minOccurs="0"/>"#,
        ),
    ),
    (
        COMPLEX,
        "row 152",
        Instead(r#"name="opSimpNac" type="TSOpSimpNac""#, r#"name="opSimpNac" type="TSOpSimpNac009""#),
    ),
    (
        COMPLEX,
        "rows 154 and 155",
        Instead(
            r#"<xs:element name="regEspTrib" type="TSRegEspTrib">"#,
            r#"<xs:element name="regApIBSCBSSN" type="TSRegApIBSCBSSN" minOccurs="0"/>
               <xs:element name="regEspTrib" type="TSRegEspTrib" minOccurs="0">"#,
        ),
    ),
    (
        COMPLEX,
        "row 232: after cNBS and before cIntContrib in the annex's order and in the package's",
        Before(
            r#"<xs:element name="cIntContrib""#,
            r#"<xs:element name="cAtvSN" type="TSCodAtividadeSN" minOccurs="0"/>"#,
        ),
    ),
    (
        COMPLEX,
        "row 236",
        Instead(r#"name="mdPrestacao" type="TSModoPrestacao""#, r#"name="mdPrestacao" type="TSModoPrestacao009""#),
    ),
    (
        COMPLEX,
        "rows 239 to 241",
        Instead(
            r#"<xs:element name="vServMoeda" type="TSDec15V2">"#,
            r#"<xs:element name="nFatura" type="TSNumComExt" minOccurs="0"/>
               <xs:element name="vFatura" type="TSDec15V2" minOccurs="0"/>
               <xs:element name="vServMoeda" type="TSDec15V2" minOccurs="0">"#,
        ),
    ),
    (
        COMPLEX,
        "rows 245 and 246",
        Before(
            r#"<xs:element name="mdic" type="TSEnvMDIC">"#,
            r#"<xs:element name="nDUIMP" type="TSNumDUIMP" minOccurs="0"/>
               <xs:element name="nDUE" type="TSNumDUE" minOccurs="0"/>"#,
        ),
    ),
    (
        COMPLEX,
        "row 248",
        After(
            r#"<xs:element name="mdic" type="TSEnvMDIC">"#,
            r#"<xs:element name="nContCambio" type="TSNumComExt" minOccurs="0"/>"#,
        ),
    ),
    (
        COMPLEX,
        "row 293",
        After(
            r#"<xs:element name="vDescCondIncond" type="TCVDescCondIncond" minOccurs="0">"#,
            r#"<xs:element name="vAjusteBC" type="TCInfoAjusteBC" minOccurs="0"/>"#,
        ),
    ),
    (
        COMPLEX,
        "rows 294, 295 and 336",
        Before(
            r#"<xs:complexType name="TCInfoDedRed">"#,
            r#"<xs:complexType name="TCInfoAjusteBC"><xs:sequence>
               <xs:element name="pAjusteBCISSQN" type="TSDec3V2" minOccurs="0"/>
               <xs:element name="vAjusteBCISSQN" type="TSDec15V2" minOccurs="0"/>
               <xs:element name="vAjusteBCIBSCBSComExt" type="TSDec15V2" minOccurs="0"/>
               </xs:sequence></xs:complexType>"#,
        ),
    ),
    (
        COMPLEX,
        "rows 376 and 377",
        Instead(
            r#"<xs:element name="cIndOp" type="TSRTCCodIndOp">"#,
            r#"<xs:element name="cIndOp" type="TSRTCCodIndOp" minOccurs="0">"#,
        ),
    ),
    (
        COMPLEX,
        "row 377",
        Before(
            r#"<xs:element name="tpOper" type="TSRTCTpOper" minOccurs="0">"#,
            r#"<xs:element name="indZFMALC" type="TSRTCIndFinal" minOccurs="0"/>"#,
        ),
    ),
    (
        COMPLEX,
        "row 382",
        After(
            r#"<xs:element name="tpEnteGov" type="TSRTCTpEnteGov" minOccurs="0">"#,
            r#"<xs:element name="indDoacao" type="TSRTCIndFinal" minOccurs="0"/>"#,
        ),
    ),
    (
        COMPLEX,
        "rows 424 to 426",
        Instead(
            r#"<xs:element name="gIBSCBS" type="TCRTCInfoTributosSitClas">"#,
            r#"<xs:element name="CST" type="TSRTCCodSitTrib"/>
               <xs:element name="cClassTrib" type="TSRTCCodClassTrib"/>
               <xs:element name="gIBSCBS" type="TCRTCInfoTributosSitClas" minOccurs="0">"#,
        ),
    ),
    (
        COMPLEX,
        "rows 438 to 442",
        After(
            r#"<xs:element name="gDif" type="TCRTCInfoTributosDif" minOccurs="0">"#,
            r#"<xs:element name="gEstornoCred" minOccurs="0"><xs:complexType><xs:sequence>
               <xs:element name="vIBSEstCred" type="TSDec15V2"/>
               <xs:element name="vCBSEstCred" type="TSDec15V2"/>
               </xs:sequence></xs:complexType></xs:element>
               <xs:element name="gPagAntecipado" type="TCInfoRefNFSe" minOccurs="0"/>"#,
        ),
    ),
    (
        SIMPLE,
        "rows 119 to 121, 152, 154, 232, 236, 239, 245, 246, 248",
        Before(
            "</xs:schema>",
            r#"<xs:simpleType name="TSFinNFSe009"><xs:restriction base="xs:string"><xs:enumeration value="0"/><xs:enumeration value="1"/>
               <xs:enumeration value="2"/></xs:restriction></xs:simpleType>
               <xs:simpleType name="TSTipoNFSeDebito"><xs:restriction base="xs:string"><xs:pattern value="0[1-6]"/></xs:restriction></xs:simpleType>
               <xs:simpleType name="TSTipoNFSeCredito"><xs:restriction base="xs:string"><xs:enumeration value="01"/>
               <xs:enumeration value="05"/></xs:restriction></xs:simpleType>
               <xs:simpleType name="TSOpSimpNac009"><xs:restriction base="xs:string"><xs:pattern value="[1-4]"/></xs:restriction></xs:simpleType>
               <xs:simpleType name="TSRegApIBSCBSSN"><xs:restriction base="xs:string"><xs:pattern value="[1-3]"/></xs:restriction></xs:simpleType>
               <xs:simpleType name="TSCodAtividadeSN"><xs:restriction base="xs:string"><xs:pattern value="0[7-9]|1[0-4]|90"/></xs:restriction></xs:simpleType>
               <xs:simpleType name="TSModoPrestacao009"><xs:restriction base="xs:string"><xs:pattern value="[0-5]"/></xs:restriction></xs:simpleType>
               <xs:simpleType name="TSNumComExt"><xs:restriction base="xs:string"><xs:pattern value="[0-9]{1,20}"/></xs:restriction></xs:simpleType>
               <xs:simpleType name="TSNumDUIMP"><xs:restriction base="xs:string"><xs:pattern value="[0-9A-Z]{15}"/></xs:restriction></xs:simpleType>
               <xs:simpleType name="TSNumDUE"><xs:restriction base="xs:string"><xs:pattern value="[0-9A-Z]{14}"/></xs:restriction></xs:simpleType>
               "#,
        ),
    ),
];

/// Writes the changes into a copy of the schemas of the NFS-e.
pub(super) fn apply(folder: &Path) -> Result<()> {
    for file in [COMPLEX, SIMPLE] {
        let path = folder.join(file);
        let mut text = fs::read_to_string(&path)?;
        for (_, source, change) in CHANGES.iter().filter(|(of, ..)| *of == file) {
            text = changed(&text, change).map_err(|why| why.context(format!("{file}, {source}")))?;
        }
        fs::write(&path, text)?;
    }
    Ok(())
}

fn changed(text: &str, change: &TextChange) -> Result<String> {
    let place = match change {
        Without(place) | Instead(place, _) | Before(place, _) | After(place, _) => *place,
    };
    let mut found = text.match_indices(place).map(|(at, _)| at);
    let (Some(at), None) = (found.next(), found.next()) else {
        bail!("not exactly one {place}: the package changed, read it and settle CHANGES");
    };
    let (before, from) = text.split_at(at);
    Ok(match change {
        Instead(_, to) => format!("{before}{to}{}", &from[place.len()..]),
        Before(_, more) => format!("{before}{more}{from}"),
        Without(_) => format!("{before}{}", &from[end(from)?..]),
        After(_, more) => {
            let (element, after) = from.split_at(end(from)?);
            format!("{before}{element}{more}{after}")
        }
    })
}

/// Returns the end of an annotated element that contains no other element.
fn end(element: &str) -> Result<usize> {
    const END: &str = "</xs:element>";
    match element.find(END) {
        Some(at) => Ok(at + END.len()),
        None => bail!("an element has no end"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"<s><xs:element name="a"><d/></xs:element><xs:element name="b"></xs:element></s>"#;

    #[test]
    fn an_element_goes_comes_and_is_another() {
        let after = |change: &TextChange| changed(ONE, change).unwrap();
        assert_eq!(after(&Without(r#"<xs:element name="a">"#)), r#"<s><xs:element name="b"></xs:element></s>"#);
        assert!(
            after(&After(r#"<xs:element name="a">"#, "<n/>")).contains(r#"</xs:element><n/><xs:element name="b">"#)
        );
        assert!(after(&Before("</s>", "<n/>")).ends_with("<n/></s>"));
        assert!(after(&Instead(r#"name="b""#, r#"name="c""#)).contains(r#"<xs:element name="c">"#));
    }

    #[test]
    fn a_place_that_the_package_has_not_or_twice_is_noticed() {
        for place in ["<xs:element name=\"z\">", "<xs:element"] {
            assert!(changed(ONE, &Without(place)).unwrap_err().to_string().contains("the package changed"), "{place}");
        }
    }
}
