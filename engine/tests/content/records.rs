//! Fields and references of records.

use super::check;

#[test]
fn fields_and_references_name_the_nearest() {
    check("terms:\n  far: {args: [], is: '1', dok: x}\n", "field.unknown core/more.yaml:2", "no field dok", "doc");
    check("terms:\n  far: {args: []}\n", "field.missing core/more.yaml:2", "the field is is missing", "add `is:`");
    check("terms:\n  far:\n    is: 'distanc(1, 2)'\n", "expression core/more.yaml:3", "distanc", "distance");
    check("phases:\n  late: {phases: [gme]}\n", "reference.unknown core/more.yaml:2", "gme", "did you mean game?");
    check("kindz:\n  rook: {name: Rook}\n", "section.unknown core/more.yaml:2", "kindz", "did you mean kinds?");
    check("phases:\n  game: {}\n", "record.twice core/more.yaml:2", "phases.game stands twice", "flow.yaml, line 2");
}
