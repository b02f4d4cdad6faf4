//! Reading how a game looks and reads: drawings, panels, overlays, help, sentences of events.

use super::section;
use crate::{
    base::{Name, name},
    content::{Node, Place, nearest},
    rules::{
        expr::Expr,
        game::Game,
        look::{COLOURS, Drawing, HelpPage, Overlay, Panel, PanelLine, Piece, Sentence, StateDrawing, Stroke},
        read::{Fields, Reader},
    },
};

/// The most letters of a mark on a square.
const GLYPH_MAX: usize = 3;

pub(super) fn looks(game: &mut Game, reader: &Reader<'_>) {
    let sources = reader.sources;
    for (id, record) in section(sources, "drawings") {
        game.drawings.insert(name(id), drawing(reader, &record.node));
    }
    for (id, record) in section(sources, "panels") {
        let fields = reader.fields(&record.node);
        let lines = reader.items(fields.required("lines")).iter().filter_map(|node| panel_line(reader, node)).collect();
        fields.finish();
        game.panels.insert(name(id), Panel { lines });
    }
    for (id, record) in section(sources, "overlays") {
        if let Some(overlay) = overlay(reader, &record.node) {
            game.overlays.insert(name(id), overlay);
        }
    }
    for (id, record) in section(sources, "help") {
        let fields = reader.fields(&record.node);
        let page = HelpPage {
            title: reader.text(fields.required("title")),
            text: reader.text(fields.required("text")),
            mission: fields.optional("mission").and_then(|node| reader.name(node)),
            order: fields.optional("order").and_then(|node| reader.int(node)).unwrap_or_default(),
        };
        fields.finish();
        game.help.insert(name(id), page);
    }
}

fn drawing(reader: &Reader<'_>, node: &Node) -> Drawing {
    let fields = reader.fields(node);
    let states = reader.items(fields.optional("states")).iter().filter_map(|node| state(reader, node)).collect();
    let stroke = fields.optional("stroke").map(|node| (node, reader.text(Some(node))));
    let stroke = stroke.map_or(Stroke::Light, |(node, stroke)| match stroke.as_str() {
        "light" => Stroke::Light,
        "heavy" => Stroke::Heavy,
        "double" => Stroke::Double,
        _ => {
            reader.defect(
                "drawing.stroke",
                node.place,
                format!("there is no stroke {stroke}"),
                Some("light, heavy, double".into()),
            );
            Stroke::Light
        }
    });
    let drawing = Drawing {
        glyph: glyph(reader, &fields, "glyph", GLYPH_MAX),
        colour: colour(reader, &fields),
        title: fields.optional("name").map(|node| reader.text(Some(node))),
        note: reader.text(fields.optional("note")),
        stroke,
        across: glyph(reader, &fields, "across", GLYPH_MAX),
        upright: glyph(reader, &fields, "upright", 1),
        facing: fields.optional("facing").and_then(|node| reader.name(node)),
        states,
        above: fields.optional("above").and_then(|node| reader.int(node)).unwrap_or_default(),
        hidden: reader.yes(fields.optional("hidden")),
        keys_name: fields.optional("keys_name").map(|node| reader.yes(Some(node))),
    };
    fields.finish();
    drawing
}

fn state(reader: &Reader<'_>, node: &Node) -> Option<StateDrawing> {
    let fields = reader.fields(node);
    let single = |key| glyph(reader, &fields, key, 1).and_then(|text| text.chars().next());
    let when = fields.required("when").and_then(|node| reader.condition(node, &[name("it")]));
    let (mark, own) = (single("mark"), single("glyph"));
    let capital = fields.optional("capital").map(|node| reader.yes(Some(node)));
    let colour = colour(reader, &fields);
    let note = reader.text(fields.required("note"));
    fields.finish();
    Some(StateDrawing { when: when?, mark, glyph: own, capital, colour, note })
}

/// Letters that take one column each.
fn glyph(reader: &Reader<'_>, fields: &Fields<'_>, key: &'static str, most: usize) -> Option<String> {
    let node = fields.optional(key)?;
    let text = reader.text(Some(node));
    // What is wider than a column, or none, lies in these ranges.
    let is_plain = |c: char| {
        !c.is_control() && !matches!(u32::from(c), 0x300..=0x36f | 0x1100..=0x115f | 0x200b..=0x200f | 0x2e80..)
    };
    if (1..=most).contains(&text.chars().count()) && text.chars().all(is_plain) {
        return Some(text);
    }
    let what = if most == 1 { "one letter".to_string() } else { format!("one to {most} letters") };
    reader.defect(
        "drawing.glyph",
        node.place,
        format!("{text:?} is no mark"),
        Some(format!("write {what} of a column each")),
    );
    None
}

fn colour(reader: &Reader<'_>, fields: &Fields<'_>) -> Option<Name> {
    let node = fields.optional("colour")?;
    let colour = reader.name(node)?;
    if COLOURS.contains(&colour.as_str()) {
        return Some(colour);
    }
    let near = nearest(&colour, COLOURS).map(|near| format!("did you mean {near}?"));
    let help = near.unwrap_or_else(|| format!("one of {}", COLOURS.join(", ")));
    reader.defect("drawing.colour", node.place, format!("there is no colour {colour}"), Some(help));
    None
}

fn panel_line(reader: &Reader<'_>, node: &Node) -> Option<PanelLine> {
    let fields = reader.fields(node);
    let it = [name("it"), name("about")];
    let expr = |key| -> Option<Expr> { reader.expr(fields.optional(key)?, &it) };
    let each = fields.optional("each").and_then(|node| reader.listed(node, &it));
    let title = reader.text(fields.required("name"));
    let is = fields.required("is").and_then(|node| reader.expr(node, &it));
    let of = expr("of");
    let done = fields.optional("done").and_then(|node| reader.condition(node, &it));
    let when = fields.optional("when").and_then(|node| reader.condition(node, &it));
    let note = reader.text(fields.optional("note"));
    fields.finish();
    Some(PanelLine { title, each, is: is?, of, done, when, note })
}

fn overlay(reader: &Reader<'_>, node: &Node) -> Option<Overlay> {
    let fields = reader.fields(node);
    let around = [name("unit"), name("place")];
    let with_it = [name("unit"), name("place"), name("it")];
    let title = reader.text(fields.required("name"));
    let doc = reader.text(fields.required("doc"));
    let each = fields.required("each").and_then(|node| reader.listed(node, &around));
    let spaces = fields.required("spaces").and_then(|node| reader.listed(node, &with_it));
    let colour = colour(reader, &fields);
    let glyph = glyph(reader, &fields, "glyph", 1).and_then(|text| text.chars().next()).unwrap_or(':');
    fields.finish();
    Some(Overlay { title, doc, each: each?, spaces: spaces?, colour, glyph })
}

/// The sentence of an event: `{field}` stands for its value, `[...]` is left out when a field in it is absent.
pub(super) fn sentence(reader: &Reader<'_>, fields: &Fields<'_>, known: &[Name]) -> Option<Sentence> {
    let node = fields.optional("text");
    let gathers = fields.optional("gathers");
    let field = |node: &Node, field: &str| {
        if !known.iter().any(|known| known.as_str() == field) {
            let near = nearest(field, known.iter().map(Name::as_str)).map(|near| format!("did you mean {near}?"));
            reader.defect("event.text", node.place, format!("the event has no field {field}"), near);
        }
        name(field)
    };
    let gathers = gathers.and_then(|node| Some(field(node, &reader.name(node)?)));
    let node = node?;
    let text = reader.text(Some(node));
    let mut rest = text.as_str();
    let pieces = pieces(reader, node.place, &mut rest, false);
    named(&pieces).into_iter().for_each(|named| {
        field(node, &named);
    });
    Some(Sentence { pieces, gathers })
}

/// The fields that pieces name.
fn named(pieces: &[Piece]) -> Vec<Name> {
    let of = |piece: &Piece| match piece {
        Piece::Text(_) => Vec::new(),
        Piece::Field(field) => vec![*field],
        Piece::Optional(inner) => named(inner),
    };
    pieces.iter().flat_map(of).collect()
}

fn pieces(reader: &Reader<'_>, place: Place, rest: &mut &str, inner: bool) -> Vec<Piece> {
    let wrong = |what: &str| {
        let help = "write `{field}` for a value and `[ with {field}]` for what may be left out".to_string();
        reader.defect("event.text", place, what.into(), Some(help));
    };
    let mut found = Vec::new();
    while let Some(at) = rest.find(['{', '[', ']']) {
        let (before, after) = rest.split_at(at);
        if !before.is_empty() {
            found.push(Piece::Text(before.into()));
        }
        *rest = &after[1..];
        match after.as_bytes()[0] {
            b'{' => match rest.split_once('}') {
                Some((field, after)) if !field.is_empty() && field.len() <= crate::base::NAME_BYTES_MAX => {
                    found.push(Piece::Field(name(field)));
                    *rest = after;
                }
                _ => wrong("a `{` is not closed"),
            },
            b'[' if inner => wrong("a `[` within another"),
            b'[' => found.push(Piece::Optional(pieces(reader, place, rest, true))),
            _ if inner => return found,
            _ => wrong("a `]` without a `[`"),
        }
    }
    if inner {
        wrong("a `[` is not closed");
    }
    if !rest.is_empty() {
        found.push(Piece::Text((*rest).into()));
    }
    *rest = "";
    found
}
