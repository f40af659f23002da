import { ApiProperty } from '@nestjs/swagger';
import { Matches, MaxLength } from 'class-validator';

/** A path of URL-safe segments, without a slash at its end. */
const SOURCE = /^\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+)*$/;

/** Query of `GET …/sites/:siteId/redirect`. */
export class RedirectQuery {
  /** Path below the base of the site. */
  @ApiProperty({ maxLength: 512, pattern: SOURCE.source, example: '/guides/install' })
  @MaxLength(512)
  @Matches(SOURCE, {
    message: 'source must be a path: it begins with "/", has URL-safe segments, and no "/" at its end',
  })
  source!: string;
}
