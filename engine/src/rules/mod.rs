//! Content at work: linked games, questions and refusals, effects of events, flow.

pub mod expr;

mod bot;
mod calls;
mod campaign;
mod effects;
mod flow;
mod functions;
mod boards;
mod game;
mod instance;
pub(crate) mod link;
pub mod look;
mod memo;
mod menu;
mod piles;
mod query;
pub(crate) mod read;
mod reads;
mod reference;
mod scene;
mod secrets;
mod setting;
mod sight_table;
mod step_table;
mod tags;
mod trace;
pub(crate) mod view;

pub use bot::{Advice, AnswerRule, BotRecord, Planned, Policy, Said, Tally};
pub use campaign::{
    Campaign, Legacy, MISSION_ENDED, MISSION_REPORT, MISSION_STARTED, MissionCall, MissionReport, leaves,
};
pub use effects::FLOW_EVENTS;
pub(crate) use effects::GAME_STOPPED;
pub use functions::{ACTING, Acting};
pub use game::*;
pub use instance::Instance;
pub use link::{link, load, load_with, try_missions};
pub use query::{Crossed, QUERIES, Query, SightRow, SightVerdict, crossed, sight_verdicts};
pub use reference::{BAD_ARGUMENT, FunctionEntry, FunctionPart, reference};
pub use scene::{First, Scene, SceneThing};
pub use secrets::{Secrecy, Told, WindowRecord};
pub use setting::{Setting, SettingFault};
pub use sight_table::SightTable;
pub use trace::{Trace, Used};
pub use view::View;
