import { ContentWriter } from '../../src/content/content.writer.js';
import type { TreeEditor } from '../../src/revisions/index.js';
import type { TestApp } from './app.js';
import { type EditAnswer, Editing, type PageAnswer } from './editing.js';
import { givenSpace } from './given.js';

/** Where a link stands or leads. */
export interface Location {
  kind: string;
  page?: { id: string; title: string; path: string };
  space?: { id: string };
  internalLocation?: { type: string; anchor: string };
  url?: string;
}

/** A target, with where the links to it stand. */
export interface Item {
  status: string;
  relation: string;
  targetReference?: Location;
  locationReferences: Location[];
}

/** A list of links. */
export interface Links {
  next?: { page: string };
  count: number;
  items: Item[];
  stats: { total: number; broken: { total: number } };
}

/** Edits one space and looks at its links. */
export class Linking extends Editing {
  /** Path of the space. */
  get root(): string {
    return `/v1/spaces/${this.space}`;
  }

  /** The links of the space. */
  links(query: object = {}): Promise<Links> {
    return this.get<Links>(`${this.root}/links`, query);
  }

  /** Inserts a page with this text; answers its id. */
  write(title: string, markdown: string, more: object = {}): Promise<string> {
    return this.add(title, { document: { markdown }, ...more });
  }

  /** Changes a page. */
  update(page: string, fields: object): Promise<EditAnswer> {
    return this.edit({ operation: 'update_page', page, ...fields });
  }

  /** The text of a page as it is read. */
  async markdownOf(page: string): Promise<string> {
    return (await this.read<PageAnswer>(`/page/${page}`)).markdown ?? '';
  }

  /** Changes the content past HTTP: what no operation can do. */
  async inSpace(work: (editor: TreeEditor) => Promise<unknown>): Promise<void> {
    await this.app.nest.get(ContentWriter, { strict: false }).write(this.space, null, work);
  }

  /** Puts a file into the content, without any bytes. */
  putFile(id: string): Promise<void> {
    return this.inSpace((editor) =>
      editor.putFile({ id, name: `${id}.png`, contentType: 'image/png', size: 3, blob: 'b' }),
    );
  }

  /** How many links there are of each status. */
  async statuses(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { status } of (await this.links({ limit: 1000 })).items) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }
}

/** As {@link givenSpace}, for tests of links. */
export function givenLinking(use: (given: { app: TestApp; space: Linking }) => void): void {
  givenSpace(
    ({ app, space: { user, space } }) => {
      use({ app, space: new Linking(app, user, space) });
    },
    { APP_URL: 'http://app.test/writing' },
  );
}

/** What an item says, in short: its target's title, URL or nothing, its status, and the titles of where it stands. */
export const short = ({ status, targetReference: to, locationReferences }: Item): unknown => [
  to && (to.page ? to.page.title + (to.internalLocation ? `#${to.internalLocation.anchor}` : '') : (to.url ?? to.kind)),
  status,
  locationReferences.map(({ page, internalLocation: at }) => (page?.title ?? '') + (at ? `#${at.anchor}` : '')),
];

/** Those of `pages`, which are nested, that are documents. */
export const documentsOf = (pages: PageAnswer[]): PageAnswer[] =>
  pages.flatMap((page) => [...(page.type === 'document' ? [page] : []), ...documentsOf(page.pages ?? [])]);
