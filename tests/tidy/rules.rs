//! Which tests show what the platform's page on competitions says: every row of its readings (1.10) and decisions of detail
//! (1.11), every fault that others had (section 3), every line of what must be shown (section 4).

use super::files::tracked;

const READINGS: &str =
    "federation/src/core/event/tests/readings.rs each_value_of_each_reading_has_its_outcome";

/// A row, and the tests that show it: the end of a file's name, and the name of the test in it.
type Row = (&'static str, &'static [&'static str]);

/// 1.10: what is ambiguous in the printed rules.
const AMBIGUITIES: &[Row] = &[
    (
        "1: M is actual",
        &["pairing/tests/it/standings.rs three_readings_give_the_three_orders_that_are_shown", READINGS],
    ),
    (
        "2: R is own",
        &["pairing/tests/it/standings.rs three_readings_give_the_three_orders_that_are_shown", READINGS],
    ),
    ("3: the brackets of teams", &["pairing/tests/it/standings.rs the_printed_team_swiss_comes_out"]),
    (
        "4: 29.3 is of a Swiss",
        &[
            "pairing/tests/it/readings.rs the_own_place_of_who_left_is_by_real_points_and_his_opponents_sum_by_adjusted_ones",
        ],
    ),
    ("5: A is at most 1", &["pairing/tests/it/details.rs adjusted_points_are_at_most_one_for_a_round"]),
    (
        "6: the own place of who left",
        &[
            "pairing/tests/it/readings.rs the_own_place_of_who_left_is_by_real_points_and_his_opponents_sum_by_adjusted_ones",
        ],
    ),
    (
        "7: half of an odd number",
        &["pairing/tests/it/standings.rs half_of_a_round_robin_is_of_rounds_or_of_games"],
    ),
    ("8: expulsion", &["pairing/tests/it/readings.rs an_expulsion_is_a_withdrawal_at_that_moment"]),
    (
        "9: byes, rematches, floats, clubs",
        &[
            "pairing/tests/it/swiss.rs a_bye_is_given_once_and_not_after_a_forfeit_win",
            "pairing/tests/it/swiss.rs who_has_met_all_blocks_the_round_and_is_named",
            "federation/tests/it/drafts.rs who_blocks_a_round_is_named",
            "pairing/tests/it/swiss.rs the_lowest_of_an_odd_pool_floats",
            "pairing/tests/it/swiss.rs clubs_are_kept_apart_in_early_rounds",
        ],
    ),
    (
        "10: warnings are counted",
        &["pairing/tests/it/details.rs warnings_are_counted_and_not_weighed_by_games"],
    ),
    (
        "11: A is not used in a Swiss",
        &["pairing/tests/it/details.rs in_a_swiss_equal_totals_stay_equal_whomever_they_have_beaten"],
    ),
    (
        "12: each his own lateness",
        &["game/tests/it/late.rs each_is_charged_what_he_was_late_to_the_microsecond"],
    ),
    (
        "13: two odd numbers",
        &["pairing/tests/it/readings.rs in_jirige_the_lower_of_two_odd_numbers_follows_its_parity", READINGS],
    ),
    (
        "14: three stones or fewer",
        &[
            "rules/tests/jirige/jirige_examples.rs every_example_holds",
            "rules/tests/jirige/jirige_oracle.rs whole_games_are_the_same",
            "rules/tests/jirige/jirige_rules.rs two_removals_of_one_turn_look_at_the_board_one_after_the_other",
        ],
    ),
    (
        "15: forced draws of Jirige",
        &["game/tests/it/claims.rs a_game_that_nobody_can_win_is_drawn_by_a_claim"],
    ),
    (
        "16: draws in the arena",
        &[
            "pairing/tests/it/brackets.rs in_the_arena_the_winner_stays_and_two_draws_or_two_losers_remove_both",
        ],
    ),
    (
        "17: ten games",
        &[
            "pairing/tests/it/brackets.rs ten_games_stop_when_decided_unless_all_are_played",
            "federation/src/core/event/tests/formats.rs a_match_of_two_ends_when_it_is_decided",
        ],
    ),
    (
        "18: the final of Tianyi Go",
        &[READINGS, "rules/tests/tianyi/tianyi_ends.rs tianyi_equal_counts_are_a_draw_which_white_may_win"],
    ),
    (
        "19: warnings in Jiu",
        &["game/tests/it/incidents.rs as_many_warnings_as_the_rules_or_the_event_say_lose_the_game"],
    ),
    ("20: line-ups", &["pairing/tests/it/lineups.rs each_law_allows_what_its_reading_says"]),
    (
        "21: leaving between cycles",
        &[
            "pairing/tests/it/standings.rs half_of_a_round_robin_is_of_rounds_or_of_games",
            "federation/src/core/event/tests/formats.rs who_leaves_between_two_cycles_loses_the_second_one",
        ],
    ),
    (
        "22: warnings that were taken back",
        &[
            "federation/src/core/event/tests/incidents.rs a_warning_counts_in_the_table_as_long_as_it_stands",
            "game/tests/it/claims.rs an_upheld_claim_takes_the_warning_back",
        ],
    ),
    ("23: rounds or games", &[READINGS]),
    ("24: points and opponents", &[READINGS]),
    (
        "25: a whole team leaves",
        &[
            READINGS,
            "pairing/tests/it/readings.rs a_team_that_leaves_a_round_robin_is_void_or_loses_the_rest_as_a_player_would",
        ],
    ),
    ("26: grades", &["federation/src/core/event/tests/formats.rs grades_play_among_themselves_and_promote"]),
    (
        "27: two games with each",
        &[READINGS, "pairing/tests/it/standings.rs half_of_a_round_robin_is_of_rounds_or_of_games"],
    ),
    (
        "28: best of three with draws",
        &["pairing/tests/it/details.rs best_of_three_takes_more_than_three_points"],
    ),
    ("29: points of one who left, in A", &[READINGS]),
    (
        "30: watching other games",
        &[
            "game/tests/it/incidents.rs the_table_says_what_is_printed_under_all_circumstances",
            "game/tests/it/fair_play.rs who_plays_in_an_event_watches_no_other_game_of_it",
            "game/tests/it/incidents.rs everybody_can_read_the_table",
        ],
    ),
    (
        "31: the supplement is adopted",
        &["federation/src/core/event/tests/refusals.rs no_stage_is_reached_before_what_it_takes_is_done"],
    ),
    (
        "32: dismissals have a reason",
        &[
            "federation/src/core/event/tests/refusals.rs a_dismissal_keeps_its_reason",
            "federation/src/wire/event/request.rs a_reason_says_something",
        ],
    ),
    (
        "33: how long an appeal has",
        &[
            "federation/src/core/event/tests/incidents.rs an_appeal_is_late_after_its_time_and_after_the_next_round_is_public",
            "federation/tests/it/drafts.rs who_says_nothing_of_appeals_allows_them_for_half_an_hour",
        ],
    ),
    (
        "34: talk in Jiu",
        &[
            "game/tests/it/incidents.rs the_table_says_what_is_printed_under_all_circumstances",
            "game/tests/it/incidents.rs talk_in_jiu_has_the_leave_of_the_chief_arbiter_alone",
        ],
    ),
    (
        "35: claims and manners in Jirige",
        &[
            "game/tests/it/claims.rs claims_are_limited_in_number_and_time",
            "game/tests/it/incidents.rs in_jirige_the_third_violation_loses_whatever_it_was",
        ],
    ),
    (
        "36: what Tianyi Go leaves open",
        &["rules/tests/tianyi/tianyi_ends.rs tianyi_the_base_says_what_may_repeat"],
    ),
    ("37: calls of the last minute", &["clock/tests/it/announcements.rs the_calls_of_the_printed_rules"]),
    (
        "38: the next of the other side",
        &[
            "pairing/tests/it/brackets.rs in_the_arena_the_winner_stays_and_two_draws_or_two_losers_remove_both",
        ],
    ),
];

/// 1.11: decisions of detail.
const DETAILS: &[Row] = &[
    (
        "1: unplayed rounds, points in A",
        &["pairing/tests/it/details.rs adjusted_points_are_at_most_one_for_a_round", READINGS],
    ),
    ("2: interim tables", &["pairing/tests/it/readings.rs an_interim_table_counts_the_rounds_so_far"]),
    (
        "3: whose score is the highest",
        &["pairing/tests/it/readings.rs the_highest_score_may_be_that_of_one_who_left_and_of_byes"],
    ),
    (
        "4: forfeits",
        &[READINGS, "pairing/tests/it/details.rs in_a_forfeits_are_points_and_make_beaten_opponents"],
    ),
    ("5: byes and opponents' points", &[READINGS]),
    (
        "6: equals who left",
        &[
            "pairing/tests/it/readings.rs of_equal_totals_who_left_comes_after_who_stayed_whatever_the_warnings",
            "pairing/tests/it/details.rs who_leaves_a_round_robin_late_ranks_like_anybody",
        ],
    ),
    (
        "7: free rounds and void games",
        &[
            "pairing/tests/it/details.rs voided_games_are_games_when_another_leaves",
            "pairing/tests/it/standings.rs the_game_of_two_who_left_late_is_nobodys",
        ],
    ),
    (
        "8: annulled, shared and no places",
        &[
            "pairing/tests/it/details.rs an_annulled_player_is_nowhere_in_any_table",
            "pairing/tests/it/readings.rs who_has_no_results_has_no_place_and_shared_places_leave_a_gap",
            "pairing/tests/it/standings.rs a_leaver_s_games_against_one_who_is_annulled_are_no_part_of_a",
        ],
    ),
    (
        "9: adjourned games and replays",
        &[
            "pairing/tests/it/readings.rs adjourned_and_annulled_games_and_replays_are_met_and_only_the_first_counts_as_a_draw",
            "pairing/tests/it/standings.rs an_adjourned_game_gives_nothing_yet",
        ],
    ),
    (
        "10: forfeits, byes and sums of teams",
        &["pairing/tests/it/details.rs a_match_that_neither_team_played_is_lost_by_both", READINGS],
    ),
    (
        "11: who has too many warnings",
        &["federation/src/wire/event/report.rs warnings_lose_a_game_and_lateness_forfeits_it"],
    ),
    (
        "12: games played, bars and met",
        &[
            "pairing/tests/it/readings.rs of_equal_scores_who_has_played_more_games_is_free_and_forfeits_are_games",
            "pairing/tests/it/swiss.rs a_full_bye_bars_the_pairing_bye_and_a_half_bye_does_not",
            "pairing/tests/it/readings.rs adjourned_and_annulled_games_and_replays_are_met_and_only_the_first_counts_as_a_draw",
        ],
    ),
    (
        "13: floats",
        &[
            "pairing/tests/it/details.rs repeated_floats_weigh_two_and_one_and_count_for_both",
            "pairing/tests/it/readings.rs a_pairing_bye_is_a_downfloat_that_is_not_repeated",
            READINGS,
        ],
    ),
    (
        "14: needs of colours",
        &[
            "pairing/tests/it/readings.rs the_difference_goes_before_two_equal_colours_running",
            "pairing/tests/it/readings.rs two_equal_colours_running_go_before_a_difference_of_one",
            "pairing/tests/it/readings.rs rounds_without_colour_are_skipped_where_two_run_on",
            "pairing/tests/it/readings.rs half_of_the_points_is_not_above_half",
            "pairing/tests/it/verdicts.rs equal_colours_may_meet_in_the_last_round_above_half",
        ],
    ),
    (
        "15: rank is the number",
        &[
            "pairing/tests/it/readings.rs the_rank_inside_a_group_is_the_number_and_not_the_rating",
            "pairing/tests/it/stored.rs a_stored_round_is_paired_again_as_it_was",
        ],
    ),
    (
        "16: the last round with different colours",
        &["pairing/tests/it/details.rs the_last_round_with_different_colours_is_one_in_which_both_had_one"],
    ),
    (
        "17: odd against even with absentees",
        &[
            "pairing/tests/it/swiss.rs odd_and_even_are_paired_as_far_as_they_go",
            "pairing/tests/it/readings.rs in_jirige_who_has_no_history_takes_what_the_other_is_not_due",
        ],
    ),
    (
        "18: losers of a double knock-out",
        &[
            "pairing/tests/it/brackets.rs nobody_meets_again_before_the_losers_are_few",
            "pairing/tests/it/brackets.rs a_double_forfeit_in_the_final_leaves_the_unbeaten_finalist",
        ],
    ),
    (
        "19: an arena that is empty",
        &[
            "pairing/tests/it/brackets.rs in_the_arena_the_winner_stays_and_two_draws_or_two_losers_remove_both",
        ],
    ),
];

/// Section 3: faults that others had.
const FAULTS: &[Row] = &[
    (
        "1: a second bye because the first was written F",
        &[
            "pairing/tests/it/verdicts.rs each_rule_that_is_broken_is_found",
            "pairing/tests/it/swiss.rs a_full_bye_bars_the_pairing_bye_and_a_half_bye_does_not",
        ],
    ),
    (
        "2: a pairing bye for half a point",
        &[
            "pairing/tests/it/regressions.rs a_pairing_bye_for_half_a_win_bars_the_next_one_too",
            "pairing/tests/it/trf.rs a_pairing_bye_without_a_win_s_points_is_told_from_it",
        ],
    ),
    (
        "3: a bye to come taken for a round played",
        &[
            "pairing/tests/it/trf.rs a_bye_of_the_round_to_come_is_no_round_that_was_played",
            "pairing/tests/it/swiss.rs a_bye_of_the_round_to_come_does_not_mean_that_it_was_played",
        ],
    ),
    (
        "4: a colour beside an absence",
        &["pairing/tests/it/trf.rs a_round_that_makes_no_sense_is_named_with_its_column"],
    ),
    (
        "5: a round paired twice",
        &[
            "pairing/tests/it/regressions.rs a_round_that_is_paired_twice_is_one_round",
            "federation/tests/it/drafts.rs what_two_publish_and_start_at_once_is_there_once",
            "tests/e2e/events/kills.rs no_kill_at_any_moment_of_a_round_costs_a_result",
        ],
    ),
    ("6: everybody had withdrawn", &["pairing/tests/it/swiss.rs nobody_is_left_where_everybody_withdrew"]),
    ("7: greed", &["pairing/tests/it/swiss.rs a_legal_pairing_is_found_where_greed_repeats_an_opponent"]),
    (
        "8: somebody with himself",
        &["pairing/tests/it/regressions.rs a_player_taken_off_the_list_leaves_nobody_with_himself"],
    ),
    (
        "9: three byes",
        &["pairing/tests/it/regressions.rs byes_that_were_asked_for_bring_no_more_than_one_pairing_bye"],
    ),
    (
        "10: who had byes meet each other",
        &["pairing/tests/it/regressions.rs who_had_byes_do_not_seek_each_other"],
    ),
    (
        "11: byes of losers, a double forfeit in the final",
        &[
            "pairing/tests/it/brackets.rs two_losses_are_the_end_and_no_fewer",
            "pairing/tests/it/brackets.rs a_double_forfeit_in_the_final_leaves_the_unbeaten_finalist",
        ],
    ),
    (
        "12: a late entrant",
        &[
            "pairing/tests/it/swiss.rs a_late_entrant_is_paired_when_he_comes",
            "federation/src/core/event/tests/swiss.rs late_entries_come_in_until_the_list_is_closed",
        ],
    ),
    (
        "13: tie-breaks believed to pair",
        &[
            "pairing/tests/it/swiss.rs reasons_say_when_two_have_met",
            "pairing/tests/it/swiss.rs each_reason_why_two_did_not_meet_is_told",
        ],
    ),
    (
        "14: names lost on the way",
        &["pairing/tests/it/trf.rs names_in_any_script_come_back_natively_or_by_id"],
    ),
    ("15: a colour in lower case", &["pairing/tests/it/trf.rs a_lower_case_initial_colour_is_a_colour"]),
];

/// Section 4: what must be shown. The five thousand events of line 3 are `tests/soak/pairing`; of line 9 the figures are those
/// of the example `rounds`, which `tests/bench/pairing` runs.
const LINES: &[Row] = &[
    (
        "1: the tables of 1.6",
        &[
            "pairing/tests/it/play_offs.rs a_play_off_changes_the_order_of_its_players_alone",
            "federation/src/core/event/tests/play_offs.rs two_who_share_the_first_place_play_for_it_with_alternating_colours",
            "federation/src/core/event/tests/play_offs.rs a_play_off_changes_nothing_else",
            "federation/tests/it/play_offs.rs who_shares_the_first_place_plays_for_it_and_the_event_waits_for_that",
            "pairing/tests/it/standings.rs the_printed_round_robin_comes_out_to_the_half",
            "pairing/tests/it/standings.rs fewer_points_may_be_ahead_by_the_total",
            "pairing/tests/it/standings.rs three_readings_give_the_three_orders_that_are_shown",
        ],
    ),
    (
        "2: withdrawals",
        &[
            "pairing/tests/it/standings.rs half_of_a_round_robin_is_of_rounds_or_of_games",
            "pairing/tests/it/details.rs adjusted_points_are_at_most_one_for_a_round",
        ],
    ),
    (
        "3: random events",
        &[
            "pairing/tests/it/laws.rs the_checker_finds_nothing_in_five_thousand_events",
            "pairing/tests/it/laws.rs small_events_are_as_good_as_every_possibility_tried",
        ],
    ),
    ("4: a second matching", &["pairing/src/swiss/matching.rs two_libraries_agree_on_random_graphs"]),
    (
        "5: the same bytes, the same round",
        &[
            "pairing/tests/it/laws.rs the_same_bytes_give_the_same_round",
            "pairing/tests/it/laws.rs twenty_events_are_paired_on_every_machine_as_they_always_were",
            "pairing/tests/it/stored.rs a_stored_round_is_paired_again_as_it_was",
        ],
    ),
    (
        "6: Berger tables",
        &[
            "pairing/tests/it/berger.rs every_table_is_complete_and_balanced",
            "pairing/tests/it/berger.rs six_players_are_the_table_of_fide",
            "pairing/tests/it/berger.rs the_second_cycle_mirrors_the_first",
        ],
    ),
    ("7: the faults of section 3", &["tests/tidy/rules.rs every_row_has_its_tests"]),
    (
        "8: reports",
        &[
            "pairing/tests/it/trf.rs the_files_of_other_engines_are_read_or_refused_by_name",
            "pairing/tests/it/trf.rs every_report_is_read_back_as_it_was_written",
            "pairing/tests/it/trf.rs points_two_one_and_nought_stand_in_their_columns",
            "pairing/tests/it/trf.rs names_in_any_script_come_back_natively_or_by_id",
        ],
    ),
    (
        "10: warnings",
        &[
            "game/tests/it/incidents.rs as_many_warnings_as_the_rules_or_the_event_say_lose_the_game",
            "game/tests/it/incidents.rs in_jirige_the_third_violation_loses_whatever_it_was",
            "federation/src/core/event/tests/incidents.rs a_warning_counts_in_the_table_as_long_as_it_stands",
            "tests/e2e/events/swiss.rs a_swiss_is_held_through_a_crash_and_its_table_is_what_the_rules_say",
        ],
    ),
    (
        "11: sealed moves",
        &[
            "game/tests/it/adjourn.rs on_an_occupied_point_it_is_a_pass",
            "game/tests/it/adjourn.rs what_does_not_fit_its_commitment_is_refused",
            "game/tests/it/adjourn.rs a_move_is_sealed_on_the_sealers_clock_and_played_at_the_resumption",
        ],
    ),
];

/// Lines of section 4 that no test shows, each with why.
const NOT_SHOWN: &[(u32, &str)] = &[
    (9, "how long a round takes depends on the machine: tests/bench/pairing fails where it takes too long"),
    (12, "results are not exchanged between servers of federations yet"),
];

/// The numbers at the beginning of rows.
fn numbers(rows: &[Row]) -> Vec<u32> {
    rows.iter().filter_map(|(row, _)| row.split(':').next()?.parse().ok()).collect()
}

#[test]
fn no_row_is_left_out() {
    for (rows, last) in [(AMBIGUITIES, 38), (DETAILS, 19), (FAULTS, 15)] {
        assert_eq!(numbers(rows), (1..=last).collect::<Vec<_>>());
    }
    let mut lines = numbers(LINES);
    lines.extend(NOT_SHOWN.iter().map(|(line, _)| *line));
    lines.sort_unstable();
    assert_eq!(lines, (1..=12).collect::<Vec<_>>());
}

#[test]
fn every_row_has_its_tests() {
    let files = tracked(&[".rs"]);
    let is_there = |shown: &str| {
        let (path, name) = shown.split_once(' ')?;
        let (_, source) = files.iter().find(|(found, _)| found.ends_with(path))?;
        let before = source.split_once(&format!("fn {name}("))?.0;
        // Its attributes are the last lines before it.
        before
            .lines()
            .rev()
            .take(5)
            .any(|line| line.trim_start().starts_with("#[") && line.contains("test"))
            .then_some(())
    };
    let rows = [AMBIGUITIES, DETAILS, FAULTS, LINES].concat();
    let missing: Vec<&str> =
        rows.iter().flat_map(|(_, tests)| *tests).copied().filter(|it| is_there(it).is_none()).collect();
    assert_eq!(missing, [""; 0], "no such tests");
    assert!(rows.iter().all(|(_, tests)| !tests.is_empty()));
}

/// A test that is ignored shows nothing, if no script runs it.
#[test]
fn what_is_ignored_is_run_by_a_soak() {
    let soaks: Vec<String> = tracked(&[""])
        .into_iter()
        .filter(|(name, _)| name.starts_with("tests/soak/"))
        .map(|(_, it)| it)
        .collect();
    assert!(!soaks.is_empty(), "the soaks are somewhere else");
    let files = tracked(&[".rs"]);
    let is_run = |shown: &str| {
        let (path, name) = shown.split_once(' ')?;
        let (_, source) = files.iter().find(|(found, _)| found.ends_with(path))?;
        let before = source.split_once(&format!("fn {name}("))?.0;
        let is_ignored = before.trim_end().lines().rev().take(3).any(|line| line.starts_with("#[ignore"));
        (!is_ignored || soaks.iter().any(|it| it.contains(name))).then_some(())
    };
    let rows = [AMBIGUITIES, DETAILS, FAULTS, LINES].concat();
    let idle: Vec<&str> =
        rows.iter().flat_map(|(_, tests)| *tests).copied().filter(|it| is_run(it).is_none()).collect();
    assert_eq!(idle, [""; 0], "no script runs them");
}
