import { Injectable } from '@nestjs/common';
import { mapPage, type PageQuery } from '../../common/page.dto.js';
import { Urls } from '../../common/urls.js';
import type { SpaceAccess } from '../../spaces/index.js';
import type { ChangeRequestView } from '../change-request.view.js';
import { DocumentIds } from '../document-ids.js';
import type { LinksQueryDto } from '../dto/links-query.dto.js';
import { FileLinks } from '../files/file-links.js';
import { type ContentLocationPage, type FileBacklinkPage, type LinkPage, Locations } from './link.view.js';
import { type LinkList, LinksService } from './links.service.js';

/** What the operations about links answer; whether the caller may read them is for others to have seen. */
@Injectable()
export class LinkAnswers {
  constructor(
    private readonly links: LinksService,
    private readonly files: FileLinks,
    private readonly documents: DocumentIds,
    private readonly urls: Urls,
  ) {}

  /** What the pages of a space lead to, with all places at which they do. */
  async ofSpace(access: SpaceAccess, user: string, query: LinksQueryDto): Promise<LinkPage> {
    return this.page(await this.links.ofSpace(access, user, query));
  }

  /** The same of a change request of the space, as `changeRequest` shows it. */
  async ofChangeRequest(
    access: SpaceAccess,
    changeRequest: ChangeRequestView,
    user: string,
    query: LinksQueryDto,
  ): Promise<LinkPage> {
    return this.page(await this.links.ofChangeRequest(access, changeRequest, user, query));
  }

  /** What a page leads to, with the places in it. @throws NotFoundException when the space has no such page. */
  async ofPage(access: SpaceAccess, user: string, page: string, query: LinksQueryDto): Promise<LinkPage> {
    return this.page(await this.links.ofPage(access, user, page, query));
  }

  /** The other pages that lead to a page. @throws NotFoundException when the space has no such page. */
  async toPage(access: SpaceAccess, page: string, query: PageQuery): Promise<ContentLocationPage> {
    const locations = this.locations();
    return mapPage(await this.links.toPage(access, page, query), (one) => locations.toLocation(one));
  }

  /** The pages that use a file. @throws NotFoundException when the space has no such file. */
  async toFile(access: SpaceAccess, id: string, query: PageQuery): Promise<FileBacklinkPage> {
    const locations = this.locations();
    const page = await this.links.toFile(access, id, query);
    return mapPage(page, ({ location, file }) => locations.toFileBacklink(location, file));
  }

  private page({ stats: { total, broken, brokenHere }, ...list }: LinkList): LinkPage {
    const locations = this.locations();
    const page = mapPage(list, (item) => locations.toItem(item));
    const here = brokenHere !== undefined && { changeRequest: brokenHere };
    return { ...page, stats: { total, broken: { total: broken, ...here } } };
  }

  private locations(): Locations {
    return new Locations({
      urls: this.urls,
      linkOf: (space, file) => this.files.of(space, file),
      documentId: (space, key) => this.documents.of(space, key),
    });
  }
}
