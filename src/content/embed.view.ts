/** What is known of an address that a page shows as a card. */
export class EmbedView {
  type!: 'link';
  title!: string;
  /** Name of the place that it is on. */
  site!: string;
  /** Address of an image. */
  icon?: string;
}

/** What an address says of itself: nothing is fetched from it. */
export function toEmbed(address: string): EmbedView {
  const { hostname, pathname } = new URL(address);
  const site = hostname.replace(/^www\./, '');
  return { type: 'link', title: pathname === '/' ? site : `${site}${readable(pathname)}`, site };
}

function readable(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
