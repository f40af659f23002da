import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsObject, IsString, MaxLength, ValidateNested } from 'class-validator';
import { Optional, QueryBoolean, QueryText, WebAddress } from '../../../common/validation.js';

/** Characters of a visitor's token that are taken in. */
const MAX_TOKEN = 16_384;

/** What somebody brings along who visits a site. */
export class SiteVisitorDto {
  /** A token that the application of the site has signed. */
  @ApiPropertyOptional()
  @Optional()
  @IsString()
  @MaxLength(MAX_TOKEN)
  jwtToken?: string;

  /** Claims that nobody vouches for. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @Optional()
  @IsObject()
  unsignedClaims?: object;
}

/** Body of `POST /v1/urls/published`. */
export class ResolveUrlDto {
  /** The address to resolve. */
  @WebAddress()
  url!: string;

  /** Whether visitors whose token is no good are sent where they can sign in. */
  @ApiPropertyOptional({ default: false })
  @Optional()
  @IsBoolean()
  redirectOnError?: boolean;

  @ApiPropertyOptional({ type: SiteVisitorDto })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => SiteVisitorDto)
  visitor?: SiteVisitorDto;
}

/** Query of `GET /v1/urls/published`. */
export class ResolveUrlQuery {
  /** The address to resolve. */
  @WebAddress()
  url!: string;

  /** A token that the application of the site has signed. */
  @QueryText(MAX_TOKEN)
  visitorAuthToken?: string;

  /** Whether visitors whose token is no good are sent where they can sign in. */
  @QueryBoolean(false)
  redirectOnError?: boolean;
}
