//! Proxies as a file: lines, a table, or JSON.

use std::io::Cursor;

use serde::{Deserialize, Serialize};
use serde_json::json;
use ts_rs::TS;
use wire::orders::Proxy;

use crate::proxy_list::{Layout, line};
use crate::table::{Cell, Table, TableError, TableKind};

/// What kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// A line for each, in the chosen format.
    Txt,
    /// A table: ip, port, user, password, protocol. As any table, no cell is calculated: what begins like a
    /// formula, a password too, has an apostrophe in front. [`Self::Txt`] and [`Self::Json`] are verbatim.
    Csv,
    /// A list of objects with the same members.
    Json,
}

impl FileKind {
    /// Without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Txt => "txt",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }

    /// The file's content, UTF-8; tables with a byte order mark, for spreadsheets.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn content(self, proxies: &[Proxy], layout: &Layout) -> Result<Vec<u8>, TableError> {
        match self {
            Self::Txt => {
                let lines: Vec<String> = proxies.iter().map(|proxy| line(proxy, layout)).collect();
                Ok((lines.join("\n") + "\n").into_bytes())
            }
            Self::Csv => table(proxies),
            Self::Json => {
                let all: Vec<_> = proxies
                    .iter()
                    .map(|one| {
                        json!({"ip": one.host, "port": one.port, "user": one.user, "password": one.password,
                            "protocol": one.protocol})
                    })
                    .collect();
                Ok(format!("{:#}\n", serde_json::Value::Array(all)).into_bytes())
            }
        }
    }
}

fn table(proxies: &[Proxy]) -> Result<Vec<u8>, TableError> {
    let mut file = Cursor::new(Vec::new());
    let names = ["ip", "port", "user", "password", "protocol"].map(str::to_owned);
    let mut table = Table::begin(TableKind::Csv, &mut file, &names)?;
    for one in proxies {
        let text = |text: &str| Cell::Text(text.to_owned());
        let port = Cell::Number(one.port.to_string());
        table.row(&[text(&one.host), port, text(&one.user), text(&one.password), text(&one.protocol)])?;
    }
    table.end()?;
    Ok(file.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proxy_list::Format;

    fn proxies() -> Vec<Proxy> {
        let one = |host: &str, password: &str| Proxy {
            host: host.into(),
            port: 1080,
            user: "u".into(),
            password: password.into(),
            protocol: "socks5".into(),
        };
        vec![one("192.0.2.1", "a,\"b"), one("2001:db8::1", "=p:1")]
    }

    #[test]
    fn each_kind_of_file_holds_every_proxy_and_a_table_calculates_none_of_it() {
        let text =
            |kind: FileKind| String::from_utf8(kind.content(&proxies(), &Format::HostFirst.into()).unwrap()).unwrap();
        assert_eq!(text(FileKind::Txt), "192.0.2.1:1080:u:a,\"b\n[2001:db8::1]:1080:u:=p:1\n");
        assert_eq!(
            text(FileKind::Csv),
            "\u{feff}\"ip\",\"port\",\"user\",\"password\",\"protocol\"\r\n\"192.0.2.1\",1080,\"u\",\"a,\"\"b\",\"socks5\"\r\n\"2001:db8::1\",1080,\"u\",\"'=p:1\",\"socks5\"\r\n"
        );
        let read: serde_json::Value = serde_json::from_str(&text(FileKind::Json)).unwrap();
        let of = |at: usize, name: &str| read[at][name].clone();
        assert_eq!(
            [of(0, "password"), of(1, "password"), of(1, "ip")],
            ["a,\"b", "=p:1", "2001:db8::1"].map(|text| json!(text))
        );
    }
}
