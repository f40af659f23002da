import { Injectable, type OnModuleInit, PreconditionFailedException } from '@nestjs/common';
import { Answers } from '../common/answers.js';
import { DomainEvents } from '../common/domain-events.js';
import { OwnSites } from '../organizations/index.js';
import { SitesService } from './sites.service.js';
import { withoutSpace } from './structure/site-spaces.js';

/** Keeps sites in step with the spaces that they carry, and organizations with their sites. */
@Injectable()
export class SiteLife implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly answers: Answers,
    private readonly sites: SitesService,
  ) {}

  /** Follows what becomes of spaces: in the trash they are not shown, and their removal takes them off (decision 4.9). */
  onModuleInit(): void {
    this.answers.give(OwnSites, this.sites);
    this.events.on('space.transferring', async ({ space }) => {
      if (await this.sites.carries(space)) {
        throw new PreconditionFailedException('The space is on a site: take it off the site before you give it away');
      }
    });
    this.events.on('space.deleted', ({ space }) => this.setTrashed(space, true));
    this.events.on('space.restored', ({ space }) => this.setTrashed(space, false));
    this.events.on('space.purged', async ({ space }) => {
      for (const _id of await this.sites.idsCarrying(space)) {
        await this.sites.change({ _id }, ({ structure }) => ({ structure: withoutSpace(structure, space) }));
      }
    });
  }

  private async setTrashed(space: string, isTrashed: boolean): Promise<void> {
    for (const _id of await this.sites.idsCarrying(space)) {
      await this.sites.change({ _id }, ({ trashed }) => {
        const others = trashed.filter((one) => one !== space);
        return { trashed: isTrashed ? [...others, space] : others };
      });
    }
  }
}
