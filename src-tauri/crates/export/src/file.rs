//! Proxies as a file: lines, a table, or JSON.

use std::io::Cursor;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ts_rs::TS;
use wire::orders::Proxy;

use crate::proxy_list::{Layout, line};
use crate::table::{Cell, Table, TableError, TableKind};

/// The kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// One line per proxy, in the chosen format.
    Txt,
    /// A table: ip, port, user, password, protocol, place, expiry. As in any table, no cell is calculated: a value
    /// that begins like a formula, even a password, gets a leading apostrophe. [`Self::Txt`] and [`Self::Json`] are
    /// verbatim.
    Csv,
    /// The same as a workbook, where text is never calculated.
    Xlsx,
    /// A list of objects.
    Json,
}

impl FileKind {
    /// File extension, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Txt => "txt",
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Json => "json",
        }
    }

    /// Returns the file's content. Text is UTF-8; CSV starts with a byte order mark, for spreadsheets.
    ///
    /// # Errors
    /// [`TableError`] when the table cannot be written.
    pub fn content(self, proxies: &[Proxy], layout: &Layout) -> Result<Vec<u8>, TableError> {
        match self {
            Self::Txt => {
                let lines: Vec<String> = proxies.iter().map(|proxy| line(proxy, layout)).collect();
                Ok((lines.join("\n") + "\n").into_bytes())
            }
            Self::Csv => table(TableKind::Csv, proxies),
            Self::Xlsx => table(TableKind::Xlsx, proxies),
            Self::Json => {
                let all = proxies.iter().map(object).collect();
                Ok(format!("{:#}\n", Value::Array(all)).into_bytes())
            }
        }
    }
}

const COLUMNS: [&str; 10] =
    ["ip", "port", "user", "password", "protocol", "country", "country_code", "city", "expires", "other"];

/// The cells of a proxy. Place names are in English where both languages are reported, because anyone may get the file.
fn cells(one: &Proxy) -> [String; 10] {
    let about = &one.about;
    let either = |first: &str, second: &str| if first.is_empty() { second.to_owned() } else { first.to_owned() };
    let other: Vec<String> = about.other.iter().map(|fact| format!("{}: {}", fact.key, fact.value)).collect();
    [
        one.host.clone(),
        one.port.to_string(),
        one.user.clone(),
        one.password.clone(),
        one.protocol.clone(),
        either(&about.country_en, &about.country_zh),
        about.country_code.clone(),
        either(&about.city_en, &about.city_zh),
        about.expires.clone(),
        other.join("; "),
    ]
}

fn table(kind: TableKind, proxies: &[Proxy]) -> Result<Vec<u8>, TableError> {
    let mut file = Cursor::new(Vec::new());
    let mut table = Table::begin(kind, &mut file, &COLUMNS.map(str::to_owned))?;
    for one in proxies {
        let mut row = cells(one).map(Cell::Text);
        if kind == TableKind::Csv {
            row[1] = Cell::Number(one.port.to_string());
        }
        table.row(&row)?;
    }
    table.end()?;
    Ok(file.into_inner())
}

/// Makes the JSON object of a proxy: the port is a number, and empty members after the first five are left out.
fn object(one: &Proxy) -> Value {
    let all = COLUMNS.into_iter().zip(cells(one)).enumerate();
    let told = all.filter(|(at, (_, cell))| *at < 5 || !cell.is_empty());
    let member = |(name, cell): (&str, String)| {
        let value = if name == "port" { json!(one.port) } else { Value::String(cell) };
        (name.to_owned(), value)
    };
    Value::Object(told.map(|(_, told)| member(told)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proxy_list::Format;
    use calamine::{Reader, Xlsx};
    use wire::facts::Fact;
    use wire::goods::About;

    fn proxies() -> Vec<Proxy> {
        let one = |host: &str, password: &str| Proxy {
            host: host.into(),
            port: 1080,
            user: "u".into(),
            password: password.into(),
            protocol: "socks5".into(),
            ..Proxy::default()
        };
        let mut first = one("192.0.2.1", "a,\"b");
        first.about = About {
            country_zh: "日本".into(),
            country_en: "Japan".into(),
            country_code: "JP".into(),
            city_zh: "东京".into(),
            expires: "2026-08-12".into(),
            other: vec![Fact { word: None, key: "asn".into(), value: "64500".into() }],
            ..About::default()
        };
        vec![first, one("2001:db8::1", "=p:1")]
    }

    #[test]
    fn each_kind_of_file_holds_every_proxy_and_a_table_calculates_none_of_it() {
        let text =
            |kind: FileKind| String::from_utf8(kind.content(&proxies(), &Format::HostFirst.into()).unwrap()).unwrap();
        assert_eq!(text(FileKind::Txt), "192.0.2.1:1080:u:a,\"b\n[2001:db8::1]:1080:u:=p:1\n");
        assert_eq!(
            text(FileKind::Csv),
            "\u{feff}\"ip\",\"port\",\"user\",\"password\",\"protocol\",\"country\",\"country_code\",\"city\",\"expires\",\"other\"\r\n\"192.0.2.1\",1080,\"u\",\"a,\"\"b\",\"socks5\",\"Japan\",\"JP\",\"东京\",\"2026-08-12\",\"asn: 64500\"\r\n\"2001:db8::1\",1080,\"u\",\"'=p:1\",\"socks5\",\"\",\"\",\"\",\"\",\"\"\r\n"
        );
        let read: Value = serde_json::from_str(&text(FileKind::Json)).unwrap();
        assert_eq!((&read[0]["password"], &read[1]["ip"]), (&json!("a,\"b"), &json!("2001:db8::1")));
        assert_eq!((&read[0]["expires"], read[1].get("expires")), (&json!("2026-08-12"), None));
    }

    #[test]
    fn a_workbook_of_proxies_holds_every_text_as_it_is() {
        let file = FileKind::Xlsx.content(&proxies(), &Format::HostFirst.into()).unwrap();
        let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(file)).unwrap();
        let sheet = book.worksheet_range_at(0).unwrap().unwrap();
        let rows: Vec<Vec<String>> = sheet.rows().map(|row| row.iter().map(ToString::to_string).collect()).collect();
        assert_eq!(rows[0], COLUMNS);
        assert_eq!((rows[1][7].as_str(), rows[2][3].as_str()), ("东京", "=p:1"));
    }
}
