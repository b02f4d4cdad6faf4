//! Small boards for the tests of this layer.

use indexmap::IndexMap;
use proptest::prelude::*;

use super::{DrawnTile, Grid, Placed};
use crate::base::{Name, name};

pub(super) fn cell_legend() -> IndexMap<char, Vec<Name>> {
    [('.', vec![name("field")]), ('~', vec![name("marsh")]), ('T', vec![name("field"), name("tower")])].into()
}

pub(super) fn edge_legend() -> IndexMap<char, Vec<Name>> {
    [('#', vec![name("wall")]), ('g', vec![name("wall"), name("gate")]), ('h', vec![name("hedge")])].into()
}

#[track_caller]
pub(super) fn tile(cells: &[&str], edges: Option<&[&str]>) -> DrawnTile {
    DrawnTile::parse(name("sample"), cells, edges, &cell_legend(), &edge_legend()).unwrap()
}

#[track_caller]
pub(super) fn grid(cells: &[&str], edges: Option<&[&str]>) -> Grid {
    let tile = tile(cells, edges);
    Grid::assemble(&[Placed { tile: &tile, region: name("main"), col: 0, row: 0 }]).unwrap()
}

pub(super) fn empty_grid(width: usize, height: usize) -> Grid {
    let row = ".".repeat(width);
    grid(&vec![row.as_str(); height], None)
}

/// One or two random tiles side by side with a step or a gap between them, walls in places.
pub(super) fn random_grid() -> impl Strategy<Value = Grid> {
    (random_tile(), random_tile(), any::<bool>(), -3i32..6, 0i32..2).prop_map(|(first, second, both, row, gap)| {
        let col = first.width() as i32 + gap;
        let mut placed = vec![Placed { tile: &first, region: name("main"), col: 0, row: 0 }];
        if both {
            placed.push(Placed { tile: &second, region: name("annex"), col, row });
        }
        Grid::assemble(&placed).unwrap()
    })
}

fn random_tile() -> impl Strategy<Value = DrawnTile> {
    (1usize..6, 1usize..6).prop_flat_map(|(width, height)| {
        let cells =
            proptest::collection::vec(prop_oneof![4 => Just('.'), 1 => Just('~'), 1 => Just('T')], width * height);
        let edges = proptest::collection::vec(
            prop_oneof![5 => Just(' '), 2 => Just('#'), 1 => Just('g'), 1 => Just('h')],
            (2 * width + 1) * (2 * height + 1),
        );
        (cells, edges).prop_map(move |(cells, edges)| {
            let cells: Vec<String> = cells.chunks(width).map(|row| row.iter().collect()).collect();
            let edges: Vec<String> = edges
                .chunks(2 * width + 1)
                .enumerate()
                .map(|(line, row)| {
                    let mark = |(column, mark): (usize, &char)| if line % 2 == column % 2 { ' ' } else { *mark };
                    row.iter().enumerate().map(mark).collect()
                })
                .collect();
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            let edges: Vec<&str> = edges.iter().map(String::as_str).collect();
            tile(&cells, Some(&edges))
        })
    })
}
