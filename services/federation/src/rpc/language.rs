//! Words on the wire: protos in, protos out, nothing decided.

use std::sync::Arc;

use api::federation::v1::{self as pb, language_service_server::LanguageService};
use chassis::{
    auth::{self, Scope},
    id::FederationId,
};
use tonic::{Request, Response, Status};

use crate::{
    app::languages::Languages,
    wire::{
        attempt::Mutation as _,
        language::{List, Write},
    },
};

/// Who keeps words.
#[derive(Clone)]
pub(crate) struct LanguageApi(pub Arc<Languages>);

#[tonic::async_trait]
impl LanguageService for LanguageApi {
    async fn list_languages(
        &self,
        request: Request<pb::ListLanguagesRequest>,
    ) -> Result<Response<pb::ListLanguagesResponse>, Status> {
        let federation = FederationId::parse(&request.into_inner().federation_id, "federation_id")?;
        let languages = self.0.languages(federation).await?.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListLanguagesResponse { languages }))
    }

    async fn list_words(
        &self,
        request: Request<pb::ListWordsRequest>,
    ) -> Result<Response<pb::ListWordsResponse>, Status> {
        let (words, next_page_token) = self.0.words(&List::try_from(request.into_inner())?).await?;
        Ok(Response::new(pb::ListWordsResponse { words, next_page_token }))
    }

    async fn update_words(
        &self,
        request: Request<pb::UpdateWordsRequest>,
    ) -> Result<Response<pb::UpdateWordsResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let request = request.into_inner();
        let attempt = request.attempt(caller)?;
        let language = self.0.write(&attempt, Write::try_from(request)?).await?;
        Ok(Response::new(pb::UpdateWordsResponse { language: Some((&language).into()) }))
    }
}
