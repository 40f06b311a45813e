//! `clipper`: a second program at the desk. `put=TEXT` puts a text into the clipboard and goes on offering it, as a
//! clipboard manager does; `read` tells what is there.

fn main() {
    let mut clipboard = arboard::Clipboard::new().expect("a clipboard");
    for wish in std::io::stdin().lines() {
        let wish = wish.expect("a line");
        match wish.strip_prefix("put=") {
            Some(text) => {
                clipboard.set_text(text).expect("it is put there");
                println!("put");
            }
            None => println!("{}", clipboard.get_text().unwrap_or_default()),
        }
    }
}
