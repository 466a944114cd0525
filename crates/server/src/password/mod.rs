//! Passwords: Argon2id, off the threads that answer requests, a few at a time (`hash_queue`).
//!
//! A verification without a stored hash takes as long as one of a wrong password.

mod hash_queue;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher as _, PasswordVerifier as _};

pub(crate) use hash_queue::{HashPermit, HashQueue, HashQueueFull};

/// Fewest characters of a password.
pub(crate) const SHORTEST: usize = 12;
/// Most characters of a password.
pub(crate) const LONGEST: usize = 256;

/// Argon2id with the parameters of its library (19 MiB, 2 passes).
pub fn hash(senha: &str) -> anyhow::Result<String> {
    let hash = Argon2::default().hash_password(senha.as_bytes());
    Ok(hash.map_err(|error| anyhow::anyhow!("a senha não pôde ser guardada: {error}"))?.to_string())
}

/// The reason a new password is refused, in Portuguese.
pub fn length_problem(senha: &str) -> Option<String> {
    let length = senha.chars().count();
    (!(SHORTEST..=LONGEST).contains(&length))
        .then(|| format!("a senha deve ter de {SHORTEST} a {LONGEST} caracteres; veio com {length}"))
}

fn verify(senha: &str, stored: Option<&str>) -> bool {
    let known = stored.and_then(|stored| PasswordHash::new(stored).ok());
    let against = known.clone().or_else(|| PasswordHash::new(PLACEHOLDER_HASH).ok());
    let right = against.is_some_and(|hash| Argon2::default().verify_password(senha.as_bytes(), &hash).is_ok());
    right && known.is_some()
}

/// Hash that no password matches, with the parameters of `hash`.
const PLACEHOLDER_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$Y2FyaW1ib2NhcmltYm8$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_password_of_somebody_is_right() {
        let stored = hash("correta cavalo bateria").unwrap();
        assert!(verify("correta cavalo bateria", Some(&stored)));
        assert!(!verify("correta cavalo bateri", Some(&stored)));
        assert!(!verify("correta cavalo bateria", Some("$sem-login")));
        assert!(!verify("correta cavalo bateria", None));
    }

    #[test]
    fn the_hash_of_nobody_costs_what_every_other_costs() {
        let parameters = |hash: &str| hash.rsplitn(3, '$').nth(2).unwrap().to_owned();
        PasswordHash::new(PLACEHOLDER_HASH).unwrap();
        assert_eq!(parameters(PLACEHOLDER_HASH), parameters(&hash("qualquer uma serve").unwrap()));
    }
}
