import { Injectable, type OnModuleInit, PreconditionFailedException } from '@nestjs/common';
import { DomainEvents } from '../common/domain-events.js';
import { SiteParts } from '../sites/index.js';
import { PlacementsService } from './installations/placements.service.js';

/** Keeps installations in step with the spaces and sites that they were put on. */
@Injectable()
export class IntegrationLife implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly parts: SiteParts,
    private readonly placements: PlacementsService,
  ) {}

  /** Follows what becomes of spaces and sites: whoever deletes one ends what is installed on it. */
  onModuleInit(): void {
    this.events.on('space.transferring', async ({ space }) => {
      if (await this.placements.carries('space', space)) {
        throw new PreconditionFailedException(
          'Integrations are installed on the space: take them off before you give it away',
        );
      }
    });
    this.events.on('space.deleted', ({ space }) => this.placements.removeFrom('space', space));
    this.parts.add({
      changed: async (before, after) => {
        if (before.published !== after.published) await this.placements.setPublished(after._id, after.published);
      },
      removed: ({ _id }) => this.placements.removeFrom('site', _id),
    });
  }
}
