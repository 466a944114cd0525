//! Rectangles on paper. The origin is the upper left corner of the sheet; y grows downwards.

use super::Length;

/// A rectangle on paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    pub x: Length,
    pub y: Length,
    pub width: Length,
    pub height: Length,
}

impl Frame {
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

    /// Splits off an upper part of a height; returns both parts.
    pub fn split_top(&self, height: Length) -> (Frame, Frame) {
        let top = Frame { height, ..*self };
        let rest = Frame { y: self.y + height, height: self.height - height, ..*self };
        (top, rest)
    }

    /// Splits off a left part of a width; returns both parts.
    pub fn split_left(&self, width: Length) -> (Frame, Frame) {
        let left = Frame { width, ..*self };
        let rest = Frame { x: self.x + width, width: self.width - width, ..*self };
        (left, rest)
    }

    /// Frames side by side with these weights; their widths sum up to the whole exactly.
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

    /// True when the frame contains another, edges included.
    pub fn holds(&self, other: &Frame) -> bool {
        other.x >= self.x && other.y >= self.y && other.right() <= self.right() && other.bottom() <= self.bottom()
    }

    /// True when the frames share more than an edge.
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
