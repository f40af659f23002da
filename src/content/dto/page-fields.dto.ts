import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, ValidateBy } from 'class-validator';
import { isEmoji, isWebAddress, lengthOf, Optional, Text } from '../../common/validation.js';

/** An emoji, or an empty text that removes the present one. */
function EmojiOrNone(): PropertyDecorator {
  return ValidateBy({
    name: 'emojiOrNone',
    validator: {
      validate: (value: unknown) => value === '' || isEmoji(value),
      defaultMessage: (args) => `${args?.property ?? 'value'} must be an emoji, or empty to remove it`,
    },
  });
}

/** What a page shows besides its text; an absent field is left as it is. */
export class PageFields {
  @Optional()
  @Text(1, 1000)
  title?: string;

  /** Last segment of the page's path: a-z, 0-9 and single hyphens. Left out, it follows the title. */
  @Optional()
  @Text(1, 100)
  slug?: string;

  /** Empty to remove it. */
  @Optional()
  @ApiProperty({ maxLength: 50 })
  @EmojiOrNone()
  emoji?: string;

  /** Name of an icon; empty to remove it. */
  @Optional()
  @Text(0, 50)
  icon?: string;

  @Optional()
  @Text(0, 300)
  description?: string;

  /** Whether the page is missing from the published navigation. */
  @Optional()
  @IsBoolean()
  hidden?: boolean;

  /** Whether the page, and all below it, is kept out of our search. */
  @Optional()
  @IsBoolean()
  noIndex?: boolean;

  /** Whether the page, and all below it, is kept from web crawlers. */
  @Optional()
  @IsBoolean()
  noRobotsIndex?: boolean;
}

const ID_TEXT = (value: unknown): boolean => typeof value === 'string' && lengthOf(value) <= 64;

/** Where a link page leads. */
export class LinkTargetDto {
  @IsIn(['url', 'page'], { message: 'kind must be url or page' })
  kind!: 'url' | 'page';

  /** With `kind` `url`: an http or https address. */
  @Optional()
  @ValidateBy({
    name: 'address',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value.length <= 2048 && isWebAddress(value),
      defaultMessage: () => 'url must be an absolute http or https address',
    },
  })
  url?: string;

  /** With `kind` `page`: id of a page of the space. */
  @Optional()
  @ValidateBy({ name: 'id', validator: { validate: ID_TEXT, defaultMessage: () => 'page must be the id of a page' } })
  page?: string;
}
