//! Output of steps that run concurrently: buffered per thread, so that the lines of two steps do not mix.

use std::cell::RefCell;

thread_local! {
    /// Output of this thread while it is buffered.
    static OUTPUT_BUFFER: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Prints like `println!`, or to the thread's buffer.
macro_rules! say {
    ($($words:tt)*) => { $crate::thread_output::print_line(&format!($($words)*)) };
}
pub(crate) use say;

pub(crate) fn print_line(text: &str) {
    OUTPUT_BUFFER.with_borrow_mut(|kept| match kept {
        Some(kept) => kept.extend([text, "\n"]),
        None => println!("{text}"),
    });
}

/// Runs `act` and returns its output on this thread.
pub(crate) fn capture_output<T>(act: impl FnOnce() -> T) -> (T, String) {
    OUTPUT_BUFFER.set(Some(String::new()));
    let done = act();
    (done, OUTPUT_BUFFER.take().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::capture_output;

    #[test]
    fn what_is_said_beside_others_is_kept_apart_and_in_order() {
        let speak = |name: &'static str| move || capture_output(|| (0..3).for_each(|number| say!("{name} {number}"))).1;
        let (one, other) = (std::thread::spawn(speak("a")), std::thread::spawn(speak("b")));
        assert_eq!(one.join().unwrap(), "a 0\na 1\na 2\n");
        assert_eq!(other.join().unwrap(), "b 0\nb 1\nb 2\n");
    }
}
