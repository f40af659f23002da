import type { Urls } from '../common/urls.js';
import type { User } from './user.schema.js';

/** Addresses of a user. */
export class UserUrls {
  /** The user in this API. */
  location!: string;
}

/** A person, as the API returns them. */
export class UserView {
  object!: 'user';
  id!: string;
  displayName!: string;
  /** Shown to oneself and to fellow members only. */
  email?: string;
  photoURL?: string;
  urls!: UserUrls;
}

/** Shapes `user`; `showEmail` where the caller is the same person or shares an organization (decision 3.1). */
export function toUser(user: User, urls: Urls, showEmail: boolean): UserView {
  return {
    object: 'user',
    id: user._id,
    displayName: user.displayName,
    ...(showEmail && { email: user.email }),
    ...(user.photoURL !== null && { photoURL: user.photoURL }),
    urls: { location: urls.api('users', user._id) },
  };
}
