//! Front doors of the document families: their introduction is a guide, the rest of the page is made from these rows
//! and the tables they name. A new family is a row.

use super::table_pages::{CTE_RULES, MUNICIPAL_CODES, MUNICIPALITIES, NFE_RULES, NFSE_RULES, STATUS_CODES, TablePage};

/// A family's page.
pub(super) struct FrontDoor {
    /// Its guide, with the introduction.
    pub(super) page: &'static str,
    /// First steps that stand in another group.
    pub(super) first: &'static [&'static str],
    /// Its smallest complete example, a file.
    pub(super) example: &'static str,
    /// Operation that configures a company for it.
    pub(super) settings: &'static str,
    /// Words that exclude a path.
    pub(super) without: &'static [&'static str],
    /// First word of its webhook events, and segment of its routes' paths.
    pub(super) events: &'static str,
    /// Tables of its rules and codes.
    pub(super) tables: &'static [&'static TablePage],
    /// Guides about an issued document.
    pub(super) afterwards: &'static [&'static str],
    /// Printed form, in Markdown.
    pub(super) printed: &'static str,
}

impl FrontDoor {
    /// Page of its fields, as in `families`.
    pub(super) fn fields(&self) -> &'static str {
        self.page.trim_start_matches("documento-")
    }
}

/// The front door of a guide, if it is one.
pub(super) fn find(page: &str) -> Option<&'static FrontDoor> {
    FRONT_DOORS.iter().find(|door| door.page == page)
}

/// All front doors.
pub(super) const FRONT_DOORS: &[FrontDoor] = &[
    FrontDoor {
        page: "documento-nfe",
        first: &["primeira-nota", "receitas"],
        example: "nota.json",
        settings: "configurarNfe",
        without: &[],
        events: "nfe",
        tables: &[&NFE_RULES, &STATUS_CODES],
        afterwards: &["correcao-e-cancelamento", "inutilizacao", "contingencia", "notas-recebidas"],
        printed: "O DANFE em A4 (retrato ou paisagem), o Simplificado para etiquetas e o Simplificado Tipo 2; do cancelamento e da carta de correção, a folha do evento.",
    },
    FrontDoor {
        page: "documento-nfce",
        first: &[],
        example: "nfce.json",
        settings: "configurarNfce",
        without: &[],
        events: "nfce",
        tables: &[&NFE_RULES, &STATUS_CODES],
        afterwards: &["correcao-e-cancelamento", "inutilizacao", "contingencia"],
        printed: "O cupom com QR Code, de 80 ou 58 mm, em PDF ou nos bytes de uma impressora térmica (ESC/POS); em contingência, as duas vias.",
    },
    FrontDoor {
        page: "documento-cte",
        first: &[],
        example: "cte.json",
        settings: "configurarCte",
        without: &[],
        events: "cte",
        tables: &[&CTE_RULES],
        afterwards: &["eventos-do-cte", "contingencia", "notas-recebidas"],
        printed: "O DACTE em A4, retrato ou paisagem, com quantas folhas os documentos transportados pedirem.",
    },
    FrontDoor {
        page: "documento-cte-os",
        first: &[],
        example: "cte-os.json",
        settings: "configurarCte",
        without: &["recebidos"],
        events: "cte",
        tables: &[&CTE_RULES],
        afterwards: &["eventos-do-cte", "contingencia"],
        printed: "O DACTE OS em A4, retrato ou paisagem.",
    },
    FrontDoor {
        page: "documento-nfse",
        first: &[],
        example: "nfse.json",
        settings: "configurarNfse",
        without: &["govdigital"],
        events: "nfse",
        tables: &[&NFSE_RULES, &MUNICIPALITIES],
        afterwards: &["cancelar-e-substituir-nfse", "notas-recebidas"],
        printed: "O DANFSe em A4, com QR Code para a consulta pública.",
    },
    FrontDoor {
        page: "documento-nfse-municipal",
        first: &[],
        example: "nfse-municipal.json",
        settings: "configurarNfse",
        without: &["/v1/nfse/emitir", "solicitar-analise", "recebidas", "manifestar", "consultar-sefaz"],
        events: "nfse",
        tables: &[&MUNICIPAL_CODES, &MUNICIPALITIES],
        afterwards: &["cancelar-e-substituir-nfse"],
        printed: "Um formulário em A4 com todos os campos do ABRASF, o número e o código de verificação.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::docs::{families, guides};

    #[test]
    fn every_family_has_a_front_door_and_its_guides_exist() {
        let fields: Vec<&str> = FRONT_DOORS.iter().map(FrontDoor::fields).collect();
        assert_eq!(fields, families::FAMILIES.iter().map(|family| family.page).collect::<Vec<_>>());
        for door in FRONT_DOORS {
            for page in door.first.iter().chain(door.afterwards).chain(Some(&door.page)) {
                assert!(guides::find(page).is_some(), "{}: {page}", door.page);
            }
        }
    }
}
