import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A chapter of the generated book. */
export interface Chapter {
  title: string;
  /** File below the book's folder. */
  file: string;
  markdown: string;
  children: Chapter[];
}

/** A part of the generated book; one without a title holds the chapters outside of parts. */
export interface Part {
  title?: string;
  chapters: Chapter[];
}

/** The generated book. */
export interface Book {
  parts: Part[];
  summary: string;
  /** Every chapter, in reading order. */
  chapters: Chapter[];
}

/** One of each construct that Markdown has; the number keeps the texts apart. */
const CONSTRUCTS = [
  (n: number) => `Plain words with *emphasis*, **strong**, ~~gone~~, \`code ${String(n)}\` and a hard  \nbreak.`,
  (n: number) => `## Section ${String(n)}\n\nUnder the section.\n\n### Deeper ${String(n)}\n\nUnder the deeper one.`,
  (n: number) => `- one\n- two\n  - nested ${String(n)}\n    1. deep\n- three`,
  (n: number) => `1. first\n2. second\n\n   with a paragraph ${String(n)}\n`,
  (n: number) => `- [x] done ${String(n)}\n- [ ] not done`,
  (n: number) => `\`\`\`rust,ignore\nfn main_${String(n)}() {\n    println!("<b>& \\"quotes\\"</b>");\n}\n\`\`\``,
  (n: number) => `    indented code ${String(n)}\n    second line`,
  (n: number) => `| Name | Number |\n| :--- | ---: |\n| pipe \\| in cell | ${String(n)} |\n| ünïcödé | 2 |`,
  (n: number) => `> Quoted ${String(n)}\n>\n> > twice\n\n***`,
  (n: number) =>
    `![Figure ${String(n)}](img/figure-${String(n)}.png "A title")\n\n<div class="note">raw <em>HTML</em></div>`,
  (n: number) =>
    `A note[^n${String(n)}] and https://example.org/${String(n)} by itself.\n\n[^n${String(n)}]: The note.`,
  (n: number) =>
    `[reference ${String(n)}][ref] and [inline](https://example.org/a%20b "t") <https://example.org>\n\n[ref]: https://example.org/ref`,
  (n: number) =>
    `Setext ${String(n)}\n======\n\nHTML entity &amp; &copy; and an escape \\* and emoji 🦀 日本語 العربية.`,
  (n: number) => `Term $x_${String(n)}^2$ and a backslash at the end of a line\\\nhere. Tab\there.   `,
];

const LINE_ENDS = ['\n', '\n', '\n', '\r\n'];

/** Text of the chapter with number `n`: a few constructs in turn, with words of its own to search for. */
function textOf(n: number, title: string, links: string[]): string {
  const parts = [0, 1, 2].map((offset) => CONSTRUCTS[(n * 3 + offset) % CONSTRUCTS.length]?.(n) ?? '');
  const see = links.map((link) => `See [the other](${link}).`).join(' ');
  const end = LINE_ENDS[n % LINE_ENDS.length] ?? '\n';
  const text = [`# ${title}`, `The word marker${String(n)} stands here only.`, ...parts, see].join('\n\n');
  // some files end without a line break, some with several, one begins with a byte order mark
  return (n === 7 ? '\uFEFF' : '') + text.replaceAll('\n', end) + end.repeat(n % 3);
}

/**
 * A book of 120 chapters: some before all parts, three parts with chapters nested up to four deep, one after all.
 * The same each time.
 */
export function generateBook(): Book {
  const chapters: Chapter[] = [];
  const add = (folder: string, name: string): Chapter => {
    const n = chapters.length + 1;
    const title = `Chapter ${String(n)}: ${name}`;
    const file = `${folder}chapter-${String(n)}.md`;
    const previous = chapters.at(-1);
    const up = '../'.repeat(folder.split('/').length - 1);
    const markdown = textOf(n, title, previous ? [up + previous.file, '#section'] : []);
    const chapter = { title, file, markdown, children: [] };
    chapters.push(chapter);
    return chapter;
  };
  const parts: Part[] = [{ chapters: [add('', 'Foreword'), add('', 'Introduction')] }];
  for (const [index, title] of ['Basics', 'Going further', 'Reference & more'].entries()) {
    const top: Chapter[] = [];
    for (let a = 0; a < 3; a += 1) {
      const one = add('', `Topic ${String(a)} of ${title}`);
      top.push(one);
      for (let b = 0; b < 3; b += 1) {
        const two = add(`part-${String(index)}/`, `Detail ${String(b)}`);
        one.children.push(two);
        for (let c = 0; c < 2; c += 1) {
          const three = add(`part-${String(index)}/deep/`, `Finer detail ${String(c)}`);
          two.children.push(three);
          if (c === 0) three.children.push(add(`part-${String(index)}/deep/`, 'The finest detail'));
        }
      }
    }
    parts.push({ title, chapters: top });
  }
  const after: Chapter[] = [];
  while (chapters.length < 120) after.push(add('', 'Appendix'));
  parts.push({ chapters: after });
  return { parts, summary: summaryOf(parts), chapters };
}

function summaryOf(parts: Part[]): string {
  const lines = ['# Summary', ''];
  for (const { title, chapters } of parts) {
    if (title === undefined) lines.push(...chapters.flatMap((chapter) => [linkTo(chapter), '']));
    else lines.push(`# ${title}`, '', ...chapters.flatMap((chapter) => listOf(chapter, 0)), '');
  }
  return lines.join('\n');
}

const linkTo = ({ title, file }: Chapter): string => `[${title}](${file})`;

function listOf(chapter: Chapter, depth: number): string[] {
  return [
    `${'  '.repeat(depth)}- ${linkTo(chapter)}`,
    ...chapter.children.flatMap((child) => listOf(child, depth + 1)),
  ];
}

/** Writes `book` below `folder`, as a person keeps it. */
export async function writeBook(book: Book, folder: string): Promise<void> {
  const files: [string, string][] = [
    ['SUMMARY.md', book.summary],
    ...book.chapters.map(({ file, markdown }): [string, string] => [file, markdown]),
  ];
  for (const [file, text] of files) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}
