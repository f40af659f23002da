import { ConflictException, Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, changesBetween, madeWith, removedWith } from '../../audit/index.js';
import { isId, newId } from '../../common/ids.js';
import type { Page } from '../../common/page.dto.js';
import { findPage, type ListQuery, listScope, pageOfDated } from '../../common/pagination.js';
import { Database, SealedRecords } from '../../database/index.js';
import { declaredOf, type Integration } from '../integration.schema.js';
import { Configurations } from './configurations.service.js';
import { Installation, MAX_INSTALLATIONS, type Selection } from './installation.schema.js';
import { Placement } from './placement.schema.js';

/** Which installations of an integration are listed. */
export interface InstallationFilter extends ListQuery {
  /** One of their external ids. */
  externalId?: string;
}

/** What of an installation is changed. */
export interface InstallationChanges {
  configuration?: object;
  externalIds?: string[];
  spaceSelection?: Selection;
  siteSelection?: Selection;
}

/** The fields of an installation that are recorded as they are: a configuration often holds keys of others. */
const RECORDED = ['externalIds', 'spaceSelection', 'siteSelection'] as const;

/** Which organizations have which integrations. */
@Injectable()
export class InstallationsService implements OnModuleInit {
  private readonly everywhereIn: (organization: string) => Promise<Installation[]>;

  constructor(
    @InjectModel(Installation.name) private readonly installations: Model<Installation>,
    @InjectModel(Placement.name) private readonly placements: Model<Placement>,
    private readonly database: Database,
    private readonly audit: Audit,
    private readonly sealed: SealedRecords,
    private readonly configurations: Configurations,
  ) {
    this.everywhereIn = database.shared((organization) =>
      this.installations.find({ organization, siteSelection: 'all' }).lean<Installation[]>(),
    );
  }

  /** Has configurations follow the key of the installation. */
  onModuleInit(): void {
    this.sealed.add('configurations of installations', this.configurations.kindOf(this.installations));
  }

  /** The installation `id` of `integration`, or `null`. */
  async find(integration: string, id: string): Promise<Installation | null> {
    return isId(id) ? this.installations.findOne({ _id: id, integration }).lean<Installation>() : null;
  }

  /** One page of the installations of `integration`, newest first. */
  list(integration: string, { externalId, ...query }: InstallationFilter): Promise<Page<Installation>> {
    const filter = { ...(externalId !== undefined && { externalIds: externalId }), integration };
    return findPage(this.installations, filter, query);
  }

  /** The same of those in `organizations` alone: there is one at the most in each. */
  async listIn(
    organizations: readonly string[],
    integration: string,
    { externalId, ...query }: InstallationFilter,
  ): Promise<Page<Installation>> {
    const filter = {
      integration,
      organization: { $in: [...organizations] },
      ...(externalId !== undefined && { externalIds: externalId }),
    };
    const found = organizations.length === 0 ? [] : await this.installations.find(filter).lean<Installation[]>();
    const placeOf = ({ _id, createdAt }: Installation) => ({ at: createdAt.getTime(), id: _id });
    return pageOfDated(found, placeOf, listScope('installations', integration, externalId), query);
  }

  /** One page of what `organization` has installed, newest first. */
  listOf(organization: string, query: ListQuery): Promise<Page<Installation>> {
    return findPage(this.installations, { organization }, query);
  }

  /** The installations `ids`, and those that are on every site of `organization`, the oldest first. Two reads. */
  async onSite(organization: string, ids: readonly string[]): Promise<Installation[]> {
    const everywhere = await this.everywhereIn(organization);
    const others = ids.filter((id) => everywhere.every(({ _id }) => _id !== id));
    const chosen =
      others.length === 0 ? [] : await this.installations.find({ _id: { $in: others } }).lean<Installation[]>();
    return [...everywhere, ...chosen].sort(
      (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one._id < other._id ? -1 : 1),
    );
  }

  /** Whether `integration` is on every site of `organization`. One read. */
  async isEverywhere(integration: string, organization: string): Promise<boolean> {
    return (await this.installations.exists({ integration, organization, siteSelection: 'all' })) !== null;
  }

  /**
   * Installs `integration` in `organization`; joins a surrounding transaction, which holds the integration.
   * @throws ConflictException when it is installed there, or too much is.
   */
  async create(integration: string, organization: string): Promise<Installation> {
    if (await this.installations.exists({ integration, organization })) {
      throw new ConflictException('The integration is installed in this organization already');
    }
    if ((await this.installations.countDocuments({ organization })) >= MAX_INSTALLATIONS) {
      throw new ConflictException(`An organization has at most ${String(MAX_INSTALLATIONS)} installations`);
    }
    const [made] = await this.installations.create([{ _id: newId(), integration, organization }]);
    if (!made) throw new Error('The installation was not made');
    const changes = madeWith({ integration });
    await this.audit.record({ organization, action: 'installation.create', id: made._id, changes });
    return made.toObject<Installation>();
  }

  /**
   * Changes what `changes` names.
   * @throws NotFoundException when it is gone, BadRequestException for a configuration that `integration` does not allow.
   */
  async update(
    { _id: id }: Installation,
    integration: Integration,
    changes: InstallationChanges,
  ): Promise<Installation> {
    const { configuration, ...fields } = changes;
    const sealed = this.configurations.sealing(id, configuration, declaredOf(integration).configurations.account);
    return this.database.transaction(async () => {
      const before = await this.installations.findById(id).lean<Installation>();
      if (!before) throw notFound();
      const anew = this.configurations.differs(before, sealed) ? { configuration: sealed.text } : {};
      const differing = {
        ...changesBetween(before, { ...before, ...fields }, RECORDED),
        ...this.configurations.recorded(anew),
      };
      if (Object.keys(differing).length === 0) return before;
      const after = await this.installations
        .findByIdAndUpdate(id, { $set: { ...fields, ...anew } }, { returnDocument: 'after' })
        .lean<Installation>();
      if (!after) throw notFound();
      const { organization } = before;
      await this.audit.record({ organization, action: 'installation.update', id, changes: differing });
      return after;
    });
  }

  /** Ends an installation, wherever it was put. @throws NotFoundException when it is gone. */
  async remove({ _id: id }: Installation): Promise<void> {
    await this.database.transaction(async () => {
      const removed = await this.installations.findOneAndDelete({ _id: id }).lean<Installation>();
      if (!removed) throw notFound();
      await this.placements.deleteMany({ installation: id });
      const { organization, integration } = removed;
      const changes = removedWith({ integration });
      await this.audit.record({ organization, action: 'installation.delete', id, changes });
    });
  }

  /** Ends every installation of `integration`, but for that in the organization `but`; joins a surrounding transaction. */
  async removeAll(integration: string, { but }: { but?: string } = {}): Promise<void> {
    const filter = { integration, ...(but !== undefined && { organization: { $ne: but } }) };
    await this.installations.deleteMany(filter);
    await this.placements.deleteMany(filter);
  }

  /** Notes that one space fewer is chosen in each of the installations `ids`. */
  async countSpaceOff(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.installations.updateMany({ _id: { $in: [...ids] } }, { $inc: { spaces: -1 } }, { timestamps: false });
  }

  /** Has the installation `id` stay until the surrounding transaction is over, with `spaces` more. @throws NotFoundException when it is gone. */
  async hold(id: string, spaces = 0): Promise<void> {
    const update = { $inc: { holds: 1, spaces } };
    const { matchedCount } = await this.installations.updateOne({ _id: id }, update, { timestamps: false });
    if (matchedCount === 0) throw notFound();
  }
}

const notFound = (): NotFoundException => new NotFoundException('Installation not found');
