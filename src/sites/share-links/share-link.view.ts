import { PageOf } from '../../common/page.dto.js';
import type { ShareLink } from './share-link.schema.js';

/** Addresses of a share link. */
export class ShareLinkUrls {
  /** The site with the key in its address, whether it is published or not (decision 3.25). */
  published!: string;
}

/** A share link, as the API returns it. */
export class ShareLinkView {
  object!: 'share-link';
  id!: string;
  /** ISO 8601, UTC. */
  createdAt!: string;
  name!: string;
  /** Whether its key admits anybody. */
  active!: boolean;
  urls!: ShareLinkUrls;
}

export class ShareLinkPage extends PageOf(ShareLinkView) {}

/** Shapes `link`, which leads to `published`. */
export function toShareLink(link: ShareLink, published: string): ShareLinkView {
  return {
    object: 'share-link',
    id: link._id,
    createdAt: link.createdAt.toISOString(),
    name: link.name,
    active: link.active,
    urls: { published },
  };
}
