//! `bench accept`: processor time of a note before and after its signature, on one thread, in ms and in bare
//! signatures: parsing the caller's JSON, the check at acceptance (write, parse, layout, rules), and the second writing
//! at preparation. Warm, without the service.

use crate::documents::BenchDocument;
use crate::measure::{Samples, ms, ratio};
use crate::sign::context;
use crate::yardstick;
use anyhow::{Result, anyhow};
use openssl::pkey::PKey;
use openssl::rsa::Rsa;
use serde_json::Value;

/// Items of a note, and rounds.
const SIZES: [(usize, usize); 3] = [(1, 2000), (30, 400), (750, 40)];

/// Measures every size, or `accept ITEMS ROUNDS`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let sizes = match args {
        [items, rounds] => vec![(items.parse()?, rounds.parse()?)],
        _ => SIZES.to_vec(),
    };
    let key = PKey::from_rsa(Rsa::generate(2048)?)?;
    for (items, rounds) in sizes {
        let [mut bare, mut reading, mut building, mut writing]: [Samples; 4] = Default::default();
        let note = BenchDocument::note(items);
        let text = note.nota.to_string();
        for _ in 0..rounds {
            bare.time(|| yardstick::sign(&key))?;
            reading.time(|| serde_json::from_str::<Value>(&text))?;
            building.time(|| (note.build)(&note.nota, &context(&note))).map_err(|found| anyhow!("{found:?}"))?;
            writing.time(|| (note.write)(&note.nota, &context(&note))).map_err(|found| anyhow!("{found:?}"))?;
        }
        println!("{}: a bare signature {}", note.name, ms(bare.median()));
        for (what, samples) in
            [("reading the JSON", reading), ("the check at acceptance", building), ("writing, to be signed", writing)]
        {
            println!(
                "  {what:<26} {:>10} {:>8.3} signatures",
                ms(samples.median()),
                ratio(samples.median(), bare.median())
            );
        }
    }
    Ok(())
}
