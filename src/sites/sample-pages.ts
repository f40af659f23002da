import type { ChangeDto } from '../content/index.js';

/** The pages that a new space for a site begins with, when it is to have some (decision 5.1). */
export const samplePages = (title: string): ChangeDto[] =>
  [
    {
      title: 'Welcome',
      markdown: `These are the first pages of ${plain(title)}. Change them, or delete them and write your own.\n\n## Where to go on\n\n- [Quickstart](quickstart)\n- [Writing pages](writing-pages)\n`,
    },
    {
      title: 'Quickstart',
      markdown:
        'Tell readers how to get to a first result.\n\n1. What they need\n2. What they do\n3. What they see then\n\n> Keep it short: details have pages of their own.\n',
    },
    {
      title: 'Writing pages',
      markdown:
        'Pages are written in Markdown.\n\n| To get | Write |\n| --- | --- |\n| **bold** | `**bold**` |\n| a link | `[text](address)` |\n\n```js\nconsole.log("Code keeps its form");\n```\n',
    },
  ].map(({ title: name, markdown }) => ({ operation: 'insert_page', title: name, document: { markdown } }));

/** `title` as a word among others: nothing in it is Markdown. */
const plain = (title: string): string => title.replace(/[^\p{L}\p{N} ]/gu, '\\$&');
