import { type JSONDocument, readFrontMatter, toMarkdown } from '../revisions/index.js';

/** A heading of the first level at the beginning of a text: `# Title`, or underlined with `=`. */
const HEADING = /^(?:[ \t]*\r?\n)*(?: {0,3}#(?:[ \t]|\r?\n|$)| {0,3}[^\s#>\-*+`~|<][^\n]*\n {0,3}=+[ \t]*(?:\r?\n|$))/;

/** `markdown` with `title` as its first heading, behind its front matter; as it is where it begins with a heading. */
export async function withTitle(markdown: string, title: string): Promise<string> {
  const { end } = readFrontMatter(markdown);
  const text = markdown.slice(end);
  if (HEADING.test(text)) return markdown;
  return `${markdown.slice(0, end)}${(await toMarkdown(heading(title))).trimEnd()}\n\n${text}`;
}

function heading(title: string): JSONDocument {
  const leaves = [{ object: 'leaf' as const, text: title.replace(/\s+/g, ' '), marks: [] }];
  const nodes = [{ object: 'text' as const, key: 't', leaves }];
  const block = {
    object: 'block' as const,
    type: 'heading-1' as const,
    key: 'h',
    isVoid: false as const,
    data: {},
    meta: { id: '' },
    nodes,
  };
  return { object: 'document', data: {}, nodes: [block] };
}
