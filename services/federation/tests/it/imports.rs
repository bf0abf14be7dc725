//! Files of members.

use api::federation::v1 as pb;
use tonic::Status;

use crate::fixture::{Person, fixtures, reason};

pub(crate) async fn import(
    person: &Person,
    federation: &str,
    csv: impl AsRef<[u8]>,
    validate_only: bool,
) -> Result<pb::ImportMembersResponse, Status> {
    let request = pb::ImportMembersRequest {
        federation_id: federation.to_owned(),
        csv: csv.as_ref().to_vec(),
        request_id: person.request(),
        validate_only,
    };
    person.federations.clone().import_members(request).await.map(tonic::Response::into_inner)
}

pub(crate) async fn all(person: &Person, federation: &str) -> Vec<pb::Member> {
    let request = pb::ListMembersRequest { federation_id: federation.to_owned(), ..Default::default() };
    person.members(request).await
}

const FILE: &str = "\u{FEFF}name,latin,birth_date,club,number:fide,sex\n\
                    བཀྲ་ཤིས,Tashi,2001-12-31,Aba,8600001,f\n\
                    聂卫平,Nie Weiping,1952-08-17,,,m\n\
                    Anna,,,,,\n";

#[tokio::test]
async fn the_same_file_twice_changes_nothing() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        founder.club(id, "Aba").await.expect("a club");
        let counts = |answer: &pb::ImportMembersResponse| (answer.created, answer.changed, answer.unchanged);
        let preview = import(founder, id, FILE, true).await.expect("a preview");
        assert_eq!((counts(&preview), preview.problem_count), ((3, 0, 0), 0), "{}", fixture.kind);
        assert_eq!(all(founder, id).await, [], "nothing was written");
        assert_eq!(counts(&import(founder, id, FILE, false).await.expect("taken")), (3, 0, 0));
        let before = all(founder, id).await;
        assert_eq!(before.iter().map(|member| member.stays.len()).sum::<usize>(), 1, "one is in a club");
        assert_eq!(before.len(), 3);
        assert_eq!(counts(&import(founder, id, FILE, false).await.expect("taken")), (0, 0, 3));
        assert_eq!(all(founder, id).await, before);
        let graded = FILE.replace("Anna,,,,,", "Anna,,,Aba,,f");
        assert_eq!(counts(&import(founder, id, &graded, false).await.expect("taken")), (0, 1, 2));
        assert_eq!(reason(import(&fixture.person("bob"), id, FILE, false).await), "NOT_AN_OFFICIAL");
    }
}

#[tokio::test]
async fn a_repeated_import_tells_what_the_first_did() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let request = pb::ImportMembersRequest {
            federation_id: federation.id.clone(),
            csv: b"name\nAnna\n".to_vec(),
            request_id: founder.request(),
            validate_only: false,
        };
        let first = founder.federations.clone().import_members(request.clone()).await.expect("taken");
        let again = founder.federations.clone().import_members(request).await.expect("told");
        assert_eq!(first.into_inner(), again.into_inner());
        assert_eq!(all(founder, &federation.id).await.len(), 1, "{}", fixture.kind);
    }
}

#[tokio::test]
async fn a_person_is_found_by_the_id_beside_his_transliteration() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        import(founder, id, "name,latin\nབཀྲ་ཤིས,Tashi\n", false).await.expect("taken");
        let member = all(founder, id).await.remove(0);
        let latin = format!("id,name,grade\n{},TASHI,3d\n", member.member_id);
        import(founder, id, &latin, false).await.expect("taken");
        let after = all(founder, id).await;
        assert_eq!(after.len(), 1, "{}", fixture.kind);
        assert_eq!(
            (after[0].name.clone(), after[0].grade.as_str()),
            (member.name, "3d"),
            "the native name stays"
        );
    }
}

#[tokio::test]
async fn every_bad_line_is_named_and_nothing_is_taken() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let bad = "name,latin,birth_date,club\nAnna,,,\n阿坝,,,\nBob,,31.12.2001,\nCarl,,,Nowhere\nanna,,,\nDora,,,,,\n";
        let preview = import(founder, id, bad, true).await.expect("a preview");
        let found: Vec<(u32, &str, &str)> = preview
            .problems
            .iter()
            .map(|problem| (problem.line, problem.column.as_str(), problem.reason.as_str()))
            .collect();
        let expected = [
            (3, "latin", "BAD_ORGANISATION_NAME"),
            (4, "birth_date", "BAD_DATE"),
            (5, "club", "UNKNOWN_CLUB"),
            (6, "name", "BAD_LINE"),
            (7, "", "BAD_LINE"),
        ];
        assert_eq!((found.as_slice(), preview.problem_count), (&expected[..], 5), "{}", fixture.kind);
        let status = import(founder, id, bad, false).await.expect_err("nothing is taken");
        assert_eq!(api::error::reason(&status), "BAD_IMPORT");
        let details = tonic_types::StatusExt::get_details_bad_request(&status).expect("fields");
        assert_eq!(details.field_violations[0].field, "csv[3].latin");
        assert_eq!(all(founder, id).await, []);
        assert_eq!(reason(import(founder, id, "colour\nred\n", false).await), "BAD_IMPORT");
    }
}

#[tokio::test]
async fn a_large_file_is_taken_whole() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let lines: Vec<String> = (0..1500).map(|number| format!("Player number {number},{number}")).collect();
        let file = format!("name,number:fide\n{}\n", lines.join("\n"));
        assert_eq!(import(founder, id, &file, false).await.expect("taken").created, 1500);
        assert_eq!(
            import(founder, id, &file, false).await.expect("taken").unchanged,
            1500,
            "{}",
            fixture.kind
        );
    }
}
