import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsNumber, IsObject, ValidateNested } from 'class-validator';
import { OneOf, Optional } from '../../common/validation.js';
import { ContentRefDto } from './content-ref.dto.js';

/** How a page is laid out (decision 3.67); what is left out stays as it is. */
export class PageLayoutDto {
  @Optional()
  @OneOf(['default', 'wide'])
  width?: 'default' | 'wide';

  @Optional()
  @IsBoolean()
  cover?: boolean;

  @Optional()
  @OneOf(['hero', 'full'])
  coverSize?: 'hero' | 'full';

  @Optional()
  @IsBoolean()
  title?: boolean;

  @Optional()
  @IsBoolean()
  description?: boolean;

  @Optional()
  @IsBoolean()
  tableOfContents?: boolean;

  @Optional()
  @IsBoolean()
  outline?: boolean;

  @Optional()
  @IsBoolean()
  pagination?: boolean;

  @Optional()
  @IsBoolean()
  metadata?: boolean;
}

/** The image at the head of a page (decision 3.68). */
export class PageCoverDto {
  /** A file of the space, or an address. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => ContentRefDto)
  ref?: ContentRefDto;

  /** The same for dark themes. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => ContentRefDto)
  refDark?: ContentRefDto;

  /** Vertical position; 0 unless given. */
  @Optional()
  @ApiProperty({ default: 0 })
  @IsNumber({ allowNaN: false, allowInfinity: false })
  yPos?: number;
}
