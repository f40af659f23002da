import { ApiPropertyOptional } from '@nestjs/swagger';
import { PageOf } from '../../common/page.dto.js';
import type { Urls } from '../../common/urls.js';
import { OpenApiSpecView, toOpenApiSpec } from '../../openapi/index.js';
import { OrganizationView, toOrganization } from '../../organizations/index.js';
import type { FileEntry, PageTree } from '../../revisions/index.js';
import { CollectionView, SpaceView, toCollection, toSpace } from '../../spaces/index.js';
import { toUser, UserView } from '../../users/index.js';
import { ChangeRequestView } from '../change-request.view.js';
import { FileView, toFile } from '../files/file.view.js';
import { type PageContext, PAGE, type PageView, toPage } from '../page.view.js';
import { ReusableContentView, RevisionView, toReusableContent, toRevision } from '../revision.view.js';
import type { LinkStatus } from './link.schema.js';
import type { LinkedResource, LinkItem, SpaceContext } from './resources.js';

/** Which version of the content is meant. */
export class VersionContextView {
  type!: 'revision' | 'changeRequest';
  /** Without its pages, files and reusable contents. */
  revision?: RevisionView;
  changeRequest?: ChangeRequestView;
}

/** Where in a page. */
export class InternalLocationView {
  type!: 'anchor';
  anchor!: string;
}

/** Something that links lead to or stand in. `kind` says which of the other fields there are. */
export class ContentLocationView {
  kind!: 'file' | 'url' | 'page' | 'user' | 'collection' | 'space' | 'reusable-content' | 'openapi';
  organization?: OrganizationView;
  space?: SpaceView;
  versionContext?: VersionContextView;
  /** Without its text and the pages below. */
  @ApiPropertyOptional(PAGE)
  page?: PageView;
  internalLocation?: InternalLocationView;
  file?: FileView;
  url?: string;
  user?: UserView;
  collection?: CollectionView;
  reusableContent?: ReusableContentView;
  openAPISpec?: OpenApiSpecView;
}

export class ContentLocationPage extends PageOf(ContentLocationView) {}

/** A place that leads to a file: a page, and the file. */
export class FileBacklinkView extends ContentLocationView {
  declare file: FileView;
}

export class FileBacklinkPage extends PageOf(FileBacklinkView) {}

/** Something that pages lead to, with all places at which they do. */
export class LinkItemView {
  /** `in-app`: a URL of the application for authors. URLs elsewhere are `ok`; nobody asks them. */
  status!: LinkStatus;
  /** `dependsOn`: some page needs it, as it needs an image. */
  relation!: 'reference' | 'dependsOn';
  /** Left out when it is broken. */
  targetReference?: ContentLocationView;
  locationReferences!: ContentLocationView[];
}

/** How many links are broken. */
export class BrokenLinksView {
  total!: number;
  /** Of a change request: how many of them are not broken in the space. */
  changeRequest?: number;
}

/** How many links there are, whatever was asked for. */
export class LinkStatsView {
  total!: number;
  broken!: BrokenLinksView;
}

export class LinkPage extends PageOf(LinkItemView) {
  stats!: LinkStatsView;
}

/** What the shapes of locations take from elsewhere. */
export interface LocationSurroundings {
  urls: Urls;
  /** Signed address of a file of a space. */
  linkOf: (space: string, file: FileEntry) => string;
  /** Id of the text with a key, within a space. */
  documentId: (space: string, key: string) => string;
}

/** Shapes locations for one answer: what many of them share is shaped once. */
export class Locations {
  private readonly shared = new Map<
    SpaceContext,
    Pick<Required<ContentLocationView>, 'organization' | 'space' | 'versionContext'>
  >();

  constructor(private readonly surroundings: LocationSurroundings) {}

  /** Shapes a target with its places. */
  toItem({ status, needed, target, locations }: LinkItem): LinkItemView {
    return {
      status,
      relation: needed ? 'dependsOn' : 'reference',
      ...(target && { targetReference: this.toLocation(target) }),
      locationReferences: locations.map((location) => this.toLocation(location)),
    };
  }

  /** Shapes a place that leads to `file`. */
  toFileBacklink(location: LinkedResource, file: FileEntry): FileBacklinkView {
    const space = location.kind === 'page' ? location.context.space._id : '';
    return { ...this.toLocation(location), file: toFile(file, this.surroundings.linkOf(space, file)) };
  }

  /** Shapes one location (decisions 3.72, 3.73). */
  toLocation(resource: LinkedResource): ContentLocationView {
    const { urls, linkOf } = this.surroundings;
    switch (resource.kind) {
      case 'url':
        return { kind: 'url', url: resource.url };
      case 'user':
        return { kind: 'user', user: toUser(resource.user, urls, resource.showEmail) };
      case 'collection': {
        const { collection, organization, member } = resource;
        const shown = toOrganization(organization, member, urls);
        return { kind: 'collection', organization: shown, collection: toCollection(collection, { ...resource, urls }) };
      }
      case 'openapi': {
        const organization = toOrganization(resource.organization, resource.member, urls);
        return { kind: 'openapi', organization, openAPISpec: toOpenApiSpec(resource.spec, { ...resource, urls }) };
      }
      case 'space': {
        const { organization, space } = this.of(resource.context);
        return { kind: 'space', organization, space };
      }
      case 'file': {
        const { context, file } = resource;
        return { kind: 'file', ...this.of(context), file: toFile(file, linkOf(context.space._id, file)) };
      }
      case 'reusable-content': {
        const { context, content } = resource;
        const reusableContent = toReusableContent(content, this.pageContext(context));
        return { kind: 'reusable-content', ...this.of(context), reusableContent };
      }
      case 'page': {
        const { context, page, anchor } = resource;
        const location = { kind: 'page' as const, ...this.of(context), page: toPage(page, this.pageContext(context)) };
        return { ...location, ...(anchor !== undefined && { internalLocation: { type: 'anchor', anchor } }) };
      }
    }
  }

  private of(context: SpaceContext): Pick<Required<ContentLocationView>, 'organization' | 'space' | 'versionContext'> {
    const known = this.shared.get(context);
    if (known) return known;
    const { urls } = this.surroundings;
    const { organization, member, revision, changeRequest } = context;
    const empty: PageTree = { pages: [], byId: new Map(), landing: null, size: 0 };
    const content = { revision, tree: empty, files: [], reusableContents: [] };
    const view = {
      organization: toOrganization(organization, member, urls),
      space: toSpace(context.space, { ...context, urls }),
      versionContext: changeRequest
        ? { type: 'changeRequest' as const, changeRequest }
        : { type: 'revision' as const, revision: toRevision(content, this.pageContext(context), () => '') },
    };
    this.shared.set(context, view);
    return view;
  }

  private pageContext({ space: { _id: space } }: SpaceContext): PageContext {
    const { urls, documentId } = this.surroundings;
    return { space, urls, metadata: true, documentId: (key) => documentId(space, key) };
  }
}
