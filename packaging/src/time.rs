//! The time of everything that is made.

use xtask::run;

/// Converts seconds since 1970 to a time.
pub(crate) fn moment(epoch: &str) -> Result<jiff::Timestamp, String> {
    let seconds = epoch.parse().map_err(|_| format!("`{epoch}` is not a time"))?;
    jiff::Timestamp::from_second(seconds).map_err(|error| error.to_string())
}

/// The time of everything that is made, in seconds since 1970: the commit's, unless `SOURCE_DATE_EPOCH` is set.
pub(crate) fn epoch() -> Result<String, String> {
    if let Ok(said) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(said);
    }
    let told = run::program("git", &["log", "-1", "--format=%ct"]).captured();
    told.map(|seconds| seconds.trim().to_owned()).map_err(|why| format!("no commit and no SOURCE_DATE_EPOCH: {why}"))
}
