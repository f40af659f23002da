import {
  BadRequestException,
  ConflictException,
  Injectable,
  NotFoundException,
  type OnModuleInit,
} from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, changesBetween, madeWith, removedWith } from '../audit/index.js';
import { Blobs } from '../blobs/index.js';
import { fold, literally } from '../common/folding.js';
import type { Page } from '../common/page.dto.js';
import { findPage } from '../common/pagination.js';
import { reseal, seal, SecretKey } from '../config/index.js';
import { Database, SealedRecords } from '../database/index.js';
import { readConfigurations } from './declared/configuration-schema.js';
import { readContentSecurityPolicy } from './declared/content-security-policy.js';
import { readImage } from './declared/images.js';
import { readSecrets } from './declared/secrets.js';
import { domainsAsked, domainsOf } from './declared/url-domains.js';
import type { ListIntegrationsQuery } from './dto/list-integrations.dto.js';
import type { PublishIntegrationDto } from './dto/publish-integration.dto.js';
import type { Installation } from './installations/installation.schema.js';
import { InstallationsService } from './installations/installations.service.js';
import { mayInstall } from './integration.policy.js';
import {
  type Declared,
  Integration,
  EVERYBODY,
  INTEGRATION_NAME,
  type IntegrationImage,
  MAX_DECLARED,
  MAX_INTEGRATIONS,
} from './integration.schema.js';

/** What secrets are sealed for. */
const SEALED_FOR = 'integration-secrets';
/** What the integrations in a page of a list may come to, in bytes. */
const PAGE = 8 * 1024 * 1024;

/** The bytes that were sent with an integration, stored. */
interface StoredParts {
  icon: IntegrationImage | null;
  previewImages: IntegrationImage[];
  script: string;
}

/** Integrations: published, found, and unpublished. */
@Injectable()
export class IntegrationsService implements OnModuleInit {
  constructor(
    @InjectModel(Integration.name) private readonly integrations: Model<Integration>,
    private readonly database: Database,
    private readonly audit: Audit,
    private readonly blobs: Blobs,
    private readonly key: SecretKey,
    private readonly sealed: SealedRecords,
    private readonly installations: InstallationsService,
  ) {}

  /** Has the bytes of integrations stay, and their secrets follow the key of the installation. */
  onModuleInit(): void {
    this.blobs.keep((hashes) => this.usedAmong(hashes));
    this.sealed.add('secrets of integrations', {
      model: this.integrations,
      fields: ['secrets'],
      reseal: ({ _id, secrets }) => {
        const again = secrets === null ? null : reseal(this.key, SEALED_FOR, _id, secrets);
        return again === null ? null : { secrets: again };
      },
    });
  }

  /** The integration `name`, or `null`. */
  async find(name: string): Promise<Integration | null> {
    return INTEGRATION_NAME.test(name) ? this.integrations.findById(name).lean<Integration>() : null;
  }

  /** The hashes that integrations with one of `hashes` refer to. One read. */
  async usedAmong(hashes: readonly string[]): Promise<Set<string>> {
    const filter = { blobs: { $in: [...hashes] } };
    const found = hashes.length === 0 ? [] : await this.integrations.find(filter, { blobs: 1 }).lean<Integration[]>();
    return new Set(found.flatMap(({ blobs }) => blobs));
  }

  /** Those of the integrations `names` that are there, by name. One read. */
  async byNames(names: readonly string[]): Promise<Map<string, Integration>> {
    const filter = { _id: { $in: [...new Set(names)] } };
    const found = names.length === 0 ? [] : await this.integrations.find(filter).lean<Integration[]>();
    return new Map(found.map((integration) => [integration._id, integration]));
  }

  /**
   * One page of the integrations that somebody who belongs to `organizations` finds, newest first: the public ones, and all of
   * these organizations (decision 5.53).
   */
  list(organizations: readonly string[], { page, limit, ...asked }: ListIntegrationsQuery): Promise<Page<Integration>> {
    const { search, category, blockDomain, blocks, contentSources, owner } = asked;
    const filter = {
      listed: { $in: [EVERYBODY, ...organizations.filter((one) => owner === undefined || one === owner)] },
      ...(owner !== undefined && { organization: owner }),
      ...(search !== undefined && { folded: { $regex: literally(fold(search)) } }),
      ...(category !== undefined && { categories: category }),
      ...(blockDomain !== undefined && { domains: { $in: domainsAsked(blockDomain) } }),
      ...(blocks !== undefined && { hasBlocks: blocks }),
      ...(contentSources !== undefined && { hasContentSources: contentSources }),
    };
    const weight = { field: 'size', most: PAGE } as const;
    return findPage(this.integrations, filter, { page, limit }, { weight, list: asked });
  }

  /**
   * Publishes the integration `name` of `organization`, for the first time or anew (decision 5.54). Secrets stay unless they are
   * sent. Made private, it ends where others have installed it.
   *
   * @throws ConflictException when another organization has the name, or this one too many integrations, BadRequestException when
   * it declares too much.
   */
  async publish(name: string, organization: string, body: PublishIntegrationDto): Promise<Integration> {
    const fields = fieldsOf(name, organization, body);
    const parts = await this.store(organization, body);
    const images = [...(parts.icon ? [parts.icon] : []), ...parts.previewImages];
    const blobs = [...new Set([parts.script, ...images.map(({ blob }) => blob)])];
    const secrets = body.secrets && seal(this.key, SEALED_FOR, name, JSON.stringify(readSecrets(body.secrets)));
    const set = { ...fields, ...parts, blobs, ...(secrets !== undefined && { secrets }) };
    return this.database.transaction(async () => {
      const before = await this.integrations.findById(name).lean<Integration>();
      await this.checkFree(before, organization);
      const version = (before?.version ?? 0) + 1;
      const update = {
        $set: { ...set, version },
        $setOnInsert: { ...(secrets === undefined && { secrets: null }), holds: 0 },
      };
      const after = await this.integrations
        .findOneAndUpdate({ _id: name }, update, { upsert: true, returnDocument: 'after' })
        .lean<Integration>()
        .orFail();
      if (after.visibility === 'private') await this.installations.removeAll(name, { but: organization });
      const { title, visibility } = after;
      const changes = before
        ? changesBetween(before, after, ['version', 'title', 'visibility', 'target', 'scopes'])
        : madeWith({ version, title, visibility, target: after.target, scopes: after.scopes });
      await this.audit.record({ organization, action: 'integration.publish', id: name, changes });
      return after;
    });
  }

  /** Removes an integration, and ends it wherever it is installed (decision 5.55). @throws NotFoundException when it is gone. */
  async remove({ _id: name }: Pick<Integration, '_id'>): Promise<void> {
    await this.database.transaction(async () => {
      const removed = await this.integrations.findOneAndDelete({ _id: name }).lean<Integration>();
      if (!removed) throw new NotFoundException('Integration not found');
      await this.installations.removeAll(name);
      const { organization, version, title, visibility } = removed;
      const changes = removedWith({ version, title, visibility });
      await this.audit.record({ organization, action: 'integration.unpublish', id: name, changes });
    });
  }

  /**
   * Installs the integration `name` in `organization`.
   * @throws NotFoundException when it is gone, BadRequestException when it is for others, ConflictException when it is installed
   * there, or too much is.
   */
  install(name: string, organization: string): Promise<Installation> {
    return this.database.transaction(async () => {
      // whoever unpublishes it, or makes it private, meets this
      const integration = await this.integrations
        .findOneAndUpdate({ _id: name }, { $inc: { holds: 1 } }, { returnDocument: 'after', timestamps: false })
        .lean<Integration>();
      if (!integration) throw new NotFoundException('Integration not found');
      if (!mayInstall(integration, organization)) {
        throw new BadRequestException('organization must be the owner of the integration, as it is private');
      }
      return this.installations.create(name, organization);
    });
  }

  private async checkFree(before: Integration | null, organization: string): Promise<void> {
    if (before && before.organization !== organization) {
      throw new ConflictException(`The name is taken: another organization publishes "${before._id}"`);
    }
    if (!before && (await this.integrations.countDocuments({ organization })) >= MAX_INTEGRATIONS) {
      throw new ConflictException(`An organization publishes at most ${String(MAX_INTEGRATIONS)} integrations`);
    }
  }

  /** Stores script and images; what refers to them is written afterwards. */
  private async store(
    organization: string,
    { icon, previewImages = [], script }: PublishIntegrationDto,
  ): Promise<StoredParts> {
    const put = async (image: string): Promise<IntegrationImage> => {
      const { bytes, ending } = readImage(image, 'image');
      return { blob: (await this.blobs.put(organization, bytes)).hash, ending };
    };
    const previews: IntegrationImage[] = [];
    for (const image of previewImages) previews.push(await put(image));
    return {
      icon: icon === undefined ? null : await put(icon),
      previewImages: previews,
      script: (await this.blobs.put(organization, Buffer.from(script))).hash,
    };
  }
}

/** What of a checked body is kept in the record as it is, and what follows from it. @throws BadRequestException. */
function fieldsOf(name: string, organization: string, body: PublishIntegrationDto) {
  const { title, description, summary = null, visibility = 'private', target = 'all' } = body;
  const { scopes = [], categories = [], blocks = [], contentSources = [] } = body;
  const declared = JSON.stringify(declaredIn(body));
  const size = Buffer.byteLength(declared);
  if (size > MAX_DECLARED) {
    throw new BadRequestException(
      `blocks, contentSources, configurations and externalLinks must be at most ${String(MAX_DECLARED)} bytes of JSON together`,
    );
  }
  return {
    ...{ organization, title, description, summary, visibility, target, scopes, categories, declared, size },
    folded: fold(`${name}\n${title}`),
    listed: visibility === 'public' ? EVERYBODY : organization,
    hasBlocks: blocks.length > 0,
    hasContentSources: contentSources.length > 0,
    domains: domainsOf(blocks.flatMap(({ urlUnfurl = [] }) => urlUnfurl)),
  };
}

/** What of a checked body answers give back as it came. */
function declaredIn(body: PublishIntegrationDto): Declared {
  const { blocks = [], contentSources = [], externalLinks = [], configurations = {}, contentSecurityPolicy } = body;
  return {
    blocks,
    contentSources,
    externalLinks: externalLinks.map(({ url, label }) => ({ url, label })),
    configurations: readConfigurations(configurations),
    ...(contentSecurityPolicy !== undefined && {
      contentSecurityPolicy: readContentSecurityPolicy(contentSecurityPolicy),
    }),
  };
}
