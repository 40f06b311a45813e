//! Numbers from a seed: the same seed always makes the same world.

/// Mixes a seed with the purpose of the number, by SplitMix64's finisher over both.
pub(crate) fn mix(seed: u64, purpose: &str) -> u64 {
    let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
    for byte in purpose.bytes() {
        state = finish(state ^ u64::from(byte));
    }
    finish(state)
}

/// Mixes a seed with two numbers. Cheap enough for every customer on every day.
pub(crate) fn mix_numbers(seed: u64, one: u64, other: u64) -> u64 {
    finish(finish(seed ^ 0x9e37_79b9_7f4a_7c15 ^ one).wrapping_add(other))
}

fn finish(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
