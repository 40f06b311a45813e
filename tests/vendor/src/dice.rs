//! Random numbers from a seed (splitmix64): the same seed gives the same service.

/// A stream of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `most`; 0 for 0.
    pub(crate) fn below(&mut self, most: u32) -> u32 {
        u32::try_from(self.next() % u64::from(most.max(1))).unwrap_or_default()
    }

    /// Sixteen hexadecimal digits.
    pub(crate) fn word(&mut self) -> String {
        format!("{:016x}", self.next())
    }
}
