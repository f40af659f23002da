import { scryptSync } from 'node:crypto';
import { hashPassword, verifyPassword } from './password.js';

/** CPU time of `work` in ms, threads included: it does not grow when others use the machine too. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('a password', () => {
  it('is the one it was stored from, and no other', async () => {
    const stored = await hashPassword('correct horse');
    expect(await verifyPassword('correct horse', stored)).toBe(true);
    for (const wrong of ['Correct horse', 'correct horse ']) {
      expect(await verifyPassword(wrong, stored)).toBe(false);
    }
  });

  it('is stored as what cannot be turned back, differently each time', async () => {
    const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
    expect(one).toMatch(/^scrypt\$32768\$8\$1\$[A-Za-z0-9_-]{22}\$[A-Za-z0-9_-]{43}$/);
    expect(one).not.toBe(other);
  });

  it('is the same however its characters are typed', async () => {
    expect(await verifyPassword('e\u0301 file VIII', await hashPassword('é ﬁle Ⅷ'))).toBe(true);
  });

  it('may be of any characters, and is not cut', async () => {
    const long = '📘'.repeat(64);
    const stored = await hashPassword(`${long}a`);
    expect(await verifyPassword(`${long}a`, stored)).toBe(true);
    expect(await verifyPassword(`${long}b`, stored)).toBe(false);
  });

  it('is checked at the cost that it was stored with', async () => {
    const hash = scryptSync('correct horse', 'salt', 32, { N: 1024, r: 4, p: 2 });
    const stored = `scrypt$1024$4$2$${Buffer.from('salt').toString('base64url')}$${hash.toString('base64url')}`;
    expect(await verifyPassword('correct horse', stored)).toBe(true);
    expect(await verifyPassword('other', stored)).toBe(false);
  });

  it.each([null, '', 'plain text', 'bcrypt$1$2$3$4$5', 'scrypt', 'scrypt$32768$8$1', 'scrypt$32768$8$1$$', '$$$$$'])(
    'is nobody’s when %j is stored',
    async (stored) => {
      expect(await verifyPassword(stored ?? '', stored)).toBe(false);
    },
  );

  it('takes as long for somebody who is not there', async () => {
    const stored = await hashPassword('correct horse');
    // by turns, and the least of several: other threads of this process work beside it
    let [somebody, nobody] = [Infinity, Infinity];
    for (let turn = 0; turn < 10; turn += 1) {
      somebody = Math.min(somebody, await costOf(() => verifyPassword('wrong', stored)));
      nobody = Math.min(nobody, await costOf(() => verifyPassword('wrong', null)));
    }
    expect(nobody / somebody).toBeGreaterThan(0.5);
    expect(nobody / somebody).toBeLessThan(2);
  });
});
