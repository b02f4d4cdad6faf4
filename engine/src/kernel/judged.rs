//! Of which candidates it is looked at what speaks against them.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, sync::Arc};

use super::*;
use crate::{
    base::{Name, Value, name},
    chance::Seeded,
};

/// One step that asks the same question twice; notes of whom it is looked at.
struct Gate {
    closed: &'static [&'static str],
    looked_at: Rc<RefCell<Vec<Name>>>,
}

impl Rules for Gate {
    fn apply(&self, _: &mut Draft<'_>, _: Name, _: &BTreeMap<Name, Value>) -> Result<(), Fault> {
        Ok(())
    }

    fn triggers(&self, _: &World, _: Name, _: &BTreeMap<Name, Value>) -> Result<Vec<Trigger>, Fault> {
        Ok(Vec::new())
    }

    fn call(&self, run: &Rc<Run>, _: &Call) -> Result<Value, Stop> {
        for _ in 0..2 {
            let all = ["a", "b", "c", "d", "e"].map(name);
            let candidates = all.map(|id| Candidate { id, value: id.into(), reasons: Vec::new() }).to_vec();
            let mut judge = |candidate: &Candidate| {
                self.looked_at.borrow_mut().push(candidate.id);
                let is_closed = self.closed.contains(&candidate.id.as_str());
                Ok(if is_closed { vec![name("closed")] } else { Vec::new() })
            };
            let _ = run.explains();
            run.choose_judged(name("red"), name("where"), false, Vec::new(), candidates, &mut judge)?;
        }
        Err(Stop::Suspended)
    }

    fn next(&self, _: &Rc<Run>) -> Result<Option<Call>, Stop> {
        let cause = Cause { record: name("phases.march"), function: name("run") };
        Ok(Some(Call { function: name("march"), args: Vec::new(), cause }))
    }
}

/// Foresees one answer, once, and gives that if it is legal and the first legal one if not.
struct Sure {
    wants: Name,
    n_asked: u32,
}

impl Responder for Sure {
    fn answer(&mut self, _: &World, choice: &Choice) -> Option<Name> {
        self.n_asked += 1;
        let wanted = choice.options().find(|option| option.id == self.wants);
        (self.n_asked == 1).then(|| wanted.or_else(|| choice.options().next()).map(|option| option.id))?
    }

    fn foresees(&mut self, _: &World, choice: &Choice) -> Option<Name> {
        assert!(choice.candidates.is_empty());
        (self.n_asked == 0).then_some(self.wants)
    }
}

/// Who was looked at until the first question was answered, and what was answered.
fn first(closed: &'static [&'static str], wants: Option<&str>) -> (String, Option<Name>) {
    let looked_at = Rc::new(RefCell::new(Vec::new()));
    let rules = Gate { closed, looked_at: Rc::clone(&looked_at) };
    let world = World::new(Arc::new(Schema::default().indexed()));
    let run = Run::new(Rc::new(rules), world, Box::new(Seeded { seed: 7 }));
    if let Some(wants) = wants {
        run.set_responder(Some(Box::new(Sure { wants: name(wants), n_asked: 0 })));
    }
    let _ = run.advance(1);
    let answered = run.records().iter().find_map(|record| match record {
        Record::Answered { answer, .. } => Some(answer.id),
        _ => None,
    });
    let looked_at = looked_at.borrow().iter().map(Name::as_str).collect();
    (looked_at, answered)
}

#[test]
fn who_foresees_an_answer_has_that_looked_at_and_two_that_are_legal() {
    let (looked_at, answered) = first(&["b", "d"], Some("c"));
    assert!(looked_at.starts_with("eac"), "{looked_at}");
    assert!(!looked_at[..4].contains('b'), "{looked_at}");
    assert_eq!(answered, Some(name("c")));
}

#[test]
fn an_answer_that_is_foreseen_and_not_legal_has_all_looked_at() {
    let (looked_at, answered) = first(&["b", "d"], Some("b"));
    assert!(looked_at.starts_with("eabcd"), "{looked_at}");
    assert_eq!(answered, Some(name("a")));
}

#[test]
fn nobody_is_asked_what_he_foresees_where_one_answer_is_legal() {
    let (looked_at, answered) = first(&["b", "c", "d", "e"], Some("c"));
    assert!(looked_at.starts_with("eabcd"), "{looked_at}");
    assert_eq!(answered, Some(name("a")));
}

#[test]
fn whoever_is_waited_for_has_all_looked_at() {
    assert_eq!(first(&["b", "d"], None), ("abcde".into(), None));
}

#[test]
fn of_an_answer_that_is_there_already_nothing_else_is_looked_at() {
    let looked_at = Rc::new(RefCell::new(Vec::new()));
    let rules = Gate { closed: &["b"], looked_at: Rc::clone(&looked_at) };
    let world = World::new(Arc::new(Schema::default().indexed()));
    let run = Run::new(Rc::new(rules), world, Box::new(Seeded { seed: 7 }));
    let _ = run.advance(1);
    looked_at.borrow_mut().clear();
    run.answer("c", 0, 0).unwrap().unwrap();
    // The step runs again: the first question has its answer, the second waits and is explained.
    let looked_at: String = looked_at.borrow().iter().map(Name::as_str).collect();
    assert!(looked_at.starts_with('c') && looked_at.contains("cabcde"), "{looked_at}");
}
