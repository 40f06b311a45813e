use super::*;

fn read(json: &str) -> (Vec<Proxy>, Vec<Part>) {
    let (proxies, left, _) = goods(&serde_json::from_str(json).unwrap());
    (proxies, left)
}

/// Address, credentials, protocol, place, expiry.
fn told(proxy: &Proxy) -> String {
    let about = &proxy.about;
    let place = [&about.country_en, &about.country_code, &about.city_en].map(String::as_str).join("/");
    let Proxy { host, port, user, password, protocol, .. } = proxy;
    format!("{host} {port} {user} {password} {protocol} {place} {}", about.expires)
}

#[test]
fn every_candidate_of_a_shape_gives_address_place_expiry_and_protocol() {
    let expected = "192.0.2.1 1080 u p socks5 Japan/JP/Tokyo 2026-08-12 17:24:21";
    let shapes = [
        r#"[{"proxyIp":"192.0.2.1","proxyPort":1080,"proxyUser":"u","proxyPassword":"p","country":"Japan","countryCode":"JP","city":"Tokyo","expireTime":"2026-08-12 17:24:21","protocol":"socks5"}]"#,
        r#"{"spec":{"days":30},"ips":[{"ip":"192.0.2.1","port":"1080","username":"u","password":"p","countryName":"Japan","countryCode":"JP","cityName":"Tokyo","expiresAt":"2026-08-12 17:24:21","proxyType":"socks5"}]}"#,
        r#"[{"countryNameEn":"Japan","countryCode":"JP","cityNameEn":"Tokyo","expire":"2026-08-12 17:24:21","proxyType":"socks5","list":{"rows":[{"host":"192.0.2.1","port":1080,"user":"u","pass":"p"}]}}]"#,
        r#"[{"country":"Japan","country_code":"JP","city":"Tokyo","expire_time":"2026-08-12 17:24:21","username":"u","password":"p","lines":["socks5://192.0.2.1:1080"]}]"#,
        r#"{"country":"Japan","countryCode":"JP","city":"Tokyo","expireTime":"2026-08-12 17:24:21","protocol":"socks5","ips":["192.0.2.1:1080:u:p"]}"#,
        r#""[{\"proxyIp\":\"192.0.2.1\",\"proxyPort\":1080,\"proxyUser\":\"u\",\"proxyPassword\":\"p\",\"country\":\"Japan\",\"countryCode\":\"JP\",\"city\":\"Tokyo\",\"expireTime\":\"2026-08-12 17:24:21\",\"protocol\":\"socks5\"}]""#,
    ];
    for shape in shapes {
        let (proxies, _) = read(shape);
        assert_eq!(proxies.iter().map(told).collect::<Vec<_>>(), [expected], "{shape}");
    }
}

#[test]
fn a_place_of_its_own_takes_nothing_of_the_place_around_it() {
    let (proxies, _) =
        read(r#"{"country":"Japan","city":"Tokyo","ips":[{"ip":"192.0.2.1","port":1,"countryCode":"DE"}]}"#);
    assert_eq!((proxies[0].about.country_code.as_str(), proxies[0].about.city_en.as_str()), ("DE", ""));
}

#[test]
fn an_expiry_in_any_form_is_kept_as_it_came() {
    for (written, expected) in
        [("1786526661000", "1786526661000"), ("\"soon\"", "soon"), ("null", ""), ("{\"a\":1}", "")]
    {
        let (proxies, _) = read(&format!(r#"[{{"ip":"192.0.2.1","port":1,"expireTime":{written}}}]"#));
        assert_eq!(proxies[0].about.expires, expected, "{written}");
    }
}

#[test]
fn the_specification_and_what_nobody_knows_is_what_is_left_beside_the_proxies() {
    let json = r#"{"specification":{"lineType":"premium","days":30,"bandwidthLimit":0},"weather":"fine",
        "ips":[{"ip":"192.0.2.1","port":1,"password":"pppp","asn":64500,"tags":{"a":1.50}}]}"#;
    let (proxies, left) = read(json);
    let facts: Vec<(Option<Word>, &str)> =
        left[0].parts[0].facts.iter().map(|fact| (fact.word, fact.value.as_str())).collect();
    let expected = [(Some(Word::LineType), "premium"), (Some(Word::Duration), "30"), (Some(Word::Bandwidth), "0")];
    assert_eq!(facts, expected);
    assert_eq!((left[0].facts[0].key.as_str(), left[0].facts[0].value.as_str()), ("weather", "fine"));
    let other: Vec<&str> = proxies[0].about.other.iter().map(|fact| fact.value.as_str()).collect();
    assert_eq!(other, ["64500", r#"{"a":1.50}"#]);
}

#[test]
fn details_that_hold_no_proxy_give_none() {
    for shape in
        ["null", "\"text\"", "[]", r#"{"proxyIp":"192.0.2.1"}"#, r#"[{"ip":"x","port":99999999}]"#, "\"12:30\""]
    {
        assert!(read(shape).0.is_empty(), "{shape}");
    }
}
