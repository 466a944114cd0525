//! Places where a rule is broken.

/// Places found by a rule.
pub(super) type BrokenFields = Vec<BrokenField>;

/// Place where a rule is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenField {
    /// XML path as in `layout::LayoutFault::path`. A parameter of the QR code is `infNFeSupl/qrCode?tpAmb`.
    pub path: String,
    /// 1-based item, for ` [nItem:N]`.
    pub item: Option<u32>,
    /// Text that the authority appends, e.g. `[R$ 200000.00]`.
    pub extra: Option<String>,
}

impl BrokenField {
    /// Creates a break at a path below `infNFe`.
    pub(crate) fn at(path: &str) -> BrokenField {
        BrokenField::under(format!("infNFe/{path}"))
    }

    /// Creates a break at a whole path.
    pub(crate) fn under(path: String) -> BrokenField {
        BrokenField { path, item: None, extra: None }
    }

    /// Adds the text that the authority appends.
    pub(crate) fn about(self, extra: String) -> BrokenField {
        BrokenField { extra: Some(extra), ..self }
    }

    /// Returns everything that the authority appends to its text.
    pub fn appended(&self) -> String {
        let item = self.item.map(|item| format!("[nItem:{item}]"));
        item.into_iter().chain(self.extra.clone()).collect::<Vec<_>>().join(" ")
    }
}
