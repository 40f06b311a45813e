//! Chance from a seed, for tests. Regressions and proofs name their seeds, so the numbers of a seed never change.

/// A generator: the same seed gives the same story.
pub struct Dice(u64);

impl Dice {
    /// The dice of a story.
    pub fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// A number below `sides`.
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    /// The place of one of so many values; 0 if there is none.
    pub fn place(&mut self, of: usize) -> usize {
        self.roll(of.max(1) as u64) as usize
    }

    /// One of these values.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.place(of.len())]
    }
}
