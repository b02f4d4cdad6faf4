//! What the functions of the toy do.

use super::*;

impl Toy {
    pub(super) fn play(&self, run: &Rc<Run>, it: &Call) -> Result<(), Stop> {
        let emit = |kind: &str, fields: BTreeMap<Name, Value>| run.emit(name(kind), fields, it.cause.clone());
        match it.function.as_str() {
            "toy::set_up" => {
                let at = |place: u32| Value::Space(SpaceId(place));
                let Secret { gate_first, red_hand, blue_hand, deck, .. } = self.secret;
                emit("came", fields([("kind", Value::name("pawn")), ("at", at(1)), ("side", Value::name("red"))]))?;
                let (gate, marsh) = if gate_first { (at(2), at(3)) } else { (at(3), at(2)) };
                emit("hid", fields([("gate", gate), ("marsh", marsh)]))?;
                let piles = [("dealt_red", &red_hand[..]), ("dealt_blue", &blue_hand[..]), ("dealt_deck", &deck[..])];
                for (dealt, ranks) in piles {
                    for rank in ranks {
                        emit(dealt, fields([("rank", Value::Int(*rank))]))?;
                    }
                }
                emit("turned", BTreeMap::new())
            }
            "toy::finish" => emit("ended", BTreeMap::new()),
            "toy::ambush" => self.ambush(run, it),
            _ => {
                self.pledge(run, it)?;
                self.walk(run, it)?;
                run.settle()?;
                self.note(run, it)?;
                let top = run.world().zone(name("deck")).and_then(<[EntityId]>::first).copied();
                if let Some(card) = top {
                    emit("drawn", fields([("card", card.into())]))?;
                }
                let heap = run.world().zone(name("heap")).unwrap_or_default().to_vec();
                for card in heap {
                    emit("gathered", fields([("card", card.into())]))?;
                }
                let deck = run.world().zone(name("deck")).unwrap_or_default().to_vec();
                let order = run.draw(name("deck"), Draw::Order { n: u32::try_from(deck.len()).unwrap() })?;
                let order = order.into_iter().map(|at| deck[usize::try_from(at).unwrap()].into());
                emit("pile_ordered", fields([("pile", name("deck").into()), ("order", Value::list(order.collect()))]))?;
                emit("turned", BTreeMap::new())
            }
        }
    }

    /// Both choose a card of their hand and an aim, at once.
    fn pledge(&self, run: &Rc<Run>, it: &Call) -> Result<(), Stop> {
        let pledges = run.choose_each(&[name("red"), name("blue")], name("pledge"), &mut |run, seat| {
            let cards = {
                let world = run.known_world(seat);
                hand(&world, &seat)
                    .into_iter()
                    .map(|card| candidate(&world.entity(card).unwrap().key, card.into()))
                    .collect()
            };
            let card = run.choose(seat, name("card"), false, cards)?;
            let aims = ["low", "high"].map(|aim| candidate(aim, Value::name(aim))).to_vec();
            let aim = run.choose(seat, name("aim"), false, aims)?;
            Ok(Value::list(vec![card, aim]))
        })?;
        let mut cards = Vec::new();
        for (seat, pledge) in ["red", "blue"].iter().zip(&pledges) {
            let [card, aim] = pledge.as_items().unwrap_or_default() else { return Err(Stop::fault("no pledge")) };
            cards.push(card.clone());
            let pledged = [("seat", Value::name(seat)), ("card", card.clone()), ("aim", aim.clone())];
            run.emit(name("pledged"), fields(pledged), it.cause.clone())?;
        }
        let compared = fields([("red", cards[0].clone()), ("blue", cards[1].clone())]);
        run.emit(name("compared"), compared, it.cause.clone())
    }

    fn walk(&self, run: &Rc<Run>, it: &Call) -> Result<(), Stop> {
        let pawn = run.world().entities().find(|(_, thing)| thing.kind.as_str() == "pawn").map(|(pawn, _)| pawn);
        let Some(pawn) = pawn else { return Ok(()) };
        let red = name("red");
        let places = {
            let (truth, known) = (run.world(), run.known_world(red));
            let here = space_of(&truth, pawn).0;
            let mut places = Vec::new();
            for (place, id) in ["a1", "a2", "a3", "a4"].iter().enumerate().map(|(at, id)| (at as u32, *id)) {
                let space = SpaceId(place);
                let is_shut = |world: &World| posts(world, space).into_iter().any(|post| is_gate(world, post));
                if self.leak == Leak::Options && is_shut(&truth) {
                    continue;
                }
                let mut reasons = Vec::new();
                if place.abs_diff(here) > 2 {
                    reasons.push(name("too_far"));
                }
                if is_shut(&known) || self.leak == Leak::Refusal && is_shut(&truth) {
                    reasons.push(name("shut"));
                }
                places.push(Candidate { id: name(id), value: space.into(), reasons });
            }
            places
        };
        let to = run.choose(red, name("where"), false, places)?;
        let is_told = self.leak == Leak::Cause && self.secret.gate_first;
        let why = if is_told { cause("hooks.gate", "toy::gate") } else { it.cause.clone() };
        run.emit(name("stepped"), fields([("pawn", pawn.into()), ("to", to)]), why)?;
        let gate_first = self.secret.gate_first;
        match self.leak {
            Leak::Count if gate_first => run.emit(name("waved"), BTreeMap::new(), it.cause.clone()),
            Leak::Draw if gate_first => run.draw(name("luck"), Draw::Dice { n: 1, sides: 6 }).map(|_| ()),
            Leak::Stream => {
                let stream = if gate_first { "gate/luck" } else { "marsh/luck" };
                run.draw(name(stream), Draw::Dice { n: 1, sides: 1 }).map(|_| ())
            }
            Leak::Asked if gate_first => {
                let choice = vec![candidate("yes", Value::None)];
                run.choose(name("blue"), name("wave"), false, choice).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    /// Blue may spring the gate where the pawn stands.
    fn ambush(&self, run: &Rc<Run>, it: &Call) -> Result<(), Stop> {
        let Some(post) = run.window(name("ambush"), name("blue"), &it.args)? else { return Ok(()) };
        let key = post.as_entity().and_then(|post| run.world().entity(post).map(|post| post.key));
        run.emit(name("sprung"), fields([("post", post)]), it.cause.clone())?;
        let stream = name(&format!("attack/{}", key.unwrap_or_default()));
        run.draw(stream, Draw::Dice { n: 1, sides: 6 })?;
        run.emit(name("died"), fields([("pawn", it.args[0].clone())]), it.cause.clone())
    }

    fn note(&self, run: &Rc<Run>, it: &Call) -> Result<(), Stop> {
        let numbers = ["1", "2", "3"].iter().zip(1..).map(|(id, n)| candidate(id, Value::Int(n)));
        let n = run.choose(name("blue"), name("note"), false, numbers.collect())?;
        if n == Value::Int(3) {
            return Err(Stop::fault("the gate fell on the marsh"));
        }
        run.emit(name("noted"), fields([("n", n)]), it.cause.clone())
    }
}
