//! An event as the authority has it: what a procEventoNFe found by a query says of itself.

/// A registered event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Registered {
    pub(super) cStat: u16,
    pub(super) xMotivo: String,
    pub(super) proc_evento: String,
}

/// Reads the code and text of a procEventoNFe; `None` when it is none.
pub(super) fn read(proc_evento: String) -> Option<Registered> {
    let root = fiscal::xml::read(proc_evento.as_bytes()).ok()?;
    let answer = root.at("retEvento/infEvento")?;
    let cStat = answer.text_at("cStat")?.parse().ok()?;
    let xMotivo = answer.text_at("xMotivo")?.to_owned();
    Some(Registered { cStat, xMotivo, proc_evento })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_authority_says_of_a_registered_event() {
        let xml = "<procEventoNFe versao=\"1.00\"><evento/><retEvento><infEvento><cStat>135</cStat>\
                   <xMotivo>Evento registrado e vinculado a NF-e</xMotivo></infEvento></retEvento></procEventoNFe>";
        let read = read(xml.to_owned()).unwrap();
        assert_eq!((read.cStat, read.xMotivo.as_str()), (135, "Evento registrado e vinculado a NF-e"));
        assert_eq!(super::read("<procEventoNFe/>".to_owned()), None);
    }
}
