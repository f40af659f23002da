import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Blobs } from '../blobs/index.js';
import { Restorations } from '../database/index.js';
import { type JobRun, Jobs } from '../jobs/index.js';
import { ContentSweep } from '../revisions/index.js';
import { SpacePurge } from './space-purge.js';
import { SpacesService } from './spaces.service.js';

/** How often the trash and the store are looked at, ms. */
const OFTEN = 10 * 60_000;
/** How often files that were not written to their end are looked for, ms, and how old they must be. */
const DAY = 24 * 60 * 60_000;
/** Uploads that are looked at in one step. */
const UPLOADS = 100;

/** The jobs that remove for good: spaces after their time in the trash, and what nobody refers to any more. */
@Injectable()
export class SpaceJobs implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly spaces: SpacesService,
    private readonly purge: SpacePurge,
    private readonly sweep: ContentSweep,
    private readonly blobs: Blobs,
    private readonly restorations: Restorations,
  ) {}

  /** Says when they run. */
  onModuleInit(): void {
    this.jobs.every('purge-spaces', OFTEN, async (run) => {
      await this.purge.run(stepOf(run));
    });
    this.jobs.every('sweep-content', OFTEN, async (run) => {
      const step = stepOf(run);
      await this.sweep.run({
        // the spaces of an organization that is being restored come last: until then, its revisions are no orphans
        exists: async (ids) => ((await this.restorations.underWay()) ? new Set(ids) : this.spaces.existing(ids)),
        removeBlobs: async (isReferenced, before) => {
          const referenced = async (hashes: string[]): Promise<Set<string>> => {
            await step();
            return isReferenced(hashes);
          };
          await this.blobs.sweep(referenced, before);
        },
        step,
      });
    });
    this.jobs.every('clean-up-uploads', DAY, async (run) => {
      const step = stepOf(run);
      do await step();
      while ((await this.blobs.cleanUp(new Date(Date.now() - DAY), UPLOADS)) >= UPLOADS);
    });
  }
}

/** Between two steps of a long job: says that it goes on, and ends it when it is asked to stop. */
const stepOf =
  ({ signal, touch }: JobRun) =>
  async (): Promise<void> => {
    signal.throwIfAborted();
    await touch();
  };
