//! T6: a real nginx with its default set-up sends a GET twice if the first server dies over it.

use std::process::{Child, Command, Stdio};

use operations::{AccountChange, Direction, Reason, State};
use tests::order::{Buyer, access};
use tests::service::account;
use tests::{number, until};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

/// Doubled requests per test run; `cargo xtask prove` makes more.
const DOUBLES: u64 = 20;

/// Writes that a server carries out before it dies. Everything else passes.
const DEADLY: [&str; 3] = ["/deductionFlow", "/rechargeTrafficCount", "/addUser"];

/// Starts the first of two servers. Returns its port.
async fn dying_server(service: String) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("loopback");
    let port = listener.local_addr().expect("a bound address").port();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(relay(client, service.clone()));
        }
    });
    port
}

async fn relay(mut client: TcpStream, service: String) -> std::io::Result<()> {
    let mut server = TcpStream::connect(service).await?;
    let mut request = vec![0; 64 * 1024];
    let read = client.read(&mut request).await?;
    server.write_all(&request[..read]).await?;
    let head = String::from_utf8_lossy(&request[..read]);
    if DEADLY.iter().any(|path| head.contains(path)) {
        // The first byte of the answer shows that the write was carried out.
        let _ = server.read(&mut [0]).await?;
        return Ok(());
    }
    copy_bidirectional(&mut client, &mut server).await.map(|_| ())
}

struct Nginx {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Nginx {
    async fn before(dying: u16, service: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let port = TcpListener::bind(("127.0.0.1", 0)).await.expect("loopback").local_addr().expect("bound").port();
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("{name}_temp_path {name};"))
            .concat();
        let config = format!(
            "daemon off; worker_processes 1; pid nginx.pid; error_log error.log;
             events {{ worker_connections 512; }}
             http {{
                 access_log off; {temporary}
                 upstream service {{ server 127.0.0.1:{dying} max_fails=0; server {service} backup; }}
                 server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://service; }} }}
             }}"
        );
        std::fs::write(folder.path().join("nginx.conf"), config).expect("a file");
        let mut nginx = Command::new("nginx");
        nginx.arg("-p").arg(folder.path()).args(["-e", "error.log", "-c", "nginx.conf"]);
        let process = nginx.stderr(Stdio::null()).spawn().expect("nginx");
        until("nginx listens", async || TcpStream::connect(("127.0.0.1", port)).await.ok()).await;
        Self { process, port, _folder: folder }
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.process.id().to_string()).status();
        let _ = self.process.wait();
    }
}

async fn behind_nginx(customers: u32) -> (Buyer, Nginx) {
    let buyer = Buyer::with_customers(customers).await;
    let address = buyer.service.base_url();
    let service = address.strip_prefix("http://").expect("an address").to_owned();
    let nginx = Nginx::before(dying_server(service.clone()).await, &service).await;
    let account = account(&format!("http://127.0.0.1:{}", nginx.port));
    buyer.operations.use_account(Some(access(&buyer.service, account)));
    (buyer, nginx)
}

#[tokio::test]
async fn every_deduction_that_a_proxy_doubles_is_found_and_alarms() {
    let doubles = number("PROXYTILL_DOUBLES", DOUBLES) as usize;
    let (buyer, _nginx) = behind_nginx(doubles as u32 + 4).await;
    let plan = buyer.planned_moves(Direction::Deduction, "0.01", doubles).await;
    for row in plan.rows {
        let intent = row.todo.expect("a move");
        let token = buyer.operations.offer(intent.clone(), None).expect("nothing else is open").token;
        let sent = buyer.operations.confirm(&token).await.expect("it is sent");
        let found = until("a person is asked", async || {
            Some(buyer.operations.get(&sent.id).expect("a journal")).filter(|one| one.state == State::NeedsYou)
        })
        .await;
        assert_eq!((found.reason, found.alarm), (Some(Reason::Doubled), true), "{}", row.name);
        let moves = buyer.service.world.ledger().expect("a ledger").moves;
        let taken = moves.iter().filter(|one| one.customer_id.to_string() == intent.target()).count();
        assert_eq!(taken, 2, "{}: nginx sent it twice, and nobody a third time", row.name);
    }
    assert_eq!(buyer.sends(Direction::Deduction), 2 * doubles);
    println!("{doubles} doubles from seed {}", number("PROXYTILL_FROM", 0));
}

#[tokio::test]
async fn a_doubled_recharge_and_a_doubled_creation_are_done_once() {
    let (buyer, _nginx) = behind_nginx(4).await;
    buyer.move_traffic(Direction::Recharge, "1", None).await;
    assert_eq!(buyer.decided().await.state, State::Applied);
    assert_eq!((buyer.sends(Direction::Recharge), buyer.moves().len()), (2, 1), "the order id protects");
    buyer.change(AccountChange::Create { user_name: "twice@x.com".into() }, None).await;
    let created = buyer.decided().await;
    assert!(matches!(created.state, State::Applied | State::ResolvedApplied), "{:?}", created.state);
    assert_eq!(buyer.accounts().iter().filter(|one| one.created).count(), 1);
}
