//! `GET /open/customer/list` and the writes of the customer area.

use std::collections::HashMap;

use wire::customers::{Customer, Page};
use wire::ids::CustomerId;

use crate::call::Call;
use crate::call::Client;
use crate::error::Error;
use crate::pages;
use crate::request::{Area, Request, SecretParameter};

/// A page of the list, and a filter.
#[derive(Clone, Debug)]
pub struct ListQuery {
    /// From 1.
    pub page: u32,
    /// Rows per page; the contract states no maximum.
    pub page_size: u32,
    /// Filter by user name; `None` lists all customers.
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

/// "No stated page maximum: ask for 100, accept fewer."
const PAGE: u32 = 100;
/// Number of attempts to read the list before it is reported as restless.
const MOST_READINGS: usize = 5;

/// Every customer whose name contains `user_name`, or all of them. Each comes once, as last seen, in the
/// vendor's order.
///
/// # Errors
/// [`Error`] when any page cannot be read; [`Error::Restless`] when the list keeps changing. A part is never
/// returned as the whole.
pub async fn all(client: &Client, user_name: Option<&str>) -> Result<Vec<Customer>, Error> {
    let ask = |page, page_size| list(&ListQuery { page, page_size, user_name: user_name.map(str::to_owned) });
    let mut last = None;
    for _ in 0..MOST_READINGS {
        let (mut rows, mut at, mut seen): (Vec<Customer>, _, usize) = (Vec::new(), HashMap::new(), 0);
        let keep = |row: Customer| {
            seen += 1;
            match at.get(&row.customer_id) {
                Some(&known) => rows[known] = row,
                None => {
                    at.insert(row.customer_id.clone(), rows.len());
                    rows.push(row);
                }
            }
        };
        let is_whole = pages::each(client, PAGE, ask, keep).await?;
        // A customer seen twice may have moved to a later page and hidden another. Believe the list only when
        // two readings agree.
        let now = is_whole.then_some((seen, rows.len()));
        if is_whole && (seen == rows.len() || now == last) {
            return Ok(rows);
        }
        last = now;
    }
    Err(Error::Restless)
}

/// Creates a customer. A bare [`Request`]: only `operations` can send it. The answer carries secrets.
pub fn create(user_name: &str) -> Request {
    Request::get(Area::Agent, "/api/agent/addUser").query("userName", user_name)
}

/// Sets a customer's proxy password; the keychain holds it under `reference`.
pub fn set_password(customer: &CustomerId, reference: &str) -> Request {
    let secret = SecretParameter { name: "password".into(), reference: reference.into() };
    let request = Request::get(Area::Agent, "/api/agent/updatePwd").query("customerId", customer);
    Request { secret: Some(secret), ..request }
}

/// Sets a customer's state. Two published versions of the interface contradict each other about the meaning of
/// 0 and 1: the caller has to know which holds.
pub fn set_status(customer: &CustomerId, customer_state: u8) -> Request {
    Request::get(Area::Agent, "/api/agent/changeStatus")
        .query("customerId", customer)
        .query("customerState", customer_state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::Address;

    #[test]
    fn the_writes_carry_what_the_contract_names_and_no_secret() {
        let customer = CustomerId::new("100001");
        let address = Address::parse("https://v.example", "/api", "/prod-api").unwrap();
        let password = set_password(&customer, "practice/secret/1");
        let stored = serde_json::to_string(&password).unwrap();
        assert!(stored.contains("practice/secret/1"), "the journal knows where it is: {stored}");
        for (request, expected) in [
            (create("a+b@x.com"), "addUser?userName=a%2Bb%40x.com"),
            (password, "updatePwd?customerId=100001"),
            (set_status(&customer, 0), "changeStatus?customerId=100001&customerState=0"),
        ] {
            assert_eq!(address.url(&request).as_str(), format!("https://v.example/prod-api/api/agent/{expected}"));
        }
    }

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
