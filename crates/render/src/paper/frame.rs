//! Rectangles on paper. The origin is the upper left corner of the sheet; y grows downwards.

use super::Length;

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Left edge.
    pub x: Length,
    /// Upper edge.
    pub y: Length,
    /// Width.
    pub width: Length,
    /// Height.
    pub height: Length,
}

impl Frame {
    /// From the corner and the size.
    pub const fn new(x: Length, y: Length, width: Length, height: Length) -> Frame {
        Frame { x, y, width, height }
    }

    /// Right edge.
    pub fn right(&self) -> Length {
        self.x + self.width
    }

    /// Lower edge.
    pub fn bottom(&self) -> Length {
        self.y + self.height
    }

    /// The frame without a margin on every side.
    pub fn inside(&self, margin: Length) -> Frame {
        Frame::new(self.x + margin, self.y + margin, self.width - margin * 2, self.height - margin * 2)
    }

    /// The upper part of a height, and what is left below it.
    pub fn split_top(&self, height: Length) -> (Frame, Frame) {
        let top = Frame { height, ..*self };
        let rest = Frame { y: self.y + height, height: self.height - height, ..*self };
        (top, rest)
    }

    /// The left part of a width, and what is left beside it.
    pub fn split_left(&self, width: Length) -> (Frame, Frame) {
        let left = Frame { width, ..*self };
        let rest = Frame { x: self.x + width, width: self.width - width, ..*self };
        (left, rest)
    }

    /// Side by side, of the given weights; together exactly the whole.
    pub fn columns(&self, weights: &[i32]) -> Vec<Frame> {
        let all = weights.iter().sum::<i32>().max(1);
        let mut done = 0;
        weights
            .iter()
            .map(|weight| {
                let from = self.width.part(done, all);
                done += weight;
                Frame { x: self.x + from, width: self.width.part(done, all) - from, ..*self }
            })
            .collect()
    }

    /// Whether another lies within it, edges included.
    pub fn holds(&self, other: &Frame) -> bool {
        other.x >= self.x && other.y >= self.y && other.right() <= self.right() && other.bottom() <= self.bottom()
    }

    /// Whether the two have more than an edge in common.
    pub fn overlaps(&self, other: &Frame) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(x: i32, y: i32, width: i32, height: i32) -> Frame {
        Frame::new(Length::new(x), Length::new(y), Length::new(width), Length::new(height))
    }

    #[test]
    fn columns_leave_no_gap() {
        let columns = frame(10, 0, 100, 5).columns(&[1, 1, 1]);
        assert_eq!(columns, [frame(10, 0, 33, 5), frame(43, 0, 33, 5), frame(76, 0, 34, 5)]);
    }

    #[test]
    fn neighbours_do_not_overlap() {
        assert!(!frame(0, 0, 10, 10).overlaps(&frame(10, 0, 10, 10)));
        assert!(frame(0, 0, 10, 10).overlaps(&frame(9, 9, 10, 10)));
        assert!(frame(0, 0, 10, 10).holds(&frame(1, 1, 9, 9)));
        assert!(!frame(0, 0, 10, 10).holds(&frame(1, 1, 10, 9)));
    }
}
