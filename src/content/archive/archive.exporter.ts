import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Blobs } from '../../blobs/index.js';
import { batchesOf } from '../../common/batches-of.js';
import type { VisitorClaims } from '../../conditions/index.js';
import {
  type ContentTree,
  DocumentsService,
  type FileEntry,
  type PageTree,
  type ReusableContent,
  RevisionsService,
  type TreePage,
} from '../../revisions/index.js';
import type { Space } from '../../spaces/index.js';
import { linksAsRead } from '../links/index.js';
import { PageTexts } from '../page-texts.js';
import type { ArchiveEntry } from './archive-entry.js';
import { GroupedReads } from './grouped-reads.js';
import { layOut, type Layout, MANIFEST, SUMMARY } from './layout.js';
import { fingerprint, type ManifestLinks, type WrittenPage, writeManifest } from './manifest.js';
import { summaryText } from './summary-text.js';

/** Everything of a space's content as files. */
export interface Archive {
  /** To be opened in this order, one after the other. */
  entries: ArchiveEntry[];
  /** When the content came to be as it is. */
  at: Date;
}

/** What an archive is made of. */
interface Source {
  title: string;
  content: ContentTree;
  tree: PageTree;
  files: readonly FileEntry[];
  reusableContents: readonly ReusableContent[];
  layout: Layout;
  /** What was written for each page, as far as entries were opened. */
  prints: Map<string, string>;
  /** What conditions in texts read; `null`: they are not applied. */
  claims: VisitorClaims | null;
  /** Pages of which those kept something back: what their links lead to is told by what was written alone. */
  cut: Set<string>;
}

/** Pages whose links are in memory at once. */
const BATCH = 200;
/** Types of files that do not get smaller. */
const PACKED = /^(?:image\/(?!svg|bmp)|video\/|audio\/|font\/woff|application\/(?:zip|gzip|x-7z|pdf))/;

/** Makes archives: Markdown files, SUMMARY.md, files, and a manifest with all that those cannot say (decision B.13). */
@Injectable()
export class ArchiveExporter {
  constructor(
    private readonly revisions: RevisionsService,
    private readonly documents: DocumentsService,
    private readonly texts: PageTexts,
    private readonly blobs: Blobs,
  ) {}

  /**
   * The primary content of `space`, as it is now: what is edited meanwhile is not seen. Texts are as they are read, by a visitor
   * with `claims` where there are some.
   */
  async export(
    { title, revision: id }: Pick<Space, 'title' | 'revision'>,
    claims: VisitorClaims | null = null,
  ): Promise<Archive> {
    const revision = await this.revisions.get(id);
    const content = this.revisions.tree(revision);
    const [tree, files, reusableContents] = [
      await content.tree(),
      await content.files(),
      await content.reusableContents(),
    ];
    const layout = layOut({ tree, files, reusableContents });
    const noted = { prints: new Map<string, string>(), cut: new Set<string>() };
    const source = { title, content, tree, files, reusableContents, layout, claims, ...noted };
    const summary = summaryText(title, tree.pages, layout);
    const entries = [
      textEntry(SUMMARY, () => Promise.resolve(summary)),
      ...this.pageEntries(source),
      ...this.reusableEntries(source),
      ...this.fileEntries(source),
      // last: it tells what was written before
      textEntry(MANIFEST, () => this.manifest(source, summary)),
    ];
    return { entries, at: revision.createdAt };
  }

  private pageEntries({ content, tree, layout, prints, claims, cut }: Source): ArchiveEntry[] {
    const texts = new GroupedReads([...layout.pages.keys()], (ids) =>
      this.texts.markdowns(
        content,
        ids.flatMap((id) => tree.byId.get(id) ?? []),
      ),
    );
    return [...layout.pages].map(([id, name]) =>
      textEntry(name, async () => {
        const [page, written] = [tree.byId.get(id), await texts.get(id)];
        if (!page || written === undefined) throw new Error(`The text of page ${id} is missing`);
        const text = claims ? await this.texts.shown(content, page, { markdown: written, claims }) : written;
        if (text !== written) cut.add(id);
        prints.set(id, fingerprint(text));
        return text;
      }),
    );
  }

  private reusableEntries({ reusableContents, layout, claims }: Source): ArchiveEntry[] {
    return reusableContents.flatMap(({ id, document }) => {
      const name = layout.reusableContents.get(id);
      const read = async (): Promise<string> => {
        const markdown = await this.documents.markdown(document);
        return claims ? this.texts.shownWritten(document, { markdown, claims }) : markdown;
      };
      return name === undefined ? [] : [textEntry(name, read)];
    });
  }

  private fileEntries({ files, layout }: Source): ArchiveEntry[] {
    return files.flatMap(({ id, blob, contentType }) => {
      const name = layout.files.get(id);
      const open = (): Promise<Readable> => Promise.resolve(this.blobs.stream(blob));
      return name === undefined ? [] : [{ name, packs: !PACKED.test(contentType), open }];
    });
  }

  private async manifest(
    { content, tree, files, reusableContents, layout, prints, cut }: Source,
    summary: string,
  ): Promise<string> {
    const pages = inOrder(tree.pages);
    const links = new Map<string, ManifestLinks>();
    const whole = pages.filter(({ node }) => !cut.has(node.id));
    for (const batch of batchesOf(whole, BATCH)) {
      const outlines = await this.documents.outlines(batch.flatMap(({ node }) => node.document ?? []));
      for (const [page, found] of await linksAsRead(content, batch, outlines)) links.set(page, found);
    }
    return writeManifest({
      summary: fingerprint(summary),
      pages: pages.map((page) => toManifestPage(page, { links, layout, prints })),
      files: files.map(({ id, name, contentType }) => ({ id, name, contentType, file: layout.files.get(id) ?? '' })),
      reusableContents: reusableContents.map(({ id, title }) => ({
        id,
        title,
        file: layout.reusableContents.get(id) ?? '',
      })),
    });
  }
}

function textEntry(name: string, read: () => Promise<string>): ArchiveEntry {
  return { name, packs: true, open: async () => Readable.from([Buffer.from(await read())], { objectMode: false }) };
}

function inOrder(pages: readonly TreePage[]): TreePage[] {
  return pages.flatMap((page) => [page, ...inOrder(page.pages)]);
}

/** Every field of a page but those that follow from its place, as it is kept. */
function toManifestPage(
  { node }: TreePage,
  { links, layout, prints }: Pick<Source, 'layout' | 'prints'> & { links: ReadonlyMap<string, ManifestLinks> },
): WrittenPage {
  const { parent, order: _, document: __, source, ...fields } = node;
  const [file, text, found] = [layout.pages.get(node.id), prints.get(node.id), links.get(node.id)];
  return {
    ...fields,
    ...(parent !== null && { parent }),
    ...(file !== undefined && { file }),
    ...(text !== undefined && { text }),
    ...(file !== undefined && file === source && { fileKept: true }),
    ...(found && { links: found }),
  };
}
