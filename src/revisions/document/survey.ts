import type { Definition, FootnoteDefinition, Nodes, Root } from 'mdast';
import { DocumentError } from './document-error.js';

/** Footnotes that stand in each other: what is kept of one as source is read twice on each level. */
const MAX_NOTES = 4;

/** A part of a page with its tree; the places of the nodes refer to `source`. */
export interface Piece {
  readonly source: string;
  readonly tree: Root;
}

/** Which definitions and footnotes Markdown has, and which of them it uses; by identifier, the first one counts. */
export interface Survey {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly footnotes: ReadonlyMap<string, FootnoteDefinition>;
  /** What the places in a footnote refer to. */
  readonly sources: ReadonlyMap<FootnoteDefinition, string>;
  /** Identifiers of footnotes that text outside of footnotes refers to. */
  readonly wanted: ReadonlySet<string>;
  /** Definitions that a link or an image uses. */
  readonly usedDefinitions: ReadonlySet<Definition>;
}

interface Visit {
  readonly node: Nodes;
  readonly source: string;
  /** How many footnotes it stands in. */
  readonly notes: number;
}

/** Goes through all of `pieces` once. @throws DocumentError for footnotes that stand in each other too deep. */
export function surveyPieces(pieces: readonly Piece[]): Survey {
  const definitions = new Map<string, Definition>();
  const footnotes = new Map<string, FootnoteDefinition>();
  const wanted = new Set<string>();
  const named = new Set<string>();
  const sources = new Map<FootnoteDefinition, string>();
  const open = pieces.map(({ tree, source }): Visit => ({ node: tree, source, notes: 0 })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, source } = next;
    const notes = next.notes + Number(node.type === 'footnoteDefinition');
    if (notes > MAX_NOTES) throw new DocumentError(`Footnotes stand in each other deeper than ${MAX_NOTES} levels`);
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier)) footnotes.set(node.identifier, node);
    if (node.type === 'footnoteDefinition') sources.set(node, source);
    if (node.type === 'footnoteReference' && notes === 0) wanted.add(node.identifier);
    if (node.type === 'linkReference' || node.type === 'imageReference') named.add(node.identifier);
    if (!('children' in node)) continue;
    // backwards, for the last one put in is the next one looked at
    for (const child of node.children.toReversed()) open.push({ node: child, source, notes });
  }
  const used = [...definitions.values()].filter(({ identifier }) => named.has(identifier));
  return { definitions, footnotes, sources, wanted, usedDefinitions: new Set(used) };
}
