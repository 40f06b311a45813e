//! `POST /open/staticip/orders/detail` and `…/status`.

use wire::ids::OrderNo;
use wire::orders::{OrderDetail, OrderDetailQuery, OrderStanding};

use crate::call::Call;
use crate::request::Request;

/// One order with its proxies.
pub fn detail(order_no: &OrderNo) -> Call<OrderDetail> {
    Call::new(Request::post("/open/staticip/orders/detail", &OrderDetailQuery { order_no: order_no.clone() }))
}

/// How one order stands, and no more. A deployment without this endpoint answers HTTP 404.
pub fn status(order_no: &OrderNo) -> Call<OrderStanding> {
    Call::new(Request::post("/open/staticip/orders/status", &OrderDetailQuery { order_no: order_no.clone() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_asked_by_its_number() {
        let request = detail(&OrderNo::new("2059463641505337345")).request;
        assert_eq!(request.body.unwrap(), r#"{"orderNo":"2059463641505337345"}"#);
        assert_eq!(request.path, "/open/staticip/orders/detail");
    }
}
