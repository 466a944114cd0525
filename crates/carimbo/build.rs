//! A debug build begins where it was linked to be: with its place open, the loader writes 290,000 addresses into five
//! megabytes before `main`, which is an eighth of what a small test costs, and each of a thousand tests is a process.
//! A release build keeps its place open.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "debug") && is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo:rustc-link-arg=-no-pie");
    }
}
