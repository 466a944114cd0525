//! The yardstick: one bare RSA-2048 signature over a SHA-1 digest, as every NF-e needs one.

use anyhow::Result;
use openssl::hash::MessageDigest;
use openssl::pkey::{PKey, Private};
use openssl::sign::Signer;
use std::time::{Duration, Instant};

/// Signs a text of the size of a `SignedInfo`.
pub(crate) fn sign(key: &PKey<Private>) -> Result<Vec<u8>> {
    let mut signer = Signer::new(MessageDigest::sha1(), key)?;
    signer.update(&[b'x'; 500])?;
    Ok(signer.sign_to_vec()?)
}

/// Returns the signatures per second with one thread per processor: the rate of the machine if issuing were nothing but
/// signing.
pub(crate) fn signatures_per_second(key: &PKey<Private>, threads: usize) -> Result<f64> {
    const FOR: Duration = Duration::from_secs(3);
    let began = Instant::now();
    let counts: Vec<Result<usize>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut count = 0;
                    while began.elapsed() < FOR {
                        sign(key)?;
                        count += 1;
                    }
                    Ok(count)
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|_| anyhow::bail!("a signing thread died")))
            .collect()
    });
    let total = counts.into_iter().sum::<Result<usize>>()?;
    Ok(crate::measure::per_second(total, began.elapsed()))
}
