//! The front desk: identifies requests, checks credentials, answers.

use crate::choices::Denial;
use crate::command::{Command, Done, No};
use crate::json::{Json, Layout, object};
use crate::mishap::{Mishap, Write};
use crate::places::{self, Wanted};
use crate::request::{Answer, Delivery, Request};
use crate::routes::{Area, Route, route};
use crate::spelling::moment;
use crate::world::{Late, World};
use rust_decimal::Decimal;
use serde_json::Value;

impl World {
    /// Answers a request at this time.
    pub(crate) fn reply(&mut self, request: &Request, now_ms: i64) -> Answer {
        self.requests = self.requests.wrapping_add(1);
        let found = route(&request.path).filter(|(_, _, route)| self.offers(*route));
        let Some((area, method, route)) = found else {
            return self.answer(404, &object([("status", Json::from(404)), ("error", "Not Found".into())]));
        };
        if request.method != method {
            return self.answer(405, &object([("status", Json::from(405)), ("error", "Method Not Allowed".into())]));
        }
        if let Some(answer) = self.turned_away(request, area, route, now_ms) {
            return answer;
        }
        let manners = &self.choices.manners;
        match route {
            Route::Write(write) => {
                let delay_ms = manners.slow_write_ms;
                let mishap = self.mishap(write);
                Answer { delay_ms, ..self.write(request, write, mishap.as_ref(), now_ms) }
            }
            Route::Read(read) => Answer { delay_ms: manners.slow_read_ms, ..self.read(request, read, now_ms) },
        }
    }

    /// Whether this service has the endpoint: some that the contract lacks are left away.
    fn offers(&self, route: Route) -> bool {
        use crate::routes::Read;
        let extras = self.choices.extras;
        match route {
            Route::Read(Read::Ping) => extras.ping,
            Route::Read(Read::Segments) => extras.cidrs,
            Route::Read(Read::Standing) => extras.order_status,
            Route::Read(Read::Ips) => extras.ips,
            Route::Read(Read::RenewalQuote) | Route::Write(Write::Renewal) => extras.renewals,
            _ => true,
        }
    }

    /// Carries out a copy of a write, without another mishap.
    pub(crate) fn again(&mut self, request: &Request, now_ms: i64) {
        if let Some((_, _, Route::Write(write))) = route(&request.path) {
            drop(self.write(request, write, None, now_ms));
        }
    }

    /// Turns away a request when busy, not authorised, or repeated too soon.
    fn turned_away(&mut self, request: &Request, area: Area, route: Route, now_ms: i64) -> Option<Answer> {
        let writes = matches!(route, Route::Write(_));
        let busy = self.choices.manners.busy;
        if let Some(busy) =
            busy.filter(|busy| self.requests.is_multiple_of(busy.every.max(1)) && (busy.writes || !writes))
        {
            return Some(self.busy(busy.retry_after_s));
        }
        if let Some(denied) = self.denied(request, area, now_ms) {
            return Some(denied);
        }
        let same = self.choices.manners.same_again.filter(|same| area == Area::Agent && (same.reads || writes))?;
        let name = format!("{}?{}", request.path, request.query);
        self.gets.retain(|_, seen| now_ms - *seen < same.within_ms);
        if self.gets.contains_key(&name) {
            let no = No { code: "500".into(), status: 200, words: "不允许重复提交，请稍候再试".into() };
            return Some(self.told_no(Area::Agent, &no, now_ms));
        }
        self.gets.insert(name, now_ms);
        None
    }

    fn busy(&self, retry_after_s: Option<u32>) -> Answer {
        let words = object([("code", Json::from(429)), ("msg", "访问过于频繁".into())]);
        let mut answer = self.answer(429, &words);
        answer.headers.extend(retry_after_s.map(|seconds| ("Retry-After".to_owned(), seconds.to_string())));
        answer
    }

    fn denied(&mut self, request: &Request, area: Area, now_ms: i64) -> Option<Answer> {
        let start = &self.choices.start;
        if area == Area::Public {
            return None;
        }
        if area == Area::Static {
            let (user, token) = (request.header("UserId"), request.header("Token"));
            let right = user == Some(&start.developer) && token == Some(&start.developer_token);
            let code = match (user, token) {
                (None, _) => "20010",
                (_, None) => "20011",
                _ if right => return None,
                _ => "20000",
            };
            let no = No { code: code.into(), status: 401, words: "开发者凭证无效".into() };
            return Some(self.told_no(area, &no, now_ms));
        }
        if request.header("token") == Some(&start.agent_token) {
            return None;
        }
        let (status, code) = match self.choices.manners.denial {
            Denial::Code200 => (200, 200),
            Denial::Code401 => (200, 401),
            Denial::Status401 => (401, 401),
        };
        let words = object([("code", Json::from(code)), ("msg", "无效的认证令牌".into()), ("data", Json::Null)]);
        Some(self.answer(status, &words))
    }

    fn read(&mut self, request: &Request, read: crate::routes::Read, now_ms: i64) -> Answer {
        use crate::routes::Read;
        let body = serde_json::from_slice::<Value>(&request.body).unwrap_or_default();
        let wanted = Wanted(&body);
        let found = match read {
            Read::Continents => Ok(places::continents()),
            Read::Countries => Ok(places::countries(&wanted)),
            Read::States => Ok(places::states(&wanted)),
            Read::Cities => Ok(places::cities(&wanted, &self.choices.writing)),
            Read::Options => Ok(places::options(self.choices.writing.elements)),
            Read::Stock => Ok(places::stock(&wanted)),
            Read::Segments => Ok(places::segments(&wanted, self.choices.writing.amounts)),
            Read::Standing => self.order_standing(&body),
            Read::Ips => Ok(self.ips(&body)),
            Read::Ping => {
                let writing = &self.choices.writing;
                let time = moment(now_ms, writing.moments, writing.zone_hours);
                return self.told(object([("serverTime", time), ("service", "gateway".into())]));
            }
            Read::RenewalQuote => self.renewal_quote(&body),
            Read::Quote => self.quote(&body, now_ms),
            Read::Detail => self.order_detail(&body),
            Read::Records => return self.told_with(Self::records, request, now_ms),
            Read::Received => return self.told_with(Self::received, request, now_ms),
            Read::Report => return self.told_with(Self::report, request, now_ms),
            Read::Customers => return self.told_with(Self::customer_list, request, now_ms),
            Read::Totals => {
                let totals = self.totals(now_ms);
                return self.told(totals);
            }
            Read::Nni | Read::Consumption => {
                let rows = self.consumption(request, matches!(read, Read::Nni), now_ms);
                return self.told(rows);
            }
        };
        match found {
            Ok(data) => self.result(200, "0", "success", data, now_ms),
            Err(no) => self.told_no(Area::Static, &no, now_ms),
        }
    }

    fn order_standing(&self, body: &Value) -> Result<Json, No> {
        let no = body.get("orderNo").and_then(Value::as_str).unwrap_or_default();
        let order = self.orders.iter().find(|order| order.no == no);
        order.map(|order| self.standing(order)).ok_or_else(|| self.order_no(Some("60404".into()), "订单不存在"))
    }

    fn order_detail(&self, body: &Value) -> Result<Json, No> {
        let no = body.get("orderNo").and_then(Value::as_str).unwrap_or_default();
        let order = self.orders.iter().find(|order| order.no == no);
        order.map(|order| self.detail(order)).ok_or_else(|| self.order_no(Some("60404".into()), "订单不存在"))
    }

    fn write(&mut self, request: &Request, write: Write, mishap: Option<&Mishap>, now_ms: i64) -> Answer {
        let area = if matches!(write, Write::Order | Write::Renewal) { Area::Static } else { Area::Agent };
        let command = self.command(request, write, now_ms);
        let lost = Answer { delivery: Delivery::Lost, ..self.answer(200, &Json::Null) };
        match (mishap, command) {
            (Some(Mishap::LostBefore), _) => lost,
            (Some(Mishap::Busy), _) => self.busy(None),
            (Some(Mishap::Gateway { done_after_ms }), command) => {
                if let (Some(after), Ok(command)) = (done_after_ms, command) {
                    self.do_later(command, *after, now_ms);
                }
                let page = b"<html><h1>502 Bad Gateway</h1></html>".to_vec();
                let headers = vec![("Content-Type".to_owned(), "text/html".to_owned())];
                Answer { status: 502, headers, body: page, delivery: Delivery::Whole, ..lost }
            }
            (_, Err(no)) => self.told_no(area, &no, now_ms),
            (Some(Mishap::Refused { code }), Ok(_)) => self.refused(area, *code, now_ms),
            (Some(Mishap::RefusedAndDone { code, after_ms }), Ok(command)) => {
                self.do_later(command, *after_ms, now_ms);
                self.refused(area, *code, now_ms)
            }
            (Some(Mishap::LostAndDone { after_ms }), Ok(command)) => {
                self.do_later(command, *after_ms, now_ms);
                lost
            }
            (mishap, Ok(command)) => {
                let done = self.perform(&command, &self.caller(), now_ms);
                let answer = self.told_done(area, done, now_ms);
                match mishap {
                    Some(Mishap::LostAfter) => lost,
                    Some(Mishap::CutShort) => Answer { delivery: Delivery::Cut, ..answer },
                    Some(Mishap::Doubled { after_ms }) => {
                        self.later(now_ms + after_ms, Late::Again(request.clone()));
                        self.settle(now_ms);
                        answer
                    }
                    _ => answer,
                }
            }
        }
    }

    fn do_later(&mut self, command: Command, after_ms: i64, now_ms: i64) {
        self.later(now_ms + after_ms, Late::Do(command));
        self.settle(now_ms);
    }

    fn refused(&mut self, area: Area, code: Option<i64>, now_ms: i64) -> Answer {
        let no = match area {
            Area::Static => self.order_no(code.map(|code| code.to_string()), "系统繁忙"),
            Area::Agent | Area::Public => self.agent_no(code, "系统内部错误"),
        };
        self.told_no(area, &no, now_ms)
    }

    fn command(&self, request: &Request, write: Write, now_ms: i64) -> Result<Command, No> {
        let needed =
            |name: &str| request.parameter(name).ok_or_else(|| self.agent_no(None, &format!("缺少参数 {name}")));
        let customer = || needed("customerId").map(|id| id.parse().unwrap_or_default());
        let gb = || {
            let text = needed("trafficCount")?;
            let value = text.parse().or_else(|_| Decimal::from_scientific(&text));
            value.map_err(|_| self.agent_no(None, "流量数值有误"))
        };
        Ok(match write {
            Write::Order => return self.order_command(request, now_ms),
            Write::Renewal => {
                let body = serde_json::from_slice::<Value>(&request.body).unwrap_or_default();
                let key = request.header("X-Idempotency-Key").map(str::to_owned);
                Command::Renew { wanted: self.renewal_of(&body)?, key }
            }
            Write::Recharge => Command::Recharge { customer: customer()?, order_id: needed("orderId")?, gb: gb()? },
            Write::Deduction => Command::Deduct { customer: customer()?, gb: gb()? },
            Write::AddUser => {
                let name = needed("userName")?;
                if !name.contains('@') {
                    return Err(self.agent_no(None, "账户名须为邮箱格式"));
                }
                Command::AddUser { name }
            }
            Write::Password => Command::Password { customer: customer()?, password: needed("password")? },
            Write::Status => {
                let one = match needed("customerState")?.as_str() {
                    "1" => true,
                    "0" => false,
                    _ => return Err(self.agent_no(None, "状态值有误")),
                };
                Command::Status { customer: customer()?, active: one == self.choices.deeds.one_is_active }
            }
        })
    }

    /// Checks a known key before the price: a repeat of a paid order may come after its price has expired.
    fn order_command(&self, request: &Request, now_ms: i64) -> Result<Command, No> {
        let body = serde_json::from_slice::<Value>(&request.body).unwrap_or_default();
        let key = request.header("X-Idempotency-Key").map(str::to_owned);
        let kept = |seen: i64| self.choices.deeds.keys_forgotten_after_ms.is_none_or(|after| now_ms - seen < after);
        let seen = key.as_ref().and_then(|key| self.keys.get(key)).is_some_and(|(at, _)| kept(*at));
        let quote = if seen { String::new() } else { self.order_of(&body, now_ms)? };
        Ok(Command::Order { quote, key })
    }

    fn told_done(&mut self, area: Area, done: Result<Done, No>, now_ms: i64) -> Answer {
        match done {
            Err(no) => self.told_no(area, &no, now_ms),
            Ok(Done::Order(at)) => {
                let data = self.orders.get(at).map_or(Json::Null, |order| self.placed(order));
                self.result(200, "0", "success", data, now_ms)
            }
            Ok(Done::Renewal(at)) => {
                let data = self.renewals.get(at).map_or(Json::Null, |renewal| self.renewed(renewal));
                self.result(200, "0", "success", data, now_ms)
            }
            Ok(Done::Plainly) => self.answer(200, &object([("code", Json::from(200)), ("msg", "操作成功".into())])),
            Ok(Done::Created { customer, token, password }) => {
                let created = object([
                    ("code", Json::from(200)),
                    ("msg", "操作成功".into()),
                    ("customerId", customer.into()),
                    ("Token", token.into()),
                    ("password", password.into()),
                ]);
                self.answer(200, &created)
            }
        }
    }

    fn told_no(&mut self, area: Area, no: &No, now_ms: i64) -> Answer {
        match area {
            Area::Static => self.result(no.status, &no.code, &no.words, Json::Null, now_ms),
            Area::Agent | Area::Public => {
                let code = Json::Number(no.code.clone());
                self.answer(no.status, &object([("code", code), ("msg", no.words.as_str().into())]))
            }
        }
    }

    fn told_with(&mut self, read: fn(&mut Self, &Request, i64) -> Json, request: &Request, now_ms: i64) -> Answer {
        let data = read(self, request, now_ms);
        self.told(data)
    }

    fn told(&self, data: Json) -> Answer {
        self.answer(200, &object([("code", Json::from(200)), ("msg", "操作成功".into()), ("data", data)]))
    }

    fn result(&mut self, status: u16, code: &str, msg: &str, data: Json, now_ms: i64) -> Answer {
        let result = object([
            ("code", code.into()),
            ("msg", msg.into()),
            ("data", data),
            ("timestamp", now_ms.into()),
            ("traceId", self.dice.word().into()),
        ]);
        self.answer(status, &result)
    }

    fn answer(&self, status: u16, body: &Json) -> Answer {
        let writing = &self.choices.writing;
        let layout = Layout { order: writing.order, ascii_only: writing.ascii_only, spaced: writing.spaced };
        let headers = vec![("Content-Type".to_owned(), writing.content_type.clone())];
        Answer { status, headers, body: body.text(layout).into_bytes(), delay_ms: 0, delivery: Delivery::Whole }
    }
}
