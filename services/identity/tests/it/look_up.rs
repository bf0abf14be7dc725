//! Looking accounts up.

use api::identity::v1::{LookUpAccountsRequest, PublicAccount};
use tonic::Code;

use crate::fixture::{Fixture, fixtures, refused};

async fn look_up(fixture: &Fixture, ids: &[&str], names: &[&str]) -> Vec<PublicAccount> {
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    let request = LookUpAccountsRequest { ids: owned(ids), names: owned(names) };
    let mut found = fixture.client().look_up_accounts(request).await.expect("looks up").into_inner().accounts;
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

#[tokio::test]
async fn accounts_are_found_by_id_and_name_each_once() {
    for fixture in fixtures().await {
        let (anna, _) = fixture.register("Anna").await;
        let (bert, _) = fixture.register("bert").await;
        let (guest, _) = fixture.guest().await;
        let public = |account: &api::identity::v1::Account| PublicAccount {
            id: account.id.clone(),
            name: account.name.clone(),
            guest: account.guest,
            bot: account.bot,
        };
        let unknown = fixture.env.uuid().to_string();
        assert_eq!(
            look_up(&fixture, &[&anna.id, &unknown], &["aNNA", "BERT", "carl"]).await,
            [public(&anna), public(&bert)]
        );
        assert_eq!(look_up(&fixture, &[], &[&guest.name.to_uppercase()]).await, [public(&guest)]);
        assert_eq!(look_up(&fixture, &[], &[]).await, []);
        assert_eq!(look_up(&fixture, &[], &["", "a\0", "no such name", &"x".repeat(5000)]).await, []);
    }
}

#[tokio::test]
async fn what_cannot_be_looked_up_is_refused() {
    for fixture in fixtures().await {
        for bad in ["", "anna", "00000000-0000-0000-0000-000000000000"] {
            let request = LookUpAccountsRequest { ids: vec![bad.to_owned()], names: Vec::new() };
            refused(fixture.client().look_up_accounts(request).await, Code::InvalidArgument, "BAD_ID");
        }
        let mut names: Vec<String> = (0..199).map(|number| format!("name-{number}")).collect();
        let ids = vec![fixture.env.uuid().to_string()];
        let request = LookUpAccountsRequest { ids: ids.clone(), names: names.clone() };
        fixture.client().look_up_accounts(request).await.expect("two hundred are looked up");
        names.push("one-more".to_owned());
        let request = LookUpAccountsRequest { ids, names };
        refused(fixture.client().look_up_accounts(request).await, Code::InvalidArgument, "TOO_MANY_IDS");
    }
}
