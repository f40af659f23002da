import { Urls } from '../common/urls.js';
import type { User } from './user.schema.js';
import { toUser } from './user.view.js';

const urls = new Urls('https://api.test', 'https://app.test', 'https://pub.test');
const user: User = {
  _id: 'u1',
  email: 'ann@example.org',
  displayName: 'Ann',
  photoURL: null,
  password: 'scrypt$1$2$3$4$5',
  emailVerified: true,
  placeholder: false,
  joins: 0,
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

describe('toUser', () => {
  it('shows a person, and of the record nothing else', () => {
    expect(toUser(user, urls, false)).toEqual({
      object: 'user',
      id: 'u1',
      displayName: 'Ann',
      urls: { location: 'https://api.test/v1/users/u1' },
    });
  });

  it('shows the address to those who may see it, and the picture where there is one', () => {
    const photoURL = 'https://example.org/p.png';
    expect(toUser({ ...user, photoURL }, urls, true)).toEqual({
      object: 'user',
      id: 'u1',
      displayName: 'Ann',
      email: 'ann@example.org',
      photoURL,
      urls: { location: 'https://api.test/v1/users/u1' },
    });
  });
});
