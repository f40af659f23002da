import { ApiPropertyOptional } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { PageQuery } from '../../common/page.dto.js';
import { Optional, QueryBoolean, QueryOneOf, QueryText } from '../../common/validation.js';
import { INTEGRATION_CATEGORIES, INTEGRATION_NAME, type IntegrationCategory } from '../integration.schema.js';

/** Query of `GET /v1/integrations`; all that is given must hold. */
export class ListIntegrationsQuery extends PageQuery {
  /** Part of the name or title, in any case. */
  @QueryText(256)
  search?: string;

  @QueryOneOf(INTEGRATION_CATEGORIES)
  category?: IntegrationCategory;

  /** Those with a block that addresses on this domain become. */
  @ApiPropertyOptional({ type: 'string', maxLength: 100, pattern: INTEGRATION_NAME.source })
  @Optional()
  @Matches(INTEGRATION_NAME, { message: 'blockDomain must be a domain of at most 100 characters: A-Z a-z 0-9 - _ .' })
  blockDomain?: string;

  /** Those with blocks, or those without. */
  @QueryBoolean()
  blocks?: boolean;

  /** Those with content sources, or those without. */
  @QueryBoolean()
  contentSources?: boolean;

  /** Id of the organization that publishes them. */
  @QueryText(64)
  owner?: string;
}
