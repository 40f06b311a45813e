//! `GET /open/customer/list`.

use wire::customers::{Customer, Page};

use crate::call::Call;
use crate::request::{Area, Request};

/// Which page of the list, and of whom.
#[derive(Clone, Debug)]
pub struct ListQuery {
    /// From 1.
    pub page: u32,
    /// Rows of a page; the maximum is not stated.
    pub page_size: u32,
    /// Account filter; `None` asks for all.
    pub user_name: Option<String>,
}

impl Default for ListQuery {
    fn default() -> Self {
        Self { page: 1, page_size: 100, user_name: None }
    }
}

/// One page of the agent's customers.
pub fn list(query: &ListQuery) -> Call<Page<Customer>> {
    let request = Request::get(Area::Agent, "/open/customer/list")
        .query("pageNum", query.page)
        .query("pageSize", query.page_size)
        .maybe("userName", query.user_name.as_ref());
    Call::new(request)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::Address;

    #[test]
    fn the_list_is_asked_by_page_and_name_with_everything_encoded() {
        let request = list(&ListQuery { page: 2, page_size: 10, user_name: Some("a+b&c@x.com".into()) }).request;
        let url = Address::parse("https://v.example/base", "/api", "/prod-api").unwrap().url(&request);
        assert_eq!(
            url.as_str(),
            "https://v.example/base/prod-api/open/customer/list?pageNum=2&pageSize=10&userName=a%2Bb%26c%40x.com"
        );
    }
}
