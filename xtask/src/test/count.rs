//! Numbers of passed and failed tests, read from the output of cargo-nextest and libtest.

use std::ops::Add;

/// Numbers of passed and failed tests and checks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TestCounts {
    pub(super) passed: u32,
    pub(super) failed: u32,
}

impl TestCounts {
    pub(super) const PASSED: Self = Self { passed: 1, failed: 0 };
    pub(super) const FAILED: Self = Self { passed: 0, failed: 1 };

    /// Counts one check.
    pub(super) fn of(passed: bool) -> Self {
        if passed { Self::PASSED } else { Self::FAILED }
    }

    /// Reads the log of a test run. An unsuccessful run without a failed test (it did not compile, it was killed)
    /// counts as one failure, and so does a run without a single test.
    pub(super) fn read(log: &str, success: bool) -> Self {
        let sum = log.lines().filter_map(line).fold(Self::default(), Add::add);
        let broken =
            (!success && sum.failed == 0) || (success && sum == Self::default() && !log.contains("running 0 tests"));
        if broken { sum + Self::FAILED } else { sum }
    }
}

impl Add for TestCounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }
}

/// Reads a summary line: `test result: ok. 3 passed; 1 failed; …` of libtest, `Summary [ 1.2s] 4 tests run: 3 passed, 1
/// failed, …` of nextest. Indented lines are the output of a test's own libtest and do not count.
fn line(line: &str) -> Option<TestCounts> {
    let counts = if line.starts_with("test result:") {
        line.split_once(". ")?.1
    } else {
        line.trim_start().strip_prefix("Summary [")?.split_once("run: ")?.1
    };
    let mut tally = TestCounts::default();
    for part in counts.split([',', ';']) {
        let mut words = part.split_whitespace();
        let Some(number) = words.next().and_then(|word| word.parse::<u32>().ok()) else { continue };
        match words.next() {
            Some("passed") => tally.passed += number,
            // ignored tests do not run and count as failed: there should be none
            Some("failed" | "timed" | "exec" | "ignored") => tally.failed += number,
            _ => {}
        }
    }
    Some(tally)
}

/// Returns the output of passing tests: counts, seeds, measured times. Leaves out the harness's lines, and tests with
/// more than [`REMARK_LINES`] lines, which stay in the log.
pub(super) fn remarks(log: &str) -> Vec<&str> {
    let mut said: Vec<Vec<&str>> = Vec::new();
    let mut inside = false;
    for line in log.lines() {
        let text = line.trim();
        let opens = text.starts_with("stdout ───") || (text.starts_with("---- ") && text.ends_with(" stdout ----"));
        if opens {
            said.push(Vec::new());
        }
        inside = opens || (inside && !CLOSES.iter().any(|word| text.starts_with(word)));
        let of_harness = opens || text.is_empty() || HARNESS.iter().any(|word| text.starts_with(word));
        if let Some(block) = said.last_mut().filter(|_| inside && !of_harness) {
            block.push(text);
        }
    }
    let remark =
        |block: &Vec<&str>| block.len() <= REMARK_LINES && !block.iter().any(|line| line.contains("panicked at"));
    said.into_iter().filter(remark).flatten().collect()
}

/// Returns the tests that passed only when retried, from nextest's summary: `FLAKY 2/2 [   0.1s] (3/9) carimbo::it
/// serve::drain`.
pub(super) fn flaky(log: &str) -> Vec<&str> {
    let after_summary = log.split_once("Summary [").map_or("", |(_, after)| after);
    let lines = after_summary.lines().filter(|line| line.trim_start().starts_with("FLAKY "));
    lines.filter_map(|line| line.split_once("] ")).map(|(_, name)| name.trim()).collect()
}

const REMARK_LINES: usize = 8;
/// Beginnings of lines that end the output of a test.
const CLOSES: &[&str] =
    &["PASS ", "FAIL ", "SLOW ", "TRY ", "Summary ", "successes:", "failures:", "stderr ───", "────"];
/// Beginnings of lines that the harness adds to the output of a test.
const HARNESS: &[&str] = &["running ", "test "];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up_every_binary_of_libtest() {
        let log = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: FAILED. 1 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        assert_eq!(TestCounts::read(log, false), TestCounts { passed: 4, failed: 3 });
    }

    #[test]
    fn reads_the_summary_of_nextest() {
        let log =
            "     Summary [   4.321s] 48 tests run: 45 passed (2 slow, 1 leaky), 2 failed, 1 timed out, 3 skipped\n";
        assert_eq!(TestCounts::read(log, false), TestCounts { passed: 45, failed: 3 });
        assert_eq!(TestCounts::read("Summary [ 0.1s] 1 test run: 1 passed, 0 skipped", true), TestCounts::PASSED);
    }

    #[test]
    fn counts_a_test_once_though_nextest_shows_its_libtest_too() {
        let log = "    test result: ok. 1 passed; 0 failed;\n     Summary [   0.1s] 1 test run: 1 passed, 0 skipped\n";
        assert_eq!(TestCounts::read(log, true), TestCounts::PASSED);
    }

    #[test]
    fn a_run_that_did_not_compile_is_one_failure() {
        assert_eq!(TestCounts::read("error: could not compile `fiscal`", false), TestCounts::FAILED);
        assert_eq!(TestCounts::read("", true), TestCounts::FAILED);
    }

    #[test]
    fn a_killed_binary_does_not_hide_behind_the_ones_that_passed() {
        let log = "test result: ok. 3 passed; 0 failed; 0 ignored\nerror: test failed (signal: 9, SIGKILL)";
        assert_eq!(TestCounts::read(log, false), TestCounts { passed: 3, failed: 1 });
    }

    #[test]
    fn names_what_passed_only_when_tried_again() {
        let log = "     Summary [   9.1s] 2 tests run: 2 passed (1 flaky), 0 skipped\n   FLAKY 2/2 [   0.1s] (2/2) carimbo::it serve::drain\n";
        assert_eq!(flaky(log), ["(2/2) carimbo::it serve::drain"]);
        assert_eq!(TestCounts::read(log, true), TestCounts { passed: 2, failed: 0 });
    }

    #[test]
    fn shows_what_passing_tests_said() {
        let nextest = "        PASS [   0.003s] a::it b\n  stdout ───\n\n    running 1 test\n    300 kills, seed 7\n\
                test b ... ok\n\n    test result: ok. 1 passed;\n\n        PASS [   0.003s] a::it c\n";
        assert_eq!(remarks(nextest), ["300 kills, seed 7"]);
        let libtest = "successes:\n\n---- b stdout ----\n300 kills, seed 7\n\n\nsuccesses:\n    b\n\ntest result: ok.";
        assert_eq!(remarks(libtest), ["300 kills, seed 7"]);
    }

    #[test]
    fn leaves_transcripts_and_intended_panics_in_the_log() {
        let long =
            "---- a stdout ----\nline\nline\nline\nline\nline\nline\nline\nline\nline\n\n---- b stdout ----\nshort\n";
        assert_eq!(remarks(long), ["short"]);
        assert!(remarks("---- a stdout ----\nthread 'a' panicked at src/a.rs:1:1:\non purpose\n").is_empty());
    }
}
