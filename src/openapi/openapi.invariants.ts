import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Blobs } from '../blobs/index.js';
import { Invariants, type Problem } from '../database/index.js';
import { OpenApiSpecs } from './openapi-specs.service.js';
import { OpenApiVersions } from './openapi-versions.service.js';

/** Tells `doctor` what must hold between descriptions, their versions and the bytes of both. */
@Injectable()
export class OpenApiInvariants implements OnModuleInit {
  constructor(
    private readonly invariants: Invariants,
    private readonly specs: OpenApiSpecs,
    private readonly versions: OpenApiVersions,
    private readonly blobs: Blobs,
  ) {}

  /** Adds the invariants. */
  onModuleInit(): void {
    this.invariants.add('every OpenAPI specification has its newest version', () => this.withoutVersion());
    this.invariants.add('every version of an OpenAPI specification has its bytes', () => this.withoutBytes());
  }

  private async *withoutVersion(): AsyncGenerator<Problem> {
    for await (const specs of this.specs.all()) {
      const newest = await this.versions.existing(specs.flatMap(({ lastVersion }) => lastVersion ?? []));
      const texts = new Set(await this.blobs.missing(specs.flatMap(({ text }) => text ?? [])));
      for (const { _id, lastVersion, text } of specs) {
        const where = `OpenAPI specification ${_id}`;
        if (lastVersion !== null && newest.get(lastVersion) !== _id) {
          yield { where, what: `its newest version ${lastVersion} is missing` };
        }
        if (text !== null && texts.has(text)) yield { where, what: 'the text that was sent is missing' };
      }
    }
  }

  private async *withoutBytes(): AsyncGenerator<Problem> {
    for await (const versions of this.versions.all()) {
      const bytesOf = ({ text, document, outline }: (typeof versions)[number]): string[] =>
        [text, document, outline].map(({ hash }) => hash);
      const missing = new Set(await this.blobs.missing(versions.flatMap(bytesOf)));
      for (const version of versions) {
        if (bytesOf(version).some((hash) => missing.has(hash))) {
          yield { where: `version ${version._id} of an OpenAPI specification`, what: 'bytes of it are missing' };
        }
      }
    }
  }
}
