import { DomainEvents } from './domain-events.js';

const PURGED = { space: 's', organization: 'o' };

describe('DomainEvents', () => {
  it('tells handlers one after the other, in the order in which they came', async () => {
    const events = new DomainEvents();
    const seen: string[] = [];
    events.on('space.purged', async ({ space }) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(`first ${space}`);
    });
    events.on('space.purged', ({ organization }) => {
      seen.push(`second ${organization}`);
      return Promise.resolve();
    });
    await events.emit('space.purged', PURGED);
    expect(seen).toEqual(['first s', 'second o']);
  });

  it('fails with the first handler that fails', async () => {
    const events = new DomainEvents();
    let later = 0;
    events.on('space.purged', () => Promise.reject(new Error('not yet')));
    events.on('space.purged', () => Promise.resolve(void (later += 1)));
    await expect(events.emit('space.purged', PURGED)).rejects.toThrow('not yet');
    expect(later).toBe(0);
  });

  it('is silent where nobody listens', async () => {
    await expect(new DomainEvents().emit('space.purged', PURGED)).resolves.toBeUndefined();
  });
});
