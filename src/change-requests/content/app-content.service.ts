import { Injectable, NotFoundException } from '@nestjs/common';
import { Urls } from '../../common/urls.js';
import { ContentAnswers } from '../../content/index.js';
import { MembersService, OrganizationsService } from '../../organizations/index.js';
import {
  CollectionsService,
  type Space,
  SpacePublications,
  SpacesService,
  type SpaceView,
  toCollection,
  toSpace,
} from '../../spaces/index.js';
import { ChangeRequestAnswers } from '../change-request.answers.js';
import type { ChangeRequest } from '../change-request.schema.js';
import { ChangeRequestsService } from '../change-requests.service.js';
import { readAppAddress } from './app-address.js';
import type { AppContentView } from './app-address.view.js';

type InSpace = Extract<ReturnType<typeof readAppAddress>, { kind: 'space' }>;

/** Finds what addresses in the application name (decision B.10). */
@Injectable()
export class AppContentService {
  constructor(
    private readonly members: MembersService,
    private readonly organizations: OrganizationsService,
    private readonly collections: CollectionsService,
    private readonly spaces: SpacesService,
    private readonly publications: SpacePublications,
    private readonly changeRequests: ChangeRequestsService,
    private readonly changeRequestAnswers: ChangeRequestAnswers,
    private readonly content: ContentAnswers,
    private readonly urls: Urls,
  ) {}

  /** What `address` names, as `user` sees it. @throws NotFoundException for what is not there for them. */
  async find(address: string, user: string): Promise<AppContentView> {
    const named = readAppAddress(address, this.urls.app());
    if (named?.kind === 'collection') return this.collection(named.collection, user);
    const space = named && (await this.spaces.find(named.space));
    if (!space || space.deletedAt) throw new NotFoundException('The address names nothing');
    return this.inSpace(space, named, user);
  }

  private async collection(id: string, user: string): Promise<AppContentView> {
    const found = (await this.collections.visible([id], await this.members.organizationsOf(user))).get(id);
    if (!found) throw new NotFoundException('The address names nothing');
    const organization = await this.organizations.settings(found.collection.organization);
    return { collection: toCollection(found.collection, { ...found, organization, urls: this.urls }) };
  }

  private async inSpace(space: Space, { changeRequest: number, path }: InSpace, user: string): Promise<AppContentView> {
    const { view, admitted } = await this.seen(space, user);
    if (admitted && number !== undefined) throw new NotFoundException('The address names nothing');
    const changeRequest = number === undefined ? null : await this.changeRequests.find(space._id, number);
    if (number !== undefined && !changeRequest) throw new NotFoundException('Change request not found');
    const { _id, organization } = space;
    const at = { space: _id, organization, revision: revisionOf(changeRequest ?? space), ...(admitted && AUDIENCE) };
    return {
      space: view,
      ...(changeRequest && { changeRequest: await this.changeRequestAnswers.one(changeRequest, { space, user }) }),
      ...(path.length > 0 && { page: await this.content.pageByPath(at, path.join('/'), {}) }),
    };
  }

  /** The space as `user` sees it; `admitted`: as a published site shows it. */
  private async seen(space: Space, user: string): Promise<{ view: SpaceView; admitted: boolean }> {
    const member = await this.members.find(space.organization, user);
    const [listed] = await this.spaces.listMany(space.organization, [space._id], member);
    const admitted = listed?.role === null && (await this.publications.admits(space, { visitor: null, member }));
    if (!listed || (listed.role === null && !admitted)) throw new NotFoundException('The address names nothing');
    const organization = await this.organizations.settings(space.organization);
    const publication = (await this.publications.of([space])).get(space._id);
    return { view: toSpace(space, { ...listed, organization, urls: this.urls, publication, admitted }), admitted };
  }
}

const AUDIENCE = { reader: 'audience' } as const;

const revisionOf = ({ revision }: ChangeRequest | Space): string => revision;
