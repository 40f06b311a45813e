//! What the commands of the house share. Standard library only: it builds in seconds on a fresh machine.

pub mod node;
pub mod packages;
pub mod run;

/// What every build of the program needs: packages of the system, and the front end.
///
/// # Errors
/// What is missing, or what the front end's tools say.
pub fn prepare() -> Result<(), String> {
    packages::ensure(packages::BUILD)?;
    let node = node::Node::ready()?;
    println!("building the front end");
    node.build_front_end()
}
