//! Patches: what one pack changes in a record of an earlier pack, or in its own.
//!
//! A patch names its target as `section.id.field.field`; an item of a list is named by its
//! number from 0, or by the value of its first field. It must find what it names. Two
//! patches on one field are a defect with both places, unless they say the same. What a
//! patch brings keeps the patch's own place, so that later defects point to the patch.

use indexmap::IndexMap;

use super::{Node, NodeValue, Patched, Place, Record, Sources, nearest, sources::Reading};

/// The section that patches stand in.
const SECTION: &str = "patches";
const OPERATIONS: [&str; 5] = ["set", "add", "remove", "insert_before", "insert_after"];
const FIELDS: [&str; 7] = ["target", "set", "add", "remove", "insert_before", "insert_after", "source"];

/// Code, place, message, remedy.
type Wrong = (&'static str, Place, String, String);

/// One field, entry or item that a patch has changed.
struct Claim {
    path: String,
    operation: String,
    value: Option<Node>,
    place: Place,
}

/// A field, entry or item that is to be changed.
struct Change<'a> {
    operation: &'a str,
    /// Beside what it is inserted.
    beside: Option<&'a str>,
    /// The key in a map.
    key: Option<&'a str>,
    value: Option<&'a Node>,
    place: Place,
}

impl Reading {
    /// Applies every patch, in load order, but one that is left out.
    pub(super) fn patches(&mut self, without: Option<&str>) {
        let Some(mut patches) = self.sources.records.shift_remove(SECTION) else { return };
        patches.retain(|id, _| without != Some(id.as_str()));
        let mut claims = Vec::new();
        for (id, patch) in &patches {
            self.sources.patches.push((id.clone(), patch.node.place));
            let mut wrong = Vec::new();
            apply(&mut self.sources, id, patch, &mut claims, &mut wrong);
            for (code, place, message, help) in wrong {
                self.at(code, place, message, &help);
            }
        }
    }
}

fn apply(sources: &mut Sources, id: &str, patch: &Record, claims: &mut Vec<Claim>, wrong: &mut Vec<Wrong>) {
    let place = patch.node.place;
    let Some(fields) = patch.node.as_map() else {
        let help = "write target, source, and what is set, added or removed".into();
        wrong.push(("field.type", place, format!("a patch is no {}", patch.node.type_name()), help));
        return;
    };
    for (key, node) in fields.iter().filter(|(key, _)| !FIELDS.contains(&key.as_str())) {
        let help = known(key, FIELDS.into_iter());
        wrong.push(("field.unknown", node.named_at(), format!("a patch has no field {key}"), help));
    }
    for field in ["target", "source"].into_iter().filter(|field| !fields.contains_key(*field)) {
        wrong.push(("field.missing", place, format!("the field {field} is missing"), format!("add `{field}:` here")));
    }
    let operations: Vec<(&String, &Node)> =
        fields.iter().filter(|(key, _)| OPERATIONS.contains(&key.as_str())).collect();
    if operations.is_empty() {
        let help = format!("one or more of {}", OPERATIONS.join(", "));
        wrong.push(("patch.empty", place, format!("the patch {id} changes nothing"), help));
    }
    let Some(target) = fields.get("target") else { return };
    let NodeValue::Text(path) = &target.value else {
        wrong.push(("field.type", target.place, "the target is no text".into(), "write section.id.field".into()));
        return;
    };
    for (operation, body) in operations {
        let outcome = changes(operation, body).and_then(|changes| {
            changes.iter().try_for_each(|change| one(sources, &patch.pack, (path, target.place), change, claims))
        });
        wrong.extend(outcome.err());
    }
}

/// What an operation changes, entry by entry and item by item.
fn changes<'a>(operation: &'a str, body: &'a Node) -> Result<Vec<Change<'a>>, Wrong> {
    let change =
        |beside, key, value: &'a Node| vec![Change { operation, beside, key, value: Some(value), place: value.place }];
    let parts = |beside: Option<&'a str>, node: &'a Node| match &node.value {
        NodeValue::Map(entries) => {
            entries.iter().flat_map(|(key, value)| change(beside, Some(key.as_str()), value)).collect()
        }
        NodeValue::List(items) => items.iter().flat_map(|item| change(beside, None, item)).collect(),
        _ => change(beside, None, node),
    };
    match operation {
        "set" => Ok(change(None, None, body)),
        "add" | "remove" => Ok(parts(None, body)),
        _ => match body.as_map() {
            Some(entries) => {
                let each = entries.iter().flat_map(|(beside, node)| {
                    let mut parts: Vec<Change<'a>> = parts(Some(beside.as_str()), node);
                    // Each goes directly behind, so the last one goes first.
                    if operation == "insert_after" {
                        parts.reverse();
                    }
                    parts
                });
                Ok(each.collect())
            }
            None => {
                let help = format!("write `{operation}: {{there: new}}`");
                Err(("field.type", body.place, format!("{} says not beside what", body.type_name()), help))
            }
        },
    }
}

/// Makes one change, unless another patch has made it already.
fn one(
    sources: &mut Sources,
    pack: &str,
    (path, place): (&str, Place),
    change: &Change<'_>,
    claims: &mut Vec<Claim>,
) -> Result<(), Wrong> {
    let node = find(sources, pack, path, place)?;
    let claim = claim(path, node, change);
    if let Some(before) = claims.iter().find(|before| overlap(&before.path, &claim.path)) {
        if before.path == claim.path && before.operation == claim.operation && same(&before.value, &claim.value) {
            return Ok(());
        }
        let file = &sources.files[before.place.file].path;
        let message = format!("{} is changed in {file}, line {}, too", claim.path, before.place.line);
        let help = "take one of the two patches away, or let both say the same".into();
        return Err(("patch.twice", claim.place, message, help));
    }
    let before = node.brief();
    edit(path, node, change)?;
    let (path, operation) = (claim.path.clone(), change.operation.to_string());
    sources.patched.push(Patched { path, operation, before, pack: pack.into(), place: claim.place });
    claims.push(claim);
    Ok(())
}

fn claim(path: &str, node: &Node, change: &Change<'_>) -> Claim {
    let entry = match (change.operation, &node.value, change.key, change.value) {
        ("set", ..) => path.to_string(),
        (_, _, Some(key), _) => format!("{path}.{key}"),
        (_, NodeValue::Map(_), None, Some(item)) => format!("{path}.{}", item.brief()),
        (_, _, None, Some(item)) => format!("{path}[{}]", item.brief()),
        _ => path.to_string(),
    };
    let operation = format!("{} {}", change.operation, change.beside.unwrap_or_default());
    Claim { path: entry, operation, value: change.value.cloned(), place: change.place }
}

/// Whether two changed fields are one, or one lies within the other.
fn overlap(a: &str, b: &str) -> bool {
    let within = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    within(a, b) || within(b, a)
}

fn same(a: &Option<Node>, b: &Option<Node>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.says_the_same(b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// The node that a path names.
fn find<'s>(sources: &'s mut Sources, pack: &str, path: &str, place: Place) -> Result<&'s mut Node, Wrong> {
    let missing = |what: &str, part: &str, known: String| {
        Err(("patch.target", place, format!("{what} has no {part}, so {path} is nowhere"), known))
    };
    let mut parts = path.split('.');
    let (Some(section), Some(id)) = (parts.next(), parts.next()) else {
        return Err(("patch.target", place, format!("{path} names no record"), "write section.id.field".into()));
    };
    let Some(records) = sources.records.get_mut(section) else {
        return missing("the game", section, "there is no such section".into());
    };
    if !records.contains_key(id) {
        return missing(section, id, known(id, records.keys().map(String::as_str)));
    }
    let Some(record) = records.get_mut(id) else { return missing(section, id, String::new()) };
    let index = |name: &str| sources.packs.iter().position(|pack| pack.name == name);
    if index(&record.pack) > index(pack) {
        let message = format!("{path} comes from {}, which is read after {pack}", record.pack);
        let help = format!("add `{}` to `requires` in the pack.yaml of {pack}", record.pack);
        return Err(("patch.order", place, message, help));
    }
    let mut node = &mut record.node;
    let mut so_far = format!("{section}.{id}");
    for part in parts {
        let names = names(node);
        let Some(next) = child(node, part) else {
            return missing(&so_far, part, known(part, names.iter().map(String::as_str)));
        };
        node = next;
        so_far = format!("{so_far}.{part}");
    }
    Ok(node)
}

/// The names of what lies in a node.
fn names(node: &Node) -> Vec<String> {
    match &node.value {
        NodeValue::Map(entries) => entries.keys().cloned().collect(),
        NodeValue::List(items) => items.iter().map(Node::brief).collect(),
        _ => Vec::new(),
    }
}

fn child<'n>(node: &'n mut Node, part: &str) -> Option<&'n mut Node> {
    match &mut node.value {
        NodeValue::Map(entries) => entries.get_mut(part),
        NodeValue::List(items) => {
            let index = position(items, part)?;
            items.get_mut(index)
        }
        _ => None,
    }
}

/// The place of an item in a list: by number, by what it says, or by its first field.
fn position(items: &[Node], part: &str) -> Option<usize> {
    let first = |item: &Node| item.as_map().and_then(|entries| entries.first()).map(|(_, value)| value.brief());
    let named = items.iter().position(|item| item.brief() == part || first(item).is_some_and(|text| text == part));
    named.or_else(|| part.parse().ok().filter(|index| *index < items.len()))
}

fn edit(path: &str, node: &mut Node, change: &Change<'_>) -> Result<(), Wrong> {
    let Some(new) = change.value else { return Ok(()) };
    let wrong = |code, message: String, help: String| Err((code, change.place, message, help));
    if change.operation == "set" {
        *node = new.clone();
        return Ok(());
    }
    let names = names(node);
    let (type_name, removes) = (node.type_name(), change.operation == "remove");
    match (&mut node.value, change.key) {
        (NodeValue::Map(entries), None) if removes => {
            let key = new.brief();
            match entries.shift_remove(&key) {
                Some(_) => Ok(()),
                None => {
                    wrong("patch.target", format!("{path} has no {key}"), known(&key, names.iter().map(String::as_str)))
                }
            }
        }
        (NodeValue::List(items), None) if removes => match items.iter().position(|item| item.says_the_same(new)) {
            Some(index) => {
                items.remove(index);
                Ok(())
            }
            None => {
                let item = new.brief();
                wrong("patch.target", format!("{path} has no {item}"), known(&item, names.iter().map(String::as_str)))
            }
        },
        (NodeValue::Map(entries), Some(key)) if !removes => {
            if entries.contains_key(key) {
                return wrong("patch.exists", format!("{path} has {key} already"), "use `set` on it".into());
            }
            let at = place_in(change, path, &names, |beside| entries.get_index_of(beside))?;
            insert(entries, at, key, new);
            Ok(())
        }
        (NodeValue::List(items), None) => {
            let at = place_in(change, path, &names, |beside| position(items, beside))?;
            items.insert(at.unwrap_or(items.len()).min(items.len()), new.clone());
            Ok(())
        }
        _ => {
            let help = "`add` and `insert` bring entries to a map and items to a list; `remove` lists them by name";
            wrong("patch.type", format!("{path} is {type_name}; {} does not fit it", change.operation), help.into())
        }
    }
}

fn insert(entries: &mut IndexMap<String, Node>, at: Option<usize>, key: &str, new: &Node) {
    let at = at.unwrap_or(entries.len()).min(entries.len());
    entries.shift_insert(at, key.to_string(), new.clone());
}

/// Where something new goes: none for the end.
fn place_in(
    change: &Change<'_>,
    path: &str,
    names: &[String],
    find: impl Fn(&str) -> Option<usize>,
) -> Result<Option<usize>, Wrong> {
    let Some(beside) = change.beside else { return Ok(None) };
    match find(beside) {
        Some(index) => Ok(Some(index + usize::from(change.operation == "insert_after"))),
        None => {
            let help = known(beside, names.iter().map(String::as_str));
            Err(("patch.target", change.place, format!("{path} has no {beside}"), help))
        }
    }
}

/// The remedy for a name that is not there.
fn known<'a>(text: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    if let Some(near) = nearest(text, names.clone()) {
        return format!("did you mean {near}?");
    }
    let shown: Vec<&str> = names.take(12).collect();
    if shown.is_empty() { "there is nothing in it".into() } else { format!("there are: {}", shown.join(", ")) }
}
