export { checkDocument } from './check.js';
export { toDocument, toMarkdown } from './conversion.js';
export { DocumentError } from './document-error.js';
export type {
  Align,
  Annotation,
  Block,
  Code,
  CodeLine,
  Color,
  ContentRef,
  DocumentNode,
  Expandable,
  Fragment,
  Heading,
  Image,
  Images,
  Inline,
  InlineContent,
  InlineImage,
  JSONDocument,
  Leaf,
  Length,
  Link,
  List,
  ListItem,
  Mark,
  OpenApiBlock,
  Paragraph,
  PlainMarkType,
  Table,
  TableColumn,
  TableRecord,
  TabsItem,
  Text,
  VoidInlineNode,
} from './model.js';
export { refOf, urlOf, type ResolveRef, type WriteRef } from './references.js';
export { childrenOf, plainText } from './tree.js';
