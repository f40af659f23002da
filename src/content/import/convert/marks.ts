/**
 * Stand-ins for addresses, while it is open what becomes of them: whether the page that one leads to is imported too is
 * known at the end only. A mark holds a secret of the import, so that no page can contain one of its own making.
 */
export class Marks {
  private readonly numbers = new Map<string, number>();
  private readonly all: string[] = [];

  /** @param secret letters and digits */
  constructor(private readonly secret: string) {}

  /** The mark for `address`; an absolute address itself, of no scheme that exists. */
  of(address: string): string {
    const known = this.numbers.get(address);
    const number = known ?? this.all.push(address) - 1;
    if (known === undefined) this.numbers.set(address, number);
    return `mark:${this.secret}-${String(number)}-`;
  }

  /** The address that `mark` stands for. */
  addressOf(mark: string): string | undefined {
    const [, number = ''] = /^mark:[^-]+-(\d+)-$/.exec(mark) ?? [];
    return this.addresses[Number(number)];
  }

  /** The addresses by the numbers of their marks. */
  get addresses(): readonly string[] {
    return this.all;
  }
}

/** `markdown` with each mark of `secret` replaced by what `spell` answers for its address. */
export function fillMarks(
  markdown: string,
  { secret, addresses }: { secret: string; addresses: readonly string[] },
  spell: (address: string) => string,
): string {
  return markdown.replace(new RegExp(`mark:${secret}-(\\d+)-`, 'g'), (_mark, number: string) =>
    spell(addresses[Number(number)] ?? ''),
  );
}
