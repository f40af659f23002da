const DEFINITION = /^ {0,3}\[((?:[^[\]\\]|\\.){1,200})\]:/gm;
const REFERENCE = /\[((?:[^[\]\\]|\\.){1,200})\]/g;

/**
 * The labels that a Markdown text defines (`[label]: address`, `[^note]: text`). A part of it that only uses them gets
 * stand-ins, so that `[text][label]` is read as a link there too.
 */
export class References {
  private readonly labels = new Set<string>();

  constructor(markdown: string) {
    for (const [, label = ''] of markdown.matchAll(DEFINITION)) this.labels.add(normal(label));
  }

  /** Stand-ins for the labels that `part` uses, to be put before it; empty when there are none. */
  neededBy(part: string): string {
    if (this.labels.size === 0) return '';
    const used = new Set([...part.matchAll(REFERENCE)].map(([, label = '']) => normal(label)));
    for (const [, label = ''] of part.matchAll(DEFINITION)) used.delete(normal(label));
    const standIns = [...used].filter((label) => this.labels.has(label)).map((label) => `[${label}]: x\n\n`);
    return standIns.join('');
  }
}

function normal(label: string): string {
  return label.replace(/\s+/g, ' ').trim().toLowerCase();
}
