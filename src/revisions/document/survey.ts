import type { Definition, FootnoteDefinition, Nodes, Root } from 'mdast';

/** Which definitions and footnotes a piece of Markdown has, and which of them it uses; by identifier, the first one counts. */
export interface Survey {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly footnotes: ReadonlyMap<string, FootnoteDefinition>;
  /** Identifiers of footnotes that text outside of footnotes refers to. */
  readonly wanted: ReadonlySet<string>;
  /** Definitions that a link or an image uses. */
  readonly usedDefinitions: ReadonlySet<Definition>;
}

/** Goes through `tree` once. */
export function surveyTree(tree: Root): Survey {
  const definitions = new Map<string, Definition>();
  const footnotes = new Map<string, FootnoteDefinition>();
  const wanted = new Set<string>();
  const named = new Set<string>();
  const open: { node: Nodes; inNote: boolean }[] = [{ node: tree, inNote: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next;
    const inNote = next.inNote || node.type === 'footnoteDefinition';
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier)) footnotes.set(node.identifier, node);
    if (node.type === 'footnoteReference' && !inNote) wanted.add(node.identifier);
    if (node.type === 'linkReference' || node.type === 'imageReference') named.add(node.identifier);
    if (!('children' in node)) continue;
    // backwards, for the last one put in is the next one looked at
    for (const child of node.children.toReversed()) open.push({ node: child, inNote });
  }
  const used = [...definitions.values()].filter(({ identifier }) => named.has(identifier));
  return { definitions, footnotes, wanted, usedDefinitions: new Set(used) };
}
