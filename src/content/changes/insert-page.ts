import { ContentError, type DocumentRecord, type JsonObject, type PageKind } from '../../revisions/index.js';
import type { InsertPageDto } from '../dto/page-changes.dto.js';
import { fromFrontMatter, ownTitle, withoutEmpty } from '../page-metadata.js';
import { checkComputed } from './computed-source.js';
import { checkRef } from './content-refs.js';
import { fieldsOf, looksOf } from './page-patch.js';
import type { Ground } from './ready-change.js';
import type { Touched } from './touched.js';

/** Title of a page that has none of its own. */
const UNTITLED = 'Untitled';

/** What each kind of page is made of, and nothing else. */
const BODIES: Record<PageKind, 'document' | 'target' | 'computed' | null> = {
  document: 'document',
  group: null,
  link: 'target',
  computed: 'computed',
};

/** Inserts a page under the id `page`. @throws ContentError when the content rules refuse it. */
export async function insertPage(
  ground: Ground,
  { change, page: id, text }: { change: InsertPageDto; page: string; text: DocumentRecord | undefined },
): Promise<Touched> {
  const { type = 'document', into, at, ref, slug } = change;
  checkBodies(change, type);
  const matter = fromFrontMatter(text?.frontMatter);
  const { title: given, ...fields } = { ...fieldsOf(change), ...matter };
  const { cover, ...looks } = await looksOf(ground, change, type);
  const draft = {
    ...withoutEmpty(fields),
    ...looks,
    ...(cover && { cover }),
    ...(await bodyOf(ground, change, text)),
    id,
    kind: type,
    title: matter.title ?? ownTitle(text) ?? given ?? UNTITLED,
    ...(slug !== undefined && { slug }),
  };
  await ground.editor.insertPage(draft, { into: into ?? null, ...(at !== undefined && { at }) });
  return { kind: 'created', page: id, ...(ref !== undefined && { ref }) };
}

function checkBodies(change: InsertPageDto, type: PageKind): void {
  const own = BODIES[type];
  if (own === 'document' && change.document === undefined) {
    throw new ContentError('invalid', 'document is required: {"markdown": "…"}, or {} for an empty page', 'document');
  }
  if (own !== null && change[own] === undefined) {
    throw new ContentError('invalid', `${own} is required for a ${type} page`, own);
  }
  for (const name of ['document', 'target', 'computed'] as const) {
    if (name !== own && change[name] !== undefined) {
      throw new ContentError('invalid', `a ${type} page has no ${name}`, name);
    }
  }
  if (type === 'group' && change.into !== undefined) {
    throw new ContentError('invalid', 'a group stands at the root only', 'into');
  }
}

async function bodyOf(
  ground: Ground,
  { target, computed }: InsertPageDto,
  text: DocumentRecord | undefined,
): Promise<{ document?: string; target?: JsonObject; computed?: JsonObject }> {
  return {
    ...(text && { document: text._id }),
    ...(target && { target: await checkRef(ground, target, 'target') }),
    ...(computed && { computed: checkComputed(computed) }),
  };
}
