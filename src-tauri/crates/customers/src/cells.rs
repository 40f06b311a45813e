//! Rows of a table: which cell is the name, which the amount, and what the head says.

use crate::lines::{Amount, Entry, Unclear, Unit, Wants, Written, amount, folded};

/// Reads the cells of one row of a file. `unit`: what the file's head says of its amounts.
pub fn of_cells(cells: &[String], line: usize, wants: Wants, unit: Option<Unit>) -> Option<Entry> {
    let cells: Vec<String> = cells.iter().map(|cell| folded(cell).trim().to_owned()).collect();
    let text = cells.iter().filter(|cell| !cell.is_empty()).cloned().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return None;
    }
    if cells.iter().any(|cell| cell.starts_with(['=', '\r'])) {
        return Some(Entry::unclear(line, &text, Unclear::Formula));
    }
    let name_at =
        cells.iter().position(|cell| cell.contains('@')).or_else(|| cells.iter().position(|cell| !cell.is_empty()))?;
    let mut entry = Entry { text, ..Entry::named(line, &cells[name_at]) };
    let others =
        || cells.iter().enumerate().filter(|(at, cell)| *at != name_at && !cell.is_empty()).map(|(_, cell)| cell);
    match wants {
        Wants::Names => {}
        Wants::Passwords => entry.password = others().next().cloned(),
        Wants::Amounts => {
            if let Some(found) = others().find_map(|cell| amount(&cell.replace(' ', ""))) {
                match found {
                    Amount::Clear(written) => entry.amount = Some(Written { unit: written.unit.or(unit), ..written }),
                    Amount::Unclear(why) => entry.unclear = Some(why),
                }
            }
        }
    }
    Some(entry)
}

/// Whether a file's first row names its columns, and the unit that it names.
pub fn head(cells: &[String]) -> Option<Option<Unit>> {
    const NAMES: [&str; 16] = [
        "email", "e-mail", "mail", "user", "customer", "account", "name", "traffic", "amount", "password", "客户",
        "账号", "用户", "邮箱", "流量", "密码",
    ];
    let cells: Vec<String> = cells.iter().map(|cell| folded(cell).to_lowercase()).collect();
    let names = cells.iter().any(|cell| !cell.contains('@') && NAMES.iter().any(|name| cell.contains(name)));
    let holds_data = cells.iter().any(|cell| cell.contains('@') || amount(cell.trim()).is_some());
    if !names || holds_data {
        return None;
    }
    let says =
        |unit: &str| cells.iter().any(|cell| cell.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == unit));
    Some(match (says("gb"), says("mb")) {
        (true, false) => Some(Unit::Gb),
        (false, true) => Some(Unit::Mb),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::Decimal;

    #[test]
    fn a_files_row_is_read_by_its_cells_and_its_head_names_the_unit() {
        let cells = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        assert_eq!(head(&cells(&["Customer", "Traffic (MB)"])), Some(Some(Unit::Mb)));
        assert_eq!(head(&cells(&["客户", "流量"])), Some(None));
        assert_eq!(head(&cells(&["ali@x.com", "5"])), None);
        let row = of_cells(&cells(&["", "Ali B.", "ali@x.com", " 1,000 "]), 3, Wants::Amounts, Some(Unit::Mb)).unwrap();
        assert_eq!((row.name.as_str(), row.line), ("ali@x.com", 3));
        assert_eq!(row.amount, Some(Written { number: Decimal::from(1000), unit: Some(Unit::Mb) }));
        assert!(of_cells(&cells(&["", " "]), 1, Wants::Amounts, None).is_none());
        let formula = of_cells(&cells(&["ali@x.com", "=A1*2"]), 1, Wants::Amounts, None).unwrap();
        assert_eq!(formula.unclear, Some(Unclear::Formula));
    }
}
