export type { ArchiveEntry } from './archive/archive-entry.js';
export { ArchiveExporter } from './archive/archive.exporter.js';
export { ArchiveImporter, type FolderResult } from './archive/archive.importer.js';
export { zipOf } from './archive/zip.js';
export { type Branch, Branches, type Merged, type Pulled } from './branches/branches.service.js';
export {
  CHANGE_REQUEST_STATUSES,
  type ChangeRequestStatus,
  ChangeRequestUrls,
  ChangeRequestView,
} from './change-request.view.js';
export { type Batch, Batches } from './changes/batches.service.js';
export type { Touched } from './changes/touched.js';
export { ChangeRequestViews } from './change-request-views.js';
export { ContentAnswers, type RevisionAt } from './content.answers.js';
export { ContentModule } from './content.module.js';
export { ChangeContentDto, type ChangeDto } from './dto/change-content.dto.js';
export { ChangesQuery, ContentQuery, FilesQuery, PageContentQuery } from './dto/content-query.dto.js';
export { ChangesView, toChangesView } from './edit.view.js';
export { FileLinks, FilePage, FileView } from './files/index.js';
export { JSONDocumentView, toJSONDocument } from './document.view.js';
export { type EditResult, EditService } from './edit.service.js';
export type { BookSource } from './import/book-source.js';
export { ZipSource } from './import/zip-source.js';
export { FindingService } from './finding.service.js';
export { FormerPages, type LocatedPage } from './former-pages/index.js';
export { IndexSweep } from './index-sweep.js';
export { LinksQueryDto } from './dto/links-query.dto.js';
export { LinkAnswers } from './links/link.answers.js';
export { LinkPage } from './links/link.view.js';
export { OutsideTargets } from './links/outside-targets.js';
export { joinedPath, PathParam } from './page-path.js';
export { PageTexts } from './page-texts.js';
export { OrganizationSearchPage, toFoundSpace } from './search.view.js';
export { SearchQuery } from './dto/search.dto.js';
export { PdfQueryDto } from './dto/pdf-query.dto.js';
export { PdfLinks, PdfView } from './pdf/index.js';
export { AnswersPage, PAGE, PagesView, type PageView } from './page.view.js';
export { ReusableContentView, RevisionView } from './revision.view.js';
export { SemanticChangesView } from './semantic-changes.view.js';
export { WriteRaces } from './write-races.js';
export { TextForms } from './text-forms.js';
