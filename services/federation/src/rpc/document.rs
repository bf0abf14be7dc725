//! Papers on the wire: protos in, protos out, nothing decided.

use std::sync::Arc;

use api::federation::v1::{self as pb, document_service_server::DocumentService};
use chassis::auth::{self, Scope};
use tonic::{Request, Response, Status};

use super::event::caller_if_any;
use crate::{
    app::documents::Documents,
    core::document::Format,
    wire::{attempt::Mutation as _, document, fields},
};

/// Who makes papers, and keeps notice boards.
#[derive(Clone)]
pub(crate) struct DocumentApi(pub Arc<Documents>);

#[tonic::async_trait]
impl DocumentService for DocumentApi {
    async fn render_document(
        &self,
        request: Request<pb::RenderDocumentRequest>,
    ) -> Result<Response<pb::RenderDocumentResponse>, Status> {
        let caller = caller_if_any(&request)?;
        let asked = document::Rendering::try_from(request.into_inner())?;
        let format = asked.format;
        let page = self.0.render(caller.as_ref(), asked).await?;
        let (digest, as_of_sequence) = (page.digest.to_vec(), page.sequence);
        let (html, json) = match format {
            Format::Html => (page.text.into_bytes(), Vec::new()),
            Format::Json => (Vec::new(), page.text.into_bytes()),
        };
        Ok(Response::new(pb::RenderDocumentResponse { html, digest, as_of_sequence, json }))
    }

    async fn create_document(
        &self,
        request: Request<pb::CreateDocumentRequest>,
    ) -> Result<Response<pb::CreateDocumentResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let request = request.into_inner();
        let attempt = request.attempt(caller)?;
        let document = self.0.post(&attempt, document::Posting::try_from(request)?).await?;
        Ok(Response::new(pb::CreateDocumentResponse { document: Some((&document).into()) }))
    }

    async fn get_document(
        &self,
        request: Request<pb::GetDocumentRequest>,
    ) -> Result<Response<pb::GetDocumentResponse>, Status> {
        let caller = caller_if_any(&request)?;
        let id = fields::id(&request.into_inner().document_id, "document_id")?;
        let (document, html) = self.0.get(caller.as_ref(), id).await?;
        Ok(Response::new(pb::GetDocumentResponse { document: Some((&document).into()), html }))
    }

    async fn list_documents(
        &self,
        request: Request<pb::ListDocumentsRequest>,
    ) -> Result<Response<pb::ListDocumentsResponse>, Status> {
        let caller = caller_if_any(&request)?;
        let list = document::List::try_from(request.into_inner())?;
        let (found, next_page_token) = self.0.list(caller.as_ref(), &list).await?;
        let documents = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListDocumentsResponse { documents, next_page_token }))
    }

    async fn delete_document(
        &self,
        request: Request<pb::DeleteDocumentRequest>,
    ) -> Result<Response<pb::DeleteDocumentResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let request = request.into_inner();
        let attempt = request.attempt(caller)?;
        let document = self.0.withdraw(&attempt, document::Withdrawing::try_from(request)?).await?;
        Ok(Response::new(pb::DeleteDocumentResponse { document: Some((&document).into()) }))
    }
}
