import GithubSlugger from 'github-slugger';
import { DocumentError } from './document-error.js';
import type { Block, DocumentNode, JSONDocument } from './model.js';

/** Levels of nodes a document may have, its blocks being the first. */
export const MAX_DEPTH = 64;
/** Nodes a document may have. */
export const MAX_NODES = 200_000;

/** The nodes right under `node`: its content first, then its fragments. */
export function childrenOf(node: DocumentNode): readonly DocumentNode[] {
  const nodes: readonly DocumentNode[] = 'nodes' in node ? node.nodes : [];
  return 'fragments' in node ? [...nodes, ...node.fragments] : nodes;
}

/** The text under `nodes` without its marks. */
export function plainText(nodes: readonly DocumentNode[]): string {
  return nodes.map((node) => (node.object === 'text' ? leafText(node) : plainText(childrenOf(node)))).join('');
}

function leafText(node: { leaves: readonly { text: string }[] }): string {
  return node.leaves.map((leaf) => leaf.text).join('');
}

/**
 * Gives every node of `document` that has no key of its own one that follows from its place, and every block with an
 * anchor its anchor: headings first, by the rules of GitHub. Changes and returns `document`.
 * @throws DocumentError when it is too deep or too large.
 */
export function completeTree(document: JSONDocument): JSONDocument {
  const nodes = listNodes(document);
  const taken = new Set<string>();
  const keyless = nodes.filter((node) => node.key === '' || taken.size === taken.add(node.key).size);
  let next = 0;
  for (const node of keyless) {
    do next++;
    while (taken.has(`n${next}`));
    node.key = `n${next}`;
  }
  assignAnchors(nodes);
  return document;
}

function listNodes(document: JSONDocument): DocumentNode[] {
  const found: DocumentNode[] = [];
  const walk = (nodes: readonly DocumentNode[], depth: number): void => {
    if (nodes.length > 0 && depth > MAX_DEPTH) throw new DocumentError(`Nested deeper than ${MAX_DEPTH} levels`);
    for (const node of nodes) {
      if (found.push(node) > MAX_NODES) throw new DocumentError(`More than ${MAX_NODES} nodes`);
      walk(childrenOf(node), depth + 1);
    }
  };
  walk(document.nodes, 1);
  return found;
}

function assignAnchors(nodes: readonly DocumentNode[]): void {
  const slugger = new GithubSlugger();
  const used = new Set<string>();
  const fresh = (text: string): string => {
    let id: string;
    do id = slugger.slug(text);
    while (used.has(id));
    return id;
  };
  const blocks = nodes.filter((node) => node.object === 'block');
  for (const block of blocks) {
    if (!isHeading(block)) continue;
    const own = fresh(plainText(block.nodes).trim() || 'section');
    // an anchor that follows from the text, or is taken, is none of the heading's own
    if (block.data.id === own || (block.data.id !== undefined && used.has(block.data.id))) delete block.data.id;
    block.meta = { id: block.data.id ?? own };
    used.add(block.meta.id);
  }
  for (const block of blocks) {
    if (isHeading(block) || !('meta' in block)) continue;
    block.meta = { id: fresh(anchorText(block)) };
    used.add(block.meta.id);
  }
}

/** Whether `block` is a heading of any level. */
export function isHeading(block: Block): block is Extract<Block, { type: 'heading-1' | 'heading-2' | 'heading-3' }> {
  return block.type === 'heading-1' || block.type === 'heading-2' || block.type === 'heading-3';
}

function anchorText(block: Extract<Block, { meta: unknown }>): string {
  switch (block.type) {
    case 'tabs-item':
      return block.data.title ?? 'tab';
    case 'expandable':
      return plainText(block.fragments.filter(({ type }) => type === 'expandable-title')).trim() || 'more';
    case 'openapi-schemas':
      return block.data.schemas.join(' ') || 'schemas';
    case 'openapi-webhook':
      return `${block.data.method} ${block.data.name}`;
    case 'openapi-operation':
    case 'swagger':
      return `${block.data.method} ${block.data.path}`;
    default:
      return plainText(block.nodes);
  }
}
