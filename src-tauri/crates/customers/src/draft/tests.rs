use std::collections::HashSet;

use operations::GbFactor;

use super::*;
use crate::file;
use crate::lines::Comma;
use crate::naming::Naming;

fn customer(id: usize, name: &str, left: &str) -> Customer {
    let amount = |text: &str| text.parse().ok();
    Customer {
        customer_id: CustomerId::new(id.to_string()),
        user_name: name.into(),
        traffic_count: amount("100000"),
        residual_flow: amount(left),
    }
}

fn judged(kind: Kind, entries: Vec<Entry>, customers: &[Customer], answer: impl FnOnce(&mut Draft)) -> Draft {
    let naming = Naming::new(customers.iter());
    let held = HashSet::from(["4".to_owned()]);
    let disabled = HashSet::from([CustomerId::new("2"), CustomerId::new("4")]);
    let facts = Facts {
        customers,
        naming: &naming,
        held: &held,
        disabled: &disabled,
        own: "10000000".parse().ok(),
        factor: GbFactor::Binary,
        states: [1, 0],
    };
    let mut draft = Draft::new(kind, entries);
    draft.judge(&facts, false, |_, _| ());
    answer(&mut draft);
    draft.judge(&facts, false, |_, _| ());
    draft
}

fn some() -> Vec<Customer> {
    vec![
        customer(1, "ali@x.com", "2048"),
        customer(2, "bob@x.com", "1024"),
        customer(3, "bobby@x.com", "0"),
        customer(4, "held@x.com", "9000"),
    ]
}

fn problems(draft: &Draft) -> Vec<&str> {
    draft.rows().iter().map(|row| row.problem.map_or("", LeftOut::word)).collect()
}

#[test]
fn every_row_has_what_it_would_do_or_its_own_sentence() {
    let text =
        "ali@x.com 1g\nbobb 1g\nnobody@x.com 1g\nALI@x.com 2g\nheld@x.com 1g\nbobby@x.com 1g\n2 -1g\n2 0.00001g\n=A1";
    let entries = lines::entries(text, Wants::Amounts);
    let draft = judged(Kind::Deduction, entries, &some(), |_| ());
    let expected = ["", "which", "unknown", "duplicate", "held", "beyond-left", "not-positive", "too-fine", "formula"];
    assert_eq!(problems(&draft), expected);
    let (row, totals) = (&draft.rows()[0], draft.totals());
    let shown = |amount: Option<Amount>| amount.map(|amount| amount.to_string());
    assert_eq!((shown(row.before), shown(row.after)), (Some("2048".into()), Some("1024".into())));
    assert_eq!((totals.good, totals.questions, totals.gb.to_string()), (1, 1, "1".into()));
    assert_eq!(draft.rows()[3].near.as_deref(), Some("1"), "the line that it repeats");
    let plan = draft.plan();
    assert_eq!(plan.rows.iter().filter(|row| row.todo.is_ok()).count(), 1, "nothing else is ever sent");
}

#[test]
fn doubts_are_asked_and_only_the_answer_makes_them_rows() {
    let entries = lines::entries("bobb 512\nali@x.com 0.01", Wants::Amounts);
    let asked = judged(Kind::Recharge, entries.clone(), &some(), |_| ());
    assert_eq!(problems(&asked), ["which", "no-unit"]);
    assert_eq!(asked.totals().good, 0);
    let answered = judged(Kind::Recharge, entries, &some(), |draft| {
        draft.choose(None, None);
        draft.choose_unit(Unit::Mb);
    });
    assert_eq!(problems(&answered), ["", "too-fine"], "0.01 MB is nearer to nothing than to any amount");
    assert_eq!(answered.rows()[0].name, "bobby@x.com", "the only one whose name begins so");
}

#[test]
fn mb_are_sent_as_the_nearest_amount_and_both_are_shown() {
    let shown = |text: &str| {
        let draft = judged(Kind::Recharge, lines::entries(text, Wants::Amounts), &some(), |_| ());
        let row = &draft.rows()[0];
        let [gb, mb, asked] =
            [row.gb, row.mb, row.asked_mb].map(|amount| amount.map_or("-".into(), |it| it.to_string()));
        (problems(&draft).join(""), format!("{asked} → {gb} ({mb})"))
    };
    assert_eq!(shown("ali@x.com 500mb"), ("".into(), "500 → 0.4883 (500.0192)".into()));
    assert_eq!(shown("ali@x.com 512mb"), ("".into(), "- → 0.5 (512)".into()), "what is sent exactly is shown once");
    assert_eq!(shown("ali@x.com 0.00001g").0, "too-fine", "GB are never changed");
}

#[test]
fn a_short_name_that_only_one_has_is_taken_and_shown() {
    let customers = [some(), vec![customer(5, "chen@x.com", "0"), customer(6, "chen@y.com", "0")]].concat();
    let text = "ali 1g\nBOB@x.com 1g\n3 1g\nchen 1g\nbobb 1g";
    let draft = judged(Kind::Recharge, lines::entries(text, Wants::Amounts), &customers, |_| ());
    assert_eq!(problems(&draft), ["", "", "", "which", "which"]);
    let called: Vec<_> = draft.rows().iter().map(|row| (row.called.as_deref(), row.name.as_str())).collect();
    let expected = [(Some("ali"), "ali@x.com"), (None, "bob@x.com"), (Some("3"), "bobby@x.com")];
    assert_eq!(called[..3], expected);
}

#[test]
fn what_a_comma_is_is_asked_once_and_decides_for_all() {
    let text = "ali@x.com 1,5g\nbob@x.com 1,500g\nbobby@x.com 0,5g\n9 1,048,576m";
    let customers = [some(), vec![customer(9, "i@x.com", "0")]].concat();
    let read = |text: &str, answer: Option<Comma>| {
        let draft = judged(Kind::Recharge, lines::entries(text, Wants::Amounts), &customers, |draft| {
            answer.into_iter().for_each(|comma| draft.choose_comma(comma));
        });
        let gb = |row: &DraftRow| row.gb.filter(|_| row.problem.is_none()).map_or("?".into(), |gb| gb.to_string());
        let asked = draft.totals().comma.as_ref().map(|asked| {
            let [decimal, thousands] = [asked.decimal, asked.thousands].map(|it| it.unwrap().to_string());
            format!("{} as {}: {decimal} or {thousands}", asked.rows, asked.text)
        });
        (draft.rows().iter().map(gb).collect::<Vec<String>>().join(" "), asked.unwrap_or_default())
    };
    assert_eq!(read(text, None), ("? ? ? ?".into(), "4 as ali@x.com 1,5g: 1.5 or 15".into()));
    assert_eq!(read(text, Some(Comma::Decimal)), ("1.5 1.5 0.5 ?".into(), String::new()));
    assert_eq!(read(text, Some(Comma::Thousands)), ("15 1500 ? 1024".into(), String::new()));
    let usual = "ali@x.com 1,500g\nbob@x.com 2g";
    assert_eq!(read(usual, None), ("1500 2".into(), String::new()), "thousands as usually written are no question");
}

#[test]
fn a_default_is_for_names_that_stand_alone_and_for_no_other_row() {
    let text = "ali@x.com\nbob@x.com tomorrow\n5g for bobby@x.com\nbobby@x.com, held@x.com 2g\nnobody";
    let each = |text: &str| lines::typed(text, GbFactor::Binary).unwrap().0;
    let asked = judged(Kind::Recharge, lines::entries(text, Wants::Amounts), &some(), |_| ());
    assert_eq!((asked.totals().without_amount, asked.totals().good), (1, 0));
    let answered = judged(Kind::Recharge, lines::entries(text, Wants::Amounts), &some(), |draft| {
        draft.choose_each(each("1,000"));
        draft.choose_each(each("500mb"));
    });
    let expected = ["", "no-amount", "unknown", "unknown", "no-amount", "no-amount", "held", "unknown"];
    assert_eq!(problems(&answered), expected);
    assert_eq!((answered.totals().without_amount, answered.totals().gb.to_string()), (0, "0.4883".into()));
    // A row that is removed beside a name makes that name no other one; the name written again does.
    for (name, problem) in [(None, "no-amount"), (Some("ali@x.com"), "")] {
        let entries = lines::entries("bob@x.com\nali@x.com tomorrow", Wants::Amounts);
        let trimmed = judged(Kind::Recharge, entries, &some(), |draft| {
            draft.choose_each(each("5"));
            draft.rewrite(2, "");
            if let Some(name) = name {
                draft.rewrite(1, name);
            }
        });
        assert_eq!(problems(&trimmed), ["", problem], "{name:?}");
    }
    let file = "name,GB\nali@x.com,\nbob@x.com,none\n";
    let file = judged(Kind::Recharge, file::entries(file.as_bytes(), Wants::Amounts).unwrap(), &some(), |draft| {
        draft.choose_each(each("2"));
    });
    assert_eq!(problems(&file), ["", "not-a-number"]);
}

#[test]
fn a_row_is_rewritten_and_read_like_a_line() {
    let entries = lines::entries("ali 1g\nnobody 2g\nbobb 1t", Wants::Amounts);
    let draft = judged(Kind::Recharge, entries.clone(), &some(), |draft| {
        draft.choose(Some(2), Some(CustomerId::new("3")));
        draft.rewrite(2, "bobb\n3g");
        draft.rewrite(1, "2: 2g");
        draft.rewrite(9, "ali 9g");
    });
    assert_eq!(problems(&draft), ["", "", ""]);
    let rows: Vec<_> = draft.rows().iter().map(|row| (row.line, row.name.as_str())).collect();
    assert_eq!(rows, [(1, "ali@x.com"), (2, "bob@x.com"), (3, "bobby@x.com")]);
    assert_eq!(draft.totals().gb.to_string(), "6");
    let renamed = judged(Kind::Recharge, entries, &some(), |draft| {
        draft.choose(Some(2), Some(CustomerId::new("3")));
        draft.rewrite(2, "bo 1g");
        draft.rewrite(1, " ");
    });
    assert_eq!(problems(&renamed), ["", "which"], "another name is asked about again, and an empty row is none");
    let secret = judged(Kind::Password, lines::entries("ali Secret-1", Wants::Passwords), &some(), |draft| {
        draft.rewrite(0, "bob Secret-2");
    });
    assert_eq!(secret.rows()[0].name, "ali@x.com");
}

#[test]
fn a_password_is_in_no_row_that_is_shown_or_kept() {
    let lines = "ali@x.com Sec,ret=1@2\nnobody Sec,ret=1@2\nbob@x.com";
    let typed = judged(Kind::Password, lines::entries(lines, Wants::Passwords), &some(), |_| ());
    assert_eq!(problems(&typed), ["password-forbidden", "unknown", ""]);
    let file = "name,password\nali@x.com,Sec-ret=1\nnobody,Sec-ret=1\n";
    let file = file::entries(file.as_bytes(), Wants::Passwords).unwrap();
    let read = judged(Kind::Password, file, &some(), |_| ());
    assert_eq!((problems(&read), read.rows()[0].typed), (vec!["", "unknown"], true));
    for draft in [&typed, &read] {
        let shown = format!("{:?} {:?}", draft.rows(), draft.plan());
        assert!(!shown.contains("ret=1"), "{shown}");
    }
}

#[test]
fn who_is_disabled_is_counted_among_what_is_sent_and_left_out_when_asked() {
    let entries = || lines::entries("ali@x.com 1g\nbob@x.com 2g\nheld@x.com 1g", Wants::Amounts);
    let counts = |draft: &Draft| {
        let totals = draft.totals();
        (totals.good, totals.disabled, totals.without_disabled, totals.gb.to_string())
    };
    let all = judged(Kind::Recharge, entries(), &some(), |_| ());
    assert_eq!((problems(&all), counts(&all)), (vec!["", "", "held"], (2, 1, 0, "3".into())));
    assert_eq!(all.rows().iter().map(|row| row.disabled).collect::<Vec<_>>(), [false, true, true]);
    let without = judged(Kind::Recharge, entries(), &some(), |draft| draft.leave_out_disabled(true));
    assert_eq!((problems(&without), counts(&without)), (vec!["", "disabled", "disabled"], (1, 0, 2, "1".into())));
    assert!(without.plan().rows[1].todo.is_err(), "nothing is sent to them");
    let back = judged(Kind::Recharge, entries(), &some(), |draft| {
        draft.leave_out_disabled(true);
        draft.leave_out_disabled(false);
    });
    assert_eq!(counts(&back), counts(&all));
}

#[test]
fn who_is_to_be_enabled_is_not_called_disabled() {
    let names = || lines::entries("bob@x.com", Wants::Names);
    let customers = some();
    let naming = Naming::new(customers.iter());
    let (held, disabled) = (HashSet::new(), HashSet::from([CustomerId::new("2")]));
    let facts = Facts {
        customers: &customers,
        naming: &naming,
        held: &held,
        disabled: &disabled,
        own: None,
        factor: GbFactor::Binary,
        states: [1, 0],
    };
    for (active, said) in [(true, 0), (false, 1)] {
        let mut draft = Draft::new(Kind::Status, names());
        draft.judge(&facts, active, |_, _| ());
        assert_eq!((draft.totals().good, draft.totals().disabled), (1, said), "{active}");
    }
}

#[test]
fn what_is_created_is_an_address_that_nobody_has() {
    let entries = lines::entries("new@x.com\nnot an\nALI@x.com\nNEW@x.com\na..b@x..com", Wants::Names);
    let draft = judged(Kind::Create, entries, &some(), |_| ());
    let expected = ["", "not-an-email", "not-an-email", "taken", "duplicate", "not-an-email"];
    assert_eq!(problems(&draft), expected);
}

#[test]
fn a_hundred_thousand_lines_have_a_sentence_each() {
    let customers: Vec<Customer> = (0..50_000).map(|at| customer(at, &format!("c{at}@x.com"), "5")).collect();
    let text: String = (0..100_000).map(|at| format!("c{at}@x.com 0.5g\n")).collect();
    let draft = judged(Kind::Recharge, lines::entries(&text, Wants::Amounts), &customers, |_| ());
    assert_eq!((draft.rows().len(), draft.totals().good), (100_000, 49_999));
    assert_eq!(problems(&draft).iter().filter(|problem| **problem == "unknown").count(), 50_000);
}
