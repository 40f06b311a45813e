//! Text in the form in which it is compared: lower case, without accents, full width made narrow. Also the ways to
//! type a Chinese name.

use pinyin::{ToPinyin, ToPinyinMulti};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Folds text: "São  Tomé" → "sao tome"; "Ｔokyo" → "tokyo".
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.nfkd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase) {
        match letter {
            // Letters without a decomposition, as typed on a plain keyboard.
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ı' => folded.push('i'),
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            '\'' | '’' | 'ʻ' | 'ʼ' | '`' => {}
            letter if letter.is_whitespace() || letter.is_control() => {
                if !folded.ends_with(' ') && !folded.is_empty() {
                    folded.push(' ');
                }
            }
            letter => folded.push(letter),
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// Most readings of one name: more than two letters with several readings are rare.
const MOST_READINGS: usize = 4;

/// Every usual way to type a Chinese name, each as whole pinyin and its initials: "重庆" → chongqing, zhongqing.
pub fn readings(chinese: &str) -> Vec<(String, String)> {
    let mut all = vec![(String::new(), String::new())];
    for letter in chinese.chars() {
        let mut ways: Vec<&str> = letter.to_pinyin().map(|one| one.plain()).into_iter().collect();
        if let Some(others) = letter.to_pinyin_multi() {
            for other in others.into_iter().map(|one| one.plain()) {
                if !ways.contains(&other) {
                    ways.push(other);
                }
            }
        }
        if ways.is_empty() {
            continue;
        }
        let first_only = all.len() * ways.len() > MOST_READINGS;
        let ways = if first_only { &ways[..1] } else { &ways[..] };
        let grown = all.iter().flat_map(|(whole, initials)| {
            ways.iter().map(move |way| (format!("{whole}{way}"), initials.chars().chain(way.chars().next()).collect()))
        });
        all = grown.collect();
    }
    all.retain(|(whole, _)| !whole.is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_folded_to_what_a_plain_keyboard_types() {
        let cases = [
            ("São  Tomé", "sao tome"),
            ("ＴＯＫＹＯ", "tokyo"),
            ("Łódź", "lodz"),
            ("Xi'an", "xian"),
            ("Straße", "strasse"),
            ("İstanbul", "istanbul"),
            ("北京", "北京"),
            ("  ", ""),
            ("Ho Chi Minh City ", "ho chi minh city"),
        ];
        for (text, folded) in cases {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn a_chinese_name_is_typed_by_pinyin_or_initials_in_each_usual_reading() {
        let typed = |name: &str| readings(name);
        assert!(typed("北京").contains(&("beijing".into(), "bj".into())));
        assert!(typed("重庆").contains(&("chongqing".into(), "cq".into())));
        assert!(typed("厦门").contains(&("xiamen".into(), "xm".into())));
        assert!(typed("London").is_empty());
        assert!(readings(&"长".repeat(60)).len() <= MOST_READINGS);
    }
}
