//! The board as letters in columns: what a terminal shows, and line mode prints.
//!
//! This is the one place that knows how squares lie on a screen; `spots` draws boards of points.
//! Both answer the same questions: how large, which letter where, where a square lies.

use std::collections::{BTreeMap, BTreeSet};

use sandtable::{
    base::{EntityId, Name, SpaceId},
    board::{Axis, Facing},
    rules::look::Stroke,
    table::picture::{BoardPicture, EdgePicture, Square},
};

/// How much room a square has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Three letters, and edges of their own all around.
    #[default]
    Full,
    /// Two letters; edges to the south share them.
    Small,
    /// A letter is a letter: content says where spaces lie.
    Spots,
}

/// What is brought out on a board.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    /// The square of the cursor.
    pub(crate) cursor: Option<SpaceId>,
    /// Who acts.
    pub(crate) acting: Option<EntityId>,
    /// Squares that can be answered.
    pub(crate) legal: BTreeSet<SpaceId>,
    /// Squares of an overlay.
    pub(crate) shown: BTreeSet<SpaceId>,
    /// Its mark and colour.
    pub(crate) glyph: char,
    pub(crate) colour: Option<Name>,
}

/// A letter with how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ink {
    pub(crate) letter: char,
    pub(crate) colour: Option<Name>,
    pub(crate) bold: bool,
    /// Light on dark turned round.
    pub(crate) turned: bool,
    /// The colour behind it.
    pub(crate) behind: Option<Name>,
}

/// A line that ends at a corner, and its colour; none if there is none.
type Line = Option<(Stroke, Option<Name>)>;

pub(super) const BLANK: Ink = Ink { letter: ' ', colour: None, bold: false, turned: false, behind: None };

/// A board in letters.
#[derive(Clone, Debug)]
pub(crate) struct Canvas {
    scale: Scale,
    width: usize,
    height: usize,
    inks: Vec<Ink>,
    origin: (i32, i32),
    rows: i32,
    columns: i32,
}

/// Where a square's letters begin, counted in squares and in letters of one.
fn index(number: i32) -> Option<usize> {
    usize::try_from(number).ok()
}

impl Canvas {
    /// Draws a board.
    pub(crate) fn new(board: &BoardPicture, scale: Scale, marks: &Marks) -> Self {
        let (columns, rows) = (index(board.width).unwrap_or(0), index(board.height).unwrap_or(0));
        let scale = if board.routes.is_some() { Scale::Spots } else { scale };
        let (width, height) = match scale {
            Scale::Spots => (columns, rows),
            Scale::Full => (4 * columns + 1, 2 * rows + 1),
            Scale::Small => (3 * columns + 1, rows),
        };
        let inks = vec![BLANK; width * height];
        let mut canvas =
            Self { scale, width, height, inks, origin: board.origin, rows: board.height, columns: board.width };
        if let Some(routes) = &board.routes {
            super::spots::draw(&mut canvas, board, routes, marks);
            return canvas;
        }
        for square in &board.squares {
            canvas.square(square, marks);
        }
        match scale {
            Scale::Spots => {}
            Scale::Full => canvas.edges(&board.edges),
            Scale::Small => canvas.edges_small(&board.edges),
        }
        if let Some(square) = marks.cursor.and_then(|cursor| board.squares.iter().find(|it| it.space == cursor)) {
            canvas.cursor(square.at);
        }
        canvas
    }

    /// Letters from west to east.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Lines from north to south.
    pub(crate) fn height(&self) -> usize {
        self.height
    }

    /// The letter in a column and line.
    pub(crate) fn ink(&self, x: usize, y: usize) -> Ink {
        if x < self.width { self.inks.get(y * self.width + x).copied().unwrap_or(BLANK) } else { BLANK }
    }

    /// Whether names are written on it.
    pub(super) fn is_words(&self) -> bool {
        self.scale == Scale::Spots
    }

    /// The column and line of the middle of a square.
    pub(crate) fn middle(&self, at: (i32, i32)) -> (usize, usize) {
        let (x, y) = self.corner(at).unwrap_or_default();
        match self.scale {
            Scale::Full => (x + 2, y + 1),
            Scale::Small | Scale::Spots => (x + 1, y),
        }
    }

    /// The name of the row that a line shows, if it is the line of one.
    pub(crate) fn row_at(&self, y: usize) -> Option<i32> {
        let row = match self.scale {
            Scale::Full if y.is_multiple_of(2) => return None,
            Scale::Full => y / 2,
            Scale::Small => y,
            Scale::Spots => return None,
        };
        let row = i32::try_from(row).ok().filter(|row| *row < self.rows)?;
        Some(self.origin.1 + self.rows - row)
    }

    /// The column of the board whose middle is in a column of letters.
    pub(crate) fn column_at(&self, x: usize) -> Option<i32> {
        let (step, middle) = match self.scale {
            Scale::Full => (4, 2),
            Scale::Small => (3, 1),
            Scale::Spots => return None,
        };
        let column = i32::try_from(x / step).ok().filter(|column| *column < self.columns)?;
        (x % step == middle).then_some(self.origin.0 + column)
    }

    /// The first letter of a square, edges included.
    pub(super) fn corner(&self, at: (i32, i32)) -> Option<(usize, usize)> {
        let (column, row) = (index(at.0 - self.origin.0)?, index(self.rows - 1 - (at.1 - self.origin.1))?);
        Some(match self.scale {
            Scale::Full => (4 * column, 2 * row),
            Scale::Small => (3 * column, row),
            Scale::Spots => (column, row),
        })
    }

    pub(super) fn put(&mut self, x: usize, y: usize, ink: Ink) {
        if let Some(there) = (x < self.width).then(|| self.inks.get_mut(y * self.width + x)).flatten() {
            *there = ink;
        }
    }

    fn square(&mut self, square: &Square, marks: &Marks) {
        let Some((x, y)) = self.corner(square.at) else { return };
        let is_shown = marks.shown.contains(&square.space);
        let behind = marks.colour.filter(|_| is_shown);
        let is_legal = marks.legal.contains(&square.space);
        let ground = |letter: char| Ink { letter, colour: square.colour, behind, ..BLANK };
        let letters: Vec<char> = square.ground.chars().collect();
        let mut cell = match letters.as_slice() {
            [one] => [ground(' '), ground(*one), ground(' ')],
            [one, two] => [ground(*one), ground(*two), ground(' ')],
            [one, two, three, ..] => [ground(*one), ground(*two), ground(*three)],
            [] => [ground(' '); 3],
        };
        let mut is_taken = [false; 3];
        if let Some(top) = square.figures.first() {
            let turned = marks.acting == Some(top.entity);
            let ink = |letter| Ink { letter, colour: top.colour, bold: true, turned, behind };
            let under = square.figures.get(1);
            let mark = top.mark.map(ink).or_else(|| under.map(|it| Ink { colour: it.colour, ..ink(it.glyph) }));
            let facing = top.facing.map(|facing| ink(['↑', '→', '↓', '←'][facing.index()]));
            for (place, ink) in [mark, Some(ink(top.glyph)), facing].into_iter().enumerate() {
                if let Some(ink) = ink {
                    (cell[place], is_taken[place]) = (ink, true);
                }
            }
        }
        if is_legal {
            let place = if is_taken[1] { 0 } else { 1 };
            if !is_taken[place] {
                let colour = Some(sandtable::base::name("bright_green"));
                (cell[place], is_taken[place]) = (Ink { letter: '+', colour, bold: true, turned: false, behind }, true);
            }
        }
        if is_shown && let Some(place) = [2, 0].into_iter().find(|place| !is_taken[*place]) {
            cell[place] = Ink { letter: marks.glyph, colour: marks.colour, bold: false, turned: false, behind };
            is_taken[place] = true;
        }
        match self.scale {
            Scale::Full => (0..3).for_each(|place| self.put(x + 1 + place, y + 1, cell[place])),
            Scale::Spots => {}
            Scale::Small => {
                let first = if is_taken[1] || letters.len() < 3 { cell[1] } else { cell[0] };
                let second = if is_taken[2] || !is_taken[0] { cell[2] } else { cell[0] };
                self.put(x + 1, y, first);
                self.put(x + 2, y, second);
            }
        }
    }

    /// Brackets around the square of the cursor.
    fn cursor(&mut self, at: (i32, i32)) {
        let Some((x, y)) = self.corner(at) else { return };
        let ink = |letter| Ink { letter, colour: None, bold: true, turned: true, behind: None };
        let (y, step) = match self.scale {
            Scale::Full => (y + 1, 4),
            Scale::Small | Scale::Spots => (y, 3),
        };
        self.put(x, y, ink('['));
        self.put(x + step, y, ink(']'));
    }

    fn edges(&mut self, edges: &[EdgePicture]) {
        // Which lines meet at a corner, north, east, south and west of it.
        let mut corners: BTreeMap<(usize, usize), [Line; 4]> = BTreeMap::new();
        for edge in edges {
            let line = Some((edge.stroke, edge.colour));
            let ink = |letter| Ink { letter, colour: edge.colour, ..BLANK };
            let column = edge.low.0 - self.origin.0;
            let row = self.rows - 1 - (edge.low.1 - self.origin.1);
            match edge.axis {
                Axis::Horizontal => {
                    let (Some(x), Some(y)) = (index(4 * column), index(2 * row)) else { continue };
                    let plain = glyph_of(edge.stroke, [false, true, false, true]);
                    let middle: Vec<char> = edge.middle.as_deref().unwrap_or_default().chars().collect();
                    let letters = match middle.as_slice() {
                        [] => [plain; 3],
                        [one] => [plain, *one, plain],
                        [one, two] => [*one, *two, plain],
                        [one, two, three, ..] => [*one, *two, *three],
                    };
                    (0..3).for_each(|place| self.put(x + 1 + place, y, ink(letters[place])));
                    corners.entry((x, y)).or_default()[1] = line;
                    corners.entry((x + 4, y)).or_default()[3] = line;
                }
                Axis::Vertical => {
                    let (Some(x), Some(y)) = (index(4 * (column + 1)), index(2 * row)) else { continue };
                    let plain = glyph_of(edge.stroke, [true, false, true, false]);
                    let letter = edge.middle.as_deref().and_then(|middle| middle.chars().next()).unwrap_or(plain);
                    self.put(x, y + 1, ink(letter));
                    corners.entry((x, y)).or_default()[2] = line;
                    corners.entry((x, y + 2)).or_default()[0] = line;
                }
            }
        }
        for ((x, y), arms) in corners {
            let thickest = arms.iter().flatten().max_by_key(|(stroke, _)| *stroke);
            let Some((stroke, colour)) = thickest.copied() else { continue };
            let letter = glyph_of(stroke, arms.map(|arm| arm.is_some()));
            self.put(x, y, Ink { letter, colour, ..BLANK });
        }
    }

    fn edges_small(&mut self, edges: &[EdgePicture]) {
        for edge in edges {
            let ink = |letter| Ink { letter, colour: edge.colour, ..BLANK };
            let middle = edge.middle.as_deref().and_then(|middle| middle.chars().find(|c| c.is_alphanumeric()));
            match edge.axis {
                Axis::Vertical => {
                    let Some((x, y)) = self.corner((edge.low.0 + 1, edge.low.1)) else { continue };
                    let letter = middle.unwrap_or_else(|| glyph_of(edge.stroke, [true, false, true, false]));
                    self.put(x, y, ink(letter));
                }
                Axis::Horizontal => {
                    let Some((x, y)) = self.corner((edge.low.0, edge.low.1 + 1)) else { continue };
                    if self.ink(x + 2, y).letter == ' ' {
                        self.put(x + 2, y, ink(middle.unwrap_or('_')));
                    }
                }
            }
        }
    }

    /// The board as plain lines, with its rows and columns named.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = (0..self.height)
            .map(|y| {
                let letters: String = (0..self.width).map(|x| self.ink(x, y).letter).collect();
                let row = self.row_at(y).map_or_else(String::new, |row| row.to_string());
                format!("{row:>3} {letters}").trim_end().to_owned()
            })
            .collect();
        let names: String = (0..self.width).map(|x| self.column_at(x).map_or(' ', column_letter)).collect();
        lines.push(format!("    {names}").trim_end().to_owned());
        lines
    }
}

/// The last letter of a column's name.
pub(crate) fn column_letter(column: i32) -> char {
    let number = if column >= 0 { column } else { -column - 1 };
    char::from(b'a' + u8::try_from(number.rem_euclid(26)).unwrap_or_default())
}

/// The letter of lines that meet: north, east, south, west.
fn glyph_of(stroke: Stroke, arms: [bool; 4]) -> char {
    let letters = match stroke {
        Stroke::Light => " ╵╶└╷│┌├╴┘─┴┐┤┬┼",
        Stroke::Heavy => " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋",
        Stroke::Double => " ║═╚║║╔╠═╝═╩╗╣╦╬",
    };
    let at = arms.iter().enumerate().map(|(index, arm)| usize::from(*arm) << index).sum();
    letters.chars().nth(at).unwrap_or(' ')
}

/// Letters for terminals that show nothing but ASCII.
pub(crate) fn plain(letter: char) -> char {
    match letter {
        '↑' | '▲' => '^',
        '→' => '>',
        '↓' | '▼' => 'v',
        '←' => '<',
        '·' | '…' => '.',
        '─' | '╴' | '╶' | '━' | '╸' | '╺' | '–' => '-',
        '│' | '╵' | '╷' => '|',
        '┃' | '╹' | '╻' => 'I',
        '═' => '=',
        '║' => 'H',
        '└' | '┌' | '├' | '┘' | '┴' | '┐' | '┤' | '┬' | '┼' | '┗' | '┏' | '┣' | '┛' | '┻' | '┓' | '┫' | '┳' | '╋'
        | '╚' | '╔' | '╠' | '╝' | '╩' | '╗' | '╣' | '╦' | '╬' => '+',
        '●' => '*',
        '○' => 'o',
        '█' | '▶' => '>',
        '◀' => '<',
        c if c.is_ascii() => c,
        _ => '?',
    }
}

/// A facing as a square's neighbour: columns and rows.
pub(crate) fn step(facing: Facing) -> (i32, i32) {
    match facing {
        Facing::North => (0, 1),
        Facing::East => (1, 0),
        Facing::South => (0, -1),
        Facing::West => (-1, 0),
    }
}
