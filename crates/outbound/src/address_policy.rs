//! Address policy: the guard against requests that an untrusted URL aims at our own network (SSRF).
//!
//! An address is judged by its destination: IPv4 inside IPv6 (mapped, NAT64) by the IPv4 address; tunnels (6to4,
//! Teredo) are refused whole.
//!
//! Law: the IANA special-purpose registries for IPv4 (RFC 6890 and its updates) and IPv6.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// Addresses that requests may reach.
#[derive(Debug, Clone, Default)]
pub struct AddressPolicy {
    anywhere: bool,
    plain_loopback: bool,
    networks: Vec<IpNetwork>,
}

impl AddressPolicy {
    /// https to public addresses: for a URL that a caller supplies.
    pub fn public() -> AddressPolicy {
        AddressPolicy::default()
    }

    /// Any address, http or https: for a URL that the operator configured.
    pub fn anywhere() -> AddressPolicy {
        AddressPolicy { anywhere: true, ..AddressPolicy::default() }
    }

    /// Also this machine, by http or https: for development.
    pub fn with_plain_loopback(mut self, allowed: bool) -> AddressPolicy {
        self.allow_plain_loopback(allowed);
        self
    }

    /// Also this machine, by http or https: for development.
    pub fn allow_plain_loopback(&mut self, allowed: bool) {
        self.plain_loopback = allowed;
    }

    /// Also https to these networks, public or not.
    pub fn with_networks(mut self, networks: Vec<IpNetwork>) -> AddressPolicy {
        self.allow_networks(networks);
        self
    }

    /// Also https to these networks, public or not.
    pub fn allow_networks(&mut self, networks: Vec<IpNetwork>) {
        self.networks = networks;
    }

    /// True when some non-public address is allowed; names of private networks are accepted then.
    pub(crate) fn allows_non_public(&self) -> bool {
        self.anywhere || self.plain_loopback || !self.networks.is_empty()
    }

    /// True when http is allowed to some address.
    pub(crate) fn allows_http(&self) -> bool {
        self.anywhere || self.plain_loopback
    }

    /// True when any port is allowed.
    pub(crate) fn allows_any_port(&self) -> bool {
        self.anywhere || self.plain_loopback
    }

    /// Checks an address for http (`plain`) or https. The error is the reason in Portuguese.
    pub fn allows(&self, plain: bool, address: IpAddr) -> Result<(), &'static str> {
        if self.anywhere {
            return Ok(());
        }
        let address = unwrapped(address);
        if address.is_loopback() && self.plain_loopback {
            return Ok(());
        }
        if plain {
            return Err("http só é aceito para esta máquina, e só quando a configuração permite");
        }
        if self.networks.iter().any(|network| network.contains(address)) {
            return Ok(());
        }
        match address {
            IpAddr::V4(v4) => not_public_v4(v4),
            IpAddr::V6(v6) => not_public_v6(v6),
        }
        .map_or(Ok(()), Err)
    }
}

/// The IPv4 address inside a mapped address or one of the well-known NAT64 prefix.
fn unwrapped(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    let segments = v6.segments();
    match segments {
        [0, 0, 0, 0, 0, 0xffff, _, _] | [0x64, 0xff9b, 0, 0, 0, 0, _, _] => {
            let [.., a, b, c, d] = v6.octets();
            IpAddr::V4(Ipv4Addr::new(a, b, c, d))
        }
        _ => address,
    }
}

const METADATA: &str = "é o serviço de metadados de uma nuvem";
const RESERVED: &str = "é de uma faixa reservada";

fn not_public_v4(address: Ipv4Addr) -> Option<&'static str> {
    Some(match address.octets() {
        [169, 254, 169, 254] | [168, 63, 129, 16] | [100, 100, 100, 200] => METADATA,
        [0, ..] => "é o endereço não especificado",
        [127, ..] => "é esta própria máquina (loopback)",
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => "é de uma rede privada",
        [100, 64..=127, ..] => "é de uma rede de operadora (CGNAT)",
        [169, 254, ..] => "é de enlace local",
        [224..=239, ..] => "é de multicast",
        [192, 0, 0 | 2, _] | [192, 88, 99, _] | [192, 31, 196, _] | [192, 52, 193, _] | [192, 175, 48, _] => RESERVED,
        [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] | [240..=255, ..] => RESERVED,
        _ => return None,
    })
}

fn not_public_v6(address: Ipv6Addr) -> Option<&'static str> {
    let segments = address.segments();
    Some(match segments {
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254] => METADATA,
        [0, 0, 0, 0, 0, 0, 0, 0] => "é o endereço não especificado",
        [0, 0, 0, 0, 0, 0, 0, 1] => "é esta própria máquina (loopback)",
        [0xfc00..=0xfdff, ..] | [0xfec0..=0xfeff, ..] => "é de uma rede privada",
        [0xfe80..=0xfebf, ..] => "é de enlace local",
        [0xff00..=0xffff, ..] => "é de multicast",
        [0x2001, 0, ..] | [0x2002, ..] => "é um túnel IPv6 (Teredo ou 6to4)",
        // protocol assignments, documentation
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => RESERVED,
        [0x2000..=0x3fff, ..] => return None,
        // only 2000::/3 is allocated; the rest holds local NAT64, discard-only and future ranges
        _ => RESERVED,
    })
}

/// A range of addresses with a common prefix, as `10.0.0.0/8`; a single address has the full prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IpNetwork {
    base: IpAddr,
    prefix: u8,
}

impl IpNetwork {
    /// True when the range holds the address.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.base, address.to_canonical()) {
            (IpAddr::V4(base), IpAddr::V4(address)) => {
                same_prefix(u128::from(base.to_bits()) << 96, u128::from(address.to_bits()) << 96, self.prefix)
            }
            (IpAddr::V6(base), IpAddr::V6(address)) => same_prefix(base.to_bits(), address.to_bits(), self.prefix),
            _ => false,
        }
    }
}

fn same_prefix(one: u128, other: u128, prefix: u8) -> bool {
    (one ^ other).checked_shr(128 - u32::from(prefix)).unwrap_or(0) == 0
}

impl FromStr for IpNetwork {
    type Err = String;

    fn from_str(text: &str) -> Result<IpNetwork, String> {
        let wrong = || format!("\"{text}\" não é um endereço IP nem uma rede como 10.0.0.0/8");
        let (base, prefix) = text.split_once('/').map_or((text, None), |(base, prefix)| (base, Some(prefix)));
        let base: IpAddr = base.trim().parse().map_err(|_| wrong())?;
        let longest = if base.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Some(longest), |prefix| prefix.trim().parse().ok());
        let prefix = prefix.filter(|prefix| *prefix <= longest).ok_or_else(wrong)?;
        Ok(IpNetwork { base, prefix })
    }
}

impl fmt::Display for IpNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.base, self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(reach: &AddressPolicy, plain: bool, address: &str) -> bool {
        reach.allows(plain, address.parse().unwrap()).is_ok()
    }

    #[test]
    fn every_special_class_of_addresses_is_refused() {
        let public = AddressPolicy::public();
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "127.0.0.1",
            "127.255.255.254",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "100.64.0.1",
            "100.127.255.255",
            "169.254.0.1",
            "169.254.169.254",
            "168.63.129.16",
            "100.100.100.200",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "::",
            "::1",
            "::7f00:1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "fc00::1",
            "fd12::1",
            "fd00:ec2::254",
            "ff02::1",
            "2001::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:808:808::1",
            "3fff::1",
            "100::1",
            "64:ff9b:1::1",
            "5f00::1",
            "4000::1",
            "::ffff:127.0.0.1",
            "::ffff:10.1.2.3",
            "::ffff:169.254.169.254",
            "64:ff9b::127.0.0.1",
            "64:ff9b::a00:1",
        ] {
            assert!(!allows(&public, false, address), "{address}");
        }
    }

    #[test]
    fn public_addresses_are_allowed_in_either_form_but_never_by_http() {
        let public = AddressPolicy::public();
        for address in [
            "8.8.8.8",
            "172.15.0.1",
            "172.32.0.1",
            "100.63.0.1",
            "100.128.0.1",
            "2606:4700::1111",
            "2a00:1450::1",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "198.17.0.1",
            "2001:4860:4860::8888",
        ] {
            assert!(allows(&public, false, address), "{address}");
            assert!(!allows(&public, true, address), "{address}");
        }
    }

    #[test]
    fn loopback_and_named_networks_are_allowed_only_when_asked_for() {
        let development = AddressPolicy::public().with_plain_loopback(true);
        assert!(allows(&development, true, "127.0.0.1") && allows(&development, true, "::ffff:127.0.0.1"));
        assert!(allows(&development, true, "::1") && !allows(&development, true, "10.0.0.1"));
        let inside =
            AddressPolicy::public().with_networks(vec!["10.1.0.0/16".parse().unwrap(), "fd00::/8".parse().unwrap()]);
        assert!(allows(&inside, false, "10.1.255.1") && allows(&inside, false, "::ffff:10.1.0.1"));
        assert!(!allows(&inside, false, "10.2.0.1") && !allows(&inside, true, "10.1.0.1"));
        assert!(allows(&inside, false, "fd01::1") && !allows(&inside, false, "127.0.0.1"));
        assert!(allows(&AddressPolicy::anywhere(), true, "10.0.0.1"));
    }

    #[test]
    fn a_network_is_written_with_its_prefix() {
        for wrong in ["", "x", "10.0.0.0/33", "x/8", "::/129", "/8", "10.0.0.0/-1", "10.0.0/8"] {
            assert!(wrong.parse::<IpNetwork>().is_err(), "{wrong}");
        }
        let all: IpNetwork = "0.0.0.0/0".parse().unwrap();
        assert!(all.contains("1.2.3.4".parse().unwrap()) && !all.contains("::1".parse().unwrap()));
        let one: IpNetwork = "1.2.3.4/32".parse().unwrap();
        assert!(one.contains("1.2.3.4".parse().unwrap()) && !one.contains("1.2.3.5".parse().unwrap()));
        assert_eq!(one.to_string(), "1.2.3.4/32");
        assert_eq!("1.2.3.4".parse(), Ok(one));
        assert!(one.contains("::ffff:1.2.3.4".parse().unwrap()));
    }
}
