//! Names read from documents. Equal names share one allocation.
//!
//! Must not know their meaning.

use std::cell::RefCell;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A name, a prefix or a namespace. It derefs to `str`; a clone increments a reference count.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SharedName(Arc<str>);

impl SharedName {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for SharedName {
    fn default() -> SharedName {
        SharedName::from("")
    }
}

impl Deref for SharedName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for SharedName {
    fn from(text: &str) -> SharedName {
        SharedName(Arc::from(text))
    }
}

impl PartialEq<str> for SharedName {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other
    }
}

impl PartialEq<&str> for SharedName {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == **other
    }
}

impl PartialEq<String> for SharedName {
    fn eq(&self, other: &String) -> bool {
        *self.0 == **other
    }
}

impl fmt::Display for SharedName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Debug for SharedName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, formatter)
    }
}

/// True when two names or codes are equal. Most have up to 32 bytes, for which comparing the first and the last chunk
/// is faster than a call of `memcmp`.
#[inline]
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    fn ends<const N: usize>(name: &[u8]) -> (Option<&[u8; N]>, Option<&[u8; N]>) {
        (name.first_chunk(), name.last_chunk())
    }
    let (one, other) = (one.as_bytes(), other.as_bytes());
    one.len() == other.len()
        && match one.len() {
            0..=3 => one.iter().eq(other),
            4..=7 => ends::<4>(one) == ends::<4>(other),
            8..=16 => ends::<8>(one) == ends::<8>(other),
            17..=32 => ends::<16>(one) == ends::<16>(other),
            _ => one == other,
        }
}

/// The shared name of a text, from this thread's cache. Authorities use few names.
pub(super) fn intern(text: &str) -> SharedName {
    thread_local! { static MET: RefCell<NameCache> = const { RefCell::new(NameCache::new()) } }
    if text.len() > NameCache::LONGEST {
        return SharedName::from(text);
    }
    MET.with_borrow_mut(|met| met.get(text))
}

/// Cache of names: a bounded table without chains. Two names of one slot evict each other, which costs memory only.
struct NameCache {
    slots: [Option<SharedName>; NameCache::SLOTS],
}

impl NameCache {
    const SLOTS: usize = 512;
    /// Longest cached name; the namespaces of authorities are shorter.
    const LONGEST: usize = 64;

    const fn new() -> NameCache {
        NameCache { slots: [const { None }; NameCache::SLOTS] }
    }

    fn get(&mut self, text: &str) -> SharedName {
        // FNV-1a: names are short
        let hash = text.bytes().fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        let slot = usize::try_from(hash ^ (hash >> 15)).unwrap_or_default() % NameCache::SLOTS;
        match self.slots.get_mut(slot) {
            Some(Some(known)) if *known == *text => known.clone(),
            Some(other) => other.insert(SharedName::from(text)).clone(),
            None => SharedName::from(text),
        }
    }
}
