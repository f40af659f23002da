import { isShown, textFor, type VisitorClaims } from '../conditions/index.js';
import { type DocumentNode, type JSONDocument, plainText } from '../revisions/index.js';
import { showsSource } from './source-document.js';

type Holder = Extract<DocumentNode, { object: 'block' | 'fragment' }>;

/** How conditions and expressions begin in Markdown. */
const TAGGED = /\{%-?\s*if\b|<code\b[^>]*\bexpression\b/;
/** Blocks that a condition may leave nothing in: they keep an empty paragraph, as none of them may be empty. */
const NEVER_EMPTY: ReadonlySet<string> = new Set([
  ...['blockquote', 'hint', 'tabs-item', 'column', 'stepper-step', 'list-item', 'fragment'],
]);

/** Whether something in `markdown` may be for some visitors only, or be another text for each. */
export const isConditional = (markdown: string): boolean => TAGGED.test(markdown);

/**
 * `document` as a visitor with `claims` is shown it: what stands in blocks whose condition holds, without these blocks; of the
 * others nothing; and expressions as the text that they come to. The same document where it has neither. Of a text with
 * conditions that cannot be read into nodes, nothing is shown.
 */
export function forVisitor(document: JSONDocument, claims: VisitorClaims): JSONDocument {
  if (showsSource(document) && isConditional(plainText(document.nodes))) return { ...document, nodes: [] };
  const nodes = shownOf(document.nodes, claims);
  return nodes === document.nodes ? document : { ...document, nodes: nodes as JSONDocument['nodes'] };
}

/** What is shown of `nodes`; the same list where that is all. Recursive: documents are at most 64 levels deep. */
function shownOf(nodes: readonly DocumentNode[], claims: VisitorClaims): readonly DocumentNode[] {
  const shown = nodes.flatMap((node): readonly DocumentNode[] => {
    if (node.object === 'block' && node.type === 'if') {
      return isShown(node.data.expression, claims) ? shownOf(node.nodes, claims) : [];
    }
    if (node.object === 'inline' && node.type === 'expression') {
      const text = textFor(node.data.expression, claims);
      return [{ object: 'text', key: node.key, leaves: [{ object: 'leaf', text, marks: [] }] }];
    }
    return [withinOf(node, claims)];
  });
  return shown.length === nodes.length && shown.every((node, index) => node === nodes[index]) ? nodes : shown;
}

/** `node` with what is shown of what it holds. */
function withinOf(node: DocumentNode, claims: VisitorClaims): DocumentNode {
  const changed: { nodes?: readonly DocumentNode[]; fragments?: readonly DocumentNode[] } = {};
  if ('nodes' in node) {
    const nodes = shownOf(node.nodes, claims);
    if (nodes !== node.nodes) changed.nodes = filled(node as Holder, nodes);
  }
  if ('fragments' in node) {
    const fragments = shownOf(node.fragments, claims);
    if (fragments !== node.fragments) changed.fragments = fragments;
  }
  return 'nodes' in changed || 'fragments' in changed ? ({ ...node, ...changed } as DocumentNode) : node;
}

function filled(node: Holder, nodes: readonly DocumentNode[]): readonly DocumentNode[] {
  const kind = node.object === 'fragment' ? 'fragment' : node.type;
  if (nodes.length > 0 || !NEVER_EMPTY.has(kind)) return nodes;
  return [{ object: 'block', type: 'paragraph', key: `${node.key}-empty`, isVoid: false, data: {}, nodes: [] }];
}
