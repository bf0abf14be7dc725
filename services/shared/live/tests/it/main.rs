//! One suite for both stores of the live state: each test runs against memory, against Redis, and against a Redis Cluster.
//!
//! The Redis half uses the server at `SHOUTAN_TEST_REDIS` and the cluster at `SHOUTAN_TEST_REDIS_CLUSTER` (URLs) if these are set,
//! else one of its own for each test, if a server is installed. Without one it fails if `CI` is `true` or `LIVE_REDIS` is `required`; else it
//! says loudly that it did not run.

mod changes;
mod cluster;
mod deadlines;
mod examples;
mod failover;
mod fanout;
mod leases;
mod limits;
mod machine;
mod model;
mod op;
mod pairs;
mod presence;
mod races;
mod restart;
mod sentinels;
mod throttles;
mod tickets;
mod world;

/// Makes a test of each function for each store.
macro_rules! conformance {
    ($($module:ident: $($test:ident)*;)*) => {
        mod memory {
            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() -> anyhow::Result<()> {
                    crate::$module::$test(&crate::world::World::memory().await?).await
                }
            )*)*
        }

        mod redis_cluster {
            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() -> anyhow::Result<()> {
                    match crate::world::World::cluster().await? {
                        Some(world) => crate::$module::$test(&world).await,
                        None => Ok(()),
                    }
                }
            )*)*
        }

        mod redis {
            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() -> anyhow::Result<()> {
                    match crate::world::World::redis().await? {
                        Some(world) => crate::$module::$test(&world).await,
                        None => Ok(()),
                    }
                }
            )*)*
        }
    };
}

conformance! {
    tickets: a_ticket_waits_until_cancelled opening_again_changes_nothing an_owner_waits_once
        a_full_pool_takes_no_more holding_only_extends many_are_held_in_one_call what_nobody_holds_expires
        ended_tickets_are_kept_for_an_hour the_waiting_are_listed_oldest_first;
    pairs: a_pair_becomes_a_match a_pair_leaves_all_its_pools pairs_that_cannot_be_are_refused a_vanished_holder_loses_the_match
        a_settled_match_is_done a_dissolved_match_gives_tickets_back
        a_returning_ticket_yields_to_a_newer_one a_dissolved_match_spares_tickets_that_moved_on
        a_thousand_pairs_in_one_call;
    changes: changes_are_told_in_order_from_any_place who_reads_too_late_is_told_so;
    deadlines: the_higher_revision_counts due_deadlines_are_leased clearing_spares_what_is_newer
        a_full_queue_takes_no_more revisions_are_whole_numbers_of_64_bits;
    leases: one_owner_at_a_time renewing_never_shortens;
    presence: presence_lapses_unless_renewed a_member_counts_once_whoever_sees_him
        a_full_key_takes_nobody_more each_key_has_its_own_members;
    throttles: a_burst_then_a_trickle forgiving_forgets;
    fanout: what_is_published_arrives_in_order each_topic_has_its_own_listeners
        the_slow_learn_what_they_missed listening_again_at_once_works messages_are_bytes;
    limits: what_is_too_large_is_refused what_makes_no_sense_is_refused batches_end
        platforms_do_not_meet the_store_gives_a_sign_of_life;
    races: no_ticket_gets_two_matches one_contender_gets_the_lease due_deadlines_go_to_one_taker
        pending_matches_go_to_one_holder no_try_slips_through one_ticket_an_owner
        no_presence_is_lost;
    machine: the_store_does_what_the_model_does;
}
