//! Functions shared by the project's commands. Standard library only, so that they build in seconds on a fresh machine.

pub mod node;
pub mod packages;
pub mod run;

/// Prepares every build of the program: system packages and the front end.
///
/// # Errors
/// When something is missing, or a tool of the front end fails.
pub fn prepare() -> Result<(), String> {
    packages::ensure(packages::BUILD)?;
    let node = node::Node::ready()?;
    println!("building the front end");
    node.build_front_end()
}
