//! Colours: on the page its own variables, in a file real colours.

use plotters::style::RGBColor;

/// Stand-ins for the colours of the series; these numbers are never seen.
pub(crate) const SERIES: [RGBColor; 2] = [RGBColor(1, 0, 1), RGBColor(1, 0, 2)];
pub(crate) const LINE: RGBColor = RGBColor(1, 0, 3);
pub(crate) const TEXT: RGBColor = RGBColor(1, 0, 4);

/// The text that plotters writes, the page's variable, the colour in a file (on white).
const ALL: [(&str, &str, &str); 4] = [
    ("#010001", "var(--chart-1)", "#0f7d83"),
    ("#010002", "var(--chart-2)", "#7a5af0"),
    ("#010003", "var(--line)", "#dfe3e6"),
    ("#010004", "var(--text-soft)", "#555f66"),
];

pub(crate) fn as_variables(svg: &str) -> String {
    ALL.iter().fold(svg.to_owned(), |svg, (drawn, variable, _)| svg.replace(drawn, variable))
}

/// Prepares the picture for a file: real colours on white, readable anywhere.
pub fn for_file(svg: &str) -> String {
    let painted = ALL.iter().fold(svg.to_owned(), |svg, (_, variable, colour)| svg.replace(variable, colour));
    painted.replacen('>', "><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>", 1)
}
