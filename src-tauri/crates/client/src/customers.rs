//! `GET /open/customer/list` and the writes of the customer area.

use std::collections::HashMap;

use wire::customers::{Customer, Page};
use wire::ids::CustomerId;

use crate::call::Call;
use crate::call::Client;
use crate::error::Error;
use crate::request::{Area, Request, SecretParameter};

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

/// "No stated page maximum: ask for 100, accept fewer."
const PAGE: u32 = 100;
/// A list that never ends is none.
const MOST_PAGES: u32 = 10_000;

/// Every customer whose name holds `user_name`, or all of them, each once as seen last, in the vendor's
/// order.
///
/// # Errors
/// [`Error`]: no page is left out.
pub async fn all(client: &Client, user_name: Option<&str>) -> Result<Vec<Customer>, Error> {
    let mut rows: Vec<Customer> = Vec::new();
    let mut at = HashMap::new();
    let keep = |row: Customer| match at.get(&row.customer_id) {
        // A customer that moved to a later page meanwhile is there once.
        Some(&known) => rows[known] = row,
        None => {
            at.insert(row.customer_id.clone(), rows.len());
            rows.push(row);
        }
    };
    each(client, user_name, keep).await?;
    Ok(rows)
}

/// Hands over every row of the same list, page after page: one that moved to a later page meanwhile comes
/// again.
///
/// # Errors
/// [`Error`]: the rows so far are not the list.
pub async fn each(client: &Client, user_name: Option<&str>, mut keep: impl FnMut(Customer)) -> Result<(), Error> {
    let mut seen = 0;
    for page in 1..=MOST_PAGES {
        let query = ListQuery { page, page_size: PAGE, user_name: user_name.map(str::to_owned) };
        let answer = client.call(list(&query)).await?.data;
        seen += answer.rows.len() as i64;
        let last = answer.rows.is_empty() || seen >= answer.total;
        answer.rows.into_iter().for_each(&mut keep);
        if last {
            break;
        }
    }
    Ok(())
}

/// Creates a customer. A bare [`Request`]: only `operations` can send it. The answer carries secrets.
pub fn create(user_name: &str) -> Request {
    Request::get(Area::Agent, "/api/agent/addUser").query("userName", user_name)
}

/// Sets a customer's proxy password, which is kept under `reference`.
pub fn set_password(customer: &CustomerId, reference: &str) -> Request {
    let secret = SecretParameter { name: "password".into(), reference: reference.into() };
    let request = Request::get(Area::Agent, "/api/agent/updatePwd").query("customerId", customer);
    Request { secret: Some(secret), ..request }
}

/// Sets a customer's state. Two published versions of the interface contradict each other about what
/// 0 and 1 mean: the caller knows.
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
