import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SpacePurge } from '../spaces/index.js';
import { LinkIndex } from './links/index.js';
import { SearchIndex } from './search/index.js';

/** Removes what search and links know of a space, with the space. */
@Injectable()
export class ContentPurge implements OnModuleInit {
  constructor(
    private readonly purge: SpacePurge,
    private readonly search: SearchIndex,
    private readonly links: LinkIndex,
  ) {}

  /** Takes part in every purge. */
  onModuleInit(): void {
    this.purge.add((space, limit) => this.search.purge(space, limit));
    this.purge.add((space, limit) => this.links.purge(space, limit));
  }
}
