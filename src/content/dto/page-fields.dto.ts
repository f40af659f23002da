import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsObject, ValidateBy, ValidateNested } from 'class-validator';
import { isEmoji, Nullable, Optional, Text } from '../../common/validation.js';
import { PageCoverDto, PageLayoutDto } from './page-layout.dto.js';

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

  /** Of documents. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => PageLayoutDto)
  layout?: PageLayoutDto;

  /** Of documents; `null` removes it. */
  @Nullable()
  @IsObject()
  @ValidateNested()
  @Type(() => PageCoverDto)
  cover?: PageCoverDto | null;
}
