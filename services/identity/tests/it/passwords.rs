//! Signing in.

use chassis::database::is_conflict;
use identity::HashCost;
use sea_orm::{ConnectionTrait as _, Statement};
use tonic::Code;

use crate::fixture::{Fixture, PASSWORD, WIDE, fixtures, fixtures_with, refused, sign_in};

#[tokio::test]
async fn case_of_the_name_does_not_matter_but_that_of_the_password_does() {
    for fixture in fixtures().await {
        let (account, _) = fixture.register("Anna").await;
        for name in ["anna", "ANNA", "Anna"] {
            let answer =
                fixture.client().sign_in(sign_in(name, PASSWORD)).await.expect("signs in").into_inner();
            assert_eq!(answer.account, Some(account.clone()));
        }
        let outcome = fixture.client().sign_in(sign_in("anna", &PASSWORD.to_uppercase())).await;
        refused(outcome, Code::Unauthenticated, "BAD_CREDENTIALS");
    }
}

#[tokio::test]
async fn an_unknown_account_and_a_wrong_password_look_the_same() {
    for fixture in fixtures().await {
        fixture.register("anna").await;
        let (guest, _) = fixture.guest().await;
        let wrong = fixture.client().sign_in(sign_in("anna", "wrong password")).await;
        let wrong = refused(wrong, Code::Unauthenticated, "BAD_CREDENTIALS");
        let tries = [
            ("bert", PASSWORD),
            (guest.name.as_str(), PASSWORD),
            ("", PASSWORD),
            ("no name\0", PASSWORD),
            ("anna", ""),
            ("bert", ""),
            ("bert", "no account has this password"),
        ];
        for (name, password) in tries {
            let outcome = fixture.client().sign_in(sign_in(name, password)).await;
            let status = refused(outcome, Code::Unauthenticated, "BAD_CREDENTIALS");
            assert_eq!((status.message(), status.details()), (wrong.message(), wrong.details()));
        }
    }
}

#[tokio::test]
async fn a_hash_of_another_cost_is_replaced_at_sign_in() {
    let dearer = HashCost { passes: 2, ..HashCost::LEAST };
    for fixture in fixtures_with(WIDE, HashCost::LEAST).await {
        fixture.register("anna").await;
        assert!(hash(&fixture).await.contains("m=8,t=1,p=1"));
        let routes = fixture.replica(dearer).await;
        let mut replica = crate::fixture::Client::new(api::transport::over(routes.prepare()));
        refused(
            replica.sign_in(sign_in("anna", "wrong password")).await,
            Code::Unauthenticated,
            "BAD_CREDENTIALS",
        );
        assert!(hash(&fixture).await.contains("m=8,t=1,p=1"));
        replica.sign_in(sign_in("anna", PASSWORD)).await.expect("signs in");
        let replaced = hash(&fixture).await;
        assert!(replaced.contains("m=8,t=2,p=1"), "{replaced}");
        replica.sign_in(sign_in("anna", PASSWORD)).await.expect("signs in");
        assert_eq!(hash(&fixture).await, replaced);
    }
}

/// The tables refuse what the service never writes: two accounts of one name.
#[tokio::test]
async fn names_are_unique_in_the_database_itself() {
    for fixture in fixtures().await {
        fixture.register("anna").await;
        let id = if fixture.kind == "sqlite" { "randomblob(16)" } else { "gen_random_uuid()" };
        let copy = |name_key: &str| {
            format!(
                "INSERT INTO accounts (id, name, name_key, guest, created_us, revision) \
                 SELECT {id}, name, {name_key}, guest, created_us, revision FROM accounts WHERE name = 'anna'"
            )
        };
        let write = fixture.database().write();
        let error = write.execute_unprepared(&copy("name_key")).await.expect_err("is refused");
        assert!(is_conflict(&error), "{error}");
        write.execute_unprepared(&copy("'another'")).await.expect("is refused for its name alone");
    }
}

/// The stored hash of the only account.
async fn hash(fixture: &Fixture) -> String {
    let on = fixture.database().read();
    let statement = Statement::from_string(on.get_database_backend(), "SELECT password_hash FROM accounts");
    let row = on.query_one_raw(statement).await.expect("reads").expect("one account");
    row.try_get("", "password_hash").expect("a text")
}
