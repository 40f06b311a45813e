//! The practice service as a program: `cargo run -p sandbox -- --port 8787`.

use std::io::Write;
use std::process::ExitCode;

use sandbox::{Options, Service};

const USAGE: &str = "sandbox [--port N] [--data FILE] [--seed N] [--clock ISO] [--speed X] [--customers N] [--without NAME]... [--control]";

#[tokio::main]
async fn main() -> ExitCode {
    let options = match read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(wrong) => {
            eprintln!("{wrong}\nusage: {USAGE}");
            return ExitCode::from(2);
        }
    };
    match sandbox::start(options).await {
        Ok(service) => {
            introduce(&service);
            // The signal may end it at any time; the ledger is always durable.
            let _ = tokio::signal::ctrl_c().await;
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn read(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options { port: 8787, ..Options::default() };
    while let Some(word) = words.next() {
        if word == "--control" {
            options.control = true;
            continue;
        }
        let value = words.next().ok_or_else(|| format!("{word}: a value is missing"))?;
        let wrong = |_| format!("{word}: cannot be {value}");
        match word.as_str() {
            "--port" => options.port = value.parse().map_err(|_| wrong(()))?,
            "--data" => options.data = Some(value.into()),
            "--seed" => options.seed = value.parse().map_err(|_| wrong(()))?,
            "--clock" => {
                let instant: jiff::Timestamp = value.parse().map_err(|_| wrong(()))?;
                options.clock = Some(instant.as_millisecond());
            }
            "--speed" => options.speed = value.parse().map_err(|_| wrong(()))?,
            "--without" => options.without.push(value.parse()?),
            "--customers" => options.customers = value.parse().map_err(|_| wrong(()))?,
            _ => return Err(format!("{word}: unknown")),
        }
    }
    Ok(options)
}

fn introduce(service: &Service) {
    let base = service.base_url();
    let who = &service.world.options.credentials;
    let words = format!(
        "Practice service at {base} - no real money
curl -s {base}/api/open/staticip/location/continents -H 'UserId: {}' -H 'Token: {}'
curl -s '{base}/prod-api/open/customer/list?pageSize=3' -H 'token: {}'
",
        who.user_id, who.static_token, who.agent_token
    );
    // A reader of only the first line may close the pipe: the service goes on.
    let _ = std::io::stdout().write_all(words.as_bytes());
}
