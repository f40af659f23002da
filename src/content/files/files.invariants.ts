import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Blobs } from '../../blobs/index.js';
import { Invariants, type Problem } from '../../database/index.js';
import { RevisionsService } from '../../revisions/index.js';
import { type Space, SpacesService } from '../../spaces/index.js';

/** Files that are looked at in one go. */
const BATCH = 500;

/** Tells `doctor` what must hold between content and the bytes of its files. */
@Injectable()
export class FilesInvariants implements OnModuleInit {
  constructor(
    private readonly invariants: Invariants,
    private readonly spaces: SpacesService,
    private readonly revisions: RevisionsService,
    private readonly blobs: Blobs,
  ) {}

  /** Adds the invariant. */
  onModuleInit(): void {
    this.invariants.add('every file of every space has its bytes', () => this.withoutBytes());
  }

  private async *withoutBytes(): AsyncGenerator<Problem> {
    for await (const space of this.spaces.all()) yield* this.withoutBytesIn(space);
  }

  private async *withoutBytesIn(space: Space): AsyncGenerator<Problem> {
    const content = this.revisions.tree(await this.revisions.get(space.revision));
    for (let after: { name: string; id: string } | undefined; ;) {
      const files = await content.files(BATCH, after);
      const missing = new Set(await this.blobs.missing(files.map(({ blob }) => blob)));
      for (const { id, name, blob } of files) {
        if (!missing.has(blob)) continue;
        yield { where: `space ${space._id}`, what: `the bytes of the file ${id} (${name}) are missing` };
      }
      const last = files.at(-1);
      if (!last || files.length < BATCH) return;
      after = { name: last.name, id: last.id };
    }
  }
}
