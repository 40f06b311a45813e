//! `foreign --port 4017 --choices stern`: the second service, for use with the real window. Ends with Ctrl-C.

use std::sync::Arc;
use vendor::{Choices, Vendor, serve, wall_clock};

#[tokio::main]
async fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let of = |name: &str| arguments.iter().skip_while(|word| *word != name).nth(1).map(String::as_str);
    let port = of("--port").unwrap_or("0").parse().map_err(|_| "--port takes a number".to_owned())?;
    let mut choices = chosen(of("--choices").unwrap_or("own"))?;
    let clock = wall_clock();
    // The five days of history end an hour ago.
    choices.start.founded_ms = clock() - 5 * 86_400_000 - 3_600_000;
    let start = choices.start.clone();
    let served = serve(Arc::new(Vendor::new(choices, 1)), clock, port).await.map_err(|error| error.to_string())?;
    println!("address          {}", served.base());
    println!("developer ID     {}", start.developer);
    println!("developer token  {}", start.developer_token);
    println!("agent token      {}", start.agent_token);
    tokio::signal::ctrl_c().await.map_err(|error| error.to_string())
}

fn chosen(words: &str) -> Result<Choices, String> {
    if words.starts_with('{') {
        return serde_json::from_str(words).map_err(|error| format!("--choices: {error}"));
    }
    let names = Choices::NAMES.join(", ");
    Choices::named(words).ok_or_else(|| format!("--choices takes JSON or one of {names}"))
}
