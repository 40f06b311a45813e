//! `GET /open/main/ping`.

use wire::ping::Ping;

use crate::call::Call;
use crate::request::{Area, Request};

/// The service's time, asked without credentials. The field notes do not say which prefix the path has, so the
/// caller names the area whose prefix it tries. A deployment without this endpoint answers HTTP 404.
pub fn ping(prefix_of: Area) -> Call<Ping> {
    Call::new(Request::get(prefix_of, "/open/main/ping").public())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ping_carries_no_credentials() {
        let request = ping(Area::Static).request;
        assert_eq!((request.path.as_str(), request.public, request.body), ("/open/main/ping", true, None));
    }
}
