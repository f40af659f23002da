import { childrenOf, type DocumentNode, type JSONDocument, plainText } from '../revisions/index.js';
import { forEveryVisitor } from './for-visitor.js';
import type { Section } from './search/index.js';

/** What the text of a section has where a condition or an expression stands in it. */
const CONDITIONAL = /\{%[-\s]*(?:if|block)\b|visitor\s*(?:\?\.|[.[])\s*["'`]?claims/i;
/** Characters of text that are read into nodes while somebody searches. */
const MAX_TEXT = 16 * 1024;
const HEADING = /^heading-([123])$/;

/** Whether something of `sections`, those of one text, may be for some visitors only. */
export function mayBeCut(sections: readonly Section[]): boolean {
  return sections.some(isConditional);
}

/**
 * What of `sections` every visitor is shown, where the text is too long to be read into nodes now: those before the first that
 * may have a condition. `undefined`: it is not too long.
 */
export function beforeConditions(sections: readonly Section[]): Section[] | undefined {
  const length = sections.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= MAX_TEXT) return undefined;
  const first = sections.findIndex(isConditional);
  return first < 0 ? [...sections] : sections.slice(0, first);
}

/** The sections of what every visitor is shown of `document`, with their anchors in the whole of it; `undefined`: that is all. */
export function toldSections(document: JSONDocument): Section[] | undefined {
  const told = forEveryVisitor(document);
  if (told === document) return undefined;
  const sections = [{ anchor: '', title: '', depth: 0, text: [] as string[] }];
  const walk = (nodes: readonly DocumentNode[]): void => {
    for (const node of nodes) {
      const { 1: depth } = (node.object === 'block' && HEADING.exec(node.type)) || [];
      const children = childrenOf(node);
      if (depth !== undefined) {
        sections.push({ anchor: anchorOf(node), title: plainText([node]).trim(), depth: Number(depth), text: [] });
      } else if (children.some(({ object }) => object === 'block' || object === 'fragment')) walk(children);
      else sections.at(-1)?.text.push(plainText([node]));
    }
  };
  walk(told.nodes);
  return sections
    .map(({ text, ...section }) => ({ ...section, text: text.join('\n').trim() }))
    .filter(({ title, text }) => title !== '' || text !== '');
}

const isConditional = ({ title, text }: Section): boolean => CONDITIONAL.test(title) || CONDITIONAL.test(text);

function anchorOf(node: DocumentNode): string {
  return 'meta' in node && 'id' in node.meta ? node.meta.id : '';
}
