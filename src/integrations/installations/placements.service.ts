import {
  BadRequestException,
  ConflictException,
  Injectable,
  NotFoundException,
  type OnModuleInit,
} from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, type AuditAction, type Changes, changesBetween } from '../../audit/index.js';
import { isId, newId } from '../../common/ids.js';
import type { Page } from '../../common/page.dto.js';
import { findPage, type ListQuery } from '../../common/pagination.js';
import { Database, SealedRecords } from '../../database/index.js';
import { SitesService } from '../../sites/index.js';
import { SpacesService } from '../../spaces/index.js';
import { declaredOf, type Integration, type IntegrationTarget } from '../integration.schema.js';
import { Configurations } from './configurations.service.js';
import type { Installation } from './installation.schema.js';
import { InstallationsService } from './installations.service.js';
import { type PlaceKind, Placement } from './placement.schema.js';

/** What of an installation is changed in one place. */
export interface PlacementChanges {
  configuration?: object;
  externalIds?: string[];
}

/** What is recorded of each kind. */
const ACTIONS = {
  space: { add: 'installation.add-space', update: 'installation.update-space', remove: 'installation.remove-space' },
  site: { add: 'installation.add-site', update: 'installation.update-site', remove: 'installation.remove-site' },
} as const satisfies Record<PlaceKind, Record<string, AuditAction>>;

/** The property of bodies that names a place. */
const PROPERTY = { space: 'space', site: 'siteId' } as const;

/** The spaces and sites that installations were put on. */
@Injectable()
export class PlacementsService implements OnModuleInit {
  private readonly onPlace: (where: { place: string; kind: PlaceKind }) => Promise<Placement[]>;

  constructor(
    @InjectModel(Placement.name) private readonly placements: Model<Placement>,
    private readonly database: Database,
    private readonly audit: Audit,
    private readonly sealed: SealedRecords,
    private readonly configurations: Configurations,
    private readonly installations: InstallationsService,
    private readonly spaces: SpacesService,
    private readonly sites: SitesService,
  ) {
    this.onPlace = database.shared((where) => this.placements.find(where).lean<Placement[]>());
  }

  /** Has configurations follow the key of the installation. */
  onModuleInit(): void {
    this.sealed.add('configurations on spaces and sites', this.configurations.kindOf(this.placements));
  }

  /** One page of the spaces, or the sites, that an installation was put on, newest first. */
  list({ _id: installation }: Installation, kind: PlaceKind, query: ListQuery): Promise<Page<Placement>> {
    return findPage(this.placements, { installation, kind }, query);
  }

  /** That an installation was put on the space or site `place`. @throws NotFoundException when it was not. */
  async get({ _id: installation }: Pick<Installation, '_id'>, kind: PlaceKind, place: string): Promise<Placement> {
    const found = isId(place) ? await this.placements.findOne({ installation, kind, place }).lean<Placement>() : null;
    if (!found) throw notFound(kind);
    return found;
  }

  /**
   * Puts an installation of `integration` on the space or site `place` of its organization.
   * @throws ConflictException when it is there, or not for such places, BadRequestException for a place that is not there.
   */
  add(installation: Installation, integration: Integration, kind: PlaceKind, place: string): Promise<Placement> {
    const { _id, organization } = installation;
    if (!isFor(integration.target, kind)) {
      throw new ConflictException(`The integration is not for ${kind}s: its target is ${integration.target}`);
    }
    return this.database.transaction(async () => {
      await this.installations.hold(_id, kind === 'space' ? 1 : 0);
      const published = await this.holdPlace(organization, kind, place);
      if (await this.placements.exists({ installation: _id, kind, place })) {
        throw new ConflictException(`The integration is on this ${kind} already`);
      }
      const names = { installation: _id, integration: integration._id, organization };
      const [made] = await this.placements.create([{ _id: newId(), ...names, kind, place, published }]);
      if (!made) throw new Error('The installation was not put there');
      await this.record(ACTIONS[kind].add, installation, { [kind]: { after: place } });
      return made.toObject<Placement>();
    });
  }

  /**
   * Changes what `changes` names.
   * @throws NotFoundException when it is not there, BadRequestException for a configuration that `integration` does not allow.
   */
  update(
    installation: Installation,
    integration: Integration,
    { _id, kind, place }: Placement,
    { configuration, ...fields }: PlacementChanges,
  ): Promise<Placement> {
    const sealed = this.configurations.sealing(_id, configuration, declaredOf(integration).configurations[kind]);
    return this.database.transaction(async () => {
      const before = await this.get(installation, kind, place);
      const anew = this.configurations.differs(before, sealed) ? { configuration: sealed.text } : {};
      const differing = {
        ...changesBetween(before, { ...before, ...fields }, ['externalIds']),
        ...this.configurations.recorded(anew),
      };
      if (Object.keys(differing).length === 0) return before;
      const after = await this.placements
        .findOneAndUpdate({ _id }, { $set: { ...fields, ...anew } }, { returnDocument: 'after' })
        .lean<Placement>();
      if (!after) throw notFound(kind);
      await this.record(ACTIONS[kind].update, installation, { [kind]: { before: place, after: place }, ...differing });
      return after;
    });
  }

  /** Takes an installation off a space or site. @throws NotFoundException when it is not there. */
  async remove(installation: Installation, kind: PlaceKind, place: string): Promise<void> {
    await this.database.transaction(async () => {
      const { _id } = await this.get(installation, kind, place);
      await this.placements.deleteOne({ _id });
      await this.installations.hold(installation._id, kind === 'space' ? -1 : 0);
      await this.record(ACTIONS[kind].remove, installation, { [kind]: { before: place } });
    });
  }

  /** What is on the space or site `place`: one for each installation at the most. */
  async on(kind: PlaceKind, place: string): Promise<Placement[]> {
    return this.onPlace({ place, kind });
  }

  /** Whether anything is on the space or site `place`. */
  async carries(kind: PlaceKind, place: string): Promise<boolean> {
    return (await this.placements.exists({ place, kind })) !== null;
  }

  /** Whether `integration` is on the site `site`. */
  async isOn(integration: string, site: string): Promise<boolean> {
    return (await this.placements.exists({ place: site, kind: 'site', integration })) !== null;
  }

  /** Whether `integration` was put on a site that is published. */
  async isOnPublishedSite(integration: string): Promise<boolean> {
    return (await this.placements.exists({ integration, kind: 'site', published: true })) !== null;
  }

  /** Ends what is on the space or site `place`; joins a surrounding transaction. */
  async removeFrom(kind: PlaceKind, place: string): Promise<void> {
    const there = await this.on(kind, place);
    if (there.length === 0) return;
    await this.placements.deleteMany({ place, kind });
    if (kind === 'space') await this.installations.countSpaceOff(there.map(({ installation }) => installation));
  }

  /** Notes whether the site `site` is published; joins a surrounding transaction. */
  async setPublished(site: string, published: boolean): Promise<void> {
    await this.placements.updateMany({ place: site, kind: 'site' }, { $set: { published } }, { timestamps: false });
  }

  /**
   * Has a space or site of `organization` stay until the surrounding transaction is over; answers whether it is a site that is
   * published. @throws BadRequestException when the organization has no such one.
   */
  private async holdPlace(organization: string, kind: PlaceKind, place: string): Promise<boolean> {
    const held =
      kind === 'site'
        ? await this.sites.hold(organization, place)
        : isId(place) && (await this.spaces.hold(organization, [place])) === 1;
    if (!held) {
      throw new BadRequestException(
        `${PROPERTY[kind]} must be the id of a ${kind} of the organization that has installed it`,
      );
    }
    return kind === 'site' && (await this.sites.find(organization, place))?.published === true;
  }

  private record(action: AuditAction, { _id: id, organization }: Installation, changes: Changes): Promise<void> {
    return this.audit.record({ organization, action, id, changes });
  }
}

/** Whether an integration with `target` can be put on such places (decision 3.81). */
export const isFor = (target: IntegrationTarget, kind: PlaceKind): boolean => target === 'all' || target === kind;

const notFound = (kind: PlaceKind): NotFoundException =>
  new NotFoundException(`The integration is not installed on this ${kind}`);
