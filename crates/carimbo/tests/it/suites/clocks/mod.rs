//! Days on which the law changes, and civil time of a município.

mod any_day;
mod zones;
