//! Proxies as a file: lines, a table, or JSON.

use serde::{Deserialize, Serialize};
use serde_json::json;
use ts_rs::TS;
use wire::orders::Proxy;

use crate::proxy_list::{Layout, line};

/// What kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// A line for each, in the chosen format.
    Txt,
    /// A table: ip, port, user, password, protocol. Passwords verbatim, so no guard against formulas:
    /// a changed password opens nothing.
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
    /// When a table can not be written.
    pub fn content(self, proxies: &[Proxy], layout: &Layout) -> Result<Vec<u8>, csv::Error> {
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

fn table(proxies: &[Proxy]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(b"\xef\xbb\xbf".to_vec());
    writer.write_record(["ip", "port", "user", "password", "protocol"])?;
    for one in proxies {
        writer.write_record([&one.host, &one.port.to_string(), &one.user, &one.password, &one.protocol])?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
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
            ..Proxy::default()
        };
        vec![one("192.0.2.1", "a,\"b"), one("2001:db8::1", "=p:1")]
    }

    #[test]
    fn each_kind_of_file_holds_every_proxy_with_its_password_verbatim() {
        let text =
            |kind: FileKind| String::from_utf8(kind.content(&proxies(), &Format::HostFirst.into()).unwrap()).unwrap();
        assert_eq!(text(FileKind::Txt), "192.0.2.1:1080:u:a,\"b\n[2001:db8::1]:1080:u:=p:1\n");
        assert_eq!(
            text(FileKind::Csv),
            "\u{feff}ip,port,user,password,protocol\r\n192.0.2.1,1080,u,\"a,\"\"b\",socks5\r\n2001:db8::1,1080,u,=p:1,socks5\r\n"
        );
        let read: serde_json::Value = serde_json::from_str(&text(FileKind::Json)).unwrap();
        assert_eq!((&read[0]["password"], &read[1]["ip"]), (&json!("a,\"b"), &json!("2001:db8::1")));
    }
}
