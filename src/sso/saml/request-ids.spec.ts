import { SecretKey } from '../../config/index.js';
import { endOfRequest, newRequestId } from './request-ids.js';

const key = new SecretKey('a key that is made of 32 characters');
const NOW = 1_800_000_000_000;
const HALF_AN_HOUR = 30 * 60_000;

describe('ids of requests', () => {
  it('are names of XML, and never the same', () => {
    const ids = Array.from({ length: 100 }, () => newRequestId(key, 'provider', NOW));
    for (const id of ids) expect(id).toMatch(/^_\d{13}\.[\w-]{43}\.[\w-]{43}$/);
    expect(new Set(ids).size).toBe(100);
  });

  it('hold for half an hour', () => {
    const id = newRequestId(key, 'provider', NOW);
    const end = new Date(NOW + HALF_AN_HOUR);
    expect(endOfRequest(key, 'provider', id, NOW)).toEqual(end);
    expect(endOfRequest(key, 'provider', id, NOW + HALF_AN_HOUR - 1)).toEqual(end);
    expect(endOfRequest(key, 'provider', id, NOW + HALF_AN_HOUR)).toBeNull();
  });

  it('hold for one identity provider of one installation, as they are', () => {
    const id = newRequestId(key, 'provider', NOW);
    expect(endOfRequest(key, 'other', id, NOW)).toBeNull();
    expect(endOfRequest(new SecretKey('another key, made of 32 characters'), 'provider', id, NOW)).toBeNull();
    const later = id.replace(String(NOW + HALF_AN_HOUR), String(NOW + 2 * HALF_AN_HOUR));
    for (const changed of [later, id.slice(1), `${id} `, id.slice(0, -1), id.toUpperCase(), '', '_', `${id}\n`]) {
      expect([changed, endOfRequest(key, 'provider', changed, NOW)]).toEqual([changed, null]);
    }
  });
});
