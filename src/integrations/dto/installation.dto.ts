import { ApiProperty } from '@nestjs/swagger';
import { PageQuery } from '../../common/page.dto.js';
import { OneOf, Optional, QueryText, Text } from '../../common/validation.js';
import { objectAt, readTexts } from '../declared/reading.js';
import { type Selection, SELECTIONS } from '../installations/installation.schema.js';
import { ReadBy } from './read-by.js';

/** Ids that an integration gives an installation (decision 3.89). */
const MAX_EXTERNAL_IDS = 5;
/** Characters of each. */
export const MAX_EXTERNAL_ID = 256;

/** Query of `GET /v1/integrations/:integrationName/installations`. */
export class ListInstallationsQuery extends PageQuery {
  /** Those that have this among their `externalIds`. */
  @QueryText(MAX_EXTERNAL_ID)
  externalId?: string;
}

/** Body of `POST /v1/integrations/:integrationName/installations`. */
export class InstallIntegrationDto {
  /** Id of an organization that you are an administrator of. */
  @Text(1, 64)
  organization!: string;
}

/** What is set of an integration in one place; an absent field is left as it is. */
export class UpdatePlacementDto {
  /** Everything that is set, by what the integration asks for; it takes the place of what was set before. */
  @Optional()
  @ReadBy((value) => objectAt(value, 'configuration'), { type: 'object', additionalProperties: true })
  configuration?: object;

  /** Ids of the integration's own. */
  @Optional()
  @ReadBy((value) => readTexts(value, 'externalIds', MAX_EXTERNAL_IDS, MAX_EXTERNAL_ID), {
    type: 'array',
    items: { type: 'string', maxLength: MAX_EXTERNAL_ID },
    maxItems: MAX_EXTERNAL_IDS,
  })
  externalIds?: string[];
}

/** Body of `PATCH /v1/integrations/:integrationName/installations/:installationId`; an absent field is left as it is. */
export class UpdateInstallationDto extends UpdatePlacementDto {
  /** `all`: it is on all spaces of the organization. */
  @Optional()
  @OneOf(SELECTIONS)
  space_selection?: Selection;

  /** `all`: it is on all sites of the organization. */
  @Optional()
  @OneOf(SELECTIONS)
  site_selection?: Selection;
}

/** Body of `POST …/installations/:installationId/spaces`. */
export class InstallOnSpaceDto {
  /** Id of a space of the organization. */
  @ApiProperty()
  @Text(1, 64)
  space!: string;
}

/** Body of `POST …/installations/:installationId/sites`. */
export class InstallOnSiteDto {
  /** Id of a site of the organization. */
  @ApiProperty()
  @Text(1, 64)
  siteId!: string;
}
