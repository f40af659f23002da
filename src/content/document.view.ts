import type { JSONDocument } from '../revisions/index.js';

/** A text as a tree of nodes. */
export class JSONDocumentView {
  object!: 'document';
  data!: Record<string, unknown>;
  /** Blocks, each with a `type` and a `key` of its own. */
  nodes!: object[];
}

/** Shapes `document`. */
export function toJSONDocument({ object, data, nodes }: JSONDocument): JSONDocumentView {
  return { object, data: { ...data }, nodes };
}
