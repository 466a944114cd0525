//! Fields that the rules read from the groups of every document, collected in one pass over each group. A field is
//! named as its tag.
//!
//! An absent text is empty, an absent number zero. A duplicated tag, which the layout refuses, keeps its first value.

use crate::value::amount;
use crate::xml::ElementView;
use rust_decimal::Decimal;

/// Declares the fields of a group and their types.
macro_rules! group {
    ($(#[$doc:meta])* $name:ident { $($kind:ty: $($tag:ident)+;)+ }) => {
        $(#[$doc])*
        #[derive(Default)]
        pub struct $name<'a> {
            $($(pub $tag: $kind,)+)+
        }

        impl<'a> $name<'a> {
            pub(super) fn of(group: Option<ElementView<'a>>) -> $name<'a> {
                let mut found = $name::default();
                for child in group.into_iter().flat_map(ElementView::children) {
                    match child.name() {
                        $($(tag if tag == const { tag_of(stringify!($tag)) } => found.$tag.meet(child),)+)+
                        _ => {}
                    }
                }
                found
            }
        }
    };
}

group! {
    /// `ide`.
    Ide {
        &'a str: cUF cNF r#mod serie nNF dhEmi dhSaiEnt dPrevEntrega tpNF idDest cMunFG cIndOp tpImp tpEmis cDV tpAmb finNFe tpNFDebito
            tpNFCredito indFinal indPres indIntermed procEmi dhCont;
    }
}

group! {
    /// `prod` of an item.
    Prod {
        &'a str: cEAN NCM indEscala CFOP uTrib cEANTrib indTot cBenef indBemMovelUsado cAtivSN;
        Decimal: qCom vUnCom vUnComLiq vProd qTrib vUnTrib vFrete vSeg vDesc vOutro;
        Option<ElementView<'a>>: xProd CEST CNPJFab tpCredPresIBSZFM vProdLiq veicProd comb nRECOPI DI detExport rastro med;
    }
}

group! {
    /// `imposto` of an item.
    Imposto {
        Decimal: vTotTrib;
        Option<ElementView<'a>>: ICMS IPI II ISSQN PIS PISST COFINS COFINSST ICMSUFDest IS IBSCBS;
    }
}

/// Returns the tag of a field: `mod` is a keyword of Rust.
const fn tag_of(field: &'static str) -> &'static str {
    match field.as_bytes() {
        [b'r', b'#', ..] => field.split_at(2).1,
        _ => field,
    }
}

/// Value of a field.
trait FieldValue<'a> {
    /// Takes the value of an element, unless the field has one already.
    fn meet(&mut self, element: ElementView<'a>);
}

impl<'a> FieldValue<'a> for &'a str {
    fn meet(&mut self, element: ElementView<'a>) {
        if self.is_empty() {
            *self = element.text();
        }
    }
}

impl<'a> FieldValue<'a> for Decimal {
    fn meet(&mut self, element: ElementView<'a>) {
        if self.is_zero() {
            *self = amount(element.text()).unwrap_or_default();
        }
    }
}

impl<'a> FieldValue<'a> for Option<ElementView<'a>> {
    fn meet(&mut self, element: ElementView<'a>) {
        self.get_or_insert(element);
    }
}
