//! The reads of the areas B and C: records, reports, totals, consumption, customers.

use crate::choices::{Beyond, DeductionRows, Filter, UseRows};
use crate::json::{Json, list, object};
use crate::ledger::{Actor, Customer, Entry, What, customers};
use crate::request::Request;
use crate::spelling::{clock, day, figure, written_day};
use crate::world::{Kind, World};
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// A traffic record to be shown.
struct Record {
    customer: i64,
    account: String,
    mb: Decimal,
    word: String,
    who: Actor,
    at_ms: i64,
}

/// The days requested from a list, both included.
struct Span(Option<String>, Option<String>);

impl Span {
    fn of(request: &Request) -> Self {
        Self(request.parameter("startDate"), request.parameter("endDate"))
    }

    fn holds(&self, day: &str) -> bool {
        self.0.as_deref().is_none_or(|from| from <= day) && self.1.as_deref().is_none_or(|to| day <= to)
    }
}

impl World {
    /// Cuts out the requested page. Applies the contract's maximum if there is one, otherwise this service's own.
    fn page(&self, request: &Request, usual: u32, most: u32, mut rows: Vec<Json>) -> Json {
        let number = |name| request.parameter(name).and_then(|text| text.parse::<u32>().ok()).filter(|n| *n > 0);
        let size = number("pageSize").unwrap_or(usual).min(most.max(1)) as usize;
        let total = rows.len();
        let last = total.div_ceil(size).max(1);
        let page = number("pageNum").unwrap_or(1) as usize;
        let page = if self.choices.lists.beyond == Beyond::LastAgain { page.min(last) } else { page };
        let rows = if page > last { Vec::new() } else { rows.drain(..).skip((page - 1) * size).take(size).collect() };
        let found = [("total", Json::from(i64::try_from(total).unwrap_or_default())), ("rows", list(rows))];
        if !self.choices.writing.inner_repeats {
            return object(found);
        }
        object(found).with([("code", Json::from(200)), ("msg", "查询成功".into()), ("other", Json::Null)])
    }

    fn sorted<T>(&self, mut rows: Vec<T>) -> Vec<T> {
        if self.choices.lists.newest_first {
            rows.reverse();
        }
        rows
    }

    fn fits(&self, wanted: Option<&str>, name: &str) -> bool {
        wanted.is_none_or(|wanted| match self.choices.lists.filter {
            Filter::Exact => wanted == name,
            Filter::Part => name.to_lowercase().contains(&wanted.to_lowercase()),
        })
    }

    fn id(&self, id: i64) -> Json {
        if self.choices.writing.agent_ids_as_text { id.to_string().into() } else { id.into() }
    }

    fn day(&self, at_ms: i64) -> String {
        day(at_ms, self.choices.writing.zone_hours)
    }

    /// `myRechargeFlowList`.
    pub(crate) fn records(&mut self, request: &Request, now_ms: i64) -> Json {
        let entries = self.visible(Kind::Records, now_ms).to_vec();
        let consumption = request.parameter("type").as_deref() == Some("1");
        let (account, span) = (request.parameter("account"), Span::of(request));
        let records = self.record_rows(&entries, consumption).into_iter();
        let fit = |r: &Record| self.fits(account.as_deref(), &r.account) && span.holds(&self.day(r.at_ms));
        let rows = records.filter(fit).map(|record| self.record(&record)).collect();
        self.page(request, 10, self.choices.lists.largest_page, self.sorted(rows))
    }

    fn record_rows(&self, entries: &[Entry], consumption: bool) -> Vec<Record> {
        let (writing, lists) = (&self.choices.writing, &self.choices.lists);
        let names: BTreeMap<i64, String> = customers(entries).into_iter().map(|c| (c.id, c.name)).collect();
        let mut rows: Vec<Record> = Vec::new();
        let mut grown: BTreeMap<(i64, String), usize> = BTreeMap::new();
        for entry in entries {
            let (customer, mb, word) = match &entry.what {
                What::Recharged { customer, mb, .. } if !consumption => (*customer, *mb, &writing.recharge_word),
                What::Deducted { customer, mb } if consumption == (lists.deductions == DeductionRows::Consumption) => {
                    (*customer, -*mb, &writing.deduction_word)
                }
                What::Used { customer, up, down } if consumption && lists.use_rows != UseRows::None => {
                    let mb = -(up + down);
                    let key = (*customer, self.day(entry.at_ms));
                    let row = grown.get(&key).and_then(|at| rows.get_mut(*at));
                    if let (UseRows::GrowInPlace, Some(row)) = (lists.use_rows, row) {
                        row.mb += mb;
                        continue;
                    }
                    grown.insert(key, rows.len());
                    (*customer, mb, &writing.use_word)
                }
                _ => continue,
            };
            let account = names.get(&customer).cloned().unwrap_or_default();
            let (word, who) = (word.clone(), entry.who.clone());
            rows.push(Record { customer, account, mb, word, who, at_ms: entry.at_ms });
        }
        rows
    }

    fn record(&self, record: &Record) -> Json {
        let writing = &self.choices.writing;
        let shown = object([
            ("customerId", self.id(record.customer)),
            ("account", record.account.as_str().into()),
            ("flowCount", figure(record.mb, writing.traffic)),
            ("typeDesc", record.word.as_str().into()),
            ("createId", self.id(record.who.id)),
            ("createBy", record.who.name.as_str().into()),
            ("createTime", clock(record.at_ms, writing.zone_hours).into()),
        ]);
        self.more(shown)
    }

    /// Adds fields that the contract does not name, where this service has some.
    fn more(&self, row: Json) -> Json {
        if !self.choices.writing.extra_fields {
            return row;
        }
        row.with([("remark", Json::Null), ("deptId", Json::from(103)), ("params", object([]))])
    }

    /// `rechargeFlowListForMe`: traffic bought for resale.
    pub(crate) fn received(&mut self, request: &Request, now_ms: i64) -> Json {
        let entries = self.visible(Kind::Received, now_ms).to_vec();
        let (source, span, me) = (request.parameter("account"), Span::of(request), self.caller());
        let fit = |entry: &&Entry| self.fits(source.as_deref(), &entry.who.name) && span.holds(&self.day(entry.at_ms));
        let rows = entries.iter().filter(fit).filter_map(|entry| match &entry.what {
            What::Funded { mb } => Some(self.record(&Record {
                customer: me.id,
                account: me.name.clone(),
                mb: *mb,
                word: self.choices.writing.recharge_word.clone(),
                who: entry.who.clone(),
                at_ms: entry.at_ms,
            })),
            _ => None,
        });
        let rows = rows.collect();
        self.page(request, 10, self.choices.lists.largest_page, self.sorted(rows))
    }

    /// `flowReport`: a row for each customer and day with usage.
    pub(crate) fn report(&mut self, request: &Request, now_ms: i64) -> Json {
        let entries = self.visible(Kind::Report, now_ms).to_vec();
        let (customer, span) = (request.parameter("customerId"), Span::of(request));
        let names: BTreeMap<i64, String> = customers(&entries).into_iter().map(|c| (c.id, c.name)).collect();
        let used = self.used(&entries, &span, |entry_day, id| (entry_day, id));
        let fit = |id: i64| customer.as_deref().is_none_or(|wanted| wanted == id.to_string());
        let writing = &self.choices.writing;
        let rows = used.into_iter().filter(|((_, id), _)| fit(*id)).map(|((date, id), (up, down))| {
            self.more(object([
                ("reportDate", date.into()),
                ("customerId", self.id(id)),
                ("userName", names.get(&id).cloned().unwrap_or_default().into()),
                ("uploadFlow", figure(up, writing.traffic)),
                ("downloadFlow", figure(down, writing.traffic)),
            ]))
        });
        let rows = rows.collect();
        self.page(request, 100, 2000, self.sorted(rows))
    }

    fn used<K: Ord>(
        &self,
        entries: &[Entry],
        span: &Span,
        key: fn(String, i64) -> K,
    ) -> BTreeMap<K, (Decimal, Decimal)> {
        let mut used: BTreeMap<K, (Decimal, Decimal)> = BTreeMap::new();
        for entry in entries {
            let What::Used { customer, up, down } = &entry.what else { continue };
            let date = self.day(entry.at_ms);
            if span.holds(&date) {
                let sum = used.entry(key(date, *customer)).or_default();
                *sum = (sum.0 + up, sum.1 + down);
            }
        }
        used
    }

    /// `getFlowTotalFull`: the agency's own traffic. Its second account is a quarter of the size and unused.
    pub(crate) fn totals(&mut self, now_ms: i64) -> Json {
        let entries = self.visible(Kind::Totals, now_ms).to_vec();
        let (mut bought, mut given) = (Decimal::ZERO, Decimal::ZERO);
        for entry in &entries {
            match &entry.what {
                What::Funded { mb } => bought += mb,
                What::Recharged { mb, .. } => given += mb,
                What::Deducted { mb, .. } => given -= mb,
                _ => {}
            }
        }
        let second = Decimal::from(self.choices.start.pool_gb) * Decimal::from(256);
        object([("account", self.total(bought, given)), ("account2", self.total(second, Decimal::ZERO))])
    }

    fn total(&self, bought: Decimal, given: Decimal) -> Json {
        let writing = &self.choices.writing;
        let spelt = |mb| figure(mb, writing.traffic);
        let total = object([
            ("flowCount", spelt(bought)),
            ("consumeFlow", spelt(given)),
            ("residualFlow", spelt(bought - given)),
        ]);
        if writing.spaced_residual { total.with([("residualFlow ", spelt(bought - given))]) } else { total }
    }

    /// `getFlowConsumeDetail` or, with `nni`, `getNNIFlowConsumeDetail`, which has one figure per day.
    pub(crate) fn consumption(&mut self, request: &Request, nni: bool, now_ms: i64) -> Json {
        let entries = self.visible(Kind::Consumption, now_ms).to_vec();
        let used = self.used(&entries, &Span::of(request), |date, _| date);
        let writing = &self.choices.writing;
        let rows = used.into_iter().map(|(date, (up, down))| {
            let date = written_day(&date, writing.days);
            if nni {
                return object([("date", date), ("flow", figure(up + down, writing.traffic))]);
            }
            let (up, down) = (figure(up, writing.traffic), figure(down, writing.traffic));
            object([("date", date), ("uploadFlow", up), ("downloadFlow", down)])
        });
        list(self.sorted(rows.collect()))
    }

    /// `customer/list`.
    pub(crate) fn customer_list(&mut self, request: &Request, now_ms: i64) -> Json {
        let known = customers(self.visible(Kind::Customers, now_ms));
        let name = request.parameter("userName");
        let fit = |customer: &&Customer| self.fits(name.as_deref(), &customer.name);
        let lowers = self.choices.lists.deduction_lowers_recharged;
        let traffic = self.choices.writing.traffic;
        let rows = known.iter().filter(fit).map(|customer| {
            let less = if lowers { customer.deducted } else { Decimal::ZERO };
            self.more(object([
                ("trafficCount", figure(customer.recharged - less, traffic)),
                ("residualFlow", figure(customer.residual(), traffic)),
                ("customerId", self.id(customer.id)),
                ("userName", customer.name.as_str().into()),
            ]))
        });
        let rows = rows.collect();
        self.page(request, 10, self.choices.lists.largest_page, self.sorted(rows))
    }
}
