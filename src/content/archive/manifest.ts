import { createHash } from 'node:crypto';
import { BadRequestException } from '@nestjs/common';
import { plainToInstance, Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  validateSync,
  ValidateNested,
} from 'class-validator';
import { NoLists, Nullable, Optional, Text } from '../../common/validation.js';
import { type JsonObject, PAGE_KINDS, type PageKind, type PageNode } from '../../revisions/index.js';
import { ContentRefDto } from '../dto/content-ref.dto.js';
import { PageFields } from '../dto/page-fields.dto.js';

/** Raised when a manifest says something that older versions would misread. */
const FORMAT = 1;
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const PRINT = /^[0-9a-f]{64}$/;
const MAX_LINKS = 10_000;

/** A time as the service writes it. */
function Moment(): PropertyDecorator {
  return ValidateBy({
    name: 'moment',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && value.length === 24 && new Date(value).toJSON() === value,
      defaultMessage: (args) => `${args?.property ?? 'value'} must be a time such as 2026-01-31T12:00:00.000Z`,
    },
  });
}

/** Where an address of a page's text leads: to a page or a file, by id. */
export type ManifestLinks = Readonly<Record<string, { page: string } | { file: string }>>;

/** Where a page came from in Git. */
export class ManifestGit {
  @Text(1, 64)
  oid!: string;

  @Text(1, 1000)
  path!: string;
}

/** A page of a space, in reading order; parents come before what is below them. */
export class ManifestPage extends PageFields {
  @Matches(ID)
  id!: string;

  @IsIn(PAGE_KINDS)
  kind!: PageKind;

  /** Id of the page that it lies under; absent at the top. */
  @Optional()
  @Matches(ID)
  parent?: string;

  /** Whether the slug was written by hand. */
  @Optional()
  @IsBoolean()
  slugSet?: boolean;

  /** Name of the file with its text; documents only. */
  @Optional()
  @IsString()
  file?: string;

  /** SHA-256 of that text: what the front matter says counts when the text was edited since. */
  @Optional()
  @Matches(PRINT)
  text?: string;

  /** Whether `file` is the name that it was imported under, and not one made for this archive. */
  @Optional()
  @IsBoolean()
  fileKept?: boolean;

  /** What addresses in its text lead to, where that does not follow from the paths of the pages. */
  @Optional()
  @IsObject()
  links?: ManifestLinks;

  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => ContentRefDto)
  target?: ContentRefDto;

  @Optional()
  @Text(1, 2048)
  href?: string;

  @Optional()
  @IsObject()
  computed?: JsonObject;

  @Optional()
  @Text(1, 100)
  computedSeed?: string;

  /** Where it came from in Git. */
  @Optional()
  @ValidateNested()
  @Type(() => ManifestGit)
  git?: ManifestGit;

  @Moment()
  createdAt!: string;

  @Moment()
  updatedAt!: string;
}

/** A file of a space. */
export class ManifestFile {
  @Matches(ID)
  id!: string;

  @Text(1, 256)
  name!: string;

  @Text(1, 255)
  contentType!: string;

  /** Name of the file in the archive. */
  @IsString()
  file!: string;
}

/** A text that pages show by reference. */
export class ManifestReusableContent {
  @Matches(ID)
  id!: string;

  @Text(1, 1000)
  title!: string;

  @IsString()
  file!: string;
}

/** What a folder of Markdown cannot say of a space: ids, and all that pages have besides title, text and order. */
export class Manifest {
  @Min(1)
  @Max(FORMAT)
  format!: number;

  /** SHA-256 of the table of contents: when it was edited since, it says which pages there are. */
  @Matches(PRINT)
  summary!: string;

  @IsArray()
  @NoLists()
  @ValidateNested({ each: true })
  @Type(() => ManifestPage)
  pages!: ManifestPage[];

  @IsArray()
  @NoLists()
  @ValidateNested({ each: true })
  @Type(() => ManifestFile)
  files!: ManifestFile[];

  @Nullable()
  @IsArray()
  @NoLists()
  @ValidateNested({ each: true })
  @Type(() => ManifestReusableContent)
  reusableContents!: ManifestReusableContent[];
}

/** What a manifest notes of a table of contents. */
export function fingerprint(summary: string | Buffer): string {
  return createHash('sha256').update(summary).digest('hex');
}

/** A page as a manifest gives it: all its fields but its place among the others and its text. */
export type WrittenPage = Omit<PageNode, 'parent' | 'order' | 'document' | 'source'> &
  Pick<ManifestPage, 'parent' | 'file' | 'text' | 'fileKept' | 'links'>;

/** The manifest of an archive, as text. */
export function writeManifest(manifest: Omit<Manifest, 'format' | 'pages'> & { pages: WrittenPage[] }): string {
  return `${JSON.stringify({ format: FORMAT, ...manifest }, null, 1)}\n`;
}

/** Reads a manifest that may come from anywhere. @throws BadRequestException saying what is wrong with it. */
export function readManifest(name: string, text: string): Manifest {
  const manifest = plainToInstance(Manifest, parse(name, text));
  if (!(manifest instanceof Manifest)) throw new BadRequestException(`${name} must hold an object`);
  const [wrong] = validateSync(manifest, { forbidUnknownValues: true, stopAtFirstError: true });
  if (wrong) throw new BadRequestException(`${name}: ${describe(wrong)}`);
  for (const page of manifest.pages) checkLinks(name, page);
  return manifest;
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new BadRequestException(`${name} is not JSON`);
  }
}

interface Wrong {
  property: string;
  constraints?: Record<string, string>;
  children?: Wrong[];
}

function describe({ property, constraints, children }: Wrong): string {
  const [child] = children ?? [];
  return child ? `${property}.${describe(child)}` : (Object.values(constraints ?? {})[0] ?? `${property} is wrong`);
}

function checkLinks(name: string, { id, links }: ManifestPage): void {
  const entries: [string, unknown][] = Object.entries(links ?? {});
  const isTarget = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).length === 1 &&
    Object.entries(value).every(([key, target]) => /^(page|file)$/.test(key) && ID.test(String(target)));
  if (entries.length > MAX_LINKS || !entries.every(([, value]) => isTarget(value))) {
    throw new BadRequestException(`${name}: the links of page ${id} must each name a page or a file`);
  }
}
