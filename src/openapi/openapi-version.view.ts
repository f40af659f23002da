import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PageOf } from '../common/page.dto.js';
import type { Urls } from '../common/urls.js';
import type { BreakingPart, Comparison, Part } from './description/compare.js';
import type { OpenApiSpec } from './openapi-spec.schema.js';
import type { OpenApiVersion } from './openapi-version.schema.js';

/** Where a version is reached. */
export class OpenApiVersionUrls {
  location!: string;
}

/** What the description of an API said at some time, as the API returns it. */
export class OpenApiVersionView {
  object!: 'openapi-spec-version';
  id!: string;
  /** ISO 8601, UTC. */
  createdAt!: string;
  /** Where its text is read. */
  @ApiProperty({ type: 'string', format: 'uri', maxLength: 2048 })
  url!: string;
  urls!: OpenApiVersionUrls;
}

export class OpenApiVersionPage extends PageOf(OpenApiVersionView) {}

/** What a version says. */
export class OpenApiContentView {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: true },
    description: 'Documents by the names of their files; the first is `openapi.json`.',
  })
  filesystem!: Record<string, object>;
  /** Where its text is read. */
  @ApiProperty({ type: 'string', format: 'uri' })
  url!: string;
}

/** An operation, webhook or schema of a description. */
export class OpenApiPartView {
  kind!: 'operation' | 'webhook' | 'schema';
  /** Of operations and webhooks: `get`. */
  @ApiPropertyOptional()
  method?: string;
  /** Of operations. */
  @ApiPropertyOptional()
  path?: string;
  @ApiPropertyOptional()
  operationId?: string;
  /** Of webhooks and schemas. */
  @ApiPropertyOptional()
  name?: string;
}

/** A part, and why its change may break clients. */
export class OpenApiBreakingView extends OpenApiPartView {
  /** In English. */
  reason!: string;
}

/** What is different between two versions. */
export class OpenApiChangesView {
  added!: OpenApiPartView[];
  removed!: OpenApiPartView[];
  changed!: OpenApiPartView[];
  /** What clients that keep to the earlier version may fail on; a part is named once for each reason. */
  breaking!: OpenApiBreakingView[];
}

/** Where the text of a version is read. */
export function textUrlOf(version: OpenApiVersion, spec: OpenApiSpec, urls: Urls): string {
  return urls.api(...segmentsOf(version, spec), 'content', 'raw');
}

/** Shapes `version` of `spec`. */
export function toOpenApiVersion(version: OpenApiVersion, spec: OpenApiSpec, urls: Urls): OpenApiVersionView {
  return {
    object: 'openapi-spec-version',
    id: version._id,
    createdAt: version.createdAt.toISOString(),
    url: textUrlOf(version, spec, urls),
    urls: { location: urls.api(...segmentsOf(version, spec)) },
  };
}

/** Shapes what is different between two versions. */
export function toOpenApiChanges({ added, removed, changed, breaking }: Comparison): OpenApiChangesView {
  return {
    added: added.map(toPart),
    removed: removed.map(toPart),
    changed: changed.map(toPart),
    breaking: breaking.map((part: BreakingPart) => ({ ...toPart(part), reason: part.reason })),
  };
}

function toPart({ kind, method, path, operationId, name }: Part): OpenApiPartView {
  return {
    kind,
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
    ...(operationId !== undefined && { operationId }),
    ...(name !== undefined && { name }),
  };
}

const segmentsOf = (version: OpenApiVersion, spec: OpenApiSpec): string[] => [
  ...['orgs', spec.organization, 'openapi', spec.slug, 'versions'],
  version._id,
];
