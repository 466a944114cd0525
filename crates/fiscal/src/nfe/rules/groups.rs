//! What the rules ask of the groups that every note has, found in one pass over each: a field is called as its tag.
//!
//! An absent text is empty, an absent number zero. Of a tag that stands twice, which the layout refuses, the first
//! counts.

use crate::value::amount;
use crate::xml::View;
use rust_decimal::Decimal;

/// Says of a group which of its fields are asked for, and as what.
macro_rules! group {
    ($(#[$doc:meta])* $name:ident { $($kind:ty: $($tag:ident)+;)+ }) => {
        $(#[$doc])*
        #[derive(Default)]
        pub struct $name<'a> {
            $($(pub $tag: $kind,)+)+
        }

        impl<'a> $name<'a> {
            pub(super) fn of(group: Option<View<'a>>) -> $name<'a> {
                let mut found = $name::default();
                for child in group.into_iter().flat_map(View::children) {
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
        Option<View<'a>>: xProd CEST CNPJFab tpCredPresIBSZFM vProdLiq veicProd comb nRECOPI DI detExport rastro med;
    }
}

group! {
    /// `imposto` of an item.
    Imposto {
        Decimal: vTotTrib;
        Option<View<'a>>: ICMS IPI II ISSQN PIS PISST COFINS COFINSST ICMSUFDest IS IBSCBS;
    }
}

/// A tag as it is written: `mod` is a word of Rust.
const fn tag_of(field: &'static str) -> &'static str {
    match field.as_bytes() {
        [b'r', b'#', ..] => field.split_at(2).1,
        _ => field,
    }
}

/// What a field holds.
trait Field<'a> {
    /// Takes what stands in an element, unless one like it came before.
    fn meet(&mut self, element: View<'a>);
}

impl<'a> Field<'a> for &'a str {
    fn meet(&mut self, element: View<'a>) {
        if self.is_empty() {
            *self = element.text();
        }
    }
}

impl<'a> Field<'a> for Decimal {
    fn meet(&mut self, element: View<'a>) {
        if self.is_zero() {
            *self = amount(element.text()).unwrap_or_default();
        }
    }
}

impl<'a> Field<'a> for Option<View<'a>> {
    fn meet(&mut self, element: View<'a>) {
        self.get_or_insert(element);
    }
}
