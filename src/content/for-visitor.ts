import { isShown, textFor, type VisitorClaims } from '../conditions/index.js';
import { type DocumentNode, type JSONDocument, plainText } from '../revisions/index.js';
import { showsSource } from './source-document.js';

type Holder = Extract<DocumentNode, { object: 'block' | 'fragment' }>;

/** How conditions begin in Markdown; a block of JSON may hold any block. */
const TAGGED = /\{%[-\s]*(?:if|block)\b/i;
/** How expressions begin, and what has to follow somewhere; names of classes may be written with references. */
const CODE = /<code\b/i;
const EXPRESSION = /expression|&#/;
/** Blocks that a condition may leave nothing in: they keep an empty paragraph, as none of them may be empty. */
const NEVER_EMPTY: ReadonlySet<string> = new Set([
  ...['blockquote', 'hint', 'tabs-item', 'column', 'stepper-step', 'list-item', 'fragment'],
]);

/** What becomes of conditions and expressions. */
interface Resolution {
  /** Whether what stands under a condition is shown. */
  shows(condition: string): boolean;
  /** What stands in the place of an expression. */
  text(expression: string): string;
}

const WITHOUT: Resolution = { shows: () => false, text: () => '' };

/** Whether something in `markdown` may be for some visitors only, or be another text for each. */
export const isConditional = (markdown: string): boolean =>
  TAGGED.test(markdown) || (CODE.test(markdown) && EXPRESSION.test(markdown));

/**
 * `document` as a visitor with `claims` is shown it: what stands in blocks whose condition holds, without these blocks; of the
 * others nothing; and expressions as the text that they come to. The same document where it has neither. Of a text with
 * conditions that cannot be read into nodes, nothing is shown.
 */
export function forVisitor(document: JSONDocument, claims: VisitorClaims): JSONDocument {
  const shows = (condition: string): boolean => isShown(condition, claims);
  return resolved(document, { shows, text: (expression) => textFor(expression, claims) });
}

/** The same with what every visitor is shown: nothing of what stands under conditions, and no expressions. */
export function forEveryVisitor(document: JSONDocument): JSONDocument {
  return resolved(document, WITHOUT);
}

function resolved(document: JSONDocument, resolution: Resolution): JSONDocument {
  if (showsSource(document) && isConditional(plainText(document.nodes))) return { ...document, nodes: [] };
  const nodes = shownOf(document.nodes, resolution);
  return nodes === document.nodes ? document : { ...document, nodes: nodes as JSONDocument['nodes'] };
}

/** What is shown of `nodes`; the same list where that is all. Recursive: documents are at most 64 levels deep. */
function shownOf(nodes: readonly DocumentNode[], resolution: Resolution): readonly DocumentNode[] {
  const shown = nodes.flatMap((node): readonly DocumentNode[] => {
    if (node.object === 'block' && node.type === 'if') {
      return resolution.shows(node.data.expression) ? shownOf(node.nodes, resolution) : [];
    }
    if (node.object === 'inline' && node.type === 'expression') {
      const text = resolution.text(node.data.expression);
      return [{ object: 'text', key: node.key, leaves: [{ object: 'leaf', text, marks: [] }] }];
    }
    return [withinOf(node, resolution)];
  });
  return shown.length === nodes.length && shown.every((node, index) => node === nodes[index]) ? nodes : shown;
}

/** `node` with what is shown of what it holds. */
function withinOf(node: DocumentNode, resolution: Resolution): DocumentNode {
  const changed: { nodes?: readonly DocumentNode[]; fragments?: readonly DocumentNode[] } = {};
  if ('nodes' in node) {
    const nodes = shownOf(node.nodes, resolution);
    if (nodes !== node.nodes) changed.nodes = filled(node as Holder, nodes);
  }
  if ('fragments' in node) {
    const fragments = shownOf(node.fragments, resolution);
    if (fragments !== node.fragments) changed.fragments = fragments;
  }
  return 'nodes' in changed || 'fragments' in changed ? ({ ...node, ...changed } as DocumentNode) : node;
}

function filled(node: Holder, nodes: readonly DocumentNode[]): readonly DocumentNode[] {
  const kind = node.object === 'fragment' ? 'fragment' : node.type;
  if (nodes.length > 0 || !NEVER_EMPTY.has(kind)) return nodes;
  return [{ object: 'block', type: 'paragraph', key: `${node.key}-empty`, isVoid: false, data: {}, nodes: [] }];
}
