//! A board of points as letters: spaces where content places them, routes as dotted lines between.

use sandtable::table::picture::{BoardPicture, RoutePicture, Square};

use super::canvas::{BLANK, Canvas, Ink, Marks};

/// Draws the routes, then the spaces over them.
pub(super) fn draw(canvas: &mut Canvas, board: &BoardPicture, routes: &[RoutePicture], marks: &Marks) {
    for route in routes {
        let [Some(from), Some(to)] = route.ends.map(|end| canvas.corner(end)) else { continue };
        let ink = |letter| Ink { letter, colour: route.colour, ..BLANK };
        for (x, y) in dots((from.0 + 1, from.1), (to.0 + 1, to.1)) {
            canvas.put(x, y, ink('·'));
        }
    }
    for square in &board.squares {
        space(canvas, square, marks);
    }
}

/// The letters between two others, one in each line or column, whichever are more.
fn dots(from: (usize, usize), to: (usize, usize)) -> Vec<(usize, usize)> {
    // A letter is about twice as high as it is wide.
    let (wide, high) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
    let n = high.max(wide / 2).max(1);
    let between = |a: usize, b: usize, at: usize| if b >= a { a + (b - a) * at / n } else { a - (a - b) * at / n };
    (1..n).map(|at| (between(from.0, to.0, at), between(from.1, to.1, at))).collect()
}

/// `(M) Krosso`, and below it who is there.
fn space(canvas: &mut Canvas, square: &Square, marks: &Marks) {
    let Some((x, y)) = canvas.corner(square.at) else { return };
    let is_shown = marks.shown.contains(&square.space);
    let behind = marks.colour.filter(|_| is_shown);
    let is_cursor = marks.cursor == Some(square.space);
    let is_legal = marks.legal.contains(&square.space);
    let (open, shut) = if is_cursor { ('[', ']') } else { ('(', ')') };
    let plain = |letter| Ink { letter, behind, bold: is_cursor, turned: is_cursor, ..BLANK };
    let ground = square.ground.chars().find(|letter| *letter != ' ').unwrap_or(' ');
    canvas.put(x, y, plain(open));
    canvas.put(x + 1, y, Ink { letter: ground, colour: square.colour, behind, ..BLANK });
    canvas.put(x + 2, y, plain(shut));
    // What is brought out, then that it can be answered, then the name.
    let shown = is_shown.then_some(Ink { letter: marks.glyph, colour: marks.colour, behind, ..BLANK });
    let colour = Some(sandtable::base::name("bright_green"));
    let legal = is_legal.then_some(Ink { letter: '+', colour, bold: true, ..BLANK });
    let signs = if shown.is_none() && legal.is_none() { vec![BLANK] } else { shown.into_iter().chain(legal).collect() };
    for (place, ink) in signs.iter().enumerate() {
        canvas.put(x + 3 + place, y, *ink);
    }
    let title = x + 3 + signs.len();
    for (place, letter) in square.title.chars().enumerate() {
        canvas.put(title + place, y, Ink { letter, bold: is_legal, ..BLANK });
    }
    for (place, figure) in square.figures.iter().rev().enumerate() {
        let turned = marks.acting == Some(figure.entity);
        let ink = |letter| Ink { letter, colour: figure.colour, bold: true, turned, behind };
        canvas.put(x + 4 + 2 * place, y + 1, ink(figure.glyph));
        if let Some(mark) = figure.mark {
            canvas.put(x + 5 + 2 * place, y + 1, ink(mark));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::dots;

    #[test]
    fn a_route_is_dotted_between_its_ends_only() {
        assert_eq!(dots((1, 0), (1, 3)), [(1, 1), (1, 2)]);
        assert_eq!(dots((9, 2), (1, 2)), [(7, 2), (5, 2), (3, 2)]);
        assert_eq!(dots((1, 1), (2, 1)), []);
    }
}
