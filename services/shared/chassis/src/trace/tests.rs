use std::{convert::Infallible, time::Duration};

use api::transport::over;
use http::{Request, Response};
use tonic::body::Body;
use tower::{ServiceExt as _, service_fn};
use tracing::Span;

use super::{Call, TRACEPARENT, TraceContext, Tracing, carried, current, during, kept, spent};
use crate::{Env, Lifecycle};

const OF: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

fn call() -> std::sync::Arc<Call> {
    Call::begin(&Span::none(), OF.parse().ok(), &Env::system())
}

/// What a call would carry that is made here.
async fn carries() -> Option<String> {
    let echo = service_fn(|request: Request<Body>| async move {
        let mut response = Response::new(Body::empty());
        if let Some(value) = request.headers().get(TRACEPARENT) {
            response.headers_mut().insert(TRACEPARENT, value.clone());
        }
        Ok::<_, Infallible>(response)
    });
    let request =
        Request::post("/shoutan.clock.v1.ClockInternalService/Arm").body(Body::empty()).expect("a request");
    let answer = carried(over(echo)).oneshot(request).await.expect("it is answered");
    answer.headers().get(TRACEPARENT).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

#[tokio::test]
async fn what_is_done_for_a_call_carries_its_trace_and_what_is_done_beside_carries_none() {
    assert_eq!(current(), None);
    assert_eq!(carries().await, None);
    let (begun, lifecycle) = (call(), Lifecycle::new());
    let of: TraceContext = OF.parse().expect("it is one");
    let carried = begun
        .answer(async {
            assert_eq!(current(), Some(begun.context));
            let detached = lifecycle.run_detached(carries()).await.expect("it ends");
            assert_eq!(tokio::spawn(kept(carries())).await.expect("it ends"), detached);
            assert_eq!(tokio::spawn(carries()).await.expect("it ends"), None, "nobody said for whom");
            carries().await.inspect(|carried| assert_eq!(Some(carried), detached.as_ref()))
        })
        .await;
    let carried: TraceContext = carried.expect("it carries one").parse().expect("it is one");
    assert_eq!((carried.trace, carried.is_sampled), (of.trace, true));
    assert_eq!(carried.span, begun.context.span);
    assert_ne!(carried.span, of.span, "it is a part of its own");
    lifecycle.drain(Duration::from_secs(1)).await;
}

#[tokio::test(start_paused = true)]
async fn it_is_told_where_the_time_of_a_call_went() {
    spent("nothing", Duration::from_secs(1));
    let begun = call();
    begun
        .answer(async {
            during("journal", tokio::time::sleep(Duration::from_millis(40))).await;
            for _ in 0..2 {
                during("database", tokio::time::sleep(Duration::from_millis(30))).await;
            }
            carries().await;
        })
        .await;
    let arm = "shoutan.clock.v1.ClockInternalService/Arm 0 ms";
    assert_eq!(begun.told(), format!("database 60 ms (2 times), journal 40 ms, {arm}"));
    // However many parts there are, few are told apart.
    let names: Vec<&'static str> =
        (0..40).map(|number| &*Box::leak(format!("part {number}").into_boxed_str())).collect();
    let many = call();
    many.answer(async {
        for name in names {
            spent(name, Duration::from_millis(1));
        }
    })
    .await;
    assert!(many.told().starts_with("part 15 25 ms (25 times), part 0 1 ms"), "{}", many.told());
}

#[test]
fn what_strangers_begin_is_collected_as_often_as_what_begins_here() {
    let env = Env::mock(time::OffsetDateTime::UNIX_EPOCH, 7).0;
    let of: TraceContext = OF.parse().expect("it is one");
    for (sampled, expected) in [(0.0, 0..=0), (0.25, 200..=300), (1.0, 1000..=1000)] {
        let tracing = Tracing { env: env.clone(), sampled, slow: Duration::from_secs(1) };
        let drawn = |_| TraceContext { trace: super::next(None, &env).trace, ..of };
        let collected = (0..1000).map(drawn).filter(|of| tracing.decide(*of).is_sampled).count();
        assert!(expected.contains(&collected), "{collected} of 1000 at {sampled}");
    }
}
