//! Typed views of answers: one struct yields both the JSON of an answer and its description in the API document.
//!
//! A member without its Portuguese text does not compile, and no member can be described that the struct does not have.

use fiscal::finding::Notice;
use fiscal::value::{Chave, CnpjCpf, Codigo};
use jiff::civil::Date;
use serde::{Serialize, Serializer};
use serde_json::{Number, Value};
use std::marker::PhantomData;
use uuid::Uuid;
use zeroize::Zeroizing;

use super::instant::Moment;
use super::schema::{Schema, SchemaField, Type, schema};

/// A value that a view may hold, with its schema type.
pub(crate) trait ViewValue: Serialize {
    const KIND: Type;
    /// May be null.
    const NULLABLE: bool = false;
    /// Always there.
    const REQUIRED: bool = true;

    fn is_absent(&self) -> bool {
        false
    }
}

/// An object of answers.
pub(crate) trait View: ViewValue {
    const MEMBERS: &'static [SchemaField];
}

/// A view that the API document describes under its own name; others are described in place.
pub(crate) trait NamedView: View {
    const NAME: &'static str;
    const ABOUT: &'static str;
}

/// Schema of a named view.
pub(crate) const fn of<V: NamedView>() -> Schema {
    schema(V::NAME, V::ABOUT, V::MEMBERS)
}

/// Defines a view. Each member is a line with its type and its text in the API document; `as` narrows the type (a list
/// of words, a constant of [`Type`]), `#[flatten]` adds the members of another view.
macro_rules! view {
    (
        $(#[$meta:meta])*
        $vis:vis struct $view:ident $(= $name:literal: $about:literal)? {
            $($(#[$flat:ident])? $member:ident: $type:ty $(as $kind:tt)? $(= $doc:literal)?),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(serde::Serialize)]
        $vis struct $view {
            $(
                $(#[serde($flat)])?
                #[serde(skip_serializing_if = "crate::api::view::ViewValue::is_absent")]
                $vis $member: $type,
            )+
        }

        const _: () = {
            use $crate::api::schema::SchemaField;
            use $crate::api::view::{View, count, joined};

            impl View for $view {
                const MEMBERS: &'static [SchemaField] = {
                    const PARTS: &[&[SchemaField]] =
                        &[$($crate::api::view::view!(@part [$($flat)?] $member: $type, [$($kind)?] [$($doc)?])),+];
                    const ALL: [SchemaField; count(PARTS)] = joined(PARTS);
                    &ALL
                };
            }
            $crate::api::view::view!(@shown $view [$($name)?] [$($about)?]);
        };
    };

    (@part [flatten] $member:ident: $type:ty, [] []) => { <$type as View>::MEMBERS };
    (@part [] $member:ident: $type:ty, [] [$doc:literal]) => {
        $crate::api::view::view!(@one $member: $type, <$type as $crate::api::view::ViewValue>::KIND, $doc)
    };
    (@part [] $member:ident: $type:ty, [[$($word:literal),+]] [$doc:literal]) => {
        $crate::api::view::view!(@one $member: $type, $crate::api::schema::Type::Words(&[$($word),+]), $doc)
    };
    (@part [] $member:ident: $type:ty, [$kind:ident] [$doc:literal]) => {
        $crate::api::view::view!(@one $member: $type, $kind, $doc)
    };
    (@one $member:ident: $type:ty, $kind:expr, $doc:literal) => {
        &[$crate::api::view::member::<$type>(stringify!($member), $kind, $doc)]
    };

    (@shown $view:ident [] []) => {
        impl $crate::api::view::ViewValue for $view {
            const KIND: $crate::api::schema::Type = $crate::api::schema::Type::Group(<$view as View>::MEMBERS);
        }
    };
    (@shown $view:ident [$name:literal] [$about:literal]) => {
        impl $crate::api::view::ViewValue for $view {
            const KIND: $crate::api::schema::Type = $crate::api::schema::Type::Ref($name);
        }
        impl $crate::api::view::NamedView for $view {
            const NAME: &'static str = $name;
            const ABOUT: &'static str = $about;
        }
    };
}
pub(crate) use view;

/// Description of a member.
pub(crate) const fn member<T: ViewValue>(name: &'static str, kind: Type, doc: &'static str) -> SchemaField {
    SchemaField { name: without_raw_prefix(name), kind, doc, required: T::REQUIRED, nullable: T::NULLABLE }
}

/// Removes `r#` of a member whose name is a Rust keyword, such as `r#final`.
const fn without_raw_prefix(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

pub(crate) const fn count(parts: &[&[SchemaField]]) -> usize {
    let (mut part, mut all) = (0, 0);
    while part < parts.len() {
        all += parts[part].len();
        part += 1;
    }
    all
}

/// Evaluated at compile time: an index out of bounds fails the build.
pub(crate) const fn joined<const N: usize>(parts: &[&[SchemaField]]) -> [SchemaField; N] {
    let none = SchemaField { name: "", kind: Type::Any, doc: "", required: false, nullable: false };
    let (mut all, mut part, mut at) = ([none; N], 0, 0);
    while part < parts.len() {
        let mut field = 0;
        while field < parts[part].len() {
            all[at] = parts[part][field];
            (field, at) = (field + 1, at + 1);
        }
        part += 1;
    }
    all
}

/// An optional member.
#[derive(Clone, Serialize)]
#[serde(transparent)]
pub(crate) struct Maybe<T>(pub(crate) Option<T>);

impl<T> Default for Maybe<T> {
    fn default() -> Maybe<T> {
        Maybe(None)
    }
}

impl<T: ViewValue> ViewValue for Maybe<T> {
    const KIND: Type = T::KIND;
    const NULLABLE: bool = T::NULLABLE;
    const REQUIRED: bool = false;

    fn is_absent(&self) -> bool {
        self.0.is_none()
    }
}

/// A member that the sender of the answer adds to the JSON.
pub(crate) struct DeferredMember<T>(PhantomData<T>);

impl<T> Default for DeferredMember<T> {
    fn default() -> DeferredMember<T> {
        DeferredMember(PhantomData)
    }
}

impl<T> Serialize for DeferredMember<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_none()
    }
}

impl<T: ViewValue> ViewValue for DeferredMember<T> {
    const KIND: Type = T::KIND;

    fn is_absent(&self) -> bool {
        true
    }
}

impl<T: ViewValue> ViewValue for Option<T> {
    const KIND: Type = T::KIND;
    const NULLABLE: bool = true;
}

impl<T: ViewValue> ViewValue for Vec<T> {
    const KIND: Type = Type::List(&T::KIND);
}

macro_rules! shown {
    ($($kind:expr => $($type:ty),+;)+) => {
        $($(impl ViewValue for $type { const KIND: Type = $kind; })+)+
    };
}

shown! {
    Type::Text => String, Box<str>, Zeroizing<String>, &'static str, CnpjCpf, Chave;
    Type::Integer => u8, u16, u32, u64, usize, i64;
    Type::Code => Codigo;
    Type::Number => Number;
    Type::Bool => bool;
    Type::Uuid => Uuid;
    Type::Instant => Moment;
    Type::Date => Date;
    Type::Any => Value;
    Type::Ref("Aviso") => Notice;
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    view! {
        struct Inner = "Interno": "O de dentro." {
            here: Option<u8> = "Pode ser nulo.",
            gone: Maybe<&'static str> = "Pode faltar.",
        }
    }

    view! {
        struct Outer {
            word: &'static str as ["a", "b"] = "Uma de duas.",
            #[flatten] inner: Inner,
            list: Vec<Inner> = "Vários.",
            r#final: bool = "Uma palavra de Rust.",
        }
    }

    #[test]
    fn a_view_is_answered_and_described_in_the_order_of_its_members() {
        let inner = |gone| Inner { here: None, gone: Maybe(gone) };
        let outer = Outer { word: "a", inner: inner(Some("x")), list: vec![inner(None)], r#final: true };
        let text = serde_json::to_string(&outer).unwrap();
        assert_eq!(text, r#"{"word":"a","here":null,"gone":"x","list":[{"here":null}],"final":true}"#);
        let described: Vec<_> =
            Outer::MEMBERS.iter().map(|field| (field.name, field.required, field.nullable, field.doc)).collect();
        let wanted = [
            ("word", true, false, "Uma de duas."),
            ("here", true, true, "Pode ser nulo."),
            ("gone", false, false, "Pode faltar."),
            ("list", true, false, "Vários."),
            ("final", true, false, "Uma palavra de Rust."),
        ];
        assert_eq!(described, wanted);
        let schema = of::<Inner>().json();
        assert_eq!((&schema["title"], &schema["description"]), (&json!("Interno"), &json!("O de dentro.")));
        assert_eq!(<Vec<Inner>>::KIND.json()["items"]["$ref"], "#/components/schemas/Interno");
        assert_eq!(Outer::KIND.json()["properties"]["word"]["enum"], json!(["a", "b"]));
    }
}
