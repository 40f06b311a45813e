use super::*;
use proptest::prelude::*;
use rust_decimal::Decimal;

fn number(number: Number) -> String {
    let reading = |number: Option<Decimal>| number.map_or("-".to_owned(), |number| number.to_string());
    match number {
        Number::Commas { decimal, thousands, usual: false } => format!("{}|{}", reading(decimal), reading(thousands)),
        known => reading(known.read(None)),
    }
}

fn shown(text: &str, wants: Wants) -> Vec<String> {
    let one = |entry: &Entry| {
        let unit = |written: Written| written.unit.map_or("?", |unit| if unit == Unit::Gb { "G" } else { "M" });
        let amount = entry.amount.map(|written| format!(" {}{}", number(written.number), unit(written)));
        let unclear = entry.unclear.map(|why| format!(" !{why:?}"));
        let password = entry.password.as_ref().map(|password| format!(" *{password}"));
        [Some(entry.name.clone()), amount, password, unclear].into_iter().flatten().collect()
    };
    entries(text, wants).iter().map(one).collect()
}

#[test]
fn lines_are_read_as_people_write_them() {
    let cases: [(&str, &[&str]); _] = [
        ("ali@x.com 5g, bob 20", &["ali@x.com 5G", "bob 20?"]),
        ("ali@x.com,5", &["ali@x.com 5?"]),
        ("ali@x.com\t5 GB\nbob@x.com 512mb", &["ali@x.com 5G", "bob@x.com 512M"]),
        ("ali@x.com 1,000 gb", &["ali@x.com 1000G"]),
        ("ali@x.com,1,000", &["ali@x.com 1000?"]),
        ("ali@x.com 12,345,678m", &["ali@x.com 12345678M"]),
        ("ali@x.com,5,bob@x.com,6", &["ali@x.com 5?", "bob@x.com 6?"]),
        ("ali@x.com 1,5", &["ali@x.com 1.5|15?"]),
        ("ali@x.com 1,5g, bob 2g", &["ali@x.com 1.5|15G", "bob 2G"]),
        ("ali@x.com 1.5", &["ali@x.com 1.5?"]),
        ("ａｌｉ＠ｘ．ｃｏｍ　５Ｇ，bob、２０", &["ali@x.com 5G", "bob 20?"]),
        ("5g ali@x.com", &["ali@x.com 5G"]),
        ("100001 5", &["100001 5?"]),
        ("100001 100002", &["100001 100002?"]),
        ("ali@x.com", &["ali@x.com"]),
        ("ali@x.com -5", &["ali@x.com -5?"]),
        ("ali@x.com +5", &["ali@x.com 5?"]),
        ("ali@x.com 5t", &["ali@x.com !Unit"]),
        ("=1+1 ali@x.com 5", &["=1+1 !Formula", "ali@x.com 5?"]),
        ("ali@x.com 5; bob@x.com 6\r\n\r\n  \r\nchen 7g", &["ali@x.com 5?", "bob@x.com 6?", "chen 7G"]),
        ("ali@x.com 1.2.3", &["ali@x.com !Number"]),
        ("5g", &["5g !NoName"]),
        ("ali@x.com 0,500 gb", &["ali@x.com 0.500|-G"]),
        ("ali@x.com 1,2345", &["ali@x.com 1.2345|12345?"]),
        ("100001,5", &["100001 5?"]),
        ("100001,5,100002,6", &["100001 5?", "100002 6?"]),
        ("ali@x.com：5g。", &["ali@x.com 5G"]),
        ("ali@x.com=5g", &["ali@x.com 5G"]),
        ("ali@x.com 10²gb", &["ali@x.com !Unit"]),
        ("ali²@x.com 5g", &["ali²@x.com 5G"]),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text, Wants::Amounts), expected, "{text}");
    }
}

#[test]
fn lines_of_a_chat_are_read_too() {
    let cases: [(&str, &[&str]); _] = [
        ("ali5: 5g", &["ali5 5G"]),
        // Which amount is whose, and which is the amount, is not guessed.
        ("ty 5g, bob 3g", &["ty 5G", "bob 3G"]),
        ("ty 5g, bob", &["ty 5G", "bob"]),
        ("3g bob, 5g ty, ali", &["bob 3G", "ty 5G", "ali"]),
        ("thanks 5g, bob 3g", &["thanks 5G", "bob 3G"]),
        ("ali 5g, ty - 3 GB", &["ali 5G", "ty 3G"]),
        ("please 5g ali, 3g bob", &["ali 5G", "bob 3G"]),
        ("please 100001 5", &["100001 5?"]),
        ("ali@x.com 2,048 MB 5g", &["ali@x.com !Number"]),
        ("ali 1 500 MB", &["ali !Number"]),
        ("ali 1.234,56g", &["ali !Number"]),
        ("ali 5.5,bob 3g", &["ali 5.5?", "bob 3G"]),
        ("ali5:5g", &["ali5 5G"]),
        ("ali5 : 5g", &["ali5 5G"]),
        ("ali5：５ｇ！", &["ali5 5G"]),
        ("bob2 - 3 GB", &["bob2 3G"]),
        ("bob2 – 3 GB", &["bob2 3G"]),
        ("bob2 — 3,000 MB", &["bob2 3000M"]),
        ("ali8 = 1", &["ali8 1?"]),
        ("ali8 =1", &["ali8 1?"]),
        ("ali8= 1", &["ali8 1?"]),
        ("ali5:\t5", &["ali5 5?"]),
        ("ali5\t5", &["ali5 5?"]),
        ("- ali5: 5g\n- bob 3g", &["ali5 5G", "bob 3G"]),
        ("ali5:5,bob:1,000", &["ali5 5?", "bob 1000?"]),
        ("ali@x.com:5,bob@x.com:6g", &["ali@x.com 5?", "bob@x.com 6G"]),
        ("ali 5g - bob 3g", &["ali 5G", "bob 3G"]),
        ("5g - ali5", &["ali5 5G"]),
        ("5 gb ali5", &["ali5 5G"]),
        ("100001: 5", &["100001 5?"]),
        ("ali5 1,5: bob", &["ali5 1.5|15?", "bob"]),
        // A minus sign is none of the dashes.
        ("ali5 -5g", &["ali5 -5G"]),
        ("ali5 –5g", &["ali5 -5G"]),
        ("ali5 −5g", &["ali5 -5G"]),
        ("ali5: -5g", &["ali5 -5G"]),
        ("ali5:-5g", &["ali5 -5G"]),
        ("ali5 - -5g", &["ali5 -5G"]),
        ("ali5-5g", &["ali5-5g"]),
        ("ali5- 5g", &["ali5- 5G"]),
        // What may be a range or a sum is asked about.
        ("ali5 5 - 10 g", &["ali5 !Number"]),
        ("ali5 5-10g", &["ali5 !Number"]),
        ("ali5 - 5 - 3", &["ali5 !Number"]),
        // A formula stays one, and a time is no customer with an amount.
        ("= 5 ali5", &["= !Formula", "5", "ali5"]),
        ("ali5 =A1", &["ali5", "=A1 !Formula"]),
        ("ali5 =1+1", &["ali5", "=1+1 !Formula"]),
        ("12:30 ali5: 5g", &["12:30", "ali5 5G"]),
        ("5 gb", &["5 gb !NoName"]),
        // Courtesies.
        ("pls ali5 5g, thanks!", &["ali5 5G"]),
        ("Please ali5: 5g thank you", &["ali5 5G"]),
        ("麻烦 ali5 5g，谢谢！", &["ali5 5G"]),
        ("请 ali5：5g 谢谢", &["ali5 5G"]),
        ("100001 5 thx", &["100001 5?"]),
        ("thanks!", &["thanks"]),
        ("thx 5", &["thx 5?"]),
        ("thanks@x.com 5g", &["thanks@x.com 5G"]),
        ("you 5g", &["you 5G"]),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text, Wants::Amounts), expected, "{text}");
    }
    assert_eq!(shown("ali5, bob - chen: please", Wants::Names), ["ali5", "bob", "chen"]);
    assert_eq!(shown("100001 谢谢", Wants::Names), ["100001"]);
    assert_eq!(shown("please =x:y-", Wants::Passwords), ["please *=x:y-"], "a password is never taken apart");
}

#[test]
fn what_an_entry_was_written_as_is_read_as_the_same_again() {
    for text in ["5g ali5", "5 gb ali5", "ali5: 5 GB", "ali5 - 1,5 g", "ali5 5 - 10 g", "ali5 = -5", "5 gb"] {
        let first = entries(text, Wants::Amounts).remove(0);
        let again = entries(&first.text, Wants::Amounts);
        assert_eq!(again, [first], "{text}");
    }
}

#[test]
fn names_alone_and_names_with_passwords_are_lists_too() {
    assert_eq!(shown("ali@x.com, bob@x.com chen", Wants::Names), ["ali@x.com", "bob@x.com", "chen"]);
    assert_eq!(
        shown("ali@x.com Abc-123\nbob@x.com\nchen p@ss,w=1", Wants::Passwords),
        ["ali@x.com *Abc-123", "bob@x.com", "chen *p@ss,w=1"]
    );
}

#[test]
fn every_entry_knows_its_line() {
    let lines: Vec<usize> =
        entries("\nali 1\n\nbob 2, chen 3", Wants::Amounts).iter().map(|entry| entry.line).collect();
    assert_eq!(lines, [2, 4, 4]);
}

proptest! {
    #[test]
    fn no_text_makes_it_stumble_and_no_name_is_made_up(text in ".{0,200}") {
        for wants in [Wants::Names, Wants::Amounts, Wants::Passwords] {
            let plain = folded(&text);
            for entry in entries(&text, wants) {
                prop_assert!(plain.contains(&entry.name), "{:?} of {plain:?}", entry.name);
            }
        }
    }

    #[test]
    fn what_is_written_plainly_is_read_exactly(whole in 0u32..1_000_000, part in 0u32..10_000, mb in any::<bool>()) {
        let number = format!("{whole}.{part:04}");
        let text = format!("ali@x.com {number}{}", if mb { "mb" } else { "gb" });
        let read = entries(&text, Wants::Amounts);
        let expected = Written { number: Number::Plain(number.parse().unwrap()), unit: Some(if mb { Unit::Mb } else { Unit::Gb }) };
        prop_assert_eq!(read[0].amount, Some(expected));
    }
}
