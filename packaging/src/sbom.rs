//! The bill of materials, in CycloneDX 1.6: every third-party package that the program carries.

use serde_json::{Value, json};

use crate::project::Project;
use crate::shipped::{self, Package};

/// Returns it as JSON. The same lock files give the same bytes.
pub(crate) fn of(project: &Project) -> Result<String, String> {
    let version = project.version()?.to_string();
    let components: Vec<Value> = shipped::packages(project)?.iter().map(component).collect();
    let own = json!({ "type": "application", "bom-ref": "proxytill", "name": "proxytill", "version": version });
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "component": own },
        "components": components,
    });
    serde_json::to_string_pretty(&bill).map(|text| text + "\n").map_err(|error| error.to_string())
}

fn component(package: &Package) -> Value {
    // The `@` of a scope has to be escaped.
    let purl = format!("pkg:{}/{}@{}", package.registry, package.name.replace('@', "%40"), package.version);
    json!({
        "type": "library",
        "bom-ref": purl,
        "name": package.name,
        "version": package.version,
        "purl": purl,
        "licenses": [{ "expression": package.license }],
    })
}
