import {
  BadRequestException,
  ConflictException,
  Injectable,
  NotFoundException,
  type OnModuleInit,
} from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, changesBetween, madeWith, removedWith } from '../../audit/index.js';
import { isId, newId } from '../../common/ids.js';
import type { Page } from '../../common/page.dto.js';
import { findPage, type ListQuery } from '../../common/pagination.js';
import { SiteParts } from '../site-parts.js';
import type { Site } from '../site.schema.js';
import { SitesService } from '../sites.service.js';
import { shownStructure } from '../structure/shown.js';
import { Destinations, type SiteShown } from './destinations.service.js';
import { MAX_REDIRECTS, Redirect, type RedirectDestination } from './redirect.schema.js';
import type { ShownRedirect } from './redirect.view.js';
import { keyOf, segmentsOf } from './source.js';

/** What a redirect is made of. */
export interface NewRedirect {
  source: string;
  destination: RedirectDestination;
}

/** A redirect of an address, and where it leads: segments below the base of the site, not percent-encoded. */
export interface FoundRedirect {
  redirect: ShownRedirect;
  segments: string[];
}

/** The id of redirects that nobody wrote. */
const AUTOMATIC = 'automatic';

/** The redirects of sites: those that people write, and those that moved things leave (decision B.9). */
@Injectable()
export class RedirectsService implements OnModuleInit {
  constructor(
    @InjectModel(Redirect.name) private readonly redirects: Model<Redirect>,
    private readonly sites: SitesService,
    private readonly parts: SiteParts,
    private readonly destinations: Destinations,
    private readonly audit: Audit,
  ) {}

  /** Has the redirects of a site go with it. */
  onModuleInit(): void {
    this.parts.add({
      removed: async ({ _id: site }) => {
        await this.redirects.deleteMany({ site });
      },
    });
  }

  /** One page of the redirects that people wrote, newest first. */
  list({ _id: site }: Pick<Site, '_id'>, query: ListQuery): Promise<Page<Redirect>> {
    return findPage(this.redirects, { site }, query);
  }

  /**
   * Adds a redirect. @throws BadRequestException for a destination that is not there and for too many, ConflictException
   * for a source that has one.
   */
  async create(site: Site, { source, destination }: NewRedirect): Promise<Redirect> {
    await this.destinations.check({ ...site, structure: shownStructure(site) }, destination);
    const record = { _id: newId(), site: site._id, source, key: keyOfSource(source), destination };
    await this.sites.change(site, async ({ organization, redirects }) => {
      if (redirects >= MAX_REDIRECTS)
        throw new BadRequestException(`A site has at most ${String(MAX_REDIRECTS)} redirects`);
      await this.requireFree(record);
      await this.redirects.create([record]);
      const changes = madeWith({ source, destination });
      await this.audit.record({ organization, action: 'site-redirect.create', id: record._id, changes });
      return { redirects: redirects + 1 };
    });
    return this.get(site, record._id);
  }

  /** Changes a redirect; nothing, and nothing moves. @throws NotFoundException, and as {@link create}. */
  async update(site: Site, id: string, changes: Partial<NewRedirect>): Promise<Redirect> {
    const { source, destination } = changes;
    if (destination) await this.destinations.check({ ...site, structure: shownStructure(site) }, destination);
    const present = await this.get(site, id);
    if (Object.keys(changes).length === 0) return present;
    await this.sites.change(site, async ({ organization, redirects }) => {
      const before = await this.get(site, id);
      const { _id } = before;
      const differing = changesBetween(before, { ...before, ...changes }, ['source', 'destination']);
      if (Object.keys(differing).length === 0) return {};
      const set = { ...changes, ...(source !== undefined && { key: keyOfSource(source) }) };
      if (set.key !== undefined) await this.requireFree({ _id, site: site._id, source: source ?? '', key: set.key });
      await this.redirects.updateOne({ _id }, { $set: set });
      await this.audit.record({ organization, action: 'site-redirect.update', id: _id, changes: differing });
      return { redirects };
    });
    return this.get(site, id);
  }

  /** Removes a redirect. @throws NotFoundException. */
  async remove(site: Pick<Site, '_id'>, id: string): Promise<void> {
    await this.sites.change(site, async ({ organization, redirects }) => {
      const { _id, source, destination } = await this.get(site, id);
      await this.redirects.deleteOne({ _id });
      const changes = removedWith({ source, destination });
      await this.audit.record({ organization, action: 'site-redirect.delete', id: _id, changes });
      return { redirects: redirects - 1 };
    });
  }

  /**
   * Where `source`, a path below the base of `site`, leads on: by what somebody wrote, else by where something was once.
   * `null`: nowhere, or to where it is. What `site` shows to whoever asks is its `structure`. Content goes before redirects:
   * this is to be asked where an address leads to none.
   */
  async find(site: SiteShown, source: string): Promise<FoundRedirect | null> {
    const segments = segmentsOf(source);
    if (!segments || segments.length === 0) return null;
    const written = await this.written(site, segments);
    if (written) return written;
    const found = await this.destinations.formerly(site, segments);
    if (!found || isSame(found.segments, segments)) return null;
    const redirect = { id: AUTOMATIC, source: keyOf(segments), destination: found.destination };
    return { redirect, segments: found.segments };
  }

  /** The same by what somebody wrote alone: where that is asked about every address without a page. */
  async findWritten(site: SiteShown, source: string): Promise<FoundRedirect | null> {
    const segments = segmentsOf(source);
    return segments && segments.length > 0 ? this.written(site, segments) : null;
  }

  private async written(site: SiteShown, asked: string[]): Promise<FoundRedirect | null> {
    const redirect = await this.redirects.findOne({ site: site._id, key: keyOf(asked) }).lean<Redirect>();
    const segments = redirect && (await this.destinations.segments(site, redirect.destination));
    if (!redirect || !segments || isSame(segments, asked)) return null;
    const { _id: id, source, destination } = redirect;
    return { redirect: { id, source, destination }, segments };
  }

  private async get({ _id: site }: Pick<Site, '_id'>, id: string): Promise<Redirect> {
    const redirect = isId(id) ? await this.redirects.findOne({ _id: id, site }).lean<Redirect>() : null;
    if (!redirect) throw new NotFoundException('Redirect not found');
    return redirect;
  }

  private async requireFree({
    _id,
    site,
    source,
    key,
  }: Pick<Redirect, '_id' | 'site' | 'source' | 'key'>): Promise<void> {
    if (await this.redirects.exists({ site, key, _id: { $ne: _id } }))
      throw new ConflictException(`source is taken: another redirect of the site begins at ${source}`);
  }
}

function keyOfSource(source: string): string {
  return keyOf(segmentsOf(source) ?? []);
}

/** Whether two addresses are one; they are read without regard to case. */
function isSame(one: readonly string[], other: readonly string[]): boolean {
  return keyOf(one).toLowerCase() === keyOf(other).toLowerCase();
}
