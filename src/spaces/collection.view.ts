import { PageOf } from '../common/page.dto.js';
import type { Role } from '../common/roles.js';
import { CollectionPermissions, collectionPermissions } from './collection.policy.js';
import type { Collection } from './collection.schema.js';
import { effectiveLevel, type Surroundings } from './space.view.js';

/** Addresses of a collection. */
export class CollectionUrls {
  /** The collection in this API. */
  location!: string;
  /** The collection in the application. */
  app!: string;
}

/** A collection, as the API returns it. */
export class CollectionView {
  object!: 'collection';
  id!: string;
  title!: string;
  description?: string;
  /** Id of the organization that owns it. */
  organization!: string;
  /** Id of the collection it stands in. */
  parent?: string;
  /** Role of members without an entry of their own; `null`: none. */
  defaultLevel!: Role | null;
  urls!: CollectionUrls;
  permissions!: CollectionPermissions;
}

export class CollectionPage extends PageOf(CollectionView) {}

/** Shapes `collection` for a caller. */
export function toCollection(
  collection: Collection,
  { role, level, organization, urls }: Surroundings,
): CollectionView {
  return {
    object: 'collection',
    id: collection._id,
    title: collection.title,
    ...(collection.description !== null && { description: collection.description }),
    organization: collection.organization,
    ...(collection.parent !== null && { parent: collection.parent }),
    defaultLevel: effectiveLevel(collection.defaultLevel, level, organization),
    urls: { location: urls.api('collections', collection._id), app: urls.app('c', collection._id) },
    permissions: collectionPermissions(role),
  };
}
