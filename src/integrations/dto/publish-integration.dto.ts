import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn } from 'class-validator';
import { OneOf, Optional, Text } from '../../common/validation.js';
import { readConfigurations } from '../declared/configuration-schema.js';
import { CSP_DIRECTIVES, readContentSecurityPolicy } from '../declared/content-security-policy.js';
import { readImage } from '../declared/images.js';
import { fail } from '../declared/reading.js';
import { readSecrets } from '../declared/secrets.js';
import {
  INTEGRATION_CATEGORIES,
  INTEGRATION_SCOPES,
  INTEGRATION_TARGETS,
  INTEGRATION_VISIBILITIES,
  type IntegrationCategory,
  type IntegrationScope,
  type IntegrationTarget,
  type IntegrationVisibility,
} from '../integration.schema.js';
import { DeclaredBlockDto, DeclaredContentSourceDto, ExternalLinkDto, ListOf } from './declared-parts.dto.js';
import { CONFIGURATIONS } from './configurations.js';
import { ReadBy } from './read-by.js';

/** Blocks, and content sources, of one integration. */
const MAX_PARTS = 50;
/** Scopes or categories, repeated ones included. */
const MAX_NAMES = 50;
const MAX_PREVIEWS = 3;
/** Characters of a script: a body can be no larger. */
const MAX_SCRIPT = 10 * 1024 * 1024;
const IMAGE = { type: 'string', format: 'byte' } as const;

/** The bytes of preview images. @throws DeclarationError naming the first that is none. */
function readPreviewImages(value: unknown) {
  if (!Array.isArray(value)) return fail('previewImages', 'must be a list of images');
  if (value.length > MAX_PREVIEWS) return fail('previewImages', `must be at most ${String(MAX_PREVIEWS)} images`);
  return value.map((image: unknown, index) => readImage(image, `previewImages.${String(index)}`));
}

/** A list of some of `values`, at most {@link MAX_NAMES}. */
function SomeOf(name: string, values: readonly string[]): PropertyDecorator {
  const message = `${name} must be some of: ${values.join(', ')}; at most ${String(MAX_NAMES)}`;
  return applyDecorators(
    ApiProperty({ type: 'string', enum: [...values], isArray: true, maxItems: MAX_NAMES, default: [] }),
    IsArray({ message }),
    ArrayMaxSize(MAX_NAMES, { message }),
    IsIn(values, { each: true, message }),
  );
}

/** Body of `POST /v1/integrations/:integrationName`. What is absent goes back to its default, but for the secrets. */
export class PublishIntegrationDto {
  /** PNG, JPEG, GIF, WebP or SVG of at most 1 MB, in base64. */
  @Optional()
  @ReadBy((value) => readImage(value, 'icon'), IMAGE)
  icon?: string;

  @Text(2, 30)
  title!: string;

  @Text(0, 100)
  description!: string;

  /** Markdown. */
  @Optional()
  @Text(0, 2048)
  summary?: string;

  /** As the icon. */
  @Optional()
  @ReadBy(readPreviewImages, { type: 'array', items: IMAGE, maxItems: MAX_PREVIEWS })
  previewImages?: string[];

  /** Who finds it: everybody, the members of the organization (unless said otherwise), or whoever knows its name. */
  @Optional()
  @OneOf(INTEGRATION_VISIBILITIES)
  @ApiPropertyOptional({ default: 'private' })
  visibility?: IntegrationVisibility;

  /** What it can be installed on: `all` unless said otherwise. */
  @Optional()
  @OneOf(INTEGRATION_TARGETS)
  @ApiPropertyOptional({ default: 'all' })
  target?: IntegrationTarget;

  @Optional()
  @SomeOf('scopes', INTEGRATION_SCOPES)
  scopes?: IntegrationScope[];

  @Optional()
  @SomeOf('categories', INTEGRATION_CATEGORIES)
  categories?: IntegrationCategory[];

  @Optional()
  @ListOf(() => DeclaredBlockDto, MAX_PARTS)
  blocks?: DeclaredBlockDto[];

  @Optional()
  @ListOf(() => DeclaredContentSourceDto, MAX_PARTS)
  contentSources?: DeclaredContentSourceDto[];

  @Optional()
  @ListOf(() => ExternalLinkDto, 5)
  externalLinks?: ExternalLinkDto[];

  /** What it asks for in an organization (`account`), a space and a site: properties, or a form of its own. */
  @Optional()
  @ReadBy(readConfigurations, CONFIGURATIONS)
  configurations?: object;

  /** JavaScript; kept, served where it is installed, and never run here. */
  @Text(1, MAX_SCRIPT)
  script!: string;

  /** Id or hostname of the organization that publishes it; you are an administrator of it. */
  @Text(1, 100)
  organization!: string;

  /** At most 20; kept encrypted, and never answered. Absent: those of before stay. */
  @Optional()
  @ReadBy(readSecrets, { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 20 })
  secrets?: object;

  /** Sent with the script: a policy, or an object from the names of directives to what they say. */
  @Optional()
  @ReadBy(readContentSecurityPolicy, {
    oneOf: [
      { type: 'string' },
      {
        type: 'object',
        properties: Object.fromEntries(CSP_DIRECTIVES.map((name) => [name, { type: 'string' as const }])),
        additionalProperties: false,
      },
    ],
  })
  contentSecurityPolicy?: string | object;
}
