import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject, IsString, ValidateNested } from 'class-validator';
import { OneOf, Optional } from '../../../common/validation.js';
import { SearchQuery } from '../../../content/index.js';
import { MAX_SITE_SPACES } from '../../structure/structure.js';

/** In which parts of a site to search. */
export class SearchScopeDto {
  /** `default`: the default site-space of every section. `specific`: those that are named. `all`: everywhere. */
  @OneOf(['default', 'specific', 'all'])
  mode!: 'default' | 'specific' | 'all';

  /** With `default`, ids of site-spaces to search beside. */
  @ApiPropertyOptional({ type: [String] })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_SITE_SPACES)
  @IsString({ each: true })
  includedSiteSpaces?: string[];

  /** With `specific`, ids of the site-spaces to search. */
  @ApiPropertyOptional({ type: [String], minItems: 1 })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_SITE_SPACES)
  @IsString({ each: true })
  siteSpaceIds?: string[];
}

/** Body of `POST …/sites/:siteId/search`: with `scope`, or one of the older ways to say the same. */
export class SearchSiteDto extends PickType(SearchQuery, ['query']) {
  @ApiPropertyOptional({ type: SearchScopeDto })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => SearchScopeDto)
  scope?: SearchScopeDto;

  /** `all`: everywhere. `current`: in `siteSpaceId` and the defaults of all sections. `specific`: in `siteSpaceIds`. */
  @Optional()
  @OneOf(['all', 'current', 'specific'])
  mode?: 'all' | 'current' | 'specific';

  /** Id of a site-space. */
  @ApiProperty({ required: false })
  @Optional()
  @IsString()
  siteSpaceId?: string;

  /** Ids of site-spaces. */
  @ApiPropertyOptional({ type: [String], minItems: 1 })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_SITE_SPACES)
  @IsString({ each: true })
  siteSpaceIds?: string[];
}
