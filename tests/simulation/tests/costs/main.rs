//! What a move costs: allocations, statements, and calls of live state, counted on virtual time, where the same
//! moves cost the same to the last one. `costs.txt` has what they cost when this was last agreed to; more than a
//! twentieth above it is a fault.

use std::{fmt::Write as _, path::Path, sync::Arc, time::Duration};

use allocation_counter::measure;
use api::{
    client::{Player, RetryPolicy},
    matchmaking::v1::GameSettings,
    time_control::TimeControl,
};
use simulation::{Asked, Shape, Stage, runtime};
use tokio::runtime::Runtime;

/// Moves before the count begins, until what is made once has been made.
const WARM_UP: u32 = 20;
/// Moves that are counted.
const COUNTED: u32 = 160;
/// Nobody is asked twice: nothing goes wrong by chance.
const ONCE: RetryPolicy = RetryPolicy(Duration::ZERO);
/// By how much of what was agreed to a cost may be above it.
const MARGIN: f64 = 0.05;

/// The costs of one move, on average.
#[derive(Clone, Copy, Debug)]
struct Costs {
    allocations: f64,
    statements: f64,
    live_calls: f64,
}

/// A game with both its players, first side first.
struct Table {
    stage: Arc<Stage>,
    game: String,
    players: [Player; 2],
}

/// `SHOUTAN_BLESS=1` agrees to what is.
#[test]
fn a_move_costs_no_more_than_was_agreed_to() {
    chassis::install_crypto();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/costs/costs.txt");
    let shapes = [("one process", Shape::One), ("six processes", Shape::Six)];
    let now = shapes.map(|(name, shape)| (name, costs(shape)));
    if std::env::var_os("SHOUTAN_BLESS").is_some() {
        std::fs::write(&page, written(&now)).expect("the page can be written");
    }
    let agreed = std::fs::read_to_string(&page).expect("costs.txt is there");
    for (name, costs) in now {
        let line =
            agreed.lines().find_map(|line| line.strip_prefix(name)).expect("costs.txt has every shape");
        let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let is = [costs.allocations, costs.statements, costs.live_calls];
        assert_eq!(numbers.len(), is.len(), "costs.txt: {name}{line}");
        let within = is.iter().zip(&numbers).all(|(is, agreed)| *is <= agreed * (1.0 + MARGIN));
        assert!(within, "{name}: a move costs {costs:?}, and agreed to is\n{agreed}");
    }
}

fn written(costs: &[(&str, Costs)]) -> String {
    let mut page = String::from(
        "# what a move costs: allocations, statements (beginnings and ends of transactions among them), calls of live state\n",
    );
    for (name, costs) in costs {
        let _infallible = writeln!(
            page,
            "{name:<16} {:>8.1} {:>6.2} {:>6.2}",
            costs.allocations, costs.statements, costs.live_calls
        );
    }
    page
}

fn costs(shape: Shape) -> Costs {
    let runtime = runtime();
    let table = runtime.block_on(Table::open(shape));
    runtime.block_on(table.play(0, WARM_UP));
    let before = table.stage.asked();
    let allocated = measure(|| played(&runtime, &table));
    let after = table.stage.asked();
    let asked = Asked {
        statements: after.statements - before.statements,
        live_calls: after.live_calls - before.live_calls,
    };
    runtime.block_on(async { table.stage.stop() });
    let each = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / f64::from(COUNTED);
    Costs {
        allocations: each(allocated.count_total),
        statements: each(asked.statements),
        live_calls: each(asked.live_calls),
    }
}

fn played(runtime: &Runtime, table: &Table) {
    runtime.block_on(table.play(WARM_UP, COUNTED));
}

impl Table {
    async fn open(shape: Shape) -> Self {
        let stage = Arc::new(Stage::open(shape).await);
        let (one, other) = (stage.account("one").await, stage.account("other").await);
        let control: TimeControl = "1h".parse().expect("it is a time control");
        let settings = GameSettings {
            variant: "go".to_owned(),
            rule_set: String::new(),
            options: [("size".to_owned(), "19".to_owned())].into(),
            time_control: Some(control.into()),
            rated: false,
        };
        let found =
            futures::future::join(one.find_game(settings.clone(), |_| ()), other.find_game(settings, |_| ()));
        let (found, also_found) = found.await;
        let ((game, side), _) = (found.expect("one is matched"), also_found.expect("the other is matched"));
        let players = if side == api::board::v1::Side::First { [one, other] } else { [other, one] };
        Table { stage, game, players }
    }

    async fn play(&self, from: u32, moves: u32) {
        for ply in from..from + moves {
            let player = &self.players[(ply % 2) as usize];
            player.play(&self.game, &point(ply), ply, ONCE).await.expect("the move is legal");
        }
    }
}

/// The point of a ply: every other row is left empty, so that no stone is ever without liberty.
fn point(ply: u32) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHJKLMNOPQRST";
    let (column, row) = (ply as usize % LETTERS.len(), ply as usize / LETTERS.len());
    format!("{}{}", char::from(LETTERS[column]), 2 * row + 1)
}
