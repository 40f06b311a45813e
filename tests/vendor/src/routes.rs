//! Paths, with and without the prefixes of the samples (Endpoints).

use crate::mishap::Write;

/// The credentials and the wrapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area {
    Static,
    Agent,
    /// No credentials.
    Public,
}

/// Requests without lasting effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    Continents,
    Countries,
    States,
    Cities,
    Options,
    Stock,
    Quote,
    Detail,
    Records,
    Received,
    Report,
    Totals,
    Nni,
    Consumption,
    Customers,
    Ping,
    Segments,
    Standing,
    Ips,
    RenewalQuote,
}

/// A read or a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    Read(Read),
    Write(Write),
}

/// The area, method and route of a path.
pub(crate) fn route(path: &str) -> Option<(Area, &'static str, Route)> {
    if path == "/prod-api/open/main/ping" {
        return Some((Area::Public, "GET", Route::Read(Read::Ping)));
    }
    let bare = ["/prod-api/open/", "/api/open/", "/open/"].iter().find_map(|prefix| path.strip_prefix(prefix));
    if let Some(rest) = bare.and_then(|rest| rest.strip_prefix("staticip/")) {
        return static_ip(rest);
    }
    let read = |read| Some((Area::Agent, "GET", Route::Read(read)));
    let write = |write| Some((Area::Agent, "GET", Route::Write(write)));
    if let Some(rest) = bare {
        return match rest {
            "dynamic/myRechargeFlowList" => read(Read::Records),
            "dynamic/rechargeFlowListForMe" => read(Read::Received),
            "dynamic/flowReport" => read(Read::Report),
            "customer/list" => read(Read::Customers),
            _ => None,
        };
    }
    let agent = ["/prod-api/api/agent/", "/api/agent/"].iter().find_map(|prefix| path.strip_prefix(prefix));
    match agent? {
        "getFlowTotalFull" => read(Read::Totals),
        "getNNIFlowConsumeDetail" => read(Read::Nni),
        "getFlowConsumeDetail" => read(Read::Consumption),
        "rechargeTrafficCount" => write(Write::Recharge),
        "deductionFlow" => write(Write::Deduction),
        "addUser" => write(Write::AddUser),
        "updatePwd" => write(Write::Password),
        "changeStatus" => write(Write::Status),
        _ => None,
    }
}

fn static_ip(rest: &str) -> Option<(Area, &'static str, Route)> {
    let read = |method, read| Some((Area::Static, method, Route::Read(read)));
    match rest {
        "location/continents" => read("GET", Read::Continents),
        "location/countries" => read("POST", Read::Countries),
        "location/states" => read("POST", Read::States),
        "location/cities" => read("POST", Read::Cities),
        "purchase/options" => read("GET", Read::Options),
        "purchase/quote" => read("POST", Read::Quote),
        "inventory/countries" => read("POST", Read::Stock),
        "orders/detail" => read("POST", Read::Detail),
        "orders/status" => read("POST", Read::Standing),
        "inventory/cidrs" => read("POST", Read::Segments),
        "ips/page" => read("POST", Read::Ips),
        "renewals/quote" => read("POST", Read::RenewalQuote),
        "renewals/orders/place-and-pay" => Some((Area::Static, "POST", Route::Write(Write::Renewal))),
        "purchase/orders/place-and-pay" => Some((Area::Static, "POST", Route::Write(Write::Order))),
        _ => None,
    }
}
