import { Injectable } from '@nestjs/common';
import { parsedUrl } from '../../common/parsed-url.js';
import { Urls } from '../../common/urls.js';
import { type ContentRef, type ContentTree, DocumentsService, type TreePage } from '../../revisions/index.js';
import type { TargetStatus } from './link.schema.js';
import { leadsNowhere } from './page-links.js';

/** A target, as far as its status goes. */
export interface Target {
  readonly resource: string;
  readonly ref: ContentRef;
}

/** Tells in which state targets are (decision 3.75). */
@Injectable()
export class TargetStatuses {
  private readonly app: string;

  constructor(
    private readonly documents: DocumentsService,
    urls: Urls,
  ) {
    this.app = urls.app();
  }

  /** The status of each of `targets` in the content of `tree`, in their order; a few readings for all of them. */
  async of(tree: ContentTree, targets: readonly Target[]): Promise<TargetStatus[]> {
    const refs = targets.map(({ ref }) => ref);
    const pages = await tree.findPlaced(
      unique(refs.flatMap((ref) => ('page' in ref && !isOutside(ref) ? (ref.page ?? []) : []))),
    );
    const files = await tree.findFiles(unique(refs.flatMap((ref) => (ref.kind === 'file' ? ref.file : []))));
    const reusable = await tree.findReusableContents(
      unique(refs.flatMap((ref) => (ref.kind === 'reusable-content' && !isOutside(ref) ? ref.reusableContent : []))),
    );
    const anchors = await this.anchors(
      refs.flatMap((ref) => (ref.kind === 'anchor' ? (pages.get(ref.page ?? '') ?? []) : [])),
    );
    return targets.map(({ ref, resource }) => {
      if (leadsNowhere(resource)) return 'broken';
      if (isOutside(ref)) return 'outside';
      if (ref.kind === 'url') return this.isInApp(ref.url) ? 'in-app' : 'ok';
      if (ref.kind === 'page') return okIf(pages.has(ref.page));
      if (ref.kind === 'anchor') return okIf(anchors.get(ref.page ?? '')?.has(ref.anchor) === true);
      if (ref.kind === 'file') return okIf(files.has(ref.file));
      return okIf(ref.kind === 'reusable-content' && reusable.has(ref.reusableContent));
    });
  }

  /** The anchors of each of `pages`, by page; those without a text have none. */
  async anchors(pages: readonly TreePage[]): Promise<Map<string, ReadonlySet<string>>> {
    const outlines = await this.documents.outlines(unique(pages.flatMap(({ node }) => node.document ?? [])));
    const found = new Map<string, ReadonlySet<string>>();
    for (const { node } of pages) {
      if (found.has(node.id)) continue;
      const { headings = [], anchors = [] } = outlines.get(node.document ?? '') ?? {};
      found.set(node.id, new Set([...headings.map(({ slug }) => slug), ...anchors]));
    }
    return found;
  }

  /** Whether `url` leads into the application for authors. */
  private isInApp(url: string): boolean {
    const { origin, pathname } = new URL(this.app);
    const asked = parsedUrl(url);
    if (!asked) return false;
    const base = pathname.replace(/\/$/, '');
    return asked.origin === origin && (asked.pathname === base || asked.pathname.startsWith(`${base}/`));
  }
}

/** Whether `ref` leads to what is not of the space itself, so that who asks decides whether it is there. */
export function isOutside(ref: ContentRef): boolean {
  if (ref.kind === 'user' || ref.kind === 'collection' || ref.kind === 'openapi' || ref.kind === 'space') return true;
  return 'space' in ref && ref.space !== undefined;
}

function okIf(holds: boolean): TargetStatus {
  return holds ? 'ok' : 'broken';
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
