//! Rows of a table: finds the cells of the name and the amount, and reads the header row.

use crate::lines::{Amount, Entry, Number, Unclear, Unit, Wants, Written, amount, folded};

/// What the header row of a file says about its columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The column of the amount, or of the password.
    pub(crate) value: Option<usize>,
    /// The unit of the amounts.
    pub(crate) unit: Option<Unit>,
    /// Whether decimals have a comma, as they do where semicolons separate the cells.
    pub(crate) decimal_commas: bool,
}

/// One row of a file.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The row's number, from 1.
    pub(crate) line: usize,
    /// Cells from left to right; a calculated cell holds its formula.
    pub(crate) cells: Vec<String>,
    /// Whether any cell is calculated.
    pub(crate) calculated: bool,
}

/// Reads one row of a file.
pub fn of_row(row: &Row, wants: Wants, head: Head) -> Option<Entry> {
    let Row { line, ref cells, calculated } = *row;
    let plain: Vec<String> = cells.iter().map(|cell| folded(cell).trim().to_owned()).collect();
    if plain.iter().all(String::is_empty) {
        return None;
    }
    let filled = |at: &usize| !plain[*at].is_empty();
    let first = (0..plain.len()).find(filled)?;
    let name_at = (0..plain.len()).find(|at| plain[*at].contains('@') && head.value != Some(*at)).unwrap_or(first);
    let name = &plain[name_at];
    if wants == Wants::Passwords {
        // Only the name of such a row is ever shown or stored. A text may begin with "=", but a formula is refused.
        if calculated {
            return Some(Entry::unclear(line, name, Unclear::Formula));
        }
        return Some(password(cells, line, name_at, head));
    }
    let text = plain.iter().filter(|cell| !cell.is_empty()).cloned().collect::<Vec<_>>().join(" ");
    if calculated || plain.iter().any(|cell| cell.starts_with('=')) {
        return Some(Entry::unclear(line, &text, Unclear::Formula));
    }
    let mut entry = Entry { text, ..Entry::named(line, name) };
    if wants == Wants::Amounts {
        let numbers = |at: &usize| *at != name_at && amount(&plain[*at].replace(' ', "")).is_some();
        let of = |at: usize| plain.get(at).map(|cell| cell.replace(' ', ""));
        let all: Vec<usize> = (0..plain.len()).filter(numbers).collect();
        let cell = match (head.value, all.as_slice()) {
            (Some(at), _) => of(at),
            (None, [only]) => of(*only),
            (None, []) => None,
            (None, _) => {
                entry.unclear = Some(Unclear::Columns);
                None
            }
        };
        match cell.as_deref().and_then(amount) {
            Some(Amount::Clear(mut written)) => {
                if let Number::Commas { usual, .. } = &mut written.number {
                    *usual &= !head.decimal_commas;
                }
                entry.amount = Some(Written { unit: written.unit.or(head.unit), ..written });
            }
            Some(Amount::Unclear(why)) => entry.unclear = Some(why),
            None if cell.is_some_and(|cell| !cell.is_empty()) => entry.unclear = Some(Unclear::NotANumber),
            None => {}
        }
    }
    Some(entry)
}

fn password(cells: &[String], line: usize, name_at: usize, head: Head) -> Entry {
    let entry = Entry::named(line, folded(&cells[name_at]).trim());
    let others = (0..cells.len()).filter(|at| *at != name_at && !cells[*at].trim().is_empty());
    let others: Vec<usize> = others.collect();
    let typed = |at: usize| cells.get(at).map(|cell| cell.trim().to_owned()).filter(|cell| !cell.is_empty());
    match (head.value, others.as_slice()) {
        (Some(at), _) => Entry { password: typed(at), ..entry },
        (None, [only]) => Entry { password: typed(*only), ..entry },
        (None, []) => entry,
        (None, _) => Entry { unclear: Some(Unclear::Columns), ..entry },
    }
}

/// Words that head a column of names, and so are no customer's name.
const NAMES: [&str; 24] = [
    "e-mail",
    "email",
    "mail",
    "user",
    "username",
    "user name",
    "customer",
    "customers",
    "account",
    "name",
    "no",
    "id",
    "number",
    "note",
    "客户",
    "客户名",
    "客户名称",
    "账号",
    "用户",
    "用户名",
    "邮箱",
    "编号",
    "序号",
    "备注",
];
const AMOUNTS: [&str; 9] = ["traffic", "amount", "gb", "mb", "流量", "数量", "充值", "扣减", "额度"];
const PASSWORDS: [&str; 4] = ["password", "new password", "密码", "新密码"];

/// Returns what a file's first row says about the columns; `None` if it is not a header row.
pub fn head(cells: &[String], wants: Wants) -> Option<Head> {
    let cells: Vec<String> = cells.iter().map(|cell| folded(cell).trim().to_lowercase()).collect();
    // Reads "Traffic (GB)" as "traffic".
    let bare = |cell: &str| {
        cell.split(['(', '/', ','])
            .next()
            .unwrap_or_default()
            .trim_end_matches(" gb")
            .trim_end_matches(" mb")
            .trim()
            .to_owned()
    };
    let is_one_of = |names: &[&str], cell: &String| names.contains(&bare(cell).as_str());
    let names = |cell: &String| [&NAMES[..], &AMOUNTS, &PASSWORDS].iter().any(|names| is_one_of(names, cell));
    if !cells.iter().any(names) || cells.iter().any(|cell| cell.contains('@') || amount(cell).is_some()) {
        return None;
    }
    let wanted: &[&str] = if wants == Wants::Passwords { &PASSWORDS } else { &AMOUNTS };
    let mut found = cells.iter().enumerate().filter(|(_, cell)| is_one_of(wanted, cell)).map(|(at, _)| at);
    let value = match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    };
    let says = |at: usize, unit: &str| cells[at].split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == unit);
    let unit = value.and_then(|at| match (says(at, "gb"), says(at, "mb")) {
        (true, false) => Some(Unit::Gb),
        (false, true) => Some(Unit::Mb),
        _ => None,
    });
    Some(Head { value, unit, decimal_commas: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::Decimal;

    #[test]
    fn a_files_row_is_read_by_its_cells_and_its_head_names_the_unit() {
        let cells = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let of_cells = |names: &[&str], line, wants, head| {
            of_row(&Row { line, cells: cells(names), calculated: false }, wants, head)
        };
        let head = |names: &[&str]| super::head(&cells(names), Wants::Amounts);
        let mb = Head { value: Some(1), unit: Some(Unit::Mb), decimal_commas: false };
        assert_eq!(head(&["Customer", "Traffic (MB)"]), Some(mb));
        assert_eq!(head(&["客户", "流量"]), Some(Head { unit: None, ..mb }));
        assert_eq!(head(&["序号", "客户", "流量(MB)"]), Some(Head { value: Some(2), ..mb }));
        assert_eq!(head(&["ali@x.com", "5"]), None);
        assert_eq!(head(&["user1"]), None, "a name is no head");
        let row =
            of_cells(&["", "Ali B.", "ali@x.com", " 1,000 "], 3, Wants::Amounts, Head { value: None, ..mb }).unwrap();
        assert_eq!((row.name.as_str(), row.line), ("ali@x.com", 3));
        assert_eq!(row.amount.unwrap().number.read(None), Some(Decimal::from(1000)));
        assert_eq!(row.amount.unwrap().unit, Some(Unit::Mb));
        assert!(of_cells(&["", " "], 1, Wants::Amounts, Head::default()).is_none());
        let formula = of_cells(&["ali@x.com", "=A1*2"], 1, Wants::Amounts, Head::default()).unwrap();
        assert_eq!(formula.unclear, Some(Unclear::Formula));
        let many = of_cells(&["1", "ali@x.com", "5"], 1, Wants::Amounts, Head::default()).unwrap();
        assert_eq!(many.unclear, Some(Unclear::Columns), "which number is the amount is asked, never guessed");
        let third = of_cells(&["1", "ali@x.com", "5"], 1, Wants::Amounts, Head { value: Some(2), ..mb }).unwrap();
        assert_eq!(third.amount.unwrap().number, Number::Plain(Decimal::from(5)));
        let comma = of_cells(&["ali@x.com", "1,500"], 1, Wants::Amounts, Head { decimal_commas: true, ..mb }).unwrap();
        assert!(comma.amount.unwrap().number.is_doubtful(), "1,5 and 1,500 are decimals where semicolons separate");
        let none = of_cells(&["ali@x.com", "none"], 1, Wants::Amounts, mb).unwrap();
        assert_eq!(none.unclear, Some(Unclear::NotANumber), "a word in place of the amount is not no amount");
        let secret = of_cells(&["ali@x.com", "=S,e@c"], 1, Wants::Passwords, Head::default()).unwrap();
        assert_eq!((secret.text.as_str(), secret.password.as_deref()), ("ali@x.com", Some("=S,e@c")));
    }
}
